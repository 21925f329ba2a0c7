"""One question asked of many hands in one call, without the interpreter in between.

Layer 0. Each kernel writes one number a hand and returns their sum; ``C`` and ``K`` are room for
one list. Arrays throughout, held by the Python caller.
"""

# ruff: noqa: N803

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import Count, Vector, jit, pointer
from ddz_core.kernels.plain import NO_LIMIT, answers_at, can_beat_at, leads_at
from ddz_core.kernels.readings import readings_at


@jit
def count_leads(
    T: Vector, W: Vector, hands: Vector, C: Vector, K: Vector, results: Vector
) -> Count:
    """Write how many leads each hand has, every list being made in full."""
    rows, work, out, codes = pointer(T), pointer(W), pointer(C), pointer(K)
    total = 0
    for i in range(len(hands)):
        number = leads_at(rows, work, hands[i], out, codes, 0, len(C))
        results[i] = number
        total += number
    return total


@jit
def count_answers(
    T: Vector, W: Vector, hands: Vector, tables: Vector, C: Vector, K: Vector, results: Vector
) -> Count:
    """Write how many answers each hand has to the code beside it, every list made in full."""
    rows, work, out, codes = pointer(T), pointer(W), pointer(C), pointer(K)
    total = 0
    for i in range(len(hands)):
        code = np.int64(tables[i])
        number = answers_at(rows, work, hands[i], code, NO_LIMIT, out, codes, 0, len(C))
        results[i] = number
        total += number
    return total


@jit
def count_beatable(
    T: Vector, W: Vector, hands: Vector, tables: Vector, C: Vector, K: Vector, results: Vector
) -> Count:
    """Write 1 for each hand that can beat the code beside it, else 0."""
    rows, work, out, codes = pointer(T), pointer(W), pointer(C), pointer(K)
    total = 0
    for i in range(len(hands)):
        code = np.int64(tables[i])
        able = can_beat_at(rows, work, hands[i], code, NO_LIMIT, out, codes, 0, len(C))
        results[i] = 1 if able else 0
        total += results[i]
    return total


@jit
def count_readings(T: Vector, W: Vector, sets: Vector, K: Vector, results: Vector) -> Count:
    """Write how many readings each set of cards has."""
    rows, work, codes = pointer(T), pointer(W), pointer(K)
    total = 0
    for i in range(len(sets)):
        number = readings_at(rows, work, sets[i], codes, 0)
        results[i] = number
        total += number
    return total
