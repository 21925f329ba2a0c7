"""The card table in a browser, without Streamlit: the module mounted in a plain page."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from table_harness import samples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).resolve().parent.parent
FILES = {
    "/harness.html": (ROOT / "tests/table_harness/harness.html", "text/html"),
    "/table.js": (ROOT / "ddz_core/render/table.js", "text/javascript"),
    "/table.css": (ROOT / "ddz_core/render/table.css", "text/css"),
}
DESKTOP, PHONE = (1280, 900), (390, 844)
STATES: dict[str, Callable[..., dict[str, Any]]] = {
    "bidding": samples.bidding,
    "lead": samples.lead20,
    "follow": samples.follow,
    "alarm": samples.alarm,
    "decks": samples.decks,
    "five": samples.five,
    "over": samples.over,
    **{f"rungs{n}": functools.partial(samples.with_ladder, n) for n in range(5)},
}


class Server(http.server.BaseHTTPRequestHandler):
    """Serve the harness and the table's two files."""

    def do_GET(self) -> None:
        """Answer with a file of the table, or 404."""
        found = FILES.get(self.path.split("?")[0])
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", f"{found[1]}; charset=utf-8" if found else "text/plain")
        self.end_headers()
        self.wfile.write(found[0].read_bytes() if found else b"")

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Address of the harness page."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/harness.html"
    server.shutdown()
    server.server_close()


class Table:
    """A page with the table on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", self.note)

    def note(self, error: object) -> None:
        """Keep an error of the page."""
        self.errors.append(str(error))

    def show(self, data: dict[str, Any]) -> None:
        """Give the table new data."""
        self.page.evaluate("data => window.show(data)", data)

    def sent(self, kind: str = "") -> list[dict[str, Any]]:
        """Actions sent so far, of one kind or all."""
        actions = self.page.evaluate("window.sent.filter(x => x[0] === 'action').map(x => x[1])")
        return [action for action in actions if not kind or action["kind"] == kind]

    def tap(self, *places: int) -> None:
        """Tap cards or columns by place."""
        for place in places:
            self.page.locator(f'[data-i="{place}"]').click(position={"x": 8, "y": 60})

    def play_text(self) -> str:
        """What the Play button says."""
        return " ".join(self.page.locator(".act.play span").first.inner_text().split())

    def checked(self) -> list[str]:
        """aria-checked of every card or column."""
        return self.page.eval_on_selector_all(
            "[data-i]", "nodes => nodes.map(n => n.getAttribute('aria-checked'))"
        )

    def focus(self) -> str | None:
        """The focus key of the element that has the focus."""
        return self.page.evaluate("document.activeElement && document.activeElement.dataset.f")


@pytest.fixture(scope="module")
def pages(chromium: Browser) -> Iterator[dict[str, Page]]:
    """Pages by their settings, opened once for all tests of this file."""
    opened: dict[str, Page] = {}
    opened_contexts: list[BrowserContext] = []

    class Pages(dict[str, "Page"]):
        def __missing__(self, key: str) -> Page:
            settings = json.loads(key)
            refuse = settings.pop("refuse")
            context = chromium.new_context(**settings)
            opened_contexts.append(context)
            page = self[key] = context.new_page()
            if refuse:
                page.add_init_script(
                    "Object.defineProperty(window, 'localStorage', "
                    "{get() { throw new DOMException('no', 'SecurityError') }})"
                )
            return page

    opened = Pages()
    yield opened
    for context in opened_contexts:
        context.close()


@pytest.fixture
def open_table(pages: dict[str, Page], address: str) -> Iterator[Callable[..., Table]]:
    """Open the harness at a size; ``refuse`` makes the browser refuse storage."""
    used: list[Table] = []

    def start(size: tuple[int, int] = DESKTOP, *, refuse: bool = False, **more: Any) -> Table:
        width, height = size
        settings = {"viewport": {"width": width, "height": height}, "refuse": refuse} | more
        table = Table(pages[json.dumps(settings)])
        used.append(table)
        table.page.goto(address)
        table.page.wait_for_function("window.ready")
        if not refuse:
            table.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        return table

    yield start
    for table in used:
        table.page.remove_listener("pageerror", table.note)


OpenTable = "Callable[..., Table]"


SMALL_TYPE = """() => [...document.querySelectorAll('.paili *')].filter(n =>
    [...n.childNodes].some(c => c.nodeType === 3 && c.textContent.trim()) &&
    n.getClientRects().length && !n.closest('.sr') &&
    parseFloat(getComputedStyle(n).fontSize) < 12.5).map(n => n.className + n.textContent)"""


@pytest.mark.parametrize("size", [DESKTOP, (760, 900), PHONE, (360, 740)], ids=str)
def test_every_state_stands(open_table: OpenTable, size: tuple[int, int]) -> None:
    """Each state draws without an error, without sideways scroll and with no type under 12.5 px."""
    table = open_table(size)
    for name, state in STATES.items():
        for theme, lang in (("light", "en"), ("dark", "zh-Hans")):
            table.show(state(theme, lang))
            assert table.errors == [], name
            wide, view = table.page.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
            )
            assert wide <= view, name
            assert table.page.evaluate(SMALL_TYPE) == [], name


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_phone_shows_buttons_and_hand_at_once(open_table: OpenTable, lang: str) -> None:
    """In 390 × 844 the whole mat and the ladder's tabs are on the screen; ranks are legible."""
    table = open_table(PHONE)
    table.show(samples.follow("light", lang))
    mat = table.page.locator(".mat").bounding_box()
    tabs = table.page.locator(".tabs").bounding_box()
    assert mat
    assert tabs
    assert mat["y"] + mat["height"] <= 844
    assert tabs["y"] + tabs["height"] <= 844
    sizes = table.page.eval_on_selector_all(
        ".cc .g", "nodes => nodes.map(n => parseFloat(getComputedStyle(n).fontSize))"
    )
    assert min(sizes) >= 18


