"""What the table shows: from a :class:`Tabletop` to the data of :mod:`ddz_core.render.contract`.

Layer 4. The browser gets only what this builds, and this sees the game through the observation of
the person's seat (:mod:`ddz_core.render.view`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from ddz_core import tabletop
from ddz_core.actions import PASS
from ddz_core.cards import LANE, MARKED
from ddz_core.patterns import Combination, Move, moves
from ddz_core.render import contract, help_view, wording
from ddz_core.render.history_view import history, replay, result
from ddz_core.render.sentences import log, messages, summary
from ddz_core.render.tally import counter, others, sum_line
from ddz_core.render.view import (
    TAKE,
    View,
    action_text,
    face,
    faces,
    last_of,
    of,
    picking,
    split_play,
    taken_text,
    turn_text,
)

if TYPE_CHECKING:
    from ddz_core.cards import Card
    from ddz_core.language import Words
    from ddz_core.rules import Rules
    from ddz_core.tabletop import Tabletop

MOST_PLAYS = 4_000
"""Rows of plays sent to the browser; a selection in none of them is checked when it is played."""


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
        "words": component_words(words) | (_pick_words(view) if picking(view) else {}),
        "seats": [_seat(view, seat) for seat in others(view)],
        "me": _seat(view, table.seat),
        "hand": _hand(view),
        "groups": [] if picking(view) else help_view.groups(view),
        "bottom": _bottom(view),
        "sum": sum_line(view),
        "switches": switches(view),
        "seed": _seed(view),
        "to_beat": _to_beat(view),
        "counter": counter(view),
        "phase": _phase(view),
        "history": history(view),
        "guide": help_view.guide(view),
        "ladder": help_view.ladder(view) if table.rung and table.my_turn else None,
        "result": result(view),
        "replay": replay(view),
        "messages": messages(view),
        "summary": summary(view),
        "log": log(view),
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


def _pick_words(view: View) -> dict[str, str]:
    """Return what Pass and Play are called while bottom cards are chosen."""
    return {
        "pass": view.say("table.said.takes_none"),
        "play": view.say("table.option.take_cards"),
        "play_lead": "{cards}",
    }


def _deal_name(view: View) -> str:
    deal = view.game.deal
    return f"{view.game.rules.hash}-{deal.seed}-{deal.number}-{view.table.seat}"


def _hand(view: View) -> list[contract.HandCard]:
    """Return the person's cards, high to low; those from the bottom are marked."""
    obs = view.obs
    if picking(view):
        return [_held(view, card, bottom=True) for card in reversed(obs.bottom or ())]
    taken = obs.bottom_left if view.table.seat in obs.landlords else ()
    return [
        _held(view, card, bottom=card in taken)
        for card in sorted(obs.held, key=_place, reverse=True)
    ]


def _place(card: Card) -> tuple[int, int]:
    """Return where a card stands in a hand: a red seven that is wild, among the sevens."""
    return (LANE["7"] if card.lane == MARKED else card.lane, -card.suit)


def _held(view: View, card: Card, *, bottom: bool) -> contract.HandCard:
    """Return a card that the person can select."""
    item = cast(
        "contract.HandCard",
        {**face(view, card), "id": tabletop.card_id(card), "code": card.rank},
    )
    wild = view.obs.ruleset.wilds
    if card.lane == MARKED or (wild.mode == "rank" and card.rank == wild.rank):
        item["mark"] = view.say("table.mark.wild")
    elif bottom:
        item["mark"] = view.say("table.mark.bottom")
    return item


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
        "to_act": obs.to_act == seat,
        "hand": (faces(view, view.game.held[seat]) or None) if shown else None,
    }


def _said(view: View, seat: int) -> contract.Said | None:
    """Return what a seat did last in this trick, or while bidding."""
    entry = last_of(view, seat)
    if entry is None:
        return None
    if entry.move is not None:
        split = split_play(view, entry.laid, entry.move)
        return {
            "main": split["main"],
            "kickers": split["kickers"],
            "text": wording.combination_text(view.words, entry.move),
            "name": wording.combination_name(view.words, entry.move),
        }
    return {"main": [], "kickers": [], "text": action_text(view, entry)}


def _bottom(view: View) -> contract.Bottom | None:
    obs = view.obs
    count = len(view.game.deal.bottom)
    if not count:
        return None
    bottom = view.game.deal.bottom if view.open else obs.bottom
    if bottom is None:
        return {"cards": [None] * count, "text": view.say("table.bottom.down")}
    # Where the landlord took only some of them, one that is gone need not have been played.
    known = obs.ruleset.deal.taken == "all"
    cards: list[contract.CardFace | None] = []
    played = ""
    for card in reversed(bottom):
        drawn = face(view, card)
        if known and obs.landlords and card not in obs.bottom_left:
            drawn["gone"] = True
            played += card.rank
        cards.append(drawn)
    if not played:
        return {"cards": cards, "text": view.say("table.bottom.shown")}
    text = wording.card_text(view.words, played)
    return {"cards": cards, "text": view.say("table.bottom.played", cards=text)}


