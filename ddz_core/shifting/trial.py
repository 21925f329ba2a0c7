"""Playing a luck-free puzzle: the hidden cards are settled only as far as they must be.

Layer 4. While the learner plays right, the enemies make the reply that leaves him the fewest right
plays. As soon as a play is wrong, the spreads that beat it are the ones that remain, and one of
them is what he is shown afterwards: it agrees with everything that he has seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ddz_core import actions, cards, patterns
from ddz_core.patterns import Move
from ddz_core.shifting.proof import PASS, Choice, Prover, State, families
from ddz_core.shifting.scene import Layout, Scene

Status = Literal["open", "won", "lost"]


@dataclass(frozen=True, slots=True)
class Step:
    """One action: the hand that made it, its text, and whether the learner's was right."""

    seat: int
    action: str
    right: bool = True


@dataclass(frozen=True, slots=True)
class Trial:
    """How far a puzzle has been played.

    Attributes:
        scene: what was seen at the start.
        state: what is seen now; None once it is over.
        steps: the actions so far.
        status: ``open`` while it is the learner's turn.
        wrong: number of the first wrong step, or -1.
        layout: the spread that beat the learner, empty before that; the hands as they were at the
            start.
        beat: the play on the table now, None for a lead.
    """

    scene: Scene
    state: State | None
    steps: tuple[Step, ...] = ()
    status: Status = "open"
    wrong: int = -1
    layout: Layout = ()
    beat: Move | None = None

    @property
    def played(self) -> tuple[tuple[str, ...], ...]:
        """What every hand has played so far, passes left out."""
        seats = range(len(self.scene.sizes) + 1)
        return tuple(
            tuple(s.action for s in self.steps if s.seat == seat and s.action != "pass")
            for seat in seats
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cards each of the others has now."""
        if self.state is None:
            return self.scene.sizes
        return tuple(map(cards.size_of, self.state.layouts[0]))


def begin(seen: Scene, prover: Prover) -> Trial:
    """Return a trial of a scene at its first decision."""
    beat = None if seen.beat is None else patterns.move_of(seen.beat)
    return _settled(Trial(seen, prover.start(seen), beat=beat), prover)


def act(trial: Trial, action: str, prover: Prover) -> Trial:
    """Return the trial after an action of the learner's and the enemies' replies.

    Args:
        trial: an open one.
        action: cards as text, or ``pass``.
        prover: of the same rules.

    Raises:
        NotationError, IllegalAction: if the action cannot be; nothing has changed then.
        NotProven: if the proof does not suffice.
    """
    state = trial.state
    if state is None or trial.status != "open":
        raise actions.illegal("over", "the puzzle is over", "", action)
    choice = _choice(trial, state, action, prover)
    right = trial.wrong >= 0 or prover.keeps(state, choice)
    steps = (*trial.steps, Step(0, prover.text(choice), right))
    after = prover.after(state, choice)
    if after is None:
        return replace(trial, state=None, steps=steps, status="won")
    wrong = trial.wrong
    if not right:
        wrong = len(steps) - 1
    if wrong >= 0:
        beaten = prover.beating(after)
        if beaten:
            after = after._replace(layouts=beaten)
    beat = _on_table(after, choice, trial.beat, prover)
    return _settled(replace(trial, state=after, steps=steps, wrong=wrong, beat=beat), prover)


def _on_table(after: State, choice: Choice, before: Move | None, prover: Prover) -> Move | None:
    """Return what lies on the table after an action."""
    if not after.code:
        return None
    return before if choice == PASS else prover.move(choice)


def _choice(trial: Trial, state: State, action: str, prover: Prover) -> Choice:
    """Return the learner's action as a choice."""
    if actions.normal_word(action) == actions.PASS:
        if not state.code:
            raise actions.illegal("lead", "whoever leads must play", "", action)
        return PASS
    move = actions.verify_play(trial.scene.rules.ruleset, state.own, trial.beat, action)
    codes = [code for play, code in prover.moves(state.own, state.code) if play == move.hand]
    code = move.code if move.code in codes else codes[0]
    return move.hand, code


def _settled(trial: Trial, prover: Prover) -> Trial:
    """Play the enemies' replies until the learner is to act or somebody is out."""
    while trial.state is not None and trial.state.seat != 0:
        trial = _replied(trial, trial.state, prover)
    return trial


def _replied(trial: Trial, state: State, prover: Prover) -> Trial:
    """Play one reply of an enemy."""
    best: tuple[tuple[int, int, int], Choice, tuple[Layout, ...]] | None = None
    for choice, rest in prover.replies(state).items():
        score, kept = _testing(trial, state, choice, rest, prover)
        if best is None or score < best[0]:
            best = (score, choice, kept)
    assert best is not None  # an enemy who follows can pass, one who leads has a play
    _, choice, rest = best
    steps = (*trial.steps, Step(state.seat, prover.text(choice)))
    after = prover.replied(state, choice, rest)
    if after is not None:
        beat = _on_table(after, choice, trial.beat, prover)
        return replace(trial, state=after, steps=steps, beat=beat)
    out = next(layout for layout in rest if layout[state.seat - 1] == 0)
    ended = replace(trial, state=None, steps=steps, status="lost")
    return replace(ended, layout=_at_start(ended, out))


def _testing(
    trial: Trial, state: State, choice: Choice, rest: tuple[Layout, ...], prover: Prover
) -> tuple[tuple[int, int, int], tuple[Layout, ...]]:
    """Return how little a reply leaves the learner, the least first, and the spreads it keeps."""
    after = prover.replied(state, choice, rest)
    length = -cards.size_of(choice[0])
    if after is None:
        return (-2, 0, length), rest
    if trial.wrong >= 0:
        beaten = prover.beating(after)
        if beaten:
            return (-1, 0, length), beaten
        if not prover.wins(after):
            return (0, 0, length), rest
        return (2, 0, length), rest
    if not prover.wins(after):
        return (0, 0, length), rest
    if after.seat != 0:
        return (1, 99, length), rest
    right = prover.right(after)
    return (1, len(families(prover, right)), length), rest


def _at_start(trial: Trial, layout: Layout) -> Layout:
    """Return a spread as it was before what was played."""
    hands = list(layout)
    for step in trial.steps:
        if step.seat and step.action != "pass":
            hands[step.seat - 1] += cards.parse_cards(step.action)
    return tuple(hands)
