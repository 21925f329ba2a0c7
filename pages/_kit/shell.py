"""What every page has: start-up, navigation, guard line, house strip, friendly errors."""

from __future__ import annotations

import gc
import re
import string
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import hints, kernels, language, tabletop
from pages._kit import cached, house_rules, session, style

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.navigation.page import StreamlitPage

    from ddz_core.errors import DdzError
    from ddz_core.rules import Rules

PAGES = Path(__file__).resolve().parent.parent

GROUPS = {
    "learn": {
        "start": "🏠",
        "course": "🎓",
        "rules": "📜",
        "explorer": "🔎",
        "glossary": "📖",
        "memory": "🧠",
    },
    "play": {"table": "🃏", "puzzles": "🎯", "luckfree": "🍀"},
    "analyse": {
        "bidding": "⚖️",
        "odds": "🎲",
        "surgeon": "🔪",
        "ladder": "🪜",
        "review": "🎞️",
        "solver": "🧩",
    },
    "coach": {"claims": "🔬", "setup": "🧩", "lessons": "✍️", "class": "🏫"},
}
"""Groups of pages in the order of the menu; each page is ``pages/<name>.py`` at ``/<name>``."""

FIRST = "start"

_once = threading.Lock()
_ready = threading.Event()
_warmed = threading.Event()


@dataclass(frozen=True, slots=True)
class House:
    """What a page needs to know about its reader."""

    words: language.Words
    rules: str
    """Id of the ruleset in force."""
    dark: bool
    overrides: str = ""
    """House rules in force, a JSON text; empty for none."""

    @property
    def lang(self) -> str:
        """Language tag in force."""
        return self.words.lang

    @property
    def game_rules(self) -> Rules:
        """The rules in force, house rules included."""
        return house_rules.loaded(self.rules, self.overrides)

    @property
    def rules_name(self) -> str:
        """What the rules in force are called: the ruleset's name, and whether it is changed."""
        name = cached.ruleset_name(self.rules, self.lang)
        return self.words.say("app.rules.changed", name=name) if self.overrides else name


def start() -> None:
    """Prepare the process once and this run's page; the first line of the router."""
    with _once:
        if not _ready.is_set():
            _ready.set()
            # Looking the function up imports numba, here and not in the thread: it imports parts
            # of numpy, as pandas does, and two threads that do so at once can meet half a module.
            warm = kernels.warm
            _freeze()
            threading.Thread(target=_warm, args=(warm,), name="warm", daemon=True).start()
    st.set_page_config(page_title="Paili 牌理", page_icon="🃏", layout="wide")
    session.put(session.ROUTED, "yes")
    _choose()


def navigation() -> StreamlitPage:
    """Build the menu in the reader's language and return the page asked for."""
    say = words().say
    return st.navigation(
        {
            say(f"app.group.{group}"): [
                st.Page(
                    PAGES / f"{name}.py",
                    title=say(f"app.page.{name}"),
                    icon=icon,
                    url_path=name,
                    default=name == FIRST,
                )
                for name, icon in pages.items()
            ]
            for group, pages in GROUPS.items()
        },
        position="top",
    )


def page_guard() -> None:
    """Send a page that Streamlit runs without the router back through it.

    A fresh server whose first request is a deep link runs the page file alone.
    The first line of every page.
    """
    if not session.get(session.ROUTED):
        session.put(session.ROUTED, "yes")
        _choose()
        navigation()
        st.rerun()


def wait_for_kernels() -> None:
    """Say so while kernels are being compiled, which happens once on a machine.

    Cost: nothing on a warm server, some tenths of a second after a start, half a minute after the
    first. Only for pages that compute with cards.
    """
    if _ready.is_set() and not _warmed.wait(0.5):
        with st.spinner(words().say("app.compiling")):
            _warmed.wait()


def words() -> language.Words:
    """Return the texts in the language of this session."""
    return language.words(session.get(session.LANG))


def house(page: str) -> House:
    """Draw the first line of a page: its title left, ruleset and language right.

    Args:
        page: name of the page, a key of :data:`GROUPS`; the first page has open rows instead.

    Returns:
        The words, the ruleset id and the theme to draw the page with.
    """
    say = words().say
    open_rows = page == FIRST
    with st.container(horizontal=True, vertical_alignment="center", key="house"):
        if open_rows:
            st.markdown(say("app.rules"), width="content")
            _rules_row()
            st.space("stretch")
            st.markdown(say("app.language"), width="content")
            _language_choice()
        else:
            st.title(say(f"app.page.{page}"), anchor=False, width="content")
            st.space("stretch")
            name = _house().rules_name
            with st.popover(f"{say('app.rules')} **{name}**", key="w_open_rules"):
                _rules_choice()
                _house_rules_link()
            tongue = f"**{language.LANGUAGES[words().lang]}**"
            with st.popover(tongue, icon=":material/language:", key="w_open_lang"):
                _language_choice()
    found = _house()
    style.logo(say("app.title"), dark=found.dark)
    style.apply(found.lang, dark=found.dark)
    refused = session.get(session.REFUSED)
    if refused:
        session.put(session.REFUSED, "")
        st.error(plain(refused))
    return found


