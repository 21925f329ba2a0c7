"""A hand split into groups, measured, changed by hand, and raced against another split.

Layer 3. A *group* is any part of the hand; one that is no combination counts as the fewest plays
that use it up. The five measures of a split are counted against the unseen cards:

* **turns**: plays that the split needs;
* **controls**: its plays that no unseen cards of the same kind beat, so that only a bomb can;
* **losers**: its plays that unseen cards of the same kind can beat;
* **lead debt**: leads that are needed less leads that are sure to be won. Every play but the first
  needs the lead again (the first too, where another seat leads), and each play that nothing unseen
  beats is sure to win it. Zero or less: the hand can be played out without asking anybody;
* **flexibility**: how many of the different plays that the unseen cards can make are beaten by some
  play of the split as it stands.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ddz_core import cards, decompose, estimate, patterns
from ddz_core.bots import rule
from ddz_core.dealing import check_cards, check_seed
from ddz_core.errors import DdzError, HandError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.estimate import Estimate
    from ddz_core.patterns import Move
    from ddz_core.rules import Rules
    from ddz_core.specs import Ruleset

Safety = Literal["sure", "bombs", "open"]
Role = Literal["landlord", "after", "before"]

MOST_GROUPS = 40
DEALS = 1000
CHUNK = 200
"""Deals of one chunk of a race: below a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Group:
    """A part of a hand as it lies.

    Attributes:
        cards: its cards, low to high.
        plays: the plays that use it up: itself if it is a combination, else the fewest.
        legal: whether it is a combination.
        safety: of each play: ``sure`` (nothing unseen beats it), ``bombs`` (only a bomb does) or
            ``open`` (unseen cards of its kind do).
    """

    cards: str
    plays: tuple[Move, ...]
    legal: bool
    safety: tuple[Safety, ...]


