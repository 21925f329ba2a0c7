"""Lessons: the shipped ones are right, the checker finds what is wrong, progress is kept."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz_core import cards, claims, cli, lessons
from ddz_core.errors import DdzError, LessonError, RecordError
from ddz_core.language import LANGUAGES
from ddz_core.lessons import drills, files, judging, progress, scenes, truths
from ddz_core.rules import load_ruleset
from tools import lessons as keeping

COURSE = lessons.lesson_ids("course")
TACTICS = lessons.lesson_ids("tactics")
DRILLS = lessons.lesson_ids("drill")
SHIPPED = [*COURSE, *TACTICS, *DRILLS]
CLASSIC = load_ruleset("classic")


def lesson(**changes: Any) -> lessons.Lesson:
    """Return a lesson of one step, with other values for fields of the lesson or of the step."""
    step: dict[str, Any] = {
        "ask": "play",
        "question": "Your partner holds one card, a 5. You lead.",
        "truth": "keeps",
        "hands": ("6TKA", "37JQ", "5"),
        "to_move": 1,
        "answers": ("3",),
    }
    whole = {k: changes.pop(k) for k in list(changes) if k in lessons.Lesson.__struct_fields__}
    step |= changes
    return lessons.Lesson(
        **({"id": "mine", "title": "Mine", "steps": (lessons.Step(**step),)} | whole)
    )


def keys(one: lessons.Lesson) -> list[str]:
    """Return the catalogue keys of a lesson's faults."""
    return [fault.error.key for fault in lessons.check(one)]


@pytest.mark.parametrize("lesson_id", SHIPPED)
def test_shipped_lessons_are_right(lesson_id: str) -> None:
    """Every stated answer is what the rules, the counting or the solver find, wherever it holds."""
    assert list(map(str, lessons.check(lessons.load(lesson_id)))) == []


def test_course_is_a_ladder_of_twelve() -> None:
    """Twelve lessons of five tasks each lead from 24 over 36 to 54 cards."""
    course = [lessons.load(one) for one in COURSE]
    assert [one.place for one in course] == list(range(1, 13))
    assert all(len(one.tasks) == 5 for one in course)
    sizes = [cards.size_of(one.game.ruleset.deck_cards) for one in course]
    assert sizes == sorted(sizes)
    assert list(dict.fromkeys(sizes)) == [24, 36, 54]
    assert {one.group for one in course} == {"course"}


def test_tactics_are_built_on_claims() -> None:
    """Every lesson on a tactic names a claim, and has four tasks or more."""
    assert len(TACTICS) >= 11
    for one in map(lessons.load, TACTICS):
        assert one.claims, one.id
        assert set(one.claims) <= set(claims.claims()), one.id
        assert len(one.tasks) >= 4, one.id


@pytest.mark.parametrize("lesson_id", SHIPPED)
def test_shipped_lessons_speak_three_languages(lesson_id: str) -> None:
    """Every text is there in each language, and the machine knows every right answer."""
    one = lessons.load(lesson_id)
    for field, text, _ in files.texts_of(one):
        if text:
            assert isinstance(text, dict), field
            assert set(text) == set(LANGUAGES), field
    assert all(step.truth != "told" for step in one.steps if step.is_task)


def test_files_are_in_their_settled_form() -> None:
    """Lessons and glossary are what the command makes of them, traditional Chinese included."""
    old = [path.name for path, text in keeping.build().items() if path.read_text("utf-8") != text]
    assert old == [], "run: python -m tools.lessons"


@pytest.mark.parametrize("lesson_id", SHIPPED)
def test_written_lesson_reads_back(lesson_id: str) -> None:
    """Writing and reading give the same lesson."""
    one = lessons.load(lesson_id)
    assert lessons.read(lessons.write(one)) == one


