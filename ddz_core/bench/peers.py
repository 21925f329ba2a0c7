"""Ours beside other engines, on the same positions; each engine only where it is installed."""

from __future__ import annotations

import importlib
import importlib.metadata
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ddz_core import cards, patterns, rulesets
from ddz_core.bench.engine import SEED, dealt_hands
from ddz_core.bench.row import BATCHES, Row, batches, race
from ddz_core.kernels import batch, playout
from ddz_core.kernels.table import table_of
from ddz_core.kernels.workspace import Workspace

OPENSPIEL_RULES = {"kickers.max_equal": 3, "kinds.off": ["four_two_singles", "four_two_pairs"]}
"""House rules under which the classic game is the one that OpenSpiel plays."""


def rows(work: float) -> Iterator[Row]:
    """Yield the races with every peer that is installed."""
    for name, module, part in (
        ("open-spiel", "pyspiel", _open_spiel),
        ("douzero", "douzero.env.move_generator", _douzero),
        ("rlcard", "rlcard.games.doudizhu.judger", _rlcard),
    ):
        try:
            peer = importlib.import_module(module)
        except ImportError:
            yield Row(what=name, unit="", note="not installed")
            continue
        yield from part(peer, f"{name} {importlib.metadata.version(name)}", work)


# --- OpenSpiel -----------------------------------------------------------------------------------


class _Dice:
    """Choices from lists, drawn in blocks: choosing must cost little beside what is measured."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._drawn: list[float] = []

    def choose(self, items: list[int]) -> int:
        """Return one of the items, each with the same chance."""
        if not self._drawn:
            self._drawn = self._rng.random(4096).tolist()
        return items[int(self._drawn.pop() * len(items))]


@dataclass
class _Game:
    """A game of OpenSpiel after the bidding: its state, and the hands, landlord first."""

    state: Any
    hands: list[int]


def _lane(card: int) -> int:
    return 13 + card - 52 if card >= 52 else card % 13


def _dealt(game: Any, dice: _Dice) -> _Game:  # noqa: ANN401
    """Deal a game through OpenSpiel's chance nodes and let the first bidder bid three."""
    state = game.new_initial_state()
    dealt: list[int] = []
    while state.is_chance_node():
        action = dice.choose([action for action, _ in state.chance_outcomes()])
        dealt.append(action)
        state.apply_action(action)
    first = state.current_player()
    state.apply_action(state.legal_actions()[-1])
    # the first outcome chooses the face-up card; the others are cards, numbered from 51
    lanes = [_lane(action - 51) for action in dealt[1:]]
    hands = [sum(1 << 4 * lane for lane in lanes[seat::3]) for seat in range(3)]
    bottom = cards.full_deck(1, cards.RANKS) - sum(hands)
    hands[first] += bottom
    return _Game(state, [hands[(first + i) % 3] for i in range(3)])


def _packed_action(text: str) -> int:
    """Return an action's text as packed cards, 0 for a pass."""
    text = text.replace("(BWJ)", "X").replace("(CJ)", "D")
    return 0 if text.lower().startswith("pass") else cards.parse_cards(text)


