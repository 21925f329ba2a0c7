"""A second search of open hands, of another kind than the solver's: proof numbers, from the root.

It lists moves with the package's rules but knows nothing of its solver: no table, no order, no
striking of moves, one leaf opened at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ddz_core.positions import Ended, Position, after, legal

NEVER = 10**9


@dataclass(eq=False)
class Node:
    """A position with the leaves that a proof of a win and of a loss still needs."""

    place: Position | Ended
    parent: Node | None = None
    win: int = 1
    loss: int = 1
    below: list[Node] = field(default_factory=list)

    @property
    def landlord(self) -> bool:
        """Whether the landlord's side is to move."""
        return isinstance(self.place, Position) and self.place.to_move in self.place.landlords

    def open(self, spend: str) -> None:
        """Hang every action under the node."""
        assert isinstance(self.place, Position)
        for move in legal(self.place, spend=spend):
            following = after(self.place, "pass" if move is None else move)
            child = Node(following, self)
            if isinstance(following, Ended):
                child.win, child.loss = (0, NEVER) if following.won else (NEVER, 0)
            self.below.append(child)

    def count(self) -> None:
        """Count again from what is below."""
        wins, losses = [b.win for b in self.below], [b.loss for b in self.below]
        if self.landlord:
            self.win, self.loss = min(wins), min(NEVER, sum(losses))
        else:
            self.win, self.loss = min(NEVER, sum(wins)), min(losses)


def wins(place: Position, most: int = 20_000, spend: str = "minimal") -> bool | None:
    """Whether the landlord's side wins; None if more than ``most`` positions had to be opened."""
    root = Node(place)
    for _ in range(most):
        if 0 in (root.win, root.loss):
            return root.win == 0
        node = root
        while node.below:
            key = "win" if node.landlord else "loss"
            node = min(node.below, key=lambda one: getattr(one, key))
        node.open(spend)
        while node is not None:
            node.count()
            node = node.parent  # type: ignore[assignment]
    return None
