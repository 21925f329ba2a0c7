"""Why cards are a combination or not, in structured form."""

from __future__ import annotations

from dataclasses import dataclass, field

from ddz_core.patterns.combination import Combination
from ddz_core.patterns.reading import readings
from ddz_core.specs import Ruleset


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: a catalogue key and its values."""

    key: str
    params: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What cards are, or why they are nothing."""

    cards: str
    legal: bool
    readings: tuple[Combination, ...] = ()
    reasons: tuple[Reason, ...] = ()
    nearest: tuple[Combination, ...] = ()


def explain(
    ruleset: Ruleset, hand: str | int | Combination, beat: str | int | Combination | None = None
) -> Explanation:
    """Explain cards."""
    found = readings(ruleset, hand)
    return Explanation(found[0].cards if found else "", bool(found), tuple(found))
