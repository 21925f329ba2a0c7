"""Reasons of a review: a key with the numbers behind it, worded when the language is known.

Layer 3. The numbers are plain values, so that they travel in JSON; :attr:`Reason.phrase` is the
sentence of the catalogue ``review``, its cards as readers write them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from ddz_core.hints.phrases import card_phrase
from ddz_core.language import Phrase

_CARDS = ("cards", "best", "play", "other")
"""Values that are cards or actions as text."""
_WORDS = ("word", "other_word")
"""Values that are statements before the lead."""
_PASS = "pass"


@dataclass(frozen=True, slots=True)
class Reason:
    """One countable reason.

    Attributes:
        key: its catalogue key, beginning with ``review.reason.``.
        params: the numbers and cards that its sentence needs, as plain values.
    """

    key: str
    params: dict[str, object] = field(default_factory=dict)

    @property
    def phrase(self) -> Phrase:
        """The sentence, to be worded by ``words(lang).phrase``."""
        return Phrase(
            self.key,
            {name: _worded(name, value) for name, value in self.params.items()},
        )


def _worded(name: str, value: object) -> object:
    """Return a value as its sentence needs it."""
    if name in _CARDS:
        return action_phrase(str(value))
    return word_phrase(str(value)) if name in _WORDS else value


def word_phrase(word: str) -> Phrase:
    """Return a statement before the lead as readers name it."""
    _, colon, told = word.partition(":")
    if colon:
        return Phrase("hint.word.chosen", {"n": len(told), "cards": card_phrase(told)})
    if word[0] == "x" and word[1:].isdecimal():
        return Phrase("review.act.factor", {"n": int(word[1:])})
    return Phrase(f"review.act.{word}")


def action_phrase(action: str) -> Phrase:
    """Return an action as readers name it within a sentence: cards, or the word for a pass."""
    if action == _PASS:
        return Phrase("review.act.pass")
    return card_phrase(action.partition("=")[0])


def plain(value: Any) -> Any:  # noqa: ANN401
    """Return frozen data as plain data for JSON: nothing but dicts, lists, texts and numbers."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value
