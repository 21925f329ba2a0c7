"""One puzzle on the board: the learner's hand against a defence that makes no mistake."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import codes, puzzles
from ddz_core.errors import DdzError
from ddz_core.puzzles import lines, trial
from ddz_core.puzzles.study import families
from ddz_core.puzzles.themes import at as themes_at
from ddz_core.render import position_view
from ddz_core.render.position_view import Board
from pages._kit import board_mount, cached, explorer_foot, session, shell, solver_play, solver_walk
from pages._kit import puzzles_state as state
from pages._kit.solver_state import CODE

if TYPE_CHECKING:
    from ddz_core.positions import Position
    from ddz_core.puzzles import Decision, Study
    from ddz_core.puzzles.judge import Answer
    from ddz_core.render import contract
    from pages._kit.puzzles_state import Open
    from pages._kit.shell import House

RUNGS = ("theme", "kind", "play")
"""Steps of the hints: what it is about, what kind of play, the play."""


def draw(house: House, now: Open, following: str) -> None:
    """Draw the open puzzle.

    Args:
        house: the reader.
        now: the puzzle.
        following: name of the next one, empty where there is none.
    """
    line = now.line
    if line.position is not None and line.position.to_move not in now.seats:
        line = solver_play.settled(line, now.seats)
    marks = solver_play.marks(line, now.seats)
    _head(house, now)
    if now.puzzle is not None and (now.start.rules.id != house.rules or house.overrides):
        name = cached.ruleset_name(now.start.rules.id, house.lang)
        explorer_foot.note(house.words.say("puzzle.rules.other", rules=name))
    shown = Board(
        refused=board_mount.refused(),
        line=line,
        whole=line,
        seat=now.start.to_move,
        acts=True,
        name=f"puzzle-{now.trial.id or now.trial.code}",
        messages=_messages(house, now, line, marks),
        ladder=_ladder(house, now, line),
        hint=True,
        result=_result(house, now, line, following),
        tools=(
            {"kind": "undo", "label": house.words.say("table.tool.undo"), "disabled": not marks},
        ),
        notes=solver_play.notes(marks),
    )
    board_mount.board(house, "puzzle_board", shown, lambda action: _acted(action, now, following))
    _controls(house, now, line, marks)
    if board_mount.plain():
        _plain(house, now, line)
    if now.trial.shown or line.over:
        _solution(house, now)


def _head(house: House, now: Open) -> None:
    """Say which puzzle it is, whom the learner plays, and what is asked."""
    say, start = house.words.say, now.start
    role = position_view.who(house.words, start, start.to_move)
    parts = []
    if now.puzzle is not None:
        parts = [say("puzzle.number", id=now.puzzle.id), say(f"puzzle.grade.{now.puzzle.grade}")]
    else:
        parts = [say("puzzle.own")]
    task = "puzzle.task.lord" if lines.side_of(start, start.to_move) > 0 else "puzzle.task.farm"
    text = say(task if len(start.hands) < 3 else f"{task}.three", role=role)
    st.html(
        f'<p class="paili-head">{escape(" · ".join(parts))} '
        f'<span class="paili-note">{escape(text)}</span></p>'
    )


def _messages(
    house: House, now: Open, line: lines.Line, marks: tuple[trial.Judged, ...]
) -> tuple[contract.Message, ...]:
    error = st.session_state.pop("w_puzzle_problem", None)
    if isinstance(error, DdzError):
        return ({"text": house.words.error(error), "tone": "error"},)
    told = solver_play.report(house.words, line, marks)
    if not told and now.start.beat is None:
        return ({"text": house.words.say("puzzle.begin"), "tone": "note"},)
    return told


# --- hints -----------------------------------------------------------------------------------


def _ladder(house: House, now: Open, line: lines.Line) -> contract.Ladder | None:
    """Return the hints for the decision on the table, as far as they are open."""
    position, rungs = line.position, now.trial.hints
    if not rungs or position is None or position.to_move not in now.seats:
        return None
    say = house.words.say
    texts = hints(house, position)
    made: list[contract.Rung] = []
    for number, name in enumerate(RUNGS):
        rung: contract.Rung = {
            "title": say(f"puzzle.hint.{name}"),
            "short": say(f"puzzle.hint.{name}"),
            "open": number < rungs,
        }
        if number < rungs:
            rung["lead"], rung["lines"] = texts[number][0], texts[number][1:]
            if name == "play":
                rung["suggest"] = _suggested(line, position)
        else:
            rung["note"], rung["button"] = say("puzzle.hint.note"), say("puzzle.hint.open")
        made.append(rung)
    return {"rungs": made, "at": rungs - 1}


def _winning(position: Position) -> list[Answer]:
    return families(solver_play.judge().answers(position))


def _suggested(line: lines.Line, position: Position) -> list[str]:
    ways = _winning(position)
    if not ways or ways[0].move is None:
        return []
    return position_view.ids_of(line, position.to_move, ways[0].move)


def hints(house: House, position: Position) -> list[list[str]]:
    """Return the texts of the three steps for a position in which the learner is to act."""
    words, say = house.words, house.words.say
    ways = _winning(position)
    if not ways:
        return [[say("puzzle.hint.lost")]] * len(RUNGS)
    kinds = [
        say("table.said.pass") if way.move is None else say(f"kind.{way.move.kind}") for way in ways
    ]
    plays = [position_view.action_text(words, way.move) for way in ways]
    join = say("table.and").join
    return [
        _about(house, position),
        [join(dict.fromkeys(kinds)), say("puzzle.hint.ways", n=len(ways))],
        [join(plays)],
    ]


def _about(house: House, position: Position) -> list[str]:
    """Return what the decision is about: the first theme found for it, with its meaning."""
    say = house.words.say
    try:
        found = puzzles.study(position, solver_play.judge(), 3_000)
    except DdzError:
        return [say("puzzle.hint.none")]
    first = found.decisions[0]
    names = themes_at(found, first) if first.only else ()
    if not names:
        return [say("puzzle.hint.none")]
    return [say(f"puzzle.theme.{names[0]}"), say(f"puzzle.theme.{names[0]}.what")]


# --- actions ---------------------------------------------------------------------------------


def _acted(action: contract.Action, now: Open, following: str) -> None:
    kind = action["kind"]
    if kind in ("play", "pass"):
        _do("pass" if kind == "pass" else str(action.get("move", "")), now)
    elif kind in ("hint", "rung"):
        _hint()
    elif kind == "undo":
        _back(now)
    elif kind == "deal":
        _next(following) if action.get("value") == "next" else _again()
    elif kind == "jump":
        at = int(action.get("at", 0))
        state.change(line=state.trial().line[:at], hints=0)


def _do(text: str, now: Open) -> None:
    """Carry out a play of the learner's and the answers to it."""
    try:
        line = trial.settled(lines.line_of(now.start, now.line.texts), now.seats, _judge())
        state.acted(trial.acted(line, text, now.seats, _judge()))
    except DdzError as error:
        st.session_state["w_puzzle_problem"] = error
        board_mount.refuse()


