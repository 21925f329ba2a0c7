"""Where the moment comes from, and the fields in which one is set up by hand."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import cards, dealing, reading
from ddz_core.cards import SUITS, format_cards, from_cards
from ddz_core.errors import DdzError
from ddz_core.render import wording
from ddz_core.render.strip import strip_html
from pages._kit import inputs, odds_state, session, shell

if TYPE_CHECKING:
    from ddz_core.reading import Seen, Setup
    from ddz_core.rules import Rules
    from pages._kit.shell import House

LONGEST = 240
NOBODY = -1


def draw(house: House, rules: Rules) -> tuple[Seen | None, Rules]:
    """Draw the source of the moment and return what is seen of it, None where it cannot be."""
    where = odds_state.source()
    if where == odds_state.HAND:
        return _by_hand(house, rules), rules
    return _of_game(house)


def source(house: House) -> None:
    """Draw the choice of where the moment comes from, if there is one."""
    say, found = house.words.say, odds_state.sources()
    if len(found) < 2:
        return
    st.session_state["w_source"] = odds_state.source()
    st.segmented_control(
        say("odds.source"),
        found,
        format_func=lambda name: say(f"odds.source.{name}"),
        key="w_source",
        required=True,
        label_visibility="collapsed",
        on_change=_sourced,
    )


def _sourced() -> None:
    odds_state.choose(str(st.session_state["w_source"]))


def _of_game(house: House) -> tuple[Seen | None, Rules]:
    """Draw the moment of a game to look at, and the seat where that is free."""
    say = house.words.say
    game, seat, newest = odds_state.game()
    at, last = odds_state.action(game, newest), len(game.history)
    free = odds_state.source() == odds_state.LINK
    try:
        seen = odds_state.seen_of(game, seat, at)
    except DdzError as error:
        shell.refuse(error)
        return None, game.rules
    drawn = strip_html(
        seen.odds.hand,
        label=lambda rank: wording.rank_label(house.words, rank, short=True),
        theme="dark" if house.dark else "light",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="moment"):
        text = escape(say("odds.mine", n=len(seen.odds.hand)))
        st.html(f'<p class="paili-say">{text} {drawn}</p>', width="content")
        st.space("stretch")
        with st.popover(say("odds.moment.at", at=at, of=last), key="w_open_moment"):
            if last:
                key = f"w_at_{odds_state.source()}_{last}"
                st.session_state[key] = at
                st.slider(say("odds.moment"), 0, last, key=key, on_change=_moved, args=(key,))
            if free:
                st.session_state["w_seat"] = seat
                st.selectbox(
                    say("odds.seat"),
                    range(game.seats),
                    format_func=lambda one: say("table.role.short.unknown", n=one + 1),
                    key="w_seat",
                    on_change=_seated,
                )
            st.page_link("pages/table.py", label=say("odds.to_table"))
    return seen, game.rules


def _moved(key: str) -> None:
    st.query_params[odds_state.AT] = str(st.session_state[key])


def _seated() -> None:
    odds_state.sit(int(st.session_state["w_seat"]))


def _by_hand(house: House, rules: Rules) -> Seen | None:
    say, spec = house.words.say, rules.ruleset.deal
    setup = odds_state.setup()
    with st.container(border=True, key="panel_entry"):
        entry = inputs.field(house, rules, "cards", label=say("odds.hand"), keep=session.CARDS)
        with st.container(horizontal=True, gap="small", key="entry_tools"):
            for n in sorted({spec.hand, spec.hand + spec.bottom}):
                st.button(
                    say("odds.random", n=n),
                    key=f"w_random_{n}",
                    on_click=_deal,
                    args=(rules, n),
                    type="tertiary",
                )
            st.button(
                say("odds.clear"),
                key="w_clear",
                on_click=_clear,
                type="tertiary",
                disabled=not (entry.typed or setup.rest),
            )
        with st.expander(say("odds.more"), expanded=bool(setup.rest)):
            _more(house, rules, setup)
        if entry.error is not None or not entry.cards:
            if entry.error is None:
                st.markdown(say("odds.empty", n=spec.hand))
            return None
        try:
            seen = reading.of_setup(replace(odds_state.setup(), hand=entry.cards), rules)
        except DdzError as error:
            _refuse(house, error)
            return None
        for note in seen.notes:
            st.markdown(shell.plain(house.words.phrase(note)))
    return seen


def _refuse(house: House, error: DdzError) -> None:
    """Show an error with the name of its field in the reader's language."""
    field = error.field.partition(",")[0].partition(" ")[0]
    key = f"odds.field.{field}"
    if house.words.knows(key):
        error.params["field"] = house.words.say(key)
        if field in ("seat", "counts") and error.field[-1:].isdigit():
            error.params["field"] = house.words.say(
                "table.role.short.unknown", n=int(error.field.rsplit(maxsplit=1)[-1]) + 1
            )
    shell.refuse(error)


