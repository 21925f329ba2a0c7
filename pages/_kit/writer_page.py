"""The writer: a source, the moments of it, the steps with what is asked and right, the check."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st

import ddz_core.render
from ddz_core import codes, lessons
from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.lessons import scenes, writing
from ddz_core.render import asked_view, wording
from pages._kit import (
    class_rooms,
    explorer_foot,
    lesson_state,
    lesson_words,
    session,
    shell,
    writer_present,
)
from pages._kit import writer_state as state

if TYPE_CHECKING:
    from collections.abc import Callable

    from ddz_core.language import Words
    from ddz_core.lessons import Lesson, Step
    from ddz_core.lessons.writing import Moment
    from ddz_core.patterns import Move
    from ddz_core.render.cards import Theme
    from pages._kit.shell import House

STORAGE = "paili.writing"
"""Where the browser keeps what is being written."""
KEEPER = "writing_keeper"
_BETWEEN = re.compile(r"[^\w*=:.+-]+")
"""What stands between two answers, in any script."""

_component = st.components.v2.component(
    "paili_writing_keeper",
    js=(Path(ddz_core.render.__file__).parent / "keeper.js").read_text(encoding="utf-8"),
)


@st.fragment
def board(house: House) -> None:
    """Draw the page; only this part of it runs again when something on it changes."""
    explorer_foot.style(house)
    _keep()
    now = state.draft()
    left, right = st.columns([5, 6], gap="large")
    with left:
        _source(house)
        _head(house, now.lesson)
    with right:
        _bar(house, now.lesson)
        for at, step in enumerate(now.lesson.steps):
            _step(house, now.lesson, at, step)
        if not now.lesson.steps:
            explorer_foot.note(house.words.say("writer.empty"))


def _keep() -> None:
    """Let the browser keep what is being written, or ask what it kept."""
    with st.container(key="document_writing", height=1, border=False):
        _component(
            key=KEEPER,
            data={"key": STORAGE, "text": session.get(session.WRITING) or None},
            on_kept_change=_kept,
        )


def _kept() -> None:
    sent = (st.session_state[KEEPER] or {}).get("kept")
    text = sent.get("text") if isinstance(sent, dict) else None
    if isinstance(text, str) and text and not session.get(session.WRITING):
        session.put(session.WRITING, text[: lessons.MOST_FILE])


# --- what it is made of ----------------------------------------------------------------------


def _source(house: House) -> None:
    say, now = house.words.say, state.draft()
    with st.container(border=True, key="panel_source"):
        st.html(f'<p class="paili-head">{escape(say("writer.source"))}</p>')
        st.session_state["w_write_source"] = now.source
        st.text_area(
            say("writer.source.field"),
            key="w_write_source",
            max_chars=60_000,
            height=80,
            help=say("writer.source.help"),
            on_change=_sourced,
        )
        with st.container(horizontal=True, gap="small"):
            if session.get(session.GAME):
                st.button(say("writer.source.table"), key="w_write_table", on_click=_from_table)
            with st.popover(say("writer.open"), key="w_write_open", on_change="rerun") as shown:
                if shown.open:
                    _upload(house)
        problem = st.session_state.pop("w_write_problem", None)
        if isinstance(problem, DdzError):
            shell.refuse(problem)
        try:
            found = state.source()
        except DdzError as error:
            shell.refuse(error)
            return
        if isinstance(found, Game):
            _moments(house, found)
        elif found is not None:
            st.button(say("writer.add.position"), type="primary", key="w_write_add", on_click=_add)


def _sourced() -> None:
    now = state.draft()
    state.put(state.Draft(source=str(st.session_state["w_write_source"]), lesson=now.lesson))


def _from_table() -> None:
    state.put(state.Draft(source=session.get(session.GAME), lesson=state.draft().lesson))


def _add() -> None:
    _try(lambda: state.make([]))


def _try(act: Callable[[], None]) -> None:
    """Carry something out; what is wrong with it is said on the page."""
    try:
        act()
    except DdzError as error:
        st.session_state["w_write_problem"] = error


def _upload(house: House) -> None:
    st.file_uploader(
        house.words.say("writer.open.file"),
        type=["toml"],
        key="w_write_file",
        max_upload_size=1,
        on_change=_sent,
    )
    if st.session_state.pop("w_write_opened", False):
        st.markdown(house.words.say("writer.opened"))


def _sent() -> None:
    """Open the file that was just chosen: once, so that it never undoes what is written after."""
    sent = st.session_state["w_write_file"]
    if sent is None:
        return
    try:
        state.open_text(sent.getvalue().decode("utf-8-sig", errors="replace"))
        st.session_state["w_write_opened"] = True
    except DdzError as error:
        st.session_state["w_write_problem"] = error


def _moments(house: House, game: Game) -> None:
    """Draw the game's decisions to choose from, and the five that are suggested."""
    say = house.words.say
    found = writing.moments_of(game)
    if not found:
        st.markdown(say("writer.no_moments"))
        return
    st.button(
        say("writer.suggest", n=writing.STEPS),
        type="primary",
        key="w_write_suggest",
        help=say("writer.suggest.help"),
        on_click=lambda: _try(lambda: state.make([one.index for one in writing.suggested(game)])),
    )
    chosen = st.multiselect(
        say("writer.moments"),
        [one.index for one in found],
        format_func=lambda index: _moment(
            house.words, game, next(one for one in found if one.index == index)
        ),
        key="w_write_moments",
        placeholder=say("bid.like.any"),
    )
    st.button(
        say("writer.add"),
        key="w_write_add",
        disabled=not chosen,
        on_click=lambda: _try(lambda: state.make(sorted(chosen))),
    )
    st.button(
        say("writer.present.game"),
        key="w_write_present_game",
        type="tertiary",
        on_click=writer_present.begin,
        args=("game",),
    )


