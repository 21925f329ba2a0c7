"""What the learner of a luck-free puzzle may know, and every spread that agrees with it.

Layer 4. The learner is the landlord, hand 0; the other hands are his enemies, so that whatever is
hidden is against him. A partner's hidden hand would have to be guessed by both, which no proof can
decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ddz_core import cards, dealing
from ddz_core.cards import Hand
from ddz_core.dealing import AnyRules
from ddz_core.errors import DdzError, HandError
from ddz_core.patterns import Combination
from ddz_core.positions import Position, position
from ddz_core.rules import Rules

Layout: TypeAlias = tuple[Hand, ...]
"""The hidden hands in playing order, from the one after the learner."""

MOST_LAYOUTS = 3_000
"""Spreads that a puzzle is proven over at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is seen.

    Attributes:
        rules: the rules in force.
        own: the learner's hand.
        unseen: what the others hold together.
        sizes: how many cards each of them has, in playing order from the one after the learner.
        held: cards that each of them is known to hold; part of ``unseen``.
        to_move: 0 for the learner, else the number of the hand in that order from 1.
        beat: the play on the table, None for a lead.
        beat_by: the hand that made it, None for a lead.
    """

    rules: Rules
    own: Hand
    unseen: Hand
    sizes: tuple[int, ...]
    held: Layout
    to_move: int = 0
    beat: Combination | None = None
    beat_by: int | None = None

    def opened(self, layout: Layout) -> Position:
        """Return the open position of one spread."""
        return position(
            [self.own, *layout],
            self.to_move,
            self.beat,
            rules=self.rules,
            beat_by=self.beat_by,
        )


def scene(
    own: str | Hand,
    unseen: str | Hand,
    sizes: Sequence[int],
    *,
    rules: AnyRules,
    held: Sequence[str | Hand] = (),
    to_move: int = 0,
    beat: str | Combination | None = None,
    beat_by: int | None = None,
) -> Scene:
    """Return a checked scene.

    Args:
        own: the learner's cards.
        unseen: the cards of all others together.
        sizes: cards of each of the others in playing order, one or two hands.
        rules: the game.
        held: cards that each of them is known to hold; left out, none.
        to_move: 0 for the learner, 1 for the one after him.
        beat: the play on the table.
        beat_by: who made it; left out, the one before ``to_move``.

    Raises:
        HandError: if the cards cannot be, or the sizes are not those of the unseen cards.
        NotationError, NotACombination, DdzError: as :func:`ddz_core.positions.position`.
    """
    hidden = cards.parse_cards(unseen)
    known = tuple(cards.parse_cards(one) for one in (held or [0] * len(sizes)))
    total = cards.size_of(hidden)
    if not sizes or len(known) != len(sizes) or sum(sizes) != total or min(sizes) < 1:
        raise HandError(
            f"sizes: expected one or more numbers that make {total}, got {tuple(sizes)}",
            key="error.shifting.sizes",
            field="sizes",
            expected=total,
            got=", ".join(map(str, sizes)),
        )
    if not _fits(hidden, known, sizes):
        raise HandError(
            "held: expected cards that are unseen and fit into the hands",
            key="error.shifting.held",
            field="held",
            expected=cards.format_cards(hidden),
            got="/".join(map(cards.format_cards, known)),
        )
    rules_in_force = rules if isinstance(rules, Rules) else Rules(dealing.plain_rules(rules))
    if rules_in_force.ruleset.wilds.mode != "none":
        raise DdzError(
            "rules: expected a game without wilds",
            key="error.shifting.wilds",
            field="rules",
            expected="",
            got=rules_in_force.id,
        )
    first = next(_spreads(hidden, known, tuple(sizes)))
    # Whatever else is wrong is wrong in every spread: the open position says it.
    place = position([own, *first], to_move, beat, rules=rules_in_force, beat_by=beat_by)
    return Scene(
        rules=rules_in_force,
        own=place.hands[0],
        unseen=hidden,
        sizes=tuple(sizes),
        held=known,
        to_move=place.to_move,
        beat=place.beat,
        beat_by=place.beat_by,
    )


def scene_of(place: Position) -> Scene:
    """Return what the landlord of an open position sees of it.

    Raises:
        DdzError: if the landlord is not the first hand alone; the message says why that is needed.
    """
    if place.landlords != (0,):
        raise DdzError(
            "landlords: expected the first hand alone: a hidden partner would have to be guessed",
            key="error.shifting.partner",
            field="landlords",
            expected="0",
            got=", ".join(map(str, place.landlords)),
        )
    return scene(
        place.hands[0],
        sum(place.hands[1:]),
        [cards.size_of(hand) for hand in place.hands[1:]],
        rules=place.rules,
        to_move=place.to_move,
        beat=place.beat,
        beat_by=place.beat_by,
    )


def layouts_of(seen: Scene, most: int = MOST_LAYOUTS) -> list[Layout]:
    """Return every spread that agrees with a scene, each once, in a fixed order.

    Raises:
        HandError: if there are more than ``most``.
    """
    found: list[Layout] = []
    for one in _spreads(seen.unseen, seen.held, seen.sizes):
        if len(found) == most:
            raise HandError(
                f"the unseen cards can be spread in more than {most} ways",
                key="error.shifting.many",
                field="unseen",
                expected=most,
                got=cards.format_cards(seen.unseen),
            )
        found.append(one)
    return found


def _fits(hidden: Hand, known: Layout, sizes: Sequence[int]) -> bool:
    counts = cards.counts_of(hidden)
    taken = [sum(lane) for lane in zip(*map(cards.counts_of, known), strict=True)]
    small = all(cards.size_of(one) <= size for one, size in zip(known, sizes, strict=True))
    return small and all(t <= c for t, c in zip(taken, counts, strict=True))


def _spreads(hidden: Hand, known: Layout, sizes: tuple[int, ...]) -> Iterator[Layout]:
    """Yield the ways to complete the known cards to hands of these sizes."""
    rest = hidden - sum(known)
    room = [size - cards.size_of(one) for size, one in zip(sizes, known, strict=True)]
    if len(sizes) == 1:
        yield (known[0] + rest,)
        return
    for part in _parts(cards.counts_of(rest), room[0]):
        for others in _spreads(hidden - known[0] - part, known[1:], sizes[1:]):
            yield (known[0] + part, *others)


def _parts(counts: Sequence[int], size: int, lane: int = 0) -> Iterator[Hand]:
    """Yield the hands of a size that can be taken from cards counted by lane."""
    if size == 0:
        yield 0
        return
    if sum(counts[lane:]) < size:
        return
    for number in range(min(counts[lane], size) + 1):
        for rest in _parts(counts, size - number, lane + 1):
            yield rest + (number << 4 * lane)
