"""Puzzles from the reader's own games: a pasted game searched for moments with one right play."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import msgspec
import streamlit as st

from ddz_core import codes, imports
from ddz_core.errors import DdzError
from ddz_core.puzzles import Judge, own_games
from ddz_core.render import wording
from pages._kit import explorer_foot, jobs, session, shell, table_state
from pages._kit import puzzles_state as state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ddz_core.game import Game
    from pages._kit.shell import House

NODES = 400_000
"""Nodes of the solver for one moment; some tenths of a second."""

LONGEST = 60_000


class Found(msgspec.Struct, frozen=True):
    """A moment that makes a puzzle: its place in the game, role, position's code, what was done."""

    index: int
    role: str
    code: str
    played: str
    right: bool
    hard: bool


class Own(msgspec.Struct, frozen=True):
    """What was searched: the job, and what it found once it has ended."""

    job: str = ""
    ended: bool = False
    found: tuple[Found, ...] = ()


def own() -> Own:
    """Return what was searched in this session."""
    try:
        return msgspec.json.decode(session.get(session.OWN) or "{}", type=Own)
    except msgspec.MsgspecError:
        return Own()


def _put(changed: Own) -> None:
    session.put(session.OWN, msgspec.json.encode(changed).decode())


def live() -> bool:
    """Tell whether a game is being searched."""
    now = own()
    return bool(now.job) and not now.ended and jobs.runner().look(now.job).live


def _work(game: Game) -> Iterator[tuple[Found, ...]]:
    found: tuple[Found, ...] = ()
    for moment in own_games.moments(game, Judge(NODES)):
        if moment is not None:
            seats = len(moment.position.hands)
            role = wording.role_of(moment.position.to_move, moment.position.landlords, seats)
            code = codes.encode(moment.position)
            one = Found(moment.index, role, code, moment.played, moment.right, moment.hard)
            found = (*found, one)
        yield found


def panel(house: House) -> None:
    """Draw where a game is pasted, how the search stands, and what it found."""
    say = house.words.say
    with st.container(border=True, key="panel_own"):
        st.html(f'<p class="paili-head">{escape(say("puzzle.own.head"))}</p>')
        st.markdown(say("puzzle.own.what", n=own_games.MOST_CARDS))
        with st.form("w_own_form", border=False):
            st.text_area(say("puzzle.own.paste"), key="w_own_text", height=110, max_chars=LONGEST)
            with st.container(horizontal=True, gap="small"):
                st.form_submit_button(say("puzzle.own.search"), on_click=_pasted)
                if table_state.current() is not None:
                    st.form_submit_button(say("puzzle.own.table"), on_click=_of_table)
        problem = st.session_state.pop("w_own_problem", None)
        if isinstance(problem, DdzError):
            shell.refuse(problem)
        _watch(house)


def _pasted() -> None:
    """Search the game that was pasted, the first where there are several."""
    text = str(st.session_state.get("w_own_text", "")).strip()
    if not text:
        return
    try:
        read = imports.read(text)
        _start(read if not isinstance(read, list) else read[0])
    except DdzError as error:
        st.session_state["w_own_problem"] = error


def _of_table() -> None:
    """Search the game on the table."""
    table = table_state.current()
    if table is not None:
        _start(table.game)


def _start(game: Game) -> None:
    try:
        job = jobs.runner().start(lambda: _work(game), instead_of=own().job)
    except jobs.Busy:
        st.toast(shell.words().say("surgeon.race.busy"))
        return
    _put(Own(job))


def _watch(house: House) -> None:
    say, now = house.words.say, own()
    if not now.job:
        return
    found = now.found
    if not now.ended:
        look = jobs.runner().look(now.job)
        result: Any = look.result
        found = result or ()
        if look.state == "failed" and isinstance(look.error, DdzError):
            shell.refuse(look.error)
        if look.live:
            st.progress(
                min(1.0, look.done / 30), say("puzzle.own.searching", n=look.done, k=len(found))
            )
            st.button(
                say("surgeon.race.stop"),
                key="w_own_stop",
                on_click=jobs.runner().cancel,
                args=(now.job,),
            )
        else:
            _put(Own(now.job, ended=True, found=found))
    if not found and own().ended:
        st.markdown(say("puzzle.own.none"))
    for one in found:
        text = say(
            "puzzle.own.right" if one.right else "puzzle.own.wrong",
            n=one.index + 1,
            role=say(f"table.role.{one.role}"),
            cards=_shown(house, one.played),
        )
        st.button(
            shell.plain(text),
            key=f"w_own_{one.index}",
            type="tertiary" if one.right else "secondary",
            on_click=state.open_code,
            args=(one.code,),
        )
    if found:
        explorer_foot.note(say("puzzle.own.note"))


def _shown(house: House, played: str) -> str:
    if played == "pass":
        return house.words.say("table.said.pass")
    return wording.card_text(house.words, played.partition("=")[0])
