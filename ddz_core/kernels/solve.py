"""Exact search of open hands: who wins, or who gets how many points, with best play on both sides.

Layer 0. Seats play in two sides; the question is always a yes or no, "does the landlord's side get
at least the goal?", so that a search stops at the first play that answers it. There is no
recursion: frames lie in ``F`` (numbers) and ``H`` (hands), and a search that has used up its nodes
goes on where it stopped when it is called again.

Vectors besides those of :mod:`ddz_core.kernels.plain`:

* ``F`` ``int64``: what is asked, then frames of ``FRAME`` words from ``FRAMES`` on;
* ``H`` ``uint64``: five hands a frame;
* ``C``, ``K``, ``R``: the moves of all frames as a stack, cards, codes and order of trying (``R``);
* ``B`` ``uint64``: what was found before, four words a bucket (a power of two of them);
* ``V`` ``int64``: what the end of a game is worth, see ``VALUES``;
* ``Z`` the shortest runs: for each size its first place and their number, then masks of lanes;
* ``P, X, Q``: plan, work space and cache of :mod:`ddz_core.kernels.turns`.

A *tally* is what counts of the bombs played so far; in a search for the winner there is one only.

Another kernel that wants an answer for some nodes writes the words of ``F`` up to ``FRAMES`` and
the first frame as :class:`ddz_core.solver.engine.Engine` does, with ``STOP`` as the most nodes,
the hands to ``H``, and calls :func:`solve_at`; what was found stays in ``B``.
"""

# kernels read like the formulas of the layout, whose vectors are named by one letter
# ruff: noqa: N803, N806

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import Count, Vector, Word, cttz, jit, pointer
from ddz_core.kernels.masks import beats_code, higher, is_ranked, positions, starts_of
from ddz_core.kernels.plain import answers_at, can_beat_at, leads_at
from ddz_core.kernels.readings import readings_at
from ddz_core.kernels.solve_moves import (
    BEFORE,
    BEGIN,
    BITS,
    BUCKET,
    CAP,
    CHOSEN,
    CODE,
    DEPTH,
    DONE_NO,
    DONE_YES,
    END,
    FARMER_ONCE,
    FRAME,
    FRAMES,
    GOAL,
    HANDS,
    LADDER_ONLY,
    LANDLORD_ONCE,
    LANDLORD_TWICE,
    LIMITS,
    LOOK,
    MOST_DEPTH,
    MOST_TALLIES,
    NEXT,
    NO_ROOM,
    NODES,
    OPEN,
    OWNER,
    PLAYED,
    POINTS,
    RUNNING,
    SALT,
    SEAT,
    SEATS,
    SIDES,
    SPENT,
    START,
    STATE,
    STOP,
    TAG,
    TALLY,
    THIN,
    VALUES,
    end_value,
    lanes_with,
    order_moves,
    played_after,
    thin_moves,
)
from ddz_core.kernels.table import FORMS
from ddz_core.kernels.wild_call import WILD

__all__ = [
    "BEGIN",
    "BITS",
    "CAP",
    "CHOSEN",
    "CODE",
    "DONE_NO",
    "DONE_YES",
    "FARMER_ONCE",
    "FRAME",
    "FRAMES",
    "GOAL",
    "HANDS",
    "LANDLORD_ONCE",
    "LANDLORD_TWICE",
    "LIMITS",
    "LOOK",
    "MOST_DEPTH",
    "MOST_TALLIES",
    "NODES",
    "NO_ROOM",
    "OPEN",
    "OWNER",
    "PLAYED",
    "POINTS",
    "RUNNING",
    "SALT",
    "SEAT",
    "SEATS",
    "SIDES",
    "SPENT",
    "START",
    "STOP",
    "TALLY",
    "THIN",
    "VALUES",
    "end_value",
    "expand",
    "played_after",
    "solve",
    "solve_at",
]

_0, _1, _29, _32 = (np.uint64(n) for n in (0, 1, 29, 32))
_M1, _M2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_M3, _M4 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@jit
def _settled(
    T: Vector, H: Vector, at: Count, seats: Count, seat: Count, owner: Count, code: Count
) -> Count:
    """Return the highest code with the same answers in the hands still to answer it."""
    where = np.int64(T[FORMS + ((code >> 16) & 0x3FF)])
    if where == 0:
        return code
    row, run = where >> 8, where & 255
    if is_ranked(T, row):
        return code
    size, order = np.int64(T[row]), np.int64(T[row + 3])
    first = ((code >> 12) & 15) - run + 2
    lowest = np.int64(99)
    while seat != owner:
        hand = H[at + seat]
        if hand & T[WILD]:
            return code
        starts = starts_of(positions(T, order, lanes_with(hand, size) & T[row + 7]), run)
        starts = higher(starts, first)
        if starts:
            lowest = min(lowest, cttz(starts) >> 2)
        seat += 1
        if seat == seats:
            seat = 0
    if lowest == 99:
        return (code >> 26) << 26 | LADDER_ONLY
    return (code & ~0xF000) | ((lowest + run - 2) << 12)


