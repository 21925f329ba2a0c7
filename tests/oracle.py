"""Slow, obvious rules of the card combinations, written from the rules page alone.

Nothing of the package is imported here and nothing is clever: a set of cards is a ``Counter`` of
rank letters, and each kind of combination has one function that says how the cards can be read as
that kind.  Two ways to list the plays of a hand live side by side, by trying every sub-multiset
(``leads_by_subsets``, small hands) and by building every shape (``leads``), so that the oracle can
be held against itself before the engine is held against the oracle.

Ranks are letters, low to high ``3456789TJQKA2XD``.  Another family of games is another ``Options``
and, where it has kinds of its own, more functions in ``READERS`` and ``BUILDERS``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

ORDER = "3456789TJQKA2XD"
CHAIN = "3456789TJQKA"
JOKERS = "XD"
KINDS = (
    "single",
    "pair",
    "triple",
    "triple_single",
    "triple_pair",
    "straight",
    "pair_straight",
    "plane",
    "plane_singles",
    "plane_pairs",
    "four_two_singles",
    "four_two_pairs",
    "bomb",
    "rocket",
)


@dataclass(frozen=True)
class Options:
    """The open points of the rules page; the defaults are those of the plain game."""

    max_equal: int = 4
    both_jokers: bool = False
    main_rank: bool = False
    bomb_as_pairs: bool = False
    next_triple: bool = True
    off: frozenset[str] = frozenset()
    decks: int = 1
    largest: int = 20
    bomb_sizes: tuple[int, ...] = (4,)
    shortest: dict[str, int] = field(
        default_factory=lambda: {"straight": 5, "pair_straight": 3, "plane": 2}, hash=False
    )


@dataclass(frozen=True, order=True)
class Reading:
    """One way to read a set of cards; ``main`` and ``kickers`` are card texts, low to high."""

    kind: str
    length: int
    top: str
    main: str
    kickers: str

    @property
    def cards(self) -> str:
        return text(Counter(self.main + self.kickers))

    @property
    def name(self) -> tuple[str, int, str]:
        return self.kind, self.length, self.top


def text(cards: Counter[str]) -> str:
    """The card text of a multiset, low to high."""
    return "".join(rank * cards[rank] for rank in ORDER)


def deck(options: Options) -> Counter[str]:
    """All cards of the game."""
    return Counter({rank: (1 if rank in JOKERS else 4) * options.decks for rank in ORDER})


def runs(size: int, length: int) -> Iterator[Counter[str]]:
    """Every run of ``length`` neighbouring ranks 3…A, ``size`` cards of each."""
    for start in range(len(CHAIN) - length + 1):
        yield Counter(dict.fromkeys(CHAIN[start : start + length], size))


def holds(cards: Counter[str], part: Counter[str]) -> bool:
    """Whether every card of ``part`` is there."""
    return all(cards[rank] >= number for rank, number in part.items())


def top_of(cards: Counter[str]) -> str:
    """The highest rank of a multiset."""
    return text(cards)[-1]


# --- kickers -------------------------------------------------------------------------------------


def single_kickers_allowed(main: Counter[str], kickers: Counter[str], options: Options) -> bool:
    """Whether these single cards may be kickers beside this main part."""
    is_plane = len(main) > 1
    if any(kickers[rank] for rank in main) and not (is_plane and options.main_rank):
        return False
    if any(number > options.max_equal for number in kickers.values()):
        return False
    if kickers["X"] and kickers["D"] and not options.both_jokers:
        return False
    if is_plane and not options.next_triple:
        places = sorted(CHAIN.index(rank) for rank in main)
        neighbours = {places[0] - 1, places[-1] + 1}
        if any(
            number >= 3 and rank in CHAIN and CHAIN.index(rank) in neighbours
            for rank, number in kickers.items()
        ):
            return False
    return True


def pair_kickers_allowed(main: Counter[str], kickers: Counter[str], options: Options) -> bool:
    """Whether these cards are pairs that may be kickers beside this main part."""
    sizes = (2, 4) if options.bomb_as_pairs and options.decks == 1 else (2,)
    return all(
        number in sizes and rank not in JOKERS and rank not in main
        for rank, number in kickers.items()
        if number
    )


# --- from cards to readings ----------------------------------------------------------------------


def read_equal(kind: str, size: int) -> Callable[[Counter[str], Options], Iterator[Reading]]:
    """Reader of ``size`` equal cards; two or more jokers are never equal here."""

    def read(cards: Counter[str], options: Options) -> Iterator[Reading]:
        if cards.total() == size and len(cards) == 1:
            rank = top_of(cards)
            if size == 1 or rank not in JOKERS:
                yield Reading(kind, 1, rank, text(cards), "")

    return read


def read_run(kind: str, size: int) -> Callable[[Counter[str], Options], Iterator[Reading]]:
    """Reader of neighbouring ranks, each exactly ``size`` times."""

    def read(cards: Counter[str], options: Options) -> Iterator[Reading]:
        length, rest = divmod(cards.total(), size)
        if rest == 0 and length >= options.shortest[kind]:
            for run in runs(size, length):
                if run == cards:
                    yield Reading(kind, length, top_of(run), text(run), "")

    return read


def read_with_kickers(
    kind: str, size: int, run: bool, groups: int, kicker: int
) -> Callable[[Counter[str], Options], Iterator[Reading]]:
    """Reader of a main part of ``size`` equal cards (or a run of them) and its kickers.

    ``groups`` kickers of ``kicker`` cards stand beside every group of the main part.
    """

    def read(cards: Counter[str], options: Options) -> Iterator[Reading]:
        length, rest = divmod(cards.total(), size + groups * kicker)
        if rest or (length < options.shortest["plane"] if run else length != 1):
            return
        mains = runs(size, length) if run else (Counter({rank: size}) for rank in ORDER)
        allowed = single_kickers_allowed if kicker == 1 else pair_kickers_allowed
        for main in mains:
            if holds(cards, main):
                kickers = cards - main
                if allowed(main, kickers, options):
                    yield Reading(kind, length, top_of(main), text(main), text(kickers))

    return read


def read_bomb(cards: Counter[str], options: Options) -> Iterator[Reading]:
    """Reader of equal cards, as many as a bomb may have."""
    if len(cards) == 1 and cards.total() in options.bomb_sizes:
        yield Reading("bomb", 1, top_of(cards), text(cards), "")


def read_rocket(cards: Counter[str], options: Options) -> Iterator[Reading]:
    """Reader of all jokers of the game."""
    if cards == Counter({"X": options.decks, "D": options.decks}):
        yield Reading("rocket", 1, "D", text(cards), "")


READERS: dict[str, Callable[[Counter[str], Options], Iterator[Reading]]] = {
    "single": read_equal("single", 1),
    "pair": read_equal("pair", 2),
    "triple": read_equal("triple", 3),
    "triple_single": read_with_kickers("triple_single", 3, run=False, groups=1, kicker=1),
    "triple_pair": read_with_kickers("triple_pair", 3, run=False, groups=1, kicker=2),
    "straight": read_run("straight", 1),
    "pair_straight": read_run("pair_straight", 2),
    "plane": read_run("plane", 3),
    "plane_singles": read_with_kickers("plane_singles", 3, run=True, groups=1, kicker=1),
    "plane_pairs": read_with_kickers("plane_pairs", 3, run=True, groups=1, kicker=2),
    "four_two_singles": read_with_kickers("four_two_singles", 4, run=False, groups=2, kicker=1),
    "four_two_pairs": read_with_kickers("four_two_pairs", 4, run=False, groups=2, kicker=2),
    "bomb": read_bomb,
    "rocket": read_rocket,
}


@lru_cache(maxsize=400_000)
def readings(cards: str, options: Options = Options()) -> tuple[Reading, ...]:
    """Every reading of a set of cards, in no order that means anything."""
    counted = Counter(cards)
    if not 0 < counted.total() <= options.largest:
        return ()
    return tuple(
        reading
        for kind, read in READERS.items()
        if kind not in options.off
        for reading in read(counted, options)
    )


# --- comparing -----------------------------------------------------------------------------------


def bomb_place(reading: Reading) -> tuple[int, int, int]:
    """Where a reading stands among the bombs; everything that is no bomb stands at zero."""
    if reading.kind == "rocket":
        return 2, 0, 0
    if reading.kind == "bomb":
        return 1, len(reading.main), ORDER.index(reading.top)
    return 0, 0, 0


def beats(one: Reading, other: Reading) -> bool:
    """Whether the first reading beats the second."""
    if bomb_place(one) != bomb_place(other):
        return bomb_place(one) > bomb_place(other)
    return (
        one.kind == other.kind
        and len(one.cards) == len(other.cards)
        and one.length == other.length
        and ORDER.index(one.top) > ORDER.index(other.top)
    )


def unnamed(choices: tuple[Reading, ...] | list[Reading]) -> Reading:
    """The reading taken when the player names none: bomb, most main cards, highest top."""
    return max(
        choices,
        key=lambda reading: (bomb_place(reading), len(reading.main), ORDER.index(reading.top)),
    )


# --- from a hand to plays ------------------------------------------------------------------------


def subsets(hand: Counter[str]) -> Iterator[str]:
    """Every part of a hand that is not empty, as card text."""
    ranks = [rank for rank in ORDER if hand[rank]]
    for numbers in product(*(range(hand[rank] + 1) for rank in ranks)):
        if any(numbers):
            yield "".join(rank * number for rank, number in zip(ranks, numbers, strict=True))


def leads_by_subsets(hand: str, options: Options = Options()) -> set[Reading]:
    """Every reading of every part of a hand; the cost is the number of its parts."""
    found: set[Reading] = set()
    for part in subsets(Counter(hand)):
        found.update(readings(part, options))
    return found


def choose(cards: Counter[str], number: int, unit: int, ranks: str = ORDER) -> Iterator[str]:
    """Every way to take ``number`` groups of ``unit`` equal cards, ranks may repeat, as text."""
    if number == 0:
        yield ""
    elif sum(cards[rank] // unit for rank in ranks) >= number:
        rank, higher = ranks[0], ranks[1:]
        for take in range(min(number, cards[rank] // unit) + 1):
            for rest in choose(cards, number - take, unit, higher):
                yield rank * take * unit + rest


def mains(hand: Counter[str], size: int, shortest: int | None) -> Iterator[Counter[str]]:
    """Every main part of ``size`` equal cards, or run of them from ``shortest`` on, in a hand."""
    if shortest is None:
        parts = (Counter({rank: size}) for rank in ORDER if size == 1 or rank not in JOKERS)
    else:
        parts = (run for length in range(shortest, len(CHAIN) + 1) for run in runs(size, length))
    return (part for part in parts if holds(hand, part))


def build_shapes(hand: Counter[str], options: Options) -> Iterator[Reading]:
    """Build every play of a hand kind by kind, with all its kickers."""
    short = options.shortest
    # kind, cards of a group, shortest run, kickers beside a group, cards of a kicker
    shapes: list[tuple[str, int, int | None, int, int]] = [
        ("single", 1, None, 0, 0),
        ("pair", 2, None, 0, 0),
        ("triple", 3, None, 0, 0),
        ("triple_single", 3, None, 1, 1),
        ("triple_pair", 3, None, 1, 2),
        ("straight", 1, short["straight"], 0, 0),
        ("pair_straight", 2, short["pair_straight"], 0, 0),
        ("plane", 3, short["plane"], 0, 0),
        ("plane_singles", 3, short["plane"], 1, 1),
        ("plane_pairs", 3, short["plane"], 1, 2),
        ("four_two_singles", 4, None, 2, 1),
        ("four_two_pairs", 4, None, 2, 2),
    ]
    shapes += [("bomb", size, None, 0, 0) for size in options.bomb_sizes]
    for kind, size, shortest, groups, unit in shapes:
        for main in mains(hand, size, shortest):
            length = len(main)
            if length * (size + groups * unit) > options.largest:
                continue
            rest = hand - main
            shown, top = text(main), top_of(main)
            for kickers in choose(rest, groups * length, unit) if groups else [""]:
                if unit == 1 and not single_kickers_allowed(main, Counter(kickers), options):
                    continue
                if unit == 2 and not pair_kickers_allowed(main, Counter(kickers), options):
                    continue
                yield Reading(kind, length, top, shown, kickers)
    if hand["X"] == hand["D"] == options.decks:
        yield Reading("rocket", 1, "D", "X" * options.decks + "D" * options.decks, "")


def leads(hand: str, options: Options = Options()) -> set[Reading]:
    """Every play of a hand with every reading, built shape by shape."""
    return {
        reading
        for reading in build_shapes(Counter(hand), options)
        if reading.kind not in options.off
    }


def answers(hand: str, table: Reading, options: Options = Options()) -> set[Reading]:
    """Every play of a hand, with the readings that beat what lies on the table."""
    return {reading for reading in leads(hand, options) if beats(reading, table)}


def can_beat(cards: str, table: str, options: Options = Options()) -> bool:
    """Whether a set of cards has a reading that beats another set in its unnamed reading."""
    return any(
        beats(reading, unnamed(readings(table, options))) for reading in readings(cards, options)
    )


# --- getting rid of a hand -----------------------------------------------------------------------


@lru_cache(maxsize=200_000)
def splits(hand: str, options: Options = Options()) -> frozenset[tuple[str, ...]]:
    """Every way to part a hand into as few plays as can be; each is a sorted tuple of card texts.

    One play holds the lowest card; every play that does is tried, and the rest is parted again.
    """
    if not hand:
        return frozenset({()})
    fewest = len(hand) + 1
    found: set[tuple[str, ...]] = set()
    for play in {reading.cards for reading in leads(hand, options) if hand[0] in reading.cards}:
        rest = text(Counter(hand) - Counter(play))
        for split in splits(rest, options):
            if len(split) + 1 < fewest:
                fewest, found = len(split) + 1, set()
            if len(split) + 1 == fewest:
                found.add(tuple(sorted((play, *split))))
    return frozenset(found)
