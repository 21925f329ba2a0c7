"""What the review page says of a game: plays, seats, marks and losses in the reader's words."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from ddz_core import tabletop
from ddz_core.actions import PASS
from ddz_core.errors import DdzError
from ddz_core.render import badges, view, wording
from pages._kit import bidding_words

if TYPE_CHECKING:
    from ddz_core.estimate import Estimate
    from ddz_core.game import Game
    from ddz_core.patterns import Combination, Move
    from ddz_core.render.view import View
    from ddz_core.render.wording import RoleName
    from ddz_core.review import Decision, Review
    from pages._kit.shell import House

SYMBOLS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
RUN = 5
"""Cards of a straight that is written with gaps."""
SMALL = 0.005
"""Losses below this are not written as numbers."""

_STYLE = """
.rv-title { display: flex; gap: .6rem; align-items: center; flex-wrap: wrap; }
.rv-title .paili-head { flex: 1 1 12rem; }
.rv-kind { border: 1.5px solid %(line2)s; border-radius: 6px; padding: 0 .5rem; font-weight: 600;
  font-size: .8125rem; color: %(ink)s; white-space: nowrap; }
.rv-two { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin: .25rem 0; }
.rv-box { background: %(sunk)s; border: 1px solid %(line)s; border-radius: 10px;
  padding: .75rem .9rem; }
.rv-box > p { margin: 0; font-size: .9375rem; color: %(ink)s; line-height: 1.45; }
.rv-box > p.q { color: %(ink2)s; }
.rv-box .v { display: flex; gap: .6rem; align-items: center; margin: .4rem 0 .35rem;
  font-size: 1.125rem; font-weight: 700; }
.rv-sign { min-width: 1.9rem; height: 1.9rem; border-radius: 8px; display: inline-grid;
  place-items: center; font-weight: 700; font-size: .9375rem; padding: 0 .3rem; }
.rv-good { background: %(good_tint)s; color: %(good)s; }
.rv-bad { background: %(bad_tint)s; color: %(bad)s; }
.rv-even { background: %(bg)s; color: %(ink2)s; border: 1px solid %(line)s; }
.rv-goodt { color: %(good)s; } .rv-badt { color: %(bad)s; } .rv-event { color: %(ink2)s; }
.rv-say { font-size: 1.0625rem; font-weight: 700; color: %(ink)s; margin: .35rem 0 0; }
.rv-why { margin: .1rem 0 .2rem; padding-left: 1.2rem; color: %(ink)s; }
.rv-why li { margin: 0 0 .15rem; font-size: .9375rem; line-height: 1.5; }
[class*="st-key-rv_rows_"] { gap: 0; }
[class*="st-key-rv_rows_"] button { justify-content: flex-start; padding: .35rem .25rem;
  border-radius: 6px; width: 100%%; border-bottom: 1px solid %(line)s; min-height: 2.5rem; }
[class*="st-key-rv_rows_"] button > div, [class*="st-key-rv_rows_"] button > div > span,
[class*="st-key-rv_rows_"] button [data-testid="stMarkdownContainer"] { width: 100%%; }
[class*="st-key-rv_rows_"] button p { display: flex; gap: .5rem; align-items: center; width: 100%%;
  flex-wrap: wrap; font-variant-numeric: tabular-nums; text-align: left; font-size: .9375rem; }
[class*="st-key-rv_rows_"] button p img { height: 1.5rem !important; max-height: 1.5rem !important;
  margin: 0; }
[class*="st-key-rv_rows_"] button p > code { margin-left: auto; background: none; padding: 0;
  color: %(ink)s; font-family: inherit; font-size: .9375rem; }
[class*="st-key-rv_now_"] button { background: %(tint)s; }
.st-key-rv_head { align-items: flex-end; }
@media (max-width: 640px) { .rv-two { grid-template-columns: 1fr; } }
"""
_COLOURS = {
    False: {"ink": "#1C282D", "ink2": "#48565B", "line": "#DED6C6", "line2": "#857D6D"}
    | {"sunk": "#F1ECE1", "bg": "#FAF7F0", "tint": "#F4E6EF"}
    | {"good": "#0A5E9C", "bad": "#8A5300", "good_tint": "#DFEDF8", "bad_tint": "#FBE9CC"},
    True: {"ink": "#ECE7DB", "ink2": "#BCC1BB", "line": "#313D40", "line2": "#71807C"}
    | {"sunk": "#0D1315", "bg": "#12191B", "tint": "#3A2234"}
    | {"good": "#74BDF4", "bad": "#F2B04B", "good_tint": "#11304A", "bad_tint": "#3D2B0E"},
}

theme = bidding_words.theme
hundred = bidding_words.hundred
signed = bidding_words.signed


def style(house: House) -> str:
    """Return the page's style rules."""
    return _STYLE % _COLOURS[house.dark]


