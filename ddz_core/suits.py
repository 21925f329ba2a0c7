"""Suits in the text of a deal: ``♠9`` is a card, ``9`` any of its rank.

Layer 1, under :mod:`ddz_core.dealing`, the only module that deals with suits.
"""

from __future__ import annotations

import re

from ddz_core import cards
from ddz_core.errors import NotationError
from ddz_core.specs import Ruleset


def read_suits(part: str) -> list[tuple[int, int | None]]:
    """Return lane and suit (None where there is none) of each card of a readable text."""
    signs = {sign: suit for suit, sign in enumerate(cards.SUITS)}
    signs |= {sign: suit for suit, sign in enumerate("♤♡♧♢")}
    found: list[tuple[int, int | None]] = []
    waiting: int | None = None
    chunk = ""
    for character in part + " ":
        if character in signs or not (character.isalnum() or character == "*"):
            for position, card in enumerate(_lanes(chunk)):
                found.append((card, waiting if position == 0 else None))
                waiting = None if position == 0 else waiting
            chunk = ""
            waiting = signs.get(character, waiting)
        else:
            chunk += character
    if waiting is not None:
        raise NotationError(
            f"a suit stands before no rank: {part!r}",
            key="error.deal.suit",
            field="deal",
            expected="♠9",
            got=part,
        )
    return found


def _lanes(chunk: str) -> list[int]:
    """Return the lanes of a piece of text in its own order."""
    before: cards.Hand = 0
    lanes = []
    for end in range(1, len(chunk) + 1):
        try:
            packed = cards.parse_cards(chunk[:end])
        except NotationError:  # half of a word such as 小王 or of 10
            continue
        if packed != before:
            lanes.append(((packed - before).bit_length() - 1) // 4)
            before = packed
    return lanes


def told_face_up(
    ruleset: Ruleset,
    text: str | None,
    parts: list[list[tuple[int, int | None]]],
) -> tuple[tuple[str, tuple[int, int] | None], int | None]:
    """Return rank, lane and suit of the card shown, and the seat told with it, if any.

    A card without a suit at the seat told becomes the card shown.
    """
    card, _, seat_text = (text or "").partition("@")
    if not card or ruleset.deal.face_up == "none":
        return ("*", None), None
    read = read_suits(card)
    if len(read) != 1 or read[0][0] == cards.MARKED:
        return ("*", None), None
    lane, suit = read[0][0], read[0][1] or 0
    seat = int(seat_text) if re.fullmatch(r"[0-9]", seat_text) else None
    if seat is not None and seat < ruleset.deal.seats and (lane, suit) not in parts[seat]:
        plain = next((i for i, one in enumerate(parts[seat]) if one == (lane, None)), None)
        if plain is not None:
            parts[seat][plain] = (lane, suit)
    marked = (lane, suit) if ruleset.sides == "twin" else None
    return (cards.RANKS[lane] if marked else "*", marked), seat
