"""What a seat may know: everything public, its own cards, and not one card more."""

from __future__ import annotations

import pickle
import random
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import FAMILY, bid_up, random_game, start
from refusals import refused

import ddz_core as ddz
from ddz_core import cards
from ddz_core.cards import Card

GAMES = st.tuples(st.sampled_from(FAMILY), st.integers(0, 2**32), st.integers(0, 2**32))


def states(spec: tuple[str, int, int]) -> list[ddz.Game]:
    """Every state of one game of random actions."""
    ruleset, seed, choices = spec
    return list(random_game(start(ruleset, seed), random.Random(choices)))


@given(GAMES)
@settings(max_examples=20, deadline=None)
def test_places_add_up(spec: tuple[str, int, int]) -> None:
    """Own hand, plays, known and unplaced cards are the deck, and fill the places there are."""
    for game in states(spec):
        for seat in range(3):
            obs = ddz.observe(game, seat)
            others = [s for s in range(3) if s != seat]
            known = sum(obs.known[s] for s in others)
            assert obs.known[seat] == obs.hand == game.hands[seat]
            bottom = 0 if game.landlords else game.ruleset.deal.bottom
            assert obs.hidden_bottom == bottom
            assert obs.hand + sum(obs.played) + known + obs.unplaced == game.ruleset.deck_cards
            free = sum(obs.left[s] - cards.size_of(obs.known[s]) for s in others)
            assert cards.size_of(obs.unplaced) == free + bottom
            for s in others:
                assert cards.contains(game.hands[s], obs.known[s])
            assert cards.contains(obs.unseen, obs.unplaced)


@given(GAMES)
@settings(max_examples=15, deadline=None)
def test_legal_actions_are_the_games(spec: tuple[str, int, int]) -> None:
    """The seat to act sees exactly the game's legal actions, the others none."""
    for game in states(spec)[::3]:
        for seat in range(3):
            expected = game.legal() if seat == game.to_act else None
            assert ddz.observe(game, seat).legal() == expected


def exchanged(game: ddz.Game, seat: int, rng: random.Random) -> ddz.Game | None:
    """The same history on a deal in which cards hidden from ``seat`` lie otherwise, or None.

    Only cards that nobody has played or shown are exchanged, between the places where they lie
    now: the other hands, and the bottom while it is face down.
    """
    shown = {game.deal.face_up[0]} if game.deal.face_up else set()
    if game.landlords:
        shown |= set(game.deal.bottom)
    places: list[list[Card]] = [
        [card for card in game.held[s] if card not in shown] for s in range(3) if s != seat
    ]
    if not game.landlords:
        places.append(list(game.deal.bottom))
    pool = [card for place in places for card in place]
    mixed = pool[:]
    rng.shuffle(mixed)
    swap = dict(zip(pool, mixed, strict=True))

    def moved(part: tuple[Card, ...]) -> str:
        return "".join(str(swap.get(card, card)) for card in part)

    deal = game.deal
    text = "/".join(moved(hand) for hand in deal.hands) + "|" + moved(deal.bottom)
    face_up = str(deal.face_up[0]) if deal.face_up else None
    other = ddz.new_game(
        game.rules, ddz.deal_from_text(game.rules, text, face_up=face_up, first=deal.first)
    )
    for entry in game.history:
        if not other.can(entry.action):
            return None
        other = other.apply(entry.action)
    return other


def told(seen: ddz.Observation) -> str:
    """An observation as text without suits laid down: which of equal cards goes is no matter."""
    return re.sub(r"laid=\(.*?\)\)|laid=\(\)", "", repr(seen))


