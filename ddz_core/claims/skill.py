"""Experiments on luck, technique and knowing one's opponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ddz_core.claims.experiment import Ask, Experiment, Outcome, Parameter, game_code, register
from ddz_core.claims.manners import GREEDY, USUAL
from ddz_core.claims.moments import Part
from ddz_core.claims.playing import WON, Batch, Seat, Table, landlord_first, rng_of, tuned
from ddz_core.claims.reading import CHUNK
from ddz_core.claims.verdict import Cell

if TYPE_CHECKING:
    from numpy.typing import NDArray

# --- R13: luck and technique ---------------------------------------------------------------------

WEAK = GREEDY


def _r13_work(ask: Ask, table: Table, number: int) -> Outcome:
    hands, bottoms = landlord_first(ask.ruleset, CHUNK, rng_of(ask.seed, number))
    batch = Batch.of(hands, bottoms, seed=ask.seed * 1_000_003 + number)
    rows = [[lord, farmer, farmer] for lord in (USUAL, WEAK) for farmer in (USUAL, WEAK)]
    won = np.stack([table.play(batch.arms(arm), rows)[0] & WON for arm in range(len(rows))], axis=1)
    swapped = hands[:, [1, 2, 0]].copy()
    # the same hands with the bottom and the lead given to the next seat
    swapped[:, 2] -= bottoms
    swapped[:, 0] += bottoms
    other, _ = table.play(Batch.of(swapped, bottoms, seed=ask.seed * 1_000_003 + number))
    at = np.arange(CHUNK)
    parts: dict[str, Part] = {
        "same_winner": ((won.min(axis=1) == won.max(axis=1)).astype(np.int64), at),
        "landlord": (won[:, 0] - won[:, 2], at),
        "farmers": (won[:, 1] - won[:, 0], at),
        "landlord_loses_all": ((won.max(axis=1) == 0).astype(np.int64), at),
        "landlord_wins_all": ((won.min(axis=1) == 1).astype(np.int64), at),
        "role": ((won[:, 0] == 1 - (other & WON)).astype(np.int64), at),
    }

    def show(place: int) -> tuple[str, int]:
        return game_code(ask.ruleset, hands[place], 0, [], table, int(bottoms[place])), 0

    return Outcome(CHUNK, parts, show)


register(
    Experiment(
        name="luck_and_skill",
        parameters=(Parameter(name="line", low=0, high=1, default=0.5),),
        cells=lambda ask: (
            Cell(name="same_winner", line=ask["line"]),
            Cell(name="landlord"),
            Cell(name="farmers"),
            Cell(name="landlord_wins_all", line=0.5, counts=False),
            Cell(name="landlord_loses_all", line=0.5, counts=False),
            Cell(name="role", line=0.5, counts=False),
        ),
        work=_r13_work,
    )
)


# --- R11: opponents' habits ----------------------------------------------------------------------

TYPES = {
    "careful": tuned(answer=-2.0, over=-8.0),
    "eager": tuned(answer=18.0, answer_price=0.2),
}
"""Farmers who let much pass, and farmers who cover whatever they can."""

ANSWERS = {
    "careful": tuned(lead_low=0.8),
    "eager": tuned(answer_price=1.2, answer_short=5.0, lead_safe=0.0),
}
"""What a landlord changes against either: low cards first, or top cards kept back.

Found by trying some twenty changes of weights on 8,000 deals of seed 77, which no run uses.
"""

GROUPS = 10
BETWEEN = 0.35
"""Share of passes, where there was a choice, that tells the two apart."""


def passing(
    table: Table, farmer: Seat, games: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return in each of :data:`GROUPS` the share of passes of farmers who had a choice."""
    hands, bottoms = landlord_first(table.ruleset, GROUPS * games, rng)
    trace = table.traced(Batch.of(hands, bottoms), [[USUAL, farmer, farmer]])
    asked = trace.choice & trace.against() & (trace.seat != trace.boss)
    group = trace.game[asked] // games
    passed = np.bincount(group, weights=trace.played[asked] == 0, minlength=GROUPS)
    return np.asarray(passed / np.maximum(np.bincount(group, minlength=GROUPS), 1))


def _r11_work(ask: Ask, table: Table, number: int) -> Outcome:
    hands, bottoms = landlord_first(ask.ruleset, CHUNK, rng_of(ask.seed, number))
    batch = Batch.of(hands, bottoms, seed=ask.seed * 1_000_003 + number)
    at = np.arange(CHUNK)
    parts: dict[str, Part] = {}
    for place, (name, farmer) in enumerate(TYPES.items()):
        rng = rng_of(ask.seed + 1_000_000_007, 2 * number + place)
        shares = passing(table, farmer, ask.whole("games"), rng)
        careful = shares > BETWEEN
        guess = np.repeat(np.where(careful, 0, 1), CHUNK // GROUPS)
        rows = [[answer, farmer, farmer] for answer in (*ANSWERS.values(), USUAL)]
        adapted, _ = table.play(batch.arms(guess), rows)
        usual, _ = table.play(batch.arms(2), rows)
        parts[name] = ((adapted & WON) - (usual & WON), at + place * CHUNK)
        right = careful if name == "careful" else ~careful
        parts[f"{name}_known"] = (right.astype(np.int64), np.arange(GROUPS) + place * CHUNK)
        parts[f"{name}_passes"] = (
            np.round(shares * 1000).astype(np.int64),
            np.arange(GROUPS) + place * CHUNK,
        )

    def show(place: int) -> tuple[str, int]:
        game = place % CHUNK
        return game_code(ask.ruleset, hands[game], 0, [], table, int(bottoms[game])), 0

    return Outcome(CHUNK, parts, show)


register(
    Experiment(
        name="known_habits",
        parameters=(Parameter(name="games", low=1, high=50, default=20),),
        cells=lambda _ask: (
            *(Cell(name=name) for name in TYPES),
            *(Cell(name=f"{name}_known", line=0.5, counts=False) for name in TYPES),
            *(Cell(name=f"{name}_passes", line=0.5, unit="share", counts=False) for name in TYPES),
        ),
        work=_r11_work,
        families=("rule",),
        scale={"share": 1000},
    )
)
