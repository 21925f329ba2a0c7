"""Glossary: the words of the game in every script, with their sound and an example."""

from __future__ import annotations

from pages._kit import glossary_page, shell

shell.page_guard()
house = shell.house("glossary")
glossary_page.board(house)
