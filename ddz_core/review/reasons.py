"""Why an action is worse than another, in quantities that were counted, and what kind of mistake.

Layer 3. Every number was part of the computation: counted in the seat's own cards and the unseen
ones, or in the very worlds in which the two actions were compared. ``n`` belongs to the action
taken, ``m`` to the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import cards, decompose
from ddz_core.bots.rule import others_of
from ddz_core.hints import facts
from ddz_core.patterns.combination import code_in, move_from
from ddz_core.review.told import Reason

if TYPE_CHECKING:
    from ddz_core.game import Game
    from ddz_core.observation import Observation
    from ddz_core.patterns import Move
    from ddz_core.review.report import Kind
    from ddz_core.review.solving import Solved
    from ddz_core.review.trial import Action, Outcomes, Room
    from ddz_core.review.worlds import Worlds

MOST = 5
"""Reasons told at most."""
MOST_TOPS = 4
"""Ranks named one by one; of more only how many."""
SHORT = 3
"""A seat with so few cards is near the end."""
LEAST_PROVEN = 30
"""Worlds in which something must be proven to speak of them."""
CONTROLS = "A2XD"
"""Ranks that take a lead back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An action to be set against another.

    Attributes:
        room: the kernels.
        obs: what the seat knew.
        before: the game, for what open hands tell.
        worlds, outcomes: where the actions were compared.
        actions: the columns of the outcomes.
        played, best: places among them.
        wrong: whether the action taken is wrong with what the seat knew.
        open_wrong: whether it is with all hands open.
        solved: what is proven of the position.
    """

    room: Room
    obs: Observation
    before: Game
    worlds: Worlds
    outcomes: Outcomes
    actions: tuple[Action, ...]
    played: int
    best: int
    wrong: bool
    open_wrong: bool
    solved: Solved | None


@dataclass(frozen=True, slots=True)
class Told:
    """Reasons, the largest difference first, and the kind of mistake they amount to."""

    reasons: tuple[Reason, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A reason, how much of it there is, and whether it speaks for the other action (1) or not."""

    weight: float
    favours: int
    reason: Reason

    def counted(self, better: int) -> float:
        """Return what it counts, if this is the better action: what speaks against it, less."""
        return self.weight * (1.0 if self.favours == better else 0.8 if not self.favours else 0.1)


@dataclass(frozen=True, slots=True)
class _Side:
    """What can be counted about one action.

    Attributes:
        action: the action.
        move: the play, None for a pass.
        turns: the fewest plays that the rest needs.
        torn: bombs and exact sets that it breaks.
        controls: cards kept that no unseen single beats.
        high: aces, twos and jokers that it spends.
        beaten, bombed: in how many of 100 worlds an enemy could beat it, or only bomb it.
        led: in how many of 100 worlds the own side led next.
        mine, mates: in how many the own seat, or a partner, went out.
    """

    action: Action
    move: Move | None
    turns: int
    torn: tuple[str, ...]
    controls: str
    high: str
    beaten: int
    bombed: int
    led: int
    mine: int
    mates: int


def of_play(question: Question) -> Told:
    """Return why the action taken and the best one (or the next) differ."""
    other = question.best
    if other == question.played:
        other = next((i for i in range(len(question.actions)) if i != question.played), other)
    ours, theirs = (_side(question, place) for place in (question.played, other))
    better = -1 if question.best == question.played else 1
    ranked = sorted(_all(question, ours, theirs), key=lambda one: -one.counted(better))
    return Told(tuple(one.reason for one in ranked[:MOST]), _kind(question, ours, theirs))


def _side(question: Question, place: int) -> _Side:
    obs, action, found = question.obs, question.actions[place], question.outcomes
    engine = question.room.engine
    move = move_from(engine.table, action.hand, action.code) if action.hand else None
    rest = obs.hand - action.hand
    counts = np.zeros((1, 3), dtype=np.int64)
    if move is not None:
        question.room.kernel.answered(
            engine.table.words,
            engine.work,
            question.worlds.hands,
            question.worlds.sides,
            obs.seat,
            np.array([action.code], dtype=np.int64),
            engine.moves,
            engine.codes,
            counts,
        )
    number = len(question.worlds)
    friends = found.friends(found.out, obs.seat)[:, place]
    mine = found.out[:, place] == obs.seat
    led = found.friends(found.led, obs.seat)[:, place]
    used = cards.counts_of(action.hand)
    return _Side(
        action=action,
        move=move,
        turns=decompose.fewest(rest, obs.rules),
        torn=() if move is None else facts.groups_torn(obs.ruleset, obs.hand, move),
        controls=facts.controls(rest, others_of(obs)),
        high="".join(rank * used[cards.LANE[rank]] for rank in CONTROLS),
        beaten=round(100 * int(counts[0, 0]) / number),
        bombed=round(100 * int(counts[0, 1]) / number),
        led=round(100 * float(led.mean())),
        mine=round(100 * float(mine.mean())),
        mates=round(100 * float((friends & ~mine).mean())),
    )


