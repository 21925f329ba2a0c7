"""How the landlord is found: a small closed set of named procedures.

Layer 1. A procedure is a function of the calls made so far: it says whose turn it is and which
calls are legal, or how the bidding ended. It holds no state, so replaying, taking back and asking
"what if" need nothing else. :data:`MECHANISMS` is the registry; the table of a ruleset's
``[auction]`` names one and gives its parameters. A further procedure is one more class here and
changes nothing in the game, which only reads the :class:`Bidding` it returns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeAlias

from ddz_core import cards
from ddz_core.errors import DdzError, IllegalAction
from ddz_core.specs import Auction, Forced, Need

PASS, CALL, ROB, TAKE, CEDE = "pass", "call", "rob", "take", "cede"

Status: TypeAlias = Literal["ask", "landlord", "redeal", "over", "illegal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bidding:
    """Where a bidding stands.

    Attributes:
        status: ``ask`` (a seat is to speak), ``landlord`` (found), ``redeal`` (thrown in), ``over``
            (the deal is won unplayed) or ``illegal`` (a call was refused; the rest tells what
            could have been called instead).
        seat: the seat asked, or the landlord, or who won unplayed; None after a redeal.
        legal: the calls open to the seat asked, as texts; empty when nobody is asked.
        contract: the highest bid, 0 before any.
        multiplier: what the bidding itself multiplies the stake by.
        at: index of the refused call, None unless ``illegal``.
        points: points by seat of a deal won unplayed at stake 1, else empty.
        reason: why the call was refused, None unless ``illegal``.
        forced: ids of the duties that leave no more than ``legal``; empty where nothing forces.
        robs: how often a call was taken away.
        opened: whether the bottom was opened to all.
        partner: the seat of a hidden partner, where the facts told it; else None.
    """

    status: Status
    seat: int | None = None
    legal: tuple[str, ...] = ()
    contract: int = 0
    multiplier: int = 1
    at: int | None = None
    points: tuple[int, ...] = ()
    reason: IllegalAction | None = None
    forced: tuple[str, ...] = ()
    robs: int = 0
    opened: bool = False
    partner: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a procedure may want to know besides the calls, in one form.

    Attributes:
        hands: packed cards dealt to the seats that are known.
        bottom: packed bottom cards, None if not told.
        holder: the seat that holds the face-up card, None if not told.
        shown_before: seats that showed their cards before the deal, in the order of showing.
        twin: the seat that holds the twin of the face-up card, None if not told.
        revealed: whether one of the two landlords let the partner be known.
        doubles: how many seats doubled.
    """

    hands: Mapping[int, cards.Hand]
    bottom: cards.Hand | None = None
    holder: int | None = None
    shown_before: tuple[int, ...] = ()
    twin: int | None = None
    revealed: bool = False
    doubles: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What a procedure is told: the parameters, the seats, who speaks first, the facts it needs."""

    spec: Auction
    seats: int
    first: int
    facts: Facts
    factors: Mapping[str, int]
    """Factors of declarations that the facts can speak of, by id."""
    all_jokers: int
    """The number of jokers in the game."""

    def seat(self, turn: int) -> int:
        """Return the seat that speaks at a turn counted from 0."""
        return (self.first + turn) % self.seats


class Mechanism(Protocol):
    """One procedure."""

    def judge(self, table: Table, calls: Sequence[str]) -> Bidding:
        """Return where the bidding stands after these calls, each of which was legal."""
        ...


# --- duties --------------------------------------------------------------------------------------


def bombs_in(hand: cards.Hand, all_jokers: int) -> int:
    """Count the bombs of a hand for duties.

    Every rank held four or more times is one, and so are all jokers of two packs together.
    """
    counts = cards.counts_of(hand)
    jokers = counts[cards.SMALL_JOKER] + counts[cards.BIG_JOKER]
    ranks = sum(1 for count in counts[: cards.SMALL_JOKER] if count >= 4)
    return ranks + (all_jokers >= 4 and jokers == all_jokers)


def meets(hand: cards.Hand, need: Need, all_jokers: int) -> bool:
    """Tell whether a hand holds what is needed."""
    counts = cards.counts_of(hand)
    small, big = counts[cards.SMALL_JOKER], counts[cards.BIG_JOKER]
    return (
        bombs_in(hand, all_jokers) >= need.bombs
        and small >= need.small_jokers
        and big >= need.big_jokers
        and small + big >= need.jokers
    )


def duties(table: Table, hand: cards.Hand) -> tuple[Forced, ...]:
    """Return the duties that a hand puts on its seat."""
    return tuple(row for row in table.spec.forced if meets(hand, row.need, table.all_jokers))


def _bound(table: Table, now: Bidding, calls: Sequence[str]) -> Bidding:
    """Return a question with only the calls that the seat's duty leaves; one bid fulfils it."""
    seat = now.seat
    if seat is None or now.status != "ask" or seat not in table.facts.hands:
        return now
    spoken = [call for turn, call in enumerate(calls) if table.seat(turn) == seat]
    due = duties(table, table.facts.hands[seat])
    bids = tuple(call for call in now.legal if call != PASS)
    if not due or not bids or any(call != PASS for call in spoken):
        return now
    top = [row for row in due if row.duty == "top"]
    if top:
        return replace(now, legal=bids[-1:], forced=tuple(row.id for row in top))
    return replace(now, legal=bids, forced=tuple(row.id for row in due))


