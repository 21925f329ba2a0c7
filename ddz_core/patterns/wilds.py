"""What a deal adds to a ruleset with wilds: the rank that was drawn.

Layer 1.
"""

from __future__ import annotations

import functools

import msgspec

from ddz_core.errors import RulesetError
from ddz_core.specs import Ruleset


def with_wild(ruleset: Ruleset, rank: str) -> Ruleset:
    """Return a ruleset whose wild rank has been drawn; the same object for the same rank.

    The rank is a fact of the deal. A game whose wilds are not drawn, or no rank, gives the ruleset
    back. Cost: a look-up; the first question about the result compiles it, some milliseconds.

    Raises:
        RulesetError: if the rank cannot be wild.
    """
    if ruleset.wilds.mode != "rank" or not rank or ruleset.wilds.rank == rank:
        return ruleset
    if rank not in ruleset.deck.ranks or rank in "XD" or len(rank) != 1:
        expected = "".join(r for r in ruleset.deck.ranks if r not in "XD")
        raise RulesetError(
            f"wilds.rank: expected one of {expected}, got {rank!r}",
            key="error.ruleset.ranks",
            field="wilds.rank",
            expected=expected,
            got=rank,
        )
    return _drawn(ruleset, rank)


@functools.lru_cache(maxsize=128)
def _drawn(ruleset: Ruleset, rank: str) -> Ruleset:
    """Return the ruleset with its rank, made once."""
    return msgspec.structs.replace(ruleset, wilds=msgspec.structs.replace(ruleset.wilds, rank=rank))
