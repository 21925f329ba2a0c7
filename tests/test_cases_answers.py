"""Faults others reported in comparing plays and listing answers (public reports R08, R09, R11)."""

from __future__ import annotations

import random

import pytest
from oracle import ORDER, leads, readings
from strategies import FULL_DECK

import ddz_core as ddz


def listed(hand: str, beat: str | None = None) -> list[str]:
    """The plays of a hand as sorted card texts."""
    return sorted(str(move) for move in ddz.load_ruleset("classic").moves(hand, beat=beat))


@pytest.mark.parametrize(
    ("play", "table", "allowed"),
    [
        ("22", "22", False),
        ("XD", "34567", True),
        ("XD", "333444555666", True),
        ("4444", "34567", True),
        ("45678", "34567", True),
        ("456789", "34567", False),
        ("5555", "6666", False),
        ("44455567", "3334449K", True),
        ("XD", "5555", True),
        ("6666", "5555", True),
        ("4444", "5555", False),
        ("555534", "4444", False),
    ],
)
def test_r08_r09_reported_couples(play: str, table: str, allowed: bool) -> None:
    """The reported couples of plays compare as the report says."""
    assert allowed == ddz.load_ruleset("classic").beats(play, table)


def some_of_every_shape(number: int) -> dict[tuple[str, int], list[str]]:
    """A few plays of every kind and length, each with exactly one reading."""
    shapes: dict[tuple[str, int], list[str]] = {}
    for reading in sorted(leads(FULL_DECK)):
        shapes.setdefault((reading.kind, reading.length), []).append(reading.cards)
    rng = random.Random(11)
    return {
        shape: [c for c in rng.sample(plays, min(number, len(plays))) if len(readings(c)) == 1]
        for shape, plays in shapes.items()
    }


def test_r08_equal_ranks_never_beat() -> None:
    """No play of any kind beats its equal, with the same kickers or with others."""
    rules = ddz.load_ruleset("classic")
    for (kind, _), plays in some_of_every_shape(12).items():
        for play in plays:
            assert not rules.beats(play, play), (kind, play)
    assert not rules.beats("3336", "3335")
    assert not rules.beats("444555JQ", "44455567")
    assert not rules.beats("666689", "6666KA")


def test_r08_bombs_and_the_rocket_over_every_shape() -> None:
    """Every bomb beats every play that is no bomb, and the rocket beats everything else."""
    rules = ddz.load_ruleset("classic")
    for (kind, length), plays in some_of_every_shape(6).items():
        for play in plays:
            for bomb in ("3333", "9999", "2222"):
                expected = kind not in ("rocket", "bomb")
                if kind == "bomb":
                    expected = ORDER.index(bomb[0]) > ORDER.index(play[0])
                assert expected == rules.beats(bomb, play), (bomb, play)
            assert (kind != "rocket") == rules.beats("XD", play), (kind, length, play)


def test_r08_nothing_else_crosses_kinds_or_lengths() -> None:
    """A play of one shape never beats one of another shape, bombs and rocket aside."""
    rules = ddz.load_ruleset("classic")
    shapes = some_of_every_shape(3)
    for shape, plays in shapes.items():
        for other, tables in shapes.items():
            if shape != other and shape[0] not in ("bomb", "rocket"):
                for play in plays:
                    for table in tables:
                        assert not rules.beats(play, table), (play, table)


def test_r09_bombs_answer_bombs() -> None:
    """A hand with three bombs and the rocket answers a bomb with each higher one."""
    hand = "333377779999XD"
    assert ["7777", "9999", "XD"] == listed(hand, "5555")
    assert ["9999", "XD"] == listed(hand, "7777")
    assert ["XD"] == listed(hand, "2222")
    assert [] == listed(hand, "XD")


def test_r09_each_bomb_and_rocket_doubles() -> None:
    """A bomb and then the rocket double the multiplier twice."""
    rules = ddz.load_ruleset("classic")
    ledger = rules.score(landlords=[0], bid=1, out=0, plays=[5, 1, 1], bombs=["5555", "XD"])
    assert [8, -4, -4] == list(ledger.points)  # 2 · 1 · 2 · 2


@pytest.mark.parametrize(
    ("hand", "beat", "expected"),
    [
        ("7777334455XD", "66", "77 7777 XD"),
        ("334455", None, "3 4 5 33 44 55 334455"),
        ("34445678", "3334", "3444 4445 4446 4447 4448"),
        ("2222AAKX", "A", "2 X 2222"),
        ("334455", "334455", ""),
        ("XD5", None, "5 X D XD"),
        ("44445", "DX", ""),
    ],
)
def test_r11_reported_lists(hand: str, beat: str | None, expected: str) -> None:
    """The reported hands have exactly the plays of the report, each once."""
    assert sorted(expected.split()) == listed(hand, beat)


def test_r11_no_group_twice() -> None:
    """Lists are by rank: one hand with many suits lists every set of cards and reading once."""
    rules = ddz.load_ruleset("classic")
    moves = rules.moves(FULL_DECK)
    shown = [(str(m), m.kind, m.length, m.top) for m in moves]
    assert len(shown) == len(set(shown))
    suits = rules.moves("♠3♥3♣3♦3♠4♥5")
    assert [str(m) for m in rules.moves("333345")] == [str(m) for m in suits]
