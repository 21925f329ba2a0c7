"""The children's game of thrown bricks: how often an arm hits which role.

Layer 3. Seven bricks stand upright on open ground, each named for a role; a child throws another
brick from a line and becomes what it hits. The document gives five to six metres, seven or eight
bricks and that weak arms hit the nearest, the landlord; distances, widths and the other roles are
assumed. A throw lands at a point drawn from two independent normal distributions (length and side);
the brick hits the first one standing in its way from where it is low enough to touch until it has
slid to a stop.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ddz_core.errors import DdzError
from ddz_core.estimate import Estimate, share

MISS = "miss"
"""The outcome of a throw that hits nothing."""

LOW, SLIDE = 0.4, 0.7
"""Metres before landing in which the thrown brick is low enough to hit, and metres it slides on."""

HALF = 0.24
"""Half the width of a standing and a thrown brick together, in metres."""

SIDEWAYS = 0.4
"""Spread to the side for each metre of spread in length."""

STRENGTHS = (4.0, 8.0)
SPREADS = (0.1, 1.5)
"""Bounds of an arm: usual length of its throws and their spread, in metres."""

MOST_THROWS = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Brick:
    """One standing brick: its role, metres from the line, metres to the right of the middle."""

    role: str
    distance: float
    side: float


BRICKS = (
    Brick(role="landlord", distance=5.0, side=0.0),
    Brick(role="beater", distance=5.3, side=-0.55),
    Brick(role="ear_puller", distance=5.3, side=0.55),
    Brick(role="bystander", distance=5.6, side=-0.25),
    Brick(role="bystander", distance=5.6, side=0.3),
    Brick(role="beater", distance=5.9, side=0.05),
    Brick(role="judge", distance=6.3, side=0.0),
)
"""The bricks as they stand: the landlord nearest, the judge farthest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Throws:
    """What many throws of one arm came to.

    Attributes:
        strength, spread: the arm, in metres.
        shares: chance of each role and of a miss, by name.
        landed: the first throws as metres from the line, metres to the right and what was hit.
    """

    strength: float
    spread: float
    shares: dict[str, Estimate]
    landed: tuple[tuple[float, float, str], ...]


def roles() -> tuple[str, ...]:
    """Return the roles from the nearest brick to the farthest, then the miss."""
    return (*dict.fromkeys(brick.role for brick in BRICKS), MISS)


def throws(
    strength: float, spread: float, *, n: int = 10_000, seed: int = 1, shown: int = 200
) -> Throws:
    """Throw ``n`` bricks with one arm.

    Args:
        strength: usual length of a throw in metres, within :data:`STRENGTHS`.
        spread: standard deviation of that length in metres, within :data:`SPREADS`.
        n: number of throws, 100 to 200,000.
        seed: of the generator; the same seed gives the same throws.
        shown: how many throws to give with their landing points.

    Raises:
        DdzError: for a value out of bounds.
    Cost: some milliseconds.
    """
    _within("strength", strength, *STRENGTHS)
    _within("spread", spread, *SPREADS)
    _within("n", n, 100, MOST_THROWS)
    rng = np.random.default_rng(seed)
    far = rng.normal(strength, spread, n)
    side = rng.normal(0.0, SIDEWAYS * spread, n)
    hit = np.full(n, len(BRICKS), dtype=np.int64)
    # From the farthest to the nearest, so that the first brick in the way has the last word.
    for at in sorted(range(len(BRICKS)), key=lambda i: -BRICKS[i].distance):
        brick = BRICKS[at]
        reached = (far - LOW <= brick.distance) & (brick.distance <= far + SLIDE)
        hit[reached & (np.abs(side - brick.side) <= HALF)] = at
    names = [*(brick.role for brick in BRICKS), MISS]
    counts = np.bincount(hit, minlength=len(names))
    shares = {
        role: share(
            int(sum(c for name, c in zip(names, counts, strict=True) if name == role)), n, seed=seed
        )
        for role in roles()
    }
    landed = tuple((float(far[i]), float(side[i]), names[hit[i]]) for i in range(min(shown, n)))
    return Throws(strength=strength, spread=spread, shares=shares, landed=landed)


def _within(field: str, value: float, low: float, high: float) -> None:
    if isinstance(value, bool) or not low <= value <= high:
        raise DdzError(
            f"{field}: expected {low} to {high}, got {value}",
            key="error.brick.bounds",
            field=field,
            expected=f"{low}–{high}",
            got=value,
        )
