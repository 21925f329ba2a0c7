"""Bots: legal, blind to hidden cards, the same in Python and in the kernels, strong by rule."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hidden import exchanged
from playing import bid_up, shared_out

import ddz_core as ddz
from ddz_core import bots, cards
from ddz_core.bots import match
from ddz_core.bots.rule import CHARACTERS, Engine, Parameters, partners_of, strength, weights_of

CLASSIC = ddz.load_ruleset("classic")
RULE = ddz.bot("rule")
RNG = np.random.default_rng
QUICK: dict[str, dict[str, object]] = {"sampler": {"samples": 6}}
"""What makes a bot quick enough for tests."""


def quick(name: str) -> bots.Bot:
    """A bot that decides fast."""
    return ddz.bot(name, **QUICK.get(name, {}))


def dealt(ruleset: str, seed: int) -> ddz.Game:
    """A new game from a seed."""
    rules = ddz.load_ruleset(ruleset)
    return ddz.new_game(rules, ddz.deal(rules, seed=seed))


def table(parts: list[str], landlord: int = 0, overrides: dict | None = None) -> ddz.Game:
    """A game at the landlord's lead, hands beginning with the cards asked for."""
    rules = ddz.load_ruleset("classic", overrides or {})
    deal = ddz.deal_from_text(rules, shared_out(parts))
    return bid_up(ddz.new_game(rules, deal), landlord)


def ending(hands: list[str], to_act: int, landlord: int, beat: str = "", by: int = 0):
    """What a seat sees late in a game: these hands are left, everything else has been played."""
    rules = CLASSIC
    packed = [cards.parse_cards(hand) for hand in hands]
    game = table(["", "", ""], landlord)
    view = ddz.observe(replace(game, to_act=to_act), to_act)
    played = rules.ruleset.deck_cards - sum(packed)
    move = rules.moves(beat)[0] if beat else None
    if beat:
        move = next(m for m in rules.moves(beat) if str(m) == beat)
    return replace(
        view,
        hand=packed[to_act],
        left=tuple(map(cards.size_of, packed)),
        played=(played, 0, 0),
        to_beat=move,
        beat_by=by if beat else None,
    )


@pytest.mark.parametrize("name", bots.names())
@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
def test_every_choice_of_every_bot_is_legal(name: str, ruleset: str) -> None:
    """In whole games of every ruleset a bot's choice is one of the legal actions."""
    if not bots.plays(name, ddz.load_ruleset(ruleset).ruleset):
        pytest.skip(f"{name} was not trained for {ruleset}")
    player = quick(name)
    for seed in range(2):
        game, rng = dealt(ruleset, seed), RNG(seed)
        while game.to_act is not None:
            seen = ddz.observe(game, game.to_act)
            choice = player.choose(seen, rng)
            assert choice in seen.legal()
            game = game.apply(choice)
        assert game.outcome is not None


def test_games_in_the_kernel_and_in_python_are_the_same() -> None:
    """The kernel's loop plays the same number of actions to the same winner as the bot does."""
    engine = Engine(CLASSIC.ruleset)
    games = [bid_up(dealt("classic", seed), seed % 3) for seed in range(30)]
    hands = np.array([hand for game in games for hand in game.hands], dtype=np.uint64)
    bosses = np.array([game.landlords[0] for game in games], dtype=np.int64)
    winners, bombs, actions = engine.play_deals([weights_of(Parameters())] * 3, hands, bosses)
    acted = 0
    for place, game in enumerate(games):
        before = len(game.history)
        end = match.finished(game, [RULE] * 3, RNG(0))
        acted += len(end.history) - before
        assert end.out == winners[place]
        assert len(end.bombs) == bombs[place]
    assert acted == actions


@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
@pytest.mark.parametrize("seed", range(3))
def test_hidden_cards_change_no_choice(ruleset: str, seed: int) -> None:
    """Exchange cards that a seat cannot know, bottom included before it is shown: same choice."""
    rng = random.Random(seed)
    game = dealt(ruleset, seed)
    while game.to_act is not None:
        seat = game.to_act
        other = exchanged(game, seat, rng)
        seen, again = ddz.observe(game, seat), ddz.observe(other, seat)
        for name in bots.names():
            if not bots.plays(name, game.ruleset):
                continue
            player = quick(name)
            assert player.choose(seen, RNG(7)) == player.choose(again, RNG(7))
        for character in CHARACTERS:
            player = ddz.bot("rule", character=character)
            assert player.choose(seen, RNG(7)) == player.choose(again, RNG(7))
        game = game.apply(RULE.choose(seen))


