"""A ruleset in lines: one for each field, each with where it comes from."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ddz_core import rulesets
from ddz_core.errors import DdzError
from ddz_core.language import Phrase
from ddz_core.patterns import Move
from ddz_core.rules import Rules, load_ruleset
from ddz_core.rulesets import Provenance
from ddz_core.specs import Attachment, Kind, Ruleset, Step

GROUPS = ("seats", "deal", "combinations", "procedure", "declarations", "score")
"""The groups of lines, in the order in which they are read."""

_GROUP_OF = {
    "deck": "seats",
    "sides": "seats",
    "deal.seats": "seats",
    "deal": "deal",
    "play.alarm": "declarations",
    "play": "combinations",
    "kickers": "combinations",
    "kinds": "combinations",
    "wilds": "combinations",
    "auction.bomb_limit": "declarations",
    "auction": "procedure",
    "declare": "declarations",
    "score": "score",
    "leave": "score",
    "trustee": "score",
}

_NEEDS: dict[str, tuple[str, tuple[object, ...]]] = {
    "deal.bottom_shown": ("deal.bottom", (0,)),
    "deal.taken": ("deal.bottom", (0,)),
    "wilds.rank": ("wilds.mode", ("none",)),
    "wilds.alone": ("wilds.mode", ("none",)),
    "wilds.kickers": ("wilds.mode", ("none",)),
    "score.raked": ("score.rake", (0,)),
    "score.sum_from": ("score.combine", ("product",)),
    "score.base": ("", ()),
    "leave.penalty": ("leave.play", ("ends",)),
    "leave.pays_for_partners": ("leave.play", ("ends",)),
    "leave.gain": ("leave.play", ("ends",)),
    "leave.landlord": ("leave.play", ("goes_on",)),
    "leave.farmer": ("leave.play", ("goes_on",)),
    "leave.to": ("leave.play", ("goes_on",)),
    "leave.landlord_bombs": ("leave.play", ("goes_on",)),
    "leave.farmer_bombs": ("leave.play", ("goes_on",)),
    "trustee.loss": ("trustee.on", (False,)),
    "trustee.win": ("trustee.on", (False,)),
    "trustee.partner_win": ("trustee.on", (False,)),
}
"""Fields that say nothing while another has one of these values."""

NUMBERED = frozenset({"auction", "one_bid"})
"""Procedures in which a number is bid."""

_SILENT = {"auction.all_pass": ("holder", "cede"), "auction.first": ("holder",)}
"""Fields that say nothing in some procedures."""

_ONLY_BIDS = ("auction.levels", "auction.top_ends")

_SUMMED = ("score.spring", "score.anti_spring")
"""Numbers that are added where the ruleset counts by a sum, else multiplied."""

_SPOKEN_DEFAULTS = frozenset(
    {
        *("deck.decks", "deck.ranks", "deal.seats", "deal.hand", "deal.bottom", "sides"),
        *("deal.bottom_shown", "deal.face_up", "auction.mechanism", "auction.levels"),
        *("auction.top_ends", "auction.all_pass", "auction.first", "play.alarm", "score.stake"),
        *("score.base", "score.combine", "score.spring", "score.anti_spring", "wilds.mode"),
        *("kickers.max_equal", "kickers.both_jokers", "kickers.main_rank"),
        *("kickers.bomb_as_pairs", "kickers.next_triple", "leave.play", "leave.bidding"),
    }
)
"""Fields that are worth a line even at their default value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One rule in words to be looked up.

    Attributes:
        group: one of :data:`GROUPS`.
        path: dotted path of the field.
        key: catalogue key, beginning with ``atlas.``.
        params: its values, phrases among them.
        provenance: where the value comes from.
        value: the value itself, as plain data.
        cards: an example made by the engine, main part first; empty where there is none.
        kickers: the kickers of the example.
        on: whether the rule is in force; only a switched-off kind is not.
        quiet: whether it only says that something rare is not in this game.
        unused: whether it is a parameter of something that is not in this game.
    """

    group: str
    path: str
    key: str
    params: dict[str, object] = field(default_factory=dict)
    provenance: Provenance
    value: object = None
    cards: str = ""
    kickers: str = ""
    on: bool = True
    quiet: bool = False
    unused: bool = False


def group_of(path: str) -> str:
    """Return the group that a field's line stands in."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        group = _GROUP_OF.get(".".join(parts[:length]))
        if group is not None:
            return group
    return GROUPS[-1]


