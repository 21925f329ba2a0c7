"""Bidding: every possible sequence of calls against a second, obvious telling of the rules."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import check_furniture, refused

import ddz_core as ddz
from ddz_core import auction

ROUNDS = ddz.load_ruleset("classic")
ONCE = ddz.load_ruleset("primer")
FORCED = ddz.load_ruleset("wuhan")
CALLS = st.lists(
    st.sampled_from(["pass", 1, 2, 3, "1", "2", "3", "PASS", 0, 4, "call", ""]), max_size=9
)


def told(calls: list[object], *, rounds: bool, forced: bool) -> tuple[object, ...]:
    """Status, turn and contract after some calls, told turn by turn with everything in sight."""
    contract, best = 0, -1
    for turn, call in enumerate([*calls, None]):
        passed = turn - 1 - best
        done = turn >= 3 if not rounds else (passed >= 2 if best >= 0 else turn >= 3)
        if contract == 3 or done:
            if turn < len(calls):
                return ("illegal", turn)
            if best >= 0:
                return ("landlord", best % 3, contract)
            return ("landlord", 0, 1) if forced else ("redeal", None, 0)
        if call is None:
            return ("ask", turn % 3, contract)
        word = str(call).lower()
        if word == "pass":
            continue
        if word not in ("1", "2", "3") or int(word) <= contract:
            return ("illegal", turn)
        contract, best = int(word), turn
    raise AssertionError


@pytest.mark.parametrize(
    ("rules", "rounds", "forced"),
    [(ROUNDS, True, False), (ONCE, False, False), (FORCED, False, True)],
    ids=["rounds", "once", "forced"],
)
def test_every_sequence_of_calls(rules: ddz.Rules, rounds: bool, forced: bool) -> None:
    """All sequences of up to five calls go as told, from each seat that may speak first."""
    for length in range(6):
        for calls in product(["pass", 1, 2, 3], repeat=length):
            status, *rest = told(list(calls), rounds=rounds, forced=forced)
            for first in range(3):
                got = rules.bidding(list(calls), first=first)
                assert got.status == status, calls
                if status == "illegal":
                    assert got.at == rest[0]
                    assert isinstance(got.reason, ddz.IllegalAction)
                else:
                    seat = None if rest[0] is None else (rest[0] + first) % 3
                    assert (got.seat, got.contract) == (seat, rest[1]), calls
                    assert got.at is None
                    assert got.multiplier == 1


@given(CALLS, st.integers(0, 2))
def test_legal_calls_are_those_that_go_on(calls: list[object], first: int) -> None:
    """While a seat is asked, a call is legal exactly if the replay with it does not stop there."""
    now = ROUNDS.bidding(calls, first=first)
    if now.status != "ask":
        return
    for call in ("pass", "1", "2", "3", "4", "rob"):
        went = ROUNDS.bidding([*calls, call], first=first)
        assert (call in now.legal) == (went.status != "illegal")
        if went.status == "illegal":
            check_furniture(went.reason)
            assert went.at == len(calls)
            assert (went.seat, went.legal) == (now.seat, now.legal)


def test_a_top_bid_need_not_end_it() -> None:
    """With the switch off, the others are still asked after a 3, and may only pass."""
    rules = ddz.load_ruleset("classic", {"auction.top_ends": False})
    asked = rules.bidding([3])
    assert (asked.status, asked.legal) == ("ask", ("pass",))
    assert rules.bidding([3, "pass", "pass"]).status == "landlord"
    once = ddz.load_ruleset("primer", {"auction.top_ends": False})
    assert once.bidding(["pass", 3]).status == "ask"
    assert once.bidding(["pass", 3, "pass"]).seat == 1


def test_other_levels_and_forced_first_speaker() -> None:
    """Levels are data: with 5 and 10 a bid of 3 is refused, and all passing can mean the lowest."""
    rules = ddz.load_ruleset(
        "classic", {"auction.levels": [5, 10], "auction.all_pass": "first_at_lowest"}
    )
    assert rules.bidding([3]).status == "illegal"
    assert rules.bidding([5]).legal == ("pass", "10")
    last = rules.bidding(["pass"] * 3, first=2)
    assert (last.status, last.seat, last.contract) == ("landlord", 2, 5)


def test_facts_of_other_procedures_are_taken_and_unknown_ones_refused() -> None:
    """A fact that some procedure may need does no harm; a name nobody knows is an error."""
    assert ROUNDS.bidding([], hands={0: "3"}, bottom="678").status == "ask"
    assert refused(ddz.DdzError, lambda: ROUNDS.bidding([], colour="red")).field == "colour"
    refused(ddz.DdzError, lambda: ROUNDS.bidding([], first=3))


def test_an_unknown_procedure_is_refused_by_name() -> None:
    """A ruleset may only name a procedure of the registry."""
    refused(ddz.RulesetError, lambda: ddz.load_ruleset("classic", {"auction.mechanism": "lottery"}))
    plain = ROUNDS.ruleset
    named = msgspec.structs.replace(plain.auction, mechanism="lottery")
    rules = ddz.Rules(msgspec.structs.replace(plain, auction=named))
    error = refused(ddz.RulesetError, lambda: rules.bidding([]))
    assert "lottery" in str(error)
    assert all(name in error.expected for name in auction.MECHANISMS)
    refused(ddz.RulesetError, lambda: ddz.new_game(rules, ddz.deal(rules, seed=1)))
