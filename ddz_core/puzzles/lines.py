"""A line of play from an open position: what was played, by whom, and what stands after it.

A :class:`Line` is a frozen value; the whole answer tree of a position is walked by adding actions
and taking them back. Nothing is solved here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ddz_core import actions, positions
from ddz_core.actions import PASS
from ddz_core.errors import DdzError
from ddz_core.patterns import Move, move_of
from ddz_core.positions import Position

MOST_ACTIONS = 200
"""Actions of a line; no position of one deck takes half as many."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a line.

    Attributes:
        at: its place, from 0.
        seat: the hand that acted.
        action: its text, ``pass`` or cards with their reading.
        move: the play, None for a pass.
        trick: number of the trick, from 1.
    """

    at: int
    seat: int
    action: str
    move: Move | None
    trick: int

    @property
    def text(self) -> str:
        """The action as a reader writes it: without its reading."""
        return self.action.partition("=")[0]


@dataclass(frozen=True, slots=True)
class Line:
    """A position and what was played from it; make one with :func:`line_of`.

    Attributes:
        start: the position.
        steps: the actions so far.
        position: the position after them; None when a hand is out.
        hands: the packed hands after them.
        out: the hand that went out, None while the line runs.
    """

    start: Position
    steps: tuple[Step, ...]
    position: Position | None
    hands: tuple[int, ...]
    out: int | None = None

    @property
    def over(self) -> bool:
        """Whether a hand is out."""
        return self.out is not None

    @property
    def winner(self) -> int:
        """Which side has won: 1 the landlord's, -1 the other, 0 while the line runs."""
        return 0 if self.out is None else side_of(self.start, self.out)

    @property
    def texts(self) -> tuple[str, ...]:
        """The actions as texts."""
        return tuple(step.action for step in self.steps)

    def at(self, number: int) -> Line:
        """Return the line as it stood after a number of its actions."""
        return line_of(self.start, self.texts[:number])

    def play(self, action: str) -> Line:
        """Return the line with one more action.

        Raises:
            IllegalAction: if it is not allowed now; the reason is named.
            NotationError: if it cannot be read.
        """
        return _played(self, action)


def line_of(start: Position, texts: tuple[str, ...] = ()) -> Line:
    """Return the line of these actions from a position.

    Raises:
        DdzError: if one of them is not allowed where it stands, or there are too many.
    """
    if len(texts) > MOST_ACTIONS:
        raise DdzError(
            f"a line has at most {MOST_ACTIONS} actions, this one has {len(texts)}",
            key="error.puzzle.line",
            field="line",
            expected=MOST_ACTIONS,
            got=len(texts),
        )
    line = Line(start, (), start, start.hands)
    for text in texts:
        line = line.play(text)
    return line


@lru_cache(maxsize=100_000)
def written(position: Position, move: Move | None) -> str:
    """Return an action of the hand to move as text, its reading named where that matters."""
    if move is None:
        return PASS
    beat = None if position.beat is None else move_of(position.beat)
    usual = actions.automatic_reading(position.rules.ruleset, move.hand, beat)
    named = actions.reading_of(move)
    if usual is not None and actions.reading_of(usual) == named:
        return actions.written(move.hand, None)
    return actions.written(move.hand, named)


def side_of(position: Position, seat: int) -> int:
    """Return 1 for a hand of the landlord's side, -1 for the others."""
    return 1 if seat in position.landlords else -1


@lru_cache(maxsize=50_000)
def legal(position: Position) -> tuple[Move | None, ...]:
    """Return everything the hand to move may do: its plays low to high, None for a pass last."""
    return tuple(positions.legal(position))


@lru_cache(maxsize=50_000)
def after(position: Position, move: Move | None) -> Position | None:
    """Return what follows an action of the hand to move; None if it goes out."""
    following = positions.after(position, move)
    return following if isinstance(following, Position) else None


def verified(position: Position, action: str) -> Move | None:
    """Return a typed action as the play it is, None for a pass.

    Raises:
        IllegalAction: if it is not allowed now; the reason is named.
        NotationError: if it cannot be read.
    """
    if actions.normal_word(action) == PASS:
        if position.beat is None:
            raise actions.illegal("lead", "the hand to move leads and cannot pass", "", PASS)
        return None
    beat = None if position.beat is None else move_of(position.beat)
    hand = position.hands[position.to_move]
    return actions.verify_play(position.rules.ruleset, hand, beat, action)


@lru_cache(maxsize=20_000)
def _played(line: Line, action: str) -> Line:
    position = line.position
    if position is None:
        raise actions.illegal("over", "the line is over", "", action)
    move = verified(position, action)
    seat = position.to_move
    tricks = line.steps[-1].trick if line.steps else 1
    leads = bool(line.steps) and position.beat is None
    step = Step(len(line.steps), seat, written(position, move), move, tricks + leads)
    following = after(position, move)
    steps = (*line.steps, step)
    if following is not None:
        return Line(line.start, steps, following, following.hands)
    hands = tuple(0 if s == seat else hand for s, hand in enumerate(position.hands))
    return Line(line.start, steps, None, hands, seat)
