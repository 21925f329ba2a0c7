"""The guided mode: what to say to a beginner at each phase as it comes.

Layer 4. Made from one seat's observation, so that nothing hidden can be said; keys and values,
worded by the ``guide`` catalogue. Also when another seat is to act, and at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddz_core import cards, decompose, patterns
from ddz_core.actions import PASS
from ddz_core.bots.rule import strength
from ddz_core.declarations import CLAIM
from ddz_core.hints import facts
from ddz_core.hints.phrases import card_phrase, listed, play_phrase
from ddz_core.hints.topics import factor_of, statement_of, topic_of, word_phrase
from ddz_core.language import Phrase

if TYPE_CHECKING:
    from ddz_core.observation import Observation

TOTAL = 5
"""Stages: auction, landlord known, play, alarm, end."""
_STAGES = {"deal": 1, "auction": 1, "landlord": 2, "declare": 2, "play": 3, "alarm": 4, "end": 5}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What the guide says now.

    Attributes:
        key: what the moment is, such as ``follow.partner``.
        title: a few words.
        lines: short paragraphs.
        number, total: stage of the deal, from 1.
    """

    key: str
    title: Phrase
    lines: tuple[Phrase, ...]
    number: int
    total: int = TOTAL


def guide(obs: Observation) -> Step:
    """Return what the guided mode says to a seat at this moment.

    Equal observations give equal steps. Cost: below a millisecond once compiled.
    """
    if obs.outcome is not None:
        return _end(obs)
    if obs.phase == "deal":
        return _before(obs)
    if obs.phase == "auction":
        return _auction(obs)
    if obs.phase == "declare":
        return _declare(obs)
    return _play(obs)


def _step(key: str, stage: str, lines: list[Phrase]) -> Step:
    return Step(
        key=key,
        title=Phrase(f"guide.{key}.title"),
        lines=tuple(lines),
        number=_STAGES[stage],
    )


# --- before the play -----------------------------------------------------------------------------


def _before(obs: Observation) -> Step:
    """Explain showing one's cards before they are dealt."""
    text = Phrase("guide.before.text", {"n": obs.ruleset.auction.show_before})
    if obs.to_act == obs.seat:
        return _step("before.mine", "deal", [text, Phrase("guide.before.choose")])
    return _step("before.wait", "deal", [text])


def _auction(obs: Observation) -> Step:
    """Explain the deal first, then the bids."""
    lines = []
    spoken = any(entry.seat == obs.seat and entry.phase == "auction" for entry in obs.history)
    key, stage = "auction.wait", "auction"
    if not spoken:
        lines.append(_dealt(obs))
        key, stage = "deal", "deal"
    if obs.to_act == obs.seat:
        lines.append(_choice(obs))
        if obs.forced:
            lines.append(Phrase("guide.auction.forced"))
        power = strength(obs.ruleset, obs.hand)
        turns = decompose.fewest(obs.hand, obs.rules)
        lines.append(Phrase("guide.auction.hand", {"points": power.points, "n": turns}))
        key = "auction.mine" if spoken else "deal"
    elif obs.to_act is not None:
        lines.append(Phrase("guide.auction.waiting"))
    if obs.contract:
        lines.append(Phrase("guide.auction.contract", {"n": obs.contract}))
    return _step(key, stage, lines)


def _dealt(obs: Observation) -> Phrase:
    """Say how many cards lie where, and who will play against whom."""
    deal = obs.ruleset.deal
    told: dict[str, object] = {
        "n": cards.size_of(obs.hand),
        "bottom": obs.hidden_bottom,
        "farmers": obs.seats - 1,
    }
    if deal.draw:
        return Phrase("guide.deal.drawn", told)
    return Phrase("guide.deal.chosen" if deal.taken == "chosen" else "guide.deal.cards", told)


