"""A ruleset's rows of kinds, compiled to one flat vector that every kernel reads.

Layer 0; numpy only, numba is not loaded by it. No kernel is compiled for a ruleset: a house rule is
another vector ``T``. All masks live in *nibble space*: one bit a lane, at the lane's lowest bit.

Layout of ``T`` (``uint64`` words; counts are read through a cast to ``int64``)::

    0       number of rows                      4     most equal cards (4 or 8)
    1       number of exact sets                5     lane of the wild rank (no wilds: 15)
    2       number of the first ladder row      6     cards of the largest hand
    3       size of the smallest bomb (0: none) 7     number of forms
    8       all bits of the lanes that are wild 9     address of the kernels for hands with wilds
    10      lane of a wild that is itself       11    how wilds count (bits: 1 alone any rank,
    12      lanes that a wild may show                2 kickers any rank, 4 in two lanes)
    13      bit n: n wilds and nothing else are only what the ladder says
    14      1: lists hold every way to spend wilds
    16..    ORDERS: 4 orders of 8 words: mask, shift left, shift right; the same again for a second
            stretch (mask 0: none). Moves lanes to positions of the order; order 0 is ``rank``
    64..    UNITS[order][run][start]: 1 in each lane of that run, 4 x 16 x 16 words
    1088..  FORMS[form]: offset of its row << 8 | run; 0 for exact sets
    1344..  EXACT: pairs of words, cards and code
    1408..  BY_CARDS[number of cards]: first << 16 | number, into
    1472..  LISTED: forms by their number of cards
    1728..  SHARED[form >> 6]: bit form & 63 tells that its cards may have other readings
    1732..  ROWS: 32 words a row, ordinary rows first, ladder rows by step after them

A row: 0 size, 1 shortest run, 2 longest run, 3 order, 4 code of the shortest run with empty keys,
5 step, 6 number of attachments, 7 lanes that may serve, 8.. first and 16.. second attachment,
24 wild mode (0 any, 1 none, 2 mixed, 3 pure). An attachment: 0 size, 1 groups a body group,
2 lanes, 3 order of its run + 1 (0: no run), 4 ranked, 5 most groups of one rank, 6 limits (bits:
1 not both jokers, 2 no group that lengthens the run, 4 ranks of the main part allowed).

The code of a move (``uint32``)::

    bits 31..26  step   0 ordinary, else place in the ladder
    bits 25..16  form   (kind, run length), from 1; the code 0 is an empty table
    bits 15..12  key 1  top of the main run, as position in its order (lane where there is no run)
    bits 11..8   key 2  top of a ranked attachment
    bits 7..0    0

``a`` beats ``b``: ``a > b and (a >> 26 > b >> 26 or a >> 16 == b >> 16)``. Form numbers belong to
one compiled ruleset and are never written to a record, link or file.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ddz_core import cards as card_texts
from ddz_core.errors import RulesetError
from ddz_core.specs import Attachment, Kind, Ruleset, Step

ORDERS, UNITS, FORMS, EXACT = 16, 64, 1088, 1344
BY_CARDS, LISTED, SHARED, ROWS = 1408, 1472, 1728, 1732
ROW_WORDS, ORDER_WORDS = 32, 8
ATTACH = 8
"""Offset of the first attachment in a row, and words of one attachment."""
MOST_ORDERS, MOST_FORMS, MOST_EXACT, MOST_STEPS, MOST_CARDS = 4, 256, 32, 63, 63
MOST_GROUPS = 31
"""Most kicker groups of one combination: the depth of the odometer's stack."""
SCRATCH = 4096
"""Most choices of a first attachment beside a second."""
NOT_BOTH_JOKERS, NO_NEXT, MAIN_RANK = 1, 2, 4
WILD_MODES = {"any": 0, "none": 1, "mixed": 2, "pure": 3}
ALONE_ANY, KICKERS_ANY, TWO_LANES = 1, 2, 4
MOST_WILDS = 4


