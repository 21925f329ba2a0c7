"""Lessons out of games: steps that the solver backs, faults that are found, links, presentation."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import ddz_core as ddz
from ddz_core import lessons
from ddz_core.bots import bot, match
from ddz_core.errors import DdzError
from ddz_core.game import Game, new_game
from ddz_core.language import LANGUAGES, words
from ddz_core.lessons import scenes, writing
from ddz_core.render import present_view
from pages._kit import session

ROOT = Path(__file__).resolve().parent.parent
RULES = ddz.load_ruleset("classic")


@cache
def played(seed: int = 2) -> Game:
    """Return a finished game of the rule bots."""
    game = match.forced(new_game(RULES, ddz.deal(RULES, seed=seed)), 0)
    return match.finished(game, [bot("rule")] * 3, np.random.default_rng(seed))


@cache
def made(seed: int = 2) -> lessons.Lesson:
    """Return the suggested lesson of that game."""
    found = writing.suggested(played(seed))
    return writing.lesson_of(played(seed), [one.index for one in found])


def test_a_suggested_lesson_has_five_checked_steps() -> None:
    """Five different decisions of the play, in order, and nothing wrong with the lesson."""
    lesson = made()
    assert len(lesson.steps) == writing.STEPS
    assert lessons.check(lesson) == []
    found = writing.suggested(played())
    assert [one.index for one in found] == sorted({one.index for one in found})


def test_steps_that_are_proven_take_every_play_that_keeps_the_win() -> None:
    """A step held right by the solver accepts exactly what the solver keeps."""
    proven = [step for step in made().steps if step.truth == "keeps"]
    assert proven
    for step in proven:
        place = ddz.position(
            step.hands,
            step.to_move,
            step.beat or None,
            rules=RULES,
            beat_by=step.beat_by,
            landlords=step.landlords,
        )
        best = {one.partition("=")[0] for one in ddz.solve(place).best}
        for move in scenes.moves_of(place):
            judged = lessons.judge(step, RULES, move.cards)
            assert judged.right == (move.cards in best)


def test_a_wrong_answer_is_a_fault() -> None:
    """A play that loses, put among the right answers, is found by the check."""
    lesson = made(5)
    at, step, bad = next(
        (at, step, move.cards)
        for at, step in enumerate(lesson.steps)
        if step.truth == "keeps"
        for move in scenes.moves_of(scenes.asked(step, RULES))
        if not lessons.judge(step, RULES, move.cards).right
    )
    wrong = msgspec.structs.replace(step, accept="listed", answers=(bad,))
    steps = (*lesson.steps[:at], wrong, *lesson.steps[at + 1 :])
    assert lessons.check(msgspec.structs.replace(lesson, steps=steps))


def test_links_carry_a_whole_lesson() -> None:
    """A lesson comes back from its link; a cut or altered one is refused."""
    code = writing.link_text(made())
    assert lessons.read(writing.read_link(code)) == made()
    for wrong in (code[:-9], code[:40] + "AAAA" + code[44:], "", "é", "A" * 9_999):
        with pytest.raises(DdzError) as refused:
            writing.read_link(wrong)
        assert refused.value.key == "error.lesson.link"


def test_moments_are_decisions_of_the_play() -> None:
    """Only actions with a choice are offered, and another index is refused."""
    known = {one.index for one in writing.moments_of(played())}
    assert known
    assert all(one.options > 1 for one in writing.moments_of(played()))
    other = next(i for i in range(len(played().history)) if i not in known)
    with pytest.raises(DdzError) as refused:
        writing.lesson_of(played(), [other])
    assert refused.value.field == "moments"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", lessons.lesson_ids()[::4])
def test_every_lesson_can_be_presented(name: str, lang: str) -> None:
    """A presented lesson has a step for each of its own, hidden hands closed, texts told."""
    lesson = lessons.load(name)
    steps = present_view.of_lesson(lesson, words(lang))
    assert len(steps) == len(lesson.steps)
    for shown, step in zip(steps, lesson.steps, strict=True):
        assert shown["title"] == lessons.told(lesson.title, lang)
        if step.is_position:
            hidden = tuple(i for i, hand in enumerate(shown["hands"]) if hand["hidden"])
            assert hidden == tuple(sorted(step.hide))
        if step.is_task:
            assert shown["answer"]


def test_a_game_is_presented_play_by_play() -> None:
    """Each step shows the hands before an action, and the action as its answer."""
    steps = present_view.of_game(played(), words("en"))
    plays = [entry for entry in played().history if entry.seat is not None]
    assert 0 < len(steps) <= len(plays)
    sizes = [sum(len(hand["cards"]) for hand in step["hands"]) for step in steps]
    assert sizes == sorted(sizes, reverse=True)


# --- the page --------------------------------------------------------------------------------


def visit(lang: str = "en", **query: str) -> AppTest:
    """Open the writer with this address."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=120)
    for key, value in ({"lang": lang} | query).items():
        test.query_params[key] = value
    test.run()
    test.switch_page("pages/lessons.py").run()
    assert not test.exception
    return test


