"""Reviews: verdicts, labels, reasons and lines, against proofs and against other laws."""

from __future__ import annotations

import json
import random
import threading
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hidden import exchanged
from playing import shared_out, start

import ddz_core as ddz
from ddz_core import cli
from ddz_core.bots import bot
from ddz_core.cards import LANE, size_of
from ddz_core.language import words
from ddz_core.observation import observe
from ddz_core.patterns.combination import code_in
from ddz_core.review import CUTS, KINDS, batch, making
from ddz_core.review.judging import Sizes, judged, options_of
from ddz_core.review.making import steps_of
from ddz_core.review.report import Decision, Review
from ddz_core.review.solving import proven
from ddz_core.review.trial import Room, difference
from ddz_core.review.worlds import one_world
from ddz_core.solver import Solver

SAMPLES = 30
LANGUAGES = ("en", "zh-Hans", "zh-Hant")


def played(
    ruleset: str, seed: int, bots: tuple[str, ...] = ("rule",), slips: float = 0.0
) -> ddz.Game:
    """A finished game between bots, some actions replaced by random legal ones."""
    rng = np.random.default_rng((seed, 7))
    chance = random.Random(seed)
    for number in range(40):
        rules = ddz.load_ruleset(ruleset)
        game = ddz.new_game(rules, ddz.deal(rules, seed=seed, number=number))
        seats = [bot(bots[seat % len(bots)]) for seat in range(rules.ruleset.deal.seats)]
        while game.to_act is not None:
            choice: object = seats[game.to_act].choose(observe(game, game.to_act), rng)
            if game.phase == "play" and chance.random() < slips:
                choice = chance.choice(game.legal())
            game = game.apply(choice)
        if game.landlords:
            return game
    raise AssertionError("no deal found a landlord")


@cache
def reviewed(ruleset: str = "classic", seed: int = 2, slips: float = 0.2) -> Review:
    """A review of a game with some random actions."""
    return ddz.review(played(ruleset, seed, slips=slips), samples=SAMPLES)


GAMES = [("classic", 1), ("classic", 4), ("classic", 5), ("er-da-yi", 3), ("laizi", 2)]


@pytest.fixture(scope="module")
def reviews() -> list[Review]:
    """Reviews of several games, made once."""
    return [reviewed(ruleset, seed) for ruleset, seed in GAMES]


# --- proofs --------------------------------------------------------------------------------------


def test_what_keeps_a_proven_result_is_never_a_mistake() -> None:
    """In 200 endings solved by another search no action that keeps the result gets a label."""
    seen = kept = lost = shown = 0
    sizes = Sizes(screen=20, final=20, open=40)
    rules = ddz.load_ruleset("classic")
    room, solver = Room(rules.ruleset), Solver(rules)
    for seed in range(100):
        game = played("classic", 50 + seed, slips=0.3)
        steps = [s for s in steps_of(game) if s.entry.phase == "play" and s.options > 1]
        steps = [step for step in steps if sum(step.before.left) <= 26]
        found = proven(steps, game.outcome == "landlords", 4_000_000, threading.Event())
        for step in steps:
            proof = solver.solve(step.before, nodes=4_000_000)
            if not proof.proven or not all(play.proven for play in proof.plays):
                continue
            solved = found.get(step.entry.index)
            one = judged(room, step.before, step.entry, sizes, seed=1, solved=solved, after=())
            seen += 1
            shown += one.solved
            side = 1 if one.seat in game.landlords else -1
            if one.action in proof.best:
                kept += 1
                assert one.label == ""
                assert not one.solved or (one.open, one.loss_open.value) == ("right", 0)
            else:
                lost += 1
                assert not one.solved or (one.open, one.loss_open.value) == ("wrong", 1)
            if one.only:
                assert len(proof.best) == 1 < len(proof.plays)
                assert proof.value == side
        if seen >= 200:
            break
    assert seen >= 200
    assert shown > 0.95 * seen
    assert kept > 100
    assert lost > 5


