"""Open positions on the browser's table: cards, legal plays, history and sentences of a line."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core import cards
from ddz_core.language import LANGUAGES, words
from ddz_core.puzzles import lines, making
from ddz_core.puzzles.lines import Line
from ddz_core.render import position_view
from ddz_core.render.position_view import Board
from ddz_core.rules import load_ruleset

CLASSIC = load_ruleset("classic")
EN = words("en")


def board(line: Line, seat: int = 0, **more: object) -> Board:
    """Return a board with nothing but the line."""
    return Board(line=line, whole=line, seat=seat, acts=True, name="x", **more)


def codes(found: list[dict[str, object]]) -> str:
    """Return drawn cards as text, low to high."""
    return cards.format_cards(cards.parse_cards("".join(str(card["rank"]) for card in found)))


@st.composite
def played(draw: st.DrawFn) -> Line:
    """A random ending with some random actions."""
    shape = draw(st.sampled_from(making.SHAPES))
    start = None
    number = draw(st.integers(0, 400))
    while start is None:
        start = making.candidate(CLASSIC, shape, (8, number))
        number += 1
    line = lines.line_of(start)
    rng = np.random.default_rng(number)
    for _ in range(draw(st.integers(0, 12))):
        if line.position is None:
            break
        moves = lines.legal(line.position)
        move = moves[int(rng.integers(len(moves)))]
        line = line.play(lines.written(line.position, move))
    return line


@given(played(), st.integers(0, 2))
@settings(max_examples=40, deadline=None)
def test_every_card_is_drawn_once(line: Line, seat: int) -> None:
    """Hand and open hands are what the line leaves; ids are unique and stay with their cards."""
    seat %= len(line.hands)
    data = position_view.board_data(board(line, seat), EN, "light")
    texts = [cards.format_cards(hand) for hand in line.hands]
    assert codes(data["hand"]) == texts[seat]
    for other in data["seats"]:
        assert codes(other["hand"] or []) == texts[other["id"]]
        assert other["left"] == len(texts[other["id"]])
    ids = [card["id"] for card in data["hand"]]
    assert len(set(ids)) == len(ids)
    if line.steps:
        before = position_view.board_data(board(line.at(len(line.steps) - 1), seat), EN, "light")
        assert set(ids) <= {card["id"] for card in before["hand"]}
        old = {card["id"]: card for card in before["hand"]}
        assert all(old[card["id"]] == card for card in data["hand"])


@given(played())
@settings(max_examples=40, deadline=None)
def test_rows_that_may_be_played_are_the_legal_plays(line: Line) -> None:
    """The browser is told exactly the plays of the hand to move, and no other hand's turn."""
    if line.position is None:
        data = position_view.board_data(board(line), EN, "dark")
        assert data["phase"]["kind"] == "over"
        assert data["to_beat"] is None
        return
    seat = line.position.to_move
    phase = position_view.board_data(board(line, seat), EN, "dark")["phase"]
    legal = [m for m in lines.legal(line.position) if m is not None]
    offered = {cards.parse_cards(row[0] + row[1]) for row in phase["plays"] if row[3] == "ok"}
    assert offered == {move.hand for move in legal}
    assert phase["can_pass"] == (line.position.beat is not None)
    for row in phase["plays"]:
        if row[3] == "ok":
            assert line.play(row[4]).steps[-1].move is not None
    other = (seat + 1) % len(line.hands)
    watching = position_view.board_data(board(line, other), EN, "dark")["phase"]
    assert (watching["kind"], watching["plays"], watching["mine"]) == ("watch", [], False)


@given(played())
@settings(max_examples=40, deadline=None)
def test_history_has_every_action_once(line: Line) -> None:
    """Each action stands in its hand's column and leads to the place after it."""
    data = position_view.board_data(board(line), EN, "light")
    history = data["history"]
    assert history is not None
    places = [c["at"] for row in history["rows"] for c in row["cells"] if c["at"] is not None]
    assert places == list(range(1, len(line.steps) + 1))
    assert len(history["columns"]) == len(line.hands)
    assert len(data["log"]) == min(6, len(line.steps))


@given(played())
@settings(max_examples=25, deadline=None)
def test_play_on_the_table_is_the_one_to_beat(line: Line) -> None:
    """What is framed is the play that the position holds, with its cards and its owner."""
    data = position_view.board_data(board(line), EN, "light")
    position = line.position
    if position is None or position.beat is None:
        assert data["to_beat"] is None
        return
    found = data["to_beat"]
    assert found is not None
    assert found["seat"] == position.beat_by
    assert codes([*found["main"], *found["kickers"]]) == position.beat.cards
    assert codes(found["main"]) == position.beat.main


@pytest.mark.parametrize("lang", LANGUAGES)
def test_board_in_words_names_every_hand(lang: str) -> None:
    """The sentences say what to beat, whose turn it is and what each hand holds."""
    start = ddz.position(["KK3", "QQ4", "55"], 1, "33", rules=CLASSIC)
    told = position_view.sentences(words(lang), lines.line_of(start))
    assert len(told) == 5
    roles = [words(lang).say(f"table.role.{name}") for name in ("landlord", "after", "before")]
    for role, text in zip(roles, told[2:], strict=True):
        assert text.startswith(role)
    assert roles[0] in told[0]
    assert roles[1] in told[1]


def test_hands_of_one_role_are_told_apart() -> None:
    """Where several hands are farmers alike, they are named by their seats."""
    four = load_ruleset("classic-4p")
    start = ddz.position(["3", "4", "5", "6"], rules=four)
    names = [position_view.who(EN, start, seat) for seat in range(4)]
    assert len(set(names)) == 4


def test_hint_rings_the_cards_of_a_play() -> None:
    """The cards ringed are in hand and make up the play."""
    start = ddz.position(["3KKK", "QQ4"], rules=CLASSIC)
    line = lines.line_of(start)
    move = next(m for m in lines.legal(start) if m is not None and m.cards == "3KKK")
    ids = position_view.ids_of(line, 0, move)
    held = {c["id"]: c["code"] for c in position_view.board_data(board(line), EN, "light")["hand"]}
    assert cards.parse_cards("".join(held[name] for name in ids)) == move.hand
