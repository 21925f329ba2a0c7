"""A moment of a game as one seat sees it, set up by hand or taken from a game, ready to be counted.

Layer 3, above :mod:`ddz_core.belief` and :mod:`ddz_core.behaviour`. A :class:`Setup` is what a
reader can say of a moment, all of it text, so that it travels in a link and nothing typed is lost;
:func:`of_setup` and :func:`of_game` turn it, or a game, into a :class:`Seen`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ddz_core import behaviour, belief, cards, dealing, decompose, distributions, sampling
from ddz_core.behaviour import Belief, Passed
from ddz_core.belief import Layout, Odds, Where
from ddz_core.clauses import counts_in, deck_of, text_of
from ddz_core.errors import HandError
from ddz_core.estimate import Estimate
from ddz_core.language import Phrase
from ddz_core.suits import read_suits

if TYPE_CHECKING:
    from ddz_core.dealing import AnyRules
    from ddz_core.observation import Observation
    from ddz_core.rules import Rules
    from ddz_core.specs import Ruleset

LONGEST = 900
"""Most characters of a set-up's text."""

TURN_STEP = 1_000
"""Hands of one chunk while the fewest turns are sampled, a tenth of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a reader says of a moment; cards as typed.

    Attributes:
        hand: the own cards.
        seat: the own seat.
        landlord: the landlord's seat, or None while nobody is.
        left: cards left of each seat; empty for as dealt.
        played: all cards that have been played, a suit before a rank where it is known.
        bottom: the bottom cards that another seat took and that were shown, likewise.
        passes: by seat, what an opponent had on the table when this seat passed, with spaces.
        known: by seat, other cards known to be there still, such as one shown while dealing.
    """

    hand: str = ""
    seat: int = 0
    landlord: int | None = None
    left: tuple[int, ...] = ()
    played: str = ""
    bottom: str = ""
    passes: tuple[tuple[int, str], ...] = ()
    known: tuple[tuple[int, str], ...] = ()

    @property
    def rest(self) -> str:
        """Everything but the hand as one text for links; empty where nothing was said."""
        said = {
            "seat": str(self.seat) if self.seat else "",
            "lord": "" if self.landlord is None else str(self.landlord),
            "left": "/".join(map(str, self.left)),
            "played": self.played,
            "bottom": self.bottom,
            "passes": _pairs(self.passes),
            "known": _pairs(self.known),
        }
        return ";".join(f"{name}={_plain(value)}" for name, value in said.items() if value.strip())


def _pairs(said: tuple[tuple[int, str], ...]) -> str:
    return "/".join(f"{seat}:{what}" for seat, what in said if what.strip())


def _plain(value: str) -> str:
    return value.replace(";", " ").replace("=", " ").strip()


def read_setup(rest: str, hand: str = "") -> Setup:
    """Return the set-up of a text made by :attr:`Setup.rest`.

    Raises:
        HandError: for a part that is none, or a number that is none.
    """
    found = Setup(hand=hand)
    for part in (p for p in rest[:LONGEST].split(";") if p.strip()):
        name, _, value = part.partition("=")
        name, value = name.strip(), value.strip()
        if name == "played":
            found = replace(found, played=value)
        elif name == "bottom":
            found = replace(found, bottom=value)
        elif name == "seat":
            found = replace(found, seat=_number(name, value))
        elif name == "lord":
            found = replace(found, landlord=_number(name, value))
        elif name == "left":
            found = replace(found, left=tuple(_number(name, v) for v in value.split("/")))
        elif name == "passes":
            found = replace(found, passes=_read_pairs(name, value))
        elif name == "known":
            found = replace(found, known=_read_pairs(name, value))
        else:
            raise _wrong("set-up", "seat, lord, left, played, bottom, passes, known", name)
    return found


def _read_pairs(name: str, value: str) -> tuple[tuple[int, str], ...]:
    pairs = [one.partition(":") for one in value.split("/")]
    return tuple((_number(name, seat), what) for seat, _, what in pairs)


def _number(name: str, value: str) -> int:
    if not (value.strip().isascii() and value.strip().isdigit() and len(value) < 4):
        raise _wrong(name, "0–99", value)
    return int(value)


