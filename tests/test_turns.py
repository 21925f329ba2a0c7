"""The fewest plays that get rid of a hand, against trying everything."""

from __future__ import annotations

import random

import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import Options
from strategies import KICKER_OPTIONS, any_hand, counted_hands, overrides_of

import ddz_core as ddz


def found_splits(hand: str, rules: ddz.Rules) -> tuple[int, set[tuple[str, ...]], bool]:
    """What the package says: number of plays, all splits, and whether the list was cut."""
    turns = ddz.turns(hand, rules, limit=100_000)
    assert hand == turns.cards
    assert all(len(split) == turns.turns for split in turns.splits)
    named = [tuple(sorted(str(move) for move in split)) for split in turns.splits]
    assert len(named) == len(set(named)), "a split comes twice"
    return turns.turns, set(named), turns.cut


@given(counted_hands(1, 12))
@settings(max_examples=60, deadline=None)
def test_fewest_plays_and_every_split(hand: str) -> None:
    """The number of plays and the set of splits are those of trying everything."""
    expected = oracle.splits(hand)
    turns, found, cut = found_splits(hand, ddz.load_ruleset("classic"))
    assert not cut
    assert {len(split) for split in expected} == {turns}
    assert expected == found


@given(counted_hands(4, 11), KICKER_OPTIONS, st.frozensets(st.sampled_from(oracle.KINDS[1:])))
@settings(max_examples=40, deadline=None)
def test_fewest_plays_under_any_options(hand: str, kickers: dict, off: frozenset[str]) -> None:
    """Whatever the kickers may be and whichever kinds are off, the splits are the oracle's."""
    options = Options(off=off, **kickers)
    rules = ddz.load_ruleset("classic", overrides_of(options))
    assert oracle.splits(hand, options) == found_splits(hand, rules)[1]


@pytest.mark.parametrize("seed", range(12))
def test_fewest_plays_of_lumpy_hands(seed: int) -> None:
    """Hands of triples and fours, where kickers matter most, part as the oracle parts them."""
    rng = random.Random(seed)
    hand = any_hand(rng, rng.randint(9, 13))
    assert oracle.splits(hand) == found_splits(hand, ddz.load_ruleset("classic"))[1]


def test_a_split_uses_every_card_and_only_legal_plays() -> None:
    """Of whole hands of 17 and 20 cards every split adds up to the hand and is legal."""
    rng = random.Random(5)
    rules = ddz.load_ruleset("jinyou")
    for _ in range(40):
        hand = any_hand(rng, rng.choice((17, 20)))
        turns = ddz.turns(hand, rules, limit=200)
        for split in turns.splits[:50]:
            cards = "".join(str(move) for move in split)
            assert hand == ddz.format_cards(ddz.parse_cards(cards))
            assert all(rules.readings(str(move)) for move in split)


def test_reported_examples_of_the_design() -> None:
    """The hand of the design's example goes in two plays."""
    assert 2 == ddz.turns("33445566789TJQ", ddz.load_ruleset("classic")).turns