def describe(rules: Rules, *, quiet: bool = False) -> list[Line]:
    """Return a ruleset as lines in reading order.

    Args:
        rules: the game.
        quiet: also return the lines that only say that something rare is not in the game.

    Cost: some milliseconds, most of it examples; kept for rulesets already described.
    """
    found = _described(rules)
    return [line for line in found if quiet or not line.quiet]


@functools.lru_cache(maxsize=64)
def _described(rules: Rules) -> tuple[Line, ...]:
    ruleset = rules.ruleset
    off = set(ruleset.kinds.off)
    values = rulesets.fields(ruleset)
    kinds = dict(zip(row_paths(ruleset, "play.kind"), ruleset.play.kind, strict=True))
    ladder = dict(zip(row_paths(ruleset, "play.ladder"), ruleset.play.ladder, strict=True))
    lines = [
        Line(
            group="combinations",
            path="order",
            key="atlas.order",
            params={"ranks": order_of_singles(rules)},
            provenance=rulesets.provenance(ruleset, "play.kind"),
            value=order_of_singles(rules),
        )
    ]
    for path, value in values.items():
        origin = rulesets.provenance(ruleset, path)
        if path.startswith("play.orders") or path in ("kinds.off", "play.kind", "play.ladder"):
            continue
        if path.startswith("play.kind."):
            lines.append(_kind_line(rules, kinds[path], path, origin, off))
        elif path.startswith("play.ladder."):
            lines.append(_step_line(rules, ladder[path], path, origin, off))
        else:
            lines.append(_field_line(ruleset, values, path, value, origin))
    lines.sort(key=lambda line: GROUPS.index(line.group))
    return tuple(lines)


def row_paths(ruleset: Ruleset, table: str) -> list[str]:
    """Return the paths of the rows of a table, in its order."""
    return [path for path in rulesets.fields(ruleset) if path.startswith(table + ".")]


def _field_line(
    ruleset: Ruleset, values: Mapping[str, Any], path: str, value: object, origin: Provenance
) -> Line:
    phrase = phrase_of(path, value)
    needed, silent = _NEEDS.get(path, ("", ()))
    if path in _SUMMED and value != 1 and ruleset.score.combine == "sum":
        phrase = Phrase(f"atlas.{path}.sum", {"n": value})
    unused = needed in values and values[needed] in silent
    auction = ruleset.auction
    unused = unused or (path in _ONLY_BIDS and auction.mechanism not in NUMBERED)
    unused = unused or auction.mechanism in _SILENT.get(path, ())
    if path.startswith("auction.last_needs."):
        unused = not value or auction.all_pass != "last_tested"
    empty = isinstance(value, (list, tuple, dict)) and not value
    quiet = unused or empty or (value == _default(path) and path not in _SPOKEN_DEFAULTS)
    return Line(
        group=group_of(path),
        path=path,
        key=phrase.key,
        params=phrase.params,
        provenance=origin,
        value=value,
        quiet=quiet and (unused or origin.kind == "assumed"),
        unused=unused,
    )


@functools.cache
def _defaults() -> dict[str, Any]:
    """Return the default of every field that has one, by path."""
    found: dict[str, Any] = {}
    for info in msgspec.structs.fields(Ruleset):
        if info.default is not msgspec.NODEFAULT:
            plain = msgspec.to_builtins({info.encode_name: info.default})
            found |= dict(rulesets.leaves(plain))
    return found


def _default(path: str) -> object:
    found = _defaults().get(path, _defaults)
    return list(found) if isinstance(found, tuple) else found


