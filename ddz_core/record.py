"""Records of games as text (``.ddz``): written, read and replayed from nothing.

Layer 2. A record is a version line, headers ``name: value``, an empty line, then one action a
line, ``seat action ; comment``. A running game's record carries the seed and the history and no
cards; a finished game, or a deal set by hand, carries the cards. Headers that nobody here knows and
comments survive reading and writing. Codes for links, and open positions, are found here too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from ddz_core import dealing, rulesets
from ddz_core.actions import ASIDE
from ddz_core.codes import decode, encode, read_overrides, record_error
from ddz_core.dealing import AnyRules, Deal
from ddz_core.errors import DdzError, RecordError, shortened
from ddz_core.game import Game, new_game
from ddz_core.language import Phrase
from ddz_core.positions import Position, position, position_of
from ddz_core.rules import Rules
from ddz_core.specs import essence

__all__ = [
    "VERSION",
    "Position",
    "decode",
    "encode",
    "position",
    "position_of",
    "read_record",
    "write_record",
]

VERSION = 1
"""The version of records written; earlier ones are read as well."""

MOST_TEXT = 200_000
MOST_HEADERS = 100
MOST_ACTIONS = 2_000

_OURS = (
    *("rules", "overrides", "hash", "seed", "number", "deal", "first", "face_up", "wild"),
    *("draws", "result", "points"),
)
"""Headers that the game itself says; all others are kept as they are."""

_ACTION = re.compile(r"([0-9]|-)[ \t]+(\S+)")
_RULE_PARTS = (
    *("deck", "deal", "sides", "auction", "declare", "play", "kickers", "kinds", "wilds"),
    *("score", "leave", "trustee"),
)


def write_record(game: Game, headers: Mapping[str, str] | None = None) -> str:
    """Return the record of a game.

    Args:
        game: running or finished; a running game with a seed gives away no card.
        headers: lines to add or to replace among those the game was read with.

    Raises:
        RecordError: if the name of a header is one of the record's own or is no plain word.
    """
    lines = [f"paili {VERSION}", *_own_headers(game)]
    extra = dict(game.headers)
    for name, value in (headers or {}).items():
        key = str(name).strip().lower()
        if not re.fullmatch(r"[a-z][a-z0-9_-]{0,39}", key) or key in _OURS:
            raise RecordError(
                f"headers: {name!r} cannot be the name of a header",
                key="error.record.header_name",
                field="headers",
                expected="a-z",
                got=name,
            )
        extra[key] = shortened(value, 2_000).strip()
    lines += [f"{name}: {value}" for name, value in extra.items()]
    notes = _notes_by_index(game)
    lines += [f"; {text}" for text in notes.get(0, [])]
    lines.append("")
    for entry in game.history:
        comments = notes.get(entry.index + 1, [])
        line = f"{'-' if entry.seat is None else entry.seat} {game.told(entry)}"
        lines.append(line + (f" ; {comments[0]}" if comments else ""))
        lines += [f"; {text}" for text in comments[1:]]
    return "\n".join(lines) + "\n"


def _own_headers(game: Game) -> list[str]:
    """Return the headers that the game itself says."""
    rules, deal = game.rules, game.deal
    lines = [f"rules: {rules.id}"]
    if rules.overrides:
        lines.append("overrides: " + msgspec.json.encode(dict(rules.overrides)).decode())
    lines.append(f"hash: {rules.hash} {_part_hashes(rules)}")
    if deal.seed is not None:
        lines.append(f"seed: {deal.seed}")
        if deal.number:
            lines.append(f"number: {deal.number}")
    if deal.seed is None or game.phase == "settled":
        lines.append(f"deal: {deal.text(suits=_needs_suits(rules, deal))}")
        lines.append(f"first: {deal.first}")
        told = (("face_up", deal.face_up_text), ("wild", deal.wild), ("draws", deal.draws_text))
        lines += [f"{name}: {value}" for name, value in told if value]
    if game.outcome is not None and game.ledger is not None:
        lines.append(f"result: {game.outcome}")
        lines.append("points: " + " ".join(map(str, game.ledger.points)))
    return lines


def _needs_suits(rules: AnyRules, deal: Deal) -> bool:
    """Tell whether the ranks alone would be read back with other suits."""
    if deal.seed is not None:
        return True
    plain = dealing.deal_from_text(rules, deal.text(), first=deal.first)
    if deal.face_up is not None and dealing.plain_rules(rules).deck.decks > 1:
        return True
    return (plain.hands, plain.bottom, plain.dead) != (deal.hands, deal.bottom, deal.dead)


def _part_hashes(rules: Rules) -> str:
    """Return four digits for each part of the rules, so that a reader can say which one changed."""
    plain = essence(rules.ruleset)
    return " ".join(f"{part}={_short_hash(plain.get(part))}" for part in _RULE_PARTS)


def _short_hash(value: object) -> str:
    """Return four hexadecimal digits of a value's content."""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:4]


