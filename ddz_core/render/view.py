"""One seat's view of a table, and the few things that every part of a drawing needs of it.

Layer 4. Everything hidden stays behind: apart from open hands and finished games, all of it comes
from the observation of the person's seat. Texts come from the catalogues; nothing here decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddz_core.actions import HIDDEN, PASS
from ddz_core.observation import Observation, observe
from ddz_core.render import wording

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ddz_core.actions import Entry
    from ddz_core.cards import Card
    from ddz_core.game import Game
    from ddz_core.language import Words
    from ddz_core.patterns import Move
    from ddz_core.render import contract
    from ddz_core.tabletop import Tabletop

TAKE = "take:"
"""How an option begins that takes cards of the bottom."""

_SUIT_CODES = "shcd"


@dataclass(frozen=True, slots=True)
class View:
    """One drawing: the table, the position on it, what the seat knows, and the reader's words."""

    table: Tabletop
    game: Game
    obs: Observation
    words: Words

    def say(self, key: str, **params: object) -> str:
        """Return a text of the catalogue."""
        return self.words.say(key, **params)

    @property
    def open(self) -> bool:
        """Whether all hands are shown: the person asked for it, or the deal is over."""
        return self.table.open_hands or self.table.over

    def who(self, seat: int) -> str:
        """Return a seat in words, from the person's point of view."""
        role = wording.role_of(seat, self.obs.landlords, self.obs.seats)
        if seat == self.table.seat:
            return self.say("table.you.short")
        if role in ("unknown", "farmer"):
            return self.say("table.role.short.unknown", n=seat + 1)
        return self.say(f"table.role.{role}")


def of(table: Tabletop, words: Words) -> View:
    """Return the view of the person's seat on the position on the table."""
    game = table.shown
    return View(table, game, observe(game, table.seat), words)


def face(view: View, card: Card) -> contract.CardFace:
    """Return a physical card to draw, with its name for a screen reader."""
    rank = wording.rank_label(view.words, card.rank)
    if card.rank in "XD":
        return {"rank": card.rank, "suit": "", "name": rank}
    suit = _SUIT_CODES[card.suit]
    drawn = "7" if card.rank == "*" else card.rank
    return {"rank": drawn, "suit": suit, "name": view.say(f"table.card.{suit}", rank=rank)}


def faces(view: View, held: Iterable[Card]) -> list[contract.CardFace]:
    """Return physical cards to draw, high to low."""
    return [face(view, card) for card in reversed(list(held))]


def last_of(view: View, seat: int) -> Entry | None:
    """Return what a seat did last, as far as the person's seat noticed: in this trick, or phase."""
    obs = view.obs
    for entry in reversed(obs.history):
        if entry.trick != obs.trick or (entry.phase != obs.phase and obs.phase != "settled"):
            return None
        if entry.seat == seat:
            return entry
    return None


def split_play(view: View, gone: Iterable[Card], move: Move) -> dict[str, list[contract.CardFace]]:
    """Return the cards of a play as main part (low to high) and kickers."""
    need = {rank: move.main.count(rank) for rank in move.main}
    main, kickers = [], []
    for card in gone:
        if need.get(card.rank, 0):
            need[card.rank] -= 1
            main.append(card)
        else:
            kickers.append(card)
    return {
        "main": [face(view, card) for card in main],
        "kickers": [face(view, card) for card in kickers],
    }


def action_text(view: View, entry: Entry) -> str:
    """Return an action in a few words: a play's cards, a bid, a pass."""
    if entry.move is not None:
        return wording.combination_text(view.words, entry.move)
    action = entry.action
    if action == HIDDEN:
        return view.say("table.said.hidden")
    if action == PASS:
        return view.say(f"table.said.{_declined(view, entry)}")
    if action.isdigit():
        return view.say("table.said.bid", n=int(action))
    if action == "x1":
        return view.say("table.said.no_raise")
    if action.startswith("x"):
        return view.say("table.said.raise", n=action[1:])
    word, found, cards = action.partition(":")
    if not found:
        return view.say(f"table.said.{word}")
    if word == "take":
        return taken_text(view, action)
    if word == "wild":
        return view.say("table.said.wild", rank=wording.rank_label(view.words, cards))
    return view.say("table.said.draws", cards=wording.card_text(view.words, cards))


def _declined(view: View, entry: Entry) -> str:
    """Return what a refusal is called: a pass in the play, no bid where numbers are bid."""
    if entry.phase == "play":
        return "pass"
    bids = entry.phase == "auction" and view.obs.ruleset.score.base == "bid"
    return "no_bid" if bids else "decline"


def taken_text(view: View, action: str) -> str:
    """Return in words which cards of the bottom are taken; ``?`` stands for one not seen."""
    cards = action.partition(":")[2]
    if not cards:
        return view.say("table.said.takes_none")
    text = cards if "?" in cards else wording.card_text(view.words, cards)
    return view.say("table.said.takes", cards=text)


def picking(view: View) -> bool:
    """Tell whether the person is to choose among the bottom cards."""
    return view.table.my_turn and any(option.startswith(TAKE) for option in view.obs.options)


def turn_text(view: View) -> str:
    """Return whose turn it is, in words."""
    table, game = view.table, view.game
    if table.looking_back:
        return view.say("table.turn.view")
    if view.obs.outcome is not None:
        return view.say("table.turn.over")
    if view.obs.to_act is None:
        return view.say("table.turn.wait")
    if view.obs.to_act != table.seat:
        return view.say("table.turn.other", name=view.who(view.obs.to_act))
    if game.phase == "auction" and any(o.isdigit() for o in view.obs.options):
        return view.say("table.turn.bid")
    if picking(view):
        return view.say("table.turn.pick")
    if game.phase != "play":
        raising = game.phase == "declare" and any(o.startswith("x") for o in view.obs.options)
        return view.say("table.turn.raise" if raising else "table.turn.choose")
    return view.say("table.turn.lead" if game.to_beat is None else "table.turn.you")
