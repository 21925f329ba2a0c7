"""What passes tell: the posterior under stated habits, checked by arithmetic and by listing."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from ddz_core import behaviour, cards, clauses, patterns, rulesets
from ddz_core.behaviour import Habits, Passed, believe
from ddz_core.belief import odds
from ddz_core.dealing import deal
from ddz_core.errors import DdzError, HandError, NotACombination
from ddz_core.game import new_game
from ddz_core.observation import observe
from ddz_core.rules import load_ruleset

CLASSIC = rulesets.load("classic")
FARMER = "334455667788TTJJ"
"""A farmer's sixteen cards after a 2 was led: no joker, no 2 more."""


def after_a_two():
    """The farmer's odds: the landlord holds 20 cards, the partner 17, a 2 lies on the table."""
    return odds(FARMER, CLASSIC, counts=[16, 20, 17], played="2")


@pytest.mark.parametrize(
    ("cover", "value"), [(0.0, 0.489), (0.5, 0.657), (0.8, 0.827), (0.9, 0.906), (1.0, 1.0)]
)
def test_jokers_together_after_a_pass_on_a_two(cover, value):
    """A lone joker would have covered: together 48.9 % by counting, more the likelier a cover."""
    now = after_a_two()
    prior = now.holds("rocket").value
    assert prior == pytest.approx((190 + 136) / 666, abs=1e-14)
    exact = prior / (prior + (1 - prior) * (1 - cover))
    assert round(exact, 3) == value
    seen = believe(now, [Passed(1, "2")], Habits(cover=cover), samples=6000, seed=5)
    found = seen.holds("rocket")
    assert abs(found.value - exact) <= 4 * math.sqrt(exact * (1 - exact) / seen.effective) + 1e-12
    assert (found.method, found.seed) == ("sampled", 5)
    assert found.low <= found.value <= found.high
    assert seen.prior is now


def test_even_a_sure_cover_leaves_the_rocket_with_the_partner():
    """With every lone joker covering, the landlord has the rocket in 190 of 326 cases only."""
    seen = believe(after_a_two(), [Passed(1, "2")], Habits(cover=1), samples=6000, seed=1)
    found = seen.holds("rocket", 1)
    exact = 190 / 326
    assert abs(found.value - exact) <= 4 * math.sqrt(exact * (1 - exact) / seen.effective)


def test_no_passes_give_the_prior_back():
    """Without passes every weight is one and the shares lie around the counted chances."""
    now = after_a_two()
    seen = believe(now, [], samples=5000, seed=2)
    assert seen.effective == pytest.approx(seen.n)
    table, counted = seen.table(), now.table()
    for place, ranks in counted.items():
        for rank, chances in ranks.items():
            assert math.fsum(table[place][rank]) == pytest.approx(1)
            for found, exact in zip(table[place][rank], chances, strict=True):
                assert abs(found - exact) <= 4.5 * math.sqrt(exact * (1 - exact) / 5000) + 1e-12
    assert seen.count("2", 1, 1).value == pytest.approx(table[1]["2"][1])


def test_habits_weigh_each_layout_as_stated():
    """A layout weighs 1 - cover where the seat could cover, times 1 - bomb where it could bomb."""
    now = odds(FARMER, CLASSIC, counts=[16, 20, 17], played="K")
    habits = Habits(cover=0.6, bomb=0.25)
    seen = believe(now, [Passed(1, "K")], habits, samples=400, seed=9)
    column = seen.places.index(1)
    for layout, weight in zip(seen.layouts, seen.weights, strict=True):
        hand = layout[column]
        bombs = [lane for lane in range(13) if hand[lane] == 4]
        rocket = hand[13] and hand[14]
        covers = any(hand[lane] and lane not in bombs for lane in (11, 12))
        covers |= bool(hand[13] + hand[14] == 1)
        expected = (0.4 if covers else 1.0) * (0.75 if bombs or rocket else 1.0)
        assert weight == pytest.approx(expected)


