"""What the bots of the table weigh: the numbers in which the characters differ."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import tabletop

if TYPE_CHECKING:
    from ddz_core.rules import Rules
    from pages._kit.shell import House

_STYLE = """<style>
.paili-weights { border-collapse: collapse; font-size: .8125rem; }
.paili-weights th, .paili-weights td { padding: .3rem .4rem; text-align: right;
  border-bottom: 1px solid rgba(128, 120, 100, .3); font-variant-numeric: tabular-nums; }
.paili-weights th:first-child, .paili-weights td:first-child { text-align: left; }
.paili-weights th { vertical-align: bottom; }
.paili-weights tbody th { font-weight: 400; }
.paili-weights b { font-weight: 700; }
</style>"""


def weights(house: House, rules: Rules) -> None:
    """Draw the weights of the planner and what each character changes of them."""
    say = house.words.say
    table = tabletop.weights(rules.ruleset)
    names = list(next(iter(table.values())))
    with st.expander(say("table.bot.weights")):
        st.caption(say("table.bot.weights.note"))
        heads = [say("table.bot.weights.what"), *(say(f"table.bot.short.{name}") for name in names)]
        head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
        lines = []
        for weight, by in table.items():
            usual = by["rule"]
            cells = [f"<td>{usual:g}</td>"]
            cells += [
                "<td></td>" if by[name] == usual else f"<td><b>{by[name]:g}</b></td>"
                for name in names[1:]
            ]
            label = escape(say(f"bot.weight.{weight}"))
            lines.append(f'<tr><th scope="row">{label}</th>{"".join(cells)}</tr>')
        body = f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody>"
        st.html(
            f'{_STYLE}<div style="overflow-x:auto" tabindex="0">'
            f'<table class="paili-weights">{body}</table></div>'
        )
