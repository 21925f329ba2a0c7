"""What the bottom cards can bring to a hand: counted, and played out.

Layer 3, under :mod:`ddz_core.bidding`.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import cards, estimate
from ddz_core.bidding import CHUNK, BidReport, Question
from ddz_core.bidding_deals import (
    Deals,
    Sample,
    check_deals,
    check_kernel,
    kernel_lacks,
    unseen_cards,
)
from ddz_core.bookbids import points_of
from ddz_core.dealing import AnyRules, check_cards, check_seed, plain_rules
from ddz_core.decompose import search_of
from ddz_core.errors import DdzError
from ddz_core.estimate import Estimate
from ddz_core.patterns.reading import packed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ddz_core.specs import Ruleset

MOST_BOTTOMS = 20_000
"""Sets of bottom cards that are counted one by one; where there are more, some are drawn."""
DRAWN = 4_000

SPREAD_BOTTOMS, SPREAD_DEALS = 100, 40


@dataclass(frozen=True, slots=True)
class Bottom:
    """One set of bottom cards and what it brings.

    Attributes:
        cards: packed.
        ways: number of ways to draw it, from physical cards.
        events: names of :func:`events_of` that hold.
        points: points that come.
        turns: fewest plays of hand and bottom together.
    """

    cards: cards.Hand
    ways: int
    events: frozenset[str]
    points: int
    turns: int


@dataclass(frozen=True, slots=True)
class Improvements:
    """What the bottom cards can bring to one hand.

    Attributes:
        hand: the cards, low to high.
        turns: fewest plays of the hand alone.
        method: ``exact`` where every bottom was counted, else ``sampled``.
        seed: of the bottoms drawn, None where counted.
        bottoms: every bottom, or those drawn.
    """

    hand: str
    turns: int
    method: estimate.Method
    seed: int | None
    bottoms: tuple[Bottom, ...]

    @property
    def ways(self) -> int:
        """Ways to draw the bottom, or the number drawn."""
        return sum(one.ways for one in self.bottoms)

    def chance(self, event: str) -> Estimate:
        """Return the chance of an event, or of ``turns:N`` (N plays fewer than the hand alone).

        ``turns:-1`` is one play more.
        """
        return self._share(sum(one.ways for one in self.bottoms if self._has(one, event)))

    def events(self) -> list[str]:
        """Return the events that can happen, those of cards first, then ``turns:N``, most first."""
        found: set[str] = set().union(*(one.events for one in self.bottoms))
        named = [event for event in EVENTS if event in found]
        changes = sorted({self.turns - one.turns for one in self.bottoms}, reverse=True)
        return named + [f"turns:{change}" for change in changes]

    def mean_points(self) -> float:
        """Return the points that come on average."""
        return sum(one.points * one.ways for one in self.bottoms) / self.ways

    def mean_turns(self) -> float:
        """Return the fewest plays of hand and bottom on average."""
        return sum(one.turns * one.ways for one in self.bottoms) / self.ways

    def after(self, event: str, sample: Sample, seed: int) -> tuple[Estimate, Estimate] | None:
        """Return the chance to win as landlord after an event, and how far it lies from the whole.

        Args:
            event: as :meth:`chance`.
            sample: deals around the hand.
            seed: of the sample.

        Returns:
            None where fewer than two deals have the event, or all have it.
        """
        has = {one.cards: self._has(one, event) for one in self.bottoms}
        here = np.array([has.get(int(one), False) for one in sample.bottoms], dtype=bool)
        won = sample.won[:, 0]
        n, m = int(here.sum()), int((~here).sum())
        if n < 2 or m < 2:
            return None
        with_it = estimate.share(int(won[here].sum()), n, seed=seed)
        p, q, rest = n / (n + m), with_it.value, float(won[~here].mean())
        change = (1 - p) * (q - rest)
        noise = (1 - p) * math.sqrt(max(q * (1 - q), 1 / n) / n + rest * (1 - rest) / m)
        half = 1.96 * noise
        return with_it, Estimate(
            value=change,
            low=change - half,
            high=change + half,
            n=n + m,
            method="sampled",
            seed=seed,
        )

    def rows(self, sample: Sample | None = None, seed: int = 0) -> list[dict[str, object]]:
        """Return one row an event: chance, ways, and with a sample the chance to win after it."""
        found: list[dict[str, object]] = []
        for event in self.events():
            chance = self.chance(event)
            row: dict[str, object] = {
                "event": event,
                "chance": chance.value,
                "ways": sum(one.ways for one in self.bottoms if self._has(one, event)),
                "of": self.ways,
                "method": self.method,
            }
            after = None if sample is None else self.after(event, sample, seed)
            if after is not None:
                win, change = after
                row |= {"win": win.value, "win_low": win.low, "win_high": win.high}
                row |= {"change": change.value, "change_low": change.low}
                row |= {"change_high": change.high, "deals": win.n, "seed": seed}
            found.append(row)
        return found

    def _has(self, one: Bottom, event: str) -> bool:
        what, _, number = event.partition(":")
        return self.turns - one.turns == int(number) if what == "turns" else event in one.events

    def _share(self, ways: int) -> Estimate:
        if self.method == "exact":
            return estimate.exact(ways / self.ways)
        return estimate.share(ways, self.ways, seed=self.seed)


EVENTS = ("rocket", "joker", "two", "no_points", "bomb", "triple", "fewer_gaps")
"""Events of cards: the hand holds a set of the ladder (the rocket) only now; a joker comes; a 2
comes; no card with points comes; there is a bomb of equal cards more; a pair or less becomes three
or four; a rank comes that the hand lacked of the longest straight."""


def improvements(hand: str | cards.Hand, rules: AnyRules, *, seed: int = 1) -> Improvements:
    """Return what the bottom cards can bring, counted over every bottom where that is possible.

    Args:
        hand: as many cards as the game deals.
        rules: the game.
        seed: of the bottoms drawn where they are too many to count.

    Raises:
        NotationError, HandError: if the cards cannot be read or dealt.
        DdzError: if the game has no bottom cards, or for a seed that cannot be.
    Cost: some 30 ms for the 680 bottoms of a three-card bottom.
    """
    ruleset = plain_rules(rules)
    own, size = packed(hand), ruleset.deal.bottom
    check_cards(ruleset, [("hand", own, ruleset.deal.hand)])
    check_seed(seed)
    if size == 0:
        raise DdzError(
            "bottom: this game has no bottom cards",
            key="error.bid.no_bottom",
            field="bottom",
            expected=0,
            got=0,
        )
    search = search_of(ruleset)
    pool = cards.counts_of(ruleset.deck_cards - own)
    lanes = [lane for lane in range(cards.LANES) if pool[lane]]
    exact = math.comb(len(lanes) + size - 1, size) <= MOST_BOTTOMS
    drawn = _all(pool, lanes, size) if exact else _some(ruleset, own, size, seed)
    bottoms = tuple(
        Bottom(
            bottom,
            ways,
            frozenset(events_of(ruleset, own, bottom)),
            points_of(bottom),
            search.fewest(own + bottom),
        )
        for bottom, ways in drawn
    )
    return Improvements(
        cards.format_cards(own),
        search.fewest(own),
        "exact" if exact else "sampled",
        None if exact else seed,
        bottoms,
    )


def _all(pool: tuple[int, ...], lanes: list[int], size: int) -> Iterator[tuple[cards.Hand, int]]:
    """Yield every set of bottom cards with its number of ways."""
    for chosen in itertools.combinations_with_replacement(lanes, size):
        counts = {lane: chosen.count(lane) for lane in set(chosen)}
        ways = math.prod(math.comb(pool[lane], n) for lane, n in counts.items())
        if ways:
            yield sum(n << 4 * lane for lane, n in counts.items()), ways


def _some(
    ruleset: Ruleset, own: cards.Hand, size: int, seed: int
) -> Iterator[tuple[cards.Hand, int]]:
    """Yield random bottoms, each as one way."""
    rng = np.random.Generator(np.random.PCG64(seed))
    deck = unseen_cards(ruleset, own)
    drawn = rng.permuted(np.broadcast_to(deck, (DRAWN, len(deck))), axis=1)
    for one in drawn[:, :size].sum(axis=1, dtype=np.uint64):
        yield int(one), 1


def events_of(ruleset: Ruleset, hand: cards.Hand, bottom: cards.Hand) -> list[str]:
    """Return what a bottom brings to a hand, names of :data:`EVENTS`."""
    both = hand + bottom
    before, come, after = map(cards.counts_of, (hand, bottom, both))
    sets = [
        cards.parse_cards(part)
        for step in ruleset.ladder_in_force()
        for text in step.cards
        for part in text.split("=")
    ]
    chain = max(ruleset.play.orders.values(), key=len, default="")
    smallest = min((step.size for step in ruleset.ladder_in_force() if step.size), default=99)
    asked = {
        "rocket": any(cards.contains(both, s) and not cards.contains(hand, s) for s in sets),
        "joker": come[cards.SMALL_JOKER] + come[cards.BIG_JOKER] > 0,
        "two": come[cards.LANE["2"]] > 0,
        "no_points": points_of(bottom) == 0,
        "bomb": any(b < smallest <= a for b, a in zip(before, after, strict=True)),
        "triple": any(b < 3 <= a for b, a in zip(before, after, strict=True)),
        "fewer_gaps": any(
            come[cards.LANE[rank]] and not before[cards.LANE[rank]] for rank in chain
        ),
    }
    return [event for event in EVENTS if asked[event]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A hand judged, and what the bottom does to it; running results of :func:`looks`.

    Attributes:
        report: of :func:`ddz_core.bidding.bids`.
        rows: of :meth:`Improvements.rows`, once the deals are played; else empty.
        spread: over the bottoms, last of all; else None.
    """

    report: BidReport
    rows: tuple[dict[str, object], ...] = ()
    spread: BottomSpread | None = None


