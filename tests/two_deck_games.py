"""Three small games with two decks, as rulesets in text and once more as plain counting.

They use what the classic family does not: runs through a low ace, kickers that must be consecutive,
two attachments, a ranked attachment, exact sets between the bombs. The counting below knows nothing
of rows: in these games every rank belongs to one group, so the numbers of equal cards say it all.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

ORDER = "3456789TJQKA2XD"
CHAIN = "3456789TJQKA"
LOW = "A23456789TJQKA"
NATURAL = "3456789TJQKA2"

HEAD = """
id = "{name}"
[name]
en = "{name}"
[deck]
decks = 2
[deal]
seats = 4
hand = 25
bottom = 8
[play.orders]
chain = "3456789TJQKA"
low = "A23456789TJQKA"
"""


def kind(name: str, body: str, *attachments: str) -> str:
    """One row of kinds as text."""
    text = f'[[play.kind]]\nid = "{name}"\nbody = {{ {body} }}\n'
    if attachments:
        text += "with = [" + ", ".join(f"{{ {a} }}" for a in attachments) + "]\n"
    return text


def bomb(size: int) -> str:
    """One step of equal cards as text."""
    return f'[[play.ladder]]\nid = "bomb"\nsize = {size}\n'


RANKS = f'ranks = "{NATURAL}"'
ROCKET = '[[play.ladder]]\nid = "rocket"\ncards = ["XXDD"]\n'

FOUR_SEATS = HEAD.format(name="four-seats") + "".join(
    [
        kind("single", "size = 1"),
        kind("pair", "size = 2"),
        kind("triple", f"size = 3, {RANKS}"),
        kind("triple_pair", f"size = 3, {RANKS}", "size = 2"),
        kind("straight", 'size = 1, run = [5, 12], order = "chain"'),
        kind("pair_straight", 'size = 2, run = [3, 12], order = "chain"'),
        kind("plane", 'size = 3, run = [2, 12], order = "chain"'),
        kind("plane_pairs", 'size = 3, run = [2, 12], order = "chain"', "size = 2"),
        *map(bomb, range(4, 9)),
        ROCKET,
    ]
)

LOW_RUNS = HEAD.format(name="low-runs") + "".join(
    [
        kind("single", "size = 1"),
        kind("pair", "size = 2"),
        kind("triple", f"size = 3, {RANKS}"),
        kind("triple_pair", f"size = 3, {RANKS}", "size = 2"),
        kind("straight", 'size = 1, run = [5, 13], order = "low"'),
        kind("pair_straight", 'size = 2, run = [3, 13], order = "low"'),
        kind("plane", 'size = 3, run = [2, 13], order = "low"'),
        kind("plane_pairs", 'size = 3, run = [2, 13], order = "low"', 'size = 2, run = "low"'),
        *map(bomb, range(4, 9)),
        ROCKET,
    ]
)

QUADS = HEAD.format(name="quads").replace("seats = 4", "seats = 3").replace(
    "hand = 25\nbottom = 8", "hand = 34\nbottom = 6"
) + "".join(
    [
        kind("single", "size = 1"),
        kind("pair", "size = 2"),
        kind("triple", f"size = 3, {RANKS}"),
        kind("triple_pair", f"size = 3, {RANKS}", "size = 2"),
        kind("straight", 'size = 1, run = [5, 12], order = "chain"'),
        kind("pair_straight", 'size = 2, run = [4, 12], order = "chain"'),
        kind("plane", 'size = 3, run = [3, 12], order = "chain"'),
        kind("plane_pairs", 'size = 3, run = [3, 12], order = "chain"', "size = 2"),
        kind("quad", f"size = 4, {RANKS}"),
        kind("quad_straight", 'size = 4, run = [2, 12], order = "chain"'),
        kind("quad_triple", f"size = 4, {RANKS}", f"size = 3, {RANKS}"),
        kind("carrier", 'size = 4, run = [2, 12], order = "chain"', f"size = 3, {RANKS}"),
        kind("dress", f"size = 4, {RANKS}", f"size = 3, {RANKS}", "size = 2"),
        kind(
            "spaceship",
            'size = 4, run = [2, 12], order = "chain"',
            'size = 3, run = "chain", ranked = true',
            "size = 2",
        ),
        bomb(5),
        '[[play.ladder]]\nid = "joker_bomb"\ncards = ["XX", "DD"]\n',
        *map(bomb, range(6, 9)),
        ROCKET,
    ]
)

GAMES = {"four-seats": FOUR_SEATS, "low-runs": LOW_RUNS, "quads": QUADS}
LARGEST = {"four-seats": 33, "low-runs": 33, "quads": 40}

Name = tuple[str, int, str, str]
"""Kind, length, top, second top."""


def tops(ranks: list[str], order: str, least: int) -> list[str]:
    """The tops that ranks have as a run of at least ``least`` in an order, if they are one."""
    size = len(ranks)
    if size < least:
        return []
    return [
        order[start + size - 1]
        for start in range(len(order) - size + 1)
        if set(order[start : start + size]) == set(ranks) and size == len(set(ranks))
    ]


def names(game: str, cards: str) -> set[Name]:
    """Every reading of a set of cards, by counting alone."""
    if not 0 < len(cards) <= LARGEST[game]:
        return set()
    counts = Counter(cards)
    by: dict[int, list[str]] = {}
    for rank in ORDER:
        if counts[rank]:
            by.setdefault(counts[rank], []).append(rank)
    sizes = tuple(sorted(by, reverse=True))
    first = by[sizes[0]]
    order = LOW if game == "low-runs" else CHAIN
    jokers = set("XD")
    found: set[Name] = set()

    def add(kind: str, tops_found: list[str]) -> None:
        found.update((kind, len(first), top, "") for top in tops_found)

    if cards == "XXDD":
        found.add(("rocket", 1, "D", ""))
    if game == "quads" and cards in ("XX", "DD"):
        found.add(("joker_bomb", 1, cards[0], ""))
    natural = not jokers & set(first)
    many = len(first) > 1
    if len(sizes) == 1 and not many:
        size = sizes[0]
        kinds = {1: "single", 2: "pair", 3: "triple", 4: "quad" if game == "quads" else "bomb"}
        if natural or size < 3:
            add(kinds.get(size, "bomb"), [first[0]])
    if len(sizes) == 1 and many:
        least = {1: 5, 2: 4, 3: 3, 4: 2} if game == "quads" else {1: 5, 2: 3, 3: 2}
        kinds = {1: "straight", 2: "pair_straight", 3: "plane", 4: "quad_straight"}
        if sizes[0] in least:
            add(kinds[sizes[0]], tops(first, order, least[sizes[0]]))
    if sizes == (3, 2) and len(by[3]) == len(by[2]):
        if not many:
            add("triple_pair", first if natural else [])
        elif game != "low-runs" or tops(by[2], LOW, 2):
            add("plane_pairs", tops(first, order, 3 if game == "quads" else 2))
    if game == "quads" and sizes == (4, 3) and len(by[4]) == len(by[3]):
        add("carrier" if many else "quad_triple", tops(first, order, 2) if many else first)
    if game == "quads" and sizes == (4, 3, 2) and len(by[4]) == len(by[3]) == len(by[2]):
        if not many:
            add("dress", first)
        else:
            for second in tops(by[3], CHAIN, 2):
                found.update(("spaceship", len(first), t, second) for t in tops(first, CHAIN, 2))
    return found


def ladder(game: str, cards: str, name: Name) -> int:
    """Where a reading stands among the bombs, 0 for everything else."""
    if name[0] == "rocket":
        return 100
    if name[0] == "joker_bomb":
        return 55
    return 10 * len(cards) if name[0] == "bomb" else 0


def value(name: Name, low: bool) -> tuple[int, int]:
    """What compares within one kind and length."""
    order = LOW[:-1] if low else ORDER
    top = order.index(name[2])
    if low and name[2] == "A" and name[0] in ("straight", "pair_straight", "plane", "plane_pairs"):
        top = len(LOW) - 1  # no run of two or more has its top at the low ace
    return top, ORDER.find(name[3])


def beats(game: str, one: tuple[str, Name], other: tuple[str, Name]) -> bool:
    """Whether one reading (cards and name) beats another."""
    (cards, name), (cards2, name2) = one, other
    steps = ladder(game, cards, name), ladder(game, cards2, name2)
    if steps[0] != steps[1]:
        return steps[0] > steps[1]
    if name[:2] != name2[:2] or len(cards) != len(cards2):
        return False
    low = game == "low-runs" and name[1] > 1
    return value(name, low) > value(name2, low)


def parts(hand: str) -> list[str]:
    """Every part of a hand that is not empty."""
    ranks = [rank for rank in ORDER if rank in hand]
    return [
        "".join(rank * number for rank, number in zip(ranks, numbers, strict=True))
        for numbers in product(*(range(hand.count(rank) + 1) for rank in ranks))
        if any(numbers)
    ]


def leads(game: str, hand: str) -> set[tuple[str, Name]]:
    """Everything that a hand can lead, cards and name."""
    return {(part, name) for part in parts(hand) for name in names(game, part)}
