"""The explorer: cards entered at the top, below them one of five views."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import dealing
from ddz_core.cards import format_cards, from_cards
from pages._kit import (
    explorer_foot,
    explorer_lists,
    explorer_quiz,
    explorer_read,
    explorer_rules,
    inputs,
    session,
)

if TYPE_CHECKING:
    from ddz_core.rules import Rules
    from pages._kit.shell import House

VIEWS = ("read", "plays", "often", "hubs", "quiz")
VIEW = "v"
"""Parameter of the address that says which view is open."""


@st.fragment
def board(house: House) -> None:
    """Draw the page; only this part of it runs again when something on it changes."""
    explorer_foot.style(house)
    rules = explorer_rules.current(house)
    say = house.words.say
    view = st.query_params.get(VIEW, "")
    st.session_state["w_view"] = view if view in VIEWS else VIEWS[0]
    with st.container(horizontal=True, vertical_alignment="center", key="views"):
        st.segmented_control(
            say("explorer.view"),
            VIEWS,
            format_func=lambda name: say(f"explorer.view.{name}"),
            key="w_view",
            required=True,
            wrap=True,
            label_visibility="collapsed",
            on_change=_chosen,
        )
        st.space("stretch")
        explorer_rules.switches(house, rules)
    view = st.session_state["w_view"]
    if view == "quiz":
        explorer_quiz.draw(house, rules)
    elif view == "often":
        explorer_lists.often(house, rules)
    elif view == "hubs":
        explorer_lists.hubs(house, rules)
    else:
        entry = entered(house, rules)
        if view == "plays":
            explorer_lists.plays(house, rules, entry)
        else:
            explorer_read.draw(house, rules, entry)


def entered(house: House, rules: Rules) -> inputs.Entry:
    """Draw the panel in which cards are entered and return what it holds."""
    say, spec = house.words.say, rules.ruleset.deal
    with st.container(border=True, key="panel_entry"):
        entry = inputs.field(house, rules, "cards", label=say("explorer.type"), keep=session.CARDS)
        with st.container(horizontal=True, gap="small", key="entry_tools"):
            for n in sorted({spec.hand, spec.hand + spec.bottom}):
                st.button(
                    say("explorer.random", n=n),
                    key=f"w_random_{n}",
                    on_click=_deal,
                    args=(rules, n),
                    type="tertiary",
                )
            st.button(
                say("explorer.clear"),
                key="w_clear",
                on_click=explorer_read.take,
                args=("",),
                type="tertiary",
                disabled=not entry.typed,
            )
    return entry


def _deal(rules: Rules, n: int) -> None:
    """Put a random hand of the game in the field, with the bottom cards if it is larger."""
    dealt = dealing.deal(rules)
    taken = dealt.hands[0] + (dealt.bottom if n > len(dealt.hands[0]) else ())
    explorer_read.take(format_cards(from_cards(taken[:n])))


def _chosen() -> None:
    st.query_params[VIEW] = str(st.session_state["w_view"])
