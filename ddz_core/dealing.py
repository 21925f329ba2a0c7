"""Deals: physical cards shuffled from a seed, or set by hand, and their one text form.

Layer 1. A deal is the only place that knows suits. One call of a numpy generator on a seeded PCG64
shuffles the whole pack; the cards then lie in order: the hands seat by seat, the bottom, the dead
cards. The card shown while dealing, the first to speak and a drawn wild rank come from the same
generator, in that order, so that games with the same pack deal the same cards from one seed. A
redeal is the next ``number`` of the same seed.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ddz_core import cards
from ddz_core.cards import Card
from ddz_core.display import Tabular
from ddz_core.errors import DdzError, HandError, NotationError, no_rules
from ddz_core.specs import Ruleset
from ddz_core.suits import read_suits as read_suits  # callers read suits of deals
from ddz_core.suits import told_face_up

if TYPE_CHECKING:
    from ddz_core.rules import Rules

AnyRules: TypeAlias = "Ruleset | Rules"
"""The rules of one game, as plain data or with everything that can be asked of them."""

LARGEST_SEED = 2**64 - 1
DRAWN_SEEDS = 1_000_000_000
"""A seed that is drawn has at most nine digits, so that people can copy it."""

MOST_TEXT = 2_000
"""No text of a deal is longer: two packs with suits have some 350 characters."""


def plain_rules(rules: AnyRules) -> Ruleset:
    """Return the plain ruleset behind what was given as rules; DdzError if it is none."""
    if not isinstance(found := getattr(rules, "ruleset", rules), Ruleset):
        raise no_rules(rules)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Tabular):
    """All cards of a deal and where they lie before anybody speaks.

    Attributes:
        hands: physical cards of each seat, in playing order, each hand low to high.
        bottom: the cards that the landlord takes, low to high.
        dead: cards that nobody gets.
        first: the seat that speaks first.
        face_up: the card shown while dealing and the seat that got it, or None.
        wild: the rank that is wild once the landlord is known, or empty.
        draws: for each seat the cards that a landlord would draw from it; empty where none draws.
        seed: where the deal comes from; None for one that was set by hand.
        number: how many deals of this seed came before (a redeal is the next number).
    """

    hands: tuple[tuple[Card, ...], ...]
    bottom: tuple[Card, ...] = ()
    dead: tuple[Card, ...] = ()
    first: int = 0
    face_up: tuple[Card, int] | None = None
    wild: str = ""
    draws: tuple[tuple[Card, ...], ...] = ()
    seed: int | None = None
    number: int = 0

    @property
    def twin(self) -> Card | None:
        """The card with rank and suit of the one shown, out of the other deck; None without one."""
        if self.face_up is None:
            return None
        shown = self.face_up[0]
        parts = (*self.hands, self.bottom, self.dead)
        return next(
            (
                card
                for part in parts
                for card in part
                if (card.lane, card.suit) == (shown.lane, shown.suit) and card != shown
            ),
            None,
        )

    @property
    def face_up_text(self) -> str:
        """The card shown and the seat that got it, such as ``♠9@2``, or nothing."""
        if self.face_up is None:
            return ""
        card, seat = self.face_up
        return f"{card}@{seat}" if self.twin is not None else str(card)

    @property
    def draws_text(self) -> str:
        """The cards that a landlord would draw from each seat, with suits."""
        return "/".join("".join(map(str, part)) for part in self.draws)

    @property
    def seats(self) -> int:
        """The number of hands."""
        return len(self.hands)

    def text(self, *, suits: bool = False) -> str:
        """Return the deal as ``hand/hand/…|bottom|dead``, empty parts at the end left off.

        Args:
            suits: write the suit before each rank.
        """
        parts = ["/".join(_written(hand, suits) for hand in self.hands)]
        parts += [_written(self.bottom, suits), _written(self.dead, suits)]
        return "|".join(parts).rstrip("|")

    def __str__(self) -> str:
        return self.text()


def _written(part: Sequence[Card], suits: bool) -> str:
    """Return cards as text, low to high."""
    return "".join(map(str, part)) if suits else cards.format_cards(cards.from_cards(part))


_RED_SEVENS = ((cards.LANE["7"], cards.SUITS.index("♥")), (cards.LANE["7"], cards.SUITS.index("♦")))


@cache
def _pack(decks: int, ranks: str, *, marked: bool) -> tuple[Card, ...]:
    """Return every physical card of a game, deck by deck, rank by rank, suit by suit."""
    return tuple(
        Card(cards.MARKED if marked and (lane, suit) in _RED_SEVENS else lane, suit, copy)
        for copy in range(decks)
        for lane in map(cards.LANE.__getitem__, ranks)
        for suit in range(1 if lane >= cards.SMALL_JOKER else 4)
    )


def pack_of(rules: AnyRules) -> tuple[Card, ...]:
    """Return every physical card of a game in a fixed order; wild red sevens are marked."""
    ruleset = plain_rules(rules)
    deck = ruleset.deck
    return _pack(deck.decks, deck.ranks, marked=ruleset.wilds.mode == "red7")


def check_seed(seed: object) -> int:
    """Return a seed that can be used.

    Raises:
        DdzError: if it is no whole number from 0 to 2**64 - 1.
    """
    whole = int(seed) if isinstance(seed, (int, np.integer)) else -1
    if isinstance(seed, bool) or not 0 <= whole <= LARGEST_SEED:
        raise DdzError(
            f"seed: expected a whole number from 0 to {LARGEST_SEED}, got {seed!r}",
            key="error.deal.seed",
            field="seed",
            expected=f"0–{LARGEST_SEED}",
            got=seed,
        )
    return whole


def deal(rules: AnyRules, seed: int | None = None, number: int = 0) -> Deal:
    """Deal all cards of a game; the same seed and number give the same deal on every machine.

    Args:
        rules: the game.
        seed: 0 to 2**64 - 1; None draws one, which the deal then shows.
        number: which deal of this seed; a redeal is the next one.

    Raises:
        DdzError: if seed or number cannot be used.
    Cost: about 50 microseconds.
    """
    ruleset = plain_rules(rules)
    seed = secrets.randbelow(DRAWN_SEEDS) if seed is None else check_seed(seed)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**32:
        raise DdzError(
            f"number: expected a whole number from 0, got {number!r}",
            key="error.deal.number",
            field="number",
            expected="0, 1, 2 …",
            got=number,
        )
    rng = _generator(seed, number)
    pack = pack_of(ruleset)
    shuffled = [pack[i] for i in rng.permutation(len(pack))]
    spec = ruleset.deal
    dealt = spec.seats * spec.hand
    hands = tuple(
        tuple(sorted(shuffled[seat * spec.hand : (seat + 1) * spec.hand]))
        for seat in range(spec.seats)
    )
    face_up = None
    if spec.face_up != "none":
        places = [
            i for i in range(dealt) if spec.face_up == "any" or shuffled[i].lane < cards.SMALL_JOKER
        ]
        place = places[int(rng.integers(len(places)))]
        face_up = (shuffled[place], place // spec.hand)
    return Deal(
        hands=hands,
        bottom=tuple(sorted(shuffled[dealt : dealt + spec.bottom])),
        dead=tuple(sorted(shuffled[dealt + spec.bottom :])),
        first=_first(ruleset, rng, face_up, seed, number),
        face_up=face_up,
        wild=drawn_wild(ruleset, rng),
        draws=drawn_cards(ruleset, rng, hands),
        seed=seed,
        number=number,
    )


def _generator(seed: int, number: int) -> np.random.Generator:
    """Return the generator of one deal."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(number,))))


