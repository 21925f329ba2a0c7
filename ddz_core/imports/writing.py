"""Games of ours in the forms of other programs, so that their tools can read them."""

from __future__ import annotations

import json
from collections.abc import Callable

from ddz_core.actions import PASS
from ddz_core.cards import SUITS, Card
from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.imports import botzone, douzero
from ddz_core.imports.told import BOTTOM, HAND, SEATS, import_error

_NUMBERS = {rank: number for number, rank in douzero.NUMBERS.items()}
_LETTERS = {"X": "B", "D": "R"}
_RLCARD_SUITS = dict(zip(SUITS, "SHCD", strict=True))


def _lord(game: Game) -> int:
    """Return the landlord of a game that can be written, or raise."""
    spec = game.ruleset.deal
    plain = (spec.seats, spec.hand, spec.bottom, spec.dead) == (SEATS, HAND, BOTTOM, 0)
    if not plain or len(game.landlords) != 1 or game.ruleset.wilds.mode != "none":
        raise import_error(
            "write",
            "only a game of three players with one deck, a landlord and no wild cards can be "
            "written for other programs",
            field="game",
            expected="3 × 17 + 3",
            got=game.rules.id,
        )
    if game.phase != "settled" and game.deal.seed is not None:
        raise import_error(
            "running",
            "a running game is not written for other programs: it would show every card",
            field="game",
            expected="settled",
            got=game.phase,
        )
    return game.landlords[0]


def _whole(game: Game, seat: int) -> list[Card]:
    """Return the cards a seat began the play with, low to high."""
    more = game.deal.bottom if seat in game.landlords else ()
    return sorted([*game.deal.hands[seat], *more])


def _plays(game: Game) -> list[tuple[int, tuple[Card, ...]]]:
    """Return seat and cards of every play, no cards for a pass."""
    return [
        (entry.seat, entry.laid if entry.action != PASS else ())
        for entry in game.history
        if entry.phase == "play" and entry.seat is not None
    ]


def to_douzero(game: Game) -> str:
    """Return a game as DouZero's mapping of roles, one JSON object."""
    lord = _lord(game)
    told: dict[str, object] = {
        role: [_NUMBERS[card.rank] for card in _whole(game, (lord + turn) % SEATS)]
        for turn, role in enumerate(douzero.ROLES)
    }
    told[douzero.BOTTOM[0]] = [_NUMBERS[card.rank] for card in sorted(game.deal.bottom)]
    plays = ["".join(card.rank for card in laid) for _, laid in _plays(game)]
    told[douzero.ACTIONS[0]] = ",".join(play or "pass" for play in plays)
    return json.dumps(told)


def to_rlcard(game: Game) -> str:
    """Return a game as a replay of RLCard's players, one JSON object."""
    lord = _lord(game)

    def words(held: tuple[Card, ...] | list[Card]) -> str:
        return " ".join(map(_rlcard, held))

    told = {
        "playerInfo": [
            {"id": seat, "index": seat, "role": "landlord" if seat == lord else "peasant"}
            for seat in range(SEATS)
        ],
        "initHands": [words(_whole(game, seat)) for seat in range(SEATS)],
        "seen_cards": words(sorted(game.deal.bottom)),
        "moveHistory": [
            {"playerIdx": seat, "move": words(laid) or "pass"} for seat, laid in _plays(game)
        ],
    }
    return json.dumps(told)


def _rlcard(card: Card) -> str:
    """Return a card as RLCard writes it: ``S3``, ``BJ``."""
    if card.rank in _LETTERS:
        return _LETTERS[card.rank] + "J"
    return _RLCARD_SUITS[SUITS[card.suit]] + card.rank


def to_botzone(game: Game) -> str:
    """Return a game as the log of a match on Botzone, one JSON list.

    The seat that spoke first, or the landlord where no numbers were bid, becomes player 0.
    """
    lord = _lord(game)
    calls = [entry.action for entry in game.history if entry.phase == "auction"]
    bids = [0 if call == PASS else int(call) if call.isdigit() else -1 for call in calls]
    told = dict(game.headers).get("bidding") is None and -1 not in bids
    bidding = told and not any(bids[SEATS:])  # there everybody speaks once
    bids = bids[:SEATS]
    base = game.first if bidding else lord

    def player(seat: int) -> int:
        return (seat - base) % SEATS

    def numbers(held: tuple[Card, ...] | list[Card]) -> list[int]:
        return sorted(botzone.number_of(card.rank, SUITS[card.suit]) for card in held)

    seats = [(base + turn) % SEATS for turn in range(SEATS)]
    bottom = numbers(list(game.deal.bottom))
    dealt = {"allocation": [numbers(game.deal.hands[s]) for s in seats], "publiccard": bottom}
    log: list[dict[str, object]] = []

    def ask(who: int, content: dict[str, object], answer: object) -> None:
        output: dict[str, object] = {"command": "request", "content": {str(who): content}}
        if not log:
            output["display"] = dealt
        log.append({"output": output})
        log.append({str(who): {"response": answer, "verdict": "OK"}})

    if bidding:
        for turn, bid in enumerate(bids):
            own = numbers(game.deal.hands[seats[turn]])
            ask(turn, {"own": own, "bid": bids[:turn]}, bid)
    said: list[list[int]] = [[], []]
    asked: set[int] = set()
    for seat, laid in _plays(game):
        content: dict[str, object] = {"history": said[-2:]}
        if seat not in asked:
            hand = game.deal.hands[seat] if bidding else tuple(_whole(game, seat))
            content |= {"own": numbers(hand), "publiccard": bottom}
            if bidding:
                content |= {"landlord": player(lord), "pos": player(seat), "finalbid": max(bids)}
        asked.add(seat)
        said.append(numbers(laid))
        ask(player(seat), content, said[-1])
    return json.dumps(log)


WRITERS: dict[str, Callable[[Game], str]] = {
    "douzero": to_douzero,
    "rlcard": to_rlcard,
    "botzone": to_botzone,
}


def check_format(name: object, known: tuple[str, ...]) -> str:
    """Return the id of a format, or raise."""
    if name not in known:
        raise DdzError(
            f"format: expected one of {', '.join(known)}, got {name!r}",
            key="error.import.format",
            field="format",
            expected=", ".join(known),
            got=name,
        )
    return str(name)
