"""How a review is told in a notebook: its turning points, and who could have won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core.render.sheet import Grid, Line, Title
from ddz_core.review.told import action_phrase, word_phrase

if TYPE_CHECKING:
    from ddz_core.language import Words
    from ddz_core.render.sheet import Block
    from ddz_core.review import Decision, Review

MOST_ROWS = 12


def review_blocks(one: Review, words: Words) -> list[Block]:
    """Return a review as blocks: turning points with loss and verdicts, could-have-won, par."""
    rules = one.game.ruleset.name[words.lang]
    blocks: list[Block] = [Title(f"{words.say('notebook.review')} · {rules}")]
    turned = [one.decisions[place] for place in one.turning[:MOST_ROWS]]
    head = ("", *(words.say(f"notebook.review.{name}") for name in _COLUMNS))
    if turned:
        rows = tuple(_row(one, decision, words) for decision in turned)
        blocks.append(Grid(head, rows, words=True))
    else:
        blocks.append(Line(words.say("notebook.review.none")))
    for seat, answer in sorted(one.could_win.items()):
        blocks.append(Line(words.say(f"notebook.review.could.{answer}", n=seat)))
    rows = tuple(
        (
            words.say("notebook.seat", n=par.seat),
            f"{par.result:+d}",
            f"{par.luck:+.1f}",
            f"{par.skill:+.1f}",
        )
        for par in one.par
    )
    if rows:
        names = ("notebook.col.points", "review.batch.luck.deal", "review.batch.luck.skill")
        blocks.append(Grid(("", *map(words.say, names)), rows))
    blocks.append(Line(words.say("notebook.review.how", n=one.samples, seed=one.seed), quiet=True))
    return blocks


_COLUMNS = ("did", "better", "loss", "known", "open", "kind")


def _row(review: Review, one: Decision, words: Words) -> tuple[str, ...]:
    """Return one turning point as a row of words."""
    plays = review.game.history[one.index].phase == "play"

    def named(action: str) -> str:
        if plays:
            return words.phrase(action_phrase(action))
        return action if action.isdecimal() else words.phrase(word_phrase(action))

    loss = one.loss_win
    label = words.say(f"review.mark.{one.label}") if one.label else ""
    if one.only and not label:
        label = words.say("review.mark.only")
    number = f"{100 * loss.value:.0f} ({100 * loss.low:.0f}–{100 * loss.high:.0f})"
    return (
        f"{one.index + 1} · {words.say('notebook.seat', n=one.seat)}",
        named(one.action),
        named(one.best) if one.best != one.action else "–",
        number,
        words.say(f"notebook.review.verdict.{one.known}"),
        words.say(f"notebook.review.verdict.{one.open}"),
        " · ".join(
            part
            for part in (label, words.say(f"review.kind.{one.kind}") if one.kind else "")
            if part
        ),
    )
