"""Puzzles from one's own games: moments of a game whose win hung on one play.

Layer 4. A moment counts with all hands open: the solver proves that the hand to move wins there,
and only by plays of one family. Earlier moments, which it cannot prove within its nodes, are passed
over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddz_core import cards, positions
from ddz_core.errors import DdzError
from ddz_core.puzzles import lines
from ddz_core.puzzles.judge import Judge, family_of
from ddz_core.puzzles.obvious import obvious
from ddz_core.puzzles.study import families

if TYPE_CHECKING:
    from ddz_core.game import Game
    from ddz_core.positions import Position

MOST_CARDS = 30
"""Cards in all hands at the earliest moment that is looked at."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a game that makes a puzzle.

    Attributes:
        index: entry of the game's history that was made there.
        seat: the game's seat to move.
        position: the open hands.
        played: what was played, as text.
        right: whether it kept the win.
        hard: whether the obvious play loses.
    """

    index: int
    seat: int
    position: Position
    played: str
    right: bool
    hard: bool


def moments(game: Game, judge: Judge, most: int = MOST_CARDS) -> Iterator[Moment | None]:
    """Yield for every play of a game, the last first, a puzzle or None.

    Args:
        game: a game that has been played, to its end or not.
        judge: asked for the values; one with few nodes keeps each answer short.
        most: cards in all hands at the earliest moment.
    Cost: one question to the solver each.
    """
    for index in range(len(game.history) - 1, -1, -1):
        entry = game.history[index]
        if entry.phase != "play" or entry.seat is None:
            continue
        before = game.at(index)
        if sum(map(cards.size_of, before.hands)) > most:
            return
        yield _moment(before, index, entry.seat, entry.action, judge)


def _moment(before: Game, index: int, seat: int, action: str, judge: Judge) -> Moment | None:
    try:
        position = positions.position_of(before)
        answers = judge.answers(position)
        played = lines.written(position, lines.verified(position, action))
    except DdzError:  # not one of the play, or limits that open hands do not have
        return None
    ways = families(answers)
    if any(not answer.value for answer in answers) or len(ways) != 1 or len(answers) < 2:
        return None
    worth = next((answer.worth for answer in answers if answer.action == played), -1)
    hard = family_of(obvious(position)) != ways[0].family
    return Moment(index, seat, position, played, worth == 1, hard)
