"""Wild cards: lists, readings and comparisons against trying every rank; the documents' forms."""

from __future__ import annotations

import itertools
import pickle
import random
from collections import Counter

import msgspec
import oracle
import pytest
import wild_oracle as slow

from ddz_core import cards, dealing, decompose, patterns, rulesets
from ddz_core.errors import NotACombination, RulesetError
from ddz_core.kernels.table import compile_table
from ddz_core.kernels.workspace import Workspace
from ddz_core.rules import Rules, load_ruleset
from ddz_core.specs import Ruleset

GAMES = {
    "four drawn": ("rob-laizi", {"wilds.rank": "5"}, slow.Game("5", soft=True)),
    "red sevens": ("laizi", {"wilds.mode": "red7"}, slow.Game("*", kickers_any=True)),
    "jokers": ("laizi", {"wilds.mode": "jokers"}, slow.Game("XD", kickers_any=True)),
}
HOUSES = {
    "red sevens that are themselves": (
        "laizi",
        {"wilds.kickers": "own", "wilds.alone": "own"},
        slow.Game("*", alone_any=False),
    ),
    "jokers that are themselves": (
        "laizi",
        {"wilds.mode": "jokers", "wilds.kickers": "own", "wilds.alone": "own"},
        slow.Game("XD", alone_any=False),
    ),
    "four that are anything": (
        "laizi",
        {"wilds.mode": "rank", "wilds.rank": "5", "wilds.alone": "own"},
        slow.Game("5", kickers_any=True, alone_any=False),
    ),
}
OPTIONS: list[dict[str, object]] = [
    {"max_equal": 1},
    {"both_jokers": True},
    {"next_triple": False},
    {"main_rank": True},
    {"bomb_as_pairs": True},
    {"max_equal": 2, "next_triple": False},
]

DRAWN = rulesets.load("rob-laizi", {"wilds.rank": "4"})
RED = rulesets.load("laizi")
JOKERS = rulesets.load("laizi", {"wilds.mode": "jokers"})


def ruleset_and_game(
    name: str, options: dict[str, object] | None = None
) -> tuple[Ruleset, slow.Game]:
    """The engine's and the oracle's rules of a game, with kicker options."""
    ruleset_id, overrides, game = (GAMES | HOUSES)[name]
    options = options or {}
    ruleset = rulesets.load(
        ruleset_id, {**overrides, **{f"kickers.{key}": value for key, value in options.items()}}
    )
    if not options:
        return ruleset, game
    made = slow.Game(
        game.wilds, game.soft, game.kickers_any, game.alone_any, oracle.Options(**options)
    )  # type: ignore[arg-type]
    return ruleset, made


def play_of(move: patterns.Combination) -> slow.Play:
    """A combination as the oracle writes it."""
    return slow.Play(move.cards, move.kind, move.length, move.top, move.soft, move.pure)


def random_hand(rng: random.Random, game: slow.Game, number: int, wilds: int) -> str:
    """A lumpy hand with neighbours, so many wilds among them."""
    all_wilds = {"*": "**", "XD": "XD"}.get(game.wilds, 4 * game.wilds)
    mine = all_wilds[:wilds] if rng.random() < 0.5 else all_wilds[-wilds:]
    start = rng.randrange(8)
    ranks = set(rng.sample(slow.NATURAL, rng.randint(2, 5)))
    ranks |= set(slow.NATURAL[start : start + rng.randint(0, 5)])
    pool = [] if game.wilds == "XD" else ["X", "D"]
    for rank in sorted(ranks - set(game.wilds)):
        most = 2 if rank == "7" and game.wilds == "*" else 4
        pool += [rank] * min(most, rng.choice([1, 2, 3, 4, 4]))
    rng.shuffle(pool)
    return slow.text(Counter([*pool[: number - wilds], *mine]))


def check_lists(hand: str, ruleset: Ruleset, game: slow.Game) -> dict[str, set[slow.Play]]:
    """Hold both lists of leads of a hand against the oracle; return what that found."""
    expected = slow.leads(hand, game)
    for spend, plays in expected.items():
        found = [play_of(move) for move in patterns.moves(ruleset, hand, spend=spend)]
        assert len(found) == len(set(found)), (hand, spend)
        assert set(found) == plays, (hand, spend)
    return expected


