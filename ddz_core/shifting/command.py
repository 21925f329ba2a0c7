"""The command that makes the luck-free puzzles and proves them again.

Layer 4, the body of ``python -m ddz_core luckfree``.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from ddz_core.errors import DdzError
from ddz_core.rules import load_ruleset
from ddz_core.shifting.proof import Prover
from ddz_core.shifting.puzzle import (
    GRADES,
    Puzzle,
    candidate,
    check,
    good,
    path,
    promising,
    puzzle_of,
    puzzles,
    write_puzzles,
)
from ddz_core.spreading import Spread, spreading

STATES = 3_000
"""States of one proof while puzzles are made; harder scenes are left out."""
CHUNK = 200
"""Random scenes of one chunk."""


def drawn(rules: str, seed: int, number: int) -> list[Puzzle]:
    """Return the good puzzles among the random scenes of one chunk."""
    game, found = load_ruleset(rules), []
    prover = Prover(game, STATES)
    for at in range(number * CHUNK, (number + 1) * CHUNK):
        seen = candidate(game, (seed, at))
        prover.afresh(STATES)
        if seen is None or not promising(seen, prover):
            continue
        made = puzzle_of(seen, f"{seed}-{at}", prover=prover, seed=(seed, at))
        if isinstance(made, Puzzle) and good(made, seen, prover):
            found.append(made)
    return found


def make(
    rules: str, seed: int, each: int, *, spread: Spread = map, chunks: int = 400
) -> Iterator[list[Puzzle]]:
    """Yield the puzzles chosen so far, chunk by chunk, until every grade has ``each``.

    Args:
        rules: id of the ruleset.
        seed: of the random scenes.
        each: puzzles of each grade.
        spread: where the chunks run.
        chunks: how many are looked at, at most.
    """
    kept: list[Puzzle] = []
    have: Counter[int] = Counter()
    step = 4
    for start in range(0, chunks, step):
        work: Callable[[int], list[Puzzle]] = partial(drawn, rules, seed)
        for found in spread(work, range(start, start + step)):
            for one in found:
                if have[one.grade] < each:
                    have[one.grade] += 1
                    kept.append(one)
        kept.sort(key=lambda one: (one.grade, one.hard, one.layouts, one.seed))
        yield [
            msgspec.structs.replace(one, id=f"L{number:02}") for number, one in enumerate(kept, 1)
        ]
        if all(have[grade] >= each for grade in range(1, GRADES + 1)):
            return


def options(made: argparse.ArgumentParser) -> None:
    """Give the verb its options."""
    what = made.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="prove every shipped puzzle again")
    what.add_argument("--make", action="store_true", help="make them anew and write the file")
    made.add_argument("--ruleset", default="classic", metavar="ID", help="default: classic")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--each", type=int, default=12, help="puzzles of each grade")
    made.add_argument("--processes", type=int, default=1, help="local processes")
    made.add_argument("--scheduler", metavar="ADDRESS", help="of a dask cluster, instead")


def run(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``luckfree``: list the shipped puzzles, prove them again, or make them.

    Raises:
        DdzError: if a proof does not hold; every fault is named.
    """
    if given.make:
        found: list[Puzzle] = []
        with spreading(given.processes, given.scheduler) as spread:
            for found in make(given.ruleset, given.seed, given.each, spread=spread):
                print(_told(found), file=sys.stderr)
        path().write_text(write_puzzles(found), encoding="utf-8")
        return [msgspec.to_builtins(one) for one in found], f"{_told(found)}: {path()}"
    if given.check:
        faults = [fault for one in puzzles() for fault in check(one)]
        if faults:
            raise DdzError(
                "; ".join(faults),
                key="error.shifting.file",
                field="puzzles",
                expected="",
                got="; ".join(faults),
            )
    listed = "\n".join(_line(one) for one in puzzles())
    return [msgspec.to_builtins(one) for one in puzzles()], f"{listed}\n{_told(list(puzzles()))}"


def _line(one: Puzzle) -> str:
    """Return a puzzle as one line of text."""
    hidden = f"{one.unseen} in {'+'.join(map(str, one.sizes))}"
    return f"{one.id:10}  {one.grade}  {one.own:10}  {hidden:20}  {' '.join(one.right)}"


def _told(found: list[Puzzle]) -> str:
    """Return how many puzzles and spreads there are."""
    grades = Counter(one.grade for one in found)
    counts = ", ".join(f"{grades[grade]} of grade {grade}" for grade in range(1, GRADES + 1))
    return f"{len(found)} puzzles ({counts}), {sum(one.layouts for one in found)} spreads"
