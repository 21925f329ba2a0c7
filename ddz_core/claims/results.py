"""Results of claims: numbers with their verdict, kept as files and read again.

The verdict in a file is what :mod:`ddz_core.claims.verdict` says of the numbers beside it; it is
worked out again with every reading, so that nobody can write one by hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ddz_core.claims import spec
from ddz_core.claims.experiment import Ask, Example, registry
from ddz_core.claims.spec import Claim
from ddz_core.claims.verdict import Cell, Ruling, combine, judge, status
from ddz_core.display import Tabular, framed
from ddz_core.estimate import Estimate
from ddz_core.rules import Rules, load_ruleset

if TYPE_CHECKING:
    import pandas as pd

FORMAT = 1
"""Raised when a file of a result means something else than before."""

NO_BOTS = ""
"""The family of numbers that no bots are behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Tabular):
    """What a run of an experiment found for a claim.

    Attributes:
        claim: id of the claim.
        ruleset: id of the game.
        values: of all parameters.
        seed: of everything.
        deals: deals drawn, by family.
        cells: what the claim says, condition by condition.
        numbers: by family the number of each cell; exact and solved ones under the empty name.
        versions: of the bots by family.
        examples: by ``for`` and ``against``, one deal each.
        margins: practical margins by unit.
    """

    claim: str
    ruleset: str
    values: Mapping[str, float]
    seed: int
    deals: Mapping[str, int] = field(default_factory=dict)
    cells: tuple[Cell, ...] = ()
    numbers: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, Example] = field(default_factory=dict)
    margins: Mapping[str, float] = field(default_factory=dict)

    @property
    def families(self) -> tuple[str, ...]:
        """Families of bots that were asked."""
        return tuple(name for name in self.numbers if name)

    def estimates(self, family: str = "") -> dict[str, Estimate]:
        """Return the number of every cell as one family has it; the first one by default."""
        name = family or next(iter(self.families), NO_BOTS)
        return {**self.numbers.get(NO_BOTS, {}), **self.numbers.get(name, {})}

    def rulings(self) -> dict[str, Ruling]:
        """Return the verdict of each family."""
        if not self.cells:
            return {}
        found = {}
        for family in self.judging or (NO_BOTS,):
            numbers = self.estimates(family)
            pairs = [(cell, numbers[cell.name]) for cell in self.cells if cell.name in numbers]
            lacking = any(cell.counts and cell.name not in numbers for cell in self.cells)
            ruling = judge(pairs, self.margins)
            if lacking and ruling.verdict != "depends":
                ruling = Ruling(verdict="open", reason="deals")
            found[family] = ruling
        return found

    @property
    def ruling(self) -> Ruling:
        """The verdict over all families."""
        if not self.cells:
            return Ruling(verdict="not_testable")
        return combine(self.rulings())

    @property
    def verdict(self) -> str:
        """The verdict alone."""
        return self.ruling.verdict

    @property
    def judging(self) -> tuple[str, ...]:
        """Families of bots behind cells that count; none where those are exact or solved."""
        counted = self.numbers.get(NO_BOTS, {})
        played = any(cell.counts and cell.name not in counted for cell in self.cells)
        return self.families if played else ()

    @property
    def one_family(self) -> bool:
        """Whether only one family of bots is behind numbers that count and were played."""
        return len(self.judging) == 1

    def main(self) -> tuple[Cell, Estimate] | None:
        """Return the first cell that counts, with its number."""
        numbers = self.estimates()
        for cell in self.cells:
            if cell.counts and cell.name in numbers:
                return cell, numbers[cell.name]
        return None

    def rows(self) -> list[dict[str, Any]]:
        """Return one row a cell and family."""
        found = []
        for family in self.families or (NO_BOTS,):
            numbers = self.estimates(family)
            for cell in self.cells:
                value = numbers.get(cell.name)
                if value is None:
                    continue
                margin = self.margins.get(cell.unit, 0.0)
                found.append(
                    {
                        "claim": self.claim,
                        "cell": cell.name,
                        "family": family if value.method == "sampled" else "",
                        "value": value.value,
                        "low": value.low,
                        "high": value.high,
                        "n": value.n,
                        "method": value.method,
                        "unit": cell.unit,
                        "want": cell.want,
                        "line": cell.line,
                        "status": status(cell, value, margin),
                        "counts": cell.counts,
                        **{f"at_{name}": number for name, number in cell.at.items()},
                        "rules": self.ruleset,
                        "seed": self.seed,
                    }
                )
        return found

    def frame(self) -> pd.DataFrame:
        """Return the rows as a pandas frame, with versions of bots and package."""
        return framed(self.rows(), seed=self.seed)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, as it is kept in a file."""
        ruling = self.ruling
        return {
            "format": FORMAT,
            "claim": self.claim,
            "rules": self.ruleset,
            "values": dict(self.values),
            "seed": self.seed,
            "deals": dict(self.deals),
            "versions": dict(self.versions),
            "margins": dict(self.margins),
            "verdict": ruling.verdict,
            "reason": ruling.reason,
            "agree": ruling.agree,
            "cells": [
                {
                    "name": cell.name,
                    "want": cell.want,
                    "line": cell.line,
                    "unit": cell.unit,
                    "counts": cell.counts,
                    "at": dict(cell.at),
                }
                for cell in self.cells
            ],
            "numbers": {
                family: {
                    name: [value.value, value.low, value.high, value.n, value.method]
                    for name, value in numbers.items()
                }
                for family, numbers in self.numbers.items()
            },
            "examples": {side: asdict(example) for side, example in self.examples.items()},
        }

    def text(self) -> str:
        """Return the result as it is written to a file: JSON, one cell a line."""
        plain = self.as_dict()
        lines = []
        for name, value in plain.items():
            if name == "cells":
                inner = ",\n".join("  " + json.dumps(one, ensure_ascii=False) for one in value)
                lines.append(f' "cells": [\n{inner}\n ]' if value else ' "cells": []')
            elif name == "numbers" and value:
                parts = []
                for family, numbers in value.items():
                    rows = ",\n".join(
                        f"   {json.dumps(cell)}: {json.dumps(one)}" for cell, one in numbers.items()
                    )
                    parts.append(f"  {json.dumps(family)}: {{\n{rows}\n  }}")
                lines.append(' "numbers": {\n' + ",\n".join(parts) + "\n }")
            else:
                lines.append(f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def __str__(self) -> str:
        ruling = self.ruling
        more = f" ({ruling.reason})" if ruling.reason else ""
        lines = [f"{self.claim}: {ruling.verdict}{more}"]
        for row in self.rows():
            if row["n"] or row["method"] != "sampled":
                mark = " " if row["counts"] else "·"
                lines.append(
                    f" {mark} {row['cell']:<28} {row['family']:<5} {row['value']:+.4f} "
                    f"[{row['low']:+.4f}, {row['high']:+.4f}] {row['unit']}, n {row['n']}, "
                    f"{row['method']}: {row['status']}"
                )
        return "\n".join(lines)


def read_result(text: str) -> Result:
    """Return the result of a file's text.

    Raises:
        DdzError: if it is of another format or cannot be read.
    """
    try:
        plain = json.loads(text)
        if plain["format"] != FORMAT:
            raise spec.wrong("format", FORMAT, plain["format"])
        cells = tuple(Cell(**one) for one in plain["cells"])
        units = {cell.name: cell.unit for cell in cells}
        seed = int(plain["seed"])
        numbers = {
            family: {
                name: Estimate(
                    value=one[0],
                    low=one[1],
                    high=one[2],
                    n=one[3],
                    method=one[4],
                    unit=units[name],
                    seed=seed if one[4] == "sampled" else None,
                )
                for name, one in found.items()
            }
            for family, found in plain["numbers"].items()
        }
        return Result(
            claim=plain["claim"],
            ruleset=plain["rules"],
            values=plain["values"],
            seed=seed,
            deals=plain["deals"],
            cells=cells,
            numbers=numbers,
            versions=plain["versions"],
            examples={side: Example(**one) for side, one in plain["examples"].items()},
            margins=plain["margins"],
        )
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise spec.wrong("result", "JSON", str(error), key="claim.file") from error


def results_folder() -> Path:
    """Return the folder of the shipped results."""
    return spec.folder() / "results"


@cache
def shipped_results() -> dict[str, Result]:
    """Return the shipped result of every claim that has one, by id."""
    found = {}
    for path in sorted(results_folder().glob("*.json")):
        result = read_result(path.read_text("utf-8"))
        found[result.claim] = result
    return found


def rules_of(claim: Claim, ruleset: str | Rules | None = None) -> Rules:
    """Return the rules in which a claim is run.

    Raises:
        DdzError: for rules that the claim is not made for.
    """
    if ruleset is None:
        return load_ruleset(claim.rulesets[0])
    rules = load_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    if frozenset(claim.rulesets).isdisjoint((rules.id,)):
        raise spec.wrong("ruleset", ", ".join(claim.rulesets), rules.id)
    return rules


def asked(
    claim: Claim,
    conditions: Mapping[str, float] | None = None,
    *,
    rules: Rules | None = None,
    family: str = "rule",
    seed: int = 1,
) -> Ask:
    """Return the question that a claim puts to its experiment.

    Raises:
        DdzError: for an unknown experiment or condition, or a value out of range.
    """
    experiment = registry().get(claim.experiment)
    if experiment is None:
        raise spec.wrong(f"{claim.id}.experiment", ", ".join(registry()), claim.experiment)
    values = experiment.values(claim.values(conditions))
    usual = claim.defaults()
    moved = frozenset(name for name in conditions or {} if values[name] != usual[name])
    ruleset = (rules or rules_of(claim)).ruleset
    return Ask(ruleset=ruleset, values=values, family=family, seed=seed, moved=moved)
