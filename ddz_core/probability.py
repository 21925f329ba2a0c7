"""Chances before anything is seen: what random hands of a game hold, exact wherever countable.

Layer 3. Every number is an :class:`~ddz_core.estimate.Estimate` that says whether it was counted or
sampled. The model is the same everywhere: all physical deals of the cards are equally likely.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core import cards, counting, estimate, sampling
from ddz_core.clauses import (
    NATURALS,
    Counts,
    bodies,
    caps_of,
    deck_of,
    group_size,
    joker_limit,
    kind_ids,
    loose,
    placements,
    unknown_kind,
)
from ddz_core.dealing import AnyRules, plain_rules
from ddz_core.errors import HandError
from ddz_core.estimate import Estimate
from ddz_core.specs import Kind, Ruleset

if TYPE_CHECKING:
    pass

POINTS = {"D": 4, "X": 3, "2": 2, "A": 1}
"""The point count of the beginners' book."""

SAMPLES = 20_000
"""Hands drawn where counting is out of reach."""


def names_of(kinds: str | Sequence[str]) -> tuple[str, ...]:
    """Return kinds as a tuple of different names, in a fixed order."""
    return tuple(sorted({kinds} if isinstance(kinds, str) else set(kinds)))


def check_size(ruleset: Ruleset, n: object) -> int:
    """Return a number of cards that a hand of this deck can have.

    Raises:
        HandError: if it is no whole number from 0 to the cards of the game.
    """
    most = cards.size_of(ruleset.deck_cards)
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 0 <= n <= most:
        raise HandError(
            f"n: expected a number of cards from 0 to {most}, got {n!r}",
            key="error.odds.size",
            field="n",
            expected=f"0–{most}",
            got=n,
        )
    return int(n)


