"""Odds of unseen cards: reference values, places by size, impossible input, layouts that fit."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import bid_up, deal_text, random_game, start, swapped

import ddz_core as ddz
from ddz_core import cards, clauses, counting, probability, rulesets
from ddz_core.belief import BOTTOM, DEAD, odds
from ddz_core.errors import DdzError, HandError, NotationError, RulesetError

CLASSIC = rulesets.load("classic")
PLAIN = "33445566778899TJQ"
"""Seventeen cards without a joker, an ace or a 2."""

DUEL = """
id = "duel"
extends = "classic"
name = { en = "Two players" }
[deal]
seats = 2
hand = 20
bottom = 3
dead = 11
"""

FOUR = """
id = "four"
extends = "classic"
name = { en = "Four players" }
[deck]
decks = 2
[deal]
seats = 4
hand = 25
bottom = 8
[play]
ladder = [{ id = "bomb", size = 4 }, { id = "rocket", cards = ["XXDD"] }]
"""

TINY = """
id = "tiny"
extends = "classic"
name = { en = "Tiny" }
[deck]
ranks = "3456XD"
[deal]
seats = 3
hand = 5
bottom = 3
[play.orders]
chain = "3456"
[[play.kind]]
id = "straight"
body = { size = 1, run = [3, 4], order = "chain" }
[[play.kind]]
id = "pair_straight"
body = { size = 2, run = [2, 4], order = "chain" }
[[play.kind]]
id = "plane"
body = { size = 3, run = [2, 4], order = "chain" }
[[play.kind]]
id = "plane_singles"
body = { size = 3, run = [2, 4], order = "chain" }
[[play.kind]]
id = "plane_pairs"
body = { size = 3, run = [2, 4], order = "chain" }
"""


def every_deal(pool: tuple[int, ...], sizes: list[int]):
    """Every way to give the pool to places, as counts by place, with its number of deals."""
    lanes = [lane for lane in range(16) if pool[lane]]

    def grow(at: int, left: list[int], held: list[list[int]], ways: int):
        if at == len(lanes):
            if not any(left):
                yield tuple(map(tuple, held)), ways
            return
        lane = lanes[at]
        for given_ in product(*(range(min(pool[lane], size) + 1) for size in left)):
            if sum(given_) != pool[lane]:
                continue
            number = math.factorial(pool[lane])
            for place, k in enumerate(given_):
                number //= math.factorial(k)
                held[place][lane] = k
            yield from grow(
                at + 1, [a - b for a, b in zip(left, given_, strict=True)], held, ways * number
            )
            for place in range(len(left)):
                held[place][lane] = 0

    yield from grow(0, list(sizes), [[0] * 16 for _ in sizes], 1)


def test_places_weigh_by_their_size():
    """One unseen card lies in hands of 3 and 9 as 1 to 3, in the bottom with 3 of 37."""
    before = odds(PLAIN, CLASSIC)
    assert before.split("X", [BOTTOM])[1,] == pytest.approx(3 / 37, abs=1e-15)
    assert before.split("X", [1])[1,] == pytest.approx(17 / 37, abs=1e-15)
    table = before.table()
    assert table[1]["D"][1] == pytest.approx(17 / 37, abs=1e-15)
    assert table[BOTTOM]["D"][1] == pytest.approx(3 / 37, abs=1e-15)


def test_both_jokers_in_one_hand():
    """Holding none: 40.8 % in one opponent's hand, 0.45 % in the bottom, as fractions."""
    before = odds(PLAIN, CLASSIC)
    one = Fraction(math.comb(17, 2), math.comb(37, 2))
    assert before.holds("rocket", 1).value == float(one)
    assert before.holds("rocket", "any").value == float(2 * one)
    assert round(before.holds("rocket").value, 3) == 0.408
    assert before.holds("rocket", BOTTOM).value == float(Fraction(3, math.comb(37, 2)))
    assert round(before.holds("rocket", BOTTOM).value, 4) == 0.0045


