"""What one seat may know of a game: the only gate for bots, hints and hidden-card analysis.

Layer 2. An :class:`Observation` is built from public facts and the seat's own cards and keeps no
reference to the game, its deal or its seed. Two games that differ only in cards hidden from the
seat give equal observations. Hands are packed, as in :mod:`ddz_core.cards`.

Cards that are neither in the own hand nor played nor shown in the bottom are *unseen*. Of some of
them the place is known all the same (a card shown while dealing, the bottom cards a landlord has
taken): ``known`` has them by seat, and ``unplaced`` are the unseen cards that may lie anywhere. So
for every seat ``s`` but the own one, ``left[s] - size(known[s])`` cards, together with bottom and
dead cards that nobody has turned over, make up ``unplaced``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ddz_core import actions, cards, dealing, scoring
from ddz_core.actions import HIDDEN, Entry
from ddz_core.cards import Card
from ddz_core.declarations import DECLARATIONS
from ddz_core.errors import DdzError
from ddz_core.game import Bomb, Game, Outcome, Phase, Side
from ddz_core.patterns import Move
from ddz_core.rules import Rules
from ddz_core.scoring import Ledger

if TYPE_CHECKING:
    from ddz_core.specs import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A game as one seat sees it; made by :func:`observe`.

    Attributes:
        rules: the rules in force.
        seat: whose view it is.
        phase, to_act, landlords, contract, multiplier, first: as in the game.
        hand: the own cards, packed.
        held: the own cards as physical cards, low to high.
        left: the number of cards of each seat.
        bottom: the bottom cards, once this seat may see them; else None.
        bottom_left: bottom cards that the landlord still holds, as far as this seat may see.
        face_up: the card shown while dealing and who got it, or None.
        face_up_left: whether that card is still held.
        played: the packed cards that each seat has played.
        known: the packed cards that this seat knows each seat to hold; of itself, all.
        unseen: cards neither in the own hand, nor played, nor shown in the bottom.
        unplaced: those of them of which it is not known where they are.
        hidden_bottom: the number of bottom cards this seat has not seen and nobody has taken.
        dead: the number of cards that nobody gets.
        to_beat: the play on the table, None for a lead.
        beat_by: who made it.
        passes: passes in a row since then.
        trick: number of the trick, from 1; 0 before the play.
        plays: number of plays of each seat.
        bombs: the bombs played so far.
        factors: each seat's factor on its own result; None where not chosen, or not yet public.
        alarms: for each seat the number of cards left where everybody is warned of it.
        history: every action, ``?`` for one whose content is hidden from this seat.
        options: the words open to this seat; empty when it is not to act.
        out, outcome, ledger: the result, None while the game runs.
    """

    rules: Rules
    seat: int
    phase: Phase
    to_act: int | None
    landlords: tuple[int, ...]
    contract: int
    multiplier: int
    first: int
    hand: cards.Hand
    held: tuple[Card, ...]
    left: tuple[int, ...]
    bottom: tuple[Card, ...] | None
    bottom_left: tuple[Card, ...]
    face_up: tuple[Card, int] | None
    face_up_left: bool
    played: tuple[cards.Hand, ...]
    known: tuple[cards.Hand, ...]
    unseen: cards.Hand
    unplaced: cards.Hand
    hidden_bottom: int
    dead: int
    to_beat: Move | None
    beat_by: int | None
    passes: int
    trick: int
    plays: tuple[int, ...]
    bombs: tuple[Bomb, ...]
    factors: tuple[int | None, ...]
    alarms: tuple[int | None, ...]
    history: tuple[Entry, ...]
    options: tuple[str, ...]
    out: int | None
    outcome: Outcome | None
    ledger: Ledger | None

    @property
    def ruleset(self) -> Ruleset:
        """The plain data of the rules."""
        return self.rules.ruleset

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.left)

    def side_of(self, seat: int) -> Side | None:
        """Return the side of a seat as far as this seat knows, or None."""
        dealing.check_seat(self.seats, seat)
        if not self.landlords:
            return None
        return "landlord" if seat in self.landlords else "farmer"

    def legal(self) -> list[str | Move] | None:
        """Return every legal action of this seat, or None when it is not to act.

        Cost: as :meth:`ddz_core.game.Game.legal`.
        """
        if self.to_act != self.seat:
            return None
        found: list[str | Move] = list(self.options)
        if self.phase == "play":
            found += actions.legal_plays(self.ruleset, self.hand, self.to_beat)
        return found

    def verify_play(self, action: object) -> Move:
        """Return cards of the own hand as the play they are, or raise with the reason.

        Raises: as :func:`ddz_core.actions.verify_play`; also useful before it is this seat's turn.
        """
        return actions.verify_play(self.ruleset, self.hand, self.to_beat, action)


