"""Where the rule bot's numbers come from: `python -m tools.rule_bot fit`, `... fits`, `... tune`.

``fit`` plays random deals of the classic game between rule bots in the kernel, seat 0 the landlord,
and fits the chance to win from points, bombs and fewest plays. ``fits`` does so with whole games of
any rulesets, the landlord in turn, and prints the rows of ``data/models/strength.toml``.
``tune`` changes weights at random and keeps what wins duplicate deals against the bot as it was:
each deal once as landlord, once as both farmers, a change only after a second set of deals agrees.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from ddz_core import cards, dealing
from ddz_core.bots import fits, match
from ddz_core.bots.rule import (
    POINTS,
    Engine,
    Parameters,
    RuleBot,
    bombs_in,
    strength,
    weights_of,
)
from ddz_core.game import new_game
from ddz_core.observation import observe
from ddz_core.rules import load_ruleset
from ddz_core.specs import Ruleset

SCREEN, CONFIRM = 3000, 16_000
"""Deals of the first look at a change, and of the second."""
NOT_PLAY = ("bid_lowest", "bid_highest", "raise_from", "rob_from", "declare_from", "claim_below")
"""Parameters that play no part after the auction."""

BIDDERS = {"bid_lowest": 0.35, "bid_highest": 0.19}
"""Shares of the hands that bid at all and bid the most in the classic game; where landlords win
less often, the thresholds come down until as many bid."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def deals(ruleset: Ruleset, number: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Return dealt hands, ``number`` rows: three hands of 17, then the bottom."""
    ranks = load_ruleset(ruleset.id).deck_text()
    pack = np.array([1 << 4 * cards.LANE[rank] for rank in ranks], dtype=np.uint64)
    found = np.zeros((number, 4), dtype=np.uint64)
    for row in found:
        dealt = pack[rng.permutation(len(pack))]
        row[:] = [dealt[start : start + 17].sum() for start in (0, 17, 34, 51)]
    return found


def played(engine: Engine, dealt: NDArray[np.uint64], landlord: Floats, farmer: Floats) -> Bools:
    """Return for each deal whether the landlord, seat 0, won."""
    hands = dealt[:, :3].copy()
    hands[:, 0] += dealt[:, 3]
    bosses = np.zeros(len(dealt), dtype=np.int64)
    winners = engine.play_deals([landlord, farmer, farmer], hands.reshape(-1), bosses)[0]
    won: Bools = winners == 0
    return won


def logistic(features: Floats, won: Floats) -> Floats:
    """Return the coefficients of a logistic fit, by Newton's method."""
    found = np.zeros(features.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-features @ found))
        weight = (chance * (1 - chance))[:, None]
        found += np.linalg.solve((features * weight).T @ features, features.T @ (won - chance))
    return found


def fit(number: int, seed: int) -> None:
    """Print the two fits, and how often hands of each tenth of the landlord's fit won."""
    ruleset = load_ruleset("classic").ruleset
    engine, weights = Engine(ruleset), weights_of(Parameters())
    dealt = deals(ruleset, number, np.random.default_rng(seed))
    won = played(engine, dealt, weights, weights).astype(float)

    def features(hands: NDArray[np.uint64]) -> Floats:
        rows = []
        for hand, turns in zip(
            map(int, hands), engine.turns(hands.tolist(), keep=True), strict=True
        ):
            counts = cards.counts_of(hand)
            points = sum(value * counts[lane] for lane, value in POINTS.items())
            rows.append((1.0, points, bombs_in(ruleset, hand), turns))
        return np.array(rows)

    print(f"landlord wins {won.mean():.3f} of {number} deals")
    seen = features(dealt[:, 0])
    found = logistic(seen, won)
    print("landlord", np.round(found, 3).tolist())
    opened = logistic(features(dealt[:, 0] + dealt[:, 3]), won)
    print("opened", np.round(opened, 3).tolist())
    chance = 1 / (1 + np.exp(-seen @ found))
    for low in np.arange(0, 1, 0.1):
        here = (chance >= low) & (chance < low + 0.1)
        if here.any():
            print(f"  {low:.1f}: {here.sum():>6} hands, won {won[here].mean():.3f}")
    both = np.concatenate([features(dealt[:, seat]) for seat in (1, 2)])
    print("farmer", np.round(logistic(both, np.tile(1 - won, 2)), 3).tolist())


def counted(ruleset: Ruleset, hand: int) -> tuple[float, ...]:
    """Return the features of a hand, in the order of the shipped fits."""
    power = strength(ruleset, hand)
    return (1.0, power.points, power.bombs, power.turns, power.wilds)


