"""docs/reproduce.md names every experiment and what was found, and its cheap command runs."""

import re
import shlex
from pathlib import Path

import pytest

from provedp.cli.main import main
from provedp.experiments.catalogue import ABSENT, EXPERIMENTS
from provedp.experiments.findings import FOUND

PAGE = (Path(__file__).resolve().parents[2] / "docs/reproduce.md").read_text(encoding="utf-8")


def test_every_experiment_has_its_row() -> None:
    rows = dict(re.findall(r"^\| `provedp reproduce (\S+)` \| (.*) \|$", PAGE, re.MULTILINE))
    assert list(rows) == sorted(EXPERIMENTS, key=list(rows).index)
    for name, experiment in EXPERIMENTS.items():
        assert rows[name] == f"{experiment.title}. {FOUND.get(name, '')}".rstrip()
    assert set(FOUND) <= set(EXPERIMENTS)
    assert all(f"| {name} | {reason} |" in PAGE for name, reason in ABSENT.items())


def test_the_command_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (command,) = re.findall(r"```console\nprovedp (.*)\n```", PAGE)
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(command))
    assert ended.value.code == 0
    assert {path.suffix for path in (tmp_path / "figures").iterdir()} == {".json", ".svg", ".png"}
    assert "Found with the default number of runs: The shared entries" in capsys.readouterr().out
