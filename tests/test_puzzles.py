"""Endgame puzzles: shipped ones are proven anew; what is said of them follows from the values."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core import positions, puzzles
from ddz_core.errors import DdzError, IllegalAction, RecordError
from ddz_core.positions import Ended, Position
from ddz_core.puzzles import collection, lines, making, own_games, progress, trial
from ddz_core.puzzles.judge import Judge, family_of
from ddz_core.puzzles.obvious import obvious
from ddz_core.puzzles.study import families
from ddz_core.puzzles.themes import at as themes_at
from ddz_core.rules import load_ruleset

CLASSIC = load_ruleset("classic")
SHIPPED = puzzles.puzzles()
JUDGE = Judge()

WON = ["478K", "47T2"]
"""A small duel that the first hand wins only by a single 7."""


def brute(position: Position, known: dict[Position, int]) -> int:
    """Return who wins by trying everything: 1 for the landlord's side, -1 for the other."""
    if position not in known:
        side = lines.side_of(position, position.to_move)
        known[position] = (
            max(
                (value(position, move, known) * side for move in positions.legal(position)),
            )
            * side
        )
    return known[position]


def value(position: Position, move: object, known: dict[Position, int]) -> int:
    """Return who wins after an action."""
    after = positions.after(position, move)
    if isinstance(after, Ended):
        return 1 if after.won else -1
    return brute(after, known)


def small_positions(count: int, most: int = 12) -> list[Position]:
    """Return small random endings of two and three hands, with few cards in all."""
    found = []
    for number in itertools.count():
        shape = making.SHAPES[number % 3]
        start = making.candidate(CLASSIC, shape, (99, number))
        start = None if start is None else cut(start, most)
        if start is not None:
            found.append(start)
        if len(found) == count:
            return found
    return found


def cut(start: Position, most: int) -> Position | None:
    """Return a position without its highest cards, so that few are left in all."""
    share = most // len(start.hands)
    texts = [text[:share] for text in start.texts]
    beat = start.beat_text or None
    return ddz.position(texts, start.to_move, beat, rules=CLASSIC, beat_by=start.beat_by)


# --- the collection --------------------------------------------------------------------------


def test_collection_is_large_and_varied() -> None:
    """There are at least sixty puzzles, of three grades and more, of every shape, many themes."""
    assert len(SHIPPED) >= 60
    assert len({one.id for one in SHIPPED}) == len(SHIPPED)
    assert len({(one.hands, one.to_move, one.beat) for one in SHIPPED}) == len(SHIPPED)
    grades = Counter(one.grade for one in SHIPPED)
    assert len([grade for grade, n in grades.items() if n >= 5]) >= 3
    shapes = Counter(making.shape_of(one) for one in SHIPPED)
    assert set(shapes) == set(making.SHAPES)
    assert min(shapes.values()) >= 12
    about = Counter(name for one in SHIPPED for name in one.themes)
    assert len(about) >= 10
    assert all(one.themes for one in SHIPPED)


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(one, id=one.id, marks=() if at % 8 == 0 else (pytest.mark.slow,))
        for at, one in enumerate(sorted(SHIPPED, key=lambda one: one.cards))
    ],
)
def test_shipped_puzzle_holds(one: puzzles.Puzzle) -> None:
    """A puzzle is won, its first move is the only one, and grade, themes and line come out anew."""
    assert puzzles.problems(one, JUDGE) == []
    start = one.position()
    assert len(families(JUDGE.proven(start))) == 1
    assert lines.line_of(start, one.line).winner == lines.side_of(start, one.to_move)


def test_file_comes_back_as_written() -> None:
    """Writing and reading the collection changes nothing; another file is refused."""
    assert collection.read(collection.write(SHIPPED)) == SHIPPED
    for broken in (b"", b"[]", b'{"paili_puzzles": 1}', b'{"paili_puzzles": 1, "puzzles": [{}]}'):
        with pytest.raises(DdzError) as caught:
            collection.read(broken)
        assert caught.value.key == "error.puzzle.file"
    with pytest.raises(DdzError) as unknown:
        puzzles.puzzle("no such")
    assert unknown.value.got == "no such"


