"""The sampler: worlds that fit what is known, the same choice from the same seed, sense in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from playing import bid_up, shared_out
from refusals import refused

import ddz_core as ddz
from ddz_core import bots, cards, scoring
from ddz_core.bots import match, payoffs
from ddz_core.bots.rooms import decisions_of, rooms
from ddz_core.bots.rule import CHARACTERS
from ddz_core.bots.search import Options, Search
from ddz_core.language import LANGUAGES, words

CLASSIC = ddz.load_ruleset("classic")
RULE = ddz.bot("rule")
RNG = np.random.default_rng


def moments(ruleset: str, seed: int, every: int = 3) -> list[ddz.Observation]:
    """What seats that are to play see in a game between rule bots."""
    rules = ddz.load_ruleset(ruleset)
    game = match.forced(ddz.new_game(rules, ddz.deal(rules, seed=seed)), seed % 2)
    found = []
    while game.to_act is not None:
        seen = ddz.observe(game, game.to_act)
        if game.phase == "play" and len(game.history) % every == 0:
            found.append(seen)
        game = game.apply(RULE.choose(seen))
    return found


@pytest.mark.parametrize("ruleset", ["classic", "duel-2p", "classic-4p", "hidden-5p", "emperor"])
def test_worlds_fit_everything_known(ruleset: str) -> None:
    """Every world gives each seat its number of cards, what it is known to hold, no card twice."""
    for seen in moments(ruleset, 4, every=7):
        with rooms.room(seen.ruleset) as room:
            search = Search(room, seen, Options(samples=16, seconds=None), seed=5)
            drawn, chances = search.drawn(0, 16)
        assert (chances <= 0).all()
        for world in drawn.tolist():
            assert world[seen.seat] == seen.hand
            assert tuple(map(cards.size_of, world)) == seen.left
            assert all(
                cards.contains(hand, known) for hand, known in zip(world, seen.known, strict=True)
            )
            others = sum(hand for seat, hand in enumerate(world) if seat != seen.seat)
            fixed = sum(one for seat, one in enumerate(seen.known) if seat != seen.seat)
            assert cards.contains(seen.unplaced, others - fixed)


def test_passes_make_hands_that_could_have_answered_unlikely() -> None:
    """After two passes on a pair of twos, worlds with a bomb count less, the others do not."""
    deal = ddz.deal_from_text(CLASSIC, shared_out(["33344455566677722", "X", "D"]))
    game = bid_up(ddz.new_game(CLASSIC, deal), 0)
    game = game.apply("22").apply("pass").apply("pass")
    seen = ddz.observe(game, 0)
    with rooms.room(seen.ruleset) as room:
        search = Search(room, seen, Options(samples=64, seconds=None), seed=1)
        worlds, chances = search.drawn(0, 64)
    able = [
        any(CLASSIC.moves(cards.format_cards(hand), beat="22") for hand in world[1:])
        for world in worlds.tolist()
    ]
    assert any(able)
    assert not all(able)
    for could, chance in zip(able, chances, strict=True):
        assert (chance < 0) == could


def test_decisions_are_told_as_they_were() -> None:
    """What the kernel reads of a game: hands then are hands now and all played since."""
    game = match.forced(ddz.new_game(CLASSIC, ddz.deal(CLASSIC, seed=8)), 1)
    states = []
    while game.to_act is not None and len(states) < 24:
        states.append(game)
        game = game.apply(RULE.choose(ddz.observe(game, game.to_act)))
    seen = ddz.observe(game, 0)
    with rooms.room(seen.ruleset) as room:
        words, packed = decisions_of(room.engine, seen, [False, True, True], room.kernel.SEEN)
    rows, parts = words.reshape(-1, room.kernel.SEEN), packed.reshape(-1, 3)
    told = [one for one in states if one.to_act != 0]
    assert len(rows) == len(told)
    for row, (played, since, out), then in zip(rows.tolist(), parts.tolist(), told, strict=True):
        assert row[0] == then.to_act
        assert row[1] == (-1 if then.beat_by is None else then.beat_by)
        assert tuple(row[8:11]) == then.left
        assert game.hands[row[0]] + since == then.hands[row[0]]
        assert out == sum(then.hands)
        assert cards.contains(since, played)


@pytest.mark.parametrize("net", [False, True])
def test_the_seed_decides_the_choice(net: bool) -> None:
    """With a budget in samples the same generator gives the same advice, number by number."""
    player = ddz.bot("sampler", samples=24, net=net)
    for seen in moments("classic", 6, every=9):
        assert player.advise(seen, RNG(3)) == player.advise(seen, RNG(3))
        assert player.choose(seen, RNG(3)) == player.choose(seen, RNG(3))


def test_advice_tells_every_candidate() -> None:
    """Every candidate has its chances with intervals around them, and its action is legal."""
    player = ddz.bot("sampler", samples=24)
    for seen in moments("classic", 2, every=8):
        advice = player.advise(seen, RNG(1))
        assert str(advice.candidates[0].action)
        for one in advice.candidates:
            assert one.action == "pass" or seen.verify_play(one.action)
            assert one.win.low <= one.win.value <= one.win.high
            assert 0 <= one.solved[0] <= one.solved[1]
            assert one.win.n == one.worlds
            for lang in LANGUAGES:
                assert all(words(lang).phrase(reason) for reason in one.reasons)


def ending(hands: list[str], to_act: int, landlord: int) -> ddz.Observation:
    """A lead late in a game: these hands are left, everything else has been played."""
    packed = [cards.parse_cards(hand) for hand in hands]
    game = bid_up(ddz.new_game(CLASSIC, ddz.deal(CLASSIC, seed=1)), landlord)
    seen = ddz.observe(replace(game, to_act=to_act), to_act)
    unplaced = sum(packed) - packed[to_act]
    known = [0, 0, 0]
    known[to_act] = packed[to_act]
    return replace(
        seen,
        hand=packed[to_act],
        left=tuple(map(cards.size_of, packed)),
        played=(seen.ruleset.deck_cards - sum(packed), 0, 0),
        known=tuple(known),
        unseen=unplaced,
        unplaced=unplaced,
        plays=(3, 3, 3),
        history=(),
    )


@pytest.mark.parametrize("net", [False, True])
def test_a_sure_win_is_found_and_solved(net: bool) -> None:
    """With the rocket, a pair and a high card against low cards the order that wins is played."""
    seen = ending(["XD4477", "5566", "338"], to_act=0, landlord=0)
    advice = ddz.bot("sampler", samples=40, net=net).advise(seen, RNG(2))
    best = advice.candidates[0]
    assert best.solved[1] > 0
    assert best.solved[0] == best.solved[1]
    assert best.win.value > 0.9


@pytest.mark.parametrize("ruleset", ["classic", "jinyou", "jj", "classic-4p", "duel-2p"])
def test_points_are_those_of_the_ledger(ruleset: str) -> None:
    """What a seat expects of a game that ends so is what the ledger of that game pays."""
    rules = ddz.load_ruleset(ruleset)
    steps = rules.ruleset.ladder_in_force()
    for seed in range(12):
        game = match.forced(ddz.new_game(rules, ddz.deal(rules, seed=seed)), seed % 2)
        while game.phase != "play":
            game = game.apply(RULE.choose(ddz.observe(game, game.to_act)))
        seen = ddz.observe(game, game.to_act)
        end = match.finished(game, [ddz.bot("random")] * game.seats, RNG(seed))
        boss = game.landlords[0]
        result = int(end.outcome == "landlords")
        if result and sum(end.plays) == end.plays[boss]:
            result |= payoffs.SPRING
        if not result and end.plays[boss] == 1:
            result |= payoffs.ANTI_SPRING
        for bomb in end.bombs:
            step = steps.index(scoring.ladder_step(rules, bomb.cards))
            result += 1 << (payoffs.BOMBS + 8 * min(step, payoffs.STEPS - 1))
        assert payoffs.points(seen, np.array([result]))[0] == end.ledger.points[seen.seat]


def test_objectives_differ_where_points_do() -> None:
    """The sampler that plays for points gives every candidate points, and legal plays."""
    player = ddz.bot("sampler", samples=12, objective="points")
    for seen in moments("classic", 3, every=11):
        assert player.choose(seen, RNG(1)) in seen.legal()


def test_the_sampler_beats_the_rule_bot() -> None:
    """On duplicate deals few worlds suffice to win more than half of the games."""
    result = match.duplicate(CLASSIC, "sampler:samples=40", "rule", deals=40, seed=2)
    assert result.win.value > 0.55


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"samples": 0}, "samples"),
        ({"samples": 1.5}, "samples"),
        ({"seconds": -1}, "seconds"),
        ({"seconds": None}, "seconds"),
        ({"objective": "fun"}, "objective"),
        ({"inference": "yes"}, "inference"),
        ({"width": 0}, "width"),
        ({"tea": 1}, "tea"),
        ({"noise": "loud"}, "noise"),
    ],
)
def test_wrong_parameters_are_named(parameters: dict[str, object], field: str) -> None:
    """A parameter that does not exist or cannot be so is named."""
    with pytest.raises(ddz.DdzError) as caught:
        ddz.bot("sampler", **parameters)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("sampler:samples", "samples"),
        ("rule:character=hero", "character"),
        ("rule:tea=1", "tea"),
        ("nobody", "bot"),
        ("sampler:samples=many", "samples"),
    ],
)
def test_texts_of_bots_that_cannot_be_read_are_named(text: str, field: str) -> None:
    """What is wrong with a bot written as text is named."""
    refused(ddz.DdzError, lambda: bots.named(text))
    with pytest.raises(ddz.DdzError) as caught:
        bots.named(text)
    assert caught.value.field == field


@pytest.mark.parametrize("character", sorted(CHARACTERS))
def test_characters_play_otherwise(character: str) -> None:
    """Every character chooses otherwise than the usual rule bot now and then, and legally."""
    player = bots.named(f"rule:character={character}")
    differs = 0
    for seed in range(4):
        for seen in moments("classic", seed, every=1):
            choice = player.choose(seen, RNG(0))
            assert choice in seen.legal()
            differs += choice != RULE.choose(seen)
    assert differs
