"""Studies that take minutes: made once from the command line, their results shipped.

Layer 3. ``python -m ddz_core study methods`` judges the two bidding methods of the book over random
hands; ``study strength`` makes the table in which a hand finds its place among random hands. A
study is a sum over numbered chunks, each of which depends on the seed and its own number only: so
it can be stopped and taken up again, and cut over processes or machines, with the same result.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from ddz_core import cards, estimate, strengths
from ddz_core.bidding import mean_of
from ddz_core.bidding_deals import Deals
from ddz_core.bookbids import ENOUGH, RULES, points_of, thumbs_of
from ddz_core.bots import rule
from ddz_core.data_files import data_dir
from ddz_core.dealing import check_seed
from ddz_core.decompose import search_of
from ddz_core.display import stamped
from ddz_core.errors import DdzError
from ddz_core.estimate import Estimate
from ddz_core.rulesets import load
from ddz_core.settling import units
from ddz_core.spreading import Spread

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from ddz_core.specs import Ruleset

FORMAT = 1
"""Raised when a file of a study means something else than before."""

CHUNK = 500
"""Random hands of one chunk."""

STRENGTH_DEALS = 200
"""Deals of each hand in the study ``strength``."""

_MOST_POINTS, _MOST_TURNS = 40, 34
_SUMS = ("hands", "landlord_wins", "farmer_wins", "landlord", "landlord_squares")
SUMS = (*_SUMS, "farmer", "farmer_squares")
"""What the study ``methods`` adds up in each cell; points at a bid of the lowest level."""

Counts: TypeAlias = "NDArray[np.int64]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One run of a study; also the work of its chunks, so that it can be sent elsewhere.

    Attributes:
        name: ``methods`` or ``strength``.
        ruleset: id of the game.
        hands: random hands.
        seed: of everything.
    """

    name: str
    ruleset: str
    hands: int
    seed: int

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return math.ceil(self.hands / CHUNK)

    def __call__(self, number: int) -> Counts:
        """Return the sums of one chunk."""
        ruleset = load(self.ruleset)
        size = min(CHUNK, self.hands - number * CHUNK)
        work = {"methods": _methods, "strength": _strength}[self.name]
        return work(ruleset, size, (self.seed, number))

    def told(self) -> dict[str, Any]:
        """Return how the result was found, for its file."""
        return {
            "study": self.name,
            "format": FORMAT,
            "rules": self.ruleset,
            "play": strengths.play_key(load(self.ruleset)),
            "hands": self.hands,
            "seed": self.seed,
            "bots": "rule",
            "bot_version": bot_version(),
        }


def bot_version() -> str:
    """Return eight hexadecimal digits that change with the weights by which the rule bot plays."""
    return hashlib.sha256(rule.weights_of(rule.Parameters()).tobytes()).hexdigest()[:8]


NAMES = ("methods", "strength")


def plan(name: str, ruleset_id: str = "classic", *, hands: int = 200_000, seed: int = 1) -> Plan:
    """Return the plan of a study.

    Args:
        name: one of :data:`NAMES`.
        ruleset_id: the game.
        hands: random hands, from 1,000 to 100 millions.
        seed: of everything.

    Raises:
        DdzError: for a study that does not exist, or a number that cannot be.
    """
    if name not in NAMES:
        raise _wrong("name", ", ".join(NAMES), name)
    if isinstance(hands, bool) or not isinstance(hands, int) or not 1_000 <= hands <= 10**8:
        raise _wrong("hands", f"1000–{10**8}", hands)
    load(ruleset_id)
    return Plan(name=name, ruleset=ruleset_id, hands=hands, seed=check_seed(seed))


def _wrong(field: str, expected: object, got: object) -> DdzError:
    return DdzError(
        f"{field}: expected {expected}, got {got!r}",
        key="error.option.choice",
        field=field,
        expected=expected,
        got=got,
    )


