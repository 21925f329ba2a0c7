"""The data contract between Python and the table in the browser (``table.js``).

Python sends one :class:`TableData`; the browser answers with :class:`Action` and
:class:`Restore`. Everything is plain JSON. The browser knows no rules and no words: what a
selection of cards is called, whether it may be played and every sentence are told to it.

Cards are written with the one-character codes of the library: ``3456789TJQKA2``, ``X`` small
joker, ``D`` big joker, ``*`` a card of the marked lane. A hand card carries its ``code`` (what
counts when a selection is recognised) apart from its ``rank`` and ``suit`` (what is drawn).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NotRequired, TypedDict, cast, get_args

from ddz_core.errors import DdzError

Theme = Literal["light", "dark"]
Role = Literal["landlord", "after", "before", "farmer", "unknown"]
Status = Literal["ok", "low", "other", "length"]
PhaseKind = Literal["choice", "play", "watch", "over"]
CounterLevel = Literal["off", "self", "shown"]
Tone = Literal["error", "note"]
Verdict = Literal["good", "bad", "even"]
ActionKind = Literal[
    "play",
    "pass",
    "choice",
    "hint",
    "rung",
    "undo",
    "branch",
    "jump",
    "deal",
    "seat",
    "switch",
    "counter",
    "guide",
    "page",
    "tick",
    "view",
]

ACTION_KINDS: Final[tuple[ActionKind, ...]] = get_args(ActionKind)
"""Every kind of action the browser may send; Python answers an unknown one with an error."""


MAX_ACTION_CARDS: Final = 40
MAX_ACTION_TEXT: Final = 200
MAX_RESTORE_CHARS: Final = 200_000

# A row of `plays`: [main, kickers, name, status, move, text].
#   main, kickers  card codes in drawing order; together they are the cards of the combination
#   name           index into `Phase.names`
#   status         "ok", or the key of the sentence in `Phase.reasons`
#   move           opaque text sent back with a play, so that Python knows which reading is meant
#   text           optional: how the cards are written on the button ("99–KK"); else "QQQ+3"
PlayRow = list[Any]


class CardFace(TypedDict):
    """A card to draw: ``rank`` code, ``suit`` one of ``s h d c`` or empty, ``name`` for readers.

    ``name`` is what a screen reader says ("queen of hearts", "红桃 Q"); ``gone`` fades a card that
    has been played (bottom cards), ``mark`` is a short tag on the card ("底").
    """

    rank: str
    suit: str
    name: str
    gone: NotRequired[bool]
    mark: NotRequired[str]


class HandCard(CardFace):
    """One physical card of the hand at the bottom; ``id`` is unique in the hand, ``code`` as above.

    Give a card the same ``id`` as long as it is the same card: the selection is kept by id.
    """

    id: str
    code: str


class Said(TypedDict):
    """The last action of a seat.

    ``main`` and ``kickers`` are cards (both empty for a word), ``text`` the word ("Pass", "Bid 2")
    or, for cards, how they are written in a line ("999+4"); ``name`` is the combination's name.
    """

    main: list[CardFace]
    kickers: list[CardFace]
    text: str
    name: NotRequired[str]


class Seat(TypedDict):
    """One seat: ``id``, badge by ``role``, ``label`` (role in words), ``note`` (character).

    ``left`` is the number of cards left; ``alarm`` a text ("2 cards left") or ``None``; ``said``
    the last action or ``None``; ``to_act`` whether the seat is to act; ``hand`` the open hand or
    ``None``; ``short`` a shorter ``label`` for the phone.
    """

    id: int
    role: Role
    label: str
    note: str
    left: int
    alarm: str | None
    said: Said | None
    to_act: bool
    hand: list[CardFace] | None
    short: NotRequired[str]


class Bottom(TypedDict):
    """The bottom cards: ``cards`` to show (``None`` is a card face down), ``text`` under them."""

    cards: list[CardFace | None]
    text: str


class Term(TypedDict):
    """A factor of the sum ("bomb 8888 ×2"), ``short`` for the phone, ``why`` as tooltip."""

    text: str
    short: NotRequired[str]
    why: NotRequired[str]


class SumLine(TypedDict):
    """The sum at the top: factors joined by ×, ``result`` after = (empty before a contract)."""

    terms: list[Term]
    result: str


class Option(TypedDict):
    """A value of a switch with more than two positions."""

    value: str
    label: str


class Switch(TypedDict):
    """A switch: with ``options`` a list to choose from (``value`` chosen), else on or off.

    The browser sends ``{"kind": "switch", "key": key, "value": …}``: a text for a list, a truth
    value for on/off.
    """

    key: str
    label: str
    value: str | bool
    options: NotRequired[list[Option]]


class CounterCell(TypedDict):
    """One cell of the card counter, big joker to 3.

    ``label`` is the rank as shown, ``name`` as spoken, ``count`` the unseen copies (``None`` unless
    the level is "shown"), ``copies`` the copies in the packet, ``all_out`` whether a bomb may be
    out (frame).
    """

    code: str
    label: str
    name: str
    count: int | None
    copies: int
    all_out: bool


class Counter(TypedDict):
    """The card counter; on level "self" the learner types or taps numbers, kept in the browser.

    ``total`` is the text beside the cells ("19 unseen"). With ``check`` (a label) a button sends
    ``{"kind": "counter", "values": {code: number}}`` so that Python can compare.
    """

    level: CounterLevel
    cells: list[CounterCell]
    total: str
    check: NotRequired[str]


class Button(TypedDict):
    """A button that sends ``{"kind": kind, "value": value}``; ``note`` is a smaller line."""

    kind: ActionKind
    label: str
    value: NotRequired[str | int | bool]
    note: NotRequired[str]
    primary: NotRequired[bool]
    disabled: NotRequired[bool]


class ToBeat(TypedDict):
    """The play to beat: ``seat`` that owns it, its cards, ``tab`` text on the frame."""

    seat: int
    main: list[CardFace]
    kickers: list[CardFace]
    tab: str


class Phase(TypedDict):
    """What the person may do now.

    * ``kind`` "choice": ``buttons`` (bids, calls, doubling …) stand in place of Pass · Hint · Play.
    * "play": Pass · Hint · Play. ``plays`` lists every combination the hand holds, best reading
      first; ``names`` are the kinds' names; ``reasons`` maps each status but "ok", and "none" (no
      combination at all) and "pass" (why one may not pass), to a sentence for this position.
      ``complete`` is false if the list was cut: an unknown selection may then be sent.
    * "watch": another seat is to act; cards can be selected in advance. "over": nothing to do.

    ``turn`` is the text of the pill ("Your turn", "You lead") or of the one waited for; ``mine``
    whether it is this person's turn; ``hint`` whether the Hint button works.
    """

    kind: PhaseKind
    turn: str
    mine: bool
    hint: bool
    can_pass: bool
    must_lead: bool
    buttons: list[Button]
    names: list[str]
    plays: list[PlayRow]
    reasons: dict[str, str]
    complete: NotRequired[bool]


class HistoryColumn(TypedDict):
    """Head of a history column: the seat's badge and a short label."""

    role: Role
    label: str


