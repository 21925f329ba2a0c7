"""Every page in a real browser: it stands, it fits, it speaks the language, it can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ddz_core.language import LANGUAGES, words
from pages._kit import shell

if TYPE_CHECKING:
    from conftest import AppServer
    from playwright.sync_api import Page

PAGES = [name for group in shell.GROUPS.values() for name in group]
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
READY = "[data-testid=stApp][data-test-script-state=notRunning]"

# What the accessibility scan finds in Streamlit's own parts, by rule: the element lies in one of
# these. The menu's list items are no list's children; captions and shortcut hints are pale.
BASELINE = {
    "list": "[data-testid=stTopNav], [data-testid=stSidebarNav]",
    "listitem": "[data-testid=stTopNav], [data-testid=stSidebarNav]",
    "color-contrast": "[data-testid=stCaptionContainer], kbd",
}


def address(server: AppServer, page: str, **query: str) -> str:
    """Return the address of a page."""
    path = "" if page == shell.FIRST else page
    return f"{server.url}/{path}?" + "&".join(f"{k}={v}" for k, v in query.items())


def settle(page: Page) -> None:
    """Wait until the script has run and the page has stopped changing."""
    page.wait_for_timeout(300)
    page.wait_for_selector(READY, timeout=60_000)
    page.wait_for_timeout(200)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_page_stands_in_every_language(app_server: AppServer, visit, name: str, size: str) -> None:
    """A page opens without error, in its language, and does not scroll sideways."""
    page = visit(address(app_server, name, lang="en"), size=SIZES[size])
    for lang in LANGUAGES:
        page.goto(address(app_server, name, lang=lang))
        settle(page)
        # the document's language is set by a script of the page, which may run after its texts
        page.wait_for_function("lang => document.documentElement.lang === lang", arg=lang)
        title = words(lang).say("app.start.headline" if name == shell.FIRST else f"app.page.{name}")
        assert page.get_by_role("heading", name=title).first.is_visible()
        assert page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_page_can_be_read_by_everybody(app_server: AppServer, visit, name: str, size: str) -> None:
    """The accessibility scan finds nothing beyond Streamlit's own, in light and dark."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = visit(address(app_server, name, lang="en"), size=SIZES[size])
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.reload()
        settle(page)
        new = []
        for finding in axe.Axe().run(page).response["violations"]:
            known = BASELINE.get(finding["id"], "no-such-element")
            for node in finding["nodes"]:
                place = page.locator(node["target"][-1]).first
                if not place.evaluate("(element, known) => !!element.closest(known)", known):
                    new.append(f"{scheme} {finding['id']}: {node['html'][:200]}")
        assert new == []


@pytest.mark.parametrize("name", [name for name in PAGES if name != shell.FIRST])
def test_deep_link_as_the_first_request(fresh_server: AppServer, visit, name: str) -> None:
    """A page asked for first on a new server has the menu, its language and its parameters."""
    page = visit(address(fresh_server, name, lang="zh-Hant", rules="wuhan"))
    page.get_by_text(words("zh-Hant").say(f"app.page.{name}"), exact=True).first.wait_for()
    settle(page)
    assert page.locator("[data-testid=stTopNav]").is_visible()
    group = words("zh-Hant").say("app.group.learn")
    assert page.locator("[data-testid=stTopNav]").get_by_text(group).is_visible()
    assert page.evaluate("document.documentElement.lang") == "zh-Hant"
    assert f"/{name}?" in page.url
    assert "lang=zh-Hant" in page.url
    assert "rules=wuhan" in page.url


def test_choices_survive_the_menu(app_server: AppServer, visit) -> None:
    """Language and ruleset chosen on the start page are in the address of the next page too."""
    page = visit(address(app_server, shell.FIRST), locale="zh-CN")
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    page.get_by_role("radio", name="繁體").click()
    settle(page)
    page.get_by_role("radio", name="武漢").click()
    settle(page)
    say = words("zh-Hant").say
    page.locator("[data-testid=stTopNav]").get_by_text(say("app.group.play")).click()
    page.get_by_text(say("app.page.table"), exact=True).first.click()
    page.wait_for_url("**/table?**")
    settle(page)
    assert "lang=zh-Hant" in page.url
    assert "rules=wuhan" in page.url
    page.go_back()
    page.get_by_role("radio", name="繁體").wait_for()
    assert page.evaluate("document.documentElement.lang") == "zh-Hant"


def test_first_game_is_one_click_away(app_server: AppServer, visit) -> None:
    """The one primary button of the start page opens the table in guided mode."""
    page = visit(address(app_server, shell.FIRST, lang="en"))
    page.locator(".st-key-w_first button").click()
    page.wait_for_url("**/table?**")
    settle(page)
    guide = words("en").say("table.switch.guide")
    assert page.get_by_role("switch", name=guide).is_checked()
    assert "lang=en" in page.url


def test_kept_game_is_offered(app_server: AppServer, visit) -> None:
    """The link back to a game is there when the browser keeps one, and only then."""
    page = visit(address(app_server, shell.FIRST, lang="en"))
    link = page.get_by_role("link", name=words("en").say("app.start.continue"))
    assert not link.is_visible()
    page.evaluate("localStorage.setItem('paili.game', 'paili 1')")
    page.reload()
    settle(page)
    assert link.is_visible()
    assert link.get_attribute("href") == "table?lang=en&rules=classic"