class Task(Protocol):
    """Work in numbered chunks whose sums are added up: a :class:`Plan`, or another like it."""

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        ...

    def __call__(self, number: int) -> Counts:
        """Return the sums of one chunk."""
        ...

    def told(self) -> dict[str, Any]:
        """Return how the result is found, for its file."""
        ...


def run(task: Task, part: Path, *, spread: Spread = map, keep_every: int = 20) -> Iterator[int]:
    """Work through the chunks that are missing, yielding the number done.

    Args:
        task: what is to be done.
        part: file that keeps the sums between runs; one of another plan is refused.
        spread: how the chunks are worked through.
        keep_every: chunks between two writings of the file.

    Raises:
        DdzError: if the file belongs to another plan.
    """
    done, total = read_part(task, part)
    todo = range(done, task.chunks)
    for number, sums in enumerate(spread(task, todo), start=done + 1):
        total = sums if total is None else total + sums
        if number % keep_every == 0 or number == task.chunks:
            keep_part(task, part, number, total)
        yield number


def keep_part(task: Task, part: Path, done: int, total: Counts) -> None:
    """Write the sums of the chunks done so far, from which :func:`read_part` goes on."""
    part.parent.mkdir(parents=True, exist_ok=True)
    kept = {**task.told(), "done": done, "shape": total.shape, "sums": total.ravel().tolist()}
    fresh = part.with_suffix(".new")
    fresh.write_text(json.dumps(kept), "utf-8")
    fresh.replace(part)


def read_part(task: Task, part: Path) -> tuple[int, Counts | None]:
    """Return the chunks done and their sums from a file of :func:`run`; 0 and None without one."""
    if not part.is_file():
        return 0, None
    kept = json.loads(part.read_text("utf-8"))
    told = task.told()
    if any(kept.get(name) != value for name, value in told.items()):
        raise _wrong("part", json.dumps(told), part.name)
    return int(kept["done"]), np.array(kept["sums"], dtype=np.int64).reshape(kept["shape"])


def result(task: Plan, part: Path) -> dict[str, Any]:
    """Return the finished result of a study as it is shipped.

    Raises:
        DdzError: if chunks are missing.
    """
    done, total = read_part(task, part)
    if done < task.chunks or total is None:
        raise _wrong("part", task.chunks, done)
    told = task.told()
    if task.name == "strength":
        return {**told, "deals": STRENGTH_DEALS, "quantiles": strengths.quantiles(total)}
    cells = [[*map(int, at), *map(int, total[tuple(at)])] for at in np.argwhere(total[..., 0] > 0)]
    return {**told, "columns": ["points", "turns", "thumbs", *SUMS], "cells": cells}


def ship(task: Plan, part: Path, folder: Path) -> Path:
    """Write the finished result among the shipped studies; tables of other games stay."""
    found = result(task, part)
    path = folder / (strengths.FILE if task.name == "strength" else f"{task.name}.json")
    folder.mkdir(parents=True, exist_ok=True)
    if task.name == "strength":
        before = json.loads(path.read_text("utf-8")) if path.is_file() else {"tables": {}}
        before["tables"][found["play"]] = found
        found = {"study": "strength", "format": FORMAT, "tables": before["tables"]}
    path.write_text(_lines(found), "utf-8")
    return path


def _lines(found: dict[str, Any]) -> str:
    """Return JSON with one cell a line, so that changes can be read."""
    cells = found.pop("cells", None)
    text = json.dumps(found, indent=1, ensure_ascii=False)
    if cells is None:
        return text + "\n"
    rows = ",\n  ".join(json.dumps(cell, separators=(",", ":")) for cell in cells)
    return f'{text[:-2]},\n "cells": [\n  {rows}\n ]\n}}\n'


# --- the work of one chunk -----------------------------------------------------------------------


@cache
def _engine(ruleset: Ruleset) -> rule.Engine:
    return rule.Engine(ruleset)


def _deals(ruleset: Ruleset, hand: cards.Hand, seed: tuple[int, int], i: int, mask: int) -> Deals:
    own = seed[0] * 0x9E3779B1 + seed[1] * CHUNK + i
    return Deals(ruleset, hand, seed=own % 2**63, landlords=mask, engine=_engine(ruleset))


