"""Lessons in the reader's words: texts of a file, options, answers, roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core import cards, lessons
from ddz_core.actions import PASS
from ddz_core.errors import DdzError
from ddz_core.render import wording
from pages._kit import shell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ddz_core.lessons import Fault, Lesson, Option, Step
    from ddz_core.lessons.files import Text
    from ddz_core.rules import Rules
    from pages._kit.shell import House


def faults(house: House, found: Sequence[Fault]) -> list[str]:
    """Return what is wrong with a lesson, each fault once with its step, plain text."""
    say = house.words.say
    lines = []
    for one in found:
        place = say("lesson.fault.step", n=one.step) if one.step else say("lesson.fault.whole")
        lines.append(f"{place} {fault(house, one.error)}")
    return list(dict.fromkeys(lines))


def fault(house: House, error: DdzError) -> str:
    """Return an error's sentence with its field in the reader's words, where it has some."""
    key = f"app.field.{error.field}"
    if error.field and house.words.knows(key):
        named = {**error.params, "field": house.words.say(key)}
        return house.words.say(error.key, **named)
    return house.words.error(error)


def told(house: House, text: Text) -> str:
    """Return a text of a file in the reader's language, as Markdown that shows it as it is."""
    return shell.plain(lessons.told(text, house.lang))


def title(house: House, lesson: Lesson) -> str:
    """Return a lesson's title, plain text."""
    return lessons.told(lesson.title, house.lang)


def option(house: House, step: Step, one: Option, rules: Rules) -> str:
    """Return what stands on the button of an option, plain text."""
    own = lessons.told(one.text, house.lang)
    return own or value(house, step, one.value, rules)


def value(house: House, step: Step, said: str, rules: Rules | None = None) -> str:
    """Return an answer as a reader sees it, plain text."""
    say = house.words.say
    chosen = next((one for one in step.options if one.value == said), None)
    if chosen is not None and chosen.text:
        return lessons.told(chosen.text, house.lang)
    if said == PASS:
        return say("table.said.no_bid" if step.ask == "bid" else "table.said.pass")
    if step.ask == "bid" and said.isdigit():
        return say("table.said.bid", n=int(said))
    if step.truth == "kind":
        return say("quiz.item.none") if said == "none" else say(f"kind.{said}")
    if step.truth == "chance" and step.ask == "choice":
        return say("lesson.of100", n=said)
    if step.truth == "mover":
        return say(f"lesson.mover.{said}") if said in ("lead", "follow") else said
    return card_words(house, said, rules)


def card_words(house: House, said: str, rules: Rules | None = None) -> str:
    """Return a text as cards where it is cards, kickers apart; else as it is.

    Groups stand apart where the text has several; tens are kept legible by hyphens.
    """
    try:
        parts = [cards.format_cards(cards.parse_cards(part)) for part in said.split()]
        return " · ".join(_group(house, part, rules) for part in parts)
    except (DdzError, KeyError):
        return said


def _group(house: House, text: str, rules: Rules | None) -> str:
    readings = rules.readings(text) if rules is not None else []
    if not readings:
        return _joined(house, text)
    one = readings[0]
    return " + ".join(_joined(house, part) for part in (one.main, one.kickers) if part)


def _joined(house: House, text: str) -> str:
    labels = [wording.rank_label(house.words, rank) for rank in text]
    return ("-" if len(text) > 1 and set(text) & set("TXD") else "").join(labels)


def deck(house: House, rules: Rules) -> str:
    """Return which cards a game has, in a few words."""
    ruleset = rules.ruleset
    size = cards.size_of(ruleset.deck_cards)
    low, top = (wording.rank_label(house.words, ruleset.deck.ranks[i]) for i in (0, -1))
    return house.words.say("lesson.deck", n=size, low=low, top=top)
