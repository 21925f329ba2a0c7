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

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ddz_core import actions, cards, dealing, scoring
from ddz_core.actions import FREE, HIDDEN, Entry, Limits
from ddz_core.cards import Card
from ddz_core.declarations import DECLARATIONS, PASS, TAKE, Declared
from ddz_core.display import Tabular
from ddz_core.errors import DdzError
from ddz_core.game import Bomb, Game, Outcome, Phase, Side
from ddz_core.patterns import Move, with_wild
from ddz_core.rules import Rules
from ddz_core.scoring import Ledger

if TYPE_CHECKING:
    from ddz_core.specs import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(Tabular):
    """A game as one seat sees it; made by :func:`observe`.

    Attributes:
        rules: the rules in force.
        seat: whose view it is.
        to_act: as in the game, but None while others are asked what is not to be noticed.
        phase, contract, multiplier, first: as in the game.
        landlords: as in the game, as far as this seat knows them.
        sides_known: whether this seat knows the side of every other.
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
        removed: packed cards that this seat knows to be in nobody's hand: those it left lying.
        shown: seats whose hands this seat sees.
        limits: what binds the own plays besides the cards.
        locked: for each seat the sets of cards that it declared, packed.
        bomb_limits: for each seat the most bombs it may play; None for no limit.
        forced: ids of the duties that leave no other call.
        holds_twin: whether the own hand holds the twin of the face-up card.
        fled: seats whose players have left, in order.
        trustee: seats whose players let a machine play.
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
    sides_known: bool = True
    removed: cards.Hand = 0
    shown: tuple[int, ...] = ()
    limits: Limits = FREE
    locked: tuple[tuple[cards.Hand, ...], ...] = ()
    bomb_limits: tuple[int | None, ...] = ()
    forced: tuple[str, ...] = ()
    holds_twin: bool = False
    fled: tuple[int, ...] = ()
    trustee: tuple[int, ...] = ()

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
        if seat in self.landlords:
            return "landlord"
        return "farmer" if self.sides_known or seat == self.seat else None

    def legal(self) -> list[str | Move] | None:
        """Return every legal action of this seat, or None when it is not to act.

        Cost: as :meth:`ddz_core.game.Game.legal`.
        """
        if self.to_act != self.seat:
            return None
        found: list[str | Move] = list(self.options)
        if self.phase == "play":
            found += actions.legal_plays(self.ruleset, self.hand, self.to_beat, self.limits)
        return found

    def verify_play(self, action: object) -> Move:
        """Return cards of the own hand as the play they are, or raise with the reason.

        Raises: as :func:`ddz_core.actions.verify_play`; also useful before it is this seat's turn.
        """
        return actions.verify_play(self.ruleset, self.hand, self.to_beat, action, self.limits)


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
    view = _View(game, seat)
    bottom_left = game.bottom_left if view.sees_bottom else ()
    played = _played(game)
    known, fixed = _known(view, bottom_left)
    removed = view.removed
    dealt = game.phase != "deal"
    hand = game.hands[seat] if dealt else 0
    unseen = game.ruleset.deck_cards - hand - sum(played) - removed
    if view.sees_bottom and seat not in game.landlords:
        unseen -= cards.from_cards(bottom_left)
    to_act = game.to_act if view.notices else None
    mine = game.to_act == seat
    return Observation(
        rules=view.rules,
        seat=seat,
        phase=game.phase,
        to_act=to_act,
        landlords=view.landlords,
        contract=game.contract,
        multiplier=game.multiplier,
        first=game.first,
        hand=hand,
        held=game.held[seat] if dealt else (),
        left=game.left if dealt else (0,) * game.seats,
        bottom=game.deal.bottom if view.sees_bottom else None,
        bottom_left=bottom_left,
        face_up=game.deal.face_up if dealt else None,
        face_up_left=game.face_up_left and dealt,
        played=played,
        known=known,
        unseen=unseen,
        unplaced=unseen - fixed,
        hidden_bottom=view.hidden_bottom,
        dead=len(game.deal.dead),
        to_beat=game.to_beat,
        beat_by=game.beat_by,
        passes=game.passes,
        trick=game.trick,
        plays=game.plays,
        bombs=game.bombs,
        factors=_factors(view),
        alarms=game.alarms,
        history=_history(view),
        options=game.options if mine else (),
        out=game.out,
        outcome=game.outcome,
        ledger=game.ledger,
        sides_known=view.sides_known,
        removed=removed,
        shown=view.sees,
        limits=game.limits(seat) if game.phase == "play" else FREE,
        locked=game.locked,
        bomb_limits=game.bomb_limits,
        forced=game.forced if mine else (),
        holds_twin=view.holds_twin,
        fled=game.fled,
        trustee=game.trustee,
    )


class _View:
    """What one seat sees and knows of a game besides the cards themselves."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        deal = game.deal
        hidden = game.ruleset.sides == "twin"
        self.holds_twin = hidden and deal.twin is not None and deal.twin in game.held[seat]
        lead = game.landlords[:1]
        inside = seat in game.landlords and (seat not in lead or len(game.landlords) == 1)
        self.sides_known = not hidden or game.revealed or inside or game.phase == "settled"
        self.landlords = game.landlords if self.sides_known else lead
        self.sees_bottom = game.opened or (
            bool(game.landlords) and (game.ruleset.deal.bottom_shown == "all" or seat in lead)
        )

    @property
    def rules(self) -> Rules:
        """The rules, with the wild rank once it is drawn."""
        rules = self.game.rules
        plain = self.game.play_rules
        return rules if plain is rules.ruleset else _rules_with(rules, self.game.deal.wild)

    @property
    def notices(self) -> bool:
        """Whether this seat may notice who is asked."""
        asked = self.game.asked
        if asked is None or asked.secrecy != "quiet" or asked.choices[0] != PASS:
            return True
        return asked.seat == self.seat

    @property
    def sees(self) -> tuple[int, ...]:
        """The other seats whose hands this seat sees."""
        game = self.game
        pair = game.landlords if game.revealed and self.seat in game.landlords else ()
        if game.phase == "deal":
            return ()
        return tuple(sorted({*game.shown, *pair} - {self.seat}))

    @property
    def taken(self) -> int:
        """The number of bottom cards that somebody has taken."""
        game = self.game
        if not game.landlords:
            return 0
        if game.ruleset.deal.taken == "all":
            return len(game.deal.bottom)
        choice = next((d.choice for d in game.declared if d.id == TAKE), PASS)
        return len(choice.partition(":")[2])

    @property
    def removed(self) -> cards.Hand:
        """Cards that this seat itself left in the bottom, or an open bottom that nobody took."""
        game = self.game
        if game.opened and not game.landlords:
            return cards.from_cards(game.deal.bottom)
        chose = any(d.id == TAKE and d.seat == self.seat for d in game.declared)
        if not chose:
            return 0
        left = cards.from_cards(game.deal.bottom)
        choice = next(d.choice for d in game.declared if d.id == TAKE)
        return left - (cards.parse_cards(choice.partition(":")[2]) if choice != PASS else 0)

    @property
    def hidden_bottom(self) -> int:
        """The number of cards in the bottom that this seat cannot place."""
        rest = len(self.game.deal.bottom) - self.taken
        return 0 if self.removed else rest

    def answer(self, answer: Declared) -> str:
        """Return ``full``, ``hidden`` or ``absent``: how this seat sees an answer."""
        if answer.seat == self.seat:
            return "full"
        secrecy = _secrecy(answer.id)
        if answer.id == TAKE:
            return "counted"
        if secrecy == "sealed":
            return "hidden" if _asked_now(self.game) == answer.id else "full"
        if secrecy == "quiet":
            sealed = answer.id == "reveal" and _asked_now(self.game) == answer.id
            return "absent" if sealed or answer.choice == PASS else "full"
        return "full"