# --- bids of numbers -----------------------------------------------------------------------------


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


def _tested(table: Table) -> Bidding:
    """Return what the bottom makes of the last seat, which is not asked: landlord or winner."""
    seat = table.seat(table.seats - 1)
    hand, bottom = table.facts.hands.get(seat), table.facts.bottom
    if hand is None or bottom is None:
        missing = "hands" if hand is None else "bottom"
        raise DdzError(
            f"{missing}: the cards of seat {seat} and the bottom decide here; they are not told",
            key="error.auction.untold",
            field=missing,
            expected=f"hands, bottom ({seat})",
            got="",
        )
    whole = hand + bottom
    level = table.spec.levels[0]
    if duties(table, whole) and meets(whole, table.spec.last_needs, table.all_jokers):
        return Bidding(status="landlord", seat=seat, contract=level, opened=True)
    points = tuple(
        level * (table.seats - 1) if one == seat else -level for one in range(table.seats)
    )
    return Bidding(status="over", seat=seat, points=points, opened=True)


def _asked(table: Table, calls: Sequence[str], contract: int) -> Bidding:
    """Return the question to the next seat."""
    now = Bidding(
        status="ask",
        seat=table.seat(len(calls)),
        legal=_options(table, contract),
        contract=contract,
    )
    return _bound(table, now, calls)


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
        return _asked(table, calls, contract)


class OneBid:
    """Bidding in which every seat speaks exactly once."""

    def judge(self, table: Table, calls: Sequence[str]) -> Bidding:
        """Return where the bidding stands; see :class:`Mechanism`."""
        contract, turn = _highest(calls)
        if turn < 0 and table.spec.all_pass == "last_tested" and len(calls) == table.seats - 1:
            return _tested(table)
        topped = table.spec.top_ends and contract == table.spec.levels[-1]
        if topped or len(calls) == table.seats:
            if turn < 0:
                return _nobody(table)
            return Bidding(status="landlord", seat=table.seat(turn), contract=contract)
        return _asked(table, calls, contract)


# --- other words ---------------------------------------------------------------------------------


class Call:
    """Calling in turn; the first call ends it, or everybody who has not refused may rob it once.

    The caller is asked last, and only if somebody robbed. Whoever showed its cards before the deal
    speaks first and takes it when all refuse.
    """

    def judge(self, table: Table, calls: Sequence[str]) -> Bidding:
        """Return where the bidding stands; see :class:`Mechanism`."""
        shown = table.facts.shown_before
        first = shown[0] if shown else table.first
        factor = table.spec.show_before ** len(shown)

        def seat(turn: int) -> int:
            return (first + turn) % table.seats

        if CALL not in calls:
            if len(calls) < table.seats:
                legal = (PASS, CALL)
                return Bidding(status="ask", seat=seat(len(calls)), legal=legal, multiplier=factor)
            if shown:
                return Bidding(status="landlord", seat=first, multiplier=factor)
            return _nobody(replace(table, first=first))
        caller = calls.index(CALL)
        answers = calls[caller + 1 :]
        robs = answers.count(ROB)
        factor *= table.spec.rob**robs
        asked = range(caller + 1, table.seats) if table.spec.rob > 1 else range(0)
        if len(answers) < len(asked):
            turn = asked[len(answers)]
        elif robs and len(answers) == len(asked):
            turn = caller
        else:
            turns = [*asked, caller]
            holder = next(
                (turns[at] for at in reversed(range(len(answers))) if answers[at] == ROB), caller
            )
            return Bidding(status="landlord", seat=seat(holder), multiplier=factor, robs=robs)
        return Bidding(
            status="ask", seat=seat(turn), legal=(PASS, ROB), multiplier=factor, robs=robs
        )


