"""What is right: the closed set of questions that the machine answers for itself.

Layer 4. A step names a *truth*; from the position, the cards or the calls this module finds which
answers are right, by the rules, by counting, or by the solver. The checker holds a lesson's stated
answers against it, and the runner asks it where any right answer is accepted.

==========  ===================================================================================
kind        the kinds as which ``cards`` can be read (``none`` for none)
legal       cards that are a combination, of the kinds in ``want``, and beat ``beat`` if given
longest     plays of the kinds in ``want`` with the most cards
turns       the fewest plays that a hand needs; among options, the hand that needs fewest
split       a way to split the hand into its fewest plays
points      points of the hand by the book: D 4, X 3, 2 two, A one
unseen      copies of the rank ``want`` that are neither in hand nor seen
above       how many ranks or tops of the same kind among the unseen cards beat ``beat``
sure        plays that nothing unseen can beat (``want = "plain"``: bombs aside)
keeps       plays that keep the best result of the side to move, all hands open
winner      which side wins with best play: ``landlord`` or ``farmers``
layouts     plays that win in the largest share of all layouts of the hidden hands
chance      per cent that ``want`` = ``kinds@place`` holds, as the hand can count (``facts``: own
            ``seat`` and ``counts`` of cards by seat)
score       points of seat ``want`` in the deal of ``facts``
calls       calls that are legal after ``calls``
book        ``bid`` or ``pass`` by the book's seven points
best        calls that are not worse than the best by simulation
mover       who is to move (a seat), or ``lead`` and ``follow`` with ``want = "form"``
rule        the number that the ruleset states at the path ``want``, or a sum of such with ``+``
told        what the author says; nothing checks it, and the learner is told so
==========  ===================================================================================
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ddz_core import belief, bidding, bookbids, cards, decompose, patterns, rulesets, solver
from ddz_core.actions import PASS
from ddz_core.lessons import scenes
from ddz_core.lessons.files import Ask, Step, Truth, refused
from ddz_core.positions import Position, position

if TYPE_CHECKING:
    from ddz_core.patterns import Move
    from ddz_core.rules import Rules

SEVEN = 7
"""Points from which the book bids."""

MOST_LAYOUTS = 400
NODES = 3_000_000
LAYOUT_NODES = 200_000
"""Nodes of the solver for a position, and for one layout of many."""
NONE, LANDLORD, FARMERS = "none", "landlord", "farmers"

FITS: dict[Truth, tuple[Ask, ...]] = {
    "kind": ("choice",),
    "legal": ("choice", "cards"),
    "longest": ("cards",),
    "turns": ("number", "choice"),
    "split": ("choice",),
    "points": ("number",),
    "unseen": ("number",),
    "above": ("number",),
    "sure": ("choice", "cards"),
    "keeps": ("play", "choice"),
    "winner": ("choice",),
    "layouts": ("play", "choice"),
    "chance": ("number", "choice"),
    "score": ("number",),
    "calls": ("bid", "choice"),
    "book": ("bid", "choice"),
    "best": ("bid", "choice"),
    "mover": ("choice",),
    "rule": ("number",),
    "told": ("choice", "number", "cards", "play", "bid"),
}
"""The ways to answer that each truth can judge."""


@dataclass(frozen=True, slots=True)
class Key:
    """What is right.

    Attributes:
        right: the right answers; empty where a number is asked.
        candidates: everything that can be answered, right or wrong; empty where that is open.
        number: the right number, None where none is asked.
        shares: for each play, in how large a part of the layouts it wins.
        checked: whether the machine found it; False for what only the author says.
    """

    right: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    number: float | None = None
    shares: tuple[tuple[str, float], ...] = ()
    checked: bool = True


class Query(NamedTuple):
    """The part of a step that decides what is right: everything but its texts."""

    ask: Ask
    truth: Truth
    want: str
    hands: tuple[str, ...]
    to_move: int
    landlords: tuple[int, ...]
    hide: tuple[int, ...]
    beat: str
    beat_by: int | None
    played: tuple[str, ...]
    cards: str
    seen: str
    calls: tuple[str, ...]
    first: int
    facts: bytes
    values: tuple[str, ...]
    answers: tuple[str, ...]


def key_of(step: Step, rules: Rules) -> Key:
    """Return what is right in a step; computed once for equal questions.

    Raises:
        DdzError: if the position, the cards or the question cannot be; it names the field.
    Cost: nothing to some seconds; by far the most for ``layouts`` and ``best``.
    """
    if step.ask not in FITS[step.truth]:
        raise refused(
            "fit",
            f"truth: {step.truth!r} cannot judge {step.ask!r}",
            field="truth",
            expected=", ".join(name for name, asks in FITS.items() if step.ask in asks),
            got=step.truth,
        )
    if step.ask == "choice" and not step.options:
        raise refused("options", "options: is empty", field="options", expected="≥ 2", got=0)
    query = Query(
        *(step.ask, step.truth, step.want, step.hands, step.to_move, step.landlords, step.hide),
        *(step.beat, step.beat_by, step.played, step.cards, step.seen, step.calls, step.first),
        *(
            msgspec.json.encode(step.facts),
            tuple(option.value for option in step.options),
            step.answers,
        ),
    )
    return _found(query, rules)


@functools.lru_cache(maxsize=1024)
def _found(query: Query, rules: Rules) -> Key:
    step = Step(
        ask=query.ask,
        truth=query.truth,
        want=query.want,
        hands=query.hands,
        to_move=query.to_move,
        landlords=query.landlords,
        hide=query.hide,
        beat=query.beat,
        beat_by=query.beat_by,
        played=query.played,
        cards=query.cards,
        seen=query.seen,
        calls=query.calls,
        first=query.first,
        facts=msgspec.json.decode(query.facts),
    )
    return _TRUTHS[query.truth](step, rules, query)


# --- the rules -----------------------------------------------------------------------------------


def _kind(step: Step, rules: Rules, query: Query) -> Key:
    kinds = tuple(dict.fromkeys(reading.kind for reading in rules.readings(step.cards)))
    return Key(kinds or (NONE,), query.values)


def _wanted(step: Step) -> tuple[str, ...]:
    return tuple(word for word in step.want.replace(",", " ").split() if word)


def _plays(step: Step, rules: Rules) -> list[Move]:
    """Return the plays of the learner's hand that answer what lies on the table."""
    if step.is_position:
        return scenes.moves_of(scenes.asked(step, rules))
    return rules.moves(scenes.hand_of(step, rules), beat=step.beat or None)


