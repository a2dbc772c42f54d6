"""What receivers of a universal count make of it, against optima from elsewhere."""

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp import UniversalCount, solve_release, worst_case_rounding
from provedp.theory.counting.losses import loss_matrix
from provedp.verify.solvers.release.solver import enclosed

from .exact_values import RELEASES, VALUES, problem_of
from .test_solver import on_path

WORST = [
    name
    for name in RELEASES
    if VALUES[name]["inputs"]["graph"] == "path"
    and VALUES[name]["inputs"].get("prior") is None
    and VALUES[name]["inputs"]["loss"] in ("zero-one", "absolute", "squared")
]


def test_enough_values_are_of_the_worst_case() -> None:
    assert len(WORST) == 34
    assert sum(VALUES[name]["inputs"]["delta"] != "0" for name in WORST) >= 8


@pytest.mark.parametrize("name", WORST)
def test_the_worst_count_loses_the_least_there_is(name: str) -> None:
    problem = problem_of(name)
    mechanism = UniversalCount(f"ln({problem.k})", problem.delta)
    rounding = worst_case_rounding(mechanism, problem.counts, problem.loss)
    assert rounding.expected_loss == Q(VALUES[name]["value"])
    lost = [sum(x * p for x, p in zip(*rows, strict=True))
            for rows in zip(problem.loss, rounding.law, strict=True)]  # fmt: skip
    assert max(lost) == rounding.expected_loss
    assert all(sum(row) == 1 and min(row) >= 0 for row in rounding.law)
    assert list(rounding.cuts) == sorted(rounding.cuts)
    assert list(rounding.outputs) == sorted(rounding.outputs)


LEVELS = [(Q(3, 2), Q(0)), (Q(2), Q(1, 100)), (Q(7), Q(1, 10)), (Q(1), Q(1, 5))]


@settings(max_examples=40)
@given(st.data(), st.integers(2, 5), st.sampled_from(LEVELS))
def test_a_rounding_is_nowhere_worse_than_the_release_it_follows(
    data: Any, m: int, level: tuple[Q, Q]
) -> None:
    """The release: optimal for random losses, which need not grow away from the count."""
    k, delta = level
    entry = st.integers(0, 9).map(Q)
    losses = st.lists(st.lists(entry, min_size=m, max_size=m), min_size=m, max_size=m)
    own = on_path("absolute", m, k, delta)
    given_ = type(own)(tuple(map(tuple, data.draw(losses))), None, own.edges, k, delta)
    law = enclosed(given_).primal
    rounding = UniversalCount(f"ln({k})", delta).dominate(law, first=1)
    for name in ("zero-one", "absolute", "squared"):
        costs = np.array(loss_matrix(name, m), dtype=object)
        assert ((costs * rounding.law).sum(axis=1) <= (costs * law).sum(axis=1)).all()


def test_drawn_releases_follow_the_law() -> None:
    """5000 draws; each frequency is within 0.05 of its probability, seven deviations."""
    mechanism = UniversalCount("ln(3/2)", "1/10")
    rounding = worst_case_rounding(mechanism, 4, "squared", first=5)
    rng = np.random.default_rng(8)
    for count in range(4):
        drawn = [rounding(each) for each in mechanism.release([count + 5] * 5000, rng)]
        for output in range(4):
            share = drawn.count(output + 5) / 5000
            assert abs(share - float(rounding.law[count, output])) < 0.05


def test_a_release_that_never_says_an_end_is_followed() -> None:
    """Constant releases at δ = 0 have infinite thresholds: only one output is left."""
    mechanism = UniversalCount("ln(2)")
    for middle in range(3):
        rows = [[Q(int(j == middle)) for j in range(3)]] * 3
        rounding = mechanism.dominate(rows, first=10)
        assert (rounding.cuts, rounding.outputs) == ((), (10 + middle,))
        assert rounding(mechanism.release(11)) == 10 + middle


def test_one_release_serves_receivers_who_fear_different_things() -> None:
    mechanism = UniversalCount("ln(2)", "1/10")
    for name in ("zero-one", "absolute", "squared"):
        least = solve_release(5, "ln(2)", "1/10", loss=name).upper
        assert worst_case_rounding(mechanism, 5, name).expected_loss == least


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"m": None}, "m"),
        ({"m": 1}, "m"),
        ({"m": 401}, "m"),
        ({"m": 3, "loss": "cubic"}, "loss"),
        ({"m": 3, "loss": [[0, 1], [1, 0]]}, "loss"),
        ({"m": 2, "loss": [[0, -1], [1, 0]]}, "loss"),
        ({"m": 2, "loss": [[0, 1], [0, 1]]}, "loss"),
        ({"m": 3, "loss": [[0, 2, 1], [1, 0, 1], [2, 1, 0]]}, "loss"),
        ({"m": 2, "loss": [[0, 1, 2], [1, 0, 1]]}, "loss"),
        ({"m": 2, "loss": [[0, float("nan")], [1, 0]]}, "loss"),
        ({"m": 2, "loss": 7}, "loss"),
        ({"m": 2, "first": 1.5}, "first"),
    ],
)
def test_wrong_requests_are_refused(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=f"'{named}' parameter of worst_case_rounding"):
        worst_case_rounding(UniversalCount(1), **wrong)


@pytest.mark.parametrize(
    ("matrix", "named"),
    [
        (None, "matrix"),
        ([[1]], "matrix"),
        ([[1, 0], [0, 2]], "matrix"),
        ([[1, 0], [0, 1]], "matrix"),  # not private
        ([[Q(3, 4), Q(1, 4)], [Q(1, 4), Q(3, 4)]], "matrix"),  # e is less than 3
    ],
)
def test_releases_that_cannot_be_followed_are_refused(matrix: Any, named: str) -> None:
    with pytest.raises(ValueError, match=rf"'{named}' parameter of UniversalCount\.dominate"):
        UniversalCount(1).dominate(matrix)
