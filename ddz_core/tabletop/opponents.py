"""Who may sit on the other seats: a short name, the bot behind it, and how it differs.

Layer 4. A table keeps short names only, so that a saved table can ask for nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ddz_core import bots, dealing
from ddz_core.bots import match
from ddz_core.bots.rule import CHARACTERS, Parameters, fitted
from ddz_core.errors import DdzError
from ddz_core.game import new_game
from ddz_core.observation import observe
from ddz_core.rules import load_ruleset

if TYPE_CHECKING:
    from ddz_core.bots import Bot
    from ddz_core.specs import Ruleset

SAMPLER = "sampler:samples=600:seconds=0.3"
"""The sampler as it sits at a table: worlds first, so that a line replays alike on any machine
that is fast enough."""

OPPONENTS: dict[str, str] = {
    "random": "random",
    "beginner": "rule:character=beginner",
    "cautious": "rule:character=cautious",
    "racer": "rule:character=racer",
    "blocker": "rule:character=blocker",
    "rule": "rule",
    "net": "net",
    "sampler": SAMPLER,
}
"""Short names and bots as texts, about weakest first."""


def opponents(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the short names of the bots that play a game."""
    return tuple(
        name for name, text in OPPONENTS.items() if bots.plays(text.partition(":")[0], ruleset)
    )


def opponent(name: str) -> Bot:
    """Return the bot behind a short name.

    Raises:
        DdzError: if there is no such opponent.
    """
    if name not in OPPONENTS:
        raise DdzError(
            f"there is no bot {name[:40]!r} for a table; there are {', '.join(OPPONENTS)}",
            key="error.bot.unknown",
            field="bot",
            expected=", ".join(OPPONENTS),
            got=name[:40],
        )
    return bots.named(OPPONENTS[name])


def warm() -> None:
    """Compile what the searching bots need, or load it from the cache, with one decision.

    Cost: a minute where nothing is cached, some seconds otherwise; any thread may do it.
    """
    rules = load_ruleset("classic")
    game = match.forced(new_game(rules, dealing.deal(rules, seed=1)), 0)
    bots.named("sampler:samples=4:solver_cards=60").choose(
        observe(game, 0), np.random.default_rng(1)
    )


def weights(ruleset: Ruleset) -> dict[str, dict[str, float]]:
    """Return the weights in which characters differ from each other, by weight and character.

    The column ``rule`` has the weights of the usual rule bot in this game.
    """
    usual = fitted(ruleset, Parameters())
    names = dict.fromkeys(name for changed in CHARACTERS.values() for name in changed)
    return {
        name: {
            "rule": getattr(usual, name),
            **{who: changed.get(name, getattr(usual, name)) for who, changed in CHARACTERS.items()},
        }
        for name in names
    }
