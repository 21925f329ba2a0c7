"""What both sides of a class draw: the question with its cards, and the spread of the choices."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import cards
from ddz_core.errors import DdzError
from ddz_core.render import asked_view, wording
from pages._kit import shell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ddz_core.classroom import Tally
    from ddz_core.render.cards import Theme
    from pages._kit.shell import House

_CARDS = re.compile(r"[3-9TJQKA2XD*]+")

_STYLE = """
.paili-class-text { font: 700 1.5rem/1.35 Georgia, "Songti SC", "Songti TC",
  "Source Han Serif SC", "Noto Serif CJK SC", serif; color: %(ink)s; margin: 0;
  overflow-wrap: anywhere; }
.paili-class-reason { font-size: 1.0625rem; line-height: 1.5; color: %(ink)s; margin: .5rem 0 0;
  overflow-wrap: anywhere; white-space: pre-line; }
.paili-class-code { font: 700 3rem/1.1 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  letter-spacing: .12em; color: %(ink)s; margin: 0; }
.paili-spread { display: grid; grid-template-columns: fit-content(40%%) max-content 1fr;
  gap: .55rem .75rem; align-items: center; color: %(ink)s; font-size: 1.125rem; }
.paili-spread b { overflow-wrap: anywhere; }
.paili-spread i { display: block; height: 1.5rem; border-radius: 6px; background: %(bar)s;
  min-width: 2px; }
.paili-spread .right i { background: %(good)s; }
.paili-spread > div { display: contents; }
.paili-spread span { font-variant-numeric: tabular-nums; white-space: nowrap; }
[class*="st-key-class_choices_"] button { min-height: 3.25rem; justify-content: flex-start; }
[class*="st-key-class_choices_"] button p { font-size: 1.125rem; font-weight: 600; }
@media (max-width: 640px) {
  .paili-spread { grid-template-columns: 1fr max-content; gap: .2rem .75rem; }
  .paili-spread i { grid-column: 1 / -1; grid-row: auto; height: 1rem; margin-bottom: .5rem; }
}
"""
_COLOURS = {
    False: {"ink": "#1C282D", "ink2": "#48565B", "bar": "#A98BA0", "good": "#0072B2"},
    True: {"ink": "#ECE7DB", "ink2": "#BCC1BB", "bar": "#7A5F72", "good": "#56B4E9"},
}


def style(house: House) -> str:
    """Return the rules of what is drawn here."""
    return _STYLE % _COLOURS[house.dark]


def text(words: str) -> str:
    """Return words of a visitor so that markup in them is shown, not read."""
    return escape(words)


def choices(house: House, written: Sequence[str]) -> tuple[str, ...]:
    """Return choices in words: as readers write cards, where all are cards (or the pass).

    Beside a choice that is no cards the others are words too: "A" to "D" are no ace and joker.
    """
    if not all(one == "pass" or _CARDS.fullmatch(one) for one in written):
        return tuple(written)
    return tuple(_shown(house, one) for one in written)


def _shown(house: House, written: str) -> str:
    if written == "pass":
        return house.words.say("table.js.pass")
    try:
        hand = cards.parse_cards(written)
    except DdzError:
        return written
    return wording.card_text(house.words, cards.format_cards(hand))


def question(house: House, number: int, words: str, code: str, seat: int | None) -> None:
    """Draw the question, with the cards that the class may see."""
    say = house.words.say
    st.caption(say("class.question.n", n=number))
    st.html(f'<p class="paili-class-text">{escape(words)}</p>')
    if code:
        theme: Theme = "dark" if house.dark else "light"
        with st.container(width=640, gap="xsmall"):
            for part in asked_view.parts(house.words, code, seat, theme):
                st.caption(shell.plain(part.text))
                if part.picture:
                    st.image(part.picture, width="stretch", alt=part.label)


def spread(
    house: House,
    written: Sequence[str],
    tally: Tally,
    answers: Sequence[int] = (),
    own: int | None = None,
) -> None:
    """Draw how the class chose: a bar a choice, from zero, its count and marks in words."""
    say = house.words.say
    if written:
        shown = list(enumerate(choices(house, written)))
    else:
        shown = [(n, f"{n:,}") for n in sorted({*dict(tally.counts), *answers})]
    most = max([1, *(count for _, count in tally.counts)])
    rows = []
    for n, name in shown:
        count = tally.of(n)
        marks = [say("class.right")] if n in answers else []
        marks += [say("class.own")] if n == own else []
        tail = f"{count}" + (f" · {' · '.join(marks)}" if marks else "")
        rows.append(
            f'<div class="{"right" if n in answers else ""}"><b>{escape(name)}</b>'
            f"<span>{escape(tail)}</span>"
            f'<i style="width:{100 * count / most:.1f}%"></i></div>'
        )
    st.html(f'<div class="paili-spread">{"".join(rows)}</div>')
    st.caption(say("class.answered", n=tally.answered, joined=tally.joined))
