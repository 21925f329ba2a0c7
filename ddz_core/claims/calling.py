"""Experiments on bidding: one hand, the same deal once with every seat as landlord.

What a bid is worth is the *gain*: points of the hand as landlord less its points as farmer,
averaged over the other seats being landlord, all at the lowest bid. Over random hands it is zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import cards
from ddz_core.bidding_deals import chance_of
from ddz_core.bookbids import ENOUGH, bombs_in_all, lanes_of, points_of_all
from ddz_core.bots import rule
from ddz_core.claims.experiment import (
    Ask,
    Counted,
    Experiment,
    Outcome,
    Parameter,
    game_code,
    register,
)
from ddz_core.claims.moments import Part
from ddz_core.claims.playing import OWN, WON, Batch, Table, dealt, deck_of, rng_of, table_of, tuned
from ddz_core.claims.reading import ACE, BIG, SMALL, TWO
from ddz_core.claims.verdict import Cell
from ddz_core.procedures import meets
from ddz_core.rules import load_ruleset

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.specs import Ruleset

CHUNK = 1_000
OBJECTIVE = Parameter(name="objective", low=0, high=1, default=1)
"""0 judges by the chance to win, 1 by points."""
TWICE = {"points": 2, "probability": 2}
"""The gain is an average over two farmers' games, kept as whole numbers."""


@dataclass(frozen=True)
class Hands:
    """Random deals and what came of them with each seat as landlord.

    Attributes:
        own: the hand of seat 0 before the bottom (deals).
        hands: all hands before the bottom (deals × seats).
        bottoms: the bottoms.
        gain, win: points and wins as landlord less those as farmer, times the number of farmers.
        lord: points as landlord; ``lord_win`` whether it won.
        points, turns, bombs: of the hand, as the book and the bots count them.
    """

    own: NDArray[np.uint64]
    hands: NDArray[np.uint64]
    bottoms: NDArray[np.uint64]
    gain: NDArray[np.int64]
    win: NDArray[np.int64]
    lord: NDArray[np.int64]
    lord_win: NDArray[np.int64]
    points: NDArray[np.int64]
    turns: NDArray[np.int64]
    bombs: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """The cards of the hand by lane."""
        return lanes_of(self.own)


def hands_of(
    table: Table,
    deals: int,
    rng: np.random.Generator,
    seed: int,
    wanted: Callable[[Hands], NDArray[np.bool_]] | None = None,
) -> Hands:
    """Deal, and play every deal once with each seat as landlord.

    Args:
        table: who plays.
        deals: how many are dealt.
        rng: of the deals.
        seed: of settings that are used now and then.
        wanted: which deals are played, asked before they are; all by default.
    """
    spec, seats = table.ruleset.deal, table.seats
    found = dealt(deck_of(table.ruleset), [spec.hand] * seats + [spec.bottom], deals, rng)
    bottoms, hands = found[:, -1].copy(), found[:, :-1].copy()
    own = hands[:, 0].copy()
    gain, win, lord, lord_win = (np.zeros(deals, dtype=np.int64) for _ in range(4))
    made = Hands(
        own=own,
        hands=hands,
        bottoms=bottoms,
        gain=gain,
        win=win,
        lord=lord,
        lord_win=lord_win,
        points=points_of_all(own),
        turns=table.turns(own),
        bombs=bombs_in_all(table.ruleset, own),
    )
    at = np.arange(deals) if wanted is None else np.flatnonzero(wanted(made))
    for boss in range(seats):
        whole = hands[at]
        whole[:, boss] += bottoms[at]
        results, _ = table.play(Batch.of(whole, bottoms[at], landlord=boss, seed=seed))
        settled, won = table.points(results), results & WON
        if boss == 0:
            lord[at], lord_win[at] = settled * (seats - 1), won
            gain[at] = settled * (seats - 1) ** 2
            win[at] = won * (seats - 1)
        else:
            gain[at] += settled  # a farmer's points are the landlord's with the other sign
            win[at] -= 1 - won
    return made


Where = Callable[[Ask, Hands], "NDArray[np.bool_]"]


