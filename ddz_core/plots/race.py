"""Two splits on the same deals: a dot with its interval each, and the difference from the pairs."""

from __future__ import annotations

from collections.abc import Sequence

from ddz_core.estimate import Estimate
from ddz_core.plots.template import AROUND, ROW, TOKENS, Figure, Theme, layout


def figure(names: Sequence[str], chances: Sequence[Estimate], *, theme: Theme = "light") -> Figure:
    """Return the chances of two or more splits on one axis from 0 to 100, the best on top.

    Args:
        names: of the splits, in the reader's words.
        chances: in the same order.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    rows = sorted(zip(chances, names, strict=True), key=lambda row: row[0].value)
    labels = [name for _, name in rows]
    values = [100 * chance.value for chance, _ in rows]
    drawn = go.Figure(layout=layout(theme, height=ROW * len(rows) + AROUND))
    drawn.add_scatter(
        x=values,
        y=labels,
        mode="markers+text",
        text=[f"{value:.0f}" for value in values],
        textposition="top center",
        textfont={"size": 13, "color": c["ink"]},
        marker={"size": 14, "color": c["accent"]},
        error_x={
            "type": "data",
            "array": [100 * (e.high - e.value) for e, _ in rows],
            "arrayminus": [100 * (e.value - e.low) for e, _ in rows],
            "thickness": 3,
            "width": 0,
            "color": c["accent"],
        },
        hovertemplate="%{y}: %{x:.1f}<extra></extra>",
        cliponaxis=False,
    )
    drawn.update_yaxes(type="category", categoryorder="array", categoryarray=labels)
    drawn.update_yaxes(range=[-0.5, len(rows) - 0.2])
    drawn.update_xaxes(range=[0, 104], tickvals=[0, 25, 50, 75, 100])
    return drawn
