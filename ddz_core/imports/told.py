"""What another program tells of a game, and the game made from it.

A reader of a format only collects facts: hands, landlord, bottom, bids and plays, each with the
place in the source where it stands. This module deals them, bids to the landlord told and replays
the plays, and says in the source's own terms what does not fit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ddz_core import cards, dealing
from ddz_core.actions import PASS
from ddz_core.cards import SUITS
from ddz_core.dealing import Deal
from ddz_core.errors import DdzError, RecordError, shortened
from ddz_core.game import Game, new_game
from ddz_core.language import Phrase
from ddz_core.rules import Rules, load_ruleset

SEATS, HAND, BOTTOM = 3, 17, 3
"""The games of the programs read here: three players, one deck."""
MOST_ACTIONS = 2_000

NOT_TOLD = "not told"
"""Value of the headers ``bidding`` and ``bottom`` of a game whose source does not tell them."""


def import_error(
    name: str, sentence: str, *, field: str, expected: object = "", got: object = "", **more: object
) -> RecordError:
    """Return the error for a game of another program, with the key ``error.import.NAME``."""
    return RecordError(
        sentence, key=f"error.import.{name}", field=field, expected=expected, got=got, **more
    )


def wrong_field(field: str, expected: str, got: object) -> RecordError:
    """Return the error for a field that is missing or of another form."""
    shown = "nothing" if got is None else repr(got)
    return import_error(
        "field",
        f"{field}: expected {expected}, got {shortened(shown)}",
        field=field,
        expected=expected,
        got="—" if got is None else got,
    )


@dataclass(frozen=True, slots=True)
class Said:
    """One play or pass as the source tells it.

    Attributes:
        cards: ranks as text, empty for a pass.
        seat: who acted, None where the order alone tells it.
        field: where it stands in the source.
        got: what stands there.
    """

    cards: str
    seat: int | None
    field: str
    got: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The facts of one game.

    Attributes:
        program: id of the format.
        hands: cards by seat as text, suits before the ranks where they are told; the landlord's
            with or without the bottom; None where the source does not tell them.
        landlord: the landlord's seat.
        bottom: the bottom cards, empty where they are not told.
        bids: what each seat bid in speaking order from ``first``; None where not told.
        first: who spoke first.
        plays: every play and pass, in order.
        headers: lines for the record.
    """

    program: str
    hands: tuple[str | None, ...]
    landlord: int
    plays: tuple[Said, ...]
    bottom: str = ""
    bids: tuple[int, ...] | None = None
    first: int = 0
    headers: tuple[tuple[str, str], ...] = ()


RULES: dict[str, dict[str, Any]] = {
    "douzero": {"kickers.both_jokers": True},
    "rlcard": {"kickers.max_equal": 3, "kickers.next_triple": False},
    "botzone": {},
}
"""House rules that play the classic game as each program does."""


def game_of(told: Told, rules: Rules | None) -> Game:
    """Return the game that a source tells.

    Args:
        told: its facts.
        rules: the game; None for the classic one with the kickers of that program, or as it stands
            where a play is legal only there.

    Raises:
        RecordError: if hands are missing or impossible, the rules have no such landlord, or a play
            is illegal; it names the place in the source.
    """
    if rules is not None:
        return _played(told, rules)
    overrides = RULES[told.program]
    try:
        return _played(told, load_ruleset("classic", overrides))
    except RecordError:
        if not overrides:
            raise
    return _played(told, load_ruleset("classic"))


def _played(told: Told, rules: Rules) -> Game:
    """Return the game under given rules."""
    spec = rules.ruleset.deal
    sizes = (spec.seats, spec.hand, spec.bottom, spec.dead)
    if sizes != (SEATS, HAND, BOTTOM, 0) or rules.ruleset.deck.decks != 1:
        raise import_error(
            "rules",
            f"rules: games of other programs have three players with 17 cards and three bottom "
            f"cards; {rules.id} has not",
            field="rules",
            expected="3 × 17 + 3",
            got=rules.id,
        )
    hands, bottom, guessed = _dealt(told)
    if guessed:
        rules = load_ruleset(rules.id, {**rules.overrides, "deal.bottom_shown": "landlord"})
    bids = told.bids if told.bids is not None and _makes(told, rules) else None
    first = told.first if bids is not None else told.landlord
    try:
        deal = dealing.deal_from_text(rules, "/".join(hands) + "|" + bottom, first=first)
    except DdzError as error:
        raise _because("deal", f"the cards cannot be: {error}", error, field="deal") from error
    game = _bid(told, rules, deal, bids)
    extra = [("source", told.program), *told.headers]
    extra += [("bidding", NOT_TOLD)] if bids is None else []
    extra += [("bottom", NOT_TOLD)] if guessed else []
    return replace(_replayed(told, game), headers=tuple(extra))


def _because(
    name: str, sentence: str, error: DdzError, *, field: str, got: object = None, number: int = 0
) -> RecordError:
    """Return the error whose cause is another one of the core."""
    return import_error(
        name,
        sentence,
        field=field,
        expected=error.expected,
        got=error.got if got is None else got,
        why=Phrase(error.key, error.params),
        number=number,
    )


