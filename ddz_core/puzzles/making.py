"""Making puzzles: random endings, kept where the win hangs on plays that are not obvious.

Layer 4. A candidate is drawn from two numbers, so that the same numbers give the same candidate.
What is kept is then made smaller, card by card, as long as it stays as hard and about the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from ddz_core import cards
from ddz_core.errors import DdzError
from ddz_core.positions import Position, position
from ddz_core.puzzles import lines
from ddz_core.puzzles.collection import Puzzle, grade_of, of_study
from ddz_core.puzzles.judge import Judge, family_of
from ddz_core.puzzles.obvious import obvious
from ddz_core.puzzles.study import Study, families, study
from ddz_core.puzzles.themes import NAMES, themes

if TYPE_CHECKING:
    from ddz_core.rules import Rules

Shape = Literal["duel", "landlord", "farmer"]
SHAPES: tuple[Shape, ...] = ("duel", "landlord", "farmer")
"""Two hands; three with the landlord to move; three with a farmer to move."""

CARDS = {"duel": (9, 17), "landlord": (12, 19), "farmer": (11, 18)}
"""Fewest and most cards of a candidate, by shape."""

QUICK = 200_000
"""Nodes of the solver for a first look at a candidate."""
ANSWERING = 0.35
"""Share of the candidates in which a play is to be answered."""
FEWEST_CARDS, FEWEST_DECISIONS = 10, 3
"""A puzzle has at least so many cards, and so many decisions of the learner's on its main line."""
_HARDER = 7
CLIMB = 40
"""Changes tried to make a puzzle harder."""
BOMBS: dict[str, Literal["", "own", "enemy"]] = {
    "split_bomb": "own",
    "carry": "own",
    "keep_bomb": "own",
    "bomb_now": "own",
    "force_bomb": "enemy",
}
"""Themes for which somebody needs a bomb."""
OFFSPRING = 4
"""Puzzles tried from one candidate, as long as it has become a hard one."""
UNLIKE = 7
"""Cards by which every two puzzles differ at least."""
COMMON = 2
"""Up to this many hard decisions, candidates are frequent enough to be chosen by theme."""
TREE = 800
"""Positions of a solution tree at most."""


def candidate(
    rules: Rules, shape: Shape, seed: tuple[int, int], *, bomb: Literal["", "own", "enemy"] = ""
) -> Position | None:
    """Return the ending of two numbers; None if it is none.

    The cards come from a part of the ranks, so that pairs, triples and bombs are frequent. In a
    third of them the hand before has just led.

    Args:
        rules: the game.
        shape: two hands or three, and whose turn it is.
        seed: the two numbers.
        bomb: whether the hand to move, or an enemy's, gets four of a rank for four of its cards.
    """
    rng = np.random.default_rng([*seed, SHAPES.index(shape)])
    hands = 2 if shape == "duel" else 3
    deck = cards.format_cards(rules.ruleset.deck_cards)
    present = sorted(set(deck), key=cards.LANE.__getitem__)
    fewest, most = CARDS[shape]
    number = int(rng.integers(fewest, most + 1))
    ranks = rng.choice(present, size=int(rng.integers(5, 11)), replace=False).tolist()
    usable = [card for card in deck if card in ranks]
    if len(usable) < number:
        return None
    drawn = rng.permutation(usable)[:number]
    cuts = np.sort(rng.choice(np.arange(2, number - 1), size=hands - 1, replace=False))
    parts = ["".join(part) for part in np.split(drawn, cuts)]
    if min(map(len, parts)) < 2:
        return None
    to_move = int(rng.integers(1, hands)) if shape == "farmer" else 0
    if bomb:
        rank = str(rng.choice([rank for rank in ranks if rank not in "XD"] or ["9"]))
        parts = [part.replace(rank, "") for part in parts]
        enemy = 0 if shape == "farmer" else int(rng.integers(1, hands))
        holder = to_move if bomb == "own" else enemy
        parts[holder] = 4 * rank + parts[holder][4:]
        if min(map(len, parts)) < 2:
            return None
    start = position(parts, to_move, rules=rules)
    return _answering(start, rng) if rng.random() < ANSWERING else start


def _answering(start: Position, rng: np.random.Generator) -> Position | None:
    """Return the position after the hand before has led something, with cards left to it."""
    before = (start.to_move - 1) % len(start.hands)
    leading = replace(start, to_move=before)
    leads = [m for m in lines.legal(leading) if m is not None and not m.is_bomb]
    return lines.after(leading, leads[int(rng.integers(len(leads)))]) if leads else None


def promising(start: Position, judge: Judge) -> bool:
    """Tell whether the hand to move wins by plays of one family, not the obvious one."""
    answers = judge.answers(start)
    if any(not answer.value for answer in answers):
        return False
    ways = families(answers)
    if len(ways) != 1 or len(answers) < 3:
        return False
    return family_of(obvious(start)) != ways[0].family


def studied(start: Position, judge: Judge) -> Study | None:
    """Return the study of a promising candidate, or None where it is no puzzle."""
    if not promising(start, judge):
        return None
    if sum(map(cards.size_of, start.hands)) < FEWEST_CARDS:
        return None
    try:
        found = study(start, judge, TREE)
    except DdzError:
        return None
    own = [one for one in found.decisions if one.learner and len(lines.legal(one.position)) > 1]
    return found if len(own) >= FEWEST_DECISIONS else None


def harder(found: Study, rng: np.random.Generator, judge: Judge, most: int) -> Study:
    """Return the study of a position near this one that is harder, or of this one.

    Cards are added, taken away and changed at random, and what is no easier is kept.

    Args:
        found: where to begin.
        rng: draws the changes.
        judge: asked for the values.
        most: cards in all hands at most.
    """
    for _ in range(CLIMB):
        start = _changed(found.position, rng, most)
        other = None if start is None else studied(start, judge)
        if other is not None and (other.hard, other.only) >= (found.hard, found.only):
            found = other
    return found


