"""The review page: from any text to a report, its links, retrying, and several games together."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import time
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import streamlit as st
from playing import bid_up, random_game, start
from streamlit.testing.v1 import AppTest
from test_pages import visit

import ddz_core as ddz
from ddz_core import imports, tabletop
from ddz_core.language import LANGUAGES, words
from ddz_core.review import Batch
from pages._kit import (
    explorer_foot,
    jobs,
    review_batch,
    review_decision,
    review_entry,
    review_report,
    review_state,
    review_words,
    review_work,
    session,
    shell,
)


def finished(seed: int) -> ddz.Game:
    """One game of random play, seat 1 being the landlord."""
    rng = random.Random(seed)
    return list(random_game(bid_up(start("classic", seed), 1), rng))[-1]


GAME = finished(3)
CODE = ddz.encode(GAME)


@cache
def judged() -> ddz.review.Review:
    """The review of the game of these tests, made once."""
    return ddz.review(GAME, samples=30)


def kept(review: ddz.review.Review) -> review_work.Stand:
    """A review as the page keeps it."""
    return review_work.Stand(review, 1.0, whole=True)


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    st.cache_data.clear()
    st.cache_resource.clear()
    review_work.shelf().put(review_work.question(GAME), kept(judged()))
    monkeypatch.setattr(review_work, "PASSES", (20, 24, 30))
    monkeypatch.setattr(review_batch, "SAMPLES", 20)


def ready(test: AppTest, key: str = session.REVIEW_JOB) -> AppTest:
    """Run the page until its review is made."""
    for _ in range(900):
        kept = json.loads(test.session_state.get(key, "{}"))
        look = jobs.runner().look(kept.get("job", ""))
        if not look.live:
            assert look.error is None, look.error
            return test.run()
        time.sleep(0.1)
    raise AssertionError("the review was not made")


def reviewed(**query: str) -> AppTest:
    """The page with a game in the address, its review made."""
    test = ready(visit("review", **{"lang": "en", "g": CODE, "seat": "1"} | query))
    assert not test.exception
    return test


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_link_opens_the_report(lang: str) -> None:
    """A code in the address gives the whole report, in every language, without an error."""
    test = reviewed(lang=lang)
    say = words(lang).say
    assert not test.error
    review = judged()
    assert review.game == GAME
    markup = " ".join(block.proto.body for block in test.get("html"))
    assert say("review.turning") in markup
    assert say("review.curve.landlord") in markup
    assert say("review.par") in markup
    assert test.query_params["g"] == CODE


def test_other_seats_see_the_other_side() -> None:
    """A farmer sees the chance of the farmers: one minus that of the landlord."""
    test = reviewed(seat="0")
    assert words("en").say("review.curve.farmers") in " ".join(
        block.proto.body for block in test.get("html")
    )
    house = shell.House(words("en"), "classic", dark=False)
    review = judged()
    lead = review_report.steps_of(review_words.Told(house, GAME, 1, review), review)
    farmer = review_report.steps_of(review_words.Told(house, GAME, 0, review), review)
    assert [one.play for one in lead] == list(range(len(lead)))
    for a, b in zip(lead, farmer, strict=True):
        assert a.value == pytest.approx(1 - b.value)
        assert a.low == pytest.approx(1 - b.high)
        assert a.low <= a.value <= a.high


def test_a_decision_in_the_address_is_open() -> None:
    """The link carries the decision; a row opens another and puts it in the address."""
    test = reviewed()
    review = judged()
    index = review.decisions[-1].index
    test = reviewed(i=str(index))
    house = shell.House(words("en"), "classic", dark=False)
    told = review_words.Told(house, GAME, 1, review)
    title = told.title(review.at(index))
    assert any(title in block.proto.body for block in test.get("html"))
    test.toggle(key="w_review_diff").set_value(False).run()
    other = review.decisions[0].index
    test.button(key=f"w_review_row_all_{other}").click().run()
    assert test.query_params["i"] == str(other)
    assert not test.exception


def test_the_board_walks_a_line_and_back() -> None:
    """The buttons under the board do and undo the actions of the line, to its end."""
    test = reviewed()
    for name in ("next", "next", "back", "last", "first"):
        button = test.button(key=f"w_review_step_{name}")
        if not button.disabled:
            button.click().run()
        assert not test.exception
    assert json.loads(test.session_state[session.REVIEW_STEP])["done"] == 0


def test_every_line_of_a_review_can_be_played() -> None:
    """Each line that the board offers is legal from before its decision to its end."""
    review = judged()
    house = shell.House(words("en"), "classic", dark=False)
    told = review_words.Told(house, GAME, 1, review)
    for one in review.decisions:
        lines = review_decision.lines_of(told, review, one)
        assert "played" in lines
        for line in lines.values():
            _, done = review_decision.walked(told.view(one.index).game, line, len(line))
            assert done == len(line)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_decision_is_worded(lang: str) -> None:
    """Title, row, both verdicts, reasons and the answer to the learner's question have words."""
    review = judged()
    house = shell.House(words(lang), "classic", dark=False)
    for seat in range(3):
        told = review_words.Told(house, GAME, seat, review)
        assert review_decision.could(told, review)
        for one in review.decisions:
            assert told.title(one)
            assert "badge[" in told.row(one)
            for reason in one.reasons:
                assert "{" not in house.words.phrase(reason.phrase)


