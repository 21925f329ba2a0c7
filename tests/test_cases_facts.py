"""Bad facts given to the core: seats, seeds, bids, scores, positions, bots (R25 of the reports)."""

from __future__ import annotations

import string
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import bid_up, hand_of, random_game, start
from refusals import refused
from strategies import mixed_hands

import ddz_core as ddz

ROOT = Path(__file__).parent.parent
GOOD = {"landlords": [0], "bid": 2, "out": 0, "plays": [3, 2, 1], "bombs": ["5555"]}


@pytest.mark.parametrize(
    "wrong",
    [
        {"landlords": [3]},
        {"landlords": [0, 1, 2]},
        {"landlords": "0"},
        {"bid": 0},
        {"bid": 4},
        {"bid": -1},
        {"bid": "two"},
        {"bid": 1.5},
        {"out": 3},
        {"out": None},
        {"out": -1},
        {"plays": [3, 2]},
        {"plays": [0, 2, 1]},
        {"plays": [-1, 2, 1]},
        {"plays": [3, 2, 1, 1]},
        {"plays": 6},
        {"bombs": ["555"]},
        {"bombs": ["55556"]},
        {"bombs": ["XX"]},
        {"bombs": ["3З33"]},
        {"bombs": ["5555", "5555"]},
        {"bombs": ["4444"] * 9},
        {"bombs": "5555"},
        {"stake": 0},
        {"stake": -5},
        {"stake": "x"},
        {"factor": [1, 2, 2]},
        {"robs": 2},
        {"colour": "red"},
    ],
)
def test_impossible_facts_of_a_score_are_refused(wrong: dict) -> None:
    """A fact that this game does not have or that cannot be is refused and named."""
    rules = ddz.load_ruleset("classic")
    error = refused(ddz.DdzError, lambda: rules.score(**(GOOD | wrong)))
    assert error.field.startswith((next(iter(wrong)), "cards"))


@pytest.mark.parametrize("missing", ["bid", "out"])
def test_missing_facts_of_a_score_are_refused(missing: str) -> None:
    """A score without a bid or without the one who went out is refused."""
    facts = {name: value for name, value in GOOD.items() if name != missing}
    error = refused(ddz.DdzError, lambda: ddz.load_ruleset("classic").score(**facts))
    assert missing == error.field


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True, "x" * 1000])
def test_impossible_seeds_are_refused(seed: object) -> None:
    """A seed is a whole number of 64 bits; anything else is refused."""
    rules = ddz.load_ruleset("classic")
    assert "seed" == refused(ddz.DdzError, lambda: ddz.deal(rules, seed=seed)).field


@pytest.mark.parametrize("seat", [-1, 3, "0", 1.0, None])
def test_impossible_seats_are_refused(seat: object) -> None:
    """There are three seats; observing another is refused."""
    game = start("classic", 1)
    assert refused(ddz.DdzError, lambda: ddz.observe(game, seat)).field


@pytest.mark.parametrize("name", ["", "best", "random ", "../rule", None, 3])
def test_unknown_bots_are_refused(name: object) -> None:
    """A bot that does not exist is refused, and those there are are named."""
    error = refused(ddz.DdzError, lambda: ddz.bot(name))
    assert "rule" in str(error)
    assert "random" in str(error)


@pytest.mark.parametrize("ruleset", ["classic", "wuhan"])
@pytest.mark.parametrize(
    "calls", [["call"], [0], [-1], [4], [1.5], ["three"], [None], ["pass", "p"], ["1 2"], [[1]]]
)
def test_impossible_calls_are_refused(ruleset: str, calls: list) -> None:
    """A call that the bidding does not know is refused at its place, or cannot be read."""
    rules = ddz.load_ruleset(ruleset)
    try:
        bidding = rules.bidding(calls, first=0)
    except ddz.DdzError:
        refused(ddz.DdzError, lambda: rules.bidding(calls, first=0))
    else:
        assert ("illegal", len(calls) - 1) == (bidding.status, bidding.at)
        assert bidding.reason is not None


@pytest.mark.parametrize("first", [-1, 3, "0", None])
def test_impossible_first_speakers_are_refused(first: object) -> None:
    """Bidding begins at a seat that exists."""
    rules = ddz.load_ruleset("classic")
    refused(ddz.DdzError, lambda: rules.bidding([1], first=first))


# --- positions ------------------------------------------------------------------------------------

RULES = ddz.load_ruleset("classic")


