"""What makes a ruleset impossible: values out of bounds and fields that contradict each other.

Layer 0. Every refusal names the field, and a contradiction names both.
"""

from __future__ import annotations

from ddz_core import cards
from ddz_core.errors import RulesetError
from ddz_core.specs import Declaration, Kind, Ruleset


def _contradiction(first: str, second: str, sentence: str, got: object) -> RulesetError:
    """Return the error for two fields that cannot both hold."""
    return RulesetError(
        f"{first} and {second} contradict each other: {sentence}",
        key="error.ruleset.contradiction",
        field=first,
        expected=sentence,
        got=got,
        other=second,
    )


def _bounds(field: str, value: int, low: int, high: int) -> None:
    """Refuse a number outside its bounds."""
    if not low <= value <= high:
        raise RulesetError(
            f"{field}: expected {low} to {high}, got {value}",
            key="error.ruleset.bounds",
            field=field,
            expected=f"{low}–{high}",
            got=value,
        )


def check(ruleset: Ruleset) -> None:
    """Refuse values out of bounds and fields that contradict each other."""
    _check_deal(ruleset)
    _check_auction(ruleset)
    _check_play(ruleset)
    _check_wilds(ruleset)
    _check_score(ruleset)


def _check_score(ruleset: Ruleset) -> None:
    """Refuse amounts out of bounds, and scores that the procedures cannot fill."""
    score, leave = ruleset.score, ruleset.leave
    for name in ("stake", "initial", "spring", "anti_spring", "face_up_joker", "room"):
        _bounds(f"score.{name}", getattr(score, name), 1, 1_000_000)
    _bounds("score.sum_from", score.sum_from, 0, 1000)
    _bounds("score.rake", score.rake, 0, 100)
    _bounds("score.cap", score.cap, 0, 1_000_000_000)
    for name in ("penalty", "gain", "landlord", "farmer"):
        _bounds(f"leave.{name}", getattr(leave, name), 0 if name == "penalty" else 1, 1000)
    for name in ("loss", "win", "partner_win"):
        _bounds(f"trustee.{name}", getattr(ruleset.trustee, name), 0, 1000)
    bids = ruleset.auction.mechanism in ("auction", "one_bid")
    if (score.base == "bid") != bids:
        raise _contradiction(
            "score.base",
            "auction.mechanism",
            "score.base = bid ⇔ auction.mechanism = auction, one_bid",
            score.base,
        )
    if score.sum_from and score.combine != "sum":
        raise _contradiction(
            "score.sum_from", "score.combine", "score.sum_from > 0 ⇒ score.combine = sum", "product"
        )
    if score.face_up_joker > 1 and ruleset.deal.face_up != "any":
        raise _contradiction(
            "score.face_up_joker",
            "deal.face_up",
            "score.face_up_joker > 1 ⇒ deal.face_up = any",
            ruleset.deal.face_up,
        )
    if leave.play == "goes_on" and leave.to == "house":
        raise _contradiction(
            "leave.to", "leave.play", "leave.to = house ⇒ leave.play = ends", leave.play
        )
    if score.limit == "owned" and score.rake:
        raise _contradiction(
            "score.limit", "score.rake", "score.limit = owned ⇒ score.rake = 0", score.rake
        )


def _check_deal(ruleset: Ruleset) -> None:
    deck, deal = ruleset.deck, ruleset.deal
    if (
        not deck.ranks
        or list(deck.ranks) != sorted(set(deck.ranks), key=lambda c: cards.LANE.get(c, 99))
        or not set(deck.ranks) <= set(cards.RANKS)
    ):
        raise RulesetError(
            f"deck.ranks: expected different ranks of {cards.RANKS}, low to high, "
            f"got {deck.ranks!r}",
            key="error.ruleset.ranks",
            field="deck.ranks",
            expected=cards.RANKS,
            got=deck.ranks,
        )
    _bounds("deal.seats", deal.seats, 2, 5)
    _bounds("deal.hand", deal.hand, 1, 40)
    _bounds("deal.bottom", deal.bottom, 0, 20)
    _bounds("deal.dead", deal.dead, 0, 60)
    total, dealt = (
        cards.size_of(ruleset.deck_cards),
        deal.seats * deal.hand + deal.bottom + deal.dead,
    )
    if total != dealt:
        raise _contradiction(
            "deal",
            "deck",
            f"{deal.seats} × {deal.hand} + {deal.bottom} + {deal.dead} = {total}",
            dealt,
        )
    if (ruleset.auction.first == "face_up") and deal.face_up == "none":
        raise _contradiction(
            "auction.first", "deal.face_up", "auction.first = face_up ⇒ deal.face_up ≠ none", "none"
        )