def _show(
    table: Table, hands: NDArray[np.uint64], bottoms: NDArray[np.uint64]
) -> Callable[[int], tuple[str, int]]:
    def show(place: int) -> tuple[str, int]:
        whole = hands[place].copy()
        whole[0] += bottoms[place]
        bottom = int(bottoms[place])
        return game_code(table.ruleset, whole, 0, [], table, bottom, bidding=True), 0

    return show


def calling(
    name: str,
    wants: Mapping[str, tuple[int, Where]],
    *,
    parameters: tuple[Parameter, ...] = (),
    shown: tuple[Cell, ...] = (),
    counted: Callable[[Ask], Mapping[str, Counted]] | None = None,
    more: Callable[[Ask, Table, Hands, int], Mapping[str, Part]] | None = None,
    maps: Mapping[str, Mapping[str, float]] | None = None,
) -> Experiment:
    """Register an experiment on which hands are a bid; want 0 only shows a cell."""
    places = maps or {}

    def cells(ask: Ask) -> tuple[Cell, ...]:
        by_points = ask.whole("objective") == 1
        win, point = [], []
        for condition, (want, _) in wants.items():
            counts, at = want != 0, places.get(condition, {})
            win.append(
                Cell(
                    name=f"{condition}_wins",
                    want=want or 1,
                    counts=counts and not by_points,
                    at=at,
                )
            )
            point.append(
                Cell(
                    name=condition,
                    want=want or 1,
                    unit="points",
                    counts=counts and by_points,
                    at=at,
                )
            )
        return (*point, *win, *shown) if by_points else (*win, *point, *shown)

    def work(ask: Ask, table: Table, number: int) -> Outcome:
        def wanted(hands: Hands) -> NDArray[np.bool_]:
            masks = [where(ask, hands) for _, where in wants.values()]
            return np.asarray(np.logical_or.reduce(masks), dtype=np.bool_)

        rng, seed = rng_of(ask.seed, number), ask.seed * 1_000_003 + number
        found = hands_of(table, CHUNK, rng, seed, wanted)
        parts: dict[str, Part] = {}
        for condition, (_, where) in wants.items():
            at = np.flatnonzero(where(ask, found))
            parts[condition] = (found.gain[at], at)
            parts[f"{condition}_wins"] = (found.win[at], at)
        if more is not None:
            parts.update(more(ask, table, found, number))
        return Outcome(CHUNK, parts, _show(table, found.hands, found.bottoms))

    return register(
        Experiment(
            name=name,
            parameters=(OBJECTIVE, *parameters),
            cells=cells,
            counted=counted,
            work=work,
            scale=TWICE,
        )
    )


# --- B1, B2, B3: the rules of thumb --------------------------------------------------------------


def _controls(found: Hands) -> NDArray[np.bool_]:
    return np.asarray(found.counts[:, TWO:].sum(axis=1) > 0)


def _gappy(found: Hands) -> NDArray[np.bool_]:
    lacking = (found.counts[:, : ACE + 1] == 0).sum(axis=1)
    return np.asarray((found.counts[:, TWO] == 0) & (lacking > 3))


calling(
    "bid_with_bomb",
    {
        "bomb": (1, lambda _ask, h: (h.bombs > 0) & _controls(h)),
        "bare": (-1, lambda _ask, h: (h.bombs > 0) & ~_controls(h)),
        "bomb_short": (0, lambda _ask, h: (h.bombs > 0) & _controls(h) & (h.turns <= 6)),
        "bomb_long": (0, lambda _ask, h: (h.bombs > 0) & _controls(h) & (h.turns > 6)),
        "bomb_poor": (0, lambda _ask, h: (h.bombs > 0) & _controls(h) & (h.points <= 5)),
    },
)


def _joker_with(twos: int, *, short: bool) -> Where:
    return lambda _ask, h: (
        (h.counts[:, BIG] > 0)
        & (np.minimum(h.counts[:, TWO], 2) == twos)
        & ((h.turns <= 6) == short)
    )


