"""The game value: what may be done, what follows, and that taking back restores everything."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import FAMILY, bid_up, passing, random_game, shared_out, start
from refusals import refused
from strategies import FULL_DECK

import ddz_core as ddz
from ddz_core import cards
from ddz_core.game import next_deal
from ddz_core.language import LANGUAGES, words

GAMES = st.tuples(st.sampled_from(FAMILY), st.integers(0, 2**32), st.integers(0, 2**32))


def states(spec: tuple[str, int, int]) -> list[ddz.Game]:
    """Every state of one game of random actions."""
    ruleset, seed, choices = spec
    return list(random_game(start(ruleset, seed), random.Random(choices)))


def set_game(hands: list[str], ruleset: str = "classic", **facts: object) -> ddz.Game:
    """A game of a hand-set deal, the rest of the pack dealt in order."""
    rules = ddz.load_ruleset(ruleset)
    return ddz.new_game(rules, ddz.deal_from_text(rules, shared_out(hands), **facts))


@given(GAMES)
@settings(max_examples=25, deadline=None)
def test_cards_are_conserved(spec: tuple[str, int, int]) -> None:
    """In every state hands, plays and a bottom not yet taken are the deck; held equals hands."""
    for game in states(spec):
        played = sum(entry.move.hand for entry in game.history if entry.move)
        bottom = 0 if game.landlords else cards.from_cards(game.deal.bottom)
        assert sum(game.hands) + played + bottom == game.ruleset.deck_cards
        assert tuple(map(cards.from_cards, game.held)) == game.hands
        assert game.left == tuple(map(len, game.held))
        assert all(list(hand) == sorted(hand) for hand in game.held)
        assert sum(game.plays) == sum(1 for entry in game.history if entry.move)


@given(GAMES)
@settings(max_examples=8, deadline=None)
def test_taking_back_restores_every_field(spec: tuple[str, int, int]) -> None:
    """The state n actions ago is the state there was then, field by field, and undo is one step."""
    seen = states(spec)
    last = seen[-1]
    for number, game in enumerate(seen):
        assert last.at(number) == game
        if number:
            assert game.undo() == seen[number - 1]
    assert last.undo(len(last.history)) == seen[0]


@given(GAMES)
@settings(max_examples=15, deadline=None)
def test_points_are_conserved_and_follow_the_facts(spec: tuple[str, int, int]) -> None:
    """A finished game's points sum to zero and are those of its bare facts."""
    game = states(spec)[-1]
    assert sum(game.ledger.points) + game.ledger.house == 0
    if game.outcome == "redeal":
        assert (game.landlords, game.ledger.points) == ((), (0, 0, 0))
        return
    facts = {"factor": game.factors} if game.rules.id == "jinyou" else {}
    ledger = game.rules.score(
        landlords=game.landlords,
        bid=game.contract,
        out=game.out,
        plays=list(game.plays),
        bombs=[bomb.cards for bomb in game.bombs],
        **facts,
    )
    assert ledger == game.ledger
    assert game.hands[game.out] == 0
    assert (game.outcome == "landlords") == (game.out in game.landlords)
    assert game.multiplier == ledger.multiplier


@given(GAMES)
@settings(max_examples=15, deadline=None)
def test_listed_actions_are_the_legal_ones(spec: tuple[str, int, int]) -> None:
    """Each listed action can be done by text and by object alike; a passed phase's words cannot."""
    for game in states(spec)[::4]:
        if game.to_act is None:
            assert game.legal() == []
            refused(ddz.IllegalAction, lambda game=game: game.apply("pass"))
            continue
        for action in game.legal()[:40]:
            assert game.can(action)
            assert game.can(action, seat=game.to_act)
            assert not game.can(action, seat=(game.to_act + 1) % 3)
            if not isinstance(action, str):
                named = f"{action}={action.kind}:{action.length}:{action.top}"
                assert game.apply(named) == game.apply(action)
        if game.phase != "auction":
            assert not game.can("call")
            assert not game.can(True)


@given(GAMES)
@settings(max_examples=15, deadline=None)
def test_recorded_texts_replay(spec: tuple[str, int, int]) -> None:
    """Applying the texts of a history again gives the same game."""
    last = states(spec)[-1]
    game = ddz.new_game(last.rules, last.deal)
    for entry in last.history:
        game = game.apply(entry.action, seat=entry.seat, at=entry.index)
    assert game == last


def test_an_action_of_an_earlier_state_is_stale() -> None:
    """A choice made before somebody acted is refused as such."""
    game = start("classic", 1)
    error = refused(ddz.IllegalAction, lambda: game.apply("pass").apply("pass", at=0))
    assert error.key == "error.action.stale"


