"""The room that a search works in, and the calls of the kernel.

Layer 3. The kernel is called for a slice of nodes at a time, so that a search can be watched,
cancelled and bounded; between slices it stands still in its own frames. What was found stays in the
table between searches of the same rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ddz_core import cards
from ddz_core.kernels import plain, solve, turns
from ddz_core.kernels.table import ATTACH, NO_NEXT, ROW_WORDS, ROWS, UNITS, Table, table_of
from ddz_core.solver.values import Values
from ddz_core.specs import Ruleset

SLICE = 1 << 18
"""Nodes between two looks at the clock: a tenth of a second."""
SMALLEST_BITS, LARGEST_BITS = 14, 24
"""Buckets of 32 bytes in the table, as powers of two; it grows with the nodes allowed."""
MOST_ROOM = 1 << 22
"""Most moves of all frames together."""


class State(NamedTuple):
    """A position as the kernel takes it.

    Attributes:
        hands: packed hands in playing order.
        seat: who is to move.
        code: what lies on the table, 0 for a lead.
        owner: who played it.
        tally: what counts of the bombs played so far.
        played: who has made plays.
    """

    hands: tuple[cards.Hand, ...]
    seat: int
    code: int
    owner: int
    tally: int
    played: int


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question: does the landlord's side get at least the goal?

    Attributes:
        sides: bit ``s`` for each seat of the landlord's side.
        limits: the highest ladder step that each seat may play.
        values: what the ends are worth.
        goal: one of the values.
        rules: the vectors of the landlord's side and of the other side.
        salt: tells what was found for it from what was found for other questions.
    """

    sides: int
    limits: tuple[int, ...]
    values: Values
    goal: int
    rules: tuple[NDArray[np.uint64], NDArray[np.uint64]]
    salt: int

    def side_of(self, seat: int) -> int:
        """Return 1 for a seat of the landlord's side, 0 for another."""
        return self.sides >> seat & 1

    def counted(self, tally: int, played: int, code: int, seat: int) -> tuple[int, int]:
        """Return tally and ``played`` after a play."""
        if not self.values.points:
            return tally, played
        tally = int(self.values.words[64 * tally + (code >> 26)])
        return tally, int(solve.played_after(played, self.side_of(seat)))


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
        self._next = SLICE

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
        """Count nodes, and after each slice tell how far the search is."""
        self.nodes -= nodes
        self.spent += nodes
        if self.spent >= self._next:
            self._next = self.spent + SLICE
            if self._progress is not None:
                self._progress(self.spent, self.share)


def shape_of(table: Table) -> tuple[NDArray[np.uint64], int]:
    """Return the shortest runs of a ruleset, and how far the kernel may strike moves.

    That is 0 where ranks are not alike in all but their order: with wilds, with kickers that must
    be consecutive or that compare, or where some kind leaves out ranks; 1 where a kicker may not
    lengthen a run of triples, or where three may not be equal; else 2; and 4 more where a joker is
    like any single card.
    """
    words = [int(word) for word in table.words]
    alike, free, single = not table.wilds, True, table.ruleset.deck.decks == 1
    jokers = 0xFFF << 52
    whole = sum(1 << 4 * lane for lane, n in enumerate(cards.counts_of(table.deck)) if n)
    found: dict[int, set[int]] = {size: set() for size in range(1, 5)}
    for number in range(words[0]):
        row = words[ROWS + number * ROW_WORDS : ROWS + (number + 1) * ROW_WORDS]
        size, low, high, order, attachments, lanes = *row[:4], row[6], row[7]
        if high > 1:
            alike &= size <= 4
            for start in range(16):
                mask = words[UNITS + order * 256 + low * 16 + start]
                if mask and mask & lanes == mask:
                    found[min(size, 4)].add(mask)
        else:
            alike &= whole & ~jokers & ~lanes == 0
            single &= size > 1 or whole & ~lanes == 0
        for at in range(ATTACH, ATTACH + 8 * attachments, 8):
            size, _, kick_lanes, run, ranked, most, limits = row[at : at + 7]
            alike &= not run and not ranked and whole & ~jokers & ~kick_lanes == 0
            free &= not limits & NO_NEXT and attachments == 1 and (size > 1 or most > 2)
            single &= size > 1 or whole & ~kick_lanes == 0
    heads, masks = [0] * 10, list[int]()
    for size, lengths in found.items():
        heads[2 * size : 2 * size + 2] = [10 + len(masks), len(lengths)]
        masks += sorted(lengths)
    level = (2 if free else 1) + 4 * single
    return np.array(heads + masks, dtype=np.uint64), level if alike else 0


