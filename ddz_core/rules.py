"""One game's rules with everything that can be asked of them.

Layer 1, on top of its siblings. :class:`Rules` is what :func:`load_ruleset` returns and what
readers hold in their hands: a thin face over :mod:`ddz_core.patterns`, :mod:`ddz_core.auction` and
:mod:`ddz_core.scoring`, which do the work on the plain data of :class:`ddz_core.specs.Ruleset`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ddz_core import auction, cards, patterns, rulesets, scoring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ddz_core.auction import Bidding
    from ddz_core.patterns import Combination, Explanation, Move
    from ddz_core.scoring import Ledger
    from ddz_core.specs import Ruleset


class Rules:
    """The rules of one game; two are equal when they play the same and have the same house rules.

    Attributes:
        ruleset: the plain data behind it.
    """

    __slots__ = ("ruleset",)

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def __repr__(self) -> str:
        if self.overrides:
            return f"load_ruleset({self.id!r}, {dict(self.overrides)!r})"
        return f"load_ruleset({self.id!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.ruleset == other.ruleset

    def __hash__(self) -> int:
        return hash(self.ruleset)

    @property
    def id(self) -> str:
        """The id of the ruleset."""
        return self.ruleset.id

    @property
    def overrides(self) -> dict[str, Any]:
        """The house rules in force, by dotted path."""
        return self.ruleset.overrides

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits that change whenever a rule changes."""
        return self.ruleset.hash

    def deck_text(self) -> str:
        """Return all cards of the game, low to high."""
        return cards.format_cards(self.ruleset.deck_cards)

    def readings(self, hand: str | int) -> list[Combination]:
        """Return every combination that these cards form; see :func:`patterns.readings`."""
        return patterns.readings(self.ruleset, hand)

    def beats(self, a: str | int, b: str | int, *, as_: Combination | None = None) -> bool:
        """Tell whether ``a`` beats ``b`` on the table; see :func:`patterns.beats`."""
        return patterns.beats(self.ruleset, a, b, as_=as_)

    def moves(
        self,
        hand: str | int,
        beat: str | int | None = None,
        *,
        beat_as: Combination | None = None,
        spend: str = "minimal",
    ) -> list[Move]:
        """Return all leads of a hand, or its answers to ``beat``; see :func:`patterns.moves`."""
        return patterns.moves(self.ruleset, hand, beat=beat, beat_as=beat_as, spend=spend)

    def explain(self, hand: str | int, beat: str | int | None = None) -> Explanation:
        """Return why cards are or are not legal, and the nearest legal ones."""
        return patterns.explain(self.ruleset, hand, beat=beat)

    def bidding(self, calls: Sequence[str | int], *, first: int = 0, **facts: object) -> Bidding:
        """Replay a bidding from its calls alone; see :func:`auction.bidding`."""
        return auction.bidding(self.ruleset, calls, first=first, **facts)

    def score(self, **facts: object) -> Ledger:
        """Settle a deal from its bare facts; see :func:`scoring.score`."""
        return scoring.score(self.ruleset, **facts)


def load_ruleset(ruleset_id: str | Path, overrides: rulesets.Overrides | None = None) -> Rules:
    """Load the rules of a shipped game by id, or of a file by path, with overrides by dotted path.

    Raises:
        RulesetError: if the id, a path or a value is wrong, or fields contradict each other.

    >>> load_ruleset("classic").deck_text()[:8]
    '33334444'
    """
    return Rules(rulesets.load(ruleset_id, overrides))
