"""Checking what the table in the browser sent: nothing of it is trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from ddz_core.errors import DdzError
from ddz_core.render.contract import ACTION_KINDS, Action, Restore

MAX_ACTION_CARDS: Final = 40
MAX_ACTION_TEXT: Final = 200
MAX_RESTORE_CHARS: Final = 200_000


class BrowserMessageError(DdzError):
    """What the browser sent has not the shape of an action or an answer of its storage."""


def _wrong(field: str, expected: str, got: object) -> BrowserMessageError:
    shown = repr(got)
    return BrowserMessageError(
        f"{field}: expected {expected}, got {shown[:60]}",
        key="error.browser_message",
        field=field,
        expected=expected,
        got=shown,
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def parse_action(raw: object) -> Action:
    """Check what the browser sent and return it as an action.

    Nothing of it is trusted beyond its shape: legality is the game's business. Raises
    ``BrowserMessageError`` with the field, what was expected and what came. Cost: linear in the
    size of the message.
    """
    if not isinstance(raw, Mapping):
        raise _wrong("action", "a mapping", raw)
    number, kind = raw.get("number"), raw.get("kind")
    if not _is_number(number):
        raise _wrong("action.number", "a whole number", number)
    if kind not in ACTION_KINDS:
        raise _wrong("action.kind", f"one of {', '.join(ACTION_KINDS)}", kind)
    out: dict[str, Any] = {"number": number, "kind": kind}
    for key, (expected, fits) in _FIELDS.items():
        if key not in raw:
            continue
        if not fits(raw[key]):
            raise _wrong(f"action.{key}", expected, raw[key])
        out[key] = raw[key]
    return cast("Action", out)


def _is_cards(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MAX_ACTION_CARDS
        and all(isinstance(card, str) and len(card) <= 16 for card in value)
        and len(set(value)) == len(value)
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_ACTION_TEXT


def _is_value(value: object) -> bool:
    return isinstance(value, int) or _is_text(value)


def _is_counts(value: object) -> bool:
    return (
        isinstance(value, Mapping)
        and len(value) <= 16
        and all(isinstance(key, str) and len(key) == 1 for key in value)
        and all(_is_number(count) and 0 <= count <= 99 for count in value.values())
    )


_FIELDS: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "cards": (f"at most {MAX_ACTION_CARDS} different card ids", _is_cards),
    "move": ("a short text", _is_text),
    "key": ("a short text", _is_text),
    "at": ("a position from 0", lambda value: _is_number(value) and value >= 0),
    "value": (
        "a short text, a number or a truth value",
        lambda v: _is_text(v) or type(v) in (int, bool),
    ),
    "values": ("numbers by rank", _is_counts),
}


def parse_restore(raw: object) -> Restore:
    """Check the answer of the browser's storage and return it.

    Raises ``BrowserMessageError`` for another shape or an over-long text.
    """
    if not isinstance(raw, Mapping):
        raise _wrong("restore", "a mapping", raw)
    key, text = raw.get("key"), raw.get("text")
    if not _is_text(key):
        raise _wrong("restore.key", "a short text", key)
    if text is not None and (not isinstance(text, str) or len(text) > MAX_RESTORE_CHARS):
        raise _wrong("restore.text", f"at most {MAX_RESTORE_CHARS} characters", text)
    return {"key": cast("str", key), "text": text, "storage": bool(raw.get("storage"))}
