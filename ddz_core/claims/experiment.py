"""What an experiment is: cells, numbers that are counted, and chunks that are played.

An experiment is registered by name; a claim's file names it and sets its parameters. A chunk
depends on the seed and its own number only, and gives whole numbers that are added up, so a run can
be stopped, taken up again, and cut over processes or machines, with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np

from ddz_core import cards, codes, dealing, estimate
from ddz_core.actions import PASS
from ddz_core.bots import match
from ddz_core.claims.spec import wrong
from ddz_core.claims.verdict import Cell
from ddz_core.estimate import Estimate
from ddz_core.game import new_game
from ddz_core.patterns.combination import move_from
from ddz_core.rules import Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.claims.playing import Table
    from ddz_core.positions import Position
    from ddz_core.specs import Ruleset

CHUNK = 1_000
"""Deals of a chunk: about a tenth of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A number that an experiment takes.

    Attributes:
        name: its name.
        low, high: its range.
        default: its value where the claim names none.
    """

    name: str
    low: float
    high: float
    default: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A deal at its decisive position.

    Attributes:
        code: of the game or position, for links.
        kind: ``game`` or ``position``.
        seat: whose decision it is.
        seed, deal: where it comes from.
        value: what the pair of this deal came to.
        cell: in which cell it lies.
    """

    code: str
    kind: Literal["game", "position"]
    seat: int
    seed: int
    deal: int
    value: float
    cell: str

    @property
    def query(self) -> str:
        """The parameters that open it: a game at the table, a position at the solver."""
        return f"?g={self.code}&seat={self.seat}" if self.kind == "game" else f"?p={self.code}"


