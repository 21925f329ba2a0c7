"""The solver page: set an endgame up, see every answer, walk the tree, or play it out."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import segno
import streamlit as st

from ddz_core import codes
from ddz_core.errors import DdzError
from ddz_core.puzzles import lines, trial
from ddz_core.render import position_view
from ddz_core.render.position_view import Board
from pages._kit import (
    board_mount,
    explorer_foot,
    explorer_rules,
    inputs,
    session,
    shell,
    solver_jobs,
    solver_play,
    solver_setup,
    solver_walk,
)
from pages._kit import solver_state as state

if TYPE_CHECKING:
    from ddz_core.positions import Position
    from ddz_core.puzzles.lines import Line
    from ddz_core.render import contract
    from pages._kit.shell import House
    from pages._kit.solver_state import Walk

_STYLE = """
[class*="st-key-plays_"] button { min-height: 2.125rem; padding: 0 .7rem; }
[class*="st-key-plays_"] button p { font-weight: 600; font-variant-numeric: tabular-nums; }
.st-key-walk_tools [data-testid="stForm"], .st-key-play_tools [data-testid="stForm"] { padding: 0; }
.st-key-walk_tools [data-testid="InputInstructions"],
.st-key-play_tools [data-testid="InputInstructions"] { display: none; }
.paili-path { overflow-wrap: anywhere; }
"""


def board(house: House) -> None:
    """Draw the page; while a search is running it looks at it three times a second."""
    polling = solver_jobs.live()
    st.fragment(_board, run_every=0.35 if polling else None)(house, polling=polling)


def _board(house: House, *, polling: bool) -> None:
    explorer_foot.style(house)
    st.html(f"<style>{_STYLE}</style>")
    rules, where = explorer_rules.current(house), state.walk()
    start = None
    if where.mode != "edit":
        try:
            start = state.made(rules, state.setup())
        except DdzError:  # other rules came in force: what was set up is no position any more
            start = None
    if start is None:
        inputs.address(state.CODE, "")
        solver_setup.panel(house, rules)
    else:
        _address(start)
        _bar(house, start, where)
        (_play if where.mode == "play" else solver_walk.panel)(house, start, where)
    _below(start)
    if solver_jobs.live() != polling:
        # the timer belongs to the fragment, which only a whole run makes anew
        st.rerun()


def _address(start: Position) -> None:
    """Keep the address at the position on the page, whatever rules came in force."""
    code = codes.encode(start)
    if state.walk().code != code:
        state.put_walk(state.Walk(mode=state.walk().mode, code=code))
    if st.query_params.get(state.CODE) != code:
        st.query_params[state.CODE] = code


def _bar(house: House, start: Position, where: Walk) -> None:
    """Draw what is set up in one line, and what to do with it: change, walk or play, aim, share."""
    say = house.words.say
    hands = solver_setup.spaced(house, start.texts)
    turn = say("table.turn.other", name=position_view.who(house.words, start, start.to_move))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="solver_bar"):
        st.html(f'<p class="paili-note"><b>{escape(hands)}</b> · {escape(turn)}</p>')
        st.space("stretch")
        st.session_state["w_mode"] = where.mode
        st.segmented_control(
            say("solver.mode"),
            ("walk", "play"),
            format_func=lambda mode: say(f"solver.mode.{mode}"),
            key="w_mode",
            required=True,
            label_visibility="collapsed",
            on_change=_mode,
        )
        if where.mode == "walk":
            st.session_state["w_objective"] = where.objective
            st.segmented_control(
                say("solver.objective"),
                ("win", "points"),
                format_func=lambda aim: say(f"solver.objective.{aim}"),
                key="w_objective",
                required=True,
                label_visibility="collapsed",
                on_change=lambda: state.change(objective=st.session_state["w_objective"]),
            )
        st.button(say("solver.edit"), key="w_edit", on_click=state.change, kwargs={"mode": "edit"})
        with st.popover(say("solver.share"), key="w_open_share", on_change="rerun") as shown:
            if shown.open:
                _share(house, start, where)


def _mode() -> None:
    """Change between walking and playing out; playing begins at the place of the walk."""
    mode, where = st.session_state["w_mode"], state.walk()
    state.change(mode=mode, line=where.line[: where.at], seat=-1)


def _share(house: House, start: Position, where: Walk) -> None:
    """Show the links: to the endgame, to the position on the table, to the endgame as a puzzle."""
    say = house.words.say
    now = state.line(start, where).position
    address = link(house, start)
    shown = [("solver.share.start", address)]
    if now is not None and now != start:
        shown.append(("solver.share.now", link(house, now)))
    found = solver_jobs.known(start, "win")
    if found is not None and solver_walk.worth(start, found.value) > 0:
        shown.append(("solver.share.puzzle", link(house, start, "puzzles")))
    for key, text in shown:
        st.caption(say(key))
        st.code(text, language=None, wrap_lines=True)
    picture = segno.make(address, error="m").svg_inline(scale=4, border=3, light="white")
    st.image(picture, width=220, alt=say("solver.share.start"))
    st.caption(say("app.foot.code"))
    st.code(
        f"import ddz_core as ddz\n\npos = ddz.decode({codes.encode(start)!r})\nddz.solve(pos)",
        language="python",
        wrap_lines=True,
    )


def link(house: House, position: Position, page: str = "") -> str:
    """Return the address of a position on this server."""
    base = (st.context.url or "").partition("?")[0]
    if page:
        base = base.rpartition("/")[0] + "/" + page
    asked = {
        state.CODE: codes.encode(position),
        session.LANG: house.lang,
        session.RULES: position.rules.id,
    }
    return f"{base}?{urlencode(asked)}"


def _below(start: Position | None) -> None:
    """Draw the way to the plain page."""
    keys = (session.LANG, session.RULES, session.HOUSE_RULES)
    query = {key: session.get(key) for key in keys if session.get(key)}
    if start is not None:
        query[state.CODE] = codes.encode(start)
    board_mount.switch("solver", query)


# --- playing out -----------------------------------------------------------------------------


def _play(house: House, start: Position, where: Walk) -> None:
    """Draw the game against the perfect defence."""
    seat = where.seat if 0 <= where.seat < len(start.hands) else _first(start, where)
    seats = solver_play.side(start, seat)
    line = state.line(start, where)
    if line.position is not None and line.position.to_move not in seats:
        with st.spinner(house.words.say("solver.thinking")):
            line = solver_play.settled(line, seats)
        state.change(line=line.texts, at=len(line.steps))
    marks = trial.marks(line, seats, solver_play.judge())
    shown = Board(
        refused=board_mount.refused(),
        line=line,
        whole=line,
        seat=solver_play.seat_below(line, seats),
        acts=True,
        name=f"play-{where.code}",
        messages=_problem() or solver_play.report(house.words, line, marks),
        notes=solver_play.notes(marks),
        result=_result(house, line, seats),
        tools=(_undo(house, line, seats),),
    )
    board_mount.board(house, "play_board", shown, lambda action: _acted(action, start, seats))
    _play_controls(house, start, line, seats)


def _first(start: Position, where: Walk) -> int:
    """Return the hand that was to move when playing out began."""
    position = state.line(start, where).position
    seat = start.to_move if position is None else position.to_move
    state.change(seat=seat)
    return seat


def _undo(house: House, line: Line, seats: tuple[int, ...]) -> contract.Button:
    own = any(step.seat in seats for step in line.steps)
    return {"kind": "undo", "label": house.words.say("table.tool.undo"), "disabled": not own}


def _result(house: House, line: Line, seats: tuple[int, ...]) -> contract.Result | None:
    if not line.over:
        return None
    won = line.winner == lines.side_of(line.start, seats[0])
    say = house.words.say
    return {
        "title": say("solver.result.won" if won else "solver.result.lost"),
        "steps": [],
        "points": [],
        "buttons": [
            {"kind": "deal", "label": say("solver.restart"), "value": "same", "primary": True},
            {"kind": "undo", "label": say("table.tool.undo")},
        ],
    }


def _problem() -> tuple[contract.Message, ...]:
    error = st.session_state.pop("w_play_problem", None)
    if not isinstance(error, DdzError):
        return ()
    return ({"text": shell.words().error(error), "tone": "error"},)


def _acted(action: contract.Action, start: Position, seats: tuple[int, ...]) -> None:
    kind = action["kind"]
    if kind == "undo":
        _take_back(start, seats)
    elif kind == "deal":
        state.change(line=(), at=0)
    elif kind == "jump":
        state.change(line=state.walk().line[: int(action.get("at", 0))])
        state.stand(int(action.get("at", 0)))
    elif kind in ("play", "pass"):
        _do("pass" if kind == "pass" else str(action.get("move", "")), start, seats)


def _do(text: str, start: Position, seats: tuple[int, ...]) -> None:
    """Carry out an action of the reader's and the answers to it."""
    line = state.line(start, state.walk())
    try:
        after = trial.acted(line, text, seats, solver_play.judge())
    except DdzError as error:
        st.session_state["w_play_problem"] = error
        board_mount.refuse()
        return
    state.change(line=after.texts, at=len(after.steps))


