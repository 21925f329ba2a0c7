"""The line under a number: how it was found, then its table, its CSV and the code that gives it.

Shared by the pages that analyse. Every text that did not come from a catalogue is escaped.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import explorer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pages._kit.shell import House

METHODS = ("exact", "solved", "unproven", "sampled")

_STYLE = """
[class*="st-key-foot_"] { border-top: 1px solid %(line)s; padding-top: .35rem; margin-top: .25rem; }
[class*="st-key-foot_"] button { padding: 0 .25rem; min-height: 2rem; color: %(ink2)s; }
[class*="st-key-foot_"] button:hover, [class*="st-key-foot_"] button[aria-expanded="true"] {
  color: %(accent)s; }
[class*="st-key-foot_"] button p { font-size: .8125rem; text-decoration: underline;
  text-underline-offset: 3px; }
[class*="st-key-foot_"] button [data-testid="stIconMaterial"] { display: none; }
.paili-foot { font-size: .8125rem; color: %(ink2)s; display: flex; flex-wrap: wrap;
  gap: .25rem .75rem; align-items: center; font-variant-numeric: tabular-nums; }
.paili-tag { border: 1.5px solid %(line2)s; border-radius: 6px; padding: 0 .5rem; font-weight: 600;
  color: %(ink)s; white-space: nowrap; }
.paili-tag.sampled, .paili-tag.unproven { border-style: dashed; }
.paili-table { width: 100%%; border-collapse: collapse; font-size: .9375rem; color: %(ink)s; }
.paili-table th { font-weight: 400; font-size: .8125rem; color: %(ink2)s; text-align: left;
  padding: .35rem .25rem; border-bottom: 1px solid %(line)s; vertical-align: bottom; }
.paili-table td { padding: .45rem .25rem; border-bottom: 1px solid %(line)s; vertical-align: top; }
.paili-table tr:last-child td { border-bottom: 0; }
.paili-table .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.paili-table .b { font-weight: 700; }
.paili-table .on { background: %(tint)s; color: %(accent)s; font-weight: 700; text-align: center; }
.paili-table .off { text-align: center; color: %(ink2)s; }
.paili-scroll { overflow-x: auto; }
.paili-note { font: 400 .875rem/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "PingFang SC",
  "Microsoft YaHei", "Noto Sans CJK SC", system-ui, sans-serif; color: %(ink2)s; margin: 0; }
.paili-mark { display: inline-block; min-width: 2.1rem; padding: .1rem .4rem; border-radius: 9px;
  background: %(sunk)s; color: %(ink2)s; font-weight: 700; text-align: center;
  margin-right: .5rem; }
[class*="st-key-lane_"] { background: %(mat)s; border-radius: 14px; overflow: hidden; }
[class*="st-key-lane_"] [data-testid="stElementToolbar"] { display: none; }
[class*="st-key-lane_"] .stImage img { display: block; margin: 0 auto; }
[class*="st-key-lane_narrow_"] { display: none; }
@media (max-width: 640px) {
  [class*="st-key-lane_wide_"] { display: none; }
  [class*="st-key-lane_narrow_"] { display: flex; }
  [class*="st-key-foot_"] { flex-wrap: nowrap; gap: .25rem; }
  [class*="st-key-foot_"] [data-testid="stElementContainer"]:has(> .stSpace) { display: none; }
  [class*="st-key-foot_"] > :first-child { flex: 1 1 auto; min-width: 0; }
}
.paili-head { font: 700 1.125rem/1.35 Georgia, "Songti SC", "Songti TC", "Source Han Serif SC",
  "Noto Serif CJK SC", serif; color: %(ink)s; margin: 0; }
