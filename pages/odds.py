"""Odds and card reading: who holds what by counting, with behaviour, spreads, practice."""

from __future__ import annotations

from pages._kit import inputs, odds_page, odds_state, session, shell

shell.page_guard()
inputs.arrive(session.CARDS)
problem = odds_state.arrive()
house = shell.house("odds")
if problem is not None:
    shell.refuse(problem)
odds_page.board(house)
