"""Throw-away rulesets written in the tests: each mechanism works alone, not only as shipped."""

from __future__ import annotations

import random
from itertools import product

import oracle
import pytest
from oracle import Options
from playing import random_game
from refusals import refused
from strategies import any_hand
from test_oracle import check_moves

import ddz_core as ddz
from ddz_core import rulesets

HEAD = 'id = "throwaway"\nextends = "classic"\n[name]\nen = "Throw-away"\n'
LONGER_RUNS = """
[[play.kind]]
id = "straight"
body = { size = 1, run = [6, 12], order = "chain" }
[[play.kind]]
id = "pair_straight"
body = { size = 2, run = [4, 12], order = "chain" }
[[play.kind]]
id = "plane"
body = { size = 3, run = [3, 12], order = "chain" }
[[play.kind]]
id = "plane_singles"
body = { size = 3, run = [3, 12], order = "chain" }
[[play.kind]]
id = "plane_pairs"
body = { size = 3, run = [3, 12], order = "chain" }
"""
FOUR_SEATS = """
[deal]
seats = 4
hand = 12
bottom = 6
[auction]
levels = [1, 2, 3, 5]
"""


def throwaway(text: str) -> ddz.Rules:
    """Rules from TOML that extends the plain game."""
    return ddz.Rules(rulesets.parse(HEAD + text))


def test_other_shortest_runs() -> None:
    """The shortest runs are the ruleset's: with longer ones the oracle's lists agree."""
    rules = throwaway(LONGER_RUNS)
    options = Options(shortest={"straight": 6, "pair_straight": 4, "plane": 3})
    rng = random.Random(17)
    for _ in range(150):
        hand = any_hand(rng, rng.randint(8, 20))
        check_moves(rules.moves(hand), oracle.leads(hand, options), hand)
    for cards in ("34567", "334455", "333444", "33344456", "3334445566"):
        assert [] == rules.readings(cards)


@pytest.mark.parametrize("kind", ["straight", "triple_pair", "bomb", "rocket", "plane_singles"])
def test_a_kind_off_in_a_file_is_as_off_as_by_an_override(kind: str) -> None:
    """Switching off a kind in a file or by an override makes the same game."""
    by_file = throwaway(f'[kinds]\noff = ["{kind}"]\n')
    by_override = ddz.load_ruleset("classic", {"kinds.off": [kind]})
    hand = "33344445556789TJQKXD"
    assert by_file.moves(hand) == by_override.moves(hand)
    assert kind in {move.kind for move in ddz.load_ruleset("classic").moves(hand)}
    assert kind not in {move.kind for move in by_file.moves(hand)}


@pytest.mark.parametrize(("factor", "stake"), [(1, 1), (3, 2)])
def test_other_factors_of_bombs(factor: int, stake: int) -> None:
    """What a bomb multiplies by, and the stake, are numbers of the ruleset."""
    rules = throwaway(
        f'[[play.ladder]]\nid = "bomb"\nfactor = {factor}\n[score]\nstake = {stake}\n'
    )
    ledger = rules.score(landlords=[1], bid=2, out=1, plays=[1, 5, 1], bombs=["3333", "XD"])
    unit = stake * 2 * factor * 2
    assert [-unit, 2 * unit, -unit] == list(ledger.points)


def test_four_seats_and_other_levels_in_the_auction() -> None:
    """With four seats three passes after a bid end the auction, four without one throw it in."""
    rules = throwaway(FOUR_SEATS)
    for calls in product(("pass", 1, 3, 5), repeat=5):
        contract, passes, holder, over, refusal = 0, 0, None, False, None
        for index, call in enumerate(calls):
            if over or (call != "pass" and call <= contract):
                refusal = index
                break
            if call == "pass":
                passes += 1
            else:
                contract, passes, holder = call, 0, index % 4
            over = contract == 5 or passes == (3 if contract else 4)
        bidding = rules.bidding(list(calls), first=0)
        if refusal is not None:
            assert ("illegal", refusal) == (bidding.status, bidding.at), calls
        elif not over:
            assert ("ask", 1) == (bidding.status, bidding.seat), calls
        elif holder is None:
            assert "redeal" == bidding.status
        else:
            found = (bidding.status, bidding.seat, bidding.contract)
            assert ("landlord", holder, contract) == found, calls


def test_four_seats_play_and_settle() -> None:
    """Four seats: random games end, the landlord settles with three farmers, points sum to 0."""
    rules = throwaway(FOUR_SEATS)
    for seed in range(6):
        for game in random_game(ddz.new_game(rules, ddz.deal(rules, seed=seed)), random.Random(7)):
            last = game
        assert 0 == sum(last.ledger.points)
        if last.outcome != "redeal":
            (landlord,) = last.landlords
            farmer = (landlord + 1) % 4
            assert -3 * last.ledger.points[farmer] == last.ledger.points[landlord]
            assert 18 == 12 + len(last.deal.bottom)


def test_rounds_and_one_bid_by_name_alone() -> None:
    """The procedure of the bidding is one field: changing it makes the other game's auction."""
    one = ddz.load_ruleset("classic", {"auction.mechanism": "one_bid"})
    for calls in product(("pass", 1, 2, 3), repeat=3):
        for first in range(3):
            expected = ddz.load_ruleset("primer").bidding(list(calls), first=first)
            found = one.bidding(list(calls), first=first)
            assert (expected.status, expected.seat, expected.contract) == (
                found.status,
                found.seat,
                found.contract,
            )


@pytest.mark.parametrize(
    "text",
    [
        "[kickers]\nmax_equals = 3\n",
        '[[play.kind]]\nid = "straight"\nbody = { size = 1, run = [5, 14], order = "chain" }\n',
        '[[play.kind]]\nid = "straight"\nbody = { size = 1, run = [5, 3], order = "chain" }\n',
        '[[play.kind]]\nid = "straight"\nbody = { size = 1, run = [5, 9], order = "nowhere" }\n',
        '[[play.kind]]\nid = "four"\nbody = { size = 4 }\n',
        '[[play.ladder]]\nid = "odd"\n',
        "[deal]\nhand = 18\n",
        "[deck]\ndecks = 2\n",
        '[deck]\nranks = "34567"\n',
        "[deal\n",
        "kickers = 3\n",
        'extends = "nosuch"\n',
        "\x00",
    ],
)
def test_bad_files_are_refused(text: str) -> None:
    """An unknown key, a contradiction or a broken file is refused with its field."""
    head = HEAD if "extends" not in text else HEAD.replace('extends = "classic"\n', "")
    if text.startswith(("kickers =", "extends")):
        head, text = text + HEAD.replace('extends = "classic"\n', ""), ""
    refused(ddz.RulesetError, lambda: rulesets.parse(head + text))


@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
def test_every_shipped_ruleset_is_whole(ruleset: str) -> None:
    """Seats times hand, bottom and dead cards are the deck; ids of rows are different."""
    plain = ddz.load_ruleset(ruleset).ruleset
    dealt = plain.deal.seats * plain.deal.hand + plain.deal.bottom + plain.deal.dead
    assert len(ddz.load_ruleset(ruleset).deck_text()) == dealt
    ids = [row.id for row in plain.play.kind]
    assert len(ids) == len(set(ids))
    assert {"en", "zh-Hans", "zh-Hant"} <= set(plain.name)
