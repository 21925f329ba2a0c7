"""The drawn table with an open position on it, for the pages that solve and practise endgames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from ddz_core.errors import DdzError
from ddz_core.render import contract, position_view
from ddz_core.render.module import SCRIPT, STYLE
from pages._kit import shell

if TYPE_CHECKING:
    from collections.abc import Callable

    from ddz_core.render.position_view import Board
    from pages._kit.shell import House

PLAIN = "plain"
"""Parameter of the address that asks for the page without the drawn table."""

_component = st.components.v2.component("paili_position", css=STYLE, js=SCRIPT)


def plain() -> bool:
    """Tell whether the page in words is asked for."""
    return st.query_params.get(PLAIN) == "1"


def refused() -> int:
    """Return how often an action of this session was refused; the browser unlocks by it."""
    return int(st.session_state.get("w_refused", 0))


def refuse() -> None:
    """Count an action that changed nothing; for callbacks."""
    st.session_state["w_refused"] = refused() + 1


def board(house: House, key: str, shown: Board, act: Callable[[contract.Action], None]) -> None:
    """Draw a position: on the table, or in sentences where the plain page is asked for.

    Args:
        house: the reader.
        key: a name of its own on the page.
        shown: what is on the table.
        act: called with what the browser sent, before the page runs again.
    """
    if plain():
        st.text("\n".join(position_view.sentences(house.words, shown.line, shown.hide)))
        for message in shown.messages:
            (st.error if message["tone"] == "error" else st.info)(shell.plain(message["text"]))
        return
    theme: contract.Theme = "dark" if house.dark else "light"
    _component(
        key=key,
        data=position_view.board_data(shown, house.words, theme),
        on_action_change=lambda: _sent(key, len(shown.line.steps), act),
        width="stretch",
    )


def _sent(key: str, number: int, act: Callable[[contract.Action], None]) -> None:
    """Hand on what the browser sent, if it is an action at the position on the table."""
    sent: Any = (st.session_state.get(key) or {}).get("action")
    try:
        action = contract.parse_action(sent)
    except DdzError:
        return
    if action["number"] == number or action["kind"] == "jump":
        act(action)


def switch(page: str, query: dict[str, str]) -> None:
    """Draw the link between the drawn table and the page in words."""
    say = shell.words().say
    other = {} if plain() else {PLAIN: "1"}
    label = say("table.plain.off" if plain() else "table.plain")
    st.page_link(f"pages/{page}.py", label=label, query_params={**query, **other})
