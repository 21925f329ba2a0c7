"""Sampled worlds: drawn, weighed by what was seen, and played on from every candidate.

Layer 0. A *world* is one way the unseen cards may lie. Worlds are drawn with every physical deal
equally likely; the weight of one is the chance that players who play as the rule bot mostly does
would have acted as they were seen to act. A candidate is tried by playing it and letting rule bots
with some random moves play the rest; all candidates of one decision are tried in the same worlds,
with the same random numbers.

A *table* describes the decision, as ``int64`` words::

    0 seats   1 own seat   2 the landlord, who leads first   3 owner of the play to beat, -1 to lead
    4 code to beat   8+s side of a seat: 1 for the landlord's   16+s plays made so far
    24+s unplaced cards that a seat holds

A *decision seen* has ``SEEN`` words: seat, owner (-1 to lead), code to beat, code played (0 for a
pass), 4 unused, then the cards left of each seat; and three cards words: cards played, cards that
the seat has played since, these included, and all cards that were out then.

Results are those of :mod:`ddz_core.kernels.bids`.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import math

import numpy as np

from ddz_core.kernels.bids import ANTI_SPRING, BOMBS, MOST_STEPS, SPRING, WON
from ddz_core.kernels.bits import Count, Vector, Word, jit, pointer
from ddz_core.kernels.masks import number_of
from ddz_core.kernels.plain import NO_LIMIT, can_beat_at
from ddz_core.kernels.playout import STATE, below_at
from ddz_core.kernels.rule import ROOM, choose_at

TABLE = 32
"""Words of a table."""
SEEN = 16
"""Words of a decision seen."""
SIDES, PLAYS, NEEDS = 8, 16, 24

_SPREAD = np.uint64(0xD1B54A32D192ED03)
_WORLDS = np.uint64(0x8CB92BA72F3D8DD7)
_0 = np.uint64(0)
_THOUSAND = 1024


@jit
def _seed(W: Vector, seed: Word, number: Count) -> None:
    """Put the random numbers of one world in force."""
    W[STATE] = seed * _SPREAD + np.uint64(number) * _WORLDS


@jit
def _bomb(code: Count) -> Count:
    """Return one bomb, counted as in a result."""
    return np.int64(1) << (BOMBS + 8 * min((code >> 26) - 1, MOST_STEPS - 1))


@jit
def _look(V: Vector, D: Vector, seat: Count, owner: Count, code: Count) -> None:
    """Write a seat's view but the cards left; ``D`` the table."""
    V[1], V[2], V[3], V[4] = seat, owner, code, 0
    for s in range(D[0]):
        V[16 + s] = 1 if D[SIDES + s] == D[SIDES + seat] else 0


@jit
def _chance_at(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    V: Vector,
    D: Vector,
    hands: Vector,
    at: Count,
    seen: Vector,
    packed: Vector,
    number: Count,
    heat: float,
    floor: float,
    C: Vector,
    K: Vector,
    X: Vector,
) -> float:
    """Return the logarithm of the chance of all decisions seen, in one world; pointers.

    A player takes a play with a chance that falls with its score: by a factor e for each ``heat``
    points below the best; of a share ``floor`` of its decisions nothing is assumed.
    """
    total = 0.0
    for i in range(number):
        one, cards_at = SEEN * i, 3 * i
        seat, owner, code = seen[one], seen[one + 1], seen[one + 2]
        hand = hands[at + seat] + packed[cards_at + 1]
        played = packed[cards_at]
        if played == _0 and not can_beat_at(T, W, hand, code, NO_LIMIT, C, K, 0, ROOM):
            continue
        _look(V, D, seat, owner, code)
        for s in range(D[0]):
            V[8 + s] = seen[one + 8 + s]
        rest = packed[cards_at + 2] - hand
        choose_at(T, W, P, S, Q, G, 0, V, hand, rest, NO_LIMIT, C, K, X)
        plays = V[5]
        best = 0.0 if code else -1.0e30
        for j in range(plays):
            best = max(best, X[j])
        parts = math.exp(-best / heat) if code else 0.0
        mine = parts if played == _0 else 0.0
        for j in range(plays):
            part = math.exp((X[j] - best) / heat)
            parts += part
            if C[j] == played and np.int64(K[j]) == seen[one + 3]:
                mine = part
        options = plays + (1 if code else 0)
        total += math.log((1.0 - floor) * mine / parts + floor / max(options, 1))
    return total


