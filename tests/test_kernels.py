"""Laws of the compiled kernels, and the rows that the classic family does not use."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import numpy as np
import oracle
import pytest
import two_deck_games as games
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import FULL_DECK, any_hand, mixed_hands

from ddz_core import cards, kernels, patterns, rulesets
from ddz_core.errors import RulesetError
from ddz_core.kernels import plain, playout, readings, table
from ddz_core.kernels.workspace import Workspace

CLASSIC = rulesets.load("classic")
ROOT = Path(__file__).parent.parent


def beats(a: int, b: int) -> bool:
    """The comparison of two codes, as the layout states it."""
    return a > b and (a >> 26 > b >> 26 or a >> 16 == b >> 16)


def listed(
    hand: str, code: int = 0, limit: int = plain.NO_LIMIT, rules: rulesets.Ruleset = CLASSIC
) -> list[tuple[int, int]]:
    """Cards and codes that the kernels list."""
    own = Workspace.own()
    number = own.list_moves(table.table_of(rules), cards.parse_cards(hand), code, limit)
    return list(zip(own.cards[:number].tolist(), own.codes[:number].tolist(), strict=True))


# --- laws ----------------------------------------------------------------------------------------


@given(mixed_hands(1, 20), mixed_hands(1, 20), st.integers(0, 2**32 - 1))
@settings(max_examples=150, deadline=None)
def test_answers_are_the_leads_with_a_higher_code(hand: str, other: str, seed: int) -> None:
    """The answers to a code are the leads whose code beats it, and there are some if it can be."""
    code = random.Random(seed).choice(listed(other))[1]
    expected = [move for move in listed(hand) if beats(move[1], code)]
    assert sorted(expected) == sorted(listed(hand, code))
    own, compiled = Workspace.own(), table.table_of(CLASSIC)
    held = cards.parse_cards(hand)
    assert bool(expected) == own.can_beat(compiled, held, code, plain.NO_LIMIT)
    for limit in (0, 1):
        allowed = [move for move in expected if move[1] >> 26 <= limit]
        assert sorted(allowed) == sorted(listed(hand, code, limit))
        assert bool(allowed) == own.can_beat(compiled, held, code, limit)


@given(mixed_hands(1, 20))
@settings(max_examples=100, deadline=None)
def test_every_lead_is_read_with_its_code(hand: str) -> None:
    """A code listed for some cards is among their readings, and no move comes twice."""
    own, compiled = Workspace.own(), table.table_of(CLASSIC)
    moves = listed(hand)
    assert len(moves) == len(set(moves))
    for one, code in moves:
        assert code in own.codes_of(compiled, one)
        assert cards.contains(cards.parse_cards(hand), one)


@given(mixed_hands(1, 20), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_a_whole_hand_goes_out_if_it_reads_as_an_answer(hand: str, seed: int) -> None:
    """Going out over a code takes the lowest reading of the hand that beats it."""
    own, compiled = Workspace.own(), table.table_of(CLASSIC)
    held = cards.parse_cards(hand)
    code = random.Random(seed).choice(listed(hand))[1]
    for lies in (0, code):
        expected = [c for c in own.codes_of(compiled, held) if lies == 0 or beats(c, lies)]
        found = readings.finish_at(
            compiled.words, own.space, np.uint64(held), lies, plain.NO_LIMIT, own.codes, 0
        )
        assert min(expected, default=0) == found


def test_sizes_and_parts_of_packed_hands() -> None:
    """Counting and containing in packed hands agree with plain counting, eights included."""
    rng = np.random.default_rng(3)
    for _ in range(300):
        whole = rng.integers(0, 9, 16).tolist()
        part = rng.integers(0, 9, 16).tolist()
        hand, wanted = np.uint64(cards.from_counts(whole)), np.uint64(cards.from_counts(part))
        assert sum(whole) == plain.number_of(hand)
        inside = all(p <= w for p, w in zip(part, whole, strict=True))
        assert inside == plain.holds(hand, wanted)
        assert plain.holds(hand, hand)


def test_a_list_that_does_not_fit_says_so() -> None:
    """With too little room the result exceeds the room and nothing is written beyond it."""
    compiled = table.table_of(CLASSIC)
    own = Workspace()
    for room in (16, 17, 40, 300, 5000):
        found = np.full(room + 64, 7, dtype=np.uint64)
        codes = np.full(room + 64, 7, dtype=np.uint32)
        end = plain.list_moves(
            compiled.words, own.space, compiled.deck, 0, plain.NO_LIMIT, found[:room], codes[:room]
        )
        assert end > room
        assert (found[room:] == 7).all()
        assert (codes[room:] == 7).all()
    assert 28_894 == own.list_moves(compiled, compiled.deck, 0, plain.NO_LIMIT)


def test_threads_do_not_share_a_workspace() -> None:
    """Two threads that list at the same time both get the lists of one thread alone."""
    rng = random.Random(8)
    hands = [any_hand(rng, 20) for _ in range(300)]
    alone = [listed(hand) for hand in hands]
    results: dict[int, list[object]] = {}

    def run(name: int) -> None:
        results[name] = [listed(hand) for hand in hands]

    threads = [threading.Thread(target=run, args=(name,)) for name in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {0: alone, 1: alone}


def count_lines(hands: tuple[str, ...], seat: int, lies: object, passes: int, depth: int) -> int:
    """Number of lines of play of a depth (or to the end of the game), by the slow oracle."""
    if depth == 0:
        return 1
    held = hands[seat]
    plays = oracle.leads(held) if lies is None else oracle.answers(held, lies)
    following = (seat + 1) % len(hands)
    total = 0
    if lies is not None:
        over = passes + 2 == len(hands)
        total += count_lines(
            hands, following, None if over else lies, 0 if over else passes + 1, depth - 1
        )
    for play in plays:
        rest = oracle.text(Counter(held) - Counter(play.cards))
        left = (*hands[:seat], rest, *hands[seat + 1 :])
        total += 1 if not rest else count_lines(left, following, play, 0, depth - 1)
    return total


def count_lines_fast(hands: tuple[int, ...], seat: int, code: int, passes: int, depth: int) -> int:
    """The same by the kernels."""
    if depth == 0:
        return 1
    following = (seat + 1) % len(hands)
    total = 0
    if code:
        over = passes + 2 == len(hands)
        total += count_lines_fast(
            hands, following, 0 if over else code, 0 if over else passes + 1, depth - 1
        )
    own = Workspace.own()
    number = own.list_moves(table.table_of(CLASSIC), hands[seat], code, plain.NO_LIMIT)
    moves = zip(own.cards[:number].tolist(), own.codes[:number].tolist(), strict=True)
    for one, its in list(moves):
        rest = hands[seat] - one
        left = (*hands[:seat], rest, *hands[seat + 1 :])
        total += count_lines_fast(left, following, its, 0, depth - 1) if rest else 1
    return total


@pytest.mark.parametrize("seed", range(4))
def test_number_of_lines_of_play(seed: int) -> None:
    """From dealt hands there are as many lines of four actions as the oracle counts."""
    rng = random.Random(seed)
    dealt = rng.sample(FULL_DECK, 24) if seed % 2 else list(any_hand(rng, 18) + "456789")
    hands = tuple(oracle.text(Counter(dealt[seat::3])) for seat in range(3))
    fast = count_lines_fast(tuple(map(cards.parse_cards, hands)), 0, 0, 0, 4)
    assert count_lines(hands, 0, None, 0, 4) == fast


# --- random games --------------------------------------------------------------------------------


def test_random_games_end_and_repeat() -> None:
    """A seed gives the same games, each won by a seat after at least as many actions as seats."""
    own, compiled = Workspace(), table.table_of(CLASSIC)
    winners, actions = playout.play_out(compiled, own, games=500, seed=11)
    again = playout.play_out(compiled, own, games=500, seed=11)
    assert (winners == again[0]).all()
    assert (actions == again[1]).all()
    assert {0, 1, 2} == set(winners.tolist())
    assert 3 < actions.min() <= actions.max() < 400
    assert (playout.play_out(compiled, own, games=500, seed=12)[1] != actions).any()


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_games_for_every_number_of_seats(seats: int) -> None:
    """With one card each the first seat wins at once; with unbeatable cards nobody else does."""
    own, compiled = Workspace(), table.table_of(CLASSIC)
    hands = np.array([[1 << 4 * seat for seat in range(seats)]] * 20, dtype=np.uint64)
    results = np.zeros(20, dtype=np.int64)
    playout.playouts_from(
        compiled.words, own.space, hands, np.uint64(5), own.cards, own.codes, results
    )
    assert {0} == set((results & 7).tolist())
    assert {1} == set((results >> 3).tolist())
    hands[:, 0] += np.uint64(cards.parse_cards("XD"))
    hands[:, 1:] += np.uint64(cards.parse_cards("6"))
    playout.playouts_from(
        compiled.words, own.space, hands, np.uint64(5), own.cards, own.codes, results
    )
    assert set((results & 7).tolist()) <= set(range(seats))


# --- rows that the classic family does not use ---------------------------------------------------


SPECIAL = {
    "four-seats": ["333344445555XXDD", "33334444XXDD22", "333444555667788XX", "AAA222KKKQQ"],
    "low-runs": [
        "A23456789TJQKA",
        "AAA222333QQKK44",
        "AA22334455",
        "666777JJQQKK",
        "666777888AA22KK",
        "KKKAAAQQ22",
        "22334455AAKK",
    ],
    "quads": [
        "333344445556667788",
        "33334444777888XXDD",
        "44445555666777999JJ22",
        "AAAAKKKKQQQJJJ5566",
        "2222333AAXXDD",
        "33334444555566677788",
        "88889999TTTJJJ3355XX",
    ],
}


def lumpy(rng: random.Random, size: int) -> str:
    """A hand of two decks in lumps of up to eight equal cards, neighbours preferred."""
    counts: Counter[str] = Counter()
    rank = rng.randrange(13)
    while counts.total() < size and len(counts) < 7:
        letter = games.ORDER[rank]
        most = min(2 if letter in "XD" else 8, size - counts.total())
        counts[letter] = max(counts[letter], min(rng.choice((1, 2, 2, 3, 3, 4, 4, 5, 8)), most))
        rank = (rank + rng.choice((1, 1, 1, 1, 2, 3))) % 15
    return "".join(rank * counts[rank] for rank in games.ORDER)


@pytest.mark.parametrize("game", games.GAMES)
def test_two_deck_rows_against_plain_counting(game: str) -> None:
    """Leads, answers and readings of three games with other rows are those of plain counting."""
    rules = rulesets.parse(games.GAMES[game])
    rng = random.Random(5)
    hands = SPECIAL[game] + [lumpy(rng, rng.randint(6, 18)) for _ in range(25)]
    seen: set[str] = set()
    for hand in hands:
        if len(games.parts(hand)) > 6000:
            continue
        leads = games.leads(game, hand)
        moves = patterns.moves(rules, hand)
        assert leads == {(str(m), (m.kind, m.length, m.top, m.second)) for m in moves}, hand
        assert len(leads) == len(moves)
        assert [m.code for m in moves] == sorted(m.code for m in moves)
        seen |= {name[0] for _, name in leads}
        for lies, name in rng.sample(sorted(leads), min(10, len(leads))):
            (shown,) = [
                r
                for r in patterns.readings(rules, lies)
                if (r.kind, r.length, r.top, r.second) == name
            ]
            expected = {one for one in leads if games.beats(game, one, (lies, name))}
            answers = patterns.moves(rules, hand, beat=lies, beat_as=shown)
            found = {(str(m), (m.kind, m.length, m.top, m.second)) for m in answers}
            assert expected == found, (hand, lies, name)
            assert bool(expected) == patterns.can_beat(rules, hand, lies, beat_as=shown)
    assert {row.id for row in rules.play.kind} | {row.id for row in rules.play.ladder} == seen


def test_worked_low_runs() -> None:
    """Runs may begin at a low ace or 2, compare by their top and never pass the high ace."""
    rules = rulesets.parse(games.LOW_RUNS)

    def tops(text: str) -> list[str]:
        return [r.top for r in patterns.readings(rules, text)]

    assert ["5"] == tops("A2345")
    assert ["6"] == tops("23456")
    assert [] == tops("QKA23")
    assert ["A", "K"] == tops("A23456789TJQK")
    assert patterns.beats(rules, "222333", "AAA222")
    assert patterns.beats(rules, "TJQKA", "A2345")
    assert not patterns.beats(rules, "A2345", "34567")
    assert tops("666777JJQQ")
    assert not tops("666777JJKK")
    assert tops("666777AA22")
    assert not tops("666777888AA22KK")
    assert "why.run_over_end" == patterns.explain(rules, "QKA23").reasons[0].key
    assert "why.kickers_not_run" == patterns.explain(rules, "666777JJKK").reasons[0].key


def test_worked_spaceships() -> None:
    """A spaceship compares by its quads, then by its triples."""
    rules = rulesets.parse(games.QUADS)
    low, high = "33334444555666" + "7788", "33334444666777" + "5588"
    (shown,) = patterns.readings(rules, low)
    assert ("spaceship", 2, "4", "6") == (shown.kind, shown.length, shown.top, shown.second)
    assert patterns.beats(rules, high, low)
    assert not patterns.beats(rules, low, high)
    assert patterns.beats(rules, "44445555666777" + "3388", high)
    assert ("33334444", "5556667788") == (shown.main, shown.kickers)


def test_equal_exact_sets() -> None:
    """Sets joined by an equals sign stand in one place and do not beat each other."""
    text = games.FOUR_SEATS + '[[play.ladder]]\nid = "three"\ncards = ["XXD=XDD"]\n'
    rules = rulesets.parse(text)
    assert not patterns.beats(rules, "XXD", "XDD")
    assert not patterns.beats(rules, "XDD", "XXD")
    assert patterns.beats(rules, "XDD", "XXDD")


OWN_OPTIONS = """
id = "own"
extends = "classic"
[name]
en = "own"
[[play.kind]]
id = "plane_singles"
with = [{ size = 1, max_equal = 1, both_jokers = true, main_rank = true, next_triple = false }]
"""


def test_a_row_may_state_its_own_options() -> None:
    """What a row states of its kickers holds for it alone, whatever the ruleset says."""
    rules = rulesets.parse(OWN_OPTIONS)

    def kinds(text: str) -> list[str]:
        return [r.kind for r in patterns.readings(rules, text)]

    assert ["plane_singles"] == kinds("333444XD")
    assert [] == kinds("4444XD")
    assert [] == kinds("33344455")
    assert ["four_two_singles"] == kinds("444455")
    assert ["plane_singles"] == kinds("33334445")
    for hand in ("33334444XD556", "34445555XD"):
        found = {str(m) for m in patterns.moves(rules, hand)}
        assert all(kinds(part) for part in found)
        assert {p for p in games.parts(hand) if kinds(p)} == found


def test_rows_beyond_the_vector_are_refused() -> None:
    """An order in three pieces, and two attachments of one size, are refused by name."""
    pieces = games.FOUR_SEATS.replace('chain = "3456789TJQKA"', 'chain = "3457896TJQKA"')
    with pytest.raises(RulesetError) as refused:
        table.table_of(rulesets.parse(pieces))
    assert "play.orders.chain" == refused.value.field
    twice = games.FOUR_SEATS + games.kind("odd", "size = 4", "size = 2", "size = 2, per = 2")
    rows = twice.replace(games.bomb(4), "")
    with pytest.raises(RulesetError) as refused:
        table.table_of(rulesets.parse(rows))
    assert "play.kind.odd.with" == refused.value.field


# --- where and how it runs -----------------------------------------------------------------------

CHECKED = """
import random, sys
sys.path.insert(0, "tests")
import two_deck_games as games
from strategies import any_hand
from ddz_core import patterns, rulesets
from ddz_core.kernels import bits
assert bits.ON_ARRAYS
rng = random.Random(4)
total = 0
sets = [rulesets.load("classic"),
        rulesets.load("classic", {"kickers.main_rank": True, "kickers.next_triple": False}),
        *map(rulesets.parse, games.GAMES.values())]
