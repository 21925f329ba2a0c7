"""How strong a hand is among random hands: the table that ships, and how it is read.

Layer 3, under :mod:`ddz_core.bidding`. The table holds the chances to win as landlord of many
random hands, each played over many deals by rule bots; ``python -m ddz_core study strength`` makes
it. Rulesets that deal and play alike share a table, whatever their bidding and scoring.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any

import numpy as np

from ddz_core import cards, estimate
from ddz_core.bidding_deals import chance_of, unseen_cards
from ddz_core.bookbids import bombs_in_all, points_of_all
from ddz_core.bots import rule
from ddz_core.data_files import data_dir
from ddz_core.estimate import Estimate
from ddz_core.kernels.table import table_of
from ddz_core.specs import Ruleset

FILE = "strength.json"

FALLBACK_HANDS = 2_000
FALLBACK_SEED = 1


def play_key(ruleset: Ruleset) -> str:
    """Return twelve hexadecimal digits that change when dealing or playing changes, not bidding."""
    deal = ruleset.deal
    told = f"{deal.seats} {deal.hand} {deal.bottom} {deal.dead}".encode()
    return hashlib.sha256(table_of(ruleset).words.tobytes() + told).hexdigest()[:12]


@cache
def shipped() -> dict[str, Any]:
    """Return the shipped table as it is on disk; empty where none was shipped."""
    path = data_dir() / "studies" / FILE
    if not path.is_file():
        return {}
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def table(ruleset: Ruleset) -> dict[str, Any] | None:
    """Return the part of the shipped table that fits a game: quantiles, hands, seed; or None."""
    found: dict[str, Any] | None = shipped().get("tables", {}).get(play_key(ruleset))
    return found


def percentile(ruleset: Ruleset, hand: cards.Hand, win: Estimate) -> Estimate:
    """Return the share of random hands that win less often as landlord.

    Args:
        ruleset: the game.
        hand: the packed hand.
        win: its chance to win as landlord.

    Returns:
        Read from the shipped table, with the interval that the chance's own interval gives; where
        no table fits the game, the place of the rule bot's estimate among 2,000 random hands.
    """
    found = table(ruleset)
    if found is None:
        return _among(ruleset, hand)
    levels = np.asarray(found["quantiles"])
    shares = np.linspace(0.0, 1.0, len(levels))
    value, low, high = (float(np.interp(x, levels, shares)) for x in (win.value, win.low, win.high))
    return Estimate(
        value=value,
        low=min(low, value),
        high=max(high, value),
        n=int(found["hands"]),
        method="sampled",
        seed=int(found["seed"]),
    )


def _among(ruleset: Ruleset, hand: cards.Hand) -> Estimate:
    """Return the share of random hands that the rule bot thinks weaker."""
    rng = np.random.Generator(np.random.PCG64(FALLBACK_SEED))
    deck = unseen_cards(ruleset, 0)
    drawn = rng.permuted(np.broadcast_to(deck, (FALLBACK_HANDS, len(deck))), axis=1)
    hands = drawn[:, : ruleset.deal.hand].sum(axis=1, dtype=np.uint64)
    engine = rule.engine_of(ruleset)
    turns = np.array(engine.turns([int(one) for one in hands], keep=True))
    chances = chance_of("landlord", points_of_all(hands), bombs_in_all(ruleset, hands), turns)
    own = rule.strength(ruleset, hand).landlord
    return estimate.share(int((chances < own).sum()), FALLBACK_HANDS, seed=FALLBACK_SEED)
