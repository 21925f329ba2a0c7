"""Fixtures shared by all tests: strict words, a Chromium, a running application."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NO_BROWSER = "no Chromium found: set CHROMIUM to its path, or install the package 'chromium'"

# A missing text or value is an error in tests, in this process and in every server started here.
os.environ["PAILI_STRICT_WORDS"] = "1"

# Time is measured by the bench; a busy machine must not make a law look broken.
settings.register_profile("paili", deadline=None)
settings.load_profile("paili")


def chromium_path() -> str | None:
    """Return the path of a Chromium: the variable CHROMIUM first, then the usual names."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named if Path(named).is_file() else None
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start one headless browser for the whole run; skip where there is none."""
    path = chromium_path()
    if path is None:
        pytest.skip(NO_BROWSER)
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


class AppServer:
    """A ``streamlit run`` of this checkout on a free port."""

    def __init__(self, log: Path, script: str = "streamlit_app.py") -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = log
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "streamlit", "run", script),
                    "--server.headless=true",
                    f"--server.port={self.port}",
                    "--server.address=127.0.0.1",
                    "--server.fileWatcherType=none",
                ],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        self.wait()

    def wait(self, seconds: float = 60) -> None:
        """Wait until the server answers, or fail with what it printed."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2):
                    return
            except OSError:
                time.sleep(0.1)
        self.stop()
        pytest.fail(f"the application did not start:\n{self.log.read_text(errors='replace')}")

    def stop(self) -> None:
        """End the server and wait for it."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        # shown by pytest when the test that used this server fails
        print(self.log.read_text("utf-8", errors="replace"))


@pytest.fixture(scope="session")
def app_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """Run one server for all browser tests that do not need a fresh one."""
    server = AppServer(tmp_path_factory.mktemp("server") / "log.txt")
    yield server
    server.stop()


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[AppServer]:
    """Run a server that nobody has visited."""
    server = AppServer(tmp_path / "log.txt")
    yield server
    server.stop()


@pytest.fixture
def script_server(tmp_path: Path) -> Iterator[Callable[[str], AppServer]]:
    """Run a script of its own, which may import the application's parts."""
    started: list[AppServer] = []

    def run(script: str) -> AppServer:
        (tmp_path / "app.py").write_text(script, encoding="utf-8")
        started.append(AppServer(tmp_path / "log.txt", str(tmp_path / "app.py")))
        return started[-1]

    yield run
    for server in started:
        server.stop()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say loudly, as the last words of the run, that browser tests were left out."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(config, "workerinput"):
        return
    skipped = [
        report for report in reporter.stats.get("skipped", []) if NO_BROWSER in str(report.longrepr)
    ]
    if skipped:
        reporter.section("BROWSER TESTS NOT RUN", sep="!", red=True, bold=True)
        reporter.line(f"{len(skipped)} browser tests were SKIPPED: {NO_BROWSER}", red=True)
