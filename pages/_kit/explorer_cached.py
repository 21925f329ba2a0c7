"""Results of the explorer that are kept: keyed by ids and texts, bounded in number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from ddz_core import explorer
from ddz_core.patterns import Combination


class Count(NamedTuple):
    """How many plays of one kind, and the ends of their list as texts."""

    mains: int
    sets: int
    lowest: str
    highest: str


@dataclass(frozen=True)
class Met:
    """A reading with the plays that it meets in the pools.

    Attributes:
        combination: the reading.
        weaker: whether another reading is never worse.
        asked: whether a hand was asked besides deck and unseen cards.
        counts: by relation and pool, the plays by kind.
    """

    combination: Combination
    weaker: bool
    asked: bool
    counts: dict[tuple[str, str], dict[str, Count]]

    def count(self, relation: str, pool: str) -> dict[str, Count]:
        """Return the plays by kind of a relation (``beaten``, ``beats``) in a pool."""
        return self.counts.get((relation, pool), {})


@st.cache_resource(max_entries=200, show_spinner=False)
def met(rules_id: str, house_rules: str, hand: str, seen: str, asked: str) -> list[Met]:
    """Return the readings of some cards with what they meet; see :func:`explorer.readings`."""
    rules = explorer.read_overrides(rules_id, house_rules)
    pools = {"deck": "", "unseen": explorer.unseen(hand, rules, seen)}
    if asked:
        pools["hand"] = asked
    found: dict[str, list[explorer.Reading]] = {
        name: explorer.readings(hand, rules, pool) if pool or name == "deck" else []
        for name, pool in pools.items()
    }
    return [
        Met(
            reading.combination,
            reading.weaker,
            bool(asked),
            {
                (relation, name): {
                    rival.kind: Count(
                        rival.mains, rival.sets, rival.lowest.notation, rival.highest.notation
                    )
                    for rival in (
                        readings[i].beaten_by if relation == "beaten" else readings[i].beats
                    )
                }
                for name, readings in found.items()
                if readings
                for relation in ("beaten", "beats")
            },
        )
        for i, reading in enumerate(found["deck"])
    ]


@st.cache_resource(max_entries=200, show_spinner=False)
def elsewhere(
    rules_id: str, house_rules: str, hand: str
) -> list[tuple[str, object, list[Combination]]]:
    """Return the switches that would give some cards other readings."""
    rules = explorer.read_overrides(rules_id, house_rules)
    return [(option.path, option.value, found) for option, found in explorer.elsewhere(hand, rules)]


@st.cache_data(max_entries=60, show_spinner=False)
def frequencies(rules_id: str, house_rules: str, sizes: tuple[int, ...]) -> list[dict[str, object]]:
    """Return how often each kind turns up; see :func:`explorer.frequencies`."""
    return explorer.frequencies(explorer.read_overrides(rules_id, house_rules), sizes)