class HistoryCell(TypedDict):
    """A cell of the history: ``text``, ``kind``, ``at`` the position to travel to (or ``None``)."""

    text: str
    kind: Literal["play", "pass", "none", "now"]
    at: int | None
    win: NotRequired[bool]
    note: NotRequired[str]


class HistoryRow(TypedDict):
    """A row of the history: ``no`` (round or empty), a cell a seat, ``depth`` of a branch."""

    no: str
    cells: list[HistoryCell]
    depth: NotRequired[int]


class History(TypedDict):
    """The pad: rounds × seats, ``caption`` right of the title, ``tools`` (take back …) below."""

    title: str
    caption: str
    columns: list[HistoryColumn]
    rows: list[HistoryRow]
    tools: list[Button]


class RungRow(TypedDict):
    """A row of a rung's table; with ``cards`` (codes) a press on it selects those cards."""

    cells: list[str]
    cards: NotRequired[str]


class RungTable(TypedDict):
    """A table on a rung: head and rows of text."""

    head: list[str]
    rows: list[RungRow]


class Rung(TypedDict):
    """One rung of the hint ladder.

    ``open`` rungs show ``lead`` (bold), ``lines`` and ``table``; a shut one shows ``note`` and a
    button ``button`` that sends ``{"kind": "rung", "value": index}`` (index from 0). ``short`` is
    its tab on a phone. ``suggest`` are ids of hand cards to ring with dashes.
    """

    title: str
    short: str
    open: bool
    lead: NotRequired[str]
    lines: NotRequired[list[str]]
    table: NotRequired[RungTable | None]
    note: NotRequired[str]
    button: NotRequired[str]
    suggest: NotRequired[list[str]]


