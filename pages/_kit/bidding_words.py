"""Numbers and marks of the bidding page in the reader's words, and its few style rules."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ddz_core.render import wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ddz_core.estimate import Estimate
    from ddz_core.plots.template import Theme
    from pages._kit.shell import House

_STYLE = """
.bid-big { font-size: 2.75rem; font-weight: 700; line-height: 1.1; color: %(ink)s;
  font-variant-numeric: tabular-nums; margin: 0; }
.bid-tag { font-size: .8125rem; vertical-align: 2px; margin-left: .4rem; font-family:
  -apple-system, BlinkMacSystemFont, "Segoe UI", "PingFang SC", "Noto Sans CJK SC", sans-serif; }
.bid-columns { display: grid; gap: 2px; align-items: end; margin: .4rem 0 .2rem;
  grid-template-columns: repeat(var(--n), minmax(0, 1fr)); font-weight: 700; color: #1C282D;
  font-family: "Avenir Next", "Helvetica Neue", "Segoe UI", Arial, sans-serif; }
.bid-columns > span { display: flex; flex-direction: column; }
.bid-columns i { font-style: normal; text-align: center; background: %(paper)s; line-height: 1.3;
  border: 1px solid #A89F8D; font-size: 1.125rem; border-radius: 5px 5px 0 0; border-bottom: 0;
  letter-spacing: -.06em; overflow: hidden; }
.bid-columns i:last-child { min-height: 3.4rem; border-bottom: 1px solid #A89F8D;
  border-radius: 5px; padding-top: .15rem; }
.bid-columns i + i { border-radius: 5px; }
.bid-columns small { display: block; font-size: .8125rem; line-height: 1.15; letter-spacing: 0; }
.bid-row { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; }
.bid-say { font-size: 1rem; color: %(ink)s; margin: 0; }
.bid-verdict { display: grid; grid-template-columns: 2.2rem 1fr; gap: .1rem .75rem;
  align-items: start; }
.bid-mark { grid-row: span 2; width: 2.1rem; height: 2.1rem; border-radius: 9px; font-weight: 700;
  display: grid; place-items: center; }
.bid-mark.yes { background: %(good_tint)s; color: %(good)s; }
.bid-mark.no { background: %(bad_tint)s; color: %(bad)s; }
.bid-yes { color: %(good)s; font-weight: 700; }
.bid-no { color: %(bad)s; font-weight: 700; }
.bid-rules { list-style: none; padding: 0; margin: .4rem 0 0; font-size: .9375rem; color: %(ink)s; }
.bid-rules li { padding: .3rem 0; border-top: 1px solid %(line)s; display: grid; margin: 0;
  grid-template-columns: 1.5rem 1fr; }
.bid-rules small { color: %(ink2)s; font-size: .875rem; display: block; }
.bid-three { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr));
  gap: .5rem 1.5rem; margin: 0 0 .5rem; }
.bid-three b { font-size: 1.5rem; font-variant-numeric: tabular-nums; margin-right: .6rem; }
.st-key-panel_methods .paili-table th.n { white-space: normal; min-width: 4.5rem; }
.st-key-bid_mat { background: %(mat)s; border-radius: 14px; padding: .9rem 1.1rem .5rem; }
.st-key-bid_mat .stMarkdown p, .st-key-bid_mat label p { color: %(mat_ink)s; }
.st-key-bid_mat button[kind="tertiary"] p, .st-key-bid_mat [data-testid="stPopover"] button p {
  color: %(mat_ink)s; }
