"""Games and positions as short codes for links.

Layer 2. A code is base64url of: version byte, checksum (3 bytes), length of the rest, the rest. The
rest is a kind byte and the content, deflated with a dictionary of words that rulesets use wherever
that is shorter. Hands and deals are one large number in mixed radix: for every place and rank, how
many cards lie there. A running game's code carries seed and history, never a hidden card; a
finished game or a deal set by hand carries the cards. Codes come from strangers: everything is
bounded, and whatever is wrong with one is a :class:`RecordError`.

A classic position takes 40 to 60 characters, a whole classic game 120 to 250.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import zlib
from collections.abc import Sequence
from typing import Any

import msgspec

from ddz_core import actions, cards, dealing, rulesets
from ddz_core.cards import Card
from ddz_core.dealing import Deal
from ddz_core.errors import DdzError, RecordError, shortened
from ddz_core.game import Game, new_game
from ddz_core.language import Phrase
from ddz_core.positions import Position, position
from ddz_core.rules import Rules
from ddz_core.specs import Ruleset

VERSION = 1
GAME, POSITION = 1, 2
MOST_CODE = 4_000
"""Characters of a code that is looked at; many house rules make one longer than the usual 600."""
MOST_CONTENT = 20_000
"""Bytes of content after inflating."""
MOST_ACTIONS = 2_000
MOST_OVERRIDES = 4_000

_DICTIONARY = (
    b'"kinds.off":["four_two_singles","four_two_pairs"]"kickers.main_rank":"kickers.bomb_as_pairs":'
    b'"kickers.next_triple":"kickers.max_equal":"kickers.both_jokers":"score.stake":"score.spring":'
    b'"score.anti_spring":"auction.all_pass":"first_at_lowest""redeal""play.alarm":[2,1]'
    b"triple_single triple_pair pair_straight plane_singles plane_pairs straight:"
    b"x1 x2 x4 x8 1 2 3 A K Q J T 9 8 7 6 5 4 3 2 X D AA KK QQ JJ TT 99 88 77 66 55 44 33 22 "
    b",true},false},...\n"
)


def record_error(
    name: str, sentence: str, *, field: str, expected: object = "", got: object = "", **more: object
) -> RecordError:
    """Return the error for a record or code, with the key ``error.record.NAME``."""
    return RecordError(
        sentence, key=f"error.record.{name}", field=field, expected=expected, got=got, **more
    )


def read_overrides(raw: str, *, field: str) -> dict[str, Any]:
    """Return house rules written as one JSON object.

    Raises:
        RecordError: if they are none.
    """
    try:
        # cut to what is allowed, a longer text is no whole JSON object
        return msgspec.json.decode(raw[:MOST_OVERRIDES], type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise record_error(
            "overrides",
            f"{field}: expected house rules as JSON, got {shortened(raw)!r}",
            field=field,
            expected='{"kickers.both_jokers": true}',
            got=raw,
        ) from error


def encode(value: Game | Position) -> str:
    """Return a game or an open position as a code for links.

    A position takes at most 120 characters and a game at most 600; only a long list of house rules
    makes one longer.

    Raises:
        RecordError: if it is neither.
    """
    if isinstance(value, Game):
        content = bytes([GAME]) + _write_game(value)
    elif isinstance(value, Position):
        content = bytes([POSITION]) + _write_position(value)
    else:
        raise record_error(
            "encode",
            f"encode: expected a game or a position, got {type(value).__name__}",
            field="value",
            expected="Game, Position",
            got=type(value).__name__,
        )
    packed = _deflated(content)
    flag, body = (1, packed) if len(packed) < len(content) else (0, content)
    rest = _varint(len(body) * 2 + flag) + body
    data = bytes([VERSION]) + _checksum(rest) + rest
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(code: str) -> Game | Position:
    """Return the game or position that a code stands for.

    Raises:
        RecordError: if the code is cut, altered, of a later version, or says something impossible.
    """
    content = _opened(code)
    reader = _Reader(content)
    kind = reader.byte()
    try:
        if kind == GAME:
            value: Game | Position = _read_game(reader)
        elif kind == POSITION:
            value = _read_position(reader)
        else:
            raise record_error("kind", "the code is of an unknown kind", field="code", got=kind)
        reader.end()
    except RecordError:
        raise
    except DdzError as error:
        raise record_error(
            "content",
            f"the code says something impossible: {error}",
            field="code",
            expected=error.expected,
            got=error.got,
            why=Phrase(error.key, error.params),
        ) from error
    return value


def _opened(code: str) -> bytes:
    """Return the content of a code whose version, length and checksum are right."""
    if not isinstance(code, str) or len(code) > MOST_CODE:
        raise record_error(
            "code_size",
            f"a code is a text of at most {MOST_CODE} characters",
            field="code",
            expected=MOST_CODE,
            got=len(code) if isinstance(code, str) else type(code).__name__,
        )
    text = code.strip()
    wrong = re.search(r"[^A-Za-z0-9_-]", text)
    if wrong is not None:
        raise record_error(
            "code_character",
            f"character {wrong[0]!r} at place {wrong.start() + 1} belongs to no code",
            field="code",
            expected="A–Z a–z 0–9 - _",
            got=wrong[0],
            place=wrong.start() + 1,
        )
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError) as error:
        raise _cut(len(text)) from error
    if not data:
        raise _cut(0)
    if data[0] > VERSION:
        raise record_error(
            "code_version",
            f"the code is of version {data[0]}; versions up to {VERSION} can be read",
            field="code",
            expected=VERSION,
            got=data[0],
        )
    reader = _Reader(data[4:])
    try:
        size, flag = divmod(reader.varint(), 2)
    except RecordError as error:
        raise _cut(len(text)) from error
    body = reader.rest()
    if len(body) < size:
        raise _cut(len(text))
    canonical = base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    if data[0] != VERSION or len(body) > size or data[1:4] != _checksum(data[4:]):
        raise _altered()
    if canonical != text:
        raise _altered()
    return _inflated(body) if flag else body


def _cut(length: int) -> RecordError:
    """Return the error for a code that ends too early."""
    return record_error(
        "code_cut",
        f"the code is cut: it ends after {length} characters",
        field="code",
        got=length,
    )


def _altered() -> RecordError:
    """Return the error for a code whose checksum is wrong."""
    return record_error("code_altered", "the code has been altered", field="code")


def _checksum(data: bytes) -> bytes:
    """Return three bytes that change with the data."""
    return hashlib.sha256(bytes([VERSION]) + data).digest()[:3]


def _deflated(data: bytes) -> bytes:
    """Return data deflated with the dictionary."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=_DICTIONARY)
    return packer.compress(data) + packer.flush()


