"""The table's page without a browser: plain play, the address, forms, and what cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import ddz_core as ddz
from ddz_core import tabletop
from ddz_core.language import LANGUAGES, words
from pages._kit import session, table_tools

ROOT = Path(__file__).resolve().parent.parent


def code(rules: str = "classic", seed: int = 7) -> str:
    """The code of a game just dealt."""
    known = ddz.load_ruleset(rules)
    return ddz.encode(ddz.new_game(known, ddz.deal(known, seed=seed)))


def visit(**query: str) -> AppTest:
    """The table's page with this address, through the router."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    for key, value in {"lang": "en", **query}.items():
        test.query_params[key] = value
    return test.run().switch_page("pages/table.py").run()


def game(test: AppTest) -> ddz.Game:
    """The game on the table."""
    return tabletop.restore(test.session_state[session.GAME]).game


def press(test: AppTest, label: str) -> AppTest:
    """Press the button with this label."""
    return next(b for b in test.button if b.label == label).click().run()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_plain_page_plays_to_the_score(lang: str) -> None:
    """Buttons for bids, typed cards for plays: a whole game, the address following it."""
    say = words(lang).say
    test = visit(lang=lang, plain="1", g=code(), seat="0")
    for _ in range(80):
        assert not test.exception
        now = game(test)
        if now.outcome is not None:
            break
        if now.phase == "auction":
            press(test, say("table.bid.pass"))
        elif now.to_beat is not None:
            press(test, say("table.js.pass"))
        else:
            test.text_input(key="w_typed").input(now.hand_text(0)[0])
            press(test, say("table.js.play"))
        assert ddz.decode(test.query_params["g"]).history == game(test).history
    assert game(test).outcome is not None
    assert any(say("table.tool.again") == button.label for button in test.button)


def test_typed_cards_that_cannot_be_played_stay_in_the_field() -> None:
    """A refused play says why, plays nothing and keeps what was typed."""
    test = visit(plain="1", g=code(), seat="0")
    while game(test).phase == "auction":
        press(test, words("en").say("table.bid.pass"))
    before = game(test)
    test.text_input(key="w_typed").input("3З4")
    press(test, words("en").say("table.js.play"))
    assert game(test) == before
    assert test.text_input(key="w_typed").value == "3З4"
    assert any("З" in error.value for error in test.error)


@pytest.mark.parametrize("broken", [code()[:-2], code()[:9], "!!!", "A" * 900, code() + "x"])
def test_a_code_that_cannot_be_read_is_one_sentence(broken: str) -> None:
    """A cut, altered or overlong code says so; a table is there all the same."""
    test = visit(plain="1", g=broken)
    assert not test.exception
    assert len(test.error) == 1
    assert test.session_state[session.GAME]


def test_a_game_of_other_rules_puts_them_in_force() -> None:
    """A link to a game of another ruleset shows that ruleset on every page."""
    test = visit(plain="1", g=code("wuhan"), rules="classic")
    assert test.session_state[session.RULES] == "wuhan"
    assert game(test).rules.id == "wuhan"


def test_choosing_other_rules_deals_a_game_of_them() -> None:
    """The ruleset chosen in the strip is the one that is dealt."""
    test = visit(plain="1", g=code(), seat="0")
    press(test, words("en").say("table.bid.pass"))
    test.radio(key="w_rules").set_value("wuhan").run()
    assert game(test).rules.id == "wuhan"
    assert len(json.loads(test.session_state[session.GAME])["past"]) == 1


def test_the_first_game_is_guided() -> None:
    """The start page's button opens a guided game."""
    test = visit(plain="1", guided="1")
    assert tabletop.restore(test.session_state[session.GAME]).guided


def test_a_code_is_found_in_a_link() -> None:
    """A whole link, or the code alone, opens the same game."""
    bare = code()
    assert table_tools.code_of(f"http://host/table?lang=en&g={bare}&seat=1") == bare
    assert table_tools.code_of(bare) == bare


def test_what_could_not_be_opened_is_said_until_something_else_is_asked() -> None:
    """The sentence outlasts the runs in between, in which bots act, and goes with the next code."""
    test = visit(plain="1", g=code())
    test.session_state["w_open_save"] = True
    test.run()
    opening = words("en").say("table.save.open")
    test.text_input(key="w_code").input(code(seed=8)[:-2])
    [b for b in test.button if b.label == opening][-1].click().run()
    assert "cut" in test.error[0].value
    assert test.run().error[0].value
    assert game(test).deal.seed == 7
    test.text_input(key="w_code").input(code(seed=8))
    [b for b in test.button if b.label == opening][-1].click().run()
    assert not test.error
    assert game(test).deal.seed == 8


def test_the_drawn_table_gets_its_data() -> None:
    """Without the plain page the component is sent the hand of the person's seat."""
    test = visit(g=code(), seat="1")
    sent = json.loads(test.get("bidi_component")[0].proto.json)
    deal = ddz.deal(ddz.load_ruleset("classic"), seed=7)
    assert [card["code"] for card in sent["hand"]] == [c.rank for c in reversed(deal.hands[1])]
    hidden = {str(card) for card in deal.hands[0]}
    assert not hidden & {card["id"] for card in sent["hand"]}
