"""Random layouts of unseen cards: physical cards shuffled first, packed into ranks afterwards.

Layer 3, under :mod:`ddz_core.probability`. Sets of ranks are not equally likely; shuffled cards
are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ddz_core import cards
from ddz_core.clauses import Counts
from ddz_core.dealing import check_seed
from ddz_core.errors import DdzError

CHUNK = 2048
"""Layouts drawn at once."""

Layouts = npt.NDArray[np.int8]
"""Counts by layout, place and lane."""


def generator(seed: int) -> np.random.Generator:
    """Return the generator of one sampled number, from its seed.

    Raises:
        DdzError: for a seed that cannot be used.
    """
    return np.random.Generator(np.random.PCG64(check_seed(seed)))


def check_samples(samples: object) -> int:
    """Return a number of samples that can be drawn.

    Raises:
        DdzError: if it is no whole number from 1 to ten million.
    """
    if isinstance(samples, bool) or not isinstance(samples, int) or not 1 <= samples <= 10_000_000:
        raise DdzError(
            f"samples: expected a whole number from 1 to 10000000, got {samples!r}",
            key="error.odds.samples",
            field="samples",
            expected="1–10000000",
            got=samples,
        )
    return samples


def layouts(
    pool: Counts, sizes: Sequence[int], samples: int, rng: np.random.Generator
) -> Iterator[Layouts]:
    """Yield random layouts in chunks, every physical deal equally likely.

    Args:
        pool: unseen cards by lane.
        sizes: cards of each place; what is left of the pool is not looked at.
        samples: how many layouts in all.
        rng: where the chance comes from.

    Cost: some 3 microseconds a layout of 37 cards.
    """
    lanes = np.repeat(np.arange(cards.LANES, dtype=np.int8), pool)
    ends = np.cumsum(sizes)
    starts = ends - np.asarray(sizes)
    while samples > 0:
        n = min(samples, CHUNK)
        samples -= n
        shuffled = rng.permuted(np.broadcast_to(lanes, (n, lanes.size)).copy(), axis=1)
        counts = np.zeros((n, len(sizes), cards.LANES), dtype=np.int8)
        row = np.arange(n)
        for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
            for column in range(start, end):
                counts[row, place, shuffled[:, column]] += 1
        yield counts
