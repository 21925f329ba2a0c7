"""The catalogues: complete, consistent, compiled, and the only place where sentences stand."""

from __future__ import annotations

import ast
import io
import re
import string
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core import language
from ddz_core.errors import DdzError
from ddz_core.language import DOMAINS, LANGUAGES, Phrase, pick_language, words
from tools import locales

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(
    [*(ROOT / "pages").rglob("*.py"), *(ROOT / "ddz_core").rglob("*.py"), ROOT / "streamlit_app.py"]
)
CJK = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
WORDING = {"say", "knows", "Phrase"}
"""Calls whose first argument is a catalogue key."""


def entries(lang: str, domain: str) -> dict[str, tuple[str, ...]]:
    """Read a catalogue's text: key to its forms."""
    catalogue = read_po(io.BytesIO(locales.po_path(lang, domain).read_bytes()))
    found: dict[str, tuple[str, ...]] = {}
    for message in catalogue:
        if message.id:
            key = message.id if isinstance(message.id, str) else message.id[0]
            forms = (message.string,) if isinstance(message.string, str) else message.string
            found[key] = tuple(forms)
    return found


@pytest.mark.parametrize("domain", DOMAINS)
def test_catalogues_have_the_same_keys(domain: str) -> None:
    """Each key stands in all three languages."""
    english = entries("en", domain)
    for lang in LANGUAGES:
        assert sorted(entries(lang, domain)) == sorted(english)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("domain", DOMAINS)
def test_every_text_is_written(domain: str, lang: str) -> None:
    """No translation is empty."""
    for key, forms in entries(lang, domain).items():
        assert all(form.strip() for form in forms), key


@pytest.mark.parametrize("domain", DOMAINS)
def test_placeholders_agree(domain: str) -> None:
    """A text has the same named values in each language, and no other braces."""
    english = entries("en", domain)
    for lang in LANGUAGES:
        for key, forms in entries(lang, domain).items():
            wanted = {name for form in english[key] for name in PLACEHOLDER.findall(form)}
            found = {name for form in forms for name in PLACEHOLDER.findall(form)}
            # one form of a plural may leave the number out
            assert found | {"n"} == wanted | {"n"}, f"{lang} {key}"
            for form in forms:
                assert not re.search(r"[{}]", re.sub(r"\{[a-z_][a-z0-9_]*\}", "", form)), key


def test_keys_are_unique_over_domains() -> None:
    """No key stands in two catalogues, because a key is looked for in all of them."""
    keys = [key for domain in DOMAINS for key in entries("en", domain)]
    assert sorted(keys) == sorted(set(keys))
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*(\.[A-Za-z0-9_*-]+)+", key) for key in keys)


def test_files_are_what_the_command_makes() -> None:
    """The sorted text, the traditional Chinese and every compiled file are up to date."""
    old = [
        path.relative_to(ROOT).as_posix()
        for path, content in locales.build().items()
        if path.suffix == ".po" and path.read_bytes().decode() != content.decode()
    ]
    assert old == [], "run: python -m tools.locales build"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("domain", DOMAINS)
def test_compiled_file_says_what_the_text_says(domain: str, lang: str) -> None:
    """A ``.mo`` holds exactly the entries of its ``.po``."""
    path = locales.po_path(lang, domain).with_suffix(".mo")
    compiled = {}
    for message in read_mo(io.BytesIO(path.read_bytes())):
        if message.id:
            key = message.id if isinstance(message.id, str) else message.id[0]
            forms = (message.string,) if isinstance(message.string, str) else message.string
            compiled[key] = tuple(forms)
    assert compiled == entries(lang, domain), "run: python -m tools.locales build"


def used_keys(path: Path) -> tuple[set[str], set[str]]:
    """Return the keys a file asks for, and the fixed beginnings of those it puts together."""
    whole: set[str] = set()
    begun: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        asked = [node.args[0]] if name in WORDING and node.args else []
        # errors and ledger steps carry keys; a page's widgets have keys of another kind
        asked += [
            word.value
            for word in node.keywords
            if word.arg == "key" and re.match(r"f?'(error|score)\.", ast.unparse(word.value))
        ]
        for key in asked:
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                whole.add(key.value)
            elif isinstance(key, ast.JoinedStr) and isinstance(key.values[0], ast.Constant):
                begun.add(key.values[0].value)
            elif isinstance(key, ast.IfExp):
                whole |= {
                    side.value
                    for side in (key.body, key.orelse)
                    if isinstance(side, ast.Constant) and isinstance(side.value, str)
                }
    return {key for key in whole if "." in key}, {key for key in begun if "." in key}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_key_in_the_code_has_a_text(path: Path) -> None:
    """A key that the code asks for, or an error carries, is in the catalogues."""
    known = {key for domain in DOMAINS for key in entries("en", domain)}
    whole, begun = used_keys(path)
    assert sorted(whole - known) == []
    missing = [start for start in begun if not any(key.startswith(start) for key in known)]
    assert missing == []


