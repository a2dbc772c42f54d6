"""Reported faults of accountants get the verdicts that they deserve."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

import provedp

PATH = Path(__file__).resolve().parents[2] / "benchmarks" / "reported.py"
# Seconds each: claims far from the truth, of which many grids are tried, and samples of fixed size.
SLOW = {
    "dp-accounting 0.6.0: F",
    "google 378: half as far",
    "prv 17: far above",
    "prv 17: its lower end",
    "tf-privacy 173: Keras",
    "tf-privacy 173: expected",
}


def reported() -> Any:
    spec = importlib.util.spec_from_file_location("reported", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


REPORTED = reported()
ROWS = [
    pytest.param(row, id=row.name, marks=[pytest.mark.slow] if row.name in SLOW else [])
    for row in REPORTED.REPORTS
]


@pytest.mark.parametrize("row", ROWS)
def test_reports_get_the_verdict_that_they_deserve(row: Any) -> None:
    def verdict() -> str:
        claim = (row.epsilon, row.delta)
        found = provedp.account(row.releases, claim=claim, adjacency=row.adjacency)
        return str(found.verdict)

    if row.verdict == REPORTED.REFUSED:
        with pytest.raises(ValueError):
            verdict()
    else:
        assert verdict() == row.verdict


def test_all_kinds_of_verdicts_are_there_and_no_name_twice() -> None:
    names = [row.name for row in REPORTED.REPORTS]
    assert len(set(names)) == len(names)
    assert set(names) >= SLOW
    assert {row.verdict for row in REPORTED.REPORTS} == {"proved", "refuted", REPORTED.REFUSED}
