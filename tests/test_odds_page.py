"""The odds page: links carry the moment, every foot's lines give its numbers, answers are kept."""

from __future__ import annotations

import contextlib
import io
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import ddz_core as ddz
from ddz_core import belief, calibration, reading, tabletop
from ddz_core.language import LANGUAGES, words
from pages._kit import explorer_foot, jobs, kept_answers, odds_page, session

ROOT = Path(__file__).resolve().parent.parent
HAND = "33445566778899TJQ"
RULES = ddz.load_ruleset("classic")
MOMENT = "lord=1;left=17/19/17;played=♥A;bottom=♠A♥J5;passes=1:2"


@pytest.fixture(autouse=True)
def _fresh_caches() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture
def feet(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """Collect what every foot of the page is given, by its name."""
    found: dict[str, dict[str, Any]] = {}
    real = explorer_foot.foot

    def foot(house: Any, name: str, rows: Any, code: str, **how: Any) -> None:
        found[name] = {"rows": [dict(row) for row in rows], "code": code, **how}
        real(house, name, rows, code, **how)

    monkeypatch.setattr(explorer_foot, "foot", foot)
    return found


def visit(given: dict[str, str] | None = None, **query: str) -> AppTest:
    """Open the odds with this address, and with texts already in the session."""
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=120)
    for key, value in ({"lang": "en"} | query).items():
        test.query_params[key] = value
    for key, value in (given or {}).items():
        test.session_state[key] = value
    test.run()
    test.switch_page("pages/odds.py").run()
    assert not test.exception
    return test


def finished(test: AppTest) -> AppTest:
    """Wait for the job of the spreads and draw the page once more."""
    name = test.session_state[session.SPREAD].split()[0]
    end = time.monotonic() + 100
    while jobs.runner().look(name).live and time.monotonic() < end:
        time.sleep(0.1)
    return test.run()


def printed(code: str) -> str:
    """Run printed lines as they stand and return what they print."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    return out.getvalue()


def game() -> ddz.Game:
    """Return a game in which somebody has passed."""
    found, bot, rng = ddz.new_game(RULES, ddz.deal(RULES, seed=1)), ddz.bot("rule"), None
    rng = np.random.default_rng(1)
    while len(found.history) < 20:
        found = found.apply(bot.choose(ddz.observe(found, found.to_act), rng))
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("view", odds_page.VIEWS)
@pytest.mark.parametrize("moment", ["", MOMENT])
def test_views_run_in_every_language(view: str, lang: str, moment: str) -> None:
    """Every view is drawn before and during play, in three languages."""
    test = visit(lang=lang, v=view, c=HAND, s=moment)
    assert not test.error


def test_a_link_carries_the_moment(feet: dict[str, dict[str, Any]]) -> None:
    """The address with cards and set-up shows the same chances in a session that never saw them."""
    visit(c=HAND, s=MOMENT)
    seen = reading.of_setup(reading.read_setup(MOMENT, HAND), RULES)
    assert feet["odds-map"]["rows"] == reading.table_rows(seen.odds.table())
    assert feet["odds-map"]["method"] == "exact"


def test_a_game_link_is_read_from_its_seat(feet: dict[str, dict[str, Any]]) -> None:
    """A game's code shows what the seat of the link sees, at the action of the link."""
    played = game()
    test = visit(g=ddz.encode(played), seat="2", at="12")
    seen = reading.of_game(ddz.observe(played.at(12), 2))
    assert feet["odds-map"]["rows"] == reading.table_rows(seen.odds.table())
    assert test.query_params["g"] == ddz.encode(played)


def test_a_broken_link_is_refused() -> None:
    """A code that was cut is refused with a sentence, and the page works all the same."""
    test = visit(g=ddz.encode(game())[:-4], c=HAND)
    assert len(test.error) == 1
    assert "g" not in test.query_params


def test_the_game_on_the_table_is_read(feet: dict[str, dict[str, Any]]) -> None:
    """With a game on the table the page opens with what its own seat sees."""
    table = tabletop.seated(game(), seat=0)
    visit({session.GAME: tabletop.save(table)})
    seen = reading.of_game(table.observation())
    assert feet["odds-map"]["rows"] == reading.table_rows(seen.odds.table())