def _open_spiel(spiel: Any, peer: str, work: float) -> Iterator[Row]:  # noqa: ANN401
    """Race against OpenSpiel's C++ engine, called from Python as it is offered."""
    game = spiel.load_game("dou_dizhu")
    ruleset = rulesets.load("classic", OPENSPIEL_RULES)
    table, own, dice = table_of(ruleset), Workspace(), _Dice(np.random.default_rng(SEED))
    # one call of a trivial function shows what crossing from Python costs them
    games = [_dealt(game, dice) for _ in range(round(5_600 * work))]
    states = [one.state for one in games]
    call = _seconds_of([state.current_player for state in states]) / len(states)
    crossing = f"theirs called from Python, of which {1e6 * call:.2f} µs a call is crossing"
    hands = np.array([one.hands[0] for one in games], dtype=np.uint64)
    results = np.zeros(len(games), dtype=np.int64)
    vectors = table.words, own.space
    batch.count_leads(*vectors, hands[:2], own.cards, own.codes, results)

    def race_leads(which: list[int]) -> Row:
        works = []
        for part in batches(which):
            asked = [states[i].legal_actions for i in part]
            ours = partial(batch.count_leads, *vectors, hands[part], own.cards, own.codes, results)
            works.append((len(part), ours, partial(_call_all, asked)))
        ours_rate, theirs, ratio = race(works)
        return Row(
            what="lead lists, 20 cards",
            unit="lists/s",
            ours=ours_rate,
            theirs=theirs,
            peer=peer,
            ratio=ratio,
            floor=30,
            n=len(which),
            note=crossing,
        )

    yield race_leads(list(range(len(games))))
    yield _same_leads(table, own, games, peer)
    yield _race_answers(game, table, own, dice, peer, work, crossing)
    yield _race_games(games, table, own, dice, peer)


def _call_all(functions: list[Any]) -> None:
    for function in functions:
        function()


def _seconds_of(functions: list[Any]) -> float:
    start = time.process_time_ns()
    _call_all(functions)
    return (time.process_time_ns() - start) / 1e9


