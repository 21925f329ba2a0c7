"""Words in the reader's language (layer 0): catalogues looked up when they are needed.

A text is asked for by a dotted key (``error.cards.too_many``) with named values. Each language
has its own compiled gettext catalogues under ``data/locales``, one file a domain, so that keys
must be unique over all domains. Nothing is installed process-wide: sessions with different
languages share a process. Values put into a text are never read as formats, keys or markup.
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from ddz_core.data_files import data_dir
from ddz_core.errors import DdzError

__all__ = ["DOMAINS", "LANGUAGES", "Phrase", "Words", "pick_language", "words"]

LANGUAGES = {"zh-Hans": "简体", "zh-Hant": "繁體", "en": "English"}
"""Language tags with the name that readers of the language know it by; English is the fallback."""

DOMAINS = ("rules", "table", "guide", "app", "review", "puzzles", "class", "lessons", "claims")
"""Catalogue files, in the order in which a key is looked for."""

STRICT = "PAILI_STRICT_WORDS"
"""Environment variable that makes a missing key or value an error; the tests set it."""

_PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
_HAND = re.compile(r"hand (\d+)")
_TRADITIONAL = ("tw", "hk", "mo", "hant")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text that is worded only when the language is known, to be used as a value of another.

    Attributes:
        key: its catalogue key.
        params: named values, which may be phrases themselves.
    """

    key: str
    params: dict[str, object] = field(default_factory=dict)


class _Catalogue(gettext.GNUTranslations):
    """One compiled file; its entries are read once."""

    _catalog: dict[str | tuple[str, int], str]
    plural: Callable[[int], int]

    def template(self, key: str, n: int | None) -> str | None:
        """Return the text of ``key``, in the form for ``n`` if there are several."""
        text = self._catalog.get(key)
        if text is None:
            form = self._catalog.get((key, self.plural(1 if n is None else n)))
            return form if form is not None else self._catalog.get((key, 0))
        return text

    def entries(self) -> dict[str, str | list[str]]:
        """Return every key with its text, or with the list of its plural forms."""
        found: dict[str, str | list[str]] = {}
        for key, text in sorted(self._catalog.items(), key=str):
            if isinstance(key, tuple):
                forms = found.setdefault(key[0], [])
                if isinstance(forms, list):
                    forms.append(text)
            elif key:
                found[key] = text
        return found


class Words:
    """The texts of one language; made by :func:`words`, safe to share between threads."""

    def __init__(self, lang: str, catalogues: list[_Catalogue], fallback: Words | None) -> None:
        self.lang = lang
        self._catalogues = catalogues
        self._fallback = fallback

    def say(self, key: str, **params: object) -> str:
        """Return the text of a key with its values put in.

        Args:
            key: dotted catalogue key.
            params: values by name; ``n`` also chooses the plural form; a :class:`Phrase`
                is worded first.

        Returns:
            Plain text. A key that this language lacks is worded in English, one that no
            language has is returned as it is; a placeholder without a value stays.

        Raises:
            KeyError: in tests only (``PAILI_STRICT_WORDS``), for a missing key or value.
        """
        n = params.get("n")
        template = self._template(key, n if isinstance(n, int) else None)
        if template is None:
            if self._fallback is not None and not os.environ.get(STRICT):
                return self._fallback.say(key, **params)
            if os.environ.get(STRICT):
                raise KeyError(f"no text for key {key!r} in {self.lang}")
            return key
        return _PLACEHOLDER.sub(lambda found: self._value(found, key, params), template)

    def phrase(self, phrase: Phrase) -> str:
        """Return the wording of a phrase."""
        return self.say(phrase.key, **phrase.params)

    def error(self, error: DdzError) -> str:
        """Return one sentence for an error of the core, from its key and parameters.

        What caused it, if that is an error of the core too, is worded as its value ``why``.

        Returns:
            Plain text; it may repeat what a visitor typed, so a page must not show it as
            markup. An error whose key no catalogue knows keeps its own English sentence.
        """
        if not self.knows(error.key) and not os.environ.get(STRICT):
            return str(error)
        cause = error.__cause__
        nested = {"why": self.error(cause)} if isinstance(cause, DdzError) else {}
        # the core counts hands from 0, readers from 1 and in their own language
        hand = _HAND.fullmatch(str(error.params.get("field", "")))
        named = {"field": self.say("error.field.hand", n=int(hand[1]) + 1)} if hand else {}
        return self.say(error.key, **{**error.params, **named, **nested})

    def knows(self, key: str) -> bool:
        """Return whether this language, or English, has a text for the key."""
        if self._template(key, None) is not None:
            return True
        return self._fallback is not None and self._fallback.knows(key)

    def texts(self, prefix: str = "") -> dict[str, str | list[str]]:
        """Return the raw texts whose key starts with ``prefix``, for code that fills them itself.

        Returns:
            Key (without the prefix) to text, or to the list of plural forms (one, other).
        """
        found: dict[str, str | list[str]] = {}
        for catalogue in reversed(self._catalogues):
            entries = catalogue.entries()
            found |= {k.removeprefix(prefix): t for k, t in entries.items() if k.startswith(prefix)}
        return found

    def _template(self, key: str, n: int | None) -> str | None:
        for catalogue in self._catalogues:
            text = catalogue.template(key, n)
            if text is not None:
                return text
        return None

    def _value(self, found: re.Match[str], key: str, params: dict[str, object]) -> str:
        name = found[1]
        if name not in params:
            if os.environ.get(STRICT):
                raise KeyError(f"no value for {{{name}}} of {key!r}")
            return found[0]
        value = params[name]
        return self.phrase(value) if isinstance(value, Phrase) else str(value)


def pick_language(
    query: str | None = None, session: str | None = None, locale: str | None = None
) -> str:
    """Return the language to use: the address first, then the session, then the browser.

    Args:
        query: value of ``lang`` in the address.
        session: language in force in this session.
        locale: the browser's own locale, such as ``zh-TW``.

    Returns:
        A tag of :data:`LANGUAGES`; any region or script of Chinese finds its script
        (Taiwan, Hong Kong, Macau and ``Hant`` traditional), everything else is English.
    """
    for wanted in (query, session, locale):
        found = _match(wanted)
        if found is not None:
            return found
    return "en"


@cache
def _words(lang: str) -> Words:
    folder = data_dir() / "locales" / lang / "LC_MESSAGES"
    catalogues = []
    for domain in DOMAINS:
        path = folder / f"{domain}.mo"
        if path.is_file():
            with path.open("rb") as file:
                catalogues.append(_Catalogue(file))
    return Words(lang, catalogues, None if lang == "en" else _words("en"))


def words(lang: str = "en") -> Words:
    """Return the texts of a language, read once per process.

    Args:
        lang: a tag of :data:`LANGUAGES` or anything :func:`pick_language` understands.
    """
    return _words(pick_language(lang))


def _match(tag: str | None) -> str | None:
    parts = (tag or "").replace("_", "-").lower().split("-")
    if parts[0] == "en":
        return "en"
    if parts[0] != "zh":
        return None
    if "hans" in parts:
        return "zh-Hans"
    return "zh-Hant" if any(part in _TRADITIONAL for part in parts) else "zh-Hans"
