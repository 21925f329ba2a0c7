"""What cards are: every reading on its lane of mat, what beats it, or why there is none."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import explorer, rulesets
from ddz_core.cards import SUITS
from ddz_core.language import Phrase
from ddz_core.render import cards as drawing
from ddz_core.render import wording
from pages._kit import explorer_cached, explorer_foot, explorer_rules, inputs, session, shell

if TYPE_CHECKING:
    from ddz_core.patterns import Combination
    from ddz_core.rules import Rules
    from pages._kit.explorer_cached import Met
    from pages._kit.shell import House

EXAMPLES = ("333444555666", "3334445556667778", "44445555", "9999KK77", "33344456", "TJQKA2", "XD")
"""Sets that show something: two with several readings, one that only some settings allow."""

LETTERS = "ABCDEFGH"

SEEN, ASKED = "seen", "asked"
"""Parameters of the address: cards that have been seen, and the hand that is asked."""


def draw(house: House, rules: Rules, entry: inputs.Entry) -> None:
    """Draw the readings of what was entered, or why there are none."""
    if not entry.typed.strip():
        _examples(house)
        return
    if entry.error is not None or not entry.cards:
        return
    more = _more(house, rules, entry)
    met = explorer_cached.met(rules.id, house.overrides, entry.cards, *more)
    _head(house, entry, met)
    if not met:
        _why(house, rules, entry)
    shown = [i for i, one in enumerate(met) if not one.weaker]
    places = st.columns(min(2, max(1, len(shown)))) if shown else []
    for at, i in enumerate(shown):
        with places[at % len(places)]:
            _reading(house, rules, met[i], i, alone=len(met) == 1)
    for i, one in enumerate(met):
        if one.weaker:
            text = house.words.say(
                "explorer.weaker",
                title=title(house, one.combination),
                top=wording.rank_label(house.words, one.combination.top),
            )
            with st.expander(shell.plain(text)):
                _reading(house, rules, one, i, alone=False)
    if met:
        _foot(house, rules, entry, met, more)
    _elsewhere(house, rules, entry)


def _examples(house: House) -> None:
    st.markdown(house.words.say("explorer.examples"))
    with st.container(horizontal=True, gap="small"):
        for text in EXAMPLES:
            st.button(
                wording.card_text(house.words, text),
                key=f"w_example_{text}",
                on_click=take,
                args=(text,),
            )


def take(text: str) -> None:
    """Put cards in the field; for callbacks."""
    inputs.show("cards", text, session.CARDS)


def _more(house: House, rules: Rules, entry: inputs.Entry) -> tuple[str, str]:
    """Draw the fields for other cards and return what is seen and which hand is asked."""
    say = house.words.say
    given = any(name in st.query_params for name in (SEEN, ASKED))
    with st.expander(say("explorer.more"), expanded=given):
        seen = inputs.field(
            house, rules, "seen", label=say("explorer.seen"), at=SEEN, taken=entry.cards
        ).cards
        asked = inputs.field(
            house, rules, "asked", label=say("explorer.hand2"), at=ASKED, taken=entry.cards + seen
        ).cards
    return seen, asked


def title(house: House, one: Combination) -> str:
    """Return a reading's name, with the number of groups of a run."""
    say = house.words.say
    kind = say(f"kind.{one.kind}")
    if one.length < 2:
        return kind
    size = len(one.main) // one.length
    group = say(f"explorer.group.{size if size < 5 else 'n'}", n=size)
    return say("explorer.title.run", kind=kind, n=one.length, group=group)


def compared(house: House, rules: Rules, one: Combination) -> str:
    """Return what decides the comparison, as Markdown."""
    say = house.words.say
    top = wording.rank_label(house.words, one.top)
    kind = say(f"kind.{one.kind}").lower()
    if one.is_bomb:
        ladder = rules.ruleset.ladder_in_force()
        step = one.code >> 26
        if step == len(ladder) and ladder[-1].cards:
            return say("explorer.compare.top")
        return say("explorer.compare.bomb", step=step, steps=len(ladder), top=top)
    size = len(one.main) // max(1, one.length)
    group = say(f"explorer.one.{size if size < 5 else 'n'}", n=size)
    form = "run" if one.length > 1 else "group"
    text = say(f"explorer.compare.{form}", group=group, top=top, kind=kind, n=one.length)
    if one.second:
        second = wording.rank_label(house.words, one.second)
        text += " " + say("explorer.compare.second", second=second)
    return text


