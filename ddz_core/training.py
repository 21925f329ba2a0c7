"""Training of the net: games against itself and the rule bot, learned from chunk by chunk.

Layer 3. A chunk is ``CHUNK`` games with random deals and the landlord drawn by lot. After it every
recorded decision is learned from once, by the role that took it: the target is whether its side
won. Some games have the rule bot on the other side. Step size and share of random
plays fall with the number of games played, by formula, so that the same seed and the same number of
games give the same weights; no clock takes part. What is judged and shipped is a running average of
the weights.

Every ``EVERY`` chunks the average plays duplicate matches against frozen opponents: the rule bot,
the random bot, and the best average so far. It becomes the best when its shares against the rule
bot and the best together are better than those of the best itself.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import sys
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from ddz_core.bots.net import NET, RANDOM, RULE, Engine
from ddz_core.dealing import check_seed
from ddz_core.errors import DdzError
from ddz_core.rulesets import load
from ddz_core.training_games import (
    ROOM,
    RULE_GAMES,
    Record,
    Work,
    first_weights,
    played,
    seeds_of,
    stray_after,
    versus,
)

CHUNK = 1000
"""Games of a chunk."""
EVERY = 100
"""Chunks between two points of the learning curve."""
BATCH = 256
"""Decisions of one step."""
TRACE = 0.6
"""How much of a target comes from what happened in the end, unless told otherwise; the rest comes
from the net's estimates at the later decisions of the same seat."""
KEEP = 0.99
"""What the running average keeps of itself after a chunk."""
RATE, RATE_FLOOR, RATE_GAMES = 1e-3, 1e-4, 200_000
"""Step size at the start, at the end, and games after which it has fallen to 0.7 of the first."""
DEALS, RANDOM_DEALS = 3000, 300
"""Deals of the matches of the curve, each played twice."""
FORMAT = 1
_MATCH_SEED = 7_000_001


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One point of the learning curve.

    Attributes:
        games: games played so far.
        decisions: decisions learned from so far.
        rate, stray: step size and share of random plays.
        loss: mean loss of the three roles since the last point.
        rule, random: share of duplicate games won against these bots.
        best: share against the best average so far; 0.5 for the first.
        kept: whether it became the best.
    """

    games: int
    decisions: int
    rate: float
    stray: float
    loss: float
    rule: float
    random: float
    best: float
    kept: bool


class Trainer:
    """A training that can be stopped, saved and taken up again.

    Attributes:
        seed: of everything.
        scale: factor on the step size in this stretch.
        trace: how much of a target comes from what happened, in this stretch.
        rule_games: of ten games, those with the rule bot on one side, in this stretch.
        chunks: chunks done.
        curve: points of the learning curve.
        seconds: CPU seconds of all processes since the training was made or resumed.
        losses: mean losses of the chunks since the last point.
        stretches: dicts of games, scale, trace and CPU seconds of each stretch.
    """

    def __init__(
        self,
        ruleset_id: str = "classic",
        seed: int = 1,
        scale: float = 1.0,
        trace: float = TRACE,
        rule_games: int = RULE_GAMES,
    ) -> None:
        from ddz_core.kernels import net, net_train

        self._net, self._train = net, net_train
        self.ruleset_id, self.seed = ruleset_id, check_seed(seed)
        self.scale, self.trace, self.rule_games = scale, trace, rule_games
        self.chunks, self.decisions = 0, 0
        self.curve: list[Point] = []
        self.stretches: list[dict[str, float]] = []
        rng = np.random.default_rng((self.seed, 0))
        self.weights = first_weights(rng)
        self.moments = np.zeros((2, net.ROLES, net.SIZE), dtype=np.float32)
        self.steps = np.zeros(net.ROLES, dtype=np.int64)
        self.mean = self.weights.copy()
        self.best = self.weights.copy()
        self.best_rule = 0.0
        self.losses: list[float] = []
        self._engine = Engine(load(ruleset_id), self.weights)
        self.seconds = 0.0
        self._order = np.zeros(ROOM, dtype=np.int64)
        self._room = np.zeros(net_train.SPACE_B, dtype=np.float32)
        self._sums = np.zeros(net.SIZE, dtype=np.float32)
        self._touched = np.zeros(net.FEATURES, dtype=np.int64)

    @property
    def games(self) -> int:
        """Games played so far."""
        return self.chunks * CHUNK

    @property
    def rate(self) -> float:
        """Step size of the next chunk."""
        return float(self.scale * max(RATE_FLOOR, RATE * (1 + self.games / RATE_GAMES) ** -0.5))

    def work(self, number: int, games: int = CHUNK) -> Work:
        """Return what a process needs to play the games of a chunk with the present weights."""
        return Work(
            ruleset_id=self.ruleset_id,
            weights=self.weights.copy(),
            seeds=seeds_of(self.seed, number),
            games=games,
            stray=stray_after(number * CHUNK),
            trace=self.trace,
            rule_games=self.rule_games,
        )

    def chunk(self, record: Record | None = None) -> float:
        """Learn from one chunk, played now unless its record is given; return the mean loss."""
        net, engine = self._net, self._engine
        rows, targets, seconds = record or played(self.work(self.chunks))
        self.seconds += seconds
        begin = time.process_time()
        seeds = seeds_of(self.seed, self.chunks)
        losses = []
        for role in range(net.ROLES):
            number = len(rows[role])
            losses.append(
                self._train.learn(
                    self.weights.reshape(-1),
                    self.moments[0].reshape(-1),
                    self.moments[1].reshape(-1),
                    role,
                    rows[role].reshape(-1),
                    targets[role].reshape(-1),
                    self._order,
                    number,
                    BATCH,
                    self.steps,
                    self.rate,
                    np.uint64(seeds[2 + role]),
                    engine.work,
                    engine.sums,
                    self._room,
                    self._sums,
                    self._touched,
                )
            )
            self.decisions += number
        self.chunks += 1
        # a plain average at first, so that the first weights do not linger
        keep = np.float32(min(KEEP, self.chunks / (self.chunks + 9)))
        self.mean += (np.float32(1) - keep) * (self.weights - self.mean)
        loss = float(np.mean(losses))
        self.losses.append(loss)
        self.seconds += time.process_time() - begin
        return loss

    def judge(self) -> Point:
        """Let the average play its matches, keep it if it is the best, and note the point."""
        first = not any(point.kept for point in self.curve)
        nets = np.concatenate([self.mean, self.best])
        arena = Engine(load(self.ruleset_id), nets)
        against_rule = versus(arena, NET, RULE, DEALS, _MATCH_SEED).mean()
        against_random = versus(arena, NET, RANDOM, RANDOM_DEALS, _MATCH_SEED).mean()
        against_best = 0.5 if first else versus(arena, NET, NET + 1, DEALS, _MATCH_SEED).mean()
        kept = first or bool(against_rule + against_best > self.best_rule + 0.5)
        if kept:
            self.best[:] = self.mean
            self.best_rule = float(against_rule)
        point = Point(
            games=self.games,
            decisions=self.decisions,
            rate=round(self.rate, 8),
            stray=round(stray_after(self.games), 5),
            loss=round(float(np.mean(self.losses or [0.0])), 5),
            rule=round(float(against_rule), 4),
            random=round(float(against_random), 4),
            best=round(float(against_best), 4),
            kept=kept,
        )
        self.losses.clear()
        self.curve.append(point)
        return point

    def run(
        self,
        games: int,
        *,
        seconds: float | None = None,
        processes: int = 0,
        report: Callable[[Point], None] | None = None,
        checkpoint: Path | None = None,
    ) -> None:
        """Go on to a number of games in all, or until the CPU seconds are used up.

        Args:
            games: a multiple of ``CHUNK`` is reached.
            seconds: CPU seconds of this stretch, of all processes; None for no limit.
            processes: others that play while this one learns. A chunk is then played with the
                weights as they were that many chunks before, so the number belongs to the result.
            report: gets every point of the curve.
            checkpoint: saved at every point and at the end.
        """
        begin, before = self.seconds, self.games
        stretch: dict[str, float] = {
            "games": 0,
            "scale": self.scale,
            "trace": self.trace,
            "rule_games": self.rule_games,
            "processes": processes,
        }
        self.stretches.append(stretch)
        with contextlib.ExitStack() as stack:
            pool = None
            if processes:
                context = multiprocessing.get_context("spawn")
                pool = stack.enter_context(ProcessPoolExecutor(processes, context))
            while self.games < games:
                end = min(self.chunks // EVERY * EVERY + EVERY, -(-games // CHUNK))
                self._stretch(end, pool, processes)
                stretch["games"] = self.games - before
                stretch["seconds"] = round(self.seconds - begin, 1)
                if self.chunks % EVERY == 0:
                    point = self.judge()
                    if report is not None:
                        report(point)
                    if checkpoint is not None:
                        self.save(checkpoint)
                if seconds is not None and stretch["seconds"] >= seconds:
                    break
        if checkpoint is not None:
            self.save(checkpoint)

    def _stretch(self, end: int, pool: ProcessPoolExecutor | None, processes: int) -> None:
        """Learn from the chunks up to a number; at the end nothing is under way."""
        if pool is None:
            while self.chunks < end:
                self.chunk()
            return
        ahead = self.chunks
        running: deque[Future[Record]] = deque()
        while self.chunks < end:
            while ahead < end and len(running) <= processes:
                running.append(pool.submit(played, self.work(ahead)))
                ahead += 1
            self.chunk(running.popleft().result())

    def save(self, path: Path) -> None:
        """Write a checkpoint from which :meth:`resumed` goes on exactly."""
        told = {
            "format": FORMAT,
            "ruleset": self.ruleset_id,
            "seed": self.seed,
            "scale": self.scale,
            "trace": self.trace,
            "rule_games": self.rule_games,
            "chunks": self.chunks,
            "decisions": self.decisions,
            "best_rule": self.best_rule,
            "losses": self.losses,
            "stretches": self.stretches,
            "curve": [asdict(point) for point in self.curve],
        }
        part = path.with_suffix(".part.npz")
        np.savez(
            part,
            told=np.array(json.dumps(told)),
            weights=self.weights,
            moments=self.moments,
            steps=self.steps,
            mean=self.mean,
            best=self.best,
        )
        part.replace(path)

    @classmethod
    def resumed(
        cls,
        path: Path,
        scale: float | None = None,
        trace: float | None = None,
        rule_games: int | None = None,
    ) -> Trainer:
        """Return the training of a checkpoint, with its settings but those given.

        Raises:
            DdzError: if the file is no checkpoint of this program.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                told = json.loads(str(file["told"]))
                arrays = {name: file[name] for name in ("weights", "moments", "mean", "best")}
                steps = file["steps"]
            found = cls(
                told["ruleset"],
                told["seed"],
                told["scale"] if scale is None else scale,
                told.get("trace", TRACE) if trace is None else trace,
                told.get("rule_games", RULE_GAMES) if rule_games is None else rule_games,
            )
            for name, array in arrays.items():
                getattr(found, name)[:] = array
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DdzError(
                f"{path.name}: expected a checkpoint of a training, which this is not",
                key="error.training.checkpoint",
                field="checkpoint",
                expected="npz",
                got=path.name,
            ) from error
        found.steps[:] = steps
        found.chunks, found.decisions = told["chunks"], told["decisions"]
        found.best_rule, found.losses = told["best_rule"], told["losses"]
        found.stretches = told["stretches"]
        found.curve = [Point(**point) for point in told["curve"]]
        return found

    def ship(self, folder: Path) -> Path:
        """Write the best weights and the learning curve: ``net.npz`` and ``net.json``.

        Rows of inputs that never occurred are left out as zeros; numbers are kept in 16 bits.
        """
        weights = self.best.copy()
        net = self._net
        rows = weights[:, : net.FEATURES * net.WIDTH].reshape(net.ROLES, net.FEATURES, net.WIDTH)
        seen = self.moments[1][:, : net.FEATURES * net.WIDTH].reshape(rows.shape).any(axis=2)
        rows[~seen] = 0
        path = folder / "net.npz"
        np.savez_compressed(path, weights=weights.astype(np.float16))
        kept = max((p.games for p in self.curve if p.kept), default=0)
        told = {
            "format": FORMAT,
            "ruleset": self.ruleset_id,
            "seed": self.seed,
            "best_at_games": kept,
            "games": self.games,
            "decisions": self.decisions,
            "inputs": net.FEATURES,
            "units": [net.WIDTH, net.NARROW],
            "stretches": self.stretches,
            "match_deals": DEALS,
            "curve": [asdict(point) for point in self.curve],
        }
        text = json.dumps(told, indent=1) + "\n"
        (folder / "net.json").write_text(text, encoding="utf-8")
        return path


