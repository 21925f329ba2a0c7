"""Golden games and counts: one full game and its numbers of legal sequences for every ruleset.

``python tests/golden/make.py`` writes them anew after a rule was changed on purpose.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import ddz_core as ddz

GOLDEN = Path(__file__).parent / "golden"
IDS = ddz.ruleset_ids()


def golden_game(ruleset: str) -> str:
    """The text of the golden game."""
    return (GOLDEN / f"{ruleset}.ddz").read_text(encoding="utf-8")


def golden_counts(ruleset: str) -> list[tuple[int, int, int]]:
    """Actions done, depth and number of sequences."""
    text = (GOLDEN / f"{ruleset}.perft").read_text(encoding="utf-8")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return [(int(place), int(depth), int(number)) for place, depth, number in rows]


def record_lines(text: str) -> list[tuple[int, str]]:
    """Seat and action of every line of a record."""
    lines = [line.split(";")[0].split() for line in text.split("\n\n", 1)[1].splitlines()]
    return [(int(line[0]), line[1]) for line in lines if line]


def states(ruleset: str) -> list[ddz.Game]:
    """Every state of the golden game, replayed from its deal."""
    last = ddz.read_record(golden_game(ruleset))
    games = [ddz.new_game(last.rules, last.deal)]
    for seat, action in record_lines(golden_game(ruleset)):
        assert seat == games[-1].to_act
        games.append(games[-1].apply(action))
    return games


def perft(game: ddz.Game, depth: int) -> int:
    """Number of legal sequences of ``depth`` actions; a game that ends sooner counts once there."""
    if depth == 0 or game.outcome is not None:
        return 1
    if depth == 1:
        return len(list(game.legal()))
    return sum(perft(game.apply(action), depth - 1) for action in game.legal())


@pytest.mark.parametrize("ruleset", IDS)
def test_every_ruleset_has_its_golden_files(ruleset: str) -> None:
    """No ruleset is shipped without a golden game and golden counts."""
    assert (GOLDEN / f"{ruleset}.ddz").is_file(), "python tests/golden/make.py"
    assert len(golden_counts(ruleset)) >= 10


def test_no_golden_file_without_a_ruleset() -> None:
    """Golden files of rulesets that are gone are noticed."""
    assert set(IDS) >= {path.stem for path in GOLDEN.iterdir() if path.suffix in (".ddz", ".perft")}


@pytest.mark.parametrize("ruleset", IDS)
def test_golden_game_replays_to_its_result(ruleset: str) -> None:
    """The golden game is read, has a landlord and a bomb, ends, and is written byte for byte."""
    text = golden_game(ruleset)
    game = ddz.read_record(text)
    assert ruleset == game.rules.id
    assert game.outcome in ("landlords", "farmers")
    assert 0 == sum(game.ledger.points)
    assert game.multiplier > 1
    assert text == ddz.write_record(game)
    assert game == states(ruleset)[-1] or ddz.write_record(states(ruleset)[-1]) == text


@pytest.mark.parametrize("ruleset", IDS)
def test_golden_deal_is_the_deal_of_its_seed(ruleset: str) -> None:
    """The seed of a golden game gives its cards on every machine: the played cards are dealt cards.

    All cards that the winner played are its hand, with the bottom if it is the landlord.
    """
    game = ddz.read_record(golden_game(ruleset))
    played: Counter[int] = Counter()
    cards: dict[int, str] = {}
    for seat, action in record_lines(golden_game(ruleset)):
        if action not in ("pass", "1", "2", "3", "x1", "x2", "x4", "x8"):
            cards[seat] = cards.get(seat, "") + action.split("=")[0]
            played[seat] += len(action.split("=")[0])
    (winner,) = [
        seat for seat, number in played.items() if number == (20 if seat in game.landlords else 17)
    ]
    assert (winner in game.landlords) == (game.outcome == "landlords")


@pytest.mark.parametrize("ruleset", IDS)
def test_golden_counts_of_legal_sequences(ruleset: str) -> None:
    """From fixed points of the golden game the numbers of legal sequences are the stored ones."""
    games = states(ruleset)
    found = [
        (place, depth, perft(games[place], depth)) for place, depth, _ in golden_counts(ruleset)
    ]
    assert golden_counts(ruleset) == found
