"""The lesson that is open and the learner's progress; both are texts of the session.

A lesson comes from the collection by its id, or from a file that the learner opened; the latter is
kept as its text, and is read and checked again whenever it is needed.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
import streamlit as st

from ddz_core import lessons
from ddz_core.errors import DdzError
from ddz_core.lessons import progress
from pages._kit import house_rules, inputs, session

if TYPE_CHECKING:
    from ddz_core.lessons import Lesson, Step
    from ddz_core.lessons.progress import Progress
    from ddz_core.rules import Rules

LESSON, STEP, MODE = "lesson", "step", "mode"
"""Parameters of the address: the lesson, the number of the step from 1, the mode."""

OWN = "own"
"""What stands for the lesson of an opened file where an id is expected."""

DUE = "due"
"""What stands for the tasks that are due, one after another, where an id is expected."""


class State(msgspec.Struct, frozen=True):
    """Where the learner is.

    Attributes:
        lesson: id of the lesson, :data:`OWN`, or empty while the list is shown.
        step: index of the step; the number of steps once the lesson is done.
        mode: one of :data:`ddz_core.lessons.MODES`.
        tries: answers given to this task so far.
        hints: hints shown.
        answer: the last answer.
        shown: whether the right answer is shown.
        line: actions played on from the step's position.
        review: whether the tasks that are due are gone through, of whatever lesson.
        asked: what the address said last; only another address is a link that was followed.
    """

    lesson: str = ""
    step: int = 0
    mode: str = "guided"
    tries: int = 0
    hints: int = 0
    answer: str = ""
    shown: bool = False
    line: tuple[str, ...] = ()
    review: bool = False
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Open:
    """An open lesson: where the learner is, the lesson, its rules."""

    state: State
    lesson: Lesson
    rules: Rules

    @property
    def step(self) -> Step | None:
        """The step on show, None once the lesson is done."""
        at = self.state.step
        return self.lesson.steps[at] if 0 <= at < len(self.lesson.steps) else None

    def task(self, step: int | None = None) -> str:
        """Return the name of a step's task in the progress; of the step on show if left out.

        A lesson of a file may have the id of a shipped one, and has names of its own.
        """
        lesson_id = self.lesson.id
        if self.state.lesson == OWN:
            lesson_id = f"own-{lesson_id}"[:40].rstrip("-")
        return progress.name_of(lesson_id, self.state.step if step is None else step)

    @property
    def known(self) -> int:
        """How many tasks of the lesson were answered right at the last try."""
        kept = learned()
        return sum(kept.item(self.task(i)).box > 0 for i in self.lesson.tasks)


def state() -> State:
    """Return where the learner is."""
    try:
        return msgspec.json.decode(session.get(session.LESSON) or "{}", type=State)
    except msgspec.MsgspecError:
        return State()


def put(changed: State) -> None:
    """Keep where the learner is; for callbacks."""
    kept = msgspec.structs.replace(changed, asked=changed.asked or state().asked)
    session.put(session.LESSON, msgspec.json.encode(kept).decode())


def show() -> None:
    """Put where the learner is into the address.

    The page does so while it runs: what a callback puts there reaches the browser one run late.
    """
    now = state()
    inputs.address(LESSON, now.lesson)
    inputs.address(STEP, str(now.step + 1) if now.lesson else "")
    inputs.address(MODE, now.mode if now.lesson and now.mode != "guided" else "")
    put(msgspec.structs.replace(now, asked=_asked()))


def _asked() -> str:
    """Return what the address says, as one text."""
    return "/".join(st.query_params.get(name, "") for name in (LESSON, STEP, MODE)) or "/"


def change(**fields: object) -> None:
    """Change some fields of where the learner is; for callbacks."""
    put(msgspec.structs.replace(state(), **fields))


def opened() -> Open | None:
    """Return the open lesson, None while the list is shown or where it cannot be read."""
    now = state()
    if not now.lesson:
        return None
    try:
        found = own() if now.lesson == OWN else lessons.load(now.lesson)
        return None if found is None else Open(now, found, found.game)
    except DdzError:
        return None


def open_lesson(lesson_id: str, step: int = 0, *, mode: str = "guided") -> None:
    """Open a lesson at a step; for callbacks."""
    put(State(lesson=lesson_id, step=step, mode=mode))


def open_due() -> None:
    """Open the first of the tasks that are due; for callbacks."""
    names = due()
    if names:
        _open_task(names[0])


def _open_task(name: str) -> None:
    lesson_id, _, number = name.partition("/")
    put(State(lesson=lesson_id, step=int(number) - 1, review=True))


def go(step: int) -> None:
    """Go to a step of the open lesson, its question fresh; for callbacks."""
    now = state()
    if now.review and step > now.step:
        names = [name for name in due() if name != progress.name_of(now.lesson, now.step)]
        if names:
            _open_task(names[0])
        else:
            close()
        return
    put(State(lesson=now.lesson, step=step, mode=now.mode))


def close() -> None:
    """Go back to the list; for callbacks."""
    put(State())


def arrive() -> DdzError | None:
    """Take lesson, step and mode of the address into the session.

    Returns:
        The error of a lesson that does not exist; what was open before then stays.
    """
    asked, now = st.query_params, state()
    wanted = asked.get(LESSON, "")
    if not wanted:
        return None
    number = asked.get(STEP, "1")
    step = int(number) - 1 if number.isascii() and number.isdigit() and len(number) < 4 else 0
    mode = asked.get(MODE, "guided")
    mode = mode if mode in lessons.MODES else "guided"
    if _asked() == now.asked:
        return None
    try:
        found = own() if wanted == OWN else lessons.load(wanted)
    except DdzError as error:
        return error
    if found is None:
        close()
        return None
    put(State(lesson=wanted, step=max(0, min(step, len(found.steps))), mode=mode))
    return None


# --- a lesson of one's own -----------------------------------------------------------------------


def own() -> Lesson | None:
    """Return the lesson of the file that was opened, None if there is none."""
    text = session.get(session.OWN_LESSON)
    return _read(text) if text else None


@lru_cache(maxsize=64)
def _read(text: str) -> Lesson:
    return lessons.read(text)


def take(text: str) -> list[lessons.Fault]:
    """Keep a lesson file if nothing is wrong with it, and return what is.

    Raises:
        LessonError: if it cannot be read as a lesson at all.
    """
    found = lessons.check(lessons.read(text))
    if not found:
        session.put(session.OWN_LESSON, text)
    return found


# --- progress ------------------------------------------------------------------------------------


def today() -> str:
    """Return the day, ISO form."""
    return dt.datetime.now(tz=dt.UTC).date().isoformat()


def learned() -> Progress:
    """Return the learner's progress; a text that cannot be read has none."""
    return _progress(session.get(session.LEARNED))


