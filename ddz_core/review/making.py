"""A game reviewed: what can be proven, what can be sampled, decision by decision.

Layer 3. The sizes of all samples are fixed before the work begins, so that equal questions get
equal answers; what two threads do does not depend on each other. The clock only stops a review that
takes too long, and then the review says that it is not complete.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ddz_core import cards
from ddz_core.dealing import check_seed
from ddz_core.errors import DdzError
from ddz_core.estimate import Estimate
from ddz_core.game import Game, new_game
from ddz_core.imports import NOT_TOLD
from ddz_core.review.bid_games import Rooms
from ddz_core.review.bids import bid_judged, stake_judged
from ddz_core.review.judging import Sizes, judged
from ddz_core.review.par import par_of
from ddz_core.review.report import CUTS, Decision, Moment, Par, Review, Showing
from ddz_core.review.solving import Stop, proven
from ddz_core.review.trial import Room, chance, tried
from ddz_core.review.worlds import one_world, weight_of

if TYPE_CHECKING:
    from ddz_core.actions import Entry
    from ddz_core.review.report import Answer
    from ddz_core.review.solving import Solved

__all__ = ["SECONDS", "Step", "Stop", "check_game", "made", "steps_of"]

SECONDS = 20.0
"""What a review may take unless told otherwise."""
MOST_SAMPLES = 20_000
LEAST = 40
"""Worlds in which the last actions of a decision are compared, at least and at most by default."""
MOST = 1000
PACE = 150_000.0
"""Cards in hand at all decisions together, times worlds, that a second is planned for."""
THREADS = 2
SOLVING, BIDDING = 0.4, 0.5
"""Shares of the time after which proving, and judging bids, ends."""
FIRST = Sizes(screen=20, final=LEAST, open=40)
"""What every decision gets before any gets more, where time is short."""
NODES, LEAST_SOLVED = 10_000, 400
"""Positions that the solver may look at in all, for each world of a comparison, these at least."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a game and the game before it."""

    entry: Entry
    before: Game
    options: int


def steps_of(game: Game) -> Iterator[Step]:
    """Yield every action of a seat with the game before it."""
    now = new_game(game.rules, game.deal)
    while len(now.history) < len(game.history):
        entry = game.history[len(now.history)]
        if entry.seat is None:
            break
        aside = entry.phase == "aside"
        yield Step(entry, now, 0 if aside else len(now.legal()))
        now = now.apply(entry.action, seat=entry.seat)


def check_game(game: object) -> Game:
    """Return a game that can be reviewed.

    Raises:
        DdzError: if it is none, or is not finished.
    """
    if not isinstance(game, Game):
        raise DdzError(
            f"game: expected a finished Game, got {type(game).__name__}",
            key="error.review.game",
            field="game",
            expected="Game",
            got=type(game).__name__,
        )
    if game.outcome is None:
        raise DdzError(
            f"game: expected one that is over, its phase is {game.phase}",
            key="error.review.unfinished",
            field="game",
            expected="settled",
            got=game.phase,
        )
    return game


def check_samples(samples: object) -> int:
    """Return a number of worlds that can be drawn.

    Raises:
        DdzError: if it is no whole number from 20 to 20,000.
    """
    whole = isinstance(samples, int) and not isinstance(samples, bool)
    if not isinstance(samples, int) or not whole or not 20 <= samples <= MOST_SAMPLES:
        raise DdzError(
            f"samples: expected a whole number from 20 to {MOST_SAMPLES}, got {samples!r}",
            key="error.odds.samples",
            field="samples",
            expected=f"20–{MOST_SAMPLES}",
            got=samples,
        )
    return samples


