"""One decision of the play judged twice: with what the seat knew, and with all hands open.

Layer 3. Some worlds choose the actions worth comparing, others compare them: what was chosen for
its luck in the first is not judged by that luck. A loss is the best action found minus the action
taken, in the same worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ddz_core import actions, estimate
from ddz_core.actions import PASS
from ddz_core.bots.rule import RuleBot, seen_by
from ddz_core.estimate import Estimate
from ddz_core.observation import observe
from ddz_core.patterns.combination import code_in, move_from
from ddz_core.review import reasons
from ddz_core.review.report import CUTS, Decision, Label, Tried, Verdict, Way
from ddz_core.review.told import Reason
from ddz_core.review.trial import (
    Action,
    Outcomes,
    Room,
    Settler,
    chance,
    difference,
    joined,
    not_below_zero,
    tried,
)
from ddz_core.review.worlds import Worlds, drawn, is_certain, one_world

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.actions import Entry
    from ddz_core.game import Game
    from ddz_core.observation import Observation
    from ddz_core.review.solving import Solved

WIDTH = 12
"""Plays tried at most, the one made and a pass beside them."""
VARIANTS = 2
"""Of these with the same main part at most: they differ by kickers."""
KEPT = 4
"""Actions that are tried in further worlds before the best is named."""
SMALL = 0.02
"""A loss below this in chance to win is none worth a word."""

_FAR = 1 << 20
_BOT = RuleBot()


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many worlds a decision gets; everything else follows.

    Attributes:
        screen: worlds in which all actions are tried; those kept get as many again.
        final: worlds in which the last ones are compared.
        open: games with all hands open for each of the last actions.
    """

    screen: int
    final: int
    open: int


def options_of(room: Room, obs: Observation, entry: Entry) -> tuple[list[Action], int]:
    """Return the actions worth trying and the place of the one taken among them."""
    table = room.engine.table
    own = Action(PASS, 0, 0)
    if entry.move is not None:
        own = Action(entry.action, entry.move.hand, code_in(table, entry.move))
    found: list[Action] = []
    variants: dict[int, int] = {}
    for _, hand, code in room.engine.scored(room.weights, *seen_by(room.engine, obs)):
        if len(found) >= WIDTH or not obs.limits.allows(hand, bomb=code >> 26 > 0):
            continue
        variants[code] = variants.get(code, 0) + 1
        if variants[code] <= VARIANTS and (hand, code) != (own.hand, own.code):
            found.append(Action(written(obs, room, hand, code), hand, code))
    if obs.to_beat is not None and own.hand:
        found.append(Action(PASS, 0, 0))
    return [own, *found], 0


def written(obs: Observation, room: Room, hand: int, code: int) -> str:
    """Return a play as an action's text, its reading named where that matters."""
    move = move_from(room.engine.table, hand, code)
    automatic = actions.automatic_reading(obs.ruleset, hand, obs.to_beat)
    own = actions.reading_of(move)
    unnamed = automatic is not None and actions.reading_of(automatic) == own
    return actions.written(hand, None if unnamed else own)


