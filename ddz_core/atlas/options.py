"""Every switch that house rules have, found in the structure of a ruleset."""

from __future__ import annotations

import types
import typing
from dataclasses import dataclass
from typing import Literal, TypeAlias

import msgspec

from ddz_core import rulesets
from ddz_core.atlas.compare import Example, example_between
from ddz_core.atlas.lines import group_of, row_paths
from ddz_core.errors import DdzError
from ddz_core.rules import Rules, load_ruleset
from ddz_core.rulesets import Provenance
from ddz_core.specs import Ruleset, Spec

Form: TypeAlias = Literal["bool", "choice", "number", "numbers", "row"]
"""How an option is set."""

SECTIONS = ("deck", "deal", "auction", "kickers", "wilds", "score", "leave", "trustee")
"""Parts of a ruleset whose fields are switches; rows are switched on and off by their kind."""

_LARGEST = {"kickers.max_equal": 4, "deal.seats": 5, "deal.hand": 40, "deal.bottom": 20}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One switch or number of a ruleset.

    Attributes:
        path: dotted path of the field; ``kinds.off`` for kinds, which have a name besides.
        kind: ``bool``, ``choice``, ``number``, ``numbers`` (a list of them) or ``row`` (a kind that
            can be off).
        group: the group of lines it belongs to.
        value: the value in force; for a row whether it is on.
        choices: all values of a choice.
        low, high: bounds of a number.
        name: id of the kind, for a row.
        provenance: where the value comes from.
    """

    path: str
    kind: Form
    group: str
    value: object
    choices: tuple[object, ...] = ()
    low: int = 0
    high: int = 0
    name: str = ""
    provenance: Provenance

    def override(self, rules: Rules, value: object) -> tuple[str, object]:
        """Return the house rule that gives the option another value: path and value."""
        if self.kind != "row":
            return self.path, value
        off = [name for name in rules.ruleset.kinds.off if name != self.name]
        return self.path, off if value else [*off, self.name]

    def other(self) -> object | None:
        """Return another value to show what the option does, or None."""
        if self.kind in ("bool", "row"):
            return not self.value
        if self.kind == "choice":
            return next((choice for choice in self.choices if choice != self.value), None)
        if self.kind == "numbers":
            numbers = list(self.value) if isinstance(self.value, (list, tuple)) else []
            if self.path.endswith(".run"):
                return [numbers[0] + 1, *numbers[1:]]
            return numbers[:-1] or [*numbers, 1]
        number = int(str(self.value))
        return number + 1 if number < self.high else number - 1 if number > self.low else None


def options(rules: Rules) -> list[Option]:
    """Return every switch of a ruleset with the value in force, in reading order."""
    ruleset = rules.ruleset
    found: list[Option] = []
    for section in SECTIONS:
        found += _fields(ruleset, getattr(ruleset, section), section)
    found += _rows(ruleset)
    counted = "adds" if ruleset.score.combine == "sum" else "factor"
    for place, row in zip(row_paths(ruleset, "play.ladder"), ruleset.play.ladder, strict=True):
        path = f"{place}.{counted}"
        found.append(
            Option(
                path=path,
                kind="number",
                group="score",
                value=getattr(row, counted),
                low=0 if counted == "adds" else 1,
                high=100,
                name=row.id,
                provenance=rulesets.provenance(ruleset, path),
            )
        )
    for place, kind in zip(row_paths(ruleset, "play.kind"), ruleset.play.kind, strict=True):
        if kind.body.run[1] > 1:
            found.append(_option(ruleset, f"{place}.body.run", "numbers", kind.body.run))
    found.append(_option(ruleset, "play.alarm", "numbers", ruleset.play.alarm))
    for declaration in ruleset.declare:
        if declaration.factors:
            path = f"declare.{declaration.id}.factors"
            found.append(_option(ruleset, path, "numbers", declaration.factors))
        for field in ("factor", "win", "loss"):
            value = getattr(declaration, field)
            if value != _default_of(type(declaration), field):
                path = f"declare.{declaration.id}.{field}"
                found.append(_number(ruleset, path, value))
    return found


def _default_of(struct: type, name: str) -> object:
    return next(f.default for f in msgspec.structs.fields(struct) if f.name == name)


def _fields(ruleset: Ruleset, part: Spec, section: str) -> list[Option]:
    found = []
    hints = typing.get_type_hints(type(part))
    for info in msgspec.structs.fields(type(part)):
        path, value = f"{section}.{info.name}", getattr(part, info.name)
        kind = hints[info.name]
        if isinstance(value, bool):
            found.append(_option(ruleset, path, "bool", value))
        elif typing.get_origin(kind) is Literal:
            found.append(_option(ruleset, path, "choice", value, typing.get_args(kind)))
        elif path == "wilds.rank" and ruleset.wilds.mode == "rank":
            ranks = [rank for rank in ruleset.deck.ranks if rank not in "XD"]
            found.append(_option(ruleset, path, "choice", value, ("", *ranks)))
        elif kind == tuple[int, ...]:
            found.append(_option(ruleset, path, "numbers", value))
        elif isinstance(value, int) and not isinstance(kind, types.UnionType):
            found.append(_number(ruleset, path, value))
    return found


def _option(
    ruleset: Ruleset, path: str, kind: Form, value: object, choices: tuple[object, ...] = ()
) -> Option:
    return Option(
        path=path,
        kind=kind,
        group=group_of(path),
        value=value,
        choices=choices,
        provenance=rulesets.provenance(ruleset, path),
    )


def _number(ruleset: Ruleset, path: str, value: int) -> Option:
    named = path.rsplit(".", 1)[-1]
    low = 1 if path.startswith(("score.", "kickers.", "declare.")) else 0
    if named in ("rake", "cap", "sum_from", "win", "loss"):
        low = 0
    if path == "deal.seats":
        low = 2
    return Option(
        path=path,
        kind="number",
        group=group_of(path),
        value=value,
        low=min(low, value),
        high=max(_LARGEST.get(path, 100 if path != "score.cap" else 1_000_000), value),
        provenance=rulesets.provenance(ruleset, path),
    )


def _rows(ruleset: Ruleset) -> list[Option]:
    """Return a switch for each kind that can be off: all but what every card needs to be led."""
    found = []
    ids = dict.fromkeys([row.id for row in ruleset.play.kind] + [s.id for s in ruleset.play.ladder])
    for name in ids:
        off = name in ruleset.kinds.off
        try:
            rest = [n for n in ruleset.kinds.off if n != name]
            load_ruleset(ruleset.id, {**ruleset.overrides, "kinds.off": [*rest, name]})
        except DdzError:
            continue
        found.append(
            Option(
                path="kinds.off",
                kind="row",
                group="combinations",
                value=not off,
                name=name,
                provenance=_row_provenance(ruleset, name, off=off),
            )
        )
    return found


def _row_provenance(ruleset: Ruleset, name: str, *, off: bool) -> Provenance:
    plain = rulesets.load(ruleset.id)
    if off != (name in plain.kinds.off):
        return Provenance(kind="changed")
    section = "kind" if any(row.id == name for row in ruleset.play.kind) else "ladder"
    return rulesets.provenance(plain, f"play.{section}.{name}")


def example_of_option(rules: Rules, option: Option, value: object) -> Example | None:
    """Return what becomes legal or illegal, or counts otherwise, when an option gets a value.

    Returns:
        An example whose ``before`` is the ruleset as it stands and ``after`` the changed one; None
        where the value is refused or the engine found no case.
    """
    path, changed = option.override(rules, value)
    try:
        other = load_ruleset(rules.id, {**rules.overrides, path: changed})
    except DdzError:
        return None
    return example_between(rules, other, option.group)


__all__ = ["Option", "example_of_option", "options"]
