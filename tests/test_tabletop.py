"""A game at a table: whole games, help, taking back, looking back, saving, and what is hidden."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core import tabletop
from ddz_core.language import LANGUAGES, Phrase, words
from ddz_core.render import contract, help_view, table_view
from ddz_core.tabletop import Tabletop

GAMES = ("classic", "primer", "jinyou", "wuhan")
STORAGE = "paili.game"


def number(table: Tabletop, **action: object) -> dict[str, object]:
    """An action for the position on the table."""
    return {"number": tabletop.position_number(table), **action}


def own_choice(table: Tabletop) -> dict[str, object]:
    """What the rule bot would do on the person's seat, as the browser would send it."""
    choice = ddz.bot("rule").choose(table.observation(), np.random.default_rng(1))
    if table.game.phase != "play":
        return number(table, kind="choice", value=str(choice))
    if str(choice) == "pass":
        return number(table, kind="pass")
    return number(table, kind="play", move=str(choice), cards=[])


def played(rules: str, seed: int, seat: int = 0, speed: int = 0) -> list[Tabletop]:
    """Every table of a whole game in which the person plays like the rule bot."""
    table = replace(tabletop.start(rules, seed=seed, seat=seat), speed=speed)
    table = tabletop.advanced(table) if speed == 0 else table
    tables = [table]
    while not table.over:
        action = own_choice(table) if table.my_turn else number(table, kind="tick")
        table = tabletop.act(table, action)
        assert table.message is None, table.message
        tables.append(table)
    return tables


@pytest.mark.parametrize("rules", GAMES)
def test_a_whole_game_is_played_from_every_seat(rules: str) -> None:
    """From each seat a game runs from the auction to a settled ledger, without a refusal."""
    for seat in range(3):
        last = played(rules, seed=11 + seat, seat=seat)[-1]
        assert last.over
        assert last.game.ledger is None or sum(last.game.ledger.points) == 0


def test_step_by_step_and_at_once_play_the_same_game() -> None:
    """The speed decides what is shown when, never what is played."""
    slow = played("classic", seed=5, speed=800)[-1]
    fast = played("classic", seed=5, speed=0)[-1]
    assert [str(e) for e in slow.game.history] == [str(e) for e in fast.game.history]


@pytest.mark.parametrize("rules", GAMES)
def test_saving_restores_every_field_at_every_step(rules: str) -> None:
    """A table restored from its text is the table, at any moment of a game."""
    for table in played(rules, seed=3, speed=800):
        assert tabletop.restore(tabletop.save(table)) == table


def test_a_second_press_is_counted_once() -> None:
    """The same action sent twice acts once; the second is answered with a note."""
    table = played("classic", seed=4, speed=0)[0]
    action = own_choice(table)
    once = tabletop.act(table, action)
    twice = tabletop.act(once, action)
    assert twice.game == once.game
    assert twice.message is not None
    assert twice.message.key == "table.message.stale"
    assert twice.refused == once.refused + 1


def test_an_illegal_play_leaves_everything_and_says_why() -> None:
    """Cards that are not held are refused with a sentence in every language; the game stays."""
    tables = [t for t in played("classic", seed=6) if t.my_turn and t.game.phase == "play"]
    table = tables[0]
    missing = next(r for r in ddz.cards.RANKS[:13] if r not in table.game.hand_text(table.seat))
    after = tabletop.act(table, number(table, kind="play", move=missing * 4, cards=[]))
    assert after.game == table.game
    assert after.message is not None
    for lang in LANGUAGES:
        assert words(lang).phrase(after.message)


def test_a_sentence_within_a_sentence_survives_saving() -> None:
    """A message whose cause is a message too is worded the same after a reload."""
    inner = Phrase("error.action.none", {"got": "3З", "expected": ""})
    table = tabletop.told(_one_table(), Phrase("table.error.save", {"why": inner}))
    again = tabletop.restore(tabletop.save(table))
    for lang in LANGUAGES:
        said = words(lang).phrase(table.message)
        assert words(lang).phrase(again.message) == said
        assert words(lang).phrase(inner) in said


@pytest.mark.parametrize("word", ["leave", " Trustee "])
def test_going_away_is_no_move_of_the_table(word: str) -> None:
    """The engine knows leaving and letting a machine play; typed at the table they are refused."""
    table = next(t for t in played("dingniu", seed=6) if t.my_turn and t.game.phase == "play")
    after = tabletop.act(table, number(table, kind="play", move=word, cards=[]))
    assert after.game == table.game
    assert after.refused == table.refused + 1


def test_taking_back_returns_to_the_own_decision() -> None:
    """After a take-back the person is to act, in exactly the state of that decision."""
    table = [t for t in played("classic", seed=8) if t.my_turn][2]
    after = tabletop.act(table, own_choice(table))
    back = tabletop.act(after, number(after, kind="undo"))
    assert back.game == table.game
    assert back.my_turn


