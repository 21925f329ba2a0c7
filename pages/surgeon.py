"""Hand surgeon: fewest turns exactly, two splits side by side, cards dragged, splits raced."""

from __future__ import annotations

from pages._kit import explorer_rules, inputs, session, shell, surgeon_board, surgeon_page

shell.page_guard()
inputs.arrive(session.CARDS)
surgeon_board.arrive()
problem = explorer_rules.arrive()
house = shell.house("surgeon")
if problem is not None:
    shell.refuse(problem)
surgeon_page.board(house)