def lane(house: House, one: Combination, key: str, *, width: float = 510) -> None:
    """Draw a reading on a lane of mat, main part and kickers under their brackets.

    There are two pictures, one for wide and one for narrow windows, where the kickers of a long
    combination lie in a row of their own; the style sheet shows one of them.
    """
    say, words = house.words.say, house.words
    low, top = (wording.rank_label(words, rank) for rank in (one.main[0], one.top))
    form = "explorer.main.one" if one.length < 2 else "explorer.main"
    main, kickers = suited(one.main, one.kickers)
    groups = [
        drawing.Group(main, say(form, low=low, top=top)),
        drawing.Group(kickers, say("explorer.kickers"), dashed=True),
    ]
    rows = [[group] for group in groups if group.cards] if len(one.cards) > 10 else [groups]
    label = f"{title(house, one)}: {wording.combination_text(words, one)}"
    picture(house, key, [groups], rows, label, width)


def picture(
    house: House,
    key: str,
    wide: list[list[drawing.Group]],
    narrow: list[list[drawing.Group]],
    label: str,
    width: float = 510,
) -> None:
    """Draw rows of cards on mat, others for wide and for narrow windows."""
    say = house.words.say
    theme: drawing.Theme = "dark" if house.dark else "light"
    jokers = (say("table.js.joker_small"), say("table.js.joker_big"))
    for form, rows, across, card in (("wide", wide, width, 58), ("narrow", narrow, 318, 50)):
        with st.container(key=f"lane_{form}_{key}", gap=None):
            for row in rows:
                drawn = drawing.lane_svg(
                    row, width=across, card=card, theme=theme, jokers=jokers, label=label
                )
                st.image(drawn, width="stretch", alt=label)


def suited(main: str, kickers: str = "") -> tuple[str, str]:
    """Return card texts with suits for the picture, each physical card once; jokers have none."""
    used: dict[str, int] = {}
    parts = []
    for text in (main, kickers):
        part = ""
        for rank in text:
            at = used[rank] = used.get(rank, -1) + 1
            part += rank if rank in "XD*" else SUITS[at % len(SUITS)] + rank
        parts.append(part)
    return parts[0], parts[1]


def _head(house: House, entry: inputs.Entry, met: list[Met]) -> None:
    say = house.words.say
    k = len(met)
    form = ".none" if not k else ".one" if k == 1 else ""
    note = say("explorer.head.note") if k > 1 else ""
    st.html(
        f'<p class="paili-head" style="font-size:1.3125rem">'
        f"{escape(say(f'explorer.head{form}', n=entry.size, k=k))} "
        f'<span class="paili-note">{escape(note)}</span></p>'
    )


def _why(house: House, rules: Rules, entry: inputs.Entry) -> None:
    """Say why the cards are nothing, and offer the nearest that are something."""
    say, words = house.words.say, house.words
    found = rules.explain(entry.cards)
    with st.container(border=True, key="panel_why"):
        for reason in found.reasons:
            st.text(words.phrase(Phrase(reason.key, dict(reason.params))))
        if found.nearest:
            explorer_foot.note(say("explorer.nearest"))
            for place, one in zip(st.columns(len(found.nearest)), found.nearest, strict=True):
                with place:
                    lane(house, one, f"nearest_{one.cards}_{one.kind}", width=340)
                    st.button(
                        say("explorer.nearest.take", cards=wording.combination_text(words, one)),
                        key=f"w_nearest_{one.cards}_{one.kind}",
                        on_click=take,
                        args=(one.cards,),
                    )


def _reading(house: House, rules: Rules, one: Met, at: int, *, alone: bool) -> None:
    """Draw one reading: name, what decides, the cards, what beats it and what it beats."""
    say = house.words.say
    with st.container(border=True, key=f"panel_reading_{at}"):
        letter = "" if alone else f'<span class="paili-mark">{LETTERS[at]}</span>'
        st.html(f'<p class="paili-head">{letter}{escape(title(house, one.combination))}</p>')
        st.markdown(compared(house, rules, one.combination))
        lane(house, one.combination, f"reading_{at}")
        pools = ["deck", "unseen"] + (["hand"] if one.asked else [])
        head = [say(f"explorer.pool.{pool}") for pool in pools]
        for relation in ("beaten", "beats"):
            rows = _rows(house, one, relation, pools)
            if rows:
                st.html(explorer_foot.table([say(f"explorer.{relation}"), *head], rows, strong=2))
        sentence = _sentence(house, one)
        if sentence:
            st.markdown(sentence)


