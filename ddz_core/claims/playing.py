"""Cards dealt and played in batches for the experiments: the face of the kernel.

A *batch* is a set of games, one row each: hands, where the game stands, how its first action is
picked, how every seat plays. Played twice with one of these changed it gives pairs. Deals of a
chunk depend on the seed and the chunk's number only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core import cards
from ddz_core.bookbids import lanes_of
from ddz_core.bots import net, rule
from ddz_core.errors import DdzError
from ddz_core.patterns import readings
from ddz_core.settling import units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.specs import Ruleset

FAMILIES = ("rule", "net")
"""Families of bots whose games may carry a verdict."""

WON, SPRING, ANTI_SPRING = 1, 2, 4
EVERYTHING = 2**64 - 1

AS_BOT, PASS, CARDS, BEST, BEST_OR_PASS = range(5)
"""How the first action is picked; see :mod:`ddz_core.kernels.claims`."""
ANY_STEP, BOMBS, NO_BOMBS = range(3)
BY_SCORE, HIGHEST, LOWEST = range(3)

_ROW, _START, _SETTINGS = 12, 12, 8
_ROWS_A_GAME = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """How one seat plays.

    Attributes:
        weights: changes to the fitted weights of the rule bot.
        over: changes in force when a partner owns the play on the table, now and then.
        over_share: how often, 0 to 1.
        sees_landlord: whether it knows the landlord's hand.
        no_bombs: whether it leaves the enemies' bombs out of account.
        quota: bombs that it may play, -1 for any number.
        memory: packed mask of the ranks whose played cards it remembers.
        bot: family that plays the seat, empty for that of the run.
    """

    weights: tuple[tuple[str, float], ...] = ()
    over: tuple[tuple[str, float], ...] = ()
    over_share: float = 0.0
    sees_landlord: bool = False
    no_bombs: bool = False
    quota: int = -1
    memory: int = EVERYTHING
    bot: str = ""


OWN = Seat(bot="rule")
"""The rule bot as it is: what a seat is compared with that plays by changed weights.

Whatever the family of a run, both sides of a pair have the same bot in the seat that is tested; the
other seats are the family's.
"""


def tuned(**weights: float) -> Seat:
    """Return a seat of the rule bot with some weights changed."""
    return Seat(weights=tuple(sorted(weights.items())), bot="rule")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """How the first action of a game is picked.

    Attributes:
        how: :data:`AS_BOT`, :data:`PASS`, :data:`CARDS`, :data:`BEST` or :data:`BEST_OR_PASS`.
        form, not_form: forms of play wanted or excluded, -1 for any.
        steps: :data:`ANY_STEP`, :data:`BOMBS` or :data:`NO_BOMBS`.
        order: :data:`BY_SCORE`, :data:`HIGHEST` or :data:`LOWEST` top first.
        tops: mask of the tops allowed, 0 for any.
    """

    how: int = AS_BOT
    form: int = -1
    not_form: int = -1
    steps: int = ANY_STEP
    order: int = BY_SCORE
    tops: int = 0


@dataclass(frozen=True)
class Batch:
    """Games to be played, one a row, each from the landlord's first lead.

    Attributes:
        hands: packed, the bottom in the landlord's hand (games × seats).
        bottoms: packed bottom cards.
        start: how each game begins; see :mod:`ddz_core.kernels.claims`.
        script: packed cards of the actions that are played first (games × actions).
        codes: their codes, 0 for a pass.
        forced: packed cards of picked actions given as cards.
        seeds: a word a game.
    """

    hands: NDArray[np.uint64]
    bottoms: NDArray[np.uint64]
    start: NDArray[np.int64]
    script: NDArray[np.uint64]
    codes: NDArray[np.int64]
    forced: NDArray[np.uint64]
    seeds: NDArray[np.uint64]

    @staticmethod
    def of(
        hands: NDArray[np.uint64],
        bottoms: NDArray[np.uint64],
        *,
        landlord: int = 0,
        seed: int = 0,
    ) -> Batch:
        """Return games that begin with the landlord's lead, the bottom in its hand."""
        games = len(hands)
        start = np.zeros((games, _START), dtype=np.int64)
        start[:, 0] = landlord
        start[:, 5] = start[:, 6] = -1
        seeds = (np.arange(games, dtype=np.uint64) + np.uint64(seed % 2**62)) * np.uint64(
            0x9E3779B97F4A7C15
        )
        return Batch(
            hands=hands,
            bottoms=bottoms,
            start=start,
            script=np.zeros((games, 0), dtype=np.uint64),
            codes=np.zeros((games, 0), dtype=np.int64),
            forced=np.zeros(games, dtype=np.uint64),
            seeds=seeds,
        )

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def boss(self) -> NDArray[np.int64]:
        """The landlord of each game."""
        return self.start[:, 0]

    def picked(self, pick: Pick) -> Batch:
        """Return the games with the first action after the script picked otherwise."""
        start = self.start.copy()
        start[:, 3] = pick.how
        start[:, 5:10] = (pick.form, pick.not_form, pick.steps, pick.order, pick.tops)
        return replace(self, start=start)

    def without_forms(self, forms: NDArray[np.int64]) -> Batch:
        """Return the games with a form of play excluded in each."""
        start = self.start.copy()
        start[:, 3], start[:, 6] = BEST, forms
        return replace(self, start=start)

    def forcing(self, hands: NDArray[np.uint64], codes: NDArray[np.int64]) -> Batch:
        """Return the games with picked actions given as cards and codes."""
        start = self.start.copy()
        start[:, 3], start[:, 4] = CARDS, codes
        return replace(self, start=start, forced=hands.astype(np.uint64))

    def arms(self, arm: int | NDArray[np.int64]) -> Batch:
        """Return the games with another row of settings."""
        start = self.start.copy()
        start[:, 1] = arm
        return replace(self, start=start)

    def cut(self, actions: int) -> Batch:
        """Return the games broken off after so many actions."""
        start = self.start.copy()
        start[:, 10] = actions
        return replace(self, start=start)

    def scripted(
        self,
        script: NDArray[np.uint64],
        codes: NDArray[np.int64],
        lengths: int | NDArray[np.int64],
    ) -> Batch:
        """Return the games with actions that are played first."""
        start = self.start.copy()
        start[:, 2] = lengths
        return replace(self, start=start, script=script, codes=codes)

    def take(self, which: NDArray[Any]) -> Batch:
        """Return some of the games."""
        return Batch(*(getattr(self, one.name)[which] for one in fields(self)))


