"""Cards, ranks and packed hands: the one encoding and the one notation of the project.

Layer 0. A hand is one unsigned 64-bit integer of sixteen 4-bit lanes: lanes 0-14 count the ranks
``3…A 2 X D``, lane 15 the *marked* cards of the game (wilds that differ from their rank, or the
twin of a face-up card). Adding and removing cards is integer addition and subtraction, provided
:func:`contains` was asked first. Outside the core a hand is text. Suits exist only on a physical
:class:`Card`, which a deal deals; they never decide a play.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from ddz_core.display import Drawn
from ddz_core.errors import HandError, NotationError

Hand: TypeAlias = int
"""A multiset of cards packed in sixteen four-bit lanes."""

RANKS = "3456789TJQKA2XD"
"""The fifteen ranks, low to high; the position of a rank is its lane."""

SMALL_JOKER, BIG_JOKER, MARKED = 13, 14, 15
LANES = 16
LANE = {rank: lane for lane, rank in enumerate(RANKS)} | {"*": MARKED}
SUITS = "♠♥♣♦"
MOST_EQUAL = 8
"""More cards of one rank than any game has: two decks."""

_EVEN = 0x0F0F0F0F0F0F0F0F
_GUARD = 0x1010101010101010
_SEPARATORS = frozenset(" \t\r\n,;，、；·+|/-_")
_SUIT_SIGNS = frozenset("♠♥♣♦♤♡♧♢\ufe0e\ufe0f")
_ALIASES = {**{c: c for c in RANKS}, "*": "*", "B": "X", "R": "D"}
_WORDS = {"10": "T", "小王": "X", "大王": "D"}
_OUTPUT = "34567*89TJQKA2XD"


@dataclass(frozen=True, slots=True, order=True)
class Card(Drawn):
    """One physical card.

    Attributes:
        lane: its rank as a lane, 0-14; 15 for a red seven in a game where these are wild.
        suit: 0-3 in the order ``♠♥♣♦``; a joker has suit 0.
        copy: which deck it comes from, from 0.
    """

    lane: int
    suit: int = 0
    copy: int = 0

    @property
    def rank(self) -> str:
        """The rank character, ``*`` for a marked card."""
        return "*" if self.lane == MARKED else RANKS[self.lane]

    def __str__(self) -> str:
        """Return the card as text, the suit before the rank; a joker has none."""
        if self.lane in (SMALL_JOKER, BIG_JOKER):
            return self.rank
        return SUITS[self.suit] + self.rank


def parse_cards(text: str | Hand) -> Hand:
    """Read cards typed by a person or written by the core into a packed hand.

    Ranks may come in any order and case, as full-width characters, with ``10`` for ``T``, ``小王``
    and ``大王`` (or ``B`` and ``R``) for the jokers, with suit signs (ignored) and with spaces,
    commas or ``+`` between them. An integer is taken as a hand already packed.

    Raises:
        NotationError: at the first character that is no card; it names character and place.
        HandError: if a rank comes more often than two decks hold.

    >>> format_cards(parse_cards("10 j Q k a"))
    'TJQKA'
    """
    if isinstance(text, int):
        return text
    folded = _folded(text)
    hand = 0
    at = 0
    while at < len(folded):
        character, place = folded[at]
        two = character + (folded[at + 1][0] if at + 1 < len(folded) else "")
        if character in _SEPARATORS or character in _SUIT_SIGNS:
            at += 1
            continue
        rank = _WORDS.get(two)
        at += 2 if rank else 1
        rank = rank or _ALIASES.get(character)
        if rank is None:
            raise NotationError(
                f"{text[place]!r} at place {place + 1} is no card; "
                f"cards are {RANKS}, 10, 小王, 大王",
                key="error.cards.character",
                field="cards",
                expected=RANKS,
                got=text[place],
                place=place + 1,
            )
        lane = LANE[rank]
        if (hand >> 4 * lane) & 15 >= MOST_EQUAL:
            raise HandError(
                f"more than {MOST_EQUAL} cards of rank {rank}: no game has that many",
                key="error.cards.too_many",
                field="cards",
                expected=MOST_EQUAL,
                got=MOST_EQUAL + 1,
                rank=rank,
            )
        hand += 1 << 4 * lane
    return hand


def _folded(text: str) -> list[tuple[str, int]]:
    """Return the characters in compatible, upper-case form, each with its place in the text."""
    return [
        (c, place)
        for place, original in enumerate(text)
        for c in unicodedata.normalize("NFKC", original).upper()
    ]


def format_cards(hand: Hand) -> str:
    """Return the hand as text, low to high, a marked card (``*``) after the sevens."""
    return "".join(c * ((hand >> 4 * LANE[c]) & 15) for c in _OUTPUT)


def counts_of(hand: Hand) -> tuple[int, ...]:
    """Return the sixteen lane counts of a hand."""
    return tuple((hand >> shift) & 15 for shift in range(0, 64, 4))


def from_counts(counts: Iterable[int]) -> Hand:
    """Pack up to sixteen lane counts (each 0-15) into a hand."""
    return sum(count << 4 * lane for lane, count in enumerate(counts))


def from_cards(cards: Iterable[Card]) -> Hand:
    """Pack physical cards into a hand; suits are forgotten."""
    return sum(1 << 4 * card.lane for card in cards)


def size_of(hand: Hand) -> int:
    """Return the number of cards of a hand."""
    pairs = (hand & _EVEN) + ((hand >> 4) & _EVEN)
    return (pairs * 0x0101010101010101 >> 56) & 0xFF


def contains(hand: Hand, part: Hand) -> bool:
    """Tell whether every card of ``part`` is in ``hand``; right up to fifteen of a rank.

    Even and odd lanes are compared apart, so that each has a free guard nibble: a single
    subtraction would let a count of eight fill the guard bit.
    """
    even = ((hand & _EVEN) | _GUARD) - (part & _EVEN)
    odd = (((hand >> 4) & _EVEN) | _GUARD) - ((part >> 4) & _EVEN)
    return even & _GUARD == _GUARD and odd & _GUARD == _GUARD


def full_deck(decks: int, ranks: str) -> Hand:
    """Return all cards of ``decks`` packs that hold these ranks: four of each, one of a joker."""
    return sum(decks * (1 if c in "XD" else 4) << 4 * LANE[c] for c in ranks)
