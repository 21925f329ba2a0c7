"""What the verb ``review`` of the command line does.

Layer 3, under :mod:`ddz_core.cli`, which reads the files.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.review.batch import batch, csv_of
from ddz_core.review.making import SECONDS, made

MOST_SECONDS = 86_400


def options(made: argparse.ArgumentParser) -> None:
    """Add the options of the verb."""
    made.add_argument(
        "sources", nargs="+", metavar="FILE", help=".ddz files or codes, or - for the input"
    )
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--seconds", type=float, default=SECONDS, help="what a game may take")
    made.add_argument(
        "--samples", type=int, help="worlds of a comparison, instead of a time: same answer always"
    )
    made.add_argument(
        "--csv", action="store_true", help="print the decisions, or of several games the table"
    )


def answer(games: Sequence[tuple[str, Game]], given: argparse.Namespace) -> tuple[object, str]:
    """Return a review, or of several games their table, as plain data and as text.

    Args:
        games: name and game of each file.
        given: the options.

    Raises:
        DdzError: for an option that cannot be, or if the only game cannot be reviewed.
    """
    if not 0 < given.seconds <= MOST_SECONDS:
        raise DdzError(
            f"seconds: expected more than 0, at most {MOST_SECONDS}, got {given.seconds}",
            key="error.cli.option",
            field="seconds",
            expected=f"0–{MOST_SECONDS}",
            got=given.seconds,
        )
    how = {"seed": given.seed, "seconds": given.seconds, "samples": given.samples}
    if len(games) == 1:
        found = made(games[0][1], **how)
        return found.as_dict(), csv_of(found.rows()).rstrip("\n") if given.csv else str(found)
    table = batch([game for _, game in games], names=[name for name, _ in games], **how)
    return table.as_dict(), table.csv().rstrip("\n") if given.csv else str(table)
