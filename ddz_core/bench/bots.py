"""Rule bots: splits, whole games of every ruleset, speed and strength beside RLCard's agents.

A front door's part: it may import everything, and imports a peer only if that is installed. Every
game is another deal.

RLCard is driven in two ways: through its environment (``env.run``), as its users do, and through
its bare game object, without the observations that a rule agent does not need. For strength each
deal is played twice, once with our bot as landlord (there always seat 0) and once as both farmers;
the interval is over deals. Plays are matched by their cards, under the options that reproduce its
rules.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from ddz_core import cards, decompose, estimate, patterns
from ddz_core.bench.engine import SEED
from ddz_core.bench.row import BATCHES, Row, rate
from ddz_core.bots import bot, match
from ddz_core.bots.rule import Engine, Parameters, weights_of
from ddz_core.dealing import deal
from ddz_core.estimate import Estimate
from ddz_core.game import new_game
from ddz_core.patterns.combination import code_in
from ddz_core.rules import load_ruleset
from ddz_core.rulesets import ruleset_ids

RLCARD_RULES = {"kickers.max_equal": 3, "kickers.next_triple": False}
"""House rules under which our legal plays are RLCard's."""
GAMES, PEER_GAMES, DEALS, HANDS, WHOLE = 10_000, 40, 300, 500, 1000
"""Our games and the peer's in a batch, deals for strength, hands split in a batch, whole games of
each ruleset."""
PASS = "pass"
_TO_OURS = str.maketrans("BR", "XD")


def rows(work: float) -> Iterator[Row]:
    """Yield the speed of exact splits and rule games, and the comparison with RLCard."""
    yield _splits(work)
    for name in ruleset_ids():
        yield _whole(name, max(20, int(WHOLE * work)))
    games = max(100, int(GAMES * work))
    ours = [_ours(_hands(games, SEED + batch)) for batch in range(BATCHES)]
    speed = rate([(games, one) for one in ours])
    what = "rule games, auction aside"
    if importlib.util.find_spec("rlcard") is None:
        yield Row(what=what, unit="games/s", ours=speed, n=games, note="rlcard: not installed")
        return
    peer = f"rlcard {importlib.metadata.version('rlcard')}"
    number = max(5, int(PEER_GAMES * work))
    for name, play, floor in (
        ("through its environment", _environment(SEED), 60.0),
        ("bare game object", _bare(SEED), 0.0),
    ):
        play()
        theirs = partial(_repeat, play, number)
        peers = rate([(number, theirs)] * BATCHES)
        yield Row(
            what=f"{what}, {name}",
            unit="games/s",
            ours=speed,
            theirs=peers,
            peer=peer,
            ratio=speed / peers,
            floor=floor,
            n=games * BATCHES,
        )
    both, landlord, farmers = _strength(max(20, int(DEALS * work)), SEED)
    yield Row(
        what="rule bot against RLCard's rule agent",
        unit="of games won",
        ours=both.value,
        peer=peer,
        n=both.n,
        note=f"{both.n} deals, {both.low:.3f} to {both.high:.3f}; "
        f"landlord {landlord.value:.3f}, farmers {farmers.value:.3f}",
    )


def _whole(name: str, number: int) -> Row:
    """Measure whole games of a ruleset in Python: deal, bidding, declarations, play, score."""
    rules = load_ruleset(name)
    players = [bot("rule")] * rules.ruleset.deal.seats
    rng = np.random.default_rng(SEED)

    def play(first: int, games: int) -> None:
        for i in range(first, first + games):
            match.finished(new_game(rules, deal(rules, seed=SEED, number=i)), players, rng)

    play(0, 2)
    return Row(
        what=f"rule games, whole, {name}",
        unit="games/s",
        ours=rate([(number, partial(play, 2, number))]),
        floor=1000 / 60,
        n=number,
        note="Python games; floor: 1,000 games in 60 s",
    )


def _splits(work: float) -> Row:
    """Measure the exact fewest plays of 20-card hands, each with a search that knows nothing."""
    ruleset = load_ruleset("classic").ruleset
    number = max(50, int(HANDS * work))
    pack = load_ruleset("classic").deck_text()
    rng = np.random.default_rng(SEED)
    works = []
    search = decompose.Search(ruleset)
    search.splits(cards.parse_cards(pack[:20]), decompose.LIMIT)
    for _ in range(BATCHES):
        hands = [
            cards.parse_cards("".join(pack[i] for i in rng.permutation(54)[:20]))
            for _ in range(number)
        ]
        works.append((number, partial(_split_all, search, hands)))
    return Row(
        what="exact splits of 20 cards, all listed",
        unit="hands/s",
        ours=rate(works),
        floor=20.0,
        n=number * BATCHES,
        note="floor: 50 ms a hand",
    )


