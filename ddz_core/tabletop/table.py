"""A game at a table: one person, bots on the other seats, help, taking back and looking back.

Layer 4, without any drawing. A :class:`Tabletop` is a frozen value: every action of the person,
every bot's move and every setting returns the next one, so a page only keeps its text
(:mod:`ddz_core.tabletop.keeping`) and calls :func:`act`. The browser is not trusted: every action
is checked by the game again, and an action of an earlier position is dropped. Bots see an
observation of their seat and nothing else; their choices are drawn from the deal's seed, so that
the same line replays alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from ddz_core import codes, dealing
from ddz_core.actions import HIDDEN
from ddz_core.cards import RANKS, Card, counts_of, parse_cards
from ddz_core.errors import DdzError, IllegalAction
from ddz_core.game import Game, new_game
from ddz_core.language import Phrase
from ddz_core.observation import Observation, observe
from ddz_core.rules import Rules, load_ruleset
from ddz_core.tabletop.opponents import opponent, opponents

if TYPE_CHECKING:
    from collections.abc import Sequence

CounterLevel = Literal["off", "self", "shown"]
COUNTER_LEVELS: tuple[CounterLevel, ...] = ("off", "self", "shown")
SPEEDS = (0, 350, 800, 1600)
"""Milliseconds before a bot's action is shown; 0 plays all of them at once."""
RUNGS = 4
MOST_LINES = 8
"""Abandoned lines kept beside the one in play; the oldest is forgotten first."""
MOST_PAST = 20
"""Codes of games played before that are kept; the oldest is forgotten first."""
DEFAULT_BOT = "rule"
AWAY = frozenset({"leave", "trustee"})
"""Actions of the engine that the table does not offer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabletop:
    """Everything that a person at the table has before them.

    Attributes:
        game: the line in play, to its newest action.
        at: how many actions of it are on the table; fewer than all while looking back.
        seat: the person's seat.
        bots: short name of the bot on each seat, one of
            :data:`ddz_core.tabletop.opponents.OPPONENTS` (the person's own is not asked).
        guided: whether each phase is explained.
        counter: level of the card counter.
        open_hands: whether all hands are shown during the game.
        speed: one of :data:`SPEEDS`, in milliseconds.
        rung: how many rungs of the hint ladder are open for this decision, 0 to 4.
        lines: abandoned lines, each as its action texts.
        past: codes of games played before, the latest last.
        message: a sentence for the person, worded by the catalogue; an error or a note.
        refused: how often an action was refused, so that the browser unlocks.
    """

    game: Game
    at: int
    seat: int
    bots: tuple[str, ...]
    guided: bool = False
    counter: CounterLevel = "shown"
    open_hands: bool = False
    speed: int = 800
    rung: int = 0
    lines: tuple[tuple[str, ...], ...] = ()
    past: tuple[str, ...] = ()
    message: Phrase | None = None
    refused: int = 0

    @property
    def looking_back(self) -> bool:
        """Whether an earlier position than the newest is on the table."""
        return self.at < len(self.game.history)

    @property
    def shown(self) -> Game:
        """The position on the table."""
        return self.game.at(self.at) if self.looking_back else self.game

    @property
    def over(self) -> bool:
        """Whether the line in play is settled."""
        return self.game.phase == "settled"

    @property
    def my_turn(self) -> bool:
        """Whether the person may act now."""
        return not self.looking_back and not self.over and self.game.to_act == self.seat

    @property
    def bot_turn(self) -> bool:
        """Whether a bot is to act now."""
        return not self.looking_back and not self.over and not self.my_turn

    def observation(self) -> Observation:
        """Return what the person's seat may know of the position on the table."""
        return observe(self.shown, self.seat)


def start(
    rules: Rules | str,
    *,
    seed: int | None = None,
    number: int = 0,
    seat: int = 0,
    names: Sequence[str] = (),
    settings: Tabletop | None = None,
    guided: bool | None = None,
) -> Tabletop:
    """Deal a new game.

    Args:
        rules: the game, or the id of a shipped one.
        seed: seed of the deal; None draws one.
        number: which deal of the seed.
        seat: the person's seat.
        names: short name of the bot on each seat; the default bot where left off or empty, or
            where a bot does not play this game.
        settings: a table whose settings (speed, counter, guide …) are taken over.
        guided: whether to explain each phase; None keeps the setting.

    Raises:
        DdzError: if the seat, a bot or the seed cannot be.
    """
    known = load_ruleset(rules) if isinstance(rules, str) else rules
    deal = dealing.deal(known, seed=seed, number=number)
    return seated(new_game(known, deal), seat=seat, names=names, settings=settings, guided=guided)


def seated(
    game: Game,
    *,
    seat: int = 0,
    names: Sequence[str] = (),
    settings: Tabletop | None = None,
    guided: bool | None = None,
) -> Tabletop:
    """Sit down at a game, running or finished, at its newest position."""
    seats = game.seats
    dealing.check_seat(seats, seat)
    chosen = [*names, *[""] * seats][:seats]
    for name in chosen:
        opponent(name or DEFAULT_BOT)
    sitting = opponents(game.ruleset)
    table = Tabletop(
        game=game,
        at=len(game.history),
        seat=seat,
        bots=tuple(name if name in sitting else DEFAULT_BOT for name in chosen),
    )
    if settings is not None:
        table = replace(
            table,
            guided=settings.guided,
            counter=settings.counter,
            open_hands=settings.open_hands,
            speed=settings.speed,
            past=_past(settings, game),
        )
    if guided is not None:
        table = replace(table, guided=guided)
    return advanced(table) if table.speed == 0 else table


def _past(table: Tabletop, following: Game) -> tuple[str, ...]:
    """Return the games played before, with the one on the table if the person acted in it."""
    game = table.game
    acted = any(entry.seat == table.seat for entry in game.history)
    if not acted or game.deal == following.deal:
        return table.past
    code = codes.encode(game)
    return (*(kept for kept in table.past if kept != code), code)[-MOST_PAST:]


def bot_step(table: Tabletop) -> Tabletop:
    """Let the bot whose turn it is act once; nothing happens if it is no bot's turn."""
    if not table.bot_turn:
        return table
    game = table.game
    seat = cast("int", game.to_act)
    seen = observe(game, seat)
    choice = opponent(table.bots[seat]).choose(seen, _rng(game, seat))
    after = game.apply(choice)
    return replace(table, game=after, at=len(after.history), rung=0)


def advanced(table: Tabletop) -> Tabletop:
    """Let the bots act until the person is to act or the deal is over."""
    while table.bot_turn:
        table = bot_step(table)
    return table


def _rng(game: Game, seat: int) -> np.random.Generator:
    """Return the generator of one decision: from the deal's seed and the place in the game."""
    deal = game.deal
    return np.random.default_rng([deal.seed or 0, deal.number, len(game.history), seat])


def act(table: Tabletop, action: Mapping[str, Any]) -> Tabletop:
    """Return the table after one action of the person, as the browser or a plain page sent it.

    Args:
        table: the table before it.
        action: ``number`` (position that it belongs to), ``kind`` and what that kind needs; the
            shape is that of :class:`ddz_core.render.contract.Action`.

    Returns:
        The next table. An action that cannot be done leaves everything as it was, with the reason
        in ``message``; nothing is ever raised for what a visitor sent.
    """
    kind = str(action.get("kind", ""))
    doing = _ACTIONS.get(kind)
    if doing is None:
        return _refused(table, Phrase("table.error.action", {"got": kind[:40]}))
    if kind in _BY_POSITION and action.get("number") != position_number(table):
        if kind == "tick":
            return table
        return _refused(table, Phrase("table.message.stale"))
    stays = kind == "tick" and table.message is not None and table.message.key not in _OF_THE_TURN
    try:
        done = doing(table if stays else replace(table, message=None), action)
    except DdzError as error:
        return _refused(table, Phrase(error.key, error.params))
    return advanced(done) if done.speed == 0 and kind in _BY_POSITION else done


def position_number(table: Tabletop) -> int:
    """Return the number of the position on the table: the actions that its seat has noticed.

    What a seat may not notice is not counted, so that the number gives nothing away.
    """
    return len(table.observation().history)


def noticed(table: Tabletop) -> tuple[int, ...]:
    """Return for every number of noticed actions how many there were in all."""
    seen = observe(table.game, table.seat).history
    places = [0]
    for count, entry in enumerate(table.game.history, start=1):
        if len(places) > len(seen):
            break
        told = seen[len(places) - 1]
        same = told.action == entry.action or HIDDEN in told.action
        if same and (told.seat, told.phase) == (entry.seat, entry.phase):
            places.append(count)
    places[-1] = len(table.game.history) if len(places) > 1 else places[-1]
    return tuple(places)


def _refused(table: Tabletop, why: Phrase) -> Tabletop:
    return replace(table, message=why, refused=table.refused + 1)


def _mine(table: Tabletop) -> None:
    """Refuse an action when it is not the person's turn."""
    if not table.my_turn:
        raise IllegalAction("it is not your turn", key="error.action.turn", field="action")


def _applied(table: Tabletop, text: str) -> Tabletop:
    """Apply an action of the person to the line in play.

    Going away is no move of this table: whoever sits here can close the page and come back.
    """
    _mine(table)
    if text.strip().lower() in AWAY:
        raise IllegalAction(
            f"{text!r} is not open at this table", key="error.action.now", field="action", got=text
        )
    after = table.game.apply(text)
    return replace(table, game=after, at=len(after.history), rung=0)


def _play(table: Tabletop, action: Mapping[str, Any]) -> Tabletop:
    """Play the cards of a row, or those whose ids were sent."""
    move = action.get("move")
    if isinstance(move, str) and move:
        return _applied(table, move[:200])
    ids = action.get("cards")
    ids = ids if isinstance(ids, list) else []
    held = {card_id(card): card for card in table.shown.held[table.seat]}
    if unknown := [str(i) for i in ids if str(i) not in held]:
        raise IllegalAction(
            f"{unknown[0]!r} is not in your hand",
            key="error.action.not_held",
            field="cards",
            expected="",
            got=unknown[0],
        )
    return _applied(table, "".join(held[str(i)].rank for i in ids))


def _choice(table: Tabletop, action: Mapping[str, Any]) -> Tabletop:
    return _applied(table, str(action.get("value", ""))[:200])


def _pass(table: Tabletop, _: Mapping[str, Any]) -> Tabletop:
    return _applied(table, "pass")


def _hint(table: Tabletop, _: Mapping[str, Any]) -> Tabletop:
    """Open the next rung of the ladder, the first one first."""
    _mine(table)
    return replace(table, rung=min(RUNGS, table.rung + 1))


def _rung(table: Tabletop, action: Mapping[str, Any]) -> Tabletop:
    """Open the ladder up to a rung."""
    _mine(table)
    wanted = action.get("value")
    if not isinstance(wanted, int) or not 0 <= wanted < RUNGS:
        return table
    return replace(table, rung=max(table.rung, wanted + 1))


def _undo(table: Tabletop, _: Mapping[str, Any]) -> Tabletop:
    """Take back to the person's latest own decision."""
    history = table.game.history[: table.at]
    own = [i for i, step in enumerate(history) if step.seat == table.seat]
    if not own:
        raise IllegalAction(
            "there is nothing of yours to take back",
            key="error.action.nothing_to_undo",
            field="action",
        )
    before = table.game.at(own[-1])
    return replace(table, game=before, at=own[-1], rung=0)


def _branch(table: Tabletop, action: Mapping[str, Any]) -> Tabletop:
    """Play on from the position on the table, or return to an abandoned line."""
    chosen = action.get("value")
    texts = tuple(step.action for step in table.game.history)
    if isinstance(chosen, int) and not isinstance(chosen, bool):
        if not 0 <= chosen < len(table.lines):
            raise DdzError(
                f"there is no line {chosen}",
                key="table.error.branch",
                field="value",
                got=chosen + 1,
                n=len(table.lines),
            )
        others = [line for i, line in enumerate(table.lines) if i != chosen]
        game = replayed(table.game, table.lines[chosen])
        lines = (*others, texts)[-MOST_LINES:]
        return replace(table, game=game, at=len(game.history), lines=lines, rung=0)
    if not table.looking_back:
        return table
    game = table.shown
    lines = (*table.lines, texts)[-MOST_LINES:]
    return replace(table, game=game, at=table.at, lines=lines, rung=0)


def replayed(game: Game, texts: Sequence[str]) -> Game:
    """Return the deal of a game with these actions from its start."""
    replayed = game.at(0)
    for text in texts:
        replayed = replayed.apply(text)
    return replayed


def _jump(table: Tabletop, action: Mapping[str, Any]) -> Tabletop:
    """Look at another position of the line, counted in actions that the seat has noticed."""
    at = action.get("at", action.get("value"))
    places = noticed(table)
    if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at < len(places):
        raise DdzError(
            f"there is no move {at}",
            key="table.error.jump",
            field="at",
            got=at,
            n=len(places) - 1,
        )
    return replace(table, at=places[at], rung=0)


def _deal(table: Tabletop, action: Mapping[str, Any]) -> Tabletop:
    """Deal again: a new deal, the next one after a thrown-in deal, or the same once more."""
    how = action.get("value")
    deal, rules = table.game.deal, table.game.rules
    if how == "same":
        game = table.game.at(0)
        lines = (*table.lines, tuple(step.action for step in table.game.history))[-MOST_LINES:]
        fresh = seated(game, seat=table.seat, names=table.bots, settings=table)
        return replace(fresh, lines=lines)
    if how == "next" and deal.seed is not None:
        return start(
            rules,
            seed=deal.seed,
            number=deal.number + 1,
            seat=table.seat,
            names=table.bots,
            settings=table,
        )
    return start(rules, seat=table.seat, names=table.bots, settings=table)


def _seat(table: Tabletop, action: Mapping[str, Any]) -> Tabletop:
    """Sit elsewhere: a finished game is only looked at from there, else the deal restarts."""
    seats = table.game.seats
    wanted = action.get("value")
    seat = wanted if isinstance(wanted, int) and 0 <= wanted < seats else (table.seat + 1) % seats
    if table.over and action.get("view"):
        return replace(table, seat=seat)
    return seated(table.game.at(0), seat=seat, names=table.bots, settings=table)


def _view(table: Tabletop, action: Mapping[str, Any]) -> Tabletop:
    """Look at a finished game from another seat."""
    return _seat(table, {**action, "view": True})


def _switch(table: Tabletop, action: Mapping[str, Any]) -> Tabletop:
    """Change a setting; an unknown key or value changes nothing."""
    key, value = action.get("key"), action.get("value")
    if key == "counter" and value in COUNTER_LEVELS:
        return replace(table, counter=cast("CounterLevel", value))
    if key == "open" and isinstance(value, bool):
        note = Phrase("table.message.open") if value and not table.over else None
        return replace(table, open_hands=value, message=note)
    if key == "guide" and isinstance(value, bool):
        return replace(table, guided=value)
    if key == "speed" and str(value) in map(str, SPEEDS):
        changed = replace(table, speed=int(cast("str", value)))
        return advanced(changed) if changed.speed == 0 else changed
    return table


def _counter(table: Tabletop, action: Mapping[str, Any]) -> Tabletop:
    """Compare the counts that the person filled in with the truth of their own seat."""
    from_browser = action.get("values")
    values = from_browser if isinstance(from_browser, Mapping) else {}
    typed = action.get("cards")
    if isinstance(typed, str) and typed.strip():
        typed_counts = counts_of(parse_cards(typed))
        values = {rank: typed_counts[lane] for lane, rank in enumerate(RANKS)}
    seen = table.observation()
    counts = counts_of(seen.unseen)
    truth = {rank: counts[lane] for lane, rank in enumerate(RANKS)}
    filled = {
        rank: count
        for rank, count in values.items()
        if rank in truth and isinstance(count, int) and not isinstance(count, bool)
    }
    if not filled:
        return replace(table, message=Phrase("table.counter.empty"))
    wrong = [rank for rank in truth if rank in filled and filled[rank] != truth[rank]]
    if not wrong:
        return replace(table, message=Phrase("table.counter.right", {"n": len(filled)}))
    params = {
        "right": len(filled) - len(wrong),
        "n": len(filled),
        "ranks": " ".join("10" if r == "T" else r for r in reversed(wrong)),
    }
    return replace(table, message=Phrase("table.counter.wrong", params))


def _tick(table: Tabletop, _: Mapping[str, Any]) -> Tabletop:
    return bot_step(table)


_ACTIONS = {
    "play": _play,
    "pass": _pass,
    "choice": _choice,
    "hint": _hint,
    "rung": _rung,
    "undo": _undo,
    "branch": _branch,
    "jump": _jump,
    "deal": _deal,
    "seat": _seat,
    "view": _view,
    "switch": _switch,
    "counter": _counter,
    "tick": _tick,
}
_BY_POSITION = frozenset({"play", "pass", "choice", "hint", "rung", "undo", "branch", "tick"})
"""Actions that mean the position they were made in; switches and travels do not."""

_OF_THE_TURN = frozenset({"error.action.turn", "table.message.stale"})
"""Messages that a bot's action settles; any other stays until the person acts."""


def card_id(card: Card) -> str:
    """Return the name of a physical card, unique in its game."""
    return f"{card}{card.copy or ''}"


def told(table: Tabletop, message: Phrase | None) -> Tabletop:
    """Return the table with a sentence for the person."""
    return replace(table, message=message)
