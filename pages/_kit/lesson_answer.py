"""How a task is answered: options, a number, cards tapped or typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import cards
from ddz_core.actions import PASS
from ddz_core.errors import DdzError
from ddz_core.lessons import scenes
from ddz_core.render import wording
from pages._kit import lesson_words, shell

if TYPE_CHECKING:
    from collections.abc import Callable

    from pages._kit.lesson_state import Open
    from pages._kit.shell import House

    Answer = Callable[[str], None]


_STYLE = """
.st-key-lesson_hand { display: grid; grid-template-columns: repeat(auto-fill, 2.875rem);
  gap: .375rem; width: 100%%; padding: .75rem; border-radius: 14px; background: %(mat)s; }
.st-key-lesson_hand > div { width: auto !important; }
.st-key-lesson_hand button { width: 2.875rem; min-height: 4rem; padding: .25rem 0;
  align-items: flex-start; background: %(card)s; border-color: %(line)s; color: #1C282D;
  border-radius: 6px; }
.st-key-lesson_hand button:hover { color: #1C282D; border-color: %(accent)s; }
.st-key-lesson_hand button p { font-weight: 700; font-size: 1.25rem; line-height: 1.1; }
.st-key-lesson_hand [class*="_X_"] button p, .st-key-lesson_hand [class*="_D_"] button p {
  font-size: .9375rem; }
.st-key-lesson_hand button[data-testid="stBaseButton-primary"],
.st-key-lesson_hand button[data-testid="stBaseButton-primary"]:hover {
  background: %(card)s; color: #1C282D; border: 3px solid %(accent)s; transform: translateY(-4px); }
.st-key-lesson_options button { justify-content: flex-start; text-align: left; }
"""
_COLOURS = {
    False: {"mat": "#CFDDD3", "card": "#FFFEFA", "line": "#CFC7B6", "accent": "#7A2E5D"},
    True: {"mat": "#1F302B", "card": "#EAE4D6", "line": "#A79F8D", "accent": "#8E3A6D"},
}


def draw(house: House, now: Open, answer: Answer) -> None:
    """Draw the widgets with which the open task is answered.

    Args:
        house: the reader.
        now: the open lesson, at a task that is not answered on the board.
        answer: called with the answer, from callbacks.
    """
    assert now.step is not None
    st.html(f"<style>{_STYLE % _COLOURS[house.dark]}</style>")
    if now.step.options:
        _options(house, now, answer)
    elif now.step.ask == "number":
        _number(house, now, answer)
    else:
        _cards(house, now, answer)


def _options(house: House, now: Open, answer: Answer) -> None:
    """Draw a button for each option; the keys 1, 2, 3 … press them."""
    assert now.step is not None
    with st.container(horizontal=True, gap="small", key="lesson_options"):
        for number, one in enumerate(now.step.options, 1):
            chosen = now.state.answer == one.value
            st.button(
                shell.plain(lesson_words.option(house, now.step, one, now.rules)),
                key=f"w_lesson_{now.state.step}_{number}",
                type="primary" if chosen else "secondary",
                shortcut=str(number),
                on_click=answer,
                args=(one.value,),
            )


def _number(house: House, now: Open, answer: Answer) -> None:
    say, key = house.words.say, f"w_lesson_number_{now.lesson.id}_{now.state.step}"

    def sent() -> None:
        answer(str(st.session_state.get(key, "")))

    with (
        st.form(f"w_lesson_form_{now.state.step}", border=False, enter_to_submit=True),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        st.text_input(say("lesson.number"), key=key, max_chars=12, width=140, autocomplete="off")
        st.form_submit_button(say("lesson.answer"), type="primary", on_click=sent)


def _cards(house: House, now: Open, answer: Answer) -> None:
    """Draw the hand card by card to tap, the same as a text to type, and what to do with it."""
    assert now.step is not None
    say = house.words.say
    hand = scenes.hand_of(now.step, now.rules)
    _fresh(now)
    typed = str(st.session_state.get("w_lesson_typed", ""))
    taken = _taken(typed, hand)
    with st.container(horizontal=True, key="lesson_hand"):
        counts = dict(taken)
        for place, rank in enumerate(sorted(hand, key=wording.DISPLAY.find)):
            on = counts.get(rank, 0) > 0
            counts[rank] = counts.get(rank, 0) - 1
            label = wording.rank_label(house.words, rank, short=True)
            st.button(
                label,
                key=f"w_lesson_card_{rank}_{place}",
                type="primary" if on else "secondary",
                on_click=_tap,
                args=(hand, rank, on),
            )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            say("lesson.typed"),
            key="w_lesson_typed",
            max_chars=80,
            width=200,
            placeholder=say("app.cards.placeholder"),
            autocomplete="off",
        )
        st.button(
            say("lesson.answer"),
            key="w_lesson_answer",
            type="primary",
            disabled=not typed.strip(),
            on_click=lambda: answer(str(st.session_state.get("w_lesson_typed", ""))),
        )
        if now.step.ask == "play" and now.step.beat:
            st.button(say("table.said.pass"), key="w_lesson_pass", on_click=answer, args=(PASS,))


def _fresh(now: Open) -> None:
    """Empty the field when another task is on show."""
    name = f"{now.lesson.id}/{now.state.step}"
    if st.session_state.get("w_lesson_field_of") != name:
        st.session_state["w_lesson_field_of"] = name
        st.session_state["w_lesson_typed"] = ""


def _taken(typed: str, hand: str) -> dict[str, int]:
    """Return how many of each rank of a hand are chosen, as far as the text can be read."""
    try:
        chosen = cards.format_cards(cards.parse_cards(typed))
    except DdzError:
        return {}
    return {rank: min(chosen.count(rank), hand.count(rank)) for rank in set(hand)}


def _tap(hand: str, rank: str, on: bool) -> None:
    """Take one card of a rank into the choice, or out of it; for callbacks."""
    taken = _taken(str(st.session_state.get("w_lesson_typed", "")), hand)
    taken[rank] = taken.get(rank, 0) + (-1 if on else 1)
    ordered = sorted(taken, key=cards.RANKS.find)
    st.session_state["w_lesson_typed"] = "".join(r * min(taken[r], hand.count(r)) for r in ordered)
