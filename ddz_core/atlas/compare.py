"""What changes between two rulesets, line by line, each with an example that the engine found."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ddz_core import scoring
from ddz_core.atlas.lines import Line, describe, example_of, playable
from ddz_core.cards import parse_cards, size_of
from ddz_core.errors import DdzError, RulesetError
from ddz_core.rules import Rules, load_ruleset

if TYPE_CHECKING:
    from ddz_core.auction import Bidding

LADDER_HANDS = ("4444XD", "444455556666XD", "4444XDXD", "33344455566678XD")
"""Hands with bombs and jokers, for any deck that has them."""

KICKER_HANDS = (
    "33334444",
    "33334445",
    "JJJJ77",
    "33344455",
    "333444XD",
    "333444555666",
    "3334445556667778",
    "3334445555",
    "3334445556667777",
)
"""Hands on whose plays the tables of this country disagree."""

LARGEST = 20
"""Cards of a sample hand, at most."""

SHOWN_BY = {
    "raise_each": "factor",
    "show": "shows",
    "reveal": "reveal",
    "double": "doubles",
    "declare": "declared",
    "open": "open",
}
"""The fact that shows what a declaration does."""

WHOLE = ("auction.mechanism", "wilds.mode", "score.base")
"""Fields that change a game as a whole; their example compares the two games as they are."""

MOST_TRIED = 40
"""Plays of one sample hand that are compared, shortest first."""

MOST_CALLS = 4
"""Calls of an example bidding, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Something that is one way under one ruleset and another way under the other.

    Attributes:
        what: ``play`` (a lead), ``answer`` (a play over another), ``calls`` (a bidding), ``score``.
        cards: the cards of a play.
        beat: what lies on the table, for an answer.
        calls: the calls of a bidding, seat 0 first.
        facts: the bare facts of a score.
        before, after: the outcome under each: names of kinds, empty where illegal; for a bidding
            its status (and seat); for a score the points.
        base: empty where the outcomes are those of the two games as they are; ``a`` where ``after``
            is the first game with this one field changed, ``b`` where ``before`` is the second game
            without it.
        wild: the rank taken as wild in the example, where the game draws one.
    """

    what: Literal["play", "answer", "calls", "score"]
    cards: str = ""
    beat: str = ""
    calls: tuple[str, ...] = ()
    facts: tuple[tuple[str, object], ...] = ()
    before: tuple[object, ...] = ()
    after: tuple[object, ...] = ()
    base: Literal["", "a", "b"] = ""
    wild: str = ""

    def asked(self) -> dict[str, object]:
        """Return the facts of a score by name."""
        return dict(self.facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One field that two rulesets have differently.

    Attributes:
        path: dotted path of the field.
        group: group of its lines.
        before, after: its line in each; None where that ruleset has no such row.
        example: where it shows, if the engine found a case.
    """

    path: str
    group: str
    before: Line | None
    after: Line | None
    example: Example | None = None


def differences(a: Rules, b: Rules, *, examples: bool = True) -> list[Difference]:
    """Return every field that two rulesets have differently, in reading order.

    A line that is quiet on both sides (a parameter of something that neither game has) is left out.

    Cost: some tenths of a second with examples, because each asks the engine for plays of sample
    hands under both rulesets.
    """
    before = {line.path: line for line in describe(a, quiet=True)}
    after = {line.path: line for line in describe(b, quiet=True)}
    found = []
    paths = dict.fromkeys([*before, *after])
    for path in paths:
        old, new = before.get(path), after.get(path)
        if any(other.startswith(path + ".") for other in paths):
            continue  # an empty table on one side; its rows stand for it
        if old is not None and new is not None and _same(old, new):
            continue
        if all(line is None or line.quiet for line in (old, new)):
            continue
        shown = new or old
        assert shown is not None
        example = _isolated(a, b, path, old, new) if examples else None
        found.append(
            Difference(path=path, group=shown.group, before=old, after=new, example=example)
        )
    order = list(dict.fromkeys(line.group for line in describe(a, quiet=True)))
    found.sort(key=lambda one: order.index(one.group) if one.group in order else len(order))
    return found


