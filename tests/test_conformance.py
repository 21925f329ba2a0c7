"""The legal plays of three public engines, position by position, with the options of each.

The files hold facts only: 60 positions for each engine, listed by running it.  A flagged line is
one where the engine has a known fault; it says what the difference must be.
"""

from __future__ import annotations

import json
from pathlib import Path

import oracle
import pytest
from strategies import ENGINES, options_of

import ddz_core as ddz

FILES = Path(__file__).parent / "conformance"
SOURCES = ("douzero", "rlcard", "openspiel")
POSITIONS = [
    (source, number, json.loads(line))
    for source in SOURCES
    for number, line in enumerate(
        (FILES / f"oracle-{source}.jsonl").read_text(encoding="utf-8").splitlines(), 1
    )
]
FOUR_TWO = {"four_two_singles", "four_two_pairs"}
CHAINS = {"straight", "pair_straight", "plane"}


def expected_plays(position: dict) -> set[str]:
    """The plays the engine lists, its known faults put right as their flags say."""
    plays = set(position["legal"]) - {"pass"}
    hand = position["hand"]
    for flag in position.get("flags", []):
        if flag == "bomb_over_rocket":
            plays = {play for play in plays if len(set(play)) > 1 or len(play) != 4}
        elif flag == "chain_from_quad_missing":
            table = position["to_beat"]
            missing = {
                reading.cards
                for reading in oracle.leads(hand)
                if reading.kind in CHAINS and hand.count(reading.main[0]) == 4
            }
            if table is not None:
                missing = {play for play in missing if oracle.can_beat(play, table)}
            plays |= missing
        else:
            raise AssertionError(f"unknown flag {flag}")
    return plays


def engine_plays(rules: ddz.Rules, position: dict) -> set[str]:
    """What the package lists for a position."""
    return {str(move) for move in rules.moves(position["hand"], beat=position["to_beat"])}


@pytest.mark.parametrize("source", SOURCES)
def test_each_file_has_sixty_positions(source: str) -> None:
    """A cut or lost file of positions is noticed."""
    assert 60 == sum(name == source for name, _, _ in POSITIONS)


@pytest.mark.parametrize(("source", "number", "position"), POSITIONS, ids=lambda v: str(v)[:12])
def test_oracle_agrees_with_the_engine_of_the_file(
    source: str, number: int, position: dict
) -> None:
    """With the options of an engine the slow oracle lists exactly its plays."""
    options = options_of(ENGINES[source])
    if position["to_beat"] is None:
        found = oracle.leads(position["hand"], options)
    else:
        table = oracle.unnamed(oracle.readings(position["to_beat"], options))
        found = oracle.answers(position["hand"], table, options)
    assert expected_plays(position) == {reading.cards for reading in found}


@pytest.mark.parametrize(("source", "number", "position"), POSITIONS, ids=lambda v: str(v)[:12])
def test_moves_agree_with_the_engine_of_the_file(source: str, number: int, position: dict) -> None:
    """With the options of an engine the package lists exactly its plays."""
    rules = ddz.load_ruleset("classic", ENGINES[source])
    assert expected_plays(position) == engine_plays(rules, position)


@pytest.mark.parametrize(("source", "number", "position"), POSITIONS, ids=lambda v: str(v)[:12])
def test_pass_is_listed_exactly_when_following(source: str, number: int, position: dict) -> None:
    """The files and the package mean the same by a lead: no pass, and no pass among the moves."""
    rules = ddz.load_ruleset("classic", ENGINES[source])
    assert (position["to_beat"] is not None) == ("pass" in position["legal"])
    assert "pass" not in engine_plays(rules, position)


@pytest.mark.parametrize("source", ["douzero", "openspiel"])
def test_options_of_an_engine_are_told_from_ours(source: str) -> None:
    """The engine's own options are needed for its file; with ours some position differs.

    (The positions of the third file happen to hold none of the points where it differs from us.)
    """
    ours = ddz.load_ruleset("classic")
    positions = [position for name, _, position in POSITIONS if name == source]
    assert any(engine_plays(ours, p) != expected_plays(p) for p in positions)
