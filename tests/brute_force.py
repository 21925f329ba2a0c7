"""Best play with open hands by trying everything, in plain Python.

Nothing of the package is imported here: moves come from the slow rules of :mod:`oracle` and
:mod:`oracle_two_decks`, positions are texts, and every position is looked at once. Passes that are
forced are made like any other, and no order, bound or table of the solver's is used.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

import oracle
import oracle_two_decks
from oracle import Options, Reading


@lru_cache(maxsize=200_000)
def leads(hand: str, options: Options) -> tuple[Reading, ...]:
    """Every play of a hand of one deck."""
    return tuple(sorted(oracle.leads(hand, options)))


@lru_cache(maxsize=50_000)
def leads_of_two(hand: str, game: oracle_two_decks.Game) -> tuple[oracle_two_decks.Reading, ...]:
    """Every play of a hand of two decks."""
    return tuple(sorted(oracle_two_decks.leads(hand, game)))


@dataclass(frozen=True)
class OneDeck:
    """The moves of one deck under some options."""

    options: Options

    def leads(self, hand: str) -> tuple[Reading, ...]:
        """Every play of a hand."""
        return leads(hand, self.options)

    def beats(self, one: Reading, other: Reading) -> bool:
        """Whether one play beats another."""
        return oracle.beats(one, other)

    def is_bomb(self, one: Reading) -> bool:
        """Whether a play is a bomb."""
        return oracle.bomb_place(one)[0] > 0


@dataclass(frozen=True)
class TwoDecks:
    """The moves of a game with two decks."""

    game: oracle_two_decks.Game

    def leads(self, hand: str) -> tuple[oracle_two_decks.Reading, ...]:
        """Every play of a hand."""
        return leads_of_two(hand, self.game)

    def beats(self, one: oracle_two_decks.Reading, other: oracle_two_decks.Reading) -> bool:
        """Whether one play beats another."""
        return oracle_two_decks.beats(one, other, self.game)

    def is_bomb(self, one: oracle_two_decks.Reading) -> bool:
        """Whether a play is a bomb."""
        return oracle_two_decks.bomb_place(one, self.game) > 0


def without(hand: str, cards: str) -> str:
    """A hand after some of its cards were played."""
    return oracle.text(Counter(hand) - Counter(cards))


@dataclass
class Game:
    """Who plays with whom, under which rules, and what is counted.

    ``bomb`` is the factor of each bomb, ``spring`` and ``anti_spring`` those of a win in which the
    other side made no play, or the landlord only one; ``unit`` what the landlord's side gets.
    """

    rules: OneDeck | TwoDecks
    landlords: frozenset[int]
    bomb: int = 1
    spring: int = 1
    anti_spring: int = 1
    unit: int = 1

    def __post_init__(self) -> None:
        self.seen: dict[object, int] = {}

    def value(
        self,
        hands: tuple[str, ...],
        seat: int,
        table: Reading | None = None,
        owner: int = -1,
        own: int = 2,
        others: int = 1,
    ) -> int:
        """What the landlord's side gets from here; ``own``, ``others`` plays made, up to 2 and 1.

        Bombs made before do not count.
        """
        key = (hands, seat, table and (table.name, len(table.cards)), owner, own, others)
        if key not in self.seen:
            landlord = seat in self.landlords
            values = [
                self.after(hands, seat, move, table, owner, own, others)
                for move in self.moves(hands, seat, table)
            ]
            self.seen[key] = max(values) if landlord else min(values)
        return self.seen[key]

    def moves(
        self, hands: tuple[str, ...], seat: int, table: Reading | None
    ) -> list[Reading | None]:
        """Every action of a seat, None for a pass."""
        every = self.rules.leads(hands[seat])
        if table is None:
            return list(every)
        return [*(move for move in every if self.rules.beats(move, table)), None]

    def after(
        self,
        hands: tuple[str, ...],
        seat: int,
        move: Reading | None,
        table: Reading | None,
        owner: int,
        own: int,
        others: int,
    ) -> int:
        """What the landlord's side gets after an action."""
        following = (seat + 1) % len(hands)
        if move is None:
            if following == owner:
                return self.value(hands, following, None, -1, own, others)
            return self.value(hands, following, table, owner, own, others)
        landlord = seat in self.landlords
        own, others = (min(own + 1, 2), others) if landlord else (own, 1)
        factor = self.bomb if self.rules.is_bomb(move) else 1
        rest = without(hands[seat], move.cards)
        if not rest:
            if landlord:
                return self.unit * factor * (self.spring if not others else 1)
            return -self.unit * factor * (self.anti_spring if own == 1 else 1)
        left = (*hands[:seat], rest, *hands[seat + 1 :])
        return factor * self.value(left, following, move, seat, own, others)
