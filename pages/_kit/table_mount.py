"""The drawn table: the component of the core mounted in a page, and what it sends back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import tabletop
from ddz_core.errors import DdzError
from ddz_core.language import Phrase
from ddz_core.render import contract, table_view
from ddz_core.render.module import SCRIPT, STYLE
from pages._kit import house_rules, resume, session, table_state, table_tools

if TYPE_CHECKING:
    from pages._kit.shell import House

KEY = "table"

_component = st.components.v2.component("paili_table", css=STYLE, js=SCRIPT)


@st.fragment
def board(house: House) -> None:
    """Draw the table of this session, or ask the browser for the game that it kept.

    Only this part of the page runs again when somebody acts at the table.
    """
    theme: contract.Theme = "dark" if house.dark else "light"
    table = table_state.current()
    if table is None:
        data = table_view.waiting(house.words, theme, resume.STORAGE)
    else:
        data = table_view.table_data(table, house.words, theme, resume.STORAGE)
    _component(
        key=KEY, data=data, on_action_change=_acted, on_restore_change=_restored, width="stretch"
    )
    table_tools.bar(house)
    if house_rules.in_force() != house.game_rules:
        st.rerun()


def _acted() -> None:
    """Carry out what the browser sent; a message that is no action leaves a sentence."""
    table = table_state.current()
    if table is None:
        return
    try:
        table_state.act(contract.parse_action(st.session_state[KEY].get("action")))
    except DdzError as error:
        table_state.keep(tabletop.told(table, Phrase(error.key, error.params)))


def _restored() -> None:
    """Take what the browser kept; where that is nothing or unreadable, deal a new game."""
    if table_state.current() is not None:
        return
    note = None
    try:
        sent = contract.parse_restore(st.session_state[KEY].get("restore"))
        if sent["text"]:
            kept, rules = tabletop.restore(sent["text"]), house_rules.in_force()
            if session.get(session.PICKED) and kept.game.rules != rules:
                seat = kept.seat % rules.ruleset.deal.seats
                kept = tabletop.start(rules, seat=seat, settings=kept)
            table_state.keep(tabletop.told(kept, None))
            return
        if not sent["storage"]:
            note = Phrase("table.message.storage")
    except DdzError as error:
        note = Phrase("table.error.save", {"why": Phrase(error.key, error.params)})
    table_state.keep(tabletop.told(tabletop.start(house_rules.in_force()), note))
