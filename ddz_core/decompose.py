"""How many plays a hand needs at least, exactly, and every way to split it so.

Layer 3. :func:`turns` is exact: it searches, and says so if it could not finish. The fast number
that bots use (:mod:`ddz_core.kernels.turns`) is another thing, never smaller, and is not shown to
readers as the fewest plays.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import cards, patterns
from ddz_core.dealing import AnyRules, plain_rules
from ddz_core.display import Tabular
from ddz_core.errors import HandError
from ddz_core.kernels.table import table_of
from ddz_core.patterns.combination import Move, move_of
from ddz_core.patterns.reading import checked

if TYPE_CHECKING:
    from ddz_core.specs import Ruleset

LIMIT = 1000
"""Splits listed unless more are asked for."""
MOST_LISTED = 100_000
NODES = 4_000_000
"""Nodes of the search before it gives up: some seconds, far beyond a hand of one deck."""
_ROOM = 1 << 16
_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Splits(Tabular):
    """The fewest plays that a hand needs.

    Attributes:
        cards: the hand as text.
        turns: the fewest plays, each a legal lead of its own; 0 for no cards.
        splits: the ways to reach it, each a tuple of moves, low kinds first; every way once.
        cut: whether there are more ways than were listed.
    """

    cards: str
    turns: int
    splits: tuple[tuple[Move, ...], ...]
    cut: bool = False

    def __int__(self) -> int:
        """Return the number of plays."""
        return self.turns

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The splits as texts, kickers apart."""
        return tuple(tuple(move.notation for move in split) for split in self.splits)

    def __str__(self) -> str:
        lines = [f"{self.cards}: {self.turns}"]
        lines += [" · ".join(split) for split in self.texts]
        return "\n".join([*lines, "…"] if self.cut else lines)


