"""Review: a finished game judged decision by decision, and what many games have in common."""

from __future__ import annotations

from pages._kit import review_page, review_state, shell

shell.page_guard()
shell.wait_for_kernels()
problem = review_state.arrive()
house = shell.house("review")
if problem is not None:
    shell.refuse(problem)
review_page.board(house)