def test_taking_back_over_the_last_card_makes_the_game_run_again() -> None:
    """A finished game can be taken back into."""
    over = played("classic", seed=8)[-1]
    back = tabletop.act(over, number(over, kind="undo"))
    assert not back.over
    assert back.game.ledger is None


def test_a_branch_keeps_the_line_it_left() -> None:
    """Playing on from an earlier move makes a new line; the old one comes back unchanged."""
    over = played("classic", seed=9)[-1]
    middle = len(over.game.history) // 2
    looking = tabletop.act(over, {"number": over.at, "kind": "jump", "at": middle})
    assert looking.looking_back
    assert not looking.my_turn
    branch = tabletop.act(looking, number(looking, kind="branch"))
    assert len(branch.game.history) >= middle
    assert not branch.looking_back
    back = tabletop.act(branch, number(branch, kind="branch", value=0))
    assert [str(e) for e in back.game.history] == [str(e) for e in over.game.history]
    assert len(back.lines) == 1


def test_the_same_deal_again_and_from_another_seat() -> None:
    """Deal again keeps the cards when asked to, from the same or from the next seat."""
    over = played("classic", seed=10)[-1]
    same = tabletop.act(over, number(over, kind="deal", value="same"))
    turned = tabletop.act(over, number(over, kind="seat"))
    new = tabletop.act(over, number(over, kind="deal", value="new"))
    assert same.game.deal == turned.game.deal == over.game.deal
    assert (same.seat, turned.seat) == (0, 1)
    assert new.game.deal != over.game.deal
    assert len(new.past) == 1
    assert tabletop.title(new.past[0]) is not None


def test_a_bot_does_not_wipe_a_message_away() -> None:
    """What is told on arrival stays until the person acts; that it was no turn goes with it."""
    dealt = next(t for t in (tabletop.start("classic", seed=n) for n in range(9)) if t.bot_turn)
    note = Phrase("table.message.storage")
    after = tabletop.act(tabletop.told(dealt, note), number(dealt, kind="tick"))
    assert len(after.game.history) == len(dealt.game.history) + 1
    assert after.message == note
    early = tabletop.act(dealt, number(dealt, kind="pass"))
    assert early.message is not None
    assert tabletop.act(early, number(early, kind="tick")).message is None


def test_the_end_in_words_has_nothing_to_beat_and_signed_points() -> None:
    """After the last card the words name no play to beat; points lost have a minus sign."""
    over = played("classic", seed=21)[-1]
    data = table_view.table_data(over, words("en"), "light", STORAGE)
    assert not any(line.startswith("To beat") for line in data["summary"])
    points = over.game.ledger.points
    shown = {point["text"] for point in data["result"]["points"]}
    assert shown == {f"{p:+d}".replace("-", "−") for p in points}


def test_a_counter_filled_in_is_compared_with_the_own_view() -> None:
    """The person's counts are judged rank by rank against what the seat has not seen."""
    table = next(t for t in played("classic", seed=12) if t.my_turn)
    seen = ddz.cards.counts_of(table.observation().unseen)
    truth = {rank: seen[lane] for lane, rank in enumerate(ddz.cards.RANKS)}
    right = tabletop.act(table, number(table, kind="counter", values=truth))
    wrong = tabletop.act(table, number(table, kind="counter", values={**truth, "3": 9}))
    assert right.message is not None
    assert right.message.key == "table.counter.right"
    assert wrong.message is not None
    assert wrong.message.params["ranks"] == "3"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(
    kind=st.sampled_from([*contract.ACTION_KINDS, "", "nonsense"]),
    more=st.dictionaries(st.sampled_from(["cards", "move", "at", "key", "value", "values"]), JSON),
)
def test_nothing_that_a_browser_sends_breaks_the_table(kind: str, more: dict[str, object]) -> None:
    """Whatever is sent, a table comes back that can be saved, restored and shown."""
    table = _one_table()
    after = tabletop.act(table, {**number(table), **more, "kind": kind})
    assert tabletop.restore(tabletop.save(after)) == after
    table_view.table_data(after, words("en"), "light", STORAGE)


def _one_table() -> Tabletop:
    return replace(tabletop.start("classic", seed=21), speed=0)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200) | st.builds(json.dumps, JSON))
def test_a_text_that_is_no_saved_table_is_refused(text: str) -> None:
    """Restoring an arbitrary text raises the one documented error and nothing else."""
    with pytest.raises(ddz.RecordError):
        tabletop.restore(text)


def test_a_saved_table_that_was_cut_or_changed_is_refused() -> None:
    """A text cut anywhere, or with a card more, does not come back as a table."""
    text = tabletop.save(played("classic", seed=13)[5])
    for end in range(0, len(text) - 1, 37):
        with pytest.raises(ddz.DdzError):
            tabletop.restore(text[:end])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_position_can_be_shown_in_every_language(lang: str) -> None:
    """The data of every position is plain JSON, and no text lacks a word or a value."""
    for rules in ("classic", "jinyou"):
        for table in played(rules, seed=14, speed=350):
            shown = replace(table, guided=True, rung=4 if table.my_turn else 0, counter="self")
            data = table_view.table_data(shown, words(lang), "dark", STORAGE)
            text = json.dumps(data, ensure_ascii=False)
            data.pop("words")
            assert "{" not in "".join(_texts(data))
            assert text