def looks(
    hand: str | cards.Hand,
    rules: AnyRules,
    seat: int = 0,
    *,
    before: Sequence[str | int] | None = None,
    deals: int = 10_000,
    seed: int = 1,
) -> Iterator[Looked]:
    """Judge a hand as :func:`ddz_core.bidding.bids` does, then count what the bottom brings.

    Arguments and errors as there; the deals of the reports and of the rows are the same. Where
    whole games are played, there are reports alone.
    """
    question = Question.of(hand, rules, seat, before=before)
    if kernel_lacks(question.ruleset):
        for running in question.game_reports(check_deals(deals), check_seed(seed)):
            yield Looked(report=running)
        return
    check_deals(deals)
    drawn = Deals(question.ruleset, question.hand, seed=check_seed(seed))
    while drawn.sample.size < deals:
        drawn.more(min(CHUNK, deals - drawn.sample.size))
        report = question.report(drawn.sample, seed)
        yield Looked(report=report)
    rows = tuple(improvements(hand, rules, seed=seed).rows(drawn.sample, seed))
    yield Looked(report=report, rows=rows)
    yield Looked(report=report, rows=rows, spread=bottom_spread(hand, rules, seed=seed))


def bottom_rows(
    hand: str | cards.Hand, rules: AnyRules, *, deals: int = 10_000, seed: int = 1
) -> list[dict[str, object]]:
    """Return what the bottom can bring and what each event does to the chance to win, as rows."""
    question = Question.of(hand, rules)
    check_kernel(question.ruleset)
    drawn = Deals(question.ruleset, question.hand, seed=check_seed(seed))
    drawn.more(check_deals(deals))
    return improvements(hand, rules, seed=seed).rows(drawn.sample, seed)


