"""What can be counted about a play: who could beat it, what it breaks, what is kept.

Layer 3. Own cards, cards played and numbers left are all that is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddz_core import cards, decompose
from ddz_core.bots.rule import Engine, others_of
from ddz_core.patterns import move_of

if TYPE_CHECKING:
    from ddz_core.observation import Observation
    from ddz_core.patterns import Move
    from ddz_core.rules import Rules
    from ddz_core.specs import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What the unseen cards could form against a play, in a hand of the size that others have.

    Attributes:
        tops: tops of higher plays of the same form, low to high.
        bombs: ranks of bombs that would beat it.
        sets: exact sets (the rocket) that would beat it, as text.
        short: whether no other hand has as many cards, so that only ``bombs`` and ``sets`` count.
    """

    tops: tuple[str, ...]
    bombs: tuple[str, ...]
    sets: tuple[str, ...]
    short: bool = False

    @property
    def safe(self) -> bool:
        """Whether nothing can beat it."""
        return not (self.tops or self.bombs or self.sets)


def side_left(obs: Observation, *, partners: bool | None) -> dict[int, int]:
    """Return the cards left of the other seats of the own side, or of the other side.

    With None: of the seats whose side is not known.
    """
    own = obs.side_of(obs.seat)
    found = {}
    for seat, left in enumerate(obs.left):
        side = obs.side_of(seat)
        known = None if side is None else side == own
        if seat != obs.seat and known == partners:
            found[seat] = left
    return found


def outside(engine: Engine, obs: Observation, code: int) -> Outside:
    """Count what could beat a play, by its code."""
    others = side_left(obs, partners=False) | side_left(obs, partners=None)
    most = max(others.values(), default=0)
    form = engine.table.form(code)
    tops: dict[int, str] = {}
    bombs: dict[int, str] = {}
    sets: list[str] = []
    for answer in engine.answers(others_of(obs), code):
        its = engine.table.form(answer)
        if its.cards > most:
            continue
        key = answer >> 12 & 15
        if its.exact:
            sets.append(cards.format_cards(its.exact[key][0]))
        elif its.step:
            bombs[key] = its.order[key]
        else:
            tops[key] = its.order[key]
    return Outside(
        tops=tuple(tops[key] for key in sorted(tops)),
        bombs=tuple(bombs[key] for key in sorted(bombs)),
        sets=tuple(sets),
        short=form.cards > most,
    )


def bombs_out(engine: Engine, obs: Observation) -> Outside:
    """Count the bombs and exact sets that one other hand could still hold."""
    most = max((left for seat, left in enumerate(obs.left) if seat != obs.seat), default=0)
    unseen = others_of(obs)
    ladder = obs.ruleset.ladder_in_force()
    smallest = min((step.size for step in ladder if step.size), default=99)
    counts = cards.counts_of(unseen)
    ranks = [
        rank
        for lane, rank in enumerate(cards.RANKS[: cards.SMALL_JOKER])
        if counts[lane] >= smallest and most >= smallest
    ]
    sets = [
        cards.format_cards(one)
        for form in engine.table.forms
        if form is not None and form.exact and form.cards <= most
        for equal in form.exact
        for one in equal
        if cards.contains(unseen, one)
    ]
    return Outside(tops=(), bombs=tuple(ranks), sets=tuple(sets))


def groups_torn(ruleset: Ruleset, hand: cards.Hand, move: Move) -> tuple[str, ...]:
    """Return the bombs and exact sets of a hand that a play breaks without being one of them."""
    rest = hand - move.hand
    ladder = ruleset.ladder_in_force()
    smallest = min((step.size for step in ladder if step.size), default=99)
    before, after = cards.counts_of(hand), cards.counts_of(rest)
    used = cards.counts_of(move.hand)
    torn = [
        before[lane] * cards.RANKS[lane]
        for lane in range(cards.SMALL_JOKER)
        if before[lane] >= smallest > after[lane] and not (move.is_bomb and used[lane] >= smallest)
    ]
    for step in ladder:
        for text in step.cards:
            for equal in text.split("="):
                one = cards.parse_cards(equal)
                whole = cards.contains(hand, one) and not cards.contains(rest, one)
                if whole and not (move.is_bomb and cards.contains(move.hand, one)):
                    torn.append(equal)
    return tuple(torn)


def group_broken(plan: tuple[Move, ...], move: Move) -> Move | None:
    """Return the largest group of a split that a play takes cards from without being it."""
    used = cards.counts_of(move.hand)
    broken = [
        group
        for group in plan
        if group.hand != move.hand
        and cards.size_of(group.hand) > 1
        and any(a and b for a, b in zip(cards.counts_of(group.hand), used, strict=True))
        and not cards.contains(move.hand, group.hand)
    ]
    return max(broken, key=lambda group: cards.size_of(group.hand), default=None)


def controls(rest: cards.Hand, unseen: cards.Hand) -> str:
    """Return the cards of a hand that no unseen single card beats, low to high."""
    highest = max((lane for lane, n in enumerate(cards.counts_of(unseen)[:15]) if n), default=-1)
    counts = cards.counts_of(rest)
    return "".join(
        counts[lane] * cards.RANKS[lane] for lane in range(max(highest, 0), cards.MARKED)
    )


def kept_plan(rules: Rules, rest: cards.Hand) -> tuple[Move, ...]:
    """Return a split of a hand that leaves its bombs and exact sets whole, these last.

    Of the other cards it is the first split with the fewest plays; the whole may need more plays
    than a split that carries cards with its bombs.
    """
    counts = cards.counts_of(rest)
    ladder = rules.ruleset.ladder_in_force()
    smallest = min((step.size for step in ladder if step.size), default=99)
    groups = [
        counts[lane] << 4 * lane for lane in range(cards.SMALL_JOKER) if counts[lane] >= smallest
    ]
    for step in reversed(ladder):
        for text in (part for one in step.cards for part in one.split("=")):
            part = cards.parse_cards(text)
            if cards.contains(rest - sum(groups), part):
                groups.append(part)
    bombs = [rules.readings(group)[:1] for group in groups]
    if not all(bombs):
        return decompose.turns(rest, rules, limit=200).splits[0]
    others = decompose.turns(rest - sum(groups), rules, limit=200).splits[0]
    return (*others, *(move_of(found[0]) for found in bombs))
