"""Every worked example of the source documents for the classic family, named after its place.

Documents: 000 the encyclopedia entry (its own rules, and its part on the usual game), 001 the
beginners' article, 003 the overview of regional games (I.1 and Wuhan).  Some names below carry the
number and the section.
"""

from __future__ import annotations

import pytest

import ddz_core as ddz

FAMILY = ("classic", "primer", "jinyou", "wuhan")


def shape(cards: str, ruleset: str) -> tuple[str, int, str]:
    """Kind, length and top of the unnamed reading."""
    reading = ddz.load_ruleset(ruleset).readings(cards)[0]
    return reading.kind, reading.length, reading.top


# --- 000, the usual game, and 003 I.1: the thirteen kinds ----------------------------------------

THIRTEEN = [
    ("3", ("single", 1, "3")),
    ("D", ("single", 1, "D")),
    ("33", ("pair", 1, "3")),
    ("22", ("pair", 1, "2")),
    ("6668", ("triple_single", 1, "6")),
    ("QQQ66", ("triple_pair", 1, "Q")),
    ("89TJQ", ("straight", 5, "Q")),
    ("TTJJQQKK", ("pair_straight", 4, "K")),
    ("444555", ("plane", 2, "5")),
    ("77788836", ("plane_singles", 2, "8")),
    ("88899944JJ", ("plane_pairs", 2, "9")),
    ("777888X2", ("plane_singles", 2, "8")),
    ("7778882233", ("plane_pairs", 2, "8")),
    ("666689", ("four_two_singles", 1, "6")),
    ("JJJJ99QQ", ("four_two_pairs", 1, "J")),
    ("5555", ("bomb", 1, "5")),
    ("XD", ("rocket", 1, "D")),
]


@pytest.mark.parametrize(("cards", "expected"), THIRTEEN)
@pytest.mark.parametrize("ruleset", FAMILY)
def test_000_usual_game_and_003_i_1_the_thirteen_kinds(
    ruleset: str, cards: str, expected: tuple[str, int, str]
) -> None:
    """Each example of the thirteen kinds is that kind, in all four games."""
    assert expected == shape(cards, ruleset)


@pytest.mark.parametrize("cards", ["333444677", "777888XD44", "3334445566K", "AA22", "KKKAAA222"])
def test_000_usual_game_what_is_not_legal(cards: str) -> None:
    """Singles and pairs never mix as kickers, jokers are no pair, a 2 is in no chain."""
    kinds = {c.kind for c in ddz.load_ruleset("classic").readings(cards)}
    assert set() == kinds


@pytest.mark.parametrize(
    ("play", "table", "allowed"),
    [
        ("9993", "888A", True),
        ("QQQ66", "TTTKK", True),
        ("TTTKK", "QQQ66", False),
        ("5555", "JJJJ99QQ", True),
        ("3333", "666689", True),
        ("JJJJ99QQ", "666689", False),
        ("777789", "555533QQ", False),
        ("777789", "666689", True),
        ("XD", "2222", True),
        ("2222", "XD", False),
        ("777789", "45678T", False),
        ("5557", "3339", True),
        ("KKKJ", "5557", True),
        ("AAA3", "KKKJ", True),
    ],
)
@pytest.mark.parametrize("ruleset", FAMILY)
def test_000_usual_game_comparisons(ruleset: str, play: str, table: str, allowed: bool) -> None:
    """The comparisons that the document works out hold, in all four games."""
    if not ddz.load_ruleset(ruleset).readings(table):
        with pytest.raises(ddz.NotACombination):
            ddz.load_ruleset(ruleset).beats(play, table)
    else:
        assert allowed == ddz.load_ruleset(ruleset).beats(play, table)


def test_000_usual_game_two_bombs_and_a_rocket_pay_24() -> None:
    """Bid 3, two bombs and a rocket: each farmer pays 24, 48 in all, or gets as much."""
    rules = ddz.load_ruleset("classic")
    bombs = ["5555", "7777", "XD"]
    won = rules.score(landlords=[0], bid=3, out=0, plays=[9, 3, 2], bombs=bombs)
    assert [48, -24, -24] == list(won.points)  # 2 · 3 · 2³ = 48
    for farmer in (1, 2):
        lost = rules.score(landlords=[0], bid=3, out=farmer, plays=[9, 3, 2], bombs=bombs)
        assert [-48, 24, 24] == list(lost.points)


