"""Judging a learner's answer: right or wrong, and why.

Layer 4. The author's reason comes first; where there is none the machine gives one that can be
counted or replayed: what the cards are, what the number is, which answer refutes a play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from ddz_core import bookbids, cards, decompose
from ddz_core.actions import PASS
from ddz_core.errors import DdzError
from ddz_core.hints.phrases import card_phrase, listed, play_phrase
from ddz_core.language import Phrase
from ddz_core.lessons import checking, scenes, truths
from ddz_core.lessons.files import Step, Text

if TYPE_CHECKING:
    from ddz_core.lessons.truths import Key
    from ddz_core.positions import Position
    from ddz_core.rules import Rules


Role: TypeAlias = Literal["landlord", "after", "before", "farmer"]


@dataclass(frozen=True, slots=True)
class Judged:
    """What an answer is worth.

    Attributes:
        right: whether it is accepted.
        legal: whether it could be given at all; False for cards that may not be played.
        why: the author's reason; empty for none.
        phrases: the machine's reasons, worded by the catalogue.
        checked: whether the machine found what is right.
    """

    right: bool
    legal: bool = True
    why: Text = ""
    phrases: tuple[Phrase, ...] = ()
    checked: bool = True


def judge(step: Step, rules: Rules, answer: str) -> Judged:
    """Judge an answer to a task.

    Args:
        step: the task.
        rules: the lesson's game.
        answer: as typed, tapped or chosen; it may be anything.

    Raises:
        DdzError: if the step itself cannot be; see :mod:`ddz_core.lessons.checking`.
    """
    key = truths.key_of(step, rules)
    if step.ask == "number":
        return _number(step, key, answer)
    try:
        given = checking.normal(step, answer)
    except DdzError as error:
        return Judged(False, legal=False, phrases=(Phrase(error.key, error.params),))
    if step.accept == "any" or step.ask not in ("cards", "play"):
        accepted = {checking.normal(step, one) for one in key.right}
    else:
        accepted = {checking.normal(step, one) for one in step.answers}
    right = given in accepted
    if not right and step.ask in ("cards", "play"):
        refusal = _refusal(step, rules, given)
        if refusal:
            return Judged(False, legal=False, phrases=refusal)
    why = _stated(step, given) or (step.why if right else "")
    phrases = _reasons(step, rules, key, given, right=right)
    if why:
        # the author has said it; only what was counted or solved is added
        phrases = tuple(p for p in phrases if p.key in _COUNTED)
    return Judged(right, why=why, phrases=phrases, checked=key.checked)


_COUNTED = {
    f"lesson.why.{name}"
    for name in ("share", "only", "also", "refuted", "percent", "points", "turns")
}
"""Reasons that are added to the author's own."""


def _stated(step: Step, given: str) -> Text:
    """Return the author's reason for one answer."""
    for option in step.options:
        if option.value == given:
            return option.why
    for reply in step.replies:
        if scenes.plain_action(reply.action) == given:
            return reply.why
    return ""


def _number(step: Step, key: Key, answer: str) -> Judged:
    found = checking.number_of(answer)
    if found is None or key.number is None:
        return Judged(False, legal=False, phrases=(Phrase("lesson.why.nan"),))
    if abs(found - key.number) > max(step.tolerance, 1e-9):
        # which way it is wrong, not yet the number: the learner may try again
        way = "less" if found > key.number else "more"
        return Judged(False, phrases=(Phrase(f"lesson.why.{way}"),), checked=key.checked)
    name = "percent" if step.truth == "chance" else "number"
    shown = f"{key.number:.1f}".removesuffix(".0")
    said = (
        ()
        if step.why and step.truth != "chance"
        else (Phrase(f"lesson.why.{name}", {"value": shown}),)
    )
    return Judged(True, why=step.why, phrases=said, checked=key.checked)


def _refusal(step: Step, rules: Rules, given: str) -> tuple[Phrase, ...]:
    """Return why cards may not be played at all; nothing if they may."""
    hand = scenes.hand_of(step, rules)
    pos = scenes.asked(step, rules) if step.is_position else None
    beat = pos.beat if pos is not None else (step.beat or None)
    if given == PASS:
        return () if beat is not None else (Phrase("lesson.why.lead"),)
    missing = [rank for rank in dict.fromkeys(given) if given.count(rank) > hand.count(rank)]
    if missing or not given:
        return (Phrase("lesson.why.hand"),)
    try:
        if pos is not None:
            legal = given in scenes.actions_of(pos)
            against = None if pos.beat is None else pos.beat.cards
        else:
            legal = any(m.cards == given for m in rules.moves(hand, beat=step.beat or None))
            against = step.beat or None
        if legal:
            return ()
        found = rules.explain(given, beat=against)
    except DdzError as error:
        return (Phrase(error.key, error.params),)
    reasons = tuple(Phrase(r.key, dict(r.params)) for r in found.reasons)
    return reasons or (Phrase("lesson.why.illegal"),)


