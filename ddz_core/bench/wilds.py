"""How fast hands with wild cards are listed, and the bots' games with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ddz_core import cards, rulesets
from ddz_core.bench.row import BATCHES, Row, rate
from ddz_core.kernels import batch
from ddz_core.kernels.table import Table, table_of
from ddz_core.kernels.workspace import Workspace

SEED = 20_260_101
HAND = 20
GAMES = (
    ("four wilds drawn", "rob-laizi", {"wilds.rank": "8"}, (0, 1, 2, 3, 4), 0.1e6),
    ("red sevens wild", "laizi", {"wilds.mode": "red7"}, (1, 2), 0.05e6),
    ("jokers wild", "laizi", {"wilds.mode": "jokers"}, (1, 2), 0.05e6),
)
"""What is dealt: name, ruleset, overrides, wilds in hand, and the floor of lead lists a second."""


def hands_with(
    table: Table, wilds: int, number: int, rng: np.random.Generator
) -> NDArray[np.uint64]:
    """Return random hands of ``HAND`` cards with so many wilds each."""
    counts = cards.counts_of(table.deck)
    lanes = np.repeat(np.arange(cards.LANES), counts)
    units = np.left_shift(np.uint64(1), (4 * lanes).astype(np.uint64))
    wild = np.array([bool(table.wilds >> 4 * int(lane) & 15) for lane in lanes])
    natural, all_wilds = units[~wild], units[wild]
    found = np.empty(number, dtype=np.uint64)
    for i in range(number):
        found[i] = rng.permutation(natural)[: HAND - wilds].sum()
        found[i] += rng.permutation(all_wilds)[:wilds].sum()
    return found


def rows(work: float) -> Iterator[Row]:
    """Yield lists, answers and beaten tables of hands with no to all wilds."""
    rng = np.random.default_rng(SEED)
    for name, ruleset_id, overrides, numbers, floor in GAMES:
        table, own = table_of(rulesets.load(ruleset_id, overrides)), Workspace(1 << 16)
        for wilds in numbers:
            yield from _of_hands(f"{name}, {wilds} in hand", table, own, wilds, work, rng, floor)


def _of_hands(
    name: str,
    table: Table,
    own: Workspace,
    wilds: int,
    work: float,
    rng: np.random.Generator,
    floor: float,
) -> Iterator[Row]:
    """Measure hands with so many wilds."""
    size = max(round(1_000 * work), 20)
    hands = [hands_with(table, wilds, size, rng) for _ in range(BATCHES)]
    results = np.zeros(size, dtype=np.int64)
    room = (own.cards, own.codes, results)
    batch.count_leads(table.words, own.space, hands[0][:2], *room)
    leads = rate(
        [(size, partial(batch.count_leads, table.words, own.space, h, *room)) for h in hands]
    )
    yield Row(
        what=f"lead lists, {name} ({results.mean():.0f} plays)",
        unit="lists/s",
        ours=leads,
        floor=floor,
        n=size * BATCHES,
    )
    lying = [_random_codes(table, own, np.roll(part, 1), rng) for part in hands]
    kernels: tuple[tuple[str, Callable[..., object]], ...] = (
        ("answers", batch.count_answers),
        ("can beat", batch.count_beatable),
    )
    for what, kernel in kernels:
        kernel(table.words, own.space, hands[0][:2], lying[0][:2], *room)
        found = rate(
            [
                (size, partial(kernel, table.words, own.space, h, codes, *room))
                for h, codes in zip(hands, lying, strict=True)
            ]
        )
        yield Row(what=f"{what}, {name}", unit="hands/s", ours=found, n=size * BATCHES)


def _random_codes(
    table: Table, own: Workspace, hands: NDArray[np.uint64], rng: np.random.Generator
) -> NDArray[np.uint32]:
    """Return the code of a random lead of each hand."""
    found = np.empty(len(hands), dtype=np.uint32)
    for i, hand in enumerate(hands.tolist()):
        number = own.list_moves(table, hand, 0, 63)
        found[i] = own.codes[int(rng.integers(number))]
    return found
