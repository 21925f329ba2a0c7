"""The bidding page: a hand on the mat, what the book says of it, what playing it out says."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import (
    bidding_deals,
    bidding_games,
    bookbids,
    cards,
    dealing,
    decompose,
    explorer,
)
from ddz_core.bots.rule import POINTS
from ddz_core.cards import format_cards, from_cards
from ddz_core.dealing import check_cards
from ddz_core.errors import DdzError
from ddz_core.render import cards as drawing
from ddz_core.render import wording
from pages._kit import (
    bidding_drill,
    bidding_live,
    bidding_more,
    bidding_study,
    bidding_words,
    explorer_foot,
    explorer_rules,
    inputs,
    session,
    shell,
)

if TYPE_CHECKING:
    from ddz_core.rules import Rules
    from pages._kit.shell import House

VIEWS = ("hand", "drill", "methods")
VIEW = "v"
"""Parameter of the address that says which view is open."""

EXAMPLES = ("345677899TJJQKK2D", "3357899TJQQKA22XD", "3333447788TJQQKK9", "445566778TTJKAA22")


@st.fragment
def board(house: House) -> None:
    """Draw the page; only this part of it runs again when something on it changes."""
    explorer_foot.style(house)
    st.html(f"<style>{bidding_words.style(house)}</style>")
    rules, say = explorer_rules.current(house), house.words.say
    view = st.query_params.get(VIEW, "")
    st.session_state["w_view"] = view if view in VIEWS else VIEWS[0]
    st.segmented_control(
        say("bid.view"),
        VIEWS,
        format_func=lambda name: say(f"bid.view.{name}"),
        key="w_view",
        required=True,
        wrap=True,
        label_visibility="collapsed",
        on_change=_chosen,
    )
    view = st.session_state["w_view"]
    if view == "methods":
        bidding_study.draw(house, rules)
        return
    try:
        bidding_games.check_game(rules.ruleset)
        if view == "drill":
            bidding_deals.check_kernel(rules.ruleset)
    except DdzError as error:
        shell.refuse(error)
        return
    if view == "drill":
        bidding_drill.draw(house, rules)
    else:
        _hand(house, rules)


def _chosen() -> None:
    st.query_params[VIEW] = str(st.session_state["w_view"])


def _hand(house: House, rules: Rules) -> None:
    say, spec = house.words.say, rules.ruleset.deal
    with st.container(border=True, key="panel_entry"):
        entry = inputs.field(
            house, rules, "cards", label=say("bid.type", n=spec.hand), keep=session.CARDS
        )
        with st.container(horizontal=True, gap="small", key="entry_tools"):
            st.button(say("bid.deal"), key="w_deal", on_click=_deal, args=(rules,), type="tertiary")
            bidding_more.like(house, rules)
            st.button(
                say("explorer.clear"),
                key="w_clear",
                on_click=take,
                args=("",),
                type="tertiary",
                disabled=not entry.typed,
            )
    if not entry.typed.strip():
        _examples(house)
        return
    if entry.error is not None:
        return
    try:
        check_cards(rules, [("hand", cards.parse_cards(entry.cards), spec.hand)])
    except DdzError as error:
        st.info(shell.plain(house.words.error(error)), icon=":material/playing_cards:")
        return
    seat, before = _mat(house, rules, entry.cards)
    book(house, rules, entry.cards)
    bidding_live.draw(house, rules, entry.cards, seat, before)
    try:
        bidding_deals.check_kernel(rules.ruleset)
    except DdzError as error:
        st.html(bidding_words.note(house.words.error(error)))
        return
    bidding_more.change(house, rules, entry.cards)


def take(text: str) -> None:
    """Put cards in the field; for callbacks."""
    inputs.show("cards", text, session.CARDS)


def _deal(rules: Rules) -> None:
    """Put a random hand of the game in the field."""
    take(format_cards(from_cards(dealing.deal(rules).hands[0])))


def _examples(house: House) -> None:
    st.markdown(house.words.say("bid.examples"))
    with st.container(horizontal=True, gap="small"):
        for text in EXAMPLES:
            st.button(
                bidding_words.cards(house, text),
                key=f"w_hand_{text}",
                on_click=take,
                args=(text,),
            )


def picture(house: House, hand: str) -> None:
    """Draw a hand on the mat, for wide and for narrow windows."""
    say = house.words.say
    high_first = "".join(sorted(hand, key=wording.DISPLAY.index))
    with st.container(key="bid_wide"):
        st.image(
            drawing.hand_svg(
                high_first,
                width=1040,
                theme=bidding_words.theme(house),
                jokers=(say("table.js.joker_small"), say("table.js.joker_big")),
                label=wording.hand_text(house.words, hand),
            ),
            width="stretch",
            alt=wording.hand_text(house.words, hand),
        )
    with st.container(key="bid_narrow"):
        st.html(bidding_words.columns(house, hand))


def _mat(house: House, rules: Rules, hand: str) -> tuple[int, tuple[str, ...]]:
    """Draw the hand with its place in the bidding, and return that place and the calls before."""
    say, spec = house.words.say, rules.ruleset.deal
    seats = bidding_games.seats_asked(rules.ruleset)
    with st.container(key="bid_mat"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{say('bid.cards', n=spec.hand)}**", width="content")
            seat = st.segmented_control(
                say("bid.seat"),
                seats,
                format_func=lambda number: say(f"bid.seat.{min(number, 3)}"),
                default=0,
                required=True,
                key=f"w_seat_{len(seats)}",
                label_visibility="collapsed",
            )
            choices = bidding_games.calls_before(rules.ruleset, seat)
            before = choices[0]
            if len(choices) > 1:
                before = st.selectbox(
                    say("bid.before"),
                    choices,
                    format_func=lambda calls: bidding_words.joined(
                        house, [bidding_words.call(house, word) for word in calls]
                    ),
                    key=f"w_before_{rules.hash}_{seat}",
                    width=260,
                )
        picture(house, hand)
    return seat, before


def book(house: House, rules: Rules, hand: str) -> None:
    """Draw what the two methods of the book say, side by side."""
    say, ruleset = house.words.say, rules.ruleset
    packed = cards.parse_cards(hand)
    points, thumbs = bookbids.points_of(packed), bookbids.thumbs_of(ruleset, packed)
    by_points, by_thumb = points >= bookbids.ENOUGH, any(one.bids for one in thumbs)
    turns = decompose.fewest(packed, rules)
    tag = say("bid.book.agree" if by_points == by_thumb else "bid.book.differ")
    with st.container(border=True, key="panel_book"):
        st.html(bidding_words.head(say("bid.book"), tag))
        left, right = st.columns(2, gap="medium")
        with left:
            short = bookbids.ENOUGH - points
            verdict = say(
                "bid.points.enough" if by_points else "bid.points.short", n=points, short=short
            )
            st.html(_verdict(house, by_points, verdict, _parts(house, packed)))
            st.html(f'<p class="paili-note">{escape(_shape(house, rules, packed, turns))}</p>')
        with right:
            first = next((one for one in thumbs if one.bids), None)
            why = say(f"bid.thumb.{first.rule}" if first else "bid.thumb.none")
            note = say("bid.thumb.what")
            st.html(_verdict(house, by_thumb, why, note) + _rules(house, thumbs))
        rows: list[dict[str, object]] = [{"method": "points", "value": points, "bids": by_points}]
        rows += [
            {"method": one.rule, "value": f"met {one.met}, exception {one.exception}"}
            | {"bids": one.bids}
            for one in thumbs
        ]
        rows.append({"method": "turns", "value": turns, "bids": ""})
        code = explorer.code_lines(
            rules,
            f"report = ddz.bid({hand!r}, rules, deals=100)",
            "print(report.points, report.thumb, report.turns, report.gaps)",
        )
        explorer_foot.foot(house, "book", rows, code)


def _verdict(house: House, bids: bool, why: str, note: str) -> str:
    word = house.words.say("bid.bid" if bids else "bid.call.pass")
    kind, mark = ("yes", "✓") if bids else ("no", "–")
    return (
        f'<div class="bid-verdict"><span class="bid-mark {kind}">{mark}</span>'
        f'<p class="bid-say"><span class="bid-{kind}">{escape(word)}</span> · {escape(why)}</p>'
        f'<p class="paili-note">{escape(note)}</p></div>'
    )


def _parts(house: House, hand: cards.Hand) -> str:
    """Return how the points add up."""
    say, counts = house.words.say, cards.counts_of(hand)
    parts = [
        say(
            "bid.part",
            rank=wording.rank_label(house.words, cards.RANKS[lane]),
            n=counts[lane],
            points=worth * counts[lane],
        )
        for lane, worth in sorted(POINTS.items(), reverse=True)
        if counts[lane]
    ]
    return bidding_words.joined(house, parts) if parts else say("bid.part.none")


def _shape(house: House, rules: Rules, hand: cards.Hand, turns: int) -> str:
    say = house.words.say
    gaps = bookbids.gaps_of(rules.ruleset, hand)
    missing = " ".join(wording.rank_label(house.words, rank) for rank in gaps)
    text = say("bid.shape.gaps", ranks=missing) if gaps else say("bid.shape.whole")
    return say("bid.shape", n=turns, gaps=text)


def _rules(house: House, thumbs: tuple[bookbids.Thumb, ...]) -> str:
    """Return every rule of thumb as met or not, with its exception."""
    say, lines = house.words.say, []
    for one in thumbs:
        mark = "✓" if one.bids else "–"
        state = "met" if one.met else "unmet"
        text = f"<b>{escape(say(f'bid.rule.{one.rule}'))}</b> {escape(say(f'bid.{state}'))}"
        but = say(f"bid.exception.{one.rule}")
        if one.met and one.rule != "three_twos":
            but += " " + say("bid.exception.yes" if one.exception else "bid.exception.no")
        kind = "yes" if one.bids else "no"
        lines.append(
            f'<li><span class="bid-{kind}">{mark}</span><span>{text}'
            f"<small>{escape(but)}</small></span></li>"
        )
    return f'<ul class="bid-rules">{"".join(lines)}</ul>'
