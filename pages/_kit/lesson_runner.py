"""The lesson runner: one step after another, answered, judged with reasons, in four modes."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import lessons
from ddz_core.errors import DdzError
from ddz_core.lessons import checking, glossary, truths
from pages._kit import (
    board_mount,
    cached,
    explorer_foot,
    lesson_answer,
    lesson_board,
    lesson_claims,
    lesson_scene,
    lesson_state,
    lesson_words,
    session,
    shell,
    solver_walk,
)

if TYPE_CHECKING:
    from ddz_core.lessons import Judged
    from ddz_core.render import contract
    from pages._kit.lesson_state import Open
    from pages._kit.shell import House

BOARD_MODES = ("hide", "play")
"""Modes that need a whole position."""

_STYLE = """
.st-key-lesson_head { row-gap: .25rem; }
.st-key-lesson_head button { padding: 0 .25rem; }
.paili-dots { display: inline-flex; flex-wrap: wrap; gap: 5px; vertical-align: middle;
  margin-right: .25rem; }
@media (max-width: 640px) { [class*="st-key-w_lesson_"] kbd { display: none; } }
.paili-dots i { width: 11px; height: 11px; border-radius: 50%%; border: 1.5px solid %(line)s;
  display: block; }
.paili-dots i.now { border-color: %(accent)s; border-width: 3px; }
.paili-dots i.good { background: %(good)s; border-color: %(good)s; }
.paili-dots i.bad { background: linear-gradient(90deg, %(bad)s 50%%, transparent 50%%);
  border-color: %(bad)s; }
.paili-ask { font-size: 1.125rem; font-weight: 700; line-height: 1.5; margin: 0; }
[class*="st-key-panel_said_good"] { border-left: 4px solid %(good)s; }
[class*="st-key-panel_said_bad"] { border-left: 4px solid %(bad)s; }
"""
_COLOURS = {
    False: {"line": "#857D6D", "accent": "#7A2E5D", "good": "#0072B2", "bad": "#C47600"},
    True: {"line": "#71807C", "accent": "#D9A4C5", "good": "#4DA3E0", "bad": "#E69F00"},
}


def draw(house: House, now: Open) -> None:
    """Draw the open step of a lesson, or its end.

    Args:
        house: the reader.
        now: the open lesson.
    """
    st.html(f"<style>{_STYLE % _COLOURS[house.dark]}</style>")
    _head(house, now)
    if now.step is None:
        _end(house, now)
        return
    if not now.state.step:
        _intro(house, now)
    try:
        _step(house, now)
    except DdzError as error:
        shell.refuse(error)
        _onward(house, now, primary=True)


def _intro(house: House, now: Open) -> None:
    """Draw what stands before the first step: the lesson's introduction, claims and rules."""
    if now.lesson.intro:
        st.markdown(lesson_words.told(house, now.lesson.intro))
    lesson_claims.draw(house, now.lesson.claims)
    if now.lesson.author:
        by = house.words.say("lesson.author", name=now.lesson.author)
        st.caption(shell.plain(by))
    if not now.lesson.overrides and house.rules not in (now.lesson.rules, *now.lesson.holds):
        name = cached.ruleset_name(now.lesson.rules, house.lang)
        explorer_foot.note(house.words.say("lesson.rules.other", rules=name))


def modes_of(now: Open) -> list[str]:
    """Return the modes that are open at this step."""
    position = now.step is not None and now.step.is_position
    return [mode for mode in now.lesson.modes if position or mode not in BOARD_MODES]


def _head(house: House, now: Open) -> None:
    """Draw the way back, the title, where the learner is, and the modes."""
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_head"):
        st.button(
            say("lesson.back"),
            key="w_lesson_back",
            type="tertiary",
            icon=":material/arrow_back:",
            on_click=lesson_state.close,
        )
        title = lesson_words.title(house, now.lesson)
        st.html(
            f'<p class="paili-head" style="font-size:1.3125rem">{escape(title)} '
            f'<span class="paili-note">{escape(lesson_words.deck(house, now.rules))}</span></p>',
            width="content",
        )
        st.space("stretch")
        _modes(house, now)
    st.html(_dots(house, now))


