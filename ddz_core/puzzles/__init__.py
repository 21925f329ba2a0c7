"""Endgame puzzles: studied, named, made, kept, played out against a perfect defence.

Layer 4. :func:`study` says how hard a won position is and :func:`themes` what it is about;
:func:`puzzles` are those that ship; :mod:`.trial` plays one out; :mod:`.own_games` finds puzzles in
a finished game; :mod:`.progress` keeps what a learner has solved.
"""

from __future__ import annotations

from ddz_core.puzzles.collection import GRADES, Puzzle, grade_of, problems, puzzle, puzzles
from ddz_core.puzzles.judge import Answer, Judge, NotProven
from ddz_core.puzzles.lines import Line, Step, line_of
from ddz_core.puzzles.study import Decision, Study, study
from ddz_core.puzzles.themes import NAMES, themes

__all__ = [
    "GRADES",
    "NAMES",
    "Answer",
    "Decision",
    "Judge",
    "Line",
    "NotProven",
    "Puzzle",
    "Step",
    "Study",
    "grade_of",
    "line_of",
    "problems",
    "puzzle",
    "puzzles",
    "study",
    "themes",
]
