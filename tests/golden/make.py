"""Write the golden files anew: ``python tests/golden/make.py [ruleset ...]``.

For every shipped ruleset ``<id>.ddz`` is a full game with a bomb in it, and ``<id>.perft`` counts
the legal sequences of actions from fixed points of that game.  Run it only when a rule was changed
on purpose, and look at the difference before it is committed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))  # works in a checkout that is not installed, too

import ddz_core as ddz  # noqa: E402

ORDER = "3456789TJQKA2XD"
#: Where the first rulesets began to look for a seed; the others begin where their names say.
STARTS = {"classic": 0, "primer": 1, "jinyou": 2, "wuhan": 3}
#: Sequences to count from a point: at most this many positions are visited.
MOST_VISITS = 4_000


def cards_of(action: object) -> str:
    """The cards of an action, without a named reading."""
    return str(action).split("=")[0]


def strength(hand: str) -> int:
    """Points for bidding: big joker 4, small joker 3, each 2 two, each ace one, a bomb three."""
    points = {"D": 4, "X": 3, "2": 2, "A": 1}
    return sum(points.get(c, 0) for c in hand) + sum(3 for c in set(hand) if hand.count(c) == 4)


def choice(game: ddz.Game) -> object:
    """A plain way to play that is the same for ever: it knows nothing of the package's bots."""
    legal = list(game.legal())
    seat = game.to_act
    hand = game.hand_text(seat)
    texts = [str(action) for action in legal]
    if game.phase == "deal":
        return "show" if seat == 1 else "pass"
    if game.phase == "auction":
        wanted = 3 if strength(hand) >= 9 else 2 if strength(hand) >= 7 else 1
        bids = [t for t in texts if t not in ("pass", "cede")]
        if strength(hand) >= 5 and bids:
            return str(wanted) if str(wanted) in bids else bids[-1]
        return next((t for t in texts if t in ("pass", "cede")), texts[0])
    if game.phase == "declare":
        if "play" in texts:
            return "play"
        if texts[0] == "x1":
            return "x4" if seat else "x2"
        return texts[-1] if seat % 2 == 0 else texts[0]
    plays = [a for a in legal if str(a) != "pass"]
    quiet = [a for a in plays if not a.is_bomb]
    if "pass" not in texts:
        pool = quiet or plays
        return max(pool, key=lambda m: (len(str(m)), -ORDER.index(m.top), str(m)))
    partner = not (set(game.landlords) & {seat, last_to_play(game)})
    if quiet and not partner:
        return min(quiet, key=lambda m: (ORDER.index(m.top), str(m)))
    if plays and not partner and not quiet:
        return min(plays, key=lambda m: (ORDER.index(m.top), str(m)))
    return "pass"


def record_lines(game: ddz.Game) -> list[tuple[int, str]]:
    """Seat and action of every line of a game's record."""
    body = ddz.write_record(game).split("\n\n", 1)[1]
    lines = [line.split(";")[0].split() for line in body.splitlines() if line.strip()]
    return [(int(line[0]), line[1]) for line in lines if line[0] != "-"]


def last_to_play(game: ddz.Game) -> int:
    """The seat whose play lies on the table."""
    return next(seat for seat, action in reversed(record_lines(game)) if action != "pass")


def play(rules: ddz.Rules, seed: int) -> list[ddz.Game]:
    """Every state of the game of a seed, played by :func:`choice`."""
    games = [ddz.new_game(rules, ddz.deal(rules, seed=seed))]
    while games[-1].outcome is None:
        games.append(games[-1].apply(choice(games[-1])))
    return games


def golden_game(rules: ddz.Rules) -> list[ddz.Game]:
    """The game of the first seed that is played to its end with a bomb or rocket in it.

    Every ruleset starts to look at another seed, so that the games are different.
    """
    start = 1 + 100 * STARTS.get(rules.id, sum(map(ord, rules.id)))
    for seed in range(start, start + 500):
        games = play(rules, seed)
        last = games[-1]
        long = len(record_lines(last)) > 20
        if last.outcome in ("landlords", "farmers") and last.multiplier > 1 and last.bombs and long:
            return games
    raise SystemExit(f"{rules.id}: no seed gives a game with a bomb")


def perft(game: ddz.Game, depth: int) -> int:
    """Number of legal sequences of ``depth`` actions; a game that ends sooner counts once there."""
    if depth == 0 or game.outcome is not None:
        return 1
    legal = list(game.legal())
    if depth == 1:
        return len(legal)
    return sum(perft(game.apply(action), depth - 1) for action in legal)


def counts(game: ddz.Game) -> Iterator[tuple[int, int]]:
    """Depth and number of sequences, as deep as a few thousand visits allow."""
    number = 1
    for depth in range(1, 9):
        if number > MOST_VISITS:
            return
        number = perft(game, depth)
        yield depth, number


def points(games: list[ddz.Game]) -> list[int]:
    """Places in a game to count from: start, first lead, first answer, and late ones."""
    lead = next(i for i, game in enumerate(games) if game.phase == "play")
    end = len(games) - 1
    late = [lead + (end - lead) * part // 8 for part in (4, 6, 7)]
    return sorted({0, lead, lead + 1, *late})


def perft_text(games: list[ddz.Game]) -> str:
    """The counts of a game as text: one line for each place and depth."""
    lines = ["# actions done, depth, legal sequences"]
    for place in points(games):
        lines += [f"{place} {depth} {number}" for depth, number in counts(games[place])]
    return "\n".join(lines) + "\n"


def write(ruleset: str) -> None:
    """Write both files of a ruleset."""
    games = golden_game(ddz.load_ruleset(ruleset))
    (HERE / f"{ruleset}.ddz").write_text(ddz.write_record(games[-1]), encoding="utf-8")
    (HERE / f"{ruleset}.perft").write_text(perft_text(games), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or ddz.ruleset_ids():
        write(name)
        print(f"{name}: {HERE / name}.ddz, .perft")
