"""Drawing: the card table for the browser and the static card renderer."""

from __future__ import annotations

from pathlib import Path

from ddz_core.render.contract import WORDS, Action, Restore, TableData
from ddz_core.render.incoming import BrowserMessageError, parse_action, parse_restore

__all__ = [
    "WORDS",
    "Action",
    "BrowserMessageError",
    "Restore",
    "TableData",
    "parse_action",
    "parse_restore",
    "table_css",
    "table_js",
]

_HERE = Path(__file__).parent


def table_js() -> str:
    """Return the text of the table's ES module (``table.js``) for a components-v2 wrapper."""
    return (_HERE / "table.js").read_text(encoding="utf-8")


def table_css() -> str:
    """Return the text of the table's style sheet (``table.css``)."""
    return (_HERE / "table.css").read_text(encoding="utf-8")
