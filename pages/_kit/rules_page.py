"""Rules and variants: one of four views, the atlas first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages._kit import (
    explorer_foot,
    house_rules,
    rules_atlas,
    rules_compare,
    rules_house,
    rules_score,
)

if TYPE_CHECKING:
    from pages._kit.shell import House

VIEWS = ("atlas", "compare", "house", "score")
VIEW = "v"
"""Parameter of the address that says which view is open."""

_STYLE = """
.stApp ul.paili-rules { list-style: none; margin: 0; padding: 0; font-size: .9375rem; }
.stApp ul.paili-rules li { padding: .45rem 0; border-bottom: 1px solid %(line)s; margin: 0; }
.stApp ul.paili-rules li:last-child { border-bottom: 0; }
.paili-rules small, .paili-diff small, .paili-kinds small { display: block; font-size: .8125rem;
  color: %(ink2)s; line-height: 1.45; }
.paili-rules .paili-tag, .paili-kinds .paili-tag, .paili-diff .paili-tag {
  font-size: .78125rem; font-weight: 600; margin-left: .4rem; }
.paili-kinds { display: grid; gap: .9rem 1.1rem; font-size: .9375rem; }
.paili-kinds { grid-template-columns: repeat(auto-fill, minmax(min(100%%, 20rem), 1fr)); }
.paili-kinds > div { display: flex; flex-direction: column; gap: .35rem; }
.paili-kinds > div > p { margin: 0; flex: 1; }
.paili-kinds .off { opacity: .75; }
.paili-lane { display: block; width: 100%%; max-width: 22rem; border-radius: 14px; }
.paili-story { max-width: 44rem; font-size: 1rem; line-height: 1.6; }
.paili-story .part { font: 700 1.0625rem/1.35 Georgia, "Songti SC", "Source Han Serif SC",
  "Noto Serif CJK SC", serif; margin: .75rem 0 .1rem; padding: 0; }
.paili-story p:not(.part) { margin: 0 0 .4rem; }
.paili-diff { display: grid; grid-template-columns: 9.5rem 1fr 1fr; gap: .35rem 1.25rem;
  font-size: .9375rem; padding: .7rem 0; border-bottom: 1px solid %(line)s; }
.paili-diff > .name { font-weight: 700; }
.paili-diff > .eg { grid-column: 2 / 4; font-size: .875rem; color: %(ink)s; background: %(sunk)s;
  border-radius: 10px; padding: .4rem .75rem; }
.paili-diff:last-child { border-bottom: 0; }
.paili-diff.head { font-weight: 700; border-bottom: 1px solid %(line2)s; padding: 0 0 .35rem; }
.paili-help { font-size: .84375rem; line-height: 1.5; color: %(ink2)s; margin: 0 0 .3rem; }
.paili-help b { color: %(ink)s; font-weight: 600; }
.paili-sum { width: 100%%; max-width: 30rem; border-collapse: collapse; font-size: .9375rem; }
.paili-sum td { padding: .35rem .25rem; border-bottom: 1px solid %(line)s; }
.paili-sum td:last-child { text-align: right; font-weight: 700;
  font-variant-numeric: tabular-nums; }
.paili-sum tr.key td { border-top: 1.5px solid %(line2)s; font-weight: 700; }
@media (max-width: 640px) {
  .paili-diff { grid-template-columns: 1fr 1fr; gap: .35rem .9rem; }
  .paili-diff > .name { grid-column: 1 / 3; }
  .paili-diff > .eg { grid-column: 1 / 3; }
  .paili-diff.head > .name { display: none; }
}
"""
_COLOURS = {
    False: {"line": "#DED6C6", "line2": "#857D6D", "ink": "#1C282D", "ink2": "#48565B"}
    | {"sunk": "#F1ECE1"},
    True: {"line": "#313D40", "line2": "#71807C", "ink": "#ECE7DB", "ink2": "#BCC1BB"}
    | {"sunk": "#0D1315"},
}


def board(house: House) -> None:
    """Draw the view that the address asks for."""
    explorer_foot.style(house)
    st.html(f"<style>{_STYLE % _COLOURS[house.dark]}</style>")
    _views(house)


@st.fragment
def _views(house: House) -> None:
    """Draw the choice of a view and the view; only this part runs again."""
    if house_rules.in_force() != house.game_rules:
        st.rerun()
    say = house.words.say
    view = st.query_params.get(VIEW, "")
    st.session_state["w_rules_view"] = view if view in VIEWS else VIEWS[0]
    st.segmented_control(
        say("rules.view"),
        VIEWS,
        format_func=lambda name: say(f"rules.view.{name}"),
        key="w_rules_view",
        required=True,
        wrap=True,
        label_visibility="collapsed",
        on_change=_chosen,
    )
    draw = {
        "atlas": rules_atlas.draw,
        "compare": rules_compare.draw,
        "house": rules_house.draw,
        "score": rules_score.draw,
    }
    draw[st.session_state["w_rules_view"]](house)


def _chosen() -> None:
    st.query_params[VIEW] = str(st.session_state["w_rules_view"])