def _choice(obs: Observation) -> Phrase:
    """Say what the words of the auction mean that are open to this seat."""
    topic = topic_of(obs)
    if topic == "bid":
        levels = [word for word in obs.options if word != PASS]
        words = listed([Phrase("hint.text", {"text": word}) for word in levels])
        key = "guide.auction.choose" if PASS in obs.options else "guide.auction.must"
        return Phrase(key, {"words": words})
    rob = obs.ruleset.auction.rob
    if topic == "call" and rob > 1:
        return Phrase("guide.auction.call_rob", {"n": rob})
    return Phrase(f"guide.auction.{topic}", {"n": factor_of(obs, obs.options[-1])})


def _roles(obs: Observation) -> list[Phrase]:
    """Say who is landlord, what lay in the bottom, and what that makes of this seat."""
    mine = obs.seat in obs.landlords
    lead = mine and obs.seat == obs.landlords[0]
    if mine and not lead:
        lines = [Phrase("guide.landlord.partner")]
    else:
        key = "guide.landlord.you" if mine else "guide.landlord.other"
        lines = [Phrase(key if obs.contract else f"{key}_plain", {"n": obs.contract})]
    if obs.bottom:
        text = cards.format_cards(cards.from_cards(obs.bottom))
        lines.append(Phrase("guide.landlord.bottom", {"cards": card_phrase(text)}))
    if not obs.sides_known and obs.face_up is not None:
        key = "guide.landlord.unknown_partner" if mine else "guide.landlord.unknown_sides"
        lines.append(Phrase(key, {"card": card_phrase(obs.face_up[0].rank)}))
        return lines
    partners = facts.side_left(obs, partners=True)
    if mine and not partners:
        lines.append(Phrase("guide.landlord.alone", {"n": obs.seats - len(obs.landlords)}))
    elif partners:
        lines.append(Phrase("guide.landlord.partners", {"n": len(partners)}))
    return lines


def _declare(obs: Observation) -> Step:
    """Explain what is asked before the lead."""
    if obs.to_act != obs.seat:
        raising = any(spec.id == "raise_each" for spec in obs.ruleset.declare)
        key = "guide.declare.waiting" if raising else "guide.declare.asking"
        return _step("declare.wait", "declare", [*_roles(obs), Phrase(key)])
    topic = topic_of(obs)
    if topic == "raise":
        factors = listed([Phrase("hint.text", {"text": f"×{word[1:]}"}) for word in obs.options])
        lines = [*_roles(obs), Phrase("guide.declare.choose", {"factors": factors})]
        return _step("declare.mine", "declare", lines)
    spec = statement_of(obs, topic)
    if topic == "open" and spec is not None:
        text = Phrase("hint.legal.open", {"won": spec.win, "lost": spec.loss})
    else:
        n = spec.factor if spec is not None else 1
        text = Phrase(f"hint.legal.{topic}", {"n": n})
    lines = [*_roles(obs), text]
    if topic != "chosen":
        words = listed([word_phrase(word, obs.options) for word in obs.options])
        lines.append(Phrase("guide.declare.words", {"words": words}))
    return _step(f"declare.{topic}", "declare", lines)


# --- play ----------------------------------------------------------------------------------------


def _play(obs: Observation) -> Step:
    """Explain whose turn it is and what may be done, with what has just happened."""
    notes = _alarms(obs)
    stage = "alarm" if notes else "play"
    news = _bombs_since(obs)
    if not any(obs.plays):
        if obs.to_act == obs.seat:
            return _step("landlord.lead", "landlord", [*_roles(obs), _plan(obs)])
        return _step("landlord.wait", "landlord", _roles(obs))
    if obs.to_act != obs.seat:
        return _step("watch", stage, [*news, Phrase("guide.watch.text"), *notes])
    if obs.to_beat is None:
        return _step("lead", stage, [*news, Phrase("guide.lead.text"), _plan(obs), *notes])
    table = {
        "kind": Phrase(f"kind.{obs.to_beat.kind}"),
        "cards": play_phrase(obs.to_beat),
    }
    if not patterns.can_beat(obs.ruleset, obs.hand, obs.to_beat.hand, beat_as=obs.to_beat):
        return _step("follow.none", stage, [*news, Phrase("guide.follow.none.text", {**table})])
    partners = facts.side_left(obs, partners=True)
    if obs.beat_by in partners:
        left = {"n": obs.left[obs.beat_by]} if obs.beat_by is not None else {}
        lines = [Phrase("guide.follow.partner.text", {**table, **left})]
        return _step("follow.partner", stage, [*news, *lines, *notes])
    rule = "guide.follow.bomb" if obs.to_beat.is_bomb else "guide.follow.text"
    lines = [Phrase(rule, {**table, "n": cards.size_of(obs.to_beat.hand)}), _plan(obs)]
    return _step("follow", stage, [*news, *lines, *notes])


