"""The few style rules that Streamlit's theme cannot express, and the language of the document.

Colours are those of ``.streamlit/config.toml``; every rule is about an element with a key of
our own, or about one that the theme leaves below the contrast it needs.
"""

from __future__ import annotations

from urllib.parse import quote

import streamlit as st

from ddz_core.language import LANGUAGES

_COLOURS = {
    False: {"mat": "#CFDDD3", "line": "#9FB7A8", "mat_ink": "#1C2B26", "mat_ink2": "#3B4E47"}
    | {"ink": "#1C282D", "ink2": "#48565B"},
    True: {"mat": "#1F302B", "line": "#3F5850", "mat_ink": "#ECE7DB", "mat_ink2": "#B9C6BF"}
    | {"ink": "#ECE7DB", "ink2": "#BCC1BB"},
}

# A hairline square whose corners step inwards twice by 8 px, cut in nine by `border-image`.
_CORNERS = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='60'>"
    "<path fill='none' stroke='{line}' d='M16.5 .5H43.5V8.5H51.5V16.5H59.5V43.5H51.5"
    "V51.5H43.5V59.5H16.5V51.5H8.5V43.5H.5V16.5H8.5V8.5H16.5Z'/></svg>"
)

_LOGO = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='60' viewBox='0 0 {width} 60'>"
    "<rect x='0' y='0' width='60' height='60' rx='14' fill='#7A2E5D'/>"
    "<g fill='none' stroke='#FFFFFF' stroke-width='3.4' stroke-linejoin='round'>"
    "<rect x='13' y='18' width='19' height='26' rx='4' transform='rotate(-9 22 31)'/>"
    "<rect x='29' y='17' width='19' height='26' rx='4' fill='#7A2E5D' transform='rotate(9 38 30)'/>"
    "</g><text x='78' y='44' font-size='38' font-weight='700' fill='{ink}' font-family=\"Georgia,"
    " 'Songti SC', 'Source Han Serif SC', 'Noto Serif CJK SC', serif\">{name}</text></svg>"
)

_PAGE = """
html[lang="zh-Hant"] .stApp { font-family: -apple-system, BlinkMacSystemFont, "Segoe UI",
  "PingFang TC", "Microsoft JhengHei", "Noto Sans CJK TC", system-ui, sans-serif; }
.st-key-house { min-height: 2.25rem; }
.st-key-house h1 { padding: 0; font-size: 1.3125rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-document_language) { display: none; }
[data-testid="stPopoverBody"] { max-height: min(70vh, 40rem) !important; }
.stApp [data-testid="stCaptionContainer"] { opacity: 1; color: %(ink2)s; }
.st-key-house .stMarkdown p { font-size: .875rem; color: %(ink2)s; }
.st-key-house .stButtonGroup button { min-height: 2.25rem; }
.st-key-house .stPopover button { min-height: 2.125rem; padding: 0 .75rem; border-radius: 17px; }
.st-key-house .stPopover button p { white-space: nowrap; }
[class*="st-key-panel_"] { border-radius: 16px; gap: .35rem; padding: 1.1rem 1.25rem; }
[class*="st-key-panel_"] h2 { padding: 0 0 1rem; font-size: 1.125rem; }
[class*="st-key-panel_"] .stMarkdown p { font-size: .9375rem; color: %(ink2)s; }
[class*="st-key-panel_"] a { padding-left: 0; background: none; }
[class*="st-key-panel_"] a p { font-weight: 600; text-decoration: underline; }
@media (max-width: 640px) {
  .st-key-house { gap: .5rem; }
  .st-key-house:has(> * h1) { flex-wrap: nowrap; justify-content: space-between; }
  .st-key-house:has(> * h1) > :has(h1) { flex: 1 0 min-content; width: min-content !important; }
  .st-key-house:has(> * h1) > :has(.stPopover) { flex: 0 1 auto; min-width: 0; }
  .st-key-house:has(> * h1) h1 { margin-right: auto; line-height: 1.15; }
  .st-key-house h1, .st-key-house h1 * { word-break: normal; overflow-wrap: normal; }
  .st-key-house:has(> * h1) .stPopover button { padding: 0 .5rem; gap: 0; }
  .st-key-house:has(> * h1) .stPopover
    button span:has(> [data-testid="stIconMaterial"]):not(:last-child) {
    display: none; }
  .st-key-house:has(> * h1) > :has(.stPopover):last-child { flex: none; }
  .st-key-house:has(> * h1) .stPopover button p { font-size: 0; }
  .st-key-house:has(> * h1) .stPopover button strong { font-size: .8125rem; }
  .st-key-house:has(> * h1) .stPopover
    [data-testid="stIconMaterial"]:not(:last-child) { display: none; }
  .st-key-house [data-testid="stElementContainer"]:has(> .stSpace) { display: none; }
  .st-key-house [data-testid="stElementContainer"]:has(> .stMarkdown) {
    width: 4.5rem; }
}
"""

