"""What follows from an action: the course of a deal, phase by phase.

Layer 2, under :mod:`ddz_core.game`, whose frozen values it takes and returns. Every function here
is given an action that is known to be legal and in its normal form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ddz_core import actions, auction, cards, dealing, scoring
from ddz_core.actions import PASS, Entry
from ddz_core.cards import Card
from ddz_core.declarations import (
    CLAIM,
    DECLARATIONS,
    DECLARE,
    OPEN,
    REVEAL,
    SHOW,
    TAKE,
    Asking,
    Declared,
    Question,
    choices_of,
    declarable,
)
from ddz_core.patterns import Move
from ddz_core.score_facts import bombs_held, declaration, most_bombs
from ddz_core.scoring import Ledger

if TYPE_CHECKING:
    from ddz_core.game import Game, Outcome

ASIDE = "aside"
"""The phase of actions that may come out of turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bomb:
    """A bomb that was played as one: its cards, who played it, what it multiplies by (or adds)."""

    seat: int
    kind: str
    cards: str
    factor: int


# --- what is asked -------------------------------------------------------------------------------


def calls_of(game: Game) -> list[str]:
    """Return the calls of the bidding so far."""
    return [entry.action for entry in game.history if entry.phase == "auction"]


def calls_by_seat(game: Game) -> dict[int, tuple[str, ...]]:
    """Return the calls of every seat that spoke."""
    found: dict[int, tuple[str, ...]] = {}
    for entry in game.history:
        if entry.phase == "auction" and entry.seat is not None:
            found[entry.seat] = (*found.get(entry.seat, ()), entry.action)
    return found


def judged(game: Game, calls: Sequence[str]) -> auction.Bidding:
    """Return where a bidding with these calls stands."""
    facts = auction.Facts(
        hands=dict(enumerate(map(cards.from_cards, game.deal.hands))),
        bottom=cards.from_cards(game.deal.bottom),
        holder=None if game.deal.face_up is None else game.deal.face_up[1],
        shown_before=game.shown,
    )
    return auction.judge(game.ruleset, calls, first=game.deal.first, facts=facts)


def question(game: Game) -> Question | None:
    """Return what is asked between the auction and the lead, or None when nothing is left."""
    landlord = game.landlords[0]
    if game.ruleset.deal.taken == "chosen" and not any(d.id == TAKE for d in game.declared):
        bottom = cards.from_cards(game.deal.bottom)
        return Question(id=TAKE, seat=landlord, choices=choices_of(bottom), secrecy="open")
    for spec in game.ruleset.declare:
        asking = Asking(
            ruleset=game.ruleset,
            landlords=game.landlords,
            hands=game.hands,
            answers=tuple(d for d in game.declared if d.id == spec.id),
            shown=game.shown,
            first=game.first,
            calls=calls_by_seat(game),
            contract=game.contract,
        )
        found = DECLARATIONS[spec.id].question(spec, asking)
        if found is not None:
            return found
    return None


# --- what follows --------------------------------------------------------------------------------


def after(game: Game, action: str | Move, seat: int | None) -> Game:
    """Return the game after an action.

    Args:
        game: where it stands.
        action: legal and in its normal form.
        seat: who acts out of turn; else None.
    """
    if isinstance(action, str) and action in actions.ASIDE:
        acting = game.to_act if seat is None else seat
        assert acting is not None
        return _after_aside(game, action, acting)
    if game.phase == "deal":
        return _after_show(game, str(action))
    if game.phase == "auction":
        history = _entry(game, str(action))
        game = replace(game, history=history)
        return settle_bidding(game, judged(game, calls_of(game)))
    if game.phase == "declare":
        return _after_choice(game, str(action))
    if isinstance(action, str):
        return _after_pass(game)
    return _after_play(game, action)


def begun(game: Game) -> Game:
    """Return a new game with its first question."""
    if game.ruleset.auction.show_before > 1:
        return replace(game, phase="deal", to_act=game.deal.first)
    return settle_bidding(game, judged(game, []))


