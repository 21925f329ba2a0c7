"""Many games reviewed: a table of results, luck and skill, and of mistakes by kind over time.

Layer 3. *Luck* is par: what bots make of the deal from that seat, auction included; over all deals
its mean is zero. *Skill* is the result beyond it, of the seat and of everybody else at the table
together, which is why it takes many games to speak of one of them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ddz_core import estimate
from ddz_core.display import Tabular, framed
from ddz_core.errors import DdzError
from ddz_core.estimate import Estimate
from ddz_core.review.making import SECONDS, Stop, check_game, made
from ddz_core.review.report import CUTS, KINDS, Review
from ddz_core.review.told import plain

if TYPE_CHECKING:
    import pandas as pd

    from ddz_core.game import Game


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A game that was not reviewed, and why."""

    name: str
    error: DdzError


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch(Tabular):
    """Reviews of many games; made by :func:`batch`.

    Attributes:
        names: of the games reviewed, in order.
        reviews: one a game.
        seats: the seat that is looked at in each game; None for all of them.
        left_out: games that could not be reviewed.
    """

    names: tuple[str, ...]
    reviews: tuple[Review, ...]
    seats: tuple[int | None, ...]
    left_out: tuple[LeftOut, ...] = ()

    def rows(self) -> list[dict[str, object]]:
        """Return one row a game and seat: result, luck, skill, losses, labels and kinds."""
        return [
            _row(number, name, review, one)
            for number, (name, review, seat) in enumerate(
                zip(self.names, self.reviews, self.seats, strict=True), 1
            )
            for one in (range(review.game.seats) if seat is None else (seat,))
        ]

    def frame(self) -> pd.DataFrame:
        """Return :meth:`rows` as a pandas frame."""
        return framed(self.rows(), seed=self._seed)

    def decisions(self) -> pd.DataFrame:
        """Return every judged decision as a pandas frame, with the number and name of its game."""
        rows = [
            {"game": number, "name": name, **row}
            for number, (name, review, seat) in enumerate(
                zip(self.names, self.reviews, self.seats, strict=True), 1
            )
            for row in review.rows()
            if seat is None or row["seat"] == seat
        ]
        return framed(rows, seed=self._seed)

    def kinds(self) -> list[dict[str, object]]:
        """Return mistakes by kind over time: one row a game and kind, also where there are none."""
        rows: list[dict[str, object]] = []
        for number, (name, review, seat) in enumerate(
            zip(self.names, self.reviews, self.seats, strict=True), 1
        ):
            found = review.kinds(seat)
            lost = _lost_by_kind(review, seat)
            rows += [
                {
                    "game": number,
                    "name": name,
                    "kind": kind,
                    "count": found.get(kind, 0),
                    "loss_win": lost.get(kind, 0.0),
                }
                for kind in KINDS
            ]
        return rows

    def mean(self, what: str) -> Estimate | None:
        """Return the mean of a column over games, with its interval; None of fewer than two.

        Args:
            what: ``points``, ``luck``, ``skill``, ``bidding`` or ``loss_win``.
        """
        found: dict[object, list[float]] = {}
        for row in self.rows():
            value = row[what]
            if isinstance(value, (int, float)):
                found.setdefault(row["game"], []).append(float(value))
        values = [sum(one) / len(one) for one in found.values()]
        if len(values) < 2:
            return None
        squares = sum(value * value for value in values)
        unit = "probability" if what == "loss_win" else "points"
        return estimate.mean(sum(values), squares, len(values), unit=unit, seed=self._seed)

    def csv(self) -> str:
        """Return :meth:`rows` as CSV text, the first line naming the columns."""
        return csv_of(self.rows())

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        means = {what: self.mean(what) for what in ("points", "luck", "skill", "loss_win")}
        return {
            "games": self.rows(),
            "kinds": self.kinds(),
            "means": {what: plain(one) for what, one in means.items()},
            "left_out": [{"name": one.name, "error": str(one.error)} for one in self.left_out],
        }

    @property
    def _seed(self) -> int | None:
        return self.reviews[0].seed if self.reviews else None

    def __str__(self) -> str:
        heads = ("game", "name", "seat", "side", "points", "luck", "skill", "loss_win")
        lines = ["  ".join([f"{head:>9}" for head in heads] + ["labels"])]
        for row in self.rows():
            cells = [
                f"{value:9.2f}" if isinstance(value, float) else f"{value!s:>9.20}"
                for value in (row[head] for head in heads)
            ]
            labels = ", ".join(f"{row[name]} {name}" for name in CUTS if row[name])
            lines.append("  ".join([*cells, labels or "-"]))
        lines += [f"{one.name}: not reviewed: {one.error}" for one in self.left_out]
        return "\n".join(lines)


