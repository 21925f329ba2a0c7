"""The data contract between Python and the table in the browser (``table.js``).

Python sends one :class:`TableData`; the browser answers with :class:`Action` and
:class:`Restore`. Everything is plain JSON. The browser knows no rules and no words: what a
selection of cards is called, whether it may be played and every sentence are told to it.

Cards are written with the one-character codes of the library: ``3456789TJQKA2``, ``X`` small
joker, ``D`` big joker, ``*`` a card of the marked lane. A hand card carries its ``code`` (what
counts when a selection is recognised) apart from its ``rank`` and ``suit`` (what is drawn).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NotRequired, TypedDict

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
]

ACTION_KINDS: Final[tuple[ActionKind, ...]] = (
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
)
"""Every kind of action the browser may send; Python answers an unknown one with an error."""


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
    ``None`` when the answer is there.
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


WORDS: Final[Mapping[str, str]] = {
    "table": "Card table",
    "summary": "The table in words",
    "log": "What happened",
    "hand": "Your hand",
    "pass": "Pass",
    "hint": "Hint",
    "play": "Play",
    "not_yet": "Not yet",
    "select_cards": "Select cards",
    "selected_n": "{n} selected",
    "selected_n_one": "{n} selected",
    "clear": "Clear",
    "sort_rank": "by rank",
    "sort_groups": "by groups",
    "play_lead": "{name} {cards}",
    "play_beats": "{name} {cards} · beats it",
    "play_beats_short": "{cards} · beats it",
    "play_unknown": "{n} cards, not checked yet",
    "play_nearest": "{why} Nearest: {cards}",
    "waiting": "Not your turn",
    "cards_left": "cards",
    "cards_left_one": "card",
    "column_name": "{name}, {n} cards, {k} selected",
    "column_name_one": "{name}, {n} card, {k} selected",
    "group_title": "All plays with {name}",
    "group_none": "No play with {name}",
    "close": "Close",
    "reading": "Read as",
    "joker_big": "BIG",
    "joker_small": "small",
    "joker_big_short": "BIG",
    "joker_small_short": "sml",
    "counter": "Card counter",
    "counter_self": "Tap or type what is still out",
    "counter_cell": "{name}, {n} unseen",
    "counter_cell_empty": "{name}, not filled in",
    "history": "History",
    "settings": "Settings",
    "ladder": "Hint ladder",
    "first": "First",
    "previous": "Previous",
    "next": "Next",
    "last": "Last",
    "replay": "Replay",
    "position": "Move {n} of {last}",
    "face_down": "face-down card",
    "open_hand": "Hand of {name}",
    "hand_help": "Arrows move, space selects, Enter plays, P passes, H hints, Escape clears.",
}
"""Every word key of ``table.js`` with its English text.

A key with ``_one`` at its end is used where ``n`` is 1. ``{…}`` are places filled in the browser.
"""
