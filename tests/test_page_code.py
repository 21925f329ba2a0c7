"""The lines behind "code" on every page run as they stand and give the numbers the page shows."""

from __future__ import annotations

import contextlib
import io
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import ddz_core as ddz
from ddz_core import tabletop
from pages._kit import bidding_live, explorer_foot, jobs, session, table_tools

ROOT = Path(__file__).resolve().parent.parent
HAND = "33445566778899TJQ"
STRONG = "3345567789TJQKA2D"
AMBIGUOUS = "333444555666"
MOMENT = "lord=1;left=17/19/17;played=♥A;bottom=♠A♥J5;passes=1:2"


@pytest.fixture(autouse=True)
def _fresh_caches() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture
def feet(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """Collect what every foot of a page is given, by its name."""
    found: dict[str, dict[str, Any]] = {}
    real = explorer_foot.foot

    def foot(house: Any, name: str, rows: Any, code: str, **how: Any) -> None:
        found[name] = {"rows": [dict(row) for row in rows], "code": code, **how}
        real(house, name, rows, code, **how)

    monkeypatch.setattr(explorer_foot, "foot", foot)
    return found


def visit(page: str, **query: str) -> AppTest:
    """Open a page with this address."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=120)
    for key, value in ({"lang": "en"} | query).items():
        test.query_params[key] = value
    test.run()
    test.switch_page(f"pages/{page}.py").run()
    assert not test.exception
    return test


def run(code: str) -> tuple[str, dict[str, Any]]:
    """Run printed lines as they stand; return what they print, and the names they leave."""
    names: dict[str, Any] = {}
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, names)
    return out.getvalue(), names


def numbers(text: str) -> set[float]:
    """Return every number of a text."""
    return {float(x) for x in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)}


def given(value: float, among: set[float]) -> bool:
    """Tell whether a number is among those printed, as it is or rounded for a table in 100."""
    exact = (value, value / 100)
    if any(abs(a - b) <= 1e-9 * max(1.0, abs(a)) for a in exact for b in among):
        return True
    return any(value in (round(b, 4), round(100 * b, 4)) for b in among)


def checked(feet: dict[str, dict[str, Any]], names: set[str]) -> None:
    """Run the lines of these feet: they print every number that stands in a fraction."""
    assert names <= set(feet)
    for name in names:
        foot = feet[name]
        text, _ = run(foot["code"])
        found = numbers(text)
        lacking = [
            (column, value)
            for row in foot["rows"]
            for column, value in row.items()
            if isinstance(value, float) and not given(value, found)
        ]
        assert foot["rows"]
        assert not lacking, f"{name}: {lacking[:5]} of {foot['code']}"


def test_explorer(feet: dict[str, dict[str, Any]]) -> None:
    """Readings, plays, frequencies and hub ranks are those of the page."""
    visit("explorer", c=AMBIGUOUS, v="read")
    text, names = run(feet["readings"]["code"])
    assert names["hand"] == AMBIGUOUS
    sets = [row["sets of cards"] for row in feet["readings"]["rows"]]
    assert sum(sets) == sum(map(int, re.findall(r"sets=(\d+)", text)))
    visit("explorer", c=AMBIGUOUS, v="plays")
    _, names = run(feet["plays"]["code"])
    assert [str(m) for m in names["moves"]] == [row["cards"] for row in feet["plays"]["rows"]]
    visit("explorer", c=AMBIGUOUS, v="often")
    checked(feet, {"often"})
    visit("explorer", c=AMBIGUOUS, v="hubs")
    text, _ = run(feet["hubs"]["code"])
    sets = [row["ranks"].replace(" ", "") for row in feet["hubs"]["rows"]]
    assert sets == re.findall(r"'(\w+)'", text)


def test_surgeon(feet: dict[str, dict[str, Any]]) -> None:
    """The fewest plays, every split, and the five measures of both splits are those of the page."""
    visit("surgeon", c=HAND)
    text, _ = run(feet["fewest"]["code"])
    first, *splits = text.strip().splitlines()
    assert first.startswith(HAND)
    shown = [
        " · ".join(str(v) for k, v in row.items() if k != "split") for row in feet["fewest"]["rows"]
    ]
    assert splits == shown
    text, _ = run(feet["measures"]["code"])
    for row, place in ((text.splitlines()[0], "A"), (text.splitlines()[1], "B")):
        values = [int(x) for x in re.findall(r"=(-?\d+)", row)][:5]
        assert values == [line[place] for line in feet["measures"]["rows"]]


@pytest.mark.parametrize("moment", ["", MOMENT])
def test_odds(feet: dict[str, dict[str, Any]], moment: str) -> None:
    """Maps, chances and kinds, before and during play, and the spreads, are those of the page."""
    visit("odds", c=HAND, s=moment)
    checked(feet, {"odds-chance", "odds-map", "odds-kinds"})
    text, _ = run(feet["odds-layouts"]["code"])
    for line, row in zip(text.strip().splitlines(), feet["odds-layouts"]["rows"], strict=True):
        assert all(str(value) in line for name, value in row.items() if name != "layout")
    if not moment:
        feet.clear()
        visit("odds", c=HAND, v="spread")
        checked(feet, {name for name in feet if name not in ("odds-turns", "odds-split")})


def test_bidding(feet: dict[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """The book, the chances and the calls are those of the page, deal for deal."""
    monkeypatch.setattr(bidding_live, "DEALS", (1_000, 2_000))
    test = visit("bidding", c=STRONG)
    end = time.monotonic() + 100
    job = json.loads(test.session_state[session.BID])["job"]
    while jobs.runner().look(job).live and time.monotonic() < end:
        time.sleep(0.2)
    test.run()
    assert not test.exception
    checked(feet, {"chance", "calls"})
    _, names = run(feet["book"]["code"])
    report = names["report"]
    values = {row["method"]: row["value"] for row in feet["book"]["rows"]}
    assert (values["points"], values["turns"]) == (report.points, report.turns)
    assert [values[one.rule] for one in report.thumb] == [
        f"met {one.met}, exception {one.exception}" for one in report.thumb
    ]
    bottom, _ = run(feet["bottom"]["code"])
    found = numbers(bottom)
    lacking = [
        value
        for row in feet["bottom"]["rows"]
        for value in row.values()
        if isinstance(value, float) and not given(value, found)
    ]
    assert not lacking


def test_table() -> None:
    """The lines under the link open the game on the table and say what its seat sees."""
    rules = ddz.load_ruleset("classic")
    table = tabletop.advanced(tabletop.start(rules, seed=3, seat=2))
    text, names = run(table_tools.code_lines(table))
    seen = table.observation()
    assert names["seen"] == seen
    assert text.split()[:3] == [seen.phase, str(seen.contract), str(seen.multiplier)]
    test = visit("table", g=ddz.encode(table.game), seat="2")
    assert not test.error
