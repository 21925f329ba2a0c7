"""Every game of the documents described from its data, so that no word drifts.

Layer 3. A line of the atlas is a catalogue key with values, made from one field of a ruleset; what
an example shows was asked of the engine. Nothing here knows a ruleset by name: a file added to
``data/rulesets`` is described, compared and switched like the others. A field without words of its
own is still a line, with its path and value.

* :mod:`ddz_core.atlas.lines`: a ruleset in lines, grouped.
* :mod:`ddz_core.atlas.compare`: what changes between two rulesets, with an example.
* :mod:`ddz_core.atlas.options`: every switch that house rules have.
* :mod:`ddz_core.atlas.stories`: where each game comes from, in three languages.
"""

from __future__ import annotations

from ddz_core.atlas.compare import Difference, Example, differences, example_between
from ddz_core.atlas.lines import (
    GROUPS,
    Line,
    describe,
    example_of,
    order_of_singles,
    phrase_of,
    playable,
)
from ddz_core.atlas.options import Option, example_of_option, options
from ddz_core.atlas.stories import Story, entries, story

__all__ = [
    "GROUPS",
    "Difference",
    "Example",
    "Line",
    "Option",
    "Story",
    "describe",
    "differences",
    "entries",
    "example_between",
    "example_of",
    "example_of_option",
    "options",
    "order_of_singles",
    "phrase_of",
    "playable",
    "story",
]
