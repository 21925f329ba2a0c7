"""What every play of a position leads to, asked of the solver and kept for the next question.

Layer 4. Puzzles and the play against a perfect defence rest on exact values alone, never on the
order in which a solver happens to list plays, so that the same position is studied alike whatever
the solver becomes.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddz_core import solver
from ddz_core.actions import PASS
from ddz_core.errors import DdzError
from ddz_core.puzzles import lines

if TYPE_CHECKING:
    from ddz_core.patterns import Move
    from ddz_core.positions import Position

NODES = 3_000_000
"""Nodes of the solver for one position; about a second."""
_REMEMBERED = 50_000


@dataclass(frozen=True, slots=True)
class Answer:
    """One action of a position and what it leads to.

    Attributes:
        action: its text.
        move: the play, None for a pass.
        value: 1 if the landlord's side wins after it, -1 if it loses, 0 if that is not proven.
        worth: the same seen by the side to move.
    """

    action: str
    move: Move | None
    value: int
    worth: int

    @property
    def family(self) -> tuple[str, int, str]:
        """What it is without its kickers: kind, length and top; a pass is a family of its own."""
        return family_of(self.move)


def family_of(move: Move | None) -> tuple[str, int, str]:
    """Return kind, length and top of a play; a pass is a family of its own."""
    return (PASS, 0, "") if move is None else (move.kind, move.length, move.top)


class NotProven(DdzError):
    """The solver did not finish within its nodes."""


class Judge:
    """Asks the solver for the value of every play, and remembers.

    Attributes:
        nodes: nodes spent on one position at most.
        asked: positions solved so far.
    """

    def __init__(self, nodes: int = NODES) -> None:
        self.nodes, self.asked = nodes, 0
        self._known: OrderedDict[Position, tuple[Answer, ...]] = OrderedDict()

    def answers(self, position: Position) -> tuple[Answer, ...]:
        """Return every legal action with its value, in the order of :func:`lines.legal`.

        A value may be 0, not proven.
        """
        found = self._known.get(position)
        if found is None:
            found = self._known[position] = self._ask(position)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return found

    def proven(self, position: Position) -> tuple[Answer, ...]:
        """Return :meth:`answers`, all of them proven.

        Raises:
            NotProven: if one is not.
        """
        found = self.answers(position)
        if any(not answer.value for answer in found):
            raise NotProven(
                f"not solved within {self.nodes} nodes: {position}",
                key="error.puzzle.not_proven",
                field="position",
                expected=self.nodes,
                got=position,
            )
        return found

    def _ask(self, position: Position) -> tuple[Answer, ...]:
        self.asked += 1
        side = lines.side_of(position, position.to_move)
        known = {lines.written(position, move): move for move in lines.legal(position)}
        if list(known) == [PASS]:
            only = solver.solve(position, nodes=self.nodes, plays=False)
            return (Answer(PASS, None, only.value, only.value * side),)
        solved = solver.solve(position, nodes=self.nodes, plays=True)
        values = {verdict.action: verdict.value for verdict in solved.plays}
        return tuple(
            Answer(text, move, values.get(text, 0), values.get(text, 0) * side)
            for text, move in known.items()
        )
