"""The hint ladder of a bid or a declaration: points, bombs, top cards, plays needed.

Layer 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core import cards, decompose
from ddz_core.actions import PASS
from ddz_core.bots.rule import POINTS, RuleBot, Strength, strength
from ddz_core.hints.ladder import Candidate, Ladder, Row, Rung
from ddz_core.hints.phrases import card_phrase, listed, number, play_phrase
from ddz_core.language import Phrase

if TYPE_CHECKING:
    from ddz_core.observation import Observation

MOST_OTHERS = 5
"""Other words compared at most."""
BOOK_POINTS = 7
"""The book bids from so many points up (document 000)."""


def ladder(obs: Observation) -> Ladder:
    """Return the hint ladder of a bid or a declaration; the seat must be to act."""
    bot = RuleBot()
    power = strength(obs.ruleset, obs.hand)
    split = decompose.turns(obs.hand, obs.rules, limit=200)
    choice = str(bot.choose(obs))
    options = [_option(obs, word) for word in obs.options]
    answer = next(one for one in options if one.action == choice)
    others = _nearest(options, answer)
    candidates = (answer, *others)
    return Ladder(
        phase=obs.phase,
        rungs=(
            _legal(obs, options),
            _compared(obs, options),
            Rung(key="reasons", lines=tuple(_reasons(obs, power, split))),
            _answer(obs, power, answer, others[0] if others else None),
        ),
        candidates=candidates,
        answer=answer,
        alternative=others[0] if others else None,
    )


def _option(obs: Observation, word: str) -> Candidate:
    """Return one word as a candidate."""
    return Candidate(action=word, label=word_phrase(word, obs.options))


def word_phrase(word: str, options: tuple[str, ...]) -> Phrase:
    """Return a bid or another word as a phrase."""
    if word == PASS:
        return Phrase("hint.no_bid")
    if word.isdecimal():
        return Phrase("hint.bid", {"n": int(word)})
    if word[0] == "x" and word[1:].isdecimal():
        return Phrase("hint.no_raise" if word == options[0] else "hint.raise", {"n": int(word[1:])})
    name, colon, told = word.partition(":")
    if colon:
        return Phrase("action.chosen", {"n": len(told), "cards": card_phrase(told)})
    return Phrase("action.play_on" if name == "play" else f"action.{name}")


def _nearest(options: list[Candidate], answer: Candidate) -> tuple[Candidate, ...]:
    """Return the other options, those next to the answer first."""
    place = options.index(answer)
    rest = [one for one in options if one is not answer]
    near = sorted(rest, key=lambda one: abs(options.index(one) - place))
    return tuple(near[:MOST_OTHERS])


def _legal(obs: Observation, options: list[Candidate]) -> Rung:
    """Say which words are open, and what the contract stands at."""
    lead = Phrase("hint.legal.words", {"words": listed([one.label for one in options])})
    if obs.phase != "auction":
        return Rung(key="legal", lead=lead, lines=(Phrase("hint.legal.secret"),))
    if obs.contract:
        return Rung(
            key="legal", lead=lead, lines=(Phrase("hint.legal.above", {"n": obs.contract}),)
        )
    return Rung(key="legal", lead=lead, lines=(Phrase("hint.legal.no_contract"),))


def _compared(obs: Observation, options: list[Candidate]) -> Rung:
    """Say what each word puts at stake, before any bomb."""
    stake = obs.ruleset.score.stake
    farmers = obs.seats - 1
    rows = []
    for one in options:
        word = one.action
        if word.isdecimal():
            unit = stake * int(word)
            cells = (one.label, number(unit), number(unit * farmers))
        elif word[0] == "x" and word[1:].isdecimal():
            unit = stake * obs.contract * int(word[1:])
            cells = (one.label, number(unit), number(unit))
        else:
            cells = (one.label, Phrase("hint.outside.dash"), Phrase("hint.outside.dash"))
        rows.append(Row(cells=cells))
    heads = ("word", "unit", "whole") if obs.phase == "auction" else ("word", "mine", "lost")
    return Rung(
        key="candidates",
        lines=(Phrase("hint.candidates.bombs_double"),),
        head=tuple(Phrase(f"hint.head.{name}") for name in heads),
        rows=tuple(rows),
    )


def _reasons(obs: Observation, power: Strength, split: decompose.Splits) -> list[Phrase]:
    """Say what is counted in the hand."""
    counts = cards.counts_of(obs.hand)
    parts = [
        Phrase(
            "hint.points.part",
            {"cards": card_phrase(cards.RANKS[lane]), "n": counts[lane], "each": value},
        )
        for lane, value in sorted(POINTS.items(), reverse=True)
        if counts[lane]
    ]
    lines = [
        Phrase("hint.points.sum", {"n": power.points, "parts": listed(parts)})
        if parts
        else Phrase("hint.points.none")
    ]
    if obs.phase == "auction":
        enough = power.points >= BOOK_POINTS
        key = "hint.points.book" if enough else "hint.points.book_under"
        lines.append(Phrase(key, {"n": BOOK_POINTS}))
    bombs = [move for move in split.splits[0] if move.is_bomb]
    if power.bombs:
        shown = listed([play_phrase(move) for move in bombs]) if bombs else None
        lines.append(
            Phrase("hint.power.bombs", {"n": power.bombs, "cards": shown})
            if shown is not None
            else Phrase("hint.power.bombs_used", {"n": power.bombs})
        )
    else:
        lines.append(Phrase("hint.power.no_bombs"))
    top = "".join(counts[lane] * cards.RANKS[lane] for lane in range(cards.LANE["2"], 15))
    if top:
        lines.append(Phrase("hint.power.controls", {"n": len(top), "cards": card_phrase(top)}))
    else:
        lines.append(Phrase("hint.power.no_controls"))
    plays = listed([play_phrase(move) for move in split.splits[0]])
    lines.append(Phrase("hint.power.turns", {"n": split.turns, "plays": plays}))
    if obs.phase == "auction" and obs.hidden_bottom:
        lines.append(Phrase("hint.power.bottom", {"n": obs.hidden_bottom}))
    return lines


def _answer(obs: Observation, power: Strength, answer: Candidate, other: Candidate | None) -> Rung:
    """Name the rule bot's choice and the estimate behind it."""
    parameters = RuleBot().parameters
    chance = power.landlord if obs.phase == "auction" else power.farmer
    key = "hint.answer.landlord" if obs.phase == "auction" else "hint.answer.farmer"
    lines = [Phrase(key, {"n": round(100 * chance)})]
    if obs.phase == "auction":
        low, high = (
            round(100 * level) for level in (parameters.bid_lowest, parameters.bid_highest)
        )
        lines.append(Phrase("hint.answer.levels", {"low": low, "high": high}))
    else:
        lines.append(Phrase("hint.answer.raise", {"low": round(100 * parameters.raise_from)}))
    if other is not None:
        lines.append(Phrase("hint.answer.next", {"word": other.label}))
    lines.append(Phrase("hint.answer.rule_bid"))
    return Rung(
        key="answer", lead=Phrase("hint.answer.word", {"word": answer.label}), lines=tuple(lines)
    )
