"""What a coach has set up, as one text of the session, and what it makes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import streamlit as st

from ddz_core import cards, codes, setting
from ddz_core.bots import match
from ddz_core.errors import DdzError
from ddz_core.game import Game, new_game
from ddz_core.positions import Position
from pages._kit import house_rules, inputs, session

if TYPE_CHECKING:
    from ddz_core.rules import Rules

POSITION, GAME = "p", "g"
"""Parameters of the address that carry what was set up."""


class Draft(msgspec.Struct, frozen=True):
    """What stands in the fields.

    Attributes:
        kind: a whole deal, or a position in play.
        hands: cards of each seat, as typed.
        sizes: how many cards each hand of a position has; the others follow the cards typed.
        bottom: cards of the bottom, as typed.
        lord: the landlord; -1 for a deal that begins with the bidding.
        first: who speaks first.
        turn, beat, by: of a position: whose turn, what lies on the table, who played it.
        wishes: by seat, what a hand is to be like.
        seed: of the cards that are dealt; 0 while nothing is.
    """

    kind: Literal["deal", "position"] = "position"
    hands: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    bottom: str = ""
    lord: int = -1
    first: int = 0
    turn: int = 0
    beat: str = ""
    by: int = -1
    wishes: dict[str, dict[str, Any]] = {}
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Made:
    """What the fields make: a position or a game, its code, and the parameter it travels under."""

    value: Position | Game
    code: str

    @property
    def name(self) -> str:
        """The parameter of the address."""
        return GAME if isinstance(self.value, Game) else POSITION


def draft() -> Draft:
    """Return what stands in the fields; a text that cannot be read is an empty one."""
    try:
        return msgspec.json.decode(session.get(session.SETTING) or "{}", type=Draft)
    except msgspec.MsgspecError:
        return Draft()


def put(changed: Draft) -> None:
    """Keep what stands in the fields; for callbacks."""
    session.put(session.SETTING, msgspec.json.encode(changed).decode())


def take(**fields: object) -> None:
    """Change some fields; for callbacks."""
    put(msgspec.structs.replace(draft(), **fields))


def seats_of(rules: Rules, now: Draft) -> int:
    """Return how many hands are shown: all seats of a deal, two or more of a position."""
    seats = rules.ruleset.deal.seats
    return seats if now.kind == "deal" else min(seats, max(2, len(now.hands)))


def hands_of(rules: Rules, now: Draft) -> tuple[str, ...]:
    """Return the hands as typed, one for each that is shown."""
    count = seats_of(rules, now)
    return (*now.hands, *[""] * count)[:count]


def sizes_of(rules: Rules, now: Draft) -> tuple[int, ...]:
    """Return how many cards each hand of a position is to have."""
    found = []
    for seat, hand in enumerate(hands_of(rules, now)):
        wanted = now.sizes[seat] if seat < len(now.sizes) else 0
        try:
            held = cards.size_of(cards.parse_cards(hand))
        except DdzError:
            held = 0
        found.append(max(wanted, held))
    return tuple(found)


def made(rules: Rules, now: Draft) -> Made:
    """Return what the fields make.

    Raises:
        DdzError: if they make nothing; it names what is wrong.
    """
    hands = hands_of(rules, now)
    if now.kind == "deal":
        wishes = {int(seat): wish for seat, wish in now.wishes.items() if wish}
        deal = setting.completed_deal(
            rules, hands, now.bottom, seed=max(now.seed, 1), first=now.first, wishes=wishes
        )
        game = new_game(rules, deal)
        if now.lord >= 0:
            game = match.forced(game, now.lord)
        return Made(game, codes.encode(game))
    turn = now.turn if now.turn < len(hands) else 0
    beat = now.beat.strip()
    by = now.by if beat and 0 <= now.by < len(hands) and now.by != turn else None
    lord = now.lord if 0 <= now.lord < len(hands) else 0
    place = setting.completed_position(
        rules,
        hands,
        sizes_of(rules, now),
        seed=max(now.seed, 1),
        to_move=turn,
        beat=beat,
        beat_by=by,
        landlords=(lord,),
    )
    return Made(place, codes.encode(place))


def arrive() -> DdzError | None:
    """Take the position or deal of a link; return what is wrong with it."""
    for name in (POSITION, GAME):
        code = st.query_params.get(name, "")
        if not code or code == session.get(session.SET_CODE):
            continue
        try:
            found = codes.decode(code)
        except DdzError as error:
            inputs.address(name, "")
            return error
        _show(found)
        session.put(session.SET_CODE, code)
    return None


def _show(found: Position | Game) -> None:
    """Put a position or a deal into the fields; its rules come in force."""
    house_rules.put(found.rules)
    if isinstance(found, Game):
        hands = tuple(cards.format_cards(cards.from_cards(hand)) for hand in found.deal.hands)
        lord = found.landlords[0] if found.landlords else -1
        put(
            Draft(
                kind="deal",
                hands=hands,
                bottom=cards.format_cards(cards.from_cards(found.deal.bottom)),
                first=found.deal.first,
                lord=lord,
                seed=1,
            )
        )
        return
    put(
        Draft(
            hands=found.texts,
            sizes=tuple(map(cards.size_of, found.hands)),
            turn=found.to_move,
            beat=found.beat_text,
            by=-1 if found.beat_by is None else found.beat_by,
            lord=found.landlords[0],
            seed=1,
        )
    )
