"""A learner's progress through lessons: boxes with a day on which each task is due again.

Layer 4. The text is kept by the browser and by a file of the learner's own; nothing else stores
it. A task answered right at the first try moves one box up, any other back to box 0; box ``b`` is
due after :data:`ddz_core.quiz.INTERVALS` ``[b]`` days. Days are given from outside.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ddz_core.errors import RecordError
from ddz_core.lessons.files import Lesson
from ddz_core.quiz import INTERVALS, Item

HEAD = "paili-lessons 1"
MOST_ITEMS = 3_000
LARGEST = 200_000
"""Characters of a progress text that are looked at."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}/[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class Progress:
    """What a learner has answered, by task (``lesson/step``, steps from 1)."""

    items: Mapping[str, Item] = field(default_factory=dict)

    def item(self, name: str) -> Item:
        """Return a task's item, a new one if it was never answered."""
        return self.items.get(name, Item())

    def known(self, lesson: Lesson) -> int:
        """Return how many tasks of a lesson were answered right at the last try."""
        names = [name_of(lesson.id, i) for i in lesson.tasks]
        return sum(self.item(name).box > 0 for name in names)

    def asked(self, lesson: Lesson) -> int:
        """Return how many tasks of a lesson were answered at all."""
        return sum(self.item(name_of(lesson.id, i)).asked > 0 for i in lesson.tasks)

    def due(self, today: str) -> list[str]:
        """Return the tasks that are due, those of the lowest box and the oldest day first."""
        names = [n for n, item in self.items.items() if item.asked and item.due <= today]
        return sorted(names, key=lambda n: (self.items[n].box, self.items[n].due, n))


def name_of(lesson_id: str, index: int) -> str:
    """Return the name of a step's task: the lesson's id and the step's number from 1."""
    return f"{lesson_id}/{index + 1}"


def answered(progress: Progress, name: str, *, right: bool, today: str) -> Progress:
    """Return the progress after a first answer to a task.

    Args:
        progress: before it.
        name: the task.
        right: whether it was right, without the answer having been shown.
        today: the day, ISO form.
    """
    item = progress.item(name)
    box = min(item.box + 1, len(INTERVALS) - 1) if right else 0
    day = dt.date.fromisoformat(today) + dt.timedelta(days=INTERVALS[box])
    now = replace(
        item, box=box, due=day.isoformat(), asked=item.asked + 1, right=item.right + right
    )
    return Progress({**progress.items, name: now})


def write(progress: Progress) -> str:
    """Return progress as text: a head, then one line a task: name, box, day, asked, right."""
    lines = [
        f"{name} {item.box} {item.due or '-'} {item.asked} {item.right}"
        for name, item in sorted(progress.items.items())[:MOST_ITEMS]
    ]
    return "\n".join([HEAD, *lines, ""])


def read(text: str) -> Progress:
    """Read a text made by :func:`write`; an empty text is no progress.

    Raises:
        RecordError: for another head, or a line that is none; it names the line.
    """
    if not text.strip():
        return Progress()
    lines = text[:LARGEST].splitlines()
    if lines[0].strip() != HEAD:
        raise _unreadable(1, HEAD, lines[0])
    items: dict[str, Item] = {}
    for number, line in enumerate(lines[1 : MOST_ITEMS + 1], start=2):
        if line.strip():
            name, item = _item(number, line)
            items[name] = item
    return Progress(items)


def merged(mine: Progress, other: Progress) -> Progress:
    """Return two progresses as one; of a task in both, the one asked more often counts."""
    items = dict(mine.items)
    for name, item in other.items.items():
        if item.asked > items.get(name, Item()).asked:
            items[name] = item
    return Progress(items)


def _item(number: int, line: str) -> tuple[str, Item]:
    parts = line.split()
    expected = "cards/2 1 2026-01-31 3 2"
    if len(parts) != 5 or not _NAME.fullmatch(parts[0]):
        raise _unreadable(number, expected, line)
    name, box, due, asked, right = parts
    try:
        day = "" if due == "-" else dt.date.fromisoformat(due).isoformat()
        item = Item(int(box), day, int(asked), int(right))
    except ValueError as error:
        raise _unreadable(number, expected, line) from error
    if not (0 <= item.box < len(INTERVALS) and 0 <= item.right <= item.asked < 10_000):
        raise _unreadable(number, expected, line)
    return name, item


def _unreadable(number: int, expected: str, got: str) -> RecordError:
    return RecordError(
        f"line {number} of the progress: expected {expected!r}, got {got[:60]!r}",
        key="error.lesson.progress",
        field=f"line {number}",
        expected=expected,
        got=got,
        line=number,
    )
