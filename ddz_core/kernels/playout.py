"""Games played to the end with random moves, from a deal or from any position.

Layer 0. Every legal action has the same chance at every turn, a pass among them when following.
The random numbers are those of SplitMix64, so a seed gives the same games everywhere.
"""

# ruff: noqa: N803

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ddz_core import cards
from ddz_core.kernels.bits import Count, Vector, Word, jit, pointer
from ddz_core.kernels.plain import NO_LIMIT, answers_at, leads_at

if TYPE_CHECKING:
    from ddz_core.kernels.table import Table
    from ddz_core.kernels.workspace import Workspace

HANDS, STATE = 176, 184
"""Where in ``W`` the hands of up to five seats and the random state lie."""

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX1, _MIX2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = (np.uint64(n) for n in (27, 30, 31, 32))
_0 = np.uint64(0)


@jit
def below_at(W: Vector, number: Count) -> Count:
    """Return a random whole number from 0 to below ``number``; advances ``W[STATE]``; pointers."""
    W[STATE] += _STEP
    z = W[STATE]
    z = (z ^ (z >> _30)) * _MIX1
    z = (z ^ (z >> _27)) * _MIX2
    z ^= z >> _31
    return np.int64(((z >> _32) * np.uint64(number)) >> _32)


@jit
def play_on_at(
    T: Vector,
    W: Vector,
    seats: Count,
    seat: Count,
    code: Count,
    passes: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """Play random moves until a hand is empty; pointers.

    The hands lie in ``W[HANDS..]``; ``code`` lies on the table, with ``passes`` after it. Returns
    the winner + 8 x the number of actions, passes included; -1 if a list did not fit.
    """
    actions = 0
    while True:
        hand = W[HANDS + seat]
        if code == 0:
            end = leads_at(T, W, hand, C, K, pos, cap)
            number = end - pos
        else:
            end = answers_at(T, W, hand, code, NO_LIMIT, C, K, pos, cap)
            number = end - pos + 1
        if end > cap or number == 0:
            return -1
        chosen = pos + below_at(W, number)
        actions += 1
        if chosen < end:
            hand -= C[chosen]
            W[HANDS + seat] = hand
            code = np.int64(K[chosen])
            passes = 0
            if hand == _0:
                return seat + 8 * actions
        else:
            passes += 1
            if passes == seats - 1:
                code = 0
                passes = 0
        seat += 1
        if seat == seats:
            seat = 0


@jit
def playouts(
    T: Vector,
    W: Vector,
    deck: Vector,
    seats: Count,
    size: Count,
    bottom: Count,
    seed: Word,
    C: Vector,
    K: Vector,
    results: Vector,
) -> Count:
    """Deal and play as many random games as ``results`` has places; arrays.

    ``deck`` holds one packed card a place and is shuffled. Seat 0 takes the bottom cards and
    leads. ``results`` receives winner + 8 x actions of each game; returns the number of games.
    """
    work = pointer(W)
    table, out, codes = pointer(T), pointer(C), pointer(K)
    work[STATE] = seed
    for game in range(len(results)):
        for i in range(len(deck) - 1, 0, -1):
            j = below_at(work, i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        at = 0
        for seat in range(seats):
            hand = _0
            for _ in range(size + (bottom if seat == 0 else 0)):
                hand += deck[at]
                at += 1
            work[HANDS + seat] = hand
        results[game] = play_on_at(table, work, seats, 0, 0, 0, out, codes, 0, len(C))
    return len(results)


@jit
def playouts_from(
    T: Vector, W: Vector, hands: Vector, seed: Word, C: Vector, K: Vector, results: Vector
) -> Count:
    """Play a random game from each row of ``hands`` (games x seats), seat 0 leading; arrays."""
    work = pointer(W)
    table, out, codes = pointer(T), pointer(C), pointer(K)
    work[STATE] = seed
    games, seats = hands.shape
    for game in range(games):
        for seat in range(seats):
            work[HANDS + seat] = hands[game, seat]
        results[game] = play_on_at(table, work, seats, 0, 0, 0, out, codes, 0, len(C))
    return games


def play_out(
    table: Table, own: Workspace, games: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Play complete random games of a ruleset, seat 0 being landlord with the bottom cards.

    Returns:
        The winning seat and the number of actions of each game.
    """
    deal = table.ruleset.deal
    counts = cards.counts_of(table.deck)
    deck = np.array([1 << 4 * lane for lane in range(16) for _ in range(counts[lane])], np.uint64)
    results = np.zeros(games, dtype=np.int64)
    playouts(
        table.words,
        own.space,
        deck,
        deal.seats,
        deal.hand,
        deal.bottom,
        np.uint64(seed),
        own.cards,
        own.codes,
        results,
    )
    return results & 7, results >> 3
