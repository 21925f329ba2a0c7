"""Solver: any endgame with open hands, solved, walked through and played out."""

from __future__ import annotations

from pages._kit import shell, solver_page, solver_state

shell.page_guard()
shell.wait_for_kernels()
problem = solver_state.arrive()
house = shell.house("solver")
if problem is not None:
    shell.refuse(problem)
solver_page.board(house)