def test_four_missing_cards_as_the_landlord():
    """A landlord void in a rank: 4-0 10.3 %, 3-1 49.9 %, 2-2 39.9 %; two missing: 17/33 split."""
    landlord = odds("33344455566677789TXD"[:20], CLASSIC)
    assert landlord.sizes == {1: 17, 2: 17}
    split = landlord.split("K")
    assert split[4, 0] + split[0, 4] == float(2 * Fraction(math.comb(17, 4), math.comb(34, 4)))
    assert round(split[4, 0] + split[0, 4], 4) == 0.1026
    assert round(split[3, 1] + split[1, 3], 3) == 0.499
    assert round(split[2, 2], 3) == 0.399
    assert landlord.holds("KKKK").value == pytest.approx(split[4, 0] + split[0, 4], abs=1e-14)
    two = landlord.split(2)
    assert two[1, 1] == pytest.approx(17 / 33, abs=1e-15)


def test_what_the_bottom_brings():
    """Three bottom cards bring a joker with 15.8 %, a 2 with 29.8 %, one given card with 8.1 %."""
    before = odds(PLAIN, CLASSIC)
    assert round(before.holds(["X", "D"], BOTTOM).value, 3) == 0.158
    assert round(before.holds("2", BOTTOM).value, 3) == 0.298
    triple = odds("333456789TJQKA245", CLASSIC)
    # The fourth 3; or both missing 4s or 5s with any card; or all three missing of ten other ranks.
    ways = math.comb(36, 2) + 2 * 35 - 2 + 10
    assert triple.after_bottom("bomb").value == float(Fraction(ways, math.comb(37, 3)))
    assert round(triple.after_bottom("3333").value, 3) == 0.081
    assert triple.after_bottom("3333").value == float(Fraction(3, 37))
    rows = {row.kind: row for row in triple.improvements()}
    assert rows["triple"].now
    assert rows["triple"].then.value == 1
    assert not rows["bomb"].now


@settings(max_examples=12, deadline=None)
@given(st.permutations("3333444455556666XD"), st.sampled_from(["bomb", "straight", "plane"]))
def test_counting_agrees_with_listing_every_deal_of_a_tiny_deck(shuffled, kind):
    """In a game of 18 cards every chance equals its share of all deals, known cards included."""
    ruleset = rulesets.parse(TINY)
    mine, fixed = "".join(shuffled[:5]), "".join(shuffled[5:7])
    now = odds(mine, ruleset, counts=[5, 5, 5], known={2: fixed})
    machine = counting.automaton(ruleset, (kind,))
    places = list(now.places)
    hits: Counter[object] = Counter()
    total = 0
    for held, ways in every_deal(now.pool, [now.places[name].size for name in places]):
        total += ways
        full = {
            name: tuple(a + b for a, b in zip(hand, now.places[name].known, strict=True))
            for name, hand in zip(places, held, strict=True)
        }
        holds = {name: machine.holds(hand) for name, hand in full.items()}
        for name in places:
            hits[name] += ways * holds[name]
            hits[name, "5", full[name][cards.LANE["5"]]] += ways
        hits["any"] += ways * (holds[1] or holds[2])
        hits["all"] += ways * any(holds.values())
    for name in places:
        assert now.holds(kind, name).value == pytest.approx(hits[name] / total, abs=1e-12)
        for count, chance in enumerate(now.table()[name]["5"]):
            assert chance == pytest.approx(hits[name, "5", count] / total, abs=1e-12)
    assert now.holds(kind).value == pytest.approx(hits["any"] / total, abs=1e-12)
    assert now.holds(kind, places).value == pytest.approx(hits["all"] / total, abs=1e-12)


@pytest.mark.parametrize("text", [DUEL, FOUR])
def test_any_number_of_seats_and_decks(text):
    """Two seats with dead cards and four with two decks: shares add up and fit the sizes."""
    ruleset = rulesets.parse(text)
    deck = cards.format_cards(ruleset.deck_cards)
    mine = deck[:: 2 if ruleset.deck.decks == 1 else 4][: ruleset.deal.hand]
    now = odds(mine, ruleset)
    assert sum(now.sizes.values()) + len(mine) == len(deck)
    assert sum(p.size for p in now.places.values()) == sum(now.pool)
    assert (DEAD in now.places) == bool(ruleset.deal.dead)
    for ranks in now.table().values():
        for chances in ranks.values():
            assert math.fsum(chances) == pytest.approx(1, abs=1e-9)
    size = now.sizes
    expected = {
        name: sum(count * p for chances in ranks.values() for count, p in enumerate(chances))
        for name, ranks in now.table().items()
    }
    assert expected == pytest.approx(size, abs=1e-9)
    one, some = now.holds("bomb", 1), now.holds("bomb")
    assert one.method == some.method == "exact"
    assert one.value <= some.value + 1e-12