def _entry(
    game: Game,
    action: str,
    move: Move | None = None,
    *,
    seat: int | None = None,
    phase: str = "",
    laid: Iterable[Card] = (),
) -> tuple[Entry, ...]:
    """Return the history with one action more."""
    entry = Entry(
        index=len(game.history),
        seat=game.to_act if not phase else seat,
        phase=phase or game.phase,
        action=action,
        move=move,
        trick=0 if phase else game.trick,
        laid=tuple(sorted(laid)),
    )
    return (*game.history, entry)


def _after_show(game: Game, word: str) -> Game:
    """Return the game after a seat has shown its cards before the deal, or not."""
    assert game.to_act is not None
    shown = (*game.shown, game.to_act) if word == SHOW else game.shown
    game = replace(game, history=_entry(game, word), shown=shown)
    if sum(1 for entry in game.history if entry.phase == "deal") < game.seats:
        return replace(game, to_act=((game.to_act or 0) + 1) % game.seats)
    return settle_bidding(replace(game, phase="auction"), judged(game, []))


def settle_bidding(game: Game, now: auction.Bidding) -> Game:
    """Return the game where a bidding stands as told."""
    game = replace(
        game, phase="auction", contract=now.contract, called=now.multiplier, robs=now.robs
    )
    if now.status == "ask":
        return replace(game, to_act=now.seat)
    if now.status == "landlord":
        assert now.seat is not None
        return _enthroned(replace(game, opened=now.opened), now.seat)
    stake = game.ruleset.score.stake
    points = tuple(one * stake for one in now.points) or (0,) * game.seats
    return replace(
        game,
        phase="settled",
        to_act=None,
        opened=now.opened,
        outcome="unplayed" if now.points else "redeal",
        ledger=Ledger(points=points, gold=points, multiplier=now.multiplier),
    )


def _enthroned(game: Game, seat: int) -> Game:
    """Return the game with a landlord, after chance has had its say and the bottom is taken."""
    calls = {one: said[-1] for one, said in calls_by_seat(game).items()}
    limits = auction.bomb_limits(game.ruleset, calls, seat, game.contract, game.first)
    game = replace(game, landlords=(seat,), bomb_limits=limits)
    if game.ruleset.deal.draw:
        game = _drawn(game, seat)
    if game.deal.wild and game.ruleset.wilds.mode == "rank":
        entry = _entry(game, f"wild:{game.deal.wild}", phase="deal")
        game = replace(game, history=entry)
    if game.ruleset.deal.taken == "all":
        game = _handed(game, seat, game.deal.bottom)
    if game.ruleset.sides == "twin":
        twin = game.deal.twin
        partner = next((s for s, held in enumerate(game.held) if twin in held), seat)
        game = replace(game, landlords=tuple(dict.fromkeys((seat, partner))))
    return next_question(game)


def _handed(game: Game, seat: int, taken: Sequence[Card]) -> Game:
    """Return the game with cards of the bottom in a seat's hand."""
    hands, held = list(game.hands), list(game.held)
    hands[seat] += cards.from_cards(taken)
    held[seat] = tuple(sorted((*held[seat], *taken)))
    return replace(game, hands=tuple(hands), held=tuple(held), bottom_left=tuple(taken))


def _drawn(game: Game, landlord: int) -> Game:
    """Return the game after the landlord has drawn from every other hand, in playing order."""
    hands, held = list(game.hands), list(game.held)
    losses: list[tuple[Card, int]] = []
    for turn in range(1, game.seats):
        seat = (landlord + turn) % game.seats
        losses += [(card, seat) for card in game.deal.draws[seat]]
    for card, seat in losses:
        one = cards.from_cards([card])
        hands[seat] -= one
        hands[landlord] += one
        held[seat] = tuple(c for c in held[seat] if c != card)
        held[landlord] = tuple(sorted((*held[landlord], card)))
    text = "".join(card.rank for card, _ in losses)
    return replace(
        game,
        history=_entry(game, f"draw:{text}", phase="deal"),
        hands=tuple(hands),
        held=tuple(held),
        drawn=tuple(losses),
    )


