"""What a set of cards can do: readings with what they meet, plays, hub ranks, house rules, code."""

from __future__ import annotations

import csv
import io
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz_core import cards, explorer, patterns, probability
from ddz_core.errors import HandError, NotACombination, NotationError, RulesetError
from ddz_core.estimate import Estimate
from ddz_core.plots import frequency, race
from ddz_core.rules import Rules, load_ruleset
from ddz_core.rulesets import ruleset_ids

CLASSIC = load_ruleset("classic")
SMALL_HANDS = st.text("34567TJQKA2XD", min_size=1, max_size=9).filter(
    lambda text: cards.contains(CLASSIC.ruleset.deck_cards, _packed(text))
)


def _packed(text: str) -> int:
    return sum(1 << 4 * cards.LANE[rank] for rank in text)


def counted(rivals: tuple[explorer.Rival, ...]) -> dict[str, int]:
    """Return main parts by kind."""
    return {rival.kind: rival.mains for rival in rivals}


def test_ambiguous_set_meets_what_the_pictures_say() -> None:
    """Four triples have three readings; as a plane of four 8 beat them, 5 of them unseen."""
    deck = explorer.readings("333444555666", CLASSIC)
    out = explorer.readings("333444555666", CLASSIC, explorer.unseen("333444555666", CLASSIC))
    assert [(r.combination.kind, r.combination.top, r.weaker) for r in deck] == [
        ("plane", "6", False),
        ("plane_singles", "6", False),
        ("plane_singles", "5", True),
    ]
    assert counted(deck[0].beaten_by) == {"plane": 8, "bomb": 13, "rocket": 1}
    assert counted(out[0].beaten_by) == {"plane": 5, "bomb": 9, "rocket": 1}
    assert counted(deck[1].beaten_by) == {"plane_singles": 8, "bomb": 13, "rocket": 1}
    assert counted(out[1].beaten_by) == {"plane_singles": 6, "bomb": 9, "rocket": 1}
    assert deck[0].beats == ()
    assert out[1].beats == ()
    assert counted(deck[1].beats) == {"plane_singles": 1}


@settings(max_examples=40, deadline=None)
@given(SMALL_HANDS, st.text("3456789TJQKA2XD", min_size=1, max_size=12))
def test_counts_are_those_of_comparing_one_by_one(text: str, pool: str) -> None:
    """What meets a reading in a pool is what comparing with every play of the pool says."""
    if not cards.contains(CLASSIC.ruleset.deck_cards, _packed(pool)):
        return
    for reading in explorer.readings(text, CLASSIC, pool):
        one = reading.combination
        leads = CLASSIC.moves(pool)
        over = {m.hand for m in leads if patterns.outranks(m, one)}
        under = {m.hand for m in leads if patterns.outranks(one, m)}
        assert over == {m.hand for m in CLASSIC.moves(pool, beat=text, beat_as=one)}
        assert sum(r.sets for r in reading.beaten_by) >= len(over)
        assert {r.kind for r in reading.beaten_by} == {
            m.kind for m in leads if patterns.outranks(m, one)
        }
        assert {r.kind for r in reading.beats} == {
            m.kind for m in leads if patterns.outranks(one, m)
        }
        assert bool(under) == bool(reading.beats)


def test_rocket_beats_all_and_nothing_beats_it() -> None:
    """The top of the ladder meets nothing above it and every other kind below it."""
    [rocket] = explorer.readings("XD", CLASSIC)
    assert rocket.beaten_by == ()
    assert {r.kind for r in rocket.beats} == {
        row.id for row in CLASSIC.ruleset.kinds_in_force()
    } | {"bomb"}


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("44445555", {"kickers.main_rank", "kickers.bomb_as_pairs"}),
        ("333344445555", {"kickers.main_rank"}),
        ("666777XD", {"kickers.both_jokers"}),
        ("33344456", set()),
    ],
)
def test_switches_that_give_a_reading_are_found(text: str, paths: set[str]) -> None:
    """Cards that only some settings allow name those settings, and with each they are legal."""
    found = explorer.elsewhere(text, CLASSIC)
    assert {option.path for option, _ in found} >= paths
    for option, new in found:
        changed = load_ruleset("classic", {option.path: option.value})
        assert {r.kind for r in new} <= {r.kind for r in changed.readings(text)}


@pytest.mark.parametrize("ruleset_id", ruleset_ids())
def test_every_ruleset_can_be_explored(ruleset_id: str) -> None:
    """Readings, plays and hub ranks work for whatever is shipped."""
    rules = load_ruleset(ruleset_id)
    if rules.ruleset.wilds.mode == "rank":
        rules = load_ruleset(ruleset_id, {"wilds.rank": "7"})
    for kind, lengths in explorer.chains(rules).items():
        bodies = explorer.chain_bodies(rules, kind, lengths[0])
        assert bodies
        for hub in probability.hub_ranks(kind, rules, lengths[0]):
            assert all(set(hub) & set(body) for body in bodies)
    assert [r.combination.kind for r in explorer.readings("33", rules, "445")] == ["pair"]


def test_hub_ranks_by_trying_every_set() -> None:
    """No smaller set of ranks meets every straight of five, and each set given does."""
    bodies = explorer.chain_bodies(CLASSIC, "straight", 5)
    found = probability.hub_ranks("straight", CLASSIC, 5)
    for size in (1, 2):
        brute = {
            "".join(chosen)
            for chosen in combinations("3456789TJQKA", size)
            if all(set(chosen) & set(body) for body in bodies)
        }
        assert brute == (set(found) if size == 2 else set())
    assert "7T" in found


