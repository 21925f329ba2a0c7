"""A step's position on the drawn table: answered there, played on from, or looked at freely."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import cards
from ddz_core.actions import PASS
from ddz_core.errors import DdzError
from ddz_core.lessons import scenes
from ddz_core.puzzles import lines, trial
from ddz_core.render import cards as drawing
from ddz_core.render import position_view
from ddz_core.render.position_view import Board
from pages._kit import (
    board_mount,
    explorer_read,
    lesson_state,
    lesson_words,
    shell,
    solver_play,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ddz_core.puzzles.lines import Line
    from ddz_core.render import contract
    from pages._kit.lesson_state import Open
    from pages._kit.shell import House


def line_of(now: Open) -> Line:
    """Return the line of a step: what was played before the question, then what was played on."""
    assert now.step is not None
    start = scenes.begun(now.step, now.rules)
    before = lines.line_of(start, now.step.played)
    try:
        return lines.line_of(start, (*before.texts, *now.state.line))
    except DdzError:
        return before


def seat_of(now: Open) -> int:
    """Return the learner's hand: the one to move at the question."""
    assert now.step is not None
    return scenes.asked(now.step, now.rules).to_move


def hidden(now: Open) -> str:
    """Return the cards of all hands that the learner does not see, low to high."""
    assert now.step is not None
    pos = scenes.asked(now.step, now.rules)
    return cards.format_cards(sum(pos.hands[i] for i in now.step.hide))


def draw(
    house: House,
    now: Open,
    *,
    acts: bool,
    answer: Callable[[str], None] | None = None,
    messages: tuple[contract.Message, ...] = (),
    hide: tuple[int, ...] = (),
    hint: Callable[[], None] | None = None,
) -> Line:
    """Draw the position and return the line on the board.

    Args:
        house: the reader.
        now: the open lesson.
        acts: whether the learner may play.
        answer: called with what was played; without it plays are played on.
        messages: sentences below the buttons.
        hide: hands that are not shown.
        hint: called when the board's Hint button is pressed; without it the button is off.
    """
    line = line_of(now)
    seat = seat_of(now)
    problem = st.session_state.pop("w_lesson_problem", None)
    if isinstance(problem, DdzError):
        messages = ({"text": house.words.error(problem), "tone": "error"},)
    shown = Board(
        line=line,
        whole=line,
        seat=seat,
        acts=acts and line.position is not None,
        name=f"lesson-{now.lesson.id}-{now.state.step}-{now.state.mode}-{now.state.tries}",
        messages=messages,
        hide=hide,
        refused=2 * now.state.tries + isinstance(problem, DdzError),
        hint=hint is not None,
        tools=(
            {
                "kind": "undo",
                "label": house.words.say("table.tool.undo"),
                "disabled": not now.state.line,
            },
        )
        if answer is None
        else (),
    )

    def act(action: contract.Action) -> None:
        kind = action["kind"]
        if kind in ("play", "pass"):
            text = PASS if kind == "pass" else str(action.get("move", ""))
            if answer is not None:
                answer(text)
            else:
                play_on(now, text)
        elif kind == "undo":
            take_back(now)
        elif kind == "hint" and hint is not None:
            hint()

    board_mount.board(house, f"lesson_board_{now.state.mode}", shown, act)
    return line


def told(house: House, now: Open) -> None:
    """Draw what was played before the question, one play after another, without the board."""
    line = line_of(now)
    for step in line.steps:
        name = position_view.who(house.words, line.start, step.seat)
        with st.container(
            horizontal=True, vertical_alignment="center", gap="small", key=f"lesson_told_{step.at}"
        ):
            st.markdown(shell.plain(name), width=110)
            if step.move is None:
                st.markdown(f"**{shell.plain(house.words.say('table.said.pass'))}**")
            else:
                main, kickers = explorer_read.suited(step.move.main, step.move.kickers)
                groups = [drawing.Group(main), drawing.Group(kickers)]
                label = position_view.step_text(house.words, line.start, step)
                theme: drawing.Theme = "dark" if house.dark else "light"
                picture = drawing.lane_svg(groups, width=200, card=44, theme=theme, label=label)
                st.image(picture, width=200, alt=label)


def play_on(now: Open, text: str) -> None:
    """Carry out a play of the learner's and the machine's answers; for callbacks.

    Where the next moves are hidden, a play that throws the win away is refused.
    """
    start, before = line_of(now).start, _before(now)
    seats = (seat_of(now),)
    try:
        line = lines.line_of(start, (*before, *now.state.line))
        line = trial.acted(line, text, seats, solver_play.judge())
        if now.state.mode == "hide" and solver_play.threw_away(_own_marks(now, line)[-1:]):
            shown = scenes.plain_action(text)
            st.session_state["w_lesson_problem"] = DdzError(
                f"{shown} throws the win away", key="error.lesson.throws", field="action", got=shown
            )
            return
        lesson_state.change(line=line.texts[len(before) :])
    except DdzError as error:
        st.session_state["w_lesson_problem"] = error


def _before(now: Open) -> tuple[str, ...]:
    assert now.step is not None
    return lines.line_of(scenes.begun(now.step, now.rules), now.step.played).texts


def refuse(error: DdzError) -> None:
    """Keep an error until the board is drawn; for callbacks."""
    st.session_state["w_lesson_problem"] = error


def take_back(now: Open) -> None:
    """Take the learner's last play back; for callbacks."""
    line, before = line_of(now), len(_before(now))
    own = [step.at for step in line.steps[before:] if step.seat == seat_of(now)]
    lesson_state.change(line=line.texts[before : own[-1]] if own else ())


def verdict(house: House, now: Open, line: Line) -> tuple[contract.Message, ...]:
    """Return a sentence about the learner's last play, or about the end."""
    say = house.words.say
    if line.over:
        won = line.winner == lines.side_of(line.start, seat_of(now))
        return ({"text": say("lesson.won" if won else "lesson.lost"), "tone": "note"},)
    return solver_play.report(house.words, line, _own_marks(now, line))


def _own_marks(now: Open, line: Line) -> tuple[trial.Judged, ...]:
    """Return what the learner's plays since the question did."""
    seat, before = seat_of(now), len(_before(now))
    marks = solver_play.marks(line, (seat,))
    return marks[sum(step.seat == seat for step in line.steps[:before]) :]


def plays(house: House, now: Open) -> list[list[str]]:
    """Return every play of the learner's with whether it wins, for looking at freely."""
    say, pos = house.words.say, scenes.asked(now.step, now.rules) if now.step else None
    if pos is None:
        return []
    rows = []
    for one in solver_play.judge().answers(pos):
        sign = {1: "✓", -1: "✗"}.get(one.worth, "·")
        word = say(f"lesson.play.{ {1: 'wins', -1: 'loses'}.get(one.worth, 'open') }")
        rows.append(
            [
                lesson_words.value(house, now.step, scenes.plain_action(one.action), now.rules),
                f"{sign} {word}",
            ]
        )
    return rows


def who(house: House, now: Open, seat: int) -> str:
    """Return what a hand is called."""
    return position_view.who(house.words, line_of(now).start, seat)
