"""Experiments on one choice: games go on twice from the moment a claim speaks of.

Rule bots play random deals; at the first decision of a game that fits, the two actions of the claim
are tried, and the family of bots that is asked plays on. A *moment* says which decisions fit, in
conditions that make its cells, and which two actions are compared: what is reported is the first
less the second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ddz_core import cards
from ddz_core.bookbids import bombs_in_all
from ddz_core.claims.experiment import Ask, Counted, Experiment, Outcome, Parameter, register
from ddz_core.claims.playing import (
    BEST,
    BEST_OR_PASS,
    BOMBS,
    LOWEST,
    NO_BOMBS,
    PASS,
    WON,
    Batch,
    Pick,
    Seat,
    Table,
    Trace,
    table_of,
)
from ddz_core.claims.reading import CHUNK, SMALL, TWO, games, shower
from ddz_core.claims.verdict import Cell

if TYPE_CHECKING:
    from numpy.typing import NDArray

Action: TypeAlias = "Callable[[Table, Batch], Batch]"
Part: TypeAlias = "tuple[NDArray[np.int64], NDArray[np.int64]]"
QUEEN, KING = cards.LANE["Q"], cards.LANE["K"]

OBJECTIVE = Parameter(name="objective", low=0, high=1, default=0)
"""0 judges by the chance to win, 1 by points."""


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A choice to be compared.

    Attributes:
        find: returns for each condition where it holds among the decisions of a trace.
        wants: by condition what the claim says of the difference; 0 conditions are only shown.
        first, second: returns the games with the action taken, for all conditions or by condition.
        settings: how the seat that chooses plays on after each of the two.
        more: returns further cells from the decisions of a trace, as values and places.
        shown: the further cells.
        counted: exact numbers of further cells.
        at: the numbers of conditions, for maps.
    """

    find: Callable[[Ask, Table, Trace], Mapping[str, NDArray[np.bool_]]]
    wants: Mapping[str, int]
    first: Action | Mapping[str, Action]
    second: Action | Mapping[str, Action]
    settings: tuple[Seat, Seat] = (Seat(), Seat())
    more: Callable[[Ask, Table, Trace], Mapping[str, Part]] | None = None
    shown: tuple[Cell, ...] = ()
    counted: Callable[[Ask], Mapping[str, Counted]] | None = None
    at: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def compared(
    table: Table,
    one: Batch,
    two: Batch,
    hero: NDArray[np.int64],
    settings: tuple[Seat, Seat] = (Seat(), Seat()),
) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]:
    """Return which pairs could be played, and the differences in wins and points of a seat's side.

    Points are those of the seat itself: the landlord settles with every farmer.

    Args:
        table: who plays.
        one, two: the games with either action.
        hero: the seat that chooses, by game.
        settings: how it plays on after each.
    """
    seats = table.seats
    arms = [
        [mine if seat == own else Seat() for seat in range(seats)]
        for mine in settings
        for own in range(seats)
    ]
    first, _ = table.play(one.arms(hero), arms)
    second, _ = table.play(two.arms(hero + seats), arms)
    played = (first >= 0) & (second >= 0)
    boss = hero == one.boss
    side = np.where(boss, 1, -1)
    wins = ((first & WON) - (second & WON)) * side
    factor = np.where(boss, seats - 1, 1)
    points = (table.points(np.maximum(first, 0)) - table.points(np.maximum(second, 0))) * side
    return played, wins, points * factor


def positions(ask: Ask, number: int) -> tuple[Trace, NDArray[np.uint64]]:
    """Return games in which moments are looked for, and their bottom cards.

    Rule bots play them for every family, so that all families are judged on the same positions;
    from the position on each family plays by itself.
    """
    return games(ask, table_of(ask.ruleset, "rule"), number)


def moment(name: str, made: Moment, *, parameters: Sequence[Parameter] = ()) -> Experiment:
    """Register a moment as an experiment; each condition gives a cell of wins and one of points."""

    def cells(ask: Ask) -> tuple[Cell, ...]:
        by_points = ask.whole("objective") == 1
        win, point = [], []
        for condition, want in made.wants.items():
            counts, at = want != 0, made.at.get(condition, {})
            win.append(Cell(name=condition, want=want or 1, counts=counts and not by_points, at=at))
            point.append(
                Cell(
                    name=f"{condition}_points",
                    want=want or 1,
                    unit="points",
                    counts=counts and by_points,
                    at=at,
                )
            )
        both = (*point, *win) if by_points else (*win, *point)
        return (*both, *made.shown)

    def work(ask: Ask, table: Table, number: int) -> Outcome:
        trace, bottoms = positions(ask, number)
        return outcome(ask, table, trace, bottoms, made)

    return register(
        Experiment(
            name=name,
            parameters=(OBJECTIVE, *parameters),
            cells=cells,
            counted=made.counted,
            work=work,
        )
    )


