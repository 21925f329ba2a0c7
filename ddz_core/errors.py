"""The errors of the core, one small family.

Layer 0. Every error names the field that is wrong, what was expected and what came, and carries
a key of the ``rules`` catalogue with its parameters, so that a page can word it in the reader's
language. ``str(error)`` is the English sentence, for notebooks and the command line.
"""

from __future__ import annotations


class DdzError(ValueError):
    """Something given to the core cannot be used; the base of all its errors.

    Attributes:
        field: what is wrong, as a dotted path or the name of an argument.
        expected: what would have been right, in a few words.
        got: what came instead, shortened to 80 characters.
        key: catalogue key of the sentence (domain ``rules``, always beginning with ``error.``).
        params: named values of that sentence; ``field``, ``expected`` and ``got`` are among them.
    """

    def __init__(
        self,
        message: str,
        *,
        key: str,
        field: str = "",
        expected: object = "",
        got: object = "",
        **params: object,
    ) -> None:
        super().__init__(message)
        self.key = key
        self.field = field
        self.expected = str(expected)
        self.got = shortened(got)
        self.params: dict[str, object] = {
            "field": self.field,
            "expected": self.expected,
            "got": self.got,
            **params,
        }


class NotationError(DdzError):
    """A text cannot be read as cards, an action or a deal."""


class HandError(DdzError):
    """The cards can be read but cannot exist together in this game."""


class NotACombination(DdzError):
    """The cards form no combination of this ruleset."""


class IllegalAction(DdzError):
    """The action can be read but is not allowed now; the state is unchanged."""


class RulesetError(DdzError):
    """A ruleset or an override is unknown, mistyped or contradicts itself."""


class RecordError(DdzError):
    """A record, link or code is cut, altered, of a later version, or illegal at some action."""


class LessonError(DdzError):
    """A lesson or glossary file has an unknown key, an impossible position or a wrong answer."""


def shortened(value: object, limit: int = 80) -> str:
    """Return the value as one printable line of at most ``limit`` characters."""
    text = "".join(c if c.isprintable() else " " for c in str(value))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def no_rules(got: object) -> DdzError:
    """Return the error for something that is given as rules and is none, such as an id."""
    return DdzError(
        f"rules: expected rules (load_ruleset), got {got!r}",
        key="error.rules.kind",
        field="rules",
        expected="load_ruleset(…)",
        got=got,
    )
