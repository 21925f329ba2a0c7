"""How often each role is hit: a dot with its interval, one row a role, nearest brick at the top."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ddz_core.plots.template import AROUND, ROW, TOKENS, Figure, Theme, layout

if TYPE_CHECKING:
    from ddz_core.estimate import Estimate


def figure(
    shares: Mapping[str, Estimate], *, name: Callable[[str], str], theme: Theme = "light"
) -> Figure:
    """Return the figure for :attr:`ddz_core.brick.Throws.shares`.

    Args:
        shares: chance by role, in the order of the rows.
        name: words for a role.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    labels = [name(role) for role in shares]
    values = [100 * one.value for one in shares.values()]
    drawn = go.Figure(layout=layout(theme, height=ROW * len(labels) + AROUND))
    drawn.add_scatter(
        x=values,
        y=labels,
        mode="markers+text",
        text=[f"{value:.0f}" if value >= 1 or value == 0 else "<1" for value in values],
        textposition="middle right",
        textfont={"size": 12.5, "color": c["ink"]},
        marker={"size": 14, "color": c["accent"]},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [100 * (one.high - one.value) for one in shares.values()],
            "arrayminus": [100 * (one.value - one.low) for one in shares.values()],
            "color": c["accent"],
            "thickness": 3,
            "width": 0,
        },
        hoverinfo="skip",
        cliponaxis=False,
    )
    drawn.update_xaxes(range=[0, 104], fixedrange=True)
    drawn.update_yaxes(autorange="reversed", fixedrange=True)
    return drawn