def _rows(house: House, one: Met, relation: str, pools: list[str]) -> list[list[str]]:
    """Return the rows of one table: a kind and its number of main parts in each pool."""
    say = house.words.say
    counts = [one.count(relation, pool) for pool in pools]
    rows = []
    for kind in dict.fromkeys(kind for pool in counts for kind in pool):
        name = say(f"kind.{kind}").lower()
        if kind == one.combination.kind:
            name = say(f"explorer.{'higher' if relation == 'beaten' else 'lower'}", kind=name)
        if any(pool[kind].sets != pool[kind].mains for pool in counts if kind in pool):
            name = say("explorer.mains", kind=name)
        rows.append([name, *(str(pool[kind].mains) if kind in pool else "0" for pool in counts)])
    return rows


def _sentence(house: House, one: Met) -> str:
    say, own = house.words.say, one.combination.kind
    deck, out = one.count("beats", "deck"), one.count("beats", "unseen")
    if not one.count("beaten", "deck"):
        return say("explorer.nothing")
    if own not in deck and not one.combination.is_bomb:
        return say("explorer.lowest", kind=say(f"kind.{own}").lower())
    if own in deck and own not in out:
        return say("explorer.yours", n=deck[own].mains)
    return ""


def _foot(
    house: House, rules: Rules, entry: inputs.Entry, met: list[Met], more: tuple[str, str]
) -> None:
    say = house.words.say
    rows = [
        {
            say("explorer.col.reading"): f"{LETTERS[i]} {title(house, one.combination)}",
            say("explorer.col.relation"): say(f"explorer.{relation}"),
            say("explorer.col.pool"): say(f"explorer.pool.{pool}"),
            say("explorer.col.kind"): say(f"kind.{kind}"),
            say("explorer.col.mains"): rival.mains,
            say("explorer.col.sets"): rival.sets,
            say("explorer.col.lowest"): rival.lowest,
            say("explorer.col.highest"): rival.highest,
        }
        for i, one in enumerate(met)
        for relation in ("beaten", "beats")
        for pool in ("deck", "unseen", *(("hand",) if one.asked else ()))
        for kind, rival in one.count(relation, pool).items()
    ]
    asked = f", {more[1]!r}" if more[1] else ""
    lines = [
        f"hand, seen = {entry.cards!r}, {more[0]!r}",
        f"for pool in ['', explorer.unseen(hand, rules, seen){asked}]:",
        "    for reading in explorer.readings(hand, rules, pool):",
        "        print(reading.combination, reading.beaten_by, reading.beats)",
    ]
    explorer_foot.foot(house, "readings", rows, explorer.code_lines(rules, *lines))


def _elsewhere(house: House, rules: Rules, entry: inputs.Entry) -> None:
    """Show the switches that would give these cards readings that they do not have now."""
    say = house.words.say
    found = explorer_cached.elsewhere(rules.id, house.overrides, entry.cards)
    if not found:
        return
    st.html(f'<p class="paili-head">{escape(say("explorer.other"))}</p>')
    for path, value, readings in found:
        origin = rulesets.provenance(rules.ruleset, path).kind
        with st.container(border=True, key=f"panel_{path.replace('.', '_')}"):
            line = say(
                "explorer.other.line",
                rule=say(f"explorer.rule.{path}"),
                value=explorer_rules.word(house, value),
            )
            tag = explorer_foot.tag(house, f"explorer.prov.{origin}", dashed=origin != "stated")
            st.html(f'<p class="paili-note">{escape(line)} {tag}</p>')
            for one in readings:
                st.text(f"{title(house, one)} · {wording.combination_text(house.words, one)}")
            st.button(
                say("explorer.other.set"),
                key=f"w_set_{path}",
                on_click=explorer_rules.change,
                args=(rules.id, path, value),
            )
