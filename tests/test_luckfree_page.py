"""The luck-free puzzles on their page: played right, played wrong, made from positions."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import ddz_core as ddz
from ddz_core import shifting
from ddz_core.language import LANGUAGES, words
from pages._kit import luckfree_state, session

ROOT = Path(__file__).resolve().parent.parent
FIRST = shifting.puzzles()[0]


@pytest.fixture(autouse=True)
def _fresh_caches() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()


def visit(lang: str = "en", **query: str) -> AppTest:
    """Open the page with this address, in words."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=90)
    for key, value in ({"lang": lang, "plain": "1"} | query).items():
        test.query_params[key] = value
    test.run()
    test.switch_page("pages/luckfree.py").run()
    assert not test.exception
    return test


def play(test: AppTest, action: str) -> AppTest:
    """Type a play and send it."""
    test.text_input(key="w_luck_typed").set_value("" if action == "pass" else action)
    button = next(b for b in test.button if b.proto.form_id == "w_luck_form")
    button.click().run()
    assert not test.exception
    return test


@pytest.mark.parametrize("lang", LANGUAGES)
def test_right_play_wins_and_is_kept(lang: str) -> None:
    """Right plays to the end are told as won, without help, in the learner's file."""
    test = visit(lang, z=FIRST.id)
    for _ in range(20):
        kept = test.session_state[session.LUCKFREE]
        right = _right(kept)
        if not right:
            break
        play(test, right[0])
    texts = [one.value.replace("\\", "") for one in test.info]
    assert any(words(lang).say("luckfree.won")[:6] in one for one in texts)
    assert f"{FIRST.id} clean 1" in test.session_state[session.SOLVED]


def _right(kept: str) -> list[str]:
    """Return the right actions of a kept puzzle, proven anew."""
    told = msgspec.json.decode(kept, type=luckfree_state.Kept)
    scene = FIRST.scene()
    prover = shifting.Prover(scene.rules)
    now = shifting.begin(scene, prover)
    for action in told.actions:
        now = shifting.trial.act(now, action, prover)
    if now.state is None:
        return []
    return [prover.text(choice) for choice in prover.right(now.state)]


def test_hidden_hands_stay_hidden_until_the_end() -> None:
    """While the puzzle is open the page shows no card of a hidden hand, only numbers."""
    test = visit(z=FIRST.id)
    board = test.text[0].value.splitlines()
    sizes = [line for line in board if "hidden" in line.lower()]
    assert len(sizes) == len(FIRST.sizes)


def test_a_wrong_play_loses_and_shows_the_hands() -> None:
    """After a wrong play every way on loses; then the mistake and the hands are shown."""
    test = visit(z=FIRST.id)
    play(test, max(FIRST.wrong, key=FIRST.wrong.__getitem__))
    for _ in range(20):
        if not [one for one in test.text_input if one.key == "w_luck_typed"]:
            break
        rules = ddz.load_ruleset(FIRST.rules)
        before = test.session_state[session.LUCKFREE]
        for action in ("pass", *(move.cards for move in rules.moves(FIRST.own))):
            play(test, action)
            if test.session_state[session.LUCKFREE] != before:
                break
        else:
            pytest.fail("nothing can be played")
    assert any("was the mistake" in one.value for one in test.info)
    assert f"{FIRST.id} tried 1" in test.session_state[session.SOLVED]


@pytest.mark.parametrize(
    ("hands", "told"),
    [
        ("DX / 34 / 56", "every play wins"),
        ("34 / DX / AA", "loses even with all cards open"),
        ("3 / 45 / 67", "only one thing"),
    ],
)
def test_positions_that_are_none_say_why(hands: str, told: str) -> None:
    """A position that makes no puzzle opens with the reason in words."""
    test = visit()
    test.text_input(key="w_luck_hands").set_value(hands)
    next(b for b in test.button if b.proto.form_id == "luckfree_own").click().run()
    assert not test.exception
    assert told in test.warning[0].value.replace("\\", "")


def test_a_position_becomes_a_puzzle() -> None:
    """The hands of a shipped puzzle, typed openly, make the same puzzle again."""
    scene = FIRST.scene()
    layout = shifting.layouts_of(scene)[0]
    hands = " / ".join(ddz.position([scene.own, *layout], rules=scene.rules).texts)
    test = visit()
    test.text_input(key="w_luck_hands").set_value(hands)
    next(b for b in test.button if b.proto.form_id == "luckfree_own").click().run()
    assert not test.exception
    assert not test.warning
    test.button(key="w_luck_proof").click().run()
    assert not test.exception
    shown = "".join(str(one.proto.body) for one in test.get("html"))
    assert f"0 / {FIRST.layouts}" in shown


@pytest.mark.parametrize("query", [{"z": "nope"}, {"p": "AAAA"}, {"p": "<b>"}])
def test_wrong_links_are_refused(query: dict[str, str]) -> None:
    """A link that leads nowhere leaves a sentence and the list."""
    test = visit(**query)
    assert test.error
    assert test.button(key=f"w_luck_{FIRST.id}")
