"""Actions tried in worlds: who went out, who led next, what it paid.

Layer 3, the face of :mod:`ddz_core.kernels.review`. All actions of one decision are played on in
the same worlds with the same random numbers, so their difference carries its own, narrow interval.
Points are those of the ruleset's own ledger, from the game as it stood, with the bombs and plays of
the games played on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core import cards, course, scoring
from ddz_core.bots.rule import Engine, fitted, weights_of
from ddz_core.errors import DdzError
from ddz_core.estimate import Estimate
from ddz_core.patterns.combination import code_in
from ddz_core.review.endings import Endings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ddz_core.game import Game
    from ddz_core.review.worlds import Worlds
    from ddz_core.specs import Ruleset

HEAT = 1.2
"""How far below the best score the players in the games played on choose, in the bot's unit."""

_MIX, _SIDES, _CARDS = (
    np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)
_Z = 1.959963984540054
_NONE = 7


class Room:
    """The kernels of one ruleset with room of their own; not for two threads at once."""

    def __init__(self, ruleset: Ruleset) -> None:
        from ddz_core.kernels import review, sampler

        self.kernel, self.sampler = review, sampler
        self.engine, self.endings = Engine(ruleset), Endings(ruleset)
        self.weights = weights_of(fitted(ruleset))
        self.hands = np.zeros(8, dtype=np.uint64)
        self.left = np.zeros(8, dtype=np.int64)

    @property
    def shared(self) -> tuple[Any, ...]:
        """The vectors that every kernel takes first."""
        engine = self.engine
        return (
            engine.table.words,
            engine.work,
            engine.plan,
            engine.space,
            engine.cache,
            self.weights,
            engine.view,
        )


@dataclass(frozen=True, slots=True)
class Action:
    """An action to try: its text, packed cards (0 for a pass) and code."""

    text: str
    hand: cards.Hand
    code: int


