"""What lies on the table in a step: hands, cards that are asked about, calls, drawn with the cards.

Steps with a whole position are drawn by the table's own board (:mod:`pages._kit.lesson_board`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ddz_core.lessons import scenes
from ddz_core.render import cards as drawing
from ddz_core.render import wording
from pages._kit import explorer_foot, explorer_read, shell

if TYPE_CHECKING:
    from ddz_core.lessons import Step
    from ddz_core.rules import Rules
    from pages._kit.shell import House


def draw(house: House, step: Step, rules: Rules, key: str, *, hand: bool) -> None:
    """Draw the cards of a step that has no whole position.

    Args:
        house: the reader.
        step: the step.
        rules: the lesson's game.
        key: a name of its own on the page.
        hand: whether to draw the own hand too; not where it is tapped.
    """
    say = house.words.say
    groups = []
    if step.cards:
        groups.append(drawing.Group(_shown(step.cards), ""))
    if step.beat:
        groups.append(drawing.Group(_shown(step.beat), say("lesson.on_table")))
    if hand and step.hands:
        groups.append(drawing.Group(_shown(scenes.hand_of(step, rules)), say("lesson.hand")))
    for i, group in enumerate(groups):
        label = f"{group.label}: {group.cards}".removeprefix(": ")
        explorer_read.picture(house, f"{key}_{i}", [[group]], _rows(group), label, 900)
    if step.seen:
        seen = wording.card_text(house.words, scenes.plain_action(step.seen))
        explorer_foot.note(say("lesson.seen", cards=seen))
    if step.calls:
        calls = [_call(house, call) for call in step.calls]
        st.markdown(shell.plain(say("lesson.calls", calls=say("table.and").join(calls))))


def _shown(text: str) -> str:
    """Return cards high to low with suits for the picture."""
    plain = scenes.plain_action(text)
    ordered = "".join(sorted(plain, key=wording.DISPLAY.find))
    return explorer_read.suited(ordered)[0]


def _rows(group: drawing.Group) -> list[list[drawing.Group]]:
    """Return a hand in rows of at most nine cards, for narrow windows."""
    faces = [face.text for face in drawing.faces(group.cards)]
    parts = [faces[i : i + 9] for i in range(0, len(faces), 9)]
    last = len(parts) - 1
    return [
        [drawing.Group("".join(part), group.label if i == last else "")]
        for i, part in enumerate(parts)
    ]


def _call(house: House, call: str) -> str:
    say = house.words.say
    return say("table.said.bid", n=int(call)) if call.isdigit() else say("table.said.no_bid")