def _check_auction(ruleset: Ruleset) -> None:
    levels = ruleset.auction.levels
    if not levels or list(levels) != sorted(set(levels)) or levels[0] < 1:
        raise RulesetError(
            f"auction.levels: expected different numbers from 1, low to high, got {levels}",
            key="error.ruleset.levels",
            field="auction.levels",
            expected="1, 2, 3",
            got=levels,
        )
    _check_procedure(ruleset)
    for declaration in ruleset.declare:
        _check_declaration(ruleset, declaration)
    alarm = ruleset.play.alarm
    if list(alarm) != sorted(set(alarm), reverse=True) or any(n < 1 for n in alarm):
        raise RulesetError(
            f"play.alarm: expected different numbers, high to low, got {alarm}",
            key="error.ruleset.alarm",
            field="play.alarm",
            expected="2, 1",
            got=alarm,
        )


def _check_procedure(ruleset: Ruleset) -> None:
    """Refuse parameters that the named procedure cannot use."""
    auction, deal = ruleset.auction, ruleset.deal
    _bounds("auction.rob", auction.rob, 1, 1000)
    _bounds("auction.show_before", auction.show_before, 1, 1000)
    for name in ("rob", "show_before"):
        if getattr(auction, name) > 1 and auction.mechanism != "call":
            raise _contradiction(
                f"auction.{name}",
                "auction.mechanism",
                f"auction.{name} > 1 ⇒ auction.mechanism = call",
                auction.mechanism,
            )
    for rows in ("forced", "bomb_limit"):
        if getattr(auction, rows) and auction.mechanism not in ("auction", "one_bid"):
            raise _contradiction(
                f"auction.{rows}",
                "auction.mechanism",
                f"auction.{rows} ⇒ auction.mechanism = auction, one_bid",
                auction.mechanism,
            )
    if auction.all_pass == "last_tested" and (
        auction.mechanism != "one_bid" or not auction.forced or len(auction.levels) > 1
    ):
        raise _contradiction(
            "auction.all_pass",
            "auction.forced",
            "auction.all_pass = last_tested ⇒ one_bid, one level, forced rows",
            auction.mechanism,
        )
    if auction.mechanism in ("cede", "holder") and auction.first != "face_up":
        raise _contradiction(
            "auction.mechanism",
            "auction.first",
            f"auction.mechanism = {auction.mechanism} ⇒ auction.first = face_up",
            auction.first,
        )
    if (ruleset.sides == "twin") and (
        ruleset.deck.decks != 2 or deal.face_up != "natural" or auction.mechanism != "holder"
    ):
        raise _contradiction(
            "sides",
            "deal.face_up",
            "sides = twin ⇒ deck.decks = 2, deal.face_up = natural, auction.mechanism = holder",
            deal.face_up,
        )
    _bounds("deal.draw", deal.draw, 0, deal.hand - 1)
    if deal.taken == "chosen" and deal.bottom_shown == "all":
        raise _contradiction(
            "deal.taken",
            "deal.bottom_shown",
            "deal.taken = chosen ⇒ deal.bottom_shown = landlord",
            "all",
        )
    _bounds("deal.bottom", deal.bottom if deal.taken == "chosen" else 0, 0, 8)


def _check_declaration(ruleset: Ruleset, row: Declaration) -> None:
    """Refuse a declaration that lacks what it works with."""
    path = f"declare.{row.id}"
    for factor in row.factors:
        _bounds(f"{path}.factors", factor, 1, 1000)
    _bounds(f"{path}.factor", row.factor, 1, 1000)
    if row.id == "raise_each" and len(row.factors) < 2:
        raise _contradiction(f"{path}.factors", path, "at least two factors", list(row.factors))
    names = [step.name for step in ruleset.play.ladder]
    for name in row.steps:
        if name not in names:
            raise _contradiction(f"{path}.steps", "play.ladder", ", ".join(names), name)
    if row.id == "declare" and not row.steps:
        raise _contradiction(f"{path}.steps", "play.ladder", ", ".join(names), "")
    if row.id == "reveal" and ruleset.sides != "twin":
        raise _contradiction(path, "sides", "reveal ⇒ sides = twin", ruleset.sides)
    if row.id == "open":
        _bounds(f"{path}.win", row.win, 1, 1000)
        _bounds(f"{path}.loss", row.loss, 1, 1000)
        if ruleset.auction.mechanism != "one_bid":
            raise _contradiction(
                path, "auction.mechanism", "open ⇒ one_bid", ruleset.auction.mechanism
            )