def _notes_by_index(game: Game) -> dict[int, list[str]]:
    """Return the comments by the number of actions before them."""
    found: dict[int, list[str]] = {}
    for index, text in game.notes:
        found.setdefault(index, []).append(text)
    return found


# --- reading -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parsed:
    """A record cut into its parts, nothing checked against the rules yet."""

    headers: dict[str, tuple[int, str]]
    """Value and line number by name."""
    actions: list[tuple[int, str, str]]
    """Line number, seat as text, action."""
    notes: list[tuple[int, str]]


def read_record(text: str) -> Game:
    """Read a record and replay it.

    The rules are those of today. If they have changed since the record was written and the game is
    still legal with the same result, it opens, with a header ``rules-changed`` that names the parts
    that differ.

    Raises:
        RecordError: it names the line, what was expected and what came: no record, a later version,
            a header that cannot be used, unknown rules, an action that is illegal (with its number
            and the reason), or a result that the replay does not give.
    Cost: about a tenth of a millisecond an action.
    """
    parsed = _parse(text)
    rules = _rules(parsed)
    deal = _deal(parsed, rules)
    changed = _changed(parsed, rules)
    try:
        game = new_game(rules, deal)
    except DdzError as error:
        raise _at_line(parsed.headers["rules"][0], error) from error
    told = 0
    for number, (line, seat, action) in enumerate(parsed.actions, 1):
        if seat == "-":
            _check_chance(game, told, number, line, action)
            told += 1
            continue
        told = len(game.history) + 1
        game = _replayed(game, number, line, seat, action, changed)
    _check_result(parsed, game, changed)
    headers = [(k, v) for k, (_, v) in parsed.headers.items() if k not in _OURS]
    if changed:
        headers = [h for h in headers if h[0] != "rules-changed"] + [("rules-changed", changed)]
    return replace(game, headers=tuple(headers), notes=tuple(parsed.notes))


def _at_line(line: int, error: DdzError) -> RecordError:
    """Return the error for a header whose value cannot be used, with the reason."""
    return record_error(
        "value",
        f"line {line}: {error}",
        field=f"line {line}",
        expected=error.expected,
        got=error.got,
        line=line,
        why=Phrase(error.key, error.params),
    )