def test_rule_goes_out_when_it_can() -> None:
    """A hand that is one play is played, to lead and to answer."""
    assert str(RULE.choose(ending(["33344", "5", "6"], 0, 0))) == "33344"
    assert str(RULE.choose(ending(["9", "55", "66"], 0, 0, beat="8", by=1))) == "9"
    assert str(RULE.choose(ending(["9999", "5", "66"], 0, 0, beat="8", by=2))) == "9999"


def test_rule_leads_a_partner_out() -> None:
    """With a partner next who holds one card, a low single is led."""
    seen = ending(["KKQQ99887", "4KQJ", "5"], to_act=1, landlord=0)
    choice = RULE.choose(seen)
    assert len(str(choice)) == 1
    assert str(choice) == "4"


def test_rule_leads_no_low_single_to_an_enemy_with_one_card() -> None:
    """Against one card a pair is led, and where only singles are left, the highest."""
    assert len(str(RULE.choose(ending(["4", "5588T", "66AA"], to_act=1, landlord=0)))) != 1
    assert str(RULE.choose(ending(["Q", "58K", "6688"], to_act=1, landlord=0))) == "K"


def test_rule_takes_nothing_from_a_partner_without_need() -> None:
    """A partner's high play with few cards left is let through."""
    assert RULE.choose(ending(["34522", "4479A", "Q"], to_act=1, landlord=0, beat="K", by=2)) == (
        "pass"
    )


def test_rule_keeps_the_rocket_whole() -> None:
    """Four of a kind and both jokers as kickers are not led, unless that ends the game (R31)."""
    both = {"kickers.both_jokers": True}
    rules = ddz.load_ruleset("classic", both)
    hands = ["3687777AAAAXD", "334444JJJJ22", "3666QQQ22"]
    game = table(["", "", ""], 1, both)
    packed = [cards.parse_cards(hand) for hand in hands]
    seen = replace(
        ddz.observe(replace(game, to_act=0), 0),
        hand=packed[0],
        left=tuple(map(cards.size_of, packed)),
        played=(rules.ruleset.deck_cards - sum(packed), 0, 0),
    )
    choice = RULE.choose(seen)
    assert not ("X" in str(choice) and "D" in str(choice) and len(str(choice)) > 2)
    last = replace(seen, hand=cards.parse_cards("7777XD"), left=(6, 12, 9))
    assert str(RULE.choose(last)) == "7777XD"


def test_rule_never_carries_the_rocket_as_kickers_in_play() -> None:
    """With both jokers allowed as kickers, whole games keep them for the rocket."""
    rules = ddz.load_ruleset("classic", {"kickers.both_jokers": True})
    for seed in range(30):
        game = match.forced(ddz.new_game(rules, ddz.deal(rules, seed=seed)), seed % 3)
        end = match.finished(game, [RULE] * 3, RNG(0))
        for entry in end.history:
            text = str(entry.move) if entry.move else ""
            if "XD" in text and len(text) > 2:
                assert end.history[-1] == entry


def test_a_strong_hand_bids_and_a_weak_one_does_not() -> None:
    """The best hand bids the most; the worst hand passes."""
    strong = table_bid("XD2222AAAAKKKQQQJ")
    weak = table_bid("3344567889TTJJQKA"[:17])
    assert str(RULE.choose(strong)) == "3"
    assert RULE.choose(weak) == "pass"


def table_bid(hand: str):
    """What the first to speak sees with this hand."""
    deal = ddz.deal_from_text(CLASSIC, shared_out([hand, "", ""]))
    game = ddz.new_game(CLASSIC, deal)
    return ddz.observe(game, game.to_act if game.to_act == 0 else first(game))


def first(game: ddz.Game) -> int:
    """Seat 0 if it may speak; the deals of these tests have it speak first."""
    assert game.to_act == 0
    return 0


@pytest.mark.parametrize("rank", ["2", "X", "D"])
def test_a_better_card_never_lowers_the_estimate(rank: str) -> None:
    """A low card exchanged for a top one raises the points and the chance as landlord."""
    low = cards.parse_cards("3456789TJQKA44556")
    high = low - cards.parse_cards("6") + cards.parse_cards(rank)
    before, after = strength(CLASSIC.ruleset, low), strength(CLASSIC.ruleset, high)
    assert after.points > before.points
    assert 0 < before.landlord < 1
    assert 0 < before.farmer < 1


