"""What the verb ``review`` of the command line does.

Layer 3, under :mod:`ddz_core.cli`, which reads the files.
"""

from __future__ import annotations

from collections.abc import Sequence

from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.review.batch import batch, csv_of
from ddz_core.review.making import made


def answer(
    games: Sequence[tuple[str, Game]],
    *,
    seed: int,
    seconds: float,
    samples: int | None,
    as_csv: bool,
) -> tuple[object, str]:
    """Return a review, or of several games their table, as plain data and as text.

    Args:
        games: name and game of each file.
        seed, seconds, samples: as for a review.
        as_csv: whether the text is to be CSV: the decisions of one game, or the table of several.

    Raises:
        DdzError: if the only game cannot be reviewed.
    """
    if not 0 < seconds <= 86_400:
        raise DdzError(
            f"seconds: expected more than 0, at most 86400, got {seconds}",
            key="error.cli.option",
            field="seconds",
            expected="0–86400",
            got=seconds,
        )
    if len(games) == 1:
        found = made(games[0][1], seed=seed, seconds=seconds, samples=samples)
        return found.as_dict(), csv_of(found.rows()).rstrip("\n") if as_csv else str(found)
    table = batch(
        [game for _, game in games],
        names=[name for name, _ in games],
        seed=seed,
        seconds=seconds,
        samples=samples,
    )
    return table.as_dict(), table.csv().rstrip("\n") if as_csv else str(table)