class Engine:
    """The kernel's vectors for one ruleset; not for two threads at once.

    Attributes:
        table: the compiled ruleset.
        known: what was found so far.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        table = table_of(ruleset)
        self.table = table
        self._spending = table.spending_all() if table.wilds else table.words
        self._work = np.zeros(plain.SPACE, dtype=np.uint64)
        self._plan = turns.plan_of(table, wilds=bool(table.wilds))
        self._turn_space = np.zeros(turns.SPACE, dtype=np.uint64)
        self._turn_cache = np.zeros(2 << turns.CACHE_BITS, dtype=np.uint64)
        self._frames = np.zeros(solve.FRAMES + solve.FRAME * solve.MOST_DEPTH, dtype=np.int64)
        self._hands = np.zeros(solve.HANDS * solve.MOST_DEPTH, dtype=np.uint64)
        self.known: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self._bits = 0
        self._runs, self._thin = shape_of(table)
        self._make_room(1 << 16)

    def _make_room(self, room: int) -> None:
        """Make room for the moves of all frames."""
        self._cards = np.zeros(room, dtype=np.uint64)
        self._codes = np.zeros(room, dtype=np.uint32)
        self._scores = np.zeros(room, dtype=np.int64)

    def forget(self) -> None:
        """Forget what was found."""
        self.known[:] = 0

    def remember(self, nodes: int) -> None:
        """Make the table large enough for a search of so many nodes; a larger one stays."""
        bits = min(max(int(nodes).bit_length() - 3, SMALLEST_BITS), LARGEST_BITS)
        if bits > self._bits:
            self._bits = bits
            self.known = np.zeros(4 << bits, dtype=np.uint64)

    def questions(
        self,
        hands: Sequence[cards.Hand],
        sides: int,
        limits: Sequence[int],
        values: Values,
        goal: int,
    ) -> list[tuple[Asked, int]]:
        """Return what to ask, in order, each with the answer that settles it; -1: any answer does.

        Few ways to spend wilds prove that a side reaches its aim; that it does not takes all ways.
        """
        words, spending = self.table.words, self._spending
        pairs = [((words, words), -1)]
        if any(hand & self.table.wilds for hand in hands):
            pairs = [((words, spending), 1), ((spending, words), 0), ((spending, spending), -1)]
        found = []
        for number, (rules, settles) in enumerate(pairs):
            told = f"{sides} {tuple(limits)} {goal} {values.salt} {number}".encode()
            salt = int.from_bytes(blake2b(told, digest_size=8).digest(), "big", signed=True)
            found.append((Asked(sides, tuple(limits), values, goal, rules, salt), settles))
        return found

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
    ) -> int:
        """Tell whether the landlord's side gets at least ``goal``: 1, 0, or -1 if it is not known.

        The plain search alone, for small positions; :func:`ddz_core.solver.proofs.answer` goes on
        where it ends.

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
        """
        self.remember(budget.nodes)
        state = State(tuple(hands), seat, code, owner, 0, values.played)
        found = -1
        for asked, settles in self.questions(hands, sides, limits, values, goal):
            found = self.search(asked, state, budget.nodes, budget, look=True)
            if found < 0 or settles in (-1, found):
                break
        return found

    def _begin(self, asked: Asked, state: State, *, look: bool) -> None:
        """Write a question and its first frame."""
        frames, count = self._frames, len(state.hands)
        frames[: solve.FRAMES] = 0
        frames[solve.SEATS], frames[solve.SIDES] = count, asked.sides
        frames[solve.GOAL], frames[solve.POINTS] = asked.goal, int(asked.values.points)
        frames[solve.BITS], frames[solve.CAP] = self._bits, len(self._cards)
        frames[solve.SALT], frames[solve.LOOK] = asked.salt, int(look)
        frames[solve.CHOSEN], frames[solve.THIN] = -1, self._thin
        frames[solve.LIMITS : solve.LIMITS + count] = asked.limits
        first = frames[solve.FRAMES : solve.FRAMES + solve.FRAME]
        first[solve.SEAT], first[solve.OWNER] = state.seat, state.owner
        first[solve.CODE], first[solve.START] = state.code, 0
        first[solve.TALLY], first[solve.PLAYED] = state.tally, state.played
        self._hands[:count] = state.hands

    def _vectors(self, asked: Asked) -> tuple[NDArray[Any], ...]:
        """Return the arguments of the kernels."""
        return (
            *asked.rules,
            self._work,
            self._plan,
            self._turn_space,
            self._turn_cache,
            self._frames,
            self._hands,
            self._cards,
            self._codes,
            self._scores,
            self.known,
            asked.values.words,
            self._runs,
        )

    def search(self, asked: Asked, state: State, nodes: int, budget: Budget, *, look: bool) -> int:
        """Search depth first: 1 or 0, or -1 if that took more than ``nodes`` or the budget."""
        while True:
            self._begin(asked, state, look=look)
            frames, done, before = self._frames, solve.RUNNING, 0
            vectors = self._vectors(asked)
            while done == solve.RUNNING:
                left = min(nodes - before, budget.nodes)
                if left <= 0 or budget.over:
                    return -1
                frames[solve.STOP] = before + min(SLICE, left)
                done = solve.solve(*vectors)
                budget.spend(int(frames[solve.NODES]) - before)
                before = int(frames[solve.NODES])
            if done != solve.NO_ROOM:
                return 1 if done == solve.DONE_YES else 0
            if len(self._cards) >= MOST_ROOM:
                return -1
            self._make_room(4 * len(self._cards))

    def expand(
        self, asked: Asked, state: State, each: int, out: NDArray[np.int64], budget: Budget
    ) -> tuple[int, State]:
        """Search every move of a position for ``each`` nodes at most.

        Returns:
            1 or 0 if that answers the position, else -1 with the moves that are not answered in
            ``out``, four words each (see :func:`ddz_core.kernels.solve.expand`), and -2 for no
            room; and the position after passes that are forced.
        """
        self._begin(asked, state, look=True)
        result = int(solve.expand(*self._vectors(asked), each, out))
        frames = self._frames
        budget.spend(int(frames[solve.NODES]))
        seat, owner, code = frames[solve.FRAMES : solve.FRAMES + 3].tolist()
        return result, state._replace(seat=seat, owner=owner, code=code)

    @property
    def room(self) -> int:
        """How many moves the frames may have together."""
        return len(self._cards)

    @property
    def undecided(self) -> int:
        """How many moves the last call of :meth:`expand` left open."""
        return int(self._frames[solve.OPEN])

    @property
    def spent(self) -> int:
        """How much the last look-up had cost when it was found, as a power of two."""
        return int(self._frames[solve.SPENT])

    @property
    def chosen(self) -> tuple[cards.Hand, int] | None:
        """Cards and code of the move that decided the last question; code 0 for a pass."""
        place = int(self._frames[solve.CHOSEN])
        return None if place < 0 else (int(self._cards[place]), int(self._codes[place]))
