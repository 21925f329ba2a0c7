"""The luck-free puzzles: the list, the one on the board, and what a position makes of itself."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st

from ddz_core import cards, codes, shifting
from ddz_core.errors import DdzError
from ddz_core.handlines import read_hands
from ddz_core.positions import position
from ddz_core.puzzles.lines import line_of
from ddz_core.render import position_view, wording
from ddz_core.render.position_view import Board
from ddz_core.shifting import Refusal
from pages._kit import board_mount, cached, explorer_foot, puzzles_page, session, shell, solver_walk
from pages._kit import luckfree_state as state
from pages._kit.solver_state import CODE

if TYPE_CHECKING:
    from ddz_core.puzzles.lines import Line
    from ddz_core.render import contract
    from ddz_core.shifting import Puzzle, Trial
    from pages._kit.luckfree_state import Open
    from pages._kit.shell import House

GRADES = (1, 2, 3)


@st.fragment
def board(house: House) -> None:
    """Draw the page; only this part of it runs again when something on it changes."""
    explorer_foot.style(house)
    st.html(f"<style>{puzzles_page.STYLE}</style>")
    puzzles_page.keep()
    try:
        now = state.opened()
    except DdzError as error:
        shell.refuse(error)
        _back_to_list(house)
        return
    if now is None:
        _list(house)
        _desk(house)
        return
    _bar(house, now)
    if now.trial is None:
        _refused(house, now)
    else:
        _puzzle(house, now, now.trial)
    query = {session.LANG: house.lang, session.RULES: house.rules}
    query |= {state.NAME: now.kept.id} if now.kept.id else {CODE: now.kept.code}
    board_mount.switch("luckfree", query)


# --- the list --------------------------------------------------------------------------------


def _list(house: House) -> None:
    say, done, every = house.words.say, state.solved(), shifting.puzzles()
    explorer_foot.note(say("luckfree.what"))
    with st.container(border=True, key="panel_luckfree"):
        solved = sum(done.solved(one.id) for one in every)
        head = say("puzzle.head", n=solved, of=len(every))
        st.html(f'<p class="paili-head">{escape(head)}</p>')
        for grade in GRADES:
            graded = [one for one in every if one.grade == grade]
            title = say(f"puzzle.grade.{grade}")
            st.html(f'<p class="paili-head" style="font-size:1rem">{escape(title)}</p>')
            with st.container(key=f"puzzles_grade_{grade}"):
                for one in graded:
                    own = wording.card_text(house.words, one.own[::-1])
                    st.button(
                        f"**{one.id}** {shell.plain(own)}",
                        key=f"w_luck_{one.id}",
                        icon=puzzles_page.SIGNS[done.of(one.id)] or None,
                        help=shell.plain(say("luckfree.spreads", n=one.layouts)),
                        on_click=_open,
                        args=(one.id,),
                    )
        explorer_foot.note(say("puzzle.keep"))


def _open(name: str) -> None:
    state.show(name=name)


def _desk(house: House) -> None:
    """Ask for a position of one's own, and make a puzzle of it."""
    say = house.words.say
    with (
        st.container(border=True, key="panel_luckfree_own"),
        st.form("luckfree_own", border=False),
    ):
        st.header(say("luckfree.own"), anchor=False)
        st.markdown(say("luckfree.own.what"))
        st.text_input(
            say("luckfree.own.hands"),
            key="w_luck_hands",
            max_chars=240,
            placeholder="49922 / 3488 / 8KK2",
            autocomplete="off",
        )
        st.form_submit_button(say("luckfree.own.make"), on_click=_make, args=(house,))
    error = st.session_state.pop("w_luck_problem", None)
    if isinstance(error, DdzError):
        shell.refuse(error)


def _make(house: House) -> None:
    """Open the position that was typed, as far as it can be one."""
    try:
        most = house.game_rules.ruleset.deal.seats
        hands = read_hands(str(st.session_state["w_luck_hands"]), most)
        place = position(hands, rules=house.game_rules)
        shifting.scene_of(place)
        state.show(code=codes.encode(place))
    except DdzError as error:
        st.session_state["w_luck_problem"] = error


# --- one puzzle ------------------------------------------------------------------------------


def _back_to_list(house: House) -> None:
    st.button(
        house.words.say("puzzle.list"),
        key="w_luck_list",
        icon=":material/chevron_left:",
        on_click=state.show,
    )


