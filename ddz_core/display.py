"""How objects draw themselves in a notebook and turn into frames: hooks that layer 4 fills.

Layer 0. Types of every layer inherit from :class:`Drawn`, or from :class:`Tabular` where they are
a table as well; what they look like is registered by :mod:`ddz_core.render.notebook`, whose name
the package leaves here when it is imported and which is loaded with the first drawing. So the
arrows of the layers still point down and ``import ddz_core`` stays quick.

The language of drawings is a context variable: nothing is installed for the whole process.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from ddz_core.errors import DdzError
from ddz_core.language import LANGUAGES, Words, words

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Drawn", "Hook", "Table", "Tabular", "framed", "register", "stamped", "use_language"]

T = TypeVar("T")
Row = Mapping[str, object]

_LANGUAGE: ContextVar[str] = ContextVar("paili_language", default="en")


@dataclass(frozen=True, slots=True)
class Table:
    """A result as rows, before any frame is made of it.

    Attributes:
        rows: one mapping a row, all with the same columns.
        stamps: columns that are the same in every row, such as ``rules``.
        seed: of the samples or the deal behind the rows; None where there is none.
    """

    rows: tuple[Row, ...]
    stamps: Mapping[str, object] = field(default_factory=dict)
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Hook:
    """How one type is shown.

    Attributes:
        html: the object as markup that carries its style with it and has no script.
        text: the same as plain text.
        rows: the object as a table, None where it is none.
    """

    html: Callable[[Any, Words], str]
    text: Callable[[Any, Words], str]
    rows: Callable[[Any], Table] | None = None


class _Registry:
    """The hooks by type, and where they come from."""

    def __init__(self) -> None:
        self.hooks: dict[type, Hook] = {}
        self.source = ""
        self.version = ""

    def of(self, kind: type) -> Hook | None:
        """Return the hook of a type or of the nearest type that it inherits from."""
        if self.source:
            importlib.import_module(self.source)
        return next((self.hooks[base] for base in kind.__mro__ if base in self.hooks), None)


_registry = _Registry()


def fill_from(module: str, version: str) -> None:
    """Say which module registers the hooks; it is imported with the first drawing.

    Args:
        module: its full name.
        version: of the package, as frames tell it.
    """
    _registry.source, _registry.version = module, version


def register(
    kind: type[T],
    *,
    html: Callable[[T, Words], str],
    text: Callable[[T, Words], str],
    frame: Callable[[T], Table] | None = None,
) -> None:
    """Register how a type is shown; a later registration takes the place of an earlier one.

    Args:
        kind: the type; what inherits from it is shown alike unless registered itself.
        html: returns markup with inline style and without script; texts must be escaped.
        text: returns plain text.
        frame: returns the rows of :meth:`Tabular.frame`.
    """
    _registry.hooks[kind] = Hook(html, text, frame)


def use_language(lang: str) -> None:
    """Choose the language of the drawings that follow, in this notebook or thread alone.

    Args:
        lang: ``en``, ``zh-Hans`` or ``zh-Hant``.

    Raises:
        DdzError: for any other language.
    """
    if lang not in LANGUAGES:
        known = ", ".join(sorted(LANGUAGES))
        raise DdzError(
            f"lang: expected one of {known}, got {lang!r}",
            key="error.language",
            field="lang",
            expected=known,
            got=lang,
        )
    _LANGUAGE.set(lang)


def in_force() -> Words:
    """Return the words of the language in force."""
    return words(_LANGUAGE.get())


class Drawn:
    """Something that draws itself in a notebook."""

    __slots__ = ()

    def _repr_mimebundle_(
        self,
        include: Collection[str] | None = None,
        exclude: Collection[str] | None = None,
    ) -> dict[str, str]:
        """Return the drawing as ``text/html`` and ``text/plain``, as notebooks ask for it."""
        hook = _registry.of(type(self))
        if hook is None:
            return {"text/plain": repr(self)}
        said = in_force()
        made = {"text/html": hook.html, "text/plain": hook.text}
        return {
            kind: draw(self, said)
            for kind, draw in made.items()
            if (not include or kind in include) and kind not in (exclude or ())
        }


class Tabular(Drawn):
    """Something that draws itself in a notebook and is a table as well."""

    __slots__ = ()

    def frame(self) -> pd.DataFrame:
        """Return the table as a pandas frame, with columns ``seed`` and ``version``."""
        hook = _registry.of(type(self))
        if hook is None or hook.rows is None:
            raise TypeError(f"{type(self).__name__} has no rows")
        table = hook.rows(self)
        return framed(table.rows, seed=table.seed, **table.stamps)


def framed(rows: Iterable[Row], *, seed: int | None = None, **stamps: object) -> pd.DataFrame:
    """Return rows as a pandas frame with the same stamps in every row.

    Args:
        rows: one mapping a row.
        seed: of the numbers; a column ``seed`` in the rows wins.
        stamps: further columns, such as ``rules``.
    Cost: loads pandas with the first frame, about half a second.
    """
    import pandas as pd

    return stamped(pd.DataFrame(list(rows)), seed=seed, **stamps)


def stamped(frame: pd.DataFrame, *, seed: int | None = None, **stamps: object) -> pd.DataFrame:
    """Return a frame with the columns ``seed`` and ``version`` and further stamps at its end."""
    added = {name: value for name, value in stamps.items() if name not in frame.columns}
    if "seed" not in frame.columns:
        added["seed"] = seed
    return frame.assign(**added, version=_registry.version)