def _dots(house: House, now: Open) -> str:
    """Return where the learner is as a row of marks with a text."""
    known = lesson_state.learned()
    marks = []
    for i in range(len(now.lesson.steps)):
        item = known.item(now.task(i))
        state = "good" if item.box else "bad" if item.asked else ""
        marks.append(f'<i class="{state}{" now" if i == now.state.step else ""}"></i>')
    of = len(now.lesson.steps)
    at = now.state.step + 1
    text = house.words.say("lesson.at", n=at, of=of) if at <= of else ""
    return (
        f'<p class="paili-note"><span class="paili-dots" aria-hidden="true">{"".join(marks)}'
        f"</span> {escape(text)}</p>"
    )


def _modes(house: House, now: Open) -> None:
    say, found = house.words.say, modes_of(now)
    if len(found) < 2:
        return
    key = "w_lesson_mode"
    st.session_state[key] = now.state.mode if now.state.mode in found else found[0]
    st.segmented_control(
        say("lesson.mode"),
        found,
        format_func=lambda mode: say(f"lesson.mode.{mode}"),
        key=key,
        required=True,
        wrap=True,
        label_visibility="collapsed",
        help=say("lesson.mode.what"),
        on_change=lambda: lesson_state.change(
            mode=str(st.session_state[key]), tries=0, hints=0, answer="", shown=False, line=()
        ),
    )


def _step(house: House, now: Open) -> None:
    """Draw one step in the mode in force."""
    assert now.step is not None
    step, found = now.step, modes_of(now)
    mode = now.state.mode if now.state.mode in found else (found or ["guided"])[0]
    if step.text:
        st.markdown(lesson_words.told(house, step.text))
    if step.is_task and step.question:
        asked = lessons.told(step.question, house.lang)
        st.html(f'<p class="paili-ask">{escape(asked)}</p>')
    if mode == "look":
        _look(house, now)
    elif mode in BOARD_MODES:
        _play(house, now, strict=mode == "hide")
    else:
        _ask(house, now)


# --- guided --------------------------------------------------------------------------------------


def _ask(house: House, now: Open) -> None:
    """Draw the question, the way to answer it, and what the last answer was worth."""
    assert now.step is not None
    step = now.step
    judged = _judged(now)
    done = (judged is not None and judged.right) or now.state.shown
    if step.hide and not done:
        pool = lesson_words.card_words(house, lesson_board.hidden(now))
        explorer_foot.note(house.words.say("lesson.pool", cards=pool))
    on_board = _on_board(now)
    if on_board:
        messages = (
            ()
            if judged is None
            else ({"text": _line(house, now, judged), "tone": _TONES[judged.right]},)
        )
        lesson_board.draw(
            house,
            now,
            acts=not done,
            answer=lambda text: _answer(now, text),
            messages=messages,
            hide=() if done else step.hide,
            hint=_hint if not done and now.state.hints < len(step.hints) else None,
        )
        if not done and board_mount.plain():
            solver_walk.typed_play(house, "lesson", lambda text: _answer(now, text), ())
    elif step.is_position and step.truth == "mover":
        # the board would say whose turn it is
        lesson_board.told(house, now)
    elif step.is_position:
        lesson_board.draw(house, now, acts=False, answer=lambda _: None, hide=step.hide)
    else:
        tapped = step.ask in ("cards", "play") and not step.options
        lesson_scene.draw(house, step, now.rules, f"step_{now.state.step}", hand=not tapped)
    if step.is_task and not on_board and not done:
        lesson_answer.draw(house, now, lambda text: _answer(now, text))
    if judged is not None and not on_board:
        _said(house, now, judged)
    if now.state.shown:
        _solution(house, now)
    if not done and step.is_task:
        _help(house, now)
    _onward(house, now, primary=done or not step.is_task)


def _judged(now: Open) -> Judged | None:
    """Return what the last answer was worth, None before the first."""
    if now.step is None or not now.state.answer or not now.step.is_task:
        return None
    return lessons.judge(now.step, now.rules, now.state.answer)


def _answer(now: Open, text: str) -> None:
    """Take an answer; one that could not be given at all does not count; for callbacks."""
    assert now.step is not None
    judged = lessons.judge(now.step, now.rules, text)
    if judged.legal:
        lesson_state.answered(now, checking.normal(now.step, text), right=judged.right)
    elif now.step.is_position:
        reason = judged.phrases[0]
        lesson_board.refuse(
            DdzError(reason.key, key=reason.key, **{"field": "action", **reason.params})
        )
    else:
        lesson_state.change(answer=text[:80])


_TONES: dict[bool, contract.Tone] = {True: "note", False: "error"}


