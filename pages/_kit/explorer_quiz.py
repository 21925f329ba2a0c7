"""The recognition quiz: twenty questions in three minutes, progress kept by its owner.

The round that is being answered and the progress are texts of the session; the browser keeps the
progress too, and a file carries it to another one.
"""

from __future__ import annotations

import datetime as dt
import json
import secrets
import time
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

import ddz_core.render
from ddz_core import quiz
from ddz_core.errors import DdzError
from ddz_core.render import cards as drawing
from ddz_core.render import wording
from pages._kit import explorer_foot, explorer_read, explorer_rules, session, shell

if TYPE_CHECKING:
    from ddz_core.rules import Rules
    from pages._kit.shell import House

STORAGE = "paili.quiz"
"""Where the browser keeps the progress."""

KEEPER = "quiz_keeper"
LARGEST_FILE = 20_000

# The server cannot tick without running the page every second; one timer a page is enough.
_CLOCK = """
<span class="paili-clock paili-note" role="timer" data-left="{left}" data-text="{text}">{now}</span>
<script>
  {{
  const clock = [...document.querySelectorAll(".paili-clock")].pop();
  const end = Date.now() + 1000 * Number(clock.dataset.left);
  clearInterval(window.pailiClock);
  window.pailiClock = setInterval(() => {{
    const left = Math.max(0, Math.round((end - Date.now()) / 1000));
    const shown = `${{Math.floor(left / 60)}}:${{String(left % 60).padStart(2, "0")}}`;
    clock.textContent = clock.dataset.text.replace("{{time}}", shown);
    if (!clock.isConnected || !left) clearInterval(window.pailiClock);
    if (clock.isConnected && !left)
      document.querySelector(".st-key-w_quiz_stop button")?.click();
  }}, 500);
  }}
</script>
"""

_component = st.components.v2.component(
    "paili_keeper",
    js=(Path(ddz_core.render.__file__).parent / "keeper.js").read_text(encoding="utf-8"),
)


def draw(house: House, rules: Rules) -> None:
    """Draw the quiz: its start, a question, or the result of a round."""
    known = session.get(session.QUIZ)
    with st.container(key="document_quiz", height=1, border=False):
        _component(
            key=KEEPER,
            data={"key": STORAGE, "text": known or None},
            on_kept_change=_kept,
        )
    now = _round()
    with st.container(border=True, key="panel_quiz"):
        if now is None or now["rules"] != rules.hash:
            _start(house, rules)
        elif now["at"] >= len(now["items"]) or _left(now) <= 0:
            _result(house, rules, now)
        else:
            _question(house, rules, now)
    _progress(house, rules)


def _round() -> dict[str, Any] | None:
    text = session.get(session.ROUND)
    return json.loads(text) if text else None


def _today() -> str:
    return dt.datetime.now(tz=dt.UTC).date().isoformat()


def _left(now: dict[str, Any]) -> float:
    return float(now["began"] + quiz.SECONDS - (now["ended"] or time.time()))


def _kept() -> None:
    """Take what the browser kept, if this session has no progress yet."""
    sent = (st.session_state[KEEPER] or {}).get("kept")
    text = sent.get("text") if isinstance(sent, dict) else None
    if isinstance(text, str) and text and not session.get(session.QUIZ):
        try:
            session.put(session.QUIZ, quiz.write(quiz.read(text[:LARGEST_FILE])))
        except DdzError:
            return


