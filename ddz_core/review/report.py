"""What a review says: decisions, the course of the game, what could have been won.

Layer 3. Plain frozen data; :mod:`ddz_core.review.making` fills it. Chances are between 0 and 1,
losses of it are differences to the best action found, never below zero; points are those of the
seat that decides. ``Estimate.method`` tells how a number was found: ``solved`` is a proof with all
hands open, ``sampled`` a mean over worlds in which rule bots played on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ddz_core.display import Tabular, framed
from ddz_core.errors import DdzError
from ddz_core.observation import observe
from ddz_core.review.told import Reason, plain

if TYPE_CHECKING:
    import pandas as pd

    from ddz_core.estimate import Estimate
    from ddz_core.game import Game
    from ddz_core.observation import Observation

Verdict: TypeAlias = Literal["right", "wrong", "unknown"]
Answer: TypeAlias = Literal["yes", "no", "unknown"]
Label: TypeAlias = Literal["", "inaccuracy", "mistake", "blunder"]
Kind: TypeAlias = Literal[
    "", "bid", "split", "lead", "cover", "hold_back", "bomb", "partner", "reading"
]

CUTS: dict[Label, float] = {"inaccuracy": 0.05, "mistake": 0.10, "blunder": 0.20}
"""Losses in chance to win from which a decision gets each label: of chess sites, to start with."""
KINDS: tuple[Kind, ...] = (
    *("bid", "split", "lead", "cover", "hold_back", "bomb", "partner", "reading"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One action that was compared, with what the seat knew.

    Attributes:
        action: its text.
        win: chance to win of the seat's side.
        points: points of the seat.
        gain: chance to win minus that of the action taken, in the same worlds.
    """

    action: str
    win: Estimate
    points: Estimate
    gain: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One of the ways in which a farmer can serve its side.

    Attributes:
        key: ``go_out`` (the action after which it goes out itself most often), ``feed`` (a partner
            does), ``block`` (an enemy gets the next lead least often) or ``pass``.
        action: the action.
        team: chance to win of its side.
        share: how often that happens; for ``block`` how often no enemy gets the lead.
        gain: ``team`` minus that of the action taken, in the same worlds.
    """

    key: Literal["go_out", "feed", "block", "pass"]
    action: str
    team: Estimate
    share: float
    gain: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision of a seat that had more than one option.

    Attributes:
        index: its place in the history of the game.
        seat: who decided.
        action: what it did.
        best: the best action found with what the seat knew; the action itself where no other is
            clearly better.
        loss_win: what the action gave away in chance to win, with what the seat knew.
        loss_points: the same in points of the seat; below zero where the action that wins more
            often pays less.
        loss_open: the same in chance to win, with all hands open; None where unknown.
        open: the verdict with all hands open.
        known: the verdict with what the seat knew.
        kind: what kind of mistake it is; empty where it is none.
        reasons: countable differences, the largest first; at least two.
        label: ``inaccuracy``, ``mistake``, ``blunder``, or empty: none is given unless the whole
            interval of the loss lies beyond the cut-off, nor where the action keeps what can be
            proven with open hands; of a bid the loss is that in points, as a share of what lies
            between a deal won and lost.
        only: whether exactly one action kept the proven result.
        line: how the game may go on after ``best``, action by action to its end.
        lens: for a farmer with partners, the ways to serve the side.
        tried: the actions compared, best first.
        open_best: actions that keep the result with all hands open, where that is proven.
        open_line: how it goes on after the first of ``open_best``, to the end.
        win: chance to win of the seat's side before the decision, with what it knew.
    """

    index: int
    seat: int
    action: str
    best: str
    loss_win: Estimate
    loss_points: Estimate
    loss_open: Estimate | None = None
    open: Verdict = "unknown"
    known: Verdict = "unknown"
    kind: Kind = ""
    reasons: tuple[Reason, ...] = ()
    label: Label = ""
    only: bool = False
    line: tuple[str, ...] = ()
    lens: tuple[Way, ...] = ()
    tried: tuple[Tried, ...] = ()
    open_best: tuple[str, ...] = ()
    open_line: tuple[str, ...] = ()
    win: Estimate | None = None

    @property
    def joined(self) -> Literal["", "unlucky", "lucky"]:
        """What the two verdicts make together: right but unlucky, wrong but lucky, or neither."""
        if (self.known, self.open) == ("right", "wrong"):
            return "unlucky"
        return "lucky" if (self.known, self.open) == ("wrong", "right") else ""

    @property
    def costly(self) -> bool:
        """Whether it clearly gave away a twentieth or more, with what the seat knew.

        A costly decision has no label where open hands prove that it changed nothing.
        """
        return bool(self.label) or self.loss_win.low >= CUTS["inaccuracy"]

    @property
    def solved(self) -> bool:
        """Whether the verdict with open hands is proven."""
        return self.loss_open is not None and self.loss_open.method == "solved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The chance of the landlord's side at one moment, with all hands open.

    Attributes:
        index: how many actions were done.
        win: the chance; exactly 0 or 1 where it is proven.
        solved: whether it is proven.
    """

    index: int
    win: Estimate
    solved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """How a seat could have won: a decision that was proven winning, and the way from there.

    Attributes:
        index: the decision, as a place in the history.
        line: actions from there to the end, all legal in this order.
    """

    index: int
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Par:
    """What bots make of the same deal from one seat.

    Attributes:
        seat: the seat.
        points: mean points with bots on all seats, the auction included.
        win: chance to win with bots on all seats, the auction included.
        played: mean points with bots from the first lead on, after the auction as it was.
        result: the points of the game itself.
    """

    seat: int
    points: Estimate
    win: Estimate
    played: Estimate
    result: int

    @property
    def luck(self) -> float:
        """Points that the deal was worth: par, as the mean over all deals is zero."""
        return self.points.value

    @property
    def bidding(self) -> float:
        """Points that the auction and statements as they were brought over those of the bots."""
        return self.played.value - self.points.value

    @property
    def skill(self) -> float:
        """Points brought beyond the luck of the deal, of the seat and of all others together."""
        return self.result - self.points.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """A position to try again: the game as it stood, and what the seat saw.

    Attributes:
        decision: what was decided there.
        game: the game before it.
        seen: what the seat knew.
    """

    decision: Decision
    game: Game
    seen: Observation


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Review(Tabular):
    """A game with a judgement of every decision; made by :func:`ddz_core.review`.

    Attributes:
        game: the game.
        decisions: in the order of play; those with one option are left out.
        curve: the chance of the landlord's side after each number of actions of the play.
        turning: places in ``decisions``, the largest loss first.
        could_win: by seat whether it could have won: ``yes`` if its side won or a play of its was
            proven winning with open hands, ``no`` if every decision of its was proven lost.
        how: by seat that could have won and did not, how.
        par: what bots make of the deal, by seat; empty where they cannot play it.
        seed: of all samples.
        samples: worlds in which the last two actions of a decision were compared.
        seconds: what the review was allowed to take.
        complete: whether everything was judged; not when cancelled or out of time.
    """

    game: Game
    decisions: tuple[Decision, ...]
    curve: tuple[Moment, ...] = ()
    turning: tuple[int, ...] = ()
    could_win: dict[int, Answer] = field(default_factory=dict)
    how: dict[int, Showing] = field(default_factory=dict)
    par: tuple[Par, ...] = ()
    seed: int = 1
    samples: int = 0
    seconds: float = 0.0
    complete: bool = True

    def __repr__(self) -> str:
        """Return a short description."""
        labels = ", ".join(f"{n} {name}" for name, n in self.labels().items())
        return f"Review({self.game.rules.id}, {len(self.decisions)} decisions, {labels or 'none'})"

    def labels(self, seat: int | None = None) -> dict[str, int]:
        """Return how many decisions got each label, of one seat or of all."""
        return _counted(one.label for one in self._of(seat))

    def kinds(self, seat: int | None = None) -> dict[str, int]:
        """Return how many costly decisions are of each kind, of one seat or of all."""
        return _counted(one.kind for one in self._of(seat) if one.costly)

    def _of(self, seat: int | None) -> list[Decision]:
        return [one for one in self.decisions if seat is None or one.seat == seat]

    def at(self, index: int) -> Decision:
        """Return the decision at a place of the history.

        Raises:
            DdzError: if no decision was judged there.
        """
        for one in self.decisions:
            if one.index == index:
                return one
        raise DdzError(
            f"index: no decision was judged at {index!r}",
            key="error.review.index",
            field="index",
            expected=", ".join(str(one.index) for one in self.decisions),
            got=index,
        )

    def before(self, decision: Decision) -> Game:
        """Return the game before a decision."""
        return self.game.at(decision.index)

    def retries(self, seat: int | None = None) -> tuple[Retry, ...]:
        """Return the positions of costly decisions to try again, in the order of play."""
        found = []
        for one in self._of(seat):
            if one.costly:
                before = self.before(one)
                seen = observe(before, one.seat)
                found.append(Retry(decision=one, game=before, seen=seen))
        return tuple(found)

    def frame(self) -> pd.DataFrame:
        """Return the decisions as a pandas frame, one row each, in the order of play."""
        rules = self.game.rules
        return framed(self.rows(), seed=self.seed, rules=rules.id, rules_hash=rules.hash)

    def rows(self) -> list[dict[str, object]]:
        """Return the decisions as rows of plain values."""
        rows = []
        for number, one in enumerate(self.decisions):
            row: dict[str, object] = {
                "decision": number,
                "index": one.index,
                "seat": one.seat,
                "side": self.game.side_of(one.seat) or "",
                "action": one.action,
                "best": one.best,
                "label": one.label,
                "kind": one.kind,
                "known": one.known,
                "open": one.open,
                "only": one.only,
            }
            for name in ("loss_win", "loss_points", "loss_open"):
                value: Estimate | None = getattr(one, name)
                row[name] = None if value is None else value.value
                row[f"{name}_low"] = None if value is None else value.low
                row[f"{name}_high"] = None if value is None else value.high
            row["n"] = one.loss_win.n
            row["method"] = one.loss_win.method
            row["open_method"] = "" if one.loss_open is None else one.loss_open.method
            rows.append(row)
        return rows

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        game = self.game
        points = None if game.ledger is None else list(game.ledger.points)
        return {
            "rules": game.rules.id,
            "outcome": game.outcome,
            "landlords": list(game.landlords),
            "points": points,
            "seed": self.seed,
            "samples": self.samples,
            "complete": self.complete,
            "decisions": [plain(one) for one in self.decisions],
            "curve": [plain(one) for one in self.curve],
            "turning": list(self.turning),
            "could_win": {str(seat): answer for seat, answer in self.could_win.items()},
            "how": {str(seat): plain(one) for seat, one in self.how.items()},
            "par": [
                {**plain(one), "luck": one.luck, "bidding": one.bidding, "skill": one.skill}
                for one in self.par
            ],
        }

    def __str__(self) -> str:
        game = self.game
        lines = [f"{game.rules.id}: {game.outcome}, {len(self.decisions)} decisions judged"]
        for place in self.turning:
            one = self.decisions[place]
            loss = one.loss_win
            lines.append(
                f"{one.index + 1:4}  seat {one.seat}  {one.action:12} {one.label or '-':10} "
                f"{one.kind or '-':9} -{loss.value:.3f} ({loss.low:.3f} to {loss.high:.3f})"
                f"  best {one.best}; known {one.known}, open {one.open}"
                + ("; only move" if one.only else "")
            )
        for seat, answer in sorted(self.could_win.items()):
            lines.append(f"seat {seat} could have won: {answer}")
        lines += [
            f"seat {par.seat}: {par.result:+d} points, par {par.points.value:+.1f}, "
            f"skill {par.skill:+.1f}"
            for par in self.par
        ]
        how = f"seed {self.seed}, {self.samples} worlds a comparison, bots rule"
        return "\n".join([*lines, how if self.complete else f"{how}; not complete"])


def _counted(names: Any) -> dict[str, int]:  # noqa: ANN401
    """Return how often each name that is not empty occurs, most frequent first."""
    return dict(Counter(name for name in names if name).most_common())
