"""The game in force on every page: a ruleset, and the house rules on top of it.

Both stand in the session and in the address (``rules``, ``overrides``), house rules as one JSON
object by dotted path. What a ruleset refuses never comes in force: what held before stays, and the
reader is told which fields contradict each other.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import streamlit as st

from ddz_core import codes, rulesets
from ddz_core.errors import DdzError
from ddz_core.rules import load_ruleset
from pages._kit import session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ddz_core.rules import Rules


@lru_cache(maxsize=128)
def loaded(ruleset_id: str, text: str) -> Rules:
    """Return a ruleset with the house rules of a JSON text.

    Raises:
        RecordError: if the text cannot be read.
        RulesetError: if a path or value is wrong or fields contradict each other.
    """
    overrides = codes.read_overrides(text, field="overrides") if text else None
    return load_ruleset(ruleset_id, overrides)


def text_of(overrides: Mapping[str, Any]) -> str:
    """Return house rules as one JSON text with sorted paths; empty for none."""
    if not overrides:
        return ""
    return json.dumps(dict(overrides), sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def in_force() -> Rules:
    """Return the rules of this session; house rules that its ruleset refuses do not count."""
    ruleset_id = session.get(session.RULES)
    try:
        return loaded(ruleset_id, session.get(session.HOUSE_RULES))
    except DdzError:
        return loaded(ruleset_id, "")


def put(rules: Rules) -> None:
    """Put rules in force on every page, in the session and in the address."""
    session.choose(session.RULES, rules.id)
    choose(text_of(rules.overrides))


def choose(text: str) -> None:
    """Put house rules in force for the ruleset in force, in the session and in the address."""
    session.choose(session.HOUSE_RULES, text)


def change(ruleset_id: str, path: str, value: object) -> DdzError | None:
    """Set one house rule of the ruleset in force; for callbacks.

    The ruleset's own value needs no house rule.

    Returns:
        The error of a value that is refused; then nothing changes.
    """
    wanted = {**loaded(ruleset_id, session.get(session.HOUSE_RULES)).overrides, path: value}
    text = text_of(without_own(ruleset_id, wanted))
    try:
        loaded(ruleset_id, text)
    except DdzError as error:
        return error
    session.put(session.PICKED, "1")
    choose(text)
    return None


def without_own(ruleset_id: str, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return house rules without those that say what the ruleset says anyway."""
    own = rulesets.fields(rulesets.load(ruleset_id))
    return {p: v for p, v in overrides.items() if p not in own or _plain(own[p]) != _plain(v)}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def address(ruleset_id: str, text: str, lang: str) -> str:
    """Return the parameters of an address that puts these rules in force."""
    asked = {session.LANG: lang, session.RULES: ruleset_id}
    if text:
        asked[session.HOUSE_RULES] = text
    return urlencode(asked)


def settle(asked: str | None) -> DdzError | None:
    """Take the house rules of the address into the session, as far as the ruleset takes them.

    Args:
        asked: what the address says; None if it says nothing.

    Returns:
        The error of house rules that are refused; those of the session then stay if they can.
    """
    ruleset_id, problem = session.get(session.RULES), None
    kept = session.get(session.HOUSE_RULES)
    texts = [kept, ""] if asked is None else [asked, kept, ""]
    for text in texts:
        try:
            rules = loaded(ruleset_id, text)
        except DdzError as error:
            problem = problem or (error if text == asked else None)
            continue
        session.put(session.HOUSE_RULES, text_of(rules.overrides))
        break
    held = session.get(session.HOUSE_RULES)
    if held and st.query_params.get(session.HOUSE_RULES) != held:
        st.query_params[session.HOUSE_RULES] = held
    elif not held and session.HOUSE_RULES in st.query_params:
        del st.query_params[session.HOUSE_RULES]
    return problem
