"""Bot ladder: every pair of bots on the same deals, and a match to be played here."""

from __future__ import annotations

from pages._kit import ladder_page, shell

shell.page_guard()
shell.wait_for_kernels()
house = shell.house("ladder")
ladder_page.board(house)