def test_any_seat_of_two_decks_agrees_with_sampling():
    """Three hidden hands of 25 cards: counted and sampled chances of a rocket or six 5s agree."""
    ruleset = rulesets.parse(FOUR)
    deck = cards.format_cards(ruleset.deck_cards)
    now = odds(deck[::4][:25], ruleset)
    for kinds in (["rocket"], ["555555"]):
        exact = now.holds(kinds)
        machine = counting.automaton(ruleset, tuple(kinds))
        places = [now.places[s] for s in (1, 2, 3)]
        found = probability.sampled(now.pool, places, machine, samples=3000, seed=2)
        error = math.sqrt(exact.value * (1 - exact.value) / 3000)
        assert abs(found.value - exact.value) <= 4 * error + 1e-9


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(54)), st.integers(0, 20), st.data())
def test_tables_add_up_for_any_position(order, gone, data):
    """Whatever is held, played and known, each rank's chances add up to one in every place."""
    deck = cards.format_cards(CLASSIC.deck_cards)
    shuffled = "".join(deck[i] for i in order)
    played, rest = shuffled[:gone], shuffled[gone:]
    mine = data.draw(st.integers(1, 15))
    other = data.draw(st.integers(0, len(rest) - mine))
    hand = rest[:mine]
    known = rest[mine : mine + min(3, other)]
    sizes = [mine, other, len(rest) - mine - other]
    now = odds(hand, CLASSIC, counts=sizes, played=played, known={1: known})
    table = now.table()
    for name, ranks in table.items():
        held = math.fsum(c * p for chances in ranks.values() for c, p in enumerate(chances))
        assert held == pytest.approx(now.sizes[name], abs=1e-9)
        for chances in ranks.values():
            assert math.fsum(chances) == pytest.approx(1, abs=1e-9)
    for rank in "3A2XD":
        split = now.split(rank)
        assert math.fsum(split.values()) == pytest.approx(1, abs=1e-9)
        for (first, _), chance in split.items():
            assert chance <= table[1][rank][first] + 1e-12


def test_known_cards_count_as_known():
    """Bottom cards that the landlord took are in its hand with certainty until they are played."""
    hand = "344556677889TTJQ2"
    now = odds(hand, CLASSIC, counts=[17, 20, 17], known={1: "KKX"})
    assert now.known(1) == "KKX"
    assert now.table()[1]["X"] == (0.0, 1.0)
    assert now.table()[2]["X"] == (1.0, 0.0)
    assert now.table()[1]["K"][:2] == (0.0, 0.0)
    assert now.holds("KK", 1).value == 1
    assert now.holds("rocket", 2).value == 0
    assert now.holds("rocket", 1).value == pytest.approx(17 / 34, abs=1e-15)
    after = odds(hand, CLASSIC, counts=[17, 18, 17], known={1: "X"}, played={1: "KK"})
    assert after.table()[1]["K"][0] > 0


def test_two_hands_that_take_everything_are_complements():
    """With two hidden hands, what one lacks the other holds: a joker's chances sum to one."""
    now = odds(
        "345", CLASSIC, counts=[3, 5, 4], played="3334445556666777788889999TTTTJJJJQQQQKKKKA"
    )
    one, two = now.holds("D", 1).value, now.holds("D", 2).value
    assert one + two == pytest.approx(1, abs=1e-14)
    assert one == pytest.approx(5 / 9, abs=1e-14)
    assert now.holds("D").value == 1
    assert now.holds("D", 0).value == 0
    assert now.holds("345", 0).value == 1


def test_everything_known_is_exactly_zero_or_one():
    """When the last hands are known the answer is certain and marked exact."""
    last = odds("3", CLASSIC, counts=[1, 2, 0], played=_without("3XD"), known={1: "XD"})
    assert last.holds("rocket", 1) == last.holds("rocket")
    assert (last.holds("rocket").value, last.holds("rocket").method) == (1.0, "exact")
    assert last.holds("bomb").value == 0


