"""``python -m ddz_core puzzles``: list, check, make and grade the puzzles that ship."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from ddz_core.errors import DdzError
from ddz_core.puzzles import collection, making
from ddz_core.puzzles.collection import Puzzle
from ddz_core.puzzles.judge import Judge
from ddz_core.puzzles.themes import NAMES
from ddz_core.rules import load_ruleset


def options(made: ArgumentParser) -> None:
    """Add the options of the verb."""
    what = made.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="prove every puzzle anew")
    what.add_argument("--grade", action="store_true", help="grade and name every puzzle anew")
    what.add_argument("--make", action="store_true", help="make puzzles until there are enough")
    made.add_argument("--ruleset", default="classic", metavar="ID", help="default: classic")
    made.add_argument("--seed", type=int, default=1, help="of the candidates")
    made.add_argument("--each", type=int, default=8, help="puzzles of each shape and grade")
    made.add_argument("--lowest", type=int, default=1, help="lowest grade that is made")
    made.add_argument("--theme", default="", help="one that every puzzle made is to have")
    made.add_argument("--minutes", type=float, default=10.0, help="time that making may take")
    made.add_argument("--file", type=Path, help="another file than the one that ships")


def run(given: Namespace) -> tuple[object, str]:
    """Run the verb and return what it found, as data and as text.

    Raises:
        DdzError: if the file cannot be read, or a puzzle no longer holds.
    """
    place = given.file or collection.path()
    found = collection.read(place.read_bytes()) if place.is_file() else ()
    if given.make:
        found = _make(given, place, found)
    elif given.grade:
        found = tuple(making.again(one) for one in found)
        place.write_bytes(collection.write(found))
    elif given.check:
        judge = Judge()
        wrong = [line for one in found for line in collection.problems(one, judge)]
        if wrong:
            raise DdzError(
                "; ".join(wrong[:10]), key="error.puzzle.broken", field="puzzles", got=wrong[0]
            )
    return [_plain(one) for one in found], _text(found)


def _plain(one: Puzzle) -> dict[str, Any]:
    return {**msgspec.to_builtins(one), "grade": one.grade}


def _make(given: Namespace, place: Path, kept: tuple[Puzzle, ...]) -> tuple[Puzzle, ...]:
    """Make puzzles and write each at once, so that a run that is stopped loses nothing."""
    rules = load_ruleset(given.ruleset)
    if given.theme and given.theme not in NAMES:
        raise DdzError(
            f"theme: expected one of {', '.join(NAMES)}, got {given.theme!r}",
            key="error.puzzle.theme",
            field="theme",
            expected=", ".join(NAMES),
            got=given.theme,
        )
    end = time.monotonic() + 60 * given.minutes
    found = kept
    place.parent.mkdir(parents=True, exist_ok=True)
    making_now = making.make(
        rules,
        seed=given.seed,
        each=given.each,
        lowest=given.lowest,
        theme=given.theme,
        kept=kept,
        stop=lambda: time.monotonic() > end,
    )
    for one in making_now:
        found = (*found, one)
        place.write_bytes(collection.write(found))
    return found


def _text(found: tuple[Puzzle, ...]) -> str:
    lines = [
        f"{one.id} grade {one.grade} {'/'.join(one.hands)}"
        + (f" beat {one.beat} of {one.beat_by}" if one.beat else "")
        + f" to move {one.to_move}: {', '.join(one.themes)}"
        for one in found
    ]
    grades = Counter(one.grade for one in found)
    shapes = Counter(making.shape_of(one) for one in found)
    about = Counter(name for one in found for name in one.themes)
    lines.append(f"{len(found)} puzzles")
    for title, counted in (("grades", grades), ("shapes", shapes), ("themes", about)):
        lines.append(f"{title}: " + ", ".join(f"{k} {n}" for k, n in sorted(counted.items())))
    return "\n".join(lines)
