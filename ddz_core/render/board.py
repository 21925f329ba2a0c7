"""A position of a game as a still board: every seat's cards, what it did last, what lies to beat.

Layer 4, markup with inline style and without script, for pages on which nobody plays. Hidden hands
stay behind the observation of the view's seat; open boards show all.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from ddz_core.actions import PASS
from ddz_core.cards import format_cards
from ddz_core.render import wording
from ddz_core.render.badges import badge_html
from ddz_core.render.cards import PALETTE, Theme
from ddz_core.render.view import View, action_text, last_of

if TYPE_CHECKING:
    from ddz_core.actions import Entry

_RANK_FONT: Final = "'Avenir Next','Helvetica Neue','Segoe UI',Arial,'Noto Sans CJK SC',sans-serif"
_RING: Final = {"light": "#7A2E5D", "dark": "#8E3A6D"}


def board_html(view: View, *, theme: Theme = "light", marked: str = "", caption: str = "") -> str:
    """Draw the position that a view shows.

    Args:
        view: the position, looked at from its table's seat; hands are open where the view says so.
        theme: ``light`` or ``dark``.
        marked: cards of the seat to act that are ringed, as text.
        caption: words above the rows; empty for what is to be beaten and whose turn it is.
    """
    c = PALETTE[theme]
    seats = view.obs.seats
    first = view.obs.landlords[0] if view.obs.landlords else view.game.first
    rows = [
        _row(view, (first + turn) % seats, theme, marked, last=turn == seats - 1)
        for turn in range(seats)
    ]
    head = caption or _head(view)
    return (
        f'<div style="background:{c["mat"]};color:{c["mat-ink"]};border-radius:14px;'
        'padding:10px 14px 6px">'
        f'<div style="font-size:14px;font-weight:600;padding:0 0 4px">{escape(head)}</div>'
        f"{''.join(rows)}</div>"
    )


def _head(view: View) -> str:
    """Return what is to be beaten, or who leads, in words."""
    obs = view.obs
    if obs.to_act is None:
        out = view.game.out
        return view.say("review.board.out", who=view.who(out)) if out is not None else ""
    who = view.who(obs.to_act)
    if obs.phase != "play":
        return view.say("review.board.calls", who=who)
    if obs.to_beat is None or obs.beat_by is None:
        return view.say("review.board.leads", who=who)
    play = wording.combination_text(view.words, obs.to_beat)
    return view.say("review.board.beats", who=who, play=play, other=view.who(obs.beat_by))


def _row(view: View, seat: int, theme: Theme, marked: str, *, last: bool) -> str:
    """Draw one seat: badge and words, cards, what it did last."""
    colours = PALETTE[theme]
    role = wording.role_of(seat, view.obs.landlords, view.obs.seats)
    mine = seat == view.table.seat
    acts = seat == view.obs.to_act
    name = view.who(seat)
    if mine and role not in ("unknown", "farmer"):
        name = f"{name} · {view.say(f'table.role.short.{role}')}"
    count = view.say("review.board.count", n=view.obs.left[seat])
    line = "" if last else f"border-bottom:1px solid {colours['mat-ink-2']}33;"
    ring = f"box-shadow:inset 3px 0 0 {_RING[theme]};" if acts else ""
    done = last_of(view, seat)
    soft = colours["mat-ink-2"]
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:4px 12px;align-items:center;'
        f'padding:7px 0 7px 8px;{line}{ring}">'
        '<div style="display:flex;gap:8px;align-items:center;flex:0 0 9.5em;min-width:9.5em">'
        f'{badge_html(role, 26)}<span style="font-size:14px;line-height:1.25">'
        f"<b>{escape(name)}</b><br/>"
        f'<span style="color:{soft};font-size:13px">{escape(count)}</span>'
        '</span></div><div style="flex:0 1 auto;min-width:6.5em">'
        f"{_done(view, done, theme)}</div>"
        '<div style="flex:1 1 16em;min-width:0">'
        f"{_hand(view, seat, theme, marked)}</div></div>"
    )


def _hand(view: View, seat: int, theme: Theme, marked: str) -> str:
    """Draw the cards of a seat, or say that they are hidden."""
    seen = view.open or seat == view.table.seat
    text = format_cards(view.game.hands[seat]) if seen else ""
    colours = PALETTE[theme]
    if not text:
        left = view.obs.left[seat]
        if not left:
            return ""
        words = escape(view.say("review.board.hidden"))
        return f'<span style="color:{colours["mat-ink-2"]};font-size:14px">{words}</span>'
    return cards_html(view, text, theme=theme, marked=marked if seat == view.obs.to_act else "")


def cards_html(
    view: View, text: str, *, theme: Theme = "light", marked: str = "", order: str = ""
) -> str:
    """Draw cards as a line of small paper cards, equal ranks close together.

    Args:
        view: for the words.
        text: ranks as text.
        theme: ``light`` or ``dark``.
        marked: cards that are ringed, as text.
        order: ranks in the order in which they lie; empty for high to low.
    """
    colours = PALETTE[theme]
    drawn = []
    for rank in order or wording.DISPLAY:
        count, ringed = text.count(rank), marked.count(rank)
        if not count:
            continue
        label = escape(wording.rank_label(view.words, rank, short=True))
        group = "".join(
            f'<span style="display:inline-block;min-width:1.06em;text-align:center;'
            f"background:{colours['card']};color:{colours['card-ink']};"
            f"border:1px solid {colours['card-line']};border-radius:4px;padding:0 2px;"
            f"margin-left:{'0' if place == 0 else '-2px'};"
            + (f"outline:2.5px solid {_RING[theme]};outline-offset:-2px;" if place < ringed else "")
            + f'">{label}</span>'
            for place in range(count)
        )
        drawn.append(f'<span style="white-space:nowrap;margin-right:4px">{group}</span>')
    name = escape(wording.hand_text(view.words, text), quote=True)
    return (
        f'<span role="img" aria-label="{name}" style="font:700 16px/1.5 {_RANK_FONT};'
        f'display:inline-block">{"".join(drawn)}</span>'
    )


def _done(view: View, entry: Entry | None, theme: Theme) -> str:
    """Draw what a seat did last in this trick."""
    if entry is None:
        return ""
    colours = PALETTE[theme]
    if entry.move is None or entry.action == PASS:
        words = escape(action_text(view, entry))
        return f'<span style="color:{colours["mat-ink-2"]};font-size:14px">{words}</span>'
    move = entry.move
    parts = [cards_html(view, move.main, theme=theme, order=_low_to_high(move.main))]
    if move.kickers:
        parts.append(cards_html(view, move.kickers, theme=theme))
    beat = view.obs.to_beat is not None and view.obs.beat_by == entry.seat
    frame = f"outline:3px solid {colours['mat-ink']};outline-offset:3px;border-radius:4px;"
    return (
        f'<span style="display:inline-flex;gap:8px;flex-wrap:wrap;margin:4px 3px;'
        f'{frame if beat else ""}">{"".join(parts)}</span>'
    )


def _low_to_high(main: Sequence[str]) -> str:
    """Return the ranks of a main part once each, as they lie on the table."""
    return "".join(dict.fromkeys(main))
