"""How many plays a hand needs, estimated fast and from above, read from the rows of a ruleset.

Layer 0. :func:`plan_of` puts what matters here of a compiled table in one short vector, and the
kernel :func:`turns_fast` reads it. The estimate is a split that can really be played, so it is
never below the exact number (:mod:`ddz_core.kernels.splits`); it is above it where a group would
have to be torn apart for kickers. Every set of runs that do not overlap is tried, depth first, and
the rest is closed by counting which groups take which kickers.

Layout of a plan (``uint64`` words)::

    0       number of run entries              3      a joker of each colour may be kickers together
    1       number of exact sets               4, 5   lanes that may be single, pair kickers
    2       a pair may be two single kickers
    8+s     lanes where s equal cards are a play
    24+s    single kickers of a lone group of s, 32+s pair kickers
    40+s    single kickers for each group of a run, 48+s pair kickers
    6, 7    all bits of the wild lanes, lanes that a wild may show (0: wilds count as themselves)
    56..    exact sets, weakest first, at most 8
    64..    run entries of three words: size, number of lengths, place of the masks (shortest first)
"""

from __future__ import annotations

import numba as nb
import numpy as np
from numpy.typing import NDArray

from ddz_core.kernels.bits import LOW, Count, Vector, Word, ctpop, cttz, jit, pointer
from ddz_core.kernels.table import (
    ATTACH,
    EXACT,
    NOT_BOTH_JOKERS,
    ROW_WORDS,
    ROWS,
    UNITS,
    Table,
)

RUNS = 64
"""Where the entries of runs begin in a plan."""
MOST_SETS = 8
SPACE = 640
"""Words of work space that :func:`turns_fast` needs."""
CACHE_BITS = 15
"""The cache of :func:`turns_cached` has two words for each of 2**15 places."""

_CHAINS = 180
_DEPTH = 10
_NODES = 400
_U0, _U1, _U2, _U3, _U4, _U15, _U60 = (np.uint64(n) for n in (0, 1, 2, 3, 4, 15, 60))
_TOP = np.uint64(15 << 60)
_LOW = LOW
_ODD = np.uint64(0x0F0F0F0F0F0F0F0F)
_GUARD = np.uint64(0x1010101010101010)
_SMALL, _BIG = np.uint64(1 << 52), np.uint64(1 << 56)
_MIX = np.uint64(0x9E3779B97F4A7C15)


def plan_of(table: Table, *, wilds: bool = False) -> NDArray[np.uint64]:
    """Return the vector that :func:`turns_fast` reads, from a compiled table (0.2 ms).

    With ``wilds`` the estimate of a hand with wilds lets each show the rank that helps most, one
    after the other; it may then be too low where a wild may not be a kicker. Without, wilds count
    as themselves, and the estimate is never too low.

    Attachments that must be consecutive, that compare, or that come in twos are left out: without
    them the estimate stays a split that can be played.
    """
    words = [int(word) for word in table.words]
    plan = [0] * RUNS
    plan[2], plan[3] = 1, 1
    if wilds:
        plan[6], plan[7] = words[8], words[12]
    entries: list[tuple[int, list[int]]] = []
    for number in range(words[0]):
        row = words[ROWS + number * ROW_WORDS : ROWS + (number + 1) * ROW_WORDS]
        size, low, high, order, attachments, lanes = *row[:4], row[6], row[7]
        if not attachments:
            if high == 1:
                plan[8 + size] |= lanes
            else:
                entries += _entries(words, size, low, high, order, lanes)
            continue
        kick_size, per, kick_lanes, run, ranked, equal, limits = row[ATTACH : ATTACH + 7]
        if attachments == 1 and kick_size in (1, 2) and not run and not ranked and size <= 4:
            at = (24 if high == 1 else 40) + 8 * (kick_size - 1) + size
            plan[at] = max(plan[at], per)
            plan[3 + kick_size] |= kick_lanes
            if kick_size == 1:
                plan[2] &= int(equal >= 2)
                plan[3] &= int(not limits & NOT_BOTH_JOKERS)
    plan[1] = min(words[1], MOST_SETS)
    for number in range(plan[1]):
        plan[56 + number] = words[EXACT + 2 * (words[1] - plan[1] + number)]
    plan[0] = len(entries)
    at = RUNS + 3 * len(entries)
    heads: list[int] = []
    masks: list[int] = []
    for size, lengths in entries:
        heads += [size, len(lengths), at + len(masks)]
        masks += lengths
    return np.array(plan + heads + masks, dtype=np.uint64)


