"""The table played in a notebook: the page's module and style in an anywidget wrapper.

Layer 4, needs the extra ``notebook``. The browser runs the same ``table.js`` as the page and sends
the same actions, which are checked the same way; the game lives in the kernel, so nothing is kept
in the browser. Style sheet and table stand in a shadow root of their own, so that neither touches
the rest of the notebook.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from ddz_core import display, tabletop
from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.language import Phrase, Words
from ddz_core.render import contract, table_view
from ddz_core.render.module import SCRIPT, STYLE
from ddz_core.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ddz_core.tabletop import Tabletop

_PAGE_EXPORT: Final = "export default function ("
_WRAPPER: Final = """
export default {
  render({ model, el }) {
    // the front end must not take keys that are meant for the table
    el.dataset.lmSuppressShortcuts = "true";
    const inside = el.shadowRoot || el.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = STYLE;
    const root = document.createElement("div");
    inside.replaceChildren(style, root);
    const send = (name, value) => model.send({ name, value });
    let stop = mount(root, model.get("data"), send);
    const show = () => { stop = mount(root, model.get("data"), send); };
    model.on("change:data", show);
    return () => {
      model.off("change:data", show);
      stop();
      root.remove();
    };
  },
};
"""


class PlayedTable(Protocol):
    """A table in a notebook: a widget that a cell shows and that follows what is played.

    Attributes:
        table: what lies on it.
    """

    table: Tabletop

    @property
    def game(self) -> Game:
        """The line in play, to its newest action."""

    def hear(self, message: object) -> None:
        """Carry out what the browser sent and show what follows."""


def module() -> str:
    """Return the table's module with the wrapper for notebooks in the place of that for pages."""
    core = SCRIPT.replace(_PAGE_EXPORT, "export function page(")
    return f"{core}\nconst STYLE = {json.dumps(STYLE)};\n{_WRAPPER}"


@cache
def _widget_class() -> type[Any]:
    """Return the class of the widget; made with its first use, because the extra brings its base.

    Raises:
        ImportError: where the extra is not installed.
    """
    try:
        import anywidget
        import traitlets
    except ImportError as missing:
        raise ImportError(
            'the table in a notebook needs the extra: pip install "ddz-core[notebook]"'
        ) from missing

    class TableWidget(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
        """See :class:`PlayedTable`."""

        _esm = module()
        data = traitlets.Dict().tag(sync=True)

        def __init__(self, table: Tabletop, words: Words, theme: contract.Theme) -> None:
            self.table, self.words, self.theme = table, words, theme
            super().__init__(data=shown(table, words, theme))
            self.on_msg(lambda _, message, __: self.hear(message))

        @property
        def game(self) -> Game:
            """The line in play, to its newest action."""
            return self.table.game

        def hear(self, message: object) -> None:
            """Carry out what the browser sent and show what follows."""
            self.table = heard(self.table, message)
            self.data = shown(self.table, self.words, self.theme)

        def _repr_mimebundle_(
            self, **asked: object
        ) -> tuple[dict[str, Any], dict[str, Any]] | None:
            """Return the widget's own bundle, with the table in words for where it cannot run."""
            made = super()._repr_mimebundle_(**cast("dict[Any, Any]", asked))
            if made is None:
                return None
            bundle, more = made
            return {**bundle, "text/plain": "\n".join(self.data["summary"])}, more

    return TableWidget


def shown(table: Tabletop, words: Words, theme: contract.Theme) -> dict[str, Any]:
    """Return what the browser is to show; nothing of it is kept there."""
    data = dict(table_view.table_data(table, words, theme, ""))
    return {**data, "save": []}


def heard(table: Tabletop, message: object) -> Tabletop:
    """Return the table after a message of the browser; one that is no action says so in words."""
    try:
        value: Mapping[str, Any] = contract.parse_action(
            message.get("value") if isinstance(message, dict) else message
        )
    except DdzError as error:
        return tabletop.told(table, Phrase(error.key, error.params))
    return tabletop.act(table, value)


def table(
    game: Game | Rules | str = "classic",
    *,
    seed: int | None = None,
    seat: int = 0,
    bots: Sequence[str] = (),
    guided: bool = False,
    theme: contract.Theme = "light",
) -> PlayedTable:
    """Return a table to play at in the notebook, the same as the page's.

    The language is that of :func:`ddz_core.use_language`. The object has ``table`` and ``game``,
    which follow what is played.

    Args:
        game: a game to sit down at, or the rules (an object or the id of a shipped game) of a deal.
        seed: of that deal; None draws one. Not for a game that has its cards.
        seat: the person's seat.
        bots: name of the bot on each seat; the usual one where left off or empty.
        guided: whether each phase is explained.
        theme: ``light`` or ``dark``.

    Raises:
        ImportError: where the extra ``notebook`` is not installed.
        DdzError: if the seat, a bot, the seed or the theme cannot be.
    """
    made = _widget_class()
    if theme not in ("light", "dark"):
        raise DdzError(
            f"theme: expected light or dark, got {theme!r}",
            key="error.option.choice",
            field="theme",
            expected="light, dark",
            got=theme,
        )
    if not isinstance(game, Game):
        sat = tabletop.start(game, seed=seed, seat=seat, names=bots, guided=guided)
    elif seed is None:
        sat = tabletop.seated(game, seat=seat, names=bots, guided=guided)
    else:
        raise DdzError(
            f"seed: a game has its cards already, got {seed!r}",
            key="error.option.choice",
            field="seed",
            expected="None",
            got=seed,
        )
    played: PlayedTable = made(sat, display.in_force(), theme)
    return played
