"""One card changed, and hands dealt to order: what one does with a hand on the bidding page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import cards, changing, explorer
from ddz_core.clauses import kind_ids
from ddz_core.dealing_like import hands_like
from ddz_core.errors import DdzError
from ddz_core.render import wording
from pages._kit import bidding_words, explorer_foot, inputs, session, shell

if TYPE_CHECKING:
    from ddz_core.changing import Change
    from ddz_core.rules import Rules
    from pages._kit.shell import House

LIMIT = 20_000
"""Hands tried for a wish: about a second."""

MOST_POINTS = 19


# --- one card changed ----------------------------------------------------------------------------


def change(house: House, rules: Rules, hand: str) -> None:
    """Draw the panel in which one card is changed for another, and the difference it makes."""
    say = house.words.say
    held = [rank for rank in wording.DISPLAY if rank in hand]
    deck = cards.counts_of(rules.ruleset.deck_cards)
    free = [
        rank
        for rank in wording.DISPLAY
        if rank in cards.LANE and hand.count(rank) < deck[cards.LANE[rank]]
    ]
    with st.container(border=True, key="panel_change"):
        st.html(bidding_words.head(say("bid.change")))
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            out = st.segmented_control(
                say("bid.change.out"),
                held,
                format_func=lambda rank: wording.rank_label(house.words, rank, short=True),
                key=f"w_out_{hand}",
                wrap=True,
            )
            into = st.segmented_control(
                say("bid.change.into"),
                free,
                format_func=lambda rank: wording.rank_label(house.words, rank, short=True),
                key=f"w_into_{hand}",
                wrap=True,
            )
        if not out or not into:
            st.markdown(say("bid.change.pick"))
            return
        if out == into:
            st.markdown(say("bid.change.same"))
            return
        found = _change(rules.id, explorer.overrides_text(rules.overrides), hand, out, into)
        _difference(house, rules, found)


@st.cache_resource(max_entries=200, show_spinner=False)
def _change(rules_id: str, overrides: str, hand: str, out: str, into: str) -> Change:
    rules = explorer.read_overrides(rules_id, overrides)
    return changing.change_card(hand, out, into, rules)


def _difference(house: House, rules: Rules, found: Change) -> None:
    say = house.words.say
    gap = found.win
    low, high, value = (100 * x for x in (gap.low, gap.high, gap.value))
    key = "none" if gap.low <= 0 <= gap.high else "better" if value > 0 else "worse"
    labels = [wording.rank_label(house.words, rank) for rank in (found.out, found.into)]
    text = say(
        f"bid.change.{key}",
        out=labels[0],
        into=labels[1],
        n=f"{abs(value):.1f}",
        low=bidding_words.signed(low, 1),
        high=bidding_words.signed(high, 1),
    )
    st.html(f'<p class="bid-say">{escape(text)}</p>')
    rows = [
        [
            say(f"table.role.{role}"),
            bidding_words.hundred(before.value),
            bidding_words.hundred(after.value),
            bidding_words.signed(100 * gap.value, 1),
            f"{bidding_words.signed(100 * gap.low, 1)} … {bidding_words.signed(100 * gap.high, 1)}",
        ]
        for role, before, after, gap in (
            ("landlord", found.win_before, found.win_after, found.win),
            ("farmer", found.farmer_before, found.farmer_after, found.farmer),
        )
    ]
    head = [
        say("bid.col.role"),
        say("bid.change.before"),
        say("bid.change.after"),
        say("bid.col.change"),
        "95 %",
    ]
    st.html(f'<div class="paili-scroll">{explorer_foot.table(head, rows, strong=3)}</div>')
    st.button(
        say("bid.change.keep", cards=bidding_words.cards(house, found.after)),
        key="w_change_keep",
        type="tertiary",
        on_click=inputs.show,
        args=("cards", found.after, session.CARDS),
    )
    asked = f"{found.before!r}, {found.out!r}, {found.into!r}, rules"
    call = f"change_card({asked}, deals={found.deals}, seed={found.seed})"
    lines = ["from ddz_core.changing import change_card", "", f"print({call})"]
    explorer_foot.foot(
        house,
        "change",
        found.rows(),
        explorer.code_lines(rules, *lines),
        method="sampled",
        n=found.deals,
        seed=found.seed,
        bots=say("table.bot.choice.rule"),
    )


# --- hands to order ------------------------------------------------------------------------------


def like(house: House, rules: Rules) -> None:
    """Draw the builder of wishes in a popover; a hand found goes into the field."""
    say = house.words.say
    with st.popover(
        say("bid.like"), key="w_open_like", type="tertiary", on_change="rerun", width="content"
    ) as shown:
        if not shown.open:
            return
        wish = _wish(house, rules)
        seed = int(st.session_state.get("w_like_seed", 1))
        st.code(_line(rules, wish, seed), language="python", wrap_lines=True)
        st.session_state["w_like_seed"] = seed
        st.number_input(say("bid.like.seed"), min_value=1, max_value=10**9, key="w_like_seed")
        st.button(
            say("bid.like.deal"),
            key="w_like_deal",
            type="primary",
            on_click=_find,
            args=(rules, wish),
        )
        problem = st.session_state.get("w_like_problem")
        if isinstance(problem, DdzError):
            shell.refuse(problem)
        share = st.session_state.get("w_like_share")
        if problem is None and isinstance(share, float):
            st.markdown(say("bid.like.share", share=_one_in(house, share)))


def _one_in(house: House, share: float) -> str:
    say = house.words.say
    if share >= 0.1:
        return say("bid.like.hundred", n=bidding_words.hundred(share))
    return say("bid.like.one_in", n=f"{round(1 / share):,}")


def _wish(house: House, rules: Rules) -> dict[str, object]:
    """Draw the clicks and return the wish as arguments of :func:`hands_like`."""
    say, spec = house.words.say, rules.ruleset.deal
    wish: dict[str, object] = {}
    points = st.slider(
        say("bid.like.points"), 0, MOST_POINTS, (0, MOST_POINTS), key="w_like_points"
    )
    if points != (0, MOST_POINTS):
        wish["points"] = points
    most = min(spec.hand, 14)
    turns = st.slider(say("bid.like.turns"), 1, most, (1, most), key="w_like_turns")
    if turns != (1, most):
        wish["turns"] = turns
    deck = cards.counts_of(rules.ruleset.deck_cards)
    ranks: dict[str, tuple[int, int]] = {}
    chosen = st.pills(
        say("bid.like.ranks"),
        [rank for rank in wording.DISPLAY if rank in cards.LANE and deck[cards.LANE[rank]]],
        format_func=lambda rank: wording.rank_label(house.words, rank, short=True),
        selection_mode="multi",
        key="w_like_ranks",
    )
    for rank in chosen:
        have = deck[cards.LANE[rank]]
        label = say("bid.like.rank", rank=wording.rank_label(house.words, rank))
        low, high = st.select_slider(
            label, range(have + 1), value=(1, have), key=f"w_like_rank_{rank}"
        )
        ranks[rank] = (low, high)
    if ranks:
        wish["ranks"] = ranks
    for name in ("holds", "lacks"):
        kinds = st.multiselect(
            say(f"bid.like.{name}"),
            kind_ids(rules.ruleset),
            format_func=lambda kind: say(f"kind.{kind}"),
            key=f"w_like_{name}",
            placeholder=say("bid.like.any"),
        )
        if kinds:
            wish[name] = kinds
    return wish


def _line(rules: Rules, wish: dict[str, object], seed: int) -> str:
    """Return the Python lines that do the same."""
    arguments = "".join(f", {name}={value!r}" for name, value in wish.items())
    call = f"print(hands_like(rules{arguments}, seed={seed}, limit={LIMIT}).hands[0])"
    return explorer.code_lines(rules, "from ddz_core.dealing_like import hands_like", "", call)


def _find(rules: Rules, wish: dict[str, object]) -> None:
    """Look for a hand; the next press looks with the next seed."""
    seed = int(st.session_state.get("w_like_seed", 1))
    st.session_state["w_like_problem"] = None
    try:
        found = hands_like(rules, **wish, seed=seed, limit=LIMIT)  # type: ignore[arg-type]
    except DdzError as error:
        st.session_state["w_like_problem"] = error
        return
    st.session_state["w_like_seed"] = seed + 1
    st.session_state["w_like_share"] = found.share.value
    inputs.show("cards", found.hands[0], session.CARDS)
