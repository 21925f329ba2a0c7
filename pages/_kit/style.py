"""The few style rules that Streamlit's theme cannot express, and the language of the document.

Colours are those of ``.streamlit/config.toml``; every rule is about an element with a key of
our own, or about one that the theme leaves below the contrast it needs.
"""

from __future__ import annotations

import streamlit as st

from ddz_core.language import LANGUAGES

_MAT = {
    False: {"mat": "#CFDDD3", "line": "#9FB7A8", "ink": "#1C2B26", "ink-2": "#3B4E47"},
    True: {"mat": "#1F302B", "line": "#3F5850", "ink": "#ECE7DB", "ink-2": "#B9C6BF"},
}

_PAGE = """
html[lang="zh-Hant"] .stApp { font-family: -apple-system, BlinkMacSystemFont, "Segoe UI",
  "PingFang TC", "Microsoft JhengHei", "Noto Sans CJK TC", system-ui, sans-serif; }
.st-key-house { min-height: 2.25rem; }
.st-key-house [data-testid="stHeading"] h3 { padding: 0; font-size: 1.3125rem; }
"""

_DARK = """
[data-testid="stButtonGroup"] [aria-checked="true"],
[data-testid="stSliderThumbValue"] { color: #D9A4C5; }
"""

_MAT_RULES = """
.st-key-mat { background: %(mat)s; color: %(ink)s; border-radius: 14px; position: relative;
  padding: 2.25rem 2.75rem; }
.st-key-mat h1 { color: %(ink)s; font-size: 2.625rem; line-height: 1.22; padding: 0 0 .75rem; }
.st-key-mat p { color: %(ink-2)s; }
.st-key-mat a, .st-key-mat a p { color: %(ink)s; font-weight: 600; }
.st-key-mat::before { content: ""; position: absolute; inset: 6px; pointer-events: none;
  border: 1px solid %(line)s; clip-path: none; }
@media (max-width: 640px) {
  .st-key-mat { padding: 1.25rem 1rem; }
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
    rules = _PAGE + _MAT_RULES % _MAT[dark] + (_DARK if dark else "")
    st.html(f"<style>{rules}</style>")
    with st.container(key="document_language"):
        st.html(
            f"<script>document.documentElement.lang = '{lang}'</script>",
            unsafe_allow_javascript=True,
        )
