"""The atlas: every rule is a line, every line has words, every example is what the engine says."""

from __future__ import annotations

import itertools
import typing

import msgspec
import pytest

import ddz_core as ddz
from ddz_core import atlas, rulesets, specs
from ddz_core.errors import DdzError, RulesetError
from ddz_core.language import LANGUAGES, Phrase, Words, words
from pages._kit import rules_words

IDS = ddz.ruleset_ids()
SECTIONS = {
    "deck": specs.Deck,
    "deal": specs.DealSpec,
    "auction": specs.Auction,
    "kickers": specs.Kickers,
    "wilds": specs.Wilds,
    "score": specs.Score,
    "leave": specs.Leave,
    "trustee": specs.Trustee,
}

FACTS: dict[str, dict[str, object]] = {
    "classic": {"deal.seats": 3, "deal.hand": 17, "deal.bottom": 3, "deal.bottom_shown": "all"}
    | {"auction.mechanism": "auction", "auction.first": "face_up", "score.spring": 1},
    "primer": {"deal.seats": 3, "auction.mechanism": "one_bid", "auction.all_pass": "redeal"},
    "jinyou": {"auction.mechanism": "one_bid", "score.spring": 2, "score.anti_spring": 1}
    | {"kickers.both_jokers": True, "auction.first": "face_up"},
    "wuhan": {"auction.mechanism": "one_bid", "auction.all_pass": "first_at_lowest"}
    | {"deal.bottom_shown": "all", "score.anti_spring": 1},
    "er-da-yi": {"deal.seats": 3, "deal.hand": 18, "deal.bottom": 0, "deal.draw": 1},
    "duel-2p": {"deal.seats": 2, "deal.hand": 20, "deal.bottom": 3, "deal.dead": 11},
    "classic-4p": {"deck.decks": 2, "deal.seats": 4, "deal.hand": 25, "deal.bottom": 8}
    | {"deal.bottom_shown": "landlord"},
    "arena-4p": {"deck.decks": 2, "deal.seats": 4, "score.combine": "sum"}
    | {"score.face_up_joker": 2, "score.rake": 10, "score.raked": "gold"},
    "hidden-5p": {"deck.decks": 2, "deal.seats": 5, "deal.hand": 21, "deal.bottom": 3}
    | {"sides": "twin", "deal.face_up": "natural"},
    "emperor": {"deck.decks": 2, "deal.seats": 3, "deal.hand": 34, "deal.bottom": 6}
    | {"deal.taken": "chosen"},
    "local": {"score.spring": 2, "score.anti_spring": 2, "auction.first": "rotate"},
    "jiujiang": {"deck.decks": 2, "deal.seats": 4, "deal.hand": 25, "deal.bottom": 8}
    | {"auction.all_pass": "last_tested"},
    "laizi": {"score.spring": 2, "score.anti_spring": 2, "deal.hand": 17},
    "rob-laizi": {"wilds.mode": "rank", "auction.rob": 2, "score.limit": "owned"},
    "zaozhuang": {"deck.decks": 2, "deal.seats": 4, "auction.mechanism": "auction"},
    "ningbo": {"deck.decks": 2, "deal.seats": 4, "auction.mechanism": "cede"},
    "role": {"deal.seats": 3, "deal.hand": 17, "deal.bottom": 3},
    "jj": {"deal.seats": 3, "deal.hand": 17, "auction.first": "random"},
    "dingniu": {"score.spring": 2, "score.anti_spring": 2, "trustee.on": True},
}
"""What the tables of the rules say of each game, by path."""

GONE: dict[str, tuple[str, ...]] = {
    "classic": ("quad", "carrier"),
    "classic-4p": ("triple_single", "plane_singles", "four_two_singles", "four_two_pairs"),
    "zaozhuang": ("straight", "triple_single"),
    "hidden-5p": ("triple_single", "plane_singles", "rocket"),
    "emperor": ("four_two_singles", "triple_single"),
}
"""Kinds that a game does not have."""


