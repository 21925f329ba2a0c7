"""The memory drill: stops, counts from one seat's view, marks, and the learner's own record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ddz_core import cards, claims, codes, memory
from ddz_core.errors import HandError, RecordError
from ddz_core.observation import observe
from ddz_core.quiz import INTERVALS, Item
from ddz_core.rules import load_ruleset

DAY = "2026-01-01"
GAMES = {
    name: memory.seed_game(load_ruleset(name), 3)
    for name in ("classic", "laizi", "hidden-5p", "classic-4p", "duel-2p", "jiujiang")
}


@pytest.mark.parametrize("name", GAMES)
def test_counts_add_up_at_every_moment(name: str) -> None:
    """Own, gone and left make the copies of every rank, and gone is what the plays laid down."""
    game = GAMES[name]
    for at in range(memory.first(game), len(game.history) + 1, 3):
        for seat in range(game.seats):
            seen = observe(game.at(at), seat)
            for rank, fact in memory.facts(seen).items():
                assert fact.mine + fact.gone + fact.left == fact.copies
                assert min(fact.mine, fact.gone, fact.left) >= 0
                assert sum(n for _, n in memory.went(seen, rank)) == fact.gone
                lane = cards.LANE[rank]
                others = sum(
                    cards.counts_of(hand)[lane]
                    for i, hand in enumerate(seen_hands(game, at))
                    if i != seat
                )
                assert others <= fact.left


def seen_hands(game: object, at: int) -> tuple[int, ...]:
    """Return the hands of all seats after so many actions."""
    return game.at(at).hands  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("name", GAMES)
def test_ranks_run_from_the_top_down(name: str) -> None:
    """The order begins with the big joker, has every rank of the game once and ends low."""
    ruleset = GAMES[name].ruleset
    ranks = memory.order(ruleset)
    assert ranks[:4] == ("D", "X", "2", "A")
    assert sorted(ranks) == sorted(set(cards.format_cards(ruleset.deck_cards)))


def test_truth_knows_no_hidden_card() -> None:
    """Two deals that look the same to a seat have the same answers, whoever holds the rest."""
    game = GAMES["classic"]
    at = memory.first(game) + 6
    mine = memory.facts(observe(game.at(at), 0))
    blind = observe(game.at(at), 0)
    assert memory.facts(replace(blind, known=tuple(0 for _ in blind.known))) == mine


def test_stops_do_not_depend_on_what_comes_later() -> None:
    """Stops of a game that went on longer begin with those of the shorter one, gap by gap."""
    short, long = GAMES["classic"], GAMES["classic-4p"]

    def stops(game: object, seed: int) -> list[int]:
        found, at = [], 0
        while (stop := memory.next_stop(game, seed, at)) is not None:  # type: ignore[arg-type]
            found.append(stop - memory.first(game))  # type: ignore[arg-type]
            at = stop
        return found

    for seed in range(20):
        one, other = stops(short, seed), stops(long, seed)
        assert one == other[: len(one)]
        assert one
        gaps = [b - a for a, b in zip([0, *other], other, strict=False)]
        assert all(memory.GAPS[0] <= gap <= memory.GAPS[1] for gap in gaps)
    assert len({tuple(stops(long, seed)) for seed in range(20)}) > 10


def test_every_game_of_a_seed_has_a_stop_and_is_the_same_again() -> None:
    """A seed gives one finished game, long enough for the first stop of any seed."""
    rules = load_ruleset("classic")
    for seed in range(1, 8):
        game = memory.seed_game(rules, seed)
        memory.check(game)
        assert codes.encode(game) == codes.encode(memory.seed_game(rules, seed))
        assert memory.next_stop(game, seed, 0) is not None


def test_games_that_cannot_be_asked_are_refused() -> None:
    """A running game and a very short one are refused, each with its own reason."""
    game = GAMES["classic"]
    with pytest.raises(RecordError) as caught:
        memory.check(game.at(len(game.history) - 1))
    assert (caught.value.key, caught.value.field) == ("error.memory.unfinished", "game")
    cut = replace(game, history=game.history[: memory.first(game) + memory.GAPS[1]])
    with pytest.raises(RecordError) as caught:
        memory.check(cut)
    assert caught.value.key == "error.memory.short"


def test_marks_compare_both_numbers() -> None:
    """A rank is right when gone and left are both right; what is left open is not remembered."""
    game = GAMES["classic"]
    seen = observe(game.at(memory.first(game) + 12), 1)
    truth = memory.facts(seen)
    ranks = memory.order(seen.ruleset)[:5]
    good = {rank: (truth[rank].gone, truth[rank].left) for rank in ranks}
    assert all(one.right for one in memory.mark(seen, ranks, good))
    bad = {**good, "2": (truth["2"].gone, (truth["2"].left + 1) % 5), "A": (None, truth["A"].left)}
    del bad["D"]
    marks = memory.mark(seen, ranks, bad)
    assert [one.fact.rank for one in marks if not one.right] == ["D", "2", "A"]
    assert [one.fact.rank for one in marks] == list(ranks)


@pytest.mark.parametrize(
    "answers",
    [{"2": (5, 0)}, {"2": (0, -1)}, {"D": (2, 0)}, {"3": (0, 0)}, {"Z": (0, 0)}, {"2": ("1", 0)}],
)
def test_impossible_answers_are_refused(answers: dict[str, tuple[int, int]]) -> None:
    """A number that there cannot be, or a rank not asked for, is refused by name."""
    game = GAMES["classic"]
    seen = observe(game.at(memory.first(game) + 5), 0)
    with pytest.raises(HandError) as caught:
        memory.mark(seen, ("D", "X", "2"), answers)
    name = next(iter(answers))
    assert name in caught.value.field or name == caught.value.got


@pytest.mark.parametrize("number", [0, 16, True, "5"])
def test_number_of_ranks_is_checked(number: object) -> None:
    """A game has not more ranks than it has, and at least one is asked for."""
    with pytest.raises(HandError) as caught:
        memory.asked(GAMES["classic"].ruleset, number, memory.Progress(), DAY)  # type: ignore[arg-type]
    assert caught.value.field == "ranks"


def test_weak_ranks_come_back_and_known_ones_rest() -> None:
    """A right rank rests until its day, moves one box a day at most; a wrong one is due at once."""
    game = GAMES["classic"]
    seen = observe(game.at(memory.first(game) + 12), 1)
    truth = memory.facts(seen)
    ranks = memory.order(seen.ruleset)[:3]
    said = {r: (truth[r].gone, truth[r].left) for r in ranks[:2]}
    kept = memory.answered(memory.Progress(), memory.mark(seen, ranks, said), DAY)
    assert [kept.item(r).box for r in ranks] == [1, 1, 0]
    assert memory.asked(seen.ruleset, 3, kept, DAY, due=True) == (ranks[2],)
    assert memory.asked(seen.ruleset, 2, kept, DAY, due=True) == ranks[:2]
    again = memory.answered(kept, memory.mark(seen, ranks, said), DAY)
    assert [again.item(r).box for r in ranks] == [1, 1, 0]
    assert again.item(ranks[0]).asked == 2
    assert again.share(ranks[2]) == 0.0
    later = memory.answered(again, memory.mark(seen, ranks[:1], said and {}), "2026-01-02")
    assert later.item(ranks[0]).box == 0
    assert INTERVALS[1] == 1


def test_record_is_read_as_it_was_written() -> None:
    """The text of the record gives the same record; of two, the rank asked more often counts."""
    kept = memory.Progress({"D": Item(2, "2026-01-04", 7, 5), "*": Item(0, DAY, 1, 0)})
    assert memory.read(memory.write(kept)) == kept
    more = memory.Progress({"D": Item(0, DAY, 9, 5), "3": Item(1, DAY, 1, 1)})
    both = memory.merged(kept, more)
    assert both.items == {"D": more.item("D"), "*": kept.item("*"), "3": more.item("3")}
    assert memory.read("") == memory.Progress()


@pytest.mark.parametrize(
    "line",
    [
        *("2 9 2026-01-01 1 1", "2 1 2026-13-01 1 1", "2 1 2026-01-01 1 2", "Z 1 - 1 1", "2 1 - 1"),
        *("2 x - 1 1", "<b> 1 - 1 1", "2 0 - 1 0\n2 0 - 1 0"),
    ],
)
def test_bad_records_name_the_line(line: str) -> None:
    """A line that is none is refused with its number."""
    with pytest.raises(RecordError) as caught:
        memory.read(f"{memory.HEAD}\n{line}\n")
    assert caught.value.params["line"] == 2 + line.count("\n")
    with pytest.raises(RecordError):
        memory.read("something else\n")


def test_worth_is_what_the_shipped_result_says() -> None:
    """The curve of remembered ranks has the numbers of the shipped result, each family its own."""
    result = claims.shipped_results()["R8"]
    found = memory.worth(result)
    assert set(found) == set(result.families)
    for family, rows in found.items():
        assert [number for number, _ in rows] == [1, 2, 3, 5, 8, 15]
        for number, value in rows:
            assert value == result.estimates(family)[f"ranks{number}"]
