"""Worlds that fit what one seat knows, the likelier the more often.

Layer 3. Drawn and weighed by :mod:`ddz_core.kernels.sampler`: every physical deal equally likely,
then weighed by how likely players who mostly act as the rule bot does would have acted as was seen.
Of many weighed worlds those wanted are picked in proportion. Two calls with different numbers draw
different worlds, so that what chose an action never judges it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import cards
from ddz_core.actions import PASS
from ddz_core.bots.rule import partners_of
from ddz_core.patterns.combination import code_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ddz_core.observation import Observation
    from ddz_core.review.trial import Room
    from ddz_core.specs import Ruleset

HEAT = 8.0
"""How far below the best score a player is thought to choose, in the rule bot's unit."""
FLOOR = 0.15
"""Share of the decisions seen of which nothing is assumed."""
LEAST_DRAWN, MOST_DRAWN = 2, 16
"""Worlds drawn for one that is used, where they are weighed: more while few are likely."""
_USUAL, _WILD = 20, 8.0
MOST_SEEN = 24
"""Plays and passes that are read, the last ones; fewer, as draws, where the deck is larger."""


@dataclass(frozen=True, slots=True)
class Worlds:
    """Worlds to try actions in.

    Attributes:
        hands: packed, a row a world, one a seat.
        sides: of each world, a bit for each seat of the landlord's side.
        effective: independent worlds that would tell as much, at most their number.
    """

    hands: NDArray[np.uint64]
    sides: NDArray[np.int64]
    effective: float

    def __len__(self) -> int:
        """Return the number of worlds."""
        return len(self.hands)

    def part(self, first: int, last: int) -> Worlds:
        """Return some of the worlds; they tell as much as their share of all."""
        share = (last - first) / max(len(self), 1)
        return Worlds(
            self.hands[first:last], self.sides[first:last], max(1.0, self.effective * share)
        )


def one_world(hands: Sequence[cards.Hand], landlords: Sequence[int], number: int) -> Worlds:
    """Return the same world many times, as when all hands are open."""
    row = np.array(hands, dtype=np.uint64)
    side = sum(1 << seat for seat in landlords)
    return Worlds(
        np.ascontiguousarray(np.broadcast_to(row, (number, len(row)))),
        np.full(number, side, dtype=np.int64),
        float(number),
    )


def is_certain(obs: Observation) -> bool:
    """Tell whether a seat knows every hand and side: what it lacks lies in one place."""
    needs = _needs(obs)
    nowhere = cards.size_of(obs.unplaced) - sum(needs)
    return obs.sides_known and sum(need > 0 for need in [*needs, nowhere]) <= 1


