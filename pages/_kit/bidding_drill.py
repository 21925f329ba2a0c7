"""Judge a hand first, then see: a random hand, a call and a chance stated, all kept."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from ddz_core import bidding, calibration, dealing, explorer
from ddz_core.calibration import Answer
from ddz_core.cards import format_cards, from_cards
from ddz_core.plots import calibration as plot
from pages._kit import bidding_page, bidding_words, explorer_foot, kept_answers, session

if TYPE_CHECKING:
    from ddz_core.bidding import BidReport
    from ddz_core.rules import Rules
    from pages._kit.shell import House

DEALS = 4_000


def draw(house: House, rules: Rules) -> None:
    """Draw the open hand, and what came of all before."""
    left, right = st.columns([1.4, 1], gap="medium")
    with left:
        _question(house, rules)
    with right:
        _kept(house, rules)


def _open() -> tuple[int, str, int]:
    """Return number of the open hand, call and chance stated; no call before that."""
    parts = session.get(session.BID_ASKED).split()
    if not parts or not parts[0].isdigit():
        number = int(np.random.default_rng().integers(1_000_000))
        session.put(session.BID_ASKED, str(number))
        return number, "", 0
    if len(parts) == 3 and parts[2].isdigit():
        return int(parts[0]), parts[1], int(parts[2])
    return int(parts[0]), "", 0


def _question(house: House, rules: Rules) -> None:
    say = house.words.say
    number, call, stated = _open()
    hand = format_cards(from_cards(dealing.deal(rules, seed=number).hands[0]))
    question = bidding.Question.of(hand, rules)
    with st.container(border=True, key="panel_drill"):
        st.html(bidding_words.head(say("bid.drill.ask")))
        with st.container(key="bid_mat"):
            bidding_page.picture(house, hand)
        if not call:
            chosen = st.segmented_control(
                say("bid.drill.call"),
                question.legal,
                format_func=lambda word: bidding_words.call(house, word),
                default=question.legal[0],
                required=True,
                key=f"w_drill_call_{number}",
            )
            st.slider(say("bid.drill.state"), 0, 100, 50, key=f"w_drill_state_{number}")
            st.button(
                say("odds.reveal"),
                key="w_drill_reveal",
                type="primary",
                on_click=_answer,
                args=(rules, number, hand, chosen),
            )
            return
        report = _report(rules, hand)
        _shown(house, report, call, stated)
        st.button(say("bid.drill.next"), key="w_drill_next", type="primary", on_click=_next)
    bidding_page.book(house, rules, hand)


@st.cache_resource(max_entries=200, show_spinner=False)
def _played(rules_id: str, overrides: str, hand: str) -> BidReport:
    return bidding.bid(hand, explorer.read_overrides(rules_id, overrides), deals=DEALS)


def _report(rules: Rules, hand: str) -> BidReport:
    return _played(rules.id, explorer.overrides_text(rules.overrides), hand)


def _answer(rules: Rules, number: int, hand: str, call: str) -> None:
    """Keep what was stated; a second click of the same hand changes nothing."""
    if _open()[1]:
        return
    stated = int(st.session_state.get(f"w_drill_state_{number}", 50))
    session.put(session.BID_ASKED, f"{number} {call} {stated}")
    chance = _report(rules, hand).win.value
    kept = [*kept_answers.answers(session.BIDS), Answer(stated, chance, f"{hand} {call}")]
    session.put(session.BIDS, calibration.answers_text(kept))


def _next() -> None:
    session.put(session.BID_ASKED, "")


def _shown(house: House, report: BidReport, call: str, stated: int) -> None:
    """Say what the deals say of the hand, of the chance stated and of the call chosen."""
    say, win = house.words.say, report.win
    off = stated - 100 * win.value
    key = "none" if win.low <= stated / 100 <= win.high else "high" if off > 0 else "low"
    behind = report.behind[call]
    best = report.best()
    if call in best:
        word = say("bid.drill.right")
    else:
        name = bidding_words.call(house, best[0])
        word = say("bid.drill.behind", call=name, n=f"{behind.value:.2f}")
    st.html(
        f'<div class="bid-row"><p class="bid-big">{escape(bidding_words.hundred(win.value))}</p>'
        f'<div><p class="bid-say">{escape(say("bid.of", n=bidding_words.hundred(win.value)))}</p>'
        f'<p class="paili-note">{escape(bidding_words.interval(house, win))}</p></div></div>'
        f'<p class="bid-say">{escape(say(f"bid.drill.{key}", stated=stated, n=f"{abs(off):.0f}"))}'
        f'</p><p class="bid-say">{escape(word)}</p>'
    )
    rows = [row for row in report.rows() if row["what"] in {"win", "calls", "behind"}]
    code = explorer.code_lines(
        house.game_rules,
        f"print(ddz.bid({report.hand!r}, rules, deals={report.deals}, seed={report.seed}))",
    )
    explorer_foot.foot(
        house,
        "drill",
        rows,
        code,
        method="sampled",
        n=report.deals,
        seed=report.seed,
        bots=say("table.bot.choice.rule"),
    )


def _kept(house: House, rules: Rules) -> None:
    """Draw stated against played chances, and the file that the learner owns."""
    say = house.words.say
    kept = kept_answers.answers(session.BIDS)
    with st.container(border=True, key="panel_kept"):
        st.html(bidding_words.head(say("bid.kept")))
        if not kept:
            st.markdown(say("bid.kept.none"))
        else:
            st.plotly_chart(
                plot.figure(
                    kept,
                    calibration.groups(kept),
                    stated=say("odds.axis.stated"),
                    counted=say("bid.axis.played"),
                    theme=bidding_words.theme(house),
                ),
                theme=None,
                key="w_bids_plot",
                config={"displayModeBar": False},
                alt=say("bid.kept"),
            )
            miss = f"{calibration.mean_miss(kept):.1f}"
            st.markdown(say("odds.kept.read", n=len(kept), miss=miss))
            rows: list[dict[str, object]] = [
                {"hand": one.about, "stated": one.stated / 100, "played": one.chance}
                for one in kept
            ]
            lines = [
                "from pathlib import Path",
                "from ddz_core import calibration",
                "",
                'kept = calibration.read_answers(Path("paili-bids.txt").read_text())',
                "print(len(kept), calibration.mean_miss(kept), calibration.groups(kept))",
            ]
            explorer_foot.foot(
                house,
                "bids-kept",
                rows,
                explorer.code_lines(rules, *lines),
                method="sampled",
                n=DEALS,
                seed=1,
            )
        st.markdown(say("odds.kept.where"))
        kept_answers.file(house, session.BIDS, name="bids", file_name="paili-bids.txt")
