"""Claims laboratory: every piece of advice an experiment, with a verdict that follows by rule."""

from __future__ import annotations

from pages._kit import claims_page, shell

shell.page_guard()
shell.wait_for_kernels()
house = shell.house("claims")
claims_page.board(house)
