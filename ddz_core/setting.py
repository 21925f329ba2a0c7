"""Setting positions up: what was typed stays, what is open is dealt at random or as wished.

Layer 3. Everything is checked before a card is dealt, so that an impossible card is named and what
was typed is not touched. The same input and seed give the same cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core import cards, dealing
from ddz_core.cards import Hand
from ddz_core.dealing import AnyRules, Deal
from ddz_core.dealing_like import hands_like
from ddz_core.errors import DdzError, HandError
from ddz_core.positions import Position, position

if TYPE_CHECKING:
    from ddz_core.specs import Ruleset

TRIES = 50
"""Draws of the wished hands before they are given up as excluding each other."""


def completed_deal(
    rules: AnyRules,
    hands: Sequence[str],
    bottom: str = "",
    *,
    seed: int = 1,
    first: int = 0,
    wishes: Mapping[int, Mapping[str, Any]] | None = None,
) -> Deal:
    """Return a whole deal that holds the cards given, the others dealt.

    Args:
        rules: the game.
        hands: what each seat is to hold at least, in playing order; empty texts for nothing.
        bottom: what the bottom is to hold at least.
        seed: of the cards that are dealt.
        first: the seat that speaks first.
        wishes: for some seats arguments of :func:`ddz_core.dealing_like.hands_like`, which the
            whole hand fits: ``points``, ``ranks``, ``holds``, ``lacks``, ``turns``.

    Raises:
        NotationError: if cards cannot be read.
        HandError: for a card too many anywhere, a hand that is too large, or wishes that cannot be
            met beside the cards given; it names the place.
    Cost: some tenths of a millisecond; with wishes what their search costs.
    """
    ruleset = dealing.plain_rules(rules)
    spec = ruleset.deal
    dealing.check_seed(seed)
    given = _parsed(hands, spec.seats)
    under = cards.parse_cards(bottom)
    dealing.check_cards(
        ruleset,
        [
            *((f"hand {seat}", hand, None) for seat, hand in enumerate(given)),
            ("bottom", under, None),
        ],
    )
    for name, hand, most in (
        *((f"hand {seat}", hand, spec.hand) for seat, hand in enumerate(given)),
        ("bottom", under, spec.bottom),
    ):
        if cards.size_of(hand) > most:
            raise _too_large(name, most, cards.size_of(hand))
    rng = np.random.default_rng([seed, 7])
    whole = _wished(ruleset, list(given), under, dict(wishes or {}), rng)
    rest = _shuffled(ruleset.deck_cards - sum(whole) - under, rng)
    texts = [_filled(hand, spec.hand, rest) for hand in whole]
    low = _filled(under, spec.bottom, rest)
    text = "|".join(["/".join(texts), low, cards.format_cards(_packed(rest))]).rstrip("|")
    return dealing.deal_from_text(rules, text, first=first, face_up=_face_up(ruleset, texts))


def completed_position(
    rules: AnyRules,
    hands: Sequence[str],
    sizes: Sequence[int],
    *,
    seed: int = 1,
    to_move: int = 0,
    beat: str = "",
    beat_by: int | None = None,
    landlords: Sequence[int] = (0,),
) -> Position:
    """Return an open position that holds the cards given, the others dealt from what is left.

    Args:
        rules: the game.
        hands: what each hand holds at least, in playing order; empty texts for nothing.
        sizes: how many cards each hand has.
        seed: of the cards that are dealt.
        to_move, beat, beat_by, landlords: as for :func:`ddz_core.positions.position`.

    Raises:
        NotationError, HandError: as for :func:`completed_deal`.
        NotACombination, DdzError: as for :func:`ddz_core.positions.position`.
    """
    ruleset = dealing.plain_rules(rules)
    dealing.check_seed(seed)
    if len(sizes) != len(hands):
        raise HandError(
            f"sizes: expected {len(hands)}, got {len(sizes)}",
            key="error.setting.sizes",
            field="sizes",
            expected=len(hands),
            got=len(sizes),
        )
    given = _parsed(hands, len(hands))
    laid = cards.parse_cards(beat.partition("=")[0])
    parts: list[tuple[str, Hand, int | None]] = [
        (f"hand {seat}", hand, None) for seat, hand in enumerate(given)
    ]
    dealing.check_cards(ruleset, [*parts, ("beat", laid, None)])
    for seat, (hand, size) in enumerate(zip(given, sizes, strict=True)):
        if cards.size_of(hand) > size:
            raise _too_large(f"hand {seat}", size, cards.size_of(hand))
    rest = _shuffled(ruleset.deck_cards - sum(given) - laid, np.random.default_rng([seed, 8]))
    if sum(sizes) - sum(map(cards.size_of, given)) > len(rest):
        raise _too_large("sizes", len(rest) + sum(map(cards.size_of, given)), sum(sizes))
    whole = [_filled(hand, size, rest) for hand, size in zip(given, sizes, strict=True)]
    return position(whole, to_move, beat or None, rules=rules, beat_by=beat_by, landlords=landlords)


def _parsed(hands: Sequence[str], seats: int) -> list[Hand]:
    if len(hands) != seats:
        raise HandError(
            f"hands: expected {seats}, got {len(hands)}",
            key="error.setting.sizes",
            field="hands",
            expected=seats,
            got=len(hands),
        )
    return [cards.parse_cards(hand) for hand in hands]


def _wished(
    ruleset: Ruleset,
    given: list[Hand],
    under: Hand,
    wishes: dict[int, Mapping[str, Any]],
    rng: np.random.Generator,
) -> list[Hand]:
    """Return the hands with the wished ones drawn whole, beside what lies elsewhere."""
    if not wishes:
        return given
    problem: DdzError | None = None
    for _ in range(TRIES):
        whole = list(given)
        try:
            for seat, wish in sorted(wishes.items()):
                dealing.check_seat(len(given), seat, field="wishes")
                elsewhere = sum(whole) - whole[seat] + under
                told = {"ranks": {}, **wish}
                told["ranks"] = _ranks(ruleset, whole[seat], elsewhere, dict(told["ranks"] or {}))
                found = hands_like(ruleset, **told, seed=int(rng.integers(2**31)))
                whole[seat] = cards.parse_cards(found.hands[0])
        except HandError as error:
            problem = error
            if len(wishes) == 1:
                break  # one wish beside fixed cards fails the same way again
        else:
            return whole
    assert problem is not None
    raise problem


def _ranks(
    ruleset: Ruleset,
    own: Hand,
    elsewhere: Hand,
    wished: dict[str, int | tuple[int, int]],
) -> dict[str, tuple[int, int]]:
    """Return least and most cards of each rank that a wished hand may hold."""
    deck, held = cards.counts_of(ruleset.deck_cards), cards.counts_of(own)
    gone = cards.counts_of(elsewhere)
    found = {}
    for rank in ruleset.deck.ranks:
        lane = cards.LANE[rank]
        asked = wished.get(rank, (0, deck[lane]))
        low, high = (asked, asked) if isinstance(asked, int) else asked
        bounds = max(low, held[lane]), min(high, deck[lane] - gone[lane])
        if bounds[0] > bounds[1]:
            raise HandError(
                f"ranks {rank}: {low} to {high} cards are wished, {bounds[1]} at most are left",
                key="error.setting.wish",
                field=f"ranks {rank}",
                expected=f"{held[lane]}–{deck[lane] - gone[lane]}",
                got=f"{low}–{high}",
                rank=rank,
            )
        if bounds != (0, deck[lane]):
            found[rank] = bounds
    return found


def _shuffled(hand: Hand, rng: np.random.Generator) -> list[str]:
    """Return the cards of a hand one by one, in random order."""
    return [str(card) for card in rng.permutation(list(cards.format_cards(hand)))]


def _filled(hand: Hand, size: int, rest: list[str]) -> str:
    """Return a hand filled up to a size from the cards that are left."""
    text = cards.format_cards(hand)
    while cards.size_of(hand) < size and len(text) < size:
        text += rest.pop()
    return cards.format_cards(cards.parse_cards(text))


def _packed(rest: Sequence[str]) -> Hand:
    return cards.parse_cards("".join(rest))


def _face_up(ruleset: Ruleset, texts: Sequence[str]) -> str | None:
    """Return a card to be shown while dealing, where the game shows one: the first that can be."""
    if ruleset.deal.face_up == "none":
        return None
    for seat, text in enumerate(texts):
        for rank in text:
            if rank not in "XD*":
                return f"{rank}@{seat}"
    return None


def _too_large(name: str, most: int, got: int) -> HandError:
    return HandError(
        f"{name}: expected at most {most} cards, got {got}",
        key="error.setting.large",
        field=name,
        expected=most,
        got=got,
    )
