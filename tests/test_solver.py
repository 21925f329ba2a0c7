"""The exact solver, against trying everything, a second search, public endgames and itself."""

from __future__ import annotations

import json
import random
import threading
from dataclasses import replace

import check_solver
import numpy as np
import pytest
import second_search
from playing import bid_up, random_game, shared_out, start

import ddz_core as ddz
from ddz_core import cli, solver
from ddz_core.bench.solver import endgames, random_splits
from ddz_core.kernels.table import table_of
from ddz_core.patterns import with_wild
from ddz_core.positions import Ended, after, legal
from ddz_core.solver import Solver, proofs, solve

CLASSIC = ddz.load_ruleset("classic")


def place(hands: str, to_move: int = 0, beat: str = "", **more: object) -> ddz.Position:
    """A position of the plain game, hands joined by slashes."""
    rules = more.pop("rules", CLASSIC)
    return ddz.position(hands.split("/"), to_move, beat or None, rules=rules, **more)


# --- against other ways to find out --------------------------------------------------------------


@pytest.mark.parametrize("searched", ["plainly", "by a tree"])
def test_value_and_best_plays_are_those_of_trying_everything(
    searched: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small deals of two and three hands, options, bans, answers and points: no difference."""
    if searched == "by a tree":
        monkeypatch.setattr(proofs, "FIRST", 1)
        monkeypatch.setattr(proofs, "EACH", 1)
    rng = random.Random(searched)
    for _ in range(50):
        case = check_solver.drawn(rng, 9)
        found, ours, theirs = check_solver.solved(case)
        assert ours == theirs
        assert set(found.best) == {v.action for v in found.plays if v.value == found.value}


@pytest.mark.slow
def test_many_small_deals_against_trying_everything() -> None:
    """Two thousand deals of up to twelve cards."""
    rng = random.Random(11)
    for _ in range(2000):
        _, ours, theirs = check_solver.solved(check_solver.drawn(rng))
        assert ours == theirs


def test_four_hands_of_two_decks() -> None:
    """Two decks and four seats, the landlord alone or with partners: as by trying everything."""
    rng, found = random.Random(4), 0
    while found < 15:
        case = check_solver.drawn(rng, 10)
        if case.two_decks is not None:
            _, ours, theirs = check_solver.solved(case)
            assert ours == theirs
            found += 1


def test_a_second_search_agrees() -> None:
    """Proof numbers from the root, without table or order, come to the same result."""
    answered = 0
    for one in random_splits(CLASSIC, 12, 25, seed=3):
        for to_move in range(3):
            asked = replace(one, to_move=to_move)
            other = second_search.wins(asked, most=1500)
            if other is not None:
                assert (solve(asked, plays=False).value > 0) == other
                answered += 1
    assert answered > 30


def test_striking_moves_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Larger positions have the same value with and without striking superfluous moves."""
    whole = Solver(CLASSIC)
    with whole._engine() as engine:
        monkeypatch.setattr(engine, "_thin", 0)
    struck = Solver(CLASSIC)
    for size in (18, 21):
        for one in random_splits(CLASSIC, size, 25, seed=5):
            value = whole.solve(one, plays=False).value
            assert value != 0
            assert value == struck.solve(one, plays=False).value


@pytest.mark.parametrize("case", endgames(), ids=lambda case: case["id"])
def test_public_endgames(case: dict) -> None:
    """Each published or twice proven answer is found."""
    found = solve(place("/".join(case["hands"]), case["to_move"], case["last_move"] or ""))
    assert found.proven
    assert found.value == (1 if case["expected"] == "win" else -1)


@pytest.mark.parametrize(
    ("hands", "best"), [("33344456/3456", ("33344456",)), ("QQJJTT5/22", ("TTJJQQ",))]
)
def test_reported_endgames(hands: str, best: tuple[str, ...]) -> None:
    """What other solvers were reported to get wrong."""
    found = solve(place(hands))
    assert found.value == 1
    assert best[0] in found.best
    if len(hands) == 10:
        assert found.best == best


def test_bans_decide() -> None:
    """A published endgame that is won with triples and pairs is lost where they are banned."""
    hands = "DAQQJJT999844/X22AAT886633"
    banned = ddz.load_ruleset("classic", {"kinds.off": ["triple_pair"]})
    assert solve(place(hands), plays=False).value == 1
    assert solve(place(hands, rules=banned), plays=False).value == -1


# --- what an answer says --------------------------------------------------------------------------


def played(found: solver.Solution) -> int:
    """What the line of a solution ends with: 1 if the landlord's side goes out."""
    now: ddz.Position | Ended = found.position
    for action in found.line:
        assert isinstance(now, ddz.Position)
        now = after(now, action)
    assert isinstance(now, Ended)
    return 1 if now.won else -1


def test_the_line_is_legal_and_ends_as_proven() -> None:
    """Every line can be played and ends with the side that wins, whoever is to move."""
    for one in random_splits(CLASSIC, 15, 12, seed=8):
        for to_move in range(3):
            found = solve(replace(one, to_move=to_move))
            assert found.proven
            assert played(found) == found.value
            assert found.line[0] in found.best


def test_verdicts_follow_from_the_positions_after_them() -> None:
    """Each verdict is the value of the position that the action leads to."""
    for one in random_splits(CLASSIC, 15, 4, seed=9):
        found = solve(one)
        assert [v.action for v in found.plays] == [str(m) for m in legal(one)]
        for verdict in found.plays:
            following = after(one, verdict.action)
            value = (1 if following.won else -1) if isinstance(following, Ended) else None
            assert verdict.value == (value or solve(following, plays=False).value)
            assert verdict.proven


def test_only_the_value() -> None:
    """Without verdicts there is one best action, among those that the full answer names."""
    for one in random_splits(CLASSIC, 15, 10, seed=10):
        brief = solve(one, plays=False)
        assert brief.plays == ()
        assert len(brief.best) == 1
        assert brief.best[0] in solve(one).best


def test_a_forced_pass_is_an_action() -> None:
    """Who cannot answer passes, and that is the only and best action."""
    found = solve(place("34/55/6", 1, "2", beat_by=0))
    assert found.best == ("pass",)
    assert [v.action for v in found.plays] == ["pass"]
    assert found.plays[0].move is None


def test_readings_are_named_where_they_matter() -> None:
    """Of cards with two readings the answer names the one that wins, as an action that works."""
    one = place("3334445555/666777888999", 0)
    found = solve(one)
    for verdict in found.plays:
        assert isinstance(after(one, verdict.action), (Ended, ddz.Position))


# --- points --------------------------------------------------------------------------------------


def test_bombs_double_and_are_worth_playing() -> None:
    """A landlord who wins anyway plays its bombs first, since each doubles what it gets."""
    one = place("3333444455/678/9TJ")
    won, found = solve(one), solve(one, "points")
    assert won.value == 1
    assert found.value == 2 * 2 * 2
    assert set(found.best) < set(won.best)
    assert sum(action in ("3333", "4444") for action in found.line) == 2


def test_points_of_a_game_count_what_was_bid_and_played() -> None:
    """The value of a running game is what its ledger says when the line is played to the end."""
    checked = 0
    for seed in range(12):
        for ruleset in ("jinyou", "local"):
            games = list(random_game(bid_up(start(ruleset, seed), seed % 3), random.Random(seed)))
            now = next((g for g in games if g.phase == "play" and sum(g.left) <= 13), None)
            if now is None:
                continue
            found = solve(now, "points")
            assert found.proven
            for action in found.line:
                now = now.apply(action)
            assert now.ledger is not None
            assert sum(now.ledger.points[seat] for seat in now.landlords) == found.value
            checked += 1
    assert checked > 10


def test_spring_counts_while_it_can_come_about() -> None:
    """A landlord that goes out at once makes a spring; a bare position knows of none."""
    rules = ddz.load_ruleset("dingniu")
    deal = ddz.deal_from_text(rules, shared_out(["3456789TJQKA", "", ""]))
    game = bid_up(ddz.new_game(rules, deal), 0)
    spring = replace(game, hands=(ddz.parse_cards("3456789TJQKA"), *game.hands[1:]))
    found = solve(spring, "points")
    later = solve(replace(spring, plays=(1, 1, 0)), "points")
    assert found.value == rules.ruleset.score.spring * later.value
    assert later.value > 0
    bare = solve(ddz.position(["3456789TJQKA", "45", "67"], rules=rules), "points")
    assert bare.value * game.contract * game.multiplier == later.value


# --- wilds and large rules -----------------------------------------------------------------------


def test_wilds_stand_for_what_is_lacking() -> None:
    """With a wild the same cards win that lose without it."""
    rules = ddz.Rules(with_wild(ddz.load_ruleset("rob-laizi").ruleset, "3"))
    assert solve(place("39/TTJ", rules=rules)).value == 1
    assert solve(place("49/TTJ", rules=rules)).value == -1


@pytest.mark.parametrize("ruleset", ["laizi", "rob-laizi"])
def test_wilds_may_be_spent_freely(ruleset: str) -> None:
    """Small deals with wilds have the value that a search with every way to spend them finds."""
    rules = ddz.load_ruleset(ruleset)
    if rules.ruleset.wilds.mode == "rank":
        rules = ddz.Rules(with_wild(rules.ruleset, "7"))
    wild, rng, answered = table_of(rules.ruleset).wilds, random.Random(6), 0
    for one in random_splits(rules, 9, 400, seed=6):
        if any(hand & wild for hand in one.hands) and answered < 12:
            asked = replace(one, to_move=rng.randrange(3))
            other = second_search.wins(asked, most=400, spend="all")
            if other is not None:
                assert (solve(asked, plays=False).value > 0) == other
                answered += 1
    assert answered == 12


@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
def test_every_ruleset_can_be_solved(ruleset: str) -> None:
    """A late position of a random game of each ruleset is answered, or refused with a reason."""
    for seed in range(3):
        games = random_game(start(ruleset, seed), random.Random(seed))
        now = next((g for g in games if g.phase == "play" and sum(g.left) <= 14), None)
        if now is None:
            continue
        bound = [now.limits(seat) for seat in range(now.seats)]
        if any(limits.locked for limits in bound):
            with pytest.raises(ddz.DdzError) as caught:
                solve(now, nodes=1000)
            assert caught.value.key == "error.solver.limits"
            continue
        found = solve(now, nodes=300_000)
        for action in found.line:
            now = now.apply(action)
        if now.outcome is not None:
            assert (now.outcome == "landlords") == (found.value > 0)


# --- budgets and bad input -----------------------------------------------------------------------


def test_a_budget_that_is_too_small_is_said() -> None:
    """Beyond the nodes nothing is claimed, and no more nodes are used."""
    hard = random_splits(CLASSIC, 48, 1, seed=1)[0]
    found = solve(hard, nodes=5000)
    assert (found.value, found.proven, found.best, found.line) == (0, False, (), ())
    assert found.nodes <= 5000 + 10
    assert all(not v.proven and v.value == 0 for v in found.plays if v.nodes == 0)
    assert "not proven" in str(found)


def test_a_search_can_be_ended_and_watched() -> None:
    """A set event ends a search at once; progress is told while it runs."""
    hard = random_splits(CLASSIC, 48, 1, seed=1)[0]
    event, told = threading.Event(), []

    def progress(nodes: int, share: float | None) -> None:
        told.append(nodes)
        event.set()

    found = Solver(CLASSIC).solve(hard, cancel=event, progress=progress)
    assert not found.proven
    assert told
    assert found.nodes < 5_000_000


def test_what_is_known_is_not_searched_again() -> None:
    """The same question costs next to nothing the second time."""
    one, own = random_splits(CLASSIC, 27, 3, seed=2)[0], Solver(CLASSIC)
    first = own.solve(one)
    second = own.solve(one)
    assert second.value == first.value
    assert second.best == first.best
    assert second.nodes <= first.nodes


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"objective": "score"}, "objective"),
        ({"nodes": 0}, "nodes"),
        ({"nodes": 1.5}, "nodes"),
        ({"seconds": -1}, "seconds"),
    ],
)
def test_bad_arguments_are_refused(more: dict, field: str) -> None:
    """Each is named with what was expected."""
    with pytest.raises(ddz.DdzError) as caught:
        solve(place("34/55"), **more)
    assert caught.value.field == field