@pytest.mark.parametrize(
    ("action", "key"),
    [
        ("KKKK", "error.action.missing"),
        ("3456", "error.action.none"),
        ("33", "error.action.other_kind"),
        ("34567", "error.action.length"),
        ("345678=pair:1:3", "error.action.reading"),
        ("345678=pair", "error.action.named"),
        ("456789", None),
        ("345678", "error.action.lower"),
        ("3344556677", "error.action.missing"),
        ("", "error.action.empty"),
        ("take", "error.action.now"),
        (3, "error.action.now"),
        (None, "error.action.text"),
        ("x" * 300, "error.action.text"),
        ("hello", "error.cards.character"),
        ("pass", None),
    ],
)
def test_every_refusal_says_why(action: object, key: str | None) -> None:
    """Each way to be wrong when following has its own reason, and changes nothing."""
    game = set_game(["3344556789TJQK222", "345678999", ""])
    game = bid_up(game, 1).apply("345678")
    game = game.apply("pass")
    before = game
    if key is None:
        game.apply(action)
    else:
        assert refused(ddz.DdzError, lambda: game.apply(action)).key == key
    assert game == before


def test_missing_cards_are_named() -> None:
    """A play with cards that are not held names exactly those cards."""
    game = bid_up(set_game(["3344556789TJQK222", "345678999", ""]), 0)
    error = refused(ddz.IllegalAction, lambda: game.apply("5QKQK"))
    assert error.got == "QK"


def test_leading_cannot_be_passed() -> None:
    """The landlord's first action, and a lead after everybody passed, is a play."""
    game = bid_up(start("classic", 5), 2)
    assert game.to_act == 2
    assert refused(ddz.IllegalAction, lambda: game.apply("pass")).key == "error.action.lead"
    assert "pass" not in game.legal()
    led = game.apply(game.legal()[0])
    assert led.legal()[0] == "pass"
    again = led.apply("pass").apply("pass")
    assert (again.to_act, again.to_beat, again.trick) == (2, None, 2)
    assert not again.can("pass")
    assert again.undo() == led.apply("pass")


def test_bottom_cards_still_held_are_a_multiset() -> None:
    """R20: of bottom 88K one 8 played leaves 8 and K known; the original three stay readable."""
    rules = ddz.load_ruleset("classic")
    game = ddz.new_game(rules, ddz.deal_from_text(rules, shared_out_with_bottom("88K")))
    game = bid_up(game, 0)
    assert "".join(card.rank for card in game.bottom_left) == "88K"
    game = game.apply("8")
    assert "".join(card.rank for card in game.bottom_left) == "8K"
    assert "".join(card.rank for card in game.deal.bottom) == "88K"
    game = game.apply("pass").apply("pass").apply("8")
    assert "".join(card.rank for card in game.bottom_left) == "K"
    assert game.hand_text(0).count("8") == 1


def shared_out_with_bottom(bottom: str) -> str:
    """A deal with these bottom cards; seat 0 holds one 8 of its own."""
    left = Counter(FULL_DECK)
    left.subtract(bottom + "8")
    rest = "".join(left.elements())
    return f"8{rest[:16]}/{rest[16:33]}/{rest[33:50]}|{bottom}"


def test_a_deal_nobody_wants_is_settled_without_landlord() -> None:
    """R12: three passes: redeal, no score, no landlord; the next deal is a new game."""
    game = start("classic", 4)
    for _ in range(3):
        game = game.apply("pass")
    assert (game.phase, game.outcome, game.landlords, game.to_act) == (
        "settled",
        "redeal",
        (),
        None,
    )
    assert game.ledger.points == (0, 0, 0)
    assert game.side_of(0) is None
    assert game.tricks == ()
    following = next_deal(game)
    assert following.deal == ddz.deal(game.rules, seed=4, number=1)
    assert (following.phase, following.multiplier, following.history) == ("auction", 1, ())
    assert game.undo().phase == "auction"


def test_the_fallback_of_the_first_speaker() -> None:
    """R12: where the first speaker must take it, three passes make it landlord at 1."""
    game = start("wuhan", 4)
    first = game.first
    for _ in range(3):
        game = game.apply("pass")
    assert (game.landlords, game.contract, game.phase, game.to_act) == ((first,), 1, "play", first)


def test_farmers_raise_in_turn_before_the_lead() -> None:
    """After the bottom is taken each farmer picks a factor; pass means that nothing is raised."""
    game = bid_up_auction(start("jinyou", 3), 1)
    assert (game.phase, game.to_act, game.legal()) == ("declare", 2, ["x1", "x2", "x4", "x8"])
    assert game.factors == (None, 1, None)
    for wrong in ("x3", "3", "XD", "call", 2):
        refused(ddz.IllegalAction, lambda wrong=wrong: game.apply(wrong))
    game = game.apply("X4").apply("pass")
    assert (game.phase, game.to_act, game.factors) == ("play", 1, (1, 1, 4))
    assert [str(entry) for entry in game.history][-2:] == ["2 x4", "0 x1"]
    assert game.history[-2].key == "action.factor"
    assert game.history[-1].key == "action.no_factor"


