"""A review in a real browser: the curve can be clicked, a mistake retried, a phone holds it all."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from playing import bid_up, random_game, start

import ddz_core as ddz
from ddz_core.language import words

if TYPE_CHECKING:
    from conftest import AppServer

SIZES = {"desktop": (1280, 1400), "phone": (390, 1400)}
GAME = list(random_game(bid_up(start("classic", 3), 1), random.Random(3)))[-1]
POINTS = ".st-key-w_review_curve .scatterlayer .trace:last-child path.point"


@pytest.mark.parametrize("size", SIZES)
def test_a_review_is_read_by_clicking(visit, app_server: AppServer, size: str) -> None:
    """A click on the curve opens a decision, the board walks on, and nothing overflows."""
    say = words("en").say
    address = f"{app_server.url}/review?lang=en&g={ddz.encode(GAME)}&seat=1"
    page = visit(address, size=SIZES[size])
    page.locator(".st-key-panel_review_turning").wait_for(timeout=600_000)
    page.locator(".st-key-rv_progress").wait_for(state="detached", timeout=300_000)
    page.locator(POINTS).nth(6).wait_for(state="attached", timeout=30_000)
    box = page.locator(POINTS).nth(6).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function("location.search.includes('&i=')", timeout=30_000)
    page.get_by_role("button", name=say("review.step.next"), exact=True).click()
    page.get_by_text(say("review.step.at", n=1, of="").strip()).first.wait_for(timeout=30_000)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