SAID: dict[str, tuple[str, ...]] = {
    "classic": ("If nobody bids, the cards are dealt again.", "Rocket: small joker big joker."),
    "jinyou": ("×2, ×4, ×8", "Both jokers may be kickers together."),
    "wuhan": ("the first to speak is landlord at the lowest bid",),
    "er-da-yi": ("draws 1 unseen card from each other hand",),
    "duel-2p": ("11 cards stay out of the deal",),
    "classic-4p": (
        "Bomb: 6 equal cards. Step 3 of 6 on the bomb ladder; played, it counts × 2.",
        "Bomb: 5 equal cards. Step 2 of 6 on the bomb ladder; it does not change the score.",
    ),
    "arena-4p": (
        "low A to A",
        "Bomb: 8 equal cards. Step 5 of 6 on the bomb ladder; played, it adds 5.",
        "8 counts if it wins and 6 if it loses",
        "with one pair for each (consecutive)",
    ),
    "hidden-5p": ("Bomb: 7 equal cards. Step 6 of 8", "Joker bomb: small joker small joker /"),
    "emperor": ("from none to all", "Pair straight: 4 or more", "Bomb: 5 equal cards. Step 1"),
    "local": ("The house keeps 10 %", "The first to leave pays 10 × the initial multiplier"),
    "jiujiang": (
        "Bids: 3.",
        "Must bid the highest with 1 bomb and 1 big joker.",
        "Must bid the highest with 2 big jokers.",
        "Must bid the highest with 2 bombs.",
        "Must bid the highest with 1 bomb and 2 small jokers.",
    ),
    "laizi": ("The two red sevens are wild.", "wilds counting as natural cards"),
    "rob-laizi": (
        "each rob × 2",
        "× 4 each",
        "may show its cards: × 2",
        "(soft)",
        "(pure)",
        "A landlord who leaves pays 4 ×",
        "A farmer who leaves pays 2 ×",
    ),
    "zaozhuang": (
        "Straight is not in this game.",
        "Must bid with 2 bombs.",
        "Must bid the highest with 3 bombs.",
        "Must bid the highest with 3 jokers.",
    ),
    "ningbo": ("when all have ceded, the first one asked has it",),
    "dingniu": (
        "A trustee who loses pays 2 ×",
        "A trustee who wins gets nothing.",
        "The partner of a trustee gets 2 ×",
        "then the first to speak moves on by one seat",
    ),
}
"""What the English lines of a game must say, after the tables and paragraphs of the rules."""


def missing(catalogue: Words, phrase: Phrase) -> list[str]:
    """Return the keys of a phrase, and of those inside it, that have no text."""
    found = [] if catalogue.knows(phrase.key) else [phrase.key]
    for value in phrase.params.values():
        if isinstance(value, Phrase):
            found += missing(catalogue, value)
    return found


@pytest.mark.parametrize("ruleset", IDS)
def test_facts_of_the_documents_are_lines(ruleset: str) -> None:
    """The lines of a game say what the tables of the rules say of it."""
    lines = {line.path: line for line in atlas.describe(ddz.load_ruleset(ruleset), quiet=True)}
    assert ruleset in FACTS
    for path, value in FACTS[ruleset].items():
        assert lines[path].value == value, path
    kinds = {
        str(p.key)
        for line in lines.values()
        if isinstance(p := line.params.get("kind"), Phrase) and line.on
    }
    for kind in GONE.get(ruleset, ()):
        assert f"kind.{kind}" not in kinds


@pytest.mark.parametrize("ruleset", SAID)
def test_lines_say_what_the_rules_say(ruleset: str) -> None:
    """Proof-reading: the sentences of a game hold what is particular to it."""
    catalogue = words("en")
    lines = atlas.describe(ddz.load_ruleset(ruleset))
    text = "\n".join(rules_words.line_text(catalogue, line) for line in lines)
    for sentence in SAID[ruleset]:
        assert sentence in text


@pytest.mark.parametrize("ruleset", IDS)
def test_every_field_is_a_line(ruleset: str) -> None:
    """No rule of a ruleset is left out, and its mark is the ruleset's provenance."""
    rules = ddz.load_ruleset(ruleset)
    lines = {line.path: line for line in atlas.describe(rules, quiet=True)}
    for path in rulesets.fields(rules.ruleset):
        if path.startswith("play.orders") or path == "kinds.off":
            continue
        assert path in lines
        if lines[path].on:
            assert lines[path].provenance == rulesets.provenance(rules.ruleset, path)
        assert lines[path].group in atlas.GROUPS


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("ruleset", IDS)
def test_every_line_has_words(ruleset: str, lang: str) -> None:
    """Each line, and each value inside it, has its own text in each language."""
    catalogue = words(lang)
    for line in atlas.describe(ddz.load_ruleset(ruleset), quiet=True):
        assert missing(catalogue, Phrase(line.key, line.params)) == []


