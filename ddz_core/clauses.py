"""What a hand must hold to contain a combination, read from the rows of a ruleset.

Layer 3, under :mod:`ddz_core.counting`. A row turns into *clauses*: so many cards of these ranks,
and so many kicker groups elsewhere. A hand holds a kind exactly when one of its clauses is met; a
longer chain always contains the shortest, so that one length is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ddz_core import cards
from ddz_core.errors import RulesetError
from ddz_core.specs import Attachment, Kind, Ruleset, Step

Counts: TypeAlias = tuple[int, ...]
"""Cards by lane, sixteen numbers."""

NATURALS = 13
"""Lanes 0-12 are the ranks that a wild card may show."""

_SOME_CARDS = re.compile(r"[3-9TJQKA2XD*]+")


@dataclass(frozen=True, slots=True)
class Want:
    """Kicker groups that a clause asks for, anywhere outside its main part.

    Attributes:
        size: cards of one group.
        caps: most groups by lane.
        need: groups in all.
        one_joker: X and D may not both serve.
    """

    size: int
    caps: Counts
    need: int
    one_joker: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """One way to hold a kind: at least ``at`` cards by lane, and the kicker groups.

    Attributes:
        at: cards of the main part by lane.
        wants: kicker groups, none where the kind has none.
        wild: which fillings count: ``any`` number of wilds, ``none``, ``mixed`` (at least one wild
            and one natural card) or ``pure`` (nothing but wilds).
    """

    at: Counts
    wants: tuple[Want, ...] = ()
    wild: str = "any"


# --- cards of the game ---------------------------------------------------------------------------


def counts_in(ruleset: Ruleset, hand: cards.Hand, twin: str = "") -> Counts:
    """Return a hand by lane, cards of a fixed wild rank in the marked lane.

    Args:
        ruleset: the game.
        hand: packed cards.
        twin: rank of the marked card where it is the twin of a face-up card: it counts as its rank.
    """
    counts = list(cards.counts_of(hand))
    if ruleset.wilds.mode == "rank" and ruleset.wilds.rank:
        lane = cards.LANE[ruleset.wilds.rank]
        counts[cards.MARKED] += counts[lane]
        counts[lane] = 0
    if twin:
        counts[cards.LANE[twin]] += counts[cards.MARKED]
        counts[cards.MARKED] = 0
    return tuple(counts)


def deck_of(ruleset: Ruleset) -> Counts:
    """Return all cards of the game by lane, as :func:`counts_in` counts them."""
    counts = list(counts_in(ruleset, ruleset.deck_cards))
    if ruleset.wilds.mode == "red7" and not counts[cards.MARKED]:
        counts[cards.MARKED] = counts[cards.LANE["7"]] // 2
        counts[cards.LANE["7"]] -= counts[cards.MARKED]
    return tuple(counts)


def text_of(ruleset: Ruleset, counts: Sequence[int]) -> str:
    """Return counts by lane as text; cards of a fixed wild rank are written as that rank."""
    found = list(counts)
    if ruleset.wilds.mode == "rank" and ruleset.wilds.rank:
        found[cards.LANE[ruleset.wilds.rank]] += found[cards.MARKED]
        found[cards.MARKED] = 0
    return cards.format_cards(cards.from_counts(found))


# --- from rows to clauses ------------------------------------------------------------------------


def kind_ids(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the ids of kinds and ladder rows in force, each once."""
    ids = [row.id for row in ruleset.kinds_in_force()]
    return tuple(dict.fromkeys([*ids, *(step.id for step in ruleset.ladder_in_force())]))


def clauses_of(ruleset: Ruleset, names: Sequence[str]) -> tuple[Clause, ...]:
    """Return the clauses of kinds named ``kind``, ``kind:length`` or ``kind:length:top``.

    The length of a chain is its least number of groups, that of a bomb its least number of cards;
    the top is exactly that rank. Cards such as ``22`` or ``XD`` ask for at least those cards.

    Raises:
        RulesetError: for a name that is no kind of this game, or a length it cannot have.
    """
    found: list[Clause] = []
    for name in names:
        if _SOME_CARDS.fullmatch(name):
            found.append(Clause(at=counts_in(ruleset, cards.parse_cards(name)), wild="none"))
            continue
        kind, _, rest = name.partition(":")
        length, _, top = rest.partition(":")
        rows = [row for row in ruleset.kinds_in_force() if row.id == kind]
        steps = [step for step in ruleset.ladder_in_force() if step.id == kind]
        if not (rows or steps):
            raise unknown_kind(ruleset, name)
        if (length and not length.isdecimal()) or (top and top not in cards.RANKS):
            raise unknown_kind(ruleset, name)
        count = int(length) if length else 0
        mine = [c for row in rows for c in _of_kind(ruleset, row, count, top)]
        mine += [c for step in steps for c in _of_step(ruleset, step, count, top)]
        if not mine:
            raise unknown_kind(ruleset, name)
        found += mine
    return _without_stronger(list(dict.fromkeys(found)))


