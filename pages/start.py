"""Start: one click from here to a first guided game."""

from __future__ import annotations

import streamlit as st

from ddz_core.render import cards
from pages._kit import resume, shell

shell.page_guard()
house = shell.house("start")
say = house.words.say

with st.container(key="mat"):
    left, right = st.columns([12, 13], vertical_alignment="center")
    with left:
        st.title(say("app.start.headline"), anchor=False)
        st.markdown(say("app.start.lead"))
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            first = f"**{say('app.start.first')}** {say('app.start.first.note')}"
            if st.button(first, type="primary", key="w_first"):
                st.switch_page("pages/table.py", query_params={"guided": "1"})
            resume.link(house)
    with right:
        jokers = (say("table.js.joker_small"), say("table.js.joker_big"))
        theme = "dark" if house.dark else "light"
        fan = cards.fan_svg(theme=theme, jokers=jokers)
        st.image(fan, width="stretch", alt=say("app.start.fan"))

groups = [group for group in shell.GROUPS if shell.pages_of(group)]
for group, column in zip(groups, st.columns(2) * len(groups), strict=False):
    with column, st.container(border=True, key=f"panel_{group}"):
        st.header(say(f"app.group.{group}"), anchor=False)
        st.markdown(say(f"app.group.{group}.what"))
        with st.container(horizontal=True):
            for name in shell.pages_of(group):
                st.page_link(f"pages/{name}.py", label=say(f"app.page.{name}"))
