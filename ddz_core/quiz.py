"""The recognition quiz: what are these cards? Weak kinds come first and come back sooner.

Layer 3. Every kind of the game, and "no combination", is one *item* in a box from 0 to 5. A right
answer moves it one box up, a wrong one back to box 0; an item of box ``b`` is due again after
``INTERVALS[b]`` days. Progress is a short text that its owner keeps; days and random numbers are
given from outside, so the same call gives the same result.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ddz_core import cards, patterns
from ddz_core.errors import HandError, RecordError
from ddz_core.patterns import Move
from ddz_core.rules import Rules

NONE = "none"
"""The item for cards that form no combination."""

QUESTIONS, SECONDS = 20, 180
INTERVALS = (0, 1, 3, 7, 14, 30)
"""Days until an item of each box is due again."""

CHOICES = 4
"""Kinds offered for an answer, besides "no combination"."""

MOST_CARDS = 12
"""Cards of a question at most, where the kind has so small ones."""

_HEAD = "paili-quiz 1"
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Item:
    """How well one kind is known.

    Attributes:
        box: 0 to 5.
        due: day from which on it is asked again, ISO form; empty for never asked.
        asked, right: answers so far.
    """

    box: int = 0
    due: str = ""
    asked: int = 0
    right: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """A learner's progress: items by name, of any game."""

    items: Mapping[str, Item] = field(default_factory=dict)

    def item(self, name: str) -> Item:
        """Return an item, a new one if it was never asked."""
        return self.items.get(name, Item())


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    Attributes:
        item: what is asked about: a kind, or :data:`NONE`.
        cards: the cards shown, low to high.
        answers: the items that are right; several where the cards have readings of several kinds.
        choices: the items offered, :data:`NONE` the last.
    """

    item: str
    cards: str
    answers: tuple[str, ...]
    choices: tuple[str, ...]


def items_of(rules: Rules) -> list[str]:
    """Return the items of a game: its kinds in the order of the ruleset, then :data:`NONE`."""
    kinds = [row.id for row in rules.ruleset.kinds_in_force()]
    kinds += [row.id for row in rules.ruleset.ladder_in_force()]
    return [*dict.fromkeys(kinds), NONE]


def weakest(progress: Progress, rules: Rules, today: str) -> list[str]:
    """Return the items of a game, those most in need of practice first.

    Items that are due come before others; then low boxes, then low shares of right answers.
    """
    names = items_of(rules)

    def key(name: str) -> tuple[bool, int, float, int]:
        item = progress.item(name)
        share = item.right / item.asked if item.asked else 0.0
        return item.due > today, item.box, share, names.index(name)

    return sorted(names, key=key)


def plan(
    progress: Progress,
    rules: Rules,
    today: str,
    rng: np.random.Generator,
    number: int = QUESTIONS,
) -> list[str]:
    """Return the items of a round, each at least once where there is room, weak ones more often.

    Args:
        progress: what is known so far.
        rules: the game.
        today: the day, ISO form.
        rng: mixes the order.
        number: questions of the round.
    """
    order = weakest(progress, rules, today)
    chosen: list[str] = []
    weak = order
    while len(chosen) < number:
        chosen += weak[: number - len(chosen)]
        # each further time only the weaker half comes back
        weak = weak[: max(1, (len(weak) + 1) // 2)]
    first, rest = chosen[:3], chosen[3:]
    return first + [rest[i] for i in rng.permutation(len(rest))]


def question(item: str, rules: Rules, rng: np.random.Generator) -> Question:
    """Return a random question about an item.

    Raises:
        HandError: if the item is no kind of this game.
    """
    names = items_of(rules)
    if item not in names:
        raise HandError(
            f"item: expected one of {', '.join(names)}, got {item!r}",
            key="error.option.choice",
            field="item",
            expected=", ".join(names),
            got=item,
        )
    shown = _nothing(rules, rng) if item == NONE else _some(rules, item, rng)
    kinds = list(dict.fromkeys(reading.kind for reading in rules.readings(shown)))
    answers = tuple(kinds) or (NONE,)
    return Question(item, shown, answers, _choices(rules, shown, answers, rng))


def _some(rules: Rules, kind: str, rng: np.random.Generator) -> str:
    """Return random cards of a kind; every length of a chain is as likely as another."""
    found = _moves_of(rules, kind)
    small = [move for move in found if len(move.cards) <= MOST_CARDS] or found
    lengths = sorted({move.length for move in small})
    length = lengths[rng.integers(len(lengths))]
    fitting = [move for move in small if move.length == length]
    return fitting[rng.integers(len(fitting))].cards


def _moves_of(rules: Rules, kind: str) -> tuple[Move, ...]:
    return _by_kind(rules).get(kind, ())


@functools.lru_cache(maxsize=16)
def _by_kind(rules: Rules) -> dict[str, tuple[Move, ...]]:
    """Return all plays of the whole deck by kind; callers must not change it."""
    found: dict[str, list[Move]] = {}
    for move in patterns.moves(rules.ruleset, rules.ruleset.deck_cards):
        found.setdefault(move.kind, []).append(move)
    return {kind: tuple(moves) for kind, moves in found.items()}


def _nothing(rules: Rules, rng: np.random.Generator) -> str:
    """Return cards without a reading, one card away from a combination."""
    deck = rules.ruleset.deck_cards
    kinds = [name for name in items_of(rules) if name != NONE]
    while True:
        hand = cards.parse_cards(_some(rules, kinds[rng.integers(len(kinds))], rng))
        held = cards.format_cards(hand)
        if len(held) < 3:
            continue
        gone = held[rng.integers(len(held))]
        others = cards.format_cards(deck - hand)
        new = others[rng.integers(len(others))]
        changed = hand - (1 << 4 * cards.LANE[gone]) + (1 << 4 * cards.LANE[new])
        if not rules.readings(changed):
            return cards.format_cards(changed)


def _choices(
    rules: Rules, shown: str, answers: Sequence[str], rng: np.random.Generator
) -> tuple[str, ...]:
    """Return the kinds offered: the right one, and those most like it in number of cards."""
    kinds = [name for name in items_of(rules) if name != NONE]
    wrong = [kind for kind in kinds if kind not in answers]
    gaps = {
        kind: min(abs(len(move.cards) - len(shown)) for move in _moves_of(rules, kind))
        for kind in wrong
        if _moves_of(rules, kind)
    }
    near = sorted(gaps, key=lambda kind: (gaps[kind], rng.random()))
    right = [answers[0]] if answers[0] != NONE else []
    offered = right + near[: CHOICES - len(right)]
    return (*(kind for kind in kinds if kind in offered), NONE)


def answered(progress: Progress, asked: Question, answer: str, today: str) -> tuple[Progress, bool]:
    """Return the progress after an answer, and whether it was right.

    Args:
        progress: before it.
        asked: the question.
        answer: an item; anything else is wrong.
        today: the day, ISO form.
    """
    right = answer in asked.answers
    names = [asked.item]
    if not right and answer not in {asked.item, ""}:
        # taking one kind for another shows that neither is known well
        names.append(answer)
    items = dict(progress.items)
    for name in names:
        item = progress.item(name)
        box = min(item.box + 1, len(INTERVALS) - 1) if right else 0
        day = dt.date.fromisoformat(today) + dt.timedelta(days=INTERVALS[box])
        counted = name == asked.item
        items[name] = replace(
            item,
            box=box,
            due=day.isoformat(),
            asked=item.asked + counted,
            right=item.right + (right and counted),
        )
    return Progress(items), right


def write(progress: Progress) -> str:
    """Return progress as text: a head, then one line an item: name, box, day, asked, right."""
    lines = [
        f"{name} {item.box} {item.due or '-'} {item.asked} {item.right}"
        for name, item in sorted(progress.items.items())
    ]
    return "\n".join([_HEAD, *lines, ""])


def read(text: str) -> Progress:
    """Read a text made by :func:`write`; an empty text is no progress.

    Raises:
        RecordError: for another head, or a line that is none; it names the line.
    """
    if not text.strip():
        return Progress()
    lines = text[:_LONGEST].splitlines()
    if lines[0].strip() != _HEAD:
        raise _unreadable(1, _HEAD, lines[0])
    items: dict[str, Item] = {}
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            name, item = _item(number, line)
            items[name] = item
    return Progress(items)


def _item(number: int, line: str) -> tuple[str, Item]:
    parts = line.split()
    expected = "pair 2 2026-01-31 5 4"
    if len(parts) != 5 or not parts[0].replace("_", "").isalnum() or len(parts[0]) > 40:
        raise _unreadable(number, expected, line)
    name, box, due, asked, right = parts
    try:
        day = "" if due == "-" else dt.date.fromisoformat(due).isoformat()
        item = Item(int(box), day, int(asked), int(right))
    except ValueError as error:
        raise _unreadable(number, expected, line) from error
    if not (0 <= item.box < len(INTERVALS) and 0 <= item.right <= item.asked):
        raise _unreadable(number, expected, line)
    return name, item


def _unreadable(number: int, expected: str, got: str) -> RecordError:
    return RecordError(
        f"line {number} of the progress: expected {expected!r}, got {got[:60]!r}",
        key="error.quiz.line",
        field=f"line {number}",
        expected=expected,
        got=got,
        line=number,
    )
