"""The set-up: fields for every hand, cards dealt to what is open, and the ways to hand it on."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import segno
import streamlit as st

from ddz_core import cards
from ddz_core.clauses import kind_ids
from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.render import asked_view, handout, wording
from pages._kit import class_rooms, explorer_foot, inputs, session, shell
from pages._kit import setup_state as state

if TYPE_CHECKING:
    from ddz_core.render.cards import Theme
    from ddz_core.rules import Rules
    from pages._kit.setup_state import Draft, Made
    from pages._kit.shell import House

MOST_POINTS = 14
"""Points that a wish can name."""
_STYLE = """
[class*="st-key-setup_seat_"] .stTextInput input { font-weight: 700; letter-spacing: .04em;
  font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
@media (max-width: 640px) { [class*="st-key-setup_seat_"] { flex-wrap: wrap; } }
"""


@st.fragment
def board(house: House) -> None:
    """Draw the page; only this part of it runs again when something on it changes."""
    explorer_foot.style(house)
    st.html(f"<style>{_STYLE}</style>")
    rules, now = house.game_rules, state.draft()
    left, right = st.columns([6, 5], gap="large")
    with left, st.container(border=True, key="panel_set"):
        _kind(house, now)
        _hands(house, rules, now)
        _taps(house, rules, now)
        (_deal if now.kind == "deal" else _position)(house, rules, now)
        _buttons(house, now)
    found, problem = None, None
    if any(now.hands) or now.seed:
        try:
            found = state.made(rules, now)
        except DdzError as error:
            problem = error
    with right:
        if problem is not None:
            _refuse(house, rules, now, problem)
        elif found is None:
            explorer_foot.note(house.words.say("setup.empty"))
        else:
            _made(house, found)


# --- the fields ------------------------------------------------------------------------------


def _kind(house: House, now: Draft) -> None:
    say = house.words.say
    st.session_state["w_set_kind"] = now.kind
    st.segmented_control(
        say("setup.kind"),
        ("position", "deal"),
        format_func=lambda kind: say(f"setup.kind.{kind}"),
        key="w_set_kind",
        required=True,
        label_visibility="collapsed",
        on_change=lambda: state.take(kind=st.session_state["w_set_kind"]),
    )


def _name(house: House, now: Draft, seat: int, count: int) -> str:
    lord = now.lord if 0 <= now.lord < count else 0 if now.kind == "position" else -1
    number = house.words.say("solver.hand.n", n=seat + 1)
    if lord < 0:
        return number
    role = wording.role_of(seat, (lord,), count)
    return f"{number} · {house.words.say(f'table.role.short.{role}', n=seat + 1)}"


def _hands(house: House, rules: Rules, now: Draft) -> None:
    """Draw one row a hand: its cards, and how many it has or what it is to be like."""
    say, hands = house.words.say, state.hands_of(rules, now)
    sizes = state.sizes_of(rules, now)
    for seat, hand in enumerate(hands):
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"setup_seat_{seat}"):
            st.session_state[f"w_set_hand_{seat}"] = hand
            st.text_input(
                _name(house, now, seat, len(hands)),
                key=f"w_set_hand_{seat}",
                max_chars=inputs.LONGEST,
                placeholder="3344556789TJQKA2",
                on_change=_typed,
                args=(seat, len(hands)),
                autocomplete="off",
            )
            if now.kind == "deal":
                _wish(house, rules, now, seat)
                continue
            st.session_state[f"w_set_size_{seat}"] = sizes[seat]
            st.number_input(
                say("setup.size"),
                0,
                rules.ruleset.largest_hand,
                key=f"w_set_size_{seat}",
                width=130,
                on_change=_sized,
                args=(seat,),
            )
    if now.kind == "position" and len(hands) < rules.ruleset.deal.seats:
        st.button(
            say("setup.more"),
            key="w_set_more",
            type="tertiary",
            on_click=state.take,
            kwargs={"hands": (*hands, "")},
        )


def _typed(seat: int, count: int) -> None:
    now = state.draft()
    hands = [*now.hands, *[""] * count][: max(count, len(now.hands))]
    hands[seat] = str(st.session_state[f"w_set_hand_{seat}"])
    state.take(hands=tuple(hands))


def _sized(seat: int) -> None:
    now = state.draft()
    sizes = [*now.sizes, *[0] * (seat + 1)][: max(seat + 1, len(now.sizes))]
    sizes[seat] = int(st.session_state[f"w_set_size_{seat}"] or 0)
    state.take(sizes=tuple(sizes))


def _taps(house: House, rules: Rules, now: Draft) -> None:
    """Draw the cells to tap for one hand."""
    hands = state.hands_of(rules, now)
    with st.popover(house.words.say("setup.tap"), key="w_set_tap", on_change="rerun") as shown:
        if not shown.open:
            return
        if st.session_state.get("w_set_tapped") not in range(len(hands)):
            st.session_state["w_set_tapped"] = 0
        seat = st.segmented_control(
            house.words.say("solver.tap"),
            range(len(hands)),
            format_func=lambda one: _name(house, now, one, len(hands)),
            key="w_set_tapped",
            required=True,
            wrap=True,
        )
        at = int(seat or 0)
        inputs.put(f"set_{at}", hands[at])
        inputs.field(
            house,
            rules,
            f"set_{at}",
            label=_name(house, now, at, len(hands)),
            then=lambda: _tapped(at, len(hands)),
        )


def _tapped(seat: int, count: int) -> None:
    now = state.draft()
    hands = [*now.hands, *[""] * count][: max(count, len(now.hands))]
    hands[seat] = str(st.session_state[f"w_set_{seat}"]).strip()
    state.take(hands=tuple(hands))


def _wish(house: House, rules: Rules, now: Draft, seat: int) -> None:
    """Draw what a hand is to be like."""
    say, wish = house.words.say, now.wishes.get(str(seat), {})
    label = say("setup.wish.some" if wish else "setup.wish")
    with st.popover(label, key=f"w_set_wish_{seat}", on_change="rerun") as shown:
        if not shown.open:
            return
        most = min(rules.ruleset.deal.hand, 14)
        for name, top in (("points", MOST_POINTS), ("turns", most)):
            low = 0 if name == "points" else 1
            key = f"w_set_{name}_{seat}"
            st.session_state[key] = tuple(wish.get(name, (low, top)))
            st.slider(
                say(f"bid.like.{name}"),
                low,
                top,
                key=key,
                on_change=_wished,
                args=(seat, name, (low, top)),
            )
        for name in ("holds", "lacks"):
            key = f"w_set_{name}_{seat}"
            st.session_state[key] = list(wish.get(name, ()))
            st.multiselect(
                say(f"bid.like.{name}"),
                kind_ids(rules.ruleset),
                format_func=lambda kind: say(f"kind.{kind}"),
                key=key,
                placeholder=say("bid.like.any"),
                on_change=_wished,
                args=(seat, name, ()),
            )


def _wished(seat: int, name: str, anything: tuple[int, ...]) -> None:
    now = state.draft()
    value = tuple(st.session_state[f"w_set_{name}_{seat}"])
    wish = {key: told for key, told in now.wishes.get(str(seat), {}).items() if key != name}
    if value != anything:
        wish[name] = value
    state.take(wishes={**now.wishes, str(seat): wish})


def _pick(house: House, name: str, label: str, value: int, options: list[int], none: str) -> None:
    """Draw a choice of a hand under a field of the draft; -1 is worded by ``none``."""
    key = f"w_set_{name}"
    st.session_state[key] = value if value in options else options[0]
    st.segmented_control(
        label,
        options,
        format_func=lambda n: none if n < 0 else house.words.say("solver.hand.n", n=n + 1),
        key=key,
        required=True,
        wrap=True,
        on_change=lambda: state.take(**{name: int(st.session_state[key])}),
    )


def _deal(house: House, rules: Rules, now: Draft) -> None:
    """Draw what a deal has besides its hands."""
    say, seats = house.words.say, list(range(rules.ruleset.deal.seats))
    if rules.ruleset.deal.bottom:
        st.session_state["w_set_bottom"] = now.bottom
        st.text_input(
            say("setup.bottom"),
            key="w_set_bottom",
            max_chars=40,
            width=230,
            on_change=lambda: state.take(bottom=str(st.session_state["w_set_bottom"])),
            autocomplete="off",
        )
    _pick(house, "first", say("setup.first"), now.first, seats, "")
    _pick(house, "lord", say("setup.lord"), now.lord, [-1, *seats], say("setup.lord.bid"))


def _position(house: House, rules: Rules, now: Draft) -> None:
    """Draw what a position has besides its hands."""
    say, seats = house.words.say, list(range(state.seats_of(rules, now)))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _pick(house, "lord", say("setup.lord"), max(now.lord, 0), seats, "")
        _pick(house, "turn", say("solver.turn"), now.turn, seats, "")
        st.session_state["w_set_beat"] = now.beat
        st.text_input(
            say("solver.beat"),
            key="w_set_beat",
            max_chars=80,
            width=200,
            help=say("solver.beat.help"),
            on_change=lambda: state.take(beat=str(st.session_state["w_set_beat"])),
            autocomplete="off",
        )
        if now.beat.strip() and len(seats) > 2:
            others = [seat for seat in seats if seat != now.turn]
            by = now.by if now.by in others else (now.turn - 1) % len(seats)
            _pick(house, "by", say("solver.by"), by, others, "")


def _buttons(house: House, now: Draft) -> None:
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            say("setup.deal" if now.seed == 0 else "setup.again"),
            type="primary",
            key="w_set_deal",
            on_click=_next_seed,
        )
        st.button(say("explorer.clear"), type="tertiary", key="w_set_clear", on_click=_clear)
        if now.seed:
            st.caption(say("setup.seed", seed=now.seed))


def _next_seed() -> None:
    """Deal what is open, or deal it again with the next seed; hands without a size get eight."""
    now = state.draft()
    sizes = now.sizes
    if now.kind == "position" and not any(sizes):
        sizes = (8,) * max(2, len(now.hands))
    state.put(
        state.Draft(
            kind=now.kind,
            hands=now.hands,
            sizes=sizes,
            bottom=now.bottom,
            lord=now.lord,
            first=now.first,
            turn=now.turn,
            beat=now.beat,
            by=now.by,
            wishes=now.wishes,
            seed=now.seed + 1,
        )
    )


def _clear() -> None:
    state.put(state.Draft(kind=state.draft().kind))
    for name in (state.POSITION, state.GAME):
        inputs.address(name, "")


def _refuse(house: House, rules: Rules, now: Draft, problem: DdzError) -> None:
    """Say what is wrong: a card too many by where its copies lie, a hand by its number."""
    say, hands = house.words.say, state.hands_of(rules, now)
    rank = str(problem.params.get("rank", ""))
    if problem.key == "error.deal.surplus" and rank:
        parts = [(_name(house, now, seat, len(hands)), hand) for seat, hand in enumerate(hands)]
        parts += [(say("setup.bottom"), now.bottom), (say("solver.on_table"), now.beat)]
        told = [(name, _copies(text, rank)) for name, text in parts]
        where = say("table.and").join(
            say("solver.surplus.part", who=name, n=n) for name, n in told if n
        )
        label = wording.rank_label(house.words, rank)
        got, most = sum(n for _, n in told), problem.params["expected"]
        text = say("solver.surplus", rank=label, got=got, where=where, most=most)
        st.error(shell.plain(text))
        return
    name, _, number = problem.field.partition(" ")
    if name == "hand" and number.isdigit() and int(number) < len(hands):
        problem.params["field"] = _name(house, now, int(number), len(hands))
    st.error(shell.plain(house.words.error(problem)))


def _copies(text: str, rank: str) -> int:
    try:
        hand = cards.parse_cards(text.partition("=")[0])
        return cards.counts_of(hand)[cards.MARKED if rank == "*" else cards.LANE[rank]]
    except DdzError:
        return 0


# --- what it makes ---------------------------------------------------------------------------


def _made(house: House, found: Made) -> None:
    """Draw what was set up, and the ways to hand it on."""
    say = house.words.say
    theme: Theme = "dark" if house.dark else "light"
    session.put(session.SET_CODE, found.code)
    for name in (state.POSITION, state.GAME):
        inputs.address(name, found.code if name == found.name else "")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="set_go"):
        with st.popover(say("setup.share"), key="w_set_share", type="primary") as _:
            _share(house, found)
        query = {session.LANG: house.lang, session.RULES: found.value.rules.id}
        query[found.name] = found.code
        if house.overrides:
            query[session.HOUSE_RULES] = house.overrides
        pages = ("table",) if isinstance(found.value, Game) else ("solver", "luckfree")
        for page in pages:
            st.page_link(f"pages/{page}.py", label=say(f"setup.to.{page}"), query_params=query)
    for part in asked_view.parts(house.words, found.code, None, theme):
        st.caption(shell.plain(part.text))
        if part.picture:
            st.image(part.picture, width="stretch", alt=part.label)


def _share(house: House, found: Made) -> None:
    """Draw the link, its picture, and the sheet to print."""
    say = house.words.say
    base = f"{class_rooms.host()}/setup"
    asked = {session.LANG: house.lang, session.RULES: found.value.rules.id, found.name: found.code}
    link = f"{base}?{urlencode(asked)}"
    st.code(link, language=None, wrap_lines=True)
    picture = segno.make(link, error="m").svg_inline(scale=4, border=3, light="white")
    st.image(picture, width=220, alt=say("class.qr"))
    question = st.text_input(say("setup.question"), key="w_set_question", max_chars=300)
    title = st.text_input(say("setup.title"), key="w_set_title", max_chars=80)
    st.download_button(
        say("setup.sheet"),
        data=handout.sheet(
            house.words, found.value, title=title, question=question, link=link
        ).encode(),
        file_name="paili.html",
        mime="text/html",
        on_click="ignore",
        key="w_set_sheet",
    )
    st.caption(say("app.foot.code"))
    st.code(f"import ddz_core as ddz\n\nddz.decode({found.code!r})", language="python")
    st.html(f'<p class="paili-note">{escape(say("setup.code.note"))}</p>')
