"""The bot that takes any legal action, all equally likely: a baseline, and odd positions.

Layer 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddz_core.bots import Bot, refuse_parameter, refuse_turn

if TYPE_CHECKING:
    import numpy as np

    from ddz_core.observation import Observation
    from ddz_core.patterns import Move


@dataclass(frozen=True, slots=True)
class RandomBot:
    """Chooses among the legal actions with equal chance."""

    name: str = "random"

    def choose(self, obs: Observation, rng: np.random.Generator) -> str | Move:
        """Return any legal action.

        Raises:
            DdzError: if the seat is not to act.
        """
        legal = obs.legal()
        if not legal:
            raise refuse_turn(obs.seat, obs.to_act)
        return legal[int(rng.integers(len(legal)))]


def make(**parameters: object) -> Bot:
    """Return the bot; it has no parameters."""
    for parameter in parameters:
        raise refuse_parameter("random", parameter, ())
    return RandomBot()
