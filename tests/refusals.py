"""What every refusal of the core must carry, asked in one place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import pytest

import ddz_core as ddz
from ddz_core.language import LANGUAGES, words

Kind = TypeVar("Kind", bound=ddz.DdzError)


def refused(kind: type[Kind], act: Callable[[], object]) -> Kind:
    """Run something that must be refused and return the error, its furniture checked.

    The error is of the family and of the kind, names field, expectation and what came, has an
    English sentence of its own, and a key that every catalogue words with its parameters.
    """
    with pytest.raises(kind) as caught:
        act()
    error = caught.value
    assert isinstance(error, ddz.DdzError)
    check_furniture(error)
    return error


def check_furniture(error: ddz.DdzError) -> None:
    """An error names its field, is one sentence, and is worded in every language."""
    assert error.field, error
    assert isinstance(error.expected, str)
    assert isinstance(error.got, str)
    assert len(error.got) <= 80
    assert len(str(error)) > 8
    assert "\n" not in str(error)
    assert error.key.startswith("error."), error.key
    assert {"field", "expected", "got"} <= set(error.params)
    for language in LANGUAGES:
        catalogue = words(language)
        template = catalogue.texts().get(error.key)
        assert template, f"{error.key} has no sentence in {language}"
        wanted = set(re.findall(r"\{([a-z_]+)\}", str(template)))
        assert wanted <= set(error.params), f"{error.key} in {language} lacks {wanted}"
        assert catalogue.error(error)
