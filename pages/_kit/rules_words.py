"""Lines, differences and examples of the atlas in the reader's words, as escaped markup."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING

from ddz_core.language import Phrase
from ddz_core.render import cards as drawing
from ddz_core.render import wording
from pages._kit import explorer_read

if TYPE_CHECKING:
    from ddz_core.atlas import Example, Line
    from ddz_core.language import Words
    from ddz_core.rulesets import Provenance
    from pages._kit.shell import House


SEATS = frozenset({"landlords", "trustee", "declared", "doubles"})
"""Facts that are lists of seats."""


def line_text(words: Words, line: Line) -> str:
    """Return a line as plain text; a field without words of its own by its path and value."""
    if not words.knows(line.key):
        return words.say("atlas.field", field=line.path, value=str(line.value))
    params = dict(line.params)
    ranks = params.get("ranks")
    if isinstance(ranks, str):
        params["ranks"] = " < ".join(wording.rank_label(words, rank) for rank in ranks)
    form = params.get("form")
    if (
        isinstance(form, Phrase)
        and "cards" in form.params
        and isinstance(form.params["cards"], str)
    ):
        shown = " / ".join(cards_text(words, one) for one in form.params["cards"].split(" / "))
        params["form"] = Phrase(form.key, {**form.params, "cards": shown})
    if line.path in ("deck.ranks", "wilds.rank") and isinstance(params.get("values"), str):
        params["values"] = " ".join(
            wording.rank_label(words, rank) for rank in str(params["values"])
        )
    return words.phrase(Phrase(line.key, params))


def label(words: Words, path: str, name: str = "") -> str:
    """Return the short name of a field; of a row, that of its kind.

    Args:
        words: the reader's.
        path: dotted path.
        name: id of the kind, for a switch over kinds.
    """
    if name and words.knows(f"kind.{name}"):
        return words.say(f"kind.{name}")
    parts = path.split(".")
    if parts[0] == "play" and len(parts) > 2:
        base = parts[2].split("_mixed")[0].split("_pure")[0].rstrip("0123456789")
        kind = f"kind.{parts[2]}" if words.knows(f"kind.{parts[2]}") else f"kind.{base}"
        if words.knows(kind):
            size = "".join(filter(str.isdigit, parts[2]))
            form = next((f for f in ("mixed", "pure") if parts[2].endswith(f"_{f}")), "")
            more = words.say(f"atlas.form.{form}") if form else size
            return words.say(kind) + (f" {more}" if more else "")
    for length in range(len(parts), 0, -1):
        key = f"atlas.label.{'.'.join(parts[:length])}"
        if words.knows(key):
            return words.say(key)
    return path


def tag(words: Words, found: Provenance) -> str:
    """Return the mark of where a value comes from: solid for a document, dashed otherwise."""
    style = "exact" if found.kind == "stated" else "sampled"
    text = words.say(f"atlas.prov.{found.kind}")
    if found.kind == "stated":
        text += f" {found.document}"
    return f'<span class="paili-tag {style}">{escape(text)}</span>'


def origin(words: Words, found: Provenance) -> str:
    """Return where a value comes from, or why it was assumed, as plain text."""
    if found.kind == "changed":
        return words.say("atlas.prov.house")
    if found.kind == "stated":
        return document(words, found.document, found.section)
    if found.reason:
        return found.reason.get(words.lang) or found.reason.get("en", "")
    return words.say("atlas.prov.sensible")


def document(words: Words, number: str, section: str = "") -> str:
    """Return a document as readers know it."""
    name = words.say(f"atlas.document.{number}") if number else ""
    form = "atlas.prov.from.section" if section else "atlas.prov.from"
    params = {"document": number, "name": name} | ({"section": section} if section else {})
    return words.say(form, **params)


def lane(house: House, main: str, kickers: str = "", *, width: int = 320) -> str:
    """Return cards on a lane of mat as an image in markup."""
    first, second = explorer_read.suited(main, kickers)
    say = house.words.say
    theme: drawing.Theme = "dark" if house.dark else "light"
    svg = drawing.lane_svg(
        [drawing.Group(first), drawing.Group(second)],
        width=width,
        card=40,
        theme=theme,
        jokers=(say("table.js.joker_small"), say("table.js.joker_big")),
    )
    data = base64.b64encode(svg.encode()).decode()
    text = cards_text(house.words, main) + (
        f"+{cards_text(house.words, kickers)}" if kickers else ""
    )
    return (
        f'<img class="paili-lane" alt="{escape(text, quote=True)}" '
        f'src="data:image/svg+xml;base64,{data}">'
    )


def cards_text(words: Words, cards: str) -> str:
    """Return cards for reading."""
    return wording.card_text(words, cards)


def example_text(words: Words, example: Example, before: str, after: str) -> str:
    """Return an example as one sentence.

    Args:
        words: the reader's.
        example: what the engine found.
        before, after: what the two games are called in it.
    """
    return words.say(
        "atlas.example",
        case=_case(words, example),
        a=words.say("atlas.example.without", name=after) if example.base == "b" else before,
        before=_outcome(words, example, example.before),
        b=words.say("atlas.example.changed", name=before) if example.base == "a" else after,
        after=_outcome(words, example, example.after),
    )


def _case(words: Words, example: Example) -> str:
    if example.what == "play":
        text = cards_text(words, example.cards)
        if example.wild:
            wild = wording.rank_label(words, example.wild)
            return words.say("atlas.example.wild", cards=text, rank=wild)
        return text
    if example.what == "answer":
        return words.say(
            "atlas.example.on",
            cards=cards_text(words, example.cards),
            beat=cards_text(words, example.beat),
        )
    if example.what == "calls":
        said = words.say("atlas.example.then").join(call_text(words, c) for c in example.calls)
        return words.say("atlas.example.calls", calls=said)
    return facts_text(words, example.asked())


def call_text(words: Words, call: str) -> str:
    """Return a call in words; a number stays one."""
    if call.isdigit():
        return words.say("atlas.call.bid", n=int(call))
    return words.say(f"atlas.call.{call}") if words.knows(f"atlas.call.{call}") else call


def facts_text(words: Words, facts: dict[str, object]) -> str:
    """Return the facts of a score in words, the plain ones left out."""
    say = words.say
    parts = []
    out = facts.get("out")
    if "bid" in facts:
        parts.append(say("atlas.fact.bid.n", n=facts["bid"]))
    if out is not None:
        parts.append(say("atlas.fact.out.0" if out == 0 else "atlas.fact.out.1"))
    bombs = facts.get("bombs")
    if isinstance(bombs, list) and bombs:
        shown = ", ".join(cards_text(words, str(cards)) for cards in bombs)
        parts.append(say("atlas.fact.bombs.n", cards=shown))
    plays = facts.get("plays")
    if isinstance(plays, list):
        if out == 0 and not any(plays[1:]):
            parts.append(say("atlas.fact.plays.none"))
        if out not in (0, None) and plays[0] == 1:
            parts.append(say("atlas.fact.plays.one"))
    for name, value in facts.items():
        if name not in ("landlords", "bid", "out", "bombs", "plays", "stake"):
            parts.append(
                say(
                    "atlas.fact.more",
                    name=say(f"atlas.fact.{name}"),
                    value=_value(words, name, value),
                )
            )
    return say("atlas.fact.and").join(parts)


def _value(words: Words, name: str, value: object) -> str:
    if name == "fled" and isinstance(value, int):
        return words.say("atlas.seat", n=value + 1)
    if isinstance(value, bool):
        return words.say("rules.yes" if value else "rules.no")
    if isinstance(value, dict):
        return ", ".join(
            f"{words.say('atlas.seat', n=int(str(seat)) + 1)} ×{one}" for seat, one in value.items()
        )
    if isinstance(value, list):
        return ", ".join(
            words.say("atlas.seat", n=one + 1)
            if isinstance(one, int) and name in SEATS
            else words.say(f"atlas.show.{one}")
            if words.knows(f"atlas.show.{one}")
            else str(one)
            for one in value
        )
    return str(value)


def _outcome(words: Words, example: Example, outcome: tuple[object, ...]) -> str:
    say = words.say
    if example.what in ("play", "answer"):
        if not outcome:
            return say("atlas.example.illegal")
        names = [
            words.say(f"kind.{kind}") if words.knows(f"kind.{kind}") else str(kind)
            for kind in outcome
        ]
        return say("atlas.example.legal", kinds=words.say("table.and").join(names))
    if example.what == "calls":
        name = str(outcome[0])
        if name == "ask":
            return say("atlas.outcome.ask", n=int(str(outcome[1])) + 1)
        if name == "landlord":
            seat, contract, multiplier = (int(str(one)) for one in outcome[1:4])
            form = "atlas.outcome.landlord" if contract else "atlas.outcome.called"
            more = say("atlas.outcome.times", n=multiplier) if multiplier > 1 else ""
            return say(form, n=seat + 1, contract=contract) + more
        return say(f"atlas.outcome.{name}")
    plays = example.asked().get("plays")
    seats = len(plays) if isinstance(plays, list) else len(outcome)
    if len(outcome) > seats:
        return say(
            "atlas.outcome.gold",
            points=points_text(outcome[:seats]),
            gold=points_text(outcome[seats:]),
        )
    return points_text(outcome)


def points_text(points: tuple[object, ...]) -> str:
    """Return points with their signs, seat 1 first."""
    numbers = [int(str(point)) for point in points]
    return " / ".join(f"{n:+d}".replace("-", "−") if n else "0" for n in numbers)