def _judge() -> puzzles.Judge:
    return solver_play.judge()


def _hint() -> None:
    now = state.trial()
    state.change(hints=min(len(RUNGS), now.hints + 1), helped=True)


def _back(now: Open) -> None:
    state.change(line=trial.taken_back(now.line, now.seats).texts, hints=0)


def _again() -> None:
    state.change(line=(), hints=0, begun=False, helped=False, shown=False)


def _next(following: str) -> None:
    state.open_puzzle(following) if following else state.close()


def _show_all() -> None:
    state.change(shown=True, helped=True)


def _demonstrate(now: Open) -> None:
    """Play the line on the table to its end, best play on both sides."""
    state.change(line=trial.played_out(now.line, _judge()).texts, hints=0, helped=True)


# --- below the board -------------------------------------------------------------------------


def _result(house: House, now: Open, line: lines.Line, following: str) -> contract.Result | None:
    if not line.over:
        return None
    say = house.words.say
    won = line.winner == lines.side_of(now.start, now.start.to_move)
    title = "puzzle.solved" if won and not now.trial.helped else "puzzle.solved.helped"
    again: contract.Button = {"kind": "deal", "label": say("solver.restart"), "value": "same"}
    ahead: contract.Button = {
        "kind": "deal",
        "label": say("puzzle.next"),
        "value": "next",
        "primary": True,
    }
    back: contract.Button = {"kind": "undo", "label": say("table.tool.undo")}
    buttons = [ahead, again] if won and following else [again] if won else [back, again]
    return {
        "title": say(title if won else "puzzle.lost"),
        "steps": [],
        "points": [],
        "buttons": buttons,
    }


