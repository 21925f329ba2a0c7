"""Holding a lesson against the rules, the counting and the solver: what is wrong with it.

Layer 4. Nothing is published with a fault: the tests check every shipped lesson, and a page that
publishes one asks :func:`check` first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddz_core.errors import DdzError
from ddz_core.lessons import scenes, truths
from ddz_core.lessons.files import Lesson, Step, refused, told
from ddz_core.positions import Position
from ddz_core.rules import load_ruleset

if TYPE_CHECKING:
    from ddz_core.lessons.truths import Key
    from ddz_core.rules import Rules


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a lesson.

    Attributes:
        lesson: id of the lesson.
        step: number of the step, from 1; 0 for the lesson as a whole.
        rules: id of the ruleset in which it is wrong.
        error: what is wrong: field, what was expected, what came.
    """

    lesson: str
    step: int
    rules: str
    error: DdzError

    def __str__(self) -> str:
        place = f"{self.lesson}, step {self.step}" if self.step else self.lesson
        return f"{place} ({self.rules}): {self.error}"


def check(lesson: Lesson) -> list[Fault]:
    """Return everything that is wrong with a lesson; nothing for one that may be published.

    Every step is replayed in the lesson's own rules and in each ruleset for which it says that it
    holds, and every stated answer is held against what the machine finds.

    Cost: up to a few seconds a step where the solver or a simulation is asked.
    """
    faults = [Fault(lesson.id, 0, lesson.rules, error) for error in _whole(lesson)]
    for name in dict.fromkeys((lesson.rules, *lesson.holds)):
        try:
            rules = lesson.game if name == lesson.rules else load_ruleset(name)
        except DdzError as error:
            faults.append(Fault(lesson.id, 0, name, error))
            continue
        for i, step in enumerate(lesson.steps):
            faults += [Fault(lesson.id, i + 1, name, e) for e in step_faults(step, rules)]
    return faults


def _whole(lesson: Lesson) -> Iterator[DdzError]:
    if not lesson.steps:
        yield refused("missing", "steps: is empty", field="steps", expected="steps", got="")
    if not lesson.modes:
        yield refused("missing", "modes: is empty", field="modes", expected="guided", got="")


def step_faults(step: Step, rules: Rules) -> list[DdzError]:
    """Return what is wrong with one step in a game."""
    try:
        faults = list(_scene(step, rules))
        if faults or not step.is_task:
            return faults
        faults = list(_question(step))
        return faults or list(_answers(step, truths.key_of(step, rules)))
    except DdzError as error:
        return [error]


def _scene(step: Step, rules: Rules) -> Iterator[DdzError]:
    """Replay what lies on the table and what follows."""
    for seat in step.hide:
        if not 0 <= seat < len(step.hands):
            yield refused(
                "whole",
                f"hide: there is no hand {seat}",
                field="hide",
                expected=f"0–{max(0, len(step.hands) - 1)}",
                got=seat,
            )
            return
    if not step.is_position:
        for field in ("hands", "cards", "seen", "beat"):
            value = getattr(step, field)
            text = "".join(value) if isinstance(value, tuple) else value.partition("=")[0]
            surplus = _surplus(text, rules, field)
            if surplus is not None:
                yield surplus
        return
    pos: Position | int = scenes.asked(step, rules)
    if isinstance(pos, Position) and pos.to_move in step.hide and step.is_task:
        yield refused(
            "own",
            f"hide: the learner holds hand {pos.to_move}",
            field="hide",
            expected="",
            got=pos.to_move,
        )
    for i, action in enumerate(step.next):
        if isinstance(pos, int):
            yield refused(
                "over",
                f"next[{i}]: the game is over before {action!r}",
                field=f"next[{i}]",
                expected="",
                got=action,
            )
            return
        pos = scenes.after(pos, action)