def test_worlds_are_searched_as_the_solver_does() -> None:
    """Of the world that is the case every action is proven to be what the solver says."""
    rules = ddz.load_ruleset("classic")
    room, solver = Room(rules.ruleset), Solver(rules)
    seen = 0
    for seed in range(12):
        game = played("classic", 80 + seed, slips=0.3)
        for step in steps_of(game):
            before, seat = step.before, step.entry.seat
            if step.entry.phase != "play" or step.options < 2 or sum(before.left) > 16:
                continue
            found, _ = options_of(room, observe(before, seat), step.entry)
            table = (0, seat)
            if before.to_beat is not None:
                table = (code_in(room.engine.table, before.to_beat), before.beat_by)
            worlds = one_world(before.hands, before.landlords, 2)
            proofs = room.endings.proofs(worlds, seat, table, found)
            told = {play.action: play for play in solver.solve(before).plays}
            for one, proof in zip(found, proofs, strict=True):
                assert proof.worlds == 2
                value = 1 if seat in game.landlords else -1
                assert (proof.won == 2) == (told[one.text].value == value)
                seen += 1
    assert seen > 40


def test_the_curve_is_exact_where_it_is_proven(reviews: list[Review]) -> None:
    """Proven moments are 0 or 1, the last is the result, and each lies within its band."""
    for review in reviews:
        won = float(review.game.outcome == "landlords")
        assert review.curve[-1].index == len(review.game.history)
        assert review.curve[-1].win.value == won
        for one in review.curve:
            assert one.win.low <= one.win.value <= one.win.high
            if one.solved:
                assert one.win.value in (0.0, 1.0)
                assert one.win.low == one.win.high
                assert one.win.method == "solved"
        indices = [one.index for one in review.curve]
        assert indices == list(range(indices[0], len(review.game.history) + 1))


def test_proven_moments_agree_with_the_decisions(reviews: list[Review]) -> None:
    """A proven chance changes only at a decision that gave the result away."""
    for review in reviews:
        wrong = {one.index for one in review.decisions if one.open == "wrong"}
        for one, after in zip(review.curve, review.curve[1:], strict=False):
            if one.solved and after.solved and one.win.value != after.win.value:
                assert one.index in wrong


def test_who_could_have_won(reviews: list[Review]) -> None:
    """Winners could; who is shown how gets a line of legal actions that wins for its side."""
    shown = 0
    for review in reviews:
        game = review.game
        for seat, answer in review.could_win.items():
            won = (game.outcome == "landlords") == (seat in game.landlords)
            assert answer in ("yes", "no", "unknown")
            if won:
                assert answer == "yes"
                assert seat not in review.how
            elif seat in review.how:
                assert answer == "yes"
                way = review.how[seat]
                end = followed(game.at(way.index), way.line)
                assert end.outcome is not None
                assert (end.outcome == "landlords") == (seat in game.landlords)
                shown += 1
    assert shown


def followed(game: ddz.Game, line: tuple[str, ...]) -> ddz.Game:
    """The game after a line of actions, each of which must be legal."""
    for action in line:
        game = game.apply(action)
    return game


def test_lines_can_be_played_on_the_board(reviews: list[Review]) -> None:
    """The better action and its continuation are legal and reach the end of the game."""
    for review in reviews:
        for one in review.decisions:
            before = review.before(one)
            if before.phase != "play":
                continue
            end = followed(before.apply(one.best), one.line)
            assert end.outcome is not None
            if one.open_best and one.open_line:
                followed(before.apply(one.open_best[0]), one.open_line)
            for text in one.open_best:
                assert before.can(text)


# --- with what was known -------------------------------------------------------------------------


