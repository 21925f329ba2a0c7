"""The review page: one game with its report, or several games together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages._kit import (
    bidding_words,
    explorer_foot,
    review_batch,
    review_entry,
    review_report,
    review_state,
    review_words,
)

if TYPE_CHECKING:
    from pages._kit.shell import House


@st.fragment
def board(house: House) -> None:
    """Draw the page; only this part of it runs again when something on it changes."""
    explorer_foot.style(house)
    st.html(f"<style>{bidding_words.style(house)}{review_words.style(house)}</style>")
    say = house.words.say
    view = st.query_params.get(review_state.VIEW, "")
    st.session_state["w_review_view"] = view if view in review_state.VIEWS else "one"
    st.segmented_control(
        say("review.view"),
        review_state.VIEWS,
        format_func=lambda name: say(f"review.view.{name}"),
        key="w_review_view",
        required=True,
        label_visibility="collapsed",
        on_change=_chosen,
    )
    if st.session_state["w_review_view"] == "many":
        review_batch.draw(house)
        return
    game = review_state.game()
    if game is None:
        review_entry.draw(house)
        return
    if game.rules != house.game_rules:
        st.rerun()
    review_entry.refused(house)
    review_report.draw(house, game)


def _chosen() -> None:
    st.query_params[review_state.VIEW] = str(st.session_state["w_review_view"])
