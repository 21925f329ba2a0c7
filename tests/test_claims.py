"""The claims laboratory: verdicts by rule, exact numbers, the same numbers from the same seed."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

import ddz_core as ddz
from ddz_core import claims, cli, probability, study
from ddz_core.claims import (
    calling,
    guesses,
    manners,
    places,
    playing,
    reading,
    running,
    verdict,
)
from ddz_core.claims import experiment as experiments
from ddz_core.claims import moments as moments_module
from ddz_core.claims.front import check
from ddz_core.claims.results import asked
from ddz_core.claims.verdict import ENOUGH, Cell, Ruling
from ddz_core.estimate import Estimate
from ddz_core.language import LANGUAGES
from ddz_core.rulesets import load

CLASSIC = load("classic")
ALL = claims.claims()
TESTABLE = [one for one in ALL.values() if one.testable]
PLAYED = sorted(
    {one.experiment for one in TESTABLE if claims.registry()[one.experiment].work is not None}
)
NUMBERS = (
    *(f"B{n}" for n in range(1, 11)),
    *(f"P{n}" for n in range(1, 7)),
    *(f"D{n}" for n in range(1, 11)),
    *(f"R{n}" for n in range(1, 14)),
    *(f"Q{n}" for n in range(1, 6)),
    "W1",
)
MARGINS = {"probability": 0.01, "points": 0.05}


def sampled(low: float, high: float, n: int = ENOUGH) -> Estimate:
    """Return a sampled number with this interval."""
    return Estimate(value=(low + high) / 2, low=low, high=high, n=n, method="sampled", seed=1)


# --- verdicts ------------------------------------------------------------------------------------


@given(st.floats(-1, 1), st.floats(0, 0.5), st.sampled_from([-1, 1]), st.integers(0, 10_000))
def test_a_sampled_cell_is_decided_by_interval_and_number(
    middle: float, half: float, want: int, n: int
) -> None:
    """For and against need 2,000 pairs and an interval clear of the margin; never both."""
    cell = Cell(name="x", want=want)
    value = sampled(middle - half, middle + half, n)
    found = verdict.status(cell, value, 0.01)
    assert (found == "few") == (n < ENOUGH)
    if found == "for":
        assert min(value.low * want, value.high * want) >= 0.01
    if found in ("against", "same"):
        assert max(value.low * want, value.high * want) <= 0.01
    mirrored = verdict.status(replace(cell, want=-want), value, 0.01)
    assert not (found == "for" and mirrored == "for")
    if found == "same":
        assert mirrored == "same"
        assert verdict.status(replace(cell, want=0), value, 0.01) == "for"


@given(st.floats(-1, 1), st.floats(-1, 1), st.sampled_from([-1, 1]))
def test_an_exact_cell_is_decided_as_it_stands(value: float, line: float, want: int) -> None:
    """A counted number needs no margin: it lies on the side that the claim says, or it does not."""
    cell = Cell(name="x", want=want, line=line)
    found = verdict.status(cell, Estimate(value=value, low=value, high=value, method="exact"), 0.01)
    assert found == ("for" if (value - line) * want > 0 else "against")


FOR, AGAINST, SAME = sampled(0.02, 0.04), sampled(-0.04, -0.02), sampled(-0.005, 0.005)
OPEN, FEW = sampled(-0.01, 0.03), sampled(0.02, 0.04, ENOUGH - 1)
EXACT = Estimate(value=0.5, low=0.5, high=0.5, method="exact")


@pytest.mark.parametrize(
    ("values", "expected", "reason"),
    [
        ([FOR], "supported", ""),
        ([FOR, FOR], "supported", ""),
        ([EXACT], "proven", ""),
        ([EXACT, FOR], "supported", ""),
        ([AGAINST], "refuted", ""),
        ([SAME], "refuted", ""),
        ([FOR, AGAINST], "depends", "cells"),
        ([FOR, SAME], "depends", "cells"),
        ([EXACT, AGAINST], "depends", "cells"),
        ([FOR, AGAINST, OPEN], "depends", "cells"),
        ([OPEN], "open", "margin"),
        ([FOR, OPEN], "open", "margin"),
        ([FEW], "open", "deals"),
        ([FOR, FEW, OPEN], "open", "deals"),
        ([], "open", "deals"),
    ],
)
def test_the_verdict_follows_from_the_cells(
    values: list[Estimate], expected: str, reason: str
) -> None:
    """Every mixture of cells has one verdict, with its reason."""
    found = verdict.judge([(Cell(name=str(i)), v) for i, v in enumerate(values)], MARGINS)
    assert (found.verdict, found.reason) == (expected, reason)


def test_cells_that_are_only_shown_change_no_verdict() -> None:
    """A cell that does not count may say what it likes."""
    cells = [(Cell(name="a"), FOR), (Cell(name="b", counts=False), AGAINST)]
    assert verdict.judge(cells, MARGINS).verdict == "supported"


@given(
    st.lists(st.sampled_from(["supported", "refuted", "depends", "open"]), min_size=2, max_size=2)
)
def test_two_families_must_agree(found: list[str]) -> None:
    """Two families give their common verdict, or it depends on them; one alone is told as one."""
    rulings = {name: Ruling(verdict=v) for name, v in zip(("rule", "net"), found, strict=True)}  # type: ignore[arg-type]
    both = verdict.combine(rulings)
    assert both.agree == (found[0] == found[1])
    if both.agree:
        assert both.verdict == found[0]
    else:
        assert both.verdict == ("open" if "open" in found else "depends")
    alone = verdict.combine({"rule": rulings["rule"]})
    assert (alone.verdict, alone.agree, alone.families) == (found[0], None, ("rule",))


# --- exact numbers -------------------------------------------------------------------------------


def test_jokers_together_after_a_pass() -> None:
    """R4: before the pass 48.9 %; after it by habit; even at 1 only 58 % are the landlord's."""
    assert reading.together(0) == Fraction(326, 666)
    found = [reading.together(b) for b in (0.5, 0.8, 0.9, 1)]
    assert found == [Fraction(326, 496), Fraction(326, 394), Fraction(326, 360), 1]
    assert [round(float(f), 3) for f in found] == [0.657, 0.827, 0.906, 1]
    assert reading.landlord_rocket() == Fraction(190, 326)