def _start(house: House, rules: Rules) -> None:
    say = house.words.say
    st.html(f'<p class="paili-head">{escape(say("quiz.head"))}</p>')
    st.markdown(say("quiz.lead", n=quiz.QUESTIONS, minutes=quiz.SECONDS // 60))
    weak = quiz.weakest(quiz.read(session.get(session.QUIZ)), rules, _today())[:3]
    names = say("table.and").join(_name(house, name) for name in weak)
    st.markdown(say("quiz.first", names=names))
    st.button(say("quiz.start"), type="primary", key="w_quiz_start", on_click=_begin, args=(rules,))


def _begin(rules: Rules) -> None:
    seed = secrets.randbelow(1_000_000_000)
    progress = quiz.read(session.get(session.QUIZ))
    items = quiz.plan(progress, rules, _today(), np.random.default_rng(seed))
    begun = {
        "rules": rules.hash,
        "seed": seed,
        "items": items,
        "at": 0,
        "answers": [],
        "began": time.time(),
        "ended": 0,
    }
    session.put(session.ROUND, json.dumps(begun))


def _asked(rules: Rules, now: dict[str, Any], at: int) -> quiz.Question:
    rng = np.random.default_rng([now["seed"], at])
    return quiz.question(now["items"][at], rules, rng)


def _name(house: House, item: str) -> str:
    say = house.words.say
    return say(f"quiz.item.{quiz.NONE}") if item == quiz.NONE else say(f"kind.{item}")


def _question(house: House, rules: Rules, now: dict[str, Any]) -> None:
    """Draw the question that is open, and how the last answer did."""
    say, at = house.words.say, now["at"]
    asked = _asked(rules, now, at)
    with st.container(horizontal=True, vertical_alignment="center"):
        number = say("quiz.number", n=at + 1, of=len(now["items"]))
        st.html(f'<p class="paili-head">{escape(number)}</p>')
        st.space("stretch")
        _clock(house, now)
    _lane(house, asked, at)
    with st.container(horizontal=True, gap="small", key="quiz_choices"):
        for choice in asked.choices:
            st.button(
                _name(house, choice),
                key=f"w_quiz_{at}_{choice}",
                on_click=_answer,
                args=(rules.id, at, choice),
            )
    if at:
        _verdict(house, rules, now, at - 1)
    st.button(say("quiz.stop"), type="tertiary", key="w_quiz_stop", on_click=_stop)


def _minutes(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


def _clock(house: House, now: dict[str, Any]) -> None:
    """Show the time left; the browser counts it down and ends the round when none is left."""
    left = max(0, round(_left(now)))
    text = house.words.say("quiz.left", time="{time}")
    st.html(
        _CLOCK.format(
            left=left, text=escape(text), now=escape(text.replace("{time}", _minutes(left)))
        ),
        unsafe_allow_javascript=True,
        width="content",
    )


def _lane(house: House, asked: quiz.Question, at: int) -> None:
    shown = "".join(sorted(asked.cards, key=drawing.RANKS.find, reverse=True))
    groups = [[drawing.Group(explorer_read.suited(shown)[0])]]
    explorer_read.picture(house, f"quiz_{at}", groups, groups, asked.cards, 720)


def _verdict(house: House, rules: Rules, now: dict[str, Any], at: int) -> None:
    """Say whether an answer was right and what the cards are."""
    say, asked = house.words.say, _asked(rules, now, at)
    right = now["answers"][at] in asked.answers
    names = say("table.and").join(_name(house, item) for item in asked.answers)
    colour, sign = ("blue", "✓") if right else ("orange", "?")
    badge = f":{colour}-badge[{sign} {say('quiz.right' if right else 'quiz.wrong')}]"
    st.markdown(f"{badge} {wording.card_text(house.words, asked.cards)} · {names}")


def _answer(rules_id: str, at: int, choice: str) -> None:
    """Take an answer; one that comes twice or too late is passed over."""
    now = _round()
    if now is None or now["at"] != at or _left(now) <= 0:
        return
    rules = explorer_rules.of(rules_id)
    progress, _ = quiz.answered(
        quiz.read(session.get(session.QUIZ)), _asked(rules, now, at), choice, _today()
    )
    session.put(session.QUIZ, quiz.write(progress))
    now["answers"].append(choice)
    now["at"] = at + 1
    if now["at"] >= len(now["items"]):
        now["ended"] = time.time()
    session.put(session.ROUND, json.dumps(now))


def _stop() -> None:
    """End the round now; what was answered counts."""
    now = _round()
    if now is not None:
        now["ended"] = min(time.time(), now["began"] + quiz.SECONDS)
        now["items"] = now["items"][: now["at"]]
        session.put(session.ROUND, json.dumps(now) if now["items"] else "")


def _result(house: House, rules: Rules, now: dict[str, Any]) -> None:
    """Draw how a round went, each mistake with what the cards are."""
    say = house.words.say
    done = len(now["answers"])
    questions = [_asked(rules, now, at) for at in range(done)]
    wrong = [at for at, asked in enumerate(questions) if now["answers"][at] not in asked.answers]
    taken = round(quiz.SECONDS - max(0.0, _left(now)))
    counts = {"right": done - len(wrong), "n": done, "of": len(now["items"])}
    text = say("quiz.result", **counts, time=_minutes(taken))
    st.html(f'<p class="paili-head">{escape(text)}</p>')
    for at in wrong:
        asked = questions[at]
        _lane(house, asked, at)
        names = say("table.and").join(_name(house, item) for item in asked.answers)
        given = _name(house, now["answers"][at])
        shown = wording.card_text(house.words, asked.cards)
        st.text(say("quiz.mistake", cards=shown, names=names, given=given))
    st.button(say("quiz.again"), type="primary", key="w_quiz_again", on_click=_begin, args=(rules,))


def _progress(house: House, rules: Rules) -> None:
    """Draw what is known of each kind, and the file that its owner keeps."""
    say = house.words.say
    progress = quiz.read(session.get(session.QUIZ))
    with st.container(border=True, key="panel_progress"):
        st.html(f'<p class="paili-head">{escape(say("quiz.progress"))}</p>')
        rows = []
        for name in quiz.weakest(progress, rules, _today()):
            item = progress.item(name)
            if item.asked:
                rows.append(
                    [
                        _name(house, name),
                        f"{item.box} / {len(quiz.INTERVALS) - 1}",
                        f"{item.right} / {item.asked}",
                        item.due,
                    ]
                )
        if rows:
            head = [say(f"quiz.col.{name}") for name in ("kind", "box", "right", "due")]
            st.html(explorer_foot.table(head, rows))
        else:
            st.markdown(say("quiz.none"))
        explorer_foot.note(say("quiz.keep"))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.download_button(
                say("quiz.download"),
                data=quiz.write(progress).encode(),
                file_name="paili-quiz.txt",
                mime="text/plain",
                on_click="ignore",
                key="w_quiz_file",
                disabled=not progress.items,
            )
            with st.popover(say("quiz.open"), key="w_quiz_open", on_change="rerun") as shown:
                if shown.open:
                    _upload(house)


def _upload(house: House) -> None:
    sent = st.file_uploader(house.words.say("quiz.upload"), type=["txt"], key="w_quiz_upload")
    if sent is None:
        return
    try:
        text = sent.getvalue()[:LARGEST_FILE].decode("utf-8-sig", errors="replace")
        # an empty file is none of ours: it must not wipe out the progress
        session.put(session.QUIZ, quiz.write(quiz.read(text.strip() or "\N{EMPTY SET}")))
        st.markdown(house.words.say("quiz.opened"))
    except DdzError as error:
        shell.refuse(error)
