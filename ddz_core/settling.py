"""Points of many simulated games at once, through the same scoring as a single game.

Layer 3, under :mod:`ddz_core.bidding`. Games that were played alike (the same bombs and
springs) are settled once, by :func:`ddz_core.scoring.score`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import cards, scoring
from ddz_core.bidding_deals import Sample, chance_of
from ddz_core.bookbids import bombs_in_all
from ddz_core.bots.rule import fitted, strength

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.specs import Ruleset, Step

_WON, _SPRING, _ANTI_SPRING, _BOMBS, _STEPS = 1, 2, 4, 8, 6


def units(ruleset: Ruleset, contract: int, results: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what one farmer and the landlord settle in each game; see ``Ledger.unit``.

    Args:
        ruleset: the game.
        contract: the bid.
        results: of :mod:`ddz_core.kernels.bids`.
    """
    found, place = np.unique(results, return_inverse=True)
    table = np.array([_unit(ruleset, contract, int(one)) for one in found], dtype=np.float64)
    return table[place]


@lru_cache(maxsize=4096)
def _unit(ruleset: Ruleset, contract: int, result: int) -> int:
    """Return the unit of one way to play."""
    seats = ruleset.deal.seats
    won = bool(result & _WON)
    plays = [2] * seats
    if result & _SPRING:
        plays = [1] + [0] * (seats - 1)
    if result & _ANTI_SPRING:
        plays[0] = 1
    ladder = ruleset.ladder_in_force()
    bombs: list[str] = []
    used = [0] * cards.LANES
    for number, step in enumerate(ladder):
        at = min(number, _STEPS - 1)
        count = (result >> (_BOMBS + 8 * at)) & 255 if number < _STEPS else 0
        bombs += [_bomb(ruleset, step, used) for _ in range(count)]
    ledger = scoring.score(
        ruleset,
        landlords=[0],
        bid=contract,
        out=0 if won else 1,
        plays=plays,
        bombs=bombs,
    )
    return ledger.unit


def _bomb(ruleset: Ruleset, step: Step, used: list[int]) -> str:
    """Return cards that are a bomb of a step and were not used before; notes them as used."""
    deck = cards.counts_of(ruleset.deck_cards)
    choices = [text for part in step.cards for text in part.split("=")]
    ranks = [rank for rank in ruleset.deck.ranks if cards.LANE[rank] < cards.SMALL_JOKER]
    choices += [rank * step.size for rank in ranks if step.size]
    for text in choices:
        need = cards.counts_of(cards.parse_cards(text))
        if all(u + n <= d for u, n, d in zip(used, need, deck, strict=True)):
            for lane, n in enumerate(need):
                used[lane] += n
            return text
    raise ValueError(f"the deck has no further bomb of step {step.id}")


def farmer_factors(
    ruleset: Ruleset, hand: cards.Hand, sample: Sample
) -> tuple[int, NDArray[np.int64]]:
    """Return the factor that the rule bot would declare as a farmer: own hand, and the others.

    Where farmers declare nothing every factor is 1.
    """
    steps = next((row.factors for row in ruleset.declare if row.factors), (1,))
    factors = np.array(steps, dtype=np.int64)
    step = fitted(ruleset).raise_from - 0.5

    def chosen(chance: NDArray[np.float64]) -> NDArray[np.int64]:
        if step <= 0:
            return np.full(chance.shape, factors[0])
        wanted = (np.maximum(0.0, chance - 0.5) / step).astype(np.int64)
        return factors[np.minimum(wanted, len(factors) - 1)]

    own = chosen(np.array([strength(ruleset, hand).farmer]))
    bombs = bombs_in_all(ruleset, sample.hands)
    return int(own[0]), chosen(
        chance_of(ruleset, "farmer", sample.hands, sample.points, bombs, sample.turns)
    )
