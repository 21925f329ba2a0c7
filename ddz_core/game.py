"""A whole deal as a frozen value: auction, declarations, play, settlement.

Layer 2. A game knows every card; what a seat may know comes from :mod:`ddz_core.observation`.
``verify`` raises with the reason why an action is not allowed, ``can`` asks it, ``apply`` returns
the next value. Everything a game is follows from its rules, its deal and its history, so taking
back and branching replay the history and restore every field exactly. Packed hands inside; text
outside (:meth:`Game.hand_text`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from ddz_core import actions, auction, cards, dealing, scoring
from ddz_core.actions import PASS, Entry
from ddz_core.cards import Card
from ddz_core.dealing import AnyRules, Deal
from ddz_core.declarations import DECLARATIONS, Declared
from ddz_core.errors import DdzError, RulesetError
from ddz_core.patterns import Move
from ddz_core.rules import Rules
from ddz_core.scoring import Ledger
from ddz_core.specs import Declaration, Ruleset

Phase: TypeAlias = Literal["deal", "auction", "declare", "play", "settled"]
Side: TypeAlias = Literal["landlord", "farmer"]
Outcome: TypeAlias = Literal["landlords", "farmers", "redeal", "unplayed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bomb:
    """A bomb that was played as one: its cards, who played it, what it multiplies by (or adds)."""

    seat: int
    kind: str
    cards: str
    factor: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Game:
    """One deal being bid, declared, played or settled; make one with :func:`new_game`.

    Attributes:
        rules: the rules in force.
        deal: all cards as they were dealt.
        phase: ``deal``, ``auction``, ``declare``, ``play`` or ``settled``.
        to_act: the seat to act; None when the game is over.
        landlords: the seats of the landlord's side; empty before it is known.
        contract: the highest bid so far, 0 before any.
        called: what the bidding itself multiplies by.
        hands: the packed cards that each seat holds now.
        held: the same as physical cards, low to high.
        bottom_left: bottom cards that the landlord has taken and still holds.
        face_up_left: whether the card shown while dealing is still held by the seat that got it.
        to_beat: the play on the table, None for a lead.
        beat_by: who made it.
        passes: passes in a row since then.
        trick: number of the trick, from 1; 0 before the play.
        plays: number of plays that each seat has made.
        bombs: the bombs played so far, in order.
        declared: answers to declarations so far, in order.
        history: every action so far.
        out: the seat that went out.
        outcome: ``landlords``, ``farmers``, ``redeal``, ``unplayed``; None while the game runs.
        ledger: the result, None while the game runs.
        headers: lines of its record that the game itself does not need; not compared.
        notes: comments, each with the number of actions before it; not compared.
    """

    rules: Rules
    deal: Deal
    phase: Phase = "auction"
    to_act: int | None = None
    landlords: tuple[int, ...] = ()
    contract: int = 0
    called: int = 1
    hands: tuple[cards.Hand, ...] = ()
    held: tuple[tuple[Card, ...], ...] = ()
    bottom_left: tuple[Card, ...] = ()
    face_up_left: bool = False
    to_beat: Move | None = None
    beat_by: int | None = None
    passes: int = 0
    trick: int = 0
    plays: tuple[int, ...] = ()
    bombs: tuple[Bomb, ...] = ()
    declared: tuple[Declared, ...] = ()
    history: tuple[Entry, ...] = ()
    out: int | None = None
    outcome: Outcome | None = None
    ledger: Ledger | None = None
    headers: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    notes: tuple[tuple[int, str], ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        """Return a short description that gives away no card."""
        waits = "over" if self.to_act is None else f"seat {self.to_act} to act"
        number = len(self.history)
        return f"Game({self.rules.id}, {self.phase}, {number} actions, {self.outcome or waits})"

    # --- what can be read off ---------------------------------------------------------------

    @property
    def ruleset(self) -> Ruleset:
        """The plain data of the rules."""
        return self.rules.ruleset

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.hands)

    @property
    def first(self) -> int:
        """The seat that spoke first."""
        return self.deal.first

    @property
    def left(self) -> tuple[int, ...]:
        """The number of cards that each seat holds."""
        return tuple(map(cards.size_of, self.hands))

    @property
    def alarms(self) -> tuple[int | None, ...]:
        """For each seat the number of cards left, where everybody is warned of it, else None."""
        told = self.ruleset.play.alarm if self.phase == "play" else ()
        return tuple(count if count in told else None for count in self.left)

    @property
    def multiplier(self) -> int:
        """The factor on stake and bid so far; in a settled game, the final one."""
        if self.ledger is not None:
            return self.ledger.multiplier
        factors = [bomb.factor for bomb in self.bombs]
        return self.called * scoring.multiplier_of(self.ruleset, factors)

    @property
    def factors(self) -> tuple[int | None, ...]:
        """Each seat's factor on its own result: None not chosen yet, 1 where there is none."""
        chosen = {d.seat: d.choice for d in self.declared if d.id == scoring.RAISE_EACH}
        asked = any(spec.id == scoring.RAISE_EACH for spec in self.ruleset.declare)
        open_ = asked and self.phase in ("deal", "auction", "declare")
        return tuple(
            int(chosen[seat][1:])
            if seat in chosen
            else (None if open_ and seat not in self.landlords else 1)
            for seat in range(self.seats)
        )

    def side_of(self, seat: int) -> Side | None:
        """Return the side of a seat, or None before the landlord is known."""
        dealing.check_seat(self.seats, seat)
        if not self.landlords:
            return None
        return "landlord" if seat in self.landlords else "farmer"

    def hand_text(self, seat: int) -> str:
        """Return the cards that a seat holds, as text."""
        return cards.format_cards(self.hands[dealing.check_seat(self.seats, seat)])

    def last_of(self, seat: int) -> Entry | None:
        """Return what a seat did last in the present phase, in the play within this trick."""
        for entry in reversed(self.history):
            if entry.phase != self.phase and self.phase != "settled":
                return None
            if entry.trick != self.trick:
                return None
            if entry.seat == seat:
                return entry
        return None

    @property
    def tricks(self) -> tuple[tuple[Entry, ...], ...]:
        """The plays and passes so far, trick by trick."""
        rows: list[list[Entry]] = [[] for _ in range(self.trick)]
        for entry in self.history:
            if entry.trick:
                rows[entry.trick - 1].append(entry)
        return tuple(map(tuple, rows))

    # --- what may be done -------------------------------------------------------------------

    @property
    def options(self) -> tuple[str, ...]:
        """The words open to the seat to act: bids, factors or ``pass``, but no plays."""
        if self.phase == "auction":
            return _bidding(self).legal
        if self.phase == "declare":
            spec, _ = _asked(self)
            return DECLARATIONS[spec.id].choices(spec)
        return (PASS,) if self.phase == "play" and self.to_beat is not None else ()

    def legal(self) -> list[str | Move]:
        """Return every legal action: words as texts, then plays as moves.

        Cost: under a millisecond in a three-player game; nothing is remembered.
        """
        found: list[str | Move] = list(self.options)
        if self.phase == "play" and self.to_act is not None:
            found += actions.legal_plays(self.ruleset, self.hands[self.to_act], self.to_beat)
        return found

    def can(self, action: object, *, seat: int | None = None) -> bool:
        """Tell whether an action is allowed now."""
        try:
            self.verify(action, seat=seat)
        except DdzError:
            return False
        return True

    def verify(
        self, action: object, *, seat: int | None = None, at: int | None = None
    ) -> str | Move:
        """Return an action in its normal form, or raise with the reason why it is not allowed.

        Args:
            action: a word, a bid (number or text), cards as text, or a move.
            seat: who wants to act, if that is to be checked.
            at: how many actions there were when the action was chosen, if that is to be checked.

        Raises:
            NotationError: if it cannot be read.
            HandError: if no game has so many cards of one rank.
            IllegalAction: if it is not allowed: game over, another seat to act, an action chosen
                at an earlier state, cards not in hand, no combination, does not beat, a pass when
                leading, a bid that is too low …
        """
        if self.to_act is None:
            raise actions.illegal("over", "the game is over", "", action)
        if at is not None and at != len(self.history):
            raise actions.illegal(
                "stale",
                f"chosen after {at} actions, but there are {len(self.history)} now",
                len(self.history),
                at,
            )
        if seat is not None and seat != self.to_act:
            raise actions.illegal("turn", f"seat {self.to_act} is to act", self.to_act, seat)
        if self.phase == "play":
            return self._verify_play(action)
        return self._verify_word(action)

    def _verify_word(self, action: object) -> str:
        """Return a bid or a choice in its normal form; see :meth:`verify`."""
        word = actions.normal_word(action)
        if word is None:
            actions.read_cards(action)  # what cannot be read at all is said first
            raise actions.illegal(
                "not_yet",
                f"no cards can be played yet; legal: {', '.join(self.options)}",
                ", ".join(self.options),
                action,
            )
        if self.phase == "auction":
            why = auction.refusal(_bidding(self), word)
            if why is not None:
                raise why
            return word
        if word == PASS:
            return self.options[0]
        if word not in self.options:
            raise actions.illegal(
                "choice",
                f"{word!r} is not open here; legal: {', '.join(self.options)}",
                ", ".join(self.options),
                action,
            )
        return word

    def _verify_play(self, action: object) -> str | Move:
        """Return a pass or a play in its normal form; see :meth:`verify`."""
        word = actions.normal_word(action)
        if word == PASS:
            if self.to_beat is None:
                raise actions.illegal("lead", "whoever leads must play", "", action)
            return PASS
        if isinstance(action, int) or word in actions.WORDS:
            raise actions.illegal("now", f"{action!r} is not open during the play", "", action)
        assert self.to_act is not None
        return actions.verify_play(self.ruleset, self.hands[self.to_act], self.to_beat, action)

    # --- what follows -----------------------------------------------------------------------

    def apply(self, action: object, *, seat: int | None = None, at: int | None = None) -> Game:
        """Return the game after an action.

        Args and Raises: as :meth:`verify`; the game itself never changes.
        Cost: well under a millisecond.
        """
        return _after(self, self.verify(action, seat=seat, at=at))

    def at(self, count: int) -> Game:
        """Return the game as it was after its first ``count`` actions.

        Raises:
            DdzError: if there were fewer.
        """
        if isinstance(count, bool) or not isinstance(count, int):
            count = -1
        if not 0 <= count <= len(self.history):
            raise DdzError(
                f"at: expected 0 to {len(self.history)}, got {count}",
                key="error.game.at",
                field="at",
                expected=f"0–{len(self.history)}",
                got=count,
            )
        if count == len(self.history):
            return self
        game = new_game(self.rules, self.deal)
        for entry in self.history[:count]:
            game = _after(game, entry.move or entry.action)
        return replace(
            game,
            headers=self.headers,
            notes=tuple(note for note in self.notes if note[0] <= count),
        )

    def undo(self, count: int = 1) -> Game:
        """Return the game before its last ``count`` actions."""
        return self.at(len(self.history) - count)

    def branch(self, count: int) -> Game:
        """Return the game after ``count`` actions, its record saying where it departed."""
        headers = tuple(h for h in self.headers if h[0] != "branch")
        origin = ("branch", f"{count} of {len(self.history)}")
        return replace(self.at(count), headers=(*headers, origin))

    def noted(self, text: str, at: int | None = None) -> Game:
        """Return the game with a comment on its last action, or on the one with index ``at``."""
        index = len(self.history) if at is None else at + 1
        line = " ".join(str(text).split())
        return replace(self, notes=tuple(sorted([*self.notes, (index, line)], key=lambda n: n[0])))