def test_retrying_shows_no_hand_and_no_judgement_before_the_choice() -> None:
    """The position of a mistake shows the own cards alone; the judgement comes with the choice."""
    test = reviewed()
    review = judged()
    one = next(d for d in review.decisions if d.seat == 1 and len(d.tried) > 1)
    test.session_state[session.REVIEW_TRY] = json.dumps(
        {"todo": [one.index], "now": 0, "chosen": "", "good": [], "seen": []}
    )
    test.run()
    assert not test.exception
    markup = " ".join(block.proto.body for block in test.get("html"))
    hidden = words("en").say("review.board.hidden")
    assert markup.count(f">{hidden}<") == 2
    assert words("en").say("review.turning") not in markup
    assert words("en").say("review.retry.good") not in markup
    box = test.selectbox(key=f"w_retry_choice_{one.index}")
    before = review.before(one)
    assert len(box.options) == len(before.legal())
    box.select_index(0)
    next(b for b in test.button if b.label == words("en").say("review.retry.check")).click().run()
    assert not test.exception
    kept = json.loads(test.session_state[session.REVIEW_TRY])
    assert kept["seen"] == [one.index]
    assert kept["chosen"]
    test.button(key="w_retry_next").click().run()
    assert any(
        words("en").say("review.retry.done", good=len(kept["good"]), n=1) in block.proto.body
        for block in test.get("html")
    )
    test.button(key="w_retry_leave").click().run()
    assert test.session_state[session.REVIEW_TRY] == ""


@pytest.mark.parametrize("name", imports.FORMATS)
def test_pasted_games_are_reviewed(name: str) -> None:
    """A game pasted in any format is opened, with its landlord's seat."""
    test = visit("review", lang="en")
    test.text_area(key="w_review_text_one").input(imports.write(GAME, name))
    next(b for b in test.button if b.label == words("en").say("review.entry.go")).click().run()
    assert not test.exception
    assert not test.error
    opened = review_state._read(test.session_state[session.REVIEW])
    assert [e.action for e in opened.history if e.phase == "play"] == [
        e.action for e in GAME.history if e.phase == "play"
    ]
    review_work.cancel(opened)


@pytest.mark.parametrize(
    "text",
    ["", "hello", "{", "<b>paili</b>", "paili 1\nrules: nope\n\n", CODE[:-3]],
)
def test_what_cannot_be_read_is_one_sentence(text: str) -> None:
    """A text that is no game says so once, and the page stays at the entry."""
    test = visit("review", lang="en")
    test.text_area(key="w_review_text_one").input(text)
    next(b for b in test.button if b.label == words("en").say("review.entry.go")).click().run()
    assert not test.exception
    assert len(test.error) == (1 if text else 0)
    assert not test.session_state[session.REVIEW] if session.REVIEW in test.session_state else True
    test.run()
    assert not test.error


def test_unfinished_games_and_broken_codes_are_refused() -> None:
    """A running game, a game without a play, and a broken code in the address say so."""
    running = ddz.encode(bid_up(start("classic", 1), 0))
    for code in (running, CODE[:-4], "x" * 30):
        test = visit("review", lang="en", g=code)
        assert not test.exception
        assert len(test.error) == 1
        assert "g" not in test.query_params


def test_the_finished_game_of_the_table_is_offered() -> None:
    """After the end the table leads to its review, and the review offers the game on the table."""
    test = visit("table", lang="en", g=CODE, seat="2")
    assert not test.exception
    links = [link.proto for link in test.get("page_link")]
    assert any("review" in link.page and link.label for link in links)
    test = test.switch_page("pages/review.py").run()
    test.button(key="w_review_table").click().run()
    assert not test.exception
    assert test.query_params["seat"] == "2"
    assert review_state._read(test.session_state[session.REVIEW]) == GAME
    review_work.cancel(GAME)


def test_the_sample_is_a_whole_game() -> None:
    """The sample game is finished, and the same for everybody."""
    game = review_entry.sample()
    assert game.outcome in ("landlords", "farmers")
    assert review_entry.sample() == game