@jit
def _key(F: Vector, H: Vector, at: Count, frame: Count) -> None:
    """Write bucket and check word of a position into its frame."""
    meta = np.uint64(
        F[frame + CODE] | F[frame + SEAT] << 32 | F[frame + OWNER] << 35 | F[frame + PLAYED] << 38
    ) ^ (np.uint64(F[frame + TALLY]) << np.uint64(41))
    a = (meta ^ np.uint64(F[SALT])) * _M4
    b = (meta + np.uint64(F[SALT])) * _M3
    a ^= a >> _32
    b ^= b >> _29
    for s in range(F[SEATS]):
        a = (a + H[at + s]) * _M1
        a ^= a >> _29
        b = (b ^ H[at + s]) * _M2
        b ^= b >> _32
    a *= _M3
    a ^= a >> _32
    b *= _M4
    b ^= b >> _29
    F[frame + BUCKET] = np.int64(a >> np.uint64(64 - F[BITS])) << 2
    F[frame + TAG] = np.int64(b & ~np.uint64(127))


@jit
def _known(F: Vector, B: Vector, frame: Count) -> Count:
    """Return what was found for a position before, or -1."""
    at, tag = F[frame + BUCKET], np.uint64(F[frame + TAG])
    for i in range(at, at + 4):
        word = B[i]
        if word & ~np.uint64(127) == tag and word:
            F[SPENT] = np.int64(word >> _1) & 63
            return np.int64(word & _1)
    return -1


@jit
def _keep(F: Vector, B: Vector, frame: Count, result: Count) -> None:
    """Keep what was found for a position, in place of what cost least."""
    spent = F[NODES] - F[frame + BEFORE] + 1
    size = np.uint64(1)
    while spent > 1:
        spent >>= 1
        size += _1
    at, tag = F[frame + BUCKET], np.uint64(F[frame + TAG])
    place, least = at, np.uint64(128)
    for i in range(at, at + 4):
        word = B[i]
        if word & ~np.uint64(127) == tag:
            place = i
            break
        if word & np.uint64(126) < least:
            place, least = i, word & np.uint64(126)
    B[place] = tag | size << _1 | np.uint64(result)


@jit
def _goes_out(
    T: Vector,
    W: Vector,
    F: Vector,
    K: Vector,
    V: Vector,
    frame: Count,
    hand: Word,
    pos: Count,
) -> bool:
    """Tell whether the seat to move reaches its side's aim by playing its whole hand now."""
    seat, code = F[frame + SEAT], F[frame + CODE]
    side = (F[SIDES] >> seat) & 1
    played = played_after(F[frame + PLAYED], side)
    for i in range(pos, readings_at(T, W, hand, K, pos)):
        own = np.int64(K[i])
        step = own >> 26
        if step <= F[LIMITS + seat] and (code == 0 or beats_code(own, code)):
            if F[POINTS] == 0:
                return True
            tally = V[64 * F[frame + TALLY] + step]
            if (end_value(V, tally, played, side) >= F[GOAL]) == (side == 1):
                return True
    return False


