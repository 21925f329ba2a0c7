"""What changes between two systems, line by line, each with an example that the engine found."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import atlas, rulesets
from pages._kit import cached, explorer_foot, house_rules, rules_atlas, rules_words

if TYPE_CHECKING:
    from ddz_core.atlas import Difference, Line
    from ddz_core.rules import Rules
    from pages._kit.shell import House

FROM, TO = "a", "b"
"""Parameters of the address: the two systems compared."""


def draw(house: House) -> None:
    """Draw the choice of two systems and what differs."""
    say = house.words.say
    ids = rulesets.ruleset_ids()
    usual = {FROM: house.rules, TO: next((i for i in ids if i != house.rules), ids[0])}
    chosen = {}
    for place, name in zip(st.columns(2), (FROM, TO), strict=True):
        asked = st.query_params.get(name, usual[name])
        key = f"w_compare_{name}"
        st.session_state[key] = asked if asked in ids else usual[name]
        with place:
            chosen[name] = st.selectbox(
                say(f"rules.compare.{name}"),
                ids,
                format_func=lambda one: cached.ruleset_name(one, house.lang),
                key=key,
                on_change=_chosen,
                args=(name,),
            )
    a, b = (rules_atlas.rules_of(house, chosen[name]) for name in (FROM, TO))
    found = _differences(
        a.id, house_rules.text_of(a.overrides), b.id, house_rules.text_of(b.overrides)
    )
    if not found:
        st.text(say("rules.compare.same"))
        return
    names = (_name(house, a), _name(house, b))
    st.html(f'<p class="paili-note">{escape(say("rules.compare.count", n=len(found)))}</p>')
    for group in atlas.GROUPS:
        rows = [one for one in found if one.group == group]
        if not rows:
            continue
        with st.container(border=True, key=f"panel_diff_{group}"):
            st.header(say(f"atlas.group.{group}"), anchor=False)
            head = "".join(f"<div>{escape(name)}</div>" for name in names)
            body = "".join(_row(house, one, names) for one in rows)
            st.html(f'<div class="paili-diff head"><div class="name"></div>{head}</div>{body}')
    _foot(house, found, a, b, names)


@st.cache_resource(max_entries=200, show_spinner=False)
def _differences(a: str, a_house: str, b: str, b_house: str) -> list[Difference]:
    return atlas.differences(house_rules.loaded(a, a_house), house_rules.loaded(b, b_house))


def _chosen(name: str) -> None:
    st.query_params[name] = str(st.session_state[f"w_compare_{name}"])


def _name(house: House, rules: Rules) -> str:
    name = cached.ruleset_name(rules.id, house.lang)
    return house.words.say("app.rules.changed", name=name) if rules.overrides else name


def _row(house: House, one: Difference, names: tuple[str, str]) -> str:
    words = house.words
    cells = [f'<div class="name">{escape(rules_words.label(words, one.path))}</div>']
    cells += [f"<div>{_side(house, line)}</div>" for line in (one.before, one.after)]
    if one.example is not None:
        text = rules_words.example_text(words, one.example, *names)
        picture = ""
        if one.example.what == "play":
            picture = rules_words.lane(house, one.example.cards)
        cells.append(f'<div class="eg">{picture}{escape(text)}</div>')
    return f'<div class="paili-diff">{"".join(cells)}</div>'


def _side(house: House, line: Line | None) -> str:
    if line is None or line.unused:
        return escape(house.words.say("rules.compare.none"))
    text = escape(rules_words.line_text(house.words, line))
    return text + rules_words.tag(house.words, line.provenance)


def _foot(
    house: House, found: list[Difference], a: Rules, b: Rules, names: tuple[str, str]
) -> None:
    words = house.words
    rows = [
        {
            words.say("rules.col.field"): one.path,
            names[0]: rules_words.line_text(words, one.before) if one.before else "",
            names[1] if names[1] != names[0] else f"{names[1]} 2": rules_words.line_text(
                words, one.after
            )
            if one.after
            else "",
            words.say("rules.col.example"): rules_words.example_text(words, one.example, *names)
            if one.example
            else "",
        }
        for one in found
    ]
    code = "\n".join(
        [
            "import ddz_core as ddz",
            "from ddz_core import atlas",
            "",
            f"a, b = ddz.{a!r}, ddz.{b!r}",
            "for one in atlas.differences(a, b):",
            "    print(one.path, one.before, one.after, one.example)",
        ]
    )
    explorer_foot.foot(house, "differences", rows, code)
