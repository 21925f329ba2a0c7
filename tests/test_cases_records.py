"""Faults others reported in undo, records and codes (public reports R19, R21, R22, R46, R48).

Also the bad-input half: cut, altered and later-version records and codes, and a record that turns
illegal at some action.
"""

from __future__ import annotations

import random
import string
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import FAMILY, bid_up, fields, hand_of, random_game, start
from refusals import check_furniture, refused

import ddz_core as ddz

HOUSE = {"kickers.both_jokers": True, "kickers.max_equal": 2, "score.spring": 3}


def states(ruleset: str, seed: int, most: int = 400) -> list[ddz.Game]:
    """Every state of one random game."""
    return list(random_game(start(ruleset, seed), random.Random(seed), most))


def finished(ruleset: str, seed: int = 0) -> ddz.Game:
    """The first random game from a seed on that was played to its end."""
    while True:
        last = states(ruleset, seed)[-1]
        if last.outcome in ("landlords", "farmers"):
            return last
        seed += 1


def replayed(game: ddz.Game, number: int) -> ddz.Game:
    """The game after its first ``number`` actions, played again from the deal."""
    again = ddz.read_record(cut_record(ddz.write_record(game), number))
    assert number == len(again.history)
    assert fields(again) == fields(game.at(number))
    return again


def cut_record(text: str, number: int) -> str:
    """A record with only its first actions and without a result."""
    head, body = text.split("\n\n", 1)
    head = "\n".join(
        line for line in head.splitlines() if not line.startswith(("result", "points"))
    )
    return head + "\n\n" + "".join(line + "\n" for line in body.splitlines()[:number])


# --- R19, R22 undo -------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", FAMILY)
@pytest.mark.parametrize("seed", range(3))
def test_r19_applying_never_changes_an_earlier_state(ruleset: str, seed: int) -> None:
    """After n random actions every earlier state is still what it was, field by field."""
    seen = [(game, fields(game)) for game in states(ruleset, seed)]
    for game, then in random.Random(seed).sample(seen, min(12, len(seen))):
        assert then == fields(game)


@pytest.mark.parametrize("ruleset", FAMILY)
@pytest.mark.parametrize("seed", range(3))
def test_r19_r22_every_step_of_a_record_is_the_state_that_was(ruleset: str, seed: int) -> None:
    """A game written, read and taken back to any step equals the game as it stood there."""
    played = states(ruleset, seed)
    rng = random.Random(seed)
    for number in sorted(rng.sample(range(len(played)), min(8, len(played)))):
        assert fields(played[number]) == fields(replayed(played[-1], number))


def test_r19_take_back_over_a_pass_a_bomb_and_the_last_card() -> None:
    """Taking back restores turn, table, multiplier and a running game."""
    last = finished("classic", 40)
    played = [replayed(last, n) for n in range(len(last.history) + 1)]
    for before, after in pairwise(played):
        assert before.outcome is None
        assert before.to_act is not None
        if after.multiplier != before.multiplier and before.phase == "play":
            assert after.multiplier == 2 * before.multiplier
    assert last.outcome == played[-1].outcome
    assert played[-2].ledger is None or played[-2].outcome is None


def test_r19_leader_takes_back_a_lead() -> None:
    """A lead of 3 taken back leaves the same hand, turn and lead, and no pass on offer."""
    game = bid_up(start("classic", 2), 1)
    before = fields(game)
    after = game.apply(game.legal()[0])
    assert before != fields(after)
    assert before == fields(game)
    assert before == fields(replayed(after, len(game.history)))
    assert "pass" not in before["legal"]


# --- R21, R22 records ----------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", FAMILY)
@pytest.mark.parametrize("seed", range(3))
def test_r22_record_and_code_round_trip(ruleset: str, seed: int) -> None:
    """Writing and reading a game at any moment gives the same game and the same text again."""
    played = states(ruleset, 50 + seed)
    for game in [played[0], *random.Random(seed).sample(played, min(6, len(played))), played[-1]]:
        text = ddz.write_record(game)
        again = ddz.read_record(text)
        assert fields(game) == fields(again)
        assert text == ddz.write_record(again)
        code = ddz.encode(game)
        assert len(code) <= 600
        assert set(code) <= set(string.ascii_letters + string.digits + "-_")
        decoded = ddz.decode(code)
        assert fields(game) == fields(decoded)
        assert code == ddz.encode(decoded)


