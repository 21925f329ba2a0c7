"""Still cards: what the drawings hold, and what they never let through."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz_core.cards import RANKS
from ddz_core.errors import DdzError
from ddz_core.render import cards

ROOT = Path(__file__).resolve().parent.parent
SVG = "{http://www.w3.org/2000/svg}"
EVIL = "<script>alert(1)</script>\"' & <b>"


def texts(svg: str) -> list[str]:
    """All words drawn, in order."""
    return [node.text or "" for node in ET.fromstring(svg).iter(f"{SVG}text")]


@given(st.text(alphabet=RANKS + "*", min_size=1, max_size=20))
def test_every_card_is_drawn_once(text: str) -> None:
    """A hand draws as many card sheets as it has cards, in the order given."""
    if any(text.count(rank) > 8 for rank in text):
        return
    drawn = cards.faces(text)
    assert "".join(face.rank for face in drawn) == text
    for svg in (cards.hand_svg(text), cards.lane_svg([cards.Group(text)]), cards.fan_svg(text)):
        sheets = [r for r in ET.fromstring(svg).iter(f"{SVG}rect") if r.get("stroke")]
        assert len(sheets) == len(text)


@given(st.integers(1, 20), st.sampled_from(["light", "dark"]), st.floats(200, 1200))
def test_cards_stay_on_the_lane(number: int, theme: cards.Theme, width: float) -> None:
    """However many cards there are, none sticks out of the lane, and bracket words fit."""
    main, kickers = "3456789TJQKA2XD33344"[:number], "789"
    svg = cards.combination_svg(
        main, kickers, main_label="m", kickers_label="k", width=width, theme=theme
    )
    root = ET.fromstring(svg)
    right = float(root.get("viewBox", "").split()[2])
    for group in root.iter(f"{SVG}g"):
        x = float(group.get("transform", "")[10:].split()[0])
        sheet = group.find(f"{SVG}rect")
        assert sheet is not None
        assert x >= 0
        assert x + float(sheet.get("width", "0")) <= right


def test_words_are_escaped() -> None:
    """Labels and joker words are text, whatever is in them."""
    svg = cards.lane_svg([cards.Group("XD", EVIL)], jokers=(EVIL, EVIL), label=EVIL)
    assert "<script" not in svg
    assert "<b>" not in svg
    assert ET.fromstring(svg).get("aria-label") == EVIL
    assert EVIL in texts(svg)


def test_suits_and_ten_are_kept() -> None:
    """Suits stand where they were given, ten is two figures, words name jokers."""
    drawn = cards.faces("♠10♥9大王小王♦A")
    assert [face.text for face in drawn] == ["♠10", "♥9", "D", "X", "♦A"]
    assert texts(cards.card_svg("T")) == ["10"]
    assert texts(cards.card_svg("D", jokers=("a", "bc"))) == ["b", "c"]
    assert cards.cards_text("TTT", "3") == "101010+3"
    assert cards.cards_text("34567") == "34567"


def test_same_cards_in_other_forms() -> None:
    """Every form that the parser reads can be drawn: full-width, lower case, other letters."""
    for text in ("１０Ｊ", "10j", "T,J", "tJ"):
        assert sorted(face.rank for face in cards.faces(text)) == ["J", "T"]
    assert [face.rank for face in cards.faces("BR")] == ["X", "D"]


@pytest.mark.parametrize("text", ["", "33", "hello", "3" * 9, "<b>"])
def test_bad_cards_are_refused(text: str) -> None:
    """What is not one card gets an error of the family, naming what came."""
    with pytest.raises(DdzError) as caught:
        cards.card_svg(text)
    assert caught.value.key.startswith("error.cards")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_palette_is_that_of_the_table(theme: cards.Theme) -> None:
    """The still cards and the table's style sheet have the same colours."""
    style = (ROOT / "ddz_core/render/table.css").read_text("utf-8")
    light, dark = style.split('.paili[data-theme="dark"] {')[:2]
    block = light if theme == "light" else dark.split("}")[0]
    for token, value in cards.PALETTE[theme].items():
        # A value that the dark theme shares is written once, in the light block.
        assert f"--{token}: {value};" in block or f"--{token}: {value};" in light


def test_a_picture_needs_nothing_from_outside() -> None:
    """No script, no style sheet, no address but the name of the format."""
    whole = cards.fan_svg() + cards.back_svg() + cards.hand_svg("DX22AKQ") + cards.card_svg("*")
    assert "script" not in whole
    assert "url(" not in whole
    assert whole.count("http") == whole.count("http://www.w3.org/2000/svg")
