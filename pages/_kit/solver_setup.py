"""Setting an endgame up: hands typed on one line or tapped, turn, table, bans; errors by card."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import msgspec
import streamlit as st

from ddz_core import cards, handlines
from ddz_core.errors import DdzError
from ddz_core.render import cards as drawing
from ddz_core.render import position_view, wording
from pages._kit import explorer_foot, explorer_read, house_rules, inputs, session, shell
from pages._kit import solver_state as state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ddz_core.positions import Position
    from ddz_core.rules import Rules
    from pages._kit.shell import House
    from pages._kit.solver_state import Setup

EXAMPLES = (
    ("34JQ2 / 5KKAX", 0, "", -1),
    ("4TTQKX / 4QQKK", 0, "", -1),
    ("58899Q / 55 / 8JJ", 0, "", -1),
    ("JA22 / K / 334KAX", 2, "", -1),
)
"""Endgames of our own that show something: hands, turn, table, by whom."""

BAN = "kinds.off"
WIDE = 4
"""Hands that are drawn in one row where there is room."""


def panel(house: House, rules: Rules) -> Position | None:
    """Draw the set-up and return the position, if it is one."""
    say, given = house.words.say, state.setup()
    with st.container(border=True, key="panel_setup"):
        st.html(f'<p class="paili-head">{escape(say("solver.setup"))}</p>')
        _hands(house, given)
        hands = state.hands_of(rules, given)
        _taps(house, rules, given, hands)
        with st.container(horizontal=True, vertical_alignment="bottom", key="solver_turn"):
            if len(hands) > 1:
                _turn(house, given, hands)
            _bans(house, rules)
        if len(hands) > 3:
            _lords(house, given, len(hands))
        start, problem = _position(rules, given, hands)
        if problem is not None:
            _refuse(house, given, hands, problem)
        if len(hands) == 1:
            explorer_foot.note(say("solver.one_hand"))
        if start is not None:
            _preview(house, start)
        with st.container(horizontal=True, gap="small"):
            st.button(
                say("solver.solve"),
                type="primary",
                key="w_solve",
                disabled=start is None,
                on_click=_begin,
                args=(rules,),
            )
            st.button(
                say("explorer.clear"),
                type="tertiary",
                key="w_setup_clear",
                on_click=_take,
                kwargs={"hands": "", "beat": "", "turn": 0, "lords": (0,)},
                disabled=not given.hands and not given.beat,
            )
    if not hands:
        _examples(house)
    return start


def _take(**fields: object) -> None:
    """Change the set-up; for callbacks."""
    state.put_setup(msgspec.structs.replace(state.setup(), **fields))


def _hands(house: House, given: Setup) -> None:
    st.session_state["w_setup_hands"] = given.hands
    st.text_input(
        house.words.say("solver.hands"),
        key="w_setup_hands",
        max_chars=handlines.LONGEST,
        placeholder="KK5543 / 225543",
        help=house.words.say("solver.hands.help"),
        on_change=_typed,
        autocomplete="off",
    )


def _typed() -> None:
    _take(hands=str(st.session_state["w_setup_hands"]))


def _name(house: House, seat: int, hands: int, lords: tuple[int, ...]) -> str:
    """Return a hand in words before there is a position."""
    role = wording.role_of(seat, lords, hands)
    label = house.words.say(f"table.role.{role}")
    alike = [wording.role_of(s, lords, hands) for s in range(hands)].count(role) > 1
    return house.words.say("solver.hand.n", n=seat + 1) if alike or hands < 2 else label


def _taps(house: House, rules: Rules, given: Setup, hands: tuple[str, ...]) -> None:
    """Draw one hand's cells to tap; which hand is chosen above them."""
    say, seats = house.words.say, rules.ruleset.deal.seats
    most = min(seats, max(2, len(hands) + 1))
    if st.session_state.get("w_setup_tapped") not in range(most):
        st.session_state["w_setup_tapped"] = 0
    shown = max(2, len(hands))
    chosen = st.segmented_control(
        say("solver.tap"),
        range(most),
        format_func=lambda seat: (
            _name(house, seat, shown, given.lords) if seat < shown else say("solver.hand.more")
        ),
        key="w_setup_tapped",
        required=True,
        wrap=True,
    )
    seat = int(chosen or 0)
    typed = hands[seat] if seat < len(hands) else ""
    inputs.put(f"setup_{seat}", typed)
    with st.container(key="solver_tap"):
        inputs.field(
            house,
            rules,
            f"setup_{seat}",
            label=_name(house, seat, shown, given.lords),
            then=lambda: _tapped(rules, seat),
        )


