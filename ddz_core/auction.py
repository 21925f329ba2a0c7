"""How the landlord is found: a small closed set of named procedures.

Layer 1. A procedure is a function of the calls made so far: it says whose turn it is and which
calls are legal, or how the bidding ended. It holds no state, so replaying, taking back and asking
"what if" need nothing else. :data:`MECHANISMS` is the registry; the table of a ruleset's
``[auction]`` names one and gives its parameters. A further procedure is one more class here and
changes nothing in the game, which only reads the :class:`Bidding` it returns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from ddz_core.dealing import AnyRules, check_seat, plain_rules
from ddz_core.errors import DdzError, IllegalAction, RulesetError
from ddz_core.specs import Auction, Ruleset

PASS = "pass"

Status: TypeAlias = Literal["ask", "landlord", "redeal", "over", "illegal"]

FACTS = ("hands", "bottom", "face_up", "shown_before", "twin", "reveal", "doubles")
"""What a procedure may want to know besides the calls; none of the present ones uses any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bidding:
    """Where a bidding stands.

    Attributes:
        status: ``ask`` (a seat is to speak), ``landlord`` (found), ``redeal`` (thrown in), ``over``
            (the deal is won unplayed) or ``illegal`` (a call was refused; the rest tells what
            could have been called instead).
        seat: the seat asked, or the landlord; None after a redeal.
        legal: the calls open to the seat asked, as texts; empty when nobody is asked.
        contract: the highest bid, 0 before any.
        multiplier: what the bidding itself multiplies the stake by.
        at: index of the refused call, None unless ``illegal``.
        points: points by seat of a deal won unplayed, else empty.
        reason: why the call was refused, None unless ``illegal``.
    """

    status: Status
    seat: int | None = None
    legal: tuple[str, ...] = ()
    contract: int = 0
    multiplier: int = 1
    at: int | None = None
    points: tuple[int, ...] = ()
    reason: IllegalAction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What a procedure is told: the parameters, the seats, who speaks first, the facts it needs."""

    spec: Auction
    seats: int
    first: int
    facts: Mapping[str, Any]

    def seat(self, turn: int) -> int:
        """Return the seat that speaks at a turn counted from 0."""
        return (self.first + turn) % self.seats


class Mechanism(Protocol):
    """One procedure."""

    def judge(self, table: Table, calls: Sequence[str]) -> Bidding:
        """Return where the bidding stands after these calls, each of which was legal."""
        ...


def _options(table: Table, contract: int) -> tuple[str, ...]:
    """Return pass and every level above the contract."""
    return (PASS, *(str(level) for level in table.spec.levels if level > contract))


def _highest(calls: Sequence[str]) -> tuple[int, int]:
    """Return the highest bid and the turn at which it was made; no bid: 0 and -1."""
    turns = [turn for turn, call in enumerate(calls) if call != PASS]
    return (int(calls[turns[-1]]), turns[-1]) if turns else (0, -1)


def _nobody(table: Table) -> Bidding:
    """Return what happens when nobody bids."""
    if table.spec.all_pass == "first_at_lowest":
        return Bidding(status="landlord", seat=table.first, contract=table.spec.levels[0])
    return Bidding(status="redeal")


class Rounds:
    """Bidding that goes round until everybody else has passed in a row after a bid."""

    def judge(self, table: Table, calls: Sequence[str]) -> Bidding:
        """Return where the bidding stands; see :class:`Mechanism`."""
        contract, turn = _highest(calls)
        if turn < 0:
            if len(calls) == table.seats:
                return _nobody(table)
        elif (table.spec.top_ends and contract == table.spec.levels[-1]) or (
            len(calls) - 1 - turn == table.seats - 1
        ):
            return Bidding(status="landlord", seat=table.seat(turn), contract=contract)
        return Bidding(
            status="ask",
            seat=table.seat(len(calls)),
            legal=_options(table, contract),
            contract=contract,
        )


class OneBid:
    """Bidding in which every seat speaks exactly once."""

    def judge(self, table: Table, calls: Sequence[str]) -> Bidding:
        """Return where the bidding stands; see :class:`Mechanism`."""
        contract, turn = _highest(calls)
        topped = table.spec.top_ends and contract == table.spec.levels[-1]
        if topped or len(calls) == table.seats:
            if turn < 0:
                return _nobody(table)
            return Bidding(status="landlord", seat=table.seat(turn), contract=contract)
        return Bidding(
            status="ask",
            seat=table.seat(len(calls)),
            legal=_options(table, contract),
            contract=contract,
        )


MECHANISMS: dict[str, Mechanism] = {"auction": Rounds(), "one_bid": OneBid()}
"""The procedures by the name that rulesets use."""


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


def judge(
    ruleset: Ruleset, calls: Sequence[str], *, first: int, facts: Mapping[str, Any]
) -> Bidding:
    """Return where a bidding stands after calls that are known to be legal.

    Cost: a few microseconds.
    """
    table = Table(spec=ruleset.auction, seats=ruleset.deal.seats, first=first, facts=facts)
    return mechanism_of(ruleset).judge(table, calls)


def refusal(now: Bidding, call: object) -> IllegalAction | None:
    """Return why a call is not legal where the bidding stands, or None if it is."""
    text = normal_call(call)
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
        calls: in the order in which they were made, ``"pass"`` or a number (or its text).
        first: the seat that spoke first.
        facts: what the procedure needs besides, by the names in :data:`FACTS`.

    Returns:
        Where it stands; a call that is refused stops the replay with status ``illegal``.

    Raises:
        DdzError: for a seat that does not exist or a fact that no procedure knows.
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
    made: list[str] = []
    now = judge(ruleset, made, first=first, facts=facts)
    for at, call in enumerate(calls):
        why = refusal(now, call)
        if why is not None:
            return Bidding(
                status="illegal",
                seat=now.seat,
                legal=now.legal,
                contract=now.contract,
                multiplier=now.multiplier,
                at=at,
                points=now.points,
                reason=why,
            )
        made.append(normal_call(call))
        now = judge(ruleset, made, first=first, facts=facts)
    return now
