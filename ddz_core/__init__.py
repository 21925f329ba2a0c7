"""Paili: a laboratory for Dou Dizhu. The public names, each loaded with its first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from ddz_core import display

__version__ = "0.1.0"

display.fill_from("ddz_core.render.notebook", __version__)

_HOMES = {
    "Card": "cards",
    "use_language": "display",
    "format_cards": "cards",
    "parse_cards": "cards",
    "DdzError": "errors",
    "HandError": "errors",
    "IllegalAction": "errors",
    "NotACombination": "errors",
    "NotationError": "errors",
    "RecordError": "errors",
    "RulesetError": "errors",
    "Estimate": "estimate",
    "ruleset_ids": "rulesets",
    "Combination": "patterns",
    "Move": "patterns",
    "Rules": "rules",
    "load_ruleset": "rules",
    "Deal": "dealing",
    "deal": "dealing",
    "deal_from_text": "dealing",
    "Ledger": "scoring",
    "Game": "game",
    "new_game": "game",
    "Observation": "observation",
    "observe": "observation",
    "Position": "record",
    "decode": "record",
    "encode": "record",
    "position": "record",
    "read_record": "record",
    "write_record": "record",
    "turns": "decompose",
    "frequency": "probability",
    "odds": "belief",
    "bid": "bidding",
    "bot": "bots",
    "solve": "solver",
    "review": "review",
    "picture": "render.notebook",
    "table": "render.widget",
}

__all__ = sorted(_HOMES)

if TYPE_CHECKING:
    from ddz_core.belief import odds
    from ddz_core.bidding import bid
    from ddz_core.bots import bot
    from ddz_core.cards import Card, format_cards, parse_cards
    from ddz_core.dealing import Deal, deal, deal_from_text
    from ddz_core.decompose import turns
    from ddz_core.display import use_language
    from ddz_core.errors import (
        DdzError,
        HandError,
        IllegalAction,
        NotACombination,
        NotationError,
        RecordError,
        RulesetError,
    )
    from ddz_core.estimate import Estimate
    from ddz_core.game import Game, new_game
    from ddz_core.observation import Observation, observe
    from ddz_core.patterns import Combination, Move
    from ddz_core.probability import frequency
    from ddz_core.record import Position, decode, encode, position, read_record, write_record
    from ddz_core.render.notebook import picture
    from ddz_core.render.widget import table
    from ddz_core.review import review
    from ddz_core.rules import Rules, load_ruleset
    from ddz_core.rulesets import ruleset_ids
    from ddz_core.scoring import Ledger
    from ddz_core.solver import solve


def __getattr__(name: str) -> object:
    """Load a public name from the module that defines it."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{home}")
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return [*__all__, "__version__"]