@pytest.mark.parametrize("lesson_id", SHIPPED)
def test_every_answer_is_judged_with_a_reason(lesson_id: str) -> None:
    """Stated answers are right, every other one offered is wrong, and both come with a reason."""
    one = lessons.load(lesson_id)
    rules = one.game
    for i in one.tasks:
        step = one.steps[i]
        key = truths.key_of(step, rules)
        for answer in step.answers or key.right[:3]:
            found = lessons.judge(step, rules, answer)
            assert found.right, (i + 1, answer)
            assert found.why or found.phrases, (i + 1, answer)
        offered = [option.value for option in step.options] or (
            list(key.candidates) if step.ask == "play" else []
        )
        for answer in offered:
            if answer in key.right:
                continue
            found = lessons.judge(step, rules, answer)
            assert not found.right, (i + 1, answer)
            assert found.why or found.phrases or step.why, (i + 1, answer)


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"answers": ("7",)}, "error.lesson.answer"),
        ({"hands": ("99", "4458", "7JQK"), "answers": ("4",)}, "error.lesson.also"),
        ({"hands": ("6TKA", "37JQ", "")}, "error.position.size"),
        ({"hands": ("66666", "37JQ", "5")}, "error.deal.surplus"),
        ({"hands": ("6TKA", "37JZ", "5")}, "error.cards.character"),
        ({"to_move": 7}, "error.deal.seat"),
        ({"played": ("9",)}, "error.action"),
        ({"next": ("K", "5")}, "error.action"),
        ({"hide": (4,)}, "error.lesson.whole"),
        ({"hide": (1,)}, "error.lesson.own"),
        ({"hands": ("2", "3344", "5"), "beat": "A", "answers": ("pass",)}, "error.lesson.lost"),
        ({"truth": "points"}, "error.lesson.fit"),
        ({"question": ""}, "error.lesson.missing"),
        ({"answers": ()}, "error.lesson.missing"),
        ({"rules": "clasic"}, "error.ruleset.unknown"),
        ({"holds": ("nowhere",)}, "error.ruleset.unknown"),
        ({"steps": ()}, "error.lesson.missing"),
        ({"replies": (lessons.Reply(action="2", why="no"),)}, "error.lesson.illegal"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], key: str) -> None:
    """A lesson with one fault is refused with the fault's own key, field and step."""
    found = lessons.check(lesson(**changes))
    assert found
    assert found[0].error.key.startswith(key), found[0]
    assert found[0].error.field
    assert str(found[0])


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"options": (lessons.Option(value="single"),)}, "error.lesson.options"),
        ({"answers": ("pair",)}, "error.lesson.answer"),
        (
            {"options": (lessons.Option(value="bomb"), lessons.Option(value="bomb"))},
            "error.lesson.twice",
        ),
        ({"cards": "55555"}, "error.lesson.surplus"),
    ],
)
def test_wrong_choices_are_named(changes: dict[str, Any], key: str) -> None:
    """A question with options needs two different ones, and the right one marked."""
    plain: dict[str, Any] = {
        "ask": "choice",
        "truth": "kind",
        "cards": "5555",
        "hands": (),
        "to_move": 0,
        "answers": ("bomb",),
        "options": (lessons.Option(value="bomb"), lessons.Option(value="pair")),
    }
    assert keys(lesson(**plain)) == []
    assert keys(lesson(**(plain | changes)))[0] == key


@pytest.mark.parametrize(
    ("text", "key", "field"),
    [
        ("id = ", "error.lesson.toml", "lesson"),
        ('id = "a"\ntitle = "t"\nnonsense = 1', "error.lesson.unknown", "nonsense"),
        (
            'id = "a"\ntitle = "t"\n[[steps]]\nask = "play"\ncolour = 1',
            "error.lesson.unknown",
            "steps[0].colour",
        ),
        ('id = "a"', "error.lesson.missing", "title"),
        ('id = "a"\ntitle = "t"\nplace = "x"', "error.lesson.value", "place"),
        ('id = "A b"\ntitle = "t"', "error.lesson.id", "id"),
        ('id = "a"\ntitle = "<b>t</b>"', "error.lesson.markup", "title"),
        ('id = "a"\ntitle = { en = "**t**" }', "error.lesson.markup", "title.en"),
        ('id = "a"\ntitle = { fr = "t" }', "error.lesson.language", "title.fr"),
        ('id = "a"\ntitle = "t"\nauthor = "[x](y)"', "error.lesson.markup", "author"),
        (f'id = "a"\ntitle = "{"t" * 200}"', "error.lesson.long", "title"),
        ('id = "a"\ntitle = " "', "error.lesson.missing", "title"),
        ('id = "a"\ntitle = "t\u202e"', "error.lesson.markup", "title"),
        ("#" * 300_000, "error.lesson.size", "lesson"),
        (
            'id = "a"\ntitle = "t"\n' + '[[steps]]\nask = "read"\n' * 70,
            "error.lesson.many",
            "steps",
        ),
    ],
)
def test_bad_files_are_refused(text: str, key: str, field: str) -> None:
    """A file with an unknown key, a wrong value or markup in a name is refused, the field named."""
    with pytest.raises(LessonError) as refused:
        lessons.read(text)
    assert refused.value.key == key
    assert refused.value.field == field


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Whatever a file holds, reading it gives a lesson or the core's own error."""
    try:
        found = lessons.read(text).id
    except LessonError as error:
        found = error.field
    assert found


