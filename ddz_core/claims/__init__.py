"""The claims laboratory: each piece of advice an experiment, with a verdict that follows by rule.

Layer 3. A claim is a file (:mod:`ddz_core.claims.spec`) that names an experiment
(:mod:`ddz_core.claims.experiment`) and sets its parameters; its verdict follows from the numbers
(:mod:`ddz_core.claims.verdict`). Full-size results are made by ``python -m ddz_core claims`` and
shipped; a smaller run goes through the same chunks::

    from ddz_core import claims
    claims.run(claims.claim("D3"), seconds=8, seed=1)
"""

from __future__ import annotations

# each of these modules registers experiments when it is imported
from ddz_core.claims import (
    calling,
    guesses,
    manners,
    moments,
    places,
    questions,
    reading,
    skill,
)
from ddz_core.claims.experiment import Example, Experiment, registry
from ddz_core.claims.front import Row, claim, claims, errors, frame, table
from ddz_core.claims.links import link_of, read_link
from ddz_core.claims.results import Result, read_result, shipped_results
from ddz_core.claims.running import examples, run, runs
from ddz_core.claims.spec import GROUPS, Claim, Slider, Text, load_folder, read, shipped
from ddz_core.claims.verdict import VERDICTS, Cell, Ruling, combine, judge, status

__all__ = [
    "GROUPS",
    "VERDICTS",
    "Cell",
    "Claim",
    "Example",
    "Experiment",
    "Result",
    "Row",
    "Ruling",
    "Slider",
    "Text",
    "claim",
    "claims",
    "combine",
    "errors",
    "examples",
    "frame",
    "judge",
    "link_of",
    "load_folder",
    "read",
    "read_link",
    "read_result",
    "registry",
    "run",
    "runs",
    "shipped",
    "shipped_results",
    "status",
    "table",
]

EXPERIMENT_MODULES = (calling, guesses, manners, moments, places, questions, reading, skill)
"""Where the experiments are."""
