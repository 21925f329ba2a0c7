"""How the sampler decides: worlds drawn and weighed, candidates tried in them, laggards dropped.

Layer 3, under :mod:`ddz_core.bots.sampler`, which says what it is for.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from ddz_core import actions, cards, estimate
from ddz_core.actions import PASS
from ddz_core.bots import net, payoffs
from ddz_core.bots.rooms import Candidate, Learned, Room, candidates_of, decisions_of
from ddz_core.bots.rule import partners_of
from ddz_core.estimate import Estimate
from ddz_core.language import Phrase
from ddz_core.patterns.combination import code_in, move_from

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.observation import Observation
    from ddz_core.patterns import Move

Objective = Literal["win", "points"]
OBJECTIVES: tuple[Objective, ...] = ("win", "points")

CHUNK = 8
"""Worlds tried between two looks at the clock."""
PROPOSALS = 4
"""Worlds drawn for one that is used, where they are weighed."""
SHARE = 0.2
"""Share of the time spent on drawing and weighing worlds, at most."""
MOST_WORLDS = 4096
MOST_SOLVED = 16
"""Worlds solved with open hands at most."""
_TRIED = 32
"""Worlds after which a candidate that is surely behind is dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How the sampler spends its budget.

    Attributes:
        seconds: CPU seconds a decision; None for no limit.
        samples: worlds in which the last candidates are tried; without ``seconds`` the choice is
            then a function of the observation and the generator.
        objective: ``win`` or ``points``.
        inference: whether worlds are weighed by the plays and passes seen.
        width: candidates at most, a pass beside them.
        noise: share of random moves in the games played on.
        heat: how far from the best score a player is thought to choose, in the rule bot's unit.
        floor: share of decisions seen of which nothing is assumed.
        prior: how much the rule bot's own scores count as long as few worlds were tried.
        net: whether the net is asked where it plays the game and winning is the objective.
        depth: moves by the net before it judges a world.
        judged: share of a world's value that the net's judgement makes up; the rest is the game
            played on.
        trust: share of a candidate's value that the net's estimate without any world makes up.
        solver_cards: from so few cards in all hands on worlds are solved with open hands; 0 never.
        proof: share of a candidate's value that solved worlds make up.
    """

    seconds: float | None = 0.1
    samples: int | None = None
    objective: Objective = "win"
    inference: bool = True
    width: int = 14
    noise: float = 0.02
    heat: float = 5.0
    floor: float = 0.06
    prior: float = 0.1
    net: bool = True
    depth: int = 1
    judged: float = 0.0
    trust: float = 0.2
    solver_cards: int = 20
    proof: float = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Advised:
    """What one candidate came to.

    Attributes:
        action: its text, as a game takes it.
        move: the play, None for a pass.
        win: chance that the own side wins.
        points: points of the own seat.
        worlds: worlds in which it was tried.
        solved: worlds solved with open hands, likely ones first, and how many of them are won.
        score: what the rule bot gives it; a pass has 0.
        turns: plays that the rest of the hand needs, as the rule bot counts them.
    """

    action: str
    move: Move | None
    win: Estimate
    points: Estimate
    worlds: int
    solved: tuple[int, int]
    score: float
    turns: int

    @property
    def reasons(self) -> tuple[Phrase, ...]:
        """What was counted for it, to be worded: worlds won, plays left, worlds solved."""
        won, of = self.solved
        found = [Phrase("advice.turns", {"n": self.turns})]
        if self.worlds:
            won_worlds = round(self.win.value * self.worlds)
            told: dict[str, object] = {"won": won_worlds, "n": self.worlds}
            found.insert(0, Phrase("advice.worlds", told))
        if of:
            found.append(Phrase("advice.solved", {"won": won, "n": of}))
        return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What the sampler found about one decision; the first candidate is its choice.

    Attributes:
        candidates: best first.
        seed: of the worlds.
        worlds: worlds in which the choice was tried.
        effective: equally likely worlds that would tell as much as those drawn.
        games: games played to the end.
    """

    candidates: tuple[Advised, ...]
    seed: int
    worlds: int
    effective: float
    games: int


