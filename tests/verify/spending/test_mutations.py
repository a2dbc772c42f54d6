"""The suite notices wrong lines in the mechanisms: `mutations` holds them, one at a time.

Each is applied to a copy of the package, and the fast part of the suite is run against that. It
takes the better part of an hour; `python tests/verify/spending/test_mutations.py` prints a table.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SUITE = ("test_laws.py", "test_suite.py")
LONGEST = 1200  # seconds; a mutant that does not end is noticed, too


def _mutations() -> Sequence[Any]:
    spec = importlib.util.spec_from_file_location("mutations", HERE / "mutations.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutations"] = module
    spec.loader.exec_module(module)
    found: Sequence[Any] = module.MUTATIONS
    return found


MUTATIONS = _mutations()


def killed_by(mutation: Any, folder: Path) -> str:
    """Return the first test that fails with one wrong line, or an empty text."""
    package = folder / "provedp"
    shutil.copytree(ROOT / "provedp", package, ignore=shutil.ignore_patterns("__pycache__"))
    file = package / mutation.file
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    tests = folder / "suite"
    tests.mkdir()
    for name in SUITE:
        shutil.copy(HERE / name, tests)
    shutil.copy(ROOT / "tests" / "conftest.py", tests)
    shutil.copy(ROOT / "pyproject.toml", folder)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "-m", "not slow"]
    command += ["-p", "no:cacheprovider", "--tb=no", *(f"suite/{name}" for name in SUITE)]
    if "/modes/" in mutation.file:  # which no mixture has to do with
        command += ["-k", "not PrivateMixture"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    try:
        run = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        return "it does not end"
    if run.returncode == 0:
        return ""
    lines = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines[0] if lines else f"status {run.returncode}"


def test_every_line_to_change_stands_once() -> None:
    for each in MUTATIONS:
        text = (ROOT / "provedp" / each.file).read_text(encoding="utf-8")
        assert text.count(each.old) == 1, each.what
        assert each.old != each.new
    assert len({each.what for each in MUTATIONS}) == len(MUTATIONS) >= 40


@pytest.mark.slow
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: each.what)
def test_wrong_lines_are_noticed(mutation: Any, tmp_path: Path) -> None:
    assert killed_by(mutation, tmp_path) or mutation.harmless


def main() -> None:
    """Print who notices each wrong line."""
    import tempfile

    for each in MUTATIONS:
        if not any(word in each.what for word in sys.argv[1:] or [""]):
            continue
        start = time.time()
        with tempfile.TemporaryDirectory() as folder:
            found = killed_by(each, Path(folder))
        verdict = "killed" if found else "alive"
        print(f"{verdict} | {each.what} | {found or each.harmless} | {time.time() - start:.0f} s")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
