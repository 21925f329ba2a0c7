"""The course: its lessons with what is known of each, what is due again, and the progress file."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

import ddz_core.render
from ddz_core import lessons
from ddz_core.errors import DdzError
from ddz_core.lessons import progress
from pages._kit import (
    explorer_foot,
    lesson_runner,
    lesson_state,
    lesson_words,
    session,
    shell,
)

if TYPE_CHECKING:
    from ddz_core.lessons import Fault, Lesson
    from ddz_core.lessons.progress import Progress
    from pages._kit.shell import House

STORAGE = "paili.lessons"
"""Where the browser keeps the progress."""

KEEPER = "lessons_keeper"

_component = st.components.v2.component(
    "paili_lessons_keeper",
    js=(Path(ddz_core.render.__file__).parent / "keeper.js").read_text(encoding="utf-8"),
)

_STYLE = """
[class*="st-key-row_"] { border-bottom: 1px solid %(line)s; padding: .25rem 0; row-gap: 0; }
[class*="st-key-row_"] button { padding: .25rem 0; }
[class*="st-key-row_"] button p { font-weight: 600; text-decoration: underline;
  text-underline-offset: 3px; text-align: left; }
"""
_COLOURS = {False: {"line": "#DED6C6"}, True: {"line": "#313D40"}}


@st.fragment
def board(house: House) -> None:
    """Draw the open lesson, or the list; only this part of the page runs again."""
    explorer_foot.style(house)
    _keep()
    lesson_state.show()
    now = lesson_state.opened()
    if now is not None:
        lesson_runner.draw(house, now)
        return
    st.html(f"<style>{_STYLE % _COLOURS[house.dark]}</style>")
    known = lesson_state.learned()
    _start(house, known)
    rungs: dict[str, list[Lesson]] = {}
    for one in map(lessons.load, lessons.lesson_ids("course")):
        rungs.setdefault(lesson_words.deck(house, one.game), []).append(one)
    left, right = st.columns(2)
    with left:
        for i, (deck, found) in enumerate(rungs.items()):
            _list(house, f"rung_{i}", house.words.say("lesson.rung", n=i + 1), deck, found, known)
    with right:
        tactics = [lessons.load(one) for one in lessons.lesson_ids("tactics")]
        say = house.words.say
        _list(house, "tactics", say("lesson.tactics"), say("lesson.tactics.what"), tactics, known)
        drills = [lessons.load(one) for one in lessons.lesson_ids("drill")]
        _list(house, "drills", say("lesson.drills"), say("lesson.drills.what"), drills, known)
        _own(house)
        _progress(house, known)


def _keep() -> None:
    """Let the browser keep the progress, and take what it kept."""
    with st.container(key="document_lessons", height=1, border=False):
        _component(
            key=KEEPER,
            data={"key": STORAGE, "text": session.get(session.LEARNED) or None},
            on_kept_change=_kept,
        )


def _kept() -> None:
    """Take what the browser kept, beside what was answered since this session began."""
    sent = (st.session_state[KEEPER] or {}).get("kept")
    text = sent.get("text") if isinstance(sent, dict) else None
    if isinstance(text, str) and text:
        try:
            kept = progress.read(text[: progress.LARGEST])
        except DdzError:
            return
        both = progress.merged(kept, lesson_state.learned())
        session.put(session.LEARNED, progress.write(both))


def _start(house: House, known: Progress) -> None:
    """Draw what to do next: the first task of the course not yet known, and what is due again."""
    say = house.words.say
    following = next_lesson(known)
    due = lesson_state.due()
    with st.container(border=True, key="panel_start"):
        begun = bool(known.items)
        st.html(f'<p class="paili-head">{escape(say("lesson.head"))}</p>')
        st.markdown(say("lesson.lead"))
        with st.container(horizontal=True, gap="small"):
            if following is not None:
                title = lesson_words.title(house, following)
                st.button(
                    say("lesson.continue" if begun else "lesson.begin", title=title),
                    type="primary",
                    key="w_course_start",
                    on_click=lesson_state.open_lesson,
                    args=(following.id, first_open(following, known)),
                )
            if due:
                st.button(
                    say("lesson.due", n=len(due)),
                    key="w_course_due",
                    type="secondary" if following is not None else "primary",
                    on_click=lesson_state.open_due,
                )
            if st.button(say("lesson.game.full"), key="w_course_game", type="tertiary"):
                query = {"guided": "1", session.LANG: house.lang, session.RULES: "primer"}
                st.switch_page("pages/table.py", query_params=query)


def next_lesson(known: Progress) -> Lesson | None:
    """Return the first lesson of the course with a task never answered; None after the last."""
    for one in map(lessons.load, lessons.lesson_ids("course")):
        if known.asked(one) < len(one.tasks):
            return one
    return None


def first_open(lesson: Lesson, known: Progress) -> int:
    """Return the step of a lesson's first task that was never answered."""
    names = {i: progress.name_of(lesson.id, i) for i in lesson.tasks}
    return next((i for i, name in names.items() if not known.item(name).asked), 0)