@pytest.mark.parametrize(
    ("width", "cards", "w", "outer"),
    [(1072, samples.MINE, 92.2, 60.8), (1072, samples.TWENTY, 92.2, 57)],
)
def test_fan_has_the_measures_of_the_design(
    open_table: OpenTable, width: int, cards: str, w: float, outer: float
) -> None:
    """Card width and step of a fan follow the formulas (examples of the design page)."""
    table = open_table()
    table.show(samples.changed(samples.follow(), hand=samples.hand_of(cards)))
    boxes = table.page.eval_on_selector_all(
        "[data-i]", "nodes => nodes.map(n => [n.offsetLeft, n.getBoundingClientRect().width])"
    )
    ranks = [card[0] for card in cards.split()]
    assert boxes[0][1] == pytest.approx(w, abs=0.5)
    for i in range(1, len(boxes)):
        step = boxes[i][0] - boxes[i - 1][0]
        near = ranks[i] == ranks[i - 1]
        assert step == pytest.approx(outer * (0.62 if near else 1), abs=1.1)


def test_raised_cards_keep_their_place_in_the_stack(open_table: OpenTable) -> None:
    """No card has a z-index, so that a raised one never hides its neighbour's edge."""
    table = open_table()
    table.show(samples.follow())
    table.tap(6, 7)
    indices = table.page.eval_on_selector_all(
        "[data-i]", "nodes => [...new Set(nodes.map(n => getComputedStyle(n).zIndex))]"
    )
    assert indices == ["auto"]


def test_play_names_what_is_selected(open_table: OpenTable) -> None:
    """Play says what the cards are before it is pressed, or why they cannot be played."""
    table = open_table()
    table.show(samples.follow())
    assert table.play_text() == "Play Select cards"
    table.tap(6, 7, 8)
    assert table.play_text() == "Not yet · Needs triple + single. Nearest: QQQ+3"
    table.tap(15)
    assert table.play_text() == "Play Triple + single, QQQ+3 · beats it"
    assert table.page.locator(".act.play").get_attribute("aria-disabled") is None