def batch(
    games: Sequence[Game],
    *,
    names: Sequence[str] | None = None,
    seats: Sequence[int | None] | int | None = None,
    seed: int = 1,
    seconds: float = SECONDS,
    samples: int | None = None,
    cancel: Stop | None = None,
    progress: Callable[[float], None] | None = None,
) -> Batch:
    """Review many games; those that cannot be reviewed are left out and named.

    Args:
        games: finished games, of any rulesets.
        names: of the games; numbers from 1 if left out.
        seats: the seat to look at, one for all games or one for each; None for all seats.
        seed, samples, cancel: as for :func:`ddz_core.review.making.made`, each game.
        seconds: what each game may take.
        progress: is told the share done of all games.

    Raises:
        DdzError: if there are not as many names or seats as games, or for a number that cannot be.
    Cost: that of the reviews, one after the other.
    """
    number = len(games)
    named = [str(i + 1) for i in range(number)] if names is None else list(names)
    chosen = [seats] * number if seats is None or isinstance(seats, int) else list(seats)
    for field, found in (("names", named), ("seats", chosen)):
        if len(found) != number:
            raise DdzError(
                f"{field}: expected {number}, one a game, got {len(found)}",
                key="error.review.each",
                field=field,
                expected=number,
                got=len(found),
            )
    done: list[tuple[str, Review, int | None]] = []
    left_out = []
    for place, game in enumerate(games):
        if cancel is not None and cancel.is_set():
            break

        def tell(share: float, place: int = place) -> None:
            if progress is not None:
                progress((place + share) / number)

        try:
            check_game(game)
        except DdzError as error:
            left_out.append(LeftOut(named[place], error))
            continue
        review = made(
            game, seed=seed, seconds=seconds, samples=samples, cancel=cancel, progress=tell
        )
        done.append((named[place], review, chosen[place]))
    return Batch(
        names=tuple(name for name, _, _ in done),
        reviews=tuple(review for _, review, _ in done),
        seats=tuple(seat for _, _, seat in done),
        left_out=tuple(left_out),
    )


def csv_of(rows: Sequence[dict[str, object]]) -> str:
    """Return rows of equal columns as CSV text."""
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return out.getvalue()


def _row(number: int, name: str, review: Review, seat: int) -> dict[str, object]:
    """Return what a review says of one seat."""
    game = review.game
    own = [one for one in review.decisions if one.seat == seat]
    par = next((one for one in review.par if one.seat == seat), None)
    side = game.side_of(seat) or ""
    won = None
    if game.landlords:
        won = (game.outcome == "landlords") == (side == "landlord")
    labels, kinds = review.labels(seat), review.kinds(seat)
    return {
        "game": number,
        "name": name,
        "rules": game.rules.id,
        "seat": seat,
        "side": side,
        "won": won,
        "points": 0 if game.ledger is None else game.ledger.points[seat],
        "luck": None if par is None else round(par.luck, 4),
        "bidding": None if par is None else round(par.bidding, 4),
        "skill": None if par is None else round(par.skill, 4),
        "par_win": None if par is None else round(par.win.value, 4),
        "could_win": review.could_win.get(seat, "unknown"),
        "decisions": len(own),
        "wrong": sum(one.known == "wrong" for one in own),
        "costly": sum(one.costly for one in own),
        "unlucky": sum(one.joined == "unlucky" for one in own),
        "lucky": sum(one.joined == "lucky" for one in own),
        "loss_win": round(sum(one.loss_win.value for one in own if one.known == "wrong"), 4),
        **{label: labels.get(label, 0) for label in CUTS},
        **{kind: kinds.get(kind, 0) for kind in KINDS},
    }


def _lost_by_kind(review: Review, seat: int | None) -> dict[str, float]:
    """Return the loss in chance to win of costly decisions by kind."""
    found: dict[str, float] = {}
    for one in review.decisions:
        if one.costly and (seat is None or one.seat == seat):
            found[one.kind] = round(found.get(one.kind, 0.0) + one.loss_win.value, 4)
    return found
