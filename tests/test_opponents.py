"""Who may sit at a table: a closed list of short names, their weights, games they play."""

from __future__ import annotations

import pytest

import ddz_core as ddz
from ddz_core import tabletop
from ddz_core.bots.rule import CHARACTERS

CLASSIC = ddz.load_ruleset("classic")


@pytest.mark.parametrize("name", tabletop.OPPONENTS)
def test_every_opponent_plays(name: str) -> None:
    """Each bot of the list acts for some moves on both other seats, and the line replays."""
    table = tabletop.start("classic", seed=5, names=["", name, name])
    table = tabletop.act(table, {"kind": "switch", "key": "speed", "value": "800"})
    for _ in range(6):
        if table.my_turn:
            game = table.game.apply(ddz.bot("rule").choose(table.observation()))
            table = tabletop.seated(game, names=table.bots, settings=table)
        else:
            table = tabletop.bot_step(table)
    assert table.bots[1:] == (name, name)
    assert len(table.game.history) == 6
    again = tabletop.restore(tabletop.save(table))
    assert again.bots[1:] == (name, name)


@pytest.mark.parametrize(
    "name", ["sampler:seconds=600", "rlcard", "rule:answer=2", "nobody", "../x"]
)
def test_nobody_else_may_sit_down(name: str) -> None:
    """A saved table cannot bring bots of other parameters, which might think for minutes."""
    with pytest.raises(ddz.DdzError) as caught:
        tabletop.start("classic", names=["", name])
    assert caught.value.field == "bot"
    text = tabletop.save(tabletop.start("classic", seed=1, names=["", "cautious"]))
    with pytest.raises(ddz.DdzError):
        tabletop.restore(text.replace('"cautious"', f'"{name}"'))


def test_a_bot_that_does_not_play_the_game_is_replaced() -> None:
    """Where the net was not trained for a game, the usual bot sits down in its place."""
    four = ddz.load_ruleset("classic-4p")
    assert "net" not in tabletop.opponents(four.ruleset)
    assert tabletop.start(four, names=["", "net"]).bots[1] == tabletop.DEFAULT_BOT
    assert "net" in tabletop.opponents(CLASSIC.ruleset)


def test_the_weights_shown_are_those_played_with() -> None:
    """The table of weights has every weight that a character changes, and its own value of it."""
    shown = tabletop.weights(CLASSIC.ruleset)
    for who, changed in CHARACTERS.items():
        for weight, value in changed.items():
            assert shown[weight][who] == value
            bot = tabletop.opponent(who)
            assert getattr(bot.parameters, weight) == value
    assert all(len(by) == 1 + len(CHARACTERS) for by in shown.values())
