"""Both splits sent to a thousand paired deals: run beside the page, shown as the race grows."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import explorer, surgeon
from ddz_core.errors import DdzError
from ddz_core.plots import race as race_plot
from pages._kit import explorer_foot, jobs, session, shell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ddz_core.rules import Rules
    from ddz_core.surgeon import Race, Split
    from pages._kit.shell import House

SEED = 1


def live() -> bool:
    """Tell whether a race of this session is running."""
    job = json.loads(session.get(session.RACE) or "{}").get("job", "")
    return bool(job) and jobs.runner().look(job).live


def panel(house: House, rules: Rules, splits: list[Split], role: surgeon.Role, seen: str) -> None:
    """Draw the race of two splits: its button, its progress, its result."""
    say = house.words.say
    asked = [rules.hash, role, seen, *(list(split.texts) for split in splits)]
    kept = json.loads(session.get(session.RACE) or "{}")
    mine = kept.get("asked") == asked
    with st.container(border=True, key="panel_race"):
        st.html(f'<p class="paili-head">{escape(say("surgeon.race"))}</p>')
        broken = any(not group.legal for split in splits for group in split.groups)
        st.markdown(say("surgeon.race.broken" if broken else "surgeon.race.what"))
        st.button(
            say("surgeon.race.start", n=surgeon.DEALS),
            key="w_race",
            disabled=broken,
            on_click=_start,
            args=(rules, role, seen, [list(split.texts) for split in splits], asked),
        )
        if mine and not broken:
            _watch(house, rules, splits, role, seen, kept["job"])


def _start(
    rules: Rules,
    role: surgeon.Role,
    seen: str,
    groups: list[list[str]],
    asked: list[object],
) -> None:
    kept = json.loads(session.get(session.RACE) or "{}")

    def work() -> Iterator[Race]:
        return surgeon.races(groups[0], groups[1], rules, role=role, seen=seen, seed=SEED)

    total = -(-surgeon.DEALS // surgeon.CHUNK)
    try:
        job = jobs.runner().start(work, total=total, instead_of=kept.get("job", ""))
    except jobs.Busy:
        st.toast(shell.words().say("surgeon.race.busy"))
        return
    session.put(session.RACE, json.dumps({"job": job, "asked": asked}))


def _watch(
    house: House,
    rules: Rules,
    splits: list[Split],
    role: surgeon.Role,
    seen: str,
    job: str,
) -> None:
    """Show how the race stands."""
    say = house.words.say
    look = jobs.runner().look(job)
    if look.live:
        done = look.result.deals if look.result else 0
        st.progress(
            min(1.0, done / surgeon.DEALS),
            say("surgeon.race.running", n=done, of=surgeon.DEALS),
        )
        st.button(
            say("surgeon.race.stop"), key="w_race_stop", on_click=jobs.runner().cancel, args=(job,)
        )
        return
    if look.state == "failed" and isinstance(look.error, DdzError):
        shell.refuse(look.error)
        return
    if look.result is None:
        st.markdown(say("surgeon.race.gone"))
        return
    _result(house, rules, splits, role, seen, look.result)


def _result(
    house: House, rules: Rules, splits: list[Split], role: surgeon.Role, seen: str, run: Race
) -> None:
    say = house.words.say
    names = [say(f"surgeon.split.{side}") for side in range(2)]
    gap = run.difference
    low, high, value = (round(100 * x, 1) for x in (gap.low, gap.high, gap.value))
    form = "none" if gap.low <= 0 <= gap.high else "first" if gap.value > 0 else "second"
    st.markdown(
        say(f"surgeon.race.{form}", n=abs(value), low=low, high=high, a=run.better, b=run.worse)
    )
    figure = race_plot.figure(
        names, [run.first, run.second], theme="dark" if house.dark else "light"
    )
    st.plotly_chart(
        figure,
        theme=None,
        key="w_race_plot",
        config={"displayModeBar": False},
        alt=say("surgeon.race"),
    )
    explorer_foot.note(say("surgeon.race.axis"))
    rows = [
        {
            "split": name,
            "cards": " ".join(split.texts),
            "win": e.value,
            "low": e.low,
            "high": e.high,
        }
        for name, split, e in zip(names, splits, (run.first, run.second), strict=True)
    ]
    rows.append({"split": "A − B", "cards": "", "win": gap.value, "low": gap.low, "high": gap.high})
    lines = [
        "from ddz_core import surgeon",
        "",
        f"first, second = {list(splits[0].texts)!r}, {list(splits[1].texts)!r}",
        f"asked = dict(role={role!r}, seen={seen!r}, deals={run.deals}, seed={run.seed})",
        "print(surgeon.race(first, second, rules, **asked))",
    ]
    explorer_foot.foot(
        house,
        "race",
        rows,
        explorer.code_lines(rules, *lines),
        method="sampled",
        n=run.deals,
        seed=run.seed,
        bots=say("table.bot.choice.rule"),
    )
