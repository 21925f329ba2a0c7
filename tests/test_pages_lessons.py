"""Course and glossary through the router, as far as plain widgets go."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ddz_core import lessons
from ddz_core.language import LANGUAGES, words
from ddz_core.lessons import glossary, progress, truths
from pages._kit import session

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = [one for g in ("course", "tactics", "drill") for one in lessons.lesson_ids(g)]


@pytest.fixture(autouse=True)
def _fresh_caches() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()


def visit(page: str, **query: str) -> AppTest:
    """Go to a page through the router, its address as given."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=120)
    for key, value in query.items():
        test.query_params[key] = value
    test.run()
    test.switch_page(f"pages/{page}.py")
    for key, value in query.items():
        test.query_params[key] = value
    return test.run()


def shown(test: AppTest) -> str:
    """Return all markup and text of the page."""
    found = [element.proto.body for element in test.get("html")]
    for kind in (test.markdown, test.text, test.info, test.error):
        found += [element.value for element in kind]
    text = " ".join(found)
    return text.replace("\\", "")


def learned(test: AppTest) -> progress.Progress:
    """Return the progress that the session holds."""
    kept = session.LEARNED in test.session_state
    return progress.read(test.session_state[session.LEARNED] if kept else "")


@pytest.mark.parametrize(("place", "lesson_id"), enumerate(SHIPPED))
def test_every_lesson_opens_by_its_link(place: int, lesson_id: str) -> None:
    """The link of a lesson shows its title and its first question in the reader's language."""
    lang = list(LANGUAGES)[place % len(LANGUAGES)]
    test = visit("course", lesson=lesson_id, lang=lang)
    assert not test.exception
    one = lessons.load(lesson_id)
    assert lessons.told(one.title, lang) in shown(test)
    assert lessons.told(one.steps[0].question, lang)[:12] in shown(test)


def test_list_shows_every_lesson() -> None:
    """The course lists every lesson that ships, and begins with the first."""
    test = visit("course", lang="en")
    keys = {button.key for button in test.button}
    assert {f"w_lesson_open_{one}" for one in SHIPPED} <= keys
    test.button(key="w_course_start").click().run()
    assert not test.exception
    assert test.query_params["lesson"] == ["cards"] or test.query_params["lesson"] == "cards"


def test_an_option_is_judged_and_counted() -> None:
    """A wrong choice is told with its reason and counts once; the right one goes on."""
    test = visit("course", lesson="cards", lang="en")
    test.button(key="w_lesson_0_1").click().run()
    assert words("en").say("lesson.wrong") in shown(test)
    assert "lower than a queen" in shown(test)
    test.button(key="w_lesson_0_3").click().run()
    assert words("en").say("quiz.right") in shown(test)
    item = learned(test).item("cards/1")
    assert (item.asked, item.right, item.box) == (1, 0, 0)
    test.button(key="w_lesson_next").click().run()
    assert words("en").say("lesson.at", n=2, of=5) in shown(test)


def test_a_number_is_typed() -> None:
    """A typed number is judged; what is no number is asked for again without counting."""
    test = visit("course", lesson="cards", step="2", lang="en")
    field = "w_lesson_number_cards_1"
    for typed, key in (("seven", "why.nan"), ("9", "why.less"), ("7", "")):
        test.text_input(key=field).set_value(typed)
        label = words("en").say("lesson.answer")
        next(b for b in test.button if b.label == label).click().run()
        said = words("en").say(f"lesson.{key}" if key else "quiz.right")
        assert said in shown(test), typed
        asked = {"seven": 0}.get(typed, 1)
        assert learned(test).item("cards/2").asked == asked


def test_cards_are_tapped_or_typed() -> None:
    """Tapped cards stand in the field, and a pair of them is accepted."""
    test = visit("course", lesson="cards", step="3", lang="en")
    taps = [b for b in test.button if (b.key or "").startswith("w_lesson_card_Q_")]
    assert len(taps) == 2
    for key in [b.key for b in taps]:
        test.button(key=key).click().run()
    assert test.text_input(key="w_lesson_typed").value == "QQ"
    test.button(key="w_lesson_answer").click().run()
    assert learned(test).item("cards/3").right == 1