def _list(
    house: House, key: str, head: str, note: str, found: list[Lesson], known: Progress
) -> None:
    """Draw some lessons as rows: title, tasks known, minutes."""
    say = house.words.say
    with st.container(border=True, key=f"panel_{key}"):
        st.html(
            f'<p class="paili-head">{escape(head)} '
            f'<span class="paili-note">{escape(note)}</span></p>'
        )
        for one in found:
            number = f"{one.place}. " if one.place else ""
            with st.container(
                horizontal=True, vertical_alignment="center", key=f"row_{one.id}", gap="small"
            ):
                st.button(
                    shell.plain(number + lesson_words.title(house, one)),
                    key=f"w_lesson_open_{one.id}",
                    type="tertiary",
                    on_click=lesson_state.open_lesson,
                    args=(one.id,),
                )
                st.space("stretch")
                right, of = known.known(one), len(one.tasks)
                sign = "✓ " if right == of else ""
                text = say("lesson.row", sign=sign, n=right, of=of)
                st.html(f'<span class="paili-note">{escape(text)}</span>', width="content")


def _own(house: House) -> None:
    """Draw the field for a lesson file of somebody's, and what is wrong with it."""
    say = house.words.say
    with st.container(border=True, key="panel_own"):
        st.html(f'<p class="paili-head">{escape(say("lesson.own"))}</p>')
        st.markdown(say("lesson.own.what"))
        mine = lesson_state.own()
        if mine is not None:
            st.button(
                say("lesson.own.open", title=shell.plain(lesson_words.title(house, mine))),
                key="w_own_open",
                on_click=lesson_state.open_lesson,
                args=(lesson_state.OWN,),
            )
        with st.popover(say("lesson.own.file"), key="w_own_choose", on_change="rerun") as asked:
            if asked.open:
                st.file_uploader(
                    say("lesson.own.file"),
                    type="toml",
                    key="w_own_file",
                    max_upload_size=1,
                    on_change=_take,
                    label_visibility="collapsed",
                )
        found = st.session_state.get("w_lesson_faults")
        if isinstance(found, list):
            faults(house, found)


def _take() -> None:
    """Check the file sent; one that is right is opened, of another the faults are shown."""
    sent = st.session_state.get("w_own_file")
    st.session_state["w_lesson_faults"] = None
    if sent is None:
        return
    try:
        text = sent.getvalue()[: 4 * lessons.MOST_FILE].decode("utf-8-sig", errors="replace")
        found = lesson_state.take(text)
    except DdzError as error:
        found = [lessons.Fault("", 0, "", error)]
    if found:
        st.session_state["w_lesson_faults"] = found
    else:
        lesson_state.open_lesson(lesson_state.OWN)


def faults(house: House, found: list[Fault]) -> None:
    """Draw what is wrong with a lesson, each fault once with its step."""
    say = house.words.say
    lines = lesson_words.faults(house, found)
    st.error(shell.plain(say("lesson.faults", n=len(lines))))
    for line in lines[:20]:
        st.markdown(shell.plain(line))


def _progress(house: House, known: Progress) -> None:
    """Draw the file that the learner owns."""
    say = house.words.say
    with st.container(border=True, key="panel_progress"):
        st.html(f'<p class="paili-head">{escape(say("lesson.progress"))}</p>')
        explorer_foot.note(say("lesson.progress.what"))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.download_button(
                say("quiz.download"),
                data=progress.write(known).encode(),
                file_name="paili-lessons.txt",
                mime="text/plain",
                on_click="ignore",
                key="w_learned_file",
                disabled=not known.items,
            )
            with st.popover(say("quiz.open"), key="w_learned_open", on_change="rerun") as shown:
                if shown.open:
                    _upload(house)


def _upload(house: House) -> None:
    sent = st.file_uploader(house.words.say("quiz.upload"), type=["txt"], key="w_learned_upload")
    if sent is None:
        return
    try:
        text = sent.getvalue()[: progress.LARGEST].decode("utf-8-sig", errors="replace")
        # an empty file is none of ours
        read = progress.read(text.strip() or "\N{EMPTY SET}")
        both = progress.merged(lesson_state.learned(), read)
        session.put(session.LEARNED, progress.write(both))
        st.markdown(house.words.say("quiz.opened"))
    except DdzError as error:
        shell.refuse(error)
