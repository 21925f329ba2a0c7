"""Memory drill: a finished game replayed move by move, stopped, and asked for rank by rank."""

from __future__ import annotations

from pages._kit import memory_page, memory_state, shell

shell.page_guard()
shell.wait_for_kernels()
problem = memory_state.arrive()
house = shell.house("memory")
if problem is not None:
    shell.refuse(problem)
memory_page.board(house)
