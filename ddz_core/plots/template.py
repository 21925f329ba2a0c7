"""What all figures share: the tokens of the look as a Plotly layout, light and dark."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

Theme: TypeAlias = Literal["light", "dark"]
Figure: TypeAlias = Any
"""A ``plotly.graph_objects.Figure``; plotly is loaded with the first one."""

TOKENS: dict[str, dict[str, str]] = {
    "light": {
        "surface": "#FFFDF8",
        "bg": "#FAF7F0",
        "sunk": "#F1ECE1",
        "line": "#DED6C6",
        "line-2": "#857D6D",
        "ink": "#1C282D",
        "ink-2": "#48565B",
        "accent": "#7A2E5D",
        "tint": "#F4E6EF",
        "good": "#0072B2",
        "bad": "#C47600",
    },
    "dark": {
        "surface": "#1B2427",
        "bg": "#12191B",
        "sunk": "#0D1315",
        "line": "#313D40",
        "line-2": "#71807C",
        "ink": "#ECE7DB",
        "ink-2": "#BCC1BB",
        "accent": "#D9A4C5",
        "tint": "#3A2234",
        "good": "#4DA3E0",
        "bad": "#E69F00",
    },
}
"""Colours by theme and token."""

FONT = (
    "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'PingFang SC', 'PingFang TC', "
    "'Microsoft YaHei', 'Noto Sans CJK SC', system-ui, sans-serif"
)
ROW, AROUND = 34, 56
"""Height of a row of a comparison, and of what stands above and below the rows, in pixels."""


def layout(theme: Theme, *, height: int) -> dict[str, Any]:
    """Return the layout that every figure begins with.

    Args:
        theme: ``light`` or ``dark``.
        height: of the figure in pixels.
    """
    c = TOKENS[theme]
    axis = {
        "zerolinecolor": c["line-2"],
        "zerolinewidth": 1,
        "gridcolor": c["line"],
        "gridwidth": 1,
        "ticks": "",
        "tickfont": {"size": 12.5, "color": c["ink-2"]},
        "title": None,
        "automargin": True,
        "fixedrange": True,
    }
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 13, "color": c["ink"]},
        "margin": {"l": 8, "r": 8, "t": 8, "b": 32},
        "showlegend": False,
        "height": height,
        "hoverlabel": {
            "bgcolor": c["surface"],
            "bordercolor": c["line-2"],
            "font": {"color": c["ink"]},
        },
        "colorway": [c["accent"], c["good"], c["bad"], c["ink-2"]],
        "xaxis": dict(axis),
        "yaxis": {**axis, "showgrid": False},
    }