def judged(
    room: Room,
    before: Game,
    entry: Entry,
    sizes: Sizes,
    *,
    seed: int,
    solved: Solved | None,
    after: Sequence[str],
) -> Decision:
    """Return what a decision was worth.

    Args:
        room: the kernels.
        before: the game before it.
        entry: what was done.
        sizes: how much to sample.
        seed: of the review; the decision's own follows from it and its place.
        solved: what is proven of the position.
        after: the actions that followed in the game.
    """
    seat = before.to_act
    assert seat is not None
    obs = observe(before, seat)
    own = int(np.random.SeedSequence([seed, entry.index]).generate_state(1, np.uint64)[0] >> 1)
    found, place = options_of(room, obs, entry)
    settler = Settler(before)
    known = _Known(room, before, obs, found, place, sizes, own)
    compared = known.compare()
    loss, points = compared.loss(settler)
    certain = is_certain(obs)
    shown = _open(room, before, found, place, sizes, own, solved)
    if certain and shown.proven:
        loss = shown.loss
        points = _solved_points(points, lost=loss.value > 0)
    best = found[compared.best] if loss.low > 0 else found[place]
    if certain and shown.proven and solved is not None and loss.value > 0:
        best = _named(found, solved.best[0])
    keeps = shown.proven and shown.loss is not None and shown.loss.value == 0
    label = "" if keeps else label_of(loss)
    verdict = verdict_of(loss)
    lens = compared.lens()
    told = reasons.of_play(
        reasons.Question(
            room=room,
            obs=obs,
            before=before,
            worlds=compared.worlds,
            outcomes=compared.outcomes,
            actions=tuple(compared.shown),
            played=compared.shown.index(found[place]),
            best=_place_of(compared.shown, best, found[compared.best]),
            wrong=verdict == "wrong",
            open_wrong=shown.verdict == "wrong",
            solved=solved,
        )
    )
    wrong = verdict == "wrong" or shown.verdict == "wrong"
    kind = told.kind if wrong else ""
    because = told.reasons
    if kind and verdict == "wrong" and not certain:
        unread = compared.unread(known)
        if unread < SMALL:
            kind = "reading"
            why = {"best": best.text, "n": max(0, round(100 * unread))}
            because = (Reason("review.reason.unread", why), *because)
    line = tuple(after) if best is found[place] else _line(before, best.text, solved)
    return Decision(
        index=entry.index,
        seat=seat,
        action=entry.action,
        best=best.text,
        loss_win=loss,
        loss_points=points,
        loss_open=shown.loss,
        open=shown.verdict,
        known=verdict,
        kind=kind,
        reasons=because,
        label=label,
        only=solved is not None and solved.only,
        line=line,
        lens=lens,
        tried=compared.told(settler),
        open_best=() if solved is None else solved.best,
        open_line=_open_line(before, solved),
        win=compared.win(),
    )


def verdict_of(loss: Estimate) -> Verdict:
    """Return what a loss says: wrong or right where its interval tells, else unknown."""
    if loss.low > 0 and loss.value >= SMALL:
        return "wrong"
    return "right" if loss.value < SMALL and loss.high < CUTS["inaccuracy"] else "unknown"


def label_of(loss: Estimate) -> Label:
    """Return the highest label whose cut-off lies below the whole interval of a loss."""
    found: Label = ""
    for label, cut in CUTS.items():
        if loss.low >= cut:
            found = label
    return found


# --- with what the seat knew ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Known:
    """A decision to be judged with what the seat knew."""

    room: Room
    before: Game
    obs: Observation
    found: list[Action]
    place: int
    sizes: Sizes
    seed: int

    def worlds(self, number: int, first: int, *, weigh: bool = True) -> Worlds:
        return drawn(self.room, self.obs, number, seed=self.seed, first=first, weigh=weigh)

    def tried(self, worlds: Worlds, which: Sequence[int], first: int) -> Outcomes:
        return tried(
            self.room,
            self.before,
            worlds,
            [self.found[place] for place in which],
            seat=self.obs.seat,
            seed=self.seed,
            first=first,
        )

    def compare(self) -> _Compared:
        """Find the best action, and compare it with the one taken in other worlds."""
        screen = self.sizes.screen
        first = self.worlds(2 * screen, 0)
        every = list(range(len(self.found)))
        rough = self.tried(first.part(0, screen), every, 0)
        order = self.ranked(rough.won.mean(axis=0), every)
        kept = order[:KEPT] if self.place in order[:KEPT] else [*order[: KEPT - 1], self.place]
        ways = self.ways(rough) if self.has_partners else {}
        more = self.tried(first.part(screen, 2 * screen), kept, screen)
        both = joined([_columns(rough, kept), more]).won.mean(axis=0)
        ranked = self.ranked(both, kept)
        best = ranked[0]
        shown = list(dict.fromkeys([self.place, *ranked[:3], *ways.values()]))
        worlds = self.worlds(self.sizes.final, _FAR)
        outcomes = self.tried(worlds, shown, _FAR)
        return _Compared(
            question=self,
            best=best,
            order=shown,
            worlds=worlds,
            outcomes=outcomes,
            rival=next((one for one in ranked if one != self.place), self.place),
            ways=ways,
        )

    def ranked(self, means: NDArray[np.float64], places: Sequence[int]) -> list[int]:
        """Return places by means, the action taken first among equals."""
        by_place = dict(zip(places, means.tolist(), strict=True))
        return sorted(places, key=lambda p: (-by_place[p], p != self.place, p))

    @property
    def has_partners(self) -> bool:
        """Whether the seat is a farmer with another."""
        obs = self.obs
        farmers = [s for s in range(obs.seats) if obs.side_of(s) == "farmer"]
        return obs.sides_known and obs.seat in farmers and len(farmers) > 1

    def ways(self, rough: Outcomes) -> dict[str, int]:
        """Return the action that serves each way best."""
        seat = self.obs.seat
        plays = [p for p, one in enumerate(self.found) if one.hand]
        found: dict[str, int] = {}
        if plays:
            mine = (rough.out == seat).mean(axis=0)
            mates = (rough.friends(rough.out, seat) & (rough.out != seat)).mean(axis=0)
            leads = rough.friends(rough.led, seat).mean(axis=0)
            for key, share in (("go_out", mine), ("feed", mates), ("block", leads)):
                found[key] = max(plays, key=lambda p: (float(share[p]), -p))
        passed = [p for p, one in enumerate(self.found) if not one.hand]
        if passed:
            found["pass"] = passed[0]
        return found


