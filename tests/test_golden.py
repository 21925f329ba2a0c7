"""Golden games and counts: one full game and its numbers of legal sequences for every ruleset.

``python tests/golden/make.py`` writes them anew after a rule was changed on purpose.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import oracle
import pytest
from oracle import Options, Reading

import ddz_core as ddz

GOLDEN = Path(__file__).parent / "golden"
IDS = ddz.ruleset_ids()
ONE_DECK = ["classic", "primer", "jinyou", "wuhan", "local", "role", "jj", "dingniu", "er-da-yi"]
ONE_DECK += ["duel-2p"]


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
    return [(int(line[0]), line[1]) for line in lines if line and line[0] != "-"]


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
    assert 0 == sum(game.ledger.points) + game.ledger.house_points
    assert game.multiplier > 1
    assert text == ddz.write_record(game)
    assert game == states(ruleset)[-1]


@pytest.mark.parametrize("ruleset", IDS)
def test_golden_deal_is_the_deal_of_its_seed(ruleset: str) -> None:
    """The seed of a golden game gives exactly the cards, first speaker and face-up card stored."""
    headers = dict(
        line.split(": ", 1)
        for line in golden_game(ruleset).split("\n\n")[0].splitlines()
        if ": " in line
    )
    deal = ddz.deal(ddz.load_ruleset(ruleset), seed=int(headers["seed"]))
    assert headers["deal"] == deal.text(suits=True)
    assert headers["first"] == str(deal.first)
    assert headers.get("face_up") == (deal.face_up_text or None)
    assert ddz.read_record(golden_game(ruleset)).deal == deal


@pytest.mark.parametrize("ruleset", IDS)
def test_golden_counts_of_legal_sequences(ruleset: str) -> None:
    """From fixed points of the golden game the numbers of legal sequences are the stored ones."""
    games = states(ruleset)
    found = [
        (place, depth, perft(games[place], depth)) for place, depth, _ in golden_counts(ruleset)
    ]
    assert golden_counts(ruleset) == found


def oracle_perft(
    hands: tuple[str, ...],
    seat: int,
    table: Reading | None,
    passes: int,
    depth: int,
    options: Options,
) -> int:
    """The same count by the oracle: it knows hands, the play on the table, and passes."""
    if depth == 0 or "" in hands:
        return 1
    plays = (
        oracle.leads(hands[seat], options)
        if table is None
        else oracle.answers(hands[seat], table, options)
    )
    if depth == 1:
        return len(plays) + (table is not None)
    after = (seat + 1) % len(hands)
    total = 0
    for play in plays:
        rest = oracle.text(Counter(hands[seat]) - Counter(play.cards))
        held = (*hands[:seat], rest, *hands[seat + 1 :])
        total += oracle_perft(held, after, play, 0, depth - 1, options)
    if table is not None:
        over = passes + 1 == len(hands) - 1
        total += oracle_perft(
            hands, after, None if over else table, 0 if over else passes + 1, depth - 1, options
        )
    return total


@pytest.mark.parametrize("ruleset", ONE_DECK)
def test_golden_counts_are_those_of_the_oracle(ruleset: str) -> None:
    """The stored counts of the play were not only written by the engine: the oracle has the same.

    When two have passed in a row the third leads, and that is the seat that played last.
    """
    games = states(ruleset)
    kickers = games[0].rules.ruleset.kickers
    options = Options(
        max_equal=kickers.max_equal,
        both_jokers=kickers.both_jokers,
        main_rank=kickers.main_rank,
        bomb_as_pairs=kickers.bomb_as_pairs,
        next_triple=kickers.next_triple,
        largest=games[0].ruleset.largest_hand,
    )
    checked = 0
    for place, depth, number in golden_counts(ruleset):
        game = games[place]
        if game.phase != "play" or number > 500:
            continue
        table = None
        if game.to_beat is not None:
            (table,) = [
                reading
                for reading in oracle.readings(str(game.to_beat), options)
                if reading.name == (game.to_beat.kind, game.to_beat.length, game.to_beat.top)
            ]
        hands = tuple(game.hand_text(seat) for seat in range(game.seats))
        assert number == oracle_perft(hands, game.to_act, table, game.passes, depth, options)
        checked += 1
    assert checked >= 8
