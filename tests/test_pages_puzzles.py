"""The endgame solver and the puzzles through the router, by typing only."""

from __future__ import annotations

import io
import time
from contextlib import redirect_stdout
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import ddz_core as ddz
from ddz_core import puzzles
from ddz_core.language import LANGUAGES, words
from ddz_core.puzzles import Judge, lines, progress
from ddz_core.puzzles.study import families
from ddz_core.rules import load_ruleset
from pages._kit import (
    explorer_foot,
    jobs,
    puzzles_own,
    puzzles_state,
    session,
    shell,
    solver_jobs,
    solver_state,
)

ROOT = Path(__file__).resolve().parent.parent
CLASSIC = load_ruleset("classic")
EN = words("en")
WON = ddz.position(["KK3", "QQA"], rules=CLASSIC)
"""Only the pair wins: alone the kings and the 3 lose to the ace."""


@pytest.fixture(autouse=True)
def _fresh_caches() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()


def visit(page: str, **query: str) -> AppTest:
    """Go to a page through the router, in words, its address as given."""
    query = {"plain": "1", "lang": "en", **query}
    test = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=120)
    for key, value in query.items():
        test.query_params[key] = value
    test.run()
    test.switch_page(f"pages/{page}.py")
    for key, value in query.items():
        test.query_params[key] = value
    return test.run()


def markup(test: AppTest) -> str:
    """Return all markup and text of the page."""
    found = [element.proto.body for element in test.get("html")]
    found += [m.value for m in test.markdown] + [t.value for t in test.text]
    whole = " ".join([*found, *(i.value for i in test.info), *(e.value for e in test.error)])
    return unescape(whole)


def typed(test: AppTest, name: str, text: str) -> AppTest:
    """Type a play and send the form."""
    test.text_input(key=f"w_{name}_typed").set_value(text)
    form = next(b for b in test.button if b.proto.form_id == f"w_{name}_form")
    return form.click().run()


# --- the solver ------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_solver_speaks_every_language(lang: str) -> None:
    """A linked endgame is solved and worded in each language."""
    test = visit("solver", p=ddz.encode(WON), lang=lang)
    assert not test.exception
    assert words(lang).say("solver.wins.lord") in markup(test)


def test_typed_line_is_solved_with_all_plays() -> None:
    """Hands on one line, then Solve: who wins, and every play in its group."""
    test = visit("solver")
    test.text_input(key="w_setup_hands").set_value("KK3 / QQA").run()
    assert not test.exception
    assert not test.error
    test.button(key="w_solve").click().run()
    assert not test.exception
    shown = markup(test)
    assert EN.say("solver.wins.lord") in shown
    assert EN.say("solver.group.win", n=1) in shown.replace("\\", "")
    assert test.query_params["p"] in ([ddz.encode(WON)], ddz.encode(WON))
    offered = {b.label.replace("\\", "") for b in test.button if (b.key or "").startswith("w_go_")}
    assert offered == {"KK", "K", "3"}


def test_surplus_card_is_named_with_where_it_lies() -> None:
    """Five threes over two hands and the table: the sentence names rank, number and places."""
    test = visit("solver")
    test.text_input(key="w_setup_hands").set_value("3334 / 335").run()
    assert len(test.error) == 1
    text = test.error[0].value.replace("\\", "")
    where = EN.say("table.and").join(
        EN.say("solver.surplus.part", who=EN.say(f"table.role.{role}"), n=n)
        for role, n in (("landlord", 3), ("farmer", 2))
    )
    assert text == EN.say("solver.surplus", rank="3", got=5, where=where, most=4)
    assert test.button(key="w_solve").disabled