# --- against trying everything -------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_all_small_hands_are_listed_as_by_trying_every_rank(name: str) -> None:
    """Every hand of up to four cards of a few ranks has exactly the leads that trying finds."""
    ruleset, game = ruleset_and_game(name)
    wilds = {"*": "**", "XD": "XD"}.get(game.wilds, 4 * game.wilds)
    pool = "336778822" + wilds + ("" if game.wilds == "XD" else "XD")
    hands = {
        slow.text(Counter(chosen))
        for number in range(1, 5)
        for chosen in itertools.combinations(pool, number)
    }
    for hand in sorted(hands):
        check_lists(hand, ruleset, game)


@pytest.mark.parametrize("name", [*GAMES, *HOUSES])
def test_random_hands_lead_answer_and_read_as_by_trying_every_rank(name: str) -> None:
    """Leads, answers, whether there is one, and readings agree with trying, for lumpy hands."""
    ruleset, game = ruleset_and_game(name)
    rng = random.Random(name)
    most = 4 if len(game.wilds) == 1 and game.wilds != "*" else 2
    for _ in range(5):
        wilds = rng.randint(1, most)
        hand = random_hand(rng, game, rng.randint(wilds + 2, 9), wilds)
        other = random_hand(rng, game, rng.randint(wilds + 2, 7), rng.randint(1, wilds))
        check_against(rng, hand, other, ruleset, game)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("number", "wilds"), [(20, 1), (17, 1), (15, 2)])
def test_large_hands_lead_what_any_hand_that_they_can_show_leads(
    name: str, number: int, wilds: int
) -> None:
    """The minimal leads of a full hand are the leads of all hands that its wilds can make of it."""
    ruleset, game = ruleset_and_game(name)
    deck = cards.format_cards(ruleset.deck_cards)
    rng = random.Random(f"{name} {number} {wilds}")
    natural = rng.sample([card for card in deck if card not in game.wilds], number - wilds)
    mine = rng.sample([card for card in deck if card in game.wilds], wilds)
    hand = slow.text(Counter(natural + mine))
    found = {play_of(move) for move in patterns.moves(ruleset, hand)}
    assert found == slow.shown_leads(hand, game), hand


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_limits_on_kickers_look_at_shown_ranks(name: str, options: dict[str, object]) -> None:
    """Each kicker option holds for what wilds show, as trying every rank finds."""
    ruleset, game = ruleset_and_game(name, options)
    rng = random.Random(name + str(options))
    for _ in range(2):
        wilds = rng.randint(1, 2)
        hand = random_hand(rng, game, rng.randint(6, 9), wilds)
        other = random_hand(rng, game, rng.randint(4, 6), wilds)
        check_against(rng, hand, other, ruleset, game)


def check_against(
    rng: random.Random, hand: str, other: str, ruleset: Ruleset, game: slow.Game
) -> None:
    """Hold leads, readings, and answers to leads of another hand against the oracle."""
    expected = check_lists(hand, ruleset, game)
    parts = list(slow.subsets(hand))
    for part in rng.sample(parts, min(20, len(parts))):
        found = [play_of(reading) for reading in patterns.readings(ruleset, part)]
        assert len(found) == len(set(found)), part
        assert set(found) == slow.readings(part, game), part
    leads = sorted(slow.leads(other, game)["all"])
    for table in rng.sample(leads, min(5, len(leads))):
        lies = next(r for r in patterns.readings(ruleset, table.cards) if play_of(r) == table)
        for spend, plays in expected.items():
            found = patterns.moves(ruleset, hand, table.cards, beat_as=lies, spend=spend)
            over = {play for play in plays if slow.beats(play, table)}
            assert {play_of(move) for move in found} == over, (hand, table, spend)
        able = any(slow.beats(play, table) for play in expected["all"])
        assert patterns.can_beat(ruleset, hand, table.cards, beat_as=lies) == able, (hand, table)


# --- the forms of the document -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("played", "kind", "length", "top", "shown"),
    [
        ("489JQ", "straight", 5, "Q", "89TJQ"),
        ("455677", "pair_straight", 3, "7", "556677"),
        ("466777", "plane", 2, "7", "666777"),
        ("47778836", "plane_singles", 2, "8", "777888"),
    ],
)
def test_worked_forms_of_document_004(
    played: str, kind: str, length: int, top: str, shown: str
) -> None:
    """The four forms that the document writes with a four as wild are read so."""
    found = patterns.readings(DRAWN, played)[0]
    assert (found.kind, found.length, found.top, found.shown) == (kind, length, top, shown)
    assert Counter(found.main + found.kickers) == Counter(played)
    assert found.cards in {move.cards for move in patterns.moves(DRAWN, played)}