def _line(house: House, now: Open, judged: Judged) -> str:
    """Return what an answer on the board was worth, as one text."""
    say = house.words.say
    if judged.right:
        return " ".join([say("lesson.right.play"), *_reasons(house, judged)])
    given = "" if now.step is None else lesson_words.value(house, now.step, now.state.answer)
    return " ".join([say("lesson.wrong.play", play=given), *_reasons(house, judged)])


def _reasons(house: House, judged: Judged) -> list[str]:
    """Return the author's reason and the machine's, plain text."""
    own = lessons.told(judged.why, house.lang)
    made = [house.words.phrase(phrase) for phrase in judged.phrases]
    return [text for text in (own, *made) if text]


def _said(house: House, now: Open, judged: Judged) -> None:
    """Draw whether an answer was right, and why."""
    say, right = house.words.say, judged.right
    with st.container(border=True, key=f"panel_said_{'good' if right else 'bad'}"):
        colour, sign = ("blue", "✓") if right else ("orange", "?")
        word = say("quiz.right" if right else "lesson.wrong")
        given = ""
        if now.step is not None and not right:
            given = shell.plain(
                lesson_words.value(house, now.step, now.state.answer[:60], now.rules)
            )
        st.markdown(f":{colour}-badge[{sign} {word}] {given}")
        for text in _reasons(house, judged):
            st.markdown(shell.plain(text))
        if not judged.checked:
            explorer_foot.note(say("lesson.unchecked"))


def _help(house: House, now: Open) -> None:
    """Draw the hints taken so far, and the ways to more."""
    assert now.step is not None
    say, hints = house.words.say, now.step.hints
    for i, hint in enumerate(hints[: now.state.hints]):
        st.markdown(f"💡 {i + 1}. {lesson_words.told(house, hint)}")
    with st.container(horizontal=True, gap="small"):
        if now.state.hints < len(hints):
            st.button(
                say("lesson.hint", n=now.state.hints + 1, of=len(hints)),
                key="w_lesson_hint",
                shortcut=None if _on_board(now) else "h",
                on_click=_hint,
            )
        st.button(
            say("lesson.reveal"),
            key="w_lesson_reveal",
            type="tertiary",
            on_click=lesson_state.reveal,
            args=(now,),
        )


def _hint() -> None:
    """Show one hint more; for callbacks."""
    lesson_state.change(hints=lesson_state.state().hints + 1)


def _on_board(now: Open) -> bool:
    """Tell whether the task is answered on the drawn table, which has keys of its own."""
    step = now.step
    return step is not None and step.is_position and step.ask == "play" and not step.options


def _solution(house: House, now: Open) -> None:
    """Draw the right answer and its reason."""
    assert now.step is not None
    with st.container(border=True, key="panel_answer"):
        st.markdown(f"**{shell.plain(house.words.say('lesson.right_is'))}** {_right(house, now)}")
        why = lesson_words.told(house, now.step.why)
        if why:
            st.markdown(why)


def _right(house: House, now: Open) -> str:
    """Return what is right, as Markdown."""
    assert now.step is not None
    step, key = now.step, truths.key_of(now.step, now.rules)
    if key.number is not None:
        return shell.plain(f"{key.number:.1f}".removesuffix(".0"))
    right = key.right if step.accept == "any" else step.answers
    shown = [shell.plain(lesson_words.value(house, step, one, now.rules)) for one in right[:6]]
    return house.words.say("table.and").join(shown) + (" …" if len(right) > 6 else "")


# --- the other modes -----------------------------------------------------------------------------


def _play(house: House, now: Open, *, strict: bool) -> None:
    """Draw the position to be played on from; ``strict`` refuses plays that lose what was won."""
    assert now.step is not None
    say = house.words.say
    explorer_foot.note(say("lesson.hide.what" if strict else "lesson.play.what"))
    line = lesson_board.line_of(now)
    messages = lesson_board.verdict(house, now, line)
    lesson_board.draw(house, now, acts=True, messages=messages, hide=now.step.hide)
    if board_mount.plain() and line.position is not None:
        solver_walk.typed_play(house, "lesson", lambda text: lesson_board.play_on(now, text), ())
    with st.container(horizontal=True, gap="small"):
        st.button(
            say("table.tool.undo"),
            key="w_lesson_undo",
            disabled=not now.state.line,
            on_click=lesson_board.take_back,
            args=(now,),
        )
        st.button(
            say("solver.restart"),
            key="w_lesson_restart",
            disabled=not now.state.line,
            on_click=lambda: lesson_state.change(line=()),
        )
    _onward(house, now, primary=line.over)


