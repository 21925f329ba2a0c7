"""Games of bots that begin as told: settings by seat, a scripted start, a picked action, a trace.

Layer 0. The experiments on claims play the same cards twice and change one thing: one action, or
how one seat plays. A seat plays as the rule bot does (:mod:`ddz_core.kernels.rule`), with weights
and knowledge of its own, or as the net does (:mod:`ddz_core.kernels.net`); nothing reads more than
a seat may know, unless its settings say so.

Every game begins with the landlord's first lead. Its *script* (cards and codes, 0 for a pass) is
played first; then one action may be picked; then the bots go on. ``start`` has a row of words for
each game::

    0 landlord   1 row of settings   2 actions of the script
    3 picked action: 0 as the bot chooses, 1 pass, 2 the cards in ``forced`` with the code in word
      4, 3 the best play that fits words 5-9, 4 the same, or a pass where the rule bot prefers one
    5, 6 forms wanted and excluded, -1 for any   7 1: bombs only, 2: no bombs, 0: any
    8 0 best by the rule bot's score, 1 highest top, 2 lowest top   9 mask of tops, 0 for any
    10 actions after which the game is broken off, 0 for none; its result is then -1

``settings`` has for each row and seat::

    0 number of the weights   1 of those when a partner owns the play   2 how often these are used,
    in 2**32   3 1 where the landlord's hand is known   4 1 where enemies' bombs are left out of
    account   5 bombs that may be played, -1 for any number   6 1 for the net

``memory`` masks the cards that a seat remembers as played. A *result* is that of
:mod:`ddz_core.kernels.bids`, or -1 where no play fits the picked action.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bids import ANTI_SPRING, BOMBS, MOST_STEPS, SPRING, WON
from ddz_core.kernels.bits import Count, Vector, Word, jit, pointer
from ddz_core.kernels.masks import number_of
from ddz_core.kernels.net import act_at, begin_at, choose_net_at
from ddz_core.kernels.plain import NO_LIMIT, answers_at, can_beat_at, leads_at
from ddz_core.kernels.playout import STATE, below_at
from ddz_core.kernels.rule import ROOM, WEIGHTS, choose_at

START = 12
"""Words of a row of ``start``."""
SETTINGS = 8
"""Words of the settings of a seat."""
ROW = 12
"""Words of a row of the trace: game, seat, owner, code to beat, code played (0: pass), plays of the
landlord and of the others before, result so far, whether there was a choice, landlord, number of
the action, tricks begun before."""

_SCRATCH = 8192
_NEVER = -1.0e30
_HALF = 1 << 30
_QUOTA = 24
_0 = np.uint64(0)


@jit
def _fits(own_code: Count, start: Vector, at: Count) -> bool:
    """Tell whether a play fits the words of a first action; pointers."""
    form = (own_code >> 16) & 0x3FF
    step = own_code >> 26
    if start[at + 5] >= 0 and (form != start[at + 5] or step > 0):
        return False
    if start[at + 6] >= 0 and form == start[at + 6] and step == 0:
        return False
    if start[at + 7] == 1 and step == 0:
        return False
    if start[at + 7] == 2 and step > 0:
        return False
    return start[at + 9] == 0 or (start[at + 9] >> ((own_code >> 12) & 15)) & 1 == 1


@jit
def _picked(
    T: Vector,
    W: Vector,
    hand: Word,
    code: Count,
    limit: Count,
    start: Vector,
    at: Count,
    C: Vector,
    K: Vector,
    X: Vector,
) -> Count:
    """Return the place of the first action among the plays, -1 to pass, -2 if none fits; pointers.

    ``X`` holds the scores of the plays, which are listed again because the search that made the
    scores used the same room.
    """
    end = np.int64(0)
    if code == 0:
        end = leads_at(T, W, hand, C, K, 0, ROOM)
    else:
        end = answers_at(T, W, hand, code, limit, C, K, 0, ROOM)
    best, place = _NEVER, np.int64(-2)
    for i in range(min(end, ROOM - _SCRATCH)):
        own_code = np.int64(K[i])
        if not _fits(own_code, start, at):
            continue
        score = X[i]
        if start[at + 8] == 1:
            score = X[i] * 1e-3 + 100.0 * ((own_code >> 12) & 15)
        elif start[at + 8] == 2:
            score = X[i] * 1e-3 - 100.0 * ((own_code >> 12) & 15)
        if score > best:
            best, place = score, np.int64(i)
    if start[at + 3] == 4 and (place < 0 or (code != 0 and X[place] <= 0.0)):
        return -1
    return place


@jit
def _plain_lead(T: Vector, W: Vector, hand: Word, C: Vector, K: Vector, X: Vector) -> Count:
    """Return the place of the best lead that is no bomb, by the scores in ``X``; pointers."""
    end = min(leads_at(T, W, hand, C, K, 0, ROOM), ROOM - _SCRATCH)
    best, place = _NEVER, np.int64(0)
    for i in range(end):
        if np.int64(K[i]) >> 26 == 0 and X[i] > best:
            best, place = X[i], np.int64(i)
    return place


@jit
def play(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    F: Vector,
    N: Vector,
    settings: Vector,
    memory: Vector,
    V: Vector,
    NV: Vector,
    NH: Vector,
    hands: Vector,
    bottoms: Vector,
    start: Vector,
    script: Vector,
    script_codes: Vector,
    forced: Vector,
    seeds: Vector,
    pool: Word,
    nets: Count,
    C: Vector,
    K: Vector,
    X: Vector,
    Y: Vector,
    J: Vector,
    results: Vector,
    rows: Vector,
    words: Vector,
) -> Count:
    """Play games to the end; arrays. Returns the decisions recorded.

    ``hands`` has a row of hands a game and is used up; ``G`` one vector of weights after the other;
    ``F, N, NV, NH, Y, J`` forms, weights, state and room of the net, read where ``nets`` is 1;
    ``seeds`` a word a game, for settings that are used now and then; ``rows`` and ``words`` get the
    trace as far as they have room: ``words`` the hands before the action and the cards played.
    """
    t, w, p, s, q = pointer(T), pointer(W), pointer(P), pointer(S), pointer(Q)
    g, v, c, k, x = pointer(G), pointer(V), pointer(C), pointer(K), pointer(X)
    f, net, nv, nh = pointer(F), pointer(N), pointer(NV), pointer(NH)
    y, j = pointer(Y), pointer(J)
    e, first = pointer(settings), pointer(start)
    deals, seats = hands.shape
    recorded, room = 0, len(rows)
    v[0] = seats
    for d in range(deals):
        base = d * START
        w[STATE] = seeds[d]
        boss, arm, scripted = first[base], first[base + 1], first[base + 2]
        turn, owner, code = boss, np.int64(-1), np.int64(0)
        own_plays, other_plays, bombs = 0, 0, np.int64(0)
        all_cards, gone = _0, _0
        for seat in range(seats):
            v[8 + seat] = number_of(hands[d, seat])
            v[_QUOTA + seat] = 0
            all_cards += hands[d, seat]
        if nets:
            for seat in range(seats):
                nh[seat] = hands[d, seat]
            nh[8], nh[9] = bottoms[d], pool
            begin_at(nv, nh, boss)
        unknown = pool - all_cards
        number, tricks = 0, 0
        result = np.int64(-1)
        while True:
            if owner == turn:
                owner, code = np.int64(-1), np.int64(0)
            if code == 0:
                tricks += 1
            own = hands[d, turn]
            mine = (arm * seats + turn) * SETTINGS
            pick = first[base + 3] if number == scripted else np.int64(0)
            at = np.int64(-1)
            cards, own_code = _0, np.int64(0)
            can = True
            if number < scripted:
                cards, own_code = script[d, number], script_codes[d, number]
            else:
                quota = e[mine + 5]
                limit = np.int64(NO_LIMIT)
                if quota >= 0 and v[_QUOTA + turn] >= quota:
                    limit = np.int64(0)
                can = code == 0 or can_beat_at(t, w, own, code, limit, c, k, 0, ROOM)
                if not can and pick > 1 and pick < 4:
                    break
                if pick == 2:
                    cards, own_code = forced[d], first[base + 4]
                elif can and pick == 0 and e[mine + 6] == 1:
                    unseen = all_cards - own + unknown
                    # fmt: off
                    at = choose_net_at(
                        t, w, p, s, q, f, net, 0, nv, nh, unseen, limit, 0.0, False, c, k, x, y, j
                    )
                    # fmt: on
                elif can and pick != 1:
                    unseen = all_cards - own + unknown + (gone & ~memory[arm, turn])
                    if e[mine + 3] and turn != boss:
                        unseen = hands[d, boss]
                    v[1], v[2], v[3] = turn, owner, code
                    spent = 1
                    for seat in range(seats):
                        mate = (seat == boss) == (turn == boss)
                        v[16 + seat] = 1 if mate else 0
                        if not mate:
                            most = e[(arm * seats + seat) * SETTINGS + 5]
                            if most < 0 or v[_QUOTA + seat] < most:
                                spent = 0
                    v[4] = 1 if e[mine + 4] else spent
                    weights = e[mine]
                    often = e[mine + 2]
                    # chances are in 2**32; a draw of 30 bits is fine enough
                    if owner >= 0 and v[16 + owner] and often > below_at(w, _HALF) << 2:
                        weights = e[mine + 1]
                    at = choose_at(
                        t, w, p, s, q, g, weights * WEIGHTS, v, own, unseen, limit, c, k, x
                    )
                    if limit == 0 and code == 0:
                        at = _plain_lead(t, w, own, c, k, x)
                    if pick:
                        at = _picked(t, w, own, code, limit, first, base, c, k, x)
                        if at == -2:
                            break
                if at >= 0:
                    cards, own_code = c[at], np.int64(k[at])
            if recorded < room:
                rows[recorded, 0], rows[recorded, 1], rows[recorded, 2] = d, turn, owner
                rows[recorded, 3], rows[recorded, 4] = code, own_code
                rows[recorded, 5], rows[recorded, 6] = own_plays, other_plays
                rows[recorded, 7], rows[recorded, 8] = bombs, 1 if can else 0
                rows[recorded, 9], rows[recorded, 10] = boss, number
                rows[recorded, 11] = tricks
                for seat in range(seats):
                    words[recorded, seat] = hands[d, seat]
                words[recorded, seats] = cards
                recorded += 1
            number += 1
            if nets:
                act_at(f, nv, nh, cards, own_code)
            if cards != _0:
                code, owner = own_code, turn
                hands[d, turn] = own - cards
                all_cards -= cards
                gone += cards
                v[8 + turn] -= number_of(cards)
                if turn == boss:
                    own_plays += 1
                else:
                    other_plays += 1
                step = code >> 26
                if step > 0:
                    place = step if step < MOST_STEPS else MOST_STEPS
                    bombs += np.int64(1) << (BOMBS + 8 * (place - 1))
                    v[_QUOTA + turn] += 1
                if v[8 + turn] == 0:
                    if turn == boss:
                        result = bombs | WON | (SPRING if other_plays == 0 else 0)
                    else:
                        result = bombs | (ANTI_SPRING if own_plays == 1 else 0)
                    break
            turn = (turn + 1) % seats
            if number == first[base + 10]:
                break
        results[d] = result
    return recorded
