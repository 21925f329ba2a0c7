"""The rooms of this server, and what a browser remembers of them until it is closed.

Who holds the secret of a room or of a seat in it is in this session, and in a cookie of the
browser's own, so that a reload brings nobody's chair down. The cookie ends with the browser.
"""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import streamlit as st

from ddz_core.classroom import Rooms
from pages._kit import session

if TYPE_CHECKING:
    from pages._kit.shell import House

COOKIE = "paili_class"
ROOM = "room"
"""Parameter of the address that names a room: whoever comes with it is a student."""


@st.cache_resource(show_spinner=False)
def rooms() -> Rooms:
    """Return the rooms of this process."""
    return Rooms()


def mine(side: str) -> tuple[str, str]:
    """Return code and secret that this browser holds as ``coach`` or ``student``; empty if none."""
    kept = session.get(session.SEAT_IN_CLASS)
    if not kept.startswith(f"{side}."):
        kept = st.context.cookies.get(f"{COOKIE}_{side}", "")
    parts = kept.split(".")
    return (parts[1], parts[2]) if len(parts) == 3 and parts[0] == side else ("", "")


def hold(side: str, code: str, secret: str) -> None:
    """Keep code and secret in this session; :func:`remember` tells the browser."""
    session.put(session.SEAT_IN_CLASS, f"{side}.{code}.{secret}" if code else "")


def remember() -> None:
    """Write what this session holds into a cookie of the browser."""
    kept = session.get(session.SEAT_IN_CLASS)
    if kept:
        # Letters, digits, hyphens and underscores between dots: nothing to escape.
        cookie = f"{COOKIE}_{kept.split('.')[0]}={kept}; path=/; SameSite=Strict"
        script = f"<script>document.cookie = {json.dumps(cookie)};</script>"
        st.html(script, unsafe_allow_javascript=True)


def address(house: House, code: str, host: str) -> str:
    """Return the link with which a student joins a room."""
    asked = {ROOM: code, session.LANG: house.lang, session.RULES: house.rules}
    return f"{host}/class?{urlencode(asked)}"


def host() -> str:
    """Return the address under which other machines of the network reach this server.

    A coach who opened the page as ``localhost`` gets the machine's own address in its place.
    """
    parts = urlsplit(st.context.url or "")
    name, port = parts.hostname or "localhost", f":{parts.port}" if parts.port else ""
    if name in {"localhost", "127.0.0.1", "::1", "0.0.0.0"}:  # noqa: S104 (compared, not bound)
        name = _own_address() or name
    return f"{parts.scheme or 'http'}://{f'[{name}]' if ':' in name else name}{port}"


def _own_address() -> str:
    """Return the address of the interface that leads out of this machine; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])
