"""The report of one game: curve, turning points, the open decision, every decision, par."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st

from ddz_core import codes, imports
from ddz_core.errors import DdzError
from ddz_core.game import Game, new_game
from ddz_core.plots import review_curve
from ddz_core.plots.review_curve import Mark, Step
from pages._kit import (
    explorer_foot,
    review_decision,
    review_links,
    review_retry,
    review_state,
    review_words,
    review_work,
    session,
    shell,
)
from pages._kit.review_words import Told

if TYPE_CHECKING:
    from ddz_core.estimate import Estimate
    from ddz_core.review import Decision, Review
    from pages._kit.shell import House

TURNING = 6
"""Turning points listed."""
ROWS = 12
"""Decisions listed before the rest is asked for."""


def draw(house: House, game: Game) -> None:
    """Draw the report as far as it is known; what is being computed is shown as it comes."""
    seat = review_state.seat(game)
    look = review_work.look(game)
    review = look.stand.review
    told = Told(house, game, seat, review)
    _head(told)
    progress(house, game, look)
    if review is None:
        return
    if session.get(session.REVIEW_TRY):
        review_retry.draw(told, review)
        return
    _curve(told, review)
    at = review_state.at(review, seat)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        if at is not None:
            review_decision.panel(told, review, review.at(at))
    with right:
        _turning(told, review, at)
        if at is not None and review.at(at).lens:
            review_decision.lens(told, review.at(at))
    _all(told, review, at)
    _par(told, review)


def _head(told: Told) -> None:
    """Draw whose seat is looked from, and the ways on."""
    say, game = told.say, told.game
    with st.container(horizontal=True, vertical_alignment="bottom", key="rv_head"):
        st.session_state["w_review_seat"] = told.seat
        st.segmented_control(
            say("review.seat"),
            range(game.seats),
            format_func=lambda seat: _seat_name(told, seat),
            key="w_review_seat",
            required=True,
            on_change=_sat,
        )
        st.space("stretch")
        with st.popover(say("review.save"), key="w_review_save", on_change="rerun") as kept:
            if kept.open:
                _save(told)
        st.page_link(
            "pages/memory.py",
            label=say("memory.link"),
            query_params=review_links.table_address(told, codes.encode(game), told.seat),
        )
        st.button(say("review.entry.other"), key="w_review_other", on_click=review_state.close)
    headers = dict(game.headers)
    notes = []
    if "source" in headers:
        notes.append(say("review.entry.source", name=headers["source"]))
    if headers.get("bidding") == imports.NOT_TOLD:
        notes.append(say("review.entry.bids"))
    if headers.get("bottom") == imports.NOT_TOLD:
        notes.append(say("review.entry.bottom"))
    if notes:
        explorer_foot.note(review_words.sentences(told.house, *notes))


def _seat_name(told: Told, seat: int) -> str:
    """Return a seat by its role, by its number where roles do not tell it apart."""
    role = told.role(seat)
    if role in ("farmer", "unknown") or told.game.seats > 3:
        number = told.say("table.role.short.unknown", n=seat + 1)
        return f"{number}·{told.say(f'table.role.short.{role}')}" if role == "landlord" else number
    return told.say(f"table.role.{role}")


def _sat() -> None:
    st.query_params[review_state.SEAT] = str(st.session_state["w_review_seat"])
    if review_state.AT in st.query_params:
        del st.query_params[review_state.AT]


def _save(told: Told) -> None:
    """Draw the link and the files of the game."""
    say, game = told.say, told.game
    asked = {
        review_state.CODE: codes.encode(game),
        review_state.SEAT: str(told.seat),
        session.LANG: told.house.lang,
        session.RULES: game.rules.id,
    }
    at = st.query_params.get(review_state.AT, "")
    if at:
        asked[review_state.AT] = at
    st.caption(say("review.link"))
    base = (st.context.url or "").partition("?")[0]
    st.code(f"{base}?{urlencode(asked)}", language=None, wrap_lines=True)
    st.caption(say("review.link.note"))
    for name in ("paili", "douzero", "rlcard", "botzone"):
        try:
            text = imports.write(game, name)
        except DdzError:
            continue
        label = say("review.save.record")
        if name != "paili":
            label = say("review.save.other", name=_NAMES[name])
        st.download_button(
            label,
            data=text.encode(),
            file_name=f"paili-{game.rules.id}.{'ddz' if name == 'paili' else f'{name}.json'}",
            on_click="ignore",
            key=f"w_review_save_{name}",
            type="tertiary",
        )


_NAMES = {"douzero": "DouZero", "rlcard": "RLCard", "botzone": "Botzone"}


def progress(house: House, game: Game, look: review_work.Look) -> None:
    """Draw how far the review is, in a part of the page that looks again by itself."""
    drawn = st.fragment(_watch, run_every=0.5 if look.live else None)
    drawn(house, game, look)


def _watch(house: House, game: Game, before: review_work.Look) -> None:
    say, look = house.words.say, review_work.look(game)
    news = _samples(look) != _samples(before)
    if news or look.live != before.live or look.stand.whole != before.stand.whole:
        st.rerun()
    if look.error is not None:
        if isinstance(look.error, DdzError):
            shell.refuse(look.error)
        else:
            st.error(say("review.failed"))
        st.button(
            say("review.again"), key="w_review_again", on_click=review_work.again, args=(game,)
        )
        return
    if not look.live:
        review = look.stand.review
        if review is not None and (look.stand.stopped or look.stand.cut):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(say("review.stopped" if look.stand.stopped else "review.cut"))
                st.button(
                    say("review.again"),
                    key="w_review_again",
                    on_click=review_work.again,
                    args=(game,),
                )
        return
    n = round(100 * look.stand.share)
    text = say("review.running", n=n)
    if look.stand.review is not None:
        text = say("review.refining", n=n, samples=look.stand.review.samples)
    if look.ahead:
        text = say("review.waiting", n=look.ahead)
    with st.container(horizontal=True, vertical_alignment="center", key="rv_progress"):
        st.progress(min(1.0, look.stand.share), text)
        st.button(
            say("review.stop"), key="w_review_stop", on_click=review_work.cancel, args=(game,)
        )


def _samples(look: review_work.Look) -> int:
    """Return how fine the review is that is shown; 0 for none."""
    return 0 if look.stand.review is None else look.stand.review.samples


# --- the curve -----------------------------------------------------------------------------------


def steps_of(told: Told, review: Review) -> list[Step]:
    """Return the curve from one's own side, by the number of plays done."""
    found = []
    for one in review.curve:
        win = one.win
        low, high = (win.low, win.high) if told.mine_lead else (1 - win.high, 1 - win.low)
        found.append(
            Step(
                play=told.number(one.index) - 1,
                value=told.chance(win),
                low=low,
                high=high,
                solved=one.solved,
            )
        )
    return found