def observe(game: Game, seat: int) -> Observation:
    """Return what a seat may know of a game.

    Raises:
        DdzError: if there is no such seat.
    Cost: about 30 microseconds and one short list of the history.
    """
    dealing.check_seat(game.seats, seat)
    if not isinstance(game, Game):
        raise DdzError(
            f"observe: expected a Game, got {type(game).__name__}",
            key="error.game.deal",
            field="game",
            expected="Game",
            got=type(game).__name__,
        )
    sees_bottom = bool(game.landlords) and (
        game.ruleset.deal.bottom_shown == "all" or seat in game.landlords
    )
    bottom_left = game.bottom_left if sees_bottom else ()
    played = _played(game)
    known, fixed = _known(game, seat, bottom_left)
    unseen = game.ruleset.deck_cards - game.hands[seat] - sum(played)
    if sees_bottom and seat not in game.landlords:
        unseen -= cards.from_cards(bottom_left)
    return Observation(
        rules=game.rules,
        seat=seat,
        phase=game.phase,
        to_act=game.to_act,
        landlords=game.landlords,
        contract=game.contract,
        multiplier=game.multiplier,
        first=game.first,
        hand=game.hands[seat],
        held=game.held[seat],
        left=game.left,
        bottom=game.deal.bottom if sees_bottom else None,
        bottom_left=bottom_left,
        face_up=game.deal.face_up,
        face_up_left=game.face_up_left,
        played=played,
        known=known,
        unseen=unseen,
        unplaced=unseen - fixed,
        hidden_bottom=0 if game.landlords else len(game.deal.bottom),
        dead=len(game.deal.dead),
        to_beat=game.to_beat,
        beat_by=game.beat_by,
        passes=game.passes,
        trick=game.trick,
        plays=game.plays,
        bombs=game.bombs,
        factors=_factors(game, seat),
        alarms=game.alarms,
        history=_history(game, seat),
        options=game.options if game.to_act == seat else (),
        out=game.out,
        outcome=game.outcome,
        ledger=game.ledger,
    )


def _played(game: Game) -> tuple[cards.Hand, ...]:
    """Return the packed cards that each seat has played."""
    played = [0] * game.seats
    for entry in game.history:
        if entry.move is not None and entry.seat is not None:
            played[entry.seat] += entry.move.hand
    return tuple(played)


def _known(
    game: Game, seat: int, bottom_left: tuple[Card, ...]
) -> tuple[tuple[cards.Hand, ...], cards.Hand]:
    """Return the cards known of each seat, and those of them that count as unseen."""
    known = [0] * game.seats
    known[seat] = game.hands[seat]
    fixed = 0
    for landlord in game.landlords:
        if landlord != seat:
            known[landlord] += cards.from_cards(bottom_left)
    if game.deal.face_up is not None and game.face_up_left:
        card, holder = game.deal.face_up
        if holder != seat:
            fixed = cards.from_cards([card])
            known[holder] += fixed
    return tuple(known), fixed


def _secret(game: Game) -> frozenset[str]:
    """Return the ids of declarations whose answers are still hidden from the other seats."""
    hidden = set()
    for spec in game.ruleset.declare:
        declaring = DECLARATIONS[spec.id]
        if not (declaring.secret and game.phase == "declare"):
            continue
        answered = sum(1 for answer in game.declared if answer.id == spec.id)
        if answered < len(declaring.seats(game.seats, game.landlords)):
            hidden.add(spec.id)
    return frozenset(hidden)


def _factors(game: Game, seat: int) -> tuple[int | None, ...]:
    """Return the factors that a seat may see."""
    if scoring.RAISE_EACH not in _secret(game):
        return game.factors
    return tuple(
        factor if other == seat or other in game.landlords else None
        for other, factor in enumerate(game.factors)
    )


def _history(game: Game, seat: int) -> tuple[Entry, ...]:
    """Return the history with what is hidden from a seat left out."""
    hidden = _secret(game)
    if not hidden:
        return game.history
    answers = iter(game.declared)
    seen = []
    for entry in game.history:
        if entry.phase == "declare":
            answer = next(answers)
            if answer.id in hidden and answer.seat != seat:
                seen.append(replace(entry, action=HIDDEN))
                continue
        seen.append(entry)
    return tuple(seen)
