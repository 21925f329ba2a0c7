"""Moments set up by hand or taken from a game, and chances stated before they are counted."""

from __future__ import annotations

import contextlib
import io
import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core import behaviour, calibration, cards, distributions, reading
from ddz_core.calibration import Answer
from ddz_core.errors import DdzError, HandError, RecordError
from ddz_core.estimate import exact, share
from ddz_core.language import LANGUAGES, words
from ddz_core.plots import dots, heat
from ddz_core.reading import Setup

RULES = ddz.load_ruleset("classic")
HAND = "33445566778899TJQ"


def game_at(seed: int, actions: int) -> ddz.Game:
    """Return a game of rule bots after some actions, or settled before that."""
    game, bot, rng = ddz.new_game(RULES, ddz.deal(RULES, seed=seed)), ddz.bot("rule"), None
    rng = np.random.default_rng(seed)
    while len(game.history) < actions and game.phase != "settled":
        game = game.apply(bot.choose(ddz.observe(game, game.to_act), rng))
    return game


def run(code: str) -> dict[str, object]:
    """Run lines a page prints and return the names they leave."""
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, names)
    return names


# --- set-ups -------------------------------------------------------------------------------------


@given(
    seat=st.integers(0, 2),
    lord=st.none() | st.integers(0, 2),
    left=st.just(()) | st.tuples(*[st.integers(0, 20)] * 3),
    played=st.text("3456789TJQKA2XD♠♥♣♦ ,", max_size=40).map(str.strip),
    passed=st.text("3456789TJQKA2XD ", max_size=20).map(str.strip),
)
def test_a_set_up_survives_its_text(
    seat: int, lord: int | None, left: tuple[int, ...], played: str, passed: str
) -> None:
    """Whatever is typed comes back from the text that links carry."""
    passes = ((1, passed),) if passed else ()
    setup = Setup(hand=HAND, seat=seat, landlord=lord, left=left, played=played, passes=passes)
    assert reading.read_setup(setup.rest, HAND) == setup


@pytest.mark.parametrize(
    "text", ["nope", "seat=x", "left=1/-2", "passes=1", "lord=1000", "a=b=c;;"]
)
def test_a_foreign_text_is_refused_or_empty(text: str) -> None:
    """A text that is no set-up is refused with the part that is wrong."""
    if text == "passes=1":
        assert reading.read_setup(text).passes == ((1, ""),)
        return
    with pytest.raises(HandError):
        reading.read_setup(text)


@pytest.mark.parametrize(
    ("setup", "field", "got"),
    [
        (Setup(hand="3344556677889TJQ"), "hand", "16"),
        (Setup(hand=HAND, landlord=1, left=(17, 20, 17), played="D", bottom="DX5"), "counts", "54"),
        (Setup(hand=HAND, landlord=1, bottom="KK99"), "bottom", "4"),
        (Setup(hand=HAND, landlord=1, left=(17, 20, 17), played="333"), "played", "5"),
        (Setup(hand="8888" + HAND[:9] + "TJQK", landlord=1, bottom="8KK"), "bottom", "5"),
        (Setup(hand=HAND, landlord=1, bottom="♠A♠A5"), "bottom", "2"),
        (Setup(hand=HAND, landlord=1, left=(17, 17, 17), played="♥A ♥A 4"), "played", "2"),
        (Setup(hand=HAND, landlord=1, bottom="336"), "seat 1", ""),
        (Setup(hand=HAND, landlord=1, left=(17, 20)), "counts", "2"),
        (Setup(hand=HAND, landlord=0), "hand", "17"),
    ],
)
def test_impossible_moments_name_what_is_wrong(setup: Setup, field: str, got: str) -> None:
    """Cards or numbers that cannot be are refused with their field (reports R25, R26)."""
    if field == "seat 1":  # two 3s in the hand and two in the bottom are possible
        assert reading.of_setup(setup, RULES).odds.known(1) == "336"
        return
    with pytest.raises(HandError) as refused:
        reading.of_setup(setup, RULES)
    assert (refused.value.field, refused.value.got) == (field, got)


def test_a_set_up_is_the_game_it_describes() -> None:
    """A moment of a game and the same moment set up by hand give the same table."""
    compared = 0
    for seed in range(12):
        game = game_at(seed, 14)
        if game.phase != "play":
            continue
        for seat in range(3):
            seen = reading.of_game(ddz.observe(game, seat))
            lord = game.landlords[0]
            gone = "".join(str(card) for entry in game.history for card in entry.laid)
            bottom = "".join(map(str, game.deal.bottom))
            card, holder = game.deal.face_up
            known = ((holder, card.rank),) if game.face_up_left and holder != seat else ()
            made = reading.of_setup(
                Setup(
                    hand=seen.odds.hand,
                    seat=seat,
                    landlord=lord,
                    left=game.left,
                    played=gone,
                    bottom=bottom,
                    known=known,
                ),
                RULES,
            )
            assert made.odds.table() == seen.odds.table()
            compared += 1
    assert compared > 10


