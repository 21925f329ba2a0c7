"""Codes for links: short, exact, and harmless whatever a stranger makes of them."""

from __future__ import annotations

import base64
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import FAMILY, bid_up, random_game, start
from refusals import check_furniture, refused

import ddz_core as ddz
from ddz_core import cards, codes
from ddz_core.cards import format_cards
from ddz_core.positions import position_of

GAMES = st.tuples(st.sampled_from(FAMILY), st.integers(0, 2**32), st.integers(0, 2**32))
CLASSIC = ddz.load_ruleset("classic")
HOUSE = ddz.load_ruleset(
    "classic",
    {
        "kickers.both_jokers": True,
        "kickers.max_equal": 3,
        "kickers.next_triple": False,
        "kinds.off": ["four_two_singles", "four_two_pairs"],
    },
)


def states(spec: tuple[str, int, int]) -> list[ddz.Game]:
    """Every state of one game of random actions."""
    ruleset, seed, choices = spec
    return list(random_game(start(ruleset, seed), random.Random(choices)))


def sealed(content: bytes) -> str:
    """A code with right length and checksum around any content."""
    rest = codes._varint(len(content) * 2) + content
    data = bytes([codes.VERSION]) + codes._checksum(rest) + rest
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@given(GAMES)
@settings(max_examples=20, deadline=None)
def test_games_round_trip_in_600_characters(spec: tuple[str, int, int]) -> None:
    """Every state of a game is decoded equal from a code that a link can carry."""
    seen = states(spec)
    for game in [*seen[::7], seen[-1]]:
        code = ddz.encode(game)
        assert ddz.decode(code) == game
        assert ddz.encode(ddz.decode(code)) == code
        assert len(code) <= 600
        if game.phase == "play":
            place = position_of(game)
            short = ddz.encode(place)
            assert ddz.decode(short) == place
            assert len(short) <= 120


def test_the_longest_game_fits() -> None:
    """A hand-set game of house rules in which only single cards are played stays below 600."""
    rng = random.Random(5)
    deck = list(HOUSE.deck_text())
    rng.shuffle(deck)
    text = "/".join("".join(deck[n : n + 17]) for n in (0, 17, 34)) + "|" + "".join(deck[51:])
    game = bid_up(ddz.new_game(HOUSE, ddz.deal_from_text(HOUSE, text)), 0, level=1)
    while game.outcome is None:
        singles = [m for m in game.legal() if len(str(m)) == 1]
        game = game.apply(singles[0] if singles else "pass")
    code = ddz.encode(game)
    assert ddz.decode(code) == game
    assert len(game.history) > 55
    assert len(code) <= 600


def test_hand_set_suits_survive() -> None:
    """A deal set by hand keeps suits that somebody chose."""
    suited = ddz.deal(CLASSIC, seed=5).text(suits=True)
    face = str(ddz.deal(CLASSIC, seed=5).face_up[0])
    game = ddz.new_game(CLASSIC, ddz.deal_from_text(CLASSIC, suited, face_up=face))
    assert game.deal.seed is None
    assert ddz.decode(ddz.encode(game)) == game
    plain = ddz.new_game(CLASSIC, ddz.deal_from_text(CLASSIC, ddz.deal(CLASSIC, seed=5).text()))
    assert ddz.decode(ddz.encode(plain)) == plain
    assert len(ddz.encode(plain)) < len(ddz.encode(game)) <= 600


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_positions_round_trip_in_120_characters(seed: int) -> None:
    """Any position of two or three hands, with or without a play to beat, fits and is exact."""
    rng = random.Random(seed)
    rules = rng.choice([CLASSIC, HOUSE])
    deck = list(rules.deck_text())
    rng.shuffle(deck)
    count = rng.choice([2, 3])
    hands = [
        "".join(deck[20 * n : 20 * n + rng.randint(1, 18 if n == 2 else 20)]) for n in range(count)
    ]
    beat, by, mover = None, None, rng.randrange(count)
    if rng.random() < 0.6:
        beat = rng.choice([deck[58 - 5], deck[54 - 2]]) if count == 2 else deck[-1]
        beat = beat if beat not in "".join(hands) or beat not in "XD" else None
    left = "".join(hands) + (beat or "")
    if any(left.count(rank) > (1 if rank in "XD" else 4) for rank in left):
        beat = None
    if beat:
        by = (mover - rng.randint(1, count - 1)) % count
    place = ddz.position(hands, mover, beat, rules=rules, beat_by=by, landlords=[mover])
    code = ddz.encode(place)
    assert ddz.decode(code) == place
    assert len(code) <= 120


def test_the_reading_on_the_table_travels() -> None:
    """A play with several readings is decoded as it was read."""
    beat = "333444555666=plane_singles:3:5"
    place = ddz.position(["777888999TTTJ", "34"], 0, beat, rules=CLASSIC)
    again = ddz.decode(ddz.encode(place))
    assert (again.beat.kind, again.beat.top) == ("plane_singles", "5")
    assert again == place
    assert again != ddz.position(["777888999TTTJ", "34"], 0, beat.split("=")[0], rules=CLASSIC)


def test_a_running_games_code_does_not_depend_on_hidden_cards() -> None:
    """Two games of one seed and history have one code: nothing but these is in it."""
    game = bid_up(start("classic", 9), 0)
    content = codes._opened(ddz.encode(game))
    assert b"9" not in content.split(b"classic")[0]
    for seat in range(3):
        assert game.hand_text(seat).encode() not in content
    packed = codes._write_hands(game.ruleset, game.hands)
    assert packed not in content


