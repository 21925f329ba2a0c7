"""The bot that counts: fewest plays left, prices of high cards, who has how many cards.

Layer 3. It scores every legal play by quantities that can be counted, with the weights of
:class:`Parameters`, and takes the highest; the arithmetic is :mod:`ddz_core.kernels.rule`. It
samples nothing, so the same observation always gives the same action. Bids and declarations come
from an estimate of the chance to win with such a hand (:func:`strength`), fitted to games between
bots of this kind.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, cast

import numpy as np

from ddz_core import cards
from ddz_core.actions import FREE, PASS
from ddz_core.bots import Bot, fits, refuse_parameter, refuse_turn, refuse_value
from ddz_core.bots.parameters import CHARACTERS as CHARACTERS
from ddz_core.bots.parameters import Parameters as Parameters
from ddz_core.declarations import CLAIM, DECLARE
from ddz_core.errors import DdzError
from ddz_core.patterns.combination import code_in, move_from
from ddz_core.procedures import ROB

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ddz_core.observation import Observation
    from ddz_core.patterns import Move
    from ddz_core.specs import Ruleset


class Strength(NamedTuple):
    """What a hand promises before the play, from counting alone.

    Attributes:
        points: 4 for the big joker, 3 for the small one, 2 for a two, 1 for an ace.
        bombs: ranks that make a bomb, and rockets.
        controls: cards that nothing of the same kind beats at the start: jokers and twos.
        turns: the fewest plays found, bombs kept whole.
        landlord: chance to win as landlord; of a hand before the bottom cards are taken, or with
            them, or of a hidden partner, as was asked.
        farmer: chance to win as farmer.
        wilds: cards held that stand for others.
    """

    points: int
    bombs: int
    controls: int
    turns: int
    landlord: float
    farmer: float
    wilds: int = 0


Stage: TypeAlias = Literal["landlord", "opened", "partner"]
"""Whose hand: before the bottom cards are taken, the landlord's with them, a hidden partner's."""

POINTS = {cards.LANE[rank]: value for rank, value in {"A": 1, "2": 2, "X": 3, "D": 4}.items()}
"""Points by lane, as the encyclopedia entry counts them (document 000)."""

GAINS = {
    cards.LANE[rank]: value for rank, value in {"A": 0.4, "2": 0.7, "X": 1.2, "D": 1.2}.items()
}
"""Plays that a top card among chosen bottom cards is worth: it takes a lead back."""

_PRICED = ("jack", "queen", "king", "ace", "two", "small_joker", "big_joker")


class Engine:
    """The kernels of one ruleset with their room; safe to share, one question at a time.

    Long work makes an engine of its own, so that others need not wait.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        from ddz_core.kernels import plain, rule, turns
        from ddz_core.kernels.table import table_of

        self.table = table_of(ruleset)
        self._rule, self._turns, self._plain = rule, turns, plain
        self.plan = turns.plan_of(self.table, wilds=True)
        self.wilds = int(self.plan[6])
        self.work = np.zeros(plain.SPACE, dtype=np.uint64)
        self.space = np.zeros(turns.SPACE, dtype=np.uint64)
        self.cache = np.zeros(2 << turns.CACHE_BITS, dtype=np.uint64)
        self.view = np.zeros(rule.VIEW, dtype=np.int64)
        self.moves = np.zeros(rule.ROOM, dtype=np.uint64)
        self.codes = np.zeros(rule.ROOM, dtype=np.uint32)
        self.scores = np.zeros(rule.ROOM, dtype=np.float64)
        self.lock = threading.Lock()

    def turns(self, hands: Sequence[cards.Hand], *, keep: bool) -> list[int]:
        """Return the fewest plays found for each hand; ``keep``: fours stay whole."""
        found = np.zeros(len(hands), dtype=np.int64)
        packed = np.array(hands, dtype=np.uint64)
        with self.lock:
            self._turns.turns_of_hands(self.plan, self.space, self.cache, packed, keep, found)
        return [int(number) for number in found]

    def can_beat(self, hand: cards.Hand, code: int) -> bool:
        """Tell whether cards held in one hand could beat a code."""
        with self.lock:
            return bool(
                self._plain.can_beat(
                    self.table.words, self.work, np.uint64(hand), code, 63, self.moves, self.codes
                )
            )

    def answers(self, hand: cards.Hand, code: int) -> list[int]:
        """Return the different codes of what cards held in one hand could play over a code."""
        with self.lock:
            number = self._plain.answers(
                self.table.words, self.work, np.uint64(hand), code, 63, self.moves, self.codes
            )
            found = np.unique(self.codes[: min(number, len(self.codes))])
        return [int(one) for one in found]

    def choose(
        self,
        weights: NDArray[np.float64],
        hand: cards.Hand,
        others: cards.Hand,
        seat: int,
        left: Sequence[int],
        partners: Sequence[bool],
        beat: tuple[int, int] | None,
        no_bombs: bool = False,
    ) -> tuple[cards.Hand, int] | None:
        """Return the cards and code of the play chosen, or None to pass.

        Args:
            weights: from :func:`weights_of`.
            hand: the own cards.
            others: all cards that the other hands may hold.
            seat: the own seat.
            left: cards left by seat.
            partners: by seat, whether it is known to play on the own side.
            beat: code of the play on the table and its owner; None to lead.
            no_bombs: whether no enemy may play a bomb any more.
        """
        with self.lock:
            place = self._choose(weights, hand, others, seat, left, partners, beat, no_bombs)
            return None if place < 0 else (int(self.moves[place]), int(self.codes[place]))

    def scored(
        self,
        weights: NDArray[np.float64],
        hand: cards.Hand,
        others: cards.Hand,
        seat: int,
        left: Sequence[int],
        partners: Sequence[bool],
        beat: tuple[int, int] | None,
        no_bombs: bool = False,
    ) -> list[tuple[float, cards.Hand, int]]:
        """Return score, cards and code of every legal play, best first; a pass scores 0.

        Arguments as :meth:`choose`; the first, or a pass above it, is what it would choose.
        """
        with self.lock:
            self._choose(weights, hand, others, seat, left, partners, beat, no_bombs)
            if beat is None:
                number = self._plain.leads(
                    self.table.words, self.work, np.uint64(hand), self.moves, self.codes
                )
            else:
                number = self._plain.answers(
                    self.table.words,
                    self.work,
                    np.uint64(hand),
                    beat[0],
                    63,
                    self.moves,
                    self.codes,
                )
            order = np.argsort(-self.scores[:number], kind="stable")
            return [(float(self.scores[i]), int(self.moves[i]), int(self.codes[i])) for i in order]

    def play_deals(
        self,
        weights: Sequence[NDArray[np.float64]],
        hands: NDArray[np.uint64],
        landlords: NDArray[np.int64],
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Play deals between rule bots from the landlord's lead, bottom already taken.

        Args:
            weights: one vector a seat, from :func:`weights_of`.
            hands: packed, one a seat and deal, the seats of a deal together; not changed.
            landlords: the landlord's seat of each deal.

        Returns:
            The seat that went out and the bombs played, by deal, and the actions in all.
        Cost: about 30 microseconds a deal of three.
        """
        winners = np.zeros(len(landlords), dtype=np.int64)
        bombs = np.zeros(len(landlords), dtype=np.int64)
        with self.lock:
            actions = self._rule.play_deals(
                self.table.words,
                self.work,
                self.plan,
                self.space,
                self.cache,
                np.concatenate(weights),
                self.view,
                hands.copy(),
                landlords,
                len(weights),
                np.uint64(self.table.deck),
                self.moves,
                self.codes,
                self.scores,
                winners,
                bombs,
            )
        return winners, bombs, int(actions)

    def _choose(
        self,
        weights: NDArray[np.float64],
        hand: cards.Hand,
        others: cards.Hand,
        seat: int,
        left: Sequence[int],
        partners: Sequence[bool],
        beat: tuple[int, int] | None,
        no_bombs: bool,
    ) -> int:
        view = self.view
        view[:] = 0
        view[0], view[1] = len(left), seat
        view[4] = no_bombs
        view[2], view[3] = (-1, 0) if beat is None else (beat[1], beat[0])
        view[8 : 8 + len(left)] = left
        view[16 : 16 + len(left)] = partners
        return int(
            self._rule.choose(
                self.table.words,
                self.work,
                self.plan,
                self.space,
                self.cache,
                weights,
                view,
                np.uint64(hand),
                np.uint64(others),
                63,
                self.moves,
                self.codes,
                self.scores,
            )
        )


_engines: OrderedDict[str, Engine] = OrderedDict()
_engines_lock = threading.Lock()
_MOST_ENGINES = 4


def engine_of(ruleset: Ruleset) -> Engine:
    """Return the shared engine of a ruleset, made with the first question; the last four stay."""
    with _engines_lock:
        engine = _engines.get(ruleset.hash)
        if engine is None:
            engine = _engines[ruleset.hash] = Engine(ruleset)
            while len(_engines) > _MOST_ENGINES:
                _engines.popitem(last=False)
        else:
            _engines.move_to_end(ruleset.hash)
        return engine


@lru_cache(maxsize=64)
def fitted(ruleset: Ruleset, parameters: Parameters | None = None) -> Parameters:
    """Return parameters for a game: those left at their defaults as found best for its shape."""
    usual = Parameters()
    given = usual if parameters is None else parameters
    better = fits.fit_of(ruleset).weights
    left = [name for name in better if getattr(given, name) == getattr(usual, name)]
    return replace(given, **{name: better[name] for name in left})


def weights_of(parameters: Parameters) -> NDArray[np.float64]:
    """Return parameters as the vector that the kernels read."""
    from ddz_core.kernels import rule

    weights = np.zeros(rule.WEIGHTS, dtype=np.float64)
    for place, name in enumerate(rule.NAMES):
        weights[place] = getattr(parameters, name)
    for place, name in enumerate(_PRICED):
        weights[rule.PRICES + cards.LANE["J"] + place] = getattr(parameters, f"price_{name}")
    return weights


def strength(ruleset: Ruleset, hand: cards.Hand, stage: Stage = "landlord") -> Strength:
    """Return what a hand promises; the chances are fits to games of this bot, not proofs.

    Args:
        ruleset: the game; with the wild rank, where it has been drawn.
        hand: packed cards.
        stage: what :attr:`Strength.landlord` is to be of.
    """
    counts = cards.counts_of(hand)
    points = sum(value * counts[lane] for lane, value in POINTS.items())
    bombs = bombs_in(ruleset, hand)
    controls = sum(counts[cards.LANE["2"] : cards.MARKED])
    engine = engine_of(ruleset)
    turns = engine.turns([hand], keep=True)[0]
    wilds = cards.size_of(hand & engine.wilds)
    fit = fits.fit_of(ruleset)
    features = (1.0, points, bombs, turns, wilds)
    return Strength(
        points,
        bombs,
        controls,
        turns,
        fits.chance(getattr(fit, stage) or fit.opened, features),
        fits.chance(fit.farmer, features),
        wilds,
    )


def judged(obs: Observation) -> Strength:
    """Return what the hand of a seat promises in its present role, as far as that is known."""
    stage: Stage = "landlord"
    if obs.side_of(obs.seat) == "landlord":
        stage = "opened" if obs.seat == obs.landlords[0] else "partner"
    return strength(obs.ruleset, obs.hand, stage)


def bombs_in(ruleset: Ruleset, hand: cards.Hand) -> int:
    """Return how many ranks make a bomb of any size, and how many exact sets are held."""
    counts = cards.counts_of(hand)
    ladder = ruleset.ladder_in_force()
    smallest = min((step.size for step in ladder if step.size), default=99)
    sets = [cards.parse_cards(part) for step in ladder for part in _sets(step.cards)]
    equal = sum(count >= smallest for count in counts[: cards.SMALL_JOKER])
    return equal + sum(cards.contains(hand, part) for part in sets)


def _sets(texts: Sequence[str]) -> list[str]:
    return [part for text in texts for part in text.split("=")]


def level_of(parameters: Parameters, chance: float, levels: int) -> int:
    """Return how many of the levels a chance to win is worth, 0 for a pass."""
    low, high = parameters.bid_lowest, parameters.bid_highest
    if chance < low:
        return 0
    share = (chance - low) / max(high - low, 1e-9)
    return min(levels, 1 + int(share * (levels - 1))) if levels > 1 else 1


_USUAL = Parameters()


@dataclass(frozen=True, slots=True)
class RuleBot:
    """Chooses by counting; see the module."""

    parameters: Parameters = _USUAL
    name: str = "rule"

    def choose(self, obs: Observation, rng: np.random.Generator | None = None) -> str | Move:  # noqa: ARG002
        """Return the action with the highest score; nothing is drawn from ``rng``.

        Raises:
            DdzError: if the seat is not to act.
        """
        if obs.to_act != obs.seat:
            raise refuse_turn(obs.seat, obs.to_act)
        if obs.phase == "play":
            return self._play(obs)
        if obs.phase == "auction":
            return self._bid(obs)
        if obs.phase == "deal":
            return PASS  # nothing is known before the cards are dealt
        return self._declare(obs)

    def _play(self, obs: Observation) -> str | Move:
        engine = engine_of(obs.ruleset)
        weights = weights_of(fitted(obs.ruleset, self.parameters))
        if obs.limits == FREE:
            chosen = engine.choose(weights, *seen_by(engine, obs))
        else:
            allowed = [
                (hand, code)
                for score, hand, code in engine.scored(weights, *seen_by(engine, obs))
                if obs.limits.allows(hand, bomb=code >> 26 > 0) and (score > 0 or not obs.to_beat)
            ]
            chosen = allowed[0] if allowed else None
        return PASS if chosen is None else move_from(engine.table, *chosen)

    def _bid(self, obs: Observation) -> str:
        parameters = fitted(obs.ruleset, self.parameters)
        chance = judged(obs).landlord
        levels = [word for word in obs.options if word != PASS]
        refusal = PASS if PASS in obs.options else obs.options[-1]
        if not levels:
            return PASS
        if not levels[0].isdecimal():
            enough = parameters.rob_from if levels[0] == ROB else parameters.bid_lowest
            return levels[0] if chance >= enough else refusal
        numbers = obs.ruleset.auction.levels
        wanted = level_of(parameters, chance, len(numbers))
        fitting = [word for word in levels if int(word) in numbers[:wanted]]
        if fitting:
            return fitting[-1]
        return PASS if PASS in obs.options else levels[0]

    def _declare(self, obs: Observation) -> str:
        words, last = obs.options, obs.options[-1]
        if last.startswith("take:"):
            return self._take(obs)
        power = judged(obs)
        boss = obs.side_of(obs.seat) == "landlord"
        chance = power.landlord if boss else power.farmer
        if last == CLAIM:
            return last if chance < self.parameters.claim_below else words[0]
        if last == DECLARE:
            # a landlord who declares gains when it wins and loses nothing more when it does not
            return last if boss or chance >= self.parameters.declare_from else words[0]
        step = self.parameters.raise_from - 0.5
        wanted = 0 if step <= 0 else int(max(0.0, chance - 0.5) / step)
        return words[min(wanted, len(words) - 1)]

    def _take(self, obs: Observation) -> str:
        """Return the bottom cards that leave the fewest plays, top cards counting as gains."""
        parts = [cards.parse_cards(word.partition(":")[2]) for word in obs.options]
        turns = engine_of(obs.ruleset).turns([obs.hand + part for part in parts], keep=True)

        def cost(place: int) -> tuple[float, int]:
            counts = cards.counts_of(parts[place])
            gain = sum(value * counts[lane] for lane, value in GAINS.items())
            return round(turns[place] - gain, 6), -parts[place]

        return obs.options[min(range(len(parts)), key=cost)]


Seen: TypeAlias = (
    "tuple[cards.Hand, cards.Hand, int, tuple[int, ...], list[bool], tuple[int, int] | None, bool]"
)


def seen_by(engine: Engine, obs: Observation) -> Seen:
    """Return what :meth:`Engine.choose` wants to know, from an observation of the play."""
    partners = partners_of(obs)
    beat = None
    if obs.to_beat is not None and obs.beat_by is not None:
        beat = (code_in(engine.table, obs.to_beat), obs.beat_by)
    enemies = [seat for seat, partner in enumerate(partners) if not partner]
    spent = bool(obs.bomb_limits) and all(_spent(obs, seat) for seat in enemies)
    return obs.hand, others_of(obs), obs.seat, obs.left, partners, beat, spent


def _spent(obs: Observation, seat: int) -> bool:
    """Tell whether a seat has played all the bombs it may; declared sets stay playable."""
    most = obs.bomb_limits[seat]
    declared = any(entry.seat == seat and entry.action == DECLARE for entry in obs.history)
    return most is not None and not declared and sum(b.seat == seat for b in obs.bombs) >= most


def partners_of(obs: Observation) -> list[bool]:
    """Return by seat whether it is taken to play on the own side.

    Where a partner is hidden, who has beaten a play of the landlord is taken for a farmer; a
    landlord takes the only one who never beat it for its partner. Everybody else whose side is not
    known is taken for an enemy.
    """
    own = obs.side_of(obs.seat)
    sides = [obs.side_of(seat) for seat in range(obs.seats)]
    if not obs.sides_known and obs.landlords:
        against: set[int | None] = set()
        owner: int | None = None
        trick = 0
        for entry in obs.history:
            if entry.move is not None:
                if owner == obs.landlords[0] and entry.trick == trick:
                    against.add(entry.seat)
                owner, trick = entry.seat, entry.trick
        open_ = [seat for seat, side in enumerate(sides) if side is None]
        quiet = [seat for seat in open_ if seat not in against]
        for seat in open_:
            if seat in against:
                sides[seat] = "farmer"
            elif len(quiet) == 1:
                sides[seat] = "landlord"
    return [side == own for side in sides]


def others_of(obs: Observation) -> cards.Hand:
    """Return all cards that the other hands may hold: the deck without the own and the played."""
    return obs.ruleset.deck_cards - obs.hand - sum(obs.played)


def make(**parameters: object) -> Bot:
    """Return the bot with some of its :class:`Parameters` changed.

    Args:
        parameters: weights by name; ``character``, one of :data:`CHARACTERS`, sets several first.

    Raises:
        DdzError: if it has no such parameter, or there is no such character.
    """
    known = tuple(field.name for field in fields(Parameters))
    character = parameters.pop("character", None)
    if character is not None:
        parameters = {**_character(character), **parameters}
    for name, value in parameters.items():
        if name not in known:
            raise refuse_parameter("rule", name, ("character", *known))
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise refuse_value(name, value)
    return RuleBot(Parameters(**cast("dict[str, float]", parameters)))


def _character(name: object) -> dict[str, float]:
    """Return the parameters of a character."""
    if not isinstance(name, str) or name not in CHARACTERS:
        raise DdzError(
            f"character: expected {', '.join(CHARACTERS)}, got {name!r}",
            key="error.option.choice",
            field="character",
            expected=", ".join(CHARACTERS),
            got=name,
        )
    return CHARACTERS[name]
