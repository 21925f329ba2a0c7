"""What a seat gets from a game played on, from the result that the kernels return.

Layer 3, under the bots. Counted are the bid, the multiplier so far, bombs, springs and each
farmer's own factor; left out are caps, rakes, declared bombs, bombs still held and players who
leave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ddz_core import scoring

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.observation import Observation

WON, SPRING, ANTI_SPRING, BOMBS, STEPS = 1, 2, 4, 8, 6
"""Bits of a result, as :mod:`ddz_core.kernels.bids` explains them."""


def points(obs: Observation, results: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the points of the seat that looks on, for results of games played on from there."""
    if not len(results):
        return np.zeros(0)
    found, place = np.unique(results, return_inverse=True)
    own = obs.side_of(obs.seat) == "landlord"
    farmers = [seat for seat in range(obs.seats) if obs.side_of(seat) != "landlord"]
    factors = obs.factors
    weight = sum(factors[seat] or 1 for seat in farmers) if own else factors[obs.seat] or 1
    units = [_unit(obs, int(one)) * (1 if bool(one & WON) == own else -1) for one in found]
    return np.array(units, dtype=np.float64)[place] * weight


def _unit(obs: Observation, result: int) -> float:
    """Return what one farmer and the landlord settle."""
    ruleset, spec = obs.ruleset, obs.ruleset.score
    adds = spec.combine == "sum"
    before = [bomb.factor for bomb in obs.bombs]
    after = list(before)
    for number, step in enumerate(ruleset.ladder_in_force()[:STEPS]):
        factor = step.adds if adds else step.factor
        after += [factor] * (result >> (BOMBS + 8 * number) & 255)
    if result & SPRING and spec.spring > 1:
        after.append(spec.spring)
    if result & ANTI_SPRING and spec.anti_spring > 1:
        after.append(spec.anti_spring)
    grown = scoring.multiplier_of(ruleset, after) / scoring.multiplier_of(ruleset, before)
    first = obs.contract if spec.base == "bid" else 1
    return max(first, 1) * spec.stake * obs.multiplier * grown
