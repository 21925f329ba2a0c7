"""Where a game to review comes from: pasted, uploaded, off the table, or a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from ddz_core import bots, codes, dealing, imports, tabletop
from ddz_core.errors import DdzError, RecordError
from ddz_core.game import Game, new_game
from ddz_core.observation import observe
from ddz_core.rules import load_ruleset
from pages._kit import review_state, review_words, shell, table_state

if TYPE_CHECKING:
    from pages._kit.shell import House

FILES = ["ddz", "txt", "json", "jsonl", "log"]
SAMPLE = ("classic", 13, 0)
"""Ruleset and seed of the sample game, and the seat that plays without thinking."""


def draw(house: House) -> None:
    """Draw the ways to a game; a game that is found is opened at once."""
    say = house.words.say
    with st.container(border=True, key="panel_review_entry"):
        st.html(review_words.head(say("review.entry.title")))
        st.markdown(say("review.entry.what"))
        form(house, "one")
        codes_, seat = review_state.table_games()
        with st.container(horizontal=True, gap="small"):
            table = table_state.current()
            if table is not None and table.over and codes_:
                st.button(
                    say("review.entry.table"),
                    key="w_review_table",
                    on_click=review_state.open_game,
                    args=(table.game, seat),
                )
            st.button(say("review.entry.sample"), key="w_review_sample", on_click=_sample)
        if codes_:
            with st.expander(say("review.entry.past", n=len(codes_))):
                _past(house, codes_, seat)
    refused(house)


def _past(house: House, found: list[str], seat: int) -> None:
    """Draw the games played before at the table, the latest first, each to be opened."""
    for place, code in enumerate(reversed(found)):
        label = tabletop.title(code)
        if label is None:
            continue
        name = label.rules.ruleset.name_in(house.lang)
        text = house.words.say("table.save.past.one", rules=name, seed=label.seed, n=label.actions)
        st.button(
            shell.plain(text),
            key=f"w_review_past_{place}",
            type="tertiary",
            on_click=_opened,
            args=(code, seat),
        )


def _opened(code: str, seat: int) -> None:
    """Open a game of the table; one that was left before its end says so."""
    try:
        game = codes.decode(code)
        if isinstance(game, Game):
            review_state.check(game)
            review_state.open_game(game, seat if seat < game.seats else None)
    except DdzError as error:
        st.session_state["w_review_problem"] = [error]


def form(house: House, name: str) -> None:
    """Draw the field for text, the one for files and the button."""
    say = house.words.say
    with st.form(f"w_review_form_{name}", border=False, enter_to_submit=False):
        st.text_area(
            say("review.entry.text"),
            key=f"w_review_text_{name}",
            height=120,
            placeholder="paili 1 …",
        )
        with st.popover(say("review.entry.file"), key=f"w_review_more_{name}"):
            st.file_uploader(
                say("review.entry.file"),
                type=FILES,
                accept_multiple_files=True,
                key=f"w_review_files_{name}",
            )
        st.form_submit_button(say("review.entry.go"), type="primary", on_click=_sent, args=(name,))


def texts(name: str) -> list[str]:
    """Return what was typed and sent, one text each."""
    typed = str(st.session_state.get(f"w_review_text_{name}", "")).strip()
    sent = st.session_state.get(f"w_review_files_{name}") or []
    found = [typed] if typed else []
    return found + [one.getvalue().decode("utf-8-sig", errors="replace") for one in sent]


def games(sources: list[str]) -> tuple[list[Game], list[DdzError]]:
    """Return the finished games of texts, and what is wrong with the others."""
    found: list[Game] = []
    wrong: list[DdzError] = []
    for text in sources:
        try:
            every = imports.every(text)
        except DdzError as error:
            wrong.append(error)
            continue
        for one in every:
            if isinstance(one, DdzError):
                wrong.append(one)
                continue
            try:
                review_state.check(one)
                found.append(one)
            except RecordError as error:
                wrong.append(error)
    return found, wrong


def _sent(name: str) -> None:
    """Open what was sent: one game here, several on their own view."""
    found, wrong = games(texts(name))
    st.session_state["w_review_problem"] = wrong
    if name == "many" or len(found) > 1:
        if found:
            review_state.open_games(found)
    elif found:
        review_state.open_game(found[0])


def refused(house: House) -> None:
    """Say what could not be read, once."""
    wrong = st.session_state.pop("w_review_problem", None) or []
    if len(wrong) > 1:
        st.markdown(house.words.say("review.batch.bad", n=len(wrong)))
    for error in wrong[:5]:
        shell.refuse(error)


def _sample() -> None:
    review_state.open_game(sample(), SAMPLE[2])


@st.cache_data(max_entries=4)
def _sample_code(rules_id: str, seed: int, careless: int) -> str:
    """Return the code of a game in which bots play and one seat plays at random now and then."""
    rules = load_ruleset(rules_id)
    game = new_game(rules, dealing.deal(rules, seed=seed))
    rng = np.random.default_rng([seed, careless])
    good, loose = bots.bot("rule"), bots.bot("random")
    while game.to_act is not None:
        slips = game.phase == "play" and game.to_act == careless and rng.random() < 0.3
        game = game.apply((loose if slips else good).choose(observe(game, game.to_act), rng))
    return codes.encode(game)


def sample() -> Game:
    """Return the sample game."""
    game = codes.decode(_sample_code(*SAMPLE))
    assert isinstance(game, Game)
    return game
