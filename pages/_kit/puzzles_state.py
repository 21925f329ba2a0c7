"""The puzzle that is being solved, and what was solved before; both are texts of the session."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import streamlit as st

from ddz_core import codes, puzzles
from ddz_core.errors import DdzError, RecordError
from ddz_core.positions import Position
from ddz_core.puzzles import lines, progress
from pages._kit import house_rules, inputs, session, solver_play
from pages._kit.solver_state import CODE

if TYPE_CHECKING:
    from ddz_core.puzzles import Puzzle
    from ddz_core.puzzles.lines import Line
    from ddz_core.puzzles.progress import Progress, Result

NAME = "z"
"""Parameter of the address that names a puzzle of the collection."""


class Trial(msgspec.Struct, frozen=True):
    """The puzzle that is open.

    Attributes:
        id: its name in the collection; empty for a position that came by a link or a game.
        code: the position's code, where it is not of the collection.
        line: the actions so far.
        hints: rungs of the hints that are open for this decision.
        helped: whether a hint was taken or a win thrown away.
        begun: whether the try is counted already.
        shown: whether the solution is shown.
    """

    id: str = ""
    code: str = ""
    line: tuple[str, ...] = ()
    hints: int = 0
    helped: bool = False
    begun: bool = False
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Open:
    """An open puzzle: the trial, the puzzle if it is of the collection, its position, the line."""

    trial: Trial
    puzzle: Puzzle | None
    start: Position
    line: Line

    @property
    def seats(self) -> tuple[int, ...]:
        """The hand that the learner plays."""
        return (self.start.to_move,)


def trial() -> Trial:
    """Return the trial of this session, an empty one if there is none."""
    try:
        return msgspec.json.decode(session.get(session.TRIAL) or "{}", type=Trial)
    except msgspec.MsgspecError:
        return Trial()


def put(changed: Trial) -> None:
    """Keep a trial; for callbacks."""
    session.put(session.TRIAL, msgspec.json.encode(changed).decode())


def change(**fields: object) -> None:
    """Change some fields of the trial; for callbacks."""
    put(msgspec.structs.replace(trial(), **fields))


def opened() -> Open | None:
    """Return the open puzzle, or None while the list is shown."""
    now = trial()
    if not now.id and not now.code:
        return None
    try:
        found = puzzles.puzzle(now.id) if now.id else None
        start = found.position() if found else position_of(now.code)
    except DdzError:
        return None
    try:
        line = lines.line_of(start, now.line)
    except DdzError:
        line = lines.line_of(start)
    return Open(now, found, start, line)


def open_puzzle(name: str) -> None:
    """Open a puzzle of the collection; for callbacks."""
    put(Trial(id=name))
    inputs.address(NAME, name)
    inputs.address(CODE, "")


def open_code(code: str) -> None:
    """Open a position as a puzzle; for callbacks."""
    put(Trial(code=code))
    inputs.address(CODE, code)
    inputs.address(NAME, "")


def close() -> None:
    """Go back to the list; for callbacks."""
    put(Trial())
    inputs.address(NAME, "")
    inputs.address(CODE, "")


def arrive() -> DdzError | None:
    """Open the puzzle that the address names; the rules of a position come in force.

    Returns:
        What is wrong with the address; the list is shown then.
    """
    asked, now = st.query_params, trial()
    name, code = asked.get(NAME, ""), asked.get(CODE, "")
    try:
        if name and name != now.id:
            puzzles.puzzle(name)
            open_puzzle(name)
        elif code and not name and code != now.code:
            start = position_of(code)
            house_rules.put(start.rules)
            open_code(code)
    except DdzError as error:
        close()
        return error
    if now.id and not name:
        inputs.address(NAME, now.id)
    elif now.code and not code:
        inputs.address(CODE, now.code)
    return None


def position_of(code: str) -> Position:
    """Return the position of a code.

    Raises:
        RecordError: if the code cannot be read, or is a game's.
    """
    start = codes.decode(code)
    if isinstance(start, Position):
        return start
    raise RecordError(
        "the code is a game's, not a position's", key="error.code.not_a_position", field="code"
    )


def solved() -> Progress:
    """Return what was solved so far; a text that cannot be read has nothing."""
    try:
        return progress.read(session.get(session.SOLVED))
    except DdzError:
        return progress.Progress()


def note(result: Result, *, new: bool) -> None:
    """Keep how the open puzzle went, if it is one of the collection."""
    name = trial().id
    if name:
        today = dt.datetime.now(tz=dt.UTC).date().isoformat()
        after = solved().with_result(name, result, today, new=new)
        session.put(session.SOLVED, progress.write(after))


def acted(line: Line) -> None:
    """Keep a line after an action of the learner's, and what it means for the progress."""
    now = trial()
    seats = (line.start.to_move,)
    marks = solver_play.marks(line, seats)
    thrown = solver_play.threw_away(marks) is not None
    helped = now.helped or thrown
    won = line.over and line.winner == lines.side_of(line.start, seats[0])
    if won and not now.shown:
        note("helped" if helped or thrown else "clean", new=not now.begun)
    elif not now.begun:
        note("tried", new=True)
    put(msgspec.structs.replace(now, line=line.texts, hints=0, helped=helped, begun=True))