def _wrong(field: str, expected: object, got: object) -> HandError:
    return HandError(
        f"{field}: expected {expected}, got {got}",
        key="error.odds.count",
        field=field,
        expected=expected,
        got=got,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What one seat sees of a moment, and what can be counted from it.

    Attributes:
        odds: where unseen cards can lie.
        landlords: seats of the landlord's side, as far as known.
        passes: the passes of other seats.
        shown: by seat, bottom cards that it is known to hold still, with their suits.
        notes: what a reader should know of this set-up.
        trick: number of the trick, 0 before the play.
        code: Python lines that make ``odds`` from ``rules``, and ``passes``.
    """

    odds: Odds
    landlords: tuple[int, ...] = ()
    passes: tuple[Passed, ...] = ()
    shown: Mapping[int, str]
    notes: tuple[Phrase, ...] = ()
    trick: int = 0
    code: tuple[str, ...] = ()

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.odds.ruleset.deal.seats

    @property
    def unseen(self) -> str:
        """All cards outside the own hand that have not been played, as text, low to high."""
        hidden = list(self.odds.pool)
        for place in self.odds.places.values():
            hidden = [a + b for a, b in zip(hidden, place.known, strict=True)]
        return text_of(self.odds.ruleset, tuple(hidden))

    @property
    def layouts(self) -> int:
        """The number of physical deals that fit: which card lies where, suits told apart."""
        count, left = 1, sum(self.odds.pool)
        for place in self.odds.places.values():
            count *= math.comb(left, place.size)
            left -= place.size
        return count


def of_game(obs: Observation, code: Sequence[str] = ()) -> Seen:
    """Return what a seat sees of a game.

    Args:
        obs: its observation.
        code: Python lines that make ``obs``.
    """
    held = "".join(map(str, obs.bottom_left))
    return Seen(
        odds=belief.odds(obs),
        landlords=obs.landlords,
        passes=tuple(behaviour.passes_of(obs)),
        shown={seat: held for seat in obs.landlords if seat != obs.seat and held},
        trick=obs.trick,
        code=(*code, "odds = ddz.odds(obs)", "passes = behaviour.passes_of(obs)"),
    )


def of_setup(setup: Setup, rules: Rules) -> Seen:
    """Return what a seat sees of a moment that was set up by hand.

    Raises:
        HandError: for cards that cannot be together or numbers that do not add up; it names the
            card or the seat.
        NotationError: for text that is no cards.
        NotACombination: for a pass on cards that are no combination.
    """
    ruleset, spec = rules.ruleset, rules.ruleset.deal
    dealing.check_seat(spec.seats, setup.seat)
    lord, mine = setup.landlord, cards.size_of(cards.parse_cards(setup.hand))
    if lord is not None:
        dealing.check_seat(spec.seats, lord, field="landlord")
    for field, text in (("played", setup.played), ("bottom", setup.bottom)):
        _check_suits(ruleset, field, text)
    counts: list[int] | None = None
    if setup.left or lord is not None or setup.played:
        dealt = [spec.hand + (spec.bottom if seat == lord else 0) for seat in range(spec.seats)]
        counts = list(setup.left) or [*dealt]
        if not setup.left and not setup.played and mine != dealt[setup.seat]:
            raise _wrong("hand", dealt[setup.seat], mine)
        if len(counts) == spec.seats:
            counts[setup.seat] = mine
    known: dict[int, str] = {}
    shown: dict[int, str] = {}
    notes: list[Phrase] = []
    if lord is not None and lord != setup.seat and setup.bottom.strip():
        taken = cards.parse_cards(setup.bottom)
        if cards.size_of(taken) != spec.bottom:
            raise _wrong("bottom", spec.bottom, cards.size_of(taken))
        # cards of the bottom may have been played since, but lie in no other hand
        own = ("hand", cards.parse_cards(setup.hand), None)
        dealing.check_cards(rules, [own, ("bottom", taken, None)])
        held, unsure = still_held(ruleset, setup.bottom, setup.played, setup.hand)
        known = {lord: "".join(rank for _, rank in held)} if held else {}
        shown = {lord: "".join(suit + rank for suit, rank in held)} if held else {}
        notes += [Phrase("odds.note.suit", {"rank": rank}) for rank in dict.fromkeys(unsure)]
    for seat, text in setup.known:
        known[seat] = known.get(seat, "") + _ranks(text)
    odds = belief.odds(
        setup.hand,
        rules,
        seat=setup.seat,
        counts=counts,
        played=_ranks(setup.played),
        known=known,
    )
    passes = [
        Passed(seat, table)
        for seat, text in setup.passes
        for table in text.replace(",", " ").split()
    ]
    for one in passes:
        odds.asked(one.seat)
        behaviour.reading_of(ruleset, one.table)
    return Seen(
        odds=odds,
        landlords=() if lord is None else (lord,),
        passes=tuple(passes),
        shown=shown,
        notes=tuple(notes),
        trick=1 if setup.played else 0,
        code=(*_setup_code(setup, counts, known), f"passes = {_passes_code(passes)}"),
    )


def _check_suits(ruleset: Ruleset, field: str, text: str) -> None:
    """Refuse more of one card of rank and suit than the game has packs."""
    cards.parse_cards(text)
    told = [one for one in read_suits(text) if one[1] is not None and one[0] < cards.SMALL_JOKER]
    for lane, suit in told:
        if (count := told.count((lane, suit))) > ruleset.deck.decks:
            card = cards.SUITS[suit or 0] + cards.RANKS[lane]
            raise HandError(
                f"{field}: {count} cards {card}, the game has {ruleset.deck.decks}",
                key="error.deal.surplus",
                field=field,
                expected=ruleset.deck.decks,
                got=count,
                rank=card,
            )


def _ranks(text: str) -> str:
    return cards.format_cards(cards.parse_cards(text))


def _setup_code(
    setup: Setup, counts: Sequence[int] | None, known: Mapping[int, str]
) -> Iterator[str]:
    given = [repr(_ranks(setup.hand)), "rules"]
    given += [f"seat={setup.seat}"] if setup.seat else []
    given += [f"counts={list(counts)}"] if counts else []
    given += [f"played={_ranks(setup.played)!r}"] if setup.played.strip() else []
    given += [f"known={dict(known)!r}"] if known else []
    yield f"odds = ddz.odds({', '.join(given)})"


def _passes_code(passes: Sequence[Passed]) -> str:
    made = (f"behaviour.Passed({one.seat}, {one.table!r})" for one in passes)
    return f"[{', '.join(made)}]"


def still_held(
    ruleset: Ruleset, bottom: str, played: str, mine: str = ""
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return which bottom cards the seat that took them surely holds still, and which perhaps.

    A card with a suit is gone when that card was played; an equal rank of another suit proves
    nothing. Where a suit was not said and an equal rank was played, the card is unsure.

    Args:
        ruleset: the game.
        bottom: the cards taken, suits before ranks where known.
        played: all cards played, likewise.
        mine: the reader's own cards.

    Returns:
        Suit (or empty) and rank of each card surely held; ranks of the unsure ones.

    Raises:
        NotationError: for text that is no cards.
    """
    for text in (bottom, played, mine):
        cards.parse_cards(text)
    gone = read_suits(played)
    deck = cards.counts_of(ruleset.deck_cards)
    own = cards.counts_of(cards.parse_cards(mine))
    held: list[tuple[str, str]] = []
    unsure: list[str] = []
    for lane, suit in read_suits(bottom):
        sign = cards.SUITS[suit] if suit is not None and lane < cards.SMALL_JOKER else ""
        rank = cards.RANKS[lane] if lane < len(cards.RANKS) else "*"
        out = [one for one in gone if one[0] == lane]
        if len(out) + own[lane] >= deck[lane] or (sign and (lane, suit) in out):
            continue  # every copy, or this very card, has been seen elsewhere
        if any(theirs is None or not sign for _, theirs in out):
            unsure.append(rank)
        else:
            held.append((sign, rank))
    return held, unsure


# --- layouts -------------------------------------------------------------------------------------


def sample_layouts(found: Belief, n: int = 12, seed: int = 0) -> list[Layout]:
    """Return layouts drawn as often as the passes make them likely; the own hand filled in.

    Raises:
        HandError: where no layout explains the passes.
    """
    found.table()  # refuses where no layout has any weight
    rng = sampling.generator(seed)
    share = found.weights / found.weights.sum()
    odds = found.prior
    layouts = []
    for row in rng.choice(len(share), size=n, p=share):
        held: dict[Where, str] = {
            name: text_of(odds.ruleset, tuple(found.layouts[row, column].tolist()))
            for column, name in enumerate(found.places)
        }
        hands = [
            odds.hand if seat == odds.seat else held[seat]
            for seat in range(odds.ruleset.deal.seats)
        ]
        layouts.append(Layout(tuple(hands), held.get(belief.BOTTOM, ""), held.get(belief.DEAD, "")))
    return layouts


def part(layout: Layout, place: Where) -> str:
    """Return the cards of one place of a layout."""
    if isinstance(place, int):
        return layout.hands[place]
    return layout.bottom if place == belief.BOTTOM else layout.dead


# --- words and rows ------------------------------------------------------------------------------


def in_counts(chance: float) -> Phrase:
    """Return a chance as counts: "about 31 of 100 such deals", finer near the ends."""
    if chance <= 0 or chance >= 1:
        return Phrase("odds.never" if chance <= 0 else "odds.always")
    of = 100 if 0.01 <= chance <= 0.99 else 10_000 if 1e-4 <= chance <= 1 - 1e-4 else 1_000_000
    return Phrase("odds.counts", {"k": f"{round(chance * of):,}", "of": f"{of:,}"})


def as_fraction(estimate: Estimate, most: int = 2_000) -> str:
    """Return an exact chance as a fraction of small numbers, ``5/17``; else an empty text."""
    if estimate.method == "sampled" or not 0 < estimate.value < 1:
        return ""
    near = _near(estimate.value, most)
    return f"{near[0]}/{near[1]}" if abs(near[0] / near[1] - estimate.value) < 1e-12 else ""


def _near(value: float, most: int) -> tuple[int, int]:
    """Return the nearest fraction with a small denominator, by continued fractions."""
    a, b, c, d, rest = 0, 1, 1, 0, value
    for _ in range(24):
        whole = math.floor(rest)
        a, b, c, d = c, d, a + whole * c, b + whole * d
        if d > most:
            return a, b
        if rest - whole < 1e-10:
            break
        rest = 1 / (rest - whole)
    return c, d


def table_rows(
    table: Mapping[Where, Mapping[str, Sequence[float]]],
) -> list[dict[str, object]]:
    """Return the chances of a table, a row for each possible place, rank and number."""
    return [
        {"place": str(place), "rank": rank, "count": count, "chance": chance}
        for place, ranks in table.items()
        for rank, chances in ranks.items()
        for count, chance in enumerate(chances)
        if chance > 0
    ]


def code_lines(rules: Rules, *lines: str) -> str:
    """Return Python lines that stand alone: imports, the rules, then these."""
    return "\n".join(
        [
            "import ddz_core as ddz",
            "from ddz_core import behaviour, distributions, probability, reading",
            "",
            f"rules = ddz.{rules!r}",
            *lines,
        ]
    )


# --- a spread that grows -------------------------------------------------------------------------


def refine_turns(
    n: int, rules: AnyRules, *, samples: int = 20_000, seed: int = 0
) -> Iterator[distributions.Distribution]:
    """Yield the sampled spread of the fewest plays, again after every thousand hands.

    The last one equals ``distribution("turns", n, rules, samples=samples, seed=seed)``.

    Raises:
        HandError: for a number of cards that the deck does not have.
        DdzError: for a seed or a number of samples that cannot be used.
    """
    ruleset = dealing.plain_rules(rules)
    found: dict[int, int] = {}
    drawn = 0
    chunks = sampling.layouts(
        deck_of(ruleset), [n], sampling.check_samples(samples), sampling.generator(seed)
    )
    for chunk in chunks:
        for start in range(0, len(chunk), TURN_STEP):
            for hand in chunk[start : start + TURN_STEP, 0].tolist():
                plays = decompose.fewest(cards.from_counts(hand), rules)
                found[plays] = found.get(plays, 0) + 1
                drawn += 1
            yield distributions.Distribution(
                of="turns",
                n=n,
                chances={plays: found[plays] / drawn for plays in sorted(found)},
                method="sampled",
                samples=drawn,
                seed=seed,
                rules=ruleset.id,
            )


def compare_counts(seen: Seen, typed: str) -> dict[str, tuple[int, int]]:
    """Return for every rank what a learner counted as unseen and how many are.

    Raises:
        NotationError: for text that is no cards.
    """
    ruleset = seen.odds.ruleset
    said, truth = (counts_in(ruleset, cards.parse_cards(text)) for text in (typed, seen.unseen))
    return {
        belief.rank_text(ruleset, lane): (said[lane], truth[lane])
        for lane in range(cards.LANES)
        if deck_of(ruleset)[lane]
    }