def test_aces_by_counting_and_habit() -> None:
    """R5: 30.2 % landlord both, 50.8 % one each, 19.0 % partner both; certain at habit 1."""
    assert [round(float(f), 3) for f in reading.aces()] == [0.302, 0.508, 0.190]
    assert sum(reading.aces()) == 1
    assert reading.pair_of_aces(0) == reading.aces()[0] == Fraction(19, 63)
    assert reading.pair_of_aces(1) == 1


def test_a_void_rank_grows_less_likely_to_be_a_bomb() -> None:
    """R6: 0.1026 at the deal; 0.093, 0.077, 0.048 for equal hands later; 0.272 for 12 and 4."""
    sizes = [(17, 17), (12, 12), (8, 8), (5, 5), (12, 4)]
    found = [reading.all_four(*pair) for pair in sizes]
    assert found[0] == Fraction(2 * math.comb(17, 4), math.comb(34, 4))
    assert [round(float(f), 4) for f in found] == [0.1026, 0.0932, 0.0769, 0.0476, 0.2725]


def test_counted_numbers_of_the_bidding() -> None:
    """B2, B7: 17 of 54 hold the big joker; the bottom brings 0.158, 0.298, 0.081; 53 % no point."""
    assert calling.holds_one(CLASSIC) == Fraction(17, 54)
    found = claims.registry()["hope_for_bottom"].numbers(_ask("B7"))
    assert [round(found[name].value, 3) for name in ("joker", "two", "fourth", "no_point")] == [
        *(0.158, 0.298, 0.081, 0.534),
    ]
    assert calling.drawn(2, 37) == 1 - Fraction(math.comb(35, 3), math.comb(37, 3))