@dataclass(frozen=True)
class Outcome:
    """What one chunk found.

    Attributes:
        deals: deals drawn.
        parts: for each cell the values of its pairs and the place of each among the deals.
        show: makes the code and seat of a place; None where there is nothing to show.
    """

    deals: int
    parts: Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]]
    show: Callable[[int], tuple[str, int]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One question put to an experiment.

    Attributes:
        ruleset: the game.
        values: of the parameters.
        family: of the bots.
        seed: of everything.
        moved: parameters that the reader moved away from the claim's own values.
    """

    ruleset: Ruleset
    values: Mapping[str, float]
    family: str = "rule"
    seed: int = 1
    moved: frozenset[str] = frozenset()

    def __getitem__(self, name: str) -> float:
        return self.values[name]

    def whole(self, name: str) -> int:
        """Return a parameter as a whole number."""
        return round(self.values[name])


Counted = Fraction | Estimate


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A way to test claims.

    Attributes:
        name: under which files ask for it.
        parameters: the numbers it takes.
        cells: returns the cells of a question.
        counted: returns exact or solved numbers by cell; None where all is played.
        work: plays a chunk; None where all is counted.
        chunk: deals of a chunk.
        scale: by which whole numbers of cells with this unit are divided.
        families: families of bots that can play it; a net plays the games it was trained for.
        shown: returns positions by ``for`` and ``against``, with the seat to look at and the cell,
            where nothing is played.
    """

    name: str
    parameters: tuple[Parameter, ...] = ()
    cells: Callable[[Ask], tuple[Cell, ...]]
    counted: Callable[[Ask], Mapping[str, Counted]] | None = None
    work: Callable[[Ask, Table, int], Outcome] | None = None
    chunk: int = CHUNK
    scale: Mapping[str, int] = field(default_factory=dict)
    families: tuple[str, ...] = ("rule", "net")
    shown: Callable[[Ask], Mapping[str, tuple[Position, int, str]]] | None = None

    def values(self, given: Mapping[str, float]) -> dict[str, float]:
        """Return the values of all parameters.

        Raises:
            DdzError: for a parameter that the experiment does not have, or one out of range.
        """
        known = {one.name: one for one in self.parameters}
        for name, value in given.items():
            one = known.get(name)
            if one is None:
                raise wrong(f"{self.name}.{name}", ", ".join(known) or "-", name)
            if not one.low <= value <= one.high:
                raise wrong(f"{self.name}.{name}", f"{one.low:g}–{one.high:g}", value)
        return {one.name: float(given.get(one.name, one.default)) for one in self.parameters}

    def numbers(self, ask: Ask) -> dict[str, Estimate]:
        """Return the exact and solved numbers by cell."""
        if self.counted is None:
            return {}
        units = {cell.name: cell.unit for cell in self.cells(ask)}
        return {
            name: value
            if isinstance(value, Estimate)
            else estimate.exact(float(value), units.get(name, "probability"))
            for name, value in self.counted(ask).items()
        }


_REGISTRY: dict[str, Experiment] = {}


def register(experiment: Experiment) -> Experiment:
    """Make an experiment known by its name."""
    if experiment.name in _REGISTRY:
        raise ValueError(f"two experiments are called {experiment.name}")
    _REGISTRY[experiment.name] = experiment
    return experiment


def registry() -> Mapping[str, Experiment]:
    """Return every experiment by name."""
    return _REGISTRY


def sums_of(cells: tuple[Cell, ...], outcome: Outcome) -> NDArray[np.int64]:
    """Return deals and, by cell, pairs, their sum and the sum of squares (cells + 1 × 3)."""
    found = np.zeros((len(cells) + 1, 3), dtype=np.int64)
    found[0, 0] = outcome.deals
    for row, cell in enumerate(cells, start=1):
        if cell.name in outcome.parts:
            values, _ = outcome.parts[cell.name]
            found[row] = (len(values), values.sum(), (values * values).sum())
    return found


def estimates_of(
    cells: tuple[Cell, ...], sums: NDArray[np.int64], scale: Mapping[str, int], seed: int
) -> dict[str, Estimate]:
    """Return the estimate of every cell that was sampled at all."""
    found: dict[str, Estimate] = {}
    for row, cell in enumerate(cells, start=1):
        n, total, squares = (int(number) for number in sums[row])
        if n < 2:
            continue
        by = scale.get(cell.unit, 1)
        if cell.unit == "probability" and by == 1 and total == squares and cell.line > 0:
            found[cell.name] = estimate.share(total, n, seed=seed)
        else:
            found[cell.name] = estimate.mean(
                total / by, squares / by**2, n, unit=cell.unit, seed=seed
            )
    return found


def game_code(
    ruleset: Ruleset,
    hands: NDArray[np.uint64],
    boss: int,
    line: list[tuple[int, int, int]],
    table: Table,
    bottom: int = 0,
    *,
    bidding: bool = False,
) -> str:
    """Return the code of a game after some actions, from the hands at the landlord's first lead.

    Args:
        ruleset: the game.
        hands: packed, the bottom in the landlord's hand.
        boss: the landlord.
        line: seat, packed cards (0: a pass) and code of each action.
        table: bots of the game.
        bottom: packed bottom cards; the landlord's lowest where it is not known.
        bidding: whether to stop before the bidding, the landlord's seat to speak first.
    """
    rules = Rules(ruleset)
    packed = [int(hand) for hand in hands]
    if not bottom and ruleset.deal.bottom:
        low = cards.format_cards(packed[boss])[: ruleset.deal.bottom]
        bottom = cards.parse_cards(low)
    packed[boss] -= bottom
    dead = ruleset.deck_cards - sum(packed) - bottom
    texts = "/".join(cards.format_cards(hand) for hand in packed)
    text = texts + "|" + cards.format_cards(bottom)
    if dead:
        text += "|" + cards.format_cards(dead)
    deal = dealing.deal_from_text(rules, text, first=boss)
    if bidding:
        return codes.encode(new_game(rules, deal))
    game = match.forced(new_game(rules, deal), boss)
    while game.phase == "declare" and game.to_act is not None:
        words = game.options
        game = game.apply(PASS if PASS in words else words[0])
    for _, played, code in line:
        game = game.apply(move_from(table.engine.table, played, code) if played else PASS)
    return codes.encode(game)
