"""One card of a hand changed for another: both hands judged on the same deals.

Layer 3, under :mod:`ddz_core.bidding`. The deals of the second hand are those of the first with the
two cards changing places, so that most of the luck of the deal cancels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ddz_core import cards, estimate
from ddz_core.bidding import mean_of
from ddz_core.bidding_deals import Deals, check_deals, unseen_cards
from ddz_core.dealing import AnyRules, check_cards, check_seed, plain_rules
from ddz_core.errors import HandError
from ddz_core.estimate import Estimate
from ddz_core.patterns.reading import packed

DEALS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What one card more and one card less do to a hand.

    Attributes:
        before, after: the two hands, low to high.
        out, into: the card given and the card got.
        win_before, win_after: chances to win as landlord.
        win: their difference on the same deals.
        farmer_before, farmer_after, farmer: the same as farmer.
        deals: paired deals.
        seed: of the deals.
    """

    before: str
    after: str
    out: str
    into: str
    win_before: Estimate
    win_after: Estimate
    win: Estimate
    farmer_before: Estimate
    farmer_after: Estimate
    farmer: Estimate
    deals: int
    seed: int

    def rows(self) -> list[dict[str, object]]:
        """Return one row a role and hand, and one for the difference."""
        named = {
            ("landlord", "before"): self.win_before,
            ("landlord", "after"): self.win_after,
            ("landlord", "difference"): self.win,
            ("farmer", "before"): self.farmer_before,
            ("farmer", "after"): self.farmer_after,
            ("farmer", "difference"): self.farmer,
        }
        return [
            {
                "role": role,
                "what": what,
                "value": value.value,
                "low": value.low,
                "high": value.high,
                "deals": self.deals,
                "seed": self.seed,
            }
            for (role, what), value in named.items()
        ]


def change_card(
    hand: str | cards.Hand,
    out: str,
    into: str,
    rules: AnyRules,
    *,
    deals: int = DEALS,
    seed: int = 1,
) -> Change:
    """Return what changing one card for an unseen one does to a hand, over paired deals.

    Args:
        hand: as many cards as the game deals.
        out: the rank of the card given, one that the hand has.
        into: the rank of the card got, another one, of which the hand does not have all.
        rules: the game.
        deals: paired deals, from 2 to 1,000,000.
        seed: of the deals.

    Raises:
        NotationError, HandError: if the cards cannot be read, dealt or changed.
        DdzError: for a number of deals or seed that cannot be.
    Cost: some 0.2 ms a deal.
    """
    ruleset = plain_rules(rules)
    own, give, get = packed(hand), packed(out), packed(into)
    check_cards(ruleset, [("hand", own, ruleset.deal.hand), ("out", 0, None)])
    if cards.size_of(give) != 1 or not cards.contains(own, give):
        raise _card("out", cards.format_cards(own), out)
    rest = ruleset.deck_cards - own
    if cards.size_of(get) != 1 or get == give or not cards.contains(rest, get):
        raise _card("into", cards.format_cards(rest), into)
    check_deals(deals)
    unseen = unseen_cards(ruleset, own)
    swapped = unseen.copy()
    swapped[int(np.flatnonzero(unseen == np.uint64(get))[0])] = np.uint64(give)
    first = Deals(ruleset, own, seed=check_seed(seed), unseen=unseen)
    second = Deals(ruleset, own - give + get, seed=seed, unseen=swapped, engine=first.engine)
    one, two = first.more(deals).won, second.more(deals).won
    n = len(one)
    lords = [estimate.share(int(won[:, 0].sum()), n, seed=seed) for won in (one, two)]
    farms = [1.0 - won[:, 1:].mean(axis=1) for won in (one, two)]
    gap = two[:, 0].astype(float) - one[:, 0]
    return Change(
        before=cards.format_cards(own),
        after=cards.format_cards(own - give + get),
        out=cards.format_cards(give),
        into=cards.format_cards(get),
        win_before=lords[0],
        win_after=lords[1],
        win=mean_of(gap, "probability", seed),
        farmer_before=mean_of(farms[0], "probability", seed),
        farmer_after=mean_of(farms[1], "probability", seed),
        farmer=mean_of(farms[1] - farms[0], "probability", seed),
        deals=n,
        seed=seed,
    )


def _card(field: str, expected: str, got: object) -> HandError:
    return HandError(
        f"{field}: expected one of the cards {expected}, got {got!r}",
        key="error.bid.card",
        field=field,
        expected=expected,
        got=got,
    )
