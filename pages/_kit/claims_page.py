"""The laboratory's two views: all claims with their verdicts, and one claim with its experiment."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import claims
from ddz_core.errors import DdzError
from pages._kit import claims_one, claims_words, explorer_foot, session, shell

if TYPE_CHECKING:
    from ddz_core.claims import Row
    from pages._kit.shell import House

ORDERS = ("subject", "verdict", "effect")
_STYLE = """
[class*="st-key-claim_row_"] { border-bottom: 1px solid %(line)s; padding: .15rem 0; gap: .75rem; }
[class*="st-key-claim_row_"] > :first-child { flex: 1 1 16rem; min-width: 0; }
[class*="st-key-claim_row_"] button { justify-content: flex-start; padding: .3rem .25rem;
  min-height: 2.25rem; text-align: left; }
[class*="st-key-claim_row_"] button * { justify-content: flex-start; text-align: left; }
[class*="st-key-claim_row_"] button div { width: 100%%; }
[class*="st-key-claim_row_"] button p { font-size: 1rem; white-space: normal; text-align: left; }
.paili-verdict { display: inline-block; border: 1.5px solid %(line2)s; border-radius: 8px;
  padding: .1rem .55rem; font-weight: 700; font-size: .9375rem; color: %(ink)s;
  white-space: nowrap; }
.paili-verdict.proven, .paili-verdict.supported { border-color: %(good)s; }
.paili-verdict.refuted { border-color: %(bad)s; border-style: dashed; }
.paili-verdict.depends { border-style: double; border-width: 4px; padding: 0 .45rem; }
.paili-effect { display: inline-block; min-width: 12.5rem; text-align: right; color: %(ink2)s;
  font-size: .9375rem; font-variant-numeric: tabular-nums; }
@media (max-width: 640px) { .paili-effect { min-width: 0; }
  [class*="st-key-claim_row_"] { flex-wrap: wrap; gap: 0 .5rem; padding-bottom: .4rem; } }
"""
_COLOURS = {
    False: {"line": "#DED6C6", "line2": "#857D6D", "ink": "#1C282D", "ink2": "#48565B"}
    | {"good": "#0072B2", "bad": "#C47600"},
    True: {"line": "#313D40", "line2": "#71807C", "ink": "#ECE7DB", "ink2": "#BCC1BB"}
    | {"good": "#4DA3E0", "bad": "#E69F00"},
}


def board(house: House) -> None:
    """Draw the page; while an experiment runs it looks at it three times a second."""
    polling = claims_one.live()
    st.fragment(_board, run_every=0.35 if polling else None)(house, polling=polling)


def _board(house: House, *, polling: bool) -> None:
    explorer_foot.style(house)
    st.html(f"<style>{_STYLE % _COLOURS[house.dark]}</style>")
    asked = st.query_params
    found = None
    if claims_one.CLAIM in asked:
        try:
            found = claims.read_link(dict(asked.items()))
        except DdzError as error:
            shell.refuse(error)
    if found is None:
        _table(house)
    else:
        claims_one.draw(house, *found)
    if claims_one.live() != polling:
        # the timer belongs to the fragment, which only a whole run makes anew
        st.rerun()


def _table(house: House) -> None:
    """Draw claims and verdicts: filters, then a row a claim."""
    say = house.words.say
    explorer_foot.note(say("claims.what"))
    for name, error in claims.errors().items():
        st.warning(shell.plain(f"{name}: {house.words.error(error)}"))
    rows = claims.table()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        groups = st.pills(
            say("claims.filter.group"),
            claims.GROUPS,
            selection_mode="multi",
            format_func=lambda name: say(f"claims.group.{name}"),
            key="w_claim_groups",
        )
        verdicts = st.pills(
            say("claims.filter.verdict"),
            [v for v in claims.VERDICTS if any(row.ruling.verdict == v for row in rows)],
            selection_mode="multi",
            format_func=lambda name: say(f"claims.verdict.{name}"),
            key="w_claim_verdicts",
        )
        order = st.segmented_control(
            say("claims.order"),
            ORDERS,
            format_func=lambda name: say(f"claims.order.{name}"),
            key="w_claim_order",
            default=ORDERS[0],
            required=True,
        )
    shown = [
        row
        for row in rows
        if (not groups or row.claim.group in groups)
        and (not verdicts or row.ruling.verdict in verdicts)
    ]
    if order == "verdict":
        shown.sort(key=lambda row: claims.VERDICTS.index(row.ruling.verdict))
    elif order == "effect":
        shown.sort(key=_size, reverse=True)
    group = ""
    for row in shown:
        if order == "subject" and row.claim.group != group:
            group = row.claim.group
            title = say(f"claims.group.{group}")
            st.html(f'<p class="paili-head" style="margin-top:.75rem">{escape(title)}</p>')
        _row(house, row)
    if not shown:
        st.markdown(say("claims.nothing"))
    code = "from ddz_core import claims\n\nclaims.frame()"
    plain = [row.plain(house.lang) for row in shown]
    explorer_foot.foot(house, "claims", plain, code, method="sampled", seed=1)


def _size(row: Row) -> float:
    """Return how far a claim's first number lies from its line, points last."""
    if row.effect is None or row.cell is None:
        return -1.0
    far = abs(row.effect.value - row.cell.line)
    return far if row.cell.unit != "points" else far / 100


def _row(house: House, row: Row) -> None:
    words, claim = house.words, row.claim
    with st.container(
        horizontal=True, vertical_alignment="center", key=f"claim_row_{claim.id}", gap="small"
    ):
        st.button(
            f"**{claim.id}** {shell.plain(claim.title.of(house.lang))}",
            key=f"w_claim_{claim.id}",
            type="tertiary",
            width="stretch",
            help=shell.plain(claim.wording.of(house.lang)),
            on_click=_open,
            args=(claim.id,),
        )
        st.html(
            f'<span class="paili-effect">{escape(claims_words.effect(words, row))}</span> '
            f"{claims_words.tag(words, row.ruling.verdict)}",
            width="content",
        )


def _open(name: str) -> None:
    for key in list(st.query_params):
        if key not in {session.LANG, session.RULES, session.HOUSE_RULES}:
            del st.query_params[key]
    st.query_params[claims_one.CLAIM] = name
