"""Faults others reported in naming plays (public reports R01 to R07, R10, R17, R18).

Each report stands for a kind of fault, so the kind is swept and not only the line that was given.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import CHAIN, ORDER, Options, leads
from refusals import refused
from strategies import FULL_DECK, mixed_hands

import ddz_core as ddz
from ddz_core.language import LANGUAGES, words

STRICT = {
    "kickers.max_equal": 1,
    "kickers.both_jokers": False,
    "kickers.main_rank": False,
    "kickers.bomb_as_pairs": False,
}
FREE = {
    "kickers.max_equal": 4,
    "kickers.both_jokers": True,
    "kickers.main_rank": True,
    "kickers.bomb_as_pairs": True,
}


def names(
    cards: str, overrides: dict[str, object] | None = None
) -> list[tuple[str, int, str, str]]:
    """Kind, length, top and kickers of every reading, the unnamed one first."""
    rules = ddz.load_ruleset("classic", overrides or {})
    return [(c.kind, c.length, c.top, c.kickers) for c in rules.readings(cards)]


def one(cards: str, overrides: dict[str, object] | None = None) -> tuple[str, int, str]:
    """Kind, length and top of cards that have exactly one reading."""
    (reading,) = names(cards, overrides)
    return reading[:3]


# --- R01 kickers that repeat a rank of the body --------------------------------------------------


def test_r01_kickers_that_repeat_a_rank_of_the_body() -> None:
    """Body ranks among the kickers are no play where forbidden and are named where allowed."""
    assert [] == names("34445555", STRICT)
    assert [("plane_singles", 2, "5", "35")] == names("34445555", FREE)
    assert [] == names("33334444", STRICT)
    assert [] == names("33334444")
    assert [] == names("3333444555", STRICT)


def test_r01_three_readings_of_two_fours() -> None:
    """With free kickers two neighbouring fours have three readings, most main cards first."""
    found = names("33334444", FREE)
    assert ("plane_singles", 2, "4", "34") == found[0]
    assert {
        ("plane_singles", 2, "4", "34"),
        ("four_two_pairs", 1, "4", "3333"),
        ("four_two_pairs", 1, "3", "4444"),
    } == set(found)
    # named by what is on the table
    rules = ddz.load_ruleset("classic", FREE)
    assert rules.beats("44445555", "33336677")
    assert rules.beats("44445555", "33344467")
    assert not rules.beats("33334444", "444455JJ")


def test_r01_plane_of_four_and_its_other_readings() -> None:
    """Four neighbouring triples are a plane of four first, and with equal kickers also of three."""
    assert [("plane", 4, "8", "")] == names("555666777888", STRICT)
    found = names("555666777888")
    assert ("plane", 4, "8", "") == found[0]
    assert {
        ("plane", 4, "8", ""),
        ("plane_singles", 3, "8", "555"),
        ("plane_singles", 3, "7", "888"),
    } == set(found)


@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_r01_every_plane_with_a_kicker_of_its_own_rank(length: int) -> None:
    """A plane that repeats one of its ranks is a play exactly where the option allows it."""
    for start in range(len(CHAIN) - length + 1):
        run = CHAIN[start : start + length]
        others = [rank for rank in ORDER if rank not in run and rank not in "XD"][: length - 1]
        for extra in run:
            cards = "".join(3 * r for r in run) + extra + "".join(others)
            allowed = ("plane_singles", length, run[-1])
            assert [] == [n for n in names(cards) if n[:3] == allowed], cards
            with_it = names(cards, {"kickers.main_rank": True})
            assert allowed in {n[:3] for n in with_it}, cards


@pytest.mark.parametrize("rank", ORDER[:13])
def test_r01_a_lone_body_never_takes_its_own_rank(rank: str) -> None:
    """Four equal are only a bomb, whatever the options; a five-card group cannot exist."""
    assert [("bomb", 1, rank, "")] == names(4 * rank, FREE)


# --- R02 both jokers as kickers ------------------------------------------------------------------


def test_r02_both_jokers_as_kickers() -> None:
    """Both jokers are kickers exactly where the option says so; then they are no rocket."""
    assert [] == names("666777XD")
    assert [] == names("7777XD")
    allowed = {"kickers.both_jokers": True}
    assert ("plane_singles", 2, "7") == one("666777XD", allowed)
    assert ("four_two_singles", 1, "7") == one("7777XD", allowed)
    assert ("plane_singles", 2, "7") == one("666777X5")
    assert ("plane_singles", 2, "7") == one("666777X5", allowed)


REFUSED = {
    "666777XD": "kickers.both_jokers",
    "7777XD": "kickers.both_jokers",
    "34445555": "kickers.main_rank",
    "33334444": "kickers.bomb_as_pairs",
    "3334445555": "kickers.bomb_as_pairs",
}


@pytest.mark.parametrize(("cards", "option"), REFUSED.items())
def test_r01_r02_the_reason_names_the_option(cards: str, option: str) -> None:
    """Cards refused by one option are explained by that option, and are legal where it is on."""
    explained = ddz.load_ruleset("classic").explain(cards)
    assert not explained.legal
    keys = " ".join(reason.key for reason in explained.reasons)
    assert {"main_rank": "repeats_main"}.get(name := option.split(".")[1], name) in keys
    assert ddz.load_ruleset("classic", {option: True}).explain(cards).legal


@given(mixed_hands(1, 12), st.integers(0, 2**32 - 1))
@settings(max_examples=80, deadline=None)
def test_explanations_agree_with_the_recogniser(hand: str, seed: int) -> None:
    """What is explained as legal is legal, what is not has a reason in every language."""
    rng = random.Random(seed)
    rules = ddz.load_ruleset("classic")
    part = "".join(rng.sample(hand, rng.randint(1, len(hand))))
    table = str(rng.choice(rules.moves(rng.choice(("34567899TTTJJQQKK", "333344445556667XD")))))
    for beat in (None, table):
        explained = rules.explain(part, beat=beat)
        legal = bool(rules.readings(part)) and (beat is None or rules.beats(part, beat))
        assert legal == explained.legal, (part, beat)
        assert explained.legal or explained.reasons, (part, beat)
        for near in explained.nearest:
            assert rules.readings(str(near))
            assert beat is None or rules.beats(str(near), beat)
        for language in LANGUAGES:
            for reason in explained.reasons:
                assert words(language).say(reason.key, **reason.params)


@pytest.mark.parametrize("kind", ["four_two_singles", "plane_singles"])
def test_r02_every_play_with_both_jokers(kind: str) -> None:
    """Every play with both jokers among its kickers belongs to the option, and beats no bomb."""
    strict = ddz.load_ruleset("classic")
    free = ddz.load_ruleset("classic", {"kickers.both_jokers": True})
    with_both = sorted(
        r.cards
        for r in leads(FULL_DECK, Options(both_jokers=True))
        if r.kind == kind and "X" in r.kickers and "D" in r.kickers
    )
    assert with_both
    for cards in random.Random(3).sample(with_both, min(150, len(with_both))):
        assert not strict.readings(cards)
        assert kind in {c.kind for c in free.readings(cards)}
        assert not free.beats(cards, "3333")
        assert free.beats("3333", cards)


# --- R03 the move list and the recogniser disagree -----------------------------------------------


def test_r03_leads_of_the_reported_hand() -> None:
    """The reported hand has exactly the eighteen groups of the report."""
    expected = [
        "3",
        "4",
        "5",
        "6",
        "33",
        "44",
        "333",
        "444",
        "3334",
        "3335",
        "3336",
        "3444",
        "4445",
        "4446",
        "33344",
        "33444",
        "333444",
        "33344456",
    ]
    rules = ddz.load_ruleset("classic", {"kickers.max_equal": 1})
    assert 18 == len(expected)
    assert sorted(expected) == sorted(str(move) for move in rules.moves("33344456"))
    assert [("plane_singles", 2, "4", "56")] == names("33344456")


@given(mixed_hands(1, 20))
@settings(max_examples=40, deadline=None)
def test_r03_every_lead_can_be_named(hand: str) -> None:
    """No generated play is one that the recogniser does not know."""
    rules = ddz.load_ruleset("classic")
    for move in rules.moves(hand):
        assert rules.readings(str(move)), move


# --- R04 the 2 inside runs ------------------------------------------------------------------------

RUNS = {"straight": (1, 5), "pair_straight": (2, 3), "plane": (3, 2)}


@pytest.mark.parametrize(
    "cards", ["A2345", "23456", "TJQKA2", "AA2233", "223344", "AAA222", "222333", "QKA2X", "KA2XD"]
)
def test_r04_no_run_with_a_two_or_a_joker(cards: str) -> None:
    """The reported runs with a 2 are no plays."""
    assert [] == names(cards)


@pytest.mark.parametrize("kind", RUNS)
def test_r04_r05_every_run_from_every_rank(kind: str) -> None:
    """Every run of neighbours 3…A is its kind with its top; one with a 2 or over the end is not."""
    size, shortest = RUNS[kind]
    circle = ORDER[:13]
    for length in range(1, 14):
        for start in range(13):
            run = [circle[(start + step) % 13] for step in range(length)]
            cards = "".join(size * rank for rank in run)
            if len(cards) > 20:
                continue
            straight_on = start + length <= len(CHAIN)
            found = [name for name in names(cards) if name[0] == kind]
            if straight_on and length >= shortest:
                assert [(kind, length, run[-1], "")] == found, cards
            else:
                assert [] == found, cards


@pytest.mark.parametrize("kind", RUNS)
def test_r05_no_run_with_a_hole(kind: str) -> None:
    """A run that leaves out one rank in the middle is not that kind."""
    size, shortest = RUNS[kind]
    for length in range(shortest + 1, 13):
        for start in range(12 - length + 1):
            for hole in range(start + 1, start + length - 1):
                ranks = [CHAIN[i] for i in range(start, start + length) if i != hole]
                cards = "".join(size * rank for rank in ranks)
                assert [] == [name for name in names(cards) if name[0] == kind], cards


def test_r04_the_two_in_its_other_roles() -> None:
    """The ban is on the 2 in runs alone: as kicker, triple and four it plays."""
    assert ("straight", 5, "A") == one("TJQKA")
    assert ("pair_straight", 3, "A") == one("QQKKAA")
    assert ("plane", 2, "A") == one("KKKAAA")
    assert [("plane_singles", 2, "4", "52")] == names("33344425")
    assert [("plane_pairs", 2, "4", "6622")] == names("3334442266")
    assert [("triple_pair", 1, "2", "33")] == names("22233")
    assert [("triple_pair", 1, "3", "22")] == names("33322")
    assert [("four_two_singles", 1, "2", "35")] == names("222235")


def test_r05_runs_over_the_ten() -> None:
    """The reported runs over nine, ten and jack are named."""
    assert ("pair_straight", 3, "Q") == one("TTJJQQ")
    assert ("pair_straight", 3, "J") == one("99TTJJ")
    assert ("straight", 5, "Q") == one("89TJQ")
    assert ("plane", 2, "T") == one("999TTT")
    assert "TTJJQQ" in {str(m) for m in ddz.load_ruleset("classic").moves("QQJJTT5")}


# --- R06 whole kinds missing without a word ------------------------------------------------------

ONE_OF_EACH = {
    "single": "D",
    "pair": "55",
    "triple": "888",
    "triple_single": "6668",
    "triple_pair": "QQQ66",
    "straight": "89TJQ",
    "pair_straight": "TTJJQQKK",
    "plane": "444555",
    "plane_singles": "77788836",
    "plane_pairs": "3334445566",
    "four_two_singles": "555534",
    "four_two_pairs": "55553344",
    "bomb": "5555",
    "rocket": "XD",
}


@pytest.mark.parametrize(("kind", "cards"), ONE_OF_EACH.items())
@pytest.mark.parametrize("ruleset", ["classic", "primer", "jinyou", "wuhan"])
def test_r06_every_kind_is_there(ruleset: str, kind: str, cards: str) -> None:
    """Every kind of the base is named in every ruleset of the classic family."""
    (reading,) = ddz.load_ruleset(ruleset).readings(cards)
    assert kind == reading.kind
    assert kind in {move.kind for move in ddz.load_ruleset(ruleset).moves(cards)}


@pytest.mark.parametrize(
    ("kind", "cards"), [item for item in ONE_OF_EACH.items() if item[0] != "single"]
)
def test_r06_r17_every_kind_can_be_switched_off(kind: str, cards: str) -> None:
    """A kind that is switched off is neither named nor listed, and the others stay."""
    rules = ddz.load_ruleset("classic", {"kinds.off": [kind]})
    assert kind not in {c.kind for c in rules.readings(cards)}
    listed = {move.kind for move in rules.moves(FULL_DECK)}
    assert set(ONE_OF_EACH) - {kind} == listed


def test_r06_r17_single_cards_cannot_be_switched_off() -> None:
    """Without singles a leader could hold no legal play, so such a game is refused."""
    refused(ddz.RulesetError, lambda: ddz.load_ruleset("classic", {"kinds.off": ["single"]}))


def test_r06_the_kinds_of_the_sheet_are_those_of_the_recogniser() -> None:
    """The kinds that the ruleset lists are exactly those that a full deck can play."""
    for ruleset in ("classic", "primer", "jinyou", "wuhan"):
        rules = ddz.load_ruleset(ruleset)
        listed = {row.id for row in rules.ruleset.kinds_in_force()}
        listed |= {row.id for row in rules.ruleset.ladder_in_force()}
        assert set(ONE_OF_EACH) == listed
        assert listed == {move.kind for move in rules.moves(FULL_DECK)}


def test_r06_four_with_two_is_no_bomb() -> None:
    """Four with two beats no bomb, and any bomb beats it."""
    rules = ddz.load_ruleset("classic")
    for four in ORDER[:13]:
        if four in "34":
            continue
        for play in (4 * four + "34", 4 * four + "3344"):
            for bomb in ORDER[:13]:
                assert not rules.beats(play, 4 * bomb)
                assert rules.beats(4 * bomb, play)


# --- R07 "contains four equal and others" --------------------------------------------------------


def test_r07_a_whole_hand_is_no_play() -> None:
    """A hand that holds a four among others is not taken for a bomb."""
    assert [] == names("44679999TQKA2X")


@given(mixed_hands(5, 20))
@settings(max_examples=60, deadline=None)
def test_r07_bombs_are_exactly_four_equal(hand: str) -> None:
    """Nothing but exactly four equal cards or the two jokers is read as a bomb or rocket."""
    for kind, _, _, _ in names(hand):
        assert kind not in ("bomb", "rocket")
    for move in ddz.load_ruleset("classic").moves(hand):
        if move.kind == "bomb":
            assert (4, 1) == (len(str(move)), len(set(str(move))))
        if move.kind == "rocket":
            assert "XD" == str(move)


# --- R10 card order ------------------------------------------------------------------------------


def test_r10_reported_orders() -> None:
    """Cards typed in another order are the same cards."""
    assert ("rocket", 1, "D") == one("DX") == one("XD")
    for cards in ("44333", "33344", "43343"):
        assert ("triple_pair", 1, "3") == one(cards)
    assert [] == ddz.load_ruleset("classic").moves("44445", beat="DX")


@given(mixed_hands(1, 20), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_r10_any_order(hand: str, seed: int) -> None:
    """Every legal group shuffled has the same readings, text and answers."""
    rng = random.Random(seed)
    rules = ddz.load_ruleset("classic")
    moves = rules.moves(hand)
    for move in rng.sample(moves, min(12, len(moves))):
        mixed = "".join(rng.sample(str(move), len(str(move))))
        assert rules.readings(str(move)) == rules.readings(mixed)
        assert all(c.cards == str(move) for c in rules.readings(mixed))


# --- R17 local options, R18 the order in texts ---------------------------------------------------


def test_r17_pair_kickers_off() -> None:
    """With pair kickers switched off a triple with a pair is no play."""
    assert [] == names("77733", {"kinds.off": ["triple_pair", "plane_pairs"]})
    assert ("triple_single", 1, "7") == one("7773", {"kinds.off": ["triple_pair", "plane_pairs"]})


def test_r17_two_fours_go_by_the_kicker_options() -> None:
    """Without a kind for linked bombs, two fours are a play only where the kickers allow it."""
    assert [] == names("44445555")
    assert {"four_two_pairs"} == {n[0] for n in names("44445555", {"kickers.bomb_as_pairs": True})}
    assert {"plane_singles"} == {n[0] for n in names("44445555", {"kickers.main_rank": True})}


def test_r18_order_of_single_cards() -> None:
    """Singles, pairs, triples and bombs stand in one order; the rocket is above all."""
    rules = ddz.load_ruleset("classic")
    for low, high in combinations(ORDER, 2):
        assert rules.beats(high, low)
        assert not rules.beats(low, high)
        if high not in "XD":
            for size in (2, 3, 4):
                assert rules.beats(size * high, size * low)
                assert not rules.beats(size * low, size * high)
    assert rules.beats("XD", "2222")
    assert rules.beats("22", "AA")
    assert "".join(str(m) for m in rules.moves("XD2AKQJT9876543") if m.kind == "single") in (
        ORDER,
        ORDER[::-1],
    )
