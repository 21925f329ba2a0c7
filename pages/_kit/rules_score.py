"""The score calculator: who, bid, bombs and what else a ruleset counts, step by step."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from ddz_core import atlas, scoring
from ddz_core.errors import DdzError
from pages._kit import explorer_foot, rules_words, shell

if TYPE_CHECKING:
    from collections.abc import Callable

    from ddz_core.rules import Rules
    from ddz_core.scoring import Ledger, LedgerStep
    from pages._kit.shell import House

FLAGS = frozenset({"reveal", "claim", "open", "face_up_joker"})
SEATS = frozenset({"landlords", "trustee", "declared", "doubles"})
COUNTS = {"robs": 5, "dealt_bombs": 20}
ROOM = frozenset({"stake", "room", "rake", "cap", "initial_multiplier"})
BOMBS = frozenset({"bombs", "held_bombs"})
LARGEST = 1_000_000


def draw(house: House) -> None:
    """Draw the facts that this game counts, and the ledger that they come to."""
    rules, say = house.game_rules, house.words.say
    left, right = st.columns(2)
    with left, st.container(border=True, key="panel_facts"):
        st.header(say("rules.score.facts"), anchor=False)
        facts = _facts(house, rules)
    with right, st.container(border=True, key="panel_ledger"):
        st.header(say("rules.score.sum"), anchor=False)
        try:
            ledger = rules.score(**facts)
        except DdzError as error:
            shell.refuse(error)
            return
        st.html(_steps(house, ledger))
        st.html(_result(house, ledger))
        _foot(house, rules, ledger, facts)


def _facts(house: House, rules: Rules) -> dict[str, Any]:
    """Draw a widget for each fact and return what they say."""
    seats = rules.ruleset.deal.seats
    found: dict[str, Any] = {}
    for name in scoring.facts_of(rules):
        value = _fact(house, rules, name, seats, found)
        if value is not None:
            found[name] = value
    if found.get("fled") is not None and rules.ruleset.leave.play == "ends":
        found.pop("out", None)
    return found


def _fact(house: House, rules: Rules, name: str, seats: int, found: dict[str, Any]) -> object:
    say = house.words.say
    label, key = (
        say(f"atlas.fact.{name}") if house.words.knows(f"atlas.fact.{name}") else name,
        f"w_fact_{name}_{rules.id}",
    )
    seat: Callable[[int], str] = lambda i: say("atlas.seat", n=i + 1)  # noqa: E731
    if name == "landlords":
        chosen = st.pills(
            label, range(seats), format_func=seat, default=[0], selection_mode="multi", key=key
        )
        return list(chosen)
    if name == "bid":
        if rules.ruleset.score.base != "bid":
            return None
        levels = rules.ruleset.auction.levels
        return st.segmented_control(label, levels, default=levels[-1], required=True, key=key)
    if name == "out":
        return st.segmented_control(
            label, range(seats), format_func=seat, default=0, required=True, key=key
        )
    if name == "fled":
        nobody = say("rules.score.nobody")
        return st.selectbox(
            label,
            [None, *range(seats)],
            format_func=lambda i: nobody if i is None else seat(i),
            key=key,
        )
    if name == "plays":
        return _plays(house, rules, seats, found)
    if name == "factor":
        return _raises(house, rules, found, seats)
    if name in BOMBS:
        shown = _usual(rules) if name == "bombs" else ""
        typed = st.text_input(
            label, value=shown, key=key, help=say("rules.score.bombs.help"), max_chars=200
        )
        return typed.replace(",", " ").split()
    if name in FLAGS:
        return st.toggle(label, key=key)
    if name in SEATS:
        return list(
            st.pills(label, range(seats), format_func=seat, selection_mode="multi", key=key)
        )
    if name == "shows":
        words = ["before", "after"]
        return list(
            st.pills(
                label,
                words,
                format_func=lambda w: say(f"atlas.show.{w}"),
                selection_mode="multi",
                key=key,
            )
        )
    if name in COUNTS:
        return st.number_input(label, 0, COUNTS[name], 0, key=key)
    if name in ROOM:
        score = rules.ruleset.score
        value = score.initial if name == "initial_multiplier" else getattr(score, name)
        low = 0 if name in ("rake", "cap") else 1
        return st.number_input(label, low, 100 if name == "rake" else LARGEST, value, key=key)
    if name == "gold":
        typed = st.text_input(label, key=key, help=say("rules.score.gold.help"), max_chars=100)
        numbers = typed.replace(",", " ").split()
        return [int(n) if n.isascii() and n.isdigit() else n for n in numbers] if numbers else None
    if name == "full_hands":
        typed = st.text_input(label, key=key, help=say("rules.score.hands.help"), max_chars=400)
        return typed.split("/") if typed.strip() else None
    return None


def _usual(rules: Rules) -> str:
    """Return the lowest and the highest bomb of a game, to begin with."""
    lines = [line for line in atlas.describe(rules) if line.path.startswith("play.ladder.")]
    bombs = [line.cards for line in lines if line.on and line.cards and "4" not in line.cards]
    return " ".join(dict.fromkeys([*bombs[:1], *bombs[-1:]]))


def _plays(house: House, rules: Rules, seats: int, found: dict[str, Any]) -> list[int]:
    """Ask only for what a spring needs: whether one side played next to nothing."""
    say = house.words.say
    out, lords = found.get("out", 0), found.get("landlords") or [0]
    few = st.toggle(
        say("atlas.fact.plays.none" if out in lords else "atlas.fact.plays.one"),
        key=f"w_fact_plays_{rules.id}",
    )
    if out in lords:
        return [5 if s == out or s in lords or not few else 0 for s in range(seats)]
    return [(1 if few else 4) if s in lords else 5 for s in range(seats)]


def _raises(house: House, rules: Rules, found: dict[str, Any], seats: int) -> dict[int, int]:
    say = house.words.say
    allowed = next(row.factors for row in rules.ruleset.declare if row.factors)
    chosen = {}
    for seat in range(seats):
        if seat in (found.get("landlords") or []):
            continue
        picked = st.segmented_control(
            say("rules.score.raise", n=seat + 1),
            allowed,
            format_func=lambda f: f"×{f}",
            default=allowed[0],
            required=True,
            key=f"w_fact_factor_{seat}_{rules.id}",
        )
        chosen[seat] = int(picked or 1)
    return chosen


def step_text(house: House, step: LedgerStep) -> str:
    """Return one line of a ledger in words."""
    params = {
        "factor": step.factor if step.factor is not None else "",
        "amount": f"{step.amount:+d}".replace("-", "−") if step.amount is not None else "",
        "seat": step.seat + 1 if step.seat is not None else "",
        "cards": rules_words.cards_text(house.words, step.cards) if step.cards else "",
    }
    if not house.words.knows(step.key):
        return step.key.removeprefix("score.").replace("_", " ")
    return house.words.say(step.key, **params)


def _steps(house: House, ledger: Ledger) -> str:
    say = house.words.say
    rows = []
    for step in ledger.steps:
        seat = f"{say('atlas.seat', n=step.seat + 1)} · " if step.seat is not None else ""
        value = (
            f"{step.amount:+d}".replace("-", "−")
            if step.amount is not None
            else f"+{step.factor}"
            if step.key.startswith("score.plus.")
            else f"×{step.factor}"
            if step.factor is not None
            else ""
        )
        style = ' class="key"' if step.key == "score.unit" else ""
        text = escape(seat + step_text(house, step))
        rows.append(f"<tr{style}><td>{text}</td><td>{escape(value)}</td></tr>")
    return f'<table class="paili-sum">{"".join(rows)}</table>'


def _result(house: House, ledger: Ledger) -> str:
    say = house.words.say
    lines = []
    names = [say("atlas.seat", n=seat + 1) for seat in range(len(ledger.points))]
    points = rules_words.points_text(ledger.points).split(" / ")
    shown = say("rules.list").join(f"{n} {p}" for n, p in zip(names, points, strict=True))
    lines.append(say("rules.score.points", points=shown))
    if ledger.gold != ledger.points:
        gold = rules_words.points_text(ledger.gold).split(" / ")
        shown = say("rules.list").join(f"{n} {p}" for n, p in zip(names, gold, strict=True))
        lines.append(say("rules.score.gold", points=shown))
    if ledger.house:
        lines.append(say("rules.score.house", n=ledger.house))
    if not getattr(ledger, "conserved", True):
        lines.append(say("rules.score.lost"))
    return "".join(f'<p class="paili-note">{escape(line)}</p>' for line in lines)


def _foot(house: House, rules: Rules, ledger: Ledger, facts: dict[str, Any]) -> None:
    say = house.words.say
    rows = [
        {
            say("rules.col.step"): step_text(house, step),
            say("rules.col.factor"): step.factor,
            say("rules.col.amount"): step.amount,
            say("rules.col.seat"): None if step.seat is None else step.seat + 1,
        }
        for step in ledger.steps
    ]
    given = ", ".join(f"{name}={value!r}" for name, value in facts.items())
    code = f"import ddz_core as ddz\n\nrules = ddz.{rules!r}\nrules.score({given})"
    explorer_foot.foot(house, "score", rows, code)
