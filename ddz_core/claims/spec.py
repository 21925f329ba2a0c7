"""A claim as a file: what it says, where it stands, how it is tested. Unknown keys are refused.

The texts of a claim stand in its own file, in every language, so that a coach who edits one needs
no other. The verdict is never in the file: it follows from the numbers
(:mod:`ddz_core.claims.verdict`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from ddz_core.data_files import data_dir
from ddz_core.errors import DdzError
from ddz_core.language import LANGUAGES

Method = Literal["exact", "paired", "posterior", "solver", "map", "none"]
Group = Literal["bidding", "planning", "defence", "reading", "questions", "example"]
GROUPS: tuple[Group, ...] = (
    *("bidding", "planning", "defence", "reading", "questions", "example"),
)
MOST_TEXT = 100_000
"""Characters of a claim's file."""

_ID = re.compile(r"[A-Z][0-9]{1,2}")


class _Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Text(_Struct, frozen=True, kw_only=True, rename={"zh_hans": "zh-Hans", "zh_hant": "zh-Hant"}):
    """One text in every language."""

    en: str
    zh_hans: str
    zh_hant: str

    def of(self, lang: str) -> str:
        """Return the text of a language tag, in English where there is none."""
        return str(getattr(self, lang.lower().replace("-", "_"), self.en))


class Source(_Struct, frozen=True, kw_only=True):
    """Where a document says so.

    Attributes:
        document: number of the document, as in ``data/SOURCES.md``.
        place: the heading or place in it.
        words: a few words of the document by which the place is found.
    """

    document: str
    place: str
    words: str = ""


class Slider(_Struct, frozen=True, kw_only=True):
    """A condition that a reader may move.

    Attributes:
        name: of the experiment's parameter.
        low, high, step: the range.
        default: where it stands at first.
        unit: ``share``, ``cards``, ``plays``, ``times``, ``ranks``, ``points`` or ``switch``.
        label: what it is called.
    """

    name: str
    low: float
    high: float
    step: float
    default: float
    unit: str = "share"
    label: Text


class Claim(_Struct, frozen=True, kw_only=True):
    """One claim; see the module.

    Attributes:
        id: such as ``B4``.
        group: part of the game that it is about.
        title: a few words.
        wording: exactly what is tested, in our words.
        lesson: what the experiment is to show, or why it is none.
        instead: what is taught where the claim is not testable.
        sources: where the documents say so.
        method: ``exact`` (counted), ``paired`` (the same deals twice), ``posterior`` (how often a
            guess is right), ``solver``, ``map`` (over two conditions), or ``none`` for what cannot
            be tested.
        experiment: name of a registered experiment; empty for method ``none``.
        parameters: fixed values of the experiment's parameters.
        conditions: sliders.
        cells: wording of each cell of the experiment.
        margin: differences of chance up to this are of no practical size.
        margin_points: the same for points.
        rulesets: ids of the games it is tested in, the first one by default.
        deals: deals of a full-size run of rule bots.
        deals_net: the same of nets, which play slower.
    """

    id: str
    group: Group
    title: Text
    wording: Text
    lesson: Text
    instead: Text | None = None
    sources: tuple[Source, ...] = ()
    method: Method
    experiment: str = ""
    parameters: dict[str, float] = {}
    conditions: tuple[Slider, ...] = ()
    cells: dict[str, Text] = {}
    margin: float = 0.01
    margin_points: float = 0.05
    rulesets: tuple[str, ...] = ("classic",)
    deals: int = 200_000
    deals_net: int = 30_000

    @property
    def testable(self) -> bool:
        """Whether there is an experiment."""
        return self.method != "none"

    def defaults(self) -> dict[str, float]:
        """Return the values of all parameters that the file names."""
        return {**self.parameters, **{one.name: one.default for one in self.conditions}}

    def values(self, conditions: Mapping[str, float] | None = None) -> dict[str, float]:
        """Return the values of all parameters with some sliders moved.

        Raises:
            DdzError: for a condition that the claim does not have, or a value out of its range.
        """
        values = self.defaults()
        known = {one.name: one for one in self.conditions}
        for name, value in (conditions or {}).items():
            slider = known.get(name)
            if slider is None:
                raise wrong(f"{self.id}.{name}", ", ".join(known) or "-", name)
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not number or not slider.low <= value <= slider.high:
                raise wrong(f"{self.id}.{name}", f"{slider.low:g}–{slider.high:g}", value)
            values[name] = float(value)
        return values

    def cell_text(self, name: str, lang: str) -> str:
        """Return the wording of a cell; one of points or wins shares that of its condition."""
        for known in (name, name.removesuffix("_points"), name.removesuffix("_wins")):
            if known in self.cells:
                return self.cells[known].of(lang)
        return name

    @property
    def margins(self) -> dict[str, float]:
        """The practical margin by unit."""
        return {
            "probability": self.margin,
            "points": self.margin_points,
            "bits": 0.1,
            "plays": 0.05,
            "cards": 0.05,
        }