.st-key-bid_narrow { display: none; }
[data-testid="stLayoutWrapper"]:has(> .st-key-bid_narrow) { display: none; }
.st-key-bid_mat [data-testid="stElementToolbar"] { display: none; }
@media (max-width: 640px) {
  .st-key-panel_methods .paili-table { min-width: 30rem; }
  .st-key-bid_map { overflow-x: auto; }
  .st-key-bid_map > div { min-width: 620px; }
  .st-key-bid_mat { padding: .6rem .3rem .3rem; }
  .st-key-bid_wide, [data-testid="stLayoutWrapper"]:has(> .st-key-bid_wide) { display: none; }
  .st-key-bid_narrow, [data-testid="stLayoutWrapper"]:has(> .st-key-bid_narrow) {
    display: block; }
}
"""
_COLOURS = {
    False: {"ink": "#1C282D", "ink2": "#48565B", "line": "#DED6C6", "good": "#0A5E9C"}
    | {"bad": "#8A5300", "good_tint": "#DFEDF8", "bad_tint": "#FBE9CC"}
    | {"mat": "#CFDDD3", "mat_ink": "#1C2B26", "paper": "#FFFEFA"},
    True: {"ink": "#ECE7DB", "ink2": "#BCC1BB", "line": "#313D40", "good": "#74BDF4"}
    | {"bad": "#F2B04B", "good_tint": "#11304A", "bad_tint": "#3D2B0E"}
    | {"mat": "#1F302B", "mat_ink": "#ECE7DB", "paper": "#EAE4D6"},
}


def style(house: House) -> str:
    """Return the page's style rules."""
    return _STYLE % _COLOURS[house.dark]


def theme(house: House) -> Theme:
    """Return the theme that drawings and plots are made for."""
    return "dark" if house.dark else "light"


def call(house: House, word: str) -> str:
    """Return a call in words: pass, a bid, or a factor of the stake."""
    if word.isdecimal():
        return house.words.say("bid.call", n=word)
    if word.startswith("x") and word[1:].isdecimal():
        return f"×{word[1:]}"
    return house.words.say(f"bid.call.{word}")


def hundred(value: float) -> str:
    """Return a chance as a whole number in a hundred, never a sure one where it is not."""
    if 0 < value < 0.005:
        return "<1"
    return ">99" if 0.995 < value < 1 else f"{100 * value:.0f}"


def interval(house: House, found: Estimate) -> str:
    """Return the interval of a chance in words."""
    low, high = hundred(found.low), hundred(found.high)
    return house.words.say("bid.interval", low=low, high=high)


def signed(value: float, digits: int = 2) -> str:
    """Return a number with its sign, a real minus."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "\N{MINUS SIGN}")


def cards(house: House, text: str) -> str:
    """Return cards for reading."""
    return wording.card_text(house.words, text)


def joined(house: House, parts: Sequence[str]) -> str:
    """Return words one after the other."""
    return house.words.say("table.and").join(parts)


def head(text: str, note: str = "") -> str:
    """Return the title of a panel as markup, with a tag beside it."""
    tag = f' <span class="paili-tag bid-tag">{escape(note)}</span>' if note else ""
    return f'<p class="paili-head">{escape(text)}{tag}</p>'


def note(text: str) -> str:
    """Return a quiet line as markup."""
    return f'<p class="paili-note">{escape(text)}</p>'


def columns(house: House, hand: str) -> str:
    """Return a hand as columns of equal ranks, high to low, for narrow windows, as markup."""
    ranks = [rank for rank in wording.DISPLAY if rank in hand]
    drawn = []
    for rank in ranks:
        label = wording.rank_label(house.words, rank, short=True)
        if rank in "XD":
            size = "big" if rank == "D" else "small"
            label = house.words.say(f"table.js.joker_{size}_short")
            star = "\N{BLACK STAR}" if rank == "D" else "\N{WHITE STAR}"
            front = f"{star}<small>{escape(label)}</small>"
        else:
            front = escape(label)
        drawn.append(f"<span>{f'<i>{front}</i>' * hand.count(rank)}</span>")
    name = escape(wording.hand_text(house.words, hand), quote=True)
    return (
        f'<div class="bid-columns" role="img" aria-label="{name}" '
        f'style="--n:{len(ranks)}">{"".join(drawn)}</div>'
    )
