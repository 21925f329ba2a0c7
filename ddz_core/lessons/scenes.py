"""What lies on the table in a step: open hands, the play to beat, and what follows an action.

Layer 4. A step gives all hands as they stood before its ``played`` actions; the position that the
question is about is the one after them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core import cards, patterns, positions
from ddz_core.actions import PASS
from ddz_core.lessons.files import Step, refused
from ddz_core.positions import Position, position

if TYPE_CHECKING:
    from ddz_core.patterns import Move
    from ddz_core.rules import Rules


def plain_action(action: str) -> str:
    """Return an action as cards low to high, or ``pass``; the reading is left off.

    Raises:
        NotationError, HandError: if the cards cannot be read.
    """
    text = action.strip()
    if text.lower() == PASS:
        return PASS
    return cards.format_cards(cards.parse_cards(text.partition("=")[0]))


def moves_of(pos: Position) -> list[Move]:
    """Return the plays of the hand to move, a pass not among them."""
    ruleset, hand = pos.rules.ruleset, pos.hands[pos.to_move]
    if pos.beat is None:
        return patterns.moves(ruleset, hand)
    return patterns.moves(ruleset, hand, beat=pos.beat, beat_as=pos.beat)


def actions_of(pos: Position) -> tuple[str, ...]:
    """Return every action of the hand to move, each once, a pass last where one may pass."""
    found = dict.fromkeys(move.cards for move in moves_of(pos))
    return (*found, PASS) if pos.beat is not None else tuple(found)


def after(pos: Position, action: str) -> Position | int:
    """Return the position after an action, or the index of the hand that it empties.

    Raises:
        IllegalAction: if the action is not legal there.
        NotationError, HandError: if the cards cannot be read.
    """
    found = positions.after(pos, action)
    return found.out if isinstance(found, positions.Ended) else found


def begun(step: Step, rules: Rules) -> Position:
    """Return the position with which a step begins.

    Raises:
        DdzError: if it cannot be; it names the field.
    """
    return position(
        step.hands,
        step.to_move,
        step.beat or None,
        rules=rules,
        beat_by=step.beat_by if step.beat else None,
        landlords=step.landlords,
    )


def asked(step: Step, rules: Rules) -> Position:
    """Return the position that a step's question is about.

    Raises:
        DdzError: if it cannot be, or an action before it is not legal; it names the field.
    """
    pos = begun(step, rules)
    for i, action in enumerate(step.played):
        found = after(pos, action)
        if isinstance(found, int):
            raise refused(
                "over",
                f"played[{i}]: the game ends with {action!r}",
                field=f"played[{i}]",
                expected="",
                got=action,
            )
        pos = found
    return pos


def hand_of(step: Step, rules: Rules) -> str:
    """Return the learner's hand as it stands at the question, low to high; empty for none."""
    if step.is_position:
        pos = asked(step, rules)
        return pos.texts[pos.to_move]
    return cards.format_cards(cards.parse_cards(step.hands[0])) if step.hands else ""


def wins_for(pos: Position, seat: int) -> int:
    """Return +1 if this hand is of the landlord's side, else -1."""
    return 1 if seat in pos.landlords else -1
