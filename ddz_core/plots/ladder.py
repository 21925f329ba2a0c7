"""Bots of the ladder: a dot with its interval each, the best on top, and the line of equal play."""

from __future__ import annotations

from collections.abc import Sequence

from ddz_core.estimate import Estimate
from ddz_core.plots.template import AROUND, ROW, TOKENS, Figure, Theme, layout


def figure(
    names: Sequence[str],
    shares: Sequence[Estimate],
    *,
    marked: str = "",
    theme: Theme = "light",
) -> Figure:
    """Return shares of games won on one axis from 0 to 100.

    Args:
        names: of the rows, in the reader's words, each once.
        shares: in the same order.
        marked: name of a row that stands out.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    rows = sorted(zip(shares, names, strict=True), key=lambda row: row[0].value)
    labels = [name for _, name in rows]
    colours = [c["accent"] if name == marked or not marked else c["ink-2"] for name in labels]
    drawn = go.Figure(layout=layout(theme, height=ROW * max(len(rows), 2) + AROUND))
    drawn.add_vline(x=50, line={"color": c["line-2"], "dash": "dash", "width": 1})
    for (share, name), colour in zip(rows, colours, strict=True):
        drawn.add_scatter(
            x=[100 * share.low, 100 * share.high],
            y=[name, name],
            mode="lines",
            line={"color": colour, "width": 3},
            hoverinfo="skip",
            cliponaxis=False,
        )
    drawn.add_scatter(
        x=[100 * share.value for share, _ in rows],
        y=labels,
        mode="markers+text",
        text=[f"{100 * share.value:.0f}" for share, _ in rows],
        textposition="top center",
        textfont={"size": 13, "color": c["ink"]},
        marker={"size": 12, "color": colours},
        customdata=[(100 * share.low, 100 * share.high, share.n) for share, _ in rows],
        hovertemplate="%{y}: %{x:.1f} (%{customdata[0]:.1f}–%{customdata[1]:.1f}), "
        "n = %{customdata[2]}<extra></extra>",
        cliponaxis=False,
    )
    drawn.update_yaxes(type="category", categoryorder="array", categoryarray=labels)
    drawn.update_yaxes(range=[-0.6, len(rows) - 0.2])
    drawn.update_xaxes(range=[0, 104], tickvals=[0, 25, 50, 75, 100])
    return drawn