def _moment(words: Words, game: Game, one: Moment) -> str:
    role = wording.role_of(one.seat, game.landlords, game.deal.seats)
    done = (
        words.say("table.said.pass")
        if one.action == "pass"
        else wording.card_text(words, one.action)
    )
    return words.say(
        "writer.moment",
        index=one.index,
        who=words.say(f"table.role.{role}"),
        action=done,
        n=one.options,
    )


# --- the lesson ------------------------------------------------------------------------------


def _head(house: House, lesson: Lesson) -> None:
    """Draw the fields of the whole lesson."""
    say = house.words.say
    with st.container(border=True, key="panel_lesson"):
        st.html(f'<p class="paili-head">{escape(say("writer.lesson"))}</p>')
        for name, area in (("title", False), ("author", False), ("intro", True), ("outro", True)):
            key = f"w_write_{name}"
            st.session_state[key] = lessons.told(getattr(lesson, name), house.lang)
            kind = st.text_area if area else st.text_input
            kind(
                say(f"writer.{name}"),
                key=key,
                max_chars=1_200 if area else 80,
                on_change=_told,
                args=(house.lang, name),
            )
        st.button(
            say("writer.add.text"),
            key="w_write_add_text",
            on_click=lambda: state.take(steps=(*lesson.steps, lessons.Step(text="…"))),
        )
        st.button(say("writer.clear"), key="w_write_clear", type="tertiary", on_click=_clear)


def _clear() -> None:
    state.put(state.Draft())


def _told(lang: str, name: str) -> None:
    """Keep a text of the lesson: for everybody while it has one language, else for this one."""
    value = str(st.session_state[f"w_write_{name}"])
    before = getattr(state.draft().lesson, name)
    state.take(**{name: {**before, lang: value} if isinstance(before, dict) else value})


def _bar(house: House, lesson: Lesson) -> None:
    """Draw the check, and what may be done with a lesson that passes it."""
    say = house.words.say
    faults: list[str] = []
    if lesson.steps:
        try:
            faults = lesson_words.faults(house, state.faults(lesson))
        except DdzError as error:
            faults = [lesson_words.fault(house, error)]
    good = bool(lesson.steps) and not faults
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="write_bar"):
        if st.button(
            say("writer.try"),
            key="w_write_try",
            type="primary",
            disabled=not good,
            on_click=_try_out,
            args=(lesson,),
        ):
            st.switch_page("pages/course.py")
        st.button(
            say("writer.present"),
            key="w_write_present",
            shortcut="p",
            disabled=not lesson.steps,
            on_click=writer_present.begin,
            args=("draft",),
        )
        st.download_button(
            say("writer.save"),
            data=lessons.write(lesson).encode() if good else b"",
            file_name=f"{lesson.id}.toml",
            mime="application/toml",
            on_click="ignore",
            disabled=not good,
            key="w_write_save",
        )
        with st.popover(say("solver.share"), key="w_write_share", disabled=not good) as _:
            code = writing.link_text(lesson) if good else ""
            if code:
                asked = {session.LANG: house.lang, state.LINK: code}
                link = f"{class_rooms.host()}/lessons?{urlencode(asked)}"
                st.code(link, language=None, wrap_lines=True)
            elif good:
                st.markdown(say("writer.share.long"))
    if good:
        st.success(say("writer.checked", n=len(lesson.tasks)))
    for text in faults[:8]:
        st.error(shell.plain(text))


def _try_out(lesson: Lesson) -> None:
    """Open the lesson as a learner sees it."""
    session.put(session.OWN_LESSON, lessons.write(lesson))
    lesson_state.open_lesson(lesson_state.OWN)


