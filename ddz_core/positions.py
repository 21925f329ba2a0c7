"""Open-hand positions: all cards known, somebody to move, perhaps a play on the table.

Layer 2. A position is what a solver or a puzzle starts from. It may hold fewer hands than the game
has seats (an endgame of two), and none of its cards need have been dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from ddz_core import actions, cards, dealing, patterns
from ddz_core.dealing import AnyRules
from ddz_core.display import Tabular
from ddz_core.errors import DdzError, HandError, NotACombination
from ddz_core.game import Game
from ddz_core.patterns import Combination, Move
from ddz_core.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The end of an open-hand position: a hand is empty.

    Attributes:
        out: index of the empty hand.
        won: whether that is a hand of the landlord's side.
    """

    out: int
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(Tabular):
    """Open hands with somebody to move; make one with :func:`position`.

    Attributes:
        rules: the rules in force.
        hands: packed hands in playing order.
        to_move: index of the hand to move.
        beat: the play on the table, None for a lead.
        beat_by: index of the hand that made it, None for a lead.
        landlords: indices of the hands of the landlord's side.
    """

    rules: Rules
    hands: tuple[cards.Hand, ...]
    to_move: int = 0
    beat: Combination | None = None
    beat_by: int | None = None
    landlords: tuple[int, ...] = (0,)

    @property
    def texts(self) -> tuple[str, ...]:
        """The hands as text."""
        return tuple(map(cards.format_cards, self.hands))

    @property
    def passes(self) -> int:
        """The number of hands that have passed since the play on the table."""
        if self.beat_by is None:
            return 0
        return (self.to_move - self.beat_by - 1) % len(self.hands)

    @property
    def beat_text(self) -> str:
        """The play on the table with its reading, as an action's text; empty for a lead."""
        if self.beat is None:
            return ""
        return actions.written(self.beat.hand, actions.reading_of(self.beat))

    def __str__(self) -> str:
        hands = "/".join(self.texts)
        if self.beat is None or self.beat_by is None:
            return f"{hands} to move {self.to_move}"
        beat = cards.format_cards(self.beat.hand)
        return f"{hands} to move {self.to_move}, beat {beat} of {self.beat_by}"


def position(
    hands: Sequence[str | cards.Hand],
    to_move: int = 0,
    beat: str | Combination | Move | None = None,
    *,
    rules: AnyRules,
    beat_by: int | None = None,
    landlords: Sequence[int] = (0,),
) -> Position:
    """Return a checked open-hand position.

    Args:
        hands: cards of each hand in playing order, two or more, none empty.
        to_move: index of the hand to move.
        beat: the play on the table, with ``=kind:length:top`` where its reading matters.
        rules: the game.
        beat_by: index of the hand that made it; left out, the one before ``to_move``.
        landlords: indices of the landlord's side; at least one hand must be on the other.

    Raises:
        NotationError: if cards cannot be read.
        HandError: if the cards cannot exist together, or a hand is empty or too large.
        NotACombination: if ``beat`` is none, or has not the reading named.
        DdzError: if an index is wrong.

    >>> from ddz_core.rules import load_ruleset
    >>> str(position(["KK5543", "225543"], rules=load_ruleset("classic")))
    '3455KK/345522 to move 0'
    """
    ruleset = dealing.plain_rules(rules)
    if isinstance(hands, str) or not 2 <= len(hands) <= ruleset.deal.seats:
        raise DdzError(
            f"hands: expected 2 to {ruleset.deal.seats} hands",
            key="error.position.hands",
            field="hands",
            expected=f"2–{ruleset.deal.seats}",
            got=hands if isinstance(hands, str) else len(hands),
        )
    packed = [cards.parse_cards(hand) for hand in hands]
    reading = None
    if beat is not None and beat != "":
        reading = _reading(rules, beat)
    elif beat_by is not None:
        raise DdzError(
            "beat_by: nothing lies on the table",
            key="error.position.no_beat",
            field="beat_by",
            expected="",
            got=beat_by,
        )
    parts: list[tuple[str, cards.Hand, int | None]] = [
        (f"hand {index}", hand, None) for index, hand in enumerate(packed)
    ]
    if reading is not None:
        parts.append(("beat", reading.hand, None))
    dealing.check_cards(ruleset, parts)
    for index, hand in enumerate(packed):
        size = cards.size_of(hand)
        if not 1 <= size <= ruleset.largest_hand:
            raise HandError(
                f"hand {index}: expected 1 to {ruleset.largest_hand} cards, got {size}",
                key="error.position.size",
                field=f"hand {index}",
                expected=f"1–{ruleset.largest_hand}",
                got=size,
            )
    count = len(packed)
    dealing.check_seat(count, to_move, field="to_move")
    if reading is not None:
        beat_by = (to_move - 1) % count if beat_by is None else beat_by
        dealing.check_seat(count, beat_by, field="beat_by")
        if beat_by == to_move:
            raise DdzError(
                f"beat_by: hand {to_move} cannot answer itself",
                key="error.position.itself",
                field="beat_by",
                expected="",
                got=beat_by,
            )
    side = _side(landlords, count)
    return Position(
        rules=rules if isinstance(rules, Rules) else Rules(ruleset),
        hands=tuple(packed),
        to_move=to_move,
        beat=reading,
        beat_by=beat_by if reading is not None else None,
        landlords=side,
    )


