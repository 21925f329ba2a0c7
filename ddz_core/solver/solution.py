"""What a solver answers.

Layer 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ddz_core.patterns import Move
from ddz_core.positions import Position

Objective: TypeAlias = Literal["win", "points"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one action of the hand to move comes to.

    Attributes:
        action: its text.
        move: the play; None for a pass.
        value: 1 if the landlord's side wins after it, -1 if it loses, 0 if that is not proven; in
            a search for points what the landlord's side gets.
        proven: whether the value is proven.
        nodes: positions looked at for it beyond those known already.
    """

    action: str
    move: Move | None
    value: int
    proven: bool
    nodes: int

    def as_dict(self) -> dict[str, object]:
        """Return the verdict as plain data."""
        names = ("action", "value", "proven", "nodes")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The answer to an open-hand position.

    Attributes:
        position: what was asked.
        objective: ``win`` or ``points``.
        value: 1 if the landlord's side wins with best play on both sides, -1 if it loses, 0 if
            that is not proven within the budget; for ``points`` what the landlord's side gets.
        proven: whether the value is proven.
        best: the actions that keep the value for the hand to move; all of them if every play was
            judged, else one; none if the value is not proven.
        plays: every action with its verdict, in the order of the rules' lists, a pass last; empty
            if they were not asked for.
        line: actions from here to the end, best play on both sides, the loser holding out where it
            costs most to refute; cut where the budget ended.
        nodes: positions looked at.
        seconds: processor time.
    """

    position: Position
    objective: Objective
    value: int
    proven: bool
    best: tuple[str, ...]
    plays: tuple[Verdict, ...]
    line: tuple[str, ...]
    nodes: int
    seconds: float

    def as_dict(self) -> dict[str, object]:
        """Return the solution as plain data."""
        place = self.position
        return {
            "hands": list(place.texts),
            "to_move": place.to_move,
            "beat": place.beat_text,
            "beat_by": place.beat_by,
            "landlords": list(place.landlords),
            "rules": place.rules.id,
            "objective": self.objective,
            "value": self.value,
            "proven": self.proven,
            "best": list(self.best),
            "plays": [play.as_dict() for play in self.plays],
            "line": list(self.line),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        lines = [str(self.position)]
        if not self.proven:
            lines.append(f"not proven within {self.nodes} nodes")
        elif self.objective == "points":
            lines.append(f"the landlord's side gets {self.value:+} points")
        else:
            lines.append("the landlord's side " + ("wins" if self.value > 0 else "loses"))
        if self.best:
            lines.append("best: " + ", ".join(self.best))
        if self.line:
            lines.append("line: " + " ".join(self.line))
        lines.append(f"{self.nodes} nodes, {self.seconds:.3g} s")
        return "\n".join(lines)
