"""Experiments on the classic questions and on bombs: one choice, tried twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ddz_core.bookbids import lanes_of
from ddz_core.claims.experiment import Ask, Parameter
from ddz_core.claims.moments import (
    BOMBING,
    HOLDING,
    PASSING,
    QUEEN,
    Moment,
    bombs_held,
    by_plays,
    enemy_left,
    moment,
    only_bombs,
    playing_cards,
    playing_form,
)
from ddz_core.claims.playing import BEST_OR_PASS, OWN, Batch, Pick, Table, Trace, tuned
from ddz_core.claims.reading import ACE, BIG, SMALL, TWO, loose

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TOGETHER = tuned(tear=1_000.0)
"""A seat that never breaks a bomb."""

_GRID = {
    f"{left}_{plays}": {"left": x, "plays": y}
    for x, left in enumerate(("short", "middle", "long"))
    for y, plays in enumerate(("few", "many"))
}
"""Maps over the landlord's cards and the own plays, both from few to many."""
_LOOSE = {f"loose{n}": {"loose": n} for n in range(7)}


# --- Q1: 22 on AA --------------------------------------------------------------------------------


def _pairs_of_twos(_ask: Ask, table: Table, trace: Trace) -> dict[str, NDArray[np.bool_]]:
    twos = trace.counts()[:, TWO]
    mask = (trace.seat != trace.boss) & (trace.owner == trace.boss)
    mask &= (trace.code == table.code("AA")) & (twos >= 2) & (twos <= 3)
    left = enemy_left(trace)
    few = by_plays(table, trace, mask, 1, 5)
    found = {}
    for name, low, high in (("short", 1, 6), ("middle", 7, 12), ("long", 13, 20)):
        here = mask & (left >= low) & (left <= high)
        found[f"{name}_few"], found[f"{name}_many"] = here & few, here & ~few
    return found


moment(
    "twos_on_aces",
    Moment(
        find=_pairs_of_twos,
        wants=dict.fromkeys(_GRID, 1),
        at=_GRID,
        first=playing_cards("22"),
        second=PASSING,
    ),
)


# --- Q2: the big joker on the small one ----------------------------------------------------------


def _big_joker(_ask: Ask, table: Table, trace: Trace) -> dict[str, NDArray[np.bool_]]:
    has = (trace.counts()[:, BIG] == 1) & (trace.seat != trace.boss) & (trace.owner == trace.boss)
    boss = trace.counts(trace.boss)
    others = lanes_of(trace.hands).sum(axis=1)
    on_joker = has & (trace.code == table.code("X"))
    on_two = has & (trace.code == table.code("2"))
    on_two &= (others[:, SMALL] == 1) & (trace.counts()[:, SMALL] == 0)
    return {
        "joker": on_joker,
        "two": on_two,
        "joker_then_two": on_joker & (boss[:, TWO] > 0),
        "two_then_joker": on_two & (boss[:, SMALL] > 0),
    }


moment(
    "big_joker_waits",
    Moment(
        find=_big_joker,
        wants={"joker": 0, "two": 0, "joker_then_two": 1, "two_then_joker": 1},
        first=PASSING,
        second=playing_cards("D"),
    ),
)


# --- Q3: a bomb on the big joker, 22, 222 --------------------------------------------------------


def _top_cards(_ask: Ask, table: Table, trace: Trace) -> dict[str, NDArray[np.bool_]]:
    codes = [table.code(text) for text in ("D", "22", "222", "2223", "22233")]
    mask = (trace.seat != trace.boss) & (trace.owner == trace.boss)
    mask &= np.isin(trace.code, codes) & (bombs_held(table, trace) > 0)
    left = enemy_left(trace)
    few = by_plays(table, trace, mask, 1, 5)
    found = {}
    for name, low, high in (("short", 1, 6), ("middle", 7, 12), ("long", 13, 20)):
        here = mask & (left >= low) & (left <= high)
        found[f"{name}_few"], found[f"{name}_many"] = here & few, here & ~few
    return found


moment(
    "bomb_on_top_cards",
    Moment(
        find=_top_cards,
        wants=dict.fromkeys(_GRID, 1),
        at=_GRID,
        first=BOMBING,
        second=HOLDING,
    ),
)


# --- Q4: the rocket split ------------------------------------------------------------------------


def _rocket(ask: Ask, table: Table, trace: Trace) -> dict[str, NDArray[np.bool_]]:
    counts = trace.counts()
    mask = (counts[:, SMALL] == 1) & (counts[:, BIG] == 1) & trace.against()
    form = table.form("3")
    mask &= (((trace.code >> 16) & 0x3FF) == form) & (trace.code != table.code("X"))
    mask &= trace.code >> 26 == 0
    small = loose(counts, 0, QUEEN)
    many = ask.whole("many")
    return {
        "many": mask & (small >= many),
        "few": mask & (small <= 1),
        **{f"loose{n}": mask & (small == n) for n in range(7)},
    }


def _keep_jokers(_table: Table, batch: Batch) -> Batch:
    return batch.picked(Pick(how=BEST_OR_PASS, tops=(1 << SMALL) - 1))


moment(
    "split_the_rocket",
    Moment(
        find=_rocket,
        wants={"many": 1, "few": -1, **dict.fromkeys(_LOOSE, 0)},
        at=_LOOSE,
        first=playing_cards("X"),
        second=_keep_jokers,
        settings=(OWN, _TOGETHER),
    ),
    parameters=(Parameter(name="many", low=2, high=6, default=4),),
)


# --- Q5: four of a kind with two more ------------------------------------------------------------


def _fours(ask: Ask, table: Table, trace: Trace) -> dict[str, NDArray[np.bool_]]:
    counts = trace.counts()
    mask = (trace.owner < 0) & (counts[:, : ACE + 1] == 4).any(axis=1)
    mask = by_plays(table, trace, mask, 3, 20)
    small = loose(counts, 0, QUEEN)
    pairs = (counts[:, : QUEEN + 1] == 2).sum(axis=1)
    many = ask.whole("many")
    return {
        "many": mask & (small >= many),
        "few": mask & (small <= 1),
        "pairs": mask & (pairs >= 2),
        **{f"loose{n}": mask & (small == n) for n in range(2, 7)},
    }


moment(
    "four_with_two",
    Moment(
        find=_fours,
        wants={"many": 1, "few": -1, "pairs": 0, **{f"loose{n}": 0 for n in range(2, 7)}},
        at=_LOOSE,
        first=playing_form("444435", 0),
        second=playing_form("444435", 0, excluded=True),
        settings=(OWN, _TOGETHER),
    ),
    parameters=(Parameter(name="many", low=2, high=6, default=3),),
)


# --- P6: bombs that multiply, bombs that take the lead back --------------------------------------


def _bomb_plan(_ask: Ask, table: Table, trace: Trace) -> dict[str, NDArray[np.bool_]]:
    mask = only_bombs(table, trace, trace.against() & (bombs_held(table, trace) > 0))
    return {
        "near": by_plays(table, trace, mask, 2, 3),
        "far": by_plays(table, trace, mask, 6, 20),
        "between": by_plays(table, trace, mask, 4, 5),
    }


moment(
    "bomb_plan",
    Moment(
        find=_bomb_plan,
        wants={"near": 1, "far": -1, "between": 0},
        first=BOMBING,
        second=HOLDING,
    ),
)