def _surplus(text: str, rules: Rules, field: str) -> DdzError | None:
    """Return the error for cards that this game does not have."""
    deck = rules.deck_text()
    packed = scenes.plain_action(text) if text.strip() else ""
    for rank in dict.fromkeys(packed):
        if packed.count(rank) > deck.count(rank):
            return refused(
                "surplus",
                f"{field}: this game has {deck.count(rank)} cards {rank}, got {packed.count(rank)}",
                field=field,
                expected=deck.count(rank),
                got=rank * packed.count(rank),
            )
    return None


def _question(step: Step) -> Iterator[DdzError]:
    """Find what a task lacks before its answers can be judged."""
    if not (told(step.question, "en").strip() or told(step.text, "en").strip()):
        yield refused("missing", "question: is empty", field="question", expected="?", got="")
    values = [option.value for option in step.options]
    if step.ask in ("choice", "bid") and len(values) < 2:
        yield refused(
            "options",
            f"options: expected two or more, got {len(values)}",
            field="options",
            expected="≥ 2",
            got=len(values),
        )
    if len(set(values)) < len(values):
        yield refused(
            "twice",
            "options: two have the same value",
            field="options",
            expected="",
            got=", ".join(values),
        )
    if step.accept == "listed" and not step.answers:
        yield refused("missing", "answers: is empty", field="answers", expected="answers", got="")


def normal(step: Step, answer: str) -> str:
    """Return an answer in the form in which it is compared.

    Raises:
        NotationError, HandError: if it should be cards and is none.
    """
    if step.ask in ("cards", "play"):
        return scenes.plain_action(answer)
    return answer.strip()


def number_of(answer: str) -> float | None:
    """Return an answer as a number, None for none."""
    try:
        found = float(answer.strip().rstrip("%"))
    except ValueError:
        return None
    return found if abs(found) < 1e12 else None


def _answers(step: Step, key: Key) -> Iterator[DdzError]:
    """Hold the stated answers against what is right, and the other way round."""
    if step.ask == "number":
        yield from _numbers(step, key)
        return
    stated = [normal(step, answer) for answer in step.answers]
    right = list(dict.fromkeys(normal(step, one) for one in key.right))
    if not right:
        yield _wrong("no right answer", "answers", "", ", ".join(stated))
        return
    for answer in stated:
        if answer not in right:
            yield _wrong(f"{answer!r} is wrong", "answers", ", ".join(right[:12]), answer)
    if step.accept == "listed":
        # among options only those offered count
        offered = [option.value for option in step.options]
        also = [one for one in right if one not in stated and (not offered or one in offered)]
        if also:
            yield refused(
                "also",
                f"answers: {', '.join(also)} would be right too",
                field="answers",
                expected=", ".join(right[:12]),
                got=", ".join(stated),
            )
    offered = [option.value for option in step.options]
    if offered and all(value in right for value in offered):
        yield refused(
            "all",
            "options: every one of them is right",
            field="options",
            expected="",
            got=", ".join(offered),
        )
    legal = set(key.candidates)
    for i, reply in enumerate(step.replies):
        if step.ask == "play" and legal and scenes.plain_action(reply.action) not in legal:
            yield refused(
                "illegal",
                f"replies[{i}]: {reply.action!r} is not legal",
                field=f"replies[{i}].action",
                expected=", ".join(list(key.candidates)[:12]),
                got=reply.action,
            )


def _numbers(step: Step, key: Key) -> Iterator[DdzError]:
    for answer in step.answers:
        found = number_of(answer)
        if found is None or key.number is None or abs(found - key.number) > step.tolerance + 1e-9:
            right = "" if key.number is None else f"{key.number:g}"
            yield _wrong(f"{answer!r} is wrong", "answers", right, answer)


def _wrong(sentence: str, field: str, expected: str, got: str) -> DdzError:
    return refused(
        "answer", f"{field}: {sentence}; right: {expected}", field=field, expected=expected, got=got
    )
