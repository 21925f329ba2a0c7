"""Simulate a class: `python -m tools.class_of 30` measures what a coach's machine does with it.

Starts a server of its own, opens a room as the coach does, lets students in as their browsers do
(one connection each, looking again as often as the page says), asks, lets everybody choose within
a few seconds, and reveals. Prints how long each choice took to reach the coach's screen and how
long the reveal took to reach each student. Needs nothing but what Streamlit itself installs.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).resolve().parent.parent
WITHIN = 60.0
"""Seconds after which something that does not come is given up."""


class Visitor:
    """One browser: its connection, the widgets that it was sent, what stands on its screen."""

    def __init__(self, port: int, query: str, chance: random.Random) -> None:
        self.chance = chance
        self.address, self.query = f"ws://127.0.0.1:{port}/_stcore/stream", query
        self.widgets: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.fragments: dict[str, str] = {}
        self.texts: dict[str, float] = {}
        self.page = ""
        self.polls: dict[str, float] = {}
        self.done = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self) -> Visitor:
        """Connect and load the page."""
        self.socket = await websockets.connect(
            self.address, subprotocols=[websockets.Subprotocol("streamlit")], max_size=None
        )
        self.tasks.append(asyncio.create_task(self._listen()))
        await self.rerun(page="class")
        self.tasks.append(asyncio.create_task(self._look_again()))
        return self

    async def close(self) -> None:
        """Leave."""
        for task in self.tasks:
            task.cancel()
        await self.socket.close()

    async def rerun(
        self, *, page: str = "", press: str = "", fragment: str = "", wait: bool = True
    ) -> None:
        """Run the page again, or a part of it, with what stands in the fields."""
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string = self.query
        if page:
            asked.page_name = page
        else:
            asked.page_script_hash = self.page
        asked.fragment_id = fragment or self.fragments.get(press, "")
        for label, value in self.values.items():
            if label in self.widgets:
                state = asked.widget_states.widgets.add()
                state.id, state.string_value = self.widgets[label], value
        if press:
            state = asked.widget_states.widgets.add()
            state.id, state.trigger_value = self.widgets[press], True
        if not asked.fragment_id:
            self.polls.clear()
        self.done.clear()
        await self.socket.send(message.SerializeToString())
        if wait:
            await asyncio.wait_for(self.done.wait(), WITHIN)

    async def shows(self, pattern: str, since: float = 0.0) -> float:
        """Wait until a text is on the screen that was sent after a moment; return when it came."""
        end = time.perf_counter() + WITHIN
        while time.perf_counter() < end:
            for text, when in list(self.texts.items()):
                if when >= since and re.search(pattern, text):
                    return when
            await asyncio.sleep(0.02)
        raise TimeoutError(f"{pattern!r} did not come")

    async def _look_again(self) -> None:
        due: dict[str, float] = {}
        while True:
            await asyncio.sleep(0.05)
            now = time.perf_counter()
            for fragment, interval in list(self.polls.items()):
                if now >= due.setdefault(fragment, now + self.chance.random() * interval):
                    due[fragment] = now + interval
                    await self.rerun(fragment=fragment, wait=False)

    async def _listen(self) -> None:
        async for data in self.socket:
            sent = ForwardMsg()
            sent.ParseFromString(bytes(data) if not isinstance(data, str) else data.encode())
            kind = sent.WhichOneof("type")
            if kind == "navigation":
                self.page = sent.navigation.page_script_hash
            elif kind == "auto_rerun":
                self.polls[sent.auto_rerun.fragment_id] = sent.auto_rerun.interval
            elif kind == "script_finished":
                if sent.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    self.done.set()
            elif kind == "delta":
                self._take(sent)

    def _take(self, sent: ForwardMsg) -> None:
        element = sent.delta.new_element
        kind = element.WhichOneof("type")
        if kind in {"text_input", "text_area", "button"}:
            one = getattr(element, kind)
            self.widgets.setdefault(one.label, one.id)
            self.fragments.setdefault(one.label, sent.delta.fragment_id)
        elif kind == "markdown":
            self.texts.setdefault(element.markdown.body, time.perf_counter())
        elif kind == "html":
            self.texts.setdefault(element.html.body, time.perf_counter())
        elif kind == "heading":
            self.texts.setdefault(element.heading.body, time.perf_counter())


async def simulate(students: int, port: int, seed: int) -> tuple[list[float], list[float]]:
    """Play a lesson of one question; return seconds to the coach's screen, and to the students'."""
    chance = random.Random(seed)  # noqa: S311 (a simulation, no secret)
    coach = await Visitor(port, "lang=en&rules=classic", chance).open()
    await coach.rerun(press="Open a room")
    await coach.shows("paili-class-code")
    code = next(
        found[1] for text in coach.texts if (found := re.search(r'class-code">(\w{5})<', text))
    )
    join = f"room={code}&lang=en&rules=classic"
    seats = [await Visitor(port, join, chance).open() for _ in range(students)]
    for number, seat in enumerate(seats, 1):
        seat.values["Your name (may be left empty)"] = f"S{number}"
        await seat.rerun(press="Join")
    fields = {"Question": "What now?", "Choices, one a line; empty asks for a number": "22\npass"}
    for label, value in fields.items():
        coach.values[label] = value
        await coach.rerun()
    asked = time.perf_counter()
    await coach.rerun(press="Ask")
    coach.values.clear()
    await asyncio.gather(*(seat.shows("What now", asked) for seat in seats))

    async def choose(seat: Visitor) -> float:
        await asyncio.sleep(chance.random() * 5)
        began = time.perf_counter()
        await seat.rerun(press=chance.choice(["22", "Pass"]), wait=False)
        return began

    began = sorted(await asyncio.gather(*(choose(seat) for seat in seats)))
    reached = []
    for count, start in enumerate(began, 1):
        # The n-th choice has arrived once the screen counts n choices or more.
        told = "|".join(str(n) for n in range(count, students + 1))
        when = await coach.shows(rf"^(?:{told}) of {students} have chosen")
        reached.append(max(when - start, 0.0))
    shown = time.perf_counter()
    await coach.rerun(press="Reveal")
    seen = await asyncio.gather(*(seat.shows("paili-spread", shown) for seat in seats))
    for seat in (*seats, coach):
        await seat.close()
    return reached, [when - shown for when in seen]


def main() -> None:
    """Run the simulation and print its figures."""
    parser = argparse.ArgumentParser(prog="python -m tools.class_of", description=__doc__)
    parser.add_argument("students", type=int, nargs="?", default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "streamlit_app.py")]
    command += ["--server.port", str(port), "--server.headless", "true"]
    command += ["--server.fileWatcherType", "none", "--browser.gatherUsageStats", "false"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(300):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.1)
            reached, seen = asyncio.run(simulate(given.students, port, given.seed))
        finally:
            server.terminate()
    for name, times in (("choice to coach", reached), ("reveal to student", seen)):
        print(
            f"{name}: n {len(times)}, median {np.median(times):.2f} s, "
            f"95 % {np.percentile(times, 95):.2f} s, most {max(times):.2f} s"
        )


if __name__ == "__main__":
    main()