@functools.lru_cache(maxsize=64)
def _rules_with(rules: Rules, rank: str) -> Rules:
    """Return rules whose wild rank has been drawn."""
    return Rules(with_wild(rules.ruleset, rank))


def _secrecy(name: str) -> str:
    """Return how secret the answers to a declaration are."""
    return DECLARATIONS[name].secrecy if name in DECLARATIONS else "open"


def _asked_now(game: Game) -> str:
    """Return the id of the declaration that is being asked, or nothing."""
    asked = game.asked
    return "" if asked is None else asked.id


def _played(game: Game) -> tuple[cards.Hand, ...]:
    """Return the packed cards that each seat has played."""
    played = [0] * game.seats
    for entry in game.history:
        if entry.move is not None and entry.seat is not None:
            played[entry.seat] += entry.move.hand
    return tuple(played)


def _known(view: _View, bottom_left: tuple[Card, ...]) -> tuple[tuple[cards.Hand, ...], cards.Hand]:
    """Return the cards known of each seat, and those of them that count as unseen."""
    game, seat = view.game, view.seat
    known = [0] * game.seats
    if game.phase == "deal":
        return tuple(known), 0
    known[seat] = game.hands[seat]
    fixed = 0
    for landlord in game.landlords[:1]:
        if landlord != seat:
            known[landlord] += cards.from_cards(bottom_left)
            lost = _lost(game, seat)
            known[landlord] += lost
            fixed += lost
    if game.deal.face_up is not None and game.face_up_left:
        card, holder = game.deal.face_up
        if holder != seat:
            one = cards.from_cards([card])
            fixed += one
            known[holder] += one
    for other, sets in enumerate(game.locked):
        if other != seat:
            left = sum(one for one in sets if cards.contains(game.hands[other], one))
            more = _missing(left, known[other])
            known[other] += more
            fixed += more
    for other in view.sees:
        # a hand that lies open is known whole, and all of it that is no open bottom is unseen
        open_bottom = cards.from_cards(bottom_left) if other in game.landlords[:1] else 0
        fixed -= known[other] - open_bottom
        known[other] = game.hands[other]
        fixed += known[other] - open_bottom
    return tuple(known), fixed


