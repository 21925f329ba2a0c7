"""One decision of a reviewed game: two verdicts, other plays, reasons, and the board."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import codes
from ddz_core.actions import PASS
from ddz_core.errors import DdzError
from ddz_core.plots import review_ways
from ddz_core.plots.review_ways import Row
from ddz_core.render import board
from pages._kit import explorer_foot, review_links, review_state, review_words

if TYPE_CHECKING:
    from ddz_core.game import Game
    from ddz_core.review import Decision, Review
    from pages._kit.review_words import Told

WAYS = ("go_out", "feed", "block", "pass")
_CONFIG = {"displayModeBar": False}


def panel(told: Told, review: Review, decision: Decision) -> None:
    """Draw everything about a decision."""
    say = told.say
    with st.container(border=True, key="panel_review_decision"):
        kind = f'<span class="rv-kind">{escape(say(f"review.kind.{decision.kind}"))}</span>'
        st.html(
            f'<div class="rv-title"><img alt="" width="30" height="30" '
            f'src="{told.badge(decision.seat)}">{review_words.head(told.title(decision))}'
            f"{kind if decision.kind else ''}</div>"
        )
        # a bid is judged over deals alone: with open hands there is nothing to prove of it
        bid = told.number(decision.index) < 1 and decision.loss_open is None
        opened = "" if bid else _open(told, decision)
        st.html(f'<div class="rv-two">{_known(told, decision)}{opened}</div>')
        joined = told.joined(decision)
        if joined:
            st.html(f'<p class="rv-say">{escape(say(f"review.joined.{joined}"))}</p>')
        elif decision.only:
            st.html(f'<p class="rv-say">{escape(say("review.only"))}</p>')
        _tried(told, decision)
        if decision.reasons:
            lines = "".join(
                f"<li>{escape(told.house.words.phrase(one.phrase))}</li>"
                for one in decision.reasons
            )
            st.html(f'<ul class="rv-why" aria-label="{escape(say("review.reasons"))}">{lines}</ul>')
        _ways_on(told, review, decision)
        _board(told, review, decision)


# --- verdicts ------------------------------------------------------------------------------------


def _box(told: Told, title: str, method: str, sign: str, word: str, tone: str, text: str) -> str:
    """Return a verdict as markup."""
    tag = explorer_foot.tag(told.house, f"app.foot.{method}", dashed=method == "sampled")
    return (
        f'<div class="rv-box"><p class="q">{escape(title)} {tag}</p>'
        f'<div class="v"><span class="rv-sign rv-{tone}">{escape(sign)}</span>'
        f'<span class="rv-{tone}t">{escape(word)}</span></div><p>{escape(text)}</p></div>'
    )


def _known(told: Told, decision: Decision) -> str:
    """Return the verdict with what the seat knew."""
    say, loss = told.say, decision.loss_win
    mine = decision.seat == told.seat
    title = say("review.known")
    if not mine:
        title = say("review.known.other")
    before = told.view(decision.index).game
    numbers = {
        "loss": review_words.per_hundred(loss.value),
        "low": review_words.per_hundred(loss.low),
        "high": review_words.per_hundred(loss.high),
    }
    if decision.known == "wrong":
        text = say("review.known.loss", best=told.action(decision.best, before), **numbers)
        points = decision.loss_points
        if points.n:
            more = say(
                "review.known.points",
                points=review_words.signed(-points.value, 1),
                low=review_words.signed(-points.high, 1),
                high=review_words.signed(-points.low, 1),
            )
            text = review_words.sentences(told.house, text, more)
        sign, word, tone = "×", say("review.verdict.wrong"), "bad"
        if decision.label:
            sign, word, _ = told.mark(decision)
    elif decision.known == "right":
        sign, word, tone = "✓", say("review.verdict.right"), "good"
        text = say("review.known.best")
        if loss.high > review_words.SMALL:
            more = say("review.known.small", **numbers)
            text = review_words.sentences(told.house, text, more)
    else:
        sign, word, tone = "·", say("review.verdict.unknown"), "even"
        text = review_words.sentences(
            told.house, say("review.known.overlap"), say("review.known.small", **numbers)
        )
    return _box(told, title, loss.method, sign, word, tone, text)


def _open(told: Told, decision: Decision) -> str:
    """Return the verdict with all hands open."""
    say, loss = told.say, decision.loss_open
    title = say("review.open" if told.game.seats == 3 else "review.open.many")
    before = told.view(decision.index).game
    if loss is None:
        sign, word = "·", say("review.verdict.unknown")
        return _box(told, title, "sampled", sign, word, "even", say("review.open.unknown"))
    if not decision.solved:
        low, high = map(review_words.per_hundred, (loss.low, loss.high))
        value = review_words.per_hundred(loss.value)
        if decision.open == "wrong":
            text = say("review.open.loss", loss=value, low=low, high=high)
            return _box(told, title, "sampled", "×", say("review.verdict.wrong"), "bad", text)
        if decision.open == "right":
            text, word = say("review.open.even"), say("review.verdict.right")
            return _box(told, title, "sampled", "✓", word, "good", text)
        text, word = say("review.open.unknown"), say("review.verdict.unknown")
        return _box(told, title, "sampled", "·", word, "even", text)
    if decision.open == "wrong":
        best = [told.action(text, before) for text in decision.open_best[:3]]
        text = say("review.open.loses", best=say("table.and").join(best))
        return _box(told, title, "solved", "×", say("review.verdict.loses"), "bad", text)
    chance = told.before(decision)
    if chance == 0:
        word, text = say("review.verdict.lost"), say("review.open.lost")
        return _box(told, title, "solved", "–", word, "even", text)
    word = say("review.verdict.keeps")
    text = say("review.open.wins" if chance == 1 else "review.open.keeps")
    return _box(told, title, "solved", "✓", word, "good", text)


def _tried(told: Told, decision: Decision) -> None:
    """Draw the plays that were compared."""
    say = told.say
    before = told.view(decision.index).game
    others = [one for one in decision.tried if one.action != decision.action]
    if not others:
        return
    rows = [
        Row(told.action(one.action, before), one.gain)
        for one in decision.tried
        if one.action != decision.action
    ]
    played = Row(say("review.tried.played", play=told.action(decision.action, before)), None)
    rows = sorted(
        [*rows, played], key=lambda row: -(row.gain.value if row.gain is not None else 0.0)
    )
    explorer_foot.note(say("review.tried"))
    st.plotly_chart(
        review_ways.figure(rows, theme=review_words.theme(told.house)),
        theme=None,
        key="w_review_tried",
        config=_CONFIG,
        alt=say("review.tried.alt"),
    )


def lens(told: Told, decision: Decision) -> None:
    """Draw the partner's lens: four ways to serve the side."""
    say = told.say
    before = told.view(decision.index).game
    ways = sorted(decision.lens, key=lambda way: WAYS.index(way.key))
    with st.container(border=True, key="panel_review_lens"):
        st.html(review_words.head(say("review.lens")))
        explorer_foot.note(say("review.lens.note"))
        rows = []
        for way in ways:
            label = say(f"review.lens.{way.key}", play=told.action(way.action, before))
            same = way.action == decision.action
            rows.append(Row(label, None if same else way.gain))
        if all(row.gain is not None for row in rows):
            play = told.action(decision.action, before)
            rows.append(Row(say("review.tried.played", play=play), None))
        rows.sort(key=lambda row: -(row.gain.value if row.gain is not None else 0.0))
        st.plotly_chart(
            review_ways.figure(rows, theme=review_words.theme(told.house)),
            theme=None,
            key="w_review_lens",
            config=_CONFIG,
            alt=say("review.lens.alt"),
        )
        best = max(ways, key=lambda way: way.team.value)
        text = say("review.lens.even")
        others = [way for way in ways if way.action != best.action]
        if best.gain.low > 0 or (
            best.action == decision.action and others and all(w.gain.high < 0 for w in others)
        ):
            way = say(f"review.lens.{best.key}", play=told.action(best.action, before))
            text = say("review.lens.read", way=way)
        st.markdown(text)
        st.html(
            explorer_foot.table(
                ["", say("review.batch.farmers"), "95 %"],
                [
                    [
                        say(f"review.lens.{way.key}", play=told.action(way.action, before)),
                        review_words.hundred(way.team.value),
                        "–".join(map(review_words.hundred, (way.team.low, way.team.high))),
                    ]
                    for way in ways
                ],
            )
        )