def test_two_games_that_differ_only_in_hidden_cards_read_alike() -> None:
    """R24: what is counted depends on nothing that the seat does not see."""
    dealt = ddz.deal(RULES, seed=5)
    one, two, three = dealt.hands
    swapped = replace(
        dealt, hands=(one, (*two[:-1], three[0]), (*three[1:], two[-1])), face_up=None, seed=None
    )
    plain = replace(dealt, face_up=None, seed=None)
    found = [
        reading.of_game(ddz.observe(ddz.new_game(RULES, deal), 0)) for deal in (plain, swapped)
    ]
    assert found[0].odds.table() == found[1].odds.table()
    assert found[0].unseen == found[1].unseen
    assert len(found[0].unseen) == 37


@pytest.mark.parametrize(
    ("bottom", "played", "held", "unsure"),
    [
        ("♠A♥J5", "", ["♠A", "♥J", "5"], []),
        ("♠A♥J5", "♠A", ["♥J", "5"], []),
        ("♠A♥J5", "♥A♦A", ["♠A", "♥J", "5"], []),
        ("♠A♥J5", "A", ["♥J", "5"], ["A"]),
        ("A♥J5", "♥A", ["♥J", "5"], ["A"]),
        ("♠A♥JD", "D", ["♠A", "♥J"], []),
        ("♠A♥J6", "66", ["♠A", "♥J"], []),
    ],
)
def test_only_the_very_card_is_gone(
    bottom: str, played: str, held: list[str], unsure: list[str]
) -> None:
    """An equal rank of another suit proves nothing about a bottom card; one unsaid is unsure."""
    found, perhaps = reading.still_held(RULES.ruleset, bottom, played, HAND)
    assert [suit + rank for suit, rank in found] == held
    assert perhaps == unsure


def test_number_of_layouts_is_counted_again() -> None:
    """The number of layouts is the number of ways to share out cards that are told apart."""
    seen = reading.of_setup(
        Setup(hand="3", landlord=0, left=(1, 2, 2), played=everything_but("3456X")), RULES
    )
    assert len(seen.unseen) == 4
    ways = {frozenset(pair) for pair in itertools.combinations(range(4), 2)}
    assert seen.layouts == len(ways)


def everything_but(kept: str) -> str:
    """Return all cards of the deck but these."""
    return cards.format_cards(RULES.ruleset.deck_cards - cards.parse_cards(kept))


# --- words and lines -----------------------------------------------------------------------------


@given(st.integers(1, 400), st.integers(1, 400))
def test_small_fractions_are_found_again(a: int, b: int) -> None:
    """An exact chance with a small denominator is printed as that fraction, a sampled one never."""
    value = Fraction(min(a, b), a + b)
    text = reading.as_fraction(exact(float(value)))
    assert Fraction(text) == value
    assert not reading.as_fraction(share(min(a, b), a + b))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chance", [0, 1e-9, 3e-5, 0.004, 0.294, 0.5, 0.995, 1])
def test_chances_are_told_in_counts(lang: str, chance: float) -> None:
    """Only the impossible is "none" and only the certain is "all"; the count fits the chance."""
    phrase = reading.in_counts(chance)
    assert words(lang).phrase(phrase)
    assert (phrase.key == "odds.never") == (chance == 0)
    assert (phrase.key == "odds.always") == (chance == 1)
    if phrase.params:
        k, of = (float(str(phrase.params[name]).replace(",", "")) for name in ("k", "of"))
        assert abs(k / of - chance) <= 0.5 / of + 1e-12


def test_lines_give_the_numbers_of_a_set_up() -> None:
    """The printed lines run as they stand and give the same odds and passes."""
    setup = Setup(
        hand=HAND,
        landlord=1,
        left=(17, 19, 17),
        played="♥A",
        bottom="♠A♥J5",
        passes=((1, "KK 4"),),
        known=((2, "2"),),
    )
    seen = reading.of_setup(setup, RULES)
    made = run(reading.code_lines(RULES, *seen.code))
    assert made["odds"].table() == seen.odds.table()
    assert tuple(made["passes"]) == seen.passes


def test_lines_give_the_numbers_of_a_game() -> None:
    """The printed lines of a game's moment give the same odds and passes."""
    game = game_at(1, 16)
    code = [
        f"game = ddz.decode({ddz.encode(game)!r}).at({len(game.history)})",
        "obs = ddz.observe(game, 0)",
    ]
    seen = reading.of_game(ddz.observe(game, 0), code)
    made = run(reading.code_lines(RULES, *seen.code))
    assert made["odds"].table() == seen.odds.table()
    assert tuple(made["passes"]) == seen.passes


# --- layouts and spreads -------------------------------------------------------------------------