def _after(game: Game, action: str | Move) -> Game:
    """Return the game after an action known to be legal and in its normal form."""
    if game.phase == "auction":
        return _after_call(game, str(action))
    if game.phase == "declare":
        return _after_choice(game, str(action))
    if isinstance(action, str):
        return _after_pass(game)
    return _after_play(game, action)


def _entry(game: Game, action: str, move: Move | None = None) -> tuple[Entry, ...]:
    """Return the history with one action more."""
    entry = Entry(
        index=len(game.history),
        seat=game.to_act,
        phase=game.phase,
        action=action,
        move=move,
        trick=game.trick,
    )
    return (*game.history, entry)


def _bidding(game: Game) -> auction.Bidding:
    """Return where the bidding stands."""
    return _judged(game, [entry.action for entry in game.history if entry.phase == "auction"])


def _judged(game: Game, calls: Sequence[str]) -> auction.Bidding:
    """Return where a bidding with these calls stands."""
    return auction.judge(game.ruleset, calls, first=game.deal.first, facts=_facts(game))


def _facts(game: Game) -> dict[str, Any]:
    """Return what a bidding procedure may look at: the cards that were dealt."""
    return {
        "hands": dict(enumerate(map(cards.from_cards, game.deal.hands))),
        "bottom": cards.from_cards(game.deal.bottom),
        "face_up": game.deal.face_up,
    }


