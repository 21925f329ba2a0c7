"""What can be proven of a game's positions with all hands open.

Layer 3. The positions are asked from the last to the first: later ones are easier, and what is
found in them helps with the earlier ones. The search ends with its nodes, so that equal questions
get equal answers, and where it has proven nothing it says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ddz_core import actions
from ddz_core.actions import PASS
from ddz_core.errors import DdzError
from ddz_core.positions import position_of
from ddz_core.solver import Solver

if TYPE_CHECKING:
    from ddz_core.actions import Entry
    from ddz_core.game import Game
    from ddz_core.solver import Solution, Verdict

SHARE, SHARE_OF_ENDING = 12, 4
"""A position, or one of an ending, may take this part of all nodes for its value, and twice as many
for its plays."""
ENDING = 28
"""Cards in all hands at most, in an ending."""
GIVE_UP = 4
"""After so many positions in a row without a proof the earlier ones are not asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """A position of the game whose value is proven.

    Attributes:
        value: 1 where the landlord's side wins, -1 where it loses.
        best: every action that is proven to keep the value, as texts.
        options: how many actions there are.
        loss: what the action taken gave away: 0 or 1; None where that is not proven.
        only: whether one action of several keeps a win, all others being proven to lose.
        line: actions to the end, the first of ``best`` first; cut where the search ended.
        nodes: of the search.
    """

    value: int
    best: tuple[str, ...]
    options: int
    loss: int | None
    only: bool
    line: tuple[str, ...] = ()
    nodes: int = 0


class Stop(Protocol):
    """What can be asked whether to end, such as ``threading.Event``."""

    def is_set(self) -> bool:
        """Tell whether to end."""
        ...


class Asked(Protocol):
    """A decision to be proven."""

    @property
    def entry(self) -> Entry:
        """What was done."""
        ...

    @property
    def before(self) -> Game:
        """The game before it."""
        ...


def proven(steps: Sequence[Asked], won: bool | None, nodes: int, stop: Stop) -> dict[int, Solved]:
    """Return what is proven, by place in the history.

    Args:
        steps: the decisions of the play with more than one option, in order.
        won: whether the landlord's side won in the end; None where nobody went out.
        nodes: positions that the search may look at in all.
        stop: asked whether to end, as ``threading.Event``.
    """
    found: dict[int, Solved] = {}
    after = 1 if won else -1
    known, misses, left = won is not None, 0, nodes
    solver: Solver | None = None
    for step in reversed(steps):
        if misses >= GIVE_UP or left <= 0 or stop.is_set():
            break
        try:
            if solver is None:
                solver = Solver(position_of(step.before).rules)
            ending = sum(step.before.left) <= ENDING
            most = nodes // (SHARE_OF_ENDING if ending else SHARE)
            value, told = _asked(solver, step.before, min(left, most), left, stop)
        except DdzError:
            break  # something besides the cards binds these seats
        left -= value.nodes + (0 if told is None else told.nodes)
        if not value.proven:
            misses, known = misses + 1, False
            continue
        misses = 0
        found[step.entry.index] = _solved(step, value, told, after if known else None)
        after, known = value.value, True
    return found


def _asked(
    solver: Solver, game: Game, nodes: int, left: int, stop: Stop
) -> tuple[Solution, Solution | None]:
    """Return the value of a position, and then the verdicts on its plays."""
    value = solver.solve(game, nodes=max(1, nodes), plays=False, cancel=stop)
    rest = min(left - value.nodes, 2 * nodes)
    if not value.proven or rest <= 0:
        return value, None
    return value, solver.solve(game, nodes=rest, plays=True, cancel=stop)


def _solved(step: Asked, value: Solution, told: Solution | None, after: int | None) -> Solved:
    """Return what is proven of a decision.

    Args:
        step: the decision.
        value: its value.
        told: the verdicts on its plays, None where they were not asked for.
        after: the value of the position that came next in the game, None where it is not proven.
    """
    seat = step.before.to_act
    side = 1 if seat in step.before.landlords else -1
    plays = () if told is None else told.plays
    if after is None:
        verdict = _verdict_on(step.entry, plays)
        after = verdict.value if verdict is not None and verdict.proven else None
    loss = None
    if value.value != side:
        loss = 0
    elif after is not None:
        loss = int(after != value.value)
    best = list(value.best if told is None or not told.best else told.best)
    taken = _verdict_on(step.entry, plays)
    text = step.entry.action if taken is None else taken.action
    if loss == 0 and value.value == side and text not in best:
        best.append(text)
    line = value.line
    if line and line[0] in best:
        best.remove(line[0])
        best.insert(0, line[0])
    every = bool(plays) and all(play.proven for play in plays)
    return Solved(
        value=value.value,
        best=tuple(best),
        options=len(plays) if plays else len(step.before.legal()),
        loss=loss,
        only=every and value.value == side and len(best) == 1 < len(plays),
        line=line,
        nodes=value.nodes + (0 if told is None else told.nodes),
    )


def _verdict_on(entry: Entry, plays: Sequence[Verdict]) -> Verdict | None:
    """Return the verdict on what was done; None where it is not among them."""
    for play in plays:
        if entry.move is None or play.move is None:
            same = entry.move is None and play.action == PASS
        else:
            named = actions.reading_of(play.move) == actions.reading_of(entry.move)
            same = named and play.move.hand == entry.move.hand
        if same:
            return play
    return None
