"""Chances to win that a hand promises, fitted for games of different shapes: the shipped table.

Layer 3, under :mod:`ddz_core.bots.rule`. A fit is logistic in what can be counted in a hand:
points, bombs, fewest plays, wild cards. It comes from games between rule bots on random deals with
the landlord drawn by lot (``python -m tools.rule_bot fits``). A game takes the fit of the nearest
shape: seats, decks, cards in a hand, wild cards, hidden partner, kinds, steps of bombs.
"""

from __future__ import annotations

import math
import tomllib
from functools import cache, lru_cache

from msgspec import Struct, convert

from ddz_core.data_files import data_dir
from ddz_core.specs import Ruleset

FILE = "strength.toml"
FEATURES = ("constant", "points", "bombs", "turns", "wilds")
"""What the coefficients of a fit stand for, in order."""

_WEIGHTS = (100, 100, 5, 20, 100, 1, 1, 1)
"""How much a difference in each part of a shape counts."""


class Fit(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Coefficients for games of one shape.

    Attributes:
        ruleset: id of the game that was played.
        games: how many games.
        shape: see :func:`shape_of`.
        landlord: chance as landlord, from the hand before the bottom cards are taken.
        opened: the same with the bottom cards, at the lead.
        farmer: chance as farmer, at the lead.
        partner: chance as the landlord's hidden partner; empty where there is none.
        weights: parameters of the rule bot that play better in such games than its usual ones.
    """

    ruleset: str
    games: int
    shape: tuple[int, ...]
    landlord: tuple[float, ...]
    opened: tuple[float, ...]
    farmer: tuple[float, ...]
    partner: tuple[float, ...] = ()
    weights: dict[str, float] = {}


def shape_of(ruleset: Ruleset) -> tuple[int, ...]:
    """Return what decides which fit a game takes.

    Returns:
        Seats, decks, cards in a hand, wild cards in the deck, 1 for a hidden partner, kinds of
        combinations, steps of the bomb ladder, ranks of the longest run.
    """
    wilds = {"none": 0, "rank": 4}.get(ruleset.wilds.mode, 2)
    return (
        ruleset.deal.seats,
        ruleset.deck.decks,
        ruleset.deal.hand,
        wilds,
        int(ruleset.sides == "twin"),
        len(ruleset.kinds_in_force()),
        len(ruleset.ladder_in_force()),
        max((kind.body.run[1] for kind in ruleset.kinds_in_force() if kind.body.run), default=1),
    )


@cache
def shipped() -> tuple[Fit, ...]:
    """Return every fit of the shipped table."""
    table = tomllib.loads((data_dir() / "models" / FILE).read_text("utf-8"))
    return convert(table["fit"], tuple[Fit, ...])


@lru_cache(maxsize=64)
def fit_of(ruleset: Ruleset) -> Fit:
    """Return the fit of the game whose shape is nearest."""
    shape = shape_of(ruleset)

    def distance(fit: Fit) -> int:
        pairs = zip(_WEIGHTS, shape, fit.shape, strict=True)
        return sum(weight * abs(a - b) for weight, a, b in pairs)

    return min(shipped(), key=distance)


def chance(fit: tuple[float, ...], features: tuple[float, ...]) -> float:
    """Return the chance that a fit gives for features in the order of :data:`FEATURES`."""
    return 1 / (1 + math.exp(-sum(a * b for a, b in zip(fit, features, strict=True))))
