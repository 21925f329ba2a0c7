"""The thrown bricks: repeatable, whole, and weak arms hit the landlord."""

from __future__ import annotations

import pytest

from ddz_core import brick
from ddz_core.errors import DdzError


def test_same_seed_gives_the_same_throws() -> None:
    """Throws are drawn from the seed alone."""
    assert brick.throws(5.5, 0.5, n=500, seed=3) == brick.throws(5.5, 0.5, n=500, seed=3)
    assert brick.throws(5.5, 0.5, n=500, seed=3) != brick.throws(5.5, 0.5, n=500, seed=4)


@pytest.mark.parametrize("strength", [4.0, 5.0, 6.5, 8.0])
@pytest.mark.parametrize("spread", [0.1, 0.6, 1.5])
def test_every_throw_has_one_outcome(strength: float, spread: float) -> None:
    """The chances of all roles and of a miss add up to one, each inside its interval."""
    found = brick.throws(strength, spread, n=2_000)
    assert tuple(found.shares) == brick.roles()
    assert sum(one.value for one in found.shares.values()) == pytest.approx(1)
    for one in found.shares.values():
        assert one.low <= one.value <= one.high
        assert (one.n, one.method) == (2_000, "sampled")


def test_weak_arms_hit_the_nearest_brick() -> None:
    """An arm that throws five metres becomes landlord more often than one that throws six."""
    weak, strong = (brick.throws(far, 0.3).shares for far in (4.9, 6.3))
    assert weak["landlord"].low > strong["landlord"].high
    assert strong["judge"].low > weak["judge"].high


def test_first_brick_in_the_way_is_hit() -> None:
    """With hardly any spread a throw to the landlord's feet hits it and nothing behind it."""
    sure = brick.throws(5.0, 0.1, n=2_000)
    assert sure.shares["landlord"].value > 0.95
    for far, side, hit in sure.landed:
        if hit == "landlord":
            assert far - brick.LOW <= 5.0 <= far + brick.SLIDE
            assert abs(side) <= brick.HALF


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("strength", {"strength": 3.9, "spread": 0.5}),
        ("spread", {"strength": 5, "spread": 0.0}),
        ("spread", {"strength": 5, "spread": float("nan")}),
        ("n", {"strength": 5, "spread": 0.5, "n": 10}),
    ],
)
def test_values_out_of_bounds_are_refused(field: str, values: dict[str, float]) -> None:
    """A value that no arm has is refused by name."""
    with pytest.raises(DdzError) as refused:
        brick.throws(**values)  # type: ignore[arg-type]
    assert refused.value.field == field