@pytest.fixture(autouse=True)
def _fresh_caches() -> None:
    st.cache_data.clear()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_lesson_comes_out_of_a_game(lang: str) -> None:
    """A link to a game, one press, and a checked lesson can be tried as a learner."""
    test = visit(lang, g=ddz.encode(played()))
    test.button(key="w_write_suggest").click().run()
    assert not test.exception
    assert not test.error
    say = words(lang).say
    assert test.success[0].value == say("writer.checked", n=writing.STEPS)
    test.button(key="w_write_try").click().run()
    assert not test.exception
    assert test.session_state[session.OWN_LESSON]
    assert test.query_params["lesson"] in ("own", ["own"])
    test.switch_page("pages/lessons.py").run()
    test.button(key="w_write_out_0").click().run()
    assert not test.exception
    assert test.success[0].value == say("writer.checked", n=writing.STEPS - 1)


def test_an_opened_file_stands_at_once() -> None:
    """The lesson of a file replaces what was written in the same run; no lesson changes nothing."""
    test, text = visit(g=ddz.encode(played())), lessons.write(made(5))
    test.button(key="w_write_suggest").click().run()
    test.session_state["w_write_open"] = True
    test.run()
    for sent, title in ((text.replace('title = "', 'title = "Mine: ', 1), "Mine: "), ("x = 1", "")):
        test.file_uploader(key="w_write_file").set_value(("a.toml", sent.encode(), "")).run()
        assert not test.exception
        assert test.text_input(key="w_write_title").value.startswith("Mine: ")
        assert bool(test.error) is not bool(title)


def test_a_wrong_answer_cannot_be_published() -> None:
    """With a wrong answer the lesson can be neither tried nor saved, and what is typed stays."""
    test = visit(l=writing.link_text(made(5)))
    at = next(i for i, step in enumerate(made(5).steps) if step.truth == "keeps")
    test.toggle(key=f"w_write_any_{at}").set_value(False).run()
    test.text_input(key=f"w_write_answers_{at}").set_value("3456789").run()
    assert not test.exception
    assert test.error
    assert test.button(key="w_write_try").disabled
    assert test.text_input(key=f"w_write_answers_{at}").value == "3456789"


@pytest.mark.parametrize("query", [{"g": "nonsense"}, {"p": "<b>"}, {"l": "AAAA"}])
def test_wrong_sources_are_refused(query: dict[str, str]) -> None:
    """What cannot be read leaves a sentence; the page goes on."""
    test = visit(**query)
    assert test.error
    assert test.text_area(key="w_write_source").value == ""


@pytest.mark.parametrize("what", ["feed", "draft", "nonsense", "<b>"])
def test_presenting_never_breaks_the_page(what: str) -> None:
    """A lesson is presented; what is none leaves the writer."""
    test = visit(present=what)
    leaving = [b for b in test.button if b.key == "w_present_leave"]
    assert bool(leaving) == (what == "feed")
