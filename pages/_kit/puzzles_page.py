"""The puzzle collection: by grade, role and theme, with progress; one puzzle open at a time."""

from __future__ import annotations

from collections import Counter
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st

import ddz_core.render
from ddz_core import puzzles
from ddz_core.errors import DdzError
from ddz_core.puzzles import progress
from pages._kit import board_mount, explorer_foot, puzzles_own, puzzles_solve, session, shell
from pages._kit import puzzles_state as state
from pages._kit.solver_setup import spaced
from pages._kit.solver_state import CODE

if TYPE_CHECKING:
    from ddz_core.puzzles import Puzzle
    from ddz_core.puzzles.progress import Progress
    from pages._kit.puzzles_state import Open
    from pages._kit.shell import House

STORAGE = "paili.puzzles"
"""Where the browser keeps the progress."""

KEEPER = "puzzles_keeper"
SHAPES = ("duel", "landlord", "farmer")
SIGNS = {"clean": ":material/check_circle:", "helped": ":material/check:", None: ""} | {
    "tried": ":material/more_horiz:"
}
STYLE = """
[class*="st-key-puzzles_grade_"] { display: grid; gap: .5rem;
  grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); }
[class*="st-key-puzzles_grade_"] > div { width: auto; min-width: 0; }
[class*="st-key-puzzles_grade_"] button { width: 100%; justify-content: flex-start;
  min-height: 2.5rem; padding: 0 .6rem; }
[class*="st-key-puzzles_grade_"] button p { font-size: .9375rem; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.st-key-play_tools [data-testid="stForm"] { padding: 0; }
.st-key-play_tools [data-testid="InputInstructions"] { display: none; }
[data-testid="stLayoutWrapper"]:has(> .st-key-document_puzzles) { position: absolute; }
"""

_component = st.components.v2.component(
    "paili_puzzle_keeper",
    js=(Path(ddz_core.render.__file__).parent / "keeper.js").read_text(encoding="utf-8"),
)


def board(house: House) -> None:
    """Draw the page; while a game is being searched it looks at it twice a second."""
    polling = puzzles_own.live()
    st.fragment(_board, run_every=0.5 if polling else None)(house, polling=polling)


def _board(house: House, *, polling: bool) -> None:
    explorer_foot.style(house)
    st.html(f"<style>{STYLE}</style>")
    keep()
    now = state.opened()
    if now is None:
        _list(house)
        puzzles_own.panel(house)
    else:
        following = _following(now)
        _bar(house, now, following)
        puzzles_solve.draw(house, now, following)
    _below(now)
    if puzzles_own.live() != polling:
        # the timer belongs to the fragment, which only a whole run makes anew
        st.rerun()


def keep() -> None:
    """Let the browser keep the progress, or ask what it kept."""
    with st.container(key="document_puzzles", height=1, border=False):
        _component(
            key=KEEPER,
            data={"key": STORAGE, "text": session.get(session.SOLVED) or None},
            on_kept_change=_kept,
        )


def _kept() -> None:
    """Take what the browser kept, beside what this session has."""
    sent = (st.session_state[KEEPER] or {}).get("kept")
    text = sent.get("text") if isinstance(sent, dict) else None
    if isinstance(text, str) and text:
        try:
            kept = progress.read(text)
        except DdzError:
            return
        session.put(session.SOLVED, progress.write(progress.merged(kept, state.solved())))


# --- the list --------------------------------------------------------------------------------


def shape_of(one: Puzzle) -> str:
    """Return what a puzzle's hands are: two, or three with the learner as landlord or farmer."""
    return "duel" if len(one.hands) == 2 else one.role


def _list(house: House) -> None:
    say, done = house.words.say, state.solved()
    every = puzzles.puzzles()
    solved = sum(done.solved(one.id) for one in every)
    with st.container(border=True, key="panel_puzzles"):
        head = say("puzzle.head", n=solved, of=len(every))
        st.html(f'<p class="paili-head">{escape(head)}</p>')
        st.progress(solved / max(1, len(every)))
        found = _filtered(house, every, done)
        if not found:
            st.markdown(say("puzzle.nothing"))
        for grade in puzzles.GRADES:
            graded = [one for one in found if one.grade == grade]
            if graded:
                _grade(house, grade, graded, every, done)
        explorer_foot.note(say("puzzle.grades.what"))
        explorer_foot.note(say("puzzle.sizes"))
        explorer_foot.note(say("puzzle.keep"))
        _files(house, done)