def names(ruleset: Ruleset, played: str) -> list[str]:
    """Readings as short texts, the unnamed one first."""
    return [f"{r.kind}:{r.length}:{r.top}" for r in patterns.readings(ruleset, played)]


def test_wilds_of_a_drawn_rank_alone_are_a_group_of_any_one_rank() -> None:
    """Two wilds are thirteen pairs, the highest unnamed; three are triples; one is itself."""
    assert names(DRAWN, "44") == [f"pair:1:{rank}" for rank in reversed(slow.NATURAL)]
    assert names(DRAWN, "444") == [f"triple:1:{rank}" for rank in reversed(slow.NATURAL)]
    assert names(DRAWN, "4") == ["single:1:4"]
    assert names(DRAWN, "34") == ["pair:1:3"]
    assert patterns.find_reading(DRAWN, "44", "pair", 1, "3").shown == "33"
    own = rulesets.load("rob-laizi", {"wilds.rank": "4", "wilds.alone": "own"})
    assert names(own, "44") == ["pair:1:4"]
    with pytest.raises(NotACombination, match="pair:1:4"):
        patterns.find_reading(own, "44", "pair", 1, "3")


def test_two_naturals_and_two_wilds_are_a_soft_bomb() -> None:
    """No other reading comes before the bomb."""
    bomb = patterns.readings(DRAWN, "3344")[0]
    assert (bomb.kind, bomb.top, bomb.soft, bomb.pure, bomb.size) == ("bomb", "3", True, False, 4)
    assert bomb.shown == "3333"


def test_a_straight_with_a_wild_has_each_of_its_readings() -> None:
    """Four neighbours and a wild stretch to either side, the higher one unnamed."""
    ruleset = patterns.with_wild(rulesets.load("rob-laizi"), "J")
    assert names(ruleset, "4567J") == ["straight:5:8", "straight:5:7"]


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        ("*TJQKA", {"straight:6:A"}),
        ("*345689", {"straight:7:9"}),
        ("*34568", {"straight:6:8"}),
        ("*3456", {"straight:5:7"}),
        ("*346", set()),
        ("*QQKKA", {"pair_straight:3:A"}),
        ("AA22*", {"triple_pair:1:2", "triple_pair:1:A"}),
        ("*2345", set()),
        ("*JQKA2", set()),
    ],
)
def test_a_wild_never_stretches_a_run_past_its_edge(played: str, expected: set[str]) -> None:
    """A run ends at the ace, and holes are filled before ends are added."""
    for ruleset, wild in ((RED, "*"), (JOKERS, "X"), (JOKERS, "D")):
        assert set(names(ruleset, played.replace("*", wild))) == expected


# --- rulings -------------------------------------------------------------------------------------


def test_soft_below_hard_below_pure_below_rocket() -> None:
    """The ladder of bombs with wilds, and by rank among the soft and among the hard."""
    ladder = ["3334", "5444", "5555", "6666", "4444", "XD"]
    for low, high in itertools.pairwise(ladder):
        assert patterns.beats(DRAWN, high, low), (high, low)
        assert not patterns.beats(DRAWN, low, high), (low, high)
    assert patterns.readings(DRAWN, "4444")[0].pure
    assert names(DRAWN, "4444") == ["bomb:1:4"]


def test_four_wilds_are_the_main_part_of_four_and_two_at_any_rank() -> None:
    """With two other cards four wilds show any rank but theirs."""
    found = patterns.readings(DRAWN, "444489")
    whole = {r.top for r in found if r.main == "4444" and r.kind == "four_two_singles"}
    assert whole == set(slow.NATURAL) - set("89")
    assert not any(r.is_bomb for r in found)


def test_a_wild_kicker_of_a_drawn_rank_is_itself() -> None:
    """It makes no pair with another card, but one with its like."""
    assert names(DRAWN, "33345") == []
    assert "triple_pair:1:3" in names(DRAWN, "33344")
    assert patterns.find_reading(DRAWN, "3334", "triple_single", 1, "3").kickers == "4"