def _first(
    ruleset: Ruleset,
    rng: np.random.Generator,
    face_up: tuple[Card, int] | None,
    seed: int,
    number: int,
) -> int:
    """Return the seat that speaks first."""
    if ruleset.auction.first == "face_up" and face_up is not None:
        return face_up[1]
    seats = ruleset.deal.seats
    if ruleset.auction.first == "rotate":
        start = int(_generator(seed, 2**32).integers(seats))
        return (start + number) % seats
    return int(rng.integers(seats))


def drawn_wild(ruleset: Ruleset, rng: np.random.Generator) -> str:
    """Return the wild rank of the deal, drawn where it is not fixed; empty where there is none."""
    if ruleset.wilds.mode != "rank":
        return ""
    natural = [rank for rank in ruleset.deck.ranks if cards.LANE[rank] < cards.SMALL_JOKER]
    return ruleset.wilds.rank or natural[int(rng.integers(len(natural)))]


def drawn_cards(
    ruleset: Ruleset, rng: np.random.Generator, hands: Sequence[tuple[Card, ...]]
) -> tuple[tuple[Card, ...], ...]:
    """Return the cards that a landlord would draw from each seat, each equally likely."""
    number = ruleset.deal.draw
    if not number:
        return ()
    return tuple(
        tuple(sorted(hand[int(i)] for i in rng.choice(len(hand), number, replace=False)))
        for hand in hands
    )


