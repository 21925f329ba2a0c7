"""Faults others reported in dealing (public report R23), and the laws every deal keeps."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest
from oracle import ORDER
from playing import FAMILY, start

import ddz_core as ddz

DEALS = 4_000


def parts(deal: ddz.Deal) -> list[str]:
    """The hands and the bottom as card texts, suits left out."""
    return [plain(hand) for hand in deal.hands] + [plain(deal.bottom)]


def plain(cards: tuple[ddz.Card, ...]) -> str:
    """Physical cards as ranks, low to high."""
    return ddz.format_cards(ddz.parse_cards("".join(map(str, cards))))


@pytest.mark.parametrize("ruleset", FAMILY)
def test_every_deal_is_the_whole_deck(ruleset: str) -> None:
    """Hands of 17 and a bottom of 3 are together exactly the deck."""
    rules = ddz.load_ruleset(ruleset)
    for seed in range(200):
        dealt = parts(ddz.deal(rules, seed=seed))
        assert [17, 17, 17, 3] == [len(cards) for cards in dealt]
        assert Counter(rules.deck_text()) == Counter("".join(dealt))


@pytest.mark.parametrize("ruleset", FAMILY)
def test_a_seed_is_a_deal(ruleset: str) -> None:
    """One seed always gives one deal, another seed another."""
    rules = ddz.load_ruleset(ruleset)
    assert all(ddz.deal(rules, seed=n) == ddz.deal(rules, seed=n) for n in range(50))
    assert 300 == len({tuple(parts(ddz.deal(rules, seed=n))) for n in range(300)})


def test_a_redeal_is_the_next_number_of_the_seed() -> None:
    """A seed has many deals, counted from 0; each is fixed, and each is another."""
    for ruleset in FAMILY:
        rules = ddz.load_ruleset(ruleset)
        deals = [ddz.deal(rules, seed=3, number=number) for number in range(20)]
        assert deals[0] == ddz.deal(rules, seed=3)
        assert deals == [ddz.deal(rules, seed=3, number=number) for number in range(20)]
        assert 20 == len({tuple(parts(deal)) for deal in deals})


def test_r23_every_card_in_every_place_as_often_as_it_should() -> None:
    """Over thousands of seeds each rank is in each hand and in the bottom at its exact rate.

    Expected per deal: copies · 17/54 in a hand and copies · 3/54 in the bottom; 60 cells, none
    further off than 4.5 standard errors of a hypergeometric count.
    """
    rules = ddz.load_ruleset("classic")
    cells: Counter[tuple[int, str]] = Counter()
    both = [0, 0, 0, 0]
    for seed in range(DEALS):
        for place, cards in enumerate(parts(ddz.deal(rules, seed=seed))):
            cells.update((place, rank) for rank in cards)
            both[place] += "X" in cards and "D" in cards
    for place, size in enumerate((17, 17, 17, 3)):
        for rank in ORDER:
            copies = 1 if rank in "XD" else 4
            share = size / 54
            mean = DEALS * copies * share
            error = sqrt(DEALS * copies * share * (1 - share) * (54 - copies) / 53)
            assert abs(cells[place, rank] - mean) < 4.5 * error, (place, rank)
        chance = size * (size - 1) / (54 * 53)  # 0.095 for a hand
        error = sqrt(DEALS * chance * (1 - chance))
        assert abs(both[place] - DEALS * chance) < 4.5 * error, place


@pytest.mark.parametrize("ruleset", ["classic", "primer", "jinyou"])
def test_face_up_card_is_in_a_hand_and_its_holder_speaks_first(ruleset: str) -> None:
    """The face-up card is one of the dealt cards, never of the bottom; its holder speaks first."""
    rules = ddz.load_ruleset(ruleset)
    seats: Counter[int] = Counter()
    for seed in range(600):
        deal = ddz.deal(rules, seed=seed)
        card, seat = deal.face_up
        assert ddz.format_cards(ddz.parse_cards(str(card))) in parts(deal)[seat]
        assert seat == deal.first
        seats[seat] += 1
        if seed < 60:
            assert seat == ddz.new_game(rules, deal).to_act
    # 200 each, standard error 11.5
    assert all(abs(seats[seat] - 200) < 52 for seat in range(3)), seats


def test_wuhan_begins_at_a_random_seat() -> None:
    """Without a face-up card the first speaker is drawn, each seat equally often."""
    rules = ddz.load_ruleset("wuhan")
    deals = [ddz.deal(rules, seed=seed) for seed in range(600)]
    assert all(deal.face_up is None for deal in deals)
    seats = Counter(deal.first for deal in deals)
    assert all(abs(seats[seat] - 200) < 52 for seat in range(3)), seats
    assert deals[7].first == start("wuhan", 7).to_act


@pytest.mark.parametrize("ruleset", FAMILY)
def test_deals_as_text_round_trip(ruleset: str) -> None:
    """A deal written as text and read again has the same hands and bottom."""
    rules = ddz.load_ruleset(ruleset)
    for seed in range(30):
        deal = ddz.deal(rules, seed=seed)
        again = ddz.deal_from_text(rules, str(deal))
        assert parts(deal) == parts(again)
        with_suits = ddz.deal_from_text(rules, deal.text(suits=True))
        assert (deal.hands, deal.bottom) == (with_suits.hands, with_suits.bottom)


def test_deals_do_not_touch_global_random_state() -> None:
    """Dealing draws from its own seeded generator and leaves the global ones alone."""
    import random

    import numpy as np

    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    ddz.deal(ddz.load_ruleset("classic"), seed=4)
    assert before == (random.getstate(), np.random.get_state()[1].tolist())  # noqa: NPY002
