"""Class rooms keep every secret, die in time, and count what was chosen."""

from __future__ import annotations

import dataclasses
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz_core import classroom
from ddz_core.classroom import Question, Rooms
from ddz_core.errors import DdzError

ASKED = Question(text="What now?", choices=("33", "pass", "XD"), answers=(1,), reason="Wait.")


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock at zero."""
    return Clock()


@pytest.fixture
def rooms(clock: Clock) -> Rooms:
    """Rooms on that clock."""
    return Rooms(clock)


def test_a_choice_is_counted_and_may_be_changed(rooms: Rooms) -> None:
    """The coach sees the last choice of each student, once."""
    code, key = rooms.open()
    first, second = rooms.join(code, "Li"), rooms.join(code)
    rooms.ask(code, key, ASKED)
    rooms.choose(code, first, 0)
    rooms.choose(code, first, 2)
    rooms.choose(code, second, 2)
    view = rooms.coach(code, key)
    assert view.tally.of(2) == 2
    assert view.tally.of(0) == 0
    assert (view.tally.answered, view.tally.joined) == (2, 2)
    assert view.chosen == (("Li", 2), ("", 2))


def test_a_student_sees_nothing_before_it_is_revealed(rooms: Rooms) -> None:
    """Answers, reason, spread and others' choices in no student's view until they are shown."""
    code, key = rooms.open()
    token, other = rooms.join(code), rooms.join(code, "Wang")
    rooms.ask(code, key, ASKED)
    rooms.choose(code, other, 1)
    before = dataclasses.asdict(rooms.student(code, token))
    assert (before["tally"], before["answers"], before["reason"]) == (None, (), "")
    assert "Wang" not in str(before)
    rooms.reveal(code, key)
    after = rooms.student(code, token)
    assert after.answers == (1,)
    assert after.tally is not None
    assert after.tally.of(1) == 1
    with pytest.raises(DdzError) as refused:
        rooms.choose(code, token, 1)
    assert refused.value.key == "error.class.closed"


def test_tokens_open_their_own_room_only(rooms: Rooms) -> None:
    """A student's token opens no other room, and neither token nor code opens the coach's view."""
    one, key_one = rooms.open()
    two, key_two = rooms.open()
    token = rooms.join(one)
    for call in (
        lambda: rooms.student(two, token),
        lambda: rooms.choose(two, token, 0),
        lambda: rooms.coach(one, token),
        lambda: rooms.coach(one, key_two),
        lambda: rooms.reveal(two, key_one),
        lambda: rooms.coach(one, "é"),
    ):
        with pytest.raises(DdzError):
            call()


def test_a_room_dies_with_its_coach_or_when_idle(rooms: Rooms, clock: Clock) -> None:
    """Students alone do not keep a room alive; a coach who only looks does, for two hours."""
    code, key = rooms.open()
    token = rooms.join(code)
    clock.now = classroom.SILENT - 1
    rooms.coach(code, key)
    clock.now += classroom.SILENT - 1
    rooms.student(code, token)
    assert rooms.alive(code)
    clock.now += 2
    assert not rooms.alive(code)
    code, key = rooms.open()
    start = clock.now
    while clock.now - start < classroom.IDLE - 60:
        clock.now += 60
        rooms.coach(code, key)
    clock.now += 60
    assert not rooms.alive(code)


def test_closing_forgets_everything(rooms: Rooms) -> None:
    """After the coach closes a room nobody gets in, and its code is free."""
    code, key = rooms.open()
    token = rooms.join(code)
    rooms.close(code, key)
    for call in (lambda: rooms.student(code, token), lambda: rooms.join(code)):
        with pytest.raises(DdzError):
            call()
    assert rooms.count() == 0


def test_the_next_question_starts_anew_and_keeps_the_last(rooms: Rooms) -> None:
    """Choices of the question before go to the coach's list of past questions."""
    code, key = rooms.open()
    token = rooms.join(code)
    assert rooms.ask(code, key, ASKED) == 1
    rooms.choose(code, token, 1)
    assert rooms.ask(code, key, Question(text="How many plays?", answers=(4,))) == 2
    assert rooms.student(code, token).chosen is None
    rooms.choose(code, token, 4)
    view = rooms.coach(code, key)
    assert view.tally.of(4) == 1
    assert view.past[0][1].of(1) == 1