def _missing(wanted: cards.Hand, held: cards.Hand) -> cards.Hand:
    """Return what some cards lack of others, rank by rank."""
    pairs = zip(cards.counts_of(wanted), cards.counts_of(held), strict=True)
    return cards.from_counts(max(0, a - b) for a, b in pairs)


def _lost(game: Game, seat: int) -> cards.Hand:
    """Return the card that a seat lost to the landlord, until the first of its rank is played."""
    lost = cards.from_cards([card for card, loser in game.drawn if loser == seat])
    played = _played(game)[game.landlords[0]]
    return sum(
        lost & (15 << 4 * lane) for lane in range(cards.LANES) if not played >> 4 * lane & 15
    )


def _factors(view: _View) -> tuple[int | None, ...]:
    """Return the factors that a seat may see."""
    game = view.game
    if _asked_now(game) != scoring.RAISE_EACH:
        return game.factors
    return tuple(
        factor if other == view.seat or other in game.landlords else None
        for other, factor in enumerate(game.factors)
    )


def _history(view: _View) -> tuple[Entry, ...]:
    """Return the history with what is hidden from a seat left out."""
    game = view.game
    if not game.declared and not game.drawn:
        return game.history
    answers = iter(game.declared)
    seen: list[Entry] = []
    for entry in game.history:
        shown = entry
        if entry.phase == "declare":
            answer = next(answers)
            how = view.answer(answer)
            if how == "absent":
                continue
            if how == "hidden":
                shown = replace(entry, action=HIDDEN)
            elif how == "counted" and ":" in entry.action:
                word, _, taken = entry.action.partition(":")
                shown = replace(entry, action=f"{word}:{HIDDEN * len(taken)}")
        elif entry.seat is None and entry.action.startswith("draw:") and game.landlords:
            shown = replace(entry, action=_draw_seen(game, view.seat))
        if shown.index != len(seen):
            shown = replace(shown, index=len(seen))
        seen.append(shown)
    return tuple(seen)


def _draw_seen(game: Game, seat: int) -> str:
    """Return the draw as a seat saw it: the landlord all of it, a farmer the card it lost."""
    mine = seat in game.landlords
    return "draw:" + "".join(
        card.rank if mine or loser == seat else HIDDEN for card, loser in game.drawn
    )