def bid_up_auction(game: ddz.Game, landlord: int) -> ddz.Game:
    """The same game with the given seat as landlord, its declarations not yet asked."""
    while game.phase == "auction":
        game = game.apply("3" if game.to_act == landlord else "pass")
    return game


def test_everybody_is_warned_of_two_and_one_card() -> None:
    """The alarm is on exactly while a seat holds two cards or one, and follows the ruleset."""
    game = bid_up(set_game(["33445566778899TJJ", "", ""]), 0)
    for action in ("334455667788", "99"):
        assert game.alarms == (None, None, None)
        game = game.apply(action).apply("pass").apply("pass")
    game = game.apply(game.hand_text(0)[0]).apply("pass").apply("pass")
    assert game.left[0] in (4, 5)
    while game.left[0] > 2:
        game = game.apply(game.hand_text(0)[0]).apply("pass").apply("pass")
    assert game.alarms == (2, None, None)
    game = game.apply(game.hand_text(0)[0])
    assert game.alarms == (1, None, None)
    assert game.undo().alarms == (2, None, None)


def test_spring_doubles_in_the_games_own_ledger() -> None:
    """A landlord who goes out while the farmers only pass doubles where spring counts."""
    for ruleset, factor in (("jinyou", 2), ("classic", 1)):
        game = bid_up(start(ruleset, 12), 0)
        while game.outcome is None:
            game = game.apply(passing(game))
        assert game.outcome == "landlords"
        bombs = 2 ** len(game.bombs)
        assert game.ledger.points == (6 * factor * bombs, -3 * factor * bombs, -3 * factor * bombs)


def test_history_is_told_trick_by_trick() -> None:
    """Tricks partition the plays and passes; a new one begins after everybody else passed."""
    last = states(("classic", 77, 78))[-1]
    flat = [entry for trick in last.tricks for entry in trick]
    assert flat == [entry for entry in last.history if entry.phase == "play"]
    for trick in last.tricks[:-1]:
        assert trick[0].move is not None
        assert [e.action for e in trick[-2:]] == ["pass", "pass"]
        assert len([e for e in trick if e.move]) == len(trick) - sum(
            e.action == "pass" for e in trick
        )


def test_the_last_action_of_each_seat_is_of_this_trick() -> None:
    """What a seat did last is forgotten when the next trick begins."""
    game = bid_up(start("classic", 5), 0)
    assert [game.last_of(seat) for seat in range(3)] == [None, None, None]
    game = game.apply(game.legal()[0]).apply("pass")
    assert game.last_of(0).move is not None
    assert game.last_of(1).action == "pass"
    assert game.last_of(2) is None
    game = game.apply("pass")
    assert [game.last_of(seat) for seat in range(3)] == [None, None, None]


def test_a_branch_keeps_hands_and_says_where_it_left() -> None:
    """R46: playing on from step 12 leaves the original alone and notes the branching point."""
    last = states(("classic", 21, 22))[-1]
    branch = last.branch(12)
    assert branch == last.at(12)
    assert dict(branch.headers)["branch"] == f"12 of {len(last.history)}"
    other = branch.apply(branch.legal()[-1])
    assert other.undo(2) == last.at(11)
    assert len(last.history) > 13


@pytest.mark.parametrize("count", [-1, 10_000, "3", True, None])
def test_a_state_that_never_was_is_refused(count: object) -> None:
    """Only as many actions as there are can be taken back."""
    game = start("classic", 1).apply("pass")
    assert refused(ddz.DdzError, lambda: game.at(count)).field == "at"


def test_a_deal_of_another_game_is_refused() -> None:
    """A game takes only what is a deal of its rules."""
    rules = ddz.load_ruleset("classic")
    refused(ddz.DdzError, lambda: ddz.new_game(rules, "33"))
    deal = ddz.deal(rules, seed=1)
    refused(ddz.DdzError, lambda: ddz.new_game(rules, replace(deal, hands=deal.hands[:2])))
    refused(ddz.DdzError, lambda: ddz.new_game(rules, replace(deal, bottom=deal.hands[0][:3])))
    refused(ddz.DdzError, lambda: ddz.new_game(rules, replace(deal, first=3)))


def test_phases_and_actions_are_worded() -> None:
    """Every phase, outcome and action of a history has a text in every language."""
    for ruleset in FAMILY:
        last = states((ruleset, 5, 6))[-1]
        for language in LANGUAGES:
            for entry in last.history:
                assert words(language).say(entry.key, **entry.params)
            for key in ("phase.auction", "phase.declare", "phase.play", "phase.settled"):
                assert words(language).say(key)
            for outcome in ("landlords", "farmers", "redeal", "unplayed"):
                assert words(language).say(f"outcome.{outcome}")
