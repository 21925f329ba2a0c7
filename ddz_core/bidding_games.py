"""Whole games around one known hand: what each of its calls leads to, where no kernel plays them.

Layer 3, under :mod:`ddz_core.bidding`. The rest of the cards is dealt at random; every other seat
is the rule bot, from the first call to the ledger. Where the hand is asked for the first time the
game branches: each call open there is played on the same deal, the rule bot going on for all seats,
the own one too. It covers every game that has a bidding, some hundred games a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import auction, cards
from ddz_core.bidding_deals import kernel_lacks
from ddz_core.bots.rule import RuleBot
from ddz_core.dealing import Deal, drawn_cards, drawn_wild, pack_of
from ddz_core.errors import DdzError
from ddz_core.game import Game, new_game
from ddz_core.observation import observe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ddz_core.cards import Card
    from ddz_core.specs import Ruleset

GAME_DEALS = 200
"""Deals of a report that is made of whole games, unless told otherwise: some seconds."""

GAME_CHUNK = 4
"""Deals between two running reports of whole games: some 0.1 to 0.3 s."""


@dataclass(frozen=True)
class Played:
    """Deals and what came of every call on them.

    Attributes:
        calls: the calls, in the order of the columns.
        deals: deals drawn, those in which the hand is not asked after the calls before included.
        points: of every seat, the own first (deals used × calls × seats).
        landlord: whether the own seat ended on the landlord's side (deals used × calls).
        won: 1 where the own side won, 0 where it lost, one half where nobody did (same shape).
    """

    calls: tuple[str, ...]
    deals: int
    points: NDArray[np.float64]
    landlord: NDArray[np.bool_]
    won: NDArray[np.float64]

    @property
    def used(self) -> int:
        """The number of deals in which the hand is asked after the calls before."""
        return len(self.points)

    def role(self, *, landlord: bool) -> NDArray[np.float64]:
        """Return wins of the own seat in one role, one a deal in which any call led to it.

        As landlord the last such call of a deal counts, as farmer the one nearest to a refusal.
        """
        fits = self.landlord if landlord else ~self.landlord & (self.won != 0.5)
        order = list(range(len(self.calls)))
        refusal = next((i for i, c in enumerate(self.calls) if c in REFUSALS), 0)
        order.sort(key=lambda i: (i == refusal, -i) if landlord else (i != refusal, i))
        rows = [
            next((wins[i] for i in order if fit[i]), None)
            for fit, wins in zip(fits, self.won, strict=True)
        ]
        return np.array([one for one in rows if one is not None], dtype=np.float64)


REFUSALS = (auction.PASS, "cede")
"""Calls that leave the bottom to the others."""


class Games:
    """Deals and plays whole games around a hand.

    Attributes:
        played: what came of all deals so far.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        hand: cards.Hand,
        seat: int,
        before: Sequence[str],
        calls: Sequence[str],
        *,
        seed: int,
        bottom: cards.Hand = 0,
    ) -> None:
        """Prepare the games.

        Args:
            ruleset: the game.
            hand: packed cards of the own seat, as many as are dealt.
            seat: the order of speaking, 0 first.
            before: the calls before; deals in which the rule bot makes others are not used.
            calls: the calls that are open then.
            seed: of the deals; deal ``n`` is the same however many are asked for at once.
            bottom: bottom cards that are known.
        """
        self.ruleset, self.hand, self.seat, self.bottom = ruleset, hand, seat, bottom
        self.before, self.seed = tuple(before), seed
        seats, number = ruleset.deal.seats, len(calls)
        self.bot = RuleBot()
        self.played = Played(
            tuple(calls),
            0,
            np.zeros((0, number, seats)),
            np.zeros((0, number), dtype=np.bool_),
            np.zeros((0, number)),
        )

    def more(self, deals: int) -> Played:
        """Deal and play more; it is added to :attr:`played`, which is returned."""
        old = self.played
        starts = [self._asked(self.deal(old.deals + i)) for i in range(deals)]
        ends = [
            [self._finished(game.apply(call)) for call in old.calls]
            for game in starts
            if game is not None
        ]
        rows = [[self._told(game) for game in row] for row in ends]
        points = [[self._points(game) for game in row] for row in ends]
        shape = (len(rows), len(old.calls))
        told = np.array(rows, dtype=np.float64).reshape(*shape, 2)
        gained = np.array(points, dtype=np.float64).reshape(*shape, self.ruleset.deal.seats)
        self.played = Played(
            old.calls,
            old.deals + deals,
            np.concatenate([old.points, gained]),
            np.concatenate([old.landlord, told[..., 0] > 0]),
            np.concatenate([old.won, told[..., 1]]),
        )
        return self.played

    def deal(self, number: int) -> Deal:
        """Return a deal in which the own seat holds the hand; seat 0 speaks first."""
        ruleset, spec = self.ruleset, self.ruleset.deal
        rng = np.random.Generator(
            np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=(number,)))
        )
        pack = pack_of(ruleset)
        own, rest = _picked([pack[i] for i in rng.permutation(len(pack))], self.hand)
        bottom, rest = _picked(rest, self.bottom)
        hands = []
        for seat in range(spec.seats):
            part = own if seat == self.seat else rest[: spec.hand]
            rest = rest if seat == self.seat else rest[spec.hand :]
            hands.append(tuple(sorted(part)))
        short = spec.bottom - len(bottom)
        face_up = None
        if spec.face_up != "none":
            holders = (0,) if ruleset.auction.first == "face_up" else range(spec.seats)
            places = [
                (card, seat)
                for seat in holders
                for card in hands[seat]
                if spec.face_up == "any" or card.lane < cards.SMALL_JOKER
            ]
            face_up = places[int(rng.integers(len(places)))]
        return Deal(
            hands=tuple(hands),
            bottom=tuple(sorted([*bottom, *rest[:short]])),
            dead=tuple(sorted(rest[short:])),
            first=0,
            face_up=face_up,
            wild=drawn_wild(ruleset, rng),
            draws=drawn_cards(ruleset, rng, hands),
        )

    def _asked(self, deal: Deal) -> Game | None:
        """Return the game where the own seat is asked, None if other calls come before that."""
        game = new_game(self.ruleset, deal)
        made = 0
        while game.phase in ("deal", "auction") and game.to_act is not None:
            if game.phase == "auction" and game.to_act == self.seat:
                return game if made == len(self.before) else None
            choice = self.bot.choose(observe(game, game.to_act))
            if game.phase == "auction":
                if made >= len(self.before) or choice != self.before[made]:
                    return None
                made += 1
            game = game.apply(choice)
        return None

    def _finished(self, game: Game) -> Game:
        while game.to_act is not None:
            game = game.apply(self.bot.choose(observe(game, game.to_act)))
        return game

    def _points(self, game: Game) -> list[int]:
        """Return the points of every seat, the own first; a deal thrown in pays nothing."""
        seats = self.ruleset.deal.seats
        if game.ledger is None:
            return [0] * seats
        return [game.ledger.points[(self.seat + i) % seats] for i in range(seats)]

    def _told(self, game: Game) -> tuple[bool, float]:
        """Return whether the own seat was landlord, and what its side won."""
        boss = self.seat in game.landlords
        if game.landlords:
            return boss, float((game.outcome == "landlords") == boss)
        return False, 0.5 + 0.5 * float(np.sign(self._points(game)[0]))


