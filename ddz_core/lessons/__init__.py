"""Lessons and the glossary: data files, the checker that holds them to the rules, and progress.

Layer 4. ``read`` and ``write`` turn a file's text into a :class:`Lesson` and back, ``check``
returns everything that is wrong with one, ``judge`` judges a learner's answer.
"""

from __future__ import annotations

from ddz_core.lessons.checking import Fault, check, step_faults
from ddz_core.lessons.files import (
    ASKS,
    MODES,
    MOST_FILE,
    Lesson,
    Option,
    Reply,
    Step,
    file_text,
    lesson_ids,
    load,
    read,
    told,
    write,
)
from ddz_core.lessons.judging import Judged, judge

__all__ = [
    "ASKS",
    "MODES",
    "MOST_FILE",
    "Fault",
    "Judged",
    "Lesson",
    "Option",
    "Reply",
    "Step",
    "check",
    "file_text",
    "judge",
    "lesson_ids",
    "load",
    "read",
    "step_faults",
    "told",
    "write",
]
