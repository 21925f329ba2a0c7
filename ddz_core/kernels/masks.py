"""Masks of hands and what the rows make of them: the parts that all kernels share.

Layer 0. A mask has one bit a lane, at the lane's lowest bit; ``W[at + number]`` is the mask of the
lanes with at least that many cards. The layout of ``T`` is that of :mod:`ddz_core.kernels.table`.
"""

# kernels read like the formulas of the layout, whose vectors are named T and W
# ruff: noqa: N803

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import LOW, Count, Vector, Word, ctpop, jit
from ddz_core.kernels.table import (
    ORDERS,
    UNITS,
)

REST, GROUPS = 16, 32
"""Where in ``W`` the masks of a rest and of kicker groups begin; those of the hand begin at 0."""

ZERO, ONE, TWO, THREE, FOUR = (np.uint64(n) for n in (0, 1, 2, 3, 4))
SMALL, BIG = np.uint64(1 << 52), np.uint64(1 << 56)
"""The lanes of the two jokers."""

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_EVEN = np.uint64(0x0F0F0F0F0F0F0F0F)
_GUARD = np.uint64(0x1010101010101010)
_BYTES = np.uint64(0x0101010101010101)


@jit
def number_of(hand: Word) -> Count:
    """Return the number of cards of a hand."""
    pairs = (hand & _EVEN) + ((hand >> FOUR) & _EVEN)
    return np.int64((pairs * _BYTES) >> np.uint64(56))


@jit
def holds(hand: Word, part: Word) -> bool:
    """Tell whether all cards of a part are in a hand; even and odd lanes are tested apart."""
    even = ((hand & _EVEN) | _GUARD) - (part & _EVEN)
    odd = (((hand >> FOUR) & _EVEN) | _GUARD) - ((part >> FOUR) & _EVEN)
    return even & odd & _GUARD == _GUARD


@jit
def fill(hand: Word, W: Vector, at: Count, most: Count) -> None:
    """Write the masks of lanes with at least 1 to ``most`` (4 or 8) cards to ``W[at + number]``."""
    a, b, c, d = hand & LOW, (hand >> ONE) & LOW, (hand >> TWO) & LOW, (hand >> THREE) & LOW
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
def positions(T: Vector, order: Count, mask: Word) -> Word:
    """Move a mask of lanes to the positions of an order, which may name a lane twice."""
    if order == 0:
        return mask
    at = ORDERS + 8 * order
    moved = ((mask & T[at]) << T[at + 1]) >> T[at + 2]
    if T[at + 3]:
        moved |= ((mask & T[at + 3]) << T[at + 4]) >> T[at + 5]
    return moved


@jit
def starts_of(places: Word, run: Count) -> Word:
    """Return where runs of this length start among occupied places."""
    starts = places
    for step in range(1, run):
        starts &= places >> np.uint64(4 * step)
    return starts


@jit
def neighbours(T: Vector, order: Count, start: Count, run: Count) -> Word:
    """Return the lanes beside a run, one place before and one after it."""
    lanes = ZERO
    ones = UNITS + 256 * order + 16
    if start > 0:
        lanes |= T[ones + start - 1]
    if start + run < 16:
        lanes |= T[ones + start + run]
    return lanes


@jit
def groups_of(
    T: Vector, W: Vector, a: Count, masks: Count, body: Count, avoid: Word, near: Word
) -> Count:
    """Write to ``W[GROUPS + number]`` which lanes give an attachment that many groups at least.

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
        W[GROUPS + number] = mask
        total += ctpop(mask)
    W[GROUPS + most + 1] = ZERO
    return total


@jit
def enough(T: Vector, W: Vector, a: Count, k: Count, total: Count) -> bool:
    """Tell whether the groups of :func:`groups_of` give ``k``, the limit on jokers included."""
    if total < k:
        return False
    if T[a + 6] & ONE and W[GROUPS + 1] & SMALL and W[GROUPS + 1] & BIG:
        small, big = 0, 0
        for number in range(1, np.int64(T[a + 5]) + 1):
            small += ctpop(W[GROUPS + number] & SMALL)
            big += ctpop(W[GROUPS + number] & BIG)
        return total - min(small, big) >= k
    return True


@jit
def beats_code(a: Count, b: Count) -> bool:
    """Tell whether one code beats another."""
    return a > b and (a >> 26 > b >> 26 or a >> 16 == b >> 16)


@jit
def higher(starts: Word, first: Count) -> Word:
    """Return the starts from position ``first`` on."""
    return starts & (_ALL << np.uint64(4 * max(first, 0)))


@jit
def is_ranked(T: Vector, row: Count) -> bool:
    """Tell whether an attachment of a row joins the comparison."""
    return (T[row + 12] | T[row + 20]) != ZERO and T[row + 6] != ZERO
