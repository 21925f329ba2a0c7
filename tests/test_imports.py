"""Games of other programs: read as they are written, written as they are read, or refused."""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import bid_up, random_game, start
from refusals import refused

import ddz_core as ddz
from ddz_core import cli, imports
from ddz_core.imports import botzone
from ddz_core.language import words

SEEDS = st.tuples(st.integers(0, 2**32), st.integers(0, 2**32))


def finished(seed: int, choices: int) -> ddz.Game:
    """One whole game of random play."""
    rng = random.Random(choices)
    game = bid_up(start("classic", seed), rng.randrange(3), rng.choice((1, 2, 3)))
    return list(random_game(game, rng))[-1]


GAME = finished(4, 4)


def plays(game: ddz.Game, turn: int = 0) -> list[tuple[int, str]]:
    """Seat and cards of every play and pass, the seats turned."""
    return [
        ((entry.seat + turn) % 3, entry.action.partition("=")[0])
        for entry in game.history
        if entry.phase == "play" and entry.seat is not None
    ]


def turned(read: ddz.Game, game: ddz.Game) -> int:
    """How far the seats of a game that was read are turned against the one written."""
    return (game.landlords[0] - read.landlords[0]) % 3


def changed(name: str, change: Any) -> str:
    """The sample game in a format, with its data changed."""
    data = json.loads(imports.write(GAME, name))
    change(data)
    return json.dumps(data)


def put(key: str, value: object) -> Any:
    """What sets a key of a game's data."""
    return lambda data: data.update({key: value})


@pytest.mark.parametrize("name", imports.FORMATS)
@given(SEEDS)
@settings(max_examples=8, deadline=None)
def test_written_games_are_read_back(name: str, spec: tuple[int, int]) -> None:
    """Every format gives back landlord, hands at the lead, bottom, every play and the outcome."""
    game = finished(*spec)
    read = imports.read(imports.write(game, name))
    assert isinstance(read, ddz.Game)
    turn = turned(read, game)
    assert plays(read, turn) == plays(game)
    assert read.outcome == game.outcome
    for seat in range(3):
        same = (seat + turn) % 3
        assert ddz.format_cards(sum_of(read.deal.hands[seat])) == ddz.format_cards(
            sum_of(game.deal.hands[same])
        )
    if name in ("paili", "code"):
        assert read == game


def sum_of(cards: tuple[ddz.Card, ...]) -> int:
    """Physical cards as a packed hand."""
    return sum(1 << 4 * card.lane for card in cards)


@given(SEEDS)
@settings(max_examples=8, deadline=None)
def test_botzone_keeps_bids_and_suits(spec: tuple[int, int]) -> None:
    """The log of a match keeps the bids, the contract, and which physical card lay where."""
    game = finished(*spec)
    read = imports.read(imports.write(game, "botzone"))
    assert isinstance(read, ddz.Game)
    assert (read.contract, read.first) == (game.contract, 0)
    assert [read.deal.hands[(seat - game.first) % 3] for seat in range(3)] == list(game.deal.hands)


@given(SEEDS, st.integers(0, 2))
@settings(max_examples=10, deadline=None)
def test_one_bots_log_tells_the_game_when_another_seat_went_out(
    spec: tuple[int, int], pick: int
) -> None:
    """What a bot saw gives the whole game if a third hand follows from own, played and bottom."""
    game = finished(*spec)
    seats = [seat for seat in range(3) if seat != game.out]
    seat = seats[pick % 2]
    read = imports.read(json.dumps(bot_log(game, seat)))
    assert isinstance(read, ddz.Game)
    assert plays(read, turned(read, game)) == plays(game)
    assert read.outcome == game.outcome


def bot_log(game: ddz.Game, seat: int) -> dict[str, Any]:
    """Requests and responses of one seat, as the judge of Botzone sends them."""
    lord = game.landlords[0]
    numbers = [
        (e.seat, [botzone.number_of(c.rank, "♠♥♣♦"[c.suit]) for c in e.laid])
        for e in game.history
        if e.phase == "play"
    ]
    own = [botzone.number_of(c.rank, "♠♥♣♦"[c.suit]) for c in game.deal.hands[seat]]
    bottom = [botzone.number_of(c.rank, "♠♥♣♦"[c.suit]) for c in game.deal.bottom]
    requests: list[dict[str, Any]] = []
    responses = []
    for place, (who, laid) in enumerate(numbers):
        if who != seat:
            continue
        before = [[], [], *(laid for _, laid in numbers[:place])][-2:]
        requests.append({"history": before})
        responses.append(laid)
    last = max(i for i, (who, _) in enumerate(numbers) if who == seat)
    after = [laid for _, laid in numbers[last + 1 :]]
    requests.append({"history": [*after, [], []][:2]})
    requests[0] |= {"own": own, "publiccard": bottom, "landlord": lord, "pos": seat, "finalbid": 3}
    return {
        "requests": [{"own": own, "bid": []}, *requests],
        "responses": [0, *responses],
    }


