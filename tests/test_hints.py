"""The hint ladder: counted from one seat's view, true to the cards, worded in three languages."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from hidden import exchanged
from playing import bid_up, shared_out

import ddz_core as ddz
from ddz_core import cards, decompose, hints
from ddz_core.bots import match
from ddz_core.bots.rule import others_of
from ddz_core.hints import facts
from ddz_core.language import LANGUAGES, Phrase, words

RULE = ddz.bot("rule")
CLASSIC = ddz.load_ruleset("classic")


def decisions(ruleset: str, seed: int, noise: float = 0.15) -> Iterator[tuple[ddz.Game, object]]:
    """Every decision of a game between rule bots that now and then act at random."""
    rules = ddz.load_ruleset(ruleset)
    game, rng = ddz.new_game(rules, ddz.deal(rules, seed=seed)), np.random.default_rng(seed)
    odd = ddz.bot("random")
    while game.to_act is not None:
        seen = ddz.observe(game, game.to_act)
        yield game, seen
        player = odd if rng.random() < noise else RULE
        game = game.apply(player.choose(seen, rng))


def phrases(ladder: hints.Ladder) -> Iterator[Phrase]:
    """Every phrase of a ladder."""
    for rung in ladder.rungs:
        if rung.lead is not None:
            yield rung.lead
        yield from rung.lines
        yield from rung.head
        for row in rung.rows:
            yield from row.cells


def keys(ladder: hints.Ladder, rung: int) -> set[str]:
    """The keys of the sentences of a rung."""
    return {line.key for line in ladder.rungs[rung].lines}


def at_lead(hand: str, overrides: dict | None = None) -> object:
    """What a landlord sees who leads with a hand that begins with these cards."""
    rules = ddz.load_ruleset("classic", overrides or {})
    deal = ddz.deal_from_text(rules, shared_out([hand, "", ""]))
    game = bid_up(ddz.new_game(rules, deal), 0)
    return ddz.observe(game, 0)


@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
@pytest.mark.parametrize("seed", range(2))
def test_every_decision_has_four_rungs_and_the_rule_bots_answer(ruleset: str, seed: int) -> None:
    """At every decision the ladder's answer is legal, what the rule bot chooses, with another."""
    for game, seen in decisions(ruleset, seed):
        ladder = hints.hints(seen)
        assert [rung.key for rung in ladder.rungs] == ["legal", "candidates", "reasons", "answer"]
        assert game.can(ladder.answer.action)
        chosen = RULE.choose(seen)
        assert (ladder.answer.move or ladder.answer.action) == chosen
        assert all(game.can(one.action) for one in ladder.candidates)
        assert (ladder.alternative is None) == (len(ladder.candidates) == 1)
        assert len(ladder.candidates) <= 6
        assert ladder.rungs[2].lines


@pytest.mark.parametrize("seed", range(5))
def test_turns_left_are_exact_and_threats_are_those_of_the_unseen_cards(seed: int) -> None:
    """Each candidate's plays left is the exact number, and who beats it is counted from unseen."""
    for _, seen in decisions("classic", seed):
        if seen.phase != "play":
            continue
        most = max(
            left
            for seat, left in enumerate(seen.left)
            if seat != seen.seat and seen.side_of(seat) != seen.side_of(seen.seat)
        )
        for one in hints.hints(seen).candidates:
            if one.move is None:
                assert one.turns == decompose.fewest(seen.hand, CLASSIC)
                continue
            assert one.turns == decompose.fewest(seen.hand - one.move.hand, CLASSIC)
            answers = [
                move
                for move in CLASSIC.moves(others_of(seen), one.move.cards, beat_as=one.move)
                if len(move.cards) <= most
            ]
            plain = {move.top for move in answers if not move.is_bomb}
            assert set(one.outside.tops) == plain
            assert one.outside.safe == (not answers)


@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
def test_hidden_cards_change_no_hint(ruleset: str) -> None:
    """Exchanging cards that the seat cannot know leaves every word of the hint as it was (R33)."""
    rng = random.Random(1)
    for game, seen in decisions(ruleset, 6):
        again = ddz.observe(exchanged(game, seen.seat, rng), seen.seat)
        assert hints.hints(seen) == hints.hints(again)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_is_worded(lang: str) -> None:
    """Every phrase of the ladders of whole games has words in each language, all values filled."""
    said = words(lang)
    for ruleset in ddz.ruleset_ids():
        for seed in (3, 8) if ruleset in ("classic", "jinyou") else (3,):
            for _, seen in decisions(ruleset, seed, noise=0.4):
                for phrase in phrases(hints.hints(seen)):
                    text = said.phrase(phrase)
                    assert text
                    assert "{" not in text
                    assert "hint." not in text