def _curve(told: Told, review: Review) -> None:
    """Draw the chance through the game."""
    say = told.say
    steps = steps_of(told, review)
    if not steps:
        return
    title = say("review.curve.landlord" if told.mine_lead else "review.curve.farmers")
    turned = [review.decisions[place] for place in review.turning[:TURNING]]
    marks = [
        Mark(
            play=told.number(one.index),
            badge=told.badge(one.seat),
            symbol=told.mark(one)[0],
            hover=told.title(one),
        )
        for one in turned
        if told.number(one.index) > 0
    ]
    with st.container(border=True, key="panel_review_curve"):
        st.html(review_words.head(title, say("review.curve.note")))
        at = review_state.at(review, told.seat)
        figure = review_curve.figure(
            steps,
            marks,
            hover=[_hover(told, step) for step in steps],
            solved=say("review.curve.solved"),
            axis=say("review.curve.axis", n=steps[-1].play),
            at=None if at is None or told.number(at) < 1 else told.number(at),
            theme=review_words.theme(told.house),
        )
        decided = {told.number(one.index): one.index for one in review.decisions}
        st.plotly_chart(
            figure,
            theme=None,
            key="w_review_curve",
            config={"displayModeBar": False},
            alt=say("review.curve.alt"),
            on_select=lambda: _clicked(steps, decided),
            selection_mode="points",
        )
        st.markdown(_reading(told, steps))
        rows = [
            {
                "play": step.play,
                "action": told.played(told.first + step.play - 1) if step.play else "",
                "win": round(step.value, 4),
                "low": round(step.low, 4),
                "high": round(step.high, 4),
                "proven": step.solved,
            }
            for step in steps
        ]
        method = "solved" if all(step.solved for step in steps) else "sampled"
        explorer_foot.foot(
            told.house,
            "review-curve",
            rows,
            review_links.code(
                told, review, "for one in review.curve:", "    print(one.index, one.win)"
            ),
            method=method,
            n=next((one.win.n for one in review.curve if one.win.n), 0),
            seed=review.seed,
            bots=say("table.bot.choice.rule"),
        )