def _entries(
    words: list[int], size: int, low: int, high: int, order: int, lanes: int
) -> list[tuple[int, list[int]]]:
    """Return, for every start of a run, the lane masks of its lengths, shortest first."""
    found = []
    for start in range(16):
        lengths: list[int] = []
        for run in range(low, min(high, 15) + 1):
            mask = words[UNITS + order * 256 + run * 16 + start]
            if not mask or mask & lanes != mask:
                break
            lengths.append(mask)
        if lengths:
            found.append((size, lengths))
    return found


@jit
def _at_least(h: Word, size: Word) -> Word:
    """Return one bit in each lane that holds at least ``size`` cards, 1 to 4."""
    a, b, c, d = h, h >> _U1, h >> _U2, h >> _U3
    if size == _U1:
        return (a | b | c | d) & _LOW
    if size == _U2:
        return (b | c | d) & _LOW
    if size == _U3:
        return ((a & b) | c | d) & _LOW
    return (c | d) & _LOW


@jit
def _holds(h: Word, part: Word) -> bool:
    """Tell whether every card of ``part`` is in ``h``."""
    even = ((h & _ODD) | _GUARD) - (part & _ODD)
    odd = ((h >> _U4 & _ODD) | _GUARD) - (part >> _U4 & _ODD)
    return even & odd & _GUARD == _GUARD


@jit
def _absorb(
    groups: Count, ones: Count, twos: Count, split: bool, single: Count, double: Count
) -> tuple[Count, Count]:
    """Let ``groups`` take ``ones`` singles or ``twos`` pairs each; return what is left of both."""
    for _ in range(groups):
        if ones > 0 and single >= ones:
            single -= ones
        elif twos > 0 and double >= twos:
            double -= twos
        elif split and ones > single and (ones - single) % 2 == 0 and 2 * double >= ones - single:
            double -= (ones - single) // 2
            single = nb.int64(0)
        else:
            break
    return single, double


@jit
def _odd_lanes(plan: Vector, h: Word, lanes: Word) -> Count:
    """Return the plays for lanes whose number of cards is no play, each cut up greedily."""
    total = nb.int64(0)
    for lane in range(16):
        shift = nb.uint64(4 * lane)
        if not (lanes >> shift) & _U1:
            continue
        count = nb.int64((h >> shift) & _U15)
        while count > 0:
            size = min(count, nb.int64(8))
            while size > 1 and not (plan[8 + size] >> shift) & _U1:
                size -= 1
            count -= size
            total += 1
    return total


@jit
def _closed(plan: Vector, space: Vector, h: Word, depth: Count, keep: bool) -> Count:
    """Return the plays for the rest ``h`` after ``depth`` runs (in ``space``) were taken out."""
    a1, a2 = _at_least(h, _U1), _at_least(h, _U2)
    a3, a4 = _at_least(h, _U3), _at_least(h, _U4)
    five = (h >> _U2) & (h | h >> _U1) & _LOW | (h >> _U3) & _LOW
    odd = ((a2 & ~a3) & ~plan[10]) | ((a3 & ~a4) & ~plan[11]) | ((a4 & ~five) & ~plan[12]) | five
    total = nb.int64(0)
    if odd:
        total += _odd_lanes(plan, h, odd)
    e1, e2 = a1 & ~a2 & ~odd, a2 & ~a3 & ~odd
    threes, fours = ctpop(a3 & ~a4 & ~odd), ctpop(a4 & ~odd)
    total += threes + fours
    free = plan[4]
    if not plan[3] and (e1 & _SMALL) and (e1 & _BIG):
        free &= ~_BIG
    pairs = plan[5]
    for d in range(depth):
        struck = ~space[_CHAINS + 5 * d + 1]
        free &= struck
        pairs &= struck
    single, double = ctpop(e1 & free), ctpop(e2 & pairs)
    total += ctpop(e1) + ctpop(e2) - single - double
    split = plan[2] != _U0
    for d in range(depth):
        size = nb.int64(space[_CHAINS + 5 * d + 2])
        length = nb.int64(space[_CHAINS + 5 * d + 3])
        ones, twos = nb.int64(plan[40 + size]) * length, nb.int64(plan[48 + size]) * length
        if ones + twos > 0:
            single, double = _absorb(1, ones, twos, split, single, double)
    ones3, twos3 = nb.int64(plan[27]), nb.int64(plan[35])
    ones4, twos4 = nb.int64(plan[28]), nb.int64(plan[36])
    if keep or fours == 0:
        single, double = _absorb(threes, ones3, twos3, split, single, double)
        return total + single + double
    s, d2 = _absorb(threes, ones3, twos3, split, single, double)
    s, d2 = _absorb(fours, ones4, twos4, split, s, d2)
    single, double = _absorb(fours, ones4, twos4, split, single, double)
    single, double = _absorb(threes, ones3, twos3, split, single, double)
    return total + min(s + d2, single + double)


