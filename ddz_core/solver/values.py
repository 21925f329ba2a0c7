"""What the end of an open-hand position is worth to the landlord's side.

Layer 3. In a search for the winner that is one or minus one. In a search for points it is what the
ruleset's own ledger pays; since what bombs and springs make multiplies the stake, a ledger is
written for each product (or sum) of bombs that can come about, and the search only looks it up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ddz_core import cards, course, scoring
from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.kernels import solve
from ddz_core.positions import Position
from ddz_core.specs import Ruleset

NO_SPRING = solve.LANDLORD_TWICE | solve.FARMER_ONCE
"""Who has made plays, where no spring can come about any more."""


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The worth of every end, as the kernel reads it.

    Attributes:
        words: the vector ``V`` of :mod:`ddz_core.kernels.solve`.
        goals: the values that can come about, low to high, without the lowest.
        lowest: the lowest of them.
        points: whether more than the winner counts.
        played: who has made plays so far, as bits.
        salt: tells it from other values.
    """

    words: NDArray[np.int64]
    goals: tuple[int, ...]
    lowest: int
    points: bool
    played: int
    salt: str


def winner_only() -> Values:
    """Return the worth of winning and losing: one and minus one."""
    words = np.zeros(solve.VALUES + 4, dtype=np.int64)
    words[solve.VALUES :] = (-1, -1, 1, 1)
    return Values(words, (1,), -1, False, NO_SPRING, "")


def by_points(position: Position, game: Game | None) -> Values:
    """Return the worth of every end in points of the landlord's side.

    Args:
        position: open hands.
        game: where they come from. Its bid, its factors, the bombs and plays made so far count;
            without one the bid is the lowest, nothing was declared, and there is no spring.

    Raises:
        DdzError: if bombs could make more different totals than the search keeps apart.
    """
    ruleset = position.rules.ruleset if game is None else game.play_rules
    adds = ruleset.score.combine == "sum"
    steps = ruleset.ladder_in_force()
    made_by = [step.adds if adds else step.factor for step in steps]
    smallest = min((_size(step) for step in steps), default=0)
    held = sum(map(cards.size_of, position.hands))
    first = _total([bomb.factor for bomb in game.bombs] if game else [], adds)
    totals, words = [first], np.zeros(solve.VALUES + 4 * solve.MOST_TALLIES, dtype=np.int64)
    reached = {first: 0}
    for tally, total in enumerate(totals):
        words[64 * tally : 64 * tally + 64] = tally
        made = reached[total]
        if not smallest or (made + 1) * smallest > held:
            continue
        for step, factor in enumerate(made_by, 1):
            after = total + factor if adds else total * factor
            if after not in reached:
                if len(totals) == solve.MOST_TALLIES:
                    raise DdzError(
                        f"objective: bombs can make more than {solve.MOST_TALLIES} totals",
                        key="error.solver.totals",
                        field="objective",
                        expected=solve.MOST_TALLIES,
                        got=len(totals) + 1,
                    )
                reached[after] = made + 1
                totals.append(after)
            words[64 * tally + step] = totals.index(after)
    facts = _facts(position, ruleset, game)
    score = ruleset.score
    ends = ((False, 1), (False, score.anti_spring), (True, 1), (True, score.spring))
    found = set()
    for tally, total in enumerate(totals):
        for place, (won, spring) in enumerate(ends):
            factors = [total, spring] if spring > 1 else [total]
            factor = scoring.multiplier_of(ruleset, factors)
            value = _points(ruleset, facts, factor, won, position)
            words[solve.VALUES + 4 * tally + place] = value
            found.add(value)
    values = sorted(found)
    salt = blake2b(words.tobytes(), digest_size=8).hexdigest()
    return Values(words, tuple(values[1:]), values[0], True, _played(game), salt)


def _size(step: Any) -> int:  # noqa: ANN401
    """Return the number of cards of a bomb."""
    return step.size or cards.size_of(cards.parse_cards(step.cards[0].split("=")[0]))


def _total(factors: Sequence[int], adds: bool) -> int:
    """Return the sum or the product of bombs."""
    if adds:
        return sum(factors)
    product = 1
    for factor in factors:
        product *= factor
    return product


def _facts(position: Position, ruleset: Ruleset, game: Game | None) -> dict[str, Any]:
    """Return the facts of the score that do not change any more."""
    if game is None:
        bid = None if ruleset.score.base == "one" else ruleset.auction.levels[0]
        return {"landlords": position.landlords, "bid": bid}
    names = scoring.facts_of(ruleset)
    told = {name: value for name, value in course.facts_of(game).items() if name in names}
    for name in ("plays", "bombs", "fled", "held_bombs", "dealt_bombs"):
        told.pop(name, None)
    return told


def _points(
    ruleset: Ruleset, facts: Mapping[str, Any], factor: int, won: bool, position: Position
) -> int:
    """Return the points of the landlord's side when bombs and springs make ``factor``."""
    sides = [seat for seat in range(ruleset.deal.seats) if (seat in position.landlords) == won]
    plain = msgspec.structs.replace(
        ruleset, score=msgspec.structs.replace(ruleset.score, combine="product")
    )
    stake = facts.get("stake", ruleset.score.stake) * factor
    ledger = scoring.score(plain, **{**facts, "stake": stake, "out": sides[0]})
    return sum(ledger.points[seat] for seat in position.landlords)


def _played(game: Game | None) -> int:
    """Return who has made plays, as the kernel counts them."""
    if game is None:
        return NO_SPRING
    own = sum(game.plays[seat] for seat in game.landlords)
    played = solve.FARMER_ONCE if sum(game.plays) > own else 0
    return played | (0, solve.LANDLORD_ONCE)[own] if own < 2 else played | solve.LANDLORD_TWICE
