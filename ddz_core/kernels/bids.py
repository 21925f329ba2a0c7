"""Deals around one known hand, each played once with every seat as landlord.

Layer 0. The hand of seat 0 is given, the unseen cards are shuffled, and rule bots
(:mod:`ddz_core.kernels.rule`) play the same deal to the end as often as there are seats, another
seat taking the bottom each time: whatever the bidding leads to is then known for this deal, so that
all calls are compared on the same cards. A deal depends on the seed and its own number only, not on
how the deals were cut into chunks.

A *result* is one whole number: bit 0 is set when the landlord won, bit 1 when it won and no other
seat made a play, bit 2 when it lost and made one play; from bit 8 on, eight bits a step of the
bomb ladder, lowest step first, count the bombs played. -1 stands for a deal that was not played.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import Count, Vector, Word, jit, pointer
from ddz_core.kernels.masks import number_of
from ddz_core.kernels.plain import NO_LIMIT, can_beat_at
from ddz_core.kernels.playout import STATE, below_at
from ddz_core.kernels.rule import ROOM, choose_at
from ddz_core.kernels.turns import turns_cached

WON, SPRING, ANTI_SPRING = 1, 2, 4
"""Bits of a result."""
BOMBS = 8
"""Where the counts of bombs begin in a result."""
MOST_STEPS = 6
"""Steps of the ladder that have a count of their own; higher ones are counted with the last."""

_SPREAD = np.uint64(0xD1B54A32D192ED03)
_DEALS = np.uint64(0x8CB92BA72F3D8DD7)
_0 = np.uint64(0)


@jit
def _play_at(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    V: Vector,
    H: Vector,
    seats: Count,
    boss: Count,
    pool: Word,
    C: Vector,
    K: Vector,
    X: Vector,
) -> Count:
    """Play one deal from the landlord's lead and return its result; pointers.

    ``H`` holds the hands, the bottom already taken, and is used up.
    """
    all_cards = pool
    for seat in range(seats):
        V[8 + seat] = number_of(H[seat])
    turn, owner, code = boss, np.int64(-1), np.int64(0)
    own_plays, other_plays, bombs = 0, 0, np.int64(0)
    V[0], V[4] = seats, 0
    while True:
        if owner == turn:
            owner, code = np.int64(-1), np.int64(0)
        own = H[turn]
        at = -1
        if code == 0 or can_beat_at(T, W, own, code, NO_LIMIT, C, K, 0, ROOM):
            V[1], V[2], V[3] = turn, owner, code
            for seat in range(seats):
                V[16 + seat] = 1 if (seat == boss) == (turn == boss) else 0
            at = choose_at(T, W, P, S, Q, G, 0, V, own, all_cards - own, NO_LIMIT, C, K, X)
        if at >= 0:
            cards = C[at]
            code = np.int64(K[at])
            owner = turn
            H[turn] = own - cards
            all_cards -= cards
            V[8 + turn] -= number_of(cards)
            if turn == boss:
                own_plays += 1
            else:
                other_plays += 1
            step = code >> 26
            if step > 0:
                place = step if step < MOST_STEPS else MOST_STEPS
                bombs += np.int64(1) << (BOMBS + 8 * (place - 1))
            if V[8 + turn] == 0:
                break
        turn = (turn + 1) % seats
    if turn == boss:
        return bombs | WON | (SPRING if other_plays == 0 else 0)
    return bombs | (ANTI_SPRING if own_plays == 1 else 0)


@jit
def bid_deals(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    V: Vector,
    hand: Word,
    unseen: Vector,
    known: Word,
    drawn: Count,
    size: Count,
    pool: Word,
    seed: Word,
    start: Count,
    wanted: Count,
    C: Vector,
    K: Vector,
    X: Vector,
    deck: Vector,
    H: Vector,
    hands: Vector,
    bottoms: Vector,
    turns: Vector,
    results: Vector,
) -> Count:
    """Deal and play as many deals as ``bottoms`` has places; arrays. Returns the games played.

    ``hand`` is seat 0's; ``unseen`` holds one packed card a place, ``deck`` as many places to work
    in and ``H`` one a seat. The bottom is ``known`` and ``drawn`` cards more; other seats get
    ``size`` cards each. ``pool`` is the whole deck; the first deal has number ``start``. Bit s of
    ``wanted`` asks for the game with landlord s. ``hands`` gets the hands of the other seats,
    ``bottoms`` the bottoms, ``turns`` the fewest plays found for each of those hands, ``results``
    the result with each seat as landlord.
    """
    t, w, p, s, q = pointer(T), pointer(W), pointer(P), pointer(S), pointer(Q)
    g, v, c, k, x = pointer(G), pointer(V), pointer(C), pointer(K), pointer(X)
    h = pointer(H)
    seats = results.shape[1]
    number = len(unseen)
    games = 0
    for d in range(len(bottoms)):
        w[STATE] = (seed * _DEALS) ^ ((np.uint64(start + d) + np.uint64(1)) * _SPREAD)
        for i in range(number):
            deck[i] = unseen[i]
        at = 0
        for seat in range(1, seats):
            held = _0
            for _ in range(size):
                j = at + below_at(w, number - at)
                deck[at], deck[j] = deck[j], deck[at]
                held += deck[at]
                at += 1
            hands[d, seat - 1] = held
            turns[d, seat - 1] = turns_cached(p, s, q, held, True)
        bottom = known
        for _ in range(drawn):
            j = at + below_at(w, number - at)
            deck[at], deck[j] = deck[j], deck[at]
            bottom += deck[at]
            at += 1
        bottoms[d] = bottom
        for boss in range(seats):
            if not (wanted >> boss) & 1:
                results[d, boss] = -1
                continue
            h[0] = hand
            for seat in range(1, seats):
                h[seat] = hands[d, seat - 1]
            h[boss] += bottom
            results[d, boss] = _play_at(t, w, p, s, q, g, v, h, seats, boss, pool, c, k, x)
            games += 1
    return games