def _parse(text: str) -> _Parsed:
    """Cut a record into headers, actions and comments."""
    if not isinstance(text, str) or len(text) > MOST_TEXT:
        raise record_error(
            "size",
            f"a record is a text of at most {MOST_TEXT} characters",
            field="record",
            expected=MOST_TEXT,
            got=len(text) if isinstance(text, str) else type(text).__name__,
        )
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    _check_version(lines[0])
    headers: dict[str, tuple[int, str]] = {}
    notes: list[tuple[int, str]] = []
    at = 1
    while at < len(lines) and lines[at].strip():
        line = lines[at].strip()
        at += 1
        if line.startswith(";"):
            notes.append((0, line[1:].strip()))
            continue
        name, colon, value = line.partition(":")
        name = name.strip().lower()
        if not colon or not name or name in headers or len(headers) >= MOST_HEADERS:
            raise record_error(
                "header",
                f"line {at}: expected a new 'name: value', got {shortened(line)!r}",
                field=f"line {at}",
                expected="name: value",
                got=line,
                line=at,
            )
        headers[name] = (at, value.strip())
    actions: list[tuple[int, str, str]] = []
    for number, raw in enumerate(lines[at:], at + 1):
        action, semicolon, comment = raw.partition(";")
        action = action.strip()
        if action:
            found = _ACTION.fullmatch(action)
            if found is None or len(actions) >= MOST_ACTIONS:
                raise record_error(
                    "action",
                    f"line {number}: action {len(actions) + 1}: expected 'seat action', "
                    f"got {shortened(action)!r}",
                    field=f"line {number}",
                    expected="0 pass",
                    got=action,
                    line=number,
                    number=len(actions) + 1,
                )
            actions.append((number, found[1], found[2]))
        if semicolon and comment.strip():
            notes.append((len(actions), comment.strip()))
    return _Parsed(headers=headers, actions=actions, notes=notes)


def _check_version(line: str) -> None:
    """Refuse a text that is no record, or one of a later version."""
    found = re.fullmatch(r"paili[ \t]+([0-9]{1,6})[ \t]*", line)
    if found is None:
        raise record_error(
            "start",
            f"line 1: expected 'paili {VERSION}', got {shortened(line)!r}",
            field="line 1",
            expected=f"paili {VERSION}",
            got=line,
        )
    if int(found[1]) > VERSION or int(found[1]) < 1:
        raise record_error(
            "version",
            f"line 1: the record is of version {found[1]}; versions up to {VERSION} can be read",
            field="line 1",
            expected=VERSION,
            got=found[1],
        )


def _rules(parsed: _Parsed) -> Rules:
    """Return the rules that a record names."""
    line, ruleset_id = parsed.headers.get("rules", (1, ""))
    if not ruleset_id:
        raise record_error(
            "missing", "the header 'rules' is missing", field="rules", expected="rules: classic"
        )
    overrides: dict[str, Any] = {}
    if "overrides" in parsed.headers:
        over_line, raw = parsed.headers["overrides"]
        overrides = read_overrides(raw, field=f"line {over_line}")
        line = over_line
    try:
        return Rules(rulesets.load(ruleset_id, overrides or None))
    except DdzError as error:
        raise _at_line(line, error) from error


def _whole(parsed: _Parsed, name: str, default: int | None = None) -> int | None:
    """Return a header as a whole number, or the default where it is missing or empty."""
    line, value = parsed.headers.get(name, (0, ""))
    if not value:
        return default
    if not re.fullmatch(r"[0-9]{1,20}", value):
        raise record_error(
            "number",
            f"line {line}: {name}: expected a whole number, got {shortened(value)!r}",
            field=name,
            expected="0, 1, 2 …",
            got=value,
            line=line,
        )
    return int(value)


def _deal(parsed: _Parsed, rules: Rules) -> Deal:
    """Return the deal of a record: from its cards if it has them, else from its seed."""
    seed, number = _whole(parsed, "seed"), _whole(parsed, "number", 0) or 0
    line, text = parsed.headers.get("deal", (0, ""))
    if not text and seed is None:
        raise record_error(
            "missing", "the header 'seed' or 'deal' is missing", field="deal", expected="seed: 7"
        )
    try:
        seeded = None if seed is None else dealing.deal(rules, seed, number)
        if not text:
            assert seeded is not None
            return seeded
        given = dealing.deal_from_text(
            rules,
            text,
            first=_whole(parsed, "first"),
            face_up=parsed.headers.get("face_up", (0, ""))[1] or None,
            wild=parsed.headers.get("wild", (0, ""))[1] or _drawn_wild(parsed),
            draws=parsed.headers.get("draws", (0, ""))[1],
        )
    except RecordError:
        raise
    except DdzError as error:
        raise _at_line(line or parsed.headers["seed"][0], error) from error
    # Cards win over a seed: a generator that deals otherwise one day must not spoil old records.
    return seeded if seeded is not None and dealing.same(seeded, given) else given


