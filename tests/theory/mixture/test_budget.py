"""Budgets: Theorem 1's inequalities by hand, and sensitivities attained at corners of the ball."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.theory.mixture import (
    composed_epsilon,
    covariance_epsilon,
    displacement_matrix,
    feature_change_sensitivity,
    feature_change_variance,
    grid_gamma,
    join_sensitivity,
    leave_sensitivity,
    left_for_weights,
    mean_budget,
    scalable_variance,
    top_two_epsilon,
    wishart_gamma,
)

repeat = settings(derandomize=True, deadline=None, max_examples=60)
SHARES = st.fractions(F(1, 10), F(9, 10), max_denominator=20)


@repeat
@given(SHARES, SHARES, SHARES, st.integers(3, 100))
def test_the_grid_and_23_spend_the_budget_of_a_class(total, share, split, count):
    weights = total * share
    mean = (total - weights) * split / 2
    gamma = wishart_gamma(total, weights, mean, count)
    assert 2 * mean + 2 * covariance_epsilon(gamma, count) + weights == total
    for place in (1, 4, 10):
        gamma = grid_gamma(total, weights, count, place, 10)
        left = (total - weights) / 2 - covariance_epsilon(gamma, count)
        assert left == (1 - F(place, 11)) * (total - weights) / 2 > 0
        assert gamma == wishart_gamma(total, weights, left, count)


@repeat
@given(st.lists(st.tuples(SHARES, SHARES), min_size=2, max_size=5), SHARES)
def test_compositions(pairs, weights):
    means, covariances = zip(*pairs, strict=True)
    costs = sorted(a + b for a, b in pairs)
    assert composed_epsilon(means, covariances, weights) == 2 * costs[-1] + weights
    assert top_two_epsilon(means, covariances, weights) == costs[-1] + costs[-2] + weights
    total = 10 + weights
    left = left_for_weights(total, means, covariances)
    assert composed_epsilon(means, covariances, left) == total


def test_mean_budget_and_variances_by_hand():
    log = math.log(2e5)
    assert mean_budget(1.0, 2e-5) == pytest.approx(1 / (2 * log), rel=1e-14)
    assert float(mean_budget(F(1, 2), F(2, 10**5))) == pytest.approx(1 / (8 * log), rel=1e-14)
    assert mean_budget(0.0, 2e-5) == 0
    # Isotropic noise at these variances meets the conditions with equality.
    for count in (4, 50):
        variance = scalable_variance(3.0, count, 0.5, 2e-5)
        assert (2 * 3 / (count - 1)) ** 2 / variance == pytest.approx(mean_budget(0.5, 2e-5))
        variance = feature_change_variance(3.0, count, 0.5, 2e-5)
        budget = 0.5**2 / (2 * math.log(1e5))
        assert feature_change_sensitivity(3.0, count) ** 2 / variance == pytest.approx(budget)


@repeat
@given(st.integers(0, 10**6), st.floats(0.1, 2))
def test_schur_form_is_the_quadratic_form(seed, bound):
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(3, 3))
    noise = half @ half.T + 0.1 * np.eye(3)
    step = rng.normal(size=3)
    step *= math.sqrt(bound / (step @ np.linalg.solve(noise, step)))
    for factor, inside in ((0.99, True), (1.01, False)):
        matrix = displacement_matrix(bound, factor * step, noise)
        assert (np.linalg.eigvalsh(matrix)[0] > 0) == inside


def test_schur_form_where_no_precision_exists():
    # Γ⁻¹ is singular: Δ must lie in its range, and be short there.
    noise = [[F(4), F(0)], [F(0), F(0)]]
    inside = displacement_matrix(F(1), [F(2), F(0)], noise).astype(float)
    outside = displacement_matrix(F(1), [F(2), F(1)], noise).astype(float)
    assert np.linalg.eigvalsh(inside)[0] > -1e-12
    assert np.linalg.eigvalsh(outside)[0] < -0.1


@repeat
@given(st.integers(0, 10**6), st.integers(3, 8))
def test_sensitivities_bound_every_move_and_are_attained(seed, count):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(count + 1, 2))
    points /= np.maximum(1, np.linalg.norm(points, axis=1))[:, None]
    own, other = points[:count], points[count]
    leave = np.linalg.norm(own.mean(axis=0) - own[1:].mean(axis=0))
    join = np.linalg.norm(own.mean(axis=0) - points.mean(axis=0))
    change = np.linalg.norm(own[0] - other) / count
    assert leave <= leave_sensitivity(1.0, count) + 1e-12
    assert join <= join_sensitivity(1.0, count) + 1e-12
    assert change <= feature_change_sensitivity(1.0, count) + 1e-12
    corner = np.ones(count)
    corner[0] = -1
    assert abs(corner.mean() - corner[1:].mean()) == pytest.approx(leave_sensitivity(1.0, count))
    assert abs(1 - (count - 1) / (count + 1)) == pytest.approx(join_sensitivity(1.0, count))


NAN = float("nan")
BAD = [
    lambda: composed_epsilon([1], [1, 2], 0),
    lambda: composed_epsilon([1], [NAN], 0),
    lambda: composed_epsilon([1], [1], -1),
    lambda: top_two_epsilon([1], [1], 0),
    lambda: mean_budget(-1, F(1, 2)),
    lambda: mean_budget(1, 0),
    lambda: mean_budget(1, 1),
    lambda: mean_budget(NAN, F(1, 2)),
    lambda: displacement_matrix(1, [1, 2], [[1]]),
    lambda: displacement_matrix(1, [1], [[1, 2]]),
    lambda: covariance_epsilon(0, 5),
    lambda: covariance_epsilon(1, 1),
    lambda: wishart_gamma(0, 0, 0, 5),
    lambda: wishart_gamma(1, -1, 0, 5),
    lambda: grid_gamma(1, 0, 5, 11, 10),
    lambda: grid_gamma(1, 0, 5, 0, 10),
    lambda: left_for_weights(1, [1], [1, 1]),
    lambda: feature_change_sensitivity(0, 3),
    lambda: feature_change_variance(1, 3, 0, F(1, 2)),
    lambda: leave_sensitivity(1, 1),
    lambda: join_sensitivity(-1, 3),
    lambda: scalable_variance(1, 1, 1, F(1, 2)),
    lambda: scalable_variance(float("inf"), 3, 1, F(1, 2)),
]


@pytest.mark.parametrize("call", BAD)
def test_bad_arguments_are_refused(call):
    with pytest.raises(ValueError):
        call()
