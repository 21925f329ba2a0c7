"""Games of Botzone's FightTheLandlord, with and without bidding: cards numbered 0 to 53.

Four numbers for each rank from 3 to A and 2 (hearts, diamonds, spades, clubs), 52 and 53 are the
jokers. Two forms are read: the log of a match (requests of the judge and responses of the bots in
turn), and what one bot saw (``requests`` and ``responses``), where the hands can be told.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ddz_core.cards import RANKS, SUITS
from ddz_core.errors import shortened
from ddz_core.imports import data
from ddz_core.imports.told import BOTTOM, HAND, SEATS, Said, Told, import_error, wrong_field

_ORDER = "♥♦♠♣"
"""Botzone's suits in the order of its numbers."""
_INSIDE = ("log", "logs", "match", "data")


def is_game(value: object) -> bool:
    """Tell whether data is a game of this form."""
    if isinstance(value, Mapping):
        return "requests" in value or any(_is_log(value.get(name)) for name in _INSIDE)
    return _is_log(value)


def _is_log(value: object) -> bool:
    return isinstance(value, (list, tuple)) and any(
        isinstance(one, Mapping) and "output" in one for one in value
    )


def told(value: Any) -> Told:  # noqa: ANN401
    """Return the facts of a game given as data.

    Raises:
        RecordError: if a field is missing or cannot be read; it names the field.
    """
    if isinstance(value, Mapping) and "requests" in value:
        return _of_bot(value)
    if isinstance(value, Mapping):
        log = next(value[name] for name in _INSIDE if _is_log(value.get(name)))
        return _of_match(log, value.get("initdata"))
    return _of_match(value, None)