def test_what_is_no_position_is_refused() -> None:
    """Texts, finished games and positions of another game are no question."""
    with pytest.raises(ddz.DdzError):
        solve("34/55")
    finished = list(random_game(bid_up(start("classic", 1), 1), random.Random(3)))[-1]
    with pytest.raises(ddz.DdzError):
        solve(finished)
    with pytest.raises(ddz.DdzError):
        Solver(ddz.load_ruleset("jj")).solve(place("34/55"))


def test_actions_after_a_position() -> None:
    """An action leads to the next position, passes give the lead back, the last card ends."""
    one = place("345/66/77")
    two = after(one, "3")
    assert (two.to_move, two.beat_by, str(two.beat)) == (1, 0, "3")
    back = after(after(two, "pass"), "pass")
    assert (back.to_move, back.beat, back.beat_by) == (0, None, None)
    assert after(place("3/44"), "3") == Ended(out=0, won=True)
    for wrong in ("pass", "6", "34", "zz"):
        with pytest.raises(ddz.DdzError):
            after(one, wrong)


def test_the_verb(capsys: pytest.CaptureFixture[str]) -> None:
    """The command line answers like the library, in text and JSON."""
    words = ["solve", "--hands", "KK3/QQ4", "--to-move", "0", "--landlords", "0"]
    assert cli.main(words) == 0
    assert "wins" in capsys.readouterr().out
    assert cli.main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["value"] == 1
    assert data["best"] == list(solve(place("KK3/QQ4")).best)
    assert cli.main(["solve", "--hands", "KK3/QQ4", "--landlords", "x"]) == 2
    assert "landlords" in capsys.readouterr().err


def test_random_splits_are_those_of_their_seed() -> None:
    """The positions of the measurements can be had again."""
    one, two = (random_splits(CLASSIC, 30, 3, seed=7) for _ in range(2))
    assert [p.hands for p in one] == [p.hands for p in two]
    assert all(sum(map(len, p.texts)) == 30 for p in one)
    assert np.unique([p.hands for p in one]).size > 3
