"""``python -m ddz_core solve``: an open-hand position by command line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddz_core.dealing import AnyRules
from ddz_core.errors import DdzError
from ddz_core.positions import position
from ddz_core.solver.answers import NODES, solve


def options(made: ArgumentParser) -> None:
    """Add the options of the verb."""
    made.add_argument(
        "--hands", required=True, metavar="A/B/C", help="cards of each hand in playing order"
    )
    made.add_argument("--to-move", type=int, default=0, metavar="SEAT", help="who is to move")
    made.add_argument("--beat", metavar="CARDS", help="the play on the table")
    made.add_argument("--beat-by", type=int, metavar="SEAT", help="left out: the one before")
    made.add_argument("--landlords", default="0", metavar="SEATS", help="with commas, default: 0")
    made.add_argument("--objective", default="win", metavar="WHAT", help="win or points")
    made.add_argument("--nodes", type=int, default=NODES, help="positions to look at, at most")
    made.add_argument("--seconds", type=float, help="processor time, at most")
    made.add_argument("--value", action="store_true", help="only the value and one best play")


def run(rules: AnyRules, given: Namespace) -> tuple[object, str]:
    """Run the verb and return the solution as data and as text.

    Raises:
        DdzError: if the position or an option cannot be.
    """
    try:
        landlords = [int(word) for word in given.landlords.split(",")]
    except ValueError as error:
        raise DdzError(
            f"landlords: expected seats with commas, got {given.landlords}",
            key="error.cli.option",
            field="landlords",
            expected="0,2",
            got=given.landlords,
        ) from error
    place = position(
        given.hands.split("/"),
        given.to_move,
        given.beat,
        rules=rules,
        beat_by=given.beat_by,
        landlords=landlords,
    )
    found = solve(
        place, given.objective, nodes=given.nodes, seconds=given.seconds, plays=not given.value
    )
    return found.as_dict(), str(found)