def _all(question: Question, ours: _Side, theirs: _Side) -> list[_Weighed]:
    """Return every reason, how much of it there is, and which of the two actions it speaks for."""
    obs = question.obs
    names: dict[str, object] = {"play": ours.action.text, "best": theirs.action.text}

    def weighed(weight: float, favours: float, key: str, **params: object) -> _Weighed:
        told = Reason(f"review.reason.{key}", {**names, **params})
        return _Weighed(weight, _sign(favours), told)

    gap = ours.turns - theirs.turns
    found = [
        weighed(0.6, 0, "turns_same", n=ours.turns)
        if not gap
        else weighed(1.0 + abs(gap), gap, "turns", n=ours.turns, m=theirs.turns)
    ]
    for key, ours_in, theirs_in, least in (
        ("lead", ours.led, theirs.led, 0),
        ("self_out", ours.mine, theirs.mine, 5),
        ("mate_out", ours.mates, theirs.mates, 5),
    ):
        change = theirs_in - ours_in
        if abs(change) >= least:
            weight = 0.2 if abs(change) < 3 else 0.4 + abs(change) / 20
            found.append(weighed(weight, change, key, n=ours_in, m=theirs_in))
    change = len(theirs.controls) - len(ours.controls)
    if change:
        weight = 0.9 + 0.4 * abs(change)
        numbers = {"n": len(ours.controls), "m": len(theirs.controls)}
        found.append(weighed(weight, change, "controls", **numbers))
    for one, other, favours in ((ours, theirs, 1), (theirs, ours, -1)):
        more = _more(one.high, other.high)
        if more:
            told: dict[str, object] = {"play": one.action.text, "best": other.action.text}
            told["cards"] = more
            found.append(_Weighed(0.9, favours, Reason("review.reason.keeps", told)))
        if not cards.size_of(obs.hand - one.action.hand):
            out = Reason("review.reason.goes_out", {"play": one.action.text})
            found.append(_Weighed(9.0, -favours, out))
    return [
        *found,
        *_broken(ours, theirs),
        *_beaten(question, ours, theirs),
        *_worlds_won(question, ours, theirs),
        *_short(question),
        *_proven(question, ours),
    ]


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _more(one: str, other: str) -> str:
    """Return the cards of one text that another does not have, low to high."""
    return "".join(rank * max(0, one.count(rank) - other.count(rank)) for rank in CONTROLS)


def _broken(ours: _Side, theirs: _Side) -> list[_Weighed]:
    """Say what is broken up by one of the two alone."""
    return [
        _Weighed(
            3.0, favours, Reason("review.reason.torn", {"play": one.action.text, "cards": text})
        )
        for one, other, favours in ((ours, theirs, 1), (theirs, ours, -1))
        for text in one.torn
        if text not in other.torn
    ]


def _beaten(question: Question, ours: _Side, theirs: _Side) -> list[_Weighed]:
    """Say who could beat what, and with which unseen cards."""
    found: list[_Weighed] = []
    engine, obs = question.room.engine, question.obs
    for one, other, favours in ((ours, theirs, 1), (theirs, ours, -1)):
        if one.move is None or not cards.size_of(obs.hand - one.action.hand):
            continue
        out = facts.outside(engine, obs, one.action.code)
        told: dict[str, object] = {"play": one.action.text}
        if out.safe:
            found.append(_Weighed(1.8, -favours, Reason("review.reason.safe", told)))
        elif not out.tops or not one.beaten:
            if one.bombed and not one.move.is_bomb:
                told["n"] = one.bombed
                found.append(_Weighed(0.7, favours, Reason("review.reason.bombed", told)))
        else:
            told["n"] = one.beaten
            few = len(out.tops) <= MOST_TOPS
            key = "beaten" if few else "beaten_many"
            told |= {"cards": "".join(out.tops)} if few else {"m": len(out.tops)}
            change = one.beaten - (other.beaten if other.move is not None else 0)
            weight = 0.7 + abs(change) / 25
            speaks = favours * _sign(change)
            found.append(_Weighed(weight, speaks, Reason(f"review.reason.{key}", told)))
    return found


