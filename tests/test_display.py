"""Drawings in a notebook: hooks fill the types, nothing runs in them, frames name their source."""

from __future__ import annotations

import contextvars
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core import behaviour, cards, display
from ddz_core.language import LANGUAGES, words
from ddz_core.render import sheet
from ddz_core.render.cards import faces

ROOT = Path(__file__).resolve().parent.parent
RULES = ddz.load_ruleset("classic")
HAND = "33445566789TJQKA2"


def played(rules: ddz.Rules = RULES, actions: int = 10_000, seed: int = 7) -> ddz.Game:
    """Return a deal as rule bots play it, after at most so many actions."""
    game, rng = ddz.new_game(rules, ddz.deal(rules, seed=seed)), np.random.default_rng(seed)
    while game.phase != "settled" and len(game.history) < actions:
        game = game.apply(ddz.bot("rule").choose(ddz.observe(game, game.to_act), rng))
    return game


def everything() -> dict[str, display.Drawn]:
    """Return one object of every type that draws itself."""
    middle, end = played(actions=20), played()
    seen = ddz.observe(middle, middle.to_act)
    odds = ddz.odds(seen)
    return {
        "picture": ddz.picture("♠9♥9♣9XD"),
        "card": ddz.Card(3, 1),
        "combination": RULES.readings("33344456")[0],
        "move": RULES.moves("33345")[0],
        "splits": ddz.turns(HAND, RULES),
        "legal": RULES.explain("55566634", beat="33344456"),
        "illegal": RULES.explain("3344"),
        "deal": ddz.deal(RULES, seed=7),
        "running": middle,
        "settled": end,
        "observation": seen,
        "position": ddz.position(["KK5543", "225543"], 1, "3", rules=RULES),
        "ledger": end.ledger,
        "exact": ddz.frequency("bomb", 17, RULES),
        "sampled": ddz.bid(HAND, RULES, deals=200).calls["pass"],
        "report": ddz.bid(HAND, RULES, deals=200),
        "odds": odds,
        "belief": behaviour.believe(odds, behaviour.passes_of(seen), samples=500),
    }


THINGS = everything()


def drawn(thing: display.Drawn, lang: str = "en") -> dict[str, str]:
    """Return the drawing of an object in a language, which is left as it was."""

    def draw() -> dict[str, str]:
        ddz.use_language(lang)
        return thing._repr_mimebundle_()

    return contextvars.copy_context().run(draw)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", THINGS)
def test_drawings_are_sound_markup_without_script(name: str, lang: str) -> None:
    """Every type draws well-formed markup with inline style only, and a text that says as much."""
    made = drawn(THINGS[name], lang)
    assert set(made) == {"text/html", "text/plain"}
    root = ET.fromstring(made["text/html"])
    assert root.get("lang") == lang
    tags = {node.tag.rpartition("}")[2] for node in root.iter()}
    assert not tags & {"script", "style", "link", "iframe", "img", "foreignObject"}
    for node in root.iter():
        assert not [key for key in node.attrib if key.lower().startswith("on") or key == "href"]
        assert "url(" not in node.get("style", "")
    assert made["text/plain"].strip()
    assert "<" not in made["text/plain"].replace("<1", "")


@pytest.mark.parametrize(
    "name", [n for n, one in THINGS.items() if isinstance(one, display.Tabular)]
)
def test_frames_say_where_they_come_from(name: str) -> None:
    """Every frame has rows, a seed column and the version of the package."""
    frame = THINGS[name].frame()
    assert len(frame)
    assert {"seed", "version"} <= set(frame.columns)
    assert set(frame["version"]) == {ddz.__version__}


def test_frames_hold_the_numbers_of_their_objects() -> None:
    """Frames repeat fields; the seed is that of the deal or of the samples."""
    splits = THINGS["splits"]
    frame = splits.frame()
    assert frame.groupby("split").size().tolist() == [splits.turns] * len(splits.splits)
    assert frame["cards"].tolist()[: splits.turns] == [str(m) for m in splits.splits[0]]
    settled = THINGS["settled"]
    assert settled.frame()["action"].tolist() == [e.action for e in settled.history]
    assert set(settled.frame()["seed"]) == {7}
    assert settled.ledger.frame()["points"].tolist() == list(settled.ledger.points)
    deal = THINGS["deal"]
    hands = deal.frame().groupby("place")["card"].apply(list)
    assert [len(hands[str(seat)]) for seat in range(3)] == [17, 17, 17]
    assert hands["bottom"] == [str(card) for card in deal.bottom]
    report = THINGS["report"].frame()
    win = report[(report["what"] == "win") & (report["action"] == "landlord")].iloc[0]
    assert win["value"] == THINGS["report"].win.value
    assert win["seed"] == 1
    belief = THINGS["belief"]
    total = belief.frame().groupby(["place", "rank"])["chance"].sum()
    assert np.allclose(total, 1.0)
    assert set(belief.frame()["seed"]) == {belief.seed}


def test_a_running_game_gives_no_hand_away() -> None:
    """The drawing of a running game is the same for all deals with the same visible actions."""
    made = drawn(THINGS["running"])
    game = THINGS["running"]
    for seat in range(game.seats):
        ranks = [card.rank for card in reversed(game.held[seat])]
        assert "".join({"T": "10"}.get(r, r) for r in reversed(ranks)) not in made["text/plain"]
        assert game.hand_text(seat) not in made["text/html"]
    assert "observe(game, seat)" in made["text/plain"]


