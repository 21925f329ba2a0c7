"""Studies: sums over chunks that can be stopped, and what the shipped results must say."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from refusals import refused

import ddz_core as ddz
from ddz_core import cli, distributions, strengths, study

CLASSIC = ddz.load_ruleset("classic")


def test_shipped_study_is_of_these_bots_and_rules() -> None:
    """The shipped results have 200,000 hands or more, today's bot, today's rules of play."""
    found = study.methods()
    assert found.hands >= 200_000
    assert found.told["bot_version"] == study.bot_version()
    assert found.told["play"] == strengths.play_key(CLASSIC.ruleset)
    for table in strengths.shipped()["tables"].values():
        assert table["bot_version"] == study.bot_version()


def test_shipped_study_agrees_with_counting() -> None:
    """Points come as often as counting says; shares of the verdicts add up."""
    found = study.methods()
    shares = found.shares()
    exact = distributions.distribution("points", 17, CLASSIC).at_least(7).value
    error = (exact * (1 - exact) / found.hands) ** 0.5
    assert abs(shares["points"].value - exact) < 4 * error
    four = sum(shares[name].value for name in ("both", "only_points", "only_thumb", "neither"))
    assert four == pytest.approx(1)
    assert shares["agree"].value == pytest.approx(shares["both"].value + shares["neither"].value)
    assert shares["points"].value == pytest.approx(
        shares["both"].value + shares["only_points"].value
    )
    assert sum(found.spread("points").values()) == found.hands


def test_shipped_study_tells_something() -> None:
    """More points win more often; hands that both methods bid win most, those of neither least."""
    found = study.methods()
    by = found.by("points", "landlord")
    assert by[12].low > by[7].high > by[7].low > by[3].high
    ranked = [found.chance("landlord", v) for v in ("both", "only_points", "neither")]
    assert ranked[0].low > ranked[1].high > ranked[1].low > ranked[2].high
    assert found.gain("both").low > 0 > found.gain("neither").high
    assert all(row["hands"] >= 200 for row in found.grid())
    assert set(found.frame()["seed"]) == {found.seed}


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    """A run cut in two, or spread over a pool, gives the file of a run in one piece."""
    task = study.plan("methods", hands=1_400, seed=6)
    whole, cut = tmp_path / "whole.part", tmp_path / "cut.part"
    assert list(study.run(task, whole)) == [1, 2, 3]
    for number in study.run(task, cut, keep_every=1):
        if number == 2:
            break
    done, _ = study.read_part(task, cut)
    assert done in {1, 2}
    list(study.run(task, cut, spread=lambda work, numbers: [work(n) for n in list(numbers)]))
    one, two = study.ship(task, whole, tmp_path / "a"), study.ship(task, cut, tmp_path / "b")
    assert one.read_bytes() == two.read_bytes()
    found = study.read_methods(one)
    assert found.hands == 1_400 == int(found.cells["hands"].sum())
    other = study.plan("methods", hands=1_400, seed=7)
    refused(ddz.DdzError, lambda: study.read_part(other, whole))


def test_strengths_are_drawn_towards_their_mean() -> None:
    """Hands that are all alike have one quantile; a spread beyond chance keeps its order."""
    rng = np.random.default_rng(2)
    alike = np.bincount(rng.binomial(200, 0.4, 5_000), minlength=201)
    found = strengths.quantiles(alike)
    assert found == sorted(found)
    assert found[900] - found[100] < 0.02
    true = rng.beta(2, 3, 20_000)
    mixed = strengths.quantiles(np.bincount(rng.binomial(200, true), minlength=201))
    assert np.allclose(mixed[::100], np.quantile(true, np.linspace(0, 1, 11)), atol=0.06)
    assert np.allclose(mixed[100:901:100], np.quantile(true, np.linspace(0.1, 0.9, 9)), atol=0.012)


@pytest.mark.parametrize(
    ("name", "more"), [("tea", {}), ("methods", {"hands": 5}), ("methods", {"seed": -1})]
)
def test_plans_that_cannot_be_are_refused(name: str, more: dict[str, int]) -> None:
    """A study that does not exist and numbers that cannot be are named."""
    refused(ddz.DdzError, lambda: study.plan(name, **more))


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verb writes the file and says where; a second run adds its game to the strengths."""
    words = ("study", "methods", "--hands", "1000", "--out", str(tmp_path), "--json")
    assert cli.main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert Path(told["path"]).is_file()
    assert study.read_methods(tmp_path / "methods.json").hands == 1_000
    assert not list(tmp_path.glob("*.part"))
    assert cli.main(("study", "tea")) == 2
    assert "methods" in capsys.readouterr().err
