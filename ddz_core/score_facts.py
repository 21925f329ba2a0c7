"""The bare facts that a score depends on: which ones a game has, and reading what people tell.

Layer 1. People tell seats, numbers and cards; :func:`read` turns them into one frozen value and
refuses whatever cannot be, naming the fact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ddz_core import cards
from ddz_core.dealing import check_cards, check_seat
from ddz_core.errors import DdzError, HandError
from ddz_core.specs import Declaration, Ruleset, Step

ALWAYS = ("landlords", "bid", "out", "plays", "bombs", "stake")
"""Facts that every game takes; what else counts depends on the ruleset."""

RAISE_EACH = "raise_each"
"""The declaration by which each farmer multiplies its own result; its fact is ``factor``."""

LARGEST = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What happened in a deal, as far as the score needs it.

    Attributes:
        landlords: the seats of the landlord's side, low to high; none in a deal thrown in.
        bid: the first factor.
        out: the seat that went out; None where the deal ended otherwise.
        plays: number of plays of each seat, None if not told.
        bombs: the bombs that count by being played, packed, with their rows of the ladder.
        stake: points of the game for one.
        factors: each seat's own factor.
        robs: how often a call was taken away.
        shows: what each showing of cards multiplies by.
        reveal: whether the hidden partner was let known at the start.
        doubles: how many doubled.
        declared: seats that declared their bombs.
        claim: whether a landlord claimed the deal with its declaration.
        opened: whether the landlord played with open cards.
        joker: whether the card shown while dealing was a joker.
        room: gold for a point.
        rake: the house's part of each gain.
        cap: the most that the winners get, 0 for no limit.
        initial: what the multiplier begins with.
        gold: what each seat owned before, None where that is no matter.
        trustee: seats that let a machine play.
        fled: the seat that left first, or None.
        held: bombs still held, packed, with their rows of the ladder.
        dealt: number of bombs in the hands at the first lead, None if not told.
    """

    landlords: tuple[int, ...]
    bid: int = 1
    out: int | None = None
    plays: tuple[int, ...] | None = None
    bombs: tuple[tuple[cards.Hand, Step], ...] = ()
    stake: int = 1
    factors: tuple[int, ...] = ()
    robs: int = 0
    shows: tuple[int, ...] = ()
    reveal: bool = False
    doubles: int = 0
    declared: tuple[int, ...] = ()
    claim: bool = False
    opened: bool = False
    joker: bool = False
    room: int = 1
    rake: Fraction = Fraction(0)
    cap: int = 0
    initial: int = 1
    gold: tuple[int, ...] | None = None
    trustee: tuple[int, ...] = ()
    fled: int | None = None
    held: tuple[tuple[cards.Hand, Step], ...] = ()
    dealt: int | None = None


def declaration(ruleset: Ruleset, name: str) -> Declaration | None:
    """Return the row of a declaration, or None if the game has none of this id."""
    return next((row for row in ruleset.declare if row.id == name), None)


