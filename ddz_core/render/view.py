"""What the table shows of a game: from a :class:`Tabletop` to the data of :mod:`contract`.

Layer 4. Everything hidden stays behind: apart from open hands and finished games, all of it comes
from the observation of the person's seat. Texts come from the catalogues; nothing here decides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from ddz_core import dealing, tabletop
from ddz_core.actions import HIDDEN, PASS
from ddz_core.cards import RANKS, Card, counts_of, format_cards
from ddz_core.observation import Observation, observe
from ddz_core.patterns import Combination, Move, moves
from ddz_core.render import contract, help_view, wording

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ddz_core.actions import Entry
    from ddz_core.game import Game
    from ddz_core.language import Words
    from ddz_core.rules import Rules
    from ddz_core.tabletop import Tabletop

_SUIT_CODES = "shcd"
MOST_PLAYS = 4_000
"""Rows of plays sent to the browser; a selection in none of them is checked when it is played."""


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
        return self.say(f"table.role.{role}").strip(" ◀▶")


def of(table: Tabletop, words: Words) -> View:
    """Return the view of the person's seat on the position on the table."""
    game = table.shown
    return View(table, game, observe(game, table.seat), words)


def waiting(words: Words, theme: contract.Theme, storage: str) -> contract.TableData:
    """Return an empty table that asks the browser for the game it kept."""
    return cast(
        "contract.TableData",
        {
            "blank": True,
            "theme": theme,
            "lang": words.lang,
            "words": component_words(words),
            "want_restore": storage,
        },
    )


def table_data(
    table: Tabletop, words: Words, theme: contract.Theme, storage: str
) -> contract.TableData:
    """Return everything the table shows, worded and ready for the browser.

    Args:
        table: the table.
        words: the reader's language.
        theme: ``light`` or ``dark``.
        storage: key under which the browser keeps the game.
    Cost: about a millisecond, and the legal plays of one hand.
    """
    view = of(table, words)
    data: contract.TableData = {
        "game": _deal_name(view),
        "number": tabletop.position_number(table),
        "refused": table.refused,
        "theme": theme,
        "lang": words.lang,
        "words": component_words(words),
        "seats": [_seat(view, seat) for seat in _others(view)],
        "me": _seat(view, table.seat),
        "hand": _hand(view),
        "groups": help_view.groups(view),
        "bottom": _bottom(view),
        "sum": _sum(view),
        "switches": switches(view),
        "seed": _seed(view),
        "to_beat": _to_beat(view),
        "counter": _counter(view),
        "phase": _phase(view),
        "history": _history(view),
        "guide": help_view.guide(view),
        "ladder": help_view.ladder(view) if table.rung and table.my_turn else None,
        "result": result(view),
        "replay": _replay(view),
        "messages": messages(view),
        "summary": summary(view),
        "log": _log(view),
        "save": [{"key": storage, "text": tabletop.save(table)}],
        "want_restore": None,
    }
    if table.bot_turn:
        data["tick"] = table.speed
    return data


@lru_cache(maxsize=8)
def component_words(words: Words) -> dict[str, str]:
    """Return the words that the component itself uses."""
    texts = words.texts("table.js.")
    return {key: text if isinstance(text, str) else text[-1] for key, text in texts.items()}


def _deal_name(view: View) -> str:
    deal = view.game.deal
    return f"{view.game.rules.hash}-{deal.seed}-{deal.number}-{view.table.seat}"


def _others(view: View) -> list[int]:
    """Return the other seats from the previous one to the next one, as they sit from the left."""
    seats, me = view.obs.seats, view.table.seat
    return [(me - turn) % seats for turn in range(1, seats)]


# --- cards ------------------------------------------------------------------------------------


def _face(view: View, card: Card) -> contract.CardFace:
    rank = wording.rank_label(view.words, card.rank)
    if card.rank in "XD":
        return {"rank": card.rank, "suit": "", "name": rank}
    suit = _SUIT_CODES[card.suit]
    return {"rank": card.rank, "suit": suit, "name": view.say(f"table.card.{suit}", rank=rank)}