@dataclass(frozen=True)
class Trace:
    """Every decision of some games, in order.

    Attributes:
        rows: words of each decision; see :mod:`ddz_core.kernels.claims`.
        hands: packed hands before it (decisions × seats).
        cards: packed cards played, 0 for a pass.
        batch: the games.
        results: by game.
    """

    rows: NDArray[np.int64]
    hands: NDArray[np.uint64]
    cards: NDArray[np.uint64]
    batch: Batch
    results: NDArray[np.int64]

    @property
    def game(self) -> NDArray[np.int64]:
        """The game of each decision."""
        return self.rows[:, 0]

    @property
    def seat(self) -> NDArray[np.int64]:
        """The seat that acts."""
        return self.rows[:, 1]

    @property
    def owner(self) -> NDArray[np.int64]:
        """The seat that owns the play to beat, -1 for a lead."""
        return self.rows[:, 2]

    @property
    def code(self) -> NDArray[np.int64]:
        """The code to beat, 0 for a lead."""
        return self.rows[:, 3]

    @property
    def played(self) -> NDArray[np.int64]:
        """The code played, 0 for a pass."""
        return self.rows[:, 4]

    @property
    def choice(self) -> NDArray[np.bool_]:
        """Whether there was anything to choose."""
        return np.asarray(self.rows[:, 8] == 1)

    @property
    def boss(self) -> NDArray[np.int64]:
        """The landlord."""
        return self.rows[:, 9]

    @property
    def tricks(self) -> NDArray[np.int64]:
        """Tricks begun, this one included."""
        return self.rows[:, 11]

    def own(self) -> NDArray[np.uint64]:
        """Return the hand of the seat that acts."""
        return self.of(self.seat)

    def of(self, seat: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Return the hand of some seat in each decision."""
        return self.hands[np.arange(len(self.rows)), seat]

    def counts(self, seat: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return the cards by lane of the seat that acts, or of another one."""
        return lanes_of(self.own() if seat is None else self.of(seat))

    def left(self, seat: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many cards a seat has."""
        return np.asarray(self.counts(seat).sum(axis=1))

    def against(self) -> NDArray[np.bool_]:
        """Tell where the play to beat is an enemy's."""
        enemy = (self.owner == self.boss) != (self.seat == self.boss)
        return np.asarray((self.owner >= 0) & enemy)

    def first(self, where: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the first decision of each game at which something holds."""
        at = np.flatnonzero(where)
        _, places = np.unique(self.game[at], return_index=True)
        return at[places]

    def at(self, decisions: NDArray[np.int64]) -> Batch:
        """Return the games as they stand before some decisions."""
        games = self.game[decisions]
        begin = np.searchsorted(self.game, games)
        lengths = self.rows[decisions, 10]
        most = int(lengths.max(initial=0))
        places = begin[:, None] + np.arange(most)[None, :]
        inside = np.arange(most)[None, :] < lengths[:, None]
        places = np.where(inside, places, 0)
        script = np.where(inside, self.cards[places], np.uint64(0))
        codes = np.where(inside, self.played[places], 0)
        whole = self.batch.take(games).picked(Pick()).cut(0)
        return whole.scripted(script, codes, lengths)

    def line(self, decision: int) -> list[tuple[int, int, int]]:
        """Return the actions before a decision: seat, packed cards (0: pass) and code."""
        game = self.game[decision]
        begin = int(np.searchsorted(self.game, game))
        return [
            (int(self.seat[i]), int(self.cards[i]), int(self.played[i]))
            for i in range(begin, decision)
        ]


@dataclass
class Table:
    """Bots that play batches of one game; threads that share one wait for each other.

    Attributes:
        ruleset: the game.
        family: of the bots on seats whose settings name none.
    """

    ruleset: Ruleset
    family: str = "rule"
    _known: dict[tuple[tuple[str, float], ...], int] = field(default_factory=dict)
    _vectors: list[NDArray[np.float64]] = field(default_factory=list)

    def __post_init__(self) -> None:
        from ddz_core.kernels import claims as kernel
        from ddz_core.kernels import net as net_kernel
        from ddz_core.kernels import plain

        if self.family not in FAMILIES:
            raise DdzError(
                f"family: expected one of {', '.join(FAMILIES)}, got {self.family!r}",
                key="error.option.choice",
                field="family",
                expected=", ".join(FAMILIES),
                got=self.family,
            )
        self._kernel = kernel.play
        self._can_beat = plain.can_beat
        self.engine = rule.Engine(self.ruleset)
        self._fitted = rule.fitted(self.ruleset)
        self._weights(())
        nets = self.family == "net"
        if nets:
            net.check(self.ruleset)
        self._net = (
            net_kernel.forms_of(self.engine.table),
            net.shipped().reshape(-1) if nets else np.zeros(1, dtype=np.float32),
        )
        self._states = (
            np.zeros(net_kernel.STATE_V, dtype=np.int64),
            np.zeros(net_kernel.STATE_H, dtype=np.uint64),
        )
        self._room = (
            np.zeros(net_kernel.SPACE_Y, dtype=np.float32),
            np.zeros(net_kernel.SPACE_J, dtype=np.int64),
        )

    @property
    def seats(self) -> int:
        """Seats of the game."""
        return self.ruleset.deal.seats

    def play(
        self, batch: Batch, arms: Sequence[Sequence[Seat]] = ((),), *, trace: bool = False
    ) -> tuple[NDArray[np.int64], Trace | None]:
        """Play games to the end.

        Args:
            batch: the games; not changed.
            arms: rows of settings, one a seat; a short row leaves the other seats as they are.
            trace: whether to record the decisions.

        Returns:
            The result of each game, -1 where its first action cannot be made; and the trace.
        """
        room = _ROWS_A_GAME * len(batch) if trace else 0
        rows = np.zeros((room, _ROW), dtype=np.int64)
        words = np.zeros((room, self.seats + 1), dtype=np.uint64)
        results = np.zeros(len(batch), dtype=np.int64)
        engine = self.engine
        with engine.lock:
            settings, memory = self._settings(arms)
            number = self._kernel(
                engine.table.words,
                engine.work,
                engine.plan,
                engine.space,
                engine.cache,
                np.concatenate(self._vectors),
                *self._net,
                settings.reshape(-1),
                memory,
                engine.view,
                *self._states,
                batch.hands.copy(),
                batch.bottoms,
                batch.start.reshape(-1),
                batch.script,
                batch.codes,
                batch.forced,
                batch.seeds,
                np.uint64(self.ruleset.deck_cards),
                int(self.family == "net"),
                engine.moves,
                engine.codes,
                engine.scores,
                *self._room,
                results,
                rows,
                words,
            )
        if not trace:
            return results, None
        rows, words = rows[:number].copy(), words[:number].copy()
        return results, Trace(rows, words[:, :-1], words[:, -1], batch, results)

    def traced(self, batch: Batch, arms: Sequence[Sequence[Seat]] = ((),)) -> Trace:
        """Play games and return their decisions."""
        _, trace = self.play(batch, arms, trace=True)
        assert trace is not None
        return trace

    def turns(self, hands: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the fewest plays found for each hand, bombs kept whole."""
        return np.array(self.engine.turns([int(hand) for hand in hands], keep=True), dtype=np.int64)

    def can_beat(
        self, hands: NDArray[np.uint64], codes: NDArray[np.int64], *, bombs: bool = True
    ) -> NDArray[np.bool_]:
        """Return which hands have an answer to which code, bombs among them or not."""
        engine, limit = self.engine, (63 if bombs else 0)
        with engine.lock:
            found = [
                self._can_beat(
                    engine.table.words, engine.work, hand, code, limit, engine.moves, engine.codes
                )
                for hand, code in zip(hands, codes.tolist(), strict=True)
            ]
        return np.array(found, dtype=bool)

    def points(self, results: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what the landlord settles with one farmer at the lowest bid, negative if lost."""
        contract = min(self.ruleset.auction.levels, default=1)
        sign = np.where(results & WON, 1, -1)
        return (units(self.ruleset, contract, results) * sign).astype(np.int64)

    def code(self, text: str) -> int:
        """Return the code of a play."""
        return int(readings(self.ruleset, cards.parse_cards(text))[0].code)

    def form(self, text: str) -> int:
        """Return the form of a play, whatever its ranks."""
        return (self.code(text) >> 16) & 0x3FF

    def _weights(self, changes: tuple[tuple[str, float], ...]) -> int:
        if changes not in self._known:
            self._known[changes] = len(self._vectors)
            self._vectors.append(rule.weights_of(replace(self._fitted, **dict(changes))))
        return self._known[changes]

    def _settings(
        self, arms: Sequence[Sequence[Seat]]
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        settings = np.zeros((len(arms), self.seats, _SETTINGS), dtype=np.int64)
        memory = np.full((len(arms), self.seats), EVERYTHING, dtype=np.uint64)
        settings[:, :, 5] = -1
        settings[:, :, 6] = self.family == "net"
        for arm, row in enumerate(arms):
            for number, seat in enumerate(row):
                settings[arm, number, :7] = (
                    self._weights(seat.weights),
                    self._weights(seat.over or seat.weights),
                    round(seat.over_share * 2**32),
                    seat.sees_landlord,
                    seat.no_bombs,
                    seat.quota,
                    (seat.bot or self.family) == "net",
                )
                memory[arm, number] = seat.memory
        return settings, memory


@lru_cache(maxsize=8)
def table_of(ruleset: Ruleset, family: str) -> Table:
    """Return bots that play a game, kept for the next chunk."""
    return Table(ruleset, family)


@cache
def net_version() -> str:
    """Return eight hexadecimal digits that change with the weights of the net."""
    return hashlib.sha256(net.shipped().tobytes()).hexdigest()[:8]


def rng_of(seed: int, number: int) -> np.random.Generator:
    """Return the generator of a chunk."""
    return np.random.default_rng((seed, number))


def deck_of(ruleset: Ruleset) -> NDArray[np.uint64]:
    """Return the cards of the game, packed one by one."""
    counts = cards.counts_of(ruleset.deck_cards)
    return cards_of(counts)


def cards_of(counts: Sequence[int]) -> NDArray[np.uint64]:
    """Return cards packed one by one from counts by lane."""
    single = np.array([1 << 4 * lane for lane in range(cards.LANES)], dtype=np.uint64)
    return np.repeat(single, counts)


def dealt(
    pool: NDArray[np.uint64], sizes: Sequence[int], games: int, rng: np.random.Generator
) -> NDArray[np.uint64]:
    """Return random hands of these sizes from a pool (games × hands), the rest left over."""
    order = rng.permuted(np.broadcast_to(pool, (games, len(pool))), axis=1)
    ends = np.cumsum(sizes)
    return np.stack(
        [
            order[:, end - size : end].sum(axis=1, dtype=np.uint64)
            for end, size in zip(ends, sizes, strict=True)
        ],
        axis=1,
    )


def landlord_first(
    ruleset: Ruleset, games: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return random deals with seat 0 as landlord, the bottom already taken, and the bottoms."""
    spec = ruleset.deal
    found = dealt(deck_of(ruleset), [spec.hand] * spec.seats + [spec.bottom], games, rng)
    bottom = found[:, -1].copy()
    hands = found[:, :-1].copy()
    hands[:, 0] += bottom
    return hands, bottom