def _step(house: House, lesson: Lesson, at: int, step: Step) -> None:
    """Draw one step: its cards, what is told and asked, what is right and why."""
    say, lang = house.words.say, house.lang
    question = lessons.told(step.question, lang) or lessons.told(step.text, lang)
    title = say("writer.step", n=at + 1, text=question[:60])
    with st.expander(shell.plain(title), expanded=at == 0, key=f"w_write_open_{at}"):
        _cards(house, lesson, step)
        _text(house, at, "text", step.text)
        if step.is_task:
            _text(house, at, "question", step.question)
            _answers(house, at, step)
            _text(house, at, "why", step.why)
            key = f"w_write_hints_{at}"
            st.session_state[key] = "\n".join(lessons.told(one, lang) for one in step.hints)
            st.text_area(
                say("writer.hints"),
                key=key,
                max_chars=2_000,
                height=80,
                on_change=lambda: state.take_step(
                    at, hints=tuple(filter(None, map(str.strip, _value(key).splitlines())))
                ),
            )
            if step.is_position:
                key = f"w_write_hide_{at}"
                st.session_state[key] = bool(step.hide)
                others = tuple(n for n in range(len(step.hands)) if n != step.to_move)
                st.toggle(
                    say("writer.hide"),
                    key=key,
                    on_change=lambda: state.take_step(
                        at, hide=others if st.session_state[key] else ()
                    ),
                )
        with st.container(horizontal=True, gap="small"):
            st.button(
                "↑", key=f"w_write_up_{at}", disabled=at == 0, on_click=state.move, args=(at, -1)
            )
            st.button(
                "↓",
                key=f"w_write_down_{at}",
                disabled=at == len(lesson.steps) - 1,
                on_click=state.move,
                args=(at, 1),
            )
            st.button(
                say("writer.remove"), key=f"w_write_out_{at}", on_click=state.move, args=(at, 0)
            )
            if step.is_task:
                st.button(
                    say("writer.class"),
                    key=f"w_write_class_{at}",
                    on_click=_ask_class,
                    args=(house, lesson, step),
                    help=say("writer.class.help"),
                )


def _value(key: str) -> str:
    return str(st.session_state[key])


def _text(house: House, at: int, name: str, text: lessons.files.Text) -> None:
    """Draw a text of a step in the reader's language."""
    key, lang = f"w_write_{name}_{at}", house.lang
    st.session_state[key] = lessons.told(text, lang)

    def changed() -> None:
        value = _value(key)
        told = {**text, lang: value} if isinstance(text, dict) else value
        state.take_step(at, **{name: told})

    st.text_area(
        house.words.say(f"writer.step.{name}"),
        key=key,
        max_chars=1_200,
        height=80,
        on_change=changed,
    )


def _answers(house: House, at: int, step: Step) -> None:
    """Draw what is accepted: any play that keeps the win, or those listed."""
    say = house.words.say
    key = f"w_write_any_{at}"
    if step.is_position and step.ask == "play":
        st.session_state[key] = step.accept == "any"
        st.toggle(say("writer.any"), key=key, on_change=_any, args=(at, key))
    key_listed = f"w_write_answers_{at}"
    st.session_state[key_listed] = ", ".join(step.answers)
    st.text_input(
        say("writer.answers"),
        key=key_listed,
        max_chars=300,
        help=say("writer.answers.help"),
        on_change=lambda: state.take_step(
            at,
            answers=tuple(filter(None, _BETWEEN.split(_value(key_listed)))),
        ),
    )
    if step.truth == "told":
        explorer_foot.note(say("writer.told"))
    elif step.accept == "any" and step.is_position:
        explorer_foot.note(say("writer.proven"))


def _any(at: int, key: str) -> None:
    """Accept whatever keeps the win, or the answers listed; the solver goes on judging them."""
    if st.session_state[key]:
        state.take_step(at, accept="any", truth="keeps")
    else:
        state.take_step(at, accept="listed")


def _cards(house: House, lesson: Lesson, step: Step) -> None:
    """Draw the cards of a step."""
    theme: Theme = "dark" if house.dark else "light"
    if not step.is_position:
        return
    try:
        code = codes.encode(scenes.asked(step, lesson.game))
    except DdzError as error:
        shell.refuse(error)
        return
    for part in asked_view.parts(house.words, code, None, theme):
        st.caption(shell.plain(part.text))
        if part.picture:
            st.image(part.picture, width="stretch", alt=part.label)


def _ask_class(house: House, lesson: Lesson, step: Step) -> None:
    """Put a step into the next question of the class room."""
    lang = house.lang
    right = [lesson_words.value(house, step, one, lesson.game) for one in step.answers]
    asked = {
        "text": lessons.told(step.question, lang),
        "choices": "\n".join(lessons.told(one.text, lang) or one.value for one in step.options),
        "right": right if step.options else [],
        "reason": lessons.told(step.why, lang),
    }
    if step.is_position:
        place = scenes.asked(step, lesson.game)
        asked["position"] = codes.encode(place)
        asked["seat"] = str(place.to_move) if step.hide else ""
        plays = [move.cards for move in _some(scenes.moves_of(place), step)]
        if place.beat is not None:
            plays.append("pass")
        asked["choices"] = "\n".join(dict.fromkeys(plays))
        asked["right"] = [one for one in dict.fromkeys(plays) if one in step.answers]
    session.put(session.CLASS_ASKED, json.dumps(asked, ensure_ascii=False))
    st.toast(house.words.say("writer.class.done"))


def _some(moves: list[Move], step: Step) -> list[Move]:
    """Return a few plays to choose from: the right ones, then others."""
    right = [move for move in moves if move.cards in step.answers]
    return [*right, *(move for move in moves if move not in right)][:8]
