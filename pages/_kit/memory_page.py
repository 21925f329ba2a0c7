"""The memory drill: the way to a game, the board move by move, the question, the answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import cards, codes, memory, tabletop
from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.render import board as drawing
from ddz_core.render import view, wording
from pages._kit import explorer_foot, memory_record, review_state, shell
from pages._kit import memory_state as state
from pages._kit.review_words import Told

if TYPE_CHECKING:
    from ddz_core.memory import Fact, Mark
    from ddz_core.observation import Observation
    from ddz_core.rules import Rules
    from pages._kit.memory_state import State
    from pages._kit.shell import House

_STYLE = """
.st-key-memory_rows { row-gap: .4rem; }
[class*="st-key-memory_row_"] { border-bottom: 1px solid %(line)s; padding-bottom: .4rem;
  flex-wrap: wrap; row-gap: .1rem; }
[class*="st-key-memory_row_"] > :first-child { flex: 1 1 10rem; }
[class*="st-key-memory_row_"] button { min-width: 2.2rem; padding: 0 .3rem; min-height: 2.4rem; }
.st-key-memory_tools button[data-testid="stBaseButton-primary"] { min-width: 9rem; }
ul.memory-went { margin: .2rem 0 0 !important; padding: 0 !important; list-style: none;
  color: %(ink)s; }
ul.memory-went li { padding: .3rem 0; margin: 0 !important; line-height: 1.6; display: flex;
  gap: .1rem .9rem; flex-wrap: wrap; border-bottom: 1px solid %(line)s; }
