"""Class rooms: a coach asks, students choose, the coach sees the spread and reveals it.

Layer 4. Rooms live in the memory of one process and nowhere else. Who asks for a view gives the
secret that was handed out to him, and gets only what it opens: a :class:`StudentView` has no place
for another student's choice, and none for the answers before they are revealed.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ddz_core.errors import DdzError

LETTERS = "ACDEFGHJKMNPQRTUVWXY34679"
"""What codes are made of: nothing that looks like something else."""

CODE = 5
"""Characters of a room's code."""

MOST_ROOMS = 40
MOST_STUDENTS = 80
MOST_NAME = 24
"""Characters of a student's name."""
MOST_CHOICES = 12
MOST_TEXT = 600
"""Characters of a question or of a choice."""

IDLE = 2 * 3600.0
"""Seconds without any act of the coach after which a room dies."""

SILENT = 90.0
"""Seconds without a look from the coach's page after which a room dies with its coach."""

PRESENT = 20.0
"""Seconds since his last look within which a student counts as present."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a coach asks.

    Attributes:
        text: the question, plain text.
        choices: what may be chosen, plain texts in the order shown; empty asks for a number.
        position: code of the position or game that is drawn beside it, or empty.
        seat: the seat whose cards students see, None for all hands.
        answers: the right choices as indices (texts of numbers where a number is asked); may be
            empty, for a question of opinion.
        reason: what is said when the answers are revealed.
    """

    text: str
    choices: tuple[str, ...] = ()
    position: str = ""
    seat: int | None = None
    answers: tuple[int, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How the class chose: ``counts`` by choice (by number where one is asked), and how many."""

    counts: tuple[tuple[int, int], ...]
    answered: int
    joined: int

    def of(self, choice: int) -> int:
        """Return how many chose it."""
        return dict(self.counts).get(choice, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentView:
    """What one student may know.

    Attributes:
        number: of the question, from 1; 0 before the first.
        text, choices, position, seat: the question; empty before the first.
        chosen: the student's own choice, or None.
        open: whether a choice is taken.
        tally, answers, reason: None, empty and empty until the coach reveals them.
        name: the student's own name.
    """

    number: int = 0
    text: str = ""
    choices: tuple[str, ...] = ()
    position: str = ""
    seat: int | None = None
    chosen: int | None = None
    open: bool = False
    tally: Tally | None = None
    answers: tuple[int, ...] = ()
    reason: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachView:
    """What the coach sees.

    Attributes:
        code: of the room.
        number: of the question, from 1; 0 before the first.
        question: the one asked, or None.
        tally: how the class has chosen so far.
        revealed: whether the students see it too.
        present: students that looked within the last seconds.
        chosen: names and choices in the order of joining; the choice is None before it is made.
        past: earlier questions of this room with their tallies.
    """

    code: str
    number: int = 0
    question: Question | None = None
    tally: Tally
    revealed: bool = False
    present: int = 0
    chosen: tuple[tuple[str, int | None], ...] = ()
    past: tuple[tuple[Question, Tally], ...] = ()


@dataclass(slots=True)
class _Student:
    name: str
    seen: float
    chosen: int | None = None


@dataclass(slots=True)
class _Room:
    key: str
    acted: float
    seen: float
    number: int = 0
    question: Question | None = None
    revealed: bool = False
    students: dict[str, _Student] = field(default_factory=dict)
    past: list[tuple[Question, Tally]] = field(default_factory=list)


class Rooms:
    """All rooms of a process; every method may be called from any thread.

    Args:
        clock: seconds that only grow; a test gives its own.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rooms: dict[str, _Room] = {}
        self._lock = threading.Lock()

    def open(self) -> tuple[str, str]:
        """Open a room and return its code, for everybody, and its key, for the coach alone.

        Raises:
            DdzError: if as many rooms are open as the process keeps.
        """
        with self._lock:
            self._sweep()
            if len(self._rooms) >= MOST_ROOMS:
                raise _wrong("full", "room", f"0–{MOST_ROOMS}", len(self._rooms) + 1)
            code = _code()
            while code in self._rooms:
                code = _code()
            now = self._clock()
            room = _Room(key=secrets.token_urlsafe(16), acted=now, seen=now)
            self._rooms[code] = room
            return code, room.key

    def close(self, code: str, key: str) -> None:
        """End a room; its students, choices and questions are gone."""
        with self._lock:
            self._coach(code, key)
            del self._rooms[clean_code(code)]

    def ask(self, code: str, key: str, question: Question) -> int:
        """Ask the next question and return its number; choices made so far go to the past."""
        check_question(question)
        with self._lock:
            room = self._coach(code, key, acts=True)
            if room.question is not None:
                room.past.append((room.question, _tally(room)))
            room.question, room.revealed = question, False
            room.number += 1
            for student in room.students.values():
                student.chosen = None
            return room.number

    def reveal(self, code: str, key: str, shown: bool = True) -> None:
        """Show the class the spread and the answers, or take choices again."""
        with self._lock:
            room = self._coach(code, key, acts=True)
            room.revealed = shown and room.question is not None

    def coach(self, code: str, key: str) -> CoachView:
        """Return what the coach sees; a room whose coach has not looked for a while dies."""
        with self._lock:
            room = self._coach(code, key)
            now = self._clock()
            return CoachView(
                code=clean_code(code),
                number=room.number,
                question=room.question,
                tally=_tally(room),
                revealed=room.revealed,
                present=sum(now - one.seen <= PRESENT for one in room.students.values()),
                chosen=tuple((one.name, one.chosen) for one in room.students.values()),
                past=tuple(room.past),
            )

    def join(self, code: str, name: str = "") -> str:
        """Join a room and return the student's token, which opens his view alone.

        Raises:
            DdzError: if there is no such room, or it is full.
        """
        with self._lock:
            room = self._room(code)
            if len(room.students) >= MOST_STUDENTS:
                raise _wrong("seats", "students", f"0–{MOST_STUDENTS}", MOST_STUDENTS + 1)
            token = secrets.token_urlsafe(16)
            room.students[token] = _Student(name=clean_name(name), seen=self._clock())
            return token

    def choose(self, code: str, token: str, choice: int) -> None:
        """Take a student's choice, which he may change until the spread is revealed.

        Raises:
            DdzError: if nothing is asked now, or the choice is none of those offered.
        """
        with self._lock:
            room, student = self._student(code, token)
            question = room.question
            if question is None or room.revealed:
                raise _wrong("closed", "choice", "", choice)
            most = len(question.choices)
            if isinstance(choice, bool) or not isinstance(choice, int):
                raise _wrong("choice", "choice", f"0–{max(most - 1, 0)}", choice)
            if most and not 0 <= choice < most:
                raise _wrong("choice", "choice", f"0–{most - 1}", choice)
            if not most and not -9_999 <= choice <= 9_999:
                raise _wrong("choice", "choice", "−9999–9999", choice)
            student.chosen = choice

    def student(self, code: str, token: str) -> StudentView:
        """Return what one student may know."""
        with self._lock:
            room, student = self._student(code, token)
            asked = room.question
            if asked is None:
                return StudentView(name=student.name)
            view = StudentView(
                number=room.number,
                text=asked.text,
                choices=asked.choices,
                position=asked.position,
                seat=asked.seat,
                chosen=student.chosen,
                open=not room.revealed,
                name=student.name,
            )
            if not room.revealed:
                return view
            return replace(view, tally=_tally(room), answers=asked.answers, reason=asked.reason)

    def alive(self, code: str) -> bool:
        """Return whether there is such a room."""
        with self._lock:
            self._sweep()
            return clean_code(code) in self._rooms

    def count(self) -> int:
        """Return the number of rooms that are open."""
        with self._lock:
            self._sweep()
            return len(self._rooms)

    def _sweep(self) -> None:
        now = self._clock()
        self._rooms = {
            code: room
            for code, room in self._rooms.items()
            if now - room.seen < SILENT and now - room.acted < IDLE
        }

    def _room(self, code: str) -> _Room:
        self._sweep()
        room = self._rooms.get(clean_code(code))
        if room is None:
            raise _wrong("none", "room", "", code)
        return room

    def _coach(self, code: str, key: str, *, acts: bool = False) -> _Room:
        room = self._room(code)
        if not secrets.compare_digest(room.key.encode(), key.encode()):
            raise _wrong("key", "key", "", "")
        room.seen = self._clock()
        if acts:
            room.acted = room.seen
        return room

    def _student(self, code: str, token: str) -> tuple[_Room, _Student]:
        room = self._room(code)
        student = room.students.get(token)
        if student is None:
            raise _wrong("none", "room", "", code)
        student.seen = self._clock()
        return room, student


def check_question(question: Question) -> None:
    """Refuse a question that cannot be asked.

    Raises:
        DdzError: if it has no text, a text is too long, or its answers are none of its choices.
    """
    if not question.text.strip():
        raise _wrong("text", "text", f"1–{MOST_TEXT}", 0)
    for place, text in (("text", question.text), ("reason", question.reason)):
        if len(text) > MOST_TEXT:
            raise _wrong("text", place, f"1–{MOST_TEXT}", len(text))
    if len(question.choices) > MOST_CHOICES or len(question.choices) == 1:
        raise _wrong("choices", "choices", f"2–{MOST_CHOICES}", len(question.choices))
    for number, choice in enumerate(question.choices, 1):
        if not choice.strip() or len(choice) > MOST_TEXT:
            raise _wrong("text", f"choices {number}", f"1–{MOST_TEXT}", len(choice.strip()))
    for answer in question.answers:
        if question.choices and not 0 <= answer < len(question.choices):
            raise _wrong("choice", "answers", f"0–{len(question.choices) - 1}", answer)


def clean_name(name: str) -> str:
    r"""Return a student's name without what is no letter to be seen, at most 24 characters.

    >>> clean_name("  Li\u202e <b>  ")
    'Li <b>'
    """
    kept = "".join(c for c in unicodedata.normalize("NFC", name) if c == " " or _seen(c))
    return " ".join(kept.split())[:MOST_NAME]


def clean_code(code: str) -> str:
    """Return a room's code as rooms are filed: capital letters, no spaces or hyphens.

    >>> clean_code(" ac-d3f ")
    'ACD3F'
    """
    return "".join(c for c in code.upper() if c.isalnum())[: 2 * CODE]


def answer_code(secret: str, student: int, choice: int) -> str:
    """Return the two characters that a student without a network reads out for a choice.

    The same choice has another code for every student, so that the class does not hear what was
    chosen; two choices of one student never share a code.

    Args:
        secret: what the sheets of one question were made from, such as its text.
        student: number of the student, from 1.
        choice: index of the choice, 0 to 11.

    >>> len({answer_code("q", 7, choice) for choice in range(12)})
    12
    """
    seen: list[str] = []
    turn = 0
    while len(seen) <= choice:
        digest = hashlib.sha256(f"{secret}\n{student}\n{turn}".encode()).digest()
        code = LETTERS[digest[0] % len(LETTERS)] + LETTERS[digest[1] % len(LETTERS)]
        if code not in seen:
            seen.append(code)
        turn += 1
    return seen[choice]


def read_answers(secret: str, choices: int, text: str) -> dict[int, int]:
    """Return the choice of each student out of the codes that were read out.

    Args:
        secret: as for :func:`answer_code`.
        choices: number of choices of the question.
        text: lines or commas, each a student's number and his code, as ``7 K4``.

    Raises:
        DdzError: if a piece is no number with a code, or the code is none of that student's.
    """
    found: dict[int, int] = {}
    pieces = text.replace(",", "\n").replace("，", "\n").replace(";", "\n").splitlines()
    for piece in filter(None, map(str.strip, pieces)):
        number, _, code = piece.replace(":", " ").replace("：", " ").partition(" ")
        if not (number.isascii() and number.isdigit()) or not 1 <= int(number) <= MOST_STUDENTS:
            raise _wrong("said", "codes", "7 K4", piece)
        codes = [answer_code(secret, int(number), choice) for choice in range(choices)]
        said = code.strip().upper()
        if said not in codes:
            raise _wrong("said_code", "codes", number, piece, student=int(number))
        found[int(number)] = codes.index(said)
    return found


def tally_of(chosen: Mapping[int, int] | Sequence[int], joined: int) -> Tally:
    """Return the tally of choices that were read out."""
    made = list(chosen.values()) if isinstance(chosen, Mapping) else list(chosen)
    return Tally(counts=tuple(sorted(Counter(made).items())), answered=len(made), joined=joined)


def _tally(room: _Room) -> Tally:
    made = [one.chosen for one in room.students.values() if one.chosen is not None]
    return tally_of(made, len(room.students))


def _code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE))


def _seen(character: str) -> bool:
    return unicodedata.category(character)[0] not in {"C", "Z"}


def _wrong(what: str, field: str, expected: str, got: object, **more: object) -> DdzError:
    return DdzError(
        f"{field}: expected {expected or 'something else'}, got {got}",
        key=f"error.class.{what}",
        field=field,
        expected=expected,
        got=got,
        **more,
    )
