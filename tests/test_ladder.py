"""Duplicate matches that are stopped, spread and taken up again, and the shipped ladder."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
from refusals import refused

import ddz_core as ddz
from ddz_core import bots, cli, ladder
from ddz_core.bots import match
from ddz_core.spreading import spreading

CLASSIC = ddz.load_ruleset("classic")
BEGINNER = "rule:character=beginner"


def last(task: ladder.Duel, part: Path | None = None, **where: object) -> match.DuplicateResult:
    """The result of a match played to its end."""
    with spreading(**where) as spread:
        return [*ladder.play(task, part, spread, keep_every=1)][-1]


def test_a_match_is_the_same_cut_stopped_or_in_one_piece(tmp_path: Path) -> None:
    """A match taken up again, and one of the function for whole matches, give the same numbers."""
    task = ladder.duel(CLASSIC, "sampler:samples=4:net=false", BEGINNER, deals=8, seed=3)
    whole = last(task)
    part = tmp_path / "cut.part"
    for number, _ in enumerate(ladder.play(task, part, keep_every=1)):
        if number == 0:
            break
    assert 0 < json.loads(part.read_text("utf-8"))["done"] < task.chunks
    assert last(task, part) == whole
    assert [*ladder.play(task, part)][-1] == whole
    again = match.duplicate(CLASSIC, "sampler:samples=4:net=false", BEGINNER, deals=8, seed=3)
    assert (again.win, again.points) == (whole.win, whole.points)
    other = ladder.duel(CLASSIC, "rule", BEGINNER, deals=8, seed=3)
    refused(ddz.DdzError, lambda: [*ladder.play(other, part)])


def test_bots_that_change_seats_share_the_games() -> None:
    """What one bot wins the other loses; a bot against itself wins half, and no points."""
    one = last(ladder.duel(CLASSIC, "rule", BEGINNER, deals=20))
    two = last(ladder.duel(CLASSIC, BEGINNER, "rule", deals=20))
    assert one.win.value == pytest.approx(1 - two.win.value)
    assert one.points.value == pytest.approx(-two.points.value)
    assert one.as_landlord.value == pytest.approx(1 - two.as_farmers.value)
    same = last(ladder.duel(CLASSIC, "rule", "rule", deals=20))
    assert same.win.value == 0.5
    assert same.points.value == 0


def test_a_cluster_of_two_workers_gives_the_result_of_one_process() -> None:
    """A match spread over a local dask cluster, or two processes, is the match of this process."""
    distributed = pytest.importorskip("distributed")
    task = ladder.duel(CLASSIC, "rule", "random", deals=20, seed=5)
    alone = last(task)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        assert last(task, scheduler=cluster.scheduler_address) == alone


def test_the_ladder_is_written_row_by_row(tmp_path: Path) -> None:
    """Every pairing becomes a row, a pairing played again replaces its row, and both are read."""
    tasks = ladder.pairings(("rule", BEGINNER, "random"), quick=10)
    assert len(tasks) == 3
    for _ in ladder.climb(tasks, tmp_path / "parts", tmp_path):
        pass
    found = ladder.read(tmp_path / ladder.FILE)
    assert {rung.result.deals for rung in found.rungs} == {10}
    assert found.entrants[-1] == "random"
    share, back = found.between("rule", "random"), found.between("random", "rule")
    assert share is not None
    assert back is not None
    assert share.value == pytest.approx(1 - back.value)
    assert len(found.frame()) == 3
    longer = ladder.pairings(("rule", "random"), quick=20)
    for _ in ladder.climb(longer, tmp_path / "parts", tmp_path):
        pass
    deals = [rung.result.deals for rung in ladder.read(tmp_path / ladder.FILE).rungs]
    assert sorted(deals) == [10, 10, 20]


def test_shipped_ladder_says_how_it_was_found() -> None:
    """Every shipped row has its deals, seed, rules and versions; every bot of it still exists."""
    for rung in ladder.shipped().rungs:
        one = rung.result
        assert one.deals >= 100
        assert one.win.low <= one.win.value <= one.win.high
        assert set(rung.versions) == {one.first, one.second}
        assert json.loads(rung.house) == ladder.RULES
        for text in (one.first, one.second):
            if text != "rlcard":
                assert bots.named(text)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verb plays a duplicate match, keeps it, and refuses what is no match of two."""
    part = tmp_path / "match.part"
    words = ("play", "--duplicate", "--bots", f"rule,{BEGINNER}", "--deals", "10", "--json")
    assert cli.main((*words, "--part", str(part))) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["deals"] == 10
    assert part.is_file()
    assert cli.main((*words, "--part", str(part))) == 0
    assert json.loads(capsys.readouterr().out) == told
    assert cli.main(("play", "--duplicate", "--bots", "rule", "--deals", "10")) == 2
    assert cli.main(("play", "--duplicate", "--bots", "rule,nobody")) == 2
    assert cli.main(("play", "--duplicate", "--bots", "rule,rule", "--deals", "1")) == 2
    assert "deals" in capsys.readouterr().err
    out = str(tmp_path)
    words = ("ladder", "--bots", "rule,random", "--deals", "5", "--out", out, "--work", out)
    assert cli.main(words) == 0
    assert ladder.read(tmp_path / ladder.FILE).rungs[0].result.deals == 5


@pytest.mark.skipif(importlib.util.find_spec("rlcard") is None, reason="rlcard is not installed")
def test_the_peer_plays_legally_and_loses() -> None:
    """RLCard's rule agent chooses legal actions at our tables; the rule bot beats it."""
    rules = ddz.load_ruleset("classic", ladder.RULES)
    peer = bots.named("rlcard")
    for number in range(6):
        game = match.forced(ddz.new_game(rules, ddz.deal(rules, seed=4, number=number)), number % 3)
        while game.to_act is not None:
            seen = ddz.observe(game, game.to_act)
            choice = peer.choose(seen, np.random.default_rng(1))
            assert choice in seen.legal()
            game = game.apply(choice)
    assert last(ladder.duel(rules, "rule", "rlcard", deals=60)).win.low > 0.6


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"first": "rule", "second": "nobody"}, "bot"),
        ({"first": "rule", "second": "random", "deals": 1}, "deals"),
        ({"first": "rule", "second": "random", "deals": 2.5}, "deals"),
        ({"first": "rule", "second": "random", "seed": -1}, "seed"),
    ],
)
def test_matches_that_cannot_be_are_refused(given: dict[str, object], field: str) -> None:
    """A bot that does not exist and numbers that cannot be are named."""
    with pytest.raises(ddz.DdzError) as caught:
        ladder.duel(CLASSIC, **given)
    assert caught.value.field == field