def _columns(found: Outcomes, places: Sequence[int]) -> Outcomes:
    """Return the outcomes of some of the actions."""
    return replace(
        found,
        won=found.won[:, places],
        out=found.out[:, places],
        led=found.led[:, places],
        raw=found.raw[:, places],
        bombs=found.bombs[:, places],
    )


@dataclass(frozen=True, slots=True)
class _Compared:
    """Actions compared in worlds that did not choose them.

    Attributes:
        question: the decision.
        best: place among all actions of the best one found.
        order: places among all actions of the columns of ``outcomes``.
        worlds, outcomes: what came of them.
        rival: place of the best action but the one taken.
        ways: place of the action that serves each way best.
    """

    question: _Known
    best: int
    order: list[int]
    worlds: Worlds
    outcomes: Outcomes
    rival: int
    ways: dict[str, int]

    @property
    def shown(self) -> list[Action]:
        """The actions, in the order of the columns."""
        return [self.question.found[place] for place in self.order]

    def column(self, place: int) -> int:
        return self.order.index(place)

    def won(self, place: int) -> NDArray[np.bool_]:
        return self.outcomes.won[:, self.column(place)]

    def loss(self, settler: Settler) -> tuple[Estimate, Estimate]:
        """Return the loss in chance to win and in points, of the best action or the next."""
        question, effective, seed = self.question, self.outcomes.effective, self.question.seed
        other = self.rival if self.best == question.place else self.best
        seat = question.obs.seat
        win = difference(self.won(other), self.won(question.place), effective, "probability", seed)
        a, b = (
            settler.points(self.outcomes, self.column(place), seat)
            for place in (other, question.place)
        )
        if a is None or b is None:
            points = Estimate(
                value=0.0, low=-np.inf, high=np.inf, n=0, method="sampled", unit="points", seed=seed
            )
        else:
            points = difference(a, b, effective, "points", seed)
            if self.best == question.place:
                points = not_below_zero(points)
        return not_below_zero(win), points

    def win(self) -> Estimate:
        """Return the chance to win before the decision: with the best action."""
        return chance(self.won(self.best), self.outcomes.effective, self.question.seed)

    def gain(self, place: int) -> Estimate:
        """Return how much more often an action wins than the one taken."""
        seed, effective = self.question.seed, self.outcomes.effective
        if place == self.question.place:
            return Estimate(
                value=0.0, low=0.0, high=0.0, n=len(self.outcomes), method="sampled", seed=seed
            )
        return difference(
            self.won(place), self.won(self.question.place), effective, "probability", seed
        )

    def told(self, settler: Settler) -> tuple[Tried, ...]:
        """Return the actions compared, best first."""
        seat, seed = self.question.obs.seat, self.question.seed
        effective = self.outcomes.effective
        rows = []
        for place in self.order:
            points = settler.points(self.outcomes, self.column(place), seat)
            paid = np.zeros(len(self.outcomes)) if points is None else points
            total, squares = float(paid.sum()), float((paid * paid).sum())
            rows.append(
                Tried(
                    action=self.question.found[place].text,
                    win=chance(self.won(place), effective, seed),
                    points=estimate.mean(total, squares, len(paid), unit="points", seed=seed),
                    gain=self.gain(place),
                )
            )
        best = self.question.found[self.best].text
        return tuple(sorted(rows, key=lambda row: (row.action != best, -row.win.value)))

    def lens(self) -> tuple[Way, ...]:
        """Return the ways in which a farmer can serve its side."""
        seat, found = self.question.obs.seat, self.outcomes
        rows = []
        for key, place in self.ways.items():
            column = self.column(place)
            out, led = found.out[:, column], found.led[:, column]
            one = found.friends(found.out, seat)[:, column]
            share = {
                "go_out": (out == seat).mean(),
                "feed": (one & (out != seat)).mean(),
                "block": found.friends(found.led, seat)[:, column].mean(),
                "pass": (led != seat).mean(),
            }[key]
            rows.append(
                Way(
                    key=key,  # type: ignore[arg-type]
                    action=self.question.found[place].text,
                    team=chance(self.won(place), found.effective, self.question.seed),
                    share=float(share),
                    gain=self.gain(place),
                )
            )
        return tuple(rows)

    def unread(self, known: _Known) -> float:
        """Return the loss where what others did is not read."""
        worlds = known.worlds(known.sizes.final, 2 * _FAR, weigh=False)
        blind = known.tried(worlds, [self.best, known.place], 2 * _FAR)
        gap = difference(
            blind.won[:, 0], blind.won[:, 1], blind.effective, "probability", known.seed
        )
        return gap.value