@pytest.mark.parametrize("bid", [1, 2, 3])
@pytest.mark.parametrize("ruleset", FAMILY)
def test_000_basic_scoring_without_bombs(ruleset: str, bid: int) -> None:
    """Without a bomb the landlord wins or loses twice the bid, each farmer once the bid."""
    rules = ddz.load_ruleset(ruleset)
    for landlord in range(3):
        farmers = [seat for seat in range(3) if seat != landlord]
        for out in range(3):
            sign = 1 if out == landlord else -1
            ledger = rules.score(landlords=[landlord], bid=bid, out=out, plays=[5, 4, 3], bombs=[])
            assert sign * 2 * bid == ledger.points[landlord]
            assert [-sign * bid] * 2 == [ledger.points[seat] for seat in farmers]


# --- 000, the entry's own game -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("3334", ("triple_single", 1, "3")),
        ("33344", ("triple_pair", 1, "3")),
        ("34567", ("straight", 5, "7")),
        ("334455", ("pair_straight", 3, "5")),
        ("333444555", ("plane", 3, "5")),
        ("3334445566", ("plane_pairs", 2, "4")),
        ("333444555678", ("plane_singles", 3, "5")),
        ("555538", ("four_two_singles", 1, "5")),
        ("44445577", ("four_two_pairs", 1, "4")),
        ("5555XD", ("four_two_singles", 1, "5")),
    ],
)
def test_000_basic_rules_examples(cards: str, expected: tuple[str, int, str]) -> None:
    """Each example of the entry's own list is its kind; any two singles go with a four."""
    assert expected == shape(cards, "jinyou")


def test_000_scoring_spring_doubles() -> None:
    """The landlord goes out and neither farmer played a card: doubled; the reverse is not named."""
    rules = ddz.load_ruleset("jinyou")
    spring = rules.score(landlords=[0], bid=2, out=0, plays=[6, 0, 0], bombs=[])
    assert [8, -4, -4] == list(spring.points)  # 2 · 2 · 2
    played = rules.score(landlords=[0], bid=2, out=0, plays=[6, 1, 0], bombs=[])
    assert [4, -2, -2] == list(played.points)
    reverse = rules.score(landlords=[0], bid=2, out=1, plays=[1, 6, 2], bombs=[])
    assert [-4, 2, 2] == list(reverse.points)


@pytest.mark.parametrize("one", [1, 2, 4, 8])
@pytest.mark.parametrize("other", [1, 2, 4, 8])
def test_000_special_rules_each_farmer_raises_its_own_result(one: int, other: int) -> None:
    """A farmer's factor multiplies its own gain or loss; the landlord settles the sum."""
    rules = ddz.load_ruleset("jinyou")
    for out, sign in ((0, 1), (1, -1)):
        ledger = rules.score(
            landlords=[0], bid=3, out=out, plays=[7, 4, 4], bombs=["5555"], factor=[1, one, other]
        )
        assert [sign * 6 * (one + other), -sign * 6 * one, -sign * 6 * other] == list(ledger.points)


def test_000_the_table_warns_at_two_and_one() -> None:
    """A seat with two cards or one is announced, in every game by default."""
    for ruleset in FAMILY:
        assert [2, 1] == list(ddz.load_ruleset(ruleset).ruleset.play.alarm)


# --- 001, the beginners' article -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("2222", ("bomb", 1, "2")),
        ("QQQQ", ("bomb", 1, "Q")),
        ("222", ("triple", 1, "2")),
        ("AAA", ("triple", 1, "A")),
        ("666", ("triple", 1, "6")),
        ("888", ("triple", 1, "8")),
        ("2223", ("triple_single", 1, "2")),
        ("AAAJ", ("triple_single", 1, "A")),
        ("6669", ("triple_single", 1, "6")),
        ("22233", ("triple_pair", 1, "2")),
        ("AAAJJ", ("triple_pair", 1, "A")),
        ("345678", ("straight", 6, "8")),
        ("789TJQ", ("straight", 6, "Q")),
        ("3456789TJQKA", ("straight", 12, "A")),
        ("778899", ("pair_straight", 3, "9")),
        ("445566", ("pair_straight", 3, "6")),
        ("33445566778899TTJJQQ", ("pair_straight", 10, "Q")),
        ("333444", ("plane", 2, "4")),
        ("555666777", ("plane", 3, "7")),
        ("888999TTTJJJQQQKKK", ("plane", 6, "K")),
        ("888857", ("four_two_singles", 1, "8")),
        ("JJJJ77", ("four_two_singles", 1, "J")),
        ("2222QQAA", ("four_two_pairs", 1, "2")),
        ("444555", ("plane", 2, "5")),
        ("33344456", ("plane_singles", 2, "4")),
        ("77788834", ("plane_singles", 2, "8")),
        ("TTTJJJQQQ335577", ("plane_pairs", 3, "Q")),
        ("6667778883399JJ", ("plane_pairs", 3, "8")),
    ],
)
def test_001_kinds_and_sizes_examples(cards: str, expected: tuple[str, int, str]) -> None:
    """Each example of the article is the kind it illustrates."""
    assert expected == shape(cards, "primer")