def test_a_play_is_typed_in_the_plain_page() -> None:
    """Without the drawn table a play is typed, judged, and refuted by the solver."""
    test = visit("course", lesson="feed", lang="en", plain="1")
    assert not test.exception
    submit = next(b for b in test.button if b.label == words("en").say("solver.typed.go"))
    test.text_input(key="w_lesson_typed").set_value("9")
    submit.click().run()
    assert words("en").say("lesson.wrong.play", play="9") in shown(test)
    submit = next(b for b in test.button if b.label == words("en").say("solver.typed.go"))
    test.text_input(key="w_lesson_typed").set_value("6")
    submit.click().run()
    assert words("en").say("lesson.why.only") in shown(test)


def test_answer_can_be_shown_and_then_counts_as_unknown() -> None:
    """Whoever looks the answer up sees it with its reason, and meets the task again."""
    test = visit("course", lesson="plays-left", lang="en")
    test.button(key="w_lesson_reveal").click().run()
    assert words("en").say("lesson.right_is") in shown(test)
    assert learned(test).item("plays-left/1").box == 0
    test.button(key="w_lesson_back").click().run()
    assert test.button(key="w_course_due")
    test.button(key="w_course_due").click().run()
    assert words("en").say("lesson.at", n=1, of=5) in shown(test)


@pytest.mark.parametrize("mode", ["guided", "hide", "play", "look"])
@pytest.mark.parametrize("lesson_id", ["block", "split"])
def test_every_mode_runs(lesson_id: str, mode: str) -> None:
    """Each mode opens by its link; where a step has no position the usual one stands in."""
    test = visit("course", lesson=lesson_id, mode=mode, lang="zh-Hant", plain="1")
    assert not test.exception


def test_hidden_moves_refuse_what_throws_the_win_away() -> None:
    """With hidden moves a losing play is not taken, and the winning ones lead to the end."""
    test = visit("course", lesson="feed", mode="hide", lang="en", plain="1")
    for typed, error in (("9", True), ("6", False)):
        submit = next(b for b in test.button if b.label == words("en").say("solver.typed.go"))
        test.text_input(key="w_lesson_typed").set_value(typed)
        submit.click().run()
        assert not test.exception
        refused = [e.value for e in test.error]
        assert bool(refused) == error
    assert any(words("en").say("lesson.won") in info.value.replace("\\", "") for info in test.info)


def test_end_of_a_rung_leads_to_the_table() -> None:
    """After the last lesson of a rung a whole game with its cards is one click away."""
    test = visit("course", lesson="first-bomb", step="6", lang="en")
    assert not test.exception
    assert test.button(key="w_lesson_game")
    assert lessons.load("cards").game.overrides["deck.ranks"] == "9TJQKA"
    test.button(key="w_lesson_game").click().run()
    assert not test.exception


def test_unknown_lesson_of_the_address_is_named() -> None:
    """A link to a lesson that does not exist is refused in words, and the list stays."""
    test = visit("course", lesson="nowhere", lang="en")
    assert not test.exception
    assert "nowhere" in test.error[0].value
    assert test.button(key="w_course_start")


@pytest.mark.parametrize("value", ["-1", "0", "99999", "x", "<b>", "999"])
def test_any_step_of_the_address_is_taken_in(value: str) -> None:
    """A step that does not exist becomes the nearest one that does."""
    test = visit("course", lesson="cards", step=value, lang="en")
    assert not test.exception


def test_the_runner_accepts_what_is_right() -> None:
    """Every option that the machine finds right is right in the runner, in all lessons."""
    for lesson_id in SHIPPED:
        one = lessons.load(lesson_id)
        for i in one.tasks:
            step = one.steps[i]
            for answer in truths.key_of(step, one.game).right[:1]:
                assert lessons.judge(step, one.game, answer).right, (lesson_id, i + 1)


