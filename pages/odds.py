"""Odds and card reading: who holds what by counting, with behaviour, spreads, practice."""

from __future__ import annotations

from pages._kit import explorer_rules, inputs, odds_page, odds_state, session, shell

shell.page_guard()
inputs.arrive(session.CARDS)
problems = [odds_state.arrive(), explorer_rules.arrive()]
house = shell.house("odds")
for problem in problems:
    if problem is not None:
        shell.refuse(problem)
odds_page.board(house)
