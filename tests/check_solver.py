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

sys.path.insert(0, str(Path(__file__).resolve().parent))

import brute_force
import oracle
from oracle import Options, Reading
from strategies import overrides_of

import ddz_core as ddz
from ddz_core import actions
from ddz_core.solver import Solution, solve

RULESETS = {2: ("duel-2p", "classic"), 3: ("classic", "jinyou"), 4: ("classic-4p",)}
"""Rulesets by number of hands; those of four hands are played with one deck's cards."""


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
    game: str

    @property
    def rules(self) -> ddz.Rules:
        """The rules of the package that say the same as the options."""
        if self.options.decks == 2:
            return ddz.load_ruleset(self.game)
        return ddz.load_ruleset(self.game, overrides_of(self.options))


def drawn(rng: random.Random, cards: int = 12) -> Case:
    """A random deal of about so many cards in all."""
    options = Options(
        max_equal=rng.randint(1, 4),
        both_jokers=rng.random() < 0.5,
        main_rank=rng.random() < 0.3,
        bomb_as_pairs=rng.random() < 0.5,
        next_triple=rng.random() < 0.7,
        off=frozenset(rng.sample(oracle.KINDS[1:], rng.choice((0, 0, 1, 3)))),
    )
    count = rng.choice((2, 2, 3, 3, 3))
    total = rng.randint(count + 1, cards)
    pool = stock(rng, total + 4)
    sizes = [1] * count
    for _ in range(total - count):
        sizes[rng.randrange(count)] += 1
    hands = []
    for size in sizes:
        hands.append(oracle.text(Counter(pool[:size])))
        pool = pool[size:]
    landlords = tuple(sorted(rng.sample(range(count), rng.randint(1, count - 1))))
    to_move = rng.randrange(count)
    table, owner = None, -1
    if rng.random() < 0.5:
        plays = brute_force.leads(oracle.text(Counter(pool)), options)
        table = rng.choice(plays) if plays else None
        owner = rng.choice([seat for seat in range(count) if seat != to_move])
    return Case(
        options=options,
        hands=tuple(hands),
        to_move=to_move,
        table=table,
        owner=owner if table else -1,
        landlords=landlords,
        points=rng.random() < 1 / 3,
        game="classic",
    )


def stock(rng: random.Random, size: int) -> list[str]:
    """Cards to deal, of few ranks more often than not, so that there is something to combine."""
    ranks = oracle.ORDER
    if rng.random() < 0.7:
        low = rng.randint(0, 8)
        ranks = oracle.ORDER[low : low + rng.randint(5, 7)]
    deck = [rank for rank in ranks for _ in range(1 if rank in oracle.JOKERS else 4)]
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
    ours = set()
    for play in found.plays:
        if play.action in found.best:
            move = play.move
            ours.add(f"{move} {move.kind} {move.length} {move.top}" if move else "pass")
    game = brute_force.Game(
        case.options,
        frozenset(case.landlords),
        bomb=2 if case.points else 1,
        unit=2 * len(case.landlords) if case.points and len(case.landlords) == 1 else 1,
    )
    if case.points:
        game.unit = len(case.landlords) * (3 - len(case.landlords))
    value = game.value(case.hands, case.to_move, case.table, case.owner)
    theirs = set()
    for move in game.moves(case.hands, case.to_move, case.table):
        after = game.after(case.hands, case.to_move, move, case.table, case.owner, 2, 1)
        if after == value:
            theirs.add(f"{move.cards} {move.kind} {move.length} {move.top}" if move else "pass")
    assert found.proven, case
    assert found.value == value, (case, found.value, value)
    return found, ours, theirs


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
