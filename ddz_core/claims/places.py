"""Experiments on given positions: hands of a document, endings that are solved, counted splits."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import cards, decompose
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
from ddz_core.claims.moments import OBJECTIVE, Part, compared, positions
from ddz_core.claims.playing import (
    BEST,
    LOWEST,
    PASS,
    Batch,
    Pick,
    Seat,
    Table,
    Trace,
    cards_of,
    dealt,
    rng_of,
    tuned,
)
from ddz_core.claims.reading import ACE, BIG, CHUNK, TWO, shower
from ddz_core.claims.verdict import Cell
from ddz_core.estimate import Estimate
from ddz_core.positions import Position, position
from ddz_core.rules import load_ruleset
from ddz_core.solver import Solver

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.specs import Ruleset

Line = list[tuple[int, int, int]]


@dataclass(frozen=True)
class Scene:
    """A position of which some cards are known and the rest is dealt.

    Attributes:
        known: cards of each seat at the landlord's first lead, as text.
        played: what was played so far: seat and cards, empty for a pass.
        seat: who chooses.
    """

    known: tuple[str, str, str]
    played: tuple[tuple[int, str], ...]
    seat: int

    def line(self, table: Table) -> Line:
        """Return the actions so far."""
        return [
            (seat, cards.parse_cards(text), table.code(text) if text else 0)
            for seat, text in self.played
        ]

    def deal(self, ruleset: Ruleset, deals: int, rng: np.random.Generator) -> NDArray[np.uint64]:
        """Return hands at the landlord's first lead that have the known cards (deals × seats)."""
        spec = ruleset.deal
        known = [cards.parse_cards(text) for text in self.known]
        sizes = [spec.hand + (spec.bottom if seat == 0 else 0) for seat in range(spec.seats)]
        lacking = [size - cards.size_of(one) for size, one in zip(sizes, known, strict=True)]
        pool = cards_of(cards.counts_of(ruleset.deck_cards - sum(known)))
        found = dealt(pool, lacking, deals, rng)
        return found + np.array(known, dtype=np.uint64)

    def batch(self, table: Table, hands: NDArray[np.uint64], seed: int) -> Batch:
        """Return the games as they stand after what was played."""
        line = self.line(table)
        games = len(hands)
        script = np.array([[hand for _, hand, _ in line]], dtype=np.uint64).repeat(games, axis=0)
        codes = np.array([[code for _, _, code in line]], dtype=np.int64).repeat(games, axis=0)
        batch = Batch.of(hands, lowest(table.ruleset, hands[:, 0]), seed=seed)
        return batch.scripted(script, codes, len(line))