def chance(
    pool: Counts,
    places: Sequence[counting.Place],
    machine: counting.Automaton,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Estimate:
    """Return the chance that at least one place holds a kind: counted, or sampled if too large."""
    try:
        return estimate.exact(float(1 - counting.chance_none(pool, places, machine)))
    except counting.TooManyCases:
        return sampled(pool, places, machine, samples=samples, seed=seed)


def sampled(
    pool: Counts,
    places: Sequence[counting.Place],
    machine: counting.Automaton,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Estimate:
    """Return the same chance from random layouts alone, with its interval."""
    hits = 0
    known = np.array([place.known for place in places], dtype=np.int8)
    sizes = [place.size for place in places]
    rng = sampling.generator(seed)
    for chunk in sampling.layouts(pool, sizes, sampling.check_samples(samples), rng):
        for layout in (chunk + known).tolist():
            hits += any(machine.holds(tuple(hand)) for hand in layout)
    return estimate.share(hits, samples, seed=seed)


def frequency(
    kinds: str | Sequence[str],
    n: int,
    rules: AnyRules,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Estimate:
    """Return the chance that a random hand of ``n`` cards holds at least one of the kinds.

    Args:
        kinds: ids of kinds, as ``bomb`` or ``["bomb", "rocket"]``. ``straight:8`` asks for at least
            eight groups (cards, for a bomb), ``straight:5:A`` for that top; cards such as ``22`` or
            ``XD`` ask for at least those.
        n: cards of the hand.
        rules: the game. A wild rank that is drawn later is not yet wild here.
        samples: hands drawn where counting is out of reach.
        seed: of those samples.

    Raises:
        RulesetError: for a kind that this game does not have.
        HandError: for a number of cards that the deck does not have.
    Cost: below a millisecond for most kinds once asked for before; 10-100 ms the first time.

    >>> from ddz_core import load_ruleset
    >>> round(frequency(["bomb", "rocket"], 17, load_ruleset("classic")).value, 4)
    0.1849
    """
    return anybody(kinds, [n], rules, samples=samples, seed=seed)


def anybody(
    kinds: str | Sequence[str],
    sizes: Sequence[int],
    rules: AnyRules,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Estimate:
    """Return the chance that at least one of several random hands holds one of the kinds.

    Args:
        kinds: as for :func:`frequency`.
        sizes: cards of each hand, together no more than the deck.
        rules: the game.
        samples: deals drawn where counting is out of reach.
        seed: of those samples.

    Raises:
        RulesetError: for a kind that this game does not have.
        HandError: for more cards than the deck has.
    """
    ruleset = plain_rules(rules)
    places = [counting.Place(check_size(ruleset, n)) for n in sizes]
    check_size(ruleset, sum(place.size for place in places))
    machine = counting.automaton(ruleset, names_of(kinds))
    return chance(deck_of(ruleset), places, machine, samples=samples, seed=seed)


def exact_frequency(kinds: str | Sequence[str], n: int, rules: AnyRules) -> Fraction | float:
    """Return :func:`frequency` as a fraction, for those who want every digit.

    Raises:
        counting.TooManyCases: where it can only be sampled.
    """
    ruleset = plain_rules(rules)
    machine = counting.automaton(ruleset, names_of(kinds))
    place = counting.Place(check_size(ruleset, n))
    return 1 - counting.chance_none(deck_of(ruleset), [place], machine)


# --- how many combinations a hand holds on average -----------------------------------------------


def mean_number(kind: str, n: int, rules: AnyRules) -> Estimate:
    """Return how many combinations of a kind a random hand of ``n`` cards holds on average.

    A set of cards counts once for each way to read it as this kind. Exact: the chance to hold a
    combination, added up over all combinations of the deck. Wilds count as what they are.

    Args:
        kind: the id of one kind or ladder row.
        n: cards of the hand.
        rules: the game.

    Raises:
        RulesetError: for a kind that this game does not have.
        HandError: for a number of cards that the deck does not have.
    Cost: a millisecond for kinds without kickers, some 50 ms for those with.
    """
    ruleset = plain_rules(rules)
    n = check_size(ruleset, n)
    if kind not in kind_ids(ruleset):
        raise unknown_kind(ruleset, kind)
    return estimate.exact(float(_mean(ruleset, kind, n)), unit="combinations")


@lru_cache(maxsize=512)
def _mean(ruleset: Ruleset, kind: str, n: int) -> Fraction:
    """Return the mean number of combinations, kept: tables ask for the same again and again."""
    pool = cards.counts_of(ruleset.deck_cards)
    held = 0
    for row in ruleset.kinds_in_force():
        if row.id == kind:
            held += sum(_held(ruleset, row, body, pool, n) for body in _all_bodies(ruleset, row))
    for step in ruleset.ladder_in_force():
        if step.id != kind:
            continue
        for lane in range(NATURALS) if step.size else ():
            held += _hands_with(pool, _only(lane, step.size), n)
        for text in step.cards:
            for one in text.split("="):
                held += _hands_with(pool, cards.counts_of(cards.parse_cards(one)), n)
    return Fraction(held, math.comb(sum(pool), n))


def _all_bodies(ruleset: Ruleset, row: Kind) -> Iterator[tuple[int, ...]]:
    low, high = row.body.run
    for length in range(low, min(high, ruleset.largest_hand // group_size(row)) + 1):
        yield from bodies(ruleset, row, length)


def _only(lane: int, count: int) -> Counts:
    return tuple(count if i == lane else 0 for i in range(cards.LANES))


def _hands_with(pool: Counts, at_least: Counts, n: int) -> int:
    """Return how many physical hands of ``n`` cards hold at least these counts."""
    ways = [1] + [0] * n
    for copies, least in zip(pool, at_least, strict=True):
        if least > copies:
            return 0
        if copies:
            ways = times(ways, [math.comb(copies, k) if k >= least else 0 for k in _upto(copies)])
    return ways[n]


def _upto(copies: int) -> range:
    return range(copies + 1)


def times(ways: list[int], factor: list[int]) -> list[int]:
    """Multiply two polynomials, the powers above those of the first left off."""
    out = [0] * len(ways)
    for k, weight in enumerate(factor):
        if weight:
            for i in range(len(ways) - k):
                if ways[i]:
                    out[i + k] += ways[i] * weight
    return out


def _held(ruleset: Ruleset, row: Kind, body: tuple[int, ...], pool: Counts, n: int) -> int:
    """Return the sum, over all kickers of a main part, of the hands that hold both."""
    return sum(
        _with_free(ruleset, row, body, at, loose(row), pool, n)
        for at in placements(ruleset, row, body)
    )


def _with_free(
    ruleset: Ruleset,
    row: Kind,
    body: tuple[int, ...],
    at: Counts,
    free: Sequence[Any],
    pool: Counts,
    n: int,
) -> int:
    """Return the sum over all free kickers beside ``at`` of the hands that hold everything."""
    if not free:
        return _hands_with(pool, at, n)
    needs = tuple(a.per * len(body) for a in free)
    caps = [caps_of(ruleset, row, body, at, a) for a in free]
    table: dict[tuple[int, ...], list[int]] = {(0,) * (len(free) + 1): [1] + [0] * n}
    for lane, copies in enumerate(pool):
        if not copies:
            continue
        after: dict[tuple[int, ...], list[int]] = {}
        for key, ways in table.items():
            for took, used in _choices(caps, free, lane, at[lane], copies, len(free) > 1):
                given = tuple(a + b for a, b in zip(key[:-1], took, strict=True))
                joker = key[-1]
                if used and lane == cards.SMALL_JOKER:
                    joker = 1
                if used and lane == cards.BIG_JOKER and joker and joker_limit(ruleset, free[0]):
                    continue
                if any(g > need for g, need in zip(given, needs, strict=True)):
                    continue
                least = at[lane] + used
                more = times(
                    ways, [math.comb(copies, k) if k >= least else 0 for k in _upto(copies)]
                )
                target = after.setdefault((*given, joker), [0] * (n + 1))
                for i, value in enumerate(more):
                    target[i] += value
        table = after
    return sum(ways[n] for key, ways in table.items() if key[:-1] == needs)


def _choices(
    caps: Sequence[Counts], free: Sequence[Any], lane: int, at: int, copies: int, apart: bool
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the groups taken of each attachment in one lane and the cards they use."""
    yield (0,) * len(free), 0
    for which, attachment in enumerate(free):
        for groups in range(1, caps[which][lane] + 1):
            used = groups * attachment.size
            if at + used <= copies and not (apart and at):
                yield tuple(groups if i == which else 0 for i in range(len(free))), used


# --- splits --------------------------------------------------------------------------------------


def split(
    missing: int, sizes: Sequence[int], unseen: int | None = None
) -> dict[tuple[int, ...], float]:
    """Return how missing cards are split between hands, each split with its chance.

    Args:
        missing: how many cards are asked about, all alike.
        sizes: cards of each hand.
        unseen: unseen cards in all; left out, the hands hold all of them.

    Returns:
        Cards by hand, the likeliest split first. Exact.

    Raises:
        HandError: if more cards are missing than unseen, or the hands hold more than are unseen.

    >>> {k: round(v, 3) for k, v in split(1, [3, 9]).items()}
    {(0, 1): 0.75, (1, 0): 0.25}
    """
    total = sum(sizes) if unseen is None else unseen
    for name, number, most in (("missing", missing, total), ("sizes", sum(sizes), total)):
        if isinstance(number, bool) or not 0 <= number <= most:
            raise HandError(
                f"{name}: expected 0 to {most} cards, got {number}",
                key="error.odds.count",
                field=name,
                expected=f"0–{most}",
                got=number,
            )
    rest = total - sum(sizes)
    found = {}
    for given in grid([min(missing, size) for size in sizes]):
        over = missing - sum(given)
        if 0 <= over <= rest:
            ways = math.prod(math.comb(size, k) for size, k in zip(sizes, given, strict=True))
            found[given] = ways * math.comb(rest, over) / math.comb(total, missing)
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def grid(copies: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all counts up to these copies."""
    if not copies:
        yield ()
        return
    for first in range(copies[0] + 1):
        for rest in grid(copies[1:]):
            yield (first, *rest)


# --- tables --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KindFrequency:
    """How often random hands of some size hold a kind.

    Attributes:
        kind: its id.
        n: cards of the hand.
        chance: that at least one combination is held.
        mean: combinations held on average.
    """

    kind: str
    n: int
    chance: Estimate
    mean: Estimate


def frequency_table(rules: AnyRules, sizes: Sequence[int] = ()) -> list[KindFrequency]:
    """Return the frequency of every kind for hands as dealt and with the bottom cards.

    Args:
        rules: the game.
        sizes: cards of the hands; left out, the game's own (17 and 20 in the classic game).
    """
    ruleset = plain_rules(rules)
    sizes = sizes or sorted({ruleset.deal.hand, ruleset.largest_hand})
    return [
        KindFrequency(kind, n, frequency(kind, n, rules), mean_number(kind, n, rules))
        for kind in kind_ids(ruleset)
        for n in sizes
    ]


# --- hub ranks -----------------------------------------------------------------------------------


def lengths_of(ruleset: Ruleset, kind: str) -> list[int]:
    """Return the lengths that a chain of a kind can have in this game."""
    rows = [row for row in ruleset.kinds_in_force() if row.id == kind]
    if not rows:
        raise unknown_kind(ruleset, kind)
    low = min(row.body.run[0] for row in rows)
    high = max(min(row.body.run[1], ruleset.largest_hand // group_size(row)) for row in rows)
    return list(range(low, high + 1))


def hub_ranks(kind: str, rules: AnyRules, length: int = 0) -> list[str]:
    """Return the smallest sets of ranks without which no chain of a kind and length exists.

    Args:
        kind: the id of a kind.
        rules: the game.
        length: groups of the chain; 0 for the shortest that the game allows.

    Returns:
        All smallest sets as text, low to high: ``["6J", ..., "7T"]`` for straights of five.

    Raises:
        RulesetError: for a kind or a length that this game does not have.
    Cost: below 10 ms; a chain that wilds could fill is judged by its natural cards.
    """
    ruleset = plain_rules(rules)
    length = length or min(lengths_of(ruleset, kind))
    masks = {
        sum(1 << lane for lane in body)
        for row in ruleset.kinds_in_force()
        if row.id == kind and row.body.run[0] <= length <= row.body.run[1]
        for body in bodies(ruleset, row, length)
    }
    if not masks:
        raise unknown_kind(ruleset, f"{kind}:{length}")
    lanes = [lane for lane in range(cards.LANES) if any(mask >> lane & 1 for mask in masks)]
    for size in range(1, len(lanes) + 1):
        found = [
            "".join(cards.RANKS[lane] for lane in chosen)
            for chosen in combinations(lanes, size)
            if all(any(mask >> lane & 1 for lane in chosen) for mask in masks)
        ]
        if found:
            return found
    return []
