"""In how many of the sampled worlds an action wins for certain, once few cards are left.

Layer 3. Every world is searched with all hands open. That is more than the seat can know, so it
gives a reason and no verdict: a win in every world may take another play in each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ddz_core import cards
from ddz_core.kernels.plain import NO_LIMIT
from ddz_core.solver.engine import Budget, Engine
from ddz_core.solver.values import winner_only

if TYPE_CHECKING:
    from ddz_core.review.trial import Action
    from ddz_core.review.worlds import Worlds
    from ddz_core.specs import Ruleset

MOST_CARDS = 22
"""Cards in all hands together, above which no world is searched."""
WORLDS = 50
"""Worlds searched."""
NODES = 4_000
"""Positions of one search."""


class Proof(NamedTuple):
    """What was proven of one action: worlds won and lost for the side of the seat."""

    won: int
    lost: int

    @property
    def worlds(self) -> int:
        """Worlds in which anything was proven."""
        return self.won + self.lost


class Endings:
    """Searches worlds of one ruleset; not for two threads at once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._engine = Engine(ruleset)
        self._values = winner_only()

    def proofs(
        self,
        worlds: Worlds,
        seat: int,
        table: tuple[int, int],
        actions: Sequence[Action],
    ) -> tuple[Proof, ...] | None:
        """Return what is proven of actions in the first worlds; None where too many cards are left.

        Args:
            worlds: the hands.
            seat: whose action.
            table: code of the play to beat and its owner; code 0 for a lead.
            actions: what is tried.
        """
        hands = worlds.hands[:WORLDS].tolist()
        if not hands or sum(map(cards.size_of, hands[0])) > MOST_CARDS:
            return None
        sides = worlds.sides[:WORLDS].tolist()
        return tuple(self._proof(hands, sides, seat, table, one) for one in actions)

    def _proof(
        self,
        hands: Sequence[Sequence[int]],
        sides: Sequence[int],
        seat: int,
        table: tuple[int, int],
        action: Action,
    ) -> Proof:
        won = lost = 0
        known: dict[tuple[tuple[int, ...], int], int] = {}
        for row, side in zip(hands, sides, strict=True):
            key = (tuple(row), side)
            if key not in known:
                known[key] = self._after(list(row), side, seat, table, action)
            found = known[key]
            if found >= 0:
                mine = found == (side >> seat & 1)
                won, lost = won + mine, lost + (not mine)
        return Proof(won, lost)

    def _after(
        self, hands: list[int], side: int, seat: int, table: tuple[int, int], action: Action
    ) -> int:
        """Tell whether the landlord's side wins after an action: 1, 0, or -1 if it is not known."""
        code, owner = table
        if action.hand:
            hands[seat] -= action.hand
            if not hands[seat]:
                return side >> seat & 1
            code, owner = action.code, seat
        turn = (seat + 1) % len(hands)
        if turn == owner:
            code = 0
        return self._engine.ask(
            hands,
            turn,
            code,
            owner if code else turn,
            side,
            [NO_LIMIT] * len(hands),
            self._values,
            goal=1,
            budget=Budget(NODES),
        )
