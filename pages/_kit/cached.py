"""Every cache of the pages. Arguments are ids, texts and whole numbers, never objects."""

from __future__ import annotations

import streamlit as st

from ddz_core import rulesets


@st.cache_data(max_entries=1)
def ruleset_ids() -> list[str]:
    """Return the ids of the shipped rulesets, in the order they are listed in."""
    return rulesets.ruleset_ids()


@st.cache_data(max_entries=200)
def ruleset_name(ruleset_id: str, lang: str) -> str:
    """Return what a ruleset is called in a language."""
    return rulesets.load(ruleset_id).name_in(lang)