def _inflated(data: bytes) -> bytes:
    """Return data inflated, never more than is allowed."""
    unpacker = zlib.decompressobj(-15, zdict=_DICTIONARY)
    try:
        content = unpacker.decompress(data, MOST_CONTENT)
    except zlib.error as error:
        raise _altered() from error
    if not unpacker.eof or unpacker.unused_data:
        raise _altered()
    return content


# --- numbers, texts, cards -----------------------------------------------------------------------


def _varint(number: int) -> bytes:
    """Return a whole number from 0, seven bits a byte, low first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _block(data: bytes) -> bytes:
    """Return bytes with their length before them."""
    return _varint(len(data)) + data


def _optional(number: int | None) -> bytes:
    """Return a whole number that may be missing."""
    return _varint(0 if number is None else number + 1)


class _Reader:
    """Reads what the functions above write; never beyond the end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def byte(self) -> int:
        """Return the next byte."""
        return self.take(1)[0]

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        if size > len(self._data) - self._at:
            raise _altered()
        self._at += size
        return self._data[self._at - size : self._at]

    def varint(self) -> int:
        """Return a whole number below 2**70."""
        number = 0
        for shift in range(0, 70, 7):
            byte = self.byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
        raise _altered()

    def optional(self) -> int | None:
        """Return a whole number that may be missing."""
        number = self.varint()
        return None if number == 0 else number - 1

    def block(self) -> bytes:
        """Return bytes with their length before them."""
        return self.take(self.varint())

    def text(self) -> str:
        """Return a text."""
        try:
            return self.block().decode()
        except UnicodeDecodeError as error:
            raise _altered() from error

    def rest(self) -> bytes:
        """Return all that is left."""
        return self.take(len(self._data) - self._at)

    def end(self) -> None:
        """Refuse anything left over."""
        if self._at != len(self._data):
            raise _altered()


