"""Audits of recorded outputs: verdicts, unequal numbers, one answer to one request, refusals."""

import math
from typing import Any

import numpy as np
import pytest

from provedp.verify.audit import ApproximateDP, DependentRuns, audit_samples
from provedp.verify.audit.events.event import Event
from provedp.verify.audit.events.scores.score import Coordinate
from provedp.verify.audit.recorded.samples import counts_of, fair_rows
from provedp.verify.audit.statistics.exact_test import lower_bound
from provedp.verify.audit.targets.outputs import batch_of_array

CLAIM = ApproximateDP(1.0)


def laplace(scale: float, n: int, m: int, seed: int = 1) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    return rng.laplace(scale=scale, size=n), 1 + rng.laplace(scale=scale, size=m)


def test_recorded_leaks_are_refuted() -> None:
    found = audit_samples(*laplace(0.5, 3000, 2000), CLAIM)
    assert found.refuted and found.epsilon_lower < 2
    assert (found.target, found.runs) == ("recorded outputs", 5000)
    assert not audit_samples(*laplace(1.0, 3000, 2000), CLAIM).refuted


@pytest.mark.parametrize("sizes", [(1500, 700), (700, 1500)])
def test_unequal_numbers_do_not_refute_what_is_true(sizes: tuple[int, int]) -> None:
    """The event that attains the claim; folding all rows as they are misses one in five."""
    event = Event(
        Coordinate(0, -1, True), 0.0, -1.0
    )  # ≤ 0 speaks for the first, ≥ 1 for the second
    missed, audits = 0, 150
    for seed in range(audits):
        sides = [batch_of_array(side) for side in laplace(1.0, *sizes, seed=seed)]
        counts, coins = counts_of(event, *sides, np.random.default_rng(seed))
        assert coins == counts.n == fair_rows(*sizes)
        missed += lower_bound(counts, CLAIM) > 1
    assert missed / audits <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / audits)
    assert missed > 0


def test_one_request_has_one_answer() -> None:
    rows = laplace(1.0, 800, 800)
    assert audit_samples(*rows, CLAIM) == audit_samples(*rows, CLAIM)
    assert audit_samples(*rows, CLAIM, seed=1) != audit_samples(*rows, CLAIM)


def test_fair_coins_seldom_want_more_rows_than_there_are() -> None:
    rng = np.random.default_rng(1)
    for a, b in ((100, 100), (700, 1500), (50, 10_000)):
        heads = rng.binomial(fair_rows(a, b), 0.5, size=20_000)
        assert np.mean((heads > a) | (fair_rows(a, b) - heads > b)) <= 1e-3
    assert fair_rows(5, 100) == 0


def test_anything_that_a_mechanism_returns_may_be_recorded() -> None:
    rng = np.random.default_rng(1)
    sides = [
        [
            {"n": int(rng.integers(3)), "kind": "a" if rng.random() < share else "b"}
            for _ in range(900)
        ]
        for share in (0.9, 0.3)
    ]
    assert audit_samples(*sides, CLAIM).refuted


def test_rows_that_depend_on_those_before_have_no_verdict() -> None:
    rng = np.random.default_rng(1)
    walk = np.cumsum(rng.normal(size=1000))
    with pytest.raises(DependentRuns, match="first side"):
        audit_samples(walk, rng.normal(size=1000), CLAIM)
    assert audit_samples(walk, rng.normal(size=1000), CLAIM, checks=False).runs == 2000


def test_copies_are_no_runs() -> None:
    first, second = laplace(0.5, 500, 500)
    with pytest.raises(ValueError, match="holds copies"):
        audit_samples(np.repeat(first, 2), second, CLAIM)
    with pytest.raises(ValueError, match="one is a copy"):
        audit_samples(first, first[::-1], CLAIM)


def test_few_different_outputs_are_no_copies() -> None:
    rng = np.random.default_rng(1)
    sides = rng.integers(0, 60, 200), rng.integers(0, 60, 200)
    assert not audit_samples(*sides, CLAIM).refuted


@pytest.mark.parametrize(
    "first, words",
    [
        (np.zeros(10), "has 10 rows"),
        (np.array([None] * 100), "array of numbers or texts"),
        (np.float64(1.0), "array of numbers or texts|array or a list"),
        ("text", "array or a list"),
        (np.random.default_rng(1).normal(size=(100, 3)), "the width alone"),
    ],
)
def test_wrong_rows_are_refused(first: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        audit_samples(first, np.random.default_rng(2).normal(size=(100, 2)), CLAIM)


@pytest.mark.parametrize(
    "wrong", [{"channel": "time"}, {"share": 0.0}, {"share": 1.0}, {"confidence": 0}, {"seed": -1}]
)
def test_wrong_requests_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        audit_samples(*laplace(1.0, 100, 100), CLAIM, **wrong)
