"""Remembered ranks: how often right by rank, and what the top ranks are worth to bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ddz_core.estimate import Estimate
from ddz_core.plots.template import TOKENS, Figure, Theme, layout

HEIGHT = 236
SYMBOLS = ("circle", "diamond")


def ranks(
    names: Sequence[str], right: Sequence[int], asked: Sequence[int], *, theme: Theme = "light"
) -> Figure:
    """Return the share of right answers by rank, the highest left.

    Args:
        names: of the ranks, in the reader's words, each once.
        right, asked: answers, in the same order; a rank never asked has no mark.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    rows = [row for row in zip(names, right, asked, strict=True) if row[2]]
    drawn = go.Figure(layout=layout(theme, height=HEIGHT))
    drawn.add_scatter(
        x=[name for name, _, _ in rows],
        y=[100 * good / number for _, good, number in rows],
        mode="lines+markers",
        line={"color": c["accent"], "width": 2},
        marker={"size": 10, "color": c["accent"]},
        customdata=[(good, number) for _, good, number in rows],
        hovertemplate="%{x}: %{customdata[0]} / %{customdata[1]}<extra></extra>",
        cliponaxis=False,
    )
    drawn.update_xaxes(
        type="category",
        categoryorder="array",
        categoryarray=list(names),
        range=[-0.6, len(names) - 0.4],
        tickangle=0,
        showgrid=False,
        tickmode="array",
        tickvals=list(names),
    )
    drawn.update_yaxes(range=[-4, 104], tickvals=[0, 50, 100], showgrid=True)
    return drawn


def worth(
    found: Mapping[str, Sequence[tuple[int, Estimate]]],
    names: Mapping[str, str],
    *,
    remembered: int = 0,
    axis: str = "",
    theme: Theme = "light",
) -> Figure:
    """Return games won more in a hundred by the number of ranks remembered, one line a family.

    Args:
        found: by family, numbers of ranks with what they are worth.
        names: of the families, in the reader's words.
        remembered: where the reader stands, a dashed line; 0 for none.
        axis: words of the axis of ranks.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    drawn = go.Figure(layout=layout(theme, height=HEIGHT))
    if remembered:
        drawn.add_vline(x=remembered, line={"color": c["accent"], "dash": "dash", "width": 1.5})
    colours = (c["ink-2"], c["good"])
    for place, (family, rows) in enumerate(found.items()):
        colour = colours[place % len(colours)]
        drawn.add_scatter(
            x=[0, *[number for number, _ in rows]],
            y=[0, *[100 * value.value for _, value in rows]],
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [0, *[100 * (value.high - value.value) for _, value in rows]],
                "arrayminus": [0, *[100 * (value.value - value.low) for _, value in rows]],
                "color": colour,
                "thickness": 1.5,
                "width": 3,
            },
            mode="lines+markers",
            line={"color": colour, "width": 2, "dash": ("solid", "dot")[place % 2]},
            marker={"size": 9, "color": colour, "symbol": SYMBOLS[place % len(SYMBOLS)]},
            name=names.get(family, family),
            hovertemplate="%{x}: %{y:+.1f}<extra></extra>",
            cliponaxis=False,
        )
    title = {"font": {"size": 13, "color": c["ink-2"]}, "standoff": 6}
    drawn.update_xaxes(range=[-0.4, 15.4], tickvals=[0, 1, 2, 3, 5, 8, 15], showgrid=False)
    drawn.update_xaxes(title={"text": axis, **title})
    drawn.update_yaxes(showgrid=True, rangemode="tozero")
    drawn.update_layout(
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "title": None},
        margin={"t": 30, "b": 44},
    )
    return drawn
