"""A sheet to print: the cards of a position or deal, a question, room for answers, the link.

Layer 4. One HTML file without script that carries its pictures in itself. Everything that a coach
wrote is escaped.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import segno

from ddz_core import codes, rulesets
from ddz_core.render import asked_view

if TYPE_CHECKING:
    from ddz_core.game import Game
    from ddz_core.language import Words
    from ddz_core.positions import Position

_STYLE = (
    "@page{margin:16mm}body{font:16px/1.5 system-ui,sans-serif;color:#1C282D;max-width:760px;"
    "margin:0 auto}h1{font:700 26px/1.3 Georgia,serif;margin:0 0 .3em}p{margin:.5em 0 .2em}"
    ".c svg{max-width:100%;height:auto}.l{border-bottom:1px solid #857D6D;height:2.2em}"
    "footer{display:flex;gap:16px;align-items:center;margin-top:24px;break-inside:avoid}"
    "footer svg{width:112px;height:112px;flex:none}small{color:#48565B;overflow-wrap:anywhere}"
    "section{break-inside:avoid}"
)


def sheet(
    words: Words,
    found: Position | Game,
    *,
    title: str = "",
    question: str = "",
    link: str = "",
    seat: int | None = None,
    lines: int = 4,
) -> str:
    """Return the sheet as an HTML page.

    Args:
        words: for the words beside the cards.
        found: what is set up.
        title: heading; left out, the name of the page it comes from.
        question: what is asked; may be empty.
        link: address that opens the same on a screen; drawn as a picture to photograph as well.
        seat: the only hand that is shown, None for all.
        lines: lines to write on.
    """
    parts = []
    for part in asked_view.parts(words, codes.encode(found), seat):
        picture = f'<div class="c">{part.picture}</div>' if part.picture else ""
        parts.append(f"<section><p>{escape(part.text)}</p>{picture}</section>")
    head = escape(title or words.say("setup.sheet.title"))
    rules = escape(
        words.say("setup.sheet.rules", name=rulesets.load(found.rules.id).name_in(words.lang))
    )
    asked = f"<p><b>{escape(question)}</b></p>" if question else ""
    foot = ""
    if link:
        picture = segno.make(link, error="m").svg_inline(scale=3, border=1)
        foot = f"<footer>{picture}<small>{escape(link)}</small></footer>"
    return (
        f'<!doctype html><html lang="{escape(words.lang)}"><meta charset="utf-8">'
        f"<title>{head}</title><style>{_STYLE}</style><h1>{head}</h1><p>{rules}</p>"
        f"{''.join(parts)}{asked}{'<div class=l></div>' * lines}{foot}</html>"
    )
