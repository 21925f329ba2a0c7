"""Random deals around one known hand, played by rule bots with every seat as landlord.

Layer 3, under :mod:`ddz_core.bidding`: the face of :mod:`ddz_core.kernels.bids`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from ddz_core import auction, cards
from ddz_core.bookbids import points_of_all
from ddz_core.bots import fits, rule
from ddz_core.errors import DdzError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ddz_core.specs import Ruleset

MOST_DEALS = 1_000_000

EVERY_SEAT = -1
"""Asks for a game with each seat as landlord."""


@dataclass(frozen=True)
class Sample:
    """Deals and their results.

    Attributes:
        hands: packed hands of the other seats, next seat first (deals × seats - 1).
        bottoms: packed bottom cards (deals).
        turns: fewest plays found for each of those hands, bombs kept whole.
        results: result with each seat as landlord, own seat first; see
            :mod:`ddz_core.kernels.bids`.
    """

    hands: NDArray[np.uint64]
    bottoms: NDArray[np.uint64]
    turns: NDArray[np.int64]
    results: NDArray[np.int64]

    @property
    def size(self) -> int:
        """The number of deals."""
        return len(self.bottoms)

    @cached_property
    def won(self) -> NDArray[np.bool_]:
        """Whether the landlord won, by deal and landlord's seat."""
        return np.asarray(self.results & 1, dtype=np.bool_)

    @cached_property
    def points(self) -> NDArray[np.int64]:
        """Points of the other hands."""
        return points_of_all(self.hands)

    @staticmethod
    def joined(samples: Sequence[Sample]) -> Sample:
        """Return samples one after the other."""
        return Sample(
            np.concatenate([one.hands for one in samples]),
            np.concatenate([one.bottoms for one in samples]),
            np.concatenate([one.turns for one in samples]),
            np.concatenate([one.results for one in samples]),
        )


class Deals:
    """Draws and plays deals around a hand; one thread at a time.

    Attributes:
        sample: what was drawn so far.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        hand: cards.Hand,
        *,
        seed: int,
        bottom: cards.Hand = 0,
        unseen: NDArray[np.uint64] | None = None,
        landlords: int = EVERY_SEAT,
        engine: rule.Engine | None = None,
    ) -> None:
        """Prepare the deals.

        Args:
            ruleset: the game.
            hand: packed cards of the own seat, as many as are dealt.
            seed: of the deals.
            bottom: bottom cards that are known.
            unseen: the other cards in another order, for deals that are to match others.
            landlords: bit s asks for the game in which seat s, counted from the own, is landlord.
            engine: kernels to use; by default new ones, so that nobody waits for them.
        """
        from ddz_core.kernels import bids

        self.ruleset, self.hand, self.seed, self.bottom = ruleset, hand, seed, bottom
        self.unseen = unseen_cards(ruleset, hand + bottom) if unseen is None else unseen
        self.landlords = landlords
        self.engine = rule.Engine(ruleset) if engine is None else engine
        self._kernel = bids.bid_deals
        self._weights = rule.weights_of(rule.fitted(ruleset))
        seats = ruleset.deal.seats
        self.sample = _empty(0, seats)

    def more(self, deals: int) -> Sample:
        """Draw and play more deals; they are added to :attr:`sample`, which is returned."""
        drawn = self._chunk(self.sample.size, deals)
        self.sample = Sample.joined([self.sample, drawn])
        return self.sample

    def _chunk(self, start: int, deals: int) -> Sample:
        spec, engine = self.ruleset.deal, self.engine
        sample = _empty(deals, spec.seats)
        with engine.lock:
            self._kernel(
                engine.table.words,
                engine.work,
                engine.plan,
                engine.space,
                engine.cache,
                self._weights,
                engine.view,
                np.uint64(self.hand),
                self.unseen,
                np.uint64(self.bottom),
                spec.bottom - cards.size_of(self.bottom),
                spec.hand,
                np.uint64(self.ruleset.deck_cards),
                np.uint64(self.seed),
                start,
                self.landlords,
                engine.moves,
                engine.codes,
                engine.scores,
                np.zeros(len(self.unseen), dtype=np.uint64),
                np.zeros(spec.seats, dtype=np.uint64),
                sample.hands,
                sample.bottoms,
                sample.turns,
                sample.results,
            )
        return sample


def _empty(deals: int, seats: int) -> Sample:
    return Sample(
        np.zeros((deals, seats - 1), dtype=np.uint64),
        np.zeros(deals, dtype=np.uint64),
        np.zeros((deals, seats - 1), dtype=np.int64),
        np.zeros((deals, seats), dtype=np.int64),
    )


def unseen_cards(ruleset: Ruleset, seen: cards.Hand) -> NDArray[np.uint64]:
    """Return every card that is not among those seen, packed one by one, low to high."""
    rest = cards.counts_of(ruleset.deck_cards - seen)
    single = np.array([1 << 4 * lane for lane in range(cards.LANES)], dtype=np.uint64)
    return np.repeat(single, rest)


def chance_of(
    ruleset: Ruleset,
    role: Literal["landlord", "farmer"],
    hands: NDArray[np.uint64],
    points: NDArray[np.int64],
    bombs: NDArray[np.int64],
    turns: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the rule bot's own estimate of a chance, as :func:`ddz_core.bots.rule.strength`."""
    fit = getattr(fits.fit_of(ruleset), role)
    line = fit[0] + fit[1] * points + fit[2] * bombs + fit[3] * turns
    wild = rule.engine_of(ruleset).wilds
    if wild:
        line = line + fit[4] * np.array(
            [[cards.size_of(int(hand) & wild) for hand in row] for row in hands]
        )
    return np.asarray(1 / (1 + np.exp(-line)), dtype=np.float64)


def check_deals(deals: object) -> int:
    """Return a number of deals that can be played.

    Raises:
        DdzError: if it is no whole number from 2 to a million.
    """
    if isinstance(deals, bool) or not isinstance(deals, int) or not 2 <= deals <= MOST_DEALS:
        raise DdzError(
            f"deals: expected a whole number from 2 to {MOST_DEALS}, got {deals!r}",
            key="error.odds.samples",
            field="deals",
            expected=f"2–{MOST_DEALS}",
            got=deals,
        )
    return deals


def kernel_lacks(ruleset: Ruleset) -> str:
    """Return what the kernel cannot play of a game, empty if it plays all of it.

    Returns:
        ``wilds``, ``bottom`` (there is none to take), ``forced`` (bids), ``limits`` (on bombs) or
        ``cede`` (the first call is no choice between passing and bidding).
    """
    if ruleset.wilds.mode != "none":
        return "wilds"
    if not ruleset.deal.bottom:
        return "bottom"
    if ruleset.auction.forced:
        return "forced"
    if ruleset.auction.bomb_limit:
        return "limits"
    try:
        now = auction.bidding(ruleset, [])
    except DdzError:
        return "cede"
    return "" if now.status == "ask" and auction.PASS in now.legal else "cede"


def check_kernel(ruleset: Ruleset) -> None:
    """Refuse a game that the kernel cannot play.

    Raises:
        DdzError: with the reason, see :func:`kernel_lacks`.
    """
    why = kernel_lacks(ruleset)
    if why:
        raise DdzError(
            f"rules: the fast simulation cannot play {ruleset.id}: {why}",
            key=f"error.bid.{why}",
            field="rules",
            expected="",
            got=ruleset.id,
        )
