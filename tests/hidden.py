"""Exchange cards that a seat has not seen, and play the same actions again."""

from __future__ import annotations

import random
from dataclasses import replace

import ddz_core as ddz


def exchanged(game: ddz.Game, seat: int, rng: random.Random) -> ddz.Game:
    """The same actions on a deal whose cards hidden from a seat lie elsewhere."""
    hands = [list(hand) for hand in game.deal.hands]
    bottom = list(game.deal.bottom)
    fixed = set(game.bottom_left)
    if game.deal.face_up is not None:
        fixed.add(game.deal.face_up[0])
    places: list[tuple[list, object]] = []
    for other, held in enumerate(game.held):
        if other != seat:
            places += [(hands[other], card) for card in held if card not in fixed]
    if not game.landlords:
        places += [(bottom, card) for card in bottom if card not in fixed]
    cards = [card for _, card in places]
    shuffled = cards[:]
    rng.shuffle(shuffled)
    for where, card in places:
        where.remove(card)
    for (where, _), card in zip(places, shuffled, strict=True):
        where.append(card)
    deal = replace(
        game.deal,
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        bottom=tuple(sorted(bottom)),
    )
    again = ddz.new_game(game.rules, deal)
    for entry in game.history:
        again = again.apply(entry.action)
    return again