def test_breaking_a_bomb_or_the_rocket_is_said() -> None:
    """Advice or candidate that tears a bomb or the rocket says so in its reasons (R31, R32)."""
    found = 0
    for seed in range(12):
        for _, seen in decisions("classic", seed):
            if seen.phase != "play":
                continue
            ladder = hints.hints(seen)
            if any(one.torn for one in ladder.candidates) and ladder.answer.turns != 0:
                found += 1
                assert "hint.why.torn" in keys(ladder, 2)
    assert found


def test_the_rocket_is_not_the_first_choice_of_kickers() -> None:
    """On lead with a bomb and both jokers allowed as kickers the answer keeps the rocket (R31)."""
    ladder = hints.hints(at_lead("3687777AAAAXD", {"kickers.both_jokers": True}))
    assert "XD" not in ladder.answer.torn


def test_a_kicker_out_of_a_straight_says_what_it_costs() -> None:
    """A play that takes a card out of a run of the best split names the run and the plays lost."""
    seen = at_lead("3456789TQQQ33KA22")
    for one in hints.hints(seen).candidates:
        if one.lost > 0 and not one.torn:
            assert one.broken is not None
            assert one.turns == decompose.fewest(seen.hand, CLASSIC) - 1 + one.lost


def test_an_alternative_comes_with_a_difference() -> None:
    """Where there is a choice, the answer names another play and how it differs (R32)."""
    for _, seen in decisions("classic", 2):
        ladder = hints.hints(seen)
        if ladder.alternative is not None and seen.phase == "play":
            assert "hint.answer.other" in keys(ladder, 3)
            assert "hint.answer.rule" in keys(ladder, 3)


def test_a_bid_is_explained_by_its_parts() -> None:
    """A bidding hint gives points by parts, bombs, top cards, plays and the bot's bid (R34)."""
    deal = ddz.deal_from_text(CLASSIC, shared_out(["XD22AA5555678934K"[:17], "", ""]))
    game = ddz.new_game(CLASSIC, deal)
    ladder = hints.hints(ddz.observe(game, 0))
    assert ladder.phase == "auction"
    assert keys(ladder, 2) >= {"hint.points.sum", "hint.power.turns", "hint.power.controls"}
    points = next(line for line in ladder.rungs[2].lines if line.key == "hint.points.sum")
    assert points.params["n"] == 4 + 3 + 2 * 2 + 2
    assert {one.action for one in ladder.candidates} == {"pass", "1", "2", "3"}
    assert ladder.answer.action == "3"


def test_raising_is_explained() -> None:
    """The declaration of a farmer has a ladder with every factor as a candidate."""
    for _, seen in decisions("jinyou", 1):
        if seen.phase == "declare":
            ladder = hints.hints(seen)
            assert {one.action for one in ladder.candidates} == set(seen.options)
            return
    pytest.fail("no declaration came up")


def test_cards_named_are_in_the_hand() -> None:
    """Candidates and the groups they break consist of the seat's own cards."""
    for _, seen in decisions("classic", 9):
        for one in hints.hints(seen).candidates:
            if one.move is not None:
                assert cards.contains(seen.hand, one.move.hand)
            if one.broken is not None:
                assert cards.contains(seen.hand, one.broken.hand)
            assert cards.contains(seen.hand, cards.parse_cards(one.controls))


def test_the_plan_keeps_bombs_whole() -> None:
    """What a hint says is kept uses up the rest and leaves bombs and rocket whole (R32)."""
    plan = facts.kept_plan(CLASSIC, cards.parse_cards("8AAAAXD"))
    assert [str(move) for move in plan] == ["8", "AAAA", "XD"]
    for _, seen in decisions("classic", 13):
        plan = facts.kept_plan(CLASSIC, seen.hand)
        assert sum(move.hand for move in plan) == seen.hand
        bombs = [move for move in plan if move.is_bomb]
        counts = cards.counts_of(seen.hand)
        assert len(bombs) == counts.count(4) + (counts[13] == counts[14] == 1)


def test_no_hint_out_of_turn() -> None:
    """A hint is for the seat that is to act; others get an error, not advice."""
    game = bid_up(ddz.new_game(CLASSIC, ddz.deal(CLASSIC, seed=1)), 0)
    with pytest.raises(ddz.DdzError):
        hints.hints(ddz.observe(game, 1))
    end = match.finished(game, [RULE] * 3, np.random.default_rng(0))
    with pytest.raises(ddz.DdzError):
        hints.hints(ddz.observe(end, 0))
