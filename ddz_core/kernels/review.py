"""Positions played on from several actions, in worlds that all actions share.

Layer 0. A world is one way the hands may lie. Every action tried is played in every world, with the
same random numbers, and rule bots that err a little play the rest: of two plays that they rate
alike either may come, of one rated lower by ``heat`` a factor e less often.

A *start* describes the position, as ``int64`` words::

    0 seats   1 seat to act   2 owner of the play to beat, -1 to lead   3 code to beat
    8+s bombs that seat s may still play, 99 for any number

An action is its packed cards and their code; no cards are a pass, :data:`FREE` leaves the choice to
the bot. A *result* is one whole number: bits 0-2 the seat that went out, bits 3-5 the seat that led
next after the first trick (7 where the game ended in it), bits 6-9 the number of bombs played from
the start on, and from bit 16 on nine bits a seat with the number of its plays. The cards of the
bombs stand beside it, first ones first.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import math

import numpy as np

from ddz_core.kernels.bits import Count, Vector, Word, jit, pointer
from ddz_core.kernels.masks import number_of
from ddz_core.kernels.plain import NO_LIMIT, can_beat_at
from ddz_core.kernels.playout import STATE, below_at
from ddz_core.kernels.rule import ROOM, choose_at

START = 16
"""Words of a start."""
MOST_BOMBS = 12
"""Bombs whose cards are told; any more are counted only."""
MOST_TOLD = 15
"""The highest number of bombs that a result tells."""
FREE = -1
"""The code of an action that the bot chooses itself."""
ANY_NUMBER = 99
LIMITS = 8

_SPREAD = np.uint64(0xD1B54A32D192ED03)
_WORLDS = np.uint64(0x8CB92BA72F3D8DD7)
_0 = np.uint64(0)
_NONE = 7
_FINE = 1 << 30


@jit
def _wobble(W: Vector, heat: float) -> float:
    """Return a random number of the double exponential kind, ``heat`` wide; pointers."""
    return -heat * math.log(-math.log((below_at(W, _FINE) + 0.5) / _FINE))


@jit
def _chosen_at(W: Vector, V: Vector, heat: float, code: Count, X: Vector) -> Count:
    """Return the place of the play with the highest score after some noise, -1 to pass."""
    best, chosen = -1.0e300, -1
    if code:
        best = _wobble(W, heat)
    for i in range(V[5]):
        score = X[i] + _wobble(W, heat)
        if score > best:
            best, chosen = score, i
    return chosen


@jit
def _play_on_at(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    V: Vector,
    D: Vector,
    H: Vector,
    L: Vector,
    side: Count,
    cards: Word,
    first: Count,
    pool: Word,
    heat: float,
    C: Vector,
    K: Vector,
    X: Vector,
    B: Vector,
    at_bombs: Count,
) -> Count:
    """Play one action and everything after it; return the result; pointers.

    ``H`` the hands and ``L`` the bombs each seat may play, both used up; ``side`` a bit for each
    seat of the landlord's side; ``cards`` and ``first`` the action; ``B`` receives the bombs
    from place ``at_bombs`` on.
    """
    seats, turn, owner, code = D[0], D[1], D[2], D[3]
    for seat in range(seats):
        V[8 + seat] = number_of(H[seat])
    V[0] = seats
    led = np.int64(_NONE)
    plays, bombs = np.int64(0), np.int64(0)
    own_choice = first == FREE
    first_turn = True
    while True:
        if owner == turn:
            owner, code = np.int64(-1), np.int64(0)
            if led == _NONE:
                led = turn
        own = H[turn]
        played, its = _0, np.int64(0)
        if first_turn and not own_choice:
            played, its = cards, first
        else:
            limit = np.int64(NO_LIMIT) if L[turn] > 0 else np.int64(0)
            if code == 0 or can_beat_at(T, W, own, code, limit, C, K, 0, ROOM):
                V[1], V[2], V[3], V[4] = turn, owner, code, 1
                for seat in range(seats):
                    same = (side >> seat) & 1 == (side >> turn) & 1
                    V[16 + seat] = 1 if same else 0
                    if not same and L[seat] > 0:
                        V[4] = 0
                choose_at(T, W, P, S, Q, G, 0, V, own, pool - own, limit, C, K, X)
                at = _chosen_at(W, V, heat, code, X)
                if at >= 0:
                    played, its = C[at], np.int64(K[at])
        first_turn = False
        if played != _0:
            code, owner = its, turn
            H[turn] = own - played
            pool -= played
            plays += np.int64(1) << (16 + 9 * turn)
            V[8 + turn] -= number_of(played)
            if code >> 26:
                L[turn] -= 1
                if bombs < MOST_BOMBS:
                    B[at_bombs + bombs] = played
                bombs += 1
            if V[8 + turn] == 0:
                told = bombs if bombs < MOST_TOLD else np.int64(MOST_TOLD)
                return turn | led << 3 | told << 6 | plays
        turn = (turn + 1) % seats


@jit
def try_actions(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    V: Vector,
    D: Vector,
    worlds: Vector,
    sides: Vector,
    first: Count,
    plays: Vector,
    codes: Vector,
    pool: Word,
    heat: float,
    seed: Word,
    C: Vector,
    K: Vector,
    X: Vector,
    H: Vector,
    L: Vector,
    results: Vector,
    bombs: Vector,
) -> Count:
    """Play on from every action in every world; arrays. Returns how many games.

    Args:
        worlds: hands, a row a world, one a seat.
        sides: of each world, a bit for each seat of the landlord's side.
        first: number of the first world, for its random numbers.
        plays, codes: the actions.
        pool: all cards not played yet.
        H, L: room for a hand and a number of each seat.
        results: receives results, a row a world, one an action.
        bombs: receives the bombs, by world and action; empty places must be 0.
    """
    t, w, p, s, q, g = pointer(T), pointer(W), pointer(P), pointer(S), pointer(Q), pointer(G)
    v, d, c, k, x = pointer(V), pointer(D), pointer(C), pointer(K), pointer(X)
    h, b, left = pointer(H), pointer(bombs), pointer(L)
    seats, number = d[0], len(plays)
    for world in range(len(worlds)):
        for place in range(number):
            w[STATE] = seed * _SPREAD + np.uint64(first + world) * _WORLDS
            for seat in range(seats):
                h[seat] = worlds[world, seat]
                left[seat] = d[LIMITS + seat]
            results[world, place] = _play_on_at(
                t, w, p, s, q, g, v, d, h, left, np.int64(sides[world]),
                np.uint64(plays[place]), np.int64(codes[place]), pool, heat, c, k, x,
                b, (world * number + place) * MOST_BOMBS,
            )  # fmt: skip
    return len(worlds) * number


@jit
def answered(
    T: Vector,
    W: Vector,
    worlds: Vector,
    sides: Vector,
    seat: Count,
    codes: Vector,
    C: Vector,
    K: Vector,
    counts: Vector,
) -> Count:
    """Count in how many worlds plays of a seat could be beaten; arrays. Returns the worlds.

    ``counts`` receives for each code: worlds in which an enemy could beat it without a bomb, with a
    bomb at most, and in which a partner could beat it without one.
    """
    t, w, c, k = pointer(T), pointer(W), pointer(C), pointer(K)
    seats = worlds.shape[1]
    for place in range(len(codes)):
        code = np.int64(codes[place])
        step = code >> 26
        for world in range(len(worlds)):
            plain, bomb, mate = False, False, False
            own = (np.int64(sides[world]) >> seat) & 1
            for s in range(seats):
                hand = worlds[world, s]
                if s == seat or hand == _0:
                    continue
                could = can_beat_at(t, w, hand, code, step, c, k, 0, ROOM)
                if (np.int64(sides[world]) >> s) & 1 == own:
                    mate = mate or could
                elif could:
                    plain = True
                elif can_beat_at(t, w, hand, code, NO_LIMIT, c, k, 0, ROOM):
                    bomb = True
            counts[place, 0] += plain
            counts[place, 1] += bomb and not plain
            counts[place, 2] += mate
    return len(worlds)