_DARK = """
.stApp [data-testid="stButtonGroup"] [aria-checked="true"],
.stApp [data-testid="stSliderThumbValue"] { color: #D9A4C5; }
"""

_MAT_RULES = """
.st-key-mat { background: %(mat)s; color: %(mat_ink)s; border-radius: 14px; position: relative;
  padding: 2.5rem 2.75rem; min-height: 22rem; justify-content: center; }
.st-key-mat::before { content: ""; position: absolute; inset: 6px; pointer-events: none;
  border: 20px solid transparent; border-image: url("data:image/svg+xml,%(corners)s") 20; }
.st-key-mat h1 { color: %(mat_ink)s; font-size: 2.625rem; line-height: 1.22; padding: 0 0 .5rem;
  word-break: keep-all; text-wrap: balance; max-width: 12em; }
html:lang(zh) .st-key-mat h1 { max-width: 8em; }
.st-key-mat .stMarkdown p { color: %(mat_ink2)s; font-size: 1.0625rem; }
.st-key-mat .stButton button { padding: .7rem 1.6rem; border-radius: 14px; }
.st-key-mat .stButton button * { text-align: left; }
.st-key-mat .stButton button p { font-size: .875rem; line-height: 1.4; }
.st-key-mat .stButton button strong { display: block; font-size: 1.25rem; }
.st-key-mat [data-testid="stElementToolbar"] { display: none; }
.st-key-mat a, .st-key-mat a p { color: %(mat_ink)s; font-weight: 600; }
@media (max-width: 640px) {
  .st-key-mat { padding: 1.25rem 1rem; min-height: 0; }
  .st-key-mat .stImage { max-width: 17rem; margin: 0 auto; }
  .st-key-mat h1 { font-size: 1.875rem; }
  .st-key-mat::before { display: none; }
}
"""


def apply(lang: str, *, dark: bool) -> None:
    """Give the document its language and the page its rules.

    Args:
        lang: tag of the language in force; other values are refused.
        dark: whether the dark theme is in force.
    """
    if lang not in LANGUAGES:
        raise KeyError(f"{lang!r} is not a language of the catalogues")
    colours = _COLOURS[dark]
    corners = quote(_CORNERS.format(line=colours["line"]), safe="")
    rules = (_PAGE + _MAT_RULES) % {**colours, "corners": corners}
    st.html(f"<style>{rules}{_DARK if dark else ''}</style>")
    with st.container(key="document_language"):
        st.html(
            f"<script>document.documentElement.lang = '{lang}'</script>",
            unsafe_allow_javascript=True,
        )


def logo(name: str, *, dark: bool) -> None:
    """Show the sign of the house, two tilted cards and its name, at the head of the menu.

    Args:
        name: what the house is called in the reader's language; a catalogue text.
        dark: whether the dark theme is in force.
    """
    width = 84 + (40 if ord(name[0]) >= 0x2E80 else 22) * len(name)
    st.logo(_LOGO.format(name=name, width=width, ink=_COLOURS[dark]["ink"]), size="large")
