"""An open position on the table: from a line of play to the data of the browser's table.

Layer 4. All hands lie open. Positions have no suits; each copy of a rank gets one, the same as long
as it lies there. The words are the table's own, wherever it has them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from ddz_core import cards
from ddz_core.actions import PASS
from ddz_core.patterns import move_of
from ddz_core.render import contract, wording
from ddz_core.render.table_view import component_words, play_rows

if TYPE_CHECKING:
    from ddz_core.language import Words
    from ddz_core.patterns import Combination, Move
    from ddz_core.positions import Position
    from ddz_core.puzzles.lines import Line, Step

_SUITS = "shcd"


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What is on the table besides the cards.

    Attributes:
        line: the line in play.
        whole: the line with actions taken back that can be gone forward to; usually the same.
        seat: the hand that lies at the bottom.
        acts: whether the person may act for it when it is its turn.
        name: of the board; another one clears the selection.
        messages: sentences below the buttons.
        ladder: the hints, or None.
        hint: whether the Hint button works.
        result: what stands at the end, or None.
        tools: buttons under the history.
        notes: marks beside actions in the history, by their place.
        hide: hands that are not shown, only how many cards they have.
        refused: how often what was sent changed nothing, so that the browser unlocks.
    """

    line: Line
    whole: Line
    seat: int
    acts: bool
    name: str
    messages: tuple[contract.Message, ...] = ()
    ladder: contract.Ladder | None = None
    hint: bool = False
    result: contract.Result | None = None
    tools: tuple[contract.Button, ...] = ()
    notes: dict[int, str] = field(default_factory=dict)
    hide: tuple[int, ...] = ()
    refused: int = 0


def who(words: Words, position: Position, seat: int) -> str:
    """Return a hand in words, by its role."""
    seats = len(position.hands)
    role = wording.role_of(seat, position.landlords, seats)
    if role in ("landlord", "farmer") and _shared(position, seat):
        return words.say("table.role.short.unknown", n=seat + 1)
    return words.say(f"table.role.{role}")


def _shared(position: Position, seat: int) -> bool:
    """Tell whether another hand has the same role."""
    seats = range(len(position.hands))
    roles = [wording.role_of(s, position.landlords, len(seats)) for s in seats]
    return roles.count(roles[seat]) > 1


def action_text(words: Words, move: Combination | Move | None) -> str:
    """Return an action in a few words: its cards with kickers apart, or a pass."""
    if move is None:
        return words.say("table.said.pass")
    return wording.combination_text(words, move)


def step_text(words: Words, position: Position, step: Step) -> str:
    """Return an action as a sentence."""
    name = who(words, position, step.seat)
    if step.move is None:
        return words.say("table.log.pass", who=name)
    kind = wording.combination_name(words, step.move)
    return words.say("table.log.play", who=name, name=kind, cards=action_text(words, step.move))


def sentences(words: Words, line: Line, hide: tuple[int, ...] = ()) -> list[str]:
    """Return the board in sentences: what to beat, whose turn, every hand that is not hidden."""
    start, position, say = line.start, line.position, words.say
    found = []
    if position is None:
        found.append(say("table.summary.turn", turn=say("table.turn.over")))
    else:
        if position.beat is None or position.beat_by is None:
            found.append(say("table.summary.lead"))
        else:
            name = wording.combination_name(words, position.beat)
            owner = who(words, start, position.beat_by)
            found.append(say("table.summary.to_beat", name=name, who=owner))
        turn = say("table.turn.other", name=who(words, start, position.to_move))
        found.append(say("table.summary.turn", turn=turn))
    for seat, hand in enumerate(line.hands):
        held = wording.hand_text(words, cards.format_cards(hand)) or "–"
        held = say("lesson.hidden", n=cards.size_of(hand)) if seat in hide else held
        found.append(say("table.plain.held", who=who(words, start, seat), cards=held))
    return found


def board_data(board: Board, words: Words, theme: contract.Theme) -> contract.TableData:
    """Return everything the browser's table shows of an open position.

    Args:
        board: the line and what surrounds it.
        words: the reader's language.
        theme: ``light`` or ``dark``.
    Cost: about a millisecond, and the plays of one hand.
    """
    line, start = board.line, board.line.start
    position, seats = line.position, len(start.hands)
    others = [(board.seat - turn) % seats for turn in range(1, seats)]
    mine = position is not None and board.acts and position.to_move == board.seat
    data: contract.TableData = {
        "game": f"{board.name}-{board.seat}",
        "number": len(line.steps),
        "theme": theme,
        "lang": words.lang,
        "words": component_words(words),
        "seats": [_seat(board, words, seat) for seat in others],
        "me": _seat(board, words, board.seat),
        "hand": _hand(words, start, line, board.seat),
        "bottom": None,
        "sum": {"terms": [], "result": ""},
        "switches": [],
        "seed": "",
        "to_beat": _to_beat(words, line),
        "counter": {"level": "off", "cells": [], "total": ""},
        "phase": _phase(board, words, mine=mine),
        "history": _history(board, words),
        "guide": None,
        "ladder": board.ladder,
        "result": board.result,
        "replay": None,
        "messages": list(board.messages),
        "summary": sentences(words, line, board.hide),
        "log": [{"n": s.at + 1, "text": step_text(words, start, s)} for s in line.steps[-6:]],
        "save": [],
        "want_restore": None,
        "refused": board.refused,
    }
    return data


