"""The ladder page in the application: shipped results in every language, a match played beside."""

from __future__ import annotations

import json
import time

import pytest
import streamlit as st
from test_pages import visit

from ddz_core.language import LANGUAGES
from pages._kit import jobs, session


@pytest.fixture(autouse=True)
def _fresh() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_ladder_is_shown(lang: str) -> None:
    """The page says everything in every language, without an error."""
    test = visit("ladder", lang=lang)
    assert not test.exception
    assert not test.error


def test_a_match_is_played_and_kept() -> None:
    """Started with the button, a match runs beside the page and its result stays."""
    test = visit("ladder", lang="en")
    test.selectbox(key="w_live_first").set_value("beginner").run()
    test.selectbox(key="w_live_second").set_value("random").run()
    test.button(key="w_live_start").click().run()
    for _ in range(300):
        look = jobs.runner().look(json.loads(test.session_state[session.MATCH])["job"])
        if not look.live:
            break
        time.sleep(0.2)
    test.run()
    assert look.state == "done"
    assert look.result.deals == 25
    assert look.result.win.value > 0.7
    assert not test.exception
    assert any("Beginner won" in one.value for one in test.markdown)


def test_other_rules_offer_the_bots_that_play_them() -> None:
    """Where the net was not trained for a game it cannot be chosen."""
    three = visit("ladder", lang="en").selectbox(key="w_live_first")
    assert any("taught" in option for option in three.options)
    four = visit("ladder", lang="en", rules="classic-4p").selectbox(key="w_live_first")
    assert not any("taught" in option for option in four.options)