def rows_of(name: str, number: int, seed: int) -> str:
    """Return the row of the shipped table for one ruleset, from so many games."""
    rules = load_ruleset(name)
    seen: dict[str, list[tuple[float, ...]]] = {}
    for i in range(number):
        deal = dealing.deal(rules, seed=seed, number=i)
        game = match.forced(new_game(rules, deal), i % rules.ruleset.deal.seats)
        if not game.landlords:
            continue
        while game.phase == "declare" and game.to_act is not None:
            view = observe(game, game.to_act)
            chosen = game.ruleset.deal.taken == "chosen" and not game.bottom_left
            game = game.apply(RuleBot().choose(view) if chosen else game.options[0])
        end = match.finished(game, [RuleBot()] * game.seats, np.random.default_rng(0))
        won = float(end.outcome == "landlords")
        boss = game.landlords[0]
        dealt = cards.from_cards(deal.hands[boss])
        seen.setdefault("landlord", []).append((*counted(rules.ruleset, dealt), won))
        for seat, hand in enumerate(game.hands):
            role = "opened" if seat == boss else game.side_of(seat) or ""
            role = "partner" if role == "landlord" else role
            mine = 1 - won if role == "farmer" else won
            seen.setdefault(role, []).append((*counted(game.play_rules, hand), mine))
    lines = ["[[fit]]", f'ruleset = "{name}"', f"games = {len(seen['landlord'])}"]
    lines.append(f"shape = {list(fits.shape_of(rules.ruleset))}")
    for role in ("landlord", "opened", "farmer", "partner"):
        if role in seen:
            table = np.array(seen[role])
            held = table[:, :-1].any(axis=0)  # no wild cards: no coefficient
            found = np.zeros(len(held))
            found[held] = logistic(table[:, :-1][:, held], table[:, -1])
            lines.append(f"{role} = {np.round(found, 3).tolist()}")
            if role == "landlord":
                chances = 1 / (1 + np.exp(-table[:, :-1] @ found))
    known = fits.fit_of(rules.ruleset)
    weights = dict(known.weights) if known.ruleset == name else {}
    usual = Parameters()
    for level, share in BIDDERS.items():
        least = round(float(np.quantile(chances, 1 - share)), 2)
        weights[level] = min(getattr(usual, level), least)
    told = ", ".join(f"{key} = {value}" for key, value in weights.items())
    lines.append(f"weights = {{ {told} }}")
    return "\n".join(lines) + "\n"


def compared(engine: Engine, new: Parameters, old: Parameters, dealt: NDArray[np.uint64]) -> Floats:
    """Return the share of the new parameters on each deal, over both roles."""
    ours, theirs = weights_of(new), weights_of(old)
    as_landlord = played(engine, dealt, ours, theirs)
    as_farmers = ~played(engine, dealt, theirs, ours)
    return (as_landlord.astype(float) + as_farmers) / 2


def tune(seconds: float, seed: int) -> None:
    """Print every change that held, and the parameters at the end."""
    ruleset = load_ruleset("classic").ruleset
    engine, rng = Engine(ruleset), np.random.default_rng(seed)
    names = [field.name for field in fields(Parameters) if field.name not in NOT_PLAY]
    best, end = Parameters(), time.monotonic() + seconds
    while time.monotonic() < end:
        changed = {
            str(name): float(getattr(best, name) * np.exp(rng.normal(0, 0.35)) + rng.normal(0, 0.2))
            for name in rng.choice(names, rng.integers(1, 4), replace=False)
        }
        trial = replace(best, **changed)
        first = compared(engine, trial, best, deals(ruleset, SCREEN, rng))
        if first.mean() - 0.5 < first.std() / np.sqrt(SCREEN):
            continue
        second = compared(engine, trial, best, deals(ruleset, CONFIRM, rng))
        if second.mean() - 0.5 > 2 * second.std() / np.sqrt(CONFIRM):
            best = trial
            print(f"{second.mean():.4f} {changed}", flush=True)
    for name in names:
        print(f"{name} = {getattr(best, name):.3g}")


def main(arguments: list[str] | None = None) -> int:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(prog="python -m tools.rule_bot", description=__doc__)
    parser.add_argument("what", choices=("fit", "fits", "tune"))
    parser.add_argument("--deals", type=int, default=60_000, help="deals of the fit")
    parser.add_argument("--seconds", type=float, default=240, help="time for tuning")
    parser.add_argument("--rulesets", nargs="+", default=["classic"], help="of the rows")
    parser.add_argument("--seed", type=int, default=77)
    given = parser.parse_args(arguments)
    if given.what == "fit":
        fit(given.deals, given.seed)
    elif given.what == "fits":
        for name in given.rulesets:
            print(rows_of(name, given.deals, given.seed), flush=True)
    else:
        tune(given.seconds, given.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
