"""What a hand is worth before anybody is landlord: by the book, and by playing it out.

Layer 3. :func:`bid` deals the unseen cards many times and lets rule bots play every deal with each
seat as landlord (:mod:`ddz_core.kernels.bids`); the other seats bid as the rule bot does from the
cards they would see. So every call of the hand is judged on the same deals, and the differences
between calls carry their own, narrower intervals. It is a simulation: the numbers belong to these
bots and to deals at random, and say so.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core import auction, cards, estimate, strengths
from ddz_core.bidding_deals import Deals, Sample, chance_of, check_deals, kernel_lacks
from ddz_core.bidding_games import GAME_CHUNK, GAME_DEALS, Games, Played, check_game, stands
from ddz_core.bookbids import ENOUGH, Thumb, bombs_in_all, gaps_of, points_of, thumbs_of
from ddz_core.bots.rule import bombs_in, fitted
from ddz_core.dealing import AnyRules, check_cards, check_seat, check_seed, plain_rules
from ddz_core.decompose import search_of
from ddz_core.display import Tabular, framed
from ddz_core.errors import DdzError
from ddz_core.estimate import Estimate
from ddz_core.patterns.reading import packed
from ddz_core.settling import farmer_factors, units

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from ddz_core.specs import Ruleset

DEALS = 4_000
"""Deals of a report unless told otherwise: the chance to win within 1.6 in a hundred."""

CHUNK = 1_000
"""Deals between two running reports: some 0.1 s."""

PASS = auction.PASS


@dataclass(frozen=True, slots=True, kw_only=True)
class BidReport(Tabular):
    """What is known of a hand before the bidding.

    Attributes:
        hand: the cards, low to high.
        seat: the order of speaking, 0 first.
        before: the calls made before.
        bottom: the bottom cards where they were given, else empty.
        points: 4-3-2-1 points.
        thumb: what each rule of thumb says.
        bombs: bombs and rockets held.
        controls: jokers and 2s.
        turns: the fewest plays, exactly.
        gaps: ranks that the longest straight of the game lacks.
        win: chance to win as landlord, over the deals and bottoms that can be.
        win_farmer: the same as farmer, each other seat being landlord once in every deal.
        percentile: the share of random hands that win less often as landlord, 0 to 1;
            None where no table is made, which takes the fast simulation.
        calls: mean points of each call; what the other seats do follows from their cards.
        calls_win: share of deals won by the hand's side after each call; a deal that is thrown in
            counts one half.
        gains: points of each call minus those of a pass, on the same deals.
        gains_win: the same for :attr:`calls_win`.
        behind: points of the best call minus those of each call, on the same deals.
        behind_win: the same for :attr:`calls_win`.
        raises: where farmers may raise their stake, the points of each factor as a farmer, over
            the deals in which a pass leads there.
        break_even: the chance to win as landlord at which the highest call is as good as a pass;
            None where no deal tells.
        deals: deals drawn.
        used: deals in which the other seats make the calls of ``before``.
        seed: of the deals.
        bots: who played them.
        games: whether these are whole games, where the fast simulation lacks something: the rule
            bot goes on for the own seat too, chances are over the deals in which a call led to the
            role, and without a pass among the calls there are no gains.
        rules: id of the ruleset.
    """

    hand: str
    seat: int
    before: tuple[str, ...]
    bottom: str
    points: int
    thumb: tuple[Thumb, ...]
    bombs: int
    controls: int
    turns: int
    gaps: str
    win: Estimate
    win_farmer: Estimate
    percentile: Estimate | None
    calls: dict[str, Estimate]
    calls_win: dict[str, Estimate]
    gains: dict[str, Estimate]
    gains_win: dict[str, Estimate]
    behind: dict[str, Estimate]
    behind_win: dict[str, Estimate]
    raises: dict[str, Estimate] = field(default_factory=dict)
    break_even: Estimate | None
    deals: int
    used: int
    seed: int
    bots: str = "rule"
    games: bool = False
    rules: str

    @property
    def bids_by_points(self) -> bool:
        """Whether the point count says to bid."""
        return self.points >= ENOUGH

    @property
    def bids_by_thumb(self) -> bool:
        """Whether any rule of thumb says to bid."""
        return any(rule.bids for rule in self.thumb)

    def best(self, objective: str = "points") -> tuple[str, ...]:
        """Return the best call first, and all that these deals do not tell from it.

        Args:
            objective: ``points`` or ``win``.
        """
        behind = self.behind if objective == "points" else self.behind_win
        ranked = sorted(behind, key=lambda call: behind[call].value)
        return tuple(call for call in ranked if behind[call].low <= 0)

    def frame(self) -> pd.DataFrame:
        """Return calls and chances as a pandas frame, one row a number, seed with each."""
        return framed(self.rows())

    def rows(self) -> list[dict[str, object]]:
        """Return every number as a row: what, action, value, interval, n, method, unit, seed."""
        named: list[tuple[str, str, Estimate]] = [
            ("win", "landlord", self.win),
            ("win", "farmer", self.win_farmer),
        ]
        if self.percentile is not None:
            named.append(("percentile", "landlord", self.percentile))
        if self.break_even is not None:
            named.append(("break_even", "landlord", self.break_even))
        for what in ("calls", "calls_win", "gains", "gains_win", "behind", "behind_win", "raises"):
            named += [(what, action, value) for action, value in getattr(self, what).items()]
        return [
            {"what": what, "action": action, **_plain(value), "rules": self.rules}
            for what, action, value in named
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        return {
            "hand": self.hand,
            "seat": self.seat,
            "before": list(self.before),
            "points": self.points,
            "by_points": self.bids_by_points,
            "thumb": [
                {"rule": one.rule, "met": one.met, "exception": one.exception} for one in self.thumb
            ],
            "by_thumb": self.bids_by_thumb,
            "bombs": self.bombs,
            "controls": self.controls,
            "turns": self.turns,
            "gaps": self.gaps,
            "deals": self.deals,
            "used": self.used,
            "numbers": self.rows(),
        }

    def __str__(self) -> str:
        def line(name: str, value: Estimate) -> str:
            return f"  {name:<10} {value.value:+.3f}  {value.low:+.3f} to {value.high:+.3f}"

        book = f"{self.points} points: {'bid' if self.bids_by_points else PASS}"
        thumb = f"rules of thumb: {'bid' if self.bids_by_thumb else PASS}"
        shape = f"{self.bombs} bombs, {self.controls} controls, {self.turns} plays"
        lines = [f"{self.hand}: {book}; {thumb}; {shape}"]
        lines.append(line("landlord", self.win))
        lines.append(line("farmer", self.win_farmer))
        lines += [line(action, value) for action, value in (self.calls | self.raises).items()]
        how = "whole games" if self.games else "sampled"
        lines.append(f"  {how}, {self.deals} deals, seed {self.seed}, bots {self.bots}")
        return "\n".join(lines)


def _plain(value: Estimate) -> dict[str, object]:
    return {
        "value": value.value,
        "low": value.low,
        "high": value.high,
        "n": value.n,
        "method": value.method,
        "unit": value.unit,
        "seed": value.seed,
    }


def bid(
    hand: str | cards.Hand,
    rules: AnyRules,
    seat: int = 0,
    *,
    before: Sequence[str | int] | None = None,
    bottom: str | cards.Hand = "",
    deals: int | None = None,
    seed: int = 1,
) -> BidReport:
    """Return what a hand is worth before the bidding; see :func:`bids`, whose last report it is.

    Cost: some 0.1 ms a deal, once compiled; where whole games are played, some 10 ms a call.
    """
    *_, last = bids(hand, rules, seat, before=before, bottom=bottom, deals=deals, seed=seed)
    return last


def bids(
    hand: str | cards.Hand,
    rules: AnyRules,
    seat: int = 0,
    *,
    before: Sequence[str | int] | None = None,
    bottom: str | cards.Hand = "",
    deals: int | None = None,
    seed: int = 1,
) -> Iterator[BidReport]:
    """Judge a hand before the bidding, yielding the running report every thousand deals.

    Where the fast simulation cannot play the game, whole games are played instead and the report
    runs on every few deals; see :mod:`ddz_core.bidding_games`.

    Args:
        hand: as many cards as the game deals, as text or packed.
        rules: the game.
        seat: the order of speaking, 0 for the first to speak.
        before: the calls of the seats that spoke before; left out, all of them passed.
        bottom: the bottom cards, where they are to be taken as known to the simulation.
        deals: deals, from 2 to 1,000,000; left out, 4,000, or 200 where whole games are played.
        seed: of the deals; the first thousand of two reports with one seed are the same.

    Raises:
        NotationError, HandError: if the cards cannot be read or dealt; it names the card.
        DdzError: for a seat, calls, number of deals or seed that cannot be.
    """
    question = Question.of(hand, rules, seat, before=before, bottom=bottom)
    if kernel_lacks(question.ruleset):
        yield from question.game_reports(check_deals(GAME_DEALS if deals is None else deals), seed)
        return
    deals = check_deals(DEALS if deals is None else deals)
    drawn = Deals(question.ruleset, question.hand, seed=check_seed(seed), bottom=question.bottom)
    while drawn.sample.size < deals:
        drawn.more(min(CHUNK, deals - drawn.sample.size))
        yield question.report(drawn.sample, seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A hand at its place in the bidding, checked; made by :meth:`of`."""

    ruleset: Ruleset
    hand: cards.Hand
    seat: int
    before: tuple[str, ...]
    bottom: cards.Hand
    legal: tuple[str, ...]

    @staticmethod
    def of(
        hand: str | cards.Hand,
        rules: AnyRules,
        seat: int = 0,
        *,
        before: Sequence[str | int] | None = None,
        bottom: str | cards.Hand = "",
    ) -> Question:
        """Check a question; arguments and errors as :func:`bids`."""
        ruleset = plain_rules(rules)
        spec = ruleset.deal
        check_game(ruleset)
        own, under = packed(hand), packed(bottom)
        known = spec.bottom if under else None
        check_cards(ruleset, [("hand", own, spec.hand), ("bottom", under, known)])
        check_seat(spec.seats, seat)
        calls = [PASS] * seat if before is None else [auction.normal_call(c) for c in before]
        for place in range(len(calls)):
            asked = stands(ruleset, calls[:place])
            if asked is None:
                break
            why = auction.refusal(asked, calls[place])
            if why is not None:
                raise why
            calls[place] = auction.call_in(asked, calls[place])
        now = stands(ruleset, calls, {seat: own}) if len(calls) == seat else None
        if now is None or now.seat != seat:
            raise DdzError(
                f"before: expected {seat} calls after which seat {seat} is asked, got {calls}",
                key="error.bid.before",
                field="before",
                expected=seat,
                got=", ".join(calls),
            )
        return Question(
            ruleset=ruleset,
            hand=own,
            seat=seat,
            before=tuple(calls),
            bottom=under,
            legal=now.legal,
        )

    def outcomes(self, call: str) -> dict[tuple[int, ...], tuple[int, int, int] | None]:
        """Return where the bidding ends after a call of the hand, by what the others want.

        Returns:
            For the level that each other seat would bid (0: pass), next seat first: the landlord
            counted from the own seat (-1: thrown in), the contract and the multiplier; None where
            these seats would not have made the calls before.
        """
        return _outcomes(self.ruleset, self.seat, self.before, call)

    def end(self, call: str, want: tuple[int, ...]) -> tuple[int, int, int] | None:
        """Return one of :meth:`outcomes`."""
        seats = self.ruleset.deal.seats
        made: list[str] = []
        spoken = False
        now = auction.bidding(self.ruleset, made)
        while now.status == "ask" and now.seat is not None:
            if now.seat == self.seat:
                word = PASS if spoken else call
                spoken = True
            else:
                word = self._call(now.legal, want[(now.seat - self.seat) % seats - 1])
            if len(made) < len(self.before) and word != self.before[len(made)]:
                return None
            made.append(word)
            now = auction.bidding(self.ruleset, made)
        if now.status != "landlord" or now.seat is None:
            return (-1, 0, 1)
        return ((now.seat - self.seat) % seats, now.contract, now.multiplier)

    def _call(self, legal: Sequence[str], want: int) -> str:
        """Return the call of the rule bot that wants a level."""
        words = [word for word in legal if word != PASS]
        if not want or not words:
            return PASS if PASS in legal else words[0]
        if not words[0].isdecimal():
            return words[0]
        numbers = self.ruleset.auction.levels
        fitting = [word for word in words if int(word) in numbers[:want]]
        if fitting:
            return fitting[-1]
        return PASS if PASS in legal else words[0]

    def report(self, sample: Sample, seed: int) -> BidReport:
        """Return the report of a sample of deals around the hand."""
        ruleset, n = self.ruleset, sample.size
        won = sample.won
        win = estimate.share(int(won[:, 0].sum()), n, seed=seed)
        as_farmer = 1.0 - won[:, 1:].mean(axis=1)
        worth = self._worth(sample)
        used = worth.used
        gains = {call: worth.points[call] - worth.points[PASS] for call in self.legal}
        gains_win = {call: worth.wins[call] - worth.wins[PASS] for call in self.legal}
        return BidReport(
            **self._book(seed),
            win=win,
            win_farmer=mean_of(as_farmer, "probability", seed),
            percentile=strengths.percentile(ruleset, win),
            calls={c: mean_of(x, "points", seed) for c, x in worth.points.items()},
            calls_win={c: mean_of(x, "probability", seed) for c, x in worth.wins.items()},
            gains={c: mean_of(x, "points", seed) for c, x in gains.items()},
            gains_win={c: mean_of(x, "probability", seed) for c, x in gains_win.items()},
            raises={c: mean_of(x, "points", seed) for c, x in worth.raises.items() if len(x) > 1},
            behind=_behind(worth.points, "points", seed),
            behind_win=_behind(worth.wins, "probability", seed),
            break_even=self._break_even(worth, won, seed),
            deals=n,
            used=used,
        )

    def _book(self, seed: int) -> dict[str, Any]:
        """Return the parts of a report that need no deals."""
        ruleset, counts = self.ruleset, cards.counts_of(self.hand)
        return {
            "hand": cards.format_cards(self.hand),
            "seat": self.seat,
            "before": self.before,
            "bottom": cards.format_cards(self.bottom),
            "points": points_of(self.hand),
            "thumb": thumbs_of(ruleset, self.hand),
            "bombs": bombs_in(ruleset, self.hand),
            "controls": sum(counts[cards.LANE["2"] : cards.MARKED]),
            "turns": search_of(ruleset).fewest(self.hand),
            "gaps": gaps_of(ruleset, self.hand),
            "seed": seed,
            "rules": ruleset.id,
        }

    def game_reports(self, deals: int, seed: int) -> Iterator[BidReport]:
        """Yield the running report of whole games, every few deals."""
        games = Games(
            *(self.ruleset, self.hand, self.seat, self.before, self.legal),
            seed=check_seed(seed),
            bottom=self.bottom,
        )
        while games.played.deals < deals:
            played = games.more(min(GAME_CHUNK, deals - games.played.deals))
            yield self.game_report(played, seed)

    def game_report(self, played: Played, seed: int) -> BidReport:
        """Return the report of whole games."""
        points = {c: played.points[:, i, 0] for i, c in enumerate(played.calls)}
        wins = {c: played.won[:, i] for i, c in enumerate(played.calls)}

        def means(of: dict[str, NDArray[np.float64]], unit: str) -> dict[str, Estimate]:
            return {call: mean_of(values, unit, seed) for call, values in of.items()}

        def gained(of: dict[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
            return {c: x - of[PASS] for c, x in of.items()} if PASS in of else {}

        chances = [played.role(landlord=boss) for boss in (True, False)]
        win, win_farmer = (
            estimate.share(int(one.sum()), len(one), seed=seed)
            if len(one)
            else mean_of(one, "probability", seed)
            for one in chances
        )
        return BidReport(
            **self._book(seed),
            win=win,
            win_farmer=win_farmer,
            percentile=None,
            calls=means(points, "points"),
            calls_win=means(wins, "probability"),
            gains=means(gained(points), "points"),
            gains_win=means(gained(wins), "probability"),
            behind=_behind(points, "points", seed),
            behind_win=_behind(wins, "probability", seed),
            break_even=None,
            deals=played.deals,
            used=played.used,
            games=True,
        )

    def _worth(self, sample: Sample) -> Worth:
        """Return points and wins of every call by deal, where the calls before fit."""
        ruleset = self.ruleset
        wants = wanted(ruleset, sample)
        base = len(ruleset.auction.levels) + 1
        powers = base ** np.arange(wants.shape[1] - 1, -1, -1)
        index = wants @ powers
        tables = {}
        for call in self.legal:
            ends = self.outcomes(call)
            rows = [ends[want] or (-2, 0, 1) for want in sorted(ends)]
            tables[call] = np.array(rows, dtype=np.int64)[index]
        fits = tables[self.legal[0]][:, 0] != -2
        own_factor, factors = farmer_factors(ruleset, self.hand, sample)
        won = sample.won[fits]
        points: dict[str, NDArray[np.float64]] = {}
        wins: dict[str, NDArray[np.float64]] = {}
        raises: dict[str, NDArray[np.float64]] = {}
        for call in self.legal:
            landlord, contract, multiplier = tables[call][fits].T
            value = np.zeros(len(landlord))
            side = np.full(len(landlord), 0.5)
            unit = np.zeros(len(landlord))
            for boss in range(ruleset.deal.seats):
                for level in np.unique(contract[landlord == boss]):
                    here = (landlord == boss) & (contract == level)
                    unit[here] = units(ruleset, int(level), sample.results[fits][here, boss])
                    unit[here] *= multiplier[here]
                    sign = np.where(won[here, boss], 1.0, -1.0)
                    if boss == 0:
                        value[here] = sign * unit[here] * factors[fits][here].sum(axis=1)
                        side[here] = won[here, 0]
                    else:
                        value[here] = -sign * unit[here] * own_factor
                        side[here] = ~won[here, boss]
            points[call], wins[call] = value, side
            if call == PASS:
                plain = value[landlord > 0] / own_factor
                steps = {f for row in ruleset.declare for f in row.factors}
                raises = {f"x{f}": plain * f for f in sorted(steps)}
        return Worth(points, wins, raises, int(fits.sum()), fits)

    def _break_even(self, worth: Worth, won: NDArray[np.bool_], seed: int) -> Estimate | None:
        """Return the chance to win at which the highest call is worth a pass."""
        top = self.legal[-1]
        gain, loss = worth.points[top], worth.points[PASS]
        mine = won[worth.fits][:, 0]
        if top == PASS or mine.sum() < 2 or (~mine).sum() < 2:
            return None
        up, down, level = gain[mine].mean(), gain[~mine].mean(), loss.mean()
        if up <= down:
            return None
        # the line is a ratio of means; its spread comes mostly from the mean of the pass
        half = 1.96 * float(loss.std(ddof=1)) / np.sqrt(len(loss)) / (up - down)
        value = float(np.clip((level - down) / (up - down), 0.0, 1.0))
        return Estimate(
            value=value,
            low=float(max(0.0, value - half)),
            high=float(min(1.0, value + half)),
            n=len(loss),
            method="sampled",
            seed=seed,
        )


@lru_cache(maxsize=256)
def _outcomes(
    ruleset: Ruleset, seat: int, before: tuple[str, ...], call: str
) -> dict[tuple[int, ...], tuple[int, int, int] | None]:
    asked = Question(ruleset=ruleset, hand=0, seat=seat, before=before, bottom=0, legal=())
    levels = range(len(ruleset.auction.levels) + 1)
    wants = itertools.product(levels, repeat=ruleset.deal.seats - 1)
    return {want: asked.end(call, want) for want in wants}


@dataclass(frozen=True, slots=True)
class Worth:
    """Points and wins of each call by deal; ``fits`` marks the deals used."""

    points: dict[str, NDArray[np.float64]]
    wins: dict[str, NDArray[np.float64]]
    raises: dict[str, NDArray[np.float64]]
    used: int
    fits: NDArray[np.bool_]


def _behind(values: dict[str, NDArray[np.float64]], unit: str, seed: int) -> dict[str, Estimate]:
    """Return how far each call is behind the best one, on the same deals."""
    best = max(values, key=lambda call: float(values[call].sum()))
    return {call: mean_of(values[best] - x, unit, seed) for call, x in values.items()}


def mean_of(values: NDArray[np.float64], unit: str, seed: int) -> Estimate:
    """Return the mean of samples; fewer than two tell nothing but themselves."""
    n = len(values)
    if n < 2:
        value = float(values.sum())
        wide = 1.0 if unit == "probability" else float("inf")
        low, high = (0.0, 1.0) if unit == "probability" else (-wide, wide)
        return Estimate(
            value=value, low=low, high=high, n=n, method="sampled", unit=unit, seed=seed
        )
    total, squares = float(values.sum()), float((values * values).sum())
    return estimate.mean(total, squares, n, unit=unit, seed=seed)


def wanted(ruleset: Ruleset, sample: Sample) -> NDArray[np.int64]:
    """Return the level that the rule bot would bid with each other hand, 0 for a pass."""
    parameters = fitted(ruleset)
    levels = len(ruleset.auction.levels)
    chance = chance_of(
        ruleset,
        "landlord",
        sample.hands,
        sample.points,
        bombs_in_all(ruleset, sample.hands),
        sample.turns,
    )
    low, high = parameters.bid_lowest, parameters.bid_highest
    share = (chance - low) / max(high - low, 1e-9)
    steps = np.minimum(levels, 1 + (share * (levels - 1)).astype(np.int64)) if levels > 1 else 1
    return np.where(chance < low, 0, steps).astype(np.int64)
