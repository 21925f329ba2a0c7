"""Every reading of a set of cards with wilds, all of which must take part.

Layer 0. Arguments as in :mod:`ddz_core.kernels.plain`.
"""

# ruff: noqa: N803

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import LOW, Count, Vector, Word, cttz, jit
from ddz_core.kernels.masks import (
    FOUR,
    ONE,
    REST,
    TWO,
    ZERO,
    fill,
    neighbours,
    number_of,
    positions,
    starts_of,
)
from ddz_core.kernels.readings import rest_key
from ddz_core.kernels.table import (
    ALONE_ANY,
    ATTACH,
    BY_CARDS,
    EXACT,
    FORMS,
    KICKERS_ANY,
    LISTED,
    TWO_LANES,
    UNITS,
    WILD_MODES,
)
from ddz_core.kernels.wild_kickers import shows_kickers, spent

_15 = np.uint64(15)
_NONE, _MIXED, _PURE = (np.uint64(WILD_MODES[name]) for name in ("none", "mixed", "pure"))


@jit
def _kickers_read(
    T: Vector,
    W: Vector,
    row: Count,
    run: Count,
    start: Count,
    lanes: Word,
    rest: Word,
    have: Word,
    used: Count,
) -> bool:
    """Tell whether what a main part leaves, natural cards and wilds, are its kickers."""
    a = row + ATTACH
    size, k = np.int64(T[row]), run * np.int64(T[a + 1])
    avoid = ZERO if run > 1 and T[a + 6] & FOUR else lanes
    near = ZERO
    if run > 1 and T[a + 6] & TWO:
        near = neighbours(T, np.int64(T[row + 3]), start, run)
    gone = spent(T, have, used)
    flags = np.int64(T[11])
    if flags & KICKERS_ANY:
        return shows_kickers(T, a, k, size, avoid, near, rest, have - gone)
    if flags & TWO_LANES:
        rest += have - gone
    else:
        rest += np.uint64(number_of(have) - used) << (np.uint64(4) * T[10])
    fill(rest, W, REST, 4)
    taken = W[REST + 1]
    return taken & avoid == ZERO and rest_key(T, W, a, k, size, near, taken) >= 0


@jit
def _reads(
    T: Vector, W: Vector, row: Count, run: Count, start: Count, natural: Word, have: Word
) -> bool:
    """Tell whether cards have a reading with this main part."""
    size, order, mode = np.int64(T[row]), np.int64(T[row + 3]), T[row + 24]
    lanes = T[UNITS + 256 * order + 16 * run + start]
    number = number_of(have)
    kickers = T[row + 6] != ZERO
    if size == 1 and run == 1 and not kickers:
        at = cttz(have) >> 2 if np.int64(T[11]) & TWO_LANES else np.int64(T[10])
        return natural == ZERO and start == at
    body = ZERO
    for least in range(1, size + 1):
        body += W[least] & lanes
    if lanes & ~T[12] & ~W[size]:
        return False
    used = size * run - number_of(body)
    rest = natural - body
    if used > number or (mode == _NONE and used > 0):
        return False
    if mode == _MIXED and (used == 0 or body == ZERO):
        return False
    if mode == _PURE and (body != ZERO or np.uint64(start) != T[10]):
        return False
    if kickers:
        if not _kickers_read(T, W, row, run, start, lanes, rest, have, used):
            return False
    elif rest != ZERO or used < number:
        return False
    if natural == ZERO and mode != _PURE:
        if (T[13] >> np.uint64(number)) & ONE:
            return False
        if np.int64(T[11]) & ALONE_ANY == 0:
            two = np.int64(T[11]) & TWO_LANES != 0
            return not kickers and run == 1 and np.uint64(start) == T[10] and not two
    return True


@jit
def read_at(T: Vector, W: Vector, cards: Word, K: Vector, pos: Count) -> Count:
    """Write the code of every reading of a set of cards with wilds to ``K``; pointers."""
    have = cards & T[8]
    natural = cards & ~T[8]
    fill(natural, W, 0, 4)
    index = np.int64(T[BY_CARDS + number_of(cards)])
    first = index >> 16
    for i in range(first, first + (index & 0xFFFF)):
        where = np.int64(T[FORMS + np.int64(T[LISTED + i])])
        row, run = where >> 8, where & 255
        lanes = T[row + 7] if T[row + 24] < TWO else T[12]
        starts = starts_of(positions(T, np.int64(T[row + 3]), lanes & LOW), run)
        code = np.int64(T[row + 4]) + ((run - np.int64(T[row + 1])) << 16)
        while starts:
            start = cttz(starts) >> 2
            starts &= starts - ONE
            if _reads(T, W, row, run, start, natural, have):
                K[pos] = np.uint32(code + ((start + run - 1) << 12))
                pos += 1
    for i in range(np.int64(T[1])):
        if T[EXACT + 2 * i] == cards:
            K[pos] = np.uint32(T[EXACT + 2 * i + 1])
            pos += 1
    return pos