calling(
    "bid_with_big_joker",
    {
        "joker": (1, lambda _ask, h: (h.counts[:, BIG] > 0) & ~_gappy(h)),
        "exception": (-1, lambda _ask, h: (h.counts[:, BIG] > 0) & _gappy(h)),
        **{
            f"twos{n}_{shape}": (0, _joker_with(n, short=shape == "short"))
            for n in range(3)
            for shape in ("short", "long")
        },
    },
    maps={
        f"twos{n}_{shape}": {"twos": n, "plays": place}
        for n in range(3)
        for place, shape in enumerate(("short", "long"))
    },
    shown=(Cell(name="share", line=0.5, counts=False),),
    counted=lambda ask: {"share": holds_one(ask.ruleset)},
)


def holds_one(ruleset: Ruleset) -> Fraction:
    """Return the chance that a hand as dealt has one given card."""
    return Fraction(ruleset.deal.hand, cards.size_of(ruleset.deck_cards))


_KEEPS_TWOS = tuned(price_two=30.0)
"""A landlord who parts with 2s last."""


def _b3_more(ask: Ask, table: Table, found: Hands, number: int) -> dict[str, Part]:
    counts = found.counts
    with_bottom = found.own + found.bottoms
    jokers = lanes_of(with_bottom)[:, SMALL:].sum(axis=1)
    at = np.flatnonzero((counts[:, TWO] >= 3) & (counts[:, ACE] >= 2) & (jokers == 0))
    hands = found.hands[at].copy()
    hands[:, 0] += found.bottoms[at]
    batch = Batch.of(hands, found.bottoms[at], seed=ask.seed * 1_000_003 + number)
    kept, _ = table.play(batch, [[_KEEPS_TWOS]])
    usual, _ = table.play(batch, [[OWN]])
    farmers = table.seats - 1
    return {
        "keep_pair": (((kept & WON) - (usual & WON)) * farmers, at),
    }


calling(
    "bid_with_three_twos",
    {
        "twos": (
            1,
            lambda _ask, h: (h.counts[:, TWO] >= 3) & (h.counts[:, ACE] >= 2),
        ),
        "twos_no_joker": (
            0,
            lambda _ask, h: (
                (h.counts[:, TWO] >= 3)
                & (h.counts[:, ACE] >= 2)
                & (h.counts[:, SMALL:].sum(axis=1) == 0)
            ),
        ),
    },
    shown=(Cell(name="keep_pair", want=1),),
    more=_b3_more,
)


# --- B4, B5, B6: points and shape ----------------------------------------------------------------


def _just(points: int) -> Where:
    return lambda _ask, h: h.points == points


def _enough(ask: Ask) -> int:
    return ask.whole("points")


calling(
    "bid_by_points",
    {
        "enough": (1, lambda ask, h: h.points >= _enough(ask)),
        "too_few": (-1, lambda ask, h: h.points < _enough(ask)),
        "just_enough": (1, lambda ask, h: h.points == _enough(ask)),
        "just_too_few": (-1, lambda ask, h: h.points == _enough(ask) - 1),
        **{f"points{n}": (0, _just(n)) for n in range(15)},
    },
    parameters=(Parameter(name="points", low=2, high=13, default=ENOUGH),),
    maps={f"points{n}": {"points": n} for n in range(15)},
)


def _matched(
    one: NDArray[np.int64], two: NDArray[np.int64], value: NDArray[np.int64], key: NDArray[np.int64]
) -> Part:
    """Return differences between hands of two groups, paired where their keys are equal."""
    found, places = [], []
    for number in np.unique(key[one]):
        a, b = one[key[one] == number], two[key[two] == number]
        n = min(len(a), len(b))
        found.append(value[a[:n]] - value[b[:n]])
        places.append(a[:n])
    if not found:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return np.concatenate(found), np.concatenate(places)


