"""What a deal is worth: from its bare facts to a ledger that can be read step by step.

Layer 1. ``u = stake × bid × multiplier`` is what one farmer and one landlord settle, so that with
two farmers the landlord gets or pays ``2u``. The order of the ledger is the one of the rules: u,
factors of single seats, cap, what is owned, rake, penalties. The game settles itself through the
same function, so that a finished game and its facts cannot disagree.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ddz_core import cards, score_facts
from ddz_core.dealing import AnyRules, plain_rules
from ddz_core.display import Tabular
from ddz_core.score_facts import ALWAYS, LARGEST, RAISE_EACH, Facts
from ddz_core.specs import Ruleset, Step

__all__ = [
    "ALWAYS",
    "LARGEST",
    "RAISE_EACH",
    "Ledger",
    "LedgerStep",
    "facts_of",
    "ladder_step",
    "multiplier_of",
    "score",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerStep:
    """One line of a ledger.

    Attributes:
        key: catalogue key, beginning with ``score.``.
        factor: what it multiplies by (or adds, where the game counts by a sum); None for an amount.
        amount: what comes out, in points; None for a factor.
        seat: whom it concerns, None for the whole deal.
        cards: the bomb, as text.
    """

    key: str
    factor: int | None = None
    amount: int | None = None
    seat: int | None = None
    cards: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger(Tabular):
    """The result of a deal.

    Attributes:
        points: points of each seat.
        gold: what is paid to each seat; equal to the points in a game without a rate.
        house: what the house gets, in gold; gold and house sum to zero where ``conserved``.
        multiplier: the factor on stake and bid, seat factors aside.
        unit: what one farmer and one landlord settle before seat factors.
        steps: how it came about, in order.
        house_points: what the house gets of the points; equal to ``house`` without a rate.
        conserved: whether points and house sum to zero; not where a document pays out more.
    """

    points: tuple[int, ...]
    gold: tuple[int, ...]
    house: int = 0
    multiplier: int = 1
    unit: int = 0
    steps: tuple[LedgerStep, ...] = ()
    house_points: int = 0
    conserved: bool = True


def facts_of(rules: AnyRules) -> tuple[str, ...]:
    """Return the names of the facts that a game's score depends on."""
    return score_facts.names_of(plain_rules(rules))


def multiplier_of(rules: AnyRules, factors: Sequence[int]) -> int:
    """Return what bombs and springs make together: their product, or where it counts, their sum."""
    spec = plain_rules(rules).score
    if spec.combine == "sum":
        return max(1, spec.sum_from + sum(factors))
    return math.prod(factors)


def ladder_step(rules: AnyRules, bomb: str | int) -> Step:
    """Return the row of the bomb ladder that some cards belong to.

    Raises:
        NotationError: if the text cannot be read.
        HandError: if the cards are no bomb of this game.
    """
    return score_facts.ladder_row(plain_rules(rules), bomb)


def score(rules: AnyRules, **facts: object) -> Ledger:
    """Settle a deal from its bare facts.

    Args:
        rules: the game.
        facts: ``landlords`` (seats; none for a deal thrown in), ``bid``, ``out`` (the seat that
            went out), ``plays`` (number of plays of each seat, passes not counted), ``bombs``
            (cards of each one played as a bomb), ``stake`` (else the ruleset's), and what else the
            game has: ``factor`` (by seat, or one for every seat), ``robs`` (number), ``shows``
            (factor of each, or their product), ``reveal``, ``doubles`` (number or seats),
            ``declared`` (seats), ``claim``, ``open``, ``face_up_joker``, ``room`` (gold a point),
            ``rake`` (percent, or a share below 1), ``cap``, ``initial_multiplier``, ``gold``
            (owned before, by seat), ``trustee`` (seats), ``fled`` (the first seat that left),
            ``held_bombs`` (still in hands), ``dealt_bombs`` (number) or ``full_hands``.

    Raises:
        DdzError: for a fact that this game does not have, that is missing, or that cannot be.

    >>> from ddz_core.rules import load_ruleset
    >>> bombs = ["5555", "7777", "XD"]
    >>> score(load_ruleset("classic"), landlords=[0], bid=3, out=0, bombs=bombs).points
    (48, -24, -24)
    """
    ruleset = plain_rules(rules)
    told = score_facts.read(ruleset, facts)
    if not told.landlords:
        return _unstarted(ruleset, told)
    return _Settlement(ruleset, told).ledger()


