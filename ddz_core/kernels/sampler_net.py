"""Candidates tried in sampled worlds with the net: a few moves by the net, then its own judgement.

Layer 0. Each seat chooses by what it may know itself, as :mod:`ddz_core.kernels.net` does; after
some decisions the chance to win that the net gives to the seat to act stands for the rest.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import math

import numpy as np

from ddz_core.kernels.bits import Count, Vector, Word, jit, pointer
from ddz_core.kernels.net import STATE_H, STATE_V, act_at, choose_net_at
from ddz_core.kernels.plain import NO_LIMIT


@jit
def _judged_at(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    F: Vector,
    N: Vector,
    V: Vector,
    H: Vector,
    deck: Word,
    depth: Count,
    C: Vector,
    K: Vector,
    X: Vector,
    Y: Vector,
    J: Vector,
) -> float:
    """Return the landlord's chance after ``depth`` decisions by the net; pointers."""
    decisions = 0
    while True:
        seat = V[1]
        unseen = deck - H[4] - H[5] - H[6] - H[seat]
        at = choose_net_at(
            T, W, P, S, Q, F, N, 0, V, H, unseen, NO_LIMIT, 0.0, False, C, K, X, Y, J
        )
        plays = V[5]
        if plays:
            sure = V[6] != 0
            decisions += 1
            if sure or decisions >= depth:
                logit = X[at] if at >= 0 else X[plays]
                own = 1.0 if sure else 1.0 / (1.0 + math.exp(-logit))
                return own if seat == V[0] else 1.0 - own
        over = False
        if at >= 0:
            over = act_at(F, V, H, C[at], np.int64(K[at]))
        else:
            over = act_at(F, V, H, np.uint64(0), np.int64(0))
        if over:
            return 1.0 if seat == V[0] else 0.0


@jit
def judge_plays(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    F: Vector,
    N: Vector,
    state: Vector,
    held: Vector,
    V: Vector,
    H: Vector,
    worlds: Vector,
    first: Count,
    active: Vector,
    plays: Vector,
    codes: Vector,
    deck: Word,
    depth: Count,
    C: Vector,
    K: Vector,
    X: Vector,
    Y: Vector,
    J: Vector,
    values: Vector,
) -> Count:
    """Write the landlord's chance by candidate and world; arrays. Returns how many were judged.

    Args:
        state, held: the state of the decision, with the own hand; not changed.
        V, H: room for another state.
        worlds: hands of every seat, a row a world.
        first: column of the first world in ``values``.
        active: places of the candidates to try.
        plays, codes: of all candidates, cards and code; no cards for a pass.
        deck: all cards.
        depth: decisions made by the net before it judges, at least 1.
    """
    t, w, p, s, q, f, n = (
        pointer(T), pointer(W), pointer(P), pointer(S), pointer(Q), pointer(F), pointer(N)
    )  # fmt: skip
    v, h, c, k, x, y, j = (
        pointer(V), pointer(H), pointer(C), pointer(K), pointer(X), pointer(Y), pointer(J)
    )  # fmt: skip
    judged = 0
    for world in range(len(worlds)):
        for place in active:
            for i in range(STATE_V):
                v[i] = state[i]
            for i in range(STATE_H):
                h[i] = held[i]
            for seat in range(3):
                h[seat] = worlds[world, seat]
            own = v[1]
            judged += 1
            if act_at(f, v, h, plays[place], codes[place]):
                values[place, first + world] = 1.0 if own == v[0] else 0.0
                continue
            values[place, first + world] = _judged_at(
                t, w, p, s, q, f, n, v, h, deck, depth, c, k, x, y, j
            )
    return judged
