"""What a puzzle is about, found from its solution by machine.

Layer 4. Each theme is a condition on one decision of the learner, on the play that wins, on what
else was legal, and on how the main line goes on; two are conditions on the whole line. They are
looked for at the hard decisions first, then at the other only ones. The words are the catalogue's
(``puzzle.theme.NAME``).

==============  ===================================================================================
feed            送牌: a play that the partner plays over, and the partner goes out
block           顶牌: higher than needed, where the next enemy could have played over the lower one
take_over       接手: playing over the partner
let_through     放行: passing on the partner's play though one could play
split_bomb      拆炸: taking some cards out of a bomb
split_rocket    拆王炸: playing one joker of the rocket
carry           四带: four of a rank as the body of a larger play instead of a bomb
force_bomb      逼炸: a play that only a bomb can stop, with one play left behind it
bomb_now        抢炸: a bomb while other plays were legal
keep_bomb       留炸: anything but the bomb that could have been played
hold_back       忍: passing on an enemy's play though one could beat it
give_lead       放手: a lead that an enemy beats, though an unbeatable one was legal
keep_small      留小: leading past the lowest card, which goes out last
break_set       拆牌: a play that costs a turn of the own hand
shut_out        全关: no enemy gets to play a card in the main line
==============  ===================================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddz_core import cards, decompose, patterns
from ddz_core.errors import DdzError
from ddz_core.positions import Position
from ddz_core.puzzles import lines
from ddz_core.puzzles.judge import family_of

if TYPE_CHECKING:
    from ddz_core.patterns import Move
    from ddz_core.puzzles.study import Decision, Study

_JOKERS = cards.parse_cards("XD")


@dataclass(frozen=True, slots=True)
class _Scene:
    """A decision with everything a theme may ask about."""

    study: Study
    decision: Decision
    line: lines.Line
    """The whole main line."""

    @property
    def position(self) -> Position:
        return self.decision.position

    @property
    def seat(self) -> int:
        return self.position.to_move

    @property
    def hand(self) -> int:
        return self.position.hands[self.seat]

    @property
    def step(self) -> lines.Step:
        return self.line.steps[self.decision.at]

    @property
    def move(self) -> Move | None:
        return self.step.move

    @property
    def others(self) -> list[Move]:
        """The legal plays that are not of the family of the right one."""
        family = family_of(self.move)
        return [m for m in lines.legal(self.position) if m is not None and family_of(m) != family]

    @property
    def later(self) -> tuple[lines.Step, ...]:
        return self.line.steps[self.decision.at + 1 :]

    def mate(self, seat: int) -> bool:
        """Tell whether a hand is another one of the same side."""
        return seat != self.seat and self.side(seat) == self.side(self.seat)

    def side(self, seat: int) -> int:
        return lines.side_of(self.position, seat)

    @property
    def owner_is_enemy(self) -> bool:
        by = self.position.beat_by
        return by is not None and self.side(by) != self.side(self.seat)

    @property
    def owner_is_mate(self) -> bool:
        return self.position.beat_by is not None and self.mate(self.position.beat_by)

    @property
    def enemies(self) -> list[int]:
        seats = len(self.position.hands)
        turn = ((self.seat + n) % seats for n in range(1, seats))
        return [seat for seat in turn if self.side(seat) != self.side(self.seat)]

    def answers(self, move: Move, seat: int) -> list[Move]:
        """Return what a hand could play over a play."""
        ruleset = self.position.rules.ruleset
        return patterns.moves(ruleset, self.position.hands[seat], beat=move.hand, beat_as=move)

    def stopped(self, move: Move, *, bombs: bool) -> bool:
        """Tell whether some enemy could play over a play, with or without bombs."""
        return any(
            bombs or not answer.is_bomb
            for seat in self.enemies
            for answer in self.answers(move, seat)
        )


def themes(study: Study) -> tuple[str, ...]:
    """Return the themes of a solved puzzle, that of its hardest decision first.

    Cost: a few move lists for each decision of the main line.
    """
    line = lines.line_of(study.position, study.line)
    scenes = [
        _Scene(study, decision, line)
        for decision in study.decisions
        if decision.learner and decision.only
    ]
    order = sorted(scenes, key=lambda scene: not scene.decision.hard)
    found = [name for scene in order for name, holds in _AT.items() if holds(scene)]
    if scenes and _shut_out(study, line):
        found.append("shut_out")
    return tuple(dict.fromkeys(found))


def at(study: Study, decision: Decision) -> tuple[str, ...]:
    """Return the themes of one decision."""
    scene = _Scene(study, decision, lines.line_of(study.position, study.line))
    return tuple(name for name, holds in _AT.items() if holds(scene))


def _feed(scene: _Scene) -> bool:
    if scene.move is None or scene.line.out is None or not scene.mate(scene.line.out):
        return False
    trick = [step for step in scene.later if step.trick == scene.step.trick]
    over = next((step for step in trick if step.move is not None), None)
    return over is not None and scene.mate(over.seat)


def _block(scene: _Scene) -> bool:
    move = scene.move
    following = (scene.seat + 1) % len(scene.position.hands)
    if move is None or move.is_bomb or scene.side(following) == scene.side(scene.seat):
        return False
    lower = [
        other
        for other in scene.others
        if (other.kind, other.length) == (move.kind, move.length) and _below(other, move)
    ]
    if not lower or any(not answer.is_bomb for answer in scene.answers(move, following)):
        return False
    lowest = min(lower, key=lambda other: other.hand)
    return any(not answer.is_bomb for answer in scene.answers(lowest, following))


def _below(a: Move, b: Move) -> bool:
    return cards.LANE[a.top] < cards.LANE[b.top]


def _take_over(scene: _Scene) -> bool:
    return scene.move is not None and scene.owner_is_mate


def _let_through(scene: _Scene) -> bool:
    return scene.move is None and scene.owner_is_mate and bool(scene.others)


def _bombs_of_four(scene: _Scene) -> int:
    """Return the cards of all bombs of equal ranks that the hand holds."""
    bombs = [m for m in _leads(scene) if m.is_bomb and len(set(m.cards)) == 1]
    held = 0
    for bomb in bombs:
        lane = cards.LANE[bomb.cards[0]]
        held |= (scene.hand >> 4 * lane & 15) << 4 * lane
    return held


def _leads(scene: _Scene) -> list[Move]:
    return patterns.moves(scene.position.rules.ruleset, scene.hand)


def _split_bomb(scene: _Scene) -> bool:
    move = scene.move
    if move is None or move.is_bomb:
        return False
    held = cards.counts_of(_bombs_of_four(scene))
    used = cards.counts_of(move.hand)
    return any(0 < n < have for n, have in zip(used, held, strict=True))


def _split_rocket(scene: _Scene) -> bool:
    move = scene.move
    if move is None or not cards.contains(scene.hand, _JOKERS):
        return False
    if not any(m.is_bomb and m.hand == _JOKERS for m in _leads(scene)):
        return False
    used = cards.counts_of(move.hand)
    return used[cards.LANE["X"]] + used[cards.LANE["D"]] == 1


def _carry(scene: _Scene) -> bool:
    move = scene.move
    if move is None or move.is_bomb or not move.kickers:
        return False
    held = cards.counts_of(_bombs_of_four(scene))
    return any(have and move.main.count(cards.RANKS[lane]) == have for lane, have in _ranks(held))


def _ranks(counts: tuple[int, ...]) -> list[tuple[int, int]]:
    return list(enumerate(counts[: len(cards.RANKS)]))


def _force_bomb(scene: _Scene) -> bool:
    move = scene.move
    if move is None or scene.stopped(move, bombs=False) or not scene.stopped(move, bombs=True):
        return False
    rest = scene.hand - move.hand
    return bool(rest) and bool(patterns.readings(scene.position.rules.ruleset, rest))


def _bomb_now(scene: _Scene) -> bool:
    move = scene.move
    goes_out = move is not None and move.hand == scene.hand
    return move is not None and move.is_bomb and not goes_out and _free(scene)


def _free(scene: _Scene) -> bool:
    """Tell whether something else than a bomb could have been done."""
    return scene.position.beat is not None or any(not m.is_bomb for m in scene.others)


def _keep_bomb(scene: _Scene) -> bool:
    move = scene.move
    if move is not None and (move.is_bomb or move.hand == scene.hand):
        return False
    if scene.owner_is_mate:
        return False
    rest = scene.hand - (0 if move is None else move.hand)
    return any(other.is_bomb and cards.contains(rest, other.hand) for other in scene.others)


def _hold_back(scene: _Scene) -> bool:
    plain = any(not other.is_bomb for other in scene.others)
    return scene.move is None and scene.owner_is_enemy and plain


def _give_lead(scene: _Scene) -> bool:
    move = scene.move
    if move is None or scene.position.beat is not None or not scene.stopped(move, bombs=False):
        return False
    return any(
        not other.is_bomb and other.hand != scene.hand and not scene.stopped(other, bombs=True)
        for other in scene.others
    )


def _keep_small(scene: _Scene) -> bool:
    move = scene.move
    if move is None or scene.position.beat is not None or move.hand == scene.hand:
        return False
    low = cards.format_cards(scene.hand)[0]
    own = [step for step in scene.line.steps if step.seat == scene.seat and step.move is not None]
    last = own[-1].move
    if scene.line.out != scene.seat or last is None or low in move.cards:
        return False
    return low in last.cards


def _break_set(scene: _Scene) -> bool:
    move = scene.move
    if move is None or move.is_bomb or move.hand == scene.hand:
        return False
    try:
        now = decompose.fewest(scene.hand, scene.position.rules)
        after = decompose.fewest(scene.hand - move.hand, scene.position.rules)
    except DdzError:  # kinds are switched off and the hand cannot be split whole
        return False
    return after > now - 1


def _shut_out(study: Study, line: lines.Line) -> bool:
    side = lines.side_of(study.position, study.position.to_move)
    theirs = [s for s in line.steps if lines.side_of(study.position, s.seat) != side]
    return all(step.move is None for step in theirs)


_AT: dict[str, Callable[[_Scene], bool]] = {
    "feed": _feed,
    "block": _block,
    "split_rocket": _split_rocket,
    "split_bomb": _split_bomb,
    "carry": _carry,
    "force_bomb": _force_bomb,
    "hold_back": _hold_back,
    "take_over": _take_over,
    "let_through": _let_through,
    "give_lead": _give_lead,
    "bomb_now": _bomb_now,
    "keep_bomb": _keep_bomb,
    "keep_small": _keep_small,
    "break_set": _break_set,
}
"""The themes of one decision, the most telling first."""

NAMES = (*_AT, "shut_out")
"""Every theme."""