class Ladder(TypedDict):
    """The hint ladder, shown below the buttons; ``at`` is the rung a phone shows first."""

    rungs: list[Rung]
    at: int


class Guide(TypedDict):
    """The guided mode's panel: ``title``, ``text`` (paragraphs), ``step`` ("2 / 6"), buttons."""

    title: str
    text: list[str]
    step: NotRequired[str]
    buttons: NotRequired[list[Button]]


class Step(TypedDict):
    """One step of the score: a label and its value ("bomb 8888", "× 2")."""

    label: str
    value: str


class Points(TypedDict):
    """What a seat won or lost: badge, label, ``text`` ("+6"), ``verdict`` for colour, symbol."""

    role: Role
    label: str
    text: str
    verdict: Verdict


class Result(TypedDict):
    """The end: title, steps of the score, points of each seat, what can be done next."""

    title: str
    steps: list[Step]
    points: list[Points]
    buttons: list[Button]
    lines: NotRequired[list[str]]


class Replay(TypedDict):
    """Replay controls: position ``at`` of ``last``, ``text`` beside; sends "jump" with ``at``."""

    at: int
    last: int
    text: str
    buttons: NotRequired[list[Button]]


class Message(TypedDict):
    """One line below the buttons: an error in amber or a note."""

    text: str
    tone: Tone


class LogLine(TypedDict):
    """An action to announce; ``n`` grows by one a line, so that each is said once."""

    n: int
    text: str


class Save(TypedDict):
    """A text to keep in the browser's storage under ``key``; ``None`` deletes it."""

    key: str
    text: str | None


class TableData(TypedDict):
    """Everything the table shows.

    ``game`` names the deal (a new value clears the selection and the counter filled in by hand);
    ``number`` is the number of the position: every action carries it back, an action with an old
    number must be dropped. ``refused`` is raised by one whenever an action was refused, so that the
    browser unlocks though ``number`` is the same. ``seats`` are the other seats from left (the
    previous one) to right (the next one), one to four of them; ``me`` sits at the bottom.
    ``groups`` (lists of ids) is the second sort order. ``summary`` is the whole table in
    sentences, in fixed order: to beat, whose turn, own hand, cards left, bottom cards, multiplier.
    ``want_restore`` names a storage key the browser answers once for, through :class:`Restore`;
    it reads the key before it writes to it, and leaves it alone in the run that asked. Set it to
    ``None`` when the answer is there. With ``blank`` nothing is drawn yet (only ``want_restore``
    counts); with ``tick`` (milliseconds) the browser asks for the next bot's action after that
    time.
    """

    game: str
    number: int
    refused: NotRequired[int]
    theme: Theme
    lang: str
    words: Mapping[str, str]
    seats: list[Seat]
    me: Seat
    hand: list[HandCard]
    groups: NotRequired[list[list[str]]]
    bottom: Bottom | None
    sum: SumLine
    switches: list[Switch]
    seed: str
    to_beat: ToBeat | None
    counter: Counter
    phase: Phase
    history: History | None
    guide: Guide | None
    ladder: Ladder | None
    result: Result | None
    replay: Replay | None
    messages: list[Message]
    summary: list[str]
    log: list[LogLine]
    save: list[Save]
    want_restore: str | None
    blank: NotRequired[bool]
    tick: NotRequired[int]


