"""The page of rules by its widgets: systems, differences, house rules in force, scores, bricks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ddz_core import tabletop
from ddz_core.language import words
from pages._kit import cached, rules_page, session

ROOT = Path(__file__).resolve().parent.parent


def page(view: str = "atlas", name: str = "rules", **query: str) -> AppTest:
    """Open a view of the page of rules, or another page, through the router."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    for key, value in {"lang": "en", "v": view, **query}.items():
        test.query_params[key] = value
    test.switch_page(f"pages/{name}.py")
    for key, value in {"lang": "en", "v": view, **query}.items():
        test.query_params[key] = value
    test.run()
    assert not test.exception
    return test


def shown(test: AppTest) -> str:
    """Return all markup of a page."""
    return " ".join(element.proto.body for element in test.get("html"))


@pytest.mark.parametrize("view", rules_page.VIEWS)
def test_every_view_stands(view: str) -> None:
    """Each view stands in a language whose texts are made by machine."""
    test = page(view, lang="zh-Hant")
    assert not test.error
    assert test.button_group(key="w_rules_view").value == view


@pytest.mark.parametrize("rules", cached.ruleset_ids())
def test_every_system_is_described(rules: str) -> None:
    """The atlas tells each game's story and marks its lines, and offers to play it."""
    test = page(s=rules)
    text = shown(test)
    assert words("en").say("rules.story.origin") in text
    assert words("en").say("atlas.prov.stated") in text
    assert any(button.key == "w_play_this" for button in test.button)


def test_play_this_opens_the_table_with_that_ruleset() -> None:
    """The button of a system puts it in force and deals it."""
    test = page(s="jinyou")
    test.button(key="w_play_this").click().run()
    assert not test.exception
    assert test.session_state[session.RULES] == "jinyou"


def test_house_rule_is_in_force_and_in_the_address() -> None:
    """A switch changes the game of the session, its name and its link at once."""
    test = page("house")
    test.toggle(key="w_option_kickers.both_jokers_").set_value(True).run()
    assert not test.exception
    assert json.loads(test.session_state[session.HOUSE_RULES]) == {"kickers.both_jokers": True}
    assert json.loads(test.query_params[session.HOUSE_RULES]) == {"kickers.both_jokers": True}
    test.run()
    assert words("en").say("app.rules.changed", name="Classic, three players") in shown(test)
    test.toggle(key="w_option_kickers.both_jokers_").set_value(False).run()
    assert test.session_state[session.HOUSE_RULES] == ""
    assert session.HOUSE_RULES not in test.query_params


def test_kinds_are_switched_one_by_one() -> None:
    """A kind taken out stands in the house rules; putting it back leaves none."""
    test = page("house")
    test.toggle(key="w_option_kinds.off_triple_pair").set_value(False).run()
    test.toggle(key="w_option_kinds.off_bomb").set_value(False).run()
    kept = json.loads(test.session_state[session.HOUSE_RULES])
    assert kept == {"kinds.off": ["triple_pair", "bomb"]}
    test.toggle(key="w_option_kinds.off_bomb").set_value(True).run()
    test.toggle(key="w_option_kinds.off_triple_pair").set_value(True).run()
    assert test.session_state[session.HOUSE_RULES] == ""


def test_contradiction_is_named_and_nothing_lost() -> None:
    """A refused switch names both fields, keeps the wish, and the game stays as it was."""
    test = page("house", g_rules="deal", overrides='{"score.spring":2}')
    test.number_input(key="w_option_deal.hand_").set_value(16).run()
    assert json.loads(test.session_state[session.HOUSE_RULES]) == {"score.spring": 2}
    said = test.error[0].value + " ".join(text.value for text in test.text)
    assert "deal" in said
    assert "deck" in said
    assert test.number_input(key="w_option_deal.hand_").value == 16
    test.number_input(key="w_option_deal.bottom_").set_value(6).run()
    assert json.loads(test.session_state[session.HOUSE_RULES]) == {
        "deal.bottom": 6,
        "deal.hand": 16,
        "score.spring": 2,
    }
    assert not test.error


def test_undo_takes_back_one_change() -> None:
    """Each change has a way back, and all of them one."""
    both = '{"kickers.both_jokers":true,"score.spring":3}'
    test = page("house", overrides=both)
    test.button(key="w_undo_score.spring").click().run()
    assert json.loads(test.session_state[session.HOUSE_RULES]) == {"kickers.both_jokers": True}
    test.button(key="w_house_plain").click().run()
    assert test.session_state[session.HOUSE_RULES] == ""


