"""Keeping a table as text: saved, restored, and named in a list.

Layer 4. The text is what a browser keeps and what a session holds; it is not trusted when it comes
back. A running game in it is its seed and history, never its hidden cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from ddz_core import codes, record
from ddz_core.errors import DdzError, RecordError
from ddz_core.game import Game
from ddz_core.language import Phrase
from ddz_core.tabletop.table import (
    MOST_LINES,
    MOST_PAST,
    RUNGS,
    SPEEDS,
    CounterLevel,
    Tabletop,
    replayed,
    seated,
)

if TYPE_CHECKING:
    from ddz_core.rules import Rules

MOST_SAVED = 60_000
"""Characters of a saved table; a real one has a few thousand."""


class _Told(msgspec.Struct):
    """A message as plain data: a catalogue key and its values."""

    key: str
    params: dict[str, Any] = {}


class _Saved(msgspec.Struct, forbid_unknown_fields=False):
    """The table as text: the record of the line in play, and what surrounds it."""

    record: str
    paili: int = 1
    seat: int = 0
    bots: list[str] = []
    guided: bool = False
    counter: CounterLevel = "shown"
    open_hands: bool = False
    speed: int = 800
    lines: list[list[str]] = []
    past: list[str] = []
    at: int = -1
    rung: int = 0
    message: _Told | None = None
    refused: int = 0


def save(table: Tabletop) -> str:
    """Return the table as one text, from which :func:`restore` makes it again."""
    data = _Saved(
        record=record.write_record(table.game),
        seat=table.seat,
        bots=list(table.bots),
        guided=table.guided,
        counter=table.counter,
        open_hands=table.open_hands,
        speed=table.speed,
        lines=[list(line) for line in table.lines],
        past=list(table.past),
        at=table.at if table.looking_back else -1,
        rung=table.rung,
        message=_plain(table.message),
        refused=table.refused,
    )
    return msgspec.json.encode(data).decode()


def _plain(message: Phrase | None) -> _Told | None:
    """Return a message as plain data, phrases within phrases too."""
    if message is None:
        return None
    values: dict[str, Any] = {}
    for name, value in message.params.items():
        if isinstance(value, Phrase):
            inner = _plain(value)
            values[name] = {"key": value.key, "params": inner.params if inner else {}}
        else:
            values[name] = value if isinstance(value, int) else str(value)
    return _Told(key=message.key, params=values)


def _phrase(told: _Told | None) -> Phrase | None:
    """Return the message that plain data describes."""
    if told is None:
        return None
    values: dict[str, object] = {}
    for name, value in told.params.items():
        if isinstance(value, Mapping):
            values[name] = _phrase(msgspec.convert(value, _Told)) or ""
        else:
            values[name] = value if isinstance(value, int) else str(value)
    return Phrase(told.key, values)


def restore(text: str) -> Tabletop:
    """Return the table that a text made by :func:`save` describes; the text is not trusted.

    Raises:
        RecordError: if the text is cut, altered or of a later version.
    """
    if len(text) > MOST_SAVED:
        raise RecordError(
            f"a saved table has at most {MOST_SAVED} characters, this text has {len(text)}",
            key="error.record.size",
            field="record",
            expected=MOST_SAVED,
            got=len(text),
        )
    try:
        saved = msgspec.json.decode(text.encode(), type=_Saved)
        message = _phrase(saved.message)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        raise RecordError(
            f"the saved table cannot be read: {error}",
            key="error.record.saved",
            field="record",
            expected="JSON",
            got=error,
        ) from error
    game = record.read_record(saved.record)
    lines = []
    for line in saved.lines[-MOST_LINES:]:
        try:
            replayed(game, line)
        except DdzError:
            continue
        lines.append(tuple(line))
    table = seated(game, seat=saved.seat, names=saved.bots)
    last = len(game.history)
    return replace(
        table,
        guided=saved.guided,
        counter=saved.counter,
        open_hands=saved.open_hands,
        speed=saved.speed if saved.speed in SPEEDS else 800,
        lines=tuple(lines),
        past=tuple(saved.past[-MOST_PAST:]),
        at=saved.at if 0 <= saved.at <= last else last,
        rung=max(0, min(RUNGS, saved.rung)),
        message=message,
        refused=saved.refused,
    )


@dataclass(frozen=True, slots=True)
class Title:
    """What a list says of a game played before: its rules, seed and number of actions."""

    rules: Rules
    seed: int | None
    actions: int


@lru_cache(maxsize=128)
def title(code: str) -> Title | None:
    """Return what a list says of a game's code, or None if the code cannot be read."""
    try:
        game = codes.decode(code)
    except DdzError:
        return None
    if not isinstance(game, Game):
        return None
    return Title(game.rules, game.deal.seed, len(game.history))
