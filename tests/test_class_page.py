"""The class room's page: a coach and students in one process, through the page itself."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import ddz_core as ddz
from ddz_core.classroom import answer_code
from ddz_core.language import LANGUAGES, words
from pages._kit import class_rooms, session

ROOT = Path(__file__).resolve().parent.parent
RULES = ddz.load_ruleset("classic")
POSITION = ddz.encode(
    ddz.position(["KK5543", "22A", "54436"], to_move=1, beat="99", beat_by=0, rules=RULES)
)


@pytest.fixture(autouse=True)
def _no_rooms() -> None:
    st.cache_resource.clear()


def visit(lang: str = "en", **query: str) -> AppTest:
    """Open the class room with this address."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    test.query_params["lang"] = lang
    for key, value in query.items():
        test.query_params[key] = value
    test.run()
    test.switch_page("pages/class.py").run()
    assert not test.exception
    return test


def opened(lang: str = "en") -> tuple[AppTest, str]:
    """Return a coach's page with an open room, and the room's code."""
    coach = visit(lang)
    coach.button(key="w_class_open").click().run()
    assert not coach.exception
    return coach, coach.session_state[session.SEAT_IN_CLASS].split(".")[1]


def ask(coach: AppTest, **fields: str) -> AppTest:
    """Fill in the next question and ask it."""
    for name, value in fields.items():
        area = name in {"text", "choices", "reason"}
        field = coach.text_area if area else coach.text_input
        field(key=f"w_class_{name}").set_value(value).run()
        assert not coach.exception
    coach.button(key="w_class_ask").click().run()
    assert not coach.exception
    return coach


def seen(test: AppTest) -> str:
    """Return all that a page says."""
    kinds = ("html", "caption", "markdown", "button", "error", "header")
    return "\n".join(str(one.proto) for kind in kinds for one in test.get(kind))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_question_goes_round(lang: str) -> None:
    """A student joins, chooses and sees the spread and the right answer once they are revealed."""
    say = words(lang).say
    coach, code = opened(lang)
    student = visit(lang, room=code)
    student.text_input(key="w_class_name").set_value("Li")
    student.button[0].click().run()
    assert say("class.waiting") in [one.value for one in student.header]
    coach.text_area(key="w_class_choices").set_value("22\npass").run()
    coach.multiselect(key="w_class_right").set_value(["pass"]).run()
    ask(coach, text="What now?", reason="Wait & see.")
    student.run()
    assert "What now?" in seen(student)
    assert "Wait" not in seen(student)
    student.button(key="w_class_1_1").click().run()
    coach.run()
    assert say("class.answered", n=1, joined=1) in [one.value for one in coach.caption]
    assert f"· {say('class.right')}" not in seen(student)
    coach.button(key="w_class_reveal").click().run()
    student.run()
    assert "Wait &amp; see." in seen(student)
    assert f"· {say('class.right')}" in seen(student)


def test_cards_are_drawn_only_for_the_seat_asked() -> None:
    """A question about one seat draws that hand and what lies on the table, no other hand."""
    coach, code = opened()
    student = visit(room=code)
    student.button[0].click().run()
    coach.text_area(key="w_class_text").set_value("Cover?").run()
    coach.text_input(key="w_class_position").set_value(f"https://x/solver?p={POSITION}").run()
    coach.radio(key="w_class_seat").set_value("1").run()
    ask(coach, choices="22\npass")
    student.run()
    assert not student.exception
    shown = [one.proto.imgs[0].alt for one in student.get("image")]
    assert len(shown) == 2
    assert POSITION not in seen(student)
    assert any("2 ×2" in text or "2" in text for text in shown)
    assert not any("K" in text for text in shown)


def test_what_strangers_write_is_shown_letter_by_letter() -> None:
    """Markup in names, questions and choices is text on both sides."""
    coach, code = opened()
    student = visit(room=code)
    student.text_input(key="w_class_name").set_value("<b>x</b>")
    student.button[0].click().run()
    ask(coach, text="<script>alert(1)</script>", choices="<img src=x>\n# [a](b)")
    for test in (coach.run(), student.run()):
        assert not test.exception
        markup = "".join(str(one.proto.body) for one in test.get("html"))
        assert "<script>alert" not in markup
        assert "<img" not in markup


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("A\nB\nC\nD", ["A", "B", "C", "D"]),
        ("A 33\nhold", ["A 33", "hold"]),
        ("A33\nD\npass", ["33A", "big joker", "Pass"]),
        ("33\n44\n33", ["33", "44"]),
    ],
)
def test_choices_are_cards_only_where_all_are(typed: str, shown: list[str]) -> None:
    """Words stay words, beside them single letters too; the same choice twice is one."""
    coach, code = opened()
    student = visit(room=code)
    student.button[0].click().run()
    ask(coach, text="Which?", choices=typed)
    student.run()
    labels = [b.label for b in student.button if (b.key or "").startswith("w_class_1_")]
    assert labels == shown


@pytest.mark.parametrize("position", ["nonsense", "Ad6XPE4C", "https://x/?p=AAAA"])
def test_a_wrong_position_is_named_and_nothing_is_lost(position: str) -> None:
    """A code that cannot be read leaves an error, the other fields and a button that waits."""
    coach, _ = opened()
    coach.text_area(key="w_class_text").set_value("Cover?").run()
    coach.text_input(key="w_class_position").set_value(position).run()
    assert coach.error
    assert coach.button(key="w_class_ask").disabled
    assert coach.text_area(key="w_class_text").value == "Cover?"


def test_an_unknown_room_is_said_so() -> None:
    """A code of no room leaves a sentence with the code and the way to another."""
    student = visit(room="<b>ZZ9</b>")
    assert "BZZ9B" in student.error[0].value.replace("\\", "")


def test_a_closed_room_is_gone_for_all() -> None:
    """After the coach closes, students are told and the coach is back at the entrance."""
    coach, code = opened()
    student = visit(room=code)
    student.button[0].click().run()
    coach.button(key="w_class_close").click().run()
    assert coach.button(key="w_class_open")
    student.run()
    assert student.error
    assert class_rooms.rooms().count() == 0


def test_codes_read_out_are_added_up() -> None:
    """Without a network the codes of the sheet give the spread."""
    coach = visit()
    coach.text_input(key="w_class_secret").set_value("Q1").run()
    coach.text_area(key="w_class_voice_choices").set_value("22\npass").run()
    said = f"1 {answer_code('Q1', 1, 0)}, 2 {answer_code('Q1', 2, 0)}\n3 {answer_code('Q1', 3, 1)}"
    coach.text_area(key="w_class_said").set_value(said).run()
    assert "3 of 30 have chosen." in [one.value for one in coach.caption]
    coach.text_area(key="w_class_said").set_value("1 ??").run()
    assert coach.error
