"""Chances before anything is seen: reference values, and every exact one by a second method."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import oracle
import pytest
import strategies

from ddz_core import cards, clauses, counting, patterns, probability, rulesets, sampling
from ddz_core.errors import DdzError, HandError, RulesetError

CLASSIC = rulesets.load("classic")

SMALL = """
id = "small"
extends = "classic"
name = { en = "Small" }
[deck]
ranks = "34567XD"
[deal]
seats = 2
hand = 10
bottom = 2
[play.orders]
chain = "34567"
[[play.kind]]
id = "straight"
body = { size = 1, run = [3, 5], order = "chain" }
[[play.kind]]
id = "pair_straight"
body = { size = 2, run = [2, 5], order = "chain" }
[[play.kind]]
id = "plane"
body = { size = 3, run = [2, 5], order = "chain" }
[[play.kind]]
id = "plane_singles"
body = { size = 3, run = [2, 5], order = "chain" }
[[play.kind]]
id = "plane_pairs"
body = { size = 3, run = [2, 5], order = "chain" }
"""
# A deck of 22 cards: every hand of a few cards can be listed.

TWO_DECKS = """
id = "two-decks"
extends = "classic"
name = { en = "Two decks" }
[deck]
decks = 2
[deal]
seats = 4
hand = 25
bottom = 8
[play]
ladder = [{ id = "bomb", size = 4 }, { id = "rocket", cards = ["XXDD"] }]
[play.orders]
low = "A23456789TJQKA"
[[play.kind]]
id = "low_straight"
body = { size = 1, run = [5, 13], order = "low" }
[[play.kind]]
id = "dress"
body = { size = 4, ranks = "3456789TJQKA2" }
with = [{ size = 3, ranks = "3456789TJQKA2" }, { size = 2, ranks = "3456789TJQKA2" }]
[[play.kind]]
id = "ship"
body = { size = 4, run = [2, 4], order = "chain" }
with = [{ size = 3, run = "chain", ranked = true }, { size = 2, ranks = "3456789TJQKA2" }]
[[play.kind]]
id = "linked"
body = { size = 3, run = [2, 6], order = "chain" }
with = [{ size = 2, run = "chain" }]
"""


def hands_of(deck: tuple[int, ...], n: int):
    """Every hand of ``n`` cards by counts, with the number of physical hands it stands for."""
    lanes = [lane for lane in range(16) if deck[lane]]

    def grow(at: int, left: int, counts: list[int], ways: int):
        if at == len(lanes):
            if not left:
                yield tuple(counts), ways
            return
        lane = lanes[at]
        for k in range(min(deck[lane], left) + 1):
            counts[lane] = k
            yield from grow(at + 1, left - k, counts, ways * math.comb(deck[lane], k))
        counts[lane] = 0

    yield from grow(0, n, [0] * 16, 1)


@cache
def found_in(hand: tuple[int, ...], options: oracle.Options) -> Counter[str]:
    """How many readings of each kind the slow rules find in a hand."""
    found = oracle.leads(cards.format_cards(cards.from_counts(hand)), options)
    return Counter(reading.kind for reading in found)


@pytest.mark.parametrize(
    ("kinds", "n", "value"),
    [
        (["rocket"], 17, Fraction(17 * 16, 54 * 53)),
        (["rocket"], 20, Fraction(20 * 19, 54 * 53)),
        (["D"], 17, Fraction(17, 54)),
    ],
)
def test_plain_chances_are_the_textbook_fractions(kinds, n, value):
    """A rocket and one card are held with the chance that a line of arithmetic gives."""
    assert probability.exact_frequency(kinds, n, CLASSIC) == value


def test_bombs_are_counted_by_inclusion_and_exclusion_too():
    """The chance of a bomb equals the alternating sum over sets of ranks, 9.60 % for 17 cards."""
    ways = sum(
        (-1) ** (k + 1) * math.comb(13, k) * math.comb(54 - 4 * k, 17 - 4 * k) for k in range(1, 5)
    )
    exact = probability.exact_frequency("bomb", 17, CLASSIC)
    assert exact == Fraction(ways, math.comb(54, 17))
    assert round(float(exact), 4) == 0.0960
    assert round(probability.frequency(["bomb", "rocket"], 17, CLASSIC).value, 3) == 0.185
    assert round(probability.frequency("bomb", 20, CLASSIC).value, 3) == 0.190
    assert round(probability.frequency(["bomb", "rocket"], 20, CLASSIC).value, 3) == 0.304


def test_somebody_holds_a_bomb_or_rocket_in_a_deal_of_17_17_20():
    """The published figure 0.544668 comes out of the joint count."""
    found = probability.anybody(["bomb", "rocket"], [17, 17, 20], CLASSIC)
    assert found.method == "exact"
    assert found.value == pytest.approx(0.544668, abs=5e-7)
    farmers = probability.anybody(["bomb", "rocket"], [17, 17], CLASSIC)
    assert round(farmers.value, 2) == 0.34


@pytest.mark.parametrize("overrides", [{}, {"kickers.main_rank": True, "kickers.max_equal": 2}])
def test_every_kind_agrees_with_listing_all_hands_of_a_small_deck(overrides):
    """On a deck of 22 cards the counted chance of each kind is the share of all hands, exactly."""
    ruleset = rulesets.parse(SMALL, overrides)
    options = oracle.Options(
        main_rank=bool(overrides),
        max_equal=overrides.get("kickers.max_equal", 4),
        largest=12,
        shortest={"straight": 3, "pair_straight": 2, "plane": 2},
    )
    deck = clauses.deck_of(ruleset)
    n = 10
    ways: Counter[str] = Counter()
    for hand, number in hands_of(deck, n):
        for kind in found_in(hand, options):
            ways[kind] += number
    for kind in clauses.kind_ids(ruleset):
        exact = probability.exact_frequency(kind, n, ruleset)
        assert exact == Fraction(ways[kind], math.comb(22, n)), kind
    both = probability.exact_frequency(["straight", "bomb", "plane_pairs"], n, ruleset)
    assert both == Fraction(
        sum(
            number
            for hand, number in hands_of(deck, n)
            if set(found_in(hand, options)) & {"straight", "bomb", "plane_pairs"}
        ),
        math.comb(22, n),
    )


@pytest.mark.parametrize(
    ("overrides", "options"),
    [
        ({}, oracle.Options()),
        (
            {"kickers.both_jokers": True, "kickers.max_equal": 3},
            oracle.Options(both_jokers=True, max_equal=3),
        ),
        (
            {"kickers.main_rank": True, "kickers.max_equal": 1},
            oracle.Options(main_rank=True, max_equal=1),
        ),
        (
            {"kickers.bomb_as_pairs": True, "kickers.next_triple": False},
            oracle.Options(bomb_as_pairs=True, next_triple=False),
        ),
    ],
)
def test_what_a_hand_holds_is_what_the_slow_rules_find(overrides, options):
    """Kinds, and chains of a least length, are recognised in hands of every sort."""
    ruleset = rulesets.load("classic", overrides)
    rng = random.Random(11)
    for _ in range(150):
        hand = strategies.any_hand(rng, rng.randint(4, 13))
        counts = cards.counts_of(cards.parse_cards(hand))
        found = oracle.leads(hand, options)
        for kind in clauses.kind_ids(ruleset):
            held = counting.automaton(ruleset, (kind,)).holds(counts)
            assert held == any(r.kind == kind for r in found), (hand, kind)
        for name, kind, length in (("straight:7", "straight", 7), ("plane:3", "plane", 3)):
            held = counting.automaton(ruleset, (name,)).holds(counts)
            assert held == any(r.kind == kind and r.length >= length for r in found), (hand, name)


@pytest.mark.parametrize("kind", clauses.kind_ids(CLASSIC))
def test_counted_chances_lie_within_four_standard_errors_of_sampled_ones(kind):
    """Random hands of 17 cards hold each kind as often as counting says."""
    exact = probability.frequency(kind, 17, CLASSIC).value
    machine = counting.automaton(CLASSIC, (kind,))
    place = counting.Place(17)
    found = probability.sampled(clauses.deck_of(CLASSIC), [place], machine, samples=4000, seed=3)
    assert found.method == "sampled"
    assert found.n == 4000
    assert abs(found.value - exact) <= 4 * math.sqrt(exact * (1 - exact) / 4000) + 1e-12


def test_two_decks_low_straights_and_double_attachments_are_counted_and_sampled_alike():
    """Orders where a rank stands twice, runs of kickers and two attachments agree with sampling."""
    ruleset = rulesets.parse(TWO_DECKS)
    for kind in ("low_straight", "dress", "linked", "bomb", "rocket", "pair_straight"):
        exact = probability.frequency(kind, 25, ruleset)
        assert exact.method == "exact"
        machine = counting.automaton(ruleset, (kind,))
        found = probability.sampled(
            clauses.deck_of(ruleset), [counting.Place(25)], machine, samples=2000, seed=1
        )
        spread = 4 * math.sqrt(exact.value * (1 - exact.value) / 2000) + 1e-9
        assert abs(found.value - exact.value) <= spread, kind


def test_what_a_hand_of_two_decks_holds_is_what_the_engine_lists():
    """Two attachments, runs of kickers and low straights agree with the lists of moves."""
    ruleset = rulesets.parse(TWO_DECKS)
    deck = cards.format_cards(ruleset.deck_cards)
    rng = random.Random(3)
    seen: Counter[str] = Counter()
    for _ in range(60):
        first = rng.randrange(9)
        ranks = cards.RANKS[first : first + rng.randint(3, 5)] + rng.choice(cards.RANKS)
        pool = [card for card in deck if card in ranks]
        hand = "".join(rng.sample(pool, min(len(pool), rng.randint(8, 14))))
        listed = {move.kind for move in patterns.moves(ruleset, hand)}
        seen.update(listed)
        counts = cards.counts_of(cards.parse_cards(hand))
        for kind in clauses.kind_ids(ruleset):
            held = counting.automaton(ruleset, (kind,)).holds(counts)
            assert held == (kind in listed), (hand, kind)
    assert {"dress", "linked", "bomb", "plane_singles"} <= set(seen)


@pytest.mark.parametrize(
    ("hand", "kind", "held"),
    [
        ("A2345", "low_straight", True),
        ("TJQKA", "low_straight", True),
        ("JQKA2", "low_straight", False),
        ("QKA23", "low_straight", False),
        ("333344455", "dress", True),
        ("3333444", "dress", False),
        ("333344445555", "dress", True),
        ("3333333344455", "dress", True),
        ("33334444555666778899", "ship", True),
        ("33334444555777778899", "ship", False),
        ("333344445556668899", "ship", True),
        ("33334444555666899", "ship", False),
        ("666777JJQQ", "linked", True),
        ("666777JJKK", "linked", False),
        ("66677788899", "linked", True),
        ("XXDD", "rocket", True),
        ("XXD", "rocket", False),
    ],
)
def test_forms_of_other_games_are_recognised(hand, kind, held):
    """Two attachments need different ranks, runs of kickers need neighbours apart from the body."""
    ruleset = rulesets.parse(TWO_DECKS)
    counts = cards.counts_of(cards.parse_cards(hand))
    assert counting.automaton(ruleset, (kind,)).holds(counts) is held


@pytest.mark.parametrize(
    ("overrides", "hand", "kind", "held"),
    [
        ({"wilds.mode": "rank", "wilds.rank": "4"}, "33344", "triple_pair", True),
        ({"wilds.mode": "rank", "wilds.rank": "4"}, "33345", "triple_pair", False),
        ({"wilds.mode": "rank", "wilds.rank": "4"}, "489JQ", "straight", True),
        ({"wilds.mode": "rank", "wilds.rank": "4"}, "489QK", "straight", False),
        ({"wilds.mode": "rank", "wilds.rank": "4"}, "89TQ4", "straight", True),
        ({"wilds.mode": "rank", "wilds.rank": "4"}, "455677", "pair_straight", True),
        ({"wilds.mode": "rank", "wilds.rank": "4"}, "466777", "plane", True),
        ({"wilds.mode": "rank", "wilds.rank": "4"}, "47778836", "plane_singles", True),
        ({"wilds.mode": "rank", "wilds.rank": "4"}, "4XD", "pair", False),
        ({"wilds.mode": "rank", "wilds.rank": "4"}, "4X9", "pair", True),
        (
            {"wilds.mode": "rank", "wilds.rank": "4", "wilds.kickers": "any"},
            "33354",
            "triple_pair",
            True,
        ),
        (
            {"wilds.mode": "rank", "wilds.rank": "4", "wilds.kickers": "any"},
            "33356",
            "triple_pair",
            False,
        ),
        ({"wilds.mode": "jokers", "wilds.kickers": "any"}, "3335X", "triple_pair", True),
        ({"wilds.mode": "jokers"}, "55XD", "rocket", True),
        ({"wilds.mode": "jokers"}, "5X", "pair", True),
        ({"wilds.mode": "red7"}, "56*89", "straight", True),
        ({"wilds.mode": "red7"}, "5689", "straight", False),
        ({"wilds.mode": "red7"}, "3456", "straight", False),
        ({"wilds.mode": "red7"}, "3456*", "straight", True),
    ],
)
def test_wilds_fill_gaps_and_serve_as_kickers(overrides, hand, kind, held):
    """A wild stands for any natural rank in a main part, as a kicker where the rules say so."""
    ruleset = rulesets.load("classic", overrides)
    counts = clauses.counts_in(ruleset, cards.parse_cards(hand))
    assert counting.automaton(ruleset, (kind,)).holds(counts) is held


def test_mean_numbers_of_the_whole_deck_are_the_numbers_of_combinations():
    """A hand of all 54 cards holds every combination: the counts of the rules page."""
    known = {
        "triple_single": 182, "triple_pair": 156, "straight": 36, "pair_straight": 52,
        "plane": 45, "plane_pairs": 605 + 1200 + 1134, "four_two_pairs": 858, "bomb": 13,
        "rocket": 1,
    }  # fmt: skip
    for kind, number in known.items():
        assert probability.mean_number(kind, 54, CLASSIC).value == number, kind


def test_mean_numbers_agree_with_listing_all_hands_of_a_small_deck():
    """On a small deck the mean is the average over all hands of the readings in them."""
    ruleset = rulesets.parse(SMALL)
    options = oracle.Options(largest=12, shortest={"straight": 3, "pair_straight": 2, "plane": 2})
    total: Counter[str] = Counter()
    for hand, number in hands_of(clauses.deck_of(ruleset), 10):
        for kind, readings in found_in(hand, options).items():
            total[kind] += number * readings
    for kind in clauses.kind_ids(ruleset):
        mean = probability.mean_number(kind, 10, ruleset).value
        assert mean == pytest.approx(total[kind] / math.comb(22, 10), rel=1e-12), kind


def test_splits_of_a_rank_between_two_hands():
    """The splits named in public reports and in the reference table come out as fractions."""
    even = probability.split(4, [17, 17])
    assert even[4, 0] + even[0, 4] == pytest.approx(
        float(Fraction(2 * math.comb(17, 4), math.comb(34, 4))), abs=1e-15
    )
    assert [round(x, 3) for x in (2 * even[4, 0], 2 * even[3, 1], even[2, 2])] == [
        0.103, 0.499, 0.399,
    ]  # fmt: skip
    assert probability.split(1, [3, 9]) == {(0, 1): 0.75, (1, 0): 0.25}
    for size, value in ((12, 0.093), (8, 0.077), (5, 0.048)):
        assert round(2 * probability.split(4, [size, size])[4, 0], 3) == value
    uneven = probability.split(4, [12, 4])
    assert uneven[4, 0] == float(Fraction(math.comb(12, 4), math.comb(16, 4)))
    assert round(uneven[4, 0], 3) == 0.272
    two = probability.split(2, [17, 17])
    assert two[1, 1] == pytest.approx(17 / 33, abs=1e-15)
    assert round(two[2, 0] + two[0, 2], 3) == 0.485


@pytest.mark.parametrize("sizes", [[17, 17, 3], [25, 25, 25, 8], [3, 0], [1, 2, 3, 4]])
def test_splits_add_up_to_one(sizes):
    """Whatever the hands, the chances of all splits add up to one."""
    for missing in range(5):
        if missing <= sum(sizes):
            assert math.fsum(probability.split(missing, sizes).values()) == pytest.approx(
                1, abs=1e-12
            )


def test_hub_ranks_kill_every_chain_and_nothing_smaller_does():
    """Without a 7 and a 10 there is no straight of five; exactly the smallest sets are found."""
    hubs = probability.hub_ranks("straight", CLASSIC)
    assert "7T" in hubs
    for kind, length, size in (("straight", 5, 1), ("straight", 6, 1), ("pair_straight", 3, 3)):
        found = probability.hub_ranks(kind, CLASSIC, length)
        runs = [set(oracle.CHAIN[i : i + length]) for i in range(13 - length)]
        best = {
            "".join(chosen)
            for k in range(1, 5)
            for chosen in combinations(oracle.CHAIN, k)
            if all(run & set(chosen) for run in runs)
        }
        smallest = min(map(len, best))
        assert smallest > size
        assert set(found) == {text for text in best if len(text) == smallest}


def test_a_deck_without_hubs_holds_no_straight():
    """A hand that lacks both ranks of a hub holds no straight, however large it is."""
    machine = counting.automaton(CLASSIC, ("straight",))
    for hub in probability.hub_ranks("straight", CLASSIC):
        rest = cards.counts_of(CLASSIC.deck_cards)
        without = tuple(
            0 if cards.RANKS[i : i + 1] in tuple(hub) else c for i, c in enumerate(rest)
        )
        assert not machine.holds(without)


def test_sampling_takes_over_where_counting_is_out_of_reach():
    """Many large hands of two decks are sampled, marked, and the same again with the same seed."""
    ruleset = rulesets.parse(TWO_DECKS)
    sizes = [25, 25, 25, 25]
    one = probability.anybody("ship", sizes, ruleset, samples=300, seed=5)
    two = probability.anybody("ship", sizes, ruleset, samples=300, seed=5)
    assert one == two
    assert (one.method, one.n, one.seed) == ("sampled", 300, 5)
    assert one.low <= one.value <= one.high


def test_layouts_shuffle_physical_cards():
    """Over 20,000 layouts each rank comes as often in each place as its size says."""
    pool = cards.counts_of(CLASSIC.deck_cards)
    sizes = [17, 17, 17, 3]
    total = np.zeros((4, 16))
    for chunk in sampling.layouts(pool, sizes, 20_000, sampling.generator(7)):
        assert (chunk.sum(axis=2) == sizes).all()
        assert (chunk.sum(axis=1) == pool).all()
        total += chunk.sum(axis=0)
    for place, size in enumerate(sizes):
        for lane, copies in enumerate(pool):
            p = size / 54
            error = math.sqrt(max(copies, 1) * p * (1 - p) / 20_000)
            assert abs(total[place, lane] / 20_000 - copies * p) <= 4.5 * error


@pytest.mark.parametrize(
    ("call", "error", "field"),
    [
        (lambda: probability.frequency("bomb", 55, CLASSIC), HandError, "n"),
        (lambda: probability.frequency("bomb", -1, CLASSIC), HandError, "n"),
        (lambda: probability.frequency("bomb", 1.5, CLASSIC), HandError, "n"),
        (lambda: probability.frequency("bombe", 17, CLASSIC), RulesetError, "kinds"),
        (lambda: probability.frequency("straight:4", 17, CLASSIC), RulesetError, "kinds"),
        (lambda: probability.frequency("straight:x", 17, CLASSIC), RulesetError, "kinds"),
        (lambda: probability.anybody("bomb", [40, 20], CLASSIC), HandError, "n"),
        (lambda: probability.mean_number("", 17, CLASSIC), RulesetError, "kinds"),
        (lambda: probability.hub_ranks("straight", CLASSIC, 13), RulesetError, "kinds"),
        (lambda: probability.split(5, [2, 2]), HandError, "missing"),
        (lambda: sampling.check_samples(0), DdzError, "samples"),
    ],
)
def test_bad_questions_are_refused_by_name(call, error, field):
    """An impossible size or an unknown kind is refused and the error names the field."""
    with pytest.raises(error) as caught:
        call()
    assert caught.value.field == field
    assert caught.value.key.startswith("error.")


def test_a_kind_that_is_off_is_unknown():
    """A house rule without rockets has no chance of one."""
    house = rulesets.load("classic", {"kinds.off": ["rocket"]})
    with pytest.raises(RulesetError):
        probability.frequency("rocket", 17, house)
    assert probability.frequency("bomb", 17, house).value > 0


def test_a_row_that_a_house_rule_replaces_is_counted_as_replaced():
    """Straights from six cards on, as a whole new row, are as frequent as straights of six."""
    row = {"id": "straight", "body": {"size": 1, "run": [6, 12], "order": "chain"}}
    house = rulesets.load("classic", {"play.kind.straight": row})
    assert probability.frequency("straight", 17, house) == probability.frequency(
        "straight:6", 17, CLASSIC
    )


def test_the_table_lists_every_kind_for_both_sizes():
    """The table has 14 kinds for 17 and 20 cards, exact, rising with the size."""
    table = probability.frequency_table(CLASSIC)
    assert len(table) == 28
    assert all(row.chance.method == "exact" and row.mean.method == "exact" for row in table)
    by_kind = {(row.kind, row.n): row.chance.value for row in table}
    assert all(by_kind[kind, 20] >= by_kind[kind, 17] for kind in clauses.kind_ids(CLASSIC))


def test_counts_with_many_states_give_way_to_samples() -> None:
    """Spaceships in either of two hands have too many states to count while a page waits."""
    ruleset = rulesets.load("emperor")
    machine = counting.automaton(ruleset, ("spaceship",))
    mine = cards.counts_of(cards.parse_cards("3344556677899TTJQK334455JQKA22JQKA"))
    deck = clauses.deck_of(ruleset)
    pool = tuple(all_of - own for all_of, own in zip(deck, mine, strict=True))
    places = [counting.Place(34), counting.Place(34)]
    one = counting.chance_none(pool, places[:1], machine)
    with pytest.raises(counting.TooManyCases):
        counting.chance_none(pool, places, machine)
    either = probability.chance(pool, places, machine, samples=2000, seed=1)
    assert either.method == "sampled"
    assert either.low <= 2 * (1 - float(one))
