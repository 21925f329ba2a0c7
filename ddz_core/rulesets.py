"""Rulesets: everything that makes one game differ from another, as checked data.

Layer 0. A ruleset is a TOML file in ``data/rulesets``, read into frozen structs; unknown keys are
refused and contradictions name the two fields. ``extends`` inherits from another file, stating
only the differences (rows of kinds and of the ladder are matched by their id). Overrides by dotted
path make house rules. Every field has a provenance: *stated* by a document, *assumed*, or *changed*
by an override; a field taken over from the parent counts as assumed. Nothing here plays a game, and
outside this module a ruleset's id may be printed but never compared.
"""

from __future__ import annotations

import difflib
import functools
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from ddz_core.data_files import data_dir
from ddz_core.errors import RulesetError
from ddz_core.ruleset_checks import check
from ddz_core.specs import Ruleset, row_name

Overrides: TypeAlias = Mapping[str, Any]
"""Values by dotted path, such as ``{"kickers.both_jokers": True}``."""


class Provenance(msgspec.Struct, frozen=True):
    """Where the value of one field comes from.

    Attributes:
        kind: ``stated`` by a document, ``assumed``, or ``changed`` by an override.
        document: number of the document (``000`` to ``004``), empty where assumed.
        section: heading in that document.
        reason: why it was assumed, by language; empty where the default is simply sensible.
    """

    kind: Literal["stated", "assumed", "changed"]
    document: str = ""
    section: str = ""
    reason: dict[str, str] = {}


def ruleset_ids() -> list[str]:
    """Return the ids of the rulesets shipped, in the order in which lists show them."""
    return [ruleset.id for ruleset in sorted(map(_read, _files()), key=lambda r: (r.listed, r.id))]


@functools.cache
def _files() -> dict[str, Path]:
    """Return the shipped files by id."""
    return {path.stem: path for path in sorted((data_dir() / "rulesets").glob("*.toml"))}


@functools.cache
def _read(ruleset_id: str) -> Ruleset:
    """Read one shipped ruleset without overrides."""
    return build(_merged(ruleset_id))


@functools.cache
def _raw(ruleset_id: str) -> dict[str, Any]:
    """Return one shipped file as plain data; callers must not change it."""
    path = _files().get(ruleset_id)
    if path is None:
        near = difflib.get_close_matches(str(ruleset_id), _files(), n=1)
        raise RulesetError(
            f"unknown ruleset {ruleset_id!r}; there are {', '.join(_files())}",
            key="error.ruleset.unknown",
            field="rules",
            expected=", ".join(near or _files()),
            got=ruleset_id,
        )
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _merged(ruleset_id: str) -> dict[str, Any]:
    """Return one shipped file merged over its parents."""
    return _extended(_raw(ruleset_id), seen=(ruleset_id,))


def _extended(raw: Mapping[str, Any], seen: tuple[str, ...]) -> dict[str, Any]:
    """Merge plain data over the parent that it names, if any."""
    parent = raw.get("extends", "")
    if not parent:
        return _merge({}, raw)
    if parent in seen:
        raise RulesetError(
            f"rulesets extend each other in a circle: {' → '.join((*seen, str(parent)))}",
            key="error.ruleset.circle",
            field="extends",
            expected="",
            got=parent,
        )
    base = _extended(_raw(parent), (*seen, parent))
    # What the parent's documents state is not stated for the child.
    base["source"] = []
    merged = _merge(base, raw)
    merged["ruling"] = [*raw.get("ruling", []), *base.get("ruling", [])]
    return merged


