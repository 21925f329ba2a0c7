"""How the net learns: gradients of recorded decisions, and Adam on the rows that they touch.

Layer 0. The loss of a decision is the cross entropy of its chance to win, plus ``POINT_SHARE`` of
half the squared error of its points. Rows of the first layer that no decision of a batch touches
stay as they are, and their moments too.
"""

# kernels read like the formulas of the layout
# ruff: noqa: N803

from __future__ import annotations

import math

import numpy as np

from ddz_core.kernels.bits import Count, Vector, Word, jit, pointer
from ddz_core.kernels.net import (
    FEATURES,
    NARROW,
    ROWS2,
    ROWS3,
    SIZE,
    WIDTH,
    add_row,
    upper_layers,
)
from ddz_core.kernels.net_play import ROW
from ddz_core.kernels.playout import STATE, below_at

POINT_SHARE = 0.1
"""How much the error of the points counts."""
SPACE_B = 3 * WIDTH + NARROW + WIDTH * NARROW
"""Words of work space."""
_DECAY1, _DECAY2, _SMALL = 0.9, 0.999, 1e-7


@jit
def _turned(N: Vector, no: Count, B: Vector) -> None:
    """Write the second layer by output to ``B[3 WIDTH + NARROW..]``."""
    for i in range(WIDTH):
        for j in range(NARROW):
            B[3 * WIDTH + NARROW + j * WIDTH + i] = N[no + ROWS2 + i * NARROW + j]


@jit
def gradient_at(
    N: Vector,
    no: Count,
    D: Vector,
    targets: Vector,
    order: Vector,
    begin: Count,
    end: Count,
    Y: Vector,
    B: Vector,
    A: Vector,
    touched: Vector,
) -> float:
    """Add the mean gradient of decisions ``order[begin:end]`` to ``A``; return the mean loss.

    Pointers. ``N`` weights from place ``no``; ``Y, B`` room; ``touched`` gets 1 for every row of
    the first layer that has a gradient.
    """
    _turned(N, no, B)
    scale = np.float32(1.0 / (end - begin))
    zero = np.float32(0.0)
    loss = 0.0
    deep, back = 2 * WIDTH, 2 * WIDTH
    for at in range(begin, end):
        row = np.int64(order[at]) * ROW
        n = np.int64(D[row])
        for j in range(WIDTH):
            Y[WIDTH + j] = N[no + FEATURES * WIDTH + j]
        for i in range(n):
            add_row(N, no + np.int64(D[row + 1 + i]) * WIDTH, Y, WIDTH)
        win, points = upper_layers(N, no, Y)
        logit = np.float64(win)
        target = np.float64(targets[2 * np.int64(order[at])])
        error = np.float64(points) - np.float64(targets[2 * np.int64(order[at]) + 1])
        chance = 1.0 / (1.0 + math.exp(-logit))
        loss += max(logit, 0.0) - logit * target + math.log1p(math.exp(-abs(logit)))
        loss += POINT_SHARE * 0.5 * error * error
        up = np.float32(chance - target) * scale
        side = np.float32(POINT_SHARE * error) * scale
        for i in range(WIDTH):
            B[back + i] = zero
        third = ROWS3
        for j in range(NARROW):
            h = Y[deep + j]
            A[third + 2 * j] += h * up
            A[third + 2 * j + 1] += h * side
            down = zero
            if h > zero:
                down = up * N[no + third + 2 * j] + side * N[no + third + 2 * j + 1]
                base = 3 * WIDTH + NARROW + j * WIDTH
                for i in range(WIDTH):
                    B[back + i] += down * B[base + i]
            B[3 * WIDTH + j] = down
            A[ROWS2 + WIDTH * NARROW + j] += down
        A[third + 2 * NARROW] += up
        A[third + 2 * NARROW + 1] += side
        for i in range(WIDTH):
            a = Y[WIDTH + i]
            if a > zero:
                base = ROWS2 + i * NARROW
                for j in range(NARROW):
                    A[base + j] += a * B[3 * WIDTH + j]
            else:
                B[back + i] = zero
        for i in range(WIDTH):
            A[FEATURES * WIDTH + i] += B[back + i]
        for k in range(n):
            feature = np.int64(D[row + 1 + k])
            touched[feature] = 1
            first = feature * WIDTH
            for i in range(WIDTH):
                A[first + i] += B[back + i]
    return loss / (end - begin)


