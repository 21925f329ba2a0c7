"""Reviews of finished games: every decision judged, with reasons that were counted.

Layer 3. ``ddz_core.review`` is both this package and the function that makes a review, so that
``ddz.review(game)`` and ``ddz.review.batch(games)`` read alike.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

from ddz_core.game import Game
from ddz_core.review.batch import Batch, batch
from ddz_core.review.making import SECONDS, Stop, made
from ddz_core.review.report import (
    CUTS,
    KINDS,
    Decision,
    Moment,
    Par,
    Retry,
    Review,
    Showing,
    Tried,
    Way,
)
from ddz_core.review.told import Reason

__all__ = [
    "CUTS",
    "KINDS",
    "Batch",
    "Decision",
    "Moment",
    "Par",
    "Reason",
    "Retry",
    "Review",
    "Showing",
    "Tried",
    "Way",
    "batch",
    "review",
]


class _Callable(ModuleType):
    """The package itself, which can be called."""

    def __call__(
        self,
        game: Game,
        *,
        seed: int = 1,
        seconds: float = SECONDS,
        samples: int | None = None,
        cancel: Stop | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Review:
        """Return the review of a finished game; see :func:`ddz_core.review.making.made`."""
        return made(
            game, seed=seed, seconds=seconds, samples=samples, cancel=cancel, progress=progress
        )


sys.modules[__name__].__class__ = _Callable
if TYPE_CHECKING:
    from ddz_core.review.making import made as review
else:
    # the name that the package has in its parent, whichever is asked for first
    review = sys.modules[__name__]
