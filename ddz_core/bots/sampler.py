"""The bot that samples: hidden cards drawn as seen plays suggest, every candidate tried in each.

Layer 3. What a seat cannot see it draws: worlds that fit everything it knows, weighed by how
likely the plays and passes seen were for players who mostly play as the rule bot does. Every
candidate is tried in the same worlds, which rule bots with a few random moves play to the end;
candidates that fall behind are dropped, the time goes to the rest. Where the net plays the game,
its best plays are among the candidates and its estimate counts beside the worlds; with few cards
left the likeliest worlds are solved with open hands. Bids and declarations are the rule bot's. The
heavy part is :mod:`ddz_core.kernels.sampler`.

Where a partner is hidden, sides are taken as the rule bot takes them
(:func:`ddz_core.bots.rule.partners_of`). What binds plays besides the cards holds for the
candidates; in the games played on it is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, cast

from ddz_core.actions import PASS
from ddz_core.bots import Bot, refuse_parameter, refuse_turn, refuse_value
from ddz_core.bots.rooms import rooms
from ddz_core.bots.rule import RuleBot
from ddz_core.bots.search import MOST_WORLDS, OBJECTIVES, Advice, Options, Search
from ddz_core.errors import DdzError
from ddz_core.patterns.combination import move_from

if TYPE_CHECKING:
    import numpy as np

    from ddz_core.observation import Observation
    from ddz_core.patterns import Move

_RULE = RuleBot()
_USUAL = Options()


@dataclass(frozen=True, slots=True)
class SamplerBot:
    """Chooses what wins most of the sampled worlds; see the module."""

    options: Options = _USUAL
    name: str = "sampler"

    def choose(self, obs: Observation, rng: np.random.Generator) -> str | Move:
        """Return the action that did best; the worlds come from ``rng``.

        Raises:
            DdzError: if the seat is not to act.
        """
        if obs.to_act != obs.seat:
            raise refuse_turn(obs.seat, obs.to_act)
        if obs.phase != "play":
            return _RULE.choose(obs)
        with rooms.room(obs.ruleset) as room:
            search = Search(room, obs, self.options, _seed(rng))
            best = search.plain or search.run()
            return PASS if not best.hand else move_from(room.engine.table, best.hand, best.code)

    def advise(self, obs: Observation, rng: np.random.Generator) -> Advice:
        """Return every candidate of a play with its chances, best first.

        Raises:
            DdzError: if the seat is not to act, or not to play.
        """
        if obs.to_act != obs.seat or obs.phase != "play":
            raise refuse_turn(obs.seat, obs.to_act)
        with rooms.room(obs.ruleset) as room:
            search = Search(room, obs, self.options, _seed(rng))
            search.run(tell=True)
            return search.advice()


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**63))


def make(**parameters: object) -> Bot:
    """Return the bot with some of its :class:`Options` changed.

    Raises:
        DdzError: if it has no such parameter, or not with this value.
    """
    known = tuple(one.name for one in fields(Options))
    for name, value in parameters.items():
        if name not in known:
            raise refuse_parameter("sampler", name, known)
        _check(name, value)
    if parameters.get("samples") is not None:
        parameters = {"seconds": None, **parameters}
    options = Options(**cast("dict[str, Any]", parameters))
    if options.samples is None and options.seconds is None:
        raise _wrong("seconds", "seconds or samples", None)
    return SamplerBot(options)


_BOUNDS: dict[str, tuple[float, float]] = {
    "seconds": (0.001, 600.0),
    "samples": (1, MOST_WORLDS),
    "width": (1, 64),
    "noise": (0.0, 1.0),
    "heat": (0.01, 1000.0),
    "floor": (0.0001, 1.0),
    "prior": (0.0, 10.0),
    "depth": (1, 8),
    "judged": (0.0, 1.0),
    "trust": (0.0, 1.0),
    "solver_cards": (0, 60),
    "proof": (0.0, 1.0),
}


def _check(name: str, value: object) -> None:
    """Refuse a value that cannot be."""
    if name == "objective":
        if value not in OBJECTIVES:
            raise _wrong(name, ", ".join(OBJECTIVES), value)
        return
    if name in ("inference", "net"):
        if not isinstance(value, bool):
            raise _wrong(name, "true, false", value)
        return
    if name in ("samples", "seconds") and value is None:
        return
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise refuse_value(name, value)
    low, high = _BOUNDS[name]
    whole = name in ("samples", "width", "depth", "solver_cards")
    if not low <= value <= high or (whole and not isinstance(value, int)):
        raise _wrong(name, f"{low:g}–{high:g}", value)


def _wrong(name: str, expected: str, got: object) -> DdzError:
    return DdzError(
        f"{name}: expected {expected}, got {got!r}",
        key="error.option.choice",
        field=name,
        expected=expected,
        got=got,
    )
