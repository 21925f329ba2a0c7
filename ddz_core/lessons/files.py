"""A lesson as a data file: what it may hold, how it is read, and how it is written.

Layer 4. A lesson is TOML read into frozen structs; unknown keys are refused, and every refusal
names the field, what was expected and what came. Nothing in a file is run: positions and answers
are card texts, and what is asked is one of a closed set of questions whose answers the machine
can find itself (:mod:`ddz_core.lessons.truths`). Texts stand in the file, because a coach writes
files: one text, or one for each language.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec

from ddz_core.data_files import data_dir
from ddz_core.errors import LessonError, shortened
from ddz_core.language import LANGUAGES
from ddz_core.rules import Rules, load_ruleset

Text: TypeAlias = str | dict[str, str]
"""A text for readers: one for everybody, or one for each language tag."""

Ask: TypeAlias = Literal["read", "choice", "number", "cards", "play", "bid"]
ASKS: tuple[Ask, ...] = ("read", "choice", "number", "cards", "play", "bid")
Truth: TypeAlias = Literal[
    "kind",
    "legal",
    "longest",
    "turns",
    "split",
    "points",
    "unseen",
    "above",
    "sure",
    "keeps",
    "winner",
    "layouts",
    "chance",
    "score",
    "calls",
    "book",
    "best",
    "mover",
    "rule",
    "told",
]
Mode: TypeAlias = Literal["guided", "hide", "play", "look"]
MODES: tuple[Mode, ...] = ("guided", "hide", "play", "look")
"""Led by questions; the next moves hidden, one at a time; played on from here; looked at freely."""

MOST_FILE = 200_000
"""Characters of a lesson file."""
MOST_STEPS = 60
MOST_OPTIONS = 8
MOST_TITLE, MOST_TEXT = 80, 1_200
"""Characters of a title or an option, and of any other text."""

_Part = TypeVar("_Part", bound="Part")
_ID = re.compile(r"[a-z][a-z0-9-]{0,39}")
_MARKUP = set("<>[]`*_#$|\\")
"""Signs that some page reads as markup; a name has none of them."""


class Part(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """Base of all parts: frozen, keyword only, unknown keys refused, defaults not written."""


class Option(Part, frozen=True):
    """One answer to choose.

    Attributes:
        value: what the machine understands: a kind's id, cards, a number, a seat, a call.
        text: how it is shown; left out, it is worded from the value.
        why: the reason that is given when it is chosen.
    """

    value: str
    text: Text = ""
    why: Text = ""


class Reply(Part, frozen=True):
    """The reason that is given for one play or set of cards.

    Attributes:
        action: cards, or ``pass``.
        why: the reason.
    """

    action: str
    why: Text


class Step(Part, frozen=True):
    """One step: what is told, what lies on the table, what is asked, and what is right.

    Attributes:
        text: told before the question.
        ask: how it is answered; ``read`` asks nothing.
        question: what is asked.
        truth: how the machine finds what is right.
        want: what the truth is about, such as kinds or a rank.
        hands: one hand, or all hands of a position in playing order.
        to_move: the hand that the learner holds; in a position the hand to move at its beginning.
        landlords: hands of the landlord's side.
        hide: hands that the learner does not see.
        beat: the play on the table, empty for a lead.
        beat_by: the hand that made it; left out, the one before.
        played: actions from the position to the question, which the learner sees.
        next: actions that follow the question, for the mode that hides them.
        cards: cards that the question is about.
        seen: cards played before.
        calls: calls made before, in turn.
        first: seat that spoke first.
        facts: facts of a deal to score, as :meth:`ddz_core.rules.Rules.score` takes them.
        options: answers to choose.
        answers: what is accepted, each alone.
        accept: ``listed`` takes the answers, ``any`` whatever the truth says is right.
        tolerance: how far a number may be off.
        why: the reason that is given with a right answer.
        replies: reasons for single plays.
        hints: shown one after another when asked for.
    """

    text: Text = ""
    ask: Ask = "read"
    question: Text = ""
    truth: Truth = "told"
    want: str = ""
    hands: tuple[str, ...] = ()
    to_move: int = 0
    landlords: tuple[int, ...] = (0,)
    hide: tuple[int, ...] = ()
    beat: str = ""
    beat_by: int | None = None
    played: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    cards: str = ""
    seen: str = ""
    calls: tuple[str, ...] = ()
    first: int = 0
    facts: dict[str, Any] = {}
    options: tuple[Option, ...] = ()
    answers: tuple[str, ...] = ()
    accept: Literal["listed", "any"] = "listed"
    tolerance: float = 0
    why: Text = ""
    replies: tuple[Reply, ...] = ()
    hints: tuple[Text, ...] = ()

    @property
    def is_task(self) -> bool:
        """Whether something is asked."""
        return self.ask != "read"

    @property
    def is_position(self) -> bool:
        """Whether all hands are given."""
        return len(self.hands) > 1


class Lesson(Part, frozen=True):
    """A lesson.

    Attributes:
        id: short name in links: small letters, digits, hyphens.
        title: what it is called.
        intro: a few sentences before the first step.
        author: who wrote it; plain text.
        place: its place in the course, from 1; 0 if it is none of the course.
        group: ``course``, ``tactics``, ``drill`` or ``own``.
        minutes: about how long it takes.
        rules: id of the ruleset in which it is played.
        overrides: house rules by dotted path.
        holds: ids of other rulesets in which every answer is right too.
        modes: how it may be taken, the usual one first.
        claims: ids of the claims that it is built on.
        terms: ids of glossary terms.
        outro: told after the last step.
        steps: in order.
    """

    id: str
    title: Text
    intro: Text = ""
    author: str = ""
    place: int = 0
    group: Literal["course", "tactics", "drill", "own"] = "own"
    minutes: int = 5
    rules: str = "classic"
    overrides: dict[str, Any] = {}
    holds: tuple[str, ...] = ()
    modes: tuple[Mode, ...] = MODES
    claims: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    outro: Text = ""
    steps: tuple[Step, ...] = ()

    @property
    def game(self) -> Rules:
        """The rules in which it is played; RulesetError if they cannot be."""
        return load_ruleset(self.rules, self.overrides or None)

    @property
    def tasks(self) -> tuple[int, ...]:
        """Indices of the steps that ask something."""
        return tuple(i for i, step in enumerate(self.steps) if step.is_task)


def told(text: Text, lang: str) -> str:
    """Return a text in a language, or in the nearest one that it has; empty for none."""
    if isinstance(text, str):
        return text
    order = [lang]
    if lang.startswith("zh"):
        order += ["zh-Hans", "zh-Hant"]
    order += ["en", *LANGUAGES]
    return next((text[tag] for tag in order if text.get(tag)), "")


# --- reading -------------------------------------------------------------------------------------


def refused(
    name: str, sentence: str, *, field: str, expected: object = "", got: object = "", **more: object
) -> LessonError:
    """Return the error for a lesson file, with the key ``error.lesson.NAME``."""
    return LessonError(
        sentence, key=f"error.lesson.{name}", field=field, expected=expected, got=got, **more
    )


def read(text: str) -> Lesson:
    """Return the lesson of a file's text; what can be seen without playing it is checked.

    Whether its positions can be and its answers are right is :func:`ddz_core.lessons.check`'s.

    Raises:
        LessonError: for no TOML, an unknown key, a missing or wrong value, or markup in a name.
    """
    if len(text) > MOST_FILE:
        raise refused(
            "size",
            f"a lesson file has at most {MOST_FILE} characters, this one {len(text)}",
            field="lesson",
            expected=MOST_FILE,
            got=len(text),
        )
    try:
        raw = tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise refused(
            "toml",
            f"the lesson is no valid TOML: {error}",
            field="lesson",
            expected="TOML",
            got=error,
        ) from error
    lesson = convert(raw, Lesson)
    _check_names(lesson)
    return lesson


def convert(raw: Mapping[str, Any], kind: type[_Part]) -> _Part:
    """Return plain data as a struct, or raise the error that names the field."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        message, _, where = str(error).partition(" - at `")
        field = where.rstrip("`").removeprefix("$").lstrip(".")
        inner = re.search(r"`([^`]*)`", message)
        name = inner[1] if inner else ""
        path = ".".join(part for part in (field, name) if part)
        if "unknown field" in message:
            known = sorted(kind.__struct_fields__)
            raise refused(
                "unknown",
                f"{path}: there is no such key",
                field=path,
                expected=", ".join(known),
                got=name,
            ) from error
        if "missing required field" in message:
            raise refused(
                "missing", f"{path}: is missing", field=path, expected=name, got=""
            ) from error
        raise refused(
            "value",
            f"{field or 'lesson'}: {message}",
            field=field or "lesson",
            expected=message.partition(", got ")[0],
            got=message.partition(", got ")[2] or shortened(_at(raw, field)),
        ) from error