def unknown_kind(ruleset: Ruleset, name: str) -> RulesetError:
    """Return the error for a name that is no kind of this game."""
    known = ", ".join(kind_ids(ruleset))
    return RulesetError(
        f"kinds: {name!r} is no kind of this game; there are {known}",
        key="error.odds.kind",
        field="kinds",
        expected=known,
        got=name,
    )


def _at(lanes: Sequence[int], size: int) -> Counts:
    return tuple(size if lane in lanes else 0 for lane in range(cards.LANES))


def bodies(ruleset: Ruleset, row: Kind, length: int, top: str = "") -> Iterator[tuple[int, ...]]:
    """Yield the main parts of a row of exactly this length, as lanes in the order of the row."""
    order = ruleset.order(row.body.order)
    may = set(row.body.ranks or ruleset.deck.ranks) & set(ruleset.deck.ranks)
    for start in range(len(order) - length + 1):
        ranks = order[start : start + length]
        if set(ranks) <= may and len(set(ranks)) == length and (not top or ranks[-1] == top):
            yield tuple(cards.LANE[rank] for rank in ranks)


def group_size(row: Kind) -> int:
    """Return the cards of one group of a row with its kickers."""
    return row.body.size + sum(a.size * a.per for a in row.attach)


def _of_kind(ruleset: Ruleset, row: Kind, length: int, top: str) -> Iterator[Clause]:
    """Yield the clauses of one row; a longer chain always contains the shortest."""
    low, high = row.body.run
    length = length or low
    if not low <= length <= high or length * group_size(row) > ruleset.largest_hand:
        return
    for body in bodies(ruleset, row, length, top):
        yield from _with_kickers(ruleset, row, body)


def _with_kickers(ruleset: Ruleset, row: Kind, body: tuple[int, ...]) -> Iterator[Clause]:
    """Yield the clauses of one main part: consecutive kickers are spelt out, others wanted."""
    for at in placements(ruleset, row, body):
        yield Clause(at=at, wants=tuple(_wants(ruleset, row, body, at, loose(row))))


def loose(row: Kind) -> list[Attachment]:
    """Return the attachments of a row that need not be consecutive."""
    return [attachment for attachment in row.attach if not attachment.run]


def placements(ruleset: Ruleset, row: Kind, body: tuple[int, ...]) -> list[Counts]:
    """Return a main part together with each choice of its consecutive kickers, if it has any."""
    placed: list[Counts] = [_at(body, row.body.size)]
    for attachment in (a for a in row.attach if a.run):
        groups = attachment.per * len(body)
        order = ruleset.order(attachment.run)
        may = set(attachment.ranks or ruleset.deck.ranks) & set(ruleset.deck.ranks)
        runs = dict.fromkeys(
            tuple(sorted(cards.LANE[c] for c in order[start : start + groups]))
            for start in range(len(order) - groups + 1)
            if set(order[start : start + groups]) <= may
            and len(set(order[start : start + groups])) == groups
        )
        placed = [
            tuple(a + b for a, b in zip(at, _at(run, attachment.size), strict=True))
            for at in placed
            for run in runs
            if not any(at[lane] for lane in run)
        ]
    return placed


def caps_of(
    ruleset: Ruleset, row: Kind, body: tuple[int, ...], at: Counts, attachment: Attachment
) -> Counts:
    """Return how many groups of an attachment each lane may give beside a main part."""
    may = set(attachment.ranks or ruleset.deck.ranks)
    default = ruleset.kickers
    if attachment.size == 1:
        most = attachment.max_equal or default.max_equal
    else:
        most = attachment.max_equal or (2 if default.bomb_as_pairs and attachment.size == 2 else 1)
    repeat = attachment.main_rank if attachment.main_rank is not None else default.main_rank
    repeat = repeat and attachment.size == 1 and row.body.run[1] > 1
    caps = [
        most if rank in may and (repeat or not at[lane]) else 0
        for lane, rank in enumerate(cards.RANKS)
    ]
    joins = attachment.next_triple if attachment.next_triple is not None else default.next_triple
    if not joins and attachment.size == 1 and row.body.run[1] > 1:
        order = ruleset.order(row.body.order)
        first = _place(order, body)
        for beside in (first - 1, first + len(body)):
            if 0 <= beside < len(order):
                lane = cards.LANE[order[beside]]
                caps[lane] = min(caps[lane], row.body.size - 1)
    return (*caps, 0)


