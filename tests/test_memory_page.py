"""The memory drill on its page: replayed, stopped, answered, kept; bad games refused."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import ddz_core as ddz
from ddz_core import cards, codes, memory
from ddz_core.language import LANGUAGES, words
from ddz_core.observation import observe
from pages._kit import memory_record, memory_state, session

ROOT = Path(__file__).resolve().parent.parent
GAME = memory.seed_game(ddz.load_ruleset("classic"), 3)
CODE = codes.encode(GAME)
FIRST = memory.first(GAME)


@pytest.fixture(autouse=True)
def _fresh_caches() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()


def visit(lang: str = "en", **query: str) -> AppTest:
    """Open the page with this address."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=90)
    for key, value in ({"lang": lang} | query).items():
        test.query_params[key] = value
    test.run()
    test.switch_page("pages/memory.py").run()
    assert not test.exception
    return test


def kept(test: AppTest) -> memory_state.State:
    """Return where the learner is."""
    return msgspec.json.decode(test.session_state[session.MEMORY], type=memory_state.State)


def press(test: AppTest, key: str) -> AppTest:
    """Press a button."""
    test.button(key=key).click().run()
    assert not test.exception
    return test


def to_stop(test: AppTest) -> AppTest:
    """Go on until the page asks."""
    for _ in range(memory.GAPS[1] + 1):
        if kept(test).stage == "ask":
            break
        press(test, "w_memory_next")
    assert kept(test).stage == "ask"
    return test


def answer(test: AppTest, *, wrong: str = "") -> AppTest:
    """Answer every rank rightly but one, and check."""
    now = kept(test)
    truth = memory.facts(observe(GAME.at(now.at), now.seat))
    for rank in now.asked:
        fact, lane = truth[rank], cards.LANE[rank]
        gone = (fact.gone + 1) % (fact.copies + 1) if rank == wrong else fact.gone
        test.button_group(key=f"w_memory_gone_{now.at}_{lane}").set_value(gone)
        test.button_group(key=f"w_memory_left_{now.at}_{lane}").set_value(fact.left)
    next(b for b in test.button if "check" in b.label.lower() or b.proto.form_id).click().run()
    assert not test.exception
    return test


def shown(test: AppTest) -> str:
    """Return everything that stands on the page as one text."""
    parts = [str(getattr(one, "value", "")) for one in [*test.markdown, *test.caption]]
    parts += [str(getattr(one.proto, "body", "")) for one in test.get("html")]
    return "\n".join(parts)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_right_answers_are_told_and_kept(lang: str) -> None:
    """A stop answered rightly says so in every language and enters the learner's record."""
    test = to_stop(visit(lang, g=CODE, seat="1", seed="4"))
    assert kept(test).asked == ("D", "X", "2", "A", "K")
    answer(test, wrong="2")
    say = words(lang).say
    assert say("memory.told", n=4, of=5) in shown(test)
    record = memory.read(test.session_state[session.REMEMBERED])
    assert {rank: item.right for rank, item in record.items.items()} == {
        **dict.fromkeys("DXAK", 1),
        "2": 0,
    }
    press(test, "w_memory_on")
    assert kept(test).stage == "play"


def test_nothing_beyond_the_stop_is_shown() -> None:
    """Up to each stop the page shows no hidden hand, no result and no number of moves to come."""
    test = visit(g=CODE, seat="0", seed="4")
    whole = len(GAME.history) - FIRST
    while kept(test).stage == "play" and kept(test).at < len(GAME.history) - 1:
        now, text = kept(test), shown(test)
        hidden = words("en").say("review.board.hidden")
        assert text.count(f">{hidden}<") == sum(n > 0 for n in GAME.at(now.at).left[1:])
        assert f"/ {whole}" not in text
        assert f"of {whole}" not in text
        assert not test.get("progress")
        press(test, "w_memory_next")
        if kept(test).stage == "ask":
            answer(test)
            press(test, "w_memory_on")
    press(test, "w_memory_next")
    assert words("en").say("memory.end") in shown(test)


