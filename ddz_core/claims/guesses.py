"""Experiments on guessing hidden cards from what was played; see :mod:`ddz_core.claims.reading`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import cards, probability
from ddz_core.bookbids import lanes_of
from ddz_core.claims.experiment import Ask, Counted, Experiment, Outcome, Parameter, register
from ddz_core.claims.playing import BEST, Batch, Pick, Seat, Table, landlord_first, rng_of, tuned
from ddz_core.claims.reading import (
    BIG,
    CHUNK,
    TWO,
    games,
    has_straight,
    loose,
    reshuffled,
    shower,
)
from ddz_core.claims.verdict import Cell

if TYPE_CHECKING:
    from numpy.typing import NDArray

# --- R1: the next seat passes on a 4 -------------------------------------------------------------


_HABITS = {"careful": 1.0, "middling": 3.0, "eager": 5.0}
"""Weight of answering at all; the rule bot's own is 7.4, with which it hardly ever passes here."""


def _r1_cells(ask: Ask) -> tuple[Cell, ...]:
    line = ask["line"]
    habits = ["chosen"] if "habit" in ask.moved else list(_HABITS)
    return (
        *(Cell(name=name, line=line) for name in habits),
        Cell(name="prior", line=line, counts=False),
        *(Cell(name=f"{name}_none", line=line, counts=False) for name in habits),
    )


