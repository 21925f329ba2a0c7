"""The exact number of plays that a hand needs, and every way to reach it.

Layer 0. Every card of the hand must be in one of the plays; so at every step only the plays that
use the lane with the fewest of them are tried. Whether a hand goes out in ``k`` plays is remembered
in a table. Iterative: cached numba code must not recurse.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import Count, Vector, Word, cttz, jit, pointer
from ddz_core.kernels.masks import number_of
from ddz_core.kernels.plain import leads_at
from ddz_core.kernels.readings import readings_at

FRAMES = 64
"""Deepest search: no hand needs more plays."""
FRAME_WORDS = 8
MEMO_BITS = 17
"""The memory has two words for each of 2**17 places."""

_1, _15 = np.uint64(1), np.uint64(15)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_HAND, _START, _END, _AT, _LEFT, _LAST = 0, 1, 2, 3, 4, 5


@jit
def _place(hand: Word) -> Count:
    return np.int64((hand * _MIX) >> np.uint64(64 - MEMO_BITS)) * 2


@jit
def _known(M: Vector, hand: Word, k: Count) -> Count:
    """Return 1 or 0 if it is known whether a hand goes out in ``k`` plays, else -1."""
    at = _place(hand)
    if M[at] != hand:
        return -1
    word = np.int64(M[at + 1])
    if k >= (word & 255):
        return 1
    return 0 if k <= (word >> 8) else -1


@jit
def _remember(M: Vector, hand: Word, k: Count, yes: Count) -> None:
    """Keep an answer: bits 0-7 the fewest plays known to do, bits 8-15 the most known not to."""
    at = _place(hand)
    enough, few = np.int64(255), np.int64(0)
    if M[at] == hand:
        word = np.int64(M[at + 1])
        enough, few = word & 255, word >> 8
    if yes:
        enough = min(enough, k)
    else:
        few = max(few, k)
    M[at] = hand
    M[at + 1] = np.uint64(enough | few << 8)


@jit
def _narrowed(hand: Word, C: Vector, K: Vector, start: Count, end: Count, N: Vector) -> Count:
    """Keep of a list only the moves that use the lane with the fewest; return the new end."""
    for lane in range(16):
        N[lane] = 0
    for i in range(start, end):
        rest = C[i]
        while rest:
            lane = cttz(rest) >> 2
            N[lane] += 1
            rest &= ~(_15 << np.uint64(4 * lane))
    best, fewest = -1, 1 << 40
    for lane in range(16):
        if (hand >> np.uint64(4 * lane)) & _15 and N[lane] < fewest:
            best, fewest = lane, N[lane]
    shift = np.uint64(4 * best)
    kept = start
    for i in range(start, end):
        if (C[i] >> shift) & _15:
            C[kept] = C[i]
            K[kept] = K[i]
            kept += 1
    return kept


@jit
def _largest(C: Vector, start: Count, end: Count) -> Count:
    largest = 0
    for i in range(start, end):
        largest = max(largest, number_of(C[i]))
    return largest


@jit
def goes_out_at(
    T: Vector,
    W: Vector,
    M: Vector,
    F: Vector,
    N: Vector,
    hand: Word,
    plays: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    cap: Count,
) -> Count:
    """Return 1 if a hand goes out in at most ``plays`` plays, 0 if not, -1 beyond the limit.

    Pointers. ``M`` memory, ``F`` frames, ``N`` counts by lane; ``N[16]`` nodes so far, ``N[17]``
    their limit.
    """
    depth = 0
    F[_HAND], F[_LEFT], F[_AT], F[_END] = hand, np.uint64(plays), np.uint64(0), np.uint64(0)
    F[_START] = np.uint64(pos)
    fresh, answer = True, 0
    while True:
        f = depth * FRAME_WORDS
        own, left = F[f + _HAND], np.int64(F[f + _LEFT])
        if fresh:
            answer = -1
            if own == 0:
                answer = 1
            elif left <= 0:
                answer = 0
            else:
                answer = _known(M, own, left)
                if answer < 0:
                    start = np.int64(F[f + _START])
                    if readings_at(T, W, own, K, start) > start:
                        answer = 1
                        _remember(M, own, 1, 1)
                    elif left == 1:
                        answer = 0
                        _remember(M, own, 1, 0)
            if answer < 0:
                N[16] += 1
                if N[16] > N[17]:
                    return -1
                start = np.int64(F[f + _START])
                end = leads_at(T, W, own, C, K, start, cap)
                if end > cap:
                    return -1
                if _largest(C, start, end) * left < number_of(own):
                    end = start
                else:
                    end = _narrowed(own, C, K, start, end, N)
                F[f + _END], F[f + _AT] = np.uint64(end), np.uint64(start)
                fresh = False
                answer = 0
        if not fresh:
            # a frame in work: answer holds what the child said
            if answer == 0 and F[f + _AT] < F[f + _END]:
                at = np.int64(F[f + _AT])
                F[f + _AT] = np.uint64(at + 1)
                child = f + FRAME_WORDS
                F[child + _HAND] = own - C[at]
                F[child + _LEFT] = np.uint64(left - 1)
                F[child + _START] = F[f + _END]
                depth += 1
                fresh = True
                continue
            _remember(M, own, left, answer)
        if depth == 0:
            return answer
        depth -= 1
        fresh = False


@jit
def fewest_at(
    T: Vector,
    W: Vector,
    M: Vector,
    F: Vector,
    N: Vector,
    hand: Word,
    enough: Count,
    C: Vector,
    K: Vector,
    cap: Count,
) -> Count:
    """Return the fewest plays of a hand, ``enough`` being known to do; -1 beyond the limit."""
    plays = enough
    while plays > 0:
        answer = goes_out_at(T, W, M, F, N, hand, plays - 1, C, K, 0, cap)
        if answer < 0:
            return -1
        if answer == 0:
            return plays
        plays -= 1
    return 0


@jit
def fewest(
    T: Vector,
    W: Vector,
    M: Vector,
    F: Vector,
    N: Vector,
    hand: Word,
    enough: Count,
    C: Vector,
    K: Vector,
) -> Count:
    """Return :func:`fewest_at`; arrays."""
    return fewest_at(
        pointer(T),
        pointer(W),
        pointer(M),
        pointer(F),
        pointer(N),
        hand,
        enough,
        pointer(C),
        pointer(K),
        len(C),
    )


@jit
def list_splits(
    T: Vector,
    W: Vector,
    M: Vector,
    F: Vector,
    N: Vector,
    hand: Word,
    plays: Count,
    C: Vector,
    K: Vector,
    out: Vector,
) -> Count:
    """Write every way to go out in ``plays`` plays, the fewest; arrays.

    ``out`` gets ``plays`` packed sets of cards a way. Returns their number; one more than fit if
    there are more; -1 beyond the limit of nodes. ``F`` has frames for two searches.
    """
    t, w, m, n, c, k = (
        pointer(T),
        pointer(W),
        pointer(M),
        pointer(N),
        pointer(C),
        pointer(K),
    )
    f2, cap = pointer(F[FRAMES * FRAME_WORDS :]), len(C)
    room = len(out) // plays
    found, depth = 0, 0
    F[_HAND], F[_LAST] = hand, np.uint64(0)
    end = leads_at(t, w, hand, c, k, 0, cap)
    end = _lowest(hand, c, k, 0, min(end, cap))
    F[_START], F[_AT], F[_END] = np.uint64(0), np.uint64(0), np.uint64(end)
    while depth >= 0:
        f = depth * FRAME_WORDS
        own = F[f + _HAND]
        if F[f + _AT] >= F[f + _END]:
            depth -= 1
            continue
        at = np.int64(F[f + _AT])
        F[f + _AT] = np.uint64(at + 1)
        cards = C[at]
        if cards < F[f + _LAST]:
            continue
        twice = False
        for i in range(np.int64(F[f + _START]), at):
            if C[i] == cards:
                twice = True
        if twice:
            continue
        rest = own - cards
        left = plays - depth - 1
        pos = np.int64(F[f + _END])
        if rest == 0:
            if left == 0:
                if found == room:
                    return found + 1
                for d in range(depth):
                    g = d * FRAME_WORDS
                    out[found * plays + d] = C[np.int64(F[g + _AT]) - 1]
                out[found * plays + depth] = cards
                found += 1
            continue
        if left == 0:
            continue
        answer = goes_out_at(t, w, m, f2, n, rest, left, c, k, pos, cap)
        if answer < 0:
            return -1
        if answer == 0:
            continue
        end = leads_at(t, w, rest, c, k, pos, cap)
        end = _lowest(rest, c, k, pos, min(end, cap))
        g = f + FRAME_WORDS
        F[g + _HAND] = rest
        F[g + _START], F[g + _AT], F[g + _END] = np.uint64(pos), np.uint64(pos), np.uint64(end)
        # two plays with cards of one rank come in one order only
        F[g + _LAST] = cards if cttz(own) >> 2 == cttz(rest) >> 2 else np.uint64(0)
        depth += 1
    return found


@jit
def _lowest(hand: Word, C: Vector, K: Vector, start: Count, end: Count) -> Count:
    """Keep of a list only the moves that use the lowest lane of a hand; return the new end."""
    shift = np.uint64(cttz(hand) >> 2 << 2)
    kept = start
    for i in range(start, end):
        if (C[i] >> shift) & _15:
            C[kept] = C[i]
            K[kept] = K[i]
            kept += 1
    return kept
