"""The table of this session: kept as text, made again from it, changed by finished actions."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import streamlit as st

from ddz_core import codes, tabletop
from ddz_core.errors import DdzError, RecordError
from ddz_core.game import Game
from pages._kit import house_rules, session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ddz_core.rules import Rules
    from ddz_core.tabletop import Tabletop

GUIDED, CODE, PLAIN, SEAT = "guided", "g", "plain", "seat"
"""Parameters of the address: a guided first game, a game's code, the plain page, the seat."""


@lru_cache(maxsize=256)
def _restored(text: str) -> Tabletop:
    """Return the table of a text; a frozen value, so that sessions may share it."""
    return tabletop.restore(text)


def current() -> Tabletop | None:
    """Return the table of this session, or None before there is one."""
    text = session.get(session.GAME)
    return _restored(text) if text else None


def keep(table: Tabletop) -> None:
    """Put a table in force: its text in the session, its ruleset on every page."""
    session.put(session.GAME, tabletop.save(table))
    house_rules.put(table.game.rules)
    if plain():
        st.query_params[CODE] = codes.encode(table.game)
        st.query_params[SEAT] = str(table.seat)


def plain() -> bool:
    """Tell whether the plain page is asked for."""
    return st.query_params.get(PLAIN) == "1"


def act(action: Mapping[str, Any]) -> None:
    """Carry out an action of the person at the table of this session."""
    table = current()
    if table is not None:
        keep(tabletop.act(table, action))


def deal(
    rules: Rules,
    *,
    seat: int = 0,
    seed: int | None = None,
    names: Sequence[str] = (),
    guided: bool | None = None,
) -> None:
    """Deal a new game, taking over the settings of the one on the table."""
    keep(
        tabletop.start(rules, seat=seat, seed=seed, names=names, settings=current(), guided=guided)
    )


def arrive() -> DdzError | None:
    """Settle which game is on the table when the page is opened.

    A code in the address comes first, then a first guided game, then the session's own game, if it
    is of the rules in force. What a browser kept comes later, from the browser.

    Returns:
        The error of a code that cannot be read; the session's game then stays.
    """
    asked, table, error = st.query_params, current(), None
    code = asked.get(CODE)
    if code and (table is None or codes.encode(table.game) != code):
        try:
            keep(linked(code, asked.get(SEAT)))
        except DdzError as refused:
            error = refused
    if code and not plain():
        del asked[CODE]
    if asked.get(GUIDED) == "1":
        del asked[GUIDED]
        keep(tabletop.start(house_rules.in_force(), settings=table, guided=True))
    elif table is not None and table.game.rules != house_rules.in_force():
        deal(rules=house_rules.in_force(), seat=table.seat)
    if plain() and current() is None:
        deal(rules=house_rules.in_force())
    return error


def linked(code: str, seat: str | None = None) -> Tabletop:
    """Return the table of a game's code.

    Raises:
        RecordError: if the code is cut, altered, of a later version, or no game's.
    """
    game = codes.decode(code)
    if not isinstance(game, Game):
        raise RecordError(
            "the code is a position's, not a game's",
            key="error.code.not_a_game",
            field="code",
            expected="game",
            got="position",
        )
    at = int(seat) if seat and seat.isascii() and seat.isdigit() else 0
    return tabletop.seated(game, seat=at if at < game.deal.seats else 0, settings=current())