def test_layouts_follow_the_weights() -> None:
    """Layouts drawn with behaviour hold the jokers together as often as the weighed chance says."""
    seen = reading.of_setup(
        Setup(hand=HAND, landlord=1, passes=((1, "2"),)), ddz.load_ruleset("classic")
    )
    assert seen.odds.holds("XD").value == pytest.approx(float(Fraction(326, 666)))
    found = behaviour.believe(
        seen.odds, seen.passes, behaviour.Habits(cover=0.9), samples=20_000, seed=5
    )
    wanted = found.holds("XD").value
    drawn = reading.sample_layouts(found, 3_000, seed=2)
    together = sum(any({"X", "D"} <= set(hand) for hand in one.hands) for one in drawn)
    error = math.sqrt(wanted * (1 - wanted) / 3_000)
    assert abs(together / 3_000 - wanted) < 4 * error
    for one in drawn[:50]:
        dealt = sum(cards.parse_cards(hand) for hand in one.hands)
        assert dealt == RULES.ruleset.deck_cards


@pytest.mark.parametrize("n", [5, 17])
def test_a_growing_sample_ends_as_the_whole_one(n: int) -> None:
    """Every state of a growing sample is the sample of its own size; the last is all of it."""
    states = list(reading.refine_turns(n, RULES, samples=2_500, seed=3))
    assert [one.samples for one in states] == [1_000, 2_000, 2_048, 2_500]
    for one in states:
        assert one == distributions.distribution("turns", n, RULES, samples=one.samples, seed=3)


def test_counts_of_a_learner_are_compared_by_rank() -> None:
    """The right counter is right everywhere; one card too many shows at its rank alone."""
    seen = reading.of_setup(Setup(hand=HAND), RULES)
    right = reading.compare_counts(seen, seen.unseen)
    assert all(said == truth for said, truth in right.values())
    wrong = reading.compare_counts(seen, seen.unseen.replace("D", ""))
    assert [rank for rank, (said, truth) in wrong.items() if said != truth] == ["D"]


# --- calibration ---------------------------------------------------------------------------------


@given(
    st.lists(
        st.tuples(st.integers(0, 100), st.integers(0, 1_000_000)).map(
            lambda pair: Answer(pair[0], pair[1] / 1_000_000, "XD@1")
        ),
        max_size=30,
    )
)
def test_answers_survive_their_text(answers: list[Answer]) -> None:
    """The text that the learner owns brings every answer back, and the groups hold each once."""
    assert calibration.read_answers(calibration.answers_text(answers)) == answers
    assert sum(group.n for group in calibration.groups(answers)) == len(answers)


@pytest.mark.parametrize(
    "text", ["x", "paili calibration 2", f"{calibration.HEAD}\n1 2", f"{calibration.HEAD}\n101 0 a"]
)
def test_foreign_answers_are_refused(text: str) -> None:
    """A text that holds no answers is refused with its line."""
    with pytest.raises(RecordError):
        calibration.read_answers(text)


def test_questions_are_open_and_repeat() -> None:
    """A question's answer is unsure and counted, and one seed always asks the same."""
    seen = reading.of_setup(Setup(hand=HAND), RULES)
    asked = [calibration.question(seen, seed) for seed in range(40)]
    assert asked == [calibration.question(seen, seed) for seed in range(40)]
    assert len({one.about for one in asked}) > 20
    for one in asked:
        assert one.chance == seen.odds.holds(one.kinds, one.place).value
        assert 0.02 <= one.chance <= 0.98


def test_nothing_is_asked_where_all_is_known() -> None:
    """Where every card is known there is no question."""
    seen = reading.of_setup(
        Setup(hand="3", landlord=0, left=(1, 1, 0), played=everything_but("34")), RULES
    )
    with pytest.raises(DdzError):
        calibration.question(seen, 0)


# --- figures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_map_shows_every_possible_cell_once(theme: str) -> None:
    """Each possible cell is in one of the two halves of the ramp, each impossible one in none."""
    seen = reading.of_setup(Setup(hand=HAND), RULES)
    ranks = seen.odds.table()[1]
    figure = heat.figure(ranks, label=str, order="DX2AKQJT9876543", theme=theme)
    low, high = figure.data
    shown = 0
    for row, rank in enumerate(low.y):
        for column, chance in enumerate(ranks[rank.strip()]):
            values = [low.z[row][column], high.z[row][column]]
            assert [v for v in values if v is not None] == ([chance] if chance else [])
            assert (values[1] is not None) == (chance >= 0.5)
            shown += chance > 0
    assert shown > 40
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "category"


@given(st.floats(0, 1))
def test_dots_are_full_or_empty_only_for_certainty(chance: float) -> None:
    """A hundred dots mean always and none means never; between, the count is the rounded chance."""
    filled = dots.filled_dots(chance)
    assert (filled == 0) == (chance == 0)
    assert (filled == 100) == (chance == 1)
    assert abs(filled - 100 * chance) <= 1
