"""A claim with conditions moved, as parameters of an address: ``?claim=R4&b=0.8``."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from ddz_core.claims.spec import Claim, shipped, wrong

CLAIM, SEED = "claim", "seed"
"""Names of the parameters that are no conditions."""


def link_of(
    claim: Claim, conditions: Mapping[str, float] | None = None, *, seed: int | None = None
) -> str:
    """Return the query of a claim with the sliders that are not at their defaults.

    Raises:
        DdzError: for a condition that the claim does not have, or a value out of its range.

    >>> link_of(shipped()[0]["R4"], {"b": 0.8})
    '?claim=R4&b=0.8'
    """
    values, usual = claim.values(conditions), claim.defaults()
    moved = {
        one.name: f"{values[one.name]:g}"
        for one in claim.conditions
        if values[one.name] != usual[one.name]
    }
    extra = {} if seed is None else {SEED: str(seed)}
    return "?" + urlencode({CLAIM: claim.id, **moved, **extra})


def read_link(query: Mapping[str, str]) -> tuple[Claim, dict[str, float], int | None]:
    """Return the claim, the conditions moved and the seed of an address.

    Parameters that are no condition of the claim are left alone: pages have others of their own.

    Raises:
        DdzError: for a claim that does not exist, or a value that is no number in its range.
    """
    claims, _ = shipped()
    name = str(query.get(CLAIM, ""))
    claim = claims.get(name)
    if claim is None:
        raise wrong(CLAIM, ", ".join(claims), name)
    moved: dict[str, float] = {}
    for one in claim.conditions:
        if one.name not in query:
            continue
        try:
            moved[one.name] = float(query[one.name])
        except (TypeError, ValueError):
            raise wrong(
                f"{claim.id}.{one.name}", f"{one.low:g}–{one.high:g}", query[one.name]
            ) from None
    claim.values(moved)
    seed: int | None = None
    if SEED in query:
        text = str(query[SEED])
        if not text.isdecimal() or len(text) > 18:
            raise wrong(SEED, "0–999999999", text)
        seed = int(text)
    return claim, moved, seed
