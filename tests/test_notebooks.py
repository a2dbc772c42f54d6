"""The lessons: each notebook is its script, runs in a clean kernel, and shows what it should."""

import re
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest
from ipykernel.kernelspec import write_kernel_spec
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = sorted((ROOT / "notebooks").glob("*.py"))
KERNEL = "this_interpreter"
SECONDS = 90  # for one cell

# Run before the lesson: a warning is an error where the lesson, this package or a missing glyph
# causes it, and not where another package does.
STRICT = r"""
import warnings
warnings.filterwarnings("error", module=r"(__main__|provedp)(\.|$)")
warnings.filterwarnings("error", message="Glyph")
"""
TRACEBACK = re.compile(r"Traceback|\w+Error\b|\w+Warning\b")
PATH = re.compile(r"(?<![\w./])/(?!/)[\w.~-]+/[\w.~-]|[A-Z]:\\|~/|\bfile://|0x[0-9a-f]{6}")

lesson = pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def cells(notebook: Any) -> list[tuple[str, str]]:
    return [(cell.cell_type, cell.source) for cell in notebook.cells]


def texts(notebook: Any) -> list[str]:
    """Return all that the code cells put out, except pictures."""
    found = []
    for outputs in (cell.get("outputs", []) for cell in notebook.cells):
        # A cell prints in pieces that are cut by the clock.
        printed = "".join(output.get("text", "") for output in outputs)
        found += [printed] if printed else []
        for output in outputs:
            found += output.get("traceback", [])
            found += [str(v) for kind, v in output.get("data", {}).items() if "image" not in kind]
    return found


def test_there_is_a_lesson() -> None:
    assert SCRIPTS


@lesson
def test_notebook_is_its_script(script: Path) -> None:
    notebook = read(script.with_suffix(".ipynb"))
    assert cells(notebook) == cells(jupytext.read(script))
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))


@lesson
def test_outputs_show_no_error_and_no_path(script: Path) -> None:
    shown = "\n".join(texts(read(script.with_suffix(".ipynb"))))
    assert shown
    assert TRACEBACK.search(shown) is None
    assert PATH.search(shown) is None
    assert str(ROOT) not in script.with_suffix(".ipynb").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["/usr/lib/x", "in /tmp/a", "C:\\x", "~/x", "at 0x7f00aa11"])
def test_paths_are_recognised(text: str) -> None:
    assert PATH.search(text)


@pytest.mark.parametrize("text", ["1/2 1/5", " 5/6    1/6", "and/or", "10 dB"])
def test_fractions_are_no_paths(text: str) -> None:
    assert not PATH.search(text)


@lesson
def test_notebook_runs(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_kernel_spec(tmp_path / "kernels" / KERNEL)
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = read(script.with_suffix(".ipynb"))
    expected = texts(notebook)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(STRICT))
    where = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, kernel_name=KERNEL, timeout=SECONDS, resources=where).execute()
    assert texts(notebook) == expected