@pytest.mark.parametrize(
    ("cards", "moment", "named"),
    [
        ("33333", "", "3"),
        ("3344556677889TJQ", "", "16"),
        (HAND, "lord=1;left=17/20/17;played=333", "3"),
        (HAND, "lord=1;bottom=KK99", "4"),
        (HAND, "lord=1;left=17/20/17;passes=1:34", "34"),
        ("3h4", "", "h"),
    ],
)
def test_impossible_cards_are_named_and_kept(cards: str, moment: str, named: str) -> None:
    """What cannot be is named in one sentence; nothing that was entered is lost."""
    test = visit(c=cards, s=moment)
    assert len(test.error) == 1
    assert named in test.error[0].value
    assert test.session_state[session.CARDS] == cards
    assert test.query_params.get("s", "") == moment


@pytest.mark.parametrize("mode", ["count", "behave"])
def test_lines_of_the_reading_give_its_numbers(feet: dict[str, dict[str, Any]], mode: str) -> None:
    """The lines under map, question, layouts and kinds print the numbers that the page shows."""
    test = visit(c=HAND, s=MOMENT)
    test.button_group(key="w_mode").set_value(mode).run()
    assert not test.exception
    for name in ("odds-map", "odds-chance", "odds-layouts", "odds-kinds"):
        assert printed(feet[name]["code"])
    row = feet["odds-chance"]["rows"][0]
    assert f"value={row['chance']!r}" in printed(feet["odds-chance"]["code"])
    lines = printed(feet["odds-layouts"]["code"]).split()
    assert [line.split("|")[0].split("/")[1:] for line in lines] == [
        [row["1"], row["2"]] for row in feet["odds-layouts"]["rows"]
    ]
    assert feet["odds-map"]["method"] == ("exact" if mode == "count" else "sampled")


def test_behaviour_moves_the_chance_as_counted(feet: dict[str, dict[str, Any]]) -> None:
    """A landlord who would cover a 2 with 0.8 and passes: jokers together in 49, then 83 deals."""
    test = visit(c=HAND, s="lord=1;passes=1:2")
    test.selectbox(key="w_ask_what").set_value("rocket").run()
    assert feet["odds-chance"]["rows"][0]["chance"] == pytest.approx(326 / 666)
    test.button_group(key="w_mode").set_value("behave").run()
    test.slider(key="w_habit_cover").set_value(80).run()
    after, before = feet["odds-chance"]["rows"]
    assert before["chance"] == pytest.approx(326 / 666)
    assert abs(after["chance"] - 0.827) < 4 * (0.827 * 0.173 / feet["odds-chance"]["n"]) ** 0.5
    assert after["low"] < after["chance"] < after["high"]


def test_spreads_are_exact_or_grow_to_the_end(feet: dict[str, dict[str, Any]]) -> None:
    """Five spreads are exact; fewest plays is sampled, and its lines give the same numbers."""
    finished(visit(c=HAND, v="spread"))
    methods = {name: foot["method"] for name, foot in feet.items()}
    assert methods.pop("odds-turns") == "sampled"
    assert set(methods.values()) == {"exact"}
    assert len(methods) == 5
    for foot in feet.values():
        assert sum(row["chance"] for row in foot["rows"]) == pytest.approx(1)
        text = printed(foot["code"])
        assert all(repr(row["chance"]) in text for row in foot["rows"])


def test_splits_reproduce_the_reference_values(feet: dict[str, dict[str, Any]]) -> None:
    """Two copies outside the landlord's twenty cards: 0.485 in one hand, 0.515 split; R27."""
    visit(c=HAND + "KKK", s="lord=0", v="split")
    spread = {
        (row["After landlord"], row["Before landlord"], row["missing"]): row["chance"]
        for row in feet["odds-split"]["rows"]
    }
    assert spread[(1, 1, 2)] == pytest.approx(17 * 17 / 561)
    assert spread[(2, 0, 2)] + spread[(0, 2, 2)] == pytest.approx(0.485, abs=5e-4)
    assert spread[(4, 0, 4)] + spread[(0, 4, 4)] == pytest.approx(0.103, abs=5e-4)
    assert printed(feet["odds-split"]["code"])