def test_broken_puzzle_is_told() -> None:
    """A wrong grade, theme, line, or a position that is lost, is named by the check."""
    one = SHIPPED[0]
    fields = {name: getattr(one, name) for name in one.__struct_fields__}
    assert puzzles.problems(puzzles.Puzzle(**{**fields, "hard": one.hard + 1}), JUDGE)
    assert puzzles.problems(puzzles.Puzzle(**{**fields, "themes": ("nothing",)}), JUDGE)
    assert puzzles.problems(puzzles.Puzzle(**{**fields, "line": one.line[:-1]}), JUDGE)
    lost = {"hands": ("3", "22"), "to_move": 1, "beat": "", "beat_by": None}
    assert puzzles.problems(puzzles.Puzzle(**{**fields, **lost, "landlords": (0,)}), JUDGE)


# --- values, study and themes ----------------------------------------------------------------


def test_judge_agrees_with_trying_everything() -> None:
    """Every action of small endings has the value that a plain search finds."""
    known: dict[Position, int] = {}
    for start in small_positions(12, 10):
        for answer in JUDGE.answers(start):
            assert answer.value == value(start, answer.move, known)
            assert answer.worth == answer.value * lines.side_of(start, start.to_move)


def test_study_follows_from_the_values_alone() -> None:
    """Hard and only decisions are the easiest of the learner's ways against the worst defence."""
    checked = 0
    for start in small_positions(40, 9):
        if max(answer.worth for answer in JUDGE.answers(start)) < 1:
            continue
        found = puzzles.study(start, JUDGE)
        assert (found.hard, found.only, len(found.line)) == plain_study(start, start.to_move)
        own = [one for one in found.decisions if one.learner]
        assert sum(one.only for one in own) == found.only
        assert sum(one.hard for one in own) == found.hard
        checked += 1
    assert checked > 10


def plain_study(position: Position, seat: int) -> tuple[int, int, int]:
    """Return hard and only decisions and the length of the line, without memory."""
    side = lines.side_of(position, seat)
    ours = lines.side_of(position, position.to_move) == side
    answers = JUDGE.answers(position)
    ways = families(answers) if ours else list(answers)
    only = position.to_move == seat and len(ways) == 1 and len(answers) > 1
    hard = only and family_of(obvious(position)) != ways[0].family
    found = []
    for way in ways:
        after = lines.after(position, way.move)
        rest = plain_study(after, seat) if after is not None else (0, 0, 0)
        found.append(
            (rest[0] + hard, rest[1] + only, rest[2] + 1)
            if ours
            else (rest[0], rest[1], rest[2] + 1)
        )
    return min(found) if ours else max(found)


def test_study_refuses_what_is_no_puzzle() -> None:
    """A lost position, and a tree that is too large, are errors that say so."""
    lost = ddz.position(["34", "22"], rules=CLASSIC)
    with pytest.raises(DdzError) as caught:
        puzzles.study(lost, JUDGE)
    assert caught.value.key == "error.puzzle.not_won"
    won = ddz.position(["8899TTA", "46TQ2"], rules=CLASSIC)
    with pytest.raises(DdzError) as large:
        puzzles.study(won, JUDGE, 2)
    assert large.value.key == "error.puzzle.large"


@pytest.mark.parametrize("name", sorted({name for one in SHIPPED for name in one.themes}))
def test_each_theme_is_what_it_says(name: str) -> None:
    """In the line of a puzzle of a theme, a decision shows what the theme's sentence says."""
    one = min((p for p in SHIPPED if name in p.themes), key=lambda p: p.cards)
    found = puzzles.study(one.position(), JUDGE)
    line = lines.line_of(found.position, found.line)
    if name == "shut_out":
        side = lines.side_of(found.position, one.to_move)
        theirs = [s for s in line.steps if lines.side_of(found.position, s.seat) != side]
        assert all(step.move is None for step in theirs)
        return
    shows = [d for d in found.decisions if d.learner and d.only and name in themes_at(found, d)]
    assert shows
    step = line.steps[shows[0].at]
    mates = [
        seat
        for seat in range(len(one.hands))
        if seat != one.to_move
        and lines.side_of(found.position, seat) == lines.side_of(found.position, one.to_move)
    ]
    if name in ("hold_back", "let_through"):
        assert step.move is None
        by_mate = shows[0].position.beat_by in mates
        assert by_mate == (name == "let_through")
    elif name in ("feed", "take_over"):
        assert mates
        assert step.move is not None
    elif name == "bomb_now":
        assert step.move is not None
        assert step.move.is_bomb
    elif name in ("split_bomb", "split_rocket", "keep_bomb", "force_bomb", "carry"):
        assert step.move is None or not step.move.is_bomb
    elif name in ("give_lead", "keep_small"):
        assert shows[0].position.beat is None
    else:
        assert step.move is not None


