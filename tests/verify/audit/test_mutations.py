"""Fast tests notice wrong lines in the model of outputs and in the checks of runs, one at a time.

`python tests/verify/audit/test_mutations.py [WORD]` prints a table of those whose name has a word.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LONGEST = 600  # seconds; a mutant that does not end is noticed, too


def _mutations() -> Any:
    spec = importlib.util.spec_from_file_location("audit_mutations", HERE / "mutations.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["audit_mutations"] = module
    spec.loader.exec_module(module)
    return module.MUTATIONS


MUTATIONS = _mutations()


def is_noticed(mutation: Any, folder: Path) -> bool:
    """Return whether the test that is named for it fails with one wrong line, and only then."""
    package = folder / "provedp"
    shutil.copytree(ROOT / "provedp", package, ignore=shutil.ignore_patterns("__pycache__"))
    file = package / "verify" / "audit" / mutation.file
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    tests = folder / "tests"
    tests.mkdir()
    name, _, test = mutation.test.partition("::")
    for each in (name, "conftest.py", "one_run_values.json"):
        shutil.copy(HERE / each, tests)
    shutil.copy(ROOT / "pyproject.toml", folder)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--tb=no"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    try:
        run = subprocess.run(
            [*command, f"tests/{name}::{test}"], cwd=folder, env=environment,
            capture_output=True, text=True, timeout=LONGEST,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    assert run.returncode in (0, 1), run.stdout  # no test of that name, or it cannot be read
    return run.returncode == 1


def test_every_line_to_change_stands_once() -> None:
    for each in MUTATIONS:
        file = ROOT / "provedp" / "verify" / "audit" / each.file
        assert file.read_text(encoding="utf-8").count(each.old) == 1, each.what
        assert each.old != each.new
        name, _, test = each.test.partition("::")
        assert f"def {test.partition('[')[0]}(" in (HERE / name).read_text(encoding="utf-8")
    assert len({each.what for each in MUTATIONS}) == len(MUTATIONS) >= 30


@pytest.mark.slow
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: each.what)
def test_wrong_lines_are_noticed(mutation: Any, tmp_path: Path) -> None:
    assert is_noticed(mutation, tmp_path) != bool(mutation.harmless)


if __name__ == "__main__":
    for chosen in MUTATIONS:
        if all(word in chosen.what for word in sys.argv[1:]):
            with tempfile.TemporaryDirectory() as temporary:
                verdict = "noticed" if is_noticed(chosen, Path(temporary)) else "LIVES"
            print(f"{verdict:8} {chosen.file:30} {chosen.what}", flush=True)