def _b5_work(ask: Ask, table: Table, number: int) -> Outcome:
    found = hands_of(table, CHUNK, rng_of(ask.seed, number), ask.seed * 1_000_003 + number)
    whole = np.flatnonzero(found.turns <= ask.whole("whole"))
    ragged = np.flatnonzero(found.turns >= ask.whole("ragged"))
    rich, poor = np.flatnonzero(found.points >= 8), np.flatnonzero(found.points <= 5)
    win = found.lord_win * 2
    parts = {
        "shape": _matched(whole, ragged, win, found.points),
        "points": _matched(rich, poor, win, found.turns),
    }
    seven = np.flatnonzero(found.points == ENOUGH)
    first, second = np.intersect1d(seven, whole), np.intersect1d(seven, ragged)
    parts["shape_at_seven"] = _matched(first, second, win, found.points)
    return Outcome(CHUNK, parts, _show(table, found.hands, found.bottoms))


register(
    Experiment(
        name="shape",
        parameters=(
            Parameter(name="whole", low=3, high=7, default=5),
            Parameter(name="ragged", low=6, high=12, default=8),
        ),
        cells=lambda _ask: (
            Cell(name="shape"),
            Cell(name="shape_at_seven", counts=False),
            Cell(name="points", counts=False),
        ),
        work=_b5_work,
        scale=TWICE,
    )
)


def _b6_work(ask: Ask, table: Table, number: int) -> Outcome:
    found = hands_of(table, CHUNK, rng_of(ask.seed, number), ask.seed * 1_000_003 + number)
    rich, short = found.points >= ask.whole("points"), found.turns <= ask.whole("plays")
    lowest = rule.fitted(ask.ruleset).bid_lowest
    chance = chance_of(ask.ruleset, "landlord", found.own, found.points, found.bombs, found.turns)
    bids = {
        "points": rich,
        "shape": found.turns <= 6,
        "both": rich & short,
        "formula": chance >= lowest,
    }
    at = np.arange(CHUNK)
    gain = found.gain

    def less(one: str, other: str) -> Part:
        return gain * (bids[one].astype(np.int64) - bids[other]), at

    parts = {
        "both_points": less("both", "points"),
        "both_shape": less("both", "shape"),
        "formula_both": less("formula", "both"),
        **{f"{name}_never": (gain * here, at) for name, here in bids.items()},
    }
    return Outcome(CHUNK, parts, _show(table, found.hands, found.bottoms))


register(
    Experiment(
        name="bidders",
        parameters=(
            Parameter(name="points", low=2, high=13, default=ENOUGH),
            Parameter(name="plays", low=3, high=12, default=7),
        ),
        cells=lambda _ask: (
            Cell(name="both_points", unit="points"),
            Cell(name="both_shape", unit="points"),
            *(
                Cell(name=name, unit="points", counts=False)
                for name in (
                    *("formula_both", "points_never", "shape_never", "both_never"),
                    "formula_never",
                )
            ),
        ),
        work=_b6_work,
        scale=TWICE,
    )
)


# --- B7: the bottom cards ------------------------------------------------------------------------


def drawn(wanted: int, of: int, cards_drawn: int = 3) -> Fraction:
    """Return the chance that at least one of ``wanted`` cards is among those drawn."""
    return 1 - Fraction(math.comb(of - wanted, cards_drawn), math.comb(of, cards_drawn))


def _b7_counted(ask: Ask) -> Mapping[str, Counted]:
    spec = ask.ruleset.deal
    deck = cards.counts_of(ask.ruleset.deck_cards)
    whole = sum(deck)
    unseen = whole - spec.hand
    jokers, twos = deck[SMALL] + deck[BIG], deck[TWO]
    pointed = jokers + twos + deck[ACE]
    return {
        "joker": drawn(jokers, unseen, spec.bottom),
        "two": drawn(twos, unseen, spec.bottom),
        "fourth": drawn(1, unseen, spec.bottom),
        "no_point": 1 - drawn(pointed, whole, spec.bottom),
    }


calling(
    "hope_for_bottom",
    {
        "hope": (-1, lambda _ask, h: (h.points >= 5) & (h.points <= 6) & (h.bombs == 0)),
        "hope_triple": (
            0,
            lambda _ask, h: (
                (h.bombs == 0) & (h.points <= 6) & (h.counts[:, : TWO + 1] == 3).any(axis=1)
            ),
        ),
    },
    shown=(
        Cell(name="joker", want=-1, line=0.5),
        Cell(name="two", want=-1, line=0.5),
        Cell(name="fourth", want=-1, line=0.5),
        Cell(name="no_point", line=0.5, counts=False),
    ),
    counted=_b7_counted,
)


