"""The help around the table, worded: groups of the hand, guide, hint ladder, steps of the score.

Layer 4. What is said is decided by :mod:`ddz_core.hints` and :mod:`ddz_core.guide`, from the
observation of the person's seat; this only turns their phrases into the reader's language.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ddz_core import guide as guiding
from ddz_core import hints
from ddz_core.decompose import turns
from ddz_core.render import contract, wording
from ddz_core.tabletop import card_id

if TYPE_CHECKING:
    from ddz_core.observation import Observation
    from ddz_core.patterns import Combination
    from ddz_core.render.view import View
    from ddz_core.rules import Rules
    from ddz_core.scoring import Ledger


ADDED = "score.plus"
"""How the key of a step begins that is added to the multiplier, which is a step of its own."""


@lru_cache(maxsize=256)
def _split(rules: Rules, hand: int) -> tuple[Combination, ...]:
    """Return the first split of a hand that needs the fewest turns."""
    splits = turns(hand, rules).splits
    return tuple(splits[0]) if splits else ()


@lru_cache(maxsize=256)
def _ladder(obs: Observation) -> hints.Ladder:
    """Return the hint for a decision, computed once while its rungs are opened."""
    return hints.hints(obs)


def groups(view: View) -> list[list[str]]:
    """Return the ids of the hand in groups, as its first split with the fewest turns has them."""
    obs = view.obs
    if not obs.hand:
        return []
    left = list(obs.held)
    found = []
    for combination in _split(obs.rules, obs.hand):
        group = []
        for rank in combination.main + combination.kickers:
            card = next(card for card in left if card.rank == rank)
            left.remove(card)
            group.append(card_id(card))
        found.append(group)
    return found


def guide(view: View) -> contract.Guide | None:
    """Return the guided mode's words for this moment, or None where it is off or looks back."""
    if not view.table.guided or view.table.looking_back:
        return None
    told = guiding.guide(view.obs)
    return {
        "title": view.words.phrase(told.title),
        "text": [view.words.phrase(line) for line in told.lines],
        "step": f"{told.number} / {told.total}",
    }


def ladder(view: View) -> contract.Ladder:
    """Return the hint ladder, opened up to the rung that the person asked for."""
    made = _ladder(view.obs)
    opened = max(1, view.table.rung)
    rungs: list[contract.Rung] = []
    for index, rung in enumerate(made.rungs):
        number = index + 1
        shown: contract.Rung = {
            "title": view.say(f"table.rung.{number}"),
            "short": view.say(f"table.rung.short.{number}"),
            "open": number <= opened,
        }
        if number > opened:
            shown["note"] = view.say(f"table.rung.note.{number}")
            shown["button"] = view.say(f"table.rung.button.{number}")
            rungs.append(shown)
            continue
        if rung.lead is not None:
            shown["lead"] = view.words.phrase(rung.lead)
        shown["lines"] = [view.words.phrase(line) for line in rung.lines]
        if rung.rows:
            shown["table"] = {
                "head": [view.words.phrase(cell) for cell in rung.head],
                "rows": [_row(view, row) for row in rung.rows],
            }
        if rung.key == "answer" and made.answer.move is not None:
            shown["suggest"] = _ids(view, made.answer.move.cards)
        rungs.append(shown)
    return {"rungs": rungs, "at": opened - 1}


def _row(view: View, row: hints.Row) -> contract.RungRow:
    shown: contract.RungRow = {"cells": [view.words.phrase(cell) for cell in row.cells]}
    if row.cards:
        shown["cards"] = row.cards
    return shown


def _ids(view: View, cards: str) -> list[str]:
    """Return the ids of hand cards with these ranks."""
    left = list(view.obs.held)
    found = []
    for rank in cards:
        card = next((card for card in left if card.rank == rank), None)
        if card is not None:
            left.remove(card)
            found.append(card_id(card))
    return found


def ledger_steps(view: View, ledger: Ledger) -> list[contract.Step]:
    """Return the sum step by step, the running product on the right; amounts stand as they are.

    The points of each seat are not among them: they have a list of their own.
    """
    steps: list[contract.Step] = []
    product = 1
    for step in ledger.steps:
        if step.factor is None and step.seat is not None:
            continue
        label = view.say(
            step.key,
            cards=wording.card_text(view.words, step.cards),
            factor=step.factor,
            amount=step.amount,
        )
        if step.seat is not None:
            steps.append({"label": f"{view.who(step.seat)}: {label}", "value": ""})
            continue
        if step.factor is not None and step.key.startswith(ADDED):
            steps.append({"label": label, "value": f"+{step.factor}"})
        elif step.factor is not None:
            product *= step.factor
            steps.append({"label": label, "value": str(product)})
        else:
            steps.append({"label": label, "value": str(step.amount)})
    return steps