# --- glossary ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_glossary_shows_its_terms(lang: str) -> None:
    """The glossary runs in every language and names every term."""
    test = visit("glossary", lang=lang)
    assert not test.exception
    text = shown(test)
    for term in glossary.terms():
        assert lessons.told(term.name, lang) in text.replace("&#x27;", "'")


def test_glossary_is_searched_by_sound() -> None:
    """Pinyin without tones, and its initials, find the term."""
    test = visit("glossary", lang="zh-Hans", q="dingpai")
    assert "顶牌" in shown(test)
    assert "全关" not in shown(test)
    test = visit("glossary", lang="en", term="feed")
    assert "传牌" in shown(test)
    assert "顶牌" not in shown(test)


@pytest.mark.parametrize("query", ["<script>alert(1)</script>", "**", "x" * 500, "\u202e"])
def test_glossary_search_takes_anything(query: str) -> None:
    """What is searched is neither shown as markup nor an error."""
    test = visit("glossary", lang="en", q=query)
    assert not test.exception
    assert "alert(1)" not in shown(test)


def test_the_whole_course_is_walked() -> None:
    """A beginner who answers right walks all sixty tasks, lesson after lesson, to the end."""
    test = visit("course", lang="zh-Hans", plain="1")
    say = words("zh-Hans").say
    for lesson_id in lessons.lesson_ids("course"):
        one = lessons.load(lesson_id)
        test.button(key=f"w_lesson_open_{lesson_id}").click().run()
        for i, step in enumerate(one.steps):
            answer = (step.answers or truths.key_of(step, one.game).right)[0]
            if step.options:
                place = [option.value for option in step.options].index(answer) + 1
                test.button(key=f"w_lesson_{i}_{place}").click().run()
            elif step.ask == "number":
                test.text_input(key=f"w_lesson_number_{lesson_id}_{i}").set_value(answer)
                next(b for b in test.button if b.label == say("lesson.answer")).click().run()
            elif step.is_position:
                test.text_input(key="w_lesson_typed").set_value(answer)
                next(b for b in test.button if b.label == say("solver.typed.go")).click().run()
            else:
                test.text_input(key="w_lesson_typed").set_value(answer).run()
                test.button(key="w_lesson_answer").click().run()
            assert not test.exception
            assert learned(test).item(f"{lesson_id}/{i + 1}").right == 1
            test.button(key="w_lesson_next").click().run()
        assert say("lesson.done", n=5, of=5) in shown(test)
        test.button(key="w_lesson_list").click().run()
    assert len(learned(test).items) == 60


def test_a_lesson_file_is_checked_before_it_opens() -> None:
    """A right file of a coach's is opened; of a wrong one every fault is named, and it is not."""

    def page() -> None:
        import streamlit as st

        from ddz_core import lessons
        from ddz_core.errors import DdzError
        from pages._kit import course_page, lesson_state, session, shell

        session.put(session.LANG, "en")
        house = shell.House(shell.words(), "classic", dark=False)
        text = lessons.file_text("feed")
        for name, sent in (
            ("wrong", text.replace('answers = ["6"]', 'answers = ["9"]')),
            ("odd", text.replace("minutes", "colour")),
            ("right", text.replace('id = "feed"', 'id = "mine"')),
        ):
            try:
                found = lesson_state.take(sent)
            except DdzError as error:
                found = [lessons.Fault("", 0, "", error)]
            st.text(f"{name} {len(found)} {lesson_state.own() is not None}")
            if found:
                course_page.faults(house, found)

    test = AppTest.from_function(page, default_timeout=60).run()
    assert not test.exception
    said = [t.value for t in test.text]
    assert said[0].startswith("wrong")
    assert said[0].endswith("False")
    assert said[1] == "odd 1 False"
    assert said[2] == "right 0 True"
    assert "Step 1" in shown(test)
    assert "colour" in shown(test)