def _legal(step: Step, rules: Rules, query: Query) -> Key:
    wanted = _wanted(step)
    if query.ask == "cards":
        fitting = [m.cards for m in _plays(step, rules) if not wanted or m.kind in wanted]
        return Key(tuple(dict.fromkeys(fitting)), ())
    right = []
    for value in query.values:
        if value == PASS:
            continue
        readings = [r for r in rules.readings(value) if not wanted or r.kind in wanted]
        if readings and (not step.beat or rules.beats(value, step.beat)):
            right.append(value)
    return Key(tuple(right) or tuple(v for v in query.values if v in (PASS, NONE)), query.values)


def _longest(step: Step, rules: Rules, _query: Query) -> Key:
    wanted = _wanted(step)
    found = [move for move in _plays(step, rules) if not wanted or move.kind in wanted]
    most = max((len(move.cards) for move in found), default=0)
    return Key(tuple(dict.fromkeys(m.cards for m in found if len(m.cards) == most)), ())


def _mover(step: Step, rules: Rules, query: Query) -> Key:
    pos = scenes.asked(step, rules)
    if step.want == "form":
        return Key(("lead" if pos.beat is None else "follow",), query.values)
    return Key((str(pos.to_move),), query.values)


def _score(step: Step, rules: Rules, _query: Query) -> Key:
    seat = _whole(step.want, "want", rules.ruleset.deal.seats - 1)
    return Key(number=float(rules.score(**step.facts).points[seat]))


def _calls(step: Step, rules: Rules, query: Query) -> Key:
    plain = [int(call) if call.isdigit() else call for call in step.calls]
    legal = rules.bidding(plain, first=step.first).legal
    return Key(tuple(map(str, legal or ())), query.values)


