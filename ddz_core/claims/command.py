"""The verb ``claims`` of the command line: full-size results, kept, resumed and shipped."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ddz_core.claims import spec
from ddz_core.claims.experiment import registry
from ddz_core.claims.front import check, claims, errors, table
from ddz_core.claims.results import Result, asked, read_result, rules_of
from ddz_core.claims.running import families_of, finished, task_of, version_of, work_through
from ddz_core.claims.spec import Claim, wrong
from ddz_core.errors import DdzError
from ddz_core.spreading import spreading


def command(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``claims``.

    Raises:
        DdzError: for a claim, family or number that cannot be, or with ``--check`` for anything
            that does not hold.
    """
    chosen = _chosen(given.ids)
    if given.list:
        return _listed()
    if given.check:
        return _checked(chosen)
    out = given.out or spec.folder() / "results"
    found = [
        result for one in chosen if one.testable and (result := make(one, given, out)) is not None
    ]
    return [result.as_dict() for result in found], "\n".join(map(str, found))


def _chosen(ids: Iterable[str]) -> list[Claim]:
    known = claims()
    for name in ids:
        if name not in known:
            raise wrong("ID", ", ".join(known), name)
    return [known[name] for name in ids] or list(known.values())


def make(claim: Claim, given: argparse.Namespace, out: Path) -> Result | None:
    """Run a claim at full size, ship its result and return it.

    A family that was run before with other deals or bots keeps its numbers until it is run again.
    """
    rules = rules_of(claim)
    ask = asked(claim, rules=rules, seed=given.seed)
    experiment = registry()[claim.experiment]
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{claim.id}.json"
    families: tuple[str, ...] = ()
    before = read_result(path.read_text("utf-8")) if path.is_file() else None
    if experiment.work is not None:
        try:
            families = families_of(given.family, experiment)
        except DdzError:
            sys.stderr.write(f"{claim.id}: not played by {given.family}\n")
            return None
    if given.stale and before is not None and before.cells == experiment.cells(ask):
        families = tuple(name for name in families if before.versions.get(name) != version_of(name))
        if not families:
            return None
    parts: dict[str, Path] = {}
    sizes: dict[str, int] = {}
    folder = given.part or out / "parts"
    with spreading(given.processes, given.scheduler) as spread:
        for family in families:
            usual = claim.deals if family == "rule" else claim.deals_net
            sizes[family] = given.deals or usual
            task = task_of(claim, replace(ask, family=family), rules, sizes[family])
            name = f"{claim.id}-{family}-{given.seed}-{version_of(family)}.part"
            parts[family] = folder / name
            told = parts[family]
            for number in work_through(task, told, spread=spread):
                if number == task.chunks or number % 50 == 0:
                    sys.stderr.write(f"{claim.id} {family}: {number} of {task.chunks}\n")
    result = finished(claim, families, parts, sizes, seed=given.seed)
    if before is not None:
        result = merged(result, before)
    path.write_text(result.text(), "utf-8")
    if given.part is None:
        for part in parts.values():
            part.unlink()
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return result


def merged(fresh: Result, before: Result) -> Result:
    """Return a result with the families that only an earlier one of the same question has."""
    same = (fresh.values, fresh.seed, fresh.ruleset, fresh.cells) == (
        before.values,
        before.seed,
        before.ruleset,
        before.cells,
    )
    if not same:
        return fresh
    numbers = {**before.numbers, **fresh.numbers}
    order = [name for name in ("", "rule", "net") if name in numbers]
    return replace(
        fresh,
        numbers={name: numbers[name] for name in order},
        deals={**before.deals, **fresh.deals},
        versions={**before.versions, **fresh.versions},
        examples={**before.examples, **fresh.examples},
    )


def _listed() -> tuple[object, str]:
    plain = [row.plain() for row in table()]
    lines = []
    for row in plain:
        effect = "" if row["effect"] is None else f"{row['effect']:+.4f}"
        span = "" if row["low"] is None else f"[{row['low']:+.4f}, {row['high']:+.4f}]"
        lines.append(
            f"{row['id']:<4}{row['verdict']:<13}{row['reason']:<9}{effect:>9} {span:<20} "
            f"n {row['n'] or 0:<8}{row['families']:<10} {row['title']}"
        )
    return plain, "\n".join(lines)


def _checked(chosen: list[Claim]) -> tuple[object, str]:
    """Check files, and that shipped results belong to them and to today's bots."""
    notes: list[dict[str, Any]] = []
    broken = errors()
    for name, error in broken.items():
        notes.append({"claim": name, "note": str(error)})
    results = {row.claim.id: row.result for row in table()}
    for one in chosen:
        if not one.testable:
            continue
        check(one)
        result = results[one.id]
        if result is None:
            notes.append({"claim": one.id, "note": "no result"})
            continue
        ask = asked(one, rules=rules_of(one), seed=result.seed)
        if dict(ask.values) != dict(result.values):
            notes.append({"claim": one.id, "note": "result of other parameters"})
        if result.cells != registry()[one.experiment].cells(ask):
            notes.append({"claim": one.id, "note": "result of other cells"})
        for family, version in result.versions.items():
            if version != version_of(family):
                notes.append({"claim": one.id, "note": f"result of an earlier {family}"})
    text = "\n".join(f"{note['claim']}: {note['note']}" for note in notes)
    if broken:
        raise next(iter(broken.values()))
    return notes, text or f"{len(chosen)} claims, nothing to note"
