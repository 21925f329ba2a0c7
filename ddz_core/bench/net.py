"""The net: games a second, training included, and strength beside the other bots.

A front door's part. For strength each deal is played twice with the roles exchanged, the landlord
drawn by lot, no bidding; intervals are over deals. The deals are not those of the training.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Iterator
from functools import partial

import numpy as np

from ddz_core import estimate
from ddz_core.bench.engine import SEED
from ddz_core.bench.row import BATCHES, Row, rate
from ddz_core.bots import match, rlcard
from ddz_core.bots.net import NET, RANDOM, RULE, Engine
from ddz_core.rules import load_ruleset
from ddz_core.training import CHUNK, Trainer
from ddz_core.training_games import versus

GAMES, DEALS, PEER_DEALS = 2000, 10_000, 1000
"""Games in a batch, deals for strength, deals against RLCard's agent."""


def rows(work: float) -> Iterator[Row]:
    """Yield speed and strength of the shipped net."""
    engine = Engine(load_ruleset("classic").ruleset)
    games = max(100, int(GAMES * work))
    hands, bottoms, landlords = engine.deals(games * BATCHES, SEED)
    for name, policy in (("random", RANDOM), ("rule", RULE), ("net", NET)):
        policies = np.full(3, policy)
        engine.play_deals(policies, hands[:2], bottoms[:2], landlords[:2])
        parts = np.array_split(np.arange(games * BATCHES), BATCHES)
        plays = [
            partial(engine.play_deals, policies, hands[part], bottoms[part], landlords[part])
            for part in parts
        ]
        yield Row(
            what=f"whole games in the kernel, {name}",
            unit="games/s",
            ours=rate([(games, one) for one in plays]),
            n=games * BATCHES,
        )
    trainer = Trainer(seed=SEED)
    trainer.chunk()
    chunks = max(1, round(3 * work))
    yield Row(
        what="self-play games of a new net, training included",
        unit="games/s",
        ours=rate([(CHUNK, trainer.chunk) for _ in range(chunks)]),
        floor=1000.0,
        n=CHUNK * chunks,
    )
    for name, policy in (("random", RANDOM), ("rule", RULE)):
        deals = max(100, int(DEALS * work))
        shares = versus(engine, NET, policy, deals, SEED)
        found = estimate.mean(
            *(float(shares.sum()), float((shares * shares).sum()), deals),
            unit="probability",
            seed=SEED,
        )
        yield Row(
            what=f"net against the {name} bot",
            unit="of games won",
            ours=found.value,
            n=deals,
            note=f"{deals} deals, {found.low:.3f} to {found.high:.3f}",
        )
    yield _peer(max(20, int(PEER_DEALS * work)))


def _peer(deals: int) -> Row:
    """Return the net's share against RLCard's rule agent."""
    what = "net against RLCard's rule agent"
    if importlib.util.find_spec("rlcard") is None:
        return Row(what=what, unit="of games won", note="rlcard: not installed")
    rules = load_ruleset("classic", rlcard.RULES)
    found = match.duplicate(rules, "net", "rlcard", deals=deals, seed=SEED)
    win = found.win
    return Row(
        what=what,
        unit="of games won",
        ours=win.value,
        peer=f"rlcard {importlib.metadata.version('rlcard')}",
        n=deals,
        note=f"{deals} deals, {win.low:.3f} to {win.high:.3f}; "
        f"landlord {found.as_landlord.value:.3f}, farmers {found.as_farmers.value:.3f}",
    )