def test_a_hand_that_follows_from_the_others_need_not_be_told() -> None:
    """One hand left out is what the deck has besides the others and the bottom."""
    for role in ("landlord", "landlord_down", "landlord_up"):
        read = imports.read(changed("douzero", put(role, None)))
        assert isinstance(read, ddz.Game)
        assert plays(read, turned(read, GAME)) == plays(GAME)


def test_a_bots_log_of_its_own_win_lacks_two_hands() -> None:
    """Where two hands are neither told nor played out, the error says how many are told."""
    error = refused(ddz.RecordError, lambda: imports.read(json.dumps(bot_log(GAME, GAME.out or 0))))
    assert error.key == "error.import.hands"
    assert error.got == "1"


def test_douzero_letters_in_lines() -> None:
    """Lines of roles and letters are read, with passes in any of the usual words."""
    told = json.loads(imports.write(GAME, "douzero"))
    hands = {role: "".join(map(letter, told[role])) for role in told if role != SEQ}
    passes = ["pass", "PASS", "p", "", "不出", "要不起"]
    moves = told[SEQ].split(",")
    worded = [passes[i % 6] if move == "pass" else move for i, move in enumerate(moves)]
    lines = [f"{role}: {cards}" for role, cards in hands.items()]
    text = "\n".join([*lines, "actions: " + ",".join(worded)])
    read = imports.read(text)
    assert isinstance(read, ddz.Game)
    assert plays(read, turned(read, GAME)) == plays(GAME)
    assert dict(read.headers)["source"] == "douzero"


SEQ = "card_play_action_seq"


def letter(number: int) -> str:
    """DouZero's number of a rank as its letter."""
    return {17: "2", 20: "X", 30: "D"}.get(number) or "3456789TJQKA"[number - 3]


def test_deal_and_plays_in_two_lines() -> None:
    """A deal with the landlord first, and the plays below it divided by blanks, is a game."""
    hands = GAME.deal.text().partition("|")[0].split("/")
    lord = GAME.landlords[0]
    deal = "/".join(hands[lord:] + hands[:lord]) + "|" + GAME.deal.text().partition("|")[2]
    moves = " ".join(action for _, action in plays(GAME))
    read = imports.read(f"{deal}\n{moves}\n")
    assert isinstance(read, ddz.Game)
    assert plays(read, lord) == plays(GAME)


def test_rlcard_state_and_trajectories() -> None:
    """A last state with all hands, and the first states of three players, give the same game."""
    lord = GAME.landlords[0]
    moved = [((seat - lord) % 3, action) for seat, action in plays(GAME)]
    trace = [(seat, rlcard(action)) for seat, action in moved]
    start_hands = [
        rlcard(ddz.format_cards(sum_of(GAME.at(place(GAME)).held[(lord + turn) % 3])))
        for turn in range(3)
    ]
    left = [rlcard(GAME.hand_text((lord + turn) % 3)) for turn in range(3)]
    seen = rlcard(ddz.format_cards(sum_of(GAME.deal.bottom)))
    final = {"landlord": 0, "seen_cards": seen, "trace": trace, "hand_cards": left}
    states = [
        [
            {
                "raw_obs": {
                    "self": s,
                    "current_hand": h,
                    "landlord": 0,
                    "seen_cards": seen,
                    "trace": [],
                }
            }
        ]
        for s, h in enumerate(start_hands)
    ]
    ends = [{"raw_obs": {"self": 0, "current_hand": left[0], "landlord": 0, "trace": trace}}, 3]
    for text in (json.dumps(final), repr(final), json.dumps([*states, ends])):
        read = imports.read(text)
        assert isinstance(read, ddz.Game)
        assert plays(read) == moved
        assert read.outcome == GAME.outcome


def place(game: ddz.Game) -> int:
    """The number of actions before the first play."""
    return next(entry.index for entry in game.history if entry.phase == "play")