def _worlds_won(question: Question, ours: _Side, theirs: _Side) -> list[_Weighed]:
    """Say in how many worlds each of the two wins for certain, where few cards are left."""
    obs, engine = question.obs, question.room.engine
    if obs.locked and any(obs.locked):
        return []
    table = (0, obs.seat)
    if obs.to_beat is not None and obs.beat_by is not None:
        table = (code_in(engine.table, obs.to_beat), obs.beat_by)
    pair = (ours.action, theirs.action)
    proofs = question.room.endings.proofs(question.worlds, obs.seat, table, pair)
    if proofs is None or min(one.worlds for one in proofs) < LEAST_PROVEN:
        return []
    n, m = (round(100 * one.won / one.worlds) for one in proofs)
    if n == m:
        return []
    params: dict[str, object] = {"play": ours.action.text, "best": theirs.action.text}
    params |= {"n": n, "m": m}
    told = Reason("review.reason.proven", params)
    return [_Weighed(1.0 + abs(m - n) / 15, _sign(m - n), told)]


def _short(question: Question) -> list[_Weighed]:
    """Say who is near the end."""
    obs = question.obs
    found = []
    for partners, key in ((False, "enemy_short"), (True, "mate_short")):
        few = min(facts.side_left(obs, partners=partners).values(), default=99)
        if few <= SHORT:
            found.append(_Weighed(2.5 - 0.5 * few, 0, Reason(f"review.reason.{key}", {"n": few})))
    return found


def _proven(question: Question, ours: _Side) -> list[_Weighed]:
    """Say what open hands prove, and who held what beats the action taken."""
    solved, before, seat = question.solved, question.before, question.obs.seat
    found: list[_Weighed] = []
    if solved is not None and (solved.value > 0) == (seat in before.landlords):
        told = Reason("review.reason.keep", {"n": len(solved.best), "m": solved.options})
        found.append(_Weighed(2.2 if solved.only or question.open_wrong else 0.3, 0, told))
    if question.open_wrong and ours.move is not None:
        held = _held(question, ours)
        if held:
            found.append(_Weighed(2.0, 1, held))
    return found


def _held(question: Question, ours: _Side) -> Reason | None:
    """Name the enemy next in turn that held an answer, and the lowest of its answers."""
    before, move = question.before, ours.move
    seat = question.obs.seat
    assert move is not None
    for turn in range(1, before.seats):
        other = (seat + turn) % before.seats
        side = before.side_of(other)
        if side == before.side_of(seat) or not before.hands[other]:
            continue
        answers = question.obs.rules.moves(before.hands[other], beat=move.hand, beat_as=move)
        if answers:
            lowest = min(answers, key=lambda one: (one.is_bomb, cards.LANE[one.top]))
            return Reason(
                "review.reason.held_landlord" if side == "landlord" else "review.reason.held",
                {"play": ours.action.text, "cards": lowest.cards, "seat": other},
            )
    return None


# --- kinds ---------------------------------------------------------------------------------------


def _kind(question: Question, ours: _Side, theirs: _Side) -> Kind:
    """Return the kind of mistake that taking one action for the other is."""
    obs = question.obs
    bombs = [one.move is not None and one.move.is_bomb for one in (ours, theirs)]
    if bombs[0] != bombs[1]:
        return "bomb"
    mates = facts.side_left(obs, partners=True)
    if obs.to_beat is None:
        fed = min(mates.values(), default=99)
        sizes = [cards.size_of(one.action.hand) for one in (ours, theirs)]
        if fed <= 2 and sizes[1] == fed and sizes[0] != fed:
            return "partner"
        return "split" if _splits(ours, theirs) else "lead"
    if obs.beat_by in mates:
        return "partner"
    if ours.move is None:
        return "cover"
    if theirs.move is None:
        return "hold_back"
    return "split" if _splits(ours, theirs) else "cover"


def _splits(ours: _Side, theirs: _Side) -> bool:
    """Tell whether an action breaks up the hand where the other does not."""
    return ours.turns > theirs.turns or len(ours.torn) > len(theirs.torn)
