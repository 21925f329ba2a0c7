"""Which moment the odds are about: set up by hand, the game on the table, or a link's."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import codes, observation, reading
from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.reading import Seen, Setup
from pages._kit import house_rules, session, table_state

if TYPE_CHECKING:
    from ddz_core.rules import Rules

HAND, TABLE, LINK = "hand", "table", "link"
SOURCE, SETUP, SEAT, AT = "from", "s", "seat", "at"
"""Parameters of the address: where the moment comes from, the set-up by hand, seat and action."""


def arrive() -> DdzError | None:
    """Take what the address carries into the session; return what is wrong with it."""
    asked, problem = st.query_params, None
    code = asked.get(table_state.CODE)
    if code:
        seat = asked.get(SEAT, "0")
        try:
            game = _linked(code)
            session.put(session.LINKED, f"{code} {seat}")
            house_rules.put(game.rules)
            asked.setdefault(SOURCE, LINK)
        except DdzError as error:
            problem = error
            del asked[table_state.CODE]
    rest = asked.get(SETUP)
    if rest is not None and rest != session.get(session.READING):
        try:
            reading.read_setup(rest)
            session.put(session.READING, rest[: reading.LONGEST])
        except DdzError as error:
            problem = error
    _show()
    return problem


def _show() -> None:
    rest = session.get(session.READING)
    if rest and st.query_params.get(SETUP) != rest:
        st.query_params[SETUP] = rest
    elif not rest and SETUP in st.query_params:
        del st.query_params[SETUP]


@lru_cache(maxsize=128)
def _linked(code: str) -> Game:
    return table_state.linked(code).game


def sources() -> list[str]:
    """Return where a moment can come from now; a game only under the ruleset in force."""
    table, rules = table_state.current(), session.get(session.RULES)
    found = [HAND]
    if table is not None and table.game.rules.id == rules:
        found.append(TABLE)
    if session.get(session.LINKED) and linked()[0].rules.id == rules:
        found.append(LINK)
    return found


def source() -> str:
    """Return where the moment comes from: as asked, else the running game, else by hand."""
    here = sources()
    wanted = st.query_params.get(SOURCE, "")
    if wanted in here:
        return wanted
    return TABLE if TABLE in here and not session.get(session.CARDS) else HAND


def choose(wanted: str) -> None:
    """Take the moment from elsewhere; for callbacks. A link's game stays in the address."""
    st.query_params[SOURCE] = wanted
    if AT in st.query_params:
        del st.query_params[AT]
    if wanted == LINK:
        code, seat = session.get(session.LINKED).split()
        st.query_params[table_state.CODE], st.query_params[SEAT] = code, seat
    else:
        for name in (table_state.CODE, SEAT):
            if name in st.query_params:
                del st.query_params[name]


def linked() -> tuple[Game, int]:
    """Return the link's game and the seat looked from."""
    code, _, seat = session.get(session.LINKED).partition(" ")
    game = _linked(code)
    at = int(seat) if seat.isascii() and seat.isdigit() and len(seat) < 3 else 0
    return game, min(at, game.seats - 1)


def sit(seat: int) -> None:
    """Look at the link's game from another seat; for callbacks."""
    code = session.get(session.LINKED).split()[0]
    session.put(session.LINKED, f"{code} {seat}")
    st.query_params[SEAT] = str(seat)


def game() -> tuple[Game, int, int]:
    """Return the game of the source in force, the seat, and the newest action to look at."""
    if source() == LINK:
        found, seat = linked()
        return found, seat, len(found.history)
    table = table_state.current()
    if table is None:
        raise KeyError("there is no game on the table")
    return table.game, table.seat, table.at


def action(found: Game, newest: int) -> int:
    """Return the action to look at: as the address says, else the newest."""
    asked = st.query_params.get(AT, "")
    if asked.isascii() and asked.isdigit() and len(asked) < 5:
        return min(int(asked), len(found.history))
    return newest


def seen_of(found: Game, seat: int, at: int) -> Seen:
    """Return what a seat sees of a game after some actions."""
    shown = found.at(at)
    code = [
        f"game = ddz.decode({codes.encode(found)!r}).at({at})",
        f"obs = ddz.observe(game, {seat})",
    ]
    return reading.of_game(observation.observe(shown, seat), code)


def setup() -> Setup:
    """Return the set-up by hand of this session, the cards included."""
    rest, hand = session.get(session.READING), session.get(session.CARDS)
    try:
        return reading.read_setup(rest, hand)
    except DdzError:
        return Setup(hand=hand)


def keep(changed: Setup) -> None:
    """Keep a set-up by hand; for callbacks."""
    session.put(session.READING, changed.rest[: reading.LONGEST])
    _show()


def rules_key(rules: Rules) -> str:
    """Return what tells these rules from others, for caches."""
    return f"{rules.id} {sorted(rules.overrides.items())!r}"