def test_hidden_cards_do_not_change_what_was_known() -> None:
    """Exchanging cards that a seat cannot see changes neither its known verdict nor its numbers."""
    rng = random.Random(5)
    compared = 0
    game = played("classic", 11, slips=0.2)
    room = Room(game.play_rules)
    sizes = Sizes(screen=20, final=40, open=40)
    for step in list(steps_of(game))[2::3]:
        if step.entry.phase != "play" or step.options < 2:
            continue
        other = exchanged(step.before, step.entry.seat, rng)
        if other.hands == step.before.hands:
            continue
        compared += 1
        one, two = (
            judged(room, before, step.entry, sizes, seed=3, solved=None, after=())
            for before in (step.before, other)
        )
        for name in ("loss_win", "loss_points", "known", "best", "label", "tried", "lens", "win"):
            assert getattr(one, name) == getattr(two, name), name
    assert compared >= 5


def test_only_choices_are_judged(reviews: list[Review]) -> None:
    """Every judged decision had more than one option, and every such play is judged."""
    for review in reviews:
        judged_at = {one.index for one in review.decisions}
        for step in steps_of(review.game):
            if step.options < 2:
                assert step.entry.index not in judged_at
            elif step.entry.phase == "play":
                assert step.entry.index in judged_at


def test_a_loss_is_never_a_gain(reviews: list[Review]) -> None:
    """No loss in chance to win lies below zero, and each lies within its interval."""
    for review in reviews:
        for one in review.decisions:
            assert 0 <= one.loss_win.low <= one.loss_win.value <= one.loss_win.high <= 1
            assert one.loss_win.unit == "probability"
            if one.best == one.action:
                assert one.loss_win.low < CUTS["inaccuracy"] or one.open != "unknown"


def test_labels_need_the_whole_interval(reviews: list[Review]) -> None:
    """A label is given only where the interval of the loss lies beyond its cut-off."""
    found = 0
    for review in reviews:
        for one in review.decisions:
            if one.label:
                found += 1
                assert one.kind == "bid" or one.loss_win.low >= CUTS[one.label]
                assert one.known == "wrong"
                assert one.kind
            elif one.known == "wrong" and one.kind != "bid":
                assert one.loss_win.low < CUTS["inaccuracy"] or one.open == "right"
    assert found


def test_a_zero_difference_is_not_certain() -> None:
    """The interval of paired differences has a width even where all of them are alike."""
    for values in (np.zeros(30, dtype=bool), np.ones(30, dtype=bool)):
        found = difference(values, np.zeros(30, dtype=bool), 30.0, "probability", 1)
        assert found.low < found.high
        assert found.low <= found.value <= found.high


def test_equal_questions_get_equal_answers() -> None:
    """The same seed gives the same review, another seed other samples."""
    game = played("classic", 9, slips=0.2)
    one, two, other = (ddz.review(game, samples=20, seed=seed) for seed in (4, 4, 5))
    assert one.as_dict() == two.as_dict()
    assert one.as_dict()["decisions"] != other.as_dict()["decisions"]


# --- mistakes made on purpose --------------------------------------------------------------------


def is_bomb(action: object) -> bool:
    """Whether an action is a bomb."""
    return bool(getattr(action, "is_bomb", False))


def slip(kind: str, before: ddz.Game, choice: object) -> object | None:
    """An action that is a mistake of a kind at this place, where there is one; else None."""
    seat = before.to_act
    side = before.side_of(seat)
    plays = [action for action in before.legal() if str(action) != "pass"]
    plain = [action for action in plays if not is_bomb(action)]
    passes = str(choice) == "pass"
    enemies = [n for s, n in enumerate(before.left) if before.side_of(s) != side]
    mine = before.beat_by is not None and before.side_of(before.beat_by) == side
    leads = before.to_beat is None
    if kind == "cover" and not leads and not mine and not passes and not is_bomb(choice):
        return "pass" if min(enemies) <= 2 and before.left[seat] > size_of(choice.hand) else None
    if kind == "hold_back" and not leads and not mine and passes and plain:
        return max(plain, key=lambda play: LANE[play.top])
    if kind == "bomb" and leads and not is_bomb(choice) and before.left[seat] > 10:
        return next((play for play in plays if is_bomb(play)), None)
    if kind == "partner" and mine and passes and plain and before.left[before.beat_by] <= 2:
        return plain[-1]
    if kind == "split" and leads and size_of(getattr(choice, "hand", 0)) >= 6:
        return next((play for play in plain if play.kind == "single"), None)
    return None