def test_a_stated_chance_is_kept_once(feet: dict[str, dict[str, Any]]) -> None:
    """The answer shows after the chance was stated; the text that is kept holds it once."""
    test = visit(c=HAND, v="practice")
    number = test.session_state[session.QUESTION]
    assert "odds-answer" not in feet
    test.slider(key=f"w_state_{number}").set_value(37)
    test.button(key="w_reveal").click().run()
    kept = calibration.read_answers(test.session_state[session.ANSWERS])
    assert [one.stated for one in kept] == [37]
    seen = reading.of_setup(reading.Setup(hand=HAND), RULES)
    asked = calibration.question(seen, int(number))
    assert kept[0].about == asked.about
    assert f"{asked.chance!r}" in printed(feet["odds-answer"]["code"])
    test.button(key="w_next").click().run()
    assert test.button(key="w_reveal")
    assert len(calibration.read_answers(test.session_state[session.ANSWERS])) == 1


def test_a_counter_is_filled_before_it_is_shown(feet: dict[str, dict[str, Any]]) -> None:
    """The unseen cards are shown only when asked for, with what the learner filled in."""
    test = visit(c=HAND, v="practice")
    test.button_group(key="w_practice").set_value("fill").run()
    assert not feet
    seen = reading.of_setup(reading.Setup(hand=HAND), RULES)
    test.text_input(key="w_counted").set_value(seen.unseen.replace("D", "")).run()
    test.toggle(key="w_fill_reveal").set_value(True).run()
    wrong = [row for row in feet["odds-counter"]["rows"] if row["said"] != row["unseen"]]
    assert wrong == [{"rank": "D", "said": 0, "unseen": 1}]


def test_setting_up_by_hand_changes_the_address() -> None:
    """Landlord, cards left and cards played go into the address as they are entered."""
    test = visit(c=HAND)
    test.button_group(key="w_set_lord").set_value(1).run()
    test.text_input(key="w_set_bottom").set_value("♠A ♥J 5").run()
    test.number_input(key="w_set_left_1").set_value(19).run()
    test.text_input(key="w_set_played").set_value("A").run()
    assert not test.error
    setup = reading.read_setup(test.query_params["s"], HAND)
    assert (setup.landlord, setup.left, setup.played) == (1, (17, 19, 17), "A")
    note = words("en").say("odds.note.suit", rank="A")
    assert any(note[:20] in block.value.replace("\\", "") for block in test.markdown)


def test_kinds_reproduce_the_reference_value(feet: dict[str, dict[str, Any]]) -> None:
    """Holding no joker before play: both with one seat 0.408, in the bottom 0.0045 (R27)."""
    visit(c=HAND)
    chance = {(r["asked"], r["place"]): r["chance"] for r in feet["odds-kinds"]["rows"]}
    assert chance[("rocket", belief.ANY)] == pytest.approx(272 / 666)
    assert chance[("rocket", belief.BOTTOM)] == pytest.approx(3 / 666)


def test_clear_empties_the_cards_and_the_set_up() -> None:
    """The button that clears leaves nothing in the fields, the session and the address."""
    test = visit(c=HAND, s=MOMENT)
    test.button(key="w_clear").click().run()
    assert not test.exception
    assert [test.session_state[key] for key in (session.CARDS, session.READING)] == ["", ""]
    assert not {"c", "s"} & set(test.query_params)


@pytest.mark.parametrize("seed", ["-1", "1.5", "²", "9" * 5000])
def test_a_seed_that_is_none_gives_the_first_layouts(seed: str) -> None:
    """An address whose seed cannot be used shows the layouts of the first one."""
    first = visit(c=HAND).get("html")
    other = visit(c=HAND, seed=seed).get("html")
    assert [one.proto.body for one in first] == [one.proto.body for one in other]


@pytest.mark.parametrize(("key", "name"), [(session.ANSWERS, "kept"), (session.BIDS, "bids")])
@pytest.mark.parametrize("data", [b"", b" \n\n", b"\xff\xfe<script>", b"A" * 600_000])
def test_a_file_that_is_none_of_ours_keeps_the_answers(
    data: bytes, key: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty or foreign file is refused and leaves the answers of the session."""
    kept = calibration.answers_text([calibration.Answer(37, 0.25, "XD@1")])
    state = {key: kept, f"w_{name}_load": io.BytesIO(data)}
    monkeypatch.setattr(st, "session_state", state)
    kept_answers.load(key, name)
    assert state[key] == kept
    assert isinstance(state[f"w_{name}_problem"], ddz.DdzError)
