"""What a set of cards can do: readings, what beats them and what they beat, plays, house rules.

Layer 3. Everything is counted over sets of cards from the rows of the ruleset; nothing here knows a
kind by name. A *pool* is any part of the deck: the whole deck, the unseen cards, another hand. Two
plays with the same main part and other kickers compare alike, so counts come twice: main parts and
sets of cards.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from ddz_core import cards, codes, patterns, probability
from ddz_core.display import stamped
from ddz_core.errors import RulesetError
from ddz_core.patterns import Combination, Move
from ddz_core.rules import Rules, load_ruleset
from ddz_core.specs import Kickers

if TYPE_CHECKING:
    import pandas as pd

PLAY_COLUMNS = ("kind", "length", "top", "main", "kickers", "cards", "size")
"""Columns of a list of plays."""


@dataclass(frozen=True, slots=True)
class Rival:
    """The plays of one kind in a pool that beat a combination, or that it beats.

    Attributes:
        kind: id of the kind.
        mains: different main parts.
        sets: different sets of cards, kickers included.
        lowest, highest: the weakest and the strongest of them.
    """

    kind: str
    mains: int
    sets: int
    lowest: Move
    highest: Move


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a set of cards, with the plays that it meets in a pool.

    Attributes:
        combination: the reading.
        beaten_by: what beats it, by kind, in the order of the ruleset; bombs last.
        beats: what it beats, by kind.
        weaker: whether another reading of the same cards compares with the same plays and is
            higher, so that this one is never better.
    """

    combination: Combination
    beaten_by: tuple[Rival, ...]
    beats: tuple[Rival, ...]
    weaker: bool = False


def readings(hand: str | cards.Hand, rules: Rules, pool: str | cards.Hand = "") -> list[Reading]:
    """Return every reading of some cards with what beats it and what it beats in a pool.

    Args:
        hand: the cards.
        rules: the game.
        pool: the cards that others may play from; empty for the whole deck.

    Raises:
        NotationError, HandError: if cards cannot be read or cannot exist in this game.
    Cost: some 50 ms a reading for a whole deck, less for smaller pools.

    >>> [r.combination.kind for r in readings("333444555666", load_ruleset("classic"))]
    ['plane', 'plane_singles', 'plane_singles']
    """
    packed = cards.parse_cards(pool) if pool else rules.ruleset.deck_cards
    found = patterns.readings(rules.ruleset, cards.parse_cards(hand))
    leads = patterns.moves(rules.ruleset, packed) if found else []
    return [
        Reading(
            one,
            _grouped(move for move in leads if patterns.outranks(move, one)),
            _grouped(move for move in leads if patterns.outranks(one, move)),
            weaker=any(patterns.outranks(other, one) and _alike(other, one) for other in found),
        )
        for one in found
    ]


def _alike(a: Combination, b: Combination) -> bool:
    return (a.kind, a.length, a.size) == (b.kind, b.length, b.size)


def _grouped(moves: Iterable[Move]) -> tuple[Rival, ...]:
    """Return plays counted by kind; main parts are told apart by the kernels' code."""
    kinds: dict[str, list[Move]] = {}
    for move in moves:
        kinds.setdefault(move.kind, []).append(move)
    return tuple(
        Rival(
            kind,
            len({move.code for move in group}),
            len({move.hand for move in group}),
            min(group, key=lambda move: move.code),
            max(group, key=lambda move: move.code),
        )
        for kind, group in kinds.items()
    )


def unseen(hand: str | cards.Hand, rules: Rules, also: str | cards.Hand = "") -> str:
    """Return the cards of the game that lie neither in a hand nor among others that are known.

    Raises:
        HandError: if the deck does not have them all.
    """
    deck = rules.ruleset.deck_cards
    held = cards.parse_cards(hand) + cards.parse_cards(also)
    if not cards.contains(deck, held):
        patterns.readings(rules.ruleset, held)
    return cards.format_cards(deck - held)


def plays(
    hand: str | cards.Hand,
    rules: Rules,
    *,
    kinds: Sequence[str] = (),
    holding: str = "",
    beat: str = "",
) -> list[Move]:
    """Return the plays of a hand, filtered.

    Args:
        hand: the cards to play from.
        rules: the game.
        kinds: ids of the kinds wanted; empty for all.
        holding: cards that each play must hold.
        beat: what lies on the table; empty for a lead.

    Raises:
        NotationError, HandError, NotACombination: as :func:`ddz_core.patterns.moves`.
    """
    part = cards.parse_cards(holding)
    return [
        move
        for move in rules.moves(hand, beat=beat or None)
        if (not kinds or move.kind in kinds) and cards.contains(move.hand, part)
    ]


def rows(moves: Sequence[Move]) -> list[dict[str, object]]:
    """Return plays as rows with the columns :data:`PLAY_COLUMNS`."""
    return [
        {
            "kind": move.kind,
            "length": move.length,
            "top": move.top,
            "main": move.main,
            "kickers": move.kickers,
            "cards": move.cards,
            "size": len(move.cards),
        }
        for move in moves
    ]


