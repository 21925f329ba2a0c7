"""What the parts of the project may know of each other, held by reading the source."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "ddz_core"
PAGES = ROOT / "pages"

# Imports only go down; inside a layer left may import right, never back (design, "Layers").
LAYERS = (
    (
        *("rulesets", "ruleset_checks", "kernels", "specs", "cards", "estimate", "display"),
        *("spreading", "language", "errors", "data_files"),
    ),
    (
        *("rules", "actions", "declarations", "scoring", "score_facts", "auction"),
        *("procedures", "dealing", "suits", "patterns"),
    ),
    ("imports", "record", "codes", "handlines", "positions", "observation", "game", "course"),
    (
        "memory",
        "claims",
        *("training", "training_games", "ladder", "review", "study", "changing", "bottoms"),
        *("bidding", "strengths"),
        "settling",
        *("bidding_games", "bidding_deals", "bookbids", "setting", "dealing_like"),
        *("atlas", "brick", "guide", "hints", "quiz", "surgeon", "explorer", "bots"),
        *("equity", "solver"),
        *("calibration", "reading", "behaviour", "belief"),
        *("distributions", "probability", "decompose", "sampling", "counting", "clauses"),
    ),
    ("plots", "render", "lessons", "puzzles", "tabletop", "classroom", "shifting"),
)
FRONT = {"__init__", "__main__", "cli", "bench"}
"""Doors of the package: they may import everything, nothing imports them."""

# Heavy packages are loaded with their first use. Nothing else may be imported in a function.
LAZY = {"numba", "pandas", "plotly", "anywidget", "traitlets", "distributed"}
LAYER = {name: (level, place) for level, row in enumerate(LAYERS) for place, name in enumerate(row)}

CORE_FILES = sorted(CORE.rglob("*.py"))
PAGE_FILES = sorted(PAGES.glob("*.py"))
APP_FILES = sorted([*PAGES.rglob("*.py"), ROOT / "streamlit_app.py"])


def tree(path: Path) -> ast.Module:
    """Parse a file."""
    return ast.parse(path.read_text("utf-8"), str(path))


def part(path: Path) -> str:
    """Return the module or subpackage of the core that a file belongs to."""
    return path.relative_to(CORE).parts[0].removesuffix(".py")


def imports(node: ast.AST) -> set[str]:
    """Return the dotted names that a piece of code imports, ``a.b`` for ``from a import b``."""
    found: set[str] = set()
    for sub in ast.walk(node):
        if isinstance(sub, ast.Import):
            found |= {alias.name for alias in sub.names}
        elif isinstance(sub, ast.ImportFrom) and sub.module:
            found |= {f"{sub.module}.{alias.name}" for alias in sub.names}
    return found


def runtime(module: ast.Module) -> ast.Module:
    """Return the module without its ``if TYPE_CHECKING:`` blocks."""

    class Strip(ast.NodeTransformer):
        def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
            if "TYPE_CHECKING" in ast.unparse(node.test):
                return [self.visit(sub) for sub in node.orelse]
            return self.generic_visit(node)

    return Strip().visit(module)


def name_of(path: Path) -> str:
    """Return a file's path as test id."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", CORE_FILES, ids=name_of)
def test_imports_only_go_down(path: Path) -> None:
    """A module imports lower layers and what stands right of it in its own, nothing else."""
    here = part(path)
    if here in FRONT:
        return
    assert here in LAYER, f"{here} has no place in the layers: add it to the design and to LAYERS"
    level, place = LAYER[here]
    for name in imports(runtime(tree(path))):
        if not name.startswith("ddz_core."):
            continue
        there = name.split(".")[1]
        if there == here:
            continue
        assert there in LAYER, f"{name_of(path)} imports {name}, which has no place in the layers"
        there_level, there_place = LAYER[there]
        down = there_level < level or (there_level == level and there_place > place)
        assert down, f"{name_of(path)} imports {name}, which is not below it"


@pytest.mark.parametrize("path", CORE_FILES, ids=name_of)
def test_no_import_hides_in_a_function(path: Path) -> None:
    """Only heavy packages, and the front doors, import inside a function."""
    if part(path) in FRONT:
        return
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            hidden = {name.split(".")[0] for name in imports(node)}
            if part(path) != "kernels":
                lazy_kernels = {n for n in imports(node) if n.startswith("ddz_core.kernels")}
                hidden -= {"ddz_core"} if lazy_kernels else set()
            assert hidden <= LAZY, f"{name_of(path)}: {node.name} imports {sorted(hidden - LAZY)}"


@pytest.mark.parametrize("path", CORE_FILES, ids=name_of)
def test_core_knows_no_application(path: Path) -> None:
    """The core imports neither Streamlit nor the pages; numba is for the kernels alone."""
    names = {name.split(".")[0] for name in imports(tree(path))}
    assert not names & {"streamlit", "pages", "streamlit_app", "tools"}
    if part(path) != "kernels":
        assert "numba" not in names, "numba is imported by ddz_core/kernels only"
    if LAYER.get(part(path), (4, 0))[0] < 4:
        assert "plotly" not in names, "figures are made in layer 4"


