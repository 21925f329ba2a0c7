"""A duplicate match of two bots, played beside the page under the rules in force."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import explorer, ladder, tabletop
from ddz_core.errors import DdzError
from ddz_core.plots import ladder as ladder_plot
from pages._kit import explorer_foot, jobs, session, shell

if TYPE_CHECKING:
    from ddz_core.bots.match import DuplicateResult
    from pages._kit.shell import House

DEALS = (25, 100, 400)
SEED = 1
SAMPLER = "sampler:samples=60"
"""The sampler as it plays here: few worlds, so that a match takes minutes."""


def text_of(name: str) -> str:
    """Return the bot behind a short name of the table, as a text."""
    return SAMPLER if name == "sampler" else tabletop.OPPONENTS[name]


def panel(house: House) -> None:
    """Draw the form of a match, and the match that is being played or was played last."""
    say = house.words.say
    names = list(tabletop.opponents(house.game_rules.ruleset))
    kept = json.loads(session.get(session.MATCH) or "{}")
    with st.container(border=True, key="panel_ladder_live"):
        st.html(f'<p class="paili-head">{escape(say("ladder.live"))}</p>')
        st.markdown(say("ladder.live.what", rules=house.rules_name))
        with st.container(horizontal=True, vertical_alignment="bottom", key="ladder_live_form"):
            chosen = [
                st.selectbox(
                    say(f"ladder.live.{place}"),
                    names,
                    index=names.index(usual),
                    format_func=lambda name: say(f"table.bot.short.{name}"),
                    key=f"w_live_{place}",
                )
                for place, usual in (("first", "rule"), ("second", "beginner"))
            ]
            deals = st.segmented_control(
                say("ladder.live.deals"), DEALS, default=DEALS[0], required=True, key="w_live_deals"
            )
            st.button(
                say("ladder.live.start"),
                key="w_live_start",
                type="primary",
                on_click=_start,
                args=(house, chosen[0], chosen[1], int(deals or DEALS[0])),
            )
        if kept.get("rules") == house.game_rules.hash:
            look = jobs.runner().look(kept["job"])
            drawn = st.fragment(_watch, run_every=0.5 if look.live else None)
            drawn(house, kept, look.live)


def _start(house: House, first: str, second: str, deals: int) -> None:
    kept = json.loads(session.get(session.MATCH) or "{}")
    task = ladder.duel(house.game_rules, text_of(first), text_of(second), deals=deals, seed=SEED)
    try:
        job = jobs.runner().start(
            lambda: ladder.play(task, None), total=task.chunks, instead_of=kept.get("job", "")
        )
    except jobs.Busy:
        st.toast(shell.words().say("surgeon.race.busy"))
        return
    asked = {"job": job, "rules": house.game_rules.hash, "first": first, "second": second}
    session.put(session.MATCH, json.dumps({**asked, "deals": deals}))


def _watch(house: House, kept: dict[str, str], was_live: bool) -> None:
    """Show how the match stands; runs by itself while it is played."""
    say = house.words.say
    look = jobs.runner().look(kept["job"])
    if was_live and not look.live:
        st.rerun()
    if look.state == "failed":
        if isinstance(look.error, DdzError):
            shell.refuse(look.error)
        else:
            st.error(say("ladder.live.failed"))
        return
    if look.live:
        done = look.result.deals if look.result else 0
        text = say("ladder.live.running", n=done, of=kept["deals"])
        if look.ahead:
            text = say("bid.waiting", n=look.ahead)
        with st.container(horizontal=True, vertical_alignment="center", key="ladder_live_bar"):
            st.progress(min(1.0, done / int(kept["deals"])), text)
            st.button(
                say("surgeon.race.stop"),
                key="w_live_stop",
                on_click=jobs.runner().cancel,
                args=(kept["job"],),
            )
    if look.result is None:
        if not look.live:
            st.markdown(say("ladder.live.gone"))
        return
    _result(house, kept, look.result, live=look.live)


def _result(house: House, kept: dict[str, str], one: DuplicateResult, *, live: bool) -> None:
    say = house.words.say
    names = {place: say(f"table.bot.short.{kept[place]}") for place in ("first", "second")}
    form = "open" if one.win.low <= 0.5 <= one.win.high else "told"
    told = {name: round(100 * getattr(one.win, name), 1) for name in ("value", "low", "high")}
    st.markdown(
        say(f"ladder.live.{form}", a=names["first"], b=names["second"], games=2 * one.deals, **told)
    )
    shares = [one.win, one.as_landlord, one.as_farmers]
    labels = [say(f"ladder.live.{name}") for name in ("both", "landlord", "farmers")]
    st.plotly_chart(
        ladder_plot.figure(labels, shares, theme="dark" if house.dark else "light"),
        theme=None,
        key="w_live_plot",
        config={"displayModeBar": False},
        alt=say("ladder.live"),
    )
    explorer_foot.note(say("ladder.live.note", a=names["first"]))
    if live:
        return
    texts = [text_of(kept[place]) for place in ("first", "second")]
    rows: list[dict[str, object]] = [
        {"first": texts[0], "second": texts[1], "what": what, "won": e.value}
        | {"low": e.low, "high": e.high, "deals": one.deals, "seed": one.seed}
        for what, e in zip(("both", "landlord", "farmers"), shares, strict=True)
    ]
    code = explorer.code_lines(
        house.game_rules,
        "from ddz_core.bots import match",
        "",
        f"print(match.duplicate(rules, {texts[0]!r}, {texts[1]!r}, {one.deals}, {one.seed}))",
    )
    explorer_foot.foot(
        house, "ladder-live", rows, code, method="sampled", n=one.deals, seed=one.seed
    )
