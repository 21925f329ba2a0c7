"""A whole deal as a frozen value: auction, declarations, play, settlement.

Layer 2. A game knows every card; what a seat may know comes from :mod:`ddz_core.observation`.
``verify`` raises with the reason why an action is not allowed, ``can`` asks it, ``apply`` returns
the next value. Everything a game is follows from its rules, its deal and its history, so taking
back and branching replay the history and restore every field exactly. Packed hands inside; text
outside (:meth:`Game.hand_text`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from ddz_core import actions, auction, cards, course, dealing, scoring
from ddz_core.actions import FREE, PASS, Entry, Limits
from ddz_core.cards import Card
from ddz_core.course import Bomb
from ddz_core.dealing import AnyRules, Deal
from ddz_core.declarations import (
    DECLARATIONS,
    MASK,
    PLAY,
    REVEAL,
    SHOW,
    Declared,
    Question,
    mask_of,
    unmasked,
)
from ddz_core.display import Tabular
from ddz_core.errors import DdzError, RulesetError
from ddz_core.patterns import Move, with_wild
from ddz_core.rules import Rules
from ddz_core.score_facts import declaration
from ddz_core.scoring import Ledger
from ddz_core.specs import Ruleset

__all__ = ["Bomb", "Game", "Outcome", "Phase", "Side", "new_game", "next_deal"]

Phase: TypeAlias = Literal["deal", "auction", "declare", "play", "settled"]
Side: TypeAlias = Literal["landlord", "farmer"]
Outcome: TypeAlias = Literal["landlords", "farmers", "redeal", "unplayed"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Game(Tabular):
    """One deal being bid, declared, played or settled; make one with :func:`new_game`.

    Attributes:
        rules: the rules in force.
        deal: all cards as they were dealt.
        phase: ``deal``, ``auction``, ``declare``, ``play`` or ``settled``.
        to_act: the seat to act; None when the game is over.
        landlords: the seats of the landlord's side, the one that leads first; empty before it is
            known.
        contract: the highest bid so far, 0 before any.
        called: what the bidding itself multiplies by, cards shown before the deal included.
        robs: how often a call was taken away.
        opened: whether the bottom was opened to all.
        shown: seats whose cards lie open to all, in the order of showing.
        revealed: whether everybody knows the sides, where a partner was hidden.
        drawn: cards that the landlord drew, each with the seat that lost it.
        locked: for each seat the sets of cards that it declared, packed.
        bomb_limits: for each seat the most bombs it may play; None for no limit.
        fled: seats whose players have left, in order.
        trustee: seats whose players let a machine play.
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
    robs: int = 0
    opened: bool = False
    shown: tuple[int, ...] = ()
    revealed: bool = False
    drawn: tuple[tuple[Card, int], ...] = ()
    locked: tuple[tuple[cards.Hand, ...], ...] = ()
    bomb_limits: tuple[int | None, ...] = ()
    fled: tuple[int, ...] = ()
    trustee: tuple[int, ...] = ()
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
    def play_rules(self) -> Ruleset:
        """The plain data of the rules, with the wild rank of this deal once it is drawn."""
        known = self.deal.wild if self.landlords else ""
        return with_wild(self.rules.ruleset, known)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.hands)

    @property
    def joker_up(self) -> bool:
        """Whether the card shown while dealing was a joker."""
        return self.deal.face_up is not None and self.deal.face_up[0].lane >= cards.SMALL_JOKER

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
        whole = self.called * scoring.multiplier_of(self.ruleset, factors)
        for answer in self.declared:
            if answer.choice in (SHOW, "double"):
                spec = declaration(self.ruleset, answer.id)
                whole *= 1 if spec is None else spec.factor
        reveal = declaration(self.ruleset, "reveal")
        if reveal and self.revealed and any(d.choice == REVEAL for d in self.declared):
            whole *= reveal.factor
        if self.joker_up:
            whole *= self.ruleset.score.face_up_joker
        return whole * self.ruleset.score.initial

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
    def asked(self) -> Question | None:
        """What is asked between the auction and the lead, or None in any other phase."""
        return course.question(self) if self.phase == "declare" else None

    def limits(self, seat: int) -> Limits:
        """Return what binds a seat's plays besides its cards."""
        left = tuple(one for one in self.locked[seat] if cards.contains(self.hands[seat], one))
        most = self.bomb_limits[seat] if self.bomb_limits else None
        sets = {cards.format_cards(one) for one in self.locked[seat]}
        used = sum(1 for bomb in self.bombs if bomb.seat == seat and bomb.cards not in sets)
        partner = self.beat_by is not None and self.side_of(self.beat_by) == self.side_of(seat)
        yields = seat in self.trustee and partner and self.beat_by != seat
        if not left and most is None and not yields:
            return FREE
        return Limits(locked=left, bombs=most is None or used < most, yields=yields)

    @property
    def options(self) -> tuple[str, ...]:
        """The words open to the seat to act: bids, factors or ``pass``, but no plays."""
        if self.phase == "deal":
            return (PASS, SHOW)
        if self.phase == "auction":
            return _bidding(self).legal
        asked = self.asked
        if asked is not None:
            return asked.choices
        return (PASS,) if self.phase == "play" and self.to_beat is not None else ()

    @property
    def forced(self) -> tuple[str, ...]:
        """The ids of the duties that leave the seat to act no other call."""
        return _bidding(self).forced if self.phase == "auction" else ()

    def aside(self, seat: int) -> tuple[str, ...]:
        """Return the actions open to a seat even when it is not its turn."""
        dealing.check_seat(self.seats, seat)
        if self.phase == "settled":
            return ()
        words = ("leave",) if seat not in self.fled else ()
        may = self.ruleset.trustee.on and seat not in self.trustee
        return (*words, "trustee") if may else words

    def legal(self) -> list[str | Move]:
        """Return every legal action: words as texts, then plays as moves.

        Leaving and letting a machine play are not among them; see :meth:`aside`.
        Cost: under a millisecond in a three-player game; nothing is remembered.
        """
        found: list[str | Move] = list(self.options)
        seat = self.to_act
        if self.phase == "play" and seat is not None:
            found += actions.legal_plays(
                self.play_rules, self.hands[seat], self.to_beat, self.limits(seat)
            )
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
        if actions.normal_word(action) in actions.ASIDE:
            return self._verify_aside(action, self.to_act if seat is None else seat)
        if seat is not None and seat != self.to_act:
            raise actions.illegal("turn", f"seat {self.to_act} is to act", self.to_act, seat)
        if self.phase == "play":
            return self._verify_play(action)
        return self._verify_word(action)

    def _verify_aside(self, action: object, seat: int) -> str:
        """Return an action that may come out of turn in its normal form; see :meth:`verify`."""
        word = str(actions.normal_word(action))
        open_ = self.aside(seat)
        if word not in open_:
            raise actions.illegal(
                "aside", f"{word!r} is not open to seat {seat} now", ", ".join(open_), action
            )
        return word

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
            now = _bidding(self)
            why = auction.refusal(now, word)
            if why is not None:
                raise why
            return auction.call_in(now, word)
        if MASK in word:
            word = unmasked(cards.from_cards(self.deal.bottom), word)
        if word == PASS and self.options[0] != PLAY:
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
        seat = self.to_act
        assert seat is not None
        word = actions.normal_word(action)
        if word == PASS:
            if self.to_beat is None:
                raise actions.illegal("lead", "whoever leads must play", "", action)
            return PASS
        if isinstance(action, int) or word in actions.WORDS:
            raise actions.illegal("now", f"{action!r} is not open during the play", "", action)
        return actions.verify_play(
            self.play_rules,
            self.hands[seat],
            self.to_beat,
            self._unmarked(action),
            self.limits(seat),
        )

    def _names_twin(self, action: object) -> bool:
        """Tell whether an action names the twin of the face-up card, which the seat holds."""
        return (
            self.ruleset.sides == "twin"
            and isinstance(action, str)
            and "*" in action
            and self.phase == "play"
        )

    def _unmarked(self, action: object) -> object:
        """Return an action in which the twin of the face-up card is written as its rank."""
        twin = self.deal.twin
        if not self._names_twin(action) or twin is None or self.to_act is None:
            return action
        text = str(action)
        if text.count("*") > 1 or twin not in self.held[self.to_act]:
            held = cards.format_cards(cards.from_cards(self.held[self.to_act]))
            raise actions.illegal("missing", f"the hand {held} is short of *", held, "*")
        return text.replace("*", twin.rank)

    # --- what follows -----------------------------------------------------------------------

    def apply(self, action: object, *, seat: int | None = None, at: int | None = None) -> Game:
        """Return the game after an action.

        Args and Raises: as :meth:`verify`; the game itself never changes.
        Cost: well under a millisecond.
        """
        done = self.verify(action, seat=seat, at=at)
        if self._names_twin(action) and isinstance(done, Move):
            return course.after_twin(self, done)
        return course.after(self, done, seat)

    def at(self, count: int) -> Game:
        """Return the game as it was after its first ``count`` actions.

        What chance did in answer to the last of them belongs to it.

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
            if entry.seat is None:
                continue  # chance has acted already
            if entry.move is not None and "*" in entry.action and self.ruleset.sides == "twin":
                game = course.after_twin(game, entry.move)
            else:
                game = course.after(game, entry.move or entry.action, entry.seat)
        return replace(
            game,
            headers=self.headers,
            notes=tuple(note for note in self.notes if note[0] <= count),
        )

    def undo(self, count: int = 1) -> Game:
        """Return the game before its last ``count`` actions, what chance did then included."""
        place = len(self.history) - count
        while 0 < place < len(self.history) and self.history[place].seat is None:
            place -= 1
        return self.at(place)

    def branch(self, count: int) -> Game:
        """Return the game after ``count`` actions, its record saying where it departed."""
        headers = tuple(h for h in self.headers if h[0] != "branch")
        origin = ("branch", f"{count} of {len(self.history)}")
        return replace(self.at(count), headers=(*headers, origin))

    def told(self, entry: Entry) -> str:
        """Return an action as records and codes tell it: of a running game, without hidden cards.

        Cards that were drawn are left out, for they follow from the seed, and cards taken from a
        hidden bottom are told by their places.
        """
        if self.phase == "settled" or self.deal.seed is None:
            return entry.action
        word, colon, cards_told = entry.action.partition(":")
        if entry.seat is None and word == "draw":
            return f"{word}:{actions.HIDDEN * len(cards_told)}"
        if colon and word == "take":
            return mask_of(cards.from_cards(self.deal.bottom), entry.action)
        return entry.action

    def noted(self, text: str, at: int | None = None) -> Game:
        """Return the game with a comment on its last action, or on the one with index ``at``."""
        index = len(self.history) if at is None else at + 1
        line = " ".join(str(text).split())
        return replace(self, notes=tuple(sorted([*self.notes, (index, line)], key=lambda n: n[0])))


def _bidding(game: Game) -> auction.Bidding:
    """Return where the bidding stands."""
    return course.judged(game, course.calls_of(game))


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
        locked=((),) * deal.seats,
    )
    return course.begun(game)


def next_deal(game: Game) -> Game:
    """Return the next game at the same table: the next number of the seed, or a fresh seed."""
    return new_game(game.rules, dealing.redeal(game.ruleset, game.deal))