@pytest.mark.parametrize(
    "path",
    sorted([*(ROOT / "pages").rglob("*.py"), ROOT / "streamlit_app.py"]),
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_no_sentence_outside_the_catalogues(path: Path) -> None:
    """Pages hold no Chinese text; font names and the name of the house excepted."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not CJK.search(node.value.replace("牌理", "")), f"line {node.lineno}"


@pytest.mark.parametrize(
    ("query", "session", "locale", "picked"),
    [
        (None, None, None, "en"),
        ("zh-TW", None, "en-GB", "zh-Hant"),
        ("zh-HK", None, None, "zh-Hant"),
        ("zh_MO", None, None, "zh-Hant"),
        ("zh-Hant-HK", None, None, "zh-Hant"),
        ("zh-Hans-HK", None, None, "zh-Hans"),
        ("zh", None, None, "zh-Hans"),
        ("zh-SG", None, None, "zh-Hans"),
        (None, "zh-Hant", "zh-CN", "zh-Hant"),
        (None, None, "zh-CN", "zh-Hans"),
        (None, None, "fr-FR", "en"),
        ("klingon", "zh-Hans", "en", "zh-Hans"),
        ("<script>", "", "zh-TW", "zh-Hant"),
    ],
)
def test_language_is_picked(
    query: str | None, session: str | None, locale: str | None, picked: str
) -> None:
    """Address before session before browser; what is not understood is passed over."""
    assert picked == pick_language(query, session, locale)


@given(st.text())
def test_any_tag_picks_a_language(tag: str) -> None:
    """Whatever stands in the address, one of the three languages comes out."""
    assert pick_language(tag) in LANGUAGES
    assert words(tag).lang in LANGUAGES


@given(st.text(alphabet=string.printable))
def test_values_are_never_formats(value: str) -> None:
    """What a visitor typed comes out letter by letter, braces, keys and percents included."""
    error = DdzError(
        "shown", key="error.sample", field="hand", expected="cards", got=value, length=3
    )
    catalogue = words("en")
    template = "{got}|{field}"
    filled = language._PLACEHOLDER.sub(  # the same step that `say` takes
        lambda found: catalogue._value(found, error.key, error.params), template
    )
    assert filled == f"{error.got}|hand"


def test_plural_follows_the_number() -> None:
    """English has two forms, Chinese one, and the number is put in."""
    plural = next(
        (key, forms)
        for domain in DOMAINS
        for key, forms in entries("en", domain).items()
        if len(forms) == 2 and set(PLACEHOLDER.findall(forms[1])) <= {"n"}
    )
    key, (one, more) = plural
    assert words("en").say(key, n=1) == one.replace("{n}", "1")
    assert words("en").say(key, n=2) == more.replace("{n}", "2")
    for n in (1, 2):
        assert str(n) in words("zh-Hans").say(key, n=n) or "{n}" not in more


def test_missing_text_falls_back_outside_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader sees English, or the core's own sentence, never a traceback."""
    with pytest.raises(KeyError):
        words("zh-Hans").say("no.such.key")
    monkeypatch.delenv(language.STRICT)
    assert words("zh-Hans").say("no.such.key") == "no.such.key"
    error = DdzError("the hand cannot be read", key="error.no.such", field="hand")
    assert words("zh-Hant").error(error) == "the hand cannot be read"


def test_phrase_is_worded_in_the_language_of_the_sentence() -> None:
    """A value that is itself a catalogue text is worded first."""
    phrase = Phrase("app.title")
    assert words("en").phrase(phrase) == "Paili"
    assert words("zh-Hans").phrase(phrase) == "牌理"


@pytest.mark.parametrize(("lang", "name"), [("en", "hand 1"), ("zh-Hans", "第 1 家")])
def test_hand_of_an_error_is_named_as_readers_count(lang: str, name: str) -> None:
    """A hand that the core numbers from 0 is numbered from 1 in the language of the sentence."""
    with pytest.raises(DdzError) as caught:
        ddz.position(["33333", "4"], rules=ddz.load_ruleset("classic"))
    assert caught.value.field == "hand 0"
    assert words(lang).error(caught.value).startswith(name)


def test_cause_of_an_error_is_worded_too() -> None:
    """An error that says why it came about says it in the same language."""
    error = DdzError("english", key="error.record.value", field="line 3", line=3, why="english")
    error.__cause__ = DdzError("english", key="error.action.lead", field="action")
    assert words("zh-Hans").error(error) == "第 3 行：你先出，不能不出。"
    assert words("en").error(error) == "Line 3: You lead: play something."
