"""What a first visitor waits for: imports, kernels from the cache, the first answers."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator

from ddz_core.bench.row import Row

_PROGRAMS = (
    ("import ddz_core", "import ddz_core", 0.5),
    ("kernels from the cache", "from ddz_core import kernels; kernels.warm()", 1.0),
    (
        "first list of moves, kernels cached",
        "import ddz_core; ddz_core.load_ruleset('classic').moves('33344456')",
        1.0,
    ),
)


def rows(work: float) -> Iterator[Row]:
    """Yield the wall time of small programs, each in a fresh process, less an empty one."""
    times = max(3, round(5 * work))
    empty = _wall("pass", times)
    _wall(_PROGRAMS[1][1], 1)  # whatever must be compiled is compiled now
    for what, program, floor in _PROGRAMS:
        took = _wall(program, times) - empty
        yield Row(what=what, unit="s", ours=took, n=times, note=f"at most {floor} s")


def _wall(program: str, times: int) -> float:
    """Return the median wall time of a program in fresh processes, in seconds."""
    timed = f"import time; t = time.perf_counter()\n{program}\nprint(time.perf_counter() - t)"
    found = []
    for _ in range(times):
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", timed], capture_output=True, text=True, check=True
        )
        found.append(float(done.stdout.split()[-1]))
    return statistics.median(found)
