"""What the bottom cards can bring: counted, and what each event does to the chance to win."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import bidding, explorer
from ddz_core.errors import DdzError
from pages._kit import bidding_words, explorer_foot, inputs, shell

if TYPE_CHECKING:
    from ddz_core.bottoms import BottomSpread, Looked
    from ddz_core.estimate import Estimate
    from ddz_core.rules import Rules
    from pages._kit.shell import House

HEADLINES = ("two", "rocket", "bomb", "joker", "triple", "no_points")
CHOSEN_DEALS = 4_000


def panel(house: House, rules: Rules, found: Looked, *, live: bool) -> None:
    """Draw the panel."""
    say, report = house.words.say, found.report
    with st.container(border=True, key="panel_bottom"):
        st.html(bidding_words.head(say("bid.bottom", n=rules.ruleset.deal.bottom)))
        if not found.rows:
            st.markdown(say("bid.bottom.wait" if live else "bid.stopped"))
            return
        rows = {str(row["event"]): row for row in found.rows}
        shown = [event for event in HEADLINES if event in rows][:3]
        st.html(
            '<div class="bid-three">'
            + "".join(
                f"<div><b>{_percent(rows[event]['chance'])}</b>{escape(name(house, event))}</div>"
                for event in shown
            )
            + "</div>"
        )
        head = [say("bid.col.event"), say("bid.col.chance"), say("bid.col.win")]
        head += [say("bid.col.change"), "95 %"]
        with st.container(key="bid_bottom_table"):
            table = explorer_foot.table(head, [_cells(house, row) for row in found.rows], strong=1)
            st.html(f'<div class="paili-scroll">{table}</div>')
        if found.spread is not None:
            st.markdown(_spread(house, found.spread))
        if not live:
            _given(house, rules, report.hand)
        line = f"for row in bottoms.bottom_rows({report.hand!r}, rules, "
        lines = [
            "from ddz_core import bottoms",
            "",
            f"{line}deals={report.deals}, seed={report.seed}):",
            "    print(row)",
            f"print(bottoms.bottom_spread({report.hand!r}, rules, seed={report.seed}))",
        ]
        ways = next(iter(rows.values()))["of"]
        st.html(
            bidding_words.note(
                say("bid.bottom.how", ways=f"{ways:,}", n=f"{report.deals:,}", seed=report.seed)
            )
        )
        explorer_foot.foot(
            house,
            "bottom",
            [dict(row) for row in found.rows],
            explorer.code_lines(rules, *lines),
            method=str(next(iter(rows.values()))["method"]),
        )


def name(house: House, event: str) -> str:
    """Return an event in words."""
    say = house.words.say
    what, _, number = event.partition(":")
    if what != "turns":
        return say(f"bid.event.{event}")
    change = int(number)
    if change == 0:
        return say("bid.event.same")
    return say("bid.event.fewer" if change > 0 else "bid.event.more", n=abs(change))


def _percent(value: object) -> str:
    chance = 100 * float(str(value))
    return f"{chance:.1f} %" if chance >= 0.1 else "<0.1 %"


def _cells(house: House, row: dict[str, object]) -> list[str]:
    """Return one line of the table."""
    cells = [name(house, str(row["event"])), _percent(row["chance"])]
    if "win" not in row:
        return [*cells, "–", "–", "–"]
    change, low, high = (
        100 * float(str(row[key])) for key in ("change", "change_low", "change_high")
    )
    return [
        *cells,
        bidding_words.hundred(float(str(row["win"]))),
        bidding_words.signed(change, 0),
        f"{bidding_words.signed(low, 0)} … {bidding_words.signed(high, 0)}",
    ]


def _spread(house: House, spread: BottomSpread) -> str:
    return house.words.say(
        "bid.bottom.spread",
        mean=bidding_words.hundred(spread.mean.value),
        low=bidding_words.hundred(spread.low),
        high=bidding_words.hundred(spread.high),
        n=spread.bottoms,
        deals=spread.deals,
    )


def _given(house: House, rules: Rules, hand: str) -> None:
    """Let the reader choose the bottom, and say what the hand is worth with it."""
    say, size = house.words.say, rules.ruleset.deal.bottom
    with st.expander(say("bid.bottom.choose", n=size)):
        entry = inputs.field(
            house, rules, "bottom", label=say("bid.bottom.type", n=size), taken=hand
        )
        if entry.error is not None or not entry.cards:
            return
        try:
            win = with_bottom(rules, hand, entry.cards)
        except DdzError as error:
            shell.refuse(error)
            return
        cards = bidding_words.cards(house, entry.cards)
        text = say("bid.bottom.with", cards=cards, n=bidding_words.hundred(win.value))
        st.html(
            f'<p class="bid-say">{escape(text)} <span class="paili-note">'
            f"{escape(bidding_words.interval(house, win))}</span></p>"
        )
        row: dict[str, object] = {"bottom": entry.cards, "win": win.value}
        row |= {"low": win.low, "high": win.high, "n": win.n, "seed": win.seed}
        call = f"ddz.bid({hand!r}, rules, bottom={entry.cards!r}, deals={win.n}, seed={win.seed})"
        explorer_foot.foot(
            house,
            "given-bottom",
            [row],
            explorer.code_lines(rules, f"print({call}.win)"),
            method="sampled",
            n=win.n,
            seed=win.seed,
            bots=say("table.bot.choice.rule"),
        )


@st.cache_data(max_entries=200, show_spinner=False)
def _win(rules_id: str, overrides: str, hand: str, bottom: str) -> Estimate:
    rules = explorer.read_overrides(rules_id, overrides)
    return bidding.bid(hand, rules, bottom=bottom, deals=CHOSEN_DEALS).win


def with_bottom(rules: Rules, hand: str, bottom: str) -> Estimate:
    """Return the chance to win as landlord with a given bottom.

    Raises:
        HandError: for a bottom that is not of the game's size.
    """
    bidding.Question.of(hand, rules, bottom=bottom)
    return _win(rules.id, explorer.overrides_text(rules.overrides), hand, bottom)
