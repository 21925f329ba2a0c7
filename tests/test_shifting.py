"""Luck-free puzzles: spreads are complete, proofs agree with a naive one, errors are beaten."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import msgspec
import numpy as np
import pytest

import ddz_core as ddz
from ddz_core import cards, positions, shifting
from ddz_core.errors import DdzError
from ddz_core.positions import Ended, Position
from ddz_core.shifting import puzzle, trial

RULES = ddz.load_ruleset("classic")


def drawn(seed: int, own: int, sizes: tuple[int, ...], ranks: int = 6) -> shifting.Scene | None:
    """Return a random scene of few ranks, None if the cards do not suffice."""
    rng = np.random.default_rng(seed)
    deck = cards.format_cards(RULES.ruleset.deck_cards)
    chosen = rng.choice(sorted(set(deck)), size=ranks, replace=False)
    usable = [card for card in deck if card in chosen]
    total = own + sum(sizes)
    if len(usable) < total:
        return None
    text = "".join(str(card) for card in rng.permutation(usable)[:total])
    return shifting.scene(text[:own], text[own:], sizes, rules=RULES)


def naive(scene: shifting.Scene) -> dict[str, bool]:
    """Return which first actions win by what is seen, without solver, memory or shortcuts.

    A set of open positions stands for what the learner holds possible; one action must do for all.
    """

    def tried(spots: tuple[Position, ...], action: str) -> bool:
        after = [positions.after(spot, action) for spot in spots]
        if any(isinstance(one, Ended) for one in after):
            return True
        return wins(tuple(one for one in after if isinstance(one, Position)))

    def wins(spots: tuple[Position, ...]) -> bool:
        if spots[0].to_move == 0:
            return any(tried(spots, action) for action in legal(spots[0]))
        replies: dict[str, list[Position]] = {}
        for spot in spots:
            for action in legal(spot):
                after = positions.after(spot, action)
                if isinstance(after, Ended):
                    return False
                replies.setdefault(action, []).append(after)
        return all(wins(tuple(rest)) for rest in replies.values())

    @cache
    def legal(spot: Position) -> tuple[str, ...]:
        return tuple("pass" if m is None else m.notation_action for m in _moves(spot))

    spots = tuple(scene.opened(layout) for layout in shifting.layouts_of(scene))
    return {action: tried(spots, action) for action in legal(spots[0])}


class _Written:
    """A move with the text of its action, reading included."""

    def __init__(self, move: ddz.Move) -> None:
        self.notation_action = f"{move.cards}={move.kind}:{move.length}:{move.top}"


def _moves(spot: Position) -> list[_Written | None]:
    return [None if move is None else _Written(move) for move in positions.legal(spot)]


@pytest.mark.parametrize("seed", range(40))
def test_proofs_agree_with_a_naive_search(seed: int) -> None:
    """The right first actions are those that a search without any shortcut finds."""
    scene = drawn(seed, 3 + seed % 2, (2, 2 - seed % 2), 5)
    assert scene is not None
    prover = shifting.Prover(RULES)
    start = prover.start(scene)
    told = {}
    for choice in prover.choices(start):
        move = prover.move(choice)
        text = "pass" if move is None else _Written(move).notation_action
        told[text] = prover.keeps(start, choice)
    assert told == naive(scene)


@pytest.mark.parametrize("seed", range(10))
def test_spreads_are_all_and_each_once(seed: int) -> None:
    """The spreads are exactly the different ways to deal the unseen cards."""
    scene = drawn(seed, 3, (3, 2))
    assert scene is not None
    text = cards.format_cards(scene.unseen)
    dealt = {
        ("".join(text[i] for i in part), "".join(text[i] for i in range(5) if i not in part))
        for part in combinations(range(5), 3)
    }
    found = [tuple(map(cards.format_cards, one)) for one in shifting.layouts_of(scene)]
    assert len(found) == len(set(found))
    assert set(found) == dealt


def test_known_cards_stay_where_they_are() -> None:
    """Cards that a hand is known to hold are in it in every spread."""
    scene = shifting.scene("33", "44556", (3, 2), rules=RULES, held=("44", ""))
    found = [tuple(map(cards.format_cards, one)) for one in shifting.layouts_of(scene)]
    assert sorted(found) == [("445", "56"), ("446", "55")]


@pytest.mark.parametrize(
    ("own", "unseen", "sizes", "held", "field"),
    [
        ("33", "4455", (2, 1), (), "sizes"),
        ("33", "4455", (4, 0), (), "sizes"),
        ("33", "4455", (2, 2), ("66", ""), "held"),
        ("33", "4455", (2, 2), ("445", ""), "held"),
        ("33", "4455", (2, 2), ("44",), "sizes"),
        ("333", "33445", (3, 2), (), ""),
        ("3Z", "4455", (2, 2), (), ""),
    ],
)
def test_impossible_scenes_are_named(
    own: str, unseen: str, sizes: tuple[int, ...], held: tuple[str, ...], field: str
) -> None:
    """What cannot be is refused by the field that is wrong."""
    with pytest.raises(DdzError) as refused:
        shifting.scene(own, unseen, sizes, rules=RULES, held=held)
    assert field in refused.value.field


def test_a_partner_is_refused_with_the_reason() -> None:
    """A position whose learner has a hidden partner makes no scene."""
    place = ddz.position(["345", "67", "89"], rules=RULES, landlords=(1,))
    with pytest.raises(DdzError) as refused:
        shifting.scene_of(place)
    assert refused.value.key == "error.shifting.partner"


@pytest.mark.parametrize(
    ("own", "unseen", "sizes", "why"),
    [
        ("34", "DXAA", (2, 2), "lost"),
        ("DX", "3456", (2, 2), "every"),
        ("3", "4567", (2, 2), "one"),
    ],
)
def test_refusals_say_why(own: str, unseen: str, sizes: tuple[int, ...], why: str) -> None:
    """A scene that is no puzzle is told what it is instead."""
    found = shifting.puzzle_of(shifting.scene(own, unseen, sizes, rules=RULES))
    assert isinstance(found, shifting.Refusal)
    assert found.why == why
    if why == "lost":
        assert found.beaten == found.layouts
        place = ddz.position([own, *map(cards.format_cards, found.example)], rules=RULES)
        assert ddz.solve(place).value == -1


SHIPPED = shifting.puzzles()


def test_enough_are_shipped_in_three_grades() -> None:
    """At least 24 puzzles, eight of each grade at least, no two with the same cards."""
    assert len(SHIPPED) >= 24
    for grade in (1, 2, 3):
        assert sum(one.grade == grade for one in SHIPPED) >= 8
    assert len({(one.own, one.unseen, tuple(one.sizes)) for one in SHIPPED}) == len(SHIPPED)


@pytest.mark.parametrize("shipped", SHIPPED[::4], ids=lambda one: one.id)
def test_shipped_proofs_hold(shipped: puzzle.Puzzle) -> None:
    """Proving a shipped puzzle again gives every field as it is shipped."""
    assert shifting.check(shipped) == []


def test_an_altered_puzzle_is_caught() -> None:
    """A wrong action among the right ones, or a wrong count, is a fault."""
    one = SHIPPED[0]
    bad = next(iter(one.wrong))
    assert shifting.check(msgspec.structs.replace(one, right=[*one.right, bad]))
    assert shifting.check(msgspec.structs.replace(one, layouts=one.layouts + 1))


@pytest.mark.parametrize("shipped", SHIPPED[::3], ids=lambda one: one.id)
def test_right_play_always_wins(shipped: puzzle.Puzzle) -> None:
    """A learner who takes any right action whenever he is asked goes out first."""
    prover = shifting.Prover(RULES)
    now = shifting.begin(shipped.scene(), prover)
    while now.status == "open":
        assert now.state is not None
        right = prover.right(now.state)
        now = trial.act(now, prover.text(right[0]), prover)
    assert now.status == "won"
    assert now.wrong == -1


@pytest.mark.parametrize("shipped", SHIPPED[::3], ids=lambda one: one.id)
def test_a_wrong_play_always_loses(shipped: puzzle.Puzzle) -> None:
    """After a wrong action whatever follows loses, to hands that agree with all that was seen."""
    prover = shifting.Prover(RULES)
    rng = np.random.default_rng(1)
    for action in list(shipped.wrong)[:4]:
        now = trial.act(shifting.begin(shipped.scene(), prover), action, prover)
        assert now.wrong == 0
        while now.status == "open":
            assert now.state is not None
            choices = prover.choices(now.state)
            choice = choices[int(rng.integers(len(choices)))]
            now = trial.act(now, prover.text(choice), prover)
        assert now.status == "lost"
        seen = shipped.scene()
        assert now.layout in shifting.layouts_of(seen)
        place: Position | Ended = seen.opened(now.layout)
        for step in now.steps:
            assert isinstance(place, Position)
            assert place.to_move == step.seat
            place = positions.after(place, step.action)
        assert isinstance(place, Ended)
        assert not place.won


def test_files_name_what_is_wrong() -> None:
    """A file with an unknown key, or none at all, is refused with the place."""
    text = shifting.write_puzzles(list(SHIPPED[:1]))
    assert shifting.read_puzzles(text) == list(SHIPPED[:1])
    with pytest.raises(DdzError, match="hint"):
        shifting.read_puzzles(text.replace('"own"', '"hint"', 1))
    with pytest.raises(DdzError):
        shifting.read_puzzles("[]")


def test_nothing_hidden_is_the_solver_s_business() -> None:
    """With one enemy every card is known: what is right is what the solver keeps."""
    place = ddz.position(["AKKQ5543", "22K75543"], rules=RULES)
    solved = ddz.solve(place)
    found = shifting.puzzle_of(shifting.scene_of(place))
    if solved.value < 0:
        assert isinstance(found, shifting.Refusal)
        assert found.why == "lost"
    else:
        assert isinstance(found, shifting.Puzzle)
        assert set(found.right) == {one.partition("=")[0] for one in solved.best}
