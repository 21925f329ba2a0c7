"""A drawing as a list of blocks, and the two ways to show it: markup and plain text.

Layer 4. What a notebook shows is said once, as titles, lines, cards and tables; both forms are made
from it. The markup carries its style in every element and has no script and no style sheet, so it
looks the same in every front end and after export; it brings its own paper, so it can be read in a
dark notebook as well. Every text is escaped.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, TypeAlias

from ddz_core.render.cards import JOKERS, Group, hand_svg, lane_svg

_FONT: Final = (
    "-apple-system,BlinkMacSystemFont,'Segoe UI','PingFang SC','Microsoft YaHei',"
    "'Noto Sans CJK SC',system-ui,sans-serif"
)
_HEAD_FONT: Final = "Georgia,'Songti SC','Source Han Serif SC','Noto Serif CJK SC',serif"
INK, INK_2, LINE, LINE_2, SURFACE = "#1C282D", "#48565B", "#DED6C6", "#857D6D", "#FFFDF8"
_RAMP: Final = (
    ((0xFB, 0xF5, 0xF8), (0xC4, 0x93, 0xB2)),
    ((0x8A, 0x3F, 0x6E), (0x4E, 0x14, 0x39)),
)
"""Chances below and above one half: the two halves of the heat maps' scale, with its jump."""