@pytest.mark.parametrize("kind", ["cover", "hold_back", "bomb", "partner", "split"])
def test_a_mistake_made_on_purpose_is_found(kind: str) -> None:
    """A slip of each kind costs chances, is called wrong, and is named for what it is."""
    sizes = Sizes(screen=60, final=200, open=40)
    rules = ddz.load_ruleset("classic")
    room, rule = Room(rules.ruleset), bot("rule")
    rng = np.random.default_rng(0)
    wrong: list[Decision] = []
    tried = 0
    for seed in range(60):
        game = ddz.new_game(rules, ddz.deal(rules, seed=400 + seed))
        while game.to_act is not None and len(wrong) < 3:
            choice = rule.choose(observe(game, game.to_act), rng)
            action = slip(kind, game, choice) if game.phase == "play" else None
            if action is not None and tried < 40:
                tried += 1
                entry = game.apply(action).history[len(game.history)]
                one = judged(room, game, entry, sizes, seed=1, solved=None, after=())
                if one.known == "wrong":
                    wrong.append(one)
            game = game.apply(choice)
    assert len(wrong) >= 2
    assert any(one.label for one in wrong)
    assert all(one.best != one.action for one in wrong)
    kinds = [one.kind for one in wrong]
    assert kinds.count(kind) > len(kinds) / 2


def test_a_bid_of_a_weak_hand_is_found() -> None:
    """Bidding three with a hopeless hand is wrong and a mistake of bidding; passing is right."""
    rules = ddz.load_ruleset("classic")
    deal = ddz.deal_from_text(rules, shared_out(["34456678899TJJQQK", "", ""]))
    for word, verdict in (("3", "wrong"), ("pass", "right")):
        game = ddz.new_game(rules, replace(deal, first=0)).apply(word)
        while game.outcome is None:
            game = game.apply(bot("rule").choose(observe(game, game.to_act), None))
        bid = ddz.review(game, samples=200).decisions[0]
        assert (bid.index, bid.action, bid.known) == (0, word, verdict)
        if word == "3":
            assert (bid.kind, bid.best) == ("bid", "pass")
            assert bid.label in ("mistake", "blunder")
            assert bid.loss_points.low > 0


def test_reading_others_is_told_apart() -> None:
    """A loss that vanishes where passes are not read is called reading, and a reason says so."""
    found = [
        one
        for review in (reviewed(ruleset, seed) for ruleset, seed in GAMES)
        for one in review.decisions
        if one.kind == "reading"
    ]
    for one in found:
        assert one.known == "wrong"
        assert one.reasons[0].key == "review.reason.unread"
        assert one.reasons[0].params["n"] < 2


# --- reasons and ways ----------------------------------------------------------------------------


def test_every_decision_has_two_countable_reasons(reviews: list[Review]) -> None:
    """Reasons are at least two, differ, hold plain values, and are worded in three languages."""
    for review in reviews:
        for one in review.decisions:
            assert len(one.reasons) >= 2
            assert len(set(map(str, one.reasons))) == len(one.reasons)
            for reason in one.reasons:
                assert reason.key.startswith("review.reason.")
                assert json.loads(json.dumps(reason.params)) == reason.params
                texts = {lang: words(lang).phrase(reason.phrase) for lang in LANGUAGES}
                assert all(text and "{" not in text for text in texts.values())
                numbers = [v for v in reason.params.values() if isinstance(v, int)]
                assert all(0 <= n <= (100 if "keep" not in reason.key else 999) for n in numbers)


