"""How fast the rules engine is by itself: lists, answers, readings, random games."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ddz_core import cards, patterns, rulesets
from ddz_core.bench.row import BATCHES, Row, rate, seconds
from ddz_core.kernels import batch, playout
from ddz_core.kernels.table import Table, compile_table, table_of
from ddz_core.kernels.workspace import Workspace
from ddz_core.specs import Ruleset

SEED = 20_260_101
TWO_DECKS = (("classic-4p", 33, 1e6), ("emperor", 34, 0.7e6))
"""What is listed of the games with two decks: ruleset, cards in hand, lists a second at least."""

Hands = NDArray[np.uint64]


def dealt_hands(number: int, rng: np.random.Generator) -> Hands:
    """Return random hands of 17 and 20 cards of one deck in turn, each used once."""
    deck = np.repeat(np.arange(15), [4] * 13 + [1, 1])
    units = np.left_shift(np.uint64(1), (4 * deck).astype(np.uint64))
    found = np.empty(number, dtype=np.uint64)
    for i in range(0, number, 2):
        mixed = units[rng.permutation(54)]
        found[i] = mixed[:17].sum()
        if i + 1 < number:
            found[i + 1] = mixed[17:37].sum()
    return found


def hands_of(table: Table, size: int, number: int, rng: np.random.Generator) -> Hands:
    """Return random hands of ``size`` cards of a ruleset's deck."""
    lanes = np.repeat(np.arange(cards.LANES), cards.counts_of(table.deck))
    units = np.left_shift(np.uint64(1), (4 * lanes).astype(np.uint64))
    return np.array([rng.permutation(units)[:size].sum() for _ in range(number)], dtype=np.uint64)


def rows(work: float) -> Iterator[Row]:
    """Yield the figures of the engine, of the classic game and of hands of two decks."""
    rng = np.random.default_rng(SEED)
    ruleset = rulesets.load("classic")
    table, own = table_of(ruleset), Workspace()
    size = round(60_000 * work) // BATCHES
    hands = dealt_hands(size * BATCHES, rng)
    results = np.zeros(size, dtype=np.int64)
    parts = [hands[i * size : (i + 1) * size] for i in range(BATCHES)]
    yield from _lists(table, own, parts, results, rng)
    yield from _games(table, own, round(20_000 * work))
    texts = [cards.format_cards(int(hand)) for hand in hands[: round(3_000 * work)]]
    yield from _public(ruleset, texts)
    for ruleset_id, size, floor in TWO_DECKS:
        yield _two_decks(ruleset_id, size, floor, round(3_000 * work), rng)
    times = [seconds(partial(compile_table, ruleset)) for _ in range(20)]
    yield Row(
        what="ruleset to vector", unit="ms", ours=1e3 * statistics.median(times), n=20, floor=0
    )


def _lists(
    table: Table,
    own: Workspace,
    parts: list[Hands],
    results: NDArray[np.int64],
    rng: np.random.Generator,
) -> Iterator[Row]:
    """Measure lists of leads and answers, can-beat and readings."""
    words, space, out, codes = table.words, own.space, own.cards, own.codes
    batch.count_leads(words, space, parts[0][:2], out, codes, results)

    def each(kernel: Callable[..., object], *more: list[NDArray[np.uint32]]) -> float:
        works = []
        for place, part in enumerate(parts):
            given = [own_more[place] for own_more in more]
            works.append(
                (len(part), partial(kernel, words, space, part, *given, out, codes, results))
            )
        return rate(works)

    leads = each(batch.count_leads)
    mean = float(results.mean())
    number = sum(map(len, parts))
    yield Row(
        what=f"lead lists, 17 and 20 cards ({mean:.0f} plays each)",
        unit="lists/s",
        ours=leads,
        floor=1.5e6,
        n=number,
    )
    tables = [_random_codes(table, own, np.roll(part, 1), rng) for part in parts]
    singles = [1 << 16 | rng.integers(0, 13, len(p)).astype(np.uint32) << 12 for p in parts]
    for name, kernel, floor in (
        ("answers", batch.count_answers, 10e6),
        ("can beat", batch.count_beatable, 20e6),
    ):
        kernel(words, space, parts[0][:2], tables[0][:2], out, codes, results)
        for kind, lying in (("single cards", singles), ("random leads", tables)):
            yield Row(
                what=f"{name}, {kind} on the table",
                unit="hands/s",
                ours=each(kernel, [some.astype(np.uint32) for some in lying]),
                floor=floor,
                n=number,
            )
    plays = [_random_plays(table, own, part, rng) for part in parts]
    batch.count_readings(words, space, plays[0][:2], codes, results)
    yield Row(
        what="readings of legal plays",
        unit="sets/s",
        ours=rate(
            [
                (len(p), partial(batch.count_readings, words, space, p, codes, results))
                for p in plays
            ]
        ),
        n=number,
    )


