"""The rules engine against the slow oracle, which was written from the rules page alone.

Plain random hands hardly touch the disputed kinds, so half of all hands come from hardly shuffled
packets or are made of lumps.  A bigger run: ``DDZ_ORACLE_HANDS=20000 pytest tests/test_oracle.py``.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from functools import cache, lru_cache
from itertools import product

import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import ORDER, Options, Reading
from strategies import (
    ALL_KICKER_OPTIONS,
    ENGINES,
    FULL_DECK,
    OPTIONS,
    any_hand,
    counted_hands,
    lumpy_hand,
    mixed_hands,
    options_of,
    overrides_of,
    packet_hand,
    subset,
)

import ddz_core as ddz

BIG_RUN = int(os.environ.get("DDZ_ORACLE_HANDS", "3000"))

#: Distinct sets of cards, sets counted once in each kind, and readings of a full deck
#: (rules page, table of the open points; 28,511 is stated there, the other sums follow from it).
MOVES_OF_A_FULL_DECK = {
    "ours": 28_502,
    "douzero": 29_984,
    "rlcard": 27_471,
    "openspiel": 25_661,
    "onestraw": 33_675,
}


@lru_cache(maxsize=512)
def ruleset(options: Options) -> ddz.Rules:
    """The plain game with the options of the oracle."""
    return ddz.load_ruleset("classic", overrides_of(options))


@cache
def leads_of_the_deck(engine: str) -> frozenset[Reading]:
    """The oracle's plays of a full deck under an engine's options."""
    return frozenset(oracle.leads(FULL_DECK, options_of(ENGINES[engine])))


def seen(combination: object) -> Reading:
    """What the package says of a reading, in the oracle's words."""
    return Reading(
        combination.kind,
        combination.length,
        combination.top,
        combination.main,
        combination.kickers,
    )


def check_moves(moves: list, expected: set[Reading], where: object) -> None:
    """A list of moves names exactly the expected sets of cards, each in readings that exist."""
    found = {seen(move) for move in moves}
    assert {r.cards for r in expected} == {str(move) for move in moves}, where
    assert len(found) == len(moves), f"a move comes twice: {where}"
    assert found <= expected, where
    by_cards: dict[str, list[Reading]] = {}
    for reading in expected:
        by_cards.setdefault(reading.cards, []).append(reading)
    best = {oracle.unnamed(choices) for choices in by_cards.values()}
    assert best <= found, f"the unnamed reading is not listed: {where}"
    assert all(move.cards == str(move) == seen(move).cards for move in moves), where


def check_hand(hand: str, options: Options, rng: random.Random) -> None:
    """Leads, answers to something the deck can hold, and readings of parts agree."""
    rules = ruleset(options)
    leads = oracle.leads(hand, options)
    check_moves(rules.moves(hand), leads, (hand, options))
    table = random_table(hand, leads, options, rng)
    if table is not None:
        where = (hand, table, options)
        answers = {reading for reading in leads if oracle.beats(reading, table)}
        shown = next(c for c in rules.readings(table.cards) if seen(c).name == table.name)
        check_moves(rules.moves(hand, beat=table.cards, beat_as=shown), answers, where)
        if table == oracle.unnamed(oracle.readings(table.cards, options)):
            check_moves(rules.moves(hand, beat=table.cards), answers, where)
    for cards in (hand, subset(hand, rng), subset(hand, rng)):
        expected = oracle.readings(cards, options)
        found = [seen(c) for c in rules.readings(cards)]
        assert sorted(expected) == sorted(found), (cards, options)
        assert not expected or oracle.unnamed(expected) == found[0], (cards, options)


def random_table(
    hand: str, leads: set[Reading], options: Options, rng: random.Random
) -> Reading | None:
    """Something to beat: a play of a low hand in a shape the given hand can play, if any is found.

    A shape of the hand's own is taken and moved down to other ranks, so that rare kinds are
    answered as often as common ones.
    """
    kinds = sorted({(reading.kind, reading.length) for reading in leads})
    kind, length = rng.choice(kinds)
    own = sorted(r for r in leads if (r.kind, r.length) == (kind, length))
    model = rng.choice(own)
    other = any_hand(rng, 20)
    others = sorted(r for r in oracle.leads(other, options) if (r.kind, r.length) == (kind, length))
    return rng.choice(others) if others and rng.random() < 0.8 else model


# --- the oracle against itself -------------------------------------------------------------------


@given(counted_hands(1, 11), OPTIONS)
@settings(max_examples=60, deadline=None)
def test_oracle_builds_every_shape_that_it_reads(hand: str, options: Options) -> None:
    """The two ways of the oracle, by every part of a hand and by every shape, agree."""
    assert oracle.leads_by_subsets(hand, options) == oracle.leads(hand, options)


@pytest.mark.parametrize(("engine", "count"), MOVES_OF_A_FULL_DECK.items())
def test_oracle_counts_the_moves_of_a_full_deck(engine: str, count: int) -> None:
    """The oracle finds the documented number of distinct plays for every engine's options."""
    assert count == len({reading.cards for reading in leads_of_the_deck(engine)})


# --- the engine against the oracle ---------------------------------------------------------------