def _without(part: str) -> str:
    """The classic deck without some cards."""
    return cards.format_cards(CLASSIC.deck_cards - cards.parse_cards(part))


def test_layouts_fit_what_is_known_and_come_by_seed():
    """Sampled layouts hold the known cards, have the right sizes and use each card once."""
    now = odds("344556677889TTJQ2", CLASSIC, counts=[17, 20, 17], known={1: "KKX"})
    layouts = now.deals(12, np.random.default_rng(4))
    assert len(layouts) == 12
    for layout in layouts:
        hands = [cards.parse_cards(text) for text in layout.hands]
        assert sum(hands) == CLASSIC.deck_cards
        assert [len(text) for text in layout.hands] == [17, 20, 17]
        assert cards.contains(hands[1], cards.parse_cards("KKX"))
        assert layout.hands[0] == now.hand
        assert str(layout).count("/") == 2
    assert now.deals(3, 9) == now.deals(3, 9)
    assert now.deals(3, 9) != now.deals(3, 10)
    before = odds(PLAIN, CLASSIC).deals(1)[0]
    assert len(before.bottom) == 3


def test_layouts_are_uniform_over_physical_deals():
    """Layouts hold four equal cards in one hand as often as counted, not once in many sets."""
    now = odds("33344455566677789TXD", CLASSIC)
    n = 4000
    hits = sum(any("KKKK" in hand for hand in one.hands) for one in now.deals(n, 3))
    exact = now.holds("KKKK").value
    assert abs(hits / n - exact) <= 4 * math.sqrt(exact * (1 - exact) / n)


@pytest.mark.parametrize(
    ("arguments", "error", "word"),
    [
        ({"hand": "3344556677889TJQD", "played": "D"}, HandError, "D"),
        ({"hand": "3344556677889TJQD", "played": {1: "D"}}, HandError, "D"),
        ({"hand": "88889TTJJQQKKAA23", "bottom": "8"}, HandError, "8"),
        ({"hand": "88889TTJJQQKKAA23", "known": {1: "8"}}, HandError, "8"),
        ({"hand": "3344556677889TJDD"}, HandError, "D"),
        ({"hand": "334455667788TJQD"}, HandError, "16"),
        ({"hand": "33", "counts": [2, 4, 4]}, HandError, "10"),
        ({"hand": "33", "counts": [3, 17, 17]}, HandError, "seat 0"),
        ({"hand": "33", "counts": [2, 17]}, HandError, "counts"),
        ({"hand": "33", "counts": [2, -1, 5]}, HandError, "seat 1"),
        ({"hand": PLAIN, "known": {1: "333"}}, HandError, "3"),
        ({"hand": PLAIN, "known": {0: "K"}}, HandError, "known"),
        ({"hand": PLAIN, "known": {7: "K"}}, DdzError, "known"),
        ({"hand": PLAIN, "bottom": "KKKA"}, HandError, "bottom"),
        ({"hand": PLAIN, "seat": 3}, DdzError, "seat"),
        ({"hand": PLAIN + "?"}, NotationError, "?"),
        ({"hand": PLAIN + "*"}, HandError, "*"),
    ],
)
def test_impossible_positions_are_refused_by_name(arguments, error, word):
    """A card too many, or numbers that do not add up, are named."""
    with pytest.raises(error) as caught:
        odds(rules=CLASSIC, **arguments)
    assert word in str(caught.value)
    assert caught.value.key.startswith("error.")


def test_bad_questions_are_refused():
    """Unknown places, kinds and ranks, and odds without rules, are refused."""
    now = odds(PLAIN, CLASSIC)
    for call, error in (
        (lambda: now.holds("bomb", 3), HandError),
        (lambda: now.holds("bomb", DEAD), HandError),
        (lambda: now.holds("bombs"), RulesetError),
        (lambda: now.split("?"), HandError),
        (lambda: now.split(50), HandError),
        (lambda: now.deals(0), DdzError),
        (lambda: odds(PLAIN), DdzError),
        (lambda: odds("33344455566677789TXD", CLASSIC).after_bottom("bomb"), HandError),
    ):
        with pytest.raises(error):
            call()


