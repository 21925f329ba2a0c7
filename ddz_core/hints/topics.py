"""What a decision before the lead is about, and what its words are called.

Layer 3. The words that are open tell it; no ruleset is asked for its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from ddz_core import cards
from ddz_core.actions import PASS
from ddz_core.hints.phrases import card_phrase
from ddz_core.language import Phrase

if TYPE_CHECKING:
    from ddz_core.observation import Observation
    from ddz_core.specs import Declaration

Topic: TypeAlias = Literal[
    "show_before",
    "bid",
    "call",
    "rob",
    "take",
    "raise",
    "chosen",
    "show",
    "reveal",
    "double",
    "declare",
    "claim",
    "open",
]
"""Showing cards before they are dealt; the auction's words; a farmer's own stake; which bottom
cards to take; the statements before the lead."""

AUCTION_TOPICS: tuple[Topic, ...] = ("bid", "call", "rob", "take")
"""Decisions on who becomes landlord."""


def topic_of(obs: Observation) -> Topic:
    """Return what the seat to act has to decide; the phase must not be the play."""
    if obs.phase == "deal":
        return "show_before"
    words = [word for word in obs.options if word != PASS] or [PASS]
    if words[0].isdecimal() or words[0] == PASS:
        return "bid"
    if obs.phase == "auction":
        return cast("Topic", words[0])
    if words[0].startswith("take:"):
        return "chosen"
    if words[-1][0] == "x" and words[-1][1:].isdecimal():
        return "raise"
    return cast("Topic", words[-1])


def statement_of(obs: Observation, topic: Topic) -> Declaration | None:
    """Return the ruleset's row of a statement before the lead, or None for other topics."""
    name = {"claim": "declare", "raise": "raise_each"}.get(topic, topic)
    return next((spec for spec in obs.ruleset.declare if spec.id == name), None)


def factor_of(obs: Observation, word: str) -> int:
    """Return what a word multiplies the stakes of the whole deal by."""
    topic = topic_of(obs)
    if word == PASS:
        return 1
    if topic == "show_before":
        return obs.ruleset.auction.show_before
    if topic == "rob":
        return obs.ruleset.auction.rob
    spec = statement_of(obs, topic)
    return spec.factor if spec is not None and topic in ("show", "reveal", "double") else 1


def word_phrase(word: str, options: tuple[str, ...]) -> Phrase:
    """Return a bid or another word, one of those open, as a phrase."""
    if word == PASS:
        others = [one for one in options if one != PASS]
        name = others[-1].partition(":")[0] if others else ""
        if name in ("rob", "show", "reveal", "double", "declare", "open"):
            return Phrase(f"hint.refuse.{name}")
        return Phrase("hint.refuse.take" if name == "take" else "hint.no_bid")
    if word.isdecimal():
        return Phrase("hint.bid", {"n": int(word)})
    if word[0] == "x" and word[1:].isdecimal():
        return Phrase("hint.no_raise" if word == options[0] else "hint.raise", {"n": int(word[1:])})
    name, colon, told = word.partition(":")
    if colon:
        n = cards.size_of(cards.parse_cards(told))
        return Phrase("hint.word.chosen", {"n": n, "cards": card_phrase(told)})
    return Phrase(f"hint.word.{name}")
