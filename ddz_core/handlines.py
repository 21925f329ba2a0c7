"""Hands typed on one line, as people write endgames down: ``KK5543 / 225543``.

Layer 2. Only where one hand ends and the next begins is decided here; what the cards are and
whether they can be is the business of :func:`ddz_core.positions.position`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ddz_core import cards
from ddz_core.errors import DdzError

LONGEST = 600
"""Characters of a line that are looked at."""

STANDARD = " / "
"""What stands between hands in a line that is written here."""

_STRONG = re.compile("[\\n\\r/|;\uff0f\uff5c\uff1b]+")
_COMMA = re.compile("[,\uff0c\u3001]+")
_SPACE = re.compile(r"\s+")
_LABEL = re.compile("^[^:\uff1a]{1,16}[:\uff1a]")


def read_hands(text: str, most: int) -> tuple[str, ...]:
    """Return the hands of a line as typed, in playing order.

    Hands stand apart by line breaks, ``/``, ``|`` or ``;``. Where there are none of those, commas
    part them, and where there are no commas either, spaces do; pieces that are all single cards,
    or that are more than there can be hands, are one hand written with room between its cards. A
    word with a colon before a hand is passed over.

    Args:
        text: anything a visitor may write.
        most: hands that the game has at most.

    Returns:
        The pieces without labels and empty ones; none for a text without cards. Their characters
        are not checked.
    """
    text = text[:LONGEST]
    parts = _parted(_STRONG, text)
    for separators in (_COMMA, _SPACE):
        if len(parts) == 1:
            found = _parted(separators, parts[0])
            if 2 <= len(found) <= most and not all(map(_is_one_card, found)):
                parts = found
    return tuple(parts)


def written(hands: Sequence[str]) -> str:
    """Return hands as one line that :func:`read_hands` reads the same."""
    return STANDARD.join(hands)


def _parted(separators: re.Pattern[str], text: str) -> list[str]:
    pieces = (_LABEL.sub("", piece.strip()).strip() for piece in separators.split(text))
    return [piece for piece in pieces if piece]


def _is_one_card(text: str) -> bool:
    try:
        return cards.size_of(cards.parse_cards(text)) == 1
    except DdzError:
        return False