@dataclass(frozen=True, slots=True)
class BottomSpread:
    """How the chance to win as landlord varies with the bottom cards.

    Attributes:
        mean: over all bottoms.
        deviation: standard deviation of the true chance from bottom to bottom, noise taken out.
        low, high: the chances that one bottom in ten stays below, and above.
        bottoms, deals: bottoms drawn, and deals of each.
        seed: of both.
    """

    mean: Estimate
    deviation: float
    low: float
    high: float
    bottoms: int
    deals: int
    seed: int


def bottom_spread(
    hand: str | cards.Hand,
    rules: AnyRules,
    *,
    bottoms: int = SPREAD_BOTTOMS,
    deals: int = SPREAD_DEALS,
    seed: int = 1,
) -> BottomSpread:
    """Return how the chance to win as landlord varies with the bottom cards.

    Args:
        hand: as many cards as the game deals.
        rules: the game.
        bottoms: random bottoms, from 2 to 10,000.
        deals: deals of each, from 2 to 10,000.
        seed: of both.

    Raises:
        NotationError, HandError: if the cards cannot be read or dealt.
        DdzError: for a number or seed that cannot be.
    Cost: some 30 microseconds for each deal of each bottom.
    """
    ruleset = plain_rules(rules)
    own = packed(hand)
    check_cards(ruleset, [("hand", own, ruleset.deal.hand)])
    for name, number in (("bottoms", bottoms), ("deals", deals)):
        if isinstance(number, bool) or not isinstance(number, int) or not 2 <= number <= 10_000:
            raise DdzError(
                f"{name}: expected a whole number from 2 to 10000, got {number!r}",
                key="error.odds.samples",
                field=name,
                expected="2–10000",
                got=number,
            )
    check_seed(seed)
    rng = np.random.Generator(np.random.PCG64(seed))
    deck = unseen_cards(ruleset, own)
    drawn = rng.permuted(np.broadcast_to(deck, (bottoms, len(deck))), axis=1)
    won = np.zeros(bottoms)
    engine = None
    for i, bottom in enumerate(drawn[:, : ruleset.deal.bottom].sum(axis=1, dtype=np.uint64)):
        game = Deals(ruleset, own, seed=seed + i, bottom=int(bottom), landlords=1, engine=engine)
        engine = game.engine
        won[i] = (game.more(deals).results[:, 0] & 1).mean()
    noise = float((won * (1 - won)).mean()) / (deals - 1)
    seen = float(won.var())
    pull = math.sqrt(max(0.0, 1 - noise / seen)) if seen > 0 else 0.0
    true = won.mean() + (won - won.mean()) * pull
    low, high = (float(x) for x in np.quantile(true, (0.1, 0.9)))
    mean = estimate.mean(
        float(won.sum()), float((won * won).sum()), bottoms, unit="probability", seed=seed
    )
    return BottomSpread(mean, math.sqrt(max(0.0, seen - noise)), low, high, bottoms, deals, seed)
