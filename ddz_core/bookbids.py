"""Bidding by the book: the point count and the rules of thumb of the encyclopedia entry.

Layer 3, under :mod:`ddz_core.bidding`. Both are claims (document 000), told here so exactly that a
machine can judge them; what the text leaves open is decided in one place and said in
:class:`Thumb`. Nothing here says how good a hand is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ddz_core import cards
from ddz_core.bots.rule import POINTS, bombs_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.specs import Ruleset

ENOUGH = 7
"""Points from which on the book bids."""

RULES = ("bomb", "big_joker", "three_twos")
"""The rules of thumb in the order of the text."""

_TWO, _ACE = cards.LANE["2"], cards.LANE["A"]


class Thumb(NamedTuple):
    """One rule of thumb and what it says of a hand.

    Attributes:
        rule: ``bomb`` (a bomb or rocket is held; exception: neither joker nor 2), ``big_joker``
            (the big joker is held; exception: no 2 and many gaps) or ``three_twos`` (three 2s and
            a pair of aces; no exception). *Many gaps* are more ranks missing from the longest
            straight, 3 to A, than there are bottom cards: even the best bottom closes not all.
        met: whether the hand has what the rule asks for.
        exception: whether the exception holds, for a rule that is met.
    """

    rule: str
    met: bool
    exception: bool

    @property
    def bids(self) -> bool:
        """Whether the rule says to bid."""
        return self.met and not self.exception


def points_of(hand: cards.Hand) -> int:
    """Return the points of a hand: big joker 4, small joker 3, each 2 two, each ace one."""
    counts = cards.counts_of(hand)
    return sum(value * counts[lane] for lane, value in POINTS.items())


def gaps_of(ruleset: Ruleset, hand: cards.Hand) -> str:
    """Return the ranks that a hand lacks of the longest straight of the game, low to high."""
    counts = cards.counts_of(hand)
    chain = max(ruleset.play.orders.values(), key=len, default="")
    return "".join(rank for rank in chain if not counts[cards.LANE[rank]])


def thumbs_of(ruleset: Ruleset, hand: cards.Hand) -> tuple[Thumb, ...]:
    """Return what every rule of thumb says of a hand, in the order of :data:`RULES`."""
    counts = cards.counts_of(hand)
    twos = counts[_TWO]
    jokers = counts[cards.SMALL_JOKER] + counts[cards.BIG_JOKER]
    bomb = bombs_in(ruleset, hand) > 0
    big = counts[cards.BIG_JOKER] > 0
    gappy = len(gaps_of(ruleset, hand)) > ruleset.deal.bottom
    return (
        Thumb("bomb", bomb, bomb and not twos and not jokers),
        Thumb("big_joker", big, big and not twos and gappy),
        Thumb("three_twos", twos >= 3 and counts[_ACE] >= 2, False),
    )


def lanes_of(hands: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the cards by lane of packed hands, one axis more."""
    shifts = np.arange(0, 64, 4, dtype=np.uint64)
    return ((hands[..., None] >> shifts) & np.uint64(15)).astype(np.int64)


def points_of_all(hands: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return :func:`points_of` of many packed hands."""
    worth = np.array([POINTS.get(lane, 0) for lane in range(cards.LANES)], dtype=np.int64)
    return np.asarray(lanes_of(hands) @ worth, dtype=np.int64)


def bombs_in_all(ruleset: Ruleset, hands: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the number of bombs of many packed hands, as :func:`ddz_core.bots.rule.bombs_in`."""
    counts = lanes_of(hands)
    ladder = ruleset.ladder_in_force()
    smallest = min((step.size for step in ladder if step.size), default=99)
    found = (counts[..., : cards.SMALL_JOKER] >= smallest).sum(axis=-1)
    for step in ladder:
        for text in step.cards:
            for part in text.split("="):
                need = np.array(cards.counts_of(cards.parse_cards(part)), dtype=np.int64)
                found += (counts >= need).all(axis=-1)
    return np.asarray(found, dtype=np.int64)