def _plan(obs: Observation) -> Phrase:
    """Say in how few plays the hand could go out, and one way to split it."""
    split = decompose.turns(obs.hand, obs.rules, limit=200)
    plays = listed([play_phrase(move) for move in split.splits[0]])
    return Phrase("guide.plan", {"n": split.turns, "plays": plays})


def _alarms(obs: Observation) -> list[Phrase]:
    """Say which side has few cards left."""
    alarm = max(obs.ruleset.play.alarm, default=0)
    lines = []
    for partners, key in (
        (False, "guide.alarm.enemy"),
        (None, "guide.alarm.unknown"),
        (True, "guide.alarm.partner"),
    ):
        few = min(facts.side_left(obs, partners=partners).values(), default=99)
        if few <= alarm:
            lines.append(Phrase(key, {"n": few}))
    return lines


def _bombs_since(obs: Observation) -> list[Phrase]:
    """Say which bomb fell since this seat's last action, and what is at stake now."""
    kinds = {step.id for step in obs.ruleset.ladder_in_force() if step.factor > 1 or step.adds}
    fallen = []
    for entry in reversed(obs.history):
        if entry.seat == obs.seat and entry.phase == "play":
            break
        if entry.move is not None and entry.move.kind in kinds:
            fallen.append(entry.move)
    unit = obs.ruleset.score.stake * max(obs.contract, 1) * obs.multiplier
    if obs.ruleset.score.combine == "sum":
        return [
            Phrase("guide.bomb_adds", {"cards": card_phrase(move.cards), "n": obs.multiplier})
            for move in reversed(fallen)
        ]
    return [
        Phrase("guide.bomb", {"cards": card_phrase(move.cards), "n": unit})
        for move in reversed(fallen)
    ]


# --- end -----------------------------------------------------------------------------------------


def _end(obs: Observation) -> Step:
    """Say who won and how the score came about."""
    if obs.ledger is None or obs.outcome == "redeal":
        left = "guide.end.left" if obs.fled else "guide.end.redeal.text"
        return _step("end.redeal", "end", [Phrase(left)])
    if obs.outcome == "unplayed":
        left = "guide.end.left" if obs.fled else "guide.end.unplayed"
        return _step("end.unplayed", "end", [Phrase(left), _points(obs)])
    won = (obs.outcome == "landlords") == (obs.seat in obs.landlords)
    out = "guide.end.landlord" if obs.outcome == "landlords" else "guide.end.farmers"
    if obs.out is None:
        claimed = any(entry.action == CLAIM for entry in obs.history)
        out = "guide.end.claimed" if claimed else "guide.end.left"
    lines = [Phrase(out)]
    steps = [
        Phrase(step.key, {"cards": card_phrase(step.cards), "factor": step.factor})
        for step in obs.ledger.steps
        if step.factor is not None and step.seat in (None, obs.seat)
    ]
    if steps:
        lines.append(Phrase("guide.end.sum", {"steps": listed(steps), "n": obs.ledger.unit}))
    lines.append(_points(obs))
    lines.append(Phrase("guide.end.replay"))
    return _step("end.won" if won else "end.lost", "end", lines)


def _points(obs: Observation) -> Phrase:
    """Say what the seat itself won or lost."""
    points = 0 if obs.ledger is None else obs.ledger.points[obs.seat]
    return Phrase("guide.end.points", {"points": f"{points:+d}".replace("-", "−")})
