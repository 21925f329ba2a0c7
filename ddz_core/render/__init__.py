"""Drawing: the card table for the browser and the static card renderer."""

from __future__ import annotations

from ddz_core.render.contract import (
    Action,
    BrowserMessageError,
    Restore,
    TableData,
    parse_action,
    parse_restore,
)

__all__ = [
    "Action",
    "BrowserMessageError",
    "Restore",
    "TableData",
    "parse_action",
    "parse_restore",
]