def test_wild_ranks_are_one_lane_in_and_out():
    """With 4s wild the table and the layouts still speak of 4s."""
    ruleset = rulesets.load("classic", {"wilds.mode": "rank", "wilds.rank": "4"})
    now = odds("34455667788TTJJQQ", ruleset)
    assert now.hand == "34455667788TTJJQQ"
    assert now.table()[1]["4"][2] == pytest.approx(math.comb(17, 2) / math.comb(37, 2), abs=1e-15)
    assert all(text.count("4") <= 2 for text in now.deals(1)[0].hands)
    assert now.holds("pair", 1).value == 1
    machine = counting.automaton(ruleset, ("bomb",))
    assert machine.holds(clauses.counts_in(ruleset, cards.parse_cards("3334"))) is False


def test_the_frame_names_its_rules():
    """The table as a frame has one row a cell, with method, ruleset and hash."""
    pytest.importorskip("pandas")
    now = odds(PLAIN, CLASSIC)
    frame = now.frame()
    assert len(frame) == 3 * (13 * 5 + 2 * 2)
    assert set(frame["method"]) == {"exact"}
    assert set(frame["rules_hash"]) == {CLASSIC.hash}
    assert frame.groupby(["place", "rank"])["chance"].sum().round(9).eq(1).all()


@pytest.mark.parametrize("ruleset", ["classic", "jinyou"])
@pytest.mark.parametrize("seed", range(2))
def test_an_observation_gives_the_odds_of_its_seat(ruleset, seed):
    """At every state of a game places have the public sizes and the true layout is possible."""
    for game in random_game(start(ruleset, seed), random.Random(seed)):
        if game.outcome is not None:
            break
        for seat in range(3):
            now = ddz.odds(ddz.observe(game, seat))
            assert {s: n for s, n in now.sizes.items() if isinstance(s, int)} == {
                s: game.left[s] for s in range(3) if s != seat
            }
            assert now.sizes.get(BOTTOM, 0) == (0 if game.landlords else 3)
            table = now.table()
            for other in now.sizes:
                if other == BOTTOM:
                    continue
                true = Counter(cards.format_cards(game.hands[other]))
                for rank, chances in table[other].items():
                    assert chances[true[rank]] > 0
                    assert math.fsum(chances) == pytest.approx(1, abs=1e-9)


def test_bottom_cards_taken_are_certain_until_played():
    """A farmer sees the landlord's bottom cards as known; the landlord sees two even hands."""
    for seed in range(4):
        game = start("classic", seed)
        while not game.landlords:
            game = game.apply("3" if "3" in game.legal() else game.legal()[0])
        (landlord,) = game.landlords
        farmer = (landlord + 1) % 3
        now = ddz.odds(ddz.observe(game, farmer))
        bottom = cards.from_cards(game.deal.bottom)
        assert cards.contains(cards.parse_cards(now.known(landlord)), bottom)
        assert now.holds(cards.format_cards(bottom), landlord).value == 1
        own = ddz.odds(ddz.observe(game, landlord))
        assert set(own.sizes.values()) == {17}


def test_odds_depend_on_nothing_hidden():
    """Two games that differ only in cards a seat cannot see give it the same odds."""
    rules = ddz.load_ruleset("classic")
    hands = [cards.format_cards(cards.from_cards(h)) for h in ddz.deal(rules, seed=5).hands]
    bottom = cards.format_cards(cards.from_cards(ddz.deal(rules, seed=5).bottom))
    for seat in range(3):
        others = [s for s in range(3) if s != seat]
        changed = swapped(hands, *others, random.Random(seat))
        assert changed != hands
        found = []
        for dealt in (hands, changed):
            game = ddz.new_game(rules, ddz.deal_from_text(rules, deal_text(dealt, bottom)))
            found.append(ddz.odds(ddz.observe(bid_up(game, seat), seat)))
        assert found[0] == found[1]
        assert found[0].holds(["bomb", "rocket"]) == found[1].holds(["bomb", "rocket"])
        assert found[0].deals(2, 1) == found[1].deals(2, 1)
