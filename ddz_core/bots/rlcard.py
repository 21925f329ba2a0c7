"""RLCard's rule agent at our tables: a peer to measure against, where its package is installed.

Layer 3. The agent is asked through the raw state that RLCard's own game would give it: the same
lists in the same order, made by RLCard's functions. It knows no bidding, so bids and declarations
are the least that may be said. Whatever it names that is not legal under the rules in force becomes
a pass, or the lowest lead; under :data:`RULES` its legal plays are ours.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core import cards
from ddz_core.actions import PASS
from ddz_core.bots import Bot, refuse_parameter, refuse_turn
from ddz_core.errors import DdzError

if TYPE_CHECKING:
    from ddz_core.observation import Observation
    from ddz_core.patterns import Move

RULES = {"kickers.max_equal": 3, "kickers.next_triple": False}
"""House rules of the classic game under which our legal plays are RLCard's."""
_TO_OURS, _TO_THEIRS = str.maketrans("BR", "XD"), str.maketrans("XD", "BR")


@dataclass(frozen=True, slots=True)
class RlcardBot:
    """Asks RLCard's rule agent."""

    name: str = "rlcard"

    def choose(self, obs: Observation, rng: np.random.Generator) -> str | Move:
        """Return the agent's choice; its draws come from ``rng``.

        Raises:
            DdzError: if the seat is not to act, or RLCard cannot play such a game.
        """
        if obs.to_act != obs.seat:
            raise refuse_turn(obs.seat, obs.to_act)
        if obs.phase != "play":
            return PASS if PASS in obs.options else obs.options[0]
        if obs.seats != 3 or obs.ruleset.deck.decks != 1 or obs.ruleset.wilds.mode != "none":
            raise DdzError(
                "RLCard plays with three seats and one deck without wild cards only",
                key="error.bot.untrained",
                field="rules",
                expected="3 seats, 54 cards, no wilds",
                got=obs.ruleset.id,
                bot=self.name,
            )
        legal = obs.legal() or []
        plays = {str(move.cards): move for move in reversed(legal) if not isinstance(move, str)}
        said = _agent(rng).step({"raw_obs": _state(obs)})
        if said != PASS:
            wanted = "".join(sorted(said.translate(_TO_OURS), key=cards.RANKS.index))
            if wanted in plays:
                return plays[wanted]
        return PASS if PASS in obs.options else min(plays.values(), key=lambda one: one.hand)


@cache
def _modules() -> tuple[Any, Any, Any]:
    """Return RLCard's agents, its card functions and its card class."""
    try:
        return (
            importlib.import_module("rlcard.models.doudizhu_rule_models"),
            importlib.import_module("rlcard.games.doudizhu.utils"),
            importlib.import_module("rlcard.games.base"),
        )
    except ImportError as error:
        raise DdzError(
            "the bot 'rlcard' needs the package rlcard, which is not installed",
            key="error.bot.peer",
            field="bot",
            expected="rlcard",
            got="rlcard",
        ) from error


def _agent(rng: np.random.Generator) -> Any:  # noqa: ANN401
    """Return the agent; its draws, else from numpy's global generator, come from ``rng``."""
    agents = _modules()[0]
    agents.np = SimpleNamespace(random=rng)
    return agents.DouDizhuRuleAgentV1()


def _state(obs: Observation) -> dict[str, Any]:
    """Return the part of RLCard's raw state that its rule agent reads."""
    trace = [
        (entry.seat, PASS if entry.move is None else _theirs(entry.move.cards))
        for entry in obs.history
        if entry.phase == "play" and (entry.move is not None or entry.action == PASS)
    ]
    hand = _theirs(cards.format_cards(obs.hand))
    return {
        "self": obs.seat,
        "landlord": obs.landlords[0],
        "trace": trace,
        "current_hand": hand,
        "actions": [] if obs.to_beat is None else _answers(hand, _theirs(obs.to_beat.cards)),
    }


def _theirs(text: str) -> str:
    return text.translate(_TO_THEIRS)


def _answers(hand: str, target: str) -> list[str]:
    """Return what may be said to a play, a pass first, in RLCard's order."""
    _, functions, base = _modules()
    held = [
        base.Card("RJ" if r == "R" else "BJ" if r == "B" else "S", "") for r in hand if r in "BR"
    ]
    held = [base.Card("S", r) for r in hand if r not in "BR"] + held
    player = SimpleNamespace(current_hand=held)
    found: list[str] = functions.get_gt_cards(player, SimpleNamespace(played_cards=target))
    return found


def make(**parameters: object) -> Bot:
    """Return the bot; it has no parameters.

    Raises:
        DdzError: if RLCard is not installed, or for a parameter.
    """
    for parameter in parameters:
        raise refuse_parameter("rlcard", parameter, ())
    _modules()
    return RlcardBot()
