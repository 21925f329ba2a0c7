"""The ladder of bots: duplicate matches that can be stopped and spread, and their shipped results.

Layer 3. A match is cut into chunks of a few deals; a chunk depends on the bots, the seed and its
own number only, so that a match stopped, or spread over processes or machines, gives the result of
one in one piece. (A bot with a budget in seconds plays as fast as its machine: then that holds for
the deals, not for every choice.) ``python -m ddz_core ladder`` plays every pairing and writes
``data/studies/ladder.json``.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core import bots, study
from ddz_core.bots import match
from ddz_core.bots.match import DuplicateResult
from ddz_core.bots.rlcard import RULES as RULES
from ddz_core.data_files import data_dir
from ddz_core.dealing import check_seed
from ddz_core.display import stamped
from ddz_core.errors import DdzError
from ddz_core.estimate import Estimate
from ddz_core.rules import Rules, load_ruleset
from ddz_core.spreading import Spread, spreading

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

FORMAT = 1
"""Raised when the file means something else than before."""
FILE = "ladder.json"
CHUNK = 5
"""Deals of one chunk."""
MOST_DEALS = 1_000_000

SAMPLER = "sampler:samples=200"
PLAIN = "sampler:samples=200:inference=false:net=false"
"""The sampler of the ladder, and one that reads nothing in plays and passes and asks no net: with
200 worlds a decision takes some 15 milliseconds, and the matches can be repeated move by move."""
ENTRANTS = (
    "random",
    "rule:character=beginner",
    "rule:character=cautious",
    "rule:character=blocker",
    "rule:character=racer",
    "rule",
    "rlcard",
    "net",
    PLAIN,
    SAMPLER,
)
"""Bots of the shipped ladder, as texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """A duplicate match; also the work of its chunks, so that it can be sent elsewhere.

    Attributes:
        ruleset: id of the game.
        overrides: house rules, a JSON text; empty for none.
        first, second: the bots, as texts.
        deals: deals, each played in both roles.
        seed: of deals, landlords and bots.
    """

    ruleset: str = "classic"
    overrides: str = ""
    first: str
    second: str
    deals: int
    seed: int = 1

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return -(-self.deals // CHUNK)

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return load_ruleset(self.ruleset, json.loads(self.overrides) if self.overrides else None)

    def __call__(self, number: int) -> NDArray[np.int64]:
        """Return the sums of one chunk, see :data:`ddz_core.bots.match.SUMS`."""
        rules, first, second = self.rules, bots.named(self.first), bots.named(self.second)
        sums = np.zeros(len(match.SUMS), dtype=np.int64)
        for deal in range(number * CHUNK, min(self.deals, (number + 1) * CHUNK)):
            sums += match.duplicate_deal(rules, first, second, seed=self.seed, number=deal)
        return sums

    def told(self) -> dict[str, Any]:
        """Return how the result is found, for its file."""
        return {
            "study": "duplicate",
            "format": FORMAT,
            "rules": self.ruleset,
            "house": self.overrides,
            "first": self.first,
            "second": self.second,
            "deals": self.deals,
            "seed": self.seed,
            "versions": {bot: version_of(bot) for bot in (self.first, self.second)},
        }

    def result(self, sums: NDArray[np.int64]) -> DuplicateResult:
        """Return shares and points from sums, also of some of the chunks."""
        return match.duplicate_result(sums, (self.first, self.second), self.seed)


def duel(rules: Rules, first: str, second: str, *, deals: int = 2000, seed: int = 1) -> Duel:
    """Return a duplicate match of two bots, checked.

    Args:
        rules: the game.
        first, second: the bots, as :func:`ddz_core.bots.named` reads them.
        deals: from 2 to a million.
        seed: of deals, landlords and bots.

    Raises:
        DdzError: for a bot or a number that cannot be.
    """
    for text in (first, second):
        bots.named(text)
    if isinstance(deals, bool) or not isinstance(deals, int) or not 2 <= deals <= MOST_DEALS:
        raise _wrong("deals", f"2–{MOST_DEALS}", deals)
    house = dict(rules.overrides)
    return Duel(
        ruleset=rules.id,
        overrides=json.dumps(house, sort_keys=True) if house else "",
        first=first,
        second=second,
        deals=deals,
        seed=check_seed(seed),
    )


def version_of(text: str) -> str:
    """Return what tells which version of a bot played: package, and fingerprint of its weights."""
    name = text.partition(":")[0]
    if name == "rlcard":
        return f"rlcard {importlib.metadata.version('rlcard')}"
    prints = [study.bot_version()] if name != "random" else []
    if name in ("net", "sampler"):
        prints.append(net_version())
    return " ".join(["paili", *(one for one in prints if one)])


def net_version() -> str:
    """Return eight hexadecimal digits of the net's weights; empty where none are shipped."""
    path = data_dir() / "models" / "net.npz"
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8] if path.is_file() else ""


