"""Slow, obvious rules of wild cards: every wild shows every rank, and the plain oracle reads that.

Nothing of the package is imported here. A hand is card text; which of its cards are wild is told by
a :class:`Game`. An *assignment* says what every wild shows (a natural rank, or itself); the shown
cards are read by the rules without wilds, and what remains to be checked is small: what a wild may
be as a kicker and alone, what four equal cards with wilds among them are, and which sets of nothing
but wilds are something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement, product

import oracle

NATURAL = "3456789TJQKA2"
ORDER = "34567*89TJQKA2XD"


@dataclass(frozen=True)
class Game:
    """Which cards are wild, and how they count."""

    wilds: str
    """The letters of wild cards: ``*``, ``XD`` or a rank."""
    soft: bool = False
    """Bombs with wilds are soft, those of wilds alone pure; else both are bombs like others."""
    kickers_any: bool = False
    """A wild kicker shows any rank; else itself."""
    alone_any: bool = True
    """A play of nothing but wilds shows any rank; else only their own."""
    options: oracle.Options = field(default_factory=oracle.Options)

    def own(self, card: str) -> str:
        """What a wild is by itself."""
        return "7" if card == "*" else card


@dataclass(frozen=True, order=True)
class Play:
    """A set of cards with one reading."""

    cards: str
    kind: str
    length: int
    top: str
    soft: bool = False
    pure: bool = False

    @property
    def name(self) -> tuple[str, int, str, bool, bool]:
        return self.kind, self.length, self.top, self.soft, self.pure


def text(cards: Counter[str]) -> str:
    """The card text of a multiset, low to high, a red seven after the black ones."""
    return "".join(rank * cards[rank] for rank in ORDER)


def assignments(cards: str, game: Game) -> Iterator[tuple[Counter[str], Counter[str]]]:
    """Every way for the wilds to show something: what shows itself or is natural, what is shown.

    A wild that is itself stays among the natural cards (a red seven as a seven).
    """
    natural = Counter(card for card in cards if card not in game.wilds)
    wilds = [card for card in cards if card in game.wilds]
    seen = set()
    for kept in product((True, False), repeat=len(wilds)):
        selves = Counter(game.own(c) for c, keep in zip(wilds, kept, strict=True) if keep)
        if text(selves) in seen:
            continue
        seen.add(text(selves))
        for shown in combinations_with_replacement(NATURAL, len(wilds) - selves.total()):
            yield natural + selves, Counter(shown)


@lru_cache(maxsize=200_000)
def shown_readings(cards: str, game: Game) -> frozenset[tuple[Play, str]]:
    """Every play that these cards are, each with the cards that it shows."""
    found: set[tuple[Play, str]] = set()
    natural = [card for card in cards if card not in game.wilds]
    number = len(cards) - len(natural)
    for real, shown in assignments(cards, game):
        if len(cards) == 1 and shown:
            continue  # alone a wild is itself
        whole = oracle.text(real + shown)
        for reading in oracle.readings(whole, game.options):
            main, kickers = Counter(reading.main), Counter(reading.kickers)
            if not game.kickers_any and any(shown[rank] for rank in kickers if rank not in main):
                continue
            soft = pure = False
            if reading.kind == "bomb" and game.soft:
                pure = not natural
                soft = bool(number) and not pure
            if not natural and number > 1 and not may_be_wilds(cards, reading, pure, game):
                continue
            top = game.wilds if pure else reading.top
            play = Play(cards, reading.kind, reading.length, top, soft, pure)
            found.add((play, whole))
    return frozenset(found)


def may_be_wilds(cards: str, reading: oracle.Reading, pure: bool, game: Game) -> bool:
    """Whether nothing but wilds may be read so."""
    if cards == "XD":
        return reading.kind == "rocket"
    if game.soft and len(cards) == 4:
        return pure
    own = {game.own(card) for card in cards}
    return game.alone_any or (own == set(reading.main) and not reading.kickers)


def readings(cards: str, game: Game) -> set[Play]:
    """Every play that these cards are."""
    return {play for play, _ in shown_readings(cards, game)}


def subsets(hand: str) -> Iterator[str]:
    """Every part of a hand that is not empty."""
    held = Counter(hand)
    ranks = [rank for rank in ORDER if held[rank]]
    for numbers in product(*(range(held[rank] + 1) for rank in ranks)):
        if any(numbers):
            yield "".join(rank * n for rank, n in zip(ranks, numbers, strict=True))


def fewest(hand: str, shown: str, game: Game) -> str:
    """The cards that show this with as few wilds as can be, the lower joker first."""
    held = Counter(hand)
    played: Counter[str] = Counter()
    lacking = 0
    for rank, number in Counter(shown).items():
        mine = min(number, held[rank])
        if rank in game.wilds and rank in NATURAL:
            mine = 0  # a card of the wild rank is itself a wild
        played[rank] += mine
        lacking += number - mine
    for card in ORDER:
        if card in game.wilds:
            gone = min(lacking, held[card] - played[card])
            played[card] += gone
            lacking -= gone
    return text(played)


def leads(hand: str, game: Game) -> dict[str, set[Play]]:
    """Every lead of a hand: ``all``, and ``minimal`` where wilds stand for missing cards only."""
    found: dict[str, set[Play]] = {"all": set(), "minimal": set()}
    for cards in subsets(hand):
        for play, shown in shown_readings(cards, game):
            found["all"].add(play)
            if fewest(hand, shown, game) == cards:
                found["minimal"].add(play)
    return found


def shown_leads(hand: str, game: Game) -> set[Play]:
    """The minimal leads of a large hand: every shape of every hand that it can show."""
    found: set[Play] = set()
    for real, shown in assignments(hand, game):
        for lead in oracle.leads(oracle.text(real + shown), game.options):
            cards = fewest(hand, lead.cards, game)
            found |= {
                play
                for play, whole in shown_readings(cards, game)
                if whole == lead.cards and (play.kind, play.length) == (lead.kind, lead.length)
            }
    return found


def strength(play: Play) -> tuple[int, int]:
    """Where a play stands among the bombs; everything that is no bomb stands at zero."""
    if play.kind == "rocket":
        return 4, 0
    if play.kind == "bomb":
        place = 3 if play.pure else 1 if play.soft else 2
        return place, oracle.ORDER.index(play.top)
    return 0, 0


def beats(one: Play, other: Play) -> bool:
    """Whether the first play beats the second."""
    if strength(one) != strength(other):
        return strength(one) > strength(other)
    return (
        (one.kind, one.length, len(one.cards)) == (other.kind, other.length, len(other.cards))
        and strength(one) == (0, 0)
        and oracle.ORDER.index(one.top) > oracle.ORDER.index(other.top)
    )