def _faces(view: View, held: Iterable[Card]) -> list[contract.CardFace]:
    return [_face(view, card) for card in reversed(list(held))]


def _hand(view: View) -> list[contract.HandCard]:
    """Return the person's cards, high to low; those from the bottom are marked."""
    obs = view.obs
    taken = obs.bottom_left if view.table.seat in obs.landlords else ()
    hand = []
    for card in reversed(obs.held):
        item = cast(
            "contract.HandCard",
            {**_face(view, card), "id": tabletop.card_id(card), "code": card.rank},
        )
        if card in taken:
            item["mark"] = view.say("table.mark.bottom")
        hand.append(item)
    return hand


def laid(game: Game) -> list[tuple[Card, ...]]:
    """Return the physical cards that each action of the history put on the table."""
    held = [*game.deal.hands]
    bottom: tuple[Card, ...] = ()
    shown = game.deal.face_up[0] if game.deal.face_up else None
    out: list[tuple[Card, ...]] = []
    for entry in game.history:
        if entry.move is None or entry.seat is None:
            out.append(())
            continue
        if not bottom and entry.seat in game.landlords and not any(out):
            bottom = game.deal.bottom
            held[entry.seat] = tuple(sorted((*held[entry.seat], *bottom)))
        kept, gone = dealing.parted(held[entry.seat], entry.move.hand, bottom, shown)
        held[entry.seat] = kept
        bottom = tuple(card for card in bottom if card not in gone)
        out.append(tuple(sorted(gone)))
    return out


def _split(view: View, gone: Iterable[Card], move: Move) -> dict[str, list[contract.CardFace]]:
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
        "main": [_face(view, card) for card in main],
        "kickers": [_face(view, card) for card in kickers],
    }


# --- seats ------------------------------------------------------------------------------------


def _seat(view: View, seat: int) -> contract.Seat:
    obs, table = view.obs, view.table
    role = wording.role_of(seat, obs.landlords, obs.seats)
    mine = seat == table.seat
    label = view.say(f"table.role.{role}")
    if role == "unknown":
        label = view.say("table.role.short.unknown", n=seat + 1)
    note = "" if mine else view.say(f"table.bot.{table.bots[seat]}")
    same_side = obs.landlords and obs.side_of(seat) == obs.side_of(table.seat)
    if not mine and same_side:
        note = view.say("table.partner", bot=note)
    alarm = obs.alarms[seat]
    shown = view.open and not mine
    short = label if role == "unknown" else view.say(f"table.role.short.{role}")
    return {
        "id": seat,
        "role": role,
        "label": view.say("table.you", role=label) if mine else label,
        "short": view.say("table.you", role=short) if mine else short,
        "note": note,
        "left": obs.left[seat],
        "alarm": None if alarm is None else view.say("table.alarm", n=alarm),
        "said": _said(view, seat),
        "to_act": view.game.to_act == seat,
        "hand": _faces(view, view.game.held[seat]) if shown else None,
    }


def _said(view: View, seat: int) -> contract.Said | None:
    """Return what a seat did last in this trick, or while bidding."""
    entry = view.game.last_of(seat)
    if entry is None:
        return None
    entry = view.obs.history[entry.index]
    if entry.move is not None:
        split = _split(view, laid(view.game)[entry.index], entry.move)
        return {
            "main": split["main"],
            "kickers": split["kickers"],
            "text": wording.combination_text(view.words, entry.move),
            "name": wording.combination_name(view.words, entry.move),
        }
    return {"main": [], "kickers": [], "text": action_text(view, entry)}


def action_text(view: View, entry: Entry) -> str:
    """Return an action in a few words: a play's cards, a bid, a pass."""
    if entry.move is not None:
        return wording.combination_text(view.words, entry.move)
    action = entry.action
    if action == HIDDEN:
        return view.say("table.said.hidden")
    if action == PASS:
        return view.say("table.said.no_bid" if entry.phase == "auction" else "table.said.pass")
    if action.isdigit():
        return view.say("table.said.bid", n=int(action))
    if action == "x1":
        return view.say("table.said.no_raise")
    return view.say("table.said.raise", n=action[1:])


