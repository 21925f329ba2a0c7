"""The objects that readers get, the errors they meet, and explanations."""

from __future__ import annotations

import copy
import pickle
import random
import re
from collections import Counter

import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import ORDER, text
from strategies import FULL_DECK, OPTIONS, any_hand, mixed_hands, overrides_of, subset

import ddz_core as ddz
from ddz_core import cards, patterns, rulesets
from ddz_core.language import LANGUAGES, Phrase, words

CLASSIC = rulesets.load("classic")
RULES = ddz.load_ruleset("classic")


def keys(hand: str, beat: str | None = None, **overrides: object) -> list[str]:
    """The keys of the reasons why cards are not legal, without their common beginning."""
    rules = ddz.load_ruleset("classic", {k.replace("__", "."): v for k, v in overrides.items()})
    return [reason.key.removeprefix("why.") for reason in rules.explain(hand, beat).reasons]


# --- objects -------------------------------------------------------------------------------------


def test_fields_of_a_move() -> None:
    """A move says what it is played as, in texts and numbers."""
    (move,) = (m for m in RULES.moves("33344456") if m.kind == "plane_singles")
    assert ("plane_singles", 2, "4") == (move.kind, move.length, move.top)
    assert ("33344456", "333444", "56") == (move.cards, move.main, move.kickers)
    assert (0, "", False, False) == (move.size, move.second, move.soft, move.pure)
    assert ("33344456", "333444+56") == (str(move), move.notation)
    assert cards.parse_cards("33344456") == move.hand
    (bomb,) = RULES.readings("7777")
    assert ("bomb", 1, "7", 4, True) == (bomb.kind, bomb.length, bomb.top, bomb.size, bomb.is_bomb)
    (rocket,) = RULES.readings("DX")
    assert ("rocket", 1, "D", "XD") == (rocket.kind, rocket.length, rocket.top, rocket.main)
    assert "34567" == RULES.moves("34567")[-1].notation


@given(mixed_hands(1, 20), OPTIONS)
@settings(max_examples=40, deadline=None)
def test_objects_are_values(hand: str, options: oracle.Options) -> None:
    """A move is rebuilt by its repr, by pickle and by copy, and equals what reads the same."""
    rules = ddz.load_ruleset("classic", overrides_of(options))
    moves = rules.moves(hand)
    rng = random.Random(hand)
    for move in rng.sample(moves, min(6, len(moves))):
        names = {"Move": ddz.Move, "Combination": ddz.Combination}
        for again in (
            eval(repr(move), names),
            pickle.loads(pickle.dumps(move)),
            copy.deepcopy(move),
            *(m for m in rules.moves(str(move)) if m.as_dict() == move.as_dict()),
        ):
            assert move == again
            assert hash(move) == hash(again)
            assert type(move) is type(again)
        for other in rng.sample(moves, min(6, len(moves))):
            assert (move == other) == (move.as_dict() == other.as_dict())
        with pytest.raises(AttributeError):
            move.kind = "pair"  # type: ignore[misc]


@given(mixed_hands(1, 20))
@settings(max_examples=60, deadline=None)
def test_moves_are_sorted_and_whole(hand: str) -> None:
    """Moves come by kind in the order of the rows, length, top and kickers, each once."""
    rows = [row.id for row in CLASSIC.play.kind] + [row.id for row in CLASSIC.play.ladder]

    def place(move: ddz.Move) -> tuple[object, ...]:
        kickers = [ORDER.index(rank) for rank in move.kickers]
        return rows.index(move.kind), move.length, ORDER.index(move.top), kickers

    places = [place(move) for move in RULES.moves(hand)]
    assert sorted(places) == places
    assert len(places) == len(set(map(str, places)))
    for move in RULES.moves(hand):
        assert Counter(move.main + move.kickers) == Counter(move.cards)
        assert text(Counter(move.cards)) == move.cards


