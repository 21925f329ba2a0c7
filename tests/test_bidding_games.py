"""Hands judged by whole games, where the fast simulation lacks something of the game."""

from __future__ import annotations

import math

import numpy as np
import pytest
from refusals import refused

import ddz_core as ddz
from ddz_core import bidding, cards, dealing
from ddz_core.bidding_deals import check_kernel, kernel_lacks
from ddz_core.bidding_games import Games, calls_before, seats_asked

CLASSIC = ddz.load_ruleset("classic")
STRONG, WEAK = "2222XD33445566778", "33455677899JJQQKT"
FORCED = "3333444455556789TTJJQQKA2"
"""Three bombs, in games of two packs that count them."""

OPEN = "3345678999TTTJJQQKKAA2267"
"""No bomb and no joker, in games of two packs."""


def games(name: str, hand: str, seat: int = 0, seed: int = 1) -> tuple[bidding.Question, Games]:
    """A hand's question, and games around it."""
    asked = bidding.Question.of(hand, ddz.load_ruleset(name), seat)
    made = Games(
        *(asked.ruleset, asked.hand, asked.seat, asked.before, asked.legal),
        seed=seed,
    )
    return asked, made


def hand_of(name: str, seed: int = 3) -> str:
    """A random hand of a game."""
    dealt = dealing.deal(ddz.load_ruleset(name), seed=seed)
    return cards.format_cards(cards.from_cards(dealt.hands[0]))


@pytest.mark.parametrize(
    ("name", "hand", "calls"),
    [
        ("laizi", "", ("pass", "1", "2", "3")),
        ("rob-laizi", "", ("pass", "call")),
        ("er-da-yi", "", ("pass", "call")),
        ("ningbo", "", ("take", "cede")),
        ("arena-4p", "", ("pass", "1", "2", "3")),
        ("jiujiang", OPEN, ("pass", "3")),
        ("zaozhuang", OPEN, ("pass", "1", "2", "3")),
        ("zaozhuang", FORCED, ("3",)),
        ("jiujiang", FORCED, ("3",)),
    ],
)
def test_every_open_call_is_played(name: str, hand: str, calls: tuple[str, ...]) -> None:
    """The calls are those that a game opens to the hand, forced ones alone; points add up to 0."""
    asked, made = games(name, hand or hand_of(name))
    assert kernel_lacks(asked.ruleset)
    assert asked.legal == calls
    played = made.more(3)
    game = ddz.new_game(asked.ruleset, made.deal(0))
    while game.phase == "deal":
        game = game.apply("pass")
    assert game.to_act == 0
    assert game.options == calls
    assert (played.deals, played.used) == (3, 3)
    assert played.points.shape == (3, len(calls), asked.ruleset.deal.seats)
    assert not played.points.sum(axis=2).any()
    report = asked.game_report(played, 1)
    assert list(report.calls) == list(calls)
    assert report.percentile is None
    assert set(report.gains) == (set(calls) if "pass" in calls else set())
    for row in report.rows():
        assert row["low"] <= row["value"] <= row["high"], row


@pytest.mark.parametrize(("name", "seat"), [("laizi", 0), ("er-da-yi", 1), ("ningbo", 2)])
def test_deals_are_those_of_the_seed(name: str, seat: int) -> None:
    """Deals use every card once, keep the hand at its seat, and do not depend on the chunks."""
    hand = hand_of(name)
    asked, whole = games(name, hand, seat)
    _, cut = games(name, hand, seat)
    whole.more(5)
    cut.more(2)
    cut.more(3)
    assert np.array_equal(whole.played.points, cut.played.points)
    deals = [whole.deal(number) for number in range(5)]
    assert len({dealt.text(suits=True) for dealt in deals}) == 5
    assert whole.deal(0) != games(name, hand, seat, seed=2)[1].deal(0)
    for dealt in deals:
        dealing.check_deal(asked.ruleset, dealt)
        assert cards.from_cards(dealt.hands[seat]) == asked.hand
        parts = [*dealt.hands, dealt.bottom, dealt.dead]
        assert sum(map(cards.from_cards, parts)) == asked.ruleset.deck_cards
        assert len({card for part in parts for card in part}) == sum(map(len, parts))


@pytest.mark.parametrize(("hand", "calls"), [(STRONG, ["3"]), (WEAK, ["pass", "1", "2", "3"])])
def test_whole_games_agree_with_the_fast_simulation(hand: str, calls: list[str]) -> None:
    """On calls after which the hand makes no further bid, both ways give the same points."""
    asked, made = games("classic", hand)
    slow, fast = asked.game_report(made.more(80), 1), ddz.bid(hand, CLASSIC, deals=3_000)
    assert slow.deals == slow.used == 80
    pairs = [(slow.calls[call], fast.calls[call]) for call in calls]
    for one, two in [*pairs, (slow.win, fast.win)]:
        spread = math.hypot(one.high - one.low, two.high - two.low) / (2 * 1.96)
        assert abs(one.value - two.value) <= 4 * spread
    assert slow.thumb == fast.thumb
    assert slow.turns == fast.turns


def test_report_of_whole_games() -> None:
    """The library plays whole games by itself, the same for one seed; calls before are evidence."""
    rules, hand = ddz.load_ruleset("laizi"), hand_of("laizi")
    report = ddz.bid(hand, rules, deals=6, seed=4)
    assert report == ddz.bid(hand, rules, deals=6, seed=4)
    assert report.games
    assert report.win.n <= 6
    assert "whole games, 6 deals" in str(report)
    running = [one.deals for one in bidding.bids(hand, rules, deals=6)]
    assert running == [4, 6]
    later = ddz.bid(hand, rules, 1, before=[2], deals=20)
    assert list(later.calls) == ["pass", "3"]
    assert later.used < later.deals == 20
    ceded = ddz.bid(OPEN, ddz.load_ruleset("ningbo"), 1, deals=2)
    assert ceded.before == ("cede",)


def test_what_nobody_is_asked_is_refused() -> None:
    """No call, no question: a landlord by the card shown, a last seat that the bottom decides."""
    hidden = ddz.load_ruleset("hidden-5p")
    error = refused(ddz.DdzError, lambda: ddz.bid(hand_of("hidden-5p"), hidden))
    assert error.key == "error.bid.auction"
    rules = ddz.load_ruleset("jiujiang")
    assert seats_asked(rules.ruleset) == (0, 1, 2)
    assert calls_before(rules.ruleset, 2) == [("pass", "pass")]
    error = refused(ddz.DdzError, lambda: ddz.bid(OPEN, rules, 3))
    assert error.key == "error.bid.before"
    assert kernel_lacks(CLASSIC.ruleset) == ""
    assert refused(ddz.DdzError, lambda: check_kernel(rules.ruleset)).key == "error.bid.forced"
