"""Games of other programs, and of ours, from any text; and ours for other programs.

Layer 2. :func:`read` finds the format by itself: records (``.ddz``) and codes of ours, DouZero's
letters and numbers, RLCard's actions, Botzone's logs. One text may hold several games. Nothing in
a text is run; whatever is wrong with it is a :class:`~ddz_core.errors.RecordError` that names the
place in the source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ddz_core import codes
from ddz_core.errors import DdzError, RecordError, shortened
from ddz_core.game import Game
from ddz_core.imports import botzone, data, douzero, rlcard
from ddz_core.imports.told import NOT_TOLD, Told, game_of, import_error
from ddz_core.imports.writing import WRITERS, check_format
from ddz_core.language import Phrase
from ddz_core.record import read_record, write_record
from ddz_core.rules import Rules

__all__ = ["FORMATS", "NOT_TOLD", "every", "read", "write"]

FORMATS = ("paili", "code", "douzero", "rlcard", "botzone")
"""Formats that are read and written: our record, our code, and those of three programs."""

MOST_GAMES = 200
"""Games of one text that are read."""

_READERS: dict[str, tuple[Callable[[object], bool], Callable[[Any], Told]]] = {
    "botzone": (botzone.is_game, botzone.told),
    "rlcard": (rlcard.is_game, rlcard.told),
    "douzero": (douzero.is_game, douzero.told),
}
_HAND = "[0-9TJQKAXDBRtjqkaxdbr小大王 ]+"
_LINES = re.compile(rf"{_HAND}(/{_HAND})+(\|{_HAND})?\s*(\n|$)|[^\n]*landlord")
_CODE = re.compile(r"[A-Za-z0-9_-]{20,}")


def read(text: str, rules: Rules | None = None, format: str = "") -> Game | list[Game]:  # noqa: A002
    """Return the game of a text, or the list of games where it holds several.

    Args:
        text: a record, codes or links (one a line), data in JSON or Python's notation, or lines.
        rules: the game for what another program played; None for the classic one with that
            program's own kickers. Records and codes of ours say their rules themselves.
        format: one of :data:`FORMATS`; empty to find it.

    Raises:
        RecordError: at the first game that cannot be read; it names field, what was expected and
            what came, and the game's number where there are several.
        DdzError: if there is no such format.
    """
    found = every(text, rules, format)
    for one in found:
        if isinstance(one, DdzError):
            raise one
    games = [one for one in found if isinstance(one, Game)]
    return games[0] if len(games) == 1 else games


def every(
    text: str,
    rules: Rules | None = None,
    format: str = "",  # noqa: A002
) -> tuple[Game | DdzError, ...]:
    """Return every game of a text, or why one cannot be read in its place.

    Args: as :func:`read`.

    Raises:
        RecordError: if no game is found at all.
        DdzError: if there is no such format.
    """
    if format:
        check_format(format, FORMATS)
    if not isinstance(text, str) or len(text) > data.MOST_TEXT:
        raise import_error(
            "size",
            f"expected a text of at most {data.MOST_TEXT} characters",
            field="text",
            expected=data.MOST_TEXT,
            got=len(text) if isinstance(text, str) else type(text).__name__,
        )
    sources = list(_sources(text.lstrip("\ufeff").strip(), rules, format))
    if len(sources) > MOST_GAMES:
        raise import_error(
            "games",
            f"expected at most {MOST_GAMES} games, got {len(sources)}",
            field="text",
            expected=MOST_GAMES,
            got=len(sources),
        )
    found: list[Game | DdzError] = []
    for number, make in enumerate(sources, 1):
        try:
            found.append(make())
        except DdzError as error:
            found.append(_numbered(error, number) if len(sources) > 1 else error)
    return tuple(found)


def _numbered(error: DdzError, number: int) -> RecordError:
    """Return an error with the number of its game."""
    told = import_error(
        "game",
        f"game {number}: {error}",
        field=error.field,
        expected=error.expected,
        got=error.got,
        number=number,
        why=Phrase(error.key, error.params),
    )
    told.__cause__ = error
    return told


def _sources(text: str, rules: Rules | None, name: str) -> Iterator[Callable[[], Game]]:
    """Give for each game of a text what reads it."""
    if not text:
        raise _unknown(text)
    if name == "paili" or (not name and text.startswith("paili")):
        parts = re.split(r"(?m)^(?=paili[ \t]+\d)", text)
        for part in filter(None, (part.strip() for part in parts)):
            yield partial(read_record, part + "\n")
    elif name == "code" or (not name and _is_codes(text)):
        for word in text.split():
            yield partial(_coded, word)
    elif data.looks_like_data(text):
        for value in data.parsed(text):
            for one in _games(value, name):
                yield partial(_from_data, one, name, rules)
    elif name == "douzero" or (not name and _LINES.match(text)):
        for part in re.split(r"\n[ \t]*\n(?=[ \t]*(?:landlord|[^\n]*/))", text):
            yield partial(_from_lines, part, rules)
    else:
        raise _unknown(text)


def _unknown(text: str) -> RecordError:
    """Return the error for a text in which no game is found."""
    return import_error(
        "unknown",
        "the text is no game that can be read: expected a record, a code, or a game of "
        f"DouZero, RLCard or Botzone, got {shortened(text, 40)!r}",
        field="text",
        expected=", ".join(FORMATS),
        got=text,
    )


def _is_codes(text: str) -> bool:
    """Tell whether a text is nothing but codes and links with a code."""
    return all(_code_of(word) for word in text.split())


def _code_of(word: str) -> str:
    """Return the code of a word, or nothing where it has none."""
    if "?" in word:
        try:
            return parse_qs(urlsplit(word).query).get("g", [""])[0]
        except ValueError:
            return ""
    return word if _CODE.fullmatch(word) else ""


def _coded(word: str) -> Game:
    """Return the game of a code or link."""
    value = codes.decode(_code_of(word) or word)
    if not isinstance(value, Game):
        raise RecordError(
            "the code is a position's, not a game's",
            key="error.code.not_a_game",
            field="code",
            expected="game",
            got="position",
        )
    return value


def _games(value: Any, name: str) -> list[Any]:  # noqa: ANN401
    """Return the games in data: the data itself, or what it lists."""
    if _reader(value, name) is not None:
        return [value]
    if isinstance(value, (list, tuple)) and value:
        return [_inside(one) for one in value]
    if isinstance(value, dict) and isinstance(value.get("games"), (list, tuple)):
        return [_inside(one) for one in value["games"]]
    return [_inside(value)]


def _inside(value: Any) -> Any:  # noqa: ANN401
    """Return the replay that a row of a table of games holds, else the value."""
    packed = value.get("replay") if isinstance(value, dict) else value
    if isinstance(packed, str):
        return data.parsed(packed)[0]
    return packed if packed is not None else value


def _reader(value: object, name: str) -> Callable[[Any], Told] | None:
    """Return what reads data, by its format or by its looks."""
    for known, (is_game, told) in _READERS.items():
        if name in ("", known) and is_game(value):
            return told
    return None


def _from_data(value: Any, name: str, rules: Rules | None) -> Game:  # noqa: ANN401
    """Return the game that data tells."""
    reader = _reader(value, name)
    if reader is None:
        raise _unknown(str(value))
    return game_of(reader(value), rules)


def _from_lines(text: str, rules: Rules | None) -> Game:
    """Return the game that lines tell."""
    return game_of(douzero.from_lines(text), rules)


def write(game: Game, format: str = "paili") -> str:  # noqa: A002
    """Return a game in one of :data:`FORMATS`.

    Bids are kept by ``paili``, ``code`` and ``botzone``, suits by all but ``douzero``.

    Raises:
        DdzError: if there is no such format.
        RecordError: if the game cannot be told in it: another deck, wild cards, or still running.
    """
    check_format(format, FORMATS)
    if format == "paili":
        return write_record(game)
    return codes.encode(game) if format == "code" else WRITERS[format](game)