def test_raising_grows_with_the_hand() -> None:
    """A farmer with a strong hand raises its stake, one with a weak hand does not."""
    rules = ddz.load_ruleset("jinyou")

    def raised(hand: str) -> str:
        deal = ddz.deal_from_text(rules, shared_out(["", hand, ""]))
        game = ddz.new_game(rules, deal)
        while game.phase == "auction":
            game = game.apply("3" if game.to_act == 0 else "pass")
        while game.to_act != 1:
            game = game.apply("x1")
        return str(RULE.choose(ddz.observe(game, 1)))

    order = ["x1", "x2", "x4", "x8"]
    assert raised("3344567889TTJJQKA"[:17]) == "x1"
    assert order.index(raised("XD2222AAAAKKKQQQJ")) >= 2


def test_rule_beats_random_by_far() -> None:
    """On duplicate deals the rule bot wins more than 85 of 100 against the random one."""
    result = match.duplicate(CLASSIC, "rule", "random", deals=60, seed=3)
    assert result.win.low > 0.85
    assert result.as_landlord.value > 0.8
    assert result.as_farmers.value > 0.8


TAKEN, REFUSED = ("1", "2", "3", "call", "take"), ("pass", "cede")


@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
def test_rule_beats_random_in_every_game(ruleset: str) -> None:
    """On duplicate deals of every ruleset the rule bot wins most, as landlord and as farmers."""
    result = match.duplicate(ddz.load_ruleset(ruleset), "rule", "random", deals=6, seed=9)
    assert result.win.value >= 0.7
    assert result.as_landlord.value + result.as_farmers.value > 1.4


@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
def test_whole_games_of_every_ruleset_keep_the_ledger(ruleset: str) -> None:
    """A few games of both bots end with a ledger in which points and house add up to nothing."""
    checked_games(ruleset, 3)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
def test_a_thousand_games_of_every_ruleset(ruleset: str) -> None:
    """In 1,000 games no action is illegal, nothing is raised, every ledger adds up."""
    bids = checked_games(ruleset, 1000)
    asked = sum(bids.get(word, 0) for word in (*TAKEN, *REFUSED))
    if asked:
        assert 0.1 < sum(bids.get(word, 0) for word in TAKEN) / asked < 0.95


def checked_games(ruleset: str, number: int) -> dict[str, int]:
    """Play games, one of four with random bots; return how often each word of the auction fell."""
    rules = ddz.load_ruleset(ruleset)
    odd, rng = ddz.bot("random"), RNG(number)
    bids: dict[str, int] = {}
    for i in range(number):
        game = ddz.new_game(rules, ddz.deal(rules, seed=31, number=i))
        while game.to_act is not None:
            player = odd if i % 4 == 3 else RULE
            choice = player.choose(ddz.observe(game, game.to_act), rng)
            if game.phase == "auction" and i % 4 != 3:
                bids[str(choice)] = bids.get(str(choice), 0) + 1
            game = game.apply(choice)
        assert game.outcome in ("landlords", "farmers", "redeal", "unplayed")
        assert game.ledger is not None
        # the rake of a game counts in gold where that is what is raked
        assert sum(game.ledger.points) + (0 if in_gold(rules) else game.ledger.house) == 0
        if in_gold(rules):
            assert sum(game.ledger.gold) + game.ledger.house == 0
    return bids


def in_gold(rules: ddz.Rules) -> bool:
    """Whether what the house takes is counted in gold, not in points."""
    return rules.ruleset.score.raked == "gold"


def test_a_hidden_partner_is_found_by_its_plays() -> None:
    """Who has beaten the landlord counts as a farmer; others whose side is unknown as enemies."""
    found = 0
    for seed in range(12):
        game = dealt("hidden-5p", seed)
        while game.to_act is not None and not game.revealed:
            seen = ddz.observe(game, game.to_act)
            if game.phase == "play" and not seen.sides_known and seen.seat not in game.landlords:
                against, owner = set(), None
                for entry in seen.history:
                    if entry.move is not None:
                        if owner == seen.landlords[0] != entry.seat:
                            against.add(entry.seat)
                        owner = entry.seat
                partners = partners_of(seen)
                assert not partners[seen.landlords[0]]
                assert partners[seen.seat]
                assert {s for s, yes in enumerate(partners) if yes} >= against
                found += len(against) > 0
            game = game.apply(RULE.choose(seen))
    assert found


def test_chosen_bottom_cards_save_plays() -> None:
    """The emperor takes the jokers, and no part that leaves more plays than taking nothing."""
    for seed in range(6):
        game = match.forced(dealt("emperor", seed), seed % 3)
        seen = ddz.observe(game, game.to_act)
        assert seen.bottom is not None
        choice = str(RULE.choose(seen))
        told = choice.partition(":")[2]
        jokers = [card.rank for card in seen.bottom if card.rank in "XD"]
        assert all(joker in told for joker in jokers)


