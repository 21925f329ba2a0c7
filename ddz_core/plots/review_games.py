"""Several reviewed games: mistakes by kind through time, and luck apart from skill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ddz_core.plots.template import AROUND, TOKENS, Figure, Theme, layout

_STEP = 26


def kinds(
    games: Sequence[Mapping[str, int]],
    names: Mapping[str, str],
    *,
    axis: str = "",
    theme: Theme = "light",
) -> Figure:
    """Return mistakes by kind and game: a circle whose area is their number, the number in it.

    Args:
        games: for each game in order how many mistakes of each kind.
        names: words for the kinds, in the order of the rows from the top.
        axis: words for the number of the last game.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    rows = [kind for kind in names if any(game.get(kind) for game in games)] or list(names)[:1]
    order = list(reversed(rows))
    drawn = go.Figure(layout=layout(theme, height=_STEP * len(order) + AROUND))
    for place, kind in enumerate(order):
        found = [(number, game[kind]) for number, game in enumerate(games, 1) if game.get(kind)]
        drawn.add_scatter(
            x=[number for number, _ in found],
            y=[place] * len(found),
            mode="markers+text",
            marker={
                "size": [11 + 4 * min(count, 4) for _, count in found],
                "color": c["bad"],
                "opacity": 0.9,
            },
            text=[str(count) if count > 1 else "" for _, count in found],
            textfont={"size": 12.5, "color": "#14191B"},
            hovertemplate=f"{names[kind]}: %{{customdata}}<extra></extra>",
            customdata=[count for _, count in found],
            cliponaxis=False,
        )
    drawn.update_yaxes(
        tickvals=list(range(len(order))),
        ticktext=[names[kind] for kind in order],
        range=[-0.6, len(order) - 0.4],
        tickfont={"size": 14, "color": c["ink"]},
        showgrid=True,
    )
    _by_game(drawn, len(games), axis)
    return drawn


def luck(
    pars: Sequence[float],
    results: Sequence[float],
    names: tuple[str, str],
    *,
    axis: str = "",
    theme: Theme = "light",
) -> Figure:
    """Return two running sums: what the deals were worth to bots, and what was won beyond it.

    Args:
        pars: for each game the points that bots make of the same deal and seat.
        results: for each game the points won.
        names: words for the two lines, luck and skill.
        axis: words for the number of the last game.
        theme: ``light`` or ``dark``.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    drawn = go.Figure(layout=layout(theme, height=236))
    xs = list(range(len(pars) + 1))
    sums = [[0.0], [0.0]]
    for par, result in zip(pars, results, strict=True):
        sums[0].append(sums[0][-1] + par)
        sums[1].append(sums[1][-1] + result - par)
    for ys, name, colour, dash in zip(
        sums, names, (c["ink-2"], c["accent"]), ("dot", "solid"), strict=True
    ):
        drawn.add_scatter(
            x=xs,
            y=ys,
            mode="lines+markers",
            line={"width": 2.5, "color": colour, "dash": dash},
            marker={"size": 7, "color": colour},
            name=name,
            hovertemplate=f"{name}: %{{y:+.1f}}<extra></extra>",
            cliponaxis=False,
        )
        drawn.add_annotation(
            x=xs[-1],
            y=ys[-1],
            text=f"<b>{name}</b><br>{ys[-1]:+.1f}".replace("-", "\N{MINUS SIGN}"),
            showarrow=False,
            xanchor="left",
            align="left",
            xshift=8,
            font={"size": 13, "color": colour},
        )
    drawn.update_yaxes(showgrid=True, zeroline=True)
    _by_game(drawn, len(pars), axis, first=0)
    drawn.update_layout(margin={"r": 92})
    return drawn


def _by_game(drawn: Figure, count: int, axis: str, first: int = 1) -> None:
    """Number the games along the axis."""
    every = max(1, -(-count // 5))
    ticks = [tick for tick in range(1, count, every) if count - tick > every // 2] + [count]
    drawn.update_xaxes(
        range=[first - 0.6, count + 0.6],
        tickvals=ticks,
        ticktext=[*map(str, ticks[:-1]), axis or str(count)],
        tickangle=0,
        showgrid=False,
        zeroline=False,
    )
    drawn.update_layout(margin={"t": 10, "r": 16, "b": 28})
