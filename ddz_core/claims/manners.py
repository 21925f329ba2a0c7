"""Experiments on a way of playing: whole games twice, one seat playing otherwise.

The same deals are played with two rows of settings; what is reported is the first less the second,
for the side of the seat that the claim speaks of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ddz_core.bookbids import bombs_in_all, points_of_all
from ddz_core.claims.experiment import (
    Ask,
    Counted,
    Experiment,
    Outcome,
    Parameter,
    game_code,
    register,
)
from ddz_core.claims.moments import OBJECTIVE, Part
from ddz_core.claims.playing import (
    EVERYTHING,
    OWN,
    SPRING,
    WON,
    Batch,
    Seat,
    Table,
    landlord_first,
    rng_of,
    tuned,
)
from ddz_core.claims.reading import BIG
from ddz_core.claims.verdict import Cell

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 1_000
LANDLORD, AFTER, BEFORE = 0, 1, 2
"""Seats: the landlord, the farmer after it, the farmer before it."""

Row = Sequence[Seat]


@dataclass(frozen=True, kw_only=True)
class Race:
    """Two rows of settings to be compared under one condition.

    Attributes:
        first, second: the rows; a callable chooses by deal from several.
        hero: the seat whose side counts.
        want: what the claim says of the difference; 0 with ``counts`` says that there is none.
        counts: whether it takes part in the verdict.
        where: which deals fit, all by default.
        of: ``result`` for wins and points, ``spring`` for the share of springs.
        at: numbers of the condition.
    """

    first: Row
    second: Row
    hero: int = LANDLORD
    want: int = 1
    counts: bool = True
    where: Callable[[Table, NDArray[np.uint64]], NDArray[np.bool_]] | None = None
    of: str = "result"
    at: Mapping[str, float] = field(default_factory=dict)


Races = Callable[[Ask], Mapping[str, Race]]


def manner(
    name: str,
    races: Races,
    *,
    parameters: Sequence[Parameter] = (),
    shown: Sequence[Cell] = (),
    counted: Callable[[Ask], Mapping[str, Counted]] | None = None,
    chunk: int = CHUNK,
    families: tuple[str, ...] = ("rule", "net"),
) -> Experiment:
    """Register races of settings as an experiment; each gives a cell of wins and one of points."""

    def cells(ask: Ask) -> tuple[Cell, ...]:
        by_points = ask.whole("objective") == 1
        win, point = [], []
        for condition, race in races(ask).items():
            if race.of == "spring":
                win.append(Cell(name=condition, want=race.want, counts=race.counts, at=race.at))
                continue
            win.append(
                Cell(
                    name=condition,
                    want=race.want,
                    counts=race.counts and not by_points,
                    at=race.at,
                )
            )
            point.append(
                Cell(
                    name=f"{condition}_points",
                    want=race.want,
                    unit="points",
                    counts=race.counts and by_points,
                    at=race.at,
                )
            )
        both = (*point, *win) if by_points else (*win, *point)
        return (*both, *shown)

    def work(ask: Ask, table: Table, number: int) -> Outcome:
        hands, bottoms = landlord_first(ask.ruleset, chunk, rng_of(ask.seed, number))
        batch = Batch.of(hands, bottoms, seed=ask.seed * 1_000_003 + number)
        asked = races(ask)
        rows: list[Row] = []
        for race in asked.values():
            for row in (race.first, race.second):
                if row not in rows:
                    rows.append(row)
        masks = {
            condition: np.ones(len(hands), dtype=bool)
            if race.where is None
            else race.where(table, hands)
            for condition, race in asked.items()
        }
        some = np.flatnonzero(np.logical_or.reduce(list(masks.values())))
        results = np.zeros((len(rows), len(hands)), dtype=np.int64)
        for arm in range(len(rows)):
            results[arm, some] = table.play(batch.take(some).arms(arm), rows)[0]
        parts: dict[str, Part] = {}
        heroes = []
        for place, (condition, race) in enumerate(asked.items()):
            one, two = results[rows.index(race.first)], results[rows.index(race.second)]
            keep = np.flatnonzero(masks[condition])
            parts.update(differences(table, condition, race, one[keep], two[keep], keep, place))
            heroes.append(race.hero)

        def show(place: int) -> tuple[str, int]:
            game = place % chunk
            code = game_code(ask.ruleset, hands[game], 0, [], table, int(bottoms[game]))
            return code, heroes[place // chunk]

        return Outcome(len(hands), parts, show)

    return register(
        Experiment(
            name=name,
            parameters=(OBJECTIVE, *parameters),
            cells=cells,
            counted=counted,
            work=work,
            chunk=chunk,
            families=families,
        )
    )


def differences(
    table: Table,
    condition: str,
    race: Race,
    one: NDArray[np.int64],
    two: NDArray[np.int64],
    games: NDArray[np.int64],
    place: int,
) -> dict[str, Part]:
    """Return the cells of a race from the results of its two rows."""
    places = games + place * CHUNK
    if race.of == "spring":
        return {condition: (((one & SPRING) > 0).astype(np.int64) - ((two & SPRING) > 0), places)}
    side = 1 if race.hero == LANDLORD else -1
    factor = side * (table.seats - 1 if race.hero == LANDLORD else 1)
    return {
        condition: (((one & WON) - (two & WON)) * side, places),
        f"{condition}_points": ((table.points(one) - table.points(two)) * factor, places),
    }


USUAL = Seat()


def at_seat(seat: int, settings: Seat, seats: int = 3) -> tuple[Seat, ...]:
    """Return a row in which one seat plays otherwise."""
    return tuple(settings if own == seat else USUAL for own in range(seats))


# --- D3, D7, D8, D10: how farmers treat each other's plays ---------------------------------------

BLOCKER = tuned(over=4.0, over_block=6.0, answer=14.0)
"""A farmer who covers: middle cards go on the partner's low ones when the landlord is next."""
PASSIVE = tuned(over=-1e6, over_block=0.0, answer=0.0)
"""A farmer who lets middle cards pass and never covers the partner."""
ATTACKER = tuned(over=-12.0, answer=7.4)
"""A farmer who keeps its cards for going out."""
NEVER, ALWAYS = tuned(over=-1e6), tuned(over=1e3)