def _take_back(start: Position, seats: tuple[int, ...]) -> None:
    line = trial.taken_back(state.line(start, state.walk()), seats)
    state.change(line=line.texts, at=len(line.steps))


def _play_controls(house: House, start: Position, line: Line, seats: tuple[int, ...]) -> None:
    """Draw the field for typed plays, taking back, and which side the reader plays."""
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="play_tools"):
        if line.position is not None:
            solver_walk.typed_play(house, "play", _do, (start, seats))
        st.button(
            say("table.tool.undo"),
            key="w_play_undo",
            disabled=not any(step.seat in seats for step in line.steps),
            on_click=_take_back,
            args=(start, seats),
        )
        st.button(
            say("solver.restart"),
            key="w_play_restart",
            disabled=not line.steps,
            on_click=state.change,
            kwargs={"line": (), "at": 0},
        )
        lord, farm = (
            start.landlords[0],
            next(s for s in range(len(start.hands)) if s not in start.landlords),
        )
        st.session_state["w_play_side"] = lord if lord in seats else farm
        st.segmented_control(
            say("solver.side"),
            (lord, farm),
            format_func=lambda s: say("solver.side.lord" if s == lord else "solver.side.farm"),
            key="w_play_side",
            required=True,
            label_visibility="collapsed",
            on_change=lambda: state.change(seat=st.session_state["w_play_side"], line=(), at=0),
        )
    if board_mount.plain() and line.over:
        won = line.winner == lines.side_of(start, seats[0])
        st.markdown(say("solver.result.won" if won else "solver.result.lost"))
