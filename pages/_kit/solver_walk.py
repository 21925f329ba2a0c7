"""The answer of an endgame: who wins, what every play leads to, the tree to walk through."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, cast

import streamlit as st

from ddz_core import codes
from ddz_core.actions import PASS
from ddz_core.errors import DdzError
from ddz_core.puzzles import lines
from ddz_core.render import position_view
from ddz_core.render.position_view import Board
from pages._kit import board_mount, explorer_foot, jobs, shell, solver_jobs
from pages._kit import solver_state as state

if TYPE_CHECKING:
    from collections.abc import Callable

    from ddz_core.positions import Position
    from ddz_core.puzzles.lines import Line
    from ddz_core.render import contract
    from ddz_core.solver import Objective, Solution, Verdict
    from pages._kit.shell import House
    from pages._kit.solver_state import Walk

SHOWN = 40
"""Plays of one group that stand open; the others are one press away."""


def panel(house: House, start: Position, where: Walk) -> None:
    """Draw the board at the place of the walk, and the answers there."""
    line = state.line(start, where)
    seat = where.seat if 0 <= where.seat < len(start.hands) else start.to_move
    found = None
    if line.position is not None:
        found = solver_jobs.known(line.position, where.objective)
    if line.position is None:
        _over(house, line)
    elif found is not None:
        _headline(house, line.position, found)
    shown = Board(
        refused=board_mount.refused(),
        line=line,
        whole=state.whole(start, where),
        seat=seat,
        acts=True,
        name=f"walk-{where.code}",
        tools=_tools(house, where),
    )
    board_mount.board(house, "walk_board", shown, lambda action: _acted(action, line))
    _controls(house, start, line, where, seat)
    if line.position is not None:
        with st.container(border=True, key="panel_answer"):
            _answer(house, line, line.position, where, found)


def _tools(house: House, where: Walk) -> tuple[contract.Button, ...]:
    say = house.words.say
    back: contract.Button = {"kind": "undo", "label": say("solver.back"), "disabled": not where.at}
    return (back,)


def _acted(action: contract.Action, line: Line) -> None:
    """Walk as the browser says: a play, a pass, a step back, or to a place of the history."""
    kind = action["kind"]
    if kind == "undo":
        state.stand(state.walk().at - 1)
    elif kind == "jump":
        state.stand(int(action.get("at", 0)))
    elif kind in ("play", "pass"):
        _go(line, "pass" if kind == "pass" else str(action.get("move", "")))


def _go(line: Line, text: str) -> None:
    """Walk on by an action as text, if it is legal; else say why not, once."""
    st.session_state["w_walk_problem"] = None
    try:
        after = line.play(text)
    except DdzError as error:
        st.session_state["w_walk_problem"] = error
        board_mount.refuse()
        return
    state.go(after.steps[-1].action)


def _controls(house: House, start: Position, line: Line, where: Walk, seat: int) -> None:
    """Draw back, forward, a field for typed plays, and whose hand lies at the bottom."""
    say = house.words.say
    crumbs = [position_view.action_text(house.words, step.move) for step in line.steps]
    path = " → ".join([say("solver.start"), *crumbs])
    st.html(f'<p class="paili-note paili-path">{escape(path)}</p>')
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="walk_tools"):
        st.button(
            say("solver.first"),
            key="w_walk_first",
            icon=":material/first_page:",
            disabled=not where.at,
            on_click=state.stand,
            args=(0,),
        )
        st.button(
            say("solver.back"),
            key="w_walk_back",
            icon=":material/chevron_left:",
            disabled=not where.at,
            on_click=state.stand,
            args=(where.at - 1,),
        )
        st.button(
            say("solver.forward"),
            key="w_walk_forward",
            icon=":material/chevron_right:",
            disabled=where.at >= len(where.line),
            on_click=state.stand,
            args=(where.at + 1,),
        )
        if line.position is not None:
            typed_play(house, "walk", _typed, (start, where))
        _seats(house, start, seat)
    problem = st.session_state.get("w_walk_problem")
    if isinstance(problem, DdzError):
        shell.refuse(problem)


def typed_play(
    house: House, name: str, then: Callable[..., None], args: tuple[object, ...]
) -> None:
    """Draw a field for a typed play; ``then`` gets the text before ``args``."""
    say, key = house.words.say, f"w_{name}_typed"

    def sent() -> None:
        then(str(st.session_state.get(key, "")).strip() or PASS, *args)

    with (
        st.form(f"w_{name}_form", border=False, clear_on_submit=True, enter_to_submit=True),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        st.text_input(
            say("solver.typed"),
            key=key,
            max_chars=80,
            width=200,
            placeholder=say("solver.typed.holder"),
            label_visibility="collapsed",
            autocomplete="off",
        )
        st.form_submit_button(say("solver.typed.go"), on_click=sent)


def _typed(text: str, start: Position, where: Walk) -> None:
    _go(state.line(start, where), text)


def _seats(house: House, start: Position, seat: int) -> None:
    key = "w_walk_seat"
    st.session_state[key] = seat
    st.segmented_control(
        house.words.say("solver.view"),
        range(len(start.hands)),
        format_func=lambda s: position_view.who(house.words, start, s),
        key=key,
        required=True,
        wrap=True,
        label_visibility="collapsed",
        on_change=lambda: state.change(seat=int(st.session_state[key] or 0)),
    )


# --- answers ---------------------------------------------------------------------------------


def _over(house: House, line: Line) -> None:
    side = "lord" if line.winner > 0 else "farm"
    text = house.words.say(f"solver.over.{side}")
    st.html(f'<p class="paili-head">{escape(text)}</p>')


def _answer(
    house: House, line: Line, position: Position, where: Walk, found: Solution | None
) -> None:
    """Draw every play of the position on the table, or how the search for them stands."""
    more = 0
    if found is None:
        found, more = _job(house, position, where.objective)
        if found is None:
            return
        _headline(house, position, found)
    _plays(house, line, position, found)
    _counted(house, found)
    if more:
        _go_on(house, position, where.objective, more)
    _foot(house, position, found)


def _go_on(house: House, position: Position, objective: Objective, budget: int) -> None:
    """Offer a search with a larger budget."""
    question = solver_jobs.asked(codes.encode(position), objective, budget)
    st.button(
        house.words.say("solver.more", budget=f"{budget:,}"),
        key="w_solve_more",
        on_click=_start,
        args=(position, objective, question, budget),
    )


def _job(house: House, position: Position, objective: Objective) -> tuple[Solution | None, int]:
    """Watch the job that solves a position, starting it where there is none.

    Returns:
        Its result, and the budget of a longer search where it did not finish.
    """
    say, code = house.words.say, codes.encode(position)
    job, question = solver_jobs.current()
    budgets = [solver_jobs.asked(code, objective, budget) for budget in solver_jobs.BUDGETS]
    if question not in budgets:
        _start(position, objective, budgets[0], solver_jobs.BUDGETS[0])
        job, question = solver_jobs.current()
    look = jobs.runner().look(job)
    if look.state in ("unknown", "abandoned", "cancelled"):
        st.button(
            say("solver.again"),
            key="w_solve_again",
            on_click=_start,
            args=(position, objective, budgets[0], solver_jobs.BUDGETS[0]),
        )
        return None, 0
    if look.state == "failed":
        if isinstance(look.error, DdzError):
            shell.refuse(look.error)
        return None, 0
    seen = cast("solver_jobs.Seen | None", look.result)
    if look.live:
        nodes = seen.nodes if seen else 0
        budget = solver_jobs.BUDGETS[budgets.index(question)]
        st.progress(
            min(1.0, nodes / budget),
            say("solver.searching", nodes=f"{nodes:,}", budget=f"{budget:,}"),
        )
        st.button(say("solver.stop"), key="w_solve_stop", on_click=solver_jobs.end, args=(job,))
        return None, 0
    if seen is None or seen.solution is None:
        return None, 0
    larger = solver_jobs.BUDGETS[budgets.index(question) + 1 :]
    open_plays = not solver_jobs.finished(seen.solution)
    return seen.solution, larger[0] if open_plays and larger else 0


def _start(position: Position, objective: Objective, question: str, budget: int) -> None:
    if not solver_jobs.start(position, objective, question, budget):
        st.toast(shell.words().say("surgeon.race.busy"))


def worth(position: Position, value: int) -> int:
    """Return a value as the side to move sees it."""
    return value * lines.side_of(position, position.to_move)


def _headline(house: House, position: Position, found: Solution) -> None:
    """Say who wins, or how many points the landlord's side gets, and how many plays keep it."""
    say = house.words.say
    mover = position_view.who(house.words, position, position.to_move)
    if not found.proven:
        head = say("solver.unknown", nodes=f"{found.nodes:,}")
    elif found.objective == "points":
        head = say("solver.points", n=f"{found.value:+d}")
    else:
        head = say("solver.wins.lord" if found.value > 0 else "solver.wins.farm")
    keeps = len(found.best)
    if not found.proven:
        rest = say("solver.unknown.what")
    elif not all(verdict.proven for verdict in found.plays):
        rest = say("solver.keeps.least", who=mover, n=keeps, of=len(found.plays))
    elif len(found.plays) == 1:
        rest = say("solver.forced", who=mover)
    elif worth(position, found.value) > 0 or found.objective == "points":
        rest = say("solver.keeps", who=mover, n=keeps, of=len(found.plays))
    else:
        rest = say("solver.lost", who=mover)
    st.html(
        f'<p class="paili-head">{escape(head)} <span class="paili-note">{escape(rest)}</span></p>'
    )


