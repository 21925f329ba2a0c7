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

from ddz_core.kernels.bits import Count, Vector, Word, ctpop, cttz, jit, pointer

SPACE = 8704
"""Words of work space."""
ROOM = 4096
"""Least room of an output."""
NO_LIMIT = 63
"""As highest ladder step allowed: no limit."""

_ORDERS, _UNITS, _FORMS, _EXACT, _BY_CARDS, _LISTED, _ROWS = 16, 64, 1088, 1344, 1408, 1472, 1728
_ROW_WORDS, _ATTACH = 32, 8
_REST, _GROUPS, _OPEN, _SUM, _LAST, _TIMES, _FIRST, _FIRST_CODES = (
    16,
    32,
    48,
    80,
    112,
    144,
    256,
    4480,
)

_0, _1, _2, _3, _4, _15 = (np.uint64(n) for n in (0, 1, 2, 3, 4, 15))
_LOW = np.uint64(0x1111111111111111)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_EVEN = np.uint64(0x0F0F0F0F0F0F0F0F)
_GUARD = np.uint64(0x1010101010101010)
_BYTES = np.uint64(0x0101010101010101)
_X, _D = np.uint64(1 << 52), np.uint64(1 << 56)


@jit
def number_of(hand: Word) -> Count:
    """Return the number of cards of a hand."""
    pairs = (hand & _EVEN) + ((hand >> _4) & _EVEN)
    return np.int64((pairs * _BYTES) >> np.uint64(56))


@jit
def holds(hand: Word, part: Word) -> bool:
    """Tell whether all cards of a part are in a hand; even and odd lanes are tested apart."""
    even = ((hand & _EVEN) | _GUARD) - (part & _EVEN)
    odd = (((hand >> _4) & _EVEN) | _GUARD) - ((part >> _4) & _EVEN)
    return even & odd & _GUARD == _GUARD


@jit
def _fill(hand: Word, W: Vector, at: Count, most: Count) -> None:
    """Write the masks of lanes with at least 1 to ``most`` (4 or 8) cards to ``W[at + number]``."""
    a, b, c, d = hand & _LOW, (hand >> _1) & _LOW, (hand >> _2) & _LOW, (hand >> _3) & _LOW
    W[at + 1] = a | b | c | d
    W[at + 2] = b | c | d
    W[at + 3] = (a & b) | c | d
    W[at + 4] = c | d
    if most > 4:
        W[at + 5] = (c & (a | b)) | d
        W[at + 6] = (b & c) | d
        W[at + 7] = (a & b & c) | d
        W[at + 8] = d


@jit
def _positions(T: Vector, order: Count, mask: Word) -> Word:
    """Move a mask of lanes to the positions of an order, which may name a lane twice."""
    if order == 0:
        return mask
    at = _ORDERS + 8 * order
    moved = ((mask & T[at]) << T[at + 1]) >> T[at + 2]
    if T[at + 3]:
        moved |= ((mask & T[at + 3]) << T[at + 4]) >> T[at + 5]
    return moved


@jit
def _starts(places: Word, run: Count) -> Word:
    """Return where runs of this length start among occupied places."""
    starts = places
    for step in range(1, run):
        starts &= places >> np.uint64(4 * step)
    return starts


@jit
def _neighbours(T: Vector, order: Count, start: Count, run: Count) -> Word:
    """Return the lanes beside a run, one place before and one after it."""
    lanes = _0
    ones = _UNITS + 256 * order + 16
    if start > 0:
        lanes |= T[ones + start - 1]
    if start + run < 16:
        lanes |= T[ones + start + run]
    return lanes


@jit
def _groups(
    T: Vector, W: Vector, a: Count, masks: Count, body: Count, avoid: Word, near: Word
) -> Count:
    """Write to ``W[_GROUPS + number]`` which lanes give an attachment that many groups at least.

    ``body`` is the size of a body group; lanes ``near`` must not give as many cards. Returns how
    many groups there are at most, all lanes together.
    """
    size, most = np.int64(T[a]), np.int64(T[a + 5])
    allowed = T[a + 2] & ~avoid
    total = 0
    for number in range(1, most + 1):
        mask = W[masks + number * size] & allowed
        if number * size >= body:
            mask &= ~near
        W[_GROUPS + number] = mask
        total += ctpop(mask)
    W[_GROUPS + most + 1] = _0
    return total


