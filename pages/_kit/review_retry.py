"""Retry my mistakes: the position as the seat saw it, a choice, and only then the judgement."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core.actions import reading_of, written
from ddz_core.errors import DdzError
from ddz_core.render import board, sentences, wording
from ddz_core.review.answering import answered
from pages._kit import explorer_foot, review_state, review_words, session, shell

if TYPE_CHECKING:
    from ddz_core.game import Game
    from ddz_core.review import Decision, Review
    from pages._kit.review_words import Told


@dataclass
class Round:
    """Mistakes being retried.

    Attributes:
        todo: their places in the history.
        now: which of them is asked; all of them when it is done.
        chosen: what was chosen at the one asked, empty before.
        good: places where the first choice was accepted.
        seen: places that have been answered.
    """

    todo: list[int]
    now: int = 0
    chosen: str = ""
    good: list[int] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)


def start(todo: list[int]) -> None:
    """Begin with these places of the history; for callbacks."""
    _keep(Round(todo))


def _keep(running: Round | None) -> None:
    session.put(session.REVIEW_TRY, "" if running is None else json.dumps(asdict(running)))


def _current() -> Round:
    return Round(**json.loads(session.get(session.REVIEW_TRY)))


def draw(told: Told, review: Review) -> None:
    """Draw the mistake that is asked, or the end of the round."""
    say, running = told.say, _current()
    known = {one.index for one in review.decisions}
    if not set(running.todo) <= known:
        _keep(None)
        st.rerun()
    with st.container(border=True, key="panel_review_retry"):
        if running.now >= len(running.todo):
            text = say("review.retry.done", good=len(running.good), n=len(running.todo))
            st.html(review_words.head(text))
            st.button(say("review.retry.leave"), key="w_retry_leave", on_click=_leave, args=(None,))
            return
        index = running.todo[running.now]
        decision = review.at(index)
        head = say("review.retry.title", n=running.now + 1, of=len(running.todo))
        number = told.number(index)
        st.html(review_words.head(head, say("review.retry.play", n=number)))
        _position(told, review, decision, running)


def _position(told: Told, review: Review, decision: Decision, running: Round) -> None:
    """Draw what the seat saw, the choice, and the judgement once chosen."""
    say = told.say
    before = review.before(decision)
    seen = told.other_view(before, seat=decision.seat, hidden=True)
    if not running.chosen:
        st.markdown(say("review.retry.what"))
    st.html(board.board_html(seen, theme=review_words.theme(told.house)))
    with st.expander(say("table.plain.history")):
        lines = [
            f"{entry.index + 1}. {sentences.log_text(seen, entry)}"
            for entry in seen.obs.history
            if entry.seat is not None
        ]
        st.text("\n".join(lines))
        if seen.obs.bottom is not None:
            bottom = "".join(card.rank for card in seen.obs.bottom)
            cards = wording.card_text(told.house.words, bottom)
            st.text(say("table.summary.bottom", cards=cards))
    options = choices(told, before)
    with st.form("w_retry_form", border=False):
        chosen = st.selectbox(
            say("review.retry.choose"),
            list(options),
            index=None,
            format_func=lambda text: options[text],
            placeholder=say("review.retry.pick"),
            key=f"w_retry_choice_{decision.index}",
        )
        sent = st.form_submit_button(say("review.retry.check"), type="primary")
    if sent and chosen is not None:
        running.chosen = chosen
    if running.chosen:
        _judge(told, review, decision, running)
    with st.container(horizontal=True, gap="small"):
        if running.chosen:
            st.button(say("review.retry.next"), key="w_retry_next", on_click=_next)
            st.button(
                say("review.retry.look"),
                key="w_retry_look",
                on_click=_leave,
                args=(decision.index,),
            )
        st.button(
            say("review.retry.leave"),
            key="w_retry_leave",
            type="tertiary",
            on_click=_leave,
            args=(None,),
        )


def choices(told: Told, before: Game) -> dict[str, str]:
    """Return every legal action's text with its words: a pass first, then plays low to high."""
    found: dict[str, str] = {}
    words = told.house.words
    moves = []
    for one in before.legal():
        if isinstance(one, str):
            found[one] = told.action(one, before)
        else:
            moves.append(one)
    moves.sort(key=lambda move: (len(move.cards), move.kind, move.hand))
    for move in moves:
        text = written(move.hand, reading_of(move))
        name = wording.combination_name(words, move)
        found[text] = f"{wording.combination_text(words, move)} · {name}"
    return found


def _judge(told: Told, review: Review, decision: Decision, running: Round) -> None:
    """Say what the choice is worth, and keep whether the first choice was accepted."""
    say = told.say
    before = review.before(decision)
    try:
        with st.spinner(say("review.retry.check")):
            found = answered(review, decision.index, running.chosen)
    except DdzError as error:
        shell.refuse(error)
        return
    accepted = found.known != "wrong" or (decision.solved and found.action in decision.open_best)
    if decision.index not in running.seen:
        running.seen.append(decision.index)
        if accepted:
            running.good.append(decision.index)
    _keep(running)
    loss = found.loss_win
    numbers = {
        "loss": review_words.per_hundred(loss.value),
        "low": review_words.per_hundred(loss.low),
        "high": review_words.per_hundred(loss.high),
        "best": told.action(found.best, before),
    }
    play = told.action(found.action, before)
    if accepted:
        sign, tone, text = "✓", "good", say("review.retry.good")
    elif found.action == decision.action:
        sign, tone, text = "×", "bad", say("review.retry.same", **numbers)
    else:
        sign, tone, text = "×", "bad", say("review.retry.worse", **numbers)
    then = say("review.retry.then", play=told.action(decision.action, before))
    text = review_words.sentences(told.house, text, then)
    st.html(review_words.verdict_line(sign, tone, play, text))
    reasons = [told.house.words.phrase(one.phrase) for one in found.reasons[:3]]
    explorer_foot.note(review_words.sentences(told.house, *reasons))


def _next() -> None:
    running = _current()
    running.now += 1
    running.chosen = ""
    _keep(running)


def _leave(index: int | None) -> None:
    _keep(None)
    if index is not None:
        review_state.jump(index)
