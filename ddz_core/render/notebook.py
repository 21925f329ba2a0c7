"""What cards, games and results look like in a notebook: fills the hooks of ``display``.

Layer 4. Every type is told once as blocks (:mod:`ddz_core.render.sheet`), from which both forms are
made. Seats carry the numbers of the code, from 0. A running game draws no hand: an observation
draws what one seat sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from ddz_core import cards, display, reading
from ddz_core.actions import Entry
from ddz_core.behaviour import Belief
from ddz_core.belief import Odds, Where
from ddz_core.bidding import BidReport
from ddz_core.bookbids import ENOUGH
from ddz_core.cards import Card
from ddz_core.claims import Result
from ddz_core.dealing import Deal
from ddz_core.decompose import Splits
from ddz_core.display import Drawn, Table
from ddz_core.estimate import Estimate
from ddz_core.game import Game
from ddz_core.language import Words
from ddz_core.observation import Observation
from ddz_core.patterns import Combination, Explanation
from ddz_core.record import Position
from ddz_core.render import rows, sheet, wording
from ddz_core.render.cards import Group
from ddz_core.render.claim_sheet import result_blocks
from ddz_core.render.review_sheet import review_blocks
from ddz_core.render.sheet import Block, Cards, Cell, Figure, Foot, Grid, Line, Title
from ddz_core.review import Review
from ddz_core.scoring import Ledger
from ddz_core.specs import Ruleset

T = TypeVar("T")

MOST_SPLITS: Final = 6
MOST_READINGS: Final = 8
MOST_ACTIONS: Final = 12
MOST_TEXT: Final = 400
"""Characters of cards that are drawn at most; two packs with suits have 216 cards."""


@dataclass(frozen=True, slots=True)
class Picture(Drawn):
    """Cards given as text, to be drawn; made by :func:`picture`.

    Attributes:
        cards: the cards in the order in which they are to lie.
        label: words above them.
    """

    cards: str
    label: str = ""


def picture(text: str | cards.Hand, label: str = "") -> Picture:
    """Return cards as a picture that a notebook draws.

    Args:
        text: cards as text, a suit before its rank where it matters, or a packed hand. A hand that
            comes low to high lies high to low, as players hold it; suits keep their place.
        label: words above the lane.

    Raises:
        NotationError: if the cards cannot be read.
        HandError: for more cards of a rank than two decks hold.
    """
    hand = cards.parse_cards(text[:MOST_TEXT] if isinstance(text, str) else text)
    plain = cards.format_cards(hand)
    given = text if isinstance(text, str) and any(s in text for s in cards.SUITS) else plain[::-1]
    return Picture(given[:MOST_TEXT], label)


# ---------------------------------------------------------------- words


def _jokers(words: Words) -> tuple[str, str]:
    return words.say("table.js.joker_small"), words.say("table.js.joker_big")


def _hand(words: Words, text: str, label: str = "") -> Cards | Line:
    """Return a hand low to high as the block that draws it high to low."""
    if not text:
        return Line(f"{label}: –" if label else "–")
    shown = wording.card_text(words, text)
    return Cards(shown, cards=text[::-1], label=label, jokers=_jokers(words))


def _held(words: Words, hand: Sequence[Card], label: str = "") -> Cards | Line:
    """Return physical cards, low to high, as the block that draws them with their suits."""
    if not hand:
        return Line(f"{label}: –" if label else "–")
    drawn = "".join(str(card) for card in reversed(hand))
    shown = wording.card_text(words, cards.format_cards(cards.from_cards(hand)))
    return Cards(shown, cards=drawn, label=label, jokers=_jokers(words))


def _groups(words: Words, one: Combination) -> tuple[Group, ...]:
    """Return a combination as it lies: the main part named, the kickers apart."""
    name = wording.combination_name(words, one)
    if one.shown != one.main:
        counted = words.say("notebook.counts_as", cards=wording.card_text(words, one.shown))
        name = f"{name} · {counted}"
    return (
        Group(one.main, name),
        Group(one.kickers, words.say("explorer.kickers"), dashed=True),
    )


def _lane(words: Words, one: Combination, label: str = "") -> Cards:
    name = wording.combination_name(words, one)
    return Cards(
        f"{wording.combination_text(words, one)} ({name})",
        groups=_groups(words, one),
        label=label,
        jokers=_jokers(words),
    )


def _seat(words: Words, seat: int, landlords: Iterable[int] = (), seats: int = 0) -> str:
    """Return a seat by its number, with its role once that is known."""
    name = words.say("notebook.seat", n=seat)
    role = wording.role_of(seat, landlords, seats)
    return name if role == "unknown" else f"{name} · {words.say(f'table.role.{role}')}"


def _rules(words: Words, ruleset: Ruleset) -> str:
    name = ruleset.name_in(words.lang)
    return words.say("app.rules.changed", name=name) if ruleset.overrides else name


def _foot(
    words: Words, method: str, *, n: int = 0, seed: int | None = None, more: Sequence[str] = ()
) -> Foot:
    parts = [words.say("app.foot.n", n=f"{n:,}")] if n else []
    parts += [words.say("app.foot.seed", seed=seed)] if seed is not None else []
    badge = words.say(f"app.foot.{method}")
    return Foot(badge, method == "sampled", " · ".join([*parts, *more]))


def _number(value: float) -> str:
    """Return a number with three decimals at most, an honest minus before it."""
    return f"{value:+.3f}".rstrip("0").rstrip(".").replace("-", "−").replace("+", "")


def _mean(value: float) -> str:
    """Return a mean with two decimals, as columns of them stand under each other."""
    return f"{value:.2f}".replace("-", "−")


def _share(value: float) -> str:
    """Return a chance in 100, one decimal where that says something."""
    if value in (0.0, 1.0):
        return sheet.in_hundred(value)
    return f"{100 * value:.1f}".replace("-", "−")


def _range(one: Estimate, write: Callable[[float], str]) -> tuple[str, str, str]:
    if one.method != "sampled":
        return write(one.value), "", ""
    return write(one.value), write(one.low), write(one.high)


def _rest(words: Words, whole: int, drawn: int) -> list[Block]:
    hidden = whole - drawn
    return [Line(words.say("notebook.more", n=hidden), quiet=True)] if hidden > 0 else []


# ---------------------------------------------------------------- cards and rules


def _picture(one: Picture, words: Words) -> list[Block]:
    plain = cards.format_cards(cards.parse_cards(one.cards))
    shown = wording.card_text(words, plain)
    return [Cards(shown, cards=one.cards, label=one.label, jokers=_jokers(words))]


def _card(one: Card, words: Words) -> list[Block]:
    return [Cards(str(one), cards=str(one), width=120, jokers=_jokers(words))]


def _combination(one: Combination, words: Words) -> list[Block]:
    return [_lane(words, one)]


def _splits(one: Splits, words: Words) -> list[Block]:
    blocks: list[Block] = [_hand(words, one.cards)]
    many = "notebook.ways.many" if one.cut else "notebook.ways"
    blocks.append(Figure(str(one.turns), words.say("surgeon.fewest", n=one.turns)))
    blocks.append(Line(words.say(many, n=len(one.splits)), quiet=True))
    for split in one.splits[:MOST_SPLITS]:
        text = " · ".join(wording.combination_text(words, move) for move in split)
        groups = tuple(Group(move.main + move.kickers) for move in split)
        if groups:
            lane = Cards(text, groups=groups, label=text, width=700, jokers=_jokers(words))
            blocks.append(lane)
    blocks += _rest(words, len(one.splits), MOST_SPLITS)
    return [*blocks, _foot(words, "exact")]


def _explanation(one: Explanation, words: Words) -> list[Block]:
    said = words.say("notebook.legal" if one.legal else "notebook.illegal")
    if one.beat is not None:
        beaten = wording.combination_text(words, one.beat)
        said = f"{said} · {words.say('notebook.over_beat', cards=beaten)}"
    blocks: list[Block] = [Title(said), _hand(words, one.cards)]
    blocks += [Line(words.say(reason.key, **reason.params)) for reason in one.reasons]
    blocks += [_lane(words, found) for found in one.readings[:MOST_READINGS]]
    blocks += _rest(words, len(one.readings), MOST_READINGS)
    nearest = words.say("explorer.nearest")
    return blocks + [_lane(words, move, nearest) for move in one.nearest]


# ---------------------------------------------------------------- deals and games


def _origin(words: Words, deal: Deal) -> str:
    if deal.seed is None:
        return words.say("notebook.by_hand")
    seed = words.say("app.foot.seed", seed=deal.seed)
    if not deal.number:
        return seed
    return f"{seed} · {words.say('notebook.number', n=deal.number + 1)}"


def _deal(deal: Deal, words: Words) -> list[Block]:
    facts = [_origin(words, deal), words.say("notebook.first", n=deal.first)]
    if deal.face_up is not None:
        facts.append(words.say("notebook.face_up", card=deal.face_up_text))
    if deal.wild:
        facts.append(words.say("notebook.wild", rank=wording.rank_label(words, deal.wild)))
    blocks: list[Block] = [Title(words.say("notebook.deal")), Line(" · ".join(facts), quiet=True)]
    blocks += [_held(words, hand, _seat(words, seat)) for seat, hand in enumerate(deal.hands)]
    if deal.bottom:
        blocks.append(_held(words, deal.bottom, words.say("table.bottom.shown")))
    if deal.dead:
        blocks.append(_held(words, deal.dead, words.say("odds.place.dead")))
    return blocks


def _action(words: Words, entry: Entry) -> str:
    if entry.move is not None:
        text = wording.combination_text(words, entry.move)
        return f"{text} ({wording.combination_name(words, entry.move)})"
    return words.say(entry.key, **entry.params)


def _actions(words: Words, game: Game | Observation) -> list[Block]:
    done = [
        (
            "" if entry.seat is None else _seat(words, entry.seat, game.landlords, game.seats),
            _action(words, entry),
        )
        for entry in game.history[-MOST_ACTIONS:]
    ]
    head = (words.say("notebook.col.who"), words.say("notebook.col.what"))
    label = words.say("notebook.actions")
    return [Grid(head, tuple(done), label=label, words=True)] if done else []


def _state(words: Words, game: Game | Observation) -> list[Block]:
    """Return who is to act over what, or how the game ended."""
    if game.to_act is None and game.outcome is not None:
        blocks: list[Block] = [Line(words.say("notebook.over"))]
    else:
        acting = "" if game.to_act is None else words.say("notebook.to_act", n=game.to_act)
        blocks = [Line(acting)] if acting else []
    if game.phase == "play" and game.to_act is not None:
        if game.to_beat is None:
            blocks.append(Line(words.say("notebook.lead")))
        else:
            blocks.append(_lane(words, game.to_beat, words.say("notebook.to_beat")))
    return blocks


def _game(game: Game, words: Words) -> list[Block]:
    facts = [_rules(words, game.ruleset), _origin(words, game.deal)]
    blocks: list[Block] = [Title(words.say("notebook.game")), Line(" · ".join(facts), quiet=True)]
    blocks += _state(words, game)
    left = tuple(
        (_seat(words, s, game.landlords, game.seats), words.say("notebook.left", n=n))
        for s, n in enumerate(game.left)
    )
    if game.phase != "settled":
        head = (words.say("notebook.col.seat"), words.say("notebook.held"))
        blocks.append(Grid(head, left, words=True))
        blocks.append(Line(words.say("notebook.hidden"), quiet=True))
    blocks += _actions(words, game)
    if game.ledger is not None:
        blocks += _ledger(game.ledger, words)
        for seat, hand in enumerate(game.deal.hands):
            blocks.append(_held(words, hand, _seat(words, seat, game.landlords, game.seats)))
        if game.deal.bottom:
            blocks.append(_held(words, game.deal.bottom, words.say("table.bottom.shown")))
    return blocks


def _observation(obs: Observation, words: Words) -> list[Block]:
    blocks: list[Block] = [
        Title(words.say("notebook.observation", n=obs.seat)),
        Line(_rules(words, obs.ruleset), quiet=True),
        *_state(words, obs),
    ]
    own = _seat(words, obs.seat, obs.landlords, obs.seats)
    blocks.append(_held(words, obs.held, own))
    if obs.bottom:
        blocks.append(_held(words, obs.bottom, words.say("table.bottom.shown")))
    for seat, number in enumerate(obs.left):
        if seat != obs.seat:
            name = _seat(words, seat, obs.landlords, obs.seats)
            blocks.append(Line(f"{name}: {words.say('notebook.left', n=number)}"))
    unseen = cards.format_cards(obs.unseen)
    ranks = [rank for rank in wording.DISPLAY if cards.full_deck(1, rank.strip("*")) or rank == "*"]
    shown = [r for r in ranks if obs.ruleset.deck_cards >> 4 * cards.LANE[r] & 15]
    head = (
        words.say("notebook.unseen"),
        *(wording.rank_label(words, r, short=True) for r in shown),
    )
    counts = (str(len(unseen)), *(str(unseen.count(rank)) for rank in shown))
    return [*blocks, Grid(head, (counts,)), *_actions(words, obs)]


def _position(one: Position, words: Words) -> list[Block]:
    seats = len(one.hands)
    blocks: list[Block] = [
        Title(words.say("notebook.position")),
        Line(_rules(words, one.rules.ruleset), quiet=True),
        Line(words.say("notebook.to_act", n=one.to_move)),
    ]
    if one.beat is None:
        blocks.append(Line(words.say("notebook.lead")))
    else:
        blocks.append(_lane(words, one.beat, words.say("notebook.to_beat")))
    for seat, text in enumerate(one.texts):
        blocks.append(_hand(words, text, _seat(words, seat, one.landlords, seats)))
    return blocks


def _ledger(ledger: Ledger, words: Words) -> list[Block]:
    lines: list[tuple[str, str]] = []
    product = 1
    for step in ledger.steps:
        if step.factor is None and step.seat is not None:
            continue  # what each seat gets has a table of its own
        label = words.say(
            step.key,
            cards=wording.card_text(words, step.cards),
            factor=step.factor,
            amount=step.amount,
        )
        if step.seat is not None:
            lines.append((f"{_seat(words, step.seat)}: {label}", ""))
        elif step.factor is not None:
            product *= step.factor
            lines.append((label, str(product)))
        else:
            lines.append((label, str(step.amount)))
    blocks: list[Block] = []
    if lines:
        head = (words.say("notebook.col.step"), words.say("notebook.col.value"))
        blocks.append(Grid(head, tuple(lines), label=words.say("notebook.ledger")))
    names = [words.say("notebook.col.seat"), words.say("notebook.col.points")]
    paid = ledger.gold != ledger.points
    if paid:
        names.append(words.say("notebook.col.gold"))
    each = tuple(
        (words.say("notebook.seat", n=seat), _number(points), *([_number(gold)] if paid else []))
        for seat, (points, gold) in enumerate(zip(ledger.points, ledger.gold, strict=True))
    )
    blocks.append(Grid(tuple(names), each))
    if ledger.house:
        blocks.append(Line(words.say("notebook.house", n=_number(ledger.house)), quiet=True))
    return blocks


# ---------------------------------------------------------------- numbers


def _estimate(one: Estimate, words: Words) -> list[Block]:
    blocks: list[Block] = []
    write = _share if one.unit == "probability" else _number
    difference = one.low < 0  # no chance is below zero
    if one.unit == "probability" and difference:
        blocks.append(Figure(_share(one.value), words.say("notebook.difference")))
    elif one.unit == "probability":
        blocks.append(Figure(_share(one.value), words.phrase(reading.in_counts(one.value))))
    else:
        unit = f"notebook.col.{one.unit}"
        said = words.say(unit) if words.knows(unit) else one.unit
        blocks.append(Figure(_number(one.value), said))
    more = []
    if one.method == "sampled":
        ends = {"low": write(one.low), "high": write(one.high)}
        more.append(words.say("notebook.interval", **ends))
    fraction = reading.as_fraction(one) if one.unit == "probability" and not difference else ""
    more += [fraction] if fraction else []
    return [*blocks, _foot(words, one.method, n=one.n, seed=one.seed, more=more)]


def _maps(
    words: Words, odds: Odds, table: dict[Where, dict[str, tuple[float, ...]]]
) -> list[Block]:
    """Return for each place a table of chances, number of cards by rank."""
    blocks: list[Block] = []
    for place, ranks in table.items():
        shown = sorted(ranks, key=lambda rank: (wording.DISPLAY + rank).index(rank))
        most = max(map(len, ranks.values()))
        cells: tuple[tuple[str | Cell, ...], ...] = tuple(
            (
                str(count),
                *(
                    Cell(float(ranks[r][count]) or None if count < len(ranks[r]) else None)
                    for r in shown
                ),
            )
            for count in range(most)
        )
        name = words.say("notebook.seat", n=place)
        if not isinstance(place, int):
            name = words.say(f"odds.place.{place}")
        label = f"{name} · {words.say('notebook.cards', n=odds.sizes[place])}"
        if known := odds.known(place):
            shown_known = wording.card_text(words, known)
            label = f"{label} · {words.say('odds.known.other', cards=shown_known)}"
        head = ("", *(wording.rank_label(words, r, short=True) for r in shown))
        blocks.append(Grid(head, cells, label=label))
    return blocks


def _odds(odds: Odds, words: Words) -> list[Block]:
    return [
        Title(words.say("notebook.odds")),
        _hand(words, odds.hand, words.say("notebook.seat", n=odds.seat)),
        Line(words.say("notebook.in_hundred"), quiet=True),
        *_maps(words, odds, odds.table()),
        _foot(words, "exact", more=[_rules(words, odds.ruleset)]),
    ]


def _belief(belief: Belief, words: Words) -> list[Block]:
    weight = f"{belief.effective:,.0f}"
    seen = words.say("notebook.passes", n=len(belief.passes), effective=weight)
    rules = _rules(words, belief.prior.ruleset)
    return [
        Title(words.say("notebook.belief")),
        _hand(words, belief.prior.hand, words.say("notebook.seat", n=belief.prior.seat)),
        Line(seen, quiet=True),
        Line(words.say("notebook.in_hundred"), quiet=True),
        *_maps(words, belief.prior, belief.table()),
        _foot(words, "sampled", n=belief.n, seed=belief.seed, more=[rules]),
    ]


def _call(words: Words, call: str) -> str:
    if call.isdecimal():
        return words.say("bid.call", n=call)
    known = f"bid.call.{call}"
    return words.say(known) if words.knows(known) else call


def _report(one: BidReport, words: Words) -> list[Block]:
    if one.points >= ENOUGH:
        points = words.say("bid.points.enough", n=one.points)
    else:
        points = words.say("bid.points.short", n=one.points, short=ENOUGH - one.points)
    facts = words.say("notebook.bid.facts", bombs=one.bombs, controls=one.controls, turns=one.turns)
    blocks: list[Block] = [
        Title(words.say("notebook.bid")),
        _hand(words, one.hand),
        Line(points),
        Line(facts),
    ]
    for thumb in one.thumb:
        how = "except" if thumb.exception else "yes" if thumb.met else "no"
        rule = words.say(f"bid.rule.{thumb.rule}")
        blocks.append(Line(words.say(f"notebook.bid.rule.{how}", rule=rule)))
    ends = (words.say("notebook.col.low"), words.say("notebook.col.high"))
    chances = [("win", one.win), ("farmer", one.win_farmer)]
    if one.percentile is not None:
        chances.append(("percentile", one.percentile))
    won = tuple((words.say(f"notebook.bid.{name}"), *_range(e, _share)) for name, e in chances)
    of_hundred = words.say("notebook.bid.of_hundred")
    blocks.append(Grid((of_hundred, words.say("notebook.col.value"), *ends), won))
    worth = tuple((_call(words, call), *_range(e, _mean)) for call, e in one.calls.items())
    head = (words.say("notebook.col.call"), words.say("notebook.col.points"), *ends)
    blocks.append(Grid(head, worth, label=words.say("notebook.bid.calls")))
    bots = words.say("app.foot.bots", bots=one.bots)
    return [*blocks, _foot(words, "sampled", n=one.deals, seed=one.seed, more=[bots])]


# ---------------------------------------------------------------- the hooks


def _register(
    kind: type[T],
    tell: Callable[[T, Words], list[Block]],
    table: Callable[[T], Table] | None = None,
) -> None:
    """Register a type by the function that tells it as blocks."""
    display.register(
        kind,
        html=lambda one, words: sheet.html_of(tell(one, words), words.lang),
        text=lambda one, words: sheet.text_of(tell(one, words)),
        frame=table,
    )


_register(Picture, _picture)
_register(Card, _card)
_register(Combination, _combination, rows.combination_rows)
_register(Splits, _splits, rows.split_rows)
_register(Explanation, _explanation, rows.explanation_rows)
_register(Deal, _deal, rows.deal_rows)
_register(Game, _game, rows.game_rows)
_register(Observation, _observation, rows.history_rows)
_register(Position, _position, rows.position_rows)
_register(Ledger, _ledger, rows.ledger_rows)
_register(Estimate, _estimate, rows.estimate_rows)
_register(Odds, _odds)
_register(Belief, _belief, rows.belief_rows)
_register(BidReport, _report)
_register(Result, result_blocks)
_register(Review, review_blocks)