def parted(
    held: Sequence[Card], part: cards.Hand, known: Sequence[Card], shown: Card | None
) -> tuple[tuple[Card, ...], frozenset[Card]]:
    """Split physical cards into those kept and those that leave when a play names only ranks.

    Of equal cards those that everybody knows of leave first (``known``, then ``shown``), and the
    twin of ``shown`` last, so that a play tells as little as it can.

    Returns:
        The cards kept, in their order, and those gone.
    """
    need = list(cards.counts_of(part))
    gone = []

    def order(card: Card) -> int:
        if card in known:
            return 0
        if card == shown:
            return 1
        return 3 if shown and (card.lane, card.suit) == (shown.lane, shown.suit) else 2

    for card in sorted(held, key=order):
        if need[card.lane]:
            need[card.lane] -= 1
            gone.append(card)
    out = frozenset(gone)
    return tuple(card for card in held if card not in out), out


def same(one: Deal, other: Deal) -> bool:
    """Tell whether two deals lie alike, whichever deck a card comes from; seeds do not count."""

    def told(deal: Deal) -> tuple[object, ...]:
        parts = [*deal.hands, deal.bottom, deal.dead]
        faces = [sorted((card.lane, card.suit) for card in part) for part in parts]
        return faces, deal.first, deal.face_up_text, deal.wild, deal.draws_text

    return told(one) == told(other)


def redeal(rules: AnyRules, before: Deal) -> Deal:
    """Return the deal after a given one: the next number of its seed, or a fresh seed."""
    if before.seed is None:
        return deal(rules)
    return deal(rules, before.seed, before.number + 1)


def deal_from_text(
    rules: AnyRules,
    text: str,
    *,
    first: int | None = None,
    face_up: str | None = None,
    wild: str = "",
    draws: str = "",
    seed: int | None = None,
    number: int = 0,
) -> Deal:
    """Read a deal set by hand, ``hand/hand/…|bottom|dead``, and check that it can exist.

    A suit may stand before a rank (``♠9``). Cards without one get the suits that are left, in a
    fixed order, so that the same text is always the same deal. What chance decides and is not
    told (a wild rank, cards to be drawn) follows from the text alone, too.

    Args:
        rules: the game.
        text: all hands in playing order, then the bottom, then the dead cards.
        first: the seat that speaks first; left out, the holder of ``face_up``, else seat 0.
        face_up: the card that was shown while dealing, as ``♠9`` or ``9``, or with its seat,
            ``♠9@2``; a ``*`` in the text is its twin.
        wild: the wild rank, in a game that draws one.
        draws: for each seat the cards that a landlord would draw from it, divided by ``/``.
        seed: where the deal comes from, if it was not set by hand.
        number: which deal of that seed.

    Raises:
        NotationError: if the text cannot be read.
        HandError: if there are too many or too few cards somewhere, or more of one card than the
            game has; it names the part, the card, and what was expected.
    """
    ruleset = plain_rules(rules)
    spec = ruleset.deal
    if not isinstance(text, str) or len(text) > MOST_TEXT:
        raise NotationError(
            f"deal: expected a text of at most {MOST_TEXT} characters",
            key="error.deal.text",
            field="deal",
            expected=MOST_TEXT,
            got=len(text) if isinstance(text, str) else type(text).__name__,
        )
    sections = [section.strip() for section in text.split("|")]
    seats = [hand.strip() for hand in sections[0].split("/")]
    if len(sections) > 3 or len(seats) != spec.seats:
        raise NotationError(
            f"deal: expected {spec.seats} hands divided by '/', then '|' and the bottom, "
            f"got {len(seats)} hands and {len(sections) - 1} parts more",
            key="error.deal.parts",
            field="deal",
            expected=spec.seats,
            got=len(seats),
        )
    sections += [""] * (3 - len(sections))
    named = [(f"hand {seat}", part, spec.hand) for seat, part in enumerate(seats)]
    named += [("bottom", sections[1], spec.bottom), ("dead", sections[2], spec.dead)]
    lying = [_marked_sevens(ruleset, read_suits(part)) for _, part, _ in named]
    shown_card, holder = told_face_up(ruleset, face_up, lying)
    if ruleset.wilds.mode == "red7":
        packed = [sum(1 << 4 * lane for lane, _ in part) for part in lying]
    else:
        packed = [cards.parse_cards(part.replace("*", shown_card[0])) for _, part, _ in named]
    check_cards(
        ruleset,
        [(name, part, size) for (name, _, size), part in zip(named, packed, strict=True)],
    )
    parts = _with_suits(ruleset, lying, shown_card[1])
    shown = _find_face_up(ruleset, parts[: spec.seats], (face_up or "").partition("@")[0], holder)
    if first is None:
        first = shown[1] if shown and ruleset.auction.first == "face_up" else 0
    check_seat(spec.seats, first, field="first")
    if wild and (wild not in ruleset.deck.ranks or wild in "XD" or ruleset.wilds.mode != "rank"):
        raise HandError(
            f"wild: {wild!r} cannot be the wild rank of this game",
            key="error.deal.wild",
            field="wild",
            expected="3456789TJQKA2" if ruleset.wilds.mode == "rank" else "",
            got=wild,
        )
    return Deal(
        hands=tuple(parts[: spec.seats]),
        bottom=parts[-2],
        dead=parts[-1],
        first=first,
        face_up=shown,
        wild=wild or drawn_wild(ruleset, _settled_generator(text)),
        draws=_told_draws(ruleset, draws, parts[: spec.seats])
        or drawn_cards(ruleset, _settled_generator(text), parts[: spec.seats]),
        seed=None if seed is None else check_seed(seed),
        number=number,
    )


