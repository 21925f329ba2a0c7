"""Running experiments: live in small chunks, or at full size with a part file and helpers.

Both go through the same chunks, so a live run of as many deals with the same seed gives the same
numbers as the command.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ddz_core import codes
from ddz_core.claims import playing
from ddz_core.claims.experiment import (
    CHUNK,
    Ask,
    Example,
    Experiment,
    Outcome,
    estimates_of,
    registry,
    sums_of,
)
from ddz_core.claims.results import NO_BOTS, Result, asked, rules_of
from ddz_core.claims.spec import Claim, wrong
from ddz_core.claims.verdict import Cell
from ddz_core.dealing import check_seed
from ddz_core.rules import Rules, load_ruleset
from ddz_core.study import bot_version

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.spreading import Spread

SECONDS = 8.0
"""Length of a live run."""
MOST_DEALS = 10**8
EXAMPLE_CHUNKS = 40
"""Chunks searched for a deal for and a deal against."""


class Cancel(Protocol):
    """Anything like an event that says when to stop."""

    def is_set(self) -> bool:
        """Tell whether to stop."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The chunks of one family for one claim; can be sent elsewhere.

    Attributes:
        claim: id.
        experiment: name of the experiment.
        ruleset: id of the game.
        overrides: house rules as sorted pairs of JSON texts.
        values: parameters as sorted pairs.
        family: of the bots.
        seed: of everything.
        deals: how many.
        moved: parameters away from the claim's own values.
    """

    claim: str
    experiment: str
    ruleset: str
    overrides: str
    values: tuple[tuple[str, float], ...]
    family: str
    seed: int
    deals: int
    moved: tuple[str, ...] = ()

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return math.ceil(self.deals / registry()[self.experiment].chunk)

    def ask(self) -> Ask:
        """Return the question of the chunks."""
        rules = load_ruleset(self.ruleset, json.loads(self.overrides) or None)
        return Ask(
            ruleset=rules.ruleset,
            values=dict(self.values),
            family=self.family,
            seed=self.seed,
            moved=frozenset(self.moved),
        )

    def __call__(self, number: int) -> NDArray[np.int64]:
        """Return the sums of one chunk."""
        ask = self.ask()
        experiment = registry()[self.experiment]
        return sums_of(experiment.cells(ask), outcome_of(experiment, ask, number))

    def told(self) -> dict[str, Any]:
        """Return what the numbers depend on, for the part file."""
        return {
            "claim": self.claim,
            "experiment": self.experiment,
            "rules": self.ruleset,
            "overrides": self.overrides,
            "values": dict(self.values),
            "family": self.family,
            "seed": self.seed,
            "moved": list(self.moved),
            "cells": [cell.name for cell in registry()[self.experiment].cells(self.ask())],
            "version": version_of(self.family),
        }


def version_of(family: str) -> str:
    """Return the version of a family's bots."""
    return bot_version() if family == "rule" else playing.net_version()


def outcome_of(experiment: Experiment, ask: Ask, number: int) -> Outcome:
    """Return what one chunk of an experiment finds."""
    if experiment.work is None:
        raise wrong("experiment", "one that is played", experiment.name)
    return experiment.work(ask, playing.table_of(ask.ruleset, ask.family), number)


def task_of(claim: Claim, ask: Ask, rules: Rules, deals: int) -> Task:
    """Return the work of one family."""
    return Task(
        claim=claim.id,
        experiment=claim.experiment,
        ruleset=rules.id,
        overrides=json.dumps(dict(rules.overrides), sort_keys=True),
        values=tuple(sorted(ask.values.items())),
        family=ask.family,
        seed=ask.seed,
        deals=deals,
        moved=tuple(sorted(ask.moved)),
    )


# --- live ----------------------------------------------------------------------------------------