def _after_call(game: Game, call: str) -> Game:
    """Return the game after a call in the auction."""
    history = _entry(game, call)
    calls = [entry.action for entry in history if entry.phase == "auction"]
    return _settle_bidding(game, _judged(game, calls), history)


def _settle_bidding(game: Game, now: auction.Bidding, history: tuple[Entry, ...]) -> Game:
    """Return the game where a bidding stands as told."""
    known: dict[str, Any] = {
        "history": history,
        "contract": now.contract,
        "called": now.multiplier,
    }
    if now.status == "ask":
        return replace(game, to_act=now.seat, **known)
    if now.status == "landlord":
        assert now.seat is not None
        return _take_bottom(game, now.seat, known)
    points = now.points or (0,) * game.seats
    return replace(
        game,
        phase="settled",
        to_act=None,
        outcome="unplayed" if now.points else "redeal",
        ledger=Ledger(points=points, gold=points, multiplier=now.multiplier),
        **known,
    )


def _take_bottom(game: Game, seat: int, known: dict[str, Any]) -> Game:
    """Return the game with a landlord who has taken the bottom cards."""
    bottom = game.deal.bottom
    hands = list(game.hands)
    held = list(game.held)
    hands[seat] += cards.from_cards(bottom)
    held[seat] = tuple(sorted((*held[seat], *bottom)))
    game = replace(
        game,
        landlords=(seat,),
        hands=tuple(hands),
        held=tuple(held),
        bottom_left=bottom,
        **known,
    )
    return _next_declaration(game)


