"""Moves, answers and readings of hands without wilds: one set of kernels for every ruleset.

Layer 0. The kernels read the rows of a compiled ruleset (``T``, laid out in
:mod:`ddz_core.kernels.table`) at run time. Three kinds of arguments recur:

* ``T`` the ruleset, ``W`` work space (``SPACE`` words, one a thread): both ``uint64``;
* ``C``, ``K`` the output, cards (``uint64``) and codes (``uint32``) of one move a place, used as a
  stack: a kernel writes from ``pos`` and returns the place after its last move;
* ``cap`` the room in the output. A result above ``cap`` means that the list did not fit and what
  was written is not all; nothing is ever written beyond. Give ``cap`` at least ``ROOM``.

The functions named ``..._at`` take pointers and are for other kernels; the others take arrays that
the Python caller holds. A hand is a ``uint64``; a mask has one bit a lane, at its lowest bit.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import LOW, Count, Vector, Word, ctpop, cttz, jit, pointer
from ddz_core.kernels.masks import (
    BIG,
    FOUR,
    GROUPS,
    ONE,
    REST,
    SMALL,
    THREE,
    TWO,
    ZERO,
    beats_code,
    enough,
    fill,
    groups_of,
    higher,
    holds,
    is_ranked,
    neighbours,
    number_of,
    positions,
    starts_of,
)
from ddz_core.kernels.table import ATTACH, EXACT, FORMS, ROW_WORDS, ROWS, SHARED, UNITS
from ddz_core.kernels.wild_call import CAN_BEAT, LIST, WILD, call_wild

__all__ = [
    "NO_LIMIT",
    "ROOM",
    "SPACE",
    "answers",
    "answers_at",
    "can_beat",
    "can_beat_at",
    "holds",
    "leads",
    "leads_at",
    "list_kickers",
    "list_moves",
    "number_of",
]

SPACE = 8704
"""Words of work space."""
ROOM = 4096
"""Least room of an output."""
NO_LIMIT = 63
"""As highest ladder step allowed: no limit."""

_OPEN, _SUM, _LAST, _TIMES = 48, 80, 112, 144
_FIRST, _FIRST_CODES = 256, 4480


@jit
def list_kickers(
    T: Vector,
    W: Vector,
    a: Count,
    k: Count,
    body: Count,
    avoid: Word,
    near: Word,
    base: Word,
    code: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """List ``base`` with every choice of ``k`` groups of attachment ``a``; masks in ``W[0..]``."""
    size = T[a]
    ranked = np.int64(T[a + 4])
    if pos + 16 > cap:
        return cap + 1
    if T[a + 3] and k > 1:
        order = np.int64(T[a + 3]) - 1
        allowed = W[np.int64(size)] & T[a + 2] & ~avoid
        starts = starts_of(positions(T, order, allowed), k)
        ones = UNITS + 256 * order + 16 * k
        while starts:
            start = cttz(starts) >> 2
            starts &= starts - ONE
            C[pos] = base + T[ones + start] * size
            K[pos] = np.uint32(code + ranked * ((start + k - 1) << 8))
            pos += 1
        return pos
    if k == 1:
        first = W[np.int64(size)] & T[a + 2] & ~avoid
        if np.int64(size) >= body:
            first &= ~near
        while first:
            bit = first & (~first + ONE)
            first ^= bit
            C[pos] = base + bit * size
            K[pos] = np.uint32(code + ranked * (cttz(bit) << 6))
            pos += 1
        return pos
    if groups_of(T, W, a, 0, body, avoid, near) < k:
        return pos
    first = W[GROUPS + 1]
    apart = T[a + 6] & ONE
    if k == 2:
        twice = W[GROUPS + 2] if T[a + 5] > ONE else ZERO
        while first:
            if pos + 16 > cap:
                return cap + 1
            bit = first & (~first + ONE)
            first ^= bit
            mask = first | (bit & twice)
            if apart and bit == SMALL:
                mask &= ~BIG
            cards = base + bit * size
            while mask:
                bit = mask & (~mask + ONE)
                mask ^= bit
                C[pos] = cards + bit * size
                K[pos] = np.uint32(code + ranked * (cttz(bit) << 6))
                pos += 1
        return pos
    # odometer: a level keeps the lanes still open to it, the cards so far, and the lane taken
    # last with how often, since that lane alone may be taken again
    level = 0
    W[_OPEN] = first
    W[_SUM] = base
    W[_LAST] = ZERO
    W[_TIMES] = ZERO
    last = k - 1
    while level >= 0:
        mask = W[_OPEN + level]
        if level == last:
            if pos + 16 > cap:
                return cap + 1
            cards = W[_SUM + level]
            while mask:
                bit = mask & (~mask + ONE)
                mask ^= bit
                C[pos] = cards + bit * size
                K[pos] = np.uint32(code + ranked * (cttz(bit) << 6))
                pos += 1
            level -= 1
            continue
        if mask == ZERO:
            level -= 1
            continue
        bit = mask & (~mask + ONE)
        mask ^= bit
        W[_OPEN + level] = mask
        times = ONE
        if bit == W[_LAST + level]:
            times += W[_TIMES + level]
        mask |= bit & W[GROUPS + np.int64(times) + 1]
        if apart and bit == SMALL:
            mask &= ~BIG
        if mask:
            cards = W[_SUM + level] + bit * size
            level += 1
            W[_OPEN + level] = mask
            W[_SUM + level] = cards
            W[_LAST + level] = bit
            W[_TIMES + level] = times
    return pos


@jit
def _list_body(
    T: Vector,
    W: Vector,
    hand: Word,
    row: Count,
    run: Count,
    start: Count,
    code: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """List one body with all its kickers."""
    size, order = np.int64(T[row]), np.int64(T[row + 3])
    lanes = T[UNITS + 256 * order + 16 * run + start]
    body = lanes * T[row]
    code += (start + run - 1) << 12
    a = row + ATTACH
    k = run * np.int64(T[a + 1])
    near = ZERO
    if run > 1 and (T[a + 6] | T[a + 14]) & TWO:
        near = neighbours(T, order, start, run)
    near_a = near if T[a + 6] & TWO else ZERO
    alone = T[row + 6] == ONE
    own = alone and run > 1 and T[a + 6] & FOUR != ZERO
    if own:  # kickers may repeat ranks of the body: what counts is the hand without it
        fill(hand - body, W, 0, np.int64(T[4]))
    avoid = ZERO if own else lanes
    end = list_kickers(T, W, a, k, size, avoid, near_a, body, code, C, K, pos, cap)
    if own:
        fill(hand, W, 0, np.int64(T[4]))
    if alone or end > cap:
        return end
    found = end - pos
    for i in range(found):
        W[_FIRST + i] = C[pos + i]
        W[_FIRST_CODES + i] = np.uint64(K[pos + i])
    a += 8
    k = run * np.int64(T[a + 1])
    near_a = near if T[a + 6] & TWO else ZERO
    for i in range(found):
        taken = W[_FIRST + i] - body
        taken = (taken | taken >> ONE | taken >> TWO | taken >> THREE) & LOW
        pos = list_kickers(
            T,
            W,
            a,
            k,
            size,
            lanes | taken,
            near_a,
            W[_FIRST + i],
            np.int64(W[_FIRST_CODES + i]),
            C,
            K,
            pos,
            cap,
        )
        if pos > cap:
            return pos
    return pos


@jit
def _list_form(
    T: Vector,
    W: Vector,
    hand: Word,
    row: Count,
    run: Count,
    starts: Word,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """List the moves of one form whose bodies start at these positions."""
    code = np.int64(T[row + 4]) + ((run - np.int64(T[row + 1])) << 16)
    if T[row + 6] == ZERO:
        if pos + 16 > cap:
            return cap + 1
        size = T[row]
        ones = UNITS + 256 * np.int64(T[row + 3]) + 16 * run
        code += (run - 1) << 12
        while starts:
            start = cttz(starts) >> 2
            starts &= starts - ONE
            C[pos] = T[ones + start] * size
            K[pos] = np.uint32(code + (start << 12))
            pos += 1
        return pos
    while starts:
        start = cttz(starts) >> 2
        starts &= starts - ONE
        pos = _list_body(T, W, hand, row, run, start, code, C, K, pos, cap)
        if pos > cap:
            return pos
    return pos


@jit
def _list_groups(
    T: Vector, row: Count, places: Word, C: Vector, K: Vector, pos: Count, cap: Count
) -> Count:
    """List groups of equal cards alone, one for each lane of a mask."""
    if pos + 16 > cap:
        return cap + 1
    size, code = T[row], np.int64(T[row + 4])
    while places:
        bit = places & (~places + ONE)
        places ^= bit
        C[pos] = bit * size
        K[pos] = np.uint32(code + (cttz(bit) << 10))
        pos += 1
    return pos


@jit
def leads_at(
    T: Vector, W: Vector, hand: Word, C: Vector, K: Vector, pos: Count, cap: Count
) -> Count:
    """List everything that a hand can lead, by code within rows; pointers."""
    if hand & T[WILD]:
        return call_wild(T, W, hand, 0, NO_LIMIT, LIST, C, K, pos, cap)
    fill(hand, W, 0, np.int64(T[4]))
    row = ROWS
    for _ in range(np.int64(T[0])):
        places = W[np.int64(T[row])] & T[row + 7]
        if places:
            low, high = np.int64(T[row + 1]), np.int64(T[row + 2])
            if high == 1 and T[row + 6] == ZERO:
                pos = _list_groups(T, row, places, C, K, pos, cap)
            else:
                places = positions(T, np.int64(T[row + 3]), places)
                starts = starts_of(places, low)
                run = low
                while starts and run <= high:
                    pos = _list_form(T, W, hand, row, run, starts, C, K, pos, cap)
                    starts &= places >> np.uint64(4 * run)
                    run += 1
            if pos > cap:
                return cap + 1
        row += ROW_WORDS
    return _list_sets(T, hand, 0, NO_LIMIT, C, K, pos, cap)


@jit
def _list_sets(
    T: Vector, hand: Word, code: Count, limit: Count, C: Vector, K: Vector, pos: Count, cap: Count
) -> Count:
    """List the exact sets in a hand that beat a code."""
    if pos + 16 > cap:
        return cap + 1
    for i in range(np.int64(T[1])):
        cards, own = T[EXACT + 2 * i], np.int64(T[EXACT + 2 * i + 1])
        if beats_code(own, code) and own >> 26 <= limit and holds(hand, cards):
            C[pos] = cards
            K[pos] = np.uint32(own)
            pos += 1
    return pos


@jit
def answers_at(
    T: Vector,
    W: Vector,
    hand: Word,
    code: Count,
    limit: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """List everything in a hand that beats a code, bombs up to step ``limit``; pointers.

    Same form first, then the ladder upwards. The code 0 is beaten by all leads within the limit.
    """
    if code == 0:
        return _limited(leads_at(T, W, hand, C, K, pos, cap), limit, C, K, pos, cap)
    if hand & T[WILD]:
        return call_wild(T, W, hand, code, limit, LIST, C, K, pos, cap)
    fill(hand, W, 0, np.int64(T[4]))
    step = code >> 26
    where = np.int64(T[FORMS + ((code >> 16) & 0x3FF)])
    if where and step <= limit:
        row, run = where >> 8, where & 255
        places = W[np.int64(T[row])] & T[row + 7]
        if places:
            ranked = is_ranked(T, row)
            key = ((code >> 12) & 15) - (1 if ranked else 0)
            starts = starts_of(positions(T, np.int64(T[row + 3]), places), run)
            starts = higher(starts, key - run + 2)
            if starts:
                before = pos
                pos = _list_form(T, W, hand, row, run, starts, C, K, pos, cap)
                if pos > cap:
                    return cap + 1
                if ranked:
                    end = before
                    for i in range(before, pos):
                        if np.int64(K[i]) > code:
                            C[end] = C[i]
                            K[end] = K[i]
                            end += 1
                    pos = end
    smallest = np.int64(T[3])
    if smallest and W[smallest]:
        first = np.int64(T[2])
        row = ROWS + first * ROW_WORDS
        for _ in range(first, np.int64(T[0])):
            places = W[np.int64(T[row])] & T[row + 7]
            if places and step < np.int64(T[row + 5]) <= limit:
                pos = _list_groups(T, row, places, C, K, pos, cap)
                if pos > cap:
                    return cap + 1
            row += ROW_WORDS
    return _list_sets(T, hand, code, limit, C, K, pos, cap)


@jit
def _limited(end: Count, limit: Count, C: Vector, K: Vector, pos: Count, cap: Count) -> Count:
    """Strike the moves above a ladder step from a list."""
    if limit >= NO_LIMIT or end > cap:
        return end
    kept = pos
    for i in range(pos, end):
        if np.int64(K[i]) >> 26 <= limit:
            C[kept] = C[i]
            K[kept] = K[i]
            kept += 1
    return kept


@jit
def _fits(T: Vector, W: Vector, hand: Word, row: Count, run: Count, start: Count) -> bool:
    """Tell whether a body finds its kickers, where at most one attachment must be a run."""
    size, order = np.int64(T[row]), np.int64(T[row + 3])
    lanes = T[UNITS + 256 * order + 16 * run + start]
    near = ZERO
    a = row + ATTACH
    if run > 1 and (T[a + 6] | T[a + 14]) & TWO:
        near = neighbours(T, order, start, run)
    k = run * np.int64(T[a + 1])
    near_a = near if T[a + 6] & TWO else ZERO
    if T[row + 6] == ONE:
        if T[a + 3] and k > 1:
            allowed = W[np.int64(T[a])] & T[a + 2] & ~lanes
            return starts_of(positions(T, np.int64(T[a + 3]) - 1, allowed), k) != ZERO
        if run > 1 and T[a + 6] & FOUR:
            fill(hand - lanes * T[row], W, REST, np.int64(T[4]))
            return enough(T, W, a, k, groups_of(T, W, a, REST, size, ZERO, near_a))
        return enough(T, W, a, k, groups_of(T, W, a, 0, size, lanes, near_a))
    b = a + 8
    k_b = run * np.int64(T[b + 1])
    near_b = near if T[b + 6] & TWO else ZERO
    one = W[np.int64(T[a])] & T[a + 2] & ~lanes
    two = W[np.int64(T[b])] & T[b + 2] & ~lanes
    if np.int64(T[a]) >= size:
        one &= ~near_a
    if np.int64(T[b]) >= size:
        two &= ~near_b
    return ctpop(one) >= k and ctpop(two) >= k_b and ctpop(one | two) >= k + k_b


@jit
def _must_list(T: Vector, row: Count) -> bool:
    """Tell whether a row's kickers cannot simply be counted: ranked, or two with a limit."""
    if T[row + 6] == TWO:
        return (T[row + 11] | T[row + 19] | T[row + 12] | T[row + 20]) != ZERO or (
            (T[row + 14] | T[row + 22]) & ONE
        ) != ZERO
    return is_ranked(T, row)