@pytest.mark.parametrize(
    ("hands", "more", "kind"),
    [
        (["33333", "4"], {}, ddz.HandError),
        (["3333", "3"], {}, ddz.HandError),
        (["DD", "3"], {}, ddz.HandError),
        (["", "3"], {}, ddz.HandError),
        (["3334445556667778889TJ", "Q"], {}, ddz.HandError),
        (["3З", "4"], {}, ddz.NotationError),
        (["3"], {}, ddz.DdzError),
        (["3", "4", "5", "6"], {}, ddz.DdzError),
        ("34", {}, ddz.DdzError),
        (["3", "4"], {"to_move": 2}, ddz.DdzError),
        (["3", "4"], {"to_move": -1}, ddz.DdzError),
        (["3", "4"], {"beat": "56"}, ddz.NotACombination),
        (["3", "4444"], {"beat": "44444"}, ddz.HandError),
        (["3", "4444"], {"beat": "4"}, ddz.HandError),
        (["3", "4"], {"beat": "5", "beat_by": 0}, ddz.DdzError),
        (["3", "4"], {"beat": "5", "beat_by": 7}, ddz.DdzError),
        (["3", "4"], {"beat": "5=pair:1:5"}, ddz.NotACombination),
        (["3", "4"], {"beat_by": 1}, ddz.DdzError),
        (["3", "4"], {"landlords": (0, 1)}, ddz.DdzError),
        (["3", "4"], {"landlords": (5,)}, ddz.DdzError),
        (["3", "4"], {"landlords": ()}, ddz.DdzError),
    ],
)
def test_impossible_positions_are_refused(hands: object, more: dict, kind: type) -> None:
    """Open hands that cannot be, or a table that cannot be, are refused and named."""
    refused(kind, lambda: ddz.position(hands, rules=RULES, **more))


@given(mixed_hands(1, 20), mixed_hands(1, 17), st.integers(0, 1))
@settings(max_examples=60, deadline=None)
def test_position_codes_are_short_and_round_trip(one: str, other: str, to_move: int) -> None:
    """The code of any position has at most 120 characters of an address and gives it back."""
    try:
        position = ddz.position([one, other], to_move=to_move, rules=RULES)
    except ddz.HandError:
        return  # together too many of one card
    code = ddz.encode(position)
    assert len(code) <= 120
    assert set(code) <= set(string.ascii_letters + string.digits + "-_")
    again = ddz.decode(code)
    assert again == position
    assert code == ddz.encode(again)


def test_position_codes_carry_table_and_house_rules() -> None:
    """What lies on the table, how it is read, whose it is, and house rules survive the code."""
    rules = ddz.load_ruleset("classic", {"kickers.max_equal": 3, "kickers.next_triple": False})
    position = ddz.position(
        ["666777", "8889", "99"],
        to_move=2,
        beat="333444555TJQ",
        beat_by=0,
        rules=ddz.load_ruleset("classic"),
    )
    assert position == ddz.decode(ddz.encode(position))
    ambiguous = ddz.position(
        ["777888999TTT", "22"], beat="333444555666=plane_singles:3:5", rules=RULES, to_move=0
    )
    again = ddz.decode(ddz.encode(ambiguous))
    assert ("plane_singles", 3, "5") == (again.beat.kind, again.beat.length, again.beat.top)
    house = ddz.position(["34", "5"], rules=rules)
    assert rules == ddz.decode(ddz.encode(house)).rules


@pytest.mark.parametrize("ruleset", ["classic", "jinyou"])
def test_game_codes_keep_to_their_length(ruleset: str) -> None:
    """The code of a whole game, the longest of many, has at most 600 characters."""
    import random

    longest = 0
    for seed in range(12):
        for game in random_game(start(ruleset, seed), random.Random(seed)):
            last = game
        longest = max(longest, len(ddz.encode(last)))
    assert 100 < longest <= 600


# --- named readings in a game ---------------------------------------------------------------------


def test_named_readings_are_what_is_beaten() -> None:
    """A lead of 333444555666 can be named, the name is recorded, and it is what must be beaten."""
    rules = ddz.load_ruleset("classic")
    cards = "333444555666"
    deck = rules.deck_text()
    hands = ["", "", ""]
    hands[0] = cards + "2222A"
    used = hands[0] + "777888999TJQ"
    rest = list(deck)
    for card in used:
        rest.remove(card)
    hands[1] = "777888999TJQ" + "".join(rest[:5])
    hands[2] = "".join(rest[5:22])
    text = "/".join(hands) + "|" + "".join(rest[22:])
    game = bid_up(ddz.new_game(rules, ddz.deal_from_text(rules, text)), 0)
    assert cards[:3] in hand_of(game)
    unnamed = game.apply(cards)
    assert "plane" == unnamed.to_beat.kind
    assert not unnamed.can("777888999TJQ")
    named = game.apply(cards + "=plane_singles:3:5")
    assert ("plane_singles", 3, "5") == (
        named.to_beat.kind,
        named.to_beat.length,
        named.to_beat.top,
    )
    assert named.can("777888999TJQ")
    again = ddz.read_record(ddz.write_record(named))
    assert again.to_beat == named.to_beat
    assert "333444555666=plane_singles:3:5" in ddz.write_record(named)
    assert ddz.decode(ddz.encode(named)).to_beat == named.to_beat
    refused(ddz.IllegalAction, lambda: game.apply(cards + "=plane:3:6"))
    refused(ddz.NotationError, lambda: game.apply(cards + "=plane"))


# --- the command line -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["readings", "--ruleset", "classic", "33З"],
        ["readings", "--ruleset", "nosuch", "33"],
        ["readings", "--ruleset", "classic", "33333"],
        ["moves", "--ruleset", "classic", "3344", "--beat", "34"],
    ],
)
def test_command_line_refuses_in_one_sentence(arguments: list[str]) -> None:
    """Bad input on the command line: exit status 2 and one sentence on standard error."""
    done = subprocess.run(
        [sys.executable, "-m", "ddz_core", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 2 == done.returncode, done.stderr
    assert "" == done.stdout
    assert 1 == len(done.stderr.strip().splitlines()), done.stderr
    assert "Traceback" not in done.stderr