# --- the line on top --------------------------------------------------------------------------


def _bottom(view: View) -> contract.Bottom | None:
    obs = view.obs
    count = len(view.game.deal.bottom)
    if not count:
        return None
    bottom = view.game.deal.bottom if view.open else obs.bottom
    if bottom is None:
        return {"cards": [None] * count, "text": view.say("table.bottom.down")}
    cards: list[contract.CardFace | None] = []
    played = ""
    for card in reversed(bottom):
        face = _face(view, card)
        if obs.landlords and card not in obs.bottom_left:
            face["gone"] = True
            played += card.rank
        cards.append(face)
    if not played:
        return {"cards": cards, "text": view.say("table.bottom.shown")}
    text = wording.card_text(view.words, played)
    return {"cards": cards, "text": view.say("table.bottom.played", cards=text)}


def _sum(view: View) -> contract.SumLine:
    """Return contract × each doubling = what a farmer pays, as a sum that can be read."""
    obs = view.obs
    if obs.outcome == "redeal":
        return {"terms": [{"text": view.say("table.sum.thrown")}], "result": ""}
    if not obs.landlords:
        if not obs.contract:
            return {"terms": [{"text": view.say("table.sum.none")}], "result": ""}
        return {"terms": [{"text": view.say("table.sum.bid", n=obs.contract)}], "result": ""}
    terms: list[contract.Term] = [{"text": view.say("table.sum.bid", n=obs.contract)}]
    stake = obs.ruleset.score.stake
    if stake != 1:
        terms.insert(0, {"text": view.say("table.sum.stake", n=stake)})
    for bomb in obs.bombs:
        kind = view.say(f"kind.{bomb.kind}")
        cards = wording.card_text(view.words, bomb.cards)
        terms.append(
            {
                "text": view.say("table.sum.bomb", kind=kind, cards=cards),
                "short": view.say("table.sum.bomb.short", kind=kind, n=bomb.factor),
            }
        )
    bombs = math.prod(bomb.factor for bomb in obs.bombs)
    if obs.multiplier > bombs:
        terms.append({"text": view.say("table.sum.spring", n=obs.multiplier // bombs)})
    unit = stake * obs.contract * obs.multiplier
    farmers = [seat for seat in range(obs.seats) if seat not in obs.landlords]
    factors = {seat: obs.factors[seat] or 1 for seat in farmers}
    if view.table.seat in obs.landlords:
        if set(factors.values()) == {1}:
            return {"terms": terms, "result": view.say("table.sum.result", n=unit)}
        terms += [
            {"text": view.say("table.sum.their_raise", who=view.who(seat), n=factor)}
            for seat, factor in factors.items()
            if factor > 1
        ]
        total = unit * sum(factors.values())
        return {"terms": terms, "result": view.say("table.sum.total", n=total)}
    mine = factors[view.table.seat]
    if mine == 1:
        return {"terms": terms, "result": view.say("table.sum.result", n=unit)}
    terms.append({"text": view.say("table.sum.raise", n=mine)})
    return {"terms": terms, "result": view.say("table.sum.mine", n=unit * mine)}


def _seed(view: View) -> str:
    deal = view.game.deal
    if deal.seed is None:
        return view.say("table.seed.none")
    if deal.number:
        return view.say("table.seed.number", seed=deal.seed, n=deal.number + 1)
    return view.say("table.seed", seed=deal.seed)


def _to_beat(view: View) -> contract.ToBeat | None:
    obs = view.obs
    if obs.to_beat is None or obs.beat_by is None or view.game.phase != "play":
        return None
    entry = view.game.last_of(obs.beat_by)
    if entry is None:
        return None
    split = _split(view, laid(view.game)[entry.index], obs.to_beat)
    name = wording.combination_name(view.words, obs.to_beat)
    return {
        "seat": obs.beat_by,
        "main": split["main"],
        "kickers": split["kickers"],
        "tab": view.say("table.to_beat", name=name),
    }


def switches(view: View) -> list[contract.Switch]:
    """Return the settings of the table."""
    table = view.table
    levels: list[contract.Option] = [
        {"value": level, "label": view.say(f"table.switch.counter.{level}")}
        for level in tabletop.COUNTER_LEVELS
    ]
    speeds: list[contract.Option] = [
        {"value": str(speed), "label": view.say(f"table.switch.speed.{speed}")}
        for speed in tabletop.SPEEDS
    ]
    return [
        {
            "key": "counter",
            "label": view.say("table.switch.counter"),
            "value": table.counter,
            "options": levels,
        },
        {"key": "open", "label": view.say("table.switch.open"), "value": table.open_hands},
        {"key": "guide", "label": view.say("table.switch.guide"), "value": table.guided},
        {
            "key": "speed",
            "label": view.say("table.switch.speed"),
            "value": str(table.speed),
            "options": speeds,
        },
    ]


def _counter(view: View) -> contract.Counter:
    """Return the card counter; it knows what the person's seat knows and nothing more."""
    obs, table = view.obs, view.table
    unseen, all_cards = counts_of(obs.unseen), counts_of(obs.ruleset.deck_cards)
    cells: list[contract.CounterCell] = []
    for rank in wording.DISPLAY:
        lane = RANKS.find(rank)
        if lane < 0 or not all_cards[lane]:
            continue
        copies = all_cards[lane]
        shown = table.counter == "shown"
        cells.append(
            {
                "code": rank,
                "label": wording.rank_label(view.words, rank, short=True),
                "name": wording.rank_label(view.words, rank),
                "count": unseen[lane] if shown else None,
                "copies": copies,
                "all_out": shown and copies >= 4 and unseen[lane] == copies,
            }
        )
    known = len(obs.bottom_left) if table.seat not in obs.landlords else 0
    key = "table.counter.known" if known else "table.counter.total"
    total = view.say(key, n=sum(unseen), known=known)
    counter: contract.Counter = {"level": table.counter, "cells": cells, "total": total}
    if table.counter == "self":
        counter["check"] = view.say("table.counter.check")
    return counter


# --- what may be done -------------------------------------------------------------------------


def _phase(view: View) -> contract.Phase:
    table, game = view.table, view.game
    phase: contract.Phase = {
        "kind": "watch",
        "turn": turn_text(view),
        "mine": table.my_turn,
        "hint": False,
        "can_pass": False,
        "must_lead": False,
        "buttons": [],
        "names": [],
        "plays": [],
        "reasons": {},
    }
    if table.over and not table.looking_back:
        phase["kind"] = "over"
    elif game.phase in ("auction", "declare"):
        if table.my_turn:
            phase |= {"kind": "choice", "hint": True, "buttons": choices(view)}
    elif game.phase == "play":
        if table.my_turn:
            leading = game.to_beat is None
            phase |= {
                "kind": "play",
                "hint": True,
                "can_pass": not leading,
                "must_lead": leading,
            }
        if not table.looking_back:
            phase |= cast("contract.Phase", _plays(view))
    return phase


def turn_text(view: View) -> str:
    """Return whose turn it is, in words."""
    table, game = view.table, view.game
    if table.looking_back:
        return view.say("table.turn.view")
    if game.to_act is None:
        return view.say("table.turn.over")
    if game.to_act != table.seat:
        return view.say("table.turn.other", name=view.who(game.to_act))
    if game.phase == "auction":
        return view.say("table.turn.bid")
    if game.phase == "declare":
        return view.say("table.turn.raise")
    return view.say("table.turn.lead" if game.to_beat is None else "table.turn.you")


def choices(view: View) -> list[contract.Button]:
    """Return the buttons of a bid or declaration."""
    buttons: list[contract.Button] = []
    for option in view.obs.options:
        button: contract.Button = {"kind": "choice", "label": "", "value": option}
        if option == PASS:
            button["label"] = view.say("table.bid.pass")
        elif option == "x1":
            button["label"] = view.say("table.raise.none")
        elif option.startswith("x"):
            button["label"] = view.say("table.raise.n", n=option[1:])
            button["note"] = view.say("table.raise.note", n=option[1:])
        else:
            button["label"] = view.say("table.bid.n", n=int(option))
            button["note"] = view.say("table.bid.note", n=int(option))
        buttons.append(button)
    return buttons


@lru_cache(maxsize=64)
def _combinations(rules: Rules, hand: int) -> tuple[Move, ...]:
    """Return every combination of a hand."""
    return tuple(moves(rules.ruleset, hand))


def _plays(view: View) -> dict[str, object]:
    """Return every combination of the hand with what speaks against playing it now."""
    obs = view.obs
    every = _combinations(obs.rules, obs.hand)
    beat = obs.to_beat
    leading = beat is None or view.game.to_act != view.table.seat and obs.beat_by == view.table.seat
    good = (
        set()
        if leading
        else {_same(m) for m in moves(obs.ruleset, obs.hand, beat=beat, beat_as=beat)}
    )
    names: dict[str, int] = {}
    rows: list[contract.PlayRow] = []
    for move in every[:MOST_PLAYS]:
        name = wording.combination_name(view.words, move)
        status = "ok" if leading or _same(move) in good else _status(move, cast("Move", beat))
        text = f"{move.cards}={move.kind}:{move.length}:{move.top}"
        rows.append([move.main, move.kickers, names.setdefault(name, len(names)), status, text])
    rows.sort(key=lambda row: (row[3] != "ok", -len(row[0])))
    return {
        "names": list(names),
        "plays": rows,
        "complete": len(every) <= MOST_PLAYS,
        "reasons": _reasons(view),
    }


def _same(move: Combination | Move) -> tuple[str, str, int, str]:
    return move.cards, move.kind, move.length, move.top


def _status(move: Move, beat: Move) -> str:
    if move.kind != beat.kind:
        return "other"
    return "low" if move.length == beat.length else "length"


def _reasons(view: View) -> dict[str, str]:
    reasons = {"none": view.say("table.why.none"), "pass": view.say("table.why.pass")}
    beat = view.obs.to_beat
    if beat is not None:
        kind = view.say(f"kind.{beat.kind}")
        reasons |= {
            "low": view.say("table.why.low", kind=kind),
            "other": view.say("table.why.other", kind=kind),
            "length": view.say("table.why.length", kind=kind, n=len(beat.cards)),
        }
    return reasons


# --- history, result, replay ------------------------------------------------------------------


def _history(view: View) -> contract.History:
    table, game = view.table, view.table.game
    seats = game.seats
    first = game.landlords[0] if game.landlords else game.first
    order = [(first + turn) % seats for turn in range(seats)]
    full = observe(game, table.seat).history
    rows: list[contract.HistoryRow] = []
    for entry in full:
        if entry.seat is None:
            continue
        column = order.index(entry.seat)
        no = _row_name(view, entry)
        new = not rows or rows[-1]["cells"][column]["kind"] != "none"
        later = rows and any(c["kind"] != "none" for c in rows[-1]["cells"][column:])
        if new or later or (no and no != _last_name(rows)):
            rows.append({"no": no if no != _last_name(rows) else "", "cells": _blank(seats)})
        rows[-1]["cells"][column] = _cell(view, entry)
    if table.my_turn and game.to_act is not None:
        column = order.index(game.to_act)
        if not rows or any(c["kind"] != "none" for c in rows[-1]["cells"][column:]):
            rows.append({"no": "", "cells": _blank(seats)})
        rows[-1]["cells"][column] = {"text": "…", "kind": "now", "at": None}
    landlords = game.landlords
    roles = [wording.role_of(seat, landlords, seats) for seat in order]
    return {
        "title": view.say("table.history.title"),
        "caption": view.say("table.history.round", n=view.game.trick)
        if view.game.trick
        else view.say("table.history.bidding"),
        "columns": [
            {"role": role, "label": view.who(seat)} for seat, role in zip(order, roles, strict=True)
        ],
        "rows": rows,
        "tools": tools(view),
    }


def _row_name(view: View, entry: Entry) -> str:
    if entry.phase == "auction":
        return view.say("table.history.bid")
    return view.say("table.history.raise") if entry.phase == "declare" else str(entry.trick)


def _last_name(rows: list[contract.HistoryRow]) -> str:
    return next((row["no"] for row in reversed(rows) if row["no"]), "")


def _blank(seats: int) -> list[contract.HistoryCell]:
    return [{"text": "", "kind": "none", "at": None} for _ in range(seats)]


def _cell(view: View, entry: Entry) -> contract.HistoryCell:
    cell: contract.HistoryCell = {
        "text": action_text(view, entry),
        "kind": "play" if entry.move is not None else "pass",
        "at": entry.index + 1,
    }
    if entry.action not in (PASS, "x1") and entry.move is None:
        cell["kind"] = "play"
    if entry.move is not None and any(b.cards == entry.move.cards for b in view.table.game.bombs):
        cell["note"] = view.say(f"kind.{entry.move.kind}")
    if entry.index == len(view.table.game.history) - 1 and view.table.game.out == entry.seat:
        cell["win"] = True
    return cell


def tools(view: View) -> list[contract.Button]:
    """Return the buttons that take back, branch and travel."""
    table = view.table
    own = any(entry.seat == table.seat for entry in table.game.history[: table.at])
    buttons: list[contract.Button] = [
        {"kind": "undo", "label": view.say("table.tool.undo"), "disabled": not own},
    ]
    if table.looking_back:
        buttons.append({"kind": "branch", "label": view.say("table.tool.branch")})
        buttons.append(
            {
                "kind": "jump",
                "label": view.say("table.tool.live"),
                "value": len(table.game.history),
            }
        )
    for i, line in enumerate(table.lines):
        common = _common(line, [entry.action for entry in table.game.history])
        buttons.append(
            {
                "kind": "branch",
                "label": view.say("table.tool.line", n=i + 1, at=common),
                "value": i,
            }
        )
    return buttons


def _common(a: Iterable[str], b: Iterable[str]) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count


def result(view: View) -> contract.Result | None:
    """Return the end of the deal with each step of the score, or None while it runs."""
    table, game = view.table, view.table.game
    if not table.over or table.looking_back:
        return None
    again: list[contract.Button] = [
        {"kind": "deal", "label": view.say("table.tool.again"), "value": "new", "primary": True},
        {"kind": "deal", "label": view.say("table.tool.same"), "value": "same"},
        {"kind": "seat", "label": view.say("table.tool.seat")},
        {"kind": "jump", "label": view.say("table.tool.replay"), "value": 0},
    ]
    if game.ledger is None or game.outcome == "redeal":
        again[0] = {
            "kind": "deal",
            "label": view.say("table.tool.next_deal"),
            "value": "next",
            "primary": True,
        }
        return {
            "title": view.say("table.result.thrown"),
            "steps": [],
            "points": [],
            "buttons": again,
        }
    mine = game.side_of(table.seat)
    won = game.outcome == ("landlords" if mine == "landlord" else "farmers")
    return {
        "title": view.say("table.result.won" if won else "table.result.lost"),
        "lines": [
            view.say(
                "table.result.landlord" if game.outcome == "landlords" else "table.result.farmers"
            ),
            view.say("table.result.opened"),
        ],
        "steps": [help_view.ledger_step(view, step) for step in game.ledger.steps],
        "points": [_points(view, seat, points) for seat, points in enumerate(game.ledger.points)],
        "buttons": again,
    }


def _points(view: View, seat: int, points: int) -> contract.Points:
    landlords, seats = view.table.game.landlords, view.table.game.seats
    return {
        "role": wording.role_of(seat, landlords, seats),
        "label": view.who(seat),
        "text": view.say("table.result.points", points=f"{points:+d}" if points else "0"),
        "verdict": "good" if points > 0 else "bad" if points < 0 else "even",
    }


def _replay(view: View) -> contract.Replay | None:
    table = view.table
    last = len(table.game.history)
    if not (table.over or table.looking_back) or not last:
        return None
    replay: contract.Replay = {
        "at": table.at,
        "last": last,
        "text": view.say("table.replay.text", n=table.at, last=last),
    }
    if table.over:
        replay["buttons"] = [
            {"kind": "view", "label": view.say("table.replay.seat", n=seat + 1), "value": seat}
            for seat in range(table.game.seats)
            if seat != table.seat
        ]
    return replay


# --- sentences --------------------------------------------------------------------------------


def messages(view: View) -> list[contract.Message]:
    """Return the sentence for the person, if there is one."""
    message = view.table.message
    if message is None:
        return []
    tone: contract.Tone = "error" if message.key.startswith(("error.", "table.error.")) else "note"
    return [{"text": view.words.phrase(message), "tone": tone}]


def hands(view: View) -> list[str]:
    """Return every seat's cards in words, once they may be seen."""
    if not view.open:
        return []
    return [
        view.say(
            "table.plain.held",
            who=view.who(seat),
            cards=wording.hand_text(view.words, format_cards(hand)),
        )
        for seat, hand in enumerate(view.game.hands)
        if hand
    ]


def counter_text(view: View) -> str:
    """Return the card counter as a line of text."""
    counter = _counter(view)
    cells = [f"{cell['label']} {cell['count']}" for cell in counter["cells"] if cell["count"]]
    return f"{counter['total']}: {view.say('table.and').join(cells)}"


def summary(view: View) -> list[str]:
    """Return the whole table in sentences, in fixed order."""
    obs, say = view.obs, view.say
    lines = []
    if obs.to_beat is not None and obs.beat_by is not None:
        name = wording.combination_name(view.words, obs.to_beat)
        lines.append(say("table.summary.to_beat", name=name, who=view.who(obs.beat_by)))
    elif obs.phase == "play":
        lines.append(say("table.summary.lead"))
    lines.append(say("table.summary.turn", turn=turn_text(view)))
    hand = wording.hand_text(view.words, format_cards(obs.hand))
    lines.append(say("table.summary.hand", n=obs.left[obs.seat], cards=hand))
    lines += [
        say("table.summary.left", who=view.who(seat), n=obs.left[seat]) for seat in _others(view)
    ]
    if obs.bottom is not None:
        cards = wording.card_text(view.words, "".join(card.rank for card in obs.bottom))
        lines.append(say("table.summary.bottom", cards=cards))
    elif view.game.deal.bottom:
        lines.append(say("table.summary.bottom.down"))
    total = _sum(view)
    text = " × ".join(term["text"] for term in total["terms"])
    if total["result"]:
        text = f"{text} = {total['result']}"
    lines.append(say("table.summary.sum", sum=text))
    return lines


def _log(view: View) -> list[contract.LogLine]:
    """Return the latest actions to announce; the number of a line is its place in the history."""
    history = view.obs.history
    return [
        {"n": e.index + 1, "text": log_text(view, e)} for e in history[-6:] if e.seat is not None
    ]


def log_text(view: View, entry: Entry) -> str:
    """Return an action as a sentence."""
    who = view.who(cast("int", entry.seat))
    if entry.move is not None:
        name = wording.combination_name(view.words, entry.move)
        cards = wording.combination_text(view.words, entry.move)
        return view.say("table.log.play", who=who, name=name, cards=cards)
    if entry.phase == "play":
        return view.say("table.log.pass", who=who)
    return view.say("table.log.bid", who=who, what=action_text(view, entry))
