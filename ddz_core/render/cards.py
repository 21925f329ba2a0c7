"""Cards as still pictures: SVG for pages and notebooks, and plain text.

Layer 4. The drawings carry their colours with them (no style sheet, no script, no font), so the
same text works in a page, a notebook and an exported file. Every word given is escaped. Cards are
text in the order in which they are to lie, a suit before its rank where it matters: ``♠9♥9♣9``,
``999``, ``10JQKA``, ``大王``; ``*`` is a card of the marked lane.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import cos, radians, sin
from typing import Final, Literal

from ddz_core.cards import RANKS, SUITS, parse_cards
from ddz_core.errors import NotationError

Theme = Literal["light", "dark"]

PALETTE: Final[Mapping[Theme, Mapping[str, str]]] = {
    "light": {
        "mat": "#CFDDD3",
        "mat-ink": "#1C2B26",
        "mat-ink-2": "#3B4E47",
        "card": "#FFFEFA",
        "card-line": "#CFC7B6",
        "card-ink": "#1C282D",
        "card-red": "#9A3324",
        "card-black": "#5A666A",
        "back": "#7A2E5D",
        "back-2": "#95507B",
        "back-line": "#D9B4CB",
        "card-sel": "#7A2E5D",
    },
    "dark": {
        "mat": "#1F302B",
        "mat-ink": "#ECE7DB",
        "mat-ink-2": "#B9C6BF",
        "card": "#EAE4D6",
        "card-line": "#A79F8D",
        "card-ink": "#1C282D",
        "card-red": "#8E2D1F",
        "card-black": "#525D61",
        "back": "#5D2448",
        "back-2": "#774061",
        "back-line": "#B98CA7",
        "card-sel": "#8E3A6D",
    },
}
"""The colours of cards and mat, by theme and token name."""

JOKERS: Final = ("小王", "大王")
"""What is written on the small and the big joker unless words are given."""

_RANK_FONT: Final = "'Avenir Next','Helvetica Neue','Segoe UI',Arial,'Noto Sans CJK SC',sans-serif"
_TEXT_FONT: Final = (
    "-apple-system,BlinkMacSystemFont,'Segoe UI','PingFang SC','Microsoft YaHei',"
    "'Noto Sans CJK SC',system-ui,sans-serif"
)
_SHAPES: Final = {
    "♥": "M12 21.2C5 15.6 2.3 12 2.3 8.3c0-2.9 2.2-4.9 4.8-4.9 2 0 3.8 1.1 4.9 3.1 1.1-2 2.9-3.1 "
    "4.9-3.1 2.6 0 4.8 2 4.8 4.9 0 3.7-2.7 7.3-9.7 12.9z",
    "♦": "M12 1.6 20 12l-8 10.4L4 12z",
    "♠": "M12 1.8c4.6 4.7 9.2 7.6 9.2 12.1 0 2.8-2 4.7-4.4 4.7-1.5 0-2.8-.7-3.6-1.8.2 2.1.9 3.8 "
    "2.3 5.4h-7c1.4-1.6 2.1-3.3 2.3-5.4-.8 1.1-2.1 1.8-3.6 1.8-2.4 0-4.4-1.9-4.4-4.7C2.8 9.4 7.4 "
    "6.5 12 1.8z",
    "♣": "M12 1.9a4.5 4.5 0 0 1 4 6.6 4.5 4.5 0 1 1-2.7 7.6c.2 2.3.9 4.2 2.4 6H8.3c1.5-1.8 2.2-3.7 "
    "2.4-6A4.5 4.5 0 1 1 8 8.5a4.5 4.5 0 0 1 4-6.6z",
    "star": "M12 1.7l3.1 6.7 7.3.9-5.4 5 1.4 7.3L12 18l-6.4 3.6L7 14.3l-5.4-5 7.3-.9z",
}
_ASPECT: Final = 1.4
_BRACKET: Final = 44.0


@dataclass(frozen=True, slots=True)
class Face:
    """One card to draw: ``rank`` a rank character or ``*``, ``suit`` one of ``♠♥♣♦`` or empty."""

    rank: str
    suit: str = ""

    @property
    def text(self) -> str:
        """The card as read by a person: ``10`` for ten, the suit in front."""
        return self.suit + {"T": "10"}.get(self.rank, self.rank)


def faces(text: str) -> tuple[Face, ...]:
    """Read card text into the cards to draw, in the order given, suits kept.

    Raises ``NotationError`` or ``HandError`` as :func:`ddz_core.cards.parse_cards` does.
    """
    parse_cards(text)
    found: list[Face] = []
    suit = ""
    rest = text.replace("大王", "D").replace("小王", "X").replace("10", "T").upper()
    for character in rest:
        if character in SUITS:
            suit = character
        elif character in RANKS or character == "*":
            found.append(Face(character, suit))
            suit = ""
        elif character in "BR":
            found.append(Face({"B": "X", "R": "D"}[character]))
            suit = ""
    if len(found) != sum(parse_cards(text) >> shift & 15 for shift in range(0, 64, 4)):
        # Unusual but legal forms (full-width characters …) fall back to the plain order.
        found = [Face(c) for c in _plain(text)]
    return tuple(found)


def _plain(text: str) -> str:
    hand = parse_cards(text)
    return "".join(
        c * (hand >> 4 * lane & 15) for lane, c in reversed(list(enumerate(RANKS + "*")))
    )


def cards_text(main: str, kickers: str = "") -> str:
    """Return a combination as a line of text, ``QQQ+3``, with ``10`` for ten."""
    left, right = ("".join(face.text for face in faces(part)) for part in (main, kickers))
    return f"{left}+{right}" if right else left


# ---------------------------------------------------------------- one card


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _shape(name: str, x: float, y: float, size: float, colour: str, more: str = "") -> str:
    scale = _number(size / 24)
    return (
        f'<path d="{_SHAPES[name]}" transform="translate({_number(x)} {_number(y)}) '
        f'scale({scale})" fill="{colour}"{more}/>'
    )


def _star(big: bool, x: float, y: float, size: float, colour: str, more: str = "") -> str:
    if big:
        return _shape("star", x, y, size, colour, more)
    outline = f' stroke="{colour}" stroke-width="2" stroke-linejoin="round"{more}'
    return _shape("star", x, y, size, "none", outline)


def _text(x: float, y: float, size: float, text: str, colour: str, more: str = "") -> str:
    return (
        f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}" fill="{colour}" '
        f'text-anchor="middle"{more}>{escape(text)}</text>'
    )


def _sheet(w: float, fill: str, line: str) -> str:
    return (
        f'<rect x=".5" y=".5" width="{_number(w - 1)}" height="{_number(w * _ASPECT - 1)}" '
        f'rx="{_number(0.085 * w)}" fill="{fill}" stroke="{line}"/>'
    )


def _card(face: Face, w: float, theme: Theme, jokers: Sequence[str]) -> str:
    colours = PALETTE[theme]
    ink = colours["card-ink"]
    parts = [_sheet(w, colours["card"], colours["card-line"])]
    size = 0.37 * w
    middle = 0.09 * w + 0.43 * size
    bold = f' font-family="{_RANK_FONT}" font-weight="700"'
    if face.rank in "XD":
        big = face.rank == "D"
        parts.append(_star(big, middle - 0.13 * w, 0.09 * w, 0.26 * w, ink))
        pip = _number(0.48 * w)
        parts.append(_star(big, float(pip), 0.88 * w, 0.42 * w, ink, ' opacity=".2"'))
        letters = jokers[big]
        step = min(0.2 * w, 0.86 * w / max(1, len(letters)))
        for place, letter in enumerate(letters):
            y = 0.39 * w + (place + 0.85) * step
            parts.append(_text(middle, y, 0.95 * step, letter, ink, bold))
        return "".join(parts)
    squeeze = f' textLength="{_number(0.98 * size)}" lengthAdjust="spacingAndGlyphs"'
    label = {"T": "10", "*": "7"}.get(face.rank, face.rank)
    more = bold + (squeeze if label == "10" else "")
    parts.append(_text(middle, 0.05 * w + 0.9 * size, size, label, ink, more))
    suit = "♥" if face.rank == "*" else face.suit
    if suit:
        colour = colours["card-red" if suit in "♥♦" else "card-black"]
        parts.append(_shape(suit, middle - 0.085 * w, 0.05 * w + 1.1 * size, 0.17 * w, colour))
        pip_at = 0.48 * w
        parts.append(_shape(suit, pip_at, 0.88 * w, 0.42 * w, colour, ' opacity=".2"'))
    if face.rank == "*":
        parts.append(
            f'<circle cx="{_number(0.82 * w)}" cy="{_number(0.18 * w)}" r="{_number(0.07 * w)}" '
            f'fill="none" stroke="{ink}" stroke-width="{_number(0.035 * w)}"/>'
        )
    return "".join(parts)


def _back(w: float, theme: Theme) -> str:
    colours = PALETTE[theme]
    inner, step = 0.07 * w, 0.105 * w
    left, top, right, bottom = inner, inner, w - inner, w * _ASPECT - inner
    lines: list[str] = []
    span = bottom - top
    at = left - span
    while at < right:
        for x0, x1 in ((at, at + span), (at + span, at)):
            lines.append(_cut(x0, top, x1, bottom, left, right))
        at += step * 1.4142
    path = " ".join(line for line in lines if line)
    return (
        _sheet(w, colours["back"], colours["back"])
        + f'<path d="{path}" stroke="{colours["back-2"]}" stroke-width="{_number(0.02 * w)}"/>'
        + f'<rect x="{_number(inner)}" y="{_number(inner)}" width="{_number(right - left)}" '
        f'height="{_number(span)}" rx="{_number(0.05 * w)}" fill="none" '
        f'stroke="{colours["back-line"]}"/>'
    )


def _cut(x0: float, y0: float, x1: float, y1: float, left: float, right: float) -> str:
    # A slanted line of the lattice, cut to the frame at its left and right edge.
    slope = (y1 - y0) / (x1 - x0)
    ends = sorted(((x0, y0), (x1, y1)))
    (xa, ya), (xb, yb) = ends
    if xb <= left or xa >= right:
        return ""
    if xa < left:
        xa, ya = left, ya + slope * (left - xa)
    if xb > right:
        xb, yb = right, yb - slope * (xb - right)
    return f"M{_number(xa)} {_number(ya)}L{_number(xb)} {_number(yb)}"


# ---------------------------------------------------------------- pictures


def _picture(width: float, height: float, label: str, parts: Sequence[str], most: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(width)} '
        f'{_number(height)}" width="100%" style="display:block;max-width:{_number(most)}px;'
        f'height:auto" role="img" aria-label="{escape(label, quote=True)}">{"".join(parts)}</svg>'
    )


def _placed(inner: str, x: float, y: float) -> str:
    return f'<g transform="translate({_number(x)} {_number(y)})">{inner}</g>'


def _mat(width: float, height: float, theme: Theme) -> str:
    size = f'width="{_number(width)}" height="{_number(height)}"'
    return f'<rect {size} rx="14" fill="{PALETTE[theme]["mat"]}"/>'


def card_svg(
    card: str,
    *,
    width: float = 72,
    theme: Theme = "light",
    jokers: Sequence[str] = JOKERS,
    label: str = "",
) -> str:
    """Draw one card, ``width`` pixels wide; ``label`` is its name for screen readers.

    Raises ``NotationError`` if the text is not exactly one card.
    """
    found = faces(card)
    if len(found) != 1:
        raise NotationError(
            f"expected one card, got {len(found)} in {card[:40]!r}",
            key="error.cards.one",
            field="card",
            expected="one card",
            got=card,
        )
    drawn = _card(found[0], width, theme, jokers)
    return _picture(width, width * _ASPECT, label or found[0].text, [drawn], width)


def back_svg(*, width: float = 72, theme: Theme = "light", label: str = "") -> str:
    """Draw the back of a card, ``width`` pixels wide."""
    return _picture(width, width * _ASPECT, label, [_back(width, theme)], width)


@dataclass(frozen=True, slots=True)
class Group:
    """Cards of a lane that belong together.

    Attributes:
        cards: card text in drawing order.
        label: words under the bracket; with none there is no bracket.
        dashed: whether the bracket is dashed (kickers) instead of solid (main part).
    """

    cards: str
    label: str = ""
    dashed: bool = False


def _offsets(cards: Sequence[Face], step: float, near: float) -> list[float]:
    # Left edges in card widths: equal ranks stand `near` apart, different ones `step`.
    xs = [0.0]
    for before, after in pairwise(cards):
        xs.append(xs[-1] + (near if before.rank == after.rank else step))
    return xs


def lane_svg(
    groups: Sequence[Group],
    *,
    width: float = 510,
    card: float = 58,
    theme: Theme = "light",
    jokers: Sequence[str] = JOKERS,
    label: str = "",
) -> str:
    """Draw cards on a lane of mat, each group with a bracket and its words below.

    Args:
        groups: from left to right; empty ones are left out.
        width: of the lane in pixels; the picture shrinks with its container.
        card: widest a card may be; cards get narrower where the lane is full.
        label: the whole for screen readers; by default the cards and words in order.
    """
    colours = PALETTE[theme]
    shown = [(group, faces(group.cards)) for group in groups if group.cards]
    pad, between = 16.0, 0.25
    for step, near in ((1.07, 0.33), (0.62, 0.33), (0.42, 0.3)):
        rows = [_offsets(cards, step, near) for _, cards in shown]
        units = sum(xs[-1] + 1 for xs in rows) + between * max(0, len(rows) - 1)
        w = min(card, (width - 2 * pad) / units) if rows else card
        if w >= min(card, 44):
            break
    bracketed = any(group.label for group, _ in shown)
    height = 2 * pad + w * _ASPECT + (_BRACKET if bracketed else 0)
    parts = [_mat(width, height, theme)]
    left = (width - units * w) / 2 if rows else 0.0
    for (group, cards), xs in zip(shown, rows, strict=True):
        for face, x in zip(cards, xs, strict=True):
            parts.append(_placed(_card(face, w, theme, jokers), left + x * w, pad))
        right = left + (xs[-1] + 1) * w
        if group.label:
            parts.append(_bracket(left, right, pad + w * _ASPECT + 8, group, colours, width))
        left = right + between * w
    words = ", ".join(
        "".join(face.text for face in cards) + (f" ({group.label})" if group.label else "")
        for group, cards in shown
    )
    return _picture(width, height, label or words, parts, width)


def _bracket(
    left: float, right: float, y: float, group: Group, colours: Mapping[str, str], width: float
) -> str:
    dash = ' stroke-dasharray="5 4"' if group.dashed else ""
    a, b, low = _number(left + 1), _number(right - 1), _number(y + 7)
    # Words are about as wide as their characters; keep them inside the lane.
    half = sum(14.0 if ord(c) > 0x2E7F else 7.5 for c in group.label) / 2
    at = min(max((left + right) / 2, half + 8), width - half - 8)
    more = f' font-family="{_TEXT_FONT}"'
    return (
        f'<path d="M{a} {_number(y)}V{low}H{b}V{_number(y)}" fill="none" '
        f'stroke="{colours["mat-ink"]}" stroke-width="2"{dash}/>'
        + _text(at, y + 26, 14, group.label, colours["mat-ink"], more)
    )


def combination_svg(
    main: str,
    kickers: str = "",
    *,
    main_label: str = "",
    kickers_label: str = "",
    width: float = 510,
    theme: Theme = "light",
    jokers: Sequence[str] = JOKERS,
    label: str = "",
) -> str:
    """Draw a combination on a lane: main part bracketed solid, kickers a gap away and dashed."""
    groups = [Group(main, main_label), Group(kickers, kickers_label, dashed=True)]
    return lane_svg(groups, width=width, theme=theme, jokers=jokers, label=label)


def hand_svg(
    cards: str,
    *,
    width: float = 720,
    theme: Theme = "light",
    jokers: Sequence[str] = JOKERS,
    label: str = "",
) -> str:
    """Draw a hand as the table does: a fan in which equal ranks stand closer together.

    The geometry is that of the table; where a fan of that width cannot be read the cards overlap
    more and the picture keeps its width.
    """
    hand = faces(cards)
    pad = 16.0
    inside = width - 2 * pad
    changes = sum(a.rank != b.rank for a, b in pairwise(hand))
    same = max(0, len(hand) - 1 - changes)
    w = min(max(56.0, 0.086 * inside), 96.0)
    outer = min(0.66 * w, (inside - w) / max(1.0, changes + 0.62 * same))
    xs = _offsets(hand, outer, 0.62 * outer) if hand else []
    total = xs[-1] + w if xs else 0.0
    height = w * _ASPECT + 2 * pad
    parts = [_mat(width, height, theme)]
    for face, x in zip(hand, xs, strict=True):
        left = (width - total) / 2 + x
        parts.append(_placed(_card(face, w, theme, jokers), left, pad))
    words = " ".join(face.text for face in hand)
    return _picture(width, height, label or words, parts, width)


def fan_svg(
    cards: str = "D♠2♥A♦K♠Q♠J♣10",
    *,
    card: float = 104,
    spread: float = 54,
    theme: Theme = "light",
    jokers: Sequence[str] = JOKERS,
    label: str = "",
) -> str:
    """Draw cards spread in an arc, without a mat, for the start page.

    Args:
        cards: from left to right; each lies over the one before.
        card: width of a card in pixels.
        spread: angle between the first and the last card in degrees.
    """
    hand = faces(cards)
    w, h = card, card * _ASPECT
    radius = 5.1 * w
    step = spread / max(1, len(hand) - 1)
    angles = [step * (place - (len(hand) - 1) / 2) for place in range(len(hand))]
    corners = [
        (
            radius * sin(radians(a)) + dx * cos(radians(a)) - dy * sin(radians(a)),
            -radius * cos(radians(a)) + dx * sin(radians(a)) + dy * cos(radians(a)),
        )
        for a in angles
        for dx in (-w / 2, w / 2)
        for dy in (-h / 2, h / 2)
    ]
    margin = 4.0
    low_x = min((x for x, _ in corners), default=0.0) - margin
    low_y = min((y for _, y in corners), default=0.0) - margin
    width = max((x for x, _ in corners), default=0.0) + margin - low_x
    height = max((y for _, y in corners), default=0.0) + margin - low_y
    parts = []
    for face, angle in zip(hand, angles, strict=True):
        x = radius * sin(radians(angle)) - low_x
        y = -radius * cos(radians(angle)) - low_y
        parts.append(
            f'<g transform="translate({_number(x)} {_number(y)}) rotate({_number(angle)}) '
            f'translate({_number(-w / 2)} {_number(-h / 2)})">{_card(face, w, theme, jokers)}</g>'
        )
    return _picture(width, height, label or " ".join(f.text for f in hand), parts, width)
