"""What the README shows is what happens."""

import re
import shlex
import shutil
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


def squeezed(text: str) -> str:
    return " ".join(re.sub(r" \(\d+\.\d\d s\)", "", text).split())


def test_the_refuted_claim_is_shown_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    shown = re.search(r"\$ provedp (show \S+)\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    with pytest.raises(SystemExit) as end:
        main(shlex.split(shown[1]))
    assert end.value.code == 0
    assert squeezed(capsys.readouterr().out) == squeezed(shown[2])


def test_the_totals_are_those_of_the_ledger() -> None:
    shown = re.search(r"ends with\n\n```\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    entries = committed.ledger()
    assert entries is not None
    told = totals.lines(entries["claims"])
    assert shown[1].splitlines() == [line for line in told if not line.startswith("longest chain")]


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
    above = re.search(r"\$ provedp show \S+\n(.*?)```", README, re.DOTALL)
    assert above is not None
    assert squeezed(names["shown"]) == squeezed(above[1])


def test_the_example_claim_holds_and_notices_mutants(tmp_path: Path) -> None:
    lines = [line for line in PYTHON[1].splitlines() if line.strip()]
    assert len(lines) <= 12
    path = tmp_path / "my_claims.py"
    path.write_text(PYTHON[1], encoding="utf-8")
    (claim,) = registry.claims(str(path)).values()
    assert not run(claim).fault
    assert not mutants.judge(claim).is_blind


def test_the_audit_prints_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = re.search(r"\$ cat (\S+)\n(.*?)\$ provedp (audit .*?)\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    (tmp_path / shown[1]).write_text(shown[2], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(shlex.split(shown[3]))
    assert end.value.code == 1
    assert squeezed(capsys.readouterr().out) == squeezed(shown[4])


@pytest.mark.skipif(shutil.which("awk") is None, reason="no awk")
def test_the_program_is_refuted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = re.search(r"\$ cat (\S+\.sh)\n(.*?)\$ provedp (audit .*?)\n", README, re.DOTALL)
    assert shown is not None
    (tmp_path / shown[1]).write_text(shown[2], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(shlex.split(shown[3]))
    assert end.value.code == 1


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
    with pytest.raises(SystemExit, match="0"):
        main(shlex.split(shown[1]))
    assert "bins" in capsys.readouterr().out
