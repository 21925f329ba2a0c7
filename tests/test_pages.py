"""Every page, through the router, in three languages and with each ruleset."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ddz_core.errors import DdzError
from ddz_core.language import LANGUAGES, words
from pages._kit import cached, session, shell

ROOT = Path(__file__).resolve().parent.parent
PAGES = [name for group in shell.GROUPS.values() for name in group]


@pytest.fixture(autouse=True)
def _fresh_caches() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()


def router(**query: str) -> AppTest:
    """Run the application once with this address."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    for key, value in query.items():
        test.query_params[key] = value
    return test.run()


def visit(page: str, **query: str) -> AppTest:
    """Go to a page through the router."""
    return router(**query).switch_page(f"pages/{page}.py").run()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_page_runs_in_every_language(page: str, lang: str) -> None:
    """A page raises nothing, and the address decides its language."""
    test = visit(page, lang=lang)
    assert not test.exception
    assert test.session_state[session.LANG] == lang
    assert test.query_params[session.LANG] == lang


@pytest.mark.parametrize("rules", cached.ruleset_ids())
@pytest.mark.parametrize("page", PAGES)
def test_page_runs_with_every_ruleset(page: str, rules: str) -> None:
    """A page raises nothing with any ruleset, and the address decides it."""
    test = visit(page, rules=rules, lang="en")
    assert not test.exception
    assert test.session_state[session.RULES] == rules


def test_language_comes_from_the_browser_first() -> None:
    """Without an address or a session the browser's locale decides."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    test.context = {"locale": "zh-TW"}
    test.run()
    assert test.session_state[session.LANG] == "zh-Hant"


def test_choice_changes_address_and_words() -> None:
    """A language or ruleset chosen on the start page is in force at once and in the address."""
    test = router(lang="en")
    assert test.title[0].value == words("en").say("app.start.headline")
    test.button_group(key="w_lang").set_value("zh-Hant").run()
    assert test.title[0].value == words("zh-Hant").say("app.start.headline")
    assert test.query_params[session.LANG] == "zh-Hant"
    other = cached.ruleset_ids()[-1]
    test.radio(key="w_rules_all").set_value(other).run()
    assert test.query_params[session.RULES] == other
    test.switch_page("pages/table.py").run()
    assert test.session_state[session.LANG] == "zh-Hant"
    assert test.session_state[session.RULES] == other


@pytest.mark.parametrize("value", ["", "nope", "<img src=x>", "../classic", "x" * 5000])
def test_unknown_values_in_the_address_fall_back(value: str) -> None:
    """A language or ruleset that does not exist is replaced, not shown."""
    test = router(lang=value, rules=value)
    assert not test.exception
    assert test.session_state[session.RULES] == cached.ruleset_ids()[0]
    assert test.query_params[session.LANG] == "en"


def test_first_page_has_one_primary_button() -> None:
    """The start page offers one primary action, the first guided game."""
    test = router(lang="en")
    assert [button.key for button in test.button if button.proto.type == "primary"] == ["w_first"]


def test_first_game_is_one_click_away() -> None:
    """The primary button opens the table in guided mode and keeps language and ruleset."""
    test = router(lang="zh-Hans", rules="wuhan")
    test.button(key="w_first").click().run()
    assert not test.exception
    assert test.session_state[session.LANG] == "zh-Hans"
    assert test.session_state[session.RULES] == "wuhan"


def test_list_of_session_keys() -> None:
    """The session keeps these keys and no others; a new one is a decision."""
    assert session.KEYS == (
        *("memory", "remembered"),
        *("lesson_open", "learned", "own_lesson"),
        *("seat_in_class", "class_asked", "luckfree", "setting", "set_code"),
        *("claim_run", "writing"),
        *("routed", "lang", "rules", "game"),
        *("cards", "overrides", "refused", "picked", "undone", "wanted"),
        *("splits", "race", "quiz", "round"),
        *("reading", "linked", "spread", "answers", "question"),
        *("bid", "bids", "bid_asked", "match"),
        *("review", "review_job", "review_step", "review_try", "reviews"),
        *("setup", "walk", "solving", "solved", "trial", "own"),
    )


def test_session_refuses_keys_that_are_not_listed() -> None:
    """Nothing is kept under a key that the list does not name."""
    with pytest.raises(KeyError):
        session.put("draft", "x")


@pytest.mark.parametrize(
    "typed",
    [
        "**bold**",
        ":red[x] :smile: :material/home:",
        "![x](http://example.org/x.png)",
        "<script>alert(1)</script>",
        "$x^2$ `code` # head",
        "a\\*b | c",
        "&lt;b&gt;",
    ],
)
def test_what_was_typed_is_not_markup(typed: str) -> None:
    """Every sign that Markdown could read is escaped, and removing the escapes gives it back."""
    shown = shell.plain(typed).replace("\u2060", "")
    signs = [i for i, c in enumerate(shown) if c in string.punctuation and c != "\\"]
    assert all(i and shown[i - 1] == "\\" for i in signs)
    restored, i = "", 0
    while i < len(shown):
        i += shown[i] == "\\"
        restored += shown[i]
        i += 1
    assert restored == typed


def test_error_of_the_core_is_one_sentence() -> None:
    """A refused input is shown in the reader's language with what came, letter by letter."""

    def page() -> None:
        from ddz_core.errors import DdzError
        from pages._kit import session, shell

        session.put(session.LANG, "en")
        shell.refuse(
            DdzError("no", key="error.cards.character", expected="", got=":red[x]", place=1)
        )

    test = AppTest.from_function(page).run()
    assert not test.exception
    sentence = words("en").error(
        DdzError("no", key="error.cards.character", got=":red[x]", place=1)
    )
    assert test.error[0].value == shell.plain(sentence)
    assert ":red[" not in test.error[0].value
