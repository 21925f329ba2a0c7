"""Random hands that fit a wish: points, counts of ranks, kinds held or not, fewest plays.

Layer 3. What can be counted (points, counts of ranks, kinds of one rank that are not to be held) is
drawn exactly, by the number of ways; the rest is tried hand by hand, up to a limit. So a wish costs
nothing for being rare in points, a wish that contradicts itself is refused with the parts that do,
and a search that found nothing says how rare such a hand is at least.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core import cards, estimate
from ddz_core.bots.rule import POINTS
from ddz_core.clauses import Clause, clauses_of, kind_ids
from ddz_core.counting import automaton
from ddz_core.dealing import AnyRules, check_seed, plain_rules
from ddz_core.decompose import search_of
from ddz_core.errors import HandError
from ddz_core.estimate import Estimate
from ddz_core.language import Phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.specs import Ruleset

LIMIT = 50_000
"""Hands tried before a search gives up."""
MOST = 1_000
"""Most hands of one search."""
_BATCH = 2_000
_MOST_CHOICES = 3_000

Range = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Hands that fit a wish.

    Attributes:
        hands: each low to high, in the order drawn.
        tried: hands that fitted what can be counted.
        share: how many of all random hands fit the wish.
        seed: of the search.
    """

    hands: tuple[str, ...]
    tried: int
    share: Estimate
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a hand is to be like; every part is optional, every range inclusive.

    Attributes:
        points: 4-3-2-1 points.
        ranks: cards of single ranks.
        holds: kinds that it must hold, as :func:`ddz_core.probability.frequency` names them.
        lacks: kinds that it must not hold.
        turns: fewest plays.
    """

    points: Range | None = None
    ranks: tuple[tuple[str, Range], ...] = ()
    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    turns: Range | None = None

    def parts(self) -> list[Wish]:
        """Return the wish cut into its single parts."""
        found = [Wish(points=self.points)] if self.points else []
        found += [Wish(ranks=(one,)) for one in self.ranks]
        found += [Wish(holds=(kind,)) for kind in self.holds]
        found += [Wish(lacks=(kind,)) for kind in self.lacks]
        return found + ([Wish(turns=self.turns)] if self.turns else [])

    def phrase(self) -> Phrase:
        """Return a single part in words."""
        if self.points:
            return Phrase("like.points", {"low": self.points[0], "high": self.points[1]})
        if self.ranks:
            rank, (low, high) = self.ranks[0]
            return Phrase("like.rank", {"rank": rank_phrase(rank), "low": low, "high": high})
        if self.holds or self.lacks:
            key = "like.holds" if self.holds else "like.lacks"
            return Phrase(key, {"kind": kind_phrase((self.holds or self.lacks)[0])})
        low, high = self.turns or (0, 0)
        return Phrase("like.turns", {"low": low, "high": high})

    def text(self) -> str:
        """Return a single part as plain English, for messages without a catalogue."""
        for name in ("points", "turns"):
            value = getattr(self, name)
            if value:
                return f"{name} {value[0]} to {value[1]}"
        if self.ranks:
            rank, (low, high) = self.ranks[0]
            return f"{low} to {high} cards of rank {rank}"
        return f"{'holds' if self.holds else 'lacks'} {(self.holds or self.lacks)[0]}"


def rank_phrase(rank: str) -> Phrase | str:
    """Return a rank in words: jokers from the catalogue, ten as 10."""
    if rank in "XD":
        return Phrase(f"table.rank.{rank}")
    return "10" if rank == "T" else rank


def kind_phrase(kind: str) -> Phrase | str:
    """Return a kind in words, with its length or top as written."""
    name, _, more = kind.partition(":")
    return (
        Phrase("like.kind", {"kind": Phrase(f"kind.{name}"), "more": more})
        if more
        else Phrase(f"kind.{name}")
    )


def joined(parts: Sequence[Wish]) -> Wish:
    """Return several wishes as one."""
    return Wish(
        points=next((one.points for one in parts if one.points), None),
        ranks=tuple(itertools.chain.from_iterable(one.ranks for one in parts)),
        holds=tuple(itertools.chain.from_iterable(one.holds for one in parts)),
        lacks=tuple(itertools.chain.from_iterable(one.lacks for one in parts)),
        turns=next((one.turns for one in parts if one.turns), None),
    )


def hands_like(
    rules: AnyRules,
    *,
    points: Range | None = None,
    ranks: Mapping[str, int | Range] | None = None,
    holds: Sequence[str] = (),
    lacks: Sequence[str] = (),
    turns: Range | None = None,
    size: int | None = None,
    number: int = 1,
    seed: int = 1,
    limit: int = LIMIT,
) -> Found:
    """Return random hands that fit a wish, each such hand as likely as any other.

    Args:
        rules: the game.
        points: least and most 4-3-2-1 points.
        ranks: cards of single ranks, a number or least and most.
        holds: kinds that it must hold, such as ``bomb``, ``rocket``, ``straight:8``.
        lacks: kinds that it must not hold.
        turns: fewest and most plays that it may need.
        size: cards of the hand; left out, those of the deal.
        number: hands to find, from 1 to 1,000.
        seed: of the search.
        limit: hands to try, from 1 to 10 millions.

    Raises:
        HandError: for a range that cannot be; for parts that contradict each other, naming them;
            if nothing was found, with an estimate of how rare such a hand is at least.
        RulesetError: for a kind that this game does not have.
        DdzError: for a number or seed that cannot be.
    Cost: about 10 to 40 microseconds a hand tried.

    >>> from ddz_core.rules import load_ruleset
    >>> found = hands_like(load_ruleset("classic"), points=(7, 8), ranks={"2": 2}, seed=5)
    >>> found.hands[0].count("2")
    2
    """
    ruleset = plain_rules(rules)
    n = ruleset.deal.hand if size is None else size
    most = cards.size_of(ruleset.deck_cards)
    _whole("size", n, 1, most)
    _whole("number", number, 1, MOST)
    _whole("limit", limit, 1, 10_000_000)
    check_seed(seed)
    wish = _checked(ruleset, n, points, ranks, holds, lacks, turns)
    _refuse_contradiction(ruleset, n, wish)
    bounds = _bounds(ruleset, wish, wish.lacks)
    table = _table(ruleset, n, bounds, wish.points or (0, 999))
    rng = np.random.Generator(np.random.PCG64(seed))
    test = _Test(ruleset, wish)
    found: list[str] = []
    tried = hits = 0
    while tried < limit and len(found) < number:
        for counts in table.draw(min(_BATCH, limit - tried), rng, test):
            tried += 1
            if counts is None:
                continue
            hits += 1
            found.append(cards.format_cards(cards.from_counts(counts)))
            if len(found) == number:
                break
    base = float(table.ways) / math.comb(most, n)
    if not found:
        raise _too_rare(tried, base)
    share = estimate.exact(base) if test.free else _scaled(hits, tried, base, seed)
    return Found(hands=tuple(found), tried=tried, share=share, seed=seed)


def _scaled(hits: int, tried: int, base: float, seed: int) -> Estimate:
    seen = estimate.share(hits, tried, seed=seed)
    return Estimate(
        value=seen.value * base,
        low=seen.low * base,
        high=seen.high * base,
        n=tried,
        method="sampled",
        seed=seed,
    )


def _too_rare(tried: int, base: float) -> HandError:
    # three over n is the 95 % bound of a share that never happened in n tries
    one_in = round(tried / (3 * base))
    return HandError(
        f"none of {tried} hands fits: such a hand is rarer than one in {one_in}",
        key="error.like.rare",
        field="limit",
        expected=1,
        got=0,
        tried=tried,
        one_in=f"{one_in:,}",
    )


def _whole(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise HandError(
            f"{name}: expected a whole number from {low} to {high}, got {value!r}",
            key="error.like.range",
            field=name,
            expected=f"{low}–{high}",
            got=value,
        )


def _range(name: str, value: object, high: int) -> Range:
    """Return a range that can be."""
    pair: list[object] = [value, value] if isinstance(value, int) else []
    if isinstance(value, (tuple, list)):
        pair = list(value)
    whole = [x for x in pair if isinstance(x, int) and not isinstance(x, bool)]
    if len(pair) != 2 or len(whole) != 2 or not 0 <= whole[0] <= whole[1] <= high:
        raise HandError(
            f"{name}: expected least and most, from 0 to {high}, got {value!r}",
            key="error.like.range",
            field=name,
            expected=f"0–{high}",
            got=value,
        )
    return whole[0], whole[1]


def _checked(
    ruleset: Ruleset,
    n: int,
    points: object,
    ranks: Mapping[str, int | Range] | None,
    holds: Sequence[str],
    lacks: Sequence[str],
    turns: object,
) -> Wish:
    deck = cards.counts_of(ruleset.deck_cards)
    known = kind_ids(ruleset)
    wanted = []
    for rank, value in (ranks or {}).items():
        if len(rank) != 1 or rank not in ruleset.deck.ranks:
            raise HandError(
                f"ranks: expected one of {ruleset.deck.ranks}, got {rank!r}",
                key="error.like.range",
                field="ranks",
                expected=ruleset.deck.ranks,
                got=rank,
            )
        wanted.append((rank, _range(f"ranks {rank}", value, deck[cards.LANE[rank]])))
    for kind in (*holds, *lacks):
        if kind.partition(":")[0] not in known:
            clauses_of(ruleset, (kind,))
    return Wish(
        points=None if points is None else _range("points", points, 999),
        ranks=tuple(wanted),
        holds=tuple(dict.fromkeys(holds)),
        lacks=tuple(dict.fromkeys(lacks)),
        turns=None if turns is None else _range("turns", turns, n),
    )


# --- contradictions ------------------------------------------------------------------------------

Bounds = tuple[tuple[int, int], ...]


def _bounds(ruleset: Ruleset, wish: Wish, lacks: Sequence[str]) -> Bounds | None:
    """Return least and most cards by lane; None where a lane has no number left."""
    deck = cards.counts_of(ruleset.deck_cards)
    low, high = [0] * cards.LANES, list(deck)
    for rank, (least, most) in wish.ranks:
        lane = cards.LANE[rank]
        low[lane], high[lane] = max(low[lane], least), min(high[lane], most)
    for kind in lacks:
        for clause in _plain(ruleset, kind) or ():
            lane = next(i for i, count in enumerate(clause.at) if count)
            high[lane] = min(high[lane], clause.at[lane] - 1)
    if any(a > b for a, b in zip(low, high, strict=True)):
        return None
    return tuple(zip(low, high, strict=True))


@lru_cache(maxsize=512)
def _plain(ruleset: Ruleset, kind: str) -> tuple[Clause, ...] | None:
    """Return the clauses of a kind if each is a number of cards of one rank, else None."""
    found = clauses_of(ruleset, (kind,))
    one = all(sum(c > 0 for c in clause.at) == 1 and not clause.wants for clause in found)
    return found if one and ruleset.wilds.mode == "none" else None


def _possible(ruleset: Ruleset, n: int, wish: Wish) -> bool:
    """Tell whether some hand may fit; fewest plays are left to the search."""
    bounds = _bounds(ruleset, wish, wish.lacks)
    if bounds is None:
        return False
    options = [clauses_of(ruleset, (kind,)) for kind in wish.holds]
    mixed = [kind for kind in wish.lacks if _plain(ruleset, kind) is None]
    for chosen in itertools.islice(itertools.product(*options), _MOST_CHOICES):
        raised = _raised(n, bounds, chosen)
        if raised is None or not _fits(n, raised, wish.points):
            continue
        least = tuple(low for low, _ in raised)
        if not any(automaton(ruleset, (kind,)).holds(least) for kind in mixed):
            return True
    return math.prod(map(len, options)) > _MOST_CHOICES


def _raised(n: int, bounds: Bounds, chosen: Sequence[Clause]) -> Bounds | None:
    """Return the bounds with the cards of some clauses; None if they do not fit in."""
    raised = []
    for lane, (low, high) in enumerate(bounds):
        least = max([low, *(clause.at[lane] for clause in chosen)])
        if least > high:
            return None
        raised.append((least, high))
    for clause in chosen:
        if sum(clause.at) + sum(want.size * want.need for want in clause.wants) > n:
            return None
    return tuple(raised)


def _fits(n: int, bounds: Bounds, points: Range | None) -> bool:
    """Tell whether ``n`` cards within bounds can have these points."""
    worth = [lane for lane in POINTS if bounds[lane][1]]
    free = [bounds[lane] for lane in range(cards.LANES) if lane not in POINTS]
    least, most = sum(low for low, _ in free), sum(high for _, high in free)
    low, high = points or (0, 999)
    for counts in itertools.product(*(range(bounds[i][0], bounds[i][1] + 1) for i in worth)):
        total = sum(POINTS[lane] * c for lane, c in zip(worth, counts, strict=True))
        if low <= total <= high and least <= n - sum(counts) <= most:
            return True
    return False


def _refuse_contradiction(ruleset: Ruleset, n: int, wish: Wish) -> None:
    """Refuse a wish that no hand can fit, naming the fewest parts that contradict each other."""
    parts = wish.parts()
    if _possible(ruleset, n, wish):
        return
    for number in range(1, len(parts) + 1):
        for some in itertools.combinations(parts, number):
            if not _possible(ruleset, n, joined(some)):
                raise _contradiction(some)


def _contradiction(some: Sequence[Wish]) -> HandError:
    texts = [one.text() for one in some]
    key = {1: "error.like.one", 2: "error.like.pair"}.get(len(some), "error.like.several")
    params: dict[str, Any] = {"first": some[0].phrase()}
    if len(some) > 1:
        params["second"] = some[1].phrase()
    if len(some) > 2:
        rest: Phrase | str = some[-1].phrase()
        for one in reversed(some[2:-1]):
            rest = Phrase("like.and", {"first": one.phrase(), "second": rest})
        params["rest"] = rest
    return HandError(
        f"no hand can fit: {' and '.join(texts)}",
        key=key,
        field=" and ".join(texts),
        expected="",
        got="",
        **params,
    )


# --- drawing -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Table:
    """The ways to go on from lane to lane, for exact draws.

    Attributes:
        bounds: least and most cards by lane.
        n: cards of the hand.
        ways: hands in all, counted as physical cards.
        steps: by lane, the cumulated chance of each count, by cards and points left.
        worth: points of a card by lane.
        top: most points left that are told apart.
    """

    bounds: Bounds
    n: int
    ways: int
    steps: list[NDArray[np.float64]]
    worth: list[int]
    start: list[int] = field(default_factory=list)
    spread: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def draw(
        self, number: int, rng: np.random.Generator, test: _Test
    ) -> list[tuple[int, ...] | None]:
        """Return hands by lane, None in place of those that do not pass the test."""
        left = np.full(number, self.n)
        points = rng.choice(self.start, size=number, p=self.spread)
        counts = np.zeros((number, cards.LANES), dtype=np.int64)
        for lane, step in enumerate(self.steps):
            rolls = rng.random(number)[:, None]
            taken = (rolls >= step[left, points]).sum(axis=1)
            counts[:, lane] = taken
            left = left - taken
            points -= taken * self.worth[lane]
        return test.passed(counts)


def _table(ruleset: Ruleset, n: int, bounds: Bounds | None, points: Range) -> _Table:
    """Return the table of draws for hands within bounds and points."""
    assert bounds is not None
    deck = cards.counts_of(ruleset.deck_cards)
    worth = [POINTS.get(lane, 0) for lane in range(cards.LANES)]
    top = min(points[1], sum(w * high for w, (_, high) in zip(worth, bounds, strict=True)))
    after: list[list[int]] = [
        [int(c == 0 and p == 0) for p in range(top + 1)] for c in range(n + 1)
    ]
    steps: list[NDArray[np.float64]] = []
    for lane in range(cards.LANES - 1, -1, -1):
        low, high = bounds[lane]
        now = [[0] * (top + 1) for _ in range(n + 1)]
        step = np.ones((n + 1, top + 1, deck[lane] + 1))
        for c in range(n + 1):
            for p in range(top + 1):
                ways = [0] * (deck[lane] + 1)
                for k in range(low, min(high, c) + 1):
                    if k * worth[lane] <= p:
                        ways[k] = math.comb(deck[lane], k) * after[c - k][p - k * worth[lane]]
                total = now[c][p] = sum(ways)
                if total:
                    step[c, p] = [x / total for x in itertools.accumulate(ways)]
        steps.append(step)
        after = now
    start = list(range(min(points[0], top + 1), top + 1))
    each = [after[n][p] for p in start]
    total = sum(each)
    spread = np.array([ways / total for ways in each])
    return _Table(bounds, n, total, steps[::-1], worth, start, spread)


class _Test:
    """What is tried hand by hand: kinds held and not held, fewest plays."""

    def __init__(self, ruleset: Ruleset, wish: Wish) -> None:
        self._search, self._turns = search_of(ruleset), wish.turns
        mixed = [kind for kind in wish.lacks if _plain(ruleset, kind) is None]
        self._kinds = [(self._of(ruleset, kind), True) for kind in wish.holds]
        self._kinds += [(self._of(ruleset, kind), False) for kind in mixed]
        self.free = not self._kinds and self._turns is None
        """Whether there is nothing to try: every hand drawn fits."""

    @staticmethod
    def _of(ruleset: Ruleset, kind: str) -> tuple[NDArray[np.int64], bool, Any]:
        clauses = clauses_of(ruleset, (kind,))
        at = np.array([clause.at for clause in clauses], dtype=np.int64)
        plain = ruleset.wilds.mode == "none" and not any(clause.wants for clause in clauses)
        return at, plain, automaton(ruleset, (kind,))

    def passed(self, counts: NDArray[np.int64]) -> list[tuple[int, ...] | None]:
        """Return each hand that passes, None in place of the others."""
        good = np.ones(len(counts), dtype=bool)
        for (at, plain, machine), wanted in self._kinds:
            held = np.zeros(len(counts), dtype=bool)
            for clause in at:
                held |= (counts >= clause).all(axis=1)
            if not plain:
                for i in np.flatnonzero(good & held) if at.any() else np.flatnonzero(good):
                    held[i] = machine.holds(tuple(int(c) for c in counts[i]))
            good &= held == wanted
        found: list[tuple[int, ...] | None] = []
        for place, row in enumerate(counts.tolist()):
            fits = bool(good[place])
            if fits and self._turns is not None:
                plays = self._search.fewest(cards.from_counts(row))
                fits = self._turns[0] <= plays <= self._turns[1]
            found.append(tuple(row) if fits else None)
        return found