@pytest.mark.parametrize(
    ("hands", "beat"), [("KK3 / QZ4", ""), ("KK3 / QQ4", "35"), ("KK3 / QQ4", "Z"), ("3" * 30, "")]
)
def test_what_cannot_be_is_told_in_a_sentence(hands: str, beat: str) -> None:
    """Characters that are no cards and tables that are no combination give one sentence each."""
    test = visit("solver")
    test.text_input(key="w_setup_hands").set_value(hands).run()
    if beat:
        test.text_input(key="w_setup_beat").set_value(beat).run()
    assert not test.exception
    assert test.button(key="w_solve").disabled
    assert test.error
    assert test.text_input(key="w_setup_hands").value == hands


def test_more_hands_than_the_game_has_seats_are_refused() -> None:
    """Four hands in a game of three seats: a sentence says how many there may be."""
    test = visit("solver")
    test.text_input(key="w_setup_hands").set_value("KK5543 / 225543 / 3 / 4").run()
    assert test.button(key="w_solve").disabled
    assert [e.value.replace("\\", "") for e in test.error] == [
        EN.say("error.position.hands", expected="2–3", got=4)
    ]


def test_tapped_cards_stand_in_the_line() -> None:
    """Tapping ranks of one hand, then of the other, writes the line that typing would."""
    test = visit("solver")
    for rank in "KK3":
        key = next(b.key for b in test.button if (b.key or "").endswith(f"_rank_{rank}"))
        test.button(key=key).click().run()
    test.button_group(key="w_setup_tapped").set_value(1).run()
    for rank in "QQA":
        test.button(key=f"w_setup_1_rank_{rank}").click().run()
    assert not test.exception
    assert test.text_input(key="w_setup_hands").value == "3KK / QQA"
    test.button(key="w_solve").click().run()
    assert EN.say("solver.wins.lord") in markup(test)


def test_tree_is_walked_forward_and_back() -> None:
    """A typed play goes on, a listed one too, back and forward keep the line, errors are told."""
    test = visit("solver", p=ddz.encode(WON))
    typed(test, "walk", "K")
    assert EN.say("solver.wins.farm") in markup(test)
    test.button(key="w_walk_back").click().run()
    assert EN.say("solver.wins.lord") in markup(test)
    test.button(key="w_walk_forward").click().run()
    assert EN.say("solver.wins.farm") in markup(test)
    typed(test, "walk", "33")
    assert len(test.error) == 1
    test.button(key="w_walk_first").click().run()
    win = next(b for b in test.button if (b.key or "").startswith("w_go_0_0_"))
    assert win.label == "KK"
    win.click().run()
    for text in ("", "3"):
        typed(test, "walk", text)
        assert not test.exception
    assert EN.say("solver.over.lord") in markup(test)


def test_points_are_another_aim() -> None:
    """The same endgame in points names how many the landlord's side gets."""
    test = visit("solver", p=ddz.encode(WON))
    test.button_group(key="w_objective").set_value("points").run()
    assert not test.exception
    value = ddz.solve(WON, "points").value
    assert EN.say("solver.points", n=f"{value:+d}") in markup(test)


def test_played_out_both_ways() -> None:
    """The right play is marked as the only one and wins; a wrong one is refuted on the board."""
    test, judge = visit("solver", p=ddz.encode(WON)), Judge()
    test.button_group(key="w_mode").set_value("play").run()
    typed(test, "play", "KK")
    assert EN.say("solver.mark.only", cards="KK", n=1) in markup(test).replace("\\", "")
    for _ in range(9):
        now = lines.line_of(WON, walked(test).line)
        if now.position is None:
            break
        typed(test, "play", families(judge.answers(now.position))[0].action)
    assert EN.say("solver.result.won") in markup(test)
    test.button(key="w_play_restart").click().run()
    typed(test, "play", "K")
    assert EN.say("solver.mark.lost", cards="K", n=1) in markup(test).replace("\\", "")
    test.button(key="w_play_undo").click().run()
    assert walked(test).line == ()


def walked(test: AppTest) -> solver_state.Walk:
    """Return where the reader is."""
    return msgspec.json.decode(test.session_state[session.WALK], type=solver_state.Walk)


