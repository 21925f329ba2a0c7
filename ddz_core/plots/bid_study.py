"""The two bidding methods over random hands: chances by one number, and over two as a map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ddz_core.estimate import Estimate
from ddz_core.plots.template import TOKENS, Figure, Theme, layout

RAMP = {
    "light": [[0, "#FBF5F8"], [0.5, "#C493B2"], [0.5, "#8A3F6E"], [1, "#4E1439"]],
    "dark": [[0, "#1E282B"], [0.5, "#6B3E5C"], [0.5, "#C793B4"], [1, "#F5E3EE"]],
}
"""A ramp with a jump at one half, so that the number in a cell stays legible."""
ON_RAMP = {"light": ("#1C282D", "#FFFFFF"), "dark": ("#ECE7DB", "#1C1018")}
"""Ink below and above one half."""


def by_value(
    landlord: Mapping[int, Estimate],
    farmer: Mapping[int, Estimate],
    hands: Mapping[int, int],
    *,
    names: tuple[str, str],
    axis: str,
    marked: int | None = None,
    line: float | None = None,
    theme: Theme = "light",
) -> Figure:
    """Return chances to win by a number of the hand; the columns below say how many hands have it.

    Args:
        landlord, farmer: chance by value of the number.
        hands: hands by value, for the columns.
        names: words for the two roles.
        axis: words for the number.
        marked: the reader's hand.
        line: value at which the book draws its line.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    drawn = go.Figure(layout=layout(theme, height=300))
    total, most = sum(hands.values()), max(hands.values())
    values = list(landlord)
    drawn.add_bar(
        x=values,
        y=[22 * hands[v] / most for v in values],
        customdata=[100 * hands[v] / total for v in values],
        marker={"color": c["line"]},
        hovertemplate="%{x}: %{customdata:.1f} %<extra></extra>",
    )
    named = len(values) // 5
    for found, name, symbol, colour, side in (
        (farmer, names[1], "circle-open", c["ink-2"], "top"),
        (landlord, names[0], "circle", c["accent"], "bottom"),
    ):
        y = [100 * found[v].value for v in values]
        drawn.add_scatter(
            x=values,
            y=y,
            mode="lines+markers+text",
            text=[name if place == named else "" for place in range(len(values))],
            textposition=f"{side} center" if side == "top" else "bottom right",
            textfont={"size": 13, "color": colour},
            line={"color": colour, "width": 2},
            marker={"size": 9, "symbol": symbol, "color": colour, "line": {"width": 2}},
            error_y={
                "type": "data",
                "array": [100 * (found[v].high - found[v].value) for v in values],
                "arrayminus": [100 * (found[v].value - found[v].low) for v in values],
                "thickness": 2,
                "width": 0,
                "color": colour,
            },
            hovertemplate=f"{name} · %{{x}}: %{{y:.1f}}<extra></extra>",
            cliponaxis=False,
        )
    if line is not None:
        drawn.add_vline(x=line, line={"color": c["ink"], "width": 2, "dash": "4px,3px"})
    if marked is not None and marked in landlord:
        drawn.add_annotation(
            x=marked,
            y=0,
            ay=-26,
            ax=0,
            text="×",
            font={"size": 18, "color": c["ink"]},
            arrowcolor=c["ink"],
        )
    drawn.update_yaxes(range=[0, 102], tickvals=[0, 25, 50, 75, 100], showgrid=True)
    title = {"text": axis, "font": {"size": 12.5, "color": c["ink-2"]}, "standoff": 4}
    drawn.update_xaxes(
        dtick=1 if len(values) < 16 else 2, showgrid=False, zeroline=False, title=title
    )
    drawn.update_layout(margin={"b": 44, "r": 14}, bargap=0.25)
    return drawn


def grid(
    rows: Sequence[Mapping[str, object]],
    *,
    axes: tuple[str, str],
    marked: tuple[int, int] | None = None,
    theme: Theme = "light",
) -> Figure:
    """Return a map of the chance to win as landlord over points and fewest plays.

    The line parts the cells in which being landlord brings more points than being farmer.

    Args:
        rows: of :meth:`ddz_core.study.Methods.grid`.
        axes: words for points and plays.
        marked: points and plays of the reader's hand.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    cells = {(int(str(r["points"])), int(str(r["turns"]))): r for r in rows}
    xs = sorted({points for points, _ in cells})
    ys = sorted({turns for _, turns in cells})
    chance = {at: float(str(row["landlord"])) for at, row in cells.items()}
    drawn = go.Figure(layout=layout(theme, height=30 * len(ys) + 64))
    drawn.add_heatmap(
        x=xs,
        y=ys,
        z=[[chance.get((x, y)) for x in xs] for y in ys],
        zmin=0,
        zmax=1,
        xgap=2,
        ygap=2,
        colorscale=RAMP[theme],
        showscale=False,
        hoverongaps=False,
        hovertemplate=f"{axes[0]} %{{x}}, {axes[1]} %{{y}}: %{{z:.2f}}<extra></extra>",
    )
    for high in (False, True):
        here = [at for at, p in chance.items() if (p >= 0.5) == high]
        drawn.add_scatter(
            x=[x for x, _ in here],
            y=[y for _, y in here],
            mode="text",
            text=[f"{100 * chance[at]:.0f}" for at in here],
            textfont={"size": 12.5, "color": ON_RAMP[theme][high]},
            hoverinfo="skip",
        )
    gain = {at: float(str(row["gain"])) > 0 for at, row in cells.items()}
    line = {"color": c["ink"], "width": 2.5}
    for x, y in gain:
        for other, ends in (
            ((x + 1, y), (x + 0.5, x + 0.5, y - 0.5, y + 0.5)),
            ((x, y + 1), (x - 0.5, x + 0.5, y + 0.5, y + 0.5)),
        ):
            if other in gain and gain[other] != gain[x, y]:
                a, b, low, high_y = ends
                drawn.add_shape(type="line", x0=a, x1=b, y0=low, y1=high_y, line=line)
    if marked in cells and marked is not None:
        drawn.add_shape(
            type="rect",
            x0=marked[0] - 0.46,
            x1=marked[0] + 0.46,
            y0=marked[1] - 0.46,
            y1=marked[1] + 0.46,
            line={"color": c["bad"], "width": 3},
        )
    title = {"font": {"size": 12.5, "color": c["ink-2"]}, "standoff": 4}
    drawn.update_xaxes(dtick=1, showgrid=False, zeroline=False, title={"text": axes[0], **title})
    drawn.update_yaxes(
        dtick=1, autorange="reversed", zeroline=False, title={"text": axes[1], **title}
    )
    drawn.update_layout(margin={"b": 44})
    return drawn
