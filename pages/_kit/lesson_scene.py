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
    rows: list[list[drawing.Group]] = []
    if step.cards:
        rows.append([drawing.Group(_shown(step.cards))])
    if step.beat:
        rows.append(_on_table(house, step, rules))
    if hand and step.hands:
        rows.append([drawing.Group(_shown(scenes.hand_of(step, rules)), say("lesson.hand"))])
    for i, row in enumerate(rows):
        label = ", ".join(f"{g.label} {g.cards}".strip() for g in row)
        narrow = _rows(row[0]) if len(row) == 1 else [row]
        explorer_read.picture(house, f"{key}_{i}", [row], narrow, label, 900)
    if step.seen:
        seen = wording.card_text(house.words, scenes.plain_action(step.seen))
        explorer_foot.note(say("lesson.seen", cards=seen))
    if step.calls:
        calls = [_call(house, call) for call in step.calls]
        st.markdown(shell.plain(say("lesson.calls", calls=say("table.and").join(calls))))


def _on_table(house: House, step: Step, rules: Rules) -> list[drawing.Group]:
    """Return the play on the table, what it carries apart."""
    say = house.words.say
    readings = rules.readings(scenes.plain_action(step.beat))
    if not readings:
        return [drawing.Group(_shown(step.beat), say("lesson.on_table"))]
    main, kickers = explorer_read.suited(readings[0].main, readings[0].kickers)
    # two labels side by side would run into each other under so few cards
    return [drawing.Group(main, say("lesson.on_table")), drawing.Group(kickers)]


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