class Cede:
    """The holder of the face-up card takes the bottom or cedes it to the next, and so on round.

    If all cede, it is the holder.
    """

    def judge(self, table: Table, calls: Sequence[str]) -> Bidding:
        """Return where the bidding stands; see :class:`Mechanism`."""
        first = table.first if table.facts.holder is None else table.facts.holder
        if TAKE in calls or len(calls) == table.seats:
            turn = calls.index(TAKE) if TAKE in calls else 0
            return Bidding(status="landlord", seat=(first + turn) % table.seats)
        turn = (first + len(calls)) % table.seats
        return Bidding(status="ask", seat=turn, legal=(TAKE, CEDE))


class Holder:
    """The holder of the face-up card is landlord without being asked; its twin makes a partner."""

    def judge(self, table: Table, calls: Sequence[str]) -> Bidding:  # noqa: ARG002
        """Return where the bidding stands; see :class:`Mechanism`."""
        facts = table.facts
        seat = table.first if facts.holder is None else facts.holder
        partner = facts.twin if facts.twin != seat else None
        factor = table.factors.get("double", 1) ** facts.doubles
        if facts.revealed and (partner is not None or facts.twin is None):
            factor *= table.factors.get("reveal", 1)
        return Bidding(status="landlord", seat=seat, multiplier=factor, partner=partner)


MECHANISMS: dict[str, Mechanism] = {
    "auction": Rounds(),
    "one_bid": OneBid(),
    "call": Call(),
    "cede": Cede(),
    "holder": Holder(),
}
"""The procedures by the name that rulesets use."""


def facts_from(given: Mapping[str, Any], seats: int) -> Facts:
    """Return facts as people tell them in their one form.

    Args:
        given: ``hands`` (a mapping of seats, or all hands in order; text or packed), ``bottom``,
            ``face_up`` and ``twin`` (a seat, or card and seat), ``shown_before`` (seats in order),
            ``reveal`` (yes or no, or who said yes), ``doubles`` (how many, or who doubled).
        seats: number of seats.

    Raises:
        DdzError: if one of them cannot be read; it names the fact.
    """
    hands = given.get("hands")
    if hands is None:
        hands = {}
    elif isinstance(hands, (list, tuple)):
        hands = dict(enumerate(hands))
    elif not isinstance(hands, Mapping):
        raise DdzError(
            f"hands: expected cards by seat, got {type(hands).__name__}",
            key="error.score.value",
            field="hands",
            expected="{0: 33…}",
            got=type(hands).__name__,
        )
    bottom = given.get("bottom")
    doubles = given.get("doubles")
    return Facts(
        hands={
            _seat("hands", seat, seats): cards.parse_cards(hand) for seat, hand in hands.items()
        },
        bottom=None if bottom is None else cards.parse_cards(bottom),
        holder=_place("face_up", given.get("face_up"), seats),
        shown_before=_seats("shown_before", given.get("shown_before"), seats),
        twin=_place("twin", given.get("twin"), seats),
        revealed=bool(_seats("reveal", given.get("reveal"), seats))
        if not isinstance(given.get("reveal"), (bool, int))
        else bool(given.get("reveal")),
        doubles=doubles
        if isinstance(doubles, int) and 0 <= doubles <= seats
        else len(_seats("doubles", doubles, seats)),
    )


def _seat(field: str, value: object, seats: int) -> int:
    """Return a seat."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < seats:
        raise DdzError(
            f"{field}: expected a seat from 0 to {seats - 1}, got {value!r}",
            key="error.deal.seat",
            field=field,
            expected=f"0–{seats - 1}",
            got=value,
        )
    return value


def _place(field: str, value: object, seats: int) -> int | None:
    """Return the seat of a card told as a seat or as card and seat."""
    if isinstance(value, tuple) and len(value) == 2:
        value = value[1]
    return None if value is None else _seat(field, value, seats)


def _seats(field: str, value: object, seats: int) -> tuple[int, ...]:
    """Return seats told in order, or as yes or no by seat, each once."""
    if value is None:
        return ()
    if isinstance(value, Mapping):
        value = [seat for seat, yes in value.items() if yes]
    if not isinstance(value, (list, tuple, set, frozenset)):
        value = [value]
    told = list(value)
    if told and all(isinstance(one, bool) for one in told) and len(told) <= seats:
        told = [seat for seat, yes in enumerate(told) if yes]
    return tuple(dict.fromkeys(_seat(field, one, seats) for one in told))
