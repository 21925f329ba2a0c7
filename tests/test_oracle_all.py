"""Every ruleset against the slow oracles, which were written from the rules page alone.

Hands of the game's own sizes, plain, hardly shuffled and lumpy; small hands one and all; plays that
are one card off; answers to plays of every shape. A bigger run, some minutes:
``DDZ_ORACLE_HANDS=300 pytest tests/test_oracle_all.py``.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import NamedTuple, Protocol

import oracle
import oracle_two_decks as two
import pytest
import wild_oracle as wild

import ddz_core as ddz
from ddz_core import patterns, rulesets

#: Quads, triples and pairs enough for every long shape, several of the same quads among them.
FAT_HAND = "33334444555566667777888899TTJJ22XXDD"
#: Every rank twice; long planes; both ends of the ranks; eight equal.
RICH_HANDS = (
    FAT_HAND,
    "33445566778899TTJJQQKKAA22XXDD",
    "333444555666777888999TTTJJJQQQKKK",
    "333344445555QQQKKKKAAAA2222XXDD",
    "33333333444444445566AAAAAAAA22222222",
)
HANDS = int(os.environ.get("DDZ_ORACLE_HANDS", "10"))
ORDER = oracle.ORDER


class Name(NamedTuple):
    """A set of cards in one reading, in words that both sides use."""

    cards: str
    kind: str
    length: int
    top: str
    second: str = ""
    soft: bool = False
    pure: bool = False


class Slow(Protocol):
    """What an oracle of a game answers."""

    @property
    def deck(self) -> str: ...
    @property
    def sizes(self) -> tuple[int, ...]: ...
    def readings(self, cards: str) -> list[Name]: ...
    def leads(self, hand: str) -> set[Name]: ...
    def beats(self, one: Name, other: Name) -> bool: ...
    def unnamed(self, choices: Iterable[Name]) -> Name: ...


@dataclass(frozen=True)
class OneDeck:
    """The plain family."""

    options: oracle.Options = field(default_factory=oracle.Options)
    hand: int = 17

    @property
    def deck(self) -> str:
        return oracle.text(oracle.deck(self.options))

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.hand, self.options.largest

    def readings(self, cards: str) -> list[Name]:
        found = oracle.readings(cards, self.options)
        return [Name(r.cards, r.kind, r.length, r.top) for r in found]

    def leads(self, hand: str) -> set[Name]:
        return {Name(r.cards, r.kind, r.length, r.top) for r in oracle.leads(hand, self.options)}

    def back(self, name: Name) -> oracle.Reading:
        found = oracle.readings(name.cards, self.options)
        return next(r for r in found if r.name == (name.kind, name.length, name.top))

    def beats(self, one: Name, other: Name) -> bool:
        return oracle.beats(self.back(one), self.back(other))

    def unnamed(self, choices: Iterable[Name]) -> Name:
        best = oracle.unnamed([self.back(name) for name in choices])
        return Name(best.cards, best.kind, best.length, best.top)


@dataclass(frozen=True)
class TwoDecks:
    """The games with two decks."""

    game: two.Game

    @property
    def deck(self) -> str:
        return two.deck()

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.game.hand, self.game.largest

    def readings(self, cards: str) -> list[Name]:
        return [self.name(reading) for reading in two.readings(cards, self.game)]

    def leads(self, hand: str) -> set[Name]:
        return {self.name(reading) for reading in two.leads(hand, self.game)}

    def beats(self, one: Name, other: Name) -> bool:
        return two.beats(self.back(one), self.back(other), self.game)

    def unnamed(self, choices: Iterable[Name]) -> Name:
        return self.name(two.unnamed([self.back(name) for name in choices], self.game))

    @staticmethod
    def name(reading: two.Reading) -> Name:
        return Name(reading.cards, reading.kind, reading.length, reading.top, reading.second)

    @staticmethod
    def back(name: Name) -> two.Reading:
        return two.Reading(name.kind, name.length, name.top, name.cards, name.second)


PLAIN = OneDeck()

SLOW: dict[str, Slow] = {
    "classic": PLAIN,
    "primer": PLAIN,
    "jinyou": OneDeck(oracle.Options(both_jokers=True)),
    "er-da-yi": OneDeck(hand=18),
    "duel-2p": OneDeck(oracle.Options(largest=23), hand=20),
    "local": PLAIN,
    "wuhan": PLAIN,
    "role": PLAIN,
    "jj": PLAIN,
    "dingniu": PLAIN,
    "classic-4p": TwoDecks(two.FOUR_SEATS),
    "jiujiang": TwoDecks(two.FOUR_SEATS),
    "ningbo": TwoDecks(two.FOUR_SEATS),
    "zaozhuang": TwoDecks(two.NO_STRAIGHTS),
    "arena-4p": TwoDecks(two.ARENA),
    "hidden-5p": TwoDecks(two.HIDDEN),
    "emperor": TwoDecks(two.EMPEROR),
}
"""The oracle of every game without wilds."""

WILD: dict[str, list[tuple[dict[str, object], wild.Game]]] = {
    "laizi": [
        ({"wilds.mode": "red7"}, wild.Game("*", kickers_any=True)),
        ({"wilds.mode": "jokers"}, wild.Game("XD", kickers_any=True)),
    ],
    "rob-laizi": [
        ({"wilds.rank": rank}, wild.Game(rank, soft=True)) for rank in ("3", "7", "A", "2")
    ],
}
"""The oracles of every game with wilds, one for each choice of them."""

WILD_GAMES = [
    pytest.param(ruleset_id, overrides, game, id=f"{ruleset_id}-{game.wilds}")
    for ruleset_id, games in WILD.items()
    for overrides, game in games
]


def seen(combination: patterns.Combination) -> Name:
    """What the package says of a reading."""
    return Name(
        combination.cards,
        combination.kind,
        combination.length,
        combination.top,
        combination.second,
        combination.soft,
        combination.pure,
    )


# --- hands ---------------------------------------------------------------------------------------


def plain_hand(rng: random.Random, deck: str, size: int) -> str:
    """Some cards of a well shuffled deck."""
    return oracle.text(Counter(rng.sample(deck, size)))


def packet_hand(rng: random.Random, deck: str, size: int) -> str:
    """The next cards of a sorted deck cut a few times: many equal ones, and neighbours."""
    cuts = sorted(rng.sample(range(1, len(deck)), rng.randint(4, 16)))
    packets = [deck[a:b] for a, b in zip([0, *cuts], [*cuts, len(deck)], strict=True)]
    rng.shuffle(packets)
    start = rng.randint(0, len(deck) - size)
    return oracle.text(Counter("".join(packets)[start : start + size]))


def lumpy_hand(rng: random.Random, deck: str, size: int) -> str:
    """Cards taken rank by rank in lumps, neighbours preferred."""
    held = Counter(deck)
    lumps = (1, 2, 3, 3, 4, 4) if held["3"] == 4 else (1, 2, 2, 3, 3, 4, 4, 5, 6, 8)
    counts: Counter[str] = Counter()
    place = rng.randrange(13)
    while counts.total() < size:
        rank = ORDER[place]
        room = min(held[rank] - counts[rank], size - counts.total())
        counts[rank] += min(rng.choice(lumps), room)
        place = (place + rng.choice((1, 1, 1, 1, 2, 3))) % len(ORDER)
    return oracle.text(counts)


def any_hand(rng: random.Random, deck: str, size: int) -> str:
    """A hand of one of the three sorts."""
    return rng.choice((plain_hand, packet_hand, lumpy_hand))(rng, deck, size)


def all_hands(deck: str, ranks: str, most: int, each: int = 8) -> Iterator[str]:
    """Every hand of up to so many cards of some ranks, no more than ``each`` of one."""
    held = Counter(deck)
    for numbers in product(*(range(min(held[rank], each) + 1) for rank in ranks)):
        if 0 < sum(numbers) <= most:
            yield "".join(rank * n for rank, n in zip(ranks, numbers, strict=True))


def one_card_off(rng: random.Random, cards: str, deck: str) -> str:
    """Cards with one of them gone, one more, or one exchanged, as far as the deck goes."""
    counts = Counter(cards)
    spare = sorted((Counter(deck) - counts).elements())
    change = rng.randrange(3)
    if change != 1 and len(cards) > 1:
        counts[rng.choice(cards)] -= 1
    if change != 0:
        counts[rng.choice(spare)] += 1
    return oracle.text(counts)


# --- checks --------------------------------------------------------------------------------------


@cache
def rules_of(ruleset_id: str) -> rulesets.Ruleset:
    """A ruleset as it is shipped."""
    return rulesets.load(ruleset_id)


def check_list(found: list[patterns.Move], expected: set[Name], where: object) -> None:
    """A list of moves is exactly what the oracle lists, each once."""
    names = [seen(move) for move in found]
    assert len(set(names)) == len(names), where
    assert expected == set(names), (where, expected ^ set(names))


def check_readings(ruleset_id: str, slow: Slow, cards: str) -> None:
    """The readings of some cards are the oracle's, the one taken unnamed first."""
    expected = slow.readings(cards)
    found = [seen(reading) for reading in patterns.readings(rules_of(ruleset_id), cards)]
    assert sorted(expected) == sorted(found), (ruleset_id, cards)
    assert not expected or slow.unnamed(expected) == found[0], (ruleset_id, cards)