def _controls(house: House, now: Open, line: lines.Line, marks: tuple[trial.Judged, ...]) -> None:
    """Draw the field for typed plays, hints, taking back, the refutation and the solution."""
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="play_tools"):
        if line.position is not None:
            solver_walk.typed_play(house, "puzzle", _do, (now,))
            if board_mount.plain():
                st.button(say("table.js.hint"), key="w_puzzle_hint", on_click=_hint)
        st.button(
            say("table.tool.undo"),
            key="w_puzzle_undo",
            disabled=not marks,
            on_click=_back,
            args=(now,),
        )
        st.button(
            say("solver.restart"), key="w_puzzle_again", disabled=not line.steps, on_click=_again
        )
        if line.position is not None and solver_play.threw_away(marks):
            st.button(
                say("puzzle.refute"), key="w_puzzle_refute", on_click=_demonstrate, args=(now,)
            )
        st.button(
            say("puzzle.show"),
            key="w_puzzle_show",
            disabled=now.trial.shown or line.over,
            on_click=_show_all,
        )


def _plain(house: House, now: Open, line: lines.Line) -> None:
    """Draw hints, history and result in words."""
    ladder = _ladder(house, now, line)
    for rung in ladder["rungs"] if ladder else []:
        if rung["open"]:
            st.markdown(f"**{shell.plain(rung['title'])}**")
            st.text("\n".join([rung.get("lead", ""), *rung.get("lines", [])]))
    if line.steps:
        st.text("\n".join(position_view.step_text(house.words, now.start, s) for s in line.steps))
    found = _result(house, now, line, "")
    if found:
        st.markdown(f"**{shell.plain(found['title'])}**")


def _solution(house: House, now: Open) -> None:
    """Draw the main line: each decision, what was obvious there, what it is about."""
    say = house.words.say
    try:
        found = puzzles.study(now.start, _judge())
    except DdzError as error:
        shell.refuse(error)
        return
    with st.container(border=True, key="panel_solution"):
        st.html(f'<p class="paili-head">{escape(say("puzzle.solution"))}</p>')
        rows = _rows(house, found)
        head = [say(f"puzzle.col.{name}") for name in ("step", "play", "what")]
        cells = [[row["step"], row["play"], row["what"]] for row in rows]
        st.html(_table(head, cells))
        explorer_foot.note(say("puzzle.solution.what"))
        query = {CODE: codes.encode(now.start), session.LANG: house.lang}
        query[session.RULES] = now.start.rules.id
        st.page_link("pages/solver.py", label=say("puzzle.tree"), query_params=query)
        lines_of_code = [
            "import ddz_core as ddz",
            "from ddz_core import puzzles",
            "",
            f"pos = ddz.decode({codes.encode(now.start)!r})",
            "found = puzzles.study(pos)",
            "print(found.hard, found.only, found.line, puzzles.themes(found))",
        ]
        explorer_foot.foot(house, "solution", rows, "\n".join(lines_of_code), method="solved")


def _table(head: list[str], cells: list[list[str]]) -> str:
    top = "".join(f"<th>{escape(text)}</th>" for text in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in cells
    )
    return f'<table class="paili-table"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'


def _rows(house: House, found: Study) -> list[dict[str, str]]:
    words, line = house.words, lines.line_of(found.position, found.line)
    decided = {decision.at: decision for decision in found.decisions}
    rows = []
    for step in line.steps:
        play = position_view.action_text(words, step.move)
        who = position_view.who(words, found.position, step.seat)
        decision = decided.get(step.at)
        rows.append({"step": who, "play": play, "what": _remark(house, found, decision)})
    return rows


def _remark(house: House, found: Study, decision: Decision | None) -> str:
    """Return what is to be said of a decision: only, not obvious, what it is about."""
    if decision is None or not decision.learner or not decision.only:
        return ""
    say = house.words.say
    parts = ["□ " + say("puzzle.only")]
    if decision.hard:
        move = lines.verified(decision.position, decision.obvious)
        text = position_view.action_text(house.words, move)
        parts.append(say("puzzle.obvious", cards=text))
    parts += [say(f"puzzle.theme.{name}") for name in themes_at(found, decision)[:3]]
    return " · ".join(parts)
