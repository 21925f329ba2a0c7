"""The pattern explorer and the hand surgeon through the router, as far as plain widgets go."""

from __future__ import annotations

import io
import json
import time
from contextlib import redirect_stdout
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ddz_core import quiz, surgeon
from ddz_core.language import LANGUAGES, words
from ddz_core.rules import load_ruleset
from pages._kit import session

ROOT = Path(__file__).resolve().parent.parent
AMBIGUOUS = "333444555666"
HAND = "3334455667789TJJQKA2"


@pytest.fixture(autouse=True)
def _fresh_caches() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()


def visit(page: str, **query: str) -> AppTest:
    """Go to a page through the router, its address as given."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=90)
    for key, value in query.items():
        test.query_params[key] = value
    test.run()
    test.switch_page(f"pages/{page}.py")
    for key, value in query.items():
        test.query_params[key] = value
    return test.run()


def address(test: AppTest, name: str) -> str:
    """Return one text that the address carries."""
    carried = test.query_params[name]
    return carried if isinstance(carried, str) else carried[0]


def markup(test: AppTest) -> str:
    """Return all markup and text of the page."""
    found = [element.proto.body for element in test.get("html")]
    return " ".join([*found, *(m.value for m in test.markdown), *(t.value for t in test.text)])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("view", ["read", "plays", "often", "hubs", "quiz"])
def test_every_view_speaks_every_language(view: str, lang: str) -> None:
    """Each view of the explorer runs with a shared hand and raises nothing."""
    test = visit("explorer", c=AMBIGUOUS, v=view, lang=lang)
    assert not test.exception
    assert test.session_state[session.CARDS] == AMBIGUOUS


def test_link_shows_every_reading() -> None:
    """A shared address shows the readings with their counts, and the code that gives them runs."""
    test = visit("explorer", c=AMBIGUOUS, lang="en")
    assert not test.exception
    shown = markup(test)
    assert words("en").say("explorer.head", n=12, k=3) in shown
    assert ">8</td>" in shown
    assert ">5</td>" in shown


def test_typed_and_tapped_are_one() -> None:
    """What is typed shows in the cells, what is tapped in the text, and both in the address."""
    test = visit("explorer", lang="en")
    test.text_input(key="w_cards").set_value("3 3 3").run()
    assert test.query_params["c"] == "3 3 3"
    test.button(key="w_cards_rank_4").click().run()
    assert test.text_input(key="w_cards").value == "3334"
    assert test.session_state[session.CARDS] == "3334"
    assert "×3" in test.button(key="w_cards_rank_3").label
    test.text_input(key="w_cards").set_value("33Z").run()
    assert test.text_input(key="w_cards").value == "33Z"
    assert len(test.error) == 1
    assert "Z" in test.error[0].value
    test.button(key="w_clear").click().run()
    assert test.text_input(key="w_cards").value == ""
    assert "c" not in test.query_params


def test_surplus_card_is_named_and_marked() -> None:
    """Five threes: one sentence names the rank, and its cell is the marked one."""
    test = visit("explorer", c="33333", lang="en")
    assert not test.exception
    assert len(test.error) == 1
    assert "3" in test.error[0].value
    assert test.button(key="w_cards_surplus_3").label.startswith("**3**")


def test_no_combination_says_why_and_offers_the_nearest() -> None:
    """Cards that are nothing give a reason, nearest legal cards and the switch that allows them."""
    test = visit("explorer", c="44445555", lang="en")
    assert not test.exception
    assert words("en").say("explorer.head.none", n=8) in markup(test)
    nearest = [b for b in test.button if (b.key or "").startswith("w_nearest_")]
    assert nearest
    test.button(key="w_set_kickers.main_rank").click().run()
    assert not test.exception
    assert words("en").say("explorer.head.one", n=8) in markup(test)
    nearest_free = visit("explorer", c="35", lang="en")
    nearest_free.button(
        key=next(b.key for b in nearest_free.button if (b.key or "").startswith("w_nearest_"))
    ).click().run()
    assert words("en").say("explorer.head.none", n=2) not in markup(nearest_free)


def test_plays_are_filtered_on_the_page() -> None:
    """The number shown is that of the core, with a filter as without."""
    rules = load_ruleset("classic")
    test = visit("explorer", c="33344456", v="plays", lang="en")
    every = len(rules.moves("33344456"))
    assert words("en").say("explorer.plays.head", n=every) in markup(test)
    test.text_input(key="w_plays_beat").set_value("44").run()
    fewer = len(rules.moves("33344456", beat="44"))
    expected = (
        words("en").say("explorer.plays.head", n=fewer)
        if fewer
        else words("en").say("explorer.plays.empty")
    )
    assert expected in markup(test)
    test.text_input(key="w_plays_beat").set_value("35").run()
    assert not test.exception
    assert len(test.error) == 1


def test_quiz_round_is_answered_and_remembered() -> None:
    """Twenty answers end the round; progress counts them; a late or double answer does nothing."""
    test = visit("explorer", v="quiz", lang="en")
    test.button(key="w_quiz_start").click().run()
    assert not test.exception
    for at in range(quiz.QUESTIONS):
        choices = [b for b in test.button if (b.key or "").startswith(f"w_quiz_{at}_")]
        assert len(choices) == quiz.CHOICES + 1
        choices[0].click().run()
        assert not test.exception
    now = json.loads(test.session_state[session.ROUND])
    assert now["at"] == quiz.QUESTIONS
    assert now["ended"] > 0
    progress = quiz.read(test.session_state[session.QUIZ])
    assert sum(item.asked for item in progress.items.values()) == quiz.QUESTIONS
    assert test.button(key="w_quiz_again")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_surgeon_shows_two_splits_of_a_link(lang: str) -> None:
    """A shared hand opens with its fewest plays and two splits that are that hand."""
    test = visit("surgeon", c=HAND, lang=lang)
    assert not test.exception
    kept = test.session_state[session.SPLITS].split("\n")
    assert len(kept) == 2
    assert all(sorted(text.replace(" ", "")) == sorted(HAND) for text in kept)
    assert words(lang).say("surgeon.fewest", n=4) in markup(test)
    data = [json.loads(c.proto.json) for c in test.get("bidi_component")]
    groups = [d for d in data if "groups" in d]
    assert len(groups) == 2


def test_typed_groups_change_the_split() -> None:
    """Groups typed are in force when they are the hand; others stay typed with one sentence."""
    test = visit("surgeon", c="34567899", lang="en")
    test.text_input(key="w_groups_0").set_value("3456789 9").run()
    assert test.session_state[session.SPLITS].split("\n")[0] == "3456789 9"
    test.text_input(key="w_groups_0").set_value("34567 89").run()
    assert not test.exception
    assert test.text_input(key="w_groups_0").value == "34567 89"
    assert len(test.error) == 1
    assert test.session_state[session.SPLITS].split("\n")[0] == "3456789 9"


def test_surgeon_link_reopens_the_view() -> None:
    """The address carries changed splits, the role and cards seen; of another hand, none do."""
    test = visit("surgeon", c="34567899", lang="en")
    assert "d" not in test.query_params
    test.text_input(key="w_groups_0").set_value("3456789 9").run()
    test.text_input(key="w_played").set_value("KKAA").run()
    test.button_group(key="w_role_3").set_value("before").run()
    link = {name: address(test, name) for name in ("c", "d", "role", "seen")}
    assert (link["role"], link["seen"]) == ("before", "KKAA")
    again = visit("surgeon", lang="en", **link)
    assert not again.exception
    assert again.session_state[session.SPLITS].split("\n")[0] == "3456789 9"
    assert again.text_input(key="w_played").value == "KKAA"
    assert again.session_state["w_role_3"] == "before"
    other = visit("surgeon", lang="en", c="33445566", d="<b>|" + "3 " * 900, role="x", seen="<i>")
    assert not other.exception
    assert "d" not in other.query_params


def test_explorer_link_carries_seen_cards_and_the_hand_asked() -> None:
    """Cards seen and another hand come back with the link that shows them."""
    test = visit("explorer", c="34567", lang="en")
    test.text_input(key="w_seen").set_value("888").run()
    test.text_input(key="w_asked").set_value("56789TT").run()
    link = {name: address(test, name) for name in ("c", "seen", "asked")}
    again = visit("explorer", lang="en", **link)
    assert not again.exception
    assert (again.text_input(key="w_seen").value, again.text_input(key="w_asked").value) == (
        "888",
        "56789TT",
    )


@pytest.mark.parametrize(("lang", "name"), [("en", "Cards"), ("zh-Hans", "牌"), ("zh-Hant", "牌")])
def test_a_surplus_card_is_refused_in_the_words_of_the_reader(lang: str, name: str) -> None:
    """The sentence begins with the field's name in the language of the page and has the rank."""
    for page in ("explorer", "surgeon"):
        test = visit(page, c="99999", lang=lang)
        sentence = test.error[0].value.replace("\\", "")
        assert sentence.startswith(name)
        assert {"5", "9", "4"} <= set(sentence)


