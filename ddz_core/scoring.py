"""What a deal is worth: from its bare facts to a ledger that can be read step by step.

Layer 1. ``u = stake × bid × multiplier`` is what one farmer and one landlord settle, so that with
two farmers the landlord gets or pays ``2u``. The order of the ledger is the one of the rules: u,
then factors of single seats, then their sum. The game settles itself through the same function, so
that a finished game and its facts cannot disagree.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ddz_core import cards
from ddz_core.dealing import AnyRules, check_cards, check_seat, plain_rules
from ddz_core.errors import DdzError, HandError
from ddz_core.specs import Ruleset, Step

ALWAYS = ("landlords", "bid", "out", "plays", "bombs", "stake")
"""Facts that every game takes; what else counts depends on the ruleset."""

RAISE_EACH = "raise_each"
"""The declaration by which each farmer multiplies its own result; its fact is ``factor``."""

LARGEST = 1_000_000_000


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
class Ledger:
    """The result of a deal.

    Attributes:
        points: points of each seat.
        gold: what is paid to each seat; equal to the points in a game without a rate.
        house: what the house gets; points (or gold) and house sum to zero.
        multiplier: the factor on stake and bid, seat factors aside.
        unit: what one farmer and one landlord settle before seat factors.
        steps: how it came about, in order.
    """

    points: tuple[int, ...]
    gold: tuple[int, ...]
    house: int = 0
    multiplier: int = 1
    unit: int = 0
    steps: tuple[LedgerStep, ...] = ()


def facts_of(rules: AnyRules) -> tuple[str, ...]:
    """Return the names of the facts that a game's score depends on."""
    ruleset = plain_rules(rules)
    raises = any(row.id == RAISE_EACH for row in ruleset.declare)
    return (*ALWAYS, "factor") if raises else ALWAYS


def multiplier_of(rules: AnyRules, factors: Sequence[int]) -> int:
    """Return what bombs and springs make together: their product, or where it counts, their sum."""
    if plain_rules(rules).score.combine == "sum":
        return max(1, sum(factors))
    return math.prod(factors)


def ladder_step(rules: AnyRules, bomb: str | int) -> Step:
    """Return the row of the bomb ladder that some cards belong to.

    Raises:
        NotationError: if the text cannot be read.
        HandError: if the cards are no bomb of this game.
    """
    ruleset = plain_rules(rules)
    packed = cards.parse_cards(bomb)
    text = cards.format_cards(packed)
    counts = [count for count in cards.counts_of(packed) if count]
    for step in ruleset.ladder_in_force():
        if text in step.cards or (step.size and counts == [step.size]):
            return step
    raise HandError(
        f"{text or bomb!r} is no bomb of this game",
        key="error.score.bomb",
        field="bombs",
        expected=", ".join(step.id for step in ruleset.ladder_in_force()),
        got=text or bomb,
    )


def score(rules: AnyRules, **facts: object) -> Ledger:
    """Settle a deal from its bare facts.

    Args:
        rules: the game.
        facts: ``landlords`` (seats; none for a deal thrown in), ``bid``, ``out`` (the seat that
            went out), ``plays`` (number of plays of each seat, passes not counted), ``bombs``
            (cards of each one played as a bomb), ``stake`` (else the ruleset's), and where farmers
            may raise, ``factor`` (by seat, or one for every seat).

    Raises:
        DdzError: for a fact that this game does not have, that is missing, or that cannot be.

    >>> from ddz_core.rules import load_ruleset
    >>> bombs = ["5555", "7777", "XD"]
    >>> score(load_ruleset("classic"), landlords=[0], bid=3, out=0, bombs=bombs).points
    (48, -24, -24)
    """
    ruleset = plain_rules(rules)
    for name in facts:
        if name not in facts_of(ruleset):
            raise DdzError(
                f"score: this game has no fact {name!r}; it has {', '.join(facts_of(ruleset))}",
                key="error.score.fact",
                field=name,
                expected=", ".join(facts_of(ruleset)),
                got=name,
            )
    seats = ruleset.deal.seats
    landlords = _seats(facts.get("landlords"), seats)
    if not landlords:
        return Ledger(points=(0,) * seats, gold=(0,) * seats, multiplier=0)
    if len(landlords) == seats:
        raise _wrong("landlords", f"1–{seats - 1}", landlords)
    if "out" not in facts:
        raise _wrong("out", f"0–{seats - 1}", "")
    out = check_seat(seats, facts["out"], field="out")
    plays = _plays(facts.get("plays"), seats, out)
    factors = _factors(ruleset, facts.get("factor"), landlords)

    steps: list[LedgerStep] = []
    stake = _number("stake", facts.get("stake", ruleset.score.stake), 1, LARGEST)
    if stake != 1:
        steps.append(LedgerStep(key="score.stake", factor=stake))
    bid = _bid(ruleset, facts.get("bid"))
    steps.append(LedgerStep(key="score.bid", factor=bid))
    counted = _bombs(ruleset, facts.get("bombs", ()))
    counted += _springs(ruleset, landlords, out, plays)
    multiplier = multiplier_of(ruleset, [step.factor or 0 for step in counted])
    steps += counted
    unit = stake * bid * multiplier
    steps.append(LedgerStep(key="score.unit", amount=unit))

    points = [0] * seats
    sign = 1 if out in landlords else -1
    for seat in range(seats):
        if seat in landlords:
            continue
        if factors[seat] != 1:
            steps.append(LedgerStep(key="score.factor", factor=factors[seat], seat=seat))
        for landlord in landlords:
            points[landlord] += sign * unit * factors[seat]
            points[seat] -= sign * unit * factors[seat]
    steps += [
        LedgerStep(key="score.points", amount=amount, seat=seat)
        for seat, amount in enumerate(points)
    ]
    return Ledger(
        points=tuple(points),
        gold=tuple(points),
        multiplier=multiplier,
        unit=unit,
        steps=tuple(steps),
    )


