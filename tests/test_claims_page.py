"""The laboratory's page: claims open, links carry conditions, runs refine and can be stopped."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import ddz_core as ddz
from ddz_core import claims
from ddz_core.game import Game
from ddz_core.language import LANGUAGES, words
from pages._kit import claims_words

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _fresh_caches() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()


def visit(lang: str = "en", **query: str) -> AppTest:
    """Open the page with this address."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    for key, value in ({"lang": lang} | query).items():
        test.query_params[key] = value
    test.run()
    test.switch_page("pages/claims.py").run()
    assert not test.exception
    return test


def markup(test: AppTest) -> str:
    """Return all markup of a page."""
    return "".join(str(one.proto.body) for one in test.get("html"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_claim_has_its_row_and_verdict(lang: str) -> None:
    """The table shows each claim by title with the verdict that its numbers give."""
    test = visit(lang)
    labels = {b.key: b.label for b in test.button}
    for row in claims.table():
        assert row.claim.id in labels[f"w_claim_{row.claim.id}"]
        assert claims_words.tag(words(lang), row.ruling.verdict) in markup(test)


@pytest.mark.parametrize("name", sorted(claims.claims())[::5])
def test_a_claim_opens_by_its_row(name: str) -> None:
    """One click shows wording, verdict and numbers; one more goes back."""
    test = visit()
    test.button(key=f"w_claim_{name}").click().run()
    assert not test.exception
    assert test.query_params["claim"] == name
    test.button(key="w_claim_back").click().run()
    assert not test.exception
    assert "claim" not in test.query_params


def test_filters_leave_what_fits() -> None:
    """A verdict chosen leaves its claims alone."""
    test = visit()
    test.button_group(key="w_claim_verdicts").set_value(["not_testable"]).run()
    shown = {b.key.removeprefix("w_claim_") for b in test.button if b.key.startswith("w_claim_")}
    assert shown == {r.claim.id for r in claims.table() if r.ruling.verdict == "not_testable"}


def test_a_run_refines_can_be_stopped_and_leaves_a_verdict() -> None:
    """A run with a condition moved shows its numbers with their verdict, and stops when told."""
    test = visit(claim="D8")
    before = markup(test).count('class="paili-verdict')
    test.button(key="w_claim_run").click().run()
    for _ in range(100):
        time.sleep(0.1)
        test.run()
        assert not test.exception
        if markup(test).count('class="paili-verdict') > before:
            break
    else:
        pytest.fail("no running result came")
    running = [b for b in test.button if b.key == "w_claim_stop"]
    if running:
        running[0].click().run()
        for _ in range(100):
            time.sleep(0.1)
            test.run()
            if not [b for b in test.button if b.key == "w_claim_stop"]:
                break
        else:
            pytest.fail("the run did not stop")
    assert markup(test).count('class="paili-verdict') > before


@pytest.mark.parametrize(
    "query",
    [
        {"claim": "Z9"},
        {"claim": "R4", "b": "7"},
        {"claim": "R4", "b": "<b>"},
        {"claim": "<b>x</b>"},
    ],
)
def test_wrong_links_are_refused(query: dict[str, str]) -> None:
    """A claim or condition that cannot be leaves a sentence and the table."""
    test = visit(**query)
    assert test.error
    assert test.button(key="w_claim_B1")


@pytest.mark.parametrize("name", [r.claim.id for r in claims.table() if r.result][::4])
def test_examples_open_where_the_decision_is(name: str) -> None:
    """The deals for and against decode to a moment at which the seat named is to act."""
    result = claims.shipped_results()[name]
    for one in result.examples.values():
        found = ddz.decode(one.code)
        if isinstance(found, Game):
            assert one.kind == "game"
            assert found.to_act is not None
        else:
            assert one.kind == "position"
