"""The luck-free puzzle that is open, as texts of the session, and how it stands."""

from __future__ import annotations

import datetime as dt
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
import streamlit as st

from ddz_core import codes, shifting
from ddz_core.errors import DdzError, RecordError
from ddz_core.positions import Position
from ddz_core.puzzles import progress
from ddz_core.shifting import Prover, Puzzle, Refusal, Trial, trial
from pages._kit import house_rules, inputs, session
from pages._kit.solver_state import CODE

if TYPE_CHECKING:
    from ddz_core.puzzles.progress import Progress, Result
    from ddz_core.shifting import Scene

NAME = "z"
"""Parameter of the address that names a puzzle of the collection."""


class Kept(msgspec.Struct, frozen=True):
    """What is open.

    Attributes:
        id: name in the collection, or empty.
        code: code of the open position that a coach made one from, or empty.
        actions: the learner's actions so far.
        helped: whether something was shown, or a wrong play taken back.
        shown: whether the proof is shown.
    """

    id: str = ""
    code: str = ""
    actions: tuple[str, ...] = ()
    helped: bool = False
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Open:
    """An open puzzle: what is kept, the scene, the puzzle or why it is none, how it stands."""

    kept: Kept
    scene: Scene
    made: Puzzle | Refusal
    trial: Trial | None


def kept() -> Kept:
    """Return what is open in this session, nothing if the text cannot be read."""
    try:
        return msgspec.json.decode(session.get(session.LUCKFREE) or "{}", type=Kept)
    except msgspec.MsgspecError:
        return Kept()


def put(changed: Kept) -> None:
    """Keep what is open; for callbacks."""
    session.put(session.LUCKFREE, msgspec.json.encode(changed).decode())


def change(**fields: object) -> None:
    """Change some fields of it; for callbacks."""
    put(msgspec.structs.replace(kept(), **fields))


def show(*, name: str = "", code: str = "") -> None:
    """Open a puzzle of the collection, or one made from a position; nothing closes it."""
    put(Kept(id=name, code=code))
    inputs.address(NAME, name)
    inputs.address(CODE, code)


def arrive() -> DdzError | None:
    """Open what the address names; return what is wrong with it."""
    asked, now = st.query_params, kept()
    name, code = asked.get(NAME, ""), asked.get(CODE, "")
    try:
        if name and name != now.id:
            _shipped(name)
            show(name=name)
        elif code and not name and code != now.code:
            house_rules.put(_position(code).rules)
            show(code=code)
    except DdzError as error:
        show()
        return error
    inputs.address(NAME, kept().id)
    inputs.address(CODE, kept().code)
    return None


def opened() -> Open | None:
    """Return the open puzzle as it stands, or None while the list is shown.

    Raises:
        DdzError: if its position makes no scene; the message says why.
    """
    now = kept()
    if not now.id and not now.code:
        return None
    scene = _scene(now.id, now.code)
    made = _made(now.id, now.code)
    if isinstance(made, Refusal):
        return Open(now, scene, made, None)
    return Open(now, scene, made, _played(now.id, now.code, now.actions))


def _shipped(name: str) -> Puzzle:
    for one in shifting.puzzles():
        if one.id == name:
            return one
    raise RecordError(
        f"there is no luck-free puzzle {name!r}",
        key="error.shifting.unknown",
        field="z",
        expected=shifting.puzzles()[0].id,
        got=name,
    )


def _position(code: str) -> Position:
    found = codes.decode(code)
    if isinstance(found, Position):
        return found
    raise RecordError(
        "the code is a game's, not a position's", key="error.code.not_a_position", field="code"
    )


@lru_cache(256)
def _scene(name: str, code: str) -> Scene:
    return _shipped(name).scene() if name else shifting.scene_of(_position(code))


@st.cache_resource(max_entries=16, show_spinner=False)
def _prover(name: str, code: str) -> tuple[Prover, threading.Lock]:
    """Return the prover of one puzzle, which one thread at a time may use."""
    return Prover(_scene(name, code).rules), threading.Lock()


@lru_cache(256)
def _made(name: str, code: str) -> Puzzle | Refusal:
    if name:
        return _shipped(name)
    prover, lock = _prover(name, code)
    with lock:
        return shifting.puzzle_of(_scene(name, code), prover=prover)


@lru_cache(1_024)
def _played(name: str, code: str, actions: tuple[str, ...]) -> Trial:
    prover, lock = _prover(name, code)
    if actions:
        before = _played(name, code, actions[:-1])
        with lock:
            return trial.act(before, actions[-1], prover)
    with lock:
        return shifting.begin(_scene(name, code), prover)


def right(now: Open) -> tuple[str, ...]:
    """Return the actions that are right for the learner now, as texts; none once it is over."""
    if now.trial is None or now.trial.state is None:
        return ()
    prover, lock = _prover(now.kept.id, now.kept.code)
    with lock:
        return tuple(prover.text(one) for one in prover.right(now.trial.state))


def act(now: Open, action: str) -> None:
    """Carry out an action of the learner's.

    Raises:
        DdzError: if it cannot be; nothing has changed then.
    """
    actions = (*now.kept.actions, action)
    after = _played(now.kept.id, now.kept.code, actions)
    change(actions=actions)
    if after.status == "won" and now.kept.id and after.wrong < 0:
        note("helped" if now.kept.helped or now.kept.shown else "clean")
    elif after.status == "lost" and now.kept.id:
        change(helped=True)
        note("tried")


def back() -> None:
    """Take the learner's last action back; after a wrong one that is help."""
    now = kept()
    change(actions=now.actions[:-1], helped=True)


def solved() -> Progress:
    """Return what was solved so far."""
    try:
        return progress.read(session.get(session.SOLVED))
    except DdzError:
        return progress.Progress()


def note(result: Result) -> None:
    """Keep how the open puzzle went, in the same file as the other puzzles."""
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    after = solved().with_result(kept().id, result, today)
    session.put(session.SOLVED, progress.write(after))
