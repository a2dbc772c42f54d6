"""Truths of the benchmark, by quadrature and counting; all verdicts at fewer runs."""

import importlib
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from provedp.verify.audit import audit, target

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
HARD = {"Gaussian, classical at 10"}  # refuted by the exact audit alone
RARE = {"sparse vector, Alg. 3", "partition, threshold − 1"}  # need more runs than the others
LAW = stats.laplace


@pytest.fixture(scope="module")
def entries() -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCHMARKS)
        modules = [importlib.import_module(f"mechanisms.{name}") for name in ("table", "reports")]
    return {entry.name: entry for module in modules for entry in module.ENTRIES}


@pytest.mark.slow
def test_every_entry_gets_the_right_verdict(entries: dict[str, Any]) -> None:
    wrong = []
    for entry in entries.values():
        runs = 100_000 if entry.name in RARE else 20_000
        runs = 1000 if entry.channel == "bits" else runs
        what = target(entry.release, isolated=False)
        result = audit(what, entry.pair, entry.claim, runs=runs, channel=entry.channel)
        if result.refuted != (entry.wrong and entry.name not in HARD):
            wrong.append((entry.name, result.epsilon_lower))
    assert len(entries) >= 35
    assert wrong == []


def test_ten_reports_and_some_that_must_pass(entries: dict[str, Any]) -> None:
    reported = [name for name in entries if "#" in name]
    assert len(reported) >= 10
    assert all(entries[name].wrong for name in reported)
    assert sum(name.startswith("must pass") for name in entries) >= 2


def test_noisy_max_by_quadrature(entries: dict[str, Any]) -> None:
    """P(argmax = 0) for (2, 0, 0, 0, 0) and noise of scale 2, against 1/5."""
    share = integrate.quad(
        lambda x: LAW.pdf(x, loc=2, scale=2) * LAW.cdf(x, scale=2) ** 4, -60, 60, points=[0, 2]
    )[0]
    entry = entries["noisy max, index"]
    assert math.log(share / 0.2) == pytest.approx(entry.truth, abs=1e-4)
    assert entry.event[0] == pytest.approx(share, abs=1e-5)


def test_events_attain_what_is_claimed_of_them(entries: dict[str, Any]) -> None:
    for entry in entries.values():
        if entry.event is None or entry.delta > 0 or not math.isfinite(entry.truth):
            continue
        p, q = (np.array([share]) for share in entry.event)
        level = float(entry.claim.least_level(p, q)[0])
        assert level <= entry.truth + 2e-3, entry.name


def test_probabilities_of_reported_faults(entries: dict[str, Any]) -> None:
    k = np.arange(-400, 401)
    for scale, least, name in (
        (1.0, 4, "opendp #2922: >= for >"),
        (2.0, 5, "google #101: threshold cut"),
    ):
        mass = np.exp(-np.abs(k) / scale)
        tail = mass[k >= least].sum() / mass.sum()
        assert entries[name].event[0] == pytest.approx(tail)
        assert tail > entries[name].delta


def test_permute_and_flip_breaks_its_concentrated_claim(entries: dict[str, Any]) -> None:
    p, q = np.array([0.5, 0.5]), np.array([1 - math.exp(-2) / 2, math.exp(-2) / 2])
    second = math.log(np.sum(p**2 / q))
    assert second == pytest.approx(1.376, abs=1e-3)
    assert entries["opendp #2911: permute and flip"].truth >= second / 2 > 0.5
