"""Players that see what a seat may see and choose an action.

Layer 3. A bot gets an :class:`~ddz_core.observation.Observation` and a random generator, never a
game: it cannot know a hidden card. Each module of this package but those of ``_NO_BOTS`` is a bot
by the module's name and has a function ``make``; it is loaded with its first use. A bot with
parameters is written as one text: ``sampler:samples=200:inference=false``.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Protocol, cast

from ddz_core.errors import DdzError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from ddz_core.observation import Observation
    from ddz_core.patterns import Move
    from ddz_core.specs import Ruleset

__all__ = ["Bot", "bot", "named", "names", "plays"]

_NO_BOTS = frozenset({"fits", "match", "parameters", "payoffs", "rlcard", "rooms", "search"})
_PEERS = frozenset({"rlcard"})
"""Other people's bots: they play where their package is installed, and are not listed."""
MOST_TEXT = 300
"""Characters of a bot's name with its parameters."""


class Bot(Protocol):
    """Anything that can choose."""

    @property
    def name(self) -> str:
        """The name under which it is known."""
        ...

    def choose(self, obs: Observation, rng: np.random.Generator) -> str | Move:
        """Return a legal action of the seat that is to act."""
        ...


@cache
def names() -> tuple[str, ...]:
    """Return the names of the bots there are."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in found if name not in _NO_BOTS))


def plays(name: str, ruleset: Ruleset) -> bool:
    """Tell whether a bot, by its name, plays a game: most play all, a trained one what it knows."""
    module = importlib.import_module(f"{__name__}.{name}")
    lacks: Callable[[Ruleset], str] | None = getattr(module, "lacks", None)
    return lacks is None or not lacks(ruleset)


def bot(name: str, **parameters: object) -> Bot:
    """Return a bot by name, with parameters of its own.

    Args:
        name: one of :func:`names`, or a peer's that is installed.
        parameters: what the bot's ``make`` takes; see its module.

    Raises:
        DdzError: if there is no such bot, or it has no such parameter.
    """
    if name not in names() and name not in _PEERS:
        raise DdzError(
            f"there is no bot {name!r}; there are {', '.join(names())}",
            key="error.bot.unknown",
            field="bot",
            expected=", ".join(names()),
            got=name,
        )
    module = importlib.import_module(f"{__name__}.{name}")
    return cast("Bot", module.make(**parameters))


def named(text: str) -> Bot:
    """Return the bot that a text names, with its parameters after colons.

    Numbers, ``true`` and ``false`` are read as such, anything else as a word.

    Raises:
        DdzError: as :func:`bot`, and for a parameter without a value.

    >>> named("rule:answer=2").name
    'rule'
    """
    name, *pairs = text[:MOST_TEXT].split(":")
    parameters: dict[str, object] = {}
    for pair in pairs:
        parameter, sign, value = pair.partition("=")
        if not sign or not value:
            raise refuse_value(parameter[:40], value)
        try:
            parameters[parameter] = json.loads(value)
        except (ValueError, RecursionError):
            parameters[parameter] = value
    return bot(name, **parameters)


def refuse_parameter(name: str, parameter: str, known: tuple[str, ...]) -> DdzError:
    """Return the error for a parameter that a bot does not have."""
    return DdzError(
        f"the bot {name!r} has no parameter {parameter!r}; it has {', '.join(known) or 'none'}",
        key="error.bot.parameter",
        field=parameter,
        expected=", ".join(known),
        got=parameter,
        bot=name,
    )


def refuse_value(parameter: str, value: object) -> DdzError:
    """Return the error for a parameter that is no number."""
    return DdzError(
        f"{parameter}: expected a number, got {value!r}",
        key="error.bot.value",
        field=parameter,
        expected="1.5",
        got=value,
    )


def refuse_turn(seat: int, to_act: int | None) -> DdzError:
    """Return the error for asking a bot when its seat is not to act."""
    return DdzError(
        f"seat {seat} is not to act now",
        key="error.bot.turn",
        field="obs",
        expected="" if to_act is None else to_act,
        got=seat,
        seat=seat,
    )