@jit
def turns_fast(plan: Vector, space: Vector, hand: Word, keep: bool) -> Count:
    """Return the fewest plays found for a hand, never fewer than there are.

    Args:
        plan: see :func:`plan_of`.
        space: ``SPACE`` words of work space, one a thread.
        hand: packed cards.
        keep: whether four equal cards stay whole and take no kickers.

    Cost: about a microsecond for 17 to 20 cards of one deck; at most ``_NODES`` sets of runs are
    tried, so that a large hand costs no more.
    """
    sets = nb.int64(0)
    for k in range(nb.int64(plan[1]) - 1, -1, -1):
        part = plan[56 + k]
        if _holds(hand, part):
            hand -= part
            sets += 1
    best = _closed(plan, space, hand, 0, keep)
    number = nb.int64(0)
    a1, a2 = _at_least(hand, _U1), _at_least(hand, _U2)
    a3, a4 = _at_least(hand, _U3), _at_least(hand, _U4)
    for e in range(nb.int64(plan[0])):
        at = RUNS + 3 * e
        size = plan[at]
        have = a1 if size == _U1 else a2 if size == _U2 else a3 if size == _U3 else a4
        first = nb.int64(plan[at + 2])
        for k in range(nb.int64(plan[at + 1])):
            mask = plan[first + k]
            if have & mask != mask or number == _CHAINS:
                break
            space[number] = mask | size << _U60
            number += 1
    rest, depth, nodes, i = hand, nb.int64(0), nb.int64(0), nb.int64(0)
    while True:
        frame = _CHAINS + 5 * depth
        if i < number and depth + 1 < best and depth < _DEPTH and nodes < _NODES:
            size = space[i] >> _U60
            mask = space[i] & ~_TOP
            if _at_least(rest, size) & mask != mask:
                i += 1
                continue
            takes = plan[nb.int64(40) + nb.int64(size)] | plan[nb.int64(48) + nb.int64(size)]
            space[frame] = rest
            space[frame + 1] = mask if takes else _U0
            space[frame + 2] = size
            space[frame + 3] = nb.uint64(ctpop(mask))
            space[frame + 4] = nb.uint64(i)
            rest -= mask * size
            depth += 1
            nodes += 1
            best = min(best, depth + _closed(plan, space, rest, depth, keep))
        elif depth > 0:
            depth -= 1
            frame -= 5
            rest = space[frame]
            i = nb.int64(space[frame + 4]) + nb.int64(1)
        else:
            return sets + best


@jit
def turns_cached(plan: Vector, space: Vector, cache: Vector, hand: Word, keep: bool) -> Count:
    """Return :func:`turns_fast`, looked up in ``cache`` (``2 << CACHE_BITS`` words, zeros) first.

    A cache serves one plan; both values of ``keep`` may share it.
    """
    key = (hand << _U1 | _U1) ^ (_TOP if keep else _U0)
    at = nb.int64(((hand ^ (_U1 if keep else _U0)) * _MIX) >> nb.uint64(63 - CACHE_BITS)) & ~1
    if cache[at] == key:
        return nb.int64(cache[at + 1])
    wild = hand & plan[6]
    found = turns_fast(plan, space, hand, keep)
    while wild and found > 1:
        # one wild at a time shows the rank that helps most; what is left stays itself
        bit = np.uint64(1) << (np.uint64(4) * np.uint64(cttz(wild) >> 2))
        lanes, best, shown = plan[7], found, hand
        while lanes:
            lane = lanes & (~lanes + _U1)
            lanes ^= lane
            # four equal take no more, and a wild that shows its own rank is itself
            if lane & plan[6] or hand & (lane << _U2 | lane << _U3):
                continue
            number = turns_fast(plan, space, hand - bit + lane, keep)
            if number < best:
                best, shown = number, hand - bit + lane
        if shown == hand:
            break
        hand, found = shown, best
        wild = hand & plan[6]
    cache[at] = key
    cache[at + 1] = nb.uint64(found)
    return found


@jit
def turns_of_hands(
    plan: Vector, space: Vector, cache: Vector, hands: Vector, keep: bool, out: Vector
) -> None:
    """Write :func:`turns_fast` of every hand to ``out``; all arguments are arrays but ``keep``."""
    p, s, c = pointer(plan), pointer(space), pointer(cache)
    for k in range(len(hands)):
        out[k] = turns_cached(p, s, c, hands[k], keep)
