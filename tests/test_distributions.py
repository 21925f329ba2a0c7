"""Spreads of numbers over random hands: reference values, exact sums, and a second method."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from ddz_core import cards, clauses, distributions, rulesets, sampling
from ddz_core.distributions import distribution, value
from ddz_core.errors import HandError, RulesetError

CLASSIC = rulesets.load("classic")
EXACT = ("points", "bombs", "controls", "ranks", "copies:2", "copies:D", "longest:straight",
         "longest:pair_straight", "longest:plane")  # fmt: skip


def test_points_of_seventeen_cards():
    """The mean is 17/54 of the deck's 19 points, and 41.32 % of hands have seven or more."""
    spread = distribution("points", 17, CLASSIC)
    deck_points = 4 + 3 + 4 * 2 + 4 * 1
    assert spread.mean == pytest.approx(float(Fraction(17 * deck_points, 54)), abs=1e-12)
    assert round(spread.mean, 2) == 5.98
    assert round(spread.at_least(7).value, 4) == 0.4132
    assert spread.at_least(7).method == "exact"


def test_copies_of_a_rank_are_hypergeometric():
    """Cards of one rank follow the textbook distribution."""
    spread = distribution("copies:2", 17, CLASSIC)
    for count in range(5):
        ways = math.comb(4, count) * math.comb(50, 17 - count)
        assert spread.chances[count] == float(Fraction(ways, math.comb(54, 17)))


@pytest.mark.parametrize("of", EXACT)
@pytest.mark.parametrize("n", [1, 17, 20, 54])
def test_exact_spreads_add_up_to_one(of, n):
    """Whatever is counted, the chances of its values add up to one."""
    spread = distribution(of, n, CLASSIC)
    assert math.fsum(spread.chances.values()) == pytest.approx(1, abs=1e-12)
    assert spread.method == "exact"
    assert list(spread.chances) == sorted(spread.chances)


@pytest.mark.parametrize("of", EXACT)
def test_exact_spreads_agree_with_random_hands(of):
    """Random hands show each value as often as counting says."""
    samples = 1500
    spread = distribution(of, 17, CLASSIC)
    pool = clauses.deck_of(CLASSIC)
    seen: dict[int, int] = {}
    for chunk in sampling.layouts(pool, [17], samples, sampling.generator(8)):
        for hand in chunk[:, 0].tolist():
            number = value(of, cards.from_counts(hand), CLASSIC)
            seen[number] = seen.get(number, 0) + 1
    assert set(seen) <= set(spread.chances)
    for number, chance in spread.chances.items():
        error = math.sqrt(chance * (1 - chance) / samples)
        assert abs(seen.get(number, 0) / samples - chance) <= 4.5 * error + 3 / samples


def test_bombs_with_two_decks_count_a_rank_once():
    """Eight equal cards are one bomb, and four jokers one."""
    two = rulesets.parse(
        'id = "two"\nextends = "classic"\nname = { en = "Two" }\n'
        "[deck]\ndecks = 2\n[deal]\nseats = 4\nhand = 25\nbottom = 8\n"
        '[play]\nladder = [{ id = "bomb", size = 4 }, { id = "rocket", cards = ["XXDD"] }]\n'
    )
    assert value("bombs", "333333334444XXDD", two) == 3
    assert value("bombs", "333XXD", two) == 0
    spread = distribution("bombs", 25, two)
    assert math.fsum(spread.chances.values()) == pytest.approx(1, abs=1e-12)


def test_fewest_turns_are_sampled_and_say_so():
    """Turns come with number of hands and seed, and the same seed gives the same spread."""
    one = distribution("turns", 8, CLASSIC, samples=60, seed=4)
    assert one == distribution("turns", 8, CLASSIC, samples=60, seed=4)
    assert (one.method, one.samples, one.seed) == ("sampled", 60, 4)
    assert sum(one.chances.values()) == pytest.approx(1)
    assert one.at_least(0).value == 1
    assert value("turns", "34567", CLASSIC) == 1


def test_the_frame_carries_its_origin():
    """A spread as a frame has one row a value with method, seed and ruleset."""
    pytest.importorskip("pandas")
    frame = distribution("bombs", 17, CLASSIC).frame()
    assert list(frame["value"]) == [0, 1, 2, 3, 4]
    assert set(frame["method"]) == {"exact"}
    assert np.isclose(frame["chance"].sum(), 1)


@pytest.mark.parametrize(
    ("of", "n", "error"),
    [
        ("pointz", 17, HandError),
        ("copies:Z", 17, HandError),
        ("copies", 17, HandError),
        ("points", 55, HandError),
        ("longest:bom", 17, RulesetError),
    ],
)
def test_bad_questions_are_refused(of, n, error):
    """Unknown numbers, ranks, kinds and sizes are refused."""
    with pytest.raises(error):
        distribution(of, n, CLASSIC)
    assert distributions.distribution("points", 17, CLASSIC).rules == "classic"