def wrong(field: str, expected: object, got: object, *, key: str = "claim.value") -> DdzError:
    """Return the error for something in a claim or about one that cannot be."""
    return DdzError(
        f"{field}: expected {expected}, got {got!r}",
        key=f"error.{key}",
        field=field,
        expected=expected,
        got=got,
    )


def read(text: str, name: str = "claim") -> Claim:
    """Return the claim of a file's text, checked.

    Args:
        text: TOML.
        name: how the file is called in errors.

    Raises:
        DdzError: naming the field, what was expected and what came.
    """
    if len(text) > MOST_TEXT:
        raise wrong(name, f"≤ {MOST_TEXT}", len(text))
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise wrong(name, "TOML", str(error), key="claim.file") from error
    try:
        claim = msgspec.convert(table, Claim)
    except msgspec.ValidationError as error:
        raise wrong(name, "-", str(error), key="claim.file") from error
    _check(claim, name)
    return claim


def _check(claim: Claim, name: str) -> None:
    if not _ID.fullmatch(claim.id):
        raise wrong(f"{name}: id", "B4", claim.id)
    if claim.testable == (not claim.experiment):
        raise wrong(f"{name}: experiment", "a name, or method none", claim.experiment)
    if claim.testable == (claim.instead is not None):
        raise wrong(f"{name}: instead", "a text where method is none", claim.method)
    if not 0 < claim.margin < 1:
        raise wrong(f"{name}: margin", "0–1", claim.margin)
    if claim.margin_points <= 0:
        raise wrong(f"{name}: margin_points", "> 0", claim.margin_points)
    for field, deals in (("deals", claim.deals), ("deals_net", claim.deals_net)):
        if not 2_000 <= deals <= 10**8:
            raise wrong(f"{name}: {field}", f"2000–{10**8}", deals)
    if not claim.rulesets:
        raise wrong(f"{name}: rulesets", "classic", claim.rulesets)
    texts = {"title": claim.title, "wording": claim.wording, "lesson": claim.lesson}
    texts |= {f"cells.{key}": text for key, text in claim.cells.items()}
    texts |= {f"conditions.{one.name}": one.label for one in claim.conditions}
    texts |= {"instead": claim.instead} if claim.instead is not None else {}
    for field, text in texts.items():
        for lang in LANGUAGES:
            if not text.of(lang).strip():
                raise wrong(f"{name}: {field}.{lang}", "a text", "")
    seen: set[str] = set(claim.parameters)
    for one in claim.conditions:
        if one.name in seen:
            raise wrong(f"{name}: conditions", "different names", one.name)
        seen.add(one.name)
        fits = one.low <= one.default <= one.high and one.low < one.high and one.step > 0
        if not fits:
            given = f"{one.low:g}–{one.high:g}, {one.step:g}, {one.default:g}"
            raise wrong(f"{name}: conditions.{one.name}", "low ≤ default ≤ high, step > 0", given)


def folder() -> Path:
    """Return the folder of the shipped claims."""
    return data_dir() / "claims"


def load_folder(place: Path) -> tuple[dict[str, Claim], dict[str, DdzError]]:
    """Return the claims of a folder by id, and the errors of files that cannot be used by name.

    A file that is wrong keeps none of the others from being used.
    """
    claims: dict[str, Claim] = {}
    errors: dict[str, DdzError] = {}
    for path in sorted(place.glob("*.toml"), key=lambda one: _order(one.stem)):
        try:
            claim = read(path.read_text("utf-8"), path.name)
            if claim.id != path.stem:
                raise wrong(f"{path.name}: id", path.stem, claim.id)
        except DdzError as error:
            errors[path.name] = error
        except (OSError, UnicodeDecodeError) as error:
            errors[path.name] = wrong(path.name, "UTF-8", str(error), key="claim.file")
        else:
            claims[claim.id] = claim
    return claims, errors


def _order(stem: str) -> tuple[int, int, str]:
    letters = "BPDRQW"
    number = int(stem[1:]) if stem[1:].isdecimal() else 0
    return (letters.find(stem[:1]), number, stem)


@cache
def shipped() -> tuple[dict[str, Claim], dict[str, DdzError]]:
    """Return the shipped claims and the errors of their files; see :func:`load_folder`."""
    return load_folder(folder())