@given(st.text(max_size=40))
def test_any_answer_is_judged(answer: str) -> None:
    """Whatever is typed as an answer is right or wrong; nothing raises."""
    for ask, truth, changes in (
        ("play", "keeps", {}),
        ("number", "points", {"answers": ("3",)}),
        ("cards", "legal", {"accept": "any", "answers": (), "want": "pair"}),
    ):
        step = lesson(ask=ask, truth=truth, **changes).steps[0]
        assert lessons.judge(step, CLASSIC, answer).right in (True, False)


def test_a_text_falls_back_to_a_near_language() -> None:
    """A text in one language is shown to readers of every other."""
    assert lessons.told({"zh-Hans": "顶牌"}, "zh-Hant") == "顶牌"
    assert lessons.told({"zh-Hant": "頂牌"}, "en") == "頂牌"
    assert lessons.told({"en": "block", "zh-Hans": "顶牌"}, "zh-Hant") == "顶牌"
    assert lessons.told("block", "zh-Hans") == "block"
    assert lessons.told({}, "en") == ""


def test_layouts_are_counted_with_their_ways() -> None:
    """The layouts of hidden hands are all of them, each weighted by the ways in which it lies."""
    step = lesson(hands=("A3", "K44", "55Q"), to_move=0, hide=(1, 2), truth="layouts").steps[0]
    found = list(truths.layouts(step, CLASSIC))
    assert sum(ways for _, ways in found) == 20
    assert len({pos.texts for pos, _ in found}) == len(found)
    assert all(sorted("".join(pos.texts[1:])) == sorted("K4455Q") for pos, _ in found)
    key = truths.key_of(step, CLASSIC)
    assert max(share for _, share in key.shares) <= 1
    assert key.right


def test_a_refuted_play_is_played_out() -> None:
    """A losing play is answered with play after play until the other side is out."""
    step = lessons.load("feed").steps[0]
    pos = scenes.asked(step, CLASSIC)
    line = judging.refutation(pos, "9")
    assert line
    found: Any = scenes.after(pos, "9")
    for seat, action in line:
        assert found.to_move == seat
        found = scenes.after(found, action)
    assert found == 0


def test_a_machine_keeps_what_can_be_kept() -> None:
    """The machine's play is one that keeps the solver's result."""
    pos = scenes.asked(lessons.load("feed").steps[0], CLASSIC)
    assert judging.reply(pos) == "6"


@given(
    st.dictionaries(
        st.from_regex(r"[a-z][a-z0-9-]{0,10}/[1-9]", fullmatch=True),
        st.lists(st.booleans(), min_size=1, max_size=8),
        max_size=6,
    )
)
def test_progress_reads_back(answers: dict[str, list[bool]]) -> None:
    """Progress written and read is the same, with the share of right answers and the day due."""
    kept = progress.Progress()
    for name, given_answers in answers.items():
        for right in given_answers:
            kept = progress.answered(kept, name, right=right, today="2026-03-01")
    again = progress.read(progress.write(kept))
    assert again == kept
    for name, given_answers in answers.items():
        item = again.item(name)
        assert (item.asked, item.right) == (len(given_answers), sum(given_answers))
        assert (item.due == "2026-03-01") == (not given_answers[-1])
    assert progress.merged(kept, progress.Progress()) == kept


def test_a_task_comes_back_later_and_later() -> None:
    """Right answers put a task off for longer each time; a wrong one makes it due at once."""
    kept, days = progress.Progress(), []
    for _ in range(4):
        kept = progress.answered(kept, "feed/1", right=True, today="2026-03-01")
        days.append(kept.item("feed/1").due)
    assert days == sorted(set(days))
    assert kept.due("2026-03-01") == []
    kept = progress.answered(kept, "feed/1", right=False, today="2026-03-01")
    assert kept.due("2026-03-01") == ["feed/1"]


@pytest.mark.parametrize("text", ["x", "paili-quiz 1", f"{progress.HEAD}\nfeed 1 - 1 1"])
def test_progress_of_another_kind_is_refused(text: str) -> None:
    """A file that is no progress is refused with the line that is wrong."""
    with pytest.raises(RecordError) as refused:
        progress.read(text)
    assert refused.value.field.startswith("line")