@pytest.mark.parametrize(("engine", "count"), MOVES_OF_A_FULL_DECK.items())
def test_distinct_moves_of_a_full_deck(engine: str, count: int) -> None:
    """A full deck has exactly the documented number of distinct plays, for each engine's options.

    The whole lists are compared too, not only their lengths.
    """
    rules = ddz.load_ruleset("classic", ENGINES[engine])
    moves = rules.moves(FULL_DECK)
    assert count == len({str(move) for move in moves})
    assert leads_of_the_deck(engine) == set(map(seen, moves))


COUNTS_BY_KIND = {
    "single": 15,
    "pair": 13,
    "triple": 13,
    "triple_single": 182,  # 13 triples with 14 other ranks
    "triple_pair": 156,  # 13 triples with 12 other pairs
    "straight": 36,  # 8 + 7 + … + 1
    "pair_straight": 52,  # lengths 3 to 10: 10 + 9 + … + 3
    "plane": 45,  # lengths 2 to 6: 11 + 10 + 9 + 8 + 7
    "plane_pairs": 2_939,  # 605 + 1,200 + 1,134
    "four_two_singles": 1_326,  # 13 fours, with 12 · 13 / 2 + 12 sorts of two cards … both jokers
    "four_two_pairs": 858,  # 13 fours with 12 · 11 / 2 couples of pairs
    "bomb": 13,
    "rocket": 1,
}


def test_counts_by_kind_of_a_full_deck() -> None:
    """A full deck has the documented number of sets of cards of every kind, 28,511 over all."""
    moves = ddz.load_ruleset("classic").moves(FULL_DECK)
    named = {(move.kind, str(move)) for move in moves}
    counted = Counter(kind for kind, _ in named)
    assert 28_511 == counted.total()
    # 28,511 less all other kinds: 22,862 planes with singles
    assert COUNTS_BY_KIND | {"plane_singles": 22_862} == dict(counted)
    by_length = Counter(
        move.length for move in {str(m): m for m in moves if m.kind == "plane_pairs"}.values()
    )
    assert {2: 605, 3: 1_200, 4: 1_134} == dict(by_length)


@given(mixed_hands(), OPTIONS, st.integers(0, 2**32 - 1))
@settings(max_examples=150, deadline=None)
def test_engine_equals_oracle_for_any_options(hand: str, options: Options, seed: int) -> None:
    """Leads, answers and readings are the oracle's, whatever the kicker options are."""
    check_hand(hand, options, random.Random(seed))


@pytest.mark.parametrize("make", [packet_hand, lumpy_hand])
def test_engine_equals_oracle_on_bomb_heavy_hands(make: object) -> None:
    """On hardly shuffled and lumpy hands every combination of the kicker options agrees."""
    rng = random.Random(20_260_101)
    for options in ALL_KICKER_OPTIONS:
        for _ in range(4):
            check_hand(make(rng, rng.randint(8, 20)), options, rng)


@pytest.mark.parametrize("engine", ENGINES)
def test_engine_equals_oracle_for_each_engines_options(engine: str) -> None:
    """Random hands of every size agree under the options that reproduce the public engines."""
    rng = random.Random(4_711)
    for _ in range(120):
        check_hand(any_hand(rng, rng.randint(1, 20)), options_of(ENGINES[engine]), rng)


@pytest.mark.slow
def test_engine_equals_oracle_in_a_big_run() -> None:
    """Thousands of hands of all sorts agree, the options changing from hand to hand."""
    rng = random.Random(1)
    for _ in range(BIG_RUN):
        options = Options() if rng.random() < 0.4 else rng.choice(ALL_KICKER_OPTIONS)
        check_hand(any_hand(rng, rng.randint(1, 20)), options, rng)


def test_small_sets_exhaustively() -> None:
    """Every set of up to six cards over six ranks, jokers among them, has the oracle's readings."""
    ranks = "34A2XD"
    for options in (Options(), Options(both_jokers=True, max_equal=1, bomb_as_pairs=True)):
        rules = ruleset(options)
        for numbers in product(*(range(2 if rank in "XD" else 5) for rank in ranks)):
            if 0 < sum(numbers) <= 8:
                cards = "".join(r * n for r, n in zip(ranks, numbers, strict=True))
                expected = sorted(oracle.readings(cards, options))
                assert expected == sorted(seen(c) for c in rules.readings(cards)), (cards, options)


def test_small_hands_exhaustively() -> None:
    """Every hand over four neighbouring ranks and the jokers has the oracle's leads."""
    rules = ddz.load_ruleset("classic")
    for ranks in ("3456", "QKA2"):
        for numbers in product(range(5), repeat=4):
            hand = "".join(r * n for r, n in zip(ranks, numbers, strict=True)) + "XD"
            check_moves(rules.moves(hand), oracle.leads(hand), hand)