# --- cards -----------------------------------------------------------------------------------


def _suited(start: Position, seat: int) -> list[tuple[str, str, str]]:
    """Return the cards of a hand at the start, low to high: id, rank code, suit letter."""
    before = [0] * cards.LANES
    for other in range(seat):
        for lane, count in enumerate(cards.counts_of(start.hands[other])):
            before[lane] += count
    found = []
    for lane, count in enumerate(cards.counts_of(start.hands[seat])):
        code = "*" if lane == cards.MARKED else cards.RANKS[lane]
        for copy in range(count):
            suit = "" if code in "XD" else _SUITS[(before[lane] + copy) % 4]
            found.append((f"{code}{copy}", code, suit))
    return found


def _face(words: Words, code: str, suit: str) -> contract.CardFace:
    rank = wording.rank_label(words, code)
    if not suit:
        return {"rank": code, "suit": "", "name": rank}
    drawn = "7" if code == "*" else code
    return {"rank": drawn, "suit": suit, "name": words.say(f"table.card.{suit}", rank=rank)}


def _left(start: Position, line: Line, seat: int) -> list[tuple[str, str, str]]:
    """Return the cards that a hand still holds, low to high; the last copies go first."""
    room = list(cards.counts_of(line.hands[seat]))
    found = []
    for card in _suited(start, seat):
        lane = cards.MARKED if card[1] == "*" else cards.LANE[card[1]]
        if room[lane]:
            room[lane] -= 1
            found.append(card)
    return found


def ids_of(line: Line, seat: int, move: Move) -> list[str]:
    """Return the names of the hand's cards that a play would take, for the rings of a hint."""
    need = list(cards.counts_of(move.hand))
    found = []
    for name, code, _ in reversed(_left(line.start, line, seat)):
        lane = cards.MARKED if code == "*" else cards.LANE[code]
        if need[lane]:
            need[lane] -= 1
            found.append(name)
    return found


def _gone(line: Line, step: Step) -> list[tuple[str, str, str]]:
    """Return the physical cards of a play: what its hand held before it and not after."""
    before = _left(line.start, line.at(step.at), step.seat)
    after = set(_left(line.start, line.at(step.at + 1), step.seat))
    return [card for card in before if card not in after]


def _split(words: Words, line: Line, step: Step) -> dict[str, list[contract.CardFace]]:
    move = cast("Move", step.move)
    return _parts(words, move, _gone(line, step))


def _parts(
    words: Words, move: Combination | Move, gone: list[tuple[str, str, str]]
) -> dict[str, list[contract.CardFace]]:
    need = {rank: move.main.count(rank) for rank in move.main}
    main, kickers = [], []
    for _, code, suit in gone:
        if need.get(code, 0):
            need[code] -= 1
            main.append(_face(words, code, suit))
        else:
            kickers.append(_face(words, code, suit))
    return {"main": main, "kickers": kickers}


def _hand(words: Words, start: Position, line: Line, seat: int) -> list[contract.HandCard]:
    held = _left(start, line, seat)
    order = sorted(held, key=lambda card: wording.DISPLAY.index(card[1]))
    return [
        cast("contract.HandCard", {**_face(words, code, suit), "id": name, "code": code})
        for name, code, suit in order
    ]


# --- seats and table -------------------------------------------------------------------------


def _seat(board: Board, words: Words, seat: int) -> contract.Seat:
    line, start = board.line, board.line.start
    role = wording.role_of(seat, start.landlords, len(start.hands))
    label = who(words, start, seat)
    mine = seat == board.seat
    left = cards.size_of(line.hands[seat])
    closed = mine or seat in board.hide
    open_hand = [] if closed else reversed(_left(start, line, seat))
    return {
        "id": seat,
        "role": role,
        "label": words.say("table.you", role=label) if mine and board.acts else label,
        "short": label,
        "note": "",
        "left": left,
        "alarm": None,
        "said": _said(words, line, seat),
        "to_act": line.position is not None and line.position.to_move == seat,
        "hand": None
        if closed
        else [_face(words, code, suit) for _, code, suit in open_hand] or None,
    }


def _said(words: Words, line: Line, seat: int) -> contract.Said | None:
    """Return what a hand did last in this trick."""
    step = _last(line, seat)
    if step is None:
        return _laid_before(words, line, seat)
    if step.move is None:
        return {"main": [], "kickers": [], "text": words.say("table.said.pass")}
    split = _split(words, line, step)
    return {
        "main": split["main"],
        "kickers": split["kickers"],
        "text": wording.combination_text(words, step.move),
        "name": wording.combination_name(words, step.move),
    }


