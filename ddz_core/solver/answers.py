"""Questions to the solver: who wins, which plays keep that, how the play goes on.

Layer 3. A :class:`Solver` keeps what it found for its rules, so that related questions, such as the
plays of one position or the positions of one game, share their work.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ddz_core import positions
from ddz_core.dealing import AnyRules, plain_rules
from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.kernels import plain
from ddz_core.positions import Ended, Position
from ddz_core.score_facts import most_bombs
from ddz_core.solver.engine import Budget, Engine, Stop
from ddz_core.solver.question import Question
from ddz_core.solver.solution import Objective, Solution
from ddz_core.solver.values import by_points, winner_only
from ddz_core.specs import Ruleset

NODES = 20_000_000
"""Positions that a question may look at, if nothing else is said: some seconds."""
MOST_NODES = 10_000_000_000
AT_ONCE = 2
"""How many questions a solver works at; further threads wait."""
MOST_SOLVERS = 3


class Solver:
    """Solves positions of one game; what it finds is kept for the next question.

    Safe for several threads; what one thread finds the others need not know.
    """

    def __init__(self, rules: AnyRules) -> None:
        self.ruleset: Ruleset = plain_rules(rules)
        self._idle: list[Engine] = []
        self._free = threading.Semaphore(AT_ONCE)

    def solve(
        self,
        pos: Position | Game,
        objective: Objective = "win",
        *,
        nodes: int = NODES,
        seconds: float | None = None,
        plays: bool = True,
        cancel: Stop | None = None,
        progress: Callable[[int, float | None], None] | None = None,
    ) -> Solution:
        """Return what best play on both sides comes to; see :func:`solve`."""
        place, game = _place(pos)
        if place.rules.ruleset.hash != self.ruleset.hash:
            raise _wrong("pos", f"a position of {self.ruleset.id}", place.rules.id)
        if objective not in ("win", "points"):
            raise _wrong("objective", "win, points", objective)
        if isinstance(nodes, bool) or not isinstance(nodes, int) or not 1 <= nodes <= MOST_NODES:
            raise _wrong("nodes", f"1–{MOST_NODES}", nodes)
        if seconds is not None and (
            isinstance(seconds, bool)
            or not isinstance(seconds, (int, float))
            or not 0 < seconds <= 86_400
        ):
            raise _wrong("seconds", "more than 0, at most 86400", seconds)
        limits = _limits(place, game)
        values = winner_only() if objective == "win" else by_points(place, game)
        with self._engine() as engine:
            budget = Budget(nodes, seconds, cancel, progress)
            return Question(engine, place, values, budget, limits).answer(objective, plays)

    def forget(self) -> None:
        """Forget what was found, as measurements need it."""
        for engine in self._idle:
            engine.forget()

    @contextmanager
    def _engine(self) -> Iterator[Engine]:
        """Lend an engine to this thread."""
        with self._free:
            try:
                engine = self._idle.pop()
            except IndexError:
                engine = Engine(self.ruleset)
            try:
                yield engine
            finally:
                self._idle.append(engine)

    @staticmethod
    def after(pos: Position, action: object) -> Position | Ended:
        """Return what follows an action; see :func:`ddz_core.positions.after`."""
        return positions.after(pos, action)


_solvers: OrderedDict[str, Solver] = OrderedDict()
_solvers_lock = threading.Lock()


def solver_of(rules: AnyRules) -> Solver:
    """Return the solver of some rules, the same one for the same rules while it is in use."""
    ruleset = plain_rules(rules)
    with _solvers_lock:
        found = _solvers.pop(ruleset.hash, None) or Solver(ruleset)
        _solvers[ruleset.hash] = found
        while len(_solvers) > MOST_SOLVERS:
            _solvers.popitem(last=False)
        return found


def solve(
    pos: Position | Game,
    objective: Objective = "win",
    *,
    nodes: int = NODES,
    seconds: float | None = None,
    plays: bool = True,
    cancel: Stop | None = None,
    progress: Callable[[int, float | None], None] | None = None,
) -> Solution:
    """Return what best play with all hands open comes to, and which plays keep it.

    Args:
        pos: a position, or a game that is being played.
        objective: ``win`` asks who wins; ``points`` how many points the landlord's side gets by
            the ruleset's own scoring. Counted are the bombs played from here on; of a game also
            the bid, its declarations, the bombs played before and springs, while of a bare
            position the bid is the lowest, nothing was declared and there is no spring. Farmers
            play for the landlord's loss, whatever is raked off. Seats that a position leaves out
            pay and get like other farmers.
        nodes: how many positions may be looked at.
        seconds: how much processor time may be used; None for no limit.
        plays: whether to judge every action; else only the value and one best action.
        cancel: asked at every tenth of a second; a search that is told to end says what it knows.
        progress: called as often with the number of nodes and the share of plays judged, None
            while the value itself is being searched.

    Raises:
        DdzError: for a game that is not being played, for bad numbers, or where declared bombs or
            a number of bombs still allowed bind a seat.
    Cost: three million positions a second; from milliseconds for endings to hours for whole deals.

    >>> from ddz_core.positions import position
    >>> from ddz_core.rules import load_ruleset
    >>> solve(position(["KK3", "QQ4"], rules=load_ruleset("classic"))).best
    ('3', 'K', 'KK')
    """
    place, _ = _place(pos)
    return solver_of(place.rules).solve(
        pos,
        objective,
        nodes=nodes,
        seconds=seconds,
        plays=plays,
        cancel=cancel,
        progress=progress,
    )


def _place(pos: Position | Game) -> tuple[Position, Game | None]:
    """Return the position that is asked about, and its game."""
    if isinstance(pos, Game):
        return positions.position_of(pos), pos
    if not isinstance(pos, Position):
        raise _wrong("pos", "a Position (position) or a Game", type(pos).__name__)
    return pos, None


def _limits(place: Position, game: Game | None) -> list[int]:
    """Return the highest ladder step that each hand may play.

    Raises:
        DdzError: where a limit is more than that.
    """
    limits = [plain.NO_LIMIT] * len(place.hands)
    if game is None:
        return limits
    ruleset = place.rules.ruleset
    for seat, hand in enumerate(place.hands):
        bound = game.limits(seat)
        if not bound.bombs:
            limits[seat] = 0
        most = game.bomb_limits[seat] if game.bomb_limits else None
        used = sum(1 for bomb in game.bombs if bomb.seat == seat)
        counted = bound.bombs and most is not None and most_bombs(ruleset, hand) > most - used
        if bound.locked or seat in game.trustee or counted:
            raise DdzError(
                f"pos: seat {seat} is bound by more than its cards",
                key="error.solver.limits",
                field="pos",
                expected="",
                got=seat,
                seat=seat,
            )
    return limits


def _wrong(field: str, expected: str, got: object) -> DdzError:
    """Return the error for an argument that cannot be."""
    return DdzError(
        f"{field}: expected {expected}, got {got}",
        key="error.solver.argument",
        field=field,
        expected=expected,
        got=got,
    )