def outcome(
    ask: Ask, table: Table, trace: Trace, bottoms: NDArray[np.uint64], made: Moment
) -> Outcome:
    """Return what a moment found in some games."""
    parts: dict[str, Part] = {}
    shows: list[Callable[[int], tuple[str, int]]] = []
    found = made.find(ask, table, trace)
    for row, condition in enumerate(made.wants):
        at = trace.first(found[condition] & trace.choice)
        batch = trace.at(at)
        hero = trace.seat[at]
        first, second = (
            one[condition] if isinstance(one, Mapping) else one for one in (made.first, made.second)
        )
        played, wins, points = compared(
            table, first(table, batch), second(table, batch), hero, made.settings
        )
        keep = np.flatnonzero(played)
        places = trace.game[at][keep] + row * CHUNK
        parts[condition] = (wins[keep], places)
        parts[f"{condition}_points"] = (points[keep], places)
        shows.append(shower(ask, table, trace, at, hero, bottoms))
    if made.more is not None:
        parts.update(made.more(ask, table, trace))
    return Outcome(CHUNK, parts, lambda place: shows[place // CHUNK](place % CHUNK))


def picking(pick: Pick) -> Action:
    """Return what picks the first action in some way."""
    return lambda _table, batch: batch.picked(pick)


def playing_cards(text: str) -> Action:
    """Return what plays these cards first."""

    def made(table: Table, batch: Batch) -> Batch:
        hand = np.full(len(batch), cards.parse_cards(text), dtype=np.uint64)
        return batch.forcing(hand, np.full(len(batch), table.code(text), dtype=np.int64))

    return made


def playing_form(text: str, order: int, *, excluded: bool = False, how: int = BEST) -> Action:
    """Return what plays, or does not play, the form of some cards first."""

    def made(table: Table, batch: Batch) -> Batch:
        form = table.form(text)
        pick = Pick(
            how=how,
            form=-1 if excluded else form,
            not_form=form if excluded else -1,
            order=order,
        )
        return batch.picked(pick)

    return made


PASSING = picking(Pick(how=PASS))
BOMBING = picking(Pick(how=BEST, steps=BOMBS))
HOLDING = picking(Pick(how=BEST_OR_PASS, steps=NO_BOMBS))
ANSWERING = picking(Pick(how=BEST))
FREELY = picking(Pick())


# --- what the finders ask ------------------------------------------------------------------------


def bombs_held(table: Table, trace: Trace) -> NDArray[np.int64]:
    """Return the bombs in the hand of the seat that acts."""
    return bombs_in_all(table.ruleset, trace.own())


def rows_where(
    mask: NDArray[np.bool_], asked: Callable[[NDArray[np.int64]], NDArray[np.bool_]]
) -> NDArray[np.bool_]:
    """Ask something costly only of the decisions that fit so far."""
    at = np.flatnonzero(mask)
    found = np.zeros(len(mask), dtype=bool)
    if len(at):
        found[at] = asked(at)
    return found


def by_plays(
    table: Table, trace: Trace, mask: NDArray[np.bool_], low: int, high: int
) -> NDArray[np.bool_]:
    """Keep the decisions in which the own hand needs so many plays."""

    def asked(at: NDArray[np.int64]) -> NDArray[np.bool_]:
        turns = table.turns(trace.own()[at])
        return np.asarray((turns >= low) & (turns <= high))

    return rows_where(mask, asked)


def only_bombs(table: Table, trace: Trace, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Keep the decisions in which nothing but a bomb beats what lies on the table."""
    return rows_where(
        mask, lambda at: ~table.can_beat(trace.own()[at], trace.code[at], bombs=False)
    )


def enemy_left(trace: Trace) -> NDArray[np.int64]:
    """Return the cards of the owner of the play to beat, 0 for a lead."""
    owner = np.maximum(trace.owner, 0)
    return np.where(trace.owner >= 0, trace.left(owner), 0)


# --- D1: three cards left ------------------------------------------------------------------------


def _three_left(_ask: Ask, table: Table, trace: Trace) -> dict[str, NDArray[np.bool_]]:
    mask = trace.against() & (enemy_left(trace) == 3) & (bombs_held(table, trace) > 0)
    hero_lord = trace.seat == trace.boss
    return {
        "all": mask,
        "landlord_has_three": mask & ~hero_lord,
        "farmer_has_three": mask & hero_lord,
    }


def triple_of_three(ask: Ask) -> Fraction:
    """Return the chance that three random cards of the deck are one play, a triple."""
    counts = cards.counts_of(ask.ruleset.deck_cards)
    total = sum(counts)
    triples = sum(n * (n - 1) * (n - 2) // 6 for n in counts[:SMALL])
    return Fraction(triples * 6, total * (total - 1) * (total - 2))


def _one_play(_ask: Ask, _table: Table, trace: Trace) -> dict[str, Part]:
    at = trace.first(trace.against() & (enemy_left(trace) == 3))
    triple = trace.counts(np.maximum(trace.owner, 0))[at].max(axis=1) == 3
    return {"one_play": (triple.astype(np.int64), trace.game[at])}


moment(
    "bomb_at_three",
    Moment(
        find=_three_left,
        wants={"all": 1, "landlord_has_three": 1, "farmer_has_three": 1},
        first=HOLDING,
        second=BOMBING,
        more=_one_play,
        shown=(
            Cell(name="prior", want=-1, line=0.5, counts=False),
            Cell(name="one_play", want=-1, line=0.5, counts=False),
        ),
        counted=lambda ask: {"prior": triple_of_three(ask)},
    ),
)


# --- D2: the landlord runs -----------------------------------------------------------------------


def _running(_ask: Ask, _table: Table, trace: Trace) -> dict[str, NDArray[np.bool_]]:
    gone = 20 - trace.left(trace.boss)
    mask = trace.against() & (trace.seat != trace.boss) & (trace.rows[:, 6] == 0)
    return {
        "run14": mask & (gone >= 14),
        "run11": mask & (gone >= 11) & (gone <= 13),
        "run8": mask & (gone >= 8) & (gone <= 10),
    }


moment(
    "stop_the_run",
    Moment(
        find=_running,
        wants={"run14": 1, "run11": 0, "run8": 0},
        first=ANSWERING,
        second=PASSING,
    ),
)


# --- D5: the kind that the landlord fears --------------------------------------------------------


def _gate(_ask: Ask, table: Table, trace: Trace) -> dict[str, NDArray[np.bool_]]:
    mask = (trace.owner < 0) & (trace.seat != trace.boss)
    own, boss = trace.counts()[:, : TWO + 1], trace.counts(trace.boss)[:, : TWO + 1]
    pairs = (own == 2).any(axis=1)
    lowest = np.where(pairs, (own == 2).argmax(axis=1), 99)
    above = np.arange(TWO + 1)[None, :] > lowest[:, None]
    beats = ((boss >= 2) & above).sum(axis=1)
    triples = (own == 3).any(axis=1)
    low_triple = np.where(triples, (own == 3).argmax(axis=1), 99)
    beats_triple = ((boss >= 3) & (np.arange(TWO + 1)[None, :] > low_triple[:, None])).any(axis=1)
    form = table.form("33")
    plain = (trace.code >> 26 == 0) & (((trace.code >> 16) & 0x3FF) == form)
    passed = plain & (trace.seat == trace.boss) & (trace.played == 0)
    first = np.full(len(trace.batch), np.iinfo(np.int64).max)
    at = np.flatnonzero(passed)
    np.minimum.at(first, trace.game[at], at)
    later = np.arange(len(trace.rows)) > first[trace.game]
    return {
        "pair": mask & pairs & (beats == 0),
        "triple": mask & triples & ~beats_triple,
        "passed_pair": mask & later & pairs,
        "strong_pair": mask & pairs & (beats >= 3),
    }


_PAIR, _NO_PAIR = playing_form("33", 0), playing_form("33", 0, excluded=True)
moment(
    "change_the_gate",
    Moment(
        find=_gate,
        wants={"pair": 1, "triple": 1, "passed_pair": 1, "strong_pair": 0},
        first={
            "pair": _PAIR,
            "triple": playing_form("3334", 0),
            "passed_pair": _PAIR,
            "strong_pair": _PAIR,
        },
        second={
            "pair": _NO_PAIR,
            "triple": playing_form("3334", 0, excluded=True),
            "passed_pair": _NO_PAIR,
            "strong_pair": _NO_PAIR,
        },
    ),
)


# --- D6: the lead handed over --------------------------------------------------------------------


def _handing(_ask: Ask, _table: Table, trace: Trace) -> dict[str, NDArray[np.bool_]]:
    mask = (trace.owner < 0) & (trace.seat != trace.boss)
    mate = np.clip(3 - trace.seat, 0, 2)
    held = trace.counts(mate)
    left = np.where(trace.seat == trace.boss, 0, held.sum(axis=1))
    own = trace.counts()
    after = trace.seat == 1  # the partner plays next, the landlord sits behind it
    kinds = np.arange(cards.LANES)
    top = np.where(held > 0, kinds, -1).max(axis=1)
    low_pair = np.where((own >= 2).any(axis=1), (own >= 2).argmax(axis=1), 99)
    pair = (held.max(axis=1) == 2) & (low_pair < top)
    return {
        "one_next": mask & (left == 1) & after,
        "one_between": mask & (left == 1) & ~after,
        "pair_known": mask & (left == 2) & pair,
        "two_singles": mask & (left == 2),
        "three_singles": mask & (left == 3),
    }


_FEED, _NO_FEED = playing_form("3", LOWEST), playing_form("3", 0, excluded=True)

moment(
    "hand_over",
    Moment(
        find=_handing,
        wants={
            "one_next": 1,
            "one_between": 1,
            "pair_known": 1,
            "two_singles": 0,
            "three_singles": 0,
        },
        first={
            "one_next": _FEED,
            "one_between": _FEED,
            "pair_known": playing_form("33", LOWEST),
            "two_singles": _FEED,
            "three_singles": _FEED,
        },
        second={
            "one_next": _NO_FEED,
            "one_between": _NO_FEED,
            "pair_known": _NO_PAIR,
            "two_singles": _NO_FEED,
            "three_singles": _NO_FEED,
        },
    ),
)
