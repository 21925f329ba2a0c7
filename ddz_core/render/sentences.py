"""The table in sentences: for screen readers, the plain page and the log.

Layer 4. The order is fixed: to beat, whose turn, own hand, cards left, bottom cards, the sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ddz_core.cards import format_cards
from ddz_core.render import contract, wording
from ddz_core.render.tally import counter, others, sum_line
from ddz_core.render.view import action_text, picking, turn_text

if TYPE_CHECKING:
    from ddz_core.actions import Entry
    from ddz_core.render.tally import counter, others, sum_line
from ddz_core.render.view import View


def messages(view: View) -> list[contract.Message]:
    """Return the sentence for the person, if there is one."""
    message = view.table.message
    if message is None and picking(view):
        held = wording.hand_text(view.words, format_cards(view.obs.hand))
        text = view.say("table.summary.hand", n=view.obs.left[view.obs.seat], cards=held)
        return [{"text": text, "tone": "note"}]
    if message is None:
        return []
    tone: contract.Tone = "error" if message.key.startswith(("error.", "table.error.")) else "note"
    return [{"text": view.words.phrase(message), "tone": tone}]


def hands(view: View) -> list[str]:
    """Return every seat's cards in words, once they may be seen."""
    if not view.open:
        return []
    return [
        view.say(
            "table.plain.held",
            who=view.who(seat),
            cards=wording.hand_text(view.words, format_cards(hand)),
        )
        for seat, hand in enumerate(view.game.hands)
        if hand
    ]


def counter_text(view: View) -> str:
    """Return the card counter as a line of text."""
    shown = counter(view)
    cells = [f"{cell['label']} {cell['count']}" for cell in shown["cells"] if cell["count"]]
    return f"{shown['total']}: {view.say('table.and').join(cells)}"


def summary(view: View) -> list[str]:
    """Return the whole table in sentences, in fixed order."""
    obs, say = view.obs, view.say
    lines = []
    if obs.phase == "play" and obs.to_beat is not None and obs.beat_by is not None:
        name = wording.combination_name(view.words, obs.to_beat)
        lines.append(say("table.summary.to_beat", name=name, who=view.who(obs.beat_by)))
    elif obs.phase == "play":
        lines.append(say("table.summary.lead"))
    lines.append(say("table.summary.turn", turn=turn_text(view)))
    hand = wording.hand_text(view.words, format_cards(obs.hand))
    lines.append(say("table.summary.hand", n=obs.left[obs.seat], cards=hand))
    lines += [
        say("table.summary.left", who=view.who(seat), n=obs.left[seat]) for seat in others(view)
    ]
    if obs.bottom is not None:
        cards = wording.card_text(view.words, "".join(card.rank for card in obs.bottom))
        lines.append(say("table.summary.bottom", cards=cards))
    elif view.game.deal.bottom:
        lines.append(say("table.summary.bottom.down"))
    total = sum_line(view)
    text = " × ".join(term["text"] for term in total["terms"])
    if total["result"]:
        text = f"{text} = {total['result']}"
    lines.append(say("table.summary.sum", sum=text))
    return lines


def log(view: View) -> list[contract.LogLine]:
    """Return the latest actions to announce; the number of a line is its place in the history."""
    history = view.obs.history
    return [
        {"n": e.index + 1, "text": log_text(view, e)} for e in history[-6:] if e.seat is not None
    ]


def log_text(view: View, entry: Entry) -> str:
    """Return an action as a sentence."""
    who = view.who(cast("int", entry.seat))
    if entry.move is not None:
        name = wording.combination_name(view.words, entry.move)
        cards = wording.combination_text(view.words, entry.move)
        return view.say("table.log.play", who=who, name=name, cards=cards)
    if entry.phase == "play":
        return view.say("table.log.pass", who=who)
    return view.say("table.log.bid", who=who, what=action_text(view, entry))
