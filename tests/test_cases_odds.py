"""Faults others reported in odds (public reports R26 to R28), held against plain enumeration."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations
from math import comb

import oracle
import pytest
from oracle import KINDS, text
from playing import bid_up, random_game, start
from refusals import refused
from strategies import FULL_DECK, any_hand

import ddz_core as ddz

RULES = ddz.load_ruleset("classic")


def without(cards: str, part: str) -> str:
    """Cards with a part taken out."""
    rest = Counter(cards)
    rest.subtract(Counter(part))
    assert not -rest
    return text(+rest)


@cache
def kinds_in(hand: str) -> frozenset[str]:
    """The kinds that a hand can lead, by the oracle."""
    return frozenset(reading.kind for reading in oracle.leads(hand))


# --- R26 impossible deals ------------------------------------------------------------------------

HAND = "334455667789TJQAD"


@pytest.mark.parametrize(
    ("facts", "word"),
    [
        ({"counts": (17, 16, 17), "played": {1: "D"}}, "D"),
        ({"counts": (17, 17, 17), "bottom": "44455"[:3]}, "4"),
        ({"counts": (17, 17, 17), "played": "88888"}, "8"),
        ({"counts": (17, 30, 17)}, "64"),
        ({"counts": (17, 17)}, "3"),
        ({"counts": (17, -1, 17)}, "-1"),
        ({"counts": (16, 17, 17)}, "17"),
        ({"seat": 3}, "3"),
    ],
)
def test_r26_what_cannot_be_is_refused(facts: dict, word: str) -> None:
    """Cards in two places, too many cards, or a seat that is not there: refused and named."""
    error = refused(ddz.DdzError, lambda: ddz.odds(HAND, RULES, **facts))
    assert word in str(error)


def test_r26_every_rank_sums_to_one() -> None:
    """In every place the chances of the numbers of a rank sum to 1, in bidding and in play."""
    views = []
    for seed in range(3):
        for game in random_game(start("classic", seed), random.Random(seed)):
            if game.outcome is None and len(game.history) % 5 == 0:
                views += [ddz.observe(game, seat) for seat in range(3)]
    for seen in views:
        table = ddz.odds(seen).table()
        for place, ranks in table.items():
            for rank, chances in ranks.items():
                assert abs(sum(chances) - 1) < 1e-9, (place, rank)
                assert all(-1e-12 <= chance <= 1 + 1e-12 for chance in chances)
        expected = Counter(ddz.format_cards(seen.unseen))
        shown = () if seen.seat in seen.landlords else seen.bottom_left
        placed = Counter(card.rank for card in shown)
        for rank in oracle.ORDER:
            mean = sum(
                number * chance
                for place, ranks in table.items()
                if place != seen.seat
                for number, chance in enumerate(ranks[rank])
            )
            assert abs(mean - expected[rank] - placed[rank]) < 1e-9, rank


# --- R27 places weighted by their size -----------------------------------------------------------


def test_r27_one_unseen_card_and_hands_of_three_and_nine() -> None:
    """A given unseen card is with the hand of three in 25 % and with that of nine in 75 %."""
    own, unseen = "3456", "7789TJQKKA2D"
    played = without(without(FULL_DECK, own), unseen)
    odds = ddz.odds(own, RULES, counts=(4, 3, 9), played=played)
    assert abs(odds.table()[1]["D"][1] - 0.25) < 1e-12
    assert abs(odds.table()[2]["D"][1] - 0.75) < 1e-12


def test_r27_while_bidding() -> None:
    """While bidding a given unseen card is in the bottom with 3/37, with each other with 17/37."""
    odds = ddz.odds("33445566778899TJQ", RULES)
    table = odds.table()
    assert abs(table["bottom"]["X"][1] - 3 / 37) < 1e-12
    assert abs(table[1]["X"][1] - 17 / 37) < 1e-12
    both = odds.holds("rocket", "any")
    assert abs(both.value - 2 * 17 * 16 / (37 * 36)) < 1e-12  # 40.8 %
    assert "exact" == both.method
    assert abs(odds.holds("rocket", "bottom").value - 3 * 2 / (37 * 36)) < 1e-12  # 0.45 %


def test_r27_four_missing_cards_between_two_hands_of_seventeen() -> None:
    """Four missing cards split 4-0 with 10.3 %, 3-1 with 49.9 %, 2-2 with 39.9 %."""
    own = "33344455566677788" + "99T"
    split = ddz.odds(own, RULES, counts=(20, 17, 17)).split(4, [1, 2])
    for k in range(5):
        expected = comb(17, k) * comb(17, 4 - k) / comb(34, 4)
        assert abs(split[k, 4 - k] - expected) < 1e-12
    assert abs(split[4, 0] + split[0, 4] - 0.1026) < 5e-4
    assert abs(split[3, 1] + split[1, 3] - 0.4985) < 5e-4
    assert abs(split[2, 2] - 0.3988) < 5e-4


# --- R28 exact and sampled -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_r28_every_kind_against_all_layouts(seed: int) -> None:
    """With twelve unseen cards the chances of every kind are those of all 220 layouts."""
    rng = random.Random(seed)
    unseen = any_hand(rng, 12)
    own = text(Counter(rng.sample(without(FULL_DECK, unseen), 5)))
    played = without(without(FULL_DECK, unseen), own)
    odds = ddz.odds(own, RULES, counts=(5, 3, 9), played=played)
    hits: Counter[tuple[str, object]] = Counter()
    for chosen in combinations(range(12), 3):
        few = "".join(unseen[i] for i in chosen)
        many = "".join(unseen[i] for i in range(12) if i not in chosen)
        for kind in KINDS:
            hits[kind, 1] += kind in kinds_in(few)
            hits[kind, 2] += kind in kinds_in(many)
            hits[kind, "any"] += kind in kinds_in(few) or kind in kinds_in(many)
    for kind in KINDS:
        for place in (1, 2, "any"):
            found = odds.holds([kind], place=place)
            expected = hits[kind, place] / 220
            if found.method == "exact":
                assert abs(found.value - expected) < 1e-9, (kind, place)
            else:
                error = (expected * (1 - expected) / found.n) ** 0.5
                assert abs(found.value - expected) < 4 * error + 1e-9, (kind, place)
                assert found.low <= found.value <= found.high
                assert found.n > 0


def test_r28_when_all_is_known_the_answer_is_exact() -> None:
    """With one other hand left unknown cards are all placed: chances are exactly 0 or 1."""
    unseen = "3333456789T"
    own = "AAAKK"
    played = without(without(FULL_DECK, unseen), own)
    odds = ddz.odds(own, RULES, counts=(5, 11, 0), played=played)
    for kind in KINDS:
        found = odds.holds([kind], place=1)
        assert "exact" == found.method
        assert float(kind in kinds_in(unseen)) == found.value == found.low == found.high


def test_r28_two_runs_with_one_seed_agree() -> None:
    """Layouts drawn with one seed are the same, and each fits what is known."""
    game = bid_up(start("classic", 4), 1)
    odds = ddz.odds(ddz.observe(game, 0))
    first, again = odds.deals(20, 3), odds.deals(20, 3)
    assert first == again
    assert first != odds.deals(20, 4)
    bottom = Counter(card.rank for card in game.deal.bottom)
    for layout in first:
        assert [17, 20, 17] == [len(hand) for hand in layout.hands]
        assert game.hand_text(0) == layout.hands[0]
        assert not bottom - Counter(layout.hands[1])
        assert Counter(FULL_DECK) == Counter("".join(layout.hands))