def test_somebody_holds_a_bomb() -> None:
    """The chance that somebody of 17, 17 and 20 cards holds a bomb or rocket is 0.544668."""
    found = probability.anybody(["bomb", "rocket"], [17, 17, 20], CLASSIC)
    assert round(found.value, 6) == 0.544668


def test_three_cards_are_seldom_one_play() -> None:
    """D1: three random cards form a triple in two deals of a thousand."""
    assert moments_module.triple_of_three(_ask("D1")) == Fraction(13 * 4, math.comb(54, 3))


@pytest.mark.parametrize("length", [5, 6, 7, 8])
def test_what_a_straight_saves(length: int) -> None:
    """P3: a straight of L ranks saves L - 1 - k plays where no three pairs are neighbours."""
    for paired in [(), (1,), (0, 2), (0, 2, 4)]:
        assert places.straight_saves(length, paired, CLASSIC) == length - 1 - len(paired)
    assert places.straight_saves(5, (1, 2, 3), CLASSIC) == -1


def test_breaking_even() -> None:
    """B10: raising pays from one half on by any factor; a hand that loses chance needs more."""
    for factor in (2, 4, 8):
        assert manners.break_even(Fraction(factor)) == Fraction(1, 2)
        assert manners.break_even(Fraction(factor), Fraction(9, 10)) > Fraction(1, 2)


def test_hub_ranks_and_solved_families() -> None:
    """R12, P4, D4: no straight without 7 and 10; the joker's family and feeding next are proven."""
    assert claims.registry()["singles_shown"].numbers(_ask("R12"))["hub"].value == 0
    won, total, first = places.pairs_hold("classic", 3, "D", "single")
    assert won == total > 40
    assert set(first) == {"for"}
    won, total, first = places.pairs_hold("classic", 2, "22", "single")
    assert 0 < won < total
    assert {side: ddz.solve(start).value for side, start in first.items()} == {
        "for": -1,
        "against": 1,
    }
    fed, of = places.fed("classic", between=False)
    assert fed == of


def test_bits_of_a_layout() -> None:
    """R9: two ranks of two cards in two hands of two have the bits that listing them gives."""
    pool = np.zeros((1, 16), dtype=np.int64)
    pool[0, :2] = 2
    found = guesses.layout_bits(pool, np.array([2]), np.array([2]))[0]
    chances = [Fraction(1, 6), Fraction(4, 6), Fraction(1, 6)]
    expected = -sum(float(c) * math.log2(c) for c in chances)
    assert found == pytest.approx(expected)


def _ask(name: str, **moved: float) -> experiments.Ask:
    return asked(ALL[name], moved)


# --- files ---------------------------------------------------------------------------------------


def test_every_claim_has_a_file() -> None:
    """All forty-five claims are there, in order, and nothing is wrong with their files."""
    assert tuple(ALL) == NUMBERS
    assert claims.errors() == {}
    assert {one.group for one in ALL.values()} == set(claims.GROUPS)


@pytest.mark.parametrize("name", NUMBERS)
def test_every_claim_is_worded_whole(name: str) -> None:
    """Title, wording, lesson and every cell that can appear have words in each language."""
    one = ALL[name]
    assert one.sources
    for lang in LANGUAGES:
        assert one.title.of(lang)
        assert one.wording.of(lang) != one.title.of(lang)
        if not one.testable:
            assert one.instead is not None
            assert one.instead.of(lang)
    if not one.testable:
        return
    variants: list[dict[str, float]] = [{}]
    variants += [{s.name: s.low if s.default != s.low else s.high} for s in one.conditions]
    for moved in variants:
        ask = asked(one, moved)
        for cell in claims.registry()[one.experiment].cells(ask):
            for lang in LANGUAGES:
                assert one.cell_text(cell.name, lang) != cell.name, cell.name
    for lang in LANGUAGES:
        texts = [one.cell_text(key, lang) for key in one.cells]
        assert len(texts) == len(set(texts)), "two cells with the same words"