def rlcard(text: str) -> str:
    """Cards as RLCard writes them."""
    return text if text == "pass" else text.replace("X", "B").replace("D", "R")


def test_replay_packed_as_a_text() -> None:
    """A replay inside a row, packed twice as servers send it, is found."""
    replay = imports.write(GAME, "rlcard")
    row = {"name": "doudizhu", "index": 0, "replay": json.dumps(str(json.loads(replay)))}
    read = imports.read(json.dumps([row]))
    assert isinstance(read, ddz.Game)
    assert plays(read) == plays(GAME)


def test_bottom_that_is_not_told_stays_hidden_from_farmers() -> None:
    """Without bottom cards three of the landlord's stand for them, and farmers do not see them."""
    told = json.loads(imports.write(GAME, "rlcard"))
    del told["seen_cards"]
    read = imports.read(json.dumps(told))
    assert isinstance(read, ddz.Game)
    assert dict(read.headers)["bottom"] == imports.NOT_TOLD
    farmer = (GAME.landlords[0] + 1) % 3
    assert ddz.observe(read.at(place(read)), farmer).bottom is None


def test_program_kickers_are_found() -> None:
    """A play that only DouZero allows, both jokers beside four cards, is legal in its games."""
    text = (
        "4444XD3355567789TJQK/33566677888999TTT/JJJQQQKKKAAAA2222|789\n"
        "4444XD pass pass 3 5 J pass pass"
    )
    read = imports.read(text)
    assert isinstance(read, ddz.Game)
    assert plays(read)[0] == (0, "4444XD")
    assert read.rules.overrides == {"kickers.both_jokers": True}
    error = refused(ddz.RecordError, lambda: imports.read(text, ddz.load_ruleset("classic")))
    assert (error.key, error.field) == ("error.import.action", "line 2")


@pytest.mark.parametrize("name", ["paili", "code", "douzero", "rlcard", "botzone"])
def test_several_games_in_one_text(name: str) -> None:
    """Games one after the other come as a list in their order."""
    games = [finished(seed, seed) for seed in (1, 2, 3)]
    text = "\n".join(imports.write(game, name) for game in games)
    read = imports.read(text)
    assert isinstance(read, list)
    assert [plays(one, turned(one, game)) for one, game in zip(read, games, strict=True)] == [
        plays(game) for game in games
    ]


def test_a_bad_game_does_not_spoil_the_others() -> None:
    """Asked for every game, the others are given and the bad one says its number and why."""
    good = imports.write(GAME, "rlcard")
    bad = json.loads(good)
    bad["moveHistory"][0]["playerIdx"] = (bad["moveHistory"][0]["playerIdx"] + 1) % 3
    found = imports.every("\n".join([good, json.dumps(bad), good]))
    assert [isinstance(one, ddz.Game) for one in found] == [True, False, True]
    error = found[1]
    assert isinstance(error, ddz.RecordError)
    assert error.params["number"] == 2
    assert words("en").error(error).startswith("Game 2: moveHistory[0].move: at action 1 seat")
    with pytest.raises(ddz.RecordError, match="game 2"):
        imports.read("\n".join([good, json.dumps(bad), good]))


@pytest.mark.parametrize(
    ("text", "key", "field"),
    [
        ("", "unknown", "text"),
        ("3344", "unknown", "text"),
        ("<script>alert(1)</script>", "unknown", "text"),
        ("{", "data", "line 1, column 2"),
        ("[" * 5000, "data", "line 1"),
        ("{}", "unknown", "text"),
        ("landlord: 33344", "hands", "hands"),
        ("landlord: 33?44", "cards", "line 1"),
        ("landlord\n3/4/5", "line", "line 1"),
        ("3/4|5", "field", "line 1"),
        (changed("douzero", put("landlord", [3, 99])), "field", "landlord[1]"),
        (changed("douzero", put("landlord", 5)), "field", "landlord"),
        (changed("douzero", put("landlord_up", [3] * 17)), "deal", "deal"),
        (changed("douzero", put("three_landlord_cards", "DXD")), "bottom", "bottom"),
        (changed("douzero", put(SEQ, "3,?")), "cards", f"{SEQ}[1]"),
        (changed("douzero", put(SEQ, 7)), "field", SEQ),
        (changed("douzero", put(SEQ, "XD,3")), "action", f"{SEQ}[0]"),
        (changed("rlcard", put("initHands", ["S3"])), "field", "initHands"),
        (changed("rlcard", put("initHands", None)), "field", "initHands"),
        (
            changed("rlcard", put("moveHistory", [{"playerIdx": 5}])),
            "field",
            "moveHistory[0].playerIdx",
        ),
        (changed("rlcard", put("moveHistory", [7])), "field", "moveHistory[0]"),
        ('{"trace": [[0]]}', "field", "trace[0]"),
        ('{"requests": [], "responses": []}', "field", "requests"),
        ('{"requests": [{"own": [54], "history": [[], []]}]}', "field", "requests[0].own[0]"),
        ('{"requests": [{"own": [3, 3], "history": [[], []]}]}', "twice", "requests[0].own"),
        ('[{"output": 5}]', "field", "log[0].output"),
    ],
)
def test_what_is_wrong_is_named(text: str, key: str, field: str) -> None:
    """Bad input is refused with the field, what was expected, what came, and a catalogue key."""
    error = refused(ddz.RecordError, lambda: imports.read(text))
    assert error.key == f"error.import.{key}"
    assert error.field == field