ul.memory-went li > b { flex: 0 0 3.4rem; white-space: nowrap; }
.memory-went i { font-style: normal; color: %(ink2)s; font-size: .875rem; }
@media (max-width: 640px) { [class*="st-key-memory_row_"] > :first-child { flex-basis: 100%%; } }
"""
_COLOURS = {
    False: {"line": "#DED6C6", "ink": "#1C282D", "ink2": "#48565B"},
    True: {"line": "#313D40", "ink": "#ECE7DB", "ink2": "#BCC1BB"},
}


@st.fragment
def board(house: House) -> None:
    """Draw the page; only this part of it runs again when something on it changes."""
    explorer_foot.style(house)
    st.html(f"<style>{_STYLE % _COLOURS[house.dark]}</style>")
    memory_record.keep()
    state.show()
    now, found = state.state(), state.game()
    if found is not None and found.rules != house.game_rules:
        st.rerun()
    left, right = st.columns([6, 5])
    with left:
        if found is None:
            _entry(house)
        else:
            _drill(house, now, found)
    with right:
        memory_record.draw(house, found.rules if found is not None else house.game_rules, now)


# --- the way to a game ---------------------------------------------------------------------------


def _entry(house: House) -> None:
    """Draw what is asked for, and the ways to a game."""
    say, rules = house.words.say, house.game_rules
    with st.container(border=True, key="panel_memory_entry"):
        st.html(f'<p class="paili-head">{escape(say("app.page.memory"))}</p>')
        st.markdown(say("memory.what"))
        _ranks(house, rules)
        turns = range(rules.ruleset.deal.seats)
        st.segmented_control(
            say("memory.seat"),
            turns,
            format_func=partial(_turn, house, len(turns)),
            key="w_memory_turn",
            default=0,
            required=True,
            wrap=True,
        )
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.session_state["w_memory_seed"] = state.state().own
            st.number_input(
                say("bid.like.seed"),
                0,
                state.MOST_SEED,
                key="w_memory_seed",
                width=150,
                on_change=lambda: state.change(own=int(st.session_state["w_memory_seed"])),
            )
            st.button(
                say("memory.new"),
                type="primary",
                key="w_memory_new",
                on_click=_new,
                args=(rules, house.overrides),
            )
            _table_game(house)
        with st.expander(say("memory.own")), st.form("memory_own", border=False):
            st.text_area(say("memory.own.text"), key="w_memory_text", height=110)
            st.form_submit_button(say("memory.own.go"), on_click=_pasted)
    _refused()


def _ranks(house: House, rules: Rules) -> None:
    """Draw how many ranks are asked for, and whether known ones rest."""
    say, every = house.words.say, memory.order(rules.ruleset)
    number = min(state.state().ranks, len(every))
    st.session_state["w_memory_ranks"] = number
    st.slider(
        say("memory.ranks"), 1, len(every), key="w_memory_ranks", on_change=_set, args=("ranks",)
    )
    explorer_foot.note(say("memory.ranks.are", ranks=memory_record.names(house, every[:number])))
    st.session_state["w_memory_due"] = state.state().due
    st.toggle(
        say("memory.due"),
        key="w_memory_due",
        help=say("memory.due.help"),
        on_change=_set,
        args=("due",),
    )


def _set(name: str) -> None:
    state.change(**{name: st.session_state[f"w_memory_{name}"]})


def _turn(house: House, seats: int, turn: int) -> str:
    """Return a seat in words by its place after the landlord."""
    say, role = house.words.say, wording.role_of(turn, (0,), seats)
    if role == "farmer" and seats > 2:
        return say("memory.seat.far", n=turn)
    return say(f"table.role.{role}")


def _table_game(house: House) -> None:
    """Draw the way to the game of the table, where one was played to its end."""
    played, seat = review_state.table_games()
    if not played:
        return
    st.button(
        house.words.say("review.entry.table"),
        key="w_memory_table",
        on_click=_from_table,
        args=(played[-1], seat),
    )


def _from_table(code: str, seat: int) -> None:
    def opened() -> None:
        found = codes.decode(code)
        if isinstance(found, Game):
            first = found.landlords[0] if found.landlords else 0
            state.open_game(found, (seat - first) % found.seats)

    _trying(opened)


def _new(rules: Rules, overrides: str) -> None:
    turn, seed = int(st.session_state["w_memory_turn"] or 0), state.state().own
    _trying(lambda: state.open_seed(rules, overrides, turn, seed))


def _pasted() -> None:
    text, turn = str(st.session_state["w_memory_text"]), int(st.session_state["w_memory_turn"] or 0)
    _trying(lambda: state.open_text(text, turn))


def _trying(work: Callable[[], None]) -> None:
    """Do what was asked, and keep the reason where it cannot be done."""
    try:
        work()
    except DdzError as error:
        st.session_state["w_memory_problem"] = error


def _refused() -> None:
    error = st.session_state.pop("w_memory_problem", None)
    if isinstance(error, DdzError):
        shell.refuse(error)


# --- the board -----------------------------------------------------------------------------------


def _drill(house: House, now: State, found: Game) -> None:
    """Draw the moment that is shown and what can be done there."""
    say = house.words.say
    shown = view.of(tabletop.seated(found.at(now.at), seat=now.seat), house.words)
    over = now.at >= len(found.history)
    with st.container(border=True, key="panel_memory_board"):
        number = now.at - memory.first(found)
        parts = [say("memory.at", n=number)]
        if shown.obs.bottom:
            bottom = cards.format_cards(cards.from_cards(shown.obs.bottom))[::-1]
            parts.append(say("memory.bottom", cards=wording.card_text(house.words, bottom)))
        st.html(
            f'<p class="paili-head">{escape(parts[0])} '
            f'<span class="paili-note">{escape(" · ".join(parts[1:]))}</span></p>'
        )
        theme: drawing.Theme = "dark" if house.dark else "light"
        st.html(drawing.board_html(shown, theme=theme))
        if now.stage == "ask":
            _question(house, now, found)
        elif now.stage == "told":
            _answers(house, now, found)
        elif over:
            _end(house, now)
        with st.container(horizontal=True, gap="small", key="memory_tools"):
            _tools(house, now, over=over)
    _refused()


def _tools(house: House, now: State, *, over: bool) -> None:
    """Draw the buttons below the board, in one place for every stage but the question's own."""
    say = house.words.say
    if now.stage == "told":
        st.button(
            say("memory.on"),
            type="primary",
            key="w_memory_on",
            shortcut="Right",
            on_click=state.go_on,
        )
    elif now.stage == "play" and not over:
        st.button(
            say("memory.next"),
            type="primary",
            key="w_memory_next",
            shortcut="Right",
            on_click=state.step,
        )
        st.button(say("memory.stop"), key="w_memory_stop", shortcut="s", on_click=state.ask)
    elif over:
        st.button(say("memory.again"), type="primary", key="w_memory_again", on_click=state.again)
    st.space("stretch")
    st.button(say("memory.leave"), type="tertiary", key="w_memory_leave", on_click=state.close)


