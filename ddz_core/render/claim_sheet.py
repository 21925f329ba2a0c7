"""How a result of the claims laboratory is told in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core.claims import claims
from ddz_core.render.sheet import Grid, Line, Title

if TYPE_CHECKING:
    from ddz_core.claims import Result
    from ddz_core.language import Words
    from ddz_core.render.sheet import Block


def result_blocks(one: Result, words: Words) -> list[Block]:
    """Return a result as blocks: wording, verdict, and a line for each cell and family."""
    claim, ruling = claims().get(one.claim), one.ruling
    blocks: list[Block] = [Title(words.say("claims.result", claim=one.claim))]
    if claim is not None:
        blocks.append(Line(claim.wording.of(words.lang)))
    verdict = words.say(f"claims.verdict.{ruling.verdict}")
    if ruling.reason:
        verdict += ": " + words.say(f"claims.reason.{ruling.reason}")
    blocks.append(Line(verdict))
    lines = []
    for row in one.rows():
        name = row["cell"] if claim is None else claim.cell_text(row["cell"], words.lang)
        if row["unit"] == "points":
            name = f"{name} ({words.say('claims.unit.points')})"
        family = words.say(f"claims.family.{row['family']}") if row["family"] else ""
        status = words.say(f"claims.status.{row['status']}") if row["counts"] else ""
        numbers = (f"{row[key]:+.4f}" for key in ("value", "low", "high"))
        lines.append((name, *numbers, str(row["n"] or ""), family, status))
    ends = (words.say(f"notebook.col.{key}") for key in ("value", "low", "high"))
    head = ("", *ends, "n", "", "")
    if lines:
        blocks.append(Grid(head, tuple(lines)))
    if one.families:
        blocks.append(Line(words.say("claims.seed", seed=one.seed), quiet=True))
    return blocks