def planned(steps: Sequence[Step], seconds: float) -> int:
    """Return how many worlds a comparison gets, so that the whole takes about half the time."""
    work = sum(
        cards.size_of(sum(step.before.hands)) * max(1, len(step.before.history) // 4)
        for step in steps
    )
    heavy = max((weight_of(step.before.ruleset) for step in steps), default=1.0)
    return int(min(MOST, max(LEAST, PACE * seconds / max(work * heavy, 1))))


def made(
    game: Game,
    *,
    seed: int = 1,
    seconds: float = SECONDS,
    samples: int | None = None,
    cancel: Stop | None = None,
    progress: Callable[[float], None] | None = None,
) -> Review:
    """Return the review of a finished game.

    Args:
        game: of any ruleset, finished.
        seed: of all samples.
        seconds: what it may take, on two cores: it decides how many worlds are drawn.
        samples: worlds in which the last actions of a decision are compared, from 20 to 20,000;
            given, the clock is not looked at and equal questions get equal answers.
        cancel: something like ``threading.Event``; set, the review ends with what it has.
        progress: is told the share done, from 0 to 1, from any thread.

    Raises:
        DdzError: if the game is none or is not finished, or for a seed or number that cannot be.
    Cost: a few seconds for a game of three; most of it runs in two threads without the lock.
    """
    return _Work(
        check_game(game),
        seed=check_seed(seed),
        seconds=seconds,
        samples=None if samples is None else check_samples(samples),
        cancel=cancel,
        progress=progress,
    ).review()


class _Work:
    """One review being made."""

    def __init__(
        self,
        game: Game,
        *,
        seed: int,
        seconds: float,
        samples: int | None,
        cancel: Stop | None,
        progress: Callable[[float], None] | None,
    ) -> None:
        self.game, self.seed, self.seconds = game, seed, seconds
        self.cancel, self.progress = cancel, progress
        self.steps = list(steps_of(game))
        self.play = [step for step in self.steps if step.entry.phase == "play"]
        self.choices = [
            step
            for step in self.play
            if step.options > 1 and step.entry.seat not in step.before.trustee
        ]
        self.samples = planned(self.choices, seconds) if samples is None else samples
        self.sizes = Sizes(
            screen=max(20, self.samples // 3), final=self.samples, open=max(24, self.samples // 2)
        )
        self.begun = time.monotonic() if samples is None else None
        self.cut = False
        self.solved: dict[int, Solved] = {}
        self.told = 0.0

    def over(self, share: float = 1.0) -> bool:
        """Tell whether to stop: cancelled, or this share of the time is gone."""
        cancelled = self.cancel is not None and self.cancel.is_set()
        late = self.begun is not None and time.monotonic() > self.begun + share * self.seconds
        if cancelled or late:
            self.cut = True
        return cancelled or late

    def tell(self, share: float) -> None:
        """Tell how far the work is."""
        if self.progress is not None:
            self.progress(min(1.0, share))

    def review(self) -> Review:
        """Do everything."""
        self.tell(0.0)
        game = self.game
        rules = self.play[0].before.play_rules if self.play else None
        rooms = [] if rules is None else [Room(rules) for _ in range(THREADS)]
        decisions: list[Decision] = []
        curve: tuple[Moment, ...] = ()
        par: tuple[Par, ...] = ()
        with ThreadPoolExecutor(THREADS) as pool:
            first: Future[None] = pool.submit(self.solve)
            if rooms:
                curve = self.curve(rooms[0])
                par = par_of(rooms[0], game, self.play[0].before, self.samples, self.seed)
            decisions += self.bids()
            first.result()
            self.tell(0.2)
            if rooms:
                decisions += self.decisions(pool, rooms)
        decisions.sort(key=lambda one: one.index)
        review = Review(
            game=game,
            decisions=tuple(decisions),
            curve=self.proven(curve),
            turning=turning_of(decisions),
            par=par,
            seed=self.seed,
            samples=self.samples,
            seconds=self.seconds,
            complete=not self.cut,
        )
        self.tell(1.0)
        return replace(review, could_win=self.could_win(), how=self.how())

    # --- what is proven --------------------------------------------------------------------------

    def solve(self) -> None:
        """Prove what can be proven."""
        # a game that ended by leaving proves nothing of its last position
        won = None if self.game.out is None else self.game.outcome == "landlords"
        nodes = NODES * max(self.samples, LEAST_SOLVED)
        self.solved = proven(self.choices, won, nodes, _Late(self, SOLVING))

    def could_win(self) -> dict[int, Answer]:
        """Return by seat whether it could have won; see :class:`Review`."""
        game = self.game
        found: dict[int, Answer] = {}
        for seat in range(game.seats if game.landlords else 0):
            side = 1 if seat in game.landlords else -1
            if (game.outcome == "landlords") == (side == 1):
                found[seat] = "yes"
                continue
            values = [
                None if (one := self.solved.get(step.entry.index)) is None else one.value * side
                for step in self.choices
                if step.entry.seat == seat
            ]
            if 1 in values:
                found[seat] = "yes"
            else:
                found[seat] = "no" if values and all(v == -1 for v in values) else "unknown"
        return found

    def how(self) -> dict[int, Showing]:
        """Return by seat that lost what was proven won how that could have been kept."""
        game = self.game
        found: dict[int, Showing] = {}
        for step in self.choices:
            solved = self.solved.get(step.entry.index)
            seat = step.entry.seat
            if solved is None or seat is None:
                continue
            side = 1 if seat in game.landlords else -1
            lost = (game.outcome == "landlords") != (side == 1)
            if lost and solved.value == side and solved.line:
                found[seat] = Showing(index=step.entry.index, line=solved.line)
        return found

    # --- what is sampled -------------------------------------------------------------------------

    def curve(self, room: Room) -> tuple[Moment, ...]:
        """Return the chance of the landlord's side before every action of the play, and after."""
        game, number = self.game, max(60, self.samples // 2)
        lord = game.landlords[0]
        won = game.outcome == "landlords"
        last = Moment(index=len(game.history), win=_certain(won), solved=True)
        moments = [last]
        for step in reversed(self.play):
            index = step.entry.index
            if step.options == 1 and len(moments) > 1:
                moments.append(replace(moments[-1], index=index))
                continue
            if self.over(BIDDING):
                break
            found = tried(
                room,
                step.before,
                one_world(step.before.hands, game.landlords, number),
                None,
                seat=lord,
                seed=self.seed,
            )
            win = chance(found.won[:, 0], found.effective, self.seed)
            moments.append(Moment(index=index, win=win, solved=False))
        return tuple(reversed(moments))

    def proven(self, curve: Sequence[Moment]) -> tuple[Moment, ...]:
        """Return the curve with what is proven put in."""
        values = {index: one.value for index, one in self.solved.items()}
        found: list[Moment] = []
        for one in reversed(curve):
            value = values.get(one.index)
            if value is not None:
                found.append(Moment(index=one.index, win=_certain(value > 0), solved=True))
            elif found and not one.solved and self._forced(one.index):
                found.append(replace(found[-1], index=one.index))
            else:
                found.append(one)
        return tuple(reversed(found))

    def _forced(self, index: int) -> bool:
        """Tell whether the action at a place was the only one."""
        return any(step.entry.index == index and step.options == 1 for step in self.play)

    def bids(self) -> list[Decision]:
        """Return the judged bids and statements; none where the source told no bidding."""
        found: list[Decision] = []
        if dict(self.game.headers).get("bidding") == NOT_TOLD:
            return found
        kernels = Rooms()
        for step in self.steps:
            if step.options < 2 or self.over(BIDDING):
                continue
            one = None
            seed = self.seed + 1 + step.entry.index
            if step.entry.phase == "auction":
                one = bid_judged(kernels, step.before, step.entry, self.samples, seed)
            elif step.entry.phase == "declare":
                one = stake_judged(kernels, step.before, step.entry, self.samples, seed)
            if one is not None:
                found.append(one)
        return found

    def decisions(self, pool: ThreadPoolExecutor, rooms: Sequence[Room]) -> list[Decision]:
        """Return the judged decisions of the play.

        Where the clock is looked at, all are judged in few worlds first; then those that seem to
        have cost most, and the others after them, in as many as were planned.
        """
        found: dict[int, Decision] = {}
        if self.begun is not None and self.sizes.final > 2 * LEAST:
            self._judge(pool, rooms, self.choices, FIRST, found, (0.2, 0.35))

        def lost(step: Step) -> float:
            one = found.get(step.entry.index)
            return 0.0 if one is None else -one.loss_win.value

        order = sorted(self.choices, key=lost)
        self._judge(pool, rooms, order, self.sizes, found, (0.35, 1.0))
        return list(found.values())

    def _judge(
        self,
        pool: ThreadPoolExecutor,
        rooms: Sequence[Room],
        steps: Sequence[Step],
        sizes: Sizes,
        found: dict[int, Decision],
        part: tuple[float, float],
    ) -> None:
        """Judge decisions in all rooms at once; what is found takes the place of what was there."""
        texts = [entry.action for entry in self.game.history]
        done = 0

        def work(number: int) -> None:
            nonlocal done
            for step in steps[number :: len(rooms)]:
                if self.over():
                    return
                index = step.entry.index
                found[index] = judged(
                    rooms[number],
                    step.before,
                    step.entry,
                    sizes,
                    seed=self.seed,
                    solved=self.solved.get(index),
                    after=texts[index + 1 :],
                )
                done += 1
                self.tell(part[0] + (part[1] - part[0]) * done / max(1, len(steps)))

        for future in [pool.submit(work, number) for number in range(len(rooms))]:
            future.result()


@dataclass(frozen=True, slots=True)
class _Late:
    """Says when a part of the work has had its share of the time."""

    work: _Work
    share: float

    def is_set(self) -> bool:
        """Tell whether to end."""
        return self.work.over(self.share)


def _certain(won: bool) -> Estimate:
    """Return a proven chance."""
    value = float(won)
    return Estimate(value=value, low=value, high=value, method="solved")


def turning_of(decisions: Sequence[Decision]) -> tuple[int, ...]:
    """Return the decisions at which the game turned, the largest loss first.

    That are those that are wrong with what the seat knew; after them those that gave a result away
    with all hands open, then only moves.
    """

    def opened(one: Decision) -> float:
        loss = one.loss_open
        return 0.0 if loss is None or loss.low < CUTS["mistake"] else loss.value

    def weight(place: int) -> tuple[bool, float, float, bool]:
        one = decisions[place]
        wrong = one.known == "wrong"
        return (wrong, one.loss_win.value if wrong else 0.0, opened(one), bool(one.label))

    turned = [p for p, d in enumerate(decisions) if d.known == "wrong" or opened(d) or d.only]
    return tuple(sorted(turned, key=lambda p: (*(-w for w in weight(p)), p)))