@pytest.mark.parametrize(
    ("question", "field"),
    [
        (Question(text=" "), "text"),
        (Question(text="x" * 601), "text"),
        (Question(text="?", choices=("a",)), "choices"),
        (Question(text="?", choices=("a", " ")), "choices 2"),
        (Question(text="?", choices=("a", "b"), answers=(2,)), "answers"),
        (Question(text="?", reason="x" * 601), "reason"),
    ],
)
def test_impossible_questions_are_named(rooms: Rooms, question: Question, field: str) -> None:
    """A question that cannot be asked is refused by the field that is wrong; the old one stands."""
    code, key = rooms.open()
    rooms.ask(code, key, ASKED)
    with pytest.raises(DdzError) as refused:
        rooms.ask(code, key, question)
    assert refused.value.field == field
    assert rooms.coach(code, key).question == ASKED


@pytest.mark.parametrize("choice", [-1, 3, True, "1", None])
def test_impossible_choices_are_refused(rooms: Rooms, choice: object) -> None:
    """Only an index of a choice is taken."""
    code, key = rooms.open()
    token = rooms.join(code)
    rooms.ask(code, key, ASKED)
    with pytest.raises(DdzError):
        rooms.choose(code, token, choice)  # type: ignore[arg-type]
    assert rooms.coach(code, key).tally.answered == 0


@given(st.text(max_size=80))
def test_names_are_short_and_visible(name: str) -> None:
    """A name keeps no control, direction or line character, and is at most 24 characters."""
    kept = classroom.clean_name(name)
    assert len(kept) <= classroom.MOST_NAME
    assert all(c == " " or c.isprintable() for c in kept)
    assert kept == kept.strip()


def test_full_houses_are_refused(rooms: Rooms) -> None:
    """A room and the process take no more than they say."""
    code, _ = rooms.open()
    for _ in range(classroom.MOST_STUDENTS):
        rooms.join(code)
    with pytest.raises(DdzError) as refused:
        rooms.join(code)
    assert refused.value.key == "error.class.seats"
    for _ in range(classroom.MOST_ROOMS - 1):
        rooms.open()
    with pytest.raises(DdzError) as refused:
        rooms.open()
    assert refused.value.key == "error.class.full"


def test_thirty_threads_lose_no_choice() -> None:
    """Thirty students who choose at once are all counted."""
    rooms = Rooms()
    code, key = rooms.open()
    rooms.ask(code, key, ASKED)
    tokens = [rooms.join(code, str(n)) for n in range(30)]

    def act(n: int) -> None:
        for turn in range(20):
            rooms.choose(code, tokens[n], (n + turn) % 3)
        rooms.choose(code, tokens[n], n % 3)

    threads = [threading.Thread(target=act, args=(n,)) for n in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tally = rooms.coach(code, key).tally
    assert [tally.of(choice) for choice in range(3)] == [10, 10, 10]


@given(st.text(min_size=1, max_size=20), st.integers(1, 80), st.integers(2, 12))
def test_codes_read_out_come_back(secret: str, student: int, choices: int) -> None:
    """Each code names its choice again, and no two choices of a student share one."""
    codes = [classroom.answer_code(secret, student, n) for n in range(choices)]
    assert len(set(codes)) == choices
    for n, code in enumerate(codes):
        assert classroom.read_answers(secret, choices, f"{student} {code.lower()}") == {student: n}


@pytest.mark.parametrize("said", ["K4", "0 K4", "81 K4", "7", "7 ??", "x K4"])
def test_wrong_codes_are_named(said: str) -> None:
    """What is no student's number with one of his codes is refused with what came."""
    with pytest.raises(DdzError) as refused:
        classroom.read_answers("q", 3, said)
    assert refused.value.got == said
