"""How numbers are spread over random hands: points, bombs, controls, chains, turns.

Layer 3, beside :mod:`ddz_core.probability`. Everything but the fewest turns is counted exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ddz_core import cards, counting, decompose, estimate, sampling
from ddz_core.clauses import NATURALS, counts_in, deck_of
from ddz_core.dealing import AnyRules, plain_rules
from ddz_core.display import framed
from ddz_core.errors import HandError
from ddz_core.estimate import Estimate
from ddz_core.probability import POINTS, check_size, exact_frequency, grid, lengths_of, times
from ddz_core.specs import Ruleset

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Distribution:
    """How a number is spread over random hands.

    Attributes:
        of: what is counted.
        n: cards of the hand.
        chances: chance of each value, values rising.
        method: ``exact`` or ``sampled``.
        samples: hands drawn, 0 where counted.
        seed: of the samples, None where there are none.
        rules: id of the ruleset.
    """

    of: str
    n: int
    chances: dict[int, float]
    method: estimate.Method
    samples: int
    seed: int | None
    rules: str

    @property
    def mean(self) -> float:
        """The mean value."""
        return sum(value * p for value, p in self.chances.items())

    def at_least(self, value: int) -> Estimate:
        """Return the chance of this value or more."""
        p = min(1.0, math.fsum(q for v, q in self.chances.items() if v >= value))
        if self.method != "sampled":
            return estimate.exact(p)
        return estimate.share(round(p * self.samples), self.samples, seed=self.seed)

    def frame(self) -> pd.DataFrame:
        """Return value and chance as a pandas frame, with how they were found."""
        return framed(
            ({"value": value, "chance": chance} for value, chance in self.chances.items()),
            of=self.of,
            cards=self.n,
            method=self.method,
            samples=self.samples,
            rules=self.rules,
            seed=self.seed,
        )


def distribution(
    of: str,
    n: int,
    rules: AnyRules,
    *,
    samples: int = 2_000,
    seed: int = 0,
) -> Distribution:
    """Return how a number is spread over random hands of ``n`` cards.

    Args:
        of: ``points`` (4-3-2-1), ``bombs`` (ranks held as a bomb, and one for any set of jokers
            that is one; natural cards), ``controls`` (jokers and 2s), ``ranks`` (different ranks),
            ``copies:A`` (cards of a rank), ``longest:straight`` (groups of the longest chain of a
            kind, 0 for none) or ``turns`` (fewest plays to empty the hand, sampled).
        n: cards of the hand.
        rules: the game.
        samples: hands drawn, for ``turns``.
        seed: of those.

    Raises:
        HandError: for a number of cards that the deck does not have, or an unknown ``of``.
        RulesetError: for a kind that this game does not have.
    """
    ruleset = plain_rules(rules)
    n = check_size(ruleset, n)
    what, _, detail = of.partition(":")
    if what == "turns":
        return _turns(n, rules, sampling.check_samples(samples), seed)
    if what == "longest":
        spread = _longest(detail or "straight", n, ruleset)
    else:
        spread = _added(ruleset, n, _value_of(ruleset, of))
    return Distribution(
        of=of,
        n=n,
        chances={value: float(p) for value, p in sorted(spread.items()) if p},
        method="exact",
        samples=0,
        seed=None,
        rules=ruleset.id,
    )


def value(of: str, hand: str | cards.Hand, rules: AnyRules) -> int:
    """Return the number that :func:`distribution` spreads, for one hand."""
    ruleset = plain_rules(rules)
    counts = cards.counts_of(cards.parse_cards(hand))
    what, _, detail = of.partition(":")
    if what == "turns":
        return decompose.fewest(hand, rules)
    if what == "longest":
        kind = detail or "straight"
        held = counts_in(ruleset, cards.parse_cards(hand))
        return max(
            (
                length
                for length in lengths_of(ruleset, kind)
                if counting.automaton(ruleset, (f"{kind}:{length}",)).holds(held)
            ),
            default=0,
        )
    worth = _value_of(ruleset, of)
    return sum(worth(group, tuple(counts[lane] for lane in group)) for group in _GROUPS)


_GROUPS = (*((lane,) for lane in range(NATURALS)), (cards.SMALL_JOKER, cards.BIG_JOKER))


def _value_of(ruleset: Ruleset, of: str) -> Callable[[tuple[int, ...], tuple[int, ...]], int]:
    """Return what a group of lanes adds to a number, from its counts."""
    what, _, detail = of.partition(":")
    if of == "points":
        worth = [POINTS.get(rank, 0) for rank in cards.RANKS]
        return lambda lanes, counts: sum(worth[i] * c for i, c in zip(lanes, counts, strict=True))
    if of == "controls":
        low = cards.LANE["2"]
        return lambda lanes, counts: sum(c for i, c in zip(lanes, counts, strict=True) if i >= low)
    if of == "ranks":
        return lambda _, counts: sum(c > 0 for c in counts)
    if of == "bombs":
        return _bombs(ruleset)
    if what == "copies" and len(detail) == 1 and detail in ruleset.deck.ranks:
        at = cards.LANE[detail]
        return lambda lanes, counts: sum(c for i, c in zip(lanes, counts, strict=True) if i == at)
    expected = "points, bombs, controls, ranks, copies:RANK, longest:KIND, turns"
    raise HandError(
        f"of: expected one of {expected}, got {of!r}",
        key="error.odds.of",
        field="of",
        expected=expected,
        got=of,
    )


def _bombs(ruleset: Ruleset) -> Callable[[tuple[int, ...], tuple[int, ...]], int]:
    """Return the number of bombs in a group of lanes: a rank is one however many are held."""
    steps = ruleset.ladder_in_force()
    least = min((s.size for s in steps if s.size and s.wild in ("any", "none")), default=99)
    sets = [
        cards.counts_of(cards.parse_cards(one))
        for step in steps
        for text in step.cards
        for one in text.split("=")
    ]

    def number(lanes: tuple[int, ...], counts: tuple[int, ...]) -> int:
        if len(lanes) == 1:
            return int(counts[0] >= least)
        return int(
            any(
                all(c >= one[lane] for lane, c in zip(lanes, counts, strict=True))
                and any(one[lane] for lane in lanes)
                for one in sets
            )
        )

    return number


def _added(
    ruleset: Ruleset, n: int, worth: Callable[[tuple[int, ...], tuple[int, ...]], int]
) -> dict[int, Fraction]:
    """Return the exact spread of a number that groups of lanes add up to."""
    pool = cards.counts_of(ruleset.deck_cards)
    table: dict[int, list[int]] = {0: [1] + [0] * n}
    for lanes in _GROUPS:
        factors: dict[int, list[int]] = {}
        for counts in grid([pool[lane] for lane in lanes]):
            factor = factors.setdefault(worth(lanes, counts), [0] * (sum(pool) + 1))
            factor[sum(counts)] += math.prod(
                math.comb(pool[lane], c) for lane, c in zip(lanes, counts, strict=True)
            )
        after: dict[int, list[int]] = {}
        for before, ways in table.items():
            for more, factor in factors.items():
                target = after.setdefault(before + more, [0] * (n + 1))
                for i, number in enumerate(times(ways, factor[: n + 1])):
                    target[i] += number
        table = after
    total = math.comb(sum(pool), n)
    return {number: Fraction(ways[n], total) for number, ways in table.items()}


def _longest(kind: str, n: int, ruleset: Ruleset) -> dict[int, Fraction]:
    """Return the exact spread of the length of the longest chain of a kind."""
    lengths = lengths_of(ruleset, kind)
    held = [Fraction(exact_frequency(f"{kind}:{length}", n, ruleset)) for length in lengths]
    spread = {0: 1 - held[0]}
    for length, this, longer in zip(lengths, held, [*held[1:], Fraction(0)], strict=True):
        spread[length] = this - longer
    return spread


def _turns(n: int, rules: AnyRules, samples: int, seed: int) -> Distribution:
    """Return the sampled spread of the fewest plays."""
    ruleset = plain_rules(rules)
    found: dict[int, int] = {}
    rng = sampling.generator(seed)
    for chunk in sampling.layouts(deck_of(ruleset), [n], samples, rng):
        for hand in chunk[:, 0].tolist():
            plays = decompose.fewest(cards.from_counts(hand), rules)
            found[plays] = found.get(plays, 0) + 1
    return Distribution(
        of="turns",
        n=n,
        chances={plays: found[plays] / samples for plays in sorted(found)},
        method="sampled",
        samples=samples,
        seed=seed,
        rules=ruleset.id,
    )
