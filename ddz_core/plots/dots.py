"""One chance as a grid of a hundred dots, filled from the top left."""

from __future__ import annotations

from ddz_core.plots.template import TOKENS, Figure, Theme, layout

SIDE = 216
"""Width and height in pixels."""


def figure(chance: float, *, before: float | None = None, theme: Theme = "light") -> Figure:
    """Return the grid of one chance.

    Args:
        chance: 0 to 1; one dot stands for one deal of a hundred.
        before: the same chance by counting alone, drawn as a ring round the dots that differ.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    filled = filled_dots(chance)
    first = filled if before is None else filled_dots(before)
    places = [(i % 10, i // 10) for i in range(100)]
    drawn = go.Figure(layout=layout(theme, height=SIDE))
    changed = [min(filled, first) <= i < max(filled, first) for i in range(100)]
    drawn.add_scatter(
        x=[x for x, _ in places],
        y=[y for _, y in places],
        mode="markers",
        marker={
            "size": 15,
            "color": [c["accent"] if i < filled else "rgba(0,0,0,0)" for i in range(100)],
            "line": {
                "width": [2.5 if ringed else 1 for ringed in changed],
                "color": [
                    c["ink"] if ringed else c["accent"] if i < filled else c["line-2"]
                    for i, ringed in enumerate(changed)
                ],
            },
        },
        hoverinfo="skip",
        cliponaxis=False,
    )
    drawn.update_xaxes(visible=False, range=[-0.6, 9.6])
    drawn.update_yaxes(visible=False, range=[9.6, -0.6], scaleanchor="x")
    drawn.update_layout(margin={"l": 2, "r": 2, "t": 2, "b": 2}, width=SIDE)
    return drawn


def filled_dots(chance: float) -> int:
    """Return how many of a hundred dots are filled: none only for 0, all only for 1."""
    if chance <= 0 or chance >= 1:
        return 0 if chance <= 0 else 100
    return min(99, max(1, round(100 * chance)))
