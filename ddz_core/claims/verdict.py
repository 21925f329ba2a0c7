"""From numbers to a verdict, by rule and never by opinion.

A claim is tested in *cells*: conditions under which it says in which direction a number lies. A
sampled cell is decided when at least :data:`ENOUGH` pairs were played and the 95 % interval is
clear of the practical margin; an exact or solved one is decided as it stands. All decided for: the
claim is supported, or proven if nothing was sampled; all against: refuted; some for and some
against: it depends on the conditions. Two families of bots must agree, else it depends on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ddz_core.estimate import Estimate

Verdict: TypeAlias = Literal["proven", "supported", "depends", "refuted", "not_testable", "open"]
Status: TypeAlias = Literal["for", "against", "same", "open", "few"]

VERDICTS: tuple[Verdict, ...] = (
    *("proven", "supported", "depends", "refuted", "not_testable", "open"),
)
ENOUGH = 2_000
"""Pairs before a sampled cell is decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One condition of an experiment and what the claim says there.

    Attributes:
        name: under which the claim's file words it.
        want: 1 where the number is to lie above the line, -1 below it, 0 at it.
        line: what the number is compared with.
        unit: ``probability``, ``points``, ``bits``, ``plays`` or ``cards``.
        counts: whether it takes part in the verdict; else it is only shown.
        at: the condition as numbers, for maps.
    """

    name: str
    want: int = 1
    line: float = 0.0
    unit: str = "probability"
    counts: bool = True
    at: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A verdict with what led to it.

    Attributes:
        verdict: see :data:`VERDICTS`; ``open`` where the intervals do not decide.
        reason: ``cells`` where conditions differ, ``families`` where families of bots do,
            ``deals`` where too few were played, ``margin`` where an interval lies across it, or
            empty.
        families: families of bots behind sampled cells.
        agree: whether two families agree; None where fewer than two were asked.
    """

    verdict: Verdict
    reason: str = ""
    families: tuple[str, ...] = ()
    agree: bool | None = None


def status(cell: Cell, value: Estimate, margin: float) -> Status:
    """Return how a number stands to what the claim says of it.

    Args:
        cell: what the claim says.
        value: the number.
        margin: differences up to this are of no practical size; in the unit of the cell.
    """
    low, high = value.low - cell.line, value.high - cell.line
    if value.method != "sampled":
        if cell.want == 0:
            return "for" if abs(value.value - cell.line) <= margin else "against"
        return "for" if (value.value - cell.line) * cell.want > 0 else "against"
    if value.n < ENOUGH:
        return "few"
    inside = low > -margin and high < margin
    if cell.want == 0:
        if inside:
            return "for"
        return "against" if low >= margin or high <= -margin else "open"
    if cell.want < 0:
        low, high = -high, -low
    if low >= margin:
        return "for"
    if inside:
        return "same"
    return "against" if high <= margin else "open"


def judge(found: Sequence[tuple[Cell, Estimate]], margins: Mapping[str, float]) -> Ruling:
    """Return the verdict of one family of bots, or of exact numbers.

    Args:
        found: each cell with its number.
        margins: the practical margin by unit.
    """
    counting = [(cell, value) for cell, value in found if cell.counts]
    if not counting:
        return Ruling(verdict="open", reason="deals")
    stands = [status(cell, value, margins.get(cell.unit, 0.0)) for cell, value in counting]
    good = stands.count("for")
    bad = stands.count("against") + stands.count("same")
    if good and bad:
        return Ruling(verdict="depends", reason="cells")
    if "few" in stands:
        return Ruling(verdict="open", reason="deals")
    if "open" in stands:
        return Ruling(verdict="open", reason="margin")
    if bad:
        return Ruling(verdict="refuted")
    sampled = any(value.method == "sampled" for _, value in counting)
    return Ruling(verdict="supported" if sampled else "proven")


def combine(rulings: Mapping[str, Ruling]) -> Ruling:
    """Return the verdict over families of bots.

    Args:
        rulings: the verdict of each family; the empty name for numbers that no bots are behind.
    """
    if not rulings:
        return Ruling(verdict="open", reason="deals")
    families = tuple(name for name in rulings if name)
    decided = list(rulings.values())
    first = decided[0]
    if len(families) < 2:
        return Ruling(verdict=first.verdict, reason=first.reason, families=families)
    agree = len({one.verdict for one in decided}) == 1
    if agree:
        return Ruling(verdict=first.verdict, reason=first.reason, families=families, agree=True)
    if any(one.verdict == "open" for one in decided):
        reason = next(one.reason for one in decided if one.verdict == "open")
        return Ruling(verdict="open", reason=reason, families=families, agree=False)
    return Ruling(verdict="depends", reason="families", families=families, agree=False)
