"""The cards of a question for a class: only what the seat asked may see, or all hands.

Layer 4, pictures without script. The drawing is made where the code is; who looks at it gets the
picture of the cards shown and the number of the others, never the code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddz_core import cards, codes
from ddz_core.cards import Hand
from ddz_core.errors import DdzError
from ddz_core.positions import Position
from ddz_core.render import wording
from ddz_core.render.cards import Theme, combination_svg, hand_svg

if TYPE_CHECKING:
    from ddz_core.language import Words
    from ddz_core.patterns import Combination


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the drawing: words, and below them a picture (SVG) or none."""

    text: str
    picture: str = ""
    label: str = ""


def check(code: str, seat: int | None) -> int:
    """Return the number of hands of what a question shows.

    Raises:
        DdzError: if the code cannot be read, or has no such seat.
    """
    hands, _, _, _ = _shown(code)
    if seat is not None and not 0 <= seat < len(hands):
        raise DdzError(
            f"seat: expected 0 to {len(hands) - 1}, got {seat}",
            key="error.class.choice",
            field="seat",
            expected=f"0–{len(hands) - 1}",
            got=seat,
        )
    return len(hands)


def parts(words: Words, code: str, seat: int | None, theme: Theme = "light") -> list[Part]:
    """Return the drawing: what lies to beat, the hands that may be seen, the sizes of the others.

    Args:
        words: for the words beside the cards.
        code: of a position or a game; the moment after its last action is drawn.
        seat: the only seat whose cards are shown, None for all.
        theme: ``light`` or ``dark``.
    """
    try:
        hands, landlords, beat, to_move = _shown(code)
    except DdzError as error:
        return [Part(words.error(error))]
    jokers = (words.say("table.js.joker_small"), words.say("table.js.joker_big"))
    found: list[Part] = []
    if beat is not None:
        told = wording.combination_text(words, beat)
        picture = combination_svg(
            beat.main, beat.kickers, width=360, theme=theme, jokers=jokers, label=told
        )
        found.append(Part(words.say("class.to_beat", play=told), picture, told))
    elif to_move is not None:
        found.append(Part(words.say("class.lead")))
    for number, hand in enumerate(hands):
        role = words.say(f"table.role.{wording.role_of(number, landlords, len(hands))}")
        name = words.say("class.seat", n=number + 1, role=role)
        said = [name, words.say("class.cards", n=cards.size_of(hand))]
        if number == to_move:
            said.append(words.say("class.turn"))
        text = cards.format_cards(hand)
        picture = label = ""
        if text and seat in {None, number}:
            label = wording.hand_text(words, text)
            picture = hand_svg(text[::-1], width=640, theme=theme, jokers=jokers, label=label)
        found.append(Part(" · ".join(said), picture, label))
    low = _bottom(code, seat)
    if low:
        label = wording.hand_text(words, low)
        picture = hand_svg(low[::-1], width=640, theme=theme, jokers=jokers, label=label)
        found.append(Part(words.say("class.bottom"), picture, label))
    return found


def _bottom(code: str, seat: int | None) -> str:
    """Return the bottom cards of a deal, where they may be seen."""
    found = codes.decode(code)
    if isinstance(found, Position) or not (seat is None or found.landlords):
        return ""
    return cards.format_cards(cards.from_cards(found.deal.bottom))


def _shown(code: str) -> tuple[tuple[Hand, ...], tuple[int, ...], Combination | None, int | None]:
    """Return hands, landlords, what lies to beat and who is to move."""
    found = codes.decode(code)
    if isinstance(found, Position):
        return found.hands, found.landlords, found.beat, found.to_move
    return tuple(found.hands), tuple(found.landlords), found.to_beat, found.to_act
