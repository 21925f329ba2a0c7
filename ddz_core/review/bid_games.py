"""Bids of games that the fast bidding simulation cannot play, tried on deals around the hand.

Layer 3. The other cards are dealt at random, rule bots bid from the first call on, and deals in
which they make other calls than those seen are not used. Where the hand is asked, every call is
tried on the same deal: the bots bid on, and the kernel plays the cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ddz_core.bidding_games import Games
from ddz_core.bots.rule import RuleBot
from ddz_core.errors import DdzError
from ddz_core.game import Game, new_game
from ddz_core.observation import observe
from ddz_core.review.trial import Room, Settler, Worth, tried
from ddz_core.review.worlds import one_world

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.review.worlds import Worlds

TRIES = 12
"""Deals drawn for one that is used, at most."""

_BOT = RuleBot()
_HALF = 0.5


class Rooms:
    """Rooms by the rules of the play, which may differ by the wild rank drawn."""

    def __init__(self) -> None:
        self._rooms: dict[str, Room] = {}

    def of(self, game: Game) -> Room:
        """Return the room for the play of a game."""
        rules = game.play_rules
        if rules.hash not in self._rooms:
            self._rooms[rules.hash] = Room(rules)
        return self._rooms[rules.hash]


def worth_of_calls(
    rooms: Rooms, before: Game, calls: tuple[str, ...], deals: int, seed: int
) -> dict[str, Worth] | None:
    """Return what every call open brings on the same deals; None where too few deals fit.

    Args:
        rooms: the kernels.
        before: the game where the seat is asked.
        calls: those made before, the first speaker's first.
        deals: wanted.
        seed: of the deals.
    """
    seat = before.to_act
    assert seat is not None
    order = (seat - before.first) % before.seats
    made: dict[str, list[tuple[float, float]]] = {word: [] for word in before.options}
    games = Games(before.ruleset, before.hands[seat], order, calls, tuple(made), seed=seed)
    for number in range(deals * TRIES):
        if len(made[before.options[0]]) >= deals:
            break
        asked = _asked(games, number, order, calls)
        if asked is None or asked.options != before.options:
            continue
        for word, rows in made.items():
            lead = lead_of(asked.apply(word))
            found = played(rooms, lead, 1, order, seed + number)
            if found is None:
                return None
            rows.append((float(found.won[0]), float(found.points[0])))
    if len(made[before.options[0]]) < max(4, deals // 2):
        return None
    tables = {word: np.array(rows) for word, rows in made.items()}
    return {word: Worth(rows[:, 0], rows[:, 1]) for word, rows in tables.items()}


def lead_of(game: Game) -> Game:
    """Return a game after rule bots have bid and answered everything."""
    while game.phase != "play" and game.to_act is not None:
        game = game.apply(_BOT.choose(observe(game, game.to_act)))
    return game


def _asked(games: Games, number: int, order: int, calls: tuple[str, ...]) -> Game | None:
    """Return a game where the hand is asked after these calls, None if bots call otherwise."""
    try:
        game = new_game(games.ruleset, games.deal(number))
    except (DdzError, ValueError):
        return None
    said = 0
    while game.phase in ("deal", "auction") and game.to_act is not None:
        if game.phase == "auction" and said == len(calls):
            return game if game.to_act == order else None
        choice = str(_BOT.choose(observe(game, game.to_act)))
        if game.phase == "auction":
            if game.to_act == order:
                choice = calls[said]  # the hand itself called so before
                if not game.can(choice):
                    return None
            elif choice != calls[said]:
                return None
            said += 1
        game = game.apply(choice)
    return None


def played(rooms: Rooms, lead: Game, number: int, seat: int, seed: int) -> Worth | None:
    """Return what open hands bring a seat; see :func:`played_in`."""
    return played_in(rooms, lead, one_world(lead.hands, lead.landlords, number), seat, seed)


def played_in(rooms: Rooms, lead: Game, worlds: Worlds, seat: int, seed: int) -> Worth | None:
    """Play a deal from its lead, once in each world; None where it cannot be settled.

    A deal without play is worth what it pays; where there is no landlord nobody has won.
    """
    if lead.phase != "play":
        if lead.ledger is None:
            return None
        paid: NDArray[np.float64] = np.full(len(worlds), float(lead.ledger.points[seat]))
        won = _HALF
        if lead.landlords:
            won = float((lead.outcome == "landlords") == (seat in lead.landlords))
        return Worth(np.full(len(worlds), won), paid)
    found = tried(rooms.of(lead), lead, worlds, None, seat=seat, seed=seed)
    points = Settler(lead).points(found, 0, seat)
    if points is None:
        return None
    return Worth(found.won[:, 0].astype(np.float64), points)