@dataclass(frozen=True, slots=True)
class Form:
    """What a form number stands for.

    Attributes:
        kind: id of its row.
        length: groups in the main run.
        size: equal cards of a group of the body, 0 for an exact set.
        order: ranks by position, as key 1 counts them.
        second_order: ranks by position, as key 2 counts them; empty where nothing is ranked.
        step: place in the ladder, 0 for an ordinary kind.
        cards: number of cards.
        exact: the sets of an exact step, by key 1; several in one place are equal.
        wild: how many of its cards are wilds: ``any`` number, ``none``, ``mixed`` or ``pure``.
    """

    kind: str
    length: int
    size: int
    order: str
    second_order: str
    step: int
    cards: int
    exact: tuple[tuple[card_texts.Hand, ...], ...] = ()
    wild: str = "any"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A compiled ruleset.

    Attributes:
        ruleset: what it was compiled from.
        words: the vector ``T`` of this module's description.
        forms: by number; number 0 is nothing.
        sorted: whether the kernels already list moves by code.
        deck: all cards of the game.
        wilds: all bits of the lanes that are wild; 0 without, or while the rank is not drawn.
    """

    ruleset: Ruleset
    words: NDArray[np.uint64]
    forms: tuple[Form | None, ...]
    sorted: bool
    deck: card_texts.Hand
    wilds: card_texts.Hand = 0

    def form(self, code: int) -> Form:
        """Return what the form of a code stands for."""
        form = self.forms[code >> 16 & 0x3FF]
        if form is None:
            raise LookupError(f"code {code} has no form")
        return form

    def spending_all(self) -> NDArray[np.uint64]:
        """Return the vector with which lists hold every way to spend wilds."""
        words = self.words.copy()
        words[14] = 1
        return words

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the ruleset: words of one process may hold addresses."""
        return compile_table, (self.ruleset,)


_tables: dict[int, Table] = {}


def table_of(ruleset: Ruleset) -> Table:
    """Return the compiled table of a ruleset, compiled once (about a millisecond)."""
    known = _tables.get(id(ruleset))
    if known is not None and known.ruleset is ruleset:
        return known
    table = compile_table(ruleset)
    if len(_tables) >= 128:
        _tables.clear()
    _tables[id(ruleset)] = table
    return table


def compile_table(ruleset: Ruleset) -> Table:
    """Compile a ruleset.

    Raises:
        RulesetError: if a row asks for what the vector cannot say; it names the row.
    """
    return _Compiler(ruleset).table()


def _refuse(field: str, sentence: str, got: object) -> RulesetError:
    return RulesetError(
        f"{field}: {sentence}, got {got}",
        key="error.ruleset.row",
        field=field,
        expected=sentence,
        got=got,
    )


def wild_cards(ruleset: Ruleset) -> card_texts.Hand:
    """Return the wild cards of a game; none while their rank is not drawn."""
    counts = card_texts.counts_of(ruleset.deck_cards)
    mode, rank = ruleset.wilds.mode, ruleset.wilds.rank
    lanes = {
        "red7": (card_texts.MARKED,),
        "jokers": (card_texts.SMALL_JOKER, card_texts.BIG_JOKER),
        "rank": (card_texts.LANE[rank],) if rank else (),
    }.get(mode, ())
    return sum(counts[lane] << 4 * lane for lane in lanes)


def lanes_of(ranks: str) -> int:
    """Return the mask with one bit in the lane of each rank."""
    mask = 0
    for rank in ranks:
        mask |= 1 << 4 * card_texts.LANE[rank]
    return mask


Shape: TypeAlias = tuple[tuple[int, ...], bool]
"""How many cards are equal, by rank, low to high; and whether only one body fits into it."""


def _shapes_of(size: int, run: int, order: str, attachments: list[list[int]]) -> set[Shape]:
    """Return the shapes that the cards of a form can have.

    Where kickers may repeat ranks of the body, or where there are two attachments, nothing is
    worked out: the empty shape that is returned says that there may be other readings.
    """
    if not attachments:
        # a run of thirteen may be read from either end of an order that names a rank twice
        return {((size,) * run, run < 13 or order == "rank")}
    if len(attachments) > 1 or attachments[0][6] & MAIN_RANK:
        return {((), False)}
    kicker, per, _, _, _, most, _, _ = attachments[0]
    found: set[Shape] = set()
    for groups in _partitions(run * per, most):
        counts = tuple(sorted([size] * run + [kicker * number for number in groups]))
        found.add((counts, sum(count >= size for count in counts) == run))
    return found