def _changed(start: Position, rng: np.random.Generator, most: int) -> Position | None:
    """Return the position with a card added, taken away or changed; None if that cannot be."""
    ruleset = start.rules.ruleset
    deck = cards.counts_of(ruleset.deck_cards)
    table = 0 if start.beat is None else start.beat.hand
    used = cards.counts_of(sum(start.hands) + table)
    free = [lane for lane, count in enumerate(deck) if count > used[lane]]
    seat, how = int(rng.integers(len(start.hands))), int(rng.integers(3))
    hand = start.hands[seat]
    held = [lane for lane, count in enumerate(cards.counts_of(hand)) if count]
    if how != 1 and free:
        hand += 1 << 4 * int(rng.choice(free))
    if how != 0:
        hand -= 1 << 4 * int(rng.choice(held))
    hands = tuple(hand if s == seat else other for s, other in enumerate(start.hands))
    sizes = list(map(cards.size_of, hands))
    return replace(start, hands=hands) if min(sizes) > 1 and sum(sizes) <= most else None


def smaller(found: Study, judge: Judge) -> Study:
    """Return the study of a position with fewer cards that is as hard and about the same."""
    goal, about = found.hard, themes(found)[:1]
    done = False
    while not done:
        done = True
        for start in _with_one_less(found.position):
            other = studied(start, judge)
            if other is not None and other.hard >= goal and themes(other)[:1] == about:
                found, done = other, False
                break
    return found


def _with_one_less(start: Position) -> Iterator[Position]:
    for seat, hand in enumerate(start.hands):
        if cards.size_of(hand) < 3:
            continue
        for lane, count in enumerate(cards.counts_of(hand)):
            if count:
                hands = list(start.hands)
                hands[seat] = hand - (1 << 4 * lane)
                yield replace(start, hands=tuple(hands))


def make(
    rules: Rules,
    *,
    seed: int,
    each: int,
    lowest: int = 1,
    theme: str = "",
    kept: tuple[Puzzle, ...] = (),
    tries: int = 100_000,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Puzzle]:
    """Make puzzles one after the other, until every shape has enough of each grade.

    Args:
        rules: the game.
        seed: first number of every candidate's seed.
        each: puzzles of each shape and grade.
        lowest: lowest grade that is made.
        theme: one that every puzzle made is to have; then ``each`` counts the puzzles of it.
        kept: puzzles there are already; they count, and none like them is made.
        tries: candidates of each shape.
        stop: asked before every candidate.

    Yields:
        Puzzles, each with a name that none of the others has.
    """
    judge = Judge(QUICK)
    found = list(kept)
    for number in range(tries):
        for shape in SHAPES:
            start = (
                None
                if stop()
                else candidate(rules, shape, (seed, number), bomb=BOMBS.get(theme, ""))
            )
            base = None if start is None else studied(start, judge)
            quota = Quota(shape, each, lowest, theme)
            for way in range(OFFSPRING):
                if base is None or stop():
                    break
                rng = np.random.default_rng([seed, number, _HARDER, way])
                one = harder(base, rng, judge, CARDS[shape][1])
                if one.hard > 1:
                    base = one
                made = _made(one, (seed, number, way), judge, found, quota)
                if made is not None:
                    found.append(made)
                    yield made
                if base.hard < COMMON:
                    break


@dataclass(frozen=True, slots=True)
class Quota:
    """What is wanted of a shape: how many of each grade, from which grade on."""

    shape: Shape
    each: int
    lowest: int = 1
    theme: str = ""

    def wants(self, one: Study, found: list[Puzzle]) -> bool:
        """Tell whether there are too few of a study's grade, and not too many of its theme."""
        about, grade = themes(one), grade_of(one.hard)
        alike = [other for other in found if shape_of(other) == self.shape]
        if not about or grade < self.lowest:
            return False
        if self.theme:
            named = sum(self.theme in other.themes for other in found)
            return self.theme in about and named < self.each
        if sum(other.grade == grade for other in alike) >= self.each:
            return False
        if one.hard > COMMON:
            return True
        first = Counter(other.themes[0] for other in alike)
        return first[about[0]] <= max(2, 3 * self.each // len(NAMES))


def _made(
    one: Study, seed: tuple[int, ...], judge: Judge, found: list[Puzzle], quota: Quota
) -> Puzzle | None:
    """Return a studied position as a puzzle, if it is wanted and unlike the others."""
    if not quota.wants(one, found):
        return None
    one = smaller(one, judge)
    name = f"{1 + max((int(other.id) for other in found), default=0):03}"
    made = of_study(one, name, seed)
    if not quota.wants(one, found) or any(distance(made, other) < UNLIKE for other in found):
        return None
    return made


def distance(a: Puzzle, b: Puzzle) -> int:
    """Return how many cards lie in a hand of one puzzle and not in the same hand of the other."""
    if len(a.hands) != len(b.hands):
        return a.cards + b.cards
    held = [(Counter(x), Counter(y)) for x, y in zip(a.hands, b.hands, strict=True)]
    return sum((x - y).total() + (y - x).total() for x, y in held)


def shape_of(one: Puzzle) -> Shape:
    """Return the shape of a puzzle."""
    if len(one.hands) == 2:
        return "duel"
    return "landlord" if one.role == "landlord" else "farmer"


def again(one: Puzzle) -> Puzzle:
    """Return a puzzle with everything that can be computed computed anew."""
    return of_study(study(one.position(), Judge()), one.id, one.seed)