@pytest.mark.parametrize(
    ("play", "table", "allowed"),
    [
        ("4444", "3333", True),
        ("2222", "AAAA", True),
        ("4", "3", True),
        ("44", "33", True),
        ("10", "9", True),
        ("6669", "6667", False),
        ("777", "6669", False),
        ("7779", "666", False),
        ("456789", "345678", True),
        ("45678", "345678", False),
        ("666777", "444555", True),
        ("66677734", "444555", False),
        ("XD", "6667778883399JJ", True),
        ("3333", "888857", True),
    ],
)
def test_001_same_kind_must_be_followed(play: str, table: str, allowed: bool) -> None:
    """Only the same kind with as many cards follows, bombs and the rocket aside."""
    assert allowed == ddz.load_ruleset("primer").beats(play, table)


def test_001_longest_chains() -> None:
    """A straight has at most twelve cards, a pair straight ten pairs, a plane six triples."""
    moves = ddz.load_ruleset("primer").moves("333344445555666677778888999TTTJJJQQQKKKAAA")
    longest = {
        kind: max(move.length for move in moves if move.kind == kind)
        for kind in ("straight", "pair_straight", "plane")
    }
    assert {"straight": 12, "pair_straight": 10, "plane": 6} == longest


def test_001_bidding_after_a_two_only_three_or_pass() -> None:
    """After a 2 the next seat may only bid 3 or pass."""
    asked = ddz.load_ruleset("primer").bidding([2], first=0)
    assert ("ask", 1) == (asked.status, asked.seat)
    assert {"pass", "3"} == {str(call) for call in asked.legal}


def test_001_three_passes_are_dealt_again() -> None:
    """When all three decline, cards are dealt again."""
    assert "redeal" == ddz.load_ruleset("primer").bidding(["pass"] * 3, first=2).status


def test_001_bombs_and_the_rocket_double_the_stake() -> None:
    """Each bomb and the rocket doubles the stake when it is played."""
    rules = ddz.load_ruleset("primer")
    ledger = rules.score(
        landlords=[1], bid=3, out=1, plays=[3, 8, 3], bombs=["3333", "XD"], stake=5
    )
    assert [-60, 120, -60] == list(ledger.points)  # 5 · 3 · 2 · 2 = 60


@pytest.mark.parametrize("ruleset", FAMILY)
def test_001_cards_of_the_deal(ruleset: str) -> None:
    """Seventeen cards each and three bottom cards; the landlord then holds twenty."""
    rules = ddz.load_ruleset(ruleset)
    deal = ddz.deal(rules, seed=5)
    assert [17, 17, 17, 3] == [len(part) for part in (*deal.hands, deal.bottom)]
    assert 54 == len(rules.deck_text())


# --- 003, Wuhan ----------------------------------------------------------------------------------


def test_003_wuhan_all_pass_first_speaker_plays_the_lowest() -> None:
    """When nobody bids, the first speaker is landlord at 1."""
    for first in range(3):
        bidding = ddz.load_ruleset("wuhan").bidding(["pass"] * 3, first=first)
        assert ("landlord", first, 1) == (bidding.status, bidding.seat, bidding.contract)


def test_003_wuhan_one_bid_each_highest_is_landlord() -> None:
    """Everybody bids once; the highest bid plays at its number."""
    rules = ddz.load_ruleset("wuhan")
    bidding = rules.bidding([1, 2, "pass"], first=1)
    assert ("landlord", 2, 2) == (bidding.status, bidding.seat, bidding.contract)
    bidding = rules.bidding(["pass", "pass", 1], first=1)
    assert ("landlord", 0, 1) == (bidding.status, bidding.seat, bidding.contract)


# --- 000 and 003 I.1: the auction goes round ------------------------------------------------------


def test_000_usual_game_auction_goes_on_until_two_pass() -> None:
    """A bid is followed by two passes before the auction ends; a 3 ends it at once."""
    rules = ddz.load_ruleset("classic")
    assert "ask" == rules.bidding(["pass", "pass", 1], first=0).status
    over = rules.bidding(["pass", "pass", 1, "pass", "pass"], first=0)
    assert ("landlord", 2, 1) == (over.status, over.seat, over.contract)
    assert "redeal" == rules.bidding(["pass", "pass", "pass"], first=0).status
    three = rules.bidding([3], first=1)
    assert ("landlord", 1, 3) == (three.status, three.seat, three.contract)