def train(
    *,
    games: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
    checkpoint: Path | None = None,
    resume: bool = False,
    scale: float | None = None,
    trace: float | None = None,
    rule_games: int | None = None,
    processes: int = 0,
    out: Path | None = None,
    report: Callable[[Point], None] | None = None,
) -> Trainer:
    """Train the net and ship its best weights.

    Args:
        games: games in all; None for no limit but ``seconds``.
        seconds: CPU seconds of this stretch.
        seed: of everything; that of the checkpoint when resuming.
        checkpoint: file to save to, and to resume from.
        resume: go on from the checkpoint.
        scale: factor on the step size.
        trace: how much of a target comes from what happened, at most 1.
        rule_games: of ten games, those with the rule bot on one side, at most 10.
        processes: others that play while this one learns.
        out: folder for ``net.npz`` and ``net.json``; None ships nothing.
        report: gets every point of the learning curve.

    Raises:
        DdzError: if neither ``games`` nor ``seconds`` is given, or a value cannot be.
    """
    for name, value in (("games", games), ("seconds", seconds), ("rate", scale)):
        if value is not None and not value > 0:
            raise _wrong(name, "more than 0", value)
    if trace is not None and not 0 <= trace <= 1:
        raise _wrong("trace", "0–1", trace)
    if rule_games is not None and not 0 <= rule_games <= 10:
        raise _wrong("rule_games", "0–10", rule_games)
    if not 0 <= processes <= 64:
        raise _wrong("processes", "0–64", processes)
    if games is None and seconds is None:
        raise _wrong("games", "a number of games, or seconds", games)
    if resume and checkpoint is None:
        raise _wrong("checkpoint", "the file to resume from", checkpoint)
    if resume and checkpoint is not None:
        trainer = Trainer.resumed(checkpoint, scale, trace, rule_games)
    else:
        trainer = Trainer(
            seed=seed,
            scale=1.0 if scale is None else scale,
            trace=TRACE if trace is None else trace,
            rule_games=RULE_GAMES if rule_games is None else rule_games,
        )
    trainer.run(
        10**12 if games is None else games,
        seconds=seconds,
        processes=processes,
        report=report,
        checkpoint=checkpoint,
    )
    if out is not None:
        if not trainer.curve or trainer.curve[-1].games != trainer.games:
            trainer.judge()
        trainer.ship(out)
    return trainer


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the verb ``train`` to a parser."""
    parser.add_argument("--games", type=int, help="games in all")
    parser.add_argument("--seconds", type=float, help="CPU seconds of this stretch")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkpoint", type=Path, help="file to save to, and to resume from")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint")
    parser.add_argument("--rate", type=float, help="factor on the step size; left out: as before")
    parser.add_argument("--trace", type=float, help="weight of the end in a target, 0 to 1")
    parser.add_argument("--rule-games", type=int, help="of ten, those against the rule bot")
    parser.add_argument("--processes", type=int, default=0, help="others that play meanwhile")
    parser.add_argument("--out", type=Path, help="folder for the weights and the learning curve")


def command(given: argparse.Namespace) -> tuple[object, str]:
    """Answer the verb ``train`` of the command line; the curve is told as it grows."""

    def told(point: Point) -> None:
        sys.stderr.write(line(point) + "\n")
        sys.stderr.flush()

    trainer = train(
        games=given.games,
        seconds=given.seconds,
        seed=given.seed,
        checkpoint=given.checkpoint,
        resume=given.resume,
        scale=given.rate,
        trace=given.trace,
        rule_games=given.rule_games,
        processes=given.processes,
        out=given.out,
        report=None if given.json else told,
    )
    plain = {
        "games": trainer.games,
        "decisions": trainer.decisions,
        "curve": [asdict(point) for point in trainer.curve],
    }
    kept = [point for point in trainer.curve if point.kept]
    text = f"{trainer.games} games, {trainer.decisions} decisions"
    return plain, f"{text}; best: {line(kept[-1])}" if kept else text


def line(point: Point) -> str:
    """Return a point of the curve as one line of text."""
    shares = f"rule {point.rule:.4f}  random {point.random:.4f}  best {point.best:.4f}"
    text = f"{point.games} games  loss {point.loss:.4f}  {shares}"
    return f"{text}  kept" if point.kept else text


def _wrong(field: str, expected: str, got: object) -> DdzError:
    return DdzError(
        f"{field}: expected {expected}, got {got!r}",
        key="error.training.value",
        field=field,
        expected=expected,
        got=got,
    )
