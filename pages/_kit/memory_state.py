"""The game that is drilled, how far it has been shown, and the learner's record; all of it text.

Game, seat, seed and number of ranks stand in the address too, so that a link opens the same drill.
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache

import msgspec
import streamlit as st

from ddz_core import codes, imports, memory
from ddz_core.errors import DdzError, RecordError
from ddz_core.game import Game
from ddz_core.memory import Mark, Progress
from ddz_core.observation import Observation, observe
from ddz_core.rules import Rules
from pages._kit import house_rules, inputs, session

CODE, SEAT, SEED, RANKS = "g", "seat", "seed", "n"
"""Parameters of the address: the game's code, the seat, the seed of the stops, the ranks."""

MOST_SEED = 999_999_999


class State(msgspec.Struct, frozen=True):
    """Where the learner is.

    Attributes:
        code: the game's code; empty before there is one.
        seat: the seat looked from.
        seed: of the stops.
        ranks: how many of the highest ranks are asked for.
        due: whether ranks rest that are not due.
        at: actions shown so far.
        stage: ``play``, ``ask`` or ``told``.
        asked: the ranks asked for at this stop.
        said: by rank, the answers at this stop: gone, left.
        right, of: ranks right and asked for in this game.
        own: seed of the next game.
        linked: the code that the address had last; only another one is a link that was followed.
    """

    code: str = ""
    seat: int = 0
    seed: int = 1
    ranks: int = memory.USUAL
    due: bool = False
    at: int = 0
    stage: str = "play"
    asked: tuple[str, ...] = ()
    said: dict[str, tuple[int | None, int | None]] = {}
    right: int = 0
    of: int = 0
    own: int = 1
    linked: str = ""


def state() -> State:
    """Return where the learner is."""
    try:
        return msgspec.json.decode(session.get(session.MEMORY) or "{}", type=State)
    except msgspec.MsgspecError:
        return State()


def put(changed: State) -> None:
    """Keep where the learner is; for callbacks."""
    session.put(session.MEMORY, msgspec.json.encode(changed).decode())


def change(**fields: object) -> None:
    """Change some fields of where the learner is; for callbacks."""
    put(msgspec.structs.replace(state(), **fields))


@lru_cache(maxsize=128)
def _game(code: str) -> Game:
    found = codes.decode(code)
    if not isinstance(found, Game):
        raise RecordError(
            "the code is a position's, not a game's",
            key="error.code.not_a_game",
            field=CODE,
            expected="game",
            got="position",
        )
    memory.check(found)
    return found


def game() -> Game | None:
    """Return the game that is drilled, None before there is one."""
    code = state().code
    try:
        return _game(code) if code else None
    except DdzError:
        return None


def seen(now: State, found: Game) -> Observation:
    """Return what the seat knows at this moment; nothing later enters it."""
    return observe(found.at(now.at), now.seat)


@st.cache_data(max_entries=64)
def _seed_code(rules_id: str, overrides: str, seed: int) -> str:
    return codes.encode(memory.seed_game(house_rules.loaded(rules_id, overrides), seed))


def open_seed(rules: Rules, overrides: str, turn: int, seed: int) -> None:
    """Open the game that bots play from a seed; for callbacks.

    Args:
        rules: the game.
        overrides: its house rules as text.
        turn: the seat looked from, counted from the landlord.
        seed: of the deal and of the stops.

    Raises:
        RecordError: if no deal of these rules is played out long enough.
    """
    found = _game(_seed_code(rules.id, overrides, seed))
    open_game(found, turn, seed=seed)
    change(own=min(seed + 1, MOST_SEED))


def open_game(found: Game, turn: int, *, seed: int = 1) -> None:
    """Open a finished game; for callbacks.

    Args:
        found: the game.
        turn: the seat looked from, counted from the landlord.
        seed: of the stops.

    Raises:
        RecordError: if it is not finished or too short.
    """
    memory.check(found)
    first = found.landlords[0] if found.landlords else 0
    start((first + turn) % found.seats, found, seed)


def start(seat: int, found: Game, seed: int) -> None:
    """Begin a drill at the first play of a game, looked at from a seat; for callbacks."""
    now = state()
    ranks = min(now.ranks, len(memory.order(found.ruleset)))
    house_rules.put(found.rules)
    put(
        State(
            code=codes.encode(found),
            seat=seat,
            seed=seed,
            ranks=ranks,
            due=now.due,
            at=memory.first(found),
            own=now.own,
            linked=now.linked,
        )
    )


