"""Slow, obvious rules of the games with two decks, written from the rules page alone.

Nothing of the package is imported here. In these games every group of equal cards in a combination
is of another rank, so the numbers of equal cards tell what a set is: ``readings`` counts and looks.
The plays of a hand are *built* instead, group after group (``leads``), so that the two can be held
against each other (``leads_by_subsets``) before the engine is held against them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

ORDER = "3456789TJQKA2XD"
NATURAL = "3456789TJQKA2"
CHAIN = "3456789TJQKA"
LOW = "A23456789TJQKA"
JOKERS = "XD"

Step = tuple[str, int]
"""A step of the bombs: kind and number of cards."""

EQUAL_BOMBS: tuple[Step, ...] = tuple(("bomb", size) for size in range(4, 9))
ROCKET: Step = ("rocket", 4)


@dataclass(frozen=True)
class Game:
    """What tells the games with two decks apart; the defaults are those of four seats."""

    hand: int = 25
    largest: int = 33
    chain: str = CHAIN
    straight: int = 5
    """Shortest straight; 0 where there is none."""
    pair_straight: int = 3
    plane: int = 2
    quads: bool = False
    """Whether four equal cards are ordinary, with all that is built on them."""
    joker_pairs: bool = True
    consecutive_kickers: bool = False
    """Whether the kickers of a plane follow one another, in which case jokers are none of them."""
    ladder: tuple[Step, ...] = (*EQUAL_BOMBS, ROCKET)


FOUR_SEATS = Game()
NO_STRAIGHTS = Game(straight=0)
ARENA = Game(chain=LOW, consecutive_kickers=True)
HIDDEN = Game(
    hand=21,
    largest=24,
    joker_pairs=False,
    ladder=(
        ("bomb", 4),
        ("joker_bomb", 2),
        ("bomb", 5),
        ("bomb", 6),
        ("joker_bomb", 3),
        ("bomb", 7),
        ("bomb", 8),
        ("joker_bomb", 4),
    ),
)
EMPEROR = Game(
    hand=34, largest=40, pair_straight=4, plane=3, quads=True, ladder=(*EQUAL_BOMBS[1:], ROCKET)
)


@dataclass(frozen=True, order=True)
class Reading:
    """One way to read a set of cards; ``second`` is the top of a spaceship's triples."""

    kind: str
    length: int
    top: str
    cards: str
    second: str = ""

    @property
    def name(self) -> tuple[str, int, str, str]:
        return self.kind, self.length, self.top, self.second


def text(cards: Counter[str]) -> str:
    """The card text of a multiset, low to high."""
    return "".join(rank * cards[rank] for rank in ORDER)


def deck() -> str:
    """All cards of two decks."""
    return "".join(rank * (2 if rank in JOKERS else 8) for rank in ORDER)


def tops(ranks: list[str] | str, chain: str, shortest: int) -> list[str]:
    """The tops that different ranks have as a run of a chain, if they are one."""
    number = len(ranks)
    return [
        chain[start + number - 1]
        for start in range(len(chain) - number + 1)
        if number >= shortest and set(chain[start : start + number]) == set(ranks)
    ]


# --- from cards to readings, by counting ---------------------------------------------------------


def read_jokers(cards: str, game: Game) -> Iterator[Reading]:
    """What jokers alone are."""
    if len(cards) == 1:
        yield Reading("single", 1, cards, cards)
    if game.joker_pairs and cards in ("XX", "DD"):
        yield Reading("pair", 1, cards[0], cards)
    if cards != "XD":
        for kind in ("joker_bomb", "rocket"):
            if (kind, len(cards)) in game.ladder:
                yield Reading(kind, 1, cards[-1], cards)


def read_equal(cards: str, game: Game) -> Iterator[Reading]:
    """What cards of one natural rank are."""
    ordinary = {1: "single", 2: "pair", 3: "triple"} | ({4: "quad"} if game.quads else {})
    if len(cards) in ordinary:
        yield Reading(ordinary[len(cards)], 1, cards[0], cards)
    if ("bomb", len(cards)) in game.ladder:
        yield Reading("bomb", 1, cards[0], cards)


def read_run(cards: str, size: int, ranks: list[str], game: Game) -> Iterator[Reading]:
    """What several ranks of equal number are."""
    kind, shortest = {
        1: ("straight", game.straight),
        2: ("pair_straight", game.pair_straight),
        3: ("plane", game.plane),
        4: ("quad_straight", 2 if game.quads else 0),
    }.get(size, ("", 0))
    if shortest:
        for top in tops(ranks, game.chain, shortest):
            yield Reading(kind, len(ranks), top, cards)


