"""The recognition quiz: true questions, weak kinds first, progress that its owner keeps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz_core import quiz
from ddz_core.errors import DdzError, RecordError
from ddz_core.quiz import Item, Progress
from ddz_core.rules import load_ruleset

CLASSIC = load_ruleset("classic")
TODAY = "2026-03-01"


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(quiz.items_of(CLASSIC)), st.integers(0, 2**32))
def test_questions_are_true(item: str, seed: int) -> None:
    """The answers are the kinds of all readings, the item among them; a right one is offered."""
    asked = quiz.question(item, CLASSIC, np.random.default_rng(seed))
    kinds = {reading.kind for reading in CLASSIC.readings(asked.cards)} or {quiz.NONE}
    assert set(asked.answers) == kinds
    assert item in asked.answers
    assert asked.choices[-1] == quiz.NONE
    assert set(asked.choices) & set(asked.answers)
    assert len(set(asked.choices)) == len(asked.choices) == quiz.CHOICES + 1
    assert asked == quiz.question(item, CLASSIC, np.random.default_rng(seed))


def test_unknown_item_is_refused() -> None:
    """A kind that the game does not have cannot be asked."""
    with pytest.raises(DdzError):
        quiz.question("spaceship", CLASSIC, np.random.default_rng(1))


def test_weak_and_due_items_come_first() -> None:
    """Due before not due, low boxes before high ones, low shares before high ones."""
    progress = Progress(
        {
            "single": Item(5, "2026-02-01", 9, 9),
            "pair": Item(1, "2026-02-28", 4, 1),
            "triple": Item(1, "2026-02-28", 4, 3),
            "bomb": Item(1, "2026-03-09", 4, 0),
        }
    )
    order = quiz.weakest(progress, CLASSIC, TODAY)
    assert order.index("pair") < order.index("triple") < order.index("single") < order.index("bomb")
    assert sorted(order) == sorted(quiz.items_of(CLASSIC))
    planned = quiz.plan(progress, CLASSIC, TODAY, np.random.default_rng(1))
    assert len(planned) == quiz.QUESTIONS
    assert planned[:3] == order[:3]
    assert set(order[:10]) <= set(planned)


def test_boxes_rise_and_fall() -> None:
    """A right answer comes back later, a wrong one today, and the kind it was taken for too."""
    asked = quiz.Question("pair", "33", ("pair",), ("pair", "triple", "none"))
    progress, right = quiz.answered(Progress(), asked, "pair", TODAY)
    assert right
    assert progress.item("pair") == Item(1, "2026-03-02", 1, 1)
    progress, right = quiz.answered(progress, asked, "pair", TODAY)
    assert progress.item("pair") == Item(2, "2026-03-04", 2, 2)
    progress, right = quiz.answered(progress, asked, "triple", TODAY)
    assert not right
    assert progress.item("pair") == Item(0, TODAY, 3, 2)
    assert progress.item("triple") == Item(0, TODAY, 0, 0)
    for _ in range(9):
        progress, _ = quiz.answered(progress, asked, "pair", TODAY)
    assert progress.item("pair").box == len(quiz.INTERVALS) - 1


def test_any_kind_of_an_ambiguous_set_is_right() -> None:
    """Cards with readings of two kinds accept either name."""
    asked = quiz.Question("plane", "333444555666", ("plane", "plane_singles"), ("plane", "none"))
    for answer in asked.answers:
        assert quiz.answered(Progress(), asked, answer, TODAY)[1]


ITEMS = st.builds(
    lambda box, day, right, more: Item(box, day, right + more, right),
    st.integers(0, 5),
    st.sampled_from(["", "2026-01-31", "1999-12-01"]),
    st.integers(0, 99),
    st.integers(0, 99),
)


@given(st.dictionaries(st.sampled_from(quiz.items_of(CLASSIC)), ITEMS))
def test_progress_reads_back(items: dict[str, Item]) -> None:
    """Writing and reading progress gives the same progress."""
    progress = Progress(items)
    assert quiz.read(quiz.write(progress)) == progress


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("paili-quiz 2\n", 1),
        ("<script>", 1),
        ("paili-quiz 1\npair 1 2026-01-01 1", 2),
        ("paili-quiz 1\npair 9 2026-01-01 1 1", 2),
        ("paili-quiz 1\npair 1 2026-13-01 1 1", 2),
        ("paili-quiz 1\npair 1 - 1 1\npair! 1 - 1 1", 3),
        ("paili-quiz 1\npair 1 - 1 2", 2),
        ("paili-quiz 1\npair x - 1 1", 2),
    ],
)
def test_a_file_that_is_none_names_the_line(text: str, line: int) -> None:
    """What cannot be read is refused with the number of the line."""
    with pytest.raises(RecordError) as refused:
        quiz.read(text)
    assert refused.value.params["line"] == line


def test_no_text_is_no_progress() -> None:
    """An empty file starts from nothing."""
    assert quiz.read(" \n") == Progress()
