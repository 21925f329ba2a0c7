"""Numbers that know how they were found.

Layer 0. Every number shown to a reader is an :class:`Estimate`: its value with interval, sample
size, method, unit and seed. Exact and solved values have an interval of width zero.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ddz_core.display import Tabular

Method = Literal["exact", "solved", "sampled"]

_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(Tabular):
    """One number with its uncertainty and origin.

    Attributes:
        value: the number itself.
        low, high: ends of the 95 % interval; equal to ``value`` where the method is not sampling.
        n: independent samples behind it; 0 where the method is not sampling.
        method: ``exact`` (counted), ``solved`` (proven by search) or ``sampled``.
        unit: what it counts, such as ``probability`` or ``points``.
        seed: seed of the samples, None where there are none.
    """

    value: float
    low: float
    high: float
    n: int = 0
    method: Method
    unit: str = "probability"
    seed: int | None = None

    def overlaps(self, other: Estimate) -> bool:
        """Tell whether the two intervals share a point."""
        return self.low <= other.high and other.low <= self.high


def exact(value: float, unit: str = "probability") -> Estimate:
    """Return a counted value, its interval of width zero."""
    return Estimate(value=value, low=value, high=value, method="exact", unit=unit)


def share(hits: int, n: int, *, seed: int | None = None) -> Estimate:
    """Return a sampled probability with its Wilson 95 % interval.

    Args:
        hits: samples in which the event happened, 0 to ``n``.
        n: samples drawn, at least 1.
        seed: seed of the generator that drew them.
    Source: E. B. Wilson, JASA 22 (1927) 209-212.
    """
    p, z2 = hits / n, _Z95 * _Z95
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z95 / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return Estimate(
        value=p,
        low=min(p, max(0.0, centre - half)),
        high=max(p, min(1.0, centre + half)),
        n=n,
        method="sampled",
        seed=seed,
    )


def mean(total: float, squares: float, n: int, *, unit: str, seed: int | None = None) -> Estimate:
    """Return a sampled mean with its normal 95 % interval.

    Args:
        total: sum of the samples.
        squares: sum of their squares.
        n: number of samples, at least 2.
    """
    value = total / n
    spread = max(0.0, squares - n * value * value) / (n - 1)
    half = _Z95 * math.sqrt(spread / n)
    return Estimate(
        value=value,
        low=value - half,
        high=value + half,
        n=n,
        method="sampled",
        unit=unit,
        seed=seed,
    )