def _rule(step: Step, rules: Rules, _query: Query) -> Key:
    fields = rulesets.fields(rules.ruleset) | {"deck": cards.size_of(rules.ruleset.deck_cards)}
    total = 0.0
    for path in step.want.split("+"):
        value = fields.get(path.strip())
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise refused(
                "rule",
                f"want: {path!r} is no number of the ruleset",
                field="want",
                expected="deal.hand",
                got=path,
            )
        total += value
    return Key(number=total)


def _whole(text: str, field: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= most):
        raise refused(
            "whole",
            f"{field}: expected 0 to {most}, got {text!r}",
            field=field,
            expected=f"0–{most}",
            got=text,
        )
    return int(text)


# --- counting ------------------------------------------------------------------------------------


def _turns(step: Step, rules: Rules, query: Query) -> Key:
    if query.ask == "number":
        return Key(number=float(decompose.turns(_hand(step, rules), rules, limit=1).turns))
    needs = {value: decompose.turns(value, rules, limit=1).turns for value in query.values}
    least = min(needs.values())
    return Key(tuple(v for v, n in needs.items() if n == least), query.values)


def _hand(step: Step, rules: Rules) -> str:
    hand = scenes.hand_of(step, rules)
    if not hand:
        raise refused("hand", "hands: expected a hand", field="hands", expected="3344556", got="")
    return hand


def _split(step: Step, rules: Rules, query: Query) -> Key:
    hand = _hand(step, rules)
    fewest = decompose.turns(hand, rules, limit=1).turns
    right = []
    for value in query.values:
        groups = value.split()
        together = cards.format_cards(sum(cards.parse_cards(group) for group in groups))
        if together != hand:
            raise refused(
                "split",
                f"options: {value!r} is no split of {hand}",
                field="options",
                expected=hand,
                got=value,
            )
        if len(groups) == fewest and all(rules.readings(group) for group in groups):
            right.append(value)
    return Key(tuple(right), query.values)


def _points(step: Step, rules: Rules, _query: Query) -> Key:
    return Key(number=float(bookbids.points_of(cards.parse_cards(_hand(step, rules)))))


def _pool(step: Step, rules: Rules) -> cards.Hand:
    """Return what the learner does not see: the deck without the own hand and what was seen."""
    out = cards.parse_cards(scenes.hand_of(step, rules)) if step.hands else 0
    seen = cards.parse_cards(step.seen)
    if step.is_position:
        begun, now = scenes.begun(step, rules), scenes.asked(step, rules)
        out = now.hands[now.to_move]
        seen += sum(begun.hands) - sum(now.hands)
        beat = step.beat and cards.parse_cards(step.beat.partition("=")[0])
        seen += beat or 0
        open_hands = [h for i, h in enumerate(now.hands) if i != now.to_move]
        seen += sum(h for i, h in enumerate(open_hands) if i in _open(step, now))
    deck = rules.ruleset.deck_cards
    left = [a - b for a, b in zip(cards.counts_of(deck), cards.counts_of(out + seen), strict=True)]
    if min(left) < 0:
        lane = left.index(min(left))
        raise refused(
            "surplus",
            f"seen: too many {cards.RANKS[lane]}",
            field="seen",
            expected=cards.counts_of(deck)[lane],
            got=cards.RANKS[lane] * cards.counts_of(out + seen)[lane],
        )
    return deck - out - seen


def _open(step: Step, now: Position) -> tuple[int, ...]:
    """Return which of the other hands, counted without the learner's, lie open."""
    others = [i for i in range(len(now.hands)) if i != now.to_move]
    return tuple(place for place, i in enumerate(others) if i not in step.hide)


def _unseen(step: Step, rules: Rules, _query: Query) -> Key:
    lane = cards.LANE.get(step.want.upper().replace("10", "T"), -1)
    if lane < 0:
        raise refused(
            "rank",
            f"want: expected a rank, got {step.want!r}",
            field="want",
            expected=cards.RANKS,
            got=step.want,
        )
    return Key(number=float(cards.counts_of(_pool(step, rules))[lane]))


