"""What the README says of the ledger and of Python is so; test_pages runs what it shows."""

import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provedp.cli.main import main
from provedp.verify.ledger import committed, mutants, registry, totals
from provedp.verify.ledger.run import run

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def block_with(text: str) -> str:
    (found,) = [block for block in BLOCKS if text in block]
    return found


PYTHON = [block_with("from provedp import"), block_with("verify.ledger import")]


def test_the_totals_are_those_of_the_ledger() -> None:
    shown = re.search(r"ends with\n\n```\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    entries = committed.ledger()
    assert entries is not None
    told = totals.lines(entries["claims"])
    assert shown[1].splitlines() == [line for line in told if not line.startswith("longest chain")]


@pytest.mark.parametrize("command", re.findall(r"`provedp ((?:list|show) [^`]*)`", README))
def test_what_finds_claims_finds_some(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(shlex.split(command))
    assert end.value.code == 0
    found = capsys.readouterr().out
    name = command.split()[-1]
    is_one = re.fullmatch(r"show \w+\.\w+", command) and found.startswith(f"{name}: ")
    assert is_one or "claims" in found or "--paper" in command


def test_the_example_in_python_runs() -> None:
    names: dict[str, object] = {}
    exec(PYTHON[0], names)
    mechanism = names["mechanism"]
    claim = mechanism.guarantee.claim  # type: ignore[attr-defined]
    assert f"'{claim}'" in PYTHON[0]


def test_the_claims_are_run_as_shown() -> None:
    code = block_with("run_claim")
    names: dict[str, Any] = {}
    exec(code.replace("print(", "shown = ("), names)
    verdict, found = str(names["result"].verdict), names["result"].evidence.found
    assert f"# {verdict}, {found!r}" in code
    assert str(names["shown"]).startswith("counting.third_upper_bound_holds: refuted")


def test_the_example_claim_holds_and_notices_mutants(tmp_path: Path) -> None:
    lines = [line for line in PYTHON[1].splitlines() if line.strip()]
    assert len(lines) <= 12
    path = tmp_path / "my_claims.py"
    path.write_text(PYTHON[1], encoding="utf-8")
    (claim,) = registry.claims(str(path)).values()
    assert not run(claim).fault
    assert not mutants.judge(claim).is_blind


def test_the_search_in_the_table_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = re.search(r"`provedp (audit mine:release [^`]*--search)`", README)
    assert shown is not None
    code = "def release(data, rng, count):\n    return len(data) + rng.laplace(size=count)\n"
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main([*shlex.split(shown[1]), "--runs", "20000"])
    assert end.value.code == 0
    printed = capsys.readouterr().out
    assert "pairs tried, none left out; add-remove pairs" in printed


def test_the_example_of_a_test_passes() -> None:
    names: dict[str, Any] = {}
    exec(block_with("assert_private"), names)
    names["test_noisy_sum"]()


def test_the_printed_value_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["value", "counting.alpha", "m=8", "k=2"])
    assert f"`{capsys.readouterr().out.strip()}`" in README


def test_the_plan_of_modes_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = re.search(r"\$ provedp (release modes .* --plan)\n", README)
    assert shown is not None
    table = np.random.default_rng(0).normal(size=(2000, 2))
    np.savetxt(tmp_path / "sites.csv", table, delimiter=",", header="x,y", comments="")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(shlex.split(shown[1]))
    assert end.value.code == 0
    assert "bins" in capsys.readouterr().out


def test_the_pages_are_written_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = re.findall(r"\$ provedp (\w+) --html (\w+) ", README)
    assert shown == [("list", "pages"), ("verify", "pages")]
    # tests/test_pages.py runs the first; all claims for the second are left to `make verify`.
    with pytest.raises(SystemExit) as end:
        main(["verify", "counting.error_is_optimal", "--html", "pages"])
    assert end.value.code == 0
    assert (tmp_path / "pages/index.html").is_file()
    assert (tmp_path / "pages/claims/counting.error_is_optimal.html").is_file()
