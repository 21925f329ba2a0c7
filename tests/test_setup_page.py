"""The set-up page: what is typed stays, the rest is dealt, links open the same again."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import ddz_core as ddz
from ddz_core import cards
from ddz_core.language import LANGUAGES, words
from ddz_core.positions import Position
from ddz_core.render import handout
from pages._kit import session, setup_state

ROOT = Path(__file__).resolve().parent.parent
RULES = ddz.load_ruleset("classic")


@pytest.fixture(autouse=True)
def _fresh_caches() -> None:
    st.cache_data.clear()


def visit(lang: str = "en", **query: str) -> AppTest:
    """Open the page with this address."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    for key, value in ({"lang": lang} | query).items():
        test.query_params[key] = value
    test.run()
    test.switch_page("pages/setup.py").run()
    assert not test.exception
    return test


def fill(test: AppTest, seat: int, hand: str) -> None:
    """Type a hand."""
    test.text_input(key=f"w_set_hand_{seat}").set_value(hand).run()
    assert not test.exception


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hand_and_the_rest_at_random(lang: str) -> None:
    """One typed hand and one press make a position that holds it, with its code in the address."""
    test = visit(lang)
    fill(test, 0, "XD22AA33")
    test.button(key="w_set_deal").click().run()
    assert not test.exception
    place = ddz.decode(test.query_params[setup_state.POSITION])
    assert isinstance(place, Position)
    assert place.texts[0] == "33AA22XD"
    assert len(place.texts[1]) == 8
    before = place.texts[1]
    test.button(key="w_set_deal").click().run()
    again = ddz.decode(test.query_params[setup_state.POSITION])
    assert isinstance(again, Position)
    assert again.texts[0] == "33AA22XD"
    assert again.texts[1] != before


def test_a_surplus_card_is_named_and_nothing_is_lost() -> None:
    """Five 2s are refused by rank and place; every field keeps its text."""
    test = visit()
    fill(test, 0, "XD22AA33")
    fill(test, 1, "222")
    assert "2" in test.error[0].value
    assert "5" in test.error[0].value
    assert test.text_input(key="w_set_hand_0").value == "XD22AA33"
    assert test.text_input(key="w_set_hand_1").value == "222"


def test_a_whole_deal_goes_to_the_table() -> None:
    """A deal completed at random makes a game whose code keeps the hands, from the bidding on."""
    test = visit()
    test.button_group(key="w_set_kind").set_value("deal").run()
    fill(test, 1, "XD2222")
    test.text_input(key="w_set_bottom").set_value("333").run()
    test.button(key="w_set_deal").click().run()
    assert not test.exception
    game = ddz.decode(test.query_params[setup_state.GAME])
    assert game.phase == "auction"
    assert "XD" in cards.format_cards(game.hands[1])[-2:]
    assert cards.format_cards(cards.from_cards(game.deal.bottom)) == "333"


@pytest.mark.parametrize("rules", ["classic-4p", "hidden-5p", "emperor", "duel-2p", "laizi"])
def test_other_games_can_be_set_up(rules: str) -> None:
    """A deal and a position of games with other decks and seats come about by one press."""
    test = visit(rules=rules)
    fill(test, 0, "3")
    test.button(key="w_set_deal").click().run()
    assert not test.exception
    assert not test.error
    test.button_group(key="w_set_kind").set_value("deal").run()
    assert not test.exception
    assert setup_state.GAME in test.query_params


def test_links_open_the_same_again() -> None:
    """A link with a position fills every field as it was."""
    place = ddz.position(["KK5543", "22A"], 1, "77", rules=RULES)
    test = visit(p=ddz.encode(place))
    assert test.text_input(key="w_set_hand_0").value == "3455KK"
    assert test.text_input(key="w_set_hand_1").value == "A22"
    assert test.query_params[setup_state.POSITION] == ddz.encode(place)


@pytest.mark.parametrize("code", ["nonsense", "AAAA", "<b>x</b>"])
def test_wrong_links_are_refused(code: str) -> None:
    """A code that cannot be read leaves a sentence and an empty page."""
    assert visit(p=code).error


def test_wishes_are_dealt() -> None:
    """A seat's wish shapes its hand."""
    wish = '{"kind":"deal","wishes":{"2":{"holds":["rocket"]}}}'
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    test.session_state[session.SETTING] = wish
    test.query_params["lang"] = "en"
    test.run()
    test.switch_page("pages/setup.py").run()
    test.button(key="w_set_deal").click().run()
    assert not test.exception
    game = ddz.decode(test.query_params[setup_state.GAME])
    assert cards.format_cards(game.hands[2]).endswith("XD")


def test_the_sheet_shows_a_coachs_words_letter_by_letter() -> None:
    """The sheet holds pictures of the cards and the link, and reads no markup of a visitor."""
    place = ddz.position(["KK5543", "22A"], rules=RULES)
    page = handout.sheet(
        words("zh-Hans"), place, title="<b>x", question="<script>1", link="https://x/?p=1&q=<"
    )
    assert "<script>" not in page
    assert "<b>x" not in page
    assert page.count("<svg") == 3
    hidden = handout.sheet(words("en"), place, seat=0)
    assert hidden.count("<svg") == 1
