"""Why cards form no combination, found from the rows.

Layer 1. No game is known here: one limit of the ruleset after the other is relaxed, and the limit
whose absence gives the cards a reading is the reason. What remains (holes in runs, kickers of a
wrong number) is told from the rows' shapes.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from ddz_core import cards
from ddz_core.language import Phrase
from ddz_core.patterns.combination import Combination
from ddz_core.patterns.reading import readings
from ddz_core.specs import Attachment, Kind, Kinds, Ruleset

RELAXED: dict[str, object] = {
    "both_jokers": True,
    "main_rank": True,
    "bomb_as_pairs": True,
    "next_triple": True,
    "max_equal": 4,
}
"""The kicker options at their most generous."""

_ROW_OPTIONS = frozenset(Attachment.__struct_fields__)
_JOKERS = frozenset("XD")


class Reason(NamedTuple):
    """Why cards are not legal.

    Attributes:
        key: catalogue key of the sentence, in the domain ``rules``.
        params: its values by name; kinds are phrases, worded with the sentence.
    """

    key: str
    params: dict[str, object]


def kind_phrase(kind: str) -> Phrase:
    """Return the name of a kind, to be worded with the sentence that holds it."""
    return Phrase(f"kind.{kind}")


def reasons_against(ruleset: Ruleset, hand: cards.Hand) -> list[Reason]:
    """Return why a set of cards without a reading has none, the most telling reason first."""
    number = cards.size_of(hand)
    if not number:
        return [Reason("why.no_cards", {})]
    if number > ruleset.largest_hand:
        return [Reason("why.too_many_cards", {"n": number, "most": ruleset.largest_hand})]
    for attempt in (_switched_off, _kicker_options, _short_runs, _runs, _jokers, _kickers):
        found = attempt(ruleset, hand)
        if found:
            return list({reason.key: reason for reason in found}.values())
    return [Reason("why.no_shape", {})]


# --- relaxing ------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=512)
def _with_options(ruleset: Ruleset, names: tuple[str, ...]) -> Ruleset:
    """Return a ruleset with some kicker options relaxed, in the rows as well."""
    options = {name: RELAXED[name] for name in names}
    in_rows = {name: value for name, value in options.items() if name in _ROW_OPTIONS}

    def relaxed(attachment: Attachment) -> Attachment:
        own = {n: v for n, v in in_rows.items() if getattr(attachment, n) is not None}
        return msgspec.structs.replace(attachment, **own)

    def relaxed_row(row: Kind) -> Kind:
        if len(row.attach) != 1:
            return row
        return msgspec.structs.replace(row, attach=(relaxed(row.attach[0]),))

    play = msgspec.structs.replace(
        ruleset.play, kind=tuple(relaxed_row(row) for row in ruleset.play.kind)
    )
    kickers = msgspec.structs.replace(ruleset.kickers, **options)
    return msgspec.structs.replace(ruleset, kickers=kickers, play=play)


@functools.lru_cache(maxsize=128)
def _all_kinds(ruleset: Ruleset) -> Ruleset:
    """Return a ruleset with every kind switched on."""
    return msgspec.structs.replace(ruleset, kinds=Kinds())


@functools.lru_cache(maxsize=128)
def _any_run(ruleset: Ruleset) -> Ruleset:
    """Return a ruleset whose runs may have two groups."""

    def shorter(row: Kind) -> Kind:
        low, high = row.body.run
        body = msgspec.structs.replace(row.body, run=(min(low, 2), high))
        return msgspec.structs.replace(row, body=body)

    play = msgspec.structs.replace(
        ruleset.play, kind=tuple(shorter(row) for row in ruleset.play.kind)
    )
    return msgspec.structs.replace(ruleset, play=play)


def _switched_off(ruleset: Ruleset, hand: cards.Hand) -> list[Reason]:
    """Find kinds that are switched off."""
    if not ruleset.kinds.off:
        return []
    return [
        Reason("why.kind_off", {"kind": kind_phrase(reading.kind)})
        for reading in readings(_all_kinds(ruleset), hand)[:1]
    ]


def _kicker_options(ruleset: Ruleset, hand: cards.Hand) -> list[Reason]:
    """Find the kicker options that stand in the way: each that would do alone, else a few."""
    found = []
    for name in RELAXED:
        read = readings(_with_options(ruleset, (name,)), hand)
        if read:
            found.append(_option_reason(ruleset, name, read[0]))
    if found:
        return found
    names = tuple(RELAXED)
    if not readings(_with_options(ruleset, names), hand):
        return []
    for name in RELAXED:
        fewer = tuple(other for other in names if other != name)
        if readings(_with_options(ruleset, fewer), hand):
            names = fewer
    read = readings(_with_options(ruleset, names), hand)
    return [_option_reason(ruleset, name, read[0]) for name in names]


def _option_reason(ruleset: Ruleset, name: str, reading: Combination) -> Reason:
    """Say what an option forbids in a reading."""
    kickers = reading.kickers
    params: dict[str, object] = {"kind": kind_phrase(reading.kind), "kickers": kickers}
    if name == "both_jokers":
        return Reason("why.both_jokers", params)
    if name == "main_rank":
        ranks = "".join(r for r in dict.fromkeys(kickers) if r in reading.main)
        return Reason("why.kicker_repeats_main", params | {"ranks": ranks})
    if name == "bomb_as_pairs":
        ranks = "".join(r for r in dict.fromkeys(kickers) if kickers.count(r) == 4)
        return Reason("why.bomb_as_pairs", params | {"ranks": ranks})
    if name == "next_triple":
        ranks = "".join(r for r in dict.fromkeys(kickers) if kickers.count(r) >= 3)
        return Reason("why.next_triple", params | {"ranks": ranks})
    most = ruleset.kickers.max_equal
    ranks = "".join(r for r in dict.fromkeys(kickers) if kickers.count(r) > most)
    return Reason("why.max_equal", params | {"ranks": ranks, "most": most})


def _short_runs(ruleset: Ruleset, hand: cards.Hand) -> list[Reason]:
    """Find runs that are too short."""
    found = readings(_any_run(ruleset), hand)
    if not found:
        return []
    reading = found[0]
    row = next(row for row in ruleset.kinds_in_force() if row.id == reading.kind)
    if 2 * reading.length < row.body.run[0]:  # two neighbours are hardly meant as a straight
        return []
    return [
        Reason(
            "why.run_too_short",
            {
                "kind": kind_phrase(reading.kind),
                "least": row.body.run[0],
                "got": reading.length,
                "size": row.body.size,
            },
        )
    ]


# --- shapes --------------------------------------------------------------------------------------


def _ranks_with(hand: cards.Hand, least: int, most: int = cards.MOST_EQUAL) -> str:
    """Return the ranks of which a hand has at least (and at most) so many cards."""
    counts = cards.counts_of(hand)
    return "".join(r for lane, r in enumerate(cards.RANKS) if least <= counts[lane] <= most)


def _run_rows(ruleset: Ruleset) -> Iterator[tuple[Kind, str]]:
    """Yield the rows of runs, each with its order."""
    for row in ruleset.kinds_in_force():
        if row.body.run[1] > 1:
            yield row, ruleset.order(row.body.order)


def _runs(ruleset: Ruleset, hand: cards.Hand) -> list[Reason]:
    """Find runs with a hole, or with a rank that takes no part in runs."""
    for row, order in _run_rows(ruleset):
        group = row.body.size + sum(a.size * a.per for a in row.attach)
        size, low = row.body.size, row.body.run[0]
        ranks = _ranks_with(hand, size) if row.attach else _ranks_with(hand, size, size)
        if len(ranks) * group != cards.size_of(hand) or len(ranks) < 2:
            continue
        inside = sorted(order.index(rank) for rank in ranks if rank in order)
        outside = "".join(rank for rank in ranks if rank not in order)
        if not inside:
            continue
        missing = [order[i] for i in range(inside[0], inside[-1]) if i not in inside]
        params: dict[str, object] = {
            "kind": kind_phrase(row.id),
            "low": order[0],
            "high": order[-1],
            "ranks": outside,
            "missing": "".join(missing),
        }
        if outside and len(ranks) >= low and (not missing or _wraps(inside, order)):
            return [Reason("why.two_in_run" if outside == "2" else "why.rank_in_run", params)]
        if not outside and _wraps(inside, order) and len(ranks) >= low:
            return [Reason("why.run_over_end", params)]
        whole = len(ranks) + len(missing)
        near = len(missing) == 1 or (len(missing) == 2 and len(ranks) >= low)
        if not outside and missing and near and whole >= low:
            return [Reason("why.gap", params)]
    return []


def _wraps(inside: list[int], order: str) -> bool:
    """Tell whether places make one run when the end of the order is joined to its beginning."""
    end = len(order) - 1 - (order[0] == order[-1])
    if inside[0] != 0 or inside[-1] != end:
        return False
    return sum(b - a > 1 for a, b in itertools.pairwise(inside)) == 1


def _jokers(_: Ruleset, hand: cards.Hand) -> list[Reason]:
    """Find jokers of both sorts taken for a pair."""
    text = cards.format_cards(hand)
    if set(text) == _JOKERS and len(text) == 2:
        return [Reason("why.jokers_no_pair", {})]
    return []


class _Body(NamedTuple):
    """A main part found in some cards, and what lies beside it."""

    main: str
    groups: int
    rest: str


def _bodies(ruleset: Ruleset, hand: cards.Hand) -> dict[_Body, list[Kind]]:
    """Return the largest main parts of rows with kickers that the cards hold, with those rows."""
    found: dict[_Body, list[Kind]] = {}
    for row in ruleset.kinds_in_force():
        if not row.attach:
            continue
        order = ruleset.order(row.body.order)
        ranks = _ranks_with(hand, row.body.size)
        low, high = row.body.run
        for length in range(low, min(high, len(order)) + 1):
            for start in range(len(order) - length + 1):
                run = order[start : start + length]
                if all(r in ranks and (not row.body.ranks or r in row.body.ranks) for r in run):
                    body = sum(row.body.size << 4 * cards.LANE[r] for r in run)
                    beside = cards.format_cards(hand - body)
                    main = cards.format_cards(body)
                    found.setdefault(_Body(main, length, beside), []).append(row)
    most = max((len(body.main) for body in found), default=0)
    return {body: rows for body, rows in found.items() if len(body.main) == most and body.rest}


def _kickers(ruleset: Ruleset, hand: cards.Hand) -> list[Reason]:
    """Find kickers of a wrong number or sort, beside the largest main part that is there."""
    for body, rows in _bodies(ruleset, hand).items():
        needed = {row.id: sum(a.size * a.per for a in row.attach) * body.groups for row in rows}
        params: dict[str, object] = {
            "main": body.main,
            "kickers": body.rest,
            "got": len(body.rest),
            "need": ", ".join(map(str, sorted(set(needed.values())))),
        }
        exact = [row for row in rows if needed[row.id] == len(body.rest)]
        check: Callable[[Kind], Reason | None] = functools.partial(_sort_of, body, params)
        for reason in map(check, exact):
            if reason is not None:
                return [reason]
        ranks = len(set(body.rest))
        if _mixed(body, ranks, needed):
            return [Reason("why.kickers_mixed", params)]
        if not exact and len(body.rest) <= 2 * max(needed.values()):
            return [Reason("why.kickers_number", params)]
    return []


def _mixed(body: _Body, ranks: int, needed: dict[str, int]) -> bool:
    """Tell whether kickers are as many ranks as asked for, but some are single and some not."""
    numbers = {body.rest.count(rank) for rank in body.rest}
    return (
        len(numbers) > 1
        and ranks in needed.values()
        and min(needed.values()) < len(body.rest) < max(needed.values())
    )


def _sort_of(body: _Body, params: dict[str, object], row: Kind) -> Reason | None:
    """Say why as many kickers as a row asks for are none, because of their ranks."""
    attachment = row.attach[0]
    params = params | {"kind": kind_phrase(row.id)}
    numbers = {rank: body.rest.count(rank) for rank in body.rest}
    if len(row.attach) > 1:
        return None
    others = [number for rank, number in numbers.items() if rank not in _JOKERS]
    even = not any(number % 2 for number in others)
    if attachment.size == 2 and even and numbers.get("X") == numbers.get("D") == 1:
        return Reason("why.jokers_no_pair", params)
    repeated = "".join(rank for rank in numbers if rank in body.main)
    if repeated:
        return Reason("why.kicker_repeats_main", params | {"ranks": repeated})
    if any(number % attachment.size for number in numbers.values()):
        key = "why.kickers_not_pairs" if attachment.size == 2 else "why.kickers_not_equal"
        return Reason(key, params | {"size": attachment.size})
    if attachment.run and len(numbers) > 1:
        return Reason("why.kickers_not_run", params)
    return None