def _partitions(number: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a sum of parts up to ``most``, high to low."""
    if number == 0:
        yield ()
    for part in range(min(number, most), 0, -1):
        for rest in _partitions(number - part, part):
            yield (part, *rest)


class _Compiler:
    """Builds the vector of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.words = [0] * ROWS
        self.forms: list[Form | None] = [None]
        self.orders = {"rank": 0}
        self.most = 4 * ruleset.deck.decks
        self.exact = 0
        self.ranked = False
        self.shapes: list[set[Shape]] = [set()]

    def table(self) -> Table:
        ruleset, words = self.ruleset, self.words
        self._order(0, card_texts.RANKS, "rank")
        for row in ruleset.kinds_in_force():
            for shortest, longest, order in self._stretches(row):
                self._kind(row, shortest, longest, order)
        words[2] = self._rows()
        sizes = []
        steps = ruleset.ladder_in_force()
        if len(steps) > MOST_STEPS:
            raise _refuse("play.ladder", f"at most {MOST_STEPS} steps", len(steps))
        for place, step in enumerate(steps, 1):
            if step.size:
                self._bomb(step, place)
                sizes.append(step.size)
            else:
                self._sets(step, place)
        self._index_by_cards()
        self._mark_shared()
        words[0] = self._rows()
        words[1] = self.exact
        words[3] = min(sizes, default=0)
        words[4] = self.most
        words[5] = card_texts.LANE.get(ruleset.wilds.rank, card_texts.MARKED)
        words[6] = ruleset.largest_hand
        words[7] = len(self.forms) - 1
        wilds = self._wilds(steps)
        last_bomb = max((p for p, s in enumerate(steps, 1) if s.size), default=0)
        first_set = min((p for p, s in enumerate(steps, 1) if s.cards), default=MOST_STEPS)
        return Table(
            ruleset,
            np.array(words, dtype=np.uint64),
            tuple(self.forms),
            last_bomb < first_set and not self.ranked,
            ruleset.deck_cards,
            wilds,
        )

    def _wilds(self, steps: tuple[Step, ...]) -> card_texts.Hand:
        """Write what the kernels for hands with wilds read; return the bits of the wild lanes."""
        ruleset, words = self.ruleset, self.words
        wilds = wild_cards(ruleset)
        if not wilds:
            return 0
        mask = sum(15 << 4 * lane for lane, n in enumerate(card_texts.counts_of(wilds)) if n)
        own = {"red7": "7", "jokers": "X"}.get(ruleset.wilds.mode, ruleset.wilds.rank)
        words[8], words[10] = mask, card_texts.LANE[own]
        words[11] = (
            ALONE_ANY * (ruleset.wilds.alone == "any")
            + KICKERS_ANY * (ruleset.wilds.kickers == "any")
            + TWO_LANES * (ruleset.wilds.mode == "jokers")
        )
        words[12] = self._deck_lanes("".join(r for r in card_texts.RANKS if r not in "XD"))
        for step in steps:
            if step.wild == "pure":
                words[13] |= 1 << step.size
        for place in range(self.exact):
            one = words[EXACT + 2 * place]
            if card_texts.contains(wilds, one):
                words[13] |= 1 << card_texts.size_of(one)
        for row in ruleset.kinds_in_force():
            if len(row.attach) > 1 or any(a.run or a.ranked for a in row.attach):
                raise _refuse(
                    f"play.kind.{row.id}.with",
                    "one attachment that is no run, beside wilds.mode",
                    ruleset.wilds.mode,
                )
        most = card_texts.size_of(wilds)
        if max(most, self.most) > MOST_WILDS:
            raise _refuse("wilds.mode", f"at most {MOST_WILDS} wilds (deck.decks)", most)
        words[9] = importlib.import_module("ddz_core.kernels.wild").address()
        return mask

    def _rows(self) -> int:
        return (len(self.words) - ROWS) // ROW_WORDS

    def _deck_lanes(self, ranks: str) -> int:
        return lanes_of(
            "".join(r for r in ranks or card_texts.RANKS if r in self.ruleset.deck.ranks)
        )

    def _stretches(self, row: Kind) -> Iterator[tuple[int, int, str]]:
        """Split a row's run lengths: a run of one counts by rank, whatever the order."""
        low, high = row.body.run
        if low == 1:
            yield 1, 1, "rank"
            low = 2
        if low <= high:
            yield low, high, row.body.order

    def _order(self, number: int, ranks: str, name: str) -> None:
        """Write how the lanes of an order move to its positions, and all its runs."""
        stretches: list[tuple[int, int, int]] = []
        for position, rank in enumerate(ranks):
            lane = card_texts.LANE[rank]
            if position and lane == card_texts.LANE[ranks[position - 1]] + 1:
                mask, first_lane, first_position = stretches[-1]
                stretches[-1] = (mask | 1 << 4 * lane, first_lane, first_position)
            else:
                stretches.append((1 << 4 * lane, lane, position))
        field = f"play.orders.{name}"
        if len(stretches) > 2:
            raise _refuse(field, "at most two stretches of neighbouring ranks", ranks)
        if len(ranks) > 15:
            raise _refuse(field, "at most 15 places", ranks)
        at = ORDERS + number * ORDER_WORDS
        for mask, lane, position in stretches:
            up = 4 * (position - lane)
            self.words[at : at + 3] = [mask, max(up, 0), max(-up, 0)]
            at += 3
        for run in range(1, len(ranks) + 1):
            for start in range(len(ranks) - run + 1):
                inside = ranks[start : start + run]
                if len(set(inside)) == run:
                    self.words[UNITS + number * 256 + run * 16 + start] = lanes_of(inside)

    def _order_number(self, name: str, field: str) -> int:
        if name not in self.orders:
            number = len(self.orders)
            if number == MOST_ORDERS:
                raise _refuse(field, f"at most {MOST_ORDERS - 1} orders besides rank", name)
            self.orders[name] = number
            self._order(number, self.ruleset.order(name), name)
        return self.orders[name]

    def _kind(self, row: Kind, shortest: int, longest: int, order: str) -> None:
        """Write a row of kinds and number its forms."""
        field = f"play.kind.{row.id}"
        body = row.body
        group = body.size + sum(a.size * a.per for a in row.attach)
        longest = min(longest, MOST_CARDS // group, self.ruleset.largest_hand // group)
        if body.size > self.most or longest < shortest:
            return
        lanes = self._deck_lanes(body.ranks)
        if order != body.order:
            lanes &= lanes_of(self.ruleset.order(body.order))
        number = self._order_number(order, field)
        attachments = [self._attachment(row, a, longest, field) for a in row.attach]
        ranked = [a for a in row.attach if a.ranked]
        if len(ranked) > 1:
            raise _refuse(f"{field}.with", "at most one ranked attachment", len(ranked))
        self.ranked |= bool(ranked)
        second = self.ruleset.order(ranked[0].run or "rank") if ranked else ""
        if len(row.attach) == 2:
            self._check_two(row, longest, field)
        first = len(self.forms)
        offset = len(self.words)
        for run in range(shortest, longest + 1):
            self.shapes.append(_shapes_of(body.size, run, order, attachments))
            self._form(
                Form(
                    kind=row.id,
                    length=run,
                    size=body.size,
                    order=self.ruleset.order(order),
                    second_order=second,
                    step=0,
                    cards=run * group,
                ),
                offset << 8 | run,
                field,
            )
        words = [body.size, shortest, longest, number, first << 16, 0, len(row.attach), lanes]
        for words_of_one in attachments:
            words += words_of_one
        words += [0] * (24 - len(words)) + [WILD_MODES["any"]]
        self.words += words + [0] * (ROW_WORDS - len(words))

    def _attachment(self, row: Kind, a: Attachment, longest: int, field: str) -> list[int]:
        """Return the eight words of an attachment, the ruleset's options filled in.

        The options speak of single kickers; groups of several cards are of different ranks
        unless ``bomb_as_pairs`` or the row says otherwise.
        """
        options = self.ruleset.kickers
        single = a.size == 1
        if a.max_equal is not None:
            most = a.max_equal
        elif len(row.attach) == 2 or a.run:
            most = 1
        elif single:
            most = options.max_equal
        else:
            most = 2 if a.size == 2 and options.bomb_as_pairs else 1
        both = a.both_jokers if a.both_jokers is not None else options.both_jokers or not single
        near = a.next_triple if a.next_triple is not None else options.next_triple or not single
        main = a.main_rank if a.main_rank is not None else options.main_rank and single
        if longest * a.per > MOST_GROUPS:
            raise _refuse(f"{field}.with", f"at most {MOST_GROUPS} groups", longest * a.per)
        run = self._order_number(a.run, field) + 1 if a.run else 0
        limits = NOT_BOTH_JOKERS * (not both) + NO_NEXT * (not near) + MAIN_RANK * main
        lanes = self._deck_lanes(a.ranks)
        most = max(1, min(most, self.most // a.size))
        return [a.size, a.per, lanes, run, int(a.ranked), most, limits, 0]

    def _check_two(self, row: Kind, longest: int, field: str) -> None:
        """Refuse two attachments that could be confused, or whose first has too many choices."""
        first, second = row.attach
        if first.size == second.size:
            raise _refuse(f"{field}.with", "two attachments of different sizes", first.size)
        if any((a.max_equal or 1) > 1 or a.main_rank for a in row.attach):
            raise _refuse(
                f"{field}.with", "two attachments of different ranks (max_equal 1)", row.id
            )
        ranks = self._deck_lanes(first.ranks).bit_count()
        choices = 1
        for taken in range(longest * first.per if not first.run else 0):
            choices = choices * max(ranks - taken, 0) // (taken + 1)
            if choices > SCRATCH:
                raise _refuse(f"{field}.with", f"at most {SCRATCH} choices of the first", choices)

    def _form(self, form: Form, where: int, field: str) -> int:
        """Number a form; return the number."""
        number = len(self.forms)
        if number == MOST_FORMS:
            raise _refuse(field, f"at most {MOST_FORMS - 1} forms in a ruleset", number)
        self.words[FORMS + number] = where
        self.forms.append(form)
        return number

    def _bomb(self, step: Step, place: int) -> None:
        """Write a ladder row of equal cards."""
        field = f"play.ladder.{step.id}"
        self.shapes.append({((step.size,), True)})
        number = self._form(
            Form(
                kind=step.id,
                length=1,
                size=step.size,
                order=card_texts.RANKS,
                second_order="",
                step=place,
                cards=step.size,
                wild=step.wild,
            ),
            len(self.words) << 8 | 1,
            field,
        )
        natural = step.wild in ("any", "none")
        lanes = self._deck_lanes("") if natural else 0
        words = [step.size, 1, 1, 0, place << 26 | number << 16, place, 0, lanes]
        words += [0] * 16 + [WILD_MODES[step.wild]]
        self.words += words + [0] * (ROW_WORDS - len(words))

    def _sets(self, step: Step, place: int) -> None:
        """Write the exact sets of a step; sets joined by ``=`` are equal."""
        field = f"play.ladder.{step.id}"
        sets = tuple(tuple(card_texts.parse_cards(t) for t in s.split("=")) for s in step.cards)
        sizes = {card_texts.size_of(one) for equal in sets for one in equal}
        if len(sizes) > 1 or 0 in sizes or len(sets) > 16:
            raise _refuse(field, "up to sixteen sets of equal numbers of cards", step.cards)
        found = {
            tuple(sorted(Counter(card_texts.format_cards(s)).values())) for e in sets for s in e
        }
        self.shapes.append({(shape, True) for shape in found})
        number = self._form(
            Form(step.id, 1, 0, "", "", place, sizes.pop(), sets),
            0,
            field,
        )
        for key, equal in enumerate(sets):
            for one in equal:
                if self.exact == MOST_EXACT:
                    raise _refuse(field, f"at most {MOST_EXACT} exact sets", step.cards)
                at = EXACT + 2 * self.exact
                self.words[at : at + 2] = [one, place << 26 | number << 16 | key << 12]
                self.exact += 1

    def _mark_shared(self) -> None:
        """Mark the forms whose cards may have a second reading, by how many are equal."""
        holders = Counter(shape for shapes in self.shapes for shape, _ in shapes)
        for number, shapes in enumerate(self.shapes):
            if not all(single and holders[shape] == 1 for shape, single in shapes):
                self.words[SHARED + (number >> 6)] |= 1 << (number & 63)

    def _index_by_cards(self) -> None:
        """Index the forms that are rows by their number of cards."""
        at = 0
        for number in range(MOST_CARDS + 1):
            found = [
                form
                for form, what in enumerate(self.forms)
                if what is not None and what.size and what.cards == number
            ]
            self.words[BY_CARDS + number] = at << 16 | len(found)
            self.words[LISTED + at : LISTED + at + len(found)] = found
            at += len(found)
