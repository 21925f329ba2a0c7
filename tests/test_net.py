"""The net: what it sees, what it computes, how it learns, how it plays."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hidden import exchanged

import ddz_core as ddz
from ddz_core import bots, cards, training, training_games
from ddz_core.bots import match, net
from ddz_core.kernels import net as kernel
from ddz_core.kernels import net_train

CLASSIC = ddz.load_ruleset("classic")
RNG = np.random.default_rng
POLICIES = {"random": net.RANDOM, "rule": net.RULE, "net": net.NET}


def engine() -> net.Engine:
    """The shared engine of the classic game."""
    return net.engine_of(CLASSIC.ruleset)


def forward(weights: np.ndarray, inputs: list[int]) -> tuple[float, float]:
    """Logit and points of one network in plain numpy, in double precision."""
    first, second, third = parts(weights.astype(np.float64))
    one = np.maximum(first[0][inputs].sum(axis=0) + first[1], 0)
    two = np.maximum(one @ second[0] + second[1], 0)
    win, points = two @ third[0] + third[1]
    return float(win), float(points)


def parts(weights: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights and constants of the three layers."""
    shapes = [(kernel.FEATURES, kernel.WIDTH), (kernel.WIDTH, kernel.NARROW), (kernel.NARROW, 2)]
    found, at = [], 0
    for rows, columns in shapes:
        end = at + rows * columns
        found.append((weights[at:end].reshape(rows, columns), weights[end : end + columns]))
        at = end + columns
    assert at == kernel.SIZE
    return found


def in_play(seed: int, landlord: int) -> ddz.Game:
    """A game of the classic rules at the landlord's lead."""
    return match.forced(ddz.new_game(CLASSIC, ddz.deal(CLASSIC, seed=seed)), landlord)


@pytest.mark.parametrize("seed", range(3))
def test_the_kernel_computes_the_network(seed: int) -> None:
    """Every choice's chance and points are those of plain numpy on the listed inputs."""
    game, player = in_play(seed, seed), ddz.bot("net")
    seen_plays = 0
    while game.to_act is not None:
        seen = ddz.observe(game, game.to_act)
        role = (seen.seat - seen.landlords[0]) % 3
        for choice in engine().choices(seen):
            legal = seen.legal() or []
            if choice.sure or len(legal) < 2:
                continue
            win, points = forward(engine().weights[role], engine().inputs(seen, choice))
            assert choice.win == pytest.approx(1 / (1 + np.exp(-win)), abs=1e-4)
            assert choice.points == pytest.approx(4 * points, abs=1e-3)
            seen_plays += 1
        game = game.apply(player.choose(seen, RNG(1)))
    assert seen_plays > 50


def test_choices_are_the_legal_actions() -> None:
    """The net lists every legal action once, a pass when following."""
    for seed in range(4):
        game = in_play(seed, seed % 3)
        while game.to_act is not None:
            seen = ddz.observe(game, game.to_act)
            legal = seen.legal() or []
            found = engine().choices(seen)
            assert len(found) == len(legal)
            hands = sorted(0 if a == "pass" else a.hand for a in legal)
            assert sorted(choice.hand for choice in found) == hands
            game = game.apply(ddz.bot("rule").choose(seen, RNG(1)))


def test_a_sure_win_wins() -> None:
    """A play that the net calls sure wins whatever the others do."""
    rng = random.Random(5)
    sure = 0
    for seed in range(40):
        game = in_play(seed, seed % 3)
        while game.to_act is not None:
            seen = ddz.observe(game, game.to_act)
            best = engine().choices(seen)[0]
            if best.sure:
                sure += 1
                side = seen.side_of(seen.seat)
                assert won_by(game, seen.seat, rng) == side
                break
            game = game.apply(ddz.bot("net").choose(seen, RNG(1)))
    assert sure > 10


def won_by(game: ddz.Game, seat: int, rng: random.Random) -> str:
    """The side that wins when one seat plays on as the net and its enemies at random."""
    side = game.ruleset and ddz.observe(game, seat).side_of(seat)
    while game.to_act is not None:
        seen = ddz.observe(game, game.to_act)
        if seen.seat == seat:
            action = ddz.bot("net").choose(seen, RNG(1))
        elif seen.side_of(seen.seat) == side:
            action = "pass" if seen.to_beat is not None else rng.choice(seen.legal())
        else:
            action = rng.choice(seen.legal())
        game = game.apply(action)
    return "landlord" if game.outcome == "landlords" else "farmer"


