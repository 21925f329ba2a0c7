"""Actions compared with the one played, on the same deals: a dot with its interval each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ddz_core.estimate import Estimate
from ddz_core.plots.template import AROUND, ROW, TOKENS, Figure, Theme, layout


@dataclass(frozen=True, slots=True)
class Row:
    """One action: its words, and its difference to the action played (None for that one)."""

    label: str
    gain: Estimate | None


def figure(
    rows: Sequence[Row], *, scale: float = 100.0, digits: int = 1, theme: Theme = "light"
) -> Figure:
    """Return the figure: the action played is the dashed line at 0, the best row on top.

    Args:
        rows: in the order to be shown from the top; at least one without a gain.
        scale: what gains are multiplied by: 100 for chances, 1 for points.
        digits: decimals beside the pointer.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    order = list(reversed(rows))
    drawn = go.Figure(layout=layout(theme, height=ROW * len(order) + AROUND))
    low, high = 0.0, 0.0
    for place, row in enumerate(order):
        gain = row.gain
        if gain is None:
            drawn.add_scatter(
                x=[0],
                y=[place],
                mode="markers",
                marker={"size": 14, "color": c["ink"]},
                hovertemplate="0<extra></extra>",
                cliponaxis=False,
            )
            continue
        value, a, b = (scale * x for x in (gain.value, gain.low, gain.high))
        low, high = min(low, a), max(high, b)
        told = a > 0 or b < 0
        colour = c["ink-2"] if not told else c["good"] if value > 0 else c["bad"]
        drawn.add_scatter(
            x=[value],
            y=[place],
            mode="markers",
            marker={
                "size": 14,
                "color": colour if told and value > 0 else c["surface"],
                "line": {"width": 2.5, "color": colour},
            },
            error_x={
                "type": "data",
                "array": [b - value],
                "arrayminus": [value - a],
                "thickness": 3,
                "width": 0,
                "color": colour,
            },
            hovertemplate=f"%{{x:+.{digits}f}} ({a:+.{digits}f} … {b:+.{digits}f})<extra></extra>",
            cliponaxis=False,
        )
    drawn.add_shape(
        type="line",
        x0=0,
        x1=0,
        y0=-0.5,
        y1=len(order) - 0.5,
        line={"color": c["ink"], "width": 2, "dash": "4px,3px"},
        layer="below",
    )
    room = 0.08 * max(high - low, 2.0 if scale > 1 else 0.5)
    drawn.update_xaxes(range=[low - room, high + room], zeroline=False)
    drawn.update_yaxes(
        tickvals=list(range(len(order))),
        ticktext=[row.label for row in order],
        range=[-0.6, len(order) - 0.4],
        tickfont={"size": 14, "color": c["ink"]},
        zeroline=False,
    )
    drawn.update_layout(margin={"t": 4, "r": 14, "b": 28})
    return drawn