def names_of(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the names of the facts that a game's score depends on."""
    score, leave, declares = ruleset.score, ruleset.leave, {row.id for row in ruleset.declare}
    counted = (leave.landlord_bombs, leave.farmer_bombs)
    ends = leave.play == "ends"
    has: dict[str, bool] = {
        "factor": RAISE_EACH in declares,
        "robs": ruleset.auction.rob > 1,
        "shows": ruleset.auction.show_before > 1 or "show" in declares,
        "reveal": "reveal" in declares,
        "doubles": "double" in declares,
        "declared": "declare" in declares,
        "claim": "declare" in declares,
        "open": "open" in declares,
        "face_up_joker": score.face_up_joker > 1,
        **dict.fromkeys(map(str, score.room_values), True),
        "gold": score.limit == "owned",
        "trustee": ruleset.trustee.on,
        "fled": ends or leave.penalty > 0 or leave.bidding == "pays",
        "held_bombs": ends and "held" in counted,
        "dealt_bombs": ends and "dealt" in counted,
        "full_hands": ends and ("dealt" in counted or "held" in counted),
    }
    return (*ALWAYS, *(name for name, there in has.items() if there))


def wrong(field: str, expected: object, got: object) -> DdzError:
    """Return the error for a fact that cannot be."""
    return DdzError(
        f"{field}: expected {expected}, got {got!r}",
        key="error.score.value",
        field=field,
        expected=expected,
        got=got,
    )


def ladder_row(ruleset: Ruleset, bomb: str | int) -> Step:
    """Return the row of the bomb ladder that some cards belong to.

    Raises:
        NotationError: if the text cannot be read.
        HandError: if the cards are no bomb of this game.
    """
    packed = cards.parse_cards(bomb)
    text = cards.format_cards(packed)
    size = cards.size_of(packed)
    wilds = wild_cards(ruleset, packed)
    natural = [count for count in cards.counts_of(packed - wilds) if count]
    number = cards.size_of(wilds)
    kinds = {"any": True, "none": not number}
    kinds |= {"mixed": bool(number and natural), "pure": bool(number and not natural)}
    if ruleset.wilds.mode == "rank" and not ruleset.wilds.rank and len(natural) == 2:
        natural, kinds = [size], {**kinds, "none": False, "mixed": True}  # any rank may be wild
    for step in ruleset.ladder_in_force():
        if any(text in one.split("=") for one in step.cards):
            return step
    for step in ruleset.ladder_in_force():
        if step.size and step.size == size and len(natural) < 2 and kinds[step.wild]:
            return step
    raise HandError(
        f"{text or bomb!r} is no bomb of this game",
        key="error.score.bomb",
        field="bombs",
        expected=", ".join(dict.fromkeys(step.id for step in ruleset.ladder_in_force())),
        got=text or bomb,
    )


def wild_cards(ruleset: Ruleset, hand: cards.Hand) -> cards.Hand:
    """Return those cards of a hand that are wild."""
    lanes = {
        "none": (),
        "rank": (cards.LANE[ruleset.wilds.rank],) if ruleset.wilds.rank else (),
        "red7": (cards.MARKED,),
        "jokers": (cards.SMALL_JOKER, cards.BIG_JOKER),
    }[ruleset.wilds.mode]
    return sum(hand & (15 << 4 * lane) for lane in lanes)


def most_bombs(ruleset: Ruleset, hand: cards.Hand) -> int:
    """Count the most bombs that a hand could be cut into, wilds used as best, a rocket as one."""
    wilds = wild_cards(ruleset, hand)
    free = cards.size_of(wilds)
    counts = cards.counts_of(hand - wilds)
    size = min((step.size for step in ruleset.ladder_in_force() if step.size), default=4)
    found = sum(
        1
        for step in ruleset.ladder_in_force()
        if step.cards and cards.contains(hand, cards.parse_cards(step.cards[0].split("=")[0]))
    )
    lacking = sorted(
        size - min(count % size or size, size)
        for count in counts[: cards.SMALL_JOKER]
        if count % size or count >= size
    )
    found += sum(max(count // size - 1, 0) for count in counts[: cards.SMALL_JOKER])
    for lack in [*lacking, *([size] if free >= size else [])]:
        if lack <= free:
            free -= lack
            found += 1
    return found


def read(ruleset: Ruleset, given: Mapping[str, Any]) -> Facts:
    """Return facts as people tell them in their one form.

    Raises:
        DdzError: for a fact that this game does not have, that is missing, or that cannot be.
    """
    names = names_of(ruleset)
    for name in given:
        if name not in names:
            raise DdzError(
                f"score: this game has no fact {name!r}; it has {', '.join(names)}",
                key="error.score.fact",
                field=name,
                expected=", ".join(names),
                got=name,
            )
    seats = ruleset.deal.seats
    landlords = _landlords(given.get("landlords"), seats)
    fled = _fled(given.get("fled"), seats)
    common: dict[str, Any] = {
        "landlords": landlords,
        "fled": fled,
        "stake": _number("stake", given.get("stake", ruleset.score.stake), 1, LARGEST),
        "gold": _gold(given.get("gold"), seats),
        **_room_values(ruleset, given),
    }
    if not landlords:
        return Facts(**common)
    if len(landlords) == seats:
        raise wrong("landlords", f"1–{seats - 1}", landlords)
    ended = fled is not None and ruleset.leave.play == "ends"
    claim = _flag("claim", given.get("claim", False))
    out = None
    if not ended and not claim:
        if "out" not in given:
            raise wrong("out", f"0–{seats - 1}", "")
        out = check_seat(seats, given["out"], field="out")
    show = declaration(ruleset, "show")
    return Facts(
        **common,
        bid=_bid(ruleset, given.get("bid")),
        out=out,
        plays=_plays(given.get("plays"), seats, out),
        bombs=_bombs(ruleset, "bombs", given.get("bombs", ())),
        factors=_factors(ruleset, given.get("factor"), landlords),
        robs=_number("robs", given.get("robs", 0), 0, seats),
        shows=_shows(
            given.get("shows"), ruleset.auction.show_before, show.factor if show else 1, seats
        ),
        reveal=bool(given.get("reveal", False)),
        doubles=_count("doubles", given.get("doubles", 0), seats),
        declared=_some_seats("declared", given.get("declared"), seats),
        claim=claim,
        opened=_flag("open", given.get("open", False)),
        joker=_flag("face_up_joker", given.get("face_up_joker", False)),
        trustee=_some_seats("trustee", given.get("trustee"), seats),
        held=_held(ruleset, given),
        dealt=_dealt(ruleset, given),
    )


def _number(field: str, value: object, low: int, high: int) -> int:
    """Return a whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise wrong(field, f"{low}–{high}", value)
    return value


def _flag(field: str, value: object) -> bool:
    """Return yes or no."""
    if not isinstance(value, bool):
        raise wrong(field, "True, False", value)
    return value


def _landlords(value: object, seats: int) -> tuple[int, ...]:
    """Return the landlords, low to high, each once."""
    if not isinstance(value, (list, tuple, set, frozenset)):
        raise wrong("landlords", "[0]", value)
    return tuple(sorted({check_seat(seats, seat, field="landlords") for seat in value}))


def _some_seats(field: str, value: object, seats: int) -> tuple[int, ...]:
    """Return seats told one by one, as yes or no by seat, or as a single one."""
    if value is None or value is False:
        return ()
    if isinstance(value, Mapping):
        value = [seat for seat, yes in value.items() if yes]
    if not isinstance(value, (list, tuple, set, frozenset)):
        value = [value]
    told = list(value)
    if told and all(isinstance(one, bool) for one in told) and len(told) == seats:
        told = [seat for seat, yes in enumerate(told) if yes]
    return tuple(dict.fromkeys(check_seat(seats, seat, field=field) for seat in told))


def _count(field: str, value: object, seats: int) -> int:
    """Return a number of seats, told as a number or as the seats."""
    if isinstance(value, int) and not isinstance(value, bool):
        return _number(field, value, 0, seats)
    return len(_some_seats(field, value, seats))


def _fled(value: object, seats: int) -> int | None:
    """Return the first seat that left, told as a seat or as all in order."""
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        left = _some_seats("fled", value, seats)
        return left[0] if left else None
    return check_seat(seats, value, field="fled")


def _bid(ruleset: Ruleset, value: object) -> int:
    """Return the first factor: the bid, or one where nobody bids a number."""
    if ruleset.score.base == "one":
        if value not in (None, 0, 1) or isinstance(value, bool):
            raise wrong("bid", "1", value)
        return 1
    if isinstance(value, bool) or value not in ruleset.auction.levels:
        raise wrong("bid", ", ".join(map(str, ruleset.auction.levels)), value)
    return int(value)


def _plays(value: object, seats: int, out: int | None) -> tuple[int, ...] | None:
    """Return the number of plays of each seat, or None if it was not told."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or len(value) != seats:
        raise wrong("plays", f"{seats} × 0–54", value)
    plays = tuple(_number("plays", count, 0, 200) for count in value)
    if out is not None and plays[out] == 0:
        raise wrong("plays", f"plays[{out}] ≥ 1", value)
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
        raise wrong("factor", f"{{{landlords[0]}: {expected}}}", value)
    factors = [1] * seats
    for seat, factor in pairs:
        if isinstance(factor, bool) or factor not in allowed or (seat in landlords and factor != 1):
            raise wrong("factor", expected if seat not in landlords else "1", factor)
        factors[seat] = int(factor)
    return tuple(factors)


def _bombs(ruleset: Ruleset, field: str, value: object) -> tuple[tuple[cards.Hand, Step], ...]:
    """Return bombs packed, with their rows of the ladder."""
    if not isinstance(value, (list, tuple)) or len(value) > 200:
        raise wrong(field, '["5555", "XD"]', value)
    total = 0
    found = []
    for bomb in value:
        if not isinstance(bomb, (str, int)) or isinstance(bomb, bool):
            raise wrong(field, '["5555", "XD"]', bomb)
        step = ladder_row(ruleset, bomb)
        packed = cards.parse_cards(bomb)
        total += packed
        check_cards(ruleset, [(field, total, None)])
        found.append((packed, step))
    return tuple(found)


def _shows(value: object, before: int, after: int, seats: int) -> tuple[int, ...]:
    """Return what each showing multiplies by: told one by one, by name, or as their product."""
    words = {"before": before, "after": after, before: before, after: after}
    if value is None:
        return ()
    if isinstance(value, (list, tuple)):
        if len(value) > seats or any(isinstance(v, bool) or v not in words for v in value):
            raise wrong("shows", f"{before}, {after}", value)
        return tuple(words[one] for one in value if words[one] > 1)
    if isinstance(value, int) and not isinstance(value, bool):
        for number in range(seats + 1):
            for last in (0, 1) if number < seats else (0,):
                if before**number * after**last == value:
                    return (before,) * number + (after,) * last
    raise wrong("shows", f"{before}, {after}", value)


def _gold(value: object, seats: int) -> tuple[int, ...] | None:
    """Return what each seat owned before the deal."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or len(value) != seats:
        raise wrong("gold", f"{seats} × 0–{LARGEST}", value)
    return tuple(_number("gold", one, 0, LARGEST) for one in value)


def _room_values(ruleset: Ruleset, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that a room sets for itself, else the ruleset's."""
    score = ruleset.score
    rake = given.get("rake", score.rake)
    if isinstance(rake, bool) or not isinstance(rake, (int, float)) or not 0 <= rake <= 100:
        raise wrong("rake", "0–100 %", rake)
    share = Fraction(str(rake)) if isinstance(rake, float) and rake < 1 else Fraction(rake) / 100
    initial = given.get("initial_multiplier", score.initial)
    return {
        "room": _number("room", given.get("room", score.room), 1, LARGEST),
        "rake": share,
        "cap": _number("cap", given.get("cap") or score.cap, 0, LARGEST),
        "initial": _number("initial_multiplier", initial, 1, LARGEST),
    }


def _hands(value: object, seats: int) -> list[cards.Hand]:
    """Return hands told in order or by seat."""
    told = list(value.values()) if isinstance(value, Mapping) else value
    if not isinstance(told, (list, tuple)) or len(told) > seats:
        raise wrong("full_hands", f"{seats} × cards", value)
    return [cards.parse_cards(hand) for hand in told]


def _held(ruleset: Ruleset, given: Mapping[str, Any]) -> tuple[tuple[cards.Hand, Step], ...]:
    """Return bombs that are still held, told one by one or by the hands that hold them."""
    if "held_bombs" in given:
        return _bombs(ruleset, "held_bombs", given["held_bombs"])
    if given.get("full_hands") is None:
        return ()
    found = []
    for hand in _hands(given["full_hands"], ruleset.deal.seats):
        found += bombs_held(ruleset, hand)
    return tuple(found)


def bombs_held(ruleset: Ruleset, hand: cards.Hand) -> list[tuple[cards.Hand, Step]]:
    """Return the bombs of a hand, every rank as the largest one it makes, and exact sets."""
    found = []
    for lane, count in enumerate(cards.counts_of(hand)[: cards.SMALL_JOKER]):
        fitting = [s for s in ruleset.ladder_in_force() if s.size and s.size <= count]
        if fitting:
            step = max(fitting, key=lambda one: one.size)
            found.append((step.size << 4 * lane, step))
    for step in ruleset.ladder_in_force():
        for one in step.cards:
            packed = cards.parse_cards(one.split("=")[0])
            if cards.contains(hand, packed):
                found.append((packed, step))
    return found


def _dealt(ruleset: Ruleset, given: Mapping[str, Any]) -> int | None:
    """Return the number of bombs in the hands at the first lead."""
    value = given.get("dealt_bombs")
    if isinstance(value, (list, tuple)):
        return len(value)
    if value is not None:
        return _number("dealt_bombs", value, 0, 60)
    if given.get("full_hands") is None:
        return None
    hands = _hands(given["full_hands"], ruleset.deal.seats)
    return sum(most_bombs(ruleset, hand) for hand in hands)
