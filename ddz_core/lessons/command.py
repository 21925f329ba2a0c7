"""``python -m ddz_core lessons``: list the lessons, check shipped ones or files, make drills."""

from __future__ import annotations

import argparse
from pathlib import Path

from ddz_core.lessons import checking, drills, files
from ddz_core.lessons.checking import Fault


def options(parser: argparse.ArgumentParser) -> None:
    """Give the verb its options."""
    parser.add_argument("names", nargs="*", metavar="LESSON", help="ids or .toml files; all")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--make", choices=drills.DRILLS, help="make a drill and write its file")
    parser.add_argument("--seed", type=int, default=1, help="of the drill")
    parser.add_argument("--out", type=Path, default=Path("data/lessons"), help="folder for it")
    what.add_argument(
        "--check", action="store_true", help="hold every answer against the rules and the solver"
    )


def run(given: argparse.Namespace) -> tuple[object, str]:
    """List or check lessons.

    Returns:
        Plain data and the same as lines of text.

    Raises:
        LessonError: for a lesson that does not exist or cannot be read, and after a check that
            found faults, which are in its sentence.
    """
    if given.make:
        made = drills.make(given.make, given.seed)
        path = given.out / f"{made.id}.toml"
        path.write_text(files.write(made), encoding="utf-8")
        return {"path": str(path), "steps": len(made.steps)}, f"{len(made.steps)} steps: {path}"
    found = [_read(name) for name in given.names or files.lesson_ids()]
    if not given.check:
        rows = [_row(one) for one in found]
        return rows, "\n".join("{id:14} {tasks:2} tasks  {title}".format(**row) for row in rows)
    faults: list[Fault] = []
    for one in found:
        faults += checking.check(one)
    if faults:
        raise files.refused(
            "faults",
            f"{len(faults)} faults:\n" + "\n".join(map(str, faults)),
            field="lesson",
            expected=0,
            got=len(faults),
        )
    tasks = sum(len(one.tasks) for one in found)
    return {"lessons": len(found), "tasks": tasks, "faults": 0}, (
        f"{len(found)} lessons, {tasks} tasks: nothing is wrong"
    )


def _read(name: str) -> files.Lesson:
    path = Path(name)
    if path.suffix != ".toml":
        return files.load(name)
    try:
        return files.read(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise files.refused(
            "none", f"cannot read {name}: {error}", field="lesson", expected=".toml", got=name
        ) from error


def _row(one: files.Lesson) -> dict[str, object]:
    return {
        "id": one.id,
        "place": one.place,
        "group": one.group,
        "title": files.told(one.title, "en"),
        "rules": one.rules,
        "tasks": len(one.tasks),
        "claims": list(one.claims),
    }
