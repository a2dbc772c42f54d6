"""`provedp audit --profile`: tables, verdicts, files, interruptions, wrong requests."""

import json
import math
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from provedp.cli.audit import progress
from provedp.cli.main import main

MODULE = """
import time

def right(data, rng, count):
    return data + rng.laplace(scale=1.0, size=count)

def slow(data, rng, count):
    time.sleep(0.02)
    return data + rng.laplace(scale=1.0, size=count)

def raises(data, rng):
    raise RuntimeError("no such thing as privacy")
"""
PROFILE = ("--profile", "--pair", "0", "1", "--runs", "4000", "--no-checks")
KEYS = {
    "refuted", "confidence", "claims", "epsilon_lower", "delta_lower", "mu_lower", "events",
    "channel", "pair", "runs", "resolution", "seed", "target", "checks", "check_runs",
    "processes",
}  # fmt: skip


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "EVERY", 3600.0)  # a loaded machine may take ten seconds
    Path("mine.py").write_text(MODULE, encoding="utf-8")

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return call


def test_without_a_claim_two_tables_are_printed(run: Callable[..., Any]) -> None:
    status, out, err = run("audit", "mine:right", *PROFILE)
    assert (status, err) == (0, "")
    rows = {line[2:14].strip(): line[14:].split() for line in out.splitlines()[1:]}
    assert rows["delta"] == ["0", "1e-06", "0.0001", "0.01", "0.1"]
    assert rows["epsilon"] == ["0", "0.5", "1", "2", "4"]
    for delta, bound in zip(rows["delta"], rows["epsilon >="], strict=True):
        assert 0.5 < float(bound) <= 1 + 2 * math.log1p(-float(delta))
    for epsilon, bound in zip(rows["epsilon"], rows["delta >="], strict=True):
        truth = max(0.0, -math.expm1((float(epsilon) - 1) / 2))
        assert 0.8 * truth - 0.02 < float(bound) <= truth
    assert "claim" not in rows
    assert rows["runs"] == ["not", "checked"]


def test_claims_are_judged_and_one_refutation_is_enough(run: Callable[..., Any]) -> None:
    points = ("--claim-point", "0", "2/5", "--claim-point", "0.5", "0.1")
    status, out, err = run(
        "audit", "mine:right", *PROFILE, "--claim-epsilon", "1", *points, "--json"
    )
    assert (status, err) == (1, "")
    found = json.loads(out)
    assert found.keys() == KEYS
    assert [each["refuted"] for each in found["claims"]] == [False, False, True]
    assert found["pair"] == {"index": 0, "name": "", "first": 0, "second": 1}
    status, out, _ = run("audit", "mine:right", *PROFILE, *points)
    assert status == 1
    assert "(0.5, 0.1)-DP REFUTED" in out
    assert "(0, 0.4)-DP not refuted" in out
    status, _, _ = run("audit", "mine:right", *PROFILE, "--claim-mu", "2")
    assert status == 0


def test_files_and_the_page(run: Callable[..., Any]) -> None:
    claims = ("--claim-mu", "0.5", "--claim-point", "1", "0")
    status, out, _ = run("audit", "mine:right", *PROFILE, *claims, "--out", "o", "--html", "--json")
    assert status == 1
    assert sorted(path.name for path in Path("o").iterdir()) == ["report.html", "result.json"]
    assert json.loads(out) == json.loads(Path("o/result.json").read_text(encoding="utf-8"))
    text = Path("o/report.html").read_text(encoding="utf-8")
    assert "0.5-GDP REFUTED" in text
    assert "<svg viewBox=" in text


@pytest.mark.slow
def test_a_killed_profile_goes_on_and_counts_no_run_twice(run: Callable[..., Any]) -> None:
    arguments = ("audit", "mine:slow", *PROFILE, "--json")
    whole = run(*arguments)
    journal = Path("o/journal.jsonl")
    command = [sys.executable, "-m", "provedp", *arguments, "--out", "o"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while not (journal.exists() and journal.read_bytes().count(b"\n") >= 12):
        assert time.monotonic() < end
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert journal.read_bytes().count(b"\n") - 2 < 20
    status, _, err = run("audit", "mine:slow", *PROFILE, "--claim-mu", "1", "--out", "o")
    assert status == 2
    assert "differs in claims" in err
    status, _, err = run("audit", "mine:slow", *PROFILE[1:], "--claim-mu", "1", "--out", "o")
    assert status == 2
    assert "differs in claim, claims" in err
    assert run(*arguments, "--out", "o")[:2] == whole[:2]
    assert not journal.exists()


def test_a_failing_target_shows_its_own_error(run: Callable[..., Any]) -> None:
    status, _, err = run("audit", "mine:raises", *PROFILE)
    assert status == 3
    assert "no such thing as privacy" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*PROFILE, "--until-decided"), "--until-decided tests one claim"),
        ((*PROFILE, "--claim-delta", "0.1"), "--claim-delta goes with --claim-epsilon"),
        ((*PROFILE, "--claim-epsilon", "1", "--claim-mu", "1"), "Say what is claimed, once"),
        ((*PROFILE, "--claim-point", "1", "2"), "'delta'"),
        ((*PROFILE, "--claim-point", "x", "0"), "x"),
        ((*PROFILE, "--html"), "--out DIR"),
        ((*PROFILE[1:], "--claim-point", "1", "0"), "--claim-point goes with --profile"),
        (PROFILE[1:], "Say what is claimed, once"),
    ],
)
def test_wrong_requests(run: Callable[..., Any], arguments: tuple[str, ...], message: str) -> None:
    status, out, err = run("audit", "mine:right", *arguments)
    assert (status, out) == (2, "")
    assert message in err
