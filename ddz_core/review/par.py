"""What bots make of the same deal from every seat, so that the luck of the deal can be taken off.

Layer 3. Rule bots bid and answer as they always do, then play the deal many times with the small
errors of all games played on. Over all deals the points of par have mean zero, since every deal is
as likely as the same cards with the seats changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ddz_core import estimate
from ddz_core.bots.rule import RuleBot
from ddz_core.estimate import Estimate
from ddz_core.game import Game, new_game
from ddz_core.observation import observe
from ddz_core.review.report import Par
from ddz_core.review.trial import Outcomes, Room, Settler, chance, tried
from ddz_core.review.worlds import one_world

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BOT = RuleBot()
_HALF = 0.5


def par_of(room: Room, game: Game, lead: Game, number: int, seed: int) -> tuple[Par, ...]:
    """Return par by seat; empty where the game has no result.

    Args:
        room: the kernels.
        game: the finished game.
        lead: the same game before the first lead.
        number: games played.
        seed: of them.
    """
    if game.ledger is None:
        return ()
    again = before_lead(new_game(game.rules, game.deal))
    whole = _course(room, again, number, seed) if again.phase == "play" else None
    played = _course(room, lead, number, seed + 1)
    found = []
    for seat in range(game.seats):
        result = game.ledger.points[seat]
        here = _points(played, seat, seed)
        if here is None:
            return ()
        points, win = _thrown_in(again, seat)
        if whole is not None:
            points = _points(whole, seat, seed) or points
            win = _chance(whole, seat, seed)
        found.append(Par(seat=seat, points=points, win=win, played=here, result=result))
    return tuple(found)


def before_lead(game: Game) -> Game:
    """Return a game after rule bots have bid and answered everything."""
    while game.phase != "play" and game.to_act is not None:
        game = game.apply(_BOT.choose(observe(game, game.to_act)))
    return game


def _course(room: Room, lead: Game, number: int, seed: int) -> tuple[Game, Outcomes, Settler]:
    """Play a deal many times from the first lead."""
    worlds = one_world(lead.hands, lead.landlords, number)
    seat = lead.landlords[0]
    return lead, tried(room, lead, worlds, None, seat=seat, seed=seed), Settler(lead)


def _points(course: tuple[Game, Outcomes, Settler], seat: int, seed: int) -> Estimate | None:
    """Return the mean points of a seat."""
    _, found, settler = course
    paid: NDArray[np.float64] | None = settler.points(found, 0, seat)
    if paid is None:
        return None
    total, squares = float(paid.sum()), float((paid * paid).sum())
    return estimate.mean(total, squares, len(paid), unit="points", seed=seed)


def _chance(course: tuple[Game, Outcomes, Settler], seat: int, seed: int) -> Estimate:
    """Return the chance of a seat's side."""
    lead, found, _ = course
    won = found.won[:, 0] if seat in lead.landlords else ~found.won[:, 0]
    return chance(won, found.effective, seed)


def _thrown_in(game: Game, seat: int) -> tuple[Estimate, Estimate]:
    """Return what a deal that bots do not play is worth: what it pays, and half a win."""
    paid = 0 if game.ledger is None else game.ledger.points[seat]
    return estimate.exact(float(paid), "points"), estimate.exact(_HALF)
