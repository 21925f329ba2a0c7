"""The net's features, its forward pass and its choice of a play, from what one seat may know.

Layer 0. The net judges what a play leaves behind: the own hand after it, what lies on the table
then, what is unseen, what everybody has played and passed on. One network a role: 0 the landlord,
1 the farmer after it, 2 the farmer before it. Inputs are zeros and ones, so the first layer is a
sum of rows; the part that all plays of one decision share is summed once.

A *state* is two vectors. ``V`` (``int64``)::

    0 landlord's seat   1 seat to act   2 seat that owns the play to beat, -1 to lead
    3 code to beat      4 bombs played  5 number of plays scored   6 1 where a win was proven
    8+s cards left      12+s plays made
    16+6s+k lowest top of an enemy's play that seat s passed on, 15 for none; k 0 single, 1 pair,
            2 triple, 3 straight, 4 pair straight, 5 others (bombs are not counted)

and ``H`` (``uint64``): ``s`` hand of seat s (only the own one is read), ``4+s`` what it has played,
8 the bottom cards, 9 the deck.

Weights of one network (``float32``): rows of the first layer, its constants, the second layer by
input, its constants, the last layer by input (win, points), its constants.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ddz_core.kernels.bits import LOW, Count, Vector, Word, ctpop, cttz, jit, pointer
from ddz_core.kernels.masks import number_of
from ddz_core.kernels.plain import answers_at, leads_at
from ddz_core.kernels.rule import ROOM, bombs_in, is_safe, runs_out
from ddz_core.kernels.table import Table
from ddz_core.kernels.turns import turns_cached

WIDTH, NARROW = 256, 32
"""Units of the first and second layer."""
UNSEEN, NEXT, PREVIOUS, BOTTOM = 0, 60, 120, 180
NEXT_LEFT, PREVIOUS_LEFT, PASSED, BOMBS_OUT = 240, 261, 282, 474
BEFORE, BEFORE_TOP, LEAD = 480, 512, 528
HAND, OWN_LEFT, PLAYED, LENGTH, TURNS = 529, 589, 610, 866, 905
WINDOWS, TOPS, BEATERS, PASSES = 947, 979, 993, 1032
FEATURES = 1034
"""Number of inputs; where each group of them begins."""
MOST_ACTIVE = 128
"""Most inputs that are one at a time."""

ROWS2 = FEATURES * WIDTH + WIDTH
"""Where the second layer begins in the weights of one network."""
ROWS3 = ROWS2 + WIDTH * NARROW + NARROW
SIZE = ROWS3 + 2 * NARROW + 2
"""Weights of one network."""
ROLES = 3
STATE_V, STATE_H = 48, 16
"""Words of the two vectors of a state."""
SPACE_Y, SPACE_J = 2 * WIDTH + 2 * NARROW, 2 * MOST_ACTIVE
"""Room for sums and for inputs."""
WON = 60.0
"""What a play counts, as logit, that surely wins."""
POINTS = 16384
"""Where in ``X`` the expected points begin; scores are before it."""
_MOST = 8192
_NO_LIMIT = 63

_0, _1, _2, _3, _4, _8, _12, _15 = (np.uint64(n) for n in (0, 1, 2, 3, 4, 8, 12, 15))
_RUNS = np.uint64(0x0000111111111111)
_TO_ACE = np.uint64(0x0000FFFFFFFFFFFF)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)

CATEGORIES = (
    *("single", "pair", "triple", "triple and card", "triple and pair", "straight"),
    *("pair straight", "plane", "plane and cards", "plane and pairs", "four and cards"),
    *("four and pairs", "bomb", "exact set", "other"),
)


def forms_of(table: Table) -> NDArray[np.int64]:
    """Return what the kernels must know of every form: category, what a pass on it says, length.

    Returns:
        By form number: category + 256 x kind of pass (6: not counted) + 65536 x group of runs
        (1 to 3, 0 for none) + 2**24 x length.
    """
    found = np.zeros(1024, dtype=np.int64)
    for number, form in enumerate(table.forms):
        if form is None:
            continue
        size, run = form.size, form.length
        per = (form.cards - size * run) // max(run, 1)
        passed, runs = 5, 0
        if form.step > 0:
            category, passed = (12 if size else 13), 6
        elif run == 1 and size <= 3 and per == 0:
            category = passed = size - 1
        elif run == 1 and size == 3 and per in (1, 2):
            category, passed = 2 + per, 2
        elif run > 1 and size in (1, 2) and per == 0:
            category, passed, runs = 4 + size, 2 + size, size
        elif run > 1 and size == 3 and per <= 2:
            category, runs = 7 + per, 3
        elif run == 1 and size == 4 and per in (2, 4):
            category = 9 + per // 2
        else:
            category = 14
        found[number] = category | passed << 8 | runs << 16 | run << 24
    return found


@jit
def _emit(cards: Word, base: Count, J: Vector, n: Count) -> Count:
    """List one input for each rank held: its number of cards."""
    while cards:
        lane = cttz(cards) >> 2
        shift = np.uint64(4 * lane)
        count = np.int64((cards >> shift) & _15)
        J[n] = base + 4 * lane + min(count, 4) - 1
        n += 1
        cards &= ~(_15 << shift)
    return n


@jit
def _held_bottom(bottom: Word, played: Word) -> Word:
    """Return the bottom cards that the landlord has not played by rank."""
    found = _0
    while bottom:
        lane = cttz(bottom) >> 2
        shift = np.uint64(4 * lane)
        count = (bottom >> shift) & _15
        gone = (played >> shift) & _15
        if count > gone:
            found |= (count - gone) << shift
        bottom &= ~(_15 << shift)
    return found


@jit
def state_inputs(
    F: Vector, V: Vector, H: Vector, unseen: Word, bombs_out: Count, J: Vector
) -> Count:
    """List the inputs that all plays of a decision share; returns how many."""
    seat, boss = V[1], V[0]
    following, before = (seat + 1) % 3, (seat + 2) % 3
    n = _emit(unseen, UNSEEN, J, 0)
    n = _emit(H[4 + following], NEXT, J, n)
    n = _emit(H[4 + before], PREVIOUS, J, n)
    if seat != boss:
        n = _emit(_held_bottom(H[8], H[4 + boss]), BOTTOM, J, n)
    J[n] = NEXT_LEFT + min(V[8 + following], 20)
    J[n + 1] = PREVIOUS_LEFT + min(V[8 + before], 20)
    n += 2
    for k in range(6):
        top = V[16 + 6 * following + k]
        if top < 15:
            J[n] = PASSED + 16 * k + top
            n += 1
        top = V[16 + 6 * before + k]
        if top < 15:
            J[n] = PASSED + 96 + 16 * k + top
            n += 1
    J[n] = BOMBS_OUT + min(bombs_out, 5)
    n += 1
    code = V[3]
    if code == 0:
        J[n] = LEAD
        n += 1
    else:
        category = F[(code >> 16) & 0x3FF] & 255
        J[n] = BEFORE + (0 if V[2] == following else 16) + category
        J[n + 1] = BEFORE_TOP + ((code >> 12) & 15)
        n += 2
    return n


@jit
def _lanes(hand: Word, size: Count) -> Word:
    """Return one bit in each lane with at least 1 to 4 cards."""
    a, b, c, d = hand, hand >> _1, hand >> _2, hand >> _3
    if size == 1:
        return (a | b | c | d) & LOW
    if size == 2:
        return (b | c | d) & LOW
    if size == 3:
        return ((a & b) | c | d) & LOW
    return (c | d) & LOW


@jit
def _from_top(lanes: Word) -> Word:
    """Return all bits from the highest lane of a mask on; everything of an empty one."""
    found = _ALL
    while lanes:
        found = _ALL << np.uint64(cttz(lanes))
        lanes &= lanes - _1
    return found


@jit
def play_inputs(
    T: Vector,
    F: Vector,
    V: Vector,
    rest: Word,
    code: Count,
    unseen: Word,
    turns: Count,
    safe: bool,
    J: Vector,
    n: Count,
) -> Count:
    """List the inputs of one play (code 0: a pass) but the hand itself; returns the end."""
    J[n] = OWN_LEFT + min(number_of(rest), 20)
    n += 1
    mode = 2
    if code:
        word = F[(code >> 16) & 0x3FF]
        category = word & 255
        top = (code >> 12) & 15
        J[n] = PLAYED + 16 * category + top
        n += 1
        runs = (word >> 16) & 255
        if runs:
            J[n] = LENGTH + 13 * (runs - 1) + min(word >> 24, 12)
            n += 1
        if category < 3:
            beaters = ctpop(_lanes(unseen, category + 1) & ~((_1 << np.uint64(4 * top + 4)) - _1))
            J[n] = BEATERS + 13 * category + min(beaters, 12)
            n += 1
        mode = 1 if safe else 0
    else:
        J[n] = PASSES + (0 if V[2] == (V[1] + 1) % 3 else 1)
        n += 1
    J[n] = TURNS + 14 * mode + min(turns, 13)
    n += 1
    one, two, three = _lanes(rest, 1), _lanes(rest, 2), _lanes(rest, 3)
    J[n] = TOPS + min(ctpop(one & _from_top(_lanes(unseen, 1))), 5)
    J[n + 1] = TOPS + 6 + min(ctpop(two & _from_top(_lanes(unseen, 2))), 3)
    J[n + 2] = TOPS + 10 + min(bombs_in(T, rest), 3)
    n += 3
    runs1, runs2, runs3 = one & _RUNS, two & _RUNS, three & _RUNS
    starts = runs1 & (runs1 >> _4) & (runs1 >> _8) & (runs1 >> _12) & (runs1 >> np.uint64(16))
    while starts:
        J[n] = WINDOWS + (cttz(starts) >> 2)
        n += 1
        starts &= starts - _1
    starts = runs2 & (runs2 >> _4) & (runs2 >> _8)
    while starts:
        J[n] = WINDOWS + 8 + (cttz(starts) >> 2)
        n += 1
        starts &= starts - _1
    starts = runs3 & (runs3 >> _4)
    while starts:
        J[n] = WINDOWS + 18 + (cttz(starts) >> 2)
        n += 1
        starts &= starts - _1
    return n


@jit
def _copy_row(N: Vector, at: Count, Y: Vector, to: Count) -> None:
    for j in range(WIDTH):
        Y[to + j] = N[at + j]


@jit
def add_row(N: Vector, at: Count, Y: Vector, to: Count) -> None:
    """Add a row of the first layer."""
    for j in range(WIDTH):
        Y[to + j] += N[at + j]


@jit
def _swap_row(N: Vector, at: Count, out: Count, Y: Vector, to: Count) -> None:
    for j in range(WIDTH):
        Y[to + j] += N[at + j] - N[out + j]


@jit
def _subtract_row(N: Vector, at: Count, Y: Vector, to: Count) -> None:
    for j in range(WIDTH):
        Y[to + j] -= N[at + j]


@jit
def upper_layers(N: Vector, no: Count, Y: Vector) -> tuple[float, float]:
    """Return logit of the chance to win and expected points, of the sums in ``Y[WIDTH..]``.

    ``Y[WIDTH..]`` is cut off below zero; ``Y[2 WIDTH..]`` receives the second layer.
    """
    deep = 2 * WIDTH
    at = no + ROWS2
    for j in range(NARROW):
        Y[deep + j] = N[at + WIDTH * NARROW + j]
    zero = np.float32(0.0)
    for i in range(0, WIDTH, 4):
        a = max(Y[WIDTH + i], zero)
        b = max(Y[WIDTH + i + 1], zero)
        c = max(Y[WIDTH + i + 2], zero)
        d = max(Y[WIDTH + i + 3], zero)
        Y[WIDTH + i], Y[WIDTH + i + 1], Y[WIDTH + i + 2], Y[WIDTH + i + 3] = a, b, c, d
        row = at + i * NARROW
        for j in range(NARROW):
            Y[deep + j] += (a * N[row + j] + b * N[row + NARROW + j]) + (
                c * N[row + 2 * NARROW + j] + d * N[row + 3 * NARROW + j]
            )
    at = no + ROWS3
    win, points = N[at + 2 * NARROW], N[at + 2 * NARROW + 1]
    for j in range(NARROW):
        h = max(Y[deep + j], zero)
        Y[deep + j] = h
        win += h * N[at + 2 * j]
        points += h * N[at + 2 * j + 1]
    return win, points


@jit
def _sum_hand(N: Vector, no: Count, hand: Word, rest: Word, Y: Vector) -> None:
    """Write to ``Y[WIDTH..]`` the shared sums with the own hand as it is after a play."""
    for j in range(WIDTH):
        Y[WIDTH + j] = Y[j]
    changed = hand ^ rest
    while changed:
        lane = cttz(changed) >> 2
        shift = np.uint64(4 * lane)
        before = np.int64((hand >> shift) & _15)
        after = np.int64((rest >> shift) & _15)
        at = no + (HAND + 4 * lane - 1) * WIDTH
        if after:
            _swap_row(N, at + after * WIDTH, at + before * WIDTH, Y, WIDTH)
        else:
            _subtract_row(N, at + before * WIDTH, Y, WIDTH)
        changed &= ~(_15 << shift)


@jit
def role_of(seat: Count, boss: Count) -> Count:
    """Return 0 for the landlord, 1 for the farmer after it, 2 for the farmer before it."""
    return (seat - boss + 3) % 3


@jit
def choose_net_at(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    F: Vector,
    N: Vector,
    no: Count,
    V: Vector,
    H: Vector,
    unseen: Word,
    limit: Count,
    weight: float,
    whole: bool,
    C: Vector,
    K: Vector,
    X: Vector,
    Y: Vector,
    J: Vector,
) -> Count:
    """Score every play of the seat to act and return the best one's place, -1 to pass; pointers.

    ``T, W, P, S, Q`` as the rule bot's kernel wants them; ``F`` from :func:`forms_of`; ``N`` the
    weights of three networks from place ``no``; ``V, H`` the state, ``unseen`` what the other
    hands hold together; ``weight`` how much expected points count beside the chance to win.
    ``C, K`` receive the plays, ``X`` their logits and, from ``POINTS`` on, expected points; a pass
    comes after the last play. ``V[5]`` receives the number of plays, ``V[6]`` whether the chosen
    play surely wins; unless ``whole`` the scores after the first sure win are left out.
    """
    seat, boss, code = V[1], V[0], V[3]
    hand = H[seat]
    leading = V[2] < 0 or code == 0
    V[6] = 0
    if leading:
        end = leads_at(T, W, hand, C, K, 0, ROOM)
    else:
        end = answers_at(T, W, hand, code, limit, C, K, 0, ROOM)
    end = min(end, _MOST)
    V[5] = end
    if end == 0:
        return -1
    held = number_of(hand)
    most = max(V[8 + (seat + 1) % 3], V[8 + (seat + 2) % 3]) if seat == boss else V[8 + boss]
    no += role_of(seat, boss) * SIZE
    bombs_out = np.int64(bombs_in(T, unseen))
    shared = state_inputs(F, V, H, unseen, bombs_out, J)
    _copy_row(N, no + FEATURES * WIDTH, Y, 0)
    for i in range(shared):
        add_row(N, no + J[i] * WIDTH, Y, 0)
    own = _emit(hand, HAND, J, shared)
    for i in range(shared, own):
        add_row(N, no + J[i] * WIDTH, Y, 0)
    best, chosen = -1.0e30, -1
    last_code, last_safe = np.int64(-1), False
    for i in range(end if leading else end + 1):
        rest, played, safe, turns = hand, np.int64(0), False, np.int64(0)
        if i < end:
            rest = hand - C[i]
            played = np.int64(K[i])
            number = number_of(C[i])
            sure = number == held
            if not sure:
                turns = turns_cached(P, S, Q, rest, True)
                if played != last_code:
                    last_code = played
                    last_safe = is_safe(
                        T, W, unseen, number, played, C, K, end, most, bombs_out, _NO_LIMIT
                    )
                safe = last_safe
                sure = (
                    safe
                    and turns <= 3
                    and runs_out(
                        T, W, P, S, Q, rest, turns, unseen, most, bombs_out, _NO_LIMIT, C, K, end
                    )
                )
            if sure:
                X[i] = WON + (1.0 if number == held else 0.0) + (1.0 if played >> 26 else 0.0)
                X[POINTS + i] = 0.25
                if X[i] > best:
                    best, chosen = X[i], i
                    V[6] = 1
                if not whole:
                    return chosen
                continue
        else:
            turns = turns_cached(P, S, Q, rest, True)
        _sum_hand(N, no, hand, rest, Y)
        last = play_inputs(T, F, V, rest, played, unseen, turns, safe, J, own)
        for k in range(own, last):
            add_row(N, no + J[k] * WIDTH, Y, WIDTH)
        win, points = upper_layers(N, no, Y)
        X[i] = np.float64(win)
        X[POINTS + i] = np.float64(points)
        score = X[i]
        if weight != 0.0:
            score = 1.0 / (1.0 + math.exp(-score)) + weight * X[POINTS + i]
        if score > best:
            best, chosen = score, i
    if chosen == end:
        return -1
    return chosen


@jit
def active_inputs(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    F: Vector,
    V: Vector,
    H: Vector,
    unseen: Word,
    cards: Word,
    code: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    J: Vector,
) -> Count:
    """List all inputs of one play (no cards and code 0: a pass); returns how many; pointers."""
    seat, boss = V[1], V[0]
    rest = H[seat] - cards
    most = max(V[8 + (seat + 1) % 3], V[8 + (seat + 2) % 3]) if seat == boss else V[8 + boss]
    bombs_out = np.int64(bombs_in(T, unseen))
    n = state_inputs(F, V, H, unseen, bombs_out, J)
    n = _emit(rest, HAND, J, n)
    safe = False
    if code:
        safe = is_safe(T, W, unseen, number_of(cards), code, C, K, pos, most, bombs_out, _NO_LIMIT)
    turns = np.int64(0)
    if rest:
        turns = turns_cached(P, S, Q, rest, True)
    return play_inputs(T, F, V, rest, code, unseen, turns, safe, J, n)


@jit
def begin_at(V: Vector, H: Vector, boss: Count) -> None:
    """Set a state to the landlord's first lead, hands, bottom and deck being in ``H``; pointers."""
    V[0], V[1], V[2], V[3], V[4] = boss, boss, -1, 0, 0
    for s in range(3):
        V[8 + s] = number_of(H[s])
        V[12 + s] = 0
        H[4 + s] = _0
        for k in range(6):
            V[16 + 6 * s + k] = 15


