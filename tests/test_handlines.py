"""Hands typed on one line: where one ends and the next begins."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz_core import handlines

RANKS = "3456789TJQKA2XD"


@pytest.mark.parametrize(
    ("typed", "hands"),
    [
        ("KK5543 / 225543", ("KK5543", "225543")),
        ("KK5543/225543", ("KK5543", "225543")),
        ("KK5543\uff0f225543", ("KK5543", "225543")),
        ("KK5543 | 225543 | 3", ("KK5543", "225543", "3")),
        ("KK5543, 225543", ("KK5543", "225543")),
        ("KK5543\uff0c225543\u30014", ("KK5543", "225543", "4")),
        ("KK5543 225543", ("KK5543", "225543")),
        ("KK5543\n225543\n34", ("KK5543", "225543", "34")),
        ("K K 5 5 4 3 / 2 2 5 5 4 3", ("K K 5 5 4 3", "2 2 5 5 4 3")),
        ("K, K, 5 / 2, 2", ("K, K, 5", "2, 2")),
        ("3 4 5", ("3 4 5",)),
        ("3,4,5,6,7", ("3,4,5,6,7",)),
        ("10 J Q K A", ("10 J Q K A",)),
        ("地主：KK5543 / 农民: 225543", ("KK5543", "225543")),
        ("KK5543 /", ("KK5543",)),
        ("", ()),
        (" / / ", ()),
    ],
)
def test_hands_stand_apart_as_people_write_them(typed: str, hands: tuple[str, ...]) -> None:
    """Strong separators win over commas, commas over spaces, and loose cards are one hand."""
    assert handlines.read_hands(typed, 3) == hands


@given(st.lists(st.text(RANKS, min_size=1, max_size=20), min_size=1, max_size=5))
def test_written_hands_are_read_the_same(hands: list[str]) -> None:
    """What is written here comes back hand for hand, except a lone one, which may be parted."""
    line = handlines.written(hands)
    read = handlines.read_hands(line, 5)
    assert read == tuple(hands) if len(hands) > 1 else "".join(read) == hands[0]


@given(st.text(max_size=900))
def test_any_text_gives_pieces_without_separators(text: str) -> None:
    """Nothing that a visitor types breaks the reading, and no piece is empty."""
    for piece in handlines.read_hands(text, 3):
        assert piece.strip()
        assert not set(piece) & set("/|;\n")