@jit
def _enough(T: Vector, W: Vector, a: Count, k: Count, total: Count) -> bool:
    """Tell whether the groups counted by :func:`_groups` give ``k``, the jokers' limit included."""
    if total < k:
        return False
    if T[a + 6] & _1 and W[_GROUPS + 1] & _X and W[_GROUPS + 1] & _D:
        small, big = 0, 0
        for number in range(1, np.int64(T[a + 5]) + 1):
            small += ctpop(W[_GROUPS + number] & _X)
            big += ctpop(W[_GROUPS + number] & _D)
        return total - min(small, big) >= k
    return True


@jit
def _list_kickers(
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
        starts = _starts(_positions(T, order, allowed), k)
        ones = _UNITS + 256 * order + 16 * k
        while starts:
            start = cttz(starts) >> 2
            starts &= starts - _1
            C[pos] = base + T[ones + start] * size
            K[pos] = np.uint32(code + ranked * ((start + k - 1) << 8))
            pos += 1
        return pos
    total = _groups(T, W, a, 0, body, avoid, near)
    if total < k:
        return pos
    first = W[_GROUPS + 1]
    if k == 1:
        while first:
            bit = first & (~first + _1)
            first ^= bit
            C[pos] = base + bit * size
            K[pos] = np.uint32(code + ranked * (cttz(bit) << 6))
            pos += 1
        return pos
    apart = T[a + 6] & _1
    # odometer: a level keeps the lanes still open to it, the cards so far, and the lane taken
    # last with how often, since that lane alone may be taken again
    level = 0
    W[_OPEN] = first
    W[_SUM] = base
    W[_LAST] = _0
    W[_TIMES] = _0
    last = k - 1
    while level >= 0:
        mask = W[_OPEN + level]
        if level == last:
            if pos + 16 > cap:
                return cap + 1
            cards = W[_SUM + level]
            while mask:
                bit = mask & (~mask + _1)
                mask ^= bit
                C[pos] = cards + bit * size
                K[pos] = np.uint32(code + ranked * (cttz(bit) << 6))
                pos += 1
            level -= 1
            continue
        if mask == _0:
            level -= 1
            continue
        bit = mask & (~mask + _1)
        mask ^= bit
        W[_OPEN + level] = mask
        times = _1
        if bit == W[_LAST + level]:
            times += W[_TIMES + level]
        mask |= bit & W[_GROUPS + np.int64(times) + 1]
        if apart and bit == _X:
            mask &= ~_D
        if mask:
            cards = W[_SUM + level] + bit * size
            level += 1
            W[_OPEN + level] = mask
            W[_SUM + level] = cards
            W[_LAST + level] = bit
            W[_TIMES + level] = times
    return pos


@jit
def _spread(mask: Word) -> Word:
    """Return all four bits of every lane in a mask."""
    return mask * _15


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
    lanes = T[_UNITS + 256 * order + 16 * run + start]
    body = lanes * T[row]
    code += (start + run - 1) << 12
    a = row + _ATTACH
    k = run * np.int64(T[a + 1])
    near = _0
    if run > 1 and (T[a + 6] | T[a + 14]) & _2:
        near = _neighbours(T, order, start, run)
    if T[row + 6] == _1:
        near_a = near if T[a + 6] & _2 else _0
        if run > 1 and T[a + 6] & _4:
            # kickers may repeat ranks of the body: what counts is the hand without it
            _fill(hand - body, W, 0, np.int64(T[4]))
            pos = _list_kickers(T, W, a, k, size, _0, near_a, body, code, C, K, pos, cap)
            _fill(hand, W, 0, np.int64(T[4]))
            return pos
        return _list_kickers(T, W, a, k, size, lanes, near_a, body, code, C, K, pos, cap)
    near_a = near if T[a + 6] & _2 else _0
    end = _list_kickers(T, W, a, k, size, lanes, near_a, body, code, C, K, pos, cap)
    if end > cap:
        return end
    found = end - pos
    for i in range(found):
        W[_FIRST + i] = C[pos + i]
        W[_FIRST_CODES + i] = np.uint64(K[pos + i])
    a += 8
    k = run * np.int64(T[a + 1])
    near_a = near if T[a + 6] & _2 else _0
    for i in range(found):
        taken = W[_FIRST + i] - body
        taken = (taken | taken >> _1 | taken >> _2 | taken >> _3) & _LOW
        pos = _list_kickers(
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
    if T[row + 6] == _0:
        if pos + 16 > cap:
            return cap + 1
        size = T[row]
        ones = _UNITS + 256 * np.int64(T[row + 3]) + 16 * run
        code += (run - 1) << 12
        while starts:
            start = cttz(starts) >> 2
            starts &= starts - _1
            C[pos] = T[ones + start] * size
            K[pos] = np.uint32(code + (start << 12))
            pos += 1
        return pos
    while starts:
        start = cttz(starts) >> 2
        starts &= starts - _1
        pos = _list_body(T, W, hand, row, run, start, code, C, K, pos, cap)
        if pos > cap:
            return pos
    return pos


@jit
def leads_at(
    T: Vector, W: Vector, hand: Word, C: Vector, K: Vector, pos: Count, cap: Count
) -> Count:
    """List everything that a hand can lead, by code within rows; pointers."""
    _fill(hand, W, 0, np.int64(T[4]))
    row = _ROWS
    for _ in range(np.int64(T[0])):
        places = W[np.int64(T[row])] & T[row + 7]
        if places:
            low, high = np.int64(T[row + 1]), np.int64(T[row + 2])
            if high == 1:
                pos = _list_form(T, W, hand, row, 1, places, C, K, pos, cap)
            else:
                places = _positions(T, np.int64(T[row + 3]), places)
                starts = _starts(places, low)
                run = low
                while starts and run <= high:
                    pos = _list_form(T, W, hand, row, run, starts, C, K, pos, cap)
                    starts &= places >> np.uint64(4 * run)
                    run += 1
            if pos > cap:
                return cap + 1
        row += _ROW_WORDS
    return _list_sets(T, hand, 0, NO_LIMIT, C, K, pos, cap)


@jit
def _list_sets(
    T: Vector, hand: Word, code: Count, limit: Count, C: Vector, K: Vector, pos: Count, cap: Count
) -> Count:
    """List the exact sets in a hand that beat a code."""
    if pos + 16 > cap:
        return cap + 1
    for i in range(np.int64(T[1])):
        cards, own = T[_EXACT + 2 * i], np.int64(T[_EXACT + 2 * i + 1])
        if _beats(own, code) and own >> 26 <= limit and holds(hand, cards):
            C[pos] = cards
            K[pos] = np.uint32(own)
            pos += 1
    return pos


@jit
def _beats(a: Count, b: Count) -> bool:
    return a > b and (a >> 26 > b >> 26 or a >> 16 == b >> 16)


@jit
def _higher(starts: Word, first: Count) -> Word:
    """Return the starts from position ``first`` on."""
    return starts & (_ALL << np.uint64(4 * max(first, 0)))


@jit
def _ranked(T: Vector, row: Count) -> bool:
    return (T[row + 12] | T[row + 20]) != _0 and T[row + 6] != _0


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
    _fill(hand, W, 0, np.int64(T[4]))
    step = code >> 26
    where = np.int64(T[_FORMS + ((code >> 16) & 0x3FF)])
    if where and step <= limit:
        row, run = where >> 8, where & 255
        places = W[np.int64(T[row])] & T[row + 7]
        if places:
            ranked = _ranked(T, row)
            key = ((code >> 12) & 15) - (1 if ranked else 0)
            starts = _starts(_positions(T, np.int64(T[row + 3]), places), run)
            starts = _higher(starts, key - run + 2)
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
        row = _ROWS + first * _ROW_WORDS
        for _ in range(first, np.int64(T[0])):
            places = W[np.int64(T[row])] & T[row + 7]
            if places and step < np.int64(T[row + 5]) <= limit:
                pos = _list_form(T, W, hand, row, 1, places, C, K, pos, cap)
                if pos > cap:
                    return cap + 1
            row += _ROW_WORDS
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
    lanes = T[_UNITS + 256 * order + 16 * run + start]
    near = _0
    a = row + _ATTACH
    if run > 1 and (T[a + 6] | T[a + 14]) & _2:
        near = _neighbours(T, order, start, run)
    k = run * np.int64(T[a + 1])
    near_a = near if T[a + 6] & _2 else _0
    if T[row + 6] == _1:
        if T[a + 3] and k > 1:
            allowed = W[np.int64(T[a])] & T[a + 2] & ~lanes
            return _starts(_positions(T, np.int64(T[a + 3]) - 1, allowed), k) != _0
        if run > 1 and T[a + 6] & _4:
            _fill(hand - lanes * T[row], W, _REST, np.int64(T[4]))
            return _enough(T, W, a, k, _groups(T, W, a, _REST, size, _0, near_a))
        return _enough(T, W, a, k, _groups(T, W, a, 0, size, lanes, near_a))
    b = a + 8
    k_b = run * np.int64(T[b + 1])
    near_b = near if T[b + 6] & _2 else _0
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
    if T[row + 6] == _2:
        return (T[row + 11] | T[row + 19] | T[row + 12] | T[row + 20]) != _0 or (
            (T[row + 14] | T[row + 22]) & _1
        ) != _0
    return _ranked(T, row)


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
        return hand != _0
    _fill(hand, W, 0, np.int64(T[4]))
    step = code >> 26
    smallest = np.int64(T[3])
    where = np.int64(T[_FORMS + ((code >> 16) & 0x3FF)])
    row = where >> 8
    if where and step <= limit:
        run = where & 255
        places = W[np.int64(T[row])] & T[row + 7]
        if places:
            listed = _must_list(T, row)
            key = ((code >> 12) & 15) - (1 if _ranked(T, row) else 0)
            starts = _starts(_positions(T, np.int64(T[row + 3]), places), run)
            starts = _higher(starts, key - run + 2)
            if starts and T[row + 6] == _0:
                return True
            own = np.int64(T[row + 4]) + ((run - np.int64(T[row + 1])) << 16)
            while starts:
                start = cttz(starts) >> 2
                starts &= starts - _1
                if listed:
                    end = _list_body(T, W, hand, row, run, start, own, C, K, pos, cap)
                    for i in range(pos, min(end, cap)):
                        if np.int64(K[i]) > code:
                            return True
                elif _fits(T, W, hand, row, run, start):
                    return True
    if smallest and W[smallest]:
        first = np.int64(T[2])
        row = _ROWS + first * _ROW_WORDS
        for _ in range(first, np.int64(T[0])):
            if step < np.int64(T[row + 5]) <= limit and W[np.int64(T[row])] & T[row + 7]:
                return True
            row += _ROW_WORDS
    for i in range(np.int64(T[1])):
        own = np.int64(T[_EXACT + 2 * i + 1])
        if _beats(own, code) and own >> 26 <= limit and holds(hand, T[_EXACT + 2 * i]):
            return True
    return False


@jit
def _rest_key(
    T: Vector, W: Vector, a: Count, k: Count, body: Count, near: Word, used: Word
) -> Count:
    """Check the lanes ``used`` of a rest (masks in ``W[_REST..]``) against an attachment.

    Returns key 2 (0 where nothing is ranked), or -1 if the rest is no such attachment.
    """
    size, most = np.int64(T[a]), np.int64(T[a + 5])
    if used & ~T[a + 2]:
        return -1
    fitting, groups = _0, 0
    for number in range(1, most + 1):
        cards = number * size
        exact = W[_REST + cards] & used
        if cards < np.int64(T[4]):
            exact &= ~W[_REST + cards + 1]
        if cards >= body:
            exact &= ~near
        fitting |= exact
        groups += number * ctpop(exact)
    if fitting != used or groups != k:
        return -1
    if T[a + 6] & _1 and used & _X and used & _D:
        return -1
    if T[a + 3] and k > 1:
        order = np.int64(T[a + 3]) - 1
        starts = _starts(_positions(T, order, used), k)
        if starts == _0:
            return -1
        return ((cttz(starts) >> 2) + k - 1) if T[a + 4] else 0
    if T[a + 4]:
        top = 15
        while not (used >> np.uint64(4 * top)) & _1:
            top -= 1
        return top
    return 0


@jit
def _code_of_body(T: Vector, W: Vector, cards: Word, row: Count, run: Count, start: Count) -> Count:
    """Return the code of cards read with this body, or 0."""
    size, order = np.int64(T[row]), np.int64(T[row + 3])
    lanes = T[_UNITS + 256 * order + 16 * run + start]
    rest = cards - lanes * T[row]
    code = np.int64(T[row + 4]) + ((run - np.int64(T[row + 1])) << 16) + ((start + run - 1) << 12)
    attachments = T[row + 6]
    if attachments == _0:
        return code if rest == _0 else 0
    a = row + _ATTACH
    _fill(rest, W, _REST, np.int64(T[4]))
    used = W[_REST + 1]
    if used & lanes and (attachments == _2 or run == 1 or not T[a + 6] & _4):
        return 0
    near = _0
    if run > 1 and (T[a + 6] | T[a + 14]) & _2:
        near = _neighbours(T, order, start, run)
    near_a = near if T[a + 6] & _2 else _0
    k = run * np.int64(T[a + 1])
    if attachments == _1:
        key = _rest_key(T, W, a, k, size, near_a, used)
        return code + (key << 8) if key >= 0 else 0
    # two attachments have different sizes: a lane's count says to which it belongs
    one = W[_REST + np.int64(T[a])]
    if np.int64(T[a]) < np.int64(T[4]):
        one &= ~W[_REST + np.int64(T[a]) + 1]
    key = _rest_key(T, W, a, k, size, near_a, one)
    if key < 0:
        return 0
    b = a + 8
    near_b = near if T[b + 6] & _2 else _0
    second = _rest_key(T, W, b, run * np.int64(T[b + 1]), size, near_b, used & ~one)
    return code + ((key + second) << 8) if second >= 0 else 0


@jit
def readings_at(T: Vector, W: Vector, cards: Word, K: Vector, pos: Count) -> Count:
    """Write the code of every reading of a set of cards to ``K`` (at most 32); pointers.

    A set of more cards than the largest hand, or none, has no reading.
    """
    number = number_of(cards)
    if number == 0 or number > np.int64(T[6]):
        return pos
    _fill(cards, W, 0, np.int64(T[4]))
    index = np.int64(T[_BY_CARDS + number])
    first = index >> 16
    for i in range(first, first + (index & 0xFFFF)):
        where = np.int64(T[_FORMS + np.int64(T[_LISTED + i])])
        row, run = where >> 8, where & 255
        places = W[np.int64(T[row])] & T[row + 7]
        if places == _0:
            continue
        starts = _starts(_positions(T, np.int64(T[row + 3]), places), run)
        while starts:
            start = cttz(starts) >> 2
            starts &= starts - _1
            code = _code_of_body(T, W, cards, row, run, start)
            if code:
                K[pos] = np.uint32(code)
                pos += 1
    for i in range(np.int64(T[1])):
        if T[_EXACT + 2 * i] == cards:
            K[pos] = np.uint32(T[_EXACT + 2 * i + 1])
            pos += 1
    return pos


@jit
def finish_at(
    T: Vector, W: Vector, hand: Word, code: Count, limit: Count, K: Vector, pos: Count
) -> Count:
    """Return the lowest code with which a whole hand goes out over ``code`` (0: as a lead), or 0.

    Readings are written to ``K`` from ``pos`` on; pointers.
    """
    found = 0
    for i in range(pos, readings_at(T, W, hand, K, pos)):
        own = np.int64(K[i])
        if own >> 26 <= limit and (code == 0 or _beats(own, code)) and (found == 0 or own < found):
            found = own
    return found


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
def can_beat(
    T: Vector, W: Vector, hand: Word, code: Count, limit: Count, C: Vector, K: Vector
) -> bool:
    """Tell whether a hand has an answer to a code, bombs up to step ``limit``; arrays."""
    return can_beat_at(pointer(T), pointer(W), hand, code, limit, pointer(C), pointer(K), 0, len(C))


@jit
def readings_of(T: Vector, W: Vector, cards: Word, K: Vector) -> Count:
    """Write the code of every reading of a set of cards; arrays."""
    return readings_at(pointer(T), pointer(W), cards, pointer(K), 0)