"""
_COLOURS = {
    False: {"line": "#DED6C6", "line2": "#857D6D", "ink": "#1C282D", "ink2": "#48565B"}
    | {"tint": "#F4E6EF", "accent": "#7A2E5D", "sunk": "#F1ECE1"}
    | {"mat": "#CFDDD3"},
    True: {"line": "#313D40", "line2": "#71807C", "ink": "#ECE7DB", "ink2": "#BCC1BB"}
    | {"tint": "#3A2234", "accent": "#D9A4C5", "sunk": "#0D1315"}
    | {"mat": "#1F302B"},
}


def style(house: House) -> None:
    """Give the page the rules of tables, tags and feet; once a page."""
    st.html(f"<style>{_STYLE % _COLOURS[house.dark]}</style>")


def foot(
    house: House,
    name: str,
    rows: Sequence[Mapping[str, object]],
    code: str,
    *,
    method: str = "exact",
    n: int = 0,
    seed: int | None = None,
    bots: str = "",
) -> None:
    """Draw the foot of a panel.

    Args:
        house: words of the page.
        name: a name of its own on the page.
        rows: what the table shows and the CSV holds, by column.
        code: Python lines that give the numbers.
        method: ``exact``, ``solved``, ``unproven`` or ``sampled``.
        n: samples, 0 where there are none.
        seed: of the samples.
        bots: who played them, in the reader's words.
    """
    say = house.words.say
    parts = [_tag(say(f"app.foot.{method}"), method)]
    if n:
        parts.append(escape(say("app.foot.n", n=f"{n:,}")))
    if seed is not None:
        parts.append(escape(say("app.foot.seed", seed=seed)))
    if bots:
        parts.append(escape(say("app.foot.bots", bots=bots)))
    parts.append(escape(house.rules_name))
    with st.container(
        horizontal=True, vertical_alignment="center", key=f"foot_{name}", gap="small"
    ):
        st.html(f'<div class="paili-foot"><span>{"</span><span>".join(parts)}</span></div>')
        st.space("stretch")
        with st.popover(
            say("app.foot.table"), key=f"w_foot_table_{name}", type="tertiary", on_change="rerun"
        ) as table:
            if table.open:
                st.dataframe(list(map(dict, rows)), hide_index=True, width="stretch")
        st.download_button(
            say("app.foot.csv"),
            data=explorer.csv_text(rows).encode(),
            file_name=f"paili-{name}.csv",
            mime="text/csv",
            on_click="ignore",
            type="tertiary",
            key=f"w_foot_csv_{name}",
        )
        with st.popover(
            say("app.foot.code"), key=f"w_foot_code_{name}", type="tertiary", on_change="rerun"
        ) as shown:
            if shown.open:
                st.code(code, language="python")


def _tag(text: str, method: str) -> str:
    return f'<span class="paili-tag {method}">{escape(text)}</span>'


def tag(house: House, key: str, *, dashed: bool = False) -> str:
    """Return a small tag as markup, worded from the catalogue."""
    return _tag(house.words.say(key), "sampled" if dashed else "exact")


def note(text: str) -> None:
    """Draw a sentence that explains what stands above it."""
    st.html(f'<p class="paili-note">{escape(text)}</p>')


def scroll(name: str, markup: str) -> None:
    """Draw markup that may be wider than the window, so that keys can move it sideways."""
    st.html(
        f'<div class="paili-scroll" role="region" tabindex="0" aria-label="{escape(name)}">'
        f"{markup}</div>"
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, strong: int = -1) -> str:
    """Return a table as markup: words left, the other columns as numbers right.

    Args:
        head: names of the columns, the first one of words.
        rows: cells in the same order; everything is escaped.
        strong: index of a column in bold.
    """

    def cell(mark: str, i: int, text: str) -> str:
        mark = mark if text else "td"  # a head without words heads nothing
        classes = "n" * (i > 0) + (" b" if i == strong else "")
        return f'<{mark} class="{classes.strip()}">{escape(text)}</{mark}>'

    top = "".join(cell("th", i, text) for i, text in enumerate(head))
    body = "".join(
        "<tr>" + "".join(cell("td", i, text) for i, text in enumerate(row)) + "</tr>"
        for row in rows
    )
    return f'<table class="paili-table"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'
