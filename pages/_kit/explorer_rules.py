"""The game that an analysis page works with: the ruleset in force with house rules on top.

Which rules are in force is the business of :mod:`pages._kit.house_rules`; here are the switches
over kickers that the analysis pages keep at hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import explorer, rulesets
from ddz_core.errors import DdzError
from pages._kit import explorer_foot, house_rules, session

if TYPE_CHECKING:
    from ddz_core.rules import Rules
    from pages._kit.shell import House


def arrive() -> DdzError | None:
    """Return what is wrong with the house rules of the address; the shell has settled them."""
    return None


def choose(text: str) -> None:
    """Put house rules in force, in the session and in the address."""
    house_rules.choose(text)


def current(house: House) -> Rules:
    """Return the rules in force; a page drawn with others is drawn again as a whole."""
    rules = of(house.rules)
    if rules != house.game_rules:
        st.rerun()
    return rules


def of(ruleset_id: str) -> Rules:
    """Return a ruleset with the house rules in force, or plain where it refuses them."""
    try:
        return house_rules.loaded(ruleset_id, session.get(session.HOUSE_RULES))
    except DdzError:
        return house_rules.loaded(ruleset_id, "")


def change(ruleset_id: str, path: str, value: object) -> None:
    """Set one house rule; for callbacks. The ruleset's own value needs no house rule."""
    house_rules.change(ruleset_id, path, value)


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
            st.button(say("explorer.rules.reset"), key="w_rules_reset", on_click=choose, args=("",))


def _switched(ruleset_id: str, path: str) -> None:
    change(ruleset_id, path, st.session_state[f"w_switch_{path}"])