def test_link_carries_house_rules_to_the_table() -> None:
    """A table opened by a link with house rules plays by them, also after a new deal."""
    test = page(name="table", rules="classic", overrides='{"score.spring":3}', plain="1")
    table = tabletop.restore(test.session_state[session.GAME])
    assert table.game.rules.overrides == {"score.spring": 3}
    assert json.loads(test.query_params[session.HOUSE_RULES]) == {"score.spring": 3}


@pytest.mark.parametrize(
    "sent",
    [
        "{",
        "[1]",
        '{"no.such":1}',
        '{"deal.hand":16}',
        '{"score.spring":"x"}',
        "x" * 9_000,
        "{" * 500,
    ],
)
def test_bad_house_rules_in_a_link_are_refused(sent: str) -> None:
    """What the ruleset refuses is told in one sentence and never in force."""
    test = page(rules="classic", overrides=sent)
    assert test.session_state[session.HOUSE_RULES] == ""
    assert session.HOUSE_RULES not in test.query_params
    assert len(test.error) == 1


def test_another_ruleset_begins_as_it_is_written() -> None:
    """Choosing another ruleset sets all its options: house rules of the old one are gone."""
    test = page("house", overrides='{"score.spring":3}')
    test.radio(key="w_rules").set_value("wuhan").run()
    assert test.session_state[session.RULES] == "wuhan"
    assert test.session_state[session.HOUSE_RULES] == ""


def test_calculator_shows_the_worked_example() -> None:
    """Bid 3, two bombs and a rocket: 24 from each farmer, 48 in all, step by step."""
    test = page("score")
    test.text_input(key="w_fact_bombs_classic").set_value("8888 9999 XD").run()
    assert not test.exception
    text = shown(test)
    assert "+48" in text
    assert "−24" in text
    assert text.count("×2") >= 3


def test_calculator_refuses_what_cannot_be() -> None:
    """Cards that are no bomb are told, and nothing is shown as a result."""
    test = page("score")
    test.text_input(key="w_fact_bombs_classic").set_value("777").run()
    assert len(test.error) == 1
    test.text_input(key="w_fact_bombs_classic").set_value("<img src=x>").run()
    assert not test.exception
    assert len(test.error) == 1


def test_calculator_asks_what_the_ruleset_adds() -> None:
    """Only a game with a raise asks for it, and it changes that seat alone."""
    assert not [g for g in page("score").get("button_group") if g.key == "w_fact_factor_1_jinyou"]
    test = page("score", rules="jinyou")
    test.text_input(key="w_fact_bombs_jinyou").set_value("").run()
    test.button_group(key="w_fact_factor_1_jinyou").set_value(4).run()
    assert "−12" in shown(test)
    assert "+15" in shown(test)


def test_bricks_are_thrown() -> None:
    """The children's game has its entry and its throws, and no table."""
    test = page(s="brick")
    assert not test.exception
    assert [slider.key for slider in test.slider] == ["w_arm", "w_spread"]
    assert not any(button.key == "w_play_this" for button in test.button)
    test.slider(key="w_arm").set_value(4.6).run()
    assert words("en").say("rules.brick.role.landlord") in " ".join(t.value for t in test.text)


@pytest.mark.parametrize("value", ["<b>"])
def test_unknown_choices_in_the_address_fall_back(value: str) -> None:
    """A view, system or group that does not exist is replaced."""
    test = page(value, s=value, a=value, b=value)
    assert test.selectbox(key="w_system").value == "classic"
    page("compare", a=value, b=value)
    page("house", g_rules=value)


def test_calculator_adds_where_the_ruleset_adds() -> None:
    """The worked example of the four-player room: five and one small bombs make 6, not 7."""
    test = page("score", rules="arena-4p")
    bombs = "3333 4444 5555 6666 7777 88888"
    test.text_input(key="w_fact_bombs_arena-4p").set_value(bombs)
    test.number_input(key="w_fact_room_arena-4p").set_value(1000).run()
    assert not test.exception
    text = shown(test)
    assert text.count("<td>+1</td>") == 6
    for amount in ("+54", "−18", "+48600", "−18000"):
        assert amount in text


def test_lists_of_numbers_are_switches_too() -> None:
    """A straight may be made shorter or longer; what is no number is told and kept as typed."""
    test = page("house")
    key = "w_option_play.kind.straight.body.run_"
    test.text_input(key=key).set_value("6, 12").run()
    assert json.loads(test.session_state[session.HOUSE_RULES]) == {
        "play.kind.straight.body.run": [6, 12]
    }
    test.text_input(key=key).set_value("6, x").run()
    assert len(test.error) == 1
    assert test.text_input(key=key).value == "6, x"
    assert json.loads(test.session_state[session.HOUSE_RULES]) == {
        "play.kind.straight.body.run": [6, 12]
    }