def drawn(
    room: Room, obs: Observation, number: int, *, seed: int, first: int, weigh: bool = True
) -> Worlds:
    """Return worlds that fit an observation of the play.

    Args:
        room: the kernels of the rules of the observation.
        obs: what the seat knows.
        number: worlds wanted.
        seed: of the worlds.
        first: number of the first world drawn; ranges that do not overlap share no world.
        weigh: whether what was seen counts; without it every deal is as likely as any other.
    """
    needs = _needs(obs)
    draw = _Drawing(room, obs, needs, seed, weigh=weigh)
    rng = np.random.default_rng((seed, first))
    if not len(draw.seen):
        hands, _ = draw.some(first, number)
        return Worlds(hands, _sides(obs, hands, rng), float(number))
    most = max(LEAST_DRAWN, MOST_DRAWN // decks_of(obs.ruleset) ** 2)
    parts = [draw.some(first, LEAST_DRAWN * number)]
    count = LEAST_DRAWN
    while True:
        chances = np.concatenate([one for _, one in parts])
        weights = np.exp(chances - chances.max())
        weights /= weights.sum()
        effective = 1.0 / float(weights @ weights)
        if effective >= number or count >= most:
            break
        parts.append(draw.some(first + count * number, count * number))
        count *= 2
    hands = np.concatenate([one for one, _ in parts])
    steps = (np.arange(number) + rng.random()) / number
    places = np.minimum(np.searchsorted(np.cumsum(weights), steps), len(hands) - 1)
    hands = np.ascontiguousarray(hands[rng.permutation(places)])
    return Worlds(hands, _sides(obs, hands, rng), min(float(number), effective))


class _Drawing:
    """Worlds of one observation being drawn."""

    def __init__(
        self, room: Room, obs: Observation, needs: Sequence[int], seed: int, *, weigh: bool
    ) -> None:
        self.room, self.seats, self.seed = room, obs.seats, np.uint64(seed)
        self.table = _table(room, obs, needs)
        self.known = np.array(obs.known, dtype=np.uint64)
        self.seen, self.packed = _seen(room, obs, [need > 0 and weigh for need in needs])
        counts = cards.counts_of(obs.unplaced)
        self.pool = np.array(
            [1 << 4 * lane for lane, count in enumerate(counts) for _ in range(count)],
            dtype=np.uint64,
        )

    def some(self, first: int, number: int) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """Return worlds and the logarithms of their weights."""
        engine = self.room.engine
        hands = np.zeros((number, self.seats), dtype=np.uint64)
        chances = np.zeros(number, dtype=np.float64)
        self.room.sampler.draw_worlds(
            *self.room.shared,
            self.table,
            self.known,
            self.pool,
            self.seen,
            self.packed,
            HEAT,
            FLOOR,
            self.seed,
            first,
            engine.moves,
            engine.codes,
            engine.scores,
            hands,
            chances,
        )
        return hands, chances


def decks_of(ruleset: Ruleset) -> int:
    """Return how many decks of a game of three the cards amount to, rounded."""
    return max(1, round(cards.size_of(ruleset.deck_cards) / 54))


def weight_of(ruleset: Ruleset) -> float:
    """Return about how much longer a game played on takes than in a game of one deck."""
    wilds = 1.0 if ruleset.wilds.mode == "none" else _WILD
    return wilds * max(1.0, ruleset.largest_hand / _USUAL) ** 4


def _needs(obs: Observation) -> list[int]:
    """Return how many unplaced cards each seat holds."""
    return [
        0 if seat == obs.seat else obs.left[seat] - cards.size_of(obs.known[seat])
        for seat in range(obs.seats)
    ]


def _table(room: Room, obs: Observation, needs: Sequence[int]) -> NDArray[np.int64]:
    """Return the decision as the kernel that draws reads it."""
    kernel = room.sampler
    mine = obs.side_of(obs.seat) == "landlord"
    table = np.zeros(kernel.TABLE, dtype=np.int64)
    table[:4] = obs.seats, obs.seat, obs.landlords[0], -1
    if obs.to_beat is not None and obs.beat_by is not None:
        table[3], table[4] = obs.beat_by, code_in(room.engine.table, obs.to_beat)
    for seat, partner in enumerate(partners_of(obs)):
        table[kernel.SIDES + seat] = mine if partner else not mine
        table[kernel.PLAYS + seat] = obs.plays[seat]
        table[kernel.NEEDS + seat] = needs[seat]
    return table


def _seen(
    room: Room, obs: Observation, hidden: Sequence[bool]
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return plays and passes of the seats with hidden cards, as the kernel reads them."""
    size, deck = room.sampler.SEEN, obs.ruleset.deck_cards
    left = [n + cards.size_of(p) for n, p in zip(obs.left, obs.played, strict=True)]
    before = [0] * obs.seats
    rows: list[list[int]] = []
    packed: list[tuple[int, int, int]] = []
    owner, code, passes = -1, 0, 0
    for entry in obs.history:
        if entry.phase != "play" or entry.seat is None:
            continue
        seat, hand = entry.seat, 0
        if entry.move is None and entry.action != PASS:
            continue
        own = 0
        if entry.move is not None:
            hand, own = entry.move.hand, code_in(room.engine.table, entry.move)
        if hidden[seat]:
            row = [seat, owner, code, own, 0, 0, 0, 0, *left]
            rows.append([*row, *[0] * (size - len(row))])
            packed.append((hand, obs.played[seat] - before[seat], deck - sum(before)))
        if entry.move is None:
            passes += 1
            if passes >= obs.seats - 1:
                owner, code, passes = -1, 0, 0
        else:
            owner, code, passes = seat, own, 0
            left[seat] -= cards.size_of(hand)
            before[seat] += hand
    last = -MOST_SEEN // decks_of(obs.ruleset) ** 2
    return (
        np.array(rows[last:], dtype=np.int64).reshape(-1),
        np.array(packed[last:], dtype=np.uint64).reshape(-1),
    )


def _sides(
    obs: Observation, hands: NDArray[np.uint64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return the landlord's side in each world.

    Where the partner is hidden it is a seat that holds a card of the rank shown while dealing, the
    likelier the more of them it holds.
    """
    known = sum(1 << seat for seat in obs.landlords)
    number = len(hands)
    if obs.sides_known:
        return np.full(number, known, dtype=np.int64)
    open_ = [s for s in range(obs.seats) if obs.side_of(s) is None]
    share = np.ones((number, len(open_)))
    if obs.face_up is not None:
        lanes = {obs.face_up[0].lane, cards.MARKED}
        held = [(hands[:, open_] >> np.uint64(4 * lane)) & np.uint64(15) for lane in lanes]
        share = np.sum(np.array(held, dtype=np.float64), axis=0) + 1e-9
    edges = np.cumsum(share / share.sum(axis=1, keepdims=True), axis=1)
    chosen = (rng.random((number, 1)) > edges[:, :-1]).sum(axis=1)
    bits = np.array([1 << seat for seat in open_], dtype=np.int64)
    return np.asarray(bits[chosen] | known, dtype=np.int64)