manner(
    "top_card",
    lambda _ask: {
        "blocker": Race(
            first=at_seat(BEFORE, BLOCKER), second=at_seat(BEFORE, PASSIVE), hero=BEFORE
        ),
        "weak": Race(
            first=at_seat(BEFORE, BLOCKER),
            second=at_seat(BEFORE, PASSIVE),
            hero=BEFORE,
            where=lambda _table, hands: points_of_all(hands[:, BEFORE]) <= 4,
            counts=False,
        ),
        "strong": Race(
            first=at_seat(BEFORE, BLOCKER),
            second=at_seat(BEFORE, PASSIVE),
            hero=BEFORE,
            where=lambda _table, hands: points_of_all(hands[:, BEFORE]) >= 8,
            counts=False,
        ),
        "usual": Race(
            first=at_seat(BEFORE, BLOCKER), second=at_seat(BEFORE, OWN), hero=BEFORE, counts=False
        ),
    },
)


def _cover_rate(ask: Ask) -> dict[str, Race]:
    rates = (0.0, 0.1, 0.2, 0.3, 0.5, 1.0)

    def row(rate: float) -> tuple[Seat, ...]:
        seat = Seat(over=(("over", 1e3),), over_share=rate, weights=(("over", -1e6),), bot="rule")
        return (USUAL, seat, seat)

    chosen = ask["rate"]
    found = {
        "seldom_often": Race(first=row(chosen), second=row(1.0), hero=AFTER, at={"rate": chosen}),
        "judged": Race(first=(USUAL, OWN, OWN), second=row(0.0), hero=AFTER),
        "seldom_never": Race(
            first=row(chosen), second=row(0.0), hero=AFTER, counts=False, at={"rate": chosen}
        ),
    }
    for rate in rates[1:]:
        found[f"rate{round(rate * 100)}"] = Race(
            first=row(rate), second=row(0.0), hero=AFTER, counts=False, at={"rate": rate}
        )
    return found


manner(
    "cover_the_partner",
    _cover_rate,
    parameters=(Parameter(name="rate", low=0, high=1, default=0.2),),
)

manner(
    "never_cover",
    lambda _ask: {
        "one": Race(first=at_seat(AFTER, NEVER), second=at_seat(AFTER, OWN), hero=AFTER),
        "other": Race(first=at_seat(BEFORE, NEVER), second=at_seat(BEFORE, OWN), hero=BEFORE),
        "both": Race(
            first=(USUAL, NEVER, NEVER), second=(USUAL, OWN, OWN), hero=AFTER, counts=False
        ),
    },
)