def _same(old: Line, new: Line) -> bool:
    return old.value == new.value and old.on == new.on and old.key == new.key


def _isolated(a: Rules, b: Rules, path: str, old: Line | None, new: Line | None) -> Example | None:
    """Return an example of one difference: of that field alone, where it can change alone."""
    shown = new or old
    group = shown.group if shown else ""
    if path.startswith(("play.kind.", "play.ladder.")):
        try:
            return _row_example(a, b, path)
        except RulesetError:
            return None
    if old is not None and new is not None:
        # The field alone, changed in one game or taken back in the other.
        changed, back = _with(a, path, new.value), _with(b, path, old.value)
        if changed is not None:
            example = example_between(a, changed, group)
            if example is not None:
                return _based(example, "" if outcome(b, example) == example.after else "a")
        if back is not None:
            example = example_between(back, b, group)
            if example is not None:
                return _based(example, "" if outcome(a, example) == example.before else "b")
    if path.startswith("declare."):
        return _declared(a, b, SHOWN_BY.get(path.split(".")[1], ""))
    alone = path in WHOLE
    return example_between(a, b, group) if alone else None


def _based(example: Example, base: Literal["", "a", "b"]) -> Example:
    return replace(example, base=base)


def outcome(rules: Rules, example: Example) -> tuple[object, ...]:
    """Return what comes of an example under some rules, in the form of its ``before``.

    Raises:
        RulesetError: if the ruleset cannot list plays.
    """
    if example.what == "score":
        return _points(rules, example.asked())
    if example.what == "calls":
        return _outcome(_state(rules, example.calls))
    kinds = kinds_of(rules, example.cards)
    if example.what == "answer":
        return kinds if _beaten(rules, example.cards, example.beat) else ()
    return kinds


def _with(rules: Rules, path: str, value: object) -> Rules | None:
    if path == "order":
        return None
    try:
        return load_ruleset(rules.id, {**rules.overrides, path: value})
    except DdzError:
        return None


def _row_example(a: Rules, b: Rules, path: str) -> Example | None:
    """Return the example play of a row, if it is legal in one game only, or read otherwise."""
    line = next((x for r in (b, a) for x in describe(r, quiet=True) if x.path == path), None)
    other = next((x for x in describe(a, quiet=True) if x.path == path), None)
    for shown in (line, other):
        if shown is None or not shown.cards:
            continue
        cards = shown.cards + shown.kickers
        before, after = kinds_of(a, cards), kinds_of(b, cards)
        if before != after:
            wild = playable(a).ruleset.wilds.rank or playable(b).ruleset.wilds.rank
            return Example(what="play", cards=cards, before=before, after=after, wild=wild)
    return None


def kinds_of(rules: Rules, cards: str) -> tuple[str, ...]:
    """Return the kinds that cards can be played as; none where the game has no such cards.

    Raises:
        RulesetError: if the ruleset cannot be asked.
    """
    try:
        return tuple(dict.fromkeys(one.kind for one in playable(rules).readings(cards)))
    except RulesetError:
        raise
    except DdzError:
        return ()


def example_between(a: Rules, b: Rules, group: str = "") -> Example | None:
    """Return something that is one way under ``a`` and another way under ``b``, or None.

    Args:
        a: one game.
        b: the other.
        group: where the difference stands; it says what is tried first.
    """
    tried = {
        "procedure": (_calls, _score, _play),
        "declarations": (_declared, _score, _calls),
        "score": (_score,),
        "deal": (_calls, _play),
        "seats": (_play,),
    }.get(group, (_play, _answer, _score))
    for attempt in tried:
        try:
            found = attempt(a, b)
        except RulesetError:
            continue  # a ruleset that cannot list plays, such as one with an unset wild
        if found is not None:
            return found
    return None


