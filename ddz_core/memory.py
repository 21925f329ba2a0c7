"""Memory drill: stop a finished game, ask one seat what is gone and what is left, rank by rank.

Layer 3. Questions and answers come from the seat's own :class:`~ddz_core.observation.Observation`:
nothing that happens after a stop, and no card hidden from the seat, enters them. Where a game is
stopped follows from a seed and from what has been played so far, never from the game's length.
Progress by rank is a short text that its owner keeps; days and seeds are given from outside.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import bots, cards, dealing
from ddz_core.errors import HandError, RecordError
from ddz_core.game import Game, new_game
from ddz_core.observation import observe
from ddz_core.quiz import INTERVALS, Item

if TYPE_CHECKING:
    from ddz_core.actions import Entry
    from ddz_core.claims import Result
    from ddz_core.estimate import Estimate
    from ddz_core.observation import Observation
    from ddz_core.rules import Rules
    from ddz_core.specs import Ruleset

HEAD = "paili-memory 1"
LARGEST = 20_000
"""Characters of a progress text that are looked at."""

USUAL = 5
"""Ranks asked for unless another number is given: both jokers, 2, A and K."""

GAPS = (5, 10)
"""Fewest and most actions between two stops, and before the first."""

TRIES = 50
"""Deals looked at for one that is played out long enough."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Where the cards of one rank are, as one seat knows.

    Attributes:
        rank: the rank character, ``*`` for marked cards.
        copies: cards of the rank in the game.
        mine: of them in the own hand.
        gone: of them played, or known to be in nobody's hand.
        left: all the others: in other hands, or lying unseen.
    """

    rank: str
    copies: int
    mine: int
    gone: int
    left: int


@dataclass(frozen=True, slots=True)
class Mark:
    """An answer for one rank beside the truth; None for what was left open."""

    fact: Fact
    gone: int | None
    left: int | None

    @property
    def right(self) -> bool:
        """Whether both numbers are right."""
        return self.gone == self.fact.gone and self.left == self.fact.left


# --- the game ------------------------------------------------------------------------------------


def order(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the ranks of a game from the top down, big joker first."""
    return tuple(dict.fromkeys(reversed(cards.format_cards(ruleset.deck_cards))))


def first(game: Game) -> int:
    """Return the number of actions before the first play."""
    return next((e.index for e in game.history if e.phase == "play"), len(game.history))


def check(game: Game) -> None:
    """Refuse a game in which nothing can be asked.

    Raises:
        RecordError: if it is not finished, or ends before the first stop of every seed.
    """
    if game.outcome is None:
        raise RecordError(
            "the game is not finished",
            key="error.memory.unfinished",
            field="game",
            expected="settled",
            got=game.phase,
        )
    played = len(game.history) - first(game)
    if played <= GAPS[1]:
        raise RecordError(
            f"game: expected more than {GAPS[1]} plays and passes, got {played}",
            key="error.memory.short",
            field="game",
            expected=GAPS[1] + 1,
            got=played,
        )


def seed_game(rules: Rules, seed: int) -> Game:
    """Return a game that rule bots play from a seed, the next seeds where it is too short.

    Cost: some hundredths of a second; every seed gives the same game each time.

    Raises:
        RecordError: if none of :data:`TRIES` deals is played out.
    """
    bot = bots.bot("rule")
    for number in range(seed, seed + TRIES):
        rng = np.random.default_rng([number, seed])
        game = new_game(rules, dealing.deal(rules, seed=number))
        while game.to_act is not None:
            game = game.apply(bot.choose(observe(game, game.to_act), rng))
        if len(game.history) - first(game) > GAPS[1]:
            return game
    check(game)
    return game


def next_stop(game: Game, seed: int, after: int) -> int | None:
    """Return after how many actions a game is stopped next, or None if it ends before.

    Args:
        game: a finished game.
        seed: of the stops.
        after: actions seen so far; the stop lies after them.
    """
    rng = np.random.default_rng([seed, 2])
    stop = start = first(game)
    while stop <= max(after, start):
        stop += int(rng.integers(GAPS[0], GAPS[1] + 1))
    return stop if stop < len(game.history) else None


# --- question and answer -------------------------------------------------------------------------


def facts(seen: Observation) -> dict[str, Fact]:
    """Return where the cards of every rank are, from the top down."""
    deck = cards.counts_of(seen.ruleset.deck_cards)
    hand = cards.counts_of(seen.hand)
    away = cards.counts_of(sum(seen.played) + seen.removed)
    found = {}
    for rank in order(seen.ruleset):
        lane = cards.LANE[rank]
        left = deck[lane] - hand[lane] - away[lane]
        found[rank] = Fact(rank, deck[lane], hand[lane], away[lane], left)
    return found


def asked(
    ruleset: Ruleset, number: int, progress: Progress, today: str, *, due: bool = False
) -> tuple[str, ...]:
    """Return the ranks to ask for, from the top down.

    Args:
        ruleset: the game.
        number: how many of the highest ranks are to be remembered.
        progress: what is known so far.
        today: the day, ISO form.
        due: leave out ranks that rest until a later day, as long as any other is there.

    Raises:
        HandError: if the game has not so many ranks.
    """
    every = order(ruleset)
    _check_number("ranks", number, 1, len(every))
    top = every[:number]
    weak = tuple(rank for rank in top if progress.item(rank).due <= today)
    return weak if due and weak else top