def _more(house: House, rules: Rules, setup: Setup) -> None:
    """Draw the fields for a moment after the deal: landlord, sizes, cards gone, passes."""
    say, spec = house.words.say, rules.ruleset.deal
    others = [seat for seat in range(spec.seats) if seat != setup.seat]
    names = {seat: say("table.role.short.unknown", n=seat + 1) for seat in others}
    if spec.seats == 3:
        after = (setup.seat + 1) % 3
        names = {s: say("odds.place.next" if s == after else "odds.place.prev") for s in others}
    names |= {setup.seat: say("table.you.short"), NOBODY: say("odds.nobody")}
    lord = NOBODY if setup.landlord is None else setup.landlord
    st.session_state["w_set_lord"] = lord if lord in names else NOBODY
    st.segmented_control(
        say("odds.landlord"),
        [NOBODY, setup.seat, *others],
        format_func=names.__getitem__,
        key="w_set_lord",
        required=True,
        wrap=True,
        on_change=_collect,
        args=(rules, "lord"),
    )
    if setup.landlord is None:
        st.markdown(say("odds.more.none"))
        return
    dealt = [spec.hand + (spec.bottom if seat == setup.landlord else 0) for seat in others]
    with st.container(horizontal=True, gap="medium"):
        for seat, size in zip(others, dealt, strict=True):
            key = f"w_set_left_{seat}"
            given = setup.left[seat] if seat < len(setup.left) else size
            st.session_state[key] = min(given, rules.ruleset.largest_hand)
            st.number_input(
                say("odds.left", who=names[seat]),
                0,
                rules.ruleset.largest_hand,
                step=1,
                key=key,
                on_change=_collect,
                args=(rules, "left"),
                width=200,
            )
    _text(house, rules, "played", setup.played, say("odds.played"))
    if setup.landlord != setup.seat and spec.bottom and spec.bottom_shown == "all":
        _text(house, rules, "bottom", setup.bottom, say("odds.bottom", n=spec.bottom))
    for name, pairs in (("pass", setup.passes), ("known", setup.known)):
        said = dict(pairs)
        with st.container(horizontal=True, gap="medium"):
            for seat in others:
                key = f"w_set_{name}_{seat}"
                st.session_state[key] = said.get(seat, "")
                st.text_input(
                    say(f"odds.set.{name}", who=names[seat]),
                    key=key,
                    max_chars=LONGEST,
                    placeholder="4 KK 345678" if name == "pass" else "A",
                    help=say(f"odds.set.{name}.help"),
                    on_change=_collect,
                    args=(rules, name),
                    width=320,
                )


def _text(house: House, rules: Rules, name: str, value: str, label: str) -> None:
    """Draw a field for cards with suits, and the four signs to put into it."""
    key = f"w_set_{name}"
    st.session_state[key] = value
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.text_input(
            label,
            key=key,
            max_chars=LONGEST,
            placeholder="♠A ♥J 5 KK",
            help=house.words.say("odds.suits.help"),
            on_change=_collect,
            args=(rules, name),
            width=420,
        )
        for sign in SUITS:
            st.button(
                sign, key=f"w_set_{name}_{sign}", on_click=_signed, args=(name, sign), width=44
            )


def _signed(name: str, sign: str) -> None:
    setup = odds_state.setup()
    typed = str(st.session_state[f"w_set_{name}"])
    if name == "played":
        odds_state.keep(replace(setup, played=f"{typed} {sign}"))
    else:
        odds_state.keep(replace(setup, bottom=f"{typed} {sign}"))


def _collect(rules: Rules, changed: str) -> None:
    """Take one changed field into the set-up; the others stay as they are."""
    setup, state, spec = odds_state.setup(), st.session_state, rules.ruleset.deal
    if changed == "lord":
        lord = state["w_set_lord"]
        setup = replace(setup, landlord=None if lord in (None, NOBODY) else int(lord), left=())
    elif changed == "left":
        mine = cards.size_of(_packed(setup.hand))
        left = [int(state.get(f"w_set_left_{s}", mine) or 0) for s in range(spec.seats)]
        setup = replace(setup, left=tuple(left))
    elif changed == "played":
        setup = replace(setup, played=str(state["w_set_played"]))
    elif changed == "bottom":
        setup = replace(setup, bottom=str(state["w_set_bottom"]))
    else:
        said = {s: str(state.get(f"w_set_{changed}_{s}", "")) for s in range(spec.seats)}
        pairs = tuple((s, text) for s, text in said.items() if text.strip())
        setup = replace(setup, passes=pairs) if changed == "pass" else replace(setup, known=pairs)
    odds_state.keep(setup)


def _packed(text: str) -> int:
    try:
        return cards.parse_cards(text)
    except DdzError:
        return 0


def _deal(rules: Rules, n: int) -> None:
    """Put a random hand of the game in the field, as dealt; with the bottom cards if larger."""
    dealt = dealing.deal(rules)
    taken = dealt.hands[0] + (dealt.bottom if n > len(dealt.hands[0]) else ())
    inputs.put("cards", format_cards(from_cards(taken)), session.CARDS)
    st.query_params[inputs.CARDS] = session.get(session.CARDS)
    odds_state.keep(reading.Setup(landlord=0 if n > rules.ruleset.deal.hand else None))


def _clear() -> None:
    inputs.show("cards", "", session.CARDS)
    odds_state.keep(reading.Setup())