def test_five_of_one_shown_rank_are_nothing() -> None:
    """A bomb is exactly four cards."""
    assert names(DRAWN, "33334") == []
    assert names(RED, "3333*") == []


def test_an_ordinary_reading_may_be_named_where_there_is_a_bomb() -> None:
    """Three equal and a wild are a bomb unnamed, and triple + single on demand."""
    for ruleset, played in ((DRAWN, "3334"), (RED, "333*"), (JOKERS, "333X")):
        assert names(ruleset, played)[0] == "bomb:1:3"
        named = patterns.find_reading(ruleset, played, "triple_single", 1, "3")
        assert not named.is_bomb
        assert patterns.beats(ruleset, "5556", played, as_=named)
        assert not patterns.beats(ruleset, "5556", played)


def test_two_wilds_that_count_as_natural_cards() -> None:
    """A bomb with a wild equals a natural one; a kicker shows what is needed; 7777 is ordinary."""
    for ruleset, wild in ((RED, "*"), (JOKERS, "X")):
        assert not patterns.beats(ruleset, f"444{wild}", "4444")
        assert not patterns.beats(ruleset, "4444", f"444{wild}")
        assert patterns.beats(ruleset, f"555{wild}", "4444")
        assert patterns.beats(ruleset, "5555", f"444{wild}")
        assert "triple_pair:1:3" in names(ruleset, f"3335{wild}")
    seven = patterns.readings(RED, "77**")[0]
    assert (seven.kind, seven.top, seven.soft) == ("bomb", "7", False)
    assert names(RED, "**") == [f"pair:1:{rank}" for rank in reversed(slow.NATURAL)]


def test_red_and_black_sevens_are_equal_alone() -> None:
    """Neither beats the other; both beat a six and lose to an eight."""
    assert names(RED, "*") == ["single:1:7"]
    assert not patterns.beats(RED, "*", "7")
    assert not patterns.beats(RED, "7", "*")
    assert patterns.beats(RED, "*", "6")
    assert patterns.beats(RED, "8", "*")


def test_joker_wilds_are_the_rocket_together_and_themselves_alone() -> None:
    """Two jokers are no pair; as kickers they are two shown ranks; alone they beat a two."""
    assert names(JOKERS, "XD") == ["rocket:1:D"]
    assert names(JOKERS, "X") == ["single:1:X"]
    assert names(JOKERS, "D") == ["single:1:D"]
    assert "four_two_singles:1:4" in names(JOKERS, "4444XD")
    assert patterns.beats(JOKERS, "XD", "222X")


def test_minimal_spending_uses_natural_cards_first() -> None:
    """Wilds stand only for cards that the hand lacks; all spending lists the others too."""
    few = {move.cards for move in patterns.moves(DRAWN, "334")}
    every = {move.cards for move in patterns.moves(DRAWN, "334", spend="all")}
    assert few == {"3", "4", "33", "334"}
    assert every == few | {"34"}
    jokers = {move.cards for move in patterns.moves(JOKERS, "33XD") if move.kind == "triple"}
    assert jokers == {"33X"}


def test_all_spending_contains_the_minimal_one_for_whole_hands() -> None:
    """For hands of twenty cards every minimal move is legal, listed once, and read as listed."""
    rng = random.Random(20)
    for ruleset in (DRAWN, RED, JOKERS):
        deck = cards.format_cards(ruleset.deck_cards)
        for _ in range(2):
            hand = slow.text(Counter(rng.sample(deck, 20)))
            few = patterns.moves(ruleset, hand)
            every = set(patterns.moves(ruleset, hand, spend="all"))
            assert len(set(few)) == len(few)
            assert set(few) <= every
            for move in rng.sample(few, min(60, len(few))):
                assert move in patterns.readings(ruleset, move.cards)


def test_red_sevens_are_dealt_and_written_as_marked_cards() -> None:
    """A deal writes them ``*`` and reads ``*``, ``♥7`` and ``♥*`` alike."""
    rules = load_ruleset("laizi")
    assert rules.deck_text().count("*") == 2
    dealt = dealing.deal(rules, seed=3)
    assert dealt.text().count("*") == 2
    assert dealing.deal_from_text(rules, dealt.text()).text() == dealt.text()
    suits = dealt.text(suits=True)
    again = dealing.deal_from_text(rules, suits.replace("*", "7"))
    assert again.text(suits=True) == suits


