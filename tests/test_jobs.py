"""The job runner: order, progress, cancelling, giving up, failing."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from pages._kit.jobs import KEPT, PATIENCE, Busy, Look, Runner

SOON = 10.0


def until(runner: Runner, name: str, *states: str) -> Look:
    """Wait for a job to reach one of the states."""
    pause = threading.Event()
    for _ in range(2000):
        look = runner.look(name)
        if look.state in states:
            return look
        pause.wait(SOON / 2000)
    pytest.fail(f"still {look.state}, wanted {states}")


def until_chunk(runner: Runner, name: str) -> None:
    """Wait for the first chunk of a job."""
    pause = threading.Event()
    for _ in range(2000):
        if runner.look(name).done:
            return
        pause.wait(SOON / 2000)
    pytest.fail("no chunk was finished")


class Gate:
    """Work that passes one chunk each time it is let."""

    def __init__(self, chunks: int = 1000) -> None:
        self.chunks = chunks
        self.pass_one = threading.Semaphore(0)
        self.started = threading.Event()

    def __call__(self) -> Iterator[int]:
        """Yield the numbers from 1."""
        self.started.set()
        for number in range(1, self.chunks + 1):
            assert self.pass_one.acquire(timeout=SOON)
            yield number


def test_job_runs_to_its_end() -> None:
    """A job's last yield is its result and every chunk is counted."""
    runner = Runner()
    name = runner.start(lambda: iter([10, 20, 30]), total=3)
    assert until(runner, name, "done") == Look("done", done=3, total=3, result=30)


def test_running_result_can_be_seen() -> None:
    """Between two chunks a look shows what there is so far."""
    runner, gate = Runner(threads=1), Gate(2)
    name = runner.start(gate, total=2)
    assert gate.started.wait(SOON)
    assert runner.look(name).live
    gate.pass_one.release()
    until_chunk(runner, name)
    assert runner.look(name) == Look("running", done=1, total=2, result=1)
    gate.pass_one.release()
    assert until(runner, name, "done").result == 2


def test_cancelled_job_stops_after_its_chunk() -> None:
    """Cancelling ends a running job at the next chunk and keeps what it had."""
    runner, gate = Runner(threads=1), Gate()
    name = runner.start(gate)
    gate.pass_one.release()
    until_chunk(runner, name)
    runner.cancel(name)
    gate.pass_one.release()
    look = until(runner, name, "cancelled")
    assert look.result in {1, 2}
    assert look.done <= 2


def test_waiting_job_knows_its_place_and_can_be_cancelled() -> None:
    """With the thread taken, jobs wait in order; a cancelled one leaves the queue."""
    runner, gate = Runner(threads=1), Gate(1)
    first = runner.start(gate)
    assert gate.started.wait(SOON)
    second = runner.start(lambda: iter([1]))
    third = runner.start(lambda: iter([2]))
    assert [runner.look(name).ahead for name in (second, third)] == [0, 1]
    runner.cancel(second)
    assert runner.look(second).state == "cancelled"
    assert runner.look(third).ahead == 0
    gate.pass_one.release()
    assert until(runner, first, "done").result == 1
    assert until(runner, third, "done").result == 2


def test_new_job_replaces_the_old_one() -> None:
    """Starting anew cancels the reader's older job."""
    runner, gate = Runner(threads=1), Gate()
    old = runner.start(gate)
    assert gate.started.wait(SOON)
    new = runner.start(lambda: iter([1]), instead_of=old)
    gate.pass_one.release()
    assert until(runner, old, "cancelled")
    assert until(runner, new, "done").result == 1


def test_abandoned_job_stops_by_itself() -> None:
    """When nobody looks any more, the job ends after the chunk it is at."""
    now = [0.0]
    runner, gate = Runner(threads=1, clock=lambda: now[0]), Gate()
    name = runner.start(gate)
    assert gate.started.wait(SOON)
    now[0] = PATIENCE + 1
    gate.pass_one.release()
    follower = runner.start(lambda: iter([1]))
    assert until(runner, follower, "done")
    assert runner.look(name).state == "abandoned"


def test_failure_is_reported_and_the_thread_lives_on() -> None:
    """An exception ends its own job only."""

    def breaks() -> Iterator[int]:
        yield 1
        raise ArithmeticError("no")

    runner = Runner(threads=1)
    name = runner.start(breaks)
    look = until(runner, name, "failed")
    assert isinstance(look.error, ArithmeticError)
    assert look.result == 1
    assert until(runner, runner.start(lambda: iter([5])), "done").result == 5


def test_queue_is_bounded() -> None:
    """One job too many is refused instead of waiting for ever."""
    runner, gate = Runner(threads=1, queue=2), Gate(1)
    runner.start(gate)
    assert gate.started.wait(SOON)
    for _ in range(2):
        runner.start(lambda: iter([1]))
    with pytest.raises(Busy):
        runner.start(lambda: iter([1]))
    gate.pass_one.release()


def test_finished_jobs_are_forgotten() -> None:
    """A result that nobody has asked for in a while is dropped."""
    now = [0.0]
    runner = Runner(threads=1, clock=lambda: now[0])
    name = runner.start(lambda: iter([1]))
    until(runner, name, "done")
    now[0] = KEPT + 1
    runner.start(lambda: iter([1]))
    assert runner.look(name) == Look("unknown")
    assert runner.look("never given").state == "unknown"
