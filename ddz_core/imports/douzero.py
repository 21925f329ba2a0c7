"""Games as DouZero and its helpers write them: roles, ranks as letters or numbers.

The deal is a mapping ``landlord``, ``landlord_down``, ``landlord_up`` and
``three_landlord_cards``; a hand is a text of letters ``3456789TJQKA2XD`` or a list of numbers, 3 to
14, 17 for a two, 20 and 30 for the jokers. The landlord plays first, then the seat after. The
actions stand beside it as one text with commas (nothing between two of them is a pass) or as a
list. The same is read from lines ``name: value``, or from a deal ``hand/hand/hand|bottom`` with the
landlord first and the actions below it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ddz_core.errors import shortened
from ddz_core.imports import data
from ddz_core.imports.told import Said, Told, import_error, ranks_of, wrong_field

ROLES = ("landlord", "landlord_down", "landlord_up")
"""The roles in playing order; the landlord has seat 0."""
BOTTOM = ("three_landlord_cards", "bottom", "bottom_cards")
ACTIONS = ("card_play_action_seq", "actions", "action_history", "moves")
NUMBERS = {**{3 + i: c for i, c in enumerate("3456789TJQKA")}, 17: "2", 20: "X", 30: "D"}
PASSES = frozenset(["", "p", "pass", "-", "不出", "不要", "要不起", "过", "過"])


def is_game(value: object) -> bool:
    """Tell whether data is a game of this form."""
    return isinstance(value, Mapping) and ("landlord_up" in value or "landlord_down" in value)


def told(value: Mapping[str, Any]) -> Told:
    """Return the facts of a game given as data.

    Raises:
        RecordError: if a field is missing or cannot be read; it names the field.
    """
    hands = tuple(
        _cards(value[role], role) if value.get(role) is not None else None for role in ROLES
    )
    bottom = next((_cards(value[name], name) for name in BOTTOM if value.get(name)), "")
    name = next((name for name in ACTIONS if name in value), "")
    plays = _plays(value[name], name) if name else ()
    return Told(program="douzero", hands=hands, landlord=0, bottom=bottom, plays=plays)


def _cards(value: object, field: str) -> str:
    """Return letters or numbers as ranks."""
    if isinstance(value, str):
        return ranks_of(value, field)
    found = []
    for place, number in enumerate(data.sequence(value, field)):
        if isinstance(number, str):
            found.append(ranks_of(number, f"{field}[{place}]"))
            continue
        if isinstance(number, bool) or not isinstance(number, int) or number not in NUMBERS:
            raise wrong_field(f"{field}[{place}]", "3–14, 17, 20, 30", number)
        found.append(NUMBERS[number])
    return "".join(found)


def _plays(value: object, field: str) -> tuple[Said, ...]:
    """Return the actions of one text, or of a list of texts, numbers or pairs."""
    if isinstance(value, str):
        return tuple(
            _said(piece, None, f"{field}[{place}]") for place, piece in enumerate(_pieces(value))
        )
    plays = []
    for place, one in enumerate(data.sequence(value, field)):
        where, seat = f"{field}[{place}]", None
        if (
            isinstance(one, (list, tuple))
            and len(one) == 2
            and isinstance(one[0], str)
            and one[0] in ROLES
        ):
            seat, one = ROLES.index(one[0]), one[1]
        plays.append(_said(one, seat, where))
    return tuple(plays)


def _pieces(text: str) -> list[str]:
    """Return the actions of a text: divided by commas if it has any, else by blanks."""
    if not text.strip():
        return []
    if re.search(r"[,，;；]", text):
        return [piece.strip() for piece in re.split(r"[,，;；]", text.strip().rstrip(",，;；"))]
    return text.split()


def _said(value: object, seat: int | None, field: str) -> Said:
    """Return one action."""
    if isinstance(value, str):
        word = value.strip()
        return Said("" if word.lower() in PASSES else ranks_of(word, field), seat, field, word)
    return Said(_cards(value, field), seat, field, shortened(value))


# --- lines ---------------------------------------------------------------------------------------

_LINE = re.compile(r"\s*([a-z_]{3,30})\s*[:=]\s*(.*)")


def from_lines(text: str) -> Told:
    """Return the facts of a game given as lines.

    Raises:
        RecordError: if a line cannot be read; it names the line.
    """
    given: dict[str, str] = {}
    plays: list[Said] = []
    for number, line in enumerate(text.splitlines(), 1):
        named = _LINE.fullmatch(line)
        if not line.strip():
            continue
        if named is not None and named[1] in (*ROLES, *BOTTOM):
            given[named[1]] = ranks_of(named[2], f"line {number}")
        elif named is not None and named[1] in ACTIONS:
            plays += _of_line(named[2], number)
        elif "/" in line and not given:
            given |= _deal_line(line, number)
        elif given:
            plays += _of_line(line, number)
        else:
            raise import_error(
                "line",
                f"line {number}: expected a deal or 'landlord: cards', got {shortened(line)!r}",
                field=f"line {number}",
                expected="landlord: 3344…",
                got=line,
            )
    bottom = next((given[name] for name in BOTTOM if name in given), "")
    hands = tuple(given.get(role) for role in ROLES)
    return Told(program="douzero", hands=hands, landlord=0, bottom=bottom, plays=tuple(plays))


def _deal_line(line: str, number: int) -> dict[str, str]:
    """Return hands and bottom of a deal in one line."""
    hands, bar, bottom = line.partition("|")
    parts = hands.split("/")
    if len(parts) != len(ROLES):
        raise wrong_field(f"line {number}", "hand/hand/hand|bottom", line.strip())
    given = {
        role: ranks_of(part, f"line {number}") for role, part in zip(ROLES, parts, strict=True)
    }
    return given | ({BOTTOM[0]: ranks_of(bottom, f"line {number}")} if bar else {})


def _of_line(text: str, number: int) -> list[Said]:
    """Return the actions of a line."""
    return [_said(piece, None, f"line {number}") for piece in _pieces(text)]
