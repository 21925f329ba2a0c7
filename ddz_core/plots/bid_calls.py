"""What each call is worth: a dot a call, on the same deals, and the line where a pass stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ddz_core.estimate import Estimate
from ddz_core.plots.template import AROUND, ROW, TOKENS, Figure, Theme, layout


def figure(
    values: dict[str, Estimate],
    gains: dict[str, Estimate],
    best: Sequence[str],
    *,
    base: str,
    name: Callable[[str], str],
    line: str,
    scale: float = 1.0,
    theme: Theme = "light",
) -> Figure:
    """Return the figure; the interval of a call is that of its difference to the base call.

    Args:
        values: mean of each call, the base call among them.
        gains: difference of each call to the base call, on the same deals.
        best: the best call and those that are not told from it.
        base: the call to compare with, ``pass``.
        name: words for a call.
        line: words at the line of the base call.
        scale: what values are multiplied by: 1 for points, 100 for chances.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    order = sorted(values, key=lambda call: (values[call].value, call != base))
    labels = [name(call) for call in order]
    at = scale * values[base].value
    drawn = go.Figure(layout=layout(theme, height=(ROW + 4) * len(order) + AROUND + 14))
    for call, label in zip(order, labels, strict=True):
        gain = gains[call]
        better, worse = gain.low > 0, gain.high < 0
        colour = c["good"] if better else c["bad"] if worse else c["ink-2"]
        value = at + scale * gain.value
        drawn.add_scatter(
            x=[value],
            y=[label],
            mode="markers",
            marker={
                "size": 14,
                "color": colour if better else c["surface"],
                "line": {"width": 2.5, "color": c["ink"] if call == base else colour},
            },
            error_x={
                "type": "data",
                "array": [scale * (gain.high - gain.value)],
                "arrayminus": [scale * (gain.value - gain.low)],
                "thickness": 3,
                "width": 0,
                "color": colour,
                "visible": call != base,
            },
            hovertemplate=f"{label}: %{{x:.2f}} "
            f"({scale * gain.low:+.2f} … {scale * gain.high:+.2f})<extra></extra>",
            cliponaxis=False,
        )
    drawn.add_shape(
        type="line",
        x0=at,
        x1=at,
        y0=-0.5,
        y1=len(order) - 0.35,
        line={"color": c["ink"], "width": 2, "dash": "4px,3px"},
        layer="below",
    )
    drawn.add_annotation(
        x=at,
        y=len(order) - 0.35,
        text=line,
        showarrow=False,
        yanchor="bottom",
        bgcolor=c["bg"],
        font={"size": 13, "color": c["ink"]},
    )
    if len(best) > 1:
        rows = [order.index(call) for call in best]
        _bracket(drawn, min(rows) - 0.25, max(rows) + 0.25, c["ink-2"])
    low = min(at, *(at + scale * gains[call].low for call in order))
    high = max(at, *(at + scale * gains[call].high for call in order))
    room = 0.12 * max(high - low, 0.5 if scale == 1 else 4)
    drawn.update_xaxes(range=[low - room, high + room], zeroline=True)
    drawn.update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=labels,
        range=[-0.6, len(order) - 0.05],
        tickfont={"size": 14, "color": c["ink"]},
    )
    drawn.update_layout(margin={"t": 4, "r": 26, "b": 28})
    return drawn


def _bracket(drawn: Figure, low: float, high: float, colour: str) -> None:
    """Draw a bracket right of the rows that are not told apart."""
    line = {"color": colour, "width": 1.5}
    for a, b, y, z in ((1.01, 1.03, low, low), (1.03, 1.03, low, high), (1.01, 1.03, high, high)):
        drawn.add_shape(type="line", xref="paper", yref="y", x0=a, x1=b, y0=y, y1=z, line=line)