@dataclass(frozen=True, slots=True)
class Measures:
    """The five measures of a split; see the module.

    Attributes:
        possible: different plays of the unseen cards, the whole of ``flexibility``.
    """

    turns: int
    controls: int
    losers: int
    debt: int
    flexibility: int
    possible: int

    def as_dict(self) -> dict[str, int]:
        """Return the measures by name."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Split:
    """A hand as groups, with its measures.

    Attributes:
        cards: the whole hand, low to high.
        groups: its parts.
        measures: the five measures.
        fewest: the fewest plays that the hand needs in any split.
    """

    cards: str
    groups: tuple[Group, ...]
    measures: Measures
    fewest: int

    @property
    def texts(self) -> tuple[str, ...]:
        """The groups as texts."""
        return tuple(group.cards for group in self.groups)


def measure(
    groups: Sequence[str | cards.Hand], rules: Rules, *, seen: str = "", leads: bool = True
) -> Split:
    """Return a split with its measures.

    Args:
        groups: the parts of the hand; empty ones are left out.
        rules: the game.
        seen: cards that have been played or are known to be out of play.
        leads: whether this seat leads first.

    Raises:
        NotationError, HandError: if cards cannot be read or cannot lie together, or if there are
            more than forty groups.
    Cost: a few milliseconds.

    >>> from ddz_core import load_ruleset
    >>> measure(["34567", "99", "2"], load_ruleset("classic")).measures.turns
    3
    """
    packed = [hand for group in groups if (hand := cards.parse_cards(group))]
    if len(packed) > MOST_GROUPS:
        raise HandError(
            f"groups: expected at most {MOST_GROUPS}, got {len(packed)}",
            key="error.surgeon.groups",
            field="groups",
            expected=MOST_GROUPS,
            got=len(packed),
        )
    out = cards.parse_cards(seen)
    check_cards(rules, [("seen", out, None), *(("groups", hand, None) for hand in packed)])
    whole = sum(packed)
    ruleset = rules.ruleset
    unseen = ruleset.deck_cards - whole - out
    made = tuple(_group(ruleset, hand, unseen) for hand in packed)
    plays = [move for group in made for move in group.plays]
    safety = [safe for group in made for safe in group.safety]
    answered, possible = _answered(ruleset, unseen, plays)
    needed = len(plays) - 1 if leads else len(plays)
    measures = Measures(
        turns=len(plays),
        controls=sum(safe != "open" for safe in safety),
        losers=safety.count("open"),
        debt=max(needed, 0) - safety.count("sure"),
        flexibility=answered,
        possible=possible,
    )
    fewest = decompose.fewest(whole, rules) if whole else 0
    return Split(cards.format_cards(whole), made, measures, fewest)


def _group(ruleset: Ruleset, hand: cards.Hand, unseen: cards.Hand) -> Group:
    found = patterns.readings(ruleset, hand)
    if found:
        plays: tuple[Move, ...] = (patterns.move_of(found[0]),)
    else:
        plays = decompose.turns(hand, ruleset, limit=1).splits[0]
    text = cards.format_cards(hand)
    return Group(text, plays, bool(found), tuple(_safety(ruleset, p, unseen) for p in plays))


def _safety(ruleset: Ruleset, play: Move, unseen: cards.Hand) -> Safety:
    """Return what can beat a play; the plays of its own kind are those below the next step."""
    if not patterns.can_beat(ruleset, unseen, play, beat_as=play):
        return "sure"
    step = play.code >> 26
    same = patterns.can_beat(ruleset, unseen, play, beat_as=play, highest_step=step)
    return "open" if same and not step else "bombs"


def _answered(ruleset: Ruleset, unseen: cards.Hand, plays: Sequence[Move]) -> tuple[int, int]:
    """Return how many different plays of the unseen cards some play beats, and how many exist."""
    different = _different(ruleset, unseen)
    answered = sum(any(patterns.outranks(play, lead) for play in plays) for lead in different)
    return answered, len(different)


@functools.lru_cache(maxsize=32)
def _different(ruleset: Ruleset, unseen: cards.Hand) -> tuple[Move, ...]:
    """Return one play of the unseen cards for each that compares differently."""
    return tuple({move.code: move for move in patterns.moves(ruleset, unseen)}.values())


def moved(groups: Sequence[str], taken: Sequence[tuple[int, str]], target: int) -> list[str]:
    """Return groups after some cards were moved into one of them; groups left empty disappear.

    Args:
        groups: the parts of the hand.
        taken: index of a group and rank character of each card to move.
        target: index of the group that takes them; one past the end for a new group.

    Raises:
        HandError: if there is no such group, or a card is not in it.
    """
    texts = [cards.format_cards(cards.parse_cards(group)) for group in groups]
    given = ""
    for source, card in taken:
        here = 0 <= source < len(texts) and len(card) == 1 and card in texts[source]
        if not here or not 0 <= target <= len(texts):
            raise HandError(
                f"{card!r} cannot be moved from group {source + 1} to group {target + 1}",
                key="error.surgeon.move",
                field="groups",
                expected=f"1–{len(texts)}",
                got=f"{card}: {source + 1} → {target + 1}",
            )
        texts[source] = texts[source].replace(card, "", 1)
        given += card
    texts.append("")
    texts[target] = cards.format_cards(cards.parse_cards(texts[target] + given))
    return [text for text in texts if text]


def groups_of(text: str) -> list[str]:
    """Return the groups of a split typed with spaces between, each low to high.

    Raises:
        NotationError, HandError: if a group cannot be read.
    """
    return [cards.format_cards(cards.parse_cards(part)) for part in text.replace("·", " ").split()]


def greedy(hand: str | cards.Hand, rules: Rules) -> list[str]:
    """Return the split that takes the play with most cards again and again, bombs kept apart.

    Of plays with equally many cards the lowest is taken. It is a split as beginners make it, to
    compare others with; seldom the one with the fewest plays.
    """
    rest = cards.parse_cards(hand)
    groups = []
    while rest:
        leads = rules.moves(rest)
        if not leads:
            groups.append(cards.format_cards(rest))
            break
        longest = max(leads, key=lambda m: (m.is_bomb, len(m.cards), -cards.LANE[m.top]))
        groups.append(longest.cards)
        rest -= longest.hand
    return groups


def two_splits(hand: str | cards.Hand, rules: Rules, *, seen: str = "") -> tuple[Split, Split]:
    """Return two splits worth comparing.

    The first has the fewest plays and, of those, the smallest lead debt. The second is the one
    among them that answers most plays of the unseen cards; where there is no other, it is the
    greedy split.

    Raises:
        HandError: as :func:`ddz_core.decompose.turns`.
    """
    found = decompose.turns(hand, rules, limit=60).splits
    measured = [measure([m.cards for m in split], rules, seen=seen) for split in found]
    safe = min(measured, key=lambda s: (s.measures.debt, -s.measures.controls))
    rest = [split for split in measured if split is not safe]
    if rest:
        return safe, max(rest, key=lambda s: (s.measures.flexibility, -s.measures.losers))
    return safe, measure(greedy(hand, rules), rules, seen=seen)


# --- races ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Race:
    """How two splits of one hand did on the same deals.

    Attributes:
        first, second: chance of the side to win with each split.
        difference: first less second, from the deals in pairs.
        deals: deals played so far.
        total: deals asked for.
        better: deals that only the first split won.
        worse: deals that only the second split won.
        seed: of the deals.
    """

    first: Estimate
    second: Estimate
    difference: Estimate
    deals: int
    total: int
    better: int
    worse: int
    seed: int


def race(
    first: Sequence[str],
    second: Sequence[str],
    rules: Rules,
    *,
    role: Role = "landlord",
    seen: str = "",
    deals: int = DEALS,
    seed: int = 1,
) -> Race:
    """Race two splits of one hand over paired deals; see :func:`races`, whose last result it is."""
    *_, last = races(first, second, rules, role=role, seen=seen, deals=deals, seed=seed)
    return last


def races(
    first: Sequence[str],
    second: Sequence[str],
    rules: Rules,
    *,
    role: Role = "landlord",
    seen: str = "",
    deals: int = DEALS,
    seed: int = 1,
) -> Iterator[Race]:
    """Race two splits of one hand over the same deals, yielding the running result by chunks.

    The other seats are dealt from the unseen cards and played by the rule bot, which sees its own
    hand only. The hand's own seat scores its plays as that bot does, but plays only groups of its
    split as they stand. The landlord leads; other seats hold as many cards as after the deal, or
    what is left where the hand and the seen cards leave fewer.

    Args:
        first, second: groups of the same hand; each group is one combination.
        rules: the game.
        role: ``landlord``, or the farmer ``after`` or ``before`` the landlord.
        seen: cards that have been played.
        deals: deals, from 2 to 100,000.
        seed: of the deals.

    Raises:
        HandError: for two different hands, a group that is no combination, or too few unseen cards.
        DdzError: for a role, number of deals or seed that cannot be.
    Cost: some 0.5 ms a deal and split, once compiled; other threads run meanwhile.
    """
    one, two = _checked(first, rules, seen), _checked(second, rules, seen)
    if sum(one) != sum(two):
        raise HandError(
            "second: the two splits are not of the same hand",
            key="error.surgeon.hands",
            field="second",
            expected=cards.format_cards(sum(one)),
            got=cards.format_cards(sum(two)),
        )
    if isinstance(deals, bool) or not isinstance(deals, int) or not 2 <= deals <= 100_000:
        raise DdzError(
            f"deals: expected a whole number from 2 to 100000, got {deals!r}",
            key="error.odds.samples",
            field="deals",
            expected="2–100000",
            got=deals,
        )
    check_seed(seed)
    return _run(rules.ruleset, (one, two), role, cards.parse_cards(seen), deals, seed)


def _checked(groups: Sequence[str], rules: Rules, seen: str) -> list[cards.Hand]:
    split = measure(groups, rules, seen=seen)
    for group in split.groups:
        if not group.legal:
            raise HandError(
                f"{group.cards} is no combination: a race needs groups that can be played",
                key="error.surgeon.group",
                field="groups",
                got=group.cards,
            )
    if not split.groups:
        raise HandError(
            "groups: no cards", key="error.surgeon.empty", field="groups", expected="3–D", got=""
        )
    return [cards.parse_cards(group.cards) for group in split.groups]


def _run(
    ruleset: Ruleset,
    splits: tuple[list[cards.Hand], list[cards.Hand]],
    role: Role,
    seen: cards.Hand,
    deals: int,
    seed: int,
) -> Iterator[Race]:
    runner = _Runner(ruleset, splits, role, seen, seed)
    wins: NDArray[np.int64] = np.zeros((0, 2), dtype=np.int64)
    while len(wins) < deals:
        wins = np.concatenate([wins, runner.chunk(min(CHUNK, deals - len(wins)))])
        yield _result(wins, deals, seed)


class _Runner:
    """Deals and plays chunks with an engine of its own, so that nobody waits for it."""

    def __init__(
        self,
        ruleset: Ruleset,
        splits: tuple[list[cards.Hand], list[cards.Hand]],
        role: Role,
        seen: cards.Hand,
        seed: int,
    ) -> None:
        from ddz_core.kernels import race as kernel

        self.race = kernel.race
        self.engine = rule.Engine(ruleset)
        self.weights = rule.weights_of(rule.fitted(ruleset))
        self.splits = [np.array(groups, dtype=np.uint64) for groups in splits]
        spec = ruleset.deal
        seats = spec.seats
        places = {"landlord": 0, "after": 1, "before": seats - 1}
        if role not in places:
            raise DdzError(
                f"role: expected one of {', '.join(places)}, got {role!r}",
                key="error.option.choice",
                field="role",
                expected=", ".join(places),
                got=role,
            )
        self.hero = places[role]
        hand = sum(splits[0])
        self.hand, self.pool = hand, ruleset.deck_cards - seen
        unseen = cards.counts_of(self.pool - hand)
        self.deck = np.repeat(
            np.array([1 << 4 * lane for lane in range(cards.LANES)], dtype=np.uint64), unseen
        )
        sizes = [spec.hand + (spec.bottom if seat == 0 else 0) for seat in range(seats)]
        sizes[self.hero] = 0
        room = len(self.deck)
        if sum(sizes) > room:
            share = room / sum(sizes)
            sizes = [math.floor(size * share) for size in sizes]
        if min(size for seat, size in enumerate(sizes) if seat != self.hero) < 1:
            raise HandError(
                "seen: too few unseen cards for the other hands",
                key="error.surgeon.unseen",
                field="seen",
                expected=seats - 1,
                got=room,
            )
        self.sizes = sizes
        self.rng = np.random.Generator(np.random.PCG64(seed))

    def chunk(self, deals: int) -> NDArray[np.int64]:
        """Return for each deal whether the side won with the first and with the second split."""
        shuffled = self.rng.permuted(np.broadcast_to(self.deck, (deals, len(self.deck))), axis=1)
        hands = np.zeros((deals, len(self.sizes)), dtype=np.uint64)
        at = 0
        for seat, size in enumerate(self.sizes):
            hands[:, seat] = shuffled[:, at : at + size].sum(axis=1, dtype=np.uint64)
            at += size
        hands[:, self.hero] = self.hand
        return np.stack([self._play(hands.copy(), groups) for groups in self.splits], axis=1)

    def _play(self, hands: NDArray[np.uint64], groups: NDArray[np.uint64]) -> NDArray[np.int64]:
        winners = np.zeros(len(hands), dtype=np.int64)
        engine = self.engine
        self.race(
            engine.table.words,
            engine.work,
            engine.plan,
            engine.space,
            engine.cache,
            self.weights,
            engine.view,
            hands,
            groups,
            self.hero,
            0,
            np.uint64(self.pool),
            engine.moves,
            engine.codes,
            engine.scores,
            winners,
        )
        won: NDArray[np.int64] = ((winners == 0) == (self.hero == 0)).astype(np.int64)
        return won


def _result(wins: NDArray[np.int64], total: int, seed: int) -> Race:
    n = len(wins)
    first, second = (int(side) for side in wins.sum(axis=0))
    gaps = wins[:, 0] - wins[:, 1]
    better, worse = int((gaps > 0).sum()), int((gaps < 0).sum())
    return Race(
        estimate.share(first, n, seed=seed),
        estimate.share(second, n, seed=seed),
        estimate.mean(better - worse, better + worse, n, unit="probability", seed=seed),
        n,
        total,
        better,
        worse,
        seed,
    )
