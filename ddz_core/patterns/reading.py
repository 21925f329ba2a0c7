"""Readings, comparison and lists of moves: the questions that are asked of cards.

Layer 1. Cards come as text, as a packed hand or as a combination; a set that the deck cannot give
is refused by name of the rank. The compiled kernels answer.
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from ddz_core import cards
from ddz_core.errors import DdzError, HandError, NotACombination
from ddz_core.kernels.table import Table, table_of
from ddz_core.patterns.combination import (
    Combination,
    Move,
    code_in,
    combination_of,
    height,
    move_from,
    move_of,
    table_behind,
)
from ddz_core.specs import Ruleset

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ddz_core.kernels.workspace import Workspace

__all__ = [
    "answer_reading",
    "beats",
    "can_beat",
    "count_moves",
    "find_reading",
    "move_of",
    "moves",
    "outranks",
    "readings",
    "unnamed",
]

NO_LIMIT = 63
"""No limit on bombs: above every ladder step."""
MOST_KNOWN = 1 << 13
"""How many moves of a ruleset are kept: the common ones, some 3 MB with all their texts."""
MOST_BOOKS = 32
"""For how many rulesets."""


@functools.cache
def _kernels() -> type[Workspace]:
    """Load numba and the kernels, once."""
    from ddz_core.kernels.workspace import Workspace

    return Workspace


def _own() -> Workspace:
    """Return this thread's workspace."""
    return _kernels().own()


class _Book(NamedTuple):
    """What questions about a ruleset need, found by the identity of the ruleset."""

    ruleset: Ruleset
    table: Table
    known: dict[cards.Hand, Move]
    """Moves by their cards, of cards that have one reading only."""
    spare: int
    """In each lane 7 less what the deck has: the sum with a hand reaches 8 where that is more."""


_EIGHTS = 0x8888888888888888

_books: dict[int, _Book] = {}


def _book(ruleset: Ruleset) -> _Book:
    """Return the book of a ruleset."""
    book = _books.get(id(ruleset))
    if book is not None and book.ruleset is ruleset:
        return book
    if len(_books) >= MOST_BOOKS:
        _books.clear()
    table = table_of(ruleset)
    spare = cards.from_counts(max(0, 7 - number) for number in cards.counts_of(table.deck))
    book = _books[id(ruleset)] = _Book(ruleset, table, {}, spare)
    return book


def _table(ruleset: Ruleset) -> Table:
    """Return the compiled ruleset."""
    return _book(ruleset).table


_UNIT = {rank: 1 << 4 * lane for rank, lane in cards.LANE.items()}


def packed(given: str | int | Combination) -> cards.Hand:
    """Return cards given as text, packed hand or combination as a packed hand.

    Raises:
        NotationError: if a text cannot be read.
        HandError: if a rank comes more often than two decks hold, or a number is no hand.
    """
    if isinstance(given, str):
        # texts of the core itself, the common case, need no reading of people's habits
        try:
            hand = sum(map(_UNIT.__getitem__, given))
        except KeyError:
            return cards.parse_cards(given)
        # sixteen of a rank would spill into the next lane, which shows in the number of cards
        return hand if cards.size_of(hand) == len(given) else cards.parse_cards(given)
    if isinstance(given, Combination):
        return given.hand
    hand = int(given)
    if not 0 <= hand < 1 << 64:
        raise HandError(
            f"cards: expected 64 bits, got {hand}",
            key="error.cards.packed",
            field="cards",
            expected="0 … 2⁶⁴ − 1",
            got=hand,
        )
    return hand