@pytest.mark.parametrize("section", SECTIONS)
def test_every_value_of_every_mechanism_has_words(section: str) -> None:
    """Each named value, and yes and no, of each field has a text, and each field a short name."""
    catalogue = words("en")
    hints = typing.get_type_hints(SECTIONS[section])
    for info in msgspec.structs.fields(SECTIONS[section]):
        path, kind = f"{section}.{info.name}", hints[info.name]
        values: list[object] = [info.default]
        if kind is bool:
            values = [False, True]
        elif kind is int:
            values = [info.default, 2, 7]
        elif typing.get_origin(kind) is typing.Literal:
            values = list(typing.get_args(kind))
        if isinstance(info.default, msgspec.Struct):
            continue
        assert catalogue.knows(f"atlas.label.{path}"), path
        for value in values:
            assert missing(catalogue, atlas.phrase_of(path, value)) == []
    for row in typing.get_args(typing.get_type_hints(specs.Declaration)["id"]):
        assert catalogue.knows(f"atlas.declare.{row}")
        assert catalogue.knows(f"atlas.label.declare.{row}")


@pytest.mark.parametrize("ruleset", IDS)
def test_order_of_singles_is_the_engine_s(ruleset: str) -> None:
    """Report R18: the order shown is generated: each single beats the one before it."""
    rules = ddz.load_ruleset(ruleset)
    order = atlas.order_of_singles(rules)
    assert order == "3456789TJQKA2XD"
    line = next(line for line in atlas.describe(rules) if line.path == "order")
    assert line.params["ranks"] == order
    if rules.ruleset.wilds.mode == "none":
        assert all(rules.beats(b, a) for a, b in itertools.pairwise(order))


@pytest.mark.parametrize("ruleset", IDS)
def test_sheet_lists_exactly_what_is_recognised(ruleset: str) -> None:
    """Report R06: each kind is recognised in its example, on or off as the sheet says."""
    rules = ddz.load_ruleset(ruleset)
    asked = (
        ddz.load_ruleset(ruleset, {"wilds.rank": "4"})
        if rules.ruleset.wilds.mode == "rank"
        else rules
    )
    shown = [
        line
        for line in atlas.describe(rules)
        if line.path.startswith(("play.kind.", "play.ladder."))
    ]
    rows = [row.id for row in rules.ruleset.play.kind] + [
        step.id for step in rules.ruleset.play.ladder
    ]
    assert len(shown) == len(rows)
    for line, row in zip(shown, rows, strict=True):
        assert line.cards, f"{row} has no example"
        kinds = {one.kind for one in asked.readings(line.cards + line.kickers)}
        assert (row in kinds) == line.on


def test_switched_off_kind_stands_on_the_sheet_as_off() -> None:
    """A kind that house rules take out keeps its line, marked as changed and off."""
    rules = ddz.load_ruleset("classic", {"kinds.off": ["triple_pair"]})
    line = next(line for line in atlas.describe(rules) if line.path == "play.kind.triple_pair")
    assert not line.on
    assert line.key == "atlas.kind.off"
    assert line.provenance.kind == "changed"
    assert line.cards + line.kickers == "77733"


def outcome(rules: ddz.Rules, example: atlas.Example) -> tuple[object, ...]:
    """Ask the rules what an example claims."""
    if example.what == "calls":
        try:
            state = rules.bidding(list(example.calls), first=0)
        except DdzError:
            return ("illegal",)
        return (
            (state.status,) if state.status in ("illegal", "redeal") else (state.status, state.seat)
        )
    if example.what == "score":
        facts = {k: v for k, v in example.asked().items() if k in ddz.scoring.facts_of(rules)}
        if rules.ruleset.score.base != "bid":
            facts.pop("bid", None)
        ledger = rules.score(**facts)
        return ledger.points if ledger.gold == ledger.points else (*ledger.points, *ledger.gold)
    asked = atlas.playable(rules)
    try:
        if example.what == "answer" and not asked.beats(example.cards, example.beat):
            return ()
        return tuple(dict.fromkeys(one.kind for one in asked.readings(example.cards)))
    except DdzError:
        return ()


