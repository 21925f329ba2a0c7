"""Writing the next question of a class; what is typed stays until it is asked or changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import streamlit as st

from ddz_core.classroom import MOST_TEXT, Question, check_question
from ddz_core.errors import DdzError
from ddz_core.render import asked_view
from pages._kit import class_drawing, class_rooms, session, shell

if TYPE_CHECKING:
    from pages._kit.shell import House

_CODE = re.compile(r"[?&](?:p|g)=([A-Za-z0-9_-]+)")


class Draft(msgspec.Struct):
    """What stands in the fields, as text."""

    text: str = ""
    choices: str = ""
    right: list[str] = []
    position: str = ""
    seat: str = ""
    reason: str = ""


def draft() -> Draft:
    """Return what was typed so far; a text that cannot be read is an empty one."""
    try:
        return msgspec.json.decode(session.get(session.CLASS_ASKED) or "{}", type=Draft)
    except msgspec.MsgspecError:
        return Draft()


def lines(text: str) -> tuple[str, ...]:
    """Return the choices, one a line, each once, without empty lines."""
    return tuple(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))


def question_of(typed: Draft) -> Question:
    """Return the question that the fields hold.

    Raises:
        DdzError: naming the field that is wrong.
    """
    choices = lines(typed.choices)
    code = _CODE.search(typed.position)
    position = code[1] if code else typed.position.strip()
    seat = int(typed.seat) if typed.seat.isdigit() else None
    if position:
        asked_view.check(position, seat)
    if choices:
        answers = tuple(n for n, choice in enumerate(choices) if choice in typed.right)
    else:
        answers = tuple(_number(one) for one in typed.right if one)
    question = Question(
        text=typed.text.strip(),
        choices=choices,
        position=position,
        seat=seat,
        answers=answers,
        reason=typed.reason.strip(),
    )
    check_question(question)
    return question


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise DdzError(
            f"answers: expected a number, got {text!r}",
            key="error.class.choice",
            field="answers",
            expected="3",
            got=text,
        ) from None


def draw(house: House, code: str, key: str) -> None:
    """Draw the fields of the next question, its preview, and the button that asks it."""
    say, typed = house.words.say, draft()
    with st.expander(say("class.next"), expanded=not typed.text, key="w_class_next"):
        _field("text", say("class.text"), typed.text, area=True)
        _field("position", say("class.position"), typed.position, what=say("class.position.what"))
        if typed.position:
            _seat(house, typed)
        _field(
            "choices",
            say("class.choices"),
            typed.choices,
            area=True,
            what=say("class.choices.what"),
        )
        choices = lines(typed.choices)
        if choices:
            st.session_state["w_class_right"] = [c for c in typed.right if c in choices]
            st.multiselect(
                say("class.answers"),
                choices,
                key="w_class_right",
                format_func=dict(
                    zip(choices, class_drawing.choices(house, choices), strict=True)
                ).__getitem__,
                on_change=_took,
                args=("right",),
            )
        else:
            _field("right", say("class.answers.number"), " ".join(typed.right))
        _field(
            "reason", say("class.reason"), typed.reason, area=True, what=say("class.reason.what")
        )
        problem = None
        try:
            asked = question_of(typed)
        except DdzError as error:
            problem = error
        if typed.text and problem is not None:
            shell.refuse(problem)
        elif problem is None:
            with st.popover(say("class.preview"), key="w_class_preview"):
                class_drawing.question(house, 1, asked.text, asked.position, asked.seat)
                for choice in class_drawing.choices(house, asked.choices):
                    st.markdown(f"- {shell.plain(choice)}")
        st.button(
            say("class.ask"),
            type="primary",
            key="w_class_ask",
            disabled=problem is not None,
            on_click=_ask,
            args=(code, key),
        )


def _field(name: str, label: str, value: str, *, area: bool = False, what: str = "") -> None:
    key = f"w_class_{name}"
    st.session_state[key] = value
    kind = st.text_area if area else st.text_input
    kind(
        label,
        key=key,
        max_chars=MOST_TEXT * (6 if name == "choices" else 1) if area else 4_000,
        help=what or None,
        on_change=_took,
        args=(name,),
    )


def _seat(house: House, typed: Draft) -> None:
    """Ask whose cards the class sees."""
    say = house.words.say
    try:
        code = _CODE.search(typed.position)
        hands = asked_view.check(code[1] if code else typed.position.strip(), None)
    except DdzError:
        return
    st.session_state["w_class_seat"] = typed.seat
    st.radio(
        say("class.seen"),
        ["", *map(str, range(hands))],
        key="w_class_seat",
        horizontal=True,
        format_func=lambda n: say("class.seen.one", n=int(n) + 1) if n else say("class.seen.all"),
        on_change=_took,
        args=("seat",),
    )


def _took(name: str) -> None:
    """Keep one field as it is now."""
    value = st.session_state[f"w_class_{name}"]
    if name == "right" and isinstance(value, str):
        value = value.replace(",", " ").split()
    changed = msgspec.structs.replace(draft(), **{name: value})
    session.put(session.CLASS_ASKED, msgspec.json.encode(changed).decode())


def _ask(code: str, key: str) -> None:
    try:
        class_rooms.rooms().ask(code, key, question_of(draft()))
    except DdzError:
        return  # the fields say what is wrong; a dead room is said by the page
    session.put(session.CLASS_ASKED, "")