def open_text(text: str, turn: int) -> None:
    """Open the one game of a text; for callbacks.

    Raises:
        RecordError: if it cannot be read, holds several games, or cannot be asked about.
    """
    found = imports.read(text)
    if isinstance(found, list):
        raise RecordError(
            f"expected one game, got {len(found)}",
            key="error.memory.several",
            field="text",
            expected=1,
            got=len(found),
        )
    open_game(found, turn)


def close() -> None:
    """Leave the game; for callbacks."""
    now = state()
    put(State(ranks=now.ranks, due=now.due, own=now.own, linked=now.linked))


def show() -> None:
    """Put game, seat, seed and ranks into the address; the page does so while it runs."""
    now = state()
    change(linked=now.code)
    inputs.address(CODE, now.code)
    inputs.address(SEAT, str(now.seat) if now.code else "")
    inputs.address(SEED, str(now.seed) if now.code else "")
    inputs.address(RANKS, str(now.ranks) if now.ranks != memory.USUAL else "")


def _number(name: str, low: int, high: int, usual: int) -> int:
    """Return a number of the address; without one, the usual.

    Raises:
        RecordError: if it is no number in these bounds.
    """
    text = st.query_params.get(name, "")
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 10 and low <= int(text) <= high):
        raise RecordError(
            f"{name}: expected {low}–{high}, got {text}",
            key="error.odds.count",
            field=name,
            expected=f"{low}–{high}",
            got=text,
        )
    return int(text)


def arrive() -> DdzError | None:
    """Take the drill of the address into the session.

    Returns:
        The error of a game or a number that cannot be used; what was open before then stays.
    """
    asked, now = st.query_params, state()
    code = asked.get(CODE, "")
    if code and code in (now.code, now.linked):
        return None
    if not code:
        if now.code:
            found = game()
            if found is not None:
                house_rules.put(found.rules)
        return None
    try:
        found = _game(code)
        most = len(memory.order(found.ruleset))
        ranks = _number(RANKS, 1, most, min(memory.USUAL, most))
        seat = _number(SEAT, 0, found.seats - 1, found.landlords[0] if found.landlords else 0)
        seed = _number(SEED, 0, MOST_SEED, 1)
    except DdzError as error:
        return error
    change(ranks=ranks)
    start(seat, found, seed)
    return None


# --- moves, stops, answers -----------------------------------------------------------------------


def step() -> None:
    """Show the next action, and stop where the seed says so; for callbacks."""
    now, found = state(), game()
    if found is None or now.at >= len(found.history):
        return
    stop = memory.next_stop(found, now.seed, now.at)
    change(at=now.at + 1, stage="play", said={})
    if stop == now.at + 1:
        ask()


def ask() -> None:
    """Stop here and ask; for callbacks."""
    now, found = state(), game()
    if found is None:
        return
    ranks = memory.asked(found.ruleset, now.ranks, learned(), today(), due=now.due)
    change(stage="ask", asked=ranks, said={})


def answer(said: dict[str, tuple[int | None, int | None]]) -> None:
    """Take the answers of a stop; for callbacks."""
    now, found = state(), game()
    if found is None or now.stage != "ask":
        return
    marks = memory.mark(seen(now, found), now.asked, said)
    kept = memory.answered(learned(), marks, today())
    session.put(session.REMEMBERED, memory.write(kept))
    right = now.right + sum(one.right for one in marks)
    change(stage="told", said=said, right=right, of=now.of + len(marks))


def marks(now: State, found: Game) -> tuple[Mark, ...]:
    """Return the answers of this stop beside the truth."""
    return memory.mark(seen(now, found), now.asked, now.said)


def go_on() -> None:
    """Leave the answers and replay on; for callbacks."""
    change(stage="play", said={})


def again() -> None:
    """Replay the same game from its start with other stops; for callbacks."""
    now, found = state(), game()
    if found is not None:
        start(now.seat, found, (now.seed + 1) % MOST_SEED)


# --- the record ----------------------------------------------------------------------------------


def today() -> str:
    """Return the day, ISO form."""
    return dt.datetime.now(tz=dt.UTC).date().isoformat()


def learned() -> Progress:
    """Return the learner's record; a text that cannot be read has none."""
    return _progress(session.get(session.REMEMBERED))


@lru_cache(maxsize=64)
def _progress(text: str) -> Progress:
    try:
        return memory.read(text)
    except DdzError:
        return Progress()