def test_untestable_claims_say_what_is_taught() -> None:
    """The claims on hesitation and on memory are not testable."""
    assert [one.id for one in ALL.values() if not one.testable] == ["R7", "R10"]
    row = next(row for row in claims.table() if row.claim.id == "R7")
    assert row.ruling.verdict == "not_testable"
    refused(ddz.DdzError, lambda: claims.run(ALL["R7"], deals=2_000))


GOOD = (Path(claims.spec.folder()) / "R4.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("group =", "colour = 3\ngroup ="),
        ('group = "reading"', 'group = "cooking"'),
        ('method = "exact"', 'method = "opinion"'),
        ('experiment = "rocket_after_pass"', 'experiment = ""'),
        ("low = 0\n", "low = 2\n"),
        ("default = 0.9", "default = 7"),
        ("step = 0.05", "step = 0"),
        ("deals = ", "deals = 5 #"),
        ('id = "R4"', 'id = "fourth"'),
        ("[title]\nen = ", '[title]\nen = "" #'),
        ("[title]", "[title"),
        ('unit = "share"', "unit = 3"),
    ],
)
def test_a_claim_file_that_is_wrong_is_named(old: str, new: str) -> None:
    """Unknown keys, wrong ranges and missing texts are refused with the file's name."""
    assert old in GOOD
    error = refused(ddz.DdzError, lambda: claims.read(GOOD.replace(old, new, 1), "R4.toml"))
    assert "R4.toml" in str(error)


def test_a_bad_file_leaves_the_others_working(tmp_path: Path) -> None:
    """Of a folder with one wrong file all the others can be used."""
    (tmp_path / "R4.toml").write_text(GOOD, "utf-8")
    (tmp_path / "R5.toml").write_text(GOOD, "utf-8")
    (tmp_path / "R6.toml").write_bytes(b"\xff\xfe")
    found, errors = claims.load_folder(tmp_path)
    assert list(found) == ["R4"]
    assert set(errors) == {"R5.toml", "R6.toml"}


def test_unknown_experiments_and_parameters_are_refused() -> None:
    """A claim may not name an experiment or a parameter that is not there, or a wider range."""
    text = GOOD.replace("rocket_after_pass", "crystal_ball")
    assert "crystal_ball" in str(refused(ddz.DdzError, lambda: check(claims.read(text))))
    text = GOOD.replace('name = "b"', 'name = "z"')
    refused(ddz.DdzError, lambda: check(claims.read(text)))
    text = GOOD.replace("high = 1\n", "high = 3\n")
    refused(ddz.DdzError, lambda: check(claims.read(text)))
    for moved in ({"b": 2.0}, {"q": 0.5}, {"b": math.nan}):
        refused(ddz.DdzError, lambda moved=moved: ALL["R4"].values(moved))  # type: ignore[misc]


# --- links ---------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.sampled_from(TESTABLE), st.data())
def test_links_come_back(one: claims.Claim, data: st.DataObject) -> None:
    """A link with moved conditions and seed reads as what was written."""
    moved = {}
    for slider in one.conditions:
        steps = round((slider.high - slider.low) / slider.step)
        moved[slider.name] = round(slider.low + slider.step * data.draw(st.integers(0, steps)), 6)
        moved[slider.name] = min(moved[slider.name], slider.high)
    link = claims.link_of(one, moved, seed=7)
    query = dict(part.split("=") for part in link.removeprefix("?").split("&"))
    found, values, seed = claims.read_link(query)
    assert (found.id, seed) == (one.id, 7)
    assert found.values(values) == pytest.approx(one.values(moved))