def test_plays_are_filtered() -> None:
    """The filters keep what they say: kind, cards held, what is beaten."""
    hand = "34445678"
    every = explorer.plays(hand, CLASSIC)
    assert every == CLASSIC.moves(hand)
    assert {m.kind for m in explorer.plays(hand, CLASSIC, kinds=["pair", "straight"])} == {
        "pair",
        "straight",
    }
    assert all("7" in m.cards for m in explorer.plays(hand, CLASSIC, holding="7"))
    answers = [m.cards for m in explorer.plays(hand, CLASSIC, beat="3334")]
    assert sorted(answers) == ["3444", "4445", "4446", "4447", "4448"]
    with pytest.raises(NotationError):
        explorer.plays(hand, CLASSIC, holding="z")
    with pytest.raises(NotACombination):
        explorer.plays(hand, CLASSIC, beat="35")


def test_list_of_plays_as_csv_reads_back() -> None:
    """The CSV has a head and a row a play, and every cell comes back as it was."""
    moves = explorer.plays("33344456", CLASSIC)
    rows = list(csv.DictReader(io.StringIO(explorer.csv_text(explorer.rows(moves)))))
    assert tuple(rows[0]) == explorer.PLAY_COLUMNS
    assert [row["cards"] for row in rows] == [m.cards for m in moves]
    assert explorer.csv_text([]) == ""
    assert list(explorer.frame(moves, CLASSIC)["rules_hash"]) == [CLASSIC.hash] * len(moves)


def test_unseen_cards_are_the_rest_of_the_deck() -> None:
    """Hand, seen and unseen cards are the deck; more than it has is refused by rank."""
    rest = explorer.unseen("3334", CLASSIC, "XD")
    assert sorted(rest + "3334XD") == sorted(CLASSIC.deck_text())
    with pytest.raises(HandError) as refused:
        explorer.unseen("333", CLASSIC, "33")
    assert refused.value.params["rank"] == "3"


def test_frequencies_carry_the_reference_values() -> None:
    """Rocket in 17 and 20 cards: 0.0950 and 0.1328, counted exactly."""
    rows = {(r["kind"], r["cards"]): r for r in explorer.frequencies(CLASSIC)}
    assert rows["rocket", 17]["chance"] == pytest.approx(17 * 16 / (54 * 53))
    assert rows["rocket", 20]["chance"] == pytest.approx(20 * 19 / (54 * 53))
    assert {r["method"] for r in rows.values()} <= {"exact", "sampled"}


def test_code_runs_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The lines that a page prints run as they stand, house rules included."""
    rules = load_ruleset("classic", {"kickers.both_jokers": True})
    code = explorer.code_lines(
        rules,
        "for reading in explorer.readings('666777XD', rules):",
        "    print(reading.combination.kind)",
    )
    exec(code, {})
    assert capsys.readouterr().out == "plane_singles\n"


def _names(figure: object) -> list[str]:
    return [trace.type for trace in figure.data]  # type: ignore[attr-defined]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_figures_show_every_row_on_category_axes(theme: str) -> None:
    """A dot for each kind and size; kinds are categories, so that no label is read as a number."""
    rows = explorer.frequencies(CLASSIC, [5, 17])
    figure = frequency.figure(rows, name=str, size=str, theme=theme)
    assert _names(figure) == ["scatter", "scatter"]
    assert figure.layout.yaxis.type == "category"
    assert sorted(figure.data[0].y) == sorted({str(r["kind"]) for r in rows})
    chance = Estimate(value=0.4, low=0.35, high=0.45, n=100, method="sampled")
    drawn = race.figure(["A", "B"], [chance, chance], theme=theme)
    assert list(drawn.data[0].x) == [40.0, 40.0]


def test_options_list_every_switch_over_kickers() -> None:
    """Each field of the kickers is offered with its value among the choices."""
    rules: Rules = load_ruleset("classic", {"kickers.max_equal": 2})
    found = {option.path: option for option in explorer.options(rules)}
    assert found["kickers.max_equal"].value == 2
    assert all(option.value in option.choices for option in found.values())


@pytest.mark.parametrize("ruleset_id", ruleset_ids())
def test_every_choice_of_a_switch_can_be_set(ruleset_id: str) -> None:
    """Each game takes each value that its switches offer, so cards can be read under all."""
    rules = load_ruleset(ruleset_id)
    for option in explorer.options(rules):
        for choice in option.choices:
            changed = load_ruleset(ruleset_id, {option.path: choice})
            assert dict(changed.overrides) == {option.path: choice}
    ranks = [rank for rank in "3456" if rank in rules.deck_text()]
    for rank in ranks:
        for option, new in explorer.elsewhere(rank * 4 + "TT", rules):
            assert option.value in option.choices
            assert new


def test_switches_that_contradict_house_rules_are_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A switch that cannot be set beside the house rules in force is not offered for cards."""
    real = explorer.load_ruleset

    def refusing(ruleset_id: str, overrides: dict[str, object]) -> Rules:
        if "kickers.bomb_as_pairs" in overrides:
            raise RulesetError("contradiction", key="error.ruleset.contradiction")
        return real(ruleset_id, overrides)

    paths = [option.path for option, _ in explorer.elsewhere("44445555", CLASSIC)]
    assert "kickers.bomb_as_pairs" in paths
    monkeypatch.setattr(explorer, "load_ruleset", refusing)
    left = [option.path for option, _ in explorer.elsewhere("44445555", CLASSIC)]
    assert left == [path for path in paths if path != "kickers.bomb_as_pairs"]
