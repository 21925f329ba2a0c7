"""A mistake tried again: what another action would have been worth in the same position.

Layer 3. The answer is judged as the game was, with the seed and the sizes of the review; an action
that is not clearly worse than the best one found is as good as that one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ddz_core.review.judging import Sizes, judged
from ddz_core.review.trial import Room

if TYPE_CHECKING:
    from ddz_core.review.report import Decision, Review


def answered(review: Review, index: int, action: object) -> Decision:
    """Return the judgement of another action at a decision of a reviewed game.

    Args:
        review: the review of the game.
        index: the decision, as a place in the history.
        action: what is done instead, as text, cards or a move.

    Returns:
        The decision as it would stand in the review. The action is accepted unless ``known`` is
        ``wrong``.

    Raises:
        DdzError: if no decision was judged there.
        IllegalAction: if the action is not allowed there.
    Cost: some tenths of a second.
    """
    decision = review.at(index)
    before = review.before(decision)
    after = before.apply(action)
    entry = after.history[len(before.history)]
    if entry.action == decision.action:
        return decision
    samples = review.samples
    sizes = Sizes(screen=max(20, samples // 3), final=samples, open=max(40, samples // 2))
    found = judged(
        Room(before.play_rules),
        before,
        entry,
        sizes,
        seed=review.seed,
        solved=None,
        after=(),
    )
    if not decision.open_best:
        return found
    # What the review proved of the position holds for this action as well.
    right = entry.action in decision.open_best
    return replace(
        found, open="right" if right else "wrong", open_best=decision.open_best, only=decision.only
    )
