"""Hands to order: every hand fits, draws are fair, contradictions are named, searches end."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

import ddz_core as ddz
from ddz_core import bookbids, cards, distributions
from ddz_core.counting import automaton
from ddz_core.dealing_like import hands_like

CLASSIC = ddz.load_ruleset("classic")
KINDS = ("bomb", "rocket", "straight", "pair_straight", "plane", "triple", "plane_singles")


def holds(hand: str, kind: str) -> bool:
    """Whether a hand holds a kind, asked of the moves themselves."""
    return any(move.kind == kind for move in CLASSIC.moves(hand))


@settings(max_examples=40, deadline=None)
@given(
    points=st.tuples(st.integers(0, 19), st.integers(0, 19)).map(sorted),
    twos=st.tuples(st.integers(0, 4), st.integers(0, 4)).map(sorted),
    wanted=st.sets(st.sampled_from(KINDS), max_size=1),
    unwanted=st.sets(st.sampled_from(KINDS), max_size=1),
    turns=st.tuples(st.integers(1, 9), st.integers(6, 14)),
    seed=st.integers(0, 2**32),
)
def test_every_hand_fits(
    points: list[int],
    twos: list[int],
    wanted: set[str],
    unwanted: set[str],
    turns: tuple[int, int],
    seed: int,
) -> None:
    """A hand found has the points, ranks, kinds and plays asked for; else the wish is refused."""
    if turns[0] > turns[1]:
        turns = (turns[1], turns[0])
    try:
        found = hands_like(
            CLASSIC,
            points=(points[0], points[1]),
            ranks={"2": (twos[0], twos[1])},
            holds=sorted(wanted),
            lacks=sorted(unwanted),
            turns=turns,
            number=2,
            seed=seed,
            limit=600,
        )
    except ddz.HandError as error:
        told = error.key
    else:
        told = ""
    if told:
        assert told.startswith("error.like.")
        return
    for hand in found.hands:
        packed = cards.parse_cards(hand)
        assert len(hand) == 17
        assert points[0] <= bookbids.points_of(packed) <= points[1]
        assert twos[0] <= hand.count("2") <= twos[1]
        assert turns[0] <= ddz.turns(hand, CLASSIC, limit=0).turns <= turns[1]
        assert all(holds(hand, kind) for kind in wanted)
        assert not any(holds(hand, kind) for kind in unwanted)


def test_share_is_counted_where_it_can_be() -> None:
    """Points alone, and ranks alone, have the share that counting hands gives."""
    spread = distributions.distribution("points", 17, CLASSIC)
    for low, high in ((0, 3), (7, 9), (12, 19)):
        found = hands_like(CLASSIC, points=(low, high))
        counted = sum(p for value, p in spread.chances.items() if low <= value <= high)
        assert found.share.method == "exact"
        assert found.share.value == pytest.approx(counted)
    four = hands_like(CLASSIC, ranks={"9": 4}).share.value
    assert four == pytest.approx(ddz.frequency("9999", 17, CLASSIC).value)
    none = hands_like(CLASSIC, lacks=["bomb"]).share.value
    rocket_or_not = ddz.frequency("bomb", 17, CLASSIC).value
    assert none == pytest.approx(1 - rocket_or_not)


def test_draws_are_fair() -> None:
    """Among hands of at least seven points each number of points comes as often as it should."""
    spread = distributions.distribution("points", 17, CLASSIC)
    found = hands_like(CLASSIC, points=(7, 19), number=1_000, seed=8)
    seen = Counter(bookbids.points_of(cards.parse_cards(hand)) for hand in found.hands)
    whole = spread.at_least(7).value
    for value in range(7, 12):
        p = spread.chances[value] / whole
        assert abs(seen[value] - 1_000 * p) < 4 * (1_000 * p * (1 - p)) ** 0.5
    aces = sum(hand.count("A") for hand in hands_like(CLASSIC, number=1_000, seed=9).hands)
    assert abs(aces / 1_000 - 4 * 17 / 54) < 4 * 0.9 / 1_000**0.5


def test_one_seed_one_answer() -> None:
    """The same seed finds the same hands, another one others."""
    wish = {"points": (8, 10), "holds": ["straight"], "number": 3}
    assert hands_like(CLASSIC, seed=1, **wish) == hands_like(CLASSIC, seed=1, **wish)
    assert hands_like(CLASSIC, seed=1, **wish).hands != hands_like(CLASSIC, seed=2, **wish).hands


@pytest.mark.parametrize(
    ("wish", "parts"),
    [
        ({"holds": ["rocket"], "points": (0, 5)}, {"holds rocket", "points 0 to 5"}),
        ({"ranks": {"3": 4}, "lacks": ["bomb"]}, {"4 to 4 cards of rank 3", "lacks bomb"}),
        ({"ranks": {"2": 4}, "points": (0, 6)}, {"4 to 4 cards of rank 2", "points 0 to 6"}),
        ({"holds": ["bomb"], "lacks": ["bomb"]}, {"holds bomb", "lacks bomb"}),
        ({"holds": ["rocket"], "ranks": {"X": 0}}, {"holds rocket", "0 to 0 cards of rank X"}),
    ],
)
def test_a_contradicting_pair_is_named(wish: dict[str, object], parts: set[str]) -> None:
    """Two wishes that exclude each other are named, no matter what else is wished."""
    error = refused(ddz.HandError, lambda: hands_like(CLASSIC, turns=(1, 14), **wish))
    assert error.key == "error.like.pair"
    assert set(error.field.split(" and ")) == parts


def test_single_and_threefold_contradictions() -> None:
    """A wish that no hand fits alone is named alone; three that only clash together are named."""
    alone = refused(ddz.HandError, lambda: hands_like(CLASSIC, lacks=["pair"], points=(1, 9)))
    assert alone.key == "error.like.one"
    together = refused(
        ddz.HandError,
        lambda: hands_like(CLASSIC, points=(0, 6), ranks={"D": 1, "A": (3, 4)}),
    )
    assert together.key == "error.like.several"


def test_a_hopeless_search_says_how_rare() -> None:
    """A search that finds nothing ends with a bound; the more it tried, the rarer the hand."""
    few, many = (
        refused(ddz.HandError, lambda n=n: hands_like(CLASSIC, turns=(1, 1), limit=n))
        for n in (500, 4_000)
    )
    for error, tried in ((few, 500), (many, 4_000)):
        assert error.key == "error.like.rare"
        assert error.params["tried"] == tried
        assert int(str(error.params["one_in"]).replace(",", "")) == round(tried / 3)


@pytest.mark.parametrize(
    "wish",
    [
        {"points": (5, 2)},
        {"points": "many"},
        {"points": (1, 2, 3)},
        {"ranks": {"3": 5}},
        {"ranks": {"Z": 1}},
        {"ranks": {"X": True}},
        {"turns": (0, 99)},
        {"number": 0},
        {"limit": 0},
        {"size": 55},
    ],
)
def test_wishes_that_cannot_be_are_refused(wish: dict[str, object]) -> None:
    """A range that is none, a rank or number that does not exist: named, with what came."""
    assert refused(ddz.HandError, lambda: hands_like(CLASSIC, **wish)).key == "error.like.range"


def test_unknown_kinds_are_refused() -> None:
    """A kind that the game does not have is named with those it has."""
    refused(ddz.RulesetError, lambda: hands_like(CLASSIC, holds=["dress"]))


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_are_judged_like_moves(kind: str) -> None:
    """The test that draws use agrees with listing every move of the hand."""
    machine = automaton(CLASSIC.ruleset, (kind,))
    for hand in hands_like(CLASSIC, number=60, seed=4).hands:
        counts = cards.counts_of(cards.parse_cards(hand))
        assert machine.holds(counts) == holds(hand, kind)
