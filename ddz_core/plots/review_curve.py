"""The chance of one side through a game: a step line with its band, and where it turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ddz_core.plots.template import TOKENS, Figure, Theme, layout

HEIGHT = 260
_MARGIN = {"l": 8, "r": 12, "t": 8, "b": 30}


@dataclass(frozen=True, slots=True)
class Step:
    """The chance after a number of plays, 0 to 1, and whether it is proven."""

    play: int
    value: float
    low: float
    high: float
    solved: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A turning point: the play, whose badge (a picture's address), and a symbol in words' place.

    Attributes:
        play: number of the play, from 1.
        badge: address of the picture.
        symbol: one or two characters.
        hover: words shown beside the pointer.
    """

    play: int
    badge: str
    symbol: str
    hover: str


def figure(
    steps: Sequence[Step],
    marks: Sequence[Mark] = (),
    *,
    hover: Sequence[str] = (),
    solved: str = "",
    axis: str = "",
    at: int | None = None,
    theme: Theme = "light",
) -> Figure:
    """Return the figure; its last trace has one point for every step, to be clicked.

    Args:
        steps: in order of play.
        marks: turning points.
        hover: words for each step.
        solved: word for the proven stretch.
        axis: words for the number of the last play.
        at: number of the play that is looked at.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    drawn = go.Figure(layout=layout(theme, height=HEIGHT))
    last = steps[-1].play if steps else 0
    xs = [step.play for step in steps] + [last + 1]
    for name in ("high", "low"):
        ys = [100 * getattr(step, name) for step in steps]
        drawn.add_scatter(
            x=xs,
            y=[*ys, *ys[-1:]],
            mode="lines",
            line={"shape": "hv", "width": 0, "color": c["accent"]},
            fill="tonexty" if name == "low" else None,
            fillcolor=_faded(c["accent"], 0.16),
            hoverinfo="skip",
        )
    values = [100 * step.value for step in steps]
    drawn.add_scatter(
        x=xs,
        y=[*values, *values[-1:]],
        mode="lines",
        line={"shape": "hv", "width": 2.5, "color": c["accent"]},
        hoverinfo="skip",
    )
    _stretches(drawn, steps, solved, c)
    drawn.add_shape(
        type="line",
        x0=steps[0].play if steps else 0,
        x1=last + 1,
        y0=50,
        y1=50,
        line={"color": c["line-2"], "width": 1},
        layer="below",
    )
    if at is not None:
        drawn.add_shape(
            type="line",
            x0=at,
            x1=at,
            y0=0,
            y1=100,
            line={"color": c["ink"], "width": 2, "dash": "4px,3px"},
        )
    places = {step.play: 100 * step.value for step in steps}
    _marks(drawn, [mark for mark in marks if mark.play in places], places, last, c)
    drawn.add_scatter(
        x=[step.play for step in steps],
        y=values,
        mode="markers",
        marker={"size": 22, "color": c["accent"], "opacity": 0.0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        text=list(hover) or [f"{value:.0f}" for value in values],
        hovertemplate="%{text}<extra></extra>",
        cliponaxis=False,
    )
    drawn.update_yaxes(range=[-4, 104], tickvals=[0, 25, 50, 75, 100], showgrid=True)
    every = 10 if last > 45 else 5 if last > 12 else 2
    ticks = [play for play in range(0, last, every) if last - play > every // 2]
    drawn.update_xaxes(
        range=[-0.4, last + 1.2],
        tickvals=[*ticks, last],
        ticktext=[*map(str, ticks), axis or str(last)],
        tickangle=0,
        showgrid=False,
    )
    drawn.update_layout(margin=_MARGIN, clickmode="event+select", hovermode="closest")
    return drawn


def _faded(colour: str, share: float) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share})"


def _stretches(drawn: Figure, steps: Sequence[Step], word: str, c: dict[str, str]) -> None:
    """Shade what is proven, and name the longest stretch."""
    runs: list[list[int]] = []
    for step in steps:
        if not step.solved:
            continue
        if runs and runs[-1][1] == step.play:
            runs[-1][1] = step.play + 1
        else:
            runs.append([step.play, step.play + 1])
    for x0, x1 in runs:
        drawn.add_shape(
            type="rect",
            x0=x0,
            x1=x1,
            y0=0,
            y1=100,
            fillcolor=c["sunk"],
            line={"width": 0},
            layer="below",
        )
    if runs and word:
        x0, x1 = max(runs, key=lambda run: run[1] - run[0])
        drawn.add_annotation(
            x=(x0 + x1) / 2,
            y=95,
            text=word,
            showarrow=False,
            font={"size": 12.5, "color": c["ink-2"]},
        )


def _marks(
    drawn: Figure, marks: Sequence[Mark], places: dict[int, float], last: int, c: dict[str, str]
) -> None:
    """Draw a hollow dot, a stem, a badge and a symbol for every turning point."""
    width = (last + 1.6) / 100
    for mark in sorted(marks, key=lambda mark: mark.play):
        y = places[mark.play]
        up = y < 50
        far = 17 if up else -17
        drawn.add_shape(
            type="line",
            x0=mark.play,
            x1=mark.play,
            y0=y,
            y1=y + far * 0.6,
            line={"color": c["ink"], "width": 1},
        )
        drawn.add_layout_image(
            source=mark.badge,
            xref="x",
            yref="y",
            x=mark.play,
            y=y + far,
            sizex=4.2 * width,
            sizey=12,
            xanchor="center",
            yanchor="middle",
        )
        drawn.add_annotation(
            x=mark.play,
            y=y + far,
            xshift=13,
            text=f"<b>{mark.symbol}</b>",
            showarrow=False,
            xanchor="left",
            font={"size": 15, "color": c["ink"]},
        )
    drawn.add_scatter(
        x=[mark.play for mark in marks],
        y=[places[mark.play] for mark in marks],
        mode="markers",
        marker={"size": 11, "color": c["surface"], "line": {"width": 2.5, "color": c["ink"]}},
        hoverinfo="skip",
        cliponaxis=False,
    )


def running(steps: Sequence[Step], *, theme: Theme = "light") -> dict[str, Any]:
    """Return the curve so far as a small Vega-Lite picture that updates in place."""
    c = TOKENS[theme]
    rows = [
        {"play": s.play, "win": 100 * s.value, "low": 100 * s.low, "high": 100 * s.high}
        for s in steps
    ]
    x = {"field": "play", "type": "quantitative", "title": None}
    y = {"type": "quantitative", "title": None, "scale": {"domain": [0, 100]}}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": rows},
        "height": HEIGHT - 60,
        "background": "transparent",
        "config": {
            "axis": {
                "labelColor": c["ink-2"],
                "gridColor": c["line"],
                "domainColor": c["line-2"],
                "labelFontSize": 12.5,
            },
            "view": {"stroke": None},
        },
        "layer": [
            {
                "mark": {
                    "type": "area",
                    "interpolate": "step-after",
                    "color": c["accent"],
                    "opacity": 0.16,
                },
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {
                "mark": {
                    "type": "line",
                    "interpolate": "step-after",
                    "color": c["accent"],
                    "strokeWidth": 2.5,
                },
                "encoding": {"x": x, "y": {**y, "field": "win"}},
            },
        ],
    }