def _at(raw: object, path: str) -> object:
    """Return what stands at the place msgspec complains of, or nothing."""
    for part in re.findall(r"[^.\[\]]+", path):
        if isinstance(raw, Mapping) and part in raw:
            raw = raw[part]
        elif isinstance(raw, list) and part.isdigit() and int(part) < len(raw):
            raw = raw[int(part)]
        else:
            return ""
    return raw


def texts_of(lesson: Lesson) -> Iterator[tuple[str, Text, bool]]:
    """Yield every text of a lesson: its field, the text, and whether it is a name."""
    yield "title", lesson.title, True
    yield "author", lesson.author, True
    yield "intro", lesson.intro, False
    yield "outro", lesson.outro, False
    for i, step in enumerate(lesson.steps):
        at = f"steps[{i}]"
        yield f"{at}.text", step.text, False
        yield f"{at}.question", step.question, False
        yield f"{at}.why", step.why, False
        for j, hint in enumerate(step.hints):
            yield f"{at}.hints[{j}]", hint, False
        for j, option in enumerate(step.options):
            yield f"{at}.options[{j}].text", option.text, True
            yield f"{at}.options[{j}].why", option.why, False
        for j, reply in enumerate(step.replies):
            yield f"{at}.replies[{j}].why", reply.why, False


