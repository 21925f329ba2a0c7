"""The help around the table, worded: groups of the hand, guide, hint ladder, steps of the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core.render import contract, wording

if TYPE_CHECKING:
    from ddz_core.render.view import View
    from ddz_core.scoring import Ledger


def groups(view: View) -> list[list[str]]:
    """Return the ids of the hand in groups, as its first split with the fewest turns has them."""
    return []


def guide(view: View) -> contract.Guide | None:
    return None


def ladder(view: View) -> contract.Ladder | None:
    return None


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
        if step.factor is not None:
            product = step.factor if not steps else product * step.factor
            steps.append({"label": label, "value": str(product)})
        else:
            steps.append({"label": label, "value": str(step.amount)})
    return steps
