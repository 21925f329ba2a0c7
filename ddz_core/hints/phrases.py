"""Pieces of sentences that hints and guide share: cards, lists, numbers.

Layer 3. Everything is a :class:`~ddz_core.language.Phrase`, worded when the language is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from ddz_core.language import Phrase
from ddz_core.patterns import Combination


def card_phrase(text: str) -> Phrase:
    """Return cards given as text: tens as 10, jokers in words."""
    parts: list[Phrase] = []
    plain = ""
    for rank in text:
        if rank in "XD":
            if plain:
                parts.append(Phrase("hint.text", {"text": plain}))
                plain = ""
            parts.append(Phrase(f"table.rank.{rank}"))
        else:
            plain += "10" if rank == "T" else rank
    if plain or not parts:
        parts.append(Phrase("hint.text", {"text": plain}))
    return _folded("hint.beside", parts)


def play_phrase(move: Combination) -> Phrase:
    """Return a play with its kickers apart: ``QQQ+3``."""
    return card_phrase(f"{move.main}+{move.kickers}" if move.kickers else move.main)


def listed(parts: Sequence[Phrase]) -> Phrase:
    """Return phrases as a list in one phrase."""
    return _folded("hint.list", parts)


def number(n: int) -> Phrase:
    """Return a number alone."""
    return Phrase("hint.text", {"text": str(n)})


def _folded(key: str, parts: Sequence[Phrase]) -> Phrase:
    """Join phrases pairwise from the left with a key that takes ``a`` and ``b``."""
    whole = parts[0]
    for part in parts[1:]:
        whole = Phrase(key, {"a": whole, "b": part})
    return whole
