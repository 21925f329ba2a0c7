"""Faults others reported in the flow of a game and its score (reports R07, R09, R12, R14, R18)."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from oracle import text
from playing import (
    FAMILY,
    bid_up,
    cards_of,
    deal_text,
    drive,
    fields,
    hand_of,
    is_bomb,
    lowest,
    passing,
    random_game,
    shared_out,
    start,
)
from refusals import refused
from strategies import FULL_DECK

import ddz_core as ddz

SPRINGS = {"score.spring": 2, "score.anti_spring": 2}


def set_game(dealt: str, landlord: int = 0, overrides: dict[str, object] | None = None) -> ddz.Game:
    """A game from a deal in text, bidding over and the given seat landlord at 3."""
    rules = ddz.load_ruleset("classic", overrides or {})
    return bid_up(ddz.new_game(rules, ddz.deal_from_text(rules, dealt)), landlord)


def play(game: ddz.Game, *actions: str) -> ddz.Game:
    """The game after some actions."""
    for action in actions:
        game = game.apply(action)
    return game


# --- the trick -----------------------------------------------------------------------------------


def test_000_usual_game_the_worked_trick() -> None:
    """Who passed may play later in the trick, and who played last leads the next one."""
    game = set_game(shared_out(["3339KKKJ", "AAA34", "5557"]))
    game = play(game, "3339", "pass", "5557", "KKKJ", "AAA3", "pass", "pass")
    assert 1 == game.to_act
    assert game.to_beat is None
    assert "pass" not in map(str, game.legal())
    assert 2 == game.apply("4").to_act


@pytest.mark.parametrize("ruleset", FAMILY)
@pytest.mark.parametrize("seed", range(4))
def test_flow_of_random_games(ruleset: str, seed: int) -> None:
    """The right seat acts, a leader may not pass, and the one who is out ends the game."""
    rng = random.Random(seed)
    cards: dict[int, int] = {}
    leader, passes, turn = None, 0, None
    previous = None
    for game in random_game(start(ruleset, seed), rng):
        if game.phase == "play" and previous is not None and previous.phase != "play":
            (landlord,) = game.landlords
            cards = {seat: 20 if seat == landlord else 17 for seat in range(3)}
            assert [cards[seat] for seat in range(3)] == list(game.left)
            turn, leader, passes = landlord, landlord, 0
            assert game.to_beat is None
        elif previous is not None and previous.phase == "play":
            action = cards_of(game.history[-1])
            if action == "pass":
                passes += 1
            else:
                cards[turn] -= len(action)
                leader, passes = turn, 0
            turn = (turn + 1) % 3
            if cards[leader] == 0:
                expected = "landlords" if leader in game.landlords else "farmers"
                assert expected == game.outcome
                assert game.to_act is None
                assert not list(game.legal())
        if game.phase == "play":
            assert [cards[seat] for seat in range(3)] == list(game.left)
            alarms = [n if n in (2, 1) else None for n in game.left]
            assert alarms == list(game.alarms)
            assert turn == game.to_act
            leads = passes == 2 or turn == leader
            assert leads == (game.to_beat is None)
            assert leads == ("pass" not in map(str, game.legal()))
            assert not leads or turn == leader
        previous = game


@pytest.mark.parametrize("ruleset", FAMILY)
def test_r18_one_order_in_bidding_play_and_record(ruleset: str) -> None:
    """The seat that speaks after a seat is the one that plays after it, and the record says so."""
    for seed in range(6):
        seats = []
        for game in random_game(start(ruleset, seed), random.Random(seed)):
            if game.phase in ("auction", "play") and game.to_act is not None:
                seats.append((str(game.phase), game.to_act))
        for (phase, one), (next_phase, other) in itertools.pairwise(seats):
            if phase == next_phase:
                assert other == (one + 1) % 3
        lines = ddz.write_record(game).split("\n\n", 1)[1].splitlines()
        recorded = [int(line.split()[0]) for line in lines if line.strip()]
        assert [seat for _, seat in seats] == [
            seat
            for seat, line in zip(recorded, lines, strict=False)
            if not line.split()[1].startswith(("x1", "x2", "x4", "x8"))
        ]


# --- R12 nobody wants to be landlord -------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["classic", "primer", "jinyou"])
def test_r12_three_passes_settle_a_game_without_landlord(ruleset: str) -> None:
    """When all refuse, the game is settled without landlord and points, and reads and replays."""
    for seed in range(5):
        game = play(start(ruleset, seed), "pass", "pass", "pass")
        assert "redeal" == game.outcome
        assert [] == list(game.landlords)
        assert game.to_act is None
        assert [] == list(game.legal())
        assert not any(game.ledger.points) if game.ledger is not None else True
        assert fields(game) == fields(ddz.read_record(ddz.write_record(game)))
        assert fields(game) == fields(ddz.decode(ddz.encode(game)))
        for seat in range(3):
            assert ddz.observe(game, seat) is not None
        refused(ddz.IllegalAction, lambda game=game: game.apply("pass"))


def test_r12_fallback_of_wuhan() -> None:
    """Where the first speaker must play at 1, three passes lead to play at once."""
    for seed in range(5):
        game = start("wuhan", seed)
        first = game.to_act
        game = play(game, "pass", "pass", "pass")
        assert game.outcome is None
        assert ([first], 1, "play") == (list(game.landlords), game.contract, game.phase)
        assert first == game.to_act


# --- R14, R09 in whole games ---------------------------------------------------------------------


def test_r14_landlord_opens_once_and_only_passes() -> None:
    """The landlord makes one play of six cards and then passes to the end: anti-spring."""
    game = set_game(shared_out(["345678", "456789", ""]), overrides=SPRINGS)
    game = play(game, "345678", "456789")
    ended = drive(game, {0: passing, 1: lowest, 2: passing})
    bombs = bombs_played(ended)
    assert "farmers" == ended.outcome
    assert -2 * 3 * 2 * 2**bombs == ended.ledger.points[0]


def test_r14_landlord_plays_twice() -> None:
    """The landlord plays again later and loses: no anti-spring."""
    game = set_game(shared_out(["32", "", ""]), overrides=SPRINGS)
    game = game.apply("3")
    game = game.apply(next(m for m in game.legal() if len(str(m)) == 1 and str(m) != "2"))
    game = play(game, "pass", "2")
    for _ in range(400):
        if game.outcome is not None:
            break
        game = game.apply(passing(game) if game.to_act == 0 else lowest(game))
    if game.outcome == "farmers":
        assert -2 * 3 * 2 ** bombs_played(game) == game.ledger.points[0]
    else:
        assert "landlords" == game.outcome


def bombs_played(game: ddz.Game) -> int:
    """How many plays of a finished game were exactly four equal cards or both jokers."""
    return sum(is_bomb(cards_of(entry)) for entry in game.history)


def test_r14_both_farmers_only_pass() -> None:
    """The landlord goes out against farmers who never played: spring."""
    game = set_game(shared_out(["33445566778899TTJ", "", ""]), overrides=SPRINGS)
    ended = drive(game, {0: lowest, 1: passing, 2: passing})
    assert "landlords" == ended.outcome
    assert 2 * 3 * 2 * 2 ** bombs_played(ended) == ended.ledger.points[0]


def test_r14_one_farmer_played_one_single() -> None:
    """The landlord goes out and one farmer has played one single: no spring."""
    game = set_game(shared_out(["33445566778899TTJ", "4", ""]), overrides=SPRINGS)
    game = play(game, "3", "4")
    while game.outcome is None:
        game = game.apply(lowest(game) if game.to_act == 0 else passing(game))
    assert "landlords" == game.outcome
    assert 2 * 3 * 2 ** bombs_played(game) == game.ledger.points[0]


def test_r14_all_twenty_cards_at_once() -> None:
    """The landlord lays all twenty cards as the first play: spring, whatever is counted."""
    bottom = "99T"
    hand = "33344455566677788"
    others = text(Counter(FULL_DECK) - Counter(hand + bottom))
    game = set_game(deal_text([hand, others[:17], others[17:]], bottom), overrides=SPRINGS)
    ended = game.apply(hand + bottom)
    assert "landlords" == ended.outcome
    assert [12, -6, -6] == list(ended.ledger.points)  # 3 · 2, spring


@pytest.mark.parametrize("factors", [(2, 2), (3, 2), (1, 3)])
def test_r14_the_factor_is_an_option(factors: tuple[int, int]) -> None:
    """The factor of spring and anti-spring is the ruleset's; the condition stays."""
    house = {"score.spring": factors[0], "score.anti_spring": factors[1]}
    rules = ddz.load_ruleset("wuhan", house)
    spring = rules.score(landlords=[0], bid=1, out=0, plays=[4, 0, 0], bombs=[])
    anti = rules.score(landlords=[0], bid=1, out=1, plays=[1, 4, 0], bombs=[])
    assert (2 * factors[0], -2 * factors[1]) == (spring.points[0], anti.points[0])


