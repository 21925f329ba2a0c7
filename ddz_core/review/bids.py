"""Bids and statements before the lead, judged in chance to win and in points.

Layer 3. Bids are judged by :mod:`ddz_core.bidding`: one sample of deals names the best call,
another compares it with the call made. Factors, doubling, a claim and the choice of bottom cards
are judged in worlds that fit what the seat knows, in which rule bots play on. What changes who sees
what, or binds plays, is left out: games played on cannot show what it is worth. As stakes are the
matter of a bid, its verdict and label go by points, set against what a deal moves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import bidding, cards
from ddz_core.actions import PASS
from ddz_core.bidding import mean_of
from ddz_core.bidding_deals import kernel_lacks
from ddz_core.bookbids import ENOUGH
from ddz_core.bots.rule import strength
from ddz_core.course import calls_of
from ddz_core.errors import DdzError
from ddz_core.estimate import Estimate
from ddz_core.hints.topics import topic_of
from ddz_core.observation import observe
from ddz_core.review.bid_games import Rooms, lead_of, played, played_in, worth_of_calls
from ddz_core.review.judging import label_of
from ddz_core.review.report import Decision, Verdict
from ddz_core.review.told import Reason
from ddz_core.review.trial import Worth, chance, difference, not_below_zero
from ddz_core.review.worlds import Worlds, drawn, weight_of

if TYPE_CHECKING:
    from ddz_core.actions import Entry
    from ddz_core.bidding import BidReport
    from ddz_core.game import Game
    from ddz_core.observation import Observation
    from ddz_core.review.trial import Room

STAKE_TOPICS = ("raise", "double", "claim", "chosen")
"""Statements that games played on can judge."""
SMALL = 0.05
"""A loss in points below this share of what a deal moves on average is none worth a word."""

MOST_WORDS = 6
"""Choices among bottom cards that are compared."""
LEAST_DEALS = 16
"""Deals that any word is tried on, at least."""
LEAST_GAMES, MOST_GAMES = 10, 60
"""Deals that are bid and played out for a bid, where that takes whole games."""

_SECOND = 1_000_003
_HALF = 0.5
_Z = 1.959963984540054


def bid_judged(
    rooms: Rooms, before: Game, entry: Entry, samples: int, seed: int
) -> Decision | None:
    """Return a judged bid; None where the bidding cannot be judged at this place."""
    found = _by_report(before, entry, samples, seed)
    if kernel_lacks(before.ruleset):
        found = _by_games(rooms, before, entry, samples, seed)
    if found is None:
        return None
    opened, loss_open = _opened(rooms, before, entry, samples, seed)
    verdict = _by_points(found.points, found.moved)
    wrong = verdict == "wrong"
    seat = before.to_act
    assert seat is not None
    return Decision(
        index=entry.index,
        seat=seat,
        action=entry.action,
        best=found.best if wrong else entry.action,
        loss_win=found.win,
        loss_points=found.points,
        loss_open=loss_open,
        open=opened,
        known=verdict,
        kind="bid" if "wrong" in (verdict, opened) else "",
        reasons=found.reasons,
        label=label_of(_in_wins(found.points, found.moved)) if wrong else "",
        win=found.chance,
    )


@dataclass(frozen=True, slots=True)
class _Bid:
    """What a bid was worth with what the seat knew.

    Attributes:
        best: the best call.
        win, points: what was lost to it.
        chance: chance to win with the call made.
        moved: about how many points a deal moves.
        reasons: what was counted.
    """

    best: str
    win: Estimate
    points: Estimate
    chance: Estimate
    moved: float
    reasons: tuple[Reason, ...]


def _by_report(before: Game, entry: Entry, samples: int, seed: int) -> _Bid | None:
    """Judge a bid by two reports on the hand."""
    seat, action = before.to_act, entry.action
    if seat is None or kernel_lacks(before.ruleset):
        return None
    order = (seat - before.first) % before.seats
    try:
        first, second = (
            bidding.bid(
                before.hands[seat],
                before.rules,
                order,
                before=calls_of(before),
                deals=max(LEAST_DEALS, int(2 * samples / weight_of(before.ruleset))),
                seed=seed + step,
            )
            for step in (0, _SECOND)
        )
    except DdzError:
        return None  # asked again, or in an order that no deal of the rule bots leads to
    if second.used < 2 or action not in second.calls:
        return None
    best = max(first.calls, key=lambda call: first.calls[call].value)
    points = _behind(second.behind, best, action)
    win = _ahead(second, best, action)
    if best == action:
        points, win = _at_most(points), _at_most(win)
    shares = [round(100 * one.value) for one in (second.win, second.win_farmer)]
    return _Bid(
        best=best,
        win=win,
        points=points,
        chance=second.calls_win[action],
        moved=max(1.0, max(_moved(one) for one in second.calls.values())),
        reasons=(
            Reason("review.reason.bid_win", {"n": shares[0], "m": shares[1]}),
            *_hand_reasons(second.points, second.turns, second.bombs, second.controls),
        ),
    )


def _by_games(rooms: Rooms, before: Game, entry: Entry, samples: int, seed: int) -> _Bid | None:
    """Judge a bid on deals that are bid and played out."""
    deals = min(MOST_GAMES, max(LEAST_GAMES, samples // 6))
    worth = worth_of_calls(rooms, before, tuple(calls_of(before)), deals, seed)
    seat, action = before.to_act, entry.action
    if worth is None or seat is None or action not in worth:
        return None
    compared = _compared(worth, action, seed, float(len(worth[action].won)))
    power = strength(before.ruleset, before.hands[seat])
    chance_of_call = mean_of(worth[action].won, "probability", seed)
    return _Bid(
        best=compared.best,
        win=compared.win,
        points=compared.points,
        chance=chance_of_call,
        moved=compared.moved,
        reasons=_hand_reasons(power.points, power.turns, power.bombs, power.controls),
    )


def _hand_reasons(points: int, turns: int, bombs: int, controls: int) -> tuple[Reason, ...]:
    """Return what was counted in a hand."""
    return (
        Reason("review.reason.bid_points", {"n": points, "m": ENOUGH}),
        Reason("review.reason.bid_turns", {"n": turns, "m": bombs}),
        Reason("review.reason.bid_controls", {"n": controls}),
    )


@dataclass(frozen=True, slots=True)
class _Against:
    """One word against the best of the others; see :func:`_compared`."""

    best: str
    other: str
    win: Estimate
    points: Estimate
    moved: float


def _compared(worth: dict[str, Worth], action: str, seed: int, effective: float) -> _Against:
    """Compare a word with the best: one half of the deals names it, the other compares."""
    half = len(worth[action].won) // 2
    first = {word: float(one.points[:half].mean()) for word, one in worth.items()}
    best = max(first, key=lambda word: (first[word], word == action))
    rest = [word for word in first if word != action]
    other = best if best != action else max(rest, key=first.__getitem__)
    points, win = (
        not_below_zero(difference(a[half:], b[half:], effective / 2, unit, seed))
        for a, b, unit in (
            (worth[other].points, worth[action].points, "points"),
            (worth[other].won, worth[action].won, "probability"),
        )
    )
    if best == action:
        points, win = _at_most(points), _at_most(win)
    moved = max(1.0, max(float(np.sqrt((w.points**2).mean())) for w in worth.values()))
    return _Against(best, other, win, points, moved)


def _behind(behind: dict[str, Estimate], best: str, action: str) -> Estimate:
    """Return how far a call is behind the one named best, from how far both are behind the top."""
    one, other = behind[action], behind[best]
    return not_below_zero(
        replace(one, value=one.value - other.value, low=one.low - other.high, high=one.high)
    )


def _ahead(report: BidReport, best: str, action: str) -> Estimate:
    """Return how much more often the best call wins than the one made."""
    if best == action:
        return _none("probability", report.seed)
    behind = report.behind_win
    gap = report.calls_win[best].value - report.calls_win[action].value
    half = behind[action].high - behind[action].value
    half = max(half, behind[best].high - behind[best].value)
    return not_below_zero(
        Estimate(
            value=gap,
            low=gap - half,
            high=gap + half,
            n=report.used,
            method="sampled",
            seed=report.seed,
        )
    )


def _none(unit: str, seed: int) -> Estimate:
    return Estimate(value=0.0, low=0.0, high=0.0, method="sampled", unit=unit, seed=seed)


def _at_most(found: Estimate) -> Estimate:
    """Return a loss that is not sure to be one."""
    return Estimate(
        value=found.value,
        low=0.0,
        high=found.high,
        n=found.n,
        method=found.method,
        unit=found.unit,
        seed=found.seed,
    )


def _moved(found: Estimate) -> float:
    """Return what a deal moves, the root of the mean square of points, from their estimate."""
    spread = (found.high - found.value) / _Z * math.sqrt(max(found.n, 1))
    return math.hypot(found.value, spread)


def _in_wins(loss: Estimate, moved: float) -> Estimate:
    """Return a loss in points as the loss in chance to win that would cost as much.

    Between a deal won and the same deal lost lies twice what a deal moves.
    """
    return replace(
        loss,
        value=loss.value / (2 * moved),
        low=loss.low / (2 * moved),
        high=loss.high / (2 * moved),
        unit="probability",
    )


def _by_points(loss: Estimate, moved: float) -> Verdict:
    """Return what a loss in points says, against what a deal moves."""
    if loss.low > 0 and loss.value >= SMALL * moved:
        return "wrong"
    return "right" if loss.high < 4 * SMALL * moved else "unknown"


# --- with all hands open -------------------------------------------------------------------------


def _opened(
    rooms: Rooms, before: Game, entry: Entry, samples: int, seed: int
) -> tuple[Verdict, Estimate | None]:
    """Return the verdict of the deal as it lay: every call, the rule bots going on."""
    seat = before.to_act
    assert seat is not None
    number = max(LEAST_DEALS, int(max(40, samples // 2) / weight_of(before.ruleset)))
    worth: dict[str, Worth] = {}
    for word in before.options:
        found = played(rooms, lead_of(before.apply(word)), number, seat, seed)
        if found is None:
            return "unknown", None
        worth[word] = found
    compared = _compared(worth, entry.action, seed, float(number))
    if compared.best == entry.action:
        return "right", _none("probability", seed)
    return _by_points(compared.points, compared.moved), compared.win


# --- statements ----------------------------------------------------------------------------------


def stake_judged(
    rooms: Rooms, before: Game, entry: Entry, samples: int, seed: int
) -> Decision | None:
    """Return a judged statement before the lead; None where none can be judged."""
    seat = before.to_act
    assert seat is not None
    obs = observe(before, seat)
    if topic_of(obs) not in STAKE_TOPICS:
        return None
    room = rooms.of(before)
    worth: dict[str, Worth] = {}
    number = max(LEAST_DEALS, int(2 * samples / weight_of(before.ruleset)))
    worlds = drawn(room, obs, number, seed=seed, first=entry.index << 20)
    for word in _worth_trying(room, obs, entry.action):
        lead = _least(before.apply(word))
        hands = worlds.hands.copy()
        hands[:, seat] = np.uint64(lead.hands[seat])
        kept = Worlds(hands, worlds.sides, worlds.effective)
        found = played_in(rooms, lead, kept, seat, seed)
        if found is None:
            return None
        worth[word] = found
    action = entry.action
    if action not in worth:
        return None
    compared = _compared(worth, action, seed, worlds.effective)
    verdict = _by_points(compared.points, compared.moved)
    own = chance(worth[action].won > _HALF, worlds.effective, seed)
    means = [round(float(worth[word].points.mean()), 2) for word in (action, compared.other)]
    return Decision(
        index=entry.index,
        seat=seat,
        action=action,
        best=compared.other if verdict == "wrong" else action,
        loss_win=compared.win,
        loss_points=compared.points,
        known=verdict,
        kind="bid" if verdict == "wrong" else "",
        reasons=(
            Reason("review.reason.stake_win", {"n": round(100 * own.value)}),
            Reason(
                "review.reason.stake_points",
                {"n": means[0], "m": means[1], "word": action, "other_word": compared.other},
            ),
        ),
        label=label_of(_in_wins(compared.points, compared.moved)) if verdict == "wrong" else "",
        win=own,
    )


def _worth_trying(room: Room, obs: Observation, action: str) -> list[str]:
    """Return the words to compare: of many those that leave the fewest plays, and the one said."""
    words = list(obs.options)
    if len(words) <= MOST_WORDS:
        return words
    parts = [cards.parse_cards(word.partition(":")[2]) for word in words]
    turns = room.engine.turns([obs.hand + part for part in parts], keep=True)
    order = sorted(range(len(words)), key=lambda place: (turns[place], -parts[place]))
    best = [words[place] for place in order[:MOST_WORDS]]
    return best if action in best else [*best[:-1], action]


def _least(game: Game) -> Game:
    """Return a game after everybody else has stated as little as possible."""
    while game.phase == "declare" and game.to_act is not None:
        game = game.apply(PASS if PASS in game.options else game.options[0])
    return game