def test_unknown_is_shown_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that runs out says so, offers more, and never claims a winner."""
    monkeypatch.setattr(solver_jobs, "QUICK", 1)
    monkeypatch.setattr(solver_jobs, "BUDGETS", (2, 300_000))
    deal = ddz.deal(CLASSIC, seed=5)
    hands = ["".join(card.rank for card in hand[:9]) for hand in deal.hands]
    start = ddz.position(hands, rules=CLASSIC)
    test = visit("solver", p=ddz.encode(start))
    assert not test.exception
    done(test, test.session_state[session.SOLVING].split(" ")[0])
    shown = markup(test)
    assert EN.say("solver.unknown.what") in shown
    assert EN.say("solver.wins.lord") not in shown
    assert EN.say("solver.wins.farm") not in shown
    assert test.button(key="w_solve_more")


def done(test: AppTest, job: str) -> None:
    """Wait for a job, then run the page again."""
    end = time.monotonic() + 60
    while jobs.runner().look(job).live and time.monotonic() < end:
        time.sleep(0.1)
    test.run()
    assert not test.exception


@pytest.mark.parametrize("code", ["x", "<b>", "A" * 5000, "AQ"])
def test_broken_link_is_told_and_nothing_breaks(code: str) -> None:
    """A code that is none leaves the set-up empty and says what is wrong with it."""
    for page in ("solver", "puzzles"):
        test = visit(page, p=code)
        assert not test.exception
        assert len(test.error) == 1


def test_code_of_a_game_is_no_position() -> None:
    """A game's link is refused on both pages with the reason."""
    code = ddz.encode(ddz.new_game(CLASSIC, ddz.deal(CLASSIC, seed=1)))
    for page in ("solver", "puzzles"):
        test = visit(page, p=code)
        assert [e.value for e in test.error] == [shell.plain(EN.say("error.code.not_a_position"))]


def test_bans_are_house_rules() -> None:
    """A kind that is not ticked may not be played: it is off in the rules in force."""
    bans = '{"kinds.off":["pair"]}'
    test = visit("solver", p=ddz.encode(WON), overrides="")
    assert not test.exception
    banned = ddz.position(["KK3", "QQA"], rules=load_ruleset("classic", {"kinds.off": ["pair"]}))
    test = visit("solver", p=ddz.encode(banned))
    assert not test.exception
    assert test.session_state[session.HOUSE_RULES] == bans
    offered = {b.label for b in test.button if (b.key or "").startswith("w_go_")}
    assert offered == {"K", "3"}


def test_setup_of_other_rules_is_set_up_again() -> None:
    """A position of four hands under rules of three seats is no position: the set-up says so."""
    setup = solver_state.Setup(hands="3 / 4 / 5 / 6")
    with pytest.raises(ddz.DdzError):
        solver_state.made(CLASSIC, setup)
    four = load_ruleset("classic-4p")
    assert len(solver_state.made(four, setup).hands) == 4


def test_share_has_links_and_a_picture() -> None:
    """The popover has the endgame's link, the one as a puzzle, and lines that solve it."""
    test = visit("solver", p=ddz.encode(WON))
    codes = [c.value for c in test.code]
    assert not codes
    solver_page_link = f"p={ddz.encode(WON)}"
    page = AppTest.from_function(_share_page).run()
    assert not page.exception
    links = [c.value for c in page.code]
    assert [solver_page_link in link for link in links] == [True, True, False]
    assert "/puzzles?" in links[1]
    out = io.StringIO()
    with redirect_stdout(out):
        exec(links[2], {})


def _share_page() -> None:
    import ddz_core as ddz
    from ddz_core.language import words
    from ddz_core.rules import load_ruleset
    from pages._kit import shell, solver_page, solver_state

    start = ddz.position(["KK3", "QQA"], rules=load_ruleset("classic"))
    house = shell.House(words("en"), "classic", dark=False)
    solver_page._share(house, start, solver_state.Walk(mode="walk"))


