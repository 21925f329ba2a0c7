"""What is counted on the table: the sum of the score so far, and the cards not yet seen.

Layer 4. The sum is written so that it can be read: contract, each doubling, what is settled. The
counter knows what the person's seat knows and nothing more.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ddz_core.cards import MARKED, RANKS, counts_of
from ddz_core.render import contract, wording

if TYPE_CHECKING:
    from ddz_core.render.view import View


def others(view: View) -> list[int]:
    """Return the other seats from the previous one to the next one, as they sit from the left."""
    seats, me = view.obs.seats, view.table.seat
    return [(me - turn) % seats for turn in range(1, seats)]


def sum_line(view: View) -> contract.SumLine:
    """Return contract × each doubling = what a farmer pays, as a sum that can be read."""
    obs = view.obs
    if obs.outcome == "redeal":
        return {"terms": [{"text": view.say("table.sum.thrown")}], "result": ""}
    if not obs.landlords:
        if not obs.contract:
            return {"terms": [{"text": view.say("table.sum.none")}], "result": ""}
        return {"terms": [{"text": view.say("table.sum.bid", n=obs.contract)}], "result": ""}
    terms = _terms(view)
    bid = obs.contract if obs.ruleset.score.base == "bid" else 1
    unit = obs.ruleset.score.stake * bid * obs.multiplier
    if obs.ruleset.sides == "twin":
        return {"terms": terms, "result": view.say("table.sum.unit", n=unit)}
    farmers = [seat for seat in range(obs.seats) if seat not in obs.landlords]
    factors = {seat: obs.factors[seat] or 1 for seat in farmers}
    if view.table.seat in obs.landlords:
        if set(factors.values()) == {1}:
            return {"terms": terms, "result": view.say("table.sum.result", n=unit)}
        terms += [
            {"text": view.say("table.sum.their_raise", who=view.who(seat), n=factor)}
            for seat, factor in factors.items()
            if factor > 1
        ]
        total = unit * sum(factors.values())
        return {"terms": terms, "result": view.say("table.sum.total", n=total)}
    mine = factors[view.table.seat]
    if mine == 1:
        return {"terms": terms, "result": view.say("table.sum.result", n=unit)}
    terms.append({"text": view.say("table.sum.raise", n=mine)})
    return {"terms": terms, "result": view.say("table.sum.mine", n=unit * mine)}


def _terms(view: View) -> list[contract.Term]:
    """Return the factors of what is settled, in the order in which they came about."""
    obs, score = view.obs, view.obs.ruleset.score
    terms: list[contract.Term] = []
    if score.stake != 1:
        terms.append({"text": view.say("table.sum.stake", n=score.stake)})
    if score.base == "bid":
        terms.append({"text": view.say("table.sum.bid", n=obs.contract)})
    if score.combine == "sum":
        return [*terms, {"text": view.say("table.sum.added", n=obs.multiplier)}]
    if score.initial != 1:
        terms.append({"text": view.say("table.sum.initial", n=score.initial)})
    doubling = [bomb for bomb in obs.bombs if bomb.factor > 1]
    for bomb in doubling:
        kind = view.say(f"kind.{bomb.kind}")
        cards = wording.card_text(view.words, bomb.cards)
        terms.append(
            {
                "text": view.say("table.sum.bomb", kind=kind, cards=cards),
                "short": view.say("table.sum.bomb.short", kind=kind, n=bomb.factor),
            }
        )
    named = score.initial * math.prod(bomb.factor for bomb in doubling)
    if obs.multiplier > named:
        terms.append({"text": view.say("table.sum.more", n=obs.multiplier // named)})
    return terms or [{"text": view.say("table.sum.one")}]


def counter(view: View) -> contract.Counter:
    """Return the card counter; it knows what the person's seat knows and nothing more."""
    obs, table = view.obs, view.table
    unseen, all_cards = counts_of(obs.unseen), counts_of(obs.ruleset.deck_cards)
    cells: list[contract.CounterCell] = []
    for rank in wording.DISPLAY:
        lane = RANKS.find(rank)
        if lane < 0 or not all_cards[lane]:
            continue
        # A red seven that is wild is one of the four sevens all the same.
        marked = MARKED if rank == "7" else lane
        copies = all_cards[lane] + (all_cards[marked] if marked != lane else 0)
        left = unseen[lane] + (unseen[marked] if marked != lane else 0)
        shown = table.counter == "shown"
        cells.append(
            {
                "code": rank,
                "label": wording.rank_label(view.words, rank, short=True),
                "name": wording.rank_label(view.words, rank),
                "count": left if shown else None,
                "copies": copies,
                "all_out": shown and copies >= 4 and left == copies,
            }
        )
    known = len(obs.bottom_left) if table.seat not in obs.landlords else 0
    key = "table.counter.known" if known else "table.counter.total"
    total = view.say(key, n=sum(unseen), known=known)
    counter: contract.Counter = {"level": table.counter, "cells": cells, "total": total}
    if table.counter == "self":
        counter["check"] = view.say("table.counter.check")
    return counter