@functools.lru_cache(maxsize=2048)
def _leads(rules: Rules, hand: str) -> frozenset[tuple[str, str]]:
    """Return the plays of a hand as cards and kind; none where the game has no such cards."""
    try:
        return frozenset((move.cards, move.kind) for move in playable(rules).moves(hand))
    except RulesetError:
        raise
    except DdzError:
        return frozenset()


def sample_hands(rules: Rules) -> Iterator[str]:
    """Yield hands that hold a play of every kind of a game, and some that are disputed."""
    yield from KICKER_HANDS
    yield from LADDER_HANDS
    ruleset = rules.ruleset
    for row in ruleset.play.kind:
        move = example_of(rules, row.id)
        if move is not None and len(move.cards) <= LARGEST:
            yield move.cards
    for line in describe(rules, quiet=True):
        if line.path.startswith("play.ladder.") and line.cards:
            yield line.cards


def _play(a: Rules, b: Rules) -> Example | None:
    """Return the shortest play that one game has and the other has not."""
    tried: set[str] = set()
    best: tuple[int, str] | None = None
    for hand in dict.fromkeys([*sample_hands(a), *sample_hands(b)]):
        if best is not None and best[0] <= 2:
            break
        found = {cards for cards, _ in _leads(a, hand) ^ _leads(b, hand)} - tried
        ordered = sorted((size_of(parse_cards(cards)), cards) for cards in found)
        for size, cards in ordered[:MOST_TRIED]:
            if best is not None and (size, cards) >= best:
                break
            tried.add(cards)
            # a hand that one deck cannot hold has no plays there; its parts may be alike in both
            if kinds_of(a, cards) != kinds_of(b, cards):
                best = (size, cards)
    if best is None:
        return None
    cards = best[1]
    wild = playable(a).ruleset.wilds.rank or playable(b).ruleset.wilds.rank
    return Example(
        what="play", cards=cards, before=kinds_of(a, cards), after=kinds_of(b, cards), wild=wild
    )


def _bombs(rules: Rules) -> list[str]:
    shown = [
        line.cards for line in describe(rules, quiet=True) if line.path.startswith("play.ladder.")
    ]
    return [cards for cards in shown if cards]


def _answer(a: Rules, b: Rules) -> Example | None:
    """Return a bomb that beats another in one game only."""
    bombs = dict.fromkeys([*_bombs(a), *_bombs(b), "3333", "2222"])
    for cards, beat in itertools.permutations(bombs, 2):
        before, after = _beaten(a, cards, beat), _beaten(b, cards, beat)
        if before is not None and after is not None and before != after:
            return Example(
                what="answer",
                cards=cards,
                beat=beat,
                before=kinds_of(a, cards) if before else (),
                after=kinds_of(b, cards) if after else (),
            )
    return None


def _beaten(rules: Rules, cards: str, beat: str) -> bool | None:
    try:
        return playable(rules).beats(cards, beat)
    except DdzError:
        return None


def _calls(a: Rules, b: Rules) -> Example | None:
    """Return the shortest bidding that goes otherwise in the two games."""
    open_calls: list[tuple[str, ...]] = [()]
    for _ in range(MOST_CALLS + 1):
        following = []
        for calls in open_calls:
            before, after = _state(a, calls), _state(b, calls)
            if before is None and after is None:
                continue
            shown_before, shown_after = _outcome(before), _outcome(after)
            if calls and shown_before != shown_after:
                return Example(what="calls", calls=calls, before=shown_before, after=shown_after)
            words = [*getattr(before, "legal", ()), *getattr(after, "legal", ())]
            following += [(*calls, str(word)) for word in dict.fromkeys(words)]
        open_calls = following
    return None


def _state(rules: Rules, calls: tuple[str, ...]) -> Bidding | None:
    try:
        return rules.bidding(list(calls), first=0)
    except DdzError:
        return None


def _outcome(state: Bidding | None) -> tuple[object, ...]:
    """Return what matters of a bidding: status, seat, contract and multiplier."""
    if state is None:
        return ("illegal",)
    if state.status == "ask":
        return ("ask", state.seat)
    if state.status == "landlord":
        return ("landlord", state.seat, state.contract, state.multiplier)
    return (state.status,)


