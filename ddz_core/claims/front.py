"""Claims and verdicts side by side: the coach's front page as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ddz_core.claims import spec
from ddz_core.claims.experiment import registry
from ddz_core.claims.links import link_of
from ddz_core.claims.results import Result, shipped_results
from ddz_core.claims.spec import Claim, wrong
from ddz_core.claims.verdict import Cell, Ruling
from ddz_core.display import framed
from ddz_core.errors import DdzError
from ddz_core.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One claim with what was found.

    Attributes:
        claim: the claim.
        result: its shipped result; None before there is one.
        ruling: verdict with reasons.
        cell, effect: the first cell that counts and its number; None where there is none.
        link: the query that opens it.
    """

    claim: Claim
    result: Result | None
    ruling: Ruling
    cell: Cell | None
    effect: Estimate | None
    link: str

    def plain(self, lang: str = "en") -> dict[str, Any]:
        """Return the row as plain values."""
        result, effect = self.result, self.effect
        return {
            "id": self.claim.id,
            "group": self.claim.group,
            "title": self.claim.title.of(lang),
            "wording": self.claim.wording.of(lang),
            "verdict": self.ruling.verdict,
            "reason": self.ruling.reason,
            "effect": None if effect is None else effect.value,
            "low": None if effect is None else effect.low,
            "high": None if effect is None else effect.high,
            "line": None if self.cell is None else self.cell.line,
            "unit": None if self.cell is None else self.cell.unit,
            "n": None if effect is None else effect.n,
            "deals": 0 if result is None else sum(result.deals.values()),
            "families": ", ".join(self.ruling.families),
            "agree": self.ruling.agree,
            "method": self.claim.method,
            "seed": None if result is None else result.seed,
            "link": self.link,
        }


def claims() -> dict[str, Claim]:
    """Return every shipped claim by id, in the order of the documents' subjects."""
    return spec.shipped()[0]


def errors() -> dict[str, DdzError]:
    """Return the errors of claim files that cannot be used, by file name.

    A file whose experiment or parameters do not exist is among them.
    """
    found = dict(spec.shipped()[1])
    for one in claims().values():
        try:
            check(one)
        except DdzError as error:
            found[f"{one.id}.toml"] = error
    return found


def check(claim: Claim) -> None:
    """Refuse a claim whose experiment does not exist or does not take its parameters.

    Raises:
        DdzError: naming the field.
    """
    if not claim.testable:
        return
    experiment = registry().get(claim.experiment)
    if experiment is None:
        raise wrong(f"{claim.id}.experiment", ", ".join(registry()), claim.experiment)
    experiment.values(claim.defaults())
    known = {one.name: one for one in experiment.parameters}
    for slider in claim.conditions:
        one = known[slider.name]
        if slider.low < one.low or slider.high > one.high:
            given = f"{slider.low:g}–{slider.high:g}"
            raise wrong(f"{claim.id}.{slider.name}", f"{one.low:g}–{one.high:g}", given)


def claim(name: str) -> Claim:
    """Return a shipped claim.

    Raises:
        DdzError: if there is none of this id.
    """
    found = claims().get(name)
    if found is None:
        raise wrong("claim", ", ".join(claims()), name)
    return found


def table() -> list[Row]:
    """Return every claim with its shipped result."""
    rows = []
    for one in claims().values():
        result = shipped_results().get(one.id)
        main = None if result is None else result.main()
        ruling = Ruling(verdict="open", reason="deals")
        if not one.testable:
            ruling = Ruling(verdict="not_testable")
        elif result is not None:
            ruling = result.ruling
        rows.append(
            Row(
                claim=one,
                result=result,
                ruling=ruling,
                cell=None if main is None else main[0],
                effect=None if main is None else main[1],
                link=link_of(one),
            )
        )
    return rows


def frame(lang: str = "en") -> pd.DataFrame:
    """Return claims and verdicts as a pandas frame, worded in a language."""
    return framed([row.plain(lang) for row in table()])
