"""What a solver's frame consists of, and which of its moves are tried, in which order.

Layer 0. Vectors and frames are described in :mod:`ddz_core.kernels.solve`.
"""

# kernels read like the formulas of the layout, whose vectors are named by one letter
# ruff: noqa: N803

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import LOW, Count, Vector, Word, clz, ctpop, cttz, jit
from ddz_core.kernels.masks import number_of
from ddz_core.kernels.plain import can_beat_at
from ddz_core.kernels.table import FORMS, UNITS
from ddz_core.kernels.turns import turns_cached

SEATS, SIDES, GOAL, DEPTH, NODES, STOP, STATE = range(7)
BITS, SALT, CAP, POINTS, CHOSEN, LOOK, SPENT, THIN, OPEN = range(7, 16)
"""Words of ``F``: seats; bit ``s`` for each seat of the landlord's side; the goal; depth of the
frame in work; nodes so far; nodes at which to stop; what to do next; buckets as a power of two;
salt of the keys; room of the stack; whether more than the winner counts; the place of the move that
decided the first frame, -1 if none was made; whether the first frame may be looked up; how much the
look-up that succeeded last had cost, as a power of two."""
LIMITS = 16
"""From here in ``F`` the highest ladder step that each seat may play."""
FRAMES, FRAME, MOST_DEPTH = 32, 12, 700
SEAT, OWNER, CODE, START, END, NEXT, TALLY, PLAYED, BUCKET, BEFORE, TAG = range(11)
"""Words of a frame: seat to move, owner of the play on the table, its code, the moves and the next
to try, tally, who has made plays, bucket and check word of the key, nodes before it."""
HANDS = 5
"""Words of a frame in ``H``."""
BEGIN, RUNNING, DONE_NO, DONE_YES, NO_ROOM = range(5)
"""Values of ``STATE``."""

VALUES = 64 * 512
"""``V[64 * tally + step]`` is the tally after a play of that ladder step; from ``VALUES`` on stand
four values a tally: the other side won, by anti-spring, the landlord's side won, by a spring."""
MOST_TALLIES = 512
LANDLORD_ONCE, LANDLORD_TWICE, FARMER_ONCE = 1, 2, 4
"""Bits of ``PLAYED``: the landlord's side has made one play, more than one; the other side one."""

LADDER_ONLY = 1
"""A code that only the ladder beats, in place of one of step 0 that no hand can answer in kind."""

_TURN, _LOW, _SAFE, _CARD, _BOMB, _RANK, _PARTNER = 70, 120, 100, 30, 150, 5, 120
"""Weights of the order: a play that the rest needs, a low group left, a play that nobody opposite
beats, a card that is led, a bomb, a step of rank, leaving a partner's play alone."""

_0, _1 = np.uint64(0), np.uint64(1)
_SMALL, _BIG, _JOKERS = np.uint64(1 << 52), np.uint64(1 << 56), np.uint64(0xFFF << 52)


@jit
def end_value(V: Vector, tally: Count, played: Count, won: Count) -> Count:
    """Return what the landlord's side gets when a game ends; ``won`` 1 if it went out itself."""
    if won:
        spring = 0 if played & FARMER_ONCE else 1
    else:
        spring = 1 if played & (LANDLORD_ONCE | LANDLORD_TWICE) == LANDLORD_ONCE else 0
    return V[VALUES + 4 * tally + 2 * won + spring]


@jit
def played_after(played: Count, landlord: Count) -> Count:
    """Return ``PLAYED`` after a play of one side."""
    if not landlord:
        return played | FARMER_ONCE
    if played & (LANDLORD_ONCE | LANDLORD_TWICE):
        return (played | LANDLORD_TWICE) & ~LANDLORD_ONCE
    return played | LANDLORD_ONCE


@jit
def lanes_with(hand: Word, size: Count) -> Word:
    """Return the lanes with at least ``size`` cards, 1 to 8."""
    a, b, c, d = hand, hand >> np.uint64(1), hand >> np.uint64(2), hand >> np.uint64(3)
    if size == 1:
        return (a | b | c | d) & LOW
    if size == 2:
        return (b | c | d) & LOW
    if size == 3:
        return ((a & b) | c | d) & LOW
    if size == 4:
        return (c | d) & LOW
    if size == 5:
        return ((c & (a | b)) | d) & LOW
    if size == 6:
        return ((b & c) | d) & LOW
    if size == 7:
        return ((a & b & c) | d) & LOW
    return d & LOW


@jit
def _in_runs(Z: Vector, hand: Word) -> Word:
    """Return the lanes of a hand that take part in a run it could play."""
    found = _0
    for size in range(1, 5):
        first, number = np.int64(Z[2 * size]), np.int64(Z[2 * size + 1])
        if number:
            have = lanes_with(hand, size)
            for i in range(first, first + number):
                if have & Z[i] == Z[i]:
                    found |= Z[i]
    return found


