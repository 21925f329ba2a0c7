"""What the learner remembers by rank, and beside it what remembering is worth to a bot."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

import ddz_core.render
from ddz_core import claims, memory
from ddz_core.errors import DdzError
from ddz_core.plots import memory as plot
from ddz_core.render import wording
from pages._kit import claims_words, explorer_foot, lesson_claims, session, shell
from pages._kit import memory_state as state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ddz_core.memory import Progress
    from ddz_core.rules import Rules
    from pages._kit.memory_state import State
    from pages._kit.shell import House

CLAIM = "R8"
"""The claim on counting from the top down."""

STORAGE, KEEPER = "paili.memory", "memory_keeper"
WEAKEST = 3
"""Ranks named as the weakest."""

_component = st.components.v2.component(
    "paili_memory_keeper",
    js=(Path(ddz_core.render.__file__).parent / "keeper.js").read_text(encoding="utf-8"),
)


def keep() -> None:
    """Let the browser keep the record, or ask what it kept."""
    with st.container(key="document_memory", height=1, border=False):
        _component(
            key=KEEPER,
            data={"key": STORAGE, "text": session.get(session.REMEMBERED) or None},
            on_kept_change=_kept,
        )


def _kept() -> None:
    """Take what the browser kept, beside what this session has."""
    sent = (st.session_state[KEEPER] or {}).get("kept")
    text = sent.get("text") if isinstance(sent, dict) else None
    if isinstance(text, str) and text:
        try:
            both = memory.merged(memory.read(text), state.learned())
        except DdzError:
            return
        session.put(session.REMEMBERED, memory.write(both))


def names(house: House, ranks: Sequence[str]) -> str:
    """Return ranks in words, one after the other."""
    between = house.words.say("memory.between")
    return between.join(wording.rank_label(house.words, rank) for rank in ranks)


def draw(house: House, rules: Rules, now: State) -> None:
    """Draw the learner's curve, then the bots'."""
    _own(house, rules)
    _worth(house, now)


def _own(house: House, rules: Rules) -> None:
    """Draw how often each rank was right, and the file that the learner owns."""
    say, kept = house.words.say, state.learned()
    every = memory.order(rules.ruleset)
    items = [kept.item(rank) for rank in every]
    asked = sum(item.asked for item in items)
    with st.container(border=True, key="panel_memory_record"):
        st.html(f'<p class="paili-head">{escape(say("memory.record"))}</p>')
        if not asked:
            st.markdown(say("memory.record.none"))
        else:
            st.plotly_chart(
                plot.ranks(
                    [_short(house, rank) for rank in every],
                    [item.right for item in items],
                    [item.asked for item in items],
                    theme="dark" if house.dark else "light",
                ),
                theme=None,
                key="w_memory_plot",
                config={"displayModeBar": False},
                alt=say("memory.record"),
            )
            right = sum(item.right for item in items)
            weak = weakest(kept, every)
            if weak:
                text = say("memory.record.read", n=right, of=asked, ranks=names(house, weak))
            else:
                text = say("memory.record.all", n=right, of=asked)
            st.html(f'<p class="paili-note">{escape(text)}</p>')
            today = state.today()
            due = [r for r in every if kept.item(r).asked and kept.item(r).due <= today]
            if due:
                explorer_foot.note(say("memory.record.due", ranks=names(house, due)))
            _foot(house, kept, every)
        explorer_foot.note(say("lesson.progress.what"))
        _file(house, kept)


def _short(house: House, rank: str) -> str:
    """Return a rank in at most two letters."""
    if rank in "XD":
        return house.words.say(f"memory.axis.{rank}")
    return rank if rank == "*" else wording.rank_label(house.words, rank)


def weakest(kept: Progress, every: Sequence[str]) -> list[str]:
    """Return the ranks most often wrong, those never wrong left out."""
    shares = [(share, rank) for rank in every if (share := kept.share(rank)) is not None]
    wrong = sorted((one for one in shares if one[0] < 1), key=lambda one: one[0])
    return [rank for _, rank in wrong[:WEAKEST]]


def _foot(house: House, kept: Progress, every: Sequence[str]) -> None:
    say = house.words.say
    rows: list[dict[str, object]] = [
        {
            say("memory.col.rank"): wording.rank_label(house.words, rank),
            say("memory.col.asked"): kept.item(rank).asked,
            say("memory.col.right"): kept.item(rank).right,
            say("memory.col.next"): kept.item(rank).due,
        }
        for rank in every
        if kept.item(rank).asked
    ]
    code = (
        "from pathlib import Path\n\nfrom ddz_core import memory\n\n"
        'kept = memory.read(Path("paili-memory.txt").read_text())\n'
        "print({rank: (item.right, item.asked) for rank, item in kept.items.items()})"
    )
    explorer_foot.foot(house, "memory", rows, code)


def _file(house: House, kept: Progress) -> None:
    """Draw the ways to save and to open the record."""
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.download_button(
            say("quiz.download"),
            data=memory.write(kept).encode(),
            file_name="paili-memory.txt",
            mime="text/plain",
            on_click="ignore",
            key="w_memory_file",
            disabled=not kept.items,
        )
        with st.popover(say("quiz.open"), key="w_memory_open", on_change="rerun") as shown:
            if shown.open:
                st.file_uploader(
                    say("quiz.upload"),
                    type=["txt"],
                    key="w_memory_upload",
                    max_upload_size=1,
                    on_change=_taken,
                )
    error = st.session_state.pop("w_memory_unread", None)
    if isinstance(error, DdzError):
        shell.refuse(error)


def _taken() -> None:
    """Put the record of the file sent beside the own one; a file of others changes nothing."""
    sent = st.session_state.get("w_memory_upload")
    if sent is not None:
        take(sent.getvalue())


def take(data: bytes) -> None:
    """Put the record of a file beside the own one, or keep why it cannot be read."""
    text = data[: memory.LARGEST].decode("utf-8-sig", errors="replace")
    try:
        # an empty file is none of ours
        both = memory.merged(state.learned(), memory.read(text.strip() or "\N{EMPTY SET}"))
        session.put(session.REMEMBERED, memory.write(both))
    except DdzError as error:
        st.session_state["w_memory_unread"] = error


def _worth(house: House, now: State) -> None:
    """Draw what remembering so many ranks is worth to a bot, with the verdict of the claim."""
    say = house.words.say
    result = claims.shipped_results().get(CLAIM)
    if result is None:
        return
    found = memory.worth(result)
    bots = {family: say(f"claims.family.{family}") for family in found}
    with st.container(border=True, key="panel_memory_worth"):
        st.html(f'<p class="paili-head">{escape(say("memory.worth"))}</p>')
        st.plotly_chart(
            plot.worth(
                found,
                bots,
                remembered=now.ranks,
                axis=say("memory.worth.axis"),
                theme="dark" if house.dark else "light",
            ),
            theme=None,
            key="w_memory_worth",
            config={"displayModeBar": False},
            alt=say("memory.worth"),
        )
        explorer_foot.note(say("memory.worth.read"))
        for family, values in found.items():
            known = [row for row in values if row[0] <= now.ranks]
            if known:
                number, value = known[-1]
                gain = claims_words.interval(value, "probability")
                told = say("memory.worth.gain", bots=bots[family], n=number, value=gain)
                explorer_foot.note(told)
        lesson_claims.draw(house, [CLAIM])
        reason = claims_words.reason(house.words, result.ruling, one_family=result.one_family)
        if reason:
            explorer_foot.note(reason)
        rows: list[dict[str, object]] = [
            {
                say("memory.col.bots"): bots[family],
                say("memory.col.ranks"): number,
                say("memory.col.gain"): claims_words.interval(value, "probability", signed=True),
            }
            for family, values in found.items()
            for number, value in values
        ]
        code = (
            "from ddz_core import claims, memory\n\n"
            f"print(memory.worth(claims.shipped_results()[{CLAIM!r}]))"
        )
        explorer_foot.foot(
            house,
            "memory-worth",
            rows,
            code,
            method="sampled",
            n=sum(result.deals.values()),
            seed=result.seed,
        )
