"""What a learner stated before: kept in the session, saved to a file of its own, loaded again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import calibration
from ddz_core.errors import DdzError
from pages._kit import session, shell

if TYPE_CHECKING:
    from ddz_core.calibration import Answer
    from pages._kit.shell import House


def answers(key: str) -> list[Answer]:
    """Return the answers kept under a session key; a text that cannot be read has none."""
    try:
        return calibration.read_answers(session.get(key))
    except DdzError:
        return []


def file(house: House, key: str, *, name: str, file_name: str) -> None:
    """Draw the buttons that save and load the answers.

    Args:
        house: the reader.
        key: the session key that keeps them.
        name: begins the keys of the widgets.
        file_name: what the saved file is called.
    """
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            say("odds.kept.save"),
            data=(session.get(key) or calibration.answers_text([])).encode(),
            file_name=file_name,
            mime="text/plain",
            on_click="ignore",
            key=f"w_{name}_save",
            disabled=not answers(key),
        )
    st.file_uploader(
        say("odds.kept.load"),
        type="txt",
        key=f"w_{name}_load",
        on_change=load,
        args=(key, name),
        max_upload_size=1,
    )
    problem = st.session_state.pop(f"w_{name}_problem", None)
    if isinstance(problem, DdzError):
        shell.refuse(problem)


def load(key: str, name: str) -> None:
    """Take the answers of the file sent; one that is none of ours changes nothing and says why."""
    sent = st.session_state.get(f"w_{name}_load")
    if sent is None:
        return
    try:
        read = calibration.read_file(sent.getvalue())
        session.put(key, calibration.answers_text(read))
    except DdzError as error:
        st.session_state[f"w_{name}_problem"] = error
