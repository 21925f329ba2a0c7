"""Luck-free puzzles as data: what is asked, what is right, what beats the rest, all proven.

Layer 4. A puzzle is made from a scene or refused with the reason; the proof is run again by
:func:`check`. Numbers of a puzzle are exact: they count spreads.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct

from ddz_core import cards
from ddz_core.bots import rule
from ddz_core.data_files import data_dir
from ddz_core.errors import DdzError
from ddz_core.patterns.combination import code_in
from ddz_core.rules import Rules, load_ruleset
from ddz_core.shifting.proof import NotProven, Prover, State, families, family
from ddz_core.shifting.scene import Layout, Scene, scene

FILE = "shifting.json"
FORMAT = 1
GRADES = 3
"""Grades: up to two hard decisions, three, four or more."""
TEMPTING = 0.4
"""A puzzle made at random has a wrong play that wins in this share of the spreads at least."""
MOST_HARD_STATES = 4_000

Why = Literal["lost", "guess", "every", "one", "many", "not_proven", "turn"]


class Puzzle(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A luck-free puzzle.

    Attributes:
        id: its name.
        rules: id of the ruleset.
        own: the learner's cards.
        unseen: the cards of the others together.
        sizes: how many each of the others has.
        held: cards that each of them is known to hold.
        beat: the play on the table, empty for a lead.
        beat_by: the hand that made it.
        layouts: number of spreads.
        right: the actions that win however the cards are spread.
        wrong: every other action with the number of spreads that beat it even if the learner saw
            all cards from then on; 0 where only not knowing beats it.
        hard: decisions on the way in which one family of plays alone is right; 0 where none is, or
            where there are too many lines to count them.
        grade: 1 to 3.
        seed: the two numbers that a random scene was drawn from, or empty.
    """

    id: str
    rules: str
    own: str
    unseen: str
    sizes: list[int]
    held: list[str] = []
    beat: str = ""
    beat_by: int | None = None
    layouts: int
    right: list[str]
    wrong: dict[str, int]
    hard: int
    grade: int
    seed: list[int] = []

    def scene(self) -> Scene:
        """Return what the learner sees."""
        return scene(
            self.own,
            self.unseen,
            self.sizes,
            rules=load_ruleset(self.rules),
            held=self.held,
            beat=self.beat or None,
            beat_by=self.beat_by,
        )


class _File(Struct, forbid_unknown_fields=True):
    format: int
    puzzles: list[Puzzle]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a scene is no luck-free puzzle.

    Attributes:
        why: ``lost``: some spread beats the learner even with open hands; ``guess``: every spread
            is won with open hands, but no play wins in all; ``every``: all plays win; ``one``:
            there is nothing to choose; ``many``: too many spreads; ``not_proven``: the proof did
            not end; ``turn``: the learner is not to move.
        layouts: number of spreads, 0 where they were not counted.
        beaten: number of spreads that decide it.
        example: one of them.
    """

    why: Why
    layouts: int = 0
    beaten: int = 0
    example: Layout = ()


def puzzle_of(
    seen: Scene, name: str = "", *, prover: Prover | None = None, seed: tuple[int, ...] = ()
) -> Puzzle | Refusal:
    """Return the puzzle that a scene makes, or why it makes none.

    Args:
        seen: the scene; the learner is to move.
        name: id of the puzzle.
        prover: one of the same rules, whose findings and budget are used; left out, a new one.
        seed: what the scene was drawn from.

    Cost: some milliseconds to some seconds; at most the prover's states.
    """
    if seen.to_move != 0:
        return Refusal("turn")
    prover = prover or Prover(seen.rules)
    try:
        start = prover.start(seen)
    except DdzError:
        return Refusal("many")
    number = len(start.layouts)
    try:
        choices = prover.choices(start)
        if len(families(prover, choices)) < 2:
            return Refusal("one", number)
        beaten = prover.beating(start)
        if beaten:
            return Refusal("lost", number, len(beaten), beaten[0])
        right = prover.right(start)
        if not right:
            return Refusal("guess", number)
        if len(right) == len(choices):
            return Refusal("every", number)
        wrong = {}
        for choice in choices:
            after = prover.after(start, choice)
            if choice not in right and after is not None:
                wrong[prover.text(choice)] = len(prover.beating(after))
    except NotProven:
        return Refusal("not_proven", number)
    try:
        hard = hardness(prover, start)
    except NotProven:
        hard = 0  # what is right is proven all the same
    return Puzzle(
        id=name,
        rules=seen.rules.id,
        own=cards.format_cards(seen.own),
        unseen=cards.format_cards(seen.unseen),
        sizes=list(seen.sizes),
        held=[cards.format_cards(one) for one in seen.held] if any(seen.held) else [],
        beat="" if seen.beat is None else cards.format_cards(seen.beat.hand),
        beat_by=seen.beat_by,
        layouts=number,
        right=[prover.text(choice) for choice in right],
        wrong=wrong,
        hard=hard,
        grade=min(max(hard - 1, 1), GRADES),
        seed=list(seed),
    )


def hardness(prover: Prover, start: State) -> int:
    """Return how many hard decisions the learner must make against the most testing defence.

    A decision is hard if one family of plays alone is right, of three or more. The learner takes
    the right play after which the fewest are left.

    Raises:
        NotProven: if it needs more states than are counted.
    """
    known: dict[State, int] = {}

    def count(state: State) -> int:
        found = known.get(state)
        if found is not None:
            return found
        if len(known) > MOST_HARD_STATES:
            raise NotProven(
                "too many states",
                key="error.shifting.not_proven",
                field="states",
                expected=MOST_HARD_STATES,
                got=len(known),
            )
        if state.seat == 0:
            right = prover.right(state)
            ways = families(prover, prover.choices(state))
            own = int(len(ways) > 2 and len(families(prover, right)) == 1)
            after = [prover.after(state, choice) for choice in right]
            if any(one is None for one in after):
                found = 0  # going out is nobody's problem
            else:
                found = own + min(count(one) for one in after if one is not None)
        else:
            replies = prover.replies(state)
            told = (prover.replied(state, choice, rest) for choice, rest in replies.items())
            found = max(count(one) for one in told if one is not None)
        known[state] = found
        return found

    return count(start)


def first_thought(seen: Scene) -> str:
    """Return what the rule bot would do with what the learner sees, as an action's text."""
    engine = rule.engine_of(seen.rules.ruleset)
    beat = None
    if seen.beat is not None and seen.beat_by is not None:
        beat = (code_in(engine.table, seen.beat), seen.beat_by)
    sizes = [cards.size_of(seen.own), *seen.sizes]
    chosen = engine.choose(
        rule.weights_of(rule.Parameters()),
        seen.own,
        seen.unseen,
        0,
        sizes,
        [True, *(False for _ in seen.sizes)],
        beat,
    )
    return "pass" if chosen is None else cards.format_cards(chosen[0])