def test_surplus_card_is_ringed(open_table: OpenTable) -> None:
    """Only the card that the nearest legal play does not use gets the amber ring."""
    table = open_table()
    table.show(samples.follow())
    table.tap(6, 7, 8, 11, 12)
    assert table.page.locator(".card.surplus").count() == 1
    assert table.page.locator(".act.play.no").count() == 1
    table.tap(12)
    assert table.page.locator(".card.surplus").count() == 0


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_double_click_on_play_sends_once(open_table: OpenTable, size: tuple[int, int]) -> None:
    """Two quick presses of Play send one action; the next position is free again."""
    table = open_table(size)
    data = samples.follow()
    table.show(data)
    table.tap(*((6, 7, 8, 15) if size == DESKTOP else (4, 4, 4, 10)))
    table.page.locator(".act.play").dblclick()
    table.page.locator(".act.pass").click()
    assert [action["kind"] for action in table.sent()] == ["play"]
    [action] = table.sent("play")
    assert action["number"] == 7
    assert action["move"] == "triple + single:QQQ:3"
    assert action["cards"][:3] == ["c6", "c7", "c8"]
    table.show(samples.changed(data, number=10))
    table.page.locator(".act.pass").click()
    assert table.sent("pass") == [{"number": 10, "kind": "pass"}]


def test_same_number_stays_shut_until_refused(open_table: OpenTable) -> None:
    """New data with the old number does not free a sent action; a refusal does."""
    table = open_table()
    data = samples.follow()
    table.show(data)
    table.page.locator(".act.pass").click()
    table.show(samples.changed(data, messages=[{"text": "one moment", "tone": "note"}]))
    table.page.locator(".act.pass").click()
    assert len(table.sent("pass")) == 1
    table.show(samples.changed(data, refused=1))
    table.page.locator(".act.pass").click()
    assert len(table.sent("pass")) == 2


def test_choices_send_once(open_table: OpenTable) -> None:
    """A bid is sent once, with its value; a disabled one not at all."""
    table = open_table()
    table.show(samples.bidding())
    table.page.get_by_role("button", name="Bid 1 taken").click(force=True)
    table.page.get_by_role("button", name="Bid 2").dblclick()
    assert table.sent() == [{"number": 2, "kind": "choice", "value": 2}]


def test_keyboard_alone_plays(open_table: OpenTable) -> None:
    """Arrows, space and Enter play; the focus returns to the card now at that place."""
    table = open_table()
    data = samples.follow()
    table.show(data)
    stops = table.page.locator("[data-i][tabindex='0']")
    assert stops.count() == 1
    stops.focus()
    keys = ["Home"] + ["ArrowRight"] * 6 + [" ", "ArrowRight", " ", "ArrowRight", " "]
    for key in [*keys, "End", " "]:
        table.page.keyboard.press(key)
    assert table.play_text() == "Play Triple + single, QQQ+3 · beats it"
    table.page.keyboard.press("Enter")
    table.page.keyboard.press("Enter")
    assert len(table.sent("play")) == 1
    left = [card for card in data["hand"] if card["id"] not in table.sent("play")[0]["cards"]]
    table.show(samples.changed(data, number=8, hand=left))
    assert table.focus() == "card:12"
    table.page.keyboard.press("h")
    table.page.keyboard.press("p")
    assert [action["kind"] for action in table.sent()] == ["play", "hint", "pass"]


def test_escape_clears(open_table: OpenTable) -> None:
    """Escape takes the selection back, and so does the button."""
    table = open_table()
    table.show(samples.follow())
    table.tap(1, 2)
    table.page.keyboard.press("Escape")
    assert set(table.checked()) == {"false"}
    table.tap(1, 2)
    table.page.get_by_role("button", name="Clear").click()
    assert set(table.checked()) == {"false"}