def _reasons(step: Step, rules: Rules, key: Key, given: str, *, right: bool) -> tuple[Phrase, ...]:
    """Return the machine's reasons for one answer."""
    if step.truth == "kind":
        return (_kinds(key, step.cards),)
    if step.truth in ("keeps", "layouts"):
        return tuple(_play(step, rules, key, given, right=right))
    if step.truth in ("turns", "split") and step.ask == "choice":
        groups = given.split() if step.truth == "split" else [given]
        return (_plays(groups, rules),)
    if step.truth == "book":
        points = bookbids.points_of(cards.parse_cards(scenes.hand_of(step, rules)))
        return (Phrase("lesson.why.points", {"n": points}),)
    if step.truth in ("calls", "best") and key.right:
        words = listed([_call(call) for call in key.right])
        return (Phrase(f"lesson.why.{step.truth}", {"calls": words}),)
    if right:
        readings = rules.readings(given) if step.truth in _OF_CARDS and _is_cards(given) else []
        kinds = tuple(dict.fromkeys(reading.kind for reading in readings))
        return (_kinds(truths.Key(kinds), given),) if kinds else ()
    if step.truth == "winner" and key.right:
        return (Phrase("lesson.why.winner", {"side": Phrase(f"lesson.side.{key.right[0]}")}),)
    if step.truth == "chance" and key.right:
        return (Phrase("lesson.why.nearest", {"value": key.right[0]}),)
    if step.truth == "sure" and _is_cards(given):
        above = truths.above(step, rules, given)
        if above:
            return (Phrase("lesson.why.beaten", {"play": play_phrase(above[0])}),)
    if step.truth in ("legal", "sure") and step.ask == "choice":
        return tuple(_cards(step, rules, given))
    if step.truth == "legal" and step.ask == "cards":
        wanted = [Phrase(f"kind.{kind}") for kind in step.want.replace(",", " ").split()]
        return (Phrase("lesson.why.wanted", {"kinds": listed(wanted)}),) if wanted else ()
    if step.truth == "longest":
        return (Phrase("lesson.why.longer"),)
    return ()


_OF_CARDS = ("legal", "longest", "sure")


def _is_cards(text: str) -> bool:
    try:
        return bool(cards.parse_cards(text))
    except DdzError:
        return False


def _plays(groups: list[str], rules: Rules) -> Phrase:
    """Say how many plays a split, or a hand, needs."""
    whole = len(groups) == 1
    n = decompose.turns(groups[0], rules, limit=1).turns if whole else len(groups)
    return Phrase("lesson.why.turns", {"n": n})


def _call(call: str) -> Phrase:
    if call == PASS:
        return Phrase("table.said.no_bid")
    return (
        Phrase("table.said.bid", {"n": int(call)})
        if call.isdigit()
        else Phrase("hint.text", {"text": call})
    )


def _kinds(key: Key, shown: str) -> Phrase:
    kinds = [
        Phrase("quiz.item.none" if kind == truths.NONE else f"kind.{kind}") for kind in key.right
    ]
    text = card_phrase(scenes.plain_action(shown))
    return Phrase("lesson.why.kind", {"cards": text, "kinds": listed(kinds)})


def _cards(step: Step, rules: Rules, given: str) -> list[Phrase]:
    """Say why offered cards are not legal, or do not beat what lies there."""
    try:
        found = rules.explain(given, beat=step.beat or None)
    except DdzError:
        return []
    return [Phrase(r.key, dict(r.params)) for r in found.reasons]


def _play(step: Step, rules: Rules, key: Key, given: str, *, right: bool) -> list[Phrase]:
    """Say what a play keeps or loses, with the answer that refutes it."""
    pos = scenes.asked(step, rules)
    if step.truth == "layouts":
        shares = dict(key.shares)
        if given not in shares:
            return []
        said = {"share": shares[given], "best": max(shares.values())}
        return [Phrase("lesson.why.share", {k: f"{100 * v:.0f}" for k, v in said.items()})]
    if right:
        others = [one for one in key.right if one != given]
        if not others:
            return [Phrase("lesson.why.only")]
        return [Phrase("lesson.why.also", {"plays": listed([*map(action_phrase, others[:4])])})]
    line = refutation(pos, given)
    if not line:
        return []
    # a pass refutes nothing by itself: what counts is the first play
    seat, action = next((one for one in line if one[1] != PASS), line[0])
    lords = pos.to_move in pos.landlords
    said_by = {
        "role": role_phrase(pos, seat),
        "play": action_phrase(action),
        "side": Phrase(f"lesson.side.{'farmers' if lords else 'landlord'}"),
    }
    return [Phrase("lesson.why.refuted", dict(said_by))]


def refutation(pos: Position, action: str, most: int = 12) -> list[tuple[int, str]]:
    """Return how the game goes on after a play with best play on both sides: seats and actions."""
    line: list[tuple[int, str]] = []
    found = scenes.after(pos, action)
    while not isinstance(found, int) and len(line) < most:
        best = reply(found)
        line.append((found.to_move, best))
        found = scenes.after(found, best)
    return line


def reply(pos: Position) -> str:
    """Return what the machine plays in an open position: a play that keeps the best result."""
    try:
        best = truths.solution(pos).best
    except DdzError:
        best = ()
    legal = scenes.actions_of(pos)
    plays = [scenes.plain_action(one) for one in best]
    return next((one for one in plays if one in legal), legal[0])


def action_phrase(action: str) -> Phrase:
    """Return an action as a reader sees it."""
    return Phrase("table.said.pass") if action == PASS else card_phrase(action)


def role_phrase(pos: Position, seat: int) -> Phrase:
    """Return what a hand is called: landlord, or the farmer after or before him."""
    return Phrase(f"table.role.{role_of(pos, seat)}")


def role_of(pos: Position, seat: int) -> Role:
    """Return the role of a hand: with three hands a farmer sits after or before the landlord."""
    count = len(pos.hands)
    if seat in pos.landlords:
        return "landlord"
    if count < 3 or len(pos.landlords) > 1:
        return "farmer"
    if seat == (pos.landlords[0] + 1) % count:
        return "after"
    return "before" if seat == (pos.landlords[0] - 1) % count else "farmer"
