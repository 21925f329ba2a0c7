"""How hard a won position is: its solution against the defence that leaves the fewest ways.

Layer 4. The solution tree is searched whole. A decision of the learner is *only* when the plays
that keep the win are of one family (kickers aside), and *hard* when the obvious play
(:mod:`ddz_core.puzzles.obvious`) is of another. The learner takes the easiest way to win, the
defence the answer that leaves the most hard decisions, then the most only ones, then the longest
line. What comes out depends on nothing but the values of the plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddz_core.errors import DdzError
from ddz_core.positions import Position
from ddz_core.puzzles import lines
from ddz_core.puzzles.judge import Judge, family_of
from ddz_core.puzzles.obvious import obvious

if TYPE_CHECKING:
    from ddz_core.puzzles.judge import Answer

MOST_STATES = 6_000
"""Positions of one solution tree; a larger one is no puzzle."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision on the main line of a solution.

    Attributes:
        at: its place in the line.
        position: where it is made.
        action: the play that keeps the win.
        learner: whether it is the learner's (else a partner's).
        only: whether all plays that keep the win are of its family.
        hard: whether it is only, and the obvious play is another.
        obvious: text of the obvious play.
    """

    at: int
    position: Position
    action: str
    learner: bool
    only: bool
    hard: bool
    obvious: str


@dataclass(frozen=True, slots=True)
class Study:
    """What the solution of a won position takes.

    Attributes:
        position: the position; the hand to move is the learner's.
        hard: hard decisions on the main line.
        only: only decisions on the main line, the hard ones included.
        line: the main line, every action to the end.
        decisions: the decisions of the winning side on it, in order.
        states: positions of the whole tree.
    """

    position: Position
    hard: int
    only: int
    line: tuple[str, ...]
    decisions: tuple[Decision, ...]
    states: int


@dataclass(frozen=True, slots=True)
class _Best:
    """The main line from one state, with what it takes."""

    hard: int = 0
    only: int = 0
    line: tuple[str, ...] = ()

    def longer(self, action: str, *, hard: bool = False, only: bool = False) -> _Best:
        return _Best(self.hard + hard, self.only + only, (action, *self.line))

    @property
    def key(self) -> tuple[int, int, int]:
        return self.hard, self.only, len(self.line)


def study(position: Position, judge: Judge | None = None, most: int = MOST_STATES) -> Study:
    """Study a position that the hand to move, the learner's, wins.

    Args:
        position: with the learner to move.
        judge: asked for the values; a fresh one by default.
        most: positions of the tree at most.

    Raises:
        NotProven: if the solver did not finish somewhere.
        DdzError: if the position is not won, or its tree is larger than ``most``.
    Cost: one question to the solver for every position in which the winning side decides.
    """
    search = _Search(position, judge or Judge(), most)
    if max(answer.worth for answer in search.judge.proven(position)) < 1:
        raise DdzError(
            f"the hand to move does not win: {position}",
            key="error.puzzle.not_won",
            field="position",
            got=position,
        )
    best = search.best(position)
    return Study(
        position, best.hard, best.only, best.line, search.decisions(best.line), len(search.known)
    )


def families(answers: tuple[Answer, ...]) -> list[Answer]:
    """Return the answers that win, one a family: the one with the lowest cards."""
    found: dict[tuple[str, int, str], Answer] = {}
    for answer in answers:
        if answer.worth == 1:
            kept = found.setdefault(answer.family, answer)
            if _cards(answer) < _cards(kept):
                found[answer.family] = answer
    return list(found.values())


def _cards(answer: Answer) -> int:
    return 0 if answer.move is None else answer.move.hand


class _Search:
    """The search of one solution tree."""

    def __init__(self, start: Position, judge: Judge, most: int) -> None:
        self.start, self.judge, self.most = start, judge, most
        self.seat = start.to_move
        self.side = lines.side_of(start, start.to_move)
        self.known: dict[Position, _Best] = {}

    def best(self, position: Position) -> _Best:
        """Return the main line from a position that the learner's side wins."""
        known = self.known.get(position)
        if known is not None:
            return known
        if len(self.known) >= self.most:
            raise DdzError(
                f"the solution tree has more than {self.most} positions",
                key="error.puzzle.large",
                field="position",
                expected=self.most,
                got=position,
            )
        ours = lines.side_of(position, position.to_move) == self.side
        best = self._ours(position) if ours else self._theirs(position)
        self.known[position] = best
        return best

    def _ours(self, position: Position) -> _Best:
        ways = families(self.judge.proven(position))
        only, hard = self._weighed(position, ways)
        found = [
            (self._after(position, way).longer(way.action, hard=hard, only=only), way)
            for way in ways
        ]
        return min(found, key=lambda pair: (pair[0].key, _cards(pair[1])))[0]

    def _weighed(self, position: Position, ways: list[Answer]) -> tuple[bool, bool]:
        """Tell whether the learner has one family of plays here, and whether it is not obvious."""
        learner = position.to_move == self.seat
        only = learner and len(ways) == 1 and len(lines.legal(position)) > 1
        if not only:
            return False, False
        return True, family_of(obvious(position)) != ways[0].family

    def _theirs(self, position: Position) -> _Best:
        found = []
        for move in lines.legal(position):
            following = lines.after(position, move)
            rest = self.best(following) if following is not None else _Best()
            found.append(
                (rest.longer(lines.written(position, move)), 0 if move is None else move.hand)
            )
        return max(found, key=lambda pair: (pair[0].key, -pair[1]))[0]

    def _after(self, position: Position, way: Answer) -> _Best:
        following = lines.after(position, way.move)
        return self.best(following) if following is not None else _Best()

    def decisions(self, line: tuple[str, ...]) -> tuple[Decision, ...]:
        """Return what the winning side decides on a line."""
        found = []
        played = lines.line_of(self.start)
        for at, action in enumerate(line):
            position = played.position
            if position is None:
                break
            if lines.side_of(position, position.to_move) == self.side:
                only, hard = self._weighed(position, families(self.judge.proven(position)))
                found.append(
                    Decision(
                        at,
                        position,
                        action,
                        position.to_move == self.seat,
                        only,
                        hard,
                        lines.written(position, obvious(position)),
                    )
                )
            played = played.play(action)
        return tuple(found)
