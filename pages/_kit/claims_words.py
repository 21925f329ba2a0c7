"""Numbers and verdicts of claims in words; every text that comes from a file is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ddz_core.claims import Row, Ruling
    from ddz_core.estimate import Estimate
    from ddz_core.language import Words

HUNDREDTHS = frozenset({"probability", "share"})
"""Units that are shown in hundredths."""


def tag(words: Words, verdict: str) -> str:
    """Return a verdict as markup; colour is never alone, the frame and the word say it too."""
    text = escape(words.say(f"claims.verdict.{verdict}"))
    return f'<span class="paili-verdict {escape(verdict)}">{text}</span>'


def number(value: float, unit: str, *, signed: bool = False) -> str:
    """Return a number as readers see it: chances in hundredths."""
    scale, digits = (100.0, 1) if unit in HUNDREDTHS else (1.0, 2)
    text = f"{scale * value:+.{digits}f}" if signed else f"{scale * value:.{digits}f}"
    return text.replace("-", "\N{MINUS SIGN}")


def interval(value: Estimate, unit: str, *, signed: bool = False) -> str:
    """Return a number with its interval; an exact one stands alone."""
    text = number(value.value, unit, signed=signed)
    if value.method != "sampled":
        return text
    low, high = (number(one, unit, signed=signed) for one in (value.low, value.high))
    return f"{text} ({low} … {high})"


def effect(words: Words, row: Row) -> str:
    """Return the first number that counts, with its unit."""
    if row.effect is None or row.cell is None:
        return ""
    signed = row.cell.line == 0
    return f"{interval(row.effect, row.cell.unit, signed=signed)} {unit(words, row.cell.unit)}"


def unit(words: Words, name: str) -> str:
    """Return a unit in words."""
    key = f"claims.per.{name}" if name in HUNDREDTHS else f"claims.unit.{name}"
    return words.say(key)


def reason(words: Words, ruling: Ruling, *, one_family: bool) -> str:
    """Return why a verdict is as it is, in a few words."""
    parts = [words.say(f"claims.reason.{ruling.reason}")] if ruling.reason else []
    if ruling.agree:
        parts.append(words.say("claims.agree"))
    elif one_family:
        parts.append(words.say("claims.reason.one_family"))
    return " · ".join(parts)
