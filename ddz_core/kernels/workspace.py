"""Room that the kernels work in, one for each thread, and the ways to call them from Python.

Layer 0. Two threads that shared a workspace would corrupt each other's lists without a word, since
the kernels run without the interpreter lock; :meth:`Workspace.own` gives each thread its own.
"""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from ddz_core import cards
from ddz_core.errors import HandError
from ddz_core.kernels import plain, playout, readings, wild
from ddz_core.kernels.table import Table, compile_table
from ddz_core.kernels.wild_call import LIST, LIST_ALL
from ddz_core.specs import Body, DealSpec, Deck, Kind, Play, Ruleset

MOST_MOVES = 1 << 20
"""No list is longer; only pools of cards far beyond any hand could ask for more."""


_threads = threading.local()


class Workspace:
    """Work space and output of the kernels.

    Attributes:
        space: the kernels' ``W``.
        cards: packed cards of the moves listed last.
        codes: their codes, in the same places.
    """

    __slots__ = ("cards", "codes", "space")

    @staticmethod
    def own() -> Workspace:
        """Return the workspace of the thread that asks, made at its first question."""
        try:
            found: Workspace = _threads.workspace
        except AttributeError:
            found = _threads.workspace = Workspace()
        return found

    def __init__(self, room: int = 2 * plain.ROOM) -> None:
        self.space: NDArray[np.uint64] = np.zeros(plain.SPACE, dtype=np.uint64)
        self.make_room(max(room, plain.ROOM))

    def make_room(self, room: int) -> None:
        """Make room for lists of this length; what was listed is lost."""
        if room > 2 * MOST_MOVES:
            raise HandError(
                f"the cards have more than {MOST_MOVES} moves",
                key="error.cards.too_many_moves",
                field="cards",
                expected=MOST_MOVES,
                got=room,
            )
        self.cards: NDArray[np.uint64] = np.zeros(room, dtype=np.uint64)
        self.codes: NDArray[np.uint32] = np.zeros(room, dtype=np.uint32)

    def list_moves(self, table: Table, hand: cards.Hand, code: int, limit: int) -> int:
        """List leads (``code`` 0) or answers to a code; returns how many.

        Args:
            table: the compiled ruleset.
            hand: a packed hand of its deck.
            code: what lies on the table.
            limit: highest ladder step that may be played, 63 for all.

        Raises:
            HandError: if there are more than a million.
        """
        number = self.list_marked(table, hand, code, limit)
        return number if number >= 0 else -number - 1

    def list_marked(self, table: Table, hand: cards.Hand, code: int, limit: int) -> int:
        """List as :meth:`list_moves`; negative, less one, if cards may be listed twice."""
        while True:
            number: int = plain.list_moves(
                table.words, self.space, hand, code, limit, self.cards, self.codes
            )
            if number <= len(self.cards):
                return number
            self.make_room(2 * len(self.cards))

    def list_sorted(
        self, table: Table, hand: cards.Hand, code: int, limit: int
    ) -> tuple[list[int], list[int]]:
        """Return the cards and codes of :meth:`list_moves`, by code, then kickers low to high."""
        number = self.list_moves(table, hand, code, limit)
        found, codes = self.cards[:number], self.codes[:number]
        if not table.sorted:
            order = np.argsort(codes, kind="stable")
            found, codes = found[order], codes[order]
        return found.tolist(), codes.tolist()

    def list_spending(
        self, table: Table, hand: cards.Hand, code: int, limit: int, every: bool
    ) -> tuple[list[int], list[int]]:
        """List the moves of a hand with wilds as :meth:`list_sorted`.

        Args:
            every: every way to spend wilds; else only where natural cards are lacking.
        """
        what = LIST_ALL if every else LIST
        while True:
            number = wild.list_spending(
                table.words, self.space, hand, code, limit, what, self.cards, self.codes
            )
            if number <= len(self.cards):
                break
            self.make_room(2 * len(self.cards))
        found, codes = self.cards[:number], self.codes[:number]
        # lowest cards first: the more there are of the lowest rank, the earlier
        mirrored = np.zeros(number, dtype=np.uint64)
        for lane in range(cards.LANES):
            mirrored = mirrored << np.uint64(4) | found >> np.uint64(4 * lane) & np.uint64(15)
        order = np.lexsort((~mirrored, codes))
        return found[order].tolist(), codes[order].tolist()

    def codes_of(self, table: Table, hand: cards.Hand) -> list[int]:
        """Return the code of every reading of a set of cards, in no stated order."""
        number = readings.readings_of(table.words, self.space, hand, self.codes)
        return self.codes[:number].tolist()

    def can_beat(self, table: Table, hand: cards.Hand, code: int, limit: int) -> bool:
        """Tell whether a hand has an answer to a code, bombs up to ladder step ``limit``."""
        return bool(
            plain.can_beat(table.words, self.space, hand, code, limit, self.cards, self.codes)
        )


def warm() -> None:
    """Compile the kernels, or load them from numba's cache, by calling each once.

    All rulesets share the same kernels. Cost: some 10 s when nothing is cached, 0.3 s otherwise;
    any thread may do it.
    """
    smallest = Ruleset(
        id="warm",
        name={},
        deck=Deck(ranks="34"),
        deal=DealSpec(seats=2, hand=4, bottom=0),
        play=Play(kind=(Kind(id="single", body=Body(size=1)),)),
    )
    table = compile_table(smallest)
    own = Workspace()
    own.list_moves(table, 0x11, 0, plain.NO_LIMIT)
    code = int(own.codes[0])
    own.list_moves(table, 0x11, code, plain.NO_LIMIT)
    own.can_beat(table, 0x11, code, plain.NO_LIMIT)
    own.codes_of(table, 0x11)
    playout.play_out(table, own, games=1, seed=1)


def warm_wilds() -> None:
    """Compile the kernels of hands with wilds, or load them from numba's cache.

    A ruleset with wilds does so when it is first compiled. Cost: some 10 s, 0.1 s from the cache.
    """
    wild.address()