@given(mixed_hands(2, 20), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_cards_are_taken_in_every_form(hand: str, seed: int) -> None:
    """Texts, packed hands, combinations and moves are the same cards to every question."""
    move = random.Random(seed).choice(RULES.moves(hand))
    forms = (move.cards, move.hand, move, RULES.readings(move.cards)[0])
    for form in forms:
        assert RULES.readings(move.cards) == RULES.readings(form)
        assert RULES.moves(hand, beat=move.cards) == RULES.moves(
            hand, beat=form, beat_as=RULES.readings(move.cards)[0]
        )
        assert not RULES.beats(form, move.cards)


def test_a_table_is_beaten_in_the_reading_named() -> None:
    """`beat_as` and `as_` choose among the readings of what lies on the table."""
    triples = "333444555666"
    by_name = {(r.kind, r.top): r for r in RULES.readings(triples)}
    assert [("plane", "6"), ("plane_singles", "6"), ("plane_singles", "5")] == list(by_name)
    low = by_name["plane_singles", "5"]
    hand = "777888999TJQ" + "444555666"
    assert RULES.beats("444555666TJQ", triples, as_=low)
    assert not RULES.beats("444555666TJQ", triples)
    shown = {str(m) for m in RULES.moves(hand, beat=triples, beat_as=low)}
    assert "444555666TJQ" in shown
    assert shown > {str(m) for m in RULES.moves(hand, beat=triples)}
    with pytest.raises(ddz.NotACombination) as refused:
        RULES.beats("XD", triples, as_=RULES.readings("33")[0])
    assert "error.combination.reading" == refused.value.key


def test_the_reading_of_an_unnamed_answer() -> None:
    """Unnamed cards answer in the best of the readings that beat the table, or in none."""
    cards_played = "333444555666"
    lead = patterns.answer_reading(CLASSIC, cards_played)
    assert lead is not None
    assert ("plane", 4) == (lead.kind, lead.length)
    (table,) = RULES.readings("333444555789")
    answer = patterns.answer_reading(CLASSIC, cards_played, table)
    assert answer is not None
    assert ("plane_singles", 3, "6") == (answer.kind, answer.length, answer.top)
    assert patterns.answer_reading(CLASSIC, "34", None) is None
    assert patterns.answer_reading(CLASSIC, "3", "4") is None
    assert patterns.outranks(answer, table)
    assert not patterns.outranks(table, answer)
    rebuilt = eval(repr(answer), {"Combination": ddz.Combination})
    assert patterns.outranks(rebuilt, table)


def test_a_reading_is_found_by_its_name() -> None:
    """Kind, length and top name one reading; another name is refused with those there are."""
    move = patterns.find_reading(CLASSIC, "333444555666", "plane_singles", 3, "5")
    assert ("333444555", "666") == (move.main, move.kickers)
    with pytest.raises(ddz.NotACombination) as refused:
        patterns.find_reading(CLASSIC, "333444555666", "bomb", 1, "3")
    assert "plane:4:6" in refused.value.expected
    with pytest.raises(ddz.NotACombination):
        patterns.find_reading(CLASSIC, "34", "pair", 1, "3")


@given(mixed_hands(1, 20), mixed_hands(1, 20), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_can_beat_is_whether_there_are_answers(hand: str, other: str, seed: int) -> None:
    """A hand can beat a play exactly where it has answers, under a limit on bombs as well."""
    play = random.Random(seed).choice(RULES.moves(other))
    for limit in (0, 1, 63):
        answers = patterns.moves(CLASSIC, hand, beat=play, highest_step=limit)
        assert bool(answers) == patterns.can_beat(CLASSIC, hand, play, highest_step=limit)
        assert all(m.kind not in ("bomb", "rocket") for m in answers if limit == 0)


def test_counting_a_pool() -> None:
    """A pool is counted by sets of cards, or by kind, as the rules page does."""
    assert 28_502 == patterns.count_moves(CLASSIC)["cards"]
    by_kind = patterns.count_moves(CLASSIC, by="kind")
    assert 28_511 == by_kind.total()
    assert (182, 156, 36, 858) == (
        by_kind["triple_single"],
        by_kind["triple_pair"],
        by_kind["straight"],
        by_kind["four_two_pairs"],
    )
    assert {"single": 1} == patterns.count_moves(CLASSIC, "3", by="kind")


# --- bad input -----------------------------------------------------------------------------------


def test_no_cards() -> None:
    """No cards have no readings and no moves, and neither beat nor are beaten."""
    assert [] == RULES.readings("")
    assert [] == RULES.moves("")
    for one, other in (("", "3"), ("3", ""), ("34", "3"), ("3", "34")):
        with pytest.raises(ddz.NotACombination):
            RULES.beats(one, other)


@pytest.mark.parametrize("hand", ["33333", "DD", "XX3", "*", "3*", "3" * 13, "4" * 17 + "5"])
def test_cards_beyond_the_deck_are_refused_by_rank(hand: str) -> None:
    """More of a rank than the deck has is an error of the hand that names the rank."""
    rank = max(hand, key=hand.count) if hand != "3*" else "*"
    for ask in (RULES.readings, RULES.moves, RULES.explain, lambda h: RULES.beats("3", h)):
        with pytest.raises(ddz.HandError) as refused:
            ask(hand)
        assert rank == refused.value.params["rank"]


def test_what_is_no_card_is_refused_by_place() -> None:
    """An unknown character is an error of notation, for the table's cards as well."""
    for ask in (RULES.readings, RULES.moves, RULES.explain, lambda h: RULES.moves("3", beat=h)):
        with pytest.raises(ddz.NotationError) as refused:
            ask("34Z")
        assert 3 == refused.value.params["place"]
    with pytest.raises(ddz.HandError):
        RULES.moves(-1)
    with pytest.raises(ddz.DdzError) as wrong:
        RULES.moves("3", spend="some")
    assert "spend" == wrong.value.field


def test_a_table_without_reading_cannot_be_answered() -> None:
    """What lies on the table must be a combination."""
    with pytest.raises(ddz.NotACombination) as refused:
        RULES.moves("5566", beat="34")
    assert ("beat", "34") == (refused.value.field, refused.value.got)


# --- explanations --------------------------------------------------------------------------------

REASONS = [
    ("666777XD", ["both_jokers"]),
    ("7777XD", ["both_jokers"]),
    ("333444XD56", ["kickers_not_pairs"]),
    ("333444XD55", ["jokers_no_pair"]),
    ("777XD", ["jokers_no_pair"]),
    ("34445555", ["kicker_repeats_main"]),
    ("33334444", ["kicker_repeats_main", "bomb_as_pairs"]),
    ("3334445555", ["bomb_as_pairs"]),
    ("333444677", ["kickers_mixed"]),
    ("33345", ["kickers_not_pairs"]),
    ("44445", ["kickers_number"]),
    ("3333456", ["kickers_number"]),
    ("3456", ["run_too_short"]),
    ("3344", ["run_too_short"]),
    ("A2345", ["two_in_run"]),
    ("TJQKA2", ["two_in_run"]),
    ("QKA23", ["two_in_run"]),
    ("AAA222", ["two_in_run"]),
    ("AA2233", ["two_in_run"]),
    ("22233345", ["two_in_run"]),
    ("KA345", ["run_over_end"]),
    ("4567X", ["rank_in_run"]),
    ("QKA2X", ["rank_in_run"]),
    ("34679", ["gap"]),
    ("334466", ["gap"]),
    ("333555", ["gap"]),
    ("33355567", ["gap"]),
    ("37", ["no_shape"]),
    ("44679999TQKA2X", ["no_shape"]),
    ("333444555666777888999", ["too_many_cards"]),
    ("", ["no_cards"]),
]


@pytest.mark.parametrize(("hand", "expected"), REASONS)
def test_reasons_against_a_combination(hand: str, expected: list[str]) -> None:
    """Cards that form nothing are refused for the limit they break."""
    assert expected == keys(hand)
    assert not RULES.readings(hand)


def test_reasons_follow_the_rules_in_force() -> None:
    """With other options other cards are refused, for the option, and the same ones are not."""
    assert ["max_equal"] == keys("33344455", kickers__max_equal=1)
    assert ["max_equal"] == keys("555666777888999JJJJ4", kickers__max_equal=3)
    both = keys("3334445556667778", kickers__max_equal=1, kickers__next_triple=False)
    assert {"max_equal", "next_triple"} == set(both)
    assert [] == keys("666777XD", kickers__both_jokers=True)
    assert ["kind_off"] == keys("XD", kinds__off=["rocket"])
    assert ["kind_off"] == keys("33344", kinds__off=["triple_pair"])


@pytest.mark.parametrize(
    ("hand", "beat", "expected"),
    [
        ("3", "4", ["not_higher"]),
        ("4", "4", ["not_higher"]),
        ("33", "4", ["other_kind"]),
        ("345678", "34567", ["other_length"]),
        ("4444", "5555", ["not_higher"]),
        ("34567", "4444", ["only_bombs"]),
        ("555534", "4444", ["only_bombs"]),
        ("7777", "XD", ["nothing_beats"]),
        ("34", "5", ["no_shape"]),
        ("333444555TJQ", "444555666777", ["other_kind"]),
    ],
)
def test_reasons_against_an_answer(hand: str, beat: str, expected: list[str]) -> None:
    """A combination that beats nothing is told why."""
    assert expected == keys(hand, beat)


def test_what_is_legal_needs_no_reason() -> None:
    """Legal cards are explained by their readings alone."""
    explained = RULES.explain("333444555666", "333444555789")
    assert explained.legal
    assert 3 == len(explained.readings)
    assert ((), ()) == (explained.reasons, explained.nearest)
    assert explained.beat == RULES.readings("333444555789")[0]


def changed(one: str, other: str) -> int:
    """How many cards are dropped and added between two sets."""
    a, b = Counter(one), Counter(other)
    return (a - b).total() + (b - a).total()


@given(mixed_hands(2, 14), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_nearest_combinations_are_nearest(hand: str, seed: int) -> None:
    """What is offered instead is legal, comes from the hand where one is given, and is nearest."""
    rng = random.Random(seed)
    chosen = subset(hand, rng)
    beat = str(rng.choice(RULES.moves(any_hand(rng, 8)))) if rng.random() < 0.5 else None
    explained = patterns.explain(CLASSIC, chosen, beat, held=hand)
    legal = {str(m) for m in RULES.moves(hand, beat=beat)}
    if explained.legal:
        assert chosen in legal
        return
    distances = [changed(chosen, other) for other in legal]
    assert min(3, distances.count(min(distances, default=0))) == len(explained.nearest)
    for near in explained.nearest:
        assert near.cards in legal
        assert min(distances) == changed(chosen, near.cards)
    anywhere = patterns.explain(CLASSIC, chosen, beat)
    for near in anywhere.nearest:
        assert beat is None or RULES.beats(near, beat)
        assert not distances or changed(chosen, near.cards) <= min(distances)


@given(st.integers(0, 2**32 - 1), OPTIONS)
@settings(max_examples=80, deadline=None)
def test_everything_is_explained_in_three_languages(seed: int, options: oracle.Options) -> None:
    """Whatever cards and rules: what is not legal has reasons, worded with all their values."""
    rng = random.Random(seed)
    rules = ddz.load_ruleset("classic", overrides_of(options))
    hand = text(Counter(rng.sample(FULL_DECK, rng.randint(1, 22))))
    if rng.random() < 0.6:
        hand = subset(any_hand(rng, 20), rng)
    beat = str(rng.choice(rules.moves(any_hand(rng, 20)))) if rng.random() < 0.4 else None
    explained = rules.explain(hand, beat)
    assert explained.legal == (not explained.reasons)
    assert explained.cards == hand
    for reason in explained.reasons:
        for lang in LANGUAGES:
            said = words(lang).say(reason.key, **reason.params)
            assert said != reason.key
            assert not re.search(r"[{}]", said)


def test_kinds_in_reasons_are_phrases() -> None:
    """A kind in a reason is worded with the sentence, in its language."""
    (reason,) = RULES.explain("3456").reasons
    assert Phrase("kind.straight") == reason.params["kind"]
    assert "顺子" in words("zh-Hans").say(reason.key, **reason.params)
    assert "順子" in words("zh-Hant").say(reason.key, **reason.params)