def test_links_that_cannot_be_are_refused() -> None:
    """A claim that is not there, a value that is no number or out of range, a seed that is none."""
    assert claims.link_of(ALL["R4"], {"b": 0.8}) == "?claim=R4&b=0.8"
    for query in (
        {"claim": "Z9"},
        {"claim": "R4", "b": "x"},
        {"claim": "R4", "b": "7"},
        {"claim": "R4", "b": "nan"},
        {"claim": "R4", "seed": "-1"},
        {},
    ):
        refused(ddz.DdzError, lambda query=query: claims.read_link(query))  # type: ignore[misc]
    assert claims.read_link({"claim": "R4", "other": "1"})[1] == {}


# --- running -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAYED)
def test_every_experiment_runs(name: str) -> None:
    """One chunk of every experiment gives whole numbers in cells that it declares, and examples."""
    one = next(c for c in TESTABLE if c.experiment == name)
    ask = asked(one)
    experiment = claims.registry()[name]
    outcome = running.outcome_of(experiment, ask, 0)
    cells = experiment.cells(ask)
    names = {cell.name for cell in cells}
    assert len(names) == len(cells)
    assert outcome.deals > 0
    assert names <= set(outcome.parts) | set(experiment.numbers(ask))
    for values, where in outcome.parts.values():
        assert values.dtype == np.int64
        assert len(values) == len(where)
    cell, (values, where) = next((c, p) for c, p in outcome.parts.items() if len(p[0]))
    assert outcome.show is not None
    code, seat = outcome.show(int(where[0]))
    game = ddz.decode(code)
    assert isinstance(game, ddz.Game), cell
    assert 0 <= seat < game.seats
    assert len(code) <= 600


def test_the_same_seed_gives_the_same_numbers() -> None:
    """A live run of some deals and the chunks of the command agree; another seed does not."""
    one = ALL["D10"]
    live = claims.run(one, deals=2_000, seed=5)
    task = running.task_of(one, asked(one, seed=5), ddz.load_ruleset("classic"), 2_000)
    sums = task(0) + task(1)
    experiment = claims.registry()[one.experiment]
    found = experiments.estimates_of(live.cells, sums, experiment.scale, 5)
    assert found == live.estimates("rule")
    assert live.deals == {"rule": 2_000}
    other = claims.run(one, deals=2_000, seed=6)
    assert other.estimates("rule") != live.estimates("rule")


def test_a_live_run_refines_and_stops() -> None:
    """Every chunk gives a result with more deals; a cancelled run ends after the chunk it is at."""

    class Once:
        asked = 0

        def is_set(self) -> bool:
            self.asked += 1
            return self.asked > 2

    seen = [result.deals["rule"] for result in claims.runs(ALL["D3"], deals=3_000)]
    assert seen == [1_000, 2_000, 3_000]
    stopped = [
        result.deals["rule"] for result in claims.runs(ALL["D3"], deals=9_000, cancel=Once())
    ]
    assert stopped == [1_000, 2_000]


def test_moving_a_condition_moves_the_verdict() -> None:
    """R4 depends on the habit; at one habit it is refuted, at another proven."""
    assert claims.run(ALL["R4"], deals=1_000).ruling == Ruling(verdict="depends", reason="cells")
    assert claims.run(ALL["R4"], {"b": 0.5}, deals=1_000).verdict == "refuted"
    assert claims.run(ALL["R4"], {"b": 1.0}, deals=1_000).verdict == "proven"


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    """A run cut in two, or spread over a pool, gives the file of a run in one piece."""
    one, rules = ALL["D10"], ddz.load_ruleset("classic")
    task = running.task_of(one, asked(one, seed=3), rules, 4_000)
    whole, cut = tmp_path / "whole.part", tmp_path / "cut.part"
    assert list(running.work_through(task, whole)) == [1, 2, 3, 4]
    for number in running.work_through(task, cut, keep_every=1):
        if number == 2:
            break
    done, _ = running.read_part(task, cut)
    assert done in {1, 2}
    list(running.work_through(task, cut, spread=lambda work, ns: [work(n) for n in list(ns)]))
    assert json.loads(whole.read_text())["sums"] == json.loads(cut.read_text())["sums"]
    more = replace(task, deals=5_000)
    assert list(running.work_through(more, cut)) == [5]
    refused(ddz.DdzError, lambda: running.read_part(replace(task, seed=4), whole))
    whole.write_text("{", "utf-8")
    refused(ddz.DdzError, lambda: running.read_part(task, whole))


