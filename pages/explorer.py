"""Pattern explorer: what cards are, what beats them, all plays, how often, hub ranks, a quiz."""

from __future__ import annotations

from pages._kit import explorer_page, explorer_rules, inputs, session, shell

shell.page_guard()
inputs.arrive(session.CARDS)
problem = explorer_rules.arrive()
house = shell.house("explorer")
if problem is not None:
    shell.refuse(problem)
explorer_page.board(house)
