"""Faults others reported in counters and advice (public reports R20, R24, R31, R33).

What a seat may know is computed here from the deal and the history alone and held against the
observation; what it may not know is exchanged, and nothing the seat sees may change.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from oracle import text
from playing import FAMILY, bid_up, cards_of, deal_text, random_game, shared_out, start, swapped

import ddz_core as ddz


def counted(hand: int) -> Counter[str]:
    """A packed hand as a multiset."""
    return Counter(ddz.format_cards(hand))


def ranks(cards: tuple[ddz.Card, ...]) -> str:
    """Physical cards as ranks, low to high."""
    return text(Counter(card.rank for card in cards))


# --- R24 the counter -----------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", FAMILY)
def test_r24_numbers_of_unseen_cards(ruleset: str) -> None:
    """Bidding: 37 unseen whatever the bottom; then 34, and for a farmer the bottom is placed."""
    for seed in range(6):
        game = start(ruleset, seed)
        for seat in range(3):
            seen = ddz.observe(game, seat)
            assert 37 == counted(seen.unseen).total()
            assert seen.bottom is None
            assert Counter(game.rules.deck_text()) - counted(seen.hand) == counted(seen.unseen)
        game = bid_up(game, landlord := seed % 3)
        for seat in range(3):
            seen = ddz.observe(game, seat)
            assert game.deal.bottom == seen.bottom
            assert 34 == counted(seen.unseen).total()
            if seat != landlord:
                assert not Counter(ranks(seen.bottom)) - counted(seen.known[landlord])
                assert not counted(seen.unseen) & Counter(
                    {r: n for r, n in Counter(ranks(seen.bottom)).items() if n == 4}
                )


@pytest.mark.parametrize("ruleset", FAMILY)
@pytest.mark.parametrize("seed", range(3))
def test_r24_what_is_unseen_in_every_state(ruleset: str, seed: int) -> None:
    """In every state the unseen cards are the deck less own hand, played cards and shown bottom."""
    for game in random_game(start(ruleset, seed), random.Random(seed)):
        played: list[Counter[str]] = [Counter(), Counter(), Counter()]
        for entry in game.history:
            if entry.phase == "play" and entry.action != "pass":
                played[entry.seat].update(cards_of(entry))
        for seat in range(3):
            seen = ddz.observe(game, seat)
            assert played == [counted(hand) for hand in seen.played]
            assert list(game.left) == list(seen.left)
            expected = Counter(game.rules.deck_text()) - counted(seen.hand) - sum(played, Counter())
            if game.landlords and seat not in game.landlords:
                expected -= Counter(ranks(seen.bottom_left))
            assert expected == counted(seen.unseen), (seat, len(game.history))
            if game.landlords:
                (landlord,) = game.landlords
                kept = Counter(ranks(seen.bottom)) - played[landlord]
                assert text(kept) == ranks(seen.bottom_left), (seat, len(game.history))
            others = sum(n for other, n in enumerate(game.left) if other != seat)
            placed = 0 if not game.landlords or seat in game.landlords else len(seen.bottom_left)
            hidden = 3 if not game.landlords else 0
            assert others + hidden - placed == counted(seen.unseen).total()


def test_r20_bottom_cards_are_a_multiset() -> None:
    """Of the bottom 88K one 8 is played, then the other: only what was played is gone.

    The landlord holds 8 8 K of the bottom and no other 8, so it is known which cards are played.
    """
    dealt = bottom_deal("88K", own="33445566779TJQAA2", without="8K")
    rules = ddz.load_ruleset("classic")
    game = bid_up(ddz.new_game(rules, ddz.deal_from_text(rules, dealt)), 0)
    farmer = 1
    assert "88K" == ranks(ddz.observe(game, farmer).bottom_left)
    game = game.apply("8")
    seen = ddz.observe(game, farmer)
    assert "88K" == ranks(seen.bottom)
    assert "8K" == ranks(seen.bottom_left)
    game = bid_up(ddz.new_game(rules, ddz.deal_from_text(rules, dealt)), 0).apply("88")
    seen = ddz.observe(game, farmer)
    assert "88K" == ranks(seen.bottom)
    assert "K" == ranks(seen.bottom_left)


def bottom_deal(bottom: str, own: str, without: str) -> str:
    """A deal in which the first hand and the bottom are given, as text."""
    assert not set(own) & set(without)
    deck = shared_out(["", "", ""]).replace("/", "").replace("|", "")
    left = text(Counter(deck) - Counter(own + bottom))
    return deal_text([own, left[:17], left[17:]], bottom)


def test_r20_one_of_many_is_removed() -> None:
    """Playing one 3 of three leaves the other two in the hand."""
    rules = ddz.load_ruleset("classic")
    dealt = shared_out(["33345", "", ""])
    game = bid_up(ddz.new_game(rules, ddz.deal_from_text(rules, dealt)), 0)
    before = game.hand_text(0)
    after = game.apply("3").hand_text(0)
    assert before.count("3") - 1 == after.count("3")
    assert before.replace("3", "", 1) == after


# --- R33 what is hidden changes nothing ----------------------------------------------------------


def twin_games(ruleset: str, seed: int, seat: int, rng: random.Random) -> tuple:
    """Two games with the same actions that differ only in cards hidden from a seat."""
    games = list(random_game(start(ruleset, seed), rng))
    game = games[rng.randrange(len(games))]
    if game.phase == "settled":
        game = games[len(games) // 2]
    shown = game.deal.face_up[0] if game.deal.face_up else None
    hidden = {}
    for other in range(3):
        if other != seat:
            pool = [card for card in game.held[other] if card != shown]
            if game.landlords:
                pool = [card for card in pool if card not in game.deal.bottom]
            hidden[other] = [c for c in game.deal.hands[other] if c in pool]
    one, other = hidden
    number = min(len(hidden[one]), len(hidden[other]))
    if number == 0:
        return game, game
    number = rng.randint(1, number)
    hands = [list(hand) for hand in game.deal.hands]
    places = zip(rng.sample(hidden[one], number), rng.sample(hidden[other], number), strict=True)
    for mine, yours in places:
        hands[one][hands[one].index(mine)] = yours
        hands[other][hands[other].index(yours)] = mine
    written = "/".join("".join(map(str, hand)) for hand in hands)
    deal = ddz.deal_from_text(
        game.rules,
        written + "|" + "".join(map(str, game.deal.bottom)),
        first=game.deal.first,
        face_up=str(shown) if shown else None,
    )
    twin = ddz.new_game(game.rules, deal)
    for entry in game.history:
        twin = twin.apply(entry.action)
    return game, twin


@pytest.mark.parametrize("ruleset", FAMILY)
@pytest.mark.parametrize("seat", range(3))
def test_r24_r33_hidden_cards_change_nothing_that_a_seat_sees(ruleset: str, seat: int) -> None:
    """Exchange cards hidden from a seat: its observation, moves and bots' advice are the same."""
    rng = random.Random(seat)
    differing = 0
    for seed in range(12):
        game, twin = twin_games(ruleset, seed, seat, rng)
        differing += game.hands != twin.hands
        one, other = ddz.observe(game, seat), ddz.observe(twin, seat)
        assert one == other
        assert one.legal() == other.legal()
        if game.to_act == seat:
            for name in ("random", "rule"):
                bot = ddz.bot(name)
                advice = [str(bot.choose(seen, np.random.default_rng(5))) for seen in (one, other)]
                assert advice[0] == advice[1], name
    assert differing >= 6


