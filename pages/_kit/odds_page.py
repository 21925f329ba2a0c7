"""The odds: the moment at the top, below it one of four views."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages._kit import (
    explorer_foot,
    odds_practice,
    odds_reading,
    odds_setup,
    odds_spread,
    odds_words,
)

if TYPE_CHECKING:
    from pages._kit.shell import House

VIEWS = ("read", "split", "spread", "practice")
VIEW = "v"
"""Parameter of the address that says which view is open."""


@st.fragment
def board(house: House) -> None:
    """Draw the page; only this part of it runs again when something on it changes."""
    explorer_foot.style(house)
    st.html(f"<style>{odds_words.style(house)}</style>")
    rules, say = house.game_rules, house.words.say
    view = st.query_params.get(VIEW, "")
    st.session_state["w_view"] = view if view in VIEWS else VIEWS[0]
    with st.container(horizontal=True, vertical_alignment="center", key="views"):
        st.segmented_control(
            say("odds.view"),
            VIEWS,
            format_func=lambda name: say(f"odds.view.{name}"),
            key="w_view",
            required=True,
            wrap=True,
            label_visibility="collapsed",
            on_change=_chosen,
        )
        st.space("stretch")
        odds_setup.source(house)
    view = st.session_state["w_view"]
    seen, rules = odds_setup.draw(house, rules)
    if view == "spread":
        odds_spread.spreads(house, rules, seen)
    elif view == "split":
        odds_spread.splits(house, rules, seen)
    elif seen is not None:
        if view == "read":
            odds_reading.draw(house, rules, seen)
        else:
            odds_practice.draw(house, rules, seen)


def _chosen() -> None:
    st.query_params[VIEW] = str(st.session_state["w_view"])
