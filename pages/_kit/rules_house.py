"""House rules by switches: every option of the ruleset in force, with help and an example.

What is switched is wanted; as soon as the ruleset takes all that is wanted, it is in force on every
page and in the address. Where two fields contradict each other both are named, the wish stays as it
was typed, and what was in force stays in force.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from ddz_core import atlas, codes
from ddz_core.errors import DdzError
from ddz_core.language import Phrase
from pages._kit import house_rules, rules_words, session, shell

if TYPE_CHECKING:
    from ddz_core.atlas import Example, Option
    from ddz_core.rules import Rules
    from pages._kit.shell import House

GROUP = "g_rules"
"""Parameter of the address that names the group of switches shown."""


def draw(house: House) -> None:
    """Draw what is changed and the switches of one group."""
    say, rules = house.words.say, house.game_rules
    wanted = _wanted(rules)
    _changes(house, rules, wanted)
    problem = _problem(rules, wanted)
    if problem is not None:
        shell.refuse(problem)
        named = [problem.field, str(problem.params.get("other", ""))]
        labels = [f"{rules_words.label(house.words, path)} ({path})" for path in named if path]
        st.text(say("rules.house.both", fields=say("rules.list").join(labels)))
        st.text(say("rules.house.kept"))
    group = st.query_params.get(GROUP, "")
    st.session_state["w_rules_group"] = group if group in atlas.GROUPS else "combinations"
    st.segmented_control(
        say("rules.house.group"),
        atlas.GROUPS,
        format_func=lambda name: say(f"atlas.group.{name}"),
        key="w_rules_group",
        required=True,
        wrap=True,
        label_visibility="collapsed",
        on_change=_chosen,
    )
    group = st.session_state["w_rules_group"]
    shown = [option for option in atlas.options(rules) if option.group == group]
    if not shown:
        st.text(say("rules.house.none"))
    half = (len(shown) + 1) // 2
    for place, part in zip(st.columns(2), (shown[:half], shown[half:]), strict=True):
        with place:
            for option in part:
                _switch(house, rules, option, wanted)


def _wanted(rules: Rules) -> dict[str, Any]:
    """Return the house rules as wished: those refused so far, or those in force."""
    text = session.get(session.WANTED)
    if text:
        try:
            found = codes.read_overrides(text, field="overrides")
        except DdzError:
            found = {}
        if found.pop("", None) == rules.id:
            return found
    return dict(rules.overrides)


def _problem(rules: Rules, wanted: dict[str, Any]) -> DdzError | None:
    try:
        house_rules.loaded(rules.id, house_rules.text_of(wanted))
    except DdzError as error:
        return error
    return None


def want(ruleset_id: str, wanted: dict[str, Any]) -> None:
    """Put house rules in force if they can be, else keep the wish."""
    plain = house_rules.without_own(ruleset_id, wanted)
    text = house_rules.text_of(plain)
    try:
        house_rules.loaded(ruleset_id, text)
    except DdzError:
        session.put(session.WANTED, house_rules.text_of({**plain, "": ruleset_id}))
        return
    session.put(session.WANTED, "")
    house_rules.choose(text)


def _chosen() -> None:
    st.query_params[GROUP] = str(st.session_state["w_rules_group"])


def _changes(house: House, rules: Rules, wanted: dict[str, Any]) -> None:
    """List what differs from the ruleset as written, each with a way back."""
    say = house.words.say
    with st.container(border=True, key="panel_changes"):
        st.html(f'<p class="paili-head">{escape(house.rules_name)}</p>')
        if not wanted:
            st.markdown(say("rules.house.asis"))
            return
        for path, value in wanted.items():
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                text = f"{rules_words.label(house.words, path)} · {_shown(house, path, value)}"
                st.text(text)
                st.button(
                    say("rules.house.undo"),
                    key=f"w_undo_{path}",
                    on_click=want,
                    args=(rules.id, {p: v for p, v in wanted.items() if p != path}),
                    type="tertiary",
                )
        with st.container(horizontal=True, gap="small"):
            st.button(
                say("app.rules.plain"), key="w_house_plain", on_click=want, args=(rules.id, {})
            )
            if st.button(say("rules.play"), key="w_house_play", type="primary"):
                st.switch_page("pages/table.py")
        st.html(f'<p class="paili-note">{escape(say("rules.house.link"))}</p>')
        st.code(_link(house), language=None, wrap_lines=True)


def _link(house: House) -> str:
    base = (st.context.url or "").partition("?")[0]
    return base + "?" + house_rules.address(house.rules, house.overrides, house.lang)


def _shown(house: House, path: str, value: object) -> str:
    """Return a value in words: the line that it makes, or itself."""
    words = house.words
    if path == "kinds.off" and isinstance(value, list):
        names = [words.say(f"kind.{n}") if words.knows(f"kind.{n}") else str(n) for n in value]
        return words.say("rules.house.off", kinds=words.say("rules.list").join(names) or "–")
    phrase = atlas.phrase_of(path, value)
    if words.knows(phrase.key):
        return words.phrase(Phrase(phrase.key, phrase.params))
    return str(value)


def _switch(house: House, rules: Rules, option: Option, wanted: dict[str, Any]) -> None:
    """Draw one option: its switch, where its value comes from, what it does, an example."""
    words = house.words
    key = f"w_option_{option.path}_{option.name}"
    value = _value(option, wanted)
    st.session_state[key] = value
    name = rules_words.label(words, option.path, option.name if option.kind == "row" else "")
    if option.path.endswith(".run"):
        name = words.say("rules.house.run", kind=name)
    with st.container(border=True, key=f"panel_option_{option.path}_{option.name}"):
        more = {"key": key, "on_change": _switched, "args": (rules.id, option, key, dict(wanted))}
        if option.kind in ("bool", "row"):
            st.toggle(name, **more)
        elif option.kind == "choice":
            st.selectbox(
                name, option.choices, format_func=lambda one: _choice(house, option, one), **more
            )
        elif option.kind == "numbers":
            st.text_input(name, max_chars=60, **more)
        else:
            st.number_input(name, min_value=option.low, max_value=option.high, step=1, **more)
        parts = [rules_words.tag(words, option.provenance)]
        parts.append(escape(_help(house, option)))
        st.html(f'<p class="paili-help">{" ".join(parts)}</p>')
        example = _example(rules.id, house.overrides, option)
        if example:
            text = rules_words.example_text(
                words, example, words.say("rules.house.now"), words.say("rules.house.then")
            )
            eg = escape(words.say("rules.house.eg"))
            st.html(f'<p class="paili-help"><b>{eg}</b> {escape(text)}</p>')


def _value(option: Option, wanted: dict[str, Any]) -> object:
    """Return the value wished for."""
    if option.kind == "row":
        off = wanted.get("kinds.off")
        return option.value if not isinstance(off, list) else option.name not in off
    value = wanted.get(option.path, option.value)
    if option.kind == "number":
        return (
            min(max(int(value), option.low), option.high)
            if isinstance(value, int)
            else option.value
        )
    if option.kind == "numbers":
        return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return value if option.kind == "bool" or value in option.choices else option.value


def _switched(ruleset_id: str, option: Option, key: str, wanted: dict[str, Any]) -> None:
    value = st.session_state[key]
    if option.kind == "numbers":
        parts = str(value).replace(",", " ").split()
        value = [int(one) if one.isascii() and one.isdigit() else one for one in parts]
    if option.kind == "row":
        in_force = house_rules.in_force().ruleset.kinds.off
        off = [n for n in wanted.get("kinds.off", in_force) if n != option.name]
        want(ruleset_id, {**wanted, "kinds.off": off if value else [*off, option.name]})
    else:
        want(ruleset_id, {**wanted, option.path: value})


def _choice(house: House, option: Option, value: object) -> str:
    key = f"atlas.choice.{option.path}.{value}"
    return house.words.say(key) if house.words.knows(key) else _line(house, option.path, value)


def _line(house: House, path: str, value: object) -> str:
    phrase = atlas.phrase_of(path, value)
    return house.words.phrase(phrase) if house.words.knows(phrase.key) else str(value)


def _help(house: House, option: Option) -> str:
    """Return what the option says at each of its values, or at the one in force."""
    words = house.words
    if option.kind == "row":
        return words.say("rules.help.row")
    if option.kind == "bool":
        return words.say(
            "rules.help.bool",
            on=_line(house, option.path, value=True),
            off=_line(house, option.path, value=False),
        )
    if option.name:
        return words.say("rules.help.count", kind=words.say(f"kind.{option.name}"))
    if option.kind == "numbers":
        return words.say(f"rules.help.{'run' if option.path.endswith('.run') else 'numbers'}")
    return "" if option.kind == "choice" else _line(house, option.path, option.value)


def _example(ruleset_id: str, overrides: str, option: Option) -> Example | None:
    other = option.other()
    if other is None:
        return None
    return _found(ruleset_id, overrides, option.path, option.name, str(other))


@st.cache_resource(max_entries=2_000, show_spinner=False)
def _found(ruleset_id: str, overrides: str, path: str, name: str, _: str) -> Example | None:
    rules = house_rules.loaded(ruleset_id, overrides)
    option = next(one for one in atlas.options(rules) if (one.path, one.name) == (path, name))
    return atlas.example_of_option(rules, option, option.other())