def _radices(ruleset: Ruleset) -> tuple[int, ...]:
    """Return how many counts each lane of a hand can have, the marked lane where there is one."""
    counts = cards.counts_of(ruleset.deck_cards)
    return tuple(count + 1 for count in (counts if counts[cards.MARKED] else counts[:-1]))


def _write_hands(ruleset: Ruleset, hands: Sequence[cards.Hand]) -> bytes:
    """Return packed hands as one number: the digits are the counts of each hand and rank."""
    number = 0
    for hand in hands:
        for count, radix in zip(cards.counts_of(hand), _radices(ruleset), strict=False):
            number = number * radix + count
    return _block(number.to_bytes((number.bit_length() + 7) // 8, "big"))


def _read_hands(ruleset: Ruleset, reader: _Reader, count: int) -> list[cards.Hand]:
    """Return packed hands written as one number."""
    number = int.from_bytes(reader.block(), "big")
    hands = []
    for _ in range(count):
        counts = []
        for radix in reversed(_radices(ruleset)):
            number, digit = divmod(number, radix)
            counts.append(digit)
        hands.append(cards.from_counts(reversed(counts)))
    if number:
        raise _altered()
    return hands[::-1]


def _write_rules(rules: Rules) -> bytes:
    """Return id and house rules."""
    house = msgspec.json.encode(dict(rules.overrides)) if rules.overrides else b""
    return _block(rules.id.encode()) + _block(house)


def _read_rules(reader: _Reader) -> Rules:
    """Return the rules written as id and house rules."""
    ruleset_id, house = reader.text(), reader.text()
    overrides = read_overrides(house, field="code") if house else None
    return Rules(rulesets.load(ruleset_id, overrides))


# --- positions -----------------------------------------------------------------------------------


def _write_position(value: Position) -> bytes:
    """Return the content of a position's code."""
    side = sum(1 << index for index in value.landlords)
    out = _write_rules(value.rules) + bytes([len(value.hands), value.to_move, side])
    out += _write_hands(value.rules.ruleset, value.hands)
    if value.beat is None or value.beat_by is None:
        return out
    return out + bytes([value.beat_by]) + _block(value.beat_text.encode())


def _read_position(reader: _Reader) -> Position:
    """Return the position that a code's content says."""
    rules = _read_rules(reader)
    count, to_move, side = reader.byte(), reader.byte(), reader.byte()
    if count > rules.ruleset.deal.seats:
        raise _altered()
    hands = _read_hands(rules.ruleset, reader, count)
    rest = reader.rest()
    beat, beat_by = None, None
    if rest:
        more = _Reader(rest)
        beat_by, beat = more.byte(), more.text()
        more.end()
    landlords = [index for index in range(8) if side >> index & 1]
    return position(hands, to_move, beat, rules=rules, beat_by=beat_by, landlords=landlords)


# --- games ---------------------------------------------------------------------------------------


def _write_game(game: Game) -> bytes:
    """Return the content of a game's code."""
    deal = game.deal
    out = _write_rules(game.rules) + _optional(deal.seed) + _varint(deal.number)
    shown = deal.seed is None or game.phase == "settled"
    out += bytes([1 if shown else 0])
    if shown:
        parts = [*deal.hands, deal.bottom, deal.dead]
        out += _write_hands(game.ruleset, [cards.from_cards(part) for part in parts])
        out += bytes([deal.first]) + _block(deal.wild.encode())
        out += _block(deal.face_up_text.encode()) + _block(_suits(game, deal))
        if game.ruleset.deal.draw:
            out += _block(deal.draws_text.encode())
    words = [_word(game, entry) for entry in game.history if entry.seat is not None]
    return out + _block("".join(words).encode())


def _word(game: Game, entry: actions.Entry) -> str:
    """Return an action with the mark of its end; one out of turn names its seat."""
    if entry.action == actions.PASS:
        return "."
    seat = f"@{entry.seat}" if entry.action in actions.ASIDE else ""
    return f"{game.told(entry)}{seat} "


def _suits(game: Game, deal: Deal) -> bytes:
    """Return which physical card lies where, where the seed or the ranks alone do not tell."""
    plain = dealing.deal(game.rules, deal.seed, deal.number) if deal.seed is not None else None
    if plain is not None and dealing.same(plain, deal):
        return b""
    ranks = dealing.deal_from_text(game.rules, deal.text(), first=deal.first)
    if deal.face_up is not None and game.ruleset.deck.decks > 1:
        return deal.text(suits=True).encode()
    if (ranks.hands, ranks.bottom, ranks.dead) == (deal.hands, deal.bottom, deal.dead):
        return b""
    return deal.text(suits=True).encode()


def _read_game(reader: _Reader) -> Game:
    """Return the game that a code's content says."""
    rules = _read_rules(reader)
    seed, number = reader.optional(), reader.varint()
    deal = _read_deal(reader, rules, seed, number)
    game = new_game(rules, deal)
    words = reader.text().replace(".", actions.PASS + " ").split(" ")[:-1]
    if len(words) > MOST_ACTIONS:
        raise _altered()
    for index, word in enumerate(words, 1):
        action, at, seat = word.partition("@")
        try:
            game = game.apply(action, seat=int(seat) if at and seat.isdecimal() else None)
        except DdzError as error:
            raise record_error(
                "code_action",
                f"action {index} ({shortened(word)}) of the code is illegal: {error}",
                field="code",
                expected=error.expected,
                got=word,
                number=index,
                why=Phrase(error.key, error.params),
            ) from error
    return game


def _read_deal(reader: _Reader, rules: Rules, seed: int | None, number: int) -> Deal:
    """Return the deal of a game's code: from its cards if it has them, else from its seed."""
    shown = reader.byte()
    if not shown:
        if seed is None:
            raise _altered()
        return dealing.deal(rules, seed, number)
    seats = rules.ruleset.deal.seats
    hands = _read_hands(rules.ruleset, reader, seats + 2)
    first, wild = reader.byte(), reader.text()
    face_up, suits = reader.text(), reader.text()
    draws = reader.text() if rules.ruleset.deal.draw else ""
    seeded = None if seed is None else dealing.deal(rules, seed, number)
    if seeded is not None and not suits and _packed(seeded) == tuple(hands):
        return seeded
    text = "/".join(map(cards.format_cards, hands[:seats]))
    text += "|" + "|".join(map(cards.format_cards, hands[seats:]))
    deal = dealing.deal_from_text(
        rules, suits or text, first=first, face_up=face_up or None, wild=wild, draws=draws
    )
    if _packed(deal) != tuple(hands):
        raise _altered()
    return deal


def _packed(deal: Deal) -> tuple[cards.Hand, ...]:
    """Return the packed cards of every place of a deal."""
    parts: list[tuple[Card, ...]] = [*deal.hands, deal.bottom, deal.dead]
    return tuple(map(cards.from_cards, parts))