def _look(house: House, now: Open) -> None:
    """Draw everything openly: all hands, the right answer, what every play leads to."""
    assert now.step is not None
    say, step = house.words.say, now.step
    if step.is_position:
        lesson_board.draw(house, now, acts=True)
    else:
        lesson_scene.draw(house, step, now.rules, f"look_{now.state.step}", hand=True)
    if step.is_task:
        _solution(house, now)
        for one in step.options:
            if one.why:
                text = lesson_words.option(house, step, one, now.rules)
                st.markdown(f"**{shell.plain(text)}**: {lesson_words.told(house, one.why)}")
        for reply in step.replies:
            text = lesson_words.value(house, step, reply.action, now.rules)
            st.markdown(f"**{shell.plain(text)}**: {lesson_words.told(house, reply.why)}")
    if step.is_position and not now.state.line:
        rows = lesson_board.plays(house, now)
        if rows:
            with st.expander(say("lesson.plays")):
                st.html(explorer_foot.table([say("lesson.play"), say("lesson.result")], rows))
    _onward(house, now, primary=True)


# --- onward --------------------------------------------------------------------------------------


def _onward(house: House, now: Open, *, primary: bool) -> None:
    """Draw the ways to the step before and to the next one."""
    say, at = house.words.say, now.state.step
    with st.container(horizontal=True, gap="small", key="lesson_onward"):
        if at and not now.state.review:
            st.button(
                say("lesson.before"),
                key="w_lesson_before",
                type="tertiary",
                on_click=lesson_state.go,
                args=(at - 1,),
            )
        last = at + 1 >= len(now.lesson.steps)
        st.button(
            say("lesson.next" if not last or now.state.review else "lesson.finish"),
            key="w_lesson_next",
            type="primary" if primary else "secondary",
            shortcut="n",
            on_click=lesson_state.go,
            args=(at + 1,),
        )


def _end(house: House, now: Open) -> None:
    """Draw how the lesson went and where it goes on."""
    say, lesson = house.words.say, now.lesson
    known, tasks = now.known, len(lesson.tasks)
    with st.container(border=True, key="panel_end"):
        st.html(f'<p class="paili-head">{escape(say("lesson.done", n=known, of=tasks))}</p>')
        if lesson.outro:
            st.markdown(lesson_words.told(house, lesson.outro))
        with st.container(horizontal=True, gap="small"):
            _ahead(house, now)
            st.button(
                say("lesson.again"), key="w_lesson_again", on_click=lesson_state.go, args=(0,)
            )
            st.button(say("lesson.back"), key="w_lesson_list", on_click=lesson_state.close)
        lesson_claims.draw(house, lesson.claims)
        _terms(house, now)


def _terms(house: House, now: Open) -> None:
    """Draw the words that the lesson has taught, each with the way to its entry."""
    found = [term for term in glossary.terms() if term.id in now.lesson.terms]
    if not found:
        return
    query = {session.LANG: house.lang, session.RULES: house.rules}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(house.words.say("lesson.terms"), width="content")
        for term in found:
            st.page_link(
                "pages/glossary.py",
                label=shell.plain(lessons.told(term.name, house.lang)),
                query_params={**query, "term": term.id},
            )


def _ahead(house: House, now: Open) -> None:
    """Draw the next lesson, and the game at the table where a rung of the ladder ends."""
    say, course = house.words.say, lessons.lesson_ids("course")
    if now.lesson.id not in course:
        return
    at = course.index(now.lesson.id)
    following = lessons.load(course[at + 1]) if at + 1 < len(course) else None
    if following is None or following.overrides != now.lesson.overrides:
        from_rung = now.lesson.overrides
        if st.button(
            say("lesson.game" if from_rung else "lesson.game.full"),
            key="w_lesson_game",
            type="primary",
        ):
            st.switch_page("pages/table.py", query_params=table_query(house, now))
    if following is not None:
        title = lesson_words.title(house, following)
        st.button(
            say("lesson.following", title=title),
            key="w_lesson_following",
            type="secondary" if following.overrides != now.lesson.overrides else "primary",
            on_click=lesson_state.open_lesson,
            args=(following.id,),
        )


def table_query(house: House, now: Open) -> dict[str, str]:
    """Return the address of a guided game by the lesson's rules."""
    from_rules = {"lang": house.lang, "rules": now.rules.id, "guided": "1"}
    text = lesson_state.overrides_text(now.rules)
    return from_rules | ({"overrides": text} if text else {})