@pytest.mark.parametrize("ruleset", FAMILY)
def test_r48_record_and_code_carry_the_house_rules(ruleset: str) -> None:
    """House rules travel with record and code, and are in force after reading."""
    game = start(ruleset, 5, HOUSE)
    for again in (ddz.read_record(ddz.write_record(game)), ddz.decode(ddz.encode(game))):
        assert HOUSE == dict(again.rules.overrides)
        assert again.rules.readings("4444XD")
        assert again.rules.hash == game.rules.hash


def test_r21_unknown_headers_and_comments_survive() -> None:
    """Headers and comments of another program are kept, not understood and not lost."""
    text = ddz.write_record(finished("classic"))
    head, body = text.split("\n\n", 1)
    lines = body.splitlines()
    lines[0] += " ; a first thought, 想一想"
    changed = head + "\nplayers: 甲, 乙, 丙\nx-club: Hall; 3\n\n" + "\n".join(lines) + "\n"
    again = ddz.write_record(ddz.read_record(changed))
    assert "players: 甲, 乙, 丙" in again
    assert "x-club: Hall; 3" in again
    assert "; a first thought, 想一想" in again
    assert again == ddz.write_record(ddz.read_record(again))


def test_r21_missing_headers_are_empty() -> None:
    """A record of the bare minimum, version, rules, deal and actions, is opened."""
    game = finished("classic")
    head, body = ddz.write_record(game).split("\n\n", 1)
    keep = [
        line
        for line in head.splitlines()
        if line.split(":")[0] in ("paili 1", "rules", "seed", "deal", "first", "face_up", "face-up")
        or line.startswith("paili")
    ]
    again = ddz.read_record("\n".join(keep) + "\n\n" + body)
    assert [str(a) for a in game.history] == [str(a) for a in again.history]
    assert game.outcome == again.outcome


def test_r21_line_ends_and_spaces_do_not_matter() -> None:
    """A record saved by another editor, with other line ends and a byte order mark, is opened."""
    game = finished("primer")
    text = ddz.write_record(game)
    for changed in (text.replace("\n", "\r\n"), "\ufeff" + text, text + "\n\n", text.rstrip("\n")):
        assert fields(game) == fields(ddz.read_record(changed))


@pytest.mark.parametrize("ruleset", FAMILY)
def test_record_illegal_at_an_action_names_it(ruleset: str) -> None:
    """A record in which one action was altered is refused, and the refusal says which action."""
    game = finished(ruleset)
    head, body = ddz.write_record(game).split("\n\n", 1)
    lines = body.splitlines()
    rng = random.Random(1)
    for number in rng.sample(range(len(lines)), min(10, len(lines))):
        seat = lines[number].split()[0]
        for wrong in ("4444444", "XXDD", "take", "9", "rob=now", "x3"):
            action = f"{seat} {wrong}"
            state = replayed(game, number)
            if state.can(wrong):
                continue
            changed = [*lines[:number], action, *lines[number + 1 :]]
            text = head + "\n\n" + "\n".join(changed) + "\n"
            error = refused(ddz.RecordError, lambda text=text: ddz.read_record(text))
            assert str(number + 1) in str(error), (wrong, str(error))