def _house() -> House:
    return House(
        words(),
        session.get(session.RULES),
        st.context.theme.type == "dark",
        house_rules.text_of(house_rules.in_force().overrides),
    )


def _house_rules_link() -> None:
    """Draw the way to the switches, and the way back to the ruleset as it is."""
    say = words().say
    st.page_link("pages/rules.py", label=say("app.rules.switches"), query_params={"v": "house"})
    if session.get(session.HOUSE_RULES):
        st.button(
            say("app.rules.plain"),
            key="w_rules_plain",
            on_click=house_rules.choose,
            args=("",),
            type="tertiary",
        )


def pages_of(group: str) -> list[str]:
    """Return the pages of a group that can be gone to from the first page."""
    return [name for name in GROUPS[group] if name != FIRST]


def refuse(error: DdzError) -> None:
    """Show an error of the core as one sentence; nothing in it is read as markup.

    A field that readers meet on the pages is named in their words.
    """
    key, field = f"app.field.{error.field}", error.params.get("field")
    if field == error.field and words().knows(key):
        error.params["field"] = words().say(key)
    st.error(plain(words().error(error)))
    error.params["field"] = field


def plain(text: str) -> str:
    """Return the text so that Streamlit's Markdown shows it letter by letter.

    Every punctuation mark is escaped. What is recognised even so (bare addresses, arrows, dashes)
    is broken by a word joiner, which takes no room.
    """
    text = _JOINED.sub("\\g<0>\u2060", text)
    return "".join(f"\\{c}" if c in string.punctuation else c for c in text)


_JOINED = re.compile(r":(?=//)|@|www(?=\.)|[-<>~=](?=[-<>=])", re.IGNORECASE)


NEAR = 4
"""Rulesets that stand open on the first page; the others are one press away."""


def _rules_row() -> None:
    """Draw the first few rulesets, the one in force among them, and the way to all."""
    lang, every, chosen = words().lang, cached.ruleset_ids(), session.get(session.RULES)
    near = every[:NEAR] if chosen in every[:NEAR] else [*every[: NEAR - 1], chosen]
    st.segmented_control(
        words().say("app.rules"),
        near,
        format_func=lambda rules: cached.ruleset_name(rules, lang),
        key=_mirror(session.RULES),
        required=True,
        wrap=True,
        label_visibility="collapsed",
        on_change=_take,
        args=(session.RULES,),
    )
    if len(every) > NEAR:
        with st.popover(words().say("app.rules.all", n=len(every)), key="w_open_rules"):
            _rules_choice("all")


def _rules_choice(place: str = "") -> None:
    """Draw every ruleset as a list."""
    lang = words().lang
    st.radio(
        words().say("app.rules"),
        cached.ruleset_ids(),
        format_func=lambda rules: cached.ruleset_name(rules, lang),
        key=_mirror(session.RULES, place),
        label_visibility="collapsed",
        on_change=_take,
        args=(session.RULES, place),
    )


def _language_choice() -> None:
    st.segmented_control(
        words().say("app.language"),
        list(language.LANGUAGES),
        format_func=language.LANGUAGES.__getitem__,
        key=_mirror(session.LANG),
        required=True,
        wrap=True,
        label_visibility="collapsed",
        on_change=_take,
        args=(session.LANG,),
    )


def _mirror(choice: str, place: str = "") -> str:
    """Give the widget of a choice the value in force, and return the widget's key.

    Where a page has two widgets for one choice, ``place`` tells them apart.
    """
    key = f"w_{choice}_{place}" if place else f"w_{choice}"
    st.session_state[key] = session.get(choice)
    return key


def _take(key: str, place: str = "") -> None:
    """Put a choice just made in force, in the session and in the address."""
    session.choose(key, st.session_state[f"w_{key}_{place}" if place else f"w_{key}"])
    if key == session.RULES:
        session.put(session.PICKED, "1")
        house_rules.choose("")


def _choose() -> None:
    """Settle language, ruleset and house rules (address, session, browser or first of the list).

    The address then carries them: the menu drops them at every change of page.
    """
    asked, ids = st.query_params, cached.ruleset_ids()
    lang = language.pick_language(
        asked.get(session.LANG), session.get(session.LANG), st.context.locale
    )
    rules = next(
        (r for r in (asked.get(session.RULES), session.get(session.RULES)) if r in ids), ids[0]
    )
    session.put(session.LANG, lang)
    session.put(session.RULES, rules)
    # A link that names a ruleset means it as the link says, without what was changed before.
    named = session.RULES in asked
    problem = house_rules.settle(asked.get(session.HOUSE_RULES, "" if named else None))
    if problem is not None:
        session.put(session.REFUSED, words().error(problem))
    wanted = {session.LANG: lang, session.RULES: rules}
    if any(asked.get(key) != value for key, value in wanted.items()):
        asked.update(wanted)


def _freeze() -> None:
    gc.collect()
    gc.freeze()


def _warm(compile_all: Callable[[], None]) -> None:
    try:
        compile_all()
        hints.warm()
    finally:
        _warmed.set()
    kernels.warm_wilds()
    tabletop.warm()
    _freeze()
