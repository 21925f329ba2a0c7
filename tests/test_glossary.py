"""The glossary: its examples are of the kind stated, its links lead somewhere, it is searched."""

from __future__ import annotations

import pytest

from ddz_core import claims, lessons, rulesets
from ddz_core.errors import LessonError
from ddz_core.language import LANGUAGES
from ddz_core.lessons import glossary

TERMS = glossary.terms()
BY_ID = {term.id: term for term in TERMS}


def test_there_are_enough_terms_and_each_once() -> None:
    """At least sixty terms, no id twice, every group used."""
    assert len(TERMS) >= 60
    assert len(BY_ID) == len(TERMS)
    assert {term.group for term in TERMS} == set(glossary.GROUPS)


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.id)
def test_terms_are_whole(term: glossary.Term) -> None:
    """A term has a name and a sentence in each language, a sound, and an example of its kind."""
    assert set(term.name) == set(LANGUAGES)
    assert isinstance(term.say, dict)
    assert set(term.say) == set(LANGUAGES)
    assert glossary.plain_sound(term.pinyin)
    if term.play:
        assert term.kind in [reading.kind for reading in term.game.readings(term.play)]
    if term.lesson:
        assert term.lesson in lessons.lesson_ids()
    if term.claim:
        assert term.claim in claims.claims()


def test_every_kind_of_every_game_is_there() -> None:
    """Each kind of combination of any ruleset has a term with an example."""
    kinds = set()
    for name in rulesets.ruleset_ids():
        ruleset = rulesets.load(name)
        kinds |= {row.id for row in ruleset.kinds_in_force()}
        kinds |= {row.id for row in ruleset.ladder_in_force()}
    assert kinds <= {term.kind for term in TERMS}


def test_lessons_name_terms_that_exist() -> None:
    """The terms that a lesson names are in the glossary."""
    for lesson_id in lessons.lesson_ids():
        missing = [one for one in lessons.load(lesson_id).terms if one not in BY_ID]
        assert missing == [], lesson_id


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("dingpai", "block"),
        ("顶牌", "block"),
        ("頂牌", "block"),
        ("block", "block"),
        ("cp", "feed"),
    ],
)
def test_search_finds_by_every_form(query: str, first: str) -> None:
    """A term is found by its characters in both scripts, its sound, its initials, its English."""
    assert first in [term.id for term in glossary.search(query, TERMS)][:3]


def test_search_without_letters_finds_everything() -> None:
    """An empty query leaves the list as it is."""
    assert glossary.search("  ", TERMS) == list(TERMS)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("term = 1 = 2", "error.lesson.toml"),
        ('[[term]]\nid = "a"', "error.lesson.missing"),
        (
            '[[term]]\nid="a"\ngroup="kind"\nname={en="<b>"}\npinyin="a"\nsay="s"',
            "error.lesson.markup",
        ),
        (
            '[[term]]\nid="a"\ngroup="kind"\nname={en="A"}\npinyin="a"\nsay="s"\nplay="55"\nkind="bomb"',
            "error.lesson.example",
        ),
        (
            '[[term]]\nid="a"\ngroup="kind"\nname={en="A"}\npinyin="a"\nsay="s"\ncolour="x"',
            "error.lesson.unknown",
        ),
    ],
)
def test_wrong_terms_are_refused(text: str, key: str) -> None:
    """A glossary with an unknown key, markup or an example of another kind is refused."""
    with pytest.raises(LessonError) as refused:
        glossary.read(text)
    assert refused.value.key == key
