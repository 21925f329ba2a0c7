"""Reviews made beside the page: a first look, then the whole; kept for whoever asks again."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import codes
from ddz_core.review import review as make_review
from pages._kit import jobs, session, shell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ddz_core.game import Game
    from ddz_core.review import Review

SEED = 1
SECONDS = 20.0
"""What the whole review of one game may take."""
PASSES: tuple[int | None, ...] = (40, 150, None)
"""Worlds of a comparison in each pass, ever finer; None for as many as the time allows."""
SHARES = (0.0, 0.08, 0.3, 1.0)
"""How far the whole work is before and after each pass."""
_LOOK = 0.1
_KEPT = 40


@dataclass(frozen=True, slots=True)
class Stand:
    """How a review stands.

    Attributes:
        review: what is known.
        share: how far the rest is, 0 to 1.
        whole: whether nothing more comes.
        stopped: whether the reader stopped it.
        cut: whether the finest pass ran out of time.
    """

    review: Review | None = None
    share: float = 0.0
    whole: bool = False
    stopped: bool = False
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """A review as the page finds it: how it stands, whether more comes, and what went wrong."""

    stand: Stand
    live: bool = False
    ahead: int = 0
    error: BaseException | None = None


class _Shelf:
    """Reviews by what was asked, the oldest forgotten first, and what stops those being made."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Stand] = OrderedDict()
        self.stops: dict[str, threading.Event] = {}

    def get(self, key: str) -> Stand | None:
        """Return the review kept for a question."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def drop(self, key: str) -> None:
        """Forget the review of a question."""
        with self._lock:
            self._kept.pop(key, None)

    def put(self, key: str, stand: Stand) -> None:
        """Keep a review."""
        with self._lock:
            self._kept[key] = stand
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)


@st.cache_resource
def shelf() -> _Shelf:
    """Return the reviews of this process."""
    return _Shelf()


def question(game: Game, samples: int = 0) -> str:
    """Return what names a review: the game, its seed, and its time or number of worlds."""
    told = dict(game.headers).get("bidding", "")
    return f"{codes.encode(game)} {SEED} {f'n{samples}' if samples else f's{SECONDS}'} {told}"


def look(game: Game) -> Look:
    """Return how the review of a game stands; it is started if nobody has asked for it yet."""
    key, store = question(game), shelf()
    done = store.get(key)
    if done is not None:
        return Look(done)
    kept = json.loads(session.get(session.REVIEW_JOB) or "{}")
    found = jobs.runner().look(kept.get("job", "")) if kept.get("asked") == key else None
    if found is None or found.state in {"unknown", "abandoned", "cancelled"}:
        start(game)
        kept = json.loads(session.get(session.REVIEW_JOB) or "{}")
        found = jobs.runner().look(kept.get("job", ""))
    stand = found.result or Stand()
    return Look(stand, found.live, found.ahead, found.error)


def start(game: Game) -> None:
    """Send a game to be reviewed, instead of the one before."""
    key, store = question(game), shelf()
    kept = json.loads(session.get(session.REVIEW_JOB) or "{}")
    stop = threading.Event()

    def work() -> Iterator[Stand]:
        try:
            best, cut = Stand(), False
            for samples, part in zip(PASSES, pairwise(SHARES), strict=False):
                for stand in making(game, stop, samples=samples, part=part, before=best.review):
                    yield stand
                    now = stand.review
                if now is not None and _better(now, best.review):
                    best = Stand(now)
                cut = now is not None and not now.complete
                if stop.is_set():
                    break
            best = Stand(best.review, 1.0, whole=True, stopped=stop.is_set(), cut=cut)
            store.put(key, best)
            yield best
        finally:
            stop.set()
            store.stops.pop(key, None)

    store.stops[key] = stop
    try:
        job = jobs.runner().start(work, total=100, instead_of=kept.get("job", ""))
    except jobs.Busy:
        st.toast(shell.words().say("review.busy"))
        job = ""
    session.put(session.REVIEW_JOB, json.dumps({"job": job, "asked": key}))


def _better(new: Review, old: Review | None) -> bool:
    """Tell whether a review says more: one that was cut short may say less than a first look."""
    return old is None or new.complete or len(new.decisions) >= len(old.decisions)


def again(game: Game) -> None:
    """Review a game anew; for callbacks."""
    shelf().drop(question(game))
    start(game)


def cancel(game: Game) -> None:
    """Let the review of a game end with what it has."""
    stop = shelf().stops.get(question(game))
    if stop is not None:
        stop.set()


def making(
    game: Game,
    stop: threading.Event,
    *,
    seconds: float = SECONDS,
    samples: int | None = None,
    part: tuple[float, float] = (0.0, 1.0),
    before: Review | None = None,
) -> Iterator[Stand]:
    """Give how a review stands, again and again, the review itself last.

    Args:
        game: a finished one.
        stop: set, the review ends with what it has.
        seconds: what it may take.
        samples: worlds of a comparison, where the clock is not to be looked at.
        part: of the whole work that this is, as shares.
        before: what was found before, shown until this is done.
    """
    told, made, failed = [0.0], [], []

    def progress(share: float) -> None:
        told[0] = share

    def run() -> None:
        try:
            made.append(
                make_review(
                    game,
                    seed=SEED,
                    seconds=seconds,
                    samples=samples,
                    cancel=stop,
                    progress=progress,
                )
            )
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=run, name="review", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            yield Stand(before, part[0] + (part[1] - part[0]) * told[0])
            thread.join(_LOOK)
    except GeneratorExit:
        stop.set()
        raise
    if failed:
        raise failed[0]
    yield Stand(made[0], part[1])
