"""The lesson that a coach is writing, as one text of the session that the browser keeps as well."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
import streamlit as st

from ddz_core import lessons, record
from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.lessons import Lesson, Step, files, writing
from pages._kit import house_rules, inputs, session, shell

if TYPE_CHECKING:
    from ddz_core.lessons import Fault
    from ddz_core.positions import Position

LINK = "l"
"""Parameter of the address that carries a whole lesson."""
SOURCES = ("p", "g")
"""Parameters of the address that carry a position or a game to make one of."""


class Draft(msgspec.Struct, frozen=True):
    """What is being written.

    Attributes:
        source: link or code of the game or position, as typed.
        lesson: the lesson so far.
    """

    source: str = ""
    lesson: Lesson = Lesson(id="own-lesson", title="")


def draft() -> Draft:
    """Return what is being written; a text that cannot be read is nothing."""
    return _draft(session.get(session.WRITING))


@lru_cache(maxsize=32)
def _draft(text: str) -> Draft:
    try:
        return msgspec.json.decode(text or "{}", type=Draft)
    except msgspec.MsgspecError:
        return Draft()


def put(changed: Draft) -> None:
    """Keep what is being written; for callbacks."""
    session.put(session.WRITING, msgspec.json.encode(changed).decode())


def take(**fields: Any) -> None:  # noqa: ANN401
    """Change some fields of the lesson; for callbacks."""
    now = draft()
    put(msgspec.structs.replace(now, lesson=msgspec.structs.replace(now.lesson, **fields)))


def take_step(at: int, **fields: Any) -> None:  # noqa: ANN401
    """Change some fields of a step; for callbacks."""
    steps = list(draft().lesson.steps)
    if at < len(steps):
        steps[at] = msgspec.structs.replace(steps[at], **fields)
        take(steps=tuple(steps))


def move(at: int, by: int) -> None:
    """Move a step, or take it out with ``by`` 0; for callbacks."""
    steps: list[Step] = list(draft().lesson.steps)
    if at >= len(steps):
        return
    one = steps.pop(at)
    if by:
        steps.insert(max(0, min(len(steps), at + by)), one)
    take(steps=tuple(steps))


def source() -> Game | Position | None:
    """Return the game or position that steps are made of; None if nothing is given.

    Raises:
        RecordError: if what was typed holds none.
    """
    typed = draft().source.strip()
    return _source(typed) if typed else None


@lru_cache(maxsize=32)
def _source(typed: str) -> Game | Position:
    if "\n" in typed or typed.startswith("paili"):
        return record.read_record(typed)
    return writing.source_of(typed)


def make(indices: list[int]) -> None:
    """Put steps for moments of the game, or for the position, after those there are."""
    now, found = draft(), source()
    if found is None:
        return
    if isinstance(found, Game):
        made = writing.lesson_of(found, indices).steps
    else:
        made = (writing.step_of(found),)
    lesson = msgspec.structs.replace(
        now.lesson,
        title=now.lesson.title or shell.words().say("writer.untitled"),
        rules=found.rules.id,
        overrides=dict(found.rules.overrides),
        steps=(*now.lesson.steps, *made)[: files.MOST_STEPS],
    )
    put(msgspec.structs.replace(now, lesson=lesson))


def faults(lesson: Lesson) -> list[Fault]:
    """Return what is wrong with a lesson.

    Raises:
        LessonError: if its texts are such that no file can hold it.
    """
    return _faults(lessons.write(lesson))


@lru_cache(maxsize=64)
def _faults(text: str) -> list[Fault]:
    return lessons.check(lessons.read(text))


def open_text(text: str) -> None:
    """Open a lesson's text for writing on.

    Raises:
        LessonError: if it is no lesson; what is being written stays.
    """
    found = lessons.read(text)
    put(Draft(source="", lesson=found))


def arrive() -> DdzError | None:
    """Take a lesson, a game or a position of the address; return what is wrong with it."""
    asked = st.query_params
    try:
        if LINK in asked:
            open_text(writing.read_link(asked[LINK]))
            inputs.address(LINK, "")
        for name in SOURCES:
            if name in asked and asked[name] != draft().source:
                found = _source(asked[name])
                house_rules.put(found.rules)
                put(msgspec.structs.replace(draft(), source=asked[name]))
                inputs.address(name, "")
    except DdzError as error:
        for name in (LINK, *SOURCES):
            inputs.address(name, "")
        return error
    return None