def _split_all(search: decompose.Search, hands: list[cards.Hand]) -> None:
    for hand in hands:
        search.splits(hand, decompose.LIMIT)


def _repeat(play: Callable[[], object], number: int) -> None:
    for _ in range(number):
        play()


def _ours(hands: Any) -> Callable[[], object]:  # noqa: ANN401
    """Return a function that plays these deals between rule bots, seat 0 the landlord."""
    engine = Engine(load_ruleset("classic").ruleset)
    weights = [weights_of(Parameters())] * 3
    engine.play_deals(weights, hands[:3], np.zeros(1, dtype=np.int64))
    return partial(engine.play_deals, weights, hands, np.zeros(len(hands) // 3, dtype=np.int64))


def _hands(games: int, seed: int) -> Any:  # noqa: ANN401
    """Return dealt hands of a three-player game, landlord (with the bottom) first."""
    rng = np.random.default_rng(seed)
    pack = np.array(
        [1 << 4 * cards.LANE[rank] for rank in load_ruleset("classic").deck_text()],
        dtype=np.uint64,
    )
    hands = np.zeros((games, 3), dtype=np.uint64)
    for game in range(games):
        dealt = pack[rng.permutation(54)]
        hands[game] = dealt[:20].sum(), dealt[20:37].sum(), dealt[37:].sum()
    return hands.reshape(-1)


def _agent(seed: int) -> Any:  # noqa: ANN401
    """Return RLCard's rule agent; its draws, else from numpy's global generator, are seeded."""
    module: Any = importlib.import_module("rlcard.models.doudizhu_rule_models")
    module.np = SimpleNamespace(random=np.random.RandomState(seed))
    return module.DouDizhuRuleAgentV1()


def _environment(seed: int) -> Callable[[], object]:
    """Return a function that plays one game through RLCard's environment."""
    rlcard = importlib.import_module("rlcard")
    env = rlcard.make("doudizhu", config={"seed": seed})
    env.set_agents([_agent(seed) for _ in range(3)])
    return lambda: env.run(is_training=False)


def _bare(seed: int) -> Callable[[], object]:
    """Return a function that plays one game through RLCard's game object."""
    agent = _agent(seed)
    number = seed

    def play() -> None:
        nonlocal number
        number += 1
        game, state, _ = _started(number)
        while not game.is_over():
            state, _ = game.step(agent.step({"raw_obs": state}))

    return play


def _started(seed: int) -> tuple[Any, Any, int]:
    """Return a game of RLCard with its first state and player."""
    game = importlib.import_module("rlcard.games.doudizhu").Game()
    game.np_random = np.random.RandomState(seed)
    state, player = game.init_game()
    return game, state, player


class _Adapter:
    """Our rule bot on RLCard's raw states."""

    def __init__(self) -> None:
        self.rules = load_ruleset("classic", RLCARD_RULES)
        self.engine = Engine(self.rules.ruleset)
        self.weights = weights_of(Parameters())

    def step(self, state: Any) -> str:  # noqa: ANN401
        """Return an action of RLCard for its raw state."""
        seat = state["self"]
        beat = None
        for owner, action in state["trace"][-2:]:
            if action != PASS:
                reading = patterns.readings(self.rules.ruleset, action.translate(_TO_OURS))[0]
                beat = (code_in(self.engine.table, reading), owner)
        chosen = self.engine.choose(
            self.weights,
            cards.parse_cards(state["current_hand"].translate(_TO_OURS)),
            cards.parse_cards(state["others_hand"].translate(_TO_OURS)),
            seat,
            state["num_cards_left"],
            [(other == 0) == (seat == 0) for other in range(3)],
            beat,
        )
        if chosen is None:
            return PASS
        for action in state["actions"]:
            if action != PASS and cards.parse_cards(action.translate(_TO_OURS)) == chosen[0]:
                return str(action)
        return PASS if PASS in state["actions"] else str(state["actions"][0])


def _strength(deals: int, seed: int) -> tuple[Estimate, Estimate, Estimate]:
    """Return our share against RLCard's agent: over both roles, as landlord, as farmers."""
    ours, theirs = _Adapter(), _agent(seed)
    won = np.zeros((deals, 2))
    for number in range(deals):
        for role in (0, 1):
            game, state, player = _started(seed + number)
            while not game.is_over():
                mine = (player == 0) == (role == 0)
                action = ours.step(state) if mine else theirs.step({"raw_obs": state})
                state, player = game.step(action)
            won[number, role] = (game.winner_id == 0) == (role == 0)
    both = won.mean(axis=1)
    return (
        estimate.mean(
            float(both.sum()), float((both * both).sum()), deals, unit="probability", seed=seed
        ),
        estimate.share(int(won[:, 0].sum()), deals, seed=seed),
        estimate.share(int(won[:, 1].sum()), deals, seed=seed),
    )
