"""Games for the training of the net, played by any process, and the matches that judge it.

Layer 3, under :mod:`ddz_core.training`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ddz_core.bots.net import NET, RULE, Engine
from ddz_core.rulesets import load

ROOM = 20_000
"""Decisions of one role that a chunk records at most."""
RULE_GAMES = 3
"""Of ten games, those with the rule bot on one side, unless told otherwise."""
STRAY, STRAY_FLOOR, STRAY_GAMES = 0.08, 0.01, 50_000
"""Share of random plays at the start, at the end, and games after which it is 0.7 of the first."""

Record: TypeAlias = "tuple[list[NDArray[np.uint16]], list[NDArray[np.float32]], float]"
"""What :func:`played` returns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The games of one chunk, for any process: see :func:`played`."""

    ruleset_id: str
    weights: NDArray[np.float32]
    seeds: list[int]
    games: int
    stray: float
    trace: float
    rule_games: int = RULE_GAMES


@cache
def _player(ruleset_id: str) -> tuple[Engine, NDArray[np.uint16], NDArray[np.float32]]:
    """Return this process's engine of a game, and room for records."""
    from ddz_core.kernels import net

    engine = Engine(load(ruleset_id), np.zeros((net.ROLES, net.SIZE), dtype=np.float32))
    rows = np.zeros((net.ROLES, ROOM, net.MOST_ACTIVE), dtype=np.uint16)
    return engine, rows, np.zeros((net.ROLES, ROOM, 2), dtype=np.float32)


def played(work: Work) -> Record:
    """Play the games of a chunk; any process may do it.

    Returns:
        By role, rows of inputs (their number first) and targets (won, points) of the net's
        decisions; CPU seconds.
    """
    begin = time.process_time()
    engine, rows, targets = _player(work.ruleset_id)
    hands, bottoms, landlords = engine.deals(work.games, work.seeds[0])
    facts = np.zeros((work.games, 4), dtype=np.int64)
    counts = np.zeros(len(rows), dtype=np.int64)
    with engine.lock:
        engine.weights[:] = work.weights
        engine.run(
            mixed(landlords, work.rule_games),
            hands,
            bottoms,
            landlords,
            facts,
            work.seeds[1],
            work.stray,
            0.0,
            rows,
            targets,
            counts,
            ROOM,
            work.trace,
        )
        return (
            [rows[role, :number].copy() for role, number in enumerate(counts)],
            [targets[role, :number].copy() for role, number in enumerate(counts)],
            time.process_time() - begin,
        )


def seeds_of(seed: int, number: int) -> list[int]:
    """Return the seeds of a chunk: deals, play, order of learning by role."""
    rng = np.random.default_rng((seed, 1, number))
    return [int(one) for one in rng.integers(2**62, size=5)]


def stray_after(games: int) -> float:
    """Return the share of random plays after a number of games."""
    return float(max(STRAY_FLOOR, STRAY * (1 + games / STRAY_GAMES) ** -0.5))


def first_weights(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return random weights to begin with, a row a role."""
    from ddz_core.kernels import net

    weights = np.zeros((net.ROLES, net.SIZE), dtype=np.float32)
    first = net.FEATURES * net.WIDTH
    weights[:, :first] = rng.normal(0.0, 0.1, (net.ROLES, first))
    second = net.WIDTH * net.NARROW
    weights[:, net.ROWS2 : net.ROWS2 + second] = rng.normal(
        0.0, (2 / net.WIDTH) ** 0.5, (net.ROLES, second)
    )
    third = 2 * net.NARROW
    weights[:, net.ROWS3 : net.ROWS3 + third] = rng.normal(0.0, 0.1, (net.ROLES, third))
    return weights


def mixed(landlords: NDArray[np.int64], rule_games: int = RULE_GAMES) -> NDArray[np.int64]:
    """Return the policies of a chunk's games: mostly the net alone, some with the rule bot."""
    games = np.arange(len(landlords))
    policies = np.full((len(landlords), 3), NET, dtype=np.int64)
    boss = np.arange(3)[None, :] == landlords[:, None]
    rule_side = np.where(games // 10 % 2 == 0, 0, 1)
    with_rule = games % 10 < rule_games
    policies[with_rule[:, None] & (boss == (rule_side == 0)[:, None])] = RULE
    return policies


def versus(engine: Engine, first: int, second: int, deals: int, seed: int) -> NDArray[np.float64]:
    """Return the first policy's share of the two games of each deal, roles exchanged."""
    hands, bottoms, landlords = engine.deals(deals, seed)
    boss = np.arange(3)[None, :] == landlords[:, None]
    won = np.zeros((deals, 2))
    for role in (0, 1):
        lord, others = (first, second) if role == 0 else (second, first)
        facts = engine.play_deals(
            np.where(boss, lord, others), hands, bottoms, landlords, seed=seed + role
        )
        won[:, role] = (facts[:, 0] == landlords) == (role == 0)
    return np.asarray(won.mean(axis=1))
