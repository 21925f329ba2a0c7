"""What a hint consists of: four rungs, each says more than the one before.

Layer 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ddz_core.hints.facts import Outside
from ddz_core.language import Phrase
from ddz_core.patterns import Move

RungKey = Literal["legal", "candidates", "reasons", "answer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of a rung's table: its cells, and the cards it is about (empty for none)."""

    cells: tuple[Phrase, ...]
    cards: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One rung.

    Attributes:
        key: ``legal``, ``candidates``, ``reasons`` or ``answer``.
        lead: its first sentence, if it has one.
        lines: further sentences.
        head, rows: a table; empty for none.
    """

    key: RungKey
    lead: Phrase | None = None
    lines: tuple[Phrase, ...] = ()
    head: tuple[Phrase, ...] = ()
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An action worth comparing.

    Attributes:
        action: its text, as a game takes it.
        label: how it is called.
        move: the play, None for a word.
        turns: the fewest plays that the rest of the hand needs, exactly; None where not asked.
        lost: how many plays more that is than without this action; 0 fits the best split.
        outside: what the unseen cards could do against it; None for a word.
        torn: bombs or exact sets that it breaks.
        broken: the largest group of the best split that it breaks, where that costs plays.
        controls: cards kept that no unseen single card beats.
        score: what the rule bot gives it; a pass has 0.
    """

    action: str
    label: Phrase
    move: Move | None = None
    turns: int | None = None
    lost: int = 0
    outside: Outside | None = None
    torn: tuple[str, ...] = ()
    broken: Move | None = None
    controls: str = ""
    score: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """A hint for one decision; nothing in it is sampled.

    Attributes:
        phase: ``auction``, ``declare`` or ``play``.
        rungs: what is legal, candidates, reasons, answer.
        candidates: the actions compared, the answer first.
        answer: the rule bot's choice: a stated rule, no proof.
        alternative: the best other action, None if there is only one.
    """

    phase: str
    rungs: tuple[Rung, Rung, Rung, Rung]
    candidates: tuple[Candidate, ...]
    answer: Candidate
    alternative: Candidate | None
