"""The measurements run, say what they measured, and refuse what they do not know."""

from __future__ import annotations

import json

import pytest

from ddz_core import bench
from ddz_core.bench import peers
from ddz_core.bench.row import batches, race


def test_engine_part_measures_every_question(capsys: pytest.CaptureFixture[str]) -> None:
    """The engine's figures are positive numbers with a unit and a number of positions."""
    assert 0 == bench.main(["engine", "--json", "--work", "0.1"])
    data = json.loads(capsys.readouterr().out)
    said = " ".join(row["what"] for row in data["rows"])
    for question in ("lead lists", "answers", "can beat", "readings", "random games", "public"):
        assert question in said
    assert all(row["ours"] > 0 and row["n"] > 0 and row["unit"] for row in data["rows"])


def test_a_peer_that_is_not_installed_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the other engines the part names each of them as not installed."""

    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(peers.importlib, "import_module", missing)
    rows = list(peers.rows(0.1))
    assert {"open-spiel", "douzero", "rlcard"} == {row.what for row in rows}
    assert {"not installed"} == {row.note for row in rows}
    assert all("not installed" in row.line() for row in rows)


@pytest.mark.parametrize("words", [["nothing"], ["engine", "--work", "99"]])
def test_unknown_parts_and_amounts_are_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong word gets one sentence on standard error and the exit status 2."""
    assert 2 == bench.main(words)
    shown = capsys.readouterr()
    assert "" == shown.out
    assert 1 == len(shown.err.splitlines())


def test_a_race_asks_each_position_once() -> None:
    """Batches share no item, and the ratio is theirs to ours."""
    parts = batches(list(range(70)), 7)
    assert list(range(70)) == [item for part in parts for item in part]
    asked: list[str] = []
    ours, theirs, ratio = race(
        [(10, lambda: asked.append("a"), lambda: [asked.append("b") for _ in range(20_000)])] * 3
    )
    assert 3 == asked.count("a")
    assert ours > theirs
    assert ratio > 1
