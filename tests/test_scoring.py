"""Ledgers from bare facts: the formula, its order, its springs, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import ddz_core as ddz
from ddz_core.language import LANGUAGES, words

CLASSIC = ddz.load_ruleset("classic")
JINYOU = ddz.load_ruleset("jinyou")
BOMBS = st.lists(st.sampled_from("3456789TJQKA2"), unique=True, max_size=5).map(
    lambda ranks: [4 * rank for rank in ranks]
)


@pytest.mark.parametrize("ruleset", ["classic", "primer"])
def test_two_bombs_and_a_rocket_at_three_pay_24_and_48(ruleset: str) -> None:
    """Document 000: bid 3, two bombs and a rocket: 3 · 2 · 2 · 2 = 24 from each, 48 in all."""
    rules = ddz.load_ruleset(ruleset)
    bombs = ["5555", "9999", "XD"]
    won = rules.score(landlords=[0], bid=3, out=0, plays=[9, 3, 2], bombs=bombs)
    assert won.points == (48, -24, -24)
    lost = rules.score(landlords=[0], bid=3, out=2, plays=[9, 3, 2], bombs=bombs)
    assert lost.points == (-48, 24, 24)
    assert [(s.key, s.factor, s.cards) for s in won.steps[:4]] == [
        ("score.bid", 3, ""),
        ("score.bomb", 2, "5555"),
        ("score.bomb", 2, "9999"),
        ("score.rocket", 2, "XD"),
    ]
    assert [s.amount for s in won.steps[4:]] == [24, 48, -24, -24]
    assert (won.multiplier, won.unit, won.house, won.gold) == (8, 24, 0, won.points)


def test_each_farmer_has_its_own_factor() -> None:
    """Document 000: a farmer's factor counts on its own result; the landlord gets the sum."""
    ledger = JINYOU.score(
        landlords=[1], bid=2, out=1, plays=[1, 5, 2], bombs=["7777"], factor={0: 8, 2: 1}
    )
    # u = 2 · 2 = 4; seat 0 pays 8 · 4, seat 2 pays 4
    assert ledger.points == (-32, 36, -4)
    assert [(s.seat, s.factor) for s in ledger.steps if s.key == "score.factor"] == [(0, 8)]
    same = JINYOU.score(
        landlords=[1], bid=2, out=1, plays=[1, 5, 2], bombs=["7777"], factor=[8, 1, 1]
    )
    assert same == ledger


def test_spring_counts_where_the_game_names_it() -> None:
    """Document 000: no farmer played: doubled. Anti-spring is not named there."""
    spring = {"landlords": [0], "bid": 1, "out": 0, "plays": [1, 0, 0]}
    assert JINYOU.score(**spring).points == (4, -2, -2)
    assert CLASSIC.score(**spring).points == (2, -1, -1)
    assert JINYOU.score(**spring | {"plays": [4, 1, 0]}).points == (2, -1, -1)
    anti = {"landlords": [0], "bid": 1, "out": 1, "plays": [1, 7, 0]}
    assert JINYOU.score(**anti).points == (-2, 1, 1)
    house = ddz.load_ruleset("classic", {"score.spring": 3, "score.anti_spring": 5})
    assert house.score(**anti).points == (-10, 5, 5)
    assert house.score(**anti | {"plays": [2, 7, 0]}).points == (-2, 1, 1)
    assert house.score(**spring).points == (6, -3, -3)


@given(
    st.sampled_from(["classic", "primer", "jinyou", "wuhan"]),
    st.integers(0, 2),
    st.integers(0, 2),
    st.integers(1, 3),
    BOMBS,
    st.integers(1, 1000),
    st.lists(st.sampled_from([1, 2, 4, 8]), min_size=3, max_size=3),
)
def test_points_are_conserved(
    ruleset: str, landlord: int, out: int, bid: int, bombs: list[str], stake: int, raised: list[int]
) -> None:
    """Points and the house's share sum to zero, and the side that went out has won."""
    rules = ddz.load_ruleset(ruleset)
    facts = {"landlords": [landlord], "bid": bid, "out": out, "bombs": bombs, "stake": stake}
    if ruleset == "jinyou":
        facts["factor"] = {s: f for s, f in enumerate(raised) if s != landlord}
    ledger = rules.score(**facts)
    assert sum(ledger.points) + ledger.house == 0
    assert (ledger.points[landlord] > 0) == (out == landlord)
    unit = stake * bid * 2 ** len(bombs)
    factors = raised if ruleset == "jinyou" else [1, 1, 1]
    sign = 1 if out == landlord else -1
    for seat in {0, 1, 2} - {landlord}:
        assert ledger.points[seat] == -sign * unit * factors[seat]


