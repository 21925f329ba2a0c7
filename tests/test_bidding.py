"""Hands judged before the bidding: book, simulated deals against real games, bottom, change."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from refusals import refused

import ddz_core as ddz
from ddz_core import bidding, bookbids, bottoms, cards, changing, cli, settling, strengths
from ddz_core.bidding_deals import Deals, check_kernel, unseen_cards
from ddz_core.bots.rule import Parameters, RuleBot, engine_of, strength, weights_of
from ddz_core.dealing import deal_from_text

CLASSIC = ddz.load_ruleset("classic")
HAND = "345677899TJJQKK2D"


def sample(rules: ddz.Rules, hand: str, deals: int, seed: int = 5) -> Deals:
    """Deals around a hand."""
    drawn = Deals(rules.ruleset, cards.parse_cards(hand), seed=seed)
    drawn.more(deals)
    return drawn


# --- by the book ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "points", "bids"),
    [
        ("345677899TJJQKK2D", 6, {"big_joker"}),
        ("33334567889TJQK2A", 3, {"bomb"}),
        ("3333456788899TJQK", 0, set()),
        ("3333456788899TJQX", 3, {"bomb"}),
        ("334455667788AA222", 8, {"three_twos"}),
        ("334455667788A222K", 7, set()),
        ("33445566778899TTD", 4, set()),
        ("3456789TJQKA3456D", 5, {"big_joker"}),
        ("33445566778899TXD", 7, {"bomb"}),
    ],
)
def test_book_rules(hand: str, points: int, bids: set[str]) -> None:
    """Points are 4-3-2-1; a rule of thumb bids where it is met and its exception is not."""
    packed = cards.parse_cards(hand)
    assert bookbids.points_of(packed) == points
    thumbs = bookbids.thumbs_of(CLASSIC.ruleset, packed)
    assert {one.rule for one in thumbs if one.bids} == bids
    assert all(one.met or not one.exception for one in thumbs)
    report = ddz.bid(hand, CLASSIC, deals=2)
    assert report.points == points
    assert report.bids_by_points == (points >= 7)
    assert report.bids_by_thumb == bool(bids)
    assert report.turns == ddz.turns(hand, CLASSIC).turns


def test_many_hands_at_once_count_as_one_does() -> None:
    """Points and bombs of an array of hands are those of each hand, for every ruleset."""
    for name in ddz.ruleset_ids():
        ruleset = ddz.load_ruleset(name).ruleset
        rng = np.random.default_rng(3)
        deck = unseen_cards(ruleset, 0)
        drawn = rng.permuted(np.broadcast_to(deck, (200, len(deck))), axis=1)[:, :17]
        hands = drawn.sum(axis=1, dtype=np.uint64)
        points, bombs = bookbids.points_of_all(hands), bookbids.bombs_in_all(ruleset, hands)
        for i, hand in enumerate(hands.tolist()):
            told = strength(ruleset, hand)
            assert (points[i], bombs[i]) == (told.points, told.bombs)


# --- deals and games -----------------------------------------------------------------------------


def test_deals_use_every_card_once() -> None:
    """Own hand, other hands and bottom are the deck, whatever the chunks; each deal another."""
    whole, cut = sample(CLASSIC, HAND, 60), sample(CLASSIC, HAND, 7)
    cut.more(53)
    for name in ("hands", "bottoms", "turns", "results"):
        assert np.array_equal(getattr(whole.sample, name), getattr(cut.sample, name))
    deck = CLASSIC.ruleset.deck_cards
    for hands, bottom in zip(whole.sample.hands, whole.sample.bottoms, strict=True):
        assert sum(map(int, hands)) + int(bottom) + whole.hand == deck
        assert [cards.size_of(int(h)) for h in hands] == [17, 17]
    assert len(set(whole.sample.bottoms.tolist())) > 50


def test_results_are_those_of_the_rule_bots_games() -> None:
    """Winner and bombs of each deal and landlord agree with the kernel that plays matches."""
    drawn = sample(CLASSIC, HAND, 80)
    engine, weights = engine_of(CLASSIC.ruleset), [weights_of(Parameters())] * 3
    for boss in range(3):
        hands = []
        for others, bottom in zip(drawn.sample.hands, drawn.sample.bottoms, strict=True):
            row = [drawn.hand, *map(int, others)]
            row[boss] += int(bottom)
            hands += row
        winners, bombs, _ = engine.play_deals(
            weights, np.array(hands, dtype=np.uint64), np.full(80, boss, dtype=np.int64)
        )
        results = drawn.sample.results[:, boss]
        assert np.array_equal(results & 1 == 1, winners == boss)
        counted = sum((results >> shift) & 255 for shift in range(8, 56, 8))
        assert np.array_equal(counted, bombs)


@pytest.mark.parametrize("name", ["classic", "jinyou", "wuhan"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_points_are_those_of_whole_games(name: str, seat: int) -> None:
    """Each call of each deal is worth what a game from bidding to ledger pays the seat."""
    rules = ddz.load_ruleset(name)
    question = bidding.Question.of(HAND, rules, seat)
    drawn = sample(rules, HAND, 14)
    worth = question._worth(drawn.sample)
    fitting = np.flatnonzero(worth.fits)
    bot = RuleBot()
    checked = 0
    for place, number in enumerate(fitting[:5]):
        hands = [drawn.hand, *map(int, drawn.sample.hands[number])]
        seated = [cards.format_cards(hands[(s - seat) % 3]) for s in range(3)]
        bottom = cards.format_cards(int(drawn.sample.bottoms[number]))
        dealt = deal_from_text(rules, "/".join(seated) + "|" + bottom, first=0)
        for call in question.legal:
            game, spoken = ddz.new_game(rules, dealt), False
            while game.to_act is not None:
                obs = ddz.observe(game, game.to_act)
                if game.phase == "auction" and game.to_act == seat:
                    choice, spoken = (bidding.PASS if spoken else call), True
                else:
                    choice = bot.choose(obs)
                game = game.apply(choice)
            paid = game.ledger.points[seat] if game.ledger else 0
            assert worth.points[call][place] == paid
            checked += 1
    assert checked


@pytest.mark.parametrize("call", ["pass", "1", "2", "3"])
def test_where_the_bidding_ends(call: str) -> None:
    """A 3 takes the bottom; a pass with two who pass is thrown in; a higher want outbids."""
    ends = bidding.Question.of(HAND, CLASSIC).outcomes(call)
    own = 0 if call == "pass" else int(call)
    assert ends[0, 0] == ((-1, 0, 1) if own == 0 else (0, own, 1))
    for want, end in ends.items():
        assert end is not None
        if own == 3:
            assert end == (0, 3, 1)
        if max(want) > own:
            assert end[0] > 0
            assert end[1] == max(want)


def test_report_keeps_its_promises() -> None:
    """One seed, one report; every number within its interval; differences are differences."""
    report = ddz.bid(HAND, CLASSIC, deals=1_500, seed=9)
    assert report == ddz.bid(HAND, CLASSIC, deals=1_500, seed=9)
    assert report != ddz.bid(HAND, CLASSIC, deals=1_500, seed=10)
    assert list(report.calls) == ["pass", "1", "2", "3"]
    assert report.hand == HAND
    for row in report.rows():
        assert row["low"] <= row["value"] <= row["high"], row
    for call, gain in report.gains.items():
        assert gain.value == pytest.approx(report.calls[call].value - report.calls["pass"].value)
    best = report.best()[0]
    assert report.calls[best].value == max(one.value for one in report.calls.values())
    assert report.behind[best].value == 0
    assert 0 <= report.percentile.value <= 1
    assert report.win.n == report.deals == 1_500
    assert report.win.high - report.win.low < 0.06
    assert set(report.frame()["seed"].dropna()) >= {9}


def test_better_hands_are_better() -> None:
    """Both jokers and four 2s win nearly always; a hand of low odd cards hardly ever."""
    strong = ddz.bid("2222XD33445566778", CLASSIC, deals=400)
    weak = ddz.bid("33455677899JJQQKT", CLASSIC, deals=400)
    assert strong.win.low > 0.9
    assert weak.win.high < 0.35
    assert strong.percentile.value > 0.95 > 0.4 > weak.percentile.value
    assert strong.best()[0] == "3"
    assert weak.best()[0] == "pass"


def test_raises_multiply_the_farmers_points() -> None:
    """Where farmers may raise, each factor is worth so many times the plain stake."""
    report = ddz.bid(HAND, ddz.load_ruleset("jinyou"), deals=500)
    plain = report.raises["x1"].value
    for factor in (2, 4, 8):
        assert report.raises[f"x{factor}"].value == pytest.approx(factor * plain)
    assert not ddz.bid(HAND, CLASSIC, deals=10).raises


def test_springs_count_where_the_game_says() -> None:
    """The unit of a spring is doubled in a game that counts it, and only there."""
    spring = 1 | 2
    for name, factor in (("jinyou", 2), ("classic", 1)):
        ruleset = ddz.load_ruleset(name).ruleset
        found = settling.units(ruleset, 3, np.array([1, spring, spring | 2 << 8 | 1 << 16]))
        assert found.tolist() == [3, 3 * factor, 3 * factor * 8]


def test_calls_before_are_taken_as_evidence() -> None:
    """After two passes fewer deals fit, and a pass throws the deal in: it is worth nothing."""
    report = ddz.bid(HAND, CLASSIC, 2, deals=800)
    assert report.before == ("pass", "pass")
    assert 0 < report.used < report.deals
    assert report.calls["pass"].value == 0
    later = ddz.bid(HAND, CLASSIC, 1, before=[2], deals=800)
    assert list(later.calls) == ["pass", "3"]
    assert later.used < report.deals


@pytest.mark.parametrize(
    ("kind", "act"),
    [
        (ddz.HandError, lambda: ddz.bid("3456", CLASSIC)),
        (ddz.HandError, lambda: ddz.bid("33333456789TJQKA2", CLASSIC)),
        (ddz.NotationError, lambda: ddz.bid("3456789TJQKA2XD3?", CLASSIC)),
        (ddz.DdzError, lambda: ddz.bid(HAND, CLASSIC, 3)),
        (ddz.DdzError, lambda: ddz.bid(HAND, CLASSIC, 1, before=[3])),
        (ddz.DdzError, lambda: ddz.bid(HAND, CLASSIC, 1, before=[])),
        (ddz.IllegalAction, lambda: ddz.bid(HAND, CLASSIC, 2, before=[2, 1])),
        (ddz.DdzError, lambda: ddz.bid(HAND, CLASSIC, deals=1)),
        (ddz.DdzError, lambda: ddz.bid(HAND, CLASSIC, seed=-1)),
        (ddz.HandError, lambda: ddz.bid(HAND, CLASSIC, bottom="2")),
        (ddz.HandError, lambda: ddz.bid(HAND, CLASSIC, bottom="D34")),
        (ddz.HandError, lambda: changing.change_card(HAND, "A", "3", CLASSIC)),
        (ddz.HandError, lambda: changing.change_card(HAND, "3", "D", CLASSIC)),
        (ddz.HandError, lambda: changing.change_card(HAND, "3", "3", CLASSIC)),
        (ddz.HandError, lambda: changing.change_card(HAND, "33", "2", CLASSIC)),
        (ddz.HandError, lambda: bottoms.improvements("345", CLASSIC)),
        (ddz.DdzError, lambda: bottoms.bottom_spread(HAND, CLASSIC, bottoms=1)),
    ],
)
def test_bad_input_is_refused(kind: type[ddz.DdzError], act: object) -> None:
    """What cannot be is named: the surplus card, the number, the seat, the calls."""
    error = refused(kind, act)  # type: ignore[arg-type]
    if "33333" in error.got:
        assert error.params["rank"] == "3"


def test_the_surplus_card_is_named() -> None:
    """A hand with one card too many of a rank says which."""
    error = refused(ddz.HandError, lambda: ddz.bid("3456789TJQKA2222D"[:-1] + "2", CLASSIC))
    assert error.params["rank"] == "2"


# --- bottom cards --------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", [HAND, "33344455566677788", "3456789TJQKA2XD22"])
def test_bottoms_are_all_counted(hand: str) -> None:
    """Chances of events agree with going through every three physical cards."""
    found = bottoms.improvements(hand, CLASSIC)
    assert found.method == "exact"
    assert found.ways == math.comb(37, 3)
    unseen = [int(one) for one in unseen_cards(CLASSIC.ruleset, cards.parse_cards(hand))]
    low = {"two": 0, "joker": 0, "bomb": 0, "no_points": 0}
    own = cards.counts_of(cards.parse_cards(hand))
    for three in itertools.combinations(unseen, 3):
        counts = cards.counts_of(sum(three))
        low["two"] += counts[cards.LANE["2"]] > 0
        low["joker"] += counts[cards.LANE["X"]] + counts[cards.LANE["D"]] > 0
        low["no_points"] += not any(counts[cards.LANE["A"] :])
        low["bomb"] += any(a < 4 == a + b for a, b in zip(own, counts, strict=True))
    for event, number in low.items():
        assert found.chance(event).value == pytest.approx(number / found.ways)
    turns = [found.chance(event).value for event in found.events() if event.startswith("turns")]
    assert sum(turns) == pytest.approx(1)


def test_reference_chances_of_the_bottom() -> None:
    """Holding no joker, no 2, three of a rank: a joker, a 2, the fourth card come so often."""
    jokerless = bottoms.improvements("33455677899TTJQKA", CLASSIC)
    assert jokerless.chance("joker").value == pytest.approx(0.158, abs=0.0005)
    assert jokerless.chance("two").value == pytest.approx(0.298, abs=0.0005)
    triple = bottoms.improvements("3334567899TJQKA2X", CLASSIC)
    assert sum(
        one.ways for one in triple.bottoms if cards.counts_of(one.cards)[0]
    ) / triple.ways == pytest.approx(0.081, abs=0.0005)


def test_chances_after_an_event_add_up() -> None:
    """Weighted by how often the event happens, chances with and without it give the whole."""
    found, drawn = bottoms.improvements(HAND, CLASSIC), sample(CLASSIC, HAND, 1_000)
    whole = drawn.sample.won[:, 0].mean()
    for event in ("two", "joker", "turns:0"):
        with_it, change = found.after(event, drawn.sample, 5)
        assert with_it.value - change.value == pytest.approx(whole)
        assert change.low <= change.value <= change.high


def test_given_bottom_lies_in_every_deal() -> None:
    """A bottom that is told is the bottom of all deals, and both jokers help."""
    under = Deals(CLASSIC.ruleset, cards.parse_cards(HAND), seed=1, bottom=cards.parse_cards("222"))
    assert set(under.more(20).bottoms.tolist()) == {cards.parse_cards("222")}
    plain, rich = (ddz.bid(HAND, CLASSIC, bottom=b, deals=400).win for b in ("", "22X"))
    assert rich.low > plain.high
    spread = bottoms.bottom_spread(HAND, CLASSIC, bottoms=40, deals=20)
    assert 0 < spread.deviation < 0.5
    assert spread.low < spread.mean.value < spread.high


def test_looks_end_with_everything() -> None:
    """Running results grow, keep the seed's deals, and end with bottom and spread."""
    found = list(bottoms.looks(HAND, CLASSIC, deals=2_000, seed=3))
    assert [one.report.deals for one in found[:2]] == [1_000, 2_000]
    assert found[1].report == ddz.bid(HAND, CLASSIC, deals=2_000, seed=3)
    assert list(found[-1].rows) == bottoms.bottom_rows(HAND, CLASSIC, deals=2_000, seed=3)
    assert found[-1].spread is not None


