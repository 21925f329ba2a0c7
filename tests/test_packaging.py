"""The wheel carries everything the package reads at run time."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ddz_core.data_files import data_dir
from ddz_core.language import DOMAINS, LANGUAGES

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


def test_data_is_beside_the_package_in_a_checkout() -> None:
    """A checkout reads ``data/`` itself, not a copy of it."""
    assert data_dir() == ROOT / "data"


def test_wheel_holds_all_data(wheel: Path) -> None:
    """Rulesets, compiled texts and the table's script and style are inside; tests are not."""
    names = set(zipfile.ZipFile(wheel).namelist())
    data = {f"ddz_core/data/{p.relative_to(data_dir()).as_posix()}" for p in rulesets()}
    texts = {
        f"ddz_core/data/locales/{lang}/LC_MESSAGES/{domain}.mo"
        for lang in LANGUAGES
        for domain in DOMAINS
    }
    assert data | texts | {"ddz_core/render/table.js", "ddz_core/render/table.css"} <= names
    assert not [name for name in names if name.startswith(("tests/", "pages/", "data/"))]


def test_wheel_finds_its_data(wheel: Path, tmp_path: Path) -> None:
    """Unpacked anywhere, the package reads the data inside it."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = (
        "import ddz_core; from ddz_core.data_files import data_dir; "
        "from ddz_core.language import words; "
        "print(data_dir(), *ddz_core.ruleset_ids(), words('zh-Hant').say('app.language'))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        env={"PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"},
        check=True,
    )
    import ddz_core

    expected = [str(tmp_path / "ddz_core" / "data"), *ddz_core.ruleset_ids(), "語言"]
    assert done.stdout.split() == expected


def rulesets() -> list[Path]:
    """Return the files of all shipped rulesets."""
    return sorted((data_dir() / "rulesets").glob("*.toml"))