def read_triples_and_pairs(
    cards: str, triples: list[str], pairs: list[str], game: Game
) -> Iterator[Reading]:
    """What as many triples as pairs are."""
    if set(JOKERS) & set(triples):
        return
    if len(triples) == 1:
        yield Reading("triple_pair", 1, triples[0], cards)
    elif not game.consecutive_kickers or tops(pairs, game.chain, 2):
        for top in tops(triples, game.chain, game.plane):
            yield Reading("plane_pairs", len(triples), top, cards)


def read_quads(cards: str, groups: dict[int, list[str]], game: Game) -> Iterator[Reading]:
    """What as many quads as triples, and perhaps pairs, are."""
    quads, triples = groups[4], groups[3]
    number = len(quads)
    if number == 1:
        yield Reading("dress" if 2 in groups else "quad_triple", 1, quads[0], cards)
        return
    for top in tops(quads, game.chain, 2):
        if 2 not in groups:
            yield Reading("carrier", number, top, cards)
            continue
        for second in tops(triples, game.chain, 2):
            yield Reading("spaceship", number, top, cards, second)


@lru_cache(maxsize=400_000)
def readings(cards: str, game: Game) -> tuple[Reading, ...]:
    """Every reading of a set of cards (text low to high)."""
    if not 0 < len(cards) <= game.largest:
        return ()
    counts = Counter(cards)
    groups: dict[int, list[str]] = {}
    for rank, number in counts.items():
        groups.setdefault(number, []).append(rank)
    sizes = set(groups)
    if set(counts) <= set(JOKERS):
        return tuple(read_jokers(cards, game))
    if len(counts) == 1:
        return tuple(read_equal(cards, game))
    if len(sizes) == 1:
        ((size, ranks),) = groups.items()
        return tuple(read_run(cards, size, ranks, game))
    if len({len(ranks) for ranks in groups.values()}) > 1:
        return ()
    if not game.joker_pairs and set(JOKERS) & set(counts):
        return ()
    if sizes == {3, 2}:
        return tuple(read_triples_and_pairs(cards, groups[3], groups[2], game))
    if game.quads and sizes in ({4, 3}, {4, 3, 2}):
        return tuple(read_quads(cards, groups, game))
    return ()


# --- comparing -----------------------------------------------------------------------------------


def bomb_place(reading: Reading, game: Game) -> int:
    """Where a reading stands among the bombs, from 1; everything that is no bomb at 0."""
    step = (reading.kind, len(reading.cards))
    return 1 + game.ladder.index(step) if step in game.ladder else 0


def height(reading: Reading, game: Game) -> tuple[int, int]:
    """What compares within a kind: the main part, then the triples of a spaceship.

    In a run the ace is high, unless it could only be low; no run has its top at a low ace.
    """
    order = game.chain if reading.length > 1 else ORDER
    return order.rindex(reading.top), ORDER.find(reading.second)


def beats(one: Reading, other: Reading, game: Game) -> bool:
    """Whether the first reading beats the second."""
    places = bomb_place(one, game), bomb_place(other, game)
    if places[0] != places[1]:
        return places[0] > places[1]
    return (
        (one.kind, one.length) == (other.kind, other.length)
        and len(one.cards) == len(other.cards)
        and height(one, game) > height(other, game)
    )


def unnamed(choices: tuple[Reading, ...] | list[Reading], game: Game) -> Reading:
    """The reading taken when none is named; two of a set differ in their height alone."""
    return max(choices, key=lambda reading: (bomb_place(reading, game), height(reading, game)))


# --- from a hand to plays, by building -----------------------------------------------------------


def runs(chain: str, shortest: int) -> Iterator[str]:
    """Every run of a chain from a length on that holds each rank once."""
    if shortest:
        for length in range(shortest, len(chain) + 1):
            for start in range(len(chain) - length + 1):
                run = chain[start : start + length]
                if len(set(run)) == length:
                    yield run


def having(hand: Counter[str], size: int, ranks: str, without: str = "") -> str:
    """The ranks held so often that are not taken yet."""
    return "".join(rank for rank in ranks if hand[rank] >= size and rank not in without)


