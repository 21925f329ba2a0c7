"""What the browser sends is checked before anybody reads it."""

from __future__ import annotations

from typing import Any, NotRequired, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table_harness import samples

from ddz_core.render import (
    Action,
    BrowserMessageError,
    TableData,
    parse_action,
    parse_restore,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
FIELDS = st.sampled_from(["number", "kind", "cards", "move", "at", "key", "value", "values"])


@pytest.mark.parametrize(
    "action",
    [
        {"number": 7, "kind": "play", "cards": ["c1", "c2"], "move": "pair"},
        {"number": 7, "kind": "pass"},
        {"number": 0, "kind": "choice", "value": 3},
        {"number": 0, "kind": "switch", "key": "open", "value": True},
        {"number": 0, "kind": "jump", "at": 4},
        {"number": 0, "kind": "counter", "values": {"2": 3, "D": 0}},
    ],
)
def test_actions_come_through(action: dict[str, Any]) -> None:
    """A well-formed action is returned as it came, without fields it may not have."""
    assert parse_action(action | {"other": 1}) == action


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("number", "7"),
        ("number", True),
        ("number", None),
        ("kind", "steal"),
        ("kind", ["play"]),
        ("cards", "c1"),
        ("cards", ["c1", "c1"]),
        ("cards", [1]),
        ("cards", [f"c{i}" for i in range(41)]),
        ("move", "x" * 201),
        ("move", 3),
        ("at", -1),
        ("at", 1.5),
        ("value", {"a": 1}),
        ("value", None),
        ("values", {"22": 1}),
        ("values", {"2": -1}),
        ("values", {"2": True}),
    ],
)
def test_bad_fields_are_named(field: str, value: object) -> None:
    """A malformed field is refused by name, with what was expected and what came."""
    with pytest.raises(BrowserMessageError) as caught:
        parse_action({"number": 1, "kind": "play"} | {field: value})
    assert caught.value.field == f"action.{field}"
    assert caught.value.expected
    assert caught.value.got


@given(JSON | st.dictionaries(FIELDS, JSON))
def test_anything_is_an_action_or_refused(raw: object) -> None:
    """Whatever comes, the answer is an action or the one error."""
    try:
        action = parse_action(raw)
    except BrowserMessageError:
        return
    assert set(action) <= set(get_type_hints(Action))


@given(JSON | st.fixed_dictionaries({"key": JSON, "text": JSON, "storage": JSON}))
def test_anything_is_an_answer_or_refused(raw: object) -> None:
    """The same for what the browser kept."""
    try:
        answer = parse_restore(raw)
    except BrowserMessageError:
        return
    assert isinstance(answer["key"], str)
    assert answer["text"] is None or isinstance(answer["text"], str)


def test_restore_has_a_size() -> None:
    """An over-long text is refused before anybody parses it."""
    with pytest.raises(BrowserMessageError, match=r"restore\.text"):
        parse_restore({"key": "k", "text": "x" * 200_001, "storage": True})
    kept = {"key": "k", "text": "x", "storage": True}
    assert parse_restore(kept) == kept


@pytest.mark.parametrize(
    "state", [samples.follow, samples.bidding, samples.over, samples.decks, samples.five]
)
def test_samples_are_what_the_contract_says(state: Any) -> None:
    """The states shown in the browser tests have every field of the contract and all words."""
    data = state()
    hints = get_type_hints(TableData, include_extras=True)
    optional = {key for key, hint in hints.items() if get_origin(hint) is NotRequired}
    assert set(hints) - optional <= set(data) <= set(hints)
    assert set(data["words"]) == set(samples.WORDS)
