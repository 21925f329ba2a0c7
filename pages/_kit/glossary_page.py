"""The glossary: searched by word, sound or meaning, each term with an example and a way on."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import cards, explorer, lessons
from ddz_core.language import LANGUAGES
from ddz_core.lessons import glossary
from ddz_core.render import cards as drawing
from pages._kit import (
    explorer_foot,
    explorer_read,
    inputs,
    lesson_claims,
    lesson_words,
    session,
    shell,
)

if TYPE_CHECKING:
    from ddz_core.lessons.glossary import Term
    from pages._kit.shell import House

QUERY, GROUP, TERM = "q", "group", "term"
"""Parameters of the address: what is searched, the group, one term alone."""

MOST_QUERY = 60

_STYLE = """
.paili-term { margin: 0; color: %(ink)s; font-size: 1.0625rem; font-weight: 700; }
.paili-term small { font-weight: 400; font-size: .875rem; color: %(ink2)s; margin-left: .5rem; }
.paili-say { margin: .15rem 0 0; color: %(ink)s; font-size: .9375rem; line-height: 1.5; }
"""
_COLOURS = {
    False: {"ink": "#1C282D", "ink2": "#48565B"},
    True: {"ink": "#ECE7DB", "ink2": "#BCC1BB"},
}


@st.fragment
def board(house: House) -> None:
    """Draw the page; only this part of it runs again when something on it changes."""
    explorer_foot.style(house)
    st.html(f"<style>{_STYLE % _COLOURS[house.dark]}</style>")
    say, every = house.words.say, glossary.terms()
    alone = st.query_params.get(TERM, "")
    one = next((term for term in every if term.id == alone), None)
    if one is not None:
        st.button(
            say("glossary.all"),
            key="w_glossary_all",
            icon=":material/arrow_back:",
            type="tertiary",
            on_click=inputs.address,
            args=(TERM, ""),
        )
        _term(house, one)
        return
    found = _found(house, every)
    explorer_foot.note(say("glossary.found", n=len(found), of=len(every)))
    for place, half in zip(st.columns(2), (found[0::2], found[1::2]), strict=True):
        with place:
            for term in half:
                _term(house, term)
    if not found:
        st.markdown(say("glossary.none"))
    code = explorer.code_lines(
        house.game_rules,
        "from ddz_core.lessons import glossary",
        f"for term in glossary.search({_query()!r}, glossary.terms()):",
        "    print(term.name, term.pinyin, term.play)",
    )
    explorer_foot.foot(house, "glossary", [_row(term) for term in found], code)


def _query() -> str:
    return st.query_params.get(QUERY, "")[:MOST_QUERY]


def _found(house: House, every: tuple[Term, ...]) -> list[Term]:
    """Draw the search field and the groups and return the terms that they leave."""
    say = house.words.say
    st.session_state["w_glossary_q"] = _query()
    group = st.query_params.get(GROUP, "")
    group = group if group in glossary.GROUPS else ""
    st.session_state["w_glossary_group"] = group or None
    st.text_input(
        say("glossary.search"),
        key="w_glossary_q",
        max_chars=MOST_QUERY,
        placeholder=say("glossary.search.holder"),
        on_change=lambda: inputs.address(QUERY, str(st.session_state["w_glossary_q"])),
        autocomplete="off",
    )
    st.pills(
        say("glossary.groups"),
        glossary.GROUPS,
        format_func=lambda name: say(f"glossary.group.{name}"),
        key="w_glossary_group",
        label_visibility="collapsed",
        on_change=lambda: inputs.address(GROUP, str(st.session_state["w_glossary_group"] or "")),
    )
    found = glossary.search(_query(), every)
    return [term for term in found if not group or term.group == group]


def _row(term: Term) -> dict[str, object]:
    """Return a term as a row of the table and the CSV."""
    names = {LANGUAGES[tag]: term.name.get(tag, "") for tag in LANGUAGES}
    return {**names, "pinyin": term.pinyin, "cards": term.play, "kind": term.kind}


def _term(house: House, term: Term) -> None:
    """Draw one term as a card: names, sound, sentence, example, where to go on."""
    say = house.words.say
    with st.container(border=True, key=f"panel_term_{term.id}"):
        first = lessons.told(term.name, house.lang)
        others = [name for name in dict.fromkeys(term.name.values()) if name != first]
        small = " · ".join([*others, term.pinyin])
        also = say("glossary.also", names=say("table.and").join(term.also)) if term.also else ""
        st.html(
            f'<p class="paili-term">{escape(first)}<small>{escape(small)}</small></p>'
            f'<p class="paili-say">{escape(lessons.told(term.say, house.lang))} '
            f'<span class="paili-note">{escape(also)}</span></p>'
        )
        if term.play:
            _example(house, term)
        _links(house, term)


def _example(house: House, term: Term) -> None:
    reading = next(r for r in term.game.readings(term.play) if r.kind == term.kind)
    main, kickers = explorer_read.suited(reading.main, reading.kickers)
    groups = [drawing.Group(main), drawing.Group(kickers, dashed=True)]
    rows = [[group] for group in groups if group.cards] if len(reading.cards) > 10 else [groups]
    label = f"{lessons.told(term.name, house.lang)}: {reading.cards}"
    explorer_read.picture(house, f"term_{term.id}", [groups], rows, label, 420)


def _links(house: House, term: Term) -> None:
    """Draw the ways on: the lesson, the claim, the explorer, a link to this term."""
    say = house.words.say
    query = {session.LANG: house.lang, session.RULES: house.rules}
    with st.container(horizontal=True, gap="small"):
        if term.lesson:
            title = lesson_words.title(house, lessons.load(term.lesson))
            st.page_link(
                "pages/course.py",
                label=say("glossary.lesson", title=shell.plain(title)),
                query_params={**query, "lesson": term.lesson},
            )
        drill = f"drill-{term.id}"
        if drill in lessons.lesson_ids("drill"):
            st.page_link(
                "pages/course.py",
                label=shell.plain(lesson_words.title(house, lessons.load(drill))),
                query_params={**query, "lesson": drill},
            )
        if term.claim:
            lesson_claims.link(house, term.claim)
        if term.play:
            shown = cards.format_cards(cards.parse_cards(term.play))
            st.page_link(
                "pages/explorer.py",
                label=say("glossary.explore"),
                query_params={**query, session.RULES: term.rules, "c": shown},
            )
        st.page_link(
            "pages/glossary.py",
            label=say("glossary.link"),
            query_params={**query, TERM: term.id},
        )
