"""What hands with wilds hold, against trying every rank for every wild with the slow rules."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations_with_replacement, product

import oracle
import pytest

from ddz_core import cards, clauses, counting, rulesets

NATURAL = "3456789TJQKA2"
MODES = [
    ({"wilds.mode": "jokers", "wilds.kickers": "any"}, "XD", True),
    ({"wilds.mode": "jokers", "wilds.kickers": "own"}, "XD", False),
    ({"wilds.mode": "red7", "wilds.kickers": "any"}, "**", True),
    ({"wilds.mode": "rank", "wilds.rank": "5", "wilds.kickers": "any"}, "5555", True),
    ({"wilds.mode": "rank", "wilds.rank": "5", "wilds.kickers": "own"}, "5555", False),
]


def held_by_trying(natural: str, wilds: str, kickers_any: bool) -> set[str]:
    """Kinds held when each wild is itself or shows any natural rank.

    Where a wild kicker is itself, kickers may only come from cards that show themselves.
    """
    found: set[str] = set()
    own = wilds.replace("*", "7")
    for kept in product((True, False), repeat=len(wilds)):
        selves = "".join(card for card, keep in zip(own, kept, strict=True) if keep)
        shown_number = len(wilds) - len(selves)
        real = Counter(natural + selves)
        for shown in combinations_with_replacement(NATURAL, shown_number):
            for reading in oracle.leads(natural + selves + "".join(shown)):
                kickers = Counter(reading.kickers)
                if kickers_any or all(real[rank] >= n for rank, n in kickers.items()):
                    found.add(reading.kind)
    return found


@pytest.mark.parametrize(("overrides", "wilds", "kickers_any"), MODES)
def test_hands_with_wilds_hold_what_trying_every_rank_finds(overrides, wilds, kickers_any):
    """For random hands with one or two wilds every kind is recognised exactly when it is there."""
    ruleset = rulesets.load("classic", {**overrides, "play.ladder.bomb.wild": "any"})
    rng = random.Random(str(overrides))
    for _ in range(12):
        number = rng.randint(1, 2)
        ranks = rng.sample(NATURAL.replace("5", ""), 5)
        start = rng.randrange(8)
        ranks += [rank for rank in NATURAL[start : start + 5] if rank != "5"]
        pool = [rank for rank in sorted(set(ranks)) for _ in range(2 if rank == "7" else 4)]
        natural = "".join(rng.sample(pool, rng.randint(3, 8)))
        mine = wilds[:number]
        expected = held_by_trying(natural, mine, kickers_any)
        hand = clauses.counts_in(ruleset, cards.parse_cards(natural + mine))
        for kind in clauses.kind_ids(ruleset):
            held = counting.automaton(ruleset, (kind,)).holds(hand)
            assert held == (kind in expected), (natural, mine, kind)
