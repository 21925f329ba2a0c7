"""The exact solver of open hands: value, every play that keeps it, and a line to the end.

Layer 3. :func:`solve` answers one question, a :class:`Solver` keeps what it found between them.
"""

from __future__ import annotations

from ddz_core.positions import Ended
from ddz_core.solver.answers import NODES, Solver, solve, solver_of
from ddz_core.solver.solution import Objective, Solution, Verdict

__all__ = [
    "NODES",
    "Ended",
    "Objective",
    "Solution",
    "Solver",
    "Verdict",
    "solve",
    "solver_of",
]