def test_race_runs_beside_the_page() -> None:
    """The button starts the race, and its result and code come to stand on the page."""
    test = visit("surgeon", c=HAND, lang="en")
    test.button(key="w_race").click().run()
    assert not test.exception
    job = json.loads(test.session_state[session.RACE])["job"]
    from pages._kit import jobs

    end = time.monotonic() + 90
    while jobs.runner().look(job).live and time.monotonic() < end:
        time.sleep(0.2)
    assert jobs.runner().look(job).result.deals == surgeon.DEALS
    test.run()
    assert not test.exception
    assert test.get("plotly_chart")


@pytest.mark.parametrize(
    ("page", "view", "name", "expected"),
    [
        ("surgeon", "", "fewest", f"{HAND}: 4"),
        ("surgeon", "", "measures", "Measures(turns=4"),
        ("explorer", "read", "readings", "kind='plane'"),
        ("explorer", "plays", "plays", "plane_singles"),
        ("explorer", "often", "often", "'kind': 'bomb'"),
        ("explorer", "hubs", "hubs", "'7T'"),
    ],
)
def test_code_of_the_page_runs(page: str, view: str, name: str, expected: str) -> None:
    """The lines behind "code" run as printed and give what the page shows."""
    test = visit(page, c=AMBIGUOUS if page == "explorer" else HAND, v=view, lang="en")
    test.session_state[f"w_foot_code_{name}"] = True
    test.run()
    [shown] = [code.value for code in test.code]
    out = io.StringIO()
    with redirect_stdout(out):
        exec(shown, {})
    assert expected in out.getvalue()


@pytest.mark.parametrize("rules", ["classic", "jinyou", "wuhan"])
@pytest.mark.parametrize("page", ["explorer", "surgeon"])
def test_bad_addresses_do_no_harm(page: str, rules: str) -> None:
    """Anything in the address is at most one sentence, never an exception."""
    for text in ("<script>", "3" * 5000, "1", "%%%", "\u0000"):
        test = visit(page, c=text, rules=rules, lang="en")
        assert not test.exception