def build_one_rank(hand: Counter[str], game: Game) -> Iterator[Reading]:
    """Build what is of one rank, and triples, quads with what goes along."""
    paired = ORDER if game.joker_pairs else NATURAL
    for rank in having(hand, 1, ORDER):
        yield Reading("single", 1, rank, rank)
    for rank in having(hand, 2, paired):
        yield Reading("pair", 1, rank, 2 * rank)
    for rank in having(hand, 3, NATURAL):
        yield Reading("triple", 1, rank, 3 * rank)
        for pair in having(hand, 2, paired, rank):
            yield Reading("triple_pair", 1, rank, 3 * rank + 2 * pair)
    for kind, size in game.ladder:
        if kind == "bomb":
            for rank in having(hand, size, NATURAL):
                yield Reading("bomb", 1, rank, size * rank)
    for rank in having(hand, 4, NATURAL) if game.quads else "":
        yield Reading("quad", 1, rank, 4 * rank)
        for triple in having(hand, 3, NATURAL, rank):
            yield Reading("quad_triple", 1, rank, 4 * rank + 3 * triple)
            for pair in having(hand, 2, paired, rank + triple):
                yield Reading("dress", 1, rank, 4 * rank + 3 * triple + 2 * pair)


def build_jokers(hand: Counter[str], game: Game) -> Iterator[Reading]:
    """Build what is of jokers only, but for singles and pairs."""
    small, big = "X" * hand["X"], "D" * hand["D"]
    for cards in ("XX", "DD", "XXD", "XDD", "XXDD"):
        if cards.count("X") <= len(small) and cards.count("D") <= len(big):
            for kind in ("joker_bomb", "rocket"):
                if (kind, len(cards)) in game.ladder:
                    yield Reading(kind, 1, cards[-1], cards)


def each(ranks: str | tuple[str, ...], size: int) -> str:
    """So many cards of each rank."""
    return "".join(rank * size for rank in ranks)


def build_runs(hand: Counter[str], game: Game) -> Iterator[Reading]:
    """Build the runs and what goes along with them."""
    paired = ORDER if game.joker_pairs else NATURAL
    for run in runs(game.chain, game.straight):
        if all(hand[rank] >= 1 for rank in run):
            yield Reading("straight", len(run), run[-1], run)
    for run in runs(game.chain, game.pair_straight):
        if all(hand[rank] >= 2 for rank in run):
            yield Reading("pair_straight", len(run), run[-1], each(run, 2))
    for run in runs(game.chain, game.plane):
        if all(hand[rank] >= 3 for rank in run):
            yield Reading("plane", len(run), run[-1], each(run, 3))
            if game.consecutive_kickers:
                beside = [r for r in runs(game.chain, 2) if len(r) == len(run)]
                beside = [r for r in beside if set(r) <= set(having(hand, 2, NATURAL, run))]
            else:
                beside = list(combinations(having(hand, 2, paired, run), len(run)))
            for pairs in beside:
                cards = each(run, 3) + each(pairs, 2)
                yield Reading("plane_pairs", len(run), run[-1], cards)
    for run in runs(game.chain, 2) if game.quads else ():
        if all(hand[rank] >= 4 for rank in run):
            yield from build_on_quads(hand, run, game)


def build_on_quads(hand: Counter[str], run: str, game: Game) -> Iterator[Reading]:
    """Build a quad straight, and the carriers and spaceships on it."""
    paired = ORDER if game.joker_pairs else NATURAL
    quads, number, top = each(run, 4), len(run), run[-1]
    yield Reading("quad_straight", number, top, quads)
    if 7 * number > game.largest:
        return
    for triples in combinations(having(hand, 3, NATURAL, run), number):
        yield Reading("carrier", number, top, quads + each(triples, 3))
    for second in runs(game.chain, number):
        if len(second) == number and set(second) <= set(having(hand, 3, CHAIN, run)):
            for pairs in combinations(having(hand, 2, paired, run + second), number):
                cards = quads + each(second, 3) + each(pairs, 2)
                yield Reading("spaceship", number, top, cards, second[-1])


def leads(hand: str, game: Game) -> set[Reading]:
    """Every play of a hand with every reading, built shape by shape."""
    held = Counter(hand)
    found: set[Reading] = set()
    for build in (build_one_rank, build_jokers, build_runs):
        for made in build(held, game):
            if len(made.cards) <= game.largest:
                cards = text(Counter(made.cards))
                found.add(Reading(made.kind, made.length, made.top, cards, made.second))
    return found


def subsets(hand: str) -> Iterator[str]:
    """Every part of a hand that is not empty, as card text."""
    held = Counter(hand)
    ranks = [rank for rank in ORDER if held[rank]]
    for numbers in product(*(range(held[rank] + 1) for rank in ranks)):
        if any(numbers):
            yield "".join(rank * number for rank, number in zip(ranks, numbers, strict=True))


def leads_by_subsets(hand: str, game: Game) -> set[Reading]:
    """Every reading of every part of a hand; the cost is the number of its parts."""
    return {reading for part in subsets(hand) for reading in readings(part, game)}
