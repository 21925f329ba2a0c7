"""Rules and variants: every game described from its data, compared, changed, counted."""

from __future__ import annotations

from pages._kit import rules_page, shell

shell.page_guard()
house = shell.house("rules")
rules_page.board(house)