def _hover(told: Told, step: Step) -> str:
    chance = review_words.hundred(step.value)
    if not step.play:
        return told.say("review.curve.start", chance=chance)
    return told.say("review.curve.hover", n=step.play, chance=chance)


def _clicked(steps: list[Step], decided: dict[int, int]) -> None:
    """Open the decision that was clicked: the last one up to that play."""
    event = st.session_state.get("w_review_curve") or {}
    points = event.get("selection", {}).get("points", [])
    place = points[0].get("point_index") if points else None
    if isinstance(place, int) and 0 <= place < len(steps):
        before = [play for play in decided if 0 < play <= max(1, steps[place].play)]
        if before:
            review_state.jump(decided[max(before)])


def _reading(told: Told, steps: list[Step]) -> str:
    """Return the sentence that reads the curve."""
    first = review_words.hundred(steps[0].value)
    moves = [(abs(b.value - a.value), b.play, a.value, b.value) for a, b in pairwise(steps)]
    if not moves:
        return ""
    _, play, before, after = max(moves)
    known = {
        "first": first,
        "n": play,
        "before": review_words.hundred(before),
        "after": review_words.hundred(after),
    }
    solved = None
    for step in reversed(steps):
        if not step.solved:
            break
        solved = step.play
    if solved is None or solved >= steps[-1].play:
        return told.say("review.curve.read.open", **known)
    return told.say("review.curve.read", solved=solved + 1, **known)


# --- lists ---------------------------------------------------------------------------------------


def rows(told: Told, decisions: list[Decision], name: str, at: int | None) -> None:
    """Draw decisions as a list of buttons."""
    with st.container(key=f"rv_rows_{name}", gap=None):
        for one in decisions:
            now = "rv_now_" if one.index == at else "rv_row_"
            with st.container(key=f"{now}{name}_{one.index}"):
                st.button(
                    told.row(one),
                    key=f"w_review_row_{name}_{one.index}",
                    type="tertiary",
                    width="stretch",
                    on_click=review_state.jump,
                    args=(one.index,),
                )


def _turning(told: Told, review: Review, at: int | None) -> None:
    """Draw the turning points, and the way to retry one's own."""
    say = told.say
    turned = [review.decisions[place] for place in review.turning[:TURNING]]
    with st.container(border=True, key="panel_review_turning"):
        st.html(review_words.head(say("review.turning")))
        if turned:
            rows(told, turned, "turning", at)
        else:
            st.markdown(say("review.turning.none"))
        rest = sum(1 for one in review.decisions if one.known == "unknown")
        if rest:
            st.markdown(say("review.turning.rest", n=rest))
        mine = [
            one.index
            for one in review.decisions
            if one.seat == told.seat and one.known == "wrong" and told.number(one.index) > 0
        ]
        if mine:
            st.button(
                say("review.retry", n=len(mine)),
                key="w_review_retry",
                on_click=review_retry.start,
                args=(mine,),
            )


