"""The card field: typed and tapped show the same, and nothing that was typed is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz_core import cards
from ddz_core.rules import load_ruleset
from pages._kit import inputs

CLASSIC = load_ruleset("classic")
RANKS = "3456789TJQKA2XD"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("10 j Q k a", "TJQKA"),
        ("１０ＪＱＫＡ", "TJQKA"),
        ("3,3 4 4", "3344"),
        ("小王 大王", "XD"),
        ("dx", "XD"),
        ("", ""),
        ("44333", "33344"),
    ],
)
def test_what_people_type_is_read(typed: str, read: str) -> None:
    """Any order, case, width and separator gives the cards, low to high."""
    entry = inputs.read(CLASSIC, typed)
    assert (entry.cards, entry.error, entry.typed) == (read, None, typed)
    assert entry.size == len(read)


@pytest.mark.parametrize(
    ("typed", "key", "value"),
    [
        ("3З4", "got", "З"),
        ("1", "got", "1"),
        ("33333", "rank", "3"),
        ("XXD", "rank", "X"),
        ("3" * 20, "rank", "3"),
    ],
)
def test_what_cannot_be_names_the_trouble(typed: str, key: str, value: str) -> None:
    """A character that is no card, or a card too many, is named; the text stays as it is."""
    entry = inputs.read(CLASSIC, typed)
    assert entry.cards == ""
    assert entry.typed == typed
    assert entry.error is not None
    assert entry.error.params[key] == value


def test_cards_that_lie_elsewhere_are_counted() -> None:
    """Two fields together cannot hold more than the deck."""
    assert inputs.read(CLASSIC, "33", taken="33").error is None
    error = inputs.read(CLASSIC, "333", taken="33").error
    assert error is not None
    assert error.params["rank"] == "3"


@given(st.sampled_from(RANKS), st.lists(st.sampled_from(RANKS), max_size=8))
def test_taps_go_round(rank: str, others: list[str]) -> None:
    """Tapping a rank adds copies up to the deck's, then takes all away, and leaves the others."""
    typed = ""
    for other in dict.fromkeys(others):
        if other != rank:
            typed = inputs.tapped(CLASSIC, typed, other)
    start = typed
    most = cards.counts_of(CLASSIC.ruleset.deck_cards)[cards.LANE[rank]]
    for count in range(1, most + 1):
        typed = inputs.tapped(CLASSIC, typed, rank)
        assert typed.count(rank) == count
    assert inputs.tapped(CLASSIC, typed, rank) == start


def test_a_tap_keeps_what_cannot_be_read() -> None:
    """Beside a character that is no card the tapped card is added and nothing is removed."""
    assert inputs.tapped(CLASSIC, "33?4", "5") == "33?45"
