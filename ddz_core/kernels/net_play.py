"""Whole games with a policy a seat: random, the rule bot or the net, thousands a second.

Layer 0. The policies are those of :mod:`ddz_core.kernels.playout`, :mod:`ddz_core.kernels.rule`
and :mod:`ddz_core.kernels.net`; the landlord is given. The same loop plays matches, experiments
and the games that the net learns from, so that all three play by the same rules.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import math

import numpy as np

from ddz_core.kernels.bits import Count, Vector, Word, jit, pointer
from ddz_core.kernels.net import (
    MOST_ACTIVE,
    POINTS,
    ROLES,
    SIZE,
    act_at,
    active_inputs,
    begin_at,
    choose_net_at,
    role_of,
    unseen_at,
)
from ddz_core.kernels.plain import NO_LIMIT, answers_at, can_beat_at, leads_at
from ddz_core.kernels.playout import STATE, below_at
from ddz_core.kernels.rule import ROOM, WEIGHTS, choose_at

RANDOM, RULE, NET = 0, 1, 2
"""Policies; NET + n is the net whose weights stand in place n."""
ROW = MOST_ACTIVE
"""Words of one recorded decision: the number of its inputs, then the inputs."""
FACTS = 4
"""Words of the facts of a game: seat that went out, bombs played, plays of the landlord, plays of
the farmers."""
_0 = np.uint64(0)


@jit
def deal_games(
    deck: Vector, W: Vector, seed: Word, hands: Vector, bottoms: Vector, landlords: Vector
) -> None:
    """Deal as many games as ``landlords`` has places, the landlord by lot; arrays.

    ``deck`` holds one packed card a place and is shuffled; ``hands`` gets three hands a game, the
    landlord's with the bottom cards, ``bottoms`` those.
    """
    work = pointer(W)
    work[STATE] = seed
    cards = len(deck)
    for game in range(len(landlords)):
        for i in range(cards - 1, 0, -1):
            j = below_at(work, i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        boss = below_at(work, 3)
        landlords[game] = boss
        at = 0
        for seat in range(3):
            hand = _0
            for _ in range((cards - 3) // 3):
                hand += deck[at]
                at += 1
            hands[3 * game + seat] = hand
        bottom = deck[at] + deck[at + 1] + deck[at + 2]
        bottoms[game] = bottom
        hands[3 * game + boss] += bottom


@jit
def _random_at(T: Vector, W: Vector, hand: Word, code: Count, C: Vector, K: Vector) -> Count:
    """Return the place of a random action, -1 for a pass."""
    if code == 0:
        return below_at(W, min(leads_at(T, W, hand, C, K, 0, ROOM), ROOM))
    end = min(answers_at(T, W, hand, code, NO_LIMIT, C, K, 0, ROOM), ROOM)
    chosen = below_at(W, end + 1)
    return chosen if chosen < end else -1


@jit
def play_games(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    F: Vector,
    G: Vector,
    N: Vector,
    R: Vector,
    V: Vector,
    H: Vector,
    hands: Vector,
    bottoms: Vector,
    landlords: Vector,
    policies: Vector,
    pool: Word,
    seed: Word,
    stray: float,
    weight: float,
    trace: float,
    C: Vector,
    K: Vector,
    X: Vector,
    Y: Vector,
    J: Vector,
    facts: Vector,
    D: Vector,
    targets: Vector,
    counts: Vector,
    room: Count,
) -> Count:
    """Play deals from the landlord's lead to the end; arrays. Returns the number of decisions.

    Args:
        T, W, P, S, Q, F: as :func:`ddz_core.kernels.net.choose_net_at`.
        G: weights of the rule bot for each of three seats.
        N: weights of one net or several, three networks each.
        R: a view of the rule bot.
        V, H: a state of the net.
        hands: three hands a deal, the landlord's with the bottom; not changed.
        bottoms, landlords: the bottom cards and the landlord's seat of each deal.
        policies: three a deal, by seat.
        pool: the deck.
        seed: of random moves.
        stray: share of the net's decisions that are random instead.
        weight: of expected points beside the chance to win, for nets.
        trace: how much of a target comes from what happened; the rest from the estimates on the
            way (1: only from what happened).
        C, K, X, Y, J: room.
        facts: gets ``FACTS`` words a deal.
        D: gets the recorded decisions of nets, ``ROW`` words each, ``room`` a role.
        targets: gets the chance to win (1 or 0 where the end decides) and signed points (a quarter
            for a plain win), by decision.
        counts: number of decisions recorded by role; 0 at the start.
        room: decisions a role that can be recorded; 0 records nothing. When recording, a game
            ends with the first play of a net that surely wins.
    """
    t, w, p, s, q, f = pointer(T), pointer(W), pointer(P), pointer(S), pointer(Q), pointer(F)
    g, net, r, v, h = pointer(G), pointer(N), pointer(R), pointer(V), pointer(H)
    c, k, x, y, j = pointer(C), pointer(K), pointer(X), pointer(Y), pointer(J)
    w[STATE] = seed
    first = np.zeros(ROLES, dtype=np.int64)
    decisions = 0
    for d in range(len(landlords)):
        boss = np.int64(landlords[d])
        for seat in range(3):
            h[seat] = hands[3 * d + seat]
        h[8], h[9] = bottoms[d], pool
        begin_at(v, h, boss)
        for role in range(ROLES):
            first[role] = counts[role]
        winner = np.int64(-1)
        while winner < 0:
            seat, code = v[1], v[3]
            hand = h[seat]
            if code and not can_beat_at(t, w, hand, code, NO_LIMIT, c, k, 0, ROOM):
                act_at(f, v, h, _0, 0)
                continue
            decisions += 1
            policy = np.int64(policies[3 * d + seat])
            at = -1
            expected, gain, strayed = 0.5, 0.0, False
            unseen = unseen_at(v, h)
            if policy == RANDOM:
                at = _random_at(t, w, hand, code, c, k)
            elif policy == RULE:
                r[0], r[1], r[2], r[3], r[4] = 3, seat, v[2], code, 0
                for other in range(3):
                    r[8 + other] = v[8 + other]
                    r[16 + other] = 1 if (other == boss) == (seat == boss) else 0
                at = choose_at(t, w, p, s, q, g, seat * WEIGHTS, r, hand, unseen, NO_LIMIT, c, k, x)
            else:
                at = choose_net_at(
                    t,
                    w,
                    p,
                    s,
                    q,
                    f,
                    net,
                    (policy - NET) * ROLES * SIZE,
                    v,
                    h,
                    unseen,
                    NO_LIMIT,
                    weight,
                    False,
                    c,
                    k,
                    x,
                    y,
                    j,
                )
                place = at if at >= 0 else v[5]
                expected, gain = 1.0 / (1.0 + math.exp(-x[place])), x[POINTS + place]
                if v[6] == 0 and stray > 0.0 and below_at(w, 1 << 20) < stray * (1 << 20):
                    choices = v[5] + (1 if code else 0)
                    at = below_at(w, choices)
                    strayed = True
                    if at >= v[5]:
                        at = -1
            cards, played = _0, np.int64(0)
            if at >= 0:
                cards, played = c[at], np.int64(k[at])
            if policy >= NET and room > 0:
                role = role_of(seat, boss)
                if counts[role] < room:
                    n = active_inputs(t, w, p, s, q, f, v, h, unseen, cards, played, c, k, v[5], j)
                    row = (role * room + counts[role]) * ROW
                    D[row] = n
                    for i in range(n):
                        D[row + 1 + i] = j[i]
                    # what the net expects of its own choice; 2 more where a random play replaced it
                    targets[2 * (role * room + counts[role])] = expected + (2.0 if strayed else 0.0)
                    targets[2 * (role * room + counts[role]) + 1] = gain
                    counts[role] += 1
                if v[6]:
                    winner = seat
            if act_at(f, v, h, cards, played):
                winner = seat
        farmers = v[12 + (boss + 1) % 3] + v[12 + (boss + 2) % 3]
        facts[FACTS * d] = winner
        facts[FACTS * d + 1] = v[4]
        facts[FACTS * d + 2] = v[12 + boss]
        facts[FACTS * d + 3] = farmers
        doubled = v[4]
        if (winner == boss and farmers == 0) or (winner != boss and v[12 + boss] == 1):
            doubled += 1
        points = 0.25 * (1 << min(doubled, 4))
        for role in range(ROLES):
            won = (winner == boss) == (role == 0)
            chance, gain = (1.0 if won else 0.0), (points if won else -points)
            for i in range(counts[role] - 1, first[role] - 1, -1):
                at = 2 * (role * room + i)
                expected, value = np.float64(targets[at]), np.float64(targets[at + 1])
                targets[at], targets[at + 1] = chance, gain
                if expected > 1.5:
                    # what came of a random play says nothing of the plays before it
                    chance, gain = expected - 2.0, value
                else:
                    chance = trace * chance + (1.0 - trace) * expected
                    gain = trace * gain + (1.0 - trace) * value
    return decisions


@jit
def inputs_of(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    F: Vector,
    V: Vector,
    H: Vector,
    unseen: Word,
    cards: Word,
    code: Count,
    C: Vector,
    K: Vector,
    J: Vector,
) -> Count:
    """Call :func:`active_inputs` with arrays."""
    return active_inputs(
        pointer(T),
        pointer(W),
        pointer(P),
        pointer(S),
        pointer(Q),
        pointer(F),
        pointer(V),
        pointer(H),
        unseen,
        cards,
        code,
        pointer(C),
        pointer(K),
        0,
        pointer(J),
    )
