"""Drills: many small endgames with one thing to practise, found at random and proven by the solver.

Layer 4. A position of the *feeding* drill is one in which a farmer leads and wins only by a play
that the partner takes over; of the *blocking* drill one in which the farmer before the landlord
wins only by a play that the landlord cannot cover, while something cheaper, or a pass, lets him
win. Both are properties of the solved position; nothing is taken on trust.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

import numpy as np

from ddz_core import cards, solver
from ddz_core.actions import PASS
from ddz_core.errors import DdzError
from ddz_core.lessons import scenes
from ddz_core.lessons.files import Lesson, Step, Text, refused
from ddz_core.positions import Position, position
from ddz_core.rules import Rules, load_ruleset

Drill: TypeAlias = Literal["feed", "block"]
DRILLS: tuple[Drill, ...] = ("feed", "block")

NUMBER = 30
"""Positions of a drill."""

RULES = "classic"
RANKS = "3456789TJQKA2"
NODES = 400_000
LORD, AFTER, BEFORE = range(3)


def feeds(pos: Position) -> bool:
    """Tell whether a position is one of feeding: proven, with something to get wrong.

    A farmer leads and does not go out at once; every play that wins can be beaten by the partner,
    who then takes the trick in best play; at least two other leads lose.
    """
    if pos.beat is not None or pos.to_move in pos.landlords:
        return False
    found = _solved(pos)
    if found is None or found.value != -1:
        return False
    best, legal = _plain(found.best), scenes.actions_of(pos)
    if not 1 <= len(best) <= 2 or len(legal) - len(best) < 2:
        return False
    partner = next(s for s in range(len(pos.hands)) if s not in (*pos.landlords, pos.to_move))
    return all(_taken(pos, action, partner) for action in best)


def _taken(pos: Position, action: str, partner: int) -> bool:
    """Tell whether the partner beats a lead in best play, the landlord before him passing."""
    now = scenes.after(pos, action)
    while not isinstance(now, int) and now.beat_by == pos.to_move:
        if now.to_move == partner:
            found = _solved(now)
            return found is not None and PASS not in _plain(found.best)
        found = _solved(now)
        # a landlord who can take the trick must not be able to: the play has to get past him
        if found is None or len(scenes.actions_of(now)) > 1:
            return False
        now = scenes.after(now, PASS)
    return False


def blocks(pos: Position) -> bool:
    """Tell whether a position is one of blocking: proven, with something to get wrong.

    The farmer before the landlord is to act; the landlord cannot cover any play that wins, but
    wins by covering something that loses: a pass, or a lower play of the same kind.
    """
    count = len(pos.hands)
    if (pos.to_move + 1) % count not in pos.landlords or pos.to_move in pos.landlords:
        return False
    found = _solved(pos)
    if found is None or found.value != -1:
        return False
    best, legal = _plain(found.best), scenes.actions_of(pos)
    if not 1 <= len(best) <= 2 or PASS in best or len(best) == len(legal):
        return False
    if not all(_holds(pos, action) for action in best):
        return False
    return any(_lets(pos, action) for action in legal if action not in best)


def _holds(pos: Position, action: str) -> bool:
    """Tell whether the landlord, next to act, has nothing over a play."""
    now = scenes.after(pos, action)
    return not isinstance(now, int) and scenes.actions_of(now) == (PASS,)


def _lets(pos: Position, action: str) -> bool:
    """Tell whether the landlord, next to act, wins by covering what lies there."""
    now = scenes.after(pos, action)
    if isinstance(now, int) or now.beat is None:
        return False
    found = _solved(now)
    return found is not None and found.value == 1 and PASS not in _plain(found.best)


def _solved(pos: Position) -> solver.Solution | None:
    found = solver.solve(pos, nodes=NODES)
    return found if found.proven else None


def _plain(actions: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(scenes.plain_action(action) for action in actions))


# --- making --------------------------------------------------------------------------------------


def make(drill: Drill, seed: int, number: int = NUMBER) -> Lesson:
    """Return a drill as a lesson, its positions from few cards to more; the same for each seed.

    Texts are in English and simplified Chinese.

    Raises:
        LessonError: for a drill that does not exist.
    Cost: some seconds.
    """
    if drill not in DRILLS:
        raise refused(
            "none",
            f"there is no drill {drill!r}",
            field="drill",
            expected=", ".join(DRILLS),
            got=drill,
        )
    rules, rng = load_ruleset(RULES), np.random.default_rng([seed, DRILLS.index(drill)])
    found: dict[str, Position] = {}
    for pos in _candidates(drill, rules, rng):
        if _TESTS[drill](pos):
            # one position of a kind: the same cards led from the same hand are asked once
            best = _plain(solver.solve(pos, nodes=NODES).best)
            found.setdefault("/".join([pos.texts[pos.to_move], pos.beat_text, *best]), pos)
        if len(found) == number:
            break
    ordered = sorted(
        found.values(), key=lambda pos: (sum(map(cards.size_of, pos.hands)), pos.texts)
    )
    return Lesson(
        id=f"drill-{drill}",
        title=_TITLES[drill],
        intro=_INTROS[drill],
        group="drill",
        minutes=10,
        rules=RULES,
        holds=("primer",),
        claims=_CLAIMS[drill],
        terms=(drill,),
        steps=tuple(_step(drill, pos) for pos in ordered),
    )


_TESTS: dict[Drill, Callable[[Position], bool]] = {"feed": feeds, "block": blocks}


def _candidates(drill: Drill, rules: Rules, rng: np.random.Generator) -> Iterator[Position]:
    """Yield random small endgames in which a farmer is to act, those with pairs often."""
    while True:
        window = int(rng.integers(6, 11))
        low = int(rng.integers(0, len(RANKS) - window + 1))
        deck = [rank for rank in RANKS[low : low + window] for _ in range(4)]
        order = rng.permutation(len(deck))
        if drill == "feed":
            seat = AFTER if rng.random() < 0.7 else BEFORE
            sizes = {LORD: int(rng.integers(3, 7)), seat: int(rng.integers(3, 7))}
            sizes[AFTER + BEFORE - seat] = int(rng.integers(1, 4))
        else:
            seat = BEFORE
            sizes = {LORD: int(rng.integers(1, 4)), BEFORE: int(rng.integers(3, 7))}
            sizes[AFTER] = int(rng.integers(2, 6))
        hands, at = [], 0
        for one in range(3):
            taken = order[at : at + sizes[one]]
            at += sizes[one]
            hands.append("".join(deck[i] for i in taken))
        beat = ""
        if drill == "block" and rng.random() < 0.6:
            beat = _on_table([deck[i] for i in order[at:]], rng)
        try:
            yield position(hands, seat, beat or None, rules=rules, beat_by=AFTER if beat else None)
        except DdzError:
            continue


def _on_table(rest: list[str], rng: np.random.Generator) -> str:
    """Return a small play of the cards that nobody holds."""
    ranks = sorted(set(rest), key=RANKS.find)[:5]
    rank = ranks[int(rng.integers(len(ranks)))]
    return rank * 2 if rng.random() < 0.3 and rest.count(rank) > 1 else rank


def _step(drill: Drill, pos: Position) -> Step:
    best = _plain(solver.solve(pos, nodes=NODES).best)
    return Step(
        ask="play",
        question=_question(drill, pos),
        truth="keeps",
        hands=pos.texts,
        to_move=pos.to_move,
        beat=scenes.plain_action(pos.beat_text) if pos.beat is not None else "",
        beat_by=pos.beat_by,
        answers=tuple(best),
        hints=(_HINTS[drill],),
    )


def _question(drill: Drill, pos: Position) -> Text:
    if drill == "feed":
        partner = AFTER + BEFORE - pos.to_move
        held = _shown(pos.texts[partner])
        return {
            "en": f"You lead. Your partner holds {held}.",
            "zh-Hans": f"由你领出，队友剩 {held}。",
        }
    held = _shown(pos.texts[LORD])
    if pos.beat is None:
        return {
            "en": f"You lead before the landlord, who holds {held}.",
            "zh-Hans": f"由你领出，你是地主上家，地主剩 {held}。",
        }
    laid = _shown(cards.format_cards(pos.beat.hand))
    return {
        "en": f"Your partner played {laid}. Next comes the landlord, who holds {held}.",
        "zh-Hans": f"队友出了 {laid}，下一个就是地主，他剩 {held}。",
    }


def _shown(text: str) -> str:
    return "-".join("10" if rank == "T" else rank for rank in text)


_TITLES: dict[Drill, Text] = {
    "feed": {"en": "Drill: feeding", "zh-Hans": "专练：传牌"},
    "block": {"en": "Drill: blocking", "zh-Hans": "专练：顶牌"},
}
_INTROS: dict[Drill, Text] = {
    "feed": {
        "en": "Thirty small endgames. Only a play that your partner takes over wins; each is "
        "solved to the end.",
        "zh-Hans": "三十个小残局。只有递得到队友手里才能赢，每一个都算到底。",
    },
    "block": {
        "en": "Thirty small endgames before the landlord. Only a play that he cannot cover wins; "
        "each is solved to the end.",
        "zh-Hans": "三十个小残局，你坐在地主上家。只有顶得他过不去才能赢，每一个都算到底。",
    },
}
_HINTS: dict[Drill, Text] = {
    "feed": {
        "en": "Which of your plays can your partner cover and the landlord not take first?",
        "zh-Hans": "哪一手队友压得住，地主又抢不走？",
    },
    "block": {
        "en": "Which plays can the landlord not cover?",
        "zh-Hans": "哪一手地主压不住？",
    },
}
_CLAIMS: dict[Drill, tuple[str, ...]] = {"feed": ("D6", "D4"), "block": ("D3", "D7")}