def _methods(ruleset: Ruleset, size: int, seed: tuple[int, int]) -> Counts:
    """Return sums by points, turns and rules of thumb that bid; one deal a hand.

    The hand is played as landlord, and as farmer with each other seat as landlord in turn.
    """
    found = np.zeros((_MOST_POINTS, _MOST_TURNS, 1 << len(RULES), len(SUMS)), dtype=np.int64)
    search, lowest = search_of(ruleset), ruleset.auction.levels[0]
    others = ruleset.deal.seats - 1
    for i, hand in enumerate(strengths.random_hands(ruleset, size, seed)):
        boss = 1 + i % others
        results = _deals(ruleset, hand, seed, i, 1 | 1 << boss).more(1).results[0]
        own, other = int(results[0]) & 1, int(results[boss]) & 1
        worth = units(ruleset, lowest, results[[0, boss]])
        landlord = int(worth[0]) * others * (1 if own else -1)
        farmer = int(worth[1]) * (-1 if other else 1)
        thumbs = sum(one.bids << n for n, one in enumerate(thumbs_of(ruleset, hand)))
        points = min(points_of(hand), _MOST_POINTS - 1)
        turns = min(search.fewest(hand), _MOST_TURNS - 1)
        found[points, turns, thumbs] += (
            *(1, own, 1 - other, landlord, landlord * landlord),
            *(farmer, farmer * farmer),
        )
    return found


def _strength(ruleset: Ruleset, size: int, seed: tuple[int, int]) -> Counts:
    """Return how many hands won so many of their deals as landlord."""
    found = np.zeros(STRENGTH_DEALS + 1, dtype=np.int64)
    for i, hand in enumerate(strengths.random_hands(ruleset, size, seed)):
        results = _deals(ruleset, hand, seed, i, 1).more(STRENGTH_DEALS).results
        found[int((results[:, 0] & 1).sum())] += 1
    return found


# --- reading the shipped study of the two methods ------------------------------------------------