@jit
def _enter(
    TL: Vector,
    TF: Vector,
    W: Vector,
    P: Vector,
    X: Vector,
    Q: Vector,
    F: Vector,
    H: Vector,
    C: Vector,
    K: Vector,
    R: Vector,
    B: Vector,
    V: Vector,
    Z: Vector,
    depth: Count,
) -> Count:
    """Look at a new position: 0 or 1 if its answer is plain, -1 if its moves lie ready, -2 no room.

    Passes that are forced are made first.
    """
    frame, at = FRAMES + FRAME * depth, HANDS * depth
    seats = F[SEATS]
    seat, owner, code = F[frame + SEAT], F[frame + OWNER], F[frame + CODE]
    pos = F[frame + START]
    F[NODES] += 1
    F[frame + BEFORE] = F[NODES]
    if pos + 8192 > F[CAP] or depth + 1 >= MOST_DEPTH:
        return -2
    while code:
        if seat == owner:
            code = np.int64(0)
            break
        T = TL if (F[SIDES] >> seat) & 1 else TF
        if can_beat_at(T, W, H[at + seat], code, F[LIMITS + seat], C, K, pos, F[CAP]):
            code = _settled(TL, H, at, seats, seat, owner, code)
            break
        seat += 1
        if seat == seats:
            seat = 0
    if code == 0:
        owner = np.int64(0)
    F[frame + SEAT], F[frame + OWNER], F[frame + CODE] = seat, owner, code
    hand = H[at + seat]
    side = (F[SIDES] >> seat) & 1
    T = TL if side else TF
    if _goes_out(T, W, F, K, V, frame, hand, pos):
        return side
    _key(F, H, at, frame)
    if depth or F[LOOK]:
        found = _known(F, B, frame)
        if found >= 0:
            return found
    if code == 0:
        end = leads_at(T, W, hand, C, K, pos, F[CAP])
    else:
        end = answers_at(T, W, hand, code, F[LIMITS + seat], C, K, pos, F[CAP])
    if end + 8192 > F[CAP]:
        return -2
    if code == 0 and F[LIMITS + seat] < 63:
        kept = pos
        for i in range(pos, end):
            if np.int64(K[i]) >> 26 <= F[LIMITS + seat]:
                C[kept], K[kept] = C[i], K[i]
                kept += 1
        end = kept
    if code:
        C[end] = _0
        K[end] = np.uint32(0)
        end += 1
    F[frame + END] = end
    F[frame + NEXT] = pos
    if F[THIN] and end - pos > 1:
        thin_moves(T, Z, F, H, C, K, frame, at)
    order_moves(W, P, X, Q, F, H, C, K, R, TF if side else TL, frame, at)
    return -1


@jit
def _child(F: Vector, H: Vector, C: Vector, K: Vector, R: Vector, V: Vector, depth: Count) -> Count:
    """Make the best move that is left in a frame; -1 with the next frame ready, 0 or 1 at the end.

    Returns 2 if no move is left.
    """
    frame, at = FRAMES + FRAME * depth, HANDS * depth
    here, end = F[frame + NEXT], F[frame + END]
    if here == end:
        return 2
    best = here
    for i in range(here + 1, end):
        if R[i] > R[best]:
            best = i
    cards, code = C[best], K[best]
    C[best], K[best], R[best] = C[here], K[here], R[here]
    C[here], K[here] = cards, code
    F[frame + NEXT] = here + 1
    seat, seats = F[frame + SEAT], F[SEATS]
    child = frame + FRAME
    for s in range(seats):
        H[at + HANDS + s] = H[at + s]
    tally, played = F[frame + TALLY], F[frame + PLAYED]
    if code:
        side = (F[SIDES] >> seat) & 1
        if F[POINTS]:
            tally = V[64 * tally + (np.int64(code) >> 26)]
            played = played_after(played, side)
        rest = H[at + seat] - cards
        if rest == _0:
            return 1 if end_value(V, tally, played, side) >= F[GOAL] else 0
        H[at + HANDS + seat] = rest
        F[child + OWNER], F[child + CODE] = seat, np.int64(code)
    else:
        F[child + OWNER], F[child + CODE] = F[frame + OWNER], F[frame + CODE]
    F[child + SEAT] = seat + 1 if seat + 1 < seats else 0
    F[child + START] = end
    F[child + TALLY], F[child + PLAYED] = tally, played
    return -1


@jit
def _search(
    TL: Vector,
    TF: Vector,
    W: Vector,
    P: Vector,
    X: Vector,
    Q: Vector,
    F: Vector,
    H: Vector,
    C: Vector,
    K: Vector,
    R: Vector,
    B: Vector,
    V: Vector,
    Z: Vector,
    depth: Count,
    base: Count,
) -> Count:
    """Search from the new position of frame ``depth`` until frame ``base`` is answered.

    Returns 0 or 1; -1 if the nodes are used up, with the depth reached in ``F``; -2 for no room.
    """
    while True:
        if F[NODES] >= F[STOP]:
            F[DEPTH] = depth
            return -1
        result = _enter(TL, TF, W, P, X, Q, F, H, C, K, R, B, V, Z, depth)
        if result == -2:
            return -2
        if result >= 0:
            depth -= 1
        while depth >= base:
            frame = FRAMES + FRAME * depth
            side = (F[SIDES] >> F[frame + SEAT]) & 1
            if result == side:
                if depth == 0:
                    F[CHOSEN] = F[frame + NEXT] - 1
                _keep(F, B, frame, result)
                depth -= 1
                continue
            result = _child(F, H, C, K, R, V, depth)
            if result == -1:
                break
            if result == 2:
                result = 1 - side
                _keep(F, B, frame, result)
                depth -= 1
        if depth < base:
            return result
        depth += 1