def play(
    task: Duel, part: Path | None, spread: Spread = map, *, keep_every: int = 4
) -> Iterator[DuplicateResult]:
    """Play a match, or what is missing of it, yielding the result so far after every chunk.

    Args:
        task: the match.
        part: file that keeps the sums between runs; one of another match is refused.
        spread: how the chunks are worked through.
        keep_every: chunks between two writings of the file.

    Raises:
        DdzError: if the file belongs to another match.
    """
    done, total = (0, None) if part is None else study.read_part(task, part)
    sums = np.zeros(len(match.SUMS), dtype=np.int64) if total is None else total
    if total is not None:
        yield task.result(sums)
    for number, more in enumerate(spread(task, range(done, task.chunks)), start=done + 1):
        sums = sums + more
        if part is not None and (number % keep_every == 0 or number == task.chunks):
            study.keep_part(task, part, number, sums)
        yield task.result(sums)


# --- the ladder itself ---------------------------------------------------------------------------


def pairings(
    entrants: Sequence[str] = ENTRANTS, *, quick: int = 2000, slow: int = 300, seed: int = 1
) -> list[Duel]:
    """Return a match for every pair of bots, the quick ones first.

    Args:
        entrants: bots as texts.
        quick: deals where neither bot is a sampler.
        slow: deals where one is.
        seed: of every match.
    """
    rules = load_ruleset("classic", RULES)

    def cost(pair: tuple[str, str]) -> int:
        return sum(text.partition(":")[0] == "sampler" for text in pair)

    return [
        duel(rules, *reversed(pair), deals=slow if cost(pair) else quick, seed=seed)
        for pair in sorted(combinations(entrants, 2), key=cost)
    ]


def climb(
    tasks: Sequence[Duel], work: Path, out: Path, spread: Spread = map
) -> Iterator[DuplicateResult]:
    """Play matches, yielding results as they grow, and write them into the file of the ladder.

    Args:
        tasks: the matches; a row of the same two bots is replaced, others stay.
        work: folder of the files that keep runs that were stopped.
        out: folder of the ladder's file.
        spread: how the chunks of a match are worked through.
    """
    for task in tasks:
        told = json.dumps(task.told(), sort_keys=True).encode()
        part = work / f"ladder-{hashlib.sha256(told).hexdigest()[:12]}.part"
        for number, result in enumerate(play(task, part, spread)):
            if number % 20 == 19 or result.deals == task.deals:
                write_row(task, part, out)
            yield result


def write_row(task: Duel, part: Path, out: Path) -> None:
    """Put what has been played of a match into the file of the ladder."""
    _, sums = study.read_part(task, part)
    if sums is None or sums[0] < 2:
        return
    path = out / FILE
    kept = json.loads(path.read_text("utf-8")) if path.is_file() else {"rows": []}
    pair = {task.first, task.second}
    rows = [row for row in kept["rows"] if {row["first"], row["second"]} != pair]
    told = task.told()
    row = {name: told[name] for name in ("rules", "house", "first", "second", "seed", "versions")}
    rows.append({**row, "sums": [int(n) for n in sums]})
    rows.sort(key=lambda row: (_place(row["first"]), _place(row["second"])))
    lines = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in rows)
    head = f'{{\n "study": "ladder",\n "format": {FORMAT},\n "columns": {json.dumps(match.SUMS)},'
    out.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(f'{head}\n "rows": [\n  {lines}\n ]\n}}\n', "utf-8")
    fresh.replace(path)