def per_hundred(value: float) -> str:
    """Return a loss of chance as games in a hundred: whole ones, one decimal below ten."""
    number = 100 * value
    if 0 < number < 0.05:
        return "<0.1"
    return f"{number:.1f}".removesuffix(".0") if number < 9.95 else f"{number:.0f}"


class Told:
    """A game under review in words; remembers positions, for it is asked for many."""

    def __init__(self, house: House, game: Game, seat: int, review: Review | None = None) -> None:
        """Look at a finished game from a seat, its review beside it where there is one."""
        self.house, self.game, self.seat, self.review = house, game, seat, review
        self.say = house.words.say
        self._table = tabletop.seated(game, seat=seat)
        self._views: dict[int, View] = {}
        plays = [entry.index for entry in game.history if entry.phase == "play"]
        self.first = plays[0] if plays else len(game.history)

    def view(self, at: int) -> View:
        """Return the open position after so many actions."""
        if at not in self._views:
            self._views[at] = view.of(replace(self._table, at=at), self.house.words)
        return self._views[at]

    def other_view(self, game: Game, *, seat: int | None = None, hidden: bool = False) -> View:
        """Return a position that is none of the game's, open or as a seat sees it."""
        table = tabletop.seated(game, seat=self.seat if seat is None else seat)
        return view.of(replace(table, open_hands=not hidden), self.house.words)

    def number(self, index: int) -> int:
        """Return the number of a play, from 1; 0 or less for what came before the first."""
        return index - self.first + 1

    def role(self, seat: int) -> RoleName:
        """Return a seat's role."""
        return wording.role_of(seat, self.game.landlords, self.game.seats)

    def who(self, seat: int) -> str:
        """Return a seat in words: you, or its role."""
        return self.view(len(self.game.history)).who(seat)

    def badge(self, seat: int) -> str:
        """Return a seat's badge as the address of a picture."""
        return badges.badge_uri(self.role(seat))

    def action(self, text: str, before: Game) -> str:
        """Return an action in words: a play's cards, a pass, a bid."""
        if text == PASS and before.phase == "play":
            return self.say("table.said.pass")
        try:
            after = before.apply(text)
        except DdzError:
            return wording.card_text(self.house.words, text.partition("=")[0])
        entry = after.history[len(before.history)]
        if entry.move is not None:
            return self.cards(entry.move)
        return view.action_text(self.view(self.first), entry)

    def cards(self, play: Combination | Move) -> str:
        """Return a play's cards; those of a long run stand apart, so that they can be read."""
        text = wording.combination_text(self.house.words, play)
        if len(play.main) < RUN or len(set(play.main)) < len(play.main):
            return text
        apart = "\u202f".join(wording.rank_label(self.house.words, c) for c in play.main)
        return text.replace(wording.card_text(self.house.words, play.main), apart, 1)

    def played(self, index: int) -> str:
        """Return the action at a place of the history in words."""
        entry = self.game.history[index]
        return view.action_text(self.view(min(index, self.first)), entry)

    def did(self, decision: Decision) -> str:
        """Return what was done and on what."""
        before = self.view(decision.index).game
        play = self.action(decision.action, before)
        if before.phase != "play":
            return self.say("review.did.other", play=play)
        if before.to_beat is None:
            return self.say("review.did.lead", play=play)
        other = self.cards(before.to_beat)
        if decision.action == PASS:
            return self.say("review.did.pass", other=other)
        return self.say("review.did.cover", play=play, other=other)

    def title(self, decision: Decision) -> str:
        """Return the head of a decision."""
        number = self.number(decision.index)
        key = "review.title" if number > 0 else "review.title.bid"
        return self.say(key, n=number, who=self.who(decision.seat), did=self.did(decision))

    def mark(self, decision: Decision) -> tuple[str, str, str]:
        """Return symbol, word and tone (good, bad, even) of a decision."""
        if decision.label:
            return SYMBOLS[decision.label], self.say(f"review.mark.{decision.label}"), "bad"
        if decision.only and decision.action in decision.open_best:
            return "□", self.say("review.mark.only"), "even"
        joined = self.joined(decision)
        if joined:
            tone = {"unlucky": "good", "lucky": "bad"}.get(joined, "even")
            sign = "✓" if joined == "unlucky" else "×"
            return sign, self.say(f"review.mark.{joined}"), tone
        if decision.known == "right":
            return "✓", self.say("review.mark.right"), "good"
        if decision.known == "wrong":
            return "–", self.say("review.mark.small"), "even"
        return "·", self.say("review.mark.none"), "even"

    def loss(self, decision: Decision) -> str:
        """Return the loss in games of a hundred with half its interval, short."""
        found = decision.loss_win
        if decision.only and not decision.label:
            return self.say("review.curve.solved")
        if found.value < SMALL and found.high < 5 * SMALL:
            return "0"
        if found.method != "sampled":
            return signed(-100 * found.value, 0)
        half = max(found.high - found.value, found.value - found.low)
        value = signed(-100 * found.value, 0)
        nothing = round(100 * found.value) == 0
        return f"{'' if nothing else value} ±{100 * half:.0f}".strip()

    def row(self, decision: Decision) -> str:
        """Return a decision as the label of a button: number, badge, play, mark, loss."""
        sign, word, tone = self.mark(decision)
        number = self.number(decision.index)
        colour = {"good": "blue", "bad": "orange", "even": "gray"}[tone]
        play = _plain(self.action(decision.action, self.view(decision.index).game))
        first = f"{number:2}".replace(" ", "\u2007")  # as wide as a digit
        first = first if number > 0 else self.say("review.short.bid")
        who = _plain(self.who(decision.seat))
        return (
            f"{first} ![{who}]({self.badge(decision.seat)}) {who} **{play}** "
            f":{colour}-badge[{_plain(sign)} {_plain(word)}] `{self.loss(decision)}`"
        )

    def chance(self, win: Estimate) -> float:
        """Return a chance of the landlord's side as that of one's own."""
        return win.value if self.mine_lead else 1 - win.value

    @property
    def mine_lead(self) -> bool:
        """Whether one's own seat is on the landlord's side."""
        return self.seat in self.game.landlords

    def joined(self, decision: Decision) -> str:
        """Return what the two verdicts make together; ``moot`` where all was lost anyway."""
        if decision.joined == "lucky" and decision.solved and self.before(decision) == 0:
            return "moot"
        return decision.joined

    def before(self, decision: Decision) -> float | None:
        """Return the open chance of the deciding side before a decision, where it is known."""
        curve = () if self.review is None else self.review.curve
        found = next((one for one in curve if one.index == decision.index), None)
        if found is None:
            return None
        lead = decision.seat in self.game.landlords
        return found.win.value if lead else 1 - found.win.value


def _plain(text: str) -> str:
    """Return a text so that a button's label shows it letter by letter."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]()#+-.!|~<>:$" else c for c in text)


def sentences(house: House, *parts: str) -> str:
    """Return sentences one after the other; Chinese puts no space between them."""
    return ("" if house.lang.startswith("zh") else " ").join(part for part in parts if part)


def head(text: str, note: str = "") -> str:
    """Return the title of a panel as markup."""
    more = f' <span class="paili-note">{escape(note)}</span>' if note else ""
    return f'<p class="paili-head">{escape(text)}{more}</p>'


def paragraph(text: str) -> str:
    """Return a sentence as markup."""
    return f'<p class="bid-say">{escape(text)}</p>'


def verdict_line(sign: str, tone: str, word: str, text: str) -> str:
    """Return a verdict in one line as markup: its sign, what it is about, a sentence."""
    return (
        f'<div class="rv-box"><div class="v"><span class="rv-sign rv-{tone}">{escape(sign)}</span>'
        f'<span class="rv-{tone}t">{escape(word)}</span></div><p>{escape(text)}</p></div>'
    )
