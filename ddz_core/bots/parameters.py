"""What the rule bot weighs, and players of a kind as sets of such weights.

Layer 3, under :mod:`ddz_core.bots.rule`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What the rule bot weighs; all weights are in the same arbitrary unit.

    A *price* is what a card is worth for taking the lead later; *safe* is a play that the unseen
    cards cannot beat; *turns* are the plays the rest of the hand needs.
    """

    # leading
    lead_turns: float = 7.1
    """Cost of each play that the rest of the hand needs."""
    lead_cards: float = 0.34
    """Gain for each card that goes out."""
    lead_low: float = 0.39
    """Cost of each step of the top rank: low first."""
    lead_price: float = 1.0
    """Cost of the price of the cards, kickers included."""
    lead_safe: float = 3.5
    """Gain for a safe play."""
    lead_bomb: float = 13.2
    """Cost of leading a bomb."""
    lead_danger: float = 35.0
    """Cost of a play that is not safe and has as many cards as an enemy holds."""
    lead_feed: float = 5.5
    """Gain for leading low with as many cards as a partner with one or two holds."""
    # answering an enemy
    answer: float = 7.4
    """Gain for answering at all; negative is more cautious."""
    answer_turns: float = 4.5
    """Cost of each play that answering adds to the hand."""
    answer_low: float = 0.2
    """Cost of each step above the play on the table."""
    answer_price: float = 0.53
    """Cost of the price of the cards."""
    answer_safe: float = 1.2
    """Gain for a safe play."""
    answer_bomb: float = 16.5
    """Cost of spending a bomb."""
    answer_short: float = 7.5
    """Gain for each card that the owner of the play on the table is below eight."""
    answer_last: float = 4.9
    """Gain when no partner can answer any more."""
    # answering a partner
    over: float = -2.3
    """Gain for playing over a partner, usually negative."""
    over_turns: float = 10.3
    """Cost of each play that doing so adds to the hand."""
    over_price: float = 2.3
    """Cost of the price of the cards."""
    over_short: float = 4.0
    """Cost for each card that the partner is below six."""
    over_block: float = 2.2
    """Gain for each step above the partner's play when an enemy is next."""
    # always
    tear: float = 6.7
    """Cost of each bomb or rocket broken up."""
    finish: float = 94.2
    """Gain for a safe play that leaves one play."""
    bomb_short: float = 2.8
    """Gain of a bomb for each card that the nearest enemy is below eight."""
    # prices; the ranks below are free
    price_jack: float = 0.4
    price_queen: float = 0.36
    price_king: float = 0.36
    price_ace: float = 2.0
    price_two: float = 5.0
    price_small_joker: float = 8.7
    price_big_joker: float = 28.5
    # bidding: the chance to win as landlord from which on a level is bid
    bid_lowest: float = 0.48
    """From this chance on the lowest level is bid."""
    bid_highest: float = 0.6
    """From this chance on the highest level is bid; between them the levels are spaced evenly."""
    rob_from: float = 0.52
    """From this chance on a call is taken away from the caller."""
    raise_from: float = 0.62
    """From this chance on stakes are raised: by a farmer on its own result (each further factor
    needs as much again), by doubling, revealing the partner, showing or opening the hand."""
    declare_from: float = 0.5
    """From this chance on a farmer declares bombs, which counts only when it wins."""
    claim_below: float = 0.4
    """Below this chance a landlord who may claim the deal does."""


CHARACTERS: dict[str, dict[str, float]] = {
    "beginner": {
        "lead_turns": 2.0,
        "lead_price": 0.0,
        "lead_safe": 0.0,
        "lead_danger": 0.0,
        "lead_feed": 0.0,
        "answer": 20.0,
        "answer_turns": 0.5,
        "answer_price": 0.15,
        "answer_bomb": 5.0,
        "answer_short": 0.0,
        "over": 10.0,
        "over_turns": 1.0,
        "over_price": 0.4,
        "over_short": 0.0,
        "over_block": 0.0,
        "tear": 0.0,
        "finish": 0.0,
        "bomb_short": 0.0,
    },
    "cautious": {
        "lead_price": 1.6,
        "lead_bomb": 22.0,
        "answer": 5.0,
        "answer_price": 0.8,
        "answer_bomb": 24.0,
        "over": -8.0,
        "tear": 12.0,
        "bomb_short": 1.8,
        "bid_lowest": 0.56,
        "bid_highest": 0.72,
        "rob_from": 0.62,
        "raise_from": 0.72,
    },
    "blocker": {
        "lead_feed": 12.0,
        "answer": 8.5,
        "answer_price": 0.45,
        "over": 2.0,
        "over_turns": 7.0,
        "over_price": 1.6,
        "over_block": 3.5,
    },
    "racer": {
        "lead_turns": 10.0,
        "lead_cards": 0.8,
        "lead_danger": 8.0,
        "lead_feed": 0.0,
        "answer_turns": 8.0,
        "over": 3.0,
        "over_turns": 14.0,
        "over_price": 1.0,
        "over_short": 0.5,
        "over_block": 0.6,
        "bid_lowest": 0.42,
        "bid_highest": 0.54,
    },
}
"""Players of a kind, as the parameters in which they differ from the usual ones: the beginner
looks neither at partners nor at who has few cards, the cautious one keeps bombs and top cards, the
blocker lets no enemy pass low and gives up plays for it, the racer thinks of its own plays left."""