def _wrong(field: str, expected: object, got: object) -> DdzError:
    """Return the error for a fact that cannot be."""
    return DdzError(
        f"{field}: expected {expected}, got {got!r}",
        key="error.score.value",
        field=field,
        expected=expected,
        got=got,
    )


def _number(field: str, value: object, low: int, high: int) -> int:
    """Return a whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _wrong(field, f"{low}–{high}", value)
    return value


def _seats(value: object, seats: int) -> tuple[int, ...]:
    """Return the landlords, low to high, each once."""
    if not isinstance(value, (list, tuple, set, frozenset)):
        raise _wrong("landlords", "[0]", value)
    return tuple(sorted({check_seat(seats, seat, field="landlords") for seat in value}))


def _bid(ruleset: Ruleset, value: object) -> int:
    """Return the first factor: the bid, or the game's own where nobody bids a number."""
    if ruleset.score.base == "initial":
        return ruleset.score.initial
    if isinstance(value, bool) or value not in ruleset.auction.levels:
        raise _wrong("bid", ", ".join(map(str, ruleset.auction.levels)), value)
    return int(value)


def _plays(value: object, seats: int, out: int) -> tuple[int, ...] | None:
    """Return the number of plays of each seat, or None if it was not told."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or len(value) != seats:
        raise _wrong("plays", f"{seats} × 0–54", value)
    plays = tuple(_number("plays", count, 0, 200) for count in value)
    if plays[out] == 0:
        raise _wrong("plays", f"plays[{out}] ≥ 1", value)
    return plays


def _factors(ruleset: Ruleset, value: object, landlords: Sequence[int]) -> tuple[int, ...]:
    """Return the factor of each seat on its own result; 1 where nothing was declared."""
    seats = ruleset.deal.seats
    if value is None:
        return (1,) * seats
    allowed = next((row.factors for row in ruleset.declare if row.id == RAISE_EACH), (1,))
    expected = ", ".join(map(str, allowed))
    if isinstance(value, Mapping):
        pairs = [(check_seat(seats, seat, field="factor"), f) for seat, f in value.items()]
    elif isinstance(value, (list, tuple)) and len(value) == seats:
        pairs = list(enumerate(value))
    else:
        raise _wrong("factor", f"{{{landlords[0]}: {expected}}}", value)
    factors = [1] * seats
    for seat, factor in pairs:
        if isinstance(factor, bool) or factor not in allowed or (seat in landlords and factor != 1):
            raise _wrong("factor", expected if seat not in landlords else "1", factor)
        factors[seat] = int(factor)
    return tuple(factors)


def _bombs(ruleset: Ruleset, value: object) -> list[LedgerStep]:
    """Return one step for each bomb that counts."""
    if not isinstance(value, (list, tuple)) or len(value) > 200:
        raise _wrong("bombs", '["5555", "XD"]', value)
    total = 0
    steps = []
    for bomb in value:
        if not isinstance(bomb, (str, int)) or isinstance(bomb, bool):
            raise _wrong("bombs", '["5555", "XD"]', bomb)
        step = ladder_step(ruleset, bomb)
        packed = cards.parse_cards(bomb)
        total += packed
        check_cards(ruleset, [("bombs", total, None)])
        factor = step.adds if ruleset.score.combine == "sum" else step.factor
        if factor != (0 if ruleset.score.combine == "sum" else 1):
            steps.append(
                LedgerStep(key=f"score.{step.id}", factor=factor, cards=cards.format_cards(packed))
            )
    return steps


def _springs(
    ruleset: Ruleset, landlords: Sequence[int], out: int, plays: tuple[int, ...] | None
) -> list[LedgerStep]:
    """Return the step for a spring or an anti-spring, where the game counts it."""
    if plays is None:
        return []
    if out in landlords:
        farmers = sum(count for seat, count in enumerate(plays) if seat not in landlords)
        if ruleset.score.spring > 1 and farmers == 0:
            return [LedgerStep(key="score.spring", factor=ruleset.score.spring)]
    elif ruleset.score.anti_spring > 1 and sum(plays[seat] for seat in landlords) == 1:
        return [LedgerStep(key="score.anti_spring", factor=ruleset.score.anti_spring)]
    return []
