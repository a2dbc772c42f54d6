"""A run is held against the ledger that came with the package, or says that none did."""

import json
from pathlib import Path

import pytest

from provedp.cli.main import main
from provedp.verify.ledger import committed

CLAIM = "counting.even_spectrum_is_as_printed"


def status(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[object, str]:
    with pytest.raises(SystemExit) as end:
        main(["verify", CLAIM, "--jobs", "1", *options])
    return end.value.code, capsys.readouterr().err.strip()


def test_the_run_is_as_committed(capsys: pytest.CaptureFixture[str]) -> None:
    assert status(capsys) == (0, "")


def test_a_difference_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = committed.ledger()
    assert ledger is not None
    (entry,) = [item for item in ledger["claims"] if item["id"] == CLAIM]
    entry["evidence"]["checks"] += 1
    file = tmp_path / "ledger.json"
    file.write_text(json.dumps(ledger), encoding="utf-8")
    monkeypatch.setattr(committed, "FILE", file)
    code, said = status(capsys)
    assert code == 1
    assert f"FAULT {CLAIM}: evidence.checks was" in said


def test_a_package_without_a_ledger_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(committed, "FILE", tmp_path / "absent.json")
    code, said = status(capsys)
    assert code == 0
    assert said == "provedp: the package holds no ledger.json to compare with."


def test_a_ledger_of_another_format_ends_a_run_before_it_starts_unless_it_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ledger.json"
    file.write_text('{"format": "another"}', encoding="utf-8")
    monkeypatch.setattr(committed, "FILE", file)
    with monkeypatch.context() as patch:
        patch.delattr("provedp.verify.ledger.parallel.run_all")
        code, said = status(capsys)
    assert code == 2
    assert "is not a ledger in the format" in said
    code, said = status(capsys, "--json", str(file))
    assert code == 0
    assert "It is replaced, and compared with nothing." in said
    assert committed.ledger() is not None
