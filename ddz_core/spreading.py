"""Where the chunks of long work run: in this process, in local ones, or on a dask cluster.

Layer 0. Chunks are numbered and each makes its numbers from its own seed, so the place where they
run changes nothing in the result.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from ddz_core.errors import DdzError

Spread = Callable[[Callable[[int], Any], Iterable[int]], Iterable[Any]]
"""Applies a picklable function to every number, results in the order of the numbers."""


@contextlib.contextmanager
def spreading(processes: int = 1, scheduler: str | None = None) -> Iterator[Spread]:
    """Give the function that applies chunk work, for the length of a ``with`` block.

    Args:
        processes: local processes; one is this process itself.
        scheduler: address of a ``dask.distributed`` scheduler, which is then used instead.

    Raises:
        DdzError: if ``processes`` is below one.
    """
    if processes < 1:
        raise DdzError(
            f"processes: expected 1 or more, got {processes}",
            key="error.cli.option",
            field="processes",
            expected="1 or more",
            got=processes,
        )
    with contextlib.ExitStack() as pools:
        spread: Spread = map
        if scheduler:
            # An optional extra, loaded only where it is asked for.
            from distributed import Client

            client = pools.enter_context(Client(scheduler))
            spread = lambda work, numbers: (  # noqa: E731
                chunk.result() for chunk in client.map(work, list(numbers))
            )
        elif processes > 1:
            spread = pools.enter_context(ProcessPoolExecutor(processes)).map
        yield spread