def phrase_of(path: str, value: object) -> Phrase:
    """Return the words for a field's value.

    Truth values end in ``yes`` and ``no``, named values in their name, neutral numbers and empty
    lists in ``none``; other numbers are the value ``n``, lists the value ``values``.
    """
    base = f"atlas.{path}"
    if path.startswith("declare.") and isinstance(value, Mapping):
        return _declaration(value, path.split(".")[1])
    if path.startswith("auction.forced.") and isinstance(value, Mapping):
        need = _need(value.get("need", {}))
        return Phrase(f"atlas.auction.forced.{value.get('duty', 'bid')}", {"need": need})
    if path.startswith("auction.bomb_limit.") and isinstance(value, Mapping):
        return _bomb_limit(value)
    if isinstance(value, bool):
        return Phrase(f"{base}.{'yes' if value else 'no'}")
    if isinstance(value, str) and path not in ("deck.ranks", "wilds.rank"):
        return Phrase(f"{base}.{value or 'none'}")
    if value is None or value in ("", 0, (), [], {}) or (value == 1 and path in _NEUTRAL_ONE):
        return Phrase(f"{base}.none")
    if isinstance(value, int):
        return Phrase(base, {"n": value})
    if path == "score.room_values" and isinstance(value, (list, tuple)):
        return Phrase(base, {"values": joined([Phrase(f"atlas.room.{name}") for name in value])})
    if isinstance(value, (list, tuple)):
        return Phrase(base, {"values": ", ".join(map(str, value))})
    return Phrase(base, {"values": str(value)})


_NEUTRAL_ONE = frozenset(
    {
        *("score.spring", "score.anti_spring", "score.face_up_joker", "score.initial"),
        *("auction.rob", "auction.show_before", "score.room"),
    }
)


def _need(need: Mapping[str, Any]) -> Phrase:
    """Return what a hand must hold, in words."""
    parts = [Phrase(f"atlas.need.{name}", {"n": number}) for name, number in need.items() if number]
    if not parts:
        return Phrase("atlas.need.none")
    whole = parts[0]
    for part in parts[1:]:
        whole = Phrase("atlas.need.and", {"a": whole, "b": part})
    return whole


def _declaration(row: Mapping[str, Any], name: str) -> Phrase:
    factors = [f for f in row.get("factors", ()) if f != 1]
    return Phrase(
        f"atlas.declare.{name}",
        {
            "values": ", ".join(f"×{f}" for f in factors),
            "n": row.get("factor", 1),
            "win": row.get("win", 0),
            "loss": row.get("loss", 0),
            "steps": joined([row_phrase(str(step)) for step in row.get("steps", ())]),
        },
    )


def row_phrase(name: str) -> Phrase:
    """Return the words for a row of the bomb ladder as it is called in paths, such as ``bomb8``."""
    kind = name.removesuffix("_mixed").removesuffix("_pure")
    base = kind.rstrip("0123456789")
    if base == kind:
        return Phrase(f"kind.{kind}")
    return Phrase("atlas.row.sized", {"kind": Phrase(f"kind.{base}"), "n": int(kind[len(base) :])})


def joined(parts: list[Phrase]) -> object:
    """Return phrases as one, with "and" between them; empty text for none."""
    if not parts:
        return ""
    whole = parts[0]
    for part in parts[1:]:
        whole = Phrase("atlas.and", {"a": whole, "b": part})
    return whole


def _bomb_limit(row: Mapping[str, Any]) -> Phrase:
    contract = row.get("contract") or ()
    first, said, bombs = row.get("by_first"), row.get("said"), row.get("bombs")
    return Phrase(
        "atlas.bomb_limit",
        {
            "contract": Phrase(
                "atlas.bomb_limit.contract", {"values": ", ".join(map(str, contract))}
            )
            if contract
            else Phrase("atlas.bomb_limit.any"),
            "first": Phrase(
                f"atlas.bomb_limit.first.{'any' if first is None else 'yes' if first else 'no'}"
            ),
            "said": Phrase("atlas.bomb_limit.said.any")
            if said is None
            else Phrase("atlas.bomb_limit.said", {"call": said})
            if said
            else Phrase("atlas.bomb_limit.said.nothing"),
            "bombs": Phrase("atlas.bomb_limit.free")
            if bombs is None
            else Phrase("atlas.bomb_limit.most", {"n": bombs}),
        },
    )