@pytest.mark.parametrize("seed", range(3))
def test_inputs_hold_nothing_hidden(seed: int) -> None:
    """Exchange the cards that a seat cannot see: every chance stays the same."""
    rng = random.Random(seed)
    game = in_play(seed + 20, seed)
    while game.to_act is not None:
        seat = game.to_act
        other = exchanged(game, seat, rng)
        seen, again = ddz.observe(game, seat), ddz.observe(other, seat)
        assert engine().choices(seen) == engine().choices(again)
        game = game.apply(ddz.bot("rule").choose(seen, RNG(1)))


@pytest.mark.parametrize("policy", ["rule", "net"])
def test_games_in_the_kernel_are_those_of_the_bots(policy: str) -> None:
    """Whole games in the kernel end as games between bots do, action by action legal."""
    games = [in_play(seed, seed % 3) for seed in range(12)]
    hands = np.array([game.hands for game in games], dtype=np.uint64)
    bottoms = np.array([cards.from_cards(game.deal.bottom) for game in games], dtype=np.uint64)
    bosses = np.array([game.landlords[0] for game in games], dtype=np.int64)
    facts = engine().play_deals(np.full(3, POLICIES[policy]), hands, bottoms, bosses)
    for game, told in zip(games, facts, strict=True):
        boss = game.landlords[0]
        end = match.finished(game, [ddz.bot(policy)] * 3, RNG(0))
        farmers = sum(n for seat, n in enumerate(end.plays) if seat != boss)
        assert list(told) == [end.out, len(end.bombs), end.plays[boss], farmers]


def test_mixed_games_keep_to_their_policies() -> None:
    """A landlord of one policy against farmers of another plays as those bots do."""
    games = [in_play(seed, seed % 3) for seed in range(8)]
    hands = np.array([game.hands for game in games], dtype=np.uint64)
    bottoms = np.array([cards.from_cards(game.deal.bottom) for game in games], dtype=np.uint64)
    bosses = np.array([game.landlords[0] for game in games], dtype=np.int64)
    boss = np.arange(3)[None, :] == bosses[:, None]
    facts = engine().play_deals(np.where(boss, net.NET, net.RULE), hands, bottoms, bosses)
    for game, told in zip(games, facts, strict=True):
        players = [ddz.bot("net" if s in game.landlords else "rule") for s in range(3)]
        assert told[0] == match.finished(game, players, RNG(0)).out


def test_random_games_differ_by_seed_alone() -> None:
    """The same seed gives the same random games, another seed others."""
    hands, bottoms, bosses = engine().deals(50, 3)
    first, again, other = (
        engine().play_deals(np.zeros(3, dtype=np.int64), hands, bottoms, bosses, seed=seed)
        for seed in (1, 1, 2)
    )
    assert (first == again).all()
    assert (first != other).any()


def test_deals_share_out_the_deck() -> None:
    """Hands of a deal are the whole deck, the landlord's hold the bottom, landlords are by lot."""
    hands, bottoms, bosses = engine().deals(300, 9)
    assert (hands.sum(axis=1) == net.WHOLE_DECK).all()
    for row, bottom, boss in zip(hands.tolist(), bottoms.tolist(), bosses.tolist(), strict=True):
        assert [cards.size_of(hand) for hand in row] == [20 if s == boss else 17 for s in range(3)]
        assert cards.contains(row[boss], bottom)
    assert set(bosses.tolist()) == {0, 1, 2}


def recorded(number: int) -> tuple[training.Trainer, list[np.ndarray], list[np.ndarray]]:
    """A new training with the decisions of some games by role and their targets."""
    trainer = training.Trainer(seed=3, trace=1.0)
    rows, targets, _ = training_games.played(trainer.work(0, number))
    assert min(map(len, rows)) > 40
    return trainer, rows, targets


def loss_of(
    trainer: training.Trainer, role: int, rows: list[np.ndarray], targets: list[np.ndarray]
) -> tuple[float, np.ndarray]:
    """The kernel's mean loss of recorded decisions of a role, and its gradient."""
    number = len(rows[role])
    gradient = np.zeros(kernel.SIZE, dtype=np.float32)
    loss = net_train.gradient(
        trainer.weights.reshape(-1),
        role,
        rows[role].reshape(-1),
        targets[role].reshape(-1),
        np.arange(number),
        number,
        np.zeros(kernel.SPACE_Y, dtype=np.float32),
        np.zeros(net_train.SPACE_B, dtype=np.float32),
        gradient,
        np.zeros(kernel.FEATURES, dtype=np.int64),
    )
    return loss, gradient


