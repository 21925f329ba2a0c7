"""The claims that a lesson or a term is built on, with their verdicts as far as there are any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from ddz_core import claims
from pages._kit import session, shell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pages._kit.shell import House

COLOURS = {"proven": "blue", "supported": "blue", "depends": "orange", "refuted": "orange"}
PAGE = "claims"


@st.cache_data(max_entries=6)
def _rows(lang: str) -> dict[str, dict[str, Any]]:
    """Return every claim as plain values by id."""
    return {row.claim.id: row.plain(lang) for row in claims.table()}


def draw(house: House, ids: Sequence[str]) -> None:
    """Draw the claims of these ids, each with its verdict and the way to its experiment."""
    rows = _rows(house.lang)
    known = [rows[one] for one in ids if one in rows]
    if not known:
        return
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for row in known:
            badge = ""
            if row["deals"] or row["verdict"] in ("proven", "not_testable"):
                colour = COLOURS.get(row["verdict"], "gray")
                badge = f":{colour}-badge[{say('claims.verdict.' + row['verdict'])}]"
            title = say("lesson.claim", claim=row["title"])
            st.markdown(f"{shell.plain(title)} {badge}", width="content")
            link(house, row["id"])


def link(house: House, claim_id: str) -> None:
    """Draw the way to a claim's experiment, where the laboratory has a page."""
    if not any(PAGE in pages for pages in shell.GROUPS.values()):
        return
    query = {"claim": claim_id, session.LANG: house.lang, session.RULES: house.rules}
    label = house.words.say("lesson.claim.open", id=claim_id)
    st.page_link(f"pages/{PAGE}.py", label=label, query_params=query)