@pytest.mark.parametrize("other", IDS)
def test_examples_between_rulesets_are_true(other: str) -> None:
    """Plays, biddings and scores shown for a difference are what the engine says of each game."""
    a, b = ddz.load_ruleset("classic"), ddz.load_ruleset(other)
    found = atlas.differences(a, b)
    assert bool(found) == (a != b)
    for one in found:
        assert (
            one.before is None
            or one.after is None
            or one.before.value != one.after.value
            or one.before.on != one.after.on
        )
        example = one.example
        if example is None:
            continue
        assert example.before != example.after
        if example.base != "b":
            assert example.before[:2] == outcome(a, example)[:2]
        if example.base != "a":
            assert example.after[:2] == outcome(b, example)[:2]


def test_classic_and_jinyou_differ_in_four_lines() -> None:
    """The two one-deck games of the encyclopedia differ as the rules say, with these examples."""
    found = {
        one.path: one.example
        for one in atlas.differences(ddz.load_ruleset("classic"), ddz.load_ruleset("jinyou"))
    }
    assert list(found) == [
        *("kickers.both_jokers", "auction.mechanism", "declare.raise_each", "score.spring"),
    ]
    jokers, bidding, raising, spring = found.values()
    assert None not in (jokers, bidding, raising, spring)
    assert (jokers.cards, jokers.before) == ("4444XD", ())
    assert bidding.calls == ("pass", "pass", "1")
    assert (bidding.before[0], bidding.after[0]) == ("ask", "landlord")
    assert raising.after == (9, -6, -3)
    assert (spring.before, spring.after) == ((2, -1, -1), (4, -2, -2))


@pytest.mark.parametrize("ruleset", IDS)
def test_options_are_the_values_in_force(ruleset: str) -> None:
    """Each switch shows the value in force, and its other value is a house rule or is refused."""
    rules = ddz.load_ruleset(ruleset)
    seen = set()
    for option in atlas.options(rules):
        seen.add(option.group)
        other = option.other()
        if other is None:
            continue
        path, value = option.override(rules, other)
        try:
            changed = ddz.load_ruleset(ruleset, {path: value})
        except RulesetError:
            continue  # it contradicts another field; named in a test of its own
        assert changed != rules
        same = next(
            one
            for one in atlas.options(changed)
            if (one.path, one.name) == (option.path, option.name)
        )
        assert same.value == other or list(same.value) == other
        assert same.provenance.kind == "changed"
    assert {"deal", "combinations", "procedure", "score"} <= seen


def test_each_switch_over_plays_has_an_example() -> None:
    """Report R48: every switch over kickers and kinds shows a play that it makes legal or not."""
    rules = ddz.load_ruleset("classic")
    shown = 0
    for option in atlas.options(rules):
        if not option.path.startswith(("kickers.", "kinds.")):
            continue
        example = atlas.example_of_option(rules, option, option.other())
        assert example is not None, (option.path, option.name)
        path, value = option.override(rules, option.other())
        changed = ddz.load_ruleset("classic", {path: value})
        assert outcome(rules, example) == example.before
        assert outcome(changed, example) == example.after
        assert example.before != example.after
        shown += 1
    assert shown == 18


def test_contradiction_names_both_fields() -> None:
    """Two options that exclude each other are refused with both of their names."""
    option = next(o for o in atlas.options(ddz.load_ruleset("classic")) if o.path == "deal.face_up")
    with pytest.raises(RulesetError) as refused:
        ddz.load_ruleset("classic", dict([option.override(ddz.load_ruleset("classic"), "none")]))
    assert {refused.value.field, refused.value.params["other"]} == {"auction.first", "deal.face_up"}


def test_stories_are_told_in_three_languages() -> None:
    """Every game of the documents has origin, feel and what is special, in each language."""
    folder = ddz.data_files.data_dir() / "atlas"
    told = sorted(path.stem for path in folder.glob("*.toml"))
    assert len(told) == 20
    assert set(FACTS) | {"brick"} == set(told)
    for entry in atlas.entries():
        story = atlas.story(entry)
        assert story.documents
        for part in ("origin", "feel", "special"):
            texts = {lang: story.text(part, lang) for lang in LANGUAGES}
            assert all(texts.values())
            assert len(set(texts.values())) == len(LANGUAGES)
    assert not atlas.story("brick").card_game
    with pytest.raises(RulesetError):
        atlas.story("no-such-game")
