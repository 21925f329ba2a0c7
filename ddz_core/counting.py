"""How many hands hold a combination: exact counting over ranks instead of listing hands.

Layer 3, under :mod:`ddz_core.probability`. An :class:`Automaton` reads a hand rank by rank and
remembers what every open clause (:mod:`ddz_core.clauses`) still lacks; the number of hands is then
a sum over ranks and states. A hand of counts ``k`` stands for ``∏ C(copies, k)`` physical hands,
and exactly that weight is counted. Nothing depends on the name of a kind.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ddz_core import cards
from ddz_core.clauses import NATURALS, Clause, Counts, clauses_of
from ddz_core.specs import Ruleset

MET = -1
"""The state of an automaton once a clause is met."""

LIMIT = 500_000_000
"""Elementary sums of a count before sampling takes over: about half a second."""

_LARGEST_EXACT_FLOAT = 2**53
_MOST_WHOLE = 2500
"""Cells up to which counts too large for a float are kept as whole numbers."""

_STEP = 3000
"""What it costs to reach a state at all, in elementary sums: most states have few cells."""


class TooManyCases(Exception):
    """Counting would take longer than allowed; the caller samples instead."""


# --- reading a hand rank by rank -----------------------------------------------------------------


def positions_of(ruleset: Ruleset) -> tuple[tuple[int, ...], ...]:
    """Return the lanes in the order in which hands are read: wilds first, jokers together."""
    naturals = [(lane,) for lane in range(NATURALS)]
    jokers = (cards.SMALL_JOKER, cards.BIG_JOKER)
    if ruleset.wilds.mode == "jokers":
        return (jokers, *naturals)
    return ((cards.MARKED,), *naturals, jokers)


Residual: TypeAlias = tuple[int, int, tuple[int, ...]]
"""A clause half read: what its rest looks like (interned), wilds left, kicker groups lacking."""


class Automaton:
    """Reads counts position by position and tells whether one of the kinds is held.

    A state is a number; ``start`` is the first one and :data:`MET` the last. Transitions are found
    when first asked for and kept: they do not depend on the deck that hands are drawn from.
    """

    def __init__(self, ruleset: Ruleset, clauses: Sequence[Clause]) -> None:
        self.positions = positions_of(ruleset)
        self.clauses = tuple(clauses)
        self._wild_mode = ruleset.wilds.mode
        self._wild_lane = cards.LANE[ruleset.wilds.rank] if ruleset.wilds.rank else -1
        if ruleset.wilds.mode == "red7":
            self._wild_lane = cards.LANE["7"]
        self._kicker_any = ruleset.wilds.kickers == "any"
        self._rests: dict[object, int] = {}
        self._rest_of: list[tuple[Clause, int]] = []
        self._states: dict[frozenset[Residual], int] = {}
        self._state_of: list[frozenset[Residual]] = []
        self._steps: dict[tuple[int, int, Counts], int] = {}
        first = {
            (self._rest(c, 0, bool(c.wants)), 0, tuple(w.need for w in c.wants))
            for c in self.clauses
        }
        self.start = self._state(frozenset(first))
        self.idle = self._idle()

    def _idle(self) -> frozenset[int]:
        """Return the positions whose cards no clause asks for."""
        asked = {lane for c in self.clauses for lane in range(cards.LANES) if c.at[lane]}
        asked |= {
            lane
            for c in self.clauses
            for want in c.wants
            for lane in range(cards.LANES)
            if want.caps[lane]
        }
        wild = self._wild_mode != "none"
        return frozenset(
            position
            for position, lanes in enumerate(self.positions)
            if asked.isdisjoint(lanes) and not (wild and position == 0)
        )

    def _rest(self, clause: Clause, position: int, wanting: bool) -> int:
        """Return the number of what is left of a clause from a position on."""
        lanes = [lane for group in self.positions[position:] for lane in group]
        wants = clause.wants if wanting else ()
        key = (
            position,
            tuple(clause.at[lane] for lane in lanes),
            clause.wild,
            tuple((w.size, w.one_joker, tuple(w.caps[lane] for lane in lanes)) for w in wants),
        )
        number = self._rests.get(key)
        if number is None:
            number = self._rests[key] = len(self._rest_of)
            bare = clause if wanting else Clause(at=clause.at, wild=clause.wild)
            self._rest_of.append((bare, position))
        return number

    def _state(self, residuals: frozenset[Residual]) -> int:
        number = self._states.get(residuals)
        if number is None:
            number = self._states[residuals] = len(self._state_of)
            self._state_of.append(residuals)
        return number

    def step(self, position: int, state: int, counts: Counts) -> int:
        """Return the state after a position whose lanes hold ``counts`` cards."""
        key = (position, state, counts)
        after = self._steps.get(key)
        if after is None:
            after = self._steps[key] = self._step(position, state, counts)
        return after

    def holds(self, hand: Counts) -> bool:
        """Tell whether these sixteen counts hold one of the kinds."""
        state = self.start
        for position, lanes in enumerate(self.positions):
            state = self.step(position, state, tuple(hand[lane] for lane in lanes))
            if state == MET:
                return True
        return False

    def _step(self, position: int, state: int, counts: Counts) -> int:
        best: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        for rest, wilds, needs in self._state_of[state]:
            clause, _ = self._rest_of[rest]
            for after, left in self._read(position, clause, wilds, needs, counts):
                number = self._after(clause, position + 1, left)
                if number == MET:
                    return MET
                left = left if any(left) else ()
                kept = best.setdefault(number, [])
                if any(w >= after and _each(n, left) for w, n in kept):
                    continue
                kept[:] = [(w, n) for w, n in kept if not (after >= w and _each(left, n))]
                kept.append((after, left))
        return self._state(
            frozenset((number, *one) for number, kept in best.items() for one in kept)
        )

    def _after(self, clause: Clause, position: int, needs: tuple[int, ...]) -> int:
        """Return the rest of a clause from a position on, or MET when nothing is left."""
        wanting = any(needs)
        if not wanting and not any(
            clause.at[lane] for group in self.positions[position:] for lane in group
        ):
            return MET
        return self._rest(clause, position, wanting)

    def _read(
        self,
        position: int,
        clause: Clause,
        wilds: int,
        needs: tuple[int, ...],
        counts: Counts,
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield wilds left and groups lacking after one position, once for each way to use wilds.

        A clause that can no longer be met yields nothing.
        """
        lanes = self.positions[position]
        if position == 0 and self._wild_mode != "none":
            yield from self._spend_first(clause, needs, counts)
            return
        for lane, count in zip(lanes, counts, strict=True):
            lacking = clause.at[lane] - count
            if lacking > 0:
                if lane >= NATURALS or clause.wild in ("none", "pure"):
                    return
                if clause.wild == "mixed" and not count:
                    return
                wilds -= lacking
        if wilds < 0:
            return
        yield wilds, self._given(clause, lanes, needs, counts)
        fills = self._kicker_any or self._wild_lane in lanes
        if wilds and fills and len(lanes) == 1 and lanes[0] < NATURALS:
            yield from self._completed(clause, lanes[0], wilds, needs, counts[0])

    def _given(
        self, clause: Clause, lanes: tuple[int, ...], needs: tuple[int, ...], counts: Counts
    ) -> tuple[int, ...]:
        """Return the groups lacking after the lanes gave what they have."""
        if not any(needs):
            return needs
        left = []
        for want, need in zip(clause.wants, needs, strict=True):
            groups = [
                max(0, min(want.caps[lane], (count - clause.at[lane]) // want.size))
                for lane, count in zip(lanes, counts, strict=True)
            ]
            got = max(groups) if want.one_joker and len(lanes) > 1 else sum(groups)
            left.append(max(0, need - got))
        return tuple(left)

    def _completed(
        self, clause: Clause, lane: int, wilds: int, needs: tuple[int, ...], count: int
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the ways in which wilds fill up one more kicker group of this lane."""
        if len(needs) != 1 or not needs[0]:
            return
        want = clause.wants[0]
        spare = max(0, count - clause.at[lane])
        groups = min(want.caps[lane], spare // want.size)
        lacking = (groups + 1) * want.size - spare
        if groups < want.caps[lane] and want.size > 1 and 0 < lacking <= wilds:
            yield wilds - lacking, (max(0, needs[0] - groups - 1),)

    def _spend_first(
        self, clause: Clause, needs: tuple[int, ...], counts: Counts
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the ways to set wilds aside as kickers, having read how many there are."""
        total = sum(counts)
        if clause.wild == "none":
            lanes = self.positions[0]
            if all(clause.at[lane] <= count for lane, count in zip(lanes, counts, strict=True)):
                yield 0, needs
            return
        if clause.wild == "pure":
            size = sum(clause.at)
            if total >= size and (self._wild_lane < 0 or clause.at[self._wild_lane]):
                yield size, tuple(0 for _ in needs)
            return
        if clause.wild == "mixed" and not total:
            return
        if self._wild_mode == "jokers" and any(clause.at[lane] for lane in self.positions[0]):
            # The clause names a joker, which no other card can be.
            for lane, count in zip(self.positions[0], counts, strict=True):
                if clause.at[lane] > count:
                    return
            total -= sum(clause.at[lane] for lane in self.positions[0])
        yield total, needs
        for want, need in zip(clause.wants, needs, strict=True) if len(needs) == 1 else ():
            if self._kicker_any:
                most = need
            elif self._wild_lane >= 0:
                most = min(need, want.caps[self._wild_lane])
            else:
                most = need - self._given(clause, self.positions[0], needs, counts)[0]
            for groups in range(1, most + 1):
                if groups * want.size <= total:
                    yield total - groups * want.size, (need - groups,)


def _each(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(x <= y for x, y in zip(a, b, strict=True))


@functools.lru_cache(maxsize=256)
def automaton(ruleset: Ruleset, names: tuple[str, ...]) -> Automaton:
    """Return the automaton of some kinds, cached by ruleset and names.

    Raises:
        RulesetError: for a name that is no kind of this game.
    """
    return Automaton(ruleset, clauses_of(ruleset, names))


# --- counting hands ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Where unseen cards can lie.

    Attributes:
        size: cards it takes from the pool.
        known: cards known to be there besides, by lane.
    """

    size: int
    known: Counts = (0,) * cards.LANES


@functools.cache
def _splits(copies: int, places: int, all_given: bool) -> tuple[tuple[Counts, int], ...]:
    """Return how ``copies`` cards go to places (a rest allowed or not), with their weights."""
    found = []
    for given in product(range(copies + 1), repeat=places):
        rest = copies - sum(given)
        if rest < 0 or (all_given and rest):
            continue
        weight = math.factorial(copies) // math.factorial(rest)
        for number in given:
            weight //= math.factorial(number)
        found.append((given, weight))
    return tuple(found)


def deals(pool: int, sizes: Sequence[int]) -> int:
    """Return in how many ways ``pool`` cards give hands of these sizes, the rest left over."""
    ways = 1
    for size in sizes:
        ways *= math.comb(pool, size)
        pool -= size
    return ways


def chance_none(
    pool: Counts, places: Sequence[Place], machine: Automaton, *, limit: int = LIMIT
) -> Fraction | float:
    """Return the chance that no place holds one of the kinds, all deals of the pool equally likely.

    Args:
        pool: unseen cards by lane; places take theirs from it at random, what they leave is over.
        places: one to five places.
        machine: of the kinds.
        limit: most elementary sums before giving up.

    Raises:
        TooManyCases: above the limit.

    Cost: below 1 ms for one place and 1-5 ms for two, once the transitions are known; 1e9 sums
    take about a second. The result is a fraction wherever whole numbers were used, else a float
    right to 1e-12.
    """
    sizes = [place.size for place in places]
    every = sum(sizes) == sum(pool)
    # Where the places take everything, the last one's cards follow from the others'.
    dims = len(sizes) - 1 if every and len(sizes) > 1 else len(sizes)
    ways = deals(sum(pool), sizes)
    whole = math.prod(size + 1 for size in sizes[:dims]) <= _MOST_WHOLE
    exact = ways < _LARGEST_EXACT_FLOAT or whole
    kinds: type = float if ways < _LARGEST_EXACT_FLOAT or not whole else object
    first: npt.NDArray[Any] = np.ones((1,) * dims, dtype=kinds)
    states = {(machine.start,) * len(places): first}
    shape, used, idle, spent = (1,) * dims, 0, 0, 0
    for position, lanes in enumerate(machine.positions):
        copies = sum(pool[lane] for lane in lanes)
        known = any(place.known[lane] for place in places for lane in lanes)
        if position in machine.idle and not known:
            # Cards that matter to no clause are dealt all at once, at the end.
            idle += copies
            nothing = (0,) * len(lanes)
            states = {
                tuple(machine.step(position, s, nothing) for s in state): array
                for state, array in states.items()
            }
            continue
        used += copies
        before, shape = shape, tuple(min(used, size) + 1 for size in sizes[:dims])
        after: dict[tuple[int, ...], npt.NDArray[Any]] = {}
        moves = list(_moves(pool, lanes, places, every))
        cost = (math.prod(before) + _STEP) * len(states) * len(moves)
        spent += cost
        # States and cells grow towards the end: half of what is left at the present cost is sure.
        ahead = (len(machine.positions) - position) // 2
        if spent + ahead * cost > limit:
            raise TooManyCases
        for moved, held, weight in moves:
            ends = [min(n, b - m) for n, b, m in zip(before, shape, moved[:dims], strict=True)]
            to = tuple(slice(m, m + end) for m, end in zip(moved[:dims], ends, strict=True))
            fro = tuple(slice(end) for end in ends)
            for state, array in states.items():
                reached = tuple(
                    machine.step(position, s, h) for s, h in zip(state, held, strict=True)
                )
                if MET in reached:
                    continue
                target = after.get(reached)
                if target is None:
                    target = after[reached] = np.zeros(shape, dtype=kinds)
                target[to] += array[fro] if weight == 1 else array[fro] * weight
        states = after
    rest = _rest_ways(shape, sizes, used, idle, every, kinds, whole)
    none = sum((array * rest).sum() for array in states.values())
    if exact:
        return Fraction(int(none), ways)
    return min(1.0, max(0.0, float(none) / ways))


def _moves(
    pool: Counts, lanes: tuple[int, ...], places: Sequence[Place], every: bool
) -> Iterator[tuple[list[int], list[Counts], int]]:
    """Yield how the cards of some lanes can go to the places.

    Each time: cards drawn by place, counts of the lanes held by place, number of physical ways.
    """
    for combined in product(*(_splits(pool[lane], len(places), every) for lane in lanes)):
        given = [part[0] for part in combined]
        moved = [sum(one[i] for one in given) for i in range(len(places))]
        if any(m > place.size for m, place in zip(moved, places, strict=True)):
            continue
        held = [
            tuple(place.known[lane] + one[i] for lane, one in zip(lanes, given, strict=True))
            for i, place in enumerate(places)
        ]
        yield moved, held, math.prod(part[1] for part in combined)


def _rest_ways(
    shape: tuple[int, ...],
    sizes: Sequence[int],
    used: int,
    idle: int,
    every: bool,
    kinds: type,
    whole: bool,
) -> npt.NDArray[Any]:
    """Return in how many ways the idle cards fill up the places, by the cards they hold already."""
    dims = len(shape)
    weights: npt.NDArray[Any] = np.zeros(shape, dtype=kinds)
    if whole:
        for cell in np.ndindex(shape):
            lacking = [size - held for size, held in zip(sizes, cell, strict=False)]
            if dims < len(sizes):
                lacking.append(sizes[-1] - used + sum(cell))
            if min(lacking) >= 0 and sum(lacking) <= idle and not (every and sum(lacking) < idle):
                weights[cell] = deals(idle, lacking)
        return weights
    factorial = np.array([float(math.factorial(k)) for k in range(idle + 1)])
    held = np.indices(shape, sparse=True)
    # What each axis lacks, and what is left for the place without an axis or for the rest.
    lacks = [size - axis for size, axis in zip(sizes, held, strict=False)]
    over = idle - sum(lacks)
    good = over >= 0
    value = factorial[idle] / factorial[np.clip(over, 0, idle)]
    for lack in lacks:
        good = good & (lack >= 0) & (lack <= idle)
        value = value / factorial[np.clip(lack, 0, idle)]
    weights[good] = value[good]
    return weights
