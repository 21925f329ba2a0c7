"""Where unseen cards lie, as far as counting alone can tell.

Layer 3. :class:`Odds` knows one seat's own cards, the places where unseen cards can lie (other
seats, hidden bottom, dead cards), how many each takes and which cards are known to be there. All
physical deals that fit are equally likely: nothing is concluded from how anybody bids or plays;
that is :mod:`ddz_core.behaviour`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ddz_core import cards, counting, estimate, probability, sampling
from ddz_core.clauses import Counts, counts_in, deck_of, kind_ids, text_of
from ddz_core.counting import Place
from ddz_core.dealing import AnyRules, check_seat, plain_rules
from ddz_core.display import Tabular, framed
from ddz_core.errors import DdzError, HandError
from ddz_core.estimate import Estimate
from ddz_core.specs import Ruleset

if TYPE_CHECKING:
    import pandas as pd

    from ddz_core.observation import Observation

Where: TypeAlias = int | str
"""A place: a seat, ``bottom`` or ``dead``."""

BOTTOM, DEAD, ANY = "bottom", "dead", "any"

_NOTHING = (0,) * cards.LANES


@dataclass(frozen=True, slots=True)
class Layout:
    """One way in which the unseen cards can lie, with everything known filled in.

    Attributes:
        hands: cards of each seat as text.
        bottom, dead: likewise, empty where there are none or they are in a hand.
    """

    hands: tuple[str, ...]
    bottom: str = ""
    dead: str = ""

    def __str__(self) -> str:
        return f"{'/'.join(self.hands)}|{self.bottom}|{self.dead}".rstrip("|")


@dataclass(frozen=True, slots=True)
class Improvement:
    """What the hidden bottom cards can bring to the own hand.

    Attributes:
        kind: the id of a kind.
        now: whether the hand holds one already.
        then: the chance that hand and bottom together hold one.
    """

    kind: str
    now: bool
    then: Estimate


@dataclass(frozen=True, slots=True)
class Odds(Tabular):
    """What one seat can count about the cards that it does not see; made by :func:`odds`.

    Attributes:
        ruleset: the game.
        seat: whose view it is.
        mine: its cards by lane.
        pool: unseen cards of which it is not known where they lie, by lane.
        places: what each place takes from the pool and what is known to be there. Together they
            take the whole pool.
    """

    ruleset: Ruleset
    seat: int
    mine: Counts
    pool: Counts
    places: dict[Where, Place]

    @property
    def hand(self) -> str:
        """The own cards as text."""
        return text_of(self.ruleset, self.mine)

    @property
    def unseen(self) -> str:
        """The unseen cards of which it is not known where they lie, as text."""
        return text_of(self.ruleset, self.pool)

    @property
    def sizes(self) -> dict[Where, int]:
        """The number of cards in each place, known ones included."""
        return {name: place.size + sum(place.known) for name, place in self.places.items()}

    def known(self, place: Where) -> str:
        """Return the cards known to lie in a place, as text."""
        return text_of(self.ruleset, self.places[self._place(place)].known)

    def _place(self, place: object) -> Where:
        if isinstance(place, (int, str)) and place in self.places and not isinstance(place, bool):
            return place
        expected = ", ".join(str(name) for name in self.places)
        raise HandError(
            f"place: expected {ANY} or one of {expected}, got {place!r}",
            key="error.odds.place",
            field="place",
            expected=f"{ANY}, {expected}",
            got=place,
        )

    def asked(self, place: Where | Sequence[Where]) -> list[Where]:
        """Return the places that a question is about; ``any`` is every other seat.

        Raises:
            HandError: for a place that is not there.
        """
        if isinstance(place, (int, str)):
            if place == ANY:
                return [name for name in self.places if isinstance(name, int)]
            return [self._place(place)]
        return list(dict.fromkeys(self._place(one) for one in place))

    def holds(
        self,
        kinds: str | Sequence[str],
        place: Where | Sequence[Where] = ANY,
        *,
        samples: int = probability.SAMPLES,
        seed: int = 0,
    ) -> Estimate:
        """Return the chance that a place holds at least one of the kinds.

        Args:
            kinds: as for :func:`ddz_core.probability.frequency`: ``bomb``, ``straight:7``, or cards
                such as ``22``.
            place: a seat, ``bottom``, ``dead``, ``any`` other seat, or several places (any of
                them). The own seat gives 0 or 1.
            samples: layouts drawn where counting is out of reach.
            seed: of those.

        Raises:
            RulesetError: for a kind that this game does not have.
            HandError: for a place that is not there.
        Cost: 1-30 ms once the kinds were asked for before, whatever the hand.
        """
        machine = counting.automaton(self.ruleset, probability.names_of(kinds))
        if place == self.seat and not isinstance(place, bool):
            return estimate.exact(float(machine.holds(self.mine)))
        asked = [self.places[name] for name in self.asked(place)]
        return probability.chance(self.pool, asked, machine, samples=samples, seed=seed)

    def after_bottom(self, kinds: str | Sequence[str]) -> Estimate:
        """Return the chance that the own hand with the hidden bottom cards holds one of the kinds.

        Raises:
            HandError: where no bottom is hidden.
            RulesetError: for a kind that this game does not have.
        """
        bottom = self.places[self._place(BOTTOM)]
        machine = counting.automaton(self.ruleset, probability.names_of(kinds))
        both = tuple(a + b for a, b in zip(self.mine, bottom.known, strict=True))
        return probability.chance(self.pool, [Place(bottom.size, both)], machine)

    def improvements(self) -> list[Improvement]:
        """Return for every kind whether the hand holds it and the chance to with the bottom."""
        return [
            Improvement(
                kind=kind,
                now=counting.automaton(self.ruleset, (kind,)).holds(self.mine),
                then=self.after_bottom(kind),
            )
            for kind in kind_ids(self.ruleset)
        ]

    def table(self) -> dict[Where, dict[str, tuple[float, ...]]]:
        """Return the chance of each number of cards of each rank in each place.

        ``table()[1]["2"][3]`` is the chance that seat 1 holds exactly three 2s. Exact; the chances
        of one rank in one place add up to 1. Cost: half a millisecond.
        """
        total = sum(self.pool)
        deck = deck_of(self.ruleset)
        found: dict[Where, dict[str, tuple[float, ...]]] = {}
        for name, place in self.places.items():
            found[name] = {
                rank_text(self.ruleset, lane): tuple(
                    _chance_of(copies=self.pool[lane], total=total, size=place.size, count=count)
                    for count in range(-place.known[lane], deck[lane] - place.known[lane] + 1)
                )
                for lane in range(cards.LANES)
                if deck[lane]
            }
        return found

    def frame(self) -> pd.DataFrame:
        """Return :meth:`table` as a pandas frame, one row a cell, with how it was found."""
        rows = [
            {"place": str(place), "rank": rank, "count": count, "chance": chance}
            for place, ranks in self.table().items()
            for rank, chances in ranks.items()
            for count, chance in enumerate(chances)
        ]
        return framed(rows, method="exact", rules=self.ruleset.id, rules_hash=self.ruleset.hash)

    def split(
        self, what: str | int, places: Sequence[Where] | None = None
    ) -> dict[tuple[int, ...], float]:
        """Return how the missing cards of a rank are split, each split with its chance.

        Args:
            what: a rank, or a number of equal missing cards to ask for in general.
            places: between which places, in that order; left out, all of them. Where only some are
                asked, the chances are those of what lies there.

        Returns:
            Numbers of cards by place, known ones included, the likeliest first.

        Raises:
            HandError: for a place that is not there, a rank the game does not have, or more
                missing cards than are unseen.
        """
        asked = self.asked(list(self.places) if places is None else places)
        chosen = [self.places[name] for name in asked]
        if isinstance(what, str):
            lane = lane_of(self.ruleset, what)
            copies, known = self.pool[lane], [place.known[lane] for place in chosen]
        else:
            copies, known = what, [0] * len(chosen)
        spread = probability.split(copies, [p.size for p in chosen], sum(self.pool))
        return {
            tuple(a + b for a, b in zip(given, known, strict=True)): chance
            for given, chance in spread.items()
        }

    def deals(self, n: int = 12, rng: np.random.Generator | int = 0) -> list[Layout]:
        """Return random layouts that fit, every physical deal equally likely.

        Args:
            n: how many, 1 to 100,000.
            rng: the generator, or a seed for a fresh one.
        """
        if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= 100_000:
            raise DdzError(
                f"n: expected a whole number from 1 to 100000, got {n!r}",
                key="error.odds.samples",
                field="n",
                expected="1–100000",
                got=n,
            )
        generator = rng if isinstance(rng, np.random.Generator) else sampling.generator(rng)
        names = list(self.places)
        known = np.array([self.places[name].known for name in names], dtype=np.int8)
        sizes = [self.places[name].size for name in names]
        return [
            self._layout({name: tuple(counts) for name, counts in zip(names, one, strict=True)})
            for chunk in sampling.layouts(self.pool, sizes, n, generator)
            for one in (chunk + known).tolist()
        ]

    def _layout(self, held: Mapping[Where, Counts]) -> Layout:
        seats = sum(isinstance(name, int) for name in self.places) + 1
        hands = [self.mine if s == self.seat else held[s] for s in range(seats)]
        return Layout(
            hands=tuple(text_of(self.ruleset, hand) for hand in hands),
            bottom=text_of(self.ruleset, held.get(BOTTOM, _NOTHING)),
            dead=text_of(self.ruleset, held.get(DEAD, _NOTHING)),
        )


def rank_text(ruleset: Ruleset, lane: int) -> str:
    """Return the rank of a lane as a reader writes it; a drawn wild rank is that rank."""
    if lane < cards.MARKED:
        return cards.RANKS[lane]
    return ruleset.wilds.rank if ruleset.wilds.mode == "rank" else "*"


def lane_of(ruleset: Ruleset, rank: str) -> int:
    """Return the lane of a rank as the odds count it.

    Raises:
        HandError: for a rank that this game does not have.
    """
    deck = deck_of(ruleset)
    for lane in range(cards.LANES):
        if deck[lane] and rank_text(ruleset, lane) == rank:
            return lane
    raise HandError(
        f"rank: {rank!r} is no rank of this game",
        key="error.odds.rank",
        field="rank",
        expected=ruleset.deck.ranks,
        got=rank,
    )


def _chance_of(*, copies: int, total: int, size: int, count: int) -> float:
    """Return the chance that ``size`` cards drawn from ``total`` hold ``count`` of ``copies``."""
    if not 0 <= count <= min(copies, size) or size - count > total - copies:
        return 0.0
    return (
        math.comb(copies, count) * math.comb(total - copies, size - count) / math.comb(total, size)
    )


# --- from what is known to places ----------------------------------------------------------------


def odds(
    hand: str | cards.Hand | Observation,
    rules: AnyRules | None = None,
    *,
    seat: int = 0,
    counts: Sequence[int] | None = None,
    played: str | Mapping[int, str] = "",
    bottom: str = "",
    known: Mapping[int, str] | None = None,
) -> Odds:
    """Return what a seat can count about the cards that it does not see.

    Args:
        hand: the own cards, or an observation, which needs nothing else.
        rules: the game; taken from an observation.
        seat: the own seat.
        counts: cards that each seat holds now, in seat order. Left out: the hand is as dealt, or as
            a landlord's who has taken the bottom cards, and nobody has played.
        played: cards that have been played, as text or by seat; they are nowhere any more.
        bottom: cards known to lie in the bottom, not yet taken.
        known: cards known to be in other seats' hands, such as the bottom cards that a landlord
            has taken and not yet played.

    Raises:
        HandError: for cards that cannot be together, or numbers of cards that do not add up; it
            names the card or the seat.
        NotationError: for text that is no cards.
        DdzError: for a seat that does not exist.
    Cost: some 50 microseconds.

    >>> from ddz_core import load_ruleset
    >>> round(odds("33445566778899TJQ", load_ruleset("classic")).holds("rocket", "bottom").value, 4)
    0.0045
    """
    if not isinstance(hand, (str, int)):
        return _from_observation(hand)
    if rules is None:
        raise DdzError(
            "rules: expected the rules of the game beside a hand",
            key="error.odds.rules",
            field="rules",
            expected="rules",
            got="None",
        )
    ruleset = plain_rules(rules)
    seats = ruleset.deal.seats
    check_seat(seats, seat)
    gone = [played] if isinstance(played, str) else [played[s] for s in sorted(played)]
    parts: list[tuple[str, Counts]] = [("hand", _counts(ruleset, hand))]
    parts += [("played", _counts(ruleset, text)) for text in gone]
    parts.append((BOTTOM, _counts(ruleset, bottom)))
    held = {s: _counts(ruleset, text) for s, text in (known or {}).items()}
    for other in held:
        check_seat(seats, other, field="known")
        if other == seat:
            raise _refused("known", "another seat", other)
    parts += [(f"seat {s}", counts_of_one) for s, counts_of_one in held.items()]
    pool = _left(ruleset, parts)
    mine = parts[0][1]
    sizes = _seat_sizes(ruleset, seat, sum(mine), counts, any(map(sum, (p[1] for p in parts[1:]))))
    places: dict[Where, Place] = {}
    for other in range(seats):
        if other != seat:
            places[other] = _placed(f"seat {other}", sizes[other], held.get(other, _NOTHING))
    rest = sum(pool) + sum(parts[-1 - len(held)][1]) - sum(p.size for p in places.values())
    places.update(_leftover(ruleset, rest, sizes, parts[-1 - len(held)][1]))
    return Odds(ruleset=ruleset, seat=seat, mine=mine, pool=pool, places=places)


def _counts(ruleset: Ruleset, text: str | cards.Hand) -> Counts:
    return counts_in(ruleset, cards.parse_cards(text))


def _refused(field: str, expected: object, got: object) -> HandError:
    return HandError(
        f"{field}: expected {expected}, got {got}",
        key="error.odds.count",
        field=field,
        expected=expected,
        got=got,
    )


def _left(ruleset: Ruleset, parts: Sequence[tuple[str, Counts]]) -> Counts:
    """Return the deck without these parts; refuse the part that brings one card too many."""
    deck = deck_of(ruleset)
    used = [0] * cards.LANES
    for name, counts in parts:
        for lane, count in enumerate(counts):
            used[lane] += count
            if count and used[lane] > deck[lane]:
                rank = rank_text(ruleset, lane)
                raise HandError(
                    f"{name}: {used[lane]} cards of rank {rank}, the game has {deck[lane]}",
                    key="error.deal.surplus",
                    field=name,
                    expected=deck[lane],
                    got=used[lane],
                    rank=rank,
                )
    return tuple(a - b for a, b in zip(deck, used, strict=True))


def _seat_sizes(
    ruleset: Ruleset, seat: int, mine: int, counts: Sequence[int] | None, begun: bool
) -> list[int]:
    """Return the cards of each seat, from what was given or as dealt."""
    spec = ruleset.deal
    if counts is None:
        good = sorted({spec.hand, ruleset.largest_hand})
        if mine not in good:
            expected = " or ".join(map(str, good))
            raise _refused("counts" if begun else "hand", f"{expected} cards", mine)
        return [mine if s == seat else spec.hand for s in range(spec.seats)]
    found = list(counts)
    if len(found) != spec.seats:
        raise _refused("counts", f"{spec.seats} numbers", len(found))
    for s, count in enumerate(found):
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 0:
            raise _refused(f"counts, seat {s}", "a number of cards", repr(count))
    if found[seat] != mine:
        raise _refused(f"counts, seat {seat}", f"{mine} cards", found[seat])
    return found


def _placed(name: str, size: int, known: Counts) -> Place:
    """Return a place; refuse one with more known cards than it holds."""
    if sum(known) > size:
        raise _refused(name, f"at most {size} cards", sum(known))
    return Place(size - sum(known), known)


def _leftover(
    ruleset: Ruleset, rest: int, sizes: Sequence[int], bottom: Counts
) -> dict[Where, Place]:
    """Return where the cards lie that no seat holds: hidden bottom, dead cards, or both."""
    spec = ruleset.deal
    if rest == spec.bottom + spec.dead:
        found = {BOTTOM: spec.bottom, DEAD: spec.dead}
    elif rest == spec.dead:
        found = {DEAD: spec.dead}
    elif 0 <= rest - spec.dead <= spec.bottom and max(sizes) > spec.hand:
        # A landlord who took only some of the bottom cards.
        found = {BOTTOM: rest - spec.dead, DEAD: spec.dead}
    else:
        taken = sum(sizes)
        least = taken + rest - spec.bottom - spec.dead
        raise _refused("counts", f"{least} or {least + spec.bottom} cards in all hands", taken)
    places: dict[Where, Place] = {
        name: _placed(name, size, bottom if name == BOTTOM else _NOTHING)
        for name, size in found.items()
        if size
    }
    if sum(bottom) and BOTTOM not in places:
        raise _refused(BOTTOM, "no cards in the bottom", sum(bottom))
    return places


def _from_observation(obs: Observation) -> Odds:
    """Return the odds of a seat in a game."""
    ruleset = obs.ruleset
    twin = obs.face_up[0].rank if ruleset.sides == "twin" and obs.face_up else ""
    places: dict[Where, Place] = {}
    for other in range(obs.seats):
        if other != obs.seat:
            known = counts_in(ruleset, obs.known[other], twin)
            places[other] = _placed(f"seat {other}", obs.left[other], known)
    pool = counts_in(ruleset, obs.unplaced, twin)
    # Where a landlord took only some of the bottom cards, the others still lie there.
    bottom = sum(pool) - sum(place.size for place in places.values()) - obs.dead
    if bottom:
        places[BOTTOM] = Place(bottom)
    if obs.dead:
        places[DEAD] = Place(obs.dead)
    mine = counts_in(ruleset, obs.hand, twin)
    return Odds(ruleset=ruleset, seat=obs.seat, mine=mine, pool=pool, places=places)
