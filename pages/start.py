"""Start: one click from here to a first guided game."""

from __future__ import annotations

import streamlit as st

from pages._kit import shell

shell.page_guard()
house = shell.house("start")
say = house.words.say

with st.container(key="mat"):
    words, fan = st.columns([11, 13], vertical_alignment="center")
    with words:
        st.title(say("app.start.headline"), anchor=False)
        st.markdown(say("app.start.lead"))
        if st.button(f"**{say('app.start.first')}** {say('app.start.first.note')}", type="primary", key="w_first"):
            st.switch_page("pages/table.py", query_params={"guided": "1"})