def test_beats_for_every_couple_of_shapes() -> None:
    """Of many plays of every kind, each against each, exactly the oracle's couples beat."""
    rng = random.Random(99)
    plays: list[str] = []
    every = sorted({(r.kind, r.length, r.cards) for r in leads_of_the_deck("ours")})
    for kind, length in sorted({(k, n) for k, n, _ in every}):
        of_kind = [cards for k, n, cards in every if (k, n) == (kind, length)]
        plays += rng.sample(of_kind, min(3, len(of_kind)))
    plays += ["333444555666", "3334445556667778", "444555666777", "333444555TJQ", "XD", "2222"]
    rules = ddz.load_ruleset("classic")
    for one, other in product(plays, repeat=2):
        assert oracle.can_beat(one, other) == rules.beats(one, other), (one, other)


@given(mixed_hands(1, 20), st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None)
def test_beats_with_a_named_reading(hand: str, seed: int) -> None:
    """How an ambiguous table is to be read can be named, and changes what beats it."""
    rng = random.Random(seed)
    rules = ruleset(Options())
    leads = sorted(oracle.leads(hand))
    table = rng.choice(leads)
    named = next(c for c in rules.readings(table.cards) if seen(c).name == table.name)
    for play in rng.sample(leads, min(20, len(leads))):
        expected = any(oracle.beats(r, table) for r in oracle.readings(play.cards))
        assert expected == rules.beats(play.cards, table.cards, as_=named), (play, table)


# --- laws ----------------------------------------------------------------------------------------


@given(mixed_hands(), OPTIONS)
@settings(max_examples=60, deadline=None)
def test_every_move_is_read_back(hand: str, options: Options) -> None:
    """Every generated move is among the readings of its cards, with kind, length and top."""
    rules = ruleset(options)
    for move in rules.moves(hand):
        assert seen(move) in {seen(c) for c in rules.readings(str(move))}


@given(counted_hands(1, 9), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_every_part_that_reads_is_generated(hand: str, seed: int) -> None:
    """Every part of a hand that has a reading is among its leads."""
    rules = ruleset(Options())
    leads = {str(move) for move in rules.moves(hand)}
    for part in oracle.subsets(Counter(hand)):
        assert bool(rules.readings(part)) == (part in leads), part


@given(mixed_hands(2, 20), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_order_of_cards_does_not_matter(hand: str, seed: int) -> None:
    """Shuffled cards have the same leads, readings and answers."""
    mixed = "".join(random.Random(seed).sample(hand, len(hand)))
    rules = ruleset(Options())
    assert set(map(seen, rules.moves(hand))) == set(map(seen, rules.moves(mixed)))
    assert rules.readings(hand) == rules.readings(mixed)
    beat = mixed[0]
    assert {str(m) for m in rules.moves(hand, beat=beat)} == {
        str(m) for m in rules.moves(mixed, beat=beat)
    }


@given(mixed_hands(3, 20), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_beats_is_irreflexive_and_asymmetric_and_total(hand: str, seed: int) -> None:
    """No play beats itself, no two beat each other, and one of two tops of a shape wins."""
    rng = random.Random(seed)
    rules = ruleset(Options())
    moves = [m for m in rules.moves(hand) if len(rules.readings(str(m))) == 1]
    for one, other in ((rng.choice(moves), rng.choice(moves)) for _ in range(30)):
        forward, back = rules.beats(str(one), str(other)), rules.beats(str(other), str(one))
        assert not rules.beats(str(one), str(one))
        assert not (forward and back)
        if (one.kind, one.length) == (other.kind, other.length) and one.top != other.top:
            assert forward != back
            assert forward == (ORDER.index(one.top) > ORDER.index(other.top))


@given(mixed_hands(8, 20), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_beats_is_transitive(hand: str, seed: int) -> None:
    """What beats a play beats everything that play beats (plays with one reading)."""
    rng = random.Random(seed)
    rules = ruleset(Options())
    moves = [str(m) for m in rules.moves(hand) if len(rules.readings(str(m))) == 1]
    low = rng.choice(moves)
    middle = [m for m in moves if rules.beats(m, low)]
    for one in rng.sample(middle, min(8, len(middle))):
        for higher in rng.sample(moves, min(20, len(moves))):
            if rules.beats(higher, one):
                assert rules.beats(higher, low), (higher, one, low)


@given(mixed_hands(1, 20), mixed_hands(1, 20), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_answers_are_the_leads_that_beat_the_table(hand: str, other: str, seed: int) -> None:
    """The answers of a hand are exactly those of its leads that beat the table."""
    rules = ruleset(Options())
    table = str(random.Random(seed).choice(rules.moves(other)))
    expected = {str(m) for m in rules.moves(hand) if rules.beats(str(m), table)}
    assert expected == {str(m) for m in rules.moves(hand, beat=table)}


def test_largest_sets_have_no_reading() -> None:
    """A set larger than the largest hand has no reading, and no longer play is listed."""
    rules = ddz.load_ruleset("classic")
    # 11 pairs, 7 triples, 6 triples with singles, 5 triples with pairs: 22, 21, 24 and 25 cards
    for cards in (
        "33445566778899TTJJQQKK",
        "333444555666777888999",
        "333444555666777888TTJJQK",
        "333444555666777TTJJQQKKAA",
    ):
        assert [] == list(rules.readings(cards))
    assert 20 == max(len(str(move)) for move in rules.moves(FULL_DECK))
