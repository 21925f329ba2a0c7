"""The two methods of the book over hundreds of thousands of random hands: the study that ships."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import bookbids, cards, decompose, explorer, study
from ddz_core.errors import DdzError
from ddz_core.plots import bid_study
from pages._kit import bidding_words, cached, explorer_foot, session

if TYPE_CHECKING:
    from ddz_core.rules import Rules
    from ddz_core.study import Methods
    from pages._kit.shell import House

VERDICTS = ("both", "only_points", "only_thumb", "neither")
OPEN = "from ddz_core import study"


def draw(house: House, rules: Rules) -> None:
    """Draw the study, with the reader's hand marked where there is one."""
    say = house.words.say
    found = study.methods()
    name = cached.ruleset_name(str(found.told["rules"]), house.lang)
    st.markdown(
        say("bid.study.what", n=f"{found.hands:,}", rules=name, seed=found.seed)
        + (
            " " + say("bid.study.other")
            if rules.overrides or rules.id != found.told["rules"]
            else ""
        )
    )
    mine = _mine(rules)
    _agreement(house, rules, found)
    left, right = st.columns(2, gap="medium")
    with left:
        _by(house, rules, found, "points", mine)
    with right:
        _by(house, rules, found, "turns", mine)
    _map(house, rules, found, mine)


def _mine(rules: Rules) -> tuple[int, int] | None:
    """Return points and fewest plays of the hand in the field, if it is a whole hand."""
    try:
        hand = cards.parse_cards(session.get(session.CARDS))
        if cards.size_of(hand) != rules.ruleset.deal.hand:
            return None
        return bookbids.points_of(hand), decompose.fewest(hand, rules)
    except DdzError:
        return None


def _foot(
    house: House,
    rules: Rules,
    found: Methods,
    name: str,
    rows: list[dict[str, object]],
    *lines: str,
) -> None:
    explorer_foot.foot(
        house,
        name,
        rows,
        explorer.code_lines(rules, OPEN, "", "found = study.methods()", *lines),
        method="sampled",
        n=found.hands,
        seed=found.seed,
        bots=f"{house.words.say('table.bot.choice.rule')} {found.told['bot_version']}",
    )


def _agreement(house: House, rules: Rules, found: Methods) -> None:
    """Draw how often each method bids, how they agree, and what such hands are worth."""
    say, shares = house.words.say, found.shares()

    def share(name: str) -> str:
        return f"{100 * shares[name].value:.1f} %"

    with st.container(border=True, key="panel_methods"):
        st.html(bidding_words.head(say("bid.study.title")))
        st.html(
            '<div class="bid-three">'
            + "".join(
                f"<div><b>{share(name)}</b>{escape(say(f'bid.study.{name}'))}</div>"
                for name in ("points", "thumb", "agree")
            )
            + "</div>"
        )
        rows, table = [], []
        for verdict in VERDICTS:
            landlord, farmer = (found.chance(role, verdict) for role in ("landlord", "farmer"))
            gain = found.gain(verdict)
            rows.append(
                [
                    say(f"bid.study.{verdict}"),
                    share(verdict),
                    bidding_words.hundred(landlord.value),
                    bidding_words.hundred(farmer.value),
                    bidding_words.signed(gain.value),
                ]
            )
            table.append(
                {
                    "verdict": verdict,
                    "share": shares[verdict].value,
                    "hands": landlord.n,
                    "landlord": landlord.value,
                    "landlord_low": landlord.low,
                    "landlord_high": landlord.high,
                    "farmer": farmer.value,
                    "gain": gain.value,
                    "gain_low": gain.low,
                    "gain_high": gain.high,
                }
            )
        head = [say(f"bid.study.col.{name}") for name in ("verdict", "share", "landlord", "farmer")]
        head.append(say("bid.study.col.gain"))
        st.html(f'<div class="paili-scroll">{explorer_foot.table(head, rows, strong=2)}</div>')
        thumbs = [
            say("bid.study.rule", rule=say(f"bid.rule.{rule}"), share=share(rule))
            for rule in bookbids.RULES
        ]
        st.markdown(" ".join(thumbs))
        st.markdown(_verdict(house, found))
        lines = [
            "print(found.shares())",
            "for verdict in ['both', 'only_points', 'only_thumb', 'neither']:",
        ]
        lines.append("    print(found.chance('landlord', verdict), found.gain(verdict))")
        _foot(house, rules, found, "methods", table, *lines)


def _verdict(house: House, found: Methods) -> str:
    """Return the sentence that reads the table: where landlord is worth more than farmer."""
    say = house.words.say
    better = [v for v in VERDICTS if found.gain(v).low > 0]
    worse = [v for v in VERDICTS if found.gain(v).high < 0]
    parts = []
    for key, names in (("better", better), ("worse", worse)):
        if names:
            words = bidding_words.joined(house, [say(f"bid.study.{name}") for name in names])
            parts.append(say(f"bid.study.{key}", verdicts=words))
    return " ".join(parts)


def _by(house: House, rules: Rules, found: Methods, of: str, mine: tuple[int, int] | None) -> None:
    """Draw the chances to win by points or by fewest plays."""
    say = house.words.say
    landlord, farmer = found.by(of, "landlord"), found.by(of, "farmer")
    marked = None if mine is None else mine[0 if of == "points" else 1]
    with st.container(border=True, key=f"panel_by_{of}"):
        st.html(bidding_words.head(say(f"bid.study.by.{of}")))
        st.plotly_chart(
            bid_study.by_value(
                landlord,
                farmer,
                found.spread(of),
                names=(say("table.role.landlord"), say("table.role.farmer")),
                axis=say(f"bid.axis.{of}"),
                marked=marked,
                line=bookbids.ENOUGH - 0.5 if of == "points" else None,
                theme=bidding_words.theme(house),
            ),
            theme=None,
            key=f"w_by_{of}",
            config={"displayModeBar": False},
            alt=say(f"bid.study.by.{of}"),
        )
        st.markdown(say(f"bid.study.by.{of}.read"))
        rows: list[dict[str, object]] = [
            {
                of: value,
                "hands": found.spread(of)[value],
                "landlord": one.value,
                "landlord_low": one.low,
                "landlord_high": one.high,
                "farmer": farmer[value].value,
                "farmer_low": farmer[value].low,
                "farmer_high": farmer[value].high,
            }
            for value, one in landlord.items()
        ]
        lines = [f"for value, chance in found.by({of!r}, 'landlord').items():"]
        lines.append("    print(value, chance)")
        _foot(house, rules, found, f"by-{of}", rows, *lines)


def _map(house: House, rules: Rules, found: Methods, mine: tuple[int, int] | None) -> None:
    """Draw the chance over points and plays at once."""
    say = house.words.say
    rows = found.grid()
    with st.container(border=True, key="panel_map"):
        st.html(bidding_words.head(say("bid.study.map")))
        with st.container(key="bid_map"):
            st.plotly_chart(
                bid_study.grid(
                    rows,
                    axes=(say("bid.axis.points"), say("bid.axis.turns")),
                    marked=mine,
                    theme=bidding_words.theme(house),
                ),
                theme=None,
                key="w_map",
                config={"displayModeBar": False},
                alt=say("bid.study.map"),
            )
        st.markdown(say("bid.study.map.read"))
        _foot(house, rules, found, "map", rows, "for row in found.grid():", "    print(row)")
