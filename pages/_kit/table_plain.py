"""The plain page: the whole game in ordinary widgets and sentences, the address carrying it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import tabletop
from ddz_core.render import help_view, history_view, sentences, table_view, view
from pages._kit import shell, table_state, table_tools

if TYPE_CHECKING:
    from ddz_core.render.view import View
    from pages._kit.shell import House


def board(house: House) -> None:
    """Draw the table in words: what stands on it, what can be done, help, history, result."""
    table = table_state.current()
    if table is None:
        return
    if table.speed:
        table = tabletop.advanced(table)
        table_state.keep(table)
    seen = view.of(table, house.words)
    st.caption(house.words.say("table.plain.on"))
    for message in sentences.messages(seen):
        (st.error if message["tone"] == "error" else st.info)(shell.plain(message["text"]))
    st.text("\n".join(sentences.summary(seen)))
    _guide(seen)
    if table.over and not table.looking_back:
        _result(seen)
    elif table.my_turn:
        _decide(seen)
    _travel(seen)
    _history(seen)
    _settings(seen)
    table_tools.bar(house)


def _send(**action: object) -> None:
    """Carry out an action at the position on the table."""
    table = table_state.current()
    if table is not None:
        table_state.act({"number": tabletop.position_number(table), **action})


def _decide(seen: View) -> None:
    """Draw the choices of a bid or declaration, or the field for typed cards."""
    say = seen.say
    if seen.game.phase == "play":
        with st.form("w_plain_play", border=False, enter_to_submit=True, clear_on_submit=False):
            st.text_input(
                say("table.plain.typed"), help=say("table.plain.typed.help"), key="w_typed"
            )
            with st.container(horizontal=True):
                st.form_submit_button(say("table.js.play"), type="primary", on_click=_typed)
                st.form_submit_button(
                    say("table.js.pass"),
                    on_click=_send,
                    kwargs={"kind": "pass"},
                    disabled=seen.game.to_beat is None,
                )
                st.form_submit_button(say("table.js.hint"), on_click=_send, kwargs={"kind": "hint"})
    else:
        with st.container(horizontal=True):
            for i, button in enumerate(table_view.choices(seen)):
                note = f" · {button['note']}" if "note" in button else ""
                st.button(
                    shell.plain(button["label"] + note),
                    key=f"w_choice_{i}",
                    on_click=_send,
                    kwargs={"kind": "choice", "value": button.get("value")},
                )
            st.button(say("table.js.hint"), key="w_hint", on_click=_send, kwargs={"kind": "hint"})
    if seen.table.rung:
        _ladder(seen)


def _typed() -> None:
    """Play what was typed; what cannot be played stays in the field."""
    before = table_state.current()
    text = str(st.session_state.get("w_typed", "")).strip()
    _send(kind="play", move=text or "pass")
    after = table_state.current()
    if before is not None and after is not None and after.refused == before.refused:
        st.session_state["w_typed"] = ""


def _ladder(seen: View) -> None:
    """Draw the open rungs of the hint ladder as paragraphs and tables."""
    for rung in help_view.ladder(seen)["rungs"]:
        if not rung["open"]:
            continue
        st.markdown(f"**{shell.plain(rung['title'])}**")
        if rung.get("lead"):
            st.text(rung["lead"])
        for line in rung.get("lines", []):
            st.text(f"– {line}")
        table = rung.get("table")
        if table:
            st.dataframe(
                [dict(zip(table["head"], row["cells"], strict=True)) for row in table["rows"]],
                hide_index=True,
                width="stretch",
            )


def _guide(seen: View) -> None:
    """Draw the guided mode's words for this phase."""
    guide = help_view.guide(seen)
    if guide is not None:
        with st.container(border=True):
            st.markdown(f"**{shell.plain(guide['title'])}**")
            for text in guide["text"]:
                st.text(text)


def _result(seen: View) -> None:
    """Draw the result with each step of the score, all hands, and what can be done next."""
    result = history_view.result(seen)
    if result is None:
        return
    st.markdown(f"**{shell.plain(result['title'])}**")
    for line in result.get("lines", []):
        st.text(line)
    steps = [f"{step['label']}: {step['value']}" for step in result["steps"]]
    steps += [f"{point['label']}: {point['text']}" for point in result["points"]]
    st.text("\n".join(steps))
    st.text("\n".join(sentences.hands(seen)))
    with st.container(horizontal=True):
        for i, button in enumerate(result["buttons"]):
            st.button(
                shell.plain(button["label"]),
                key=f"w_after_{i}",
                on_click=_send,
                kwargs={"kind": button["kind"], "value": button.get("value")},
            )


def _travel(seen: View) -> None:
    """Draw taking back, branching and looking back."""
    table, say = seen.table, seen.say
    last = len(table.game.history)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for i, button in enumerate(history_view.tools(seen)):
            st.button(
                shell.plain(button["label"]),
                key=f"w_tool_{i}",
                disabled=button.get("disabled", False),
                on_click=_send,
                kwargs={"kind": button["kind"], "value": button.get("value")},
            )
    if last:
        st.session_state["w_at"] = table.at
        st.slider(say("table.js.replay"), 0, last, key="w_at", on_change=_travelled)


def _travelled() -> None:
    _send(kind="jump", at=int(st.session_state["w_at"]))


def _history(seen: View) -> None:
    """Draw every action so far as a list, the newest last."""
    lines = [
        f"{entry.index + 1}. {sentences.log_text(seen, entry)}"
        for entry in seen.obs.history
        if entry.seat is not None
    ]
    with st.expander(seen.say("table.plain.history"), expanded=bool(lines)):
        st.text("\n".join(lines))


def _settings(seen: View) -> None:
    """Draw the switches; the counter is a line of text where it is shown."""
    table, say = seen.table, seen.say
    if table.counter == "shown":
        st.text(sentences.counter_text(seen))
    for switch in table_view.switches(seen):
        if "options" in switch:
            continue
        key = f"w_switch_{switch['key']}"
        st.session_state[key] = switch["value"]
        st.toggle(shell.plain(switch["label"]), key=key, on_change=_switched, args=(switch["key"],))
    st.session_state["w_switch_counter"] = table.counter
    st.segmented_control(
        say("table.switch.counter"),
        tabletop.COUNTER_LEVELS,
        format_func=lambda level: say(f"table.switch.counter.{level}"),
        key="w_switch_counter",
        on_change=_switched,
        args=("counter",),
        required=True,
    )
    if table.counter == "self":
        with st.form("w_counter", border=False):
            st.text_input(say("table.plain.counter"), key="w_counted")
            st.form_submit_button(say("table.counter.check"), on_click=_counted)


def _counted() -> None:
    """Compare the cards typed as unseen with the truth of the person's own seat."""
    _send(kind="counter", cards=str(st.session_state["w_counted"]))


def _switched(key: str) -> None:
    _send(kind="switch", key=key, value=st.session_state[f"w_switch_{key}"])
