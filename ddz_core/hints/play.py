"""The hint ladder of a play: counted, compared, given a reason, answered.

Layer 3.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddz_core import actions, cards, decompose
from ddz_core.actions import PASS
from ddz_core.bots.rule import Engine, engine_of, fitted, others_of, seen_by, weights_of
from ddz_core.hints import facts
from ddz_core.hints.ladder import Candidate, Ladder, Row, Rung
from ddz_core.hints.phrases import card_phrase, listed, number, play_phrase
from ddz_core.language import Phrase
from ddz_core.patterns.combination import move_from

if TYPE_CHECKING:
    from ddz_core.observation import Observation
    from ddz_core.patterns import Move
    from ddz_core.specs import Ruleset

MOST_PLAYS = 5
"""Plays compared at most; a pass comes beside them."""
ENOUGH_PLAYS = 3
"""With fewer different main parts, other kickers are compared as well."""
MOST_REASONS = 7
MOST_TOPS = 4
"""Ranks named one by one; beyond that only how many and the highest."""
MOST_SPLIT = 3
"""Sentences on groups that candidates break."""

_PASS = Phrase("hint.pass")


@dataclass(frozen=True, slots=True)
class _Table:
    """What all rungs of one decision read."""

    obs: Observation
    engine: Engine
    plan: tuple[Move, ...]
    turns: int

    @property
    def leading(self) -> bool:
        return self.obs.to_beat is None


def ladder(obs: Observation) -> Ladder:
    """Return the hint ladder of a play; the seat must be to act."""
    engine = engine_of(obs.ruleset)
    split = decompose.turns(obs.hand, obs.rules, limit=200)
    table = _Table(obs, engine, split.splits[0], split.turns)
    scored = [
        entry
        for entry in engine.scored(weights_of(fitted(obs.ruleset)), *seen_by(engine, obs))
        if obs.limits.allows(entry[1], bomb=entry[2] >> 26 > 0)
    ]
    candidates = _candidates(table, scored)
    answer = candidates[0]
    other = candidates[1] if len(candidates) > 1 else None
    return Ladder(
        phase=obs.phase,
        rungs=(
            _legal(table, scored),
            _compared(table, candidates),
            _reasons(table, candidates),
            _answer(table, answer, other),
        ),
        candidates=candidates,
        answer=answer,
        alternative=other,
    )


# --- candidates ----------------------------------------------------------------------------------


def _candidates(
    table: _Table, scored: list[tuple[float, cards.Hand, int]]
) -> tuple[Candidate, ...]:
    """Return the plays worth comparing and the pass, best first."""
    chosen: list[tuple[float, cards.Hand, int]] = []
    codes: set[int] = set()
    for entry in scored:
        if entry[2] not in codes and len(chosen) < MOST_PLAYS:
            codes.add(entry[2])
            chosen.append(entry)
    if len(chosen) < ENOUGH_PLAYS:
        chosen += _other_kickers(table, scored, chosen)
    found = [_candidate(table, *entry) for entry in chosen]
    if not table.leading:
        found.append(
            Candidate(
                action=PASS,
                label=_PASS,
                turns=table.turns,
                controls=facts.controls(table.obs.hand, others_of(table.obs)),
            )
        )
    # among equal scores a pass comes last, as the bot takes it only if nothing scores above it
    return tuple(sorted(found, key=lambda one: (-one.score, one.move is not None)))


def _other_kickers(
    table: _Table,
    scored: list[tuple[float, cards.Hand, int]],
    chosen: list[tuple[float, cards.Hand, int]],
) -> list[tuple[float, cards.Hand, int]]:
    """Return up to two plays that differ from the chosen ones by kickers: the next, the dearest."""
    taken = {hand for _, hand, _ in chosen}
    rest = [entry for entry in scored if entry[1] not in taken]
    if not rest:
        return []
    turns = table.engine.turns([table.obs.hand - hand for _, hand, _ in rest], keep=False)
    dearest = rest[max(range(len(rest)), key=lambda place: (turns[place], -place))]
    return [rest[0]] if dearest is rest[0] else [rest[0], dearest]


def _candidate(table: _Table, score: float, hand: cards.Hand, code: int) -> Candidate:
    obs = table.obs
    move = move_from(table.engine.table, hand, code)
    rest = obs.hand - hand
    turns = decompose.fewest(rest, obs.rules)
    lost = turns + 1 - table.turns
    automatic = actions.automatic_reading(obs.ruleset, hand, obs.to_beat)
    own = actions.reading_of(move)
    unnamed = automatic is not None and actions.reading_of(automatic) == own
    return Candidate(
        action=actions.written(hand, None if unnamed else own),
        label=play_phrase(move),
        move=move,
        turns=turns,
        lost=lost,
        outside=facts.outside(table.engine, obs, code),
        torn=facts.groups_torn(obs.ruleset, obs.hand, move),
        broken=facts.group_broken(table.plan, move) if lost > 0 else None,
        controls=facts.controls(rest, others_of(obs)),
        score=score,
    )


# --- rung 1: what is legal -----------------------------------------------------------------------


def _legal(table: _Table, scored: list[tuple[float, cards.Hand, int]]) -> Rung:
    """Say how many plays of which kind there are, and whether one may pass."""
    forms = [table.engine.table.form(code) for code in sorted(code for _, _, code in scored)]
    plain = Counter(form.kind for form in forms if not form.step)
    bombs = Counter(form.kind for form in forms if form.step)
    lead = Phrase("hint.legal.none")
    if plain:
        parts = [
            Phrase("hint.legal.kind", {"kind": Phrase(f"kind.{kind}"), "n": n})
            for kind, n in plain.items()
        ]
        lead = Phrase("hint.legal.plays", {"plays": listed(parts)})
    elif bombs:
        lead = Phrase("hint.legal.only_bombs")
    lines = []
    tops = {code for _, _, code in scored}
    if len(tops) == 1 and len(scored) > 1 and plain:
        main = move_from(table.engine.table, scored[0][1], scored[0][2]).main
        lines.append(Phrase("hint.legal.one_main", {"cards": card_phrase(main)}))
    if bombs:
        parts = [
            Phrase("hint.legal.kind", {"kind": Phrase(f"kind.{kind}"), "n": n})
            for kind, n in bombs.items()
        ]
        lines.append(Phrase("hint.legal.bombs", {"plays": listed(parts)}))
    else:
        lines.append(Phrase("hint.legal.no_bombs"))
    if table.leading:
        lines.append(Phrase("hint.legal.must_lead"))
    else:
        lines.append(Phrase("hint.legal.may_pass" if scored else "hint.legal.must_pass"))
    return Rung(key="legal", lead=lead, lines=tuple(lines))


# --- rung 2: candidates --------------------------------------------------------------------------


def _compared(table: _Table, candidates: tuple[Candidate, ...]) -> Rung:
    """Compare the candidates: plays left and who could beat them; fewest plays first."""
    order = sorted(candidates, key=lambda one: (one.turns or 0, one.move is None))
    rows = tuple(
        Row(
            cells=(
                one.label,
                number(one.turns or 0),
                _outside_cell(table, one),
            ),
            cards=one.move.cards if one.move else "",
        )
        for one in order
    )
    out = facts.bombs_out(table.engine, table.obs)
    n = len(out.bombs) + len(out.sets)
    return Rung(
        key="candidates",
        lines=(Phrase("hint.candidates.bombs", {"n": n}),),
        head=tuple(Phrase(f"hint.head.{name}") for name in ("play", "turns", "outside")),
        rows=rows,
    )


def _set_phrases(ruleset: Ruleset, sets: tuple[str, ...]) -> list[Phrase]:
    """Return exact sets by the name of their kind, each kind once."""
    kinds = {
        step.id: None
        for step in ruleset.ladder_in_force()
        for text in sets
        if any(text in part.split("=") for part in step.cards)
    }
    return [Phrase(f"kind.{kind}") for kind in kinds]


def _outside_cell(table: _Table, one: Candidate) -> Phrase:
    """Say in a few words what could beat a candidate."""
    if one.outside is None:
        return Phrase("hint.outside.dash")
    parts = [_tops_phrase(one.outside.tops)] if one.outside.tops else []
    if len(one.outside.bombs) == 1:
        parts.append(Phrase("hint.outside.bomb", {"rank": card_phrase(one.outside.bombs[0])}))
    elif one.outside.bombs:
        parts.append(Phrase("hint.outside.bombs", {"n": len(one.outside.bombs)}))
    parts += _set_phrases(table.obs.ruleset, one.outside.sets)
    return listed(parts) if parts else Phrase("hint.outside.nobody")


def _tops_phrase(tops: tuple[str, ...]) -> Phrase:
    if len(tops) <= MOST_TOPS:
        return listed([card_phrase(top) for top in tops])
    return Phrase("hint.outside.many", {"n": len(tops), "top": card_phrase(tops[-1])})


# --- rung 3: reasons -----------------------------------------------------------------------------


def _reasons(table: _Table, candidates: tuple[Candidate, ...]) -> Rung:
    """Give the reasons that were counted, the most concrete first."""
    answer = candidates[0]
    lines = _situation(table)
    if answer.move is not None:
        lines += _who_beats(table, answer)
    lines += _breaks(candidates)
    if answer.move is None and len(candidates) > 1:
        lines += _why_pass(table, answer, candidates[1])
    if answer.turns:
        lines.append(_plays_left(table, answer))
    if answer.controls:
        lines.append(Phrase("hint.why.controls", {"cards": card_phrase(answer.controls)}))
    return Rung(key="reasons", lines=tuple(lines[:MOST_REASONS]))


def _situation(table: _Table) -> list[Phrase]:
    """Say whose play it is, and who is short of cards."""
    obs = table.obs
    lines = []
    partners, enemies = (facts.side_left(obs, partners=p) for p in (True, False))
    if obs.beat_by is not None and obs.beat_by in partners:
        lines.append(Phrase("hint.why.partner", {"n": obs.left[obs.beat_by]}))
    few = min(enemies.values(), default=99)
    if few <= max(obs.ruleset.play.alarm, default=0):
        lines.append(Phrase("hint.why.enemy_short", {"n": few}))
    low = min(partners.values(), default=99)
    if low <= max(obs.ruleset.play.alarm, default=0):
        lines.append(Phrase("hint.why.partner_short", {"n": low}))
    return lines


def _who_beats(table: _Table, answer: Candidate) -> list[Phrase]:
    """Say with which unseen cards the answer could be beaten."""
    move, out = answer.move, answer.outside
    assert move is not None
    assert out is not None
    lines = []
    kind = Phrase(f"kind.{move.kind}")
    if answer.turns == 0:
        return [Phrase("hint.why.goes_out")]
    if out.short:
        lines.append(Phrase("hint.why.too_many", {"n": cards.size_of(move.hand)}))
    elif not move.is_bomb:
        counts = cards.counts_of(others_of(table.obs))
        above = cards.RANKS[cards.LANE[move.top] + 1 : cards.MARKED]
        seen = [
            Phrase("hint.why.count", {"rank": card_phrase(rank), "n": counts[cards.LANE[rank]]})
            for rank in above
            if counts[cards.LANE[rank]]
        ]
        if out.tops:
            lines.append(Phrase("hint.why.higher", {"kind": kind, "tops": _tops_phrase(out.tops)}))
        elif move.length > 1 or not seen:
            lines.append(Phrase("hint.why.no_higher", {"kind": kind}))
        else:
            lines.append(Phrase("hint.why.counted", {"counts": listed(seen), "kind": kind}))
    lines.append(_bombs_sentence(table))
    return lines


def _bombs_sentence(table: _Table) -> Phrase:
    """Say which bombs can still be outside, and why no rocket where there is none."""
    out = facts.bombs_out(table.engine, table.obs)
    held = cards.counts_of(table.obs.hand)
    parts = [card_phrase(rank) for rank in out.bombs]
    sets = _set_phrases(table.obs.ruleset, out.sets)
    if parts and sets:
        return Phrase("hint.why.bombs_sets", {"ranks": listed(parts), "sets": listed(sets)})
    if parts:
        return Phrase("hint.why.bombs", {"ranks": listed(parts)})
    if sets:
        return Phrase("hint.why.sets", {"sets": listed(sets)})
    mine = "".join(cards.RANKS[lane] for lane in (13, 14) if held[lane])
    if len(mine) == 1:
        return Phrase("hint.why.no_bombs_joker", {"cards": card_phrase(mine)})
    return Phrase("hint.why.no_bombs")


def _breaks(candidates: tuple[Candidate, ...]) -> list[Phrase]:
    """Say what the candidates break and what that costs, those of the answer first."""
    lines = []
    for one in candidates:
        for text in one.torn:
            key = "hint.why.torn_last" if one.turns == 0 else "hint.why.torn"
            lines.append(Phrase(key, {"play": one.label, "cards": card_phrase(text)}))
        if one.broken is not None and not one.torn:
            lines.append(
                Phrase(
                    "hint.why.broken",
                    {"play": one.label, "group": play_phrase(one.broken), "n": one.lost},
                )
            )
    return lines[:MOST_SPLIT]


def _why_pass(table: _Table, answer: Candidate, best: Candidate) -> list[Phrase]:
    """Say what the best play would give up, where the answer is to pass."""
    if best.move is not None and best.move.is_bomb:
        return [Phrase("hint.why.spends_bomb", {"play": best.label})]
    spent = Counter(answer.controls)
    spent.subtract(best.controls)
    text = "".join(rank * spent[rank] for rank in cards.RANKS if spent[rank] > 0)
    if text:
        return [Phrase("hint.why.spends", {"play": best.label, "cards": card_phrase(text)})]
    if best.lost > 0 or best.torn or table.obs.beat_by in facts.side_left(table.obs, partners=True):
        return []
    return [Phrase("hint.why.rated", {"play": best.label, "n": max(1, round(-best.score))})]


def _plays_left(table: _Table, answer: Candidate) -> Phrase:
    """Say what the action costs in plays."""
    if answer.move is None:
        return Phrase("hint.why.pass_turns", {"n": table.turns})
    if answer.lost <= 0:
        return Phrase("hint.why.fits", {"play": answer.label, "n": answer.turns})
    return Phrase("hint.why.costs", {"play": answer.label, "n": answer.turns, "more": answer.lost})


# --- rung 4: answer ------------------------------------------------------------------------------


def _answer(table: _Table, answer: Candidate, other: Candidate | None) -> Rung:
    """Name the rule bot's choice and the best alternative with the difference."""
    lead = Phrase("hint.answer.play", {"play": answer.label})
    lines = [_kept(table, answer)] if answer.turns else []
    if other is None:
        lines.append(Phrase("hint.answer.only"))
    else:
        lines.append(
            Phrase(
                "hint.answer.other",
                {"play": other.label, "difference": difference(answer, other)},
            )
        )
    lines.append(Phrase("hint.answer.rule"))
    return Rung(key="answer", lead=lead, lines=tuple(lines))