# --- one card changed ----------------------------------------------------------------------------


def test_changed_hands_meet_the_same_deals() -> None:
    """The deals of the two hands are the same but for the two cards changing places."""
    own, out, into = cards.parse_cards(HAND), cards.parse_cards("3"), cards.parse_cards("2")
    unseen = unseen_cards(CLASSIC.ruleset, own)
    swapped = unseen.copy()
    swapped[int(np.flatnonzero(unseen == np.uint64(into))[0])] = np.uint64(out)
    a = Deals(CLASSIC.ruleset, own, seed=4, unseen=unseen).more(50)
    b = Deals(CLASSIC.ruleset, own - out + into, seed=4, unseen=swapped).more(50)
    for one, two in zip(
        np.column_stack([a.hands, a.bottoms]).tolist(),
        np.column_stack([b.hands, b.bottoms]).tolist(),
        strict=True,
    ):
        changed = [(x, y) for x, y in zip(one, two, strict=True) if x != y]
        assert len(changed) == 1
        assert changed[0][0] - into == changed[0][1] - out


def test_a_two_for_a_three_helps() -> None:
    """The paired difference is that of the two chances, and narrower than unpaired."""
    found = changing.change_card(HAND, "3", "2", CLASSIC, deals=1_500)
    assert found.after == "45677899TJJQKK22D"
    assert found.win.value == pytest.approx(found.win_after.value - found.win_before.value)
    assert found.win.low > 0
    half = math.hypot(
        found.win_before.high - found.win_before.value, found.win_after.high - found.win_after.value
    )
    assert found.win.high - found.win.value < half
    assert len(found.rows()) == 6


