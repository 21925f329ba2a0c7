"""How a number is spread: plain columns, one value marked; and the same while a sample grows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ddz_core.plots.heat import number
from ddz_core.plots.template import TOKENS, Figure, Theme, layout

HEIGHT = 236


def figure(
    chances: Mapping[int, float],
    *,
    own: int | None = None,
    own_label: str = "",
    intervals: Mapping[int, tuple[float, float]] | None = None,
    name: Callable[[int], str] = str,
    theme: Theme = "light",
) -> Figure:
    """Return columns of chances in 100.

    Args:
        chances: by value.
        own: the value of the reader's own hand, marked; None for none.
        own_label: words of that mark.
        intervals: ends of the 95 % intervals by value, where the chances are sampled.
        name: words for a value.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    values = spanned(chances, own)
    heights = [100 * chances.get(value, 0.0) for value in values]
    labels = [name(value) for value in values]
    ends = [
        (intervals or {}).get(value, (h / 100, h / 100))
        for value, h in zip(values, heights, strict=True)
    ]
    drawn = go.Figure(layout=layout(theme, height=HEIGHT))
    drawn.add_bar(
        x=labels,
        y=heights,
        marker={
            "color": [c["accent"] if v == own or own is None else c["ink-2"] for v in values],
            "opacity": [1.0 if v == own or own is None else 0.55 for v in values],
            "line": {"width": 0},
        },
        text=[number(h / 100) if h else "" for h in heights],
        textposition="outside",
        textfont={"size": 12.5, "color": c["ink"]},
        error_y={
            "type": "data",
            "array": [100 * high - h for (_, high), h in zip(ends, heights, strict=True)],
            "arrayminus": [h - 100 * low for (low, _), h in zip(ends, heights, strict=True)],
            "color": c["ink"],
            "thickness": 1.5,
            "width": 0,
            "visible": bool(intervals),
        },
        hovertemplate="%{x}: %{y:.3g}<extra></extra>",
        cliponaxis=False,
    )
    top = max(heights, default=1.0)
    if own is not None:
        drawn.add_annotation(
            x=values.index(own),
            y=100 * chances.get(own, 0.0) + top * (0.2 if chances.get(own) else 0.1),
            text=f"<b>{own_label}</b> ▾",
            showarrow=False,
            font={"size": 13, "color": c["accent"]},
        )
    drawn.update_xaxes(
        type="category", categoryorder="array", categoryarray=labels, showgrid=False, tickangle=0
    )
    drawn.update_yaxes(
        range=[0, top * 1.34], showgrid=True, rangemode="tozero", nticks=4, zeroline=True
    )
    drawn.update_layout(bargap=0.28, margin={"t": 8, "b": 28})
    return drawn


def spanned(chances: Mapping[int, float], own: int | None = None) -> list[int]:
    """Return the values to draw: a run without gaps, rare ends left off, the own one kept."""
    likely = [value for value, chance in chances.items() if chance >= 5e-5] or [0]
    ends = likely if own is None else [*likely, own]
    return list(range(min(ends), max(ends) + 1))


def running(
    rows: Sequence[Mapping[str, object]], *, own: int | None = None, theme: Theme = "light"
) -> dict[str, Any]:
    """Return a Vega-Lite specification of the same columns, which updates in place.

    Args:
        rows: ``value``, ``chance``, ``low`` and ``high``.
        own: the value to mark.
        theme: ``light`` or ``dark``.
    """
    c = TOKENS[theme]
    axis = {"labelColor": c["ink-2"], "labelFontSize": 12.5, "title": None, "ticks": False}
    shown = [
        {
            "value": str(row["value"]),
            "chance": 100 * float(str(row["chance"])),
            "low": 100 * float(str(row["low"])),
            "high": 100 * float(str(row["high"])),
        }
        for row in rows
    ]
    x = {
        "field": "value",
        "type": "ordinal",
        "sort": None,
        "axis": {**axis, "domainColor": c["line-2"], "labelAngle": 0},
    }
    y = {
        "field": "chance",
        "type": "quantitative",
        "axis": {**axis, "gridColor": c["line"], "domain": False, "tickCount": 4},
    }
    colour = {
        "condition": {"test": f"datum.value == '{own}'", "value": c["accent"]},
        "value": c["accent"] if own is None else c["ink-2"],
    }
    return {
        "data": {"values": shown},
        "height": HEIGHT - 40,
        "background": "transparent",
        "config": {"view": {"stroke": None}},
        "layer": [
            {
                "mark": {"type": "bar", "opacity": 0.75},
                "encoding": {"x": x, "y": y, "color": colour},
            },
            {
                "mark": {"type": "rule", "color": c["ink"], "strokeWidth": 1.5},
                "encoding": {
                    "x": x,
                    "y": {"field": "low", "type": "quantitative"},
                    "y2": {"field": "high"},
                },
            },
        ],
    }