@pytest.mark.parametrize("deals", [0, 1, True, 2.5, 10**9])
def test_numbers_of_deals_that_cannot_be_are_refused(deals: object) -> None:
    """Deals are a whole number from two to a hundred millions."""
    refused(ddz.DdzError, lambda: claims.run(ALL["D3"], deals=deals))  # type: ignore[arg-type]


def test_families_and_rules_that_cannot_be_are_refused() -> None:
    """A family that is not there or cannot play this, and rules that the claim is not made for."""
    refused(ddz.DdzError, lambda: claims.run(ALL["D3"], family="oracle", deals=1_000))
    refused(ddz.DdzError, lambda: claims.run(ALL["B8"], family="net", deals=1_000))
    refused(
        ddz.DdzError,
        lambda: claims.run(ALL["D3"], rules=ddz.load_ruleset("arena-4p"), deals=1_000),
    )


# --- games ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", playing.FAMILIES)
def test_pairs_share_their_deals(family: str) -> None:
    """Games that go on from a decision with the bot's own action end as they ended."""
    table = playing.table_of(CLASSIC, family)
    hands, bottoms = playing.landlord_first(CLASSIC, 60, playing.rng_of(9, 0))
    assert (hands.sum(axis=1) == np.uint64(CLASSIC.deck_cards)).all()
    trace = table.traced(playing.Batch.of(hands, bottoms, seed=3))
    at = trace.first(trace.choice & (trace.tricks >= 3))
    batch = trace.at(at)
    again, _ = table.play(batch)
    assert (again == trace.results[trace.game[at]]).all()
    forced = np.flatnonzero(trace.cards[at])
    told = batch.take(forced).forcing(trace.cards[at[forced]], trace.played[at[forced]])
    again, _ = table.play(told)
    assert (again == trace.results[trace.game[at[forced]]]).all()


def test_games_are_those_of_the_bots() -> None:
    """The kernel of the experiments ends every deal as the rule bot's own kernel does."""
    table = playing.table_of(CLASSIC, "rule")
    hands, bottoms = playing.landlord_first(CLASSIC, 300, playing.rng_of(4, 0))
    results, _ = table.play(playing.Batch.of(hands, bottoms))
    weights = [playing.rule.weights_of(playing.rule.fitted(CLASSIC))] * 3
    lords = np.zeros(300, dtype=np.int64)
    winners, _, _ = table.engine.play_deals(weights, hands.reshape(-1), lords)
    assert ((results & 1) == (winners == 0)).all()


def test_a_picked_action_is_what_was_asked_for() -> None:
    """A pick plays its form, the lowest top first; where nothing fits the pair is left out."""
    table = playing.table_of(CLASSIC, "rule")
    hands, bottoms = playing.landlord_first(CLASSIC, 200, playing.rng_of(5, 0))
    pick = playing.Pick(how=playing.BEST, form=table.form("33"), order=playing.LOWEST)
    trace = table.traced(playing.Batch.of(hands, bottoms).picked(pick))
    first = np.flatnonzero(trace.rows[:, 10] == 0)
    counts = trace.counts()[first]
    lowest = (counts[:, :13] >= 2).argmax(axis=1)
    assert (trace.cards[first] == (np.uint64(2) << (4 * lowest).astype(np.uint64))).all()
    rocket = playing.Pick(how=playing.BEST, form=table.form("444435"))
    results, _ = table.play(playing.Batch.of(hands, bottoms).picked(rocket))
    has_four = (playing.lanes_of(hands[:, 0])[:, :13] == 4).any(axis=1)
    assert ((results < 0) == ~has_four).all()