def test_gradients_are_differences() -> None:
    """The kernel's loss and gradient are those of numpy, by finite differences."""
    trainer, rows, targets = recorded(20)
    number, role = 24, 1
    rows, targets = [one[:number] for one in rows], [one[:number] for one in targets]
    loss, gradient = loss_of(trainer, role, rows, targets)

    def lost(weights: np.ndarray) -> float:
        total = 0.0
        for row, (won, goal) in zip(rows[role], targets[role].tolist(), strict=True):
            win, points = forward(weights, row[1 : row[0] + 1].tolist())
            total += np.logaddexp(0, win) - win * won
            total += net_train.POINT_SHARE * 0.5 * (points - goal) ** 2
        return total / number

    weights = trainer.weights[role].astype(np.float64)
    assert loss == pytest.approx(lost(weights), abs=1e-5)
    busy = np.flatnonzero(np.abs(gradient) > 1e-4)
    tried = [*RNG(1).choice(busy, 12, replace=False), kernel.SIZE - 1, kernel.SIZE - 2]
    for place in tried:
        up, down = weights.copy(), weights.copy()
        up[place] += 1e-6
        down[place] -= 1e-6
        slope = (lost(up) - lost(down)) / 2e-6
        assert gradient[place] == pytest.approx(slope, rel=1e-3, abs=1e-6)


def test_a_training_can_be_repeated_and_resumed(tmp_path: Path) -> None:
    """Same seed and games, same weights; stopped, saved and resumed, the same again."""
    first, second = training.Trainer(seed=5), training.Trainer(seed=5)
    first.chunk()
    first.save(tmp_path / "half.npz")
    first.chunk()
    second.chunk()
    second.chunk()
    resumed = training.Trainer.resumed(tmp_path / "half.npz")
    resumed.chunk()
    for one in (second, resumed):
        assert one.games == first.games == 2 * training.CHUNK
        assert one.decisions == first.decisions
        assert (one.weights == first.weights).all()
        assert (one.moments == first.moments).all()
        assert (one.mean == first.mean).all()
    other = training.Trainer(seed=6)
    other.chunk()
    other.chunk()
    assert (other.weights != first.weights).any()


def test_other_processes_change_nothing_but_the_lag() -> None:
    """Chunks played by another process are learned from with weights of one chunk before."""
    trainer, same = training.Trainer(seed=8), training.Trainer(seed=8)
    trainer.run(3 * training.CHUNK, processes=1)
    first, second = training_games.played(same.work(0)), training_games.played(same.work(1))
    same.chunk(first)
    third = training_games.played(same.work(2))
    same.chunk(second)
    same.chunk(third)
    assert (trainer.weights == same.weights).all()
    assert (trainer.mean == same.mean).all()
    assert trainer.stretches[-1]["processes"] == 1


def test_learning_lowers_the_loss() -> None:
    """After a few chunks the loss of decisions recorded before them is smaller."""
    trainer, rows, targets = recorded(100)
    rows, targets = [one[:150] for one in rows], [one[:150] for one in targets]
    before = [loss_of(trainer, role, rows, targets)[0] for role in range(3)]
    for _ in range(3):
        trainer.chunk()
    after = [loss_of(trainer, role, rows, targets)[0] for role in range(3)]
    assert sum(after) < sum(before) - 0.1


def test_a_foreign_file_is_no_checkpoint(tmp_path: Path) -> None:
    """A file that is no checkpoint, or not there, is named in the error."""
    (tmp_path / "notes.npz").write_text("no archive")
    for name in ("notes.npz", "missing.npz"):
        with pytest.raises(ddz.DdzError) as caught:
            training.train(games=1000, checkpoint=tmp_path / name, resume=True)
        assert caught.value.params["got"] == name
        with pytest.raises(ddz.DdzError):
            net.load_weights(tmp_path / name)


@pytest.mark.parametrize(
    ("options", "field"),
    [({}, "games"), ({"games": 0}, "games"), ({"seconds": -1.0}, "seconds")],
)
def test_a_training_refuses_numbers(options: dict, field: str) -> None:
    """What cannot be is refused by name."""
    with pytest.raises(ddz.DdzError) as caught:
        training.train(**options)
    assert caught.value.field == field