def test_choices_are_reached_with_tab(open_table: OpenTable) -> None:
    """Tab leads from the hand to the bids, Enter sends one."""
    table = open_table()
    table.show(samples.bidding())
    table.page.locator("[data-i][tabindex='0']").focus()
    table.page.keyboard.press("Tab")
    assert table.focus() == "choice:0"
    table.page.keyboard.press("Tab")
    table.page.keyboard.press("Tab")
    table.page.keyboard.press("Enter")
    assert table.sent() == [{"number": 2, "kind": "choice", "value": 2}]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_selection_survives_a_bots_move(open_table: OpenTable, size: tuple[int, int]) -> None:
    """Cards selected while others play stay selected; those that are gone are dropped."""
    table = open_table(size)
    data = samples.follow()
    waiting = samples.changed(data, number=5)
    waiting["phase"] |= {"kind": "watch", "mine": False, "plays": [], "can_pass": False}
    table.show(waiting)
    table.tap(1, 1 if size == PHONE else 2, 3)
    before = table.checked()
    table.show(samples.changed(waiting, number=6))
    table.show(samples.changed(data, number=7))
    assert table.checked() == before
    assert before.count("true") == (3 if size == DESKTOP else 1)
    table.show(samples.changed(data, number=8, hand=data["hand"][3:]))
    assert "true" not in table.checked() or table.checked().count("true") == 1


def test_selection_survives_a_look_at_another_page(open_table: OpenTable) -> None:
    """Shown anew with the same game the selection stands again; with another game none does."""
    table = open_table()
    table.show(samples.follow())
    table.tap(1)
    address = table.page.url
    for data, chosen in (
        (samples.follow(), "1"),
        (samples.changed(samples.follow(), game="another"), "0"),
    ):
        table.page.goto("about:blank")
        table.page.goto(address)
        table.page.wait_for_function("window.ready")
        table.show(data)
        assert table.page.locator(".hand").get_attribute("data-selected") == chosen


def test_equal_cards_can_both_be_selected(open_table: OpenTable) -> None:
    """Two cards equal in rank and suit (two decks) are two cards."""
    table = open_table()
    hand = samples.hand_of("8s 8s 7h")
    names, plays = samples.plays_of(hand)
    data = samples.changed(samples.lead20(), hand=hand)
    data["phase"] |= {"names": names, "plays": plays}
    table.show(data)
    table.tap(0, 1)
    assert table.checked() == ["true", "true", "false"]
    assert "88" in table.play_text()
    table.page.locator(".act.play").click()
    assert table.sent("play")[0]["cards"] == ["c0", "c1"]


def test_columns_take_one_more_a_tap(open_table: OpenTable) -> None:
    """On the phone a column takes 1, 2, 3, none; the rear copies are the selected ones."""
    table = open_table(PHONE)
    table.show(samples.follow())
    seen = []
    for _ in range(4):
        table.tap(4)
        seen.append(table.checked()[4])
    assert seen == ["mixed", "mixed", "true", "false"]
    table.tap(4)
    column = table.page.locator('[data-i="4"] .cc')
    assert "sel" in (column.first.get_attribute("class") or "").split()
    assert "sel" not in (column.last.get_attribute("class") or "").split()
    assert "queen" in (table.page.locator('[data-i="4"]').get_attribute("aria-label") or "")


def test_joined_jokers_can_be_taken_apart(open_table: OpenTable) -> None:
    """Where both jokers share a column, each one alone and both can be selected."""
    table = open_table((360, 740))
    hand = samples.hand_of("D X 2s Ad Kd Qs Jh Ts 9h 8s 7h 6c 5s 4c 3d")
    names, plays = samples.plays_of(hand)
    data = samples.changed(samples.lead20(), hand=hand)
    data["phase"] |= {"names": names, "plays": plays}
    table.show(data)
    assert len(table.checked()) == 14
    taken = []
    for _ in range(4):
        table.tap(0)
        ids = table.page.locator('[data-i="0"] .cc.sel').count()
        taken.append((ids, table.play_text()))
    assert [n for n, _ in taken] == [1, 1, 2, 0]
    assert "BIG" in taken[0][1]
    assert "small" in taken[1][1]
    assert "rocket" in taken[2][1].lower()