def test_a_seat_sees_its_own_hand_alone() -> None:
    """An observation draws the own hand, and the count of unseen cards it holds."""
    seen = THINGS["observation"]
    made = drawn(seen)["text/plain"]
    shown = "".join({"T": "10"}.get(c.rank, c.rank) for c in seen.held if c.rank not in "XD")
    assert shown in made.replace(" ", "")
    assert str(cards.size_of(seen.unseen)) in made


def test_languages_belong_to_a_context() -> None:
    """A language chosen in one context changes no other; an unknown one is refused by name."""
    combination = THINGS["combination"]
    kind = "kind.plane_singles"
    assert words("zh-Hans").say(kind) in drawn(combination, "zh-Hans")["text/plain"]
    assert words("en").say(kind) in combination._repr_mimebundle_()["text/plain"]
    with pytest.raises(
        ddz.DdzError, match="lang: expected one of en, zh-Hans, zh-Hant, got 'fr'"
    ) as no:
        ddz.use_language("fr")
    assert no.value.field == "lang"
    assert "fr" in words("zh-Hans").error(no.value)


def test_include_and_exclude_are_obeyed() -> None:
    """A front end may ask for one of the two forms."""
    one = THINGS["combination"]
    assert set(one._repr_mimebundle_(include=["text/plain"])) == {"text/plain"}
    assert set(one._repr_mimebundle_(exclude=["text/plain"])) == {"text/html"}


def test_hooks_are_found_by_inheritance_and_replaced_by_registering() -> None:
    """A type without a hook uses that of its base; a later registration wins; none is plain."""

    class Base(display.Tabular):
        pass

    class Child(Base):
        pass

    assert Child()._repr_mimebundle_()["text/plain"].startswith("<")
    with pytest.raises(TypeError, match="Child has no rows"):
        Child().frame()
    display.register(Base, html=lambda _, w: w.lang, text=lambda _, __: "base")
    assert Child()._repr_mimebundle_() == {"text/html": "en", "text/plain": "base"}
    rows = display.Table(({"a": 1}, {"a": 2}), {"b": 3}, 4)
    display.register(Child, html=lambda *_: "", text=lambda *_: "child", frame=lambda _: rows)
    assert Child()._repr_mimebundle_()["text/plain"] == "child"
    assert Base()._repr_mimebundle_()["text/plain"] == "base"
    frame = Child().frame()
    assert frame.drop(columns="version").to_dict("list") == {
        "a": [1, 2],
        "b": [3, 3],
        "seed": [4, 4],
    }


@given(st.text(max_size=40))
def test_nothing_given_becomes_markup(text: str) -> None:
    """Labels of a picture stay text, whatever they are."""
    text = re.sub(r"[^\x20-\uD7FF]", "", text)
    made = drawn(ddz.picture("345", f"<b>{text}&"))["text/html"]
    root = ET.fromstring(made)
    assert f"<b>{text}&" in "".join(root.itertext())
    assert "b" not in {node.tag for node in root.iter()}


@given(st.lists(st.sampled_from("3456789TJQKA2XD"), max_size=20))
def test_a_picture_shows_the_cards_given(ranks: list[str]) -> None:
    """A picture draws each card of a hand once, high to low; suits keep the order given."""
    made = ddz.picture("".join(ranks))
    assert [f.rank for f in faces(made.cards)] == sorted(
        ranks, key="3456789TJQKA2XD".index, reverse=True
    )
    assert made._repr_mimebundle_()["text/plain"] or not ranks


def test_pictures_refuse_what_is_no_card() -> None:
    """The error of a picture names the character."""
    with pytest.raises(ddz.NotationError, match="'1' at place 1"):
        ddz.picture("1")


def test_chances_in_cells() -> None:
    """Only a certainty reads 0 or 100, and each half of the ramp keeps its ink."""
    assert [sheet.in_hundred(x) for x in (0, 0.001, 0.4, 0.999, 1)] == [
        "0",
        "<1",
        "40",
        ">99",
        "100",
    ]
    page = sheet.html_of(
        [sheet.Grid(("a", "b", "c"), (("x", sheet.Cell(0.49), sheet.Cell(0.5)),))], "en"
    )
    assert f"color:{sheet.INK}" in page
    light, dark = re.findall(r"text-align:center;background:#([0-9A-F]{6})", page)
    assert int(light[:2], 16) > int(dark[:2], 16) + 40
    assert page.index("49") < page.index("50")


def test_drawings_load_nothing_before_they_are_asked_for() -> None:
    """Importing the package loads no drawing; a drawing loads neither pandas nor plotly."""
    code = (
        "import sys, ddz_core as ddz; early = 'ddz_core.render.notebook' in sys.modules; "
        "ddz.Card(3)._repr_mimebundle_(); "
        "print(early, [m for m in ('pandas', 'plotly', 'anywidget') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False []"


@pytest.mark.parametrize("name", ddz.ruleset_ids())
def test_every_game_draws(name: str) -> None:
    """Deals, running and finished games and what a seat sees are drawn in every game."""
    rules = ddz.load_ruleset(name)
    game = played(rules, actions=14, seed=3)
    things = [game.deal, game, *(ddz.observe(game, s) for s in range(game.seats))]
    for thing in things:
        assert ET.fromstring(drawn(thing)["text/html"]) is not None
        thing.frame()