def next_question(game: Game) -> Game:
    """Return the game with the next seat asked, or with the landlord to lead."""
    found = question(game)
    if found is not None:
        return replace(game, phase="declare", to_act=found.seat)
    return replace(game, phase="play", to_act=game.landlords[0], trick=1)


def _after_choice(game: Game, choice: str) -> Game:
    """Return the game after an answer to a question."""
    asked = question(game)
    assert asked is not None
    answer = Declared(id=asked.id, seat=asked.seat, choice=choice)
    game = replace(game, history=_entry(game, choice), declared=(*game.declared, answer))
    if asked.id == TAKE:
        chosen = cards.parse_cards(choice.partition(":")[2]) if choice != PASS else 0
        _, taken = dealing.parted(game.deal.bottom, chosen, (), None)
        game = _handed(game, asked.seat, sorted(taken))
    elif choice in (SHOW, OPEN):
        game = replace(game, shown=(*game.shown, asked.seat))
    elif choice == DECLARE:
        spec = declaration(game.ruleset, asked.id)
        assert spec is not None
        locked = list(game.locked)
        locked[asked.seat] = declarable(game.ruleset, spec.steps, game.hands[asked.seat])
        game = replace(game, locked=tuple(locked))
    elif choice == CLAIM:
        return _settled(game, {"claim": True}, "landlords")
    if asked.id == "reveal" and question_is_over(game, "reveal"):
        yes = any(d.choice == REVEAL for d in game.declared if d.id == "reveal")
        game = replace(game, revealed=yes)
    return next_question(game)


def question_is_over(game: Game, name: str) -> bool:
    """Tell whether everybody has answered a declaration."""
    asked = question(game)
    return asked is None or asked.id != name


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
    """Return the game after a play, the twin staying behind while it can."""
    return _played(game, move, twin=False)


def after_twin(game: Game, move: Move) -> Game:
    """Return the game after a play that names the twin of the face-up card."""
    return _played(game, move, twin=True)


def _played(game: Game, move: Move, *, twin: bool) -> Game:
    """Return the game after a play."""
    seat = game.to_act
    assert seat is not None
    automatic = actions.automatic_reading(game.play_rules, move.hand, game.to_beat)
    reading = actions.reading_of(move)
    unnamed = automatic is not None and actions.reading_of(automatic) == reading
    shown = game.deal.face_up[0] if game.deal.face_up else None
    marked = game.deal.twin if twin and game.ruleset.sides == "twin" else None
    # what leaves first must not depend on a bottom that others have not seen
    seen = game.opened or game.ruleset.deal.bottom_shown == "all"
    before = (marked,) if marked is not None else game.bottom_left if seen else ()
    kept, gone = dealing.parted(game.held[seat], move.hand, before, shown)
    text = actions.written(move.hand, None if unnamed else reading)
    if marked is not None:
        text = text.replace(marked.rank, "*", 1)
    hands, held, plays = list(game.hands), list(game.held), list(game.plays)
    hands[seat] -= move.hand
    held[seat] = kept
    plays[seat] += 1
    game = replace(
        game,
        history=_entry(game, text, move, laid=gone),
        hands=tuple(hands),
        held=tuple(held),
        bottom_left=tuple(card for card in game.bottom_left if card not in gone),
        face_up_left=game.face_up_left and shown not in gone,
        revealed=game.revealed or (game.ruleset.sides == "twin" and game.deal.twin in gone),
        plays=tuple(plays),
        bombs=game.bombs + _bombs_of(game, seat, move),
        to_beat=move,
        beat_by=seat,
        passes=0,
        to_act=(seat + 1) % game.seats,
    )
    if hands[seat]:
        return game
    return _settled(game, {"out": seat}, "landlords" if seat in game.landlords else "farmers")


