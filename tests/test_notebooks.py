"""The lessons: each notebook is its script, runs in a clean kernel, and shows what it should."""

import re
import statistics
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest
from ipykernel.kernelspec import write_kernel_spec
from nbclient import NotebookClient

from provedp.course import LESSONS, exercises
from provedp.verify.ledger import registry

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = sorted((ROOT / "notebooks").glob("*.py"))
KERNEL = "this_interpreter"
SECONDS = 90  # for one cell
SLOW = {"6_audit", "8_training"}  # the better part of a minute

# Run before the lesson: a warning is an error where the lesson, this package or a missing glyph
# causes it, and not where another package does.
STRICT = r"""
import warnings
warnings.filterwarnings("error", module=r"(__main__|provedp)(\.|$)")
warnings.filterwarnings("error", message="Glyph")
"""
# Run before the lesson too: every figure is looked at when it is shown.
LABELLED = r"""
import matplotlib.pyplot as plt
def _show(shown=plt.show):
    for figure in map(plt.figure, plt.get_fignums()):
        axes = [each for each in figure.axes if each.get_label() != "<colorbar>"]
        assert axes and all(each.get_title() for each in axes), "a figure without a title"
        for each in axes:
            assert each.get_xlabel(), f"no label of x: {each.get_title()}"
            assert each.get_ylabel() or each.get_shared_y_axes().joined(each, axes[0]), "no y"
        for label in [text() for each in axes for text in (each.get_xlabel, each.get_ylabel)]:
            assert not label.startswith("ε") or "(nats)" in label or "/" in label, label
        for bar in (each for each in figure.axes if each not in axes):
            assert bar.get_ylabel(), "a colour bar without a label"
    shown()
plt.show = _show
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


def code_cells(path: Path) -> list[str]:
    return [source for kind, source in cells(jupytext.read(path)) if kind == "code"]


def lines(source: str) -> int:
    return sum(1 for line in source.splitlines() if line.strip())


def test_the_lessons_are_those_of_the_course() -> None:
    assert [path.stem for path in SCRIPTS] == sorted(
        name for lesson in LESSONS for name in lesson.notebooks
    )
    assert [lesson.number for lesson in LESSONS] == list(range(9))


@lesson
def test_cells_are_short(script: Path) -> None:
    counts = [lines(source) for source in code_cells(script)]
    assert len(counts) >= 15
    assert statistics.median(counts) <= 3
    ideas = [lines(source) for source in code_cells(script) if "\nimport " not in source]
    assert max(ideas) <= 14


@lesson
def test_pictures_are_scalable(script: Path) -> None:
    kinds = {
        kind
        for cell in read(script.with_suffix(".ipynb")).cells
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
        if "image" in kind
    }
    assert kinds == {"image/svg+xml"}
    assert script.with_suffix(".ipynb").stat().st_size < 1_000_000


@lesson
def test_the_beginning_says_for_whom_and_what_for(script: Path) -> None:
    first = script.read_text(encoding="utf-8").split("# %%")[1]
    if script.stem != "4_mixture_release":
        assert "You need:" in first and "You will know afterwards:" in first.replace("\n# ", " ")
        assert re.search(r"About \d+ minutes", first.replace("\n# ", " "))


@pytest.mark.parametrize("number", range(9))
def test_the_exercises_are_listed_at_the_end(number: int) -> None:
    script = ROOT / "notebooks" / f"{LESSONS[number].notebooks[-1]}.py"
    text = " ".join(script.read_text(encoding="utf-8").replace("\n# ", " ").split())
    listed = text.split("## Exercises")[1]
    for exercise in exercises(number):
        if not exercise.title.startswith("Mechanism "):
            assert f"`{exercise.name}` {exercise.title}" in listed


@lesson
def test_the_claims_that_are_named_exist(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:provedp show )?((?:privacy|counting|mixture|modes)\.\w+)`", text))
    assert named <= set(registry.claims())


def test_the_page_lists_every_lesson_in_order() -> None:
    page = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\((\w+)\.ipynb\)", page)
    assert linked == [name for each in LESSONS for name in each.notebooks]
    rows = re.findall(r"^\| (\d) \|.*\| (\d+) \|$", page, re.MULTILINE)
    for number, minutes in rows:
        first = (ROOT / "notebooks" / f"{LESSONS[int(number)].notebooks[0]}.py").read_text(
            encoding="utf-8"
        )
        assert f"About {minutes} minutes" in first.replace("\n# ", " ")
    assert len(rows) == len(LESSONS)


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


@pytest.mark.parametrize(
    "script",
    [pytest.param(each, marks=[pytest.mark.slow] if each.stem in SLOW else []) for each in SCRIPTS],
    ids=lambda path: path.stem,
)
def test_notebook_runs(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_kernel_spec(tmp_path / "kernels" / KERNEL)
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = read(script.with_suffix(".ipynb"))
    expected = texts(notebook)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(STRICT + LABELLED))
    where = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, kernel_name=KERNEL, timeout=SECONDS, resources=where).execute()
    assert texts(notebook) == expected
