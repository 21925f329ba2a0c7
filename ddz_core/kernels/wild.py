"""Moves, answers and readings of hands with wilds, by the same rows.

Layer 0. The plain kernels come here through an address (:mod:`ddz_core.kernels.wild_call`) as soon
as a hand holds a wild. Arguments as in :mod:`ddz_core.kernels.plain`.

What a wild may do: it fills a main part as any natural rank; as a kicker it is itself or, by word
11 of ``T``, any rank; alone it is itself. Natural cards of a move serve its main part first. A set
of nothing but wilds that stands in the ladder (bit n of word 13) is nothing else.

*Spending.* ``minimal`` lists a move only if its wilds stand for cards that the hand lacks: natural
cards serve first, the lower joker before the higher. ``all`` lists every set of cards once for each
of its codes.

How many wilds a run needs comes from nibble vectors: they hold the cards that each place lacks,
and sums of neighbouring places are made for all starts at once. A sum above the wilds in hand is
struck before the next step, so that no lane overflows; both are at most four.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import functools
from typing import Any

import numba as nb
import numpy as np
from numba.core import types

from ddz_core.kernels.bits import LOW, ON_ARRAYS, Count, Vector, Word, cttz, jit
from ddz_core.kernels.masks import (
    FOUR,
    ONE,
    THREE,
    TWO,
    ZERO,
    beats_code,
    fill,
    higher,
    holds,
    neighbours,
    number_of,
    positions,
)
from ddz_core.kernels.plain import SPACE, list_kickers
from ddz_core.kernels.table import (
    ALONE_ANY,
    ATTACH,
    EXACT,
    FORMS,
    KICKERS_ANY,
    ORDERS,
    ROW_WORDS,
    ROWS,
    TWO_LANES,
    UNITS,
    WILD_MODES,
)
from ddz_core.kernels.wild_call import CAN_BEAT, LIST_ALL, READ, call_wild
from ddz_core.kernels.wild_kickers import (
    HAVE,
    NATURALS,
    NUMBER,
    SPENDING,
    finds_kickers,
    list_free_groups,
    room_for,
    spent,
)
from ddz_core.kernels.wild_readings import read_at

_MASKS, _STACK = 256, 264
_PROBE = 197
_carray: Any = vars(nb)["carray"]
_15, _SEVEN = np.uint64(15), np.uint64(7)
_NONE, _MIXED, _PURE = (np.uint64(WILD_MODES[name]) for name in ("none", "mixed", "pure"))


@jit
def _list_with_kickers(
    T: Vector,
    W: Vector,
    row: Count,
    run: Count,
    lanes: Word,
    body: Word,
    used: Count,
    near: Word,
    code: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """List a main part, natural cards ``body`` and ``used`` wilds, with every choice of kickers."""
    a = row + ATTACH
    size, kick = np.int64(T[row]), np.int64(T[a])
    k = run * np.int64(T[a + 1])
    number, have, spending = np.int64(W[NUMBER]), W[HAVE], W[SPENDING]
    left = number - used
    flags = np.int64(T[11])
    free, two = flags & KICKERS_ANY != 0, flags & TWO_LANES != 0
    pool = W[NATURALS] & ~(lanes * _15)
    avoid = lanes
    if run > 1 and T[a + 6] & FOUR:
        avoid = ZERO
        fill(body, W, 0, 4)
        full = W[size] & lanes
        pool += (W[NATURALS] & (full * _15)) - full * T[row]
    if free and kick > 1:
        return list_free_groups(
            T, W, a, k, size, avoid, near, pool, body, used, code, C, K, pos, cap
        )
    passes = 1
    both = two and number == 2
    if free:
        passes = min(left, k) + 1
    elif both and used == 1 and spending:
        passes = 2
    own = np.uint64(4) * T[10]
    kept = np.int64((pool >> own) & _15)
    for turn in range(passes):
        first = pos
        extra = turn if free else 0
        gone = spent(T, have, used + extra)
        source = pool
        if turn and not free:
            gone = have - gone
        elif two and not free:
            source += have - gone
        elif not free:
            source += np.uint64(left) << own
        base = body + gone
        if k > extra:
            fill(source, W, 0, 4)
            pos = list_kickers(T, W, a, k - extra, size, avoid, near, base, code, C, K, pos, cap)
        elif pos + 1 < cap:
            C[pos] = base
            K[pos] = np.uint32(code)
            pos += 1
        else:
            return cap + 1
        if pos + pos - first + 16 > cap:
            return cap + 1
        if extra:
            selves = 0
            if two and T[a + 2] & have:
                selves = extra if T[a + 6] & ONE == ZERO else 1
            room = room_for(T, a, size, avoid, near, ZERO, pool, ZERO) + selves
            if room < extra:
                end = first
                for i in range(first, pos):
                    room = room_for(T, a, size, avoid, near, C[i] - base, pool, spending) + selves
                    if room >= extra:
                        C[end] = C[i]
                        K[end] = K[i]
                        end += 1
                pos = end
        if both and used + extra == 1 and free and (spending or extra):
            other = have - gone
            if spending or T[a + 2] & other:
                for i in range(first, pos):
                    C[pos + i - first] = C[i] - gone + other
                    K[pos + i - first] = K[i]
                pos += pos - first
        if not free and not two and T[8] >> own & _15 == ZERO:
            pos = _marked(T, W, base, own, kept, left, first, C, K, pos, cap)
            if pos > cap:
                return cap + 1
    return pos


@jit
def _marked(
    T: Vector,
    W: Vector,
    base: Word,
    own: Word,
    kept: Count,
    left: Count,
    first: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """Write which kickers of the wilds' own rank are natural cards and which are wilds."""
    wild = T[8] & LOW
    unit = ONE << own
    end = pos
    for i in range(first, pos):
        number = np.int64(((C[i] - base) >> own) & _15)
        red = max(number - kept, 0)
        cards = C[i]
        C[i] = cards - np.uint64(red) * unit + np.uint64(red) * wild
        if W[SPENDING]:
            for more in range(red + 1, min(number, left) + 1):
                if end + 16 > cap:
                    return cap + 1
                C[end] = cards - np.uint64(more) * unit + np.uint64(more) * wild
                K[end] = K[i]
                end += 1
    return end


