"""The cells of a claim: a dot with its interval each, beside the line that the claim speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ddz_core.estimate import Estimate
from ddz_core.plots.template import AROUND, ROW, TOKENS, Figure, Theme, layout


@dataclass(frozen=True, slots=True)
class Row:
    """One cell of one family of bots.

    Attributes:
        label: its words.
        value: its number.
        line: what it is compared with.
        margin: differences to the line up to this are of no practical size.
        counts: whether it takes part in the verdict.
        status: ``for``, ``against``, ``same``, ``open`` or ``few``.
        family: bots behind it, as a number: the second family is drawn as a square.
    """

    label: str
    value: Estimate
    line: float
    margin: float
    counts: bool
    status: str
    family: int = 0


def figure(
    rows: Sequence[Row], *, scale: float = 100.0, digits: int = 1, theme: Theme = "light"
) -> Figure:
    """Return the figure: rows from the top, each with its own line and margin behind the dot.

    Args:
        rows: cells in one unit; the same label again is another family in the same row.
        scale: what numbers are multiplied by: 100 for chances, 1 for points.
        digits: decimals beside the pointer.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    labels = list(dict.fromkeys(row.label for row in reversed(rows)))
    drawn = go.Figure(layout=layout(theme, height=ROW * len(labels) + AROUND))
    ends: list[float] = []
    for row in rows:
        place = labels.index(row.label)
        value, low, high = (scale * x for x in (row.value.value, row.value.low, row.value.high))
        line, margin = scale * row.line, scale * row.margin
        ends += [low, high, line - margin, line + margin]
        drawn.add_shape(
            type="rect",
            x0=line - margin,
            x1=line + margin,
            y0=place - 0.36,
            y1=place + 0.36,
            fillcolor=c["sunk"],
            line={"width": 0},
            layer="below",
        )
        drawn.add_shape(
            type="line",
            x0=line,
            x1=line,
            y0=place - 0.42,
            y1=place + 0.42,
            line={"color": c["ink"], "width": 2, "dash": "4px,3px"},
            layer="below",
        )
        told = {"for": c["good"], "against": c["bad"]}.get(row.status, c["ink-2"])
        full = row.counts and row.status in {"for", "against"}
        drawn.add_scatter(
            x=[value],
            y=[place - 0.22 * row.family],
            mode="markers",
            marker={
                "size": 13 if row.counts else 9,
                "symbol": "square" if row.family else "circle",
                "color": told if full else c["surface"],
                "line": {"width": 2.5, "color": told},
            },
            error_x={
                "type": "data",
                "array": [high - value],
                "arrayminus": [value - low],
                "thickness": 3 if row.counts else 2,
                "width": 0,
                "color": told,
            },
            hovertemplate=f"{value:.{digits}f} ({low:.{digits}f} … {high:.{digits}f})"
            "<extra></extra>",
            cliponaxis=False,
        )
    room = 0.06 * max(max(ends) - min(ends), 1.0 if scale > 1 else 0.1)
    drawn.update_xaxes(range=[min(ends) - room, max(ends) + room], zeroline=False)
    drawn.update_yaxes(
        tickvals=list(range(len(labels))),
        ticktext=labels,
        range=[-0.6, len(labels) - 0.4],
        tickfont={"size": 14, "color": c["ink"]},
        zeroline=False,
    )
    drawn.update_layout(margin={"t": 4, "r": 14, "b": 28})
    return drawn
