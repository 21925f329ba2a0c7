"""Faults others reported in auctions and scores (public reports R12, R14, R15, R16).

The bidding is held against a few lines of plain Python for every sequence of calls, the ledger
against the formula of the rules page for every mix of facts.
"""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ddz_core as ddz

#: ruleset -> (goes round, what happens when all pass)
PROCEDURES = {
    "classic": (True, "redeal"),
    "primer": (False, "redeal"),
    "jinyou": (False, "redeal"),
    "wuhan": (False, "first"),
}
CALLS = ("pass", 1, 2, 3)


def expected_bidding(ruleset: str, calls: tuple, first: int) -> tuple:
    """Status and facts of a bidding, by the words of the rules page."""
    goes_round, all_pass = PROCEDURES[ruleset]
    contract, holder, passes_since = 0, None, 0
    over = False
    for index, call in enumerate(calls):
        if over:
            return "illegal", index
        seat = (first + index) % 3
        if call == "pass":
            passes_since += 1
        elif call <= contract:
            return "illegal", index
        else:
            contract, holder, passes_since = call, seat, 0
        if contract == 3:
            over = True
        elif goes_round:
            over = passes_since == (2 if contract else 3)
        else:
            over = index == 2
    if not over:
        seat = (first + len(calls)) % 3
        return "ask", seat, ("pass", *(n for n in (1, 2, 3) if n > contract))
    if holder is not None:
        return "landlord", holder, contract
    return ("redeal",) if all_pass == "redeal" else ("landlord", first, 1)


def found_bidding(ruleset: str, calls: tuple, first: int) -> tuple:
    """The same facts as the package tells them."""
    bidding = ddz.load_ruleset(ruleset).bidding(list(calls), first=first)
    if bidding.status == "illegal":
        return "illegal", bidding.at
    if bidding.status == "ask":
        legal = {str(call) for call in bidding.legal}
        return "ask", bidding.seat, tuple(c for c in CALLS if str(c) in legal)
    if bidding.status == "landlord":
        return "landlord", bidding.seat, bidding.contract
    return (bidding.status,)


@pytest.mark.parametrize("ruleset", PROCEDURES)
def test_r12_r16_every_sequence_of_calls(ruleset: str) -> None:
    """Every sequence of up to five calls leads where the words of the rules lead."""
    for length in range(6):
        for calls in product(CALLS, repeat=length):
            for first in range(3) if length < 4 else (1,):
                expected = expected_bidding(ruleset, calls, first)
                assert expected == found_bidding(ruleset, calls, first), (calls, first)


@pytest.mark.parametrize("ruleset", PROCEDURES)
def test_r16_long_auctions(ruleset: str) -> None:
    """Every sequence of six to nine calls that an auction can reach is followed to its end."""
    going: list[tuple] = [()]
    reached = 0
    while going:
        calls = going.pop()
        expected = expected_bidding(ruleset, calls, 0)
        assert expected == found_bidding(ruleset, calls, 0), calls
        reached = max(reached, len(calls))
        if expected[0] == "ask":
            going += [(*calls, call) for call in expected[2]]
    # pass, pass, 1, pass, 2, pass, pass is the longest kind of way round
    assert reached == (7 if PROCEDURES[ruleset][0] else 3)


def test_r16_reported_lines() -> None:
    """The reported auctions end as the report says, with one bid each and with rounds."""
    assert ("landlord", 2, 2) == found_bidding("primer", (1, "pass", 2), 0)
    assert ("ask", 0) == found_bidding("classic", (1, "pass", 2), 0)[:2]
    assert ("landlord", 1, 3) == found_bidding("classic", (1, "pass", 2, "pass", 3), 0)
    assert ("landlord", 2, 2) == found_bidding("classic", (1, "pass", 2, "pass", "pass"), 0)
    for ruleset in PROCEDURES:
        assert ("landlord", 0, 3) == found_bidding(ruleset, (3,), 0)
        assert ("illegal", 1) == found_bidding(ruleset, (2, 1), 0)
        assert ("illegal", 1) == found_bidding(ruleset, (2, 2), 0)


