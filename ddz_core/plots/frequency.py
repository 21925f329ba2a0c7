"""How often each kind turns up: a dot a hand size, one row a kind, on one axis from 0 to 100."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ddz_core.plots.template import AROUND, ROW, TOKENS, Figure, Theme, layout

SYMBOLS = ("circle-open", "circle", "diamond", "square")
"""Marks of the hand sizes, smallest first: told apart by shape as well as by place."""


def figure(
    rows: Sequence[Mapping[str, object]],
    *,
    name: Callable[[str], str],
    size: Callable[[int], str],
    theme: Theme = "light",
) -> Figure:
    """Return the figure for rows of :func:`ddz_core.explorer.frequencies`.

    Args:
        rows: kind, cards and chance with the ends of its interval.
        name: words for a kind.
        size: words for a hand size.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    sizes = sorted({int(str(row["cards"])) for row in rows})
    top = {str(row["kind"]): float(str(row["chance"])) for row in rows}
    kinds = sorted(top, key=lambda kind: top[kind])
    labels = [name(kind) for kind in kinds]
    drawn = go.Figure(layout=layout(theme, height=ROW * len(kinds) + AROUND))
    for place, cards in enumerate(sizes):
        mine = {str(row["kind"]): row for row in rows if row["cards"] == cards}
        chance = [100 * float(str(mine[kind]["chance"])) for kind in kinds]
        low = [100 * float(str(mine[kind]["low"])) for kind in kinds]
        high = [100 * float(str(mine[kind]["high"])) for kind in kinds]
        last = place == len(sizes) - 1
        drawn.add_scatter(
            x=chance,
            y=labels,
            mode="markers+text",
            name=size(cards),
            text=[_number(value) for value in chance],
            textposition="middle right" if last else "middle left",
            textfont={"size": 12.5, "color": c["ink"] if last else c["ink-2"]},
            marker={
                "size": 13,
                "symbol": SYMBOLS[min(place, len(SYMBOLS) - 1)],
                "color": c["accent"],
                "line": {"width": 2, "color": c["accent"]},
            },
            error_x={
                "type": "data",
                "array": [b - v for b, v in zip(high, chance, strict=True)],
                "arrayminus": [v - a for a, v in zip(low, chance, strict=True)],
                "thickness": 3,
                "width": 0,
                "color": c["accent"],
                "visible": any(b > a for a, b in zip(low, high, strict=True)),
            },
            hovertemplate=f"%{{y}} · {size(cards)}: %{{x:.2f}}<extra></extra>",
            cliponaxis=False,
        )
    drawn.update_yaxes(type="category", categoryorder="array", categoryarray=labels)
    drawn.update_xaxes(range=[-17, 113], tickvals=[0, 25, 50, 75, 100], side="top")
    drawn.update_layout(margin={"t": 28, "b": 8})
    return drawn


def _number(value: float) -> str:
    if 0 < value < 1:
        return f"{value:.1f}" if value >= 0.1 else "<0.1"
    return f"{value:.0f}" if value in (0, 100) or 10 <= value < 99.5 else f"{value:.1f}"