def _marked_sevens(
    ruleset: Ruleset, part: list[tuple[int, int | None]]
) -> list[tuple[int, int | None]]:
    """Return lanes and suits of a text with red sevens marked where they are wild."""
    if ruleset.wilds.mode != "red7":
        return part
    return [(cards.MARKED if (n, suit) in _RED_SEVENS else n, suit) for n, suit in part]


def check_seat(seats: int, seat: object, *, field: str = "seat") -> int:
    """Return a seat that exists.

    Raises:
        DdzError: if it is no whole number from 0 to ``seats`` - 1.
    """
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < seats:
        raise DdzError(
            f"{field}: expected a seat from 0 to {seats - 1}, got {seat!r}",
            key="error.deal.seat",
            field=field,
            expected=f"0–{seats - 1}",
            got=seat,
        )
    return seat


def check_cards(rules: AnyRules, parts: Sequence[tuple[str, cards.Hand, int | None]]) -> None:
    """Refuse cards that cannot lie together in one deal of a game.

    Args:
        rules: the game.
        parts: name, packed cards and exact number of cards (None: any number) of each place.

    Raises:
        HandError: for a wrong number of cards in one place, or for more of one card than the game
            has in one place or in all of them; it names the card.
    """
    for name, part, size in parts:
        count = cards.size_of(part)
        if size is not None and count != size:
            raise HandError(
                f"{name}: expected exactly {size} cards, got {count} of {size}",
                key="error.deal.size",
                field=name,
                expected=size,
                got=count,
            )
    deck = cards.counts_of(plain_rules(rules).deck_cards)
    total = [0] * cards.LANES
    for name, part, _ in parts:
        for lane, count in enumerate(cards.counts_of(part)):
            total[lane] += count
            limit = deck[lane]
            if count and total[lane] > limit:
                raise _surplus(lane, total[lane], limit, name)


def check_deal(ruleset: Ruleset, deal: Deal) -> None:
    """Refuse a deal that is not one of this game.

    Raises:
        DdzError: for another number of hands, or a seat that does not exist.
        HandError: for cards that cannot lie so.
    """
    spec = ruleset.deal
    if deal.seats != spec.seats:
        raise DdzError(
            f"deal: expected {spec.seats} hands, got {deal.seats}",
            key="error.deal.parts",
            field="deal",
            expected=spec.seats,
            got=deal.seats,
        )
    check_seat(deal.seats, deal.first, field="first")
    parts: list[tuple[str, cards.Hand, int | None]] = [
        (f"hand {seat}", cards.from_cards(hand), spec.hand) for seat, hand in enumerate(deal.hands)
    ]
    parts.append(("bottom", cards.from_cards(deal.bottom), spec.bottom))
    parts.append(("dead", cards.from_cards(deal.dead), spec.dead))
    check_cards(ruleset, parts)