@pytest.mark.parametrize("ruleset", PROCEDURES)
def test_r16_calls_may_be_text_or_numbers(ruleset: str) -> None:
    """A number may be given as text; a refused call leaves the calls before it in force."""
    rules = ddz.load_ruleset(ruleset)
    assert rules.bidding(["1", "pass"], first=1) == rules.bidding([1, "pass"], first=1)
    refused = rules.bidding([2, 4], first=0)
    assert ("illegal", 1) == (refused.status, refused.at)


# --- scores ---------------------------------------------------------------------------------------

SPRING = {"classic": (1, 1), "primer": (1, 1), "jinyou": (2, 1), "wuhan": (1, 1)}
BOMBS = ("3333", "9999", "2222", "XD")


@given(
    ruleset=st.sampled_from(sorted(SPRING)),
    house=st.sampled_from([None, (2, 2), (3, 1), (1, 3)]),
    landlord=st.integers(0, 2),
    out=st.integers(0, 2),
    bid=st.integers(1, 3),
    plays=st.lists(st.integers(0, 9), min_size=3, max_size=3),
    bombs=st.lists(st.sampled_from(BOMBS), max_size=4, unique=True),
    stake=st.sampled_from([1, 2, 10]),
    factor=st.lists(st.sampled_from([1, 2, 4, 8]), min_size=3, max_size=3),
)
@settings(max_examples=300, deadline=None)
def test_r14_r15_every_ledger_is_the_formula(
    ruleset: str,
    house: tuple[int, int] | None,
    landlord: int,
    out: int,
    bid: int,
    plays: list[int],
    bombs: list[str],
    stake: int,
    factor: list[int],
) -> None:
    """Each farmer settles stake · bid · multiplier with the landlord, and all points sum to 0."""
    plays = [max(1, n) if seat in (out, landlord) else n for seat, n in enumerate(plays)]
    overrides = {"score.spring": house[0], "score.anti_spring": house[1]} if house else {}
    rules = ddz.load_ruleset(ruleset, overrides)
    spring, anti_spring = house or SPRING[ruleset]
    farmers = [seat for seat in range(3) if seat != landlord]
    unit = stake * bid * 2 ** len(bombs)
    if out == landlord and not any(plays[seat] for seat in farmers):
        unit *= spring
    if out != landlord and plays[landlord] == 1:
        unit *= anti_spring
    facts = {"landlords": [landlord], "bid": bid, "out": out, "plays": plays, "bombs": bombs}
    if ruleset == "jinyou":
        factor[landlord] = 1
        facts["factor"] = factor
    else:
        factor = [1, 1, 1]
    sign = 1 if out == landlord else -1
    points = [-sign * unit * factor[seat] for seat in range(3)]
    points[landlord] = sign * unit * sum(factor[seat] for seat in farmers)
    ledger = rules.score(**facts, stake=stake)
    assert points == list(ledger.points)
    assert 0 == sum(ledger.points)
    assert 0 == ledger.house


def test_r15_landlord_loses_the_smallest_game() -> None:
    """The landlord who loses at 1 with nothing doubled is at -2, the farmers at +1 each."""
    rules = ddz.load_ruleset("classic")
    ledger = rules.score(landlords=[0], bid=1, out=2, plays=[3, 3, 3], bombs=[])
    assert [-2, 1, 1] == list(ledger.points)


def test_r14_conditions_are_on_plays() -> None:
    """Spring and anti-spring ask for plays made, not for cards held."""
    rules = ddz.load_ruleset("classic", {"score.spring": 2, "score.anti_spring": 2})

    def farmer_points(out: int, plays: list[int]) -> int:
        return rules.score(landlords=[0], bid=1, out=out, plays=plays, bombs=[]).points[1]

    assert 2 == farmer_points(1, [1, 5, 3])  # one play of the landlord, then passes
    assert 1 == farmer_points(1, [2, 5, 3])  # a second play ends it
    assert -1 == farmer_points(0, [5, 1, 0])  # one farmer played once
    assert -2 == farmer_points(0, [5, 0, 0])  # both only passed
    assert -2 == farmer_points(0, [1, 0, 0])  # all cards in one play: spring, not anti-spring