# --- lines and trials ------------------------------------------------------------------------


def test_line_is_walked_and_refuses_what_is_not_allowed() -> None:
    """Actions are applied in turn, taken back by their number, and illegal ones name the reason."""
    start = ddz.position(["KK3", "QQ4"], rules=CLASSIC)
    line = lines.line_of(start, ("KK", "pass", "3"))
    assert line.over
    assert (line.out, line.winner) == (0, 1)
    assert line.at(1).position is not None
    assert [step.trick for step in line.steps] == [1, 1, 2]
    with pytest.raises(IllegalAction):
        lines.line_of(start).play("pass")
    with pytest.raises(IllegalAction):
        lines.line_of(start, ("KK",)).play("44")
    with pytest.raises(IllegalAction):
        line.play("3")
    with pytest.raises(DdzError):
        lines.line_of(start, ("pass",) * (lines.MOST_ACTIONS + 1))


@pytest.mark.parametrize("one", SHIPPED[::12], ids=lambda one: one.id)
def test_every_winning_answer_wins_on_the_board(one: puzzles.Puzzle) -> None:
    """Whoever always takes some winning play wins, however the defence answers."""
    start, seats = one.position(), (one.to_move,)
    rng = np.random.default_rng(5)
    for _ in range(3):
        line = trial.settled(lines.line_of(start), seats, JUDGE)
        while line.position is not None:
            ways = [answer for answer in JUDGE.answers(line.position) if answer.worth == 1]
            assert ways
            chosen = ways[int(rng.integers(len(ways)))]
            line = trial.acted(line, chosen.action, seats, JUDGE)
        assert line.winner == lines.side_of(start, one.to_move)
        assert {mark.mark for mark in trial.marks(line, seats, JUDGE)} <= {"only", "kept"}


@pytest.mark.parametrize("one", SHIPPED[::12], ids=lambda one: one.id)
def test_every_losing_answer_is_refuted_on_the_board(one: puzzles.Puzzle) -> None:
    """After a losing first play the defence wins, whatever is played on."""
    start, seats = one.position(), (one.to_move,)
    rng = np.random.default_rng(6)
    losing = [answer for answer in JUDGE.answers(start) if answer.worth == -1]
    for answer in losing[:4]:
        line = trial.acted(lines.line_of(start), answer.action, seats, JUDGE)
        assert trial.marks(line, seats, JUDGE)[0].mark == "lost"
        while line.position is not None:
            moves = lines.legal(line.position)
            move = moves[int(rng.integers(len(moves)))]
            line = trial.acted(line, lines.written(line.position, move), seats, JUDGE)
        assert line.winner == -lines.side_of(start, one.to_move)
        assert not trial.taken_back(lines.line_of(start, line.texts[:1]), seats).steps


def test_trial_refuses_the_others_turn() -> None:
    """Nobody plays for a hand that is not theirs."""
    start = ddz.position(["KK3", "QQ4"], rules=CLASSIC)
    with pytest.raises(DdzError) as caught:
        trial.acted(lines.line_of(start), "KK", (1,), JUDGE)
    assert caught.value.key == "error.action.turn"
    played = trial.played_out(lines.line_of(start), JUDGE)
    assert played.winner == 1


# --- own games and progress ------------------------------------------------------------------


