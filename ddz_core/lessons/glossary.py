"""The glossary: terms in every script with their sound, a sentence, an example, where to go on.

Layer 4. Read from ``data/glossary.toml``; unknown keys are refused as in lessons.
"""

from __future__ import annotations

import tomllib
import unicodedata
from functools import cache
from typing import Literal, TypeAlias

from ddz_core.data_files import data_dir
from ddz_core.lessons.files import Part, Text, check_text, convert, refused, told
from ddz_core.rules import Rules, load_ruleset

Group: TypeAlias = Literal["kind", "card", "role", "bid", "play", "tactic", "score"]
GROUPS: tuple[Group, ...] = ("kind", "card", "role", "bid", "play", "tactic", "score")


class Term(Part, frozen=True):
    """One term.

    Attributes:
        id: short name in links and lessons.
        group: one of :data:`GROUPS`.
        name: what it is called in each language.
        pinyin: how the Chinese is said, with tone marks.
        also: other Chinese words for it.
        say: one sentence that explains it.
        play: cards of an example; empty where none shows it.
        kind: the kind that the example is.
        rules: id of the ruleset in which it is.
        lesson: id of the lesson that teaches it.
        claim: id of the claim that tests it.
    """

    id: str
    group: Group
    name: dict[str, str]
    pinyin: str
    say: Text
    also: tuple[str, ...] = ()
    play: str = ""
    kind: str = ""
    rules: str = "classic"
    lesson: str = ""
    claim: str = ""

    @property
    def game(self) -> Rules:
        """The rules in which the example is a play."""
        return load_ruleset(self.rules)


def read(text: str) -> tuple[Term, ...]:
    """Return the terms of a glossary's text.

    Raises:
        LessonError: for no TOML, an unknown key, markup in a name, or an example that is not of
            the kind stated; it names the term.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise refused(
            "toml", f"the glossary is no valid TOML: {error}", field="glossary", got=error
        ) from error
    terms = tuple(convert(one, Term) for one in raw.get("term", ()))
    for term in terms:
        check_text(f"{term.id}.name", term.name, is_name=True)
        check_text(f"{term.id}.pinyin", term.pinyin, is_name=True)
        check_text(f"{term.id}.say", term.say, is_name=False)
        if term.play:
            kinds = [reading.kind for reading in term.game.readings(term.play)]
            if term.kind not in kinds:
                raise refused(
                    "example",
                    f"{term.id}.play: {term.play} is no {term.kind}",
                    field=f"{term.id}.play",
                    expected=term.kind,
                    got=", ".join(kinds) or term.play,
                )
    return terms


@cache
def terms() -> tuple[Term, ...]:
    """Return the shipped glossary."""
    return read((data_dir() / "glossary.toml").read_text(encoding="utf-8"))


def plain_sound(pinyin: str) -> str:
    """Return a pinyin without tone marks and spaces, as it is typed."""
    apart = unicodedata.normalize("NFD", pinyin.lower())
    return "".join(c for c in apart if c.isalpha() and c.isascii())


def initials(pinyin: str) -> str:
    """Return the first letters of the syllables."""
    return "".join(plain_sound(part)[:1] for part in pinyin.split())


def search(query: str, found: tuple[Term, ...]) -> list[Term]:
    """Return the terms in which a query occurs: in a name of any language, its sound, its text.

    Names that begin with the query come first. A query without letters finds everything.
    """
    wanted = query.strip().lower()
    if not wanted:
        return list(found)
    sound = plain_sound(wanted)
    spoken = bool(sound) and sound == "".join(wanted.split())

    def rank(term: Term) -> int | None:
        names = [*(name.lower() for name in term.name.values()), *term.also]
        said = [plain_sound(term.pinyin), initials(term.pinyin)]
        if any(name.startswith(wanted) for name in names):
            return 0
        if spoken and any(one.startswith(sound) for one in said):
            return 1
        if any(wanted in name for name in names) or wanted in (term.play.lower(), term.id):
            return 2
        texts = [told(term.say, lang).lower() for lang in ("en", "zh-Hans", "zh-Hant")]
        return 3 if any(wanted in text for text in texts) else None

    placed = [(place, i, term) for i, term in enumerate(found) if (place := rank(term)) is not None]
    return [term for _, _, term in sorted(placed, key=lambda one: one[:2])]