@jit
def can_beat_at(
    T: Vector,
    W: Vector,
    hand: Word,
    code: Count,
    limit: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> bool:
    """Tell whether a hand has an answer to a code, bombs up to step ``limit``; pointers.

    The output is scratch from ``pos`` on (``ROOM`` places), used for ranked kinds alone.
    """
    if code == 0:
        return hand != ZERO
    if hand & T[WILD]:
        return call_wild(T, W, hand, code, limit, CAN_BEAT, C, K, pos, cap) != 0
    fill(hand, W, 0, np.int64(T[4]))
    step = code >> 26
    smallest = np.int64(T[3])
    where = np.int64(T[FORMS + ((code >> 16) & 0x3FF)])
    row = where >> 8
    if where and step <= limit:
        run = where & 255
        places = W[np.int64(T[row])] & T[row + 7]
        if places:
            listed = _must_list(T, row)
            key = ((code >> 12) & 15) - (1 if is_ranked(T, row) else 0)
            starts = starts_of(positions(T, np.int64(T[row + 3]), places), run)
            starts = higher(starts, key - run + 2)
            if starts and T[row + 6] == ZERO:
                return True
            own = np.int64(T[row + 4]) + ((run - np.int64(T[row + 1])) << 16)
            while starts:
                start = cttz(starts) >> 2
                starts &= starts - ONE
                if listed:
                    end = _list_body(T, W, hand, row, run, start, own, C, K, pos, cap)
                    for i in range(pos, min(end, cap)):
                        if np.int64(K[i]) > code:
                            return True
                elif _fits(T, W, hand, row, run, start):
                    return True
    if smallest and W[smallest]:
        first = np.int64(T[2])
        row = ROWS + first * ROW_WORDS
        for _ in range(first, np.int64(T[0])):
            if step < np.int64(T[row + 5]) <= limit and W[np.int64(T[row])] & T[row + 7]:
                return True
            row += ROW_WORDS
    for i in range(np.int64(T[1])):
        own = np.int64(T[EXACT + 2 * i + 1])
        if beats_code(own, code) and own >> 26 <= limit and holds(hand, T[EXACT + 2 * i]):
            return True
    return False


@jit
def leads(T: Vector, W: Vector, hand: Word, C: Vector, K: Vector) -> Count:
    """List everything that a hand can lead; arrays."""
    return leads_at(pointer(T), pointer(W), hand, pointer(C), pointer(K), 0, len(C))


@jit
def answers(
    T: Vector, W: Vector, hand: Word, code: Count, limit: Count, C: Vector, K: Vector
) -> Count:
    """List everything in a hand that beats a code, bombs up to step ``limit``; arrays."""
    return answers_at(pointer(T), pointer(W), hand, code, limit, pointer(C), pointer(K), 0, len(C))


@jit
def list_moves(
    T: Vector, W: Vector, hand: Count, code: Count, limit: Count, C: Vector, K: Vector
) -> Count:
    """List leads (code 0) or answers; negative, less one, if some cards may stand in it twice.

    Beyond the room of the output nothing is written, as everywhere; arrays, and the hand as an
    ``int64``: numba takes a number of Python ten times faster than one of numpy.
    """
    rows, codes = pointer(T), pointer(K)
    end = answers_at(rows, pointer(W), np.uint64(hand), code, limit, pointer(C), codes, 0, len(C))
    if end <= len(C):
        for i in range(end):
            form = (np.int64(codes[i]) >> 16) & 0x3FF
            if (rows[SHARED + (form >> 6)] >> np.uint64(form & 63)) & ONE:
                return -end - 1
    return end


@jit
def can_beat(
    T: Vector, W: Vector, hand: Count, code: Count, limit: Count, C: Vector, K: Vector
) -> bool:
    """Tell whether a hand has an answer to a code, bombs up to step ``limit``; arrays."""
    return can_beat_at(
        pointer(T), pointer(W), np.uint64(hand), code, limit, pointer(C), pointer(K), 0, len(C)
    )
