"""The link back to the game that was left: in this session, or kept by the reader's browser."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

import streamlit as st

from pages._kit import session, shell

STORAGE = "paili.game"
"""Where the table keeps the running game in the browser's local storage."""

# The server does not know what a browser keeps; the link is shown by the browser alone.
_LINK = """
<a class="paili-resume" href="{address}" target="_self" style="display: none">{text}</a>
<script>
  try {{
    const kept = localStorage.getItem("{storage}");
    for (const link of document.querySelectorAll(".paili-resume"))
      link.style.display = kept ? "inline" : "none";
  }} catch (refused) {{ /* storage is off: nothing was kept */ }}
</script>
"""


def link(house: shell.House) -> None:
    """Draw a link to the table where there is a game to go on with, else nothing."""
    text = house.words.say("app.start.continue")
    if session.get(session.GAME):
        st.page_link("pages/table.py", label=text)
        return
    asked = {session.LANG: house.lang, session.RULES: house.rules}
    if house.overrides:
        asked[session.HOUSE_RULES] = house.overrides
    address = "table?" + urlencode(asked)
    st.html(
        _LINK.format(address=escape(address), text=escape(text), storage=STORAGE),
        unsafe_allow_javascript=True,
        width="content",
    )
