"""The hint ladder of a bid or a declaration: points, bombs, top cards, plays needed.

Layer 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core import cards, decompose
from ddz_core.actions import PASS
from ddz_core.bots.rule import POINTS, RuleBot, Strength, engine_of, fitted, judged
from ddz_core.hints.ladder import Candidate, Ladder, Row, Rung
from ddz_core.hints.phrases import card_phrase, listed, number, play_phrase
from ddz_core.hints.topics import (
    AUCTION_TOPICS,
    Topic,
    factor_of,
    statement_of,
    topic_of,
    word_phrase,
)
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
    topic = topic_of(obs)
    choice = str(bot.choose(obs))
    turns = _turns(obs) if topic == "chosen" else {}
    options = [_option(word, obs.options, turns.get(word)) for word in obs.options]
    answer = next(one for one in options if one.action == choice)
    others = _nearest(options, answer)
    candidates = (answer, *others)
    return Ladder(
        phase=obs.phase,
        rungs=(
            _legal(obs, topic, options),
            _compared(obs, topic, candidates if topic == "chosen" else tuple(options)),
            Rung(key="reasons", lines=tuple(_reasons(obs, topic))),
            _answer(obs, topic, answer, others[0] if others else None),
        ),
        candidates=candidates,
        answer=answer,
        alternative=others[0] if others else None,
    )


def _turns(obs: Observation) -> dict[str, int]:
    """Return the fewest plays found with each choice among the bottom cards."""
    parts = [cards.parse_cards(word.partition(":")[2]) for word in obs.options]
    found = engine_of(obs.ruleset).turns([obs.hand + part for part in parts], keep=True)
    return dict(zip(obs.options, found, strict=True))


def _option(word: str, options: tuple[str, ...], turns: int | None) -> Candidate:
    """Return one word as a candidate."""
    return Candidate(action=word, label=word_phrase(word, options), turns=turns)


def _nearest(options: list[Candidate], answer: Candidate) -> tuple[Candidate, ...]:
    """Return the other options, those next to the answer first."""
    place = options.index(answer)
    rest = [one for one in options if one is not answer]
    near = sorted(rest, key=lambda one: (one.turns or 0, abs(options.index(one) - place)))
    return tuple(near[:MOST_OTHERS])


def _legal(obs: Observation, topic: Topic, options: list[Candidate]) -> Rung:
    """Say which words are open, and what they mean."""
    lead = Phrase("hint.legal.words", {"words": listed([one.label for one in options])})
    if topic == "chosen":
        lead = Phrase("hint.legal.parts", {"n": len(options)})
    lines = [Phrase("hint.legal.forced")] if obs.forced else []
    if topic == "bid":
        above = Phrase("hint.legal.above", {"n": obs.contract})
        lines.append(above if obs.contract else Phrase("hint.legal.no_contract"))
    elif topic == "raise":
        lines.append(Phrase("hint.legal.secret"))
    elif topic == "call" and obs.ruleset.auction.rob > 1:
        lines.append(Phrase("hint.legal.call_rob", {"n": obs.ruleset.auction.rob}))
    elif topic == "open":
        spec = statement_of(obs, topic)
        won, lost = (spec.win, spec.loss) if spec is not None else (0, 0)
        lines.append(Phrase("hint.legal.open", {"won": won, "lost": lost}))
    elif topic in ("declare", "claim"):
        spec = statement_of(obs, topic)
        n = spec.factor if spec is not None else 1
        lines.append(Phrase(f"hint.legal.{topic}", {"n": n}))
    else:
        word = next((word for word in obs.options if word != PASS), PASS)
        lines.append(Phrase(f"hint.legal.{topic}", {"n": factor_of(obs, word)}))
    return Rung(key="legal", lead=lead, lines=tuple(lines))


def _compared(obs: Observation, topic: Topic, options: tuple[Candidate, ...]) -> Rung:
    """Say what each word puts at stake, before any bomb, or how many plays a choice leaves."""
    if topic == "chosen":
        held = cards.size_of(obs.hand)
        rows = tuple(
            Row(
                cells=(
                    one.label,
                    number(one.turns or 0),
                    number(held + len(one.action.partition(":")[2])),
                )
            )
            for one in options
        )
        return _table("hint.candidates.chosen", ("word", "turns", "cards"), rows)
    rows = tuple(
        Row(cells=(one.label, *map(number, _stakes(obs, topic, one.action)))) for one in options
    )
    heads = ("word", "unit", "whole") if topic in AUCTION_TOPICS else ("word", "mine", "lost")
    return _table("hint.candidates.bombs_double", heads, rows)


def _table(line: str, heads: tuple[str, ...], rows: tuple[Row, ...]) -> Rung:
    return Rung(
        key="candidates",
        lines=(Phrase(line),),
        head=tuple(Phrase(f"hint.head.{name}") for name in heads),
        rows=rows,
    )


def _stakes(obs: Observation, topic: Topic, word: str) -> tuple[int, int]:
    """Return what a word puts at stake: a farmer and the landlord in the auction, else won, lost.

    Of a landlord won and lost are from each farmer.
    """
    unit = obs.ruleset.score.stake * max(obs.contract, 1)
    farmers = obs.seats - 1
    if topic == "bid":
        unit = obs.ruleset.score.stake * (int(word) if word != PASS else obs.contract)
        return unit, unit * farmers
    if topic in AUCTION_TOPICS:
        unit *= obs.multiplier * factor_of(obs, word)
        return unit, unit * farmers
    spec = statement_of(obs, topic)
    if topic == "raise":
        return unit * int(word[1:]), unit * int(word[1:])
    if topic == "open" and word != PASS and spec is not None:
        return obs.ruleset.score.stake * spec.win, obs.ruleset.score.stake * spec.loss
    if topic == "declare" and spec is not None:
        boss = obs.seat in obs.landlords
        n = 1 if word == PASS else spec.factor
        return unit * n, unit * (1 if boss else n)
    if topic == "claim" and spec is not None:
        return (unit, 0) if word == "claim" else (unit * spec.factor, unit)
    unit *= obs.multiplier * factor_of(obs, word)
    return unit, unit


def _reasons(obs: Observation, topic: Topic) -> list[Phrase]:
    """Say what is counted in the hand."""
    if not obs.hand:
        return [Phrase("hint.power.undealt")]
    power = judged(obs)
    split = decompose.turns(obs.hand, obs.rules, limit=200)
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
    if topic in AUCTION_TOPICS and obs.ruleset.deck.decks == 1:
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
    if topic in AUCTION_TOPICS and obs.hidden_bottom:
        lines.append(Phrase("hint.power.bottom", {"n": obs.hidden_bottom}))
    return lines


def _answer(obs: Observation, topic: Topic, answer: Candidate, other: Candidate | None) -> Rung:
    """Name the rule bot's choice and the estimate behind it."""
    parameters = fitted(obs.ruleset)
    lines: list[Phrase] = []
    if topic == "show_before":
        lines.append(Phrase("hint.answer.show_before", {"n": obs.ruleset.auction.show_before}))
    elif topic == "chosen":
        lines.append(Phrase("hint.answer.chosen", {"n": answer.turns or 0}))
    else:
        lines += _chances(obs, topic, judged(obs))
    if topic == "bid":
        low, high = (
            round(100 * level) for level in (parameters.bid_lowest, parameters.bid_highest)
        )
        lines.append(Phrase("hint.answer.levels", {"low": low, "high": high}))
    elif topic == "rob":
        lines.append(Phrase("hint.answer.rob", {"low": round(100 * parameters.rob_from)}))
    elif topic == "declare":
        key = "hint.answer.declare_boss" if obs.seat in obs.landlords else "hint.answer.declare"
        lines.append(Phrase(key, {"low": round(100 * parameters.declare_from)}))
    elif topic in AUCTION_TOPICS:
        lines.append(Phrase("hint.answer.from", {"low": round(100 * parameters.bid_lowest)}))
    elif topic == "claim":
        lines.append(Phrase("hint.answer.claim", {"low": round(100 * parameters.claim_below)}))
    elif topic not in ("show_before", "chosen"):
        lines.append(Phrase("hint.answer.raise", {"low": round(100 * parameters.raise_from)}))
    if other is not None:
        lines.append(Phrase("hint.answer.next", {"word": other.label}))
    lines.append(Phrase("hint.answer.rule_bid"))
    return Rung(
        key="answer", lead=Phrase("hint.answer.word", {"word": answer.label}), lines=tuple(lines)
    )


def _chances(obs: Observation, topic: Topic, power: Strength) -> list[Phrase]:
    """Say how often such a hand won on the side in question."""
    boss = topic in AUCTION_TOPICS or obs.side_of(obs.seat) == "landlord"
    key = "hint.answer.landlord" if boss else "hint.answer.farmer"
    return [Phrase(key, {"n": round(100 * (power.landlord if boss else power.farmer))})]