def test_swipe_takes_a_run(open_table: OpenTable) -> None:
    """A swipe over columns takes one of each; starting on two taken it takes two."""
    table = open_table(PHONE)
    table.show(samples.lead20())
    places = [table.page.locator(f'[data-i="{i}"]').bounding_box() for i in (8, 12)]
    (x0, y0), (x1, y1) = [(b["x"] + b["width"] / 2, b["y"] + b["height"] - 10) for b in places if b]
    mouse = table.page.mouse
    mouse.move(x0, y0)
    mouse.down()
    mouse.move((x0 + x1) / 2, y0, steps=4)
    mouse.move(x1, y1, steps=4)
    mouse.up()
    taken = [i for i, state in enumerate(table.checked()) if state != "false"]
    assert taken == [8, 9, 10, 11, 12]
    assert table.sent() == []


def test_finger_swipes_and_taps(open_table: OpenTable) -> None:
    """A finger drawn sideways over the columns selects; a tap takes one more."""
    table = open_table(PHONE, has_touch=True)
    table.show(samples.lead20())
    places = [table.page.locator(f'[data-i="{i}"]').bounding_box() for i in (8, 12)]
    (x0, y0), (x1, _) = [(b["x"] + b["width"] / 2, b["y"] + b["height"] - 20) for b in places if b]
    client = table.page.context.new_cdp_session(table.page)
    steps = [("touchStart", x0), *(("touchMove", x0 + (x1 - x0) * k / 10) for k in range(1, 11))]
    for kind, x in steps:
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y0}]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    taken = [i for i, state in enumerate(table.checked()) if state != "false"]
    assert taken == [8, 9, 10, 11, 12]
    table.page.touchscreen.tap(x0, y0)
    table.page.wait_for_function(
        "document.querySelector('[data-i=\\'8\\']').getAttribute('aria-checked') === 'true'"
    )


def test_swipe_in_the_fan_selects(open_table: OpenTable) -> None:
    """A swipe over the fan selects every card it passes, and the click after it changes nothing."""
    table = open_table()
    table.show(samples.follow())
    first, last = (table.page.locator(f'[data-i="{i}"]').bounding_box() for i in (11, 15))
    assert first
    assert last
    mouse = table.page.mouse
    mouse.move(first["x"] + 10, first["y"] + 60)
    mouse.down()
    mouse.move(last["x"] + 10, last["y"] + 60, steps=12)
    mouse.up()
    assert [i for i, s in enumerate(table.checked()) if s == "true"] == [11, 12, 13, 14, 15]


def test_press_and_hold_lists_plays(open_table: OpenTable) -> None:
    """Holding a column shows all legal plays with that rank; a press selects one."""
    table = open_table(PHONE)
    table.show(samples.follow())
    box = table.page.locator('[data-i="4"]').bounding_box()
    assert box
    table.page.mouse.move(box["x"] + 10, box["y"] + box["height"] - 20)
    table.page.mouse.down()
    table.page.locator(".panel.group").wait_for()
    table.page.mouse.up()
    assert set(table.checked()) == {"false"}
    buttons = table.page.locator(".panel.group .btns button")
    assert buttons.count() == 10
    buttons.first.click()
    assert table.checked()[4] == "true"
    assert "beats it" in table.play_text()