def test_shipped_weights_are_small_and_whole() -> None:
    """The file is below two megabytes, finite, and says how it came about."""
    path = net.data_dir() / "models" / net.FILE
    assert path.stat().st_size < 2_000_000
    weights = net.load_weights(path)
    assert np.isfinite(weights).all()
    assert (weights != 0).any(axis=1).all()
    told = net.training_told()
    kept = [point for point in told["curve"] if point["kept"]]
    assert kept[-1]["games"] == told["best_at_games"] <= told["games"]
    assert kept[-1]["rule"] > 0.55


def test_the_net_beats_the_other_bots() -> None:
    """On duplicate deals it wins clearly against the random bot and the rule bot."""
    assert training_games.versus(engine(), net.NET, net.RANDOM, 200, 11).mean() > 0.95
    shares = training_games.versus(engine(), net.NET, net.RULE, 1000, 12)
    assert shares.mean() - 2 * shares.std() / 1000**0.5 > 0.55


def test_chances_fit_what_happens() -> None:
    """The landlord's chance lies between its shares against nets and against rule bots."""
    hands, bottoms, bosses = engine().deals(1500, 21)
    rows = np.arange(len(bosses))
    chances = engine().opened(hands[rows, bosses], bottoms)
    boss = np.arange(3)[None, :] == bosses[:, None]
    shares = []
    for others in (net.NET, net.RULE):
        policies = np.where(boss, net.NET, others)
        won = engine().play_deals(policies, hands, bottoms, bosses)[:, 0] == bosses
        shares.append(won.mean())
        high = chances > np.median(chances)
        assert won[high].mean() > won[~high].mean() + 0.3
    assert min(shares) - 0.04 < chances.mean() < max(shares) + 0.04


@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
def test_it_plays_what_it_was_trained_for(ruleset: str) -> None:
    """Three seats, one deck, three bottom cards, no wilds: else an error that names the field."""
    rules = ddz.load_ruleset(ruleset)
    game = ddz.new_game(rules, ddz.deal(rules, seed=2))
    seen = ddz.observe(game, game.to_act)
    spec = rules.ruleset
    fits = (
        spec.deal.seats == 3
        and spec.deal.bottom == 3
        and spec.deck.decks == 1
        and spec.wilds.mode == "none"
    )
    assert bots.plays("net", spec) == fits
    if fits:
        assert ddz.bot("net").choose(seen, RNG(1)) in seen.legal()
        return
    with pytest.raises(ddz.DdzError) as caught:
        ddz.bot("net").choose(seen, RNG(1))
    assert caught.value.key == "error.bot.untrained"
    assert caught.value.field in ("deal.seats", "deck", "deal.bottom", "wilds", "sides")


def bids(hand: str, **parameters: object) -> str:
    """What the net bids as first speaker with a hand."""
    left = list(CLASSIC.deck_text())
    for rank in hand:
        left.remove(rank)
    text = f"{hand}/{''.join(left[:17])}/{''.join(left[17:34])}|{''.join(left[34:])}"
    game = ddz.new_game(CLASSIC, ddz.deal_from_text(CLASSIC, text))
    assert game.to_act == 0
    return str(ddz.bot("net", **parameters).choose(ddz.observe(game, 0), RNG(4)))


def test_a_strong_hand_bids_and_a_weak_one_does_not() -> None:
    """The best hand bids the most, the worst passes, and bounds that are lower bid more."""
    assert bids("XD2222AAAAKKKQQQJ") == "3"
    assert bids("3344567889TTJJQKA") == "pass"
    assert bids("3344567889TTJJQKA", bid_lowest=0.0, bid_highest=0.01) == "3"


@pytest.mark.parametrize(
    "parameters", [{"depth": 3}, {"points": "much"}, {"bottoms": 0}, {"bottoms": 2.5}]
)
def test_parameters_are_checked(parameters: dict) -> None:
    """A parameter that does not exist or cannot be is an error that names it."""
    with pytest.raises(ddz.DdzError) as caught:
        ddz.bot("net", **parameters)
    assert caught.value.field == next(iter(parameters))


def test_passes_are_remembered() -> None:
    """Another pass on a low single of the enemy changes what the net is told of that seat."""
    game = in_play(31, 0)
    hand = ddz.observe(game, 0).legal()
    single = next(move for move in hand if move.kind == "single")
    game = game.apply(single)
    seen = ddz.observe(game.apply("pass"), 2)
    none = replace(seen, history=tuple(e for e in seen.history if e.action != "pass"))
    choice = engine().choices(seen)[0]
    told = set(engine().inputs(seen, choice)) - set(engine().inputs(none, choice))
    lane = cards.LANE[single.top]
    assert told == {kernel.PASSED + 96 + lane}
