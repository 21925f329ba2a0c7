"""The text of the table's module and style sheet, read once, for every wrapper that mounts them."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent

SCRIPT = (_HERE / "table.js").read_text(encoding="utf-8")
"""The ES module: ``mount(root, data, send)`` and a default export for Streamlit components."""

STYLE = (_HERE / "table.css").read_text(encoding="utf-8")
"""The style sheet, with the tokens of both themes."""