def turns(hand: str | int, rules: AnyRules, *, limit: int = LIMIT) -> Splits:
    """Return the fewest plays that get rid of a hand, and every split that reaches it.

    A split is a set of moves; what may be led when is left out, only legality counts. Cards that
    can be read in several ways are listed once, in their unnamed reading.

    Args:
        hand: cards as text or packed.
        rules: the game.
        limit: most splits to list, from 0 to 100,000.

    Raises:
        NotationError, HandError: if the cards cannot be read or cannot exist in this game.
        HandError: if no set of legal plays uses up the hand (kinds switched off), if the search
            grows too large, or if ``limit`` is out of bounds.
    Cost: below a millisecond for 20 cards of one deck, once compiled; exact search with memory.

    >>> from ddz_core.rules import load_ruleset
    >>> turns("33445566789TJQ", load_ruleset("classic")).turns
    2
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit <= MOST_LISTED:
        raise HandError(
            f"limit: expected a number from 0 to {MOST_LISTED}, got {limit!r}",
            key="error.turns.limit",
            field="limit",
            expected=f"0–{MOST_LISTED}",
            got=limit,
        )
    ruleset = plain_rules(rules)
    search = search_of(ruleset)
    return search.splits(checked(search.table, hand), limit)


def fewest(hand: str | int, rules: AnyRules) -> int:
    """Return the fewest plays alone; arguments, errors and cost as :func:`turns`."""
    search = search_of(plain_rules(rules))
    return search.fewest(checked(search.table, hand))


class Search:
    """The exact search in one ruleset, with its memory; safe to share between threads."""

    def __init__(self, ruleset: Ruleset) -> None:
        from ddz_core.kernels import plain, splits, turns

        self.ruleset = ruleset
        self.table = table_of(ruleset)
        self._words = self.table.spending_all()
        self._kernels, self._turns = splits, turns
        self._plan = turns.plan_of(self.table)
        self._work = np.zeros(plain.SPACE, dtype=np.uint64)
        self._space = np.zeros(turns.SPACE, dtype=np.uint64)
        self._cache = np.zeros(2 << turns.CACHE_BITS, dtype=np.uint64)
        self._memory = np.zeros(2 << splits.MEMO_BITS, dtype=np.uint64)
        self._frames = np.zeros(2 * splits.FRAMES * splits.FRAME_WORDS, dtype=np.uint64)
        self._numbers = np.zeros(18, dtype=np.int64)
        self._moves = np.zeros(_ROOM, dtype=np.uint64)
        self._codes = np.zeros(_ROOM, dtype=np.uint32)
        self._known: dict[cards.Hand, int] = {}
        self._lock = threading.Lock()

    def fewest(self, hand: cards.Hand) -> int:
        """Return the fewest plays of a packed hand.

        Raises:
            HandError: as :func:`turns`.
        """
        with self._lock:
            return self._fewest(hand)

    def _fewest(self, hand: cards.Hand) -> int:
        known = self._known.get(hand)
        if known is not None:
            return known
        if hand == 0:
            return 0
        one = np.array([hand], dtype=np.uint64)
        found = np.zeros(1, dtype=np.int64)
        self._turns.turns_of_hands(self._plan, self._space, self._cache, one, False, found)
        self._numbers[16:18] = 0, NODES
        number = int(
            self._kernels.fewest(
                self._words,
                self._work,
                self._memory,
                self._frames,
                self._numbers,
                np.uint64(hand),
                min(int(found[0]), cards.size_of(hand)),
                self._moves,
                self._codes,
            )
        )
        if number < 0:
            raise _too_large(hand)
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[hand] = number
        return number

    def splits(self, hand: cards.Hand, limit: int) -> Splits:
        """Return the fewest plays of a packed hand and the splits; see :func:`turns`.

        Raises:
            HandError: as :func:`turns`.
        """
        text = cards.format_cards(hand)
        if hand == 0:
            return Splits(text, 0, ((),))
        with self._lock:
            number = self._fewest(hand)
            out = np.zeros(number * max(limit, 1), dtype=np.uint64)
            self._numbers[16:18] = 0, NODES
            ways = int(
                self._kernels.list_splits(
                    self._words,
                    self._work,
                    self._memory,
                    self._frames,
                    self._numbers,
                    np.uint64(hand),
                    number,
                    self._moves,
                    self._codes,
                    out,
                )
            )
        if ways < 0:
            raise _too_large(hand)
        if ways == 0:
            raise _unplayable(hand)
        listed = min(ways, limit)
        known: dict[int, Move] = {}
        found = []
        for way in out[: listed * number].reshape(listed, number).tolist():
            for part in way:
                if part not in known:
                    known[part] = move_of(patterns.readings(self.ruleset, part)[0])
            found.append(tuple(sorted((known[part] for part in way), key=_low_first)))
        found.sort(key=_strongest_first)
        return Splits(text, number, tuple(found), cut=ways > limit)


def _low_first(move: Move) -> tuple[bool, int, int]:
    """Sort the moves of a split: bombs last, low ones first, more cards first."""
    return move.is_bomb, cards.RANKS.find(move.top), -len(move.cards)


def _strongest_first(split: tuple[Move, ...]) -> tuple[int, int, list[str]]:
    """Sort splits: most bombs kept whole, then the lowest kickers."""
    bombs = sum(move.is_bomb for move in split)
    kickers = sum(cards.LANE[rank] for move in split for rank in move.kickers)
    return -bombs, kickers, [move.notation for move in split]


def _too_large(hand: cards.Hand) -> HandError:
    text = cards.format_cards(hand)
    return HandError(
        f"{text}: the splits of this hand are too many to search",
        key="error.turns.large",
        field="cards",
        expected=NODES,
        got=text,
    )


def _unplayable(hand: cards.Hand) -> HandError:
    text = cards.format_cards(hand)
    return HandError(
        f"{text} cannot be split into legal plays of this game",
        key="error.turns.none",
        field="cards",
        expected="",
        got=text,
    )


_searches: OrderedDict[str, Search] = OrderedDict()
_searches_lock = threading.Lock()
_MOST_SEARCHES = 4


def search_of(ruleset: Ruleset) -> Search:
    """Return the search of a ruleset, made with the first question; the last four are kept."""
    with _searches_lock:
        search = _searches.get(ruleset.hash)
        if search is None:
            search = _searches[ruleset.hash] = Search(ruleset)
            while len(_searches) > _MOST_SEARCHES:
                _searches.popitem(last=False)
        else:
            _searches.move_to_end(ruleset.hash)
        return search