def _stronger(table: Table, hands: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Tell in which deals the farmer after the landlord needs fewer plays."""
    return table.turns(hands[:, AFTER]) < table.turns(hands[:, BEFORE])


def _weaker(table: Table, hands: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Tell in which deals the farmer before the landlord needs fewer plays."""
    return table.turns(hands[:, AFTER]) > table.turns(hands[:, BEFORE])


_AFTER_ATTACKS = (USUAL, ATTACKER, BLOCKER)
_BEFORE_ATTACKS = (USUAL, BLOCKER, ATTACKER)

manner(
    "roles",
    lambda _ask: {
        "after_shorter": Race(
            first=_AFTER_ATTACKS, second=_BEFORE_ATTACKS, hero=AFTER, where=_stronger
        ),
        "before_shorter": Race(
            first=_BEFORE_ATTACKS, second=_AFTER_ATTACKS, hero=AFTER, where=_weaker
        ),
    },
)


# --- D9: guarding against bombs ------------------------------------------------------------------


def _some_bomb(_ask: Ask) -> Mapping[str, Counted]:
    """Return the chance that one of the two farmers holds a bomb of a rank the landlord lacks."""
    void = Fraction(2 * 2380, 46376)
    return {"void_rank": void}


manner(
    "guard_against_bombs",
    lambda _ask: {
        "landlord": Race(
            first=at_seat(LANDLORD, OWN), second=at_seat(LANDLORD, Seat(no_bombs=True, bot="rule"))
        ),
        "farmers": Race(
            first=(USUAL, OWN, OWN),
            second=(USUAL, Seat(no_bombs=True, bot="rule"), Seat(no_bombs=True, bot="rule")),
            hero=AFTER,
        ),
    },
    shown=(Cell(name="void_rank", line=0.5, counts=False),),
    counted=_some_bomb,
)


# --- P1: planning the route ----------------------------------------------------------------------

GREEDY = tuned(lead_turns=0.0, answer_turns=0.0, over_turns=0.0, finish=0.0, lead_cards=2.0)
"""Never asks how many plays its hand needs: longest and lowest first, covers when cheap."""

manner(
    "route",
    lambda _ask: {
        "landlord": Race(first=at_seat(LANDLORD, OWN), second=at_seat(LANDLORD, GREEDY)),
        "after": Race(first=at_seat(AFTER, OWN), second=at_seat(AFTER, GREEDY), hero=AFTER),
        "before": Race(first=at_seat(BEFORE, OWN), second=at_seat(BEFORE, GREEDY), hero=BEFORE),
    },
)


# --- P5: shutting out ----------------------------------------------------------------------------

_EASY_FIRST, _STRONG_FIRST = tuned(), tuned(lead_low=-0.6, lead_safe=9.0, lead_price=0.3)


def _shut_out(ask: Ask) -> dict[str, Race]:
    habits = {"saver": 1.0, "coverer": 14.0}
    if "cover" in ask.moved:
        habits = {"chosen": ask["cover"]}
    found = {}
    for name, answer in habits.items():
        farmer = tuned(answer=answer)
        found[f"{name}_spring"] = Race(
            first=(_EASY_FIRST, farmer, farmer),
            second=(_STRONG_FIRST, farmer, farmer),
            where=_spring_hand,
            of="spring",
            at={"cover": answer},
        )
        found[name] = Race(
            first=(_EASY_FIRST, farmer, farmer),
            second=(_STRONG_FIRST, farmer, farmer),
            where=_spring_hand,
            counts=False,
            at={"cover": answer},
        )
    return found


def _spring_hand(table: Table, hands: NDArray[np.uint64]) -> NDArray[np.bool_]:
    own = hands[:, LANDLORD]
    strong = points_of_all(own) >= 9
    found = np.zeros(len(own), dtype=bool)
    at = np.flatnonzero(strong)
    found[at] = table.turns(own[at]) <= 6
    return found


manner(
    "shut_out",
    _shut_out,
    families=("rule",),
    parameters=(Parameter(name="cover", low=-4, high=20, default=7.4),),
)


# --- R8: remembering the top ranks ---------------------------------------------------------------


def memory_of(ranks: int) -> int:
    """Return the packed mask of the highest ranks, big joker first."""
    lanes = [BIG - k for k in range(ranks)]
    return sum(0xF << 4 * lane for lane in lanes)


def _remembering(ask: Ask) -> dict[str, Race]:
    def row(mask: int) -> tuple[Seat, ...]:
        # whoever forgets a rank does not fear its bomb for that: bombs are left out in every row
        seat = Seat(memory=mask, no_bombs=True, bot="rule")
        return (seat, USUAL, USUAL)

    def farmers(mask: int) -> tuple[Seat, ...]:
        seat = Seat(memory=mask, no_bombs=True, bot="rule")
        return (USUAL, seat, seat)

    top = ask.whole("ranks")
    found = {
        "top_none": Race(first=row(memory_of(top)), second=row(0), at={"ranks": top}),
        "all_top": Race(
            first=row(EVERYTHING), second=row(memory_of(top)), want=0, at={"ranks": top}
        ),
        "farmers_top_none": Race(
            first=farmers(memory_of(top)), second=farmers(0), hero=AFTER, at={"ranks": top}
        ),
        "farmers_all_top": Race(
            first=farmers(EVERYTHING),
            second=farmers(memory_of(top)),
            hero=AFTER,
            want=0,
            at={"ranks": top},
        ),
    }
    for ranks in (1, 2, 3, 5, 8, 15):
        found[f"ranks{ranks}"] = Race(
            first=row(memory_of(ranks)), second=row(0), counts=False, at={"ranks": ranks}
        )
    return found


manner(
    "remembered_ranks",
    _remembering,
    parameters=(Parameter(name="ranks", low=1, high=15, default=5),),
)


# --- B10: raised stakes and open hands -----------------------------------------------------------


def break_even(factor: Fraction, share: Fraction = Fraction(1)) -> Fraction:
    """Return the chance from which multiplying the stake pays.

    Args:
        factor: by which the stake is multiplied.
        share: part of the chance to win that is kept, for instance by a hand that is shown.

    With chance p the stake 1 is worth 2p - 1, the raised one ``factor`` (2 share p - 1).
    """
    return (factor - 1) / (2 * (factor * share - 1))


def _open_counted(_ask: Ask) -> Mapping[str, Counted]:
    return {f"even{factor}": break_even(Fraction(factor)) for factor in (2, 4, 8)}


_SHOWN = (USUAL, Seat(sees_landlord=True, bot="rule"), Seat(sees_landlord=True, bot="rule"))


def _open_work(ask: Ask, table: Table, number: int) -> Outcome:
    hands, bottoms = landlord_first(ask.ruleset, CHUNK, rng_of(ask.seed, number))
    batch = Batch.of(hands, bottoms, seed=ask.seed * 1_000_003 + number)
    hidden, _ = table.play(batch, [(USUAL, OWN, OWN)])
    shown, _ = table.play(batch, [_SHOWN])
    own = hands[:, 0]
    points, turns = points_of_all(own), table.turns(own)
    bombs = bombs_in_all(ask.ruleset, own)
    strong = (points >= ask.whole("points")) & (turns <= ask.whole("plays"))
    strong |= (bombs > 0) & (turns <= ask.whole("plays"))
    places = np.arange(len(hands))
    lost = (shown & WON) - (hidden & WON)
    gain = (2 * table.points(shown) - table.points(hidden)) * (table.seats - 1)
    parts = {
        "chance": (lost, places),
        "strong_chance": (lost[strong], places[strong]),
        "strong_gain_points": (gain[strong], places[strong]),
        "weak_gain_points": (gain[~strong], places[~strong]),
        "strong_wins": ((hidden & WON)[strong], places[strong]),
    }

    def show(place: int) -> tuple[str, int]:
        code = game_code(ask.ruleset, hands[place], 0, [], table, int(bottoms[place]))
        return code, 0

    return Outcome(CHUNK, parts, show)


register(
    Experiment(
        name="raised_stakes",
        parameters=(
            Parameter(name="points", low=6, high=16, default=9),
            Parameter(name="plays", low=3, high=9, default=5),
        ),
        cells=lambda _ask: (
            Cell(name="strong_gain_points", unit="points"),
            Cell(name="weak_gain_points", want=-1, unit="points"),
            Cell(name="chance", want=-1),
            *(Cell(name=f"even{f}", want=0, line=0.5) for f in (2, 4, 8)),
            Cell(name="strong_chance", want=-1, counts=False),
            Cell(name="strong_wins", line=0.5, counts=False),
        ),
        counted=_open_counted,
        work=_open_work,
    )
)


# --- B9: bombs bought with the call --------------------------------------------------------------


def _quotas(ask: Ask) -> dict[str, Race]:
    def row(quota: int) -> tuple[Seat, ...]:
        seat = Seat(quota=quota, bot="")
        return (USUAL, seat, seat, seat)

    few = ask.whole("bombs")
    return {
        "one": Race(first=row(few), second=row(-1), at={"bombs": few}),
        "two": Race(first=row(2), second=row(-1), counts=False, at={"bombs": 2}),
    }


manner(
    "bomb_quota",
    _quotas,
    parameters=(Parameter(name="bombs", low=0, high=3, default=1),),
    chunk=200,
    families=("rule",),
)