def _two_decks(
    ruleset_id: str, size: int, floor: float, number: int, rng: np.random.Generator
) -> Row:
    """Measure lists of leads of a game with two decks."""
    table, own = table_of(rulesets.load(ruleset_id)), Workspace()
    parts = [hands_of(table, size, number, rng) for _ in range(BATCHES)]
    results = np.zeros(number, dtype=np.int64)
    room = (own.cards, own.codes, results)
    leads = rate(
        [(number, partial(batch.count_leads, table.words, own.space, p, *room)) for p in parts]
    )
    return Row(
        what=f"lead lists, {size} cards of {ruleset_id} ({results.mean():.0f} plays each)",
        unit="lists/s",
        ours=leads,
        floor=floor,
        n=number * BATCHES,
    )


def _random_codes(
    table: Table, own: Workspace, hands: Hands, rng: np.random.Generator
) -> NDArray[np.uint32]:
    """Return the code of a random lead of each hand."""
    found = np.empty(len(hands), dtype=np.uint32)
    chances = rng.random(len(hands))
    for i, hand in enumerate(hands.tolist()):
        number = own.list_moves(table, hand, 0, patterns.reading.NO_LIMIT)
        found[i] = own.codes[int(chances[i] * number)]
    return found


def _random_plays(table: Table, own: Workspace, hands: Hands, rng: np.random.Generator) -> Hands:
    """Return the cards of a random lead of each hand."""
    found = np.empty(len(hands), dtype=np.uint64)
    chances = rng.random(len(hands))
    for i, hand in enumerate(hands.tolist()):
        number = own.list_moves(table, hand, 0, patterns.reading.NO_LIMIT)
        found[i] = own.cards[int(chances[i] * number)]
    return found


def _games(table: Table, own: Workspace, games: int) -> Iterator[Row]:
    """Measure complete random games."""
    playout.play_out(table, own, games=1, seed=1)
    works = [
        (games // BATCHES, partial(playout.play_out, table, own, games // BATCHES, seed))
        for seed in range(BATCHES)
    ]
    yield Row(what="random games, dealing included", unit="games/s", ours=rate(works), n=games)


def _public(ruleset: Ruleset, texts: list[str]) -> Iterator[Row]:
    """Measure the public functions on texts, objects included."""
    patterns.moves(ruleset, texts[0])
    figures: dict[str, list[float]] = {"moves": [], "moves, all texts": [], "readings": []}
    for text in texts:
        start = time.perf_counter_ns()
        moves = patterns.moves(ruleset, text)
        middle = time.perf_counter_ns()
        for move in moves:
            str(move)
        end = time.perf_counter_ns()
        patterns.readings(ruleset, moves[-1].hand)
        figures["readings"].append(time.perf_counter_ns() - end)
        figures["moves"].append(middle - start)
        figures["moves, all texts"].append(end - start)
    for name, took in figures.items():
        yield Row(
            what=f"public {name}, one hand",
            unit="µs",
            ours=statistics.median(took) / 1e3,
            n=len(texts),
            note="at most 2,000 µs" if name == "moves, all texts" else "",
        )
