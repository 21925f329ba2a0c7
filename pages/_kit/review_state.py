"""Which game is reviewed, whose seat is looked from, and which decision is open.

All of it stands in the address, so that a link opens the same screen; the session keeps the record
beside it, for what a code does not hold.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import codes, record
from ddz_core.errors import DdzError, RecordError
from ddz_core.game import Game
from pages._kit import house_rules, inputs, session, table_state

if TYPE_CHECKING:
    from ddz_core.review import Review

CODE, SEAT, AT, VIEW = "g", "seat", "i", "v"
"""Parameters of the address: the game's code, the seat, the decision by its place in the history,
one game or several."""
VIEWS = ("one", "many")


@lru_cache(maxsize=128)
def _read(text: str) -> Game:
    return record.read_record(text)


def game() -> Game | None:
    """Return the game under review, or None before there is one."""
    text = session.get(session.REVIEW)
    return _read(text) if text else None


def open_game(found: Game, seat: int | None = None) -> None:
    """Put a game under review, in the session and in the address."""
    session.put(session.REVIEW, record.write_record(found))
    session.put(session.REVIEW_TRY, "")
    house_rules.put(found.rules)
    inputs.address(CODE, codes.encode(found))
    inputs.address(AT, "")
    inputs.address(VIEW, "")
    if seat is None:
        seat = found.landlords[0] if found.landlords else 0
    inputs.address(SEAT, str(seat))


def close() -> None:
    """Leave the game under review."""
    session.put(session.REVIEW, "")
    session.put(session.REVIEW_TRY, "")
    for name in (CODE, AT, SEAT):
        inputs.address(name, "")


def arrive() -> DdzError | None:
    """Settle which game is reviewed when the page is opened: the address first, then the session.

    Returns:
        The error of a code that cannot be read, or of a game that is not finished.
    """
    asked, now = st.query_params, game()
    code = asked.get(CODE, "")
    if not code:
        if now is not None and asked.get(VIEW) != "many":
            inputs.address(CODE, codes.encode(now))
            house_rules.put(now.rules)
        return None
    if now is not None and codes.encode(now) == code:
        house_rules.put(now.rules)
        return None
    seat, at = asked.get(SEAT, ""), asked.get(AT, "")
    try:
        found = codes.decode(code)
        if not isinstance(found, Game):
            raise RecordError(
                "the code is a position's, not a game's",
                key="error.code.not_a_game",
                field="code",
                expected="game",
                got="position",
            )
        check(found)
    except DdzError as error:
        close()
        return error
    good = seat.isascii() and seat.isdigit() and int(seat[:3]) < found.seats
    open_game(found, int(seat) if good else None)
    inputs.address(AT, at)
    return None


def check(found: Game) -> None:
    """Refuse a game that cannot be reviewed.

    Raises:
        RecordError: if it is not finished, or nobody played.
    """
    if found.outcome is None:
        raise RecordError(
            "the game is not finished",
            key="error.review.unfinished",
            field="game",
            expected="settled",
            got=found.phase,
        )
    if not any(entry.phase == "play" for entry in found.history):
        raise RecordError(
            "nobody played a card",
            key="error.review.unplayed",
            field="game",
            expected="play",
            got=found.outcome,
        )


def seat(found: Game) -> int:
    """Return the seat looked from."""
    text = st.query_params.get(SEAT, "")
    if text.isascii() and text.isdigit() and int(text[:3]) < found.seats:
        return int(text[:3])
    return found.landlords[0] if found.landlords else 0


def at(review: Review, mine: int) -> int | None:
    """Return the place in the history of the decision that is open.

    That is the one in the address, else the first turning point of one's own seat, else the first
    of all, else the first decision.
    """
    known = {one.index: one for one in review.decisions}
    text = st.query_params.get(AT, "")
    if text.isascii() and text.isdigit() and int(text[:6]) in known:
        return int(text[:6])
    turned = [review.decisions[place] for place in review.turning]
    own = [one for one in turned if one.seat == mine]
    first = next(iter([*own, *turned, *review.decisions]), None)
    return None if first is None else first.index


def jump(index: int) -> None:
    """Open a decision; for callbacks."""
    inputs.address(AT, str(index))
    session.put(session.REVIEW_STEP, "")


def step() -> tuple[str, int]:
    """Return the line on the board and how many of its actions are done."""
    kept = json.loads(session.get(session.REVIEW_STEP) or "{}")
    return str(kept.get("line", "")), int(kept.get("done", 0))


def put_step(line: str, done: int) -> None:
    """Put a line on the board; for callbacks."""
    session.put(session.REVIEW_STEP, json.dumps({"line": line, "done": done}))


def table_games() -> tuple[list[str], int]:
    """Return the codes of finished games of the table in this session, and the person's seat."""
    table = table_state.current()
    if table is None:
        return [], 0
    found = list(table.past)
    if table.over and table.game.ledger is not None:
        code = codes.encode(table.game)
        found = [one for one in found if one != code] + [code]
    return found, table.seat


def games() -> list[Game]:
    """Return the games of the view of several."""
    kept = json.loads(session.get(session.REVIEWS) or "{}")
    return [_read(text) for text in kept.get("records", [])]


def open_games(found: list[Game]) -> None:
    """Put several games under review; for callbacks."""
    records = [record.write_record(one) for one in found]
    session.put(session.REVIEWS, json.dumps({"records": records}))
    inputs.address(VIEW, "many")
