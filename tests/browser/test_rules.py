"""The page of rules in a browser: a house rule reaches the table and its link; everything fits."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import PHONE, settle

if TYPE_CHECKING:
    from conftest import AppServer, Visit

VIEWS = ("atlas", "compare", "house", "score")


@pytest.mark.parametrize("view", VIEWS)
def test_views_fit_a_phone(app_server: AppServer, visit: Visit, view: str) -> None:
    """No view scrolls sideways at 390 px, in the longest language."""
    page = visit(f"{app_server.url}/rules?v={view}&lang=en&rules=rob-laizi", size=PHONE)
    page.locator('[class*="st-key-panel_"]').first.wait_for()
    assert page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
    inside = page.evaluate(
        """[...document.querySelectorAll('[class*="st-key-panel_"] *')]
        .filter(e => e.getBoundingClientRect().right > innerWidth + 1).length"""
    )
    assert inside == 0


def test_house_rule_reaches_table_and_link(app_server: AppServer, visit: Visit) -> None:
    """Switched here, in force at the table, carried by the address, and gone with one button."""
    page = visit(f"{app_server.url}/rules?v=house&lang=en&rules=classic")
    page.get_by_text("Both jokers as kickers", exact=True).click()
    settle(page)
    asked = parse_qs(urlsplit(page.url).query)
    assert asked["overrides"] == ['{"kickers.both_jokers":true}']
    page.get_by_role("button", name="Rules Classic, three players, changed").wait_for()
    page.get_by_role("button", name="Play this").click()
    page.wait_for_url("**/table?**")
    settle(page)
    assert "kickers.both_jokers" in parse_qs(urlsplit(page.url).query)["overrides"][0]
    kept = page.evaluate("localStorage.getItem('paili.game')")
    assert kept is None or "kickers.both_jokers" in kept
    other = visit(page.url)
    other.get_by_role("button", name="Rules Classic, three players, changed").click()
    other.get_by_role("button", name="Back to the rules as written").click()
    settle(other)
    assert "overrides" not in parse_qs(urlsplit(other.url).query)


def test_example_cards_are_drawn(app_server: AppServer, visit: Visit) -> None:
    """Each kind lies on its lane, with its cards as the picture's name."""
    page = visit(f"{app_server.url}/rules?s=classic&lang=en")
    lanes = page.locator("img.paili-lane")
    assert lanes.count() == 14
    names = [lanes.nth(i).get_attribute("alt") for i in range(lanes.count())]
    assert "777+33" in names
    widths = page.evaluate(
        "[...document.querySelectorAll('img.paili-lane')].map(e => e.naturalWidth)"
    )
    assert all(width > 0 for width in widths)


def test_bricks_follow_the_arm(app_server: AppServer, visit: Visit) -> None:
    """A longer arm changes what is hit."""
    page = visit(f"{app_server.url}/rules?s=brick&lang=en")
    said = page.get_by_text("Hit most often:")
    before = said.inner_text()
    slider = page.get_by_role("slider").first
    slider.focus()
    for _ in range(10):
        slider.press("ArrowRight")
    settle(page)
    assert said.inner_text() != before
