"""Matches between bots on the same deals, so that the luck of the deal cancels.

Layer 3. Every deal is played several times with the bots in other chairs; the unit of the intervals
is the deal, since games of one deal are not independent. The same seed gives the same match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core import dealing, estimate
from ddz_core.actions import PASS
from ddz_core.bots import Bot, named
from ddz_core.errors import DdzError
from ddz_core.estimate import Estimate
from ddz_core.game import Game, new_game
from ddz_core.observation import observe
from ddz_core.rules import Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_GAMES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """What one bot did in a match.

    Attributes:
        name: the bot's name.
        games: games with a landlord that it sat in.
        wins: those its side won.
        landlord_games, landlord_wins: the same as landlord.
        win: share of games won; interval over deals.
        points: mean points a game; interval over deals.
    """

    name: str
    games: int
    wins: int
    landlord_games: int
    landlord_wins: int
    win: Estimate
    points: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """The result of :func:`play`.

    Attributes:
        ruleset: id of the rules.
        seed: of deals and bots.
        deals: deals played.
        games: games played, thrown-in ones included.
        redeals: games thrown in without a landlord.
        entrants: in the order in which they were given.
    """

    ruleset: str
    seed: int
    deals: int
    games: int
    redeals: int
    entrants: tuple[Entrant, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        width = max(len("bot"), *(len(entrant.name) for entrant in self.entrants))
        played = f"{self.deals} deals, {self.games} games, {self.redeals} thrown in"
        lines = [
            f"{self.ruleset}, seed {self.seed}: {played}",
            f"{'bot':<{width}}  games   won     interval       points  interval",
        ]
        for entrant in self.entrants:
            win, points = entrant.win, entrant.points
            lines.append(
                f"{entrant.name:<{width}}  {entrant.games:>5}  {win.value:.3f}  "
                f"{win.low:.3f}-{win.high:.3f}  {points.value:>+7.2f}  "
                f"{points.low:+.2f} to {points.high:+.2f}"
            )
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateResult:
    """The result of :func:`duplicate`, all shares of the first bot.

    Attributes:
        first, second: names of the two bots.
        deals: deals played, each in both roles.
        seed: of deals, landlords and bots.
        win: mean share over both roles; interval over deals.
        as_landlord: share as landlord against two (or more) of the second bot.
        as_farmers: share as all farmers against the second bot as landlord.
        points: points of the first bot's side a game; interval over deals.
    """

    first: str
    second: str
    deals: int
    seed: int
    win: Estimate
    as_landlord: Estimate
    as_farmers: Estimate
    points: Estimate

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"{self.first} against {self.second}: {self.deals} deals twice, seed {self.seed}"]
        for name, one in (
            ("won", self.win),
            ("as landlord", self.as_landlord),
            ("as farmers", self.as_farmers),
        ):
            lines.append(f"{name:<12} {one.value:.3f}  {one.low:.3f} to {one.high:.3f}")
        one = self.points
        lines.append(f"{'points':<12} {one.value:+.2f}  {one.low:+.2f} to {one.high:+.2f}")
        return "\n".join(lines)


def play(rules: Rules, bots: Sequence[str | Bot], games: int = 1000, seed: int = 0) -> MatchResult:
    """Play deals between bots, each deal once in every rotation of the chairs, auction included.

    Args:
        rules: the game.
        bots: one a seat, in playing order, as texts (:func:`ddz_core.bots.named`) or objects.
        games: number of deals; each gives as many games as there are seats.
        seed: of deals and bots.

    Raises:
        DdzError: if the number of bots, their names, ``games`` or ``seed`` cannot be.
    Cost: about 10 ms a game.
    """
    seats = rules.ruleset.deal.seats
    if len(bots) != seats:
        raise DdzError(
            f"bots: expected {seats}, one a seat, got {len(bots)}",
            key="error.match.bots",
            field="bots",
            expected=seats,
            got=len(bots),
        )
    _check_games(games)
    players = [_player(one) for one in bots]
    counts = np.zeros((seats, 4), dtype=np.int64)
    win_sums, win_squares, win_deals = np.zeros(seats), np.zeros(seats), np.zeros(seats, dtype=int)
    point_sums, point_squares = np.zeros(seats), np.zeros(seats)
    redeals = 0
    for number in range(games):
        deal = dealing.deal(rules, seed=seed, number=number)
        won, played, points = np.zeros(seats), np.zeros(seats), np.zeros(seats)
        for turn in range(seats):
            at = [(seat + turn) % seats for seat in range(seats)]
            rng = np.random.default_rng((seed, number, turn))
            game = finished(new_game(rules, deal), [players[i] for i in at], rng)
            if not game.landlords or game.ledger is None:
                redeals += 1
                continue
            for seat, i in enumerate(at):
                boss = seat in game.landlords
                win = (game.outcome == "landlords") == boss
                won[i] += win
                played[i] += 1
                points[i] += game.ledger.points[seat]
                counts[i] += (1, win, boss, boss and win)
        for i in range(seats):
            mean = points[i] / seats
            point_sums[i] += mean
            point_squares[i] += mean * mean
            if played[i]:
                share = won[i] / played[i]
                win_deals[i] += 1
                win_sums[i] += share
                win_squares[i] += share * share
    return MatchResult(
        ruleset=rules.id,
        seed=seed,
        deals=games,
        games=games * seats,
        redeals=redeals,
        entrants=tuple(
            Entrant(
                name=player.name,
                games=int(counts[i][0]),
                wins=int(counts[i][1]),
                landlord_games=int(counts[i][2]),
                landlord_wins=int(counts[i][3]),
                win=_mean(win_sums[i], win_squares[i], int(win_deals[i]), "probability", seed),
                points=_mean(point_sums[i], point_squares[i], games, "points", seed),
            )
            for i, player in enumerate(players)
        ),
    )


def duplicate(
    rules: Rules, first: str | Bot, second: str | Bot, deals: int = 100, seed: int = 0
) -> DuplicateResult:
    """Compare two bots at play alone: a landlord drawn at random, each deal played twice.

    Once the first bot is the landlord against the second on all other seats, once the reverse.

    Args:
        rules: the game.
        first, second: the bots, as texts (:func:`ddz_core.bots.named`) or objects.
        deals: number of deals, at least 2.
        seed: of deals, landlords and bots.

    Raises:
        DdzError: if a bot, ``deals`` or ``seed`` cannot be.
    """
    _check_games(deals)
    a, b = (_player(one) for one in (first, second))
    sums = np.zeros(len(SUMS), dtype=np.int64)
    for number in range(deals):
        sums += duplicate_deal(rules, a, b, seed=seed, number=number)
    return duplicate_result(sums, (a.name, b.name), seed)


SUMS = ("deals", "landlord", "farmers", "squares", "points", "points_squares")
"""What a duplicate match adds up: deals, games won in both roles, squares of games won in a deal,
points of both games of a deal together, and their squares."""


def duplicate_deal(
    rules: Rules, first: Bot, second: Bot, *, seed: int, number: int
) -> NDArray[np.int64]:
    """Return what one deal, played in both roles, adds to the :data:`SUMS` of a match.

    It depends on the bots, the seed and the number of the deal, and on nothing played before.
    """
    deal = dealing.deal(rules, seed=seed, number=number)
    rng = np.random.default_rng((seed, number))
    seats = rules.ruleset.deal.seats
    start = forced(new_game(rules, deal), int(rng.integers(seats)))
    won, points = [0, 0], 0
    for role, (lord, others) in enumerate(((first, second), (second, first))):
        players = [lord if seat in start.landlords else others for seat in range(seats)]
        game = finished(start, players, np.random.default_rng((seed, number, role)))
        won[role] = int((game.outcome == "landlords") == (role == 0))
        if game.ledger is not None:
            made = sum(game.ledger.points[seat] for seat in game.landlords)
            points += int(made) if role == 0 else -int(made)
    both = sum(won)
    return np.array([1, *won, both * both, points, points * points], dtype=np.int64)


def duplicate_result(sums: NDArray[np.int64], names: tuple[str, str], seed: int) -> DuplicateResult:
    """Return the shares and points behind the :data:`SUMS` of a match."""
    deals, landlord, farmers, squares, points, points_squares = map(int, sums)
    win = _mean((landlord + farmers) / 2, squares / 4, deals, "probability", seed)
    return DuplicateResult(
        first=names[0],
        second=names[1],
        deals=deals,
        seed=seed,
        win=win,
        as_landlord=estimate.share(landlord, deals, seed=seed),
        as_farmers=estimate.share(farmers, deals, seed=seed),
        points=_mean(points / 2, points_squares / 4, deals, "points", seed),
    )


def finished(game: Game, players: Sequence[Bot], rng: np.random.Generator) -> Game:
    """Return a game played to its end by the bots on its seats."""
    while game.to_act is not None:
        choice = players[game.to_act].choose(observe(game, game.to_act), rng)
        game = game.apply(choice)
    return game


def forced(game: Game, landlord: int) -> Game:
    """Return a game in which a seat has bid the most and the others as little as they may.

    Nobody shows its cards before the deal.
    """
    while game.phase in ("deal", "auction") and game.to_act is not None:
        if game.phase == "deal":
            game = game.apply(PASS)
            continue
        words = game.options
        least = PASS if PASS in words else words[0]
        game = game.apply(words[-1] if game.to_act == landlord else least)
    return game


def _player(one: str | Bot) -> Bot:
    return named(one) if isinstance(one, str) else one


def _check_games(games: object) -> None:
    if isinstance(games, bool) or not isinstance(games, int) or not 2 <= games <= MOST_GAMES:
        raise DdzError(
            f"games: expected a whole number from 2 to {MOST_GAMES}, got {games!r}",
            key="error.match.games",
            field="games",
            expected=f"2–{MOST_GAMES}",
            got=games,
        )


def _mean(total: float, squares: float, n: int, unit: str, seed: int) -> Estimate:
    """Return a mean over deals; a share stays between 0 and 1.

    Shares that are all alike say little with few deals: then the interval is that of as many
    single trials. Of fewer than two deals nothing is known.
    """
    total, squares = float(total), float(squares)
    if n < 2:
        return Estimate(value=total, low=0.0, high=1.0, n=n, method="sampled", unit=unit, seed=seed)
    found = estimate.mean(total, squares, n, unit=unit, seed=seed)
    if unit != "probability":
        return found
    if found.low == found.high and total == round(total):
        return estimate.share(round(total), n, seed=seed)
    return replace(found, low=max(0.0, found.low), high=min(1.0, found.high))
