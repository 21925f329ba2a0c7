"""Chance of each number of cards of each rank in one place, its colour jumping at one half."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ddz_core.plots.template import TOKENS, Figure, Theme, layout

RANK = 36
"""Height of a rank's row in pixels."""

RAMP: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "light": (("#FBF5F8", "#C493B2"), ("#8A3F6E", "#4E1439")),
    "dark": (("#1E282B", "#6B3E5C"), ("#C793B4", "#F5E3EE")),
}
"""Ends of the ramp below one half and from one half on, by theme."""

INK: dict[str, tuple[str, str]] = {
    "light": ("#1C282D", "#FFFFFF"),
    "dark": ("#ECE7DB", "#1C1018"),
}
"""Ink of the numbers below one half and from one half on, by theme."""


def number(chance: float) -> str:
    """Return a chance in 100 as a cell shows it: ``71``, ``<1``, ``>99``, ``100``."""
    if 0 < chance < 0.005:
        return "<1"
    if 0.995 <= chance < 1 - 1e-12:
        return ">99"
    return f"{100 * chance:.0f}"


def figure(
    ranks: Mapping[str, Sequence[float]],
    *,
    label: Callable[[str], str],
    order: str,
    tags: Mapping[str, str] | None = None,
    marked: str = "",
    theme: Theme = "light",
    hover: Callable[[str, int, str], str] = "{} × {}: {}".format,
) -> Figure:
    """Return the map of one place.

    Args:
        ranks: chances by rank and number of cards, a row of :meth:`ddz_core.belief.Odds.table`.
        label: words for a rank.
        order: the ranks from top to bottom; those that ``ranks`` lacks are left out.
        tags: what to print before a rank of which cards are known to be there.
        marked: a rank whose row is asked about, printed bold.
        theme: ``light`` or ``dark``.
        hover: what a cell says, from the words of its rank, its number and its chance.
    """
    import plotly.graph_objects as go

    c = TOKENS[theme]
    rows = [rank for rank in order if rank in ranks]
    most = max((len(ranks[rank]) for rank in rows), default=1)
    numbers = [str(count) for count in range(most)]
    names = [_name(label(r), (tags or {}).get(r, ""), r == marked) for r in rows]
    drawn = go.Figure(layout=layout(theme, height=RANK * len(rows) + 36))
    for above, (low, high) in enumerate(RAMP[theme]):
        cells: list[list[float | None]] = []
        texts: list[list[str]] = []
        said: list[list[str]] = []
        for rank in rows:
            chances = [*ranks[rank], *[0.0] * (most - len(ranks[rank]))]
            mine = [p > 0 and (p >= 0.5) == bool(above) for p in chances]
            cells.append([p if here else None for p, here in zip(chances, mine, strict=True)])
            texts.append([number(p) if here else "" for p, here in zip(chances, mine, strict=True)])
            said.append([hover(label(rank), k, number(p)) for k, p in enumerate(chances)])
        drawn.add_heatmap(
            x=numbers,
            y=names,
            z=cells,
            text=texts,
            customdata=said,
            texttemplate="%{text}",
            textfont={"size": 14, "color": INK[theme][above], "weight": 700 if above else 400},
            zmin=0.5 * above,
            zmax=0.5 + 0.5 * above,
            colorscale=[[0, low], [1, high]],
            showscale=False,
            xgap=2,
            ygap=2,
            hoverongaps=False,
            hovertemplate="%{customdata}<extra></extra>",
        )
    drawn.add_shape(
        type="path",
        path=_hatching(
            [
                (column, row)
                for row, rank in enumerate(rows)
                for column in range(most)
                if column >= len(ranks[rank]) or ranks[rank][column] <= 0
            ]
        ),
        line={"color": c["line"], "width": 1},
        layer="below",
    )
    drawn.update_xaxes(
        type="category",
        categoryorder="array",
        categoryarray=numbers,
        side="top",
        showgrid=False,
        tickfont={"size": 13, "color": c["ink-2"], "weight": 700},
    )
    drawn.update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=names,
        autorange="reversed",
        tickfont={"size": 13, "color": c["ink"]},
        ticksuffix="  ",
    )
    drawn.update_layout(margin={"l": 8, "r": 4, "t": 28, "b": 4})
    return drawn


def _name(label: str, tag: str, bold: bool) -> str:
    shown = f"<b>▸ {label}</b>" if bold else label
    return f"<b>{tag}</b>  {shown}" if tag else shown


def _hatching(cells: Sequence[tuple[int, int]]) -> str:
    """Return one path of slanted lines over cells, in units of the two axes."""
    lines = []
    steps = 7
    for column, row in cells:
        left, top, wide, high = column - 0.48, row - 0.46, 0.96, 0.92
        for step in range(1, 2 * steps):
            a = step / steps
            x0, y0 = (left + wide * min(a, 1), top + high * max(0, a - 1))
            x1, y1 = (left + wide * max(0, a - 1), top + high * min(a, 1))
            lines.append(f"M{x0:.3f},{y0:.3f}L{x1:.3f},{y1:.3f}")
    return "".join(lines) or "M0,0"
