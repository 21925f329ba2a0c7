"""Playing an endgame out against the perfect defence, on the solver page and in a puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ddz_core.puzzles import Judge, lines, trial
from ddz_core.render import position_view

if TYPE_CHECKING:
    from ddz_core.language import Words
    from ddz_core.positions import Position
    from ddz_core.puzzles.lines import Line
    from ddz_core.puzzles.trial import Judged
    from ddz_core.render import contract

SIGNS = {"only": "□", "kept": "✓", "lost": "??", "losing": "", "unknown": ""}
"""What stands beside an action of the reader's in the history."""


NODES = 1_000_000
"""Nodes of the solver for one position that is played; a few tenths of a second."""


@st.cache_resource
def judge() -> Judge:
    """Return what judges plays for every session; it keeps its answers."""
    return Judge(NODES)


def side(position: Position, seat: int) -> tuple[int, ...]:
    """Return every hand of the side of a hand."""
    own = lines.side_of(position, seat)
    return tuple(s for s in range(len(position.hands)) if lines.side_of(position, s) == own)


def notes(marks: tuple[Judged, ...]) -> dict[int, str]:
    """Return the signs beside the reader's actions, by their place."""
    return {one.step.at: SIGNS[one.mark] for one in marks if SIGNS[one.mark]}


def report(words: Words, line: Line, marks: tuple[Judged, ...]) -> tuple[contract.Message, ...]:
    """Return a sentence about the reader's last action, and what the others answered."""
    if not marks:
        return ()
    last = marks[-1]
    cards = position_view.action_text(words, last.step.move)
    text = words.say(f"solver.mark.{last.mark}", cards=cards, n=last.ways)
    answers = line.steps[last.step.at + 1 :]
    if answers:
        told = [
            words.say(
                "solver.said",
                who=position_view.who(words, line.start, step.seat),
                cards=position_view.action_text(words, step.move),
            )
            for step in answers
        ]
        text = f"{text} {words.say('solver.mark.then', what=words.say('table.and').join(told))}"
    tone: contract.Tone = "error" if last.mark == "lost" else "note"
    return ({"text": text, "tone": tone},)


def seat_below(line: Line, seats: tuple[int, ...]) -> int:
    """Return the hand that lies at the bottom: the one of the reader's that is to act, or acted."""
    if line.position is not None and line.position.to_move in seats:
        return line.position.to_move
    own = [step.seat for step in line.steps if step.seat in seats]
    return own[-1] if own else seats[0]


def threw_away(marks: tuple[Judged, ...]) -> Judged | None:
    """Return the reader's action that threw the win away, if one did."""
    return next((one for one in marks if one.mark == "lost"), None)


def settled(line: Line, seats: tuple[int, ...]) -> Line:
    """Return the line after the program has played until the reader is to act."""
    return trial.settled(line, seats, judge())


def marks(line: Line, seats: tuple[int, ...]) -> tuple[Judged, ...]:
    """Return what each action of the reader's did."""
    return trial.marks(line, seats, judge())