def test_spent_bombs_are_no_danger() -> None:
    """Where every enemy has played all bombs it may, a play that only bombs could beat is safe."""
    rules = ddz.load_ruleset("arena-4p")
    engine, weights = Engine(rules.ruleset), weights_of(Parameters())
    hand, others = cards.parse_cards("2255"), cards.parse_cards("777788889")

    def best(*, spent: bool) -> float:
        no_beat = engine.scored(
            weights, hand, others, 0, (4, 3, 3, 3), [True, False, False, False], None, spent
        )
        return no_beat[0][0]

    assert best(spent=True) > best(spent=False)


def test_a_claim_is_for_weak_hands() -> None:
    """A landlord who may claim the deal plays on with a strong hand and claims with a weak one."""
    seen = match_claim()
    assert RULE.choose(seen) == "play"
    assert ddz.bot("rule", claim_below=1.1).choose(seen) == "claim"


def match_claim():
    """What a landlord sees who has declared eight equal cards in the arena."""
    rules = ddz.load_ruleset("arena-4p")
    hand = "33333333" + "2" * 8 + "XXDD" + "AAAAA"
    deal = ddz.deal_from_text(rules, shared_out_by(rules, [hand, "", "", ""]))
    game = match.forced(ddz.new_game(rules, deal), 0)
    game = game.apply("declare")
    assert game.options == ("play", "claim")
    return ddz.observe(game, game.to_act)


def shared_out_by(rules: ddz.Rules, starts: list[str]) -> str:
    """A deal as text, hands beginning with these cards."""
    left = list(rules.deck_text())
    for start in starts:
        for rank in start:
            left.remove(rank)
    hands = []
    for start in starts:
        need = rules.ruleset.deal.hand - len(start)
        hands.append(start + "".join(left[:need]))
        del left[:need]
    return "/".join(hands) + "|" + "".join(left)


def test_a_match_is_fair_and_repeatable() -> None:
    """Equal bots share deals evenly; points add up to zero; the seed decides everything."""
    one = match.play(CLASSIC, ["rule", "rule", "rule"], games=10, seed=2)
    assert one == match.play(CLASSIC, ["rule", "rule", "rule"], games=10, seed=2)
    assert one != match.play(CLASSIC, ["rule", "rule", "rule"], games=10, seed=3)
    assert one.games == 30
    assert len({entrant.points.value for entrant in one.entrants}) == 1
    assert abs(sum(entrant.points.value for entrant in one.entrants)) < 1e-9
    assert one.as_dict()["entrants"][0]["name"] == "rule"
    assert str(one).count("\n") == 4


def test_shares_keep_their_bounds() -> None:
    """With few deals an interval of a share stays within 0 and 1 and is never a point."""
    few = match.play(CLASSIC, ["rule", "rule", "random"], games=2, seed=1)
    both = match.duplicate(CLASSIC, "rule", "random", deals=2, seed=3)
    for share in (*(entrant.win for entrant in few.entrants), both.win, both.as_farmers):
        assert 0 <= share.low <= share.value <= share.high <= 1
        assert share.low < share.high


def test_parameters_change_the_play() -> None:
    """A bot that is told to pass always passes when it may."""
    shy = ddz.bot("rule", answer=-1e9, over=-1e9)
    end = match.finished(bid_up(dealt("classic", 5), 0), [RULE, shy, shy], RNG(0))
    words = [e.action for e in end.history if e.seat in (1, 2) and e.phase == "play"]
    assert words.count("pass") > len(words) // 2


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: ddz.bot("genius"), "bot"),
        (lambda: ddz.bot("match"), "bot"),
        (lambda: ddz.bot("rule", luck=1), "luck"),
        (lambda: ddz.bot("rule", answer="much"), "answer"),
        (lambda: ddz.bot("random", luck=1), "luck"),
        (lambda: match.play(CLASSIC, ["rule"], games=5), "bots"),
        (lambda: match.play(CLASSIC, ["rule"] * 3, games=0), "games"),
        (lambda: match.duplicate(CLASSIC, "rule", "nobody", 5), "bot"),
    ],
)
def test_bad_input_is_named(make, field: str) -> None:
    """Unknown bots and parameters, wrong numbers of bots and games name the field."""
    with pytest.raises(ddz.DdzError) as caught:
        make()
    assert caught.value.field == field


@pytest.mark.parametrize("name", bots.names())
def test_a_bot_is_not_asked_out_of_turn(name: str) -> None:
    """Asking a bot whose seat is not to act is an error, not a move."""
    game = dealt("classic", 1)
    other = (game.to_act + 1) % 3
    with pytest.raises(ddz.DdzError):
        ddz.bot(name).choose(ddz.observe(game, other), RNG(1))