def _tapped(rules: Rules, seat: int) -> None:
    """Put a hand that was tapped or typed alone into the line."""
    hands = list(state.hands_of(rules, state.setup()))
    text = str(st.session_state[f"w_setup_{seat}"]).strip()
    if seat < len(hands):
        hands[seat] = text
    elif text:
        hands.append(text)
    line = handlines.written([hand for hand in hands if hand])
    # a first hand alone must not be read as several
    _take(hands=line + (" /" if len(hands) == 1 and line else ""))


def _turn(house: House, given: Setup, hands: tuple[str, ...]) -> None:
    """Draw whose turn it is, what lies on the table, and by whom."""
    say, count = house.words.say, len(hands)
    turn = given.turn if given.turn < count else 0
    st.session_state["w_setup_turn"], st.session_state["w_setup_beat"] = turn, given.beat
    st.segmented_control(
        say("solver.turn"),
        range(count),
        format_func=lambda seat: _name(house, seat, count, given.lords),
        key="w_setup_turn",
        required=True,
        wrap=True,
        on_change=lambda: _take(turn=int(st.session_state["w_setup_turn"] or 0)),
    )
    st.text_input(
        say("solver.beat"),
        key="w_setup_beat",
        max_chars=80,
        width=230,
        help=say("solver.beat.help"),
        on_change=lambda: _take(beat=str(st.session_state["w_setup_beat"])),
        autocomplete="off",
    )
    if given.beat.strip() and count > 2:
        others = [seat for seat in range(count) if seat != turn]
        by = given.by if given.by in others else (turn - 1) % count
        st.session_state["w_setup_by"] = by
        st.segmented_control(
            say("solver.by"),
            others,
            format_func=lambda seat: _name(house, seat, count, given.lords),
            key="w_setup_by",
            required=True,
            wrap=True,
            on_change=lambda: _take(by=int(st.session_state["w_setup_by"] or 0)),
        )


def _lords(house: House, given: Setup, count: int) -> None:
    """Draw which hands are the landlord's side, where there may be more than one."""
    key = f"w_setup_lords_{count}"
    st.session_state[key] = [seat for seat in given.lords if seat < count] or [0]
    st.pills(
        house.words.say("solver.lords"),
        range(count),
        selection_mode="multi",
        format_func=lambda seat: house.words.say("solver.hand.n", n=seat + 1),
        key=key,
        on_change=lambda: _take(lords=tuple(sorted(st.session_state[key])) or (0,)),
    )


def _bans(house: House, rules: Rules) -> None:
    """Draw the kinds that may not be played; they are a house rule, in force on every page."""
    say, spec = house.words.say, rules.ruleset.play
    off = rules.ruleset.kinds.off
    names = list(dict.fromkeys([*(row.id for row in spec.kind), *(r.id for r in spec.ladder)]))
    label = say("solver.bans.n", n=len(off)) if off else say("solver.bans")
    with st.popover(label, key="w_open_bans", on_change="rerun") as shown:
        if not shown.open:
            return
        st.markdown(say("solver.bans.what"))
        for name in names:
            key = f"w_ban_{name}"
            st.session_state[key] = name not in off
            st.checkbox(say(f"kind.{name}"), key=key, on_change=_banned, args=(rules.id, name))


def _banned(ruleset_id: str, name: str) -> None:
    """Allow or ban a kind; a ruleset that cannot do without it says so."""
    off = set(house_rules.in_force().ruleset.kinds.off)
    off = off - {name} if st.session_state[f"w_ban_{name}"] else off | {name}
    problem = house_rules.change(ruleset_id, BAN, sorted(off))
    if problem is not None:
        session.put(session.REFUSED, shell.words().error(problem))


