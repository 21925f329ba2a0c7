"""A class without a network: sheets of codes, and the codes read out added up."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core.classroom import answer_code, read_answers, tally_of
from ddz_core.errors import DdzError
from pages._kit import class_drawing, class_writing, explorer_foot, shell

if TYPE_CHECKING:
    from pages._kit.shell import House

MOST = 40
"""Students on one sheet."""


def draw(house: House) -> None:
    """Draw the sheet of codes of one question, and the field for the codes read out."""
    say = house.words.say
    with st.expander(say("class.voice"), key="w_class_voice"):
        st.markdown(say("class.voice.what"))
        secret = st.text_input(say("class.voice.title"), key="w_class_secret", max_chars=80)
        written = st.text_area(
            say("class.voice.choices"),
            key="w_class_voice_choices",
            max_chars=2_000,
            help=say("class.choices.what"),
        )
        choices = class_writing.lines(written)[:12]
        if not secret or len(choices) < 2:
            return
        number = st.slider(say("class.voice.students"), 2, MOST, 30, key="w_class_voice_n")
        head = [say("class.student"), *class_drawing.choices(house, choices)]
        rows = [
            [str(n), *(answer_code(secret, n, at) for at in range(len(choices)))]
            for n in range(1, number + 1)
        ]
        with st.popover(say("class.voice.sheet"), key="w_class_sheet"):
            explorer_foot.style(house)
            explorer_foot.scroll(say("class.voice.sheet"), explorer_foot.table(head, rows))
            st.download_button(
                say("class.voice.print"),
                data=_sheet(secret, head, rows).encode(),
                file_name="paili-codes.html",
                mime="text/html",
                on_click="ignore",
                key="w_class_print",
            )
        said = st.text_area(
            say("class.voice.said"),
            key="w_class_said",
            max_chars=2_000,
            placeholder="1 K4, 2 9A, 3 TT",
            help=say("class.voice.said.what"),
        )
        try:
            found = read_answers(secret, len(choices), said)
        except DdzError as error:
            shell.refuse(error)
            return
        if found:
            class_drawing.spread(house, choices, tally_of(found, number))


def _sheet(title: str, head: list[str], rows: list[list[str]]) -> str:
    """Return a page to print: one strip a student, to be cut apart."""
    strips = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    return (
        f'<!doctype html><meta charset="utf-8"><title>{escape(title)}</title><style>'
        "body{font:16px system-ui,sans-serif}table{border-collapse:collapse;width:100%}"
        "td,th{border:1px dashed #888;padding:.5rem;text-align:center}"
        "td+td{font-family:monospace;font-weight:700}</style>"
        f"<h1>{escape(title)}</h1><table><thead><tr>{top}</tr></thead>{strips}</table>"
    )
