"""Bad input: cards that cannot be, unreadable text, house rules that contradict (R25, R30, R48).

Every refusal is an error of the family, names field, expectation and what came, and carries a key
that every language has a sentence for.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import ORDER
from refusals import check_furniture, refused
from strategies import FULL_DECK

import ddz_core as ddz

# --- R30 typed cards -----------------------------------------------------------------------------


def typed(text: str) -> str:
    """Typed cards as the notation has them."""
    return ddz.format_cards(ddz.parse_cards(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10 j Q k a", "TJQKA"),
        ("１０ＪＱＫＡ", "TJQKA"),
        ("3,3 4 4", "3344"),
        ("小王 大王", "XD"),
        ("大王小王", "XD"),
        ("XD", "XD"),
        ("dx", "XD"),
        ("", ""),
        ("   ", ""),
        ("10101010", "TTTT"),
        ("♠3 ♥3 ♣4", "334"),
        ("3，4、5；6", "3456"),
        ("2a", "A2"),
        ("3344\n55", "334455"),
    ],
)
def test_r30_typed_cards(text: str, expected: str) -> None:
    """Cards typed as people type them are read."""
    assert expected == typed(text)


@pytest.mark.parametrize(
    ("text", "character", "place"),
    [
        ("3З4", "З", 2),  # a Cyrillic letter
        ("1", "1", 1),
        ("3 4 1 5", "1", 5),
        ("0", "0", 1),
        ("34567S", "S", 6),
        ("33<b>44", "<", 3),
        ("3\u200b4", "\u200b", 2),
    ],
)
def test_r30_refused_with_character_and_place(text: str, character: str, place: int) -> None:
    """The message of an unreadable text names the character and its place."""
    error = refused(ddz.NotationError, lambda: ddz.parse_cards(text))
    assert place == error.params["place"]
    assert str(place) in str(error)
    if character.isprintable():
        assert character == error.got


@given(st.text(max_size=12))
@settings(max_examples=200, deadline=None)
def test_r30_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    """Whatever is typed is either cards or an error of the family, never another exception."""
    try:
        hand = ddz.parse_cards(text)
    except ddz.DdzError as error:
        check_furniture(error)
    else:
        assert typed(ddz.format_cards(hand)) == ddz.format_cards(hand)


@given(st.lists(st.sampled_from(ORDER[:13]), max_size=4, unique=True), st.randoms())
def test_r30_order_case_and_spaces_do_not_matter(ranks: list[str], rng: object) -> None:
    """Any order, case and spacing gives the same cards, low to high."""
    text = list("".join(ranks) * 3)
    rng.shuffle(text)
    assert "".join(3 * rank for rank in ORDER if rank in ranks) == typed(" ".join(text).lower())


def test_no_cards_is_no_error_and_no_play() -> None:
    """Empty text is no cards: nothing to lead, no combination, and no crash."""
    rules = ddz.load_ruleset("classic")
    assert [] == list(rules.moves(""))
    assert [] == list(rules.readings(""))


# --- R25 impossible cards ------------------------------------------------------------------------


def test_r25_too_many_of_one_rank_names_it() -> None:
    """Five of a rank, or two big jokers, exist in no one-deck game; the message names the rank."""
    rules = ddz.load_ruleset("classic")
    for cards, rank in (("88888", "8"), ("DD", "D"), ("XX3", "X"), ("34567822222", "2")):
        for ask in (rules.readings, rules.moves):
            error = refused(ddz.HandError, lambda ask=ask, cards=cards: ask(cards))
            assert rank in str(error)


@pytest.mark.parametrize("rank", ORDER)
def test_r25_every_rank_once_too_often(rank: str) -> None:
    """One card of any rank more than the deck has is refused wherever cards are taken."""
    rules = ddz.load_ruleset("classic")
    cards = rank * (2 if rank in "XD" else 5)
    assert rank in str(refused(ddz.HandError, lambda: rules.readings(cards)))
    assert rank in str(refused(ddz.HandError, lambda: rules.moves(cards)))
    assert rank in str(refused(ddz.HandError, lambda: rules.moves("3", beat=cards)))
    assert rank in str(refused(ddz.HandError, lambda: rules.beats(cards, "3")))
    assert rank in str(refused(ddz.HandError, lambda: rules.explain(cards)))


@pytest.mark.parametrize("cards", ["*", "33*", "****"])
def test_no_marked_card_in_a_game_without_one(cards: str) -> None:
    """The sign for a marked card is refused in games that mark none."""
    rules = ddz.load_ruleset("classic")
    refused(ddz.HandError, lambda: rules.readings(cards))
    refused(ddz.HandError, lambda: rules.moves(cards))


DEALT = FULL_DECK


def dealt(hands: list[str], bottom: str) -> str:
    """A deal as text."""
    return "/".join(hands) + "|" + bottom


ROUND = [DEALT[seat:51:3] for seat in range(3)]


def test_r25_a_good_deal_is_accepted() -> None:
    """Three hands of 17 and three bottom cards that make a deck are taken."""
    rules = ddz.load_ruleset("classic")
    deal = ddz.deal_from_text(rules, dealt(ROUND, DEALT[51:]))
    game = ddz.new_game(rules, deal)
    assert game.to_act in range(3)


@pytest.mark.parametrize(
    ("hands", "bottom", "words"),
    [
        (ROUND, "KK9955", ("3",)),
        (ROUND, "K9", ("3",)),
        ([ROUND[0][:16], *ROUND[1:]], DEALT[51:], ("16", "17")),
        ([ROUND[0] + "3", *ROUND[1:]], DEALT[51:], ("18", "17")),
        ([ROUND[0][:15] + "DD", *ROUND[1:]], DEALT[51:], ("D",)),
        (["8888" + ROUND[0][4:], *ROUND[1:]], DEALT[51:], ("8",)),
        (ROUND[:2], DEALT[51:], ("3",)),
    ],
)
def test_r25_impossible_deals_are_refused(hands: list[str], bottom: str, words: tuple) -> None:
    """A deal of wrong sizes or impossible cards is refused, and the message says which."""
    rules = ddz.load_ruleset("classic")
    error = refused(
        ddz.DdzError,
        lambda: ddz.new_game(rules, ddz.deal_from_text(rules, dealt(hands, bottom))),
    )
    assert isinstance(error, ddz.HandError | ddz.NotationError)
    for word in words:
        assert word in str(error)


# --- plays that are none -------------------------------------------------------------------------


def test_no_combination_is_named() -> None:
    """Comparing cards that form nothing says which cards form nothing."""
    rules = ddz.load_ruleset("classic")
    for one, other in (("334", "34567"), ("34567", "334"), ("333444677", "3")):
        error = refused(ddz.NotACombination, lambda one=one, other=other: rules.beats(one, other))
        wrong = other if rules.readings(one) else one
        assert wrong in str(error)
    refused(ddz.NotACombination, lambda: rules.moves("34567", beat="334"))


# --- house rules ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "overrides",
    [
        {"kickers.both_joker": True},
        {"kicker.both_jokers": True},
        {"kickers": 3},
        {"kickers.both_jokers": "yes"},
        {"kickers.both_jokers": 2},
        {"kickers.max_equal": "four"},
        {"kickers.max_equal": 0},
        {"kickers.max_equal": 9},
        {"kinds.off": ["flush"]},
        {"kinds.off": "pair"},
        {"deal.hand": 16},
        {"deal.hand": -17},
        {"deal.bottom": 4},
        {"deal.seats": 4},
        {"deal.face_up": "none"},
        {"auction.levels": []},
        {"auction.levels": [3, 2, 1]},
        {"auction.mechanism": "dice"},
        {"auction.first": "tallest"},
        {"score.stake": 0},
        {"score.combine": "power"},
        {"deck.decks": 3},
        {"": 1},
        {"kickers.": 1},
        {"__class__": 1},
        {"kickers.__init__": 1},
        {"id": "other"},
    ],
)
def test_r48_impossible_house_rules_are_refused(overrides: dict) -> None:
    """An unknown path, a wrong type or value, or a contradiction is refused and named."""
    error = refused(ddz.RulesetError, lambda: ddz.load_ruleset("classic", overrides))
    assert error.field


@pytest.mark.parametrize(
    "ruleset", ["clasic", "", "../classic", "brick", "CLASSIC", "classic.toml"]
)
def test_unknown_ruleset_is_named(ruleset: str) -> None:
    """An unknown id is refused, and the message names it and those there are."""
    error = refused(ddz.RulesetError, lambda: ddz.load_ruleset(ruleset))
    assert "classic" in str(error)
    if ruleset:
        assert ruleset in str(error)


def test_r48_house_rules_change_the_rules_and_show() -> None:
    """Changed options are in force, listed as overrides, and tell the games apart."""
    plain = ddz.load_ruleset("classic")
    changed = ddz.load_ruleset("classic", {"kickers.both_jokers": True})
    assert {} == dict(plain.overrides)
    assert {"kickers.both_jokers": True} == dict(changed.overrides)
    assert plain != changed
    assert plain.hash != changed.hash
    assert not plain.readings("4444XD")
    assert changed.readings("4444XD")
    same = ddz.load_ruleset("classic", {"kickers.both_jokers": False})
    assert plain.hash == same.hash