def _bar(house: House, now: Open) -> None:
    """Draw the way back, to the next one, and the link to this one."""
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _back_to_list(house)
        following = _following(now)
        if following:
            st.button(say("puzzle.next"), key="w_luck_next", on_click=_open, args=(following,))
        st.space("stretch")
        with st.popover(say("solver.share"), key="w_luck_share", on_change="rerun") as shown:
            if shown.open:
                asked = {session.LANG: house.lang, session.RULES: now.scene.rules.id}
                asked |= {state.NAME: now.kept.id} if now.kept.id else {CODE: now.kept.code}
                base = (st.context.url or "").partition("?")[0]
                st.code(f"{base}?{urlencode(asked)}", language=None, wrap_lines=True)


def _following(now: Open) -> str:
    every, done = shifting.puzzles(), state.solved()
    names = [one.id for one in every]
    at = names.index(now.kept.id) if now.kept.id in names else -1
    order = [*names[at + 1 :], *names[: max(at, 0)]]
    return next((name for name in order if not done.solved(name)), "")


def _refused(house: House, now: Open) -> None:
    """Say why a position makes no luck-free puzzle, with the spread that shows it."""
    words, made = house.words, now.made
    if not isinstance(made, Refusal):
        return
    text = words.say(f"luckfree.no.{made.why}", n=made.layouts, beaten=made.beaten)
    st.warning(shell.plain(text))
    if made.example:
        shown = " / ".join(
            wording.card_text(words, cards.format_cards(hand)[::-1]) for hand in made.example
        )
        st.markdown(shell.plain(words.say("luckfree.example", hands=shown)))


def _line(now: Open, trial: Trial) -> Line:
    """Return what was played, on a spread that agrees with all of it."""
    layout = trial.layout
    if not layout and trial.state is not None:
        seats = range(len(now.scene.sizes))
        played = [sum(map(cards.parse_cards, trial.played[seat + 1])) for seat in seats]
        layout = tuple(
            hand + gone for hand, gone in zip(trial.state.layouts[0], played, strict=True)
        )
    if not layout:  # won: any spread that agrees with what was played
        layout = next(
            one for one in shifting.layouts_of(now.scene) if _agrees(one, trial.played[1:])
        )
    return line_of(now.scene.opened(layout), tuple(step.action for step in trial.steps))


def _agrees(layout: shifting.Layout, played: tuple[tuple[str, ...], ...]) -> bool:
    """Tell whether the hands of a spread hold what was played from them."""
    return all(
        all(
            own >= gone
            for own, gone in zip(cards.counts_of(hand), cards.counts_of(out), strict=True)
        )
        for hand, out in zip(
            layout, (sum(map(cards.parse_cards, one)) for one in played), strict=True
        )
    )


def _puzzle(house: House, now: Open, trial: Trial) -> None:
    say = house.words.say
    head = say("luckfree.head", id=now.kept.id) if now.kept.id else say("puzzle.own")
    st.html(
        f'<p class="paili-head">{escape(head)} '
        f'<span class="paili-note">{escape(say("luckfree.task"))}</span></p>'
    )
    if now.scene.rules.id != house.rules or house.overrides:
        name = cached.ruleset_name(now.scene.rules.id, house.lang)
        explorer_foot.note(say("puzzle.rules.other", rules=name))
    line = _line(now, trial)
    hidden = tuple(range(1, len(now.scene.sizes) + 1)) if trial.status == "open" else ()
    shown = Board(
        refused=board_mount.refused(),
        line=line,
        whole=line,
        seat=0,
        acts=trial.status == "open",
        name=f"luck-{now.kept.id or now.kept.code}",
        messages=_messages(house, now, trial),
        result=_result(house, trial),
        tools=(
            {
                "kind": "undo",
                "label": say("table.tool.undo"),
                "disabled": not now.kept.actions,
            },
        ),
        hide=hidden,
    )
    board_mount.board(house, "luckfree_board", shown, lambda action: _acted(action, now))
    _known(house, now, trial)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="play_tools"):
        if trial.status == "open":
            solver_walk.typed_play(house, "luck", _do, (now,))
        st.button(
            say("table.tool.undo"),
            key="w_luck_undo",
            disabled=not now.kept.actions,
            on_click=state.back,
        )
        st.button(
            say("luckfree.proof"), key="w_luck_proof", disabled=now.kept.shown, on_click=_show
        )
    if now.kept.shown or trial.status != "open":
        _proof(house, now, trial)


