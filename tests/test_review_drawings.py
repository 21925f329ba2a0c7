"""What a review draws: badges, still boards, the curve, comparisons and several games."""

from __future__ import annotations

import random
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from playing import bid_up, random_game, start

from ddz_core import estimate, tabletop
from ddz_core.language import LANGUAGES, words
from ddz_core.plots import review_curve, review_games, review_ways
from ddz_core.plots.review_curve import Mark, Step
from ddz_core.plots.review_ways import Row
from ddz_core.render import badges, board, view

ROLES = ("landlord", "after", "before", "farmer", "unknown")
STEPS = [
    Step(0, 0.4, 0.3, 0.5),
    Step(1, 0.6, 0.5, 0.7),
    Step(2, 0.2, 0.1, 0.3),
    Step(3, 0.0, 0.0, 0.0, solved=True),
    Step(4, 1.0, 1.0, 1.0, solved=True),
]


def test_badges_are_pictures_that_differ_by_shape() -> None:
    """Every role's badge is well-formed; landlord, its neighbours and others differ in shape."""
    shapes = set()
    for role in ROLES:
        root = ET.fromstring(badges.badge_svg(role))
        drawn = [node.get("d") or node.tag for node in root.iter() if "rect" not in node.tag]
        shapes.add(tuple(drawn))
        assert badges.badge_uri(role).startswith("data:image/svg+xml,%3Csvg")
        assert ")" not in badges.badge_uri(role)
    assert len(shapes) == 4


def game_states(seed: int) -> list[object]:
    """Some states of a random game."""
    rng = random.Random(seed)
    states = list(random_game(bid_up(start("classic", seed), 0), rng))
    return [*states[::7], states[-1]]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_board_shows_what_its_seat_may_see(lang: str) -> None:
    """Hidden hands are one word each; an open board names every card; texts are escaped."""
    for state in game_states(5):
        table = tabletop.seated(state, seat=1)
        for hidden in (True, False):
            seen = view.of(replace(table, open_hands=not hidden), words(lang))
            drawn = board.board_html(seen)
            ET.fromstring(drawn)
            shut = drawn.count(f">{words(lang).say('review.board.hidden')}<")
            others = sum(1 for s in (0, 2) if state.hands[s])
            over = state.outcome is not None
            assert shut == (others if hidden and not over else 0)
            count = sum(state.left)
            if not hidden or over:
                laid = sum(
                    len(entry.move.cards)
                    for seat in range(3)
                    if (entry := view.last_of(seen, seat)) is not None and entry.move is not None
                )
                assert drawn.count("min-width:1.06em") == count + laid


def test_marked_cards_are_ringed() -> None:
    """The cards about to be played carry a ring, no more of a rank than are played."""
    game = bid_up(start("classic", 5), 0)
    hand = game.hand_text(0)
    seen = view.of(replace(tabletop.seated(game, seat=0), open_hands=True), words("en"))
    drawn = board.board_html(seen, marked=hand[0])
    assert drawn.count("outline:2.5px") == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_curve_can_be_clicked_at_every_step(theme: review_curve.Theme) -> None:
    """The last trace has one point a step, in order; the proven stretch is shaded once."""
    marks = [Mark(2, badges.badge_uri("after"), "??", "play 2"), Mark(9, "x", "?", "none")]
    figure = review_curve.figure(STEPS, marks, solved="proven", axis="play 4", at=2, theme=theme)
    assert list(figure.data[-1].x) == [0, 1, 2, 3, 4]
    assert list(figure.data[-1].y) == pytest.approx([40, 60, 20, 0, 100])
    rectangles = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert [(one.x0, one.x1) for one in rectangles] == [(3, 5)]
    assert len(figure.layout.images) == 1
    assert figure.layout.xaxis.ticktext[-1] == "play 4"
    assert figure.to_json()


def test_the_running_curve_is_plain_data() -> None:
    """While it is computed the curve is a small picture with one row a step."""
    spec = review_curve.running(STEPS)
    assert [row["play"] for row in spec["data"]["values"]] == [0, 1, 2, 3, 4]


def gain(value: float, low: float, high: float) -> estimate.Estimate:
    """A sampled difference."""
    return estimate.Estimate(value=value, low=low, high=high, n=100, method="sampled")


def test_comparisons_tell_better_from_worse_by_fill() -> None:
    """A better row is filled, a worse one hollow, one that cannot be told hollow in grey."""
    rows = [
        Row("A", gain(0.2, 0.1, 0.3)),
        Row("B", None),
        Row("C", gain(-0.01, -0.05, 0.03)),
        Row("D", gain(-0.2, -0.3, -0.1)),
    ]
    figure = review_ways.figure(rows)
    by_label = {figure.layout.yaxis.ticktext[t.y[0]]: t for t in figure.data}
    assert by_label["A"].marker.color == by_label["A"].marker.line.color
    assert by_label["D"].marker.color != by_label["D"].marker.line.color
    assert by_label["A"].marker.line.color != by_label["D"].marker.line.color
    assert by_label["C"].marker.line.color not in {
        by_label["A"].marker.line.color,
        by_label["D"].marker.line.color,
    }
    assert list(by_label["B"].x) == [0]
    low, high = figure.layout.xaxis.range
    assert low < -30 < 30 < high


def test_games_are_drawn_in_order() -> None:
    """Kinds that occur are rows; luck and skill are running sums that end at their totals."""
    games = [{"lead": 1}, {}, {"lead": 2, "bomb": 1}]
    names = {"bid": "bidding", "lead": "lead", "bomb": "bombs"}
    figure = review_games.kinds(games, names, axis="game 3")
    assert list(figure.layout.yaxis.ticktext) == ["bombs", "lead"]
    drawn = {trace.y[0]: list(trace.x) for trace in figure.data}
    assert drawn == {0: [3], 1: [1, 3]}
    lines = review_games.luck([1.0, -2.0], [3.0, -3.0], ("luck", "skill"))
    assert list(lines.data[0].y) == [0, 1, -1]
    assert list(lines.data[1].y) == [0, 2, 1]
