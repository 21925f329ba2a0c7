"""The children's game of bricks: throw many, see which role an arm gets."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import brick
from ddz_core.plots import roles
from pages._kit import explorer_foot

if TYPE_CHECKING:
    from ddz_core.brick import Throws
    from pages._kit.shell import House

THROWS = 10_000
SEED = 1
_INK = {
    False: {
        "ground": "#CFDDD3",
        "ink": "#1C2B26",
        "ink2": "#3B4E47",
        "hit": "#7A2E5D",
        "brick": "#FFFEFA",
    },
    True: {
        "ground": "#1F302B",
        "ink": "#ECE7DB",
        "ink2": "#B9C6BF",
        "hit": "#D9A4C5",
        "brick": "#2E4640",
    },
}


def draw(house: House) -> None:
    """Draw the arm's two sliders, the ground with some throws, and how often each role is hit."""
    say = house.words.say
    left, right = st.columns(2)
    with left, st.container(border=True, key="panel_ground"):
        st.header(say("rules.brick.throw"), anchor=False)
        strength = st.slider(
            say("rules.brick.strength"), *brick.STRENGTHS, 5.2, 0.1, format="%.1f m", key="w_arm"
        )
        spread = st.slider(
            say("rules.brick.spread"), *brick.SPREADS, 0.5, 0.05, format="%.2f m", key="w_spread"
        )
        found = brick.throws(strength, spread, n=THROWS, seed=SEED)
        st.image(ground_svg(house, found), width="stretch", alt=say("rules.brick.ground"))
        st.html(f'<p class="paili-note">{escape(say("rules.brick.ground"))}</p>')
    with right, st.container(border=True, key="panel_roles"):
        st.header(say("rules.brick.roles"), anchor=False)
        figure = roles.figure(
            found.shares,
            name=lambda role: say(f"rules.brick.role.{role}"),
            theme="dark" if house.dark else "light",
        )
        st.plotly_chart(figure, theme=None, config={"displayModeBar": False}, key="roles")
        hits = {role: one.value for role, one in found.shares.items() if role != brick.MISS}
        most = max(hits, key=lambda role: hits[role])
        missed = round(100 * found.shares[brick.MISS].value)
        name, share = say(f"rules.brick.role.{most}"), round(100 * hits[most])
        st.text(say("rules.brick.reads", role=name, share=share, miss=missed))
        st.html(f'<p class="paili-note">{escape(say("rules.brick.model"))}</p>')
        _foot(house, found)


def _foot(house: House, found: Throws) -> None:
    say = house.words.say
    rows = [
        {
            say("rules.col.role"): say(f"rules.brick.role.{role}"),
            say("rules.col.chance"): one.value,
            say("rules.col.low"): one.low,
            say("rules.col.high"): one.high,
        }
        for role, one in found.shares.items()
    ]
    code = "\n".join(
        [
            "from ddz_core import brick",
            "",
            f"brick.throws({found.strength}, {found.spread}, n={THROWS}, seed={SEED}).shares",
        ]
    )
    explorer_foot.foot(house, "bricks", rows, code, method="sampled", n=THROWS, seed=SEED)


def ground_svg(house: House, found: Throws) -> str:
    """Draw the ground from above: bricks as they stand and where the first throws came down."""
    c, say = _INK[house.dark], house.words.say
    far, near, wide, scale = 8.2, 3.4, 1.6, 100.0

    def at(distance: float, side: float) -> tuple[float, float]:
        return (distance - near) * scale, (wide + side) * scale

    width, height = (far - near) * scale, 2 * wide * scale
    parts = [f'<rect width="{width:.0f}" height="{height:.0f}" rx="14" fill="{c["ground"]}"/>']
    for metres in (4, 5, 6, 7, 8):
        x, _ = at(metres, 0)
        parts.append(
            f'<path d="M{x:.0f} 0V{height - 30:.0f}" stroke="{c["ink2"]}" stroke-opacity=".25"/>'
            f'<text x="{x:.0f}" y="{height - 9:.0f}" font-size="19" text-anchor="middle" '
            f'font-family="sans-serif" fill="{c["ink2"]}">{metres} m</text>'
        )
    for distance, side, hit in found.landed:
        if near < distance < far and abs(side) < wide - 0.25:
            x, y = at(distance, side)
            fill = c["hit"] if hit != brick.MISS else "none"
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{fill}" fill-opacity=".7" '
                f'stroke="{c["hit"]}" stroke-width="1"/>'
            )
    for number, one in enumerate(brick.BRICKS, start=1):
        x, y = at(one.distance, one.side)
        parts.append(
            f'<rect x="{x - 11:.1f}" y="{y - 13:.1f}" width="22" height="26" rx="3" '
            f'fill="{c["brick"]}" stroke="{c["ink"]}" stroke-width="1.5"/>'
            f'<text x="{x:.1f}" y="{y + 6.5:.1f}" font-size="18" font-weight="700" '
            f'font-family="sans-serif" text-anchor="middle" fill="{c["ink"]}">{number}</text>'
        )
    label = escape(say("rules.brick.ground"), quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'role="img" aria-label="{label}">{"".join(parts)}</svg>'
    )