# --- combinations --------------------------------------------------------------------------------


def _size(size: int, n: int = 1) -> Phrase:
    """Return the name of equal cards in the form for ``n`` groups."""
    return Phrase(f"atlas.size.{size}" if size < 5 else "atlas.size.n", {"n": n, "cards": size})


def form_of(ruleset: Ruleset, row: Kind) -> Phrase:
    """Return what a kind is made of, in words."""
    body = row.body
    order = ruleset.order(body.order)
    if body.run[1] > 1:
        low = _label(order[0])
        if order[0] in order[1:]:
            low = Phrase("atlas.low", {"rank": low})
        names = {"low": low, "high": _label(order[-1]), "n": body.run[0]}
        phrase = Phrase("atlas.body.run", {**names, "size": _size(body.size, 2)})
    else:
        phrase = Phrase("atlas.body.group", {"size": _size(body.size)})
    for attachment in row.attach:
        phrase = Phrase("atlas.body.with", {"body": phrase, "attach": _attachment(row, attachment)})
    return phrase


def _attachment(row: Kind, attachment: Attachment) -> Phrase:
    form = "each" if row.body.run[1] > 1 else "one"
    size = _size(attachment.size, attachment.per)
    number = Phrase(f"atlas.attach.{form}", {"n": attachment.per, "size": size})
    if attachment.run:
        number = Phrase("atlas.attach.run", {"attach": number})
    if attachment.ranked:
        number = Phrase("atlas.attach.ranked", {"attach": number})
    return number


def _label(rank: str) -> object:
    return "10" if rank == "T" else rank


def _kind_line(rules: Rules, row: Kind, path: str, origin: Provenance, off: set[str]) -> Line:
    on = row.id not in off
    if not on:
        origin = rulesets.provenance(rules.ruleset, "kinds.off")
    move = example_of(rules, row.id)
    plain = row.body.run[1] == 1 and not row.attach
    return Line(
        group="combinations",
        path=path,
        key="atlas.kind.off" if not on else "atlas.kind" if plain else "atlas.kind.made",
        params={"kind": Phrase(f"kind.{row.id}"), "form": form_of(rules.ruleset, row)},
        provenance=origin,
        value=msgspec.to_builtins(row),
        cards=move.main if move else "",
        kickers=move.kickers if move else "",
        on=on,
    )


def _step_line(rules: Rules, step: Step, path: str, origin: Provenance, off: set[str]) -> Line:
    ruleset = rules.ruleset
    on = step.id not in off
    cards = _bomb_of(rules, step)
    if step.cards:
        form = Phrase("atlas.step.cards", {"cards": " / ".join(_bombs(ruleset, step))})
    else:
        form = Phrase(f"atlas.step.{step.wild}", {"n": step.size})
    counted = step.adds if ruleset.score.combine == "sum" else step.factor
    if ruleset.score.combine == "sum":
        counts = Phrase("atlas.counts.adds" if counted else "atlas.counts.nothing", {"n": counted})
    else:
        name = "nothing" if counted == 1 else "factor"
        counts = Phrase(f"atlas.counts.{name}", {"n": counted})
    return Line(
        group="combinations",
        path=path,
        key="atlas.step" if on else "atlas.step.off",
        params={
            "kind": Phrase(f"kind.{step.id}"),
            "form": form,
            "counts": counts,
            "place": ruleset.play.ladder.index(step) + 1,
            "places": len(ruleset.play.ladder),
        },
        provenance=origin if on else rulesets.provenance(ruleset, "kinds.off"),
        value=msgspec.to_builtins(step),
        cards=cards,
        on=on,
    )


def order_of_singles(rules: Rules) -> str:
    """Return the ranks of the game from the lowest single to the highest, asked of the engine."""
    ranks = list(rules.ruleset.deck.ranks)

    def compare(a: str, b: str) -> int:
        try:
            return 1 if rules.beats(a, b) else -1 if rules.beats(b, a) else 0
        except DdzError:
            return 0

    return "".join(sorted(ranks, key=functools.cmp_to_key(compare)))