def checked(table: Table, given: str | int | Combination, field: str = "cards") -> cards.Hand:
    """Return cards as a packed hand, if the deck of the game can give them.

    Raises:
        NotationError: as :func:`packed`.
        HandError: if the game has fewer cards of some rank; it names the rank.
    """
    hand = packed(given)
    if cards.contains(table.deck, hand):
        return hand
    have, got = cards.counts_of(table.deck), cards.counts_of(hand)
    lane = next(lane for lane in range(cards.LANES) if got[lane] > have[lane])
    rank = next(rank for rank, number in cards.LANE.items() if number == lane)
    raise HandError(
        f"{field}: {got[lane]} cards of rank {rank}, but the deck has {have[lane]}",
        key="error.deal.surplus",
        field=field,
        expected=have[lane],
        got=got[lane],
        rank=rank,
    )


def _precedence(table: Table, code: int) -> tuple[bool, int, int, int, int]:
    """Return the sorting key of readings, the unnamed one highest."""
    form = table.form(code)
    main = form.cards if form.exact else form.size * form.length
    return code >> 26 > 0, main, height(form, code), code >> 8 & 15, -code


def _codes(table: Table, hand: cards.Hand) -> list[int]:
    """Return the codes of all readings, the unnamed reading first."""
    if hand == 0:
        return []
    codes = _own().codes_of(table, hand)
    if len(codes) > 1:
        codes.sort(key=lambda code: _precedence(table, code), reverse=True)
    return codes


def _none(hand: cards.Hand, field: str) -> NotACombination:
    """Return the error for cards without a reading."""
    text = cards.format_cards(hand)
    return NotACombination(
        f"{field}: {text or 'no cards'} forms no combination of this game",
        key="error.combination.none" if text else "error.combination.empty",
        field=field,
        expected="",
        got=text,
    )


def readings(ruleset: Ruleset, hand: str | int | Combination) -> list[Combination]:
    """Return every combination that exactly these cards form, the unnamed reading first.

    The unnamed reading is a bomb, else the one with most main cards, then the highest top. A set
    of more cards than the largest hand of the game has none, nor have no cards.

    Raises:
        NotationError: if the text cannot be read.
        HandError: if the deck has fewer cards of some rank.
    Cost: a few microseconds.
    """
    table = _table(ruleset)
    found = checked(table, hand)
    return [combination_of(table, found, code) for code in _codes(table, found)]


def unnamed(choices: Sequence[Combination]) -> Combination:
    """Return the reading taken when the player names none, of some readings of the same cards.

    Raises:
        NotACombination: if there are none.
    """
    if not choices:
        raise _none(0, "readings")

    def key(reading: Combination) -> tuple[bool, int, int, int]:
        table = table_behind(reading)
        if table is not None:
            return _precedence(table, reading.code)[:4]
        ranks = cards.RANKS
        return (
            reading.is_bomb,
            len(reading.main),
            ranks.find(reading.top),
            ranks.find(reading.second) if reading.second else 0,
        )

    return max(choices, key=key)


def outranks(reading: Combination, other: Combination) -> bool:
    """Tell whether one reading beats another; both of the same game."""
    table = table_behind(reading) or table_behind(other)
    if table is None:
        raise NotACombination(
            "two combinations without a ruleset cannot be compared",
            key="error.combination.ruleset",
            field="reading",
            expected="ruleset",
            got=repr(reading),
        )
    return _beats(code_in(table, reading), code_in(table, other))


def _beats(a: int, b: int) -> bool:
    """Compare two codes of one table."""
    return a > b and (a >> 26 > b >> 26 or a >> 16 == b >> 16)


def _code_to_beat(
    table: Table, beat: str | int | Combination | None, as_: Combination | None
) -> int:
    """Return the code of what lies on the table, 0 for nothing.

    Raises:
        NotACombination: if the cards have no reading, or not the one named.
    """
    if beat is None or beat == "":
        return 0
    if as_ is None and isinstance(beat, Move) and table_behind(beat) is table:
        return beat.code
    hand = checked(table, beat, "beat")
    codes = _codes(table, hand)
    if not codes:
        raise _none(hand, "beat")
    if as_ is None:
        return codes[0]
    code = code_in(table, as_)
    if code not in codes:
        raise NotACombination(
            f"{cards.format_cards(hand)} is no {as_.kind} of {as_.length} with top {as_.top}",
            key="error.combination.reading",
            field="as_",
            expected=", ".join(combination_of(table, hand, c).kind for c in codes),
            got=f"{as_.kind}:{as_.length}:{as_.top}",
        )
    return code