@jit
def solve_at(
    TL: Vector,
    TF: Vector,
    W: Vector,
    P: Vector,
    X: Vector,
    Q: Vector,
    F: Vector,
    H: Vector,
    C: Vector,
    K: Vector,
    R: Vector,
    B: Vector,
    V: Vector,
    Z: Vector,
) -> Count:
    """Search from where ``F`` stands until it is answered or the nodes are used up; pointers.

    Returns ``STATE``: ``DONE_YES``, ``DONE_NO``, ``RUNNING`` if ``STOP`` nodes were reached (call
    again with more), or ``NO_ROOM``.
    """
    if F[STATE] > RUNNING:
        return F[STATE]
    result = _search(TL, TF, W, P, X, Q, F, H, C, K, R, B, V, Z, F[DEPTH], 0)
    if result == -1:
        F[STATE] = RUNNING
    elif result == -2:
        F[STATE] = NO_ROOM
    else:
        F[STATE] = DONE_YES if result == 1 else DONE_NO
    return F[STATE]


@jit
def expand(
    TL: Vector,
    TF: Vector,
    W: Vector,
    P: Vector,
    X: Vector,
    Q: Vector,
    F: Vector,
    H: Vector,
    C: Vector,
    K: Vector,
    R: Vector,
    B: Vector,
    V: Vector,
    Z: Vector,
    each: Count,
    found: Vector,
) -> Count:
    """List the moves of the first frame and search each for ``each`` nodes at most; arrays.

    Returns 0 or 1 if the position is answered, else -1, with four words for each move that is not:
    cards, code, the seat to move after it and the number of its moves; how many there are stands
    in ``F[OPEN]``. -2 for no room.
    """
    tl, tf, w, p, x, q = pointer(TL), pointer(TF), pointer(W), pointer(P), pointer(X), pointer(Q)
    f, h, c, k, r = pointer(F), pointer(H), pointer(C), pointer(K), pointer(R)
    b, v, z, out = pointer(B), pointer(V), pointer(Z), pointer(found)
    result = _enter(tl, tf, w, p, x, q, f, h, c, k, r, b, v, z, 0)
    if result != -1:
        return result
    side = (f[SIDES] >> f[FRAMES + SEAT]) & 1
    number = 0
    child = FRAMES + FRAME
    while True:
        result = _child(f, h, c, k, r, v, 0)
        if result == 2:
            break
        if result == -1:
            f[STOP] = f[NODES] + each
            f[child + END], f[child + NEXT] = f[child + START], f[child + START]
            result = _search(tl, tf, w, p, x, q, f, h, c, k, r, b, v, z, 1, 1)
            if result == -2:
                return -2
        if result == side:
            f[CHOSEN] = f[FRAMES + NEXT] - 1
            _keep(f, b, FRAMES, result)
            return result
        if result == -1:
            place = f[FRAMES + NEXT] - 1
            at = 4 * number
            out[at] = np.int64(c[place])
            out[at + 1] = np.int64(k[place])
            out[at + 2] = f[child + SEAT]
            out[at + 3] = f[child + END] - f[child + START]
            number += 1
    if number == 0:
        _keep(f, b, FRAMES, 1 - side)
        return 1 - side
    f[OPEN] = number
    return -1


@jit
def solve(
    TL: Vector,
    TF: Vector,
    W: Vector,
    P: Vector,
    X: Vector,
    Q: Vector,
    F: Vector,
    H: Vector,
    C: Vector,
    K: Vector,
    R: Vector,
    B: Vector,
    V: Vector,
    Z: Vector,
) -> Count:
    """Search as :func:`solve_at`; arrays, held by the Python caller."""
    return solve_at(
        pointer(TL),
        pointer(TF),
        pointer(W),
        pointer(P),
        pointer(X),
        pointer(Q),
        pointer(F),
        pointer(H),
        pointer(C),
        pointer(K),
        pointer(R),
        pointer(B),
        pointer(V),
        pointer(Z),
    )
