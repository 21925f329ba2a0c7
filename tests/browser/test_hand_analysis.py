"""The analysis of a hand in a real browser: dragging between groups, keys, storage, downloads."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ddz_core import quiz
from ddz_core.rules import load_ruleset

if TYPE_CHECKING:
    from conftest import AppServer
    from playwright.sync_api import Page

READY = "[data-testid=stApp][data-test-script-state=notRunning]"
GROUPS = ".st-key-panel_split_0 input[type=text][aria-label^='Groups']"


def settle(page: Page) -> None:
    """Wait until the script has run and the page has stopped changing."""
    page.wait_for_timeout(400)
    page.wait_for_selector(READY, timeout=60_000)
    page.wait_for_timeout(300)


def groups(page: Page) -> list[str]:
    """Return the groups of the first split as its text field shows them."""
    return page.locator(GROUPS).input_value().split()


def drag(page: Page, source: str, target: str) -> None:
    """Drag what one selector finds onto what another one finds, in small steps."""
    first = page.locator(".st-key-panel_split_0")
    first.scroll_into_view_if_needed()
    a = first.locator(source).first.bounding_box()
    b = first.locator(target).first.bounding_box()
    assert a is not None
    assert b is not None
    page.mouse.move(a["x"] + 8, a["y"] + 12)
    page.mouse.down()
    page.mouse.move(a["x"] + 30, a["y"] + 30, steps=4)
    page.mouse.move(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2, steps=8)
    page.mouse.up()
    settle(page)


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)])
def test_cards_are_dragged_between_groups(app_server: AppServer, visit, size) -> None:
    """A dragged card leaves its group, the text and the measures follow, and it can come back."""
    page = visit(f"{app_server.url}/surgeon?c=34567899&lang=en", size=size)
    page.wait_for_selector(".group.new", timeout=60_000)
    page.wait_for_selector(GROUPS)
    before = groups(page)
    assert sorted("".join(before)) == sorted("34567899")
    drag(page, ".group[data-group='0'] .cut", ".group.new")
    after = groups(page)
    assert len(after) == len(before) + 1
    assert sorted("".join(after)) == sorted("34567899")
    turns = page.locator(".st-key-panel_measures td.n").first.inner_text()
    assert int(turns) >= len(before)
    drag(page, f".group[data-group='{len(after) - 1}'] .cut", ".group[data-group='0']")
    assert sorted(groups(page)) == sorted(before)
    boards = page.locator(".st-key-panel_split_0 .splitter")
    assert boards.count() == 1, "the board is drawn anew in its place"


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)])
def test_a_long_group_stays_inside_its_frame(app_server: AppServer, visit, size) -> None:
    """Where the cards of a group take several lines, each line lies inside the group."""
    page = visit(f"{app_server.url}/surgeon?c=33344455667789TJJQKA&lang=en", size=size)
    page.wait_for_selector(".group.new", timeout=60_000)
    page.locator(GROUPS).fill("33344455667789TJJQKA")
    page.locator(GROUPS).press("Enter")
    settle(page)
    group = page.locator(".st-key-panel_split_0 .group[data-group='0']")
    frame = group.bounding_box()
    cards = [one.bounding_box() for one in group.locator(".cut").all()]
    assert len({card["y"] for card in cards}) > 1
    for card in cards:
        assert frame["x"] <= card["x"]
        assert card["x"] + card["width"] <= frame["x"] + frame["width"]


def test_cards_are_moved_with_keys(app_server: AppServer, visit) -> None:
    """Space selects a card, and the button of another group takes it there."""
    page = visit(f"{app_server.url}/surgeon?c=34567899&lang=en")
    page.wait_for_selector(".group.new", timeout=60_000)
    before = groups(page)
    first = page.locator(".st-key-panel_split_0")
    first.locator(".cut").first.focus()
    page.keyboard.press("Space")
    assert first.locator(".cut[aria-pressed=true]").count() == 1
    first.locator(".group.new .here").click()
    settle(page)
    assert len(groups(page)) == len(before) + 1


def test_progress_stays_in_the_browser(app_server: AppServer, visit) -> None:
    """An answer is kept by the browser, comes back in a new session, and downloads as a file."""
    page = visit(f"{app_server.url}/explorer?v=quiz&lang=en")
    page.get_by_role("button", name="Start", exact=True).click()
    settle(page)
    page.locator(".st-key-quiz_choices button").first.click()
    settle(page)
    kept = page.evaluate("localStorage.getItem('paili.quiz')")
    assert sum(item.asked for item in quiz.read(kept).items.values()) == 1
    page.reload()
    settle(page)
    page.wait_for_selector(".st-key-panel_progress .paili-table", timeout=30_000)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download progress").click()
    path = download.value.path()
    assert quiz.read(Path(path).read_text("utf-8")) == quiz.read(kept)


def test_list_of_plays_downloads(app_server: AppServer, visit) -> None:
    """The CSV of all plays has a row for every play of the hand."""
    page = visit(f"{app_server.url}/explorer?v=plays&c=33344456&lang=en")
    page.wait_for_selector(".st-key-panel_plays [data-testid=stDownloadButton]", timeout=60_000)
    with page.expect_download() as download:
        page.locator(".st-key-panel_plays [data-testid=stDownloadButton] button").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8"))))
    moves = load_ruleset("classic").moves("33344456")
    assert [row["cards"] for row in rows] == [move.cards for move in moves]
