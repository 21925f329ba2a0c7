"""Setting up: what was given stays, the rest is dealt, what cannot be is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core import cards, setting
from ddz_core.errors import DdzError, HandError
from ddz_core.game import new_game

RULES = ddz.load_ruleset("classic")


@pytest.mark.parametrize("rules_id", ddz.ruleset_ids())
def test_every_game_can_be_completed_and_played(rules_id: str) -> None:
    """From one card of each seat a whole deal comes, which makes a game and a code."""
    rules = ddz.load_ruleset(rules_id)
    seats = rules.ruleset.deal.seats
    deal = setting.completed_deal(rules, ["3", "4", *[""] * (seats - 2)], seed=3)
    hands = [cards.from_cards(hand) for hand in deal.hands]
    assert "3" in cards.format_cards(hands[0])
    assert all(cards.size_of(hand) == rules.ruleset.deal.hand for hand in hands)
    game = new_game(rules, deal)
    assert ddz.encode(game) == ddz.encode(ddz.decode(ddz.encode(game)))


@given(st.data())
def test_given_cards_stay_and_the_deck_is_used_once(data: st.DataObject) -> None:
    """Every hand holds what was given; all parts together are the deck; the seed decides."""
    deck = list(cards.format_cards(RULES.ruleset.deck_cards))
    mixed = data.draw(st.permutations(deck))
    cuts = sorted(data.draw(st.lists(st.integers(0, 16), min_size=3, max_size=3)))
    hands = ["".join(mixed[17 * i : 17 * i + cut]) for i, cut in enumerate(cuts)]
    under = "".join(mixed[51 : 51 + data.draw(st.integers(0, 3))])
    seed = data.draw(st.integers(0, 1000))
    deal = setting.completed_deal(RULES, hands, under, seed=seed)
    parts = [cards.from_cards(part) for part in (*deal.hands, deal.bottom)]
    assert sum(parts) == RULES.ruleset.deck_cards
    for part, text in zip(parts, (*hands, under), strict=True):
        counts = zip(cards.counts_of(part), cards.counts_of(cards.parse_cards(text)), strict=True)
        assert all(have >= asked for have, asked in counts)
    assert str(deal) == str(setting.completed_deal(RULES, hands, under, seed=seed))


def test_wishes_are_met_beside_the_cards_given() -> None:
    """A wished hand fits its wish, holds its given cards, and takes none that lie elsewhere."""
    wishes = {1: {"points": (0, 2), "turns": (1, 6)}, 0: {"holds": ["bomb"]}}
    deal = setting.completed_deal(RULES, ["XD", "33", ""], "2", seed=5, wishes=wishes)
    first, second = (cards.format_cards(cards.from_cards(hand)) for hand in deal.hands[:2])
    assert "XD" in first
    assert any(first.count(rank) == 4 for rank in first)
    assert "33" in second
    assert ddz.turns(second, RULES).turns <= 6


@pytest.mark.parametrize(
    ("hands", "bottom", "field"),
    [
        (["33", "333", ""], "", "hand"),
        (["X", "", "X"], "", "hand"),
        (["", "", ""], "2222A", "bottom"),
        (["34567", "", ""], "3333", "bottom"),
        (["", ""], "", "hands"),
        (["3Z", "", ""], "", ""),
        (["334455667788TTJJQQ", "", ""], "", "hand 0"),
    ],
)
def test_what_cannot_be_is_named(hands: list[str], bottom: str, field: str) -> None:
    """An impossible card or hand is refused by its place."""
    with pytest.raises(DdzError) as refused:
        setting.completed_deal(RULES, hands, bottom)
    assert field in refused.value.field


def test_wishes_that_cannot_be_are_named() -> None:
    """A wish for cards that lie elsewhere, and one that contradicts itself, are refused."""
    with pytest.raises(HandError) as refused:
        setting.completed_deal(RULES, ["2222", "", ""], wishes={1: {"ranks": {"2": (1, 4)}}})
    assert refused.value.key == "error.setting.wish"
    with pytest.raises(HandError):
        setting.completed_deal(RULES, ["", "", ""], wishes={0: {"lacks": ["single"]}})


@given(st.integers(0, 500), st.lists(st.integers(1, 17), min_size=2, max_size=3))
def test_positions_are_filled_to_their_sizes(seed: int, sizes: list[int]) -> None:
    """Every hand of a completed position has its size and what was given."""
    place = setting.completed_position(RULES, ["D", *[""] * (len(sizes) - 1)], sizes, seed=seed)
    assert [cards.size_of(hand) for hand in place.hands] == sizes
    assert "D" in place.texts[0]


def test_positions_respect_the_table() -> None:
    """Cards on the table lie in no hand."""
    place = setting.completed_position(RULES, ["", ""], [17, 17], beat="3333", beat_by=1)
    assert "3" not in "".join(place.texts)
    with pytest.raises(HandError) as refused:
        setting.completed_position(RULES, ["3", ""], [5, 5], beat="3333", beat_by=1)
    assert "beat" in refused.value.field or "hand" in refused.value.field
    with pytest.raises(HandError):
        setting.completed_position(RULES, ["", "", ""], [20, 20, 20])
