"""Practice: state a chance, or fill in the counter, before the answer is shown; all kept."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from ddz_core import calibration, reading
from ddz_core.calibration import Answer
from ddz_core.errors import DdzError
from ddz_core.plots import calibration as plot
from ddz_core.plots import dots
from ddz_core.render import wording
from pages._kit import explorer_foot, inputs, kept_answers, odds_words, session, shell

if TYPE_CHECKING:
    from ddz_core.calibration import Question
    from ddz_core.reading import Seen
    from ddz_core.rules import Rules
    from pages._kit.shell import House

STATE, FILL = "state", "fill"


def draw(house: House, rules: Rules, seen: Seen) -> None:
    """Draw the exercise on the left, what came of all of them on the right."""
    say = house.words.say
    chosen = st.segmented_control(
        say("odds.practice"),
        [STATE, FILL],
        default=STATE,
        format_func=lambda name: say(f"odds.practice.{name}"),
        key="w_practice",
        required=True,
        label_visibility="collapsed",
    )
    if chosen == FILL:
        _counter(house, rules, seen)
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _state(house, rules, seen)
    with right:
        _kept(house, rules)


def _open() -> tuple[int, str]:
    """Return the number of the open question and what was stated for it, empty before that."""
    number, _, stated = session.get(session.QUESTION).partition(" ")
    if not number.isdigit():
        number, stated = str(int(np.random.default_rng().integers(1_000_000))), ""
        session.put(session.QUESTION, number)
    return int(number), stated


def _state(house: House, rules: Rules, seen: Seen) -> None:
    say = house.words.say
    number, stated = _open()
    with st.container(border=True, key="panel_state"):
        try:
            asked = calibration.question(seen, number)
        except DdzError as error:
            shell.refuse(error)
            return
        who = odds_words.place_name(house, seen, asked.place)
        what = odds_words.what_name(house, asked.kinds)
        st.html(f'<p class="paili-head">{escape(say("odds.ask", who=who, what=what))}</p>')
        if not stated:
            st.slider(say("odds.state"), 0, 100, 50, key=f"w_state_{number}")
            st.button(
                say("odds.reveal"),
                key="w_reveal",
                type="primary",
                on_click=_answer,
                args=(number, asked),
            )
            return
        grid, words = st.columns([1.1, 1], vertical_alignment="center")
        with grid:
            st.plotly_chart(
                dots.figure(
                    asked.chance,
                    before=int(stated) / 100,
                    theme="dark" if house.dark else "light",
                ),
                theme=None,
                key="w_answer_dots",
                config={"displayModeBar": False, "staticPlot": True},
                width="content",
                alt=house.words.phrase(reading.in_counts(asked.chance)),
            )
        with words:
            found = seen.odds.holds(asked.kinds, asked.place)
            fraction = reading.as_fraction(found).replace("/", " ÷ ")
            st.html(
                f'<p class="paili-big">{odds_words.figure(asked.chance)}</p>'
                f'<p class="paili-say">{escape(odds_words.chance(house, found))}</p>'
                f'<p class="paili-note">{fraction}</p>'
                f'<p class="paili-say">{escape(_verdict(house, int(stated), asked.chance))}</p>'
            )
        st.button(say("odds.next"), key="w_next", type="primary", on_click=_next)
        row: dict[str, object] = {
            "asked": asked.kinds,
            "place": str(asked.place),
            "stated": int(stated) / 100,
            "chance": asked.chance,
        }
        line = f"print(odds.holds({asked.kinds!r}, {asked.place!r}))"
        explorer_foot.foot(house, "odds-answer", [row], reading.code_lines(rules, *seen.code, line))


def _verdict(house: House, stated: int, chance: float) -> str:
    off = stated - 100 * chance
    if abs(off) < 0.5:
        return house.words.say("odds.miss.none", stated=stated)
    key = "odds.miss.high" if off > 0 else "odds.miss.low"
    return house.words.say(key, stated=stated, k=f"{abs(off):.0f}")


def _answer(number: int, asked: Question) -> None:
    """Keep what was stated; a second click of the same question changes nothing."""
    if session.get(session.QUESTION).partition(" ")[2]:
        return
    stated = int(st.session_state.get(f"w_state_{number}", 50))
    session.put(session.QUESTION, f"{number} {stated}")
    kept = [*kept_answers.answers(session.ANSWERS), Answer(stated, asked.chance, asked.about)]
    session.put(session.ANSWERS, calibration.answers_text(kept))


def _next() -> None:
    session.put(session.QUESTION, "")


def _kept(house: House, rules: Rules) -> None:
    """Draw stated against counted chances, and the file that the learner owns."""
    say = house.words.say
    kept = kept_answers.answers(session.ANSWERS)
    with st.container(border=True, key="panel_kept"):
        st.html(f'<p class="paili-head">{escape(say("odds.kept"))}</p>')
        if kept:
            found = calibration.groups(kept)
            st.plotly_chart(
                plot.figure(
                    kept,
                    found,
                    stated=say("odds.axis.stated"),
                    counted=say("odds.axis.counted"),
                    theme="dark" if house.dark else "light",
                ),
                theme=None,
                key="w_kept_plot",
                config={"displayModeBar": False},
                alt=say("odds.kept"),
            )
            miss = f"{calibration.mean_miss(kept):.1f}"
            text = say("odds.kept.read", n=len(kept), miss=miss)
            st.html(f'<p class="paili-note">{escape(text)}</p>')
            rows: list[dict[str, object]] = [
                {"question": one.about, "stated": one.stated / 100, "counted": one.chance}
                for one in kept
            ]
            lines = [
                "from pathlib import Path",
                "from ddz_core import calibration",
                "",
                'kept = calibration.read_answers(Path("paili-answers.txt").read_text())',
                "print(len(kept), calibration.mean_miss(kept), calibration.groups(kept))",
            ]
            explorer_foot.foot(house, "odds-kept", rows, reading.code_lines(rules, *lines))
        else:
            st.markdown(say("odds.kept.none"))
        st.markdown(say("odds.kept.where"))
        kept_answers.file(house, session.ANSWERS, name="kept", file_name="paili-answers.txt")


# --- the counter ---------------------------------------------------------------------------------


def _counter(house: House, rules: Rules, seen: Seen) -> None:
    """Ask for all unseen cards, then show which ranks were right."""
    say = house.words.say
    with st.container(border=True, key="panel_counter"):
        st.html(f'<p class="paili-head">{escape(say("odds.fill", n=len(seen.unseen)))}</p>')
        entry = inputs.field(house, rules, "counted", label=say("odds.fill.label"))
        shown = st.toggle(say("odds.fill.reveal"), key="w_fill_reveal")
        if not shown or entry.error is not None:
            return
        found = reading.compare_counts(seen, entry.cards)
        right = sum(said == truth for said, truth in found.values())
        text = say("odds.fill.right", n=right, of=len(found))
        st.html(f'<p class="paili-say"><b>{escape(text)}</b></p>')
        ranks = [rank for rank in wording.DISPLAY if rank in found]
        body = [
            [
                wording.rank_label(house.words, rank),
                str(found[rank][0]),
                str(found[rank][1]),
                "✓"
                if found[rank][0] == found[rank][1]
                else f"{found[rank][0] - found[rank][1]:+d}",
            ]
            for rank in ranks
        ]
        head = [say("odds.rank"), say("odds.fill.said"), say("odds.fill.true"), ""]
        st.html(explorer_foot.table(head, body, strong=3))
        rows: list[dict[str, object]] = [
            {"rank": rank, "said": said, "unseen": truth} for rank, (said, truth) in found.items()
        ]
        line = f"print(odds.unseen, {entry.cards!r})"
        explorer_foot.foot(house, "odds-counter", rows, reading.code_lines(rules, *seen.code, line))