def _asked(game: Game) -> tuple[Declaration, int]:
    """Return the declaration being asked and the seat asked, while there is one."""
    found = _open_question(game)
    assert found is not None
    return found


def _open_question(game: Game) -> tuple[Declaration, int] | None:
    """Return the next declaration and the seat asked, or None when all have answered."""
    answered = {(d.id, d.seat) for d in game.declared}
    for spec in game.ruleset.declare:
        asked = DECLARATIONS[spec.id].seats(game.seats, game.landlords)
        for seat in asked:
            if (spec.id, seat) not in answered:
                return spec, seat
    return None


def _next_declaration(game: Game) -> Game:
    """Return the game with the next seat asked, or with the landlord to lead."""
    question = _open_question(game)
    if question is not None:
        return replace(game, phase="declare", to_act=question[1])
    return replace(game, phase="play", to_act=game.landlords[0], trick=1)


def _after_choice(game: Game, choice: str) -> Game:
    """Return the game after an answer to a declaration."""
    spec, seat = _asked(game)
    answer = Declared(id=spec.id, seat=seat, choice=choice)
    game = replace(game, history=_entry(game, choice), declared=(*game.declared, answer))
    return _next_declaration(game)


def _after_pass(game: Game) -> Game:
    """Return the game after a pass; when all others have passed, the last to play leads."""
    assert game.to_act is not None
    history = _entry(game, PASS)
    passes = game.passes + 1
    if passes < game.seats - 1:
        return replace(game, history=history, passes=passes, to_act=(game.to_act + 1) % game.seats)
    return replace(
        game,
        history=history,
        passes=0,
        to_act=game.beat_by,
        to_beat=None,
        beat_by=None,
        trick=game.trick + 1,
    )


