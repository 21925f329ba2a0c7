"""One position being solved: its value, the verdict on every action, a line to the end.

Layer 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ddz_core import actions, cards, patterns
from ddz_core.kernels import solve
from ddz_core.kernels.workspace import Workspace
from ddz_core.patterns import Move
from ddz_core.patterns.combination import code_in, move_from
from ddz_core.positions import Position
from ddz_core.solver.engine import Budget, Engine, State
from ddz_core.solver.proofs import Found, answer
from ddz_core.solver.solution import Objective, Solution, Verdict
from ddz_core.solver.values import Values

LINE_NODES = 2_000_000
"""What writing the line may cost beyond the answer."""
HELD_BACK = 4
"""What part of the nodes is kept for the single plays."""


class Choice(NamedTuple):
    """A move as the kernel has it; a pass is no cards and code 0."""

    hand: cards.Hand
    code: int


PASS = Choice(0, 0)


@dataclass(frozen=True, slots=True)
class Spot:
    """A position with what the value of its end depends on besides.

    Attributes:
        place: the position.
        code: what lies on the table, 0 for a lead.
        tally: what counts of the bombs played so far.
        played: who has made plays.
    """

    place: Position
    code: int
    tally: int
    played: int


class Question:
    """A position, what its ends are worth and what may be spent on it."""

    def __init__(
        self,
        engine: Engine,
        place: Position,
        values: Values,
        budget: Budget,
        limits: Sequence[int],
    ) -> None:
        self.engine, self.values, self.budget = engine, values, budget
        self.table, self.limits = engine.table, limits
        self.sides = sum(1 << seat for seat in place.landlords)
        code = 0 if place.beat is None else code_in(self.table, place.beat)
        self.start = Spot(place, code, 0, values.played)

    def answer(self, objective: Objective, every: bool) -> Solution:
        """Return the solution; ``every``: with a verdict on each action."""
        moves = self.moves(self.start)
        # what is held back tells something of the plays if the value itself is not found
        held = self.budget.nodes // HELD_BACK if every and len(moves) > 1 else 0
        self.budget.nodes -= held
        value, chosen = self.value_of(self.start, 1 if objective == "win" else None)
        self.budget.nodes += held
        judged = self._verdicts(moves, value) if every else []
        if value is None:
            value = self._from_verdicts(judged)
        best: tuple[str, ...] = ()
        if value is not None and every:
            best = tuple(v.action for v in judged if v.proven and v.value == value)
        elif value is not None:
            best = (self.text(self.start.place, chosen or moves[0]),)
        return Solution(
            position=self.start.place,
            objective=objective,
            value=0 if value is None else value,
            proven=value is not None,
            best=best,
            plays=tuple(judged),
            line=() if value is None else self._line(value),
            nodes=self.budget.spent,
            seconds=self.budget.seconds,
        )

    # --- the value ----------------------------------------------------------------------------

    def _ask(self, spot: Spot, goal: int, budget: Budget, *, look: bool = True) -> Found:
        """Tell whether the landlord's side gets ``goal``."""
        place = spot.place
        asked = self.engine.questions(place.hands, self.sides, self.limits, self.values, goal)
        state = State(
            place.hands, place.to_move, spot.code, place.beat_by or 0, spot.tally, spot.played
        )
        return answer(self.engine, asked, state, budget, look)

    def value_of(self, spot: Spot, guess: int | None) -> tuple[int | None, Choice | None]:
        """Return the value of a spot, None if unknown; of the first spot also a move that keeps it.

        Args:
            spot: what is asked about.
            guess: a value to begin with, None for the least gain.
        """
        goals = self.values.goals
        low, high = -1, len(goals)
        if guess is None:
            guess = min((goal for goal in goals if goal > 0), default=goals[0])
        at = max(0, sum(1 for goal in goals if goal <= guess) - 1)
        landlord = spot.place.to_move in spot.place.landlords
        chosen = None
        while low + 1 < high:
            found = self._ask(spot, goals[at], self.budget, look=spot is not self.start)
            if found.result < 0:
                return None, None
            if spot is self.start and found.result == int(landlord):
                chosen = self._chosen(spot, goals[at], found)
            low, high = (at, high) if found.result else (low, at)
            at = low + 1 if found.result else high - 1
        return self.values.lowest if low < 0 else goals[low], chosen

    def _chosen(self, spot: Spot, goal: int, found: Found) -> Choice | None:
        """Return the move that answered a question in favour of the side to move."""
        place = spot.place
        landlord = place.to_move in place.landlords
        moves = self.moves(spot)
        if moves == [PASS]:
            return PASS
        if found.chosen is not None:
            return Choice(*found.chosen)
        for move in moves:
            end = self.after(spot, move) if move.hand == place.hands[place.to_move] else None
            if isinstance(end, int) and (end >= goal) == landlord:
                return move
        return None

    def _verdicts(self, moves: Sequence[Choice], value: int | None) -> list[Verdict]:
        """Return the verdict on every action, the value of the position being known or not."""
        place = self.start.place
        landlord = place.to_move in place.landlords
        worst = self.values.lowest if landlord else self.values.goals[-1]
        judged = []
        for number, move in enumerate(moves):
            before, left = self.budget.spent, self.budget.nodes
            if value is None:
                self.budget.nodes //= len(moves) - number
            self.budget.share = number / len(moves)
            end = self.after(self.start, move)
            found: int | None = value
            if isinstance(end, int):
                found = end
            elif value != worst or value is None:
                found, _ = self.value_of(end, value)
            self.budget.nodes = left - (self.budget.spent - before)
            judged.append(
                Verdict(
                    action=self.text(place, move),
                    move=self._move(move),
                    value=0 if found is None else found,
                    proven=found is not None,
                    nodes=self.budget.spent - before,
                )
            )
        return judged

    def _from_verdicts(self, judged: Sequence[Verdict]) -> int | None:
        """Return the value of the position if the verdicts alone prove it."""
        place = self.start.place
        landlord = place.to_move in place.landlords
        most = self.values.goals[-1] if landlord else self.values.lowest
        values = [v.value for v in judged if v.proven]
        if most in values:
            return most
        if judged and len(values) == len(judged):
            return max(values) if landlord else min(values)
        return None

    # --- moves --------------------------------------------------------------------------------

    def moves(self, spot: Spot) -> list[Choice]:
        """Return every action of the hand to move, a pass last."""
        place, own = spot.place, Workspace.own()
        hand, limit = place.hands[place.to_move], self.limits[place.to_move]
        if hand & self.table.wilds:
            found, codes = own.list_spending(self.table, hand, spot.code, limit, False)
        else:
            found, codes = own.list_sorted(self.table, hand, spot.code, limit)
        moves = list(map(Choice, found, codes))
        return [*moves, PASS] if spot.code else moves

    def _move(self, choice: Choice) -> Move | None:
        """Return a move as readers know it, None for a pass."""
        return move_from(self.table, *choice) if choice.code else None

    def text(self, place: Position, choice: Choice) -> str:
        """Return a move as the text of an action, its reading named where that matters."""
        move = self._move(choice)
        if move is None:
            return actions.PASS
        beat = None if place.beat is None else patterns.move_of(place.beat)
        usual = actions.automatic_reading(place.rules.ruleset, choice.hand, beat)
        named = actions.reading_of(move)
        unnamed = usual is not None and actions.reading_of(usual) == named
        return actions.written(choice.hand, None if unnamed else named)

    def after(self, spot: Spot, choice: Choice) -> Spot | int:
        """Return the spot after a move, or what the landlord's side gets if it ends the game."""
        place = spot.place
        seat, count = place.to_move, len(place.hands)
        following = (seat + 1) % count
        if not choice.code:
            if following == place.beat_by:
                place = replace(place, to_move=following, beat=None, beat_by=None)
                return replace(spot, place=place, code=0)
            return replace(spot, place=replace(place, to_move=following))
        landlord = int(seat in place.landlords)
        tally, played = spot.tally, spot.played
        if self.values.points:
            tally = int(self.values.words[64 * tally + (choice.code >> 26)])
            played = int(solve.played_after(played, landlord))
        hands = list(place.hands)
        hands[seat] -= choice.hand
        if not hands[seat]:
            return int(solve.end_value(self.values.words, tally, played, landlord))
        place = replace(
            place,
            hands=tuple(hands),
            to_move=following,
            beat=self._move(choice),
            beat_by=seat,
        )
        return Spot(place, choice.code, tally, played)

    # --- the line -----------------------------------------------------------------------------

    def _line(self, value: int) -> tuple[str, ...]:
        """Return best play to the end, as far as the budget for it reaches."""
        budget = Budget(LINE_NODES)
        line: list[str] = []
        spot: Spot | int = self.start
        while isinstance(spot, Spot):
            choice = self._next(spot, value, budget)
            if choice is None:
                break
            line.append(self.text(spot.place, choice))
            spot = self.after(spot, choice)
        return tuple(line)

    def _next(self, spot: Spot, value: int, budget: Budget) -> Choice | None:
        """Return a move that keeps the value, or None if the budget does not find it."""
        moves = self.moves(spot)
        if len(moves) == 1:
            return moves[0]
        place = spot.place
        landlord = place.to_move in place.landlords
        higher = [goal for goal in self.values.goals if goal > value]
        if value == self.values.lowest if landlord else not higher:
            return max(moves, key=lambda move: self._cost(spot, move))
        goal = value if landlord else higher[0]
        found = self._ask(spot, goal, budget, look=False)
        return self._chosen(spot, goal, found) if found.result == int(landlord) else None

    def _cost(self, spot: Spot, move: Choice) -> tuple[bool, int]:
        """Return how hard it was to refute a move of the losing side."""
        end = self.after(spot, move)
        if isinstance(end, int):
            return False, 0
        landlord = spot.place.to_move in spot.place.landlords
        goals = self.values.goals
        found = self._ask(end, goals[0] if landlord else goals[-1], Budget(1))
        return True, self.engine.spent if found.result >= 0 else 0