for i in range(300):
    rules = sets[i % len(sets)]
    hand = any_hand(rng, rng.randint(1, 20))
    moves = patterns.moves(rules, hand)
    total += len(moves)
    for move in rng.sample(moves, min(8, len(moves))):
        assert patterns.can_beat(rules, hand, move) == bool(patterns.moves(rules, hand, beat=move))
        assert patterns.readings(rules, move)
for text in ["33334444555666777788", "88889999TTTJJJ3355XX", "33334444555566667788"]:
    total += len(patterns.moves(sets[-1], text))
total += len(patterns.moves(sets[0], sets[0].deck_cards))
print(total)
"""


@pytest.mark.slow
def test_no_kernel_reads_beyond_its_arrays(tmp_path: Path) -> None:
    """On arrays with every access checked the kernels raise nothing and list the same."""
    environment = {**os.environ, "DDZ_KERNELS": "arrays", "NUMBA_BOUNDSCHECK": "1"}
    script = tmp_path / "checked.py"
    script.write_text(CHECKED, encoding="utf-8")
    environment["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(
        [sys.executable, str(script)], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 28_894


def test_the_kernels_run_without_a_writable_folder(tmp_path: Path) -> None:
    """Where numba finds no folder for its cache, kernels are compiled anew and work."""
    script = (
        "import numba.core.caching as c\n"
        "c.CacheImpl._locator_classes = []\n"
        "from ddz_core.kernels import bits\n"
        "import numpy as np\n"
        "f = bits.jit(lambda mask: bits.ctpop(mask))\n"
        "print(f(np.uint64(7)))\n"
    )
    path = tmp_path / "no_cache.py"
    path.write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert "3" == done.stdout.strip(), done.stderr[-2000:]


def test_warming_compiles_what_a_game_calls() -> None:
    """After warming no question compiles anything more."""
    kernels.warm()
    entries = (plain.list_moves, plain.can_beat, readings.readings_of)
    before = [len(kernel.signatures) for kernel in entries]
    assert min(before) >= 1
    patterns.moves(CLASSIC, "33344456")
    patterns.moves(CLASSIC, "33344456", beat="3")
    patterns.beats(CLASSIC, "4", "3")
    patterns.can_beat(CLASSIC, "4", "3")
    assert before == [len(kernel.signatures) for kernel in entries]
