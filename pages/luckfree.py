"""Luck-free puzzles: hidden hands shift, so that a right line always wins and a wrong one never."""

from __future__ import annotations

from pages._kit import luckfree_page, luckfree_state, shell

shell.page_guard()
shell.wait_for_kernels()
problem = luckfree_state.arrive()
house = shell.house("luckfree")
if problem is not None:
    shell.refuse(problem)
luckfree_page.board(house)