def _texts(data: object) -> list[str]:
    if isinstance(data, dict):
        return [t for key, value in data.items() if key != "save" for t in _texts(value)]
    if isinstance(data, list):
        return [t for value in data for t in _texts(value)]
    return [data] if isinstance(data, str) else []


def test_hidden_cards_never_reach_the_browser() -> None:
    """Two deals that differ only in cards hidden from the person give the same data."""
    rules = ddz.load_ruleset("classic")
    for seed in range(6):
        deal = ddz.deal(rules, seed=seed)
        one, two = (list(hand) for hand in deal.hands[1:])
        one[3:9], two[3:9] = two[3:9], one[3:9]
        hands = (deal.hands[0], tuple(sorted(one)), tuple(sorted(two)))
        bottom = deal.bottom
        other = replace(deal, hands=hands, bottom=bottom)
        views = []
        for cards in (deal, other):
            game = ddz.new_game(rules, replace(cards, first=0, face_up=None)).apply("3")
            table = replace(tabletop.seated(game, guided=True), rung=4)
            data = table_view.table_data(table, words("en"), "light", STORAGE)
            del data["save"]
            views.append(json.dumps(data, sort_keys=True))
        assert views[0] == views[1]


def test_the_saved_text_of_a_running_game_has_no_hidden_card() -> None:
    """What the browser keeps of a running game is its seed and moves; cards come at the end."""
    tables = played("classic", seed=15)
    running = json.loads(tabletop.save(tables[1]))["record"]
    finished = json.loads(tabletop.save(tables[-1]))["record"]
    assert "\ndeal:" not in running
    assert "\ndeal:" in finished


def test_the_counter_never_knows_the_bottom_cards_early() -> None:
    """Before the landlord is known 37 cards are unseen, whatever the bottom is."""
    for table in played("classic", seed=16, speed=800):
        data = table_view.table_data(table, words("en"), "light", STORAGE)
        if table.game.phase == "auction":
            assert sum(cell["count"] or 0 for cell in data["counter"]["cells"]) == 37
            assert data["bottom"] is not None
            assert data["bottom"]["cards"] == [None, None, None]


def test_only_the_chosen_legal_rows_are_marked_as_playable() -> None:
    """The rows sent as playable are exactly the legal plays, each readable by the game."""
    for table in played("classic", seed=17):
        if not table.my_turn or table.game.phase != "play":
            continue
        phase = table_view.table_data(table, words("en"), "light", STORAGE)["phase"]
        sent = {row[4] for row in phase["plays"] if row[3] == "ok"}
        legal = [move for move in table.game.legal() if move != "pass"]
        assert len(sent) == len(legal)
        assert all(table.game.can(text) for text in sent)
        assert not any(table.game.can(row[4]) for row in phase["plays"] if row[3] != "ok")


@pytest.mark.parametrize("rules", ddz.ruleset_ids())
def test_every_game_is_played_and_shown_at_the_table(rules: str) -> None:
    """Random seats, guide and ladder open: a whole game of every ruleset, from deal to score."""
    table = replace(tabletop.start(rules, seed=3, names=["random"] * 5, seat=1), speed=800)
    for step in range(600):
        if step % 4 == 0 or table.over:
            shown = replace(table, guided=True, rung=4 if table.my_turn else 0)
            lang = ("en", "zh-Hans", "zh-Hant")[step // 4 % 3]
            data = table_view.table_data(shown, words(lang), "light", STORAGE)
            assert len(data["seats"]) == table.game.seats - 1
            assert tabletop.restore(tabletop.save(table)) == table
        if table.over:
            break
        if table.my_turn:
            seen = table.observation()
            choice = str(ddz.bot("random").choose(seen, np.random.default_rng(step)))
            kind = "pass" if (table.game.phase, choice) == ("play", "pass") else "choice"
            action = number(table, kind=kind, value=choice)
        else:
            action = number(table, kind="tick")
        table = tabletop.act(table, action)
        assert table.message is None, table.message
    assert table.over


def test_the_steps_of_a_sum_lead_to_what_is_settled() -> None:
    """The running product on the result ends at what each farmer settles, bombs added or not."""
    cases = {
        "classic": ([9, 3, 2], ["4444", "5555"]),
        "arena-4p": ([9, 3, 2, 1], ["4444", "5555", "666666"]),
    }
    for rules, (plays, bombs) in cases.items():
        ledger = ddz.load_ruleset(rules).score(
            landlords=[0], bid=3, out=0, plays=plays, bombs=bombs
        )
        view = table_view.of(_one_table(), words("en"))
        steps = help_view.ledger_steps(view, ledger)
        products = [step["value"] for step in steps if step["value"].isdigit()]
        assert products[-1] == products[-2] == str(ledger.unit)
