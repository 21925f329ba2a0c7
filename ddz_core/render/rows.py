"""Results as rows of frames: what the notebook's types give when they are asked for a table.

Layer 4, beside :mod:`ddz_core.render.notebook`, which registers them. Columns are named as the
fields of the types; what is the same in every row is a stamp.
"""

from __future__ import annotations

from collections.abc import Sequence

from ddz_core.behaviour import Belief
from ddz_core.cards import Card
from ddz_core.dealing import Deal
from ddz_core.decompose import Splits
from ddz_core.display import Table
from ddz_core.estimate import Estimate
from ddz_core.game import Game
from ddz_core.observation import Observation
from ddz_core.patterns import Combination, Explanation
from ddz_core.record import Position
from ddz_core.rules import Rules
from ddz_core.scoring import Ledger
from ddz_core.specs import Ruleset


def _of(rules: Rules | Ruleset) -> dict[str, object]:
    return {"rules": rules.id, "rules_hash": rules.hash}


def combination_rows(one: Combination) -> Table:
    """Return a combination as one row."""
    return Table((one.as_dict(),))


def split_rows(one: Splits) -> Table:
    """Return every play of every split as a row."""
    return Table(
        tuple(
            {"split": number, "play": place, **move.as_dict()}
            for number, split in enumerate(one.splits)
            for place, move in enumerate(split)
        ),
        {"hand": one.cards, "turns": one.turns, "cut": one.cut, "method": "exact"},
    )


def explanation_rows(one: Explanation) -> Table:
    """Return readings and nearest combinations as rows."""
    listed = [("reading", found) for found in one.readings]
    listed += [("nearest", found) for found in one.nearest]
    return Table(
        tuple({"as": how, **found.as_dict()} for how, found in listed),
        {"hand": one.cards, "legal": one.legal},
    )


def deal_rows(deal: Deal) -> Table:
    """Return every physical card as a row."""
    parts: list[tuple[str, Sequence[Card]]] = [
        (f"{seat}", hand) for seat, hand in enumerate(deal.hands)
    ]
    parts += [(name, part) for name, part in (("bottom", deal.bottom), ("dead", deal.dead)) if part]
    rows = tuple(
        {"place": place, "rank": card.rank, "suit": str(card)[:-1], "card": str(card)}
        for place, part in parts
        for card in part
    )
    return Table(rows, {"number": deal.number}, deal.seed)


def history_rows(game: Game | Observation, seed: int | None = None) -> Table:
    """Return every action as a row; the seed of a game that is being watched is not told."""
    rows = tuple(
        {
            "index": entry.index,
            "seat": entry.seat,
            "side": None if entry.seat is None else game.side_of(entry.seat),
            "phase": entry.phase,
            "trick": entry.trick,
            "action": entry.action,
            "kind": "" if entry.move is None else entry.move.kind,
            "cards": "" if entry.move is None else entry.move.cards,
        }
        for entry in game.history
    )
    return Table(rows, _of(game.rules), seed)


def game_rows(game: Game) -> Table:
    """Return every action as a row, with the seed of the deal."""
    return history_rows(game, game.deal.seed)


def position_rows(one: Position) -> Table:
    """Return every hand as a row."""
    rows = tuple(
        {"seat": seat, "cards": text, "landlord": seat in one.landlords}
        for seat, text in enumerate(one.texts)
    )
    more = {"to_move": one.to_move, "beat": one.beat_text, "beat_by": one.beat_by}
    return Table(rows, {**more, **_of(one.rules)})


def ledger_rows(one: Ledger) -> Table:
    """Return what each seat gets as a row."""
    rows = tuple(
        {"seat": seat, "points": points, "gold": gold}
        for seat, (points, gold) in enumerate(zip(one.points, one.gold, strict=True))
    )
    return Table(rows, {"multiplier": one.multiplier, "unit": one.unit, "house": one.house})


def estimate_rows(one: Estimate) -> Table:
    """Return a number as one row."""
    fields = ("value", "low", "high", "n", "method", "unit")
    return Table(({name: getattr(one, name) for name in fields},), {}, one.seed)


def belief_rows(belief: Belief) -> Table:
    """Return every chance of a place, a rank and a count as a row."""
    rows = tuple(
        {"place": str(place), "rank": rank, "count": count, "chance": chance}
        for place, ranks in belief.table().items()
        for rank, chances in ranks.items()
        for count, chance in enumerate(chances)
    )
    stamps = {"method": "sampled", "n": belief.n, "effective": belief.effective}
    return Table(rows, {**stamps, **_of(belief.prior.ruleset)}, belief.seed)
