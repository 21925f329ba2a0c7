"""The bidding page in the application: a hand played out, calls before, drill, hands to order."""

from __future__ import annotations

import json
import time

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from test_pages import visit

from ddz_core import calibration
from ddz_core.language import LANGUAGES
from pages._kit import bidding_live, jobs, session

HAND = "345677899TJJQKK2D"


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    st.cache_data.clear()
    st.cache_resource.clear()
    monkeypatch.setattr(bidding_live, "DEALS", (1_000, 2_000))
    monkeypatch.setattr(bidding_live, "GAMES", (6,))


def finished(test: AppTest) -> AppTest:
    """Run the page until the deals are played."""
    for _ in range(400):
        job = json.loads(test.session_state[session.BID])["job"]
        if not jobs.runner().look(job).live:
            return test.run()
        time.sleep(0.2)
    raise AssertionError("the deals were not played")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hand_is_played_out(lang: str) -> None:
    """With a hand in the address the page says everything, in every language, without an error."""
    test = finished(visit("bidding", c=HAND, lang=lang))
    assert not test.exception
    assert not test.error
    look = jobs.runner().look(json.loads(test.session_state[session.BID])["job"])
    assert look.state == "done"
    assert look.result.report.hand == HAND
    assert look.result.spread is not None


def test_another_place_asks_anew_and_more_deals_can_be_had() -> None:
    """A change of seat starts another job; the button for more deals a longer one."""
    test = finished(visit("bidding", c=HAND, lang="en"))
    first = json.loads(test.session_state[session.BID])
    test.button(key="w_bid_more").click().run()
    more = json.loads(test.session_state[session.BID])
    assert (more["deals"], more["asked"]) == (2_000, first["asked"])
    test.button_group(key="w_seat_3").set_value(1).run()
    later = json.loads(test.session_state[session.BID])
    assert later["asked"][2:] == [1, ["pass"]]
    assert not finished(test).exception


@pytest.mark.parametrize("cards", ["33333456789TJQKA2", "345", "34?", "<b>", "D" * 300])
def test_hands_that_cannot_be_start_nothing(cards: str) -> None:
    """A surplus card, too few cards, signs that are none: one sentence, and no simulation."""
    test = visit("bidding", c=cards, lang="en")
    assert not test.exception
    assert len(test.error) + len(test.info) == 1
    assert session.BID not in test.session_state


def test_a_hand_is_judged_first_and_kept() -> None:
    """The drill keeps what was stated once, shows the chance, and goes on to another hand."""
    test = visit("bidding", v="drill", lang="en")
    assert not test.exception
    number = test.session_state[session.BID_ASKED]
    test.slider(key=f"w_drill_state_{number}").set_value(35).run()
    test.button(key="w_drill_reveal").click().run()
    assert not test.exception
    kept = calibration.read_answers(test.session_state[session.BIDS])
    assert [one.stated for one in kept] == [35]
    assert 0 <= kept[0].chance <= 1
    test.button(key="w_drill_next").click().run()
    assert test.session_state[session.BID_ASKED] != number
    assert len(calibration.read_answers(test.session_state[session.BIDS])) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_study_is_shown(lang: str) -> None:
    """The view of the two methods draws, with and without a hand."""
    for more in ({}, {"c": HAND}):
        test = visit("bidding", v="methods", lang=lang, **more)
        assert not test.exception
        assert not test.error


def test_house_rules_are_played() -> None:
    """With kinds switched off, a game for which no table ships, the page plays the hand out too."""
    test = visit("bidding", c=HAND, lang="en", overrides='{"kinds.off":["four_two_singles"]}')
    assert not finished(test).exception


@pytest.mark.parametrize(
    ("rules", "hand"),
    [
        ("laizi", "35666778899JQKKA2"),
        ("er-da-yi", "3566677899JQKKA222"),
        ("jiujiang", "3333444455556789TTJJQQKA2"),
        ("ningbo", "3345678999TTTJJQQKKAA2267"),
    ],
)
def test_whole_games_where_the_fast_simulation_lacks_something(rules: str, hand: str) -> None:
    """Chance and calls are shown, what needs the fast simulation is left out with its reason."""
    test = finished(visit("bidding", c=hand, rules=rules, lang="en"))
    assert not test.exception
    assert not test.error
    look = jobs.runner().look(json.loads(test.session_state[session.BID])["job"])
    assert look.state == "done"
    assert look.result.report.games
    assert look.result.report.rules == rules
    drill = visit("bidding", v="drill", rules=rules, lang="en")
    assert not drill.exception
    assert len(drill.error) == 1
