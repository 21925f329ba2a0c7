"""Hands as small paper cards in one line of text, for lists of layouts.

Layer 4, static HTML without script. Equal ranks share one card, as they stand together in a hand.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from ddz_core.render.cards import PALETTE, Theme
from ddz_core.render.wording import DISPLAY

_THIN = "\u2009"


def strip_html(
    cards: str,
    *,
    label: Callable[[str], str] = str,
    marked: str = "",
    theme: Theme = "light",
) -> str:
    """Draw a hand as a line of small cards, high to low.

    Args:
        cards: ranks as text, in any order.
        label: words for a rank.
        marked: ranks drawn on a plum ground.
        theme: ``light`` or ``dark``.
    """
    c = PALETTE[theme]
    tint, ink = ("#F4E6EF", "#7A2E5D") if theme == "light" else ("#3A2234", "#D9A4C5")
    groups = [(rank, cards.count(rank)) for rank in DISPLAY if rank in cards]
    drawn = []
    for rank, count in groups:
        paper, text, line = (
            (tint, ink, ink) if rank in marked else (c["card"], c["card-ink"], c["card-line"])
        )
        drawn.append(
            f'<span style="display:inline-block;background:{paper};color:{text};'
            f"border:1px solid {line};border-radius:3px;padding:0 2px;margin:0 1px 2px 0;"
            f"font:700 12.5px/1.35 'Avenir Next','Helvetica Neue','Segoe UI',Arial,sans-serif;"
            f'letter-spacing:.02em">{_THIN.join([escape(label(rank))] * count)}</span>'
        )
    return "".join(drawn)