def playable(rules: Rules) -> Rules:
    """Return the rules with a wild rank set, where it is drawn in the game, so that moves exist."""
    wilds = rules.ruleset.wilds
    if wilds.mode == "rank" and not wilds.rank:
        return load_ruleset(rules.id, {**rules.overrides, "wilds.rank": "4"})
    return rules


@functools.lru_cache(maxsize=1024)
def example_of(rules: Rules, kind: str) -> Move | None:
    """Return the smallest play of a kind that the engine makes of a few cards, or None.

    A kind that is switched off gives its example with the switch on.
    """
    ruleset = rules.ruleset
    if kind in ruleset.kinds.off:
        rest = [name for name in ruleset.kinds.off if name != kind]
        try:
            return example_of(load_ruleset(rules.id, {**rules.overrides, "kinds.off": rest}), kind)
        except DdzError:
            return None
    asked = playable(rules)
    for hand in _sample_hands(asked.ruleset, kind):
        try:
            moves = [move for move in asked.moves(hand) if move.kind == kind]
        except DdzError:
            continue
        if moves:
            least = min(len(move.cards) for move in moves)
            short = [move for move in moves if len(move.cards) == least]
            return min(short, key=lambda move: (_repeats(move.kickers), move.cards))
    return None


def _repeats(kickers: str) -> int:
    return len(kickers) - len(set(kickers))


def _sample_hands(ruleset: Ruleset, kind: str) -> list[str]:
    """Return small hands that should hold a kind, likely ones first."""
    for row in ruleset.play.kind:
        if row.id == kind:
            return _kind_hands(ruleset, row)
    return [
        hand for step in ruleset.play.ladder if step.id == kind for hand in _bombs(ruleset, step)
    ]


def _bombs(ruleset: Ruleset, step: Step) -> list[str]:
    """Return what could be played as a row of the bomb ladder."""
    if step.cards:
        return [cards for one in step.cards for cards in one.split("=")]
    wild = ruleset.wilds.rank or "*"
    if step.wild == "pure":
        return [wild * step.size]
    if step.wild == "mixed":
        return ["8" * (step.size - 1) + wild]
    return ["8" * step.size]


def _bomb_of(rules: Rules, step: Step) -> str:
    """Return cards that the engine reads as a bomb of this row, or nothing."""
    asked = playable(rules)
    if step.id in asked.ruleset.kinds.off:
        rest = [name for name in asked.ruleset.kinds.off if name != step.id]
        try:
            asked = load_ruleset(rules.id, {**asked.overrides, "kinds.off": rest})
        except DdzError:
            return ""
    for cards in _bombs(asked.ruleset, step):
        try:
            if any(one.kind == step.id for one in asked.readings(cards)):
                return cards
        except DdzError:
            continue
    return ""


def _kind_hands(ruleset: Ruleset, row: Kind) -> list[str]:
    order = ruleset.order(row.body.order)
    order = "".join(rank for rank in order if rank in ruleset.deck.ranks)
    allowed = [r for r in order if not row.body.ranks or r in row.body.ranks]
    groups = row.body.run[0]
    hands = []
    for start in (4, 2, 0):
        body = allowed[start : start + groups]
        if len(body) < groups:
            continue
        rest = [r for r in ruleset.deck.ranks if r not in body and r not in "XD"]
        # Kickers that must be consecutive need a stretch of ranks of their own.
        rest = rest[-(4 + 4 * len(row.attach) * groups) :] if start == 0 else rest
        text, used = "".join(r * row.body.size for r in body), 0
        for attachment in row.attach:
            number = attachment.per * groups
            ranks = [r for r in rest if not attachment.ranks or r in attachment.ranks]
            if attachment.run:
                run = [r for r in ruleset.order(attachment.run) if r in ranks]
                ranks = run[used:] or run
            else:
                ranks = ranks[used:]
            text += "".join(r * attachment.size for r in ranks[:number])
            used += number
        hands.append(text)
    return hands


__all__ = [
    "GROUPS",
    "Line",
    "describe",
    "example_of",
    "form_of",
    "group_of",
    "order_of_singles",
    "phrase_of",
    "playable",
]
