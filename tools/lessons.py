"""Keep lessons and glossary in three languages: `python -m tools.lessons`.

English and simplified Chinese are written by hand in ``data/lessons/*.toml`` and
``data/glossary.toml``. This fills the traditional Chinese from the simplified with OpenCC and the
hand corrections of the catalogues, and writes every file in its settled form. Needs the extra
``test``.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

import opencc

from ddz_core.data_files import data_dir
from ddz_core.lessons import files


def filled(plain: object, convert: Any) -> object:  # noqa: ANN401
    """Return plain data in which every text with a simplified form has a traditional one."""
    if isinstance(plain, dict):
        if isinstance(plain.get("zh-Hans"), str):
            order = {"en": plain.get("en", ""), "zh-Hans": plain["zh-Hans"]}
            order["zh-Hant"] = convert(plain["zh-Hans"])
            return {tag: text for tag, text in order.items() if text}
        return {key: filled(value, convert) for key, value in plain.items()}
    if isinstance(plain, list):
        return [filled(value, convert) for value in plain]
    return plain


def converter() -> Any:  # noqa: ANN401
    """Return the function that makes traditional Chinese of simplified."""
    terms = tomllib.loads((data_dir() / "locales" / "zh-Hant.toml").read_text("utf-8"))["terms"]
    machine = opencc.OpenCC("s2twp")

    def convert(text: str) -> str:
        text = machine.convert(text)
        for before, after in terms.items():
            text = text.replace(before, after)
        return text

    return convert


def paths() -> list[Path]:
    """Return the files that are kept."""
    return [*sorted((data_dir() / "lessons").glob("*.toml")), data_dir() / "glossary.toml"]


def build() -> dict[Path, str]:
    """Return what every file should say."""
    convert = converter()
    made = {}
    for path in paths():
        plain = filled(tomllib.loads(path.read_text("utf-8")), convert)
        assert isinstance(plain, dict)
        made[path] = files.toml_text(plain)
    return made


def main() -> int:
    """Write every file in its settled form; return 0."""
    for path, text in build().items():
        if path.read_text("utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
