"""The guided mode: every phase has its words, and none of them knows a hidden card."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hidden import exchanged
from playing import bid_up

import ddz_core as ddz
from ddz_core import guide
from ddz_core.language import LANGUAGES, words

RULE, ODD = ddz.bot("rule"), ddz.bot("random")


def moments(ruleset: str, seed: int, noise: float = 0.3):
    """A game after every action, with what each seat sees."""
    rules = ddz.load_ruleset(ruleset)
    game, rng = ddz.new_game(rules, ddz.deal(rules, seed=seed)), np.random.default_rng(seed)
    while True:
        for seat in range(game.seats):
            yield game, ddz.observe(game, seat)
        if game.to_act is None:
            return
        player = ODD if rng.random() < noise else RULE
        game = game.apply(player.choose(ddz.observe(game, game.to_act), rng))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
def test_every_moment_is_worded(ruleset: str, lang: str) -> None:
    """At every moment of whole games every seat gets a title and lines in each language."""
    said = words(lang)
    for _, seen in moments(ruleset, 4):
        step = guide.guide(seen)
        assert 1 <= step.number <= step.total
        for phrase in (step.title, *step.lines):
            text = said.phrase(phrase)
            assert text
            assert "{" not in text
            assert "guide." not in text
            assert "!" not in text
            assert "！" not in text


def test_all_phases_come_up() -> None:
    """Over a few games every kind of moment is met, declarations included."""
    met = {
        guide.guide(seen).key
        for ruleset, seed in [("jinyou", s) for s in range(6)] + [("classic", s) for s in range(12)]
        for _, seen in moments(ruleset, seed)
    }
    assert met >= {
        "deal",
        "auction.mine",
        "auction.wait",
        "declare.mine",
        "declare.wait",
        "landlord.lead",
        "landlord.wait",
        "lead",
        "follow",
        "follow.none",
        "follow.partner",
        "watch",
        "end.won",
        "end.lost",
        "end.redeal",
    }


def test_every_question_before_the_lead_is_explained() -> None:
    """Showing, calling, robbing, taking, doubling, revealing, choosing, declaring: all come up."""
    met, lines = set(), set()
    for ruleset, seeds in (
        ("rob-laizi", 6),
        ("hidden-5p", 3),
        ("emperor", 2),
        ("ningbo", 1),
        ("arena-4p", 5),
        ("er-da-yi", 1),
    ):
        rules = ddz.load_ruleset(ruleset)
        for seed in range(seeds):
            game, rng = ddz.new_game(rules, ddz.deal(rules, seed=seed)), np.random.default_rng(seed)
            while game.to_act is not None and game.phase != "play":
                for seat in range(game.seats):
                    step = guide.guide(ddz.observe(game, seat))
                    met.add(step.key)
                    lines |= {line.key for line in step.lines}
                game = game.apply(ODD.choose(ddz.observe(game, game.to_act), rng))
    assert met >= {"before.mine", "before.wait", "declare.chosen", "declare.double"}
    assert met >= {"declare.reveal", "declare.show", "declare.wait"}
    assert lines >= {"guide.auction.call_rob", "guide.auction.rob", "guide.auction.take"}
    assert lines >= {"guide.auction.call", "guide.deal.drawn", "guide.deal.chosen"}
    assert lines >= {"guide.landlord.unknown_sides", "guide.landlord.partner"}


@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
def test_hidden_cards_change_no_word(ruleset: str) -> None:
    """Exchanging cards that a seat cannot know leaves the guide's words as they were."""
    rng = random.Random(2)
    for game, seen in moments(ruleset, 7):
        if game.outcome is None:
            again = ddz.observe(exchanged(game, seen.seat, rng), seen.seat)
            assert guide.guide(seen) == guide.guide(again)


def test_alarm_and_bomb_are_said() -> None:
    """Few cards left on either side, and a bomb since the own last action, are said."""
    said = set()
    for seed in range(25):
        for _, seen in moments("classic", seed):
            if seen.outcome is None:
                step = guide.guide(seen)
                said |= {line.key for line in step.lines}
                few = min(n for seat, n in enumerate(seen.left) if seat != seen.seat)
                if step.number == 4:
                    assert few <= 2
    assert {"guide.alarm.enemy", "guide.alarm.partner", "guide.bomb"} <= said


def test_the_end_adds_up() -> None:
    """At the end the guide gives the factors, what each farmer pays, and the seat's own points."""
    rules = ddz.load_ruleset("classic")
    game = bid_up(ddz.new_game(rules, ddz.deal(rules, seed=3)), 1)
    rng = np.random.default_rng(1)
    while game.to_act is not None:
        game = game.apply(RULE.choose(ddz.observe(game, game.to_act), rng))
    for seat in range(3):
        step = guide.guide(ddz.observe(game, seat))
        won = game.ledger.points[seat] > 0
        assert step.key == ("end.won" if won else "end.lost")
        total = next(line for line in step.lines if line.key == "guide.end.sum")
        assert total.params["n"] == game.ledger.unit
        own = next(line for line in step.lines if line.key == "guide.end.points")
        assert own.params["points"].replace("−", "-") == f"{game.ledger.points[seat]:+d}"