def _counted(house: House, found: Solution) -> None:
    """Say what points are counted, where they are the aim."""
    if found.objective == "points":
        explorer_foot.note(house.words.say("solver.points.what"))


def _plays(house: House, line: Line, position: Position, found: Solution) -> None:
    """Draw every action as a button, grouped by what it leads to, the best first."""
    order = sorted(
        found.plays,
        key=lambda v: (not v.proven, -worth(position, v.value), v.move is None),
    )
    for number, (key, group) in enumerate(
        groupby(order, key=lambda v: (v.proven, worth(position, v.value)))
    ):
        verdicts = list(group)
        proven, value = key
        _group(house, line, position, found, number, proven, value, verdicts)


def _group(
    house: House,
    line: Line,
    position: Position,
    found: Solution,
    number: int,
    proven: bool,
    value: int,
    verdicts: list[Verdict],
) -> None:
    say, n = house.words.say, len(verdicts)
    if not proven:
        sign, colour, head = "…", "gray", say("solver.group.unknown", n=n)
    elif found.objective == "points":
        best = verdicts[0].action in found.best
        sign, colour = ("✓", "blue") if best else ("✗", "orange")
        lord = value * lines.side_of(position, position.to_move)
        head = say("solver.group.points", n=n, points=f"{lord:+d}")
    elif value > 0:
        sign, colour, head = "✓", "blue", say("solver.group.win", n=n)
    else:
        sign, colour, head = "✗", "orange", say("solver.group.lose", n=n)
    st.markdown(f":{colour}-badge[{sign}] {shell.plain(head)}")
    key = f"w_group_{len(line.steps)}_{number}"
    every = n <= SHOWN or bool(st.session_state.get(key))
    with st.container(horizontal=True, gap="small", key=f"plays_{number}"):
        for place, verdict in enumerate(verdicts if every else verdicts[:SHOWN]):
            text = position_view.action_text(house.words, verdict.move)
            st.button(
                shell.plain(text),
                key=f"w_go_{len(line.steps)}_{number}_{place}",
                on_click=_go,
                args=(line, verdict.action),
            )
        if n > SHOWN:
            st.toggle(say("solver.all", n=n), key=key)


def _foot(house: House, position: Position, found: Solution) -> None:
    rows = [
        {
            "action": verdict.action,
            "kind": "" if verdict.move is None else verdict.move.kind,
            "value": verdict.value if verdict.proven else None,
            "proven": verdict.proven,
            "nodes": verdict.nodes,
        }
        for verdict in found.plays
    ]
    asked = f"objective={found.objective!r}, nodes={max(found.nodes, 1) * 2}"
    code = "\n".join(
        [
            "import ddz_core as ddz",
            "",
            f"pos = ddz.decode({codes.encode(position)!r})",
            f"answer = ddz.solve(pos, {asked})",
            "print(answer.value, answer.proven, answer.best)",
            "for verdict in answer.plays:",
            "    print(verdict.action, verdict.value if verdict.proven else None)",
        ]
    )
    st.html(
        '<p class="paili-note">'
        + escape(
            house.words.say(
                "solver.effort", nodes=f"{found.nodes:,}", seconds=f"{found.seconds:.2f}"
            )
        )
        + "</p>"
    )
    explorer_foot.foot(
        house, "endgame", rows, code, method="solved" if found.proven else "unproven"
    )