@jit
def _adam(
    N: Vector, no: Count, M: Vector, U: Vector, A: Vector, begin: Count, end: Count, rate: float
) -> None:
    """Move weights against their gradient and clear it."""
    keep1, new1 = np.float32(_DECAY1), np.float32(1.0 - _DECAY1)
    keep2, new2 = np.float32(_DECAY2), np.float32(1.0 - _DECAY2)
    step, small = np.float32(rate), np.float32(_SMALL)
    zero = np.float32(0.0)
    for i in range(begin, end):
        a = A[i]
        m = keep1 * M[no + i] + new1 * a
        u = keep2 * U[no + i] + new2 * a * a
        M[no + i] = m
        U[no + i] = u
        N[no + i] -= step * m / (np.float32(math.sqrt(u)) + small)
        A[i] = zero


@jit
def learn(
    N: Vector,
    M: Vector,
    U: Vector,
    role: Count,
    D: Vector,
    targets: Vector,
    order: Vector,
    number: Count,
    batch: Count,
    steps: Vector,
    rate: float,
    seed: Word,
    W: Vector,
    Y: Vector,
    B: Vector,
    A: Vector,
    touched: Vector,
) -> float:
    """Learn from the recorded decisions of one role, shuffled, in batches; arrays.

    Args:
        N, M, U: weights and the two moments of Adam of three networks.
        role: which of them.
        D, targets: what was recorded of this role; ``number`` decisions.
        order: room for the order.
        batch: decisions of a batch, about.
        steps: by role, the steps made so far; counted on.
        rate: step size.
        seed: of the order.
        W, Y, B, A, touched: room; ``A`` (``SIZE``) and ``touched`` (``FEATURES``) are zeros
            before and after.

    Returns:
        The mean loss.
    """
    w, y, b, a = pointer(W), pointer(Y), pointer(B), pointer(A)
    net, m, u, d, t = pointer(N), pointer(M), pointer(U), pointer(D), pointer(targets)
    o, marks = pointer(order), pointer(touched)
    w[STATE] = seed
    no = role * SIZE
    for i in range(number):
        o[i] = i
    for i in range(number - 1, 0, -1):
        j = below_at(w, i + 1)
        o[i], o[j] = o[j], o[i]
    batches = max(1, number // batch)
    loss = 0.0
    for k in range(batches):
        begin, end = number * k // batches, number * (k + 1) // batches
        if begin == end:
            continue
        loss += gradient_at(net, no, d, t, o, begin, end, y, b, a, marks)
        steps[role] += 1
        n = steps[role]
        # the usual correction of both moments for their start at zero
        size = rate * math.sqrt(1.0 - _DECAY2**n) / (1.0 - _DECAY1**n)
        for feature in range(FEATURES):
            if marks[feature]:
                marks[feature] = 0
                _adam(net, no, m, u, a, feature * WIDTH, (feature + 1) * WIDTH, size)
        _adam(net, no, m, u, a, FEATURES * WIDTH, SIZE, size)
    return loss / batches


@jit
def gradient(
    N: Vector,
    role: Count,
    D: Vector,
    targets: Vector,
    order: Vector,
    number: Count,
    Y: Vector,
    B: Vector,
    A: Vector,
    touched: Vector,
) -> float:
    """Call :func:`gradient_at` with arrays."""
    return gradient_at(
        pointer(N),
        role * SIZE,
        pointer(D),
        pointer(targets),
        pointer(order),
        0,
        number,
        pointer(Y),
        pointer(B),
        pointer(A),
        pointer(touched),
    )