# --- with all hands open -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Open:
    """What all hands open say.

    Attributes:
        loss: in chance to win.
        verdict: right, wrong or unknown.
        proven: whether by proof.
    """

    loss: Estimate
    verdict: Verdict
    proven: bool


def _open(
    room: Room,
    before: Game,
    found: list[Action],
    place: int,
    sizes: Sizes,
    seed: int,
    solved: Solved | None,
) -> _Open:
    """Return the verdict with all hands open: proven, or by games played on."""
    if solved is not None and solved.loss is not None:
        lost = float(solved.loss)
        loss = Estimate(value=lost, low=lost, high=lost, method="solved")
        return _Open(loss, "wrong" if lost else "right", proven=True)
    seat = before.to_act
    assert seat is not None

    def outcomes(which: Sequence[int], number: int, first: int) -> Outcomes:
        return tried(
            room,
            before,
            one_world(before.hands, before.landlords, number),
            [found[p] for p in which],
            seat=seat,
            seed=seed,
            first=first,
        )

    every = list(range(len(found)))
    means = outcomes(every, sizes.screen, 3 * _FAR).won.mean(axis=0)
    best = min(every, key=lambda p: (-float(means[p]), p != place, p))
    others = [p for p in every if p != place]
    rival = min(others, key=lambda p: -float(means[p]), default=place)
    last = outcomes([rival if best == place else best, place], sizes.open, 4 * _FAR)
    loss = not_below_zero(
        difference(last.won[:, 0], last.won[:, 1], last.effective, "probability", seed)
    )
    return _Open(loss, verdict_of(loss), proven=False)


def _solved_points(found: Estimate, *, lost: bool) -> Estimate:
    """Return a loss in points where the loss of the game is proven: none without one."""
    if lost:
        return found
    return Estimate(value=0.0, low=0.0, high=0.0, method="solved", unit="points")


# --- what may follow -----------------------------------------------------------------------------


def _named(found: Sequence[Action], text: str) -> Action:
    """Return the action with a text; one that was not tried is made from it."""
    return next((one for one in found if one.text == text), Action(text, 0, 0))


def _place_of(shown: Sequence[Action], best: Action, otherwise: Action) -> int:
    """Return the place of an action among those shown, of another where it is not."""
    return shown.index(best) if best in shown else shown.index(otherwise)


def _line(before: Game, best: str, solved: Solved | None) -> tuple[str, ...]:
    """Return how the game may go on after an action: proven where it is, else by the bots."""
    if solved is not None and solved.line and solved.line[0] == best:
        return solved.line[1:]
    return played_on(before.apply(best))


def _open_line(before: Game, solved: Solved | None) -> tuple[str, ...]:
    """Return the proven continuation after the first of the actions that keep the result."""
    if solved is None or not solved.best:
        return ()
    if solved.line and solved.line[0] == solved.best[0]:
        return solved.line[1:]
    return played_on(before.apply(solved.best[0]))


def played_on(game: Game) -> tuple[str, ...]:
    """Return the actions of rule bots from here to the end."""
    line = []
    while game.to_act is not None:
        game = game.apply(_BOT.choose(observe(game, game.to_act)))
        line.append(game.history[-1].action)
    return tuple(line)
