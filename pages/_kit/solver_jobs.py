"""Positions solved beside the page: at once where that takes a moment, else as a job."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddz_core import solver
from ddz_core.errors import DdzError
from pages._kit import jobs, session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ddz_core.positions import Position
    from ddz_core.solver import Objective, Solution

QUICK = 200_000
"""Nodes of a search that the page waits for; below a tenth of a second."""

BUDGETS = (20_000_000, 200_000_000, 2_000_000_000)
"""Nodes of a job, the next larger one where a smaller did not finish."""

_REMEMBERED = 4_000
_known: OrderedDict[tuple[Position, Objective], Solution] = OrderedDict()
_lock = threading.Lock()
_ends: OrderedDict[str, threading.Event] = OrderedDict()
"""What ends a search early, so that it says what it knows; by question."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How a search stands: nodes so far, share of the plays judged, the solution at its end."""

    nodes: int
    share: float | None
    solution: Solution | None = None


def known(position: Position, objective: Objective) -> Solution | None:
    """Return the whole answer of a position if it has been found, or is found in a moment."""
    with _lock:
        found = _known.get((position, objective))
    if found is None:
        found = solver.solve(position, objective, nodes=QUICK)
        if not finished(found):
            return None
        _remember(position, objective, found)
    return found


def finished(solution: Solution) -> bool:
    """Tell whether every play of a solution is proven."""
    return solution.proven and all(verdict.proven for verdict in solution.plays)


def _remember(position: Position, objective: Objective, found: Solution) -> None:
    with _lock:
        _known[position, objective] = found
        while len(_known) > _REMEMBERED:
            _known.popitem(last=False)


def _work(
    position: Position, objective: Objective, nodes: int, cancel: threading.Event
) -> Iterator[Seen]:
    """Solve in a thread of its own, so that the job can look at it and end it."""
    found: list[Solution] = []
    state: list[float | None] = [0, None]
    failed: list[DdzError] = []

    def progress(count: int, share: float | None) -> None:
        state[:] = [count, share]

    def run() -> None:
        # Linux only, and for this thread alone: pages go first.
        with contextlib.suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 15)
        try:
            found.append(
                solver.solve(position, objective, nodes=nodes, cancel=cancel, progress=progress)
            )
        except DdzError as error:
            failed.append(error)

    thread = threading.Thread(target=run, name="solve", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.2)
            yield Seen(int(state[0] or 0), state[1])
    finally:
        cancel.set()
        thread.join()
    if failed:
        raise failed[0]
    solution = found[0]
    if finished(solution):
        _remember(position, objective, solution)
    yield Seen(solution.nodes, 1.0, solution)


def asked(code: str, objective: str, budget: int) -> str:
    """Return what a job is asked, as one word."""
    return f"{code}:{objective}:{budget}"


def current() -> tuple[str, str]:
    """Return the job of this session and what it was asked."""
    job, _, question = session.get(session.SOLVING).partition(" ")
    return job, question


def start(position: Position, objective: Objective, question: str, budget: int) -> bool:
    """Start a job instead of the one before; tell whether there was room for it."""
    old, _ = current()
    cancel = threading.Event()
    try:
        job = jobs.runner().start(
            lambda: _work(position, objective, budget, cancel), instead_of=old
        )
    except jobs.Busy:
        return False
    with _lock:
        _ends[job] = cancel
        while len(_ends) > jobs.QUEUE + jobs.THREADS:
            _ends.popitem(last=False)
    session.put(session.SOLVING, f"{job} {question}")
    return True


def end(job: str) -> None:
    """Let a job end now with what it knows."""
    with _lock:
        cancel = _ends.get(job)
    if cancel is not None:
        cancel.set()


def live() -> bool:
    """Tell whether a job of this session is running or waiting."""
    job, _ = current()
    return bool(job) and jobs.runner().look(job).live
