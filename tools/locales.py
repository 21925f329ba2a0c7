"""Keep the three languages together: `python -m tools.locales build`.

English and simplified Chinese are written by hand in ``data/locales/<lang>/LC_MESSAGES/*.po``.
``build`` sorts those files by key, makes the traditional Chinese ones from the simplified ones
with OpenCC (``s2twp``) and the hand corrections of ``data/locales/zh-Hant.toml``, and compiles
every file to the ``.mo`` beside it. ``add`` enters one key in both hand-written languages.
Needs the extra ``test``.
"""

from __future__ import annotations

import argparse
import io
import sys
import tomllib
from pathlib import Path

import opencc
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from ddz_core.data_files import data_dir
from ddz_core.language import DOMAINS, LANGUAGES

SOURCES = ("en", "zh-Hans")
BABEL = {"en": "en", "zh-Hans": "zh_Hans", "zh-Hant": "zh_Hant"}
PLURALS = {
    "en": "nplurals=2; plural=(n != 1);",
    "zh-Hans": "nplurals=1; plural=0;",
    "zh-Hant": "nplurals=1; plural=0;",
}


class Quiet(Catalog):
    """A catalogue whose header has no dates, names or versions, so that files stay the same."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The three lines that readers of the file need."""
        lang = next(tag for tag, name in BABEL.items() if name == str(self.locale_identifier))
        return [
            ("Language", lang),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Plural-Forms", PLURALS[lang]),
        ]


def po_path(lang: str, domain: str) -> Path:
    """Return the path of one catalogue's text."""
    return data_dir() / "locales" / lang / "LC_MESSAGES" / f"{domain}.po"


def read(lang: str, domain: str) -> Catalog:
    """Read one catalogue; a file that does not exist is an empty one."""
    path = po_path(lang, domain)
    quiet = Quiet(BABEL[lang], header_comment="#", fuzzy=False)
    if path.is_file():
        for message in read_po(io.BytesIO(path.read_bytes()), locale=BABEL[lang]):
            if message.id:
                quiet.add(message.id, message.string, user_comments=message.user_comments)
    return quiet


def traditional(simplified: Catalog) -> Catalog:
    """Make the traditional catalogue of a domain from the simplified one."""
    corrections = tomllib.loads((data_dir() / "locales" / "zh-Hant.toml").read_text("utf-8"))
    converter = opencc.OpenCC("s2twp")

    def convert(text: str) -> str:
        text = converter.convert(text)
        for before, after in corrections["terms"].items():
            text = text.replace(before, after)
        return text

    made = Quiet(BABEL["zh-Hant"], header_comment="#", fuzzy=False)
    for message in simplified:
        if not message.id:
            continue
        key = message.id if isinstance(message.id, str) else message.id[0]
        if isinstance(message.string, str):
            text: str | tuple[str, ...] = convert(message.string)
        else:
            text = tuple(convert(form) for form in message.string)
        by_hand = corrections["keys"].get(key)
        if by_hand is not None:
            text = by_hand if isinstance(text, str) else (by_hand,)
        made.add(message.id, text)
    return made


def po_bytes(catalogue: Catalog) -> bytes:
    """Return a catalogue as text, sorted by key, one line a text."""
    out = io.BytesIO()
    write_po(out, catalogue, width=0, sort_output=True)
    return out.getvalue()


def mo_bytes(catalogue: Catalog) -> bytes:
    """Return a catalogue compiled."""
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def build() -> dict[Path, bytes]:
    """Return every catalogue file, text and compiled, as it should be on disk."""
    files: dict[Path, bytes] = {}
    for domain in DOMAINS:
        catalogues = {lang: read(lang, domain) for lang in SOURCES}
        catalogues["zh-Hant"] = traditional(catalogues["zh-Hans"])
        for lang in LANGUAGES:
            path = po_path(lang, domain)
            files[path] = po_bytes(catalogues[lang])
            files[path.with_suffix(".mo")] = mo_bytes(catalogues[lang])
    return files


def write() -> list[Path]:
    """Bring all files up to date and return those that changed."""
    changed = []
    for path, content in build().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
            changed.append(path)
    return changed


def add(domain: str, key: str, english: list[str], chinese: str) -> None:
    """Enter or replace one key in both hand-written languages.

    Args:
        domain: one of the catalogue files.
        key: dotted key.
        english: the text, or the forms for one and for more.
        chinese: the text in simplified Chinese.
    """
    forms: dict[str, str | tuple[str, ...]] = {"en": english[0], "zh-Hans": chinese}
    if len(english) > 1:
        forms = {"en": tuple(english), "zh-Hans": (chinese,)}
    for lang, text in forms.items():
        catalogue = read(lang, domain)
        catalogue.delete(key)
        catalogue.add(key if isinstance(text, str) else (key, key), text)
        path = po_path(lang, domain)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(po_bytes(catalogue))


def main(arguments: list[str] | None = None) -> int:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(prog="python -m tools.locales", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build", help="sort, convert to traditional Chinese, compile")
    adder = commands.add_parser("add", help="enter one key in both languages, then build")
    adder.add_argument("domain", choices=DOMAINS)
    adder.add_argument("key")
    adder.add_argument("english", nargs="+", help="text, or the two forms for one and more ({n})")
    adder.add_argument("--zh", required=True, help="text in simplified Chinese")
    given = parser.parse_args(arguments)
    if given.command == "add":
        add(given.domain, given.key, given.english, given.zh)
    for path in write():
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
