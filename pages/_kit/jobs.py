"""Long work beside the pages: two threads for the whole process, chunk by chunk.

A job is a generator that yields its running result after every chunk of 0.1 to 0.3 seconds of
work that lets other threads run. The threads never touch Streamlit; a page keeps the job's id (a
text) in its session, looks at it from a polling fragment, and cancels it. Work that nobody has
looked at for some seconds stops by itself: the tab was closed.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import streamlit as st

State = Literal["waiting", "running", "done", "cancelled", "abandoned", "failed", "unknown"]
Work = Callable[[], Iterator[Any]]

THREADS = 2
QUEUE = 20
"""Most jobs that may wait; one more is refused."""

PATIENCE = 15.0
"""Seconds without a look after which a job is abandoned."""

KEPT = 120.0
"""Seconds without a look after which the result of a finished job is forgotten."""


class Busy(RuntimeError):
    """Too many jobs are waiting; try again later."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a job looks like at one moment.

    Attributes:
        state: ``unknown`` for an id that was forgotten or never given.
        done: chunks finished.
        total: chunks expected; 0 if not known.
        result: what the last finished chunk yielded, or None.
        error: the exception that ended a failed job, or None.
        ahead: number of jobs that wait before this one.
    """

    state: State
    done: int = 0
    total: int = 0
    result: Any = None
    error: BaseException | None = None
    ahead: int = 0

    @property
    def live(self) -> bool:
        """Whether more is to come, so that a page should go on polling."""
        return self.state in {"waiting", "running"}


@dataclass(slots=True)
class _Job:
    work: Work
    total: int
    looked: float
    state: State = "waiting"
    done: int = 0
    result: Any = None
    error: BaseException | None = None
    cancel: threading.Event = field(default_factory=threading.Event)


class Runner:
    """Runs jobs in the order they came; every method may be called from any thread."""

    def __init__(
        self,
        threads: int = THREADS,
        queue: int = QUEUE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start the threads.

        Args:
            threads: how many jobs run at once.
            queue: how many may wait.
            clock: seconds that only grow; for tests.
        """
        self._most, self._clock = queue, clock
        self._jobs: dict[str, _Job] = {}
        self._waiting: deque[str] = deque()
        self._change = threading.Condition()
        for number in range(threads):
            threading.Thread(target=self._serve, name=f"job {number}", daemon=True).start()

    def start(self, work: Work, *, total: int = 0, instead_of: str = "") -> str:
        """Queue a job and return its id.

        Args:
            work: called in a worker thread; its generator yields the running result.
            total: number of chunks expected, for the progress shown.
            instead_of: id of an older job of the same reader, which is cancelled.

        Raises:
            Busy: too many jobs are waiting.
        """
        self.cancel(instead_of)
        with self._change:
            self._forget()
            if len(self._waiting) >= self._most:
                raise Busy(f"{self._most} jobs are waiting")
            name = uuid.uuid4().hex
            self._jobs[name] = _Job(work, total, self._clock())
            self._waiting.append(name)
            self._change.notify()
        return name

    def look(self, name: str) -> Look:
        """Return how a job stands, and note that somebody is still interested."""
        with self._change:
            job = self._jobs.get(name)
            if job is None:
                return Look("unknown")
            job.looked = self._clock()
            ahead = self._waiting.index(name) if name in self._waiting else 0
            return Look(job.state, job.done, job.total, job.result, job.error, ahead)

    def cancel(self, name: str) -> None:
        """Stop a job after the chunk it is at; an id that is not known is passed over."""
        with self._change:
            job = self._jobs.get(name)
            if job is not None:
                job.cancel.set()
                if name in self._waiting:
                    self._waiting.remove(name)
                    job.state = "cancelled"

    def _serve(self) -> None:
        # Linux only, and for this thread alone: pages go first.
        with contextlib.suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 15)
        while True:
            with self._change:
                while not self._waiting:
                    self._change.wait()
                job = self._jobs[self._waiting.popleft()]
                job.state = "running"
            state, error = self._run(job)
            with self._change:
                job.state, job.error = state, error

    def _run(self, job: _Job) -> tuple[State, BaseException | None]:
        try:
            chunks = job.work()
            while True:
                if job.cancel.is_set():
                    return "cancelled", None
                if self._clock() - job.looked > PATIENCE:
                    return "abandoned", None
                result = next(chunks, self)
                if result is self:
                    return "done", None
                with self._change:
                    job.done, job.result = job.done + 1, result
        except Exception as error:
            return "failed", error

    def _forget(self) -> None:
        now = self._clock()
        for name, job in list(self._jobs.items()):
            ended = job.state not in {"waiting", "running"}
            if ended and now - job.looked > KEPT:
                del self._jobs[name]


@st.cache_resource
def runner() -> Runner:
    """Return the runner of this process."""
    return Runner()