def test_moments_of_a_game_are_proven_puzzles() -> None:
    """Each moment found has one family of winning plays, and says whether it was played."""
    bot, found = ddz.bot("rule"), 0
    rng = np.random.default_rng(1)
    for seed in range(5):
        game = ddz.new_game(CLASSIC, ddz.deal(CLASSIC, seed=seed))
        while game.phase != "settled":
            seat = game.to_act
            game = game.apply(bot.choose(ddz.observe(game, seat), rng))
        for moment in filter(None, own_games.moments(game, Judge(100_000), 20)):
            ways = families(JUDGE.proven(moment.position))
            assert len(ways) == 1
            entry = game.history[moment.index]
            assert entry.seat == moment.seat
            played = lines.verified(moment.position, moment.played)
            assert moment.right == (family_of(played) == ways[0].family) or played is not None
            after = game.at(moment.index)
            assert after.hands == moment.position.hands
            found += 1
    assert found


results = st.sampled_from(progress.RESULTS)
names = st.from_regex(r"[0-9A-Za-z_-]{1,10}", fullmatch=True)


@given(st.lists(st.tuples(names, results, st.dates(), st.booleans()), max_size=12))
def test_progress_comes_back_and_never_falls(history: list[tuple]) -> None:
    """A text read again says the same, and a puzzle's result only gets better."""
    now = progress.Progress()
    for name, result, day, new in history:
        before = now.of(name)
        now = now.with_result(name, result, day.isoformat(), new=new)
        order = progress.RESULTS.index
        assert order(now.of(name)) == max(order(result), order(before) if before else 0)
    assert progress.read(progress.write(now)) == now
    assert progress.merged(now, now) == now


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("other 1", 1),
        ("paili-puzzles 1\n001 clean 1", 2),
        ("paili-puzzles 1\n001 best 1 2026-01-31", 2),
        ("paili-puzzles 1\n001 clean x 2026-01-31", 2),
        ("paili-puzzles 1\n001 clean 1 yesterday", 2),
        ("paili-puzzles 1\n<b> clean 1 2026-01-31", 2),
    ],
)
def test_broken_progress_names_its_line(text: str, line: int) -> None:
    """A file that is none of ours, or a line that is wrong, is refused with its number."""
    with pytest.raises(RecordError) as caught:
        progress.read(text)
    assert caught.value.params["line"] == line


def test_empty_progress_is_none() -> None:
    """No text is no progress."""
    assert progress.read("  ") == progress.Progress()


# --- making ----------------------------------------------------------------------------------


def test_candidates_come_from_their_numbers() -> None:
    """The same two numbers give the same position, and other numbers others."""
    for shape in making.SHAPES:
        one = [making.candidate(CLASSIC, shape, (4, number)) for number in range(30)]
        assert one == [making.candidate(CLASSIC, shape, (4, number)) for number in range(30)]
        assert len({str(start) for start in one}) > 20


@pytest.mark.slow
def test_made_puzzle_is_a_puzzle() -> None:
    """What the maker yields holds, is small, and has a name of its own."""
    made = list(itertools.islice(making.make(CLASSIC, seed=3, each=1, tries=1_000), 1))
    assert len(made) == 1
    for one in made:
        assert puzzles.problems(one, JUDGE) == []
        assert one.themes
        assert one.cards >= making.FEWEST_CARDS


def test_large_or_unproven_positions_are_answered_at_once() -> None:
    """Beyond what the defence looks ahead in, and where nothing is proven, a legal play comes."""
    deal = ddz.deal(CLASSIC, seed=5)
    hands = ["".join(card.rank for card in hand[:10]) for hand in deal.hands]
    start = ddz.position(hands, 1, rules=CLASSIC)
    hasty = Judge(1)
    action = trial.reply(start, (0,), hasty)
    assert lines.verified(start, action) in lines.legal(start)
    played = trial.settled(lines.line_of(start), (0,), hasty)
    assert played.position is not None
    assert played.position.to_move == 0
    mark = trial.marks(
        played.play(lines.written(played.position, lines.legal(played.position)[0])), (0,), hasty
    )[0]
    assert mark.mark in ("unknown", "kept", "only", "lost", "losing")