def _place(order: str, body: tuple[int, ...]) -> int:
    return order.index("".join(cards.RANKS[lane] for lane in body))


def joker_limit(ruleset: Ruleset, attachment: Attachment) -> bool:
    """Tell whether X and D may not both be kickers of this attachment."""
    both = attachment.both_jokers
    return attachment.size == 1 and not (ruleset.kickers.both_jokers if both is None else both)


def _wants(
    ruleset: Ruleset, row: Kind, body: tuple[int, ...], at: Counts, free: list[Attachment]
) -> Iterator[Want]:
    """Yield what free kickers ask for; of two, every larger group also counts as a smaller one."""
    larger = 0
    for attachment in sorted(free, key=lambda a: -a.size):
        caps = caps_of(ruleset, row, body, at, attachment)
        if len(free) > 1 and max(caps) > 1:
            raise RulesetError(
                f"play.kind.{row.id}.with: two attachments whose groups share ranks",
                key="error.ruleset.bounds",
                field=f"play.kind.{row.id}.with",
                expected="max_equal = 1",
                got=max(caps),
            )
        larger += attachment.per * len(body)
        yield Want(
            size=attachment.size,
            caps=caps,
            need=larger,
            one_joker=joker_limit(ruleset, attachment),
        )


def _of_step(ruleset: Ruleset, step: Step, size: int, top: str) -> Iterator[Clause]:
    """Yield the clauses of one row of the ladder."""
    if step.size:
        if step.size >= size:
            for rank in ruleset.deck.ranks:
                lane = cards.LANE[rank]
                if lane < NATURALS and top in ("", rank):
                    yield Clause(at=_at([lane], step.size), wild=step.wild)
        return
    for text in (one for equal in step.cards for one in equal.split("=")):
        if len(text) >= size and top in ("", text[-1]):
            yield Clause(at=cards.counts_of(cards.parse_cards(text)), wild="none")


def beating(
    ruleset: Ruleset, kind: str, length: int, top: str, number: int
) -> tuple[tuple[Clause, ...], tuple[Clause, ...]]:
    """Return what a hand must hold to beat a combination, without bombs and with them.

    Args:
        ruleset: the game.
        kind: id of the combination.
        length: groups of its main part.
        top: its highest rank. Where triples decide between equal tops, those are not looked at.
        number: its cards.

    Raises:
        RulesetError: for a kind that this game does not have.
    """
    plain: list[Clause] = []
    for row in ruleset.kinds_in_force():
        if row.id == kind and row.body.run[0] <= length <= row.body.run[1]:
            order = ruleset.order(row.body.order if length > 1 else "rank")
            table = order.index(top, length - 1)
            plain += [
                clause
                for body in bodies(ruleset, row, length)
                if _place(order, body) + length - 1 > table
                for clause in _with_kickers(ruleset, row, body)
            ]
    steps = ruleset.ladder_in_force()
    above: tuple[Step, ...] = steps
    bombs: list[Clause] = []
    for place, step in enumerate(steps):
        if step.id == kind and step.size == number:
            above = steps[place + 1 :]
            lanes = range(cards.LANE[top] + 1, NATURALS)
            bombs += [c for rank in lanes for c in _of_step(ruleset, step, 0, cards.RANKS[rank])]
        sets = [text.split("=") for text in step.cards]
        if step.id == kind and any(len(one) == number for equal in sets for one in equal):
            above = steps[place + 1 :]
            mine = next((i for i, equal in enumerate(sets) if equal[0][-1] == top), len(sets))
            for one in (text for equal in sets[mine + 1 :] for text in equal):
                bombs.append(Clause(at=cards.counts_of(cards.parse_cards(one)), wild="none"))
    if not plain and kind not in kind_ids(ruleset):
        raise unknown_kind(ruleset, kind)
    bombs += [clause for step in above for clause in _of_step(ruleset, step, 0, "")]
    return _without_stronger(plain), _without_stronger(bombs)


def _without_stronger(found: list[Clause]) -> tuple[Clause, ...]:
    """Drop clauses that imply one without kickers."""
    plain = [c for c in found if not c.wants and c.wild in ("any", "none")]
    return tuple(
        clause
        for clause in found
        if not any(
            other is not clause
            and (other.wild == clause.wild or other.wild == "any")
            and all(a <= b for a, b in zip(other.at, clause.at, strict=True))
            for other in plain
        )
    )
