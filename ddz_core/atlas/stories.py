"""Where each game of the documents comes from, how it feels and what is special."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from ddz_core import rulesets
from ddz_core.data_files import data_dir

PARTS = ("origin", "feel", "special")
"""The three short texts of a story, in reading order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What the atlas tells of one game besides its rules.

    Attributes:
        id: id of the game; a ruleset's, or of one that is no card game.
        name: its name by language.
        documents: numbers of the documents that tell of it.
        texts: the parts of :data:`PARTS`, each by language.
        card_game: whether there is a ruleset to play it by.
    """

    id: str
    name: dict[str, str]
    documents: tuple[str, ...]
    texts: dict[str, dict[str, str]]
    card_game: bool

    def name_in(self, language: str) -> str:
        """Return the name in a language, or in English."""
        return self.name.get(language) or self.name["en"]

    def text(self, part: str, language: str) -> str:
        """Return one part in a language, or in English; empty where there is none."""
        texts = self.texts.get(part, {})
        return texts.get(language) or texts.get("en", "")


@cache
def _told() -> dict[str, dict[str, object]]:
    """Return the shipped stories by id."""
    folder = data_dir() / "atlas"
    return {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.toml"))
    }


def entries() -> list[str]:
    """Return the ids of the atlas: every ruleset, then what is told but is no card game."""
    ids = rulesets.ruleset_ids()
    others = [i for i, raw in _told().items() if i not in ids and not raw.get("card_game", True)]
    return [*ids, *others]


def story(entry: str) -> Story:
    """Return the story of a game; one without a file has empty texts.

    Raises:
        RulesetError: if there is neither a story nor a ruleset of that id.
    """
    raw = _told().get(entry, {})
    card_game = bool(raw.get("card_game", True))
    name = raw.get("name")
    texts = {part: raw[part] for part in PARTS if isinstance(raw.get(part), dict)}
    documents = raw.get("documents", [])
    return Story(
        id=entry,
        name=dict(name) if isinstance(name, dict) else dict(rulesets.load(entry).name),
        documents=tuple(map(str, documents)) if isinstance(documents, list) else (),
        texts=texts,  # type: ignore[arg-type]
        card_game=card_game,
    )