def test_new_game_of_a_seed_and_own_stop() -> None:
    """A seed gives a game at once; the learner may stop it, and rows left open are not right."""
    test = visit()
    test.number_input(key="w_memory_seed").set_value(11).run()
    press(test, "w_memory_new")
    now = kept(test)
    rules = ddz.load_ruleset(test.session_state[session.RULES])
    assert now.code == codes.encode(memory.seed_game(rules, 11))
    press(test, "w_memory_next")
    press(test, "w_memory_stop")
    assert kept(test).stage == "ask"
    next(b for b in test.button if b.proto.form_id).click().run()
    assert kept(test).right == 0
    assert kept(test).of == 5
    press(test, "w_memory_leave")
    assert not kept(test).code
    assert test.number_input(key="w_memory_seed").value == 12


def test_ranks_that_rest_are_left_out() -> None:
    """With only due ranks asked for, a rank known today rests and the others are asked."""
    test = visit()
    test.session_state[session.REMEMBERED] = f"{memory.HEAD}\nD 3 2999-01-01 3 3\n"
    test.slider(key="w_memory_ranks").set_value(3).run()
    test.toggle(key="w_memory_due").set_value(True).run()
    press(test, "w_memory_new")
    press(test, "w_memory_stop")
    assert kept(test).asked == ("X", "2")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("hello", ""),
        ("", ""),
        (ddz.encode(GAME.at(len(GAME.history) - 1)), "error.memory.unfinished"),
        (f"{CODE}\n{CODE}", "error.memory.several"),
    ],
)
def test_bad_games_are_refused_with_the_reason(text: str, key: str) -> None:
    """What is no finished game is refused in words, and the page keeps working."""
    test = visit()
    test.text_area(key="w_memory_text").set_value(text)
    next(b for b in test.button if b.proto.form_id).click().run()
    assert not test.exception
    assert test.error
    if key:
        said = words("en").say(key, got=2)
        assert test.error[0].value.replace("\\", "").startswith(said[:20])
    press(test, "w_memory_new")
    assert kept(test).code


@pytest.mark.parametrize(("name", "value"), [("seat", "7"), ("n", "99"), ("seed", "x")])
def test_bad_numbers_of_the_address_are_named(name: str, value: str) -> None:
    """A number of the address that there cannot be is refused by its name."""
    test = visit(**{"g": CODE, name: value})
    assert name in test.error[0].value
    assert value in test.error[0].value


def test_pasted_game_and_link() -> None:
    """A code opens the same game as its record does, looked at from the seat chosen."""
    for text in (CODE, ddz.write_record(GAME)):
        test = visit()
        test.text_area(key="w_memory_text").set_value(text)
        test.button_group(key="w_memory_turn").set_value(1)
        next(b for b in test.button if b.proto.form_id).click().run()
        now = kept(test)
        assert now.code == CODE
        assert now.seat == (GAME.landlords[0] + 1) % 3


def test_record_of_a_file_is_merged_or_refused() -> None:
    """A record of a file joins the own one; any other file changes nothing and says why."""
    test = visit()
    assert not test.error
    st.session_state.clear()
    memory_record.take(f"{memory.HEAD}\n2 1 2026-01-01 3 2\n".encode())
    assert memory_state.learned().item("2").asked == 3
    for bad in (b"", b"\xff\xfe", b"paili-quiz 1\n", f"{memory.HEAD}\n2 99 - 1 1".encode()):
        memory_record.take(bad)
        assert memory_state.learned().item("2").asked == 3
        assert st.session_state.pop("w_memory_unread").key == "error.lesson.progress"


@pytest.mark.parametrize("rules", ["laizi", "hidden-5p", "classic-4p", "duel-2p"])
def test_other_games_are_drilled_too(rules: str) -> None:
    """Games with wilds, two decks and two to five seats stop and ask like the classic one."""
    test = visit(rules=rules)
    press(test, "w_memory_new")
    to_stop(test)
    assert len(kept(test).asked) == memory.USUAL


def test_link_of_a_review_opens_the_same_game() -> None:
    """The address that a review links to opens its game, looked at from its seat."""
    test = visit(g=CODE, seat="2", rules="laizi")
    now = kept(test)
    assert (now.code, now.seat, now.at) == (CODE, 2, FIRST)
    assert test.session_state[session.RULES] == "classic"
