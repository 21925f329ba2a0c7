"""Statements between the auction and the lead: a small closed set, by the id that rulesets use.

Layer 2. A declaration says who is asked, in turn, and what may be answered; the game asks, keeps
the answers and goes on. A further one is one more class in :data:`DECLARATIONS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ddz_core.scoring import RAISE_EACH
from ddz_core.specs import Declaration


class Declaring(Protocol):
    """One kind of statement between the auction and the lead."""

    secret: bool
    """Whether the answers stay hidden until everybody has answered."""

    def seats(self, seats: int, landlords: Sequence[int]) -> tuple[int, ...]:
        """Return who is asked, in turn."""
        ...

    def choices(self, spec: Declaration) -> tuple[str, ...]:
        """Return the answers, the first meaning that nothing is declared."""
        ...


class RaiseEach:
    """Each farmer picks a factor on its own result, unseen by the others until all have picked."""

    secret = True

    def seats(self, seats: int, landlords: Sequence[int]) -> tuple[int, ...]:
        """Return the farmers, from the landlord's next seat on."""
        turns = ((landlords[0] + turn) % seats for turn in range(1, seats))
        return tuple(seat for seat in turns if seat not in landlords)

    def choices(self, spec: Declaration) -> tuple[str, ...]:
        """Return the factors as texts."""
        return tuple(f"x{factor}" for factor in spec.factors)


DECLARATIONS: dict[str, Declaring] = {RAISE_EACH: RaiseEach()}
"""The declarations by the id that rulesets use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One answer to a declaration: which, who, what."""

    id: str
    seat: int
    choice: str
