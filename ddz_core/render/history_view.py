"""The pad beside the table, the result at the end and the controls that travel through a game.

Layer 4. All of it is read off the line in play; only the result says what the ledger holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core import tabletop
from ddz_core.actions import PASS
from ddz_core.observation import observe
from ddz_core.render import contract, help_view, wording
from ddz_core.render.view import action_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ddz_core.actions import Entry
    from ddz_core.render.view import View


def history(view: View) -> contract.History:
    """Return the pad: every action of the line in play, in rounds and seats."""
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
            {"role": role, "label": _column(view, seat, role)}
            for seat, role in zip(order, roles, strict=True)
        ],
        "rows": rows,
        "tools": tools(view),
    }


def _column(view: View, seat: int, role: wording.RoleName) -> str:
    if seat == view.table.seat or role in ("unknown", "farmer"):
        return view.who(seat)
    return view.say(f"table.role.short.{role}")


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
                "value": len(tabletop.noticed(table)) - 1,
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
        "steps": help_view.ledger_steps(view, game.ledger),
        "points": [_points(view, seat, points) for seat, points in enumerate(game.ledger.points)],
        "buttons": again,
    }


def _points(view: View, seat: int, points: int) -> contract.Points:
    landlords, seats = view.table.game.landlords, view.table.game.seats
    return {
        "role": wording.role_of(seat, landlords, seats),
        "label": view.who(seat),
        "text": view.say("table.result.points", points=_signed(points)),
        "verdict": "good" if points > 0 else "bad" if points < 0 else "even",
    }


def replay(view: View) -> contract.Replay | None:
    """Return the controls that travel through the game, or None while they are of no use."""
    table = view.table
    last = len(tabletop.noticed(table)) - 1
    if not (table.over or table.looking_back) or not last:
        return None
    at = tabletop.position_number(table)
    replay: contract.Replay = {
        "at": at,
        "last": last,
        "text": view.say("table.replay.text", n=at, last=last),
    }
    if table.over:
        replay["buttons"] = [
            {"kind": "view", "label": view.say("table.replay.seat", n=seat + 1), "value": seat}
            for seat in range(table.game.seats)
            if seat != table.seat
        ]
    return replay


def _signed(points: int) -> str:
    """Return points won or lost with their sign; nothing won has none."""
    return f"{points:+d}".replace("-", "−") if points else "0"