def pick(rng: random.Random, leads: Iterable[Name]) -> Name:
    """A play of some, every shape as likely as another."""
    shapes: dict[tuple[str, int], list[Name]] = {}
    for name in sorted(leads):
        shapes.setdefault((name.kind, name.length), []).append(name)
    return rng.choice(shapes[rng.choice(sorted(shapes))])


def check_answers(ruleset_id: str, slow: Slow, hand: str, leads: set[Name], table: Name) -> None:
    """The answers of a hand to a play are the oracle's, and so is whether there is one."""
    ruleset = rules_of(ruleset_id)
    (lies,) = (r for r in patterns.readings(ruleset, table.cards) if seen(r) == table)
    expected = {name for name in leads if slow.beats(name, table)}
    where = (ruleset_id, hand, table)
    check_list(patterns.moves(ruleset, hand, table.cards, beat_as=lies), expected, where)
    able = patterns.can_beat(ruleset, hand, table.cards, beat_as=lies)
    assert bool(expected) == able, where
    for cards in {name.cards for name in sorted(expected)[:12]}:
        taken = slow.unnamed(name for name in expected if name.cards == cards)
        answer = patterns.answer_reading(ruleset, cards, table.cards, beat_as=lies)
        assert taken == seen(answer), (where, cards)


def check_hand(ruleset_id: str, slow: Slow, hand: str, rng: random.Random) -> None:
    """Leads, answers to several plays, and readings of plays and of what is nearly one."""
    leads = slow.leads(hand)
    check_list(patterns.moves(rules_of(ruleset_id), hand), leads, (ruleset_id, hand))
    other = slow.leads(any_hand(rng, slow.deck, len(hand)))
    model = pick(rng, leads)
    alike = [name for name in other if (name.kind, name.length) == (model.kind, model.length)]
    for table in (model, pick(rng, other), pick(rng, alike or leads)):
        check_answers(ruleset_id, slow, hand, leads, table)
    check_readings(ruleset_id, slow, oracle.text(Counter(rng.sample(hand, rng.randint(2, 12)))))
    for _ in range(5):
        play = pick(rng, leads).cards
        check_readings(ruleset_id, slow, play)
        check_readings(ruleset_id, slow, one_card_off(rng, play, slow.deck))


