"""Actions as text: reading them, checking plays, and one entry of a game's history.

Layer 2. The texts are the same in input, records, links and tests and are never translated: words
(``pass``, ``x2`` …), bids (``1 2 3`` or numbers), and cards, with ``=kind:length:top`` where the
reading is named. Whether a play is legal follows from three things alone: the rules, the hand and
what lies on the table; the game and what a seat sees of it ask the same functions here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from ddz_core import cards, patterns
from ddz_core.errors import IllegalAction, NotationError
from ddz_core.patterns import Combination, Move
from ddz_core.patterns.reading import NO_LIMIT
from ddz_core.specs import Ruleset

PASS = "pass"
HIDDEN = "?"
"""What stands in an observation for an action that its seat may not see."""

WORDS = frozenset(
    [
        *("pass", "call", "rob", "take", "cede", "show", "reveal", "double", "declare", "play"),
        *("claim", "open", "trustee", "leave"),
    ]
)
MOST_TEXT = 200
"""No action is longer: 40 cards, and a reading."""

ASIDE = frozenset(["leave", "trustee"])
"""Actions that may come out of turn."""

_FACTOR = re.compile(r"x[1-9][0-9]{0,3}")
_BID = re.compile(r"[0-9]{1,4}")
_READING = re.compile(r"([a-z_]{1,40}):([0-9]{1,2}):(.)", re.DOTALL)


class Reading(NamedTuple):
    """The reading that a player names: what the cards are to be."""

    kind: str
    length: int
    top: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.length}:{self.top}"


class Cards(NamedTuple):
    """Cards to be played, with the reading if one was named."""

    hand: cards.Hand
    reading: Reading | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One action of a history.

    Attributes:
        index: its place in the history, from 0.
        seat: who acted; None for chance.
        phase: the phase in which it was done.
        action: its text.
        move: the play, or None for anything else.
        trick: number of the trick, from 1; 0 outside the play.
        laid: the physical cards of a play, low to high.
    """

    index: int
    seat: int | None
    phase: str
    action: str
    move: Move | None = None
    trick: int = 0
    laid: tuple[cards.Card, ...] = field(default=(), compare=False)

    @property
    def key(self) -> str:
        """The catalogue key of the action in words; its values are those of ``params``."""
        if self.action == HIDDEN:
            return "action.hidden"
        if self.move is not None:
            return "action.play"
        if self.action.isdigit():
            return "action.bid"
        if _FACTOR.fullmatch(self.action):
            return "action.no_factor" if self.action == "x1" else "action.factor"
        word, colon, _ = self.action.partition(":")
        if colon and self.seat is not None:
            return "action.chosen"
        return "action.play_on" if word == "play" else f"action.{word}"

    @property
    def params(self) -> dict[str, object]:
        """The values that the sentence of ``key`` needs."""
        if self.move is not None:
            return {"cards": self.action.partition("=")[0]}
        if self.action.isdigit():
            return {"bid": self.action}
        word, colon, told = self.action.partition(":")
        if colon:
            return {"cards": told, "n": len(told)}
        return {"factor": word[1:]} if _FACTOR.fullmatch(word) else {}

    def __str__(self) -> str:
        return self.action if self.seat is None else f"{self.seat} {self.action}"


def reading_of(combination: Combination | Move) -> Reading:
    """Return what a combination or move is read as."""
    return Reading(combination.kind, combination.length, combination.top)


def normal_word(action: object) -> str | None:
    """Return a word, factor or number in its normal form, or None if the action is none of them."""
    if isinstance(action, bool) or not isinstance(action, (str, int)):
        return None
    text = str(action)[: MOST_TEXT + 1].strip().lower()
    if text in WORDS or _FACTOR.fullmatch(text) or _BID.fullmatch(text):
        return text
    word, colon, told = text.partition(":")
    if colon and word == "take" and re.fullmatch(r"~[01]{1,20}", told):
        return text
    if colon and word == "take":
        chosen = cards.format_cards(cards.parse_cards(told))
        return f"{word}:{chosen}" if chosen else PASS
    return None


def read_cards(action: object) -> Cards:
    """Read an action as cards to be played.

    Raises:
        NotationError: if it is neither a move nor a text of cards with or without a reading.
        HandError: if no game has that many cards of one rank.
    """
    if isinstance(action, (Move, Combination)):
        return Cards(action.hand, reading_of(action))
    if not isinstance(action, str) or len(action) > MOST_TEXT:
        raise NotationError(
            f"action: expected cards or a word of at most {MOST_TEXT} characters, "
            f"got {type(action).__name__}",
            key="error.action.text",
            field="action",
            expected="33344, pass",
            got=action,
        )
    text, named, reading = action.partition("=")
    if not named:
        return Cards(cards.parse_cards(text), None)
    found = _READING.fullmatch(reading.strip())
    if found is None or found[3] not in cards.LANE:
        raise NotationError(
            f"after '=' expected kind:length:top, got {reading!r}",
            key="error.action.named",
            field="action",
            expected="plane:3:6",
            got=reading,
        )
    return Cards(cards.parse_cards(text), Reading(found[1], int(found[2]), found[3]))


def written(hand: cards.Hand, reading: Reading | None) -> str:
    """Return cards, and the reading if it must be named, as the text of an action."""
    text = cards.format_cards(hand)
    return text if reading is None else f"{text}={reading}"