@given(GAMES, st.integers(0, 2), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_hidden_cards_change_nothing(spec: tuple[str, int, int], seat: int, shuffle: int) -> None:
    """R24, R33: exchanging cards hidden from a seat leaves its observation equal, text for text."""
    seen = states(spec)
    game = random.Random(shuffle).choice(seen[:-1])
    other = exchanged(game, seat, random.Random(shuffle))
    if other is None:
        return
    one, two = ddz.observe(game, seat), ddz.observe(other, seat)
    assert one == two
    assert told(one) == told(two)
    assert [str(a) for a in one.legal() or []] == [str(a) for a in two.legal() or []]


@pytest.mark.parametrize("ruleset", FAMILY)
def test_a_pickled_observation_holds_no_hidden_card(ruleset: str) -> None:
    """The bytes of an observation are the same for every lie of the hidden cards, seed included."""
    game = start(ruleset, 31)
    while game.phase != "play":
        game = game.apply(game.legal()[-1])
    texts = set()
    for shuffle in range(6):
        other = exchanged(game, (game.landlords[0] + 1) % 3, random.Random(shuffle))
        assert other is not None
        texts.add(pickle.dumps(ddz.observe(other, (game.landlords[0] + 1) % 3)))
    assert len(texts) == 1
    read = pickle.loads(texts.pop())
    assert read == ddz.observe(game, (game.landlords[0] + 1) % 3)
    assert not hasattr(read, "deal")
    assert not hasattr(read, "seed")


def test_the_counter_never_knows_the_bottom_early() -> None:
    """R24: in the auction 37 are unseen; then 34 and the three known ones, for the landlord 34."""
    game = start("classic", 8)
    for seat in range(3):
        assert cards.size_of(ddz.observe(game, seat).unseen) == 37
        assert ddz.observe(game, seat).bottom is None
    game = bid_up(game, 1)
    for seat in (0, 2):
        obs = ddz.observe(game, seat)
        assert cards.size_of(obs.unseen) == 34
        assert obs.bottom == game.deal.bottom
        held = Counter(cards.format_cards(obs.known[1]))
        assert not Counter(card.rank for card in game.deal.bottom) - held
    assert cards.size_of(ddz.observe(game, 1).unseen) == 34


def test_a_hidden_bottom_is_the_landlords_alone() -> None:
    """Where only the landlord sees the bottom, the others have three unknown cards more."""
    game = bid_up(start("classic", 8, {"deal.bottom_shown": "landlord"}), 1)
    obs = ddz.observe(game, 0)
    assert (obs.bottom, obs.bottom_left) == (None, ())
    assert cards.size_of(obs.unseen) == 37
    assert ddz.observe(game, 1).bottom == game.deal.bottom


def test_the_card_shown_while_dealing_is_known_until_it_is_played() -> None:
    """Everybody knows who holds the face-up card, until its holder plays that rank."""
    game = start("classic", 8)
    card, holder = game.deal.face_up
    watcher = (holder + 1) % 3
    lane = 1 << 4 * card.lane
    assert ddz.observe(game, watcher).known[holder] == lane
    assert ddz.observe(game, watcher).unplaced == ddz.observe(game, watcher).unseen - lane
    game = bid_up(game, holder)
    while game.face_up_left:
        ranks = [m for m in game.legal() if not isinstance(m, str) and card.rank in str(m)]
        game = game.apply(ranks[0] if game.to_act == holder and ranks else "pass")
    obs = ddz.observe(game, watcher)
    assert obs.known[holder] == cards.from_cards(obs.bottom_left)
    assert obs.unplaced == obs.unseen


def test_a_factor_stays_hidden_until_both_have_chosen() -> None:
    """The second farmer and the landlord see that the first has chosen, not what."""
    game = start("jinyou", 3)
    while game.phase == "auction":
        game = game.apply("3")
    first, second = ((game.landlords[0] + n) % 3 for n in (1, 2))
    seen = []
    for choice in ("x1", "x8"):
        after = game.apply(choice)
        assert ddz.observe(after, first).history[-1].action == choice
        assert ddz.observe(after, first).factors[first] == int(choice[1])
        for seat in (second, game.landlords[0]):
            obs = ddz.observe(after, seat)
            assert obs.history[-1].action == "?"
            assert obs.factors[first] is None
            seen.append(repr(obs))
    assert seen[:2] == seen[2:]
    both = game.apply("x8").apply("x2")
    for seat in range(3):
        obs = ddz.observe(both, seat)
        assert obs.factors == both.factors
        assert [e.action for e in obs.history[-2:]] == ["x8", "x2"]


def test_nothing_hidden_when_the_game_is_over() -> None:
    """A settled game's result is public; the cards that were not played stay unseen."""
    last = states(("classic", 1, 2))[-1]
    for seat in range(3):
        obs = ddz.observe(last, seat)
        assert (obs.ledger, obs.outcome, obs.legal()) == (last.ledger, last.outcome, None)


def test_a_seat_that_does_not_exist_is_refused() -> None:
    """There is nothing to observe from a seat outside the table."""
    game = start("classic", 1)
    for seat in (3, -1, "0", None):
        refused(ddz.DdzError, lambda seat=seat: ddz.observe(game, seat))
