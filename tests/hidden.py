"""Exchange cards that a seat has not seen, and play the same actions again."""

from __future__ import annotations

import random
from dataclasses import replace

import ddz_core as ddz


def exchanged(game: ddz.Game, seat: int, rng: random.Random) -> ddz.Game:
    """The same actions on a deal whose cards hidden from a seat lie elsewhere.

    Where bids are forced or questions depend on the cards not every exchange allows the same
    actions; after some tries the game itself is returned.
    """
    for _ in range(12):
        again = replayed(game, shuffled(game, seat, rng), seat)
        if again is not None:
            return again
    return game


def shuffled(game: ddz.Game, seat: int, rng: random.Random) -> ddz.Deal:
    """The deal with what is hidden from a seat lying otherwise."""
    deal = game.deal
    seen = ddz.observe(game, seat)
    hands, bottom, dead = [list(hand) for hand in deal.hands], list(deal.bottom), list(deal.dead)
    fixed = {card for card, _ in game.drawn}
    fixed |= set(deal.bottom if seen.bottom is not None else ())
    if deal.face_up is not None:
        fixed |= {deal.face_up[0], deal.twin}
    for other in seen.shown:
        fixed |= set(game.held[other])
    held = [card for s, hand in enumerate(game.held) if s != seat for card in hand]
    lying = [*held, *deal.dead]
    if not game.landlords:
        lying += deal.bottom
    elif game.ruleset.deal.taken == "chosen" and seen.bottom is None:
        lying += [card for card in deal.bottom if card not in held]
    free = [card for card in lying if card not in fixed]
    mixed = free[:]
    rng.shuffle(mixed)
    swap = dict(zip(free, mixed, strict=True))

    def moved(part: list) -> tuple:
        return tuple(sorted(swap.get(card, card) for card in part))

    return replace(deal, hands=tuple(map(moved, hands)), bottom=moved(bottom), dead=moved(dead))


def replayed(game: ddz.Game, deal: ddz.Deal, seat: int) -> ddz.Game | None:
    """The same actions on another deal, or None where they are not legal there."""
    again = ddz.new_game(game.rules, deal)
    for entry in game.history:
        if entry.seat is None:
            continue
        if again.to_act != entry.seat or not again.can(entry.action):
            return None
        again = again.apply(entry.action)
    if (again.to_act, again.options, again.revealed) != (game.to_act, game.options, game.revealed):
        return None
    return again if len(again.history) == len(game.history) else None