@pytest.fixture
def feet(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """Collect what every foot of a page is given, by its name."""
    found: dict[str, dict[str, Any]] = {}
    real = explorer_foot.foot

    def foot(house: Any, name: str, rows: Any, code: str, **how: Any) -> None:
        found[name] = {"rows": [dict(row) for row in rows], "code": code, **how}
        real(house, name, rows, code, **how)

    monkeypatch.setattr(explorer_foot, "foot", foot)
    return found


def printed(code: str) -> str:
    """Run printed lines as they stand and return what they print."""
    out = io.StringIO()
    with redirect_stdout(out):
        exec(code, {})
    return out.getvalue()


def test_code_of_the_solver_gives_its_table(feet: dict[str, dict[str, Any]]) -> None:
    """The lines under the answers print every play with its value."""
    visit("solver", p=ddz.encode(WON))
    foot = feet["endgame"]
    lines_printed = printed(foot["code"]).splitlines()
    assert lines_printed[1:] == [f"{row['action']} {row['value']}" for row in foot["rows"]]
    assert foot["method"] == "solved"


def test_code_of_a_solution_gives_its_line(feet: dict[str, dict[str, Any]]) -> None:
    """The lines under a solution print the main line that the page shows."""
    one = shortest()
    test = visit("puzzles", z=one.id)
    test.button(key="w_puzzle_show").click().run()
    text = printed(feet["solution"]["code"])
    assert text.startswith(f"{one.hard} {one.only} {one.line!r}")
    assert str(one.themes) in text


# --- puzzles ---------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_list_speaks_every_language(lang: str) -> None:
    """The list counts what is solved and offers every puzzle."""
    test = visit("puzzles", lang=lang)
    assert not test.exception
    every = puzzles.puzzles()
    assert words(lang).say("puzzle.head", n=0, of=len(every)) in markup(test)
    offered = [b.key for b in test.button if (b.key or "").startswith("w_open_")]
    assert {f"w_open_{one.id}" for one in every} <= set(offered)


def test_filters_leave_what_fits() -> None:
    """Grade, hands and theme narrow the list to the puzzles that have them."""
    test = visit("puzzles")
    test.button_group(key="w_puzzle_grade").set_value(2).run()
    test.selectbox(key="w_puzzle_theme").set_value("give_lead").run()
    offered = {b.key for b in test.button if (b.key or "").startswith("w_open_0")}
    wanted = [p for p in puzzles.puzzles() if p.grade == 2 and "give_lead" in p.themes]
    assert offered == {f"w_open_{one.id}" for one in wanted}


def shortest() -> puzzles.Puzzle:
    """Return the puzzle with the shortest solution."""
    return min(puzzles.puzzles(), key=lambda one: (len(one.line), one.cards))


def test_puzzle_is_solved_by_typing_winning_plays() -> None:
    """Any winning play is accepted to the end; the progress then says that it was solved."""
    one, judge = shortest(), Judge()
    test = visit("puzzles", z=one.id)
    assert not test.exception
    for _ in range(30):
        now = state_line(test, one)
        if now.over:
            break
        ways = families(judge.answers(now.position))
        typed(test, "puzzle", ways[0].action)
        assert not test.exception
    assert EN.say("puzzle.solved") in markup(test).replace("\\", "")
    kept = progress.read(test.session_state[session.SOLVED])
    assert kept.of(one.id) == "clean"
    assert EN.say("puzzle.solution") in markup(test)


def state_line(test: AppTest, one: puzzles.Puzzle) -> lines.Line:
    """Return the line of the open puzzle."""
    text = str(test.session_state[session.TRIAL])
    trial = msgspec.json.decode(text, type=puzzles_state.Trial)
    return lines.line_of(one.position(), trial.line)


def test_losing_play_is_refuted_and_can_be_taken_back() -> None:
    """A losing play is named, the defence wins when played out, and the try counts as tried."""
    one, judge = shortest(), Judge()
    test = visit("puzzles", z=one.id)
    wrong = next(a for a in judge.answers(one.position()) if a.worth == -1)
    typed(test, "puzzle", wrong.action)
    cards = "Pass" if wrong.move is None else wrong.move.cards
    assert "throws the win away" in markup(test), cards
    refute = [b for b in test.button if b.key == "w_puzzle_refute"]
    if refute:
        refute[0].click().run()
    assert EN.say("puzzle.lost") in markup(test).replace("\\", "")
    assert progress.read(test.session_state[session.SOLVED]).of(one.id) == "tried"
    test.button(key="w_puzzle_again").click().run()
    assert not state_line(test, one).steps


def test_hints_open_one_after_the_other() -> None:
    """Three presses show theme, kind and play; a solution after that counts as helped."""
    one, judge = shortest(), Judge()
    test = visit("puzzles", z=one.id)
    for number, rung in enumerate(("theme", "kind", "play"), start=1):
        test.button(key="w_puzzle_hint").click().run()
        assert not test.exception
        shown = markup(test)
        assert shown.count(EN.say(f"puzzle.hint.{rung}")) >= 1
        assert number == 3 or EN.say("puzzle.hint.play") + "**" not in shown
    way = families(judge.answers(one.position()))[0]
    typed(test, "puzzle", way.action)
    assert '"helped":true' in test.session_state[session.TRIAL]


def test_solution_is_shown_with_reasons() -> None:
    """The solution lists every action and links to the whole tree."""
    one = shortest()
    test = visit("puzzles", z=one.id)
    test.button(key="w_puzzle_show").click().run()
    assert not test.exception
    shown = markup(test)
    assert EN.say("puzzle.only") in shown
    assert shown.count("<tr>") >= len(one.line)


def test_unknown_puzzle_is_told() -> None:
    """A link to a puzzle that does not exist shows the list and says so."""
    test = visit("puzzles", z="<x>")
    assert not test.exception
    assert len(test.error) == 1
    assert any((b.key or "").startswith("w_open_") for b in test.button)


def test_position_by_link_is_a_puzzle() -> None:
    """Any won position can be sent as a puzzle; it leaves no mark in the progress."""
    test = visit("puzzles", p=ddz.encode(WON))
    assert not test.exception
    assert EN.say("puzzle.own") in markup(test)
    typed(test, "puzzle", "KK")
    assert EN.say("solver.mark.only", cards="KK", n=1) in markup(test).replace("\\", "")
    assert session.SOLVED not in test.session_state


def test_own_game_is_searched() -> None:
    """A pasted record is searched beside the page, and what it found opens as a puzzle."""
    bot = ddz.bot("rule")
    game = ddz.new_game(CLASSIC, ddz.deal(CLASSIC, seed=2))
    while game.phase != "settled":
        game = game.apply(bot.choose(ddz.observe(game, game.to_act)))
    test = visit("puzzles")
    test.text_area(key="w_own_text").set_value(ddz.write_record(game))
    next(b for b in test.button if b.proto.form_id == "w_own_form").click().run()
    assert not test.exception
    now = msgspec.json.decode(test.session_state[session.OWN], type=puzzles_own.Own)
    done(test, now.job)
    now = msgspec.json.decode(test.session_state[session.OWN], type=puzzles_own.Own)
    assert now.ended
    buttons = [b for b in test.button if (b.key or "").startswith("w_own_")]
    assert len([b for b in buttons if b.key[6:].isdigit()]) == len(now.found)
    if now.found:
        next(b for b in buttons if b.key[6:].isdigit()).click().run()
        assert not test.exception
        assert EN.say("puzzle.own") in markup(test)


def test_broken_game_is_told() -> None:
    """A text that is no game gives one sentence and starts nothing."""
    test = visit("puzzles")
    test.text_area(key="w_own_text").set_value("not a game at all")
    next(b for b in test.button if b.proto.form_id == "w_own_form").click().run()
    assert not test.exception
    assert len(test.error) == 1
    assert session.OWN not in test.session_state
