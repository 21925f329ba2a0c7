"""What can be proven of a game's positions with all hands open.

Layer 3.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """A position of the game whose value is proven.

    Attributes:
        value: 1 where the landlord's side wins, -1 where it loses.
        best: every action that keeps the value, as texts.
        options: how many actions there are.
        loss: what the action taken gave away: 0 or 1; None where that is not proven.
        only: whether one action of several keeps a win.
        line: actions to the end, the first of ``best`` first; empty where none was asked for.
        nodes: of the search.
    """

    value: int
    best: tuple[str, ...]
    options: int
    loss: int | None
    only: bool
    line: tuple[str, ...] = ()
    nodes: int = 0
