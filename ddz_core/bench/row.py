"""One line of a measurement, and how it is taken."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

T = TypeVar("T")

BATCHES = 7
"""How many batches a median is taken over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measured quantity.

    Attributes:
        what: what was measured, in a few words.
        unit: of ``ours`` and ``theirs``.
        ours: our figure; None where there is none.
        theirs: the other engine's figure; None where it was not measured.
        peer: name and version of the other engine.
        ratio: how many times faster ours is, as median over batches.
        floor: what the ratio (or our figure, without a peer) should reach; 0 for nothing.
        n: how many positions or games.
        note: what the reader must know of the figure.
    """

    what: str
    unit: str
    ours: float | None = None
    theirs: float | None = None
    peer: str = ""
    ratio: float | None = None
    floor: float = 0.0
    n: int = 0
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        return asdict(self)

    def line(self) -> str:
        """Return the row as one line of a table."""
        words = [f"{self.what:<46}"]
        if self.ours is not None:
            words.append(f"{_figure(self.ours):>10} {self.unit}")
        if self.theirs is not None:
            words.append(f"| {self.peer} {_figure(self.theirs)}")
        if self.ratio is not None:
            words.append(
                f"| {self.ratio:.1f} x" + (f" (floor {self.floor:g} x)" * bool(self.floor))
            )
        if self.note:
            words.append(f"| {self.note}")
        return " ".join(words)


def _figure(value: float) -> str:
    """Return a number with three digits that mean something."""
    if value >= 1e6:
        return f"{value / 1e6:.3g} M"
    return f"{value / 1e3:.3g} k" if value >= 1e4 else f"{value:.3g}"


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of one call."""
    start = time.process_time_ns()
    work()
    return max(time.process_time_ns() - start, 1) / 1e9


def batches(items: Sequence[T], number: int = BATCHES) -> list[Sequence[T]]:
    """Cut items into batches of equal size; what remains is left out."""
    size = len(items) // number
    return [items[i * size : (i + 1) * size] for i in range(number)]


def rate(works: Sequence[tuple[int, Callable[[], object]]]) -> float:
    """Return the median of items per second over batches, each given as number and work."""
    return statistics.median(number / seconds(work) for number, work in works)


def race(
    works: Sequence[tuple[int, Callable[[], object], Callable[[], object]]],
) -> tuple[float, float, float]:
    """Return ours and theirs in items per second and the ratio, as medians over batches.

    Args:
        works: for each batch the number of items, our work and theirs on the same items.
    """
    ours, theirs, ratios = [], [], []
    for number, our_work, their_work in works:
        our_time, their_time = seconds(our_work), seconds(their_work)
        ours.append(number / our_time)
        theirs.append(number / their_time)
        ratios.append(their_time / our_time)
    return statistics.median(ours), statistics.median(theirs), statistics.median(ratios)
