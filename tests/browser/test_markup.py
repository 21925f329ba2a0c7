"""What a visitor typed is shown letter by letter in the sentence that refuses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import AppServer

TYPED = [
    "**bold** _it_ ~~gone~~ a | b",
    ":red[x] :smile: :material/home:",
    "![x](http://example.org/x.png) [a](http://example.org)",
    "<script>alert(1)</script><b>b</b> &lt;i&gt;",
    "$x^2$ `code` # head",
    "http://example.org www.example.org a@example.org HTTPS://example.org",
    "- -> <- <-> -- >= <= ~=",
    "1. one",
]

SCRIPT = f"""
from ddz_core.errors import DdzError
from pages._kit import session, shell

session.put(session.LANG, "en")
for typed in {TYPED!r}:
    shell.refuse(DdzError("no", key="error.cards.one", got=typed))
"""


def test_refused_input_is_no_markup(
    script_server: Callable[[str], AppServer], visit: Callable[..., object]
) -> None:
    """No sign is read as markup, no address becomes a link, nothing is fetched."""
    page = visit(script_server(SCRIPT).url)
    shown = page.locator("[data-testid=stAlert]")
    texts = [text.replace("\u2060", "").strip() for text in shown.all_inner_texts()]
    assert texts == [f"Expected one card, got {typed}." for typed in TYPED]
    assert shown.locator("a, img, b, i, code, strong, em, script").count() == 0