def card(number: object, field: str) -> str:
    """Return a card's suit and rank from its number."""
    place = data.whole(number, field, 0, 53)
    return "XD"[place - 52] if place >= 52 else _ORDER[place % 4] + RANKS[place // 4]


def number_of(rank: str, suit: str) -> int:
    """Return Botzone's number of a card."""
    if rank in "XD":
        return 52 + "XD".index(rank)
    return 4 * RANKS.index(rank) + _ORDER.index(suit)


def _cards(value: object, field: str) -> str:
    """Return cards with suits from their numbers."""
    numbers = data.sequence(value, field)
    if len(set(map(str, numbers))) != len(numbers):
        raise import_error(
            "twice",
            f"{field}: one card stands there twice: {shortened(list(numbers))}",
            field=field,
            got=list(numbers),
        )
    return "".join(card(one, f"{field}[{place}]") for place, one in enumerate(numbers))


def _said(value: object, seat: int | None, field: str) -> Said:
    """Return one play; an empty list is a pass."""
    found = _cards(value, field)
    return Said("".join(c for c in found if c not in SUITS), seat, field, shortened(value))


# --- the log of a match --------------------------------------------------------------------------


class _Match:
    """What the entries of a match's log have told so far."""

    def __init__(self) -> None:
        self.hands: dict[int, str] = {}
        self.bottom = ""
        self.landlord: int | None = None
        self.bids: list[int] = []
        self.asked_bid = False
        self.plays: list[Said] = []

    def request(self, raw: object, field: str) -> None:
        """Take what the judge sent out."""
        output = data.mapping(raw, field)
        self.deal(_unpacked(output.get("display")), f"{field}.display")
        content = output.get("content")
        if output.get("command") not in (None, "request") or not isinstance(content, Mapping):
            return
        for name, asked in content.items():
            seat = data.whole(name, f"{field}.content", 0, SEATS - 1)
            asked = _unpacked(asked)
            if not isinstance(asked, Mapping):
                continue
            here = f"{field}.content.{name}"
            self.asked_bid = "bid" in asked
            if "own" in asked:
                self.hands.setdefault(seat, _cards(asked["own"], f"{here}.own"))
            self.deal(asked, here)

    def deal(self, raw: object, field: str) -> None:
        """Take hands, bottom and landlord where they are told."""
        if not isinstance(raw, Mapping):
            return
        if "allocation" in raw:
            for seat, hand in enumerate(data.sequence(raw["allocation"], f"{field}.allocation")):
                self.hands[seat] = _cards(hand, f"{field}.allocation[{seat}]")
        if "publiccard" in raw:
            self.bottom = _cards(raw["publiccard"], f"{field}.publiccard")
        if isinstance(raw.get("landlord"), int) and raw["landlord"] >= 0:
            self.landlord = data.whole(raw["landlord"], f"{field}.landlord", 0, SEATS - 1)

    def response(self, entry: Mapping[str, Any], field: str) -> None:
        """Take what a bot answered."""
        for name, raw in entry.items():
            seat = data.whole(name, field, 0, SEATS - 1)
            answer = raw.get("response") if isinstance(raw, Mapping) else raw
            answer = _unpacked(answer)
            here = f"{field}.{name}.response"
            if isinstance(answer, Mapping):  # a bot may answer with its own debug text around
                answer = answer.get("response")
            if self.asked_bid:
                self.bids.append(data.whole(answer, here, 0, 3))
            elif answer is None:
                raise wrong_field(here, "[…]", answer)
            else:
                self.plays.append(_said(answer, seat, here))


def _unpacked(value: object) -> object:
    """Return data that may be packed as a text."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _of_match(log: Sequence[Any], initdata: object) -> Told:
    """Return the facts of a match's log."""
    match = _Match()
    match.deal(_unpacked(initdata), "initdata")
    for place, raw in enumerate(log):
        entry = data.mapping(raw, f"log[{place}]")
        if "output" in entry:
            match.request(_unpacked(entry["output"]), f"log[{place}].output")
        else:
            match.response(entry, f"log[{place}]")
    landlord = match.landlord
    if landlord is None:
        landlord = _highest(match.bids)
    return Told(
        program="botzone",
        hands=tuple(match.hands.get(seat) for seat in range(SEATS)),
        landlord=landlord,
        bottom=match.bottom,
        bids=tuple(match.bids) if match.bids else None,
        plays=tuple(match.plays),
    )


def _highest(bids: Sequence[int]) -> int:
    """Return who bid most, seat 0 where nobody did."""
    return max(range(len(bids)), key=lambda seat: (bids[seat], -seat)) if bids else 0


# --- what one bot saw ----------------------------------------------------------------------------


def _of_bot(value: Mapping[str, Any]) -> Told:
    """Return the facts of one bot's requests and responses."""
    requests = [
        data.mapping(_unpacked(one), f"requests[{place}]")
        for place, one in enumerate(data.sequence(value["requests"], "requests"))
    ]
    responses = [_unpacked(one) for one in data.sequence(value.get("responses", []), "responses")]
    start = 1 if requests and "bid" in requests[0] else 0
    if len(requests) <= start:
        raise wrong_field("requests", f"{start + 1} …", len(requests))
    first = requests[start]
    history = _history(first, f"requests[{start}].history")
    landlord = data.whole(first.get("landlord", 0), f"requests[{start}].landlord", 0, SEATS - 1)
    before = 2 if history[0] else 1 if history[1] else 0
    seat = data.whole(
        first.get("pos", (landlord + before) % SEATS), f"requests[{start}].pos", 0, SEATS - 1
    )
    before = (seat - landlord) % SEATS
    turns: list[tuple[object, str]] = [
        (history[2 - before + i], f"requests[{start}].history[{2 - before + i}]")
        for i in range(before)
    ]
    for place, answer in enumerate(responses[start:], start):
        turns.append((answer, f"responses[{place}]"))
        if place + 1 < len(requests):
            turns += [
                (one, f"requests[{place + 1}].history[{i}]")
                for i, one in enumerate(
                    _history(requests[place + 1], f"requests[{place + 1}].history")
                )
            ]
    plays = _until_out(turns, landlord)
    own = _cards(first.get("own"), f"requests[{start}].own")
    bottom = _cards(first.get("publiccard", []), f"requests[{start}].publiccard")
    return Told(
        program="botzone",
        hands=_hands(own, seat, landlord, plays),
        landlord=landlord,
        bottom=bottom,
        plays=plays,
    )


def _history(request: Mapping[str, Any], field: str) -> Sequence[Any]:
    """Return the two plays before a request."""
    found = data.sequence(request.get("history"), field)
    if len(found) != 2:
        raise wrong_field(field, "[[…], […]]", shortened(found))
    return found


def _until_out(turns: Sequence[tuple[object, str]], landlord: int) -> tuple[Said, ...]:
    """Return the plays in turn, no further than the one with which somebody goes out."""
    plays, left = [], [HAND] * SEATS
    left[landlord] += BOTTOM
    for place, (value, field) in enumerate(turns):
        seat = (landlord + place) % SEATS
        plays.append(_said(value, seat, field))
        left[seat] -= len(plays[-1].cards)
        if left[seat] <= 0:
            break
    return tuple(plays)


def _hands(own: str, seat: int, landlord: int, plays: Sequence[Said]) -> tuple[str | None, ...]:
    """Return the bot's own hand, and another's once all of it has been played."""
    hands: list[str | None] = [None] * SEATS
    hands[seat] = own
    for other in range(SEATS):
        played = "".join(said.cards for said in plays if said.seat == other)
        if hands[other] is None and len(played) == HAND + BOTTOM * (other == landlord):
            hands[other] = played
    return tuple(hands)