def test_record_of_the_wrong_seat_is_refused() -> None:
    """An action by a seat whose turn it is not is refused with its place."""
    head, body = ddz.write_record(finished("classic")).split("\n\n", 1)
    lines = body.splitlines()
    for number in (0, 1, len(lines) // 2):
        seat, action = lines[number].split()[:2]
        wrong = (int(seat) + 1) % 3
        for name in (str(wrong), "7", "x", "-1"):
            changed = [*lines[:number], f"{name} {action}", *lines[number + 1 :]]
            text = head + "\n\n" + "\n".join(changed) + "\n"
            error = refused(ddz.RecordError, lambda text=text: ddz.read_record(text))
            assert str(number + 1) in str(error)


def test_record_that_goes_on_after_the_end_is_refused() -> None:
    """Actions after the last card are refused."""
    text = ddz.write_record(finished("classic"))
    refused(ddz.RecordError, lambda: ddz.read_record(text + "0 3\n"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "paili",
        "hello",
        "paili 1",
        "paili 1\n\n",
        "paili one\nrules: classic\n\n",
        "paili 0\nrules: classic\nseed: 1\n\n",
        "paili 1\nrules: nosuch\nseed: 1\n\n",
        "paili 1\nrules: classic\n\n0 pass\n",
        "paili 1\nrules: classic\nseed: many\n\n",
        "paili 1\nrules: classic\nseed: 1\noverrides: {\n\n",
        "paili 1\nrules: classic\nseed: 1\noverrides: kickers.none=1\n\n",
        "paili 1\nrules: classic\ndeal: 333/444/555|678\n\n",
        "paili 1\nrules: classic\ndeal: Q\n\n",
        "paili 1\nrules: classic\nseed: 1\nhash: 000000000000\n\n",
        "PK\x03\x04\x00\x00",
        '{"rules": "classic"}',
        "<html></html>",
    ],
)
def test_text_that_is_no_record_is_refused(text: str) -> None:
    """What is no record, or one of an unknown game, seed or deal, is refused in one sentence."""
    refused(ddz.RecordError, lambda: ddz.read_record(text))


def test_record_of_a_later_version_is_refused_as_such() -> None:
    """A record of a later version says so, and says which versions are read."""
    text = ddz.write_record(finished("classic"))
    for version in ("2", "17"):
        changed = text.replace("paili 1", f"paili {version}", 1)
        error = refused(ddz.RecordError, lambda changed=changed: ddz.read_record(changed))
        assert version in str(error)


@pytest.mark.parametrize("ruleset", FAMILY)
def test_cut_records_are_shorter_games_or_refused(ruleset: str) -> None:
    """A record cut anywhere is a shorter game or a refusal, never another exception."""
    text = ddz.write_record(finished(ruleset))
    rng = random.Random(2)
    for place in rng.sample(range(len(text)), 60):
        try:
            game = ddz.read_record(text[:place])
        except ddz.RecordError as error:
            check_furniture(error)
        else:
            assert text.startswith(ddz.write_record(game).split("\n\n")[0].split("\n")[0])


# --- codes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", FAMILY)
def test_cut_codes_are_refused(ruleset: str) -> None:
    """A code cut anywhere is refused."""
    code = ddz.encode(finished(ruleset))
    for length in range(len(code)):
        if length in (0, 1, 2, 3, 5, 8) or length % 7 == 0 or length == len(code) - 1:
            refused(ddz.RecordError, lambda length=length: ddz.decode(code[:length]))


@given(st.integers(0, 599), st.sampled_from(string.ascii_letters + string.digits + "-_"))
@settings(max_examples=150, deadline=None)
def test_altered_codes_are_refused(place: int, character: str) -> None:
    """A code with one character altered is refused; the checksum sees every such change."""
    code = ddz.encode(CODED)
    place %= len(code)
    if code[place] == character:
        return
    changed = code[:place] + character + code[place + 1 :]
    try:
        game = ddz.decode(changed)
    except ddz.RecordError as error:
        check_furniture(error)
    else:
        # only the unused low bits of the last character may change without a trace
        assert place == len(code) - 1
        assert fields(CODED) == fields(game)


CODED = finished("classic", 3)


@given(st.text(max_size=40))
@settings(max_examples=150, deadline=None)
def test_any_text_as_a_code_is_refused(text: str) -> None:
    """Whatever stands in an address is a code or an error of records, never another exception."""
    refused(ddz.RecordError, lambda: ddz.decode(text))


def test_code_of_a_later_version_is_refused_as_such() -> None:
    """A code whose version byte is higher than ours is refused, and the sentence names the version.

    The version is the first byte, so the first characters of the code change.
    """
    import base64

    code = ddz.encode(CODED)
    raw = bytearray(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)))
    for version in (raw[0] + 1, 200):
        raw[0] = version
        changed = base64.urlsafe_b64encode(bytes(raw)).decode().rstrip("=")
        error = refused(ddz.RecordError, lambda changed=changed: ddz.decode(changed))
        assert str(version) in str(error)


def test_codes_of_running_games_hold_no_hidden_cards() -> None:
    """A running game's record carries the seed and not the cards; the hands are not in its text."""
    game = bid_up(start("classic", 9), 0)
    text = ddz.write_record(game)
    assert "seed: 9" in text
    assert "deal:" not in text
    for seat in range(3):
        assert hand_of(game, seat) not in text


# --- R46 what if ---------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", FAMILY)
def test_r46_a_branch_leaves_the_original_unchanged(ruleset: str) -> None:
    """Playing on differently from step 12 gives a complete game of its own with the same deal."""
    original = finished(ruleset)
    before = fields(original)
    number = min(12, len(original.history) - 2)
    branch = replayed(original, number)
    for game in random_game(branch, random.Random(77)):
        last = game
    assert before == fields(original)
    assert [str(a) for a in original.history[:number]] == [str(a) for a in last.history[:number]]
    assert last.deal == original.deal
    again = ddz.read_record(ddz.write_record(last))
    assert fields(last) == fields(again)