def _last(line: Line, seat: int) -> Step | None:
    leading = line.position is not None and line.position.beat is None
    trick = None if leading or not line.steps else line.steps[-1].trick
    for step in reversed(line.steps):
        if step.trick != trick:
            return None
        if step.seat == seat:
            return step
    return None


def _laid_before(words: Words, line: Line, seat: int) -> contract.Said | None:
    """Return the play that lay there from the start, if it is this hand's and still lies there."""
    start = line.start
    if start.beat is None or start.beat_by != seat or _overtaken(line):
        return None
    split = _parts(words, start.beat, _loose(start.beat.hand))
    return {
        "main": split["main"],
        "kickers": split["kickers"],
        "text": wording.combination_text(words, start.beat),
        "name": wording.combination_name(words, start.beat),
    }


def _overtaken(line: Line) -> bool:
    return any(step.move is not None for step in line.steps) or (
        line.position is not None and line.position.beat is None
    )


def _loose(hand: int) -> list[tuple[str, str, str]]:
    found = []
    for lane, count in enumerate(cards.counts_of(hand)):
        code = "*" if lane == cards.MARKED else cards.RANKS[lane]
        found += [
            (f"{code}{n}", code, "" if code in "XD" else _SUITS[3 - n % 4]) for n in range(count)
        ]
    return found


def _to_beat(words: Words, line: Line) -> contract.ToBeat | None:
    position = line.position
    if position is None or position.beat is None or position.beat_by is None:
        return None
    said = _said(words, line, position.beat_by)
    if said is None:
        return None
    name = wording.combination_name(words, position.beat)
    return {
        "seat": position.beat_by,
        "main": said["main"],
        "kickers": said["kickers"],
        "tab": words.say("table.to_beat", name=name),
    }


def _phase(board: Board, words: Words, *, mine: bool) -> contract.Phase:
    line, position = board.line, board.line.position
    phase: contract.Phase = {
        "kind": "watch",
        "turn": words.say("table.turn.over"),
        "mine": mine,
        "hint": board.hint and mine,
        "can_pass": False,
        "must_lead": False,
        "buttons": [],
        "names": [],
        "plays": [],
        "reasons": {},
    }
    if position is None:
        phase["kind"] = "over"
        return phase
    leading = position.beat is None
    if not mine:
        phase["turn"] = words.say("table.turn.other", name=who(words, line.start, position.to_move))
        return phase
    phase["kind"] = "play"
    phase["turn"] = words.say("table.turn.lead" if leading else "table.turn.you")
    phase["can_pass"], phase["must_lead"] = not leading, leading
    beat = None if position.beat is None else move_of(position.beat)
    hand = position.hands[position.to_move]
    phase |= cast("contract.Phase", play_rows(words, position.rules, hand, beat))
    return phase


def _history(board: Board, words: Words) -> contract.History:
    """Return the pad: every action of the line, those that can be gone forward to as well."""
    start, whole = board.line.start, board.whole
    seats = len(start.hands)
    order = [(start.landlords[0] + turn) % seats for turn in range(seats)]
    rows: list[contract.HistoryRow] = []
    trick = 0
    for step in whole.steps:
        column = order.index(step.seat)
        later = rows and any(cell["kind"] != "none" for cell in rows[-1]["cells"][column:])
        if step.trick != trick or later or not rows:
            no = str(step.trick) if step.trick != trick else ""
            rows.append({"no": no, "cells": [_blank() for _ in order]})
        trick = step.trick
        rows[-1]["cells"][column] = _cell(board, words, step)
    roles = [wording.role_of(seat, start.landlords, seats) for seat in order]
    return {
        "title": words.say("table.history.title"),
        "caption": words.say("table.history.round", n=trick) if trick else "",
        "columns": [
            {"role": role, "label": _short(words, start, seat)}
            for seat, role in zip(order, roles, strict=True)
        ],
        "rows": rows,
        "tools": list(board.tools),
    }


def _short(words: Words, start: Position, seat: int) -> str:
    role = wording.role_of(seat, start.landlords, len(start.hands))
    if role in ("after", "before"):
        return words.say(f"table.role.short.{role}")
    return who(words, start, seat)


def _blank() -> contract.HistoryCell:
    return {"text": "", "kind": "none", "at": None}


def _cell(board: Board, words: Words, step: Step) -> contract.HistoryCell:
    cell: contract.HistoryCell = {
        "text": action_text(words, step.move),
        "kind": "pass" if step.text == PASS else "play",
        "at": step.at + 1,
    }
    if step.at + 1 == len(board.line.steps):
        cell["kind"] = "now"
    note = board.notes.get(step.at)
    if note:
        cell["note"] = note
    return cell
