"""The bot that learned: a small network a role, trained by games against itself and the rule bot.

Layer 3. For every legal play the network of the own role estimates the chance to win after it
(:mod:`ddz_core.kernels.net`); the highest is taken, a play that surely wins before all. Nothing is
sampled in the play, so the same observation gives the same action. A bid is judged by the best
lead with bottom cards drawn at random; other questions are answered as the rule bot answers them.

It knows the game it was trained on: three seats, one whole deck, three bottom cards that the
landlord takes, no wild cards. Kinds, kickers and scores may differ, since plays are listed by the
ruleset. Weights and how they were found: ``data/models/net.npz`` and ``net.json``.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ddz_core import cards
from ddz_core.actions import FREE, PASS
from ddz_core.bots import Bot, refuse_parameter, refuse_turn, refuse_value
from ddz_core.bots import rule as rule_bot
from ddz_core.data_files import data_dir
from ddz_core.errors import DdzError
from ddz_core.patterns.combination import code_in, move_from
from ddz_core.procedures import ROB

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from ddz_core.observation import Observation
    from ddz_core.patterns import Move
    from ddz_core.specs import Ruleset

FILE, TOLD = "net.npz", "net.json"
"""The weights, and how they were found."""
WHOLE_DECK = sum((4 if lane < cards.SMALL_JOKER else 1) << 4 * lane for lane in range(15))
"""The deck the net knows: four of each rank, two jokers."""
RANDOM, RULE, NET = 0, 1, 2
"""Policies of :meth:`Engine.play_deals`; NET + n is the n-th of several nets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What the net bot may be told."""

    points: float = 0.0
    """How much expected points (in quarters of a plain win) count beside the chance to win."""
    bottoms: int = 48
    """Bottom cards drawn to judge a hand in the bidding."""
    bid_lowest: float = 0.4
    """From this chance to win as landlord on the lowest level is bid: whoever passes may have to
    be a farmer (found by matches between nets with other bounds)."""
    bid_highest: float = 0.5
    """From this chance on the highest level is bid; between them the levels are spaced evenly."""
    rob_from: float = 0.46
    """From this chance on a call is taken away from the caller."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal action as the net sees it.

    Attributes:
        hand: the cards, 0 for a pass.
        code: their code, 0 for a pass.
        win: chance to win of the own side, as estimated.
        points: expected points, 1 for a plain win.
        sure: whether the play surely wins.
    """

    hand: cards.Hand
    code: int
    win: float
    points: float
    sure: bool


def lacks(ruleset: Ruleset) -> str:
    """Return in which field a game differs from what the net was trained for, or nothing."""
    deal = ruleset.deal
    wrong = {
        "deal.seats": deal.seats != 3,
        "deck": ruleset.deck_cards != WHOLE_DECK,
        "deal.bottom": deal.bottom != 3 or deal.hand != 17,
        "wilds": ruleset.wilds.mode != "none",
        "sides": ruleset.sides != "landlord",
    }
    return next((field for field, differs in wrong.items() if differs), "")


def check(ruleset: Ruleset) -> None:
    """Raise an error that names the field in which a game is not what the net was trained for.

    Raises:
        DdzError: always with key ``error.bot.untrained``.
    """
    field = lacks(ruleset)
    if field:
        raise DdzError(
            "the net was trained for three seats with 17 cards each from one whole deck, three "
            f"bottom cards and no wild cards; this game differs in {field}",
            key="error.bot.untrained",
            field=field,
            expected="3 seats, 54 cards, 3 bottom cards, no wilds",
            got=field,
            bot="net",
        )


def load_weights(path: Path) -> NDArray[np.float32]:
    """Return the weights in a file.

    Raises:
        DdzError: if the file cannot be read or is of another layout.
    """
    from ddz_core.kernels import net

    try:
        with np.load(path, allow_pickle=False) as file:
            weights = file["weights"].astype(np.float32)
    except (OSError, ValueError, KeyError) as error:
        raise _bad_file(path, "readable") from error
    if weights.shape != (net.ROLES, net.SIZE):
        raise _bad_file(path, f"{net.ROLES} x {net.SIZE}")
    return np.ascontiguousarray(weights)


def _bad_file(path: Path, expected: str) -> DdzError:
    return DdzError(
        f"{path.name}: expected weights of the net, {expected}",
        key="error.bot.weights",
        field=path.name,
        expected=expected,
        got=path.name,
    )


@cache
def shipped() -> NDArray[np.float32]:
    """Return the shipped weights, one row a role."""
    return load_weights(data_dir() / "models" / FILE)


@cache
def training_told() -> dict[str, Any]:
    """Return how the shipped weights were found: seed, games, learning curve."""
    text = (data_dir() / "models" / TOLD).read_text("utf-8")
    return cast("dict[str, Any]", json.loads(text))


class Engine:
    """The kernels of one ruleset with their room; safe to share, one question at a time.

    Attributes:
        weights: one row a role; of several nets one after the other.
    """

    def __init__(self, ruleset: Ruleset, weights: NDArray[np.float32] | None = None) -> None:
        from ddz_core.kernels import net, net_play, plain, rule, turns
        from ddz_core.kernels.table import table_of

        check(ruleset)
        self.table = table_of(ruleset)
        self.weights = shipped() if weights is None else weights
        self._net, self._play = net, net_play
        self.plan = turns.plan_of(self.table, wilds=True)
        self.forms = net.forms_of(self.table)
        self.rule_weights = np.tile(rule_bot.weights_of(rule_bot.fitted(ruleset)), 3)
        self.work = np.zeros(plain.SPACE, dtype=np.uint64)
        self.space = np.zeros(turns.SPACE, dtype=np.uint64)
        self.cache = np.zeros(2 << turns.CACHE_BITS, dtype=np.uint64)
        self.view = np.zeros(rule.VIEW, dtype=np.int64)
        self.state = np.zeros(net.STATE_V, dtype=np.int64)
        self.hands = np.zeros(net.STATE_H, dtype=np.uint64)
        self.moves = np.zeros(rule.ROOM, dtype=np.uint64)
        self.codes = np.zeros(rule.ROOM, dtype=np.uint32)
        self.scores = np.zeros(rule.ROOM, dtype=np.float64)
        self.sums = np.zeros(net.SPACE_Y, dtype=np.float32)
        self.inputs_room = np.zeros(net.SPACE_J, dtype=np.int64)
        self.lock = threading.Lock()

    def choices(self, obs: Observation, points: float = 0.0) -> list[Choice]:
        """Return every legal action of a seat in the play as the net sees it, best first.

        Args:
            obs: what the seat sees; it must be its turn.
            points: how much expected points count beside the chance to win.

        Cost: some ten microseconds a play.
        """
        with self.lock:
            self.take(obs)
            leading = obs.to_beat is None
            unseen = rule_bot.others_of(obs)
            self._score(unseen, points)
            found = self._listed(leading=leading)
        return sorted(found, key=lambda one: -_worth(one, points))

    def inputs(self, obs: Observation, choice: Choice) -> list[int]:
        """Return the places of the inputs that are one after an action of a seat in the play."""
        with self.lock:
            self.take(obs)
            number = self._play.inputs_of(
                self.table.words,
                self.work,
                self.plan,
                self.space,
                self.cache,
                self.forms,
                self.state,
                self.hands,
                np.uint64(rule_bot.others_of(obs)),
                np.uint64(choice.hand),
                choice.code,
                self.moves,
                self.codes,
                self.inputs_room,
            )
            return [int(one) for one in self.inputs_room[:number]]

    def opened(self, hands: NDArray[np.uint64], bottoms: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Return the landlord's chance to win with its best lead, for hands with their bottom."""
        found = np.zeros(len(hands))
        with self.lock:
            for place, (hand, bottom) in enumerate(zip(hands, bottoms, strict=True)):
                self._start(int(hand), int(bottom))
                self._score(WHOLE_DECK - int(hand), 0.0)
                found[place] = max(one.win for one in self._listed(leading=True))
        return found

    def play_deals(
        self,
        policies: NDArray[np.int64],
        hands: NDArray[np.uint64],
        bottoms: NDArray[np.uint64],
        landlords: NDArray[np.int64],
        *,
        seed: int = 0,
        stray: float = 0.0,
        points: float = 0.0,
    ) -> NDArray[np.int64]:
        """Play deals from the landlord's lead to the end.

        Args:
            policies: 0 random, 1 rule, 2 net (3, 4, ... further nets of :attr:`weights`): three
                for all deals, or a row of three a deal; by seat.
            hands: a row of three packed hands a deal, the landlord's with the bottom cards.
            bottoms: the bottom cards of each deal.
            landlords: the landlord's seat of each deal.
            seed: of random moves.
            stray: share of the net's decisions that are random instead.
            points: how much expected points count for nets beside the chance to win.

        Returns:
            A row a deal: the seat that went out, bombs played, the landlord's plays, the
            farmers' plays.
        Cost: about 30 microseconds a deal between rule bots, 0.3 milliseconds between nets.
        """
        facts = np.zeros((len(landlords), self._play.FACTS), dtype=np.int64)
        none = np.zeros(1, dtype=np.uint16)
        targets = np.zeros(1, dtype=np.float32)
        counts = np.zeros(self._net.ROLES, dtype=np.int64)
        with self.lock:
            self.run(
                *(policies, hands, bottoms, landlords, facts, seed, stray, points),
                *(none, targets, counts, 0),
            )
        return facts

    def run(
        self,
        policies: NDArray[np.int64],
        hands: NDArray[np.uint64],
        bottoms: NDArray[np.uint64],
        landlords: NDArray[np.int64],
        facts: NDArray[np.int64],
        seed: int,
        stray: float,
        points: float,
        rows: NDArray[np.uint16],
        targets: NDArray[np.float32],
        counts: NDArray[np.int64],
        room: int,
        trace: float = 1.0,
    ) -> int:
        """Call :func:`ddz_core.kernels.net_play.play_games`; the caller holds the lock."""
        games = len(landlords)
        every = np.array(np.broadcast_to(np.asarray(policies, dtype=np.int64), (games, 3)))
        return int(
            self._play.play_games(
                self.table.words,
                self.work,
                self.plan,
                self.space,
                self.cache,
                self.forms,
                self.rule_weights,
                self.weights.reshape(-1),
                self.view,
                self.state,
                self.hands,
                np.ascontiguousarray(hands, dtype=np.uint64).reshape(-1),
                np.ascontiguousarray(bottoms, dtype=np.uint64),
                np.ascontiguousarray(landlords, dtype=np.int64),
                every.reshape(-1),
                np.uint64(WHOLE_DECK),
                np.uint64(seed),
                float(stray),
                float(points),
                float(trace),
                self.moves,
                self.codes,
                self.scores,
                self.sums,
                self.inputs_room,
                facts.reshape(-1),
                rows.reshape(-1),
                targets.reshape(-1),
                counts,
                room,
            )
        )

    def deals(
        self, games: int, seed: int
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int64]]:
        """Return random hands (a row of three a deal), bottom cards and landlords drawn by lot."""
        deck = np.array(
            [1 << 4 * lane for lane, n in enumerate(cards.counts_of(WHOLE_DECK)) for _ in range(n)],
            dtype=np.uint64,
        )
        hands = np.zeros((games, 3), dtype=np.uint64)
        bottoms = np.zeros(games, dtype=np.uint64)
        landlords = np.zeros(games, dtype=np.int64)
        with self.lock:
            self._play.deal_games(
                deck, self.work, np.uint64(seed), hands.reshape(-1), bottoms, landlords
            )
        return hands, bottoms, landlords

    def _score(self, unseen: cards.Hand, points: float) -> int:
        """Score every play of the state; return the best one's place, -1 for a pass."""
        return int(
            self._net.choose_net(
                self.table.words,
                self.work,
                self.plan,
                self.space,
                self.cache,
                self.forms,
                self.weights.reshape(-1),
                self.state,
                self.hands,
                np.uint64(unseen),
                63,
                float(points),
                self.moves,
                self.codes,
                self.scores,
                self.sums,
                self.inputs_room,
            )
        )

    def _listed(self, *, leading: bool) -> list[Choice]:
        number = int(self.state[5])
        if number == 0:
            return [Choice(0, 0, 0.5, 0.0, sure=False)]
        places = range(number if leading else number + 1)
        second = self._net.POINTS
        return [
            Choice(
                int(self.moves[i]) if i < number else 0,
                int(self.codes[i]) if i < number else 0,
                float(1 / (1 + np.exp(-self.scores[i]))),
                4.0 * float(self.scores[second + i]),
                sure=bool(self.scores[i] >= self._net.WON),
            )
            for i in places
        ]

    def _start(self, hand: cards.Hand, bottom: cards.Hand) -> None:
        """Set the state to the landlord's first lead, as the landlord sees it."""
        self.state[:] = 0
        self.state[2] = -1
        self.state[8:11] = (cards.size_of(hand), 17, 17)
        self.state[16:34] = 15
        self.hands[:] = 0
        self.hands[0], self.hands[8], self.hands[9] = hand, bottom, WHOLE_DECK

    def take(self, obs: Observation) -> None:
        """Set the state to what a seat sees."""
        state, hands = self.state, self.hands
        boss = obs.landlords[0]
        state[:] = 0
        state[0], state[1], state[2] = boss, obs.seat, -1
        state[4] = len(obs.bombs)
        state[8:11] = obs.left
        state[12:15] = obs.plays
        state[16:34] = 15
        hands[:] = 0
        hands[obs.seat] = obs.hand
        hands[4:7] = obs.played
        hands[8] = cards.from_cards(obs.bottom or ())
        hands[9] = WHOLE_DECK
        if obs.to_beat is not None and obs.beat_by is not None:
            state[2], state[3] = obs.beat_by, code_in(self.table, obs.to_beat)
        for seat, owner, move in passes_of(obs):
            if (owner == boss) != (seat == boss):
                code = code_in(self.table, move)
                kind = int(self.forms[code >> 16 & 0x3FF]) >> 8 & 255
                if kind < 6:
                    at = 16 + 6 * seat + kind
                    state[at] = min(int(state[at]), code >> 12 & 15)


