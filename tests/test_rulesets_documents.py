"""Every ruleset shipped: whole provenance, whole games, and games that are one file of TOML."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from refusals import refused

import ddz_core as ddz
from ddz_core import cards, rulesets

IDS = ddz.ruleset_ids()
LANGUAGES = {"en", "zh-Hans", "zh-Hant"}
FIXTURES = Path(__file__).parent / "rulesets"


def test_the_nineteen_games_of_the_documents() -> None:
    """Each card game of the documents is there by its id."""
    assert set(IDS) == {
        *("classic", "primer", "jinyou", "er-da-yi", "duel-2p", "classic-4p", "arena-4p"),
        *("hidden-5p", "emperor", "local", "jiujiang", "wuhan", "laizi", "rob-laizi"),
        *("zaozhuang", "ningbo", "role", "jj", "dingniu"),
    }
    assert len(IDS) == 19


@pytest.mark.parametrize("ruleset", IDS)
def test_every_field_is_stated_or_assumed_with_a_reason(ruleset: str) -> None:
    """A field comes from a document with its section, or has a reason in three languages."""
    plain = ddz.load_ruleset(ruleset).ruleset
    fields = rulesets.fields(plain)
    for path in fields:
        found = rulesets.provenance(plain, path)
        if found.kind == "stated":
            assert found.document in {"000", "001", "002", "003", "004"}
            assert found.section
        else:
            assert LANGUAGES == set(found.reason), path
            assert all(found.reason.values())
    told = [*(field for source in plain.source for field in source.fields)]
    told += [ruling.field for ruling in plain.ruling]
    for field in told:
        assert any(path == field or path.startswith(field + ".") for path in fields) or any(
            field == path or field.startswith(path + ".") for path in fields
        ), field


def check_view(game: ddz.Game, seat: int) -> None:
    """Cards that a seat knows of, sees and cannot place are the deck, and fill the places."""
    seen = ddz.observe(game, seat)
    others = [one for one in range(game.seats) if one != seat]
    known = sum(seen.known[one] for one in others)
    whole = seen.hand + sum(seen.played) + known + seen.unplaced + seen.removed
    assert whole == game.ruleset.deck_cards
    free = sum(seen.left[one] - cards.size_of(seen.known[one]) for one in others)
    assert cards.size_of(seen.unplaced) == free + seen.hidden_bottom + seen.dead
    for one in others:
        assert cards.contains(game.hands[one], seen.known[one])
    assert (seen.legal() is None) == (seat != game.to_act)


def play(rules: ddz.Rules, seed: int, *, deep: bool) -> ddz.Game:
    """One game of random actions; every state looked at where ``deep``."""
    bot, rng = ddz.bot("random"), np.random.default_rng(seed)
    game = ddz.new_game(rules, ddz.deal(rules, seed=seed))
    while game.to_act is not None:
        if deep and game.phase != "deal":
            for seat in range(game.seats):
                check_view(game, seat)
        seen = ddz.observe(game, game.to_act)
        assert seen.legal() == game.legal()
        game = game.apply(bot.choose(seen, rng))
        if deep and len(game.history) % 7 == 0:
            check_travel(game)
    return game


def check_travel(game: ddz.Game) -> None:
    """A state comes back equal from record and code; a running one's carry no card."""
    text, code = ddz.write_record(game), ddz.encode(game)
    assert ddz.read_record(text) == game
    assert ddz.write_record(ddz.read_record(text)) == text
    assert ddz.decode(code) == game
    assert len(code) <= 600
    assert ("deal: " in text) == (game.phase == "settled")
    assert game.at(len(game.history)) == game


def check_end(game: ddz.Game) -> None:
    """Points and gold come from somewhere, and the side that went out has won."""
    ledger = game.ledger
    assert 0 == sum(ledger.points) + ledger.house_points
    assert 0 == sum(ledger.gold) + ledger.house
    assert ledger.conserved
    if game.out is not None:
        won = ledger.points[game.landlords[0]] > 0
        assert won == (game.out in game.landlords)
        assert game.outcome == ("landlords" if won else "farmers")


@pytest.mark.parametrize("ruleset", IDS)
def test_random_games_of_every_ruleset(ruleset: str) -> None:
    """Random games are legal at every step, end, travel, and settle to an account that adds up."""
    rules = ddz.load_ruleset(ruleset)
    for seed in range(6):
        game = play(rules, seed, deep=seed == 0)
        check_end(game)
        check_travel(game)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", IDS)
def test_many_random_games_of_every_ruleset(ruleset: str) -> None:
    """Two hundred random games of each ruleset end without an illegal action or an error."""
    rules = ddz.load_ruleset(ruleset)
    for seed in range(100, 300):
        check_end(play(rules, seed, deep=False))


