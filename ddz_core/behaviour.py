"""What passes tell about hidden hands, if players behave in a stated way.

Layer 3, above :mod:`ddz_core.belief` and always shown apart from it. Counting gives the prior;
every pass of another seat multiplies a layout by the chance that a player with that hand would
have passed: ``1 - cover`` if it could have covered without breaking a bomb, times ``1 - bomb`` if
it could have bombed. The habits are assumptions of the reader, not findings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ddz_core import actions, cards, clauses, counting, estimate, patterns, probability, sampling
from ddz_core.belief import ANY, Odds, Where, rank_text
from ddz_core.clauses import Counts, counts_in, deck_of
from ddz_core.display import Tabular
from ddz_core.errors import DdzError, HandError, NotACombination
from ddz_core.estimate import Estimate
from ddz_core.specs import Ruleset

if TYPE_CHECKING:
    from ddz_core.observation import Observation
    from ddz_core.patterns import Combination, Move

SAMPLES = 20_000


@dataclass(frozen=True, slots=True)
class Passed:
    """One pass that was seen.

    Attributes:
        seat: who passed.
        table: what lay on the table: cards, with ``=kind:length:top`` where the reading matters,
            or a combination.
        since: the cards that this seat has played after the pass, as text; it held them then.
        partner: whether the cards on the table were a partner's.
    """

    seat: int
    table: str | Combination | Move
    since: str = ""
    partner: bool = False


@dataclass(frozen=True, slots=True)
class Habits:
    """How such players act; each a chance from 0 to 1.

    Attributes:
        cover: to cover an opponent's cards when that breaks no bomb.
        bomb: to bomb an opponent's cards when a bomb would beat them.
        partner: to cover a partner's cards when that breaks no bomb.
    """

    cover: float = 0.5
    bomb: float = 0.0
    partner: float = 0.0

    def __post_init__(self) -> None:
        for name in ("cover", "bomb", "partner"):
            chance = getattr(self, name)
            if not isinstance(chance, (int, float)) or not 0 <= chance <= 1:
                raise DdzError(
                    f"{name}: expected a chance from 0 to 1, got {chance!r}",
                    key="error.odds.habit",
                    field=name,
                    expected="0–1",
                    got=chance,
                )


@dataclass(frozen=True, slots=True, eq=False)
class Belief(Tabular):
    """Layouts that fit what was counted, weighted by what passes say; made by :func:`believe`.

    Attributes:
        prior: the counting result, untouched.
        passes: what was seen.
        habits: what was assumed, of all seats or by seat.
        places: names of the places, as in ``layouts``.
        layouts: counts by layout, place and lane.
        covers: by pass and layout, whether the seat could have covered without breaking a bomb.
        blasts: by pass and layout, whether it could have bombed.
        weights: of each layout, the largest possible 1.
        seed: of the layouts.
    """

    prior: Odds
    passes: tuple[Passed, ...]
    habits: Habits | Mapping[int, Habits]
    places: tuple[Where, ...]
    layouts: npt.NDArray[np.int8]
    covers: npt.NDArray[np.bool_]
    blasts: npt.NDArray[np.bool_]
    weights: npt.NDArray[np.float64]
    seed: int

    def under(self, habits: Habits | Mapping[int, Habits]) -> Belief:
        """Return the same layouts weighted by other habits; below a millisecond, for sliders."""
        weights = _weights(self.passes, habits, self.covers, self.blasts)
        return replace(self, habits=habits, weights=weights)

    @property
    def n(self) -> int:
        """The number of layouts drawn."""
        return len(self.weights)

    @property
    def effective(self) -> float:
        """The effective sample size: equally weighted layouts that would tell as much."""
        squares = float(self.weights @ self.weights)
        return float(self.weights.sum()) ** 2 / squares if squares else 0.0

    @property
    def passing(self) -> Estimate:
        """How likely such passes were, all layouts taken together (the mean weight)."""
        total, squares = float(self.weights.sum()), float(self.weights @ self.weights)
        return estimate.mean(total, squares, self.n, unit="probability", seed=self.seed)

    def holds(self, kinds: str | Sequence[str], place: Where | Sequence[Where] = ANY) -> Estimate:
        """Return the chance that a place holds one of the kinds, given the passes.

        Args: as :meth:`ddz_core.belief.Odds.holds`; the own seat is not asked here.

        Raises:
            RulesetError: for a kind that this game does not have.
            HandError: for a place that is not there, or where no layout explains the passes.
        """
        machine = counting.automaton(self.prior.ruleset, probability.names_of(kinds))
        columns = [self.places.index(name) for name in self.prior.asked(place)]
        holds = lru_cache(maxsize=None)(machine.holds)
        hit = np.fromiter(
            (
                any(holds(tuple(layout[column])) for column in columns)
                for layout in self.layouts.tolist()
            ),
            dtype=bool,
            count=self.n,
        )
        return self._share(hit)

    def count(self, rank: str, number: int, place: Where) -> Estimate:
        """Return the chance that a place holds exactly this number of a rank, given the passes."""
        deck = deck_of(self.prior.ruleset)
        lanes = [
            lane
            for lane in range(cards.LANES)
            if deck[lane] and rank_text(self.prior.ruleset, lane) == rank
        ]
        column = self.places.index(self.prior.asked(place)[0])
        held = self.layouts[:, column, lanes].sum(axis=1)
        return self._share(held == number)

    def table(self) -> dict[Where, dict[str, tuple[float, ...]]]:
        """Return the chance of each number of cards of each rank in each place, given the passes.

        The same shape as :meth:`ddz_core.belief.Odds.table`, for a map beside it.
        """
        self._check()
        total = float(self.weights.sum())
        ruleset = self.prior.ruleset
        deck = deck_of(ruleset)
        return {
            name: {
                rank_text(ruleset, lane): tuple(
                    np.bincount(
                        self.layouts[:, column, lane],
                        weights=self.weights,
                        minlength=deck[lane] + 1,
                    )
                    / total
                )
                for lane in range(cards.LANES)
                if deck[lane]
            }
            for column, name in enumerate(self.places)
        }

    def _check(self) -> None:
        if not self.weights.any():
            raise HandError(
                f"passes: none of {self.n} layouts explains them with these habits",
                key="error.odds.passes",
                field="passes",
                expected="1",
                got=0,
                n=self.n,
            )

    def _share(self, hit: npt.NDArray[np.bool_]) -> Estimate:
        """Return a weighted share with an interval for the effective sample size."""
        self._check()
        value = float(self.weights[hit].sum() / self.weights.sum())
        n = max(1, math.floor(self.effective))
        about = estimate.share(round(value * n), n, seed=self.seed)
        return replace(about, value=value, low=min(value, about.low), high=max(value, about.high))


def believe(
    odds: Odds,
    passes: Sequence[Passed],
    habits: Habits | Mapping[int, Habits] = Habits(),
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Belief:
    """Weigh random layouts by what passes say about them.

    Args:
        odds: what is counted now.
        passes: what was seen, in any order.
        habits: how such players act, or by seat.
        samples: layouts drawn from the prior.
        seed: of those.

    Raises:
        HandError: for a pass of a seat that is not another one.
        NotACombination: if what lay on the table is no combination.
        NotationError: for text that is no cards.
        DdzError: for a seed or a number of samples that cannot be used.
    Cost: some 10 microseconds a layout and pass.
    """
    samples = sampling.check_samples(samples)
    names = tuple(odds.places)
    known = np.array([odds.places[name].known for name in names], dtype=np.int8)
    sizes = [odds.places[name].size for name in names]
    rng = sampling.generator(seed)
    chunks = [chunk + known for chunk in sampling.layouts(odds.pool, sizes, samples, rng)]
    layouts: npt.NDArray[np.int8] = np.concatenate(chunks)
    covers = np.zeros((len(passes), samples), dtype=bool)
    blasts = np.zeros_like(covers)
    for row, one in enumerate(passes):
        column = names.index(odds.asked(one.seat)[0])
        judge = _judge(odds.ruleset, one)
        judged = [judge(tuple(hand)) for hand in layouts[:, column].tolist()]
        covers[row], blasts[row] = np.array(judged, dtype=bool).T
    return Belief(
        prior=odds,
        passes=tuple(passes),
        habits=habits,
        places=names,
        layouts=layouts,
        covers=covers,
        blasts=blasts,
        weights=_weights(passes, habits, covers, blasts),
        seed=seed,
    )


def _weights(
    passes: Sequence[Passed],
    habits: Habits | Mapping[int, Habits],
    covers: npt.NDArray[np.bool_],
    blasts: npt.NDArray[np.bool_],
) -> npt.NDArray[np.float64]:
    """Return the chance of all passes in each layout."""
    weights = np.ones(covers.shape[1])
    for one, could_cover, could_bomb in zip(passes, covers, blasts, strict=True):
        mine = habits if isinstance(habits, Habits) else habits.get(one.seat, Habits())
        weights[could_cover] *= 1 - (mine.partner if one.partner else mine.cover)
        if not one.partner:
            weights[could_bomb] *= 1 - mine.bomb
    return weights


def _judge(ruleset: Ruleset, one: Passed) -> Callable[[Counts], tuple[bool, bool]]:
    """Return the function from a hand held now to whether it could have covered, and bombed."""
    table = reading_of(ruleset, one.table)
    number = cards.size_of(cards.parse_cards(table.cards))
    plain, bombs = clauses.beating(ruleset, table.kind, table.length, table.top, number)
    since = counts_in(ruleset, cards.parse_cards(one.since))
    covers, blasts = counting.Automaton(ruleset, plain), counting.Automaton(ruleset, bombs)

    @cache
    def judge(hand: Counts) -> tuple[bool, bool]:
        then = tuple(a + b for a, b in zip(hand, since, strict=True))
        return covers.holds(without_bombs(ruleset, then)), blasts.holds(then)

    return judge


def without_bombs(ruleset: Ruleset, hand: Counts) -> Counts:
    """Return a hand without the cards of its natural bombs and joker bombs."""
    steps = ruleset.ladder_in_force()
    least = min((s.size for s in steps if s.size and s.wild in ("any", "none")), default=99)
    left = [0 if count >= least else count for count in hand]
    for step in reversed(steps):
        for text in (one for equal in step.cards for one in equal.split("=")):
            part = cards.counts_of(cards.parse_cards(text))
            if all(a >= b for a, b in zip(left, part, strict=True)):
                left = [a - b for a, b in zip(left, part, strict=True)]
    return tuple(left)


def reading_of(ruleset: Ruleset, table: str | Combination | Move) -> Combination | Move:
    """Return what lay on the table as it is to be read.

    Raises:
        NotACombination: if the cards are none, or do not have the reading named.
    """
    if not isinstance(table, str):
        return table
    wanted = actions.read_cards(table)
    readings = patterns.readings(ruleset, wanted.hand)
    if wanted.reading is not None:
        readings = [r for r in readings if (r.kind, r.length, r.top) == tuple(wanted.reading)]
    if not readings:
        raise NotACombination(
            f"table: {table!r} is no combination of this game",
            key="error.position.beat",
            field="table",
            expected=str(wanted.reading or ""),
            got=table,
        )
    return patterns.unnamed(readings)


def passes_of(obs: Observation) -> list[Passed]:
    """Return the passes of other seats in a game, as its observation shows them."""
    found: list[Passed] = []
    table: Move | None = None
    owner: int | None = None
    streak = 0
    for entry in obs.history:
        if entry.phase != "play" or entry.seat is None:
            continue
        if entry.move is not None:
            table, owner, streak = entry.move, entry.seat, 0
            found = [
                replace(one, since=one.since + entry.move.cards) if one.seat == entry.seat else one
                for one in found
            ]
        elif entry.action == actions.PASS and table is not None and owner is not None:
            streak += 1
            if entry.seat != obs.seat:
                same = obs.side_of(entry.seat) == obs.side_of(owner)
                found.append(Passed(entry.seat, table, partner=same))
            if streak >= obs.seats - 1:
                table = owner = None
    return found