def _place(text: str) -> tuple[int, str]:
    return (ENTRANTS.index(text) if text in ENTRANTS else len(ENTRANTS), text)


# --- the command line ----------------------------------------------------------------------------


def spread_options(made: argparse.ArgumentParser) -> None:
    """Add the options that say where the work is done."""
    made.add_argument("--processes", type=int, default=1, help="local processes")
    made.add_argument("--scheduler", metavar="ADDRESS", help="of a dask cluster, instead")


def options(made: argparse.ArgumentParser) -> None:
    """Add the options of the verb ``ladder``."""
    made.add_argument(
        "--bots", default=",".join(ENTRANTS), metavar="BOTS", help="every pair of them"
    )
    made.add_argument("--against", default="", metavar="BOTS", help="only pairs with one of these")
    made.add_argument("--deals", type=int, default=2000, help="deals of a pair, each played twice")
    made.add_argument("--slow", type=int, default=300, help="deals where a sampler plays")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--out", type=Path, default=Path("data/studies"), help="folder of the result")
    made.add_argument(
        "--work", type=Path, default=Path("ladder-parts"), help="folder of runs that were stopped"
    )
    spread_options(made)


def command(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``ladder``: matches that were stopped go on, finished ones are not played again."""
    tasks = pairings(given.bots.split(","), quick=given.deals, slow=given.slow, seed=given.seed)
    against = set(filter(None, given.against.split(",")))
    tasks = [one for one in tasks if not against or against & {one.first, one.second}]
    found: dict[tuple[str, str], DuplicateResult] = {}
    with spreading(given.processes, given.scheduler) as spread:
        for result in climb(tasks, given.work, given.out, spread):
            found[result.first, result.second] = result
            _told(result)
    plain = [one.as_dict() for one in found.values()]
    return plain, "\n\n".join(str(one) for one in found.values())


def duplicate_command(given: argparse.Namespace, rules: Rules) -> tuple[object, str]:
    """Answer ``play --duplicate``: two bots, each deal in both roles."""
    texts = given.bots.split(",")
    if len(texts) != 2:
        raise _wrong("bots", "2", len(texts))
    task = duel(rules, *texts, deals=given.games, seed=given.seed)
    last: DuplicateResult | None = None
    with spreading(given.processes, given.scheduler) as spread:
        for last in play(task, given.part, spread):
            _told(last)
    if last is None:
        raise _wrong("deals", f"2–{MOST_DEALS}", given.games)
    return last.as_dict(), str(last)


def _told(result: DuplicateResult) -> None:
    """Say on standard error how far a match is, every hundred deals."""
    if result.deals % 100 == 0:
        one = result.win
        print(  # noqa: T201 - progress of a command
            f"{result.first} against {result.second}: {result.deals} deals, "
            f"{one.value:.3f} ({one.low:.3f} to {one.high:.3f})",
            file=sys.stderr,
            flush=True,
        )


# --- reading the shipped ladder ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One pairing of the ladder.

    Attributes:
        result: shares and points of the first bot.
        versions: of both bots.
        rules: id of the game.
        house: its house rules, a JSON text.
    """

    result: DuplicateResult
    versions: dict[str, str]
    rules: str
    house: str

    def seen_from(self, bot: str) -> tuple[str, Estimate, Estimate]:
        """Return the opponent, the share won and the points of one of the two bots."""
        one = self.result
        if bot == one.first:
            return one.second, one.win, one.points
        win, points = one.win, one.points
        turned = replace(win, value=1 - win.value, low=1 - win.high, high=1 - win.low)
        lost = replace(points, value=-points.value, low=-points.high, high=-points.low)
        return one.first, turned, lost


@dataclass(frozen=True)
class Results:
    """The shipped ladder.

    Attributes:
        rungs: every pairing that was played.
    """

    rungs: tuple[Rung, ...]

    @property
    def entrants(self) -> tuple[str, ...]:
        """The bots, the strongest first."""
        found = self.strengths()
        return tuple(sorted(found, key=lambda bot: -found[bot].value))

    def strengths(self) -> dict[str, Estimate]:
        """Return the share of games that each bot is expected to win against the usual rule bot.

        Not every bot met every other, so the logits of all pairings together are fitted by one
        number a bot (least squares, each pairing weighed by its precision): the model of Bradley
        and Terry, Biometrika 39 (1952) 324-345.
        """
        bots = list(
            dict.fromkeys(bot for r in self.rungs for bot in (r.result.first, r.result.second))
        )
        anchor = "rule" if "rule" in bots else bots[0]
        design = np.zeros((len(self.rungs), len(bots)))
        logits, weights = np.zeros(len(self.rungs)), np.zeros(len(self.rungs))
        for row, rung in enumerate(self.rungs):
            one = rung.result
            p = min(max(one.win.value, 0.005), 0.995)
            error = max((one.win.high - one.win.low) / 3.92, 0.002) / (p * (1 - p))
            design[row, bots.index(one.first)], design[row, bots.index(one.second)] = 1, -1
            logits[row], weights[row] = math.log(p / (1 - p)), 1 / error**2
        free = [i for i, bot in enumerate(bots) if bot != anchor]
        part = design[:, free]
        spread = np.linalg.pinv(part.T @ (weights[:, None] * part))
        found = dict(zip(free, spread @ (part.T @ (weights * logits)), strict=True))
        errors = dict(zip(free, np.sqrt(np.diag(spread)), strict=True))
        deals = {bot: sum(row[3].result.deals for row in self.of(bot)) for bot in bots}

        def share(logit: float) -> float:
            return float(1 / (1 + math.exp(-logit)))

        return {
            bot: Estimate(
                value=share(found.get(i, 0.0)),
                low=share(found.get(i, 0.0) - 1.96 * errors.get(i, 0.0)),
                high=share(found.get(i, 0.0) + 1.96 * errors.get(i, 0.0)),
                n=deals[bot],
                method="sampled",
                seed=self.rungs[0].result.seed,
            )
            for i, bot in enumerate(bots)
        }

    def of(self, bot: str) -> list[tuple[str, Estimate, Estimate, Rung]]:
        """Return opponent, share won, points and pairing of every match of a bot, hardest first."""
        rows = [
            (*rung.seen_from(bot), rung)
            for rung in self.rungs
            if bot in (rung.result.first, rung.result.second)
        ]
        return sorted(rows, key=lambda row: row[1].value)

    def between(self, bot: str, other: str) -> Estimate | None:
        """Return the share that a bot won against another, None where they did not meet."""
        return next((win for name, win, _, _ in self.of(bot) if name == other), None)

    def rows(self) -> list[dict[str, object]]:
        """Return one row a pairing, for a table or a file."""
        return [
            {
                "first": one.first,
                "second": one.second,
                "deals": one.deals,
                "seed": one.seed,
                "won": one.win.value,
                "low": one.win.low,
                "high": one.win.high,
                "as_landlord": one.as_landlord.value,
                "as_farmers": one.as_farmers.value,
                "points": one.points.value,
                "rules": rung.rules,
                "house": rung.house,
                **{f"version_{n}": v for n, v in zip((1, 2), rung.versions.values(), strict=False)},
            }
            for rung in self.rungs
            for one in (rung.result,)
        ]

    def frame(self) -> pd.DataFrame:
        """Return the pairings as a pandas frame."""
        import pandas as pd

        return stamped(pd.DataFrame(self.rows()))


@cache
def shipped() -> Results:
    """Return the shipped ladder; without rungs where none was shipped."""
    path = data_dir() / "studies" / FILE
    return read(path) if path.is_file() else Results(())


def read(path: Path) -> Results:
    """Read a file that :func:`climb` wrote."""
    return Results(
        tuple(
            Rung(
                result=match.duplicate_result(
                    np.array(row["sums"], dtype=np.int64),
                    (row["first"], row["second"]),
                    row["seed"],
                ),
                versions=row["versions"],
                rules=row["rules"],
                house=row["house"],
            )
            for row in json.loads(path.read_text("utf-8"))["rows"]
        )
    )


def _wrong(field: str, expected: str, got: object) -> DdzError:
    return DdzError(
        f"{field}: expected {expected}, got {got!r}",
        key="error.option.choice",
        field=field,
        expected=expected,
        got=got,
    )
