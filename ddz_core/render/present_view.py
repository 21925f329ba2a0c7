"""Lessons, positions and games as steps for the wall: words and cards, never rules.

Layer 4. What :mod:`present.js` beside this module draws. Everything a coach wrote travels as text.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ddz_core import cards, lessons
from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.lessons import scenes, truths
from ddz_core.positions import Position
from ddz_core.render import wording

if TYPE_CHECKING:
    from ddz_core.language import Words
    from ddz_core.lessons import Lesson, Step
    from ddz_core.patterns import Combination

_HERE = Path(__file__).parent
SCRIPT = (_HERE / "present.js").read_text(encoding="utf-8")
STYLE = (_HERE / "present.css").read_text(encoding="utf-8")

_WORDS = ("turn", "hidden", "keys", "help", "present", "back", "next", "leave", "answer")


def component_words(words: Words) -> dict[str, str]:
    """Return the words of the component itself."""
    return {name: words.say(f"present.{name}") for name in _WORDS}


def of_lesson(lesson: Lesson, words: Words) -> list[dict[str, Any]]:
    """Return the steps of a lesson; its first one opens with the introduction.

    Raises:
        DdzError: if a step's cards cannot be.
    """
    found = []
    title = lessons.told(lesson.title, words.lang)
    for number, step in enumerate(lesson.steps):
        made = _of_step(step, lesson, words)
        made["title"] = title
        if number == 0 and lesson.intro:
            intro = lessons.told(lesson.intro, words.lang)
            made["text"] = "\n".join(filter(None, [intro, made["text"]]))
        found.append(made)
    return found


def of_position(place: Position, words: Words, *, title: str = "") -> dict[str, Any]:
    """Return an open position as one step."""
    return _blank(title) | _table(place, words, ())


def of_game(game: Game, words: Words) -> list[dict[str, Any]]:
    """Return a game as steps: one before each action of its play, and one for the end."""
    found = []
    for number in range(len(game.history) + 1):
        now = game.at(number)
        if now.phase != "play" or now.to_act is None:
            continue
        place = {
            "beat": _beat(now.to_beat, words),
            "hands": [
                _hand(hand, _who(words, seat, now), words, turn=seat == now.to_act)
                for seat, hand in enumerate(now.hands)
            ],
        }
        done = game.history[number] if number < len(game.history) else None
        answer = "" if done is None or done.move is None else _play(words, done.move)
        if done is not None and done.move is None:
            answer = words.say("table.said.pass")
        found.append(_blank(words.say("present.game")) | place | {"answer": answer})
    return found


def _blank(title: str) -> dict[str, Any]:
    return {
        "title": title,
        "text": "",
        "question": "",
        "beat": None,
        "hands": [],
        "options": [],
        "answer": "",
        "why": "",
    }


def _of_step(step: Step, lesson: Lesson, words: Words) -> dict[str, Any]:
    """Return one step of a lesson."""
    rules, lang = lesson.game, words.lang
    made = _blank("")
    if step.is_position:
        made |= _table(scenes.asked(step, rules), words, step.hide)
    else:
        hand = scenes.hand_of(step, rules)
        shown = [(step.cards, words.say("present.cards")), (hand, words.say("lesson.hand"))]
        made["hands"] = [
            _hand(cards.parse_cards(scenes.plain_action(text)), name, words)
            for text, name in shown
            if text
        ]
        if step.beat:
            laid = cards.parse_cards(scenes.plain_action(step.beat))
            name = words.say("lesson.on_table")
            made["beat"] = {"name": name, "cards": _faces(laid, words)}
    made["text"] = lessons.told(step.text, lang)
    made["question"] = lessons.told(step.question, lang)
    made["options"] = [
        lessons.told(one.text, lang) or _value(words, one.value) for one in step.options
    ]
    if step.is_task:
        made["answer"] = words.say("table.and").join(
            _value(words, one) for one in _right(step, lesson)
        )
        made["why"] = lessons.told(step.why, lang)
    return made


def _right(step: Step, lesson: Lesson) -> tuple[str, ...]:
    """Return what is right: as stated, or as the machine finds it."""
    if step.accept == "listed" and step.answers:
        return step.answers
    try:
        key = truths.key_of(step, lesson.game)
    except DdzError:
        return step.answers
    if key.number is not None:
        return (f"{key.number:g}",)
    return tuple(key.right[:6])


def _value(words: Words, text: str) -> str:
    """Return an answer as readers write it."""
    if text == "pass":
        return words.say("table.said.pass")
    try:
        hand = cards.parse_cards(scenes.plain_action(text))
    except DdzError:
        return text
    return (
        wording.card_text(words, cards.format_cards(hand)) if hand and not text.isdigit() else text
    )


def _table(place: Position, words: Words, hide: tuple[int, ...]) -> dict[str, Any]:
    """Return hands and the play on the table of a position."""
    count = len(place.hands)
    hands = []
    for seat, hand in enumerate(place.hands):
        role = wording.role_of(seat, place.landlords, count)
        name = words.say("class.seat", n=seat + 1, role=words.say(f"table.role.{role}"))
        one = _hand(hand, name, words, turn=seat == place.to_move)
        hands.append(one | {"hidden": seat in hide})
    return {"hands": hands, "beat": _beat(place.beat, words)}


def _beat(beat: Combination | None, words: Words) -> dict[str, Any] | None:
    if beat is None:
        return None
    name = wording.combination_name(words, beat)
    return {"name": name, "cards": _faces(beat.hand, words)}


def _hand(hand: cards.Hand, name: str, words: Words, *, turn: bool = False) -> dict[str, Any]:
    return {"name": name, "cards": _faces(hand, words), "hidden": False, "turn": turn}


def _faces(hand: cards.Hand, words: Words) -> list[dict[str, str]]:
    """Return cards high to low; copies of a rank get different suits, as on the table."""
    text = cards.format_cards(hand)
    found = []
    seen: dict[str, int] = {}
    for rank in sorted(text, key=wording.DISPLAY.find):
        suit = ""
        if rank not in "XD*":
            seen[rank] = seen.get(rank, -1) + 1
            suit = cards.SUITS[seen[rank] % 4]
        label = wording.rank_label(words, rank)
        face = wording.rank_label(words, rank, short=True)
        found.append({"text": face, "suit": suit, "label": label})
    return found


def _who(words: Words, seat: int, game: Game) -> str:
    role = wording.role_of(seat, game.landlords, game.deal.seats)
    return words.say("class.seat", n=seat + 1, role=words.say(f"table.role.{role}"))


def _play(words: Words, move: Combination) -> str:
    return wording.combination_text(words, move)