@jit
def _strike(T: Vector, own: bool, first: Count, C: Vector, K: Vector, pos: Count) -> Count:
    """Strike sets of nothing but wilds that are something else or may not show another rank."""
    end = first
    for i in range(first, pos):
        if C[i] & ~T[8] == ZERO:
            if (T[13] >> np.uint64(number_of(C[i]))) & ONE:
                continue
            if np.int64(T[11]) & ALONE_ANY == 0 and not own:
                continue
        C[end] = C[i]
        K[end] = K[i]
        end += 1
    return end


@jit
def _list_body(
    T: Vector,
    W: Vector,
    row: Count,
    run: Count,
    start: Count,
    lacking: Count,
    code: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """List one main part, ``lacking`` natural cards, with all its kickers."""
    size, order = np.int64(T[row]), np.int64(T[row + 3])
    lanes = T[UNITS + 256 * order + 16 * run + start]
    if lanes == ZERO:
        return pos
    number, have, spending = np.int64(W[NUMBER]), W[HAVE], W[SPENDING]
    mode, kickers = T[row + 24], T[row + 6] != ZERO
    code += (start + run - 1) << 12
    most = ZERO
    for least in range(1, size + 1):
        most += W[_MASKS + least] & lanes
    near = ZERO
    if run > 1 and kickers and T[row + ATTACH + 6] & TWO:
        near = neighbours(T, order, start, run)
    own = not kickers and run == 1 and np.uint64(start) == T[10]
    own = own and np.int64(T[11]) & TWO_LANES == 0
    probe = W[_PROBE] != ZERO
    if probe and mode == _MIXED:
        return pos + (1 if most else 0)
    if probe and kickers and most:
        fits = finds_kickers(T, W, row, run, lanes, most, lacking, near)
        return pos + (1 if fits else 0)
    # with everything spent, natural cards of the main part give way to wilds, lane by lane
    W[_STACK] = ZERO
    W[_STACK + 1] = ZERO
    depth = 1
    while depth > 0:
        depth -= 1
        away = W[_STACK + 2 * depth]
        lane = np.int64(W[_STACK + 2 * depth + 1])
        body = most - away
        used = lacking + number_of(away)
        if spending and used < number:
            for other in range(lane, 15):
                shift = np.uint64(4 * other)
                if (body >> shift) & _15:
                    W[_STACK + 2 * depth] = away + (ONE << shift)
                    W[_STACK + 2 * depth + 1] = np.uint64(other)
                    depth += 1
        if (mode == _NONE and used > 0) or (mode == _MIXED and (used == 0 or body == ZERO)):
            continue
        first = pos
        if kickers:
            pos = _list_with_kickers(T, W, row, run, lanes, body, used, near, code, C, K, pos, cap)
            if pos > cap:
                return cap + 1
        elif pos + 16 > cap:
            return cap + 1
        else:
            gone = spent(T, have, used)
            C[pos] = body + gone
            K[pos] = np.uint32(code)
            pos += 1
            if spending and used == 1 and number == 2 and np.int64(T[11]) & TWO_LANES:
                C[pos] = body + have - gone
                K[pos] = np.uint32(code)
                pos += 1
        if body == ZERO:
            pos = _strike(T, own, first, C, K, pos)
    return pos


@jit
def _list_alone(
    T: Vector, W: Vector, row: Count, least: Count, C: Vector, K: Vector, pos: Count, cap: Count
) -> Count:
    """List single cards: natural ones, and wilds as themselves."""
    if pos + 32 > cap:
        return cap + 1
    code = np.int64(T[row + 4])
    places = W[_MASKS + 1]
    wild = T[8] & LOW
    if np.int64(T[11]) & TWO_LANES:
        places |= W[HAVE]
        wild = ZERO
    places = higher(places & T[row + 7], least)
    while places:
        bit = places & (~places + ONE)
        places ^= bit
        C[pos] = bit
        K[pos] = np.uint32(code + (cttz(bit) << 10))
        pos += 1
    own = np.int64(T[10])
    unit = ONE << np.uint64(4 * own)
    serves = own >= least and unit & T[row + 7] != ZERO
    if wild and serves and (W[SPENDING] or not unit & W[_MASKS + 1]):
        C[pos] = wild
        K[pos] = np.uint32(code + (own << 12))
        pos += 1
    return pos


@jit
def _deep(T: Vector, order: Count, vector: Word) -> Word:
    """Move a nibble vector of lanes to the positions of an order, which may name a lane twice."""
    if order == 0:
        return vector
    at = ORDERS + 8 * order
    moved = ((vector & (T[at] * _15)) << T[at + 1]) >> T[at + 2]
    if T[at + 3]:
        moved |= ((vector & (T[at + 3] * _15)) << T[at + 4]) >> T[at + 5]
    return moved


@jit
def _list_row(
    T: Vector,
    W: Vector,
    row: Count,
    low: Count,
    high: Count,
    least: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """List a row's moves with runs from ``low`` to ``high`` and tops from position ``least`` on."""
    size, order, mode = np.int64(T[row]), np.int64(T[row + 3]), T[row + 24]
    number = W[NUMBER]
    begin = pos
    if mode == _PURE:
        own = np.int64(T[10])
        if np.int64(number) >= size and own >= least and pos + 16 <= cap:
            C[pos] = spent(T, W[HAVE], size)
            K[pos] = np.uint32(np.int64(T[row + 4]) + (own << 12))
            pos += 1
        return pos
    if size == 1 and high == 1 and T[row + 6] == ZERO:
        return _list_alone(T, W, row, least, C, K, pos, cap)
    lanes = T[12] if mode == _MIXED else T[row + 7]
    places = positions(T, order, lanes & (T[12] | W[_MASKS + size]))
    lacking = ZERO
    for count in range(1, size + 1):
        lacking += T[12] & ~W[_MASKS + count]
    lacking = _deep(T, order, lacking)
    sums, dead = ZERO, ZERO
    margin = (_SEVEN - number) * LOW
    for run in range(1, high + 1):
        shift = np.uint64(4 * (run - 1))
        sums += lacking >> shift
        dead |= ~(places >> shift) & LOW
        sums &= ~(dead * _15)
        dead |= ((sums + margin) >> THREE) & LOW
        sums &= ~(dead * _15)
        starts = ~dead & LOW
        if starts == ZERO:
            break
        if run < low:
            continue
        code = np.int64(T[row + 4]) + ((run - np.int64(T[row + 1])) << 16)
        starts = higher(starts, least - run + 1)
        while starts:
            bit = starts & (~starts + ONE)
            starts ^= bit
            place = cttz(bit)
            need = np.int64((sums >> np.uint64(place)) & _15)
            pos = _list_body(T, W, row, run, place >> 2, need, code, C, K, pos, cap)
            if pos > cap:
                return cap + 1
            if W[_PROBE] and pos > begin:
                return pos
    return pos


@jit
def moves_at(
    T: Vector,
    W: Vector,
    hand: Word,
    code: Count,
    limit: Count,
    what: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """List leads (code 0) or answers of a hand, bombs up to step ``limit``; pointers.

    ``what`` is one of the questions of :mod:`ddz_core.kernels.wild_call`; for ``CAN_BEAT`` the
    result is 1 or 0 and the output is scratch from ``pos`` on.
    """
    natural = hand & ~T[8]
    W[NATURALS] = natural
    W[HAVE] = hand & T[8]
    W[NUMBER] = np.uint64(number_of(W[HAVE]))
    W[SPENDING] = np.uint64(1 if what == LIST_ALL or T[14] else 0)
    W[_PROBE] = np.uint64(1 if what == CAN_BEAT else 0)
    fill(natural, W, _MASKS, 4)
    step = code >> 26
    where = np.int64(T[FORMS + ((code >> 16) & 0x3FF)] if code else ZERO)
    mine, run = where >> 8, where & 255
    begin = pos
    row = ROWS
    for _ in range(np.int64(T[0])):
        own = np.int64(T[row + 5])
        low, high, least = np.int64(T[row + 1]), np.int64(T[row + 2]), np.int64(0)
        wanted = own <= limit and (code == 0 or own > step)
        if code and row == mine:
            low, high, least = run, run, ((code >> 12) & 15) + 1
            wanted = own <= limit
        if wanted:
            pos = _list_row(T, W, row, low, high, least, C, K, pos, cap)
            if what == CAN_BEAT and pos > begin:
                return 1
            if pos > cap:
                return cap + 1
        row += ROW_WORDS
    if what != CAN_BEAT and pos + 32 > cap:
        return cap + 1
    for i in range(np.int64(T[1])):
        cards, own = T[EXACT + 2 * i], np.int64(T[EXACT + 2 * i + 1])
        if (code == 0 or beats_code(own, code)) and own >> 26 <= limit and holds(hand, cards):
            if what == CAN_BEAT:
                return 1
            C[pos] = cards
            K[pos] = np.uint32(own)
            pos += 1
    return 0 if what == CAN_BEAT else pos


@jit
def ask_at(
    T: Vector,
    W: Vector,
    hand: Word,
    code: Count,
    limit: Count,
    what: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """Answer one of the questions of :mod:`ddz_core.kernels.wild_call`; pointers."""
    if what == READ:
        return read_at(T, W, hand, K, pos)
    return moves_at(T, W, hand, code, limit, what, C, K, pos, cap)


@jit
def list_spending(
    T: Vector, W: Vector, hand: Count, code: Count, limit: Count, what: Count, C: Vector, K: Vector
) -> Count:
    """List moves of a hand with wilds, spent as little as needed or in every way; arrays."""
    return call_wild(T, W, np.uint64(hand), code, limit, what, C, K, 0, len(C))


def _entry(
    T: Vector,
    W: Vector,
    hand: Word,
    code: Count,
    limit: Count,
    what: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """Take the question from another compiled kernel; pointers."""
    return ask_at(T, W, hand, code, limit, what, C, K, pos, cap)


def _checked_entry(
    T: Vector,
    W: Vector,
    hand: Word,
    code: Count,
    limit: Count,
    what: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """Take the question and make arrays of the pointers, so that every access is checked."""
    rows = _carray(T, (ROWS + ROW_WORDS * np.int64(T[0]),))
    room = max(cap, pos + 256)
    work, out, codes = _carray(W, (SPACE,)), _carray(C, (room,)), _carray(K, (room,))
    return ask_at(rows, work, hand, code, limit, what, out, codes, pos, cap)


@functools.cache
def _compiled() -> Any:  # noqa: ANN401
    """Return the compiled entry, kept for the life of the process."""
    pointer_to: Any = types.CPointer
    words, codes = pointer_to(types.uint64), pointer_to(types.uint32)
    number = types.int64
    signature = number(
        words, words, types.uint64, number, number, number, words, codes, number, number
    )
    if ON_ARRAYS:
        return nb.cfunc(signature)(_checked_entry)
    try:
        return nb.cfunc(signature, cache=True)(_entry)
    except RuntimeError:  # numba found no folder to write its cache to
        return nb.cfunc(signature)(_entry)


def address() -> int:
    """Return the address of the compiled kernels; some seconds at first, unless they are cached."""
    return int(_compiled().address)
