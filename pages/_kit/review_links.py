"""Ways from a review to elsewhere: the table with a position of the game, and lines of code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core import codes, explorer
from pages._kit import session, table_state

if TYPE_CHECKING:
    from ddz_core.review import Review
    from pages._kit.review_words import Told


def table_address(told: Told, game_code: str, seat: int) -> dict[str, str]:
    """Return the parameters that open a game at the table."""
    rules = told.game.rules
    asked = {
        session.LANG: told.house.lang,
        session.RULES: rules.id,
        table_state.CODE: game_code,
        table_state.SEAT: str(seat),
    }
    if rules.overrides:
        asked[session.HOUSE_RULES] = explorer.overrides_text(rules.overrides)
    return asked


def code(told: Told, review: Review, *lines: str) -> str:
    """Return Python lines that give the numbers of a report."""
    return "\n".join(
        [
            "import ddz_core as ddz",
            "",
            f"game = ddz.decode({codes.encode(told.game)!r})",
            f"review = ddz.review(game, seed={review.seed}, samples={review.samples})",
            *lines,
        ]
    )