# --- ways on, and the board ----------------------------------------------------------------------


def _ways_on(told: Told, review: Review, decision: Decision) -> None:
    """Draw playing on, and the two questions of a learner."""
    say = told.say
    before = told.view(decision.index).game
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.page_link(
            "pages/table.py",
            label=say("review.go"),
            query_params=review_links.table_address(told, codes.encode(before), decision.seat),
        )
        st.button(say("review.could"), key="w_review_could", on_click=_asked)
        showing = review.how.get(told.seat)
        st.button(
            say("review.show"),
            key="w_review_show",
            disabled=showing is None,
            help=say("review.show.none") if showing is None else None,
            on_click=_show,
            args=(showing.index if showing is not None else 0,),
        )
    if st.session_state.get("w_review_answer"):
        st.info(could(told, review))


def _asked() -> None:
    st.session_state["w_review_answer"] = not st.session_state.get("w_review_answer")


def _show(index: int) -> None:
    review_state.jump(index)
    review_state.put_step("how", 0)


def could(told: Told, review: Review) -> str:
    """Return the answer to whether the seat looked from could have won."""
    say, game, seat = told.say, told.game, told.seat
    won = (game.outcome == "landlords") == (seat in game.landlords)
    if won:
        return say("review.could.won")
    answer = review.could_win.get(seat, "unknown")
    if answer == "yes":
        showing = review.how.get(seat)
        if showing is not None:
            return say("review.could.yes", n=told.number(showing.index))
    if answer == "no":
        return say("review.could.no")
    mine = {one.index for one in review.decisions if one.seat == seat}
    chances = [told.chance(one.win) for one in review.curve if one.index in mine]
    return say("review.could.unknown", chance=review_words.hundred(max(chances, default=0.0)))


