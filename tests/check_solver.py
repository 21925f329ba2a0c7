"""Hold the solver against trying everything, on any number of small random deals.

Run ``python -m tests.check_solver --deals 20000 --seed 1`` in the root of the project. Each deal
has two to four hands in two sides, kicker options, bans and a place in a trick drawn at random;
the value and the set of plays that keep it must be those of :mod:`brute_force`, and every third
deal is counted in points.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import brute_force
import oracle
import oracle_two_decks
from oracle import Options, Reading
from strategies import overrides_of

import ddz_core as ddz
from ddz_core import actions
from ddz_core.solver import Solution, solve


@dataclass(frozen=True)
class Case:
    """One deal: what both sides of the comparison are asked."""

    options: Options
    hands: tuple[str, ...]
    to_move: int
    table: Reading | None
    owner: int
    landlords: tuple[int, ...]
    points: bool
    two_decks: oracle_two_decks.Game | None = None

    @property
    def rules(self) -> ddz.Rules:
        """The rules of the package that say the same as the options."""
        if self.two_decks is not None:
            return ddz.load_ruleset("classic-4p")
        return ddz.load_ruleset("classic", overrides_of(self.options))

    @property
    def moves(self) -> brute_force.OneDeck | brute_force.TwoDecks:
        """The same rules as trying everything takes them."""
        if self.two_decks is not None:
            return brute_force.TwoDecks(self.two_decks)
        return brute_force.OneDeck(self.options)


def drawn(rng: random.Random, cards: int = 12) -> Case:
    """A random deal of up to so many cards in all, one in ten of four hands and two decks."""
    options = Options(
        max_equal=rng.randint(1, 4),
        both_jokers=rng.random() < 0.5,
        main_rank=rng.random() < 0.3,
        bomb_as_pairs=rng.random() < 0.5,
        next_triple=rng.random() < 0.7,
        off=frozenset(rng.sample(oracle.KINDS[1:], rng.choice((0, 0, 1, 3)))),
    )
    two = oracle_two_decks.FOUR_SEATS if rng.random() < 0.1 else None
    count = 4 if two else rng.choice((2, 2, 3, 3, 3))
    pool = stock(rng, rng.randint(count + 1, cards) + 4, decks=2 if two else 1)
    spare, pool = oracle.text(Counter(pool[:4])), pool[4:]
    hands = dealt(rng, pool, count)
    to_move = rng.randrange(count)
    table, owner = None, -1
    if rng.random() < 0.5 and not two:
        plays = brute_force.leads(spare, options)
        table = rng.choice(plays) if plays else None
        owner = rng.choice([seat for seat in range(count) if seat != to_move])
    return Case(
        options=options,
        hands=hands,
        to_move=to_move,
        table=table,
        owner=owner if table else -1,
        landlords=tuple(sorted(rng.sample(range(count), rng.randint(1, count - 1)))),
        points=rng.random() < 1 / 3,
        two_decks=two,
    )


def dealt(rng: random.Random, pool: list[str], count: int) -> tuple[str, ...]:
    """Cards dealt to so many hands of random sizes, none empty."""
    sizes = [1] * count
    for _ in range(len(pool) - count):
        sizes[rng.randrange(count)] += 1
    hands, at = [], 0
    for size in sizes:
        hands.append(oracle.text(Counter(pool[at : at + size])))
        at += size
    return tuple(hands)


def stock(rng: random.Random, size: int, decks: int = 1) -> list[str]:
    """Cards to deal, of few ranks more often than not, so that there is something to combine."""
    ranks, sort = oracle.ORDER, rng.random()
    if sort < 0.2:
        ranks = "".join(rng.sample(oracle.ORDER[:11], 4)) + "2XD"
    elif sort < 0.8:
        low = rng.randint(0, 8)
        ranks = oracle.ORDER[low : low + rng.randint(5, 7)]
    deck = [rank for rank in ranks for _ in range(decks * (1 if rank in oracle.JOKERS else 4))]
    rng.shuffle(deck)
    return deck[:size]


def solved(case: Case) -> tuple[Solution, set[str], set[str]]:
    """The solver's answer, the best actions of both, as ``cards kind length top`` or ``pass``."""
    text = ""
    if case.table is not None:
        text = actions.written(ddz.parse_cards(case.table.cards), actions.Reading(*case.table.name))
    place = ddz.position(
        case.hands,
        case.to_move,
        text or None,
        rules=case.rules,
        beat_by=case.owner if case.table else None,
        landlords=case.landlords,
    )
    found = solve(place, "points" if case.points else "win")
    ours = {told(v.move) for v in found.plays if v.action in found.best}
    seats = 4 if case.two_decks else 3
    game = brute_force.Game(
        case.moves,
        frozenset(case.landlords),
        bomb=2 if case.points else 1,
        unit=len(case.landlords) * (seats - len(case.landlords)) if case.points else 1,
    )
    value = game.value(case.hands, case.to_move, case.table, case.owner)
    theirs = set()
    for move in game.moves(case.hands, case.to_move, case.table):
        after = game.after(case.hands, case.to_move, move, case.table, case.owner, 2, 1)
        if after == value:
            theirs.add(told(move))
    assert found.proven, case
    assert found.value == value, (case, found.value, value)
    return found, ours, theirs


def told(move: Any) -> str:
    """A play of either side of the comparison as text."""
    return "pass" if move is None else f"{move.cards} {move.kind} {move.length} {move.top}"


def main() -> int:
    """Compare, and print how many deals agreed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cards", type=int, default=12, help="most cards of a deal")
    given = parser.parse_args()
    rng, start = random.Random(given.seed), time.process_time()
    for number in range(1, given.deals + 1):
        case = drawn(rng, given.cards)
        _, ours, theirs = solved(case)
        assert ours == theirs, (case, ours ^ theirs)
        if number % 500 == 0 or number == given.deals:
            print(f"{number} deals agree, {time.process_time() - start:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
