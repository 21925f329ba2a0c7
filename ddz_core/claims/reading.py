"""Experiments on reading hidden cards: counting first, then what play adds.

Exact cells are fractions. Played cells look at games of bots and ask how often a guess was right at
the moments the claim speaks of; where a claim is about what play tells beyond counting, the hidden
cards are shuffled once more and the two are compared (``behaviour less counting``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import cards
from ddz_core.bookbids import lanes_of
from ddz_core.claims.experiment import (
    Ask,
    Counted,
    Experiment,
    Outcome,
    Parameter,
    game_code,
    register,
)
from ddz_core.claims.playing import (
    Batch,
    Table,
    Trace,
    landlord_first,
    rng_of,
)
from ddz_core.claims.verdict import Cell

if TYPE_CHECKING:
    from numpy.typing import NDArray

TWO, ACE, SMALL, BIG = (cards.LANE[rank] for rank in "2AXD")
CHUNK = 1_000


def games(ask: Ask, table: Table, number: int) -> tuple[Trace, NDArray[np.uint64]]:
    """Return the games of a chunk as the bots play them, and their bottom cards."""
    hands, bottoms = landlord_first(ask.ruleset, CHUNK, rng_of(ask.seed, number))
    batch = Batch.of(hands, bottoms, seed=ask.seed * 1_000_003 + number)
    return table.traced(batch), bottoms


def shower(
    ask: Ask,
    table: Table,
    trace: Trace,
    at: NDArray[np.int64],
    seats: NDArray[np.int64],
    bottoms: NDArray[np.uint64],
    *,
    after: bool = False,
) -> Callable[[int], tuple[str, int]]:
    """Return what shows a place: the game before (or after) a decision, seen from a seat.

    Args:
        at: the decision of each place, places being games.
        seats: the seat of each place.
        after: whether the decision itself is shown as made.
    """
    where = {int(trace.game[i]): (int(i), int(s)) for i, s in zip(at, seats, strict=True)}

    def show(place: int) -> tuple[str, int]:
        decision, seat = where[place]
        line = trace.line(decision)
        if after:
            line.append(
                (int(trace.seat[decision]), int(trace.cards[decision]), int(trace.played[decision]))
            )
        game = int(trace.game[decision])
        code = game_code(
            ask.ruleset,
            trace.batch.hands[game],
            int(trace.batch.boss[game]),
            line,
            table,
            int(bottoms[game]),
        )
        return code, seat

    return show


def reshuffled(
    one: NDArray[np.uint64], other: NDArray[np.uint64], rng: np.random.Generator
) -> NDArray[np.uint64]:
    """Return for each row a random hand as large as ``one``, from the cards of both hands."""
    counts = lanes_of(one), lanes_of(other)
    pool, size = counts[0] + counts[1], counts[0].sum(axis=1)
    rest = pool.sum(axis=1)
    found = np.zeros(len(one), dtype=np.uint64)
    left = size.copy()
    for lane in range(cards.LANES):
        # one rank after the other, by the number of ways: a multivariate hypergeometric draw
        drawn = rng.hypergeometric(pool[:, lane], rest - pool[:, lane], left)
        found += drawn.astype(np.uint64) << np.uint64(4 * lane)
        rest -= pool[:, lane]
        left -= drawn
    return found


def has_straight(counts: NDArray[np.int64], length: int = 5) -> NDArray[np.bool_]:
    """Tell which hands hold a straight, 3 to A."""
    held = counts[:, : ACE + 1] > 0
    found = np.zeros(len(counts), dtype=bool)
    for low in range(ACE + 2 - length):
        found |= held[:, low : low + length].all(axis=1)
    return found


def loose(counts: NDArray[np.int64], low: int, high: int) -> NDArray[np.int64]:
    """Return how many ranks from ``low`` to ``high`` (lanes) are held once and in no straight."""
    held = counts[:, : ACE + 1] > 0
    covered = np.zeros(counts.shape, dtype=np.bool_)
    for at in range(ACE + 2 - 5):
        covered[:, at : at + 5] |= held[:, at : at + 5].all(axis=1, keepdims=True)
    single = np.logical_and(counts == 1, ~covered)
    return np.asarray(single[:, low : high + 1].sum(axis=1), dtype=np.int64)


# --- R4: the landlord passes on a 2 --------------------------------------------------------------

_STATED = {"b50": 0.5, "b80": 0.8, "b90": 0.9, "b100": 1.0}


def together(cover: Fraction | float, landlord: int = 20, partner: int = 17) -> Fraction:
    """Return the chance that both jokers lie together once the landlord has passed on a 2.

    Args:
        cover: chance that a landlord with one joker would have played it.
        landlord, partner: cards of the two hands that hold the jokers.
    """
    both = math.comb(landlord, 2) + math.comb(partner, 2)
    apart = landlord * partner
    return Fraction(both) / (both + apart * (1 - Fraction(str(cover))))


def landlord_rocket(landlord: int = 20, partner: int = 17) -> Fraction:
    """Return the chance that together means the landlord."""
    one, other = math.comb(landlord, 2), math.comb(partner, 2)
    return Fraction(one, one + other)


def _r4_cells(ask: Ask) -> tuple[Cell, ...]:
    shown = (
        Cell(name="before", want=1, line=0.9, counts=False),
        Cell(name="landlord", want=1, line=0.5, counts=False),
        Cell(name="bots", want=1, line=0.9, counts=False),
    )
    if "b" in ask.moved:
        return (Cell(name="chosen", want=1, line=0.9, at={"b": ask["b"]}), *shown)
    stated = (Cell(name=name, want=1, line=0.9, at={"b": b}) for name, b in _STATED.items())
    return (*stated, *shown)


def _r4_counted(ask: Ask) -> Mapping[str, Counted]:
    found: dict[str, Counted] = {name: together(b) for name, b in _STATED.items()}
    found |= {"before": together(0), "landlord": landlord_rocket()}
    if "b" in ask.moved:
        found = {"chosen": together(ask["b"]), "before": found["before"]}
        found["landlord"] = landlord_rocket()
    return found


def _r4_work(ask: Ask, table: Table, number: int) -> Outcome:
    trace, bottoms = games(ask, table, number)
    two = table.code("2")
    where = (trace.seat == trace.boss) & (trace.code == two) & (trace.played == 0)
    all_counts = lanes_of(trace.hands)
    jokers = all_counts[:, :, SMALL] + all_counts[:, :, BIG]
    owner = np.maximum(trace.owner, 0)
    rows = np.arange(len(trace.rows))
    where &= (jokers.sum(axis=1) == 2) & (jokers[rows, owner] == 0)
    at = trace.first(where)
    hit = jokers[at].max(axis=1) == 2
    show = shower(ask, table, trace, at, trace.owner[at], bottoms, after=True)
    return Outcome(CHUNK, {"bots": (hit.astype(np.int64), trace.game[at])}, show)


register(
    Experiment(
        name="rocket_after_pass",
        parameters=(Parameter(name="b", low=0, high=1, default=0.9),),
        cells=_r4_cells,
        counted=_r4_counted,
        work=_r4_work,
    )
)


# --- R5: one ace of the partner, one of mine -----------------------------------------------------


def pair_of_aces(keeps: Fraction | float, landlord: int = 20, partner: int = 16) -> Fraction:
    """Return the chance that the landlord has both missing aces after the partner played one.

    Args:
        keeps: chance that a partner with two or more aces would not have played a single one.
        landlord, partner: cards of the two hands that hold the missing aces.
    """
    one, split, other = aces(landlord, partner)
    return one / (one + (split + other) * (1 - Fraction(str(keeps))))


def aces(landlord: int = 20, partner: int = 16) -> tuple[Fraction, Fraction, Fraction]:
    """Return the chances by counting alone: landlord both, one each, partner both."""
    ways = math.comb(landlord + partner, 2)
    return (
        Fraction(math.comb(landlord, 2), ways),
        Fraction(landlord * partner, ways),
        Fraction(math.comb(partner, 2), ways),
    )


_KEEPS = {"c0": 0.0, "c50": 0.5, "c80": 0.8, "c100": 1.0}


def _r5_cells(ask: Ask) -> tuple[Cell, ...]:
    shown = (
        Cell(name="split", line=0.5, counts=False),
        Cell(name="partner", line=0.5, counts=False),
        Cell(name="bots", line=0.5, counts=False),
    )
    if "c" in ask.moved:
        return (Cell(name="chosen", line=0.5, at={"c": ask["c"]}), *shown)
    return (*(Cell(name=n, line=0.5, at={"c": c}) for n, c in _KEEPS.items()), *shown)


def _r5_counted(ask: Ask) -> Mapping[str, Counted]:
    _, split, other = aces()
    found: dict[str, Counted] = {"split": split, "partner": other}
    if "c" in ask.moved:
        return {**found, "chosen": pair_of_aces(ask["c"])}
    return {**found, **{name: pair_of_aces(c) for name, c in _KEEPS.items()}}


def _r5_work(ask: Ask, table: Table, number: int) -> Outcome:
    trace, bottoms = games(ask, table, number)
    counts = lanes_of(trace.hands)[:, :, ACE]
    me = 3 - trace.seat  # the other farmer, where seat 0 is the landlord
    rows = np.arange(len(trace.rows))
    where = (trace.seat != trace.boss) & (trace.played == table.code("A"))
    where &= (counts.sum(axis=1) == 4) & (counts[rows, np.clip(me, 0, 2)] == 1)
    at = trace.first(where)
    hit = counts[at, 0] == 2
    show = shower(ask, table, trace, at, me[at], bottoms, after=True)
    return Outcome(CHUNK, {"bots": (hit.astype(np.int64), trace.game[at])}, show)


register(
    Experiment(
        name="aces_after_ace",
        parameters=(Parameter(name="c", low=0, high=1, default=0),),
        cells=_r5_cells,
        counted=_r5_counted,
        work=_r5_work,
    )
)


# --- R6: a rank that nobody has shown ------------------------------------------------------------


def all_four(one: int, other: int) -> Fraction:
    """Return the chance that one of two hands has all four cards of a rank that only they hold."""
    ways = math.comb(one + other, 4)
    return Fraction(math.comb(one, 4) + math.comb(other, 4), ways)


_SIZES = {"h12": (12, 12), "h8": (8, 8), "h5": (5, 5), "h12_4": (12, 4)}


def _r6_cells(ask: Ask) -> tuple[Cell, ...]:
    line = float(all_four(17, 17))
    shown = (
        Cell(name="dealt", line=line, counts=False),
        Cell(name="bots", line=line, counts=bool(not ask.moved)),
    )
    if ask.moved:
        at = {"one": ask["one"], "other": ask["other"]}
        return (Cell(name="chosen", line=line, at=at), *shown)
    stated = (Cell(name=n, line=line, at={"one": a, "other": b}) for n, (a, b) in _SIZES.items())
    return (*stated, *shown)


def _r6_counted(ask: Ask) -> Mapping[str, Counted]:
    dealt_now: dict[str, Counted] = {"dealt": all_four(17, 17)}
    if ask.moved:
        return {**dealt_now, "chosen": all_four(ask.whole("one"), ask.whole("other"))}
    return {**dealt_now, **{name: all_four(*sizes) for name, sizes in _SIZES.items()}}


def _r6_work(ask: Ask, table: Table, number: int) -> Outcome:
    trace, bottoms = games(ask, table, number)
    counts = lanes_of(trace.hands)
    sizes = counts.sum(axis=2)
    most = max(ask.whole("one"), ask.whole("other"))
    void = (counts[:, 0, : TWO + 1] == 0) & (counts[:, :, : TWO + 1].sum(axis=1) == 4)
    where = (trace.seat == trace.boss) & (trace.owner < 0) & void.any(axis=1)
    where &= (sizes[:, 1:] <= most).all(axis=1)
    at = trace.first(where)
    rank = void[at].argmax(axis=1)
    hit = counts[at, :, rank].max(axis=1) == 4
    show = shower(ask, table, trace, at, trace.seat[at], bottoms)
    return Outcome(CHUNK, {"bots": (hit.astype(np.int64), trace.game[at])}, show)


register(
    Experiment(
        name="void_rank",
        parameters=(
            Parameter(name="one", low=2, high=17, default=8),
            Parameter(name="other", low=2, high=17, default=8),
        ),
        cells=_r6_cells,
        counted=_r6_counted,
        work=_r6_work,
    )
)
