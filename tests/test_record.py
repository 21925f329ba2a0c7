"""Records: replayed from nothing, kept whole, and refused with the line that is wrong."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import FAMILY, bid_up, random_game, start
from refusals import check_furniture, refused

import ddz_core as ddz
from ddz_core import record

GAMES = st.tuples(st.sampled_from(FAMILY), st.integers(0, 2**32), st.integers(0, 2**32))


def states(spec: tuple[str, int, int]) -> list[ddz.Game]:
    """Every state of one game of random actions."""
    ruleset, seed, choices = spec
    return list(random_game(start(ruleset, seed), random.Random(choices)))


FINISHED = list(random_game(bid_up(start("classic", 1), 1), random.Random(3)))[-1]
TEXT = ddz.write_record(FINISHED)
HAND_SET = ddz.deal_from_text(
    ddz.load_ruleset("classic"), ddz.deal(ddz.load_ruleset("classic"), seed=5).text(), first=2
)


@given(GAMES)
@settings(max_examples=15, deadline=None)
def test_record_to_game_to_record(spec: tuple[str, int, int]) -> None:
    """Every state of a game is read back equal from its record, and written again the same."""
    seen = states(spec)
    for game in [*seen[::9], seen[-1]]:
        text = ddz.write_record(game)
        again = ddz.read_record(text)
        assert again == game
        assert ddz.write_record(again) == text
        for count in range(0, len(game.history), 10):
            assert again.at(count) == game.at(count)


def test_a_running_record_holds_no_card() -> None:
    """A running game with a seed is recorded by seed and history; a finished one with its cards."""
    game = bid_up(start("classic", 9), 0)
    assert [line.split(":")[0] for line in ddz.write_record(game).splitlines()[1:4]] == [
        "rules",
        "hash",
        "seed",
    ]
    assert "deal:" not in ddz.write_record(game)
    assert "deal: " + FINISHED.deal.text(suits=True) in TEXT
    assert f"result: {FINISHED.outcome}" in TEXT


def test_a_hand_set_deal_carries_its_cards() -> None:
    """Without a seed the cards are written, with suits only where somebody chose them."""
    rules = ddz.load_ruleset("classic")
    game = ddz.new_game(rules, HAND_SET).apply(2)
    text = ddz.write_record(game)
    assert f"deal: {HAND_SET.text()}\n" in text
    assert ddz.read_record(text) == game
    suited = ddz.deal(rules, seed=5).text(suits=True)
    chosen = ddz.new_game(rules, ddz.deal_from_text(rules, suited))
    assert f"deal: {suited}\n" in ddz.write_record(chosen)
    assert ddz.read_record(ddz.write_record(chosen)) == chosen


def test_unknown_headers_and_comments_survive() -> None:
    """What nobody here knows stays where it was, through reading, writing and taking back."""
    head, body = TEXT.split("\n\n", 1)
    lines = body.splitlines()
    lines[0] += " ; a timid start"
    lines.insert(2, "; the table falls silent")
    text = f"{head}\nplayed-at: a café, 下雨\n; before anything\n\n" + "\n".join(lines) + "\n"
    game = ddz.read_record(text)
    assert game == FINISHED
    assert dict(game.headers) == {"played-at": "a café, 下雨"}
    assert game.notes == (
        (0, "before anything"),
        (1, "a timid start"),
        (2, "the table falls silent"),
    )
    again = ddz.write_record(game)
    assert ddz.write_record(ddz.read_record(again)) == again
    for piece in ("a café, 下雨", "; before anything", "; a timid start", "the table falls silent"):
        assert piece in again
    assert game.at(1).notes == game.notes[:2]
    assert game.at(1).headers == game.headers


def test_comments_and_headers_can_be_added() -> None:
    """A comment of one line goes with an action; a header of our own cannot be replaced."""
    game = FINISHED.noted("the\nwinning play").noted("first word", at=0)
    text = ddz.write_record(game, {"Author": "somebody\nelse"})
    assert "; the winning play\n" in text
    assert text.split("\n\n")[1].splitlines()[0].endswith("; first word")
    assert dict(ddz.read_record(text).headers) == {"author": "somebody else"}
    for name in ("deal", "rules", "", "two words", "a:b", "paili\n1"):
        refused(ddz.RecordError, lambda name=name: ddz.write_record(game, {name: "x"}))


def test_a_branch_says_where_it_left() -> None:
    """R46: the record of a branch is complete and names its origin."""
    branch = FINISHED.branch(4)
    text = ddz.write_record(branch)
    assert f"branch: 4 of {len(FINISHED.history)}" in text
    assert ddz.read_record(text) == branch


def test_house_rules_travel() -> None:
    """Overrides are written and read back, and a wrong one is refused with its line."""
    rules = ddz.load_ruleset("classic", {"kickers.both_jokers": True, "kinds.off": ["plane"]})
    game = ddz.new_game(rules, ddz.deal(rules, seed=1)).apply("pass")
    text = ddz.write_record(game)
    assert ddz.read_record(text).rules == rules
    for bad in ("{", "[]", '{"kickers.none": 1}', '{"score.stake": -1}', "[" * 5000, '{"a":' * 800):
        line = next(x for x in text.splitlines() if x.startswith("overrides"))
        changed = text.replace(line, f"overrides: {bad}")
        error = refused(ddz.RecordError, lambda changed=changed: ddz.read_record(changed))
        assert "line 3" in str(error)


def test_changed_rules_are_named() -> None:
    """A record whose rules were others opens if it is legal today, and says which parts differ."""
    old = next(word for word in TEXT.split() if word.startswith("kickers="))
    words = TEXT.splitlines()[2].split()
    changed = TEXT.replace(old, "kickers=0000").replace(words[1], "0123456789ab")
    game = ddz.read_record(changed)
    assert game == FINISHED
    assert dict(game.headers)["rules-changed"] == "kickers"
    # with an action that is illegal today, the change is given as a likely reason
    lines = changed.split("\n\n")[1].splitlines()
    first = lines[0].split()[0]
    broken = changed.replace("\n\n" + lines[0], f"\n\n{first} 33344XD", 1)
    error = refused(ddz.RecordError, lambda: ddz.read_record(broken))
    assert "kickers" in str(error)
    assert "action 1 " in str(error)


def test_a_hash_that_names_no_change_is_refused() -> None:
    """If no part of the rules differs, another hash means that the record was altered."""
    words = TEXT.splitlines()[2].split()
    changed = TEXT.replace(words[1], "0123456789ab")
    assert refused(ddz.RecordError, lambda: ddz.read_record(changed)).field == "hash"


def test_an_altered_result_is_refused() -> None:
    """A result or points that the actions do not give are refused, both values named."""
    for old, new in (("result: ", "result: redeal "), ("points: ", "points: 1 ")):
        changed = TEXT.replace(old, new)
        error = refused(ddz.RecordError, lambda changed=changed: ddz.read_record(changed))
        assert error.field == old.strip(": ")


@pytest.mark.parametrize(
    ("line", "inserted"),
    [
        (2, "rules: classic"),
        (3, "no colon here"),
        (4, ": value"),
        (3, "seed: 99999999999999999999999"),
    ],
)
def test_a_broken_header_names_its_line(line: int, inserted: str) -> None:
    """A header that is no header, comes twice, or has no number where one is due."""
    lines = TEXT.splitlines()
    lines.insert(line, inserted)
    error = refused(ddz.RecordError, lambda: ddz.read_record("\n".join(lines)))
    assert "line" in str(error)


def test_an_illegal_action_is_counted_and_explained() -> None:
    """The first action that is not legal is named by line, number and reason."""
    head, body = TEXT.split("\n\n", 1)
    lines = body.splitlines()
    place = next(
        i for i, line in enumerate(lines) if line.split()[1].isalpha() and "pass" not in line
    )
    seat = lines[place].split()[0]
    lines[place] = f"{seat} 3456789TJQKA"
    error = refused(
        ddz.RecordError, lambda: ddz.read_record(head + "\n\n" + "\n".join(lines) + "\n")
    )
    assert f"action {place + 1} " in str(error)
    assert f"line {head.count(chr(10)) + 3 + place}:" in str(error)
    assert "is short of" in str(error) or "combination" in str(error)


def test_a_seed_that_deals_otherwise_one_day_keeps_the_cards() -> None:
    """Cards win over a seed that does not give them: the game is read as set by hand."""
    changed = TEXT.replace("seed: 1\n", "seed: 2\n")
    game = ddz.read_record(changed)
    assert game.deal.seed is None
    assert (game.deal.hands, game.ledger) == (FINISHED.deal.hands, FINISHED.ledger)


@given(st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_mangled_records_are_games_or_refused(seed: int) -> None:
    """Characters changed, lines dropped, doubled or swapped: a game, or an error of records."""
    rng = random.Random(seed)
    lines = TEXT.splitlines()
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(lines))
        match rng.randrange(4):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, rng.choice(lines or [""]))
            case 2:
                lines[at] = lines[at][: rng.randint(0, 20)] + chr(rng.choice([0, 7, 48, 120, 9829]))
            case _:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
    try:
        assert isinstance(ddz.read_record("\n".join(lines)), ddz.Game)
    except ddz.RecordError as error:
        check_furniture(error)


def test_the_size_of_a_record_is_bounded() -> None:
    """Too long a text, too many actions and endless headers are refused at once."""
    for text in (
        "paili 1\n" + "x" * record.MOST_TEXT,
        "paili 1\nrules: classic\nseed: 1\n\n" + "0 pass\n" * (record.MOST_ACTIONS + 1),
        "paili 1\n" + "".join(f"h{n}: 1\n" for n in range(200)),
    ):
        refused(ddz.RecordError, lambda text=text: ddz.read_record(text))
    refused(ddz.RecordError, lambda: ddz.read_record(b"paili 1"))