def _check_names(lesson: Lesson) -> None:
    """Refuse ids, names and texts that cannot be shown as they are, and files without end."""
    if not _ID.fullmatch(lesson.id):
        raise refused(
            "id",
            f"id: expected small letters, digits and hyphens, got {lesson.id!r}",
            field="id",
            expected="a-z 0-9 -",
            got=lesson.id,
        )
    if len(lesson.steps) > MOST_STEPS:
        raise refused(
            "many",
            f"steps: expected at most {MOST_STEPS}, got {len(lesson.steps)}",
            field="steps",
            expected=MOST_STEPS,
            got=len(lesson.steps),
        )
    for i, step in enumerate(lesson.steps):
        if len(step.options) > MOST_OPTIONS:
            raise refused(
                "many",
                f"steps[{i}].options: expected at most {MOST_OPTIONS}, got {len(step.options)}",
                field=f"steps[{i}].options",
                expected=MOST_OPTIONS,
                got=len(step.options),
            )
    for field, text, is_name in texts_of(lesson):
        check_text(field, text, is_name=is_name)
    if not told(lesson.title, "en").strip():
        raise refused("missing", "title: is empty", field="title", expected="title", got="")


def check_text(field: str, text: Text, *, is_name: bool) -> None:
    """Refuse a text in no known language, too long, with control signs, or a name with markup.

    Raises:
        LessonError: it names the field.
    """
    parts: Iterable[tuple[str, str]] = [("", text)] if isinstance(text, str) else text.items()
    for tag, part in parts:
        where = f"{field}.{tag}" if tag else field
        if tag and tag not in LANGUAGES:
            raise refused(
                "language",
                f"{where}: expected one of {', '.join(LANGUAGES)}, got {tag!r}",
                field=where,
                expected=", ".join(LANGUAGES),
                got=tag,
            )
        most = MOST_TITLE if is_name else MOST_TEXT
        if len(part) > most:
            raise refused(
                "long",
                f"{where}: expected at most {most} characters, got {len(part)}",
                field=where,
                expected=most,
                got=len(part),
            )
        odd = [c for c in part if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs") and c != "\n"]
        if is_name:
            odd += [c for c in part if c in _MARKUP or c == "\n"]
        if odd:
            raise refused(
                "markup",
                f"{where}: expected plain text, got {odd[0]!r}",
                field=where,
                expected="",
                got=repr(odd[0]).strip("'"),
            )


# --- writing -------------------------------------------------------------------------------------


def write(lesson: Lesson) -> str:
    """Return a lesson as the text of its file; :func:`read` gives the same lesson back."""
    return toml_text(msgspec.to_builtins(lesson))


def toml_text(plain: Mapping[str, Any]) -> str:
    """Return plain data as TOML: values first, then tables, then rows, in the order given."""
    return "\n".join(_table(plain, "")).strip("\n") + "\n"


def _table(plain: Mapping[str, Any], prefix: str) -> list[str]:
    """Return the lines of one table; rows of tables come as ``[[name]]``."""
    lines: list[str] = []
    rows: list[tuple[str, Any]] = []
    for key, value in plain.items():
        if isinstance(value, (list, tuple)) and value and _is_row(value[0]):
            rows.append((key, value))
        else:
            lines.append(f"{_name(key)} = {_value(value)}")
    for key, value in rows:
        path = f"{prefix}{_name(key)}"
        for row in value:
            lines += ["", f"[[{path}]]", *_table(row, f"{path}.")]
    return lines


def _is_row(value: object) -> bool:
    """Tell whether a value of a list is a table of its own; a text by language stays inline."""
    return isinstance(value, Mapping) and not set(value) <= set(LANGUAGES)


def _name(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _quoted(key)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_name(str(k))} = {_value(v)}" for k, v in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    raise TypeError(type(value).__name__)


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _quoted(text: str) -> str:
    plain = "".join(
        _ESCAPES.get(c) or (f"\\u{ord(c):04x}" if unicodedata.category(c) == "Cc" else c)
        for c in text
    )
    return f'"{plain}"'


# --- what is shipped -----------------------------------------------------------------------------


@cache
def _shipped() -> dict[str, Path]:
    return {path.stem: path for path in sorted((data_dir() / "lessons").glob("*.toml"))}


def lesson_ids(group: str = "") -> list[str]:
    """Return the ids of the shipped lessons in the order of the course, those of a group only."""
    found = sorted((load(i) for i in _shipped()), key=lambda one: (one.place or 1000, one.id))
    return [one.id for one in found if not group or one.group == group]


def file_text(lesson_id: str) -> str:
    """Return the text of a shipped lesson's file.

    Raises:
        LessonError: if there is none of that id.
    """
    path = _shipped().get(lesson_id)
    if path is None:
        raise refused(
            "none",
            f"there is no lesson {lesson_id!r}",
            field="lesson",
            expected=", ".join(_shipped()),
            got=lesson_id,
        )
    return path.read_text(encoding="utf-8")


@cache
def load(lesson_id: str) -> Lesson:
    """Return a shipped lesson; LessonError if there is none of that id."""
    return read(file_text(lesson_id))
