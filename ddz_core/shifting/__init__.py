"""Puzzles without luck: hidden hands stay consistent with what was seen, and shift against errors.

Layer 4. In a :class:`Scene` the learner knows his own hand, what the others hold together and how
many cards each has. A line is right if it wins however those cards are spread, and wrong if some
spread beats it; both are proven by a search over all spreads at once.
"""

from __future__ import annotations

from ddz_core.shifting.proof import NotProven, Prover, State
from ddz_core.shifting.puzzle import (
    Puzzle,
    Refusal,
    check,
    puzzle_of,
    puzzles,
    read_puzzles,
    write_puzzles,
)
from ddz_core.shifting.scene import Layout, Scene, layouts_of, scene, scene_of
from ddz_core.shifting.trial import Trial, begin

__all__ = [
    "Layout",
    "NotProven",
    "Prover",
    "Puzzle",
    "Refusal",
    "Scene",
    "State",
    "Trial",
    "begin",
    "check",
    "layouts_of",
    "puzzle_of",
    "puzzles",
    "read_puzzles",
    "scene",
    "scene_of",
    "write_puzzles",
]