@lru_cache(maxsize=64)
def _progress(text: str) -> Progress:
    try:
        return progress.read(text)
    except DdzError:
        return progress.Progress()


def due() -> list[str]:
    """Return the tasks that are due today and are still there."""
    found = []
    for name in learned().due(today()):
        lesson_id, _, number = name.partition("/")
        if lesson_id in lessons.lesson_ids():
            one = lessons.load(lesson_id)
            if int(number) - 1 in one.tasks:
                found.append(name)
    return found


def answered(now: Open, answer: str, *, right: bool) -> None:
    """Take an answer to the open task; the first one counts for the progress; for callbacks."""
    if not now.state.tries and not now.state.shown:
        kept = progress.answered(learned(), now.task(), right=right, today=today())
        session.put(session.LEARNED, progress.write(kept))
    change(answer=answer, tries=now.state.tries + 1, line=())


def reveal(now: Open) -> None:
    """Show the right answer; a task not yet answered counts as not known; for callbacks."""
    if not now.state.tries and not now.state.shown:
        kept = progress.answered(learned(), now.task(), right=False, today=today())
        session.put(session.LEARNED, progress.write(kept))
    change(shown=True)


def overrides_text(rules: Rules) -> str:
    """Return the house rules of a lesson's game as the address carries them."""
    return house_rules.text_of(rules.overrides)
