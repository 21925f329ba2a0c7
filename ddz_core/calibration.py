"""Chances that a learner states before the answer is shown, and how well they were stated.

Layer 3, above :mod:`ddz_core.reading`. The answers are kept as one text that the learner owns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ddz_core import sampling
from ddz_core.belief import ANY, Where
from ddz_core.clauses import kind_ids
from ddz_core.errors import HandError, RecordError
from ddz_core.reading import Seen

HEAD = "paili calibration 1"
MOST = 5_000
LARGEST_FILE = 400_000
"""Bytes read of a file; a full one has fewer."""
"""Answers kept; the oldest is forgotten first."""

BINS = (0, 10, 30, 50, 70, 90, 101)
"""Ends of the groups of stated chances, in 100; the last one takes 100 as well."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One stated chance.

    Attributes:
        stated: what the learner said, in 100.
        chance: what counting gives, 0 to 1.
        about: the question, ``kinds@place``.
    """

    stated: int
    chance: float
    about: str

    @property
    def miss(self) -> float:
        """How far the learner was off, in 100."""
        return abs(self.stated - 100 * self.chance)


@dataclass(frozen=True, slots=True)
class Group:
    """Answers whose stated chances are near each other.

    Attributes:
        n: how many.
        stated: their mean, in 100.
        counted: the mean of what counting gave, in 100.
    """

    n: int
    stated: float
    counted: float


@dataclass(frozen=True, slots=True)
class Question:
    """Something to state a chance for.

    Attributes:
        kinds: what is asked for, as :meth:`ddz_core.belief.Odds.holds` takes it.
        place: where.
        chance: the answer by counting.
    """

    kinds: str
    place: Where
    chance: float

    @property
    def about(self) -> str:
        """The question as one word."""
        return f"{self.kinds}@{self.place}"


def question(seen: Seen, seed: int) -> Question:
    """Return a question about a moment, one whose answer is neither sure nor nearly so.

    Args:
        seen: the moment.
        seed: which one; the same seed asks the same.

    Raises:
        HandError: where everything is known, so that nothing can be asked.
    """
    odds = seen.odds
    rng = sampling.generator(seed)
    rows = [step.id for step in odds.ruleset.ladder_in_force()]
    rows += [kind for kind in kind_ids(odds.ruleset) if kind not in rows]
    unseen = sorted(set(seen.unseen))
    places: list[Where] = [ANY, *odds.places]
    for _ in range(200):
        if unseen and rng.random() < 0.6:
            rank = unseen[int(rng.integers(len(unseen)))]
            most = seen.unseen.count(rank)
            kinds = rank * int(rng.integers(1, most + 1))
        else:
            kinds = rows[int(rng.integers(len(rows)))]
        place = places[int(rng.integers(len(places)))]
        found = odds.holds(kinds, place)
        if found.method != "sampled" and 0.02 <= found.value <= 0.98:
            return Question(kinds, place, found.value)
    raise HandError(
        "nothing about these cards is unsure",
        key="error.odds.sure",
        field="hand",
        expected="unseen cards",
        got=seen.unseen,
    )


def read_answers(text: str) -> list[Answer]:
    """Return the answers of a text made by :func:`answers_text`; an empty text has none.

    Raises:
        RecordError: if the text is none of these; it names the line.
    """
    lines = text.splitlines()
    if not lines:
        return []
    if lines[0].strip() != HEAD:
        raise _unreadable(1, HEAD, lines[0])
    found = []
    for number, line in enumerate(lines[1 : MOST + 1], 2):
        if not line.strip():
            continue
        try:
            stated, chance, about = line.split(maxsplit=2)
            answer = Answer(int(stated), float(chance), about[:80])
        except ValueError:
            raise _unreadable(number, "37 0.2941 XD@1", line) from None
        if not (0 <= answer.stated <= 100 and 0 <= answer.chance <= 1):
            raise _unreadable(number, "0–100, 0–1", line)
        found.append(answer)
    return found


def read_file(data: bytes) -> list[Answer]:
    """Return the answers of a file; unlike no text at all, an empty file is none of ours.

    Raises:
        RecordError: as :func:`read_answers`, and for a file that holds nothing.
    """
    text = data[:LARGEST_FILE].decode("utf-8", errors="replace").strip()
    if not text:
        raise _unreadable(1, HEAD, "")
    return read_answers(text)


def _unreadable(line: int, expected: str, got: str) -> RecordError:
    return RecordError(
        f"line {line}: expected {expected!r}, got {got[:60]!r}",
        key="error.odds.answers",
        field="answers",
        expected=expected,
        got=got,
        line=line,
    )


def answers_text(answers: Sequence[Answer]) -> str:
    """Return answers as text, the oldest first: stated in 100, counted chance, question."""
    lines = [f"{one.stated} {one.chance:.6f} {one.about}" for one in answers[-MOST:]]
    return "\n".join([HEAD, *lines]) + "\n"


def groups(answers: Sequence[Answer]) -> list[Group]:
    """Return the answers by stated chance, for a plot against what counting gave."""
    found = []
    for low, high in pairwise(BINS):
        mine = [one for one in answers if low <= one.stated < high]
        if mine:
            found.append(
                Group(
                    len(mine),
                    sum(one.stated for one in mine) / len(mine),
                    100 * sum(one.chance for one in mine) / len(mine),
                )
            )
    return found


def mean_miss(answers: Sequence[Answer]) -> float:
    """Return how far the answers were off on average, in 100; 0 where there are none."""
    return sum(one.miss for one in answers) / len(answers) if answers else 0.0
