"""The game that an analysis page works with: the ruleset in force with house rules on top.

House rules live in the session and in the address (``o=``); they belong to one ruleset only in so
far as it has the fields, so those that a ruleset refuses are dropped with a sentence.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import explorer, rulesets
from ddz_core.errors import DdzError
from pages._kit import explorer_foot, session

if TYPE_CHECKING:
    from ddz_core.rules import Rules
    from pages._kit.shell import House

RULES = "o"
"""Parameter of the address with house rules, ``path=value`` with commas between."""

_LONGEST = 1_000


@lru_cache(maxsize=64)
def _loaded(ruleset_id: str, text: str) -> Rules:
    return explorer.read_overrides(ruleset_id, text)


def arrive() -> DdzError | None:
    """Take the house rules of the address into the session; return what is wrong with them."""
    asked = st.query_params.get(RULES)
    text = session.get(session.HOUSE_RULES) if asked is None else asked[:_LONGEST]
    try:
        _loaded(session.get(session.RULES), text)
    except DdzError as error:
        choose("")
        return error
    choose(text)
    return None


def choose(text: str) -> None:
    """Put house rules in force, in the session and in the address."""
    session.put(session.HOUSE_RULES, text)
    if text and st.query_params.get(RULES) != text:
        st.query_params[RULES] = text
    elif not text and RULES in st.query_params:
        del st.query_params[RULES]


def current(house: House) -> Rules:
    """Return the rules in force on this page."""
    return of(house.rules)


def of(ruleset_id: str) -> Rules:
    """Return a ruleset with the house rules in force, or plain where it refuses them."""
    try:
        return _loaded(ruleset_id, session.get(session.HOUSE_RULES))
    except DdzError:
        return _loaded(ruleset_id, "")


def change(ruleset_id: str, path: str, value: object) -> None:
    """Set one house rule; for callbacks. The ruleset's own value needs no house rule."""
    rules = _loaded(ruleset_id, session.get(session.HOUSE_RULES))
    plain = rulesets.fields(rulesets.load(ruleset_id))
    wanted = {**rules.overrides, path: value}
    choose(
        explorer.overrides_text({p: v for p, v in wanted.items() if plain.get(p, None) != v})
    )


def word(house: House, value: object) -> str:
    """Return the value of a switch in words."""
    if isinstance(value, bool):
        return house.words.say("explorer.yes" if value else "explorer.no")
    return str(value)


def switches(house: House, rules: Rules) -> None:
    """Draw the switches over kickers in a popover, each with where its value comes from."""
    say = house.words.say
    changed = bool(rules.overrides)
    label = say("explorer.rules") + (f" · {len(rules.overrides)}" if changed else "")
    with st.popover(label, key="w_open_switches", on_change="rerun") as shown:
        if not shown.open:
            return
        for option in explorer.options(rules):
            key = f"w_switch_{option.path}"
            st.session_state[key] = option.value
            found = rulesets.provenance(rules.ruleset, option.path)
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                if isinstance(option.value, bool):
                    st.toggle(
                        say(f"explorer.rule.{option.path}"),
                        key=key,
                        on_change=_switched,
                        args=(rules.id, option.path),
                        width="content",
                    )
                else:
                    st.segmented_control(
                        say(f"explorer.rule.{option.path}"),
                        option.choices,
                        key=key,
                        required=True,
                        on_change=_switched,
                        args=(rules.id, option.path),
                    )
                st.html(
                    explorer_foot.tag(
                        house, f"explorer.prov.{found.kind}", dashed=found.kind != "stated"
                    )
                )
        if changed:
            st.button(
                say("explorer.rules.reset"), key="w_rules_reset", on_click=choose, args=("",)
            )


def _switched(ruleset_id: str, path: str) -> None:
    change(ruleset_id, path, st.session_state[f"w_switch_{path}"])