def lowest(ruleset: Ruleset, hands: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the lowest cards of landlords' hands, to stand for bottom cards that are not told."""
    number = ruleset.deal.bottom
    texts = (cards.format_cards(int(hand))[:number] for hand in hands)
    return np.array([cards.parse_cards(text) for text in texts], dtype=np.uint64)


def forced(table: Table, batch: Batch, text: str) -> Batch:
    """Return games whose first action is a play of these cards, or a pass for none."""
    if not text:
        return batch.picked(Pick(how=PASS))
    hand = np.full(len(batch), cards.parse_cards(text), dtype=np.uint64)
    return batch.forcing(hand, np.full(len(batch), table.code(text), dtype=np.int64))


# --- P2: probing with QQ -------------------------------------------------------------------------

_HELD = "JJJQQKAA22D"
_BEFORE = {
    3: ("3456789TJ",),
    2: ("56789TJQK",),
    1: ("3456789", "KK"),
    0: ("56789", "4KKK"),
}
"""What the landlord of the document has played before, by the kings that are still out."""


def probe_scene(kings: int) -> Scene:
    """Return the hand of the document with so many kings still out."""
    before = _BEFORE[kings]
    played = tuple(one for text in before for one in ((0, text), (1, ""), (2, "")))
    return Scene(known=(_HELD + "".join(before), "", ""), played=played, seat=0)


def _p2_cells(ask: Ask) -> tuple[Cell, ...]:
    kings = ask.whole("kings")
    order = [kings, *(k for k in (3, 2, 1, 0) if k != kings)]
    return tuple(
        Cell(
            name=f"out{k}_{other}",
            counts=k == kings,
            at={"kings": k},
        )
        for k in order
        for other in ("jjj", "k", "aa")
    )


def _p2_work(ask: Ask, table: Table, number: int) -> Outcome:
    parts: dict[str, Part] = {}
    shows: list[tuple[NDArray[np.uint64], Line]] = []
    for row, kings in enumerate((3, 2, 1, 0)):
        scene = probe_scene(kings)
        hands = scene.deal(ask.ruleset, PLACE_CHUNK, rng_of(ask.seed, 4 * number + row))
        batch = scene.batch(table, hands, ask.seed * 1_000_003 + number)
        hero = np.zeros(len(batch), dtype=np.int64)
        for other, text in (("jjj", "JJJ"), ("k", "K"), ("aa", "AA")):
            played, wins, _ = compared(
                table, forced(table, batch, "QQ"), forced(table, batch, text), hero
            )
            at = np.flatnonzero(played)
            parts[f"out{kings}_{other}"] = (wins[at], at + row * CHUNK)
        shows.append((hands, scene.line(table)))

    def show(place: int) -> tuple[str, int]:
        hands, line = shows[place // CHUNK]
        return game_code(ask.ruleset, hands[place % CHUNK], 0, line, table), 0

    return Outcome(PLACE_CHUNK, parts, show)


PLACE_CHUNK = 250

register(
    Experiment(
        name="probe",
        parameters=(Parameter(name="kings", low=0, high=3, default=3),),
        cells=_p2_cells,
        work=_p2_work,
        chunk=PLACE_CHUNK,
    )
)


# --- W1: the worked example ----------------------------------------------------------------------

_EXAMPLE = Scene(known=("3339JKKK", "34AAA", "5557"), played=((0, "3339"),), seat=1)
_NO_TRIPLE = Scene(known=("3339JKKK", "34AAA", ""), played=((0, "3339"),), seat=1)
_COVERS, _SITS = tuned(answer=30.0), tuned(answer=-30.0)


def _w1_work(ask: Ask, table: Table, number: int) -> Outcome:
    seed = ask.seed * 1_000_003 + number
    parts: dict[str, Part] = {}
    shows = []
    settings = {"usual": Seat(), "covers": _COVERS, "sits": _SITS}
    for row, (name, partner) in enumerate([*settings.items(), ("no_triple", Seat())]):
        scene = _NO_TRIPLE if name == "no_triple" else _EXAMPLE
        hands = scene.deal(ask.ruleset, PLACE_CHUNK, rng_of(ask.seed, 2 * number + (row == 3)))
        if name == "no_triple":
            hands = hands[(lanes_of(hands)[:, 2, : TWO + 1] < 3).all(axis=1)]
        batch = scene.batch(table, hands, seed)
        arms = [[Seat(), Seat(), partner]]
        results = [table.play(forced(table, batch, text), arms)[0] for text in ("", "3AAA")]
        wins = (results[1] & 1) - (results[0] & 1)
        points = table.points(results[1]) - table.points(results[0])
        places = np.arange(len(hands)) + row * CHUNK
        parts[name] = (wins, places)
        parts[f"{name}_points"] = (points, places)
        shows.append((hands, scene.line(table)))

    def show(place: int) -> tuple[str, int]:
        hands, line = shows[place // CHUNK]
        return game_code(ask.ruleset, hands[place % CHUNK], 0, line, table), 1

    return Outcome(PLACE_CHUNK, parts, show)


def _w1_cells(ask: Ask) -> tuple[Cell, ...]:
    by_points = ask.whole("objective") == 1
    names = ("usual", "covers", "sits", "no_triple")
    win = [Cell(name=n, counts=n != "no_triple" and not by_points) for n in names]
    point = [
        Cell(name=f"{n}_points", unit="points", counts=n != "no_triple" and by_points)
        for n in names
    ]
    return (*point, *win) if by_points else (*win, *point)


register(
    Experiment(
        name="worked_example",
        parameters=(OBJECTIVE,),
        cells=_w1_cells,
        work=_w1_work,
        chunk=PLACE_CHUNK,
    )
)


# --- P3: straights that break pairs --------------------------------------------------------------


def straight_saves(length: int, paired: tuple[int, ...], ruleset: Ruleset) -> int:
    """Return how many plays a straight saves over leaving its ranks as they are.

    Exact: fewest plays without straights, less one for the straight and the fewest for what it
    leaves.

    Args:
        length: ranks of the straight, which begins with a 3.
        paired: places in it where two cards are held.
        ruleset: the game.
    """
    run = cards.RANKS[:length]
    rest = "".join(run[place] for place in paired)
    without = load_ruleset(ruleset.id, {"kinds.off": ["straight"]})
    with_it = 1 + (decompose.fewest(rest, without) if rest else 0)
    return decompose.fewest(run + rest, without) - with_it


_SPLITS: dict[str, tuple[int, tuple[int, ...], int, bool]] = {
    "six_three": (6, (0, 2, 4), -1, True),
    "eight_four": (8, (0, 2, 4, 6), -1, True),
    "five_three_joined": (5, (1, 2, 3), -1, True),
    "six_two": (6, (1, 4), 1, False),
    "eight_three": (8, (0, 3, 6), 1, False),
}


def _p3_counted(ask: Ask) -> Mapping[str, Counted]:
    return {
        name: Fraction(straight_saves(length, paired, ask.ruleset))
        for name, (length, paired, _, _) in _SPLITS.items()
    }


def _p3_work(ask: Ask, table: Table, number: int) -> Outcome:
    trace, bottoms = positions(ask, number)
    leads = np.flatnonzero(trace.rows[:, 10] == 0)
    counts = trace.counts()[leads]
    parts: dict[str, Part] = {}
    shows = []
    for row, broken in enumerate((1, 2, 3)):
        hand = np.zeros(len(leads), dtype=np.uint64)
        code = np.zeros(len(leads), dtype=np.int64)
        for length, low in itertools.product((6, 5), range(ACE)):
            if low + length > ACE + 1:
                continue
            run = counts[:, low : low + length]
            fits = ((run == 1) | (run == 2)).all(axis=1) & ((run == 2).sum(axis=1) == broken)
            fits &= hand == 0
            text = cards.RANKS[low : low + length]
            hand[fits] = cards.parse_cards(text)
            code[fits] = table.code(text)
        has = np.flatnonzero(hand != 0)
        at = leads[has]
        batch = trace.at(at)
        other = batch.without_forms((code[has] >> 16) & 0x3FF)
        played, wins, _ = compared(
            table, batch.forcing(hand[has], code[has]), other, trace.seat[at]
        )
        keep = np.flatnonzero(played)
        parts[f"breaks{broken}"] = (wins[keep], trace.game[at][keep] + row * CHUNK)
        shows.append(shower(ask, table, trace, at, trace.seat[at], bottoms))
    return Outcome(CHUNK, parts, lambda place: shows[place // CHUNK](place % CHUNK))


register(
    Experiment(
        name="straight_breaks_pairs",
        cells=lambda _ask: (
            *(
                Cell(name=name, want=want, unit="plays", counts=counts)
                for name, (_, _, want, counts) in _SPLITS.items()
            ),
            Cell(name="breaks3", want=-1),
            Cell(name="breaks2", counts=False),
            Cell(name="breaks1", counts=False),
        ),
        counted=_p3_counted,
        work=_p3_work,
    )
)


# --- P4: small pairs and one control -------------------------------------------------------------


@lru_cache(maxsize=64)
def pairs_hold(
    ruleset_id: str, pairs: int, control: str, ending: str
) -> tuple[int, int, dict[str, Position]]:
    """Return in how many endings of a family the hand with small pairs wins, of how many.

    The first ending that it wins and the first that it loses come with them, as ``for`` and
    ``against``.

    Two hands: one holds ``pairs`` pairs from 33 up and a control; the other, to lead, holds the
    ``ending``: ``single`` for two different single cards, ``pair`` for a single card and a pair.
    All ranks above the pairs are tried. Solved.
    """
    rules = load_ruleset(ruleset_id)
    solver = Solver(rules)
    own = "".join(2 * cards.RANKS[i] for i in range(pairs))
    above = [rank for rank in cards.RANKS[pairs : BIG + 1] if rank not in control]
    won = total = 0
    first: dict[str, Position] = {}
    for low, high in itertools.combinations(above, 2):
        if ending == "pair" and high in "XD":
            continue
        other = low + high if ending == "single" else low + 2 * high
        start = position([other, own + control], 0, rules=rules)
        wins = solver.solve(start, plays=False).value < 0
        first.setdefault("for" if wins else "against", start)
        total += 1
        won += wins
    return won, total, first


def _p4_shown(ask: Ask) -> Mapping[str, tuple[Position, int, str]]:
    found: dict[str, tuple[Position, int, str]] = {}
    for name, (control, ending) in _FAMILIES.items():
        _, _, first = pairs_hold(ask.ruleset.id, ask.whole("pairs"), control, ending)
        for side, start in first.items():
            found.setdefault(side, (start, 1, name))
    return found


def _p4_counted(ask: Ask) -> Mapping[str, Counted]:
    pairs = ask.whole("pairs")
    found: dict[str, Counted] = {}
    for name, (control, ending) in _FAMILIES.items():
        won, total, _ = pairs_hold(ask.ruleset.id, pairs, control, ending)
        found[name] = solved(Fraction(won, total), total)
    return found


def solved(share: Fraction, n: int) -> Estimate:
    """Return a share of endings that were all solved."""
    value = float(share)
    return Estimate(value=value, low=value, high=value, n=n, method="solved")


_FAMILIES = {"joker": ("D", "single"), "twos": ("22", "single"), "joker_pair": ("D", "pair")}

register(
    Experiment(
        name="small_pairs",
        parameters=(Parameter(name="pairs", low=1, high=6, default=3),),
        cells=lambda _ask: (
            Cell(name="joker", line=0.9999),
            Cell(name="twos", line=0.9999),
            Cell(name="joker_pair", line=0.9999, counts=False),
        ),
        counted=_p4_counted,
        shown=_p4_shown,
    )
)


# --- D4: a partner with one card -----------------------------------------------------------------

_FED = 40
"""Endings of each family."""


@lru_cache(maxsize=16)
def fed(ruleset_id: str, between: bool, seed: int = 1) -> tuple[int, int]:
    """Return in how many endings a low single led to a partner with one card wins, of how many.

    Three hands: the leader has four cards with a card lower than the partner's single one, the
    landlord five. Dealt at random, all solved; ``between``: the landlord plays before the partner.
    """
    rules = load_ruleset(ruleset_id)
    solver = Solver(rules)
    rng = np.random.default_rng((seed, int(between)))
    pack = cards_of(cards.counts_of(rules.ruleset.deck_cards))
    won = total = 0
    while total < _FED:
        leader, landlord, partner = (int(h) for h in dealt(pack, [4, 5, 1], 1, rng)[0])
        low = cards.format_cards(leader)[0]
        if cards.LANE[low] >= cards.LANE[cards.format_cards(partner)]:
            continue
        order = [landlord, partner, leader] if between else [landlord, leader, partner]
        who = 2 if between else 1
        found = solver.after(position(order, who, rules=rules), low)
        total += 1
        if isinstance(found, Position):
            won += solver.solve(found, plays=False).value < 0
    return won, total


def _keeping(trace: Trace) -> dict[str, NDArray[np.bool_]]:
    own = trace.counts()
    mate = np.where(trace.seat == 1, trace.left(np.full(len(trace.rows), 2)), 0)
    low = (own[:, : cards.LANE["8"]] == 1).any(axis=1)
    mask = (trace.owner < 0) & (trace.seat == 1) & low & (mate >= 2) & (mate <= 6)
    sure = (own[:, BIG] > 0) | (own[:, : TWO + 1] == 4).any(axis=1) | (own[:, TWO] >= 2)
    return {"keep_sure": mask & sure, "keep_unsure": mask & ~sure}


def _d4_counted(ask: Ask) -> Mapping[str, Counted]:
    found: dict[str, Counted] = {}
    for name, between in (("feed_next", False), ("feed_between", True)):
        won, total = fed(ask.ruleset.id, between)
        found[name] = solved(Fraction(won, total), total)
    return found


def _d4_work(ask: Ask, table: Table, number: int) -> Outcome:
    trace, bottoms = positions(ask, number)
    parts: dict[str, Part] = {}
    shows: list[Callable[[int], tuple[str, int]]] = []
    single = table.form("3")
    for row, (name, mask) in enumerate(_keeping(trace).items()):
        at = trace.first(mask)
        batch = trace.at(at)
        played, wins, _ = compared(
            table,
            batch.picked(Pick(how=BEST, not_form=single)),
            batch.picked(Pick(how=BEST, form=single, order=LOWEST)),
            trace.seat[at],
        )
        keep = np.flatnonzero(played)
        parts[name] = (wins[keep], trace.game[at][keep] + row * CHUNK)
        shows.append(shower(ask, table, trace, at, trace.seat[at], bottoms))
    return Outcome(CHUNK, parts, lambda place: shows[place // CHUNK](place % CHUNK))


register(
    Experiment(
        name="keep_and_feed",
        cells=lambda _ask: (
            Cell(name="feed_next", line=0.9999),
            Cell(name="keep_sure"),
            Cell(name="keep_unsure", counts=False),
            Cell(name="feed_between", line=0.9999, counts=False),
        ),
        counted=_d4_counted,
        work=_d4_work,
    )
)