# --- B8: duties to bid ---------------------------------------------------------------------------

DUTIES = ("jiujiang", "zaozhuang", "wuhan")
DUTY_CHUNK = 400
"""Deals drawn for each of the games; those without a duty are left out."""


_SIX = 6
"""Points are averages over two or three farmers' games, kept as whole numbers."""


def _b8_work(ask: Ask, table: Table, number: int) -> Outcome:
    parts: dict[str, Part] = {}
    shows: dict[int, Callable[[int], tuple[str, int]]] = {}
    for place, name in enumerate(DUTIES):
        ruleset = load_ruleset(name).ruleset
        own = table_of(ruleset, "rule" if ruleset.deal.seats > 3 else table.family)
        found = _with_duty(own, rng_of(ask.seed, len(DUTIES) * number + place), place)
        places = np.arange(len(found.value)) + place * CHUNK
        parts[name] = (found.value, places)
        parts[f"{name}_weak"] = (found.value[found.weak], places[found.weak])
        shows[place] = _show(own, found.hands, found.bottoms)
    return Outcome(DUTY_CHUNK, parts, lambda at: shows[at // CHUNK](at % CHUNK))


@dataclass(frozen=True)
class Duties:
    """Deals in which seat 0 must bid.

    Attributes:
        hands, bottoms: the deals, the bottom not yet taken.
        value: points as landlord less those as farmer, or less nothing where the deal would be
            thrown in; six times.
        weak: whether the bots would not bid.
    """

    hands: NDArray[np.uint64]
    bottoms: NDArray[np.uint64]
    value: NDArray[np.int64]
    weak: NDArray[np.bool_]


def _with_duty(table: Table, rng: np.random.Generator, seed: int) -> Duties:
    ruleset, spec, seats = table.ruleset, table.ruleset.deal, table.seats
    found = dealt(deck_of(ruleset), [spec.hand] * seats + [spec.bottom], DUTY_CHUNK, rng)
    hands, bottoms = found[:, :-1].copy(), found[:, -1].copy()
    lowest = rule.fitted(ruleset).bid_lowest
    forced = ruleset.auction.forced
    all_jokers = 2 * ruleset.deck.decks
    if forced:
        must = [
            any(meets(int(hand), row.need, all_jokers) for row in forced) for hand in hands[:, 0]
        ]
        hands, bottoms = hands[must], bottoms[must]
        weak = _chance(table, hands[:, 0]) < lowest
    else:
        chance = np.stack([_chance(table, hands[:, seat]) for seat in range(seats)], axis=1)
        nobody = (chance < lowest).all(axis=1)
        hands, bottoms = hands[nobody], bottoms[nobody]
        weak = np.ones(len(hands), dtype=bool)
    value = np.zeros(len(hands), dtype=np.int64)
    for boss in range(seats if forced else 1):
        whole = hands.copy()
        whole[:, boss] += bottoms
        results, _ = table.play(Batch.of(whole, bottoms, landlord=boss, seed=seed))
        settled = table.points(results)
        mine = settled * (seats - 1) * _SIX
        value = value + (mine if boss == 0 else settled * (_SIX // (seats - 1)))
    return Duties(hands, bottoms, value, weak)


def _chance(table: Table, hands: NDArray[np.uint64]) -> NDArray[np.float64]:
    points, bombs = points_of_all(hands), bombs_in_all(table.ruleset, hands)
    turns = table.turns(hands)
    return chance_of(
        table.ruleset,
        "landlord",
        hands[:, None],
        points[:, None],
        bombs[:, None],
        turns[:, None],
    )[:, 0]


register(
    Experiment(
        name="duties",
        cells=lambda _ask: (
            *(Cell(name=name, unit="points") for name in DUTIES),
            *(Cell(name=f"{name}_weak", unit="points", counts=False) for name in DUTIES[:2]),
        ),
        work=_b8_work,
        chunk=DUTY_CHUNK,
        scale={"points": _SIX},
        families=("rule",),
    )
)
