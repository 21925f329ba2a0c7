"""Lessons out of games and positions: the moments chosen, each a step that asks for the play.

Layer 4. What is right comes from the solver where it can tell: then every play that keeps the win
is accepted, and the play that was made is shown as what followed. Where it cannot, the coach says
what is right, and the step says that it is told, not proven.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from ddz_core import cards, codes, positions, solver
from ddz_core.actions import PASS
from ddz_core.errors import DdzError, LessonError
from ddz_core.game import Game
from ddz_core.language import LANGUAGES, words
from ddz_core.lessons import files, truths
from ddz_core.lessons.files import Lesson, Step
from ddz_core.lessons.scenes import plain_action
from ddz_core.positions import Position

STEPS = 5
"""Steps of a lesson that is suggested."""
NODES = 300_000
"""Nodes of the solver for one moment while a lesson is suggested."""
MOST_NODES = 3_000_000
"""Nodes for all of them together."""
FOLLOWING = 6
"""Actions after the question that a step keeps, for the mode that hides them."""
MOST_LINK = 6_000
"""Characters of a lesson in a link."""
MOST_INFLATED = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A decision of a game that a step can ask about.

    Attributes:
        index: number of the action in the game's history.
        seat: who decided.
        action: what was done, cards or ``pass``.
        options: how many actions were open.
        right: how many of them keep the win; 0 where that is not proven or nothing keeps it.
        proven: whether the solver could tell.
    """

    index: int
    seat: int
    action: str
    options: int
    right: int = 0
    proven: bool = False

    @property
    def telling(self) -> bool:
        """Whether something can be shown here: some plays keep the win, and some do not."""
        return self.proven and 0 < self.right < self.options


def moments_of(game: Game) -> list[Moment]:
    """Return the decisions of a game's play with more than one option, in order."""
    found = []
    for index, entry in enumerate(game.history):
        if entry.seat is None:
            continue
        now = game.at(index)
        if now.phase != "play" or now.to_act != entry.seat:
            continue
        options = len(now.legal())
        if options > 1:
            action = PASS if entry.move is None else entry.move.cards
            found.append(Moment(index=index, seat=entry.seat, action=action, options=options))
    return found


def suggested(game: Game, number: int = STEPS) -> list[Moment]:
    """Return the moments that make the best lesson, in the order of the game.

    From the end backwards as far as the solver can tell; moments at which few plays keep the win
    come first, then those with the most options.

    Cost: a second or two.
    """
    found: list[Moment] = []
    left = MOST_NODES
    for one in reversed(moments_of(game)):
        place = positions.position_of(game.at(one.index))
        answer = solver.solve(place, nodes=min(NODES, max(left, 1)))
        left -= answer.nodes
        if not answer.proven or left <= 0:
            break
        side = 1 if one.seat in game.landlords else -1
        # a play that is not judged may keep the win as well
        judged = all(verdict.proven for verdict in answer.plays)
        right = len(answer.best) if answer.value == side else 0
        found.append(replace(one, right=right, proven=judged))
    telling = sorted((m for m in found if m.telling), key=lambda m: (m.right, -m.options))
    chosen = telling[:number]
    taken = {one.index for one in chosen}
    flat = {one.index for one in found if one.proven}  # every play comes to the same there
    rest = [one for one in moments_of(game) if one.index not in taken]
    rest.sort(key=lambda one: (one.index in flat, -one.options))
    chosen += rest[: number - len(chosen)]
    return sorted(chosen, key=lambda m: m.index)


def question() -> dict[str, str]:
    """Return the usual question of a step, in every language."""
    return {lang: words(lang).say("lesson.write.question") for lang in LANGUAGES}


def step_of(place: Position, *, following: Sequence[str] = (), made: str = "") -> Step:
    """Return a position as a step that asks for the play.

    Args:
        place: the position; the hand to move is the learner's.
        following: actions that were made from here on.
        made: what the coach holds right where the solver cannot tell.
    """
    hands = tuple(map(cards.format_cards, place.hands))
    hide = tuple(seat for seat in range(len(hands)) if seat != place.to_move)
    step = Step(
        ask="play",
        question=question(),
        truth="told",
        hands=hands,
        to_move=place.to_move,
        landlords=place.landlords,
        hide=hide,
        beat=place.beat_text,
        beat_by=place.beat_by,
        next=tuple(following)[:FOLLOWING],
        answers=(made,) if made else (),
    )
    try:
        answer = solver.solve(place, nodes=NODES)
    except DdzError:
        return step
    judged = answer.proven and all(verdict.proven for verdict in answer.plays)
    if judged and truths.won(place, answer.value):
        right = tuple(dict.fromkeys(map(plain_action, answer.best)))
        return msgspec.structs.replace(step, truth="keeps", accept="any", answers=right[:1])
    return step


def lesson_of(game: Game, indices: Sequence[int], name: str = "own-lesson") -> Lesson:
    """Return a lesson of a game's moments.

    Raises:
        DdzError: for an index that is no decision of its play.
    """
    known = {one.index: one for one in moments_of(game)}
    steps = []
    for index in indices:
        one = known.get(index)
        if one is None:
            raise LessonError(
                f"moments: expected decisions of the play, got {index}",
                key="error.lesson.moment",
                field="moments",
                expected=", ".join(map(str, known)),
                got=index,
            )
        place = positions.position_of(game.at(index))
        after = [PASS if entry.move is None else entry.move.cards for entry in game.history[index:]]
        steps.append(step_of(place, following=after, made=one.action))
    rules = game.rules
    return Lesson(
        id=name,
        title=name,
        rules=rules.id,
        overrides=dict(rules.overrides),
        steps=tuple(steps),
    )


def source_of(text: str) -> Game | Position:
    """Return the game or position of a code or a link that holds one.

    Raises:
        RecordError: if it holds none.
    """
    word = text.strip()
    for mark in ("?p=", "&p=", "?g=", "&g="):
        if mark in word:
            word = word.split(mark, 1)[1].split("&", 1)[0].split("#", 1)[0]
            break
    return codes.decode(word)


def link_text(lesson: Lesson) -> str:
    """Return a lesson as a code for links; empty if it is too long for one."""
    packed = zlib.compress(files.write(lesson).encode(), 9)
    code = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return code if len(code) <= MOST_LINK else ""


def read_link(code: str) -> str:
    """Return the text of the lesson that a link carries.

    Raises:
        LessonError: if the code is cut, altered or too long.
    """
    try:
        # what was cut off by the limits cannot be decompressed to its end
        cut = code[:MOST_LINK]
        packed = base64.b64decode(cut + "=" * (-len(cut) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(packed, MOST_INFLATED).decode()
        whole = unpacker.eof and len(code) <= MOST_LINK
        return text if whole else zlib.decompress(b"").decode()
    except (ValueError, binascii.Error, zlib.error) as error:
        raise LessonError(
            "lesson link: expected the code of a lesson",
            key="error.lesson.link",
            field="l",
            expected="",
            got=code,
        ) from error
