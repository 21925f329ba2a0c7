"""The hand surgeon: a hand in two splits side by side, measured, changed by hand, and raced."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import decompose, explorer, surgeon
from ddz_core.errors import DdzError
from ddz_core.render import wording
from pages._kit import (
    explorer_foot,
    explorer_page,
    explorer_read,
    explorer_rules,
    inputs,
    session,
    shell,
    surgeon_board,
    surgeon_race,
)

if TYPE_CHECKING:
    from ddz_core.rules import Rules
    from ddz_core.surgeon import Split
    from pages._kit.shell import House

MEASURES = ("turns", "controls", "losers", "debt", "flexibility")
HIGHER_IS_BETTER = frozenset({"controls", "flexibility"})
ROLES = ("landlord", "after", "before")
ROLE = "role"
"""Parameter of the address that says for which role the hand is split."""

LISTED = 200
"""Splits offered in the lists; the file holds up to a thousand."""

EXAMPLES = ("3334455667789TJJQKA2", "34455566778999TQKA2D", "333444555666789TJ")


def board(house: House) -> None:
    """Draw the page; while a race is running it looks at it twice a second."""
    polling = surgeon_race.live()
    st.fragment(_board, run_every=0.5 if polling else None)(house, polling=polling)


def _board(house: House, *, polling: bool) -> None:
    """Draw the page; only this part of it runs again when something on it changes."""
    explorer_foot.style(house)
    rules, say = explorer_rules.current(house), house.words.say
    entry = explorer_page.entered(house, rules)
    if not entry.typed.strip():
        _examples(house)
        return
    if entry.error is not None or not entry.cards:
        return
    role, seen = _settings(house, rules, entry)
    try:
        ways = decompose.turns(entry.cards, rules, limit=LISTED)
        texts = surgeon_board.current(entry.cards, rules, seen)
        splits = [
            surgeon.measure(text.split(), rules, seen=seen, leads=role == ROLES[0])
            for text in texts
        ]
    except DdzError as error:
        shell.refuse(error)
        return
    _fewest(house, rules, entry, ways)
    for side, (place, split) in enumerate(zip(st.columns(2), splits, strict=True)):
        with place, st.container(border=True, key=f"panel_split_{side}"):
            st.html(f'<p class="paili-head">{escape(say(f"surgeon.split.{side}"))}</p>')
            surgeon_board.side(house, rules, side, split, ways)
    _measures(house, rules, splits, seen, role)
    surgeon_race.panel(house, rules, splits, role, seen)
    if surgeon_race.live() != polling:
        # the timer belongs to the fragment, which only a whole run makes anew
        st.rerun()


def _examples(house: House) -> None:
    st.markdown(house.words.say("surgeon.examples"))
    with st.container(horizontal=True, gap="small"):
        for text in EXAMPLES:
            st.button(
                wording.card_text(house.words, text),
                key=f"w_hand_{text}",
                on_click=inputs.show,
                args=("cards", text, session.CARDS),
            )


def _settings(house: House, rules: Rules, entry: inputs.Entry) -> tuple[surgeon.Role, str]:
    """Draw role and seen cards; a hand larger than dealt is the landlord's."""
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="bottom", key="surgeon_settings"):
        roles = ROLES if entry.size <= rules.ruleset.deal.hand else ROLES[:1]
        if rules.ruleset.deal.seats == 2:
            roles = roles[:2]
        key, asked = f"w_role_{len(roles)}", st.query_params.get(ROLE, "")
        st.session_state.setdefault(key, asked if asked in roles else roles[0])
        chosen = st.segmented_control(
            say("surgeon.role"),
            roles,
            format_func=lambda role: say(f"table.role.{role}"),
            required=True,
            key=key,
            on_change=_sat,
            args=(key,),
        )
        st.space("stretch")
        explorer_rules.switches(house, rules)
    with st.expander(say("surgeon.seen.open")):
        seen = inputs.field(
            house,
            rules,
            "played",
            label=say("surgeon.seen"),
            at=explorer_read.SEEN,
            taken=entry.cards,
        ).cards
    role: surgeon.Role = "landlord"
    for known in ("landlord", "after", "before"):
        if chosen == known:
            role = known
    return role, seen


def _sat(key: str) -> None:
    inputs.address(ROLE, str(st.session_state[key]))


def _fewest(house: House, rules: Rules, entry: inputs.Entry, ways: decompose.Splits) -> None:
    """Say how few plays the hand needs and in how many ways."""
    say = house.words.say
    number = (
        say("surgeon.ways.many", n=LISTED) if ways.cut else say("surgeon.ways", n=len(ways.splits))
    )
    with st.container(border=True, key="panel_fewest"):
        st.html(
            f'<p class="paili-head">{escape(say("surgeon.fewest", n=ways.turns))} '
            f'<span class="paili-note">{escape(number)}</span></p>'
        )
        rows = [
            {"split": i + 1, **{f"{j + 1}": part for j, part in enumerate(split)}}
            for i, split in enumerate(ways.texts)
        ]
        code = explorer.code_lines(rules, f"print(ddz.turns({entry.cards!r}, rules))")
        explorer_foot.foot(house, "fewest", rows, code)


def _measures(
    house: House, rules: Rules, splits: list[Split], seen: str, role: surgeon.Role
) -> None:
    """Draw the five measures of both splits, with which is better and what each means."""
    say = house.words.say
    rows, table = [], []
    for name in MEASURES:
        a, b = (getattr(split.measures, name) for split in splits)
        better = 0 if a == b else (1 if (a > b) == (name in HIGHER_IS_BETTER) else 2)
        word = say("surgeon.equal") if not better else f"✓ {'AB'[better - 1]}"
        possible = [split.measures.possible for split in splits]
        shown = [
            say("surgeon.of", n=value, of=of) if name == "flexibility" else str(value)
            for value, of in zip((a, b), possible, strict=True)
        ]
        rows.append([say(f"surgeon.m.{name}"), *shown, word])
        table.append({"measure": say(f"surgeon.m.{name}"), "A": a, "B": b, "better": word})
    with st.container(border=True, key="panel_measures"):
        st.html(f'<p class="paili-head">{escape(say("surgeon.measures"))}</p>')
        st.html(explorer_foot.table(["", "A", "B", say("surgeon.better")], rows))
        with st.expander(say("surgeon.meaning")):
            for name in MEASURES:
                st.markdown(f"**{say(f'surgeon.m.{name}')}** — {say(f'surgeon.m.{name}.what')}")
        lines = [
            "from ddz_core import surgeon",
            "",
            *(
                f"print(surgeon.measure({list(split.texts)!r}, rules, seen={seen!r}, "
                f"leads={role == ROLES[0]}).measures)"
                for split in splits
            ),
        ]
        explorer_foot.foot(house, "measures", table, explorer.code_lines(rules, *lines))