def _acted(action: contract.Action, now: Open) -> None:
    kind = action["kind"]
    if kind in ("play", "pass"):
        _do("pass" if kind == "pass" else str(action.get("move", "")), now)
    elif kind == "undo":
        state.back()
    elif kind == "deal":
        state.change(actions=())


def _do(text: str, now: Open) -> None:
    try:
        state.act(now, text)
    except DdzError as error:
        st.session_state["w_luck_problem"] = error
        board_mount.refuse()


def _show() -> None:
    state.change(shown=True, helped=True)


def _messages(house: House, now: Open, trial: Trial) -> tuple[contract.Message, ...]:
    words = house.words
    error = st.session_state.pop("w_luck_problem", None)
    if isinstance(error, DdzError):
        return ({"text": words.error(error), "tone": "error"},)
    if trial.status == "lost":
        step = trial.steps[trial.wrong]
        play = position_view.action_text(words, _move(now, step.action))
        return ({"text": words.say("luckfree.lost", play=play), "tone": "note"},)
    if trial.status == "won":
        return ({"text": words.say("luckfree.won"), "tone": "note"},)
    if not trial.steps:
        return ({"text": words.say("luckfree.begin"), "tone": "note"},)
    return ()


def _move(now: Open, action: str) -> object:
    if action == "pass":
        return None
    return now.scene.rules.readings(action)[0]


def _result(house: House, trial: Trial) -> contract.Result | None:
    if trial.status == "open":
        return None
    say = house.words.say
    again: contract.Button = {"kind": "deal", "label": say("solver.restart"), "value": "same"}
    back: contract.Button = {"kind": "undo", "label": say("table.tool.undo")}
    won = trial.status == "won"
    return {
        "title": say("puzzle.solved" if won else "puzzle.lost"),
        "steps": [],
        "points": [],
        "buttons": [again] if won else [back, again],
    }


def _known(house: House, now: Open, trial: Trial) -> None:
    """Say what is known of the hidden hands: their cards together, and the spreads left."""
    if trial.status != "open" or trial.state is None:
        return
    words = house.words
    unseen = cards.format_cards(sum(trial.state.layouts[0]))[::-1]
    explorer_foot.note(
        words.say(
            "luckfree.known",
            cards=wording.card_text(words, unseen),
            sizes=" + ".join(map(str, trial.sizes)),
            n=sum(_agrees(one, trial.played[1:]) for one in shifting.layouts_of(now.scene)),
        )
    )


def _proof(house: House, now: Open, trial: Trial) -> None:
    """Draw what every first play comes to, over all spreads."""
    made, words = now.made, house.words
    if isinstance(made, Refusal):
        return
    with st.container(border=True, key="panel_luck_proof"):
        st.html(f'<p class="paili-head">{escape(words.say("luckfree.proof"))}</p>')
        rows = _rows(house, made)
        head = [words.say(f"luckfree.col.{name}") for name in ("play", "verdict", "beaten")]
        explorer_foot.scroll(
            words.say("luckfree.proof"),
            explorer_foot.table(head, [list(row.values()) for row in rows]),
        )
        if trial.status == "open":
            ways = " · ".join(wording.card_text(words, text) for text in _shown(house, now))
            explorer_foot.note(words.say("luckfree.now", plays=ways))
        code = (
            "import ddz_core as ddz\nfrom ddz_core import shifting\n\n"
            f"seen = shifting.scene({made.own!r}, {made.unseen!r}, {made.sizes!r}, "
            f"rules=ddz.load_ruleset({made.rules!r}))\nshifting.puzzle_of(seen)"
        )
        explorer_foot.foot(house, "luckfree", rows, code, method="solved", n=made.layouts)


def _shown(house: House, now: Open) -> list[str]:
    passed = house.words.say("table.said.pass")
    return [passed if text == "pass" else text for text in state.right(now)]


def _rows(house: House, made: Puzzle) -> list[dict[str, str]]:
    words, say = house.words, house.words.say

    def named(text: str) -> str:
        return say("table.said.pass") if text == "pass" else wording.card_text(words, text)

    names = [say(f"luckfree.col.{name}") for name in ("play", "verdict", "beaten")]
    rows = [(named(text), say("luckfree.right"), f"0 / {made.layouts}") for text in made.right]
    for text, beaten in sorted(made.wrong.items(), key=lambda item: item[1]):
        rows.append((named(text), say("luckfree.wrong"), f"{beaten} / {made.layouts}"))
    return [dict(zip(names, row, strict=True)) for row in rows]