def test_r33_bottom_cards_are_hidden_while_bidding() -> None:
    """While bidding, exchanging the bottom with cards of another hand changes no observation."""
    rng = random.Random(4)
    rules = ddz.load_ruleset("wuhan")
    for seed in range(10):
        game = start("wuhan", seed).apply("pass")
        hands = [ranks(hand) for hand in game.deal.hands]
        bottom = ranks(game.deal.bottom)
        for seat in range(3):
            other = (seat + 1) % 3
            *changed, new_bottom = swapped([*hands, bottom], other, 3, rng)
            deals = (deal_text(hands, bottom), deal_text(changed, new_bottom))
            seen = [
                ddz.observe(
                    ddz.new_game(
                        rules, ddz.deal_from_text(rules, deal, first=game.deal.first)
                    ).apply("pass"),
                    seat,
                )
                for deal in deals
            ]
            assert seen[0].unseen == seen[1].unseen
            assert seen[0].unplaced == seen[1].unplaced
            assert seen[0].bottom is seen[1].bottom is None
            assert [str(e) for e in seen[0].history] == [str(e) for e in seen[1].history]


def test_secret_raises_are_not_seen_before_both_are_chosen() -> None:
    """A farmer does not see the other's factor before its own choice; then both are public."""
    game = start("jinyou", 3)
    while game.phase == "auction":
        game = game.apply("3" if game.to_act == 0 else "pass")
    first = game.to_act
    views = []
    for choice in ("x1", "x8"):
        after = game.apply(choice)
        views.append(ddz.observe(after, after.to_act))
        assert first != after.to_act
        both = after.apply("x2")
        for seat in range(3):
            assert {choice, "x2"} <= {entry.action for entry in ddz.observe(both, seat).history}
    assert views[0] == views[1]


# --- R31 the rocket thrown away as kickers -------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_r31_the_rule_bot_keeps_the_rocket_whole(seed: int) -> None:
    """Where both jokers may be kickers, the rule bot plays them so only to go out."""
    rng = np.random.default_rng(seed)
    bot = ddz.bot("rule")
    for number in range(8):
        game = start("jinyou", 100 * seed + number)
        while game.outcome is None:
            game = game.apply(bot.choose(ddz.observe(game, game.to_act), rng))
            cards = cards_of(game.history[-1])
            if "XD" in cards and cards != "XD":
                assert game.outcome is not None, cards


def test_r31_the_reported_hand_goes_out_when_it_can() -> None:
    """With nothing but 7777XD on lead, where it is one play, it is played whole."""
    rules = ddz.load_ruleset("classic", {"kickers.both_jokers": True})
    plays = {str(move) for move in rules.moves("7777XD")}
    assert "7777XD" in plays
    assert "XD" in plays
    assert not ddz.load_ruleset("classic").readings("7777XD")