def passes_of(obs: Observation) -> list[tuple[int, int, Move]]:
    """Return every pass seen: who passed, on whose play, on which."""
    found: list[tuple[int, int, Move]] = []
    owner, move, trick = -1, None, 0
    for entry in obs.history:
        if entry.phase != "play" or entry.seat is None:
            continue
        if entry.trick != trick:
            owner, move, trick = -1, None, entry.trick
        if entry.move is not None:
            owner, move = entry.seat, entry.move
        elif entry.action == PASS and move is not None:
            found.append((entry.seat, owner, move))
    return found


def _worth(choice: Choice, points: float) -> float:
    """Return by what choices are ordered."""
    return choice.win + points * choice.points / 4 + (100 if choice.sure else 0)


_engines: OrderedDict[str, Engine] = OrderedDict()
_engines_lock = threading.Lock()
_MOST_ENGINES = 4


def engine_of(ruleset: Ruleset) -> Engine:
    """Return the shared engine of a ruleset with the shipped weights; the last four stay.

    Raises:
        DdzError: if the net was not trained for such a game.
    """
    with _engines_lock:
        engine = _engines.get(ruleset.hash)
        if engine is None:
            engine = _engines[ruleset.hash] = Engine(ruleset)
            while len(_engines) > _MOST_ENGINES:
                _engines.popitem(last=False)
        else:
            _engines.move_to_end(ruleset.hash)
        return engine