@jit
def act_at(F: Vector, V: Vector, H: Vector, cards: Word, code: Count) -> bool:
    """Make a play (code 0: a pass) for the seat to act; tell whether it is out; pointers."""
    seat = V[1]
    over = False
    if code:
        H[seat] -= cards
        H[4 + seat] += cards
        V[8 + seat] -= number_of(cards)
        V[12 + seat] += 1
        V[2], V[3] = seat, code
        if code >> 26:
            V[4] += 1
        over = V[8 + seat] == 0
    else:
        owner, boss = V[2], V[0]
        if (owner == boss) != (seat == boss):
            k = (F[(V[3] >> 16) & 0x3FF] >> 8) & 255
            if k < 6:
                at = 16 + 6 * seat + k
                V[at] = min(V[at], (V[3] >> 12) & 15)
    seat = (seat + 1) % 3
    V[1] = seat
    if V[2] == seat:
        V[2], V[3] = -1, 0
    return over


@jit
def unseen_at(V: Vector, H: Vector) -> Word:
    """Return the cards of the deck that the seat to act neither holds nor has seen played."""
    return H[9] - H[V[1]] - H[4] - H[5] - H[6]


@jit
def choose_net(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    F: Vector,
    N: Vector,
    V: Vector,
    H: Vector,
    unseen: Word,
    limit: Count,
    weight: float,
    C: Vector,
    K: Vector,
    X: Vector,
    Y: Vector,
    J: Vector,
) -> Count:
    """Call :func:`choose_net_at` with arrays, all plays scored."""
    return choose_net_at(
        pointer(T),
        pointer(W),
        pointer(P),
        pointer(S),
        pointer(Q),
        pointer(F),
        pointer(N),
        0,
        pointer(V),
        pointer(H),
        unseen,
        limit,
        weight,
        True,
        pointer(C),
        pointer(K),
        pointer(X),
        pointer(Y),
        pointer(J),
    )
