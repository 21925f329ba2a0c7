"""The words of the table: every key that ``table.js`` looks up, with its English text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, str]] = {
    "table": "Card table",
    "summary": "The table in words",
    "log": "What happened",
    "hand": "Your hand",
    "pass": "Pass",
    "hint": "Hint",
    "play": "Play",
    "not_yet": "Not yet",
    "select_cards": "Select cards",
    "selected_n": "{n} selected",
    "selected_n_one": "{n} selected",
    "clear": "Clear",
    "sort_rank": "by rank",
    "sort_groups": "by groups",
    "play_lead": "{name} {cards}",
    "play_beats": "{name} {cards} · beats it",
    "play_beats_short": "{cards} · beats it",
    "play_unknown": "{n} cards, not checked yet",
    "play_nearest": "{why} Nearest: {cards}",
    "waiting": "Not your turn",
    "cards_left": "cards",
    "cards_left_one": "card",
    "column_name": "{name}, {n} cards, {k} selected",
    "column_name_one": "{name}, {n} card, {k} selected",
    "group_title": "All plays with {name}",
    "group_none": "No play with {name}",
    "close": "Close",
    "reading": "Read as",
    "joker_big": "BIG",
    "joker_small": "small",
    "joker_big_short": "BIG",
    "joker_small_short": "sml",
    "counter": "Card counter",
    "counter_self": "Tap or type what is still out",
    "counter_cell": "{name}, {n} unseen",
    "counter_cell_empty": "{name}, not filled in",
    "history": "History",
    "settings": "Settings",
    "ladder": "Hint ladder",
    "first": "First",
    "previous": "Previous",
    "next": "Next",
    "last": "Last",
    "replay": "Replay",
    "position": "Move {n} of {last}",
    "face_down": "face-down card",
    "open_hand": "Hand of {name}",
    "hand_help": "Arrows move, space selects, Enter plays, P passes, H hints, Escape clears.",
}
"""Every word key of ``table.js`` with its English text.

A key with ``_one`` at its end is used where ``n`` is 1. ``{…}`` are places filled in the browser.
"""