def test_a_deal_thrown_in_scores_nothing() -> None:
    """Without a landlord there are no points and nothing else is asked for."""
    ledger = CLASSIC.score(landlords=[])
    assert (ledger.points, ledger.steps) == ((0, 0, 0), ())


@pytest.mark.parametrize(
    ("facts", "field"),
    [
        ({"robs": 1}, "robs"),
        ({"factor": {1: 2}}, "factor"),
        ({"landlords": 0}, "landlords"),
        ({"landlords": [3]}, "landlords"),
        ({"landlords": [0, 1, 2]}, "landlords"),
        ({"bid": 4}, "bid"),
        ({"bid": None}, "bid"),
        ({"bid": True}, "bid"),
        ({"out": 5}, "out"),
        ({"plays": [1, 2]}, "plays"),
        ({"plays": [0, 2, 2]}, "plays"),
        ({"plays": [-1, 2, 2]}, "plays"),
        ({"bombs": ["5556"]}, "bombs"),
        ({"bombs": ["555"]}, "bombs"),
        ({"bombs": ["5555", "5555"]}, "bombs"),
        ({"bombs": "5555"}, "bombs"),
        ({"bombs": [None]}, "bombs"),
        ({"stake": 0}, "stake"),
        ({"stake": "1"}, "stake"),
    ],
)
def test_facts_that_cannot_be_are_refused(facts: dict[str, object], field: str) -> None:
    """An unknown or impossible fact is named."""
    whole = {"landlords": [0], "bid": 3, "out": 0, "plays": [9, 3, 2], **facts}
    assert refused(ddz.DdzError, lambda: CLASSIC.score(**whole)).field == field


@pytest.mark.parametrize("factor", [{0: 2}, {1: 3}, {1: True}, [2, 1], {5: 1}, "x2"])
def test_factors_that_cannot_be_are_refused(factor: object) -> None:
    """A factor is one of those the game offers, and the landlord has none."""
    facts = {"landlords": [0], "bid": 1, "out": 0, "factor": factor}
    assert refused(ddz.DdzError, lambda: JINYOU.score(**facts)).field == "factor"


@pytest.mark.parametrize("missing", ["landlords", "bid", "out"])
def test_a_missing_fact_is_named(missing: str) -> None:
    """What the formula needs must be there."""
    facts = {"landlords": [0], "bid": 1, "out": 0}
    del facts[missing]
    assert refused(ddz.DdzError, lambda: CLASSIC.score(**facts)).field == missing


def test_a_sum_of_bombs_is_at_least_one() -> None:
    """Where bombs add instead of multiplying, none still leaves the bid."""
    rules = ddz.load_ruleset(
        "classic",
        {"score.combine": "sum", "play.ladder.bomb.adds": 1, "play.ladder.rocket.adds": 5},
    )
    facts = {"landlords": [0], "bid": 3, "out": 0}
    assert rules.score(**facts).points == (6, -3, -3)
    assert rules.score(**facts, bombs=["4444", "5555", "XD"]).multiplier == 7


def test_every_step_is_worded() -> None:
    """Each line of a ledger has a text in every language."""
    ledger = JINYOU.score(
        landlords=[0], bid=3, out=0, plays=[9, 0, 0], bombs=["5555", "XD"], factor={1: 2}, stake=5
    )
    keys = {step.key for step in ledger.steps} | {"score.anti_spring"}
    for language in LANGUAGES:
        assert keys <= set(words(language).texts())