def lines_of(told: Told, review: Review, decision: Decision) -> dict[str, tuple[str, ...]]:
    """Return the lines that can be played on the board, each from before the decision."""
    actions = [
        entry.action for entry in told.game.history[decision.index :] if entry.seat is not None
    ]
    found: dict[str, tuple[str, ...]] = {}
    if decision.best != decision.action:
        found["better"] = (decision.best, *decision.line)
    if decision.open_best and decision.action not in decision.open_best:
        found["open"] = (decision.open_best[0], *decision.open_line)
    showing = review.how.get(told.seat)
    if showing is not None and showing.index == decision.index:
        found["how"] = showing.line
    found["played"] = tuple(actions)
    if "how" in found and "open" in found:
        del found["open"]
    return found


def _board(told: Told, review: Review, decision: Decision) -> None:
    """Draw the board with one of the lines, step by step."""
    say = told.say
    lines = lines_of(told, review, decision)
    chosen, done = review_state.step()
    if chosen not in lines:
        chosen, done = next(iter(lines)), 0
    before = told.view(decision.index).game
    game, done = walked(before, lines[chosen], done)
    st.session_state["w_review_line"] = chosen
    st.segmented_control(
        say("review.line"),
        list(lines),
        format_func=lambda name: _line_name(told, decision, lines, name),
        key="w_review_line",
        required=True,
        wrap=True,
        on_change=_lined,
    )
    position = told.other_view(game)
    marked = ""
    if done < len(lines[chosen]) and lines[chosen][done] != PASS:
        marked = lines[chosen][done].partition("=")[0]
    st.html(board.board_html(position, theme=review_words.theme(told.house), marked=marked))
    total = len(lines[chosen])
    with st.container(horizontal=True, vertical_alignment="center", key="rv_steps"):
        for name, to, icon in (
            ("first", 0, ":material/first_page:"),
            ("back", max(0, done - 1), ":material/chevron_left:"),
            ("next", min(total, done + 1), ":material/chevron_right:"),
            ("last", total, ":material/last_page:"),
        ):
            st.button(
                say(f"review.step.{name}"),
                icon=icon,
                key=f"w_review_step_{name}",
                disabled=to == done,
                on_click=review_state.put_step,
                args=(chosen, to),
            )
        st.markdown(say("review.step.at", n=done, of=total))
    source = {"played": "real", "better": "bot"}.get(chosen, "proof")
    explorer_foot.note(say(f"review.line.{source}"))


def _line_name(told: Told, decision: Decision, lines: dict[str, tuple[str, ...]], name: str) -> str:
    if name == "played":
        return told.say("review.line.played")
    before = told.view(decision.index).game
    play = told.action(lines[name][0], before)
    return told.say("review.line.better" if name == "better" else "review.line.open", play=play)


def _lined() -> None:
    review_state.put_step(str(st.session_state["w_review_line"]), 0)


def walked(game: Game, line: tuple[str, ...], done: int) -> tuple[Game, int]:
    """Return the game after the first actions of a line, as far as they can be done."""
    for number, action in enumerate(line[:done]):
        if game.to_act is None:
            return game, number
        try:
            game = game.apply(action)
        except DdzError:
            return game, number
    return game, min(done, len(line))