def _above(step: Step, rules: Rules, _query: Query) -> Key:
    beat = patterns.unnamed(patterns.readings(rules.ruleset, step.beat or step.cards))
    found = patterns.moves(rules.ruleset, _pool(step, rules), beat=beat, beat_as=beat)
    return Key(number=float(len({move.top for move in found if move.kind == beat.kind})))


def above(step: Step, rules: Rules, play: str) -> list[Move]:
    """Return what could beat a play of the learner's, among the cards not seen."""
    reading = patterns.unnamed(patterns.readings(rules.ruleset, play))
    pool, plain = _pool(step, rules), step.want == "plain"
    found = patterns.moves(rules.ruleset, pool, beat=reading, beat_as=reading)
    return [move for move in found if not (plain and move.is_bomb)]


def _sure(step: Step, rules: Rules, query: Query) -> Key:
    if query.ask == "cards":
        plays = dict.fromkeys(move.cards for move in _plays(step, rules))
        return Key(tuple(play for play in plays if not above(step, rules, play)), ())
    right = tuple(v for v in query.values if rules.readings(v) and not above(step, rules, v))
    return Key(right, query.values)


def _chance(step: Step, rules: Rules, query: Query) -> Key:
    kinds, _, place = step.want.partition("@")
    where: int | str = int(place) if place.isdigit() else place or belief.ANY
    counts = step.facts.get("counts")
    odds = belief.odds(
        _hand(step, rules),
        rules,
        seat=_whole(str(step.facts.get("seat", 0)), "facts.seat", rules.ruleset.deal.seats - 1),
        counts=None if counts is None else [_whole(str(n), "facts.counts", 99) for n in counts],
        played=step.seen,
    )
    percent = 100 * odds.holds(kinds.split(","), where).value
    if query.ask == "number":
        return Key(number=percent)
    far = {value: abs(_number(value) - percent) for value in query.values}
    nearest = min(far.values())
    return Key(tuple(v for v in query.values if far[v] == nearest), query.values)


def _number(text: str, field: str = "options") -> float:
    """Return an option or an answer as a number.

    Raises:
        LessonError: if it is none.
    """
    try:
        return float(text)
    except ValueError as error:
        raise refused(
            "whole",
            f"{field}: expected a number, got {text!r}",
            field=field,
            expected="0–100",
            got=text,
        ) from error


# --- bidding -------------------------------------------------------------------------------------


def _book(step: Step, rules: Rules, query: Query) -> Key:
    points = bookbids.points_of(cards.parse_cards(_hand(step, rules)))
    return Key(("bid" if points >= SEVEN else PASS,), query.values or ("bid", PASS))


def _best(step: Step, rules: Rules, query: Query) -> Key:
    hand = _hand(step, rules)
    report = bidding.bid(hand, rules, len(step.calls), before=list(step.calls), seed=1)
    return Key(report.best(), query.values or tuple(report.calls))


# --- the solver ----------------------------------------------------------------------------------


@functools.lru_cache(maxsize=2048)
def solution(pos: Position, nodes: int = NODES) -> solver.Solution:
    """Return the proven solution of a position; LessonError where it is too large to prove."""
    found = solver.solve(pos, nodes=nodes)
    if not found.proven or not all(verdict.proven for verdict in found.plays):
        raise refused(
            "unproven",
            f"hands: the solver cannot prove this position within {nodes} nodes",
            field="hands",
            expected=nodes,
            got="/".join(pos.texts),
        )
    return found


def won(pos: Position, value: int) -> bool:
    """Tell whether a solver's value is a win for the side to move."""
    return value == scenes.wins_for(pos, pos.to_move)


def _keeps(step: Step, rules: Rules, query: Query) -> Key:
    pos = scenes.asked(step, rules)
    found = solution(pos)
    if not won(pos, found.value):
        raise refused(
            "lost",
            "hands: the side to move cannot win, so every play keeps the result",
            field="hands",
            expected="",
            got="/".join(pos.texts),
        )
    right = tuple(dict.fromkeys(scenes.plain_action(action) for action in found.best))
    return Key(right, query.values or scenes.actions_of(pos))