def _position(
    rules: Rules, given: Setup, hands: tuple[str, ...]
) -> tuple[Position | None, DdzError | None]:
    if not hands:
        return None, None
    try:
        return state.made(rules, given), None
    except DdzError as error:
        return None, error if len(hands) > 1 else None


def _refuse(house: House, given: Setup, hands: tuple[str, ...], problem: DdzError) -> None:
    """Say what is wrong: a card too many by where its copies lie, a hand by its role."""
    say = house.words.say
    if problem.key == "error.deal.surplus":
        rank = str(problem.params["rank"])
        parts = [(_name(house, s, len(hands), given.lords), h) for s, h in enumerate(hands)]
        parts.append((say("solver.on_table"), given.beat.partition("=")[0]))
        counts = [(name, _copies(text, rank)) for name, text in parts]
        where = say("table.and").join(
            say("solver.surplus.part", who=name, n=n) for name, n in counts if n
        )
        got, most = sum(n for _, n in counts), problem.params["expected"]
        label = wording.rank_label(house.words, rank)
        text = say("solver.surplus", rank=label, got=got, where=where, most=most)
        st.error(shell.plain(text))
        return
    words, _, number = problem.field.partition(" ")
    if words == "hand" and number.isdigit() and int(number) < len(hands):
        problem.params["field"] = _name(house, int(number), len(hands), given.lords)
        st.error(shell.plain(house.words.error(problem)))
        return
    broken = _unreadable(house, given, hands)
    if broken:
        st.error(shell.plain(broken))
        return
    shell.refuse(problem)


def spaced(house: House, hands: Sequence[str]) -> str:
    """Return hands in a line for reading: equal ranks together, room between different ones."""
    parts = []
    for hand in hands:
        ranks = sorted(set(hand), key=hand.index)
        parts.append(" ".join(wording.card_text(house.words, r * hand.count(r)) for r in ranks))
    return " / ".join(parts)


def _copies(text: str, rank: str) -> int:
    try:
        lane = cards.MARKED if rank == "*" else cards.LANE[rank]
        return cards.counts_of(cards.parse_cards(text))[lane]
    except DdzError:
        return 0


def _unreadable(house: House, given: Setup, hands: tuple[str, ...]) -> str:
    """Return the sentence about the first hand that cannot be read, with whose it is."""
    for seat, hand in enumerate(hands):
        try:
            cards.parse_cards(hand)
        except DdzError as error:
            name = _name(house, seat, len(hands), given.lords)
            return house.words.say("solver.in_hand", who=name, why=house.words.error(error))
    return ""


def _preview(house: House, start: Position) -> None:
    """Draw every hand on the mat, the one to move marked, and the play on the table."""
    words = house.words
    groups = []
    if start.beat is not None:
        laid = explorer_read.suited(start.beat.cards)[0]
        groups.append(drawing.Group(laid, words.say("solver.on_table"), dashed=True))
    for seat, text in enumerate(start.texts):
        name = position_view.who(words, start, seat)
        mark = "\N{BLACK RIGHT-POINTING SMALL TRIANGLE} " if seat == start.to_move else ""
        held = explorer_read.suited("".join(sorted(text, key=wording.DISPLAY.index)))[0]
        label = f"{mark}{name} · {words.say('solver.cards', n=len(text))}"
        groups.append(drawing.Group(held, label))
    label = "; ".join(f"{group.label}: {group.cards}" for group in groups)
    narrow = [[group] for group in groups]
    wide = [groups] if len(groups) <= WIDE else narrow
    explorer_read.picture(house, "setup", wide, narrow, label, 1078)


def _begin(rules: Rules) -> None:
    """Solve what is set up."""
    try:
        state.show(state.made(rules, state.setup()))
    except DdzError:
        return


def _examples(house: House) -> None:
    st.markdown(house.words.say("solver.examples"))
    with st.container(horizontal=True, gap="small"):
        for number, (hands, turn, beat, by) in enumerate(EXAMPLES):
            st.button(
                spaced(house, hands.split(" / ")),
                key=f"w_setup_example_{number}",
                on_click=_take,
                kwargs={"hands": hands, "turn": turn, "beat": beat, "by": by, "lords": (0,)},
            )