def mark(
    seen: Observation,
    ranks: Sequence[str],
    answers: Mapping[str, tuple[int | None, int | None]],
) -> tuple[Mark, ...]:
    """Return the answers beside the truth, one for every rank asked.

    Args:
        seen: what the seat knows at the stop.
        ranks: the ranks asked for.
        answers: by rank, the cards said to be gone and to be left outside the own hand; None for
            what was left open.

    Raises:
        HandError: for a rank that the game does not have or that was not asked for, or a number
            that there cannot be.
    """
    truth = facts(seen)
    for rank in [*ranks, *answers]:
        if rank not in truth or rank not in ranks:
            raise _wrong("rank", ", ".join(r for r in ranks if r in truth), rank)
    found = []
    for rank in ranks:
        gone, left = answers.get(rank, (None, None))
        for name, said in (("gone", gone), ("left", left)):
            if said is not None:
                _check_number(f"{name} {rank}", said, 0, truth[rank].copies)
        found.append(Mark(truth[rank], gone, left))
    return tuple(found)


def went(seen: Observation, rank: str) -> tuple[tuple[Entry, int], ...]:
    """Return the plays in which cards of a rank went, in order, each with their number.

    Raises:
        HandError: if there is no such rank.
    """
    if rank not in cards.LANE:
        raise _wrong("rank", cards.RANKS + "*", rank)
    lane = cards.LANE[rank]
    counted = [(e, sum(card.lane == lane for card in e.laid)) for e in seen.history]
    return tuple((entry, number) for entry, number in counted if number)


def _check_number(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _wrong(name, f"{low}–{high}", value)


def _wrong(name: str, expected: object, got: object) -> HandError:
    return HandError(
        f"{name}: expected {expected}, got {got}",
        key="error.odds.count",
        field=name,
        expected=expected,
        got=got,
    )


# --- progress ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Progress:
    """How well each rank is remembered: boxes 0 to 5, the day each is due, answers so far."""

    items: Mapping[str, Item] = field(default_factory=dict)

    def item(self, rank: str) -> Item:
        """Return a rank's item, a new one if it was never asked."""
        return self.items.get(rank, Item())

    def share(self, rank: str) -> float | None:
        """Return the share of right answers for a rank, None before the first."""
        item = self.item(rank)
        return item.right / item.asked if item.asked else None


def answered(progress: Progress, marks: Sequence[Mark], today: str) -> Progress:
    """Return the progress after a stop.

    A wrong answer puts a rank back into box 0. A right one moves it one box up where it was due;
    a rank moves at most one box up a day, however often it is asked.
    """
    items = dict(progress.items)
    for one in marks:
        item = progress.item(one.fact.rank)
        box, due = item.box, item.due
        if not one.right or due <= today:
            box = min(box + 1, len(INTERVALS) - 1) if one.right else 0
            due = (dt.date.fromisoformat(today) + dt.timedelta(days=INTERVALS[box])).isoformat()
        asked_now, right = item.asked + 1, item.right + one.right
        items[one.fact.rank] = replace(item, box=box, due=due, asked=asked_now, right=right)
    return Progress(items)


def write(progress: Progress) -> str:
    """Return progress as text: a head, then one line a rank: rank, box, day, asked, right."""
    lines = [
        f"{rank} {item.box} {item.due or '-'} {item.asked} {item.right}"
        for rank, item in sorted(progress.items.items(), key=lambda one: -cards.LANE[one[0]])
    ]
    return "\n".join([HEAD, *lines, ""])


def read(text: str) -> Progress:
    """Read a text made by :func:`write`; an empty text is no progress.

    Raises:
        RecordError: for another head, or a line that is none; it names the line.
    """
    if not text.strip():
        return Progress()
    lines = text[:LARGEST].lstrip("\ufeff").splitlines()
    if lines[0].strip() != HEAD:
        raise _unreadable(1, HEAD, lines[0])
    items: dict[str, Item] = {}
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            rank, item = _item(number, line, items)
            items[rank] = item
    return Progress(items)


def merged(mine: Progress, other: Progress) -> Progress:
    """Return two progresses as one; of a rank in both, the one asked more often counts."""
    items = dict(mine.items)
    for rank, item in other.items.items():
        if item.asked > items.get(rank, Item()).asked:
            items[rank] = item
    return Progress(items)


def _item(number: int, line: str, before: Mapping[str, Item]) -> tuple[str, Item]:
    parts = line.split()
    expected = "2 1 2026-01-31 3 2"
    if len(parts) != 5 or parts[0] not in cards.LANE or parts[0] in before:
        raise _unreadable(number, expected, line)
    rank, box, due, said, right = parts
    try:
        day = "" if due == "-" else dt.date.fromisoformat(due).isoformat()
        item = Item(int(box), day, int(said), int(right))
    except ValueError as error:
        raise _unreadable(number, expected, line) from error
    if not (0 <= item.box < len(INTERVALS) and 0 <= item.right <= item.asked < 1_000_000):
        raise _unreadable(number, expected, line)
    return rank, item


def _unreadable(number: int, expected: str, got: str) -> RecordError:
    return RecordError(
        f"line {number} of the progress: expected {expected!r}, got {got[:60]!r}",
        key="error.lesson.progress",
        field=f"line {number}",
        expected=expected,
        got=got,
        line=number,
    )


# --- what remembering is worth -------------------------------------------------------------------


def worth(result: Result) -> dict[str, tuple[tuple[int, Estimate], ...]]:
    """Return what remembering the top ranks is worth to a bot, by family and number of ranks.

    Args:
        result: of the claim on remembered ranks; each number is the landlord's chance to win with
            so many ranks remembered, less that of one who remembers none.
    """
    found = {}
    for family in result.families:
        numbers = result.estimates(family)
        rows = [
            (int(cell.at["ranks"]), numbers[cell.name])
            for cell in result.cells
            if cell.name in numbers and cell.name == f"ranks{int(cell.at.get('ranks', 0))}"
        ]
        found[family] = tuple(sorted(rows, key=lambda row: row[0]))
    return found
