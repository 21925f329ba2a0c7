"""The room that a search works in, and the loop around the kernel.

Layer 3. The kernel is called for a slice of nodes at a time, so that a search can be watched,
cancelled and bounded; between slices it stands still in its own frames. What was found stays in the
table between searches of the same rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ddz_core import cards
from ddz_core.kernels import plain, solve, turns
from ddz_core.kernels.table import table_of
from ddz_core.solver.values import Values
from ddz_core.specs import Ruleset

SLICE = 1 << 18
"""Nodes between two looks at the clock: a tenth of a second."""
SMALLEST_BITS, LARGEST_BITS = 16, 23
"""Buckets of 32 bytes in the table, as powers of two; it grows with the nodes allowed."""


class Stop(Protocol):
    """What can be asked whether a search should end, such as ``threading.Event``."""

    def is_set(self) -> bool:
        """Tell whether to end."""
        ...


class Budget:
    """What one question may cost, and what it has cost so far.

    Attributes:
        nodes: nodes left.
        spent: nodes used.
    """

    def __init__(
        self,
        nodes: int,
        seconds: float | None = None,
        cancel: Stop | None = None,
        progress: Callable[[int, float | None], None] | None = None,
    ) -> None:
        self.nodes = nodes
        self.spent = 0
        self.share: float | None = None
        self._cancel, self._progress = cancel, progress
        self._started = time.thread_time()
        self._limit = seconds

    @property
    def seconds(self) -> float:
        """Processor time of this thread since the start."""
        return time.thread_time() - self._started

    @property
    def over(self) -> bool:
        """Whether nothing may be spent any more."""
        return (
            self.nodes <= 0
            or (self._cancel is not None and self._cancel.is_set())
            or (self._limit is not None and self.seconds >= self._limit)
        )

    def spend(self, nodes: int) -> None:
        """Count nodes, and tell how far the search is."""
        self.nodes -= nodes
        self.spent += nodes

    def tell(self) -> None:
        """Tell how far the search is."""
        if self._progress is not None:
            self._progress(self.spent, self.share)


class Engine:
    """The kernel's vectors for one ruleset; not for two threads at once."""

    def __init__(self, ruleset: Ruleset) -> None:
        table = table_of(ruleset)
        self.table = table
        self.words = table.words
        self.spending = table.spending_all() if table.wilds else table.words
        self.work = np.zeros(plain.SPACE, dtype=np.uint64)
        self.plan = turns.plan_of(table, wilds=bool(table.wilds))
        self.turn_space = np.zeros(turns.SPACE, dtype=np.uint64)
        self.turn_cache = np.zeros(2 << turns.CACHE_BITS, dtype=np.uint64)
        self.frames = np.zeros(solve.FRAMES + solve.FRAME * solve.MOST_DEPTH, dtype=np.int64)
        self.hands = np.zeros(solve.HANDS * solve.MOST_DEPTH, dtype=np.uint64)
        self.known: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self.bits = 0
        self._room(1 << 15)

    def _room(self, room: int) -> None:
        """Make room for the moves of all frames."""
        self.cards = np.zeros(room, dtype=np.uint64)
        self.codes = np.zeros(room, dtype=np.uint32)
        self.scores = np.zeros(room, dtype=np.int64)

    def remember(self, nodes: int) -> None:
        """Make the table large enough for a search of so many nodes; a larger one stays."""
        bits = min(max(int(nodes).bit_length() - 2, SMALLEST_BITS), LARGEST_BITS)
        if bits > self.bits:
            self.bits = bits
            self.known = np.zeros(4 << bits, dtype=np.uint64)

    def ask(
        self,
        hands: Sequence[cards.Hand],
        seat: int,
        code: int,
        owner: int,
        sides: int,
        limits: Sequence[int],
        values: Values,
        *,
        goal: int,
        budget: Budget,
        tally: int = 0,
        played: int | None = None,
        look: bool = True,
    ) -> int:
        """Tell whether the landlord's side gets at least ``goal``: 1, 0, or -1 if it is not known.

        Args:
            hands: packed hands in playing order.
            seat: who is to move.
            code: what lies on the table, 0 for a lead.
            owner: who played it.
            sides: bit ``s`` for each seat of the landlord's side.
            limits: the highest ladder step that each seat may play.
            values: what the ends are worth.
            goal: one of its values.
            budget: what may be spent.
            tally: what counts of the bombs played so far.
            played: who has made plays; None as ``values`` says.
            look: whether the position itself may be looked up, not only what follows.
        """
        self.remember(budget.nodes)
        wild = bool(self.table.wilds) and any(hand & self.table.wilds for hand in hands)
        pairs = [(self.words, self.words)]
        if wild:
            # few ways to spend wilds prove a side's win; that there is none takes all of them
            pairs = [(self.words, self.spending), (self.spending, self.words)]
            pairs.append((self.spending, self.spending))
        played = values.played if played is None else played
        for number, (landlord, other) in enumerate(pairs):
            told = f"{sides} {tuple(limits)} {goal} {values.salt} {number}".encode()
            salt = int.from_bytes(blake2b(told, digest_size=8).digest(), "big", signed=True)
            found = self._run(
                (landlord, other),
                hands,
                seat,
                code,
                owner,
                sides,
                limits,
                values,
                goal,
                budget,
                tally,
                played,
                look,
                salt,
            )
            if found < 0 or not wild or number == 2 or found == 1 - number:
                return found
        return -1

    def _run(
        self,
        rules: tuple[NDArray[np.uint64], NDArray[np.uint64]],
        hands: Sequence[cards.Hand],
        seat: int,
        code: int,
        owner: int,
        sides: int,
        limits: Sequence[int],
        values: Values,
        goal: int,
        budget: Budget,
        tally: int,
        played: int,
        look: bool,
        salt: int,
    ) -> int:
        """Search in slices; see :meth:`ask`."""
        while True:
            frames = self.frames
            frames[: solve.FRAMES] = 0
            frames[solve.SEATS], frames[solve.SIDES] = len(hands), sides
            frames[solve.GOAL], frames[solve.POINTS] = goal, int(values.points)
            frames[solve.BITS], frames[solve.CAP] = self.bits, len(self.cards)
            frames[solve.SALT], frames[solve.LOOK] = salt, int(look)
            frames[solve.CHOSEN] = -1
            frames[solve.LIMITS : solve.LIMITS + len(hands)] = limits
            first = frames[solve.FRAMES : solve.FRAMES + solve.FRAME]
            first[solve.SEAT], first[solve.OWNER], first[solve.CODE] = seat, owner, code
            first[solve.START], first[solve.TALLY], first[solve.PLAYED] = 0, tally, played
            self.hands[: len(hands)] = hands
            state, before = solve.RUNNING, 0
            while state == solve.RUNNING:
                if budget.over:
                    return -1
                frames[solve.STOP] = before + min(SLICE, budget.nodes)
                state = solve.solve(
                    *rules,
                    self.work,
                    self.plan,
                    self.turn_space,
                    self.turn_cache,
                    frames,
                    self.hands,
                    self.cards,
                    self.codes,
                    self.scores,
                    self.known,
                    values.words,
                )
                nodes = int(frames[solve.NODES])
                budget.spend(nodes - before)
                before = nodes
                if state == solve.RUNNING:
                    budget.tell()
            if state != solve.NO_ROOM:
                return 1 if state == solve.DONE_YES else 0
            if len(self.cards) >= 1 << 22:
                return -1
            self._room(4 * len(self.cards))

    @property
    def spent(self) -> int:
        """How much the last look-up had cost when it was found, as a power of two."""
        return int(self.frames[solve.SPENT])

    @property
    def chosen(self) -> tuple[cards.Hand, int] | None:
        """Cards and code of the move that decided the last question; code 0 for a pass."""
        place = int(self.frames[solve.CHOSEN])
        return None if place < 0 else (int(self.cards[place]), int(self.codes[place]))
