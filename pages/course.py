"""Course: short lessons with tasks that are marked at once, from the first card to tactics."""

from __future__ import annotations

from pages._kit import course_page, lesson_state, shell

shell.page_guard()
shell.wait_for_kernels()
problem = lesson_state.arrive()
house = shell.house("course")
if problem is not None:
    shell.refuse(problem)
course_page.board(house)
