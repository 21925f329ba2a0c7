"""Drivers for whole games in tests: random play, scripted play, and a game seen field by field."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

from oracle import ORDER, text
from strategies import FULL_DECK

import ddz_core as ddz

FAMILY = ("classic", "primer", "jinyou", "wuhan")
Policy = Callable[["ddz.Game"], object]


def fields(game: ddz.Game) -> dict[str, object]:
    """Everything the design promises to be readable of a game, as plain comparable values."""
    return {
        "phase": str(game.phase),
        "to_act": game.to_act,
        "landlords": tuple(game.landlords),
        "contract": game.contract,
        "multiplier": game.multiplier,
        "to_beat": str(game.to_beat),
        "history": tuple(map(str, game.history)),
        "ledger": None if game.ledger is None else tuple(game.ledger.points),
        "outcome": game.outcome,
        "legal": () if game.outcome else tuple(sorted(map(str, game.legal()))),
        "record": ddz.write_record(game),
    }


def start(ruleset: str, seed: int, overrides: dict[str, object] | None = None) -> ddz.Game:
    """A new game from a seeded deal."""
    rules = ddz.load_ruleset(ruleset, overrides or {})
    return ddz.new_game(rules, ddz.deal(rules, seed=seed))


def random_game(game: ddz.Game, rng: random.Random, most: int = 1000) -> Iterator[ddz.Game]:
    """The game after every action of random play, itself first, until it ends."""
    yield game
    for _ in range(most):
        if game.outcome is not None:
            return
        game = game.apply(rng.choice(list(game.legal())))
        yield game


def cards_of(action: object) -> str:
    """The cards of an action in a history or list, without seat and named reading."""
    return str(getattr(action, "action", action)).split("=")[0]


def is_bomb(cards: str) -> bool:
    """Whether a legal play of these cards is a bomb or the rocket: both jokers, or four equal."""
    return cards == "XD" or (len(cards) == 4 and len(set(cards)) == 1)


def hand_of(game: ddz.Game, seat: int | None = None) -> str:
    """The cards a seat (or the seat to act) holds, as text."""
    return game.hand_text(game.to_act if seat is None else seat)


def bid_up(game: ddz.Game, landlord: int, level: int = 3) -> ddz.Game:
    """The same game with the given seat as landlord, the others refusing, declarations declined."""
    while game.phase == "auction":
        game = game.apply(str(level) if game.to_act == landlord else "pass")
    while game.phase == "declare":
        game = game.apply("x1" if "x1" in map(str, game.legal()) else "pass")
    return game


def shared_out(parts: list[str], rest_size: tuple[int, ...] = (17, 17, 17)) -> str:
    """A deal as text: each hand begins with the cards asked for and is filled up from the deck."""
    left = Counter(FULL_DECK)
    left.subtract(Counter("".join(parts)))
    assert not -left, "the cards asked for are not in one deck"
    cards = text(+left)
    hands = []
    for part, size in zip(parts, rest_size, strict=True):
        take = size - len(part)
        hands.append(text(Counter(part + cards[:take])))
        cards = cards[take:]
    return "/".join(hands) + "|" + cards


def deal_text(hands: list[str], bottom: str) -> str:
    """A deal as text from whole hands."""
    return "/".join(hands) + "|" + bottom


def drive(game: ddz.Game, policies: dict[int, Policy], most: int = 400) -> ddz.Game:
    """Let each seat act by its own rule until the game ends."""
    for _ in range(most):
        if game.outcome is not None:
            return game
        game = game.apply(policies[game.to_act](game))
    raise AssertionError("the game does not end")


def lowest(game: ddz.Game) -> object:
    """The first play in order of cards and rank, a bomb only if there is nothing else."""
    plays = [m for m in game.legal() if str(m) != "pass"]
    if not plays:
        return "pass"
    return min(
        plays, key=lambda m: (m.kind in ("bomb", "rocket"), len(str(m)), ORDER.index(str(m)[0]))
    )


def passing(game: ddz.Game) -> object:
    """Pass wherever that is allowed, else the lowest play."""
    return "pass" if "pass" in map(str, game.legal()) else lowest(game)


def swapped(deal_hands: list[str], one: int, other: int, rng: random.Random) -> list[str]:
    """The hands with some cards of two seats exchanged, sizes kept."""
    a, b = list(deal_hands[one]), list(deal_hands[other])
    number = rng.randint(1, min(len(a), len(b)))
    for i, j in zip(
        rng.sample(range(len(a)), number), rng.sample(range(len(b)), number), strict=False
    ):
        a[i], b[j] = b[j], a[i]
    hands = list(deal_hands)
    hands[one], hands[other] = text(Counter(a)), text(Counter(b))
    return hands
