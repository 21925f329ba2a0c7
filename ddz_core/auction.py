"""Biddings replayed from their calls: whose turn it is, what is legal, why a call is refused.

Layer 1. The procedures themselves are those of :mod:`ddz_core.procedures`; this module picks the
one that a ruleset names, feeds it with calls and words its refusals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ddz_core import cards
from ddz_core.dealing import AnyRules, check_seat, plain_rules
from ddz_core.errors import DdzError, IllegalAction, RulesetError
from ddz_core.procedures import (
    CEDE,
    MECHANISMS,
    PASS,
    Bidding,
    Facts,
    Mechanism,
    Status,
    Table,
    facts_from,
)
from ddz_core.specs import BombLimit, Ruleset

__all__ = [
    "FACTS",
    "MECHANISMS",
    "PASS",
    "Bidding",
    "Facts",
    "Mechanism",
    "Status",
    "bidding",
    "bomb_limits",
    "call_in",
    "judge",
    "mechanism_of",
    "normal_call",
    "refusal",
]

FACTS = ("hands", "bottom", "face_up", "shown_before", "twin", "reveal", "doubles")
"""What a procedure may want to know besides the calls."""


def mechanism_of(ruleset: Ruleset) -> Mechanism:
    """Return the procedure that a ruleset names.

    Raises:
        RulesetError: if there is no such procedure.
    """
    found = MECHANISMS.get(ruleset.auction.mechanism)
    if found is None:
        raise RulesetError(
            f"auction.mechanism: there is no procedure {ruleset.auction.mechanism!r}; "
            f"there are {', '.join(MECHANISMS)}",
            key="error.ruleset.mechanism",
            field="auction.mechanism",
            expected=", ".join(MECHANISMS),
            got=ruleset.auction.mechanism,
        )
    return found


def normal_call(call: object) -> str:
    """Return a call as its text: a number of any integer type, or a word in any case."""
    return str(call).strip().lower()


def call_in(now: Bidding, call: object) -> str:
    """Return a call as its text where the bidding stands; a pass refuses by whatever word does."""
    text = normal_call(call)
    return CEDE if text == PASS and PASS not in now.legal and CEDE in now.legal else text


def judge(ruleset: Ruleset, calls: Sequence[str], *, first: int, facts: Facts) -> Bidding:
    """Return where a bidding stands after calls that are known to be legal.

    Cost: a few microseconds.
    """
    counts = cards.counts_of(ruleset.deck_cards)
    table = Table(
        spec=ruleset.auction,
        seats=ruleset.deal.seats,
        first=first,
        facts=facts,
        factors={row.id: row.factor for row in ruleset.declare},
        all_jokers=counts[cards.SMALL_JOKER] + counts[cards.BIG_JOKER],
    )
    return mechanism_of(ruleset).judge(table, calls)


def refusal(now: Bidding, call: object) -> IllegalAction | None:
    """Return why a call is not legal where the bidding stands, or None if it is."""
    text = call_in(now, call)
    if text in now.legal:
        return None
    legal = ", ".join(now.legal)
    if now.status != "ask":
        return IllegalAction(
            f"{text!r}: the bidding is over",
            key="error.auction.over",
            field="action",
            expected="",
            got=call,
        )
    if text.isdecimal() and len(text) < 4 and 0 < int(text) <= now.contract:
        return IllegalAction(
            f"{text}: a bid must be higher than the contract, {now.contract}; legal: {legal}",
            key="error.auction.low",
            field="action",
            expected=legal,
            got=call,
            contract=now.contract,
        )
    if now.forced:
        return IllegalAction(
            f"{text!r}: the cards dealt force a bid here ({', '.join(now.forced)}); legal: {legal}",
            key="error.auction.forced",
            field="action",
            expected=legal,
            got=call,
            why=", ".join(now.forced),
        )
    return IllegalAction(
        f"{text!r} is no legal call here; legal: {legal}",
        key="error.auction.call",
        field="action",
        expected=legal,
        got=call,
    )


def bidding(
    rules: AnyRules, calls: Sequence[str | int], *, first: int = 0, **facts: object
) -> Bidding:
    """Replay a bidding from its calls alone.

    Args:
        rules: the game.
        calls: in the order in which they were made, ``"pass"``, another word, or a number.
        first: the seat that spoke first.
        facts: what the procedure needs besides, by the names in :data:`FACTS`; see
            :func:`ddz_core.procedures.facts_from`.

    Returns:
        Where it stands; a call that is refused stops the replay with status ``illegal``.

    Raises:
        DdzError: for a seat that does not exist, a fact that no procedure knows or that cannot be,
            or cards that decide and are not told.
        RulesetError: if the ruleset names an unknown procedure.

    >>> from ddz_core.rules import load_ruleset
    >>> bidding(load_ruleset("classic"), ["pass", 1, 3]).seat
    2
    """
    ruleset = plain_rules(rules)
    check_seat(ruleset.deal.seats, first, field="first")
    for name in facts:
        if name not in FACTS:
            raise DdzError(
                f"bidding: there is no fact {name!r}; there are {', '.join(FACTS)}",
                key="error.auction.fact",
                field=name,
                expected=", ".join(FACTS),
                got=name,
            )
    known = facts_from(facts, ruleset.deal.seats)
    made: list[str] = []
    now = judge(ruleset, made, first=first, facts=known)
    for at, call in enumerate(calls):
        why = refusal(now, call)
        if why is not None:
            return replace(now, status="illegal", at=at, reason=why)
        made.append(call_in(now, call))
        now = judge(ruleset, made, first=first, facts=known)
    return now


def bomb_limits(
    ruleset: Ruleset, calls: Mapping[int, str], landlord: int, contract: int, first: int
) -> tuple[int | None, ...]:
    """Return how many bombs each seat may play after a bidding; None for no limit.

    Args:
        ruleset: the game.
        calls: the last call of every seat that spoke.
        landlord: who plays alone.
        contract: the bid that stands.
        first: who spoke first.
    """
    limits: list[int | None] = []
    for seat in range(ruleset.deal.seats):
        row = None
        if seat != landlord:
            said = calls.get(seat, "")
            by_first = landlord == first
            row = next(
                (r for r in ruleset.auction.bomb_limit if _fits(r, contract, by_first, said)), None
            )
        limits.append(None if row is None else row.bombs)
    return tuple(limits)


def _fits(row: BombLimit, contract: int, by_first: bool, said: str) -> bool:
    """Tell whether a row of limits speaks of this bidding."""
    return (
        (not row.contract or contract in row.contract)
        and (row.by_first is None or row.by_first == by_first)
        and (row.said is None or row.said == said)
    )
