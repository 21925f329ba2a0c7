"""Texts of other programs as plain data: JSON, lines of JSON, or Python's own notation.

Nothing in a text is run. Whatever stands for a list or a mapping comes out as one; where a field
has another form than expected, the error names its path.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any

from ddz_core.errors import RecordError, shortened
from ddz_core.imports.told import import_error, wrong_field

MOST_TEXT = 2_000_000
"""Characters of a text that is looked at."""


def looks_like_data(text: str) -> bool:
    """Tell whether a text begins as data does."""
    return text.lstrip()[:1] in tuple("[{(\"'")


def parsed(text: str) -> list[Any]:
    """Return the values that a text holds, each a list or a mapping.

    Raises:
        RecordError: if it is neither JSON, nor lines of JSON, nor Python's notation.
    """
    value = _value(text)
    if value is not None:
        return [value]
    lines = [line for line in text.splitlines() if line.strip()]
    values = []
    for number, line in enumerate(lines, 1):
        one = _value(line) if len(lines) > 1 else None
        if one is None:
            raise _unreadable(text) if number == 1 else _bad_line(number, line)
        values.append(one)
    if not values:
        raise _unreadable(text)
    return values


def _value(text: str) -> Any:  # noqa: ANN401
    """Return the list or mapping of a text, None if there is none."""
    value: Any = text
    for _ in range(3):  # a replay may be packed as a text inside a text
        if not isinstance(value, str):
            break
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            try:
                value = ast.literal_eval(value.strip())
            except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
                return None
    return value if isinstance(value, (list, tuple, Mapping)) else None


def _unreadable(text: str) -> RecordError:
    where = ""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
    except (ValueError, RecursionError):
        where = "line 1"
    return import_error(
        "data",
        f"{where or 'line 1'}: expected data in JSON, got {shortened(text.strip(), 40)!r}",
        field=where or "line 1",
        expected="JSON",
        got=text.strip(),
    )


def _bad_line(number: int, line: str) -> RecordError:
    return import_error(
        "data",
        f"line {number}: expected data in JSON, got {shortened(line, 40)!r}",
        field=f"line {number}",
        expected="JSON",
        got=line,
    )


def mapping(value: object, field: str) -> Mapping[str, Any]:
    """Return a value that must be a mapping."""
    if not isinstance(value, Mapping):
        raise wrong_field(field, "{…}", value)
    return value


def sequence(value: object, field: str) -> Sequence[Any]:
    """Return a value that must be a list."""
    if not isinstance(value, (list, tuple)):
        raise wrong_field(field, "[…]", value)
    return value


def whole(value: object, field: str, low: int, high: int) -> int:
    """Return a value that must be a whole number within bounds; digits as text count as one."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value.strip()[:9])
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise wrong_field(field, f"{low}–{high}", value)
    return value