def _all(told: Told, review: Review, at: int | None) -> None:
    """Draw every decision with its filters."""
    say = told.say
    with st.container(border=True, key="panel_review_all"):
        st.html(review_words.head(say("review.all")))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            who = st.segmented_control(
                say("review.all.who"),
                [-1, *range(told.game.seats)],
                format_func=lambda s: say("review.all.everyone") if s < 0 else _seat_name(told, s),
                default=-1,
                required=True,
                key="w_review_who",
                wrap=True,
            )
            kinds = sorted({one.kind for one in review.decisions if one.kind})
            kind = st.selectbox(
                say("review.all.kind"),
                ["", *kinds],
                format_func=lambda k: say(f"review.kind.{k}" if k else "review.all.any"),
                key="w_review_kind",
                width=220,
            )
            differs = st.toggle(say("review.all.diff"), value=True, key="w_review_diff")
        found = [
            one
            for one in review.decisions
            if who in (-1, None, one.seat)
            and kind in ("", one.kind)
            and (not differs or "wrong" in (one.known, one.open))
        ]
        st.html(
            review_words.paragraph(
                say("review.all.count", n=len(found)) if found else say("review.all.none")
            )
        )
        whole = bool(st.session_state.get("w_review_whole"))
        rows(told, found if whole else found[:ROWS], "all", at)
        if len(found) > ROWS:
            st.toggle(say("review.all.more", n=len(found)), key="w_review_whole")
        explorer_foot.foot(
            told.house,
            "review-decisions",
            review.rows(),
            review_links.code(told, review, "for row in review.rows():", "    print(row)"),
            method="sampled",
            n=review.samples,
            seed=review.seed,
            bots=say("table.bot.choice.rule"),
        )


def _par(told: Told, review: Review) -> None:
    """Draw what bots make of the deal from every seat, and the ways to sit there."""
    say = told.say
    if not review.par:
        return
    with st.container(border=True, key="panel_review_par"):
        st.html(review_words.head(say("review.par"), say("review.par.note")))
        table = [
            [
                _seat_name(told, one.seat),
                review_words.signed(one.result, 0),
                _par_text(one.points),
                review_words.signed(one.skill, 1),
            ]
            for one in review.par
        ]
        names = ["seat", "result", "par", "beyond"]
        st.html(explorer_foot.table([say(f"review.par.{name}") for name in names], table))
        mine = next((one for one in review.par if one.seat == told.seat), None)
        if mine is not None:
            beyond = round(mine.skill, 1)
            form = "same" if not beyond else "more" if beyond > 0 else "less"
            st.markdown(
                say(
                    f"review.par.read.{form}",
                    par=review_words.signed(mine.luck, 1),
                    result=review_words.signed(mine.result, 0),
                    skill=abs(beyond),
                )
            )
        start = codes.encode(new_game(told.game.rules, told.game.deal))
        with st.container(horizontal=True, gap="small"):
            for seat in range(told.game.seats):
                st.page_link(
                    "pages/table.py",
                    label=say("review.par.play", n=seat + 1),
                    query_params=review_links.table_address(told, start, seat),
                )
        explorer_foot.foot(
            told.house,
            "review-par",
            [
                {
                    "seat": one.seat,
                    "result": one.result,
                    "par": one.points.value,
                    "low": one.points.low,
                    "high": one.points.high,
                    "beyond": one.skill,
                }
                for one in review.par
            ],
            review_links.code(
                told,
                review,
                "for one in review.par:",
                "    print(one.seat, one.result, one.points, one.skill)",
            ),
            method="sampled",
            n=review.par[0].points.n,
            seed=review.seed,
            bots=say("table.bot.choice.rule"),
        )


def _par_text(points: Estimate) -> str:
    """Return points with half their interval."""
    return f"{review_words.signed(points.value, 1)} ±{points.high - points.value:.1f}"
