"""Bids and statements before the lead, judged in chance to win and in points.

Layer 3. Bids are judged by :mod:`ddz_core.bidding`: one sample of deals names the best call,
another compares it with the call made. Factors, doubling, a claim and the choice of bottom cards
are judged in worlds that fit what the seat knows, in which rule bots play on. What changes who sees
what, or binds plays, is left out: games played on cannot show what it is worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import bidding
from ddz_core.actions import PASS
from ddz_core.bidding_deals import kernel_lacks
from ddz_core.bidding_games import GAME_CHUNK
from ddz_core.bookbids import ENOUGH
from ddz_core.bots.rule import RuleBot
from ddz_core.course import calls_of
from ddz_core.errors import DdzError
from ddz_core.estimate import Estimate
from ddz_core.hints.topics import topic_of
from ddz_core.observation import observe
from ddz_core.review.judging import label_of
from ddz_core.review.report import Decision, Verdict
from ddz_core.review.told import Reason
from ddz_core.review.trial import Room, Settler, chance, difference, not_below_zero, tried
from ddz_core.review.worlds import Worlds, drawn, one_world

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.actions import Entry
    from ddz_core.bidding import BidReport
    from ddz_core.game import Game

STAKE_TOPICS = ("raise", "double", "claim", "chosen")
"""Statements that games played on can judge."""
SMALL = 0.05
"""A loss in points below this share of what a deal moves on average is none worth a word."""

_BOT = RuleBot()
_SECOND = 1_000_003
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Worth:
    """What one call or statement brought, by deal.

    Attributes:
        won: 1 where the own side won, 0 where it lost, one half where nobody did.
        points: of the own seat.
    """

    won: NDArray[np.float64]
    points: NDArray[np.float64]


def bid_judged(before: Game, entry: Entry, samples: int, seed: int) -> Decision | None:
    """Return a judged bid; None where the bidding cannot be judged at this place."""
    seat = before.to_act
    assert seat is not None
    calls = calls_of(before)
    order = (seat - before.first) % before.seats
    hand = before.hands[seat]
    whole = bool(kernel_lacks(before.ruleset))
    deals = max(2 * GAME_CHUNK, samples // 25) if whole else 2 * samples
    try:
        first, second = (
            bidding.bid(hand, before.rules, order, before=calls, deals=deals, seed=seed + step)
            for step in (0, _SECOND)
        )
    except DdzError:
        return None  # asked again, or in an order that no deal of the rule bots leads to
    action = entry.action
    if second.used < 2 or action not in second.calls:
        return None
    named = [max(one.calls, key=lambda c: one.calls[c].value) for one in (first, second)]
    agreed = named[0] == named[1]
    points = not_below_zero(second.behind[action])
    win = _ahead(second, named[1], action)
    if not agreed or named[1] == action:
        points, win = _at_most(points), _at_most(win)
    verdict = _by_points(points, _moved(second))
    opened, loss_open = _opened(before, entry, samples, seed)
    wrong = verdict == "wrong"
    return Decision(
        index=entry.index,
        seat=seat,
        action=action,
        best=named[1] if wrong else action,
        loss_win=win,
        loss_points=points,
        loss_open=loss_open,
        open=opened,
        known=verdict,
        kind="bid" if "wrong" in (verdict, opened) else "",
        reasons=_bid_reasons(second),
        label=label_of(win) if wrong else "",
        win=second.calls_win[action],
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


def _moved(report: BidReport) -> float:
    """Return about how many points a deal moves, as the calls differ."""
    return max(1.0, max(abs(one.value) for one in report.calls.values()))


def _by_points(loss: Estimate, moved: float) -> Verdict:
    """Return what a loss in points says, against what a deal moves."""
    if loss.low > 0 and loss.value >= SMALL * moved:
        return "wrong"
    return "right" if loss.high < 4 * SMALL * moved else "unknown"


def _bid_reasons(report: BidReport) -> tuple[Reason, ...]:
    """Return what was counted in the hand and in the deals."""
    win, farmer = (round(100 * one.value) for one in (report.win, report.win_farmer))
    return (
        Reason("review.reason.bid_win", {"n": win, "m": farmer}),
        Reason("review.reason.bid_points", {"n": report.points, "m": ENOUGH}),
        Reason("review.reason.bid_turns", {"n": report.turns, "m": report.bombs}),
        Reason("review.reason.bid_controls", {"n": report.controls}),
    )


# --- with all hands open -------------------------------------------------------------------------


def _opened(before: Game, entry: Entry, samples: int, seed: int) -> tuple[Verdict, Estimate | None]:
    """Return the verdict of the deal as it lay: every call, the rule bots going on."""
    seat = before.to_act
    assert seat is not None
    number = max(40, samples // 2)
    rooms: dict[str, Room] = {}
    worth: dict[str, Worth] = {}
    for word in before.options:
        lead = before.apply(word)
        while lead.phase != "play" and lead.to_act is not None:
            lead = lead.apply(_BOT.choose(observe(lead, lead.to_act)))
        found = _played(rooms, lead, one_world(lead.hands, lead.landlords, number), seat, seed)
        if found is None:
            return "unknown", None
        worth[word] = found
    half = number // 2
    means = {word: float(one.points[:half].mean()) for word, one in worth.items()}
    best = max(means, key=lambda word: (means[word], word == entry.action))
    if best == entry.action:
        return "right", _none("probability", seed)
    points, win = (
        difference(a[half:], b[half:], number - half, unit, seed)
        for a, b, unit in (
            (worth[best].points, worth[entry.action].points, "points"),
            (worth[best].won, worth[entry.action].won, "probability"),
        )
    )
    moved = max(1.0, float(np.abs(worth[best].points).mean()))
    return _by_points(not_below_zero(points), moved), not_below_zero(win)


def _played(
    rooms: dict[str, Room], lead: Game, worlds: Worlds, seat: int, seed: int
) -> Worth | None:
    """Play a deal many times from the lead; a deal without play is worth what it pays."""
    if lead.phase != "play":
        if lead.ledger is None:
            return None
        paid = np.full(len(worlds), float(lead.ledger.points[seat]))
        if not lead.landlords:
            return Worth(np.full(len(worlds), _HALF), paid)
        won = (lead.outcome == "landlords") == (seat in lead.landlords)
        return Worth(np.full(len(worlds), float(won)), paid)
    rules = lead.play_rules
    if rules.hash not in rooms:
        rooms[rules.hash] = Room(rules)
    room = rooms[rules.hash]
    found = tried(room, lead, worlds, None, seat=seat, seed=seed)
    points = Settler(lead).points(found, 0, seat)
    if points is None:
        return None
    return Worth(found.won[:, 0].astype(np.float64), points)


# --- statements ----------------------------------------------------------------------------------


def stake_judged(
    room: Room, before: Game, entry: Entry, samples: int, seed: int
) -> Decision | None:
    """Return a judged statement before the lead; None where none can be judged."""
    seat = before.to_act
    assert seat is not None
    obs = observe(before, seat)
    if topic_of(obs) not in STAKE_TOPICS or obs.rules.hash != room.engine.table.ruleset.hash:
        return None
    worth: dict[str, Worth] = {}
    worlds = drawn(room, obs, 2 * samples, seed=seed, first=entry.index << 20)
    for word in obs.options:
        lead = _least(before.apply(word))
        hands = worlds.hands.copy()
        hands[:, seat] = np.uint64(lead.hands[seat])
        kept = Worlds(hands, worlds.sides, worlds.effective)
        found = _played({room.engine.table.ruleset.hash: room}, lead, kept, seat, seed)
        if found is None:
            return None
        worth[word] = found
    action = entry.action
    if action not in worth:
        return None
    first = {word: float(one.points[:samples].mean()) for word, one in worth.items()}
    best = max(first, key=lambda word: (first[word], word == action))
    other = (
        best if best != action else max((w for w in first if w != action), key=first.__getitem__)
    )
    points, win = (
        not_below_zero(difference(a[samples:], b[samples:], worlds.effective / 2, unit, seed))
        for a, b, unit in (
            (worth[other].points, worth[action].points, "points"),
            (worth[other].won, worth[action].won, "probability"),
        )
    )
    if best == action:
        points, win = _at_most(points), _at_most(win)
    moved = max(1.0, float(np.abs(worth[action].points).mean()))
    verdict = _by_points(points, moved)
    own = chance(worth[action].won > _HALF, worlds.effective, seed)
    means = [round(float(worth[word].points.mean()), 2) for word in (action, other)]
    return Decision(
        index=entry.index,
        seat=seat,
        action=action,
        best=other if verdict == "wrong" else action,
        loss_win=win,
        loss_points=points,
        known=verdict,
        kind="bid" if verdict == "wrong" else "",
        reasons=(
            Reason("review.reason.stake_win", {"n": round(100 * own.value)}),
            Reason(
                "review.reason.stake_points",
                {"n": means[0], "m": means[1], "word": action, "other_word": other},
            ),
        ),
        label=label_of(win) if verdict == "wrong" else "",
        win=own,
    )


def _least(game: Game) -> Game:
    """Return a game after everybody else has stated as little as possible."""
    while game.phase == "declare" and game.to_act is not None:
        game = game.apply(PASS if PASS in game.options else game.options[0])
    return game
