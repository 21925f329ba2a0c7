"""The puzzles that ship: positions of our own making, each proven, graded and named by machine.

Layer 4. ``data/puzzles/endgames.json`` holds them with the seed each was made from. Nothing in it
is taken on trust: :func:`problems` studies a puzzle again and says what no longer holds.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from ddz_core import cards
from ddz_core.data_files import data_dir
from ddz_core.errors import DdzError
from ddz_core.positions import Position, position
from ddz_core.puzzles import lines
from ddz_core.puzzles.judge import Judge
from ddz_core.puzzles.study import Study, study
from ddz_core.puzzles.themes import themes
from ddz_core.rules import load_ruleset

if TYPE_CHECKING:
    from pathlib import Path

VERSION = 1
GRADES = (1, 2, 3, 4)
"""Grades from easy to hard; a puzzle's is the number of its hard decisions, four and more alike."""


class Puzzle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One puzzle as it is kept.

    Attributes:
        id: its name, unique and never given to another.
        hands: cards of each hand in playing order.
        to_move: the hand to move, which is the learner's.
        beat: the play on the table as an action's text; empty for a lead.
        beat_by: who made it.
        landlords: the hands of the landlord's side.
        rules: id of the ruleset.
        overrides: house rules by dotted path.
        hard: hard decisions on the main line.
        only: only decisions on it.
        themes: what it is about, the first the most telling.
        line: the main line.
        seed: the numbers of the generator it came from.
    """

    id: str
    hands: tuple[str, ...]
    to_move: int = 0
    beat: str = ""
    beat_by: int | None = None
    landlords: tuple[int, ...] = (0,)
    rules: str = "classic"
    overrides: dict[str, Any] = {}
    hard: int
    only: int
    themes: tuple[str, ...]
    line: tuple[str, ...]
    seed: tuple[int, ...]

    @property
    def grade(self) -> int:
        """How hard it is, one of :data:`GRADES`."""
        return grade_of(self.hard)

    @property
    def role(self) -> str:
        """Whom the learner plays: ``landlord`` or ``farmer``."""
        return "landlord" if self.to_move in self.landlords else "farmer"

    @property
    def cards(self) -> int:
        """Number of cards in all hands."""
        return sum(map(len, self.hands))

    def position(self) -> Position:
        """Return the position.

        Raises:
            DdzError: if it cannot be.
        """
        return position(
            self.hands,
            self.to_move,
            self.beat or None,
            rules=load_ruleset(self.rules, self.overrides or None),
            beat_by=self.beat_by if self.beat else None,
            landlords=self.landlords,
        )


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """The file."""

    paili_puzzles: int
    puzzles: tuple[Puzzle, ...]


def grade_of(hard: int) -> int:
    """Return the grade of a number of hard decisions."""
    return max(GRADES[0], min(hard, GRADES[-1]))


def of_study(found: Study, name: str, seed: tuple[int, ...]) -> Puzzle:
    """Return a studied position as a puzzle."""
    start = found.position
    return Puzzle(
        id=name,
        hands=tuple(map(cards.format_cards, start.hands)),
        to_move=start.to_move,
        beat=start.beat_text,
        beat_by=start.beat_by,
        landlords=start.landlords,
        rules=start.rules.id,
        overrides=dict(start.rules.overrides),
        hard=found.hard,
        only=found.only,
        themes=themes(found),
        line=found.line,
        seed=seed,
    )


def path() -> Path:
    """Return where the shipped puzzles are."""
    return data_dir() / "puzzles" / "endgames.json"


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """Return every shipped puzzle, easy ones first.

    Raises:
        DdzError: if the file cannot be read.
    """
    return read(path().read_bytes())


def puzzle(name: str) -> Puzzle:
    """Return one shipped puzzle.

    Raises:
        DdzError: if there is none of this name.
    """
    for one in puzzles():
        if one.id == name:
            return one
    raise DdzError(
        f"there is no puzzle {name!r}", key="error.puzzle.unknown", field="puzzle", got=name
    )


def read(content: bytes) -> tuple[Puzzle, ...]:
    """Read a file of puzzles, easy ones first.

    Raises:
        DdzError: if it is none.
    """
    try:
        file = msgspec.json.decode(content, type=_File)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise DdzError(
            f"the file of puzzles cannot be read: {error}",
            key="error.puzzle.file",
            field="puzzles",
            expected=f'{{"paili_puzzles": {VERSION}}}',
            got=error,
        ) from error
    return tuple(sorted(file.puzzles, key=_order))


def _order(one: Puzzle) -> tuple[int, int, str]:
    return one.grade, len(one.hands), one.id


def write(found: tuple[Puzzle, ...]) -> bytes:
    """Return puzzles as a file, one a line."""
    body = ",\n".join(msgspec.json.encode(one).decode() for one in sorted(found, key=_order))
    return f'{{"paili_puzzles": {VERSION}, "puzzles": [\n{body}\n]}}\n'.encode()


def problems(one: Puzzle, judge: Judge | None = None) -> list[str]:
    """Prove a puzzle anew and return what no longer holds, in English; empty if all does.

    Cost: the study of its solution tree, some tenths of a second as a rule.
    """
    try:
        start = one.position()
        found = study(start, judge or Judge())
        line = lines.line_of(start, one.line)
    except DdzError as error:
        return [f"{one.id}: {error}"]
    again = of_study(found, one.id, one.seed)
    wrong = [
        f"{one.id}: {name} is {getattr(one, name)!r}, found {getattr(again, name)!r}"
        for name in ("hard", "only", "themes", "line")
        if getattr(one, name) != getattr(again, name)
    ]
    if line.winner != lines.side_of(start, start.to_move):
        wrong.append(f"{one.id}: its main line is not won")
    return wrong