@dataclass(frozen=True)
class Methods:
    """The shipped study of the two bidding methods of the book.

    Attributes:
        told: how it was found: rules, hands, seed, bots.
        cells: sums by points, turns and rules of thumb, the columns of the file.
    """

    told: dict[str, Any]
    cells: dict[str, NDArray[np.int64]]

    @property
    def hands(self) -> int:
        """Random hands judged."""
        return int(self.told["hands"])

    @property
    def seed(self) -> int:
        """Seed of the study."""
        return int(self.told["seed"])

    def shares(self) -> dict[str, Estimate]:
        """Return how often each method bids, and how they agree, as shares of all hands."""
        points, thumb = self.cells["points"] >= ENOUGH, self.cells["thumbs"] > 0
        asked = {
            "points": points,
            "thumb": thumb,
            "both": points & thumb,
            "only_points": points & ~thumb,
            "only_thumb": thumb & ~points,
            "neither": ~points & ~thumb,
            "agree": points == thumb,
        }
        asked |= {name: self.cells["thumbs"] & (1 << n) > 0 for n, name in enumerate(RULES)}
        return {name: self._share(here, "hands") for name, here in asked.items()}

    def chance(self, role: str, verdict: str) -> Estimate:
        """Return the chance to win as ``landlord`` or ``farmer`` over the hands of a verdict.

        Args:
            role: ``landlord`` or ``farmer``.
            verdict: ``both``, ``only_points``, ``only_thumb``, ``neither`` or ``all``.
        """
        return self._won(role, self._where(verdict))

    def gain(self, verdict: str) -> Estimate:
        """Return the points that being landlord brings over being farmer, at the lowest bid.

        The two are measured on different games of one deal and taken as independent, so the
        interval is rather too wide than too narrow.
        """
        return self._gain(self._where(verdict))

    def _gain(self, here: NDArray[np.bool_]) -> Estimate:
        n = int(self.cells["hands"][here].sum())
        if n == 0:
            return mean_of(np.zeros(0), "points", self.seed)
        mean, spread = 0.0, 0.0
        for name, sign in (("landlord", 1), ("farmer", -1)):
            total = float(self.cells[name][here].sum())
            squares = float(self.cells[f"{name}_squares"][here].sum())
            mean += sign * total / n
            spread += (squares / n - (total / n) ** 2) / n
        half = 1.96 * math.sqrt(spread)
        return Estimate(
            value=mean,
            low=mean - half,
            high=mean + half,
            n=n,
            method="sampled",
            unit="points",
            seed=self.seed,
        )

    def by(self, of: str, role: str) -> dict[int, Estimate]:
        """Return the chance to win by ``points`` or ``turns``, for values with 30 hands or more."""
        return {
            int(value): self._won(role, self.cells[of] == value)
            for value in np.unique(self.cells[of])
            if self.cells["hands"][self.cells[of] == value].sum() >= 30
        }

    def spread(self, of: str) -> dict[int, int]:
        """Return the number of hands by ``points`` or ``turns``."""
        return {
            int(value): int(self.cells["hands"][self.cells[of] == value].sum())
            for value in np.unique(self.cells[of])
        }

    def grid(self) -> list[dict[str, object]]:
        """Return the chances to win by points and turns, one row a pair with 200 hands or more."""
        rows: list[dict[str, object]] = []
        pairs = sorted(set(zip(self.cells["points"], self.cells["turns"], strict=True)))
        for points, turns in pairs:
            here = (self.cells["points"] == points) & (self.cells["turns"] == turns)
            if self.cells["hands"][here].sum() < 200:
                continue
            landlord, farmer = self._won("landlord", here), self._won("farmer", here)
            rows.append(
                {
                    "points": int(points),
                    "turns": int(turns),
                    "hands": landlord.n,
                    "landlord": landlord.value,
                    "low": landlord.low,
                    "high": landlord.high,
                    "farmer": farmer.value,
                    "gain": self._gain(here).value,
                }
            )
        return rows

    def frame(self) -> pd.DataFrame:
        """Return the cells as a pandas frame, with rules, seed and version of the bots."""
        import pandas as pd

        more = {name: self.told[name] for name in ("rules", "seed", "bots", "bot_version")}
        return stamped(pd.DataFrame({**self.cells, **more}))

    def _where(self, verdict: str) -> NDArray[np.bool_]:
        points, thumb = self.cells["points"] >= ENOUGH, self.cells["thumbs"] > 0
        choices = {
            "both": points & thumb,
            "only_points": points & ~thumb,
            "only_thumb": thumb & ~points,
            "neither": ~points & ~thumb,
            "points": points,
            "thumb": thumb,
            "all": points | ~points,
        }
        if verdict not in choices:
            raise _wrong("verdict", ", ".join(choices), verdict)
        return choices[verdict]

    def _won(self, role: str, here: NDArray[np.bool_]) -> Estimate:
        if role not in {"landlord", "farmer"}:
            raise _wrong("role", "landlord, farmer", role)
        n = int(self.cells["hands"][here].sum())
        if n == 0:
            return mean_of(np.zeros(0), "probability", self.seed)
        return estimate.share(int(self.cells[f"{role}_wins"][here].sum()), n, seed=self.seed)

    def _share(self, here: NDArray[np.bool_], column: str) -> Estimate:
        hits = int(self.cells[column][here].sum())
        return estimate.share(hits, int(self.cells[column].sum()), seed=self.seed)


@cache
def methods() -> Methods:
    """Return the shipped study of the two methods.

    Raises:
        FileNotFoundError: if it was not shipped, which means a broken installation.
    """
    return read_methods(data_dir() / "studies" / "methods.json")


def read_methods(path: Path) -> Methods:
    """Read a file that ``study methods`` wrote."""
    found = json.loads(path.read_text("utf-8"))
    rows = np.array(found.pop("cells"), dtype=np.int64)
    names = found.pop("columns")
    return Methods(found, {name: rows[:, i] for i, name in enumerate(names)})
