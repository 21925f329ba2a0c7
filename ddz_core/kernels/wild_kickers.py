"""Kickers beside wilds: how many can be found, and those that wilds may show.

Layer 0. What the question is about lies in ``W``: the natural cards, the wilds, and how they may be
spent. ``pool`` is what natural kickers may come from; ``avoid`` lanes that give none.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import LOW, Count, Vector, Word, cttz, jit
from ddz_core.kernels.masks import (
    BIG,
    FOUR,
    ONE,
    SMALL,
    ZERO,
    enough,
    fill,
    groups_of,
    number_of,
)
from ddz_core.kernels.table import ATTACH, KICKERS_ANY, TWO_LANES

NATURALS, NUMBER, HAVE, SPENDING = 192, 193, 194, 195
"""Words of ``W``: the natural cards of the hand, number of its wilds, the wilds, 1 to spend all."""

_STACK = 512
_15 = np.uint64(15)


@jit
def spent(T: Vector, have: Word, number: Count) -> Word:
    """Return so many of the wilds in hand, the lower lane first."""
    if np.int64(T[11]) & TWO_LANES:
        if number == 1:
            return have & (~have + ONE)
        return have if number == 2 else ZERO
    return (T[8] & LOW) * np.uint64(number)


@jit
def most_groups(T: Vector, a: Count, body: Count, near: Word, bit: Word) -> Count:
    """Return how many groups of one lane an attachment may have."""
    if near & bit:
        return min(np.int64(T[a + 5]), (body - 1) // np.int64(T[a]))
    return np.int64(T[a + 5])


@jit
def room_for(
    T: Vector,
    a: Count,
    body: Count,
    avoid: Word,
    near: Word,
    taken: Word,
    pool: Word,
    spending: Word,
) -> Count:
    """Return how many more groups wilds alone can show beside kickers already ``taken``.

    Spending as little as needed they only show ranks of which the pool has no card left.
    """
    size = np.int64(T[a])
    lanes = T[12] & T[a + 2] & ~avoid
    room = 0
    while lanes:
        bit = lanes & (~lanes + ONE)
        lanes ^= bit
        shift = np.uint64(cttz(bit))
        number = np.int64((taken >> shift) & _15)
        if spending == ZERO and number < np.int64((pool >> shift) & _15):
            continue
        room += max(most_groups(T, a, body, near, bit) - (number + size - 1) // size, 0)
    return room


@jit
def list_free_groups(
    T: Vector,
    W: Vector,
    a: Count,
    k: Count,
    body: Count,
    avoid: Word,
    near: Word,
    pool: Word,
    base: Word,
    used: Count,
    code: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """List ``base`` with ``k`` groups of two cards or more, wilds showing what is missing.

    Each set of natural cards is met once, as the fewest groups that it belongs to; groups of wilds
    alone make up the rest.
    """
    size = np.int64(T[a])
    have, spending = W[HAVE], W[SPENDING]
    number = np.int64(W[NUMBER])
    left = number - used
    both = np.int64(T[11]) & TWO_LANES != 0 and number == 2
    W[_STACK] = T[12] & T[a + 2] & ~avoid
    W[_STACK + 1], W[_STACK + 2], W[_STACK + 3] = ZERO, ZERO, ZERO
    depth = 1
    while depth > 0:
        depth -= 1
        at = _STACK + 4 * depth
        lanes, taken = W[at], W[at + 1]
        groups, cost = np.int64(W[at + 2]), np.int64(W[at + 3])
        blank = k - groups
        total = cost + size * blank
        if total <= left and (
            blank == 0 or room_for(T, a, body, avoid, near, taken, pool, spending) >= blank
        ):
            if pos + 16 > cap:
                return cap + 1
            gone = spent(T, have, used + total)
            C[pos] = base + taken + gone
            K[pos] = np.uint32(code)
            pos += 1
            if both and spending and used + total == 1:
                C[pos] = base + taken + have - gone
                K[pos] = np.uint32(code)
                pos += 1
        if blank == 0:
            continue
        while lanes:
            bit = lanes & (~lanes + ONE)
            lanes ^= bit
            held = np.int64((pool >> np.uint64(cttz(bit))) & _15)
            most = min(most_groups(T, a, body, near, bit), blank)
            for cards in range(1, min(held, size * most) + 1):
                if spending == ZERO and cards < held and cards % size:
                    continue
                more = (cards + size - 1) // size
                price = cost + more * size - cards
                if price > left:
                    continue
                at = _STACK + 4 * depth
                W[at] = lanes
                W[at + 1] = taken + bit * np.uint64(cards)
                W[at + 2], W[at + 3] = np.uint64(groups + more), np.uint64(price)
                depth += 1
    return pos


@jit
def finds_kickers(
    T: Vector,
    W: Vector,
    row: Count,
    run: Count,
    lanes: Word,
    body: Word,
    used: Count,
    near: Word,
) -> bool:
    """Tell whether a main part, natural cards ``body`` and ``used`` wilds, finds its kickers."""
    a = row + ATTACH
    size, kick = np.int64(T[row]), np.int64(T[a])
    k = run * np.int64(T[a + 1])
    left = np.int64(W[NUMBER]) - used
    pool = W[NATURALS] & ~(lanes * _15)
    avoid = lanes
    if run > 1 and T[a + 6] & FOUR:
        avoid = ZERO
        fill(body, W, 0, 4)
        full = W[size] & lanes
        pool += (W[NATURALS] & (full * _15)) - full * T[row]
    flags = np.int64(T[11])
    if flags & KICKERS_ANY == 0:
        if flags & TWO_LANES:
            pool += W[HAVE] - spent(T, W[HAVE], used)
        else:
            pool += np.uint64(left) << (np.uint64(4) * T[10])
        fill(pool, W, 0, 4)
        return enough(T, W, a, k, groups_of(T, W, a, 0, size, avoid, near))
    # the cheapest groups first: whole ones, those that lack a card, two cards, …, wilds alone
    groups, budget = 0, left
    for price in range(kick):
        allowed = T[a + 2] & ~avoid
        if kick == 1 and T[a + 6] & ONE and pool & SMALL and pool & BIG:
            allowed &= ~BIG
        while allowed:
            bit = allowed & (~allowed + ONE)
            allowed ^= bit
            held = np.int64((pool >> np.uint64(cttz(bit))) & _15)
            most = most_groups(T, a, size, near, bit)
            whole = min(held // kick, most)
            if price == 0:
                groups += whole
            elif whole == most or held % kick == 0 or held % kick + price != kick:
                continue
            elif bit & T[12] and groups < k and budget >= price:
                groups += 1
                budget -= price
    if groups >= k:
        return True
    selves = 0
    if kick == 1 and flags & TWO_LANES and T[a + 2] & W[HAVE]:
        selves = left if T[a + 6] & ONE == ZERO else min(left, 1)
    blank = k - groups
    room = room_for(T, a, size, avoid, near, ZERO, ZERO, ONE) - groups + selves
    return blank * kick <= budget and room >= blank


@jit
def shows_kickers(
    T: Vector, a: Count, k: Count, body: Count, avoid: Word, near: Word, rest: Word, wilds: Word
) -> bool:
    """Tell whether natural cards and all ``wilds``, showing what they like, are kickers."""
    size = np.int64(T[a])
    left = number_of(wilds)
    lanes = T[a + 2] & ~avoid
    groups, cost, at = np.int64(0), np.int64(0), ZERO
    for lane in range(15):
        shift = np.uint64(4 * lane)
        held = np.int64((rest >> shift) & _15)
        if held == 0:
            continue
        bit = ONE << shift
        more = (held + size - 1) // size
        if not lanes & bit or more > most_groups(T, a, body, near, bit):
            return False
        if more * size > held and not T[12] & bit:
            return False
        groups += more
        cost += more * size - held
        at |= bit
    if T[a + 6] & ONE and at & SMALL and at & BIG:
        return False
    blank = k - groups
    if blank < 0 or cost + blank * size != left:
        return False
    selves = 0
    if size == 1 and np.int64(T[11]) & TWO_LANES and T[a + 2] & wilds:
        selves = blank if T[a + 6] & ONE == ZERO else 1
    return blank == 0 or room_for(T, a, body, avoid, near, rest, ZERO, ONE) + selves >= blank
