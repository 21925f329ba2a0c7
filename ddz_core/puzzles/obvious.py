"""The play that somebody makes who counts but does not search, with all hands open.

Layer 4. A puzzle is hard where this play loses. Going out comes first, then a play that no enemy
can beat with one play left behind it; else it is the rule bot's, who is told what it would know at
the end of a deal, the cards that all others hold together, and whose weights are the standard ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core import cards, patterns
from ddz_core.bots import rule
from ddz_core.patterns.combination import code_in, move_from
from ddz_core.puzzles import lines

if TYPE_CHECKING:
    from ddz_core.patterns import Move
    from ddz_core.positions import Position


def obvious(position: Position) -> Move | None:
    """Return the obvious play of the hand to move; None is a pass."""
    for sees in (_goes_out, _runs_home):
        seen = next((m for m in lines.legal(position) if m is not None and sees(position, m)), None)
        if seen is not None:
            return seen
    return _counted(position)


def unbeatable(position: Position, move: Move) -> bool:
    """Tell whether no enemy of the hand to move can play over a play, not even with a bomb."""
    side = lines.side_of(position, position.to_move)
    ruleset = position.rules.ruleset
    return not any(
        patterns.can_beat(ruleset, hand, move.hand, beat_as=move)
        for seat, hand in enumerate(position.hands)
        if lines.side_of(position, seat) != side
    )


def _goes_out(position: Position, move: Move) -> bool:
    return move.hand == position.hands[position.to_move]


def _runs_home(position: Position, move: Move) -> bool:
    rest = position.hands[position.to_move] - move.hand
    whole = bool(rest) and bool(patterns.readings(position.rules.ruleset, rest))
    return whole and unbeatable(position, move)


def _counted(position: Position) -> Move | None:
    """Return what the rule bot plays."""
    engine = rule.engine_of(position.rules.ruleset)
    seat = position.to_move
    beat = None
    if position.beat is not None and position.beat_by is not None:
        beat = (code_in(engine.table, position.beat), position.beat_by)
    own = seat in position.landlords
    chosen = engine.choose(
        rule.weights_of(rule.Parameters()),
        position.hands[seat],
        sum(hand for other, hand in enumerate(position.hands) if other != seat),
        seat,
        [cards.size_of(hand) for hand in position.hands],
        [(other in position.landlords) == own for other in range(len(position.hands))],
        beat,
    )
    return None if chosen is None else move_from(engine.table, *chosen)