def _after_play(game: Game, move: Move) -> Game:
    """Return the game after a play."""
    seat = game.to_act
    assert seat is not None
    automatic = actions.automatic_reading(game.ruleset, move.hand, game.to_beat)
    reading = actions.reading_of(move)
    unnamed = automatic is not None and actions.reading_of(automatic) == reading
    text = actions.written(move.hand, None if unnamed else reading)
    shown = game.deal.face_up[0] if game.deal.face_up else None
    kept, gone = dealing.parted(game.held[seat], move.hand, game.bottom_left, shown)
    hands = list(game.hands)
    hands[seat] -= move.hand
    held = list(game.held)
    held[seat] = kept
    plays = list(game.plays)
    plays[seat] += 1
    game = replace(
        game,
        history=_entry(game, text, move),
        hands=tuple(hands),
        held=tuple(held),
        bottom_left=tuple(card for card in game.bottom_left if card not in gone),
        face_up_left=game.face_up_left and shown not in gone,
        plays=tuple(plays),
        bombs=game.bombs + _bombs_of(game, seat, move),
        to_beat=move,
        beat_by=seat,
        passes=0,
        to_act=(seat + 1) % game.seats,
    )
    return game if hands[seat] else _settled(game, seat)


def _bombs_of(game: Game, seat: int, move: Move) -> tuple[Bomb, ...]:
    """Return the bomb that a play is, if it is one."""
    for step in game.ruleset.ladder_in_force():
        if step.id == move.kind:
            text = cards.format_cards(move.hand)
            step = scoring.ladder_step(game.ruleset, text)
            factor = step.adds if game.ruleset.score.combine == "sum" else step.factor
            return (Bomb(seat=seat, kind=step.id, cards=text, factor=factor),)
    return ()


def _settled(game: Game, out: int) -> Game:
    """Return the game after a seat has gone out."""
    facts: dict[str, Any] = {
        "landlords": game.landlords,
        "bid": game.contract,
        "out": out,
        "plays": game.plays,
        "bombs": [bomb.cards for bomb in game.bombs],
    }
    if "factor" in scoring.facts_of(game.ruleset):
        facts["factor"] = game.factors
    return replace(
        game,
        phase="settled",
        to_act=None,
        out=out,
        outcome="landlords" if out in game.landlords else "farmers",
        ledger=scoring.score(game.ruleset, **facts),
    )


def new_game(rules: AnyRules, deal: Deal | None = None) -> Game:
    """Return the game at the start of a deal.

    Args:
        rules: the game.
        deal: the cards; None deals from a fresh seed.

    Raises:
        DdzError: if the deal is not one of this game.
        RulesetError: if the ruleset names an unknown bidding procedure or declaration.
    """
    ruleset = dealing.plain_rules(rules)
    deal = dealing.deal(ruleset) if deal is None else deal
    if not isinstance(deal, Deal):
        raise DdzError(
            f"deal: expected a Deal (deal, deal_from_text), got {type(deal).__name__}",
            key="error.game.deal",
            field="deal",
            expected="Deal",
            got=type(deal).__name__,
        )
    for spec in ruleset.declare:
        if spec.id not in DECLARATIONS:
            raise RulesetError(
                f"declare: there is no declaration {spec.id!r}; "
                f"there are {', '.join(DECLARATIONS)}",
                key="error.ruleset.declaration",
                field=f"declare.{spec.id}",
                expected=", ".join(DECLARATIONS),
                got=spec.id,
            )
    dealing.check_deal(ruleset, deal)
    game = Game(
        rules=rules if isinstance(rules, Rules) else Rules(ruleset),
        deal=deal,
        hands=tuple(map(cards.from_cards, deal.hands)),
        held=deal.hands,
        face_up_left=deal.face_up is not None,
        plays=(0,) * deal.seats,
    )
    return _settle_bidding(game, _judged(game, []), ())


def next_deal(game: Game) -> Game:
    """Return the next game at the same table: the next number of the seed, or a fresh seed."""
    return new_game(game.rules, dealing.redeal(game.ruleset, game.deal))