# --- the oracle of two decks against itself ------------------------------------------------------


@pytest.mark.parametrize("game", [s.game for s in SLOW.values() if isinstance(s, TwoDecks)])
def test_oracle_of_two_decks_builds_every_shape_that_it_reads(game: two.Game) -> None:
    """Building the plays of a hand and reading every part of it give the same."""
    rng = random.Random(str(game))
    for _ in range(12):
        start = rng.randrange(12)
        ranks = {*rng.sample(ORDER, 3), *two.LOW[start : start + 3]}
        pool = [card for card in two.deck() if card in ranks]
        hand = two.text(Counter(rng.sample(pool, rng.randint(4, 18))))
        assert two.leads_by_subsets(hand, game) == two.leads(hand, game), hand


# --- every ruleset -------------------------------------------------------------------------------


def test_every_ruleset_has_an_oracle() -> None:
    """No game is without a slow counterpart, and none has two."""
    assert sorted(ddz.ruleset_ids()) == sorted([*SLOW, *WILD])


@pytest.mark.parametrize("ruleset_id", SLOW)
def test_deck_and_largest_hand_are_those_of_the_page(ruleset_id: str) -> None:
    """The cards of the game are the oracle's, and the longest runs are as long as its."""
    slow = SLOW[ruleset_id]
    assert slow.deck == ddz.load_ruleset(ruleset_id).deck_text()
    ranks = two.NATURAL
    for sizes in ((1,), (2,), (3,), (3, 1), (3, 2), (4,), (4, 3), (4, 3, 2)):
        for length in range(1, len(ranks) // len(sizes) + 1):
            parts = [ranks[i * length : (i + 1) * length] for i in range(len(sizes))]
            each = zip(sizes, parts, strict=True)
            cards = "".join(rank * size for size, part in each for rank in part)
            check_readings(ruleset_id, slow, cards)


@pytest.mark.parametrize("ruleset_id", SLOW)
def test_small_hands_one_and_all(ruleset_id: str) -> None:
    """Every hand of up to five cards of six telling ranks has the oracle's leads and readings."""
    slow = SLOW[ruleset_id]
    rng = random.Random(ruleset_id)
    for hand in all_hands(slow.deck, "34A2XD", 5):
        leads = slow.leads(hand)
        check_list(patterns.moves(rules_of(ruleset_id), hand), leads, (ruleset_id, hand))
        check_readings(ruleset_id, slow, hand)
        table = pick(rng, slow.leads(any_hand(rng, slow.deck, 8)))
        check_answers(ruleset_id, slow, hand, leads, table)


@pytest.mark.parametrize("ruleset_id", SLOW)
def test_sets_around_the_ace_and_the_two_one_and_all(ruleset_id: str) -> None:
    """Every set of up to four each of 3, K, A, 2 and the jokers has the oracle's readings."""
    slow = SLOW[ruleset_id]
    for cards in all_hands(slow.deck, "3KA2XD", 12, each=4):
        check_readings(ruleset_id, slow, cards)


@pytest.mark.parametrize("ruleset_id", SLOW)
def test_hands_of_the_game(ruleset_id: str) -> None:
    """Hands as they are dealt and with the bottom: leads, answers and readings."""
    slow = SLOW[ruleset_id]
    rng = random.Random(ruleset_id)
    for _ in range(HANDS):
        for size in slow.sizes:
            check_hand(ruleset_id, slow, any_hand(rng, slow.deck, size), rng)


@pytest.mark.parametrize("ruleset_id", [r for r, s in SLOW.items() if isinstance(s, TwoDecks)])
def test_rich_hands_answer_every_shape(ruleset_id: str) -> None:
    """Hands rich in long shapes lead what they should, and answer a play of each of those."""
    slow = SLOW[ruleset_id]
    rng = random.Random(ruleset_id)
    for rich in RICH_HANDS:
        hand = oracle.text(Counter(rich) & Counter(slow.deck))
        leads = slow.leads(hand)
        check_list(patterns.moves(rules_of(ruleset_id), hand), leads, (ruleset_id, hand))
        shapes: dict[tuple[str, int], list[Name]] = {}
        for name in sorted(leads):
            shapes.setdefault((name.kind, name.length), []).append(name)
        for names in shapes.values():
            check_answers(ruleset_id, slow, hand, leads, rng.choice(names[: len(names) // 2 + 1]))


@pytest.mark.parametrize("ruleset_id", SLOW)
def test_plays_of_every_shape_against_each_other(ruleset_id: str) -> None:
    """Of plays of every shape that some hands hold, exactly the oracle's couples beat."""
    slow = SLOW[ruleset_id]
    rng = random.Random(ruleset_id)
    shapes: dict[tuple[str, int, int], set[Name]] = {}
    hands = [lumpy_hand(rng, slow.deck, slow.sizes[1]) for _ in range(HANDS)]
    hands += [plain_hand(rng, slow.deck, slow.sizes[1]) for _ in range(HANDS)]
    hands.append(oracle.text(Counter(FAT_HAND) & Counter(slow.deck)))
    for hand in hands:
        for name in slow.leads(hand):
            shapes.setdefault((name.kind, name.length, len(name.cards)), set()).add(name)
    plays: list[str] = []
    for (kind, _, _), names in sorted(shapes.items()):
        number = 8 if kind == "spaceship" else 2  # the same quads with other triples compare too
        plays += [name.cards for name in rng.sample(sorted(names), min(number, len(names)))]
    plays += [cards for cards in all_hands(slow.deck, "XD", 4) if slow.readings(cards)]
    ruleset = rules_of(ruleset_id)
    rows = [row.id for row in (*ruleset.kinds_in_force(), *ruleset.ladder_in_force())]
    of_a_kind = {reading.kind for play in plays for reading in slow.readings(play)}
    assert set(rows) == of_a_kind, "a kind of the game is never met, or not in the game"
    for one, other in product(plays, repeat=2):
        table = slow.unnamed(slow.readings(other))
        expected = any(slow.beats(reading, table) for reading in slow.readings(one))
        assert expected == patterns.beats(ruleset, one, other), (ruleset_id, one, other)


# --- the games with wilds ------------------------------------------------------------------------


def wild_name(play: wild.Play) -> Name:
    """A play of the wild oracle in common words."""
    return Name(play.cards, play.kind, play.length, play.top, "", play.soft, play.pure)


def wild_deck(ruleset: rulesets.Ruleset, game: wild.Game) -> tuple[str, str]:
    """The natural cards and the wilds of a deck."""
    deck = oracle.text(oracle.deck(oracle.Options()))
    if game.wilds == "*":
        return deck.replace("77", "", 1), "**"
    wilds = "".join(card for card in deck if card in game.wilds)
    return "".join(card for card in deck if card not in game.wilds), wilds


def check_wild(
    rng: random.Random, hand: str, ruleset: rulesets.Ruleset, game: wild.Game
) -> dict[str, set[wild.Play]]:
    """Leads in both ways of spending, and readings of parts, are the oracle's."""
    expected = wild.leads(hand, game)
    for spend, plays in expected.items():
        found = patterns.moves(ruleset, hand, spend=spend)
        check_list(found, set(map(wild_name, plays)), (hand, game.wilds, spend))
    parts = list(wild.subsets(hand))
    for part in [hand, *rng.sample(parts, min(6, len(parts)))]:
        found = [seen(reading) for reading in patterns.readings(ruleset, part)]
        assert sorted(map(wild_name, wild.readings(part, game))) == sorted(found), part
    return expected


@pytest.mark.parametrize(("ruleset_id", "overrides", "game"), WILD_GAMES)
def test_small_hands_with_wilds_one_and_all(
    ruleset_id: str, overrides: dict[str, object], game: wild.Game
) -> None:
    """Every hand of up to four cards of wilds and a few telling ranks has the oracle's leads."""
    ruleset = rulesets.load(ruleset_id, overrides)
    natural, wilds = wild_deck(ruleset, game)
    rng = random.Random(game.wilds)
    ranks = "".join(rank for rank in "47A2XD" if rank not in game.wilds)
    for cards in ["", *all_hands(natural, ranks, 3)]:
        for number in range(len(wilds) + 1):
            for mine in {wilds[:number], wilds[len(wilds) - number :]}:
                if 0 < len(cards) + number <= 4:
                    check_wild(rng, wild.text(Counter(cards + mine)), ruleset, game)


@pytest.mark.parametrize(("ruleset_id", "overrides", "game"), WILD_GAMES)
def test_hands_with_wilds_lead_and_answer(
    ruleset_id: str, overrides: dict[str, object], game: wild.Game
) -> None:
    """Lumpy hands with wilds lead and answer what trying every rank finds."""
    ruleset = rulesets.load(ruleset_id, overrides)
    natural, wilds = wild_deck(ruleset, game)
    rng = random.Random(game.wilds)
    for _ in range(max(2, HANDS // 8)):
        hands = []
        for most in (9, 7):
            number = rng.randint(0, len(wilds))
            mine = rng.sample(wilds, number)
            lumps = lumpy_hand(rng, natural, rng.randint(3, most) + 3)
            size = min(len(lumps), rng.randint(max(1, 2 - number), most - number))
            hands.append(wild.text(Counter([*rng.sample(lumps, size), *mine])))
        hand, other = hands
        leads = check_wild(rng, hand, ruleset, game)
        tables = sorted(wild.leads(other, game)["all"])
        for table in rng.sample(tables, min(4, len(tables))):
            read = patterns.readings(ruleset, table.cards)
            lies = next(r for r in read if seen(r) == wild_name(table))
            for spend, plays in leads.items():
                found = patterns.moves(ruleset, hand, table.cards, beat_as=lies, spend=spend)
                over = {wild_name(play) for play in plays if wild.beats(play, table)}
                check_list(found, over, (hand, table, spend))


@pytest.mark.parametrize(("ruleset_id", "overrides", "game"), WILD_GAMES)
def test_hands_of_the_game_with_wilds(
    ruleset_id: str, overrides: dict[str, object], game: wild.Game
) -> None:
    """Hands of full size, with no wild and with some, lead what all that they can show lead."""
    ruleset = rulesets.load(ruleset_id, overrides)
    natural, wilds = wild_deck(ruleset, game)
    rng = random.Random(game.wilds)
    for turn in range(max(2, HANDS // 16)):
        size = (17, 20)[turn % 2]
        for number in (0, 1) if HANDS < 100 else (0, 1, 2):
            cards = any_hand(rng, natural, size - number) + "".join(rng.sample(wilds, number))
            hand = wild.text(Counter(cards))
            expected = set(map(wild_name, wild.shown_leads(hand, game)))
            check_list(patterns.moves(ruleset, hand), expected, (hand, game.wilds))