@jit
def thin_moves(
    T: Vector,
    Z: Vector,
    F: Vector,
    H: Vector,
    C: Vector,
    K: Vector,
    frame: Count,
    at: Count,
) -> None:
    """Strike moves that another move of the list makes superfluous.

    A hand gets no worse when all its cards of one rank become cards of a higher rank that it lacks,
    if the low ones are in no run and no partner holds a card above the low and up to the high rank:
    whatever it could play, it plays the same with the high rank, which opponents beat less often
    and which takes no answer from a partner. So of two moves with the same answers the one that
    keeps the higher rank is enough.
    """
    seat, seats = F[frame + SEAT], F[SEATS]
    start, end = F[frame + START], F[frame + END]
    hand = H[at + seat]
    side = (F[SIDES] >> seat) & 1
    partners, others = _0, _0
    for s in range(seats):
        if s != seat:
            if (F[SIDES] >> s) & 1 == side:
                partners |= H[at + s]
            others |= H[at + s]
    partners = lanes_with(partners, 1)
    free = ~_in_runs(Z, hand)
    level = F[THIN] & 3
    allowed = ~_JOKERS
    if F[THIN] & 4 and (hand & _JOKERS == _SMALL or hand & _JOKERS == _BIG):
        allowed = ~_0
    table = F[frame + CODE]
    over = ~((np.uint64(16) << np.uint64(4 * ((table >> 12) & 15))) - _1)
    kept = start
    for i in range(start, end):
        cards, code = C[i], np.int64(K[i])
        form = (code >> 16) & 0x3FF
        where = np.int64(T[FORMS + form])
        superfluous = False
        if where:
            row, run = where >> 8, where & 255
            body = np.int64(T[row])
            alone = T[row + 6] == _0
            used = lanes_with(cards, 1)
            look = _0
            if not alone:
                order = np.int64(T[row + 3])
                first = ((code >> 12) & 15) - run + 1
                look = used & ~T[UNITS + 256 * order + 16 * run + first]
            elif run == 1:
                look = used
            look &= allowed
            while look:
                bit = look & (~look + _1)
                look ^= bit
                times = np.int64((cards >> np.uint64(cttz(bit))) & np.uint64(15))
                left = np.int64((hand >> np.uint64(cttz(bit))) & np.uint64(15)) - times
                if left and (times + left > 3 or level == 1 or bit & _JOKERS):
                    continue
                if times > 2 and (not alone or level == 1):
                    continue
                same = lanes_with(hand, times)
                if times < 8:
                    same &= ~lanes_with(hand, times + 1)
                upto = (bit << _1) - _1
                same &= free & ~used & upto
                hold = partners & upto
                if alone:
                    hold |= lanes_with(others, body) & upto
                    if code >> 16 == table >> 16:  # the lower rank must be an answer, too
                        same &= over
                if same and hold:
                    top = np.uint64(63) - np.uint64(clz(hold))
                    same &= ~((_1 << top) - _1)
                if same:
                    superfluous = True
                    break
        if not superfluous:
            C[kept], K[kept] = cards, np.uint32(code)
            kept += 1
    F[frame + END] = kept


@jit
def order_moves(
    W: Vector,
    P: Vector,
    X: Vector,
    Q: Vector,
    F: Vector,
    H: Vector,
    C: Vector,
    K: Vector,
    R: Vector,
    T: Vector,
    frame: Count,
    at: Count,
) -> None:
    """Say in which order the moves of a frame are tried: the highest of ``R`` first.

    ``T`` are the rules of the other side's hands. What counts most is how many single cards and
    pairs are left that the other side can still top: they lose the lead. The weights come from the
    bench's random splits.
    """
    seat, code, seats = F[frame + SEAT], F[frame + CODE], F[SEATS]
    hand = H[at + seat]
    side = (F[SIDES] >> seat) & 1
    start, end = F[frame + START], F[frame + END]
    high_one, high_two = _0, _0
    for s in range(seats):
        if (F[SIDES] >> s) & 1 != side:
            high_one = max(high_one, lanes_with(H[at + s], 1))
            high_two = max(high_two, lanes_with(H[at + s], 2))
    below_one = (_1 << np.uint64(63 - clz(high_one))) - _1 if high_one else _0
    below_two = (_1 << np.uint64(63 - clz(high_two))) - _1 if high_two else _0
    for i in range(start, end):
        cards, own = C[i], np.int64(K[i])
        rest = hand - cards
        two = lanes_with(rest, 2)
        low = ctpop(lanes_with(rest, 1) & ~two & below_one)
        low += ctpop(two & ~lanes_with(rest, 3) & below_two)
        score = -_TURN * turns_cached(P, X, Q, rest, True) - _LOW * low
        if own == 0:
            if (F[SIDES] >> F[frame + OWNER]) & 1 == side:
                score += _PARTNER
        else:
            beaten = False
            other = seat + 1
            for _ in range(seats - 1):
                if other >= seats:
                    other -= seats
                if (F[SIDES] >> other) & 1 != side and can_beat_at(
                    T, W, H[at + other], own, F[LIMITS + other], C, K, end, F[CAP]
                ):
                    beaten = True
                    break
                other += 1
            if not beaten:
                score += _SAFE
            if code == 0:
                score += _CARD * number_of(cards)
            if own >> 26:
                score -= _BOMB
            score -= _RANK * ((own >> 12) & 15)
        R[i] = score
