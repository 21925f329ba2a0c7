"""The endgame on the solver page: what is set up, and how far its answer tree is walked.

Both are texts of the session. The code of the position stands in the address as well (``p``); one
that was not written there by this page is a link that somebody followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
import streamlit as st

from ddz_core import cards, codes, handlines
from ddz_core.errors import DdzError
from ddz_core.positions import Position, position
from ddz_core.puzzles import lines
from pages._kit import house_rules, inputs, session

if TYPE_CHECKING:
    from ddz_core.puzzles.lines import Line
    from ddz_core.rules import Rules

CODE = "p"
"""Parameter of the address that carries a position's code."""

Mode = Literal["edit", "walk", "play"]


class Setup(msgspec.Struct, frozen=True):
    """What was typed and tapped.

    Attributes:
        hands: the hands on one line, as typed.
        turn: the hand to move.
        beat: the play on the table as typed, empty for none.
        by: the hand that made it.
        lords: the hands of the landlord's side.
    """

    hands: str = ""
    turn: int = 0
    beat: str = ""
    by: int = -1
    lords: tuple[int, ...] = (0,)


class Walk(msgspec.Struct, frozen=True):
    """Where the reader is.

    Attributes:
        mode: setting up, walking the answer tree, or playing it out.
        line: every action of the line that can be gone back and forward.
        at: how many of them are on the table.
        seat: the hand at the bottom; -1 for the one to move at the start.
        objective: ``win`` or ``points``.
        code: what this page wrote into the address last.
        said: catalogue key of what the last action came to, in play.
    """

    mode: Mode = "edit"
    line: tuple[str, ...] = ()
    at: int = 0
    seat: int = -1
    objective: Literal["win", "points"] = "win"
    code: str = ""


def setup() -> Setup:
    """Return what is set up."""
    try:
        return msgspec.json.decode(session.get(session.SETUP) or "{}", type=Setup)
    except msgspec.MsgspecError:
        return Setup()


def walk() -> Walk:
    """Return where the reader is."""
    try:
        return msgspec.json.decode(session.get(session.WALK) or "{}", type=Walk)
    except msgspec.MsgspecError:
        return Walk()


def put_setup(changed: Setup) -> None:
    """Keep a set-up; for callbacks."""
    session.put(session.SETUP, msgspec.json.encode(changed).decode())


def put_walk(changed: Walk) -> None:
    """Keep where the reader is; for callbacks."""
    session.put(session.WALK, msgspec.json.encode(changed).decode())


def change(**fields: object) -> None:
    """Change some fields of the walk; for callbacks."""
    put_walk(msgspec.structs.replace(walk(), **fields))


def hands_of(rules: Rules, given: Setup) -> tuple[str, ...]:
    """Return the hands that were typed, as many as the game has seats at most, and one more."""
    seats = rules.ruleset.deal.seats
    return handlines.read_hands(given.hands, seats)


def made(rules: Rules, given: Setup) -> Position:
    """Return the position that is set up.

    Raises:
        DdzError: if it cannot be; the error names what is wrong.
    """
    hands = hands_of(rules, given)
    count = len(hands)
    turn = given.turn if given.turn < count else 0
    beat = given.beat.strip() or None
    by = given.by if beat and 0 <= given.by < count and given.by != turn else None
    lords = [seat for seat in given.lords if seat < count] or [0]
    return position(hands, turn, beat, rules=rules, beat_by=by, landlords=lords)


def of_position(start: Position) -> Setup:
    """Return a position as what was typed."""
    return Setup(
        hands=handlines.written(start.texts),
        turn=start.to_move,
        beat=start.beat_text if start.beat is not None else "",
        by=-1 if start.beat_by is None else start.beat_by,
        lords=start.landlords,
    )


def show(start: Position) -> None:
    """Put a position on the page, its answers at once; its rules come in force."""
    put_setup(of_position(start))
    code = codes.encode(start)
    put_walk(Walk(mode="walk", code=code, objective=walk().objective))
    inputs.address(CODE, code)
    if house_rules.in_force() != start.rules:
        house_rules.put(start.rules)


def arrive() -> DdzError | None:
    """Take the position of a link that somebody followed.

    Returns:
        What is wrong with it; what was set up before then stays.
    """
    asked = st.query_params.get(CODE, "")
    if not asked or asked == walk().code:
        return None
    try:
        start = codes.decode(asked)
    except DdzError as error:
        inputs.address(CODE, "")
        return error
    if not isinstance(start, Position):
        inputs.address(CODE, "")
        return DdzError(
            "the code is a game's, not a position's", key="error.code.not_a_position", field="code"
        )
    show(start)
    return None


def line(start: Position, where: Walk) -> Line:
    """Return the line that is on the table; one that no longer fits begins anew."""
    try:
        return lines.line_of(start, where.line[: where.at])
    except DdzError:
        return lines.line_of(start)


def whole(start: Position, where: Walk) -> Line:
    """Return the line with what can be gone forward to."""
    try:
        return lines.line_of(start, where.line)
    except DdzError:
        return lines.line_of(start)


def go(action: str) -> None:
    """Walk on by an action: along the line where it is the next one there, else a new branch."""
    where = walk()
    ahead = where.line[where.at : where.at + 1] == (action,)
    kept = where.line if ahead else (*where.line[: where.at], action)
    change(line=kept, at=where.at + 1)


def stand(at: int) -> None:
    """Go to another place of the line."""
    where = walk()
    change(at=max(0, min(at, len(where.line))))


def count(hands: tuple[str, ...]) -> int:
    """Return the number of cards in hands that can be read."""
    try:
        return sum(cards.size_of(cards.parse_cards(hand)) for hand in hands)
    except DdzError:
        return 0
