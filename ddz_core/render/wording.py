"""Cards, combinations and seats in the reader's words, as the table writes them.

Layer 4. One place for the few sentences that several faces share: the drawn table, the plain page
and notebooks. Texts come from the catalogues; nothing here decides anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ddz_core.language import Words
    from ddz_core.patterns import Combination, Move

RoleName = Literal["landlord", "after", "before", "farmer", "unknown"]

DISPLAY = "DX2AKQJT987*6543"
"""Ranks in the order of hands and counter, high to low; a marked card stands after the sevens."""


def rank_label(words: Words, rank: str, *, short: bool = False) -> str:
    """Return a rank as cards show it: ``10`` for ``T``, a joker in words."""
    if rank in "XD":
        return words.say(f"table.rank.short.{rank}" if short else f"table.rank.{rank}")
    if rank == "*":
        return words.say("table.rank.wild_seven")
    return "10" if rank == "T" else rank


def card_text(words: Words, text: str) -> str:
    """Return cards given as text for reading: tens as 10, jokers in words between spaces."""
    parts = [rank_label(words, rank) for rank in text]
    joined = ""
    for rank, part in zip(text, parts, strict=True):
        joined += f" {part}" if rank in "XD" and joined else part
    return joined


def hand_text(words: Words, text: str) -> str:
    """Return a hand for a screen reader: ranks high to low with their counts."""
    said = [
        words.say("table.summary.count", rank=rank_label(words, rank), n=text.count(rank))
        for rank in DISPLAY
        if rank in text
    ]
    return words.say("table.and").join(said)


def combination_name(words: Words, combination: Combination | Move) -> str:
    """Return a combination's kind with what compares: "triple + single, 9s", "straight 3-7"."""
    kind = words.say(f"kind.{combination.kind}")
    top = rank_label(words, combination.top)
    if combination.length > 1:
        low = rank_label(words, combination.main[0])
        return words.say("table.name.run", kind=kind, low=low, top=top)
    if len(set(combination.main)) > 1:
        return kind
    form = "single" if len(combination.main) == 1 else "group"
    return words.say(f"table.name.{form}", kind=kind, top=top)


def combination_text(words: Words, combination: Combination | Move) -> str:
    """Return a combination's cards with the kickers apart: "QQQ+3"."""
    main = card_text(words, combination.main)
    if not combination.kickers:
        return main
    return f"{main}+{card_text(words, combination.kickers)}"


def inside(name: str) -> str:
    """Return a name as it stands inside a sentence: in Latin script without its capital."""
    return name[:1].lower() + name[1:]


def role_of(seat: int, landlords: Iterable[int], seats: int) -> RoleName:
    """Return the role that decides a seat's tactics, relative to a single landlord."""
    lords = tuple(landlords)
    if not lords:
        return "unknown"
    if seat in lords:
        return "landlord"
    if len(lords) == 1 and seats > 2:
        if seat == (lords[0] + 1) % seats:
            return "after"
        if seat == (lords[0] - 1) % seats:
            return "before"
    return "farmer"
