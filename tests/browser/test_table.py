"""The table in a real browser: whole games, reload, double taps, links, the plain page by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import ddz_core as ddz
from ddz_core.language import words

if TYPE_CHECKING:
    from conftest import AppServer
    from playwright.sync_api import Page

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
SEED = 7
KEPT = "localStorage.getItem('paili.game')"


def code(seed: int = SEED, rules: str = "classic") -> str:
    """Return the code of a game just dealt."""
    known = ddz.load_ruleset(rules)
    return ddz.encode(ddz.new_game(known, ddz.deal(known, seed=seed)))


def open_table(visit, server: AppServer, size: str, **query: str) -> Page:
    """Open a dealt game, with bots that act at once."""
    query = {"lang": "en", "g": code(), "seat": "0"} | query
    asked = "&".join(f"{k}={v}" for k, v in query.items())
    page = visit(f"{server.url}/table?{asked}", size=SIZES[size])
    page.locator(".bar").wait_for()
    page.locator("select[data-f='switch:speed']").select_option("0")
    page.wait_for_function(f"JSON.parse({KEPT}).speed === 0")
    return page


def turn(page: Page) -> str:
    """Wait until the person may act or the deal is over, and say which."""
    waiting = page.locator(
        "[data-f='choice:0'], .result, [data-f=hint]:not([aria-disabled=true])"
    ).first
    waiting.wait_for(timeout=20_000)
    if page.locator(".result").count():
        return "over"
    return "choice" if page.locator("[data-f='choice:0']").count() else "play"


def act(page: Page) -> None:
    """Refuse a bid, pass where that is allowed, else lead the lowest card."""
    if turn(page) == "choice":
        page.locator("[data-f='choice:0']").click()
        return
    if page.locator("[data-f=pass]").get_attribute("aria-disabled") != "true":
        page.locator("[data-f=pass]").click()
        return
    page.locator(".hand [data-f]").last.click()
    page.locator("[data-f=play]:not([aria-disabled=true])").click()


def moved(page: Page, before: str) -> None:
    """Wait until what the browser keeps is another position."""
    page.wait_for_function("(before) => localStorage.getItem('paili.game') !== before", arg=before)


@pytest.mark.parametrize("size", SIZES)
def test_a_whole_game_through_the_component(app_server: AppServer, visit, size: str) -> None:
    """From the bidding to the score with taps alone; then the hands are open and it replays."""
    page = open_table(visit, app_server, size)
    for _ in range(60):
        if turn(page) == "over":
            break
        before = page.evaluate(KEPT)
        act(page)
        moved(page, before)
    assert turn(page) == "over"
    result = page.locator(".result")
    assert "Bid" in result.inner_text()
    assert page.locator(".strip").count() >= 1
    page.locator("[data-f='replay:first']").click()
    page.locator(".replay").get_by_text("Move 0 of").wait_for()
    page.locator("[data-f='replay:next']").click()
    page.locator(".replay").get_by_text("Move 1 of").wait_for()


def test_a_reload_in_mid_game_loses_nothing(app_server: AppServer, visit) -> None:
    """After a reload the same cards, the same turn and the same history stand on the table."""
    page = open_table(visit, app_server, "desktop")
    for _ in range(4):
        before = page.evaluate(KEPT)
        act(page)
        moved(page, before)
    turn(page)
    kept = page.evaluate(KEPT)
    hand = page.locator(".hand").inner_text()
    page.reload()
    page.locator(".bar").wait_for()
    turn(page)
    assert page.locator(".hand").inner_text() == hand
    assert page.evaluate(KEPT) == kept


def test_rules_chosen_by_hand_come_before_a_kept_game(app_server: AppServer, visit) -> None:
    """A new deal of the chosen rules is on the table; the game kept before waits in the list."""
    page = open_table(visit, app_server, "desktop")
    for _ in range(2):
        before = page.evaluate(KEPT)
        act(page)
        moved(page, before)
    page.goto(f"{app_server.url}/?lang=en")
    page.get_by_role("radio", name="Wuhan").click()
    page.wait_for_url("**rules=wuhan**")
    before = page.evaluate(KEPT)
    page.locator("[data-testid=stTopNav]").get_by_text("Play", exact=True).click()
    page.get_by_text("Table", exact=True).first.click()
    page.locator(".bar").wait_for()
    moved(page, before)
    kept = page.evaluate(f"JSON.parse({KEPT})")
    assert "rules: wuhan" in kept["record"]
    assert [ddz.decode(code).rules.id for code in kept["past"]] == ["classic"]
    page.reload()
    page.locator(".bar").wait_for()
    assert "rules=wuhan" in page.url


def test_a_double_tap_plays_once(app_server: AppServer, visit) -> None:
    """Two quick presses of Pass or Play are one action."""
    page = open_table(visit, app_server, "desktop")
    while turn(page) == "choice":
        before = page.evaluate(KEPT)
        act(page)
        moved(page, before)
    before = page.evaluate(KEPT)
    if page.locator("[data-f=pass]").get_attribute("aria-disabled") != "true":
        page.locator("[data-f=pass]").dblclick()
    else:
        page.locator(".hand [data-f]").last.click()
        page.locator("[data-f=play]").dblclick()
    moved(page, before)
    turn(page)
    after = page.evaluate(f"JSON.parse({KEPT})")
    lines = after["record"].split("\n\n")[1].splitlines()
    mine = [line for line in lines if line.startswith("0 ")]
    bids = [line for line in mine if line.split()[1] in {"pass", "1", "2", "3"}][:1]
    assert len(mine) == len(bids) + 1


def test_a_linked_game_is_the_first_request(fresh_server: AppServer, visit) -> None:
    """A link opened first on a new server shows its own deal in its own language."""
    page = visit(f"{fresh_server.url}/table?lang=zh-Hant&g={code(rules='wuhan')}&seat=2")
    page.locator(".bar").wait_for(timeout=60_000)
    assert page.get_by_text(words("zh-Hant").say("table.seed", seed=SEED)).first.is_visible()
    assert "rules=wuhan" in page.url
    deal = ddz.deal(ddz.load_ruleset("wuhan"), seed=SEED)
    held = page.locator(".hand [data-f]").count()
    assert held == len(deal.hands[2])


def test_a_link_that_was_cut_says_so(app_server: AppServer, visit) -> None:
    """A cut link gives one sentence and a fresh table, no exception."""
    page = visit(f"{app_server.url}/table?lang=en&g={code()[:-3]}")
    page.locator("[data-testid=stAlert]").wait_for()
    page.locator(".bar").wait_for()


def test_the_forms_below_the_table_open_with_room(app_server: AppServer, visit) -> None:
    """Where the page ends below the button the popover opens upwards, not as a slit."""
    page = open_table(visit, app_server, "desktop")
    page.locator(".st-key-table_tools button").nth(1).click()
    body = page.locator("[data-testid=stPopoverBody]")
    body.get_by_role("textbox").last.wait_for()
    assert body.bounding_box()["height"] > 400


def test_the_plain_page_plays_a_whole_game_by_keyboard(app_server: AppServer, visit) -> None:
    """Without the component and without a pointer, from the bidding to the score."""
    page = visit(f"{app_server.url}/table?lang=en&plain=1&g={code()}&seat=0")
    say = words("en").say
    for _ in range(80):
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        if page.get_by_role("button", name=say("table.tool.again")).count():
            break
        bid = page.get_by_role("button", name=say("table.bid.pass"), exact=True)
        if bid.count():
            bid.focus()
            page.keyboard.press("Enter")
        else:
            field = page.get_by_role("textbox", name=say("table.plain.typed"))
            field.wait_for()
            passing = page.get_by_role("button", name=say("table.js.pass"), exact=True)
            if passing.is_enabled():
                passing.focus()
                page.keyboard.press("Enter")
            else:
                lowest = _lowest(page)
                field.focus()
                page.keyboard.type(lowest)
                page.keyboard.press("Enter")
        page.wait_for_timeout(150)
    page.get_by_role("button", name=say("table.tool.again")).wait_for()
    assert page.get_by_text("Bid", exact=False).count()
    assert "g=" in page.url


def _lowest(page: Page) -> str:
    """Return the lowest rank of the hand as the page says it."""
    line = page.get_by_text("Your hand,").first.inner_text()
    hand = next(part for part in line.splitlines() if part.startswith("Your hand,"))
    return hand.rstrip(".").split(", ")[-1].split(" × ")[0].split(": ")[-1]