# --- objects and rulesets ------------------------------------------------------------------------


def test_moves_with_wilds_say_what_they_count_as() -> None:
    """Cards are what leaves the hand, ``shown`` what the main part counts as; copies keep both."""
    move = patterns.find_reading(DRAWN, "33455", "triple_pair", 1, "5")
    assert (move.cards, move.main, move.shown, move.kickers) == ("33455", "455", "555", "33")
    assert move.notation == "455+33"
    again = pickle.loads(pickle.dumps(move))
    assert again == move
    assert again.shown == "555"
    assert patterns.moves(DRAWN, "666JJ", again.cards, beat_as=again)[0].top == "6"


def test_a_drawn_rank_makes_one_ruleset_for_each_rank() -> None:
    """The same rank gives the same object, so that its table is compiled once."""
    plain = rulesets.load("rob-laizi")
    assert patterns.with_wild(plain, "9") is patterns.with_wild(plain, "9")
    assert patterns.with_wild(plain, "") is plain
    assert patterns.with_wild(RED, "9") is RED
    assert names(plain, "33344") == ["triple_pair:1:3"]
    for rank in ("X", "W", "45"):
        with pytest.raises(RulesetError, match=r"wilds\.rank"):
            patterns.with_wild(plain, rank)


def test_wilds_that_the_kernels_cannot_count_are_refused() -> None:
    """Two decks of wilds, or consecutive kickers beside wilds, are refused by name."""
    deck = msgspec.structs.replace(DRAWN.deck, decks=2)
    with pytest.raises(RulesetError, match=r"wilds\.mode"):
        compile_table(msgspec.structs.replace(DRAWN, deck=deck))


@pytest.mark.parametrize(
    ("ruleset_id", "overrides", "fields"),
    [
        ("classic", {"wilds.rank": "4"}, ("wilds.rank", "wilds.mode")),
        ("rob-laizi", {"wilds.rank": "X"}, ("wilds.rank", "3456789TJQKA2")),
        ("rob-laizi", {"wilds.rank": "44"}, ("wilds.rank", "44")),
        ("laizi", {"wilds.mode": "green7"}, ("wilds.mode", "green7")),
        (
            "laizi",
            {"deck.decks": 2, "deal.hand": 30, "deal.bottom": 18},
            ("wilds.mode", "deck.decks"),
        ),
    ],
)
def test_contradictory_wilds_are_refused_by_name(
    ruleset_id: str, overrides: dict[str, object], fields: tuple[str, str]
) -> None:
    """A wild that cannot be names the field and what contradicts it."""
    with pytest.raises(RulesetError) as caught:
        rulesets.load(ruleset_id, overrides)
    for field in fields:
        assert field in str(caught.value)


def test_a_table_travels_as_its_ruleset() -> None:
    """A compiled table holds an address of its process, so a copy is compiled anew."""
    table = compile_table(DRAWN)
    again = pickle.loads(pickle.dumps(table))
    assert again.words.tolist() == table.words.tolist()
    hand = cards.parse_cards("3344")
    assert sorted(Workspace.own().codes_of(again, hand)) == sorted(
        Workspace.own().codes_of(table, hand)
    )


def test_explanations_know_wilds() -> None:
    """What wilds make legal is legal, and what they do not is told with something near."""
    assert patterns.explain(DRAWN, "489JQ").legal
    found = patterns.explain(DRAWN, "33345")
    assert not found.legal
    assert found.reasons
    assert "333+4" in {move.notation for move in found.nearest}
    assert [r.key for r in patterns.explain(DRAWN, "4666", "5555").reasons] == ["why.weaker_bomb"]
    assert [r.key for r in patterns.explain(DRAWN, "4333", "4666").reasons] == ["why.not_higher"]
    near = patterns.explain(DRAWN, "33356789JQ4").nearest
    assert "456789TJQ" not in {move.cards for move in near}
    assert any(move.shown != move.main for move in near)


def test_a_hand_with_wilds_goes_out_in_its_fewest_plays() -> None:
    """A split of a hand with wilds uses them."""
    rules: Rules = load_ruleset("rob-laizi", {"wilds.rank": "4"})
    assert decompose.turns("489JQ", rules).turns == 1
    assert decompose.turns("33455677", rules).turns == 2