@pytest.mark.parametrize("ruleset", FAMILY)
@pytest.mark.parametrize("seed", range(6))
def test_r15_r09_ledger_of_random_games(ruleset: str, seed: int) -> None:
    """A finished game is settled as the bare facts counted from its history are."""
    rules = ddz.load_ruleset(ruleset)
    rng = random.Random(seed)
    plays, bombs, factor = [0, 0, 0], [], [1, 1, 1]
    previous = None
    for game in random_game(start(ruleset, seed + 100), rng):
        if previous is not None:
            action = cards_of(game.history[-1])
            actor = previous.to_act
            if previous.phase == "play" and action != "pass":
                plays[actor] += 1
                if is_bomb(action):
                    bombs.append(action)
            if previous.phase == "declare":
                factor[actor] = {"pass": 1, "x1": 1, "x2": 2, "x4": 4, "x8": 8}[action]
        previous = game
    if game.outcome == "redeal":
        assert game.ledger is None or not any(game.ledger.points)
        return
    assert 0 == sum(game.ledger.points)
    (out,) = [seat for seat in range(3) if game.left[seat] == 0]
    facts = {"factor": factor} if ruleset == "jinyou" else {}
    expected = rules.score(
        landlords=list(game.landlords),
        bid=game.contract,
        out=out,
        plays=plays,
        bombs=bombs,
        **facts,
    )
    assert list(expected.points) == list(game.ledger.points)


