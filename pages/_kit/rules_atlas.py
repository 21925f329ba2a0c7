"""One system of the documents: its story and its rules, each line with where it comes from."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import atlas
from ddz_core.rules import load_ruleset
from pages._kit import house_rules, rules_brick, rules_words, session

if TYPE_CHECKING:
    from ddz_core.atlas import Line, Story
    from ddz_core.rules import Rules
    from pages._kit.shell import House

SYSTEM = "s"
"""Parameter of the address that names the system shown, where it is not the one in force."""


def draw(house: House) -> None:
    """Draw the choice of a system and everything about it."""
    say = house.words.say
    ids = atlas.entries()
    asked = st.query_params.get(SYSTEM, house.rules)
    st.session_state["w_system"] = asked if asked in ids else house.rules
    st.selectbox(
        say("rules.system"),
        ids,
        format_func=lambda entry: atlas.story(entry).name_in(house.lang),
        key="w_system",
        on_change=_chosen,
    )
    entry = st.session_state["w_system"]
    told = atlas.story(entry)
    rules = rules_of(house, entry) if told.card_game else None
    _head(house, told, rules)
    if rules is None:
        rules_brick.draw(house)
        return
    st.html(f'<p class="paili-note">{escape(say("rules.marks"))}</p>')
    lines = atlas.describe(rules)
    groups = [[line for line in lines if line.group == name] for name in atlas.GROUPS]
    named = dict(zip(atlas.GROUPS, groups, strict=True))
    left, right = st.columns(2)
    with left:
        _group(house, "seats", named["seats"])
        _group(house, "deal", named["deal"])
        _group(house, "procedure", named["procedure"])
    with right:
        _group(house, "declarations", named["declarations"])
        _group(house, "score", named["score"])
    _combinations(house, rules, named["combinations"])


def rules_of(house: House, entry: str) -> Rules:
    """Return a system's rules: those in force with their house rules, the others as written."""
    return house.game_rules if entry == house.rules else load_ruleset(entry)


def _chosen() -> None:
    st.query_params[SYSTEM] = str(st.session_state["w_system"])


def _head(house: House, told: Story, rules: Rules | None) -> None:
    say, lang = house.words.say, house.lang
    name = told.name_in(lang)
    if rules is not None and rules.overrides:
        name = say("app.rules.changed", name=name)
    parts = [f'<p class="paili-head" style="font-size:1.3125rem">{escape(name)}</p>']
    for part in ("origin", "feel", "special"):
        text = told.text(part, lang)
        if text:
            parts.append(
                f'<p class="part">{escape(say(f"rules.story.{part}"))}</p><p>{escape(text)}</p>'
            )
    documents = [rules_words.document(house.words, number) for number in told.documents]
    if documents:
        line = say("rules.story.documents", names=say("rules.list").join(documents))
        parts.append(f'<p class="paili-note">{escape(line)}</p>')
    with st.container(border=True, key="panel_story"):
        st.html(f'<div class="paili-story">{"".join(parts)}</div>')
        if rules is None:
            return
        with st.container(horizontal=True, gap="small"):
            if st.button(say("rules.play"), type="primary", key="w_play_this"):
                house_rules.put(rules)
                st.switch_page("pages/table.py")
            if rules.id != house.rules:
                st.button(
                    say("rules.choose"), key="w_choose_this", on_click=_take, args=(rules.id,)
                )


def _take(ruleset_id: str) -> None:
    """Put a system in force on every page, as it is written."""
    session.choose(session.RULES, ruleset_id)
    house_rules.choose("")


def _group(house: House, name: str, lines: list[Line]) -> None:
    if not lines:
        return
    with st.container(border=True, key=f"panel_{name}"):
        st.header(house.words.say(f"atlas.group.{name}"), anchor=False)
        st.html(f'<ul class="paili-rules">{"".join(_item(house, line) for line in lines)}</ul>')


def _item(house: House, line: Line) -> str:
    text = escape(rules_words.line_text(house.words, line))
    mark = rules_words.tag(house.words, line.provenance)
    why = line.provenance.reason.get(house.lang, "") if line.provenance.kind == "assumed" else ""
    more = f"<small>{escape(why)}</small>" if why else ""
    return f"<li>{text}{mark}{more}</li>"


def _combinations(house: House, rules: Rules, lines: list[Line]) -> None:
    rows = [line for line in lines if line.path.startswith(("play.kind", "play.ladder"))]
    rest = [line for line in lines if line not in rows]
    with st.container(border=True, key="panel_combinations"):
        st.header(house.words.say("atlas.group.combinations"), anchor=False)
        st.html(f'<ul class="paili-rules">{"".join(_item(house, line) for line in rest)}</ul>')
        wild = atlas.playable(rules).ruleset.wilds.rank
        if wild and not rules.ruleset.wilds.rank:
            text = house.words.say("rules.wild", rank=wild)
            st.html(f'<p class="paili-note">{escape(text)}</p>')
        st.html(_kinds(house, rules))


def _kinds(house: House, rules: Rules) -> str:
    """Return every kind and row of the bomb ladder with its example on a lane of mat."""
    cells = []
    for line in atlas.describe(rules):
        if not line.path.startswith(("play.kind", "play.ladder")):
            continue
        text = escape(rules_words.line_text(house.words, line))
        mark = rules_words.tag(house.words, line.provenance)
        picture = rules_words.lane(house, line.cards, line.kickers) if line.cards else ""
        cells.append(
            f'<div class="{"on" if line.on else "off"}"><p>{text}{mark}</p>{picture}</div>'
        )
    return f'<div class="paili-kinds">{"".join(cells)}</div>'