def test_lessons_know_their_progress() -> None:
    """A lesson counts the tasks answered right, and those answered at all."""
    one = lessons.load("cards")
    kept = progress.answered(progress.Progress(), "cards/1", right=True, today="2026-03-01")
    kept = progress.answered(kept, "cards/2", right=False, today="2026-03-01")
    assert (kept.known(one), kept.asked(one)) == (1, 2)


def test_a_wrong_step_leaves_the_others_judged() -> None:
    """One impossible step is named; the other steps of the lesson are still checked."""
    good = lessons.load("feed")
    bad = msgspec.structs.replace(good.steps[1], hands=("555555", "4458", "JJ"))
    mixed = msgspec.structs.replace(good, steps=(good.steps[0], bad, *good.steps[2:]))
    assert {fault.step for fault in lessons.check(mixed)} == {2}
    assert isinstance(lessons.check(mixed)[0].error, DdzError)


def test_command_lists_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verb lists the lessons, passes a right one, and names what is wrong with a file."""
    assert cli.main(["lessons", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in listed] == lessons.lesson_ids()
    assert cli.main(["lessons", "--check", "feed"]) == 0
    assert "4 tasks" in capsys.readouterr().out
    wrong = tmp_path / "mine.toml"
    wrong.write_text(lessons.write(lesson(answers=("7",))), encoding="utf-8")
    assert cli.main(["lessons", "--check", str(wrong)]) == 2
    said = capsys.readouterr().err
    assert "step 1" in said
    assert "'7' is wrong" in said
    assert cli.main(["lessons", str(tmp_path / "none.toml")]) == 2
    assert cli.main(["lessons", "nowhere"]) == 2


@pytest.mark.parametrize(("drill", "holds"), [("feed", drills.feeds), ("block", drills.blocks)])
def test_drills_hold_what_they_promise(drill: str, holds: Any) -> None:
    """Thirty different positions, each with the property of its drill, proven by the solver."""
    one = lessons.load(f"drill-{drill}")
    places = [scenes.asked(step, one.game) for step in one.steps]
    assert len({str(pos) for pos in places}) == drills.NUMBER
    assert all(holds(pos) for pos in places)
    sizes = [sum(map(cards.size_of, pos.hands)) for pos in places]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("drill", drills.DRILLS)
def test_drills_are_the_same_for_a_seed(drill: drills.Drill) -> None:
    """The same seed makes the same drill, and what it makes is right."""
    made = drills.make(drill, 7, 3)
    assert made == drills.make(drill, 7, 3)
    assert lessons.check(made) == []


def test_other_positions_are_no_drill() -> None:
    """A position that any play wins, or none, is neither one of feeding nor of blocking."""
    step = lessons.load("way-out").steps[0]
    pos = scenes.asked(step, lessons.load("way-out").game)
    assert not drills.feeds(pos)
    assert not drills.blocks(pos)


TEXTS = st.sampled_from(
    ["", "3", "33", "345", "99TJ", "XD", "zz", "<b>", "pass", "3=x", "7", "nan", "bomb", "x" * 50]
)
STEPS = st.builds(
    lessons.Step,
    ask=st.sampled_from(lessons.ASKS),
    truth=st.sampled_from([name for name in truths.FITS if name != "best"]),
    question=st.just("?"),
    want=st.sampled_from(["", "pair", "form", "deal.hand", "deal", "A", "XD@any", "22@9", "9"]),
    hands=st.lists(TEXTS, max_size=3).map(tuple),
    to_move=st.sampled_from([0, 1, -1, 5]),
    hide=st.sampled_from([(), (1,), (9,)]),
    beat=TEXTS,
    played=st.lists(TEXTS, max_size=1).map(tuple),
    cards=TEXTS,
    seen=TEXTS,
    calls=st.lists(st.sampled_from(["1", "pass", "x", ""]), max_size=2).map(tuple),
    facts=st.sampled_from(
        [{}, {"nonsense": 1}, {"counts": "abc"}, {"counts": [1, "x"]}, {"seat": {"a": [1]}}]
    ),
    options=st.lists(st.builds(lessons.Option, value=TEXTS), max_size=3).map(tuple),
    answers=st.lists(TEXTS, max_size=2).map(tuple),
    accept=st.sampled_from(["any", "listed"]),
)


@given(STEPS, TEXTS)
def test_any_step_is_checked_and_judged(step: lessons.Step, answer: str) -> None:
    """Whatever a step says, the checker names what is wrong; nothing else is raised."""
    for fault in lessons.step_faults(step, CLASSIC):
        assert fault.field
        assert fault.key.startswith("error.")
    with contextlib.suppress(DdzError):
        assert lessons.judge(step, CLASSIC, answer).right in (True, False)