@jit
def draw_worlds(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    V: Vector,
    D: Vector,
    known: Vector,
    pool: Vector,
    seen: Vector,
    packed: Vector,
    heat: float,
    floor: float,
    seed: Word,
    first: Count,
    C: Vector,
    K: Vector,
    X: Vector,
    worlds: Vector,
    chances: Vector,
) -> Count:
    """Draw and weigh worlds; arrays. Returns how many.

    Args:
        known: packed cards known of each seat, all of the own.
        pool: unplaced cards, one a place; its order is changed and put back.
        seen, packed: decisions seen; see the module.
        seed, first: a world depends on both, and on nothing else.
        worlds: receives the hands of every seat, a row a world.
        chances: receives logarithms of weights; may be all 0 where nothing was seen.
    """
    t, w, p, s, q, g = pointer(T), pointer(W), pointer(P), pointer(S), pointer(Q), pointer(G)
    v, d, c, k, x = pointer(V), pointer(D), pointer(C), pointer(K), pointer(X)
    h, watched, cards = pointer(worlds), pointer(seen), pointer(packed)
    seats, number = d[0], len(seen) // SEEN
    v[0] = seats
    places = np.arange(len(pool))
    for world in range(len(chances)):
        _seed(w, seed, first + world)
        for i in range(len(pool)):
            places[i] = i
        at, dealt = world * seats, 0
        for seat in range(seats):
            hand = known[seat]
            for _ in range(d[NEEDS + seat]):
                other = dealt + below_at(w, len(pool) - dealt)
                places[dealt], places[other] = places[other], places[dealt]
                hand += pool[places[dealt]]
                dealt += 1
            h[at + seat] = hand
        chances[world] = 0.0
        if number:
            chances[world] = _chance_at(
                t, w, p, s, q, g, v, d, h, at, watched, cards, number, heat, floor, c, k, x
            )
    return len(chances)


@jit
def _finish_at(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    V: Vector,
    D: Vector,
    H: Vector,
    N: Vector,
    turn: Count,
    owner: Count,
    code: Count,
    out: Word,
    bombs: Count,
    noise: Count,
    C: Vector,
    K: Vector,
    X: Vector,
) -> Count:
    """Play a world to its end and return the result; pointers.

    ``H`` the hands and ``N`` the plays made, both used up; ``out`` all cards not played yet;
    ``bombs`` those played so far, counted as in a result; of 1024 moves ``noise`` are random.
    """
    seats, boss = D[0], D[2]
    for seat in range(seats):
        V[8 + seat] = number_of(H[seat])
    V[0] = seats
    while True:
        if owner == turn:
            owner, code = np.int64(-1), np.int64(0)
        own = H[turn]
        at = -1
        if code == 0 or can_beat_at(T, W, own, code, NO_LIMIT, C, K, 0, ROOM):
            _look(V, D, turn, owner, code)
            at = choose_at(T, W, P, S, Q, G, 0, V, own, out - own, NO_LIMIT, C, K, X)
            if noise and below_at(W, _THOUSAND) < noise:
                at = below_at(W, V[5] + (1 if code else 0))
                if at == V[5]:
                    at = -1
        if at >= 0:
            cards = C[at]
            code = np.int64(K[at])
            owner = turn
            H[turn] = own - cards
            out -= cards
            N[turn] += 1
            V[8 + turn] -= number_of(cards)
            if code >> 26:
                bombs += _bomb(code)
            if V[8 + turn] == 0:
                if D[SIDES + turn]:
                    quiet = True
                    for seat in range(seats):
                        if not D[SIDES + seat] and N[seat]:
                            quiet = False
                    return bombs | WON | (SPRING if quiet else 0)
                return bombs | (ANTI_SPRING if N[boss] == 1 else 0)
        turn = (turn + 1) % seats


@jit
def try_plays(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    V: Vector,
    D: Vector,
    worlds: Vector,
    first: Count,
    active: Vector,
    plays: Vector,
    codes: Vector,
    out: Word,
    noise: Count,
    seed: Word,
    C: Vector,
    K: Vector,
    X: Vector,
    H: Vector,
    N: Vector,
    results: Vector,
) -> Count:
    """Play on from candidates in some worlds; arrays. Returns how many games.

    Args:
        worlds: hands of every seat, a row a world; not changed.
        first: number of the first world, for its random numbers and its column in ``results``.
        active: places of the candidates to try.
        plays, codes: of all candidates, cards and code; no cards for a pass.
        out: all cards not played yet.
        noise: random moves of 1024.
        H, N: room for hands and plays of each seat.
        results: receives a result by candidate and world.
    """
    t, w, p, s, q, g = pointer(T), pointer(W), pointer(P), pointer(S), pointer(Q), pointer(G)
    v, d, c, k, x = pointer(V), pointer(D), pointer(C), pointer(K), pointer(X)
    h, n = pointer(H), pointer(N)
    seats, own = d[0], d[1]
    games = 0
    for world in range(len(worlds)):
        for place in active:
            _seed(w, seed, first + world)
            for seat in range(seats):
                h[seat] = worlds[world, seat]
                n[seat] = d[PLAYS + seat]
            owner, code, bombs = d[3], d[4], np.int64(0)
            left = out
            games += 1
            if plays[place]:
                code, owner = np.int64(codes[place]), own
                h[own] -= plays[place]
                left -= plays[place]
                n[own] += 1
                if code >> 26:
                    bombs = _bomb(code)
                if h[own] == _0:
                    found = bombs
                    if d[SIDES + own]:
                        quiet = True
                        for seat in range(seats):
                            if not d[SIDES + seat] and n[seat]:
                                quiet = False
                        found |= WON | (SPRING if quiet else 0)
                    elif n[d[2]] == 1:
                        found |= ANTI_SPRING
                    results[place, first + world] = found
                    continue
            results[place, first + world] = _finish_at(
                t, w, p, s, q, g, v, d, h, n, (own + 1) % seats, owner, code, left, bombs, noise,
                c, k, x,
            )  # fmt: skip
    return games