def _merge(base: Mapping[str, Any], raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``base`` with the differences of ``raw``; rows with an id are matched by it."""
    merged = dict(base)
    for key, value in raw.items():
        below = merged.get(key)
        if key in ("name", "factors"):
            merged[key] = value
        elif isinstance(value, Mapping):
            merged[key] = _merge(below if isinstance(below, Mapping) else {}, value)
        elif _is_rows(value) and _is_rows(below):
            rows = {row_name(row): row for row in below or []}
            new = {row_name(row): _merge(rows.get(row_name(row), {}), row) for row in value}
            # rows that name all those below them also say in which order they stand
            merged[key] = list((new if set(rows) <= set(new) else rows | new).values())
        else:
            merged[key] = value
    return merged


def _is_rows(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(
        isinstance(v, Mapping) and "id" in v for v in value
    )


def load(ruleset_id: str | Path, overrides: Overrides | None = None) -> Ruleset:
    """Load a shipped ruleset by id, or a file by path, with overrides by dotted path.

    Raises:
        RulesetError: if the id, a path, a value or the whole is wrong; it names field, expectation
            and what came.
    Cost: about a millisecond; shipped rulesets without overrides are cached.
    """
    if isinstance(ruleset_id, Path):
        try:
            text = ruleset_id.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RulesetError(
                f"cannot read {ruleset_id}: {error}",
                key="error.ruleset.file",
                field="rules",
                expected="UTF-8",
                got=str(ruleset_id),
            ) from error
        return parse(text, overrides)
    if not overrides:
        return _read(ruleset_id)
    return _overridden(_merged(ruleset_id), overrides)


def parse(text: str, overrides: Overrides | None = None) -> Ruleset:
    """Read a ruleset from TOML text; it may extend a shipped one.

    Raises:
        RulesetError: as :func:`load`, and if the text is no TOML.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(
            f"the ruleset is no valid TOML: {error}",
            key="error.ruleset.toml",
            field="rules",
            expected="TOML",
            got=error,
        ) from error
    return _overridden(_extended(raw, seen=(str(raw.get("id", "")),)), overrides or {})


def _overridden(raw: Mapping[str, Any], overrides: Overrides) -> Ruleset:
    """Build a ruleset from plain data with dotted paths set."""
    plain: dict[str, Any] = msgspec.to_builtins(build(raw))
    plain.pop("overrides", None)
    for path, value in overrides.items():
        _set(plain, str(path), value)
    return build({**plain, "overrides": dict(overrides)})


_NOT_RULES = frozenset(
    {"id", "version", "name", "listed", "extends", "source", "ruling", "overrides"}
)


def _set(plain: dict[str, Any], path: str, value: object) -> None:
    """Set one dotted path in plain data; a row of a list is named by its id."""
    node: Any = plain
    holder: Any = None
    parts = path.split(".")
    for depth, part in enumerate(parts):
        if depth == 0 and part in _NOT_RULES:
            node = None
        rows = node if isinstance(node, (list, tuple)) else None
        if rows is not None:
            node = {row_name(r): r for r in node if isinstance(r, Mapping) and "id" in r}
        if not isinstance(node, dict) or part not in node:
            near = difflib.get_close_matches(path, [p for p, _ in leaves(plain)], n=1)
            raise RulesetError(
                f"there is no rule {path!r}" + (f"; did you mean {near[0]!r}?" if near else ""),
                key="error.ruleset.path" if near else "error.ruleset.path.none",
                field=path or "overrides",
                expected=near[0] if near else "kickers.both_jokers",
                got=path,
            )
        if depth < len(parts) - 1:
            holder, node = node, node[part]
        elif rows is None:
            node[part] = value
        else:
            holder[parts[depth - 1]] = [value if row_name(row) == part else row for row in rows]


def leaves(plain: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every rule of plain ruleset data as dotted path and value; rows go by their id."""
    for key, value in plain.items():
        if not prefix and key in _NOT_RULES:
            continue
        path = f"{prefix}{key}"
        if isinstance(value, Mapping) and value:
            yield from leaves(value, path + ".")
        elif _is_rows(value) and value:
            for row in value:
                yield path + "." + row_name(row), {k: v for k, v in row.items() if k != "id"}
        else:
            yield path, value


def fields(ruleset: Ruleset) -> dict[str, Any]:
    """Return every rule of a ruleset by dotted path; a row of kinds or ladder is one field."""
    return dict(leaves(msgspec.to_builtins(ruleset)))


def provenance(ruleset: Ruleset, path: str) -> Provenance:
    """Return where a rule's value comes from; a source may name a path or a part above it."""
    if any(
        path == p or p.startswith(path + ".") or path.startswith(p + ".") for p in ruleset.overrides
    ):
        return Provenance(kind="changed")
    best, found = -1, Provenance(kind="assumed")
    for source in ruleset.source:
        for stated in source.fields:
            if (path == stated or path.startswith(stated + ".")) and len(stated) > best:
                best = len(stated)
                found = Provenance(kind="stated", document=source.document, section=source.section)
    if best < 0:
        for ruling in ruleset.ruling:  # the child's stand before those of its parents
            fits = path == ruling.field or path.startswith(ruling.field + ".")
            if fits and len(ruling.field) > best:
                best = len(ruling.field)
                found = Provenance(kind="assumed", reason=ruling.reason)
    return found


def build(raw: Mapping[str, Any]) -> Ruleset:
    """Turn plain data into a checked ruleset.

    Raises:
        RulesetError: for an unknown key, a wrong type or a contradiction.
    """
    try:
        ruleset = msgspec.convert(raw, Ruleset)
    except msgspec.ValidationError as error:
        message, _, where = str(error).partition(" - at `")
        field = where.rstrip("`").removeprefix("$").lstrip(".")
        raise RulesetError(
            f"{field or 'ruleset'}: {message}",
            key="error.ruleset.value",
            field=field or "ruleset",
            expected=message,
            got=_value_at(raw, field),
        ) from error
    check(ruleset)
    return ruleset


def _value_at(raw: object, path: str) -> object:
    """Return what stands at the place msgspec complains of, or nothing."""
    for part in path.split("."):
        if not isinstance(raw, Mapping) or part not in raw:
            return ""
        raw = raw[part]
    return raw
