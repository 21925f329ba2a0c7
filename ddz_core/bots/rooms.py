"""What the sampler works with: kernels to borrow, candidates, and what was seen of others.

Layer 3, under :mod:`ddz_core.bots.search`.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core import cards
from ddz_core.actions import PASS
from ddz_core.bots import net
from ddz_core.bots.rule import Engine, fitted, seen_by, weights_of
from ddz_core.data_files import data_dir
from ddz_core.patterns.combination import code_in
from ddz_core.solver.engine import Budget
from ddz_core.solver.engine import Engine as Prover
from ddz_core.solver.values import winner_only

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ddz_core.observation import Observation
    from ddz_core.specs import Ruleset

VARIANTS = 3
"""Candidates with the same main part at most: they differ by kickers."""
PROOF_NODES = 20_000
"""Nodes that the proof of one candidate in one world may cost."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play to try: cards (0 for a pass), code, the rule bot's score, the net's chance to win."""

    hand: cards.Hand
    code: int
    score: float
    chance: float | None = None


class Room:
    """The kernels of one ruleset with room of their own; one decision at a time."""

    def __init__(self, ruleset: Ruleset) -> None:
        from ddz_core.kernels import sampler

        self.kernel, self.ruleset = sampler, ruleset
        self.engine = Engine(ruleset)
        self.weights = weights_of(fitted(ruleset))
        self.hands = np.zeros(8, dtype=np.uint64)
        self.plays = np.zeros(8, dtype=np.int64)
        self.learned: Learned | None = None
        self._prover: Prover | None = None
        self._worth = winner_only()

    def proven(
        self, hands: Sequence[int], seat: int, code: int, owner: int, sides: int
    ) -> bool | None:
        """Tell whether the landlord's side wins with open hands, None if not known soon.

        Args:
            hands: packed hands of every seat.
            seat: to move.
            code: what lies on the table, 0 for a lead.
            owner: who played it.
            sides: bit ``s`` for each seat of the landlord's side.
        """
        if self._prover is None:
            self._prover = Prover(self.ruleset)
        limits = [63] * len(hands)
        budget = Budget(PROOF_NODES)
        found = self._prover.ask(
            hands, seat, code, owner, sides, limits, self._worth, goal=1, budget=budget
        )
        return None if found < 0 else found == 1

    def net(self, ruleset: Ruleset) -> Learned | None:
        """Return the net with room of its own, None where it does not play or was not shipped."""
        shipped = (data_dir() / "models" / net.FILE).is_file()
        if self.learned is None and shipped and not net.lacks(ruleset):
            self.learned = Learned(ruleset)
        return self.learned

    @property
    def shared(self) -> tuple[Any, ...]:
        """The vectors every kernel takes first."""
        engine = self.engine
        return (
            engine.table.words,
            engine.work,
            engine.plan,
            engine.space,
            engine.cache,
            self.weights,
            engine.view,
        )


class Learned:
    """The net for one ruleset, and room for another state of it."""

    def __init__(self, ruleset: Ruleset) -> None:
        from ddz_core.kernels import sampler_net

        self.judge = sampler_net.judge_plays
        self.engine = net.Engine(ruleset)
        self.state = np.zeros_like(self.engine.state)
        self.hands = np.zeros_like(self.engine.hands)


class Rooms:
    """Rooms to borrow, so that two readers at two tables need not wait for each other."""

    def __init__(self, most: int = 4) -> None:
        self._free: list[tuple[str, Room]] = []
        self._lock, self._most = threading.Lock(), most

    def room(self, ruleset: Ruleset) -> _Borrowed:
        """Return a room for a ``with`` block."""
        return _Borrowed(self, ruleset)

    def take(self, ruleset: Ruleset) -> Room:
        """Return a free room, a new one if there is none."""
        with self._lock:
            for place, (key, room) in enumerate(self._free):
                if key == ruleset.hash:
                    del self._free[place]
                    return room
        return Room(ruleset)

    def give(self, ruleset: Ruleset, room: Room) -> None:
        """Take a room back; the oldest free one goes where there are too many."""
        with self._lock:
            self._free.append((ruleset.hash, room))
            del self._free[: -self._most]


@dataclass(slots=True)
class _Borrowed:
    """A room for the length of a ``with`` block."""

    rooms: Rooms
    ruleset: Ruleset
    own: Room | None = None

    def __enter__(self) -> Room:
        self.own = self.rooms.take(self.ruleset)
        return self.own

    def __exit__(self, *_: object) -> None:
        if self.own is not None:
            self.rooms.give(self.ruleset, self.own)


rooms = Rooms()


def candidates_of(
    room: Room, obs: Observation, width: int, learned: Learned | None
) -> list[Candidate]:
    """Return what is worth trying, the rule bot's favourite first; with the net, its best too."""
    scored = [
        one
        for one in room.engine.scored(room.weights, *seen_by(room.engine, obs))
        if obs.limits.allows(one[1], bomb=one[2] >> 26 > 0)
    ]
    chances: dict[tuple[cards.Hand, int], float] = {}
    if learned is not None:
        chances = {(one.hand, one.code): one.win for one in learned.engine.choices(obs)}
    found: list[Candidate] = []
    variants: dict[int, int] = {}
    best = sorted(scored, key=lambda one: -chances.get((one[1], one[2]), 0.0))
    for score, hand, code in _alternating(scored, best if chances else []):
        variants[code] = variants.get(code, 0) + 1
        if variants[code] <= VARIANTS and len(found) < width:
            found.append(Candidate(hand, code, score, chances.get((hand, code))))
    if obs.to_beat is not None or not found:
        found.append(Candidate(0, 0, 0.0, chances.get((0, 0))))
    return sorted(found, key=lambda one: -one.score)


Scored = tuple[float, cards.Hand, int]


def _alternating(one: list[Scored], two: list[Scored]) -> list[Scored]:
    """Return two orders of the same plays as one, each play once."""
    if not two:
        return one
    return list(dict.fromkeys(play for pair in zip(one, two, strict=True) for play in pair))


# --- what was seen -------------------------------------------------------------------------------


def decisions_of(
    engine: Engine, obs: Observation, hidden: Sequence[bool], size: int
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the plays and passes of seats with hidden cards, as the kernel reads them."""
    rows: list[list[int]] = []
    packed: list[tuple[cards.Hand, cards.Hand, int]] = []
    left = [n + cards.size_of(p) for n, p in zip(obs.left, obs.played, strict=True)]
    played = [0] * obs.seats
    gone, owner, code, passes = 0, -1, 0, 0
    for entry in obs.history:
        if entry.phase != "play" or entry.seat is None:
            continue
        move, seat = entry.move, entry.seat
        if move is None and entry.action != PASS:
            continue
        hand = 0 if move is None else move.hand
        own = 0 if move is None else code_in(engine.table, move)
        if hidden[seat]:
            row = [seat, owner, code, own, 0, 0, 0, 0, *left]
            rows.append([*row, *[0] * (size - len(row))])
            packed.append((hand, played[seat], gone))
        if move is None:
            passes += 1
            if passes >= obs.seats - 1:
                owner, code, passes = -1, 0, 0
        else:
            owner, code, passes = seat, own, 0
            left[seat] -= cards.size_of(hand)
            played[seat] += hand
            gone += hand
    deck = obs.ruleset.deck_cards
    words = [
        (hand, obs.played[row[0]] - before, deck - out)
        for row, (hand, before, out) in zip(rows, packed, strict=True)
    ]
    flat = [n for row in rows for n in row]
    return np.array(flat, dtype=np.int64), np.array(words, dtype=np.uint64).reshape(-1)
