"""The chance to win of one hand: a dot with its interval on the axis from 0 to 100."""

from __future__ import annotations

from typing import Any

from ddz_core.estimate import Estimate
from ddz_core.plots.template import FONT, TOKENS, Figure, Theme, layout

HEIGHT = 118


def figure(
    win: Estimate, break_even: Estimate | None, *, axis: str, line: str, theme: Theme = "light"
) -> Figure:
    """Return the figure.

    Args:
        win: the chance to win as landlord.
        break_even: the chance at which the highest call is as good as a pass, or None.
        axis: words below the axis.
        line: words at the line of break-even.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    drawn = go.Figure(layout=layout(theme, height=HEIGHT))
    low, value, high = (100 * x for x in (win.low, win.value, win.high))
    drawn.add_scatter(
        x=[value],
        y=[0],
        mode="markers",
        marker={"size": 14, "color": c["accent"]},
        error_x={
            "type": "data",
            "array": [high - value],
            "arrayminus": [value - low],
            "thickness": 8,
            "width": 0,
            "color": c["accent"],
        },
        hovertemplate=f"{value:.1f} ({low:.1f}–{high:.1f})<extra></extra>",
        cliponaxis=False,
    )
    if break_even is not None:
        at = 100 * break_even.value
        drawn.add_shape(
            type="line",
            x0=at,
            x1=at,
            y0=-0.12,
            y1=0.95,
            line={"color": c["ink"], "width": 2, "dash": "4px,3px"},
        )
        drawn.add_annotation(
            x=at,
            y=0.95,
            text=line,
            showarrow=False,
            xanchor="right" if at >= value or at > 70 else "left",
            xshift=-6 if at >= value or at > 70 else 6,
            font={"size": 13, "color": c["ink"]},
        )
    drawn.update_xaxes(
        range=[-2, 102],
        tickvals=[0, 25, 50, 75, 100],
        title={"text": axis, "font": {"size": 12.5, "color": c["ink-2"]}, "standoff": 4},
        showgrid=False,
        zeroline=False,
    )
    drawn.update_yaxes(range=[-0.5, 1.2], visible=False)
    drawn.add_shape(
        type="line",
        x0=0,
        x1=100,
        y0=0,
        y1=0,
        line={"color": c["line-2"], "width": 1},
        layer="below",
    )
    drawn.update_layout(margin={"b": 44, "t": 4})
    return drawn


def running(win: Estimate, *, axis: str, theme: Theme = "light") -> dict[str, Any]:
    """Return the same as a Vega-Lite figure, which is redrawn in place while the sample grows."""
    c = TOKENS[theme]
    row = {"low": 100 * win.low, "value": 100 * win.value, "high": 100 * win.high}
    x = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [0, 100]},
        "axis": {
            "title": axis,
            "values": [0, 25, 50, 75, 100],
            "labelColor": c["ink-2"],
            "titleColor": c["ink-2"],
            "titleFontWeight": "normal",
            "labelFontSize": 12.5,
            "titleFontSize": 12.5,
            "domainColor": c["line-2"],
            "grid": False,
            "ticks": False,
        },
    }
    return {
        "data": {"values": [row]},
        "height": 44,
        "background": "transparent",
        "config": {"font": FONT, "view": {"stroke": None}},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 8, "color": c["accent"], "opacity": 0.35},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 150, "color": c["accent"]},
                "encoding": {"x": x},
            },
        ],
    }