# --- cards ---------------------------------------------------------------------------------------


def split_cards(text: str) -> list[str]:
    """Return the cards of a text one by one, each rank with the suit before it, if it has one."""
    found, suit = [], ""
    for character in text:
        if character in SUITS:
            suit = character
        else:
            found.append(suit + character)
            suit = ""
    return found


def _dealt(told: Told) -> tuple[list[str], str, bool]:
    """Return the hands as dealt and the bottom, and whether the bottom had to be guessed."""
    hands = list(told.hands)
    missing = [seat for seat, hand in enumerate(hands) if hand is None]
    if len(missing) == 1:
        hands[missing[0]] = _rest([hand for hand in hands if hand is not None], told)
    elif missing:
        raise import_error(
            "hands",
            f"the cards of seats {', '.join(map(str, missing))} are not told: "
            "a log of the whole match has them",
            field="hands",
            expected=SEATS,
            got=SEATS - len(missing),
        )
    known = [hand or "" for hand in hands]
    whole, lord = split_cards(known[told.landlord]), told.landlord
    if len(whole) != HAND + BOTTOM:
        return known, told.bottom, False
    guessed = not told.bottom
    bottom = whole[-BOTTOM:] if guessed else split_cards(told.bottom)
    for card in bottom:
        same = [held for held in whole if held == card or held[-1] == card[-1]]
        if not same:
            raise import_error(
                "bottom",
                f"bottom: the landlord holds no {card}",
                field="bottom",
                expected="".join(card[-1] for card in whole),
                got="".join(bottom),
            )
        whole.remove(card if card in same else same[0])
    known[lord] = "".join(whole)
    return known, "".join(bottom), guessed


def _rest(hands: Sequence[str], told: Told) -> str:
    """Return the cards of one deck that the other seats and the bottom do not have."""
    left = Counter("3456789TJQKA2" * 4 + "XD")
    left.subtract(c for hand in hands for c in hand if c not in SUITS)
    landlord_told = told.hands[told.landlord]
    if landlord_told is None or len(split_cards(landlord_told)) == HAND:
        # the bottom belongs to no hand yet
        left.subtract(c for c in told.bottom if c not in SUITS)
    return "".join(rank * max(0, count) for rank, count in left.items())


# --- bidding and play ----------------------------------------------------------------------------


def _makes(told: Told, rules: Rules) -> bool:
    """Tell whether the bids told, and passes after them, make the landlord told here."""
    bids = [PASS if bid == 0 else str(bid) for bid in told.bids or ()]
    try:
        bidding = rules.bidding(bids, first=told.first)
        while bidding.status == "ask" and len(bids) <= 3 * SEATS:
            bids.append(PASS)
            bidding = rules.bidding(bids, first=told.first)
    except DdzError:
        return False
    return bidding.status == "landlord" and bidding.seat == told.landlord


def _bid(told: Told, rules: Rules, deal: Deal, bids: Sequence[int] | None) -> Game:
    """Return the game with its landlord known and every declaration declined."""
    game = new_game(rules, deal)
    for bid in bids or ():
        game = game.apply(PASS if bid == 0 else str(bid))
    while game.phase in ("deal", "auction", "declare") and game.to_act is not None:
        words = game.options
        mine = bids is None and game.phase == "auction" and game.to_act == told.landlord
        declined = PASS if PASS in words else words[0]
        game = game.apply(words[-1] if mine else declined)
    if game.landlords != (told.landlord,):
        raise import_error(
            "landlord",
            f"rules: {rules.id} has no way to make seat {told.landlord} the landlord",
            field="rules",
            expected=told.landlord,
            got=rules.id,
        )
    return game


def _replayed(told: Told, game: Game) -> Game:
    """Return the game after every play told."""
    if len(told.plays) > MOST_ACTIONS:
        raise wrong_field("actions", f"at most {MOST_ACTIONS}", len(told.plays))
    for number, said in enumerate(told.plays, 1):
        more: Mapping[str, object] = {"number": number}
        if game.to_act is None:
            raise import_error(
                "over",
                f"{said.field}: action {number}: the game is over before it",
                field=said.field,
                got=said.got,
                **more,
            )
        if said.seat is not None and said.seat != game.to_act:
            raise import_error(
                "turn",
                f"{said.field}: action {number}: seat {game.to_act} is to act, not {said.seat}",
                field=said.field,
                expected=game.to_act,
                got=said.seat,
                **more,
            )
        try:
            game = game.apply(said.cards or PASS)
        except DdzError as error:
            raise _because(
                "action",
                f"{said.field}: action {number} ({shortened(said.got)}) is illegal: {error}",
                error,
                field=said.field,
                got=said.got,
                number=number,
            ) from error
    return game


def ranks_of(text: str, field: str) -> str:
    """Return letters of any form (``10``, ``B``, ``小王`` …) as ranks low to high.

    Raises:
        RecordError: at a character that is no card; it names the field.
    """
    try:
        return cards.format_cards(cards.parse_cards(text))
    except DdzError as error:
        raise _because(
            "cards", f"{field}: {error}", error, field=field, got=error.got or text
        ) from error