def _bombs_of(game: Game, seat: int, move: Move) -> tuple[Bomb, ...]:
    """Return the bomb that a play is, if it is one."""
    if not move.is_bomb:
        return ()
    text = cards.format_cards(move.hand)
    step = scoring.ladder_step(game.play_rules, text)
    factor = step.adds if game.ruleset.score.combine == "sum" else step.factor
    return (Bomb(seat=seat, kind=move.kind, cards=text, factor=factor),)


# --- leaving, and the end ------------------------------------------------------------------------


def _after_aside(game: Game, action: str, seat: int) -> Game:
    """Return the game after a player has left, or lets a machine play."""
    entry = _entry(game, action, seat=seat, phase=ASIDE)
    game = replace(game, history=entry)
    if action == "trustee":
        return replace(game, trustee=(*game.trustee, seat))
    game = replace(game, fled=(*game.fled, seat))
    if not game.landlords:
        pays = game.ruleset.leave.bidding == "pays"
        ledger = scoring.score(game.ruleset, landlords=[], **({"fled": seat} if pays else {}))
        outcome: Outcome = "unplayed" if pays else "redeal"
        return replace(game, phase="settled", to_act=None, outcome=outcome, ledger=ledger)
    if game.ruleset.leave.play == "ends":
        return _settled(game, {}, "farmers" if seat in game.landlords else "landlords")
    return game


def _settled(game: Game, facts: Mapping[str, Any], outcome: Outcome) -> Game:
    """Return the game at its end, settled from its own facts."""
    names = scoring.facts_of(game.ruleset)
    told = {name: value for name, value in facts_of(game).items() if name in names}
    if not facts:
        told.pop("out", None)
    return replace(
        game,
        phase="settled",
        to_act=None,
        out=facts.get("out"),
        outcome=outcome,
        ledger=scoring.score(game.play_rules, **{**told, **facts}),
    )


def facts_of(game: Game) -> dict[str, Any]:
    """Return everything of a game that a score can depend on, by the names of facts."""
    answers = {(d.id, d.seat): d.choice for d in game.declared}
    show = declaration(game.ruleset, "show")
    before = [game.ruleset.auction.show_before] * sum(
        1 for e in game.history if e.phase == "deal" and e.action == SHOW
    )
    late = [
        show.factor
        for (name, _), word in answers.items()
        if name == "show" and show and word == SHOW
    ]
    facts: dict[str, Any] = {
        "landlords": game.landlords,
        "bid": game.contract if game.ruleset.score.base == "bid" else None,
        "plays": game.plays,
        "bombs": [bomb.cards for bomb in game.bombs],
        "factor": game.factors,
        "robs": game.robs,
        "shows": before + late,
        "reveal": any(d.id == "reveal" and d.choice == REVEAL for d in game.declared),
        "doubles": sum(1 for d in game.declared if d.id == "double" and d.choice != PASS),
        "declared": [seat for seat, sets in enumerate(game.locked) if sets],
        "claim": False,
        "open": any(word == OPEN for word in answers.values()),
        "face_up_joker": game.joker_up,
        "trustee": list(game.trustee),
    }
    if game.fled:
        facts["fled"] = game.fled[0]
        rules = game.play_rules
        facts["held_bombs"] = [
            cards.format_cards(bomb) for hand in game.hands for bomb, _ in bombs_held(rules, hand)
        ]
        facts["dealt_bombs"] = sum(most_bombs(rules, hand) for hand in _at_lead(game))
    return facts


def _at_lead(game: Game) -> list[cards.Hand]:
    """Return the hands as they stood at the first lead."""
    hands = list(game.hands)
    for entry in game.history:
        if entry.move is not None and entry.seat is not None:
            hands[entry.seat] += entry.move.hand
    return hands