def _winner(step: Step, rules: Rules, query: Query) -> Key:
    value = solution(scenes.asked(step, rules)).value
    return Key((LANDLORD if value > 0 else FARMERS,), query.values)


def layouts(step: Step, rules: Rules) -> Iterator[tuple[Position, int]]:
    """Yield every layout of the hidden hands with the number of ways in which it can lie.

    Raises:
        LessonError: if nothing is hidden, or there are more than :data:`MOST_LAYOUTS`.
    """
    pos = scenes.asked(step, rules)
    hidden = [seat for seat in step.hide if seat != pos.to_move and 0 <= seat < len(pos.hands)]
    if not hidden:
        raise refused("hide", "hide: expected hidden hands", field="hide", expected="1, 2", got="")
    pool = cards.counts_of(sum(pos.hands[seat] for seat in hidden))
    sizes = [cards.size_of(pos.hands[seat]) for seat in hidden]
    for number, (hands, ways) in enumerate(_dealt(pool, sizes)):
        if number >= MOST_LAYOUTS:
            raise refused(
                "layouts",
                f"hide: expected at most {MOST_LAYOUTS} layouts",
                field="hide",
                expected=MOST_LAYOUTS,
                got=f">{MOST_LAYOUTS}",
            )
        texts = list(pos.texts)
        for seat, hand in zip(hidden, hands, strict=True):
            texts[seat] = cards.format_cards(hand)
        yield (
            position(
                texts,
                pos.to_move,
                pos.beat,
                rules=rules,
                beat_by=pos.beat_by,
                landlords=pos.landlords,
            ),
            ways,
        )


def _dealt(pool: tuple[int, ...], sizes: list[int]) -> Iterator[tuple[tuple[cards.Hand, ...], int]]:
    """Yield the hands that cards can be dealt into, with the ways of each."""
    if len(sizes) == 1:
        yield (sum(n << 4 * lane for lane, n in enumerate(pool)),), 1
        return
    lanes = [lane for lane, n in enumerate(pool) if n]
    for taken in product(*(range(pool[lane] + 1) for lane in lanes)):
        if sum(taken) != sizes[0]:
            continue
        rest, hand, ways = list(pool), 0, 1
        for lane, n in zip(lanes, taken, strict=True):
            rest[lane] -= n
            hand += n << 4 * lane
            ways *= comb(pool[lane], n)
        for others, more in _dealt(tuple(rest), sizes[1:]):
            yield (hand, *others), ways * more


def _layouts(step: Step, rules: Rules, query: Query) -> Key:
    pos = scenes.asked(step, rules)
    plays = scenes.actions_of(pos)
    wins, total = dict.fromkeys(plays, 0), 0
    for layout, ways in layouts(step, rules):
        total += ways
        found = solution(layout, LAYOUT_NODES)
        if won(layout, found.value):
            for action in {scenes.plain_action(action) for action in found.best}:
                wins[action] += ways
    most = max(wins.values())
    right = tuple(play for play, n in wins.items() if n == most)
    shares = tuple((play, n / total) for play, n in wins.items())
    return Key(right, query.values or plays, shares=shares)


def _told(_step: Step, _rules: Rules, query: Query) -> Key:
    number = query.ask == "number"
    value = _number(query.answers[0], "answers") if number and query.answers else None
    return Key(() if number else query.answers, query.values, number=value, checked=False)


_TRUTHS: dict[Truth, Callable[[Step, Rules, Query], Key]] = {
    "kind": _kind,
    "legal": _legal,
    "longest": _longest,
    "turns": _turns,
    "split": _split,
    "points": _points,
    "unseen": _unseen,
    "above": _above,
    "sure": _sure,
    "keeps": _keeps,
    "winner": _winner,
    "layouts": _layouts,
    "chance": _chance,
    "score": _score,
    "calls": _calls,
    "book": _book,
    "best": _best,
    "mover": _mover,
    "rule": _rule,
    "told": _told,
}