@dataclass(frozen=True)
class Outcomes:
    """What came of actions in worlds; all arrays are worlds × actions.

    Attributes:
        won: whether the side of the seat asked won.
        out: the seat that went out.
        led: the seat that led next; the one that went out where the game ended before.
        raw, bombs: results and bombs of the kernel.
        sides: the landlord's side in each world, as bits.
        effective: independent worlds that would tell as much.
    """

    won: NDArray[np.bool_]
    out: NDArray[np.int64]
    led: NDArray[np.int64]
    raw: NDArray[np.int64]
    bombs: NDArray[np.uint64]
    sides: NDArray[np.int64]
    effective: float

    def __len__(self) -> int:
        """Return the number of worlds."""
        return len(self.won)

    def friends(self, seats: NDArray[np.int64], seat: int) -> NDArray[np.bool_]:
        """Tell of seats, by world and action, whether they are on the side of a seat."""
        own = _side_bit(self.sides, np.array([[seat]]))
        return np.asarray(_side_bit(self.sides, seats) == own, dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class Worth:
    """What one call or statement brought, by deal.

    Attributes:
        won: 1 where the own side won, 0 where it lost, one half where nobody did.
        points: of the own seat.
    """

    won: NDArray[np.float64]
    points: NDArray[np.float64]


def _side_bit(sides: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray((sides[:, None] >> seats) & 1, dtype=np.int64)


def start_of(room: Room, game: Game) -> NDArray[np.int64]:
    """Return where a game stands in its play, as the kernel reads it."""
    start = np.zeros(room.kernel.START, dtype=np.int64)
    assert game.to_act is not None
    start[:3] = game.seats, game.to_act, -1
    if game.to_beat is not None and game.beat_by is not None:
        start[2], start[3] = game.beat_by, code_in(room.engine.table, game.to_beat)
    start[room.kernel.LIMITS :] = room.kernel.ANY_NUMBER
    for seat, most in enumerate(game.bomb_limits):
        if most is not None:
            sets = {cards.format_cards(one) for one in game.locked[seat]}
            used = sum(1 for b in game.bombs if b.seat == seat and b.cards not in sets)
            start[room.kernel.LIMITS + seat] = max(0, most - used) + len(game.locked[seat])
    return start


def tried(
    room: Room,
    game: Game,
    worlds: Worlds,
    actions: Sequence[Action] | None,
    *,
    seat: int,
    seed: int,
    first: int = 0,
) -> Outcomes:
    """Play on from actions in worlds.

    Args:
        room: the kernels of the rules that the play follows.
        game: where it stands; its hands are not looked at.
        worlds: the hands.
        actions: what is tried; None leaves the choice to the bot.
        seat: whose side ``won`` is about.
        seed: of the games played on.
        first: number of the first world, for its random numbers.
    """
    free = actions is None
    number = 1 if actions is None else len(actions)
    hands = np.array([0] if actions is None else [one.hand for one in actions], dtype=np.uint64)
    codes = np.array(
        [room.kernel.FREE] if actions is None else [one.code for one in actions], dtype=np.int64
    )
    raw = np.zeros((len(worlds), number), dtype=np.int64)
    bombs = np.zeros((len(worlds), number, room.kernel.MOST_BOMBS), dtype=np.uint64)
    played = sum(
        entry.move.hand for entry in game.history if entry.move is not None and entry.phase
    )
    room.kernel.try_actions(
        *room.shared,
        start_of(room, game),
        worlds.hands,
        worlds.sides,
        first,
        hands,
        codes,
        np.uint64(game.ruleset.deck_cards - played),
        HEAT,
        np.uint64(seed),
        room.engine.moves,
        room.engine.codes,
        room.engine.scores,
        room.hands,
        room.left,
        raw,
        bombs,
    )
    assert free or number == len(codes)
    out, led = raw & 7, (raw >> 3) & 7
    bit = np.array([[seat]])
    return Outcomes(
        won=_side_bit(worlds.sides, out) == _side_bit(worlds.sides, bit),
        out=out,
        led=np.where(led == _NONE, out, led),
        raw=raw,
        bombs=bombs,
        sides=worlds.sides,
        effective=worlds.effective,
    )


def joined(parts: Sequence[Outcomes]) -> Outcomes:
    """Return outcomes of the same actions in different worlds as one."""
    return Outcomes(
        won=np.concatenate([one.won for one in parts]),
        out=np.concatenate([one.out for one in parts]),
        led=np.concatenate([one.led for one in parts]),
        raw=np.concatenate([one.raw for one in parts]),
        bombs=np.concatenate([one.bombs for one in parts]),
        sides=np.concatenate([one.sides for one in parts]),
        effective=sum(one.effective for one in parts),
    )


class Settler:
    """Settles games played on from one position; equal courses are settled once."""

    def __init__(self, game: Game) -> None:
        self.rules = game.play_rules
        names = scoring.facts_of(game.ruleset)
        told = course.facts_of(game)
        self.facts = {name: value for name, value in told.items() if name in names}
        self.lead = game.landlords[0]
        self.plays = game.plays
        self.known: dict[tuple[object, ...], tuple[int, ...] | None] = {}

    def points(self, found: Outcomes, column: int, seat: int) -> NDArray[np.float64] | None:
        """Return the points of a seat in every world after one action, None where unknown."""
        raw, bombs = found.raw[:, column], found.bombs[:, column]
        mixed = (raw.astype(np.uint64) * _MIX) ^ (found.sides.astype(np.uint64) * _SIDES)
        for place in range(bombs.shape[1]):
            mixed = (mixed * _MIX) ^ (bombs[:, place] * _CARDS)
        _, firsts, where = np.unique(mixed, return_index=True, return_inverse=True)
        values = np.zeros(len(firsts))
        for number, row in enumerate(firsts.tolist()):
            made = tuple(one for one in bombs[row].tolist() if one)
            paid = self._paid(int(raw[row]), made, int(found.sides[row]))
            if paid is None:
                return None
            values[number] = paid[seat]
        return values[where]

    def _paid(self, raw: int, bombs: tuple[int, ...], side: int) -> tuple[int, ...] | None:
        """Return the points of all seats."""
        seats = range(len(self.plays))
        plays = tuple(
            min(3, count + ((raw >> 16 + 9 * seat) & 511)) for seat, count in enumerate(self.plays)
        )
        key = (raw & 7, plays, tuple(sorted(bombs)), side)
        if key not in self.known:
            others = [s for s in seats if side >> s & 1 and s != self.lead]
            facts = {
                **self.facts,
                "landlords": (self.lead, *others),
                "out": raw & 7,
                "plays": plays,
                "bombs": [*self.facts.get("bombs", ()), *map(cards.format_cards, bombs)],
            }
            try:
                self.known[key] = scoring.score(self.rules, **facts).points
            except DdzError:
                self.known[key] = None
        return self.known[key]


# --- estimates -----------------------------------------------------------------------------------


def chance(won: NDArray[np.bool_], effective: float, seed: int) -> Estimate:
    """Return a share with its Wilson interval for the effective number of worlds."""
    n = len(won)
    value, m = float(won.mean()), max(1.0, min(effective, n))
    z2 = _Z * _Z
    centre = (value + z2 / (2 * m)) / (1 + z2 / m)
    half = _Z / (1 + z2 / m) * math.sqrt(value * (1 - value) / m + z2 / (4 * m * m))
    return Estimate(
        value=value,
        low=min(value, max(0.0, centre - half)),
        high=max(value, min(1.0, centre + half)),
        n=n,
        method="sampled",
        unit="probability",
        seed=seed,
    )


def difference(
    ahead: NDArray[Any], behind: NDArray[Any], effective: float, unit: str, seed: int
) -> Estimate:
    """Return the mean of paired differences, its interval never of width zero.

    Two made-up pairs, one for either side, stand in for what few worlds cannot show (Agresti and
    Min 2005); of points they differ by the largest difference seen, or one point.
    """
    gaps = np.asarray(ahead, dtype=np.float64) - np.asarray(behind, dtype=np.float64)
    n = len(gaps)
    m = max(1.0, min(effective, n))
    value = float(gaps.mean())
    step = 1.0 if unit == "probability" else max(1.0, float(np.abs(gaps).max()))
    squares = float((gaps * gaps).mean()) * m
    pad = 0.5 if unit == "probability" else 1.0
    variance = (squares + 2 * pad * step * step) / (m + 2) - (value * m / (m + 2)) ** 2
    half = _Z * math.sqrt(max(variance, 0.0) / (m + 2))
    centre = value * m / (m + 2)
    return Estimate(
        value=value,
        low=min(value, centre - half),
        high=max(value, centre + half),
        n=n,
        method="sampled",
        unit=unit,
        seed=seed,
    )


def not_below_zero(found: Estimate) -> Estimate:
    """Return a loss: no action is better than the best one."""
    return Estimate(
        value=max(0.0, found.value),
        low=max(0.0, found.low),
        high=max(0.0, found.high),
        n=found.n,
        method=found.method,
        unit=found.unit,
        seed=found.seed,
    )