# --- the table of strengths, the command line ----------------------------------------------------


def test_percentiles_are_read_from_the_shipped_table() -> None:
    """Rulesets that play alike share a table; one without a table gets a small one."""
    classic, primer = (ddz.load_ruleset(name).ruleset for name in ("classic", "primer"))
    assert strengths.play_key(classic) == strengths.play_key(primer)
    table = strengths.table(classic)
    assert table is not None
    assert table["hands"] >= 10_000
    assert table["quantiles"] == sorted(table["quantiles"])
    house = ddz.load_ruleset("classic", {"kinds.off": ["four_two_singles"]})
    assert strengths.table(house.ruleset) is None
    there = ddz.bid(HAND, house, deals=50).percentile
    here = ddz.bid(HAND, CLASSIC, deals=2_000).percentile
    assert there.n == strengths.FALLBACK_HANDS
    assert abs(there.value - here.value) < 0.2


def test_games_that_the_kernel_cannot_play_are_refused_there() -> None:
    """Wild cards, no bottom, forced bids, limited bombs, no pass: refused with the reason."""
    for name in ddz.ruleset_ids():
        ruleset = ddz.load_ruleset(name).ruleset
        odd = (
            ruleset.wilds.mode != "none"
            or not ruleset.deal.bottom
            or ruleset.auction.forced
            or ruleset.auction.bomb_limit
            or ruleset.auction.mechanism not in {"auction", "one_bid", "call"}
        )
        if odd:
            refused(ddz.DdzError, lambda ruleset=ruleset: check_kernel(ruleset))
        else:
            check_kernel(ruleset)


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """The verb gives the library's report, as text and as JSON, and one sentence for bad input."""
    words = ("bid", "--deals", "200", "--seed", "3", HAND)
    assert cli.main(words) == 0
    assert "6 points: pass" in capsys.readouterr().out
    assert cli.main((*words, "--json")) == 0
    found = json.loads(capsys.readouterr().out)
    report = ddz.bid(HAND, CLASSIC, deals=200, seed=3)
    assert found == json.loads(json.dumps(report.as_dict()))
    assert cli.main(("bid", "345")) == 2
    assert capsys.readouterr().err.count("\n") == 1
