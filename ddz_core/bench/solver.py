"""The exact solver: positions of several sorts, each from a kept seed, solved within a time limit.

A front door's part. *Random splits* are so many cards of the deck dealt evenly to three hands, the
landlord leading. *Plausible* positions come from games of the rule bot with three random moves in a
hundred, stopped at the first lead with no more cards than asked for. *Whole deals* are dealt at
random, the landlord leading with its bottom cards. Only the value is asked for, with an empty
table for each position; times are processor time.

What was tried, by nodes on these sets (geometric means; the plain search began at 190,000 for
random splits of 30 cards and solved 8 of 20 splits of 36 cards within 6 million):

* striking moves that another makes superfluous (:func:`ddz_core.kernels.solve_moves.thin_moves`):
  a half to two thirds of the nodes; kept;
* proof numbers over small searches (:mod:`ddz_core.solver.proofs`): 13 of 20 splits of 36 cards
  within 10 million nodes; leaves of 30 to 1000 nodes solve the same positions, larger ones with
  fewer nodes; kept with 1000;
* ordering by the single cards and pairs left that the other side tops: a third of the nodes, with
  a lower weight of the number of plays and a higher one of cards led a fifth; kept. Solving a
  position a second time with every winning move tried first takes a seventh to a third of the
  nodes of the first order, so more can be had there;
* a counter of what succeeded before, by seat, form and rank: no gain; a higher weight of safe
  plays when an opponent has one play left: none; leaving runs out of the count of low cards,
  counting triples, or letting triples carry low cards away: none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ddz_core import cards
from ddz_core.bench.engine import SEED
from ddz_core.bench.row import Row
from ddz_core.bots import bot
from ddz_core.data_files import data_dir
from ddz_core.dealing import deal
from ddz_core.game import Game, new_game
from ddz_core.observation import observe
from ddz_core.positions import Position, position, position_of
from ddz_core.rules import Rules, load_ruleset
from ddz_core.solver import Solution, Solver

RANDOM_MOVES = 0.03
LANDLORD = 0
NODES = 400_000_000
"""More than any time limit here allows."""
SPLITS, PLAUSIBLE, DEALS = 60, 80, 8
"""Positions of each sort."""


def rows(work: float) -> Iterator[Row]:
    """Yield the solver's speed and the share of positions of each sort that it answers in time."""
    rules = load_ruleset("classic")
    solver = Solver(rules)
    _warm(solver, rules)
    yield _endgames(solver, rules)
    number = max(5, round(SPLITS * work))
    for size, limit, floor in ((24, 3.0, 1.0), (30, 3.0, 0.95), (36, 3.0, 0.8)):
        found = _solved(solver, random_splits(rules, size, number), limit)
        yield _share(f"random splits, {size} cards", found, limit, floor)
    nodes, seconds = sum(one.nodes for one in found), sum(one.seconds for one in found)
    yield Row(what="solver", unit="nodes/s", ours=nodes / seconds, floor=3e6, n=number)
    found = _solved(solver, plausible(rules, 36, max(5, round(PLAUSIBLE * work))), 1.0)
    yield _share("plausible positions, 36 cards", found, 1.0, 0.95)


def deal_rows(work: float) -> Iterator[Row]:
    """Yield the share of whole open deals that are answered within a minute: some minutes' work."""
    rules = load_ruleset("classic")
    solver = Solver(rules)
    _warm(solver, rules)
    found = _solved(solver, whole_deals(rules, max(2, round(DEALS * work))), 60.0)
    yield _share("whole open deals, 54 cards", found, 60.0, 0.25)


def _warm(solver: Solver, rules: Rules) -> None:
    """Compile the kernels, and let the table grow to the size of the measurements."""
    for place in random_splits(rules, 36, 3, seed=0):
        solver.solve(place, nodes=NODES, seconds=1.0)


def endgames() -> list[dict[str, Any]]:
    """Return the public endgames that ship, each with the published or proven answer."""
    text = (data_dir() / "cases" / "endgames.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _endgames(solver: Solver, rules: Rules) -> Row:
    """Solve the public endgames, every play judged, each with an empty table."""
    cases = endgames()
    places = [position(c["hands"], c["to_move"], c["last_move"], rules=rules) for c in cases]
    found = _solved(solver, places, None, plays=True)
    right = sum(
        (one.value > 0) == (case["expected"] == "win") and one.proven
        for one, case in zip(found, cases, strict=True)
    )
    return Row(
        what="public endgames, the slowest, every play judged",
        unit="s",
        ours=max(one.seconds for one in found),
        n=len(cases),
        note=f"{right} of {len(cases)} as published",
    )


def _solved(
    solver: Solver, places: Sequence[Position], limit: float | None, *, plays: bool = False
) -> list[Solution]:
    """Solve each position with an empty table."""
    found = []
    for place in places:
        solver.forget()
        found.append(solver.solve(place, nodes=NODES, seconds=limit, plays=plays))
    return found


def _share(what: str, found: Sequence[Solution], limit: float, floor: float) -> Row:
    """Return what share was answered in time."""
    times = sorted(one.seconds for one in found)
    middle, late = times[len(times) // 2], times[int(0.9 * len(times))]
    return Row(
        what=f"{what}, within {limit:g} s",
        unit="of all",
        ours=sum(one.proven for one in found) / len(found),
        floor=floor,
        n=len(found),
        note=f"{len(found)} positions, median {middle:.3g} s, 90 % {late:.3g} s",
    )


def random_splits(rules: Rules, size: int, number: int, seed: int = SEED) -> list[Position]:
    """Return positions of ``size`` cards dealt evenly to three hands."""
    rng = np.random.default_rng((seed, size))
    deck = [
        1 << 4 * lane
        for lane, count in enumerate(cards.counts_of(rules.ruleset.deck_cards))
        for _ in range(count)
    ]
    found = []
    for _ in range(number):
        chosen = rng.permutation(len(deck))[:size].tolist()
        hands = [sum(deck[place] for place in chosen[start::3]) for start in range(3)]
        found.append(position(hands, rules=rules))
    return found


def whole_deals(rules: Rules, number: int, seed: int = SEED) -> list[Position]:
    """Return complete deals, the first seat being landlord."""
    found = []
    for place in range(number):
        dealt = deal(rules, seed + place)
        hands = [cards.from_cards(hand) for hand in dealt.hands]
        hands[LANDLORD] += cards.from_cards(dealt.bottom)
        found.append(position(hands, rules=rules))
    return found


def plausible(rules: Rules, size: int, number: int, seed: int = SEED) -> list[Position]:
    """Return positions at a lead from games of rule bots that make some random moves."""
    player, found = bot("rule"), []
    for place in range(number):
        rng = np.random.default_rng((seed, size, place))
        game = _begun(rules, seed + place)
        while game.to_act is not None:
            if game.to_beat is None and sum(game.left) <= size:
                found.append(position_of(game))
                break
            if rng.random() < RANDOM_MOVES:
                legal = game.legal()
                action = legal[int(rng.integers(len(legal)))]
            else:
                action = player.choose(observe(game, game.to_act), rng)
            game = game.apply(action)
    return found


def _begun(rules: Rules, seed: int) -> Game:
    """Return a game at the landlord's lead, the bidding given to the first who may take it."""
    game = new_game(rules, deal(rules, seed))
    while game.phase != "play":
        game = game.apply(game.options[-1])
    return game
