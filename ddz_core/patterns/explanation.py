"""Why cards can or cannot be played, and the nearest cards that can.

Layer 1. Nothing here is worded: a reason is a catalogue key with its values, to be said in the
reader's language.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import cards
from ddz_core.display import Tabular
from ddz_core.errors import HandError
from ddz_core.kernels.table import Table, table_of
from ddz_core.patterns.combination import Combination, Move, code_in, move_from
from ddz_core.patterns.reading import (
    NO_LIMIT,
    checked,
    listed,
    outranks,
    packed,
    readings,
    table_reading,
)
from ddz_core.patterns.reasons import Reason, kind_phrase, reasons_against
from ddz_core.specs import Ruleset

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_NEAREST = 3
"""How many nearest combinations are given at most."""


@dataclass(frozen=True, slots=True)
class Explanation(Tabular):
    """What some cards are, and why they can or cannot be played.

    Attributes:
        cards: the cards, low to high.
        legal: whether they can be played (over what lies on the table, if anything).
        readings: every reading, the unnamed one first.
        reasons: why they are not legal, the most telling first; empty where they are.
        nearest: legal combinations that differ in the fewest cards, at most three; empty where
            the cards are legal themselves, or where nothing at all is.
        beat: what lies on the table, if anything.
    """

    cards: str
    legal: bool
    readings: tuple[Combination, ...] = ()
    reasons: tuple[Reason, ...] = ()
    nearest: tuple[Move, ...] = ()
    beat: Combination | None = None


def explain(
    ruleset: Ruleset,
    hand: str | int | Combination,
    beat: str | int | Combination | None = None,
    *,
    beat_as: Combination | None = None,
    held: str | int | Combination | None = None,
) -> Explanation:
    """Explain whether cards can be played, and why not.

    Args:
        ruleset: the game.
        hand: the cards that somebody would play.
        beat: what lies on the table; None for a lead.
        beat_as: how it is to be read, if not in its unnamed reading.
        held: the whole hand that the cards are chosen from: the nearest combinations are then
            taken from it; else from all cards of the game.

    Raises:
        NotationError: if a text cannot be read.
        HandError: if the deck has fewer cards of some rank.
        NotACombination: if ``beat`` has no reading, or not the one named.
    Cost: some milliseconds; the first explanation of a ruleset lists all its moves once.
    """
    table = table_of(ruleset)
    found = tuple(readings(ruleset, hand))
    own = checked(table, hand)
    lies = table_reading(ruleset, beat, beat_as)
    if found and (lies is None or any(outranks(reading, lies) for reading in found)):
        return Explanation(cards.format_cards(own), True, found, beat=lies)
    if found and lies is not None:
        reasons = _reasons_against_answer(table, found, lies)
    else:
        reasons = reasons_against(ruleset, own)
    return Explanation(
        cards=cards.format_cards(own),
        legal=False,
        readings=found,
        reasons=tuple(reasons),
        nearest=tuple(_nearest(table, own, lies, None if held is None else packed(held))),
        beat=lies,
    )


def _reasons_against_answer(
    table: Table, found: tuple[Combination, ...], lies: Combination
) -> list[Reason]:
    """Return why none of some readings beats what lies on the table."""
    own = found[0]
    params: dict[str, object] = {
        "kind": kind_phrase(own.kind),
        "cards": own.cards,
        "beat_kind": kind_phrase(lies.kind),
        "beat_cards": lies.cards,
        "need": len(lies.cards),
        "got": len(own.cards),
    }
    same_kind = [reading for reading in found if reading.kind == lies.kind]
    same_form = [reading for reading in same_kind if reading.length == lies.length]
    if code_in(table, lies) >> 26 and not same_form:
        above = code_in(table, lies) >> 26 < max(form.step for form in table.forms if form)
        return [Reason("why.only_bombs" if above else "why.nothing_beats", params)]
    if same_form:
        tops = {"top": same_form[0].top, "beat_top": lies.top}
        if same_form[0].size == lies.size:
            if (same_form[0].soft, same_form[0].pure) != (lies.soft, lies.pure):
                return [Reason("why.weaker_bomb", params)]
            return [Reason("why.not_higher", params | tops)]
    if same_kind:
        return [Reason("why.other_length", params)]
    return [Reason("why.other_kind", params)]


@functools.lru_cache(maxsize=4)
def _all_moves(
    ruleset: Ruleset,
) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.int8]]:
    """Return cards, codes and lane counts of every move of the whole deck."""
    found, codes = listed(ruleset, table_of(ruleset).deck, 0, NO_LIMIT)
    return found, codes, _counts(found)


def _counts(found: NDArray[np.uint64]) -> NDArray[np.int8]:
    """Return the sixteen lane counts of each packed hand."""
    lanes = np.arange(0, 64, 4, dtype=np.uint64)
    return ((found[:, None] >> lanes) & np.uint64(15)).astype(np.int8)


def _nearest(
    table: Table, hand: cards.Hand, lies: Combination | None, held: cards.Hand | None
) -> list[Move]:
    """Return the moves over what lies on the table that differ from the cards in the fewest.

    Among equally near ones cards left out count for nearer than cards added, unless most are.
    """
    code = 0 if lies is None else code_in(table, lies)
    if held is not None:
        found, codes = listed(table.ruleset, held, code, NO_LIMIT)
        counts = _counts(found)
    else:
        try:
            found, codes, counts = _all_moves(table.ruleset)
            if hand & table.wilds:  # the whole deck lacks nothing that a wild could stand for
                more, its = listed(table.ruleset, hand, 0, NO_LIMIT)
                found, codes = np.concatenate([more, found]), np.concatenate([its, codes])
                counts = np.concatenate([_counts(more), counts])
        except HandError:  # a pool beyond all lists: the parts of the cards themselves remain
            found, codes = listed(table.ruleset, hand, 0, NO_LIMIT)
            counts = _counts(found)
        if code:
            steps, own = codes >> np.uint32(26), np.uint32(code)
            higher = (steps > own >> np.uint32(26)) | (
                codes >> np.uint32(16) == own >> np.uint32(16)
            )
            kept = (codes > own) & higher
            found, codes, counts = found[kept], codes[kept], counts[kept]
    if not len(found):
        return []
    difference = counts - np.array(cards.counts_of(hand), dtype=np.int8)
    added = np.maximum(difference, 0).sum(axis=1)
    dropped = np.maximum(-difference, 0).sum(axis=1)
    changed = added + dropped
    order = np.lexsort((codes, added, 2 * dropped > cards.size_of(hand), changed))
    nearest: dict[int, Move] = {}
    for place in order:
        if changed[place] > changed[order[0]] or len(nearest) == MOST_NEAREST:
            break
        one = int(found[place])
        nearest.setdefault(one, move_from(table, one, int(codes[place])))
    return list(nearest.values())
