"""Around the table: the form of a new deal, and saving, opening and sharing games."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

import streamlit as st

from ddz_core import codes, record, tabletop
from ddz_core.errors import DdzError
from ddz_core.language import Phrase
from pages._kit import house_rules, session, shell, table_opponents, table_state

if TYPE_CHECKING:
    from ddz_core.tabletop import Tabletop
    from pages._kit.shell import House

LARGEST_SEED = 2**64 - 1


def bar(house: House) -> None:
    """Draw the row of popovers below the table; each is filled when it is opened."""
    table, say = table_state.current(), house.words.say
    with st.container(horizontal=True, key="table_tools", gap="small"):
        with st.popover(say("table.new"), key="w_open_new", on_change="rerun") as new:
            if new.open:
                _new(house, table)
        with st.popover(say("table.save"), key="w_open_save", on_change="rerun") as kept:
            if kept.open and table is not None:
                _keep(house, table)
        if not (new.open or kept.open):
            session.put(session.UNDONE, "")
        st.space("stretch")
        other = {} if table_state.plain() else {table_state.PLAIN: "1"}
        if other and table is not None:
            other |= {
                table_state.CODE: codes.encode(table.game),
                table_state.SEAT: str(table.seat),
            }
        keys = (session.LANG, session.RULES, session.HOUSE_RULES)
        here = {key: session.get(key) for key in keys if session.get(key)}
        if table is not None and table.over and any(table.game.plays):
            asked = {
                table_state.CODE: codes.encode(table.game),
                table_state.SEAT: str(table.seat),
            }
            st.page_link(
                "pages/review.py", label=say("review.link.table"), query_params={**here, **asked}
            )
        label = say("table.plain.off" if table_state.plain() else "table.plain")
        st.page_link("pages/table.py", label=label, query_params={**here, **other})


def _new(house: House, table: Tabletop | None) -> None:
    """Draw the form of a new deal: seat, bots, seed, guide, speed."""
    say = house.words.say
    seats = table.game.seats if table is not None else 3
    seat = table.seat if table is not None else 0
    names = list(tabletop.opponents(house.game_rules.ruleset))
    with st.form("w_new", border=False):
        chosen = st.segmented_control(
            say("table.new.seat"),
            range(seats),
            format_func=lambda i: say("table.new.seat.n", n=i + 1),
            default=seat,
            required=True,
            key="w_new_seat",
        )
        opponents = [
            st.selectbox(
                _opponent(house, turn, seats),
                names,
                index=names.index(_bot_at(table, (seat + turn) % seats, names)),
                format_func=lambda name: say(f"table.bot.choice.{name}"),
                key=f"w_new_bot_{turn}",
            )
            for turn in range(1, seats)
        ]
        seed = st.text_input(
            say("table.new.seed"), help=say("table.new.seed.help"), key="w_new_seed", max_chars=20
        )
        guided = st.checkbox(
            say("table.new.guided"), value=bool(table and table.guided), key="w_new_guided"
        )
        if st.form_submit_button(say("table.new.start"), type="primary"):
            _start(house, int(chosen or 0), opponents, seed, guided=guided)
    _undone()
    table_opponents.weights(house, house.game_rules)


def _bot_at(table: Tabletop | None, seat: int, names: list[str]) -> str:
    """Return the bot that sits at a seat, if it may be chosen for the rules in force."""
    found = table.bots[seat] if table else "rule"
    return found if found in names else "rule"


def _undone() -> None:
    """Show what could not be done, until something else is asked or the popover is shut.

    It outlasts the runs in between: bots act while somebody types.
    """
    why = session.get(session.UNDONE)
    if why:
        st.error(shell.plain(why))


def _opponent(house: House, turn: int, seats: int) -> str:
    if turn == 1:
        return house.words.say("table.new.next")
    if turn == seats - 1:
        return house.words.say("table.new.previous")
    return house.words.say("table.new.other", n=turn + 1)


def _start(house: House, seat: int, opponents: list[str], seed: str, *, guided: bool) -> None:
    """Deal as the form asks, or say what is wrong with the seed."""
    typed = seed.strip()
    if typed and not (typed.isascii() and typed.isdigit() and int(typed) <= LARGEST_SEED):
        wrong = {"most": LARGEST_SEED, "got": typed}
        session.put(session.UNDONE, house.words.say("table.error.seed", **wrong))
        return
    session.put(session.UNDONE, "")
    names = [""] * (len(opponents) + 1)
    for turn, name in enumerate(opponents, start=1):
        names[(seat + turn) % len(names)] = name
    table_state.deal(
        rules=house_rules.in_force(),
        seed=int(typed) if typed else None,
        seat=seat,
        names=names,
        guided=guided,
    )
    st.rerun()


def _keep(house: House, table: Tabletop) -> None:
    """Draw what saves, opens and shares games."""
    say = house.words.say
    st.download_button(
        say("table.save.download"),
        data=record.write_record(table.game),
        file_name=f"paili-{table.game.rules.id}-{table.game.deal.seed or 'set'}.ddz",
        mime="text/plain",
        on_click="ignore",
        key="w_download",
    )
    st.caption(say("table.save.link"))
    st.code(link(house, table), language=None, wrap_lines=True)
    if not table.over:
        st.caption(say("table.save.link.note"))
    st.caption(say("app.foot.code"))
    st.code(code_lines(table), language="python", wrap_lines=True)
    with st.form("w_open_file", border=False):
        sent = st.file_uploader(say("table.save.file"), type=["ddz", "txt"], key="w_file")
        if st.form_submit_button(say("table.save.open")):
            _open(house, sent.getvalue() if sent is not None else None, "")
    with st.form("w_open_code", border=False, enter_to_submit=True):
        typed = st.text_input(say("table.save.code"), key="w_code", max_chars=4_000)
        if st.form_submit_button(say("table.save.open")):
            _open(house, None, typed.strip())
    _undone()
    _past(house, table)


def code_lines(table: Tabletop) -> str:
    """Return Python lines that open the game and draw it in a notebook as its seat sees it."""
    lines = [
        "import ddz_core as ddz",
        "",
        f"game = ddz.decode({codes.encode(table.game)!r})",
        f"seen = ddz.observe(game, {table.seat})",
        "print(seen.phase, seen.contract, seen.multiplier, seen.left)",
        "seen",
    ]
    return "\n".join(lines)


def link(house: House, table: Tabletop) -> str:
    """Return the address of a game on this server."""
    asked = {
        table_state.CODE: codes.encode(table.game),
        table_state.SEAT: str(table.seat),
        session.LANG: house.lang,
        session.RULES: table.game.rules.id,
    }
    return f"{(st.context.url or '').partition('?')[0]}?{urlencode(asked)}"


def _open(house: House, content: bytes | None, typed: str) -> None:
    """Open a file or a code; the game on the table stays if it cannot be read."""
    settings = table_state.current()
    try:
        if content is not None:
            game = record.read_record(content.decode("utf-8-sig", errors="replace"))
            table = tabletop.seated(game, settings=settings)
        elif typed:
            table = table_state.linked(code_of(typed))
        else:
            return
    except DdzError as error:
        session.put(session.UNDONE, house.words.error(error))
        return
    session.put(session.UNDONE, "")
    if table.game.rules != house.game_rules:
        name = table.game.rules.ruleset.name_in(house.lang)
        table = tabletop.told(table, Phrase("table.save.rules", {"rules": name}))
    table_state.keep(table)
    st.rerun()


def code_of(typed: str) -> str:
    """Return the code in a link, or the text itself where it is no link."""
    try:
        asked = parse_qs(urlsplit(typed).query)
    except ValueError:
        return typed
    return asked.get(table_state.CODE, [typed])[0]


def _past(house: House, table: Tabletop) -> None:
    """Draw the games played before, the latest first, each to be opened."""
    say = house.words.say
    st.caption(say("table.save.past" if table.past else "table.save.past.none"))
    for i, code in enumerate(reversed(table.past)):
        label = tabletop.title(code)
        if label is None:
            continue
        name = label.rules.ruleset.name_in(house.lang)
        text = say("table.save.past.one", rules=name, seed=label.seed, n=label.actions)
        if st.button(shell.plain(text), key=f"w_past_{i}", type="tertiary"):
            table_state.keep(table_state.linked(code))
            st.rerun()
