"""Hypothesis generators shared by the tests: hands, options, dealt cards, random games."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import strategies as st
from oracle import JOKERS, KINDS, ORDER, Options, text

FULL_DECK = "".join(rank * (1 if rank in JOKERS else 4) for rank in ORDER)


def packet_deck(rng: random.Random, cuts: int) -> str:
    """A sorted deck cut a few times and put together again, as after play without shuffling."""
    places = sorted(rng.sample(range(1, len(FULL_DECK)), cuts))
    packets = [
        FULL_DECK[start:stop]
        for start, stop in zip([0, *places], [*places, len(FULL_DECK)], strict=True)
    ]
    rng.shuffle(packets)
    return "".join(packets)


def packet_hand(rng: random.Random, size: int) -> str:
    """The next ``size`` cards of a hardly shuffled deck: triples and fours are frequent."""
    cards = packet_deck(rng, rng.randint(2, 12))
    start = rng.randint(0, len(cards) - size)
    return text(Counter(cards[start : start + size]))


def plain_hand(rng: random.Random, size: int) -> str:
    """``size`` cards of a well shuffled deck."""
    return text(Counter(rng.sample(FULL_DECK, size)))


def lumpy_hand(rng: random.Random, size: int) -> str:
    """``size`` cards taken rank by rank in lumps of one to four, neighbours preferred."""
    counts: Counter[str] = Counter()
    rank = rng.randrange(13)
    while counts.total() < size:
        letter = ORDER[rank]
        most = 1 if letter in JOKERS else 4
        take = min(rng.choice((1, 2, 3, 3, 4, 4)), most, size - counts.total())
        counts[letter] = max(counts[letter], take)
        rank = (rank + rng.choice((1, 1, 1, 1, 2, 3))) % 15
    return text(counts)


def any_hand(rng: random.Random, size: int) -> str:
    """A hand of one of the three sorts."""
    return rng.choice((plain_hand, packet_hand, lumpy_hand))(rng, size)


def counted_hands(smallest: int = 1, largest: int = 20) -> st.SearchStrategy[str]:
    """Hands drawn rank by rank, so that a failing one shrinks to few cards of low ranks."""
    return (
        st.tuples(*(st.integers(0, 1 if rank in JOKERS else 4) for rank in ORDER))
        .map(lambda numbers: "".join(r * n for r, n in zip(ORDER, numbers, strict=True)))
        .map(lambda cards: cards[:largest])
        .filter(lambda cards: len(cards) >= smallest)
    )


def mixed_hands(smallest: int = 1, largest: int = 20) -> st.SearchStrategy[str]:
    """Plain, hardly shuffled and lumpy hands, and hands drawn rank by rank."""
    made = st.builds(
        lambda seed, size, make: make(random.Random(seed), size),
        st.integers(0, 2**32 - 1),
        st.integers(smallest, largest),
        st.sampled_from((plain_hand, packet_hand, lumpy_hand)),
    )
    return st.one_of(made, counted_hands(smallest, largest))


def subset(cards: str, rng: random.Random) -> str:
    """A random part of some cards, at least one of them."""
    return text(Counter(rng.sample(cards, rng.randint(1, len(cards)))))


KICKER_OPTIONS = st.fixed_dictionaries(
    {
        "max_equal": st.integers(1, 4),
        "both_jokers": st.booleans(),
        "main_rank": st.booleans(),
        "bomb_as_pairs": st.booleans(),
        "next_triple": st.booleans(),
    }
)

OFF_SETS = st.one_of(
    st.just(frozenset()),
    st.just(frozenset({"four_two_singles", "four_two_pairs"})),
    st.frozensets(st.sampled_from([kind for kind in KINDS if kind != "single"]), max_size=4),
)

OPTIONS = st.builds(lambda kickers, off: Options(off=off, **kickers), KICKER_OPTIONS, OFF_SETS)

ALL_KICKER_OPTIONS = tuple(
    Options(
        max_equal=max_equal,
        both_jokers=bool(bits & 1),
        main_rank=bool(bits & 2),
        bomb_as_pairs=bool(bits & 4),
        next_triple=bool(bits & 8),
    )
    for max_equal in (1, 2, 3, 4)
    for bits in range(16)
)

#: What each engine of the conformance files plays, in the fields of a ruleset.
ENGINES = {
    "ours": {},
    "douzero": {"kickers.both_jokers": True},
    "rlcard": {"kickers.max_equal": 3, "kickers.next_triple": False},
    "openspiel": {
        "kickers.max_equal": 3,
        "kinds.off": ["four_two_singles", "four_two_pairs"],
    },
    "onestraw": {"kickers.both_jokers": True, "kickers.bomb_as_pairs": True},
}


def overrides_of(options: Options) -> dict[str, object]:
    """The overrides of the plain game that say what ``options`` say."""
    return {
        "kickers.max_equal": options.max_equal,
        "kickers.both_jokers": options.both_jokers,
        "kickers.main_rank": options.main_rank,
        "kickers.bomb_as_pairs": options.bomb_as_pairs,
        "kickers.next_triple": options.next_triple,
        "kinds.off": sorted(options.off),
    }


def options_of(overrides: dict[str, object]) -> Options:
    """The oracle's options for overrides of kicker fields and switched-off kinds."""
    fields = {key.removeprefix("kickers."): value for key, value in overrides.items()}
    off = fields.pop("kinds.off", [])
    return Options(off=frozenset(off), **fields)