@dataclass(frozen=True, slots=True)
class Title:
    """What the whole is called."""

    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of words; ``quiet`` for what is said beside the matter."""

    text: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """One big figure with words after it."""

    figure: str
    text: str


@dataclass(frozen=True, slots=True)
class Foot:
    """How a number was found: a badge, solid or dashed, and words after it."""

    badge: str
    dashed: bool
    text: str


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards on a lane of mat.

    Attributes:
        text: the cards in words, for plain text and screen readers.
        cards: cards from left to right, drawn as a hand; used where there are no groups.
        groups: cards that belong together, each with a bracket.
        label: words above the lane.
        width: of the lane in pixels.
        jokers: what is written on the small and the big joker.
    """

    text: str
    cards: str = ""
    groups: tuple[Group, ...] = ()
    label: str = ""
    width: float = 560
    jokers: tuple[str, str] = JOKERS


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table that shows a chance by its colour; None for an impossible one."""

    chance: float | None


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: the first column words, the others numbers unless ``words`` says so.

    Attributes:
        head: names of the columns.
        rows: texts or cells in the same order.
        label: words above the table.
        words: whether all columns are words.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str | Cell, ...], ...]
    label: str = ""
    words: bool = False


Block: TypeAlias = Title | Line | Figure | Foot | Cards | Grid


def html_of(blocks: Sequence[Block], lang: str) -> str:
    """Return blocks as markup with inline style, without script."""
    body = "".join(_html(block) for block in blocks)
    return (
        f'<div lang="{escape(lang, quote=True)}" style="font:16px/1.5 {_FONT};color:{INK};'
        f"background:{SURFACE};border:1px solid {LINE};border-radius:16px;padding:16px 18px;"
        f'max-width:760px;text-align:left;overflow-x:auto">{body}</div>'
    )


def text_of(blocks: Sequence[Block]) -> str:
    """Return blocks as plain text, tables aligned."""
    return "\n".join(_text(block) for block in blocks)


def in_hundred(chance: float) -> str:
    """Return a chance as it stands in a cell: ``71``, ``<1``, ``>99``, ``0``, ``100``."""
    if 0 < chance < 0.01:
        return "<1"
    if 0.99 < chance < 1:
        return ">99"
    return f"{100 * chance:.0f}"


def _html(block: Block) -> str:
    match block:
        case Title(text):
            style = f"font:700 18px/1.35 {_HEAD_FONT};margin:0 0 6px"
            return f'<div style="{style}">{escape(text)}</div>'
        case Line(text, quiet):
            more = f";color:{INK_2};font-size:14px" if quiet else ""
            return f'<div style="margin:4px 0{more}">{escape(text)}</div>'
        case Figure(figure, text):
            return (
                f'<div style="margin:0 0 4px"><span style="font-size:44px;font-weight:700;'
                f'line-height:1.1;font-variant-numeric:tabular-nums">{escape(figure)}</span>'
                f'<span style="margin-left:10px;color:{INK_2}">{escape(text)}</span></div>'
            )
        case Foot(badge, dashed, text):
            line = "dashed" if dashed else "solid"
            return (
                f'<div style="margin:8px 0 0;font-size:13px;color:{INK_2}">'
                f'<span style="color:{INK};'
                f"border:1.5px {line} {LINE_2};border-radius:6px;padding:0 7px;margin-right:8px;"
                f'font-weight:600">{escape(badge)}</span>{escape(text)}</div>'
            )
        case Cards():
            return _label(block.label) + f'<div style="margin:4px 0 10px">{_lane(block)}</div>'
        case Grid():
            return _label(block.label) + _table(block)


def _label(text: str) -> str:
    if not text:
        return ""
    return f'<div style="margin:8px 0 2px;font-size:14px;color:{INK_2}">{escape(text)}</div>'


def _lane(block: Cards) -> str:
    label = _named(block)
    if block.groups:
        return lane_svg(block.groups, width=block.width, card=52, jokers=block.jokers, label=label)
    return hand_svg(block.cards, width=block.width, jokers=block.jokers, label=label)


def _named(block: Cards) -> str:
    """Return the cards in words, after what stands above them if that says something else."""
    if block.label in ("", block.text):
        return block.text
    return f"{block.label}: {block.text}"


def _table(grid: Grid) -> str:
    plain = "background:transparent;border:0;"
    head = "".join(
        f'<th style="{plain}border-bottom:1px solid {LINE};font-weight:400;font-size:13px;'
        f'color:{INK_2};padding:3px 8px;text-align:{_side(grid, i)}">{escape(name)}</th>'
        for i, name in enumerate(grid.head)
    )
    rows = "".join(
        f'<tr style="{plain}">{"".join(_cell(grid, i, cell) for i, cell in enumerate(row))}</tr>'
        for row in grid.rows
    )
    return (
        f'<table style="border-collapse:collapse;margin:2px 0 8px;font-size:15px;color:{INK};'
        f'{plain}"><thead style="{plain}"><tr style="{plain}">{head}</tr></thead>'
        f'<tbody style="{plain}">{rows}</tbody></table>'
    )


def _side(grid: Grid, column: int) -> str:
    return "left" if column == 0 or grid.words else "right"


def _cell(grid: Grid, column: int, cell: str | Cell) -> str:
    base = f"border:0;border-bottom:1px solid {LINE};padding:3px 8px;"
    if isinstance(cell, str):
        style = f"{base}background:transparent;text-align:{_side(grid, column)}"
        return f'<td style="{style};font-variant-numeric:tabular-nums">{escape(cell)}</td>'
    style = "border:2px solid " + SURFACE + ";padding:2px 5px;min-width:24px;text-align:center;"
    if cell.chance is None:
        return f'<td style="{style}background:transparent;color:{LINE_2}">·</td>'
    high = cell.chance >= 0.5
    low_end, high_end = _RAMP[high]
    part = 2 * cell.chance - high
    colour = "".join(
        f"{round(a + (b - a) * part):02X}" for a, b in zip(low_end, high_end, strict=True)
    )
    ink = "#FFFFFF" if high else INK
    text = escape(in_hundred(cell.chance))
    return f'<td style="{style}background:#{colour};color:{ink}">{text}</td>'


def _text(block: Block) -> str:
    match block:
        case Title(text) | Line(text, _):
            return text
        case Figure(figure, text):
            return f"{figure} {text}".rstrip()
        case Foot(badge, _, text):
            return f"[{badge}] {text}".rstrip()
        case Cards():
            return _named(block)
        case Grid():
            return "\n".join([*([block.label] if block.label else []), *_aligned(block)])


def _aligned(grid: Grid) -> list[str]:
    rows = [grid.head, *(tuple(map(_cell_text, row)) for row in grid.rows)]
    widths = [max(map(_wide, column)) for column in zip(*rows, strict=True)]
    return [
        "  "
        + "  ".join(
            _padded(text, width, left=_side(grid, i) == "left")
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _cell_text(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return cell
    return "·" if cell.chance is None else in_hundred(cell.chance)


def _wide(text: str) -> int:
    """Return how many columns a text takes; Han characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _padded(text: str, width: int, *, left: bool) -> str:
    room = " " * (width - _wide(text))
    return text + room if left else room + text
