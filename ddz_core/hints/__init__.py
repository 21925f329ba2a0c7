"""Hints in four rungs: what is legal, candidates, reasons, the rule bot's answer.

Layer 3. Everything is counted from one seat's observation, nothing is sampled, and only cards in
the own hand, cards seen and numbers of unseen cards are named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core.bots import refuse_turn
from ddz_core.bots.match import forced
from ddz_core.dealing import deal
from ddz_core.game import new_game
from ddz_core.hints import bidding, play
from ddz_core.hints.facts import Outside
from ddz_core.hints.ladder import Candidate, Ladder, Row, Rung
from ddz_core.observation import observe
from ddz_core.rules import load_ruleset

if TYPE_CHECKING:
    from ddz_core.observation import Observation

__all__ = ["Candidate", "Ladder", "Outside", "Row", "Rung", "hints", "warm"]


def hints(obs: Observation) -> Ladder:
    """Return the hint ladder for the decision that a seat has to take.

    Equal observations give equal ladders: cards hidden from the seat change nothing.

    Args:
        obs: the seat's observation; it must be to act.

    Raises:
        DdzError: if the seat is not to act.
    Cost: a few milliseconds.
    """
    if obs.to_act != obs.seat:
        raise refuse_turn(obs.seat, obs.to_act)
    return play.ladder(obs) if obs.phase == "play" else bidding.ladder(obs)


def warm() -> None:
    """Compile what bots and hints need, or load it from numba's cache, by asking for hints once.

    Cost: some 20 s when nothing is cached, under a second otherwise; any thread may do it.
    """
    rules = load_ruleset("classic")
    game = new_game(rules, deal(rules, seed=0))
    for one in (game, forced(game, 0)):
        if one.to_act is not None:
            hints(observe(one, one.to_act))
