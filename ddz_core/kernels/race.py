"""Deals between rule bots in which one seat is held to a split of its hand.

Layer 0. The seat scores its plays as the rule bot does (:mod:`ddz_core.kernels.rule`) and then
takes the best among the groups of its split that are left, or passes: two splits of one hand can so
be compared on the same deals with the same judgement.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import Count, Vector, Word, jit, pointer
from ddz_core.kernels.masks import number_of
from ddz_core.kernels.plain import NO_LIMIT, answers_at, can_beat_at, leads_at
from ddz_core.kernels.rule import ROOM, choose_at

_LOWEST = -1.0e29
_1 = np.uint64(1)


@jit
def _held_to(
    T: Vector,
    W: Vector,
    groups: Vector,
    number: Count,
    left: Word,
    hand: Word,
    code: Count,
    C: Vector,
    K: Vector,
    X: Vector,
) -> Count:
    """Return the place in ``C``, ``K`` of the best group left, or -1 to pass; pointers.

    ``X`` holds the scores of the plays, which are listed again here because the search that made
    the scores used the same room. Of several readings of a group the highest score counts.
    """
    end = 0
    if code == 0:
        end = leads_at(T, W, hand, C, K, 0, ROOM)
    else:
        end = answers_at(T, W, hand, code, NO_LIMIT, C, K, 0, ROOM)
    best, chosen = (_LOWEST if code == 0 else 0.0), -1
    for i in range(min(end, ROOM - 8192)):
        for g in range(number):
            if (left >> np.uint64(g)) & _1 and groups[g] == C[i] and X[i] > best:
                best, chosen = X[i], i
    return chosen


@jit
def race(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    V: Vector,
    hands: Vector,
    groups: Vector,
    hero: Count,
    boss: Count,
    pool: Word,
    C: Vector,
    K: Vector,
    X: Vector,
    winners: Vector,
) -> Count:
    """Play deals to the end, seat ``hero`` held to its groups; arrays. Returns the actions.

    ``hands`` has a row of hands a deal and is used up; ``groups`` are the packed groups of the
    hero's hand, none for a hero that is held to nothing; the landlord ``boss`` leads. ``pool``
    holds all cards, also those that nobody has. ``winners`` gets the seat that went out.
    """
    t, w, p, s, q = pointer(T), pointer(W), pointer(P), pointer(S), pointer(Q)
    g, v, c, k, x = pointer(G), pointer(V), pointer(C), pointer(K), pointer(X)
    own_groups, number = pointer(groups), len(groups)
    deals, seats = hands.shape
    actions = 0
    v[0], v[4] = seats, 0
    for d in range(deals):
        all_cards = pool
        for seat in range(seats):
            v[8 + seat] = number_of(hands[d, seat])
        turn, owner, code = boss, np.int64(-1), np.int64(0)
        left = (_1 << np.uint64(number)) - _1
        while True:
            actions += 1
            if owner == turn:
                owner, code = np.int64(-1), np.int64(0)
            own = hands[d, turn]
            at = -1
            if code == 0 or can_beat_at(t, w, own, code, NO_LIMIT, c, k, 0, ROOM):
                v[1], v[2], v[3] = turn, owner, code
                for seat in range(seats):
                    v[16 + seat] = 1 if (seat == boss) == (turn == boss) else 0
                at = choose_at(t, w, p, s, q, g, 0, v, own, all_cards - own, NO_LIMIT, c, k, x)
                if turn == hero and number:
                    at = _held_to(t, w, own_groups, number, left, own, code, c, k, x)
            if at >= 0:
                cards = c[at]
                if turn == hero:
                    for i in range(number):
                        if (left >> np.uint64(i)) & _1 and own_groups[i] == cards:
                            left &= ~(_1 << np.uint64(i))
                            break
                code = np.int64(k[at])
                owner = turn
                hands[d, turn] = own - cards
                all_cards -= cards
                v[8 + turn] -= number_of(cards)
                if v[8 + turn] == 0:
                    winners[d] = turn
                    break
            turn = (turn + 1) % seats
    return actions