def test_hint_marks_but_does_not_select(open_table: OpenTable) -> None:
    """The open answer rings its cards with dashes and selects nothing; a candidate can be taken."""
    table = open_table()
    table.show(samples.with_ladder(4))
    assert table.page.locator(".card.sug").count() == 4
    assert set(table.checked()) == {"false"}
    table.page.locator(".rung td button").first.click()
    assert table.checked().count("true") == 4


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_shut_rung_asks(open_table: OpenTable, size: tuple[int, int]) -> None:
    """A shut rung shows one button that sends its number."""
    table = open_table(size)
    table.show(samples.with_ladder(3))
    if size == PHONE:
        table.page.get_by_role("tab").nth(3).click()
    table.page.locator(".rung.shut button").click()
    assert table.sent() == [{"number": 7, "kind": "rung", "value": 3}]


def test_readings_are_a_choice(open_table: OpenTable) -> None:
    """Cards with two readings are played as the chosen one."""
    table = open_table()
    hand = samples.hand_of("3s 3h 3d 4s 4h 4d 5s 5h 5d 6s 6h 6d")
    data = samples.changed(samples.lead20(), hand=hand)
    cards = "333444555666"
    data["phase"] |= {
        "names": ["plane", "plane + singles"],
        "plays": [[cards, "", 0, "ok", "a"], ["444555666", "333", 1, "ok", "b"]],
    }
    table.show(data)
    table.tap(*range(12))
    table.page.get_by_role("button", name="plane + singles").click()
    assert table.play_text() == "Play plane + singles 444555666+333"
    table.page.locator(".act.play").click()
    assert table.sent("play")[0]["move"] == "b"


def test_unknown_selection_is_sent_only_where_the_list_was_cut(open_table: OpenTable) -> None:
    """If Python says that its list is not complete, a selection outside it may be sent."""
    table = open_table()
    data = samples.follow()
    data["phase"]["complete"] = False
    table.show(data)
    table.tap(0, 3)
    table.page.locator(".act.play").click()
    assert table.sent("play") == [{"number": 7, "kind": "play", "cards": ["c0", "c3"], "move": ""}]


def test_own_counter_is_kept_in_the_browser(open_table: OpenTable) -> None:
    """Numbers that the learner types stay over new data and go out only when checked."""
    table = open_table()
    data = samples.follow()
    data["counter"] = {
        "level": "self",
        "total": "",
        "check": "Check",
        "cells": [c | {"count": None, "all_out": False} for c in data["counter"]["cells"]],
    }
    table.show(data)
    cells = table.page.locator(".cells button")
    cells.nth(2).focus()
    table.page.keyboard.press("3")
    cells.nth(3).click()
    cells.nth(3).click()
    table.show(samples.changed(data, number=9))
    assert [cells.nth(i).inner_text().split()[-1] for i in (2, 3, 4)] == ["3", "3", "·"]
    assert table.focus() == "cell:A"
    table.page.get_by_role("button", name="Check").click()
    assert table.sent("counter")[0]["values"] == {"2": 3, "A": 3}


def test_storage_is_read_before_it_is_written(open_table: OpenTable) -> None:
    """A kept game is handed over once, and not overwritten by the data that asked for it."""
    table = open_table()
    table.page.evaluate("localStorage.setItem('paili:game', 'kept')")
    asking = samples.follow() | {
        "want_restore": "paili:game",
        "save": [{"key": "paili:game", "text": "new"}],
    }
    table.show(asking)
    table.show(samples.changed(asking, number=8, want_restore=None, save=[]))
    restores = table.page.evaluate("window.sent.filter(x => x[0] === 'restore').map(x => x[1])")
    assert restores == [{"key": "paili:game", "text": "kept", "storage": True}]
    assert table.page.evaluate("localStorage.getItem('paili:game')") == "kept"
    table.show(samples.changed(asking, number=9, want_restore=None))
    assert table.page.evaluate("localStorage.getItem('paili:game')") == "new"
    gone = [{"key": "paili:game", "text": None}]
    table.show(samples.changed(asking, number=10, want_restore=None, save=gone))
    assert table.page.evaluate("localStorage.getItem('paili:game')") is None


