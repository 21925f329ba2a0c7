"""The proof that a line wins however the hidden cards lie.

Layer 4. A state is what the learner has seen: his hand, the trick, and the set of spreads that are
still possible. He may choose by that alone, so one play must do for all of them; an enemy may make
any play that some spread allows, and the spreads that do not allow it are then gone. The enemies
see each other's cards, which only makes them stronger. A play that loses with open hands in one of
the spreads is never right, so the solver of open hands cuts most of the search.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ddz_core import cards
from ddz_core.cards import Hand
from ddz_core.errors import DdzError
from ddz_core.kernels import plain
from ddz_core.kernels.table import table_of
from ddz_core.kernels.workspace import Workspace
from ddz_core.patterns import Move
from ddz_core.patterns.combination import code_in, move_from
from ddz_core.rules import Rules
from ddz_core.shifting.scene import Layout, Scene, layouts_of
from ddz_core.solver.engine import Budget, Engine
from ddz_core.solver.values import winner_only

STATES = 20_000
"""States that a proof may look at."""
OPEN_NODES = 200_000
"""Nodes of the open-hands solver for one spread of one state."""

PASS = (0, 0)
"""The pass as a choice: no cards, no code."""

Choice = tuple[Hand, int]
"""Cards and code of an action."""


class State(NamedTuple):
    """What has been seen.

    Attributes:
        own: the learner's hand.
        layouts: the spreads that are still possible, in order.
        seat: who is to move, 0 the learner.
        code: what lies on the table, 0 for a lead.
        owner: who played it.
    """

    own: Hand
    layouts: tuple[Layout, ...]
    seat: int
    code: int
    owner: int


class NotProven(DdzError):
    """The proof did not end within its budget."""


class Prover:
    """Proves states of one game; what it finds is kept, so that related questions are quick.

    Args:
        rules: the game.
        states: states that it may look at in all.
    """

    def __init__(self, rules: Rules, states: int = STATES) -> None:
        self.rules, self.left = rules, states
        self.table = table_of(rules.ruleset)
        self._engine, self._values = Engine(rules.ruleset), winner_only()
        self._open: dict[tuple[Hand, Layout, int, int, int], bool] = {}
        self._moves: dict[tuple[Hand, int], tuple[Choice, ...]] = {}
        self._known: dict[State, bool] = {}

    def afresh(self, states: int) -> None:
        """Forget what was found, and allow a number of states; the solver's room is kept."""
        self.left = states
        self._open.clear()
        self._moves.clear()
        self._known.clear()

    def start(self, seen: Scene) -> State:
        """Return the state of a scene, with all its spreads.

        Raises:
            HandError: if there are too many.
        """
        code = 0 if seen.beat is None else code_in(self.table, seen.beat)
        return State(seen.own, tuple(layouts_of(seen)), seen.to_move, code, seen.beat_by or 0)

    def moves(self, hand: Hand, code: int) -> tuple[Choice, ...]:
        """Return the plays of a hand, long ones first."""
        found = self._moves.get((hand, code))
        if found is None:
            space = Workspace.own()
            listed, codes = space.list_sorted(self.table, hand, code, plain.NO_LIMIT)
            pairs = sorted(zip(listed, codes, strict=True), key=lambda one: -cards.size_of(one[0]))
            found = self._moves[hand, code] = tuple(pairs)
        return found

    def choices(self, state: State) -> tuple[Choice, ...]:
        """Return what the learner may do, his plays and the pass."""
        plays = self.moves(state.own, state.code)
        return (*plays, PASS) if state.code else plays

    def after(self, state: State, choice: Choice) -> State | None:
        """Return what follows a choice of the learner; None if he has gone out."""
        play, code = choice
        if play == state.own:
            return None
        if not code:
            return self._passed(state, state.layouts)
        return State(state.own - play, state.layouts, 1, code, 0)

    def replies(self, state: State) -> dict[Choice, tuple[Layout, ...]]:
        """Return what the enemy to move may do in some spread, with those spreads after it."""
        found: dict[Choice, list[Layout]] = {}
        at = state.seat - 1
        for layout in state.layouts:
            hand = layout[at]
            for choice in self.moves(hand, state.code):
                rest = (*layout[:at], hand - choice[0], *layout[at + 1 :])
                found.setdefault(choice, []).append(rest)
        told = {choice: tuple(rest) for choice, rest in found.items()}
        if state.code:
            told[PASS] = state.layouts
        return told

    def replied(self, state: State, choice: Choice, rest: tuple[Layout, ...]) -> State | None:
        """Return what follows an enemy's choice; None if he has gone out."""
        if choice == PASS:
            return self._passed(state, rest)
        if any(layout[state.seat - 1] == 0 for layout in rest):
            return None
        seats = len(rest[0]) + 1
        return State(state.own, rest, (state.seat + 1) % seats, choice[1], state.seat)

    def _passed(self, state: State, layouts: tuple[Layout, ...]) -> State:
        following = (state.seat + 1) % (len(layouts[0]) + 1)
        code = 0 if following == state.owner else state.code
        return State(state.own, layouts, following, code, state.owner if code else 0)

    def wins(self, state: State) -> bool:
        """Tell whether the learner can win by what he sees, whatever the spread.

        Raises:
            NotProven: if the budget does not suffice.
        """
        if len(state.layouts) == 1:
            # nothing is hidden any more: the solver of open hands knows
            return self.open_win(state, state.layouts[0])
        found = self._known.get(state)
        if found is not None:
            return found
        self.left -= 1
        if self.left < 0:
            raise _not_proven()
        found = self._learner(state) if state.seat == 0 else self._enemy(state)
        self._known[state] = found
        return found

    def right(self, state: State) -> tuple[Choice, ...]:
        """Return every choice of the learner that wins whatever the spread."""
        return tuple(choice for choice in self.choices(state) if self.keeps(state, choice))

    def keeps(self, state: State, choice: Choice) -> bool:
        """Tell whether a choice of the learner wins whatever the spread."""
        after = self.after(state, choice)
        return after is None or (self.all_open(after) and self.wins(after))

    def beating(self, state: State) -> tuple[Layout, ...]:
        """Return the spreads in which the learner has lost even if he saw all cards."""
        return tuple(one for one in state.layouts if not self.open_win(state, one))

    def all_open(self, state: State) -> bool:
        """Tell whether with open hands every spread is won."""
        return all(self.open_win(state, layout) for layout in state.layouts)

    def open_win(self, state: State, layout: Layout) -> bool:
        """Tell whether one spread is won with open hands.

        Raises:
            NotProven: if the solver did not finish.
        """
        key = (state.own, layout, state.seat, state.code, state.owner)
        found = self._open.get(key)
        if found is None:
            answer = self._engine.ask(
                (state.own, *layout),
                state.seat,
                state.code,
                state.owner,
                1,
                [plain.NO_LIMIT] * (len(layout) + 1),
                self._values,
                goal=1,
                budget=Budget(OPEN_NODES),
            )
            if answer < 0:
                raise _not_proven()
            found = self._open[key] = answer == 1
        return found

    def _learner(self, state: State) -> bool:
        if any(play == state.own for play, _ in self.moves(state.own, state.code)):
            return True
        return any(self.keeps(state, choice) for choice in self.choices(state))

    def _enemy(self, state: State) -> bool:
        replies = self.replies(state)
        after = [self.replied(state, choice, rest) for choice, rest in replies.items()]
        if any(one is None for one in after):
            return False
        told = [one for one in after if one is not None]
        if not all(map(self.all_open, told)):
            return False
        return all(self.wins(one) for one in sorted(told, key=lambda one: -len(one.layouts)))

    def text(self, choice: Choice) -> str:
        """Return a choice as an action's text."""
        return "pass" if choice == PASS else move_from(self.table, *choice).cards

    def move(self, choice: Choice) -> Move | None:
        """Return a choice as a move, None for the pass."""
        return None if choice == PASS else move_from(self.table, *choice)


def family(prover: Prover, choice: Choice) -> tuple[str, int, str]:
    """Return what a choice is without its kickers: kind, length and top; a pass is its own."""
    move = prover.move(choice)
    return ("pass", 0, "") if move is None else (move.kind, move.length, move.top)


def families(prover: Prover, choices: Iterable[Choice]) -> set[tuple[str, int, str]]:
    """Return the families of choices."""
    return {family(prover, choice) for choice in choices}


def _not_proven() -> NotProven:
    return NotProven(
        "the proof needs more states than allowed",
        key="error.shifting.not_proven",
        field="states",
        expected=STATES,
        got="",
    )