class Action(TypedDict):
    """What the browser sends as trigger ``action``.

    Always ``number`` and ``kind``; with "play" ``cards`` (ids) and ``move`` (text of the row, or
    empty if the selection was in no row); with "jump" ``at``; with "switch" ``key`` and ``value``;
    with "counter" ``values``; with a :class:`Button` its ``value``.
    """

    number: int
    kind: ActionKind
    cards: NotRequired[list[str]]
    move: NotRequired[str]
    at: NotRequired[int]
    key: NotRequired[str]
    value: NotRequired[str | int | bool]
    values: NotRequired[dict[str, int]]


class Restore(TypedDict):
    """What the browser sends once as trigger ``restore``: ``text`` kept under ``key``, or ``None``.

    ``storage`` is false where the browser refuses storage.
    """

    key: str
    text: str | None
    storage: bool


class BrowserMessageError(DdzError):
    """What the browser sent has not the shape of an action or an answer of its storage."""


def _wrong(field: str, expected: str, got: object) -> BrowserMessageError:
    shown = repr(got)
    return BrowserMessageError(
        f"{field}: expected {expected}, got {shown[:60]}",
        key="error.browser_message",
        field=field,
        expected=expected,
        got=shown,
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def parse_action(raw: object) -> Action:
    """Check what the browser sent and return it as an action.

    Nothing of it is trusted beyond its shape: legality is the game's business. Raises
    ``BrowserMessageError`` with the field, what was expected and what came. Cost: linear in the
    size of the message.
    """
    if not isinstance(raw, Mapping):
        raise _wrong("action", "a mapping", raw)
    number, kind = raw.get("number"), raw.get("kind")
    if not _is_number(number):
        raise _wrong("action.number", "a whole number", number)
    if kind not in ACTION_KINDS:
        raise _wrong("action.kind", f"one of {', '.join(ACTION_KINDS)}", kind)
    out: dict[str, Any] = {"number": number, "kind": kind}
    for key, (expected, fits) in _FIELDS.items():
        if key not in raw:
            continue
        if not fits(raw[key]):
            raise _wrong(f"action.{key}", expected, raw[key])
        out[key] = raw[key]
    return cast("Action", out)


def _is_cards(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MAX_ACTION_CARDS
        and all(isinstance(card, str) and len(card) <= 16 for card in value)
        and len(set(value)) == len(value)
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_ACTION_TEXT


def _is_counts(value: object) -> bool:
    return (
        isinstance(value, Mapping)
        and len(value) <= 16
        and all(isinstance(key, str) and len(key) == 1 for key in value)
        and all(_is_number(count) and 0 <= count <= 99 for count in value.values())
    )


_FIELDS: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "cards": (f"at most {MAX_ACTION_CARDS} different card ids", _is_cards),
    "move": ("a short text", _is_text),
    "key": ("a short text", _is_text),
    "at": ("a position from 0", lambda value: _is_number(value) and value >= 0),
    "value": (
        "a short text, a number or a truth value",
        lambda v: _is_text(v) or type(v) in (int, bool),
    ),
    "values": ("numbers by rank", _is_counts),
}


def parse_restore(raw: object) -> Restore:
    """Check the answer of the browser's storage and return it.

    Raises ``BrowserMessageError`` for another shape or an over-long text.
    """
    if not isinstance(raw, Mapping):
        raise _wrong("restore", "a mapping", raw)
    key, text = raw.get("key"), raw.get("text")
    if not _is_text(key):
        raise _wrong("restore.key", "a short text", key)
    if text is not None and (not isinstance(text, str) or len(text) > MAX_RESTORE_CHARS):
        raise _wrong("restore.text", f"at most {MAX_RESTORE_CHARS} characters", text)
    return {"key": cast("str", key), "text": text, "storage": bool(raw.get("storage"))}
