"""A field for cards: typed as text or tapped rank by rank, the two always showing the same.

What a visitor typed is never changed by an error: it stays as it is, with one sentence that says
what is wrong, until it is corrected. A tap adds a card of its rank, up to the copies that the game
has, and after the last one takes them all away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import cards, dealing
from ddz_core.errors import DdzError
from ddz_core.render.wording import DISPLAY
from pages._kit import session, shell

if TYPE_CHECKING:
    from collections.abc import Callable

    from ddz_core.rules import Rules
    from pages._kit.shell import House

CARDS = "c"
"""Parameter of the address that carries the cards of a page."""

LONGEST = 240
"""Most characters that a field takes."""

_STYLE = """
[class*="st-key-cardfield_"] > [data-testid="stLayoutWrapper"]:has(> [class*="st-key-ranks_"]) {
  flex: 1 1 20rem; }
[class*="st-key-cardfield_"] .stTextInput input { font-weight: 700; letter-spacing: .04em;
  font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
[class*="st-key-ranks_"] { gap: 5px; display: grid; align-items: stretch;
  grid-template-columns: repeat(var(--ranks, 15), minmax(0, 1fr)); }
[class*="st-key-ranks_"] > div { width: auto; min-width: 0; }
[class*="st-key-ranks_"] button { width: 100%%; min-height: 3.25rem; padding: 0; min-width: 0;
  border-color: %(line)s; }
[class*="st-key-ranks_"] button p { font-size: .875rem; line-height: 1.3; white-space: nowrap; }
[class*="st-key-ranks_"] button strong { display: block; font-size: 1.0625rem;
  letter-spacing: -.02em; }
[class*="st-key-ranks_"] [class*="_X"] strong, [class*="st-key-ranks_"] [class*="_D"] strong {
  font-size: .9375rem; line-height: 1.475; }
[class*="st-key-ranks_"] button[data-testid="stBaseButton-primary"],
[class*="st-key-ranks_"] button[data-testid="stBaseButton-primary"]:hover {
  background: %(tint)s; border-color: %(accent)s; color: %(accent)s; }
[class*="st-key-ranks_"] [class*="_surplus_"] button[data-testid="stBaseButton-primary"] {
  border: 3px solid %(bad)s; background: transparent; color: %(ink)s; }
@media (max-width: 640px) {
  [class*="st-key-ranks_"] { grid-template-columns: repeat(8, minmax(0, 1fr)); }
}
"""
_COLOURS = {
    False: {"line": "#857D6D", "tint": "#F4E6EF", "accent": "#7A2E5D"}
    | {"bad": "#C47600", "ink": "#1C282D"},
    True: {"line": "#71807C", "tint": "#3A2234", "accent": "#D9A4C5"}
    | {"bad": "#E69F00", "ink": "#ECE7DB"},
}


@dataclass(frozen=True, slots=True)
class Entry:
    """What a field holds.

    Attributes:
        typed: the text as typed or tapped.
        cards: the same cards low to high; empty where there are none or they cannot be.
        error: what is wrong with the text, or None.
        counts: cards by lane as far as the text can be read, for the cells to tap.
    """

    typed: str
    cards: str
    error: DdzError | None = None
    counts: tuple[int, ...] = (0,) * cards.LANES

    @property
    def size(self) -> int:
        """Number of cards, 0 where they cannot be."""
        return len(self.cards)


def read(rules: Rules, typed: str, taken: str = "") -> Entry:
    """Read typed cards for a game.

    Args:
        rules: the game, whose deck says how many of a rank there are.
        typed: anything a visitor may write.
        taken: cards that lie elsewhere and cannot be here too.
    """
    counts = (0,) * cards.LANES
    try:
        hand = cards.parse_cards(typed[:LONGEST])
        counts = cards.counts_of(hand)
        parts = [("taken", cards.parse_cards(taken), None), ("cards", hand, None)]
        dealing.check_cards(rules, parts)
    except DdzError as error:
        return Entry(typed, "", error, counts)
    return Entry(typed, cards.format_cards(hand), None, counts)


def tapped(rules: Rules, typed: str, rank: str) -> str:
    """Return the text of a field after one tap on a rank.

    A text that can be read is written low to high with one card more of the rank, or with none of
    it where the game has no more; one that cannot be read keeps every character.
    """
    try:
        hand = cards.parse_cards(typed)
    except DdzError:
        return typed + rank
    lane = cards.LANE[rank]
    have = cards.counts_of(hand)[lane]
    most = cards.counts_of(rules.ruleset.deck_cards)[lane]
    change = -have if have >= most else 1
    return cards.format_cards(hand + (change << 4 * lane))


def field(
    house: House,
    rules: Rules,
    name: str,
    *,
    label: str,
    keep: str = "",
    at: str = "",
    taken: str = "",
    help_text: str | None = None,
    then: Callable[[], None] | None = None,
) -> Entry:
    """Draw the field and return what it holds; an error stands below it as one sentence.

    Args:
        house: words and theme of the page.
        rules: the game.
        name: a name of its own on the page, for the keys of its widgets.
        label: what is asked for, in the reader's words.
        keep: key of :mod:`pages._kit.session` under which the text outlives the page; without one
            it lives as long as the page is open.
        at: parameter of the address that carries the text where no ``keep`` is given.
        taken: cards that lie elsewhere and cannot be here too.
        help_text: more words, behind a question mark.
        then: called after every change, before the page runs again.
    """
    key = f"w_{name}"
    if keep:
        st.session_state[key] = session.get(keep)
    elif at and key not in st.session_state:
        st.session_state[key] = st.query_params.get(at, "")[:LONGEST]
    typed = str(st.session_state.get(key, ""))
    entry = read(rules, typed, taken)
    wrong = str(entry.error.params.get("rank", "")) if entry.error else ""
    st.html(f"<style>{_STYLE % _COLOURS[house.dark]}</style>")
    after = {"name": name, "keep": keep, "at": at, "then": then}
    with st.container(
        horizontal=True, vertical_alignment="bottom", key=f"cardfield_{name}", gap="medium"
    ):
        st.text_input(
            label,
            key=key,
            max_chars=LONGEST,
            width=330,
            placeholder=house.words.say("app.cards.placeholder"),
            help=help_text,
            on_change=_changed,
            kwargs=after,
            autocomplete="off",
        )
        _ranks(house, rules, entry, wrong, after)
    if entry.error is not None:
        shell.refuse(entry.error)
    return entry


def _ranks(house: House, rules: Rules, entry: Entry, wrong: str, after: dict[str, object]) -> None:
    """Draw a cell for every rank of the game, high to low, with the copies held."""
    say, name = house.words.say, after["name"]
    deck = rules.ruleset.deck_cards
    ranks = [rank for rank in DISPLAY if cards.counts_of(deck)[cards.LANE[rank]]]
    with st.container(horizontal=True, key=f"ranks_{name}"):
        for rank in ranks:
            count = entry.counts[cards.LANE[rank]]
            state = "surplus" if rank == wrong else "rank"
            text = {"T": "10", "X": say("table.js.joker_small_short")}.get(rank, rank)
            text = say("table.js.joker_big_short") if rank == "D" else text
            st.button(
                f"**{text}** {f'×{count}' if count else '·'}",
                key=f"w_{name}_{state}_{rank}",
                type="primary" if count else "secondary",
                on_click=_tapped,
                args=(rules, rank),
                kwargs=after,
            )


def put(name: str, typed: str, keep: str = "") -> None:
    """Put a text in a field, from a callback or before the field is drawn."""
    st.session_state[f"w_{name}"] = typed
    if keep:
        session.put(keep, typed)


def show(name: str, typed: str, keep: str) -> None:
    """Put a text in a field and in the address; for the callback of a button."""
    put(name, typed, keep)
    _show(keep)


def arrive(keep: str) -> None:
    """Take cards of the address into the session, or put the session's into the address.

    The first thing a page with such a field does, so that its links carry the cards.
    """
    asked = st.query_params.get(CARDS)
    if asked is not None and asked[:LONGEST] != session.get(keep):
        session.put(keep, asked[:LONGEST])
    _show(keep)


def _show(keep: str) -> None:
    typed = session.get(keep)
    if typed and st.query_params.get(CARDS) != typed:
        st.query_params[CARDS] = typed
    elif not typed and CARDS in st.query_params:
        del st.query_params[CARDS]


def _changed(name: str, keep: str, at: str, then: Callable[[], None] | None) -> None:
    _take(name, str(st.session_state[f"w_{name}"]), keep, at, then)


def _tapped(
    rules: Rules, rank: str, name: str, keep: str, at: str, then: Callable[[], None] | None
) -> None:
    typed = tapped(rules, str(st.session_state.get(f"w_{name}", "")), rank)
    _take(name, typed, keep, at, then)


def _take(name: str, typed: str, keep: str, at: str, then: Callable[[], None] | None) -> None:
    put(name, typed, keep)
    if keep:
        _show(keep)
    elif at:
        address(at, typed)
    if then is not None:
        then()


def address(name: str, text: str) -> None:
    """Put a text in the address under a name, or take an empty one out of it."""
    if text:
        st.query_params[name] = text
    elif name in st.query_params:
        del st.query_params[name]
