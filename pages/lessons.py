"""Lesson writer and presenter: lessons out of games, checked by machine, shown on the wall."""

from __future__ import annotations

from pages._kit import shell, writer_page, writer_present, writer_state

shell.page_guard()
shell.wait_for_kernels()
problem = writer_state.arrive()
house = shell.house("lessons")
if problem is not None:
    shell.refuse(problem)
if not writer_present.draw(house):
    writer_page.board(house)