def _r1_work(ask: Ask, table: Table, number: int) -> Outcome:
    hands, bottoms = landlord_first(ask.ruleset, CHUNK, rng_of(ask.seed, number))
    pick = Pick(how=BEST, form=table.form("4"), tops=1 << cards.LANE["4"])
    kept = np.flatnonzero(lanes_of(hands)[:, 0, cards.LANE["4"]] > 0)
    batch = (
        Batch.of(hands, bottoms, seed=ask.seed * 1_000_003 + number).picked(pick).take(kept).cut(2)
    )
    high = ask.whole("large") - 1
    parts: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
    shows = []
    habits = {"chosen": ask["habit"]} if "habit" in ask.moved else _HABITS
    for row, (name, weight) in enumerate(habits.items()):
        trace = table.traced(batch, [[Seat(), tuned(answer=weight), Seat()]])
        at = np.flatnonzero((trace.rows[:, 10] == 1) & (trace.seat == 1))
        counts = trace.counts()[at]
        small = loose(counts, cards.LANE["5"], high) == 0
        none = loose(counts, cards.LANE["5"], BIG) == 0
        passed = trace.played[at] == 0
        where = trace.game[at] + row * CHUNK
        if row == 0:
            parts["prior"] = (small.astype(np.int64), where)
        parts[name] = (small[passed].astype(np.int64), where[passed])
        parts[f"{name}_none"] = (none[passed].astype(np.int64), where[passed])
        seats = np.full(len(at), 2)
        shows.append(shower(ask, table, trace, at, seats, bottoms[kept], after=True))
    return Outcome(CHUNK, parts, lambda place: shows[place // CHUNK](place % CHUNK))


register(
    Experiment(
        name="pass_on_a_four",
        parameters=(
            Parameter(name="line", low=0, high=1, default=0.5),
            Parameter(name="large", low=5, high=12, default=9),
            Parameter(name="habit", low=-2, high=8, default=3),
        ),
        cells=_r1_cells,
        work=_r1_work,
        families=("rule",),
    )
)


# --- R2, R3: what a lead or an answer says of the landlord ---------------------------------------


def _r2_work(ask: Ask, table: Table, number: int) -> Outcome:
    hands, bottoms = landlord_first(ask.ruleset, CHUNK, rng_of(ask.seed, number))
    trace = table.traced(Batch.of(hands, bottoms, seed=number).cut(1))
    start = np.flatnonzero(trace.rows[:, 10] == 0)
    counts = trace.counts()[start]
    triple = (counts[:, :BIG] == 3).any(axis=1)
    three = (trace.played[start] == table.code("3")) & (counts[:, cards.LANE["3"]] == 1)
    lone = counts[:, cards.LANE["3"]] == 1
    show = shower(
        ask, table, trace, start, np.ones(len(start), dtype=np.int64), bottoms, after=True
    )
    return Outcome(
        CHUNK,
        {
            "owns": (triple[three].astype(np.int64), trace.game[start[three]]),
            "prior": (triple[lone].astype(np.int64), trace.game[start[lone]]),
        },
        show,
    )


register(
    Experiment(
        name="lone_three",
        parameters=(Parameter(name="line", low=0, high=1, default=0.1),),
        cells=lambda ask: (
            Cell(name="owns", line=ask["line"]),
            Cell(name="prior", line=ask["line"], counts=False),
        ),
        work=_r2_work,
    )
)


def _r3_work(ask: Ask, table: Table, number: int) -> Outcome:
    trace, bottoms = games(ask, table, number)
    counts = trace.counts()[:, TWO]
    asked = (trace.seat == trace.boss) & (trace.code == table.code("A")) & (counts > 0)
    at = trace.first(asked & (trace.played == table.code("2")))
    before = trace.first(asked)
    seats = np.maximum(trace.owner[at], 0)
    show = shower(ask, table, trace, at, seats, bottoms, after=True)
    return Outcome(
        CHUNK,
        {
            "only": ((counts[at] == 1).astype(np.int64), trace.game[at]),
            "prior": ((counts[before] == 1).astype(np.int64), trace.game[before]),
        },
        show,
    )


register(
    Experiment(
        name="two_on_ace",
        parameters=(Parameter(name="line", low=0, high=1, default=0.5),),
        cells=lambda ask: (
            Cell(name="only", line=ask["line"]),
            Cell(name="prior", line=ask["line"], counts=False),
        ),
        work=_r3_work,
    )
)


# --- R12: guessing straights from singles above ten ----------------------------------------------


def _r12_counted(ask: Ask) -> Mapping[str, Counted]:
    hubs = set(probability.hub_ranks("straight", ask.ruleset))
    counts = list(cards.counts_of(ask.ruleset.deck_cards))
    for rank in "7T":
        counts[cards.LANE[rank]] = 0
    chain = next(
        order for order in ask.ruleset.play.orders.values() if "7" in order and "A" in order
    )
    runs = [chain[i : i + 5] for i in range(len(chain) - 4)]
    possible = sum(all(counts[cards.LANE[rank]] for rank in run) for run in runs)
    return {"hub": Fraction(possible if "7T" in hubs else len(runs), len(runs))}


def _r12_work(ask: Ask, table: Table, number: int) -> Outcome:
    trace, bottoms = games(ask, table, number)
    high = [table.code(rank) for rank in "JQKA"]
    shown = np.isin(trace.played, high) & (trace.tricks <= 3)
    # two singles above ten out of one hand, judged right after the second
    at = np.flatnonzero(shown)
    tally: dict[int, int] = {}
    second = np.zeros(len(trace.rows), dtype=bool)
    for i, key in zip(at.tolist(), (trace.game * 3 + trace.seat)[at].tolist(), strict=True):
        tally[key] = tally.get(key, 0) + 1
        second[i] = tally[key] == 2
    at = trace.first(second)
    seats = trace.seat[at]
    watcher = (seats + 1) % 3
    third = 3 - seats - watcher
    rest = trace.own()[at] - trace.cards[at]
    other = trace.hands[at, third]
    again = reshuffled(rest, other, rng_of(ask.seed + 1, number))
    real, guess = lanes_of(rest), lanes_of(again)
    places = trace.game[at]
    asked: dict[str, Callable[[NDArray[np.int64]], NDArray[np.bool_]]] = {
        "straight": has_straight,
        "triple": lambda counts: np.asarray((counts[:, :BIG] >= 3).any(axis=1)),
        "big": lambda counts: np.asarray((counts[:, TWO:] > 0).any(axis=1)),
    }
    parts = {
        name: (np.subtract(holds(real), holds(guess), dtype=np.int64), places)
        for name, holds in asked.items()
    }
    show = shower(ask, table, trace, at, watcher, bottoms, after=True)
    return Outcome(CHUNK, parts, show)


register(
    Experiment(
        name="singles_shown",
        cells=lambda _ask: (
            Cell(name="straight"),
            Cell(name="triple"),
            Cell(name="hub", want=0, line=0.0),
            Cell(name="big", want=1, counts=False),
        ),
        counted=_r12_counted,
        work=_r12_work,
    )
)


# --- R9: what is known after some rounds ---------------------------------------------------------


def layout_bits(
    pool: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return how many bits the split of unseen cards by rank between two hands is worth.

    Exact: the entropy of the counts by rank, all physical layouts being equally likely.

    Args:
        pool: unseen cards by lane (rows × 16).
        one, other: cards of the two hands (rows).
    """
    log_fact = np.array([math.lgamma(k + 1) for k in range(60)]) / math.log(2)

    def ways(n: NDArray[np.int64], k: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(log_fact[n] - log_fact[k] - log_fact[n - k])

    total = one + other
    bits = ways(total, one)
    for copies in range(2, int(pool.max(initial=1)) + 1):
        lanes = (pool == copies).sum(axis=1)
        inner = np.zeros(len(one))
        for k in range(1, copies):
            fits = (one >= k) & (other >= copies - k)
            n = np.where(fits, total - copies, 0)
            chance = np.where(
                fits,
                2.0
                ** (
                    ways(np.full_like(one, copies), np.full_like(one, k))
                    + ways(n, np.where(fits, one - k, 0))
                    - bits_of(log_fact, total, one)
                ),
                0.0,
            )
            inner += chance * math.log2(math.comb(copies, k))
        bits = bits - lanes * inner
    return np.asarray(bits)


def bits_of(
    log_fact: NDArray[np.float64], n: NDArray[np.int64], k: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the logarithm to base two of ``n`` over ``k``."""
    return np.asarray(log_fact[n] - log_fact[k] - log_fact[n - k])


_ROUNDS = range(1, 8)


def _r9_work(ask: Ask, table: Table, number: int) -> Outcome:
    trace, bottoms = games(ask, table, number)
    counts = lanes_of(trace.hands)
    sizes = counts.sum(axis=2)
    start = np.flatnonzero(trace.rows[:, 10] == 0)
    pool = counts[:, 0] + counts[:, 2]
    at_start = np.zeros(len(trace.batch.hands))
    # the watcher is the farmer after the landlord; the bottom cards are known to be the landlord's
    bottom = lanes_of(bottoms)[trace.game[start]]
    at_start[trace.game[start]] = layout_bits(
        pool[start] - bottom, sizes[start, 0] - bottom.sum(axis=1), sizes[start, 2]
    )
    parts = {}
    for rounds in _ROUNDS:
        at = trace.first((trace.owner < 0) & (trace.tricks == rounds + 1))
        now = layout_bits(pool[at], sizes[at, 0], sizes[at, 2])
        known = 1 - now / at_start[trace.game[at]]
        parts[f"r{rounds}"] = (np.round(known * 1000).astype(np.int64), trace.game[at])
    wanted = trace.first((trace.owner < 0) & (trace.tricks == ask.whole("rounds") + 1))
    seats = np.ones(len(wanted), dtype=np.int64)
    show = shower(ask, table, trace, wanted, seats, bottoms)
    return Outcome(CHUNK, parts, show)


register(
    Experiment(
        name="bits_known",
        parameters=(
            Parameter(name="rounds", low=1, high=7, default=3),
            Parameter(name="line", low=0, high=1, default=0.5),
        ),
        cells=lambda ask: tuple(
            Cell(
                name=f"r{rounds}",
                line=ask["line"],
                unit="share",
                counts=rounds == ask.whole("rounds"),
                at={"rounds": rounds},
            )
            for rounds in sorted(_ROUNDS, key=lambda r: r != ask.whole("rounds"))
        ),
        work=_r9_work,
        scale={"share": 1000},
    )
)