def _kept(table: _Table, answer: Candidate) -> Phrase:
    """Name the plan: the groups that stay in the hand."""
    rest = table.obs.hand - (answer.move.hand if answer.move else 0)
    split = facts.kept_plan(table.obs.rules, rest)
    return Phrase("hint.answer.kept", {"plays": listed([play_phrase(move) for move in split])})


def difference(answer: Candidate, other: Candidate) -> Phrase:
    """Say in one countable quantity how an alternative differs from the answer."""
    gap = (other.turns or 0) - (answer.turns or 0)
    if answer.move is not None and answer.turns == 0:
        return Phrase("hint.differs.out")
    if other.torn and not answer.torn:
        return Phrase("hint.differs.torn", {"cards": card_phrase(other.torn[0])})
    if answer.torn and not other.torn:
        return Phrase("hint.differs.keeps", {"cards": card_phrase(answer.torn[0])})
    if gap:
        return Phrase("hint.differs.more" if gap > 0 else "hint.differs.fewer", {"n": abs(gap)})
    if answer.outside and other.outside and answer.outside.safe != other.outside.safe:
        return Phrase("hint.differs.safe" if other.outside.safe else "hint.differs.unsafe")
    if (
        answer.move
        and other.move
        and actions.reading_of(answer.move)[:2] == (actions.reading_of(other.move)[:2])
    ):
        ours, theirs = (cards.LANE[one.top] for one in (answer.move, other.move))
        if ours != theirs:
            return Phrase("hint.differs.higher" if theirs > ours else "hint.differs.lower")
    if len(answer.controls) != len(other.controls):
        kept = len(other.controls) - len(answer.controls)
        return Phrase(
            "hint.differs.controls_more" if kept > 0 else "hint.differs.controls_fewer",
            {"n": abs(kept)},
        )
    used = [cards.size_of(one.move.hand) if one.move else 0 for one in (answer, other)]
    if used[0] != used[1]:
        return Phrase("hint.differs.cards", {"n": used[1], "ours": used[0]})
    if answer.move and other.move and answer.move.kickers and other.move.kickers:
        kickers = [card_phrase(one.kickers) for one in (answer.move, other.move)]
        return Phrase("hint.differs.kickers", {"cards": kickers[1], "ours": kickers[0]})
    return Phrase("hint.differs.rated", {"n": max(1, round(answer.score - other.score))})
