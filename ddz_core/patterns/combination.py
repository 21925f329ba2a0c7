"""A set of cards read as something: the objects that readers get.

Layer 1. Inside, a combination is its packed cards and the kernels' code; all texts are made when
somebody looks at them, so that long lists cost little.
"""

# the factories of this module fill the objects of this module
# ruff: noqa: SLF001

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ddz_core import cards as card_texts
from ddz_core.display import Tabular
from ddz_core.errors import NotACombination

if TYPE_CHECKING:
    from ddz_core.kernels.table import Form, Table


class _Text(NamedTuple):
    """All fields of a combination as readers see them."""

    kind: str
    length: int
    top: str
    cards: str
    main: str
    kickers: str
    size: int = 0
    second: str = ""
    soft: bool = False
    pure: bool = False
    shown: str = ""


class Combination(Tabular):
    """Cards together with one way to read them; immutable, equal to what reads the same.

    Attributes:
        kind: id of the kind, such as ``plane_singles``.
        length: number of groups in the main run, 1 where there is no run.
        top: highest rank of the main part.
        cards: all cards as text, low to high.
        main: cards of the main part, low to high.
        shown: what the main part counts as, low to high: wilds as the ranks that they stand for.
        kickers: the other cards, low to high.
        size: number of cards of a bomb, 0 for ordinary kinds.
        second: top of a second main part that compares (triples of a spaceship), else empty.
        soft: whether a bomb needs wilds for its rank.
        pure: whether a bomb is nothing but wilds.
        hand: the cards as a packed hand.
        code: the kernels' code within one compiled ruleset, never to be written down; 0 if unknown.
    """

    __slots__ = ("_code", "_hand", "_table", "_text")

    _code: int
    _hand: int
    _table: Table | None
    _text: _Text | None

    def __init__(
        self,
        kind: str,
        length: int,
        top: str,
        cards: str,
        main: str,
        kickers: str,
        size: int = 0,
        second: str = "",
        *,
        soft: bool = False,
        pure: bool = False,
        shown: str = "",
    ) -> None:
        self._text = _Text(kind, length, top, cards, main, kickers, size, second, soft, pure, shown)
        self._table = None
        self._code = 0
        self._hand = card_texts.parse_cards(cards)

    @property
    def kind(self) -> str:
        """Id of the kind."""
        return self._form().kind if self._text is None else self._text.kind

    @property
    def length(self) -> int:
        """Number of groups in the main run, 1 where there is no run."""
        return self._form().length if self._text is None else self._text.length

    @property
    def top(self) -> str:
        """Highest rank of the main part."""
        return self._texts().top

    @property
    def cards(self) -> str:
        """All cards as text, low to high."""
        return self._texts().cards

    @property
    def main(self) -> str:
        """Cards of the main part, low to high."""
        return self._texts().main

    @property
    def shown(self) -> str:
        """What the main part counts as, low to high."""
        text = self._texts()
        return text.shown or text.main

    @property
    def kickers(self) -> str:
        """The cards beside the main part, low to high."""
        return self._texts().kickers

    @property
    def size(self) -> int:
        """Number of cards of a bomb, 0 for ordinary kinds."""
        return self._texts().size

    @property
    def second(self) -> str:
        """Top of a second main part that compares, else empty."""
        return self._texts().second

    @property
    def soft(self) -> bool:
        """Whether a bomb needs wilds for its rank."""
        return self._texts().soft

    @property
    def pure(self) -> bool:
        """Whether a bomb is nothing but wilds."""
        return self._texts().pure

    @property
    def hand(self) -> card_texts.Hand:
        """The cards as a packed hand."""
        return self._hand

    @property
    def code(self) -> int:
        """The kernels' code within one compiled ruleset; 0 if unknown."""
        return self._code

    @property
    def is_bomb(self) -> bool:
        """Whether it stands in the bomb ladder: a bomb, a rocket or the like."""
        return self._code >> 26 > 0 if self._text is None else self._text.size > 0

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, for JSON and frames; ``shown`` where wilds stand in."""
        fields = self._texts()._asdict()
        if not fields["shown"]:
            del fields["shown"]
        return fields

    def _form(self) -> Form:
        assert self._table is not None
        return self._table.form(self._code)

    def _texts(self) -> _Text:
        """Return all fields, made once."""
        if self._text is None:
            assert self._table is not None
            self._text = _texts_of(self._table, self._hand, self._code)
        return self._text

    def __str__(self) -> str:
        return (self._text or self._texts()).cards

    def __repr__(self) -> str:
        text = self._texts()
        shown = [f"{name}={value!r}" for name, value in zip(text._fields, text, strict=True)]
        always = text._fields.index("size")
        shown = shown[:always] + [
            s for s, v in zip(shown[always:], text[always:], strict=True) if v
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Combination):
            return NotImplemented
        if self._table is other._table and self._table is not None:
            return self._hand == other._hand and self._code == other._code
        return self._texts() == other._texts()

    def __hash__(self) -> int:
        return hash((self._hand, self.kind, self.length))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self._texts())


class Move(Combination):
    """A combination as something to play.

    ``str(move)`` is its cards, low to high.
    """

    __slots__ = ()

    @property
    def notation(self) -> str:
        """Main part and kickers apart, such as ``333444+56``."""
        text = self._texts()
        return f"{text.main}+{text.kickers}" if text.kickers else text.main


def _rebuilt(cls: type[Combination], text: _Text) -> Combination:
    """Return an unpickled combination."""
    return cls(*text[:8], soft=text.soft, pure=text.pure, shown=text.shown)


def combination_of(table: Table, hand: card_texts.Hand, code: int) -> Combination:
    """Return the combination of packed cards and a code of a compiled ruleset."""
    made = Combination.__new__(Combination)
    made._table, made._hand, made._code, made._text = table, hand, code, None
    return made


def move_from(table: Table, hand: card_texts.Hand, code: int) -> Move:
    """Return the move of packed cards and a code of a compiled ruleset."""
    made = Move.__new__(Move)
    made._table = table
    made._hand = hand
    made._code = code
    made._text = None
    return made


def move_of(reading: Combination) -> Move:
    """Return a reading as a move."""
    if isinstance(reading, Move):
        return reading
    made = Move.__new__(Move)
    made._table, made._hand = reading._table, reading._hand
    made._code, made._text = reading._code, reading._text
    return made


def table_behind(combination: Combination) -> Table | None:
    """Return the compiled ruleset that a combination came from, if it came from one."""
    return combination._table


def ranks_of_body(form: Form, code: int) -> str:
    """Return the ranks of the main run, in the order of its run."""
    top = code >> 12 & 15
    return form.order[top - form.length + 1 : top + 1]


def height(form: Form, code: int) -> int:
    """Return how high the top of the main part is, comparable between kinds of one ruleset."""
    top = code >> 12 & 15
    return top - max(form.order.find("3"), 0)


def code_in(table: Table, reading: Combination) -> int:
    """Return the code that a combination has in a compiled ruleset, from its fields.

    Raises:
        NotACombination: if the ruleset has no such form.
    """
    if table_behind(reading) is table:
        return reading.code
    for number, form in enumerate(table.forms):
        if form is None or (form.kind, form.length) != (reading.kind, reading.length):
            continue
        if form.exact:
            for key, equal in enumerate(form.exact):
                if reading.hand in equal:
                    return form.step << 26 | number << 16 | key << 12
        elif (
            (not form.step or form.size == reading.size)
            and reading.top in form.order
            and (reading.soft, reading.pure) == (form.wild == "mixed", form.wild == "pure")
        ):
            top = form.order.rindex(reading.top)
            if form.length > 1 and _sorted(form, top) != reading.shown:
                top = form.order.index(reading.top)
            second = form.second_order.rfind(reading.second) if reading.second else 0
            return form.step << 26 | number << 16 | top << 12 | max(second, 0) << 8
    raise NotACombination(
        f"this game has no {reading.kind} of {reading.length} with top {reading.top}",
        key="error.combination.form",
        field="reading",
        expected=", ".join(dict.fromkeys(form.kind for form in table.forms if form)),
        got=f"{reading.kind}:{reading.length}:{reading.top}",
    )


def _sorted(form: Form, top: int) -> str:
    """Return the text of a body by its top position."""
    ranks = form.order[top - form.length + 1 : top + 1] if top + 1 >= form.length else ""
    return "".join(form.size * rank for rank in sorted(ranks, key=card_texts.LANE.__getitem__))


def _texts_of(table: Table, hand: card_texts.Hand, code: int) -> _Text:
    """Make the texts of packed cards read as a code."""
    form = table.form(code)
    text = card_texts.format_cards(hand)
    size = form.cards if form.step else 0
    if form.exact:
        return _Text(form.kind, 1, text[-1], text, text, "", size)
    ranks = ranks_of_body(form, code)
    main = _sorted(form, code >> 12 & 15)
    if hand & table.wilds:
        body, rest = _parted(table.wilds, hand, form.size, ranks)
        own = card_texts.format_cards(body)
        soft, pure = form.wild == "mixed", form.wild == "pure"
        shown = main if main != own else ""
        kickers = card_texts.format_cards(rest)
        return _Text(
            form.kind, form.length, ranks[-1], text, own, kickers, size, "", soft, pure, shown
        )
    kickers = ""
    if len(main) < len(text):
        body = sum(form.size << 4 * card_texts.LANE[rank] for rank in ranks)
        kickers = card_texts.format_cards(hand - body)
    second = form.second_order[code >> 8 & 15] if form.second_order else ""
    return _Text(form.kind, form.length, ranks[-1], text, main, kickers, size, second)


def _parted(
    wilds: card_texts.Hand, hand: card_texts.Hand, size: int, ranks: str
) -> tuple[card_texts.Hand, card_texts.Hand]:
    """Part cards with wilds into main part and kickers; natural cards serve the main part first."""
    counts = card_texts.counts_of(hand)
    lanes = [card_texts.LANE[rank] for rank in ranks]
    body = sum(min(size, counts[lane]) << 4 * lane for lane in lanes if not wilds >> 4 * lane & 15)
    lacking = size * len(ranks) - card_texts.size_of(body)
    own = [lane for lane in lanes if wilds >> 4 * lane & 15]
    for lane in [*own, *range(card_texts.LANES)] if lacking else []:
        if wilds >> 4 * lane & 15 and lacking:
            gone = min(lacking, counts[lane] - (body >> 4 * lane & 15))
            body += gone << 4 * lane
            lacking -= gone
    return body, hand - body