def test_settings_hold_a_seat() -> None:
    """A farmer with no bombs allowed plays none, and a pass of the picked action is a pass."""
    table = playing.table_of(CLASSIC, "rule")
    hands, bottoms = playing.landlord_first(CLASSIC, 300, playing.rng_of(6, 0))
    batch = playing.Batch.of(hands, bottoms)
    none = playing.Seat(quota=0)
    trace = table.traced(batch, [[playing.Seat(), none, none]])
    bombs = trace.played >> 26 > 0
    assert bombs.any()
    assert (trace.seat[bombs] == 0).all()
    free = table.traced(batch)
    assert (free.seat[free.played >> 26 > 0] != 0).any()
    whole = playing.Seat(memory=playing.EVERYTHING)
    again, _ = table.play(batch, [[whole, whole, whole]])
    assert (again == free.results).all()
    at = free.first(free.choice & free.against())
    passed = table.traced(free.at(at).picked(playing.Pick(how=playing.PASS)))
    rows = np.searchsorted(passed.game, np.arange(len(at))) + free.rows[at, 10]
    assert (passed.cards[rows] == 0).all()
    assert (passed.hands[rows] == free.hands[at]).all()


def test_examples_stand_at_the_decisive_position() -> None:
    """An example of Q1 has a farmer with 22 to act on the landlord's AA."""
    one = ALL["Q1"]
    found = claims.examples(claims.registry()[one.experiment], asked(one), _cells(one))
    assert set(found) == {"for", "against"}
    for example in found.values():
        game = ddz.decode(example.code)
        assert isinstance(game, ddz.Game)
        assert game.phase == "play"
        assert game.to_act == example.seat
        assert game.to_beat is not None
        assert game.to_beat.cards == "AA"
        assert game.hand_text(example.seat).count("2") in {2, 3}
        assert example.query == f"?g={example.code}&seat={example.seat}"


def _cells(one: claims.Claim) -> tuple[Cell, ...]:
    return claims.registry()[one.experiment].cells(asked(one))


# --- shipped results -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [one.id for one in TESTABLE])
def test_every_claim_has_a_result(name: str) -> None:
    """Each result belongs to its claim and says of itself what the rules say of its numbers."""
    result = claims.shipped_results()[name]
    one = ALL[name]
    assert dict(result.values) == dict(asked(one).values)
    assert result.cells == _cells(one)
    kept = json.loads((claims.spec.folder() / "results" / f"{name}.json").read_text("utf-8"))
    assert (kept["verdict"], kept["reason"]) == (result.ruling.verdict, result.ruling.reason)
    assert claims.read_result(result.text()) == result
    counted = claims.registry()[one.experiment].counted
    if counted is not None:
        assert result.numbers[""] == claims.registry()[one.experiment].numbers(asked(one))
    for example in result.examples.values():
        ddz.decode(example.code)
    if "rule" in result.versions:
        assert result.versions["rule"] == study.bot_version()
        assert set(result.examples) == {"for", "against"}


def test_the_table_of_verdicts() -> None:
    """The coach's front page has a row for every claim, as a frame too."""
    rows = claims.table()
    assert [row.claim.id for row in rows] == list(NUMBERS)
    frame = claims.frame("zh-Hans")
    assert list(frame["id"]) == list(NUMBERS)
    assert set(frame["verdict"]) <= set(claims.VERDICTS)
    assert {"wording", "effect", "low", "high", "n", "families", "agree", "method"} <= set(frame)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verb runs a claim, writes its result, lists verdicts, and refuses what is not there."""
    words = ["claims", "D10", "--deals", "2000", "--family", "rule", "--out", str(tmp_path)]
    assert cli.main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told[0]["deals"] == {"rule": 2_000}
    assert [path.name for path in tmp_path.iterdir()] == ["D10.json"]
    assert cli.main(["claims", "--list"]) == 0
    assert capsys.readouterr().out.startswith("B1")
    assert cli.main(["claims", "D3", "R4", "--check"]) == 0
    assert cli.main(["claims", "Z3"]) == 2
    assert "Z3" in capsys.readouterr().err