def _drawn_wild(parsed: _Parsed) -> str:
    """Return the wild rank that chance drew by the actions of a record, or nothing."""
    drawn = (action for _, seat, action in parsed.actions if seat == "-")
    return next((a.removeprefix("wild:") for a in drawn if a.startswith("wild:")), "")


def _changed(parsed: _Parsed, rules: Rules) -> str:
    """Return the parts of the rules that differ from those the record was written with.

    Raises:
        RecordError: if the rules are others, but no part is said to be.
    """
    words = parsed.headers.get("hash", (0, ""))[1].split()
    if not words or words[0] == rules.hash:
        return ""
    now = dict(word.partition("=")[::2] for word in _part_hashes(rules).split())
    then = dict(word.partition("=")[::2] for word in words[1:])
    parts = [part for part in now if now[part] != then.get(part)]
    if not then or not parts:
        line = parsed.headers["hash"][0]
        raise record_error(
            "hash",
            f"line {line}: hash: expected {rules.hash} for these rules, got {shortened(words[0])}",
            field="hash",
            expected=rules.hash,
            got=words[0],
            line=line,
        )
    return ", ".join(parts)


def _check_chance(game: Game, at: int, number: int, line: int, action: str) -> None:
    """Refuse something that chance did not do: it follows from the deal."""
    due = game.history[at] if at < len(game.history) else None
    if due is None or due.seat is not None or action not in (due.action, game.told(due)):
        expected = "" if due is None or due.seat is not None else due.action
        raise record_error(
            "chance",
            f"line {line}: action {number}: chance gave {expected or 'nothing'} here, "
            f"the record says {shortened(action)}",
            field=f"line {line}",
            expected=expected,
            got=action,
            line=line,
            number=number,
        )


def _replayed(game: Game, number: int, line: int, seat: str, action: str, changed: str) -> Game:
    """Return the game after one recorded action."""
    to_act = "-" if game.to_act is None else str(game.to_act)
    aside = action in ASIDE
    if seat != to_act and game.outcome is None and not aside:
        raise record_error(
            "turn",
            f"line {line}: action {number}: seat {to_act} is to act, the record says {seat}",
            field=f"line {line}",
            expected=to_act,
            got=seat,
            line=line,
            number=number,
        )
    try:
        return game.apply(action, seat=int(seat) if aside else None)
    except DdzError as error:
        sentence = f"line {line}: action {number} ({seat} {shortened(action)}) is illegal: {error}"
        if changed:
            sentence += f"; the rules have changed since this record was written ({changed})"
        raise record_error(
            "illegal_changed" if changed else "illegal",
            sentence,
            field=f"line {line}",
            expected=error.expected,
            got=f"{seat} {action}",
            line=line,
            number=number,
            why=Phrase(error.key, error.params),
            changed=changed,
        ) from error


def _check_result(parsed: _Parsed, game: Game, changed: str) -> None:
    """Refuse a result that the replay does not give."""
    points = "" if game.ledger is None else " ".join(map(str, game.ledger.points))
    for name, now in (("result", game.outcome or ""), ("points", points)):
        line, then = parsed.headers.get(name, (0, ""))
        if then and " ".join(then.split()) != now:
            sentence = f"line {line}: {name}: the record says {shortened(then)}, its actions give "
            sentence += now or "an unfinished game"
            if changed:
                sentence += f"; the rules have changed since it was written ({changed})"
            raise record_error(
                "result_changed" if changed else "result",
                sentence,
                field=name,
                expected=now or "…",
                got=then,
                line=line,
                changed=changed,
            )