def test_other_habits_on_the_same_layouts():
    """Moving a slider weighs the same layouts anew, as if they had been drawn with it."""
    passes = [Passed(1, "2"), Passed(2, "9"), Passed(1, "55")]
    one = believe(after_a_two(), passes, Habits(cover=0.2), samples=300, seed=3)
    two = believe(after_a_two(), passes, Habits(cover=0.7, bomb=0.1), samples=300, seed=3)
    assert (one.under(Habits(cover=0.7, bomb=0.1)).weights == two.weights).all()
    apart = one.under({1: Habits(cover=0.0), 2: Habits(cover=1.0)})
    assert set(apart.weights) <= {0.0, 1.0}
    assert (apart.weights == ~one.covers[1]).all()


def test_cards_played_since_count_for_the_hand_that_passed():
    """A seat that passed on a K and later shows an ace did have it: every layout weighs less."""
    now = odds(FARMER, CLASSIC, counts=[16, 19, 17], played="KA")
    seen = believe(now, [Passed(1, "K", since="A")], Habits(cover=0.3), samples=300, seed=1)
    assert seen.weights == pytest.approx(0.7)


def test_passes_on_a_partner_say_nothing_by_default():
    """Letting a partner's card stand is no evidence unless a habit says so."""
    seen = believe(after_a_two(), [Passed(1, "2", partner=True)], Habits(cover=1), samples=100)
    assert (seen.weights == 1).all()


def test_evidence_that_cannot_be_is_refused():
    """A pass that no layout explains is refused when a chance is asked for."""
    now = odds(FARMER, CLASSIC, counts=[16, 19, 17], played="KA")
    seen = believe(now, [Passed(1, "K", since="A")], Habits(cover=1), samples=50)
    assert seen.effective == 0
    with pytest.raises(HandError):
        seen.holds("bomb")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: Habits(cover=1.5), DdzError),
        (lambda: Habits(bomb=-0.1), DdzError),
        (lambda: believe(after_a_two(), [Passed(0, "2")]), HandError),
        (lambda: believe(after_a_two(), [Passed(1, "23")]), NotACombination),
        (lambda: believe(after_a_two(), [], samples=0), DdzError),
    ],
)
def test_bad_evidence_is_refused(call, error):
    """Habits outside 0 to 1, passes of the own seat and tables that are nothing are refused."""
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("seed", range(6))
def test_what_beats_a_combination_is_what_the_engine_lists(seed):
    """The requirements for covering and bombing agree with the engine's answers."""
    rng = random.Random(seed)
    deck = cards.format_cards(CLASSIC.deck_cards)
    for _ in range(12):
        hand = "".join(rng.sample(deck, rng.randint(8, 17)))
        table = rng.choice(patterns.moves(CLASSIC, "".join(rng.sample(deck, 14))))
        plain, bombs = clauses.beating(
            CLASSIC, table.kind, table.length, table.top, len(table.cards)
        )
        counts = cards.counts_of(cards.parse_cards(hand))
        answers = patterns.moves(CLASSIC, hand, beat=table.cards, beat_as=table)
        kinds = {answer.kind in ("bomb", "rocket") for answer in answers}
        is_bomb = table.kind in ("bomb", "rocket")
        covers = behaviour.counting.Automaton(CLASSIC, plain).holds(counts)
        blasts = behaviour.counting.Automaton(CLASSIC, bombs).holds(counts)
        assert covers == (False in kinds and not is_bomb), (hand, table)
        assert blasts == (True in kinds), (hand, table)


def test_passes_are_read_from_an_observation():
    """Each pass of another seat comes with its table and with all that the seat played later."""
    rules = load_ruleset("classic")
    rng = np.random.default_rng(3)
    found = 0
    for seed in range(4):
        game = new_game(rules, deal(rules, seed))
        while game.to_act is not None and len(game.history) < 60:
            legal = game.legal()
            game = game.apply(legal[int(rng.integers(len(legal)))])
        obs = observe(game, 1)
        entries = [e for e in obs.history if e.phase == "play"]
        passes = behaviour.passes_of(obs)
        others = [e for e in entries if e.action == "pass" and e.seat != 1]
        assert len(passes) == len(others)
        found += len(passes)
        for one, entry in zip(passes, others, strict=True):
            later = [
                e for e in entries if e.seat == entry.seat and e.index > entry.index and e.move
            ]
            assert one.seat == entry.seat
            assert cards.parse_cards(one.since) == sum(e.move.hand for e in later)
            before = [e for e in entries if e.index < entry.index and e.move]
            assert one.table == before[-1].move
            assert one.partner == (obs.side_of(before[-1].seat) == obs.side_of(one.seat))
    assert found
