"""Proof numbers on top of the exact search, for positions that are too large for it alone.

Layer 3. A depth-first search that tries a wrong play first may spend all it has on refuting it. So
a large position becomes a tree whose leaves are searched for few nodes each; every inner position
counts how many leaves must still be answered to prove a yes and to prove a no, and the leaf that
both depend on is opened next. What the small searches find stays in the engine's table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ddz_core import cards
from ddz_core.solver.engine import Asked, Budget, Engine, State

FIRST, EACH = 1 << 15, 1000
"""Nodes of the plain search before there is a tree, and of the search of each leaf."""
NEVER = 1 << 60


class Tree:
    """A tree of positions with proof numbers; node 0 is the position that is asked about.

    Attributes:
        chosen: cards and code of the move that decided node 0, None if there is none.
    """

    def __init__(self, engine: Engine, asked: Asked, first: State) -> None:
        self.engine, self.asked, self.first = engine, asked, first
        self.chosen: tuple[cards.Hand, int] | None = None
        self._yes, self._no = [1], [1]
        self._parent = [-1]
        self._children: list[list[int] | None] = [None]
        self._turn = [asked.side_of(first.seat)]
        """Whether the landlord's side is to move."""
        self._moves: list[tuple[int, int, int, int, int]] = [(0, 0, 0, 0, 0)]
        """Who moved, cards, code, and the table and its owner before."""
        self._out = np.zeros(4 * engine.room, dtype=np.int64)

    def search(self, budget: Budget) -> int:
        """Return 1 or 0 when node 0 is answered, -1 if the budget ends before."""
        yes, no = self._yes, self._no
        while yes[0] and no[0]:
            if budget.over:
                return -1
            node, state = self._leaf()
            result, state = self.engine.expand(
                self.asked, state, min(EACH, budget.nodes), self._out, budget
            )
            if result == -2:
                return -1
            self._turn[node] = self.asked.side_of(state.seat)
            if result >= 0:
                yes[node], no[node] = (0, NEVER) if result else (NEVER, 0)
                if node == 0:
                    self.chosen = self.engine.chosen
            else:
                self._open(node, state)
            self._count(node)
        return 1 if yes[0] == 0 else 0

    def _leaf(self) -> tuple[int, State]:
        """Return the leaf on which most depends, and its position."""
        node, children, moves = 0, self._children, self._moves
        hands, seat, code, owner, tally, played = self.first
        held = list(hands)
        below = children[0]
        while below is not None:
            numbers = self._yes if self._turn[node] else self._no
            node = min(below, key=numbers.__getitem__)
            seat, gone, own, code, owner = moves[node]
            if own:
                held[seat] -= gone
                code, owner = own, seat
                tally, played = self.asked.counted(tally, played, own, seat)
            seat = (seat + 1) % len(held)
            below = children[node]
        return node, State(tuple(held), seat, code, owner, tally, played)

    def _open(self, node: int, state: State) -> None:
        """Hang the moves that are not answered yet under a node.

        A position with many moves for the side that has to refute is taken to need as many.
        """
        first = len(self._yes)
        told = self._out[: 4 * self.engine.undecided].tolist()
        for at in range(0, len(told), 4):
            turn, number = self.asked.side_of(told[at + 2]), max(1, told[at + 3])
            self._yes.append(1 if turn else number)
            self._no.append(number if turn else 1)
            self._parent.append(node)
            self._children.append(None)
            self._turn.append(turn)
            self._moves.append((state.seat, told[at], told[at + 1], state.code, state.owner))
        self._children[node] = list(range(first, len(self._yes)))

    def _count(self, node: int) -> None:
        """Count again what a node and those above it still need."""
        opened = node
        while node >= 0:
            below = self._children[node]
            if below is not None:
                best, rest = (self._yes, self._no) if self._turn[node] else (self._no, self._yes)
                least = min(map(best.__getitem__, below))
                total = sum(map(rest.__getitem__, below))
                if least == 0:
                    total = NEVER
                    if node == 0:
                        decided = next(child for child in below if best[child] == 0)
                        self.chosen = self._moves[decided][1:3]
                elif total == 0:
                    least = NEVER
                if node != opened and (best[node], rest[node]) == (least, total):
                    return
                best[node], rest[node] = least, total
                if least == 0 or total == 0:
                    self._children[node] = None
                else:
                    self._children[node] = [child for child in below if rest[child]]
            node = self._parent[node]


class Found(NamedTuple):
    """The answer to a question.

    Attributes:
        result: 1, 0, or -1 if it is not known.
        chosen: cards and code of the move that gives the side to move what it wants, code 0 for a
            pass; None if there is none, if it is the last play, or if the answer was known before.
    """

    result: int
    chosen: tuple[cards.Hand, int] | None


def answer(
    engine: Engine, questions: Sequence[tuple[Asked, int]], state: State, budget: Budget, look: bool
) -> Found:
    """Answer a question, first by the plain search, then by a tree.

    Args:
        engine: where to search.
        questions: those of :meth:`Engine.questions`.
        state: the position.
        budget: what may be spent.
        look: whether the position itself may be looked up, not only what follows.
    """
    engine.remember(min(budget.nodes, FIRST))
    found = Found(-1, None)
    for asked, settles in questions:
        result = engine.search(asked, state, FIRST, budget, look=look)
        found = Found(result, engine.chosen)
        if result < 0 and not budget.over:
            engine.remember(budget.nodes)
            tree = Tree(engine, asked, state)
            found = Found(tree.search(budget), tree.chosen)
        if found.result < 0 or settles in (-1, found.result):
            break
    return found