def after(place: Position, action: object) -> Position | Ended:
    """Return what follows an action of the hand to move.

    Args:
        place: an open-hand position.
        action: cards as text, with ``=kind:length:top`` where the reading matters, a move, or
            ``pass``.

    Raises:
        NotationError: if it cannot be read.
        IllegalAction: if it is not allowed.

    >>> from ddz_core.rules import load_ruleset
    >>> str(after(position(["345", "666"], rules=load_ruleset("classic")), "4"))
    '35/666 to move 1, beat 4 of 0'
    """
    seat, count = place.to_move, len(place.hands)
    following = (seat + 1) % count
    if action is None or actions.normal_word(action) == actions.PASS:
        if place.beat is None:
            raise actions.illegal("lead", "whoever leads must play", "", action)
        if following == place.beat_by:
            return replace(place, to_move=following, beat=None, beat_by=None)
        return replace(place, to_move=following)
    to_beat = None if place.beat is None else patterns.move_of(place.beat)
    move = actions.verify_play(place.rules.ruleset, place.hands[seat], to_beat, action)
    hands = list(place.hands)
    hands[seat] -= move.hand
    if not hands[seat]:
        return Ended(out=seat, won=seat in place.landlords)
    return replace(place, hands=tuple(hands), to_move=following, beat=move, beat_by=seat)


def legal(place: Position, *, spend: str = "minimal") -> list[Move | None]:
    """Return every action of the hand to move: its plays, and None for a pass when following.

    Args:
        place: an open-hand position.
        spend: how wilds are spent, as in :meth:`ddz_core.rules.Rules.moves`.
    """
    found: list[Move | None] = list(
        place.rules.moves(
            place.hands[place.to_move],
            None if place.beat is None else place.beat.hand,
            beat_as=place.beat,
            spend=spend,
        )
    )
    if place.beat is not None:
        found.append(None)
    return found


def position_of(game: Game) -> Position:
    """Return the open-hand position of a game that is being played.

    Raises:
        DdzError: if it is not being played.
    """
    if game.phase != "play" or game.to_act is None:
        raise DdzError(
            f"game: expected one that is being played, its phase is {game.phase}",
            key="error.position.phase",
            field="game",
            expected="play",
            got=game.phase,
        )
    rules = game.rules
    if game.play_rules is not rules.ruleset:
        house = {**rules.overrides, "wilds.rank": game.play_rules.wilds.rank}
        rules = Rules(msgspec.structs.replace(game.play_rules, overrides=house))
    return position(
        game.hands,
        game.to_act,
        game.to_beat,
        rules=rules,
        beat_by=game.beat_by,
        landlords=game.landlords,
    )


def _side(landlords: Sequence[int], count: int) -> tuple[int, ...]:
    """Return the landlord's side, low to high, or raise if one side is empty."""
    seats = landlords if isinstance(landlords, (list, tuple, set, frozenset)) else (landlords,)
    side = tuple(sorted({dealing.check_seat(count, seat, field="landlords") for seat in seats}))
    if not 1 <= len(side) < count:
        raise DdzError(
            f"landlords: expected 1 to {count - 1} of {count} hands, got {len(side)}",
            key="error.position.sides",
            field="landlords",
            expected=f"1–{count - 1}",
            got=len(side),
        )
    return side


def _reading(rules: AnyRules, beat: str | Combination | Move) -> Combination:
    """Return what lies on the table as it is to be read.

    Raises:
        NotACombination: if the cards are no combination or have not the reading named.
    """
    wanted = actions.read_cards(beat)
    readings = patterns.readings(dealing.plain_rules(rules), wanted.hand)
    if wanted.reading is not None:
        readings = [r for r in readings if actions.reading_of(r) == wanted.reading]
    if not readings:
        text = cards.format_cards(wanted.hand)
        raise NotACombination(
            f"beat: {text or beat!r} is no combination of this game"
            + (f" with the reading {wanted.reading}" if wanted.reading else ""),
            key="error.position.beat",
            field="beat",
            expected=str(wanted.reading or ""),
            got=text or beat,
        )
    return patterns.unnamed(readings)
