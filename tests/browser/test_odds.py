"""The odds in a real browser: cards typed, behaviour added, a phone, a spread that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ddz_core.language import words

if TYPE_CHECKING:
    from conftest import AppServer

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
HAND = "33445566778899TJQ"
IDLE = "document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"


@pytest.mark.parametrize("size", SIZES)
def test_reading_by_hand(visit, app_server: AppServer, size: str) -> None:
    """Typed cards give two maps and a bottom, twelve layouts, dots; nothing overflows."""
    say = words("en").say
    page = visit(f"{app_server.url}/odds?lang=en", size=SIZES[size])
    page.get_by_label(say("odds.hand"), exact=True).fill(HAND)
    page.keyboard.press("Tab")
    page.locator(".st-key-panel_maps .js-plotly-plot").nth(2).wait_for(timeout=30_000)
    assert page.locator(".st-key-panel_layouts tr").count() == 12
    assert page.locator(".st-key-panel_question .js-plotly-plot .point").count() == 100
    assert f"c={HAND}" in page.url
    wide = "document.documentElement.scrollWidth <= window.innerWidth"
    assert page.evaluate(wide)


def test_behaviour_is_kept_apart(visit, app_server: AppServer) -> None:
    """With behaviour the sentence names the chance by counting beside the new one."""
    say = words("en").say
    page = visit(
        f"{app_server.url}/odds?lang=en&c={HAND}&s=lord%3D1;passes%3D1:2", size=SIZES["desktop"]
    )
    page.get_by_text(say("odds.mode.behave"), exact=True).click()
    page.locator(".st-key-panel_habits input, .st-key-panel_habits [role=slider]").first.wait_for()
    page.wait_for_function(IDLE)
    before = say("odds.before", chance="").split("{")[0].split(".")[0].rstrip()[:20]
    assert before in page.locator(".st-key-panel_question").inner_text()


def test_a_spread_grows_and_stands(visit, app_server: AppServer) -> None:
    """Fewest plays is drawn at last as a sampled figure with its number and seed."""
    say = words("en").say
    page = visit(f"{app_server.url}/odds?lang=en&c={HAND}&v=spread", size=SIZES["desktop"])
    panel = page.locator(".st-key-panel_turns")
    panel.get_by_text(say("app.foot.n", n="20,000")).wait_for(timeout=120_000)
    assert panel.locator(".js-plotly-plot").count() == 1
    assert say("app.foot.sampled") in panel.inner_text()