def _surplus(lane: int, count: int, limit: int, name: str) -> HandError:
    """Return the error for more of one card than the game has."""
    rank = "*" if lane == cards.MARKED else cards.RANKS[lane]
    return HandError(
        f"{name}: {count} cards of rank {rank}, the game has {limit}",
        key="error.deal.surplus",
        field=name,
        expected=limit,
        got=count,
        rank=rank,
    )


def _with_suits(
    ruleset: Ruleset,
    parts: Sequence[Sequence[tuple[int, int | None]]],
    marked: tuple[int, int] | None = None,
) -> list[tuple[Card, ...]]:
    """Turn ranks into physical cards: the suits named, then those that are left, in order.

    ``marked`` is lane and suit of the card whose copy is written ``*``.
    """
    jokers = (cards.SMALL_JOKER, cards.BIG_JOKER)
    left: dict[int, list[Card]] = {}
    for card in pack_of(ruleset):
        left.setdefault(card.lane, []).append(card)
    made: list[list[Card]] = [[] for _ in parts]
    for index, part in enumerate(parts):
        for lane, _ in part:
            if lane == cards.MARKED and marked is not None:
                copies = [c for c in left[marked[0]] if c.suit == marked[1]]
                if len(copies) < 2:
                    raise _surplus(cards.MARKED, 2, 1, "deal")
                twin = copies[-1]
                left[twin.lane].remove(twin)
                made[index].append(twin)
    for index, part in enumerate(parts):
        for lane, suit in part:
            if suit is None or lane in jokers or (lane == cards.MARKED and marked is not None):
                continue
            found = next((c for c in left[lane] if c.suit == suit), None)
            if found is None:
                text = str(Card(lane, suit))
                raise HandError(
                    f"deal: more cards {text} than the game has ({ruleset.deck.decks})",
                    key="error.deal.card",
                    field="deal",
                    expected=ruleset.deck.decks,
                    got=text,
                )
            left[lane].remove(found)
            made[index].append(found)
    for index, part in enumerate(parts):
        for lane, suit in part:
            if lane == cards.MARKED and marked is not None:
                continue
            if suit is None or lane in jokers:
                made[index].append(left[lane].pop(0))
    return [tuple(sorted(part)) for part in made]


def _settled_generator(text: str) -> np.random.Generator:
    """Return the generator of what a text leaves to chance."""
    digest = hashlib.sha256("".join(text.split()).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:8], "big")))


def _told_draws(
    ruleset: Ruleset, text: str, hands: Sequence[tuple[Card, ...]]
) -> tuple[tuple[Card, ...], ...]:
    """Return the cards to be drawn from each seat, as told; empty where nothing is told."""
    if not text:
        return ()
    parts = [read_suits(part) for part in text.split("/")]
    found = []
    for hand, part in zip(hands, parts, strict=False):
        fitting = [
            next((c for c in hand if c.lane == lane and suit in (None, c.suit)), None)
            for lane, suit in part
        ]
        found.append(tuple(card for card in fitting if card is not None))
    if len(parts) != len(hands) or any(len(part) != ruleset.deal.draw for part in found):
        raise HandError(
            f"draws: {text!r} are not {ruleset.deal.draw} cards of each hand",
            key="error.deal.draws",
            field="draws",
            expected="/".join("♠5" for _ in hands),
            got=text,
        )
    return tuple(found)


def _find_face_up(
    ruleset: Ruleset, hands: Sequence[tuple[Card, ...]], text: str, holder: int | None
) -> tuple[Card, int] | None:
    """Return the shown card and its holder; a rank alone means its first card."""
    if not text:
        return None
    wanted = read_suits(text) if ruleset.deal.face_up != "none" else []
    for seat, hand in enumerate(hands):
        for card in hand:
            if (
                holder in (None, seat)
                and len(wanted) == 1
                and card.lane == wanted[0][0]
                and wanted[0][1] in (None, card.suit)
            ):
                return card, seat
    raise HandError(
        f"face_up: {text!r} is no card that somebody was dealt face up",
        key="error.deal.face_up",
        field="face_up",
        expected="♠9",
        got=text,
    )