def _seed(view: View) -> str:
    deal = view.game.deal
    if deal.seed is None:
        return view.say("table.seed.none")
    if deal.number:
        return view.say("table.seed.number", seed=deal.seed, n=deal.number + 1)
    return view.say("table.seed", seed=deal.seed)


def _to_beat(view: View) -> contract.ToBeat | None:
    obs = view.obs
    if obs.to_beat is None or obs.beat_by is None or obs.phase != "play":
        return None
    entry = last_of(view, obs.beat_by)
    if entry is None:
        return None
    split = split_play(view, entry.laid, obs.to_beat)
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
    elif game.phase in ("deal", "auction", "declare"):
        if picking(view):
            phase |= cast("contract.Phase", _picks(view))
        elif table.my_turn:
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


def _picks(view: View) -> dict[str, object]:
    """Return the bottom cards to choose among: every part that may be taken is a row."""
    rows = [
        [option.partition(":")[2], "", 0, "ok", option]
        for option in view.obs.options
        if option.startswith(TAKE)
    ]
    return {
        "kind": "play",
        "hint": True,
        "can_pass": True,
        "names": [view.say("table.option.take_cards")],
        "plays": rows,
        "reasons": {"none": view.say("table.why.none")},
    }


def choices(view: View) -> list[contract.Button]:
    """Return the buttons of a bid or declaration, declining first as the game lists them."""
    options = view.obs.options
    offered = next((option for option in options if option not in (PASS, "x1")), "")
    buttons: list[contract.Button] = []
    for option in options:
        button: contract.Button = {"kind": "choice", "label": "", "value": option}
        if option == PASS:
            known = f"table.decline.{offered}"
            button["label"] = view.say(known if view.words.knows(known) else "table.bid.pass")
        elif option == "x1":
            button["label"] = view.say("table.raise.none")
        elif option.startswith("x"):
            button["label"] = view.say("table.raise.n", n=option[1:])
            button["note"] = view.say("table.raise.note", n=option[1:])
        elif option.isdigit():
            button["label"] = view.say("table.bid.n", n=int(option))
            button["note"] = view.say("table.bid.note", n=int(option))
        elif option.startswith("take:"):
            button["label"] = taken_text(view, option)
        else:
            button["label"] = view.say(f"table.option.{option}")
        buttons.append(button)
    return buttons


@lru_cache(maxsize=64)
def _combinations(rules: Rules, hand: int) -> tuple[Move, ...]:
    """Return every combination of a hand."""
    return tuple(moves(rules.ruleset, hand))


def _plays(view: View) -> dict[str, object]:
    """Return every combination of the hand with what speaks against playing it now."""
    obs = view.obs
    beat = obs.to_beat
    mine = view.game.to_act != view.table.seat and obs.beat_by == view.table.seat
    return play_rows(view.words, obs.rules, obs.hand, None if mine else beat, beat)


def play_rows(
    words: Words, rules: Rules, hand: int, beat: Move | None, table: Move | None = None
) -> dict[str, object]:
    """Return every combination of a hand, and of each what speaks against playing it.

    Args:
        words: the reader's language.
        rules: the game.
        hand: packed cards.
        beat: the play to be beaten, None for a lead.
        table: the play that lies there, for the sentences; that to be beaten if left out.
    """
    table = table or beat
    every = _combinations(rules, hand)
    good = (
        set()
        if beat is None
        else set(map(_same, moves(rules.ruleset, hand, beat=beat, beat_as=beat)))
    )
    names: dict[str, int] = {}
    rows: list[contract.PlayRow] = []
    for move in every[:MOST_PLAYS]:
        name = wording.combination_name(words, move)
        status = "ok" if beat is None or _same(move) in good else _status(move, beat)
        text = f"{move.cards}={move.kind}:{move.length}:{move.top}"
        rows.append([move.main, move.kickers, names.setdefault(name, len(names)), status, text])
    rows.sort(key=lambda row: (row[3] != "ok", -len(row[0])))
    return {
        "names": list(names),
        "plays": rows,
        "complete": len(every) <= MOST_PLAYS,
        "reasons": _reasons(words, table),
    }


def _same(move: Combination | Move) -> tuple[str, str, int, str]:
    return move.cards, move.kind, move.length, move.top


def _status(move: Move, beat: Move) -> str:
    if move.kind != beat.kind:
        return "other"
    return "low" if move.length == beat.length else "length"


def _reasons(words: Words, beat: Move | None) -> dict[str, str]:
    reasons = {"none": words.say("table.why.none"), "pass": words.say("table.why.pass")}
    if beat is not None:
        kind = wording.inside(words.say(f"kind.{beat.kind}"))
        reasons |= {
            "low": words.say("table.why.low", kind=kind),
            "other": words.say("table.why.other", kind=kind),
            "length": words.say("table.why.length", kind=kind, n=len(beat.cards)),
        }
    return reasons
