"""The parts of a ruleset, as frozen structs.

Layer 0, below :mod:`ddz_core.rulesets`, which reads and checks them. A struct says what can differ
between games and nothing else; the files in ``data/rulesets`` fill them, and unknown keys are
refused.
"""

from __future__ import annotations

import hashlib
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


class Auction(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the landlord is found; ``mechanism`` names a procedure of :mod:`ddz_core.auction`."""

    mechanism: Literal["auction", "one_bid"] = "auction"
    levels: tuple[int, ...] = (1, 2, 3)
    top_ends: bool = True
    """A bid of the highest level ends the bidding at once."""
    all_pass: Literal["redeal", "first_at_lowest"] = "redeal"
    first: Literal["face_up", "random", "rotate"] = "random"
    """Who speaks first: the holder of the face-up card, a random seat, or one seat on each deal."""


class Declaration(Spec, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A statement between the auction and the lead; ``id`` names one of :mod:`ddz_core.game`."""

    id: Literal["raise_each"]
    factors: tuple[int, ...] = ()
    """What each choice multiplies, the first meaning that nothing was declared."""


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
    base: Literal["bid", "initial"] = "bid"
    initial: int = 1
    """The first factor where nobody bids a number."""
    combine: Literal["product", "sum"] = "product"
    spring: int = 1
    """Factor when the landlord wins and no farmer made a play; 1 for none."""
    anti_spring: int = 1
    """Factor when a farmer wins and the landlord made exactly one play; 1 for none."""


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
        """All cards of the game as one packed hand."""
        return cards.full_deck(self.deck.decks, self.deck.ranks)

    @property
    def largest_hand(self) -> int:
        """The most cards one seat can hold: its hand and all the bottom cards."""
        return self.deal.hand + self.deal.bottom

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
    data = msgspec.to_builtins(ruleset)
    for unimportant in ("name", "listed", "source", "ruling", "extends", "overrides"):
        data.pop(unimportant, None)
    text = hashlib.sha256(msgspec.json.encode(data, order="sorted")).hexdigest()[:12]
    _hashes[identity] = (ruleset, text)
    return text
