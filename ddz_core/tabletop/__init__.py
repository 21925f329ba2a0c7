"""A game at a table: one person, bots on the other seats, help, taking back and looking back.

Layer 4, without any drawing: the value and its actions in :mod:`.table`, its text in
:mod:`.keeping`, who may sit on the other seats in :mod:`.opponents`.
"""

from __future__ import annotations

from ddz_core.tabletop.keeping import Title, restore, save, title
from ddz_core.tabletop.opponents import OPPONENTS, opponent, opponents, warm, weights
from ddz_core.tabletop.table import (
    COUNTER_LEVELS,
    DEFAULT_BOT,
    MOST_LINES,
    RUNGS,
    SPEEDS,
    CounterLevel,
    Tabletop,
    act,
    advanced,
    bot_step,
    card_id,
    noticed,
    position_number,
    seated,
    start,
    told,
)

__all__ = [
    "COUNTER_LEVELS",
    "DEFAULT_BOT",
    "MOST_LINES",
    "OPPONENTS",
    "RUNGS",
    "SPEEDS",
    "CounterLevel",
    "Tabletop",
    "Title",
    "act",
    "advanced",
    "bot_step",
    "card_id",
    "noticed",
    "opponent",
    "opponents",
    "position_number",
    "restore",
    "save",
    "seated",
    "start",
    "title",
    "told",
    "warm",
    "weights",
]
