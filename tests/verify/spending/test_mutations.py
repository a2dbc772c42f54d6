"""The suite notices wrong lines in the mechanisms: `mutations` holds them, one at a time.

Each is applied to a copy of the package, and the fast part of the suite is run against that. It
takes the better part of an hour; `python tests/verify/spending/test_mutations.py` prints a table.
"""

import importlib.util
import os
import resource
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
LONGEST = 1200  # seconds of processor; what has not ended by then is undecided


def _mutations() -> Sequence[Any]:
    spec = importlib.util.spec_from_file_location("mutations", HERE / "mutations.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutations"] = module
    spec.loader.exec_module(module)
    found: Sequence[Any] = module.MUTATIONS
    return found


MUTATIONS = _mutations()


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))


def tried(mutation: Any, folder: Path) -> tuple[str, str]:
    """Return killed, alive or undecided for one wrong line, and the test that failed first."""
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
    run = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, preexec_fn=_limited
    )
    return judged(run.returncode, run.stdout)


def judged(status: int, output: str) -> tuple[str, str]:
    """Return what a run of pytest says of its mutant: only a test that failed has killed it."""
    lines = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if status == 0:
        return "alive", ""
    if status in (1, 2) and lines:  # 2: a file could not be read in
        return "killed", lines[0]
    return "undecided", f"status {status}"


def test_every_line_to_change_stands_once() -> None:
    for each in MUTATIONS:
        text = (ROOT / "provedp" / each.file).read_text(encoding="utf-8")
        assert text.count(each.old) == 1, each.what
        assert each.old != each.new
    assert len({each.what for each in MUTATIONS}) == len(MUTATIONS) >= 40


@pytest.mark.slow
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: each.what)
def test_wrong_lines_are_noticed(mutation: Any, tmp_path: Path) -> None:
    verdict, by = tried(mutation, tmp_path)
    assert verdict == "killed" or (verdict == "alive" and mutation.harmless), by


@pytest.mark.parametrize(
    ("status", "output", "verdict"),
    [
        (0, "2 passed", "alive"),
        (1, "FAILED suite/test_laws.py::test_law - assert 1 == 2", "killed"),
        (2, "ERROR suite/test_suite.py - SyntaxError", "killed"),
        (-24, "..", "undecided"),  # SIGXCPU
        (5, "no tests ran", "undecided"),
        (3, "INTERNALERROR> MemoryError", "undecided"),
    ],
)
def test_only_a_failing_test_kills(status: int, output: str, verdict: str) -> None:
    assert judged(status, output)[0] == verdict


def main() -> None:
    """Print who notices each wrong line."""
    import tempfile

    for each in MUTATIONS:
        if not any(word in each.what for word in sys.argv[1:] or [""]):
            continue
        start = time.time()
        with tempfile.TemporaryDirectory() as folder:
            verdict, by = tried(each, Path(folder))
        print(f"{verdict} | {each.what} | {by or each.harmless} | {time.time() - start:.0f} s")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
