"""The notebooks: committed without outputs, and they run as they stand, from any folder."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from ddz_core.data_files import data_dir

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((data_dir() / "notebooks").glob("*.ipynb"))
SAYS = {
    "reading_a_hand": ("plays at least", "Plane + singles", "Too short", "sampled"),
    "judging_a_bid": ("7 points, 7 are enough", "wins as landlord", "best on these deals", "exact"),
    "who_holds_the_bomb": ("Who holds what, from counting alone", "exact", "sampled", "0.408408"),
}
"""What each notebook must come to say."""


def cells(path: Path, kind: str) -> list[dict[str, Any]]:
    """Return the cells of a kind."""
    found = json.loads(path.read_text("utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == kind]


def test_there_are_three() -> None:
    """Each question a coach asks has its notebook, and each is checked for what it says."""
    assert sorted(SAYS) == [path.stem for path in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_committed_without_outputs(path: Path) -> None:
    """A notebook holds no results: they come with running it; every section is introduced."""
    code = cells(path, "code")
    assert len(code) >= 8
    for cell in code:
        assert cell["outputs"] == []
        assert cell["execution_count"] is None
    assert len(cells(path, "markdown")) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_from_top_to_bottom(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every cell runs in a fresh kernel, and what the notebook is for comes out of it."""
    nbclient = pytest.importorskip(
        "nbclient", reason="nbclient is missing: pip install -e '.[test]'"
    )
    pytest.importorskip("ipykernel", reason="ipykernel is missing: pip install -e '.[test]'")
    import nbformat

    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("PLOTLY_RENDERER", "plotly_mimetype")
    # the kernel of this very environment, whatever is registered on the machine
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    spec = tmp_path / "kernels" / "paili-tests"
    spec.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    told = {"argv": command, "display_name": "tests", "language": "python"}
    (spec / "kernel.json").write_text(json.dumps(told), "utf-8")
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(
        book, timeout=180, kernel_name="paili-tests", resources=resources
    ).execute()
    said = "\n".join(
        str(output.get("text", "")) + str(output.get("data", {}).get("text/plain", ""))
        for cell in book.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    )
    for text in SAYS[path.stem]:
        assert text in said
    drawn = [
        output["data"]["text/html"]
        for cell in book.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "text/html" in output.get("data", {})
    ]
    assert any("<svg" in one for one in drawn)
    assert not any("<script" in one for one in drawn)