def _grade(
    house: House, grade: int, graded: list[Puzzle], every: tuple[Puzzle, ...], done: Progress
) -> None:
    """Draw the puzzles of a grade, each as a button with the sizes of its hands."""
    say = house.words.say
    whole = [one for one in every if one.grade == grade]
    count = say("puzzle.count", n=sum(done.solved(one.id) for one in whole), of=len(whole))
    st.html(
        f'<p class="paili-head" style="font-size:1rem">{escape(say(f"puzzle.grade.{grade}"))} '
        f'<span class="paili-note">{escape(count)}</span></p>'
    )
    with st.container(key=f"puzzles_grade_{grade}"):
        for one in graded:
            role = say(f"table.role.{one.role}")
            sizes = " / ".join(str(len(hand)) for hand in one.hands)
            result = say(f"puzzle.result.{done.of(one.id) or 'new'}")
            st.button(
                f"**{one.id}** {shell.plain(role)} {shell.plain(sizes)}",
                key=f"w_open_{one.id}",
                icon=SIGNS[done.of(one.id)] or None,
                help=f"{shell.plain(spaced(house, one.hands))} · {result}",
                on_click=state.open_puzzle,
                args=(one.id,),
            )


def _filtered(house: House, every: tuple[Puzzle, ...], done: Progress) -> list[Puzzle]:
    """Draw the filters and return what they leave."""
    say = house.words.say
    about = Counter(name for one in every for name in one.themes)
    with st.container(horizontal=True, vertical_alignment="bottom", key="puzzle_filters"):
        shape = st.segmented_control(
            say("puzzle.shape"),
            SHAPES,
            format_func=lambda name: say(f"puzzle.shape.{name}"),
            key="w_puzzle_shape",
            wrap=True,
        )
        grade = st.segmented_control(
            say("puzzle.grade"), puzzles.GRADES, format_func=str, key="w_puzzle_grade"
        )
        theme = st.selectbox(
            say("puzzle.theme"),
            ["", *(name for name in puzzles.NAMES if about[name])],
            format_func=lambda name: (
                f"{say(f'puzzle.theme.{name}')} · {about[name]}"
                if name
                else say("puzzle.theme.any")
            ),
            key="w_puzzle_theme",
            width=260,
            help=say("puzzle.theme.help"),
        )
        new = st.toggle(say("puzzle.new"), key="w_puzzle_new")
    if theme:
        explorer_foot.note(say(f"puzzle.theme.{theme}.what"))
    return [
        one
        for one in every
        if shape in (None, shape_of(one))
        and grade in (None, one.grade)
        and (not theme or theme in one.themes)
        and not (new and done.solved(one.id))
    ]


def _files(house: House, done: Progress) -> None:
    """Draw the file in which the learner keeps the progress."""
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.download_button(
            say("puzzle.download"),
            data=progress.write(done).encode(),
            file_name="paili-puzzles.txt",
            mime="text/plain",
            on_click="ignore",
            key="w_puzzles_file",
            disabled=not done.entries,
        )
        with st.popover(say("puzzle.open"), key="w_puzzles_load", on_change="rerun") as shown:
            if shown.open:
                _upload(house)


def _upload(house: House) -> None:
    sent = st.file_uploader(
        house.words.say("puzzle.upload"), type=["txt"], key="w_puzzles_upload", max_upload_size=1
    )
    if sent is None:
        return
    try:
        text = sent.getvalue()[: progress.LONGEST].decode("utf-8-sig", errors="replace")
        # an empty file is none of ours
        read = progress.read(text.strip() or "\N{EMPTY SET}")
        session.put(session.SOLVED, progress.write(progress.merged(state.solved(), read)))
        st.markdown(house.words.say("puzzle.opened", n=len(read.entries)))
    except DdzError as error:
        shell.refuse(error)


# --- around an open puzzle -------------------------------------------------------------------


def _following(now: Open) -> str:
    """Return the name of the next puzzle that is not solved, in the order of the list."""
    if now.puzzle is None:
        return ""
    every, done = puzzles.puzzles(), state.solved()
    names = [one.id for one in every]
    at = names.index(now.puzzle.id)
    order = [*names[at + 1 :], *names[:at]]
    return next((name for name in order if not done.solved(name)), "")


def _bar(house: House, now: Open, following: str) -> None:
    """Draw the way back to the list, to the next puzzle, and the link to this one."""
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="puzzle_bar"):
        st.button(
            say("puzzle.list"),
            key="w_puzzle_list",
            icon=":material/chevron_left:",
            on_click=state.close,
        )
        if following:
            st.button(
                say("puzzle.next"),
                key="w_puzzle_next",
                on_click=state.open_puzzle,
                args=(following,),
            )
        st.space("stretch")
        with st.popover(say("solver.share"), key="w_open_share", on_change="rerun") as shown:
            if shown.open:
                st.caption(say("puzzle.link"))
                st.code(_link(house, now), language=None, wrap_lines=True)


def _link(house: House, now: Open) -> str:
    asked = {session.LANG: house.lang, session.RULES: now.start.rules.id}
    asked |= {state.NAME: now.trial.id} if now.trial.id else {CODE: now.trial.code}
    return f"{(st.context.url or '').partition('?')[0]}?{urlencode(asked)}"


def _below(now: Open | None) -> None:
    """Draw the way to the plain page."""
    if now is None:
        return
    keys = (session.LANG, session.RULES, session.HOUSE_RULES)
    query = {key: session.get(key) for key in keys if session.get(key)}
    query |= {state.NAME: now.trial.id} if now.trial.id else {CODE: now.trial.code}
    board_mount.switch("puzzles", query)
