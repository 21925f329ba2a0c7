"""Stated chances against counted ones: dots on a square, the diagonal where both agree."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ddz_core.calibration import Answer, Group
from ddz_core.plots.template import TOKENS, Figure, Theme, layout

SIDE = 320


def figure(
    answers: Sequence[Answer],
    groups: Sequence[Group],
    *,
    stated: str,
    counted: str,
    theme: Theme = "light",
) -> Figure:
    """Return the figure.

    Args:
        answers: each a small dot.
        groups: each a dot whose area tells how many answers it stands for.
        stated, counted: words of the two axes.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    drawn = go.Figure(layout=layout(theme, height=SIDE))
    drawn.add_scatter(
        x=[0, 100],
        y=[0, 100],
        mode="lines",
        line={"color": c["line-2"], "dash": "dash"},
        hoverinfo="skip",
    )
    drawn.add_scatter(
        x=[one.stated for one in answers],
        y=[100 * one.chance for one in answers],
        mode="markers",
        marker={"size": 6, "color": c["ink-2"], "opacity": 0.5},
        hovertemplate="%{x} → %{y:.1f}<extra></extra>",
    )
    drawn.add_scatter(
        x=[one.stated for one in groups],
        y=[one.counted for one in groups],
        mode="lines+markers+text",
        text=[str(one.n) for one in groups],
        textposition="top left",
        textfont={"size": 12.5, "color": c["ink-2"]},
        line={"color": c["accent"], "width": 2},
        marker={
            "size": [8 + 4 * math.sqrt(one.n) for one in groups],
            "color": c["accent"],
        },
        hovertemplate="%{x:.0f} → %{y:.1f}<extra></extra>",
    )
    square = {"range": [-3, 103], "tickvals": [0, 25, 50, 75, 100]}
    title = {"font": {"size": 13, "color": c["ink-2"]}, "standoff": 6}
    drawn.update_xaxes(**square, title={"text": stated, **title})
    drawn.update_yaxes(**square, title={"text": counted, **title}, showgrid=True)
    drawn.update_layout(margin={"b": 44})
    return drawn