def test_r09_multiplier_after_bomb_and_rocket() -> None:
    """A bomb and then the rocket double the multiplier of the running game, each once."""
    game = set_game(shared_out(["5555", "XD", ""]))
    before = game.multiplier
    game = game.apply("5555")
    assert 2 * before == game.multiplier
    game = game.apply("XD")
    assert 4 * before == game.multiplier
    assert 4 * before == play(game, "pass", "pass").multiplier


def test_r02_r06_jokers_and_fours_as_kickers_double_nothing() -> None:
    """Four with two, and both jokers as kickers where allowed, leave the multiplier alone."""
    game = set_game(shared_out(["7777XD", "", ""]), overrides={"kickers.both_jokers": True})
    before = game.multiplier
    assert before == game.apply("7777XD").multiplier
    game = set_game(shared_out(["555534", "", ""]))
    assert before == game.apply("555534").multiplier


# --- refused actions -----------------------------------------------------------------------------


def test_illegal_actions_leave_the_game_as_it_is() -> None:
    """Refused actions name what was wrong and change nothing."""
    game = set_game(shared_out(["3456789", "44", "88"]))
    before = fields(game)
    cases = [
        ("pass", ddz.IllegalAction),  # a leader may not pass
        ("34", (ddz.IllegalAction, ddz.NotACombination)),
        ("AAAA", (ddz.IllegalAction, ddz.HandError)),  # not held
        ("3З", ddz.NotationError),
        ("99999", ddz.DdzError),
        ("take", ddz.DdzError),
        ("3=pair:1:3", ddz.DdzError),
        ("", ddz.DdzError),
        ("x2", ddz.DdzError),
        ("1", ddz.DdzError),
        ("3" * 5000, ddz.DdzError),
        ("<script>alert(1)</script>", ddz.DdzError),
    ]
    for action, kind in cases:
        assert not game.can(action), action
        with pytest.raises(kind):
            game.verify(action)
        refused(ddz.DdzError, lambda action=action: game.apply(action))
        assert before == fields(game)
    following = game.apply("34567")
    assert following.can("pass")
    assert not following.can("44")


@pytest.mark.parametrize("ruleset", FAMILY)
def test_every_listed_action_can_and_nothing_else_of_the_hand(ruleset: str) -> None:
    """In random games exactly the listed plays of the hand can be made."""
    rng = random.Random(8)
    states = [g for g in random_game(start(ruleset, 21), rng) if g.outcome is None]
    for game in rng.sample(states, min(8, len(states))):
        legal = list(game.legal())
        for action in rng.sample(legal, min(30, len(legal))):
            game.verify(action)
            assert game.can(action)
            assert game.can(str(action))
        if game.phase == "play":
            texts = {str(action) for action in legal}
            hand = hand_of(game)
            for _ in range(40):
                part = "".join(sorted(rng.sample(hand, rng.randint(1, min(6, len(hand))))))
                part = ddz.format_cards(ddz.parse_cards(part))
                assert (part in texts) == game.can(part), part


# --- R07 plays made by clock, bot or hint --------------------------------------------------------


@pytest.mark.parametrize("ruleset", FAMILY)
@pytest.mark.parametrize("name", ["random", "rule"])
def test_r07_what_a_bot_plays_is_checked_like_what_is_typed(ruleset: str, name: str) -> None:
    """Whatever a bot chooses passes the same check as a typed action, to the end of the game."""
    rng = np.random.default_rng(3)
    bot = ddz.bot(name)
    for seed in range(4):
        game = start(ruleset, seed)
        while game.outcome is None:
            action = bot.choose(ddz.observe(game, game.to_act), rng)
            game.verify(action)
            assert str(action) in set(map(str, game.legal()))
            game = game.apply(str(action) if seed % 2 else action)


def test_what_a_hand_is_short_of_stands_beside_the_hand() -> None:
    """One card too many of a rank that is held is refused as one short of it."""
    game = start("classic", seed=21)
    while game.phase != "play":
        game = game.apply("3" if "3" in map(str, game.legal()) else "pass")
    held = game.hand_text(game.to_act)
    rank, more = held[0], held[0] * (held.count(held[0]) + 1)
    with pytest.raises(ddz.IllegalAction) as caught:
        game.apply(more)
    assert (caught.value.got, caught.value.expected) == (rank, held)
    assert str(caught.value) == f"the hand {held} is short of {rank}"
