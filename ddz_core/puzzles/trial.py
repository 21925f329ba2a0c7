"""Playing a position out against a perfect defence.

Layer 4. The person plays some of the hands, the program all others. While the person's side wins,
the defence takes the answer that leaves the fewest ways to go on winning; once a play has thrown
the win away, it plays the refutation out, however long the person goes on. A partner whom the
program plays keeps the win where it can be kept. Nothing here is drawn or worded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ddz_core import cards
from ddz_core.errors import DdzError
from ddz_core.positions import Position
from ddz_core.puzzles import lines
from ddz_core.puzzles.study import families

if TYPE_CHECKING:
    from ddz_core.puzzles.judge import Answer, Judge
    from ddz_core.puzzles.lines import Line

LOOKS_AHEAD = 24
"""Cards in all hands up to which a lost defence looks for the hardest answer; it takes moments."""

Mark = Literal["only", "kept", "lost", "losing", "unknown"]
"""What an action of the person's did: the only family that keeps the win, one of several, thrown
the win away, played in a lost position, not proven."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One action of the person's with what it did.

    Attributes:
        step: the action.
        mark: what it did.
        ways: families of plays that kept the win there.
    """

    step: lines.Step
    mark: Mark
    ways: int


def settled(line: Line, seats: tuple[int, ...], judge: Judge) -> Line:
    """Return the line after the program has played until the person is to act, or the end.

    Args:
        line: where it stands.
        seats: the hands that the person plays.
        judge: asked for the values.
    """
    while line.position is not None and line.position.to_move not in seats:
        line = line.play(reply(line.position, seats, judge))
    return line


def acted(line: Line, action: str, seats: tuple[int, ...], judge: Judge) -> Line:
    """Return the line after an action of the person's and the program's answers.

    Raises:
        IllegalAction, NotationError: if the action is not allowed; nothing has changed then.
        DdzError: if the person is not to act.
    """
    if line.position is None or line.position.to_move not in seats:
        raise DdzError(
            "it is not the person's turn", key="error.action.turn", field="action", got=action
        )
    return settled(line.play(action), seats, judge)


def played_out(line: Line, judge: Judge) -> Line:
    """Return the line with best play on both sides to its end."""
    while line.position is not None:
        line = line.play(reply(line.position, (), judge))
    return line


def taken_back(line: Line, seats: tuple[int, ...]) -> Line:
    """Return the line before the person's last action; the start where there was none."""
    own = [step.at for step in line.steps if step.seat in seats]
    return line.at(own[-1] if own else 0)


def marks(line: Line, seats: tuple[int, ...], judge: Judge) -> tuple[Judged, ...]:
    """Return what each action of the person's did, in order."""
    found = []
    for step in line.steps:
        if step.seat in seats:
            position = line.at(step.at).position
            if position is not None:
                found.append(_judged(step, judge.answers(position)))
    return tuple(found)


def _judged(step: lines.Step, answers: tuple[Answer, ...]) -> Judged:
    ways = len(families(answers))
    worth = next(answer.worth for answer in answers if answer.action == step.action)
    if worth == 1:
        alone = ways == 1 and len(answers) > 1
        return Judged(step, "only" if alone else "kept", ways)
    if worth == 0:
        return Judged(step, "unknown", ways)
    if ways:
        return Judged(step, "lost", ways)
    proven = all(answer.value for answer in answers)
    return Judged(step, "losing" if proven else "unknown", 0)


def reply(position: Position, seats: tuple[int, ...], judge: Judge) -> str:
    """Return what the program does for the hand to move, as an action's text.

    Args:
        position: with a hand to move that the person does not play.
        seats: the hands that the person plays.
        judge: asked for the values.
    """
    answers = judge.answers(position)
    if len(answers) == 1:
        return answers[0].action
    best = max(answer.worth for answer in answers)
    good = [answer for answer in answers if answer.worth == best]
    if best == 1:
        return min(good, key=lambda answer: _quickest(position, answer)).action
    if best == 0 or sum(map(cards.size_of, position.hands)) > LOOKS_AHEAD:
        return min(good, key=_plain).action
    return min(good, key=lambda answer: _stubborn(position, answer, seats, judge)).action


def _plain(answer: Answer) -> tuple[bool, int]:
    """Order plays without looking ahead: a play before a pass, low cards first."""
    return answer.move is None, 0 if answer.move is None else answer.move.hand


def _quickest(position: Position, answer: Answer) -> tuple[bool, bool, int, int]:
    """Order plays that win: going out, no bomb, many cards, low ones."""
    move = answer.move
    if move is None:
        return True, False, 0, 0
    out = move.hand == position.hands[position.to_move]
    return not out, move.is_bomb, -len(move.cards), move.hand


def _stubborn(
    position: Position, answer: Answer, seats: tuple[int, ...], judge: Judge
) -> tuple[int, int, bool, int]:
    """Order plays that lose: few winning answers, of few there are, a play before a pass, low."""
    following = lines.after(position, answer.move)
    hand = 0 if answer.move is None else answer.move.hand
    forced = 0
    while following is not None and following.to_move not in seats:
        moves = lines.legal(following)
        if moves != (None,) or forced > len(position.hands):
            # another hand of the program's chooses next: what it leaves is seen then
            return 50, 0, answer.move is None, hand
        following, forced = lines.after(following, None), forced + 1
    if following is None:
        return 99, 0, answer.move is None, hand
    answers = judge.answers(following)
    ways = sum(other.worth == 1 for other in answers)
    return len(families(answers)), -(len(answers) - ways), answer.move is None, hand
