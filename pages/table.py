"""Table: a whole game against bots, guided where wanted, drawn or in plain words."""

from __future__ import annotations

from pages._kit import shell, table_mount, table_plain, table_state

shell.page_guard()
shell.wait_for_kernels()
problem = table_state.arrive()
house = shell.house("table")
if problem is not None:
    shell.refuse(problem)
if table_state.plain():
    table_plain.board(house)
else:
    table_mount.board(house)