@given(st.binary(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_refused(data: bytes) -> None:
    """Random bytes in the right letters are refused."""
    refused(
        ddz.RecordError, lambda: ddz.decode(base64.urlsafe_b64encode(data).decode().rstrip("="))
    )


@given(
    st.one_of(
        st.binary(max_size=120),
        st.binary(max_size=60).map(lambda b: b"\x01\x07classic\x00" + b),
        st.binary(max_size=60).map(lambda b: b"\x02\x07classic\x00" + b),
    )
)
@settings(max_examples=400, deadline=None)
def test_forged_content_is_a_value_or_refused(content: bytes) -> None:
    """Even with a right checksum, content is read within its bounds or refused."""
    try:
        value = ddz.decode(sealed(content))
    except ddz.RecordError as error:
        check_furniture(error)
    else:
        assert isinstance(value, (ddz.Game, ddz.Position))


@given(st.integers(0, 2**32))
@settings(max_examples=200, deadline=None)
def test_mangled_content_is_a_value_or_refused(seed: int) -> None:
    """A real content with bytes changed, cut or doubled is read or refused."""
    rng = random.Random(seed)
    content = bytearray(codes._opened(rng.choice(CODED)))
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(content))
        match rng.randrange(3):
            case 0:
                content[at] = rng.randrange(256)
            case 1:
                del content[at : at + rng.randint(1, 5)]
            case _:
                content[at:at] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 5)))
        content = content or bytearray(b"\x01")
    try:
        value = ddz.decode(sealed(bytes(content)))
    except ddz.RecordError as error:
        check_furniture(error)
    else:
        assert isinstance(value, (ddz.Game, ddz.Position))


CODED = [
    ddz.encode(list(random_game(bid_up(start("classic", 1), 1), random.Random(3)))[-1]),
    ddz.encode(states(("jinyou", 3, 4))[20]),
    ddz.encode(ddz.position(["KK5543", "225543"], 1, "66", rules=HOUSE)),
]


def test_a_bomb_of_zeros_is_not_inflated() -> None:
    """Content that would inflate without end stops at the limit."""
    packed = codes._deflated(b"\x01" + bytes(5_000_000))
    rest = codes._varint(len(packed) * 2 + 1) + packed
    data = bytes([codes.VERSION]) + codes._checksum(rest) + rest
    code = base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    refused(ddz.RecordError, lambda: ddz.decode(code))


def test_what_is_wrong_with_a_code_is_said() -> None:
    """Cut, altered, of a later version, of other letters, of another kind: each has its words."""
    code = CODED[0]
    keys = {
        code[:-4]: "error.record.code_cut",
        "": "error.record.code_cut",
        code[:20] + ("A" if code[20] != "A" else "B") + code[21:]: "error.record.code_altered",
        code + "AAAA": "error.record.code_altered",
        "!" + code: "error.record.code_character",
        "A" * 5000: "error.record.code_size",
        sealed(b"\x09"): "error.record.kind",
    }
    for text, key in keys.items():
        assert refused(ddz.RecordError, lambda text=text: ddz.decode(text)).key == key
    refused(ddz.RecordError, lambda: ddz.decode(None))
    refused(ddz.RecordError, lambda: ddz.encode("classic"))


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        ({"hands": ["33"]}, ddz.DdzError),
        ({"hands": "33/44"}, ddz.DdzError),
        ({"hands": ["33", "44", "55", "66"]}, ddz.DdzError),
        ({"hands": ["33", ""]}, ddz.HandError),
        ({"hands": ["333", "33"]}, ddz.HandError),
        ({"hands": ["DD", "3"]}, ddz.HandError),
        ({"hands": ["3З", "3"]}, ddz.NotationError),
        ({"hands": ["33344455566677788899T", "3"]}, ddz.HandError),
        ({"beat": "34"}, ddz.NotACombination),
        ({"beat": "333444=pair:1:3"}, ddz.NotACombination),
        ({"beat": "KKKK"}, ddz.HandError),
        ({"beat_by": 1}, ddz.DdzError),
        ({"beat": "6", "beat_by": 0}, ddz.DdzError),
        ({"beat": "6", "beat_by": 2}, ddz.DdzError),
        ({"to_move": 2}, ddz.DdzError),
        ({"landlords": []}, ddz.DdzError),
        ({"landlords": [0, 1]}, ddz.DdzError),
    ],
)
def test_positions_that_cannot_be_are_refused(facts: dict[str, object], kind: type) -> None:
    """A position has two hands or more, cards that exist, a mover, and two sides."""
    whole = {"hands": ["KK5543", "225543"], "rules": CLASSIC, **facts}
    refused(kind, lambda: ddz.position(whole.pop("hands"), **whole))


def test_a_position_says_who_passed() -> None:
    """The play on the table belongs to the hand before, unless another is named."""
    place = ddz.position(["KK", "55", "66"], 1, "44", rules=CLASSIC)
    assert (place.beat_by, place.passes) == (0, 0)
    passed = ddz.position(["KK", "55", "66"], 1, "44", rules=CLASSIC, beat_by=2)
    assert passed.passes == 1
    assert place.texts == ("KK", "55", "66")
    assert [format_cards(hand) for hand in place.hands] == list(place.texts)
    assert cards.size_of(place.beat.hand) == 2
    refused(ddz.DdzError, lambda: position_of(start("classic", 1)))