def landlord_chance(
    ruleset: Ruleset, hand: cards.Hand, bottoms: int, rng: np.random.Generator
) -> float:
    """Return the chance to win as landlord of a hand before the bottom cards are taken.

    Args:
        ruleset: the game.
        hand: 17 packed cards.
        bottoms: number of bottoms drawn from the other cards.
        rng: they are drawn from it.
    """
    rest = [
        1 << 4 * lane
        for lane, count in enumerate(cards.counts_of(WHOLE_DECK - hand))
        for _ in range(count)
    ]
    pool = np.array(rest, dtype=np.uint64)
    drawn = [int(pool[rng.permutation(len(pool))[:3]].sum()) for _ in range(bottoms)]
    bottom = np.array(drawn, dtype=np.uint64)
    return float(engine_of(ruleset).opened(bottom + np.uint64(hand), bottom).mean())


@dataclass(frozen=True, slots=True)
class NetBot:
    """Chooses by its networks; see the module."""

    parameters: Parameters = Parameters()
    name: str = "net"

    def choose(self, obs: Observation, rng: np.random.Generator) -> str | Move:
        """Return the action with the highest chance to win; only bids draw from ``rng``.

        Raises:
            DdzError: if the seat is not to act, or the net was not trained for the game.
        """
        check(obs.ruleset)
        if obs.to_act != obs.seat:
            raise refuse_turn(obs.seat, obs.to_act)
        if obs.phase == "play":
            return self._play(obs)
        if obs.phase == "auction" and len(obs.options) > 1:
            return self._bid(obs, rng)
        return rule_bot.RuleBot().choose(obs)

    def _play(self, obs: Observation) -> str | Move:
        engine = engine_of(obs.ruleset)
        for choice in engine.choices(obs, self.parameters.points):
            if choice.code == 0:
                return PASS
            if obs.limits == FREE or obs.limits.allows(choice.hand, bomb=choice.code >> 26 > 0):
                return move_from(engine.table, choice.hand, choice.code)
        return PASS

    def _bid(self, obs: Observation, rng: np.random.Generator) -> str:
        parameters = self.parameters
        chance = landlord_chance(obs.ruleset, obs.hand, parameters.bottoms, rng)
        levels = [word for word in obs.options if word != PASS]
        refusal = PASS if PASS in obs.options else obs.options[-1]
        if not levels:
            return PASS
        if not levels[0].isdecimal():
            enough = parameters.rob_from if levels[0] == ROB else parameters.bid_lowest
            return levels[0] if chance >= enough else refusal
        numbers = obs.ruleset.auction.levels
        bounds = replace(
            rule_bot.Parameters(),
            bid_lowest=parameters.bid_lowest,
            bid_highest=parameters.bid_highest,
        )
        wanted = rule_bot.level_of(bounds, chance, len(numbers))
        fitting = [word for word in levels if int(word) in numbers[:wanted]]
        if fitting:
            return fitting[-1]
        return PASS if PASS in obs.options else levels[0]


def make(**parameters: object) -> Bot:
    """Return the bot with some of its :class:`Parameters` changed.

    Raises:
        DdzError: if it has no such parameter, or a value is no number that fits.
    """
    known: Sequence[str] = tuple(field.name for field in fields(Parameters))
    for name, value in parameters.items():
        if name not in known:
            raise refuse_parameter("net", name, tuple(known))
        whole = name == "bottoms"
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            raise refuse_value(name, value)
        if whole and not 1 <= cast("int", value) <= 10_000:
            raise refuse_value(name, value)
    return NetBot(Parameters(**cast("dict[str, float]", parameters)))  # type: ignore[arg-type]
