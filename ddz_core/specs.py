"""The parts of a ruleset, as frozen structs.

Layer 0, below :mod:`ddz_core.rulesets`, which reads and checks them. A struct says what can differ
between games and nothing else; the files in ``data/rulesets`` fill them, and unknown keys are
refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from ddz_core import cards

NATURAL_ORDER = cards.RANKS
"""The order ``rank``: single cards, low to high."""


class Spec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of all parts: frozen, keyword only, unknown keys refused."""


class Deck(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which cards there are: ``decks`` packs of ``ranks`` (four of each, one of each joker)."""

    decks: Literal[1, 2] = 1
    ranks: str = cards.RANKS


class DealSpec(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who gets how many cards, and which are seen."""

    seats: int = 3
    hand: int = 17
    bottom: int = 3
    dead: int = 0
    bottom_shown: Literal["all", "landlord"] = "all"
    face_up: Literal["none", "any", "natural"] = "none"
    """A card shown while dealing: none, any card, or any but a joker."""
    taken: Literal["all", "chosen"] = "all"
    """Whether the landlord takes all bottom cards or those it likes, the others staying hidden."""
    draw: int = 0
    """Cards that the landlord draws from every other hand, unseen, once it is known."""


class Need(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a hand must hold at least; a rank held four or more times is one bomb.

    All jokers of two packs together are one bomb, too.
    """

    bombs: int = 0
    jokers: int = 0
    small_jokers: int = 0
    big_jokers: int = 0


class Forced(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A duty to bid, for a seat that has not bid yet and whose dealt cards meet the need."""

    id: str
    need: Need
    duty: Literal["bid", "top"]
    """Any bid, or only the highest one."""


class BombLimit(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How many bombs a farmer may play after a bidding of this kind; the first row that fits."""

    id: str
    contract: tuple[int, ...] = ()
    """Contracts to which it applies; empty for all."""
    by_first: bool | None = None
    """Whether the landlord was the first to speak; None for either."""
    said: str | None = None
    """What the farmer had called; empty for nothing yet, None for anything."""
    bombs: int | None = None
    """The most bombs; None for no limit."""


class Auction(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the landlord is found; ``mechanism`` names a procedure of :mod:`ddz_core.procedures`."""

    mechanism: Literal["auction", "one_bid", "call", "cede", "holder"] = "auction"
    levels: tuple[int, ...] = (1, 2, 3)
    top_ends: bool = True
    """A bid of the highest level ends the bidding at once."""
    all_pass: Literal["redeal", "first_at_lowest", "last_tested"] = "redeal"
    """Thrown in; the first speaker at the lowest level; or the last seat is not asked, the bottom
    is opened and its duty to bid decides."""
    last_needs: Need = Need()
    """What the last seat must hold besides its duty, bottom cards included."""
    first: Literal["face_up", "random", "rotate"] = "random"
    """Who speaks first: the holder of the face-up card, a random seat, or one seat on each deal."""
    forced: tuple[Forced, ...] = ()
    rob: int = 1
    """What taking a call away multiplies by; 1 where nobody can."""
    show_before: int = 1
    """What showing one's cards before they are dealt multiplies by; 1 where nobody can."""
    bomb_limit: tuple[BombLimit, ...] = ()


class Declaration(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A statement between the auction and the lead; ``id`` names one of the declarations."""

    id: Literal["raise_each", "show", "reveal", "double", "declare", "open"]
    factors: tuple[int, ...] = ()
    """What each choice multiplies, the first meaning that nothing was declared."""
    factor: int = 1
    """What the statement multiplies by (``declare``: a landlord's or a farmer's own win)."""
    steps: tuple[str, ...] = ()
    """Rows of the bomb ladder that can be declared."""
    win: int = 0
    """What replaces the bid if the landlord wins."""
    loss: int = 0
    """What replaces the bid if the landlord loses."""
    level: int = 0
    """The bid that the first speaker must have made; 0 for no such condition."""


class Kickers(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The kicker options of the ruleset; a row may state its own."""

    max_equal: int = 4
    both_jokers: bool = False
    main_rank: bool = False
    bomb_as_pairs: bool = False
    next_triple: bool = True


class Body(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The main part of a kind: ``size`` equal cards a group, ``run`` groups in a row."""

    size: int
    run: tuple[int, int] = (1, 1)
    order: str = "rank"
    ranks: str = ""
    """Ranks that may serve; empty for all of the deck."""


class Attachment(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Kicker groups: ``per`` groups of ``size`` cards for each group of the body."""

    size: int
    per: int = 1
    ranks: str = ""
    run: str = ""
    """The order in which these groups must be consecutive; empty for no such rule."""
    ranked: bool = False
    """Their top joins the comparison, after the body's."""
    max_equal: int | None = None
    both_jokers: bool | None = None
    next_triple: bool | None = None
    main_rank: bool | None = None


class Kind(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"attach": "with"}):
    """One row of the table of combination kinds."""

    id: str
    body: Body
    attach: tuple[Attachment, ...] = ()


class Step(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One row of the bomb ladder, weakest first; its position is its strength.

    Either ``size`` equal cards or one of the exact sets ``cards`` (low to high).
    """

    id: str
    size: int = 0
    cards: tuple[str, ...] = ()
    wild: Literal["any", "none", "mixed", "pure"] = "none"
    factor: int = 1
    """What playing it multiplies; 1 for nothing."""
    adds: int = 0
    """What playing it adds, where the ruleset counts by a sum."""
    label: str = ""
    """What tells it from other rows of its id, in paths."""

    @property
    def name(self) -> str:
        """What the row is called in paths: its id, with size or wilds where these are not usual."""
        return row_name(msgspec.to_builtins(self))


def row_name(row: Mapping[str, Any]) -> str:
    """Return what a row of kinds or of the ladder is called in paths, such as ``bomb6``.

    That is its id, with the number of cards or the wilds where these are not usual, and its label.
    """
    size = str(row["size"]) if row.get("size", 0) not in (0, 4) else ""
    wild = f"_{row['wild']}" if row.get("wild") in ("mixed", "pure") else ""
    return f"{row['id']}{size}{wild}{row.get('label', '')}"


class Play(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What may be played."""

    orders: dict[str, str] = {}
    """Named orders of ranks besides ``rank``; a rank may stand twice in one."""
    kind: tuple[Kind, ...] = ()
    ladder: tuple[Step, ...] = ()
    alarm: tuple[int, ...] = (2, 1)
    """Numbers of cards left that everybody is warned of, high to low."""


class Kinds(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Switches over the table of kinds."""

    off: tuple[str, ...] = ()
    """Ids of kinds and ladder rows that are not in this game."""


class Wilds(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which cards stand for others."""

    mode: Literal["none", "rank", "red7", "jokers"] = "none"
    rank: str = ""
    """The wild rank, where it is fixed and not drawn."""
    alone: Literal["own", "any"] = "own"
    """What a group of nothing but wilds may show."""
    kickers: Literal["own", "any"] = "own"
    """What a wild among the kickers shows."""


class Score(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the result is counted."""

    stake: int = 1
    base: Literal["bid", "one"] = "bid"
    """The first factor: the bid, or one where nobody bids a number."""
    initial: int = 1
    """What the multiplier begins with, a value of the room."""
    combine: Literal["product", "sum"] = "product"
    sum_from: int = 0
    """What a sum begins with; it never counts less than one."""
    spring: int = 1
    """Factor when the landlord wins and no farmer made a play; 1 for none."""
    anti_spring: int = 1
    """Factor when a farmer wins and the landlord made exactly one play; 1 for none."""
    face_up_joker: int = 1
    """Factor when the card shown while dealing is a joker."""
    room: int = 1
    """Gold for a point."""
    room_values: tuple[Literal["initial_multiplier", "room", "rake", "cap"], ...] = ()
    """Which values each room sets for itself; they may be told when a deal is scored."""
    rake: int = 0
    """Percent of each winner's gain that the house keeps."""
    raked: Literal["points", "gold"] = "points"
    cap: int = 0
    """The most that the winners get together, before rake and penalty; 0 for no limit."""
    limit: Literal["none", "owned"] = "none"
    """Whether nobody pays more gold than it held before the deal."""


class Leave(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What follows when a player goes away in the middle of a deal."""

    bidding: Literal["redeal", "pays"] = "redeal"
    """Before the landlord is known: thrown in, or the highest bid is due."""
    play: Literal["goes_on", "ends"] = "goes_on"
    """A machine plays on, or the deal ends at once as a loss."""
    penalty: int = 0
    """What the first to go pays the house where the deal goes on, in initial multipliers."""
    pays_for_partners: bool = False
    """A farmer who went pays its partners' loss, too."""
    gain: int = 1
    """What a farmer who went gets when its side wins, in units, paid by nobody above one."""
    landlord: int = 1
    """Where the deal ends: what a landlord pays each farmer, or once the house, in units."""
    farmer: int = 1
    """Where the deal ends: what a farmer pays, in units."""
    to: Literal["opponents", "house"] = "opponents"
    landlord_bombs: Literal["played", "held", "dealt"] = "played"
    """Which bombs count: those played, also those still held, or those of the hands at the lead."""
    farmer_bombs: Literal["played", "held", "dealt"] = "played"


class Trustee(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What counts for a player who lets a machine play, if only once in the deal."""

    on: bool = False
    loss: int = 1
    """Factor on its own loss."""
    win: int = 1
    """Factor on its own gain."""
    partner_win: int = 1
    """Factor on the gain of its partners."""


class Source(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where fields come from: a document and section, and the dotted paths it states."""

    document: str
    section: str = ""
    fields: tuple[str, ...]


class Ruling(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A decision on a point that the documents leave open, with its reason by language."""

    field: str
    reason: dict[str, str]


class Ruleset(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One complete game as data. See ``data/rulesets`` for the files."""

    id: str
    version: int = 1
    name: dict[str, str]
    """Names by language code."""
    listed: int = 99
    """Place in lists of rulesets."""
    extends: str = ""
    deck: Deck = Deck()
    deal: DealSpec = DealSpec()
    sides: Literal["landlord", "twin"] = "landlord"
    """One landlord against the rest, or with a hidden partner who holds the twin card."""
    auction: Auction = Auction()
    declare: tuple[Declaration, ...] = ()
    play: Play = Play()
    kickers: Kickers = Kickers()
    kinds: Kinds = Kinds()
    wilds: Wilds = Wilds()
    score: Score = Score()
    leave: Leave = Leave()
    trustee: Trustee = Trustee()
    source: tuple[Source, ...] = ()
    ruling: tuple[Ruling, ...] = ()
    overrides: dict[str, Any] = {}
    """The house rules in force, by dotted path; never written in a file."""

    def __hash__(self) -> int:
        """Hash by content, so that equal rulesets share compiled tables."""
        return hash(self.hash)

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits that change whenever a rule changes (names do not count)."""
        return _hash_of(id(self), self)

    @property
    def deck_cards(self) -> cards.Hand:
        """All cards of the game as one packed hand; red sevens are marked where they are wild."""
        found = cards.full_deck(self.deck.decks, self.deck.ranks)
        if self.wilds.mode == "red7":
            red = 2 * self.deck.decks
            found += (red << 4 * cards.MARKED) - (red << 4 * cards.LANE["7"])
        return found

    @property
    def largest_hand(self) -> int:
        """The most cards one seat can hold: its hand, all the bottom cards, all it may draw."""
        return self.deal.hand + self.deal.bottom + self.deal.draw * (self.deal.seats - 1)

    def kinds_in_force(self) -> tuple[Kind, ...]:
        """Return the rows of kinds that are not switched off."""
        return tuple(row for row in self.play.kind if row.id not in self.kinds.off)

    def ladder_in_force(self) -> tuple[Step, ...]:
        """Return the bomb ladder, weakest first, without the rows that are switched off."""
        return tuple(row for row in self.play.ladder if row.id not in self.kinds.off)

    def order(self, name: str) -> str:
        """Return the ranks of a named order, low to high."""
        return NATURAL_ORDER if name == "rank" else self.play.orders[name]

    def name_in(self, language: str) -> str:
        """Return the name in a language, or in English."""
        return self.name.get(language) or self.name.get("en") or self.id


_hashes: dict[int, tuple[Ruleset, str]] = {}


def _hash_of(identity: int, ruleset: Ruleset) -> str:
    """Return the content hash, remembered by identity (the tuple keeps the object alive)."""
    known = _hashes.get(identity)
    if known is not None and known[0] is ruleset:
        return known[1]
    if len(_hashes) > 256:
        _hashes.clear()
    data = essence(ruleset)
    for unimportant in ("name", "listed", "source", "ruling", "extends", "overrides"):
        data.pop(unimportant, None)
    text = hashlib.sha256(msgspec.json.encode(data, order="sorted")).hexdigest()[:12]
    _hashes[identity] = (ruleset, text)
    return text


def essence(spec: object) -> Any:  # noqa: ANN401 (plain data of any shape)
    """Return a spec as plain data without fields at their defaults.

    Hashes are made of it, so that a field added one day changes no ruleset that does not use it.
    """
    if isinstance(spec, msgspec.Struct):
        found = {}
        for info in msgspec.structs.fields(spec):
            value = getattr(spec, info.name)
            if info.default is msgspec.NODEFAULT or value != info.default:
                found[info.encode_name] = essence(value)
        return found
    if isinstance(spec, tuple):
        return [essence(one) for one in spec]
    return spec