def test_refused_storage_is_said(open_table: OpenTable) -> None:
    """Where the browser refuses storage the table works and says so."""
    table = open_table(refuse=True)
    data = samples.follow() | {
        "want_restore": "paili:game",
        "save": [{"key": "paili:game", "text": "new"}],
    }
    table.show(data)
    table.tap(1)
    restores = table.page.evaluate("window.sent.map(x => x[1])")
    assert restores == [{"key": "paili:game", "text": None, "storage": False}]
    assert table.errors == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_markup_in_words_stays_text(open_table: OpenTable, size: tuple[int, int]) -> None:
    """No text of the data is ever read as markup."""
    table = open_table(size)
    evil = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'

    def spoil(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {k: spoil(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [spoil(v, key) for v in value]
        fixed = ("theme", "lang", "role", "kind", "id", "code", "rank", "suit", "level")
        more = ("status", "tone", "verdict", "game", "plays", "cards", "suggest")
        return value + evil if isinstance(value, str) and key not in fixed + more else value

    for state in STATES.values():
        table.show(spoil(state()))
    table.tap(0)
    table.page.wait_for_timeout(100)
    assert table.page.evaluate("window.hit") is None
    assert table.page.locator(".paili img, .paili script").count() == 0
    assert table.errors == []


def test_actions_are_announced_once(open_table: OpenTable) -> None:
    """Each line of the log is added once, in order, to a polite live region."""
    table = open_table()
    data = samples.follow()
    table.show(data)
    log = table.page.locator("[role=log]")
    assert log.get_attribute("aria-live") == "polite"
    table.show(samples.changed(data, number=8))
    more = [*data["log"], {"n": 3, "text": "You play QQQ+3."}]
    table.show(samples.changed(data, number=9, log=more))
    assert log.locator("p").all_inner_texts() == [line["text"] for line in more]


def test_summary_says_the_table_in_order(open_table: OpenTable) -> None:
    """The table in words comes first in the document, in the order given."""
    table = open_table()
    data = samples.follow()
    table.show(data)
    assert table.page.locator(".paili > section.sr p").all_inner_texts() == data["summary"]
    assert table.page.evaluate("document.querySelector('.paili').firstChild.className") == "sr"


def test_reduced_motion_has_none(open_table: OpenTable) -> None:
    """With reduced motion nothing moves."""
    table = open_table(reduced_motion="reduce")
    table.show(samples.follow())
    moving = table.page.evaluate(
        """() => [...document.querySelectorAll('.paili *')].filter(n => {
            const s = getComputedStyle(n);
            return s.animationName !== 'none' ||
                s.transitionProperty !== 'none' && s.transitionDuration !== '0s';
        }).length"""
    )
    assert moving == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_axe_finds_nothing(open_table: OpenTable, theme: str, size: tuple[int, int]) -> None:
    """An accessibility scan of the table has no findings."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    table = open_table(size, reduced_motion="reduce")
    for state in ("follow", "bidding", "over"):
        table.show(STATES[state](theme, "en"))
        found = axe.Axe().run(table.page, context=".paili").response["violations"]
        nodes = [(v["id"], [n["html"][:120] for n in v["nodes"][:3]]) for v in found]
        assert nodes == [], state


def test_every_word_key_of_the_module_is_listed() -> None:
    """Each key that the module looks up is among the words, and each word is looked up."""
    source = (ROOT / "ddz_core/render/table.js").read_text("utf-8")
    missing = [
        key
        for key in samples.WORDS
        if f'"{key.removesuffix("_one")}"' not in source and f"words.{key}" not in source
    ]
    assert missing == []
    assert "innerHTML" not in source
    assert "insertAdjacentHTML" not in source


def test_style_has_the_tokens(open_table: OpenTable) -> None:
    """The module loads nothing from outside."""
    table = open_table()
    outside: list[str] = []
    table.page.on("request", lambda request: outside.append(request.url))
    table.show(samples.follow())
    table.page.wait_for_timeout(50)
    assert [url for url in outside if not url.startswith("data:")] == []
    assert json.loads(json.dumps(samples.follow())) == samples.follow()
