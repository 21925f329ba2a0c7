"""What a learner has solved, as a short text that its owner keeps.

Layer 4. One line a puzzle: name, best result, tries, day of the last one. Days come from outside.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ddz_core.errors import RecordError

Result = Literal["clean", "helped", "tried"]
RESULTS: tuple[Result, ...] = ("tried", "helped", "clean")
"""Tried only; solved with a hint or after a wrong play; solved at once. Low to high."""

HEAD = "paili-puzzles 1"
LONGEST = 40_000
"""Characters of a text that are looked at."""

_NAME = re.compile(r"[0-9A-Za-z_-]{1,24}")
_EXAMPLE = "012 clean 2 2026-01-31"


@dataclass(frozen=True, slots=True)
class Entry:
    """How one puzzle went: the best result, how often it was tried, and when last."""

    result: Result
    tries: int
    day: str


@dataclass(frozen=True, slots=True)
class Progress:
    """What a learner has solved: entries by name of the puzzle."""

    entries: Mapping[str, Entry] = field(default_factory=dict)

    def of(self, name: str) -> Result | None:
        """Return the best result of a puzzle, None if it was never tried."""
        entry = self.entries.get(name)
        return entry.result if entry else None

    def solved(self, name: str) -> bool:
        """Tell whether a puzzle was solved, with or without help."""
        return self.of(name) in ("clean", "helped")

    def with_result(self, name: str, result: Result, today: str, *, new: bool = True) -> Progress:
        """Return the progress after a puzzle went so; a better result is never lost.

        Args:
            name: of the puzzle.
            result: how it went.
            today: the day, ISO form.
            new: whether this is a new try, not the end of one that was counted.
        """
        before = self.entries.get(name)
        best = max(result, before.result, key=RESULTS.index) if before else result
        tries = (before.tries if before else 0) + new
        return Progress({**self.entries, name: Entry(best, max(1, tries), today)})


def write(progress: Progress) -> str:
    """Return progress as text: a head, then one line a puzzle."""
    lines = [f"{name} {e.result} {e.tries} {e.day}" for name, e in sorted(progress.entries.items())]
    return "\n".join([HEAD, *lines, ""])


def read(text: str) -> Progress:
    """Read a text made by :func:`write`; an empty one is no progress.

    Raises:
        RecordError: for another head, or a line that is none; it names the line.
    """
    if not text.strip():
        return Progress()
    lines = text[:LONGEST].splitlines()
    if lines[0].strip() != HEAD:
        raise _unreadable(1, HEAD, lines[0])
    entries: dict[str, Entry] = {}
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            name, entry = _entry(number, line)
            entries[name] = entry
    return Progress(entries)


def merged(a: Progress, b: Progress) -> Progress:
    """Return two learners' files as one: of each puzzle the better result and the more tries."""
    found = dict(a.entries)
    for name, entry in b.entries.items():
        kept = found.get(name, entry)
        found[name] = Entry(
            max(kept.result, entry.result, key=RESULTS.index),
            max(kept.tries, entry.tries),
            max(kept.day, entry.day),
        )
    return Progress(found)


def _entry(number: int, line: str) -> tuple[str, Entry]:
    parts = line.split()
    if len(parts) != 4 or not _NAME.fullmatch(parts[0]) or parts[1] not in RESULTS:
        raise _unreadable(number, _EXAMPLE, line)
    try:
        tries, day = int(parts[2]), dt.date.fromisoformat(parts[3]).isoformat()
    except ValueError as error:
        raise _unreadable(number, _EXAMPLE, line) from error
    if not 1 <= tries <= 100_000:
        raise _unreadable(number, _EXAMPLE, line)
    return parts[0], Entry(parts[1], tries, day)


def _unreadable(number: int, expected: str, got: str) -> RecordError:
    return RecordError(
        f"line {number} of the progress: expected {expected!r}, got {got[:60]!r}",
        key="error.puzzle.progress",
        field=f"line {number}",
        expected=expected,
        got=got,
        line=number,
    )
