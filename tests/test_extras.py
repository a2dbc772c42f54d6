"""What is installed on request: without it the rest works, and one line names what is missing."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from provedp import extras

ROOT = Path(__file__).resolve().parents[1]
CSV = "x,y,label\n" + "0.1,0.2,A\n0.3,0.1,B\n" * 4
VECTORS = """
from provedp import ApproximateDP, audit
def pair(data, rng, count):
    return data + rng.laplace(size=(count, 2))
audit(pair, (0, 1), ApproximateDP(1.0), runs=1000)
"""
SCALARS = """
from provedp import assert_private
def noisy(data, rng):
    return data + rng.laplace()
assert_private(noisy, (0, 1), epsilon=1.0, runs=2000)
"""


def without(modules: str, code: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run code in a process in which some modules cannot be imported."""
    blocked = f"import sys\nsys.modules.update(dict.fromkeys({modules.split()!r}))\n"
    command = [sys.executable, "-c", blocked + code]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def command(line: str) -> str:
    return f"from provedp.cli import main\nmain({line.split()!r})"


def test_every_extra_is_that_of_the_project_file() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = settings["project"]["optional-dependencies"]
    packages = packages_distributions()
    for module, extra in extras.EXTRAS.items():
        names = {re.split(r"[<>=]", requirement)[0] for requirement in asked[extra]}
        assert names & {name.lower() for name in packages[module]}, module
    own = {r for r in (r for extra in asked.values() for r in extra) if r.startswith("provedp[")}
    assert sum(map(len, asked.values())) - len(own) == len(extras.EXTRAS) + len(asked["dev"]) - 1


@pytest.mark.parametrize(
    ("missing", "line", "extra"),
    [
        ("z3", "verify counting.alpha*", "ledger"),
        ("hypothesis", "show counting.third_upper_bound_holds", "ledger"),
        ("sklearn", "diagnose mixture records.csv --label label --classes A,B", "estimators"),
        ("highspy", "solve counting --m 3 --epsilon 1 --channel psk --snr-db 10", "solvers"),
        ("pyarrow", "diagnose mixture records.parquet --label y --classes A,B --bound 3", "files"),
        ("matplotlib", "reproduce modes.table2 --seeds 1", "figures"),
        ("matplotlib", "audit mine:f --claim-epsilon 1 --pair 0 1 --html --out f", "figures"),
        ("jinja2", "audit mine:f --claim-epsilon 1 --pair 0 1 --html --out f", "html"),
        ("jinja2", "list --html pages", "html"),
        ("matplotlib", "show counting.third_upper_bound_holds --html pages", "figures"),
    ],
)
def test_a_missing_extra_is_named_in_one_line(
    missing: str, line: str, extra: str, tmp_path: Path
) -> None:
    (tmp_path / "records.csv").write_text(CSV, encoding="utf-8")
    (tmp_path / "records.parquet").write_bytes(b"PAR1")
    (tmp_path / "mine.py").write_text("def f(data, rng): return data", encoding="utf-8")
    done = without(missing, command(line), tmp_path)
    said = f"provedp: {missing} is not installed: pip install 'provedp[{extra}]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_names_on_top_tell_the_extra(tmp_path: Path) -> None:
    done = without("sklearn", "from provedp import PrivateModes", tmp_path)
    assert "MissingExtraError: sklearn is not installed" in done.stderr


def test_vectors_are_never_audited_with_fewer_scores(tmp_path: Path) -> None:
    done = without("sklearn", VECTORS, tmp_path)
    assert done.returncode == 1
    assert "pip install 'provedp[estimators]'" in done.stderr


@pytest.mark.parametrize(
    "code",
    [
        SCALARS,
        command("value privacy.hockey_stick p=[0.5,0.5] q=[0.25,0.75] k=1"),
        "import provedp; provedp.OptimalCount(m=5, epsilon='1').release(3)",
        "import provedp; provedp.audit_matrix([['3/4', '1/4'], ['1/4', '3/4']], 3)",
    ],
)
def test_the_core_needs_no_extra(code: str, tmp_path: Path) -> None:
    done = without(" ".join(extras.EXTRAS), code, tmp_path)
    assert "Error" not in done.stderr
    assert done.returncode == 0


def test_a_report_needs_no_package_of_the_ledger(tmp_path: Path) -> None:
    code = "import provedp.site.audits.one_claim, provedp.site.audits.profile"
    done = without("hypothesis z3 highspy sklearn", code, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_other_missing_modules_stay_errors(tmp_path: Path) -> None:
    done = without("provedp.cli.check", command("check file.json"), tmp_path)
    assert "ModuleNotFoundError" in done.stderr