def beats(
    ruleset: Ruleset,
    a: str | int | Combination,
    b: str | int | Combination,
    *,
    as_: Combination | None = None,
) -> bool:
    """Tell whether any reading of ``a`` beats ``b``, read as ``as_`` or else as unnamed.

    Raises:
        NotationError: if a text cannot be read.
        HandError: if the deck has fewer cards of some rank.
        NotACombination: if either has no reading, or ``b`` not the one named.
    Cost: some ten microseconds.
    """
    table = _table(ruleset)
    hand = checked(table, a)
    codes = _codes(table, hand)
    if not codes:
        raise _none(hand, "cards")
    lies = _code_to_beat(table, b, as_)
    if not lies:
        raise _none(0, "beat")
    return any(_beats(code, lies) for code in codes)


def moves(
    ruleset: Ruleset,
    hand: str | int | Combination,
    beat: str | int | Combination | None = None,
    *,
    beat_as: Combination | None = None,
    spend: str = "minimal",
    highest_step: int = NO_LIMIT,
) -> list[Move]:
    """Return all leads of a hand, or its answers to ``beat``; a pass is not among them.

    Sorted by kind in the order of the ruleset's rows (bombs last), length, top, then kickers, low
    to high. Cards that can be read in several ways are listed once for each way. None has more
    cards than the largest hand of the game.

    Args:
        ruleset: the game.
        hand: any part of the deck.
        beat: what lies on the table; None for a lead.
        beat_as: how it is to be read, if not in its unnamed reading.
        spend: with ``minimal`` wilds stand only for cards that the hand lacks; ``all`` lists every
            legal way to spend them; without wilds in hand the same.
        highest_step: highest step of the bomb ladder that may be played, for seats under a limit.

    Raises:
        NotationError: if a text cannot be read.
        HandError: if the deck has fewer cards of some rank.
        NotACombination: if ``beat`` has no reading, or not the one named.
    Cost: some 20 µs for a full hand.
    """
    _, table, known, spare = _book(ruleset)
    if spend not in ("minimal", "all"):
        raise DdzError(
            f"spend: expected 'minimal' or 'all', got {spend!r}",
            key="error.option.choice",
            field="spend",
            expected="minimal, all",
            got=spend,
        )
    held = packed(hand)
    # counts up to seven cannot carry into the next lane; eights are looked at one by one
    if (held | held + spare) & _EIGHTS:
        held = checked(table, held)
    code = 0 if beat is None else _code_to_beat(table, beat, beat_as)
    own = _own()
    if held & table.wilds:
        every = spend == "all"
        found, codes = own.list_spending(table, held, code, highest_step, every)
        return [move_from(table, one, its) for one, its in zip(found, codes, strict=True)]
    number = own.list_marked(table, held, code, highest_step)
    if number >= 0 and table.sorted:
        found = own.cards[:number].tolist()
        kept = list(map(known.get, found))
        if all(kept):
            return cast("list[Move]", kept)
        return _completed(table, known, kept, found, own.codes)
    found, codes = own.list_sorted(table, held, code, highest_step)
    return [move_from(table, one, its) for one, its in zip(found, codes, strict=True)]


def _completed(
    table: Table,
    known: dict[cards.Hand, Move],
    kept: list[Move | None],
    found: list[int],
    codes: NDArray[np.uint32],
) -> list[Move]:
    """Make the moves that are not known yet, and keep them."""
    if len(known) >= MOST_KNOWN:
        known.clear()
    moves = []
    for place, move in enumerate(kept):
        if move is None:
            hand = found[place]
            move = known[hand] = move_from(table, hand, int(codes[place]))
        moves.append(move)
    return moves


