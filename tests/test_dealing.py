"""Deals: fixed by their seed, complete, readable as text, and refused when they cannot be."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

import ddz_core as ddz
from ddz_core import dealing
from ddz_core.cards import Card, parse_cards
from ddz_core.errors import DdzError

CLASSIC = ddz.load_ruleset("classic")
SEEDS = st.integers(0, 2**64 - 1)


def test_a_seed_gives_its_deal_for_ever() -> None:
    """The deal of seed 7, its redeal and the deal of the largest seed are the stored ones."""
    deal = ddz.deal(CLASSIC, seed=7)
    assert deal.text() == "3445678TJJQQKKK22/33567899TTJQQAA22/34455678899TJAAXD|67K"
    assert (deal.first, deal.face_up, deal.number) == (0, (Card(2, 2), 0), 0)
    assert str(deal.face_up[0]) == "♣5"
    again = dealing.redeal(CLASSIC, deal)
    assert again.text() == "344568889TJQKKAA2/35556799TTJQKAA2D/3344667789JJQK22X|7TQ"
    assert (again.seed, again.number) == (7, 1)
    largest = ddz.deal(CLASSIC, seed=2**64 - 1)
    assert largest.text() == "5578899TJJJQKK222/34444567789TTJAAD/333566689TQQQKKAX|7A2"


@given(SEEDS, st.integers(0, 50))
def test_every_card_is_dealt_once(seed: int, number: int) -> None:
    """Hands, bottom and dead cards together are the pack, and each hand is sorted."""
    deal = ddz.deal(CLASSIC, seed=seed, number=number)
    parts = [*deal.hands, deal.bottom, deal.dead]
    assert [len(part) for part in parts] == [17, 17, 17, 3, 0]
    assert sorted(card for part in parts for card in part) == sorted(dealing.pack_of(CLASSIC))
    assert all(list(part) == sorted(part) for part in parts)
    card, seat = deal.face_up
    assert card in deal.hands[seat]
    assert deal.first == seat


@given(SEEDS)
def test_text_with_suits_is_read_back_as_the_same_deal(seed: int) -> None:
    """Deal → text with suits → deal is the identity, facts beside the cards given along."""
    deal = ddz.deal(CLASSIC, seed=seed)
    again = ddz.deal_from_text(
        CLASSIC, deal.text(suits=True), face_up=str(deal.face_up[0]), seed=seed
    )
    assert again == deal


@given(SEEDS)
def test_text_without_suits_keeps_the_ranks(seed: int) -> None:
    """Deal → text → deal keeps the ranks of every place, and always chooses the same suits."""
    text = ddz.deal(CLASSIC, seed=seed).text()
    deal = ddz.deal_from_text(CLASSIC, text)
    assert deal.text() == text
    assert deal == ddz.deal_from_text(CLASSIC, text.replace("|", " | ").replace("/", " / "))
    assert (deal.first, deal.face_up, deal.seed) == (0, None, None)
    assert len({card for part in [*deal.hands, deal.bottom] for card in part}) == 54


def test_some_suits_may_be_named() -> None:
    """Named suits are kept, words for jokers and tens are read, the rest is filled up."""
    plain = ddz.deal(CLASSIC, seed=3).text()
    hands, bottom = plain.split("|")
    first = hands.split("/")[0]
    rank = first[0]
    named = f"♥{first}" if rank not in "XD" else first
    deal = ddz.deal_from_text(CLASSIC, named + hands[len(first) :] + "|" + bottom)
    assert Card("3456789TJQKA2XD".index(rank), 1) in deal.hands[0]
    words = plain.replace("T", "10").replace("X", "小王").replace("D", "大王")
    assert ddz.deal_from_text(CLASSIC, words).text() == plain


def test_two_equal_physical_cards_are_refused() -> None:
    """One pack has one ace of spades."""
    plain = ddz.deal(CLASSIC, seed=3).text().replace("A", "♠A")
    error = refused(ddz.HandError, lambda: ddz.deal_from_text(CLASSIC, plain))
    assert "♠A" in str(error)


@pytest.mark.parametrize("seed", [-1, 2**64, True, "7", 1.5])
def test_what_is_no_seed_is_refused(seed: object) -> None:
    """A seed is a whole number of 64 bits."""
    assert refused(ddz.DdzError, lambda: ddz.deal(CLASSIC, seed=seed)).field == "seed"


@pytest.mark.parametrize("number", [-1, 2**32, True, "1"])
def test_what_is_no_number_of_a_deal_is_refused(number: object) -> None:
    """The number of a redeal counts from 0."""
    refused(ddz.DdzError, lambda: ddz.deal(CLASSIC, seed=1, number=number))


def test_a_drawn_seed_is_shown() -> None:
    """Without a seed one is drawn, and dealing from it again gives the same cards."""
    deal = ddz.deal(CLASSIC)
    assert ddz.deal(CLASSIC, seed=deal.seed) == deal


def test_a_start_that_rotates_moves_on_with_every_deal() -> None:
    """Redeals of one seed begin one seat further each time, from a start that the seed draws."""
    rules = ddz.load_ruleset("classic", {"auction.first": "rotate"})
    starts = [[ddz.deal(rules, seed=s, number=n).first for n in range(4)] for s in range(30)]
    assert all(row == [(row[0] + n) % 3 for n in range(4)] for row in starts)
    assert {row[0] for row in starts} == {0, 1, 2}


def test_a_natural_face_up_card_is_never_a_joker() -> None:
    """Where the shown card must not be a joker it never is; where it may, it sometimes is."""
    natural = ddz.load_ruleset("classic", {"deal.face_up": "natural"})
    shown = [
        [ddz.deal(rules, seed=s).face_up[0].rank for s in range(400)]
        for rules in (natural, CLASSIC)
    ]
    assert not set(shown[0]) & set("XD")
    assert set(shown[1]) & set("XD")


def test_seats_and_bottom_get_each_card_equally_often() -> None:
    """Over 6,000 deals each place gets each rank as often as chance says, within five errors."""
    rules = ddz.load_ruleset("wuhan")
    counts = Counter()
    for seed in range(6000):
        deal = ddz.deal(rules, seed=seed)
        for place, part in enumerate([*deal.hands, deal.bottom]):
            counts.update((place, card) for card in part)
    for place, share in enumerate([17 / 54, 17 / 54, 17 / 54, 3 / 54]):
        error = (6000 * share * (1 - share)) ** 0.5
        for card in dealing.pack_of(rules):
            assert abs(counts[place, card] - 6000 * share) < 5 * error


@pytest.mark.parametrize(
    ("facts", "field"),
    [
        ({"first": 3}, "first"),
        ({"face_up": "♠3♠4"}, "face_up"),
        ({"face_up": "1"}, "cards"),
        ({"wild": "4"}, "wild"),
        ({"seed": -1}, "seed"),
    ],
)
def test_facts_beside_the_cards_are_checked(facts: dict[str, object], field: str) -> None:
    """What a deal says beside its cards must be possible too."""
    text = ddz.deal(CLASSIC, seed=3).text()
    error = refused(ddz.DdzError, lambda: ddz.deal_from_text(CLASSIC, text, **facts))
    assert field in (error.field, "cards")


@given(st.text(alphabet="3456789TJQKA2XD*♠♥/| ,10小王=x", max_size=200))
@settings(max_examples=300)
def test_any_text_is_a_deal_or_refused(text: str) -> None:
    """Whatever is typed as a deal ends in an error of the family."""
    refused(ddz.DdzError, lambda: ddz.deal_from_text(CLASSIC, text))


@given(st.integers(0, 10**6))
def test_known_cards_leave_first(seed: int) -> None:
    """Of equal cards the known ones leave first and the shown card after them."""
    rng = random.Random(seed)
    pack = list(dealing.pack_of(CLASSIC))
    held = tuple(sorted(rng.sample(pack, 20)))
    known = rng.sample(held, 3)
    shown = rng.choice(held)
    part = sum(1 << 4 * card.lane for card in rng.sample(held, rng.randint(1, 10)))
    kept, gone = dealing.parted(held, part, known, shown)
    assert sorted([*kept, *gone]) == list(held)
    assert sum(1 << 4 * card.lane for card in gone) == part
    for card in kept:
        same = [other for other in gone if other.lane == card.lane]
        if card in known or card == shown:
            assert all(other in known for other in same)


def test_readable_cards_are_packed_as_dealt() -> None:
    """A deal's hands, packed, are the cards its text says."""
    deal = ddz.deal(CLASSIC, seed=11)
    for hand, text in zip(deal.hands, deal.text().split("|")[0].split("/"), strict=True):
        assert parse_cards(text) == sum(1 << 4 * card.lane for card in hand)


def test_rules_by_name_are_refused_by_field() -> None:
    """Where rules are expected, an id is refused with the name of the argument."""
    with pytest.raises(DdzError) as refused:
        ddz.position(["345", "678"], rules="classic")
    assert refused.value.field == "rules"