def _score(a: Rules, b: Rules) -> Example | None:
    """Return the plainest facts that come to other points in the two games."""
    return _first_difference(a, b, _facts(a, b))


def _first_difference(a: Rules, b: Rules, deals: Iterator[dict[str, object]]) -> Example | None:
    for facts in deals:
        before, after = _points(a, facts), _points(b, facts)
        if before and after and before != after:
            return Example(what="score", facts=tuple(facts.items()), before=before, after=after)
    return None


def _facts(a: Rules, b: Rules) -> Iterator[dict[str, object]]:
    """Yield facts of deals from the plainest on, for games with the same number of seats."""
    seats = a.ruleset.deal.seats
    if seats != b.ruleset.deal.seats:
        return
    plain: dict[str, object] = {
        "landlords": [0],
        "bid": 1,
        "out": 0,
        "plays": [9] + [2] * (seats - 1),
    }
    bombs = dict.fromkeys([*_bombs(a), *_bombs(b)])
    yield plain
    yield plain | {"bid": 3}
    for cards in bombs:
        yield plain | {"bombs": [cards]}
    for cards in bombs:
        yield plain | {"bombs": [cards, *([cards.replace("8", "9")] if "8" in cards else [])]}
    yield plain | {"plays": [9] + [0] * (seats - 1)}
    yield plain | {"out": 1, "plays": [1] + [5] * (seats - 1)}
    yield from _declared_facts(a, b, plain)


def _declared(a: Rules, b: Rules, only: str = "") -> Example | None:
    """Return facts with a declaration that come to other points in the two games."""
    seats = a.ruleset.deal.seats
    if seats != b.ruleset.deal.seats:
        return None
    plain: dict[str, object] = {
        "landlords": [0],
        "bid": 3,
        "out": 0,
        "plays": [9] + [2] * (seats - 1),
    }
    deals = _declared_facts(a, b, plain)
    return _first_difference(a, b, (facts for facts in deals if _tells(facts, only)))


def _tells(facts: dict[str, object], only: str) -> bool:
    """Tell whether facts show a declaration; cards shown before the deal are no declaration."""
    return not only or (only in facts and facts[only] != ["before"])


def _declared_facts(a: Rules, b: Rules, plain: dict[str, object]) -> Iterator[dict[str, object]]:
    """Yield a deal with each further fact that one of the games knows, won and lost."""
    known = set(scoring.facts_of(a)) | set(scoring.facts_of(b))
    seats = a.ruleset.deal.seats
    more: dict[str, object] = {
        "factor": {1: 2},
        "robs": 1,
        "shows": ["before"],
        "reveal": True,
        "doubles": [0],
        "declared": [0],
        "open": True,
        "face_up_joker": True,
        "trustee": [1],
        "gold": [2] * seats,
    }
    for name, value in more.items():
        if name in known:
            yield plain | {name: value}
            yield plain | {name: value, "out": 1, "plays": [9] + [3] * (seats - 1)}
    if "shows" in known:
        yield plain | {"shows": ["after"]}
    if "fled" in known:
        yield {"landlords": [0], "bid": 3, "fled": 1, "out": 0, "plays": [9] + [2] * (seats - 1)}
        yield {"landlords": [0], "bid": 3, "fled": 1, "plays": [5] + [2] * (seats - 1)}


def _points(rules: Rules, facts: dict[str, object]) -> tuple[object, ...]:
    bombs = facts.get("bombs")
    known = {name: value for name, value in facts.items() if name in scoring.facts_of(rules)}
    if isinstance(bombs, list) and not all(kinds_of(rules, cards) for cards in bombs):
        return ()
    if "bid" in known and rules.ruleset.score.base != "bid":
        known.pop("bid")
    try:
        ledger = rules.score(**known)
    except DdzError:
        return ()
    return (*ledger.points, *ledger.gold) if ledger.gold != ledger.points else ledger.points