def _picked(pile: Sequence[Card], wanted: cards.Hand) -> tuple[list[Card], list[Card]]:
    """Return the first cards of a shuffled pile that make up packed cards, and the others."""
    need = list(cards.counts_of(wanted))
    taken: list[Card] = []
    left: list[Card] = []
    for card in pile:
        if need[card.lane]:
            need[card.lane] -= 1
            taken.append(card)
        else:
            left.append(card)
    return taken, left


def check_game(ruleset: Ruleset) -> None:
    """Refuse a game in which nobody is asked whether to take the bottom.

    Raises:
        DdzError: if the landlord is found without a call.
    """
    if not kernel_lacks(ruleset):
        return
    try:
        asked = auction.bidding(ruleset, []).status == "ask"
    except DdzError:
        asked = False
    if not asked:
        raise DdzError(
            f"rules: hands of {ruleset.id} cannot be judged before the bidding: nobody is asked",
            key="error.bid.auction",
            field="rules",
            expected="",
            got=ruleset.id,
        )


def seats_asked(ruleset: Ruleset) -> tuple[int, ...]:
    """Return the places in the order of speaking that can be asked at all."""
    return tuple(seat for seat in range(ruleset.deal.seats) if calls_before(ruleset, seat))


def calls_before(ruleset: Ruleset, seat: int) -> list[tuple[str, ...]]:
    """Return the calls that may be made before a seat is asked first, all refusals first."""
    found: list[tuple[str, ...]] = [()]
    for _ in range(seat):
        grown = []
        for calls in found:
            words = now.legal if (now := stands(ruleset, calls)) else ()
            grown += [
                (*calls, word) for word in sorted(words, key=lambda word: word not in REFUSALS)
            ]
        found = grown
    return [calls for calls in found if (now := stands(ruleset, calls)) and now.seat == seat]


def stands(
    ruleset: Ruleset, calls: Sequence[str], hands: dict[int, cards.Hand] | None = None
) -> auction.Bidding | None:
    """Return the question that a bidding has come to; None if it asks nobody any more.

    Args:
        ruleset: the game.
        calls: all legal.
        hands: packed hands that are known; they decide which bids are forced.
    """
    try:
        now = auction.bidding(ruleset, calls, hands=hands or {})
    except DdzError as error:
        if error.key != "error.auction.untold":
            raise
        return None  # cards that nobody knows decide, not a call
    return now if now.status == "ask" else None