def runs(
    claim: Claim,
    conditions: Mapping[str, float] | None = None,
    *,
    seconds: float | None = SECONDS,
    deals: int | None = None,
    seed: int = 1,
    family: str = "rule",
    rules: Rules | None = None,
    cancel: Cancel | None = None,
) -> Iterator[Result]:
    """Run a claim's experiment, yielding the running result after every chunk.

    Args:
        claim: the claim.
        conditions: sliders that are moved.
        seconds: when to stop; None for no limit.
        deals: how many deals, instead of a time; None runs until the time is up.
        seed: of everything.
        family: ``rule``, ``net`` or ``both``.
        rules: the game; left out, the first of the claim's.
        cancel: asked between chunks.

    Raises:
        DdzError: for a claim that cannot be tested, conditions, a family or numbers that cannot be.
    """
    if not claim.testable:
        raise wrong("claim", "one that can be tested", claim.id)
    check_seed(seed)
    if deals is not None and (
        isinstance(deals, bool) or not isinstance(deals, int) or not 2 <= deals <= MOST_DEALS
    ):
        raise wrong("deals", f"2–{MOST_DEALS}", deals)
    known = rules_of(claim, rules)
    ask = asked(claim, conditions, rules=known, seed=seed)
    experiment = registry()[claim.experiment]
    families = families_of(family, experiment)
    cells = experiment.cells(ask)
    counted = experiment.numbers(ask)
    result = Result(
        claim=claim.id,
        ruleset=known.id,
        values=ask.values,
        seed=seed,
        cells=cells,
        numbers={NO_BOTS: counted} if counted else {},
        margins=claim.margins,
    )
    if experiment.work is None:
        yield result
        return
    if counted:
        yield result
    asks = {name: replace(ask, family=name) for name in families}
    totals = {name: np.zeros((len(cells) + 1, 3), dtype=np.int64) for name in families}
    until = None if seconds is None or deals is not None else time.monotonic() + seconds
    most = math.ceil((MOST_DEALS if deals is None else deals) / experiment.chunk)
    for number in range(most):
        for name in families:
            if cancel is not None and cancel.is_set():
                return
            totals[name] += sums_of(cells, outcome_of(experiment, asks[name], number))
        result = _with_sums(result, experiment, totals)
        yield result
        if until is not None and time.monotonic() >= until:
            return


def run(
    claim: Claim,
    conditions: Mapping[str, float] | None = None,
    *,
    seconds: float | None = SECONDS,
    deals: int | None = None,
    seed: int = 1,
    family: str = "rule",
    rules: Rules | None = None,
    cancel: Cancel | None = None,
    progress: Callable[[Result], object] | None = None,
) -> Result:
    """Run a claim's experiment and return its last result; see :func:`runs`.

    Args:
        progress: called with every running result.
    """
    last: Result | None = None
    for last in runs(
        claim,
        conditions,
        seconds=seconds,
        deals=deals,
        seed=seed,
        family=family,
        rules=rules,
        cancel=cancel,
    ):
        if progress is not None:
            progress(last)
    if last is None:
        known = rules_of(claim, rules)
        ask = asked(claim, conditions, rules=known, seed=seed)
        return Result(claim=claim.id, ruleset=known.id, values=ask.values, seed=seed)
    return last


def families_of(family: str, experiment: Experiment) -> tuple[str, ...]:
    """Return the families that a word asks for and that can play an experiment.

    Raises:
        DdzError: for an unknown one, or one that cannot play this.
    """
    if family == "both":
        return experiment.families
    if family not in experiment.families:
        raise wrong("family", ", ".join((*experiment.families, "both")), family)
    return (family,)


def _with_sums(
    result: Result, experiment: Experiment, totals: Mapping[str, NDArray[np.int64]]
) -> Result:
    numbers: dict[str, Any] = {}
    if NO_BOTS in result.numbers:
        numbers[NO_BOTS] = result.numbers[NO_BOTS]
    for name, sums in totals.items():
        numbers[name] = estimates_of(result.cells, sums, experiment.scale, result.seed)
    return replace(
        result,
        numbers=numbers,
        deals={name: int(sums[0, 0]) for name, sums in totals.items()},
        versions={name: version_of(name) for name in totals},
    )


# --- full size -----------------------------------------------------------------------------------


def work_through(
    task: Task, part: Path, *, spread: Spread = map, keep_every: int = 10
) -> Iterator[int]:
    """Work through the chunks that are missing, yielding the number done.

    Args:
        task: what is to be done; one of more deals goes on with the part of fewer.
        part: file that keeps the sums between runs.
        spread: how the chunks are worked through: ``map``, or that of a pool or cluster.
        keep_every: chunks between two writings of the file.

    Raises:
        DdzError: if the file belongs to other work.
    """
    done, total = read_part(task, part)
    todo: Iterable[int] = range(done, task.chunks)
    for number, sums in enumerate(spread(task, todo), start=done + 1):
        total = sums if total is None else total + sums
        if number % keep_every == 0 or number == task.chunks:
            part.parent.mkdir(parents=True, exist_ok=True)
            kept = {**task.told(), "done": number, "sums": total.tolist()}
            fresh = part.with_suffix(".new")
            fresh.write_text(json.dumps(kept), "utf-8")
            fresh.replace(part)
        yield number


