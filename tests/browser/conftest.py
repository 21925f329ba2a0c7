"""Fixtures of the browser tests: a visitor who notices errors and outside requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

READY = "[data-testid=stApp][data-test-script-state=notRunning]"
DESKTOP = (1280, 900)
PHONE = (390, 844)

# Streamlit looks for its own service below the page's path first, and says so in the console.
PROBES = ("/_stcore/health", "/_stcore/host-config")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder."""
    for item in items:
        if "/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


def settle(page: Page) -> None:
    """Wait until the script has run and the page has stopped changing."""
    page.wait_for_selector(READY, timeout=60_000)
    page.wait_for_timeout(250)
    page.wait_for_selector(READY, timeout=60_000)


class Visit(Protocol):
    """Opens an address in a browser of its own."""

    def __call__(
        self,
        url: str,
        *,
        size: tuple[int, int] = DESKTOP,
        locale: str = "en-GB",
        scheme: str = "light",
    ) -> Page:
        """Return the settled page."""


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visit]:
    """Open pages; at the end nothing may have gone wrong in any of them.

    A failure is a script error, an error in the console, an exception shown by Streamlit,
    or a request to anywhere but the server under test.
    """
    contexts: list[BrowserContext] = []
    pages: list[Page] = []
    wrong: list[str] = []

    def noted(message: ConsoleMessage) -> None:
        address = message.location.get("url", "")
        if message.type == "error" and not address.endswith(PROBES):
            wrong.append(f"console: {message.text} ({address})")

    def opened(
        url: str,
        *,
        size: tuple[int, int] = DESKTOP,
        locale: str = "en-GB",
        scheme: str = "light",
    ) -> Page:
        context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]}, locale=locale, color_scheme=scheme
        )
        contexts.append(context)
        page = context.new_page()
        pages.append(page)
        page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
        page.on("console", noted)
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:"))
                else wrong.append(f"outside request: {request.url}")
            ),
        )
        page.goto(url)
        settle(page)
        return page

    yield opened
    for page in pages:
        if not page.is_closed():
            shown = page.locator("[data-testid=stException]")
            wrong += [f"exception: {text}" for text in shown.all_inner_texts()]
    for context in contexts:
        context.close()
    assert wrong == []