def frame(moves: Sequence[Move], rules: Rules) -> pd.DataFrame:
    """Return plays as a pandas frame, with the hash of the rules."""
    import pandas as pd

    made = pd.DataFrame(rows(moves), columns=list(PLAY_COLUMNS))
    return stamped(made, rules=rules.id, rules_hash=rules.hash)


def csv_text(records: Sequence[Mapping[str, object]]) -> str:
    """Return rows as CSV text, the columns those of the first row; empty text for no rows."""
    if not records:
        return ""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue()


def frequencies(rules: Rules, sizes: Sequence[int] = ()) -> list[dict[str, object]]:
    """Return how often each kind turns up in random hands, a row for each kind and size.

    The columns are ``kind, cards, chance, low, high, mean, method, n, seed``; ``mean`` is how many
    combinations of the kind a hand holds on average.
    """
    return [
        {
            "kind": one.kind,
            "cards": one.n,
            "chance": one.chance.value,
            "low": one.chance.low,
            "high": one.chance.high,
            "mean": one.mean.value,
            "method": one.chance.method,
            "n": one.chance.n,
            "seed": one.chance.seed,
        }
        for one in probability.frequency_table(rules, sizes)
    ]


def chains(rules: Rules) -> dict[str, list[int]]:
    """Return the kinds that are chains in a game, each with the lengths that it can have."""
    return {
        row.id: lengths
        for row in rules.ruleset.kinds_in_force()
        if row.body.run[1] > 1 and len(lengths := probability.lengths_of(rules.ruleset, row.id))
    }


def chain_bodies(rules: Rules, kind: str, length: int) -> list[str]:
    """Return every chain of a kind and length as its ranks, low to high."""
    orders = [
        (rules.ruleset.order(row.body.order), row.body.ranks)
        for row in rules.ruleset.kinds_in_force()
        if row.id == kind
    ]
    return [
        order[at : at + length]
        for order, allowed in orders
        for at in range(len(order) - length + 1)
        if len(set(order[at : at + length])) == length
        and all(not allowed or rank in allowed for rank in order[at : at + length])
    ]


# --- house rules ---------------------------------------------------------------------------------


MOST_EQUAL = 4
"""Most equal single kickers that a ruleset may allow."""


@dataclass(frozen=True, slots=True)
class Option:
    """One switch over kickers.

    Attributes:
        path: dotted path of the rule.
        value: the value in force.
        choices: all values it may have.
    """

    path: str
    value: object
    choices: tuple[object, ...]


def options(rules: Rules) -> list[Option]:
    """Return the switches over kickers with the values in force."""
    return [
        Option(
            f"kickers.{field.name}",
            getattr(rules.ruleset.kickers, field.name),
            (False, True) if field.type is bool else tuple(range(1, _most_equal(rules) + 1)),
        )
        for field in msgspec.structs.fields(Kickers)
    ]


def _most_equal(rules: Rules) -> int:
    return min(MOST_EQUAL, max(cards.counts_of(rules.ruleset.deck_cards)))


def elsewhere(hand: str | cards.Hand, rules: Rules) -> list[tuple[Option, list[Combination]]]:
    """Return the single switches that would give some cards readings that they do not have now.

    Returns:
        The switch with the value to set, and the readings that are new with it.
    """
    packed = cards.parse_cards(hand)
    now = {(one.kind, one.length, one.top) for one in rules.readings(packed)}
    found = []
    for option in options(rules):
        for choice in option.choices:
            if choice == option.value:
                continue
            try:
                changed = load_ruleset(rules.id, {**rules.overrides, option.path: choice})
            except RulesetError:  # contradicts another house rule in force
                continue
            new = [
                one
                for one in changed.readings(packed)
                if (one.kind, one.length, one.top) not in now
            ]
            if new:
                found.append((Option(option.path, choice, option.choices), new))
                break
    return found


def overrides_text(overrides: Mapping[str, Any]) -> str:
    """Return house rules as one JSON text with sorted paths; empty for none."""
    if not overrides:
        return ""
    return json.dumps(dict(overrides), sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def read_overrides(ruleset_id: str, text: str) -> Rules:
    """Return the rules of a game with the house rules of a text made by :func:`overrides_text`.

    Raises:
        RecordError: if the text is no JSON object.
        RulesetError: if a path or value is wrong.
    """
    found = codes.read_overrides(text, field="overrides") if text else None
    return load_ruleset(ruleset_id, found)


def code_lines(rules: Rules, *lines: str) -> str:
    """Return Python lines that give what a page shows: the imports, the rules, then these."""
    return "\n".join(
        [
            "import ddz_core as ddz",
            "from ddz_core import explorer",
            "",
            f"rules = ddz.{rules!r}",
            *lines,
        ]
    )
