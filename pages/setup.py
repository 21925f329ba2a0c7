"""Position set-up: type or tap what is known, deal the rest, share it as link, picture or sheet."""

from __future__ import annotations

from pages._kit import setup_page, setup_state, shell

shell.page_guard()
shell.wait_for_kernels()
problem = setup_state.arrive()
house = shell.house("setup")
if problem is not None:
    shell.refuse(problem)
setup_page.board(house)