def _end(house: House, now: State) -> None:
    say = house.words.say
    told = say("memory.sum", n=now.right, of=now.of) if now.of else say("memory.sum.none")
    st.html(
        f'<p class="paili-head">{escape(say("memory.end"))} '
        f'<span class="paili-note">{escape(told)}</span></p>'
    )


# --- the question --------------------------------------------------------------------------------


def _question(house: House, now: State, found: Game) -> None:
    """Ask for gone and left of every rank, from the top down."""
    say = house.words.say
    truth = memory.facts(state.seen(now, found))
    st.html(f'<p class="paili-head">{escape(say("memory.ask"))}</p>')
    explorer_foot.note(say("memory.ask.what"))
    with st.form(f"memory_{now.seed}_{now.at}", border=False):
        with st.container(key="memory_rows"):
            for rank in now.asked:
                _row(house, now, truth[rank])
        st.form_submit_button(say("memory.check"), type="primary", on_click=_answered)


def _row(house: House, now: State, fact: Fact) -> None:
    """Draw one rank: what is in the own hand, and the two numbers asked for."""
    say = house.words.say
    name = wording.rank_label(house.words, fact.rank)
    with st.container(
        horizontal=True, vertical_alignment="bottom", key=f"memory_row_{cards.LANE[fact.rank]}"
    ):
        st.markdown(say("memory.rank", rank=shell.plain(name), of=fact.copies, n=fact.mine))
        for part in ("gone", "left"):
            st.segmented_control(
                say(f"memory.{part}", rank=name),
                range(fact.copies + 1),
                key=_key(part, now.at, fact.rank),
            )


def _key(part: str, at: int, rank: str) -> str:
    return f"w_memory_{part}_{at}_{cards.LANE[rank]}"


def _answered() -> None:
    now = state.state()

    def said(part: str, rank: str) -> int | None:
        found = st.session_state.get(_key(part, now.at, rank))
        return found if isinstance(found, int) else None

    answers = {rank: (said("gone", rank), said("left", rank)) for rank in now.asked}
    _trying(lambda: state.answer(answers))


# --- the answers ---------------------------------------------------------------------------------


def _answers(house: House, now: State, found: Game) -> None:
    """Draw the answers beside the truth, and the plays in which the cards went."""
    say = house.words.say
    marks, told = state.marks(now, found), Told(house, found.at(now.at), now.seat)
    right = sum(one.right for one in marks)
    st.html(f'<p class="paili-head">{escape(say("memory.told", n=right, of=len(marks)))}</p>')
    head = [say("memory.col.rank"), say("memory.col.said"), say("memory.col.true"), ""]
    body = [_line(house, one) for one in marks]
    st.html(explorer_foot.table(head, body, strong=3))
    went = "".join(_went(told, state.seen(now, found), one) for one in marks)
    st.html(
        f'<p class="paili-head" style="font-size:1rem">{escape(say("memory.went"))}</p>'
        f'<ul class="memory-went">{went}</ul>'
    )


def _line(house: House, one: Mark) -> list[str]:
    def number(said: int | None) -> str:
        return "–" if said is None else str(said)

    return [
        wording.rank_label(house.words, one.fact.rank),
        f"{number(one.gone)} / {number(one.left)}",
        f"{one.fact.gone} / {one.fact.left}",
        "✓" if one.right else "✗",
    ]


def _went(told: Told, seen: Observation, one: Mark) -> str:
    """Return the plays in which cards of a rank went, as a row of a list."""
    words = told.house.words
    name = escape(wording.rank_label(words, one.fact.rank))
    plays = "".join(
        f"<span><i>{escape(told.who(entry.seat))}</i> {escape(told.cards(entry.move))}</span>"
        for entry, _ in memory.went(seen, one.fact.rank)
        if entry.seat is not None and entry.move is not None
    )
    nothing = f'<span class="paili-note">{escape(words.say("memory.went.none"))}</span>'
    return f"<li><b>{name}</b>{plays or nothing}</li>"