def test_turns_told_are_the_fewest_plays(reviews: list[Review]) -> None:
    """The plays that a reason names are what the exact count says of the rest of the hand."""
    seen = 0
    for review in reviews:
        for one in review.decisions:
            before = review.before(one)
            for reason in one.reasons:
                if reason.key not in ("review.reason.turns", "review.reason.turns_same"):
                    continue
                seen += 1
                names = {"n": reason.params["play"]}
                names["m" if "m" in reason.params else "n"] = reason.params["best"]
                for number, action in names.items():
                    hand = before.hands[one.seat]
                    if action != "pass":
                        hand -= next(
                            move.hand
                            for move in before.legal()
                            if str(action).partition("=")[0] == str(move)
                        )
                    assert ddz.turns(hand, before.rules).turns == reason.params[number]
    assert seen > 20


def test_the_lens_is_for_farmers(reviews: list[Review]) -> None:
    """A farmer with partners gets up to four ways, each an action open to it; others get none."""
    for review in reviews:
        for one in review.decisions:
            before = review.before(one)
            if before.phase != "play" or before.side_of(one.seat) == "landlord":
                assert one.lens == ()
                continue
            keys = [way.key for way in one.lens]
            wanted = ["go_out", "feed", "block"]
            wanted += ["pass"] if before.to_beat is not None else []
            assert keys == wanted
            for way in one.lens:
                assert before.can(way.action)
                assert (way.key == "pass") <= (way.action == "pass")
                assert 0 <= way.team.low <= way.team.value <= way.team.high <= 1
                assert 0 <= way.share <= 1
                if way.action == one.action:
                    assert way.gain.value == 0


# --- par, batches, games of all rulesets ---------------------------------------------------------


def test_par_adds_up(reviews: list[Review]) -> None:
    """Par is by seat; luck, bidding and skill add up to the result, and points of seats to zero."""
    for review in reviews:
        assert [one.seat for one in review.par] == list(range(review.game.seats))
        for one in review.par:
            assert one.result == review.game.ledger.points[one.seat]
            assert one.luck + one.skill == pytest.approx(one.result)
            assert one.luck + one.bidding == pytest.approx(one.played.value)
        assert sum(one.points.value for one in review.par) == pytest.approx(0)