def _same_leads(table: Any, own: Workspace, games: list[_Game], peer: str) -> Row:  # noqa: ANN401
    """Count the leads that both list, as a check that the same game is measured."""
    sample = games[:: max(1, len(games) // 400)]
    different = 0
    for one in sample:
        found, _ = own.list_sorted(table, one.hands[0], 0, 63)
        theirs = {
            _packed_action(one.state.action_to_string(action))
            for action in one.state.legal_actions()
        }
        different += theirs != set(found)
    return Row(
        what="leads that differ, of those compared",
        unit=f"of {len(sample)}",
        ours=float(different),
        peer=peer,
        n=len(sample),
        note="theirs lack a bare run whose lowest rank is held four times",
    )


def _race_answers(
    game: Any,  # noqa: ANN401
    table: Any,  # noqa: ANN401
    own: Workspace,
    dice: _Dice,
    peer: str,
    work: float,
    note: str,
) -> Row:
    """Race on the answers of random games, every position once."""
    states, hands, codes = [], [], []
    for _ in range(round(450 * work)):
        one = _dealt(game, dice)
        state, held = one.state, list(one.hands)
        first = state.current_player()
        lies, passes = 0, 0
        while not state.is_terminal():
            seat = (state.current_player() - first) % 3
            if lies:
                read = own.codes_of(table, lies)
                if len(read) == 1:
                    states.append(state.clone())
                    hands.append(held[seat])
                    codes.append(read[0])
            action = dice.choose(state.legal_actions())
            played = _packed_action(state.action_to_string(action))
            held[seat] -= played
            passes = 0 if played else passes + 1
            lies = played or (0 if passes == 2 else lies)
            state.apply_action(action)
    packed = np.array(hands, dtype=np.uint64)
    lying = np.array(codes, dtype=np.uint32)
    results = np.zeros(len(hands), dtype=np.int64)
    vectors = table.words, own.space
    batch.count_answers(*vectors, packed[:2], lying[:2], own.cards, own.codes, results)
    order = np.random.default_rng(SEED).permutation(len(states)).tolist()
    works = []
    for part in batches(order):
        ours = partial(
            batch.count_answers,
            *vectors,
            packed[part],
            lying[part],
            own.cards,
            own.codes,
            results,
        )
        asked = [states[i].legal_actions for i in part]
        works.append((len(part), ours, partial(_call_all, asked)))
    ours_rate, theirs, ratio = race(works)
    return Row(
        what="answers in random games",
        unit="hands/s",
        ours=ours_rate,
        theirs=theirs,
        peer=peer,
        ratio=ratio,
        floor=20,
        n=len(states),
        note=note,
    )


def _race_games(
    games: list[_Game],
    table: Any,  # noqa: ANN401
    own: Workspace,
    dice: _Dice,
    peer: str,
) -> Row:
    """Race on random games from the landlord's first lead to the end."""
    some = games[: BATCHES * max(10, len(games) // 60)]
    hands = np.array([one.hands for one in some], dtype=np.uint64)
    results = np.zeros(len(some), dtype=np.int64)

    def ours(part: range) -> None:
        playout.playouts_from(
            table.words,
            own.space,
            hands[part.start : part.stop],
            np.uint64(SEED),
            own.cards,
            own.codes,
            results[part.start : part.stop],
        )

    def theirs(part: range) -> None:
        for one in some[part.start : part.stop]:
            state = one.state
            while not state.is_terminal():
                state.apply_action(dice.choose(state.legal_actions()))

    ours(range(1))
    works = []
    for part in batches(range(len(some))):
        assert isinstance(part, range)
        works.append((len(part), partial(ours, part), partial(theirs, part)))
    ours_rate, theirs_rate, ratio = race(works)
    return Row(
        what="random games from the first lead",
        unit="games/s",
        ours=ours_rate,
        theirs=theirs_rate,
        peer=peer,
        ratio=ratio,
        floor=10,
        n=len(some),
        note="theirs as a Python loop over legal_actions and apply_action",
    )


# --- engines in Python ---------------------------------------------------------------------------


def _race_objects(
    peer: str, texts: list[str], theirs: list[Any], floor: float, note: str
) -> Iterator[Row]:
    """Race the public list of leads against a list made in Python, hand by hand.

    Our moves are counted as they come, and once more with the text of each.
    """
    ruleset = rulesets.load("classic")
    patterns.moves(ruleset, texts[0])
    times = np.empty((3, len(texts)))
    for i, (text, function) in enumerate(zip(texts, theirs, strict=True)):
        start = time.perf_counter_ns()
        moves = patterns.moves(ruleset, text)
        middle = time.perf_counter_ns()
        for move in moves:
            str(move)
        end = time.perf_counter_ns()
        function()
        times[:, i] = middle - start, end - start, time.perf_counter_ns() - end
    for what, ours, least in (
        ("public moves", times[0], floor),
        ("public moves with their texts", times[1], 0.0),
    ):
        yield Row(
            what=f"{what}, 17 and 20 cards",
            unit="lists/s",
            ours=1e9 / float(np.median(ours)),
            theirs=1e9 / float(np.median(times[2])),
            peer=peer,
            ratio=float(np.median(times[2] / ours)),
            floor=least,
            n=len(texts),
            note=note,
        )


def _texts(number: int) -> list[str]:
    hands = dealt_hands(number, np.random.default_rng(SEED + 1))
    return [cards.format_cards(int(hand)) for hand in hands]


def _douzero(generator: Any, peer: str, work: float) -> Iterator[Row]:  # noqa: ANN401
    """Race against DouZero's move generator in Python."""
    numbers = {rank: 3 + lane for lane, rank in enumerate(cards.RANKS[:12])}
    numbers |= {"2": 17, "X": 20, "D": 30}
    texts = _texts(round(1_000 * work))

    def leads(hand: list[int]) -> object:
        return generator.MovesGener(hand).gen_moves()

    theirs = [partial(leads, [numbers[rank] for rank in text]) for text in texts]
    yield from _race_objects(peer, texts, theirs, 3, "theirs without sorting each play")


def _rlcard(judger: Any, peer: str, work: float) -> Iterator[Row]:  # noqa: ANN401
    """Race against RLCard's list of playable cards in Python."""
    texts = _texts(round(300 * work))
    playable = judger.DoudizhuJudger.playable_cards_from_hand
    theirs = [partial(playable, text.replace("X", "B").replace("D", "R")) for text in texts]
    yield from _race_objects(peer, texts, theirs, 0, "")