def illegal(name: str, sentence: str, expected: object, got: object) -> IllegalAction:
    """Return the error for an action that is not allowed, with the key ``error.action.NAME``."""
    return IllegalAction(
        sentence, key=f"error.action.{name}", field="action", expected=expected, got=got
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What else binds a seat's plays besides the cards.

    Attributes:
        locked: sets of cards that may only be played whole, packed.
        bombs: whether it may play bombs besides those sets.
        yields: whether it may not beat what lies on the table.
    """

    locked: tuple[cards.Hand, ...] = ()
    bombs: bool = True
    yields: bool = False

    def allows(self, hand: cards.Hand, *, bomb: bool) -> bool:
        """Tell whether these cards may be played, as a bomb or as something else."""
        if self.yields:
            return False
        if hand in self.locked:
            return True
        return (self.bombs or not bomb) and not any(map(hand.__and__, _spread(self.locked)))


def _spread(sets: tuple[cards.Hand, ...]) -> list[cards.Hand]:
    """Return masks of all bits in the lanes that some sets use."""
    return [
        sum(15 << 4 * lane for lane, count in enumerate(cards.counts_of(one)) if count)
        for one in sets
    ]


FREE = Limits()
"""No limits."""


def legal_plays(
    ruleset: Ruleset, hand: cards.Hand, to_beat: Move | None, limits: Limits = FREE
) -> list[Move]:
    """Return every play of a hand: leads, or answers to what lies on the table."""
    if limits.yields:
        return []
    beat = None if to_beat is None else to_beat.hand
    if limits == FREE:
        return patterns.moves(ruleset, hand, beat=beat, beat_as=to_beat)
    step = NO_LIMIT if limits.bombs else 0
    free = hand - sum(limits.locked)
    found = patterns.moves(ruleset, free, beat=beat, beat_as=to_beat, highest_step=step)
    for whole in limits.locked:
        found += [
            move
            for move in patterns.moves(ruleset, whole, beat=beat, beat_as=to_beat)
            if move.hand == whole
        ]
    return found


def automatic_reading(
    ruleset: Ruleset, hand: cards.Hand, to_beat: Move | None
) -> Combination | None:
    """Return the reading of cards that is taken when the player names none; None: there is none."""
    if to_beat is None:
        return patterns.answer_reading(ruleset, hand)
    return patterns.answer_reading(ruleset, hand, to_beat.hand, beat_as=to_beat)


def verify_play(
    ruleset: Ruleset,
    hand: cards.Hand,
    to_beat: Move | None,
    action: object,
    limits: Limits = FREE,
) -> Move:
    """Return cards as the play they are, or raise with the reason why they cannot be played.

    Args:
        ruleset: the game.
        hand: what the seat holds.
        to_beat: what lies on the table, None for a lead.
        action: cards as text, or a move.
        limits: what else binds the seat.

    Raises:
        NotationError: if the text cannot be read.
        IllegalAction: cards not in hand, no combination, a reading they do not have, not higher,
            or bound by ``limits``.
    """
    return _within(_unlimited(ruleset, hand, to_beat, action), limits)


def _within(move: Move, limits: Limits) -> Move:
    """Return a play that its seat's limits allow.

    Raises:
        IllegalAction: if they do not.
    """
    text = cards.format_cards(move.hand)
    if limits.yields:
        raise illegal("yields", "a machine that plays for someone beats no partner", PASS, text)
    if move.hand in limits.locked:
        return move
    for whole in limits.locked:
        if move.hand & _spread((whole,))[0]:
            declared = cards.format_cards(whole)
            raise illegal(
                "locked", f"{declared} was declared and is only played whole", declared, text
            )
    if move.is_bomb and not limits.bombs:
        raise illegal("limit", f"{text}: no bomb is left to this seat", "", text)
    return move


def _unlimited(ruleset: Ruleset, hand: cards.Hand, to_beat: Move | None, action: object) -> Move:
    """Return cards as the play they are, whatever else binds the seat; see :func:`verify_play`."""
    wanted = read_cards(action)
    text = cards.format_cards(wanted.hand)
    if not wanted.hand:
        raise illegal("empty", "no cards were chosen", "", action)
    if not cards.contains(hand, wanted.hand):
        missing = cards.format_cards(_missing(hand, wanted.hand))
        held = cards.format_cards(hand)
        raise illegal("missing", f"the hand {held} is short of {missing}", held, missing)
    readings = patterns.readings(ruleset, wanted.hand)
    if not readings:
        raise illegal("none", f"{text} forms no combination of this game", "", text)
    if wanted.reading is not None:
        named = [r for r in readings if reading_of(r) == wanted.reading]
        if not named:
            names = ", ".join(str(reading_of(r)) for r in readings)
            raise illegal(
                "reading", f"{text} is no {wanted.reading}; it is {names}", names, wanted.reading
            )
        readings = named
    if to_beat is None:
        return patterns.move_of(patterns.unnamed(readings))
    table = written(to_beat.hand, None)
    answers = [r for r in readings if patterns.outranks(r, to_beat)]
    if answers:
        return patterns.move_of(patterns.unnamed(answers))
    name, sentence = "lower", f"{text} is not higher than {table}"
    if all(r.kind != to_beat.kind for r in readings):
        name, sentence = "other_kind", f"{text} is not of the kind of {table}"
    elif cards.size_of(wanted.hand) != cards.size_of(to_beat.hand):
        name = "length"
        sentence = f"{text} has not as many cards as {table}"
    raise illegal(name, sentence, table, text)


def _missing(hand: cards.Hand, part: cards.Hand) -> cards.Hand:
    """Return the cards of ``part`` that ``hand`` lacks."""
    pairs = zip(cards.counts_of(hand), cards.counts_of(part), strict=True)
    return cards.from_counts(max(0, wanted - held) for held, wanted in pairs)