def listed(
    ruleset: Ruleset, hand: cards.Hand, code: int, highest_step: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """Return packed cards and codes of all leads or answers as arrays, in no stated order."""
    own = _own()
    number = own.list_moves(_table(ruleset), hand, code, highest_step)
    return own.cards[:number].copy(), own.codes[:number].copy()


def table_reading(
    ruleset: Ruleset, beat: str | int | Combination | None, as_: Combination | None
) -> Combination | None:
    """Return what lies on the table as the reading in which it must be beaten.

    Raises:
        NotationError, HandError, NotACombination: as :func:`moves`.
    """
    table = _table(ruleset)
    code = _code_to_beat(table, beat, as_)
    if not code or beat is None:
        return None
    return combination_of(table, packed(beat), code)


def can_beat(
    ruleset: Ruleset,
    hand: str | int | Combination,
    beat: str | int | Combination,
    *,
    beat_as: Combination | None = None,
    highest_step: int = NO_LIMIT,
) -> bool:
    """Tell whether a hand has an answer to ``beat``, without listing any.

    Raises:
        NotationError, HandError, NotACombination: as :func:`moves`.
    """
    table = _table(ruleset)
    held = checked(table, hand)
    code = _code_to_beat(table, beat, beat_as)
    return _own().can_beat(table, held, code, highest_step)


def answer_reading(
    ruleset: Ruleset,
    hand: str | int | Combination,
    beat: str | int | Combination | None = None,
    *,
    beat_as: Combination | None = None,
) -> Combination | None:
    """Return the reading that cards take when played without a name, or None if there is none.

    As a lead that is the unnamed reading; as an answer the same choice among the readings that
    beat the table.

    Raises:
        NotationError, HandError: if the cards cannot be read or cannot exist.
        NotACombination: if ``beat`` has no reading.
    """
    table = _table(ruleset)
    found = checked(table, hand)
    lies = _code_to_beat(table, beat, beat_as)
    for code in _codes(table, found):
        if not lies or _beats(code, lies):
            return combination_of(table, found, code)
    return None


def find_reading(
    ruleset: Ruleset, hand: str | int | Combination, kind: str, length: int, top: str
) -> Move:
    """Return cards as the move that is named by kind, length and top.

    Raises:
        NotationError, HandError: if the cards cannot be read or cannot exist.
        NotACombination: if the cards have no reading, or not this one; it lists those they have.
    """
    choices = readings(ruleset, hand)
    if not choices:
        raise _none(packed(hand), "cards")
    for reading in choices:
        if (reading.kind, reading.length, reading.top) == (kind, length, top):
            return move_of(reading)
    names = ", ".join(f"{r.kind}:{r.length}:{r.top}" for r in choices)
    raise NotACombination(
        f"{choices[0].cards} is no {kind}:{length}:{top}; it is {names}",
        key="error.combination.reading",
        field="reading",
        expected=names,
        got=f"{kind}:{length}:{top}",
    )


def count_moves(
    ruleset: Ruleset,
    hand: str | int | Combination | None = None,
    *,
    by: Literal["cards", "kind"] = "cards",
) -> Counter[str]:
    """Count the distinct sets of cards that a pool can play.

    Args:
        ruleset: the game.
        hand: the pool; None for the whole deck.
        by: ``cards`` counts a set once, under ``cards``; ``kind`` counts it once in every kind
            that it belongs to, under the kind's id.

    Raises:
        NotationError, HandError: if the pool cannot be read or cannot exist.
    """
    table = _table(ruleset)
    pool = table.deck if hand is None else checked(table, hand)
    found, codes = _own().list_sorted(table, pool, 0, NO_LIMIT)
    if by == "cards":
        return Counter({"cards": len(set(found))})
    kinds = [form.kind if form else "" for form in table.forms]
    sets = {(kinds[code >> 16 & 0x3FF], one) for one, code in zip(found, codes, strict=True)}
    return Counter(kind for kind, _ in sets)