def candidate(rules: Rules, seed: tuple[int, int]) -> Scene | None:
    """Return the random ending of two numbers; None if the cards do not suffice."""
    rng = np.random.default_rng(seed)
    deck = cards.format_cards(rules.ruleset.deck_cards)
    ranks = rng.choice(sorted(set(deck)), size=int(rng.integers(5, 10)), replace=False)
    usable = [card for card in deck if card in ranks]
    own, others = int(rng.integers(5, 10)), [int(rng.integers(2, 5)) for _ in range(2)]
    total = own + sum(others)
    if len(usable) < total:
        return None
    drawn = "".join(str(card) for card in rng.permutation(usable)[:total])
    return scene(drawn[:own], drawn[own:], others, rules=rules)


def promising(seen: Scene, prover: Prover) -> bool:
    """Tell at little cost whether a scene may be won for certain, but not by the first thought."""
    try:
        start = prover.start(seen)
        if not prover.all_open(start):
            return False
        thought = first_thought(seen)
        choices = [one for one in prover.choices(start) if prover.text(one) == thought]
        return bool(choices) and not prover.keeps(start, choices[0])
    except DdzError:
        return False


def good(found: Puzzle, seen: Scene, prover: Prover) -> bool:
    """Tell whether a puzzle is worth solving: one way, not the first thought, and a temptation."""
    start = prover.start(seen)
    ways = {family(prover, one) for one in prover.choices(start) if prover.text(one) in found.right}
    if found.hard < 1 or len(ways) != 1 or first_thought(seen) in found.right:
        return False
    # A play that opens with the whole hand but one group hides nothing.
    tempting = max(found.layouts - lost for lost in found.wrong.values())
    return found.layouts >= 5 and tempting >= TEMPTING * found.layouts


def check(found: Puzzle) -> list[str]:
    """Return what is wrong with a puzzle when its proof is run again; empty if nothing is.

    Raises:
        DdzError: if its cards cannot be.
    """
    seen = found.scene()
    again = puzzle_of(seen, found.id, seed=tuple(found.seed))
    if isinstance(again, Refusal):
        return [f"{found.id}: {again.why}"]
    told = msgspec.structs.asdict(found)
    return [
        f"{found.id}: {name}: expected {value!r}, got {told[name]!r}"
        for name, value in msgspec.structs.asdict(again).items()
        if told[name] != value
    ]


def read_puzzles(text: str | bytes) -> list[Puzzle]:
    """Return the puzzles of a file's text.

    Raises:
        DdzError: if it is no such file, with the place of the first fault.
    """
    try:
        return msgspec.json.decode(text, type=_File).puzzles
    except msgspec.MsgspecError as error:
        raise DdzError(
            f"puzzles: {error}",
            key="error.shifting.file",
            field="puzzles",
            expected="",
            got=str(error),
        ) from None


def write_puzzles(found: list[Puzzle]) -> str:
    """Return the text of a file of puzzles."""
    plain = msgspec.json.encode(_File(FORMAT, found))
    return msgspec.json.format(plain, indent=1).decode() + "\n"


def path() -> Path:
    """Return where the shipped puzzles lie."""
    return data_dir() / "puzzles" / FILE


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """Return the shipped puzzles, easiest first."""
    return tuple(read_puzzles(path().read_bytes()))
