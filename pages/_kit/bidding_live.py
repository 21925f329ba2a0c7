"""The part of the bidding page that is played out: run beside the page, shown as it grows."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import bidding_deals, bottoms, explorer
from ddz_core.errors import DdzError
from ddz_core.plots import bid_calls, bid_chance
from pages._kit import bidding_bottom, bidding_words, explorer_foot, jobs, session, shell

if TYPE_CHECKING:
    from ddz_core.bidding import BidReport
    from ddz_core.rules import Rules
    from pages._kit.shell import House

SEED = 1
DEALS = (10_000, 40_000, 160_000)
GAMES = (1_000,)
"""Deals where whole games are played."""


def steps(rules: Rules) -> tuple[int, ...]:
    """Return how many deals are played at first, and then on request."""
    return GAMES if bidding_deals.kernel_lacks(rules.ruleset) else DEALS


def draw(house: House, rules: Rules, hand: str, seat: int, before: tuple[str, ...]) -> None:
    """Start what is not yet running, and draw how it stands."""
    asked: list[object] = [rules.hash, hand, seat, list(before)]
    kept = json.loads(session.get(session.BID) or "{}")
    first = steps(rules)[0]
    deals = kept.get("deals", first) if kept.get("asked") == asked else first
    look = jobs.runner().look(kept.get("job", ""))
    if kept.get("asked") != asked or look.state in {"unknown", "abandoned"}:
        start(rules, hand, seat, before, asked, deals)
        kept = json.loads(session.get(session.BID) or "{}")
        look = jobs.runner().look(kept.get("job", ""))
    drawn = st.fragment(_watch, run_every=0.4 if look.live else None)
    drawn(house, rules, hand, asked, kept.get("job", ""), look.live)


def start(
    rules: Rules,
    hand: str,
    seat: int,
    before: tuple[str, ...],
    asked: list[object],
    deals: int,
) -> None:
    """Send a hand to be played out, instead of the one before."""
    kept = json.loads(session.get(session.BID) or "{}")

    def work():  # noqa: ANN202 - a generator of running results
        return bottoms.looks(hand, rules, seat, before=before, deals=deals, seed=SEED)

    try:
        job = jobs.runner().start(work, total=deals, instead_of=kept.get("job", ""))
    except jobs.Busy:
        st.toast(shell.words().say("surgeon.race.busy"))
        job = ""
    session.put(session.BID, json.dumps({"job": job, "asked": asked, "deals": deals}))


def _watch(
    house: House, rules: Rules, hand: str, asked: list[object], job: str, was_live: bool
) -> None:
    """Draw the panels; runs by itself while the deals are played."""
    say = house.words.say
    look = jobs.runner().look(job)
    if was_live and not look.live:
        st.rerun()
    if look.state == "failed":
        if isinstance(look.error, DdzError):
            shell.refuse(look.error)
        else:
            st.error(say("bid.failed"))
        return
    found = look.result
    if look.live:
        done = found.report.deals if found else 0
        with st.container(horizontal=True, vertical_alignment="center", key="bid_progress"):
            text = say("bid.running", n=f"{done:,}", of=f"{look.total:,}")
            if look.ahead:
                text = say("bid.waiting", n=look.ahead)
            st.progress(min(1.0, done / max(1, look.total)), text if found else say("bid.first"))
            st.button(
                say("surgeon.race.stop"),
                key="w_bid_stop",
                on_click=jobs.runner().cancel,
                args=(job,),
            )
    if found is None:
        if not look.live:
            st.markdown(say("bid.stopped"))
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _chance(house, rules, found.report, live=look.live)
    with right:
        _calls(house, rules, found.report, live=look.live)
    if not look.live:
        _more(house, rules, hand, asked, found.report)
    if not found.report.games:
        bidding_bottom.panel(house, rules, found, live=look.live)


def _more(house: House, rules: Rules, hand: str, asked: list[object], report: BidReport) -> None:
    """Offer a longer run of the same hand."""
    further = next((n for n in steps(rules) if n > report.deals), None)
    if further is not None:
        st.button(
            house.words.say("bid.more", n=f"{further:,}"),
            key="w_bid_more",
            type="tertiary",
            on_click=start,
            args=(rules, hand, report.seat, report.before, asked, further),
        )


def _chance(house: House, rules: Rules, report: BidReport, *, live: bool) -> None:
    """Draw the chance to win as landlord, and as farmer beside it."""
    say, win = house.words.say, report.win
    with st.container(border=True, key="panel_chance"):
        st.html(bidding_words.head(say("bid.chance")))
        if not win.n:
            st.markdown(say("bid.never"))
            return
        number = bidding_words.hundred(win.value)
        note = bidding_words.interval(house, win)
        if report.percentile is not None:
            strong = bidding_words.hundred(report.percentile.value)
            note += " · " + say("bid.percentile", n=strong)
        st.html(
            f'<div class="bid-row"><p class="bid-big">{escape(number)}</p>'
            f'<div><p class="bid-say">{escape(say("bid.of", n=number))}</p>'
            f'<p class="paili-note">{escape(note)}</p></div></div>'
        )
        theme = bidding_words.theme(house)
        if live:
            st.vega_lite_chart(
                bid_chance.running(win, axis=say("bid.axis.win"), theme=theme),
                key="w_chance_running",
                theme=None,
            )
        else:
            even = report.break_even
            line = say("bid.even", n=bidding_words.hundred(even.value)) if even else ""
            st.plotly_chart(
                bid_chance.figure(win, even, axis=say("bid.axis.win"), line=line, theme=theme),
                theme=None,
                key="w_chance_plot",
                config={"displayModeBar": False},
                alt=say("bid.of", n=bidding_words.hundred(win.value)),
            )
            if not report.games:
                st.markdown(_reading(house, report))
        farmer = report.win_farmer
        if farmer.n:
            st.markdown(
                say(
                    "bid.farmer",
                    n=bidding_words.hundred(farmer.value),
                    interval=bidding_words.interval(house, farmer),
                )
            )
        st.html(bidding_words.note(say("bid.simulated.games" if report.games else "bid.simulated")))
        line = f"report = ddz.bid({report.hand!r}, rules, {_place(report)})"
        code = explorer.code_lines(
            rules,
            line,
            "print(report.win, report.win_farmer, report.percentile, report.break_even)",
        )
        rows = [row for row in report.rows() if row["what"] in {"win", "percentile", "break_even"}]
        _foot(house, "chance", rows, code, report, win.n)


def _place(report: BidReport) -> str:
    before = f"before={list(report.before)!r}, " if report.before else ""
    return f"{report.seat}, {before}deals={report.deals}, seed={report.seed}"


def _foot(
    house: House, name: str, rows: list[dict[str, object]], code: str, report: BidReport, n: int
) -> None:
    explorer_foot.foot(
        house,
        name,
        rows,
        code,
        method="sampled",
        n=n,
        seed=report.seed,
        bots=house.words.say("table.bot.choice.rule"),
    )


def _reading(house: House, report: BidReport) -> str:
    """Return the sentence that reads the chance against the line of break-even."""
    say, top = house.words.say, list(report.calls)[-1]
    even = report.break_even
    if even is None or top == "pass":
        return say("bid.read.none")
    word = bidding_words.call(house, top)
    if report.win.low > even.high:
        return say("bid.read.right", call=word)
    return say("bid.read.left" if report.win.high < even.low else "bid.read.across", call=word)


def _calls(house: House, rules: Rules, report: BidReport, *, live: bool) -> None:
    """Draw what each call is worth under the objective chosen."""
    say = house.words.say
    with st.container(border=True, key="panel_calls"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(bidding_words.head(say("bid.calls")))
            st.space("stretch")
            aim = st.segmented_control(
                say("bid.aim"),
                ["points", "win"],
                format_func=lambda name: say(f"bid.aim.{name}"),
                default="points",
                required=True,
                key="w_aim",
                label_visibility="collapsed",
            )
        points = aim == "points"
        values = report.calls if points else report.calls_win
        gains = report.gains if points else report.gains_win
        best = report.best(aim)
        scale, digits = (1.0, 2) if points else (100.0, 1)
        if report.used < 2:
            st.markdown(say("bid.calls.none"))
            return
        if live or "pass" not in values:
            rows = [
                [
                    bidding_words.call(house, call),
                    bidding_words.signed(scale * value.value, digits),
                    f"± {scale * (value.high - value.value):.{digits}f}",
                ]
                for call, value in values.items()
            ]
            st.html(explorer_foot.table([say("bid.col.call"), say(f"bid.aim.{aim}"), "95 %"], rows))
            if not live and len(values) > 1:
                st.markdown(_verdict(house, gains, best))
        else:
            st.plotly_chart(
                bid_calls.figure(
                    values,
                    gains,
                    best,
                    base="pass",
                    name=lambda word: bidding_words.call(house, word),
                    line=say("bid.as_pass"),
                    scale=scale,
                    theme=bidding_words.theme(house),
                ),
                theme=None,
                key=f"w_calls_plot_{aim}",
                config={"displayModeBar": False},
                alt=say("bid.calls"),
            )
            st.markdown(_verdict(house, gains, best))
        if points and report.raises:
            _raises(house, report)
        how = "bid.calls.how" if points else "bid.calls.how.win"
        st.html(bidding_words.note(say("bid.calls.games" if report.games else how)))
        code = explorer.code_lines(
            rules,
            f"report = ddz.bid({report.hand!r}, rules, {_place(report)})",
            "for row in report.rows():",
            "    print(row)",
            "print(report.best())",
        )
        kinds = {"calls", "calls_win", "gains", "gains_win", "behind", "behind_win", "raises"}
        shown = [row for row in report.rows() if row["what"] in kinds]
        _foot(house, "calls", shown, code, report, report.used)


def _verdict(house: House, gains: dict[str, object], best: tuple[str, ...]) -> str:
    """Return the sentence that reads the calls, from their paired differences alone."""
    say = house.words.say
    named = [bidding_words.call(house, call) for call in best]
    if len(best) == 1:
        return say("bid.best.pass") if best[0] == "pass" else say("bid.best.one", call=named[0])
    text = say("bid.best.many", calls=bidding_words.joined(house, named))
    if gains and "pass" not in best and all(gains[call].low > 0 for call in best):  # type: ignore[attr-defined]
        text += " " + say("bid.best.beat")
    return text


def _raises(house: House, report: BidReport) -> None:
    """Draw what raising the own stake is worth as a farmer."""
    say = house.words.say
    rows = [
        [
            f"×{call[1:]}",
            bidding_words.signed(value.value),
            f"{bidding_words.signed(value.low)} … {bidding_words.signed(value.high)}",
        ]
        for call, value in report.raises.items()
    ]
    st.html(explorer_foot.table([say("bid.raises"), say("bid.aim.points"), "95 %"], rows, strong=1))