def _check_play(ruleset: Ruleset) -> None:
    play = ruleset.play
    _bounds("kickers.max_equal", ruleset.kickers.max_equal, 1, 4)
    ids = [row.id for row in play.kind] + [row.id for row in play.ladder]
    if unknown := [name for name in ruleset.kinds.off if name not in ids]:
        raise RulesetError(
            f"kinds.off: {unknown[0]!r} is no kind of this game; "
            f"there are {', '.join(dict.fromkeys(ids))}",
            key="error.ruleset.kind",
            field="kinds.off",
            expected=", ".join(dict.fromkeys(ids)),
            got=unknown[0],
        )
    if not any(_serves_every_card(ruleset, row) for row in ruleset.kinds_in_force()):
        raise _contradiction(
            "kinds.off", "play.kind", "every card can be led alone", list(ruleset.kinds.off)
        )
    if "rank" in play.orders:
        raise _contradiction(
            "play.orders.rank", "play.orders", "the order rank is fixed", play.orders["rank"]
        )
    for name, order in play.orders.items():
        if not order or not set(order) <= set(cards.RANKS):
            raise RulesetError(
                f"play.orders.{name}: expected ranks of {cards.RANKS}, got {order!r}",
                key="error.ruleset.ranks",
                field=f"play.orders.{name}",
                expected=cards.RANKS,
                got=order,
            )
    for row in play.kind:
        _check_kind(ruleset, row)
    for step in play.ladder:
        if bool(step.size) == bool(step.cards):
            raise _contradiction(
                f"play.ladder.{step.id}.size",
                f"play.ladder.{step.id}.cards",
                "one of the two",
                step.size,
            )
        if step.size:
            _bounds(f"play.ladder.{step.id}.size", step.size, 2, cards.MOST_EQUAL)
        _bounds(f"play.ladder.{step.id}.factor", step.factor, 1, 1000)
        _bounds(f"play.ladder.{step.id}.adds", step.adds, 0, 1000)
    rows = [step.name for step in play.ladder]
    if len(set(rows)) < len(rows):
        double = next(name for name in rows if rows.count(name) > 1)
        raise _contradiction("play.ladder", f"play.ladder.{double}", "different names", double)
    for step in ruleset.ladder_in_force():
        for row in ruleset.kinds_in_force():
            if step.size and not row.attach and row.body.run[0] == 1 and row.body.size == step.size:
                raise _contradiction(
                    f"play.ladder.{step.id}",
                    f"play.kind.{row.id}",
                    "the same cards are both",
                    step.size,
                )


def _check_wilds(ruleset: Ruleset) -> None:
    """Refuse wild cards that the deck does not have, or that the rows leave no room for."""
    wilds, deck = ruleset.wilds, ruleset.deck
    natural = "".join(rank for rank in deck.ranks if rank not in "XD")
    if wilds.rank and wilds.mode != "rank":
        raise _contradiction(
            "wilds.rank", "wilds.mode", "wilds.rank ⇒ wilds.mode = rank", wilds.rank
        )
    if wilds.rank and (len(wilds.rank) != 1 or wilds.rank not in natural):
        raise RulesetError(
            f"wilds.rank: expected one of {natural}, got {wilds.rank!r}",
            key="error.ruleset.ranks",
            field="wilds.rank",
            expected=natural,
            got=wilds.rank,
        )
    if wilds.mode == "none":
        return
    needed = {"red7": "7", "jokers": "XD"}.get(wilds.mode, "")
    if not set(needed) <= set(deck.ranks):
        raise _contradiction(
            "wilds.mode", "deck.ranks", f"wilds.mode = {wilds.mode} ⇒ {needed}", deck.ranks
        )
    if deck.decks > 1:
        raise _contradiction(
            "wilds.mode", "deck.decks", f"wilds.mode = {wilds.mode} ⇒ deck.decks = 1", deck.decks
        )
    for row in ruleset.play.kind:
        if len(row.attach) > 1 or any(a.run or a.ranked for a in row.attach):
            raise _contradiction(
                "wilds.mode",
                f"play.kind.{row.id}.with",
                f"wilds.mode = {wilds.mode} ⇒ one attachment, not consecutive, not ranked",
                wilds.mode,
            )


def _serves_every_card(ruleset: Ruleset, row: Kind) -> bool:
    """Tell whether a row lets any one card of the deck be played by itself."""
    alone = row.body.size == 1 and row.body.run[0] == 1 and not row.attach
    return alone and set(ruleset.deck.ranks) <= set(row.body.ranks or ruleset.deck.ranks)


def _check_kind(ruleset: Ruleset, row: Kind) -> None:
    path = f"play.kind.{row.id}"
    _bounds(f"{path}.body.size", row.body.size, 1, cards.MOST_EQUAL)
    low, high = row.body.run
    names = [row.body.order] + [a.run for a in row.attach if a.run]
    for name in names:
        if name != "rank" and name not in ruleset.play.orders:
            raise RulesetError(
                f"{path}: there is no order {name!r}; "
                f"there are rank, {', '.join(ruleset.play.orders)}",
                key="error.ruleset.order",
                field=path,
                expected=", ".join(["rank", *ruleset.play.orders]),
                got=name,
            )
    longest = len(set(ruleset.order(row.body.order)))
    if not 1 <= low <= high <= longest:
        raise _contradiction(
            f"{path}.body.run",
            f"play.orders.{row.body.order}",
            f"1 ≤ {low} ≤ {high} ≤ {longest}",
            list(row.body.run),
        )
    if len(row.attach) > 2:
        raise RulesetError(
            f"{path}.with: at most two different attachments, got {len(row.attach)}",
            key="error.ruleset.bounds",
            field=f"{path}.with",
            expected="0–2",
            got=len(row.attach),
        )
    for attachment in row.attach:
        _bounds(f"{path}.with.size", attachment.size, 1, cards.MOST_EQUAL)
        _bounds(f"{path}.with.per", attachment.per, 1, 4)
