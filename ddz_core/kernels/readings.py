"""Every reading of a set of cards, by the rows: the kernels that name what somebody played.

Layer 0. Arguments as in :mod:`ddz_core.kernels.plain`.
"""

# ruff: noqa: N803

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import Count, Vector, Word, ctpop, cttz, jit, pointer
from ddz_core.kernels.masks import (
    BIG,
    FOUR,
    ONE,
    REST,
    SMALL,
    TWO,
    ZERO,
    beats_code,
    fill,
    neighbours,
    number_of,
    positions,
    starts_of,
)
from ddz_core.kernels.table import ATTACH, BY_CARDS, EXACT, FORMS, LISTED, UNITS
from ddz_core.kernels.wild_call import READ, WILD, call_wild


@jit
def rest_key(
    T: Vector, W: Vector, a: Count, k: Count, body: Count, near: Word, used: Word
) -> Count:
    """Check the lanes ``used`` of a rest (masks in ``W[REST..]``) against an attachment.

    Returns key 2 (0 where nothing is ranked), or -1 if the rest is no such attachment.
    """
    size, most = np.int64(T[a]), np.int64(T[a + 5])
    if used & ~T[a + 2]:
        return -1
    fitting, groups = ZERO, 0
    for number in range(1, most + 1):
        cards = number * size
        exact = W[REST + cards] & used
        if cards < np.int64(T[4]):
            exact &= ~W[REST + cards + 1]
        if cards >= body:
            exact &= ~near
        fitting |= exact
        groups += number * ctpop(exact)
    if fitting != used or groups != k:
        return -1
    if T[a + 6] & ONE and used & SMALL and used & BIG:
        return -1
    if T[a + 3] and k > 1:
        order = np.int64(T[a + 3]) - 1
        starts = starts_of(positions(T, order, used), k)
        if starts == ZERO:
            return -1
        return ((cttz(starts) >> 2) + k - 1) if T[a + 4] else 0
    if T[a + 4]:
        top = 15
        while not (used >> np.uint64(4 * top)) & ONE:
            top -= 1
        return top
    return 0


@jit
def _code_of_body(T: Vector, W: Vector, cards: Word, row: Count, run: Count, start: Count) -> Count:
    """Return the code of cards read with this body, or 0."""
    size, order = np.int64(T[row]), np.int64(T[row + 3])
    lanes = T[UNITS + 256 * order + 16 * run + start]
    rest = cards - lanes * T[row]
    code = np.int64(T[row + 4]) + ((run - np.int64(T[row + 1])) << 16) + ((start + run - 1) << 12)
    attachments = T[row + 6]
    if attachments == ZERO:
        return code if rest == ZERO else 0
    a = row + ATTACH
    fill(rest, W, REST, np.int64(T[4]))
    used = W[REST + 1]
    if used & lanes and (attachments == TWO or run == 1 or not T[a + 6] & FOUR):
        return 0
    near = ZERO
    if run > 1 and (T[a + 6] | T[a + 14]) & TWO:
        near = neighbours(T, order, start, run)
    near_a = near if T[a + 6] & TWO else ZERO
    k = run * np.int64(T[a + 1])
    if attachments == ONE:
        key = rest_key(T, W, a, k, size, near_a, used)
        return code + (key << 8) if key >= 0 else 0
    # two attachments have different sizes: a lane's count says to which it belongs
    one = W[REST + np.int64(T[a])]
    if np.int64(T[a]) < np.int64(T[4]):
        one &= ~W[REST + np.int64(T[a]) + 1]
    key = rest_key(T, W, a, k, size, near_a, one)
    if key < 0:
        return 0
    b = a + 8
    near_b = near if T[b + 6] & TWO else ZERO
    second = rest_key(T, W, b, run * np.int64(T[b + 1]), size, near_b, used & ~one)
    return code + ((key + second) << 8) if second >= 0 else 0


@jit
def readings_at(T: Vector, W: Vector, cards: Word, K: Vector, pos: Count) -> Count:
    """Write the code of every reading of a set of cards to ``K`` (at most 128); pointers.

    A set of more cards than the largest hand, or none, has no reading.
    """
    number = number_of(cards)
    if number == 0 or number > np.int64(T[6]):
        return pos
    if cards & T[WILD]:
        return call_wild(T, W, cards, 0, 0, READ, W, K, pos, pos)
    fill(cards, W, 0, np.int64(T[4]))
    index = np.int64(T[BY_CARDS + number])
    first = index >> 16
    for i in range(first, first + (index & 0xFFFF)):
        where = np.int64(T[FORMS + np.int64(T[LISTED + i])])
        row, run = where >> 8, where & 255
        places = W[np.int64(T[row])] & T[row + 7]
        if places == ZERO:
            continue
        starts = starts_of(positions(T, np.int64(T[row + 3]), places), run)
        while starts:
            start = cttz(starts) >> 2
            starts &= starts - ONE
            code = _code_of_body(T, W, cards, row, run, start)
            if code:
                K[pos] = np.uint32(code)
                pos += 1
    for i in range(np.int64(T[1])):
        if T[EXACT + 2 * i] == cards:
            K[pos] = np.uint32(T[EXACT + 2 * i + 1])
            pos += 1
    return pos


@jit
def finish_at(
    T: Vector, W: Vector, hand: Word, code: Count, limit: Count, K: Vector, pos: Count
) -> Count:
    """Return the lowest code with which a whole hand goes out over ``code`` (0: as a lead), or 0.

    Readings are written to ``K`` from ``pos`` on; pointers.
    """
    found = np.int64(0)
    for i in range(pos, readings_at(T, W, hand, K, pos)):
        own = np.int64(K[i])
        if (
            own >> 26 <= limit
            and (code == 0 or beats_code(own, code))
            and (found == 0 or own < found)
        ):
            found = own
    return found


@jit
def readings_of(T: Vector, W: Vector, cards: Count, K: Vector) -> Count:
    """Write the code of every reading of a set of cards, given as ``int64``; arrays."""
    return readings_at(pointer(T), pointer(W), np.uint64(cards), pointer(K), 0)
