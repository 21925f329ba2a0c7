"""The help around the table, worded: groups of the hand, guide, hint ladder, steps of the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core.render import contract, wording

if TYPE_CHECKING:
    from ddz_core.render.view import View
    from ddz_core.scoring import LedgerStep


def groups(view: View) -> list[list[str]]:
    """Return the ids of the hand in groups, as its first split with the fewest turns has them."""
    return []


def guide(view: View) -> contract.Guide | None:
    return None


def ladder(view: View) -> contract.Ladder | None:
    return None


def ledger_step(view: View, step: LedgerStep) -> contract.Step:
    """Return one step of the score, worded."""
    label = view.say(
        step.key,
        cards=wording.card_text(view.words, step.cards),
        who="" if step.seat is None else view.who(step.seat),
    )
    value = f"× {step.factor}" if step.factor is not None else f"{step.amount:+d}"
    return {"label": label, "value": value}