@pytest.mark.parametrize("ruleset", IDS)
def test_leaving_at_any_moment_settles_or_goes_on(ruleset: str) -> None:
    """Whoever leaves, before or after the landlord is known: the game ends, and travels."""
    rules = ddz.load_ruleset(ruleset)
    rng = random.Random(5)
    for seed in range(4):
        game = ddz.new_game(rules, ddz.deal(rules, seed=seed))
        moment = rng.choice([0, 1, 6, 15, 25])
        while game.to_act is not None and len(game.history) < moment:
            game = game.apply(rng.choice(game.legal()))
        if game.to_act is None:
            continue
        seat = rng.randrange(game.seats)
        known = bool(game.landlords)
        game = game.apply("leave", seat=seat)
        assert game.fled == (seat,)
        if not known:
            assert game.phase == "settled"
            pays = rules.ruleset.leave.bidding == "pays"
            assert (game.ledger.points[seat] < 0) == pays
        elif rules.ruleset.leave.play == "ends":
            assert game.phase == "settled"
            assert game.ledger.points[seat] < 0
        refused(ddz.IllegalAction, lambda game=game, seat=seat: game.apply("leave", seat=seat))
        check_travel(game)
        while game.to_act is not None:
            game = game.apply(rng.choice(game.legal()))
        check_travel(game)


# --- games that are in no document ---------------------------------------------------------------


def fixture(name: str) -> ddz.Rules:
    """A ruleset written for the tests alone."""
    return ddz.load_ruleset(FIXTURES / f"{name}.toml")


@pytest.mark.parametrize("name", ["bomb-ladder", "first-steps"])
def test_a_new_game_is_one_file(name: str) -> None:
    """A ruleset of known mechanisms needs no line of code: it deals, bids, plays and settles."""
    rules = fixture(name)
    for seed in range(5):
        game = ddz.new_game(rules, ddz.deal(rules, seed=seed))
        rng = random.Random(seed)
        while game.to_act is not None:
            assert ddz.observe(game, game.to_act).legal() == game.legal()
            game = game.apply(rng.choice(game.legal()))
        check_end(game)


def test_a_bomb_ladder_of_four_to_ten_steps() -> None:
    """In the bomb ladder game more cards beat fewer, jokers stand between, and steps differ."""
    rules = fixture("bomb-ladder")
    order = ["AAAA", "33333", "XX", "DD", "333333", "4444444", "33333333", "XXDD"]
    for low, high in pairwise(order):
        assert rules.beats(high, low), (high, low)
        assert not rules.beats(low, high)
    ledger = rules.score(landlords=[0], out=0, plays=[5, 1, 1, 1], bombs=["33333", "XXDD"])
    assert ledger.points == (3 * 2 * 8, -16, -16, -16)


def test_a_deck_of_thirty_six_cards() -> None:
    """The beginners' game has four ranks of each of nine, no jokers, and short straights."""
    rules = fixture("first-steps")
    assert 36 == len(rules.deck_text())
    assert rules.readings("6789")[0].kind == "straight"
    refused(ddz.HandError, lambda: rules.readings("QKA2"))
    assert rules.score(landlords=[1], bid=2, out=1, plays=[1, 5, 1]).points == (-2, 4, -2)


# --- house rules that contradict each other ------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "overrides", "fields"),
    [
        ("classic", {"auction.rob": 2}, ("auction.rob", "auction.mechanism")),
        ("classic", {"auction.mechanism": "call"}, ("score.base", "auction.mechanism")),
        ("classic", {"score.base": "one"}, ("score.base", "auction.mechanism")),
        ("classic", {"score.sum_from": 1}, ("score.sum_from", "score.combine")),
        ("wuhan", {"score.face_up_joker": 2}, ("score.face_up_joker", "deal.face_up")),
        ("hidden-5p", {"deal.face_up": "any"}, ("sides", "deal.face_up")),
        ("emperor", {"deal.bottom_shown": "all"}, ("deal.taken", "deal.bottom_shown")),
        ("jiujiang", {"auction.levels": [2, 3]}, ("auction.all_pass", "auction.forced")),
        ("ningbo", {"auction.first": "random"}, ("auction.mechanism", "auction.first")),
        ("classic", {"leave.to": "house"}, ("leave.to", "leave.play")),
        ("rob-laizi", {"score.rake": 10}, ("score.limit", "score.rake")),
        ("classic", {"deal.hand": 18}, ("deal", "deck")),
    ],
)
def test_contradictions_name_both_fields(
    ruleset: str, overrides: dict[str, object], fields: tuple[str, str]
) -> None:
    """House rules that cannot both hold are refused with the names of the two."""
    error = refused(ddz.RulesetError, lambda: ddz.load_ruleset(ruleset, overrides))
    assert fields == (error.field, error.params["other"])
