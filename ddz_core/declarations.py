"""Questions between the auction and the lead: a small closed set, by the id that rulesets use.

Layer 1. A declaration says whom it asks next and what may be answered, given the answers so far;
the game asks, keeps the answers and goes on. A further one is one more class in
:data:`DECLARATIONS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, Protocol, TypeAlias

from ddz_core import cards
from ddz_core.scoring import RAISE_EACH
from ddz_core.specs import Declaration, Ruleset

PASS, SHOW, REVEAL, DOUBLE = "pass", "show", "reveal", "double"
DECLARE, PLAY, CLAIM, OPEN, TAKE = "declare", "play", "claim", "open", "take"

MASK = "~"
"""Before places of bottom cards instead of the cards themselves."""

Secrecy: TypeAlias = Literal["open", "sealed", "quiet"]
"""Whether answers are seen at once, when all have answered, or a refusal and its question never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One answer to a declaration: which, who, what."""

    id: str
    seat: int
    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What one seat is asked; the first choice is a refusal where there is one."""

    id: str
    seat: int
    choices: tuple[str, ...]
    secrecy: Secrecy = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What a declaration may look at.

    Attributes:
        ruleset: the game.
        landlords: the landlord, then its hidden partner if there is one.
        hands: packed cards of every seat.
        answers: the answers to this declaration so far, in order.
        shown: seats whose cards lie open.
        first: who spoke first.
        calls: the calls of every seat.
        contract: the bid that stands.
    """

    ruleset: Ruleset
    landlords: tuple[int, ...]
    hands: Sequence[cards.Hand]
    answers: tuple[Declared, ...]
    shown: Sequence[int]
    first: int
    calls: Mapping[int, tuple[str, ...]]
    contract: int

    def turns(self) -> Iterator[int]:
        """Yield all seats, the landlord first."""
        seats = len(self.hands)
        return ((self.landlords[0] + turn) % seats for turn in range(seats))

    def unanswered(self, seats: Iterator[int] | Sequence[int]) -> int | None:
        """Return the first of some seats that has not answered."""
        done = {answer.seat for answer in self.answers}
        return next((seat for seat in seats if seat not in done), None)


class Declaring(Protocol):
    """One kind of statement between the auction and the lead."""

    secrecy: Secrecy

    def question(self, spec: Declaration, asking: Asking) -> Question | None:
        """Return the next question, or None when all have answered."""
        ...


def _asked(
    declaring: Declaring, spec: Declaration, seat: int | None, choices: Sequence[str]
) -> Question | None:
    """Return the question to a seat, if there is one left to ask."""
    if seat is None:
        return None
    return Question(id=spec.id, seat=seat, choices=tuple(choices), secrecy=declaring.secrecy)


class RaiseEach:
    """Each farmer picks a factor on its own result, unseen by the others until all have picked."""

    secrecy: Secrecy = "sealed"

    def question(self, spec: Declaration, asking: Asking) -> Question | None:
        """Return the question to the next farmer; see :class:`Declaring`."""
        farmers = [seat for seat in asking.turns() if seat not in asking.landlords]
        choices = [f"x{factor}" for factor in spec.factors]
        return _asked(self, spec, asking.unanswered(farmers), choices)


class Show:
    """A landlord who has not shown its cards may."""

    secrecy: Secrecy = "open"

    def question(self, spec: Declaration, asking: Asking) -> Question | None:
        """Return the question to the landlord; see :class:`Declaring`."""
        seat = asking.landlords[0]
        asked = () if seat in asking.shown and not asking.answers else (seat,)
        return _asked(self, spec, asking.unanswered(asked), (PASS, SHOW))


class Reveal:
    """Landlord and hidden partner answer in secret whether the partner be known; alone: nobody."""

    secrecy: Secrecy = "quiet"

    def question(self, spec: Declaration, asking: Asking) -> Question | None:
        """Return the question to one of the two; see :class:`Declaring`."""
        asked = asking.landlords if len(asking.landlords) > 1 else ()
        return _asked(self, spec, asking.unanswered(asked), (PASS, REVEAL))


class Double:
    """Every seat, the landlord first, may double the whole deal once."""

    secrecy: Secrecy = "open"

    def question(self, spec: Declaration, asking: Asking) -> Question | None:
        """Return the question to the next seat; see :class:`Declaring`."""
        return _asked(self, spec, asking.unanswered(asking.turns()), (PASS, DOUBLE))


class Declare:
    """Who holds bombs of certain rows may bind itself to play them whole; a landlord may claim."""

    secrecy: Secrecy = "quiet"

    def question(self, spec: Declaration, asking: Asking) -> Question | None:
        """Return the question to the next holder; see :class:`Declaring`."""
        landlord = asking.landlords[0]
        said = [answer.choice for answer in asking.answers if answer.seat == landlord]
        if said == [DECLARE]:
            return Question(id=spec.id, seat=landlord, choices=(PLAY, CLAIM))
        holders = [
            seat
            for seat in asking.turns()
            if declarable(asking.ruleset, spec.steps, asking.hands[seat])
        ]
        return _asked(self, spec, asking.unanswered(holders), (PASS, DECLARE))


class OpenHand:
    """A landlord who spoke first and bid what is asked for may play with open cards."""

    secrecy: Secrecy = "open"

    def question(self, spec: Declaration, asking: Asking) -> Question | None:
        """Return the question to the landlord; see :class:`Declaring`."""
        seat = asking.landlords[0]
        may = not spec.level or (
            seat == asking.first and asking.calls.get(seat) == (str(spec.level),)
        )
        return _asked(self, spec, asking.unanswered((seat,) if may else ()), (PASS, OPEN))


DECLARATIONS: dict[str, Declaring] = {
    RAISE_EACH: RaiseEach(),
    "show": Show(),
    "reveal": Reveal(),
    "double": Double(),
    "declare": Declare(),
    "open": OpenHand(),
}
"""The declarations by the id that rulesets use."""


def declarable(ruleset: Ruleset, steps: Sequence[str], hand: cards.Hand) -> tuple[cards.Hand, ...]:
    """Return the sets of a hand that may be declared, packed: those of the rows named."""
    found = []
    for step in ruleset.ladder_in_force():
        if step.name not in steps:
            continue
        if step.size:
            counts = cards.counts_of(hand)[: cards.SMALL_JOKER]
            found += [
                step.size << 4 * lane for lane, count in enumerate(counts) if count == step.size
            ]
        for one in step.cards:
            packed = cards.parse_cards(one.split("=")[0])
            if cards.contains(hand, packed):
                found.append(packed)
    return tuple(found)


def choices_of(bottom: cards.Hand) -> tuple[str, ...]:
    """Return the answers of a landlord who takes what it likes: nothing first, then every part."""
    counts = cards.counts_of(bottom)
    parts = sorted(
        (cards.from_counts(taken) for taken in product(*(range(n + 1) for n in counts))),
        key=lambda part: (cards.size_of(part), part),
    )
    return tuple(f"{TAKE}:{cards.format_cards(part)}" if part else PASS for part in parts)


def mask_of(bottom: cards.Hand, choice: str) -> str:
    """Return a choice of bottom cards as places, low to high, which gives away no card."""
    left = list(cards.format_cards(cards.parse_cards(choice.partition(":")[2])))
    mask = ""
    for rank in cards.format_cards(bottom):
        taken = rank in left
        mask += "1" if taken else "0"
        if taken:
            left.remove(rank)
    return f"{TAKE}:{MASK}{mask}"


def unmasked(bottom: cards.Hand, choice: str) -> str:
    """Return a choice told by places as the cards that lie there; any other as it is."""
    mask = choice.partition(MASK)[2]
    text = cards.format_cards(bottom)
    if len(mask) != len(text) or set(mask) - set("01"):
        return choice
    chosen = "".join(rank for rank, bit in zip(text, mask, strict=True) if bit == "1")
    return f"{TAKE}:{chosen}" if chosen else PASS
