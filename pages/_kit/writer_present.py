"""Presenting: the lesson being written, a shipped lesson, or a game, over the whole window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from ddz_core import lessons
from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.render import present_view
from pages._kit import inputs, lesson_state, shell, writer_state

if TYPE_CHECKING:
    from pages._kit.shell import House

PRESENT = "present"
"""Parameter of the address: ``draft``, ``game``, or the id of a shipped lesson."""
AT = "step"

_component = st.components.v2.component(
    "paili_present", css=present_view.STYLE, js=present_view.SCRIPT
)


def draw(house: House) -> bool:
    """Draw what the address asks to be presented; say whether it did."""
    asked = st.query_params.get(PRESENT, "")
    if not asked:
        return False
    try:
        steps = _steps(house, asked)
    except DdzError as error:
        shell.refuse(error)
        return False
    if not steps:
        return False
    number = st.query_params.get(AT, "1")
    at = int(number) - 1 if number.isascii() and number.isdigit() and len(number) < 4 else 0
    _component(
        key=f"present_{asked[:40]}",
        data={
            "theme": "dark" if house.dark else "light",
            "lang": house.lang,
            "at": max(0, min(at, len(steps) - 1)),
            "steps": steps,
            "words": present_view.component_words(house.words),
        },
        on_leave_change=leave,
    )
    st.button(house.words.say("present.leave"), key="w_present_leave", on_click=leave)
    return True


def _steps(house: House, asked: str) -> list[dict[str, Any]]:
    if asked == "draft":
        return present_view.of_lesson(writer_state.draft().lesson, house.words)
    if asked == "game":
        found = writer_state.source()
        if isinstance(found, Game):
            return present_view.of_game(found, house.words)
        return [] if found is None else [present_view.of_position(found, house.words)]
    if asked == lesson_state.OWN:
        own = lesson_state.own()
        return [] if own is None else present_view.of_lesson(own, house.words)
    return present_view.of_lesson(lessons.load(asked), house.words)


def begin(what: str) -> None:
    """Present something; for callbacks."""
    st.query_params[PRESENT] = what


def leave() -> None:
    """Go back to the page; for callbacks."""
    inputs.address(PRESENT, "")
    inputs.address(AT, "")