def test_plays_after_the_end_and_out_of_turn_are_named() -> None:
    """A play too many and a wrong seat say which action of the source it is."""
    number = len(plays(GAME)) + 1
    longer = changed("douzero", lambda data: data.update({SEQ: data[SEQ] + ",3"}))
    error = refused(ddz.RecordError, lambda: imports.read(longer))
    assert (error.key, error.params["number"]) == ("error.import.over", number)
    assert error.field == f"{SEQ}[{number - 1}]"


@given(
    st.text(max_size=60) | st.text(alphabet='[]{}",:0123456789landord_upXDpass /|\n', max_size=80)
)
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text raises anything but an error of the family."""
    with contextlib.suppress(ddz.DdzError):
        imports.read(text)


NAMES = [
    *("landlord", "landlord_up", "trace", "self", "moveHistory", "initHands", "requests", "games"),
    *("responses", "history", "own", "log", "output", "content", "0", "display", "replay"),
    *("playerInfo", "allocation", "publiccard", "current_hand", "raw_obs", "bid", "landlord_down"),
]
JSONS = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 60) | st.sampled_from(["pass", "33", "S3", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(NAMES),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSONS)
@settings(max_examples=300, deadline=None)
def test_any_data_is_read_or_refused(value: object) -> None:
    """No data, whatever its shape, raises anything but an error of the family."""
    with contextlib.suppress(ddz.DdzError):
        imports.read(json.dumps(value))


def test_named_formats() -> None:
    """A format may be named; one that is unknown is refused with the list."""
    assert imports.read(imports.write(GAME), format="paili") == GAME
    error = refused(ddz.DdzError, lambda: imports.read("3", format="pgn"))
    assert error.expected == ", ".join(imports.FORMATS)
    refused(ddz.DdzError, lambda: imports.write(GAME, "pgn"))
    refused(ddz.RecordError, lambda: imports.read(imports.write(GAME, "rlcard"), format="botzone"))


def test_a_running_game_is_not_shown_to_other_programs() -> None:
    """A running game with a seed is not written, for every card would be in it."""
    running = bid_up(start("classic", 3), 0)
    for name in ("douzero", "rlcard", "botzone"):
        error = refused(ddz.RecordError, lambda name=name: imports.write(running, name))
        assert error.key == "error.import.running"
    other = refused(ddz.RecordError, lambda: imports.write(start("laizi", 1), "rlcard"))
    assert other.key == "error.import.write"


def test_rules_may_be_given() -> None:
    """Given rules are used; rules with other seats are refused."""
    text = imports.write(GAME, "rlcard")
    rules = ddz.load_ruleset("classic", {"score.stake": 5})
    read = imports.read(text, rules)
    assert isinstance(read, ddz.Game)
    assert read.rules == rules
    error = refused(ddz.RecordError, lambda: imports.read(text, ddz.load_ruleset("classic-4p")))
    assert error.key == "error.import.rules"


def test_the_command_line_reads_them_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of another program is a game for every verb that takes one."""
    file = tmp_path / "game.json"
    file.write_text(imports.write(GAME, "rlcard"), encoding="utf-8")
    assert cli.main(["record", str(file)]) == 0
    assert "source: rlcard" in capsys.readouterr().out
    file.write_text(f"[{imports.write(GAME, 'rlcard')}, {imports.write(GAME, 'rlcard')}]", "utf-8")
    assert cli.main(["record", str(file)]) == 2
    assert "2 games" in capsys.readouterr().err
