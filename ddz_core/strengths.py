"""How strong a hand is among random hands: the table that ships, and how it is read.

Layer 3, under :mod:`ddz_core.bidding`. The table holds the chances to win as landlord of many
random hands, each played over many deals by rule bots; ``python -m ddz_core study strength`` makes
it. Rulesets that deal and play alike share a table, whatever their bidding and scoring.
"""

from __future__ import annotations

import hashlib
import json
import math
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core import cards, estimate
from ddz_core.bidding_deals import Deals, unseen_cards
from ddz_core.bots import rule
from ddz_core.data_files import data_dir
from ddz_core.estimate import Estimate
from ddz_core.kernels.table import table_of
from ddz_core.specs import Ruleset

if TYPE_CHECKING:
    from numpy.typing import NDArray

FILE = "strength.json"

FALLBACK_HANDS, FALLBACK_DEALS, FALLBACK_SEED = 150, 20, 1
"""Random hands, and deals of each, where no table was shipped."""

QUANTILES = 1_000
"""Equal steps of the table."""


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


def percentile(ruleset: Ruleset, win: Estimate) -> Estimate:
    """Return the share of random hands that win less often as landlord.

    Args:
        ruleset: the game.
        win: the hand's chance to win as landlord.

    Returns:
        Read from the shipped table, with the interval that the chance's own interval gives; where
        no table fits the game, from a small one that is made on the spot.
    """
    found = table(ruleset) or _played(ruleset)
    levels = np.asarray(found["quantiles"])
    shares = np.linspace(0.0, 1.0, len(levels))
    value, low, high = (float(np.interp(x, levels, shares)) for x in (win.value, win.low, win.high))
    # the table is a sample itself, which matters where it is small
    hands = int(found["hands"])
    low = min(low, estimate.share(round(low * hands), hands).low)
    high = max(high, estimate.share(round(high * hands), hands).high)
    return Estimate(
        value=value,
        low=min(low, value),
        high=max(high, value),
        n=int(found["hands"]),
        method="sampled",
        seed=int(found["seed"]),
    )


def random_hands(ruleset: Ruleset, size: int, seed: int | tuple[int, int]) -> list[cards.Hand]:
    """Return random hands of a game, packed."""
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    deck = unseen_cards(ruleset, 0)
    drawn = rng.permuted(np.broadcast_to(deck, (size, len(deck))), axis=1)
    return [int(one) for one in drawn[:, : ruleset.deal.hand].sum(axis=1, dtype=np.uint64)]


@lru_cache(maxsize=16)
def _played(ruleset: Ruleset) -> dict[str, Any]:
    """Return a small table made on the spot, for a game without a shipped one (about a second)."""
    histogram = np.zeros(FALLBACK_DEALS + 1, dtype=np.int64)
    engine = rule.Engine(ruleset)
    for i, hand in enumerate(random_hands(ruleset, FALLBACK_HANDS, FALLBACK_SEED)):
        game = Deals(ruleset, hand, seed=FALLBACK_SEED + i, landlords=1, engine=engine)
        histogram[int((game.more(FALLBACK_DEALS).results[:, 0] & 1).sum())] += 1
    return {"hands": FALLBACK_HANDS, "seed": FALLBACK_SEED, "quantiles": quantiles(histogram)}


def quantiles(histogram: NDArray[np.int64]) -> list[float]:
    """Return the quantiles of the true chances behind counts of wins, 0 to 1 in equal steps.

    The chance of a hand over a few deals is spread wider than its true chance; the surplus spread
    is known, and the values are drawn towards their mean by it.
    """
    deals = len(histogram) - 1
    number = int(histogram.sum())
    seen = np.repeat(np.arange(deals + 1) / deals, histogram)
    mean, spread = seen.mean(), seen.var()
    noise = (seen * (1 - seen)).mean() / (deals - 1)
    pull = math.sqrt(max(0.0, 1 - noise / spread)) if spread > 0 else 0.0
    # within one count of wins the hands are spread evenly, so that equal values keep an order
    evenly = np.concatenate([(np.arange(k) + 0.5) / k - 0.5 for k in histogram if k])
    true = np.sort(mean + (seen + evenly / deals - mean) * pull)
    places = np.linspace(0, number - 1, QUANTILES + 1)
    return [round(float(x), 5) for x in np.clip(np.interp(places, range(number), true), 0, 1)]
