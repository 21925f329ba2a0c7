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
"""

# kernels read like the formulas of the layout, whose vectors are named by one letter
# ruff: noqa: N803, N806

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import Count, Vector, Word, cttz, jit, pointer
from ddz_core.kernels.bits import clz as _clz
from ddz_core.kernels.masks import (
    beats_code,
    higher,
    is_ranked,
    number_of,
    positions,
    starts_of,
)
from ddz_core.kernels.plain import answers_at, can_beat_at, leads_at
from ddz_core.kernels.readings import readings_at
from ddz_core.kernels.table import FORMS, UNITS
from ddz_core.kernels.turns import turns_cached
from ddz_core.kernels.wild_call import WILD

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

_0, _1, _7, _29, _32, _64 = (np.uint64(n) for n in (0, 1, 7, 29, 32, 64))
_M1, _M2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_M3, _M4 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
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
def _mask(hand: Word, size: Count) -> Word:
    """Return the lanes with at least ``size`` cards, 1 to 8."""
    low = np.uint64(0x1111111111111111)
    a, b, c, d = hand, hand >> np.uint64(1), hand >> np.uint64(2), hand >> np.uint64(3)
    if size == 1:
        return (a | b | c | d) & low
    if size == 2:
        return (b | c | d) & low
    if size == 3:
        return ((a & b) | c | d) & low
    if size == 4:
        return (c | d) & low
    if size == 5:
        return ((c & (a | b)) | d) & low
    if size == 6:
        return ((b & c) | d) & low
    if size == 7:
        return ((a & b & c) | d) & low
    return d & low


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
        starts = starts_of(positions(T, order, _mask(hand, size) & T[row + 7]), run)
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
def _in_runs(Z: Vector, hand: Word) -> Word:
    """Return the lanes of a hand that take part in a run it could play."""
    found = _0
    for size in range(1, 5):
        first, number = np.int64(Z[2 * size]), np.int64(Z[2 * size + 1])
        if number:
            have = _mask(hand, size)
            for i in range(first, first + number):
                if have & Z[i] == Z[i]:
                    found |= Z[i]
    return found


@jit
def _thin(
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
    partners = _mask(partners, 1)
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
            used = _mask(cards, 1)
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
                same = _mask(hand, times)
                if times < 8:
                    same &= ~_mask(hand, times + 1)
                upto = (bit << _1) - _1
                same &= free & ~used & upto
                hold = partners & upto
                if alone:
                    hold |= _mask(others, body) & upto
                    if code >> 16 == table >> 16:  # the lower rank must be an answer, too
                        same &= over
                if same and hold:
                    top = np.uint64(63) - np.uint64(_clz(hold))
                    same &= ~((_1 << top) - _1)
                if same:
                    superfluous = True
                    break
        if not superfluous:
            C[kept], K[kept] = cards, np.uint32(code)
            kept += 1
    F[frame + END] = kept


@jit
def _order(
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

    ``T`` are the rules of the other side's hands.
    """
    seat, code, seats = F[frame + SEAT], F[frame + CODE], F[SEATS]
    hand = H[at + seat]
    side = (F[SIDES] >> seat) & 1
    start, end = F[frame + START], F[frame + END]
    for i in range(start, end):
        cards, own = C[i], np.int64(K[i])
        rest = hand - cards
        score = -16 * turns_cached(P, X, Q, rest, True)
        if own == 0:
            if (F[SIDES] >> F[frame + OWNER]) & 1 == side:
                score += 12
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
                score += 14
            if code == 0:
                score += number_of(cards)
            if own >> 26:
                score -= 10
            score -= ((own >> 12) & 15) >> 1
        R[i] = score


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
        _thin(T, Z, F, H, C, K, frame, at)
    _order(W, P, X, Q, F, H, C, K, R, TF if side else TL, frame, at)
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