def _unstarted(ruleset: Ruleset, facts: Facts) -> Ledger:
    """Return the ledger of a deal without a landlord: thrown in, or left before there was one."""
    seats = ruleset.deal.seats
    if facts.fled is None or ruleset.leave.bidding != "pays":
        return Ledger(points=(0,) * seats, gold=(0,) * seats, multiplier=0)
    made = _Settlement(ruleset, facts)
    made.step("score.bid", factor=ruleset.auction.levels[-1])
    made.unit = facts.stake * ruleset.auction.levels[-1]
    made.step("score.unit", amount=made.unit)
    made.fine(facts.fled, ruleset.leave.farmer)
    return made.closed()


@dataclass(slots=True)
class _Settlement:
    """A ledger being written, line by line."""

    ruleset: Ruleset
    facts: Facts
    steps: list[LedgerStep] = field(default_factory=list)
    multiplier: int = 1
    unit: int = 0
    weights: list[int] = field(default_factory=list)
    """What each seat gets, in units."""
    fined: list[int] = field(default_factory=list)
    """What each seat pays the house, in points."""
    conserved: bool = True

    def __post_init__(self) -> None:
        self.weights = [0] * self.ruleset.deal.seats
        self.fined = [0] * self.ruleset.deal.seats

    def step(
        self,
        key: str,
        *,
        factor: int | None = None,
        amount: int | None = None,
        seat: int | None = None,
        text: str = "",
    ) -> None:
        """Write one line."""
        self.steps.append(LedgerStep(key=key, factor=factor, amount=amount, seat=seat, cards=text))

    @property
    def ended(self) -> bool:
        """Whether somebody's leaving ended the deal."""
        return self.facts.fled is not None and self.ruleset.leave.play == "ends"

    @property
    def landlords_won(self) -> bool:
        """Whether the landlord's side won."""
        if self.ended:
            return self.facts.fled not in self.facts.landlords
        return self.facts.claim or self.facts.out in self.facts.landlords

    def ledger(self) -> Ledger:
        """Return the ledger of a deal with a landlord."""
        first = self._first_factor()
        self.multiplier = self._multiplier()
        self.unit = self.facts.stake * first * self.multiplier
        self.step("score.unit", amount=self.unit)
        if self.ended:
            self._left_behind()
        else:
            self._sides()
            self._capped()
            self._went()
        return self.closed()

    # --- u ------------------------------------------------------------------------------------

    def _first_factor(self) -> int:
        """Return the bid, or what replaces it."""
        facts = self.facts
        if facts.stake != 1:
            self.step("score.stake", factor=facts.stake)
        row = score_facts.declaration(self.ruleset, "open")
        if facts.opened and row is not None and not self.ended:
            factor = row.win if self.landlords_won else row.loss
            self.step("score.open", factor=factor)
            return factor
        if self.ruleset.score.base == "bid":
            self.step("score.bid", factor=facts.bid)
        return facts.bid

    def _multiplier(self) -> int:
        """Return the product of what multiplies, and of what bombs and springs make."""
        facts, spec = self.facts, self.ruleset.score
        whole = facts.initial
        if whole != 1:
            self.step("score.initial", factor=whole)
        for key, factor, number in (
            ("score.rob", self.ruleset.auction.rob, facts.robs),
            ("score.reveal", self._declared_factor("reveal"), int(facts.reveal)),
            ("score.double", self._declared_factor("double"), facts.doubles),
        ):
            for _ in range(number):
                self.step(key, factor=factor)
                whole *= factor
        for factor in facts.shows:
            self.step("score.show", factor=factor)
            whole *= factor
        if not facts.claim:
            counted = self._bombs()
            if not self.ended:
                counted += self._springs()
            added = multiplier_of(self.ruleset, [step.factor or 0 for step in counted])
            self._count(counted, added)
            whole *= added
        if facts.joker and spec.face_up_joker > 1 and not self.ended:
            self.step("score.face_up_joker", factor=spec.face_up_joker)
            whole *= spec.face_up_joker
        return whole

    def _count(self, counted: Sequence[LedgerStep], total: int) -> None:
        """Write what bombs and springs make, as factors or as a sum."""
        if self.ruleset.score.combine == "product":
            self.steps += counted
            return
        self.steps += [
            replace(one, key=one.key.replace("score.", "score.plus.")) for one in counted
        ]
        self.step("score.sum", factor=total)

    def _declared_factor(self, name: str) -> int:
        """Return the factor of a declaration."""
        row = score_facts.declaration(self.ruleset, name)
        return 1 if row is None else row.factor

    def _bombs(self) -> list[LedgerStep]:
        """Return one step for each bomb that counts."""
        facts, leave = self.facts, self.ruleset.leave
        which = "played"
        if self.ended:
            landlord = facts.fled in facts.landlords
            which = leave.landlord_bombs if landlord else leave.farmer_bombs
        if which == "dealt" and facts.dealt is not None:
            factor = max((s.factor for s in self.ruleset.ladder_in_force()), default=1)
            return [LedgerStep(key="score.dealt_bombs", factor=factor)] * facts.dealt
        adds = self.ruleset.score.combine == "sum"
        steps = []
        for packed, row in (*facts.bombs, *(facts.held if which == "held" else ())):
            factor = row.adds if adds else row.factor
            if factor != (0 if adds else 1):
                text = cards.format_cards(packed)
                steps.append(LedgerStep(key=f"score.{row.id}", factor=factor, cards=text))
        return steps

    def _springs(self) -> list[LedgerStep]:
        """Return the step for a spring or an anti-spring, where the game counts it."""
        facts, spec = self.facts, self.ruleset.score
        if facts.plays is None:
            return []
        if self.landlords_won:
            farmers = sum(n for seat, n in enumerate(facts.plays) if seat not in facts.landlords)
            if spec.spring > 1 and farmers == 0:
                return [LedgerStep(key="score.spring", factor=spec.spring)]
        elif spec.anti_spring > 1 and sum(facts.plays[seat] for seat in facts.landlords) == 1:
            return [LedgerStep(key="score.anti_spring", factor=spec.anti_spring)]
        return []

    # --- who gets what ------------------------------------------------------------------------

    def _sides(self) -> None:
        """Let every farmer settle with every landlord, by the factors of single seats."""
        sign = 1 if self.landlords_won else -1
        for seat in range(self.ruleset.deal.seats):
            if seat in self.facts.landlords:
                continue
            factor = self._seat_factor(seat)
            for landlord in self.facts.landlords:
                self.weights[landlord] += sign * factor
                self.weights[seat] -= sign * factor

    def _seat_factor(self, seat: int) -> int:
        """Return what one farmer's result is multiplied by."""
        facts = self.facts
        factor = facts.factors[seat]
        if factor != 1:
            self.step("score.factor", factor=factor, seat=seat)
        won = self.landlords_won
        row = score_facts.declaration(self.ruleset, "declare")
        if row is not None and not facts.claim:
            winners = facts.landlords if won else (seat,)
            if any(one in facts.declared for one in winners):
                self.step("score.declared", factor=row.factor, seat=seat)
                factor *= row.factor
        trusted = self._trustee_factor(seat) if facts.trustee else 1
        if trusted != 1:
            self.step("score.trustee", factor=trusted, seat=seat)
        return factor * trusted

    def _trustee_factor(self, seat: int) -> int:
        """Return what machines playing for people make of one farmer's result."""
        spec, facts = self.ruleset.trustee, self.facts
        landlord = any(one in facts.trustee for one in facts.landlords)
        partners = any(one in facts.trustee for one in facts.trustee if one not in facts.landlords)
        if self.landlords_won:
            own = spec.loss if seat in facts.trustee else 1
            return own * (spec.win if landlord else 1)
        own = spec.win if seat in facts.trustee else (spec.partner_win if partners else 1)
        return own * (spec.loss if landlord else 1)

    def _capped(self) -> None:
        """Lower the unit so that the winners together get no more than the cap."""
        total = sum(weight for weight in self.weights if weight > 0)
        if self.facts.cap and total * self.unit > self.facts.cap:
            self.unit = self.facts.cap // total
            self.step("score.cap", amount=self.unit)

    def _went(self) -> None:
        """Settle for one who left while a machine played on."""
        spec, seat = self.ruleset.leave, self.facts.fled
        if seat is None:
            return
        if seat not in self.facts.landlords and self.landlords_won and spec.pays_for_partners:
            for other in range(self.ruleset.deal.seats):
                if other != seat and other not in self.facts.landlords:
                    self.weights[seat] += self.weights[other]
                    self.weights[other] = 0
            self.step("score.fled", seat=seat, amount=self.weights[seat] * self.unit)
        elif seat not in self.facts.landlords and not self.landlords_won and spec.gain != 1:
            self.weights[seat] *= spec.gain
            self.conserved = False
            self.step("score.fled", seat=seat, amount=self.weights[seat] * self.unit)
        if spec.penalty:
            self.fined[seat] = spec.penalty * self.facts.initial

    def _left_behind(self) -> None:
        """Settle a deal that ended because somebody left."""
        spec, seat = self.ruleset.leave, self.facts.fled
        assert seat is not None
        is_landlord = seat in self.facts.landlords
        if spec.to == "house":
            self.fine(seat, spec.landlord if is_landlord else spec.farmer)
            return
        others = (
            [one for one in range(self.ruleset.deal.seats) if one not in self.facts.landlords]
            if is_landlord
            else list(self.facts.landlords)
        )
        for other in others:
            due = spec.landlord if is_landlord else spec.farmer
            self.weights[other] += due
            self.weights[seat] -= due
        self.step("score.fled", seat=seat, amount=self.weights[seat] * self.unit)

    def fine(self, seat: int, units: int) -> None:
        """Let a seat pay the house."""
        self.fined[seat] = units * self.unit
        self.step("score.fled", seat=seat, amount=-self.fined[seat])

    # --- gold ---------------------------------------------------------------------------------

    def closed(self) -> Ledger:
        """Return the ledger: what is owned, rake and penalties come last."""
        facts, spec = self.facts, self.ruleset.score
        points = [weight * self.unit for weight in self.weights]
        gold = [amount * facts.room for amount in points]
        if spec.limit == "owned" and facts.gold is not None:
            gold = self._owned(gold, facts.gold)
        kept = [max(0, math.floor(amount * facts.rake)) for amount in gold]
        for seat, rake in enumerate(kept):
            if rake:
                self.step("score.rake", amount=-rake, seat=seat)
        by_points = spec.raked == "points" and facts.room == 1 and spec.limit == "none"
        house_points = sum(self.fined)
        for seat, fine in enumerate(self.fined):
            if fine and not self.ended and facts.landlords:
                self.step("score.penalty", amount=-fine, seat=seat)
            points[seat] -= fine + (kept[seat] if by_points else 0)
            gold[seat] -= fine * facts.room + kept[seat]
        if by_points:
            house_points += sum(kept)
        for seat, amount in enumerate(points):
            self.step("score.points", amount=amount, seat=seat)
        if gold != points:
            for seat, amount in enumerate(gold):
                self.step("score.gold", amount=amount, seat=seat)
        return Ledger(
            points=tuple(points),
            gold=tuple(gold),
            house=sum(self.fined) * facts.room + sum(kept),
            multiplier=self.multiplier,
            unit=self.unit,
            steps=tuple(self.steps),
            house_points=house_points,
            conserved=self.conserved,
        )

    def _owned(self, gold: list[int], owned: Sequence[int]) -> list[int]:
        """Return payments cut to what each payer owns; an odd coin that cannot be shared stays."""
        due = {seat: -amount for seat, amount in enumerate(gold) if amount < 0}
        gains = {seat: amount for seat, amount in enumerate(gold) if amount > 0}
        total = sum(gains.values())
        paid = [0] * len(gold)
        for seat, amount in due.items():
            most = min(amount, owned[seat])
            if most < amount:
                self.step("score.limit", amount=most, seat=seat)
            for winner, gain in gains.items():
                part = most * gain // total
                paid[winner] += part
                paid[seat] -= part
        return paid
