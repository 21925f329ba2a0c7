"""Combinations of cards: what they are, what beats what, what can be played, and why not.

Layer 1. Everything is read from the rows of the ruleset through the compiled kernels
(:mod:`ddz_core.kernels`), which are loaded with the first question.
"""

from __future__ import annotations

from ddz_core.patterns.combination import Combination, Move
from ddz_core.patterns.explanation import Explanation, explain
from ddz_core.patterns.reading import (
    answer_reading,
    beats,
    can_beat,
    count_moves,
    find_reading,
    move_of,
    moves,
    outranks,
    readings,
    unnamed,
)
from ddz_core.patterns.reasons import Reason
from ddz_core.patterns.wilds import with_wild

__all__ = [
    "Combination",
    "Explanation",
    "Move",
    "Reason",
    "answer_reading",
    "beats",
    "can_beat",
    "count_moves",
    "explain",
    "find_reading",
    "move_of",
    "moves",
    "outranks",
    "readings",
    "unnamed",
    "with_wild",
]