@pytest.mark.parametrize("lang", LANGUAGES)
def test_several_games_give_a_table(lang: str) -> None:
    """Games pasted together are reviewed in turn: table, kinds, luck and skill for any seat."""
    test = visit("review", lang=lang, v="many")
    say = words(lang).say
    games = [finished(seed) for seed in (4, 5)]
    text = "\n".join([*(imports.write(game) for game in games), "paili 1\nbroken\n"])
    test.text_area(key="w_review_text_many").input(text)
    next(b for b in test.button if b.label == say("review.entry.go")).click().run()
    assert not test.exception
    assert len(test.error) == 1
    test = ready(test, session.REVIEWS)
    assert not test.exception
    for who in ("farmers", "1", "landlord"):
        test.button_group(key="w_review_batch_who").set_value(who).run()
        assert not test.exception
    shown = test.dataframe[0].value
    assert len(shown) == 2
    test.button(key="w_review_open").click().run()
    assert review_state._read(test.session_state[session.REVIEW]) == games[0]
    review_work.cancel(games[0])


def test_sides_are_added_over_their_seats() -> None:
    """A side's row adds points, luck, skill and mistakes of its seats; a seat's row is its own."""
    table = Batch(names=("1",), reviews=(judged(),), seats=(None,))
    rows = {who: review_batch.rows_of(table, who)[0] for who in ("landlord", "farmers", "0", "2")}
    assert rows["farmers"]["points"] == rows["0"]["points"] + rows["2"]["points"]
    assert rows["landlord"]["points"] + rows["farmers"]["points"] == 0
    assert rows["farmers"]["luck"] == pytest.approx(rows["0"]["luck"] + rows["2"]["luck"])
    assert rows["landlord"]["won"] is not rows["farmers"]["won"]


def test_code_gives_the_numbers_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines behind "code" give the curve, the decisions and the par that are shown."""
    feet: dict[str, dict[str, Any]] = {}

    def foot(house: Any, name: str, rows: Any, code: str, **how: Any) -> None:
        feet[name] = {"rows": [dict(row) for row in rows], "code": code}

    monkeypatch.setattr(explorer_foot, "foot", foot)
    reviewed()
    review = judged()
    for name in ("review-curve", "review-par"):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(feet[name]["code"], {})
        numbers = {float(x) for x in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", out.getvalue())}
        for row in feet[name]["rows"]:
            for column, value in row.items():
                if isinstance(value, float):
                    assert any(abs(value - x) < 1e-4 for x in numbers), (name, column, value)
    assert feet["review-decisions"]["rows"] == review.rows()


@pytest.mark.parametrize("stop", [False, True])
def test_a_review_is_made_beside_the_page(stop: bool) -> None:
    """A first look comes, then the whole; one that is stopped ends at once with what it has."""
    game = finished(6)
    test = visit("review", lang="en", g=ddz.encode(game), seat="1")
    if stop:
        review_work.cancel(game)
    test = ready(test)
    assert not test.exception
    found = review_work.shelf().get(review_work.question(game))
    assert found is not None
    assert (found.whole, found.stopped) == (True, stop)
    shown = [block.value for block in test.markdown]
    assert (words("en").say("review.stopped") in shown) is stop


def test_games_of_other_sizes() -> None:
    """Games of two, four and five seats are reviewed and drawn as well."""
    for rules in ("duel-2p", "hidden-5p"):
        games = (list(random_game(start(rules, n), random.Random(n)))[-1] for n in range(40))
        game = next(one for one in games if any(one.plays))
        shown = ddz.review(game, samples=20)
        review_work.shelf().put(review_work.question(game), kept(shown))
        test = visit("review", lang="en", g=ddz.encode(game), seat="0")
        assert not test.exception
        assert not test.error


def test_table_keeps_its_own_game() -> None:
    """Reviewing a game does not touch the one on the table."""
    test = visit("table", lang="en", g=ddz.encode(start("classic", 8)), seat="0")
    before = test.session_state[session.GAME]
    test.query_params["g"] = CODE
    test = test.switch_page("pages/review.py").run()
    assert tabletop.restore(test.session_state[session.GAME]).game.deal == (
        tabletop.restore(before).game.deal
    )
    review_work.cancel(GAME)


def test_games_played_before_at_the_table_can_be_opened() -> None:
    """A finished game that the table remembers is one press away; one left early says so."""
    test = visit("table", lang="en", g=CODE, seat="1")
    table = tabletop.restore(test.session_state[session.GAME])
    left = ddz.encode(bid_up(start("classic", 2), 0))
    past = replace(tabletop.start(table.game.rules, seed=9), past=(left, CODE))
    test.session_state[session.GAME] = tabletop.save(past)
    test = test.switch_page("pages/review.py").run()
    assert not test.exception
    test.button(key="w_review_past_1").click().run()
    assert len(test.error) == 1
    test.button(key="w_review_past_0").click().run()
    assert not test.exception
    assert review_state._read(test.session_state[session.REVIEW]) == GAME
