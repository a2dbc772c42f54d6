"""The channel of time: what the seconds of a run tell, whatever its output is."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provedp.verify.audit import ApproximateDP, audit, target
from provedp.verify.audit.results.counterexamples import (
    counterexample_from,
    counterexample_of,
    replay,
    target_of,
)
from provedp.verify.pairs.pair import Pair

RUNS = 400
PAIR = (0, 100_000)
CLAIM = ApproximateDP(1.0)
SURE = 1 - 1e-6


def summed(data: int, rng: np.random.Generator) -> float:
    """Noise that tells nothing, after work that depends on the data."""
    return float(rng.laplace()) + 0 * sum(range(data))


def bounded(data: int, rng: np.random.Generator) -> float:
    """The same noise, after as much work for all data."""
    return float(rng.laplace()) + 0 * sum(range(1000)) + 0 * data


def found(function: Any, channel: str, **options: Any) -> Any:
    here = target(function, isolated=False)
    return audit(here, PAIR, CLAIM, runs=RUNS, confidence=SURE, channel=channel, **options)


def test_work_that_depends_on_the_data_is_seen_in_its_time_alone() -> None:
    assert not found(summed, "value").refuted
    result = found(summed, "time")
    assert result.refuted
    assert result.channel == "time"
    assert result.runs == 2 * RUNS


def test_equal_work_is_not_told_apart() -> None:
    assert not found(bounded, "time").refuted


def test_bets_on_time_end_soon() -> None:
    result = found(summed, "time", sequential=True)
    assert result.refuted
    assert result.runs < RUNS


def test_a_replay_measures_again_and_expects_other_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "def summed(data, rng):\n    return 0 * sum(range(data))\n"
    (tmp_path / "slow_sums.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    what = target("slow_sums:summed")
    result = audit(what, PAIR, CLAIM, runs=RUNS, confidence=SURE, channel="time")
    record = counterexample_of(result, what, Pair(*PAIR), CLAIM)
    example = counterexample_from(record)
    assert example.counts is None
    again = replay(example, target_of(example), fresh_seed=1)
    assert again.refuted_again and again.refuted_fresh
