"""Bidding: what a hand is worth before anybody is landlord, by the book and by playing it out."""

from __future__ import annotations

from pages._kit import bidding_page, inputs, session, shell

shell.page_guard()
inputs.arrive(session.CARDS)
house = shell.house("bidding")
bidding_page.board(house)