def read_part(task: Task, part: Path) -> tuple[int, NDArray[np.int64] | None]:
    """Return the chunks done and their sums; 0 and None without a file.

    Raises:
        DdzError: if the file belongs to other work.
    """
    if not part.is_file():
        return 0, None
    try:
        kept = json.loads(part.read_text("utf-8"))
        told = task.told()
        if any(kept.get(name) != value for name, value in told.items()):
            raise wrong("part", json.dumps(told), part.name)
        return int(kept["done"]), np.array(kept["sums"], dtype=np.int64)
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise wrong("part", "JSON", part.name) from error


def finished(
    claim: Claim,
    families: Sequence[str],
    parts: Mapping[str, Path],
    deals: Mapping[str, int],
    *,
    conditions: Mapping[str, float] | None = None,
    seed: int = 1,
    rules: Rules | None = None,
) -> Result:
    """Return the result of part files, with its examples.

    Raises:
        DdzError: if chunks are missing.
    """
    known = rules_of(claim, rules)
    ask = asked(claim, conditions, rules=known, seed=seed)
    experiment = registry()[claim.experiment]
    cells, counted = experiment.cells(ask), experiment.numbers(ask)
    result = Result(
        claim=claim.id,
        ruleset=known.id,
        values=ask.values,
        seed=seed,
        cells=cells,
        numbers={NO_BOTS: counted} if counted else {},
        margins=claim.margins,
    )
    if experiment.work is None:
        return replace(result, examples=solved_examples(experiment, ask))
    totals = {}
    for name in families:
        task = task_of(claim, replace(ask, family=name), known, deals[name])
        done, sums = read_part(task, parts[name])
        if sums is None or done < task.chunks:
            raise wrong("part", task.chunks, done)
        totals[name] = sums
    result = _with_sums(result, experiment, totals)
    return replace(result, examples=examples(experiment, ask, cells))


# --- one deal for, one against -------------------------------------------------------------------


def examples(experiment: Experiment, ask: Ask, cells: Sequence[Cell]) -> dict[str, Example]:
    """Return one deal for and one against what a claim says, from the first chunks.

    They lie in the first cell that counts and was played, where there is one of the kind.
    """
    if experiment.work is None:
        return solved_examples(experiment, ask)
    found: dict[str, Example] = {}
    order = [cell for cell in cells if cell.counts] + [cell for cell in cells if not cell.counts]
    for number in range(EXAMPLE_CHUNKS):
        outcome = outcome_of(experiment, ask, number)
        if outcome.show is None:
            return {}
        for cell in order:
            if cell.name not in outcome.parts:
                continue
            values, places = outcome.parts[cell.name]
            scale = experiment.scale.get(cell.unit, 1)
            signs = _signs(cell, np.asarray(values / scale))
            for side, wanted in (("for", 1), ("against", -1)):
                if side in found:
                    continue
                for index in np.flatnonzero(signs == wanted)[:1]:
                    place = int(places[index])
                    code, seat = outcome.show(place)
                    found[side] = Example(
                        code=code,
                        kind="game",
                        seat=seat,
                        seed=ask.seed,
                        deal=number * experiment.chunk + place % CHUNK,
                        value=float(values[index]) / scale,
                        cell=cell.name,
                    )
        if len(found) == 2:
            break
    return found


def solved_examples(experiment: Experiment, ask: Ask) -> dict[str, Example]:
    """Return the positions that a solved experiment shows."""
    if experiment.shown is None:
        return {}
    return {
        side: Example(
            code=codes.encode(position),
            kind="position",
            seat=seat,
            seed=ask.seed,
            deal=0,
            value=1.0 if side == "for" else 0.0,
            cell=cell,
        )
        for side, (position, seat, cell) in experiment.shown(ask).items()
    }


def _signs(cell: Cell, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1 for values as the claim says, -1 for those against, 0 for the others."""
    if cell.want == 0:
        return np.where(np.abs(values - cell.line) < 1e-9, 1.0, -1.0)
    return np.sign((values - cell.line) * cell.want)
