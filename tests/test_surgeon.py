"""Splits of a hand: the five measures, cards moved by hand, and races on paired deals."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz_core import cards, decompose, surgeon
from ddz_core.errors import DdzError, HandError
from ddz_core.rules import load_ruleset

CLASSIC = load_ruleset("classic")
HAND = "3334455667789TJJQKA2"


def deck_hand(size: int) -> st.SearchStrategy[str]:
    """Return hands of up to ``size`` cards of one deck."""
    return st.lists(st.integers(0, 53), min_size=1, max_size=size, unique=True).map(
        lambda places: "".join(
            sorted((CLASSIC.deck_text()[i] for i in places), key=cards.RANKS.find)
        )
    )


def test_measures_of_a_split_counted_by_hand() -> None:
    """Aces and twos in hand, jokers out: what is sure, what only a bomb beats, what is open."""
    split = surgeon.measure(["34567", "AAAA", "2222", "K"], CLASSIC)
    assert [g.safety for g in split.groups] == [("open",), ("bombs",), ("bombs",), ("open",)]
    m = split.measures
    assert (m.turns, m.controls, m.losers, m.debt) == (4, 2, 2, 3)
    assert surgeon.measure(["34567", "XD"], CLASSIC).measures.debt == 0
    assert surgeon.measure(["34567", "XD"], CLASSIC, leads=False).measures.debt == 1


def test_seen_cards_make_plays_sure() -> None:
    """A two is open while a joker is out and sure of everything but bombs when both are gone."""
    assert surgeon.measure(["2"], CLASSIC).groups[0].safety == ("open",)
    assert surgeon.measure(["2"], CLASSIC, seen="XD").groups[0].safety == ("bombs",)
    gone = CLASSIC.deck_text().replace("2", "", 1)
    assert surgeon.measure(["2"], CLASSIC, seen=gone).groups[0].safety == ("sure",)


@settings(max_examples=40, deadline=None)
@given(deck_hand(14))
def test_no_split_needs_fewer_plays_than_the_fewest(hand: str) -> None:
    """Any grouping, broken ones included, counts at least the exact fewest plays."""
    whole = surgeon.measure([hand], CLASSIC)
    singles = surgeon.measure(list(hand), CLASSIC)
    fewest = decompose.turns(hand, CLASSIC).turns
    assert whole.measures.turns == fewest == whole.fewest
    assert singles.measures.turns == len(hand) >= fewest
    for split in surgeon.two_splits(hand, CLASSIC):
        assert sum(map(cards.parse_cards, split.texts)) == cards.parse_cards(hand)
        m = split.measures
        assert m.controls + m.losers == m.turns >= fewest
        assert 0 <= m.flexibility <= m.possible


def test_flexibility_by_listing_answers() -> None:
    """A play of the unseen cards counts when some group of the split is among the answers to it."""
    groups = ["99", "KKK", "2"]
    rest = CLASSIC.ruleset.deck_cards - cards.parse_cards("99KKK2")
    different = {m.code: m for m in CLASSIC.moves(rest)}
    answered = sum(
        any(
            group in {m.cards for m in CLASSIC.moves(group, beat=lead.cards, beat_as=lead)}
            for group in groups
        )
        for lead in different.values()
    )
    m = surgeon.measure(groups, CLASSIC).measures
    assert (m.flexibility, m.possible) == (answered, len(different))


@settings(max_examples=40, deadline=None)
@given(deck_hand(12), st.data())
def test_moving_cards_keeps_the_hand(hand: str, data: st.DataObject) -> None:
    """Whatever is moved where, the cards of the hand stay the same and no group is empty."""
    groups = [move.cards for move in decompose.turns(hand, CLASSIC).splits[0]]
    source = data.draw(st.integers(0, len(groups) - 1))
    card = data.draw(st.sampled_from(groups[source]))
    target = data.draw(st.integers(0, len(groups)))
    after = surgeon.moved(groups, [(source, card)], target)
    assert sum(map(cards.parse_cards, after)) == cards.parse_cards(hand)
    assert all(after)


@pytest.mark.parametrize(
    ("taken", "target"), [([(0, "9")], 1), ([(5, "3")], 0), ([(0, "3")], 7), ([(0, "33")], 1)]
)
def test_impossible_moves_are_refused(taken: list[tuple[int, str]], target: int) -> None:
    """A card that is not there, or a group that does not exist, changes nothing."""
    with pytest.raises(HandError):
        surgeon.moved(["34567", "99"], taken, target)


def test_groups_that_cannot_be_are_refused() -> None:
    """Five of a rank over all groups and what was seen is more than the deck has."""
    with pytest.raises(HandError) as refused:
        surgeon.measure(["333", "34"], CLASSIC, seen="3")
    assert refused.value.params["rank"] == "3"
    with pytest.raises(HandError):
        surgeon.measure(["3"] * 4 + [r for r in CLASSIC.deck_text() if r != "3"], CLASSIC)


def test_greedy_split_takes_the_longest_first() -> None:
    """The first group has as many cards as any play, bombs aside, and all groups make the hand."""
    groups = surgeon.greedy(HAND, CLASSIC)
    longest = max(len(m.cards) for m in CLASSIC.moves(HAND) if not m.is_bomb)
    assert len(groups[0]) == longest
    assert sum(map(cards.parse_cards, groups)) == cards.parse_cards(HAND)


def test_race_is_paired_and_repeatable() -> None:
    """The same split against itself never differs; the same seed gives the same race."""
    a, b = (list(split.texts) for split in surgeon.two_splits(HAND, CLASSIC))
    same = surgeon.race(a, a, CLASSIC, deals=60, seed=3)
    assert (same.better, same.worse, same.difference.value) == (0, 0, 0.0)
    first = surgeon.race(a, b, CLASSIC, deals=60, seed=3)
    assert first == surgeon.race(a, b, CLASSIC, deals=60, seed=3)
    assert first.first == same.first
    gap = first.first.value - first.second.value
    assert first.difference.value == pytest.approx(gap)
    assert first.deals == first.first.n == 60


@pytest.mark.parametrize("role", ["landlord", "after", "before"])
def test_a_hand_that_cannot_lose_wins_every_race(role: surgeon.Role) -> None:
    """Two plays, the first of them the rocket: whoever gets to speak wins all deals."""
    run = surgeon.race(["XD", "3"], ["3", "XD"], CLASSIC, role=role, deals=40)
    assert run.first.value == run.second.value == 1.0


def test_running_results_grow_to_the_whole() -> None:
    """A race yields a result a chunk; the last one has every deal."""
    sizes = [run.deals for run in surgeon.races(["34567", "2"], ["34567", "2"], CLASSIC, deals=450)]
    assert sizes == [200, 400, 450]


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [
        (["34567"], ["34568"], {}),
        (["334"], ["334"], {}),
        ([], [], {}),
        (["34567"], ["34567"], {"role": "king"}),
        (["34567"], ["34567"], {"deals": 1}),
        (["34567"], ["34567"], {"deals": True}),
        (["34567"], ["34567"], {"seed": -1}),
    ],
)
def test_races_that_cannot_be_run_say_why(
    first: list[str], second: list[str], wrong: dict[str, object]
) -> None:
    """Different hands, groups that are nothing, no cards, and impossible options are refused."""
    with pytest.raises(DdzError):
        surgeon.race(first, second, CLASSIC, **wrong)


def test_typed_groups() -> None:
    """Groups are read with spaces or points between, in any notation of cards."""
    assert surgeon.groups_of("10jqka  99 · 2") == ["TJQKA", "99", "2"]
