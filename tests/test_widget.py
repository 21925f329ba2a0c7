"""The table in a notebook: the page's module in another wrapper, actions checked in the kernel."""

from __future__ import annotations

import contextvars
import json
from typing import TYPE_CHECKING, Any

import pytest

import ddz_core as ddz
from ddz_core import tabletop
from ddz_core.language import LANGUAGES, words
from ddz_core.render import widget
from ddz_core.render.module import SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.importorskip("anywidget", reason="needs the extra: pip install 'ddz-core[notebook]'")


def send(table: Any, kind: str, **more: object) -> None:
    """Send an action as the browser does, for the position on the table."""
    value = {"number": table.data["number"], "kind": kind, **more}
    table.hear({"name": "action", "value": value})


def test_the_module_is_that_of_the_page() -> None:
    """Only the default export differs, and there is one of it."""
    made = widget.module()
    assert SCRIPT.count(widget._PAGE_EXPORT) == 1
    assert made.count("export default") == 1
    start = SCRIPT.index(widget._PAGE_EXPORT)
    assert made.startswith(SCRIPT[:start])


def test_a_deal_is_played_to_its_end() -> None:
    """Actions and ticks carry a deal to its end, as the table of the page would play it."""
    table = ddz.table("classic", seed=5, seat=1)
    twin = tabletop.start("classic", seed=5, seat=1)
    for _ in range(400):
        if table.table.over:
            break
        number = table.data["number"]
        if table.table.my_turn:
            action = table.game.legal()[-1]
            word = isinstance(action, str)
            kind = ("pass" if action == "pass" else "choice") if word else "play"
            more = {"value": action} if kind == "choice" else {"move": str(action)}
        else:
            kind, more = "tick", {}
        send(table, kind, **({} if kind == "pass" else more))
        value = {"number": number, "kind": kind, **({} if kind == "pass" else more)}
        twin = tabletop.act(twin, value)
        assert table.table == twin
    assert table.game.phase == "settled"
    assert table.data["phase"]["kind"] == "over"
    assert json.loads(json.dumps(table.data)) == table.data


def test_the_browser_is_not_trusted() -> None:
    """Anything that is no action, or not allowed, changes nothing and says so in words."""
    table = ddz.table("classic", seed=5)
    game = table.game
    for message in (None, {}, {"value": 3}, {"value": {"number": 0, "kind": "eval"}}, "x"):
        table.hear(message)
        assert table.game is game
        assert [m["tone"] for m in table.data["messages"]] == ["error"]
    send(table, "play", cards=["X0"])
    assert table.game is game
    assert table.data["refused"] > 0


def test_nothing_is_kept_in_the_browser() -> None:
    """The game lives in the kernel: the browser is asked to write and to read nothing."""
    data = ddz.table("classic", seed=5).data
    assert data["save"] == []
    assert data["want_restore"] is None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_language_in_force_is_spoken(lang: str) -> None:
    """A table speaks the language chosen before it was made, and says itself in words as text."""

    def make() -> Any:
        ddz.use_language(lang)
        return ddz.table("classic", seed=5, guided=True)

    table = contextvars.copy_context().run(make)
    assert table.data["lang"] == lang
    assert table.data["words"]["hand"] == words(lang).say("table.js.hand")
    bundle = table._repr_mimebundle_()[0]
    assert bundle["text/plain"].splitlines() == table.data["summary"]


def test_a_game_is_sat_down_at() -> None:
    """A game of one's own is the line in play; what cannot go with it is refused by name."""
    rules = ddz.load_ruleset("wuhan")
    game = ddz.new_game(rules, ddz.deal(rules, seed=2))
    table = ddz.table(game, seat=2)
    assert table.game == game
    assert table.data["me"]["id"] == 2
    for wrong, field in (
        ({"seed": 1}, "seed"),
        ({"theme": "pink"}, "theme"),
        ({"seat": 9}, "seat"),
    ):
        with pytest.raises(ddz.DdzError) as refused:
            ddz.table(game, **wrong)
        assert refused.value.field == field


PAGE = """
<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><div id="cell"></div>
<script type="module">
const handlers = new Set();
let data = null;
const model = {
  get: () => data,
  on: (name, handler) => handlers.add(handler),
  off: (name, handler) => handlers.delete(handler),
  send: (message) => window.kernel(message),
};
window.begin = async (code, first) => {
  data = first;
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const widget = (await import(url)).default;
  window.stop = widget.render({ model, el: document.getElementById("cell") });
};
window.change = (next) => { data = next; handlers.forEach((handler) => handler()); };
window.handlers = handlers;
window.ready = true;
</script>
"""


@pytest.mark.browser
def test_the_table_is_played_in_a_browser(chromium: Browser) -> None:
    """A front end that follows the widget protocol shows the table, plays, and is left clean."""
    table = ddz.table("classic", seed=1, seat=0)
    page = chromium.new_page(viewport={"width": 1000, "height": 1000})
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    heard: list[Any] = []
    page.expose_function("kernel", lambda message: heard.append(message))
    page.set_content(PAGE)
    page.wait_for_function("window.ready")
    page.evaluate("([code, data]) => window.begin(code, data)", [table._esm, table.data])

    def until(done: Any) -> None:
        for _ in range(200):
            while heard:
                table.hear(heard.pop(0))
                page.evaluate("(data) => window.change(data)", table.data)
            if done():
                return
            page.wait_for_timeout(50)
        raise AssertionError("the table did not come so far")

    until(lambda: table.table.my_turn)
    before = len(table.game.history)
    page.locator("#cell button.choice").last.click()
    until(lambda: len(table.game.history) > before)
    assert table.game.history[before].seat == 0
    assert page.locator("#cell .card").count() > 17
    # the table's style stays inside, the notebook's outside
    assert page.evaluate("getComputedStyle(document.body).margin") == "8px"
    assert page.evaluate("document.getElementById('cell').shadowRoot !== null")
    assert page.get_attribute("#cell", "data-lm-suppress-shortcuts") == "true"
    page.evaluate("window.stop()")
    assert page.evaluate("window.handlers.size") == 0
    assert not wrong
    page.close()