@pytest.mark.parametrize("path", sorted([*CORE_FILES, *APP_FILES]), ids=name_of)
def test_no_file_grows_too_long(path: Path) -> None:
    """A module has at most 600 lines, a page 120, the router 40."""
    lines = len(path.read_text("utf-8").splitlines())
    limit = 120 if path in PAGE_FILES else 40 if path.name == "streamlit_app.py" else 600
    assert lines <= limit


@pytest.mark.parametrize("path", CORE_FILES, ids=name_of)
def test_no_rule_is_asked_for_by_name(path: Path) -> None:
    """Outside the reader of rulesets nothing compares a ruleset's id or name with a text."""
    if part(path) in {"rulesets", "specs", "ruleset_checks"}:
        return
    ids = {file.stem for file in (ROOT / "data" / "rulesets").glob("*.toml")}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            texts = {s.value for s in sides if isinstance(s, ast.Constant)}
            texts |= {
                e.value
                for s in sides
                if isinstance(s, ast.Tuple | ast.Set | ast.List)
                for e in s.elts
                if isinstance(e, ast.Constant)
            }
            assert not texts & ids, f"line {node.lineno} compares with a ruleset's id"
            about = re.search(r"\brules(et)?\.(id|name)\b", ast.unparse(node))
            assert not about, f"line {node.lineno} compares a ruleset's id or name"
        if isinstance(node, ast.Match):
            patterns = {
                p.value.value
                for p in ast.walk(node)
                if isinstance(p, ast.MatchValue) and isinstance(p.value, ast.Constant)
            }
            assert not patterns & ids, f"line {node.lineno} matches a ruleset's id"


@pytest.mark.parametrize("path", CORE_FILES, ids=name_of)
def test_no_global_randomness_or_clock(path: Path) -> None:
    """Draws take a generator that is passed in; nothing seeds or uses a process-wide one."""
    source = path.read_text("utf-8")
    assert not re.search(r"\bnp\.random\.(seed|rand|randint|choice|shuffle|permutation)\b", source)
    assert "random" not in imports(tree(path))


@pytest.mark.parametrize("path", PAGE_FILES, ids=name_of)
def test_page_begins_with_its_guard(path: Path) -> None:
    """The first statement of a page, after its imports, sends deep links through the router."""
    body = [
        node
        for node in tree(path).body
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]
    assert ast.unparse(body[0]) == "shell.page_guard()"


@pytest.mark.parametrize("path", PAGE_FILES, ids=name_of)
def test_page_is_thin(path: Path) -> None:
    """A page defines no class and at most three functions, opens no file, imports no page."""
    nodes = list(ast.walk(tree(path)))
    assert not [node.name for node in nodes if isinstance(node, ast.ClassDef)]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert len(functions) <= 3
    calls = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    assert not calls & {"open", "exec", "eval"}
    others = {f"pages.{page.stem}" for page in PAGE_FILES}
    assert not imports(tree(path)) & others


def test_every_page_is_in_the_menu() -> None:
    """The groups of the shell list each page file once and nothing else."""
    from pages._kit import shell

    listed = [name for group in shell.GROUPS.values() for name in group]
    assert sorted(listed) == sorted(page.stem for page in PAGE_FILES)


@pytest.mark.parametrize("path", APP_FILES, ids=name_of)
def test_session_keys_are_listed(path: Path) -> None:
    """Session state is written under a key of the list or under a widget's own ``w_`` name."""
    if name_of(path) == "pages/_kit/session.py":
        return
    for node in ast.walk(tree(path)):
        written = isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
        if written and ast.unparse(node.value) == "st.session_state":
            key = ast.unparse(node.slice)
            assert key.startswith(("'w_", "f'w_", "session.", "key")), f"line {node.lineno}: {key}"


def test_import_of_the_package_is_light() -> None:
    """``import ddz_core`` loads neither numba nor pandas nor plotly nor Streamlit."""
    code = (
        "import sys, ddz_core; "
        "heavy = ('numba', 'pandas', 'plotly', 'anywidget', 'streamlit'); "
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_public_names_are_there_and_documented() -> None:
    """Every public name exists and says in one sentence what it is."""
    import ddz_core

    for name in ddz_core.__all__:
        value = getattr(ddz_core, name)
        assert (value.__doc__ or "").strip(), f"{name} has no docstring"


def test_garbage_collector_option_is_still_known() -> None:
    """Streamlit still has the hidden option that keeps it from a full collection after each run."""
    from streamlit import config

    assert "runner.postScriptGC" in config.get_config_options()
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["runner"]["postScriptGC"] is False


def test_every_setting_is_known_to_streamlit() -> None:
    """No line of ``.streamlit/config.toml`` is a name that this Streamlit does not know."""
    from streamlit import config

    known = config.get_config_options()
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))

    def names(table: dict[str, object], prefix: str = "") -> list[str]:
        found = []
        for key, value in table.items():
            if isinstance(value, dict):
                found += names(value, f"{prefix}{key}.")
            else:
                found.append(prefix + key)
        return found

    assert [name for name in names(settings) if name not in known] == []
