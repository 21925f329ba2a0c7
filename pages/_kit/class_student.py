"""The student's side of a class: join, look, choose, and see the spread once it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ddz_core.classroom import CODE, MOST_NAME, clean_code
from ddz_core.errors import DdzError
from pages._kit import class_drawing, class_rooms, shell

if TYPE_CHECKING:
    from ddz_core.classroom import StudentView
    from pages._kit.shell import House

POLL = 1.5
"""Seconds between a student's looks."""


def here(house: House) -> bool:
    """Draw the student's side where the address names a room; say whether it did."""
    code = clean_code(st.query_params.get(class_rooms.ROOM, ""))
    if not code:
        return False
    held, token = class_rooms.mine("student")
    if held == code and class_rooms.rooms().alive(code):
        class_rooms.remember()
        _seat(house, code, token)
    else:
        _door(house, code)
    return True


def _door(house: House, code: str) -> None:
    """Ask for a name, which may be left out, and let the student in."""
    say = house.words.say
    if not class_rooms.rooms().alive(code):
        st.error(shell.plain(say("error.class.none", got=code[:20])))
        enter(house)
        return
    with st.form("class_door", border=False, width=420):
        st.header(say("class.join.title", code=code), anchor=False)
        st.text_input(
            say("class.join.name"), key="w_class_name", max_chars=MOST_NAME, autocomplete="off"
        )
        st.form_submit_button(say("class.join"), type="primary", on_click=_join, args=(code,))


def enter(house: House) -> None:
    """Ask for the code of a room, for those who came without a link."""
    say = house.words.say
    with st.form("class_enter", border=False):
        st.text_input(
            say("class.code"),
            key="w_class_code",
            max_chars=2 * CODE,
            placeholder="ACD3F",
            autocomplete="off",
        )
        st.form_submit_button(say("class.enter"), on_click=_enter)


def _enter() -> None:
    code = clean_code(str(st.session_state["w_class_code"]))
    if code:
        st.query_params[class_rooms.ROOM] = code


def _join(code: str) -> None:
    try:
        token = class_rooms.rooms().join(code, str(st.session_state["w_class_name"]))
    except DdzError:
        return  # the room died between two looks; the page says so on its way back
    class_rooms.hold("student", code, token)


def _seat(house: House, code: str, token: str) -> None:
    """Draw what one student sees, again and again while the page is open."""
    st.html(f"<style>{class_drawing.style(house)}</style>")

    @st.fragment(run_every=POLL)
    def look() -> None:
        try:
            view = class_rooms.rooms().student(code, token)
        except DdzError as error:
            shell.refuse(error)
            return
        _draw(house, code, token, view)

    look()


def _draw(house: House, code: str, token: str, view: StudentView) -> None:
    say = house.words.say
    if not view.number:
        st.header(say("class.waiting"), anchor=False)
        st.caption(say("class.waiting.what", code=code))
        return
    class_drawing.question(house, view.number, view.text, view.position, view.seat)
    if view.tally is not None:
        class_drawing.spread(house, view.choices, view.tally, view.answers, view.chosen)
        if view.reason:
            st.html(f'<p class="paili-class-reason">{class_drawing.text(view.reason)}</p>')
        return
    if view.choices:
        with st.container(key=f"class_choices_{view.number}"):
            for number, choice in enumerate(class_drawing.choices(house, view.choices)):
                st.button(
                    shell.plain(choice),
                    key=f"w_class_{view.number}_{number}",
                    type="primary" if number == view.chosen else "secondary",
                    width="stretch",
                    on_click=_choose,
                    args=(code, token, number),
                )
    else:
        with st.form(f"class_number_{view.number}", border=False, width=320):
            key = f"w_class_{view.number}_n"
            st.number_input(say("class.number"), -9_999, 9_999, view.chosen or 0, 1, key=key)
            st.form_submit_button(
                say("class.send"),
                type="primary",
                on_click=lambda: _choose(code, token, int(st.session_state[key])),
            )
    st.caption(say("class.chosen") if view.chosen is not None else say("class.choose"))


def _choose(code: str, token: str, number: int) -> None:
    try:
        class_rooms.rooms().choose(code, token, number)
    except DdzError:
        return  # revealed or closed meanwhile; the next look shows it
