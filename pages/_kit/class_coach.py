"""The coach's side of a class: open a room, ask, see the spread, reveal it, keep what he wants."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import segno
import streamlit as st

from ddz_core import explorer
from ddz_core.classroom import MOST_ROOMS
from ddz_core.errors import DdzError
from pages._kit import (
    class_drawing,
    class_rooms,
    class_student,
    class_voice,
    class_writing,
    shell,
)

if TYPE_CHECKING:
    from ddz_core.classroom import CoachView
    from pages._kit.shell import House

POLL = 1.0
"""Seconds between the coach's looks."""


def draw(house: House) -> None:
    """Draw the coach's side, or the ways into it."""
    st.html(f"<style>{class_drawing.style(house)}</style>")
    code, key = class_rooms.mine("coach")
    if code and class_rooms.rooms().alive(code):
        class_rooms.remember()
        _room(house, code, key)
    else:
        _entrance(house)
    class_voice.draw(house)


def _entrance(house: House) -> None:
    """Offer a room of one's own and a seat in another's."""
    say = house.words.say
    st.markdown(say("class.intro"))
    left, right = st.columns(2, gap="large")
    with left, st.container(border=True, key="panel_coach"):
        st.header(say("class.open.title"), anchor=False)
        st.markdown(say("class.open.what"))
        st.button(say("class.open"), type="primary", key="w_class_open", on_click=_open)
        if class_rooms.rooms().count() >= MOST_ROOMS:
            st.warning(say("error.class.full", expected=MOST_ROOMS))
    with right, st.container(border=True, key="panel_student"):
        st.header(say("class.enter.title"), anchor=False)
        class_student.enter(house)


def _open() -> None:
    with contextlib.suppress(DdzError):  # all are taken: the entrance says so
        class_rooms.hold("coach", *class_rooms.rooms().open())


def _close(code: str, key: str) -> None:
    with contextlib.suppress(DdzError):  # it may have died by itself
        class_rooms.rooms().close(code, key)
    class_rooms.hold("coach", "", "")


def _room(house: House, code: str, key: str) -> None:
    """Draw the room: how to join, the question that is asked, the next one."""
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="center", key="class_head"):
        st.html(f'<p class="paili-class-code">{code}</p>')
        with st.popover(say("class.invite"), key="w_class_invite"):
            _invitation(house, code)
        st.space("stretch")
        st.button(
            say("class.close"),
            key="w_class_close",
            on_click=_close,
            args=(code, key),
            help=say("class.close.what"),
        )

    @st.fragment(run_every=POLL)
    def look() -> None:
        try:
            view = class_rooms.rooms().coach(code, key)
        except DdzError as error:
            shell.refuse(error)
            return
        _asked(house, view, key)

    look()
    class_writing.draw(house, code, key)


def _invitation(house: House, code: str) -> None:
    """Draw the way in: the address, which may be corrected, and its picture to photograph."""
    say = house.words.say
    host = st.text_input(
        say("class.host"),
        class_rooms.host(),
        key="w_class_host",
        max_chars=200,
        help=say("class.host.what"),
    )
    link = class_rooms.address(house, code, host.rstrip("/"))
    picture = segno.make(link, error="m").svg_inline(scale=6, border=3, light="white")
    st.image(picture, width=280, alt=say("class.qr"))
    st.code(link, language=None, wrap_lines=True)


def _asked(house: House, view: CoachView, key: str) -> None:
    """Draw the question that is asked with its spread, and what can be done with it."""
    say = house.words.say
    st.caption(say("class.present", n=view.present, joined=view.tally.joined))
    question = view.question
    if question is None:
        return
    with st.container(border=True, key="panel_asked"):
        left, right = st.columns(2, gap="large")
        with left:
            class_drawing.question(
                house, view.number, question.text, question.position, question.seat
            )
        with right:
            answers = question.answers if view.revealed else ()
            class_drawing.spread(house, question.choices, view.tally, answers)
            if view.revealed and question.reason:
                reason = class_drawing.text(question.reason)
                st.html(f'<p class="paili-class-reason">{reason}</p>')
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                say("class.hide" if view.revealed else "class.reveal"),
                type="secondary" if view.revealed else "primary",
                key="w_class_reveal",
                shortcut="s",
                on_click=_reveal,
                args=(view.code, key, not view.revealed),
            )
            with st.popover(say("class.who"), key="w_class_who", type="tertiary"):
                rows = _rows(house, view)
                st.dataframe(rows, hide_index=True, width="stretch")
                st.download_button(
                    say("class.save"),
                    data=explorer.csv_text(rows).encode(),
                    file_name=f"paili-class-{view.number}.csv",
                    mime="text/csv",
                    on_click="ignore",
                    key="w_class_save",
                )


def _rows(house: House, view: CoachView) -> list[dict[str, object]]:
    """Return who chose what, for the coach's eyes and his file."""
    say, question = house.words.say, view.question
    choices = question.choices if question is not None else ()
    rows: list[dict[str, object]] = []
    for number, (name, chosen) in enumerate(view.chosen, 1):
        made = "" if chosen is None else choices[chosen] if choices else str(chosen)
        # A cell that begins like a formula is one to a spreadsheet.
        safe = [f"'{cell}" if cell[:1] in "=+-@" and cell else cell for cell in (name, made)]
        rows.append(
            {
                say("class.student"): number,
                say("class.name"): safe[0],
                say("class.choice"): safe[1],
            }
        )
    return rows


def _reveal(code: str, key: str, shown: bool) -> None:
    try:
        class_rooms.rooms().reveal(code, key, shown)
    except DdzError:
        return  # the room has died; the page says so
