"""The badge of a seat: a hat on the seat's colour, as a picture for pages, plots and lists.

Layer 4. A colour alone never says who somebody is: the landlord wears a cap, farmers a straw hat,
and the two farmers beside a landlord carry an arrow to or from it.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

_INK: Final = "#14191B"
FILLS: Final = {
    "landlord": "#D55E00",
    "after": "#56B4E9",
    "before": "#009E73",
    "farmer": "#8C9599",
    "unknown": "#8C9599",
}
"""The colour of each role, the same in both themes."""

_CAP: Final = (
    "<path d='M12 4.3c-4.1 0-6.7 3.4-7.2 8.7h14.4c-.5-5.3-3.1-8.7-7.2-8.7z' fill='{ink}'/>"
    "<circle cx='12' cy='3.6' r='1.7' fill='{ink}'/>"
    "<path d='M3.9 14.6c5.4-1 10.8-1 16.2 0v4.6c-5.4 1-10.8 1-16.2 0z' fill='{ink}'/>"
)
_STRAW: Final = (
    "<path d='M12 3.6 21.6 15.4c.7 1-.1 1.9-1.2 1.7-5.6-1-11.2-1-16.8 0-1.1.2-1.9-.7-1.2-1.7z' "
    "fill='{ink}'/><path d='M6 19.8c4-.9 8-.9 12 0' fill='none' stroke='{ink}' "
    "stroke-width='1.8' stroke-linecap='round'/>"
)
_ARROWS: Final = {
    "after": "<path d='M18.2 1.2 23 4.4 18.2 7.6z' fill='{ink}'/>",
    "before": "<path d='M5.8 1.2 1 4.4 5.8 7.6z' fill='{ink}'/>",
}


def badge_svg(role: str) -> str:
    """Return the badge of a role as an SVG picture, 28 units wide and high."""
    shape = _CAP if role == "landlord" else _STRAW
    inner = (shape + _ARROWS.get(role, "")).format(ink=_INK)
    return (
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 28 28' width='28' height='28'>"
        f"<rect width='28' height='28' rx='6.5' fill='{FILLS.get(role, FILLS['unknown'])}'/>"
        f"<g transform='translate(2 2.4)'>{inner}</g></svg>"
    )


def badge_uri(role: str) -> str:
    """Return the badge as the address of a picture, for plots, markup and labels."""
    return "data:image/svg+xml," + quote(badge_svg(role))


def badge_html(role: str, size: int = 28) -> str:
    """Return the badge as markup; the role's word must stand beside it."""
    return (
        f'<img alt="" src="{badge_uri(role)}" width="{size}" height="{size}" '
        f'style="flex:none;vertical-align:middle"/>'
    )
