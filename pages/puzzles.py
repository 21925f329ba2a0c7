"""Endgame puzzles: a proven collection, solved on the board against a perfect defence."""

from __future__ import annotations

from pages._kit import puzzles_page, puzzles_state, shell

shell.page_guard()
shell.wait_for_kernels()
problem = puzzles_state.arrive()
house = shell.house("puzzles")
if problem is not None:
    shell.refuse(problem)
puzzles_page.board(house)