class Search:
    """One decision being tried."""

    def __init__(self, room: Room, obs: Observation, options: Options, seed: int) -> None:
        self.room, self.obs, self.options, self.seed = room, obs, options, seed
        wanted = options.net and options.objective == "win"
        self.learned = room.net(obs.ruleset) if wanted else None
        self.found = found = candidates_of(room, obs, options.width, self.learned)
        kernel = room.kernel
        seats = obs.seats
        partners = partners_of(obs)
        mine = obs.side_of(obs.seat) == "landlord"
        self.mine = mine
        needs = [
            0 if seat == obs.seat else obs.left[seat] - cards.size_of(obs.known[seat])
            for seat in range(seats)
        ]
        seen = obs.to_beat is not None and obs.beat_by is not None
        table = np.zeros(kernel.TABLE, dtype=np.int64)
        table[:3] = seats, obs.seat, obs.landlords[0]
        table[3] = cast("int", obs.beat_by) if seen else -1
        table[4] = code_in(room.engine.table, obs.to_beat) if obs.to_beat is not None else 0
        for seat in range(seats):
            table[kernel.SIDES + seat] = mine if partners[seat] else not mine
            table[kernel.PLAYS + seat] = obs.plays[seat]
            table[kernel.NEEDS + seat] = needs[seat]
        self.table = table
        self.known = np.array(obs.known, dtype=np.uint64)
        counts = cards.counts_of(obs.unplaced)
        self.pool = np.array(
            [1 << 4 * lane for lane, count in enumerate(counts) for _ in range(count)],
            dtype=np.uint64,
        )
        hidden = [need > 0 and options.inference for need in needs]
        self.seen, self.packed = decisions_of(room.engine, obs, hidden, kernel.SEEN)
        self.plays = np.array([one.hand for one in found], dtype=np.uint64)
        self.codes = np.array([one.code for one in found], dtype=np.int64)
        self.out = np.uint64(obs.ruleset.deck_cards - sum(obs.played))
        self.active = list(range(len(found)))
        self.results = np.zeros((len(found), MOST_WORLDS), dtype=np.int64)
        self.tried = np.zeros(len(found), dtype=np.int64)
        self.done = self.games = 0
        self.effective = 0.0
        scores = np.array([one.score for one in found])
        behind = np.minimum(1.0, (scores.max() - np.maximum(scores, -1.0e6)) / 30.0)
        self.prior = -options.prior * behind
        self.values = np.zeros((len(found), MOST_WORLDS))
        self.trust = 0.0
        if self.learned is not None:
            self.trust = options.trust
            if options.judged:
                self.learned.engine.take(obs)
        self.solved = np.zeros((len(found), 2), dtype=np.int64)
        self.chances = np.array([one.chance or 0.0 for one in found])
        self.judgements = np.zeros((len(found), MOST_WORLDS))
        self.cluster = np.zeros(MOST_WORLDS, dtype=np.int64)

    # --- worlds ----------------------------------------------------------------------------------

    def drawn(self, first: int, number: int) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """Return some worlds, a row each, and the logarithms of their weights."""
        worlds = np.zeros((number, self.obs.seats), dtype=np.uint64)
        chances = np.zeros(number, dtype=np.float64)
        engine = self.room.engine
        self.room.kernel.draw_worlds(
            *self.room.shared,
            self.table,
            self.known,
            self.pool,
            self.seen,
            self.packed,
            self.options.heat,
            self.options.floor,
            np.uint64(self.seed),
            first,
            engine.moves,
            engine.codes,
            engine.scores,
            worlds,
            chances,
        )
        return worlds, chances

    def _worlds(self, deadline: float, wanted: int) -> NDArray[np.uint64]:
        """Return worlds to be tried in order; likelier ones come more often."""
        drawn: list[tuple[NDArray[np.uint64], NDArray[np.float64]]] = []
        if len(self.seen) == 0:
            self.effective = float(wanted)
            worlds, _ = self.drawn(0, wanted)
            self.cluster[:wanted] = np.arange(wanted)
            return worlds
        number = 0
        while number < PROPOSALS * wanted:
            size = min(32, PROPOSALS * wanted - number)
            drawn.append(self.drawn(number, size))
            number += size
            if time.thread_time() > deadline:
                break
        worlds = np.concatenate([one for one, _ in drawn])
        chances = np.concatenate([two for _, two in drawn])
        weights = np.exp(chances - chances.max())
        weights /= weights.sum()
        self.effective = 1.0 / float(weights @ weights)
        rng = np.random.default_rng(self.seed)
        steps = (np.arange(wanted) + rng.random()) / wanted
        places = np.minimum(np.searchsorted(np.cumsum(weights), steps), number - 1)
        places = rng.permutation(places)
        self.cluster[:wanted] = places
        return np.ascontiguousarray(worlds[places])

    # --- trying ----------------------------------------------------------------------------------

    @property
    def plain(self) -> Candidate | None:
        """The play to make without any search: the only one, or one that goes out."""
        first = self.found[0]
        return first if len(self.found) == 1 or first.hand == self.obs.hand else None

    def run(self, *, tell: bool = False) -> Candidate:
        """Spend the budget and return the choice; ``tell``: solve worlds though all is clear."""
        options = self.options
        start = time.thread_time()
        wanted = min(options.samples or MOST_WORLDS, MOST_WORLDS)
        end = math.inf if options.seconds is None else start + options.seconds
        worlds = self._worlds(start + SHARE * (end - start), wanted)
        begun = time.thread_time()
        marks = [0.25, 0.5, 0.75]
        engine = self.room.engine
        while self.done < wanted and len(self.active) > 1:
            size = min(CHUNK, wanted - self.done)
            self.games += self.room.kernel.try_plays(
                *self.room.shared,
                self.table,
                worlds[self.done : self.done + size],
                self.done,
                np.array(self.active, dtype=np.int64),
                self.plays,
                self.codes,
                self.out,
                round(1024 * options.noise),
                np.uint64(self.seed),
                engine.moves,
                engine.codes,
                engine.scores,
                self.room.hands,
                self.room.plays,
                self.results,
            )
            if self.learned is not None and options.judged:
                self._judge(self.learned, worlds[self.done : self.done + size])
            self._count(size)
            now = time.thread_time()
            spent = max(self.done / wanted, (now - begun) / max(end - begun, 1e-9))
            while marks and spent >= marks[0]:
                del marks[0]
                self._halve()
            self._drop()
            if now >= end:
                break
        if tell or len(self.active) > 1:
            self._solve(worlds[: self.done], end)
        return self.found[self.ranked()[0]]

    def _solve(self, worlds: NDArray[np.uint64], end: float) -> None:
        """Solve the likeliest worlds with open hands, for the candidates still in question."""
        obs, table = self.obs, self.table
        few = sum(obs.left) <= self.options.solver_cards
        if not few or not len(worlds):
            return
        places, counts = np.unique(self.cluster[: len(worlds)], return_counts=True)
        first = {int(place): i for i, place in reversed([*enumerate(self.cluster[: len(worlds)])])}
        sides = sum(1 << s for s in range(obs.seats) if table[self.room.kernel.SIDES + s])
        for at in np.argsort(-counts, kind="stable")[:MOST_SOLVED]:
            world = [int(hand) for hand in worlds[first[int(places[at])]]]
            for place in self.active:
                self._prove(place, world, sides, int(counts[at]))
            if time.thread_time() >= end:
                break

    def _prove(self, place: int, world: list[int], sides: int, count: int) -> None:
        """Add what open hands prove of one candidate in one world."""
        obs, one = self.obs, self.found[place]
        seat, following = obs.seat, (obs.seat + 1) % obs.seats
        code, owner = int(self.table[4]), int(self.table[3])
        hands = list(world)
        if one.hand:
            code, owner = one.code, seat
            hands[seat] -= one.hand
        if not hands[seat]:
            won: bool | None = self.mine
        elif owner == following and not one.hand:
            won = self.room.proven(hands, following, 0, 0, sides)
        else:
            won = self.room.proven(hands, following, code, owner, sides)
        if won is not None:
            self.solved[place] += (count * (won == self.mine), count)

    def _judge(self, learned: Learned, worlds: NDArray[np.uint64]) -> None:
        """Let the net judge the candidates in some worlds."""
        engine = learned.engine
        learned.judge(
            engine.table.words,
            engine.work,
            engine.plan,
            engine.space,
            engine.cache,
            engine.forms,
            engine.weights.reshape(-1),
            engine.state,
            engine.hands,
            learned.state,
            learned.hands,
            worlds,
            self.done,
            np.array(self.active, dtype=np.int64),
            self.plays,
            self.codes,
            np.uint64(net.WHOLE_DECK),
            self.options.depth,
            engine.moves,
            engine.codes,
            engine.scores,
            engine.sums,
            engine.inputs_room,
            self.judgements,
        )

    def _count(self, size: int) -> None:
        part = slice(self.done, self.done + size)
        for place in self.active:
            raw = self.results[place, part]
            if self.options.objective == "points":
                self.values[place, part] = payoffs.points(self.obs, raw)
            else:
                self.values[place, part] = (raw & 1) == self.mine
            share = self.options.judged
            if self.learned is not None and share:
                judged = self.judgements[place, part]
                own = judged if self.mine else 1.0 - judged
                self.values[place, part] = (1 - share) * self.values[place, part] + share * own
        self.done += size
        self.tried[self.active] = self.done

    def _worth(self, place: int) -> float:
        n = int(self.tried[place])
        mean = float(self.values[place, :n].mean()) if n else 0.0
        mean = (1 - self.trust) * mean + self.trust * float(self.chances[place])
        won, of = map(int, self.solved[place])
        if of and self.options.objective == "win":
            mean = (1 - self.options.proof) * mean + self.options.proof * won / of
        return mean + float(self.prior[place]) * 100.0 / (100.0 + n) * self._scale

    @property
    def _scale(self) -> float:
        """How much a won game is worth, for the prior."""
        if self.options.objective == "win" or not self.done:
            return 1.0
        return 2.0 * float(np.abs(self.values[self.active, : self.done]).mean())

    def _halve(self) -> None:
        ranked = sorted(self.active, key=self._worth, reverse=True)
        self.active = ranked[: max(2, math.ceil(len(ranked) / 2))]

    def _drop(self) -> None:
        """Drop candidates that are surely behind the best."""
        if self.done < _TRIED:
            return
        best = max(self.active, key=self._worth)
        own = self.values[best, : self.done]
        kept = []
        for place in self.active:
            behind = own - self.values[place, : self.done]
            error = float(behind.std()) / math.sqrt(self.done)
            ahead = self._worth(best) - self._worth(place)
            if place == best or ahead <= 3.0 * error + 1e-9:
                kept.append(place)
        self.active = kept

    def ranked(self) -> list[int]:
        """Return the places of all candidates, the choice first."""
        first = sorted(self.active, key=self._worth, reverse=True)
        rest = [place for place in range(len(self.found)) if place not in first]
        return [*first, *sorted(rest, key=lambda i: (self.tried[i], self._worth(i)), reverse=True)]

    # --- telling ---------------------------------------------------------------------------------

    def advice(self) -> Advice:
        """Return what was found."""
        engine = self.room.engine
        turns = engine.turns([self.obs.hand - one.hand for one in self.found], keep=True)
        told = [self._advised(place, turns[place]) for place in self.ranked()]
        return Advice(
            candidates=tuple(told),
            seed=self.seed,
            worlds=self.done,
            effective=self.effective,
            games=self.games,
        )

    def _advised(self, place: int, turns: int) -> Advised:
        one, n = self.found[place], int(self.tried[place])
        raw = self.results[place, :n]
        move = None
        text = PASS
        if one.hand:
            move = move_from(self.room.engine.table, one.hand, one.code)
            text = _text(self.obs, move)
        return Advised(
            action=text,
            move=move,
            win=_estimate((raw & 1) == self.mine, self.cluster[:n], "probability", self.seed),
            points=_estimate(payoffs.points(self.obs, raw), self.cluster[:n], "points", self.seed),
            worlds=n,
            solved=(int(self.solved[place, 0]), int(self.solved[place, 1])),
            score=one.score,
            turns=turns,
        )


def _text(obs: Observation, move: Move) -> str:
    """Return a play as an action's text, its reading named where that matters."""
    automatic = actions.automatic_reading(obs.ruleset, move.hand, obs.to_beat)
    own = actions.reading_of(move)
    unnamed = automatic is not None and actions.reading_of(automatic) == own
    return actions.written(move.hand, None if unnamed else own)


def _estimate(values: NDArray[Any], worlds: NDArray[np.int64], unit: str, seed: int) -> Estimate:
    """Return a mean over games, where games of one world are not independent."""
    n = len(values)
    if n == 0:
        return Estimate(value=0.0, low=0.0, high=1.0, method="sampled", unit=unit, seed=seed)
    value = float(values.mean())
    _, place = np.unique(worlds, return_inverse=True)
    off = np.bincount(place, weights=np.asarray(values, dtype=np.float64) - value)
    half = 1.96 * math.sqrt(float(off @ off)) / n
    if unit == "probability":
        least = estimate.share(round(value * n), n, seed=seed)
        low, high = max(0.0, min(least.low, value - half)), min(1.0, max(least.high, value + half))
    else:
        low, high = value - half, value + half
    return Estimate(value=value, low=low, high=high, n=n, method="sampled", unit=unit, seed=seed)