@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
def test_games_of_every_ruleset_can_be_reviewed(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A finished game of any ruleset gives decisions with reasons, a curve and plain data."""
    monkeypatch.setattr(making, "LEAST_SOLVED", 20)  # what is proven is tested elsewhere
    game = played(ruleset, 4)
    review = ddz.review(game, samples=20)
    assert review.complete
    assert {one.seat for one in review.decisions} <= set(range(game.seats))
    assert len(review.decisions) > 3
    assert all(len(one.reasons) >= 2 for one in review.decisions)
    assert review.curve[-1].win.value == float(game.outcome == "landlords")
    assert len(review.par) == game.seats
    assert json.loads(json.dumps(review.as_dict()))["rules"] == ruleset
    for place in review.turning:
        assert 0 <= place < len(review.decisions)


def test_a_deal_thrown_in_has_no_play_to_judge() -> None:
    """Of a game without a landlord only the calls are judged."""
    game = start("classic", 1)
    while game.outcome is None:
        game = game.apply("pass")
    review = ddz.review(game, samples=20)
    assert review.game.outcome == "redeal"
    assert review.curve == ()
    assert review.par == ()
    assert review.could_win == {}
    assert {one.kind for one in review.decisions} <= {"bid", ""}
    assert [one.index for one in review.decisions] == [0, 1, 2]


def test_a_game_that_was_left_proves_nothing_of_its_end() -> None:
    """Where a player leaves, what is proven of the last decision is not taken from the outcome."""
    game = played("laizi", 2)
    cut = game.at(len(game.history) - 4)
    left = cut.apply("leave", seat=cut.landlords[0])
    assert left.outcome == "farmers"
    review = ddz.review(left, samples=20)
    assert review.complete
    assert review.curve[-1].win.value == 0
    solver = Solver(left.rules)
    checked = 0
    for one in review.decisions[-3:]:
        before = left.at(one.index)
        proof = solver.solve(before)
        told = {play.action: play.value for play in proof.plays}
        side = 1 if one.seat in left.landlords else -1
        if one.solved and one.action in told:
            checked += 1
            assert one.loss_open.value == float(proof.value == side != told[one.action])
    assert checked


def test_a_batch_is_a_table() -> None:
    """Several games give a row a game and seat, as CSV too, and kinds by game; others are named."""
    games = [played("classic", 2, slips=0.2), start("classic", 3), played("duel-2p", 2)]
    found = batch(games, names=["one", "running", "two"], samples=20)
    assert [one.name for one in found.left_out] == ["running"]
    assert len(found.rows()) == 3 + 2
    assert len(found.csv().splitlines()) == 6
    frame = found.frame()
    assert list(frame["seat"]) == [0, 1, 2, 0, 1]
    assert (frame["luck"] + frame["skill"] - frame["points"]).abs().max() < 1e-3
    assert len(found.kinds()) == 2 * len(KINDS)
    assert len(found.decisions()) == sum(len(one.decisions) for one in found.reviews)
    assert found.mean("skill").n == 2
    own = batch(games[:1], seats=1, samples=20)
    assert [row["seat"] for row in own.rows()] == [1]
    json.dumps(found.as_dict())


def test_positions_to_retry_are_those_that_cost(reviews: list[Review]) -> None:
    """Every costly decision comes with the game before it and what its seat saw, no other does."""
    for review in reviews:
        retries = review.retries()
        costly = [one for one in review.decisions if one.costly]
        assert [one.decision for one in retries] == costly
        for one in retries:
            assert one.game == review.game.at(one.decision.index)
            assert one.seen == observe(one.game, one.decision.seat)


# --- asking and stopping -------------------------------------------------------------------------


def test_what_cannot_be_reviewed_is_refused() -> None:
    """Running games, other things, odd numbers and missing places get an error naming the field."""
    running, done = start("classic", 1), played("classic", 2)
    for given, field in (
        ({"game": running}, "game"),
        ({"game": "3344"}, "game"),
        ({"game": done, "samples": 1}, "samples"),
        ({"game": done, "samples": 2.5}, "samples"),
        ({"game": done, "seed": -1}, "seed"),
    ):
        with pytest.raises(ddz.DdzError) as refused:
            ddz.review(**given)
        assert refused.value.field == field
    with pytest.raises(ddz.DdzError):
        reviewed().at(10_000)
    with pytest.raises(ddz.DdzError):
        batch([done], names=["one", "two"])


def test_a_review_can_be_stopped_and_watched() -> None:
    """A cancelled review ends with what it has; progress grows to 1."""
    game = played("classic", 2)
    stop = threading.Event()
    stop.set()
    cut = ddz.review(game, samples=20, cancel=stop)
    assert not cut.complete
    assert cut.decisions == ()
    shares: list[float] = []
    whole = ddz.review(game, samples=20, progress=shares.append)
    assert whole.complete
    assert shares[-1] == 1.0
    assert all(0 <= share <= 1 for share in shares)


def test_a_review_is_a_table_and_can_be_called() -> None:
    """The frame has a row a decision with seed; the package itself is the function."""
    review = reviewed()
    frame = review.frame()
    assert len(frame) == len(review.decisions)
    assert {"label", "kind", "known", "open", "loss_win_low", "seed"} <= set(frame.columns)
    assert callable(ddz.review)
    assert ddz.review.batch is batch
    assert str(review).splitlines()[0].startswith("classic")


def test_the_command_line_reviews_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One file gives a report, JSON or CSV; several give a table."""
    files = []
    for seed in (2, 3):
        files.append(tmp_path / f"{seed}.ddz")
        files[-1].write_text(ddz.write_record(played("classic", seed)), encoding="utf-8")
    names = list(map(str, files))
    assert cli.main(["review", names[0], "--samples", "20", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["decisions"]
    assert cli.main(["review", *names, "--samples", "20", "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 7
    assert cli.main(["review", names[0], "--samples", "1"]) == 2
    assert "samples" in capsys.readouterr().err
