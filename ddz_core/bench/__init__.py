"""Measurements: how fast the core is, beside other engines where those are installed.

A door of the package, like the command line: nothing imports it. Ours and theirs are asked about
the same positions in one run on one core, in processor time; every position is used once, and the
figures are medians over several batches. What is not installed is said to be so.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Iterator

from ddz_core.bench import bots, engine, net, peers, solver, startup, wilds
from ddz_core.bench.row import Row

PARTS: dict[str, Callable[[float], Iterator[Row]]] = {
    "startup": startup.rows,
    "engine": engine.rows,
    "wilds": wilds.rows,
    "peers": peers.rows,
    "bots": bots.rows,
    "solver": solver.rows,
    "deals": solver.deal_rows,
    "net": net.rows,
}
"""What can be measured, by name; each takes a factor for the amount of work."""


def main(argv: list[str] | None = None) -> int:
    """Measure and print; returns the exit status.

    Args:
        argv: command line words after ``bench``.
    """
    parser = argparse.ArgumentParser(prog="python -m ddz_core bench", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"what to measure: {', '.join(PARTS)} (all)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--work", type=float, default=1.0, help="factor for the amount of work (0.1 to 10)"
    )
    given = parser.parse_args(argv)
    unknown = [part for part in given.parts if part not in PARTS]
    if unknown:
        sys.stderr.write(f"bench: no part {unknown[0]!r}; there are {', '.join(PARTS)}\n")
        return 2
    if not 0.1 <= given.work <= 10:
        sys.stderr.write(f"bench: --work: expected 0.1 to 10, got {given.work}\n")
        return 2
    found: list[Row] = []
    for part in given.parts or PARTS:
        for row in PARTS[part](given.work):
            found.append(row)
            if not given.json:
                sys.stdout.write(row.line() + "\n")
                sys.stdout.flush()
    if given.json:
        machine = {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "system": platform.system(),
        }
        data = {"machine": machine, "rows": [row.as_dict() for row in found]}
        sys.stdout.write(json.dumps(data, indent=1) + "\n")
    return 0
